//! What the engine answers with: plain data that `render` turns into text and `protocol` into JSON.
//!
//! ```text
//! part         the parts that an answer consists of
//! part_list    these parts, with their text once it has been rendered
//! progress     what a run reports before its end
//! stop         where and why the program stopped
//! frame        the call stack
//! value        variables, expressions and loops, and how they were computed
//! breakpoint   breakpoints, watchpoints, logpoints and properties
//! history      the history of the game, and what changes in it
//! explanation  why something is as it is; why_not: why it is not
//! board        the board, its cells and the kinds of pieces
//! program      the program: its text, its definitions, how often it ran
//! search       what a search of the positions has found; check: what it says about the rules
//! lesson       lessons, exercises and questions for learners
//! help         help texts and completions
//! session      files, saved sessions, and what the engine asks of the client
//! notice       short messages: something has happened, or is set to a value
//! text         styled lines of text
//! ```
//!
//! Nothing is computed here: answers are filled in by higher layers.

#![warn(missing_docs)]

mod board;
mod breakpoint;
mod check;
mod explanation;
mod frame;
mod help;
mod history;
mod lesson;
mod notice;
mod part;
mod part_list;
mod program;
mod progress;
mod search;
mod session;
mod stop;
mod text;
mod value;
mod why_not;

pub use board::{
    BLANK_GLYPH, BoardMarks, CellInfo, GameState, Glyphs, PieceInfo, PieceOnCell, Pieces,
    ShowBoard, ShownBoard,
};
pub use breakpoint::{
    Access, BindingChange, BreakpointInfo, BreakpointKind, HitCondition, NewBreakpoint,
    PropertyInfo, PropertyKind, PropertyVerdict, ReboundBreakpoint, Violation,
};
pub use check::{CheckResult, CheckSubject, CheckVerdict, CheckedProperty, Remark, RemarkKind};
pub use explanation::{
    DecidingTest, Excerpt, Explanation, ExplanationNode, ExplanationStep, ExpressionValue,
    NamedValue, OmittedCalls, PrintedOutput, Relation, Subject,
};
pub use frame::{CallStack, Frame, StackEntry};
pub use help::{CommandHelp, Completion, CompletionKind, ErrorHelp, HelpRow, HelpTopic, NameList};
pub use history::{
    BoardSize, CellAttribute, CellChange, Change, ChangedCell, Diff, EntryAction, Mark, NextChange,
    Timeline, TimelineBranch, TimelineEntry, TimelineSubject,
};
pub use lesson::{
    Aspect, CheckFailure, ExerciseHelp, ExerciseReport, ExerciseResult, ExerciseScore,
    ExerciseTask, HelpKind, LessonList, LessonStatus, ListedLesson, PredictionChoice,
    PredictionKind, PredictionQuestion, PredictionResult, PredictionScore, RejudgeVerdict,
    RejudgedSession, Verdict,
};
pub use notice::{ListKind, Notice, OpponentSetting, Setting};
pub use part::Part;
pub use part_list::{Audience, PartList, Subcommand, Width};
pub use program::{
    CompiledFunction, ConditionCount, CoverageExtent, CoverageReport, CoveredLine, DefinitionInfo,
    Description, DrawInfo, Draws, InstructionInfo, LineCount, LineOrigin, NamePlace, NameUses,
    ProgramLine, ProgramListing, SourceRange, UnusedFunction,
};
pub use progress::{ProgressListener, Reported};
pub use search::{
    Choices, CodePlace, EndedBy, FindResult, FindVerdict, GameLength, GameResult, GameValue,
    GoalKind, GrowingVariable, Hint, LineMove, MoveList, MoveValue, Note, OpponentMove,
    PossibleMove, Reachability, ResultKind, SearchExtent, SearchStop, SolveResult, StatsResult,
    VariedRun, VaryResult,
};
pub use session::{
    CommandError, Control, DiffLine, DiffOrigin, EditRequest, ExampleList, FileType, HistoryList,
    LessonProgress, ListedEntry, ListedExample, NumberedDiff, OpenedSession, PlaceChange, Question,
    ReloadPlace, Reloaded, ReplyDiff, ResumableSession, ResumableSessions, SavedFile, TestResult,
    TourProgress, TourText,
};
pub use stop::{
    ActionInfo, ChangesSince, ConditionCheck, Display, Hit, SourceLine, Stop, StopReason, WatchHit,
};
pub use text::{Line, Style};
pub use value::{
    CellValue, ColumnContent, Evaluation, EvaluationStep, ExplainedExpression, ExplainedValue,
    Fragment, LoopCaller, LoopColumn, LoopResult, LoopRow, LoopStyle, LoopTable, LoopTables,
    LoopValue, OmittedIterations, Returned, ShortCircuit, StatementEffect, Substitution, Variable,
    VariableChange, VariableScope,
};
pub use why_not::{
    CallSite, ChangeClass, ChangeTargetKind, ClickEffect, ClickedCell, ConditionResult,
    ConditionRun, Counterfactual, CounterfactualSearch, Details, FalseCells, FalseFlag, FlagResult,
    FlagWrite, FlagWriter, FunctionNotRun, FunctionRuns, Guard, HandlerAttempt, HandlerRun,
    LastRun, MissingCall, OperandValues, ProposedChange, RunEnd, RunError, TestCount, TestRun,
    TestSummary, TriedChanges, UnexecutedWrite, UnknownPiece, UntakenBranch, ValueCount, WhyNot,
    WordCheck, WriteExecution,
};

use gridbug_base::diagnostic::Diagnostic;
use std::collections::VecDeque;
use std::rc::Rc;

/// The answer to one entry or command.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Answer {
    /// The input.
    pub entry: String,
    /// False if it failed.
    pub ok: bool,
    /// What was reported before the run ended. A client that listens to the progress has shown it.
    pub reported: Reported,
    /// What the program printed after that.
    pub output: Vec<String>,
    /// Input that was entered on the user's behalf (`:tour next`), or a move of the computer. Shown
    /// before everything else.
    pub echo: Option<Part>,
    /// What it consists of.
    pub parts: PartList,
    /// The value, as JSON.
    pub data: Option<serde_json::Value>,
    /// The value, in the language's notation.
    pub value: Option<String>,
    /// The game's message line.
    pub display: Option<String>,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// Set if the program is stopped.
    pub stop: Option<Rc<Stop>>,
    /// The input prompt at which the program is waiting.
    pub question: Option<Question>,
    /// The line belongs to an entry that goes on with the next one; nothing has run.
    pub is_unfinished: bool,
    /// Whether to show the board.
    pub show_board: ShowBoard,
    /// The board, if it is shown.
    pub board: Option<Box<ShownBoard>>,
    /// Commands attached to the breakpoint that was hit, to be run next.
    pub queued_commands: VecDeque<String>,
    /// Suggestions for what to do next, shown last and not stored in transcripts.
    pub hints: Vec<Part>,
    /// What the client has to do next.
    pub control: Option<Control>,
    /// The command has replaced the session by another one, to which its line does not belong.
    pub has_replaced_session: bool,
}

impl<P: Into<Part>> From<P> for Answer {
    fn from(part: P) -> Answer {
        Answer {
            parts: vec![part.into()].into(),
            ..Answer::new("")
        }
    }
}

impl Answer {
    /// Makes this the answer to an entry that does not compile.
    pub fn reject(&mut self, diagnostics: Vec<Diagnostic>) {
        self.ok = !diagnostics.iter().any(Diagnostic::is_error);
        self.diagnostics = diagnostics;
    }

    /// An empty, successful answer to this input.
    pub fn new(entry: &str) -> Answer {
        Answer {
            entry: entry.to_string(),
            ok: true,
            ..Answer::default()
        }
    }

    /// Adds a part.
    pub fn push(&mut self, part: impl Into<Part>) {
        self.parts.push(part.into());
    }

    /// A successful answer with this part.
    pub fn of(part: impl Into<Part>) -> Answer {
        Answer {
            parts: vec![part.into()].into(),
            ..Answer::new("")
        }
    }

    /// Adds notices.
    pub fn notices(&mut self, notices: impl IntoIterator<Item = Notice>) {
        self.parts.extend(notices.into_iter().map(Part::Notice));
    }

    /// The moves that the computer made, in order.
    pub fn opponent_moves(&self) -> impl Iterator<Item = &OpponentMove> {
        let parts = self.echo.iter().chain(&self.parts);
        parts.filter_map(|part| match part {
            Part::OpponentMove(played) => Some(played),
            _ => None,
        })
    }

    /// Adds an error message, and marks the answer as failed.
    pub fn error(&mut self, message: impl Into<String>) {
        self.ok = false;
        self.push(Part::Error {
            message: message.into(),
            advice: Vec::new(),
        });
    }

    /// Makes this the answer of a command that failed.
    pub fn fail(&mut self, error: CommandError) {
        self.ok = false;
        if !error.message.is_empty() {
            self.push(Part::Error {
                message: error.message,
                advice: error.advice,
            });
        }
        self.diagnostics.extend(error.diagnostics);
    }

    /// Adds a stop, where the program is now.
    pub fn show_stop(&mut self, stop: Rc<Stop>) {
        self.parts.push(Part::Stop(stop.clone()));
        self.stop = Some(stop);
    }

    /// Adds what a run or another command answered. Its stop, value and requests replace those of
    /// this answer.
    pub fn absorb(&mut self, more: Answer) {
        self.ok &= more.ok;
        self.reported.extend(more.reported);
        self.output.extend(more.output);
        self.parts.extend(more.parts);
        self.diagnostics.extend(more.diagnostics);
        self.hints.extend(more.hints);
        self.data = more.data.or(self.data.take());
        self.value = more.value.or(self.value.take());
        self.display = more.display.or(self.display.take());
        self.stop = more.stop;
        self.question = more.question;
        self.show_board = self.show_board.max(more.show_board);
        self.board = more.board.or(self.board.take());
        self.queued_commands = more.queued_commands;
        self.echo = more.echo.or(self.echo.take());
        self.control = more.control.or(self.control.take());
        self.has_replaced_session |= more.has_replaced_session;
    }

    /// Merges the answer to what was typed at an input prompt into the one that asked for it.
    pub fn append(&mut self, more: Answer) {
        let entry = std::mem::take(&mut self.entry);
        let mut before = std::mem::replace(self, Answer { entry, ..more });
        before.reported.extend(std::mem::take(&mut self.reported));
        before.output.append(&mut self.output);
        before.parts.append(&mut self.parts);
        before.diagnostics.append(&mut self.diagnostics);
        before.hints.append(&mut self.hints);
        self.ok &= before.ok;
        (self.output, self.parts, self.diagnostics) =
            (before.output, before.parts, before.diagnostics);
        (self.hints, self.reported) = (before.hints, before.reported);
    }

    /// Everything that the program printed, as far as it is kept.
    pub fn all_output(&self) -> impl Iterator<Item = &String> {
        self.reported.output.iter().chain(&self.output)
    }

    /// Whether the program printed anything.
    pub fn has_output(&self) -> bool {
        !self.output.is_empty() || !self.reported.output.is_empty()
    }

    /// True if it succeeded and shows nothing at all.
    pub fn is_silent(&self) -> bool {
        self.ok
            && self.parts.is_empty()
            && !self.has_output()
            && self.value.is_none()
            && self.diagnostics.is_empty()
            && self.stop.is_none()
            && self.question.is_none()
            && self.board.is_none()
            && self.control.is_none()
    }

    /// True if the user wants to end the session.
    pub fn is_quit(&self) -> bool {
        matches!(self.control, Some(Control::Quit { .. }))
    }

    /// Shows the board if it has changed.
    pub fn show_changed_board(&mut self) {
        self.show_board = self.show_board.max(ShowBoard::IfChanged);
    }

    /// The lines of the value; empty if the board is shown instead.
    pub fn value_lines(&self) -> impl Iterator<Item = &str> {
        let is_replaced = self.show_board == ShowBoard::InsteadOfValue && self.board.is_some();
        self.value
            .iter()
            .filter(move |_| !is_replaced)
            .flat_map(|value| value.split('\n'))
    }
}
