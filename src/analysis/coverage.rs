//! Coverage: how often each line of the source ran, and how often its conditions were true and false.
//!
//! The counts are taken by replaying the history, so they cost nothing while the program runs.
//!
//! ```text
//! code_counter   counts how often each instruction runs and how often each test is true
//! fact_recorder  finds out which code runs at all and which conditions are ever true or false
//! ```

mod code_counter;
mod fact_recorder;

pub use code_counter::CodeCounter;
pub use fact_recorder::FactRecorder;

use crate::answer::{ConditionCount, LineCount, UnusedFunction};
use crate::code::{Function, FunctionKind, Program};
use crate::debugger::history::timeline::{EntryId, replay_observed};
use crate::debugger::{DroppedHistory, HistoryEntry, Target};
use crate::source::{SourceId, Sources, Span};
use crate::value::InternedStr;
use code_counter::{CountedFunction, Purpose};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// How often the code of the program ran, by its place in the source.
#[derive(Clone, Debug, Default)]
pub struct CoverageCounts {
    /// How often each stop point was passed. A function keeps its name when it is compiled again.
    statements: HashMap<(InternedStr, Span), u64>,
    /// How often each condition was true and false.
    conditions: HashMap<(InternedStr, Span), Outcomes>,
}

/// How often a condition was true and false.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Outcomes {
    true_count: u64,
    false_count: u64,
    purpose: Purpose,
}

/// A condition of the program that was evaluated, and what it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConditionFact {
    /// The name of its function.
    pub function: InternedStr,
    /// Where it is.
    pub span: Span,
    /// It was true at least once.
    pub was_true: bool,
    /// It was false at least once.
    pub was_false: bool,
}

/// The counts of each line that has code, by source and line number.
pub type LineCounts = BTreeMap<(SourceId, u32), LineCount>;

impl CoverageCounts {
    /// Adds what ran.
    pub fn add(&mut self, counter: &CodeCounter) {
        for counted in counter.functions() {
            self.add_function(counted);
        }
    }

    /// Adds what ran at least once.
    pub fn add_facts(&mut self, recorder: &FactRecorder) {
        for counted in recorder.functions() {
            self.add_function(counted);
        }
    }

    /// Adds the counts of other runs.
    pub fn add_counts(&mut self, other: &CoverageCounts) {
        for (at, count) in &other.statements {
            *self.statements.entry(*at).or_default() += count;
        }
        for (at, outcomes) in &other.conditions {
            let sum = self.conditions.entry(*at).or_default();
            sum.true_count += outcomes.true_count;
            sum.false_count += outcomes.false_count;
            sum.purpose = outcomes.purpose;
        }
    }

    /// Whether the statement that starts at an instruction of a function ran.
    pub fn has_run_at(&self, function: &Function, pc: u32) -> bool {
        let mut stops = function.stop_points.iter();
        stops.any(|stop| {
            stop.pc == pc && self.statements.get(&(function.name, stop.span)) > Some(&0)
        })
    }

    /// Whether a function of the program ran, as far as it has statements.
    pub fn has_run(&self, function: &Function) -> bool {
        let mut stops = function.stop_points.iter();
        stops.any(|stop| self.statements.get(&(function.name, stop.span)) > Some(&0))
    }

    /// The conditions of the program that were evaluated, in the order of the source; of nested ones the
    /// outer one first.
    pub fn evaluated_conditions(&self, program: &Program) -> Vec<ConditionFact> {
        // The session may have run earlier versions of a function.
        let mut current = CoverageCounts::default();
        current.add_unexecuted(program);
        let evaluated = self.conditions.iter().filter(|(_, o)| o.total() > 0);
        let in_program = evaluated.filter(|(at, _)| current.conditions.contains_key(at));
        let mut facts: Vec<ConditionFact> = in_program
            .map(|((function, span), outcomes)| ConditionFact {
                function: *function,
                span: *span,
                was_true: outcomes.true_count > 0,
                was_false: outcomes.false_count > 0,
            })
            .collect();
        facts.sort_by_key(|fact| {
            let span = fact.span;
            (span.source, span.start, std::cmp::Reverse(span.end))
        });
        facts
    }

    /// Adds all code of a program that never ran, so that its lines are listed.
    pub fn add_unexecuted(&mut self, program: &Program) {
        let is_listed = |f: &&Rc<Function>| f.kind != FunctionKind::Entry;
        for function in program.functions.iter().filter(is_listed) {
            self.add_function(&CountedFunction::new(function));
        }
    }

    fn add_function(&mut self, counted: &CountedFunction) {
        let function = &counted.function;
        // A statement may have several stop points, such as the start of a loop and each iteration.
        let mut statements: BTreeMap<Span, u64> = BTreeMap::new();
        for stop in &function.stop_points {
            let executed = counted.executed.get(stop.pc as usize).copied();
            let count = statements.entry(stop.span).or_default();
            *count = (*count).max(executed.unwrap_or(0));
        }
        // A condition may be tested in several steps, which are left as soon as one is false.
        let mut conditions: BTreeMap<Span, Outcomes> = BTreeMap::new();
        for test in &counted.tests {
            let outcomes = conditions.entry(test.span).or_default();
            // A result is returned in one of several places.
            match test.purpose() {
                Purpose::Result => outcomes.true_count += test.true_count,
                Purpose::Decision | Purpose::Operand => outcomes.true_count = test.true_count,
            }
            outcomes.false_count += test.false_count;
            outcomes.purpose = test.purpose();
        }
        for (span, count) in statements.into_iter().filter(|(span, _)| is_source(*span)) {
            *self.statements.entry((function.name, span)).or_default() += count;
        }
        for (span, outcomes) in conditions.into_iter().filter(|(span, _)| is_source(*span)) {
            let sum = self.conditions.entry((function.name, span)).or_default();
            sum.true_count += outcomes.true_count;
            sum.false_count += outcomes.false_count;
            sum.purpose = outcomes.purpose;
        }
    }

    /// The counts of each line. A line with several statements has the highest of their counts, and
    /// the outcomes of its first condition; others and operands are listed.
    pub fn lines(&self, sources: &Sources) -> LineCounts {
        let line_of = |span: Span| {
            Some((
                span.source,
                sources.get(span.source)?.line_number(span.start),
            ))
        };
        let mut lines = LineCounts::new();
        for ((_, span), count) in &self.statements {
            if let Some(line) = line_of(*span) {
                let line = lines.entry(line).or_default();
                line.count = line.count.max(*count);
            }
        }
        // The same condition can be in several functions only if one of them never runs.
        let mut conditions: BTreeMap<Span, Outcomes> = BTreeMap::new();
        // A result that was never true or false need not be a bool.
        let is_known = |o: &Outcomes| o.purpose != Purpose::Result || o.total() > 0;
        for ((_, span), outcomes) in self.conditions.iter().filter(|(_, o)| is_known(o)) {
            let known = conditions.entry(*span).or_insert(*outcomes);
            if outcomes.total() > known.total() {
                *known = *outcomes;
            }
        }
        let mut conditions: Vec<(Span, Outcomes)> = conditions.into_iter().collect();
        conditions.sort_by_key(|(span, outcomes)| {
            let outermost_first = (span.start, std::cmp::Reverse(span.end));
            (span.source, outcomes.purpose, outermost_first)
        });
        for (span, outcomes) in conditions {
            let (Some(at), Some(source)) = (line_of(span), sources.get(span.source)) else {
                continue;
            };
            let line = lines.entry(at).or_insert_with(|| LineCount {
                count: outcomes.total(),
                ..LineCount::default()
            });
            if line.true_count.is_none() && outcomes.purpose != Purpose::Operand {
                line.true_count = Some(outcomes.true_count);
                line.false_count = Some(outcomes.false_count);
                continue;
            }
            line.further_conditions.push(ConditionCount {
                column: source.line_column(span.start).1,
                text: source.slice(span).to_string(),
                true_count: outcomes.true_count,
                false_count: outcomes.false_count,
            });
        }
        lines
    }
}

impl Outcomes {
    fn total(self) -> u64 {
        self.true_count + self.false_count
    }
}

/// Whether a place is in a text that the user wrote.
fn is_source(span: Span) -> bool {
    span.source != SourceId::RULES && span != Span::default()
}

/// The counts of the history, as far as they have been taken. Asking again costs only what has run
/// since.
#[derive(Clone, Debug, Default)]
pub struct HistoryCoverage {
    /// The counts up to the end of the last entry below.
    counts: CoverageCounts,
    /// The last entry that was counted, and when it ended.
    last: Option<(EntryId, u64)>,
    /// Set if older entries had been dropped before they could be counted.
    dropped: Option<DroppedHistory>,
}

/// What ran from the start of the session to the current position in its history.
#[derive(Clone, Debug)]
pub struct SessionCoverage {
    /// The counts.
    pub counts: CoverageCounts,
    /// The number of entries that were counted, without the start of the session.
    pub entry_count: usize,
    /// Set if older entries are not counted because they were dropped.
    pub dropped: Option<DroppedHistory>,
}

/// Counts what ran up to the current position in the history, by replaying it. Nothing changes.
/// `None` if it was cancelled with Ctrl-C.
pub fn session_coverage(
    target: &mut Target,
    known: &mut HistoryCoverage,
) -> Option<SessionCoverage> {
    let now = target.machine.time();
    let entries = target.timeline.entries();
    let is_last = |entry: &HistoryEntry| {
        known.last == Some((entry.id, entry.end_time())) && entry.end_time() <= now
    };
    let counted = entries.iter().rposition(is_last);
    if counted.is_none() {
        *known = HistoryCoverage {
            dropped: target.timeline.dropped_history(),
            ..HistoryCoverage::default()
        };
    }
    let first = counted.map_or(0, |n| n + 1);
    let count = entries.len();
    // An entry during which another one was typed continues in that one.
    let is_settled = |entry: &HistoryEntry| {
        let after = entry.after.as_ref();
        after.is_some_and(|after| after.depth() == 0 && after.time <= now)
    };
    let settled = entries[first..].iter().rposition(is_settled);
    let settled = settled.map_or(first, |n| first + n + 1);
    let last = entries[first..settled].last();
    let last = last.map(|entry| (entry.id, entry.end_time()));
    let (finished, rest) = target.with_time(|target| {
        target.timeline.set_cursor(first);
        let finished = count_entries(target, settled, now)?;
        Some((finished, count_entries(target, count, now)?))
    })?;
    known.counts.add(&finished);
    known.last = last.or(known.last);
    let mut counts = known.counts.clone();
    counts.add(&rest);
    counts.add_unexecuted(target.program());
    let start_count = target.timeline.start_entry_count();
    Some(SessionCoverage {
        counts,
        entry_count: count.saturating_sub(start_count),
        dropped: known.dropped,
    })
}

/// Counts what ran at the start of the session, such as the setup of the game, and in the entry that waits for
/// input. Nothing changes.
pub fn start_coverage(target: &mut Target) -> CoverageCounts {
    let (start_count, now) = (target.timeline.start_entry_count(), target.machine.time());
    let entries = target.timeline.entries();
    // An entry during which another one was typed continues in that one.
    let waiting = entries.iter().rposition(|entry| entry.before.depth() == 0);
    let waiting = waiting.filter(|first| !target.machine.is_idle() && *first >= start_count);
    let waiting = waiting.map(|first| first..entries.len());
    let mut counts = CoverageCounts::default();
    for range in [Some(0..start_count), waiting].into_iter().flatten() {
        let counted = target.with_time(|target| {
            target.timeline.set_cursor(range.start);
            count_entries(target, range.end, now)
        });
        if let Some(counter) = counted {
            counts.add(&counter);
        }
    }
    counts
}

/// Counts what ran in one entry of the history. Nothing changes.
pub fn entry_coverage(target: &mut Target, index: usize) -> CoverageCounts {
    let now = target.machine.time();
    let counted = target.with_time(|target| {
        target.timeline.set_cursor(index);
        count_entries(target, index + 1, now)
    });
    let mut counts = CoverageCounts::default();
    counted.iter().for_each(|counter| counts.add(counter));
    counts
}

/// How often each instruction of each function ran since the session began. Nothing changes.
pub fn instruction_counts(target: &mut Target) -> Vec<(Rc<Function>, Vec<u64>)> {
    let (end, now) = (target.timeline.entries().len(), target.machine.time());
    let counted = target.with_time(|target| {
        target.timeline.set_cursor(0);
        count_entries(target, end, now)
    });
    let functions = counted.iter().flat_map(|counter| counter.functions());
    functions
        .map(|f| (f.function.clone(), f.executed.clone()))
        .collect()
}

/// Replays the entries from the cursor up to the one with index `end`, until the time `now` at the
/// latest. `None` if it was cancelled.
fn count_entries(target: &mut Target, end: usize, now: u64) -> Option<CodeCounter> {
    let mut counter = CodeCounter::default();
    while target.timeline.cursor() < end && target.timeline.enter_next(&mut target.machine) {
        let Some(entry) = target.timeline.current() else {
            break;
        };
        if entry.before.depth() == 0 {
            counter.begin_run();
        }
        let until = entry.end_time().min(now);
        if replay_observed(&mut target.machine, until, &mut counter) {
            target.cancelled = true;
            return None;
        }
    }
    Some(counter)
}

/// The functions of the program that never ran, in the order of their lines.
pub fn unused_functions(target: &Target, counts: &CoverageCounts) -> Vec<UnusedFunction> {
    let is_unused = |f: &&Rc<Function>| {
        let is_named = !matches!(f.kind, FunctionKind::Entry | FunctionKind::Rules);
        let mut stops = f.stop_points.iter().filter(|stop| is_source(stop.span));
        is_named
            && stops.clone().next().is_some()
            && stops.all(|stop| counts.statements.get(&(f.name, stop.span)) == Some(&0))
    };
    let unused = target.program().functions.iter().filter(is_unused);
    let mut unused: Vec<UnusedFunction> = unused
        .filter_map(|f| {
            let range = target.source_range(f.stop_points.first()?.span)?;
            Some(UnusedFunction {
                name: f.name.to_string(),
                file: range.file,
                line: range.line,
            })
        })
        .collect();
    unused.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    unused
}
