//! The cells of the board, in few bits each.

use super::layout::Layout;
use super::numbers::pack_number;
use super::value_reader::Reader;
use crate::value::{Piece, PieceMeta, Store, Value};

/// The id of a piece reference whose piece has left the board. No piece has it: ids are counted from
/// the number of cells in every position.
pub(super) const DEAD_PIECE_ID: u32 = (1 << 22) - 1;

impl Layout {
    #[inline]
    pub(super) fn cell_code(&self, value: Value) -> u32 {
        match value.as_piece() {
            None => 0,
            Some(p) => {
                // With a single code for owners, they are not part of the position.
                let owner = (p.owner as u32).min(self.owners - 1);
                1 + ((p.kind as u32 * self.owners + owner) << 1 | p.visible as u32)
            }
        }
    }

    #[inline]
    pub(super) fn cell_value(&self, cell: u32, code: u32) -> Value {
        let Some(code) = code.checked_sub(1) else {
            return Value::EMPTY;
        };
        let kind_and_owner = code >> 1;
        Value::piece(Piece {
            cell,
            kind: (kind_and_owner / self.owners) as u16,
            owner: (kind_and_owner % self.owners) as u16,
            visible: code & 1 == 1,
        })
    }
}

pub(super) fn pack_board(layout: &Layout, store: &Store, out: &mut Vec<u8>) {
    if layout.is_resizable {
        pack_number(store.rows.into(), out);
        pack_number(store.cols.into(), out);
    }
    let (mut bits, mut count) = (0u64, 0);
    for &cell in store.cells.as_slice() {
        bits |= u64::from(layout.cell_code(cell)) << count;
        count += layout.cell_bits;
        while count >= 8 {
            out.push(bits as u8);
            bits >>= 8;
            count -= 8;
        }
    }
    if count > 0 {
        out.push(bits as u8);
    }
}

impl Reader<'_> {
    pub(super) fn board(&mut self, store: &mut Store) {
        let layout = self.layout;
        if layout.is_resizable {
            let (rows, cols) = (self.number() as u32, self.number() as u32);
            if (store.rows, store.cols) != (rows, cols) {
                store.resize(rows, cols);
                number_pieces(store);
            }
        }
        let (mut bits, mut count) = (0u64, 0);
        let mask = (1 << layout.cell_bits) - 1;
        for cell in 0..store.cells.len() as u32 {
            while count < layout.cell_bits {
                bits |= u64::from(self.byte()) << count;
                count += 8;
            }
            let value = layout.cell_value(cell, bits as u32 & mask);
            bits >>= layout.cell_bits;
            count -= layout.cell_bits;
            if store.cell(cell) != value {
                store.cells.set(cell as usize, value);
            }
        }
    }
}

/// Gives every cell an id of its own, whether it has a piece or not: pieces of packed positions have
/// the id of their cell.
pub(crate) fn number_pieces(store: &mut Store) {
    for cell in 0..store.cells.len() {
        let meta = PieceMeta {
            id: (cell as u32 + 1) % DEAD_PIECE_ID,
            last_click_action: 0,
        };
        store.piece_meta.set(cell, meta);
    }
    store.pieces_placed = store.cells.len() as u32;
}
