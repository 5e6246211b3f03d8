//! What is left out of a position must not matter.
//!
//! Every game of the corpus is searched with each reduction off, and each position is mapped to the one of
//! the reduced search that it is if only what is kept is looked at. The two must agree in who moves or
//! has won, in the number of moves to them, in their errors, and in the positions that their moves lead
//! to. Then every line of one search is a line of the other: no goal can be missed or made up.

use crate::support::{answer, corpus, session};
use gridbug::answer::{CheckedProperty, Remark};
use gridbug::explorer::{
    Exploration, PositionId, Reductions, Scope, SearchControl, SearchLimits, end_value, projection,
};
use gridbug::session::Session;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, Instant};

/// Explores complete layers up to a number of positions.
fn explore(session: &Session, reductions: Reductions, positions: usize) -> Option<Exploration> {
    let scope = Scope {
        reductions,
        ..Scope::default()
    };
    let mut exploration = Exploration::of(&session.target, &scope).ok()?;
    let start = Instant::now();
    let now = || start.elapsed();
    let mut report = |_| {};
    let limits = SearchLimits {
        time: Duration::from_secs(600),
        positions,
        threads: 1,
        ..SearchLimits::default()
    };
    let mut control = SearchControl::new(limits, &now, Default::default(), &mut report);
    exploration.expand_all(&mut control);
    Some(exploration)
}

/// Each reduction by itself turned off, and all of them.
fn variants() -> [Reductions; 6] {
    let all = Reductions::default();
    let variables = Reductions {
        variables: false,
        ..all
    };
    let liveness = Reductions {
        liveness: false,
        ..all
    };
    let tail_frames = Reductions {
        tail_frames: false,
        ..all
    };
    let ordinals = Reductions {
        ordinals: false,
        ..all
    };
    let questions = Reductions {
        questions: false,
        ..all
    };
    let none = Reductions {
        variables: false,
        liveness: false,
        tail_frames: false,
        ordinals: false,
        questions: false,
    };
    [variables, liveness, tail_frames, ordinals, questions, none]
}

/// The errors of the actions of each position.
fn errors(game: &Exploration) -> HashMap<PositionId, BTreeSet<(u32, &'static str)>> {
    let mut errors: HashMap<_, BTreeSet<_>> = HashMap::new();
    for failure in game.failures() {
        let of_position = errors.entry(failure.position).or_default();
        of_position.insert((failure.label, failure.failure.code));
    }
    errors
}

/// A position as both searches see it: its number in the reduced search, or the value of a game that is
/// an expression.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Key {
    Position(PositionId),
    Value(Vec<u8>),
}

/// The key of a position of the reduced search.
fn reduced_key(reduced: &Exploration, id: PositionId) -> Key {
    match end_value(reduced, id) {
        Some(value) => Key::Value(value.to_vec()),
        None => Key::Position(id),
    }
}

/// The key of a position of the full search.
fn full_key(full: &mut Exploration, id: PositionId, reduced: &mut Exploration) -> Option<Key> {
    match end_value(full, id) {
        Some(value) => Some(Key::Value(value.to_vec())),
        None => projection(full, id, reduced).map(Key::Position),
    }
}

/// The least number of moves to each position.
fn least(depths: impl Iterator<Item = (Key, usize)>) -> BTreeMap<Key, usize> {
    let mut all = BTreeMap::new();
    for (key, depth) in depths {
        let least = all.entry(key).or_insert(depth);
        *least = depth.min(*least);
    }
    all
}

/// Compares a search with fewer reductions to one with all, up to the depth that both have reached.
/// Returns how many positions were compared.
fn compare(full: &mut Exploration, reduced: &mut Exploration, name: &str) -> usize {
    let depth = full.complete_depth().min(reduced.complete_depth());
    let known = (0..full.position_count() as PositionId).filter(|id| full.depth(*id) <= depth);
    let known: Vec<PositionId> = known.collect();
    let mut keys: HashMap<PositionId, Key> = HashMap::new();
    for &id in &known {
        let key = full_key(full, id, reduced);
        let key = key.unwrap_or_else(|| panic!("{name}: position {id} is missing"));
        if let Key::Position(same) = key {
            assert_eq!(full.info(id), reduced.info(same), "{name}: position {id}");
        }
        keys.insert(id, key);
    }
    let expected = (0..reduced.position_count() as PositionId)
        .map(|id| (reduced_key(reduced, id), reduced.depth(id)))
        .filter(|(_, at)| *at <= depth);
    assert_eq!(
        least(known.iter().map(|id| (keys[id].clone(), full.depth(*id)))),
        least(expected),
        "{name}: the positions up to depth {depth}"
    );
    let (full_errors, reduced_errors) = (errors(full), errors(reduced));
    for &id in known.iter().filter(|id| full.depth(**id) < depth) {
        let Key::Position(same) = keys[&id] else {
            continue;
        };
        // A move that only changes what is left out is none in the reduced search.
        let is_move = |to: &Key| full.info(id).is_chance() || *to != Key::Position(same);
        let targets = full.edges(id).map(|edge| keys[&edge.to].clone());
        let reduced_targets = reduced
            .edges(same)
            .map(|edge| reduced_key(reduced, edge.to));
        assert_eq!(
            targets.filter(is_move).collect::<BTreeSet<Key>>(),
            reduced_targets.collect::<BTreeSet<Key>>(),
            "{name}: the moves of position {id}"
        );
        assert_eq!(
            full_errors.get(&id),
            reduced_errors.get(&same),
            "{name}: the errors of position {id}"
        );
    }
    known.len()
}

#[test]
fn each_reduction_leaves_all_lines_of_all_games() {
    let mut compared = 0;
    for (language, file, text) in corpus() {
        let session = session(language, &text);
        for variant in variants() {
            let Some(mut full) = explore(&session, variant, 400) else {
                // TinyGame has no moves.
                continue;
            };
            let Some(mut reduced) = explore(&session, Reductions::default(), 400) else {
                panic!("{file}");
            };
            compared += compare(&mut full, &mut reduced, &format!("{file}, {variant:?}"));
        }
    }
    assert!(compared > 5000, "{compared}");
}

/// What `:check` says with these reductions, if it could search all positions.
fn remarks(session: &mut Session, reductions: Reductions) -> Option<Vec<(String, String)>> {
    let scope = Scope {
        reductions,
        ..Scope::default()
    };
    let start = Instant::now();
    let now = || start.elapsed();
    let mut report = |_| {};
    let limits = SearchLimits {
        time: Duration::from_secs(600),
        positions: 700,
        threads: 1,
        ..SearchLimits::default()
    };
    let mut control = SearchControl::new(limits, &now, Default::default(), &mut report);
    let Session {
        explorer, target, ..
    } = session;
    let result = explorer.check(target, &scope, &mut control).ok()?;
    let of_remark = |r: &Remark| (format!("{:?}", r.kind), r.message.clone());
    let mut remarks: Vec<_> = result.remarks.iter().map(of_remark).collect();
    remarks.extend(result.ok.iter().map(|ok| ("ok".to_string(), ok.clone())));
    let of_property = |p: &CheckedProperty| {
        let length = p.proof.as_ref().map(Vec::len);
        (p.text.clone(), format!("{:?} {length:?}", p.verdict))
    };
    remarks.extend(result.properties.iter().map(of_property));
    result.decided.then_some(remarks)
}

/// Two players fill two rows, with a mistake of each kind.
const MISTAKES: &str = r#"game {
  board { dimensions {2, 2} image {b.png} }
  players {"x", "o"}
  def moves {0}
  def last {0}
  piece { name {"free"} image {f.png}
    onClick {
      moves {moves + 1}
      last {pieceCol}
      if turn == "x" { changeType {"X"} } else { changeType {"O"} }
      if moves > 9 { last {0} }
      if moves == 4 AND last == 0 { last {1 / (moves - 4)} }
      endTurn {}
    }
  }
  piece { name {"X"} image {x.png} }
  piece { name {"O"} image {o.png} }
  piece { name {"ghost"} image {g.png} onClick { last {7} } }
  setup { for r, c in board { place {"free", r, c} } }
  fun unused() { return last }
  winCondition { win {board[0][0].name == "X" AND board[0][1].name == "X"} }
  loseCondition { lose {moves > 99} }
}"#;

#[test]
fn a_check_says_the_same_with_each_reduction_off() {
    let mut games = corpus();
    games.push(("gridlok", "mistakes".into(), MISTAKES.into()));
    let mut compared = 0;
    for (language, file, text) in games {
        let mut session = session(language, &text);
        if file == "mistakes" {
            for property in [
                ":always moves < 3",
                ":sometimes last == 1",
                ":never last == 9",
            ] {
                assert!(answer(&mut session, property).ok);
            }
        }
        let Some(reduced) = remarks(&mut session, Reductions::default()) else {
            continue;
        };
        if file == "mistakes" {
            let kinds: BTreeSet<&str> = reduced.iter().map(|(kind, _)| kind.as_str()).collect();
            for kind in ["Error", "DeadEnd", "NeverTrue", "NeverRuns", "OneSided"] {
                assert!(kinds.contains(kind), "{kind} is missing in {reduced:?}");
            }
        }
        for variant in variants() {
            // A counter that cannot matter may keep the full search from ending.
            let Some(full) = remarks(&mut session, variant) else {
                continue;
            };
            assert_eq!(full, reduced, "{file}, {variant:?}");
            compared += 1;
        }
    }
    assert!(compared >= 20, "{compared}");
}
