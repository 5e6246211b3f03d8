//! `:play`: moving with the arrow keys, redrawing in place, and undoing the moves at the prompt.

use crate::pty_session::PtySession;

const UP: &str = "\x1b[A";
const DOWN: &str = "\x1b[B";
const RIGHT: &str = "\x1b[C";
const LEFT: &str = "\x1b[D";
const ESC: &str = "\x1b";

/// Loads a game from a file and starts `:play`.
fn play(name: &str, game: &str, cols: u16, rows: u16) -> PtySession {
    let file = format!("{}/{name}.sgl2d", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&file, game).unwrap();
    let mut terminal = PtySession::new(name, &["--plain", &file], cols, rows);
    terminal.type_line(":play");
    terminal.wait_for("arrows move");
    terminal
}

const GAME: &str = "environment > x=4 y=3\nplayer > x=0 y=0\ngoal > x=3 y=2\n";

#[test]
fn arrows_move_and_the_board_is_redrawn_in_place() {
    let mut terminal = play("arrows", GAME, 80, 40);
    let row = |terminal: &PtySession, text: &str| {
        terminal
            .screen()
            .lines()
            .filter(|l| !l.is_empty())
            .collect::<Vec<_>>()
            .iter()
            .rposition(|l| l.starts_with(text))
    };
    let before = row(&terminal, "   2");
    terminal.send_keys(RIGHT);
    terminal.wait_for("   0  .  @  .  .");
    terminal.send_keys(DOWN);
    terminal.wait_for("   1  .  @  .  .");
    // Wait, to avoid checking a partially drawn frame.
    terminal.wait_until("the last row in the same place", |terminal| {
        row(terminal, "   2") == before
    });
    terminal.send_keys(LEFT);
    terminal.wait_for("   1  @  .  .  .");
    terminal.send_keys(UP);
    // Loading the game printed the same board; another frame would be a third.
    terminal.wait_until("two boards with the player at the top", |terminal| {
        terminal.screen().matches("   0  @  .  .  .").count() == 2
    });
    // Ctrl-Z undoes moves, but never the loading of the game.
    terminal.send_keys(&"\x1a".repeat(9));
    terminal.send_keys(RIGHT);
    terminal.wait_for("   0  .  @  .  .");
    terminal.send_keys(ESC);
    terminal.wait_for_prompt();
    assert!(
        !terminal.screen().contains("arrows move"),
        "{}",
        terminal.screen()
    );
    terminal.type_line("moves");
    terminal.wait_for("= 1");
    terminal.type_line(":undo");
    terminal.wait_for("undone: right");
}

#[test]
fn the_end_shows_moves_and_time_and_ignores_further_moves() {
    let mut terminal = play("end", GAME, 80, 40);
    for key in [RIGHT, RIGHT, RIGHT, DOWN, DOWN] {
        terminal.send_keys(key);
    }
    terminal.wait_for("Victory!");
    terminal.wait_for("Moves: 5");
    terminal.wait_for("Time elapsed: 00:");
    assert!(
        !terminal.screen().contains("The game is won"),
        "{}",
        terminal.screen()
    );
    terminal.wait_until("the time below the moves", |terminal| {
        follows(terminal, "Moves: 5", "Time elapsed: 00:")
    });
    terminal.send_keys(LEFT);
    terminal.wait_for("the game is over");
    // A further key does not hide the time.
    terminal.wait_until("the time as before", |terminal| {
        follows(terminal, "Moves: 5", "Time elapsed: 00:")
    });
    terminal.send_keys("r");
    terminal.wait_until("a restarted game", |terminal| {
        !terminal.screen().contains("Victory!") && !terminal.screen().contains("elapsed")
    });
    terminal.send_keys(ESC);
    terminal.type_line("rrrdd");
    terminal.wait_for("Time elapsed: 00:");
    // Long messages are wrapped at spaces.
    terminal.type_line("left");
    terminal.wait_for("`:restart` starts\n                again, `:undo` undoes");
}

/// Whether a line with `second` directly follows one with `first`.
fn follows(terminal: &PtySession, first: &str, second: &str) -> bool {
    let screen = terminal.screen();
    screen
        .lines()
        .zip(screen.lines().skip(1))
        .any(|(a, b)| a.contains(first) && b.contains(second))
}

#[test]
fn counters_are_shown_above_the_board() {
    let counters = "counter counter1 > true 7\ncounter counter3 > true -2\n";
    let mut terminal = play(
        "counters",
        &format!("environment > x=12 y=2\nplayer >\n{counters}"),
        80,
        24,
    );
    let board = "      0  1  2  3  4  5  6  7  8  9 10 11";
    terminal.wait_until("counters from the first column to the last", |terminal| {
        follows(terminal, "      Counter 1: 7         Counter 3: -2", board)
    });
}

#[test]
fn a_small_terminal_scrolls_with_the_player() {
    let mut terminal = play(
        "small",
        "environment > x=60 y=40\nplayer > x=0 y=0\n",
        30,
        8,
    );
    for _ in 0..12 {
        terminal.send_keys(DOWN);
    }
    terminal.wait_for("  12  @");
    for _ in 0..30 {
        terminal.send_keys(RIGHT);
    }
    terminal.wait_until("the player and the help", |terminal| {
        terminal.screen().contains('@') && terminal.screen().contains("arrows move")
    });
    terminal.send_keys(ESC);
    terminal.type_line("player.x");
    terminal.wait_for("= 30");
}

#[test]
fn resizing_the_terminal_redraws_at_once() {
    let mut terminal = play(
        "resized",
        "environment > x=9 y=30\nplayer > x=4 y=20\n",
        80,
        40,
    );
    terminal.wait_for("   0  .");
    terminal.resize(40, 9);
    terminal.wait_until("the player on the small screen", |terminal| {
        let screen = terminal.screen();
        screen.contains("  20  .  .  .  .  @")
            && screen.contains("arrows move")
            && !screen.contains("   0  .")
    });
    terminal.resize(80, 40);
    terminal.wait_for("   0  .");
}

#[test]
fn ctrl_c_returns_to_the_line_editor() {
    let mut terminal = play("ctrl-c", GAME, 80, 40);
    terminal.send_keys(RIGHT);
    terminal.wait_for("   0  .  @  .  .");
    terminal.send_keys("\x03");
    terminal.wait_for_prompt();
    terminal.send_keys("moes\x7f\x7fves\r");
    terminal.wait_for("= 1");
    terminal.wait_for_prompt();
    terminal.send_keys("\x04");
    assert_eq!(terminal.wait_for_exit(), 0);
}

#[test]
fn a_breakpoint_ends_key_play() {
    let mut terminal = play(
        "stop",
        &format!("{GAME}sprite mud >\nevent mud > deccounter1=1\nset mud > x=1 y=0\n"),
        80,
        40,
    );
    terminal.send_keys(ESC);
    terminal.type_line(":break event mud");
    terminal.wait_for("break event mud");
    terminal.type_line(":play");
    terminal.wait_for("arrows move");
    terminal.send_keys(RIGHT);
    terminal.wait_for("breakpoint 1 in event mud");
    terminal.wait_for_at_cursor("stopped>");
    terminal.type_line("continue");
    terminal.wait_for_prompt_of("sgl2d");
    terminal.type_line("counter1");
    terminal.wait_for("= -1");
}

/// In the past nothing is stopped, so that words without a colon would be code.
#[test]
fn play_steps_through_what_was_undone() {
    let mut terminal = PtySession::new("play-undone", &["--plain"], 80, 40);
    terminal.type_line("click{0,0}");
    terminal.wait_for("turn: o");
    terminal.type_line(":undo");
    terminal.wait_for("undone: click{0,0}");
    terminal.type_line(":play 1");
    terminal.wait_for("click{0,0} finished");
}
