//! Scans the board for pieces that respond to an event: a loop over the cells, as a single instruction.

use super::{Machine, NO_FUNCTION};
use crate::code::PieceEvent;
use crate::value::Value;

impl Machine {
    /// The first piece at or after position `from`, in column-major order, that responds to the event:
    /// the position after it, and a reference to it.
    pub(super) fn next_handling_piece(
        &self,
        from: i64,
        event: PieceEvent,
    ) -> Option<(Value, Value)> {
        let responds = |handlers: &[u32; 2]| handlers[event as usize] != NO_FUNCTION;
        if !self.handlers.iter().any(responds) {
            return None;
        }
        let (rows, cols) = (self.store.rows as usize, self.store.cols as usize);
        let cells = self.store.cells.as_slice();
        let from = usize::try_from(from).unwrap_or(0);
        let mut first_row = from.checked_rem(rows)?;
        for col in from / rows..cols {
            // One column is every `cols`th cell.
            let column = cells
                .iter()
                .enumerate()
                .skip(first_row * cols + col)
                .step_by(cols);
            for (row, (at, value)) in (first_row..).zip(column) {
                let handlers = value
                    .as_piece()
                    .and_then(|p| self.handlers.get(p.kind as usize));
                if handlers.is_some_and(responds) {
                    let next = Value::int((col * rows + row + 1) as i32);
                    return Some((
                        next,
                        Value::piece_ref(at as u32, self.store.piece_meta(at as u32).id),
                    ));
                }
            }
            first_row = 0;
        }
        None
    }
}
