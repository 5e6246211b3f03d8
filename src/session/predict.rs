//! Predictions: questions that are asked before something runs.

use super::session_file::SessionItem;
use super::{Lesson, lesson};
use crate::answer::{
    Part, PredictionKind, PredictionQuestion, PredictionResult, PredictionScore, Verdict,
};
use std::fmt;

/// What to ask about, as it is written after `# predict` and `:predict`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PredictionTopic {
    /// The value of the expression that is entered, or of this one afterwards.
    Value(Option<String>),
    /// What is on this cell afterwards, in the language's notation.
    Cell(String),
    /// Whether the game ends, and who wins.
    Winner,
    /// Whether it ends in an error.
    Error,
    /// The line that runs next.
    Line,
}

impl PredictionTopic {
    /// What the question is about.
    pub fn kind(&self) -> PredictionKind {
        match self {
            PredictionTopic::Value(_) => PredictionKind::Value,
            PredictionTopic::Cell(_) => PredictionKind::Cell,
            PredictionTopic::Winner => PredictionKind::Winner,
            PredictionTopic::Error => PredictionKind::Error,
            PredictionTopic::Line => PredictionKind::Line,
        }
    }

    /// The cell that it is about, in the language's notation.
    pub fn cell(&self) -> Option<&str> {
        match self {
            PredictionTopic::Cell(cell) => Some(cell),
            _ => None,
        }
    }

    /// Reads what [`fmt::Display`] writes.
    fn parse(text: &str) -> Option<PredictionTopic> {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        match (word, rest.trim()) {
            ("value", "") => Some(PredictionTopic::Value(None)),
            ("value", expression) => Some(PredictionTopic::Value(Some(expression.to_string()))),
            ("cell", cell) if cell.contains(|c: char| c.is_ascii_digit()) => {
                Some(PredictionTopic::Cell(cell.to_string()))
            }
            ("winner", "") => Some(PredictionTopic::Winner),
            ("error", "") => Some(PredictionTopic::Error),
            ("line", "") => Some(PredictionTopic::Line),
            _ => None,
        }
    }
}

/// What follows `# predict`.
impl fmt::Display for PredictionTopic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PredictionTopic::Value(None) => write!(f, "value"),
            PredictionTopic::Value(Some(expression)) => write!(f, "value {expression}"),
            PredictionTopic::Cell(cell) => write!(f, "cell {cell}"),
            PredictionTopic::Winner => write!(f, "winner"),
            PredictionTopic::Error => write!(f, "error"),
            PredictionTopic::Line => write!(f, "line"),
        }
    }
}

/// A wish for a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PredictionRequest {
    /// About what is most instructive.
    Any,
    /// About this.
    About(PredictionTopic),
}

impl PredictionRequest {
    /// Parses what follows the word `predict`.
    pub fn parse(text: &str) -> Option<PredictionRequest> {
        match text.trim() {
            "" => Some(PredictionRequest::Any),
            topic => PredictionTopic::parse(topic).map(PredictionRequest::About),
        }
    }

    /// The request in a remark of a lesson; `None` if the remark is text for the reader.
    pub fn in_remark(remark: &str) -> Option<PredictionRequest> {
        let rest = remark.strip_prefix("predict")?;
        match rest.is_empty() || rest.starts_with(' ') {
            true => PredictionRequest::parse(rest),
            false => None,
        }
    }
}

/// A question that waits for its answer. What it is about has not run.
#[derive(Clone, Debug)]
pub struct Prediction {
    /// The line that runs when the question is answered.
    pub line: String,
    /// The entry or step that the question is about.
    pub entry: String,
    /// What it is about, without gaps: the cell or expression that was chosen.
    pub topic: PredictionTopic,
    /// What is asked.
    pub question: PredictionQuestion,
    /// What a wrong answer is explained with, if that is known before the line runs.
    pub explanation: Option<Part>,
    /// The step of the lesson.
    pub step: Option<usize>,
}

/// The questions of a session.
#[derive(Clone, Debug, Default)]
pub struct Predictions {
    /// Whether there is a question before every step (`:predict on`).
    pub is_on: bool,
    /// What to ask before the next step.
    pub request: Option<PredictionRequest>,
    /// The question that waits for its answer.
    pub pending: Option<Box<Prediction>>,
    /// The questions that were answered or skipped.
    pub results: Vec<PredictionResult>,
    /// A replay asks about the next line, because its answer was recorded.
    pub is_asked_in_replay: bool,
    /// A line of a replay that no question was found for, although one was recorded: it runs when the
    /// answer comes.
    pub unasked_line: Option<String>,
}

impl Predictions {
    /// How many questions were answered.
    pub fn score(&self) -> PredictionScore {
        let count = |verdict| self.results.iter().filter(|r| r.verdict == verdict).count();
        PredictionScore {
            is_on: self.is_on,
            right: count(Verdict::Right),
            wrong: count(Verdict::Wrong),
            skipped: count(Verdict::Skipped),
        }
    }
}

impl Lesson {
    /// What the lesson asks before its next step.
    pub fn prediction_request(&self) -> Option<PredictionRequest> {
        let items = self.file.items[self.played..].iter();
        let remarks = items.map_while(|item| match item {
            SessionItem::Comment(text) => Some(lesson::remark(text)),
            _ => None,
        });
        remarks
            .filter_map(|remark| PredictionRequest::in_remark(&remark))
            .last()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_exact_requests_in_remarks_are_questions() {
        use PredictionTopic::*;
        let about = |topic| Some(PredictionRequest::About(topic));
        for (remark, request) in [
            ("predict", Some(PredictionRequest::Any)),
            ("predict winner", about(Winner)),
            ("predict  error ", about(Error)),
            ("predict line", about(Line)),
            ("predict value", about(Value(None))),
            (
                "predict value turn + 1",
                about(Value(Some("turn + 1".into()))),
            ),
            ("predict cell 0,2", about(Cell("0,2".into()))),
            ("predict what happens", None),
            ("predict the winner", None),
            ("predict cell by cell", None),
            ("Predict", None),
            ("prediction", None),
            ("predicted value 3", None),
        ] {
            assert_eq!(PredictionRequest::in_remark(remark), request, "{remark}");
        }
    }
}
