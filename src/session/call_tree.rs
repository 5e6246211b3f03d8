//! A chain of equations in words: each call with its value, its equation, the branches that it took and the values of
//! its parts; what would be too much is folded.

use super::{FrameInfo, Line, Session, Style};
use crate::code::{FunctionId, FunctionKind, ValueLoc};
use crate::debugger::exec_trace::{Call, ExecTrace, ExprValue, TraceEvent};
use crate::debugger::value_recorder::{Sample, substitute};
use crate::source::Span;
use crate::value::Value;

/// More calls than this are folded.
const MOST_CALLS: usize = 8;

/// An equation of more lines is cut short.
const MOST_LINES: usize = 4;

/// A longer value says nothing more.
const MOST_VALUE: usize = 28;

/// How a chain is retold.
pub(super) struct CallTreeRenderer<'s> {
    pub session: &'s Session,
    /// Whether its times can be gone to.
    pub show_times: bool,
    /// The functions whose equations have been shown already.
    shown: Vec<(FunctionId, Span)>,
    lines: Vec<Line>,
}

impl<'s> CallTreeRenderer<'s> {
    pub fn new(session: &'s Session, timed: bool) -> CallTreeRenderer<'s> {
        CallTreeRenderer {
            session,
            show_times: timed,
            shown: Vec::new(),
            lines: Vec::new(),
        }
    }

    pub fn into_lines(self) -> Vec<Line> {
        self.lines
    }

    /// The calls of a chain that pass the test, which is asked for those made by the first frame; and all below them.
    pub fn push_calls(&mut self, chain: &ExecTrace, indent: usize, wanted: impl Fn(&Call) -> bool) {
        let mut keep = false;
        let below: Vec<&Call> = chain
            .calls
            .iter()
            .skip(1)
            .filter(|call| {
                keep = if call.depth == 1 { wanted(call) } else { keep };
                keep
            })
            .collect();
        let deepest = below.iter().map(|c| c.depth).max().unwrap_or(0);
        let count = |most: usize| below.iter().filter(|c| c.depth <= most).count();
        let level = (1..=deepest)
            .rev()
            .find(|most| count(*most) <= MOST_CALLS)
            .unwrap_or(1);
        let told: Vec<&&Call> = below.iter().filter(|c| c.depth <= level).collect();
        for call in told.iter().take(MOST_CALLS) {
            self.call(call, &below, indent + 2 * (call.depth - 1).min(8));
        }
        let folded =
            below.len() - told.len().min(MOST_CALLS) + if keep { chain.omitted_calls } else { 0 };
        if folded > 0 {
            let pad = " ".repeat(indent + 2 * level.min(8));
            let words = if folded == 1 {
                "1 more call".into()
            } else {
                format!("{folded} more calls")
            };
            let last = chain.deepest_omitted.as_ref().filter(|_| keep);
            let last = last.or_else(|| {
                below
                    .iter()
                    .copied()
                    .rev()
                    .find(|c| c.depth == deepest && c.depth > level)
            });
            let down = if last.is_some() { ", the deepest:" } else { "" };
            self.push_dim(format!("{pad}… {words}{down}"));
            if let Some(last) = last {
                self.call(last, &below, indent + 2 * level.min(8));
            }
        }
    }

    fn call(&mut self, call: &Call, all: &[&Call], indent: usize) {
        let arguments: Vec<String> = call
            .arguments
            .iter()
            .map(|a| elide(a, MOST_VALUE))
            .collect();
        let arguments = if arguments.is_empty() {
            String::new()
        } else {
            format!("({})", arguments.join(", "))
        };
        let shown = self.shown.contains(&(call.function, call.equation))
            || call.equation == Span::default();
        let place = if shown {
            String::new()
        } else {
            format!("   {}", self.session.format_short_location(call.equation))
        };
        let time = if self.show_times {
            format!("{place}   time {}", call.time)
        } else {
            place
        };
        let words = match &call.value {
            Some(value) => format!(
                "{}{arguments} is {}",
                call.title,
                elide(value, 2 * MOST_VALUE)
            ),
            None => format!("{}{arguments} goes on", call.title),
        };
        let room = self.available_width(indent + time.chars().count());
        let line = Line::plain(" ".repeat(indent)).with(Style::Strong, elide(&words, room));
        self.lines.push(line.with(Style::Dim, time));
        self.equation(call, indent + 4);
        let sites: Vec<Span> = all
            .iter()
            .filter(|c| c.depth == call.depth + 1)
            .map(|c| c.call_site)
            .collect();
        self.push_events(call, call.equation, &sites, indent + 4);
    }

    /// The equation, only once for each.
    fn equation(&mut self, call: &Call, indent: usize) {
        if self.shown.contains(&(call.function, call.equation)) || call.equation == Span::default()
        {
            return;
        }
        self.shown.push((call.function, call.equation));
        self.source(call.equation, "", indent);
        let several = self.session.machine.function(call.function).map_or(0, |f| {
            f.value_infos
                .iter()
                .filter(|n| n.loc == ValueLoc::Equation)
                .count()
        });
        if several > 1 {
            self.push_dim(format!(
                "{}one of its {several} equations",
                " ".repeat(indent)
            ));
        }
    }

    /// The statement of a frame that a value came from, what led to it, and what was seen in it.
    pub fn push_origin(&mut self, root: &Call, look: &FrameInfo, part: Span, chain: &ExecTrace) {
        let function = self.session.machine.function(look.function);
        let stops = function
            .iter()
            .flat_map(|f| f.stop_points.iter())
            .filter(|s| s.span.contains(part));
        let statement = stops
            .min_by_key(|s| s.span.end - s.span.start)
            .map(|s| s.span);
        if look.role == FunctionKind::Function {
            self.frame(root, 2);
            self.reached(root, part, 6);
        }
        if let Some(statement) =
            statement.filter(|s| look.role != FunctionKind::Function || *s != root.equation)
        {
            self.push_source(statement, 2);
        }
        self.inside(root, part, chain, 6);
    }

    /// Which part of the caller's text a parameter was given as.
    pub fn push_argument(
        &mut self,
        root: &Call,
        caller: &FrameInfo,
        part: Span,
        whole: bool,
        chain: &ExecTrace,
    ) {
        let text = elide(&self.session.one_line(part), 2 * MOST_VALUE);
        if caller.role == FunctionKind::Entry {
            self.lines.push(
                Line::plain("  typed as ")
                    .with(Style::Strong, text)
                    .with(Style::Plain, ", in"),
            );
            self.push_source(caller.span, 4);
        } else {
            self.lines
                .push(Line::plain(format!("  given as {text} by")));
            self.frame(root, 4);
            self.reached(root, part, 8);
        }
        if whole {
            self.inside(
                root,
                part,
                chain,
                if caller.role == FunctionKind::Entry {
                    4
                } else {
                    8
                },
            );
        }
    }

    /// A frame that goes on: its arguments, its equation, its time.
    fn frame(&mut self, root: &Call, indent: usize) {
        let going = Call {
            events: Vec::new(),
            values: Vec::new(),
            ..root.clone()
        };
        self.call(&going, &[], indent);
    }

    /// The branches that led to a part.
    fn reached(&mut self, root: &Call, part: Span, indent: usize) {
        let led = |f: &&TraceEvent| matches!(f, TraceEvent::Branch { branch, .. } if branch.contains(part));
        let facts = root.events.iter().filter(led).cloned().collect();
        self.push_events(
            &Call {
                events: facts,
                values: Vec::new(),
                ..root.clone()
            },
            root.equation,
            &[],
            indent,
        );
    }

    /// What was seen in a part of a frame's text.
    fn inside(&mut self, root: &Call, part: Span, chain: &ExecTrace, indent: usize) {
        let own = |f: &&TraceEvent| !matches!(f, TraceEvent::Bind { expr: p, .. } if *p == part);
        let facts = root.events.iter().filter(own).cloned().collect();
        let sites: Vec<Span> = chain
            .calls
            .iter()
            .filter(|c| c.depth == 1)
            .map(|c| c.call_site)
            .collect();
        self.push_events(
            &Call {
                events: facts,
                ..root.clone()
            },
            part,
            &sites,
            indent,
        );
    }

    /// A part of a source, and where it stands.
    pub fn push_source(&mut self, span: Span, indent: usize) {
        let place = format!("   {}", self.session.format_short_location(span));
        self.source(span, &place, indent);
    }

    /// A part of a source without its own line breaks, in a few lines, with something behind it.
    fn source(&mut self, span: Span, behind: &str, indent: usize) {
        let room = self.available_width(indent);
        let mut lines = vec![String::new()];
        for word in self.session.one_line(span).split(' ') {
            let last = lines
                .last_mut()
                .filter(|l| l.is_empty() || l.chars().count() + 1 + word.chars().count() <= room);
            match last {
                Some(line) if line.is_empty() => line.push_str(word),
                Some(line) => line.push_str(&format!(" {word}")),
                None => lines.push(format!("  {word}")),
            }
        }
        if lines.len() > MOST_LINES {
            lines.truncate(MOST_LINES);
            let last = lines.pop().unwrap_or_default();
            lines.push(format!("{} …", elide(&last, room - 2)));
        }
        if lines
            .last()
            .is_some_and(|l| l.chars().count() + behind.chars().count() > room)
        {
            lines.push(String::new());
        }
        let count = lines.len();
        for (n, line) in lines.into_iter().enumerate() {
            let line = Line::plain(format!("{}{}", " ".repeat(indent), elide(&line, room)));
            self.lines.push(if n + 1 == count {
                line.with(Style::Dim, behind)
            } else {
                line
            });
        }
    }

    /// Branches, lets, rounds and the values of parts inside of a span; calls are told by themselves.
    pub fn push_events(&mut self, call: &Call, within: Span, sites: &[Span], indent: usize) {
        let pad = " ".repeat(indent);
        let mut told: Vec<Span> = Vec::new();
        for fact in &call.events {
            let words = match fact {
                TraceEvent::Branch {
                    test,
                    outcome: is,
                    branch,
                } if within.contains(*branch) => {
                    told.push(*test);
                    let is = self.session.format_value(Value::bool(*is));
                    let (test, branch) =
                        (self.session.one_line(*test), self.session.one_line(*branch));
                    format!("{} is {is}, so: {branch}", elide(&test, 2 * MOST_VALUE))
                }
                TraceEvent::Bind {
                    name: Some(name),
                    expr: part,
                    value,
                    ..
                } if within.contains(*part) => {
                    told.push(*part);
                    format!("{name} is {}", elide(value, 2 * MOST_VALUE))
                }
                TraceEvent::Loop { head, count } if within.contains(*head) => {
                    let times = if *count == 1 {
                        "1 round".to_string()
                    } else {
                        format!("{count} rounds")
                    };
                    format!(
                        "{}: {times}",
                        elide(&self.session.one_line(*head), 2 * MOST_VALUE)
                    )
                }
                _ => continue,
            };
            let room = self.available_width(indent);
            self.lines
                .push(Line::plain(format!("{pad}{}", elide(&words, room))));
        }
        self.parts(call, within, &[sites, &told].concat(), indent);
    }

    /// The smallest parts that say something, with their values.
    fn parts(&mut self, call: &Call, within: Span, told: &[Span], indent: usize) {
        let says = |p: &&ExprValue| {
            let text = self.session.sources.slice(p.span);
            within.contains(p.span)
                && text
                    .chars()
                    .any(|c| !c.is_alphanumeric() && c != '_' && c != '\'')
        };
        let parts: Vec<&ExprValue> = call.values.iter().filter(says).collect();
        let holds = |a: Span, b: Span| a != b && a.contains(b);
        let small = |p: &&&ExprValue| {
            !told.iter().any(|t| t.contains(p.span))
                && !parts.iter().any(|o| holds(p.span, o.span))
                && !told.iter().any(|t| holds(p.span, *t))
        };
        let words: Vec<String> = parts
            .iter()
            .filter(small)
            .map(|p| self.format_part(call, p))
            .collect();
        self.wrapped(&words, indent);
    }

    /// `x <= height is False (3 <= 2)`
    pub fn format_part(&self, call: &Call, part: &ExprValue) -> String {
        let text = self.session.one_line(part.span);
        let names = call
            .values
            .iter()
            .filter(|p| part.span.contains(p.span) && p.span != part.span);
        let known: Vec<Sample> = names
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
        let known: Vec<&Sample> = known.iter().collect();
        let (filled, _, _) = substitute(
            self.session.sources.slice(part.span),
            part.span,
            &known,
            part.span,
        );
        let filled = if filled == text || filled.chars().count() > MOST_VALUE {
            String::new()
        } else {
            format!(" ({filled})")
        };
        format!(
            "{} is {}{filled}",
            elide(&text, 2 * MOST_VALUE),
            elide(&part.text, 2 * MOST_VALUE)
        )
    }

    fn wrapped(&mut self, words: &[String], indent: usize) {
        let room = self.available_width(indent);
        let mut line = String::new();
        for word in words {
            if !line.is_empty() && line.chars().count() + 2 + word.chars().count() > room {
                self.lines
                    .push(Line::plain(format!("{}{line}", " ".repeat(indent))));
                line.clear();
            }
            let gap = if line.is_empty() { "" } else { ", " };
            line = format!("{line}{gap}{word}");
        }
        if !line.is_empty() {
            self.lines.push(Line::plain(format!(
                "{}{}",
                " ".repeat(indent),
                elide(&line, room)
            )));
        }
    }

    pub fn push_dim(&mut self, words: impl Into<String>) {
        self.lines.push(Line::styled(Style::Dim, words));
    }

    pub fn push_line(&mut self, line: Line) {
        self.lines.push(line);
    }

    pub fn available_width(&self, taken: usize) -> usize {
        self.session
            .view_settings
            .width
            .clamp(40, 100)
            .saturating_sub(taken)
            .max(20)
    }
}

impl Session {
    /// A part of a source in one line.
    pub(super) fn one_line(&self, span: Span) -> String {
        let text = self.sources.slice(span);
        let code: Vec<&str> = text
            .lines()
            .map(|line| line.split(" --").next().unwrap_or(""))
            .collect();
        code.join(" ")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// `line 30` of the game's own file, `entry 5:2` of what was typed.
    pub(super) fn format_short_location(&self, span: Span) -> String {
        let Some(source) = self.sources.get(span.source) else {
            return String::new();
        };
        let (line, _) = source.line_column(span.start);
        match self.file.as_deref() == Some(source.origin.to_string().as_str()) {
            true => format!("line {line}"),
            false => format!("{}:{line}", source.origin),
        }
    }
}

/// So many columns of what was typed tell which entry it was, beside a word or two.
const IN_A_LINE: usize = 60;

/// The first line of a text, as far as it fits, and whether there are more.
pub fn first_line(text: &str) -> String {
    match text.trim_end().split_once('\n') {
        Some((first, _)) => format!("{} …", elide(first.trim_end(), IN_A_LINE)),
        None => elide(text.trim_end(), IN_A_LINE),
    }
}

/// A text cut to so many columns.
pub fn elide(text: &str, most: usize) -> String {
    match text.chars().count() <= most {
        true => text.to_string(),
        false => text
            .chars()
            .take(most.saturating_sub(1))
            .chain(['…'])
            .collect(),
    }
}
