//! Lessons, exercises and questions for learners.

use serde::Serialize;

/// The lessons of the built-in course, in order.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LessonList {
    /// Those of a language follow each other.
    pub lessons: Vec<ListedLesson>,
}

/// A lesson of the built-in course.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ListedLesson {
    /// The short name of its language.
    pub language: &'static str,
    /// The language as it is written in text.
    pub language_title: &'static str,
    /// Its number in the course of the language, from 1.
    pub number: usize,
    /// What it is about.
    pub title: String,
    /// How many steps it has.
    pub step_count: usize,
    /// How far it was played.
    pub status: LessonStatus,
}

/// How far a lesson was played. Only a terminal remembers it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LessonStatus {
    /// Not begun, as far as is known.
    New,
    /// Begun; the number of the next step.
    Step(usize),
    /// Played to its end.
    Finished,
}

/// The task of an exercise.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ExerciseTask {
    /// What is to be written, such as `winCondition`.
    pub name: String,
    /// The task.
    pub text: Vec<String>,
    /// How many hints it has.
    pub hint_count: usize,
    /// How many of them were given.
    pub hints_given: usize,
    /// Whether the solution was shown.
    pub is_solution_shown: bool,
}

/// How an exercise went, for the teacher.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ExerciseScore {
    /// What was to be written.
    pub name: String,
    /// How it went.
    pub result: ExerciseResult,
    /// How many answers did not pass.
    pub failed_attempts: usize,
    /// How many hints were given.
    pub hints_given: usize,
}

/// How an exercise went.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ExerciseResult {
    /// It is not solved, and its solution was not shown.
    Open,
    /// Solved without help.
    Solved,
    /// Solved after at least one hint.
    SolvedWithHints,
    /// The solution was shown.
    SolutionShown,
}

/// Help with an exercise.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ExerciseHelp {
    /// What it is.
    #[serde(flatten)]
    pub help: HelpKind,
    /// The text.
    pub lines: Vec<String>,
}

/// A kind of help with an exercise.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "help", rename_all = "snake_case")]
pub enum HelpKind {
    /// A hint.
    Hint {
        /// Its number, from 1.
        number: usize,
        /// How many there are.
        count: usize,
    },
    /// The solution.
    Solution,
}

/// The result of checking the answer to an exercise.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ExerciseReport {
    /// What was to be written.
    pub name: String,
    /// How many checks there are.
    pub check_count: usize,
    /// How many of them passed before the first that failed.
    pub passed_count: usize,
    /// The first difference; `None` if all checks passed.
    pub failure: Option<CheckFailure>,
    /// The step that follows and gives another result than with the solution, so that the lesson
    /// continues with the solution. `None` if it continues with the student's program.
    pub differing_step: Option<String>,
}

/// A check that failed.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CheckFailure {
    /// What is checked.
    pub remarks: Vec<String>,
    /// The answer that was checked, if what was checked is not obvious: a statement.
    pub answer: Option<String>,
    /// What was played, up to the difference.
    pub inputs: Vec<String>,
    /// What differs.
    pub aspect: Aspect,
    /// What it is with the solution.
    pub expected: Vec<String>,
    /// What it is with the student's answer.
    pub actual: Vec<String>,
    /// The command that asks about it, once the inputs are played.
    pub question: Option<String>,
}

/// A part of the result of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Aspect {
    /// Whether it fails, and how.
    Error,
    /// It does not end.
    EndlessLoop,
    /// What the program asks.
    Question,
    /// What the program prints.
    Output,
    /// The value.
    Value,
    /// Whether the game has ended, and who wins.
    Ending,
    /// The board and what is shown around it.
    Board,
}

/// What a question is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PredictionKind {
    /// The value of an expression.
    Value,
    /// What is on a cell of the board.
    Cell,
    /// Whether the game ends, and who wins.
    Winner,
    /// Whether it ends in an error.
    Error,
    /// The line that runs next.
    Line,
}

/// A question about an entry or a step that has not run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PredictionQuestion {
    /// What it is about.
    pub about: PredictionKind,
    /// The question.
    pub text: String,
    /// The possible answers; empty if any text will do.
    pub choices: Vec<PredictionChoice>,
}

/// A possible answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PredictionChoice {
    /// What to type.
    pub answer: String,
    /// What it means; empty if that is the same.
    pub text: String,
}

impl PredictionChoice {
    /// The meaning of the choice.
    pub fn meaning(&self) -> &str {
        match self.text.is_empty() {
            true => &self.answer,
            false => &self.text,
        }
    }
}

/// What became of a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The answer was right.
    Right,
    /// The answer was wrong.
    Wrong,
    /// It was not answered.
    Skipped,
    /// The program has stopped before the answer could be checked.
    Undecided,
}

/// A question that was answered or skipped.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PredictionResult {
    /// What the question was about.
    pub about: PredictionKind,
    /// The question.
    pub question: String,
    /// What became of it.
    pub verdict: Verdict,
    /// The answer that was given; `None` if it was skipped.
    pub answer: Option<String>,
    /// The right answer; `None` if it is not known yet.
    pub right_answer: Option<String>,
    /// The step of the lesson, if it was asked in one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
}

/// Whether questions are asked, and how many were answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct PredictionScore {
    /// Whether there is a question before every step.
    pub is_on: bool,
    /// Right answers.
    pub right: usize,
    /// Wrong answers.
    pub wrong: usize,
    /// Questions that were skipped.
    pub skipped: usize,
}

/// How a saved session ends on the rules as they are now.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RejudgeVerdict {
    /// As before.
    Same,
    /// In another way.
    Different,
    /// A move is not possible any more.
    Unplayable,
    /// Unknown: a limit was reached, or Ctrl-C was pressed.
    Undecided,
}

/// A saved session that was replayed on the rules as they are now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RejudgedSession {
    /// The path of the session file.
    pub file: String,
    /// What came of it.
    pub verdict: RejudgeVerdict,
    /// How it ended.
    pub was: Option<String>,
    /// How it ends now; if it is unplayable, what is wrong.
    pub now: Option<String>,
    /// The first entry that leads elsewhere; `None` if there is none, or if the start already differs.
    #[serde(rename = "move")]
    pub first_move: Option<String>,
    /// How many moves were played then, with this one; 0 if the start already differs.
    pub number: Option<usize>,
    /// The entry is not itself a move: it defines something, or is a command such as `:undo`.
    pub is_between_moves: bool,
    /// How many moves the session has.
    pub moves: usize,
}
