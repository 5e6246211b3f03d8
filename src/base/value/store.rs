//! The mutable state of a game: variables, board, pieces, heap and message line.

use super::{Cells, Heap, HeapSnapshot, PagedVec, Piece, Snapshot, Value};

/// Data about the piece on a cell that is not part of its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PieceMeta {
    /// Identifies the piece; a new piece on the same cell gets a new id.
    pub id: u32,
    /// The action in which the piece last handled a click; 0 for never.
    pub last_click_action: u32,
}

/// A part of the game state that can differ between two snapshots.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum StateSlot {
    /// Index of a global variable; see `Program::globals`.
    Global(u32),
    /// Index of a cell in row-major order.
    Cell(u32),
    /// The text of the board's message line.
    Message,
}

/// The state of a game.
#[derive(Debug, Default)]
pub struct Store {
    /// Indexed like `Program::globals`.
    pub globals: PagedVec<Value>,
    /// The board in row-major order: pieces and `EMPTY`.
    pub cells: Cells,
    /// Indexed like `cells`.
    pub piece_meta: PagedVec<PieceMeta>,
    /// The objects that globals and registers refer to.
    pub heap: Heap,
    /// Number of rows; 0 if there is no board.
    pub rows: u32,
    /// Number of columns; 0 if there is no board.
    pub cols: u32,
    /// Number of the current or most recent action; the first is 1.
    pub action: u32,
    /// How many pieces were ever placed, modulo the number of piece ids; the id of the last one.
    pub pieces_placed: u32,
    /// Text of the board's message line; `None` if nothing was displayed yet.
    pub message: Option<std::rc::Rc<str>>,
}

/// The state of a game at one point in time.
#[derive(Clone, PartialEq, Debug)]
pub struct StoreSnapshot {
    globals: Snapshot<Value>,
    cells: Snapshot<Value>,
    piece_meta: Snapshot<PieceMeta>,
    heap: HeapSnapshot,
    /// Rows and columns.
    size: (u32, u32),
    /// `action` and `pieces_placed`.
    counts: (u32, u32),
    message: Option<std::rc::Rc<str>>,
}

impl Store {
    /// Index of the cell, if it is on the board.
    #[inline]
    pub fn cell_at(&self, row: i64, col: i64) -> Option<u32> {
        let inside = (row as u64) < self.rows as u64 && (col as u64) < self.cols as u64;
        inside.then(|| row as u32 * self.cols + col as u32)
    }

    /// Row and column of a cell index.
    #[inline]
    pub fn row_col(&self, cell: u32) -> (u32, u32) {
        (cell / self.cols.max(1), cell % self.cols.max(1))
    }

    /// Row and column of the cell that a piece was read from; `None` if the board no longer has it.
    pub fn piece_row_col(&self, piece: Piece) -> Option<(u32, u32)> {
        (piece.cell != Piece::LOST_CELL).then(|| self.row_col(piece.cell))
    }

    /// The content of a cell.
    #[inline]
    pub fn cell(&self, cell: u32) -> Value {
        self.cells
            .as_slice()
            .get(cell as usize)
            .copied()
            .unwrap_or(Value::EMPTY)
    }

    /// The piece on a cell, if there is one.
    #[inline]
    pub fn piece(&self, cell: u32) -> Option<Piece> {
        self.cell(cell).as_piece()
    }

    /// The id and click state of the piece on a cell.
    #[inline]
    pub fn piece_meta(&self, cell: u32) -> PieceMeta {
        self.piece_meta
            .as_slice()
            .get(cell as usize)
            .copied()
            .unwrap_or_default()
    }

    /// The value of a global variable; `NOTHING` if it has none.
    #[inline]
    pub fn global(&self, index: u32) -> Value {
        let value = self.globals.get(index as usize).copied();
        value.unwrap_or(Value::NOTHING)
    }

    /// Places a new piece, replacing what is on its cell.
    #[inline]
    pub fn place(&mut self, piece: Piece) {
        // Ids wrap around, so that they fit in a `PieceRef`.
        self.pieces_placed = (self.pieces_placed + 1) & Value::MAX_PIECE_ID;
        self.piece_meta.set(
            piece.cell as usize,
            PieceMeta {
                id: self.pieces_placed,
                last_click_action: 0,
            },
        );
        self.cells.set(piece.cell as usize, Value::piece(piece));
    }

    /// Replaces the piece on a cell by a changed copy; it keeps its id.
    #[inline]
    pub fn update_piece(&mut self, piece: Piece) {
        self.cells.set(piece.cell as usize, Value::piece(piece));
    }

    /// Records that the piece on a cell handles a click in this action.
    #[inline]
    pub fn mark_click_handled(&mut self, cell: u32) {
        let meta = PieceMeta {
            last_click_action: self.action,
            ..self.piece_meta(cell)
        };
        self.piece_meta.set(cell as usize, meta);
    }

    /// Removes the piece on a cell.
    pub fn remove(&mut self, cell: u32) {
        self.cells.set(cell as usize, Value::EMPTY);
        self.piece_meta.set(cell as usize, PieceMeta::default());
    }

    /// Bytes of a board with this many cells.
    pub fn board_bytes(cells: u64) -> u64 {
        cells * (size_of::<Value>() + size_of::<PieceMeta>()) as u64
    }

    /// Approximate bytes of everything, with the copies of the board and of the slots of the heap that
    /// the snapshot of the current state has.
    pub fn bytes(&self) -> u64 {
        let board = Store::board_bytes(self.cells.len() as u64);
        2 * board + self.heap.bytes() + self.heap.slot_bytes()
    }

    /// Resizes the board; pieces that still fit keep their row and column.
    pub fn resize(&mut self, rows: u32, cols: u32) {
        let kept: Vec<(Piece, PieceMeta)> = (0..self.cells.len() as u32)
            .filter_map(|cell| {
                let piece = self.piece(cell)?;
                let (row, col) = self.row_col(cell);
                (row < rows && col < cols).then(|| {
                    (
                        Piece {
                            cell: row * cols + col,
                            ..piece
                        },
                        self.piece_meta(cell),
                    )
                })
            })
            .collect();
        self.rows = rows;
        self.cols = cols;
        let len = rows as usize * cols as usize;
        self.cells.reset(len, Value::EMPTY);
        self.piece_meta.reset(len, PieceMeta::default());
        for (piece, meta) in kept {
            self.cells.set(piece.cell as usize, Value::piece(piece));
            self.piece_meta.set(piece.cell as usize, meta);
        }
    }

    /// A snapshot of everything, and the number of bytes copied for it.
    pub fn snapshot(&mut self) -> (StoreSnapshot, usize) {
        let (globals, a) = self.globals.snapshot();
        let (cells, b) = self.cells.snapshot();
        let (piece_meta, c) = self.piece_meta.snapshot();
        let (heap, d) = self.heap.snapshot();
        let snapshot = StoreSnapshot {
            globals,
            cells,
            piece_meta,
            heap,
            size: (self.rows, self.cols),
            counts: (self.action, self.pieces_placed),
            message: self.message.clone(),
        };
        (snapshot, a + b + c + d + size_of::<StoreSnapshot>())
    }

    /// A snapshot that copies nothing; `None` if something has been written since the last one.
    pub fn current_snapshot(&self) -> Option<StoreSnapshot> {
        Some(StoreSnapshot {
            globals: self.globals.current_snapshot()?,
            cells: self.cells.current_snapshot()?,
            piece_meta: self.piece_meta.current_snapshot()?,
            heap: self.heap.current_snapshot()?,
            size: (self.rows, self.cols),
            counts: (self.action, self.pieces_placed),
            message: self.message.clone(),
        })
    }

    /// Returns to the state of a snapshot.
    pub fn restore(&mut self, snapshot: &StoreSnapshot) {
        self.globals.restore(&snapshot.globals);
        self.cells.restore(&snapshot.cells);
        self.piece_meta.restore(&snapshot.piece_meta);
        self.heap.restore(&snapshot.heap);
        (self.rows, self.cols) = snapshot.size;
        (self.action, self.pieces_placed) = snapshot.counts;
        self.message = snapshot.message.clone();
    }
}

impl StoreSnapshot {
    /// Number of bytes held by this snapshot but not by `other`; all of them without `other`.
    pub fn unshared_bytes(&self, other: Option<&StoreSnapshot>) -> usize {
        self.globals.unshared_bytes(other.map(|o| &o.globals))
            + self.cells.unshared_bytes(other.map(|o| &o.cells))
            + self.piece_meta.unshared_bytes(other.map(|o| &o.piece_meta))
            + self.heap.unshared_bytes(other.map(|o| &o.heap))
            + size_of::<StoreSnapshot>()
    }

    /// The cells that differ.
    pub fn changed_cells(&self, other: &StoreSnapshot) -> Vec<u32> {
        self.cells
            .changed_indices(&other.cells)
            .into_iter()
            .map(|n| n as u32)
            .collect()
    }

    /// The globals that refer to different values. Their lists may have changed even if they do not.
    pub fn changed_globals(&self, other: &StoreSnapshot) -> Vec<u32> {
        let changed = self.globals.changed_indices(&other.globals);
        changed.into_iter().map(|n| n as u32).collect()
    }

    /// Everything that differs: cells, globals, message.
    pub fn changed_slots(&self, other: &StoreSnapshot) -> Vec<StateSlot> {
        let cells = self.changed_cells(other).into_iter().map(StateSlot::Cell);
        let mut globals = self.globals.changed_indices(&other.globals);
        globals.extend(self.globals_with_changed_list(other));
        globals.sort_unstable();
        globals.dedup();
        let globals = globals.into_iter().map(|n| StateSlot::Global(n as u32));
        let message = (self.message != other.message).then_some(StateSlot::Message);
        cells.chain(globals).chain(message).collect()
    }

    /// Globals that refer to the same list, whose elements changed.
    fn globals_with_changed_list(&self, other: &StoreSnapshot) -> Vec<usize> {
        if self.heap == other.heap {
            return Vec::new();
        }
        let pairs = (0..self.globals.len())
            .filter_map(|n| Some((n, self.globals.get(n)?, other.globals.get(n)?)));
        let same_handle = pairs.filter(|(_, a, b)| a == b && a.as_heap().is_some());
        same_handle
            .filter(|(_, a, b)| self.heap.list_differs(**a, &other.heap, **b))
            .map(|(n, ..)| n)
            .collect()
    }

    /// A store with the globals and the heap of this snapshot, which is enough to format values.
    pub fn to_store_without_board(&self) -> Store {
        let mut store = Store {
            rows: self.size.0,
            cols: self.size.1,
            ..Store::default()
        };
        store.globals.restore(&self.globals);
        store.heap.restore(&self.heap);
        store
    }

    /// Rows and columns.
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// The message line below the board, if the game set one.
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    /// The content of a cell.
    pub fn cell(&self, cell: u32) -> Value {
        self.cells
            .get(cell as usize)
            .copied()
            .unwrap_or(Value::EMPTY)
    }

    /// Whether both look the same to the user. Heap garbage and piece ids do not count.
    pub fn is_same_game(&self, other: &StoreSnapshot) -> bool {
        self.has_same_globals(other)
            && self.cells == other.cells
            && self.size == other.size
            && self.message == other.message
    }

    /// Compares the records and lists that global variables hold, by content.
    pub fn has_same_records(&self, other: &StoreSnapshot) -> bool {
        let count = self.globals.len().min(other.globals.len());
        (0..count).all(|n| match (self.globals.get(n), other.globals.get(n)) {
            (Some(a), Some(b)) if a.as_heap().is_some() => {
                self.heap.equals_across(*a, &other.heap, *b)
            }
            _ => true,
        })
    }

    /// Compares globals by content, so that garbage on the heap does not matter.
    fn has_same_globals(&self, other: &StoreSnapshot) -> bool {
        if self.heap == other.heap {
            return self.globals == other.globals;
        }
        let pair = |n: usize| Some((*self.globals.get(n)?, *other.globals.get(n)?));
        self.globals.len() == other.globals.len()
            && (0..self.globals.len())
                .all(|n| pair(n).is_some_and(|(a, b)| self.heap.equals_across(a, &other.heap, b)))
    }

    /// The grid that a global variable holds, if it holds one.
    pub fn grid(&self, index: u32) -> Option<&super::Grid> {
        self.heap.grid(self.global(index)?)
    }

    /// The value of a global variable, if there is one with this index.
    pub fn global(&self, index: u32) -> Option<Value> {
        self.globals.get(index as usize).copied()
    }
}
