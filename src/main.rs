//! Arguments in, exit code out.

use clap::Parser;
use gridbug::terminal::{self, Arguments};
use std::process::ExitCode;

fn main() -> ExitCode {
    match Arguments::try_parse() {
        Ok(arguments) => terminal::start(&arguments),
        Err(wrong) => terminal::report_usage_error(&wrong),
    }
}
