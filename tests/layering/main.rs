//! Layering rules, which Rust does not enforce within a crate. The layers are those described in
//! `src/lib.rs`. Every rule is driven by a table at the top of its file; an exception that nothing
//! needs fails as well.
//!
//! ```text
//! tokens            tokenizer for Rust texts
//! source            files, with and without tests
//! paths             paths below `crate` that a text names
//! types             inherent methods, and calls between the files of a type
//! calls             calls between files, of methods and functions
//! modules           modules use only lower layers, and languages do not use each other
//! operating_system  printing, files, platforms
//! crates            where external crates are used
//! cycles            the files of a type do not call each other in cycles
//! front_ends        checkers and lowerers do so only to recurse
//! sizes             methods and files of a type
//! folders           files of a folder, maps, the files of a language
//! ```

mod calls;
mod crates;
mod cycles;
mod folders;
mod front_ends;
mod modules;
mod operating_system;
mod paths;
mod sizes;
mod source;
mod tokens;
mod types;
