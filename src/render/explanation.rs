//! The text of an explanation: what caused it, the values that took part, and the callers.
//!
//! ```text
//! why_not  the text of `:why not`
//! call_tree  renders a call tree
//! ```

pub(crate) mod why_not;

mod call_tree;
mod values;

use super::stopped::timeline::known_since_line;
use crate::answer::{
    DecidingTest, Excerpt, Explanation, ExplanationNode, Line, NamedValue, PrintedOutput, Relation,
    Style, Subject,
};
use crate::code::Status;
use crate::text::{code_on_one_line, count_noun, elide};
use call_tree::TreeRenderer;
use why_not::search_lines;

/// Longer values are elided.
const MAX_VALUE_CHARS: usize = 60;
/// Longer values of a local that was passed as an argument are elided.
const MAX_LOCAL_VALUE_CHARS: usize = 50;
/// Of the value of an expression, this much may shorten the expression before it.
const MAX_RESERVED_VALUE_CHARS: usize = 40;
/// Deciding tests beyond this are only counted.
const MAX_TESTS_SHOWN: usize = 6;
/// Only this many outputs are listed: the last ones.
const MAX_OUTPUTS_LISTED: usize = 10;

/// The lines of an explanation.
pub(super) fn explanation_lines(explanation: &Explanation, width: usize) -> Vec<Line> {
    let mut lines = match &explanation.subject {
        Subject::Unchanged { name, since } => return unchanged_lines(name, *since),
        Subject::Expression { expression, value } => {
            return expression_lines(explanation, expression, value.as_deref(), width);
        }
        _ if is_single_call(explanation) => Vec::new(),
        _ => vec![subject_line(explanation)],
    };
    lines.extend(cause_lines(explanation, width));
    lines.extend(explanation.callers.iter().map(caller_line));
    if explanation.omitted_callers > 0 {
        let count = count_noun(explanation.omitted_callers, "more caller", "more callers");
        lines.push(Line::styled(Style::Dim, format!("  … {count}")));
    }
    if let Some(time) = goto_time(explanation) {
        lines.push(Line::styled(
            Style::Dim,
            format!("  `:goto {time}` goes there"),
        ));
    }
    lines
}

fn unchanged_lines(name: &str, since: Option<u64>) -> Vec<Line> {
    match since {
        None => vec![Line::plain(format!(
            "{name} has not changed since the start"
        ))],
        Some(time) => vec![
            Line::plain(format!("{name} has not changed since time {time}")),
            known_since_line(time),
        ],
    }
}

/// The time to go to: when it happened, or when the local was bound that was passed as an argument.
fn goto_time(explanation: &Explanation) -> Option<u64> {
    let mut time = explanation.time;
    let mut nodes = &explanation.causes;
    while let Some(local) = nodes.iter().find(|n| n.relation == Relation::Local) {
        time = time.or(local.time);
        nodes = &local.children;
    }
    time
}

/// What is explained, such as `win: false => true   time 412`.
fn subject_line(explanation: &Explanation) -> Line {
    let line = match &explanation.subject {
        Subject::Change { name, old, new } => Line::plain(match old {
            Some(old) => format!("{name}: {old} => "),
            None => format!("{name} is "),
        })
        .with(Style::Changed, new),
        Subject::Local { name, value } => Line::styled(
            Style::Strong,
            format!("{name} is {}", elide(value, MAX_VALUE_CHARS)),
        ),
        Subject::Output { number, text } => Line::plain(format!("output {number}: {text}")),
        Subject::GameOver { status, winner } => {
            Line::styled(Style::Strong, game_over_text(status, winner.as_deref()))
        }
        Subject::Unchanged { .. } | Subject::Expression { .. } => Line::default(),
    };
    let style = match explanation.subject {
        Subject::Output { .. } => Style::Plain,
        _ => Style::Dim,
    };
    match explanation.time {
        Some(time) => line.with(style, format!("   time {time}")),
        None => line,
    }
}

fn game_over_text(status: &str, winner: Option<&str>) -> String {
    match winner {
        Some(winner) => super::board::have_won(winner),
        None if status == Status::Over.as_str() => "The game is over without a winner".to_string(),
        None => format!("The game is {status}"),
    }
}

/// Whether the value is that of a single call of the same name: then the call alone says it all.
fn is_single_call(explanation: &Explanation) -> bool {
    let Subject::Change { .. } = &explanation.subject else {
        return false;
    };
    let head = subject_line(explanation).text();
    let expressions = explanation
        .causes
        .iter()
        .filter(|node| node.relation == Relation::Expression);
    expressions
        .flat_map(|node| node.children.iter().map(move |call| (node, call)))
        .any(|(node, call)| {
            is_same_code(&call.expression, &node.expression)
                && call
                    .function
                    .as_ref()
                    .is_some_and(|name| head.starts_with(&format!("{name} is ")))
        })
}

fn is_same_code(a: &Option<Excerpt>, b: &Option<Excerpt>) -> bool {
    matches!((a, b), (Some(a), Some(b)) if a.span == b.span)
}

fn cause_lines(explanation: &Explanation, width: usize) -> Vec<Line> {
    let calls_indent = if is_single_call(explanation) { 0 } else { 2 };
    node_lines(&explanation.causes, explanation, calls_indent, width)
}

/// The lines of causes. Frames and expressions share one call tree, in which each equation is shown
/// once.
fn node_lines(
    nodes: &[ExplanationNode],
    explanation: &Explanation,
    calls_indent: usize,
    width: usize,
) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut tree = TreeRenderer::new(explanation.game_file.as_deref(), width);
    for node in nodes {
        match node.relation {
            Relation::Frame => tree.push_frame(node, 2),
            Relation::Expression => tree.push_expression(node, 2, 6, calls_indent),
            Relation::Argument => {
                let mut tree = TreeRenderer::new(explanation.game_file.as_deref(), width);
                tree.push_argument(node);
                lines.extend(tree.into_lines());
            }
            Relation::Local => {
                lines.push(local_line(node));
                lines.extend(node_lines(&node.children, explanation, 2, width));
            }
            Relation::Statement => lines.extend(statement_lines(node, width)),
            Relation::Rules => lines.push(rules_line(node)),
            Relation::RulesCallee | Relation::Enclosing => {
                lines.extend(condition_lines(node, width));
            }
            Relation::Loop => lines.push(loop_line(node)),
            Relation::Caller => lines.push(caller_line(node)),
            Relation::Call => tree.push_calls(std::slice::from_ref(node), None, calls_indent),
        }
    }
    lines.extend(tree.into_lines());
    lines
}

/// The statement that did it, with its values.
fn statement_lines(node: &ExplanationNode, width: usize) -> Vec<Line> {
    let function = node.function.as_deref().unwrap_or("");
    let mut lines = vec![
        Line::plain("  by ")
            .with(Style::Strong, format!("{function}{}", cell_suffix(node)))
            .with(Style::Dim, format!("   {}", location(node))),
    ];
    let values = values::statement_lines(node, width);
    let has_few_values = values.len() <= 2;
    lines.extend(values);
    if has_few_values && !node.variables.is_empty() {
        let read: Vec<String> = node
            .variables
            .iter()
            .map(|v| format!("{} is {}", v.name, v.value))
            .collect();
        lines.push(Line::plain(format!("      where {}", read.join(", "))));
    }
    lines
}

fn rules_line(node: &ExplanationNode) -> Line {
    match &node.statement {
        Some(rule) => Line::plain("  by the built-in rules: ").with(Style::Strong, &rule.text),
        None => Line::plain("  by the built-in rules"),
    }
}

/// A statement that decided whether it happened, with its values.
fn condition_lines(node: &ExplanationNode, width: usize) -> Vec<Line> {
    let line = Line::plain("  because of ");
    let mut lines = vec![match &node.function {
        Some(function) => line
            .with(Style::Strong, function)
            .with(Style::Dim, format!("   {}", location(node))),
        None => line.with(Style::Dim, location(node)),
    }];
    lines.extend(values::statement_lines(node, width));
    lines
}

/// `in iteration 2, p=[0][1]   line 8 of game.gl`
fn loop_line(node: &ExplanationNode) -> Line {
    let iteration = format!("iteration {}", node.iteration.unwrap_or(0));
    let variable = |v: &NamedValue| format!("{}={}", v.name, v.value);
    let parts: Vec<String> = [iteration]
        .into_iter()
        .chain(node.variables.iter().map(variable))
        .collect();
    Line::plain("  in ")
        .with(Style::Strong, parts.join(", "))
        .with(Style::Dim, format!("   {}", location(node)))
}

/// `from zero.onClick at [4][2]   n = n + 1   time 412`
fn caller_line(node: &ExplanationNode) -> Line {
    let name = match &node.function {
        Some(function) => format!("{function}{}", cell_suffix(node)),
        None => "entry".to_string(),
    };
    let text = node.statement.as_ref().map_or("", |s| s.text.as_str());
    let time = node
        .time
        .map_or_else(String::new, |time| format!("   time {time}"));
    Line::plain("  from ")
        .with(Style::Strong, name)
        .with(Style::Dim, format!("   {text}{time}"))
}

/// `it is n, which is 3   time 412`
fn local_line(node: &ExplanationNode) -> Line {
    let line = Line::plain(format!(
        "  it is {}, which is {}",
        node.name.as_deref().unwrap_or(""),
        elide(node.value.as_deref().unwrap_or(""), MAX_LOCAL_VALUE_CHARS)
    ));
    match node.time {
        Some(time) => line.with(Style::Dim, format!("   time {time}")),
        None => line,
    }
}

fn cell_suffix(node: &ExplanationNode) -> String {
    node.cell
        .as_ref()
        .map_or_else(String::new, |cell| format!(" at {cell}"))
}

/// The location of a node's statement, as `line 8 of game.gl`.
fn location(node: &ExplanationNode) -> String {
    node.statement
        .as_ref()
        .filter(|s| s.range.line > 0)
        .map_or_else(String::new, |s| {
            format!("line {} of {}", s.range.line, s.range.file)
        })
}

/// An expression with its value, and how the value was computed.
fn expression_lines(
    explanation: &Explanation,
    expression: &Excerpt,
    value: Option<&str>,
    width: usize,
) -> Vec<Line> {
    let code = code_on_one_line(&expression.text);
    let root = explanation.causes.first();
    let calls = root.map_or(&[][..], |root| root.children.as_slice());
    // If the expression is a single call, the call tree alone says it all.
    let is_single_call = value.is_some()
        && matches!(calls, [call] if call.expression.as_ref().is_some_and(|e| e.span == expression.span));
    let mut tree = TreeRenderer::new(explanation.game_file.as_deref(), width);
    if !is_single_call {
        let value_width = value.map_or(0, |v| v.chars().count());
        let head_width = tree.available_width(value_width.min(MAX_RESERVED_VALUE_CHARS) + 4);
        let head = elide(&code, head_width);
        let text = match value {
            Some(value) => format!("{head} is {}", elide(value, MAX_VALUE_CHARS)),
            None => format!("{head} has no value"),
        };
        tree.push_line(Line::styled(Style::Strong, text));
    }
    if let Some(root) = root {
        if !is_single_call {
            tree.push_steps_and_values(root, &call_tree::call_sites(calls), 2);
        }
        let indent = if is_single_call { 0 } else { 2 };
        tree.push_calls(calls, root.omitted_calls.as_deref(), indent);
    }
    if !calls.is_empty() {
        tree.push_line(Line::styled(
            Style::Dim,
            format!("  `:step {code}` steps through it"),
        ));
    }
    let mut lines = tree.into_lines();
    // Without subexpressions, both lines are the same.
    lines.dedup_by(|a, b| a.text().trim() == b.text().trim());
    lines.extend(deciding_test_lines(explanation, width));
    lines.extend(search_lines(explanation.search.as_ref(), width));
    lines
}

/// The tests of which one would have to be different.
fn deciding_test_lines(explanation: &Explanation, width: usize) -> Vec<Line> {
    let tree = TreeRenderer::new(explanation.game_file.as_deref(), width);
    let mut texts: Vec<String> = Vec::new();
    for DecidingTest {
        function,
        test,
        parts,
    } in &explanation.deciding_tests
    {
        let location = tree.short_location(&test.expression);
        let value = call_tree::value_text(test, parts);
        let text = format!("{value}   in {function}, {location}");
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    if texts.is_empty() {
        return Vec::new();
    }
    let heading = Line::plain("  One of these would have to be different:");
    let tests = texts
        .iter()
        .take(MAX_TESTS_SHOWN)
        .map(|text| Line::plain(format!("    {text}")));
    let rest = match texts.len().saturating_sub(MAX_TESTS_SHOWN) {
        0 => None,
        n => Some(Line::plain(format!("    … {n} more"))),
    };
    [heading].into_iter().chain(tests).chain(rest).collect()
}

/// The last outputs with their numbers.
pub(super) fn output_lines(outputs: &[PrintedOutput], width: usize) -> Vec<Line> {
    let first = outputs.len().saturating_sub(MAX_OUTPUTS_LISTED);
    let (Some(first_listed), Some(last)) = (outputs.get(first), outputs.last()) else {
        return vec![Line::styled(Style::Dim, "Nothing has been printed")];
    };
    let mut lines = Vec::new();
    if first_listed.number > 1 {
        lines.push(Line::styled(
            Style::Dim,
            format!("  … {} more before these", first_listed.number - 1),
        ));
    }
    let width = width.clamp(40, 100) - 30;
    for output in &outputs[first..] {
        let mut texts = output.text.lines();
        let text = texts.next().unwrap_or("");
        let more = if texts.next().is_some() { " …" } else { "" };
        let text = elide(&format!("{text}{more}"), width);
        lines.push(
            Line::plain(format!("  {:>3}  {text}", output.number))
                .with(Style::Dim, format!("   time {}", output.time)),
        );
    }
    lines.push(Line::styled(
        Style::Dim,
        format!("  `:why output {}` explains the last one", last.number),
    ));
    lines
}
