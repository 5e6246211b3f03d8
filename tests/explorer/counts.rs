//! Numbers of positions and ends of games that are known from elsewhere.

use crate::support::{explore, session};
use gridbug::code::Status;
use gridbug::explorer::{Exploration, PositionId};

/// How many positions satisfy a test.
fn count(exploration: &Exploration, is_counted: impl Fn(PositionId) -> bool) -> usize {
    (0..exploration.position_count() as PositionId)
        .filter(|id| is_counted(*id))
        .count()
}

#[test]
fn tic_tac_toe_has_5478_positions_of_which_958_are_ends() {
    let session = session(
        "gridlok",
        include_str!("../../src/languages/gridlok/info/sample.gl"),
    );
    let game = explore(&session);
    assert_eq!(game.position_count(), 5478);
    let won_by = |player| {
        count(&game, |id| {
            let info = game.info(id);
            info.status() == Status::Won && info.player() == Some(player)
        })
    };
    assert_eq!((won_by(0), won_by(1)), (626, 316));
    let draws = count(&game, |id| game.info(id).status() == Status::Drawn);
    assert_eq!(draws, 16);
    eprintln!("{} bytes per position", game.memory_bytes() / 5478);
}
