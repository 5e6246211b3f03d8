//! Values, strings, grids, and the store that holds the state of a game. Shared by all languages.
//!
//! A [`Value`] is eight bytes and copied freely. What does not fit (lists, records, built strings,
//! large numbers) lives in the [`Heap`] and is referenced by a handle. All mutable state of a
//! running game is kept in [`PagedVec`]s, so that a snapshot copies only what was written since the
//! last one.
//!
//! ```text
//! cells       the cells of the board, with a log of which ones changed
//! heap        objects that do not fit in a [`Value`]
//! interned    interned strings
//! list        the elements of a list, in chunks that copies share
//! paged_vec   a vector with cheap snapshots
//! shared_map  an ordered map whose copies share their unchanged parts
//! shared_vec  a vector whose copies share their unchanged parts
//! store       the mutable state of a game: variables, board, pieces, heap and message line
//! ```

#![warn(missing_docs)]

mod cells;
mod heap;
mod interned;
mod list;
mod paged_vec;
mod shared_map;
mod shared_vec;
mod store;

pub use cells::Cells;
pub use heap::{Grid, Handle, Heap, Object, ObjectKind};
pub use interned::InternedStr;
pub use list::{Items, List};
pub use paged_vec::PagedVec;
pub use shared_map::SharedMap;
pub use shared_vec::SharedVec;
pub use store::{PieceMeta, StateSlot, Store, StoreSnapshot};

use heap::HeapSnapshot;
use paged_vec::Snapshot;

/// A value of any language, NaN-boxed: floats are stored as they are, everything else in the
/// payload of a NaN with a 16-bit tag and 48 bits of data.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value(u64);

/// Mask of the bits below the tag.
const PAYLOAD: u64 = (1 << 48) - 1;
// Tags.
/// Integers that need more than 32 bits. They have a separate tag so that the dispatch loop can
/// recognize 32-bit integers without checking their size.
const LONG: u64 = 0xFFF8;
/// `NOTHING`, `EMPTY`, and payloads with `COORDINATE_FLAG` or `PIECE_REF_FLAG`.
const OTHER: u64 = 0xFFF9;
const HEAP: u64 = 0xFFFA;
const PIECE: u64 = 0xFFFB;
const SYMBOL: u64 = 0xFFFC;
// From here on, values of the same type are equal if their bits are.
const BOOL: u64 = 0xFFFD;
const TEXT: u64 = 0xFFFE;
/// 32-bit integers. They are the largest values, with all of the upper 32 bits set, so that one
/// comparison recognizes one of them, or two of them by the bits that they share.
const INT: u64 = 0xFFFF;
const FIRST_INT: u64 = 0xFFFF_FFFF << 32;
const COORDINATE_FLAG: u64 = 1 << 47;
const PIECE_REF_FLAG: u64 = 1 << 46;
/// Width of each component of a coordinate, and of the id in a `PieceRef`.
const FIELD_BITS: u32 = 22;
const FIELD_MASK: u64 = (1 << FIELD_BITS) - 1;
/// The bits of the cell in a `PieceRef` that do not fit in its field start here.
const CELL_HIGH_SHIFT: u32 = 44;

/// Integers in `-INLINE..INLINE` are stored in the value itself, larger ones on the heap.
const INLINE: i64 = 1 << 47;

/// A decoded [`Value`], for `match`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Unpacked {
    /// No value: what a function without `return` returns.
    Nothing,
    /// An empty cell.
    Empty,
    /// An integer that is stored in the value itself; larger ones are on the heap.
    Int(i64),
    /// A float; NaN has a single representation.
    Float(f64),
    /// A boolean.
    Bool(bool),
    /// A string literal; built strings are on the heap.
    String(InternedStr),
    /// A constant that is its own value, such as `X` in BoGL.
    Symbol(InternedStr),
    /// A copy of a piece, independent of the board from then on.
    Piece(Piece),
    /// Row and column.
    Coordinate(i32, i32),
    /// A list, tuple, record, built string, large integer or grid.
    Heap(Handle),
    /// The piece whose handler runs: its cell and its id (see [`PieceMeta`]).
    PieceRef(u32, u32),
}

/// A copy of the piece that was on a cell when the cell was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Piece {
    /// Index of the cell in row-major order.
    pub cell: u32,
    /// Index into `Program::piece_kinds`.
    pub kind: u16,
    /// Index into `Program::owners`; 0 means no owner.
    pub owner: u16,
    /// Whether the player can see it.
    pub visible: bool,
}

impl Piece {
    /// Highest kind that fits in a value.
    pub const MAX_KIND: u16 = (1 << 12) - 1;
    /// Highest owner that fits in a value.
    pub const MAX_OWNER: u16 = (1 << 11) - 1;
    /// The cell of a copy whose cell is no longer on the board, because the board shrank. Every
    /// board has fewer cells.
    pub const LOST_CELL: u32 = Value::MAX_CELLS - 1;
}

#[inline]
const fn pack(tag: u64, payload: u64) -> Value {
    Value(tag << 48 | payload & PAYLOAD)
}

impl Value {
    /// No value; see [`Unpacked::Nothing`].
    pub const NOTHING: Value = pack(OTHER, 0);
    /// An empty cell.
    pub const EMPTY: Value = pack(OTHER, 1);
    /// The boolean true.
    pub const TRUE: Value = pack(BOOL, 1);
    /// The boolean false.
    pub const FALSE: Value = pack(BOOL, 0);
    /// A piece stores the index of its cell in 24 bits.
    pub const MAX_CELLS: u32 = 1 << 24;
    /// A board has fewer rows and fewer columns than this.
    pub const MAX_SIDE: u32 = 1 << 21;
    /// Highest piece id that fits in a [`Unpacked::PieceRef`].
    const MAX_PIECE_ID: u32 = FIELD_MASK as u32;

    /// A 32-bit integer.
    #[inline]
    pub const fn int(value: i32) -> Value {
        Value(FIRST_INT | value as u32 as u64)
    }

    /// An integer stored in the value itself; `None` if it needs the heap.
    #[inline]
    pub fn inline_int(value: i64) -> Option<Value> {
        match i32::try_from(value) {
            Ok(value) => Some(Value::int(value)),
            Err(_) => (-INLINE..INLINE)
                .contains(&value)
                .then(|| pack(LONG, value as u64)),
        }
    }

    /// A floating-point number.
    #[inline]
    pub fn float(value: f64) -> Value {
        // Canonicalize NaN, so that it cannot be mistaken for a tag.
        Value(if value.is_nan() {
            f64::NAN.to_bits() & !(1 << 63)
        } else {
            value.to_bits()
        })
    }

    /// A boolean.
    #[inline]
    pub const fn bool(value: bool) -> Value {
        Value(BOOL << 48 | value as u64)
    }

    /// A string literal. Built strings are allocated with [`Heap::alloc_string`].
    #[inline]
    pub fn interned(text: InternedStr) -> Value {
        pack(TEXT, text.index() as u64)
    }

    /// See [`Unpacked::Symbol`].
    pub fn symbol(text: InternedStr) -> Value {
        pack(SYMBOL, text.index() as u64)
    }

    /// A reference to an object on the heap.
    pub fn heap(handle: Handle) -> Value {
        pack(HEAP, (handle.kind as u64) << 32 | handle.slot as u64)
    }

    /// A piece.
    #[inline]
    pub fn piece(p: Piece) -> Value {
        pack(
            PIECE,
            (p.cell as u64) << 24
                | (p.kind as u64) << 12
                | (p.owner as u64) << 1
                | p.visible as u64,
        )
    }

    /// Refers to the piece with this id on a cell; see [`Unpacked::PieceRef`].
    pub fn piece_ref(cell: u32, id: u32) -> Value {
        pack(
            OTHER,
            PIECE_REF_FLAG
                | (cell as u64 & FIELD_MASK | (cell as u64 >> FIELD_BITS) << CELL_HIGH_SHIFT)
                | (id as u64 & FIELD_MASK) << FIELD_BITS,
        )
    }

    /// The cell and the id of a [`Unpacked::PieceRef`], if it is one.
    #[inline]
    pub fn as_piece_ref(self) -> Option<(u32, u32)> {
        let p = self.payload();
        let is_ref =
            self.tag() == OTHER && p & (COORDINATE_FLAG | PIECE_REF_FLAG) == PIECE_REF_FLAG;
        is_ref.then_some((
            (p & FIELD_MASK | (p >> CELL_HIGH_SHIFT & 3) << FIELD_BITS) as u32,
            (p >> FIELD_BITS & FIELD_MASK) as u32,
        ))
    }

    /// `None` if a component does not fit in 22 bits.
    pub fn coordinate(row: i32, column: i32) -> Option<Value> {
        let fits = |n: i32| (-(1 << (FIELD_BITS - 1))..1 << (FIELD_BITS - 1)).contains(&n);
        (fits(row) && fits(column)).then(|| {
            pack(
                OTHER,
                COORDINATE_FLAG
                    | (row as u64 & FIELD_MASK) << FIELD_BITS
                    | column as u64 & FIELD_MASK,
            )
        })
    }

    /// The internal state of a loop over cells. Lives in a register that no program can name.
    #[inline]
    pub const fn loop_state(state: u64) -> Value {
        pack(PIECE, state)
    }

    /// The 48 bits of data of a value that is not a float.
    #[inline]
    pub const fn payload(self) -> u64 {
        self.0 & PAYLOAD
    }

    #[inline]
    const fn tag(self) -> u64 {
        self.0 >> 48
    }

    /// Whether this is a 32-bit integer.
    #[inline]
    pub const fn is_int(self) -> bool {
        self.0 >= FIRST_INT
    }

    /// Whether both are 32-bit integers, with a single comparison.
    #[inline]
    pub const fn are_ints(self, other: Value) -> bool {
        self.0 & other.0 >= FIRST_INT
    }

    /// The integer of a value for which [`Value::is_int`] holds; garbage otherwise.
    #[inline]
    pub const fn int_payload(self) -> i32 {
        self.0 as i32
    }

    /// The integer, unless it is on the heap; see [`Heap::as_int`].
    #[inline]
    pub fn as_int(self) -> Option<i64> {
        if self.is_int() {
            Some(self.int_payload() as i64)
        } else {
            self.as_long()
        }
    }

    #[inline]
    fn as_long(self) -> Option<i64> {
        (self.tag() == LONG).then_some(((self.0 << 16) as i64) >> 16)
    }

    /// The boolean, if it is one.
    #[inline]
    pub const fn as_bool(self) -> Option<bool> {
        match self {
            Value::TRUE => Some(true),
            Value::FALSE => Some(false),
            _ => None,
        }
    }

    /// True if it is a floating-point number.
    #[inline]
    pub fn is_float(self) -> bool {
        self.tag() < LONG
    }

    /// The raw representation.
    #[inline(always)]
    pub fn to_bits(self) -> u64 {
        self.0
    }

    /// The floating-point number, if it is one.
    #[inline]
    pub fn as_float(self) -> Option<f64> {
        self.is_float().then(|| f64::from_bits(self.0))
    }

    /// The string, unless it is on the heap; see [`Heap::as_str`].
    #[inline]
    pub fn as_interned(self) -> Option<InternedStr> {
        (self.tag() == TEXT).then(|| InternedStr::from_index(self.payload() as u32))
    }

    /// The handle of the heap object, if it is one.
    #[inline]
    pub fn as_heap(self) -> Option<Handle> {
        (self.tag() == HEAP).then(|| Handle {
            slot: self.payload() as u32,
            kind: ObjectKind::from_u8((self.payload() >> 32) as u8),
        })
    }

    /// True if it is a piece.
    #[inline]
    pub fn is_piece(self) -> bool {
        self.tag() == PIECE
    }

    /// The piece, if it is one.
    #[inline]
    pub fn as_piece(self) -> Option<Piece> {
        self.is_piece().then(|| self.piece_payload())
    }

    /// The piece of a value for which [`Value::is_piece`] holds; garbage otherwise.
    #[inline]
    pub fn piece_payload(self) -> Piece {
        Piece {
            cell: (self.payload() >> 24) as u32,
            kind: (self.0 >> 12) as u16 & Piece::MAX_KIND,
            owner: (self.0 >> 1) as u16 & Piece::MAX_OWNER,
            visible: self.0 & 1 == 1,
        }
    }

    /// Whether both have the same tag, that is, the same type unless they are on the heap.
    #[inline]
    pub fn has_same_tag(self, other: Value) -> bool {
        self.tag() == other.tag()
    }

    /// Whether both are of the same type, and equal if their bits are: 32-bit integers, booleans or string
    /// literals.
    #[inline]
    pub fn are_plain(self, other: Value) -> bool {
        (self.0 ^ other.0) >> 48 == 0 && self.tag() >= BOOL
    }

    /// Decodes the value.
    pub fn unpack(self) -> Unpacked {
        let p = self.payload();
        match self.tag() {
            INT => Unpacked::Int(self.int_payload() as i64),
            LONG => Unpacked::Int(((self.0 << 16) as i64) >> 16),
            BOOL => Unpacked::Bool(p == 1),
            TEXT => Unpacked::String(InternedStr::from_index(p as u32)),
            SYMBOL => Unpacked::Symbol(InternedStr::from_index(p as u32)),
            PIECE => Unpacked::Piece(self.piece_payload()),
            HEAP => Unpacked::Heap(Handle {
                slot: p as u32,
                kind: ObjectKind::from_u8((p >> 32) as u8),
            }),
            OTHER if p == 0 => Unpacked::Nothing,
            OTHER if p == 1 => Unpacked::Empty,
            OTHER if p & COORDINATE_FLAG != 0 => {
                let unused_bits = u32::BITS - FIELD_BITS;
                let sign_extend = |n: u64| ((n as u32) << unused_bits) as i32 >> unused_bits;
                Unpacked::Coordinate(sign_extend(p >> FIELD_BITS), sign_extend(p))
            }
            OTHER => {
                let (cell, id) = self.as_piece_ref().unwrap_or_default();
                Unpacked::PieceRef(cell, id)
            }
            _ => Unpacked::Float(f64::from_bits(self.0)),
        }
    }
}

impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.unpack().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_value_round_trips() {
        for n in [0, 1, -1, i32::MAX, i32::MIN] {
            assert_eq!(Value::int(n).unpack(), Unpacked::Int(n as i64));
        }
        for n in [INLINE - 1, -INLINE, 1 << 40, 1 << 31, -(1 << 31) - 1, 7] {
            assert_eq!(
                Value::inline_int(n).map(Value::unpack),
                Some(Unpacked::Int(n))
            );
            assert_eq!(Value::inline_int(n).and_then(Value::as_int), Some(n));
            assert_eq!(Value::inline_int(n).map(Value::is_float), Some(false));
        }
        assert_eq!(Value::inline_int(INLINE), None);
        for x in [0.0, -0.0, 1.5, f64::INFINITY, f64::NEG_INFINITY, -1e300] {
            assert_eq!(Value::float(x).unpack(), Unpacked::Float(x));
        }
        assert!(Value::float(-f64::NAN).as_float().is_some_and(f64::is_nan));
        assert_eq!(Value::bool(true).unpack(), Unpacked::Bool(true));
        assert_eq!(Value::EMPTY.unpack(), Unpacked::Empty);
        assert_eq!(Value::NOTHING.unpack(), Unpacked::Nothing);
        let piece = Piece {
            cell: Value::MAX_CELLS - 1,
            kind: Piece::MAX_KIND,
            owner: Piece::MAX_OWNER,
            visible: true,
        };
        assert_eq!(Value::piece(piece).unpack(), Unpacked::Piece(piece));
        let piece = Piece {
            cell: 0,
            kind: 1,
            owner: 0,
            visible: false,
        };
        assert_eq!(Value::piece(piece).unpack(), Unpacked::Piece(piece));
        assert_eq!(
            Value::piece_ref(0xFF_FFFF, 0x3F_FFFF).unpack(),
            Unpacked::PieceRef(0xFF_FFFF, 0x3F_FFFF)
        );
        assert_eq!(Value::piece_ref(5, 7).unpack(), Unpacked::PieceRef(5, 7));
        assert_eq!(
            Value::coordinate(-3, 2_000_000).map(Value::unpack),
            Some(Unpacked::Coordinate(-3, 2_000_000))
        );
        assert_eq!(Value::coordinate(1 << 21, 0), None);
        let word = InternedStr::new("zero");
        assert_eq!(Value::interned(word).unpack(), Unpacked::String(word));
        assert_eq!(Value::symbol(word).unpack(), Unpacked::Symbol(word));
        let handle = Handle {
            slot: u32::MAX,
            kind: ObjectKind::Record,
        };
        assert_eq!(Value::heap(handle).unpack(), Unpacked::Heap(handle));
    }
}
