//! Values of variables, expressions and loops, and how they were computed.

use super::{Change, Excerpt, NamedValue, SourceRange};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use std::ops::Range;

/// A variable and its value.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// The type of its value, in the language's words.
    #[serde(rename = "type")]
    pub type_name: String,
    /// Its value, in the language's notation.
    pub value: String,
    /// Whether it has changed since the last stop.
    pub changed: bool,
    /// Where it is visible.
    pub scope: VariableScope,
}

/// Where a variable is visible.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VariableScope {
    /// In its function.
    Local,
    /// In the whole program.
    Global,
}

/// The evaluation of a statement: all of it (`step expr`), or its next part (`step sub`).
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Evaluation {
    /// The function or handler, such as `zero.onClick`.
    pub function: String,
    /// The statement. If it contains other statements, only what comes before the first of them.
    #[serde(flatten)]
    pub statement: Excerpt,
    /// The subexpressions, in the order in which they were evaluated.
    pub steps: Vec<EvaluationStep>,
    /// What the statement did; `None` if it has not ended.
    pub effect: Option<StatementEffect>,
    /// The variables that a condition reads without naming them.
    pub reads: Vec<NamedValue>,
    /// The branch that was selected.
    pub branch: Option<Excerpt>,
    /// Whether there is more to evaluate in the statement (`step sub`).
    pub is_partial: bool,
}

/// The evaluation of one subexpression.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EvaluationStep {
    /// Counted from 1 at the start of the statement.
    pub number: usize,
    /// The subexpression.
    #[serde(flatten)]
    pub expression: Excerpt,
    /// Its value, in the language's notation.
    pub value: String,
    /// When it was evaluated.
    pub time: u64,
    /// The row and column of the piece that it is, or is a field of.
    pub cell: Option<(u32, u32)>,
    /// What decided its value, if part of it was not evaluated.
    pub short_circuit: Option<ShortCircuit>,
    /// The statement before this step, with the values known so far; the subexpression is marked.
    pub before: Substitution,
    /// The statement after this step; the value is marked.
    pub substituted: Substitution,
}

/// What a statement did.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct StatementEffect {
    /// The number that the next step would have.
    pub number: usize,
    /// The statement with all values.
    pub substituted: Substitution,
    /// The result of the function, if the statement has returned from it.
    pub returned: Option<Returned>,
    /// The local variables that it changed.
    pub variables: Vec<VariableChange>,
    /// What it changed in the game.
    pub changes: Vec<Change>,
}

/// The result of a function.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Returned {
    /// The function.
    pub function: String,
    /// Its result, in the language's notation.
    pub value: String,
}

/// A change of a local variable.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct VariableChange {
    /// The variable.
    pub name: String,
    /// Its value before.
    pub old: String,
    /// Its value now.
    pub new: String,
}

/// An expression with the values of all its subexpressions.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ExplainedExpression {
    /// The expression.
    #[serde(flatten)]
    pub expression: Excerpt,
    /// The expression on one line.
    pub line: String,
    /// The subexpressions, in the order in which they were evaluated.
    pub values: Vec<ExplainedValue>,
}

/// A subexpression with its value.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ExplainedValue {
    /// The subexpression.
    #[serde(flatten)]
    pub expression: Excerpt,
    /// The subexpression on one line.
    pub line: String,
    /// Its value, in the language's notation.
    pub value: String,
    /// The column of the expression's line below which the value belongs, counted from 0: that of
    /// the operator, or of the start if there is none.
    pub column: usize,
    /// What decided its value, if part of it was not evaluated.
    pub short_circuit: Option<ShortCircuit>,
}

/// A part of a substituted text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fragment {
    /// Source text, with line breaks and repeated blanks replaced by single blanks.
    Source(String),
    /// The value of an expression.
    Value(String),
}

/// Source text on one line, with the known values substituted. Serialized as its text and the
/// columns of the marked part.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Substitution {
    /// The parts of the text.
    pub fragments: Vec<Fragment>,
    /// The fragments that make up the marked expression.
    pub marked: Range<usize>,
}

impl Substitution {
    /// The text, and the columns at which the marked part starts and ends in it. Values are passed
    /// through `shorten`.
    pub fn to_text(&self, shorten: impl Fn(&str) -> String) -> (String, Range<usize>) {
        let mut text = String::new();
        let mut columns = vec![0];
        let mut width = 0;
        for fragment in &self.fragments {
            let fragment = match fragment {
                Fragment::Source(source) => source.clone(),
                Fragment::Value(value) => shorten(value),
            };
            width += fragment.chars().count();
            text.push_str(&fragment);
            columns.push(width);
        }
        (text, columns[self.marked.start]..columns[self.marked.end])
    }
}

impl Serialize for Substitution {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (text, columns) = self.to_text(str::to_string);
        let mut object = serializer.serialize_struct("Substitution", 3)?;
        object.serialize_field("text", &text)?;
        object.serialize_field("start", &columns.start)?;
        object.serialize_field("end", &columns.end)?;
        object.end()
    }
}

/// The part of an expression that decided its value, so that the rest was not evaluated.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ShortCircuit {
    /// What was evaluated: `false AND`, or all of the expression if it has no operator.
    pub evaluated: Substitution,
    /// Whether it ends with an operator, whose right side was not evaluated.
    pub has_operator: bool,
}

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
