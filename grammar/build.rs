//! Turns the grammar of a language into a parser, before its crate is compiled: that of `gridbug-bogl` is
//! `bogl.lalrpop`.

use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let package = std::env::var("CARGO_PKG_NAME")?;
    let name = package.strip_prefix("gridbug-").unwrap_or(&package);
    let folder = Path::new(&std::env::var("CARGO_MANIFEST_DIR")?).join("../../../grammar");
    let grammar = folder.join(format!("{name}.lalrpop"));
    println!("cargo::rerun-if-changed={}", grammar.display());
    lalrpop::Configuration::new()
        .set_out_dir(std::env::var("OUT_DIR")?)
        .process_file(grammar)?;
    Ok(())
}
