//! Finding a time in the past. Whoever searches runs forward from a checkpoint and looks on; the last segment before
//! the time comes first. Ctrl-C ends every search: then nothing was found, and [`Session::had_enough`] says why.

use super::Session;
use crate::code::{FunctionId, Program};
use crate::debugger::timeline::replay_until;
use crate::debugger::{Access, HitFinder, Location, StepTarget, StopMap, WatchTarget, breakpoint};
use crate::machine::{BoundedObserver, Machine, Observer, Outcome, Pause, UntilTime};
use std::rc::Rc;

/// What is sought mostly lies near: so many steps before the time are looked at first.
const NEAR: u64 = 2_000;

/// Of many times at which something may have happened so many more are tried at once, when the last were in vain.
const MORE: usize = 16;

impl Session {
    /// Whether somebody has pressed Ctrl-C while the past was searched, since this was last asked.
    pub fn take_cancelled(&mut self) -> bool {
        std::mem::take(&mut self.cancelled)
    }

    /// The last time before `time` at which a goal was reached. The machine is left there; or somewhere, if there is none.
    pub(super) fn search_back(
        &mut self,
        time: u64,
        goal: &StepTarget,
        marks: impl Fn(&Session) -> StopMap,
    ) -> Option<u64> {
        let mut until = time;
        // Each part of the past has its own program.
        let mut marked: Option<(Rc<Program>, StopMap)> = None;
        let mut starts = self.timeline.checkpoint_times_before(time);
        if let Some(&latest) = starts.first()
            && time - latest > NEAR
        {
            starts.insert(0, time - NEAR);
        }
        for start in starts {
            if start >= until || self.cancelled {
                continue;
            }
            // A long call need not be gone through again to know that it did not end.
            if goal
                .max_depth()
                .is_some_and(|most| self.timeline.min_depth_between(start, until) > most)
            {
                until = start;
                continue;
            }
            self.timeline.seek_into(&mut self.machine, start);
            // From here it is not as far as from the last checkpoint.
            let here = self.machine.checkpoint();
            let program = self.program().clone();
            let (_, marks) = match marked.take().filter(|(of, _)| Rc::ptr_eq(of, &program)) {
                Some(same) => marked.insert(same),
                None => marked.insert((program, marks(self))),
            };
            let (goal, found) = (goal.clone(), Vec::new());
            let mut finder = HitFinder {
                stop_map: marks,
                target: goal,
                wants_breakpoints: false,
                prefilter: None,
                end_time: until,
                hit_times: found,
            };
            self.replay_watched(&mut finder, until);
            if let Some(&found) = finder.hit_times.last().filter(|_| !self.cancelled) {
                self.machine.restore(&here);
                replay_until(&mut self.machine, found);
                return Some(found);
            }
            until = start;
        }
        None
    }

    /// Runs through the past with a watcher until it pauses, by `until` at the latest: through what was typed in the
    /// midst, and on behind it.
    pub(super) fn replay_watched(&mut self, watcher: &mut dyn Observer, until: u64) {
        self.machine.set_recording(false);
        loop {
            let edge = self
                .timeline
                .next_nested_time()
                .filter(|edge| *edge < until);
            let outcome = match edge {
                Some(time) => self.machine.run_observed(&mut BoundedObserver {
                    inner: watcher,
                    time,
                }),
                None => self.machine.run_observed(watcher),
            };
            match outcome {
                Outcome::Finished(_) if !self.machine.is_idle() => {}
                Outcome::Paused(Pause::Observer)
                    if edge.is_some_and(|edge| self.machine.time() >= edge)
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

    /// The last time before `now` that a breakpoint would have stopped, and which.
    pub(super) fn last_breakpoint_hit(&mut self, now: u64) -> Option<(u64, String)> {
        let traps = |s: &mut Session| {
            s.rebind_breakpoints_quietly();
            s.debugger.traps()
        };
        self.search_traps(now, traps, |_| true, Session::breakpoint_hit_here)
    }

    /// When something was last changed before `now`: the time just before the change, and what it became.
    pub fn last_change(
        &mut self,
        watched: &WatchTarget,
        now: u64,
    ) -> Option<(u64, String, String)> {
        let spot = Location::Watch(watched.clone(), Access::Change);
        let own = matches!(watched, WatchTarget::Local(..)).then(|| self.life_of_frame(now));
        let found = self.search_traps(
            now,
            |s| breakpoint::resolve(&spot, s.machine.program(), &s.sources),
            |machine| {
                own.is_none_or(|(depth, _)| machine.frames().len() == depth)
                    && machine
                        .current_location()
                        .is_none_or(|at| super::watchpoint::may_change(watched, machine, at))
            },
            |s| s.next_change(watched),
        );
        let found = found.filter(|(time, _)| own.is_none_or(|(_, since)| *time >= since));
        found.map(|(time, (old, new))| (time, old, new))
    }

    /// How many frames there are up to the one that is looked from, and since when it has been there: another call of
    /// the same function has variables of its own.
    fn life_of_frame(&mut self, now: u64) -> (usize, u64) {
        let depth = self
            .machine
            .frames()
            .len()
            .saturating_sub(self.debugger.selected_frame)
            .max(1);
        let began = self.outermost_entry().map_or(0, |r| r.before.time);
        let marks = |s: &Session| s.debugger.stop_map(s.program(), &[]);
        let called = self.with_time(|s| s.search_back(now, &StepTarget::Out(depth), marks));
        (depth, called.unwrap_or(began))
    }

    /// The last time before `now` that one of some instructions was reached, was `likely`, and then `holds`.
    fn search_traps<R>(
        &mut self,
        now: u64,
        traps: impl Fn(&mut Session) -> Vec<(FunctionId, u32)>,
        likely: impl Fn(&Machine) -> bool,
        mut holds: impl FnMut(&mut Session) -> Option<R>,
    ) -> Option<(u64, R)> {
        let mut until = now;
        for start in self.timeline.checkpoint_times_before(now) {
            if start >= until {
                continue;
            }
            self.timeline.seek_into(&mut self.machine, start);
            // Each part of the past has its own program.
            let traps = traps(self);
            let marks = StopMap::new(self.machine.program(), &traps, |_| false);
            let likely: Option<&dyn Fn(&Machine) -> bool> = Some(&likely);
            let mut finder = HitFinder {
                stop_map: &marks,
                target: StepTarget::Finish,
                wants_breakpoints: true,
                prefilter: likely,
                end_time: until,
                hit_times: Vec::new(),
            };
            self.replay_watched(&mut finder, until);
            let found = self.last_of(&finder.hit_times, &mut holds);
            if found.is_some() || self.cancelled {
                return found.filter(|_| !self.cancelled);
            }
            until = start;
        }
        None
    }

    /// The last of some times at which something holds. Going to each of them would take a run from its checkpoint
    /// each: so it is tried in rows that grow, each passed through once.
    fn last_of<R>(
        &mut self,
        times: &[u64],
        holds: &mut impl FnMut(&mut Session) -> Option<R>,
    ) -> Option<(u64, R)> {
        let (mut end, mut row) = (times.len(), 1);
        while end > 0 {
            let begin = end.saturating_sub(row);
            self.timeline.seek_into(&mut self.machine, times[begin]);
            let mut last = None;
            for &time in &times[begin..end] {
                self.cancelled |=
                    replay_until(&mut self.machine, time) || self.machine.take_interrupt();
                if self.cancelled {
                    return None;
                }
                if let Some(found) = holds(self) {
                    last = Some((time, found));
                }
            }
            if last.is_some() {
                return last;
            }
            (end, row) = (begin, row.saturating_mul(MORE));
        }
        None
    }

    /// What the next instruction makes of something, if it changes it.
    pub(super) fn next_change(&mut self, watched: &WatchTarget) -> Option<(String, String)> {
        let frame = self.machine.frames().len().saturating_sub(1);
        let (before, register) = (
            self.watch_value_in_frame(watched, frame),
            self.local_register(watched, frame),
        );
        let image = self.machine.store.snapshot().0;
        self.with_rollback(|session| {
            let next = session.machine.time() + 1;
            session.machine.run_observed(&mut UntilTime(next));
            let after = session.watch_value_in_frame(watched, frame);
            let left = register.is_some() && session.local_register(watched, frame) != register;
            if after == before || left {
                return None;
            }
            let (old, new) = (before.unwrap_or_default(), after.unwrap_or_default());
            if !matches!(
                watched,
                WatchTarget::Row(_) | WatchTarget::Column(_) | WatchTarget::Board
            ) {
                return Some((old, new));
            }
            let now = session.machine.store.snapshot().0;
            let words = session.describe_change(watched, (&old, &new), [&image, &now]);
            words
                .split_once(" => ")
                .map(|(old, new)| (old.to_string(), new.to_string()))
        })
    }
}
