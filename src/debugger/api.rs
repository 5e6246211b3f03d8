//! What the engine answers with: plain data that `render` turns into text and `protocol` into JSON.

mod board;
mod breakpoint;
mod change;
mod completion;
mod evaluation;
mod explanation;
mod frame;
mod help;
mod listing;
mod loop_table;
mod progress;
mod session;
mod stop;
mod styled;
mod substitution;
mod timeline;
mod value;
mod why_not;

pub use board::{CellInfo, GameState, PieceInfo, PieceOnCell, Pieces};
pub use breakpoint::{
    BindingChange, BreakpointInfo, BreakpointKind, NewBreakpoint, ReboundBreakpoint,
};
pub use change::{BoardSize, CellAttribute, CellChange, Change, ChangedCell, Diff};
pub use completion::{Completion, CompletionKind};
pub(crate) use evaluation::learn;
pub use evaluation::{
    Evaluation, EvaluationStep, ExplainedExpression, ExplainedValue, Returned, StatementEffect,
    VariableChange,
};
pub use explanation::{
    Excerpt, Explanation, ExplanationNode, ExplanationStep, ExpressionValue, FalseSubexpression,
    NamedValue, OmittedCalls, PrintedOutput, Relation, Subject,
};
pub use frame::{CallStack, Frame, StackEntry};
pub use help::{CommandHelp, ErrorHelp, HelpRow, HelpTopic, NameList};
pub use listing::{
    CompiledFunction, DefinitionInfo, Description, DrawInfo, Draws, InstructionInfo,
};
pub use loop_table::{
    CellValue, ColumnContent, LoopCaller, LoopColumn, LoopResult, LoopRow, LoopStyle, LoopTable,
    LoopTables, LoopValue, OmittedIterations,
};
pub use progress::{ProgressListener, Reported};
pub use session::{
    DiffLine, DiffOrigin, FileType, HistoryList, ListedEntry, NumberedDiff, OpenedSession,
    Reloaded, ReplyDiff, ResumableSession, ResumableSessions, SavedFile, TestResult, TourProgress,
    TourText,
};
pub use stop::{ActionInfo, ChangesSince, Display, Hit, SourceLine, Stop, StopReason, WatchHit};
pub use styled::{Line, Style};
pub use substitution::{Fragment, ShortCircuit, Substitution};
pub use timeline::{
    EntryAction, Mark, NextChange, Timeline, TimelineBranch, TimelineEntry, TimelineSubject,
};
pub use value::value_to_json;
pub use why_not::{
    CallSite, ChangeClass, ChangeTargetKind, ClickEffect, ConditionResult, ConditionRun,
    Counterfactual, CounterfactualSearch, FalseCells, FalseFlag, FlagResult, FlagWrite, FlagWriter,
    FunctionNotRun, FunctionRuns, Guard, HandlerAttempt, HandlerRun, LastRun, MissingCall,
    OperandValues, ProposedChange, TestCount, TestRun, TestSummary, TriedChanges, UnexecutedWrite,
    UnknownPiece, UntakenBranch, ValueCount, WhyNot, WordCheck, WriteExecution,
};

use crate::diagnostic::Diagnostic;
use crate::language::GameView;
use crate::source::{Sources, Span};
use serde::Serialize;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

/// A range of a source text. Lines and columns are counted from 1; the end is exclusive.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct SourceRange {
    /// The name of the file or entry.
    pub file: String,
    /// The line of the first character.
    pub line: u32,
    /// The column of the first character.
    pub column: u32,
    /// The line after the last character.
    pub end_line: u32,
    /// The column after the last character.
    pub end_column: u32,
}

/// A span as file, lines and columns; `None` if its source is not known.
pub fn range_in(sources: &Sources, span: Span) -> Option<SourceRange> {
    let source = sources.get(span.source)?;
    let (line, column) = source.line_column(span.start);
    let (end_line, end_column) = source.line_column(span.end);
    Some(SourceRange {
        file: source.origin.to_string(),
        line,
        column,
        end_line,
        end_column,
    })
}

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

/// Why a command could not be carried out. Nothing was changed.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CommandError {
    /// What is wrong and how to fix it; empty if the diagnostics say it all.
    pub message: String,
    /// Errors in an expression that was an argument.
    pub diagnostics: Vec<Diagnostic>,
}

impl CommandError {
    /// An error with this message.
    pub fn new(message: impl Into<String>) -> CommandError {
        CommandError {
            message: message.into(),
            diagnostics: Vec::new(),
        }
    }
}

impl From<String> for CommandError {
    fn from(message: String) -> CommandError {
        CommandError::new(message)
    }
}

impl From<CommandError> for Answer {
    fn from(error: CommandError) -> Answer {
        let mut answer = Answer::new("");
        answer.fail(error);
        answer
    }
}

impl From<Vec<Diagnostic>> for CommandError {
    fn from(diagnostics: Vec<Diagnostic>) -> CommandError {
        CommandError {
            message: String::new(),
            diagnostics,
        }
    }
}

/// One part of an answer, in the order in which the parts are shown.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Part {
    /// A line of text for people.
    #[serde(skip)]
    Line(Line),
    /// Where the program stopped.
    #[serde(serialize_with = "serialize_stop")]
    Stop(Rc<Stop>),
    /// Lines of the program.
    Source {
        /// The lines.
        lines: Vec<SourceLine>,
        /// Whether long lines are cut.
        is_cut: bool,
    },
    /// The call stack, or a part of it.
    Frames(CallStack),
    /// Variables and their values.
    Variables {
        /// The variables, locals first.
        variables: Vec<Variable>,
    },
    /// All breakpoints, watchpoints and logpoints.
    Breakpoints {
        /// In ascending order of their numbers.
        breakpoints: Vec<BreakpointInfo>,
    },
    /// A breakpoint that has just been set.
    NewBreakpoint(Box<NewBreakpoint>),
    /// A breakpoint that moved, became pending or became active, because the program has changed.
    ReboundBreakpoint(ReboundBreakpoint),
    /// Everything that the program defines.
    Definitions {
        /// The definitions.
        definitions: Vec<DefinitionInfo>,
    },
    /// The compiled code of a function.
    Listing(CompiledFunction),
    /// What a name or an expression is.
    Description(Description),
    /// The random draws of the game.
    Draws(Draws),
    /// What is on a cell.
    Cell(CellInfo),
    /// The pieces of the game.
    Pieces(Pieces),
    /// The game in words, for `:state`.
    #[serde(skip)]
    State(Box<GameState>),
    /// What differs between two times.
    Diff(Diff),
    /// The history, and the current position in it.
    Timeline {
        /// What the command asks for.
        subject: TimelineSubject,
        /// The whole history.
        #[serde(flatten)]
        timeline: Timeline,
    },
    /// The position that was reached, between two entries.
    Position {
        /// The entry before it; empty at the start of the session.
        entry: String,
        /// The time.
        time: u64,
    },
    /// The change that the next instruction makes, where `:last` has found it.
    NextChange(NextChange),
    /// Entries that were undone, the last one first.
    Undone {
        /// Their texts.
        entries: Vec<String>,
    },
    /// Entries that were redone, in the order in which they were typed.
    Redone {
        /// Their texts.
        entries: Vec<String>,
    },
    /// A dry run has ended and was rolled back.
    DryRunFinished {
        /// What it would have changed.
        changes: Vec<Change>,
        /// Whether entries typed during it were rolled back as well.
        discards_entries: bool,
    },
    /// The value of an expression that `:display` shows.
    Display {
        /// Its number in the list of displays.
        number: Option<usize>,
        /// The expression and its value.
        display: Display,
    },
    /// The iterations of loops.
    LoopTables(LoopTables),
    /// The evaluation of a statement.
    Evaluation(Box<Evaluation>),
    /// An expression with the values of its parts (`:explain`).
    ExplainedExpression(ExplainedExpression),
    /// The message of a logpoint that was passed.
    Log {
        /// The number of the logpoint.
        id: u32,
        /// Its message, with values.
        text: String,
    },
    /// A breakpoint stopped because its condition could not be evaluated.
    ConditionError {
        /// The number of the breakpoint.
        id: u32,
        /// Whether it is a watchpoint.
        is_watchpoint: bool,
        /// What is wrong.
        message: String,
    },
    /// A line of the live trace (`:trace`).
    Trace {
        /// The depth of the call.
        depth: usize,
        /// The call or event.
        text: String,
    },
    /// Lines of the live trace that are left out, because there are too many.
    TraceOmitted {
        /// How many.
        count: usize,
    },
    /// What the rules of play logged.
    Info {
        /// The lines, oldest first.
        lines: Vec<String>,
    },
    /// The run left a future behind, which is kept as a branch.
    Forked {
        /// The number of the branch.
        branch: usize,
        /// Whether the branch holds what the user has undone.
        is_after_undo: bool,
    },
    /// A run in the past had no effect, so that the future is kept.
    FutureKept {
        /// Whether the future is what the user has undone.
        is_after_undo: bool,
    },
    /// An entry that stopped on its way has ended.
    Finished {
        /// The entry; empty for the start of the game.
        entry: String,
        /// When it ended.
        time: u64,
    },
    /// A dry run has started. All it does will be rolled back.
    DryRunStarted,
    /// The result of a function that has returned (`finish`).
    Returned(Returned),
    /// The answer to `:why`.
    Explanation(Box<Explanation>),
    /// What the program printed, for `:why output`.
    Outputs {
        /// The outputs, oldest first.
        outputs: Vec<PrintedOutput>,
    },
    /// Help.
    Help(HelpTopic),
    /// What an error code means.
    ErrorHelp(ErrorHelp),
    /// The current step of the guided tour.
    Tour(TourProgress),
    /// A file was written.
    SavedFile(SavedFile),
    /// A session file was opened.
    OpenedSession(OpenedSession),
    /// A session file was replayed and compared.
    TestResult(TestResult),
    /// The program was read again.
    Reloaded(Reloaded),
    /// Lines that were typed in this session.
    HistoryList(HistoryList),
    /// Sessions that can be restored.
    ResumableSessions(ResumableSessions),
    /// Why something is not true, or did not happen.
    WhyNot(Box<WhyNot>),
}

impl From<Explanation> for Part {
    fn from(explanation: Explanation) -> Part {
        Part::Explanation(Box::new(explanation))
    }
}

impl From<HelpTopic> for Part {
    fn from(topic: HelpTopic) -> Part {
        Part::Help(topic)
    }
}

impl From<Line> for Part {
    fn from(line: Line) -> Part {
        Part::Line(line)
    }
}

impl From<WhyNot> for Part {
    fn from(why_not: WhyNot) -> Part {
        Part::WhyNot(Box::new(why_not))
    }
}

fn serialize_stop<S: serde::Serializer>(stop: &Rc<Stop>, serializer: S) -> Result<S::Ok, S::Error> {
    stop.as_ref().serialize(serializer)
}

/// What the program asks at its input prompt.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Question {
    /// The prompt.
    pub text: String,
    /// The type of the answer, as the language calls it; `None` if any text will do.
    #[serde(rename = "type")]
    pub answer_type: Option<String>,
}

/// What the client has to do after it has shown an answer.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Control {
    /// Open an editor.
    Edit(EditRequest),
    /// Play with the arrow keys until Esc is pressed. Without a keyboard, only show the answer.
    PlayKeys,
    /// Step with a delay until a key is pressed.
    Animate {
        /// The time between two steps.
        #[serde(rename = "delay_ms", serialize_with = "serialize_milliseconds")]
        delay: Duration,
    },
    /// Nothing: it was interrupted with Ctrl-C before it had a result. It is not recorded.
    Cancelled,
    /// End the session.
    Quit,
}

fn serialize_milliseconds<S: serde::Serializer>(
    time: &Duration,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(time.as_millis() as u64)
}

/// A text to open in the user's editor. The result is then handled like an entry.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EditRequest {
    /// The text to edit.
    pub text: String,
    /// The file to edit in place; `None` for a single definition.
    pub file: Option<String>,
    /// The file extension of the language.
    pub extension: &'static str,
}

/// The reply to one entry or command.
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
    /// Input that was entered on the user's behalf (`:tour next`), shown first.
    pub echo: Option<Line>,
    /// What it consists of.
    pub parts: Vec<Part>,
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
    /// The state of the game, for `:state`.
    pub state: Option<GameView>,
    /// Draw the board if it has changed.
    pub show_board: bool,
    /// Draw the board even if it has not changed.
    pub redraw: bool,
    /// The value is the board itself, so it is not printed if the board is drawn.
    pub is_board_value: bool,
    /// Commands attached to the breakpoint that was hit, to be run next.
    pub queued_commands: VecDeque<String>,
    /// The drawn board.
    pub board_lines: Vec<Line>,
    /// The column at which the board is drawn beside the text; below the text if `None`.
    pub board_column: Option<usize>,
    /// Suggestions for what to do next, shown last and not stored in transcripts.
    pub hints: Vec<Part>,
    /// What the client has to do next.
    pub control: Option<Control>,
}

impl<P: Into<Part>> From<P> for Answer {
    fn from(part: P) -> Answer {
        Answer {
            parts: vec![part.into()],
            ..Answer::new("")
        }
    }
}

impl Answer {
    /// An answer that consists of one line of text.
    pub fn message(line: impl Into<Line>) -> Answer {
        Answer::of(line.into())
    }

    /// An empty, successful reply to this input.
    pub fn new(entry: &str) -> Answer {
        Answer {
            entry: entry.to_string(),
            ok: true,
            ..Answer::default()
        }
    }

    /// Adds a line of text.
    pub fn line(&mut self, line: impl Into<Line>) {
        self.parts.push(Part::Line(line.into()));
    }

    /// A successful answer with this part.
    pub fn of(part: impl Into<Part>) -> Answer {
        Answer {
            parts: vec![part.into()],
            ..Answer::new("")
        }
    }

    /// Adds lines of text.
    pub fn lines(&mut self, lines: impl IntoIterator<Item = Line>) {
        self.parts.extend(lines.into_iter().map(Part::Line));
    }

    /// Adds an error message, and marks the reply as failed.
    pub fn error(&mut self, message: impl Into<String>) {
        self.ok = false;
        self.line(Line::styled(Style::Error, "error: ").with(Style::Plain, message));
    }

    /// Makes this the answer of a command that failed.
    pub fn fail(&mut self, error: CommandError) {
        self.ok = false;
        if !error.message.is_empty() {
            self.error(error.message);
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
        self.show_board |= more.show_board;
        self.redraw |= more.redraw;
        self.is_board_value |= more.is_board_value;
        self.queued_commands = more.queued_commands;
        self.echo = more.echo.or(self.echo.take());
        self.state = more.state.or(self.state.take());
        self.board_lines.extend(more.board_lines);
        self.board_column = more.board_column.or(self.board_column);
        self.control = more.control.or(self.control.take());
    }

    /// Merges the reply to the answer of an input prompt into the reply that asked for it.
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

    /// True if the user wants to end the session.
    pub fn is_quit(&self) -> bool {
        self.control == Some(Control::Quit)
    }

    /// The lines of the value; empty if the value is the board and the board is drawn.
    pub fn value_lines(&self) -> impl Iterator<Item = &str> {
        let is_drawn = self.is_board_value && !self.board_lines.is_empty();
        self.value
            .iter()
            .filter(move |_| !is_drawn)
            .flat_map(|value| value.split('\n'))
    }
}
