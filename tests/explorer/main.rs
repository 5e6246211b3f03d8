//! The explorer: moves, shortest lines, proofs and statistics, compared with games whose answers are
//! known.

mod check;
mod confirmed;
mod counts;
mod coverage;
mod early_draws;
mod find;
mod guesses;
mod hostile;
mod known_games;
mod messages;
mod moves;
mod opponent;
mod play;
mod players;
#[path = "../support/protocol.rs"]
mod protocol;
mod questions;
mod reach;
mod reductions;
mod same_position;
mod soundness;
mod start;
mod support;
mod textbook;
mod threads;
mod turn;
mod turn_loops;
mod unchanged;
mod vary;
