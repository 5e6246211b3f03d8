//! Which breakpoints stop when going back.

use super::api::{Hit, WatchHit};
use super::breakpoint_hits::is_several;
use super::{Access, Breakpoint, HitCondition, Location, Target};

/// A breakpoint whose hits are numbered, on the way back.
struct HitCounter {
    breakpoint: u32,
    condition: HitCondition,
    /// The number of the next hit on the way back. Below 1 if it was not counted on the way forward.
    next_number: i64,
}

impl HitCounter {
    /// The number of the hit that has been reached.
    fn count_back(&mut self) -> i64 {
        self.next_number -= 1;
        self.next_number + 1
    }
}

impl Target {
    /// The last time before `now` at which a breakpoint would have stopped, and its message. The
    /// machine is left there, or at an unspecified time if there is none. Hits on the way there are
    /// counted back.
    pub(crate) fn last_breakpoint_hit(&mut self, now: u64) -> Option<(u64, Hit)> {
        let mut counters = self.hit_counters();
        let traps = |s: &mut Target| {
            s.rebind_breakpoints_quietly();
            s.debugger.traps()
        };
        let stopping_hit = |hits: Vec<Hit>| {
            let mut stops = |hit: &Hit| match counters.iter_mut().find(|c| c.breakpoint == hit.id) {
                Some(counter) => counter.condition.includes(counter.count_back()),
                None => true,
            };
            // All of them, so that each is counted.
            let stopping: Vec<Hit> = hits.into_iter().filter(|hit| stops(hit)).collect();
            stopping.into_iter().next()
        };
        let holds = |s: &mut Target| Some(s.hits_here()).filter(|hits| !hits.is_empty());
        let found = self.last_trap_where(now, traps, |_| true, holds, stopping_hit);
        if let Some((time, _)) = found {
            self.timeline.seek_into(&mut self.machine, time);
            self.set_hit_counts(&counters);
        }
        found
    }

    fn hit_counters(&mut self) -> Vec<HitCounter> {
        let is_counted = |b: &&Breakpoint| b.is_enabled && b.hit_condition.is_some();
        if !self.debugger.breakpoints.iter().any(|b| is_counted(&b)) {
            return Vec::new();
        }
        let hits_now = self.hits_here();
        let breakpoints = self.debugger.breakpoints.iter().filter(is_counted);
        let to_counter = |b: &Breakpoint| {
            // The hit at the current instruction has been counted.
            let is_here = hits_now.iter().any(|hit| hit.id == b.number);
            Some(HitCounter {
                breakpoint: b.number,
                condition: b.hit_condition?,
                next_number: b.hit_count as i64 - i64::from(is_here),
            })
        };
        breakpoints.filter_map(to_counter).collect()
    }

    /// Continues with the counts that the breakpoints had at the current time.
    fn set_hit_counts(&mut self, counters: &[HitCounter]) {
        let hits = self.hits_here();
        for counter in counters {
            let is_here = hits.iter().any(|hit| hit.id == counter.breakpoint);
            let count = counter.next_number + i64::from(is_here);
            let mut breakpoints = self.debugger.breakpoints.iter_mut();
            if let Some(b) = breakpoints.find(|b| b.number == counter.breakpoint) {
                b.hit_count = count.max(0) as u64;
            }
        }
    }

    /// The breakpoints at the current instruction whose condition is not false.
    fn hits_here(&mut self) -> Vec<Hit> {
        let Some(at) = self.machine.current_location() else {
            return Vec::new();
        };
        let candidates: Vec<(u32, Location, Option<String>)> = self
            .debugger
            .breakpoints
            .iter()
            .filter(|b| b.is_enabled && b.log_message.is_none() && b.addresses.contains(&at))
            .map(|b| (b.number, b.location.clone(), b.condition.clone()))
            .collect();
        let mut hits = Vec::new();
        for (number, location, condition) in candidates {
            if let Some(condition) = condition
                && self.eval(&condition, |_, v| v.as_bool()).ok().flatten() == Some(false)
            {
                continue;
            }
            hits.extend(self.hit_of(number, &location));
        }
        hits
    }

    /// What the next instruction does to a breakpoint at it.
    fn hit_of(&mut self, number: u32, location: &Location) -> Option<Hit> {
        let hit = |event, watched| {
            Some(Hit {
                id: number,
                event,
                watched,
            })
        };
        match location {
            Location::Watch(watch_target, access) => {
                let label = self.watch_label(watch_target);
                if let Some((old, new)) = self
                    .next_change(watch_target)
                    .filter(|_| *access != Access::Read)
                {
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
                if *access != Access::Change && self.is_about_to_read(watch_target) {
                    let read = WatchHit::Read {
                        target: label,
                        value: None,
                    };
                    return hit(None, Some(read));
                }
                None
            }
            Location::Event(event, cell) if self.event_matches(*event, *cell) => {
                hit(Some(event.name()), None)
            }
            Location::Event(..) => None,
            Location::Line { .. } | Location::Function(_) => hit(None, None),
        }
    }
}
