//! The parts that an answer consists of.

use super::{
    BreakpointInfo, CallStack, CellInfo, Change, CheckResult, ClickedCell, CompiledFunction,
    CoverageReport, DefinitionInfo, Description, Diff, Display, Draws, ErrorHelp, Evaluation,
    ExampleList, ExerciseHelp, ExerciseReport, ExplainedExpression, Explanation, FindResult,
    GameState, HelpTopic, Hint, HistoryList, LessonList, LessonProgress, Line, LoopTables,
    MoveList, NameUses, NewBreakpoint, NextChange, Notice, OpenedSession, OpponentMove, Pieces,
    PredictionQuestion, PredictionResult, PredictionScore, PrintedOutput, ProgramListing,
    PropertyInfo, Reachability, ReboundBreakpoint, RejudgedSession, Reloaded, ResumableSessions,
    Returned, SavedFile, Setting, ShownBoard, SolveResult, SourceLine, StatsResult, Stop,
    TestResult, Timeline, TimelineSubject, TourProgress, Variable, VaryResult, WhyNot,
};
use gridbug_base::diagnostic::Advice;
use serde::Serialize;
use std::rc::Rc;

/// One part of an answer, in the order in which the parts are shown.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Part {
    /// A line of text that a client adds for its user. The engine makes none: what it says is data.
    Line(Line),
    /// Something that happened or is worth knowing.
    Notice(Notice),
    /// A setting of the session, and its value now.
    Setting(Setting),
    /// The command or entry failed, or a part of it did. Nothing was changed.
    Error {
        /// What is wrong.
        message: String,
        /// What to do about it.
        advice: Vec<Advice>,
    },
    /// The heading of a section of a report.
    Heading {
        /// The heading.
        text: String,
        /// Whether it is at the start of the report.
        is_first: bool,
    },
    /// A line that was entered on the user's behalf.
    Echo {
        /// The line.
        input: String,
    },
    /// The value of an expression.
    Value {
        /// The value, in the language's notation.
        text: String,
        /// The value, as JSON.
        data: Option<serde_json::Value>,
    },
    /// A move of the computer.
    OpponentMove(OpponentMove),
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
    /// The whole program.
    Program(ProgramListing),
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
    /// Breakpoints, watchpoints and logpoints that were deleted.
    DeletedBreakpoints {
        /// In ascending order of their numbers.
        breakpoints: Vec<BreakpointInfo>,
    },
    /// Declared properties.
    Properties {
        /// In ascending order of their numbers.
        properties: Vec<PropertyInfo>,
    },
    /// A property that has just been declared.
    NewProperty(PropertyInfo),
    /// Everything that the program defines.
    Definitions {
        /// The definitions.
        definitions: Vec<DefinitionInfo>,
    },
    /// Where names are defined and used.
    Uses {
        /// The name of the source that plain line numbers refer to; `None` if the program was typed.
        main_source: Option<String>,
        /// The names; several if different things have the same name.
        names: Vec<NameUses>,
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
    /// The board, or a part of it.
    Board(Box<ShownBoard>),
    /// The whole game, for `:state`.
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
    /// The history before a time was dropped to save memory, so that the answer covers only what
    /// came after.
    KnownSince {
        /// The earliest time that is known.
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
        /// Whether the branch is a line of moves that a search has found, or the rest of one.
        is_found_line: bool,
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
    /// The entry ran, but changed nothing and has nothing else to show.
    NoEffect {
        /// Why, if it was a click.
        click: Option<ClickedCell>,
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
    /// The next step of a lesson.
    Lesson(LessonProgress),
    /// A hint for an exercise, or its solution.
    ExerciseHelp(ExerciseHelp),
    /// Whether the answer to an exercise passes its checks.
    ExerciseReport(Box<ExerciseReport>),
    /// The lessons of the built-in course.
    LessonList(LessonList),
    /// A question about an entry or a step that has not run.
    Prediction(PredictionQuestion),
    /// A question that was answered or skipped.
    PredictionResult(PredictionResult),
    /// Whether questions are asked, and how many were answered.
    PredictionScore(PredictionScore),
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
    /// The built-in games.
    Examples(ExampleList),
    /// Sessions that can be restored.
    ResumableSessions(ResumableSessions),
    /// Why something is not true, or did not happen.
    WhyNot(Box<WhyNot>),
    /// How often the lines of the program ran.
    Coverage(Box<CoverageReport>),
    /// Saved sessions, replayed on the rules as they are now.
    Rejudged {
        /// In the order of their files.
        sessions: Vec<RejudgedSession>,
    },
    /// The moves that are possible now.
    Moves(MoveList),
    /// What a search has found.
    Find(Box<FindResult>),
    /// Perfect play.
    Solve(Box<SolveResult>),
    /// One best move.
    Hint(Hint),
    /// How games end.
    Stats(Box<StatsResult>),
    /// Whether moves lead to an ending, after `:why not`.
    Reachability(Reachability),
    /// What comes of other start values.
    Vary(VaryResult),
    /// What a search has found out about the rules.
    Check(Box<CheckResult>),
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

impl From<Notice> for Part {
    fn from(notice: Notice) -> Part {
        Part::Notice(notice)
    }
}

impl From<Setting> for Part {
    fn from(setting: Setting) -> Part {
        Part::Setting(setting)
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
