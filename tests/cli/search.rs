//! Searches at a terminal: progress while they run, Ctrl-C with what is known so far, and a game that
//! is the same afterwards.

use crate::pty_session::PtySession;

const CONNECT_FOUR: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/sessions/gridlok/connect-four.gl"
);

/// Types a line that starts a long search, waits for its progress, and presses Ctrl-C.
fn interrupt(terminal: &mut PtySession, line: &str, answer: &str) {
    terminal.type_line(":clear");
    terminal.type_line(line);
    terminal.wait_for("(Ctrl-C stops)");
    terminal.send_keys("\x03");
    terminal.wait_for(answer);
    terminal.wait_for_prompt();
    // The progress is gone.
    assert!(!terminal.screen().contains("(Ctrl-C stops)"));
}

#[test]
fn searches_show_their_progress_and_ctrl_c_stops_them_with_what_is_known() {
    let mut terminal = PtySession::new("search", &[CONNECT_FOUR], 100, 40);
    terminal.wait_for_prompt();
    for (line, answer) in [
        (":find stuck", "(interrupted)"),
        (":solve", "(interrupted)"),
        (":hint", "(interrupted)"),
        (":stats", "(interrupted)"),
        (":stats 1000000", "until interrupted, with 95 % intervals"),
        (":coverage search", "runs: how often the line ran"),
        (":check", "(interrupted)"),
    ] {
        interrupt(&mut terminal, line, answer);
    }
    // Nothing has changed: there is no move to undo, and the game can be played.
    terminal.type_line(":undo");
    terminal.wait_for("nothing to undo");
    terminal.type_line("click{0,3}");
    terminal.wait_for("turn: yellow");
    terminal.type_line(":quit");
    assert_eq!(terminal.wait_for_exit(), 0);
}

#[test]
fn ctrl_c_stops_vary_with_the_start_values_that_were_tried() {
    let folder = std::env::temp_dir().join(format!("gridbug-vary-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("loop.gl");
    let game = "game {\n  board { dimensions {1, 2} image {b.png} }\n  players {\"p\"}\n  def n {2}\n  \
                def m {0}\n  piece { name {\"a\"} image {a.png} }\n  \
                setup { for c(0, n) { m {c} } place {\"a\", 0, 0} }\n}";
    std::fs::write(&path, game).unwrap();
    let mut terminal = PtySession::new("vary", &[path.to_str().unwrap()], 100, 40);
    terminal.wait_for_prompt();
    interrupt(
        &mut terminal,
        ":vary n 200000..209999 m > 0",
        "undecided: stopped before all start values were tried",
    );
    terminal.type_line(":print n");
    terminal.wait_for("2");
    terminal.type_line(":quit");
    assert_eq!(terminal.wait_for_exit(), 0);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn ctrl_c_while_the_computer_thinks_leaves_the_move_to_the_user() {
    let mut terminal = PtySession::new("think", &[CONNECT_FOUR], 100, 40);
    terminal.wait_for_prompt();
    terminal.type_line(":opponent yellow perfect");
    terminal.wait_for("The computer plays yellow (perfect)");
    interrupt(&mut terminal, "click{0,3}", "yellow has not moved");
    terminal.type_line("click{0,0}");
    terminal.wait_for("turn: red");
    terminal.type_line(":opponent yellow 1");
    terminal.type_line("click{0,0}");
    terminal.wait_for("yellow plays click{");
    terminal.type_line(":undo");
    terminal.wait_for("undone: click{0,0}");
    terminal.type_line(":quit");
    assert_eq!(terminal.wait_for_exit(), 0);
}

#[test]
fn a_game_is_played_against_the_computer() {
    let program = env!("CARGO_BIN_EXE_gridbug");
    let sample = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/src/languages/gridlok/info/sample.gl"
    );
    let arguments = ["run", sample, "--plain", "--opponent", "o perfect"];
    let mut terminal = PtySession::spawn("play-computer", program, &arguments, 80, 24);
    terminal.wait_for("? keys");
    terminal.send_keys("\r");
    // Every reply to a corner except for the center loses.
    terminal.wait_for("o plays click{1,1}");
    terminal.wait_for("turn: x");
    terminal.send_keys("u");
    terminal.wait_for("   0 <.> .  .");
    terminal.send_keys(":opponent x 1\r");
    terminal.wait_for("Game over");
    terminal.send_keys("q");
    assert_eq!(terminal.wait_for_exit(), 0);
}

#[test]
fn the_computer_replies_in_the_view() {
    let mut terminal = PtySession::new("view-computer", &[], 100, 30);
    terminal.wait_for_prompt();
    terminal.type_line(":opponent o perfect");
    terminal.type_line(":view");
    terminal.wait_until("the view", PtySession::is_full_screen);
    terminal.wait_for("? keys");
    terminal.send_keys("\r");
    terminal.wait_for("o plays click{1,1}");
    terminal.send_keys("q");
    terminal.wait_for_prompt();
    terminal.type_line(":quit");
    assert_eq!(terminal.wait_for_exit(), 0);
}

#[test]
fn the_progress_of_a_search_is_clipped_to_a_narrow_window() {
    let file = format!(
        "{}/sessions/gridlok/connect-four.gl",
        env!("CARGO_MANIFEST_DIR")
    );
    let mut terminal = PtySession::new("narrow-progress", &["--plain", &file], 24, 40);
    terminal.type_line(":solve");
    terminal.wait_until("three reports", |terminal| {
        terminal.raw_output().matches("positions, ").count() >= 3
    });
    let screen = terminal.screen();
    assert_eq!(screen.matches(" positions, ").count(), 1, "{screen}");
    terminal.send_keys("\x03");
    terminal.wait_for("(interrupted)");
}
