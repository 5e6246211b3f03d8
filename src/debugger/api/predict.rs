//! Questions about what will happen, and what became of the answers.

use serde::Serialize;

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
