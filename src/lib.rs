//! gridbug: a REPL and step debugger for grid-game languages.
//!
//! # Architecture
//!
//! One virtual machine runs all five languages, one debugger stops them all, and one prompt serves
//! them all. A language is a translator from text to bytecode and nothing else.
//!
//! ```text
//! source      source texts and spans                 code        bytecode: what languages lower to
//! diagnostic  errors and warnings, as data           machine     runs bytecode; can pause and go back
//! value       values, paged store, heap              language    the trait a language implements
//! languages   gridlok bogl gridlang tinygame sgl2d   debugger    breakpoints, steps, history, traces
//! session     one user's session; replies as data    command     the commands, as a table
//! terminal    prompt, colors, keys; all printing     host        what differs between systems
//! ```
//!
//! A module may use only modules to its left:
//! `source < diagnostic < value < code < { machine | language < languages } < debugger < session <
//! command < terminal`; `host` is left of all of them. `tests/layering.rs` enforces this.
//!
//! # Data flow
//!
//! ```text
//! text -> Source -> tokens (logos) -> AST (lalrpop) -> check -> lower -> Program
//! line -> command or entry -> Session -> Machine::run -> Outcome -> Reply -> terminal or JSON
//! ```
//!
//! # Invariants
//!
//! - Everything that can be stepped through is bytecode, including the rules of play: GridLok's turn
//!   is written in GridLok (`rules.gl`), and `:rules on` steps through it.
//! - Call frames live in the machine, never on the Rust stack. Pausing is returning.
//! - Time is the number of instructions executed. Everything a run depends on is either machine state
//!   or recorded input, so replaying from a checkpoint reproduces the run exactly, down to heap slots.
//! - A checkpoint copies the pages written since the previous one and shares the rest. Of the call
//!   stack it copies only the frames above the lowest depth since then. Any checkpoint can be restored
//!   from any other, in both directions.
//! - A value is eight bytes. Lists are copied on assignment, lazily; a list inside a list is replaced,
//!   never modified in place.
//! - Breakpoints are traps patched into a copy of the code, so an unhit breakpoint costs nothing. The
//!   dispatch loop is compiled twice: plain, and with an observer (`&mut dyn Observer`) that is asked
//!   before every instruction and runs the unpatched code.
//! - An entry that fails changes nothing. Inspecting runs on the live machine and is rolled back.
//!   Executing in the past forks the history, unless the entry had no effect.
//! - A function keeps its id when it is redefined. Frames that still run the old code keep it, under a
//!   fresh id.
//! - Replies are data: the terminal prints them, `--json` serializes them, session files store them.
//!
//! # Design notes
//!
//! - Pages are copied when a checkpoint is taken, not at their first write: the test on each write is
//!   the same, and going *forward* to a later checkpoint is as cheap as going back.
//! - Registers are not paged: a stack changes at its top, so its lowest depth since the last checkpoint
//!   says which part is unchanged.
//! - Deliberately absent: threads, a garbage collector with its own schedule, an undo log of single
//!   writes, a second evaluator for the debugger.

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
