//! The first byte of a packed value.

pub(super) const NOTHING: u8 = 0;
pub(super) const EMPTY: u8 = 1;
pub(super) const FALSE: u8 = 2;
pub(super) const TRUE: u8 = 3;
pub(super) const INT: u8 = 4;
pub(super) const FLOAT: u8 = 5;
pub(super) const STRING: u8 = 6;
pub(super) const SYMBOL: u8 = 7;
pub(super) const PIECE: u8 = 8;
pub(super) const COORDINATE: u8 = 9;
pub(super) const LIVE_PIECE_REF: u8 = 10;
pub(super) const DEAD_PIECE_REF: u8 = 11;
/// A list or record that was met before.
pub(super) const KNOWN_OBJECT: u8 = 12;
pub(super) const NEW_LIST: u8 = 13;
pub(super) const NEW_RECORD: u8 = 14;
pub(super) const BUILT_STRING: u8 = 15;
pub(super) const TUPLE: u8 = 16;
pub(super) const WIDE_INT: u8 = 17;
pub(super) const GRID: u8 = 18;
/// Small integers are a single byte, from here on.
pub(super) const SMALL_INT: u8 = 32;
pub(super) const SMALL_INTS: u8 = 64;
/// The strings and symbols of the program are a single byte, from here on.
pub(super) const WORD: u8 = SMALL_INT + SMALL_INTS;
pub(super) const MAX_WORDS: usize = u8::MAX as usize - WORD as usize + 1;
