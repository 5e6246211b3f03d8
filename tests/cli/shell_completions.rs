//! Completion scripts, tested in the real shells. Shells that are not installed are skipped with a
//! message.

use crate::pty_session::PtySession;
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

/// Command lines, and the expected completions of their last word.
const COMPLETIONS: &[(&str, &[&str])] = &[
    ("gridbug --lang grid", &["gridlang", "gridlok"]),
    ("gridbug --col", &["--color"]),
    ("gridbug --color a", &["always", "auto"]),
    ("gridbug che", &["check"]),
    ("gridbug test --up", &["--update"]),
    ("gridbug completions z", &["zsh"]),
    // The value of `--resume` follows a `=`, so the next word is not a value.
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

/// Whether the shell is installed; if not, the skipped test is reported.
fn is_installed(shell: &str) -> bool {
    let is_installed = Command::new(shell).arg("--version").output().is_ok();
    if !is_installed {
        let _ = writeln!(std::io::stderr(), "skipped: {shell} is not installed");
    }
    is_installed
}

/// Runs a script and returns the first word of each line it prints, sorted.
fn run_script(shell: &str, arguments: &[&str], script: &str) -> Vec<String> {
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
fn bash_completes_the_command_line() {
    if !is_installed("bash") {
        return;
    }
    for (line, expected) in COMPLETIONS.iter().chain(&[("gridbug run mine", &[][..])]) {
        let words: Vec<String> = line.split(' ').map(|w| format!("'{w}'")).collect();
        let script = format!(
            "{}\nCOMP_WORDS=({})\nCOMP_CWORD={}\n_gridbug\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n",
            completions("bash"),
            words.join(" "),
            words.len() - 1
        );
        assert_eq!(
            run_script("bash", &["--norc"], &script),
            *expected,
            "{line}"
        );
    }
}

#[test]
fn fish_completes_the_command_line() {
    if !is_installed("fish") {
        return;
    }
    for (line, expected) in COMPLETIONS {
        let script = format!("{}\ncomplete -C '{line}'\n", completions("fish"));
        assert_eq!(
            run_script("fish", &["--no-config"], &script),
            *expected,
            "{line}"
        );
    }
}

#[test]
fn zsh_completes_the_command_line() {
    if !is_installed("zsh") {
        return;
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("zsh-functions");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("_gridbug"), completions("zsh")).unwrap();
    let mut terminal = PtySession::spawn("shell-zsh", "zsh", &["-f", "-i"], 100, 30);
    let functions = folder.display();
    terminal.send_keys(&format!("PS1='>'; fpath=({functions} $fpath); autoload -Uz compinit; compinit -u -D; print rea''dy\r"));
    terminal.wait_for("ready");
    terminal.send_keys("\x0c");
    for (line, expected) in COMPLETIONS {
        terminal.wait_until("a bare prompt", |terminal| terminal.screen().trim() == ">");
        // The second Tab lists the candidates if there are several.
        terminal.send_keys(&format!("{line}\t\t"));
        for word in *expected {
            terminal.wait_for(word);
        }
        terminal.send_keys("\x15\x0c");
        terminal.wait_until("a cleared screen", |terminal| {
            !terminal.screen().contains("gridbug")
        });
    }
}
