//! Typing is typing: on the screens that stay in place, text is never taken as keys.

use crate::pty_session::PtySession;

const RIGHT: &str = "\x1b[C";
const ESC: &str = "\x1b";

/// Starts gridbug with a program in a file, on a screen that stays in place: `gridbug run FILE`, or
/// the view.
fn start(name: &str, extension: &str, program: &str, is_view: bool) -> PtySession {
    let file = format!("{}/typing-{name}.{extension}", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&file, program).unwrap();
    match is_view {
        true => {
            let mut terminal =
                PtySession::new(&format!("typing-{name}"), &["--plain", &file], 80, 24);
            terminal.type_line(":view");
            terminal.wait_until("the view", PtySession::is_full_screen);
            terminal
        }
        false => {
            let program = env!("CARGO_BIN_EXE_gridbug");
            let arguments = ["run", &file, "--plain", "--seed", "1"];
            let mut terminal =
                PtySession::spawn(&format!("typing-{name}"), program, &arguments, 80, 24);
            terminal.wait_until("the game", PtySession::is_full_screen);
            terminal
        }
    }
}

/// Waits for cells of the board, however large they are drawn.
fn wait_for_cells(terminal: &mut PtySession, text: &str) {
    let of_cells = |row: &str| {
        let row = row.replace(['|', '*'], " ");
        let row = row.split_whitespace().collect::<Vec<_>>().join(" ");
        row.replace("< ", "<").replace(" >", ">")
    };
    let wanted = of_cells(text);
    terminal.wait_until(text, |terminal| {
        terminal
            .screen()
            .lines()
            .any(|row| of_cells(row).contains(&wanted))
    });
}

/// The text of a built-in game.
fn example(name: &str) -> &'static str {
    let found = gridbug::command::find_example(name, None).unwrap();
    found.game.text
}

/// A GridLang game that asks for words. Each of them is shown with a bracket before it.
const WORDS: &str = "Player {}\nLayout(2, 2)\n{\n    Player ann\n    playerOrder = [ann]\n}\n\
    gameLoop()\n{\n    string way = prompt(\"which way? \", string)\n    print(\"[\" + way)\n}\n\
    checkGameEnd()\n{\n    return false\n}\n";

/// Words that begin with keys of the screens, or are some.
const ANSWERS: [&str; 9] = [
    "rock",
    "quit",
    "up",
    "u",
    "r",
    "off",
    "q",
    "?",
    "winCondition {",
];

#[test]
fn answers_of_any_letters_are_answers() {
    for is_view in [false, true] {
        let mut terminal = start(&format!("words-{is_view}"), "grid", WORDS, is_view);
        match is_view {
            true => terminal.send_keys(":turn\r"),
            false => terminal.send_keys("\r"),
        }
        for word in ANSWERS {
            terminal.wait_for("which way?");
            terminal.wait_for("Ctrl-C leave");
            // Slowly: each letter is text, however long the pause after it.
            let mut typed = "which way? ".to_string();
            for c in word.chars() {
                typed.push(c);
                terminal.send_keys(&c.to_string());
                terminal.wait_for_at_cursor(&typed);
            }
            terminal.send_keys("\r");
            terminal.wait_for(&format!("[{word}"));
            if is_view {
                terminal.wait_for("Tab source");
                terminal.send_keys(":turn\r");
            }
        }
        terminal.wait_for("Ctrl-C leave");
        terminal.send_keys("\x03");
        terminal.wait_until("the normal screen", |t| !t.is_full_screen());
    }
}

#[test]
fn lines_that_arrive_at_once_run_one_after_the_other() {
    let game = example("gridlok/tic-tac-toe");
    for is_view in [false, true] {
        let mut terminal = start(&format!("lines-{is_view}"), "gl", game, is_view);
        terminal.wait_for("? keys");
        terminal.send_keys("click{1,1}\rclick{0,0}\rclick{2,2}\r:undo\r");
        terminal.wait_for("undone: click{2,2}");
        wait_for_cells(&mut terminal, "1 . X .");
        wait_for_cells(&mut terminal, "2 . . .");
        let mut terminal = start(&format!("answers-{is_view}"), "grid", WORDS, is_view);
        terminal.send_keys(if is_view {
            ":turn\rrock\r:turn\rup\r"
        } else {
            "\rrock\rup\r"
        });
        terminal.wait_for("[rock");
        terminal.wait_for("[up");
    }
}

#[test]
fn an_answer_in_bogl_is_typed_letter_by_letter() {
    for is_view in [false, true] {
        let name = format!("walk-{is_view}");
        let mut terminal = start(&name, "bgl", example("walk"), is_view);
        if is_view {
            terminal.send_keys("result\r");
        }
        terminal.wait_for("Ctrl-C leave");
        // `undo` is not a direction, nor is `U`: nothing is taken back, nothing restarts.
        for word in ["undo", "U", "r"] {
            terminal.send_keys(&format!("{word}\r"));
            terminal.wait_for(&format!("`{word}`"));
        }
        terminal.send_keys("Stop\r");
        terminal.wait_for("= Lost");
    }
}

#[test]
fn an_entry_can_be_typed_anywhere() {
    let cases = [
        (
            "tic-tac-toe",
            "gl",
            example("gridlok/tic-tac-toe"),
            "click{1,1}",
            "   1  .  X  .",
        ),
        ("maze", "sgl2d", example("maze"), "rr", "Counter 1: 58"),
        (
            "valley",
            "tg",
            example("valley"),
            "move knight left 1;",
            "x=3, y=3",
        ),
        ("race", "grid", example("gridlang/race"), "1 + 2", "= 3"),
        ("walk-code", "bgl", example("walk"), "home", "= (1, 1)"),
    ];
    for (name, extension, program, entry, shown) in cases {
        for is_view in [false, true] {
            // BoGL asks at once in `run`.
            if name == "walk-code" && !is_view {
                continue;
            }
            let name = format!("{name}-{is_view}");
            let mut terminal = start(&name, extension, program, is_view);
            terminal.wait_for("? keys");
            terminal.send_keys(&format!("{entry}\r"));
            wait_for_cells(&mut terminal, shown);
            // The same after the key `:`, and pasted.
            terminal.wait_for("? keys");
            terminal.send_keys(":undo\r");
            terminal.wait_for("? keys");
            terminal.send_keys(&format!(":{entry}\r"));
            wait_for_cells(&mut terminal, shown);
            terminal.wait_for("? keys");
            terminal.send_keys(&format!("\x1b[200~{entry}\x1b[201~"));
            terminal.wait_for_at_cursor(entry);
            terminal.send_keys("\r");
            terminal.wait_for("? keys");
        }
    }
}

#[test]
fn escape_closes_the_prompt_and_says_so() {
    for is_view in [false, true] {
        let name = format!("escape-{is_view}");
        let mut terminal = start(&name, "gl", example("gridlok/tic-tac-toe"), is_view);
        terminal.wait_for("? keys");
        terminal.send_keys("{");
        terminal.wait_for_at_cursor(" {");
        terminal.send_keys(ESC);
        terminal.wait_for("Prompt closed; `{` was not run");
        terminal.wait_for("? keys");
        // The keys work again.
        terminal.send_keys("\r");
        wait_for_cells(&mut terminal, "0 <X> . .");
        terminal.send_keys(":");
        terminal.wait_for_at_cursor(" :");
        terminal.send_keys(ESC);
        terminal.wait_for("Prompt closed");
        terminal.wait_for("? keys");
    }
}

#[test]
fn escape_leaves_a_question_open() {
    for is_view in [false, true] {
        let name = format!("escape-question-{is_view}");
        let mut terminal = start(&name, "grid", WORDS, is_view);
        terminal.send_keys(if is_view { ":turn\r" } else { "\r" });
        terminal.wait_for("Ctrl-C leave");
        terminal.send_keys("ro");
        terminal.wait_for_at_cursor("which way? ro");
        terminal.send_keys(ESC);
        terminal.wait_for("`ro` was not run");
        terminal.send_keys("north\r");
        terminal.wait_for("[north");
    }
}

#[test]
fn a_restart_that_would_lose_moves_asks_once() {
    let mut terminal = start("restart", "gl", example("gridlok/tic-tac-toe"), false);
    terminal.wait_for("? keys");
    terminal.send_keys("\r");
    wait_for_cells(&mut terminal, "0 <X> . .");
    terminal.send_keys("r");
    terminal.wait_for("Start again?");
    // Another key keeps the game, and does what it does.
    terminal.send_keys(RIGHT);
    wait_for_cells(&mut terminal, "0 X <.> .");
    terminal.wait_for("? keys");
    terminal.send_keys("r");
    terminal.wait_for("Start again?");
    terminal.send_keys("\r");
    wait_for_cells(&mut terminal, "0 . <.> .");
    // There is nothing to lose.
    terminal.send_keys("r");
    terminal.wait_for("? keys");
    assert!(!terminal.screen().contains("Start again?"));
}

#[test]
fn o_plays_the_other_side_and_stops_it() {
    for is_view in [false, true] {
        let name = format!("opponent-{is_view}");
        let mut terminal = start(&name, "gl", example("gridlok/tic-tac-toe"), is_view);
        terminal.wait_for("? keys");
        terminal.send_keys("o");
        terminal.wait_for("The computer plays o");
        terminal.send_keys("\r");
        wait_for_cells(&mut terminal, "0 <X>");
        terminal.wait_for("o plays click{");
        terminal.wait_until("x to move", |terminal| {
            let screen = terminal.screen();
            screen.contains("turn: x") || screen.contains("x to move")
        });
        terminal.send_keys("o");
        terminal.wait_for("The computer plays nobody");
    }
}

#[test]
fn an_exercise_takes_text_in_all_languages() {
    let cases = [
        ("gridlok/exercise-row", "winCondition {"),
        ("bogl/exercise-gone", "count : Board"),
        ("gridlang/exercise-goal", "checkGameEnd()"),
        ("sgl2d/exercise-coin", "sprite > up"),
        ("tinygame/exercise-bite", "set quick"),
    ];
    for (file, code) in cases {
        let path = format!("{}/sessions/{file}.session", env!("CARGO_MANIFEST_DIR"));
        let lesson = std::fs::read_to_string(&path).unwrap();
        let (_, played) = lesson.split_once("--- session").unwrap();
        let (before, _) = played.split_once("--- exercise").unwrap();
        let steps = before.lines().filter(|line| line.starts_with('>')).count();
        let name = format!("typing-{}", file.replace('/', "-"));
        let mut terminal = PtySession::new(&name, &["--plain"], 80, 24);
        terminal.type_line(&format!(":lesson {path}"));
        for step in 0..steps {
            terminal.wait_for(&format!("{}/", step + 1));
            terminal.wait_for_prompt();
            terminal.send_keys("\r");
        }
        terminal.wait_for("Enter checks it");
        terminal.wait_for_prompt();
        terminal.type_line(":view");
        terminal.wait_until("the view", PtySession::is_full_screen);
        terminal.wait_for("code of the exercise");
        let mut typed = "> ".to_string();
        for c in code.chars() {
            typed.push(c);
            terminal.send_keys(&c.to_string());
            terminal.wait_for_at_cursor(&typed);
        }
        terminal.send_keys(ESC);
        terminal.wait_for(&format!("`{code}` was not run"));
    }
}

#[test]
fn text_ends_playing_with_keys() {
    let file = format!("{}/typing-play.sgl2d", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&file, example("maze")).unwrap();
    let mut terminal = PtySession::new("typing-play", &["--plain", &file], 80, 40);
    terminal.type_line(":play");
    terminal.wait_for("arrows move");
    terminal.send_keys("rr");
    terminal.wait_for_at_cursor("> rr");
    terminal.send_keys("\r");
    terminal.wait_for("Counter 1: 58");
    terminal.type_line(":play");
    terminal.wait_for("arrows move");
    terminal.send_keys("r");
    terminal.wait_for("Start again?");
    terminal.send_keys("\x1b[C");
    terminal.wait_for("arrows move");
    terminal.send_keys(ESC);
    terminal.wait_for_prompt();
}

#[test]
fn answers_are_taken_back_and_given_again() {
    for is_view in [false, true] {
        let name = format!("undo-guess-{is_view}");
        let mut terminal = start(&name, "bgl", example("guess"), is_view);
        if is_view {
            terminal.send_keys("result\r");
        }
        terminal.wait_for("Ctrl-C leave");
        terminal.send_keys("Higher\r");
        wait_for_cells(&mut terminal, "75 O");
        terminal.send_keys("Higher\r");
        terminal.wait_for(" 88");
        // As a command, with a key, several, and again.
        terminal.send_keys(":undo\r");
        terminal.wait_for("undone: Higher");
        wait_for_cells(&mut terminal, "75 O O O O O");
        terminal.send_keys("\x1a");
        wait_for_cells(&mut terminal, "O O O O O O");
        terminal.send_keys("\x19");
        wait_for_cells(&mut terminal, "75 O O O O O");
        terminal.send_keys("Yes\r");
        terminal.wait_for("= 75");
        // After the end of the game, `u` is a key.
        terminal.send_keys("u");
        terminal.wait_for("undone: Yes");
        terminal.wait_for("Ctrl-C leave");
        terminal.send_keys("Lower\r");
        terminal.wait_for(" 62");
    }
}

#[test]
fn an_answer_of_the_turn_before_is_taken_back() {
    let mut terminal = start("undo-turn", "grid", example("capture"), false);
    terminal.send_keys("\r");
    terminal.wait_for("white from:");
    terminal.send_keys("\x1a");
    terminal.wait_for("Nothing to take back");
    terminal.send_keys("(4,0)\r");
    terminal.wait_for("to:");
    terminal.send_keys("(3,0)\r");
    terminal.wait_for("black from:");
    wait_for_cells(&mut terminal, "3 R");
    terminal.send_keys("\x1a");
    terminal.wait_for("to:");
    wait_for_cells(&mut terminal, "4 R");
    terminal.send_keys("(2,0)\r");
    terminal.wait_for("black from:");
    wait_for_cells(&mut terminal, "2 R");
}

#[test]
fn an_error_in_a_game_says_where_and_d_opens_the_prompt() {
    let game = "board { dimensions {1, 2} }\nplayers {\"a\"}\ndef n {0}\n\
                piece { name {\"free\"}\n  onClick { n {1 / n} }\n}\n\
                setup { for r, c in board { place {\"free\", r, c} } }\n";
    let mut terminal = start("run-error", "gl", game, false);
    terminal.wait_for("? keys");
    terminal.send_keys("\r");
    terminal.wait_for("division by zero   line 5 of typing-run-error.gl");
    terminal.wait_for("Stopped by an error");
    // The prompt opens in the same position.
    terminal.send_keys("d");
    terminal.wait_for("as you played it");
    terminal.wait_for_prompt();
    terminal.type_line("n + 41");
    terminal.wait_for("= 41");
    let mut terminal = start("run-error-left", "gl", game, false);
    terminal.wait_for("? keys");
    terminal.send_keys("\r");
    terminal.wait_for("Stopped by an error");
    terminal.send_keys("q");
    assert_eq!(terminal.wait_for_exit(), 0);
    terminal.wait_for("division by zero   line 5 of");
}
