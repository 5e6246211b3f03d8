//! The first minute of a new user: every line that the screen suggests works as bold_texts, and together
//! they play a move, stop in a handler, dry-run a win condition and go back.

use crate::keyboard::Keyboard;

/// The bold texts from the last line that contains `from` up to the next that contains `to`.
fn bold_texts(k: &Keyboard, from: &str, to: &str) -> Vec<String> {
    let lines = k.strong();
    let start = lines
        .iter()
        .rposition(|(line, _)| line.contains(from))
        .unwrap_or_else(|| panic!("{from}:\n{}", k.screen()));
    let rest = &lines[start..];
    let end = rest
        .iter()
        .skip(1)
        .position(|(line, _)| line.contains(to))
        .map_or(rest.len(), |n| n + 1);
    rest[..end]
        .iter()
        .flat_map(|(_, strong)| strong.clone())
        .collect()
}

/// Checks that the first lines fit in 80 columns, however wide the screen is.
fn check_width(k: &Keyboard, lines: usize) {
    assert!(
        k.screen()
            .lines()
            .take(lines)
            .all(|l| l.chars().count() <= 80),
        "{}",
        k.screen()
    );
}

#[test]
fn the_suggestions_of_the_start_screen_work() {
    for (cols, rows) in [(80, 24), (160, 50)] {
        let mut k = Keyboard::new(&format!("minute-{cols}"), &[], cols, rows);
        k.sees("gridlok>");
        let hints = bold_texts(&k, "gridbug ", "0  1  2");
        assert!(hints[0].starts_with("gridbug"), "{hints:?}");
        assert_eq!(
            hints[1..],
            [
                "click{0,0}",
                ":undo",
                ":break onClick",
                "click{0,0}",
                "step",
                "back",
                "continue",
                ":step winCondition",
                ":tour",
                ":help"
            ]
        );
        check_width(&k, 4);
        let answers = [
            "(X)",
            "undone: click{0,0}",
            "break onClick",
            "breakpoint 1, free.onClick at [0][0]",
            "* free.onClick at [0][0]",
            "* free.onClick at [0][0]",
            "turn: o",
            "Dry run",
            "tour 1 of",
            "time travel",
        ];
        for (hint, answer) in hints[1..].iter().zip(answers) {
            k.enter(hint);
            k.sees(answer);
            k.bare_prompt();
            if hint == "click{0,0}" && answer.starts_with("breakpoint") {
                k.sees("Next: step");
            }
        }
    }
}

#[test]
fn the_hint_at_a_stop_works_and_is_shown_once() {
    let mut k = Keyboard::new("minute-stop", &[], 80, 90);
    k.enter(":break onClick");
    k.enter("click{0,0}");
    k.sees("Next: step");
    k.bare_prompt();
    let hints = bold_texts(&k, "Next: step", "stopped>");
    assert_eq!(hints, ["step", "next", "back", "where", "vars", "continue"]);
    for hint in &hints {
        k.enter(hint);
        k.bare_prompt();
        assert!(!k.screen().contains("error"), "{hint}:\n{}", k.screen());
    }
    k.sees_last("gridlok>");
    k.enter("click{1,1}");
    k.sees_last("stopped>");
    assert_eq!(
        k.screen().matches("Next: step").count(),
        1,
        "{}",
        k.screen()
    );
}

#[test]
fn the_hint_of_a_dry_run_works() {
    let mut k = Keyboard::new("minute-dry-run", &[], 80, 60);
    k.enter(":step winCondition");
    k.sees("ends the dry run");
    k.bare_prompt();
    let hints = bold_texts(&k, "Next: step", "stopped>");
    assert_eq!(hints, ["step", "step expr", "back", "finish"]);
    for hint in &hints {
        k.enter(hint);
        k.bare_prompt();
        assert!(!k.screen().contains("error"), "{hint}:\n{}", k.screen());
    }
    k.sees("Dry run finished");
}

#[test]
fn the_hint_after_interrupting_an_endless_loop_works() {
    let mut k = Keyboard::new("minute-endless", &[], 80, 50);
    k.enter("for i(0,2) { i{0} }");
    std::thread::sleep(std::time::Duration::from_millis(300));
    k.keys("\x03");
    k.sees("abandon cancels");
    k.bare_prompt();
    let hints = bold_texts(&k, "abandon cancels", "stopped>");
    assert_eq!(hints, ["where", "step", "abandon"]);
    for hint in &hints {
        k.enter(hint);
        k.bare_prompt();
    }
    k.sees_last("gridlok>");
}

#[test]
fn the_suggestions_of_an_empty_session_work() {
    for language in ["gridlok", "bogl", "gridlang", "tinygame", "sgl2d"] {
        let mut k = Keyboard::new(&format!("minute-{language}"), &["--lang", language], 80, 40);
        let hints = bold_texts(&k, "gridbug ", &format!("{language}>"));
        assert!(hints.len() >= 4, "{hints:?}");
        check_width(&k, 4);
        for hint in &hints[1..] {
            k.enter(hint);
            k.bare_prompt();
            assert!(
                !k.screen().contains("error"),
                "{language}: {hint}:\n{}",
                k.screen()
            );
        }
        k.enter(":tour next");
        k.sees("tour 2 of");
    }
}

#[test]
fn a_file_with_errors_can_be_edited_and_reloaded() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("broken.gl");
    std::fs::write(&file, "game { bord {} }").unwrap();
    let mut k = Keyboard::new("minute-broken", &[file.to_str().unwrap()], 80, 30);
    k.sees("has errors.");
    let hints = bold_texts(&k, "gridbug ", "error");
    assert_eq!(hints[1..], [":edit", ":reload", ":tour"]);
    std::fs::write(&file, "game { board { dimensions {2, 2} image {b.png} } }").unwrap();
    k.enter(":reload");
    k.sees("   1  ·  ·");
}

#[test]
fn every_start_screen_fits_in_80_columns() {
    let sessions = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("sessions");
    let games = [
        "bogl/guess.bgl",
        "gridlang/race.grid",
        "tinygame/duel.tg",
        "sgl2d/orchard.sgl2d",
    ];
    let files = games.map(|g| sessions.join(g).to_string_lossy().into_owned());
    for (n, file) in files.iter().enumerate() {
        let k = Keyboard::new(&format!("minute-file-{n}"), &[file], 160, 40);
        assert!(k.screen().contains("is loaded. Try:"), "{}", k.screen());
        check_width(&k, 4);
    }
}
