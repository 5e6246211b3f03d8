//! Entry point of the `gridbug` binary: parses the command line and hands over to the terminal.

use clap::Parser;
use gridbug::terminal::{self, Arguments};
use std::process::ExitCode;

fn main() -> ExitCode {
    match Arguments::try_parse() {
        Ok(arguments) => terminal::start(&arguments),
        Err(error) => terminal::report_usage_error(&error),
    }
}
