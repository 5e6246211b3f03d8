//! What the commands of the explorer say about goals, options and numbers that they do not understand.

use crate::support::{answer, find, sample, session};
use gridbug::render::AnswerText;

/// The reply to a line, which has to be an error.
#[track_caller]
fn error(game: &mut gridbug::session::Session, line: &str) -> String {
    let answer = answer(game, line);
    assert!(!answer.ok, "{line}: {}", answer.text());
    let notes = answer.diagnostics.iter().map(|d| {
        let mut lines = vec![d.message.clone()];
        lines.extend(d.notes.clone());
        lines.join("\n")
    });
    let text = std::iter::once(answer.text()).chain(notes);
    text.collect::<Vec<_>>().join("\n")
}

fn bogl(name: &str) -> gridbug::session::Session {
    let path = format!("{}/sessions/bogl/{name}.bgl", env!("CARGO_MANIFEST_DIR"));
    session("bogl", &std::fs::read_to_string(path).unwrap())
}

#[test]
fn examples_of_goals_exist_in_the_loaded_game() {
    for (name, example) in [
        ("tic-tac-toe", "`:find O`"),
        ("connect-four", "`:find Draw`"),
        ("walk", "`:find Found`"),
    ] {
        let mut game = bogl(name);
        for line in [":find", ":find win"] {
            let text = error(&mut game, line);
            assert!(text.contains(example), "{name} {line}: {text}");
        }
        let help = answer(&mut game, ":help find");
        let shown = gridbug::session::to_plain_text(&game, &help).join("\n");
        assert!(shown.contains(&example.replace('`', "")), "{shown}");
    }
    let mut game = bogl("connect-four");
    let text = error(&mut game, ":find win");
    assert!(text.contains("`:find win turn p`"), "{text}");
    assert!(error(&mut game, ":find draw for").contains("`for`"));
}

#[test]
fn nothing_is_suggested_where_there_is_nothing_to_find() {
    let mut game = sample("tinygame");
    assert!(error(&mut game, ":find").contains("no moves to search"));
    let help = answer(&mut game, ":help find");
    let shown = gridbug::session::to_plain_text(&game, &help).join("\n");
    assert!(!shown.contains("e.g."), "{shown}");
}

#[test]
fn a_goal_that_is_not_understood_gets_a_message_about_goals() {
    let mut game = sample("gridlok");
    for (goal, expected) in [
        ("print taken", "`:find print \"taken\"`"),
        ("print", "`:find print \"text\"`"),
        ("print {taken}", "`:find print \"taken\"`"),
        ("onClik", "unknown goal `onClik`; did you mean `onClick`?"),
        ("free.onClik", "did you mean `free.onClick`?"),
        ("foo bar", "unknown goal `foo bar`; a goal is `win`, "),
        ("for x", "a goal is `win`, "),
        ("1+", "a goal is `win`, "),
    ] {
        let text = error(&mut game, &format!(":find {goal}"));
        assert!(text.contains(expected), "{goal}: {text}");
        assert!(!text.contains("define it"), "{goal}: {text}");
        assert!(!text.contains("`for`?"), "{goal}: {text}");
    }
    let text = error(&mut game, ":find turnCoun == 4");
    assert!(text.contains("did you mean `turnCount`?"), "{text}");
    for language in ["sgl2d", "gridlang", "bogl"] {
        let mut game = sample(language);
        let text = error(&mut game, ":find foo");
        assert!(text.contains("unknown goal `foo`; a goal is "), "{text}");
        let (find, always) = (
            answer(&mut game, ":find 1+").diagnostics,
            answer(&mut game, ":always 1+").diagnostics,
        );
        assert_eq!(find[0].code, always[0].code, "{language}");
        assert_eq!(find[0].message, always[0].message, "{language}");
        assert!(!find[0].message.contains("statement"), "{find:?}");
    }
}

#[test]
fn options_without_effect_are_refused() {
    let mut game = sample("gridlok");
    for (line, expected) in [
        (":find win turn p", "`turn` has no effect"),
        (":solve turn p", "`turn` has no effect"),
        (":hint turn p", "`turn` has no effect"),
        (":opponent o turn p", "`turn` has no effect"),
        (":find win in play(X)", "`in` has no effect"),
        (":check in play(X)", "`in` has no effect"),
        (":find draw for x", "`for x` needs the goal `win` or `lose`"),
        (":find turnCount == 3 for x", "`for x` needs the goal"),
        (":find win for x for o", "`for` is given twice"),
        (":find win within 3 within 5", "`within` is given twice"),
        (
            ":hint 3",
            "takes only the options `inputs A..B` and `ignoring X`",
        ),
    ] {
        let text = error(&mut game, line);
        assert!(text.contains(expected), "{line}: {text}");
    }
    // In BoGL, they have one.
    let mut game = bogl("tic-tac-toe");
    assert!(answer(&mut game, ":find win for O within 2 turn p").ok);
}

#[test]
fn numbers_out_of_range_are_called_so() {
    let mut game = sample("gridlok");
    let large = "99999999999999999999";
    for (line, expected) in [
        (
            format!(":stats {large}"),
            "too large; the most are 1,000,000,000 games",
        ),
        (":stats 0".into(), "at least 1"),
        (format!(":coverage {large} games"), "too large"),
        (":coverage 0 games".into(), "at least 1"),
        (format!(":find win within {large}"), "too large"),
        (":undo 0".into(), "must be at least 1"),
        (format!(":undo {large}"), "too large"),
        (":undo x".into(), "expected a repeat count, found `x`"),
        (
            ":vary turnCount 3..0 win".into(),
            "write the smaller number first, e.g. `0..3`",
        ),
        (
            ":vary turnCount 0..10000 win".into(),
            "at most 10,000 start values",
        ),
    ] {
        let text = error(&mut game, &line);
        assert!(text.contains(expected), "{line}: {text}");
    }
}

#[test]
fn answers_about_few_and_many_are_well_formed() {
    let mut still = session("sgl2d", "environment > x=1 y=1\nplayer > x=0 y=0\n");
    let text = answer(&mut still, ":coverage search").text();
    assert!(text.contains("in the only position"), "{text}");
    let text = answer(&mut sample("gridlok"), ":coverage 1000 games").text();
    assert!(text.contains("in 1,000 random games"), "{text}");
    // A game that ends without naming a winner.
    let race = "Player { int score }\nint rounds\nLayout(1, 4)\n{\n    Player ann\n    ann.position = (0,0)\n}
gameLoop()\n{\n    rounds++\n}\ncheckGameEnd()\n{\n    return rounds > 1\n}\n";
    let text = answer(&mut session("gridlang", race), ":stats").text();
    assert!(text.contains("over, without a winner 100.0 %"), "{text}");
}

#[test]
fn a_search_for_coverage_gives_one_advice() {
    let text = error(&mut sample("tinygame"), ":coverage search");
    assert_eq!(
        text,
        "error: this program has no moves to search; `:coverage session` counts what has run"
    );
    let mut empty =
        gridbug::session::Session::new(gridbug::languages::by_name("gridlang").unwrap(), 1);
    let text = error(&mut empty, ":coverage search");
    assert!(text.contains("no `gameLoop` is defined"), "{text}");
}

#[test]
fn findings_of_check_are_explained_by_their_code() {
    let mut game = sample("gridlok");
    for kind in gridbug::answer::RemarkKind::ALL {
        let explained = answer(&mut game, &format!(":explain {}", kind.code()));
        let (summary, _) = kind.explanation();
        assert!(
            explained.ok && explained.text().contains(summary),
            "{kind:?}"
        );
    }
}

#[test]
fn the_move_that_fails_is_named_after_its_line() {
    let text = r#"game {
  board { dimensions {1, 2} }
  players {"x", "o"}
  def n {0}
  piece { name {"a"} onClick { n {n + 1} if n == 2 { n {1 / 0} } endTurn {} } }
  setup { place {"a", 0, 0} }
}"#;
    let mut game = session("gridlok", text);
    let text = answer(&mut game, ":find error").text();
    let last = text.lines().last().unwrap();
    let advice = "at its end, type `click{0,0}` to see the error";
    assert_eq!(last, advice, "{text}");
    // It is so.
    let moves = find(&mut game, "error").moves;
    for entry in moves.iter().map(|m| m.entry.clone()).take(moves.len() - 1) {
        assert!(answer(&mut game, &entry).ok);
    }
    assert!(!answer(&mut game, "click{0,0}").ok);
}

#[test]
fn an_option_that_is_not_known_is_named() {
    let mut game = sample("gridlok");
    let text = error(&mut game, ":find win withn 3");
    assert!(
        text.contains("unknown option `withn`; did you mean `within`?"),
        "{text}"
    );
    let text = error(&mut game, ":find win quickly");
    assert!(
        text.contains("unknown option `quickly`; the options are within"),
        "{text}"
    );
    let text = error(&mut game, ":find win in 3");
    assert!(
        text.contains("`within 5` limits the number of moves"),
        "{text}"
    );
}
