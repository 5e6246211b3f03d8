//! Which breakpoints stop when going back.

use super::reverse::Arrival;
use crate::breakpoint::candidates::{
    Candidate, WatchedInstruction, execute_watched, is_at_watchpoint, plain_candidates,
};
use crate::{Breakpoint, Target};

/// Numbers the hits of a breakpoint on the way back.
struct HitCounter {
    breakpoint: Breakpoint,
    /// The number of the next hit on the way back. Below 1 if it was not counted on the way forward.
    next_number: i64,
}

impl HitCounter {
    /// Whether the hit that has been reached stops.
    fn stops_at_next(&mut self, has_problem: bool) -> bool {
        self.next_number -= 1;
        self.breakpoint.stops_at(self.next_number + 1, has_problem)
    }
}

/// The breakpoints at an instruction, by what they are about.
#[derive(Default)]
struct HitsHere {
    /// Watchpoints that the instruction triggers.
    watched: Vec<Candidate>,
    /// Breakpoints before it.
    before: Vec<Candidate>,
}

/// The last position before the current one at which breakpoints would have stopped, and what they
/// report. The machine is left there, or at an unspecified time if there is none.
///
/// The stops are those of the way forward, in reverse order: an instruction stops for the
/// watchpoints that it triggers, and then, at the same time, for the breakpoints before it.
pub(crate) fn last_breakpoint_hits(target: &mut Target) -> Option<Vec<Candidate>> {
    let now = target.time_point();
    let arrival = target.arrival();
    let current_hits = hits_here(target, arrival);
    let is_at_watch_stop = target.watch_stop == Some(now);
    let breakpoints = target.debugger.breakpoints.iter();
    let mut counters: Vec<HitCounter> = breakpoints
        .map(|b| HitCounter {
            breakpoint: b.clone(),
            next_number: last_hit_number(target, b, now.time, &current_hits, is_at_watch_stop),
        })
        .collect();
    // All hits of a phase, so that each is counted.
    let mut stopping = |hits: Vec<Candidate>| -> Vec<Candidate> {
        let mut stops = |candidate: &Candidate| {
            let mut counters = counters.iter_mut();
            let counter = counters.find(|c| c.breakpoint.number == candidate.hit.id);
            counter.is_none_or(|c| c.stops_at_next(candidate.problem.is_some()))
        };
        hits.into_iter().filter(|hit| stops(hit)).collect()
    };
    if is_at_watch_stop {
        let candidates = stopping(current_hits.before);
        if let Some(first) = candidates.first() {
            record_hit_on_the_way_back(target, first.hit.id);
            return Some(candidates);
        }
    }
    let accept = |hits: HitsHere| {
        let watched = stopping(hits.watched);
        let stopping = match watched.is_empty() {
            true => stopping(hits.before),
            false => watched,
        };
        Some(stopping).filter(|stopping| !stopping.is_empty())
    };
    let holds = |s: &mut Target, arrival: Arrival| {
        let hits = hits_here(s, arrival);
        (!hits.watched.is_empty() || !hits.before.is_empty()).then_some(hits)
    };
    let (point, candidates) = target.last_where(now, Target::find_hits, holds, accept)?;
    target.timeline.seek_point(&mut target.machine, point);
    if let Some(first) = candidates.first() {
        record_hit_on_the_way_back(target, first.hit.id);
    }
    Some(candidates)
}

/// The number of the first hit of a breakpoint that going back from `now` comes across.
fn last_hit_number(
    target: &Target,
    b: &Breakpoint,
    now: u64,
    hits_here: &HitsHere,
    is_at_watch_stop: bool,
) -> i64 {
    // A watchpoint is hit after the instruction that triggers it. At a stop for a watchpoint, the
    // breakpoints before the instruction are still to come.
    let is_ahead = is_at_watch_stop && !b.is_watchpoint();
    let delay = u64::from(b.is_watchpoint() || is_ahead);
    let count = target.timeline.hit_count_before(b.hit_key, now + delay);
    let next_count = target.timeline.hit_count_before(b.hit_key, now + delay + 1);
    let here = match b.is_watchpoint() {
        true => &hits_here.watched,
        false => &hits_here.before,
    };
    let is_here = !is_ahead && here.iter().any(|c| c.hit.id == b.number);
    // One that is here and was not counted is the one with the number 0.
    let is_uncounted = is_here && next_count == count;
    count as i64 - i64::from(is_uncounted)
}

/// Counts a hit that was not counted on the way forward, because its breakpoint was set later.
/// Where only some hits stop, their numbers stay as they are.
fn record_hit_on_the_way_back(target: &mut Target, number: u32) {
    let breakpoints = target.debugger.breakpoints.iter();
    let is_counted =
        |b: &&Breakpoint| b.number == number && !b.is_watchpoint() && b.hit_condition.is_none();
    let key = breakpoints.filter(is_counted).map(|b| b.hit_key).next();
    if let Some(key) = key {
        target.timeline.record_hit(key, target.machine.time());
    }
}

/// The breakpoints at the current instruction whose condition is not false, as on the way forward.
fn hits_here(target: &mut Target, arrival: Arrival) -> HitsHere {
    let mut hits = HitsHere::default();
    if arrival != Arrival::AfterNested {
        hits.before = plain_candidates(target);
    }
    if arrival != Arrival::BeforeNested && is_at_watchpoint(target) {
        hits.watched = target.with_rollback(|target| match execute_watched(target, true) {
            WatchedInstruction::Executed(candidates) => candidates,
            WatchedInstruction::NotWatched | WatchedInstruction::Ended(_) => Vec::new(),
        });
    }
    hits
}
