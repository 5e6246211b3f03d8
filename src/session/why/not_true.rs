//! Explains why a flag such as `win` is false: runs the condition that sets it on the current
//! board, and reports which tests were false, how often, and which change would make it true.

use super::WHY_BUDGET_INSTRUCTIONS;
use super::counterfactual::DesiredOutcome;
use crate::code::{FunctionId, FunctionKind, Instr, StopKind};
use crate::debugger::value_profile::{ExprProfile, ValueProfile};
use crate::diagnostic::closest_match;
use crate::session::{Answer, Line, Session, Style};
use crate::source::Span;
use crate::value::Value;

/// Tests beyond this are left out.
const MAX_TESTS_SHOWN: usize = 6;
/// The most frequent values of an expression; the rest is shown as `others`.
const MAX_VALUES_SHOWN: usize = 4;
/// Cells beyond this are only counted.
const MAX_CELLS_SHOWN: usize = 3;

impl Session {
    /// Explains why a variable is not true.
    pub fn why_not(&mut self, name: &str, reply: &mut Answer) {
        let Some(global) = self.target.program().global(name) else {
            return reply.error(format!(
                "`{name}` is not a variable that can be true or false"
            ));
        };
        if self.target.machine.store.globals.get(global as usize) == Some(&Value::TRUE) {
            reply.line(format!("{name} is true; `:why {name}` shows since when"));
            return;
        }
        if let Some(value) = self
            .target
            .machine
            .store
            .globals
            .get(global as usize)
            .filter(|v| **v != Value::FALSE)
        {
            let value = self.target.format_value(*value);
            return reply.error(format!(
                "{name} is {value}, not true or false; `:why {name}` shows how it got that value"
            ));
        }
        let writers = self.writers(global);
        let Some(best_rank) = writers.iter().map(|(f, _)| self.rank(*f)).max() else {
            return reply.line(format!("{name} is false, and nothing ever sets it"));
        };
        let mut explained: Vec<FunctionId> = writers
            .iter()
            .map(|(f, _)| *f)
            .filter(|f| self.rank(*f) == best_rank)
            .collect();
        explained.dedup();
        // The game checks all conditions; of other functions, one is enough.
        explained.truncate(if best_rank == CONDITION_RANK {
            usize::MAX
        } else {
            1
        });
        for function in explained.iter().copied() {
            self.explain_writer(function, name, global, &writers, reply);
        }
        self.report_other_writers(&writers, &explained, reply);
    }

    /// Runs a function that could make the variable true, and explains why it does not.
    fn explain_writer(
        &mut self,
        function: FunctionId,
        name: &str,
        global: u32,
        writers: &[(FunctionId, Span)],
        reply: &mut Answer,
    ) {
        let (profile, becomes_true) = self.with_rollback(|s| {
            let profile = s.profile_run(function);
            (
                profile,
                s.target.machine.store.globals.get(global as usize) == Some(&Value::TRUE),
            )
        });
        let function_name = self.function_name(function);
        reply.line(Line::plain(format!(
            "{name} is false. {function_name}, run on the current board:"
        )));
        self.report_writes(writers, function, &profile, reply);
        if becomes_true {
            reply.line(Line::styled(
                Style::Current,
                format!("  If checked now, {name} would be true. It has not been checked since the board changed."),
            ));
            reply.line(Line::styled(
                Style::Dim,
                format!("  `:step {function_name}` shows how"),
            ));
            return;
        }
        self.report_false_tests(&profile, writers, reply);
        self.report_counterfactuals(
            &profile,
            function,
            DesiredOutcome::GlobalTrue(global),
            reply,
        );
        self.report_unknown_names(&profile, reply);
    }

    /// Whether the name is one of the language's flags, such as `win`, and the flag is false.
    pub fn is_unset_flag(&self, name: &str) -> bool {
        self.target.is_unset_flag(name)
    }

    /// How likely a function is to be the one that should set a flag: conditions rank before
    /// handlers, handlers before other functions.
    fn rank(&self, function: FunctionId) -> u8 {
        match self.target.machine.function(function).map(|f| f.kind) {
            Some(FunctionKind::Condition) => CONDITION_RANK,
            Some(FunctionKind::Handler) => 2,
            Some(FunctionKind::Function) => 1,
            _ => 0,
        }
    }

    fn function_name(&self, function: FunctionId) -> String {
        self.target
            .machine
            .function(function)
            .map_or_else(String::new, |f| f.name.to_string())
    }

    /// Shows the statements in other functions that would set the variable.
    fn report_other_writers(
        &self,
        writers: &[(FunctionId, Span)],
        explained: &[FunctionId],
        reply: &mut Answer,
    ) {
        let others = writers
            .iter()
            .filter(|(f, _)| !explained.contains(f) && self.rank(*f) > 0);
        for (function, span) in others {
            let Some(source) = self.target.sources.get(span.source) else {
                continue;
            };
            let (line, _) = source.line_column(span.start);
            let text = self.target.sources.slice_single_line(*span);
            let read = self.format_variables_read(*function, *span);
            let reason = if read.is_empty() {
                "it has not run".to_string()
            } else {
                read
            };
            reply.line(format!(
                "  line {line}: {text} in {} would make it true; {reason}",
                self.function_name(*function)
            ));
        }
    }

    /// The variables that a statement reads, as `x is 1, y is 2`.
    pub(in crate::session) fn format_variables_read(
        &self,
        function: FunctionId,
        span: Span,
    ) -> String {
        let read = self.target.variables_read(function, span);
        let parts: Vec<String> = read
            .iter()
            .map(|v| format!("{} is {}", v.name, v.value))
            .collect();
        parts.join(", ")
    }

    /// The statements of the user's code that assign to a variable.
    fn writers(&self, global: u32) -> Vec<(FunctionId, Span)> {
        let mut writers = Vec::new();
        for (n, function) in self.target.program().functions.iter().enumerate() {
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

    /// Runs a function and returns its value profile. To be called inside `with_rollback`.
    pub(super) fn profile_run(&mut self, function: FunctionId) -> ValueProfile {
        let started = self.target.machine.start(function, &[]);
        let mut profile = ValueProfile::new(&self.target.machine, WHY_BUDGET_INSTRUCTIONS);
        if started.is_ok() {
            self.target.machine.run_observed(&mut profile);
        }
        profile
    }

    /// Shows what the assignments of a function did:
    /// `line 26: win {win OR line} ran 3 times; line was false each time`.
    fn report_writes(
        &self,
        writers: &[(FunctionId, Span)],
        function: FunctionId,
        profile: &ValueProfile,
        reply: &mut Answer,
    ) {
        for (writer, span) in writers.iter().filter(|(f, _)| *f == function) {
            let Some(source) = self.target.sources.get(span.source) else {
                continue;
            };
            let (line, _) = source.line_column(span.start);
            let text = self.target.sources.slice_single_line(*span);
            let run_count = self
                .target
                .machine
                .function(*writer)
                .and_then(|f| f.stop_points.iter().find(|s| s.span == *span))
                .map_or(0, |s| {
                    profile
                        .stop_counts
                        .get(&(writer.0, s.pc))
                        .copied()
                        .unwrap_or(0)
                });
            let is_statement = |t: &&ExprProfile| t.span == *span;
            if let Some(test) = self
                .leaf_tests(profile, Some(*span))
                .filter(|t| t.false_count > 0)
                .find(is_statement)
            {
                // The statement itself is the test.
                let read = self.format_variables_read(*writer, *span);
                let count = if test.count == 1 {
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
                    &format!("  line {line}: {text} was false{count}{read}"),
                    reply,
                );
                continue;
            }
            let mut message = format!("  line {line}: {text} ran {}", times(run_count));
            if run_count == 0 {
                message.push_str(": it was never reached");
            }
            let parts: Vec<String> = self
                .leaf_tests(profile, Some(*span))
                .filter(|t| t.false_count > 0)
                .map(|t| {
                    let count = match (t.true_count, t.count) {
                        (0, 1) => String::new(),
                        (0, _) => " each time".to_string(),
                        _ => format!(" {} of {} times", t.false_count, t.count),
                    };
                    format!(
                        "{} was false{count}",
                        self.target.sources.slice_single_line(t.span)
                    )
                })
                .collect();
            if !parts.is_empty() {
                message.push_str(&format!("; {}", parts.join(", ")));
            }
            self.push_wrapped(&message, reply);
        }
    }

    /// The tests that contain no smaller test.
    fn leaf_tests<'c>(
        &self,
        profile: &'c ValueProfile,
        within: Option<Span>,
    ) -> impl Iterator<Item = &'c ExprProfile> {
        let tests: Vec<&ExprProfile> = profile
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

    /// Shows the tests that were false, with the values that they compared. Tests that are among
    /// the `writers` are left out: `report_writes` shows them.
    pub(super) fn report_false_tests(
        &self,
        profile: &ValueProfile,
        writers: &[(FunctionId, Span)],
        reply: &mut Answer,
    ) {
        let mut shown = 0;
        let is_writer = |t: &&ExprProfile| writers.iter().any(|(_, span)| *span == t.span);
        for test in self
            .leaf_tests(profile, None)
            .filter(|t| t.false_count > 0 && !is_writer(t))
        {
            let text = self.target.sources.slice_single_line(test.span);
            let read = self.values_of_condition(test);
            // A plain name is shown as part of the test that uses it.
            if text.chars().all(char::is_alphanumeric) && read.is_none() || shown == MAX_TESTS_SHOWN
            {
                continue;
            }
            shown += 1;
            let Some(source) = self.target.sources.get(test.span.source) else {
                continue;
            };
            let (line, _) = source.line_column(test.span.start);
            let count = if test.count == 1 {
                String::new()
            } else {
                format!(" {} of {} times", test.false_count, test.count)
            };
            let cells = self.false_cells(test.span, profile);
            let at = self.format_cells(&cells, profile.is_full());
            let read = read.map_or_else(String::new, |read| format!(": {read}"));
            let mut message = format!("  line {line}: {text} was false{count}{at}{read}");
            let inner = profile
                .exprs
                .values()
                .filter(|t| test.span.contains(t.span) && t.span != test.span);
            // The largest part with a value is the most informative: `p.name` rather than `p`.
            let part = inner
                .filter(|t| t.true_count + t.false_count == 0)
                .max_by_key(|t| t.span.end - t.span.start);
            if let Some(part) = part {
                let mut values: Vec<String> = part
                    .values
                    .iter()
                    .take(MAX_VALUES_SHOWN)
                    .map(|(v, n)| format!("{v} {}", times(*n)))
                    .collect();
                let shown_count = part.values.iter().take(MAX_VALUES_SHOWN).map(|(_, n)| n);
                let others = part.count - shown_count.sum::<usize>();
                if others > 0 {
                    values.push(format!("others {}", times(others)));
                }
                message.push_str(&format!(
                    "; {} was {}",
                    self.target.sources.slice_single_line(part.span),
                    values.join(", ")
                ));
            }
            self.push_wrapped(&message, reply);
        }
    }

    /// The variables read by a condition that does not name them, such as `gameoveronzerocounter`.
    fn values_of_condition(&self, test: &ExprProfile) -> Option<String> {
        let function = self.target.machine.function(test.function)?;
        let is_condition = function
            .stop_points
            .iter()
            .any(|s| s.span == test.span && s.kind == StopKind::Condition);
        let read = self.format_variables_read(test.function, test.span);
        (is_condition && !read.is_empty()).then_some(read)
    }

    /// Adds a line to the reply, wrapped after semicolons and commas.
    pub(super) fn push_wrapped(&self, text: &str, reply: &mut Answer) {
        let mut line = String::new();
        for part in text
            .split_inclusive("; ")
            .flat_map(|p| p.split_inclusive(", "))
        {
            let is_too_long =
                line.chars().count() + part.trim_end().chars().count() > self.view_settings.width;
            if is_too_long && !line.is_empty() {
                reply.line(line.trim_end().to_string());
                line = "      ".into();
            }
            line.push_str(part);
        }
        reply.line(line);
    }

    /// The cells for which a test was false, in order.
    fn false_cells(&self, test: Span, profile: &ValueProfile) -> Vec<(u32, u32)> {
        let (mut cells, mut last) = (Vec::new(), None);
        for (_, sample) in profile
            .samples
            .iter()
            .filter(|(_, s)| test.contains(s.span))
        {
            if sample.span != test {
                last = sample.cell.or(last);
            } else if let Some(cell) = last.take().filter(|_| sample.value == Value::FALSE) {
                cells.push(cell);
            }
        }
        cells.dedup();
        cells
    }

    /// Cells as ` at [0][0], [1][0] and 3 more`. With `is_truncated` there may be more than given.
    fn format_cells(&self, cells: &[(u32, u32)], is_truncated: bool) -> String {
        let named: Vec<String> = cells
            .iter()
            .take(MAX_CELLS_SHOWN)
            .map(|(r, c)| {
                self.target
                    .program()
                    .board_info
                    .format_cell((*r).into(), (*c).into())
            })
            .collect();
        match (named.is_empty(), cells.len() - named.len()) {
            (true, _) => String::new(),
            (false, 0) => format!(" at {}", named.join(", ")),
            (false, _) if is_truncated => format!(" at {} and many more", named.join(", ")),
            (false, more) => format!(" at {} and {more} more", named.join(", ")),
        }
    }

    /// Warns about names that are compared with names of pieces, but that no piece has.
    fn report_unknown_names(&self, profile: &ValueProfile, reply: &mut Answer) {
        let program = self.target.program();
        let kinds: Vec<&str> = program
            .piece_kinds
            .iter()
            .map(|k| k.name.as_str())
            .collect();
        let mut reported: Vec<&str> = Vec::new();
        let functions: std::collections::BTreeSet<u32> =
            profile.stop_counts.keys().map(|(f, _)| *f).collect();
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
                if name.is_empty() || kinds.contains(&name) || reported.contains(&name) {
                    continue;
                }
                reported.push(name);
                let suggestion = closest_match(name, kinds.iter().copied())
                    .map(|n| format!("; did you mean \"{n}\"?"))
                    .unwrap_or_default();
                reply.line(Line::styled(
                    Style::Warning,
                    format!("  No piece is named \"{name}\"{suggestion}"),
                ));
            }
        }
    }
}

/// The rank of conditions, see `Session::rank`.
const CONDITION_RANK: u8 = 3;

fn times(n: usize) -> String {
    match n {
        1 => "once".into(),
        n => format!("{n} times"),
    }
}
