//! The text of exercises: the task, hints, the solution and what the checks found.

use crate::answer::{
    Aspect, CheckFailure, ExerciseHelp, ExerciseReport, ExerciseTask, HelpKind, Line, Style,
};
use crate::render::Width;
use crate::text::{count_noun, elide};

/// Columns between two things that are shown beside each other.
const COLUMN_GAP: usize = 4;

/// The longest line of code in a message.
const MAX_CODE_CHARS: usize = 60;

/// The task, and how to go on.
pub(crate) fn task_lines(task: &ExerciseTask, number: usize, count: usize) -> Vec<Line> {
    let text = task.text.iter();
    let mut lines: Vec<Line> = text.map(|text| Line::plain(format!("  {text}"))).collect();
    let next = match (task.is_solution_shown, task.hint_count - task.hints_given) {
        (true, _) => "; Enter checks it, or continues with the solution",
        (false, 0) => "; Enter checks it, `:lesson solution` shows a solution",
        (false, _) => "; Enter checks it, `:lesson hint` helps",
    };
    let head = format!("  {number}/{count}  Write ");
    lines.push(
        Line::styled(Style::Dim, head)
            .with(Style::Strong, task.name.as_str())
            .with(Style::Dim, next),
    );
    lines
}

/// A hint, or the solution.
pub(crate) fn help_lines(help: &ExerciseHelp) -> Vec<Line> {
    let text = help
        .lines
        .iter()
        .map(|text| Line::plain(format!("  {text}")));
    match help.help {
        HelpKind::Hint { number, count } => {
            let head = Line::styled(Style::Dim, format!("Hint {number} of {count}"));
            std::iter::once(head).chain(text).collect()
        }
        HelpKind::Solution => {
            let head = Line::styled(Style::Dim, "A solution");
            let next = "Type it or your own; Enter alone continues the lesson with this one";
            let next = Line::styled(Style::Dim, next);
            std::iter::once(head).chain(text).chain([next]).collect()
        }
    }
}

/// What the checks found.
pub(crate) fn report_lines(report: &ExerciseReport, width: Width) -> Vec<Line> {
    let Some(failure) = &report.failure else {
        return passed_lines(report);
    };
    let number = report.passed_count + 1;
    let mut head = format!("Not yet: check {number} of {} fails", report.check_count);
    if report.check_count == 1 {
        head = "Not yet: the check fails".into();
    }
    let mut lines = vec![Line::styled(Style::Warning, head)];
    let remarks = failure.remarks.iter();
    lines.extend(remarks.map(|remark| Line::plain(format!("  {remark}"))));
    lines.extend(input_lines(&failure.inputs));
    lines.extend(difference_lines(failure, width));
    let try_out = Line::styled(Style::Strong, "  :lesson try");
    lines.push(match (&failure.question, failure.aspect) {
        (Some(question), _) => try_out
            .with(Style::Dim, " plays this in your game; then ")
            .with(Style::Strong, question.as_str())
            .with(Style::Dim, " explains it"),
        (None, Aspect::EndlessLoop) => {
            try_out.with(Style::Dim, " plays this in your game and stops in the loop")
        }
        (None, _) => try_out
            .with(Style::Dim, " plays this in your game; then ")
            .with(Style::Strong, ":back")
            .with(Style::Dim, " shows how it came about"),
    });
    lines
}

fn passed_lines(report: &ExerciseReport) -> Vec<Line> {
    let checks = match report.check_count {
        1 => "the check passes".to_string(),
        count => format!("all {} pass", count_noun(count, "check", "checks")),
    };
    let head = Line::styled(Style::Changed, format!("Solved: {checks}"));
    let next = match &report.differing_step {
        None => "The lesson continues with your program".to_string(),
        Some(step) => format!(
            "The lesson continues with its own solution, because `{}` shows something else with yours",
            elide(step.lines().next().unwrap_or_default(), MAX_CODE_CHARS)
        ),
    };
    vec![head, Line::styled(Style::Dim, next)]
}

/// What was played, each on its own line.
fn input_lines(inputs: &[String]) -> Vec<Line> {
    let line = |input: &String| {
        let first = input.lines().next().unwrap_or_default();
        let more = if input.contains('\n') { " …" } else { "" };
        Line::plain(format!("    > {}{more}", elide(first, MAX_CODE_CHARS)))
    };
    inputs.iter().map(line).collect()
}

/// The expected and the actual result, beside each other if both have several lines.
fn difference_lines(failure: &CheckFailure, width: Width) -> Vec<Line> {
    let (expected, actual) = (&failure.expected, &failure.actual);
    let one = |label: &str, lines: &[String]| {
        let text = match lines {
            [] => "nothing".to_string(),
            lines => lines.join("\n             "),
        };
        Line::styled(Style::Dim, format!("  {label:<11}")).with(Style::Plain, text)
    };
    if failure.aspect == Aspect::EndlessLoop {
        let text = |text: &str| [text.to_string()];
        return vec![
            one("expected:", &text("it ends")),
            one(
                "your game:",
                &text("it does not end; probably an endless loop"),
            ),
        ];
    }
    if expected.len() <= 1 && actual.len() <= 1 {
        return vec![one("expected:", expected), one("your game:", actual)];
    }
    let chars = |text: &String| text.chars().count();
    let left = expected.iter().map(chars).max().unwrap_or(0).max(9) + COLUMN_GAP;
    let right = actual.iter().map(chars).max().unwrap_or(0).max(9);
    let heads = |text: &str| Line::styled(Style::Dim, format!("  {text}"));
    if left + right + 2 > width.screen {
        let indented = |text: &String| Line::plain(format!("  {text}"));
        let mut lines = vec![heads("expected:")];
        lines.extend(expected.iter().map(indented));
        lines.push(heads("your game:"));
        lines.extend(actual.iter().map(indented));
        return lines;
    }
    let mut lines = vec![heads(&format!("{:<left$}{}", "expected", "your game"))];
    for n in 0..expected.len().max(actual.len()) {
        let cell = |lines: &[String]| lines.get(n).cloned().unwrap_or_default();
        let text = format!("  {:<left$}{}", cell(expected), cell(actual));
        lines.push(Line::plain(text.trim_end().to_string()));
    }
    lines
}
