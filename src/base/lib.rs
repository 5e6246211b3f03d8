//! What everything else is built on.
//!
//! ```text
//! text        words and numbers in sentences
//! host        files, the clock and the keyboard
//! source      texts with names, spans in them
//! diagnostic  errors and warnings about a text
//! value       values, the heap, boards, snapshots
//! code        bytecode, programs and what each instruction does
//! machine     runs programs, one instruction after the other or at full speed
//! language    what a language is: the interface, and what their parsers share
//! ```

pub mod code;
pub mod diagnostic;
pub mod host;
pub mod language;
pub mod machine;
pub mod source;
pub mod text;
pub mod value;
