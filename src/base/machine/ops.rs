//! What single instructions do, as functions over the parts of the machine that they need. The
//! dispatch loop handles the common cases itself and leaves the others to these.
//!
//! - `arithmetic`: numbers, comparison, strings,
//! - `list`: lists, records, coordinates,
//! - `grid`: grids that are values,
//! - `board`: the board in the store, and its pieces,
//! - `escape`: leaving several calls at once.

pub(super) mod arithmetic;
pub(super) mod board;
pub(super) mod escape;
pub(super) mod grid;
pub(super) mod list;
