//! The check of the check: mistakes in reusing units are found by comparing the games.

use super::comparison::Pair;
use super::games::Game;
use super::rng;
use gridbug::machine::Fault;

/// Each mistake has to be found within this many games.
const MAX_GAMES: u64 = 40;

/// How many games are compared until one of them differs.
fn games_until_found(fault: Fault) -> Option<u64> {
    (0..MAX_GAMES).find(|number| {
        let mut rng = rng("faults", *number);
        let game = Game::random(&mut rng);
        let mut pair = Pair::start(&game.text);
        pair.set_fault(fault);
        let result = pair
            .play(&game.entries)
            .and_then(|()| pair.visit_times(&mut rng, 4));
        result.is_err()
    })
}

#[test]
fn every_mistake_is_found() {
    let missed: Vec<Fault> = Fault::ALL
        .into_iter()
        .filter(|fault| games_until_found(*fault).is_none())
        .collect();
    assert!(missed.is_empty(), "not found: {missed:?}");
}
