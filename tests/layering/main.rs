//! Layering rules, which Rust does not enforce within a crate. The layers are those described in
//! `src/lib.rs`. Every rule is driven by a table at the top of its file; an exception that nothing
//! needs fails as well.
//!
//! ```text
//! tokens            tokenizer for Rust texts       paths      paths below `crate` that a text names
//! source            files, with and without tests  types      inherent methods and calls of them
//! modules           modules use lower layers       crates     where external crates are used
//! operating_system  printing, files, platforms     cycles     calls between the files of a type
//! sizes             methods and files of a type    folders    files of a folder, maps, languages
//! ```

mod crates;
mod cycles;
mod folders;
mod modules;
mod operating_system;
mod paths;
mod sizes;
mod source;
mod tokens;
mod types;
