//! `gridbug find FILE GOAL`, `gridbug check --search FILE…` and `gridbug explore FILE`: search the positions of
//! a game without the prompt.

use super::show;
use crate::answer::{Answer, FindResult, FindVerdict, Notice, Part, SearchStop};
use crate::command;
use crate::explorer::{Scope, draws_in_setup, require_moves};
use crate::language::Actions;
use crate::protocol::answer_to_json_text;
use crate::render::{Audience, Subcommand};
use crate::session::Session;
use crate::terminal::output::Screen;
use crate::terminal::repl::interrupt::Interrupt;
use crate::terminal::{Arguments, fail, missing_file, new_session, read_program};
use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::time::Duration;

/// The exit code if a limit ended the search before the answer was known.
const UNDECIDED: u8 = 3;
/// The exit code for errors in the arguments or in the game.
const USAGE: u8 = 2;

/// Finds a line of moves to a goal: 0 if there is one, 1 if there is none.
pub fn find(
    file: &str,
    goal: &[String],
    seconds: Option<f64>,
    arguments: &Arguments,
    mut screen: Screen,
) -> io::Result<ExitCode> {
    let mut session = match open(file, seconds, arguments, &screen) {
        Ok(session) => session,
        Err(code) => return Ok(code),
    };
    let line = format!(":find {}", goal.join(" "));
    let has_other_starts = draws_in_setup(&session.target);
    let mut answer = command::execute(&mut session, &line);
    for part in &mut answer.parts {
        let Part::Find(result) = part else {
            continue;
        };
        // The session ends here, and the branch with it.
        result.branch = None;
        if has_other_starts {
            note_other_starts(result);
        }
    }
    print(
        &mut screen,
        &mut session,
        &answer,
        Subcommand::Find,
        arguments.json,
    )?;
    let verdict = answer.parts.iter().find_map(|part| match part {
        Part::Find(result) => Some(result.verdict),
        _ => None,
    });
    Ok(ExitCode::from(match verdict {
        Some(FindVerdict::Found) => 0,
        Some(FindVerdict::Never | FindVerdict::NotWithin) => 1,
        Some(FindVerdict::Unknown) => UNDECIDED,
        None => USAGE,
    }))
}

/// The question is about the game, not about the one start that was searched.
fn note_other_starts(result: &mut FindResult) {
    if matches!(result.verdict, FindVerdict::Never | FindVerdict::NotWithin) {
        result.verdict = FindVerdict::Unknown;
    }
    result.shortest = false;
    result.note = Some("the setup draws random numbers, so there are other starts".into());
}

/// Checks games by searching their positions: 0 if nothing goes wrong in any of them.
pub fn check(
    files: &[String],
    seconds: Option<f64>,
    arguments: &Arguments,
    mut screen: Screen,
) -> io::Result<ExitCode> {
    let mut codes = Vec::new();
    for (n, file) in files.iter().enumerate() {
        let mut session = match open(file, seconds, arguments, &screen) {
            Ok(session) => session,
            Err(_) => {
                codes.push(USAGE);
                continue;
            }
        };
        let answer = command::execute(&mut session, ":check");
        if files.len() > 1 && !arguments.json {
            if n > 0 {
                screen.print_raw("")?;
            }
            screen.print_text(&format!("{file}:"))?;
        }
        print(
            &mut screen,
            &mut session,
            &answer,
            Subcommand::Other,
            arguments.json,
        )?;
        codes.push(check_code(&answer));
        if answer.parts.iter().any(is_interrupted) && n + 1 < files.len() {
            screen.print_text("Interrupted: the other files were not checked")?;
            break;
        }
    }
    // The most serious one first.
    let order = [USAGE, 1, UNDECIDED];
    let code = order.into_iter().find(|code| codes.contains(code));
    Ok(ExitCode::from(code.unwrap_or(0)))
}

/// The exit code of a check: 1 if something goes wrong in play or a property is violated.
fn check_code(answer: &Answer) -> u8 {
    let result = answer.parts.iter().find_map(|part| match part {
        Part::Check(result) => Some(result),
        _ => None,
    });
    match result {
        None => USAGE,
        Some(result) if result.has_failed() => 1,
        Some(result) if !result.decided => UNDECIDED,
        Some(_) => 0,
    }
}

/// Prints the moves, the check, perfect play and statistics of a game: 0 if all of it is exact.
pub fn explore(
    file: &str,
    seconds: Option<f64>,
    turn: Option<&str>,
    arguments: &Arguments,
    mut screen: Screen,
) -> io::Result<ExitCode> {
    let mut session = match open(file, seconds, arguments, &screen) {
        Ok(session) => session,
        Err(code) => return Ok(code),
    };
    let model = session
        .target
        .language()
        .move_model(session.target.program());
    if turn.is_some() && model.actions != Actions::None {
        fail("`--turn` has no effect: the rules of this game say whose move it is");
        return Ok(ExitCode::from(USAGE));
    }
    session.explorer.turn = turn.map(str::to_string);
    let mut report = Answer::new("");
    let mut is_decided = true;
    let has_moves = require_moves(&session.target, &Scope::default()).is_ok();
    let sections: &[(&str, &str)] = match has_moves {
        true => &[
            ("Moves", ":moves"),
            ("Check", ":check"),
            ("Perfect play", ":solve"),
            ("Random play", ":stats"),
        ],
        false => &[("Check", ":check")],
    };
    for (heading, line) in sections {
        let answer = command::execute(&mut session, line);
        let is_interrupted = answer.parts.iter().any(is_interrupted);
        is_decided &= answer.ok;
        is_decided &= answer.parts.iter().all(|part| match part {
            Part::Solve(result) => result.exact && !result.extent.guessed,
            Part::Stats(stats) => stats.exact && !stats.extent.guessed,
            Part::Check(result) => result.decided,
            _ => true,
        });
        report.push(Part::Heading {
            text: heading.to_string(),
            is_first: report.parts.is_empty(),
        });
        // What cannot be answered in this language is part of the report.
        report.parts.extend(answer.parts);
        if is_interrupted {
            report.push(Notice::ReportInterrupted);
            break;
        }
    }
    print(
        &mut screen,
        &mut session,
        &report,
        Subcommand::Explore,
        arguments.json,
    )?;
    Ok(ExitCode::from(if is_decided { 0 } else { UNDECIDED }))
}

/// Whether Ctrl-C ended a search.
fn is_interrupted(part: &Part) -> bool {
    let extent = match part {
        Part::Check(result) => &result.extent,
        Part::Solve(result) => &result.extent,
        Part::Stats(stats) => &stats.extent,
        _ => return false,
    };
    extent.stopped_by == Some(SearchStop::Interrupt)
}

/// A session with the game, and with the limits of the command line.
fn open(
    file: &str,
    seconds: Option<f64>,
    arguments: &Arguments,
    screen: &Screen,
) -> Result<Session, ExitCode> {
    let usage = |reason: &str| {
        fail(reason);
        ExitCode::from(USAGE)
    };
    let program = missing_file(file)
        .map_or(Ok(()), Err)
        .and_then(|()| read_program(file, arguments))
        .map_err(|reason| usage(&reason))?;
    let mut session = new_session(arguments, program.language, true);
    let limits = &mut session.explorer.limits;
    if let Some(seconds) = seconds {
        limits.time = Duration::from_secs_f64(seconds);
    }
    if io::stderr().is_terminal() && !arguments.json {
        session.target.progress_listener =
            Some(show::progress_listener(screen.color, arguments.plain));
    }
    Interrupt::install(&session);
    let added = command::start_preludes(&mut session, &program.preludes);
    let loaded = match added.ok {
        true => session.load(&program.name, &program.text),
        false => added,
    };
    match loaded.ok {
        true => {
            session.update_main_source();
            Ok(session)
        }
        false => {
            for diagnostic in loaded.diagnostics.iter().filter(|d| d.is_error()) {
                let line =
                    crate::terminal::one_line_diagnostic(&session.target.sources, diagnostic);
                crate::terminal::print_stderr(&line);
            }
            Err(ExitCode::from(USAGE))
        }
    }
}

fn print(
    screen: &mut Screen,
    session: &mut Session,
    answer: &Answer,
    subcommand: Subcommand,
    is_json: bool,
) -> io::Result<()> {
    match is_json {
        true => screen.print_json(&answer_to_json_text(session, answer)),
        false => {
            session.view_settings.audience = Audience::Shell(subcommand);
            show::print_answer(screen, session, answer)
        }
    }
}
