//! `gridbug run FILE`: a program's own output, its own input, and errors for other tools to read.

use super::input::Input;
use super::output::Screen;
use super::{short, told_aside};
use crate::session::{Session, Stage};
use std::io;
use std::process::ExitCode;

struct Console {
    screen: Screen,
    input: Input,
}

impl Stage for Console {
    fn print(&mut self, line: &str) -> io::Result<()> {
        self.screen.text(line)?;
        self.screen.flush()
    }

    fn ask(&mut self, question: &str) -> io::Result<Option<String>> {
        self.screen.part(question)?;
        self.input.line()
    }

    fn aside(&mut self, words: &str) -> io::Result<()> {
        told_aside(words);
        Ok(())
    }
}

pub fn play(mut session: Session, file: &str, text: &str, screen: Screen) -> io::Result<ExitCode> {
    let mut console = Console {
        screen,
        input: Input::standard(),
    };
    let wrong = session.play(file, text, &mut console)?;
    for diagnostic in wrong.iter().filter(|d| d.is_error()) {
        told_aside(&short(&session.sources, diagnostic));
    }
    Ok(if wrong.iter().any(|d| d.is_error()) {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}
