//! Runs the shared conformance cases of the five languages, if they are present next to the
//! repository. It has no test harness, so that a skipped run is visible in the output of
//! `cargo test`.

use std::path::Path;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let run = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance/run");
    if !run.exists() {
        println!("conformance: SKIPPED, no cases at {}", run.display());
        return ExitCode::SUCCESS;
    }
    let mut failed = Vec::new();
    for language in gridbug::languages::ALL {
        let name = language.info().name;
        let output = Command::new("python3")
            .arg(&run)
            .args(["--binary", env!("CARGO_BIN_EXE_gridbug")])
            .arg(run.with_file_name(format!("{name}.json")))
            .output();
        match output {
            Err(error) => {
                println!("conformance: SKIPPED, cannot start python3 ({error})");
                return ExitCode::SUCCESS;
            }
            Ok(output) => {
                let text = String::from_utf8_lossy(&output.stdout).into_owned();
                println!("{name}: {}", text.lines().last().unwrap_or("no output"));
                if !output.status.success() {
                    print!("{text}");
                    failed.push(name);
                }
            }
        }
    }
    match failed.as_slice() {
        [] => ExitCode::SUCCESS,
        failed => {
            println!("conformance: FAILED in {}", failed.join(", "));
            ExitCode::FAILURE
        }
    }
}
