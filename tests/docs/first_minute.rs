//! The first minute of a new user: every line that the screen suggests works as printed, and
//! together they play a move, stop in a handler, dry-run a win condition and go back.

use crate::pty_session::PtySession;

/// The bold texts from the last line that contains `from` up to the next that contains `to`.
fn bold_texts(terminal: &PtySession, from: &str, to: &str) -> Vec<String> {
    let lines = terminal.bold_text();
    let start = lines
        .iter()
        .rposition(|(line, _)| line.contains(from))
        .unwrap_or_else(|| panic!("{from}:\n{}", terminal.screen()));
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
fn check_width(terminal: &PtySession, lines: usize) {
    assert!(
        terminal
            .screen()
            .lines()
            .take(lines)
            .all(|l| l.chars().count() <= 80),
        "{}",
        terminal.screen()
    );
}

#[test]
fn the_suggestions_of_the_start_screen_work() {
    for (cols, rows) in [(80, 24), (160, 50)] {
        let mut terminal = PtySession::new(&format!("minute-{cols}"), &[], cols, rows);
        terminal.wait_for_prompt_of("gridlok");
        let hints = bold_texts(&terminal, "gridbug ", "0  1  2");
        assert!(hints[0].starts_with("gridbug"), "{hints:?}");
        assert_eq!(
            hints[1..],
            [
                "click{0,0}",
                ":undo",
                ":find win",
                ":break onClick",
                "click{0,0}",
                "step",
                "back",
                "continue",
                ":step winCondition",
                ":tour",
                ":help",
                ":examples",
                ":lang bogl"
            ]
        );
        check_width(&terminal, 4);
        let replies = [
            "(X)",
            "undone: click{0,0}",
            "x can win in 5 moves",
            "break onClick",
            "breakpoint 1 in free.onClick at [0][0]",
            "* step in free.onClick at [0][0]",
            "* step in free.onClick at [0][0]",
            "turn: o",
            "Dry run",
            "tour 1 of",
            ":help all",
            "connect-four",
            "This session is now in BoGL",
        ];
        for (hint, expected) in hints[1..].iter().zip(replies) {
            terminal.type_line(hint);
            terminal.wait_for(expected);
            terminal.wait_for_prompt();
            if hint == "click{0,0}" && expected.starts_with("breakpoint") {
                terminal.wait_for("Next: step");
            }
        }
    }
}

#[test]
fn the_hint_at_a_stop_works_and_is_shown_once() {
    let mut terminal = PtySession::new("minute-stop", &[], 80, 90);
    terminal.type_line(":break onClick");
    terminal.type_line("click{0,0}");
    terminal.wait_for("Next: step");
    terminal.wait_for_prompt();
    let hints = bold_texts(&terminal, "Next: step", "stopped>");
    assert_eq!(hints, ["step", "next", "back", "where", "vars", "continue"]);
    for hint in &hints {
        terminal.type_line(hint);
        terminal.wait_for_prompt();
        assert!(
            !terminal.screen().contains("error"),
            "{hint}:\n{}",
            terminal.screen()
        );
    }
    terminal.wait_for_prompt_of("gridlok");
    terminal.type_line("click{1,1}");
    terminal.wait_for_at_cursor("stopped>");
    assert_eq!(
        terminal.screen().matches("Next: step").count(),
        1,
        "{}",
        terminal.screen()
    );
}

#[test]
fn the_hint_of_a_dry_run_works() {
    let mut terminal = PtySession::new("minute-dry-run", &[], 80, 60);
    terminal.type_line(":step winCondition");
    terminal.wait_for("ends the dry run");
    terminal.wait_for_prompt();
    let hints = bold_texts(&terminal, "Next: step", "stopped>");
    assert_eq!(hints, ["step", "step expr", "back", "finish"]);
    for hint in &hints {
        terminal.type_line(hint);
        terminal.wait_for_prompt();
        assert!(
            !terminal.screen().contains("error"),
            "{hint}:\n{}",
            terminal.screen()
        );
    }
    terminal.wait_for("Dry run finished");
}

#[test]
fn the_hint_after_interrupting_an_endless_loop_works() {
    let mut terminal = PtySession::new("minute-endless", &[], 80, 50);
    terminal.type_line("for i(0,2) { i{0} }");
    std::thread::sleep(std::time::Duration::from_millis(300));
    terminal.send_keys("\x03");
    terminal.wait_for("abandon cancels");
    terminal.wait_for_prompt();
    let hints = bold_texts(&terminal, "abandon cancels", "stopped>");
    assert_eq!(hints, ["where", "step", "abandon"]);
    for hint in &hints {
        terminal.type_line(hint);
        terminal.wait_for_prompt();
    }
    terminal.wait_for_prompt_of("gridlok");
}

#[test]
fn the_suggestions_of_an_empty_session_work() {
    for language in ["gridlok", "bogl", "gridlang", "tinygame", "sgl2d"] {
        let mut terminal =
            PtySession::new(&format!("minute-{language}"), &["--lang", language], 80, 40);
        let hints = bold_texts(&terminal, "gridbug ", &format!("{language} 1>"));
        assert!(hints.len() >= 4, "{hints:?}");
        check_width(&terminal, 4);
        // The rest leads to other games, and is tried on the start screen of the sample game.
        let own = hints.iter().take_while(|hint| *hint != ":examples");
        for hint in own.skip(1) {
            terminal.type_line(hint);
            terminal.wait_for_prompt();
            assert!(
                !terminal.screen().contains("error"),
                "{language}: {hint}:\n{}",
                terminal.screen()
            );
        }
        terminal.type_line(":tour next");
        terminal.wait_for("tour 2 of");
    }
}

#[test]
fn a_file_with_errors_can_be_edited_and_reloaded() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("broken.gl");
    std::fs::write(&file, "game { bord {} }").unwrap();
    let mut terminal = PtySession::new("minute-broken", &[file.to_str().unwrap()], 80, 30);
    terminal.wait_for("has errors.");
    let hints = bold_texts(&terminal, "gridbug ", "error");
    assert_eq!(hints[1..], [":edit", ":reload", ":tour"]);
    std::fs::write(&file, "game { board { dimensions {2, 2} image {b.png} } }").unwrap();
    terminal.type_line(":reload");
    terminal.wait_for("   1  ·  ·");
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
        let terminal = PtySession::new(&format!("minute-file-{n}"), &[file], 160, 40);
        assert!(
            terminal.screen().contains("is loaded. Try:"),
            "{}",
            terminal.screen()
        );
        check_width(&terminal, 4);
    }
}
