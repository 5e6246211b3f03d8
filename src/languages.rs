//! The languages, each a folder with the same files.

pub mod bogl;
