//! The REPL in a pseudo-terminal: keys in, screen out.

use crate::pty_session::PtySession;
use std::time::{Duration, Instant};

#[test]
fn it_starts_with_a_game_and_suggestions() {
    let mut terminal = PtySession::new("starts", &[], 80, 24);
    terminal.wait_for_prompt_of("gridlok");
    let screen = terminal.screen();
    assert!(
        screen.contains("click{0,0}") && screen.contains(":help"),
        "{screen}"
    );
    assert!(screen.contains("   2  ·  ·  ·"), "{screen}");
    assert!(
        screen
            .lines()
            .position(|l| l.contains("0  1  2"))
            .is_some_and(|n| n <= 5),
        "the banner has at most five lines:\n{screen}"
    );
}

#[test]
fn undo_reverts_a_click() {
    let mut terminal = PtySession::new("click", &[], 80, 24);
    terminal.type_line("click{1,1}");
    terminal.wait_for("1  · (X) ·");
    terminal.wait_for("turn: o");
    terminal.type_line(":undo");
    terminal.wait_for("undone: click{1,1}");
    terminal.wait_for("(·)");
}

/// In a pipe, the same entry would only report the error.
#[test]
fn an_error_in_the_program_stops_where_it_happened() {
    let mut terminal = PtySession::new("error-stop", &[], 80, 40);
    terminal.type_line("def people {0}");
    terminal.type_line("fun share(n) { return n / people }");
    terminal.type_line("share{12}");
    terminal.wait_for("* error in share, entry 2   share{12}, x's turn");
    terminal.wait_for("division by zero");
    terminal.wait_for("fix a value or a rule and retry; continue cancels");
    terminal.wait_for_at_cursor("stopped> ");
    terminal.type_line("print n");
    terminal.wait_for("= 12");
    terminal.type_line("people {4}");
    terminal.type_line("retry");
    terminal.wait_for("share{12} finished");
    terminal.wait_for("= 3");
    terminal.type_line("people {0}");
    terminal.type_line("share{5}");
    terminal.wait_for("* error in share, entry 2   share{5}, x's turn");
    terminal.type_line("continue");
    terminal.wait_for("cancelled: share{5}");
    terminal.wait_for_prompt_of("gridlok");
    // A single statement that fails is on the screen already.
    terminal.type_line("1 / people");
    terminal.wait_for("1 | 1 / people");
    terminal.wait_for_prompt_of("gridlok");
}

#[test]
fn an_error_shows_its_source_line() {
    let mut terminal = PtySession::new("error", &[], 80, 24);
    terminal.type_line("click{1, clumn}");
    terminal.wait_for("unknown name `clumn`");
    terminal.wait_for("1 | click{1, clumn}");
    terminal.wait_for("  |          ^^^^^");
}

#[test]
fn long_errors_are_wrapped_and_labels_stay_next_to_their_span() {
    let mut terminal = PtySession::new("wrapped", &["--lang", "bogl"], 80, 40);
    terminal.type_line("let x = (1,2) in while x#1 < 3 do x#1");
    terminal.wait_for("error[BG045]: the loop body, which is the new value of `x`, must be a\n");
    terminal.wait_for("\n              `(Int,Int)`, found an `Int`\n");
    terminal.type_line("type Player = {X, O} type Board = Array (3,3) of Player & {Empty}");
    terminal.type_line("next : Player -> Player next(p) = p");
    terminal.type_line("now : Board now!(x,y) = X");
    terminal.type_line("next(now!(1,1))");
    terminal.wait_for("board cells are declared here as a `Content`\n");
    // An error without a source location is not indented.
    terminal.type_line("input + 1");
    terminal.wait_for_at_cursor("input : Int");
    terminal.send_keys("one\r");
    terminal.wait_for("found `one`\nnote: type a constant such as `1`");
    terminal.wait_for_at_cursor("input : Int");
    terminal.send_keys("2\r");
    terminal.wait_for("= 3");
}

#[test]
fn ctrl_c_clears_the_line_and_ctrl_d_quits() {
    let mut terminal = PtySession::new("keys", &[], 80, 24);
    terminal.send_keys("click{0,0}");
    terminal.wait_for_at_cursor("gridlok 1> click{0,0}");
    terminal.send_keys("\x03");
    terminal.wait_for_prompt();
    terminal.type_line("turnCount");
    terminal.wait_for("= 0");
    terminal.send_keys("\x04");
    assert_eq!(terminal.wait_for_exit(), 0);
}

#[test]
fn ctrl_c_stops_an_endless_loop() {
    let mut terminal = PtySession::new("endless", &[], 100, 30);
    terminal.type_line("click{0,0}");
    terminal.wait_for("(X)");
    terminal.type_line("for i(0,2) { i{0} }");
    std::thread::sleep(std::time::Duration::from_millis(300));
    terminal.send_keys("\x03");
    terminal.wait_for("stopped");
    terminal.type_line(":abandon");
    terminal.wait_for_prompt_of("gridlok");
    terminal.type_line("turnCount");
    terminal.wait_for("= 1");
}

#[test]
fn endless_output_is_shown_as_it_comes_and_ctrl_c_stops_it() {
    // BoGL has no `print`; a logpoint prints as much.
    let bogl = [
        "f : Int -> Int",
        "f(n) = if n < 0 then 0 else f(n + 1)",
        "",
        ":log f \"hello\"",
    ];
    for (language, definitions, entry) in [
        ("gridlok", &[][..], "for i(0, 2) { i{0} print{\"hello\"} }"),
        ("gridlang", &[], "while (true) { print(\"hello\") }"),
        ("bogl", &bogl, "f(1)"),
    ] {
        let mut terminal = PtySession::new(
            &format!("endless-output-{language}"),
            &["--lang", language],
            80,
            24,
        );
        for line in definitions {
            terminal.type_line(line);
        }
        terminal.type_line(entry);
        terminal.wait_until("a screen of output", |terminal| {
            let screen = terminal.screen();
            screen.lines().filter(|l| l.ends_with("hello")).count() > 20
        });
        std::thread::sleep(Duration::from_millis(300));
        let pressed = Instant::now();
        terminal.send_keys("\x03");
        terminal.wait_for_at_cursor("stopped> ");
        // Tenths of a second if the machine is not busy.
        let delay = pressed.elapsed();
        assert!(delay < Duration::from_secs(5), "{language}: {delay:?}");
        terminal.type_line("abandon");
        terminal.type_line("2 + 2");
        terminal.wait_for("= 4");
    }
}

/// After Ctrl-C you can inspect, step, step back and continue, even if conditional breakpoints are
/// evaluated all the time.
#[test]
fn after_ctrl_c_you_can_inspect_step_and_continue() {
    let mut terminal = PtySession::new("interrupt", &["--lang", "gridlok"], 100, 40);
    let program = "board { dimensions {2, 2} image {b.png} } def n {0} \
        fun spin(k) { for i(0, 2) { n {n + k} if n < 2000000000 { i {0} } } return n }";
    terminal.type_line(program);
    terminal.wait_for("defined");
    for condition in ["", " if n == 0 - 1"] {
        if !condition.is_empty() {
            terminal.type_line(&format!(":break spin{condition}"));
            terminal.type_line(":break 1 if n < 0");
            terminal.wait_for("2  break 1");
        }
        terminal.type_line("spin{1}");
        std::thread::sleep(std::time::Duration::from_millis(300));
        terminal.send_keys("\x03");
        terminal.wait_for("* interrupted in spin");
        terminal.wait_for("`continue` to resume, `abandon` to cancel the entry");
        terminal.wait_for_at_cursor("stopped> ");
        terminal.type_line("print k + 41");
        terminal.wait_for("= 42");
        terminal.type_line("where");
        terminal.wait_for("spin{1}");
        terminal.type_line("step");
        terminal.wait_for("since the last stop: n ");
        terminal.type_line("rs 2");
        terminal.wait_for_at_cursor("stopped> ");
        terminal.type_line("continue");
        std::thread::sleep(std::time::Duration::from_millis(300));
        terminal.send_keys("\x03");
        terminal.wait_for_at_cursor("stopped> ");
        terminal.type_line("n {2000000000}");
        terminal.type_line(":delete");
        terminal.type_line("continue");
        terminal.wait_for("= 200000000");
        terminal.wait_for_prompt_of("gridlok");
        terminal.type_line("n {0}");
        terminal.send_keys("\x0c");
        terminal.wait_for_prompt();
    }
}

/// A long-running entry in another language.
struct LongRun {
    language: &'static str,
    defined: &'static [&'static str],
    run: &'static str,
    stopped: &'static str,
    /// A command, and what it prints.
    inspect: [&'static str; 2],
}

const LONG_RUNS: &[LongRun] = &[
    LongRun {
        language: "bogl",
        defined: &["up : Int -> Int", "up(n) = while n > 0 do n + 1", ""],
        run: "up(1)",
        stopped: "* interrupted in up",
        inspect: ["print n > 0", "= True"],
    },
    LongRun {
        language: "bogl",
        defined: &[
            "fib : Int -> Int",
            "fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)",
            "",
        ],
        run: "fib(80)",
        stopped: "* interrupted in fib",
        inspect: ["print n < 81", "= True"],
    },
    LongRun {
        language: "gridlang",
        defined: &[
            "function spin(): int { int k = 0; while (k < 2000000000) { k++; if (k > 1000000) k = 1 }; return k }",
        ],
        run: "spin()",
        stopped: "* interrupted in spin",
        inspect: ["print k > 0 and k < 1000001", "= true"],
    },
    LongRun {
        language: "sgl2d",
        defined: &[
            "environment > x=900 y=900",
            "player > x=1 y=1",
            "sprite bomb > color=red",
            "event bomb > playerdecspritecounter=1",
            "set bomb > (x=0 y=9, x=899 y=899)",
        ],
        run: "udududud 900",
        stopped: "* interrupted",
        inspect: ["print player.x", "= 1"],
    },
];

#[test]
fn ctrl_c_stops_the_other_languages_too() {
    for (
        n,
        LongRun {
            language,
            defined,
            run,
            stopped,
            inspect: [command, value],
        },
    ) in LONG_RUNS.iter().enumerate()
    {
        let mut terminal =
            PtySession::new(&format!("interrupt-{n}"), &["--lang", language], 100, 60);
        defined.iter().for_each(|line| terminal.type_line(line));
        terminal.wait_for_prompt();
        terminal.type_line(run);
        std::thread::sleep(std::time::Duration::from_millis(300));
        terminal.send_keys("\x03");
        terminal.wait_for(stopped);
        terminal.wait_for_at_cursor("stopped> ");
        terminal.type_line(command);
        terminal.wait_for(value);
        terminal.type_line("where");
        terminal.wait_for(run);
        terminal.type_line("step");
        terminal.type_line("rs");
        terminal.wait_for("You are in the past");
        terminal.type_line("continue");
        std::thread::sleep(std::time::Duration::from_millis(300));
        terminal.send_keys("\x03");
        terminal.wait_for_at_cursor("stopped> ");
        terminal.type_line("abandon");
        terminal.wait_for("cancelled: ");
        terminal.wait_for_prompt_of(language);
    }
}

#[test]
fn history_is_kept_between_sessions() {
    let mut terminal = PtySession::new("history", &[], 80, 24);
    terminal.type_line("for i(0, 2) {");
    terminal.wait_for_at_cursor("... ");
    terminal.type_line("print{i + 40}");
    terminal.type_line("}");
    terminal.wait_for("41");
    terminal.wait_for_prompt();
    terminal.send_keys("\x04");
    terminal.wait_for_exit();
    let mut terminal = PtySession::with_history("history", &[], 80, 24);
    terminal.send_keys("\x1b[A");
    terminal.wait_for("print{i + 40}");
    terminal.send_keys("\r");
    terminal.wait_for("41");
    terminal.wait_for_prompt();
    terminal.send_keys("\x12i + 4");
    terminal.wait_for("reverse-i-search");
}

#[test]
fn tab_completes_and_an_inline_hint_is_shown() {
    let mut terminal = PtySession::new("tab", &[], 80, 24);
    terminal.send_keys("chan\t");
    terminal.wait_for_at_cursor("changeType");
    terminal.send_keys("\x03");
    terminal.wait_for_prompt();
    terminal.send_keys(":hist");
    terminal.wait_for_at_cursor(":history");
}

#[test]
fn output_fits_a_narrow_terminal() {
    let mut terminal = PtySession::new("narrow", &[], 40, 20);
    terminal.type_line(":help");
    terminal.wait_for("changing, session, authoring; :help all\nlists every command.");
    terminal.type_line("board { dimensions {3, 60} image {b.png} }");
    terminal.wait_for("columns 0 to 16");
    // Wrapped between words, and indented like the first row.
    terminal.wait_for("\n     of 60; `:board at R,C` shows\n");
}

/// The first reply after resizing fits, although the prompt was printed before.
#[test]
fn resizing_at_the_prompt_applies_to_the_next_reply() {
    let mut terminal = PtySession::new("narrowed", &[], 100, 30);
    terminal.type_line(":break free.onClick");
    terminal.wait_for("break free.onClick");
    terminal.wait_for_prompt();
    terminal.resize(50, 30);
    terminal.type_line("click{1,1}");
    terminal.wait_for("* breakpoint 1 in free.onClick at [1][1], line 8\n  click{1,1}, x's turn\n");
    terminal.wait_for("  pieceRow=1 pieceCol=1\n      0  1  2\n");
}

#[test]
fn a_blank_line_at_a_stop_repeats_the_step() {
    let mut terminal = PtySession::new("stop", &[], 90, 40);
    terminal.type_line(":break winCondition");
    terminal.wait_for("break winCondition");
    terminal.type_line("click{0,0}");
    terminal.wait_for("breakpoint 1 in winCondition");
    terminal.wait_for_at_cursor("stopped> ");
    terminal.type_line("step");
    terminal.wait_for("def line {true}");
    terminal.type_line("");
    terminal.wait_for("=>  25");
    terminal.type_line("continue");
    terminal.wait_for_prompt_of("gridlok");
}

#[test]
fn a_stop_shows_the_board_below_or_beside_it() {
    let mut terminal = PtySession::new("board-below", &[], 80, 24);
    terminal.type_line(":break free.onClick");
    terminal.type_line("click{1,1}");
    terminal.wait_for("  pieceRow=1 pieceCol=1\n      0  1  2\n   0  ·  ·  ·\n   1  · [·] ·");
    let mut terminal = PtySession::new("board-beside", &[], 120, 30);
    terminal.type_line(":break free.onClick");
    terminal.type_line("click{1,1}");
    // The current cell is marked on the board.
    terminal.wait_for(
        "=>   8        if turn == \"x\" { changeType {\"X\"} } else { changeType {\"O\"} }",
    );
    terminal.wait_for("1  · [·] ·");
    let screen = terminal.screen();
    let row = screen
        .lines()
        .find(|l| l.contains("* breakpoint 1 in free.onClick at [1][1]"))
        .expect("a stop");
    assert!(
        row.ends_with("0  1  2"),
        "the board starts next to the header of the stop:\n{screen}"
    );
    terminal.type_line("step 2");
    terminal.wait_for("since the last stop: [1][1] free => X");
    terminal.wait_for("1  · [X] ·");
}

/// A debugging session: into a handler, through a condition step by step, back and forth, `why`.
#[test]
fn a_debugging_session_at_the_keyboard() {
    let mut terminal = PtySession::new("debugging", &[], 80, 40);
    terminal.type_line(":break free.onClick");
    terminal.wait_for("break free.onClick");
    terminal.type_line("click{1,1}");
    terminal.wait_for("* breakpoint 1 in free.onClick at [1][1]");
    terminal.type_line("next");
    terminal.wait_for("                                 ^^^^^^^^^^^^^^^^");
    terminal.type_line("continue");
    terminal.wait_for("click{1,1} finished");
    terminal.type_line(":step winCondition");
    terminal.wait_for("Dry run");
    terminal.type_line("until 39");
    terminal.wait_for("=>  39      win {win OR falling OR rising}");
    terminal.type_line("step expr");
    terminal.wait_for("win {false OR false}");
    terminal.wait_for("false OR false is false");
    terminal.wait_for("Dry run finished: it would change nothing");
    terminal.type_line("click{0,0}");
    terminal.wait_for_at_cursor("stopped> ");
    terminal.type_line("step 2");
    terminal.wait_for("since the last stop: [0][0] free => O");
    terminal.type_line("back 2");
    terminal.wait_for("since the last stop: [0][0] O => free");
    terminal.type_line("jump back");
    terminal.wait_for("=>   9        endTurn {}");
    terminal.type_line("why [1][1]");
    terminal.wait_for("[1][1]: free => X");
    terminal.wait_for("by free.onClick at [1][1]");
    terminal.type_line("why not win");
    terminal.wait_for("winCondition, run on the current board");
}

#[test]
fn animation_steps_automatically_until_a_key_is_pressed() {
    let mut terminal = PtySession::new("animation", &[], 80, 40);
    terminal.type_line(":break winCondition");
    terminal.type_line("click{1,1}");
    terminal.wait_for("* breakpoint 1 in winCondition");
    terminal.type_line("play 40");
    terminal.wait_for("Press any key to stop");
    terminal.wait_for("winCondition, line 25, iteration 3");
    terminal.send_keys("x");
    terminal.wait_for("stopped after");
    terminal.wait_for_at_cursor("stopped> ");
    // The key is not part of the next entry.
    terminal.type_line("print turnCount");
    terminal.wait_for("= 0");
    terminal.type_line("play 0");
    terminal.wait_for("click{1,1} finished");
    terminal.wait_for_prompt_of("gridlok");
}

/// Names of pieces and files, pasted text and history can all contain control sequences.
#[test]
fn the_line_editor_never_prints_control_sequences_from_outside() {
    let evil = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31m\u{202e}\u{2066}\u{7f}\u{2028}";
    for (name, color) in [("controls", "always"), ("controls-plain", "never")] {
        let mut terminal = PtySession::new(name, &["--lang", "gridlok", "--color", color], 100, 50);
        let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("terminal")
            .join(name);
        std::fs::write(folder.join(format!("a{evil}.gl")), "").unwrap();
        std::fs::write(folder.join("ordinary.gl"), "").unwrap();
        let game = format!(
            "game {{ board {{ dimensions {{1, 1}} image {{b.png}} }} piece {{ name {{\"{evil}\"}} }} }}"
        );
        std::fs::write(folder.join("game.gl"), game).unwrap();
        terminal.type_line(":load game.gl");
        terminal.wait_for_prompt();
        for prefix in ["place{\"", ":glyph ", ":load ", ":break "] {
            terminal.send_keys(&format!("{prefix}\t\t"));
            std::thread::sleep(std::time::Duration::from_millis(150));
            terminal.send_keys("\x03");
            terminal.wait_for_prompt();
        }
        terminal.send_keys(&format!("\x1b[200~print{{\"pasted {evil}\"}}\x1b[201~"));
        terminal.wait_for("pasted");
        terminal.send_keys("\r");
        terminal.wait_for_prompt();
        terminal.send_keys("pri");
        terminal.wait_for_at_cursor("pasted");
        terminal.send_keys("\x03");
        terminal.wait_for_prompt();
        terminal.send_keys("\x1b[A");
        terminal.wait_for_at_cursor("pasted");
        let sent = terminal.raw_output();
        assert!(sent.contains("ordinary.gl"), "files are completed");
        for bad in [
            "\u{1b}]0;owned",
            "\u{1b}[2J",
            "\u{9b}",
            "\u{7}",
            "\u{202e}",
            "\u{2066}",
            "\u{7f}",
            "\u{2028}",
        ] {
            let at = sent.find(bad).unwrap_or(sent.len());
            assert!(
                at == sent.len(),
                "{bad:?} was sent after {:?}",
                &sent[at.saturating_sub(80)..at]
            );
        }
    }
}

/// A program with one function in the home directory of a terminal session.
fn write_game(name: &str) -> std::path::PathBuf {
    let home = crate::pty_session::home(name);
    let _ = std::fs::remove_dir_all(&home);
    std::fs::create_dir_all(&home).unwrap();
    let path = home.join("game.gl");
    let text = "game {\n  board { dimensions {1, 1} image {b.png} }\n  fun one() { return 1 }\n  winCondition { win {one{} == 2} }\n}\n";
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn the_prompt_shows_that_the_program_is_modified() {
    let path = write_game("modified");
    let mut terminal = PtySession::with_history("modified", &["game.gl"], 80, 24);
    terminal.wait_for_at_cursor("gridlok 1> ");
    terminal.type_line("1 + 1");
    terminal.wait_for_at_cursor("gridlok 2> ");
    terminal.type_line("fun one() { return 11 }");
    terminal.wait_for_at_cursor("gridlok* 3> ");
    terminal.type_line(":undo");
    terminal.wait_for_at_cursor("gridlok 3> ");
    terminal.type_line(":redo");
    terminal.wait_for_at_cursor("gridlok* 3> ");
    terminal.type_line(":save");
    terminal.wait_for("saved the program as game.gl");
    terminal.wait_for_at_cursor("gridlok 3> ");
    assert!(std::fs::read_to_string(path).unwrap().contains("return 11"));
    terminal.send_keys("\x04");
    assert_eq!(terminal.wait_for_exit(), 0);
}

#[test]
fn quitting_asks_once_about_unsaved_definitions() {
    let path = write_game("unsaved");
    let mut terminal = PtySession::with_history("unsaved", &["game.gl"], 80, 24);
    terminal.type_line("fun one() { return 11 }");
    terminal.wait_for_prompt();
    terminal.send_keys("\x04");
    terminal.wait_for("1 definition is not saved; :save keeps the program, Ctrl-D again quits");
    terminal.wait_for_prompt();
    // Another line means that the user stays.
    terminal.type_line("one{}");
    terminal.wait_for("= 11");
    terminal.type_line(":quit");
    terminal.wait_until("the second question", |t| {
        t.screen().matches("1 definition is not saved").count() == 2
    });
    terminal.wait_for_prompt();
    terminal.send_keys("\x04");
    assert_eq!(terminal.wait_for_exit(), 0);
    assert!(!std::fs::read_to_string(&path).unwrap().contains("11"));
    let mut terminal = PtySession::with_history("unsaved", &["--lang", "bogl"], 80, 24);
    terminal.type_line("let n = 2");
    terminal.wait_for_prompt();
    terminal.type_line(":q");
    terminal.wait_for("1 definition is not saved; :save NAME.bgl keeps the program");
    terminal.wait_for_prompt();
    terminal.type_line(":quit!");
    assert_eq!(terminal.wait_for_exit(), 0);
}

#[test]
fn a_restored_session_knows_what_was_saved() {
    write_game("saved-journal");
    let mut terminal = PtySession::with_history("saved-journal", &["game.gl"], 80, 24);
    terminal.type_line("fun one() { return 11 }");
    terminal.type_line(":save other.gl");
    terminal.wait_for("saved the program as other.gl");
    terminal.type_line("fun one() { return 12 }");
    terminal.wait_for_at_cursor("gridlok* 3> ");
    terminal.type_line(":quit!");
    assert_eq!(terminal.wait_for_exit(), 0);
    let mut terminal = PtySession::with_history("saved-journal", &["--resume"], 80, 24);
    terminal.wait_for_at_cursor("gridlok* 3> ");
    terminal.type_line(":undo");
    terminal.wait_for_at_cursor("gridlok 3> ");
    terminal.type_line(":redo");
    terminal.type_line(":save");
    terminal.wait_for("saved the program as other.gl");
}

#[test]
fn editing_without_a_chosen_editor_says_how_to_leave_it() {
    write_game("no-editor");
    let home = crate::pty_session::home("no-editor");
    // An editor that replaces a number.
    for name in ["nano", "vi"] {
        let path = home.join(name);
        std::fs::write(&path, "#!/bin/sh\nsed -i s/1/12/ \"$1\"\n").unwrap();
        let mut permissions = std::fs::metadata(&path).unwrap().permissions();
        std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o755);
        std::fs::set_permissions(&path, permissions).unwrap();
    }
    let program = format!(
        "unset VISUAL EDITOR; PATH={}:/usr/bin:/bin; export PATH; exec {} game.gl",
        home.display(),
        env!("CARGO_BIN_EXE_gridbug")
    );
    let mut terminal = PtySession::start("no-editor", "/bin/sh", &["-c", &program], 80, 24);
    terminal.type_line(":edit one");
    terminal.wait_for("Opening nano: Ctrl-O and Enter save, Ctrl-X leaves");
    terminal.wait_for("replaced function one");
    terminal.wait_for_at_cursor("gridlok* 2> ");
}

/// Starts gridbug with this setting of `PAGER`.
fn with_pager(name: &str, pager: &str) -> PtySession {
    let arguments = [pager, env!("CARGO_BIN_EXE_gridbug")];
    PtySession::start(name, "env", &arguments, 80, 16)
}

#[test]
fn a_long_reply_goes_through_the_pager() {
    // `:help time` has more lines than the screen.
    let mut terminal = with_pager("pager", "PAGER=sed s/^/page/");
    terminal.type_line(":help time");
    terminal.wait_for("page      redo what was undone");
    terminal.wait_for_prompt_of("gridlok");
    // What fits on the screen is printed.
    terminal.type_line(":help undo");
    terminal.wait_for("\n      take back the last move, answer or other change");
}

#[test]
fn without_a_pager_long_replies_are_shown_page_by_page() {
    let mut terminal = with_pager("more", "PAGER=/nonexistent/pager");
    terminal.type_line(":help time");
    terminal.wait_for_at_cursor("");
    terminal.wait_for("Space: more   Enter: a line   q: back to gridbug");
    assert!(!terminal.screen().contains("redo what was undone"));
    terminal.send_keys(" ");
    terminal.wait_for("redo what was undone");
    terminal.wait_for_prompt_of("gridlok");
    let screen = terminal.screen();
    assert!(!screen.contains("Space: more"), "{screen}");
    terminal.type_line(":help time");
    terminal.wait_for("Space: more");
    terminal.send_keys("q");
    terminal.wait_for_prompt_of("gridlok");
    // Any other key leaves the pager and is typed.
    terminal.type_line(":help time");
    terminal.wait_for("Space: more");
    terminal.send_keys("1");
    terminal.wait_for_at_cursor("gridlok 1> 1");
    terminal.send_keys(" + 1\r");
    terminal.wait_for("= 2");
}

#[test]
fn clear_clears_the_screen() {
    let mut terminal = PtySession::new("clear", &[], 80, 24);
    terminal.type_line("click{1,1}");
    terminal.wait_for("turn: o");
    terminal.type_line("clear");
    terminal.wait_until("an empty screen", |t| !t.screen().contains("turn: o"));
    terminal.wait_for_prompt_of("gridlok");
    terminal.type_line("exit");
    assert_eq!(terminal.wait_for_exit(), 0);
}

/// Enter runs the next step, and the next start continues where the lesson was left.
#[test]
fn a_lesson_advances_on_enter_and_is_continued_later() {
    let file = format!("{}/lesson.session", env!("CARGO_TARGET_TMPDIR"));
    let text = "language gridlok\nseed 1\n\n--- session\n\n# First.\n> def n {1}\n\n# Second.\n> n + 1\n\n\
        # Third.\n> n + 2\n";
    std::fs::write(&file, text).unwrap();
    let mut terminal = PtySession::new("lesson", &["lesson", &file], 80, 24);
    terminal.wait_for("First.");
    terminal.wait_for("1/3  Enter runs  def n {1}");
    terminal.send_keys("\r");
    terminal.wait_for("2/3  Enter runs  n + 1");
    terminal.type_line("n{7}");
    terminal.wait_for_prompt();
    terminal.send_keys("\r");
    terminal.wait_for("Back in the lesson");
    terminal.wait_for("= 2");
    terminal.wait_for("3/3  Enter runs  n + 2");
    terminal.send_keys("\x04");
    terminal.wait_for_exit();
    let mut terminal = PtySession::with_history("lesson", &["lesson", &file], 80, 24);
    terminal.wait_for("Continuing at step 3");
    terminal.wait_for("Third.");
    terminal.wait_for_prompt();
    terminal.send_keys("\r");
    terminal.wait_for("= 3");
    terminal.wait_for("The lesson ends here");
    terminal.send_keys("\x04");
    terminal.wait_for_exit();
    // A finished lesson starts from the beginning.
    let mut terminal = PtySession::with_history("lesson", &["lesson", &file], 80, 24);
    terminal.wait_for("1/3  Enter runs");
}

#[test]
fn a_lesson_asks_questions_and_writes_the_score() {
    let dir = std::env::temp_dir().join(format!("gridbug-score-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let path = |name: &str| dir.join(name).to_string_lossy().into_owned();
    let (lesson, score) = (path("questions.session"), path("score.json"));
    std::fs::write(
        &lesson,
        "# Sums.\nlanguage gridlok\nseed 1\n\n--- session\n\n# predict value\n> 1 + 1\n\n\
         # predict error\n> 1 / 0\n\n> 3\n",
    )
    .unwrap();
    let arguments = ["lesson", "--score", &score, &lesson];
    let mut terminal = PtySession::with_history("score", &arguments, 80, 24);
    terminal.wait_for("1/3  Enter runs  1 + 1");
    terminal.send_keys("\r");
    terminal.wait_for("? What is the value of `1 + 1`?");
    terminal.wait_for("answer> ");
    // An answer is not continued on the next line.
    terminal.type_line("{");
    terminal.wait_for("Wrong: 2, not {");
    terminal.wait_for("2/3  Enter runs  1 / 0");
    terminal.send_keys("\r");
    terminal.wait_for("? Does `1 / 0` end in an error?");
    terminal.type_line(":board");
    terminal.type_line("y");
    terminal.wait_for("Right: yes");
    terminal.send_keys("\x04");
    terminal.wait_for_exit();
    let text = std::fs::read_to_string(&score).unwrap();
    for expected in [
        "\"lesson\": \"questions.session\"",
        "\"right_answer\": \"2\"",
        "\"questions\": 2",
        "\"right\": 1",
    ] {
        assert!(text.contains(expected), "{expected} is not in {text}");
    }
    // What is answered later is added.
    let mut terminal = PtySession::with_history("score", &arguments, 80, 24);
    terminal.wait_for("Continuing at step 3");
    terminal.wait_for_prompt();
    terminal.type_line(":lesson 1");
    terminal.wait_for("1/3  Enter runs");
    terminal.send_keys("\r");
    terminal.wait_for("answer> ");
    terminal.send_keys("\r");
    terminal.wait_for("Skipped; the answer is 2");
    terminal.send_keys("\x04");
    terminal.wait_for_exit();
    let text = std::fs::read_to_string(&score).unwrap();
    assert!(text.contains("\"questions\": 3"), "{text}");
    std::fs::remove_dir_all(&dir).unwrap();
}

/// The list of the course shows how far each lesson was played.
#[test]
fn the_course_is_listed_with_the_progress_in_it() {
    let arguments = ["lesson", "tinygame", "1"];
    let mut terminal = PtySession::new("course", &arguments, 80, 24);
    terminal.wait_for("1/12  Enter runs  :program");
    terminal.send_keys("\r");
    terminal.wait_for("2/12  Enter runs  knight.gold");
    terminal.send_keys(":lesson tinygame\r");
    terminal.wait_for("at step 2 of 12");
    terminal.wait_for_prompt();
    terminal.send_keys("\x04");
    terminal.wait_for_exit();
    let mut terminal = PtySession::with_history("course", &arguments, 80, 24);
    terminal.wait_for("Continuing at step 2");
    terminal.wait_for_prompt();
    terminal.type_line(":lesson 12");
    terminal.wait_for("12/12  Enter runs");
    terminal.send_keys("\r");
    terminal.wait_for("answer> ");
    terminal.send_keys("\r");
    terminal.wait_for("The next one is `:lesson tinygame 2`");
    terminal.send_keys("\x04");
    terminal.wait_for_exit();
    let mut terminal = PtySession::with_history("course", &["lesson", "tinygame", "2"], 80, 24);
    terminal.wait_for("  Enter runs  :program");
    terminal.send_keys(":lesson tinygame\r");
    terminal.wait_for("finished");
}

/// Enter checks the answer to an exercise; a check that fails can be played and looked at.
#[test]
fn an_exercise_is_checked_on_enter() {
    let file = format!(
        "{}/sessions/gridlok/exercise-row.session",
        env!("CARGO_MANIFEST_DIR")
    );
    let mut terminal = PtySession::new("exercise", &["lesson", &file], 80, 24);
    terminal.wait_for("Enter runs  click{0,0}");
    terminal.wait_for_prompt();
    terminal.send_keys("\r");
    terminal.wait_for("Enter runs  :restart");
    terminal.wait_for_prompt();
    terminal.send_keys("\r");
    terminal.wait_for("Write winCondition; Enter checks it");
    terminal.wait_for_prompt();
    terminal.send_keys("\r");
    terminal.wait_for("Nothing to check yet");
    terminal.wait_for_prompt();
    terminal.type_line("winCondition { win {board[0][1].name == \"X\"} }");
    terminal.wait_for("defined winCondition");
    terminal.wait_for_prompt();
    terminal.send_keys("\r");
    terminal.wait_for("Not yet: check 1 of 2 fails");
    terminal.wait_for("your game: x has won");
    terminal.wait_for_prompt();
    terminal.type_line(":lesson try");
    terminal.wait_for("> click{0,1}");
    terminal.wait_for_prompt();
    terminal.type_line(":why win");
    terminal.wait_for("by winCondition");
    terminal.wait_for_prompt();
    terminal.type_line(
        "winCondition { def w {true} for p in row(0) { w {w AND p.name == \"X\"} } win {w} }",
    );
    terminal.wait_for("replaced winCondition");
    terminal.wait_for_prompt();
    terminal.send_keys("\r");
    terminal.wait_for("Solved: all 2 checks pass");
    terminal.wait_for("The lesson continues with your program");
    terminal.wait_for("4/5  Enter runs");
}

/// Enter runs the next step of a lesson, also after a reply that is longer than the screen.
#[test]
fn a_long_reply_in_a_lesson_is_not_paged() {
    let mut terminal = PtySession::new("lesson-pager", &["lesson", "gridlok", "10"], 80, 24);
    for next in ["click{0,1}", ":program", "fun double(n)", "double{21}"] {
        terminal.wait_for_prompt();
        terminal.send_keys("\r");
        terminal.wait_for(&format!("Enter runs  {next}"));
    }
}

/// What a step prints appears while it runs, below the step.
#[test]
fn the_output_of_a_step_is_below_the_step() {
    let file = format!("{}/printing.session", env!("CARGO_TARGET_TMPDIR"));
    let text = "language gridlok\nseed 1\n\n--- session\n\n> print{6 + 1}\n";
    std::fs::write(&file, text).unwrap();
    let mut terminal = PtySession::new("printing", &["lesson", &file], 80, 24);
    terminal.wait_for("1/1  Enter runs");
    terminal.wait_for_prompt();
    terminal.send_keys("\r");
    terminal.wait_for("The lesson ends here");
    let screen = terminal.screen();
    let line = |text: &str| screen.lines().position(|line| line.trim_end() == text);
    assert!(
        line("> print{6 + 1}").unwrap() < line("7").unwrap(),
        "{screen}"
    );
}

#[test]
fn errors_of_the_command_line_are_wrapped_at_spaces() {
    let garden = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/src/languages/sgl2d/info/sample.sgl2d"
    );
    let arguments = ["run", garden, "--opponent", "o"];
    let program = env!("CARGO_BIN_EXE_gridbug");
    let mut terminal = PtySession::spawn("wrapped-errors", program, &arguments, 80, 24);
    terminal.wait_for("against");
    let screen = terminal.screen();
    assert!(screen.contains("nobody to play\nagainst"), "{screen}");
}
