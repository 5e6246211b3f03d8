//! The exit codes of searches on the command line: 0 found or holds, 1 not found or violated, 2 usage, 3
//! undecided. Never 0 or 1 if a limit ended the search.

use crate::command_line::{err, folder, gridbug, json_replies, out};
use crate::protocol::part;
use serde_json::Value;
use std::path::PathBuf;

/// A game on a board of this size. A click runs `on_click`; the game is won if `n` is negative.
fn game(size: &str, setup: &str, on_click: &str) -> String {
    format!(
        "board {{ dimensions {{{size}}} image {{b.png}} }}
players {{\"p\"}}
def n {{0}}
piece {{ name {{\"a\"}} image {{a.png}} onClick {{ {on_click} endTurn {{}} }} }}
piece {{ name {{\"b\"}} image {{b.png}} }}
setup {{ {setup} for r, c in board {{ place {{\"a\", r, c}} }} }}
winCondition {{ win {{n < 0}} }}
"
    )
}

/// Hostile games, by the name of their file, and a part of the reason why nothing is decided about them.
fn hostile_games() -> [(&'static str, String, &'static str); 4] {
    let board = game("1000, 1000", "", "changeType {\"b\"}");
    let counter = game("1, 1", "", "n {n + 1}");
    let endless = game("1, 1", "", "for i(0, 2000000000) { n {1} }");
    let random = game("1, 1", "n {rand {2, 50}}", "n {60 - n}");
    [
        ("board.gl", board, "(time limit)"),
        ("counter.gl", counter, "(time limit)"),
        (
            "endless.gl",
            endless,
            "an action that takes more than 20 million steps never ends",
        ),
        (
            "random.gl",
            random,
            "the setup draws random numbers, so there are other starts",
        ),
    ]
}

/// A folder with the hostile games.
fn hostile_folder(name: &str) -> PathBuf {
    let folder = folder(name);
    for (file, text, _) in hostile_games() {
        std::fs::write(folder.join(file), text).unwrap();
    }
    folder
}

#[test]
fn find_is_undecided_about_hostile_games_and_says_why() {
    let folder = hostile_folder("find-hostile");
    for (file, _, reason) in hostile_games() {
        let arguments = ["find", file, "win", "--seconds", "0.5"];
        let done = gridbug(&folder, &arguments, "");
        let text = out(&done);
        assert_eq!(done.status.code(), Some(3), "{file}: {text}{}", err(&done));
        assert!(text.starts_with("undecided: "), "{file}: {text}");
        assert!(text.contains(reason), "{file}: {text}");
    }
}

#[test]
fn check_is_undecided_about_hostile_games_and_says_why() {
    let folder = hostile_folder("check-hostile");
    for (file, _, reason) in hostile_games() {
        let arguments = ["check", "--search", file, "--seconds", "0.5"];
        let done = gridbug(&folder, &arguments, "");
        let text = out(&done);
        assert!(text.starts_with("undecided"), "{file}: {text}");
        assert_eq!(done.status.code(), Some(3), "{file}: {text}");
        assert!(text.contains(reason), "{file}: {text}");
        // An action that may not end is a finding.
        let is_endless = text.contains("does not end  still running after 20,000,000 steps");
        assert_eq!(is_endless, file == "endless.gl", "{text}");
    }
}

#[test]
fn explore_is_undecided_about_hostile_games() {
    let folder = hostile_folder("explore-hostile");
    for (file, ..) in hostile_games() {
        let arguments = ["explore", file, "--seconds", "0.5"];
        let done = gridbug(&folder, &arguments, "");
        let text = out(&done);
        assert_eq!(done.status.code(), Some(3), "{file}: {text}{}", err(&done));
        assert!(text.contains("undecided"), "{file}: {text}");
    }
}

#[test]
fn a_memory_limit_leaves_a_search_undecided() {
    let folder = hostile_folder("find-memory");
    // The game itself fits, but not the positions that can be reached.
    std::fs::write(
        folder.join("wide.gl"),
        game("100, 100", "", "changeType {\"b\"}"),
    )
    .unwrap();
    let arguments = ["find", "wide.gl", "win", "--memory", "2", "--json"];
    let done = gridbug(&folder, &arguments, "");
    let replies = json_replies(&done);
    let found = part(&replies[0], "find");
    assert_eq!(done.status.code(), Some(3), "{found}");
    assert_eq!(found["stopped_by"], "memory");
    assert_eq!(found["verdict"], "unknown");
    assert_eq!(found["complete"], false);
}

#[test]
fn check_exits_with_what_was_found() {
    let folder = folder("check-search");
    let write = |file: &str, text: String| std::fs::write(folder.join(file), text).unwrap();
    let sound = "if n == 0 { n {n - 1} }";
    write("sound.gl", game("1, 1", "", sound));
    write("fails.gl", game("1, 1", "", "n {1 / n}"));
    write("stuck.gl", game("1, 1", "", "changeType {\"b\"}"));
    write("broken.gl", "board {".into());
    let check = |files: &[&str]| {
        let done = gridbug(&folder, &[&["check", "--search"], files].concat(), "");
        (done.status.code(), out(&done), err(&done))
    };
    let (code, text, _) = check(&["sound.gl"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.starts_with("searched all 2 positions"), "{text}");
    let (code, text, _) = check(&["fails.gl"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("division by zero"), "{text}");
    let (code, text, _) = check(&["stuck.gl"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("dead end"), "{text}");
    for files in [&["broken.gl"][..], &["missing.gl"], &[]] {
        assert_eq!(check(files).0, Some(2), "{files:?}");
    }
    // The most serious one of several files counts.
    assert_eq!(check(&["sound.gl", "stuck.gl"]).0, Some(1));
    assert_eq!(check(&["sound.gl", "missing.gl", "stuck.gl"]).0, Some(2));
    // Without a search, only the text is checked.
    assert_eq!(
        gridbug(&folder, &["check", "stuck.gl"], "").status.code(),
        Some(0)
    );
}

#[test]
fn explore_reports_everything_and_exits_with_3_only_if_something_is_open() {
    let folder = folder("explore");
    std::fs::write(
        folder.join("game.gl"),
        game("1, 1", "", "if n == 0 { n {n - 1} }"),
    )
    .unwrap();
    let done = gridbug(&folder, &["explore", "game.gl"], "");
    let text = out(&done);
    assert_eq!(done.status.code(), Some(0), "{text}");
    for heading in [
        "Moves\n",
        "\nCheck\n",
        "\nPerfect play\n",
        "\nRandom play\n",
    ] {
        assert!(text.contains(heading), "{text}");
    }
    let done = gridbug(&folder, &["explore", "game.gl", "--json"], "");
    let reply = &json_replies(&done)[0];
    for kind in ["moves", "check", "solve", "stats"] {
        assert_ne!(part(reply, kind), &Value::Null, "{kind}: {reply}");
    }
    assert_eq!(part(reply, "solve")["value"], "win");
    assert_eq!(part(reply, "stats")["exact"], true);
    for arguments in [
        &["explore"][..],
        &["explore", "missing.gl"],
        &["explore", "game.gl", "--seconds", "-1"],
        &["explore", "game.gl", "--seconds", "soon"],
    ] {
        let done = gridbug(&folder, arguments, "");
        assert_eq!(done.status.code(), Some(2), "{arguments:?}");
        assert!(out(&done).is_empty());
    }
}

#[test]
fn explore_exits_with_2_for_a_broken_game_and_unknown_options() {
    let folder = folder("explore-broken");
    std::fs::write(folder.join("broken.gl"), "board {").unwrap();
    let sound = game("1, 1", "", "if n == 0 { n {n - 1} }");
    std::fs::write(folder.join("sound.gl"), &sound).unwrap();
    let failing = sound.replace("def n {0}", "def n {1 / 0}");
    std::fs::write(folder.join("failing.gl"), failing).unwrap();
    for arguments in [
        &["explore", "broken.gl"][..],
        &["explore", "failing.gl"],
        &["explore", "."],
        &["explore", "sound.gl", "--quickly"],
        &["explore", "sound.gl", "extra.gl"],
        &["explore", "sound.gl", "--memory", "much"],
        &["explore", "sound.gl", "--turn", "p"],
    ] {
        let done = gridbug(&folder, arguments, "");
        assert_eq!(done.status.code(), Some(2), "{arguments:?}: {}", out(&done));
        assert!(!err(&done).is_empty(), "{arguments:?}");
    }
}

#[test]
fn explore_exits_with_3_where_any_part_is_not_certain() {
    let folder = folder("explore-undecided");
    // All positions are known, but they repeat: how random play ends is only an estimate.
    let repeats = game("1, 2", "", "n {1 - n}").replace(
        "place {\"a\", r, c}",
        "place {\"a\", r, c} place {\"c\", 0, 1}",
    ) + "piece { name {\"c\"} image {c.png} onClick { n {n - 2} endTurn {} } }\n";
    std::fs::write(folder.join("repeats.gl"), repeats).unwrap();
    let done = gridbug(&folder, &["explore", "repeats.gl"], "");
    assert_eq!(done.status.code(), Some(3), "{}", out(&done));
    assert!(out(&done).contains("1,000 random games"));
    // No part has any time.
    let done = gridbug(&folder, &["explore", "repeats.gl", "--seconds", "0"], "");
    assert_eq!(done.status.code(), Some(3), "{}", out(&done));
    // Which numbers are tried as answers is a guess.
    let stones = include_str!("../../src/languages/bogl/info/sample.bgl");
    std::fs::write(folder.join("stones.bgl"), stones).unwrap();
    let done = gridbug(&folder, &["explore", "stones.bgl"], "");
    assert_eq!(done.status.code(), Some(3), "{}", out(&done));
    assert!(out(&done).contains("assuming that numbers are"));
}

#[test]
fn explore_takes_the_player_who_moves_in_bogl() {
    let folder = folder("explore-turn");
    let game = include_str!("../../sessions/bogl/tic-tac-toe.bgl");
    std::fs::write(folder.join("game.bgl"), game).unwrap();
    let done = gridbug(&folder, &["explore", "game.bgl", "--turn", "p"], "");
    let text = out(&done);
    assert!(text.contains("a draw with best play"), "{text}");
    assert!(text.contains("X wins 58.5 %   O wins 28.8 %"), "{text}");
    let done = gridbug(&folder, &["explore", "game.bgl"], "");
    assert!(out(&done).contains("add `--turn E`"), "{}", out(&done));
}

#[test]
fn a_program_without_moves_is_only_checked() {
    let folder = folder("explore-tinygame");
    let game = include_str!("../../sessions/tinygame/duel.tg");
    std::fs::write(folder.join("duel.tg"), game).unwrap();
    let done = gridbug(&folder, &["explore", "duel.tg"], "");
    let text = out(&done);
    assert_eq!(done.status.code(), Some(0), "{text}");
    assert!(text.starts_with("Check\n"), "{text}");
    assert!(!text.contains("error"), "{text}");
    let done = gridbug(&folder, &["find", "duel.tg", "win"], "");
    assert_eq!(done.status.code(), Some(2));
}

#[test]
fn answers_on_the_command_line_mention_no_commands_of_the_prompt() {
    let folder = folder("no-prompt");
    let root = env!("CARGO_MANIFEST_DIR");
    let sample = |path: &str| format!("{root}/src/languages/{path}");
    let (knight, tic) = (
        sample("tinygame/info/sample.tg"),
        sample("gridlok/info/sample.gl"),
    );
    let bogl = format!("{root}/sessions/bogl/tic-tac-toe.bgl");
    let garden = sample("sgl2d/info/sample.sgl2d");
    for (arguments, expected) in [
        (
            &["find", &knight, "win"][..],
            "error: this program has no moves to search\n",
        ),
        (
            &["find", &tic, "print", "taken"],
            "error: `print` needs a text in quotes, e.g. `gridbug find FILE 'print \"taken\"'`\n",
        ),
        (
            &["run", &garden, "--opponent", "o"],
            "gridbug: --opponent: this game has only one player, so there is nobody to play against\n",
        ),
        (
            &["explore", &tic, "--turn", "p"],
            "gridbug: `--turn` has no effect: the rules of this game say whose move it is\n",
        ),
        (
            &["find", &tic, "win", "--seconds", "x"],
            "gridbug: invalid value 'x' for '--seconds <N>': expected a number of seconds, e.g. 10 or 0.5\n\nFor more information, try '--help'.\n",
        ),
    ] {
        let done = gridbug(&folder, arguments, "");
        assert_eq!(
            format!("{}{}", out(&done), err(&done)),
            expected,
            "{arguments:?}"
        );
        assert_eq!(done.status.code(), Some(2));
    }
    let report = out(&gridbug(&folder, &["explore", &bogl], ""));
    assert!(
        report.contains("add `--turn E`, e.g. `--turn p`"),
        "{report}"
    );
    let report = format!("{report}{}", out(&gridbug(&folder, &["explore", &tic], "")));
    assert!(!report.contains("`:"), "{report}");
}

#[test]
fn explore_lists_the_answers_to_the_first_question_of_a_bogl_game() {
    let folder = folder("explore-bogl");
    let game = include_str!("../../sessions/bogl/tic-tac-toe.bgl");
    std::fs::write(folder.join("game.bgl"), game).unwrap();
    let done = gridbug(&folder, &["explore", "game.bgl", "--seconds", "0.1"], "");
    let text = out(&done);
    assert!(text.starts_with("Moves\n9 moves\n  (1,1) (2,1)"), "{text}");
    assert!(text.contains("`result` asks for them"), "{text}");
}
