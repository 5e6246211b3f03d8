//! The languages, each a folder with the same files.

pub mod sgl2d;
pub mod tinygame;
