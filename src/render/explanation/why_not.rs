//! The text of `:why not`.
//!
//! ```text
//! call    the text of why a function or handler did not run
//! click   the text of why a click does nothing
//! search  the text of a search for changes that would make something true
//! ```

mod call;
mod click;
mod search;

use crate::answer::{
    ConditionResult, ConditionRun, Details, FalseCells, FalseFlag, FlagResult, FlagWrite,
    FlagWriter, Line, NamedValue, OperandValues, RunEnd, RunError, SourceRange, Style, TestCount,
    TestRun, TestSummary, UnexecutedWrite, UnknownPiece, ValueCount, WhyNot, WriteExecution,
};
use crate::text::join_rows;
use call::call_lines;
use click::click_lines;
pub(crate) use search::search_lines;

/// Assignments and tests beyond this are folded: `:why not win all` shows them.
const MAX_DETAILS_SHOWN: usize = 2;
/// The most frequent values of an expression; the rest is shown as `others`.
const MAX_VALUES_SHOWN: usize = 4;
/// Cells beyond this are only counted.
const MAX_CELLS_SHOWN: usize = 3;
/// Solutions beyond this are only counted.
const MAX_SOLUTIONS_SHOWN: usize = 3;

/// The lines of an answer to `:why not`.
pub(crate) fn why_not_lines(why_not: &WhyNot, width: usize) -> Vec<Line> {
    match why_not {
        WhyNot::TrueFlag { name } => {
            vec![format!("{name} is true; `:why {name}` shows since when").into()]
        }
        WhyNot::FalseFlag(flag) => flag_lines(flag, width),
        WhyNot::GameEnd {
            language,
            conditions,
            details,
        } => game_end_lines(language, conditions, *details, width),
        WhyNot::Call(call) => call_lines(call, width),
        WhyNot::Click { cell, effect } => click_lines(cell, effect, width),
    }
}

fn flag_lines(flag: &FalseFlag, width: usize) -> Vec<Line> {
    let name = &flag.name;
    if flag.is_never_set() {
        return vec![format!("{name} is false, and nothing ever sets it").into()];
    }
    let mut lines = action_lines(name, &flag.actions, width);
    if flag.writers.is_empty() {
        lines.push(format!("{name} is false").into());
    }
    let writers = flag.writers.iter();
    lines.extend(writers.flat_map(|writer| writer_lines(name, writer, flag.details, width)));
    lines.extend(flag.other_writes.iter().map(unexecuted_write_line));
    lines
}

/// `right makes win true; so does left`
fn action_lines(name: &str, actions: &[String], width: usize) -> Vec<Line> {
    let Some((first, others)) = actions.split_first() else {
        return Vec::new();
    };
    let mut text = format!("`{first}` would make {name} true");
    let shown = others.iter().take(MAX_SOLUTIONS_SHOWN - 1);
    shown.for_each(|other| text.push_str(&format!("; `{other}`, too")));
    match others.len().saturating_sub(MAX_SOLUTIONS_SHOWN - 1) {
        0 => {}
        n => text.push_str(&format!("; and {n} more")),
    }
    wrap(&text, width)
}

fn writer_lines(name: &str, writer: &FlagWriter, details: Details, width: usize) -> Vec<Line> {
    let function = &writer.function;
    let how = match &writer.entry {
        Some(entry) => format!("run by `{entry}`"),
        None => "run on the current board".to_string(),
    };
    let assigned = writer.assigned.as_ref();
    let assigned = assigned.map_or_else(String::new, |v| {
        format!(" as if {} were {}", v.name, v.value)
    });
    let mut lines = vec![format!("{name} is false. {function}, {how}{assigned}:").into()];
    let writes: Vec<String> = writer.writes.iter().map(write_text).collect();
    match &writer.result {
        FlagResult::BecomesTrue => {
            lines.extend(writes.iter().flat_map(|write| wrap(write, width)));
            let text = match &writer.entry {
                Some(_) => format!("  That would make {name} true"),
                None => format!(
                    "  If checked now, {name} would be true. It has not been checked since the board changed."
                ),
            };
            lines.push(Line::styled(Style::Current, text));
            if writer.entry.is_none() {
                lines.push(dim(format!("  `:step {function}` shows how")));
            }
        }
        FlagResult::StaysFalse {
            end,
            tests,
            search,
            unknown_pieces,
        } => {
            match end {
                RunEnd::Finished => {}
                RunEnd::Failed(error) => lines.push(run_error_line(error)),
                RunEnd::Unfinished => lines.push("  It asks for input, or takes too long".into()),
            }
            lines.extend(unknown_pieces.iter().map(unknown_piece_line));
            lines.extend(search_lines(search.as_ref(), width));
            let all = format!(":why not {name} all");
            lines.extend(detail_lines(
                &[writes, test_texts(tests)],
                details,
                &all,
                width,
            ));
        }
    }
    lines
}

/// `  line 26: win {win OR line} ran 3 times; line was false each time`
fn write_text(write: &FlagWrite) -> String {
    let (line, statement) = (write.range.line, &write.statement);
    match &write.execution {
        WriteExecution::WasFalse { count, variables } => format!(
            "  line {line}: {statement} was false{}{}",
            fraction_text(*count),
            variables_suffix(variables)
        ),
        WriteExecution::Ran { count, false_tests } => {
            let mut text = format!("  line {line}: {statement} ran {}", times(*count));
            if *count == 0 {
                text.push_str(": it was never reached");
            }
            let tests: Vec<String> = false_tests.iter().map(summary_text).collect();
            if !tests.is_empty() {
                text.push_str(&format!("; {}", tests.join(", ")));
            }
            text
        }
    }
}

/// `line was false each time`
fn summary_text(test: &TestSummary) -> String {
    let is_always_false = test.count.false_count == test.count.count;
    let count = if is_always_false && test.count.count > 1 {
        " each time".to_string()
    } else {
        fraction_text(test.count)
    };
    format!("{} was false{count}", test.text)
}

/// ` 2 of 3 times`; empty if it was evaluated once.
fn fraction_text(count: TestCount) -> String {
    match count.count {
        1 => String::new(),
        n => format!(" {} of {n} times", count.false_count),
    }
}

/// `  line 8: win in onClick would make it true; turn is 3`
fn unexecuted_write_line(write: &UnexecutedWrite) -> Line {
    let reason = if write.variables.is_empty() {
        "it has not run".to_string()
    } else {
        variables_text(&write.variables)
    };
    let (line, statement, function) = (write.range.line, &write.statement, &write.function);
    format!("  line {line}: {statement} in {function} would make it true; {reason}").into()
}

/// `x is 1, y is 2`
fn variables_text(variables: &[NamedValue]) -> String {
    let texts: Vec<String> = variables
        .iter()
        .map(|v| format!("{} is {}", v.name, v.value))
        .collect();
    texts.join(", ")
}

/// `: x is 1, y is 2`; empty if there are none.
fn variables_suffix(variables: &[NamedValue]) -> String {
    match variables {
        [] => String::new(),
        _ => format!(": {}", variables_text(variables)),
    }
}

fn was_false(test: &TestRun) -> bool {
    test.count.false_count > 0
}

/// The tests that were false.
fn test_texts(tests: &[TestRun]) -> Vec<String> {
    let tests = tests.iter().filter(|test| was_false(test));
    tests.map(test_text).collect()
}

/// The first details of each kind, and the command that shows all.
fn detail_lines(kinds: &[Vec<String>], details: Details, all: &str, width: usize) -> Vec<Line> {
    let max = match details {
        Details::First => MAX_DETAILS_SHOWN,
        Details::All => usize::MAX,
    };
    let shown = kinds.iter().flat_map(|kind| kind.iter().take(max));
    let mut lines: Vec<Line> = shown.flat_map(|text| wrap(text, width)).collect();
    let folded: usize = kinds
        .iter()
        .map(|kind| kind.len().saturating_sub(max))
        .sum();
    if folded > 0 {
        lines.push(dim(format!("  {folded} more: `{all}`")));
    }
    lines
}

/// `  line 9: p.name = "X" was false 8 of 9 times at [0][0]; p.name was empty 8 times, X once`
fn test_text(test: &TestRun) -> String {
    format!(
        "  line {}: {} was false{}{}{}{}",
        test.range.line,
        test.text,
        fraction_text(test.count),
        cells_text(&test.cells),
        variables_suffix(&test.variables),
        test.operand.as_ref().map_or_else(String::new, operand_text)
    )
}

/// ` at [0][0], [1][0] and 3 more`
fn cells_text(cells: &FalseCells) -> String {
    let shown = &cells.first[..cells.first.len().min(MAX_CELLS_SHOWN)];
    let listed = shown.join(", ");
    match cells.count - shown.len() {
        _ if shown.is_empty() => String::new(),
        0 => format!(" at {listed}"),
        _ if cells.is_truncated => format!(" at {listed} and many more"),
        more => format!(" at {listed} and {more} more"),
    }
}

/// `; p.name was empty 8 times, others 3 times`
fn operand_text(operand: &OperandValues) -> String {
    let shown = || operand.values.iter().take(MAX_VALUES_SHOWN);
    let value_text = |v: &ValueCount| format!("{} {}", v.value, times(v.count));
    let mut values: Vec<String> = shown().map(value_text).collect();
    let others = operand.count - shown().map(|v| v.count).sum::<usize>();
    if others > 0 {
        values.push(format!("others {}", times(others)));
    }
    format!("; {} was {}", operand.text, values.join(", "))
}

fn unknown_piece_line(piece: &UnknownPiece) -> Line {
    let suggestion = piece.suggestion.as_ref();
    let suggestion = suggestion.map_or_else(String::new, |n| format!("; did you mean \"{n}\"?"));
    let text = format!("  No piece is named \"{}\"{suggestion}", piece.name);
    Line::styled(Style::Warning, text)
}

fn run_error_line(error: &RunError) -> Line {
    let line = error.range.as_ref();
    let line = line.map_or_else(String::new, |range| format!("line {}: ", range.line));
    let text = format!("  {line}it ends in an error: {}", error.message);
    Line::styled(Style::Warning, text)
}

fn condition_lines(condition: &ConditionRun, details: Details, width: usize) -> Vec<Line> {
    let name = &condition.name;
    match &condition.result {
        ConditionResult::NotFinished => vec![format!("{name} cannot be run on its own").into()],
        ConditionResult::Failed { error, search } => {
            let mut lines = vec![
                format!("{name}, run on the current board:").into(),
                run_error_line(error),
            ];
            lines.extend(search_lines(search.as_ref(), width));
            lines
        }
        ConditionResult::True => vec![
            format!("{name}, run on the current board:").into(),
            Line::styled(
                Style::Current,
                "  It is true now. It has not been checked since the board changed.",
            ),
            dim(format!("  `:step {name}` shows how")),
        ],
        ConditionResult::Finished { tests, search } => {
            let mut lines = vec![format!("{name}, run on the current board:").into()];
            if !tests.iter().any(was_false) {
                lines.push("  No test was false".into());
            }
            lines.extend(search_lines(search.as_ref(), width));
            let tests = test_texts(tests);
            lines.extend(detail_lines(&[tests], details, ":why not win all", width));
            lines.push(dim(format!("  `:step {name}` steps through it")));
            lines
        }
    }
}

fn game_end_lines(
    language: &str,
    conditions: &[ConditionRun],
    details: Details,
    width: usize,
) -> Vec<Line> {
    if conditions.is_empty() {
        return vec![format!("{language} has no conditions that end a game").into()];
    }
    let mut lines = vec!["The game is not over".into()];
    lines.extend(
        conditions
            .iter()
            .flat_map(|c| condition_lines(c, details, width)),
    );
    lines
}

/// `line 8 of game.gl`
fn location_text(range: Option<&SourceRange>) -> String {
    range.map_or_else(String::new, |r| format!("line {} of {}", r.line, r.file))
}

/// A text as lines, wrapped after semicolons and commas.
fn wrap(text: &str, width: usize) -> Vec<Line> {
    let parts = text
        .split_inclusive("; ")
        .flat_map(|part| part.split_inclusive(", "));
    let parts: Vec<&str> = parts.map(str::trim_end).collect();
    let rows = join_rows(&parts, " ", ["", "      "], width);
    rows.into_iter().map(Line::plain).collect()
}

fn dim(text: impl Into<String>) -> Line {
    Line::styled(Style::Dim, text)
}

fn times(n: usize) -> String {
    match n {
        1 => "once".into(),
        n => format!("{n} times"),
    }
}
