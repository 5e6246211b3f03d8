//! How often the lines of the program ran.

use super::{ProgramListing, SearchStop};
use serde::Serialize;

/// How often a line ran.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct LineCount {
    /// How often; the highest count if the line has several statements.
    pub count: u64,
    /// How often its condition was true; `None` if it has none.
    #[serde(rename = "true")]
    pub true_count: Option<u64>,
    /// How often its condition was false; `None` if it has none.
    #[serde(rename = "false")]
    pub false_count: Option<u64>,
    /// Other conditions of the line, and operands of conditions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub further_conditions: Vec<ConditionCount>,
}

/// How often a condition was true and false.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ConditionCount {
    /// Where it starts in its line, in characters, from 1.
    pub column: u32,
    /// Its source.
    pub text: String,
    /// How often it was true.
    #[serde(rename = "true")]
    pub true_count: u64,
    /// How often it was false.
    #[serde(rename = "false")]
    pub false_count: u64,
}

/// A line of the program that has code.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CoveredLine {
    /// The name of its source, such as `game.gl` or `entry 3`.
    pub file: String,
    /// Its number in that source, from 1.
    pub line: u32,
    /// How often it ran.
    #[serde(flatten)]
    pub count: LineCount,
}

/// A function or handler that never ran.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct UnusedFunction {
    /// Its name, such as `ghost.onClick`.
    pub name: String,
    /// The name of its source.
    pub file: String,
    /// The line of its first statement.
    pub line: u32,
}

/// What was run to count.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "of", rename_all = "snake_case")]
pub enum CoverageExtent {
    /// What ran in this session, up to the current position in its history.
    Session {
        /// The number of entries, without the start of the session.
        entries: usize,
        /// Nothing is counted before this time, because the history was dropped to save memory.
        #[serde(skip_serializing_if = "Option::is_none")]
        known_since: Option<u64>,
    },
    /// Every move in every position that was searched, and the start of the game.
    Search {
        /// The positions.
        positions: usize,
        /// The largest number of moves to one of them.
        depth: usize,
        /// Whether they are all positions that can be reached.
        complete: bool,
        /// Why not.
        stopped_by: Option<SearchStop>,
        /// What was assumed, such as which answers are possible.
        assumed: Vec<String>,
    },
    /// Random games, and the start of the game.
    Games {
        /// Their number.
        games: usize,
        /// Those that were given up because they did not end.
        unfinished: usize,
        /// The seed of the random moves.
        seed: u64,
        /// Why there are not as many as asked for.
        #[serde(skip_serializing_if = "Option::is_none")]
        stopped_by: Option<SearchStop>,
        /// What was assumed, such as which answers are possible.
        assumed: Vec<String>,
    },
}

/// How often the lines of the program ran.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CoverageReport {
    /// What was run.
    #[serde(flatten)]
    pub extent: CoverageExtent,
    /// The lines that have code, in the order of the program.
    pub lines: Vec<CoveredLine>,
    /// Functions and handlers that never ran.
    pub never_ran: Vec<UnusedFunction>,
    /// The program with the counts.
    #[serde(skip)]
    pub program: ProgramListing,
}
