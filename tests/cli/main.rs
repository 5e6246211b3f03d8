//! The program from outside: command line, pipes, and a pseudo-terminal with keys in and a screen out.

mod color;
mod command_line;
mod key_play;
#[path = "../support/keyboard.rs"]
mod keyboard;
mod shell_completions;
mod terminal;
