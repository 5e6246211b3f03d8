//! Runs the shared conformance cases of the five languages, if they are present next to the
//! repository. It has no test harness, so that a skipped run is visible in the output of
//! `cargo test`.

use std::path::Path;
use std::process::{Command, ExitCode};

/// Cases that contradict the documents. A blank line does nothing, in every language
/// (docs/protocol.md); `empty-expr` expects a parse error for it. A call in a loop head needs no
/// parentheses (docs/gridlok.md); `for-call-in-head` expects a parse error for `surrounding one{}, one{}`.
const CONTRADICTED: &[&str] = &["empty-expr", "for-call-in-head"];

/// The failed cases in the output of the script, without those that contradict the documents.
fn failed_cases(output: &str) -> Vec<&str> {
    let failures = output.lines().filter(|line| line.starts_with("FAIL "));
    failures
        .filter(|line| {
            let id = line.split_whitespace().nth(2).unwrap_or_default();
            !CONTRADICTED.contains(&id.trim_end_matches(':'))
        })
        .collect()
}

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
                let failures = failed_cases(&text);
                let has_run = text.lines().last().is_some_and(|l| l.contains(" passed, "));
                if !failures.is_empty() || !has_run {
                    println!("{}", failures.join("\n"));
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
