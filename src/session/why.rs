//! Why something is as it is, and why it is not otherwise: answered from what was done, value by value.

use super::{Line, Reply, Session, Style};
use crate::code::{FunctionId, Instr, Role};
use crate::debugger::census::{Census, Tally};
use crate::debugger::evaluation::{self, Collector};
use crate::debugger::{Finder, Goal, Marks, Watched};
use crate::diagnostic::{Diagnostic, Phase, nearest};
use crate::machine::{Outcome, Until};
use crate::source::Span;
use crate::value::Value;
use std::rc::Rc;

/// How long a look for reasons may take.
const PATIENCE: u64 = 20_000_000;

impl Session {
    /// Which statement wrote something last, from which values, in which branch, called by whom.
    pub fn why(&mut self, watched: &Watched, name: &str, reply: &mut Reply) {
        let now = self.machine.time();
        let Some((time, old, new)) = self.elsewhere(|s| s.last_change(watched, now)) else {
            reply.line(format!("{name} has not been changed since the start"));
            return;
        };
        let place = self.elsewhere(|s| {
            s.timeline.go_into(&mut s.machine, time);
            s.reasons(time)
        });
        reply.line(
            Line::plain(format!("{name}: {old} => "))
                .with(Style::Changed, new)
                .with(Style::Dim, format!("   time {time}")),
        );
        reply.lines.extend(place);
        reply.line(Line::styled(Style::Dim, format!("  `:goto {time}` goes there")));
    }

    /// Why a line was printed.
    pub fn why_output(&mut self, number: usize, reply: &mut Reply) {
        let told = self.machine.written().outputs as usize;
        let output = self.machine.log().outputs.get(..told).unwrap_or_default().get(number.wrapping_sub(1)).cloned();
        let Some(output) = output else { return reply.error(format!("there is no output {number}: there are {told}")) };
        // The log has the time after the instruction.
        let time = output.time.saturating_sub(1);
        let lines = self.elsewhere(|s| {
            s.timeline.go_into(&mut s.machine, time);
            s.reasons(time)
        });
        reply.line(format!("output {number}: {}   time {time}", output.text));
        reply.lines.extend(lines);
        reply.line(Line::styled(Style::Dim, format!("  `:goto {time}` goes there")));
    }

    /// The statement that the machine is in the midst of: its values, its branch, its callers.
    fn reasons(&mut self, time: u64) -> Vec<Line> {
        let mut lines = Vec::new();
        // What the rules did was done for somebody.
        let own = (0..self.machine.frames().len()).find(|n| self.look_at(*n).is_some_and(|l| l.role != Role::Rules));
        let from_top = own.unwrap_or(0);
        let Some(look) = self.look_at(from_top) else { return lines };
        let place = self.place_words(look.span);
        let cell = self.cell_of_handler(from_top).map_or_else(String::new, |(r, c)| format!(" at [{r}][{c}]"));
        lines.push(
            Line::plain("  by ")
                .with(Style::Strong, format!("{}{cell}", look.title))
                .with(Style::Dim, format!("   {place}")),
        );
        let depth = look.index + 1;
        for line in self.evaluation_of(look.function, look.span, depth, time) {
            lines.push(Line::plain(format!("    {line}")));
        }
        let Some(function) = self.machine.function(look.function).cloned() else { return lines };
        let mut around: Vec<Span> = function
            .stops
            .iter()
            .filter(|s| s.span.contains(look.span) && s.span != look.span && s.span != function.span)
            .map(|s| s.span)
            .collect();
        around.sort_by_key(|s| s.end - s.start);
        around.dedup();
        for span in around.into_iter().take(3) {
            lines.push(Line::plain("  because of ").with(Style::Dim, self.place_words(span)));
            for line in self.evaluation_of(look.function, span, depth, time) {
                lines.push(Line::plain(format!("    {line}")));
            }
        }
        lines.extend(self.callers(from_top, time));
        lines
    }

    /// `line 8 of game.gl`
    fn place_words(&self, span: Span) -> String {
        self.sources
            .get(span.source)
            .map_or_else(String::new, |s| format!("line {} of {}", s.line_column(span.start).0, s.origin))
    }

    /// The values that a statement had when it was last passed in a frame, under their columns.
    fn evaluation_of(&mut self, function: FunctionId, span: Span, depth: usize, time: u64) -> Vec<String> {
        let Some(code) = self.machine.function(function).cloned() else { return Vec::new() };
        let Some(stop) = code.stops.iter().find(|s| s.span == span) else { return Vec::new() };
        let inside = code.stops.iter().filter(|s| span.contains(s.span) && s.span != span).map(|s| s.span.start).min();
        let seen = self.elsewhere(|s| {
            let goal = Goal::Again { function, pc: stop.pc, depth };
            let found = s.passed_before(goal, time + 1)?;
            s.timeline.go_into(&mut s.machine, found);
            s.machine.record(false);
            let mut collector = Collector::new(&s.machine);
            s.machine.watched(&mut collector);
            s.machine.record(true);
            Some(collector.seen)
        });
        let Some(source) = self.sources.get(span.source) else { return Vec::new() };
        let end = inside.map_or(span.end, |at| {
            let head = source.text.get(span.start as usize..at as usize).unwrap_or("");
            span.start + head.trim_end().trim_end_matches('{').trim_end().len() as u32
        });
        let head = Span { end, ..span };
        match seen {
            Some(seen) if !seen.is_empty() => evaluation::columns(source.slice(head), head, &seen),
            _ => vec![format!("  {}", source.slice(head).split_whitespace().collect::<Vec<_>>().join(" "))],
        }
    }

    /// The last time before `time` that a goal was reached.
    fn passed_before(&mut self, goal: Goal, time: u64) -> Option<u64> {
        let marks = Marks::of(self.machine.program(), &[], true);
        self.search_back(time, |until| Finder {
            marks: &marks,
            goal: goal.clone(),
            traps: false,
            until,
            found: Vec::new(),
        })
    }

    /// The calls and clicks that led here, each with a time to go to.
    fn callers(&mut self, from_top: usize, time: u64) -> Vec<Line> {
        let mut lines = Vec::new();
        let depth = self.machine.frames().len();
        let mut told = 0;
        let mut before = time;
        for n in from_top + 1..depth {
            let Some(look) = self.look_at(n).filter(|l| l.role != Role::Rules) else { continue };
            if told == 5 {
                lines.push(Line::styled(Style::Dim, format!("  … called from {} more", depth - n)));
                break;
            }
            told += 1;
            let function = look.function;
            let pc = self.machine.function(function).and_then(|f| f.stop_before(look.pc)).map_or(0, |s| s.pc);
            let frame = look.index + 1;
            let when = self.elsewhere(|s| s.passed_before(Goal::Again { function, pc, depth: frame }, before));
            before = when.unwrap_or(before);
            let text = self.sources.get(look.span.source).map_or_else(String::new, |s| {
                let (line, _) = s.line_column(look.span.start);
                s.line(line).trim().to_string()
            });
            let cell = self.cell_of_handler(n).map_or_else(String::new, |(r, c)| format!(" at [{r}][{c}]"));
            let title = if look.role == Role::Entry { "typed".to_string() } else { format!("{}{cell}", look.title) };
            let when = when.map_or_else(String::new, |t| format!("   time {t}"));
            lines.push(Line::plain("  from ").with(Style::Strong, title).with(Style::Dim, format!("   {text}{when}")));
        }
        lines
    }

    /// Why a variable is not true: what its condition saw, how often, and what would have to change.
    pub fn why_not(&mut self, name: &str, reply: &mut Reply) {
        let Some(global) = self.program().global(name) else {
            return reply.error(format!("`{name}` is no variable that could be true"));
        };
        if self.machine.store.globals.get(global as usize) == Some(&Value::TRUE) {
            reply.line(format!("{name} is true; `:why {name}` tells since when"));
            return;
        }
        let writers = self.writers(global);
        let Some(&(function, _)) = writers.iter().max_by_key(|(f, _)| self.rank(*f)) else {
            return reply.line(format!("nothing ever sets {name}"));
        };
        let (census, becomes) = self.on_a_copy(|s| {
            let census = s.count(function);
            (census, s.machine.store.globals.get(global as usize) == Some(&Value::TRUE))
        });
        let title = self.machine.function(function).map_or_else(String::new, |f| f.name.to_string());
        reply.line(Line::plain(format!("{name} is false. {title}, run on the board as it is now, sees:")));
        self.tell_writes(&writers, function, &census, reply);
        if becomes {
            reply.line(Line::styled(
                Style::Here,
                format!("  run now, it makes {name} true: it has not run since the board is so"),
            ));
            reply.line(Line::styled(Style::Dim, format!("  `:step {title}` shows how")));
            return;
        }
        self.tell_tests(&census, reply);
        self.tell_nearest(&census, function, global, reply);
        self.tell_strangers(&census, reply);
    }

    /// Conditions before handlers, handlers before other functions.
    fn rank(&self, function: FunctionId) -> u8 {
        match self.machine.function(function).map(|f| f.role) {
            Some(Role::Condition) => 3,
            Some(Role::Handler) => 2,
            Some(Role::Function) => 1,
            _ => 0,
        }
    }

    /// Conditions that hold before anything was done, tried on a copy: they would end the game with its first turn.
    pub(super) fn conditions_true_already(&mut self) -> Vec<Diagnostic> {
        let program = self.program().clone();
        let mut warnings = Vec::new();
        for (n, function) in program.functions.iter().enumerate().filter(|(_, f)| f.role == Role::Condition) {
            let flags: Vec<u32> =
                (0..program.globals.len() as u32).filter(|g| !program.globals[*g as usize].own).collect();
            let value = |s: &Session, g: u32| s.machine.store.globals.get(g as usize).copied();
            let before: Vec<Option<Value>> = flags.iter().map(|g| value(self, *g)).collect();
            let became = self.on_a_copy(|s| {
                s.machine.start(FunctionId(n as u32), &[]).ok()?;
                let limit = s.machine.time() + PATIENCE;
                let done = s.machine.watched(&mut Until(limit));
                let pairs = flags.iter().zip(&before);
                matches!(done, Outcome::Finished(_)).then(|| {
                    pairs.clone().any(|(g, old)| *old == Some(Value::FALSE) && value(s, *g) == Some(Value::TRUE))
                })
            });
            if became == Some(true) {
                let message = format!("{} is already true when the game starts", function.name);
                let warning = Diagnostic::warning(Phase::Check, "RT025", function.span, message);
                warnings.push(warning.note(format!("`:step {}` shows how it comes to that", function.name)));
            }
        }
        warnings
    }

    /// The statements that set a variable, outside the rules.
    fn writers(&self, global: u32) -> Vec<(FunctionId, Span)> {
        let mut writers = Vec::new();
        for (n, function) in self.program().functions.iter().enumerate() {
            if matches!(function.role, Role::Rules | Role::Entry) {
                continue;
            }
            for (pc, instr) in function.code.iter().enumerate() {
                let writes = matches!(instr, Instr::SetGlobal { global: g, .. } | Instr::AssignGlobal { global: g, .. } | Instr::GiveGlobal { global: g, .. } if *g == global);
                if writes && let Some(stop) = function.stop_before(pc as u32) {
                    writers.push((FunctionId(n as u32), stop.span));
                }
            }
        }
        writers
    }

    fn count(&mut self, function: FunctionId) -> Census {
        let started = self.machine.start(function, &[]);
        let mut census = Census::new(&self.machine, PATIENCE);
        if started.is_ok() {
            self.machine.watched(&mut census);
        }
        census
    }

    /// `line 26: win {win OR line} ran 3 times; line was false each time`
    fn tell_writes(&self, writers: &[(FunctionId, Span)], function: FunctionId, census: &Census, reply: &mut Reply) {
        for (writer, span) in writers.iter().filter(|(f, _)| *f == function) {
            let Some(source) = self.sources.get(span.source) else { continue };
            let (line, _) = source.line_column(span.start);
            let text = source.slice(*span).split_whitespace().collect::<Vec<_>>().join(" ");
            let ran = self
                .machine
                .function(*writer)
                .and_then(|f| f.stops.iter().find(|s| s.span == *span))
                .map_or(0, |s| census.passed.get(&(writer.0, s.pc)).copied().unwrap_or(0));
            let mut words = format!("  line {line}: {text} ran {}", times(ran));
            if ran == 0 {
                words.push_str(": it was never reached");
            }
            let parts: Vec<String> = self
                .leaves(census, Some(*span))
                .filter(|t| t.falses > 0)
                .map(|t| {
                    let often = if t.trues == 0 {
                        "each time".to_string()
                    } else {
                        format!("{} of {} times", t.falses, t.times)
                    };
                    format!("{} was false {often}", self.sources.slice(t.span))
                })
                .collect();
            if !parts.is_empty() {
                words.push_str(&format!("; {}", parts.join(", ")));
            }
            reply.line(words);
        }
    }

    /// Tests that hold no smaller test.
    fn leaves<'c>(&self, census: &'c Census, within: Option<Span>) -> impl Iterator<Item = &'c Tally> {
        let tests: Vec<&Tally> =
            census.tallies.values().filter(|t| t.trues + t.falses == t.times && t.times > 0).collect();
        let all = tests.clone();
        tests.into_iter().filter(move |t| {
            within.is_none_or(|w| w.contains(t.span))
                && !all.iter().any(|o| o.span != t.span && t.span.contains(o.span))
        })
    }

    /// The comparisons that were false, with the values that they saw.
    fn tell_tests(&self, census: &Census, reply: &mut Reply) {
        let mut told = 0;
        for test in self.leaves(census, None).filter(|t| t.falses > 0) {
            let text = self.sources.slice(test.span).to_string();
            // A bare name is told where it is used.
            if text.chars().all(char::is_alphanumeric) || told == 6 {
                continue;
            }
            told += 1;
            let Some(source) = self.sources.get(test.span.source) else { continue };
            let (line, _) = source.line_column(test.span.start);
            let mut words = format!("  line {line}: {text} was false {} of {} times", test.falses, test.times);
            let inner = census.tallies.values().filter(|t| test.span.contains(t.span) && t.span != test.span);
            // The largest part that has a value says most: `p.name` more than `p`.
            let part = inner.filter(|t| t.trues + t.falses == 0).max_by_key(|t| t.span.end - t.span.start);
            if let Some(part) = part {
                let values: Vec<String> =
                    part.values.iter().take(4).map(|(v, n)| format!("{v} {}", times(*n))).collect();
                words.push_str(&format!("; {} was {}", self.sources.slice(part.span), values.join(", ")));
            }
            reply.line(words);
        }
    }

    /// The passing of a setting statement that came nearest, and what was missing in it.
    fn tell_nearest(&self, census: &Census, function: FunctionId, global: u32, reply: &mut Reply) {
        let writes: Vec<Span> =
            self.writers(global).into_iter().filter(|(f, _)| *f == function).map(|(_, s)| s).collect();
        let tests: Vec<Span> = self.leaves(census, None).map(|t| t.span).collect();
        let mut best: Option<(usize, usize, Vec<String>)> = None;
        let (mut trues, mut falses) = (0, Vec::new());
        for (id, seeing) in &census.seen {
            let closes = *id == function && writes.iter().any(|w| w.contains(seeing.span));
            if !closes && tests.contains(&seeing.span) {
                match seeing.value {
                    Value::TRUE => trues += 1,
                    _ => falses.push(self.missing(seeing, census)),
                }
            }
            if closes && (trues > 0 || !falses.is_empty()) {
                if best.as_ref().is_none_or(|(t, f, _)| (trues, usize::MAX - falses.len()) > (*t, usize::MAX - f)) {
                    best = Some((trues, falses.len(), falses.clone()));
                }
                (trues, falses) = (0, Vec::new());
            }
        }
        if let Some((_, _, mut missing)) = best.filter(|(t, f, _)| *t > 0 && *f > 0 && *f <= 6) {
            // A test inside a function and the call of that function miss the same cell.
            missing
                .dedup_by_key(|m| m.split_once(" at [").map(|(_, at)| at.split(',').next().unwrap_or("").to_string()));
            reply.line(format!("  nearest: all but {}", missing.join("; ")));
        }
    }

    fn missing(&self, seeing: &evaluation::Seeing, census: &Census) -> String {
        let text = self.sources.slice(seeing.span);
        // The cell is told by the part that was read just before.
        let inner = census.seen.iter().map(|(_, s)| s).rev().find(|s| {
            seeing.span.contains(s.span) && s.span != seeing.span && s.time <= seeing.time && s.cell.is_some()
        });
        match inner {
            Some(s) => {
                let (r, c) = s.cell.unwrap_or_default();
                format!("{text} at [{r}][{c}], where {} is {}", self.sources.slice(s.span), s.text)
            }
            None => text.to_string(),
        }
    }

    /// Names that are compared with those of pieces, and that no piece has.
    fn tell_strangers(&self, census: &Census, reply: &mut Reply) {
        let program = self.program();
        let kinds: Vec<&str> = program.kinds.iter().map(|k| k.name.as_str()).collect();
        let mut told: Vec<&str> = Vec::new();
        let functions: std::collections::BTreeSet<u32> = census.passed.keys().map(|(f, _)| *f).collect();
        for function in functions.iter().filter_map(|f| program.function(FunctionId(*f))) {
            for instr in &function.code {
                let k = match instr {
                    Instr::NameIs { k, .. } | Instr::UnlessNameIs { k, .. } | Instr::UnlessCellNameIs { k, .. } => *k,
                    _ => continue,
                };
                let Some(name) = function.constants.get(k as usize).and_then(|v| v.as_text()).map(|t| t.as_str())
                else {
                    continue;
                };
                if name.is_empty() || kinds.contains(&name) || told.contains(&name) {
                    continue;
                }
                told.push(name);
                let near =
                    nearest(name, kinds.iter().copied()).map(|n| format!(" Did you mean \"{n}\"?")).unwrap_or_default();
                reply.line(Line::styled(Style::Warning, format!("  No piece is named \"{name}\".{near}")));
            }
        }
    }

    /// Why a click does nothing.
    pub fn why_not_click(&mut self, row: u32, col: u32, reply: &mut Reply) {
        let store = &self.machine.store;
        let Some(at) = store.cell_at(row as i64, col as i64) else {
            return reply.error(format!(
                "[{row}][{col}] is off the board, which has {} rows and {} columns",
                store.rows, store.cols
            ));
        };
        let view = self.view(crate::language::Window::NONE);
        if view.status != crate::code::Status::Playing {
            return reply
                .line(format!("the game is over ({}): clicks do nothing; `:undo` or `:restart`", view.status.word()));
        }
        let Some(piece) = store.piece(at) else {
            return reply.line(format!("there is no piece at [{row}][{col}]: nothing handles the click"));
        };
        if self.is_stopped() && store.tag(at).handled == store.action {
            return reply.line("this piece has already handled a click in this action: a repeat is skipped");
        }
        let program = self.program().clone();
        let Some(kind) = program.kind(piece.kind) else { return };
        let handler =
            kind.handlers[crate::code::Event::Click as usize].and_then(|f| program.function(f).map(|c| (f, c.clone())));
        let Some((id, code)) = handler else {
            return reply.line(format!("the piece \"{}\" has no onClick", kind.name));
        };
        let text = format!("click{{{row},{col}}}");
        let result = self.count_entry(&text);
        match result {
            Err(diagnostics) => reply.error(diagnostics.first().map_or_else(String::new, |d| d.message.clone())),
            Ok((census, changes)) => {
                let empty = code.stops.len() <= 1 && census.passed.keys().all(|(f, _)| *f != id.0);
                if changes.is_empty() {
                    let words = if empty { "runs, and there is nothing in it" } else { "runs, and changes nothing" };
                    reply.line(format!("{}.onClick {words}", kind.name));
                    self.tell_branches(&census, id, reply);
                } else {
                    reply.line(format!("a click here would do something: {}", changes.join(", ")));
                }
            }
        }
    }

    /// Runs an entry on a copy, counting what is seen; and what it would change.
    fn count_entry(&mut self, text: &str) -> Result<(Census, Vec<String>), Vec<Diagnostic>> {
        let source =
            crate::source::Source::new(crate::source::SourceId(u32::MAX - 1), crate::source::Origin::Entry(0), text);
        let compiled = self.language.entry(&source, self.program(), None)?;
        let function = compiled.run.unwrap_or(FunctionId(0));
        self.on_a_copy(|s| {
            let (before, _) = s.machine.store.image();
            s.machine.abandon(0);
            s.machine.install(Rc::new(compiled.program));
            if let Err(fault) = s.machine.start(function, &[]) {
                return Err(vec![s.runtime_error(&fault)]);
            }
            let mut census = Census::new(&s.machine, PATIENCE);
            if let Outcome::Failed(fault) = s.machine.watched(&mut census) {
                return Err(vec![s.runtime_error(&fault)]);
            }
            let (after, _) = s.machine.store.image();
            let changes = s.differences(&before, &after, 4);
            Ok((census, changes))
        })
    }

    /// The tests that were false on the way: branches that were not taken.
    fn tell_branches(&self, census: &Census, handler: FunctionId, reply: &mut Reply) {
        let Some(function) = self.machine.function(handler) else { return };
        // A test is what stands in the head of a statement that holds others.
        let head = |span: Span| {
            let holder =
                function.stops.iter().filter(|s| s.span.contains(span)).min_by_key(|s| s.span.end - s.span.start);
            holder.is_some_and(|s| function.stops.iter().any(|o| o.span != s.span && s.span.contains(o.span)))
        };
        let tests = census.tallies.values().filter(|t| t.function == handler && t.falses > 0 && t.trues == 0);
        for test in tests.filter(|t| head(t.span)).take(6) {
            let inner = census.tallies.values().find(|t| test.span.contains(t.span) && t.span != test.span);
            let value = inner.map_or_else(String::new, |t| {
                format!("; {} is {}", self.sources.slice(t.span), t.values.first().map_or("", |v| v.0.as_str()))
            });
            let place = self.place_words(test.span);
            reply.line(format!(
                "  {place}: {} is false{value}: that branch is not taken",
                self.sources.slice(test.span)
            ));
        }
    }
}

fn times(n: usize) -> String {
    match n {
        1 => "once".into(),
        n => format!("{n} times"),
    }
}
