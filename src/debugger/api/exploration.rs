//! Answers about the positions of a game: its moves, what can be reached, who wins.

use super::Change;
use serde::Serialize;

/// The moves that are possible in the current position.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MoveList {
    /// The moves, in the order of their cells, keys or answers.
    pub moves: Vec<PossibleMove>,
    /// How many actions without effect there are.
    pub without_effect: usize,
    /// How many moves are not listed because there are too many.
    pub omitted: usize,
    /// Why there are none, or what was assumed.
    pub notes: Vec<String>,
}

/// Something that the player can do.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PossibleMove {
    /// What to type.
    pub entry: String,
    /// Whose move it is.
    pub player: Option<String>,
    /// What it changes.
    pub changes: Vec<Change>,
    /// Whether it leads to another position.
    pub effect: bool,
    /// The error with which it fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Why it has no effect, as far as the game says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What it does depends on a random number.
    #[serde(skip_serializing_if = "is_false")]
    pub random: bool,
    /// How the game ends with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ends: Option<String>,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// What a search says about its goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FindVerdict {
    /// It can be reached.
    Found,
    /// It cannot be reached: all positions were searched.
    Never,
    /// It cannot be reached with so many moves.
    NotWithin,
    /// The search ended before it was found, or was not exact.
    Unknown,
}

/// Why a search ended before all positions were found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchStop {
    /// The time limit.
    Time,
    /// The memory limit.
    Memory,
    /// The number of moves that was asked for.
    Within,
    /// Ctrl-C.
    Interrupt,
}

/// A move of a line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LineMove {
    /// What to type.
    pub entry: String,
    /// Whose move it is.
    pub player: Option<String>,
    /// The random numbers that are drawn.
    pub draws: Vec<i64>,
}

/// A variable of which new values turn up all the time.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct GrowingVariable {
    /// Its name.
    pub name: String,
    /// How many values were seen.
    pub values: usize,
}

/// How much of the game an answer is based on.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SearchExtent {
    /// Positions found.
    pub positions: usize,
    /// Actions run.
    pub actions: u64,
    /// The number of moves up to which all positions were found.
    pub depth: usize,
    /// Whether all positions were found.
    pub complete: bool,
    /// Why not.
    pub stopped_by: Option<SearchStop>,
    /// Variables that were left out of the positions: they cannot matter, or the user said so.
    pub ignored: Vec<String>,
    /// What was assumed.
    pub assumed: Vec<String>,
    /// The variable that keeps the search from ending, if it did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub growing: Option<GrowingVariable>,
}

/// The answer to `:find`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FindResult {
    /// What the search says.
    pub verdict: FindVerdict,
    /// The goal as typed.
    pub goal: String,
    /// The shortest line of moves.
    pub moves: Vec<LineMove>,
    /// How many moves that are.
    pub length: Option<usize>,
    /// Whether there is no shorter line.
    pub shortest: bool,
    /// How much was searched.
    #[serde(flatten)]
    pub extent: SearchExtent,
    /// The branch in which the line is kept.
    pub branch: Option<usize>,
    /// Whether `:redo` plays it: there is nothing else to redo.
    pub redo: bool,
    /// Who reaches the goal, if it is the end of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// The error, if the goal is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Further lines to other positions (`count N`).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Vec<LineMove>>,
    /// A remark, such as that the program does not define the goal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The limit on the number of moves, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<usize>,
}
