//! Breakpoints, stepping, time and the asking of why: all on the machine's stops and notes, for every language alike.

pub mod timeline;

pub use timeline::{Deed, Record, Timeline};
