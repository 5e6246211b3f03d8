//! What the checks of an exercise found.

use serde::Serialize;

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
