//! Arguments in, exit code out.

use clap::Parser;
use gridbug::terminal::{self, Arguments};
use std::process::ExitCode;

fn main() -> ExitCode {
    terminal::start(&Arguments::parse())
}
