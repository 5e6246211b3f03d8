//! `gridbug run FILE --opponent P`: starts a game in which the computer plays, and plays it in a pipe.

use super::input::Input;
use super::piped;
use crate::code::Status;
use crate::command;
use crate::driver::Driver;
use crate::language::PlayEntry;
use crate::render::{self, Audience, DEFAULT_WIDTH, Subcommand};
use crate::session::{Answer, Session};
use crate::terminal::output::Screen;
use crate::terminal::{one_line_diagnostic, print_stderr};
use std::io;
use std::process::ExitCode;

/// Why a game could not be started.
pub struct FailedStart {
    messages: Vec<String>,
    code: ExitCode,
}

impl FailedStart {
    /// Prints the errors; returns the exit code.
    pub fn report(self) -> ExitCode {
        self.messages.iter().for_each(|text| print_stderr(text));
        self.code
    }
}

/// Loads a game and lets the computer play in it. `opponents` are arguments of `:opponent`.
pub fn start(
    driver: &mut Driver,
    session: &mut Session,
    file: &str,
    text: &str,
    opponents: &[String],
) -> Result<Answer, FailedStart> {
    let loaded = command::start_session(session, file, text);
    if !loaded.ok {
        let sources = &session.target.sources;
        let diagnostics = loaded.diagnostics.iter();
        return Err(FailedStart {
            messages: diagnostics
                .map(|d| one_line_diagnostic(sources, d))
                .collect(),
            code: ExitCode::FAILURE,
        });
    }
    for opponent in opponents {
        let answer = driver.answer(session, &format!(":opponent {opponent}"));
        if !answer.ok {
            let audience = Audience::Shell(Subcommand::Other);
            let text = render::text(&answer, DEFAULT_WIDTH.with_audience(audience));
            let reason = text.strip_prefix("error: ").unwrap_or(&text);
            return Err(FailedStart {
                messages: vec![format!("gridbug: --opponent: {reason}")],
                code: ExitCode::from(2),
            });
        }
    }
    Ok(loaded)
}

/// Plays a game against the computer without a terminal: moves and answers are read from standard
/// input, and every board is printed.
pub fn run_in_pipe(
    mut session: Session,
    file: &str,
    text: &str,
    opponents: &[String],
    mut screen: Screen,
) -> io::Result<ExitCode> {
    let mut driver = Driver::new();
    let loaded = match start(&mut driver, &mut session, file, text, opponents) {
        Ok(loaded) => loaded,
        Err(failed) => return Ok(failed.report()),
    };
    let mut input = Input::stdin();
    let mut show = |driver: &mut Driver, session: &mut Session, first: Option<Answer>| {
        let (is_ok, _) = piped::show_answers(driver, session, first, &mut input, &mut screen)?;
        io::Result::Ok(is_ok)
    };
    let mut all_ok = show(&mut driver, &mut session, Some(loaded))?;
    let play_entry = |session: &Session| {
        let target = &session.target;
        target.language().play_entry(target.program())
    };
    let is_playing = |session: &Session| session.target.progress().status == Status::Playing;
    match play_entry(&session) {
        Some(PlayEntry::Game(entry)) => {
            driver.enter(entry);
            all_ok &= show(&mut driver, &mut session, None)?;
        }
        Some(PlayEntry::Turn(entry)) => {
            while all_ok && is_playing(&session) {
                driver.enter(entry);
                all_ok = show(&mut driver, &mut session, None)?;
            }
        }
        None => all_ok &= piped::run(&mut session, &mut input, &mut screen)?,
    }
    Ok(match all_ok {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}
