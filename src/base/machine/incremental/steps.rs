//! What the instructions of reusable loops do: start a loop, and go from one unit to the next.

use super::position::advance;
use super::{Level, LoopKey, UnitStep};
use crate::code::incremental::UnitKind;
use crate::machine::run::{CELL_BITS, TICK, cells_state};
use crate::machine::runtime_error::no_board;
use crate::machine::{Frame, Machine, RuntimeError};
use crate::value::Value;

impl Machine {
    /// Starts a loop, in place of the instruction that `UnitsStart`
    /// replaces; skips the first unit if it is known.
    #[inline(never)]
    pub(in crate::machine) fn start_units(
        &mut self,
        unit: u16,
        now: u64,
    ) -> Result<UnitStep, Box<RuntimeError>> {
        let Some((key, frame)) = self.current_loop(unit) else {
            return Ok(UnitStep { to: None, ticks: 0 });
        };
        let (kind, base, head, next) = {
            let unit = &self.image.incremental.reusable(key).unit;
            (unit.kind, unit.base, unit.head, unit.next)
        };
        let first = frame.base as usize + base as usize;
        match kind {
            UnitKind::Range => {
                let (from, end) = (self.stack.registers[first], self.stack.registers[first + 1]);
                for bound in [from, end] {
                    if !bound.is_int() {
                        return Err(self.values().type_error("a number as a bound", bound));
                    }
                }
                if from.int_payload() >= end.int_payload() {
                    let to = Some(next + 1);
                    return Ok(UnitStep { to, ticks: 0 });
                }
            }
            UnitKind::Pieces | UnitKind::Cells if self.store.rows == 0 => {
                return Err(no_board());
            }
            UnitKind::Pieces => {
                let (rows, cols) = (self.store.rows, self.store.cols);
                self.stack.registers[first] = cells_state(1, rows * cols);
                self.stack.registers[first + 1] = self.store.cell(0);
                self.incremental.row_end = cols;
            }
            UnitKind::Cells => {
                self.stack.registers[first] = Value::loop_state(0);
                self.stack.registers[first + 1] = Value::int(0);
                self.stack.registers[first + 2] = Value::int(0);
            }
        }
        let starts = &mut self.image.incremental.reusable_mut(key).starts;
        *starts = starts.saturating_add(1);
        // A unit around this call is still being executed; others were left by a return.
        for level in [Level::Unit, Level::Group] {
            let recording = self.incremental.recording(level);
            if recording.is_some_and(|r| r.depth >= self.stack.frames.len()) {
                *recording = None;
            }
        }
        let skipped = self.skip(key, &frame, now);
        Ok(match skipped {
            Some(ticks) => UnitStep {
                to: Some(next),
                ticks,
            },
            None => UnitStep {
                to: Some(head),
                ticks: 0,
            },
        })
    }

    fn current_loop(&self, unit: u16) -> Option<(LoopKey, Frame)> {
        let frame = *self.stack.frames.last()?;
        Some((self.image.loop_key(&frame, unit)?, frame))
    }

    /// After a safepoint: skips the unit that starts at `frame.pc`, if there is one and it is known.
    #[inline(never)]
    pub(in crate::machine) fn resume_units(&mut self, frame: &Frame, now: u64) -> Option<UnitStep> {
        let function = self.image.linked_functions[frame.function.0 as usize].incremental;
        let loops = &self
            .image
            .incremental
            .functions
            .get(function as usize)?
            .loops;
        let unit = loops.iter().position(|l| l.unit.head == frame.pc)?;
        let next = loops[unit].unit.next;
        let unit = unit as u16;
        let ticks = self.skip(LoopKey { function, unit }, frame, now)?;
        let to = Some(next);
        Some(UnitStep { to, ticks })
    }

    /// Ends a unit at its last instruction, which has already taken its time; starts the next one,
    /// and skips units as far as they are known.
    #[inline(never)]
    pub(in crate::machine) fn next_unit(&mut self, unit: u16, now: u64) -> UnitStep {
        let Some((key, frame)) = self.current_loop(unit) else {
            return UnitStep { to: None, ticks: 0 };
        };
        let (kind, base, head) = {
            let unit = &self.image.incremental.reusable(key).unit;
            (unit.kind, unit.base, unit.head)
        };
        let first = frame.base as usize + base as usize;
        let mut passed = 0;
        let is_at_end = match kind {
            UnitKind::Range | UnitKind::Cells => true,
            // A run that was resumed inside of a row does not know its end.
            UnitKind::Pieces => {
                let at = (self.stack.registers[first].payload() >> CELL_BITS) as u32;
                at.is_multiple_of(self.store.cols.max(1))
            }
        };
        if is_at_end {
            self.end_unit(key, &frame, now - TICK);
        }
        loop {
            if !advance(
                kind,
                &mut self.stack.registers[first..],
                &self.store,
                &mut self.incremental.row_end,
            ) {
                return UnitStep {
                    to: None,
                    ticks: passed,
                };
            }
            if !is_at_end || now + passed >= self.next_safepoint_ticks {
                break;
            }
            let Some(skipped) = self.skip(key, &frame, now + passed) else {
                break;
            };
            self.end_unit(key, &frame, now + passed + skipped);
            passed += skipped + TICK;
        }
        UnitStep {
            to: Some(head),
            ticks: passed,
        }
    }
}
