//! gridbug: a REPL and step debugger for grid-game languages.
//!
//! # Architecture
//!
//! One virtual machine, one debugger and one prompt serve all five languages. A language translates
//! text to bytecode and describes its board; it never runs anything.
//!
//! ```text
//! terminal   prompt, view, run, pipes, --json           wasm   browsers
//! serve      the page and its engine, for browsers on this computer
//! protocol   requests and answers as JSON
//! driver     a line in, answers out, in slices
//! command    the table of commands                      teach  lessons, predictions, replays
//! session    one user's session                         render answers as text
//! -------------------------------------------------------------- crates, each in its folder
//! explorer   searches the positions of a game
//! analysis   why, why not, loops, coverage
//! debugger   runs, history, breakpoints, frames
//! answer     every answer, as plain data
//! languages  gridlok bogl gridlang tinygame sgl2d, each a crate
//! base       language, machine, code, value, diagnostic, source, host, text
//! ```
//!
//! What is below the line are crates of their own, so that cargo compiles what depends on a changed
//! line; the rest is this crate. Each crate has the modules of those below it at its root, so that
//! `crate::value` means the same everywhere.
//!
//! A module may use only modules to its left:
//! `source < diagnostic < value < code < { machine | language < languages } < answer < debugger <
//! analysis < explorer < render < session < teach < command < driver < protocol <
//! { serve | wasm } < terminal`. In addition, `answer`, `debugger`, `analysis` and `explorer` must not use
//! `languages`, and `answer` does not use `machine`.
//! `host` and `text` use none of them and may be used by all. `tests/layering` enforces this.
//!
//! # Data flow
//!
//! ```text
//! text -> Source -> tokens (logos) -> AST (lalrpop) -> check -> lower -> Program
//! line -> Driver -> command or entry -> Session -> Target -> Machine -> Answer -> render or protocol
//! ```
//!
//! # Invariants
//!
//! - Everything that can be stepped through is bytecode, including the rules of play: GridLok's turn
//!   is written in GridLok (`rules.gl`), GridLang's in GridLang (`rules.grid`), SGL2D's move in a
//!   small language of its own (`rules.txt`), and `:rules on` steps through the text that runs.
//! - Call frames live in the machine, never on the Rust stack, so pausing is just returning.
//! - Time is the number of instructions executed. Everything a run depends on is either machine state
//!   or recorded input, so replaying from a checkpoint reproduces the run exactly, down to heap slots.
//! - A checkpoint copies the pages written since the previous one and shares the rest. Of the call
//!   stack it copies only the frames from the lowest depth since then to the top. Any checkpoint can
//!   be restored at any time, earlier or later.
//! - A value is eight bytes. Lists are copied on assignment, lazily, and share the chunks that neither
//!   changes, also with checkpoints. The copy is shallow: GridLok
//!   replaces a list inside a list instead of modifying it, GridLang copies the rows of an array.
//!   A board that is a value shares its unchanged cells with the board it was made from.
//! - The history keeps within its limit: what it holds besides the current state is counted, and the
//!   least missed is dropped. What cannot be dropped counts as memory of the program.
//! - Breakpoints are traps patched into a copy of the code, so an unhit breakpoint costs nothing.
//!   Conditions and watched values are tested by the run itself (`machine/trap_test.rs`), as far as that
//!   takes no more than reading. The dispatch loop is compiled twice: the plain copy runs the patched code, and hands frequent
//!   instructions to `machine/fast_path.rs`, where each is a function that jumps to the next one's; the
//!   observed copy runs the original code and calls a `&mut dyn Observer` before every instruction.
//! - What can be judged from code alone (reads, writes, control flow, calls, live registers) follows
//!   from one table of the instructions, [`code::flow`]. Before a function is linked, builds with debug
//!   assertions check by it that all registers, constants and jumps are in range (`code/verify.rs`).
//! - Incremental evaluation is invisible: after an action, iterations of loops over the board that depend
//!   on nothing that has changed are not executed again (`code/incremental.rs`, `machine/incremental.rs`).
//!   Their time passes, and everything that they set is set, so the state at every time is the one of a
//!   full run. What an iteration depends on follows from the table of the instructions and from change
//!   stamps of rows and columns; every write to a cell goes through `value/cells.rs`. No iteration is
//!   skipped in which something has to happen: a time limit, an interrupt, the instruction limit.
//!   Observers, functions with traps and their callers execute every instruction.
//! - An entry that fails changes nothing. Inspecting runs on the live machine and is rolled back.
//!   Executing in the past forks the history, unless the entry had no effect.
//! - A function keeps its id when it is redefined. Frames that still run the old code continue with
//!   it under a fresh id.
//! - Files and the clock come from the [`host::Host`] that the client supplies. Only `host` and
//!   `terminal` use the operating system, so the engine builds for `wasm32-unknown-unknown`.
//! - Compiling is a pure function of the text: Ctrl-C and the memory limit end it anywhere, and nothing is
//!   changed (`source/work.rs`).
//! - Answers are data: `render` turns them into text for the terminal and for session files,
//!   `protocol` into JSON.
//!
//! # Design notes
//!
//! - Pages are copied when a checkpoint is taken, not at their first write: the test on each write is
//!   the same, and going *forward* to a later checkpoint is as cheap as going back.
//! - Registers are not paged: a stack changes at its top, so its lowest depth since the last checkpoint
//!   says which part is unchanged.
//! - Searches run on machines of their own, in several threads if it pays; positions travel between them
//!   as bytes. Answers do not depend on the number of threads, and the live game is never touched.
//! - The terminal has threads that wait for signals, for a deadline or for a new size of the screen; they
//!   only interrupt or set a flag. Nothing else runs beside the session and its searches.
//! - Deliberately absent: garbage collection at times that a replay would not reproduce, an undo log of
//!   single writes, a second evaluator for the debugger.

// Re-exports that only tests need.
#![cfg_attr(not(feature = "internals"), allow(unused_imports))]

// What a program that embeds gridbug needs: requests and answers as JSON, or a session
// and a driver that yields its answers.
pub use answer::Answer;
pub use driver::{Driver, Event};
pub use host::{Host, MemoryHost};
pub use language::Language;
pub use protocol::Connection;
pub use session::Session;

pub mod languages;
#[cfg(feature = "serve")]
pub mod serve;
#[cfg(feature = "terminal")]
pub mod terminal;
#[cfg(target_family = "wasm")]
pub mod wasm;

// Tests and benchmarks use everything else too. Without this feature rustc sees what nobody calls.
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod command;
#[cfg(not(feature = "internals"))]
mod command;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod driver;
#[cfg(not(feature = "internals"))]
mod driver;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod protocol;
#[cfg(not(feature = "internals"))]
mod protocol;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod render;
#[cfg(not(feature = "internals"))]
mod render;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod session;
#[cfg(not(feature = "internals"))]
mod session;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod teach;
#[cfg(not(feature = "internals"))]
mod teach;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub use {
    gridbug_analysis as analysis, gridbug_answer as answer, gridbug_debugger as debugger,
    gridbug_explorer as explorer,
};
#[cfg(not(feature = "internals"))]
use {
    gridbug_analysis as analysis, gridbug_answer as answer, gridbug_debugger as debugger,
    gridbug_explorer as explorer,
};

#[cfg(feature = "internals")]
#[doc(hidden)]
pub use gridbug_base::{code, diagnostic, host, language, machine, source, text, value};
#[cfg(not(feature = "internals"))]
use gridbug_base::{code, diagnostic, host, language, machine, source, text, value};
