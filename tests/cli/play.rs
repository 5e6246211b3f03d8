//! `gridbug run` at a terminal: the board stays in place; keys, the mouse and typed moves play.

use crate::pty_session::PtySession;

const RIGHT: &str = "\x1b[C";
const DOWN: &str = "\x1b[B";
const LEFT: &str = "\x1b[D";

/// Writes a built-in game to a file and plays it.
fn play(name: &str, example: &str, (cols, rows): (u16, u16)) -> PtySession {
    let found = gridbug::command::find_example(example, None).unwrap();
    let dir = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("play");
    std::fs::create_dir_all(&dir).unwrap();
    let file = dir.join(format!("{name}-{}", found.file_name()));
    std::fs::write(&file, found.game.text).unwrap();
    let path = file.to_string_lossy();
    let program = env!("CARGO_BIN_EXE_gridbug");
    let arguments = ["run", &path, "--plain", "--seed", "1"];
    let mut terminal = PtySession::spawn(name, program, &arguments, cols, rows);
    terminal.wait_until("the last row", |t| {
        ["? keys", "Ctrl-C leave"]
            .iter()
            .any(|text| t.screen().contains(text))
    });
    assert!(terminal.is_full_screen());
    terminal
}

/// Leaves with a key; the terminal is as it was, with the last board on it.
fn leave(terminal: &mut PtySession, key: &str) {
    terminal.send_keys(key);
    assert_eq!(terminal.wait_for_exit(), 0);
    terminal.wait_until("the normal screen", |t| {
        !t.is_full_screen() && !t.has_mouse()
    });
}

#[test]
fn a_game_of_clicks_is_played_to_its_end_and_again() {
    for size in [(80, 24), (160, 50)] {
        let mut terminal = play(
            &format!("play-clicks-{}", size.0),
            "gridlok/tic-tac-toe",
            size,
        );
        terminal.wait_for("   0 <.> .  .");
        // Enter plays the cell of the cursor, and so does a mouse click.
        terminal.send_keys("\r");
        terminal.wait_for("turn: o");
        terminal.send_keys("\x1b[<0;7;4M\x1b[<0;7;4m");
        terminal.wait_for("   1 <O> .  .");
        for (keys, shown) in [
            ("\x1b[A\x1b[C\r", "   0  X <X> ."),
            ("\x1b[B\r", "   1  O <O> ."),
            ("\x1b[A\x1b[C\r", "   0  X  X <X>"),
        ] {
            terminal.send_keys(keys);
            terminal.wait_for(shown);
        }
        terminal.wait_for("x has won");
        terminal.wait_for("Game over");
        terminal.send_keys("u");
        terminal.wait_for("   0  X  X <.>");
        terminal.send_keys("r");
        terminal.wait_for("Start again?");
        terminal.send_keys("\r");
        terminal.wait_for("   0  .  . <.>");
        terminal.wait_for("Enter plays it");
        // A move can be typed.
        terminal.send_keys(":");
        terminal.wait_for_at_cursor("move: :");
        terminal.send_keys("click{2,2}\r");
        terminal.wait_for("   2  .  .  X");
        terminal.send_keys("?");
        terminal.wait_for("click a cell to play it");
        terminal.send_keys(" ");
        terminal.wait_for("Enter plays it");
        leave(&mut terminal, "q");
        terminal.wait_for("   2  .  .  X");
    }
}

#[test]
fn a_game_of_keys_is_played_with_the_arrows() {
    let mut terminal = play("play-keys", "maze", (80, 24));
    terminal.send_keys(RIGHT);
    terminal.wait_for("Counter 1: 59");
    terminal.send_keys(DOWN);
    terminal.wait_for("the player stays");
    // Ctrl-C leaves.
    leave(&mut terminal, "\x03");
}

#[test]
fn questions_are_answered_by_typing_or_by_choosing_a_cell() {
    let mut terminal = play("play-guess", "guess", (80, 24));
    terminal.wait_for("input : {Higher, Lower, Yes}   type an answer");
    terminal.send_keys("Higher\r");
    terminal.wait_for("   1  50  75 ");
    terminal.send_keys("Maybe\r");
    terminal.wait_for("Maybe");
    terminal.send_keys("Yes\r");
    terminal.wait_for("= 75");
    terminal.wait_for("Game over");
    terminal.send_keys("r");
    terminal.wait_for("type an answer");
    leave(&mut terminal, "\x03");
    let mut terminal = play("play-cells", "bogl/tic-tac-toe", (80, 24));
    terminal.wait_for("Enter chooses the cell");
    terminal.send_keys("\r");
    terminal.wait_for("   1 <X> .  .");
    terminal.send_keys(RIGHT);
    terminal.send_keys("\r");
    terminal.wait_for("   1  X <O> .");
    leave(&mut terminal, "\x03");
}

#[test]
fn turns_are_played_one_by_one_or_follow_the_answers() {
    let mut terminal = play("play-turns", "puddles", (80, 24));
    terminal.wait_for("Enter plays the next turn");
    terminal.send_keys("\r");
    terminal.wait_for("turn: bob");
    leave(&mut terminal, "q");
    let mut terminal = play("play-capture", "capture", (80, 24));
    terminal.send_keys("\r");
    terminal.wait_for("white from:");
    terminal.send_keys(&DOWN.repeat(4));
    terminal.send_keys("\r");
    terminal.wait_for("to:");
    terminal.send_keys("(0,0)\r");
    // The next turn starts by itself.
    terminal.wait_for("black from:");
    leave(&mut terminal, "\x03");
}

#[test]
fn arrows_move_the_player_of_a_tinygame_program() {
    let mut terminal = play("play-tinygame", "valley", (80, 24));
    terminal.wait_for("knight: x=4, y=3");
    terminal.send_keys(LEFT);
    terminal.wait_for("knight: x=3, y=3");
    terminal.send_keys("u");
    terminal.wait_for("knight: x=4, y=3");
    leave(&mut terminal, "q");
}

#[test]
fn the_terminal_is_restored_when_a_game_is_killed() {
    let mut terminal = play("play-killed", "lights-out", (80, 24));
    let id = terminal.process_id().to_string();
    let killed = std::process::Command::new("kill").arg(&id).status();
    assert!(killed.unwrap().success());
    terminal.wait_for_exit();
    terminal.wait_until("the normal screen", |t| {
        !t.is_full_screen() && !t.has_mouse()
    });
}

#[test]
fn a_large_board_scrolls_with_the_cursor() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("large.gl");
    let game = "board { dimensions {60, 90} image {b.png} }\nplayers {\"a\"}\n\
                piece { name {\"free\"} image {f.png} onClick { changeType {\"X\"} endTurn {} } }\n\
                piece { name {\"X\"} image {x.png} }\n\
                setup { for r, c in board { place {\"free\", r, c} } }\n";
    std::fs::write(&file, game).unwrap();
    let path = file.to_string_lossy();
    let program = env!("CARGO_BIN_EXE_gridbug");
    let mut terminal = PtySession::spawn("play-large", program, &["run", &path, "--plain"], 80, 24);
    terminal.wait_for("? keys");
    terminal.send_keys(&DOWN.repeat(59));
    terminal.send_keys(&RIGHT.repeat(89));
    terminal.send_keys("\r");
    terminal.wait_for("<X");
    terminal.wait_for("  59 ");
    leave(&mut terminal, "q");
}

#[test]
fn the_list_of_keys_fits_the_screen() {
    for size in [(80, 24), (72, 24)] {
        let mut terminal = play(
            &format!("play-help-{}", size.0),
            "gridlok/tic-tac-toe",
            size,
        );
        terminal.send_keys("?");
        terminal.wait_for("any key closes");
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let screen = words(&terminal.screen());
        for text in [
            "let the computer play the other side",
            "in games that are played with keys",
        ] {
            assert!(screen.contains(text), "{screen}");
        }
        // A key that does something closes the list and does it.
        terminal.send_keys("\r");
        terminal.wait_for("   0 <X> .  .");
        leave(&mut terminal, "q");
    }
}

#[test]
fn the_computer_can_be_chosen_at_a_question() {
    let mut terminal = play("play-question-opponent", "bogl/tic-tac-toe", (80, 24));
    terminal.wait_for("Enter chooses the cell");
    terminal.send_keys(":opponent O random turn p\r");
    terminal.wait_for("The computer plays O (random)");
    terminal.send_keys("\r");
    terminal.wait_for("O plays (");
    leave(&mut terminal, "\x03");
}

#[test]
fn nothing_is_said_about_branches_where_there_is_no_prompt() {
    let mut terminal = play("play-undo", "gridlok/tic-tac-toe", (80, 24));
    terminal.send_keys("\r");
    terminal.wait_for("   0 <X> .  .");
    terminal.send_keys("u");
    terminal.wait_for("   0 <.> .  .");
    terminal.send_keys(RIGHT);
    terminal.send_keys("\r");
    terminal.wait_for("   0  . <X> .");
    let screen = terminal.screen();
    assert!(!screen.contains("branch"), "{screen}");
    leave(&mut terminal, "q");
}
