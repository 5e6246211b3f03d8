//! Implementation of the instructions for lists, the board, pieces, output and random draws.

use super::run::{NEIGHBOR_BITS, NEIGHBOR_MASK, NEIGHBOR_ROW_SHIFT, SIDE_MASK};
use super::{Channel, Draw, DrawRange, Machine, NO_FUNCTION, NO_INDEX, Output, RuntimeError};
use crate::code::{FunctionId, PieceEvent, PieceField};
use crate::diagnostic::did_you_mean;
use crate::value::{ObjectKind, Piece, PieceMeta, Unpacked, Value};

type Result<T> = std::result::Result<T, Box<RuntimeError>>;

/// Maximum length of a list.
const MAX_LIST_ELEMENTS: usize = 1 << 26;

impl Machine {
    #[inline]
    pub(super) fn global(&self, global: u32) -> Value {
        self.store
            .globals
            .as_slice()
            .get(global as usize)
            .copied()
            .unwrap_or(Value::NOTHING)
    }

    pub(super) fn copy_list(&mut self, value: Value) -> Value {
        self.collect_if_needed();
        self.store.heap.copy_list(value)
    }

    /// Checks that a variable with the value `old` may be assigned `new`, and returns the latter.
    #[inline]
    pub(super) fn check_assign(&self, old: Value, new: Value) -> Result<Value> {
        if old.has_same_tag(new) && old.as_heap().is_none() && old.is_int() {
            return Ok(new);
        }
        self.check_assign_slow(old, new)
    }

    /// The value that a variable has after an assignment; `None` if the value was appended to the list
    /// in it.
    pub(super) fn assign(
        &mut self,
        old: Value,
        new: Value,
        appends: bool,
    ) -> Result<Option<Value>> {
        if appends && self.store.heap.is_list(old) {
            self.append(old, new)?;
            return Ok(None);
        }
        self.check_assign(old, new).map(Some)
    }

    fn check_assign_slow(&self, old: Value, new: Value) -> Result<Value> {
        if new == Value::NOTHING {
            return Err(self.type_error("a value", new));
        }
        if old == Value::NOTHING || self.is_same_type(old, new) {
            return Ok(new);
        }
        let message = format!(
            "the variable is {}, but this value is {}",
            self.type_name(old),
            self.describe(new)
        );
        Err(RuntimeError::new("RT008", message)
            .note("a variable keeps the type it was defined with"))
    }

    pub(super) fn list(&mut self, items: Vec<Value>) -> Result<Value> {
        if let Some(&first) = items.first()
            && let Some(&other) = items
                .iter()
                .find(|&&v| v == Value::NOTHING || !self.is_same_type(first, v))
        {
            return Err(self.mixed_list_error(first, other));
        }
        self.collect_if_needed();
        Ok(self.store.heap.alloc_list(items))
    }

    fn mixed_list_error(&self, first: Value, other: Value) -> Box<RuntimeError> {
        if other == Value::NOTHING {
            return self.type_error("a value", other);
        }
        let message = format!(
            "cannot put {} in a list of {}",
            self.describe(other),
            plural(self.type_name(first))
        );
        RuntimeError::new("RT009", message).note("all elements of a list have the same type")
    }

    pub(super) fn append(&mut self, list: Value, value: Value) -> Result<()> {
        let Some(items) = self.list_items(list) else {
            return Err(self.type_error("a list", list));
        };
        if value == Value::NOTHING {
            return Err(self.type_error("a value", value));
        }
        if let Some(&first) = items.first()
            && !self.is_same_type(first, value)
        {
            return Err(self.mixed_list_error(first, value));
        }
        if items.len() >= MAX_LIST_ELEMENTS || self.memory_bytes() > self.limits.max_memory_bytes {
            return Err(self.out_of_memory());
        }
        if let Some(items) = self.store.heap.items_mut(list) {
            items.push(value);
        }
        self.store.heap.add_bytes(size_of::<Value>() as u64);
        Ok(())
    }

    fn list_items(&self, list: Value) -> Option<&[Value]> {
        list.as_heap().filter(|h| h.kind == ObjectKind::List)?;
        self.store.heap.items(list)
    }

    fn element_index(&self, list: Value, index: Value) -> Result<usize> {
        let Some(items) = self.list_items(list) else {
            let error = self.type_error("a list", list);
            return Err(if self.store.heap.as_str(list).is_some() {
                error.note("a string cannot be indexed")
            } else {
                error
            });
        };
        let Some(n) = self.store.heap.as_int(index) else {
            return Err(self.type_error("a number as the index", index));
        };
        match usize::try_from(n) {
            Ok(at) if at < items.len() => Ok(at),
            _ => Err(self.index_range_error(n, items.len())),
        }
    }

    #[inline]
    pub(super) fn element(&self, list: Value, index: Value) -> Result<Value> {
        let at = self.element_index(list, index)?;
        Ok(self
            .store
            .heap
            .items(list)
            .and_then(|items| items.get(at).copied())
            .unwrap_or(Value::NOTHING))
    }

    pub(super) fn set_element(&mut self, list: Value, index: Value, value: Value) -> Result<()> {
        let at = self.element_index(list, index)?;
        let old = self.element(list, index)?;
        if value == Value::NOTHING || !self.is_same_type(old, value) {
            return Err(self.mixed_list_error(old, value));
        }
        if let Some(items) = self.store.heap.items_mut(list) {
            items[at] = value;
        }
        Ok(())
    }

    pub(super) fn remove_element(&mut self, list: Value, index: Value) -> Result<()> {
        let at = self.element_index(list, index)?;
        if let Some(items) = self.store.heap.items_mut(list) {
            items.remove(at);
        }
        Ok(())
    }

    pub(super) fn length(&self, list: Value) -> Option<usize> {
        self.store
            .heap
            .items(list)
            .map(<[_]>::len)
            .or_else(|| self.store.heap.as_str(list).map(|s| s.chars().count()))
    }

    /// Advances a loop over the neighbors of a cell: its new state, and the neighbor's row and
    /// column.
    #[inline]
    pub(super) fn next_neighbor(&self, state: u64) -> Option<(Value, u32, u32)> {
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
            let is_inside =
                (r as u64) < self.store.rows as u64 && (c as u64) < self.store.cols as u64;
            if is_inside && !is_center {
                let state = Value::loop_state(state & !NEIGHBOR_MASK | next);
                return Some((state, r as u32, c as u32));
            }
        }
        None
    }

    /// Looks up a kind by name.
    #[inline]
    pub(super) fn resolve_kind(&self, name: Value) -> Result<u16> {
        let kind = name
            .as_interned()
            .and_then(|t| self.kind_by_name.get(t.index() as usize).copied());
        match kind {
            Some(kind) if kind != NO_INDEX => Ok(kind),
            _ => Err(self.unknown_kind_error(name)),
        }
    }

    #[cold]
    fn unknown_kind_error(&self, name: Value) -> Box<RuntimeError> {
        let Some(word) = self.store.heap.as_str(name) else {
            return self.type_error("the name of a piece", name);
        };
        let suggestion = did_you_mean(
            word,
            self.program.piece_kinds.iter().map(|k| k.name.as_str()),
        );
        RuntimeError::new(
            "RT007",
            format!("unknown piece {}{suggestion}", self.format_short(name)),
        )
    }

    #[inline]
    pub(super) fn place(&mut self, at: u32, kind: u16, owner: Value) {
        let owner = owner
            .as_interned()
            .and_then(|t| self.owner_by_name.get(t.index() as usize))
            .copied()
            .unwrap_or(0);
        let visible = self
            .program
            .piece_kinds
            .get(kind as usize)
            .is_none_or(|k| k.visible);
        self.store.place(Piece {
            cell: at,
            kind,
            owner: if owner == NO_INDEX { 0 } else { owner },
            visible,
        });
    }

    pub(super) fn field(&self, value: Value, field: PieceField) -> Result<Value> {
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
                _ => Err(self.type_error("a piece", value)),
            };
        };
        Ok(match field {
            PieceField::Visible => Value::bool(piece.visible),
            PieceField::Row => Value::int(self.cell_of(piece)?.0 as i32),
            PieceField::Col => Value::int(self.cell_of(piece)?.1 as i32),
            PieceField::Owner => Value::interned(self.program.owner(piece.owner)),
            PieceField::Name => self
                .kind_names
                .get(piece.kind as usize)
                .copied()
                .unwrap_or(self.no_name),
        })
    }

    /// Row and column of the cell that a piece was read from.
    fn cell_of(&self, piece: Piece) -> Result<(u32, u32)> {
        self.store.piece_row_col(piece).ok_or_else(lost_piece_error)
    }

    /// Accepts true, false, 1 and 0.
    pub(super) fn to_visibility(&self, value: Value) -> Result<bool> {
        match value.unpack() {
            Unpacked::Bool(b) => Ok(b),
            Unpacked::Int(1) => Ok(true),
            Unpacked::Int(0) => Ok(false),
            _ => Err(self.type_error("true, false, 1 or 0", value)),
        }
    }

    /// The piece that is now on the cell from which the piece in `value` was read.
    fn current_piece(&self, value: Value) -> Result<Piece> {
        let at = match value.as_piece() {
            Some(piece) if piece.cell == Piece::LOST_CELL => return Err(lost_piece_error()),
            Some(piece) => piece.cell,
            None if value == Value::EMPTY => return Err(self.no_piece_error(None)),
            None => return Err(self.type_error("a piece", value)),
        };
        self.store
            .piece(at)
            .ok_or_else(|| self.no_piece_error(Some(at)))
    }

    fn no_piece_error(&self, at: Option<u32>) -> Box<RuntimeError> {
        let location = at.map_or_else(String::new, |at| {
            let (row, col) = self.store.row_col(at);
            format!(
                " at {}",
                self.program()
                    .board_info
                    .format_cell(row.into(), col.into())
            )
        });
        RuntimeError::new("RT006", format!("no piece{location} to change"))
            .note("check `!= empty` first")
    }

    pub(super) fn set_visible(&mut self, value: Value, visible: Value) -> Result<Value> {
        let mut piece = self.current_piece(value)?;
        piece.visible = self.to_visibility(visible)?;
        self.store
            .cells
            .set(piece.cell as usize, Value::piece(piece));
        Ok(Value::piece(piece))
    }

    pub(super) fn change_type(&mut self, value: Value, kind: u16) -> Result<Value> {
        let piece = Piece {
            kind,
            ..self.current_piece(value)?
        };
        self.store
            .cells
            .set(piece.cell as usize, Value::piece(piece));
        Ok(Value::piece(piece))
    }

    /// Cell and id of the piece whose handler runs.
    fn self_piece(&self) -> Result<(u32, u32)> {
        match self.frames.last().and_then(|f| f.self_piece.as_piece_ref()) {
            Some(cell_and_id) => Ok(cell_and_id),
            None => Err(
                RuntimeError::new("RT011", "no handler is running here").note(
                    "this only works in `onClick` and `onTurn`, and in functions called from them",
                ),
            ),
        }
    }

    /// Row and column of the piece whose handler runs.
    pub(super) fn self_cell(&self) -> Result<(u32, u32)> {
        match self.self_piece()? {
            (Piece::LOST_CELL, _) => Err(lost_piece_error()),
            (cell, _) => Ok(self.store.row_col(cell)),
        }
    }

    /// Changes the piece whose handler runs; does nothing if it has left the board.
    #[inline]
    pub(super) fn update_self_piece(&mut self, change: impl FnOnce(&mut Piece)) -> Result<()> {
        let (cell, id) = self.self_piece()?;
        if self.store.piece_meta(cell).id == id
            && let Some(mut piece) = self.store.piece(cell)
        {
            change(&mut piece);
            self.store.cells.set(cell as usize, Value::piece(piece));
        }
        Ok(())
    }

    /// Records that the piece on a cell handles a click in this action.
    #[inline]
    pub(super) fn mark_click_handled(&mut self, cell: u32, meta: PieceMeta) {
        self.store.piece_meta.set(
            cell as usize,
            PieceMeta {
                last_click_action: self.store.action,
                ..meta
            },
        );
    }

    /// All pieces on the board; kinds named in `order` come first.
    pub(super) fn turn_pieces(&mut self, order: Value) -> Value {
        let mut pieces = Vec::new();
        if self.has_turn_handlers {
            let store = &self.store;
            let piece_ref_at = |at| {
                store
                    .piece(at)
                    .map(|piece| (piece.kind, Value::piece_ref(at, store.piece_meta(at).id)))
            };
            let all = (0..store.cells.len() as u32).filter_map(piece_ref_at);
            let names = store.heap.items(order).unwrap_or_default();
            let first: Vec<u16> = names
                .iter()
                .filter_map(|&n| self.resolve_kind(n).ok())
                .collect();
            if first.is_empty() {
                pieces = all.map(|(_, piece_ref)| piece_ref).collect();
            } else {
                let rank = |kind| first.iter().position(|&k| k == kind).unwrap_or(first.len());
                let mut ranked: Vec<_> = all
                    .map(|(kind, piece_ref)| (rank(kind), piece_ref))
                    .collect();
                ranked.sort_by_key(|&(rank, _)| rank);
                pieces = ranked.into_iter().map(|(_, piece_ref)| piece_ref).collect();
            }
        }
        self.store.heap.alloc_list(pieces)
    }

    /// The turn handler of a piece, if the piece is still on the board and has one.
    pub(super) fn turn_handler(&self, piece: Value) -> Option<FunctionId> {
        let Unpacked::PieceRef(cell, id) = piece.unpack() else {
            return None;
        };
        let piece = self
            .store
            .piece(cell)
            .filter(|_| self.store.piece_meta(cell).id == id)?;
        let handler = self.handlers.get(piece.kind as usize)?[PieceEvent::Turn as usize];
        (handler != NO_FUNCTION).then_some(FunctionId(handler))
    }

    pub(super) fn resize(&mut self, rows: Value, cols: Value) -> Result<()> {
        let side = |v: Value| {
            v.as_int()
                .ok_or_else(|| self.type_error("a number of rows and columns", v))
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
        let old = (self.store.rows, self.store.cols);
        self.store.resize(r as u32, c as u32);
        self.update_piece_copies(old);
        Ok(())
    }

    /// Updates copies of pieces in variables after a resize: they store the index of their cell,
    /// which depends on the number of columns.
    fn update_piece_copies(&mut self, (old_rows, old_cols): (u32, u32)) {
        let (rows, cols) = (self.store.rows, self.store.cols);
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
        for i in 0..self.store.globals.len() {
            if let Some(value) = moved(self.store.globals.as_slice()[i]) {
                self.store.globals.set(i, value);
            }
        }
        self.store.heap.replace_items(moved);
        for frame in 0..self.frames.len() {
            for register in self.local_registers(frame) {
                let value = self.registers(frame).get(register as usize).copied();
                if let Some(value) = value.and_then(moved) {
                    self.set_register(frame, register, value);
                }
            }
            if let Some(value) = moved(self.frames[frame].self_piece) {
                self.frames[frame].self_piece = value;
                self.low_water = self.low_water.min(frame);
            }
        }
    }

    /// The registers of a frame that hold the locals in scope. Others may hold the internal state
    /// of a loop.
    fn local_registers(&self, frame: usize) -> Vec<u16> {
        let frame = &self.frames[frame];
        let locals = self
            .function(frame.function)
            .map_or(&[][..], |function| &function.locals);
        locals
            .iter()
            .filter(|local| (local.start_pc..local.end_pc).contains(&frame.pc))
            .map(|local| local.register)
            .collect()
    }

    pub(super) fn write_output(&mut self, value: Value, channel: Channel) {
        if self.search_mode.discards_output {
            return;
        }
        let text: std::rc::Rc<str> =
            (self.program.format_value)(&self.program, &self.store, value, false).into();
        if channel == Channel::Display {
            self.store.message = Some(text.clone());
        }
        let output = Output {
            time: self.time,
            channel,
            text,
            span: self.current_span(),
            number: self.log_position.prints + u64::from(channel == Channel::Print),
        };
        let max_bytes = self.limits.max_log_bytes();
        self.log
            .push_output(&mut self.log_position, output, max_bytes);
        if self.has_much_output() {
            // Pause at the next safepoint, not only when it is due.
            self.next_safepoint_ticks = 0;
        }
    }

    /// Draws a random number, and logs it; see [`Instr::Random`](crate::code::Instr::Random).
    pub(super) fn draw(&mut self, low: Value, high: Value, is_float: bool) -> Result<Value> {
        let range = self.draw_range(low, high, is_float)?;
        let (value, is_scripted) = self.rng.draw(range.low, range.high)?;
        let draw = Draw {
            time: self.time,
            low: range.low,
            high: range.high,
            value,
            is_scripted,
            is_float,
            span: self.current_span(),
        };
        let max_bytes = self.limits.max_log_bytes();
        self.log.push_draw(&mut self.log_position, draw, max_bytes);
        Ok(self.drawn_value(range, value))
    }

    /// The numbers that can be drawn between two bounds; thousandths for floats.
    pub(super) fn draw_range(&self, low: Value, high: Value, is_float: bool) -> Result<DrawRange> {
        if is_float {
            return DrawRange::checked(self.thousandths(low)?, self.thousandths(high)? + 1, true);
        }
        let number = |v: Value| {
            let n = self.store.heap.as_int(v);
            n.ok_or_else(|| self.type_error("a number", v))
        };
        DrawRange::checked(number(low)?, number(high)?, false)
    }

    fn thousandths(&self, v: Value) -> Result<i64> {
        let too_large = "the bounds of this random number are too large";
        match self.to_float(v)?.as_float().map(|x| (x * 1000.0).round()) {
            Some(n) if n.abs() < 1e15 => Ok(n as i64),
            _ => Err(RuntimeError::new("RT012", too_large)),
        }
    }
}

/// `numbers` for `a number`.
fn plural(word: &str) -> String {
    match word {
        "true or false" => "true and false".into(),
        _ => format!(
            "{}s",
            word.trim_start_matches("an ").trim_start_matches("a ")
        ),
    }
}

/// The error for using the cell of a piece after the board shrank.
#[cold]
fn lost_piece_error() -> Box<RuntimeError> {
    RuntimeError::new("RT006", "the cell of this piece is no longer on the board")
        .note("the board has become smaller; read the piece from `board` again")
}
