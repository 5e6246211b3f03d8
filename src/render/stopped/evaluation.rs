//! The evaluation of a statement, step by step: the source with the values known so far, the next
//! subexpression underlined, and its value beside it.

use super::changes::{MAX_CHANGES_SHOWN, change_texts};
use crate::answer::{Evaluation, EvaluationStep, Line, Returned, StatementEffect, Style};
use crate::render::board::clip::{
    MAX_LABEL_CHARS, clip_line, short_circuit_note, substituted_text,
};
use crate::text::{code_on_one_line, elide};

/// The width of the step number before the source.
const STEP_NUMBER_WIDTH: usize = 5;
/// The column where notes start.
const NOTE_COLUMN: usize = 34;
/// Longer branches are elided.
const MAX_BRANCH_CHARS: usize = 60;

/// The lines of an evaluation.
pub(crate) fn evaluation_lines(evaluation: &Evaluation, width: usize) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for step in &evaluation.steps {
        lines.extend(step_lines(step, width));
    }
    if let Some(effect) = &evaluation.effect {
        lines.extend(effect_lines(effect, width));
    }
    if !evaluation.reads.is_empty() {
        let reads = evaluation.reads.iter();
        let reads: Vec<String> = reads
            .map(|v| format!("{} is {}", v.name, v.value))
            .collect();
        lines.push(Line::plain(format!("     where {}", reads.join(", "))));
    }
    if let Some(branch) = &evaluation.branch {
        let text = elide(&code_on_one_line(&branch.text), MAX_BRANCH_CHARS);
        lines.push(Line::plain("     so: ").with(Style::Strong, text));
    }
    lines
}

/// `  mark returned true`
pub(crate) fn returned_line(returned: &Returned) -> Line {
    Line::plain(format!(
        "  {} returned {}",
        returned.function, returned.value
    ))
}

fn step_lines(step: &EvaluationStep, width: usize) -> Vec<Line> {
    let (text, marked) = substituted_text(&step.before);
    let expression: String = text.chars().skip(marked.start).take(marked.len()).collect();
    let (text, start, end) = clip_line(
        &text,
        marked.start,
        marked.end,
        width.saturating_sub(STEP_NUMBER_WIDTH),
    );
    let mut lines = vec![Line::plain(format!("{:>3}  {text}", step.number))];
    let underline = format!(
        "     {}{}",
        " ".repeat(start),
        "^".repeat((end - start).max(1))
    );
    let expression = elide(&expression, MAX_LABEL_CHARS);
    let value = elide(&step.value, MAX_LABEL_CHARS);
    let note = match &step.short_circuit {
        Some(short_circuit) => short_circuit_note(short_circuit, &step.value),
        None => format!("{expression} is {value}"),
    };
    let cell_note = step
        .cell
        .map_or_else(String::new, |(r, c)| format!("   (piece at [{r}][{c}])"));
    // In a narrow terminal, leave out what the underline already shows.
    let candidates = [format!("{note}{cell_note}"), note, format!("is {value}")];
    let fits = candidates
        .iter()
        .map(|s| with_note(&underline, s))
        .find(|line| line.chars().count() <= width);
    match fits {
        Some(line) => lines.push(Line::styled(Style::Current, line)),
        None => lines.extend([
            Line::styled(Style::Current, underline),
            Line::plain(format!("     is {value}")),
        ]),
    }
    lines
}

/// The statement with all values, and what it changed. A single change goes beside it.
fn effect_lines(effect: &StatementEffect, width: usize) -> Vec<Line> {
    let (text, marked) = substituted_text(&effect.substituted);
    let (text, _, _) = clip_line(
        &text,
        marked.start,
        marked.end,
        width.saturating_sub(STEP_NUMBER_WIDTH),
    );
    let line = format!("{:>3}  {text}", effect.number);
    match effect_texts(effect).as_slice() {
        [change] => {
            let combined = with_note(&line, change);
            match combined.chars().count() <= width {
                true => vec![Line::plain(combined)],
                false => vec![Line::plain(line), Line::plain(format!("     {change}"))],
            }
        }
        changes => {
            let mut lines = vec![Line::plain(line)];
            let changes = changes.iter();
            lines.extend(changes.map(|c| Line::plain("     ").with(Style::Changed, c)));
            lines
        }
    }
}

fn effect_texts(effect: &StatementEffect) -> Vec<String> {
    let returned = effect
        .returned
        .iter()
        .map(|r| format!("{} returns {}", r.function, r.value));
    let variables = effect
        .variables
        .iter()
        .map(|v| format!("{}: {} => {}", v.name, v.old, v.new));
    let changes = change_texts(&effect.changes, MAX_CHANGES_SHOWN);
    returned.chain(variables).chain(changes).collect()
}

/// Puts a note next to a line, aligned if there is room.
fn with_note(line: &str, note: &str) -> String {
    let gap = NOTE_COLUMN.saturating_sub(line.chars().count()).max(2);
    format!("{line}{}{note}", " ".repeat(gap))
}
