//! Progress of `step sub` through one statement.

use super::step::FirstInstruction;
use crate::recorder::Sample;
use crate::source::Span;

/// Progress of stepping through a statement one subexpression at a time.
#[derive(Clone, Debug)]
pub struct PartialEval {
    /// The values computed so far.
    pub samples: Vec<Sample>,
    /// The statement.
    pub span: Span,
    /// The time reached.
    pub time: u64,
    /// How many samples of the current instruction were already taken.
    pub sampled_here: usize,
    /// What has been done with the current instruction.
    pub first: FirstInstruction,
}
