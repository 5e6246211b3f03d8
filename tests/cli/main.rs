//! The program from outside: command line, pipes, and a pseudo-terminal with keys in and a screen out.

mod color;
mod command_line;
mod key_play;
mod shell_completions;
mod terminal;
#[path = "../support/keyboard.rs"]
mod keyboard;
