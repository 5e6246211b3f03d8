//! Positions: as bytes, on a machine, and as a graph.
//!
//! ```text
//! packing    packs a position into bytes and back
//! arena      storage that only grows, in blocks: growing copies nothing and reserves little
//! graph      the positions that a search has found
//! simulator  runs actions from packed positions, on a machine of its own
//! growth     which variable makes a search grow without end, and where it is read
//! ```

pub(crate) mod arena;
pub(crate) mod graph;
pub(crate) mod growth;
pub(crate) mod packing;
pub(crate) mod simulator;
