//! Entries in the wrong language are recognized, and misspelled words get a suggestion.

use gridbug::answer::Control;
use gridbug::command::{handle_line, open_sample};
use gridbug::languages::{ALL, by_name};
use gridbug::render::AnswerText;
use gridbug::session::{Session, to_plain_text};

/// Typical lines of each language.
const LINES: &[(&str, &[&str])] = &[
    (
        "gridlok",
        &[
            "click{1,1}",
            "for p in board { print {p.name} }",
            "endTurn {}",
            "winCondition { win {true} }",
            "rows + cols",
            "turnCount",
        ],
    ),
    (
        "bogl",
        &[
            "let n = 3 in n + 1",
            "type Board = Array (3,3) of {X, O}",
            "if 1 == 2 then 3 else 4",
            // These use names that only exist in the user's own game.
            "place(X, b, (1,1))",
            "isFull(b)",
            "while x < 10 do x + 1",
        ],
    ),
    (
        "gridlang",
        &[
            "Player { int score }",
            "int n = 3",
            "gameLoop() { p.score++ }",
            "Bonus.colocation(Player) { Player.score++ }",
            "random(0,1)",
            "repeat",
        ],
    ),
    (
        "tinygame",
        &[
            "move hero left 1;",
            "player hero { x = 0; y = 0; }",
            "set hero.x = 3;",
            "print \"hello\";",
        ],
    ),
    (
        "sgl2d",
        &[
            "environment > x=5 y=3",
            "right 3",
            "event coin > inccounter1=1",
            "sprite lava > color=red",
        ],
    ),
];

#[test]
fn entries_in_another_language_are_recognized() {
    for (name, lines) in LINES {
        let title = by_name(name).expect("a language of that name").info().title;
        for session_language in ALL.iter().filter(|l| l.info().name != *name) {
            let info = session_language.info();
            for line in *lines {
                let mut session = Session::new(*session_language, 1);
                open_sample(&mut session);
                let reply = handle_line(&mut session, line);
                let answer = to_plain_text(&session, &reply).join("\n");
                let expected = format!(
                    "this looks like {title}, but this is a {} session; `:lang {name}` switches",
                    info.title
                );
                assert!(
                    !reply.ok && answer.contains(&expected),
                    "{line} in {}:\n{answer}",
                    info.title
                );
            }
        }
    }
}

#[test]
fn typos_are_not_taken_for_another_language() {
    for (language, line) in [
        ("gridlok", "clik{1,1}"),
        ("gridlok", "x = 3"),
        ("gridlok", "click(1,1)"),
        ("bogl", "p = 3"),
        ("gridlang", "while x < 3 { }"),
        ("gridlang", "turns"),
        ("gridlok", "if turn == { print {1} }"),
        ("bogl", "left(strat)"),
        ("bogl", "(1,2)#3"),
        ("bogl", "1 < 2 < 3"),
        ("bogl", "1 == 1 == 1"),
        ("bogl", "let X = 3"),
        ("bogl", "take(N) = 3"),
        ("gridlang", "ann.postion"),
        ("gridlang", "\"a\" + 1"),
        ("tinygame", "move knigt left 1;"),
        ("sgl2d", "rigth"),
        ("sgl2d", "event goal > win"),
        // SGL2D ignores unknown characters, so it accepts each of these.
        ("gridlok", "}"),
        ("bogl", "=="),
        ("gridlang", "}"),
        ("tinygame", "}"),
        ("tinygame", "\""),
    ] {
        let mut session = Session::new(by_name(language).expect("a language of that name"), 1);
        open_sample(&mut session);
        let reply = handle_line(&mut session, line);
        let answer = to_plain_text(&session, &reply).join("\n");
        assert!(
            !reply.ok && !answer.contains("this looks like"),
            "{line}:\n{answer}"
        );
    }
}

#[test]
fn unknown_commands_and_words_get_a_suggestion() {
    let mut session = Session::new(by_name("gridlok").expect("a language of that name"), 1);
    open_sample(&mut session);
    for (typed, wanted) in [
        (":brk onClick", "did you mean `:break`?"),
        (":contine", "did you mean `:continue`?"),
        (":halp", "did you mean `:help`?"),
        (
            ":turn",
            "it is a GridLang command, but this is a GridLok session",
        ),
        (":help inspectign", "did you mean `inspecting`?"),
        (":help brek", "did you mean `break`?"),
        (":break winCondtion", "did you mean `winCondition`?"),
        ("clik{1,1}", "did you mean `click`?"),
    ] {
        let reply = handle_line(&mut session, typed);
        let answer = to_plain_text(&session, &reply).join("\n");
        assert!(
            answer.contains(wanted),
            "{typed}: no {wanted:?} in\n{answer}"
        );
    }
    for word in ["xyzzy", "xyz", "zz", "qqq", "hello"] {
        let reply = handle_line(&mut session, &format!(":{word}"));
        assert_eq!(reply.text(), format!("error: unknown command `:{word}`"));
    }
}

#[test]
fn a_misspelled_keyword_at_the_start_gets_a_suggestion() {
    for (language, typed, keyword) in [
        ("gridlok", "bord { dimensions {3,3} }", "board"),
        ("gridlok", "peice { name {\"x\"} }", "piece"),
        ("gridlok", "winCondtion { win{true} }", "winCondition"),
        ("gridlok", "funn f() {}", "fun"),
        ("gridlok", "retrun 3", "return"),
        ("bogl", "typ Player = {X}", "type"),
        ("bogl", "whle True do 1", "while"),
        ("bogl", "Tru", "True"),
        ("bogl", "Flase", "False"),
        ("gridlang", "itn x = 3", "int"),
        ("gridlang", "functon f() { }", "function"),
        ("gridlang", "gameloop() { }", "gameLoop"),
        ("tinygame", "playr hero { x = 0; }", "player"),
        ("tinygame", "enmy w { x = 1; }", "enemy"),
        ("tinygame", "mov hero left 1;", "move"),
        ("tinygame", "prnt \"a\";", "print"),
        ("tinygame", "iff 1 > 0 { }", "if"),
        ("sgl2d", "sprit a >", "sprite"),
        ("sgl2d", "rigth", "right"),
    ] {
        let mut session = Session::new(by_name(language).expect("a language of that name"), 1);
        let reply = handle_line(&mut session, typed);
        let answer = to_plain_text(&session, &reply).join("\n");
        assert!(
            !reply.ok && answer.contains(&format!("did you mean `{keyword}`")),
            "{typed}:\n{answer}"
        );
    }
}

/// Language, a breakpoint, and a line that reaches it.
const STOPS: &[(&str, &str, &str)] = &[
    ("gridlok", ":break mine", "click{1,1}"),
    ("bogl", ":break take", "take(2, start)"),
    ("gridlang", ":break gameLoop", ":turn"),
    ("tinygame", ":break 25", ":restart"),
    ("sgl2d", ":break event player", "right"),
];

#[test]
fn typos_of_commands_are_corrected_at_a_stop() {
    for (language, breakpoint, line) in STOPS {
        let mut session = Session::new(by_name(language).expect("a language of that name"), 1);
        open_sample(&mut session);
        handle_line(&mut session, breakpoint);
        assert!(handle_line(&mut session, line).stop.is_some(), "{language}");
        for (typed, command) in [
            ("stpe", "step"),
            ("contniue", "continue"),
            ("finsh", "finish"),
        ] {
            let reply = handle_line(&mut session, typed);
            let answer = to_plain_text(&session, &reply).join("\n");
            let expected = format!("did you mean the command `{command}`?");
            assert!(answer.contains(&expected), "{language}: {typed}:\n{answer}");
        }
        let reply = handle_line(&mut session, "xyzzy");
        let answer = to_plain_text(&session, &reply).join("\n");
        assert!(!answer.contains("the command"), "{language}:\n{answer}");
    }
}

#[test]
fn help_quit_and_clear_need_no_colon() {
    for (language, breakpoint, line) in STOPS {
        let mut session = Session::new(by_name(language).expect("a language of that name"), 1);
        open_sample(&mut session);
        handle_line(&mut session, breakpoint);
        for is_stopped in [false, true] {
            if is_stopped {
                assert!(handle_line(&mut session, line).stop.is_some(), "{language}");
            }
            for word in ["help", "?", "help step", "? step"] {
                let reply = handle_line(&mut session, word);
                let expected = handle_line(&mut session, &format!(":{word}"));
                assert!(reply.ok, "{language}: {word}");
                assert_eq!(reply.text(), expected.text(), "{language}: {word}");
            }
            for word in ["quit", "exit"] {
                assert!(
                    handle_line(&mut session, word).is_quit(),
                    "{language}: {word}"
                );
            }
            let clear = handle_line(&mut session, "clear").control;
            assert_eq!(clear, Some(Control::ClearScreen), "{language}");
        }
    }
}

#[test]
fn a_name_of_the_program_wins_over_a_command_without_colon() {
    for (language, definition, line, value) in [
        ("gridlok", "def help{3}", "help", "3"),
        ("bogl", "let quit = 3", "quit", "3"),
        ("gridlang", "int exit = 3", "exit", "3"),
    ] {
        let mut session = Session::new(by_name(language).expect("a language of that name"), 1);
        assert!(handle_line(&mut session, definition).ok, "{language}");
        let reply = handle_line(&mut session, line);
        assert_eq!(reply.value.as_deref(), Some(value), "{language}");
    }
}

#[test]
fn short_aliases_work() {
    let mut session = Session::new(by_name("gridlok").expect("a language of that name"), 1);
    open_sample(&mut session);
    for (alias, command) in [
        (":t turn", ":whatis turn"),
        (":l", ":list"),
        (":cls", ":clear"),
    ] {
        let reply = handle_line(&mut session, alias);
        assert!(reply.ok, "{alias}");
        assert_eq!(reply.text(), handle_line(&mut session, command).text());
    }
    assert_eq!(
        gridbug::command::find("r").ok().map(|c| c.name),
        Some("reload")
    );
}
