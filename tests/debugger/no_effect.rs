//! An entry that changes nothing says so, and so does whatever else would be silent.

use crate::test_session::TestSession;
use gridbug::render::AnswerText;

fn sample(language: &str) -> TestSession {
    let info = gridbug::languages::by_name(language)
        .expect("a language")
        .info();
    TestSession::load(language, info.sample)
}

#[test]
fn an_entry_without_effect_says_so_in_every_language() {
    for (language, before, line, expected) in [
        (
            "gridlok",
            "removePiece{0,0}",
            "click{0,0}",
            "Nothing changed: [0][0] is empty",
        ),
        (
            "gridlok",
            "piece { name {\"free\"} image {free.png} }",
            "click{0,0}",
            "Nothing changed: the piece \"free\" on [0][0] has no onClick",
        ),
        (
            "gridlok",
            "piece { name {\"free\"} image {free.png} onClick { if false { endTurn{} } } }",
            "click{0,0}",
            "Nothing changed; see `:why not click 0,0`",
        ),
        ("gridlok", "def n{3}", "n{3}", "Nothing changed"),
        ("gridlang", "", "p.position.y += 0", "Nothing changed"),
        ("gridlang", "", "if (1 == 2) print(1)", "Nothing changed"),
        ("tinygame", "", "set knight.x = knight.x", "Nothing changed"),
        (
            "tinygame",
            "",
            "if knight.x == 99 { print \"here\"; }",
            "Nothing changed",
        ),
        (
            "sgl2d",
            "left",
            "left",
            "the player stays at x=1 y=3: x=0 y=3 is hedge, which is solid",
        ),
    ] {
        let mut session = sample(language);
        session.reply(before);
        let reply = session.reply(line);
        assert_eq!(reply.text(), expected, "{language}: {line}");
    }
}

#[test]
fn an_entry_without_effect_says_so_after_an_undo() {
    for (language, lines) in [
        ("gridlok", ["def n{3}", "n{4}", "n{3}"]),
        ("gridlang", ["int n = 3", "n = 4", "n = 3"]),
        (
            "tinygame",
            ["set knight.x = 3", "set knight.x = 4", "set knight.x = 3"],
        ),
    ] {
        let mut session = sample(language);
        session.reply(lines[0]);
        session.reply(lines[1]);
        session.reply(":undo");
        assert_eq!(
            session.reply_text(lines[2]),
            "Nothing changed",
            "{language}"
        );
        session.expect(":redo", &["redone", lines[1]]);
    }
}

#[test]
fn an_entry_with_an_effect_or_an_answer_does_not_say_that_nothing_changed() {
    for (language, lines) in [
        (
            "gridlok",
            &["click{1,1}", "turn", "def n{3}", "n{4}", "// note"][..],
        ),
        ("bogl", &["start", "let b = start", "-- note"][..]),
        ("gridlang", &["int x = 3", "x = 4", ":turn", "# note"][..]),
        ("tinygame", &["set knight.x = 9", "knight.x", "// note"][..]),
        (
            "sgl2d",
            &["right", "counter1", "sprite wall > color=red"][..],
        ),
    ] {
        let mut session = sample(language);
        for line in lines {
            let text = session.reply_text(line);
            assert!(
                !text.contains("Nothing changed"),
                "{language}: {line}: {text}"
            );
        }
    }
}

/// Fields of records and elements of lists are part of the game, too.
#[test]
fn a_change_of_a_field_or_an_element_is_an_effect() {
    for (language, lines) in [
        (
            "gridlang",
            &[
                "Player { int score }",
                "Player ann",
                "gameLoop() { ann.score = ann.score + 1 }",
                ":turn",
                "ann.score = 7",
                "int[3] a",
                "a[1] = 5",
            ][..],
        ),
        ("gridlok", &["def l{[1, 2]}", "l[1]{9}"][..]),
    ] {
        let mut session = TestSession::empty(language);
        for line in lines {
            let text = session.reply_text(line);
            assert!(
                !text.contains("Nothing changed"),
                "{language}: {line}: {text}"
            );
        }
    }
}

#[test]
fn a_new_size_of_the_board_says_that_setup_does_not_run() {
    let mut session = sample("gridlok");
    session.expect(
        "board { dimensions {4, 4} }",
        &["replaced board; setup runs again at the next :restart"],
    );
    let mut session = sample("sgl2d");
    session.expect(
        "environment > x=8 y=8",
        &["8 columns and 8 rows; `set` lines run again at the next :restart"],
    );
}

#[test]
fn delete_says_what_was_deleted_and_what_is_left() {
    let mut session = sample("gridlok");
    for line in [":break onClick", ":watch turn", ":break mine"] {
        assert!(session.reply(line).ok, "{line}");
    }
    let text = session.reply_text(":delete 1 2");
    assert_eq!(
        text,
        "deleted 1: break onClick\ndeleted 2: watch turn\n  3  break mine   game:18"
    );
    assert_eq!(session.reply_text(":delete"), "deleted 3: break mine");
    session.expect(":delete", &["No breakpoints"]);
}

#[test]
fn a_warning_comes_before_the_line_that_it_contradicts() {
    let mut session = sample("sgl2d");
    let text = session.reply_text("sprite wall > colour=red");
    let position = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part}: {text}"));
    assert!(
        position("reading stops here") < position("defined sprite wall"),
        "{text}"
    );
}
