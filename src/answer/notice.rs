//! Short messages: something has happened, is missing, or is set to a value.

use super::ResumableSession;
use serde::Serialize;

/// Something that happened or is worth knowing, with the values that its sentence contains.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "notice", rename_all = "snake_case")]
pub enum Notice {
    /// There is nothing to list.
    Empty {
        /// What was asked for.
        list: ListKind,
        /// A command that adds something to the list.
        example: Option<String>,
    },
    /// What the language says about the entry: what it has defined, or the answer to a command of the
    /// language such as `:type`.
    Language {
        /// The message.
        message: String,
    },
    /// An entry was cancelled and rolled back before its end.
    Cancelled {
        /// The entry.
        entry: String,
    },
    /// A command failed and changed nothing.
    NothingChanged,
    /// An analysis was interrupted with Ctrl-C, so that its answer is incomplete.
    Interrupted {
        /// The ending of which it is not known whether it can be reached, if that was the question.
        unknown: Option<String>,
    },
    /// A report was interrupted with Ctrl-C, so that its other sections are missing.
    ReportInterrupted,
    /// The journal of the session cannot be written.
    JournalProblem {
        /// What is wrong.
        message: String,
    },

    /// A word names a variable as well as a command, and the variable was shown.
    IsVariable {
        /// The word.
        word: String,
        /// The command that `:WORD` runs.
        command: String,
    },
    /// A letter stands for a move as well as a command, and the move was played.
    IsMove {
        /// The letter.
        word: String,
        /// The command that `:WORD` runs.
        command: String,
    },
    /// A word names a move as well as a command, and the command was run.
    IsCommand {
        /// The command.
        command: String,
        /// How to write the move at a stop.
        entry: String,
    },
    /// The client cannot show panes that stay in place.
    NoView,
    /// The client has no arrow keys.
    NoArrowKeys {
        /// Moves that can be typed instead.
        examples: Vec<String>,
    },
    /// An animation that cannot be paced or ended by a key was stopped.
    AnimationStopped {
        /// After how many steps.
        steps: usize,
    },
    /// The function of the selected frame was redefined; the call still runs the old code.
    OldCode {
        /// The function.
        function: String,
    },
    /// What follows is about an earlier time.
    AtTime {
        /// The time.
        time: u64,
    },
    /// An expression is true already, so that there is no reason why it is not.
    AlreadyTrue {
        /// The expression.
        expression: String,
        /// Its value, in the language's notation.
        value: String,
    },
    /// The program stopped, where only the function matters.
    StoppedIn {
        /// The function.
        function: String,
    },

    /// There is nothing to go back to.
    HistoryStart {
        /// The start of the game was reached, and not only of what is known of the history.
        is_game_start: bool,
        /// Breakpoints were looked for on the way.
        without_hit: bool,
    },
    /// A time has a name now.
    Marked {
        /// The name.
        name: String,
        /// The time.
        time: u64,
    },
    /// A branch of the history was deleted.
    DeletedBranch {
        /// Its number.
        branch: usize,
    },
    /// The history and one of its branches have changed places.
    SwitchedBranch {
        /// The number of the branch.
        branch: usize,
    },

    /// The program was put into the layout of its language.
    Formatted {
        /// How many lines have changed.
        lines: usize,
    },
    /// The session has changed to another language.
    SwitchedLanguage {
        /// The name of the language.
        language: &'static str,
        /// The language as shown to users.
        title: &'static str,
        /// Because of the file that was loaded.
        is_by_file: bool,
    },
    /// A built-in game was opened.
    OpenedExample {
        /// Its name.
        name: &'static str,
        /// The language as shown to users.
        language_title: &'static str,
        /// What it is about.
        about: &'static str,
    },
    /// How to open one of the built-in games that are listed.
    OpensExample,
    /// `:save` leaves a line out.
    DroppedLine {
        /// The line.
        input: String,
        /// How `:history` names it.
        line: String,
    },
    /// `:save` includes a line again.
    KeptLine {
        /// The line.
        input: String,
    },
    /// What `:save` would write does not lead to the current state of the game.
    NotExact,
    /// `gridbug run` needs more than the saved program.
    MissingToRun {
        /// What it needs.
        missing: String,
    },
    /// Changes belong to the file of a prelude, which was not saved.
    UnsavedPrelude {
        /// Its path.
        path: String,
        /// What has changed.
        names: Vec<String>,
    },
    /// A journal could not be read completely. The file is kept.
    DamagedJournal {
        /// Where it is kept.
        location: String,
        /// How many entries could be recovered.
        recovered_count: usize,
        /// The first line of each part that could not be recovered.
        lost: Vec<String>,
    },
    /// Journals of sessions that ended unexpectedly are kept, but not listed any more: there are newer ones.
    OldJournals {
        /// How many.
        count: usize,
        /// Where the first of them is kept.
        location: String,
    },
    /// An earlier session was deleted.
    DeletedSession {
        /// The session.
        session: ResumableSession,
    },
    /// An earlier session was restored.
    RestoredSession {
        /// The session.
        session: ResumableSession,
    },
    /// An unfinished entry was restored, too.
    RestoredDraft,

    /// The computer has no move.
    NoMove {
        /// The player.
        player: String,
    },
    /// The computer was interrupted before it had moved.
    NotMoved {
        /// The player.
        player: String,
    },

    /// A remark of the user, which `:save` writes.
    Remark {
        /// The remark.
        text: String,
    },
    /// The tour was left and can be continued.
    LeftTour {
        /// The number of the next step, from 1.
        step: usize,
        /// How many steps there are.
        count: usize,
    },
    /// The tour has ended, because another game was opened.
    EndedTour,
    /// The game is not where the tour expects it.
    OffTour {
        /// The number of the step, from 1.
        step: usize,
    },
    /// Something else was typed than the tour asks for.
    TourReminder {
        /// The number of the step, from 1.
        step: usize,
        /// The line to type.
        input: &'static str,
    },
    /// How to open the first lesson of those that are listed.
    OpensLesson {
        /// The command.
        command: String,
    },
    /// The lesson was left.
    LeftLesson,
    /// The lesson continues as it was before what the student has typed.
    BackInLesson,
    /// A step of a lesson would write a file, and was not run.
    LessonWritesNoFile,
    /// The student has not typed an answer to the exercise.
    NothingToCheck {
        /// The definition to write; `None` if the answer is a statement.
        definition: Option<String>,
    },
    /// The next step is preceded by a question.
    QuestionWanted,
    /// A question that was wanted has no answer, so it was not asked.
    QuestionNotAsked,
    /// The line that a question was about was not run.
    NotRun {
        /// The first line of it.
        entry: String,
    },
    /// A command explains the result.
    ExplainedBy {
        /// The command.
        command: &'static str,
    },
}

/// What can be listed, if there is any.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ListKind {
    /// Variables.
    Variables,
    /// Breakpoints, watchpoints and logpoints.
    Breakpoints,
    /// Declared properties.
    Properties,
    /// Expressions that are displayed at stops.
    Displays,
    /// The steps of a lesson: none is open.
    Lesson,
}

/// A setting of the session, and its value now.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "name", content = "value", rename_all = "snake_case")]
pub enum Setting {
    /// Whether calls and events are shown as they happen.
    Trace(bool),
    /// Whether steps go through the rules of the game.
    Rules(bool),
    /// Whether counts are shown beside the lines.
    Coverage(bool),
    /// Whether errors stop the program.
    StopOnErrors(bool),
    /// Whether there are questions before each step.
    Predict(bool),
    /// Functions and handlers that steps skip.
    Skip(Vec<String>),
    /// Expressions that are displayed at every stop.
    Display(Vec<String>),
    /// How often a breakpoint is ignored.
    Ignore {
        /// The number of the breakpoint.
        breakpoint: u32,
        /// How many more times.
        count: u64,
    },
    /// How a kind of piece is drawn.
    Glyph {
        /// The kind.
        piece: String,
        /// The character.
        glyph: char,
    },
    /// The seed of the random numbers.
    Seed {
        /// The seed.
        seed: u64,
        /// It has just been set, and the random numbers restart from it.
        is_new: bool,
    },
    /// The next random draws; random if there are none.
    ScriptedDraws(Vec<String>),
    /// The file to which the session is saved when it ends.
    Record {
        /// Its path; `None` if the session is not saved.
        path: Option<String>,
        /// It has just been set.
        is_new: bool,
    },
    /// The players whom the computer plays.
    Opponent(Vec<OpponentSetting>),
}

/// A player whom the computer plays.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct OpponentSetting {
    /// The player.
    pub player: String,
    /// `random`, `level 3` or `perfect`.
    pub level: String,
    /// The longest time for a move, in seconds.
    pub seconds: Option<f64>,
}
