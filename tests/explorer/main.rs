//! The explorer: moves, shortest lines, proofs and statistics, compared with games whose answers are
//! known.

mod counts;
mod find;
mod play;
mod soundness;
mod support;
