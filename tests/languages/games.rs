//! The games that come with gridbug can be won and lost.

use crate::test_session::TestSession;
use gridbug::code::Status;
use gridbug::command::{self, all_examples, find_example, handle_line};
use gridbug::language::{Language, TokenClass};
use gridbug::languages;
use gridbug::session::Session;
use std::path::Path;

/// Plays a game of `sessions/`. Returns its status at the end and the last line it printed.
fn play(file: &str, seed: u64, entries: &[&str]) -> (Status, String) {
    let (language, _) = file.split_once('/').unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("sessions")
        .join(file);
    let mut session = Session::new(languages::by_name(language).unwrap(), seed);
    let loaded = session.load(file, &std::fs::read_to_string(path).unwrap());
    assert!(loaded.ok, "{file}: {:?}", loaded.diagnostics);
    let mut last = loaded.output.last().cloned();
    for entry in entries {
        let reply = handle_line(&mut session, entry);
        assert!(reply.ok, "{file}: {entry}: {:?}", reply.diagnostics);
        last = reply.output.last().cloned().or(last);
    }
    (session.target.full_view().status, last.unwrap_or_default())
}

#[test]
fn every_sgl2d_game_can_be_won_and_lost() {
    let back_and_forth = "rl".repeat(30);
    let games = [
        (
            "maze",
            "rrddllddddrruurrrruuuurrrrddllddrrdd",
            back_and_forth.as_str(),
        ),
        (
            "orchard",
            "rrdddddddlddrrruurrrrdullluuurrrlluuurrru",
            back_and_forth.as_str(),
        ),
        ("portals", "dddduuuuluu", "ddrddrddr"),
        ("fuse", "rrrududurdrrrrr", "rrrudr"),
    ];
    for (game, wins, loses) in games {
        let file = format!("sgl2d/{game}.sgl2d");
        assert_eq!(play(&file, 1, &[wins]).0, Status::Won, "{game}");
        assert_eq!(play(&file, 1, &[loses]).0, Status::Lost, "{game}");
    }
}

/// Lightning strikes at random: walking back and forth wins with some seeds and loses with others.
#[test]
fn the_storm_can_be_won_and_lost_depending_on_the_seed() {
    let ends: Vec<Status> = (1..=12)
        .map(|seed| play("sgl2d/storm.sgl2d", seed, &[&"lr".repeat(20)]).0)
        .collect();
    assert!(
        ends.contains(&Status::Won) && ends.contains(&Status::Lost),
        "{ends:?}"
    );
}

/// Entries for a number of turns, each with its answers to the program's questions.
fn turns<'a>(answers: &[&'a str]) -> Vec<&'a str> {
    answers
        .iter()
        .flat_map(|answer| std::iter::once(":turn").chain(answer.split(' ')))
        .collect()
}

#[test]
fn every_gridlang_game_reaches_each_of_its_endings() {
    let ends = [
        (
            "collect",
            turns(&["e", "w", "e", "w", "e", "w", "e", "w", "s"]),
            "the thief has won",
        ),
        (
            "collect",
            turns(&["e", "w", "e", "n", "e", "n", "e", "n"]),
            "the guard has won",
        ),
        (
            "collect",
            turns(&["e", "w", "w", "e"].repeat(10)),
            "night falls, and nobody has won",
        ),
        (
            "capture",
            turns(&[
                "(4,0) (0,0)",
                "(0,2) (1,1)",
                "(0,0) (0,1)",
                "(1,1) (0,0)",
                "(0,1) (0,0)",
            ]),
            "white has won",
        ),
        (
            "capture",
            turns(&["(4,4) (2,4)", "(0,2) (2,4)", "(4,0) (4,2)", "(2,4) (4,2)"]),
            "black has won",
        ),
    ];
    for (game, entries, end) in ends {
        let (status, last) = play(&format!("gridlang/{game}.grid"), 1, &entries);
        assert_eq!(last, end, "{game}");
        assert_ne!(status, Status::Playing, "{game}");
    }
    let winners: Vec<bool> = (1..=8)
        .map(|seed| {
            let (status, throws) = play("gridlang/race.grid", seed, &[":turn 400"]);
            assert_eq!(status, Status::Won, "seed {seed}");
            throws.parse::<u32>().unwrap() > 8
        })
        .collect();
    assert!(
        winners.contains(&true) && winners.contains(&false),
        "long and short races: {winners:?}"
    );
}

#[test]
fn every_tinygame_program_prints_its_expected_last_line() {
    for (game, last) in [
        ("duel", "ana moved up by 1 to position (3,1)"),
        ("harvest", "farmer moved down by 5 to position (7,0)"),
        ("patrol", "thief moved left by 12 to position (-7,2)"),
        ("race", "OUTPUT: Slow and steady wins."),
    ] {
        assert_eq!(
            play(&format!("tinygame/{game}.tg"), 1, &[]).1,
            last,
            "{game}"
        );
    }
}

/// Plays every game to every ending. Some answers are invalid, and the program asks again.
#[test]
fn every_bogl_game_reaches_each_of_its_endings() {
    let games: [(&str, &[&str], &str); 9] = [
        (
            "tic-tac-toe",
            &[
                "(1,1)", "(1,1)", "(9,9)", "(2,2)", "(1,2)", "(3,3)", "(1,3)",
            ],
            "X",
        ),
        (
            "tic-tac-toe",
            &["(1,1)", "(2,1)", "(1,2)", "(2,2)", "(3,3)", "(2,3)"],
            "O",
        ),
        (
            "tic-tac-toe",
            &[
                "(1,1)", "(2,2)", "(3,3)", "(1,2)", "(3,2)", "(3,1)", "(1,3)", "(2,3)", "(2,1)",
            ],
            "Tie",
        ),
        (
            "connect-four",
            &["1", "1", "2", "2", "3", "3", "9", "0", "4"],
            "Red",
        ),
        (
            "connect-four",
            &["1", "2", "1", "2", "1", "2", "7", "2"],
            "Yellow",
        ),
        ("guess", &["Higher", "Lower", "Yes"], "62"),
        ("guess", &["Higher"; 7], "Cheated"),
        (
            "walk",
            &[
                "East", "South", "South", "South", "East", "East", "North", "North", "East",
                "East", "South", "South", "South",
            ],
            "Found",
        ),
        ("walk", &["South", "Stop"], "Lost"),
    ];
    for (game, answers, end) in games {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("sessions/bogl/{game}.bgl"));
        let mut session = Session::new(languages::by_name("bogl").unwrap(), 1);
        assert!(
            session
                .load(game, &std::fs::read_to_string(path).unwrap())
                .ok,
            "{game}"
        );
        let mut reply = handle_line(&mut session, "result");
        for answer in answers {
            assert!(reply.question.is_some(), "{game} ended before {answer}");
            reply = handle_line(&mut session, answer);
        }
        assert_eq!(
            (reply.question, reply.value.as_deref()),
            (None, Some(end)),
            "{game}: {answers:?}"
        );
    }
}

/// All programs that newcomers see: the built-in games and what `gridbug new` writes.
fn programs_for_newcomers() -> Vec<(String, &'static dyn Language, &'static str)> {
    let examples = all_examples().map(|e| (e.full_name(), e.language, e.game.text));
    let templates = languages::ALL.iter().map(|language| {
        let info = language.info();
        (
            format!("template of {}", info.name),
            *language,
            info.guide.template,
        )
    });
    examples.chain(templates).collect()
}

#[test]
fn every_example_and_template_loads_without_a_diagnostic() {
    for (name, language, text) in programs_for_newcomers() {
        let mut session = Session::new(language, 1);
        let reply = session.load("game", text);
        assert!(
            reply.ok && reply.diagnostics.is_empty(),
            "{name}: {:?}",
            reply.diagnostics
        );
    }
    for language in languages::ALL {
        let info = language.info();
        assert!(info.guide.examples.len() >= 3, "{}", info.name);
        assert_eq!(info.guide.examples[0].text, info.sample, "{}", info.name);
    }
}

/// `sessions/LANGUAGE/play-NAME.session` plays the game; the last line asks why it ended so.
#[test]
fn every_example_is_played_to_its_end_in_a_session() {
    for example in all_examples() {
        let language = example.language.info().name;
        let name = format!("sessions/{language}/play-{}.session", example.game.name);
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(&name);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{name}: {e}"));
        let file = gridbug::session::session_file::SessionFile::parse(&text).unwrap();
        let host = crate::test_session::native_host();
        let replay = command::replay(&file, path.parent().unwrap(), host).unwrap();
        let (_, program) = replay
            .session
            .transcript
            .session_start
            .program
            .clone()
            .unwrap();
        assert_eq!(program, example.game.text, "{name} plays another program");
        let last = replay.entries.last().unwrap();
        assert!(last.input.starts_with(":why "), "{name}");
        assert!(
            !last.actual[0].starts_with("error"),
            "{name}: {:?}",
            last.actual
        );
        let status = replay.session.target.full_view().status;
        // In BoGL and TinyGame, no state says that the game is over.
        assert_eq!(
            status == Status::Playing,
            ["bogl", "tinygame"].contains(&language),
            "{name}"
        );
    }
}

/// At a stop, a bare word that names a variable shows it, so a variable `up` would hide the command.
#[test]
fn names_in_examples_are_not_commands() {
    for (name, language, text) in programs_for_newcomers() {
        for (range, class) in language.highlight(text) {
            let word = &text[range.clone()];
            let rest = text[range.end..].trim_start();
            // A function is not typed alone, and single letters are too useful as names.
            let is_function = rest.starts_with('(') || rest.starts_with(':');
            if class != TokenClass::Name || is_function || word.len() == 1 {
                continue;
            }
            let is_command = |c: &command::Command| c.name == word || c.aliases.contains(&word);
            assert!(
                !command::all().any(is_command),
                "{name}: `{word}` is a command"
            );
        }
        // The board draws these itself.
        for glyph in ["+", "(", ")", "[", "]", "<", ">"] {
            assert!(
                !text.contains(&format!("displayString = \"{glyph}\"")),
                "{name}: {glyph}"
            );
        }
    }
}

#[test]
fn an_example_is_found_by_its_name() {
    let full_name = |name: &str, preferred: Option<&str>| {
        let preferred = preferred.and_then(languages::by_name);
        find_example(name, preferred).map(|e| e.full_name())
    };
    assert_eq!(full_name("maze", None).unwrap(), "sgl2d/maze");
    assert_eq!(full_name("maze.sgl2d", None).unwrap(), "sgl2d/maze");
    assert_eq!(full_name("tinygame/race", None).unwrap(), "tinygame/race");
    assert_eq!(
        full_name("race", Some("tinygame")).unwrap(),
        "tinygame/race"
    );
    let ambiguous = full_name("race", None).unwrap_err();
    assert!(
        ambiguous.contains("choose gridlang/race or tinygame/race"),
        "{ambiguous}"
    );
    let unknown = full_name("mase", None).unwrap_err();
    assert!(unknown.contains("did you mean `maze`?"), "{unknown}");
}

#[test]
fn a_session_can_switch_to_another_language_or_game() {
    let mut session = TestSession::empty("gridlok");
    session.expect(":lang", &["this is GridLok", "bogl"]);
    session.expect(
        ":lang bgl",
        &["unknown language `bgl`", "did you mean `bogl`?"],
    );
    session.expect("def n {1}", &["defined"]);
    session.expect(":lang bogl", &["not saved", "`:lang bogl!` discards"]);
    session.expect(":examples maze", &["not saved"]);
    assert_eq!(session.0.target.language().info().name, "gridlok");
    session.expect(
        ":lang bogl!",
        &["This session is now in BoGL", "S is Stone"],
    );
    assert_eq!(session.0.prompt(), "bogl 1> ");
    session.expect("left(start)", &["= 13"]);
    session.expect(":examples tic-tac-toe", &["tic-tac-toe (BoGL)"]);
    session.expect(":examples maze", &["maze (SGL2D)", "Counter 1: 60"]);
    session.expect("right", &["Counter 1: 59"]);
    session.expect(":lang tinygame empty", &["TinyGame"]);
    assert!(
        session
            .0
            .target
            .language()
            .definitions(session.0.target.program())
            .is_empty()
    );
    session.expect(
        ":examples",
        &["GridLok", "lights-out", "`:examples NAME` opens one"],
    );
}
