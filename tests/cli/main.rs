//! Tests of the binary: command line, pipes, and the REPL in a pseudo-terminal.

mod color;
mod command_line;
mod key_play;
#[path = "../support/keyboard.rs"]
mod keyboard;
mod shell_completions;
mod terminal;
