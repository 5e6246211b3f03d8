//! The generated pages in `docs/`, the man page and the shell completions agree with the program's
//! tables. `GRIDBUG_UPDATE=1 cargo test --test docs manual` regenerates the pages.

use gridbug::command::{all, error_explanations, listed, manual_pages};
use gridbug::languages::ALL;
use std::path::Path;
use std::process::Command;

fn gridbug(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_gridbug"))
        .args(arguments)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_generated_pages_are_up_to_date() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    for (name, text) in manual_pages() {
        let path = docs.join(name);
        if std::env::var_os("GRIDBUG_UPDATE").is_some() {
            std::fs::create_dir_all(&docs).unwrap();
            std::fs::write(&path, &text).unwrap();
        }
        let current = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            current == text,
            "docs/{name} is out of date: run GRIDBUG_UPDATE=1 cargo test --test docs manual"
        );
    }
}

#[test]
fn the_generated_pages_are_complete() {
    let pages = manual_pages();
    let page = |name: &str| &pages.iter().find(|(n, _)| *n == name).unwrap().1;
    let commands = page("commands.md");
    assert!(listed().all(|c| commands.contains(&format!("| `:{}", c.name))));
    // The others are forms of these.
    assert!(all().all(|c| commands.contains(&format!("`:{}", c.name))));
    assert!(listed().count() <= 60);
    assert!(
        error_explanations()
            .iter()
            .all(|m| page("errors.md").contains(&format!("**{}**", m.code)))
    );
    assert!(
        ALL.iter()
            .all(|l| page("languages.md").contains(&format!("## {}", l.info().title)))
    );
}

#[test]
fn the_man_page_has_every_command_and_option() {
    let page = gridbug(&["man"]);
    assert!(page.contains("\n.TH GRIDBUG 1 ") && page.is_ascii());
    for command in listed() {
        assert!(
            page.contains(&format!("\\fB:{}\\fR", command.name.replace('-', "\\-"))),
            "{}",
            command.name
        );
    }
    for option in ["lang", "eval", "seed", "steps", "color", "plain", "json"] {
        assert!(
            page.contains(&format!("\\fB\\-\\-{option}\\fR")),
            "{option}"
        );
    }
    // An optional value needs `=`, and ellipses are ASCII.
    assert!(
        page.contains("\\fB\\-\\-resume\\fR[=\\fI<N>\\fR]")
            && page.contains("FILE...")
            && !page.contains("u2026"),
        "{page}"
    );
    // A line that starts with a dot is a macro; unknown ones would be dropped silently.
    let known = [
        ".TH", ".SH", ".SS", ".TP", ".PP", ".IP", ".RS", ".RE", ".br", ".nf", ".fi", ".ie", ".el",
    ];
    for line in page.lines().filter(|l| l.starts_with(['.', '\''])) {
        assert!(known.iter().any(|k| line.starts_with(k)), "{line}");
    }
}

#[test]
fn shell_completions_have_every_option_and_subcommand() {
    let (zsh, fish) = (
        gridbug(&["completions", "zsh"]),
        gridbug(&["completions", "fish"]),
    );
    for option in ["lang", "eval", "seed", "steps", "color", "plain", "json"] {
        assert!(zsh.contains(&format!("'--{option}[")), "{option}:\n{zsh}");
        assert!(
            fish.contains(&format!(" -l {option} ")),
            "{option}:\n{fish}"
        );
    }
    assert!(
        zsh.contains("'--update[") && zsh.contains("completions) compadd bash zsh fish ;;"),
        "{zsh}"
    );
    for subcommand in ["run", "check", "test"] {
        assert!(zsh.contains(&format!("'{subcommand}:")), "{zsh}");
        assert!(fish.contains(&format!(" -a {subcommand} ")), "{fish}");
    }
}
