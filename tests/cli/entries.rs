//! Entries of several lines: blank lines, commands between the lines, and pasted text.

use crate::pty_session::PtySession;

/// Pastes text at the prompt, in the way that terminals mark it, and presses Enter.
fn paste(terminal: &mut PtySession, text: &str) {
    terminal.wait_until("a prompt", PtySession::is_at_prompt);
    terminal.send_keys(&format!("\x1b[200~{text}\x1b[201~"));
    terminal.wait_for_at_cursor(text.lines().last().unwrap().trim());
    terminal.send_keys("\r");
}

#[track_caller]
fn assert_shown(terminal: &PtySession, texts: &[&str]) {
    let screen = terminal.screen();
    for text in texts {
        assert!(screen.contains(text), "no {text:?} in\n{screen}");
    }
}

#[test]
fn an_entry_can_span_several_lines() {
    let mut terminal = PtySession::new("lines", &[], 80, 30);
    terminal.type_line("fun add(a, b) {");
    terminal.wait_for("     ... ");
    terminal.type_line("return a + b");
    terminal.type_line("}");
    terminal.wait_for("defined function add");
    terminal.type_line("add{20, 22}");
    terminal.wait_for("= 42");
}

/// An unfinished entry in each language that has them: its first line, the rest, and an entry that
/// shows that it was run.
struct MultiLine {
    language: &'static str,
    first: &'static str,
    rest: &'static [&'static str],
    check: [&'static str; 2],
}

const MULTI_LINES: &[MultiLine] = &[
    MultiLine {
        language: "gridlok",
        first: "fun six() {",
        rest: &["return 6", "}"],
        check: ["six{} * 7", "= 42"],
    },
    MultiLine {
        language: "bogl",
        first: "six : Int -> Int",
        rest: &["six(n) = n"],
        check: ["six(6) * 7", "= 42"],
    },
    MultiLine {
        language: "gridlang",
        first: "function six(): int {",
        rest: &["return 6", "}"],
        check: ["six() * 7", "= 42"],
    },
    MultiLine {
        language: "tinygame",
        first: "player hero {",
        rest: &["x = 0;", "gold = 42;", "}"],
        check: ["hero.gold", "= 42"],
    },
];

#[test]
fn commands_work_inside_an_unfinished_entry() {
    for entry in MULTI_LINES {
        let name = format!("unfinished-{}", entry.language);
        let mut terminal = PtySession::new(&name, &["--lang", entry.language], 80, 60);
        terminal.type_line(entry.first);
        for (command, reply) in [
            (":breaks", "No breakpoints"),
            (":hlep", "unknown command `:hlep`; did you mean `:help`?"),
        ] {
            terminal.wait_for_at_cursor("... ");
            terminal.type_line(command);
            terminal.wait_for(reply);
        }
        terminal.wait_for_at_cursor("... ");
        for line in entry.rest {
            terminal.type_line(line);
        }
        let [line, reply] = entry.check;
        terminal.type_line(line);
        terminal.wait_for(reply);
        for discard in [":cancel\r", "\x03"] {
            terminal.type_line(entry.first);
            terminal.wait_for_at_cursor("... ");
            terminal.send_keys(discard);
            terminal.wait_for(&format!("cancelled: {}", entry.first));
            terminal.wait_for_prompt_of(entry.language);
            terminal.type_line(":clear");
        }
        terminal.type_line(line);
        terminal.wait_for(reply);
    }
}

/// Inside brackets, one blank line is layout; two end the entry, as one does elsewhere.
#[test]
fn blank_lines_end_an_unfinished_entry() {
    for entry in MULTI_LINES {
        let name = format!("blank-lines-{}", entry.language);
        let mut terminal = PtySession::new(&name, &["--lang", entry.language], 80, 60);
        let is_bracket = entry.first.ends_with('{');
        if is_bracket {
            terminal.type_line(entry.first);
            terminal.type_line("");
            terminal.wait_for_at_cursor("... ");
            for line in entry.rest {
                terminal.type_line(line);
            }
            let [line, reply] = entry.check;
            terminal.type_line(line);
            terminal.wait_for(reply);
        }
        terminal.type_line(entry.first);
        terminal.wait_for_at_cursor("... ");
        for _ in 0..=usize::from(is_bracket) {
            terminal.type_line("");
        }
        terminal.wait_for("error");
        terminal.wait_for_prompt_of(entry.language);
    }
}

#[test]
fn an_unfinished_entry_is_discarded_when_the_language_changes() {
    let mut terminal = PtySession::new("unfinished-lang", &[], 80, 60);
    terminal.type_line("fun six() {");
    terminal.wait_for_at_cursor("... ");
    terminal.type_line(":lang bogl");
    terminal.wait_for("cancelled: fun six() {");
    terminal.wait_for_prompt_of("bogl");
    terminal.type_line("6 * 7");
    terminal.wait_for("= 42");
}

#[test]
fn ctrl_d_in_an_unfinished_entry_keeps_it_if_you_stay() {
    let mut terminal = PtySession::new("unfinished-quit", &[], 80, 60);
    terminal.type_line("fun five() { return 5 }");
    terminal.type_line("fun six() {");
    terminal.wait_for_at_cursor("... ");
    terminal.send_keys("\x04");
    terminal.wait_for("Ctrl-D");
    terminal.wait_for_at_cursor("... ");
    terminal.type_line("return five{} + 1 }");
    terminal.type_line("six{} * 7");
    terminal.wait_for("= 42");
}

#[test]
fn a_pasted_worksheet_runs_line_by_line() {
    let mut terminal = PtySession::new("worksheet", &[], 80, 90);
    let worksheet = [
        "click{0,0}",
        ":undo",
        "",
        "fun two() {",
        "",
        "  return 2",
        "}",
        ":break free.onClick",
        "click{1,1}",
        "where",
        "abandon",
        ":delete",
        "two{} * 21",
    ];
    paste(&mut terminal, &worksheet.join("\n"));
    terminal.wait_for("two{} * 21\n= 42");
    assert_shown(
        &terminal,
        &[
            "gridlok 1> click{0,0}\n      0  1  2\n   0 (X) ·  ·",
            "gridlok 2> :undo\nundone: click{0,0}",
            "gridlok 2> fun two() {\n       ... \n       ...   return 2\n       ... }\nThe moves you undid",
            "stopped> where\n=>  0  free.onClick",
            "stopped> abandon\ncancelled: click{1,1}",
        ],
    );
    // Each of them is in the history.
    terminal.wait_for_prompt_of("gridlok");
    terminal.send_keys("\x1b[A\x1b[A");
    terminal.wait_for_at_cursor("> :delete");
}

/// In TinyGame, a word without a semicolon could be the start of a statement, but at a stop it is a
/// command.
#[test]
fn pasted_commands_at_a_stop_need_no_colon() {
    let mut terminal = PtySession::new("worksheet-stop", &["--lang", "tinygame"], 80, 90);
    terminal.wait_for_prompt_of("tinygame");
    paste(
        &mut terminal,
        "player hero { x = 0; y = 0; }\n:watch hero.x\nmove hero right 5;\nwhere\nabandon\nhero.x",
    );
    terminal.wait_for("= 0\ntinygame 4>");
    assert_shown(&terminal, &["stopped> where\n=>  0", "stopped> abandon"]);
}

#[test]
fn a_pasted_program_is_one_entry() {
    let mut terminal = PtySession::new("paste", &["--lang", "gridlok"], 80, 30);
    paste(
        &mut terminal,
        "game {\n  board { dimensions {2, 3} image {b.png} }\n\n  piece { name {\"pawn\"} image {p.png} }\n\n  \
        setup { place {\"pawn\", 1, 2} }\n}",
    );
    terminal.wait_for("1  ·  ·  p");
    terminal.wait_for_at_cursor("gridlok 2>");
}

/// Lines that make no sense alone are run together.
#[test]
fn pasted_lines_that_compile_only_together_are_one_entry() {
    for (language, text, check) in [
        (
            "gridlang",
            "function six(): int\n{\n  return 6\n}",
            "six() * 7",
        ),
        (
            "gridlok",
            "fun six() { return three{} * 2 }\nfun three() { return 3 }",
            "six{} * 7",
        ),
        (
            "bogl",
            "six : Int -> Int\nsix(n) = three(n) * 2\n\nthree : Int -> Int\nthree(n) = 3",
            "six(0) * 7",
        ),
    ] {
        let name = format!("paste-{language}");
        let mut terminal = PtySession::new(&name, &["--lang", language], 80, 60);
        paste(&mut terminal, text);
        terminal.wait_for("defined");
        terminal.type_line(check);
        terminal.wait_for("= 42");
        assert!(
            !terminal.screen().contains("error"),
            "{}",
            terminal.screen()
        );
    }
}

/// Also between commands: a brace or an `else` on a line of its own belongs to the lines before it.
#[test]
fn pasted_lines_that_make_no_sense_alone_belong_to_those_before() {
    let mut terminal = PtySession::new("paste-else", &["--lang", "gridlang"], 80, 60);
    let text = "int n = 5\n:breaks\nfunction six(): int\n{\n  return 6\n}\nint m = six()\n\
        if (m > 3)\n{\n  n = 7\n}\nelse\n{\n  n = 1\n}\nn * 6";
    paste(&mut terminal, text);
    terminal.wait_for("n * 6\n= 42");
    assert_shown(
        &terminal,
        &["gridlang 3> int m = six()\n", "gridlang 4> if (m > 3)\n"],
    );
    assert!(
        !terminal.screen().contains("error"),
        "{}",
        terminal.screen()
    );
    // A program and commands; the functions call each other.
    let mut terminal = PtySession::new("paste-program", &["--lang", "gridlok"], 80, 60);
    let text = "fun six() { return three{} * two{} }\nfun three() { return two{} + 1 }\n\
        fun two() { return 2 }\n:break two\nsix{} * 7\nwhere\n:delete\ncontinue";
    paste(&mut terminal, text);
    terminal.wait_for("= 42");
    assert_shown(&terminal, &["stopped> where\n=>  0  two"]);
    assert!(
        !terminal.screen().contains("error"),
        "{}",
        terminal.screen()
    );
}

#[test]
fn a_pasted_line_answers_the_program() {
    let mut terminal = PtySession::new("paste-answer", &["--lang", "bogl"], 80, 60);
    paste(&mut terminal, "input + 1\n41\n6 * 7");
    terminal.wait_for("input + 1\ninput : Int 41\n= 42");
    terminal.wait_for("6 * 7\n= 42");
}

#[test]
fn ctrl_c_discards_the_rest_of_a_pasted_text() {
    let mut terminal = PtySession::new("paste-interrupt", &[], 80, 60);
    paste(&mut terminal, "for i(0,2) { i{0} }\n1 + 1\n2 + 2");
    std::thread::sleep(std::time::Duration::from_millis(500));
    terminal.send_keys("\x03");
    terminal.wait_for("2 pasted lines were not run");
    terminal.wait_for_at_cursor("stopped> ");
}

/// Opens the prompt of the view and deletes the colon.
fn open_view_prompt(terminal: &mut PtySession) {
    terminal.send_keys(":");
    terminal.wait_for_at_cursor("> :");
    terminal.send_keys("\x7f");
    terminal.wait_for_prompt();
}

#[test]
fn the_prompt_of_the_view_reads_entries_the_same_way() {
    let mut terminal = PtySession::new("view-entries", &["--plain"], 80, 40);
    terminal.type_line(":view");
    terminal.wait_for("? keys");
    open_view_prompt(&mut terminal);
    terminal.type_line("fun six() {");
    terminal.wait_for_at_cursor("... ");
    terminal.type_line(":breaks");
    terminal.wait_for("No breakpoints");
    terminal.type_line("return 6 }");
    terminal.wait_for("defined function six");
    terminal.wait_for("? keys");
    open_view_prompt(&mut terminal);
    terminal.type_line("fun seven() {");
    terminal.wait_for_at_cursor("... ");
    terminal.type_line(":cancel");
    terminal.wait_for("cancelled: fun seven() {");
    terminal.wait_for("? keys");
    open_view_prompt(&mut terminal);
    paste(&mut terminal, "click{0,0}\n:undo\nsix{} * 7");
    terminal.wait_for("> click{0,0}");
    terminal.wait_for("undone: click{0,0}");
    terminal.wait_for("= 42");
    terminal.wait_for("? keys");
}
