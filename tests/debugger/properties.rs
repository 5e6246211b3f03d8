//! Properties are checked after every action, in every language: a violation is a stop at the end of
//! the action, and everything known about it depends on the history alone.

use crate::protocol::{part, valid_json};
use crate::test_session::TestSession;
use gridbug::analysis::property;
use gridbug::answer::{Answer, PropertyInfo, PropertyVerdict, StopReason};
use gridbug::command::replay;
use gridbug::command::{handle_line, open_game};
use gridbug::host::MemoryHost;
use gridbug::languages;
use gridbug::render::AnswerText;
use gridbug::session::session_file::SessionFile;
use gridbug::session::{Session, to_plain_text};
use std::path::Path;
use std::rc::Rc;

/// Each click adds one to `n`.
const COUNTER: &str = "board { dimensions {2, 2} image {b.png} }
players {\"x\", \"o\"}
def n {0}
piece { name {\"key\"} image {k.png}
  onClick { n {n + 1} endTurn {} }
}
setup { for r, c in board { place {\"key\", r, c} } }";

/// A game in each language, with a property, an entry that keeps it and one that violates it.
struct Game {
    language: &'static str,
    program: &'static str,
    property: &'static str,
    harmless: &'static [&'static str],
    violating: &'static str,
}

const GAMES: [Game; 5] = [
    Game {
        language: "gridlok",
        program: COUNTER,
        property: "always n < 2",
        harmless: &["click{0,0}"],
        violating: "click{0,1}",
    },
    Game {
        language: "sgl2d",
        program: "environment > x=6 y=3\nplayer > x=0 y=0\n",
        property: "never player.x == 2",
        harmless: &["right"],
        violating: "right",
    },
    Game {
        language: "gridlang",
        program: "int n = 0\nLayout(2, 2) { Player ann, bob }\ngameLoop() { n = n + 1 }",
        property: "always n < 2",
        harmless: &[":turn"],
        violating: ":turn",
    },
    Game {
        language: "tinygame",
        program: "player hero { x = 0; y = 0; }",
        property: "never hero.x = 3",
        harmless: &["set hero.x = 2;"],
        violating: "set hero.x = 3;",
    },
    Game {
        language: "bogl",
        program: "game G\ntype Board = Array (2,2) of Int\ntype Input = Int\nstart : Board\nstart!(x,y) = 0\n\
                  sum : Int -> Int\nsum(s) = let n = input in if n == 0 then s else sum(s + n)\n",
        property: "always s < 5",
        harmless: &["sum(0)", "4"],
        violating: "2",
    },
];

fn properties(session: &mut TestSession) -> Vec<PropertyInfo> {
    property::describe_properties(&mut session.0.target)
}

fn verdict(session: &mut TestSession, index: usize) -> PropertyVerdict {
    properties(session)[index].verdict
}

fn is_violation(answer: &Answer) -> bool {
    let stop = answer.stop.as_ref();
    stop.is_some_and(|s| s.reason == StopReason::Property && s.hits[0].property.is_some())
}

#[test]
fn a_violation_stops_at_the_end_of_the_action_in_every_language() {
    for game in &GAMES {
        let language = game.language;
        let mut session = TestSession::load(language, game.program);
        let declared = session.reply(&format!(":{}", game.property));
        assert!(declared.ok, "{language}: {}", declared.text());
        for line in game.harmless {
            let answer = session.reply(line);
            assert!(answer.ok && answer.stop.is_none(), "{language}: {line}");
        }
        assert_eq!(
            verdict(&mut session, 0),
            PropertyVerdict::Holds,
            "{language}"
        );
        let answer = session.reply(game.violating);
        assert!(is_violation(&answer), "{language}: {}", answer.text());
        let head = format!("property 1, {}, is violated", game.property);
        assert!(
            answer.text().contains(&head),
            "{language}: {}",
            answer.text()
        );
        assert_eq!(
            verdict(&mut session, 0),
            PropertyVerdict::Violated,
            "{language}"
        );
        // It can be left, and the entry is as if it had never been typed.
        let abandoned = session.reply(":abandon");
        assert!(abandoned.ok, "{language}: {}", abandoned.text());
        assert_eq!(
            verdict(&mut session, 0),
            PropertyVerdict::Holds,
            "{language}"
        );
        assert!(!session.0.target.is_stopped(), "{language}");
    }
}

#[test]
fn going_back_returns_to_the_violation() {
    for game in GAMES.iter().filter(|game| game.language != "bogl") {
        let language = game.language;
        let mut session = TestSession::load(language, game.program);
        session.reply(&format!(":{}", game.property));
        for line in game.harmless {
            session.reply(line);
        }
        let answer = session.reply(game.violating);
        let time = answer.stop.expect(language).time;
        session.expect(":continue", &["finished"]);
        let back = session.reply(":rc");
        assert!(is_violation(&back), "{language}: {}", back.text());
        assert_eq!(back.stop.unwrap().time, time, "{language}");
        assert_eq!(properties(&mut session)[0].violations, 1, "{language}");
        session.expect(":rc", &["No breakpoint was hit"]);
        assert_eq!(properties(&mut session)[0].violations, 0, "{language}");
    }
}

#[test]
fn every_action_of_an_entry_is_checked() {
    let mut session = TestSession::load("gridlok", COUNTER);
    session.reply(":never n == 1");
    let answer = session.reply("click{0,0} click{0,1}");
    assert!(is_violation(&answer), "{}", answer.text());
    assert_eq!(session.reply_text(":print n"), "= 1");
    session.expect("continue", &["finished"]);
    assert_eq!(session.reply_text("n"), "= 2");

    let game = &GAMES[1];
    let mut session = TestSession::load(game.language, game.program);
    session.reply(":never player.x == 2");
    let answer = session.reply("right 4");
    assert!(is_violation(&answer), "{}", answer.text());
    assert_eq!(session.reply_text(":print player.x"), "= 2");
    session.expect(":continue", &["finished"]);
    assert_eq!(session.reply_text(":print player.x"), "= 4");
}

#[test]
fn looking_at_a_violated_position_does_not_stop_again() {
    let mut session = TestSession::load("gridlok", COUNTER);
    session.reply(":always n == 0");
    session.reply("click{0,0}");
    session.reply("continue");
    assert_eq!(session.reply_text("n + 1"), "= 2");
    // An action that leaves it violated does.
    assert!(is_violation(&session.reply("click{0,0}")));
    assert_eq!(properties(&mut session)[0].violations, 2);
}

#[test]
fn the_start_of_a_game_is_checked_too() {
    let mut session = TestSession::load("gridlok", COUNTER);
    session.reply("n {5}");
    session.expect(":never n == 0", &["property 1: never n == 0", "holds now"]);
    let answer = session.reply(":restart");
    assert!(is_violation(&answer), "{}", answer.text());
    let answer = session.reply("continue");
    assert!(answer.ok && answer.stop.is_none(), "{}", answer.text());
}

#[test]
fn a_wrong_condition_is_reported_at_once_and_declares_nothing() {
    let cases = [
        ("gridlok", COUNTER, "m < 2", "unknown name `m`"),
        (
            "gridlok",
            COUNTER,
            "n",
            "a property must be true or false; `n` is 0",
        ),
        ("gridlok", COUNTER, "n <", "expected"),
        ("gridlok", COUNTER, "n {3}", "has no value"),
        (
            "gridlok",
            COUNTER,
            "",
            "`:always` needs a condition, e.g. `:always turnCount <= 9`",
        ),
        (
            "bogl",
            GAMES[4].program,
            "start",
            "a property must be true or false",
        ),
        ("gridlang", GAMES[2].program, "m == 1", "m"),
        (
            "sgl2d",
            GAMES[1].program,
            "counter1",
            "a property must be true or false",
        ),
        ("tinygame", GAMES[3].program, "villain.x = 1", "villain"),
    ];
    for (language, program, condition, message) in cases {
        let mut session = TestSession::load(language, program);
        let before = session.0.target.machine.time();
        let answer = session.reply(&format!(":always {condition}"));
        assert!(!answer.ok, "{language}: {condition}");
        let text = to_plain_text(&session.0, &answer).join("\n");
        assert!(text.contains(message), "{language}: {condition}: {text}");
        assert!(
            properties(&mut session).is_empty(),
            "{language}: {condition}"
        );
        assert_eq!(session.0.target.machine.time(), before);
    }
}

#[test]
fn sometimes_is_satisfied_as_long_as_the_action_is_in_the_history() {
    let mut session = TestSession::load("gridlok", COUNTER);
    session.expect(
        ":sometimes n == 1",
        &["property 1: sometimes n == 1", "not satisfied yet"],
    );
    assert!(session.reply("click{0,0}").stop.is_none());
    session.expect(
        ":properties",
        &["1  sometimes n == 1", "satisfied after click{0,0}"],
    );
    session.reply("click{0,0}");
    session.expect(":properties", &["satisfied after click{0,0}"]);
    session.reply(":undo 2");
    session.expect(":properties", &["not satisfied yet"]);
    session.reply(":redo");
    session.expect(":properties", &["satisfied after click{0,0}"]);
    session.reply(":redo");
    session.expect(":properties", &["satisfied after click{0,0}"]);
    // It also counts what happened before it was declared, between the actions of an entry too.
    session.reply("click{0,0} click{0,0}");
    session.expect(
        ":sometimes n == 3",
        &["satisfied after click{0,0} click{0,0}"],
    );
    session.expect(":sometimes n == 7", &["not satisfied yet"]);
    // The future does not count.
    session.reply(":goto start");
    session.expect(":properties", &["1  sometimes n == 1   not satisfied yet"]);
}

#[test]
fn properties_follow_undo_redo_and_branches() {
    let mut session = TestSession::load("gridlok", COUNTER);
    session.reply(":always n < 2");
    session.reply("click{0,0}");
    session.reply("click{0,0}");
    session.reply("continue");
    assert_eq!(properties(&mut session)[0].violations, 1);
    session.reply(":undo");
    assert_eq!(verdict(&mut session, 0), PropertyVerdict::Holds);
    session.reply(":redo");
    assert_eq!(properties(&mut session)[0].violations, 1);
    session.reply(":undo");
    session.reply("n {0}");
    assert_eq!(verdict(&mut session, 0), PropertyVerdict::Holds);
    session.reply(":branches 1");
    assert_eq!(properties(&mut session)[0].violations, 1);
}

#[test]
fn properties_survive_redefinitions() {
    let mut session = TestSession::load("gridlok", COUNTER);
    session.reply("fun small(k) { return k < 2 }");
    session.reply(":always small{n}");
    session.reply("click{0,0}");
    session.reply("fun small(k) { return k < 3 }");
    assert!(session.reply("click{0,0}").stop.is_none());
    assert!(is_violation(&session.reply("click{0,0}")));
    session.reply("continue");
    // A condition that has become an error says so instead of passing in silence.
    session.reply("fun small(k) { return k }");
    let answer = session.reply("click{0,0}");
    assert!(is_violation(&answer));
    let text = answer.text();
    assert!(
        text.contains(
            "property 1, always small{n}, cannot be checked (a property must be true or false"
        ),
        "{text}"
    );
}

#[test]
fn properties_are_numbered_and_deleted_with_the_breakpoints() {
    let mut session = TestSession::load("gridlok", COUNTER);
    session.expect(
        ":properties",
        &["No properties; declare one, e.g. `:always turnCount <= 9`"],
    );
    session.reply(":break key.onClick");
    session.reply(":always n < 1");
    session.reply(":never n > 5");
    session.expect(
        ":breaks",
        &["1  break key.onClick", "2  always n < 1", "3  never n > 5"],
    );
    let listed = session.reply_text(":properties");
    assert_eq!(
        listed,
        "  2  always n < 1   holds so far\n  3  never n > 5    holds so far"
    );
    session.expect(
        ":properties delete 1",
        &["there is no property 1; `:properties` lists them"],
    );
    session.expect(":properties delete", &["needs a number"]);
    session.expect(":properties remove 2", &["`:properties delete N`"]);
    session.reply(":delete 1");
    session.expect(":disable 2", &["2  always n < 1   (disabled)"]);
    assert!(session.reply("click{0,0}").stop.is_none());
    session.reply(":enable 2");
    assert!(is_violation(&session.reply("click{0,0}")));
    let deleted = session.reply_text(":properties delete 2");
    assert_eq!(
        deleted,
        "deleted 2: always n < 1\n  3  never n > 5   holds so far"
    );
    session.expect(":delete", &["deleted 3: never n > 5"]);
    session.reply("continue");
    assert!(session.reply("click{0,0}").stop.is_none());
}

#[test]
fn answers_have_the_fields_of_properties() {
    let mut session = TestSession::load("gridlok", COUNTER);
    let answer = session.reply(":always n < 1");
    let json = valid_json(&session.0, &answer);
    let new = &json["parts"][0];
    assert_eq!(new["kind"], "new_property");
    assert_eq!(new["id"], 1);
    assert_eq!(new["property"], "always");
    assert_eq!(new["text"], "n < 1");
    assert_eq!(new["now"], true);
    assert_eq!(new["verdict"], "holds");
    let answer = session.reply("click{0,0}");
    let json = valid_json(&session.0, &answer);
    assert_eq!(part(&json, "stop")["reason"], "property");
    let hit = &part(&json, "stop")["hits"][0];
    assert_eq!(hit["id"], 1);
    assert_eq!(hit["property"]["kind"], "always");
    assert_eq!(hit["property"]["text"], "n < 1");
    let answer = session.reply(":properties");
    let json = valid_json(&session.0, &answer);
    let listed = &json["parts"][0]["properties"][0];
    assert_eq!(listed["violations"], 1);
    assert_eq!(listed["now"], false);
    assert_eq!(listed["verdict"], "violated");
}

#[test]
fn reload_keeps_properties_and_what_was_typed_at_a_violation() {
    let host = Rc::new(MemoryHost::new());
    host.set_file("game.gl", COUNTER);
    let mut session = Session::with_host(languages::ALL[0], 1, host.clone());
    assert!(open_game(&mut session, "game.gl").ok);
    let lines = [
        ":always n < 2",
        ":sometimes n == 1",
        "click{0,0}",
        "click{0,0}",
        "n {0}",
        "continue",
    ];
    for line in lines {
        let answer = handle_line(&mut session, line);
        assert!(answer.ok, "{line}: {}", answer.text());
    }
    let before = handle_line(&mut session, ":properties").text();
    let reply = handle_line(&mut session, ":reload").text();
    assert_eq!(
        reply,
        "reloaded game.gl; replayed 3 entries\nAll replies are the same"
    );
    assert_eq!(handle_line(&mut session, "n").value.as_deref(), Some("0"));
    let after = handle_line(&mut session, ":properties").text();
    assert!(before.contains("satisfied after click{0,0}"), "{before}");
    assert!(after.contains("satisfied after click{0,0}"), "{after}");
    assert!(is_violation(&{
        handle_line(&mut session, "click{0,0}");
        handle_line(&mut session, "click{0,0}")
    }));
}

#[test]
fn session_files_keep_properties_and_replay_their_stops() {
    let host = Rc::new(MemoryHost::new());
    host.set_file("game.gl", COUNTER);
    let mut session = Session::with_host(languages::ALL[0], 1, host.clone());
    assert!(open_game(&mut session, "game.gl").ok);
    for line in [
        ":always n < 2",
        "click{0,0}",
        "click{0,0}",
        ":print n",
        "continue",
        ":properties",
        ":save kept.session",
    ] {
        handle_line(&mut session, line);
    }
    let text = host.file("kept.session").expect("the session was saved");
    assert!(text.contains("> :always n < 2\n"), "{text}");
    assert!(
        text.contains("property 1, always n < 2, is violated"),
        "{text}"
    );
    let file = SessionFile::parse(&text).expect("it is a session file");
    let replayed = replay(&file, Path::new(""), host).expect("it can be replayed");
    for entry in &replayed.entries {
        assert_eq!(entry.actual, entry.expected, "{}", entry.input);
    }
}

#[test]
fn a_step_that_ends_the_action_stops_at_the_violation() {
    let mut session = TestSession::load("gridlok", COUNTER);
    session.reply(":always n == 0");
    session.reply(":break key.onClick");
    session.reply("click{0,0}");
    let mut answer = session.reply("next");
    for _ in 0..5 {
        if is_violation(&answer) {
            break;
        }
        answer = session.reply("next");
    }
    assert!(is_violation(&answer), "{}", answer.text());
}

#[test]
fn variables_that_are_gone_when_an_action_ends_are_refused() {
    let mut session = TestSession::load("gridlok", COUNTER);
    session.reply("fun twice(k) { n {n + k} n {n + k} return n }");
    session.reply(":break twice");
    session.expect("n {twice{1}}", &["twice"]);
    session.expect(
        ":always k == 1",
        &["`k == 1` uses variables of `twice`, which are gone when an action ends; use variables of the game"],
    );
    assert!(properties(&mut session).is_empty());
    session.expect(":always n < 9", &["property"]);
    // A name that no function that waits knows.
    let mut sum = TestSession::load("bogl", GAMES[4].program);
    sum.expect(
        ":always total < 5",
        &[
            "total",
            "a property can use the variables of one function that waits for input",
        ],
    );
}
