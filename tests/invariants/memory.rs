//! Whatever grows ends in a clear error within the memory limits, and the session goes on.
//!
//! Each program is run by the real binary with an address space of little more than the two limits: what
//! is not counted ends in a crash.
#![cfg(unix)]

use gridbug::languages;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

const MEMORY_MB: u64 = 32;
const HISTORY_MB: u64 = 16;

/// Address space beside the limits: the program itself, its stacks, and what several copies of one answer
/// take while it is shown.
const OTHER_MB: u64 = 100;

/// A growing value, and the error that ends it.
struct Growth {
    language: &'static str,
    name: &'static str,
    lines: Vec<String>,
    /// What the answers contain; empty if the lines only grow what is dropped when it is old.
    message: &'static str,
}

const OUT_OF_MEMORY: &str = "out of memory: the limit is 32 MB";
const SESSION_FULL: &str = "this session is full";

/// A line that is answered after the others, and its answer: a session that is full can still be saved.
const PROBE: (&str, &str) = (":note end", "# end");

fn growth(
    language: &'static str,
    name: &'static str,
    message: &'static str,
    lines: &[&str],
) -> Growth {
    Growth {
        language,
        name,
        lines: lines.iter().map(|line| line.to_string()).collect(),
        message,
    }
}

/// Values that a program lets grow.
fn values() -> Vec<Growth> {
    let gridlok = |name, lines| growth("gridlok", name, OUT_OF_MEMORY, lines);
    let mut all = vec![
        gridlok("list", &["def l {1,}", "for i(0, 100000000) { l{i} }"]),
        gridlok(
            "list of lists",
            &["def k {1,}", "def l {k,}", "for i(0, 100000000) { l{k} }"],
        ),
        gridlok("recursion", &["fun f(n) { return f{n + 1} }", "f{0}"]),
        gridlok("board", &["board { dimensions {3000, 3000} }"]),
    ];
    // Each entry changes all elements, and undo returns to the ones before.
    let mut rewritten = vec!["def l {1,}".to_string(), "for i(0, 600000) { l{i} }".into()];
    rewritten.extend((0..6).map(|n| format!("for i(0, 600000) {{ l[i] {{i + {n}}} }}")));
    all.push(Growth {
        language: "gridlok",
        name: "list changed again and again",
        lines: rewritten,
        message: "",
    });
    all.extend([
        growth(
            "bogl",
            "recursion",
            OUT_OF_MEMORY,
            &["f : Int -> Int", "f(n) = f(n + 1) + 1", "f(0)"],
        ),
        growth(
            "gridlang",
            "recursion",
            OUT_OF_MEMORY,
            &["function f(int n): int { return f(n + 1) }", "f(1)"],
        ),
        growth(
            "gridlang",
            "string",
            OUT_OF_MEMORY,
            &["string s = \"ab\"", "while (true) { s = s + s }"],
        ),
        growth(
            "gridlang",
            "array",
            OUT_OF_MEMORY,
            &["int[1500000] a", "int[1500000] b", "int[1500000] c"],
        ),
    ]);
    all
}

/// What a session lets grow, in every language: entries that change something, with their outputs.
fn sessions() -> Vec<Growth> {
    let text = "x".repeat(100_000);
    let entry = |language: &str| match language {
        "gridlok" => format!("print{{\"{text}\"}}"),
        "bogl" => format!("1 + 1 -- {text}"),
        "gridlang" => format!("print(\"{text}\")"),
        "tinygame" => format!("print \"{text}\";"),
        _ => text.clone(),
    };
    let transcript = |language: &'static str| Growth {
        language,
        name: "transcript",
        lines: vec![entry(language); 120],
        message: SESSION_FULL,
    };
    let languages = languages::ALL.iter().map(|language| language.info().name);
    let mut all: Vec<Growth> = languages.map(transcript).collect();
    // Each branch keeps a list of its own, of which only the last ones have room.
    let branch = |n: usize| {
        let grow = format!("for i(0, 50000) {{ l{{i + {n}}} }}");
        [grow, ":undo".to_string()]
    };
    all.push(Growth {
        language: "gridlok",
        name: "branches",
        lines: [
            vec!["def l {1,}".to_string()],
            (0..100).flat_map(branch).collect(),
        ]
        .concat(),
        message: "",
    });
    all.push(Growth {
        language: "gridlok",
        name: "output",
        lines: vec!["for i(0, 1000000) { print{i} }".to_string()],
        message: "",
    });
    let comment = "x".repeat(20_000);
    all.push(Growth {
        language: "gridlok",
        name: "breakpoints",
        lines: (0..1200)
            .map(|n| format!(":log f{n} \"{comment}\""))
            .collect(),
        message: SESSION_FULL,
    });
    all
}

/// The most memory that a process has used so far, in KB. `None` where the system does not say.
fn peak_kb(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Sends lines to the binary within the address space, then the probe. Returns its answers, and the memory
/// that it has used at most, in KB.
fn run(language: &str, lines: &[String]) -> (String, Option<u64>) {
    let limited = r#"ulimit -v "$1"; shift; exec "$@""#;
    let address_space_kb = (MEMORY_MB + HISTORY_MB + OTHER_MB) << 10;
    let mut child = Command::new("bash")
        .args(["-c", limited, "bash", &address_space_kb.to_string()])
        .arg(env!("CARGO_BIN_EXE_gridbug"))
        .args(["--lang", language, "--steps", "0"])
        .args(["--memory", &MEMORY_MB.to_string()])
        .args(["--history", &HISTORY_MB.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap();
    let (probe, expected) = PROBE;
    let input = format!("{}\n{probe}\n", lines.join("\n"));
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(input.as_bytes());
        // Stays open, so that the process can be measured before it ends.
        stdin
    });
    let mut answers = String::new();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    while !answers.trim_end().ends_with(expected) {
        if output.read_line(&mut answers).unwrap() == 0 {
            break;
        }
    }
    let peak = peak_kb(child.id());
    drop(writer.join().unwrap());
    let status = child.wait().unwrap();
    let start: String = answers.chars().take(2000).collect();
    assert!(
        status.code().is_some_and(|code| code <= 1),
        "{language} ended with {status}: {start}"
    );
    assert!(
        answers.trim_end().ends_with(expected),
        "{language}: {start}"
    );
    (answers, peak)
}

/// Runs all, and checks that each ends in its error and keeps within the limits.
fn check(growths: &[Growth]) {
    for growth in growths {
        let (_, idle) = run(growth.language, &[]);
        let (answers, peak) = run(growth.language, &growth.lines);
        let name = format!("{}, {}", growth.language, growth.name);
        let start: String = answers.chars().take(2000).collect();
        assert!(answers.contains(growth.message), "{name}: {start}");
        let (Some(idle), Some(peak)) = (idle, peak) else {
            eprintln!("skipped: this system does not say how much memory a process uses");
            continue;
        };
        let used = (peak - idle) >> 10;
        println!("{name}: {} MB, {used} MB of it for the program", peak >> 10);
        let most = (MEMORY_MB + HISTORY_MB) * 13 / 10;
        assert!(used <= most, "{name} takes {used} MB, more than {most} MB");
    }
}

#[test]
fn values_grow_within_the_memory_limits() {
    check(&values());
}

#[test]
fn sessions_grow_within_the_memory_limits() {
    check(&sessions());
}
