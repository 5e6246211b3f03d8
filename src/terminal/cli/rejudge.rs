//! `gridbug rejudge FILE PATH…`: replays saved sessions on the rules of a game.

use crate::answer::{RejudgeVerdict, RejudgedSession};
use crate::command;
use crate::render::{Audience, Subcommand, advised};
use crate::session::Session;
use crate::terminal::output::Screen;
use crate::terminal::{
    Arguments, fail, missing_file, new_session, one_line_diagnostic, print_stderr, read_program,
};
use serde_json::json;
use std::io;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Something was not decided.
const UNDECIDED: u8 = 3;
/// A file is missing or cannot be read.
const USAGE: u8 = 2;
/// How often the replays are interrupted after the end of the time limit.
const INTERRUPT_INTERVAL: Duration = Duration::from_millis(5);

/// Judges each session; the exit code says whether all of them end as before.
pub fn run(
    file: &str,
    paths: &[String],
    seconds: Option<f64>,
    arguments: &Arguments,
    screen: &mut Screen,
) -> io::Result<ExitCode> {
    match judge(file, paths, seconds, arguments) {
        Ok(sessions) => {
            match arguments.json {
                true => {
                    let json = json!({"file": file, "ok": true, "rejudge": sessions});
                    screen.print_json(&json.to_string())?
                }
                false => {
                    let lines = crate::render::rejudge_lines(&sessions, screen.width);
                    screen.print_lines(&lines)?
                }
            }
            screen.flush()?;
            Ok(exit_code(&sessions))
        }
        Err((message, code)) => {
            match arguments.json {
                true => {
                    let json = json!({"file": file, "ok": false, "error": message});
                    screen.print_json(&json.to_string())?
                }
                false => drop(fail(&message)),
            }
            Ok(code)
        }
    }
}

fn exit_code(sessions: &[RejudgedSession]) -> ExitCode {
    let has = |verdict: RejudgeVerdict| sessions.iter().any(|s| s.verdict == verdict);
    match has(RejudgeVerdict::Different) || has(RejudgeVerdict::Unplayable) {
        true => ExitCode::FAILURE,
        false if has(RejudgeVerdict::Undecided) => ExitCode::from(UNDECIDED),
        false => ExitCode::SUCCESS,
    }
}

fn judge(
    file: &str,
    paths: &[String],
    seconds: Option<f64>,
    arguments: &Arguments,
) -> Result<Vec<RejudgedSession>, (String, ExitCode)> {
    let usage = |message: String| (message, ExitCode::from(USAGE));
    if let Some(message) = missing_file(file) {
        return Err(usage(message));
    }
    let program = read_program(file, arguments).map_err(usage)?;
    let mut session = new_session(arguments, program.language, true);
    if let (Some(mb), None) = (arguments.memory, arguments.history) {
        session.target.machine.limits.max_history_bytes = mb << 20;
    }
    let time_limit = TimeLimit::start(seconds, &session);
    let mut loaded = command::start_preludes(&mut session, &program.preludes);
    if loaded.ok {
        loaded = command::start_session(&mut session, &program.name, &program.text);
    }
    if !loaded.ok {
        for diagnostic in loaded.diagnostics.iter().filter(|d| d.is_error()) {
            print_stderr(&one_line_diagnostic(&session.target.sources, diagnostic));
        }
        return Err(usage(format!("{file} has errors")));
    }
    let judged = command::rejudge_sessions(&mut session, paths, &|| time_limit.is_over());
    judged.map_err(|error| {
        usage(advised(
            &error.message,
            &error.advice,
            Audience::Shell(Subcommand::Other),
        ))
    })
}

/// The end of the time for the whole run.
struct TimeLimit {
    end: Option<Instant>,
}

impl TimeLimit {
    /// Interrupts whatever runs in a session, or in one that inherits its limits, once the time is over.
    fn start(seconds: Option<f64>, session: &Session) -> TimeLimit {
        let Some(time) = seconds.map(Duration::from_secs_f64) else {
            return TimeLimit { end: None };
        };
        let flag = session.target.machine.interrupt_flag();
        std::thread::spawn(move || {
            std::thread::sleep(time);
            // The flag is cleared whenever it is noticed.
            loop {
                flag.store(true, Ordering::SeqCst);
                std::thread::sleep(INTERRUPT_INTERVAL);
            }
        });
        let end = Instant::now().checked_add(time);
        TimeLimit { end }
    }

    fn is_over(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }
}
