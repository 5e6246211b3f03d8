//! Compares a prediction with what happened, and explains a wrong one.

use super::Commands;
use super::predict_question::{END, cell_text, game_result, line_label};
use crate::answer::{
    Explanation, ExplanationNode, Notice, Part, PredictionKind, PredictionQuestion,
    PredictionResult, Verdict,
};
use crate::code::Status;
use crate::debugger::breakpoint;
use crate::debugger::run;
use crate::diagnostic::Diagnostic;
use crate::session::{Answer, Prediction, PredictionTopic, Session};

/// Causes, callers and levels of calls that the explanation of a wrong answer shows.
const MAX_CAUSES: usize = 2;

/// The answer that a text means: one of the choices, if there are any.
pub(crate) fn choose(question: &PredictionQuestion, text: &str) -> Result<String, String> {
    let choices = &question.choices;
    if choices.is_empty() {
        return Ok(text.to_string());
    }
    let is_same = |a: &str| a.eq_ignore_ascii_case(text);
    let exact = choices
        .iter()
        .find(|c| is_same(&c.answer) || is_same(&c.text));
    let starts = |a: &str| a.to_lowercase().starts_with(&text.to_lowercase());
    let mut starting = choices
        .iter()
        .filter(|c| starts(&c.answer) || starts(&c.text));
    let only = starting.next().filter(|_| starting.next().is_none());
    let is_number = text.parse::<f64>().is_ok();
    match exact.or(only.filter(|_| !is_number)) {
        Some(choice) if question.about == PredictionKind::Line => Ok(choice.answer.clone()),
        Some(choice) => Ok(choice.meaning().to_string()),
        None => {
            let answers: Vec<&str> = choices.iter().map(|c| c.answer.as_str()).collect();
            Err(format!(
                "answer with one of {}, or press Enter to skip the question",
                answers.join(", ")
            ))
        }
    }
}

/// Whether the answer was right, with an explanation if it was not. `given` is `None` if the question
/// was skipped.
pub(crate) fn judge(
    commands: Commands,
    session: &mut Session,
    prediction: &Prediction,
    given: Option<String>,
    answer: &Answer,
) -> Vec<Part> {
    let right = right_answer(session, prediction, answer);
    let verdict = match (&given, &right) {
        (None, _) => Verdict::Skipped,
        (_, None) => Verdict::Undecided,
        (Some(given), Some(right)) if is_same_value(given, right) => Verdict::Right,
        _ => Verdict::Wrong,
    };
    let result = PredictionResult {
        about: prediction.question.about,
        question: prediction.question.text.clone(),
        verdict,
        answer: given,
        right_answer: right,
        step: prediction.step,
    };
    let mut parts = vec![Part::PredictionResult(result.clone())];
    if verdict == Verdict::Wrong {
        parts.extend(explain(commands, session, prediction));
    }
    session.predictions.results.push(result);
    parts
}

/// What really happened; `None` if that is not known yet.
fn right_answer(session: &mut Session, prediction: &Prediction, answer: &Answer) -> Option<String> {
    let has_failed = !answer.ok || answer.diagnostics.iter().any(Diagnostic::is_error);
    let target = &mut session.target;
    match &prediction.topic {
        PredictionTopic::Error => Some(if has_failed { "yes" } else { "no" }.to_string()),
        _ if has_failed => Some("an error".to_string()),
        _ if answer.question.is_some() => None,
        PredictionTopic::Value(None) => answer.value.clone(),
        PredictionTopic::Value(Some(expression)) => {
            let value = target.eval(expression, |target, value| target.format_value(value));
            value.ok()
        }
        PredictionTopic::Cell(cell) => {
            let (row, col) = breakpoint::resolve_cell(target, cell).ok()?;
            Some(cell_text(target, row, col))
        }
        PredictionTopic::Winner => {
            let status = target.progress().status;
            let is_open = status == Status::Playing && answer.stop.is_some();
            (!is_open).then(|| game_result(target, status))
        }
        PredictionTopic::Line => Some(match answer.stop.is_some() {
            true => {
                let frame = target.debugger.selected_frame;
                let statement = run::frame_statement(target, frame)?;
                line_label(target, statement.shown)
            }
            false => END.to_string(),
        }),
    }
}

/// Whether an answer means the right value: spaces, quotes and the way a number is written do not
/// matter.
fn is_same_value(given: &str, right: &str) -> bool {
    let plain = |text: &str| -> String {
        let text = text.trim().trim_matches(['"', '\'']);
        text.chars().filter(|c| !c.is_whitespace()).collect()
    };
    let (given, right) = (plain(given), plain(right));
    match (given.parse::<f64>(), right.parse::<f64>()) {
        (Ok(given), Ok(right)) => given == right,
        _ => given == right || is_boolean(&right) && given.eq_ignore_ascii_case(&right),
    }
}

fn is_boolean(text: &str) -> bool {
    matches!(text.to_lowercase().as_str(), "true" | "false")
}

/// Why the right answer is right, in a few lines.
fn explain(commands: Commands, session: &mut Session, prediction: &Prediction) -> Vec<Part> {
    let question = match &prediction.topic {
        PredictionTopic::Line => return prediction.explanation.iter().cloned().collect(),
        PredictionTopic::Error => return Vec::new(),
        PredictionTopic::Value(None) => prediction.entry.trim().to_string(),
        PredictionTopic::Value(Some(expression)) => expression.clone(),
        PredictionTopic::Cell(cell) => cell.clone(),
        PredictionTopic::Winner => match session.target.progress().status {
            Status::Playing => return why_not_ended(session),
            _ => "win".to_string(),
        },
    };
    let answer = commands.execute(session, &format!(":why {question}"));
    if !answer.ok {
        return Vec::new();
    }
    let explanations = answer.parts.into_iter().filter_map(|part| match part {
        Part::Explanation(explanation) => Some(Part::from(shortened(*explanation))),
        _ => None,
    });
    explanations.collect()
}

fn why_not_ended(session: &Session) -> Vec<Part> {
    let has_win = session.target.language().info().events.contains(&"win");
    let hint = Notice::ExplainedBy {
        command: ":why not win",
    };
    has_win.then_some(hint.into()).into_iter().collect()
}

/// An explanation with its nearest causes.
fn shortened(mut explanation: Explanation) -> Explanation {
    explanation.causes.truncate(MAX_CAUSES);
    explanation
        .causes
        .iter_mut()
        .for_each(|node| shorten_node(node, MAX_CAUSES));
    let omitted = explanation.callers.len().saturating_sub(1);
    explanation.callers.truncate(1);
    explanation.omitted_callers += omitted;
    explanation
}

fn shorten_node(node: &mut ExplanationNode, depth: usize) {
    node.children
        .truncate(if depth == 0 { 0 } else { MAX_CAUSES });
    let children = node.children.iter_mut();
    children.for_each(|child| shorten_node(child, depth - 1));
}
