//! Which breakpoints stop when going back.

use crate::answer::{Access, Hit, WatchHit};
use crate::breakpoint;
use crate::breakpoint::hits::is_several;
use crate::{Breakpoint, Location, Target};

/// Numbers the hits of a breakpoint on the way back.
struct HitCounter {
    breakpoint: Breakpoint,
    /// The number of the next hit on the way back. Below 1 if it was not counted on the way forward.
    next_number: i64,
}

impl HitCounter {
    /// Whether the hit that has been reached stops.
    fn stops_at_next(&mut self) -> bool {
        self.next_number -= 1;
        self.breakpoint.stops_at_hit(self.next_number + 1)
    }
}

/// The last time before `now` at which breakpoints would have stopped, and what they report. The
/// machine is left there, or at an unspecified time if there is none.
///
/// The stops are those of the way forward, in reverse order: an instruction stops for the
/// watchpoints that it triggers, and then, at the same time, for the breakpoints before it.
pub(crate) fn last_breakpoint_hits(target: &mut Target, now: u64) -> Option<(u64, Vec<Hit>)> {
    let current_hits = hits_here(target);
    let is_at_watch_stop = target.watch_stop == Some(target.time_point());
    let breakpoints = target.debugger.breakpoints.iter();
    let mut counters: Vec<HitCounter> = breakpoints
        .map(|b| HitCounter {
            breakpoint: b.clone(),
            next_number: last_hit_number(target, b, now, &current_hits, is_at_watch_stop),
        })
        .collect();
    // All hits of a phase, so that each is counted.
    let mut stopping_hits = |hits: Vec<Hit>| -> Vec<Hit> {
        let mut stops = |hit: &Hit| {
            let mut counters = counters.iter_mut();
            let counter = counters.find(|c| c.breakpoint.number == hit.id);
            counter.is_none_or(HitCounter::stops_at_next)
        };
        hits.into_iter().filter(|hit| stops(hit)).collect()
    };
    if is_at_watch_stop {
        let (_, before) = split_watch_hits(current_hits);
        let stopping = stopping_hits(before);
        if let Some(first) = stopping.first() {
            record_hit_on_the_way_back(target, first.id);
            return Some((now, stopping));
        }
    }
    let traps = |s: &mut Target| {
        s.rebind_breakpoints_quietly();
        s.debugger.traps()
    };
    let accept = |hits: Vec<Hit>| {
        let (watched, before) = split_watch_hits(hits);
        let watched = stopping_hits(watched);
        let stopping = match watched.is_empty() {
            true => stopping_hits(before),
            false => watched,
        };
        Some(stopping).filter(|stopping| !stopping.is_empty())
    };
    let holds = |s: &mut Target| Some(hits_here(s)).filter(|hits| !hits.is_empty());
    let (time, hits) = target.last_trap_where(now, traps, |_| true, holds, accept)?;
    target.timeline.seek_into(&mut target.machine, time);
    if let Some(first) = hits.first() {
        record_hit_on_the_way_back(target, first.id);
    }
    Some((time, hits))
}

/// The number of the first hit of a breakpoint that going back from `now` comes across.
fn last_hit_number(
    target: &Target,
    b: &Breakpoint,
    now: u64,
    hits_here: &[Hit],
    is_at_watch_stop: bool,
) -> i64 {
    // A watchpoint is hit after the instruction that triggers it. At a stop for a watchpoint, the
    // breakpoints before the instruction are still to come.
    let is_ahead = is_at_watch_stop && !b.is_watchpoint();
    let delay = u64::from(b.is_watchpoint() || is_ahead);
    let count = target.timeline.hit_count_before(b.hit_key, now + delay);
    let next_count = target.timeline.hit_count_before(b.hit_key, now + delay + 1);
    let is_here = !is_ahead && hits_here.iter().any(|hit| hit.id == b.number);
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

/// The breakpoints at the current instruction whose condition is not false.
fn hits_here(target: &mut Target) -> Vec<Hit> {
    let Some(at) = target.machine.current_location() else {
        return Vec::new();
    };
    let candidates: Vec<(u32, Location, Option<String>)> = target
        .debugger
        .breakpoints
        .iter()
        .filter(|b| b.is_enabled && b.log_message.is_none() && b.addresses.contains(&at))
        .map(|b| (b.number, b.location.clone(), b.condition.clone()))
        .collect();
    let mut hits = Vec::new();
    for (number, location, condition) in candidates {
        if let Some(condition) = condition
            && target.eval(&condition, |_, v| v.as_bool()).ok().flatten() == Some(false)
        {
            continue;
        }
        hits.extend(hit_of(target, number, &location));
    }
    hits
}

/// What the next instruction does to a breakpoint at it.
fn hit_of(target: &mut Target, number: u32, location: &Location) -> Option<Hit> {
    let hit = |event, watched| {
        Some(Hit {
            id: number,
            event,
            watched,
            property: None,
        })
    };
    match location {
        Location::Watch(watch_target, access) => {
            let label = breakpoint::watch_label(target, watch_target);
            // As on the way forward, the first value is not a change.
            let can_change =
                *access != Access::Read && breakpoint::watch_value(target, watch_target).is_some();
            let change = match can_change {
                true => target.next_change(watch_target),
                false => None,
            };
            if let Some((old, new)) = change {
                let cells = is_several(watch_target).then(|| format!("{old} => {new}"));
                let is_single = cells.is_none();
                let change = WatchHit::Changed {
                    target: label,
                    old: is_single.then_some(old),
                    new: is_single.then_some(new),
                    cells,
                    is_ahead: true,
                };
                return hit(None, Some(change));
            }
            if *access != Access::Change && breakpoint::is_about_to_read(target, watch_target) {
                let read = WatchHit::Read {
                    target: label,
                    value: None,
                };
                return hit(None, Some(read));
            }
            None
        }
        Location::Event(event, cell) if target.event_matches(*event, *cell) => {
            hit(Some(event.name()), None)
        }
        Location::Event(..) => None,
        Location::Property(property) => {
            breakpoint::violation(target, property).map(|violation| Hit {
                id: number,
                event: None,
                watched: None,
                property: Some(violation),
            })
        }
        Location::Line { .. } | Location::Function(_) => hit(None, None),
    }
}

/// The hits of the watchpoints that the next instruction triggers, and those of the breakpoints
/// before it.
fn split_watch_hits(hits: Vec<Hit>) -> (Vec<Hit>, Vec<Hit>) {
    hits.into_iter().partition(|hit| hit.watched.is_some())
}
