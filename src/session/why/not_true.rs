//! Why something is not so: what its condition sees on the board as it is now, how often, and what is missing.

use super::WHY_BUDGET_INSTRUCTIONS;
use super::counterfactual::DesiredOutcome;
use crate::code::{FunctionId, FunctionKind, Instr, StopKind};
use crate::debugger::value_profile::{ExprProfile, ValueProfile};
use crate::diagnostic::closest_match;
use crate::session::{Line, Reply, Session, Style};
use crate::source::Span;
use crate::value::Value;

impl Session {
    /// Why a variable is not true: what its condition saw, how often, and what would have to change.
    pub fn why_not(&mut self, name: &str, reply: &mut Reply) {
        let Some(global) = self.program().global(name) else {
            return reply.error(format!("`{name}` is no variable that could be true"));
        };
        if self.machine.store.globals.get(global as usize) == Some(&Value::TRUE) {
            reply.line(format!("{name} is true; `:why {name}` tells since when"));
            return;
        }
        if let Some(value) = self
            .machine
            .store
            .globals
            .get(global as usize)
            .filter(|v| **v != Value::FALSE)
        {
            let now = self.format_value(*value);
            return reply.error(format!(
                "{name} is {now}, neither true nor false; `:why {name}` tells how it came to that"
            ));
        }
        let writers = self.writers(global);
        let Some(best) = writers.iter().map(|(f, _)| self.rank(*f)).max() else {
            return reply.line(format!("{name} is false, and nothing ever sets it"));
        };
        let mut looked: Vec<FunctionId> = writers
            .iter()
            .map(|(f, _)| *f)
            .filter(|f| self.rank(*f) == best)
            .collect();
        looked.dedup();
        // Conditions are all looked at when the game is; of others one is enough.
        looked.truncate(if best == CONDITION { usize::MAX } else { 1 });
        for function in looked.iter().copied() {
            self.why_not_by(function, name, global, &writers, reply);
        }
        self.tell_other_writers(&writers, &looked, reply);
    }

    /// What one function sees that could make it true.
    fn why_not_by(
        &mut self,
        function: FunctionId,
        name: &str,
        global: u32,
        writers: &[(FunctionId, Span)],
        reply: &mut Reply,
    ) {
        let (census, becomes) = self.with_rollback(|s| {
            let census = s.profile_run(function);
            (
                census,
                s.machine.store.globals.get(global as usize) == Some(&Value::TRUE),
            )
        });
        let title = self.title_of(function);
        reply.line(Line::plain(format!(
            "{name} is false. {title}, run on the board as it is now, sees:"
        )));
        self.tell_writes(writers, function, &census, reply);
        if becomes {
            reply.line(Line::styled(
                Style::Current,
                format!("  run now, it makes {name} true: it has not run since the board is so"),
            ));
            reply.line(Line::styled(
                Style::Dim,
                format!("  `:step {title}` shows how"),
            ));
            return;
        }
        self.report_false_tests(&census, writers, reply);
        self.report_counterfactuals(&census, function, DesiredOutcome::GlobalTrue(global), reply);
        self.tell_strangers(&census, reply);
    }

    /// Whether it is one of the marks of the rules, such as `win`, and not set.
    pub fn is_unset_flag(&self, name: &str) -> bool {
        let Some(global) = self.program().global(name) else {
            return false;
        };
        let flag = self
            .program()
            .globals
            .get(global as usize)
            .is_some_and(|g| !g.is_user_defined);
        flag && self.machine.store.globals.get(global as usize) == Some(&Value::FALSE)
    }

    /// Conditions before handlers, handlers before other functions.
    fn rank(&self, function: FunctionId) -> u8 {
        match self.machine.function(function).map(|f| f.kind) {
            Some(FunctionKind::Condition) => CONDITION,
            Some(FunctionKind::Handler) => 2,
            Some(FunctionKind::Function) => 1,
            _ => 0,
        }
    }

    fn title_of(&self, function: FunctionId) -> String {
        self.machine
            .function(function)
            .map_or_else(String::new, |f| f.name.to_string())
    }

    /// Statements elsewhere that would make it true when they run.
    fn tell_other_writers(
        &self,
        writers: &[(FunctionId, Span)],
        looked: &[FunctionId],
        reply: &mut Reply,
    ) {
        let others = writers
            .iter()
            .filter(|(f, _)| !looked.contains(f) && self.rank(*f) > 0);
        for (function, span) in others {
            let Some(source) = self.sources.get(span.source) else {
                continue;
            };
            let (line, _) = source.line_column(span.start);
            let text = self.sources.slice_single_line(*span);
            let read = self.format_variables_read(*function, *span);
            let why = if read.is_empty() {
                "it has not run".to_string()
            } else {
                read
            };
            reply.line(format!(
                "  line {line}: {text} in {} would make it so; {why}",
                self.title_of(*function)
            ));
        }
    }

    /// The variables that a statement reads, with their values.
    pub(in crate::session) fn format_variables_read(
        &self,
        function: FunctionId,
        span: Span,
    ) -> String {
        let Some(code) = self.machine.function(function) else {
            return String::new();
        };
        let Some(stop) = code
            .stop_points
            .iter()
            .filter(|s| s.span.contains(span))
            .min_by_key(|s| s.span.end - s.span.start)
        else {
            return String::new();
        };
        let end = code
            .stop_points
            .iter()
            .map(|s| s.pc)
            .find(|pc| *pc > stop.pc)
            .unwrap_or(code.code.len() as u32);
        let mut parts: Vec<String> = Vec::new();
        for instr in &code.code[stop.pc as usize..end as usize] {
            let Some(global) = instr.global_read() else {
                continue;
            };
            let Some(variable) = self.program().globals.get(global as usize) else {
                continue;
            };
            // Whether the game is over is what is asked, and no reason.
            if self.is_unset_flag(variable.name.as_str()) {
                continue;
            }
            let value = self
                .machine
                .store
                .globals
                .get(global as usize)
                .map_or_else(String::new, |v| self.format_value(*v));
            let part = format!("{} is {value}", variable.name);
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        parts.join(", ")
    }

    /// The statements that set a variable, outside the rules.
    fn writers(&self, global: u32) -> Vec<(FunctionId, Span)> {
        let mut writers = Vec::new();
        for (n, function) in self.program().functions.iter().enumerate() {
            if matches!(function.kind, FunctionKind::Rules | FunctionKind::Entry) {
                continue;
            }
            for (pc, instr) in function.code.iter().enumerate() {
                if instr.global_written() == Some(global)
                    && let Some(stop) = function.stop_point_before(pc as u32)
                {
                    writers.push((FunctionId(n as u32), stop.span));
                }
            }
        }
        writers
    }

    pub(super) fn profile_run(&mut self, function: FunctionId) -> ValueProfile {
        let started = self.machine.start(function, &[]);
        let mut census = ValueProfile::new(&self.machine, WHY_BUDGET_INSTRUCTIONS);
        if started.is_ok() {
            self.machine.run_observed(&mut census);
        }
        census
    }

    /// `line 26: win {win OR line} ran 3 times; line was false each time`
    fn tell_writes(
        &self,
        writers: &[(FunctionId, Span)],
        function: FunctionId,
        census: &ValueProfile,
        reply: &mut Reply,
    ) {
        for (writer, span) in writers.iter().filter(|(f, _)| *f == function) {
            let Some(source) = self.sources.get(span.source) else {
                continue;
            };
            let (line, _) = source.line_column(span.start);
            let text = self.sources.slice_single_line(*span);
            let ran = self
                .machine
                .function(*writer)
                .and_then(|f| f.stop_points.iter().find(|s| s.span == *span))
                .map_or(0, |s| {
                    census
                        .stop_counts
                        .get(&(writer.0, s.pc))
                        .copied()
                        .unwrap_or(0)
                });
            let itself = |t: &&ExprProfile| t.span == *span;
            if let Some(test) = self
                .leaves(census, Some(*span))
                .filter(|t| t.false_count > 0)
                .find(itself)
            {
                // The statement is the test.
                let read = self.format_variables_read(*writer, *span);
                let often = if test.count == 1 {
                    String::new()
                } else {
                    format!(" {} of {} times", test.false_count, test.count)
                };
                let read = if read.is_empty() {
                    read
                } else {
                    format!(": {read}")
                };
                self.push_wrapped(
                    &format!("  line {line}: {text} was false{often}{read}"),
                    reply,
                );
                continue;
            }
            let mut words = format!("  line {line}: {text} ran {}", times(ran));
            if ran == 0 {
                words.push_str(": it was never reached");
            }
            let parts: Vec<String> = self
                .leaves(census, Some(*span))
                .filter(|t| t.false_count > 0)
                .map(|t| {
                    let often = match (t.true_count, t.count) {
                        (0, 1) => String::new(),
                        (0, _) => " each time".to_string(),
                        _ => format!(" {} of {} times", t.false_count, t.count),
                    };
                    format!(
                        "{} was false{often}",
                        self.sources.slice_single_line(t.span)
                    )
                })
                .collect();
            if !parts.is_empty() {
                words.push_str(&format!("; {}", parts.join(", ")));
            }
            self.push_wrapped(&words, reply);
        }
    }

    /// Tests that hold no smaller test.
    fn leaves<'c>(
        &self,
        census: &'c ValueProfile,
        within: Option<Span>,
    ) -> impl Iterator<Item = &'c ExprProfile> {
        let tests: Vec<&ExprProfile> = census
            .exprs
            .values()
            .filter(|t| t.true_count + t.false_count == t.count && t.count > 0)
            .collect();
        let all = tests.clone();
        tests.into_iter().filter(move |t| {
            within.is_none_or(|w| w.contains(t.span))
                && !all
                    .iter()
                    .any(|o| o.span != t.span && t.span.contains(o.span))
        })
    }

    /// The comparisons that were false, with the values that they saw.
    pub(super) fn report_false_tests(
        &self,
        census: &ValueProfile,
        writers: &[(FunctionId, Span)],
        reply: &mut Reply,
    ) {
        let mut told = 0;
        let told_already = |t: &&ExprProfile| writers.iter().any(|(_, span)| *span == t.span);
        for test in self
            .leaves(census, None)
            .filter(|t| t.false_count > 0 && !told_already(t))
        {
            let text = self.sources.slice_single_line(test.span);
            let read = self.values_of_condition(test);
            // A bare name is told where it is used.
            if text.chars().all(char::is_alphanumeric) && read.is_none() || told == 6 {
                continue;
            }
            told += 1;
            let Some(source) = self.sources.get(test.span.source) else {
                continue;
            };
            let (line, _) = source.line_column(test.span.start);
            let often = if test.count == 1 {
                String::new()
            } else {
                format!(" {} of {} times", test.false_count, test.count)
            };
            let at = self.at_words(&self.cells_of(test.span, census), census.is_full());
            let read = read.map_or_else(String::new, |read| format!(": {read}"));
            let mut words = format!("  line {line}: {text} was false{often}{at}{read}");
            let inner = census
                .exprs
                .values()
                .filter(|t| test.span.contains(t.span) && t.span != test.span);
            // The largest part that has a value says most: `p.name` more than `p`.
            let part = inner
                .filter(|t| t.true_count + t.false_count == 0)
                .max_by_key(|t| t.span.end - t.span.start);
            if let Some(part) = part {
                let mut values: Vec<String> = part
                    .values
                    .iter()
                    .take(4)
                    .map(|(v, n)| format!("{v} {}", times(*n)))
                    .collect();
                let others = part.count - part.values.iter().take(4).map(|(_, n)| n).sum::<usize>();
                if others > 0 {
                    values.push(format!("others {}", times(others)));
                }
                words.push_str(&format!(
                    "; {} was {}",
                    self.sources.slice_single_line(part.span),
                    values.join(", ")
                ));
            }
            self.push_wrapped(&words, reply);
        }
    }

    /// What a test looks at that is a condition by itself and names no value, as `gameoveronzerocounter`.
    fn values_of_condition(&self, test: &ExprProfile) -> Option<String> {
        let function = self.machine.function(test.function)?;
        let is_one = function
            .stop_points
            .iter()
            .any(|s| s.span == test.span && s.kind == StopKind::Condition);
        let read = self.format_variables_read(test.function, test.span);
        (is_one && !read.is_empty()).then_some(read)
    }

    /// A line, broken behind its semicolons and commas where it is too long.
    pub(super) fn push_wrapped(&self, words: &str, reply: &mut Reply) {
        let mut line = String::new();
        for part in words
            .split_inclusive("; ")
            .flat_map(|p| p.split_inclusive(", "))
        {
            let long =
                line.chars().count() + part.trim_end().chars().count() > self.view_settings.width;
            if long && !line.is_empty() {
                reply.line(line.trim_end().to_string());
                line = "      ".into();
            }
            line.push_str(part);
        }
        reply.line(line);
    }

    /// The cells for which a test was false, in order, each once.
    fn cells_of(&self, test: Span, census: &ValueProfile) -> Vec<(u32, u32)> {
        let (mut cells, mut last) = (Vec::new(), None);
        for (_, seeing) in census.samples.iter().filter(|(_, s)| test.contains(s.span)) {
            if seeing.span != test {
                last = seeing.cell.or(last);
            } else if let Some(cell) = last.take().filter(|_| seeing.value == Value::FALSE) {
                cells.push(cell);
            }
        }
        cells.dedup();
        cells
    }

    /// `, at [0][0], [1][0] and 3 more`
    fn at_words(&self, cells: &[(u32, u32)], some: bool) -> String {
        let named: Vec<String> = cells
            .iter()
            .take(3)
            .map(|(r, c)| {
                self.program()
                    .board_info
                    .format_cell((*r).into(), (*c).into())
            })
            .collect();
        match (named.is_empty(), cells.len() - named.len()) {
            (true, _) => String::new(),
            (false, 0) => format!(" at {}", named.join(", ")),
            // Not all of them are remembered.
            (false, _) if some => format!(" at {} and many more", named.join(", ")),
            (false, more) => format!(" at {} and {more} more", named.join(", ")),
        }
    }

    /// Names that are compared with those of pieces, and that no piece has.
    fn tell_strangers(&self, census: &ValueProfile, reply: &mut Reply) {
        let program = self.program();
        let kinds: Vec<&str> = program
            .piece_kinds
            .iter()
            .map(|k| k.name.as_str())
            .collect();
        let mut told: Vec<&str> = Vec::new();
        let functions: std::collections::BTreeSet<u32> =
            census.stop_counts.keys().map(|(f, _)| *f).collect();
        for function in functions
            .iter()
            .filter_map(|f| program.function(FunctionId(*f)))
        {
            for instr in &function.code {
                let k = match instr {
                    Instr::NameIs { k, .. }
                    | Instr::JumpUnlessNameIs { k, .. }
                    | Instr::JumpUnlessCellNameIs { k, .. } => *k,
                    _ => continue,
                };
                let Some(name) = function
                    .constants
                    .get(k as usize)
                    .and_then(|v| v.as_interned())
                    .map(|t| t.as_str())
                else {
                    continue;
                };
                if name.is_empty() || kinds.contains(&name) || told.contains(&name) {
                    continue;
                }
                told.push(name);
                let near = closest_match(name, kinds.iter().copied())
                    .map(|n| format!(" Did you mean \"{n}\"?"))
                    .unwrap_or_default();
                reply.line(Line::styled(
                    Style::Warning,
                    format!("  No piece is named \"{name}\".{near}"),
                ));
            }
        }
    }
}

/// The rank of what decides whether the game ends.
const CONDITION: u8 = 3;

fn times(n: usize) -> String {
    match n {
        1 => "once".into(),
        n => format!("{n} times"),
    }
}
