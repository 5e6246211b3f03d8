//! The first change that CONTRIBUTING shows, a command with an answer of its own, is made in a copy of
//! the sources: it has to fit, to compile, and to touch few files.

use crate::pages::root;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A command with an answer of its own may touch this many files. What tests generate does not count.
const MAX_FILES: usize = 4;

/// What cargo needs to compile the sources: it looks for every target that the manifest names.
const COPIED: [&str; 8] = [
    "Cargo.toml",
    "Cargo.lock",
    "benches",
    "grammar",
    "sessions",
    "src",
    "tests/conformance.rs",
    "tests/wasm.rs",
];

/// A file with the change of a `diff` block: its lines begin with a blank if they are in the file, one
/// after the other, and with `+` if they are added.
pub fn changed(path: &str, block: &str) -> Result<String, String> {
    let text = std::fs::read_to_string(root().join(path)).map_err(|e| format!("{path}: {e}"))?;
    apply(&text, block).map_err(|error| format!("{path}: {error}"))
}

fn apply(text: &str, block: &str) -> Result<String, String> {
    let is_added = |line: &&str| line.starts_with('+');
    let content = |line: &'_ str| line.get(1..).unwrap_or("").to_string();
    let old: Vec<String> = block
        .lines()
        .filter(|l| !is_added(l))
        .map(content)
        .collect();
    let new: Vec<String> = block.lines().map(content).collect();
    if old.is_empty() || old.len() == new.len() {
        return Err("a change has lines of the file and added ones".into());
    }
    let lines: Vec<&str> = text.lines().collect();
    let places: Vec<usize> = (0..lines.len())
        .filter(|at| lines[*at..].len() >= old.len())
        .filter(|at| lines[*at..].iter().zip(&old).all(|(a, b)| a == b))
        .collect();
    let [at] = places[..] else {
        let count = places.len();
        return Err(format!("its lines are {count} times in the file, not once"));
    };
    let mut changed: Vec<&str> = lines[..at].to_vec();
    changed.extend(new.iter().map(String::as_str));
    changed.extend(&lines[at + old.len()..]);
    Ok(changed.join("\n") + "\n")
}

/// The paths and texts of the `diff` blocks of a page.
fn diff_blocks(page: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(path) = line.strip_prefix("```diff ") {
            let block = lines.by_ref().take_while(|line| *line != "```");
            blocks.push((path.to_string(), block.collect::<Vec<_>>().join("\n")));
        }
    }
    blocks
}

/// Copies what cargo needs, without touching files that are the same, so that only what has changed is
/// compiled the next time. Files that the change writes are left out.
fn copy_unless(from: &Path, to: &Path, is_changed: &dyn Fn(&Path) -> bool) {
    if from.is_dir() {
        std::fs::create_dir_all(to).unwrap();
        for entry in std::fs::read_dir(from).unwrap() {
            let name = entry.unwrap().file_name();
            copy_unless(&from.join(&name), &to.join(&name), is_changed);
        }
    } else if !is_changed(from) {
        write(to, &std::fs::read(from).unwrap());
    }
}

fn write(path: &Path, content: &[u8]) {
    if std::fs::read(path).ok().as_deref() != Some(content) {
        std::fs::write(path, content).unwrap();
    }
}

#[test]
fn a_command_with_an_answer_touches_few_files() {
    let page = std::fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
    let blocks = diff_blocks(&page);
    let mut paths: Vec<&str> = blocks.iter().map(|(path, _)| path.as_str()).collect();
    paths.dedup();
    assert!((1..=MAX_FILES).contains(&paths.len()), "{paths:?}");
    let copied: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join("first_change");
    std::fs::create_dir_all(&copied).unwrap();
    let mut texts: Vec<(&str, String)> = Vec::new();
    for (path, block) in &blocks {
        let known = texts.iter().position(|(p, _)| p == path);
        let text = match known {
            Some(n) => texts.remove(n).1,
            None => std::fs::read_to_string(root().join(path)).unwrap(),
        };
        let changed = apply(&text, block).unwrap_or_else(|error| panic!("{path}: {error}"));
        texts.push((path, changed));
    }
    std::fs::create_dir_all(copied.join("tests")).unwrap();
    for name in COPIED {
        let is_changed = |path: &Path| texts.iter().any(|(p, _)| root().join(p) == *path);
        copy_unless(&root().join(name), &copied.join(name), &is_changed);
    }
    for (path, text) in &texts {
        write(&copied.join(path), text.as_bytes());
    }
    // Not in the target directory of this build: to cargo, the copies are the same packages.
    let output = Command::new(env!("CARGO"))
        .args(["check", "--quiet", "--lib", "--package", "gridbug"])
        .arg("--no-default-features")
        .arg("--target-dir")
        .arg(copied.join("target"))
        .current_dir(&copied)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
}

#[test]
fn changes_fit_in_one_place_only() {
    let text = "a\nb\nc\nb\n";
    assert_eq!(apply(text, " a\n+x\n b").unwrap(), "a\nx\nb\nc\nb\n");
    assert_eq!(
        apply(text, " b\n+x").unwrap_err(),
        "its lines are 2 times in the file, not once"
    );
    assert!(apply(text, " d\n+x").is_err());
    assert!(apply(text, " a").is_err());
}
