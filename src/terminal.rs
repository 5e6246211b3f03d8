//! The prompt and the command line: the only place that prints or reads keys.

mod animate;
mod arguments;
mod banner;
mod batch_run;
mod check;
mod completion_context;
mod external_editor;
mod hint;
mod history;
mod input;
mod interrupt;
mod json;
mod key_play;
mod keys;
mod line_completion;
mod line_helper;
mod line_reader;
mod man;
mod output;
mod paint;
mod piped;
mod repl;
mod shell_completions;
mod show;
mod snippet;
mod test_runner;
mod wrap;

pub use arguments::{Arguments, CliCommand, ColorChoice};

use crate::command;
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::language::Language;
use crate::languages;
use crate::session::{Reply, Session, read_text};
use crate::source::Sources;
use input::Input;
use output::{Screen, escape_controls};
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
            print_stderr(&format!("gridbug: {e}"));
            ExitCode::FAILURE
        }
    }
}

/// A command line that can't be read, or that only asks how to write one. What was typed may hold anything.
pub fn report_usage_error(wrong: &clap::Error) -> ExitCode {
    if !wrong.use_stderr() {
        wrong.exit();
    }
    print_stderr(wrong.render().to_string().trim_end());
    ExitCode::from(2)
}

fn dispatch(arguments: &Arguments) -> io::Result<ExitCode> {
    let mut screen = Screen::new(has_colour(arguments.color), arguments.plain);
    let lang = arguments.lang.as_deref();
    match &arguments.subcommand {
        Some(CliCommand::Check { files }) => check::check(files, lang, arguments.json, &mut screen),
        Some(CliCommand::Test { paths, update }) => test_runner::run(paths, *update, &mut screen),
        Some(CliCommand::Run { file }) => {
            let found = detect_language(Some(file), lang)
                .and_then(|language| Ok((language, read_text(file)?)));
            match found {
                Ok((language, text)) => {
                    batch_run::run(session(arguments, language, false), file, &text, screen)
                }
                Err(why) => Ok(refused(&why)),
            }
        }
        Some(CliCommand::Completions { shell }) => {
            printed(&shell_completions::script(*shell), screen)
        }
        Some(CliCommand::Man) => printed(&man::page(), screen),
        None => talk(arguments, screen),
    }
}

/// A text for another program, and nothing else.
fn printed(text: &str, mut screen: Screen) -> io::Result<ExitCode> {
    screen.print_raw(text.trim_end())?;
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
    let language = match detect_language(of_program, arguments.lang.as_deref()) {
        Ok(language) => language,
        Err(why) => return Ok(refused(&why)),
    };
    let mut session = session(arguments, language, !by_hand);
    session.view_settings.is_ascii = arguments.plain;
    if by_hand {
        return repl::run(session, arguments, screen);
    }
    if arguments.resume.is_some() {
        return Ok(refused(
            "--resume is for a terminal: only a session at the keyboard is kept and taken up",
        ));
    }
    let mut input = Input::stdin();
    let mut fine = true;
    // The game from inside the binary is nobody's file: nothing is told of its loading.
    if let Some(reply) = open_initial(&mut session, arguments).filter(|_| file.is_some()) {
        fine = reply.ok;
        if arguments.json {
            json::handle_reply(&mut session, reply, &mut input, &mut screen)?;
        } else {
            piped::handle_reply(&mut session, reply, &mut input, &mut screen)?;
            if !fine {
                return Ok(ExitCode::FAILURE);
            }
        }
    }
    fine &= match (arguments.json, arguments.eval.is_empty()) {
        (_, false) => piped::run_entries(
            &mut session,
            &arguments.eval,
            arguments.json,
            &mut input,
            &mut screen,
        )?,
        (true, true) => json::run(&mut session, &mut input, &mut screen)?,
        (false, true) => piped::run(&mut session, &mut input, &mut screen)?,
    };
    Ok(if fine {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Opens what the session begins with.
fn open_initial(session: &mut Session, arguments: &Arguments) -> Option<Reply> {
    match arguments.file.as_deref() {
        Some(path) if path.ends_with(".session") => Some(command::open_session(session, path)),
        Some(path) => Some(command::open_game(session, path)),
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
    limits.max_instructions = arguments
        .steps
        .unwrap_or(if unattended { STEPS } else { 0 });
    limits.max_memory_bytes = arguments
        .memory
        .map_or(limits.max_memory_bytes, |mb| mb << 20);
    limits.max_history_bytes = arguments
        .history
        .map_or(limits.max_history_bytes, |mb| mb << 20);
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
fn detect_language(
    file: Option<&str>,
    lang: Option<&str>,
) -> Result<&'static dyn Language, String> {
    let names = || languages::ALL.iter().map(|l| l.info().name);
    if let Some(name) = lang {
        return languages::by_name(name).ok_or_else(|| {
            let all: Vec<&str> = names().collect();
            format!(
                "there is no language `{name}`{} (there is {})",
                did_you_mean(name, names()),
                all.join(", ")
            )
        });
    }
    match file {
        Some(path) => languages::for_file(path).ok_or_else(|| {
            let endings: Vec<String> = languages::ALL
                .iter()
                .map(|l| format!(".{} {}", l.info().extensions.join(" ."), l.info().title))
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
fn has_colour(when: ColorChoice) -> bool {
    match when {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            let unwanted = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
            let dumb = std::env::var_os("TERM").is_some_and(|t| t == "dumb");
            io::stdout().is_terminal() && !unwanted && !dumb
        }
    }
}

/// A line on standard error. If nobody listens there, nobody misses it.
fn print_stderr(text: &str) {
    let _ = writeln!(io::stderr(), "{}", escape_controls(text));
}

fn refused(why: &str) -> ExitCode {
    print_stderr(&format!("gridbug: {why}"));
    ExitCode::FAILURE
}

/// `FILE:LINE:COL: message`, for other programs.
fn one_line_diagnostic(sources: &Sources, diagnostic: &Diagnostic) -> String {
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
