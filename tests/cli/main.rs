//! Tests of the binary: command line, pipes, and the REPL in a pseudo-terminal.

mod color;
mod command_line;
mod continued_entries;
mod entries;
#[cfg(unix)]
mod files;
mod key_play;
mod pictures;
mod play;
#[path = "../support/protocol.rs"]
mod protocol;
#[path = "../support/pty_session.rs"]
mod pty_session;
mod search;
mod search_exit_codes;
mod serve;
mod shell_completions;
mod terminal;
mod typing;
mod view;
