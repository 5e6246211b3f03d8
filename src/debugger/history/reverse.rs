//! Reverse search: finds a time in the past by replaying from checkpoints, the last segment first.
//!
//! Ctrl-C cancels a search: it then finds nothing, and [`Target::take_cancelled`] returns true.

use super::timeline::{SegmentsBefore, replay_until};
use crate::answer::Access;
use crate::breakpoint::trap_test;
use crate::code::{FunctionId, FunctionKind, Program};
use crate::diff;
use crate::history::entries;
use crate::machine::{BoundedObserver, Machine, Observer, Outcome, Pause, UntilTime};
use crate::{
    Breakpoint, HitFinder, Location, StepTarget, StopMap, Target, TimePoint, WatchTarget,
    breakpoint,
};
use std::ops::Range;
use std::rc::Rc;

/// After a failed batch of candidate times, the next batch is this many times larger.
const BATCH_GROWTH: usize = 16;

/// How the history reaches an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arrival {
    /// By executing the one before, or by starting an entry.
    Running,
    /// In the same way, but something was typed there before it was executed.
    BeforeNested,
    /// Something that was typed there has ended.
    AfterNested,
}

/// Times in a part of the history.
#[derive(Default)]
pub struct Found {
    /// Those that may be looked for, in ascending order.
    pub times: Vec<u64>,
    /// Those at which something that was typed at a stop has ended.
    pub nested_ends: Vec<u64>,
}

impl Target {
    /// Whether Ctrl-C has cancelled a search since the last call.
    pub fn take_cancelled(&mut self) -> bool {
        std::mem::take(&mut self.cancelled)
    }

    /// The last time before `time` at which the target was reached. The machine is left there, or
    /// at an unspecified time if there is none.
    pub fn search_back(
        &mut self,
        time: u64,
        target: &StepTarget,
        stop_map: impl Fn(&Target) -> StopMap,
    ) -> Option<u64> {
        // Older parts of the history have older programs.
        let mut cached_stop_map: Option<(Rc<Program>, StopMap)> = None;
        let mut segments = SegmentsBefore::near(time);
        while let Some(Range { start, end }) = segments.next(&self.timeline)
            && !self.cancelled
        {
            // Skip this segment: the stack never got shallow enough to hit the target.
            if target
                .max_depth()
                .is_some_and(|max| self.timeline.min_depth_between(start, end) > max)
            {
                continue;
            }
            self.timeline.seek_into(&mut self.machine, start);
            // Closer than the last checkpoint.
            let here = self.machine.checkpoint();
            let program = self.program().clone();
            let (_, stop_map) = match cached_stop_map
                .take()
                .filter(|(base, _)| Rc::ptr_eq(base, &program))
            {
                Some(same) => cached_stop_map.insert(same),
                None => cached_stop_map.insert((program, stop_map(self))),
            };
            let mut finder = HitFinder {
                stop_map,
                target: target.clone(),
                wants_breakpoints: false,
                prefilter: None,
                end_time: end,
                hit_times: Vec::new(),
            };
            self.replay_watched(&mut finder, end);
            if let Some(&time) = finder.hit_times.last().filter(|_| !self.cancelled) {
                self.machine.restore(&here);
                replay_until(&mut self.machine, time);
                return Some(time);
            }
        }
        None
    }

    /// The last time before `time` at which a step with this target would have stopped.
    pub fn last_hit_before(&mut self, target: StepTarget, time: u64) -> Option<u64> {
        self.last_hit_before_in(target, time, true)
    }

    /// Like [`Target::last_hit_before`], with or without stops in the built-in rules.
    pub fn last_hit_before_in(
        &mut self,
        target: StepTarget,
        time: u64,
        with_rules: bool,
    ) -> Option<u64> {
        let stop_map = |s: &Target| {
            StopMap::new(s.program(), &[], |f| {
                f.kind == FunctionKind::Rules && !with_rules
            })
        };
        self.search_back(time, &target, stop_map)
    }

    /// Replays the history with an observer until it pauses, at `until` at the latest. Nested
    /// entries are replayed too; returns the times at which they ended.
    pub fn replay_watched(&mut self, observer: &mut dyn Observer, until: u64) -> Vec<u64> {
        let mut nested_ends = Vec::new();
        self.machine.set_recording(false);
        loop {
            let nested_time = self
                .timeline
                .next_nested_time()
                .filter(|nested_time| *nested_time < until);
            let outcome = match nested_time {
                Some(time) => self.machine.run_observed(&mut BoundedObserver {
                    inner: observer,
                    time,
                }),
                None => self.machine.run_observed(observer),
            };
            match outcome {
                Outcome::Finished(_) if !self.machine.is_idle() => {
                    nested_ends.push(self.machine.time());
                }
                Outcome::Paused(Pause::Observer)
                    if nested_time
                        .is_some_and(|nested_time| self.machine.time() >= nested_time)
                        && self.timeline.enter_nested(&mut self.machine) => {}
                Outcome::Paused(Pause::Interrupt) => {
                    self.cancelled = true;
                    break;
                }
                _ => break,
            }
        }
        self.machine.set_recording(true);
        nested_ends
    }

    /// The last change of a watch target before `now`: the time just before the change, the old and
    /// the new value.
    pub fn last_change(
        &mut self,
        watch_target: &WatchTarget,
        now: u64,
    ) -> Option<(u64, String, String)> {
        let location = Location::Watch(watch_target.clone(), Access::Change);
        let frame_limits = watch_target.uses_locals().then(|| self.frame_lifetime(now));
        let is_local = matches!(watch_target, WatchTarget::Local(..));
        let may_change = |machine: &Machine| {
            // What an expression depends on may also be changed by a function that is called.
            let is_called = |depth| machine.frames().len() > depth && !is_local;
            frame_limits.is_none_or(|(depth, _)| is_in_frame(machine, depth) || is_called(depth))
                && machine.current_location().is_none_or(|at| {
                    crate::breakpoint::watch_value::may_change(watch_target, machine, at)
                })
        };
        let change = self.last_where(
            TimePoint::at(now),
            |s, end| {
                let traps = breakpoint::resolve(&location, s.machine.program(), &s.sources);
                s.find_traps(end, &traps, may_change)
            },
            |s, arrival| {
                let top = s.machine.frames().len().saturating_sub(1);
                let is_here = is_local
                    || frame_limits.is_none_or(|(depth, _)| {
                        breakpoint::watch_scope(s, watch_target, top) == Some(depth - 1)
                    });
                let is_here = is_here && arrival != Arrival::BeforeNested;
                is_here.then(|| s.next_change(watch_target)).flatten()
            },
            Some,
        );
        let change =
            change.filter(|(point, _)| frame_limits.is_none_or(|(_, since)| point.time >= since));
        change.map(|(point, (old, new))| (point.time, old, new))
    }

    /// The stack depth of the selected frame, and when it was called. Other calls of the same
    /// function have other variables.
    fn frame_lifetime(&mut self, now: u64) -> (usize, u64) {
        let depth = self
            .machine
            .frames()
            .len()
            .saturating_sub(self.debugger.selected_frame)
            .max(1);
        let entry_start = entries::outermost_entry(self).map_or(0, |r| r.before.time);
        let stop_map = |s: &Target| s.debugger.stop_map(s.program(), &[]);
        let called_at = self.with_time(|s| s.search_back(now, &StepTarget::Out(depth), stop_map));
        (depth, called_at.unwrap_or(entry_start))
    }

    /// How the current instruction was reached.
    pub(crate) fn arrival(&mut self) -> Arrival {
        let now = self.machine.time();
        let start = self.timeline.checkpoint_time_before(now);
        let (Some(start), Some(_)) = (start, entries::entry_finished_at_stop(self)) else {
            return Arrival::Running;
        };
        let nested_ends = self.with_time(|s| {
            s.timeline.seek_into(&mut s.machine, start);
            s.replay_watched(&mut UntilTime(now), now)
        });
        match nested_ends.contains(&now) {
            true => Arrival::AfterNested,
            false => Arrival::Running,
        }
    }

    /// The last position before `now` that `find` finds, for which `holds` returned a value and `accept`
    /// accepted it. `find` is called at the start of a part of the history, with its end. `accept` is
    /// called with the values in reverse order.
    pub fn last_where<T, R>(
        &mut self,
        now: TimePoint,
        find: impl Fn(&mut Target, u64) -> Found,
        mut holds: impl FnMut(&mut Target, Arrival) -> Option<T>,
        mut accept: impl FnMut(T) -> Option<R>,
    ) -> Option<(TimePoint, R)> {
        let mut segments = SegmentsBefore::between_checkpoints(now.time);
        // The entries that start now may have started.
        let mut is_before_end = now.entries_started > 0;
        while let Some(Range { start, end }) = segments.next(&self.timeline) {
            self.timeline.seek_into(&mut self.machine, start);
            let Found { times, nested_ends } = find(self, end);
            // Something else may have been typed there before.
            let is_before_nested = std::mem::replace(&mut is_before_end, true)
                && self.timeline.has_nested_at(end)
                && !nested_ends.contains(&end)
                && !self.cancelled;
            if is_before_nested {
                let point = TimePoint::at(end);
                self.timeline.seek_point(&mut self.machine, point);
                let hit = holds(self, Arrival::BeforeNested).and_then(&mut accept);
                if let Some(hit) = hit {
                    return Some((point, hit));
                }
            }
            let mut holds = |target: &mut Target| {
                let is_after_nested = nested_ends.contains(&target.machine.time());
                let arrival = match is_after_nested {
                    true => Arrival::AfterNested,
                    false => Arrival::Running,
                };
                holds(target, arrival)
            };
            let hit = self.last_time_where(&times, &mut holds, &mut accept);
            if hit.is_some() || self.cancelled {
                let hit = hit.filter(|_| !self.cancelled);
                return hit.map(|(time, hit)| (TimePoint::after_starts(time), hit));
            }
        }
        None
    }

    /// The times until `end` at which one of the trap addresses is reached and `prefilter` is true.
    pub fn find_traps(
        &mut self,
        end: u64,
        traps: &[(FunctionId, u32)],
        prefilter: impl Fn(&Machine) -> bool,
    ) -> Found {
        let stop_map = StopMap::new(self.machine.program(), traps, |_| false);
        let prefilter: Option<&dyn Fn(&Machine) -> bool> = Some(&prefilter);
        let mut finder = HitFinder {
            stop_map: &stop_map,
            target: StepTarget::Finish,
            wants_breakpoints: true,
            prefilter,
            end_time: end,
            hit_times: Vec::new(),
        };
        let nested_ends = self.replay_watched(&mut finder, end);
        Found {
            times: finder.hit_times,
            nested_ends,
        }
    }

    /// The times until `end` at which breakpoints may be hit. Most of them are tested on the way.
    pub(crate) fn find_hits(&mut self, end: u64) -> Found {
        self.rebind_breakpoints_quietly();
        let traps = self.debugger.traps();
        if !self
            .debugger
            .breakpoints
            .iter()
            .any(Breakpoint::is_testable)
        {
            return self.find_traps(end, &traps, |_| true);
        }
        let mut found = Found::default();
        self.machine.set_traps(&traps);
        self.machine.set_recording(false);
        let limits = self.machine.limits;
        // As when the history is replayed for any other reason.
        self.machine.limits.max_instructions = 0;
        self.machine.limits.is_memory_enforced = false;
        while self.machine.time() < end && !self.cancelled {
            if self.machine.is_at_trap() {
                trap_test::add_trap_test(self);
                found.times.push(self.machine.time());
            }
            match self.machine.run_until(end) {
                Outcome::Paused(Pause::Trap) => {}
                Outcome::Paused(Pause::Watch) => {
                    trap_test::add_watch_conditions(self);
                    found.times.push(self.machine.time() - 1);
                }
                Outcome::Paused(Pause::Interrupt) => self.cancelled = true,
                Outcome::Finished(_) if !self.machine.is_idle() => {
                    found.nested_ends.push(self.machine.time());
                }
                _ => break,
            }
        }
        self.machine.limits = limits;
        self.machine.set_traps(&[]);
        self.machine.set_recording(true);
        found
    }

    /// The last of the given times for which `holds` returns a value that is accepted. Seeking to each one would
    /// replay from a checkpoint every time, so they are tried in growing batches, each replayed
    /// once.
    fn last_time_where<T, R>(
        &mut self,
        times: &[u64],
        holds: &mut impl FnMut(&mut Target) -> Option<T>,
        accept: &mut impl FnMut(T) -> Option<R>,
    ) -> Option<(u64, R)> {
        let (mut end, mut batch_size) = (times.len(), 1);
        while end > 0 {
            let begin = end.saturating_sub(batch_size);
            self.timeline.seek_into(&mut self.machine, times[begin]);
            let mut candidates = Vec::new();
            for &time in &times[begin..end] {
                self.cancelled |=
                    replay_until(&mut self.machine, time) || self.machine.take_interrupt();
                if self.cancelled {
                    return None;
                }
                candidates.extend(holds(self).map(|result| (time, result)));
            }
            let mut latest_first = candidates.into_iter().rev();
            let found = latest_first.find_map(|(time, result)| Some((time, accept(result)?)));
            if found.is_some() {
                return found;
            }
            (end, batch_size) = (begin, batch_size.saturating_mul(BATCH_GROWTH));
        }
        None
    }

    /// How the next instruction changes a watch target, as old and new value.
    pub(crate) fn next_change(&mut self, watch_target: &WatchTarget) -> Option<(String, String)> {
        if !breakpoint::may_be_about_to_change(self, watch_target) {
            return None;
        }
        let frame = self.machine.frames().len().saturating_sub(1);
        let (before, scope) = (
            breakpoint::watch_value_in_frame(self, watch_target, frame),
            breakpoint::watch_scope(self, watch_target, frame),
        );
        let before_state = self.machine.store.snapshot().0;
        self.with_rollback(|session| {
            let next = session.machine.time() + 1;
            session.machine.run_observed(&mut UntilTime(next));
            let after = breakpoint::watch_value_in_frame(session, watch_target, frame);
            let is_out_of_scope =
                scope.is_some() && breakpoint::watch_scope(session, watch_target, frame) != scope;
            let is_triggered = watch_target.is_triggered_by(before.as_deref(), after.as_deref());
            if !is_triggered || is_out_of_scope {
                return None;
            }
            let (old, new) = (before.unwrap_or_default(), after.unwrap_or_default());
            if !matches!(
                watch_target,
                WatchTarget::Row(_) | WatchTarget::Column(_) | WatchTarget::Board
            ) {
                return Some((old, new));
            }
            let after_state = session.machine.store.snapshot().0;
            let description = diff::describe_change(
                session,
                watch_target,
                (&old, &new),
                [&before_state, &after_state],
            );
            description
                .split_once(" => ")
                .map(|(old, new)| (old.to_string(), new.to_string()))
        })
    }
}

/// Whether the frame at a stack depth is running, or an entry that was typed while it was stopped.
fn is_in_frame(machine: &Machine, depth: usize) -> bool {
    let frame_count = machine.frames().len();
    let typed_at = machine.stopped_frame_below(frame_count.saturating_sub(1));
    frame_count == depth || typed_at.is_some_and(|(frame, _)| frame + 1 == depth)
}
