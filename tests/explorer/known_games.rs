//! Games whose numbers are known from elsewhere: games by length, positions up to symmetry, the
//! tic-tac-toe of the manual, puzzles without counters.

use crate::support::{answer, entries, explore, find, sample, session};
use gridbug::answer::FindVerdict;
use gridbug::explorer::{Exploration, PositionId};
use std::collections::{BTreeMap, BTreeSet};

/// How many games have each length: the number of ways from the start to an end.
fn games_by_length(game: &Exploration) -> BTreeMap<usize, u64> {
    let count = game.position_count() as PositionId;
    let mut ways = vec![0u64; count as usize];
    ways[0] = 1;
    let mut lengths = BTreeMap::new();
    // Positions are numbered in the order of their depth, and every move of this game adds a piece.
    for id in 0..count {
        if game.info(id).is_end() {
            *lengths.entry(game.depth(id)).or_default() += ways[id as usize];
        }
        for edge in game.edges(id) {
            ways[edge.to as usize] += ways[id as usize];
        }
    }
    lengths
}

#[test]
fn tic_tac_toe_has_the_known_number_of_games_of_each_length() {
    let lengths = games_by_length(&explore(&sample("gridlok")));
    let expected = [(5, 1440), (6, 5328), (7, 47_952), (8, 72_576), (9, 127_872)];
    assert_eq!(lengths, BTreeMap::from(expected));
}

/// The cells of a 3 x 3 board after one of its eight symmetries.
fn turned(cells: &[u8; 9], symmetry: usize) -> [u8; 9] {
    let mut turned = *cells;
    for (n, cell) in cells.iter().enumerate() {
        let (mut row, mut col) = (n / 3, n % 3);
        for _ in 0..symmetry % 4 {
            (row, col) = (col, 2 - row);
        }
        if symmetry >= 4 {
            col = 2 - col;
        }
        turned[row * 3 + col] = *cell;
    }
    turned
}

/// Replays the moves of every position on a plain board, so that nothing of the packing is used.
#[test]
fn tic_tac_toe_has_765_positions_up_to_symmetry() {
    let game = explore(&sample("gridlok"));
    let mut boards: Vec<Option<[u8; 9]>> = vec![None; game.position_count()];
    boards[0] = Some([0; 9]);
    for id in 0..game.position_count() as PositionId {
        let board = boards[id as usize].expect("found before");
        let mark = 1 + game.depth(id) as u8 % 2;
        for edge in game.edges(id) {
            let mut after = board;
            after[edge.label as usize] = mark;
            let known = boards[edge.to as usize].get_or_insert(after);
            assert_eq!(*known, after, "two boards in one position");
        }
    }
    let boards: BTreeSet<[u8; 9]> = boards.into_iter().flatten().collect();
    assert_eq!(boards.len(), 5478);
    let least = |board: &[u8; 9]| (0..8).map(|symmetry| turned(board, symmetry)).min();
    let classes: BTreeSet<_> = boards.iter().map(least).collect();
    assert_eq!(classes.len(), 765);
}

#[test]
fn the_manuals_tic_tac_toe_is_won_by_the_first_end_of_a_turn() {
    let mut game = session("gridlok", include_str!("manual.gl"));
    let won = find(&mut game, "win");
    // Any cell that leaves a diagonal of three placeholders.
    assert_eq!((won.verdict, won.length), (FindVerdict::Found, Some(1)));
    assert_eq!(won.player.as_deref(), Some("x"));
    let first = entries(&won)[0].to_string();
    assert!(answer(&mut game, &first).ok);
    let standing = game.target.language().standing(&game.target.machine.store);
    assert_eq!(standing.status, gridbug::code::Status::Won);
}

/// A wall all around: the player can go round in circles for ever.
const ROOM: &str = include_str!("../../sessions/sgl2d/maze.sgl2d");

#[test]
fn a_puzzle_without_counters_closes_although_its_moves_are_counted() {
    let mut maze = session("sgl2d", ROOM);
    let stuck = find(&mut maze, "stuck");
    assert_eq!(stuck.verdict, FindVerdict::Never, "{stuck:?}");
    assert!(stuck.extent.complete);
    assert!(stuck.extent.ignored.iter().any(|name| name == "moves"));
    // A goal that reads the counter makes it part of the positions again.
    let counted = find(&mut maze, "moves == 3");
    assert_eq!(
        (counted.verdict, counted.length),
        (FindVerdict::Found, Some(3))
    );
}
