//! Turns every grammar of this folder into a parser, before the crate is compiled.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A grammar added to the folder must be noticed, not only a changed one.
    println!("cargo::rerun-if-changed=grammar");
    let out = std::env::var("OUT_DIR")?;
    lalrpop::Configuration::new()
        .set_in_dir("grammar")
        .set_out_dir(out)
        .emit_rerun_directives(true)
        .process()?;
    Ok(())
}
