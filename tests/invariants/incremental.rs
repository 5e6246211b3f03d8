//! Reusing units of loops over the board changes nothing but the speed: the same entries, with it and
//! without it, give the same answers and the same state at every time.

mod comparison;
mod debugger_sessions;
mod faults;
mod games;
mod limits;
mod reuse;
#[path = "../fuzz/rng.rs"]
#[allow(dead_code)]
mod rng;

use comparison::Pair;
use games::Game;
use rng::Rng;

/// Number of random games of each test, multiplied by `INCREMENTAL_GAMES`.
fn game_count(default: u64) -> u64 {
    let factor = std::env::var("INCREMENTAL_GAMES").ok();
    default * factor.and_then(|n| n.parse().ok()).unwrap_or(1)
}

fn rng(test: &str, number: u64) -> Rng {
    Rng::for_input(test, 1, number)
}

#[test]
fn random_games_agree_after_every_entry_and_at_sampled_times() {
    let mut reused = 0;
    for number in 0..game_count(40) {
        let mut rng = rng("games", number);
        let game = Game::random(&mut rng);
        let mut pair = Pair::start(&game.text);
        let result = pair
            .play(&game.entries)
            .and_then(|()| pair.visit_times(&mut rng, 12));
        if let Err(difference) = result {
            panic!("game {number}: {difference}\n{}", game.to_text());
        }
        reused += pair.reused();
    }
    assert!(reused > 300, "only {reused} units were reused");
}

/// Every single time of a game, in both directions.
#[test]
fn every_time_of_a_game_agrees() {
    let game = Game::lines(9);
    let mut pair = Pair::start(&game.text);
    pair.play(&game.entries).expect("the games should agree");
    let (first, last) = pair.time_range();
    let times = (first..=last)
        .step_by(5)
        .chain((first..=last).rev().step_by(7));
    for time in times {
        pair.visit(time).expect("the games should agree");
    }
    assert!(pair.reused() > 100);
}
