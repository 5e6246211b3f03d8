//! The check of the check: if the analysis of units were wrong, comparing the games would show it.

use super::comparison::Pair;
use super::games::Game;
use super::rng;
use gridbug::code::incremental::{Offsets, Unit};

/// Each mistake has to be found within this many games.
const MAX_GAMES: u64 = 40;

/// A change of what is known about a unit.
type Mistake = fn(&mut Unit);

/// The mistakes, each with its name.
const MISTAKES: [(&str, Mistake); 9] = [
    ("ignores changes of the board", |unit| {
        (unit.reach.rows, unit.reach.cols) = (None, None);
    }),
    ("ignores changes of columns", |unit| unit.reach.cols = None),
    ("ignores changes of neighbors", |unit| {
        let own = Offsets { from: 0, to: 0 };
        unit.reach.rows = unit.reach.rows.map(|_| own);
        unit.reach.cols = unit.reach.cols.map(|_| own);
    }),
    ("does not compare registers", |unit| {
        unit.inputs.registers.clear();
    }),
    ("does not compare globals", |unit| {
        unit.inputs.globals.clear();
    }),
    ("does not set the last register", |unit| {
        unit.outputs.registers.pop();
    }),
    ("does not set the last global", |unit| {
        unit.outputs.globals.pop();
    }),
    ("does not increase counters", |unit| unit.counters.clear()),
    ("executes the last instruction of a skipped unit", |unit| {
        unit.next -= 1;
    }),
];

/// How many games are compared until one of them differs.
fn games_until_found(mistake: Mistake) -> Option<u64> {
    (0..MAX_GAMES).find(|number| {
        let mut rng = rng("faults", *number);
        let game = Game::random(&mut rng);
        let mut pair = Pair::start(&game.text);
        pair.alter_units(mistake);
        let result = pair
            .play(&game.entries)
            .and_then(|()| pair.visit_times(&mut rng, 4));
        result.is_err()
    })
}

#[test]
fn every_mistake_is_found() {
    let missed: Vec<&str> = MISTAKES
        .into_iter()
        .filter(|(_, mistake)| games_until_found(*mistake).is_none())
        .map(|(name, _)| name)
        .collect();
    assert!(missed.is_empty(), "not found: {missed:?}");
}

/// What is found is the mistake, not that the units were altered at all.
#[test]
fn an_alteration_without_effect_is_not_found() {
    assert_eq!(games_until_found(|_| {}), None);
}
