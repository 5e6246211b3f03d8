//! The shared conformance cases, where they lie beside the repository.

use std::path::Path;
use std::process::Command;

#[test]
fn the_cases_of_the_languages_pass() {
    let run = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance/run");
    if !run.exists() {
        eprintln!(
            "note: no conformance cases at {}: nothing was checked",
            run.display()
        );
        return;
    }
    for language in gridbug::languages::ALL {
        let cases = run.with_file_name(format!("{}.json", language.info().name));
        let done = Command::new("python3")
            .arg(&run)
            .args(["--binary", env!("CARGO_BIN_EXE_gridbug")])
            .arg(&cases)
            .output();
        let done = match done {
            Ok(done) => done,
            Err(e) => {
                return eprintln!("note: python3 can't be started ({e}): nothing was checked");
            }
        };
        assert!(
            done.status.success(),
            "{}",
            String::from_utf8_lossy(&done.stdout)
        );
    }
}
