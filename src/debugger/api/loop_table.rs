//! The iterations of loops, as tables.

use super::SourceRange;
use serde::{Serialize, Serializer};

/// The loops that an answer shows.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct LoopTables {
    /// The caller whose loop is shown; `None` if the loop is in the selected frame.
    pub caller: Option<LoopCaller>,
    /// One table for each execution of a loop, in order.
    pub tables: Vec<LoopTable>,
    /// The file of the game. Locations in it can be shown without its name.
    pub game_file: Option<String>,
}

/// A caller that is in a loop.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LoopCaller {
    /// The name of the function.
    pub function: String,
    /// The statement that it is executing.
    pub range: Option<SourceRange>,
}

/// The iterations of one execution of a loop.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LoopTable {
    /// How its iterations change variables.
    pub style: LoopStyle,
    /// The function that contains the loop.
    pub function: String,
    /// The source of the loop's head, on one line.
    pub head: String,
    /// Where the head is.
    pub range: Option<SourceRange>,
    /// The columns, from left to right.
    pub columns: Vec<LoopColumn>,
    /// One row for each iteration.
    pub rows: Vec<LoopRow>,
    /// Iterations without a row, if there were too many to record.
    pub omitted: Option<OmittedIterations>,
    /// How the loop ended.
    pub result: LoopResult,
}

/// How the iterations of a loop change variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LoopStyle {
    /// By assigning to them. A row shows the variables at the end of its iteration.
    Assigning,
    /// By binding new variables of the same names. A row shows them at the start of its iteration.
    Rebinding,
}

/// How a loop ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LoopResult {
    /// It has not ended.
    Running,
    /// Its test was false, or there was nothing left to iterate over.
    Completed,
    /// By a return from inside its body.
    Early,
}

/// A column of a loop table.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LoopColumn {
    /// The variable or the source of the expression, on one line.
    pub name: String,
    /// What its values are values of.
    pub content: ColumnContent,
    /// The row in which a variable changed, if it changed only once: that iteration usually decided
    /// the result.
    pub decided_in_row: Option<usize>,
}

/// What the values in a column are values of.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ColumnContent {
    /// A variable that exists only in the loop.
    LoopVariable,
    /// A variable from outside that the loop changes.
    OuterVariable,
    /// An expression.
    Expression {
        /// Where it is.
        range: Option<SourceRange>,
        /// Whether its value was ever true or false.
        is_condition: bool,
        /// The number of characters of its source, including line breaks.
        length: usize,
    },
}

/// One iteration.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LoopRow {
    /// Its number, counted from 1; `None` for a test that only ended the loop.
    pub iteration: Option<u64>,
    /// The value in each column.
    pub values: Vec<LoopValue>,
    /// When it started.
    pub time: u64,
    /// Whether the program is stopped in it.
    pub is_current: bool,
    /// Whether a variable changed in it that did not change in any other.
    pub is_deciding: bool,
    /// Whether only the test ran, because it was false.
    pub is_final_test: bool,
}

/// The value of a variable or expression in an iteration.
#[derive(Clone, PartialEq, Debug)]
pub enum LoopValue {
    /// It had none. `null` in JSON.
    Missing,
    /// The value, in the language's notation. A string in JSON.
    Text(String),
    /// A board that differs from the one of the previous iteration only in these cells. A list in
    /// JSON.
    ChangedCells(Vec<CellValue>),
}

impl Serialize for LoopValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            LoopValue::Missing => serializer.serialize_none(),
            LoopValue::Text(text) => serializer.serialize_str(text),
            LoopValue::ChangedCells(cells) => cells.serialize(serializer),
        }
    }
}

/// A cell of a board and its new value.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CellValue {
    /// The cell, in the language's notation.
    pub cell: String,
    /// Its new value.
    pub value: String,
}

/// A range of iterations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct OmittedIterations {
    /// The number of the first one.
    pub first: u64,
    /// The number of the last one.
    pub last: u64,
}

impl OmittedIterations {
    /// How many there are.
    pub fn count(self) -> u64 {
        self.last + 1 - self.first
    }
}
