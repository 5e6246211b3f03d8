//! Subcommands and options of the command line.
//!
//! ```text
//! arguments          the command line as a clap parser
//! batch_run          `gridbug run FILE`: runs a program with its own output and input only
//! check              `gridbug check FILE…`
//! explore            `gridbug find FILE GOAL`
//! format             `gridbug fmt FILE…`: formats programs in place, or standard input
//! man                `gridbug man`
//! new_file           `gridbug new FILE`: writes a small game to start from
//! rejudge            `gridbug rejudge FILE PATH…`
//! score_file         the file that `gridbug lesson --score` writes for the teacher
//! serve              `gridbug serve [FILE]`: the page in a browser
//! shell_completions  `gridbug completions SHELL`
//! show               prints an answer
//! test_runner        `gridbug test PATH…`: replays session files and compares the replies
//! ```

pub(crate) mod arguments;
pub(crate) mod batch_run;
pub(crate) mod check;
pub(crate) mod explore;
pub(crate) mod format;
pub(crate) mod man;
pub(crate) mod new_file;
pub(crate) mod rejudge;
pub(crate) mod score_file;
#[cfg(feature = "serve")]
pub(crate) mod serve;
pub(crate) mod shell_completions;
pub(crate) mod show;
pub(crate) mod test_runner;
