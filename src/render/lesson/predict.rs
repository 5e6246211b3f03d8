//! The text of questions about what will happen, and of their results.

use crate::answer::{
    Line, PredictionChoice, PredictionQuestion, PredictionResult, PredictionScore, Style, Verdict,
};
use crate::text::elide;

/// The question and its choices, on one line if they fit.
pub(crate) fn question_lines(question: &PredictionQuestion, width: usize) -> Vec<Line> {
    let head = Line::styled(Style::Strong, format!("? {}", question.text))
        .with(Style::Dim, "   (Enter skips)");
    let mut lines = vec![head];
    let choices = &question.choices;
    let has_code = choices.iter().any(|c| c.text.len() > MAX_INLINE_CHARS);
    let in_a_row = choices_in_a_row(choices);
    if !has_code && in_a_row.text().chars().count() < width {
        lines.extend((!choices.is_empty()).then_some(in_a_row));
        return lines;
    }
    let widths = choices.iter().map(|c| c.answer.chars().count());
    let column = widths.max().unwrap_or(0);
    lines.extend(choices.iter().map(|choice| {
        let answer = format!("  {:>column$}", choice.answer);
        let text = elide(&choice.text, width.saturating_sub(column + 5).max(1));
        Line::styled(Style::Strong, answer).with(Style::Plain, format!("  {text}"))
    }));
    lines
}

/// Longer choices, such as lines of code, have a line of their own.
const MAX_INLINE_CHARS: usize = 30;

fn choices_in_a_row(choices: &[PredictionChoice]) -> Line {
    let mut line = Line::default();
    for choice in choices {
        line = line.with(Style::Strong, format!("  {}", choice.answer));
        if !choice.text.is_empty() {
            line = line.with(Style::Plain, format!(" {} ", choice.text));
        }
    }
    line
}

pub(crate) fn result_lines(result: &PredictionResult) -> Vec<Line> {
    let given = result.answer.as_deref().unwrap_or_default();
    let right = result.right_answer.as_deref().unwrap_or_default();
    vec![match result.verdict {
        Verdict::Right => {
            Line::styled(Style::Strong, "Right").with(Style::Plain, format!(": {right}"))
        }
        Verdict::Wrong => Line::styled(Style::Strong, "Wrong")
            .with(Style::Plain, format!(": {right}, not {given}")),
        Verdict::Skipped if right.is_empty() => Line::styled(Style::Dim, "Skipped"),
        Verdict::Skipped => Line::styled(Style::Dim, format!("Skipped; the answer is {right}")),
        Verdict::Undecided => Line::styled(
            Style::Dim,
            "Not decided: the program has stopped before the result",
        ),
    }]
}

pub(crate) fn score_lines(score: &PredictionScore) -> Vec<Line> {
    let PredictionScore {
        is_on,
        right,
        wrong,
        skipped,
    } = score;
    let mode = match is_on {
        true => "`:predict off` ends the questions",
        false => "`:predict on` asks before each step",
    };
    vec![
        Line::plain(format!("{right} right, {wrong} wrong, {skipped} skipped")),
        Line::styled(Style::Dim, mode),
    ]
}
