//! Implementation of the instructions for the board and its pieces.

use crate::code::{PieceField, Program};
use crate::machine::image::LinkedImage;
use crate::machine::run::{NEIGHBOR_BITS, NEIGHBOR_MASK, NEIGHBOR_ROW_SHIFT, SIDE_MASK};
use crate::machine::runtime_error::{ValueContext, lost_piece_error};
use crate::machine::stack::Stack;
use crate::machine::{Frame, Machine, RuntimeError};
use crate::value::{Piece, Store, Unpacked, Value};

type Result<T> = std::result::Result<T, Box<RuntimeError>>;

/// Advances a loop over the neighbors of a cell: its new state, and the neighbor's row and
/// column.
#[inline]
pub(in crate::machine) fn next_neighbor(store: &Store, state: u64) -> Option<(Value, u32, u32)> {
    let (row, col) = (
        (state >> NEIGHBOR_ROW_SHIFT) as i64,
        (state >> NEIGHBOR_BITS & SIDE_MASK) as i64,
    );
    let mut next = state & NEIGHBOR_MASK;
    // In reading order; 4 is the cell itself.
    while next < 9 {
        let (r, c) = (row + (next / 3) as i64 - 1, col + (next % 3) as i64 - 1);
        let is_center = next == 4;
        next += 1;
        let is_inside = (r as u64) < store.rows as u64 && (c as u64) < store.cols as u64;
        if is_inside && !is_center {
            let state = Value::loop_state(state & !NEIGHBOR_MASK | next);
            return Some((state, r as u32, c as u32));
        }
    }
    None
}

/// Places a new piece, which is as visible as its kind says.
#[inline]
pub(in crate::machine) fn place(
    image: &LinkedImage,
    store: &mut Store,
    cell: u32,
    kind: u16,
    owner: Value,
) {
    let kinds = &image.program.piece_kinds;
    store.place(Piece {
        cell,
        kind,
        owner: image.kinds.owner(owner),
        visible: kinds.get(kind as usize).is_none_or(|k| k.visible),
    });
}

/// A field of a piece other than its name.
pub(in crate::machine) fn field(
    values: ValueContext<'_>,
    value: Value,
    field: PieceField,
) -> Result<Value> {
    let Some(piece) = value.as_piece() else {
        return match (value, field) {
            (Value::EMPTY, PieceField::Visible) => Ok(Value::FALSE),
            (Value::EMPTY, _) => {
                let word = match field {
                    PieceField::Row => "row",
                    PieceField::Col => "col",
                    _ => "owner",
                };
                Err(RuntimeError::new(
                    "RT006",
                    format!("the cell is empty, so it has no `.{word}`"),
                )
                .note("check `== empty` first"))
            }
            _ => Err(values.type_error("a piece", value)),
        };
    };
    let row_col = || values.store.piece_row_col(piece);
    let row_col = || row_col().ok_or_else(lost_piece_error);
    Ok(match field {
        PieceField::Visible => Value::bool(piece.visible),
        PieceField::Row => Value::int(row_col()?.0 as i32),
        PieceField::Col => Value::int(row_col()?.1 as i32),
        PieceField::Owner => Value::interned(values.program.owner(piece.owner)),
        PieceField::Name => {
            let kind = values.program.piece_kinds.get(piece.kind as usize);
            kind.map_or(Value::EMPTY, |k| Value::interned(k.name))
        }
    })
}

/// Accepts true, false, 1 and 0.
pub(in crate::machine) fn to_visibility(values: ValueContext<'_>, value: Value) -> Result<bool> {
    match value.unpack() {
        Unpacked::Bool(b) => Ok(b),
        Unpacked::Int(1) => Ok(true),
        Unpacked::Int(0) => Ok(false),
        _ => Err(values.type_error("true, false, 1 or 0", value)),
    }
}

/// The piece that is now on the cell from which the piece in `value` was read.
pub(in crate::machine) fn current_piece(values: ValueContext<'_>, value: Value) -> Result<Piece> {
    let at = match value.as_piece() {
        Some(piece) if piece.cell == Piece::LOST_CELL => return Err(lost_piece_error()),
        Some(piece) => piece.cell,
        None if value == Value::EMPTY => return Err(values.no_piece_error(None)),
        None => return Err(values.type_error("a piece", value)),
    };
    let piece = values.store.piece(at);
    piece.ok_or_else(|| values.no_piece_error(Some(at)))
}

/// Cell and id of the piece whose handler runs in a frame.
#[inline]
fn self_piece(frame: Option<&Frame>) -> Result<(u32, u32)> {
    match frame.and_then(|f| f.self_piece.as_piece_ref()) {
        Some(cell_and_id) => Ok(cell_and_id),
        None => Err(RuntimeError::new("RT011", "no handler is running here")
            .note("this only works in `onClick` and `onTurn`, and in functions called from them")),
    }
}

/// Row and column of the piece whose handler runs.
pub(in crate::machine) fn self_cell(stack: &Stack, store: &Store) -> Result<(u32, u32)> {
    match self_piece(stack.frames.last())? {
        (Piece::LOST_CELL, _) => Err(lost_piece_error()),
        (cell, _) => Ok(store.row_col(cell)),
    }
}

/// Changes the piece whose handler runs; does nothing if it has left the board.
#[inline]
pub(in crate::machine) fn update_self_piece(
    stack: &Stack,
    store: &mut Store,
    change: impl FnOnce(&mut Piece),
) -> Result<()> {
    let (cell, id) = self_piece(stack.frames.last())?;
    if store.piece_meta(cell).id == id
        && let Some(mut piece) = store.piece(cell)
    {
        change(&mut piece);
        store.update_piece(piece);
    }
    Ok(())
}

impl Machine {
    /// Changes the size of the board.
    pub(in crate::machine) fn resize(&mut self, rows: Value, cols: Value) -> Result<()> {
        let (rows, cols) = board_size(self.values(), rows, cols)?;
        self.reserve_board(u64::from(rows) * u64::from(cols))?;
        let old = (self.store.rows, self.store.cols);
        self.store.resize(rows, cols);
        update_piece_copies(&self.image.program, &mut self.stack, &mut self.store, old);
        Ok(())
    }
}

/// Checks the numbers of rows and columns of a board.
fn board_size(values: ValueContext<'_>, rows: Value, cols: Value) -> Result<(u32, u32)> {
    let side = |v: Value| {
        v.as_int()
            .ok_or_else(|| values.type_error("a number of rows and columns", v))
    };
    let (r, c) = (side(rows)?, side(cols)?);
    if r < 1 || c < 1 {
        return Err(
            RuntimeError::new("RT017", format!("a board of {r} x {c} has no cells"))
                .note("rows and columns must be at least 1"),
        );
    }
    let max_side = Value::MAX_SIDE as i64;
    if r >= max_side || c >= max_side || r * c >= Value::MAX_CELLS as i64 {
        let message = format!("a board of {r} x {c} is too large");
        return Err(RuntimeError::new("RT017", message).note(format!(
            "a board has at most {} cells",
            Value::MAX_CELLS - 1
        )));
    }
    Ok((r as u32, c as u32))
}

/// Updates copies of pieces in variables after a resize: they store the index of their cell,
/// which depends on the number of columns.
fn update_piece_copies(
    program: &Program,
    stack: &mut Stack,
    store: &mut Store,
    (old_rows, old_cols): (u32, u32),
) {
    let (rows, cols) = (store.rows, store.cols);
    if old_cols == 0 || (cols == old_cols && rows >= old_rows) {
        return;
    }
    let new_cell = |cell: u32| {
        let (row, col) = (cell / old_cols, cell % old_cols);
        let is_kept = cell != Piece::LOST_CELL && row < rows && col < cols;
        if is_kept {
            row * cols + col
        } else {
            Piece::LOST_CELL
        }
    };
    let moved = |value: Value| match value.unpack() {
        Unpacked::Piece(p) => Some(Value::piece(Piece {
            cell: new_cell(p.cell),
            ..p
        })),
        Unpacked::PieceRef(cell, id) => Some(Value::piece_ref(new_cell(cell), id)),
        _ => None,
    };
    for i in 0..store.globals.len() {
        if let Some(value) = moved(store.globals.as_slice()[i]) {
            store.globals.set(i, value);
        }
    }
    store.heap.replace_items(moved);
    for n in 0..stack.frames.len() {
        let frame = stack.frames[n];
        for register in local_registers(program, &frame) {
            let value = stack.registers.get(frame.base as usize + register as usize);
            if let Some(value) = value.copied().and_then(moved) {
                stack.set_register(n, register, value);
            }
        }
        if let Some(value) = moved(frame.self_piece) {
            stack.frames[n].self_piece = value;
            stack.low_water = stack.low_water.min(n);
        }
    }
}

/// The registers of a frame that hold the locals in scope. Others may hold the internal state
/// of a loop.
fn local_registers(program: &Program, frame: &Frame) -> Vec<u16> {
    let locals = program
        .function(frame.function)
        .map_or(&[][..], |function| &function.locals);
    locals
        .iter()
        .filter(|local| (local.start_pc..local.end_pc).contains(&frame.pc))
        .map(|local| local.register)
        .collect()
}
