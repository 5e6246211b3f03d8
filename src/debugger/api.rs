//! What the engine answers with: plain data that `render` turns into text and `protocol` into JSON.

mod answer;
mod board;
mod board_properties;
mod breakpoint;
mod change;
mod check;
mod command_error;
mod completion;
mod control;
mod course;
mod coverage;
mod evaluation;
mod exercise;
mod explanation;
mod exploration;
mod frame;
mod glyph;
mod help;
mod listing;
mod loop_table;
mod opponent;
mod part;
mod predict;
mod progress;
mod property;
mod rejudge;
mod session;
mod source_range;
mod stop;
mod styled;
mod substitution;
mod timeline;
mod value;
mod variable;
mod vary;
mod why_not;

pub use answer::{Answer, StateView};
pub use board::{
    BoardMarks, CellInfo, GameState, PieceInfo, PieceOnCell, Pieces, ShowBoard, ShownBoard,
};
pub use board_properties::BoardProperties;
pub use breakpoint::{
    BindingChange, BreakpointInfo, BreakpointKind, NewBreakpoint, ReboundBreakpoint,
};
pub use change::{BoardSize, CellAttribute, CellChange, Change, ChangedCell, Diff};
pub use check::{CheckResult, CheckSubject, CheckVerdict, CheckedProperty, Remark, RemarkKind};
pub use command_error::CommandError;
pub use completion::{Completion, CompletionKind};
pub use control::{Control, EditRequest, Question};
pub use course::{LessonList, LessonStatus, ListedLesson};
pub use coverage::{
    ConditionCount, CoverageExtent, CoverageReport, CoveredLine, LineCount, UnusedFunction,
};
pub(crate) use evaluation::learn;
pub use evaluation::{
    Evaluation, EvaluationStep, ExplainedExpression, ExplainedValue, Returned, StatementEffect,
    VariableChange,
};
pub use exercise::{
    Aspect, CheckFailure, ExerciseHelp, ExerciseReport, ExerciseResult, ExerciseScore,
    ExerciseTask, HelpKind,
};
pub use explanation::{
    DecidingTest, Excerpt, Explanation, ExplanationNode, ExplanationStep, ExpressionValue,
    NamedValue, OmittedCalls, PrintedOutput, Relation, Subject,
};
pub use exploration::{
    Choices, CodePlace, EndedBy, FindResult, FindVerdict, GameLength, GameResult, GameValue,
    GoalKind, GrowingVariable, Hint, LineMove, MoveList, MoveValue, PossibleMove, Reachability,
    ResultKind, SearchExtent, SearchStop, SolveResult, StatsResult,
};
pub use frame::{CallStack, Frame, StackEntry};
pub use glyph::{BLANK_GLYPH, Glyphs};
pub use help::{CommandHelp, ErrorHelp, HelpRow, HelpTopic, NameList};
pub use listing::{
    CompiledFunction, DefinitionInfo, Description, DrawInfo, Draws, InstructionInfo, LineOrigin,
    NamePlace, NameUses, ProgramLine, ProgramListing,
};
pub use loop_table::{
    CellValue, ColumnContent, LoopCaller, LoopColumn, LoopResult, LoopRow, LoopStyle, LoopTable,
    LoopTables, LoopValue, OmittedIterations,
};
pub use opponent::OpponentMove;
pub use part::Part;
pub use predict::{
    PredictionChoice, PredictionKind, PredictionQuestion, PredictionResult, PredictionScore,
    Verdict,
};
pub use progress::{ProgressListener, Reported};
pub use property::{PropertyInfo, PropertyVerdict, Violation};
pub use rejudge::{RejudgeVerdict, RejudgedSession};
pub use session::{
    DiffLine, DiffOrigin, ExampleList, FileType, HistoryList, LessonProgress, ListedEntry,
    ListedExample, NumberedDiff, OpenedSession, Reloaded, ReplyDiff, ResumableSession,
    ResumableSessions, SavedFile, TestResult, TourProgress, TourText,
};
pub use source_range::{SourceRange, range_in};
pub use stop::{
    ActionInfo, ChangesSince, ConditionCheck, Display, Hit, SourceLine, Stop, StopReason, WatchHit,
};
pub use styled::{Line, Style};
pub use substitution::{Fragment, ShortCircuit, Substitution};
pub use timeline::{
    EntryAction, Mark, NextChange, Timeline, TimelineBranch, TimelineEntry, TimelineSubject,
};
pub use value::value_to_json;
pub use variable::{Variable, VariableScope};
pub use vary::{VariedRun, VaryResult};
pub use why_not::{
    CallSite, ChangeClass, ChangeTargetKind, ClickEffect, ClickedCell, ConditionResult,
    ConditionRun, Counterfactual, CounterfactualSearch, FalseCells, FalseFlag, FlagResult,
    FlagWrite, FlagWriter, FunctionNotRun, FunctionRuns, Guard, HandlerAttempt, HandlerRun,
    LastRun, MissingCall, OperandValues, ProposedChange, RunEnd, RunError, TestCount, TestRun,
    TestSummary, TriedChanges, UnexecutedWrite, UnknownPiece, UntakenBranch, ValueCount, WhyNot,
    WordCheck, WriteExecution,
};
