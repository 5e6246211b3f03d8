//! Renders a call tree: each call with its arguments and result, the equation that applied, the
//! branches taken and the values of subexpressions. Large trees are folded.

use crate::analysis::evaluation::substitute;
use crate::answer::{
    Excerpt, ExplanationNode, ExplanationStep, ExpressionValue, Line, OmittedCalls, Relation, Style,
};
use crate::render::board::clip::substituted_text;
use crate::source::Span;
use crate::text::{code_on_one_line, count_noun, elide, join_rows};

/// Calls beyond this are folded.
const MAX_CALLS_SHOWN: usize = 8;

/// Longer equations are truncated.
const MAX_SOURCE_LINES: usize = 4;

/// Longer arguments are elided. Source excerpts and results may be twice as long.
const MAX_VALUE_CHARS: usize = 28;

/// The width of the tree follows the screen within these limits.
const MIN_TREE_COLUMNS: usize = 40;
const MAX_TREE_COLUMNS: usize = 100;

/// Text gets at least this much, however deeply it is indented.
const MIN_TEXT_COLUMNS: usize = 20;

/// Deeper calls are not indented further.
const MAX_INDENT_LEVELS: usize = 8;

/// A call and its depth; calls in the explained expression have depth 1.
type CallAtDepth<'n> = (usize, &'n ExplanationNode);

/// Collects the lines of a call tree.
pub(super) struct TreeRenderer<'n> {
    /// Locations in this file are shown without its name.
    game_file: Option<&'n str>,
    /// The columns of the screen.
    width: usize,
    /// The equations shown already, with their functions; each is shown once.
    shown: Vec<(&'n str, Span)>,
    lines: Vec<Line>,
}

impl<'n> TreeRenderer<'n> {
    pub fn new(game_file: Option<&'n str>, width: usize) -> TreeRenderer<'n> {
        TreeRenderer {
            game_file,
            width,
            shown: Vec::new(),
            lines: Vec::new(),
        }
    }

    /// The lines rendered so far.
    pub fn into_lines(self) -> Vec<Line> {
        self.lines
    }

    /// Adds a line.
    pub fn push_line(&mut self, line: Line) {
        self.lines.push(line);
    }

    /// Renders the calls in an expression, with all calls below them.
    pub fn push_calls(
        &mut self,
        roots: &'n [ExplanationNode],
        omitted: Option<&'n OmittedCalls>,
        indent: usize,
    ) {
        let calls = flatten(roots);
        let deepest = calls.iter().map(|(depth, _)| *depth).max().unwrap_or(0);
        // Show as many levels as fit.
        let count = |max: usize| calls.iter().filter(|(depth, _)| *depth <= max).count();
        let max_depth = (1..=deepest)
            .rev()
            .find(|depth| count(*depth) <= MAX_CALLS_SHOWN)
            .unwrap_or(1);
        let shown = calls.iter().filter(|(depth, _)| *depth <= max_depth);
        for (depth, call) in shown.take(MAX_CALLS_SHOWN) {
            let sites = sites_at(&calls, depth + 1);
            let levels = (depth - 1).min(MAX_INDENT_LEVELS);
            self.push_call(call, &sites, indent + 2 * levels);
        }
        let folded = calls.len() - count(max_depth).min(MAX_CALLS_SHOWN)
            + omitted.map_or(0, |omitted| omitted.count);
        if folded == 0 {
            return;
        }
        let last = omitted
            .and_then(|omitted| Some((omitted.depth, omitted.deepest.as_ref()?)))
            .or_else(|| {
                let is_deepest =
                    |(depth, _): &&CallAtDepth| *depth == deepest && *depth > max_depth;
                calls.iter().rev().find(is_deepest).copied()
            });
        let indent = indent + 2 * max_depth.min(MAX_INDENT_LEVELS);
        let suffix = if last.is_some() { ", the deepest:" } else { "" };
        let count = count_noun(folded, "more call", "more calls");
        let text = format!("{}… {count}{suffix}", " ".repeat(indent));
        self.lines.push(Line::styled(Style::Dim, text));
        if let Some((depth, call)) = last {
            self.push_call(call, &sites_at(&calls, depth + 1), indent);
        }
    }

    /// Renders a call without the calls it made, whose sites are given.
    fn push_call(&mut self, call: &'n ExplanationNode, sites: &[Span], indent: usize) {
        self.push_call_head(call, indent);
        self.push_equation(call, indent + 4);
        self.push_steps_and_values(call, sites, indent + 4);
    }

    /// `fib(3) is 2   line 8   time 412`
    fn push_call_head(&mut self, call: &'n ExplanationNode, indent: usize) {
        let arguments: Vec<String> = call
            .arguments
            .iter()
            .map(|a| elide(a, MAX_VALUE_CHARS))
            .collect();
        let arguments = if arguments.is_empty() {
            String::new()
        } else {
            format!("({})", arguments.join(", "))
        };
        let location = self
            .new_equation(call)
            .map_or_else(String::new, |equation| {
                format!("   {}", self.short_location(equation))
            });
        let time = call
            .time
            .map_or_else(String::new, |time| format!("   time {time}"));
        let suffix = format!("{location}{time}");
        let name = call.function.as_deref().unwrap_or("");
        let text = match &call.value {
            Some(value) => format!("{name}{arguments} is {}", elide(value, 2 * MAX_VALUE_CHARS)),
            None => format!("{name}{arguments} running"),
        };
        let width = self.available_width(indent + suffix.chars().count());
        self.lines.push(
            Line::plain(" ".repeat(indent))
                .with(Style::Strong, elide(&text, width))
                .with(Style::Dim, suffix),
        );
    }

    /// The equation of a call, unless it has been shown.
    fn new_equation(&self, call: &'n ExplanationNode) -> Option<&'n Excerpt> {
        let equation = call.statement.as_ref()?;
        (!self.shown.contains(&equation_key(call, equation))).then_some(equation)
    }

    /// Renders the equation that applied, unless it has been shown.
    fn push_equation(&mut self, call: &'n ExplanationNode, indent: usize) {
        let Some(equation) = self.new_equation(call) else {
            return;
        };
        self.shown.push(equation_key(call, equation));
        self.push_wrapped_code(equation, "", indent);
        let count = call.equation_count;
        if count > 1 {
            self.lines.push(Line::styled(
                Style::Dim,
                format!("{}one of its {count} equations", " ".repeat(indent)),
            ));
        }
    }

    /// Renders the call of the function that contains an expression, and the branches that led to
    /// the expression.
    pub fn push_frame(&mut self, frame: &'n ExplanationNode, indent: usize) {
        self.push_call_head(frame, indent);
        self.push_equation(frame, indent + 4);
        self.push_steps(frame, indent + 4);
    }

    /// Renders the statement of an expression, unless it is the equation shown last, the values in
    /// the expression, and the calls in it.
    pub fn push_expression(
        &mut self,
        node: &'n ExplanationNode,
        statement_indent: usize,
        values_indent: usize,
        calls_indent: usize,
    ) {
        let is_shown = |s: &&Excerpt| self.shown.last().is_some_and(|(_, span)| *span == s.span);
        if let Some(statement) = node.statement.as_ref().filter(|s| !is_shown(s)) {
            self.push_code(statement, statement_indent);
        }
        self.push_steps_and_values(node, &call_sites(&node.children), values_indent);
        self.push_calls(&node.children, node.omitted_calls.as_deref(), calls_indent);
    }

    /// Renders the expression that was passed for a parameter, and how its value came about.
    pub fn push_argument(&mut self, node: &'n ExplanationNode) {
        let text = node
            .expression
            .as_ref()
            .map_or_else(String::new, |e| code_on_one_line(&e.text));
        let text = elide(&text, 2 * MAX_VALUE_CHARS);
        let is_typed = node.function.is_none();
        self.lines.push(match is_typed {
            true => Line::plain("  typed as ")
                .with(Style::Strong, text)
                .with(Style::Plain, ", in"),
            false => Line::plain(format!("  passed as {text} by")),
        });
        let values_indent = if is_typed { 4 } else { 8 };
        for child in &node.children {
            match child.relation {
                Relation::Frame => self.push_frame(child, 4),
                _ => self.push_expression(child, 4, values_indent, 4),
            }
        }
    }

    /// Renders code with its location.
    fn push_code(&mut self, code: &Excerpt, indent: usize) {
        let location = format!("   {}", self.short_location(code));
        self.push_wrapped_code(code, &location, indent);
    }

    /// Renders code, wrapped to the width instead of at its own line breaks, and a suffix.
    fn push_wrapped_code(&mut self, code: &Excerpt, suffix: &str, indent: usize) {
        let width = self.available_width(indent);
        let code = code_on_one_line(&code.text);
        let words: Vec<&str> = code.split(' ').collect();
        let mut lines = join_rows(&words, " ", ["", "  "], width);
        if lines.len() > MAX_SOURCE_LINES {
            lines.truncate(MAX_SOURCE_LINES);
            let last = lines.pop().unwrap_or_default();
            lines.push(format!("{} …", elide(&last, width - 2)));
        }
        if lines
            .last()
            .is_some_and(|l| l.chars().count() + suffix.chars().count() > width)
        {
            lines.push(String::new());
        }
        let count = lines.len();
        for (n, line) in lines.into_iter().enumerate() {
            let line = Line::plain(format!("{}{}", " ".repeat(indent), elide(&line, width)));
            self.lines.push(if n + 1 == count {
                line.with(Style::Dim, suffix)
            } else {
                line
            });
        }
    }

    /// Renders the branches, bindings, loops and subexpression values of a node, except for the
    /// call sites, whose calls are rendered separately.
    pub fn push_steps_and_values(&mut self, node: &ExplanationNode, sites: &[Span], indent: usize) {
        self.push_steps(node, indent);
        let in_steps = node.steps.iter().filter_map(|step| match step {
            ExplanationStep::Branch { test, .. } => Some(test.span),
            ExplanationStep::Binding { expression, .. } => Some(expression.span),
            ExplanationStep::Loop { .. } => None,
        });
        let shown: Vec<Span> = sites.iter().copied().chain(in_steps).collect();
        let texts: Vec<String> = smallest_values(&node.values, &shown)
            .map(|value| value_text(value, &node.values))
            .collect();
        self.push_joined(&texts, indent);
    }

    fn push_steps(&mut self, node: &ExplanationNode, indent: usize) {
        let width = self.available_width(indent);
        let pad = " ".repeat(indent);
        for step in &node.steps {
            let text = elide(&step_text(step), width);
            self.lines.push(Line::plain(format!("{pad}{text}")));
        }
    }

    /// Renders texts joined with commas, wrapped to the width.
    fn push_joined(&mut self, texts: &[String], indent: usize) {
        let width = self.available_width(indent);
        let pad = " ".repeat(indent);
        let mut rows = join_rows(texts, ", ", [&pad, &pad], indent + width);
        if let Some(last) = rows.last_mut() {
            *last = elide(last, indent + width);
        }
        self.lines.extend(rows.into_iter().map(Line::plain));
    }

    /// A location as short as possible: `line 30` in the game's own file, `entry 5:2` in an entry.
    pub fn short_location(&self, code: &Excerpt) -> String {
        let range = &code.range;
        match self.game_file {
            _ if range.line == 0 => String::new(),
            Some(file) if file == range.file => format!("line {}", range.line),
            _ => format!("{}:{}", range.file, range.line),
        }
    }

    /// Columns left on a line of which some are in use; at least [`MIN_TEXT_COLUMNS`].
    pub fn available_width(&self, used: usize) -> usize {
        self.width
            .clamp(MIN_TREE_COLUMNS, MAX_TREE_COLUMNS)
            .saturating_sub(used)
            .max(MIN_TEXT_COLUMNS)
    }
}

fn equation_key<'n>(call: &'n ExplanationNode, equation: &Excerpt) -> (&'n str, Span) {
    (call.function.as_deref().unwrap_or(""), equation.span)
}

/// All calls of a tree in call order, with their depths.
fn flatten(roots: &[ExplanationNode]) -> Vec<CallAtDepth<'_>> {
    fn collect<'n>(nodes: &'n [ExplanationNode], depth: usize, calls: &mut Vec<CallAtDepth<'n>>) {
        for node in nodes {
            calls.push((depth, node));
            collect(&node.children, depth + 1, calls);
        }
    }
    let mut calls = Vec::new();
    collect(roots, 1, &mut calls);
    calls
}

/// Where calls were made.
pub(super) fn call_sites(calls: &[ExplanationNode]) -> Vec<Span> {
    let sites = calls.iter().filter_map(|call| call.expression.as_ref());
    sites.map(|site| site.span).collect()
}

/// Where the calls of one depth were made.
fn sites_at(calls: &[CallAtDepth<'_>], depth: usize) -> Vec<Span> {
    calls
        .iter()
        .filter(|(d, _)| *d == depth)
        .filter_map(|(_, call)| call.expression.as_ref())
        .map(|site| site.span)
        .collect()
}

fn step_text(step: &ExplanationStep) -> String {
    let short = |code: &Excerpt| elide(&code_on_one_line(&code.text), 2 * MAX_VALUE_CHARS);
    match step {
        ExplanationStep::Branch {
            test,
            value,
            branch,
            ..
        } => format!(
            "{} is {value}, so: {}",
            short(test),
            code_on_one_line(&branch.text)
        ),
        ExplanationStep::Binding { name, value, .. } => {
            format!("{name} is {}", elide(value, 2 * MAX_VALUE_CHARS))
        }
        ExplanationStep::Loop { head, iterations } => {
            let count = count_noun(*iterations, "iteration", "iterations");
            format!("{}: {count}", short(head))
        }
    }
}

/// The smallest subexpressions that are more than a name or literal, and not shown already.
fn smallest_values<'n>(
    values: &'n [ExpressionValue],
    shown: &[Span],
) -> impl Iterator<Item = &'n ExpressionValue> {
    let is_compound = |value: &&ExpressionValue| {
        let mut chars = value.expression.text.chars();
        chars.any(|c| !c.is_alphanumeric() && c != '_' && c != '\'')
    };
    let compound: Vec<&ExpressionValue> = values.iter().filter(is_compound).collect();
    let encloses = |a: Span, b: Span| a != b && a.contains(b);
    let is_smallest = |value: &&ExpressionValue| {
        let span = value.expression.span;
        !shown.iter().any(|s| s.contains(span) || encloses(span, *s))
            && !compound.iter().any(|o| encloses(span, o.expression.span))
    };
    let smallest: Vec<&ExpressionValue> = compound.iter().copied().filter(is_smallest).collect();
    smallest.into_iter()
}

/// An expression with its value and, in parentheses, the values of its parts:
/// `x <= height is False (3 <= 2)`.
pub(super) fn value_text(value: &ExpressionValue, all: &[ExpressionValue]) -> String {
    let Excerpt { text, span, .. } = &value.expression;
    let parts: Vec<(Span, &str)> = all
        .iter()
        .map(|v| (v.expression.span, v.value.as_str()))
        .filter(|(part, _)| span.contains(*part) && part != span)
        .collect();
    let (substituted, _) = substituted_text(&substitute(text, *span, &parts, *span));
    let code = code_on_one_line(text);
    let substituted = if substituted == code || substituted.chars().count() > MAX_VALUE_CHARS {
        String::new()
    } else {
        format!(" ({substituted})")
    };
    format!(
        "{} is {}{substituted}",
        elide(&code, 2 * MAX_VALUE_CHARS),
        elide(&value.value, 2 * MAX_VALUE_CHARS)
    )
}
