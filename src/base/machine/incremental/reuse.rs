//! Skips units that are known, and remembers those that are executed.

use super::position::{ended_unit, position};
use super::table::Slots;
use super::{Level, LoopKey, MAX_UNITS, MIN_STARTS, Recording, UNITS_PER_GROUP};
use crate::code::incremental::UnitKind;
use crate::machine::run::TICK;
use crate::machine::{Frame, Machine};
use crate::value::Value;

/// This many skipped instructions count like one for the distance between checkpoints.
const SKIPPED_PER_COUNTED: u64 = 4;

impl Machine {
    /// At the start of a unit: skips it, or a whole group, and returns its ticks. Otherwise starts to
    /// remember it.
    pub(super) fn skip(&mut self, key: LoopKey, frame: &Frame, now: u64) -> Option<u64> {
        let is_outdated =
            self.store.cells.has_changes() || !self.incremental.stamps.has_size_of(&self.store);
        if is_outdated && self.incremental.stamps.update(&mut self.store) {
            self.incremental.forget_position();
            self.image.incremental.clear_tables();
        }
        let known = self.image.incremental.reusable(key);
        if known.starts < MIN_STARTS {
            return None;
        }
        let unit = &known.unit;
        let (number, end) = position(
            unit,
            &self.stack.registers[frame.base as usize..],
            &self.store,
        )?;
        if number >= MAX_UNITS || frame.call_depth + unit.call_depth > self.limits.max_call_depth {
            return None;
        }
        let starts_group = number.is_multiple_of(UNITS_PER_GROUP)
            && unit.has_fixed_end
            && end.is_some_and(|end| number + UNITS_PER_GROUP <= end);
        if starts_group && let Some(ticks) = self.reuse(key, frame, Level::Group, number, now) {
            return Some(ticks);
        }
        self.reuse(key, frame, Level::Unit, number, now)
    }

    /// Skips the unit or group that starts with unit `number`, if it is known; otherwise starts to
    /// remember it.
    fn reuse(
        &mut self,
        key: LoopKey,
        frame: &Frame,
        level: Level,
        number: u32,
        now: u64,
    ) -> Option<u64> {
        let count = match level {
            Level::Unit => 1,
            Level::Group => UNITS_PER_GROUP,
        };
        let index = number / count;
        let known = self.image.incremental.reusable(key);
        let registers = &self.stack.registers[frame.base as usize..];
        let stamps = &self.incremental.stamps;
        let changed = stamps.latest_change(known.unit.reach, number, count);
        let max_ticks = self.incremental.hard_end.saturating_sub(now);
        let slots = Slots {
            unit: &known.unit,
            registers,
            globals: self.store.globals.as_slice(),
        };
        let found = known.table(level).find(&slots, index, changed, max_ticks);
        let Some((entry, ticks)) = found else {
            self.remember(key, frame, level, index, changed, now);
            return None;
        };
        if now + ticks >= self.next_safepoint_ticks && !self.has_memory_for(key) {
            return None;
        }
        let (unit, table) = self.image.incremental.reusable_mut(key).parts(level);
        let registers = &mut self.stack.registers[frame.base as usize..];
        table.note_hit();
        table.apply(unit, entry, registers, &mut self.store.globals);
        if unit.kind == UnitKind::Range {
            registers[unit.base as usize] = Value::int((number + count - 1) as i32);
        }
        self.incremental.counts.reused += 1;
        // Going back over skipped instructions is cheaper than over others, so fewer checkpoints do.
        let uncounted = ticks / TICK * (SKIPPED_PER_COUNTED - 1) / SKIPPED_PER_COUNTED;
        self.recorder.postpone(uncounted);
        Some(ticks)
    }

    /// Whether a check of the memory limit inside of a unit would pass.
    #[cold]
    fn has_memory_for(&self, key: LoopKey) -> bool {
        let unit = &self.image.incremental.reusable(key).unit;
        let bytes = unit.call_registers as usize * size_of::<Value>()
            + unit.call_depth as usize * size_of::<Frame>();
        !self.exceeds_memory(2 * bytes as u64)
    }

    #[inline(never)]
    fn remember(
        &mut self,
        key: LoopKey,
        frame: &Frame,
        level: Level,
        index: u32,
        changed: u64,
        now: u64,
    ) {
        // Inside of a unit that is being remembered, only look units up.
        let depth = self.stack.frames.len();
        let outer = *self.incremental.recording(level);
        if outer.is_some_and(|r| r.depth < depth) {
            return;
        }
        *self.incremental.recording(level) = None;
        let ways = self.image.program.owners.len();
        let side = self.store.rows.max(self.store.cols).min(MAX_UNITS);
        let count = match level {
            Level::Unit => side,
            Level::Group => side.div_ceil(UNITS_PER_GROUP),
        };
        let (unit, table) = self.image.incremental.reusable_mut(key).parts(level);
        let slots = Slots {
            unit,
            registers: &self.stack.registers[frame.base as usize..],
            globals: self.store.globals.as_slice(),
        };
        let entry = table.begin(&slots, index, changed, (count, ways));
        *self.incremental.recording(level) = entry.map(|entry| Recording {
            key,
            index,
            entry,
            depth,
            start: now,
            stamp: self.incremental.stamps.now(),
        });
    }

    /// The unit at which a loop is has ended; `now` is the time before its last instruction.
    #[inline]
    pub(super) fn end_unit(&mut self, key: LoopKey, frame: &Frame, now: u64) {
        if self.incremental.unit.is_some() || self.incremental.group.is_some() {
            self.end_remembered_unit(key, frame, now);
        }
    }

    #[inline(never)]
    fn end_remembered_unit(&mut self, key: LoopKey, frame: &Frame, now: u64) {
        self.finish(key, frame, Level::Unit, now);
        if let Some(group) = self.incremental.group.filter(|g| g.key == key) {
            let unit = &self.image.incremental.reusable(key).unit;
            let registers = &self.stack.registers[frame.base as usize..];
            let number = ended_unit(unit, registers, &self.store);
            if number == Some((group.index + 1) * UNITS_PER_GROUP - 1) {
                self.finish(key, frame, Level::Group, now);
            }
        }
    }

    fn finish(&mut self, key: LoopKey, frame: &Frame, level: Level, now: u64) {
        let depth = self.stack.frames.len();
        let recording = self.incremental.recording(level);
        let Some(ended) = recording.filter(|r| r.key == key && r.depth == depth) else {
            return;
        };
        *recording = None;
        if self.store.cells.has_changes() {
            return;
        }
        let (unit, table) = self.image.incremental.reusable_mut(key).parts(level);
        let slots = Slots {
            unit,
            registers: &self.stack.registers[frame.base as usize..],
            globals: self.store.globals.as_slice(),
        };
        table.finish(&slots, ended.entry, ended.stamp, now - ended.start);
        self.incremental.counts.remembered += (level == Level::Unit) as u64;
    }
}
