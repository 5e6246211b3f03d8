//! The kinds of pieces of a program, as the dispatch loop looks them up: by name and by number.

use super::RuntimeError;
use super::runtime_error::ValueContext;
use crate::code::{FunctionId, PieceEvent, Program};
use crate::value::{InternedStr, Piece, Store, Unpacked, Value};

/// Marks a name that is not a kind or an owner.
const NO_INDEX: u16 = u16::MAX;
/// Marks an event without a handler.
const NO_FUNCTION: u32 = u32::MAX;

/// Lookup tables for the kinds and owners of pieces.
pub(super) struct KindTable {
    /// Kinds and owners, indexed by the interned index of their name; `NO_INDEX` for other names.
    by_name: Vec<u16>,
    owner_by_name: Vec<u16>,
    /// Names of kinds by index, and the name of an empty cell.
    pub(super) names: Vec<Value>,
    pub(super) no_name: Value,
    /// Handler functions by kind, indexed by `PieceEvent`; `NO_FUNCTION` for none.
    handlers: Vec<[u32; 2]>,
    /// Whether any kind handles the turn event.
    has_turn_handlers: bool,
}

impl KindTable {
    /// The tables of a program.
    pub(super) fn new(program: &Program) -> KindTable {
        let kinds = || program.piece_kinds.iter();
        let raw_id = |f: Option<FunctionId>| f.map_or(NO_FUNCTION, |f| f.0);
        KindTable {
            by_name: index_by_name(kinds().map(|k| k.name)),
            owner_by_name: index_by_name(program.owners.iter().copied()),
            names: kinds().map(|k| Value::interned(k.name)).collect(),
            no_name: Value::interned(InternedStr::new("")),
            handlers: kinds().map(|k| k.handlers.map(raw_id)).collect(),
            has_turn_handlers: kinds().any(|k| k.handlers[PieceEvent::Turn as usize].is_some()),
        }
    }

    /// Looks up a kind by name.
    #[inline]
    pub(super) fn resolve(
        &self,
        values: ValueContext<'_>,
        name: Value,
    ) -> Result<u16, Box<RuntimeError>> {
        match self.find(name) {
            Some(kind) => Ok(kind),
            None => Err(values.unknown_kind_error(name)),
        }
    }

    #[inline]
    fn find(&self, name: Value) -> Option<u16> {
        let kind = name
            .as_interned()
            .and_then(|t| self.by_name.get(t.index() as usize).copied());
        kind.filter(|&kind| kind != NO_INDEX)
    }

    /// Looks up an owner by name; 0, which means no owner, for any other value.
    #[inline]
    pub(super) fn owner(&self, name: Value) -> u16 {
        let owner = name
            .as_interned()
            .and_then(|t| self.owner_by_name.get(t.index() as usize).copied());
        owner.filter(|&owner| owner != NO_INDEX).unwrap_or(0)
    }

    /// The handler of a kind of piece for an event.
    #[inline]
    pub(super) fn handler(&self, kind: u16, event: PieceEvent) -> Option<FunctionId> {
        let handler = self.handlers.get(kind as usize)?[event as usize];
        (handler != NO_FUNCTION).then_some(FunctionId(handler))
    }

    /// The turn handler of a piece, if the piece is still on the board and has one.
    pub(super) fn turn_handler(&self, store: &Store, piece: Value) -> Option<FunctionId> {
        let Unpacked::PieceRef(cell, id) = piece.unpack() else {
            return None;
        };
        let piece = store
            .piece(cell)
            .filter(|_| store.piece_meta(cell).id == id)?;
        self.handler(piece.kind, PieceEvent::Turn)
    }

    /// References to all pieces on the board, if any kind has a turn handler; kinds named in `order`
    /// come first.
    pub(super) fn turn_pieces(&self, store: &Store, order: Value) -> Vec<Value> {
        if !self.has_turn_handlers {
            return Vec::new();
        }
        let all = (0..store.cells.len() as u32)
            .filter_map(|at| store.piece(at).map(|piece| (piece, piece_ref(store, at))));
        let names = store.heap.items(order).unwrap_or_default();
        let first: Vec<u16> = names.iter().filter_map(|&n| self.find(n)).collect();
        if first.is_empty() {
            return all.map(|(_, piece_ref)| piece_ref).collect();
        }
        let rank = |piece: Piece| first.iter().position(|&k| k == piece.kind);
        let mut ranked: Vec<(usize, Value)> = all
            .map(|(piece, piece_ref)| (rank(piece).unwrap_or(first.len()), piece_ref))
            .collect();
        ranked.sort_by_key(|&(rank, _)| rank);
        ranked.into_iter().map(|(_, piece_ref)| piece_ref).collect()
    }

    /// The first piece at or after position `from`, in column-major order, that responds to the event:
    /// the position after it, and a reference to it.
    pub(super) fn next_handling_piece(
        &self,
        store: &Store,
        from: i64,
        event: PieceEvent,
    ) -> Option<(Value, Value)> {
        let responds = |handlers: &[u32; 2]| handlers[event as usize] != NO_FUNCTION;
        if !self.handlers.iter().any(responds) {
            return None;
        }
        let (rows, cols) = (store.rows as usize, store.cols as usize);
        let cells = store.cells.as_slice();
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
                    return Some((next, piece_ref(store, at as u32)));
                }
            }
            first_row = 0;
        }
        None
    }
}

fn piece_ref(store: &Store, cell: u32) -> Value {
    Value::piece_ref(cell, store.piece_meta(cell).id)
}

/// Maps the interned index of each name to its position.
fn index_by_name(names: impl Iterator<Item = InternedStr>) -> Vec<u16> {
    let mut table = Vec::new();
    for (i, name) in names.enumerate() {
        let at = name.index() as usize;
        if table.len() <= at {
            table.resize(at + 1, NO_INDEX);
        }
        // If a name occurs twice, the first one wins.
        if table[at] == NO_INDEX {
            table[at] = i as u16;
        }
    }
    table
}
