//! `:vary`: what other start values lead to.

use crate::support::{answer, session};
use gridbug::answer::{Part, VaryResult};
use gridbug::render::AnswerText;
use gridbug::session::Session;

fn vary(session: &mut Session, line: &str) -> VaryResult {
    let answer = answer(session, line);
    let found = answer.parts.iter().find_map(|part| match part {
        Part::Vary(result) => Some(result.clone()),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("{line}: {answer:?}"))
}

const WOLF: &str = "player hero { x = 0; y = 0; health = 5; }\nenemy wolf { x = 3; y = 0; }\nmove hero right 2;\nif hero.x == wolf.x { set hero.health = hero.health - 6; }\n";

#[test]
fn vary_runs_a_program_with_each_start_value() {
    let mut session = session("tinygame", WOLF);
    let result = vary(&mut session, ":vary hero.x 0..3 hero.health > 0");
    let holds: Vec<_> = result.runs.iter().map(|run| run.holds).collect();
    // The hero ends two cells further right, and the wolf waits at 3.
    assert_eq!(holds, [Some(true), Some(false), Some(true), Some(true)]);
    let text = answer(&mut session, ":vary hero.x 0..3 hero.health > 0").text();
    assert_eq!(
        text,
        "hero.health > 0 is true for 3 of 4 start values of hero.x\n  true   0, 2, 3\n  false  1"
    );
    let text = answer(&mut session, ":vary hero.x 0..3 hero.health").text();
    let expected = "hero.health for each start value of hero.x\n  hero.x   hero.health\n  0, 2, 3  5\n  1        -1";
    assert_eq!(text, expected);
    // The game itself is as it was.
    assert_eq!(answer(&mut session, "hero.x").value.as_deref(), Some("2"));
}

#[test]
fn vary_works_where_variables_have_start_values() {
    let text = "game {\n  board { dimensions {1, 2} image {b.png} }\n  players {\"p\"}\n  def n {2}\n  piece { name {\"a\"} image {a.png} }\n  setup { for c(0, n) { place {\"a\", 0, c} } }\n}";
    let mut session = session("gridlok", text);
    let result = vary(&mut session, ":vary n 0..3 n + 1");
    let values: Vec<_> = result.runs.iter().map(|run| run.value.as_deref()).collect();
    assert_eq!(values[..3], [Some("1"), Some("2"), Some("3")]);
    // The third piece is off the board.
    assert!(result.runs[3].error.is_some());
}

#[test]
fn a_declaration_counts_and_not_the_default_value_before_it() {
    let garden = include_str!("../../src/languages/sgl2d/info/sample.sgl2d");
    let race = include_str!("../../sessions/gridlang/race.grid");
    for (language, text, line) in [
        ("sgl2d", garden, ":vary counter2 0..3 counter2 > 1"),
        ("sgl2d", garden, ":vary player.x 0..3 player.x > 1"),
        ("gridlang", race, ":vary fields 0..3 fields > 1"),
    ] {
        let result = vary(&mut session(language, text), line);
        let holds: Vec<_> = result.runs.iter().map(|run| run.holds).collect();
        let expected = [Some(false), Some(false), Some(true), Some(true)];
        assert_eq!(holds, expected, "{line}");
    }
}

#[test]
fn vary_explains_what_it_needs() {
    let mut session = session("tinygame", WOLF);
    for line in [
        ":vary",
        ":vary hero.x",
        ":vary hero.x 0..3",
        ":vary hero.x few hero.y == 0",
        ":vary troll.x 0..3 hero.y == 0",
        ":vary hero.x 3..0 hero.y == 0",
        ":vary hero.x 0..99999999 hero.y == 0",
    ] {
        assert!(!answer(&mut session, line).ok, "{line}");
    }
}
