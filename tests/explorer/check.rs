//! `:check`: a game for each remark, properties with their proofs, and that a limit never proves
//! anything.

use crate::support::{answer, check, find, fingerprint, sample, session};
use gridbug::answer::{CheckResult, CheckVerdict, FindVerdict, Remark, RemarkKind, SearchStop};
use gridbug::render::AnswerText;
use gridbug::session::Session;

const TIC_TAC_TOE: &str = include_str!("../../src/languages/gridlok/info/sample.gl");

/// The remarks of a kind.
fn remarks(result: &CheckResult, kind: RemarkKind) -> Vec<&Remark> {
    result.remarks.iter().filter(|r| r.kind == kind).collect()
}

/// The subjects of the remarks of a kind.
fn subjects(result: &CheckResult, kind: RemarkKind) -> Vec<&str> {
    let remarks = remarks(result, kind).into_iter();
    remarks.map(|r| r.subject.as_str()).collect()
}

fn check_text(language: &str, text: &str) -> CheckResult {
    check(&mut session(language, text), "")
}

/// Tic-tac-toe in which only the line of X wins, with a piece that is never placed.
fn one_sided_game() -> String {
    TIC_TAC_TOE
        .replace(
            "if turn == \"x\" { return p.name == \"X\" }\n    return p.name == \"O\"",
            "return p.name == \"X\"",
        )
        .replace(
            "  setup {",
            "  piece { name {\"ghost\"} image {g.png} onClick { display {\"boo\"} } }\n  loseCondition { lose {turnCount > 99} }\n  setup {",
        )
}

#[test]
fn tic_tac_toe_can_be_won_and_full_at_the_same_time() {
    let result = check(&mut sample("gridlok"), "");
    assert!(result.decided && result.extent.complete);
    assert_eq!(result.extent.positions, 5478);
    let kinds: Vec<RemarkKind> = result.remarks.iter().map(|r| r.kind).collect();
    assert_eq!(kinds, [RemarkKind::Together]);
    // The ninth mark can complete a line.
    let together = &result.remarks[0];
    assert_eq!(
        (together.subject.as_str(), together.proof.len()),
        ("win and draw", 9)
    );
    assert!(!result.has_failed());
}

#[test]
fn a_win_for_one_player_only_is_explained_by_the_piece_that_is_never_looked_at() {
    let result = check_text("gridlok", &one_sided_game());
    assert!(result.decided);
    // All positions if only x's lines end the game, counted by a program of its own.
    assert_eq!(result.extent.positions, 5646);
    let one_sided = remarks(&result, RemarkKind::OneSided);
    assert_eq!(one_sided[0].subject, "only x can win");
    assert!(one_sided[0].detail.contains("never looks at \"O\""));
    let ghost = remarks(&result, RemarkKind::NeverRuns);
    assert_eq!(ghost[0].subject, "ghost.onClick");
    assert!(ghost[0].detail.ends_with("no ghost is ever on the board"));
    assert_eq!(subjects(&result, RemarkKind::NeverTrue), ["lose"]);
    assert_eq!(
        result.remarks.iter().map(|r| r.code).collect::<Vec<_>>(),
        ["CK005", "CK007", "CK009", "CK010"]
    );
}

#[test]
fn a_board_that_is_full_without_a_draw_is_a_dead_end() {
    let text = TIC_TAC_TOE.replace("draw {left == 0}", "draw {left == 99}");
    let result = check_text("gridlok", &text);
    let dead_ends = remarks(&result, RemarkKind::DeadEnd);
    assert_eq!(dead_ends[0].proof.len(), 9);
    // Known: 16 full boards without a line.
    assert!(dead_ends[0].detail.contains("16 such positions"));
    assert_eq!(subjects(&result, RemarkKind::NeverTrue), ["draw"]);
    assert!(result.has_failed());
}

/// A game of two cells with this handler; `n` matters.
fn two_cells(on_click: &str) -> String {
    format!(
        r#"game {{
  board {{ dimensions {{1, 2}} image {{b.png}} }}
  players {{"p"}}
  def n {{0}}
  piece {{ name {{"a"}} image {{a.png}} onClick {{ {on_click} endTurn {{}} }} }}
  piece {{ name {{"b"}} image {{b.png}} }}
  setup {{ place {{"a", 0, 0}} place {{"a", 0, 1}} }}
  winCondition {{ win {{n == 9}} }}
}}"#
    )
}

#[test]
fn an_error_is_shown_with_its_shortest_way() {
    let text = two_cells("n {n + 1} n {6 / (3 - n)} changeType {\"b\"}");
    // n: 0, 6 / 2 = 3, then 6 / (3 - 4) = -6: no error. With 6 / (2 - n): 6 / 1 = 6, 6 / -5 = -1.
    assert_eq!(
        remarks(&check_text("gridlok", &text), RemarkKind::Error),
        [] as [&Remark; 0]
    );
    let text = two_cells("n {n + 1} if n == 2 { n {n / 0} } changeType {\"b\"}");
    let result = check_text("gridlok", &text);
    let errors = remarks(&result, RemarkKind::Error);
    assert_eq!(errors.len(), 1);
    assert!(errors[0].subject.contains("division by zero"));
    assert_eq!(errors[0].proof.len(), 2);
    assert_eq!(errors[0].range.as_ref().map(|r| r.line), Some(5));
    assert!(result.decided && result.has_failed());
}

#[test]
fn conditions_that_have_one_value_are_reported_with_their_lines() {
    let text = two_cells("if n < 0 { n {1} } if n >= 0 AND true { changeType {\"b\"} }");
    let result = check_text("gridlok", &text);
    assert_eq!(subjects(&result, RemarkKind::NeverTrue), ["win", "n < 0"]);
    assert_eq!(
        subjects(&result, RemarkKind::AlwaysTrue),
        ["n >= 0 AND true"]
    );
    let never = remarks(&result, RemarkKind::NeverTrue);
    assert_eq!(never[1].range.as_ref().map(|r| r.line), Some(5));
}

#[test]
fn a_condition_that_is_true_in_a_single_line_of_play_is_not_reported() {
    // Only if the left cell is clicked first: positions are merged, what happened on the way is not lost.
    let text = two_cells(
        "n {n + 1} changeType {\"b\"} if n == 1 AND board[0][0].name == \"b\" { display {\"left\"} } n {0}",
    );
    let result = check_text("gridlok", &text);
    assert_eq!(result.extent.positions, 4);
    assert_eq!(subjects(&result, RemarkKind::NeverTrue), ["win"]);
    assert_eq!(subjects(&result, RemarkKind::AlwaysTrue), ["n == 1"]);
}

#[test]
fn functions_that_are_never_called_and_pieces_without_handlers_are_reported() {
    let text = two_cells("changeType {\"b\"}").replace(
        "  setup {",
        "  piece { name {\"c\"} image {c.png} }\n  fun spare(k) { return k + 1 }\n  setup {",
    );
    let result = check_text("gridlok", &text);
    assert_eq!(subjects(&result, RemarkKind::NeverRuns), ["spare"]);
    assert_eq!(subjects(&result, RemarkKind::NeverUsed), ["c"]);
}

#[test]
fn sgl2d_levels_are_checked() {
    let level = "environment > x=4 y=1\nplayer > x=0 y=0 color=blue\ngoal > x=3 y=0 color=yellow\nsprite wall > color=grey solid=true\nsprite bee > color=red\nevent bee > gameover\nset wall > x=2 y=0\nset bee > x=3 y=0\n";
    let result = check_text("sgl2d", level);
    assert!(result.decided);
    assert_eq!(subjects(&result, RemarkKind::NeverTrue), ["win", "lose"]);
    assert_eq!(subjects(&result, RemarkKind::NeverRuns), ["event bee"]);
    // Without the wall, the bee is on the goal.
    let result = check_text("sgl2d", &level.replace("set wall > x=2 y=0\n", ""));
    assert_eq!(subjects(&result, RemarkKind::Together), ["win and lose"]);
    assert_eq!(subjects(&result, RemarkKind::NeverUsed), ["wall"]);
    assert_eq!(remarks(&result, RemarkKind::Together)[0].proof.len(), 3);
}

#[test]
fn bogl_games_are_checked() {
    let result = check(&mut sample("bogl"), "inputs 0..14");
    assert!(result.decided);
    assert_eq!(result.remarks, []);
    let game = "game G\ntype Board = Array (2,1) of {A}\ntype Input = {L, R}\nspare : Int -> Int\nspare(n) = n\nask : Int -> Int\nask(n) = if n > 5 then n else if input == L then ask(n + 1) else 6 / (2 - n)\nresult : Int\nresult = ask(0)\n";
    let result = check_text("bogl", game);
    let errors = remarks(&result, RemarkKind::Error);
    assert_eq!(errors.len(), 1, "{result:?}");
    // L, L, R: n is 2.
    assert_eq!(errors[0].proof.len(), 3);
    assert_eq!(subjects(&result, RemarkKind::NeverRuns), ["spare"]);
}

#[test]
fn gridlang_games_are_checked() {
    let game = r#"
Player { int steps }
Layout(1, 4)
{
    Player ann, bob
    ann.position = (0,0)
    bob.position = (0,0)
    playerOrder = [ann, bob]
}
gameLoop()
{
    if (p.steps > 9)
        p.steps = 0
    if (p.position.y < 3)
        p.position.y++
}
checkGameEnd()
{
    if (p.position.y == 3)
        p.win = true
    return p.win
}
gameOver()
{
    print("done")
}
"#;
    let result = check_text("gridlang", game);
    assert!(result.decided, "{result:?}");
    // ann is always first.
    assert_eq!(
        subjects(&result, RemarkKind::OneSided),
        ["only ann can win"]
    );
    assert_eq!(subjects(&result, RemarkKind::NeverTrue), ["p.steps > 9"]);
}

#[test]
fn a_program_without_moves_is_checked_along_its_one_line() {
    let text = "player hero { x = 0; y = 0; }\nif hero.x == 0 { print \"yes\"; }\nif hero.x == 1 { print \"no\"; }\nmove hero right 2;\nif hero.x == 2 { print \"two\"; }\n";
    let result = check_text("tinygame", text);
    assert_eq!(subjects(&result, RemarkKind::NeverTrue), ["hero.x == 1"]);
    assert_eq!(
        subjects(&result, RemarkKind::AlwaysTrue),
        ["hero.x == 0", "hero.x == 2"]
    );
    assert!(result.decided);
}

#[test]
fn properties_are_decided_with_a_shortest_line() {
    let mut session = sample("gridlok");
    for line in [
        ":always turnCount <= 9",
        ":never turnCount == 3",
        ":sometimes draw",
        ":sometimes turnCount == 10",
    ] {
        assert!(answer(&mut session, line).ok, "{line}");
    }
    let result = check(&mut session, "");
    let verdicts: Vec<_> = result
        .properties
        .iter()
        .map(|p| (p.verdict, p.proof.as_ref().map(Vec::len)))
        .collect();
    assert_eq!(
        verdicts,
        [
            (CheckVerdict::Holds, None),
            (CheckVerdict::Violated, Some(3)),
            (CheckVerdict::Holds, Some(9)),
            (CheckVerdict::Violated, None),
        ]
    );
    assert!(result.has_failed());
    // `turnCount` is now part of a position, but it is the number of marks.
    assert_eq!(result.extent.positions, 5478);
}

#[test]
fn a_property_that_only_the_end_of_a_turn_violates_is_not_missed() {
    // The next turn repairs it before it asks.
    let game = r#"
Player { int load }
Layout(1, 3)
{
    Player ann
    ann.position = (0,0)
}
gameLoop()
{
    p.load = 0
    int n = prompt("how many?")
    if (n == 1)
        p.load = 7
    if (p.position.y < 2)
        p.position.y++
}
checkGameEnd()
{
    return p.position.y == 2
}
"#;
    let mut session = session("gridlang", game);
    assert!(answer(&mut session, ":never ann.load == 7").ok);
    let result = check(&mut session, "inputs 0..2");
    assert_eq!(result.properties[0].verdict, CheckVerdict::Violated);
    assert_eq!(result.properties[0].proof.as_ref().map(Vec::len), Some(1));
}

#[test]
fn a_search_is_not_reused_where_another_field_matters() {
    let game = r#"
Player { int steps }
Layout(1, 2)
{
    Player ann
    ann.position = (0,0)
}
gameLoop()
{
    p.steps++
    p.position.y = 1 - p.position.y
}
checkGameEnd()
{
    return false
}
"#;
    let mut session = session("gridlang", game);
    assert_eq!(find(&mut session, "win").verdict, FindVerdict::Never);
    let steps = find(&mut session, "ann.steps == 5");
    assert_eq!((steps.verdict, steps.length), (FindVerdict::Found, Some(5)));
}

#[test]
fn a_check_changes_nothing() {
    let mut session = sample("gridlok");
    answer(&mut session, ":never turnCount == 3");
    answer(&mut session, "click{0,0}");
    answer(&mut session, "click{1,1}");
    answer(&mut session, ":find draw");
    answer(&mut session, ":undo");
    let before = fingerprint(&mut session);
    let result = check(&mut session, "");
    assert_eq!(result.properties[0].verdict, CheckVerdict::Violated);
    let after = fingerprint(&mut session);
    assert_eq!(after.state.first_difference(&before.state), None);
    assert_eq!(after.history, before.history);
    answer(&mut session, ":redo");
    assert_eq!(session.target.progress().turn_count, Some(2));
}

#[test]
fn questions_in_a_row_cost_one_search() {
    let mut session = sample("gridlok");
    find(&mut session, "lose");
    // Without room for new positions, only what is known can answer.
    session.explorer.limits.positions = 1;
    assert!(check(&mut session, "").decided);
    assert!(answer(&mut session, ":solve").text().contains("5,478"));
    assert!(answer(&mut session, ":stats").text().contains("255,168"));
}

#[test]
fn a_limit_proves_nothing() {
    let mut session = session("gridlok", &one_sided_game());
    answer(&mut session, ":always turnCount < 99");
    session.explorer.limits.positions = 2000;
    let result = check(&mut session, "");
    assert!(!result.decided && !result.extent.complete);
    assert_eq!(result.extent.stopped_by, Some(SearchStop::Memory));
    assert_eq!(result.remarks, []);
    assert_eq!(result.ok, [] as [&str; 0]);
    assert_eq!(result.properties[0].verdict, CheckVerdict::Undecided);
}

#[test]
fn what_was_found_before_a_limit_decides_properties() {
    let mut session = session("gridlok", &one_sided_game());
    for property in [
        ":always turnCount < 3",
        ":never turnCount == 2",
        ":sometimes turnCount == 3",
        ":always turnCount < 99",
        ":sometimes turnCount == 99",
    ] {
        assert!(answer(&mut session, property).ok);
    }
    session.explorer.limits.positions = 2000;
    let result = check(&mut session, "");
    assert_eq!(result.extent.stopped_by, Some(SearchStop::Memory));
    let verdicts: Vec<_> = result.properties.iter().map(|p| p.verdict).collect();
    use CheckVerdict::{Holds, Undecided, Violated};
    assert_eq!(verdicts, [Violated, Violated, Holds, Undecided, Undecided]);
    // The lines are as short as possible: one move per turn.
    let moves = |n: usize| result.properties[n].proof.as_ref().map(Vec::len);
    assert_eq!((moves(0), moves(1), moves(2)), (Some(3), Some(2), Some(3)));
    assert!(!result.decided && result.has_failed());
}

#[test]
fn what_was_found_before_the_time_limit_decides_properties() {
    // The clock goes on with every look, so that the search stops soon, without waiting.
    let mut session = session("gridlok", &one_sided_game());
    answer(&mut session, ":always turnCount < 2");
    answer(&mut session, ":always turnCount < 99");
    let looks = std::cell::Cell::new(0u64);
    let now = || {
        looks.set(looks.get() + 1);
        std::time::Duration::from_millis(looks.get())
    };
    let limits = gridbug::explorer::SearchLimits {
        time: std::time::Duration::from_secs(2),
        threads: 1,
        ..Default::default()
    };
    let mut report = |_| {};
    let cancel = session.target.machine.interrupt_flag();
    let mut control = gridbug::explorer::SearchControl::new(limits, &now, cancel, &mut report);
    let scope = gridbug::explorer::Scope::default();
    let Session {
        explorer, target, ..
    } = &mut session;
    let result = explorer.check(target, &scope, &mut control).unwrap();
    assert_eq!(result.extent.stopped_by, Some(SearchStop::Time));
    let verdicts: Vec<_> = result.properties.iter().map(|p| p.verdict).collect();
    assert_eq!(verdicts, [CheckVerdict::Violated, CheckVerdict::Undecided]);
}

#[test]
fn a_condition_that_is_not_evaluated_to_its_end_is_not_called_never_true() {
    let text = two_cells("changeType {\"b\"}").replacen(
        "winCondition",
        "fun slow() { for i(0, 2000000000) { } return true }\n  winCondition",
        1,
    );
    let mut session = session("gridlok", &text);
    // It takes too long where the first cell has been clicked, and would be true there.
    let declared = answer(
        &mut session,
        ":sometimes board[0][0].name == \"b\" AND slow{}",
    );
    assert!(declared.ok, "{declared:?}");
    let result = check(&mut session, "");
    assert_eq!(
        result.properties[0].verdict,
        CheckVerdict::Undecided,
        "{result:?}"
    );
}

#[test]
fn an_endless_action_is_a_finding_and_leaves_the_rest_undecided() {
    let text = two_cells(
        "if board[0][0].name == \"b\" { for i(0, 2000000000) { n {1} } } changeType {\"b\"}",
    );
    let result = check_text("gridlok", &text);
    let endless = remarks(&result, RemarkKind::Endless);
    assert_eq!(endless[0].proof.len(), 2);
    assert!(result.extent.complete && !result.decided);
    assert_eq!(remarks(&result, RemarkKind::NeverTrue), [] as [&Remark; 0]);
    // It might end later, and then win.
    assert_eq!(
        find(&mut session("gridlok", &text), "win").verdict,
        FindVerdict::Unknown
    );
}

#[test]
fn a_random_setup_has_other_starts() {
    let text = two_cells("changeType {\"b\"}")
        .replace("place {\"a\", 0, 1}", "place {\"a\", 0, 1} n {rand {0, 2}}");
    let mut session = session("gridlok", &text);
    let result = check(&mut session, "");
    assert!(!result.decided && result.extent.complete);
    assert!(result.open[0].contains("setup"), "{result:?}");
    assert_eq!(remarks(&result, RemarkKind::NeverTrue), [] as [&Remark; 0]);
    // After a move, the question is about this game.
    answer(&mut session, "click{0,0}");
    assert!(check(&mut session, "").decided);
}

#[test]
fn a_counter_that_matters_is_named() {
    let mut session = session("gridlok", &two_cells("n {n + 1} if n > 8 { n {n + 1} }"));
    session.explorer.limits.positions = 3000;
    let result = check(&mut session, "");
    assert!(!result.decided);
    assert_eq!(result.extent.growing.map(|g| g.name), Some("n".to_string()));
    let ignoring = check(&mut session, "ignoring n");
    assert!(ignoring.extent.complete && !ignoring.decided);
    assert!(!ignoring.open.is_empty());
}

#[test]
fn an_unread_number_that_doubles_overflows() {
    let text =
        two_cells("n {n + 1} n {0} m {m + m}").replace("def n {0}", "def n {0}\n  def m {1}");
    let result = check_text("gridlok", &text);
    let errors = remarks(&result, RemarkKind::Error);
    // 2 to the power of 31 does not fit into 32 bits.
    assert_eq!(
        errors.first().map(|e| e.proof.len()),
        Some(31),
        "{result:?}"
    );
}

#[test]
fn a_check_in_the_middle_of_a_game_is_about_what_can_still_happen() {
    let mut session = sample("gridlok");
    for entry in ["click{0,0}", "click{1,1}", "click{0,1}"] {
        answer(&mut session, entry);
    }
    let text = answer(&mut session, ":check").text();
    assert!(text.starts_with("searched all "), "{text}");
    assert!(
        text.contains("positions that can be reached from here"),
        "{text}"
    );
}

#[test]
fn a_condition_that_was_replaced_is_not_reported() {
    let mut session = session(
        "gridlok",
        &two_cells("if n < 0 { n {1} } changeType {\"b\"}"),
    );
    answer(&mut session, "click{0,0}");
    answer(
        &mut session,
        "piece { name {\"a\"} image {a.png} onClick { changeType {\"b\"} endTurn {} } }",
    );
    let result = check(&mut session, "");
    assert_eq!(subjects(&result, RemarkKind::NeverTrue), ["win"]);
}

#[test]
fn properties_can_use_the_variables_of_functions_that_wait() {
    let game = include_str!("../../sessions/bogl/tic-tac-toe.bgl");
    let mut session = session("bogl", game);
    for (property, function) in [
        // `choose` asks; `play` waits for it.
        (":always count(Empty, b) > 6", "choose"),
        (":never won(next(p), b)", "play"),
        (":sometimes and(p == O, count(Empty, b) == 2)", "play"),
        (":never and(p == O, count(Empty, b) == 3)", "play"),
        (":always count(Empty, empty) == 9", ""),
    ] {
        let declared = answer(&mut session, property);
        assert!(declared.ok, "{property}: {declared:?}");
        let text = declared.text();
        let is_named = text.contains(&format!("checked at the questions of {function}"));
        let is_expected = !function.is_empty() && !property.contains("sometimes");
        assert_eq!(is_named, is_expected, "{text}");
    }
    let result = check(&mut session, "in play(X, empty)");
    let verdicts: Vec<_> = result.properties.iter().map(|p| p.verdict).collect();
    use CheckVerdict::{Holds, Violated};
    // X moves with 9, 7, 5, 3 and 1 cells free, O with 8, 6, 4 and 2.
    assert_eq!(
        verdicts,
        [Violated, Holds, Holds, Holds, Holds],
        "{result:?}"
    );
    let moves = |n: usize| result.properties[n].proof.as_ref().map(Vec::len);
    assert_eq!((moves(0), moves(2)), (Some(3), Some(7)));
    // The same while the game waits.
    answer(&mut session, ":properties delete all");
    answer(&mut session, "play(X, empty)");
    answer(&mut session, "(1,1)");
    assert!(answer(&mut session, ":never won(next(p), b)").ok);
    assert!(answer(&mut session, ":always count(Empty, b) > 6").ok);
    let result = check(&mut session, "");
    let verdicts: Vec<_> = result.properties.iter().map(|p| p.verdict).collect();
    assert_eq!(verdicts, [Holds, Violated], "{result:?}");
    assert_eq!(result.properties[1].proof.as_ref().map(Vec::len), Some(2));
}

#[test]
fn a_variable_is_kept_from_where_it_is_defined() {
    // Both variables are in scope at the third question only; `a` has to be kept at the second.
    let game = "game Two\ntype Board = Array(1,1) of Int\ntype Input = Int\n\
                two : Int -> Int\ntwo(k) = let a = input in let c = input in let d = input in d\n\
                result : Int\nresult = two(1)\n";
    let mut session = session("bogl", game);
    for (property, expected) in [
        ("never a + c == 6", CheckVerdict::Violated),
        ("never a + c == 7", CheckVerdict::Holds),
        ("sometimes a + c == 5", CheckVerdict::Holds),
    ] {
        answer(&mut session, ":properties delete all");
        let declared = answer(&mut session, &format!(":{property}"));
        assert!(declared.ok, "{declared:?}");
        let result = check(&mut session, "inputs 0..3 in two(1)");
        let verdict = result.properties[0].verdict;
        assert_eq!(verdict, expected, "{property}: {result:?}");
    }
}

#[test]
fn a_property_is_not_checked_where_its_variables_are_not_in_scope() {
    let game = "game Two\ntype Board = Array(1,1) of Int\ntype Input = Int\n\
                two : Int -> Int\ntwo(k) = let a = input in let c = input in let d = input in d\n";
    let mut session = session("bogl", game);
    assert!(answer(&mut session, ":never a + c == 6").ok);
    assert!(answer(&mut session, "two(1)").stop.is_none());
    assert!(answer(&mut session, "3").stop.is_none());
    assert!(answer(&mut session, "3").stop.is_some());
}

#[test]
fn a_condition_that_is_true_at_the_start_of_a_game_is_found_there() {
    let game = include_str!("../../sessions/bogl/tic-tac-toe.bgl");
    let found = find(
        &mut session("bogl", game),
        "count(Empty, empty) == 9 in play(X, empty)",
    );
    assert_eq!((found.verdict, found.length), (FindVerdict::Found, Some(0)));
}

#[test]
fn what_depends_on_the_inputs_tried_is_marked_as_such() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/sessions/bogl/tic-tac-toe.bgl");
    let mut game = session("bogl", &std::fs::read_to_string(path).unwrap());
    let text = answer(&mut game, ":check").text();
    let expected = "onBoard(p)  allowed, line 23, for the inputs tried";
    assert!(text.contains(expected), "{text}");
    // Where all moves were tried, there is nothing to add.
    let text = answer(&mut sample("gridlok"), ":check").text();
    assert!(!text.contains("inputs tried"), "{text}");
}
