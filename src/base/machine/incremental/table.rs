//! What is remembered of the units of one loop.

use crate::code::incremental::Unit;
use crate::value::{PagedVec, Value};

/// How many different inputs are remembered of one unit; more if there are more players, because the
/// player whose turn it is tends to be an input.
const MIN_WAYS: usize = 4;
const MAX_WAYS: usize = 8;
/// A table in which nothing was found this many times in a row, per unit, is not used for a while.
const MAX_FAILED_SEARCHES_PER_UNIT: u32 = 4;
/// For how many searches per unit it is not used.
const RESTING_SEARCHES_PER_UNIT: u32 = 64;

/// Index of a remembered unit in its table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry(u32);

#[derive(Clone, Copy, Default)]
struct Head {
    /// The board that it was executed on; 0 if nothing is remembered.
    stamp: u64,
    ticks: u64,
}

/// The registers and globals that a unit sees.
pub(super) struct Slots<'m> {
    pub(super) unit: &'m Unit,
    pub(super) registers: &'m [Value],
    pub(super) globals: &'m [Value],
}

impl Slots<'_> {
    fn inputs(&self) -> impl Iterator<Item = Value> {
        let registers = self.unit.inputs.registers.iter();
        let globals = self.unit.inputs.globals.iter();
        registers
            .map(|r| self.registers[*r as usize])
            .chain(globals.map(|g| global(self.globals, *g)))
    }

    fn outputs(&self) -> impl Iterator<Item = Value> {
        let registers = self.unit.outputs.registers.iter();
        let globals = self.unit.outputs.globals.iter();
        registers
            .map(|r| self.registers[*r as usize])
            .chain(globals.map(|g| global(self.globals, *g)))
    }

    fn counters(&self) -> impl Iterator<Item = Value> {
        let counters = self.unit.counters.iter();
        counters.map(|r| self.registers[*r as usize])
    }
}

fn global(globals: &[Value], index: u32) -> Value {
    let value = globals.get(index as usize).copied();
    value.unwrap_or(Value::NOTHING)
}

/// The units of one loop that are remembered, each with up to a few different inputs.
#[derive(Default)]
pub(super) struct Table {
    ways: usize,
    heads: Vec<Head>,
    /// For each entry: inputs, outputs, and by how much counters are increased.
    values: Vec<Value>,
    /// For each unit, the way that is replaced next.
    next_way: Vec<u8>,
    /// Searches without success since the last one with success.
    failed_searches: u32,
    /// How many searches are still to be left out.
    resting_searches: u32,
}

/// Number of values of an entry.
fn stride(unit: &Unit) -> usize {
    unit.inputs.len() + unit.outputs.len() + unit.counters.len()
}

impl Table {
    /// Forgets everything and frees the memory.
    pub(super) fn clear(&mut self) {
        *self = Table::default();
    }

    #[inline(always)]
    fn values_of(&self, unit: &Unit, entry: Entry) -> &[Value] {
        let stride = stride(unit);
        &self.values[entry.0 as usize * stride..][..stride]
    }

    /// A remembered unit that is valid for the inputs, not older than the last change, and not longer
    /// than `max_ticks`; with its ticks.
    #[inline]
    pub(super) fn find(
        &self,
        slots: &Slots<'_>,
        index: u32,
        changed: u64,
        max_ticks: u64,
    ) -> Option<(Entry, u64)> {
        if self.resting_searches > 0 {
            return None;
        }
        let first = index as usize * self.ways;
        let heads = self.heads.get(first..first + self.ways)?;
        for (way, head) in heads.iter().enumerate() {
            let entry = Entry((first + way) as u32);
            // An entry without content has the stamp 0, which is before any change.
            if head.stamp >= changed.max(1) && head.ticks < max_ticks && self.fits(slots, entry) {
                return Some((entry, head.ticks));
            }
        }
        None
    }

    /// Whether the inputs are the same and the counters do not overflow.
    #[inline]
    fn fits(&self, slots: &Slots<'_>, entry: Entry) -> bool {
        let unit = slots.unit;
        let (inputs, rest) = self.values_of(unit, entry).split_at(unit.inputs.len());
        let (registers, globals) = inputs.split_at(unit.inputs.registers.len());
        let increases = &rest[unit.outputs.len()..];
        has_same_registers(slots, registers)
            && has_same_globals(slots, globals)
            && can_increase(slots, increases)
    }

    /// Sets what a remembered unit sets.
    #[inline]
    pub(super) fn apply(
        &self,
        unit: &Unit,
        entry: Entry,
        registers: &mut [Value],
        globals: &mut PagedVec<Value>,
    ) {
        let values = &self.values_of(unit, entry)[unit.inputs.len()..];
        let (outputs, increases) = values.split_at(unit.outputs.len());
        let (output_registers, output_globals) = outputs.split_at(unit.outputs.registers.len());
        for (n, &value) in output_registers.iter().enumerate() {
            registers[unit.outputs.registers[n] as usize] = value;
        }
        for (n, &value) in output_globals.iter().enumerate() {
            let global = unit.outputs.globals[n] as usize;
            // Writing a page makes the next checkpoint copy it.
            if globals.get(global) != Some(&value) {
                globals.set(global, value);
            }
        }
        for (n, &r) in unit.counters.iter().enumerate() {
            let counter = &mut registers[r as usize];
            *counter = increased(*counter, increases[n]).unwrap_or(*counter);
        }
    }

    /// Notes that a search was successful.
    #[inline]
    pub(super) fn note_hit(&mut self) {
        self.failed_searches = 0;
    }

    /// Chooses an entry for a unit that is about to be executed, and remembers its inputs. `None` if the
    /// unit cannot be remembered.
    pub(super) fn begin(
        &mut self,
        slots: &Slots<'_>,
        index: u32,
        changed: u64,
        (count, owners): (u32, usize),
    ) -> Option<Entry> {
        if self.resting_searches > 0 {
            self.resting_searches -= 1;
            return None;
        }
        self.failed_searches += 1;
        if self.failed_searches > count.saturating_mul(MAX_FAILED_SEARCHES_PER_UNIT) + 64 {
            self.failed_searches = 0;
            self.resting_searches = count.saturating_mul(RESTING_SEARCHES_PER_UNIT);
            return None;
        }
        if slots.inputs().any(|value| value.as_heap().is_some()) {
            return None;
        }
        let stride = stride(slots.unit);
        if self.heads.is_empty() {
            self.ways = owners.clamp(MIN_WAYS, MAX_WAYS);
            let entries = count as usize * self.ways;
            self.heads = vec![Head::default(); entries];
            self.values = vec![Value::NOTHING; entries * stride];
            self.next_way = vec![0; count as usize];
        }
        let first = index as usize * self.ways;
        let heads = self.heads.get_mut(first..first + self.ways)?;
        let way = match heads.iter().position(|head| head.stamp < changed) {
            Some(outdated) => outdated,
            None => {
                let next = &mut self.next_way[index as usize];
                *next = (*next + 1) % self.ways as u8;
                *next as usize
            }
        };
        heads[way].stamp = 0;
        let entry = first + way;
        let values = &mut self.values[entry * stride..][..stride];
        let (inputs, rest) = values.split_at_mut(slots.unit.inputs.len());
        for (to, value) in inputs.iter_mut().zip(slots.inputs()) {
            *to = value;
        }
        for (to, value) in rest[slots.unit.outputs.len()..]
            .iter_mut()
            .zip(slots.counters())
        {
            *to = value;
        }
        Some(Entry(entry as u32))
    }

    /// Remembers what a unit has set, and how long it took.
    pub(super) fn finish(&mut self, slots: &Slots<'_>, entry: Entry, stamp: u64, ticks: u64) {
        let stride = stride(slots.unit);
        let values = &mut self.values[entry.0 as usize * stride..][..stride];
        let (outputs, counters) =
            values[slots.unit.inputs.len()..].split_at_mut(slots.unit.outputs.len());
        for (to, value) in outputs.iter_mut().zip(slots.outputs()) {
            if value.as_heap().is_some() {
                return;
            }
            *to = value;
        }
        for (to, value) in counters.iter_mut().zip(slots.counters()) {
            if !to.are_ints(value) {
                return;
            }
            let Some(by) = value.int_payload().checked_sub(to.int_payload()) else {
                return;
            };
            *to = Value::int(by);
        }
        self.heads[entry.0 as usize] = Head { stamp, ticks };
    }
}

// These run for every unit of a loop. They count instead of using `zip`, which is not inlined here and
// took twice as long.

#[inline(always)]
fn has_same_registers(slots: &Slots<'_>, values: &[Value]) -> bool {
    let registers = &slots.unit.inputs.registers;
    (0..values.len()).all(|n| slots.registers[registers[n] as usize] == values[n])
}

#[inline(always)]
fn has_same_globals(slots: &Slots<'_>, values: &[Value]) -> bool {
    let globals = &slots.unit.inputs.globals;
    (0..values.len()).all(|n| global(slots.globals, globals[n]) == values[n])
}

#[inline(always)]
fn can_increase(slots: &Slots<'_>, increases: &[Value]) -> bool {
    let counters = &slots.unit.counters;
    (0..increases.len()).all(|n| {
        let counter = slots.registers[counters[n] as usize];
        increased(counter, increases[n]).is_some()
    })
}

/// A counter after it was increased; `None` if it is not a 32-bit integer before or after that.
#[inline]
fn increased(counter: Value, by: Value) -> Option<Value> {
    let sum = counter.int_payload().checked_add(by.int_payload())?;
    counter.is_int().then_some(Value::int(sum))
}
