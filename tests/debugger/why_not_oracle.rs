//! `:why not` against an exhaustive search: for random positions and conditions, every change that
//! it proposes makes the condition true, and it finds a change whenever there is one.

use crate::test_session::TestSession;
use gridbug::protocol::answer_to_json;
use serde_json::Value;

/// A small generator, so that failures can be repeated.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }

    fn pick<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len() as u64) as usize]
    }
}

/// A condition on a board of 2 x 2 cells, `n`, `m` and the list `l`.
fn condition(rng: &mut Rng) -> String {
    let cell = format!("board[{}][{}]", rng.below(2), rng.below(2));
    match rng.below(8) {
        0 => format!("n * n == {}", rng.below(7).pow(2)),
        1 => format!("n + {} > {}", rng.below(5), rng.below(15)),
        2 => format!("l[{}] == {}", rng.below(3), rng.below(9)),
        3 => format!("{cell}.name == \"{}\"", rng.pick(&["X", "O", ""])),
        4 => format!("{cell}.visible == {}", rng.pick(&["true", "false"])),
        5 => format!("{cell}.name == \"X\" AND {cell}.visible == false"),
        6 => format!("n - m == {} AND m > {}", rng.below(12), rng.below(9)),
        _ => format!("!(n < {}) AND l[0] > m", rng.below(6)),
    }
}

fn program(rng: &mut Rng) -> String {
    let (n, m) = (rng.below(6), rng.below(6));
    let list: Vec<String> = (0..3).map(|_| format!("{},", rng.below(6))).collect();
    let mut setup = String::new();
    for at in 0..4 {
        if rng.below(3) > 0 {
            let (name, row, col) = (rng.pick(&["X", "O"]), at / 2, at % 2);
            setup += &format!("place {{\"{name}\", {row}, {col}}} ");
            if rng.below(3) == 0 {
                setup += &format!("board[{row}][{col}].visible{{false}} ");
            }
        }
    }
    let test = condition(rng);
    format!(
        "board {{ dimensions {{2, 2}} image {{b.png}} }} players {{\"p\", \"q\"}}
def n {{{n}}} def m {{{m}}} def l {{{}}}
piece {{ name {{\"X\"}} }} piece {{ name {{\"O\"}} }}
setup {{ {setup} }}
winCondition {{ win {{{test}}} }}",
        list.concat()
    )
}

/// All single changes, as entries: each piece on each cell, hidden or not, no piece, and small
/// integers.
fn single_changes() -> Vec<Vec<String>> {
    let mut changes = Vec::new();
    for (row, col) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        for name in ["X", "O"] {
            let place = format!("place {{\"{name}\", {row}, {col}}}");
            let hide = format!("board[{row}][{col}].visible{{false}}");
            changes.push(vec![place.clone()]);
            changes.push(vec![place, hide]);
        }
        changes.push(vec![format!("removePiece {{{row}, {col}}}")]);
    }
    for value in -14..=14 {
        for variable in ["n", "m", "l[0]", "l[1]", "l[2]"] {
            changes.push(vec![format!("{variable}{{{value}}}")]);
        }
    }
    changes
}

/// Makes changes, checks the condition, and undoes them. All in one entry: it ends the turn, so there
/// is always something to undo.
fn is_true_after(session: &mut TestSession, entries: &[String]) -> bool {
    let entry = format!("{} endTurn{{}}", entries.join(" "));
    if !session.reply(&entry).ok {
        return false;
    }
    let is_true = session.reply_text("win") == "= true";
    session.reply(":undo");
    is_true
}

/// The entries that make a proposed change.
fn entries_for(change: &Value) -> Vec<String> {
    let text = |key: &str| change[key].as_str().unwrap_or_default().to_string();
    let (name, new, current) = (text("name"), text("new"), text("current"));
    if change["target"] != "cell" {
        return vec![format!("{name}{{{new}}}")];
    }
    let cell = name.trim_matches(['[', ']']).replace("][", ", ");
    if new == "empty" {
        return vec![format!("removePiece {{{cell}}}")];
    }
    let mut entries = Vec::new();
    if let Some(kind) = new.split(' ').find(|word| ["X", "O"].contains(word)) {
        entries.push(match current.as_str() {
            "empty" => format!("place {{\"{kind}\", {cell}}}"),
            _ => format!("board{name}.changeType{{\"{kind}\"}}"),
        });
    }
    match new.split(' ').next() {
        Some("hidden") => entries.push(format!("board{name}.visible{{false}}")),
        Some("visible") => entries.push(format!("board{name}.visible{{true}}")),
        _ => {}
    }
    entries
}

#[test]
fn why_not_agrees_with_an_exhaustive_search() {
    let mut rng = Rng(0x9E37_79B9_7F4A_7C15);
    let changes = single_changes();
    for round in 0..25 {
        let program = program(&mut rng);
        let mut session = TestSession::load("gridlok", &program);
        let answer = session.reply(":why not win");
        let json = answer_to_json(&session.0, &answer);
        let writer = &json["parts"][0]["writers"][0];
        if writer["result"] == "becomes_true" {
            assert!(is_true_after(&mut session, &[]), "{round}: {program}");
            continue;
        }
        let search = &writer["search"];
        let solutions = search["solutions"].as_array().cloned().unwrap_or_default();
        let found_by_single = search["tried"].as_array().map_or(0, Vec::len) == 1;
        let exists = changes
            .iter()
            .any(|change| is_true_after(&mut session, change));
        assert!(
            found_by_single && !solutions.is_empty() || !exists,
            "{round}: a single change was missed: {json:#}\n{program}"
        );
        for solution in &solutions {
            let Some(changes) = solution["changes"].as_array() else {
                continue;
            };
            let entries: Vec<String> = changes.iter().flat_map(entries_for).collect();
            assert!(
                is_true_after(&mut session, &entries),
                "{round}: {entries:?} does not make it true\n{program}"
            );
        }
    }
}

/// The actions that `:why not win` proposes.
fn proposed_actions(session: &mut TestSession) -> Vec<String> {
    let answer = session.reply(":why not win");
    let json = answer_to_json(&session.0, &answer);
    let actions = json["parts"][0]["actions"].as_array();
    let actions = actions.expect("the actions").iter();
    actions
        .map(|action| action.as_str().unwrap_or_default().to_string())
        .collect()
}

/// The actions after which `win` is true, by trying each.
fn winning_actions(session: &mut TestSession, actions: &[String]) -> Vec<String> {
    let mut winning = Vec::new();
    for action in actions {
        session.reply(":mark before");
        session.reply(action);
        if session.reply_text("win") == "= true" {
            winning.push(action.clone());
        }
        session.reply(":goto before");
    }
    winning
}

#[test]
fn the_proposed_actions_are_those_that_win() {
    let gridlok = gridbug::languages::by_name("gridlok").expect("GridLok");
    let sample = gridlok.info().sample;
    let clicks: Vec<String> = (0..9)
        .map(|at| format!("click{{{},{}}}", at / 3, at % 3))
        .collect();
    let mut rng = Rng(0xDA94_2042_E4DD_58B5);
    for round in 0..8 {
        let mut session = TestSession::load("gridlok", sample);
        for _ in 0..2 + rng.below(5) {
            session.reply(&clicks[rng.below(9) as usize]);
        }
        let expected = winning_actions(&mut session, &clicks);
        if session.reply_text("win") == "= false" {
            assert_eq!(proposed_actions(&mut session), expected, "round {round}");
        }
    }
    let keys = ["up", "down", "left", "right"].map(str::to_string);
    for round in 0..12 {
        let (x, y) = (rng.below(4), rng.below(3));
        let program = format!(
            "environment > x=4 y=3\nplayer > x={} y={}\ngoal > x={x} y={y}\nsprite gold >\nevent gold > win\nset gold > x={} y={}\n",
            rng.below(4),
            rng.below(3),
            rng.below(4),
            rng.below(3),
        );
        let mut session = TestSession::load("sgl2d", &program);
        let expected = winning_actions(&mut session, &keys);
        assert_eq!(
            proposed_actions(&mut session),
            expected,
            "round {round}: {program}"
        );
    }
}
