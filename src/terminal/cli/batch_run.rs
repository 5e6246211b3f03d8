//! `gridbug run FILE`: runs a program with its own output and input only. Errors go to standard
//! error, one line each, so that other tools can parse them.

use crate::code::Status;
use crate::session::{BatchIo, Session};
use crate::terminal::output::Screen;
use crate::terminal::repl::input::Input;
use crate::terminal::{one_line_diagnostic, print_stderr};
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

    fn notice(&mut self, text: &str) -> io::Result<()> {
        print_stderr(text);
        Ok(())
    }
}

/// Runs the program to its end; the exit code is a failure if it had an error.
pub fn run(mut session: Session, file: &str, text: &str, screen: Screen) -> io::Result<ExitCode> {
    let mut console = Console {
        screen,
        input: Input::stdin(),
    };
    let diagnostics = session.run_batch(file, text, &mut console)?;
    for diagnostic in diagnostics.iter().filter(|d| d.is_error()) {
        print_stderr(&one_line_diagnostic(&session.target.sources, diagnostic));
    }
    if diagnostics.is_empty()
        && let Some(moves) = expected_moves(&session)
    {
        print_stderr(&format!(
            "gridbug: this game waits for moves such as `{moves}`; play it at a terminal, or pipe \
             moves to `gridbug {file}`"
        ));
    }
    Ok(if diagnostics.iter().any(|d| d.is_error()) {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

/// A move, if the game is played with moves and has not ended: `run` has no way to enter them
/// without a terminal.
fn expected_moves(session: &Session) -> Option<String> {
    let target = &session.target;
    let (language, program) = (target.language(), target.program());
    let arrows = language.info().arrow_keys.map(|keys| keys[3].to_string());
    let moves = language.click_entry(0, 0).or(arrows)?;
    let status = language.progress(program, &target.machine.store).status;
    (status == Status::Playing).then_some(moves)
}
