//! Builds the engine for WebAssembly, plays all session files in it, and compares the answers with
//! those of the native engine. It has no test harness, so that a skipped run is visible in the output
//! of `cargo test`.

use gridbug::languages;
use gridbug::protocol::Connection;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

const TARGET: &str = "wasm32-unknown-unknown";
/// Bytes of the engine's stack. Unoptimized code needs more than the default of 1 MB.
const STACK_BYTES: usize = 16 << 20;

fn main() -> ExitCode {
    if let Some(reason) = missing_tool() {
        println!("wasm: SKIPPED, {reason}");
        return ExitCode::SUCCESS;
    }
    let requests: Vec<Value> = session_requests()
        .into_iter()
        .chain(sample_requests())
        .collect();
    let engine = match build() {
        Ok(engine) => engine,
        Err(message) => {
            println!("wasm: FAILED, the engine does not build for {TARGET}\n{message}");
            return ExitCode::FAILURE;
        }
    };
    let answers = play(&engine, &requests);
    let failed = compare(&requests, &answers);
    println!("wasm: {} passed, {failed} failed", requests.len() - failed);
    match failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// Why the test cannot run here; `None` if it can.
fn missing_tool() -> Option<String> {
    if let Err(error) = Command::new("node").arg("--version").output() {
        return Some(format!("cannot start node ({error})"));
    }
    let libraries = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", TARGET])
        .output();
    let is_installed = libraries.is_ok_and(|output| {
        let dir = String::from_utf8_lossy(&output.stdout).trim().to_string();
        output.status.success() && Path::new(&dir).is_dir()
    });
    (!is_installed).then(|| format!("no Rust target {TARGET}: `rustup target add {TARGET}`"))
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Builds the engine and returns its path.
fn build() -> Result<PathBuf, String> {
    // Beside the host's profile directories, so that build scripts are shared.
    let target_dir = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let output = Command::new(env!("CARGO"))
        .args(["rustc", "--quiet", "--lib", "--no-default-features"])
        .args(["--target", TARGET, "--crate-type", "cdylib"])
        .arg("--target-dir")
        .arg(target_dir)
        .arg("--")
        .arg(format!("-Clink-arg=-zstack-size={STACK_BYTES}"))
        .current_dir(root())
        .output()
        .map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(target_dir.join(TARGET).join("debug/gridbug.wasm")),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

fn files_in(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// All directories below a directory, and itself.
fn directories(dir: &Path) -> Vec<PathBuf> {
    let inner = files_in(dir).into_iter().filter(|path| path.is_dir());
    let inner = inner.flat_map(|path| directories(&path));
    std::iter::once(dir.to_path_buf()).chain(inner).collect()
}

/// A request for each session file, with the program files beside it.
fn session_requests() -> Vec<Value> {
    let mut requests = Vec::new();
    for dir in directories(&root().join("sessions")) {
        let (sessions, programs): (Vec<PathBuf>, Vec<PathBuf>) = files_in(&dir)
            .into_iter()
            .filter(|path| path.is_file())
            .partition(|path| path.extension().is_some_and(|e| e == "session"));
        let programs: serde_json::Map<String, Value> = programs
            .iter()
            .map(|path| {
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                (name, json!(std::fs::read_to_string(path).unwrap()))
            })
            .collect();
        for path in sessions {
            let text = std::fs::read_to_string(&path).unwrap();
            let mut programs = programs.clone();
            // The program may be in another directory.
            if let Some(name) = text.lines().find_map(|line| line.strip_prefix("program ")) {
                let program = std::fs::read_to_string(dir.join(name)).unwrap();
                programs.insert(name.to_string(), json!(program));
            }
            requests.push(json!({"request": "replay", "session": text, "files": programs}));
        }
    }
    requests
}

/// Requests that open the sample game of each language, run some lines, and complete others.
fn sample_requests() -> Vec<Value> {
    let mut requests = Vec::new();
    for language in languages::ALL {
        let info = language.info();
        requests.push(json!({
            "request": "open", "language": info.name, "name": "sample", "program": info.sample,
        }));
        for line in [
            ":state",
            ":vars",
            ":step",
            "step",
            "back",
            ":where",
            ":timeline",
        ] {
            requests.push(json!({"request": "line", "text": line}));
        }
        requests.push(json!({"request": "complete", "line": ":b"}));
        requests.push(json!({"request": "highlight", "text": info.sample}));
    }
    requests
}

/// The answers of the WebAssembly engine, one line each.
fn play(engine: &Path, requests: &[Value]) -> Vec<String> {
    let mut node = Command::new("node")
        .arg(root().join("tests/support/wasm_engine.mjs"))
        .arg(engine)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node starts");
    let lines: String = requests.iter().map(|r| format!("{r}\n")).collect();
    // All requests are read before the first answer is written.
    node.stdin
        .take()
        .expect("standard input")
        .write_all(lines.as_bytes())
        .expect("node reads its input");
    let output = node.wait_with_output().expect("node ends");
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(str::to_string).collect()
}

/// Compares with the native engine. Returns the number of requests that failed.
fn compare(requests: &[Value], answers: &[String]) -> usize {
    let mut native = Connection::new();
    let mut failed = 0;
    for (n, request) in requests.iter().enumerate() {
        if matches!(request["request"].as_str(), Some("open" | "replay")) {
            native = Connection::new();
        }
        let expected = native.handle(&request.to_string());
        let expected_text = expected.to_string();
        let actual = answers.get(n).map_or("", String::as_str);
        let is_replayed = request["request"] != "replay" || expected["mismatch_count"] == 0;
        let is_handled = expected.get("error").is_none();
        if expected_text != actual || !is_replayed || !is_handled {
            failed += 1;
            let start = |text: &str| text.chars().take(2000).collect::<String>();
            println!(
                "wasm: FAILED {}\n  native: {}\n  wasm:   {}",
                start(&request.to_string()),
                start(&expected_text),
                start(actual)
            );
        }
    }
    failed
}
