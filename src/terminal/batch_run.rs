//! `gridbug run FILE`: a program's own output, its own input, and errors for other tools to read.

use super::input::Input;
use super::output::Screen;
use super::{one_line_diagnostic, print_stderr};
use crate::session::{BatchIo, Session};
use std::io;
use std::process::ExitCode;

struct Console {
    screen: Screen,
    input: Input,
}

impl BatchIo for Console {
    fn print(&mut self, line: &str) -> io::Result<()> {
        self.screen.print_text(line)?;
        self.screen.flush()
    }

    fn ask(&mut self, question: &str) -> io::Result<Option<String>> {
        self.screen.print_partial(question)?;
        self.input.read_line()
    }

    fn notice(&mut self, words: &str) -> io::Result<()> {
        print_stderr(words);
        Ok(())
    }
}

pub fn run(mut session: Session, file: &str, text: &str, screen: Screen) -> io::Result<ExitCode> {
    let mut console = Console {
        screen,
        input: Input::stdin(),
    };
    let wrong = session.run_batch(file, text, &mut console)?;
    for diagnostic in wrong.iter().filter(|d| d.is_error()) {
        print_stderr(&one_line_diagnostic(&session.sources, diagnostic));
    }
    Ok(if wrong.iter().any(|d| d.is_error()) {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}
