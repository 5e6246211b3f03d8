//! Promise: the shells complete what the command line takes. Each is tried for real where it is there; where it is not,
//! that is said.

use crate::keyboard::Keyboard;
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

/// What is typed, and all that can stand for its last word.
const OFFERED: &[(&str, &[&str])] = &[
    ("gridbug --lang grid", &["gridlang", "gridlok"]),
    ("gridbug --col", &["--color"]),
    ("gridbug --color a", &["always", "auto"]),
    ("gridbug che", &["check"]),
    ("gridbug test --up", &["--update"]),
    ("gridbug completions z", &["zsh"]),
    // Its number stands behind a `=`: the next word is one of its own.
    ("gridbug --resume --pl", &["--plain"]),
];

fn completions(shell: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_gridbug"))
        .args(["completions", shell])
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// Whether the shell is there. Who reads the output of the tests is to know if it is not.
fn is_there(shell: &str) -> bool {
    let there = Command::new(shell).arg("--version").output().is_ok();
    if !there {
        let _ = writeln!(
            std::io::stderr(),
            "skipped: there is no {shell} here to complete with"
        );
    }
    there
}

/// Runs a script; the first words of the lines that it prints, in order.
fn printed(shell: &str, arguments: &[&str], script: &str) -> Vec<String> {
    let output = Command::new(shell)
        .args(arguments)
        .args(["-c", script])
        .output()
        .unwrap();
    assert!(
        output.stderr.is_empty(),
        "{shell}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).unwrap();
    let mut words: Vec<String> = text
        .lines()
        .filter_map(|l| l.split_whitespace().next())
        .map(str::to_string)
        .collect();
    words.sort();
    words
}

#[test]
fn bash_completes_what_the_command_line_takes() {
    if !is_there("bash") {
        return;
    }
    for (line, wanted) in OFFERED.iter().chain(&[("gridbug run mine", &[][..])]) {
        let words: Vec<String> = line.split(' ').map(|w| format!("'{w}'")).collect();
        let script = format!(
            "{}\nCOMP_WORDS=({})\nCOMP_CWORD={}\n_gridbug\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n",
            completions("bash"),
            words.join(" "),
            words.len() - 1
        );
        assert_eq!(printed("bash", &["--norc"], &script), *wanted, "{line}");
    }
}

#[test]
fn fish_completes_what_the_command_line_takes() {
    if !is_there("fish") {
        return;
    }
    for (line, wanted) in OFFERED {
        let script = format!("{}\ncomplete -C '{line}'\n", completions("fish"));
        assert_eq!(
            printed("fish", &["--no-config"], &script),
            *wanted,
            "{line}"
        );
    }
}

#[test]
fn zsh_completes_what_the_command_line_takes() {
    if !is_there("zsh") {
        return;
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("zsh-functions");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("_gridbug"), completions("zsh")).unwrap();
    let mut k = Keyboard::asked("shell-zsh", "zsh", &["-f", "-i"], 100, 30);
    let functions = folder.display();
    k.keys(&format!("PS1='>'; fpath=({functions} $fpath); autoload -Uz compinit; compinit -u -D; print rea''dy\r"));
    k.sees("ready");
    k.keys("\x0c");
    for (line, wanted) in OFFERED {
        k.waits("a bare prompt", |k| k.screen().trim() == ">");
        // A second Tab lists what the first could not choose from.
        k.keys(&format!("{line}\t\t"));
        for word in *wanted {
            k.sees(word);
        }
        k.keys("\x15\x0c");
        k.waits("a cleared screen", |k| !k.screen().contains("gridbug"));
    }
}
