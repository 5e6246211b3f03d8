//! The REPL in a pseudo-terminal: keys in, screen out.

use crate::keyboard::Keyboard;

#[test]
fn it_starts_with_a_game_and_suggestions() {
    let mut k = Keyboard::new("starts", &[], 80, 24);
    k.sees("gridlok>");
    let screen = k.screen();
    assert!(
        screen.contains("click{0,0}") && screen.contains(":help"),
        "{screen}"
    );
    assert!(screen.contains("   2  ·  ·  ·"), "{screen}");
    assert!(
        screen
            .lines()
            .position(|l| l.contains("0  1  2"))
            .is_some_and(|n| n <= 4),
        "the banner has at most four lines:\n{screen}"
    );
}

#[test]
fn undo_reverts_a_click() {
    let mut k = Keyboard::new("click", &[], 80, 24);
    k.enter("click{1,1}");
    k.sees("1  · (X) ·");
    k.sees("turn: o");
    k.enter(":undo");
    k.sees("undone: click{1,1}");
    k.sees("(·)");
}

#[test]
fn an_entry_can_span_several_lines() {
    let mut k = Keyboard::new("lines", &[], 80, 30);
    k.enter("fun add(a, b) {");
    k.sees("     ... ");
    k.enter("return a + b");
    k.enter("}");
    k.sees("defined function add");
    k.enter("add{20, 22}");
    k.sees("= 42");
    k.enter("if true {");
    k.sees_last("... ");
    k.enter("");
    k.sees("unclosed");
}

#[test]
fn an_error_shows_its_source_line() {
    let mut k = Keyboard::new("error", &[], 80, 24);
    k.enter("click{1, clumn}");
    k.sees("unknown name `clumn`");
    k.sees("1 | click{1, clumn}");
    k.sees("  |          ^^^^^");
}

#[test]
fn long_errors_are_wrapped_and_labels_stay_next_to_their_span() {
    let mut k = Keyboard::new("folded", &["--lang", "bogl"], 80, 40);
    k.enter("let x = (1,2) in while x#1 < 3 do x#1");
    k.sees("error[BG045]: the loop body, which is the new value of `x`, must be a\n");
    k.sees("\n              `(Int,Int)`, found an `Int`\n");
    k.enter("type Player = {X, O} type Board = Array (3,3) of Player & {Empty}");
    k.enter("next : Player -> Player next(p) = p");
    k.enter("now : Board now!(x,y) = X");
    k.enter("next(now!(1,1))");
    k.sees("board cells are declared here as a `Content`\n");
    // An error without a source location is not indented.
    k.enter("input + 1");
    k.sees_last("input : Int");
    k.keys("one\r");
    k.sees("found `one`\nnote: type a constant such as `1`");
    k.sees_last("input : Int");
    k.keys("2\r");
    k.sees("= 3");
}

#[test]
fn ctrl_c_clears_the_line_and_ctrl_d_quits() {
    let mut k = Keyboard::new("keys", &[], 80, 24);
    k.keys("click{0,0}");
    k.sees_last("gridlok> click{0,0}");
    k.keys("\x03");
    k.bare_prompt();
    k.enter("turnCount");
    k.sees("= 0");
    k.keys("\x04");
    assert_eq!(k.ends(), 0);
}

#[test]
fn ctrl_c_stops_an_endless_loop() {
    let mut k = Keyboard::new("endless", &[], 100, 30);
    k.enter("click{0,0}");
    k.sees("(X)");
    k.enter("for i(0,2) { i{0} }");
    std::thread::sleep(std::time::Duration::from_millis(300));
    k.keys("\x03");
    k.sees("stopped");
    k.enter(":abandon");
    k.sees_last("gridlok> ");
    k.enter("turnCount");
    k.sees("= 1");
}

/// After Ctrl-C you can inspect, step, step back and continue, even if conditional breakpoints are
/// evaluated all the time.
#[test]
fn after_ctrl_c_you_can_inspect_step_and_continue() {
    let mut k = Keyboard::new("interrupt", &["--lang", "gridlok"], 100, 40);
    let program = "board { dimensions {2, 2} image {b.png} } def n {0} \
        fun spin(k) { for i(0, 2) { n {n + k} if n < 2000000000 { i {0} } } return n }";
    k.enter(program);
    k.sees("defined");
    for condition in ["", " if n == 0 - 1"] {
        if !condition.is_empty() {
            k.enter(&format!(":break spin{condition}"));
            k.enter(":break 1 if n < 0");
            k.sees("2  break 1");
        }
        k.enter("spin{1}");
        std::thread::sleep(std::time::Duration::from_millis(300));
        k.keys("\x03");
        k.sees("* interrupted, spin");
        k.sees("`continue` to resume, `abandon` to cancel the entry");
        k.sees_last("stopped> ");
        k.enter("print k + 41");
        k.sees("= 42");
        k.enter("where");
        k.sees("spin{1}");
        k.enter("step");
        k.sees("since the last stop: n ");
        k.enter("rs 2");
        k.sees_last("stopped> ");
        k.enter("continue");
        std::thread::sleep(std::time::Duration::from_millis(300));
        k.keys("\x03");
        k.sees_last("stopped> ");
        k.enter("n {2000000000}");
        k.enter(":delete");
        k.enter("continue");
        k.sees("= 200000000");
        k.sees_last("gridlok> ");
        k.enter("n {0}");
        k.keys("\x0c");
        k.bare_prompt();
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
        stopped: "* interrupted, up",
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
        stopped: "* interrupted, fib",
        inspect: ["print n < 81", "= True"],
    },
    LongRun {
        language: "gridlang",
        defined: &[
            "function spin(): int { int k = 0; while (k < 2000000000) { k++; if (k > 1000000) k = 1 }; return k }",
        ],
        run: "spin()",
        stopped: "* interrupted, spin",
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
        let mut k = Keyboard::new(&format!("interrupt-{n}"), &["--lang", language], 100, 60);
        defined.iter().for_each(|line| k.enter(line));
        k.bare_prompt();
        k.enter(run);
        std::thread::sleep(std::time::Duration::from_millis(300));
        k.keys("\x03");
        k.sees(stopped);
        k.sees_last("stopped> ");
        k.enter(command);
        k.sees(value);
        k.enter("where");
        k.sees(run);
        k.enter("step");
        k.enter("rs");
        k.sees("You are in the past");
        k.enter("continue");
        std::thread::sleep(std::time::Duration::from_millis(300));
        k.keys("\x03");
        k.sees_last("stopped> ");
        k.enter("abandon");
        k.sees("cancelled: ");
        k.sees_last(&format!("{language}> "));
    }
}

#[test]
fn history_is_kept_between_sessions() {
    let mut k = Keyboard::new("history", &[], 80, 24);
    k.enter("for i(0, 2) {");
    k.sees_last("... ");
    k.enter("print{i + 40}");
    k.enter("}");
    k.sees("41");
    k.bare_prompt();
    k.keys("\x04");
    k.ends();
    let mut k = Keyboard::again("history", &[], 80, 24);
    k.keys("\x1b[A");
    k.sees("print{i + 40}");
    k.keys("\r");
    k.sees("41");
    k.bare_prompt();
    k.keys("\x12i + 4");
    k.sees("reverse-i-search");
}

#[test]
fn tab_completes_and_an_inline_hint_is_shown() {
    let mut k = Keyboard::new("tab", &[], 80, 24);
    k.keys("chan\t");
    k.sees_last("changeType");
    k.keys("\x03");
    k.bare_prompt();
    k.keys(":hist");
    k.sees_last(":history");
}

#[test]
fn a_pasted_program_is_one_entry() {
    let mut k = Keyboard::new("paste", &["--lang", "gridlok"], 80, 30);
    let program = "game {\n  board { dimensions {2, 3} image {b.png} }\n\n  piece { name {\"pawn\"} image {p.png} }\n\n  \
        setup { place {\"pawn\", 1, 2} }\n}";
    k.keys(&format!("\x1b[200~{program}\x1b[201~"));
    k.sees("setup {");
    k.keys("\r");
    k.sees("1  ·  ·  p");
}

#[test]
fn output_fits_a_narrow_terminal() {
    let mut k = Keyboard::new("narrow", &[], 40, 20);
    k.enter(":help");
    k.sees("language.");
    k.enter("board { dimensions {3, 60} image {b.png} }");
    k.sees("columns 0 to 16");
    // Wrapped between words, and indented like the first row.
    k.sees("\n     of 60; `:board at R,C` shows\n");
}

/// The first reply after resizing fits, although the prompt was printed before.
#[test]
fn resizing_at_the_prompt_applies_to_the_next_reply() {
    let mut k = Keyboard::new("narrowed", &[], 100, 30);
    k.enter(":break free.onClick");
    k.sees("break free.onClick");
    k.bare_prompt();
    k.resize(46, 30);
    k.enter("click{1,1}");
    k.sees("* breakpoint 1, free.onClick at [1][1]\n  time 227");
    k.sees("  pieceRow=1 pieceCol=1\n      0  1  2\n");
}

#[test]
fn a_blank_line_at_a_stop_repeats_the_step() {
    let mut k = Keyboard::new("stop", &[], 90, 40);
    k.enter(":break winCondition");
    k.sees("break winCondition");
    k.enter("click{0,0}");
    k.sees("breakpoint 1, winCondition");
    k.sees_last("stopped> ");
    k.enter("step");
    k.sees("def line {true}");
    k.enter("");
    k.sees("=>  25");
    k.enter("continue");
    k.sees_last("gridlok> ");
}

#[test]
fn a_stop_shows_the_board_below_or_beside_it() {
    let mut k = Keyboard::new("board-below", &[], 80, 24);
    k.enter(":break free.onClick");
    k.enter("click{1,1}");
    k.sees("  pieceRow=1 pieceCol=1\n      0  1  2\n   0  ·  ·  ·\n   1  · [·] ·");
    let mut k = Keyboard::new("board-beside", &[], 120, 30);
    k.enter(":break free.onClick");
    k.enter("click{1,1}");
    // The current cell is marked on the board.
    k.sees("=>   8        if turn == \"x\" { changeType {\"X\"} } else { changeType {\"O\"} }");
    k.sees("1  · [·] ·");
    let screen = k.screen();
    let row = screen
        .lines()
        .find(|l| l.contains("* breakpoint 1, free.onClick at [1][1]"))
        .expect("a stop");
    assert!(
        row.ends_with("0  1  2"),
        "the board starts next to the header of the stop:\n{screen}"
    );
    k.enter("step 2");
    k.sees("since the last stop: [1][1] free => X");
    k.sees("1  · [X] ·");
}

/// A debugging session: into a handler, through a condition step by step, back and forth, `why`.
#[test]
fn a_debugging_session_at_the_keyboard() {
    let mut k = Keyboard::new("hunt", &[], 80, 40);
    k.enter(":break free.onClick");
    k.sees("break free.onClick");
    k.enter("click{1,1}");
    k.sees("* breakpoint 1, free.onClick at [1][1]");
    k.enter("next");
    k.sees("                                 ^^^^^^^^^^^^^^^^");
    k.enter("continue");
    k.sees("click{1,1} finished");
    k.enter(":step winCondition");
    k.sees("Dry run");
    k.enter("until 39");
    k.sees("=>  39      win {win OR down OR up}");
    k.enter("step expr");
    k.sees("win {false OR false}");
    k.sees("false OR false is false");
    k.sees("Dry run finished: it would change nothing");
    k.enter("click{0,0}");
    k.sees_last("stopped> ");
    k.enter("step 2");
    k.sees("since the last stop: [0][0] free => O");
    k.enter("back 2");
    k.sees("since the last stop: [0][0] O => free");
    k.enter("jump back");
    k.sees("=>   9        endTurn {}");
    k.enter("why [1][1]");
    k.sees("[1][1]: free => X");
    k.sees("by free.onClick at [1][1]");
    k.enter("why not win");
    k.sees("winCondition, run on the current board");
}

#[test]
fn animation_steps_automatically_until_a_key_is_pressed() {
    let mut k = Keyboard::new("slow", &[], 80, 40);
    k.enter(":break winCondition");
    k.enter("click{1,1}");
    k.sees("* breakpoint 1, winCondition");
    k.enter("play 40");
    k.sees("Press any key to stop");
    k.sees("winCondition, iteration 3");
    k.keys("x");
    k.sees("stopped after");
    k.sees_last("stopped> ");
    // The key is not part of the next entry.
    k.enter("print turnCount");
    k.sees("= 0");
    k.enter("play 0");
    k.sees("click{1,1} finished");
    k.sees_last("gridlok> ");
}

/// Names of pieces and files, pasted text and history can all contain control sequences.
#[test]
fn the_line_editor_never_prints_control_sequences_from_outside() {
    let evil = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31m\u{202e}\u{2066}\u{7f}\u{2028}";
    for (name, color) in [("steered", "always"), ("steered-plain", "never")] {
        let mut k = Keyboard::new(name, &["--lang", "gridlok", "--color", color], 100, 50);
        let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("terminal")
            .join(name);
        std::fs::write(folder.join(format!("a{evil}.gl")), "").unwrap();
        std::fs::write(folder.join("ordinary.gl"), "").unwrap();
        let game = format!(
            "game {{ board {{ dimensions {{1, 1}} image {{b.png}} }} piece {{ name {{\"{evil}\"}} }} }}"
        );
        std::fs::write(folder.join("game.gl"), game).unwrap();
        k.enter(":load game.gl");
        k.bare_prompt();
        for prefix in ["place{\"", ":glyph ", ":load ", ":break "] {
            k.keys(&format!("{prefix}\t\t"));
            std::thread::sleep(std::time::Duration::from_millis(150));
            k.keys("\x03");
            k.bare_prompt();
        }
        k.keys(&format!("\x1b[200~print{{\"pasted {evil}\"}}\x1b[201~"));
        k.sees("pasted");
        k.keys("\r");
        k.bare_prompt();
        k.keys("pri");
        k.sees_last("pasted");
        k.keys("\x03");
        k.bare_prompt();
        k.keys("\x1b[A");
        k.sees_last("pasted");
        let sent = k.sent();
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
