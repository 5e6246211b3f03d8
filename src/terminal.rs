//! The prompt and the command line: the only place that prints or reads keys.

mod arguments;
mod arrow;
mod assist;
mod banner;
mod check;
mod complete;
mod completion;
mod draft;
mod fold;
mod hint;
mod history;
mod input;
mod interrupt;
mod json;
mod keys;
mod known;
mod man;
mod output;
mod paint;
mod piped;
mod play;
mod prompt;
mod reader;
mod show;
mod slow;
mod snippet;
mod testing;

pub use arguments::{Arguments, Task, When};

use crate::command;
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::language::Language;
use crate::languages;
use crate::session::{Reply, Session, read_text};
use crate::source::Sources;
use input::Input;
use output::{Screen, visible};
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

/// Steps that one entry may take when nobody is there to press Ctrl-C.
const STEPS: u64 = 500_000_000;

/// Does what the command line says.
pub fn start(arguments: &Arguments) -> ExitCode {
    match dispatch(arguments) {
        Ok(code) => code,
        // Whoever read us has read enough.
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(e) => {
            told_aside(&format!("gridbug: {e}"));
            ExitCode::FAILURE
        }
    }
}

/// A command line that can't be read, or that only asks how to write one. What was typed may hold anything.
pub fn misread(wrong: &clap::Error) -> ExitCode {
    if !wrong.use_stderr() {
        wrong.exit();
    }
    told_aside(wrong.render().to_string().trim_end());
    ExitCode::from(2)
}

fn dispatch(arguments: &Arguments) -> io::Result<ExitCode> {
    let mut screen = Screen::new(has_colour(arguments.color), arguments.plain);
    let lang = arguments.lang.as_deref();
    match &arguments.task {
        Some(Task::Check { files }) => check::check(files, lang, arguments.json, &mut screen),
        Some(Task::Test { paths, update }) => testing::test(paths, *update, &mut screen),
        Some(Task::Run { file }) => {
            let found =
                language_of(Some(file), lang).and_then(|language| Ok((language, read_text(file)?)));
            match found {
                Ok((language, text)) => {
                    play::play(session(arguments, language, false), file, &text, screen)
                }
                Err(why) => Ok(refused(&why)),
            }
        }
        Some(Task::Completions { shell }) => printed(&completion::script(*shell), screen),
        Some(Task::Man) => printed(&man::page(), screen),
        None => talk(arguments, screen),
    }
}

/// A text for another program, and nothing else.
fn printed(text: &str, mut screen: Screen) -> io::Result<ExitCode> {
    screen.made(text.trim_end())?;
    screen.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// A session, at the prompt or from standard input.
fn talk(arguments: &Arguments, mut screen: Screen) -> io::Result<ExitCode> {
    let by_hand = io::stdin().is_terminal()
        && io::stdout().is_terminal()
        && arguments.eval.is_empty()
        && !arguments.json;
    let file = arguments.file.as_deref();
    let of_program = file.filter(|f| !f.ends_with(".session"));
    let language = match language_of(of_program, arguments.lang.as_deref()) {
        Ok(language) => language,
        Err(why) => return Ok(refused(&why)),
    };
    let mut session = session(arguments, language, !by_hand);
    session.look.plain = arguments.plain;
    if by_hand {
        return prompt::talk(session, arguments, screen);
    }
    if arguments.resume.is_some() {
        return Ok(refused(
            "--resume is for a terminal: only a session at the keyboard is kept and taken up",
        ));
    }
    let mut input = Input::standard();
    let mut fine = true;
    // The game from inside the binary is nobody's file: nothing is told of its loading.
    if let Some(reply) = first(&mut session, arguments).filter(|_| file.is_some()) {
        fine = reply.ok;
        if arguments.json {
            json::answer(&mut session, reply, &mut input, &mut screen)?;
        } else {
            piped::answer(&mut session, reply, &mut input, &mut screen)?;
            if !fine {
                return Ok(ExitCode::FAILURE);
            }
        }
    }
    fine &= match (arguments.json, arguments.eval.is_empty()) {
        (_, false) => piped::evaluate(
            &mut session,
            &arguments.eval,
            arguments.json,
            &mut input,
            &mut screen,
        )?,
        (true, true) => json::converse(&mut session, &mut input, &mut screen)?,
        (false, true) => piped::converse(&mut session, &mut input, &mut screen)?,
    };
    Ok(if fine {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Opens what the session begins with.
fn first(session: &mut Session, arguments: &Arguments) -> Option<Reply> {
    match arguments.file.as_deref() {
        Some(path) if path.ends_with(".session") => Some(command::open_session(session, path)),
        Some(path) => Some(command::open(session, path)),
        None if arguments.lang.is_none() => Some(command::open_sample(session)),
        None => None,
    }
}

/// A blank session as the command line wants it.
fn session(arguments: &Arguments, language: &'static dyn Language, repeatable: bool) -> Session {
    let seed = arguments
        .seed
        .unwrap_or_else(|| if repeatable { 1 } else { chance() });
    let mut session = Session::new(language, seed);
    let unattended = !io::stdin().is_terminal();
    let limits = &mut session.machine.limits;
    limits.steps = arguments
        .steps
        .unwrap_or(if unattended { STEPS } else { 0 });
    limits.memory = arguments.memory.map_or(limits.memory, |mb| mb << 20);
    limits.history = arguments.history.map_or(limits.history, |mb| mb << 20);
    session
}

/// A seed short enough to be typed again.
fn chance() -> u64 {
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap_or_default();
    (now.as_nanos() as u64 ^ u64::from(std::process::id()).rotate_left(20)) % 1_000_000
}

/// The language that is spoken: the one named, else that of the file, else the main one.
fn language_of(file: Option<&str>, lang: Option<&str>) -> Result<&'static dyn Language, String> {
    let names = || languages::ALL.iter().map(|l| l.about().name);
    if let Some(name) = lang {
        return languages::named(name).ok_or_else(|| {
            let all: Vec<&str> = names().collect();
            format!(
                "there is no language `{name}`{} (there is {})",
                did_you_mean(name, names()),
                all.join(", ")
            )
        });
    }
    match file {
        Some(path) => languages::of_file(path).ok_or_else(|| {
            let endings: Vec<String> = languages::ALL
                .iter()
                .map(|l| format!(".{} {}", l.about().extensions.join(" ."), l.about().title))
                .collect();
            format!(
                "which language is {path}? Its ending does not tell ({}); say --lang NAME",
                endings.join(", ")
            )
        }),
        None => Ok(languages::ALL[0]),
    }
}

/// Decided once, for everything.
fn has_colour(when: When) -> bool {
    match when {
        When::Always => true,
        When::Never => false,
        When::Auto => {
            let unwanted = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
            let dumb = std::env::var_os("TERM").is_some_and(|t| t == "dumb");
            io::stdout().is_terminal() && !unwanted && !dumb
        }
    }
}

/// A line on standard error. If nobody listens there, nobody misses it.
fn told_aside(text: &str) {
    let _ = writeln!(io::stderr(), "{}", visible(text));
}

fn refused(why: &str) -> ExitCode {
    told_aside(&format!("gridbug: {why}"));
    ExitCode::FAILURE
}

/// `FILE:LINE:COL: message`, for other programs.
fn short(sources: &Sources, diagnostic: &Diagnostic) -> String {
    let place = diagnostic.span.and_then(|span| {
        let source = sources.get(span.source)?;
        let (line, column) = source.line_column(span.start);
        Some(format!("{}:{line}:{column}: ", source.origin))
    });
    format!(
        "{}{} [{}]",
        place.unwrap_or_default(),
        diagnostic.message,
        diagnostic.code
    )
}
