//! Reverse search: finds a time in the past by replaying from checkpoints, the last segment first.
//!
//! Ctrl-C cancels a search: it then finds nothing, and [`Target::take_cancelled`] returns true.

use super::timeline::{SegmentsBefore, replay_until};
use crate::answer::Access;
use crate::code::{FunctionId, FunctionKind, Program};
use crate::diff;
use crate::history::entries;
use crate::machine::{BoundedObserver, Machine, Observer, Outcome, Pause, UntilTime};
use crate::{HitFinder, Location, StepTarget, StopMap, Target, WatchTarget, breakpoint};
use std::ops::Range;
use std::rc::Rc;

/// After a failed batch of candidate times, the next batch is this many times larger.
const BATCH_GROWTH: usize = 16;

impl Target {
    /// Whether Ctrl-C has cancelled a search since the last call.
    pub fn take_cancelled(&mut self) -> bool {
        std::mem::take(&mut self.cancelled)
    }

    /// The last time before `time` at which the target was reached. The machine is left there, or
    /// at an unspecified time if there is none.
    pub(crate) fn search_back(
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
    /// entries are replayed too.
    pub fn replay_watched(&mut self, observer: &mut dyn Observer, until: u64) {
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
                Outcome::Finished(_) if !self.machine.is_idle() => {}
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
        let change = self.last_trap_where(
            now,
            |s| breakpoint::resolve(&location, s.machine.program(), &s.sources),
            |machine| {
                // What an expression depends on may also be changed by a function that is called.
                let is_called = |depth| machine.frames().len() > depth && !is_local;
                frame_limits
                    .is_none_or(|(depth, _)| is_in_frame(machine, depth) || is_called(depth))
                    && machine.current_location().is_none_or(|at| {
                        crate::breakpoint::watch_value::may_change(watch_target, machine, at)
                    })
            },
            |s| {
                let top = s.machine.frames().len().saturating_sub(1);
                let is_here = is_local
                    || frame_limits.is_none_or(|(depth, _)| {
                        breakpoint::watch_scope(s, watch_target, top) == Some(depth - 1)
                    });
                is_here.then(|| s.next_change(watch_target)).flatten()
            },
            Some,
        );
        let change =
            change.filter(|(time, _)| frame_limits.is_none_or(|(_, since)| *time >= since));
        change.map(|(time, (old, new))| (time, old, new))
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

    /// The last time before `now` at which one of the trap addresses was reached, `prefilter` was
    /// true, `holds` returned a value and `accept` accepted it. `accept` is called with the values
    /// in reverse order.
    pub fn last_trap_where<T, R>(
        &mut self,
        now: u64,
        traps: impl Fn(&mut Target) -> Vec<(FunctionId, u32)>,
        prefilter: impl Fn(&Machine) -> bool,
        mut holds: impl FnMut(&mut Target) -> Option<T>,
        mut accept: impl FnMut(T) -> Option<R>,
    ) -> Option<(u64, R)> {
        let mut segments = SegmentsBefore::between_checkpoints(now);
        while let Some(Range { start, end }) = segments.next(&self.timeline) {
            self.timeline.seek_into(&mut self.machine, start);
            // Older parts of the history have older programs.
            let traps = traps(self);
            let stop_map = StopMap::new(self.machine.program(), &traps, |_| false);
            let prefilter: Option<&dyn Fn(&Machine) -> bool> = Some(&prefilter);
            let mut finder = HitFinder {
                stop_map: &stop_map,
                target: StepTarget::Finish,
                wants_breakpoints: true,
                prefilter,
                end_time: end,
                hit_times: Vec::new(),
            };
            self.replay_watched(&mut finder, end);
            let hit = self.last_time_where(&finder.hit_times, &mut holds, &mut accept);
            if hit.is_some() || self.cancelled {
                return hit.filter(|_| !self.cancelled);
            }
        }
        None
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
