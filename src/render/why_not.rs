//! The text of `:why not`.

use super::changes::change_texts;
use super::value_columns::value_columns;
use crate::debugger::api::{
    CallSite, ChangeTargetKind, ClickEffect, ConditionResult, ConditionRun, Counterfactual,
    CounterfactualSearch, Excerpt, ExplainedExpression, ExpressionValue, FalseCells, FalseFlag,
    FlagResult, FlagWrite, FlagWriter, FunctionNotRun, FunctionRuns, Guard, HandlerAttempt,
    LastRun, Line, MissingCall, NamedValue, OperandValues, ProposedChange, RunEnd, RunError,
    SourceRange, Style, TestCount, TestRun, TestSummary, UnexecutedWrite, UnknownPiece,
    UntakenBranch, ValueCount, WhyNot, WordCheck, WriteExecution,
};
use crate::source::Span;
use crate::text::count_noun;

/// Tests beyond this are left out.
const MAX_TESTS_SHOWN: usize = 6;
/// The most frequent values of an expression; the rest is shown as `others`.
const MAX_VALUES_SHOWN: usize = 4;
/// Cells beyond this are only counted.
const MAX_CELLS_SHOWN: usize = 3;
/// Solutions beyond this are only counted.
const MAX_SOLUTIONS_SHOWN: usize = 3;
/// Names of changed variables beyond this are only counted.
const MAX_NAMES_SHOWN: usize = 6;
/// Attempts, handlers, call sites and their guards beyond this are left out.
const MAX_CALLS_SHOWN: usize = 3;
/// Skipped clicks beyond this are left out.
const MAX_SKIPPED_SHOWN: usize = 3;
/// Changes beyond this are only counted.
const MAX_CLICK_CHANGES_SHOWN: usize = 4;
/// Branches beyond this are left out.
const MAX_BRANCHES_SHOWN: usize = 6;

/// The lines of an answer to `:why not`.
pub(super) fn why_not_lines(why_not: &WhyNot, width: usize) -> Vec<Line> {
    match why_not {
        WhyNot::TrueFlag { name } => {
            vec![format!("{name} is true; `:why {name}` shows since when").into()]
        }
        WhyNot::FalseFlag(flag) => flag_lines(flag, width),
        WhyNot::GameEnd {
            language,
            conditions,
        } => game_end_lines(language, conditions, width),
        WhyNot::Call(call) => call_lines(call, width),
        WhyNot::Click { cell, effect } => click_lines(cell, effect, width),
    }
}

fn flag_lines(flag: &FalseFlag, width: usize) -> Vec<Line> {
    let name = &flag.name;
    if flag.writers.is_empty() && flag.other_writes.is_empty() {
        return vec![format!("{name} is false, and nothing ever sets it").into()];
    }
    let mut lines = action_lines(name, &flag.actions, width);
    if flag.writers.is_empty() {
        lines.push(format!("{name} is false").into());
    }
    let writers = flag.writers.iter();
    lines.extend(writers.flat_map(|writer| writer_lines(name, writer, width)));
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

fn writer_lines(name: &str, writer: &FlagWriter, width: usize) -> Vec<Line> {
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
    let writes = writer.writes.iter();
    lines.extend(writes.flat_map(|write| wrap(&write_text(write), width)));
    match &writer.result {
        FlagResult::BecomesTrue => {
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
            lines.extend(test_lines(tests, width));
            lines.extend(search_lines(search.as_ref(), width));
            lines.extend(unknown_pieces.iter().map(unknown_piece_line));
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
fn test_lines(tests: &[TestRun], width: usize) -> Vec<Line> {
    tests
        .iter()
        .filter(|test| was_false(test))
        .take(MAX_TESTS_SHOWN)
        .flat_map(|test| wrap(&test_text(test), width))
        .collect()
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

fn search_lines(search: Option<&CounterfactualSearch>, width: usize) -> Vec<Line> {
    let Some(search) = search else {
        return Vec::new();
    };
    let texts: Vec<String> = search
        .solutions
        .iter()
        .take(MAX_SOLUTIONS_SHOWN)
        .map(counterfactual_text)
        .collect();
    if texts.is_empty() {
        return wrap(&nothing_found_text(search), width);
    }
    let mut text = format!("  it would be true if {}", texts.join("; or if "));
    match search.solutions.len() - texts.len() {
        0 => {}
        1 => text.push_str("; and 1 more possibility"),
        n => text.push_str(&format!("; and {n} more possibilities")),
    }
    wrap(&text, width)
}

/// What was tried in vain.
fn nothing_found_text(search: &CounterfactualSearch) -> String {
    let tried: usize = search.tried.iter().map(|class| class.tried).sum();
    let mut places = Vec::new();
    if search.cell_count > 0 {
        places.push(count_noun(search.cell_count, "cell", "cells"));
    }
    let names = &search.names[..search.names.len().min(MAX_NAMES_SHOWN)];
    places.extend(names.iter().cloned());
    match search.names.len() - names.len() {
        0 => {}
        n => places.push(format!("{n} more")),
    }
    let places = match places.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => places.join(""),
    };
    let rest = match search.is_complete {
        true => "",
        false => ", but not all there are",
    };
    let tried = count_noun(tried, "change", "changes");
    format!("  Tried {tried} of {places}{rest}; none makes it true")
}

/// A change as the rest of a sentence that starts with `it would be true if`.
fn counterfactual_text(counterfactual: &Counterfactual) -> String {
    match counterfactual {
        Counterfactual::Together { changes } => together_text(changes),
        Counterfactual::EveryCell {
            current,
            new,
            cells,
        } => {
            let is_visibility = matches!(current.as_str(), "hidden" | "visible");
            let piece = if is_visibility { " piece" } else { "" };
            format!(
                "every {current}{piece} were {new} (there are {})",
                cells.len()
            )
        }
    }
}

/// `[0][1] and [0][2] were X` for several cells, `x were 1 (it is 2), and y were 3 (it is 4)` for
/// anything else.
fn together_text(changes: &[ProposedChange]) -> String {
    let is_cell = |c: &ProposedChange| c.target == ChangeTargetKind::Cell;
    match changes {
        [first @ .., last] if !first.is_empty() && changes.iter().all(is_cell) => {
            let names: Vec<&str> = first.iter().map(|c| c.name.as_str()).collect();
            format!("{} and {} were {}", names.join(", "), last.name, last.new)
        }
        _ => {
            let text =
                |c: &ProposedChange| format!("{} were {} (it is {})", c.name, c.new, c.current);
            let texts: Vec<String> = changes.iter().map(text).collect();
            texts.join(", and ")
        }
    }
}

fn condition_lines(condition: &ConditionRun, width: usize) -> Vec<Line> {
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
            lines.extend(test_lines(tests, width));
            lines.extend(search_lines(search.as_ref(), width));
            lines.push(dim(format!("  `:step {name}` steps through it")));
            lines
        }
    }
}

fn game_end_lines(language: &str, conditions: &[ConditionRun], width: usize) -> Vec<Line> {
    if conditions.is_empty() {
        return vec![format!("{language} has no conditions that end a game").into()];
    }
    let mut lines = vec!["The game is not over".into()];
    lines.extend(conditions.iter().flat_map(|c| condition_lines(c, width)));
    lines
}

fn call_lines(call: &MissingCall, width: usize) -> Vec<Line> {
    if !call.has_action {
        let text = format!("Nothing has run yet that could have called {}", call.name);
        return vec![text.into()];
    }
    let functions = call.functions.iter();
    functions
        .flat_map(|function| match function {
            FunctionRuns::Condition(condition) => condition_lines(condition, width),
            FunctionRuns::Ran {
                name,
                entry,
                count,
                time,
            } => ran_lines(name, entry, *count, *time),
            FunctionRuns::NotRun(function) => not_run_lines(function, width),
        })
        .collect()
}

fn ran_lines(name: &str, entry: &str, count: usize, time: u64) -> Vec<Line> {
    let count = match count {
        1 => String::new(),
        n => format!(" {n} times, last"),
    };
    let entry = entry_text(entry);
    vec![
        format!("{name} did run in {entry},{count} at time {time}").into(),
        dim(format!("  `:goto {time}` goes there")),
    ]
}

fn entry_text(entry: &str) -> String {
    match entry {
        "" => "the start".to_string(),
        _ => format!("`{entry}`"),
    }
}

fn not_run_lines(function: &FunctionNotRun, width: usize) -> Vec<Line> {
    let entry = entry_text(&function.entry);
    let head = format!("{} did not run in {entry}", function.name);
    let mut lines = vec![Line::styled(Style::Strong, head)];
    if function.range.is_some() {
        lines.extend(attempts_lines(function, width));
    }
    if function.attempts.is_empty() {
        for other in function.other_handlers.iter().take(MAX_CALLS_SHOWN) {
            let text = format!(
                "  only the first matching handler runs: that was {}, at time {}",
                other.name, other.time
            );
            lines.push(text.into());
        }
    }
    if function.attempts.is_empty() && function.other_handlers.is_empty() {
        let reason = if function.is_handler {
            "no matching event happened"
        } else {
            "nothing called it"
        };
        lines.push(format!("  {reason}").into());
        let sites = function.call_sites.iter().take(MAX_CALLS_SHOWN);
        lines.extend(sites.flat_map(call_site_lines));
    }
    match function.last_run {
        LastRun::At(time) => lines.push(dim(format!("  it last ran at time {time}"))),
        LastRun::Never => lines.push(dim("  it has never run")),
        LastRun::Unknown => {}
    }
    lines
}

/// The last attempts to run a handler.
fn attempts_lines(function: &FunctionNotRun, width: usize) -> Vec<Line> {
    let more = function.attempts.len().saturating_sub(MAX_CALLS_SHOWN);
    let mut lines: Vec<Line> = function.attempts[more..]
        .iter()
        .flat_map(|attempt| attempt_lines(&function.head, attempt, width))
        .collect();
    if more > 0 {
        let count = count_noun(more, "more time", "more times");
        lines.push(dim(format!("  and {count} before")));
    }
    lines
}

/// The event, and the words of the handler's head with the result of each check below.
fn attempt_lines(head: &str, attempt: &HandlerAttempt, width: usize) -> Vec<Line> {
    let context: Vec<String> = attempt
        .context
        .iter()
        .map(|v| format!("{}={}", v.name, v.value))
        .collect();
    let mut lines = vec![
        Line::plain(format!("  checked with {}", context.join(" ")))
            .with(Style::Dim, format!("   time {}", attempt.time)),
    ];
    let checks: Vec<ExpressionValue> = attempt
        .checks
        .iter()
        .map(|check| check_value(head, check))
        .collect();
    let explained = ExplainedExpression::new(head_excerpt(head, 0, head.len()), &checks);
    let columns = value_columns(&explained, width.saturating_sub(4));
    lines.extend(columns.iter().map(|line| format!("    {line}").into()));
    lines
}

/// A part of a head, by its offsets.
fn head_excerpt(head: &str, start: usize, end: usize) -> Excerpt {
    Excerpt {
        text: head.get(start..end).unwrap_or("").to_string(),
        span: Span {
            start: start as u32,
            end: end as u32,
            ..Span::default()
        },
        ..Excerpt::default()
    }
}

/// The result of a check as a value, to be shown below the word that was checked.
fn check_value(head: &str, check: &WordCheck) -> ExpressionValue {
    let result = match check.is_match {
        None => "",
        Some(true) => ": yes",
        Some(false) => ": no",
    };
    ExpressionValue {
        expression: head_excerpt(head, check.start, check.end),
        value: format!("{}{result}", check.operands.join(", ")),
        is_short_circuited: false,
    }
}

fn call_site_lines(site: &CallSite) -> Vec<Line> {
    let (location, function) = (location_text(site.range.as_ref()), &site.function);
    let mut lines =
        vec![format!("  {location}, in {function}, would call it, but was not reached").into()];
    let guards = site.guards.iter().take(MAX_CALLS_SHOWN);
    lines.extend(guards.map(|Guard { range, text }| {
        let location = location_text(range.as_ref());
        Line::plain(format!("    {location}: {text} was false"))
    }));
    lines
}

/// `line 8 of game.gl`
fn location_text(range: Option<&SourceRange>) -> String {
    range.map_or_else(String::new, |r| format!("line {} of {}", r.line, r.file))
}

fn click_lines(cell: &str, effect: &ClickEffect, width: usize) -> Vec<Line> {
    let text = match effect {
        ClickEffect::NoPiece => {
            format!("There is no piece at {cell}, so nothing handles the click")
        }
        ClickEffect::GameOver { status } => format!(
            "The game is over ({status}), so clicks do nothing; try `:undo` or `:restart`"
        ),
        ClickEffect::AlreadyClicked => {
            "This piece has already handled a click in this action; further clicks on it are skipped"
                .to_string()
        }
        ClickEffect::NoHandler { piece } => {
            format!("The piece \"{piece}\" has no onClick handler")
        }
        ClickEffect::NoChange {
            piece,
            is_empty,
            branches,
            skipped_cells,
        } => {
            let effect = if *is_empty {
                "is empty"
            } else {
                "runs, but changes nothing"
            };
            let mut lines = vec![format!("{piece}.onClick {effect}").into()];
            lines.extend(branches.iter().take(MAX_BRANCHES_SHOWN).map(branch_line));
            let skipped = skipped_cells.iter().take(MAX_SKIPPED_SHOWN);
            lines.extend(skipped.map(|cell| skipped_click_line(cell)));
            return lines;
        }
        ClickEffect::Changes { changes } => {
            let changes = change_texts(changes, MAX_CLICK_CHANGES_SHOWN);
            let text = format!(
                "A click here would change something: {}",
                changes.join(", ")
            );
            return wrap(&text, width);
        }
    };
    vec![text.into()]
}

fn skipped_click_line(cell: &str) -> Line {
    format!("  its click on {cell} is skipped: that piece has already handled one in this action")
        .into()
}

/// `  line 8 of game.gl: x = 1 is false; x is 2: that branch is not taken`
fn branch_line(branch: &UntakenBranch) -> Line {
    let location = location_text(branch.range.as_ref());
    let part = branch.part.as_ref();
    let value = part.map_or_else(String::new, |p| format!("; {} is {}", p.name, p.value));
    let test = &branch.test;
    format!("  {location}: {test} is false{value}: that branch is not taken").into()
}

/// A text as lines, wrapped after semicolons and commas.
fn wrap(text: &str, width: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for part in text
        .split_inclusive("; ")
        .flat_map(|p| p.split_inclusive(", "))
    {
        let is_too_long = line.chars().count() + part.trim_end().chars().count() > width;
        if is_too_long && !line.is_empty() {
            lines.push(line.trim_end().into());
            line = "      ".into();
        }
        line.push_str(part);
    }
    lines.push(line.into());
    lines
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
