//! Scans the board for pieces that handle an event: a loop over the cells, as a single instruction.

use super::Machine;
use crate::code::PieceEvent;
use crate::value::Value;

impl Machine {
    /// The first cell from `from` on, in column-major order, whose piece handles the event: the
    /// index after it, and a reference to the piece.
    pub(super) fn next_handling_piece(
        &self,
        from: i64,
        event: PieceEvent,
    ) -> Option<(Value, Value)> {
        let (rows, cols) = (self.store.rows as usize, self.store.cols as usize);
        let cells = self.store.cells.as_slice();
        let from = usize::try_from(from).unwrap_or(0);
        let mut top = from.checked_rem(rows)?;
        for col in from / rows..cols {
            // One column is every `cols`th cell.
            let column = cells
                .iter()
                .enumerate()
                .skip(top * cols + col)
                .step_by(cols);
            for (row, (at, value)) in (top..).zip(column) {
                let handlers = value
                    .as_piece()
                    .and_then(|p| self.handlers.get(p.kind as usize));
                if handlers.is_some_and(|h| h[event as usize] != u32::MAX) {
                    let next = Value::int((col * rows + row + 1) as i32);
                    return Some((
                        next,
                        Value::piece_ref(at as u32, self.store.piece_meta(at as u32).id),
                    ));
                }
            }
            top = 0;
        }
        None
    }
}
