//! Why something is not true, or did not happen (`:why not`).

use super::{Change, NamedValue, SourceRange};
use serde::Serialize;

/// The answer to `:why not`.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "subject", rename_all = "snake_case")]
pub enum WhyNot {
    /// A flag that is true.
    TrueFlag {
        /// Its name.
        name: String,
    },
    /// A flag or field that is false, such as `win`.
    FalseFlag(FalseFlag),
    /// The end of the game.
    GameEnd {
        /// The title of the language.
        language: String,
        /// The conditions that end a game, run on the current board.
        conditions: Vec<ConditionRun>,
        /// How much of them is shown.
        details: Details,
    },
    /// A function or handler.
    Call(MissingCall),
    /// A click on a cell.
    Click {
        /// The cell, in the language's notation.
        cell: String,
        /// What such a click does.
        #[serde(flatten)]
        effect: ClickEffect,
    },
}

/// How many of the assignments and tests of a run are shown as text. The data has all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Details {
    /// The first few.
    #[default]
    First,
    /// All, as `:why not win all` asks for.
    All,
}

impl WhyNot {
    /// The same answer, with all assignments and tests shown.
    #[must_use]
    pub fn with_all_details(mut self) -> Self {
        match &mut self {
            WhyNot::FalseFlag(FalseFlag { details, .. }) | WhyNot::GameEnd { details, .. } => {
                *details = Details::All;
            }
            WhyNot::TrueFlag { .. } | WhyNot::Call(_) | WhyNot::Click { .. } => {}
        }
        self
    }
}

/// How often a test was evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct TestCount {
    /// How often it was evaluated.
    pub count: usize,
    /// How often it was false.
    pub false_count: usize,
}

/// Why a flag such as `win` is false.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FalseFlag {
    /// Its name.
    pub name: String,
    /// Actions that would make it true now, as the player would type them.
    pub actions: Vec<String>,
    /// The functions that are meant to set it, run on the current board. Empty if none of those that
    /// set it can be run on its own.
    pub writers: Vec<FlagWriter>,
    /// Statements of other functions that would set it.
    pub other_writes: Vec<UnexecutedWrite>,
    /// How much of the runs is shown.
    pub details: Details,
}

impl FalseFlag {
    /// Whether nothing in the program sets it.
    pub fn is_never_set(&self) -> bool {
        self.writers.is_empty() && self.other_writes.is_empty()
    }
}

/// A run of a function that can set a flag.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FlagWriter {
    /// The name of the function.
    pub function: String,
    /// Where it is defined.
    pub range: Option<SourceRange>,
    /// The action that ran it, if it is a handler.
    pub entry: Option<String>,
    /// What it was run with instead of the current value: whose turn it is.
    pub assigned: Option<NamedValue>,
    /// What its assignments to the flag did.
    pub writes: Vec<FlagWrite>,
    /// What the run made of the flag.
    #[serde(flatten)]
    pub result: FlagResult,
}

/// What a run of a function made of a flag.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "result", rename_all = "snake_case")]
pub enum FlagResult {
    /// The flag became true. The function has not run since the board changed.
    BecomesTrue,
    /// The flag stayed false.
    StaysFalse {
        /// How the run ended.
        end: RunEnd,
        /// The tests that were evaluated and contain no smaller test.
        tests: Vec<TestRun>,
        /// Changes of the game that would make the flag true.
        search: Option<CounterfactualSearch>,
        /// Names that pieces are compared with, but that no piece has.
        unknown_pieces: Vec<UnknownPiece>,
    },
}

/// How a run ended.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RunEnd {
    /// It returned.
    Finished,
    /// It ended in an error.
    Failed(RunError),
    /// It asked for input or took too long.
    Unfinished,
}

/// An error that ended a run.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RunError {
    /// What happened.
    pub message: String,
    /// Where.
    pub range: Option<SourceRange>,
}

/// An assignment to a flag, during a run of its function.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FlagWrite {
    /// Where it is.
    pub range: SourceRange,
    /// The statement.
    pub statement: String,
    /// What it did.
    #[serde(flatten)]
    pub execution: WriteExecution,
}

/// What an assignment to a flag did.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "execution", rename_all = "snake_case")]
pub enum WriteExecution {
    /// The statement is a test itself, and it was false.
    WasFalse {
        /// How often.
        #[serde(flatten)]
        count: TestCount,
        /// The variables that it reads.
        variables: Vec<NamedValue>,
    },
    /// The statement ran, or was not reached.
    Ran {
        /// How often it ran.
        count: usize,
        /// The tests in it that were false.
        false_tests: Vec<TestSummary>,
    },
}

/// A test and how often it was false.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TestSummary {
    /// The test.
    pub text: String,
    /// How often it was evaluated and false.
    #[serde(flatten)]
    pub count: TestCount,
}

/// A statement that would set a flag, in a function that has not run.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct UnexecutedWrite {
    /// Where it is.
    pub range: SourceRange,
    /// The statement.
    pub statement: String,
    /// The name of its function.
    pub function: String,
    /// The variables that it reads.
    pub variables: Vec<NamedValue>,
}

/// A test in code that was run.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TestRun {
    /// Where it is.
    pub range: SourceRange,
    /// The test.
    pub text: String,
    /// How often it was evaluated and false.
    #[serde(flatten)]
    pub count: TestCount,
    /// The cells for which it was false.
    pub cells: FalseCells,
    /// The variables that it reads without naming them.
    pub variables: Vec<NamedValue>,
    /// Its largest part that is not a test.
    pub operand: Option<OperandValues>,
}

/// The cells for which a test was false.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct FalseCells {
    /// The first of them, in the language's notation.
    pub first: Vec<String>,
    /// How many there are.
    pub count: usize,
    /// Whether the run was too long to know all of them.
    pub is_truncated: bool,
}

/// The values that a part of a test had.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct OperandValues {
    /// The part.
    pub text: String,
    /// How often it was evaluated.
    pub count: usize,
    /// Its distinct values, in the order in which they first occurred. If there are too many, some
    /// are left out.
    pub values: Vec<ValueCount>,
}

/// A value and how often it occurred.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ValueCount {
    /// The value, in the language's notation.
    pub value: String,
    /// How often it occurred.
    pub count: usize,
}

/// A name that is compared with the names of pieces, but that no piece has.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct UnknownPiece {
    /// The name.
    pub name: String,
    /// The most similar name of a piece.
    pub suggestion: Option<String>,
}

/// A condition of the game, run on the current board.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ConditionRun {
    /// The name of the condition.
    pub name: String,
    /// Where it is defined.
    pub range: Option<SourceRange>,
    /// What came of it.
    #[serde(flatten)]
    pub result: ConditionResult,
}

/// The result of running a condition of the game.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "result", rename_all = "snake_case")]
pub enum ConditionResult {
    /// It asked for input or took too long.
    NotFinished,
    /// It ended in an error.
    Failed {
        /// The error.
        error: RunError,
        /// Changes of the game that would make the condition true.
        search: Option<CounterfactualSearch>,
    },
    /// It is true. It has not been checked since the board changed.
    True,
    /// It finished.
    Finished {
        /// The tests that were evaluated and contain no smaller test.
        tests: Vec<TestRun>,
        /// Changes of the game that would make the condition true.
        search: Option<CounterfactualSearch>,
    },
}

/// A search for the smallest change of the game that would make something true.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CounterfactualSearch {
    /// What was tried, in this order.
    pub tried: Vec<TriedChanges>,
    /// The changes of the last class tried that would make it true.
    pub solutions: Vec<Counterfactual>,
    /// The number of cells that were changed.
    pub cell_count: usize,
    /// The variables, fields and list elements that were changed.
    pub names: Vec<String>,
    /// Whether all candidates of these classes were tried.
    pub is_complete: bool,
}

/// A class of changes, and how many candidates it has.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TriedChanges {
    /// The class.
    pub class: ChangeClass,
    /// The number of candidates.
    pub candidates: usize,
    /// How many of them were tried; fewer if that took too long.
    pub tried: usize,
}

/// A class of changes of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeClass {
    /// A single cell, variable or field.
    Single,
    /// Two cells, both changed to the same.
    TwoCells,
    /// Two variables or fields.
    TwoVariables,
    /// Three cells, all changed to the same.
    ThreeCells,
    /// Four cells, all changed to the same.
    FourCells,
    /// All cells with the same content.
    Bulk,
}

/// A change of the game that would make something true.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "extent", rename_all = "snake_case")]
pub enum Counterfactual {
    /// These changes together.
    Together {
        /// The changes.
        changes: Vec<ProposedChange>,
    },
    /// A change of every cell with the same content.
    EveryCell {
        /// The current content: a piece, `hidden` or `visible`.
        current: String,
        /// The new content.
        new: String,
        /// The cells, in the language's notation.
        cells: Vec<String>,
    },
}

/// A change of one cell, variable or field.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ProposedChange {
    /// What is changed.
    pub target: ChangeTargetKind,
    /// The cell, in the language's notation, or the name of the variable or field.
    pub name: String,
    /// The current value.
    pub current: String,
    /// The new value.
    pub new: String,
}

/// What a proposed change is made to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeTargetKind {
    /// A cell of the board.
    Cell,
    /// A variable.
    Variable,
    /// A field of a record.
    Field,
    /// An element of a list.
    Element,
}

/// Why a function or handler did not run in the last action.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MissingCall {
    /// The name that was asked for.
    pub name: String,
    /// Whether there was an action that could have called it.
    pub has_action: bool,
    /// False if that action changed nothing in the past and was therefore rolled back: then its
    /// times are not in the history.
    pub is_in_history: bool,
    /// All functions and handlers with this name.
    pub functions: Vec<FunctionRuns>,
}

/// Whether one function or handler ran.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum FunctionRuns {
    /// A condition of the game, which is run on the current board instead.
    Condition(ConditionRun),
    /// It did run.
    Ran {
        /// Its name.
        name: String,
        /// The entry in which it ran; empty for the start of the game.
        entry: String,
        /// How often it ran, as far as is known.
        count: usize,
        /// When it last ran.
        time: u64,
    },
    /// It did not run.
    NotRun(FunctionNotRun),
}

/// Why one function or handler did not run.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FunctionNotRun {
    /// Its name.
    pub name: String,
    /// The entry in which it did not run; empty for the start of the game.
    pub entry: String,
    /// The first line of its definition, up to its body.
    pub head: String,
    /// Where its head is.
    pub range: Option<SourceRange>,
    /// Whether the rules of play call it when an event matches.
    pub is_handler: bool,
    /// The dispatches that considered it, in the order in which they were tried.
    pub attempts: Vec<HandlerAttempt>,
    /// Handlers that were called instead, in order.
    pub other_handlers: Vec<HandlerRun>,
    /// Statements that would have called it. Empty if there were attempts or other handlers.
    pub call_sites: Vec<CallSite>,
    /// When it ran before.
    pub last_run: LastRun,
}

/// When a function last ran.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LastRun {
    /// At this time.
    At(u64),
    /// Not in this game.
    Never,
    /// It has no statements, so its runs leave no trace.
    Unknown,
}

/// An attempt of the rules of play to run a handler.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct HandlerAttempt {
    /// When the first word of its head was compared.
    pub time: u64,
    /// The event: the variables of the rule that checked the handler.
    pub context: Vec<NamedValue>,
    /// The comparisons in order, up to the first that failed.
    pub checks: Vec<WordCheck>,
}

/// The comparison of one word of a handler's head.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WordCheck {
    /// The offset of the word in the head, in bytes.
    pub start: usize,
    /// The offset after its last character.
    pub end: usize,
    /// The value compared, and the property of it that counted, if there is one.
    pub operands: Vec<String>,
    /// Whether it matched; `None` if the word matches anything.
    pub is_match: Option<bool>,
}

/// A handler that ran.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct HandlerRun {
    /// Its name.
    pub name: String,
    /// When it was called.
    pub time: u64,
}

/// A statement that calls a function, but was not reached.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CallSite {
    /// Where it is.
    pub range: Option<SourceRange>,
    /// The name of the function that contains it.
    pub function: String,
    /// The tests of enclosing statements that were false.
    pub guards: Vec<Guard>,
}

/// A test that decides whether a statement is reached.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Guard {
    /// Where it is.
    pub range: Option<SourceRange>,
    /// The test.
    pub text: String,
}

/// A cell that was clicked in vain.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ClickedCell {
    /// The cell.
    pub cell: String,
    /// Why nothing handled the click; `None` if a handler ran.
    #[serde(flatten)]
    pub effect: Option<ClickEffect>,
    /// The line that explains what the handler did.
    pub why: String,
}

/// What a click on a cell does.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "effect", rename_all = "snake_case")]
pub enum ClickEffect {
    /// Nothing: there is no piece.
    NoPiece,
    /// Nothing: the game is over.
    GameOver {
        /// How it ended.
        status: String,
    },
    /// Nothing: the piece has already handled a click in this action.
    AlreadyClicked,
    /// Nothing: the piece does not handle clicks.
    NoHandler {
        /// The name of the piece.
        piece: String,
    },
    /// The handler runs, but changes nothing.
    NoChange {
        /// The name of the piece.
        piece: String,
        /// Whether the handler has no statements.
        is_empty: bool,
        /// The branches that are not taken.
        branches: Vec<UntakenBranch>,
        /// The cells on which it clicks in vain, because their pieces have already handled a click
        /// in this action.
        skipped_cells: Vec<String>,
    },
    /// It changes something.
    Changes {
        /// What it changes.
        changes: Vec<Change>,
    },
}

/// A branch that is not taken.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct UntakenBranch {
    /// Where the test is.
    pub range: Option<SourceRange>,
    /// The test that is false.
    pub test: String,
    /// A part of the test, with its value.
    pub part: Option<NamedValue>,
}
