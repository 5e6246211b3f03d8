//! `:play`: moving with the arrow keys, redrawing in place, and undoing the moves at the prompt.

use crate::keyboard::Keyboard;

const UP: &str = "\x1b[A";
const DOWN: &str = "\x1b[B";
const RIGHT: &str = "\x1b[C";
const LEFT: &str = "\x1b[D";
const ESC: &str = "\x1b";

/// Loads a game from a file and starts `:play`.
fn play(name: &str, game: &str, cols: u16, rows: u16) -> Keyboard {
    let file = format!("{}/{name}.sgl2d", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&file, game).unwrap();
    let mut k = Keyboard::new(name, &["--plain", &file], cols, rows);
    k.enter(":play");
    k.sees("arrows move");
    k
}

const GAME: &str = "environment > x=4 y=3\nplayer > x=0 y=0\ngoal > x=3 y=2\n";

#[test]
fn arrows_move_and_the_board_is_redrawn_in_place() {
    let mut k = play("arrows", GAME, 80, 40);
    let row = |k: &Keyboard, text: &str| {
        k.screen()
            .lines()
            .filter(|l| !l.is_empty())
            .collect::<Vec<_>>()
            .iter()
            .rposition(|l| l.starts_with(text))
    };
    let before = row(&k, "   2");
    k.keys(RIGHT);
    k.sees("   0  .  @  .  .");
    k.keys(DOWN);
    k.sees("   1  .  @  .  .");
    // Wait, to avoid checking a partially drawn frame.
    k.waits("the last row in the same place", |k| {
        row(k, "   2") == before
    });
    k.keys(LEFT);
    k.sees("   1  @  .  .  .");
    k.keys(UP);
    // Loading the game printed the same board; another frame would be a third.
    k.waits("two boards with the player at the top", |k| {
        k.screen().matches("   0  @  .  .  .").count() == 2
    });
    // `u` undoes moves, but never the loading of the game.
    k.keys("uuuuuuuuu");
    k.keys(RIGHT);
    k.sees("   0  .  @  .  .");
    k.keys(ESC);
    k.bare_prompt();
    assert!(!k.screen().contains("arrows move"), "{}", k.screen());
    k.enter("moves");
    k.sees("= 1");
    k.enter(":undo");
    k.sees("undone: right");
}

#[test]
fn the_end_shows_moves_and_time_and_ignores_further_moves() {
    let mut k = play("end", GAME, 80, 40);
    for key in [RIGHT, RIGHT, RIGHT, DOWN, DOWN] {
        k.keys(key);
    }
    k.sees("Victory!");
    k.sees("Moves: 5");
    k.sees("Time elapsed: 00:");
    assert!(!k.screen().contains("The game is won"), "{}", k.screen());
    k.waits("the time below the moves", |k| {
        follows(k, "Moves: 5", "Time elapsed: 00:")
    });
    k.keys(LEFT);
    k.sees("the game is over");
    // A further key does not hide the time.
    k.waits("the time as before", |k| {
        follows(k, "Moves: 5", "Time elapsed: 00:")
    });
    k.keys("r");
    k.waits("a restarted game", |k| {
        !k.screen().contains("Victory!") && !k.screen().contains("elapsed")
    });
    k.keys(ESC);
    k.enter("rrrdd");
    k.sees("Time elapsed: 00:");
    // Long messages are wrapped at spaces.
    k.enter("left");
    k.sees("`:restart` starts\n                again, `:undo` undoes");
}

/// Whether a line with `second` directly follows one with `first`.
fn follows(k: &Keyboard, first: &str, second: &str) -> bool {
    let screen = k.screen();
    screen
        .lines()
        .zip(screen.lines().skip(1))
        .any(|(a, b)| a.contains(first) && b.contains(second))
}

#[test]
fn counters_are_shown_above_the_board() {
    let counters = "counter counter1 > true 7\ncounter counter3 > true -2\n";
    let mut k = play(
        "counters",
        &format!("environment > x=12 y=2\nplayer >\n{counters}"),
        80,
        24,
    );
    let board = "      0  1  2  3  4  5  6  7  8  9 10 11";
    k.waits("counters from the first column to the last", |k| {
        follows(k, "      Counter 1: 7         Counter 3: -2", board)
    });
}

#[test]
fn a_small_terminal_scrolls_with_the_player() {
    let mut k = play(
        "small",
        "environment > x=60 y=40\nplayer > x=0 y=0\n",
        30,
        8,
    );
    for _ in 0..12 {
        k.keys(DOWN);
    }
    k.sees("  12  @");
    for _ in 0..30 {
        k.keys(RIGHT);
    }
    k.waits("the player and the help", |k| {
        k.screen().contains('@') && k.screen().contains("arrows move")
    });
    k.keys(ESC);
    k.enter("player.x");
    k.sees("= 30");
}

#[test]
fn resizing_the_terminal_redraws_at_once() {
    let mut k = play(
        "resized",
        "environment > x=9 y=30\nplayer > x=4 y=20\n",
        80,
        40,
    );
    k.sees("   0  .");
    k.resize(40, 9);
    k.waits("the player on the small screen", |k| {
        let screen = k.screen();
        screen.contains("  20  .  .  .  .  @")
            && screen.contains("arrows move")
            && !screen.contains("   0  .")
    });
    k.resize(80, 40);
    k.sees("   0  .");
}

#[test]
fn ctrl_c_returns_to_the_line_editor() {
    let mut k = play("ctrl-c", GAME, 80, 40);
    k.keys(RIGHT);
    k.sees("   0  .  @  .  .");
    k.keys("\x03");
    k.bare_prompt();
    k.keys("moes\x7f\x7fves\r");
    k.sees("= 1");
    k.bare_prompt();
    k.keys("\x04");
    assert_eq!(k.ends(), 0);
}

#[test]
fn a_breakpoint_ends_key_play() {
    let mut k = play(
        "stop",
        &format!("{GAME}sprite mud >\nevent mud > deccounter1=1\nset mud > x=1 y=0\n"),
        80,
        40,
    );
    k.keys(ESC);
    k.enter(":break event mud");
    k.sees("break event mud");
    k.enter(":play");
    k.sees("arrows move");
    k.keys(RIGHT);
    k.sees("breakpoint 1, event mud");
    k.sees_last("stopped>");
    k.enter("continue");
    k.sees_last("sgl2d>");
    k.enter("counter1");
    k.sees("= -1");
}
