//! `:why not` against an exhaustive search: for random positions and conditions, every change that
//! it proposes makes the condition true, and it finds a change whenever there is one.

use crate::protocol::valid_json;
use crate::test_session::TestSession;
use serde_json::Value;

/// A small generator, so that failures can be repeated.
pub struct Rng(pub u64);

impl Rng {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }

    pub fn pick<'t>(&mut self, of: &[&'t str]) -> &'t str {
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
        let json = valid_json(&session.0, &answer);
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
    let json = valid_json(&session.0, &answer);
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

/// What the search for changes found: whether single changes were enough, and the entries that make
/// each proposed change.
fn proposals(search: &Value, entry: impl Fn(&Value) -> String) -> (bool, Vec<Vec<String>>) {
    let is_single = search["tried"].as_array().map_or(0, Vec::len) == 1;
    let solutions = search["solutions"].as_array().cloned().unwrap_or_default();
    let together = solutions.iter().filter_map(|s| s["changes"].as_array());
    let entries = together.map(|changes| changes.iter().map(&entry).collect());
    (is_single, entries.collect())
}

/// Makes changes, asks something, and goes back to the mark `before`.
fn after<R>(
    session: &mut TestSession,
    entries: &[String],
    ask: impl FnOnce(&mut TestSession) -> R,
) -> Option<R> {
    let is_ok = entries.iter().all(|entry| session.reply(entry).ok);
    let answer = is_ok.then(|| ask(session));
    session.reply(":goto before");
    answer
}

/// A condition of GridLang: numbers, arrays, fields, references, coordinates, strings, functions with
/// parameters, negations.
fn gridlang_condition(rng: &mut Rng, kind: usize) -> String {
    let (row, col, n) = (rng.below(2), rng.below(3), rng.below(12));
    match kind {
        0 => format!("sq(n) == {}", rng.below(9).pow(2)),
        1 => format!("n - m == {n} and m > {}", rng.below(5)),
        2 => format!("l[{col}] * 3 == {}", 3 * n),
        3 => format!("t[{row},{}] > n + {n}", rng.below(2)),
        4 => format!("ann.score + bob.score == {n}"),
        5 => format!("gold.found and n > {}", rng.below(4)),
        6 => format!("!(gold.worth < {n}) or leader == ann"),
        7 => format!("c.row + c.col == {n}"),
        8 => format!("c == ({n},{})", rng.below(9)),
        9 => "s == \"x\" + \"yz\"".to_string(),
        10 => format!("f * 2.0 == {n}.0"),
        11 => format!("len(Grid({row},{col}).playerList) == {}", rng.below(3)),
        12 => format!("ann.position == ({row},{col}) and !done"),
        13 => format!("between({n}, {})", n + 2 + rng.below(3)),
        14 => "ann.friend == bob".to_string(),
        15 => format!("ann.position.col * 2 == {}", 2 * rng.below(4)),
        16 => "leader == ann".to_string(),
        17 => format!("n / 2 == {n} or n % 5 == {} and m != 3", rng.below(5)),
        _ => format!("!(l[0] == n) and !done and f > {n}.5"),
    }
}

const GRIDLANG_CONDITIONS: usize = 19;

fn gridlang_program(rng: &mut Rng, condition: &str) -> String {
    let (n, m) = (rng.below(6), rng.below(6));
    format!(
        "Player {{ int score; Player friend }}
Item Coin {{ int worth = {n}; boolean found }}
boolean done = {}
int n = {n}
int m = {m}
float f = 1.5
string s = \"abc\"
coordinate c = (0,1)
int[3] l = [1,{m},3]
int[2,2] t = [[1,2],[{n},4]]
Layout(2, 3)
{{
    Player ann, bob
    ann.position = (0,0)
    bob.position = ({},1)
    Coin gold
    gold.position = (1,2)
    Player leader = bob
}}
function sq(int k): int {{ return k * k }}
function between(int low, int high): boolean {{ return n > low and n < high }}
gameLoop() {{ m = m }}
checkGameEnd() {{ return {condition} }}
",
        rng.pick(&["true", "false"]),
        rng.below(2),
    )
}

/// All single changes of what a condition mentions, as entries.
fn gridlang_changes(condition: &str) -> Vec<String> {
    let ints = |range: std::ops::RangeInclusive<i64>| range.map(|n| n.to_string());
    let integers: Vec<String> = ints(-14..=30).collect();
    let floats: Vec<String> = (-20..=40)
        .map(|n| format!("{:.1}", n as f64 / 2.0))
        .collect();
    let pairs = |rows: i64, cols: i64| -> Vec<String> {
        let cells = (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
        cells.map(|(row, col)| format!("({row},{col})")).collect()
    };
    let words = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
    let mut places: Vec<(&str, Vec<String>)> = Vec::new();
    for name in [
        "n", "m", "l[0]", "l[1]", "l[2]", "t[0,0]", "t[0,1]", "t[1,0]", "t[1,1]",
    ] {
        places.push((name, integers.clone()));
    }
    for name in ["ann.score", "bob.score", "gold.worth"] {
        places.push((name, integers.clone()));
    }
    for name in ["ann.position", "bob.position", "gold.position"] {
        places.push((name, pairs(2, 3)));
    }
    places.push(("c", pairs(14, 14)));
    places.push(("f", floats));
    places.push(("s", words(&["\"x\"", "\"xyz\"", "\"\""])));
    places.push(("done", words(&["true", "false"])));
    places.push(("gold.found", words(&["true", "false"])));
    places.push(("leader", words(&["ann", "bob"])));
    places.push(("ann.friend", words(&["ann", "bob"])));
    let is_read = |name: &str| match name.split_once(".position") {
        Some(_) => condition.contains("position") || condition.contains("Grid"),
        None => condition.contains(name),
    };
    let read = places.into_iter().filter(|(name, _)| is_read(name));
    read.flat_map(|(name, values)| {
        let assign = move |value: String| format!("{name} = {value}");
        values.into_iter().map(assign)
    })
    .collect()
}

#[test]
fn why_not_agrees_with_an_exhaustive_search_in_gridlang() {
    let mut rng = Rng(0x2545_F491_4F6C_DD1D);
    for round in 0..2 * GRIDLANG_CONDITIONS {
        let condition = gridlang_condition(&mut rng, round % GRIDLANG_CONDITIONS);
        let program = gridlang_program(&mut rng, &condition);
        let mut session = TestSession::load("gridlang", &program);
        let is_true = |s: &mut TestSession| s.reply_text(&condition) == "= true";
        let answer = session.reply(":why not win");
        let json = valid_json(&session.0, &answer);
        let run = &json["parts"][0]["conditions"][0];
        if run["result"] == "true" {
            assert!(is_true(&mut session), "{round}: {program}");
            continue;
        }
        assert!(!is_true(&mut session), "{round}: {program}");
        let entry = |change: &Value| {
            let text = |key: &str| change[key].as_str().unwrap_or_default().to_string();
            format!("{} = {}", text("name"), text("new"))
        };
        let (is_single, proposed) = proposals(&run["search"], entry);
        session.reply(":mark before");
        for entries in &proposed {
            assert_eq!(
                after(&mut session, entries, is_true),
                Some(true),
                "{round}: {entries:?} does not make `{condition}` true\n{program}"
            );
        }
        if is_single && !proposed.is_empty() {
            continue;
        }
        for change in gridlang_changes(&condition) {
            let holds = after(&mut session, std::slice::from_ref(&change), is_true);
            assert_ne!(
                holds,
                Some(true),
                "{round}: {change} was missed for `{condition}`: {run:#}\n{program}"
            );
        }
    }
}

/// Whether a condition makes a flag of SGL2D true if it is checked now.
fn becomes_true(session: &mut TestSession, flag: &str) -> bool {
    let answer = session.reply(&format!(":why not {flag}"));
    let json = valid_json(&session.0, &answer);
    let writers = json["parts"][0]["writers"].as_array().cloned();
    let mut writers = writers.unwrap_or_default().into_iter();
    writers.any(|writer| writer["result"] == "becomes_true")
}

#[test]
fn why_not_agrees_with_an_exhaustive_search_in_sgl2d() {
    let mut rng = Rng(0x9E6C_63D0_876A_46D5);
    for round in 0..12 {
        let (goal_x, goal_y) = (rng.below(4), rng.below(3));
        let (x, y) = (rng.below(4), rng.below(3));
        let counters = [1 + rng.below(9), 1 + rng.below(9)];
        let ends = ["winonzerocounter", "gameoveronzerocounter", ""];
        let ends = [rng.pick(&ends), rng.pick(&ends)];
        let counter =
            |n: usize, value: i64| format!("counter counter{} > true {value} {}", n + 1, ends[n]);
        let goal = |x: i64, y: i64| format!("goal > x={x} y={y}");
        let player = |x: i64, y: i64| format!("player > x={x} y={y}");
        let (at, end) = ((x as i64, y as i64), (goal_x as i64, goal_y as i64));
        let lines = [
            "environment > x=4 y=3".to_string(),
            player(at.0, at.1),
            goal(end.0, end.1),
            counter(0, counters[0] as i64),
            counter(1, counters[1] as i64),
        ];
        let program = lines.join("\n") + "\n";
        let mut changes: Vec<(String, i64, String)> = Vec::new();
        for n in 0..10 {
            changes.push(("counter1".to_string(), n, counter(0, n)));
            changes.push(("counter2".to_string(), n, counter(1, n)));
        }
        for n in 0..4 {
            changes.push(("player.x".to_string(), n, player(n, at.1)));
            changes.push(("goal.x".to_string(), n, goal(n, end.1)));
        }
        for n in 0..3 {
            changes.push(("player.y".to_string(), n, player(at.0, n)));
            changes.push(("goal.y".to_string(), n, goal(end.0, n)));
        }
        let mut session = TestSession::load("sgl2d", &program);
        session.reply(":mark before");
        for flag in ["win", "lose"] {
            if becomes_true(&mut session, flag) {
                continue;
            }
            let answer = session.reply(&format!(":why not {flag}"));
            let json = valid_json(&session.0, &answer);
            let writers = json["parts"][0]["writers"].as_array().cloned();
            let mut proposed: Vec<(String, i64)> = Vec::new();
            for writer in writers.unwrap_or_default() {
                for solution in writer["search"]["solutions"]
                    .as_array()
                    .into_iter()
                    .flatten()
                {
                    let changes = solution["changes"].as_array().cloned().unwrap_or_default();
                    if let [change] = changes.as_slice() {
                        let new = change["new"].as_str().unwrap_or_default().parse();
                        let name = change["name"].as_str().unwrap_or_default();
                        proposed.push((name.to_string(), new.expect("a number")));
                    }
                }
            }
            for (name, value, entry) in &changes {
                let entries = std::slice::from_ref(entry);
                let holds = after(&mut session, entries, |s| becomes_true(s, flag));
                // Of the values of a variable, the closest is proposed.
                let is_proposed = proposed.iter().any(|(other, _)| other == name);
                assert!(
                    holds != Some(true) || is_proposed,
                    "{round}: {name}={value} was missed for {flag}: {json:#}\n{program}"
                );
                if proposed.contains(&(name.clone(), *value)) {
                    assert_eq!(holds, Some(true), "{round}: {flag} by {entry}\n{program}");
                }
            }
        }
    }
}

#[test]
fn ending_the_game_by_hand_is_not_proposed() {
    let program = "environment > x=4 y=3\nplayer > x=0 y=0\ngoal > x=2 y=2\n";
    let mut session = TestSession::load("sgl2d", program);
    let answer = session.reply_text(":why not goal");
    assert!(
        answer.contains("player.x were 2 (it is 0), and player.y"),
        "{answer}"
    );
    assert!(!answer.contains("win were true"), "{answer}");
}
