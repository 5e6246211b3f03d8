//! Where a loop with units is.

use crate::code::incremental::{Unit, UnitKind};
use crate::machine::run::{CELL_BITS, CELL_MASK};
use crate::value::{Store, Value};

/// The number of the unit that is about to start, and the number after the last one; `None` if a loop
/// over cells is not at the start of a row.
#[inline]
pub(super) fn position(
    unit: &Unit,
    registers: &[Value],
    store: &Store,
) -> Option<(u32, Option<u32>)> {
    let base = unit.base as usize;
    let state = registers[base];
    match unit.kind {
        UnitKind::Range => {
            let number = u32::try_from(state.int_payload()).ok()?;
            let end = u32::try_from(registers[base + 1].int_payload()).ok();
            let is_int = state.are_ints(registers[base + 1]);
            (is_int && number < store.rows.max(store.cols)).then_some((number, end))
        }
        UnitKind::Cells => {
            let (row, col) = (state.payload() >> CELL_BITS, state.payload() & CELL_MASK);
            let is_start = col == 0 && row < u64::from(store.rows);
            is_start.then_some((row as u32, Some(store.rows)))
        }
        UnitKind::Pieces => {
            let at = ((state.payload() >> CELL_BITS) as u32).checked_sub(1)?;
            let is_start = store.cols > 0 && at.is_multiple_of(store.cols);
            is_start.then(|| (at / store.cols, Some(store.rows)))
        }
    }
}

/// The number of the unit that has just ended.
pub(super) fn ended_unit(unit: &Unit, registers: &[Value], store: &Store) -> Option<u32> {
    let state = registers[unit.base as usize];
    match unit.kind {
        UnitKind::Range => u32::try_from(state.int_payload()).ok(),
        UnitKind::Cells => Some((state.payload() >> CELL_BITS) as u32),
        UnitKind::Pieces => {
            let at = (state.payload() >> CELL_BITS) as u32;
            (at / store.cols.max(1)).checked_sub(1)
        }
    }
}

/// What the last instruction of a loop does: goes to the next number or cell. Returns false at the
/// end of the loop. `registers` start with those of the loop; `row_end` is set in a loop over all cells.
#[inline(always)]
pub(super) fn advance(
    kind: UnitKind,
    registers: &mut [Value],
    store: &Store,
    row_end: &mut u32,
) -> bool {
    let state = registers[0];
    match kind {
        UnitKind::Range => {
            let next = i64::from(state.int_payload()) + 1;
            let has_next = next < i64::from(registers[1].int_payload());
            if has_next {
                registers[0] = Value::int(next as i32);
            }
            has_next
        }
        UnitKind::Pieces => {
            let state = state.payload();
            let (at, end) = ((state >> CELL_BITS) as u32, (state & CELL_MASK) as u32);
            let (count, cols) = (store.cells.len() as u32, store.cols.max(1));
            if at == end || at >= count {
                return false;
            }
            let end = if end > at { end.min(count) } else { count };
            *row_end = (at - at % cols + cols).min(end);
            registers[0] = Value::loop_state(state + (1 << CELL_BITS));
            registers[1] = store.cell(at);
            true
        }
        UnitKind::Cells => {
            let row = (state.payload() >> CELL_BITS) + 1;
            let has_next = row < u64::from(store.rows);
            if has_next {
                registers[0] = Value::loop_state(row << CELL_BITS);
                registers[1] = Value::int(row as i32);
                registers[2] = Value::int(0);
            }
            has_next
        }
    }
}
