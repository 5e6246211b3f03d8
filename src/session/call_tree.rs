//! Renders a call tree for `:why`: each call with its arguments and result, the equation that
//! applied, the branches taken and the values of subexpressions. Large trees are folded.

use super::{FrameInfo, Line, Session, Style};
use crate::code::{FunctionId, FunctionKind, ValueLoc};
use crate::debugger::exec_trace::{Call, ExecTrace, ExprValue, TraceEvent};
use crate::debugger::value_recorder::{Sample, substitute};
use crate::source::Span;
use crate::text::{count_noun, elide};
use crate::value::Value;

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

/// Collects the lines of a call tree.
pub(super) struct CallTreeRenderer<'s> {
    pub session: &'s Session,
    /// Whether to show the time of each call, for `:goto`.
    pub show_times: bool,
    /// The equations shown already; each is shown once.
    shown: Vec<(FunctionId, Span)>,
    lines: Vec<Line>,
}

impl<'s> CallTreeRenderer<'s> {
    pub fn new(session: &'s Session, show_times: bool) -> CallTreeRenderer<'s> {
        CallTreeRenderer {
            session,
            show_times,
            shown: Vec::new(),
            lines: Vec::new(),
        }
    }

    /// The lines rendered so far.
    pub fn into_lines(self) -> Vec<Line> {
        self.lines
    }

    /// Renders the calls made by the root frame that pass the filter, with all calls below them.
    pub fn push_calls(&mut self, trace: &ExecTrace, indent: usize, filter: impl Fn(&Call) -> bool) {
        let mut keep = false;
        let calls: Vec<&Call> = trace
            .calls
            .iter()
            .skip(1)
            .filter(|call| {
                keep = if call.depth == 1 { filter(call) } else { keep };
                keep
            })
            .collect();
        let deepest = calls.iter().map(|c| c.depth).max().unwrap_or(0);
        // Show as many levels as fit.
        let count = |depth: usize| calls.iter().filter(|c| c.depth <= depth).count();
        let max_depth = (1..=deepest)
            .rev()
            .find(|depth| count(*depth) <= MAX_CALLS_SHOWN)
            .unwrap_or(1);
        let shown: Vec<&&Call> = calls.iter().filter(|c| c.depth <= max_depth).collect();
        for call in shown.iter().take(MAX_CALLS_SHOWN) {
            self.push_call(
                call,
                &calls,
                indent + 2 * (call.depth - 1).min(MAX_INDENT_LEVELS),
            );
        }
        let folded = calls.len() - shown.len().min(MAX_CALLS_SHOWN)
            + if keep { trace.omitted_calls } else { 0 };
        if folded > 0 {
            let pad = " ".repeat(indent + 2 * max_depth.min(MAX_INDENT_LEVELS));
            let count = count_noun(folded, "more call", "more calls");
            let last = trace.deepest_omitted.as_ref().filter(|_| keep);
            let last = last.or_else(|| {
                calls
                    .iter()
                    .copied()
                    .rev()
                    .find(|c| c.depth == deepest && c.depth > max_depth)
            });
            let suffix = if last.is_some() { ", the deepest:" } else { "" };
            self.push_dim(format!("{pad}… {count}{suffix}"));
            if let Some(last) = last {
                self.push_call(last, &calls, indent + 2 * max_depth.min(MAX_INDENT_LEVELS));
            }
        }
    }

    fn push_call(&mut self, call: &Call, all: &[&Call], indent: usize) {
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
        let is_shown = self.shown.contains(&(call.function, call.equation))
            || call.equation == Span::default();
        let location = if is_shown {
            String::new()
        } else {
            format!("   {}", self.session.target.short_location(call.equation))
        };
        let time = if self.show_times {
            format!("{location}   time {}", call.time)
        } else {
            location
        };
        let text = match &call.value {
            Some(value) => format!(
                "{}{arguments} is {}",
                call.name,
                elide(value, 2 * MAX_VALUE_CHARS)
            ),
            None => format!("{}{arguments} running", call.name),
        };
        let width = self.available_width(indent + time.chars().count());
        let line = Line::plain(" ".repeat(indent)).with(Style::Strong, elide(&text, width));
        self.lines.push(line.with(Style::Dim, time));
        self.push_equation(call, indent + 4);
        let sites: Vec<Span> = all
            .iter()
            .filter(|c| c.depth == call.depth + 1)
            .map(|c| c.call_site)
            .collect();
        self.push_events(call, call.equation, &sites, indent + 4);
    }

    /// Renders the equation that applied, unless it has been shown.
    fn push_equation(&mut self, call: &Call, indent: usize) {
        if self.shown.contains(&(call.function, call.equation)) || call.equation == Span::default()
        {
            return;
        }
        self.shown.push((call.function, call.equation));
        self.push_wrapped_source(call.equation, "", indent);
        let count = self
            .session
            .target
            .machine
            .function(call.function)
            .map_or(0, |f| {
                f.value_infos
                    .iter()
                    .filter(|n| n.loc == ValueLoc::Equation)
                    .count()
            });
        if count > 1 {
            self.push_dim(format!(
                "{}one of its {count} equations",
                " ".repeat(indent)
            ));
        }
    }

    /// Renders the statement of a frame that produced a value, the branches that led to it, and the
    /// values in it.
    pub fn push_origin(&mut self, root: &Call, frame: &FrameInfo, expr: Span, trace: &ExecTrace) {
        let function = self.session.target.machine.function(frame.function);
        let stops = function
            .iter()
            .flat_map(|f| f.stop_points.iter())
            .filter(|s| s.span.contains(expr));
        let statement = stops
            .min_by_key(|s| s.span.end - s.span.start)
            .map(|s| s.span);
        if frame.kind == FunctionKind::Function {
            self.push_frame(root, 2);
            self.push_branches_to(root, expr, 6);
        }
        if let Some(statement) =
            statement.filter(|s| frame.kind != FunctionKind::Function || *s != root.equation)
        {
            self.push_source(statement, 2);
        }
        self.push_values_in(root, expr, trace, 6);
    }

    /// Renders the expression that the caller passed for a parameter, and with `show_values` the
    /// values in it.
    pub fn push_argument(
        &mut self,
        root: &Call,
        caller: &FrameInfo,
        expr: Span,
        show_values: bool,
        trace: &ExecTrace,
    ) {
        let text = elide(
            &self.session.target.code_on_one_line(expr),
            2 * MAX_VALUE_CHARS,
        );
        if caller.kind == FunctionKind::Entry {
            self.lines.push(
                Line::plain("  typed as ")
                    .with(Style::Strong, text)
                    .with(Style::Plain, ", in"),
            );
            self.push_source(caller.span, 4);
        } else {
            self.lines
                .push(Line::plain(format!("  passed as {text} by")));
            self.push_frame(root, 4);
            self.push_branches_to(root, expr, 8);
        }
        if show_values {
            self.push_values_in(
                root,
                expr,
                trace,
                if caller.kind == FunctionKind::Entry {
                    4
                } else {
                    8
                },
            );
        }
    }

    /// Renders a call that has not returned: its arguments, its equation, its time.
    fn push_frame(&mut self, root: &Call, indent: usize) {
        let call = Call {
            events: Vec::new(),
            values: Vec::new(),
            ..root.clone()
        };
        self.push_call(&call, &[], indent);
    }

    /// Renders the branches taken on the way to an expression.
    fn push_branches_to(&mut self, root: &Call, expr: Span, indent: usize) {
        let leads_to_expr = |event: &&TraceEvent| matches!(event, TraceEvent::Branch { branch, .. } if branch.contains(expr));
        let events = root.events.iter().filter(leads_to_expr).cloned().collect();
        self.push_events(
            &Call {
                events,
                values: Vec::new(),
                ..root.clone()
            },
            root.equation,
            &[],
            indent,
        );
    }

    /// Renders the events and values inside an expression.
    fn push_values_in(&mut self, root: &Call, expr: Span, trace: &ExecTrace, indent: usize) {
        let is_inside = |event: &&TraceEvent| !matches!(event, TraceEvent::Bind { expr: bound, .. } if *bound == expr);
        let events = root.events.iter().filter(is_inside).cloned().collect();
        let sites: Vec<Span> = trace
            .calls
            .iter()
            .filter(|c| c.depth == 1)
            .map(|c| c.call_site)
            .collect();
        self.push_events(
            &Call {
                events,
                ..root.clone()
            },
            expr,
            &sites,
            indent,
        );
    }

    /// Renders a source excerpt with its location.
    pub fn push_source(&mut self, span: Span, indent: usize) {
        let location = format!("   {}", self.session.target.short_location(span));
        self.push_wrapped_source(span, &location, indent);
    }

    /// Renders a source excerpt, wrapped to the width instead of at its own line breaks, and a
    /// suffix.
    fn push_wrapped_source(&mut self, span: Span, suffix: &str, indent: usize) {
        let width = self.available_width(indent);
        let mut lines = vec![String::new()];
        for word in self.session.target.code_on_one_line(span).split(' ') {
            let last = lines
                .last_mut()
                .filter(|l| l.is_empty() || l.chars().count() + 1 + word.chars().count() <= width);
            match last {
                Some(line) if line.is_empty() => line.push_str(word),
                Some(line) => line.push_str(&format!(" {word}")),
                None => lines.push(format!("  {word}")),
            }
        }
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

    /// Renders the branches, bindings, loops and subexpression values inside a span, except for the
    /// call sites, whose calls are rendered separately.
    pub fn push_events(&mut self, call: &Call, within: Span, sites: &[Span], indent: usize) {
        let pad = " ".repeat(indent);
        let mut shown: Vec<Span> = Vec::new();
        for event in &call.events {
            let text = match event {
                TraceEvent::Branch {
                    test,
                    outcome,
                    branch,
                } if within.contains(*branch) => {
                    shown.push(*test);
                    let outcome = self.session.target.format_value(Value::bool(*outcome));
                    let (test, branch) = (
                        self.session.target.code_on_one_line(*test),
                        self.session.target.code_on_one_line(*branch),
                    );
                    format!(
                        "{} is {outcome}, so: {branch}",
                        elide(&test, 2 * MAX_VALUE_CHARS)
                    )
                }
                TraceEvent::Bind {
                    name: Some(name),
                    expr,
                    value,
                    ..
                } if within.contains(*expr) => {
                    shown.push(*expr);
                    format!("{name} is {}", elide(value, 2 * MAX_VALUE_CHARS))
                }
                TraceEvent::Loop { head, count } if within.contains(*head) => {
                    let times = count_noun(*count, "iteration", "iterations");
                    format!(
                        "{}: {times}",
                        elide(
                            &self.session.target.code_on_one_line(*head),
                            2 * MAX_VALUE_CHARS
                        )
                    )
                }
                _ => continue,
            };
            let width = self.available_width(indent);
            self.lines
                .push(Line::plain(format!("{pad}{}", elide(&text, width))));
        }
        self.push_values(call, within, &[sites, &shown].concat(), indent);
    }

    /// Renders the smallest subexpressions that are more than a name or literal, with their values.
    fn push_values(&mut self, call: &Call, within: Span, shown: &[Span], indent: usize) {
        let is_compound = |p: &&ExprValue| {
            let text = self.session.target.sources.slice(p.span);
            within.contains(p.span)
                && text
                    .chars()
                    .any(|c| !c.is_alphanumeric() && c != '_' && c != '\'')
        };
        let values: Vec<&ExprValue> = call.values.iter().filter(is_compound).collect();
        let encloses = |a: Span, b: Span| a != b && a.contains(b);
        let is_smallest = |p: &&&ExprValue| {
            !shown.iter().any(|s| s.contains(p.span))
                && !values.iter().any(|o| encloses(p.span, o.span))
                && !shown.iter().any(|s| encloses(p.span, *s))
        };
        let texts: Vec<String> = values
            .iter()
            .filter(is_smallest)
            .map(|p| self.format_part(call, p))
            .collect();
        self.push_joined(&texts, indent);
    }

    /// An expression with its value and, in parentheses, the values of its parts:
    /// `x <= height is False (3 <= 2)`.
    pub fn format_part(&self, call: &Call, expr: &ExprValue) -> String {
        let text = self.session.target.code_on_one_line(expr.span);
        let inner = call
            .values
            .iter()
            .filter(|p| expr.span.contains(p.span) && p.span != expr.span);
        let samples: Vec<Sample> = inner
            .map(|p| Sample {
                span: p.span,
                value: p.value,
                text: p.text.clone(),
                cell: None,
                time: 0,
                is_short_circuited: false,
                is_block_result: false,
            })
            .collect();
        let samples: Vec<&Sample> = samples.iter().collect();
        let (substituted, _, _) = substitute(
            self.session.target.sources.slice(expr.span),
            expr.span,
            &samples,
            expr.span,
        );
        let substituted = if substituted == text || substituted.chars().count() > MAX_VALUE_CHARS {
            String::new()
        } else {
            format!(" ({substituted})")
        };
        format!(
            "{} is {}{substituted}",
            elide(&text, 2 * MAX_VALUE_CHARS),
            elide(&expr.text, 2 * MAX_VALUE_CHARS)
        )
    }

    /// Renders texts joined with commas, wrapped to the width.
    fn push_joined(&mut self, texts: &[String], indent: usize) {
        let width = self.available_width(indent);
        let mut line = String::new();
        for text in texts {
            if !line.is_empty() && line.chars().count() + 2 + text.chars().count() > width {
                self.lines
                    .push(Line::plain(format!("{}{line}", " ".repeat(indent))));
                line.clear();
            }
            let separator = if line.is_empty() { "" } else { ", " };
            line = format!("{line}{separator}{text}");
        }
        if !line.is_empty() {
            self.lines.push(Line::plain(format!(
                "{}{}",
                " ".repeat(indent),
                elide(&line, width)
            )));
        }
    }

    /// Adds a line in the dim style.
    pub fn push_dim(&mut self, text: impl Into<String>) {
        self.lines.push(Line::styled(Style::Dim, text));
    }

    /// Adds a line.
    pub fn push_line(&mut self, line: Line) {
        self.lines.push(line);
    }

    /// Columns left on a line of which some are in use; at least [`MIN_TEXT_COLUMNS`].
    pub fn available_width(&self, used: usize) -> usize {
        self.session
            .view_settings
            .width
            .clamp(MIN_TREE_COLUMNS, MAX_TREE_COLUMNS)
            .saturating_sub(used)
            .max(MIN_TEXT_COLUMNS)
    }
}
