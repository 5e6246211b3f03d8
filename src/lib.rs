//! gridbug: an interactive prompt and step debugger for grid-game languages.
//!
//! # The house
//!
//! One machine runs all languages, one debugger stops them all, one prompt talks to them all. A language is a
//! translator and nothing else.
//!
//! ```text
//! source      texts by number, places in them            code        what a language is lowered to
//! diagnostic  what went wrong, as data                   machine     runs code; can pause and go back anywhere
//! value       values, pages, the heap, the live game     language    what a language must answer (eight methods)
//! languages   gridlok bogl gridlang tinygame sgl2d       debugger    breakpoints, steps, timeline, evaluations
//! session     one person's session; replies as data      command     the commands, as a table
//! terminal    the only room that prints or reads keys    host        what differs between operating systems
//! ```
//!
//! A room names only rooms to its left:
//! `source < diagnostic < value < code < { machine | language < languages } < debugger < session < command < terminal`;
//! `host` stands left of all of them.
//! `tests/layering.rs` keeps it so.
//!
//! # The way of the data
//!
//! ```text
//! text -> Source -> tokens (logos) -> tree (lalrpop) -> check -> lower -> Program { functions, stops, notes, names }
//! a typed line -> command or entry -> session -> machine.run -> Finished | Paused | NeedsInput | Failed -> Reply
//! ```
//!
//! # What holds always
//!
//! - Everything steppable is lowered code, the rules of play included: GridLok's turn is GridLok (`rules.gl`),
//!   and `:rules on` steps through it.
//! - Frames lie in the machine, never on the stack of Rust. Pausing is returning.
//! - Time is the number of instructions done. All that a run depends on is in the state or in the recorded inputs, so
//!   running again from a checkpoint gives the same again, down to the slots of the heap.
//! - A checkpoint copies the pages written since the one before and shares the rest, for the store; for the stack it
//!   copies only the frames above the lowest depth since. Any checkpoint can be gone to from any other, back or forth.
//! - A value is eight bytes. Lists are copied when they are assigned, lazily; a list inside a list is replaced, never changed.
//! - Breakpoints are traps put into a copy of the code: one that is set and not hit costs nothing. The loop is compiled
//!   twice, plain and watched; the watched one runs the code as it was lowered.
//! - An entry that fails never happened. Looking happens on a copy. What is typed in the past starts a branch, unless it
//!   changes nothing.
//! - A function keeps its number over redefinition; frames that run old code keep that, under a number of their own.
//! - Replies are data. The terminal paints them, `--json` prints them, session files keep them.
//!
//! # What was planned otherwise
//!
//! - Pages are not put aside at their first write but copied when a checkpoint is taken: the test at each write is the
//!   same, and going *forward* to a later checkpoint is as cheap as going back.
//! - Registers are not paged at all: a stack changes at its top, so its lowest depth says what is unchanged.
//! - Deliberately absent: threads, a garbage collector that runs by itself, an undo log of single writes, a second
//!   evaluator for the debugger.

pub mod code;
pub mod command;
pub mod debugger;
pub mod diagnostic;
pub mod host;
pub mod language;
pub mod languages;
pub mod machine;
pub mod session;
pub mod source;
#[cfg(feature = "terminal")]
pub mod terminal;
pub mod value;
