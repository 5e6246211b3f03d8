//! The REPL and the command line. This is the only module that prints or reads the keyboard.
//!
//! ```text
//! cli     subcommands and options of the command line
//! output  all printing goes through [`Screen`]
//! repl    the REPL: reads an entry, runs it, prints the answer, until the user quits
//! screen  full screen: the view, playing with keys, the pager
//! ```

pub(crate) mod cli;
mod output;
mod repl;
pub(crate) mod screen;

pub use cli::arguments::Arguments;

use crate::answer::Part;
use crate::command::{self, Example};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::driver::Driver;
use crate::host::NativeHost;
use crate::language::Language;
use crate::languages;
use crate::session::{Answer, Line, Session, Trust, read_text};
use crate::source::{Origin, Source, Sources};
use clap::CommandFactory;
use cli::arguments::{CliCommand, ColorChoice};
use cli::{
    batch_run, check, explore, format, man, new_file, rejudge, shell_completions, show, test_runner,
};
use output::wrap;
use output::{Screen, escape_controls};
use repl::input::Input;
use repl::{json, lesson_progress, opponent, piped};
use screen::full_screen::FullScreen;
use screen::play::{self, PlayEnd};
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;

/// Default instruction limit per entry when standard input is not a terminal, so that nothing
/// can be interrupted with Ctrl-C.
const UNATTENDED_LIMIT_INSTRUCTIONS: u64 = 500_000_000;

/// Runs the parsed command line and returns the exit code of the process.
pub fn start(arguments: &Arguments) -> ExitCode {
    match dispatch(arguments) {
        Ok(code) => code,
        // The reader of our output closed the pipe, e.g. `gridbug … | head`.
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(e) => {
            print_stderr(&format!("gridbug: {e}"));
            ExitCode::FAILURE
        }
    }
}

/// Reports a command line that clap rejected, or prints `--help` and `--version`, which clap also
/// returns as errors. The message quotes the arguments, so control characters are escaped.
pub fn report_usage_error(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        let printed = error.print().and_then(|()| io::stdout().flush());
        return match printed {
            Err(e) if e.kind() != io::ErrorKind::BrokenPipe => {
                print_stderr(&format!("gridbug: {e}"));
                ExitCode::FAILURE
            }
            _ => ExitCode::SUCCESS,
        };
    }
    let text = error.render().to_string();
    let message = text.strip_prefix("error: ").unwrap_or(&text).trim_end();
    let words = std::env::args_os().skip(1);
    let mut words = words.filter_map(|word| word.into_string().ok());
    match words.find_map(|word| misspelled(&word)) {
        Some(message) if error.kind() == clap::error::ErrorKind::UnknownArgument => fail(&message),
        _ => fail(message),
    };
    ExitCode::from(2)
}

/// What is wrong with a word that was probably meant to be a subcommand.
fn misspelled(word: &str) -> Option<String> {
    if word.starts_with('-') || word.contains(['.', '/', '\\']) {
        return None;
    }
    let mut cli = Arguments::command();
    cli.build();
    let names: Vec<&str> = cli.get_subcommands().map(clap::Command::get_name).collect();
    if names.contains(&word) {
        return None;
    }
    let name = crate::diagnostic::closest_match(word, names)?;
    Some(format!("unknown command `{word}`; did you mean `{name}`?"))
}

fn dispatch(arguments: &Arguments) -> io::Result<ExitCode> {
    let mut screen = Screen::new(has_color(arguments.color), arguments.plain);
    screen.theme = arguments.theme;
    let lang = arguments.lang.as_deref();
    let takes_preludes = matches!(
        arguments.subcommand,
        None | Some(
            CliCommand::Check { .. }
                | CliCommand::Find { .. }
                | CliCommand::Explore { .. }
                | CliCommand::Fmt { .. }
                | CliCommand::Rejudge { .. }
                | CliCommand::Run { .. }
        )
    );
    if !takes_preludes && !arguments.prelude.is_empty() {
        return Ok(fail(
            "`--prelude` is for games, `run`, `find`, `explore`, `check`, `fmt` and `rejudge`",
        ));
    }
    match &arguments.subcommand {
        Some(CliCommand::Check {
            files,
            search: false,
            ..
        }) => check::check(files, arguments, &mut screen),
        Some(CliCommand::Check { files, seconds, .. }) => {
            explore::check(files, *seconds, arguments, screen)
        }
        Some(CliCommand::Find {
            file,
            goal,
            seconds,
        }) => explore::find(file, goal, *seconds, arguments, screen),
        Some(CliCommand::Explore {
            file,
            seconds,
            turn,
        }) => explore::explore(file, *seconds, turn.as_deref(), arguments, screen),
        Some(CliCommand::Fmt { files, check }) => {
            format::run(files, arguments, *check, &mut screen)
        }
        Some(CliCommand::Test { paths, update }) => {
            test_runner::run(paths, *update, arguments.trust(), &mut screen)
        }
        Some(CliCommand::Rejudge {
            file,
            sessions,
            seconds,
        }) => rejudge::run(file, sessions, *seconds, arguments, &mut screen),
        Some(CliCommand::Run { file, opponent }) => {
            let program = missing_file(file)
                .map_or(Ok(()), Err)
                .and_then(|()| read_program(file, arguments));
            match program {
                Ok(program) => play_program(arguments, &program, opponent, screen),
                Err(reason) => Ok(fail(&reason)),
            }
        }
        Some(CliCommand::New { file }) => new_file::create(file, lang, &mut screen),
        Some(CliCommand::Examples { name: None, .. }) => new_file::print_list(&mut screen),
        Some(CliCommand::Examples {
            name: Some(name),
            print,
        }) => {
            let example = preferred_language(lang)
                .and_then(|preferred| command::find_example(name, preferred));
            match example {
                Ok(example) if *print => new_file::print_example(example, screen),
                Ok(example) => run_session(arguments, InitialGame::Example(example), screen),
                Err(reason) => Ok(fail(&reason)),
            }
        }
        Some(CliCommand::Lesson { lesson, .. }) => {
            let argument = lesson.join(" ");
            match languages::by_name(&argument) {
                None if !argument.is_empty() => {
                    run_session(arguments, InitialGame::Lesson(argument), screen)
                }
                language => lesson_progress::print_list(language, &mut screen),
            }
        }
        #[cfg(feature = "serve")]
        Some(CliCommand::Serve { file, port, open }) => {
            cli::serve::run(file.as_deref(), *port, *open, lang, &mut screen)
        }
        Some(CliCommand::Completions { shell }) => {
            print_output(&shell_completions::script(*shell), screen)
        }
        Some(CliCommand::Man) => print_output(&man::page()?, screen),
        None => match InitialGame::of(arguments) {
            Ok(game) => run_session(arguments, game, screen),
            Err(code) => Ok(code),
        },
    }
}

/// What to say if there is no such file.
fn missing_file(path: &str) -> Option<String> {
    let hint = match languages::for_file(path) {
        Some(_) => format!("; `gridbug new {path}` writes a new game"),
        None => String::new(),
    };
    (!Path::new(path).exists()).then(|| format!("file not found: {path}{hint}"))
}

/// What a session starts with.
enum InitialGame {
    Empty(&'static dyn Language),
    Sample,
    Example(Example),
    /// A program, with the preludes that it uses.
    File(String, &'static dyn Language, Vec<String>),
    /// Preludes without a game.
    Preludes(Vec<String>, &'static dyn Language),
    /// A session file, which names its language itself.
    SessionFile(String, Trust),
    /// A lesson to play: the argument of `:lesson`.
    Lesson(String),
    /// A position of a game that is being played, and the name of its file.
    Position(&'static dyn Language, String),
}

impl InitialGame {
    /// The game that the command line names; reports a file that cannot be opened.
    fn of(arguments: &Arguments) -> Result<InitialGame, ExitCode> {
        let lang = arguments.lang.as_deref();
        let Some(path) = &arguments.file else {
            if let Some(first) = arguments.prelude.first() {
                let language = detect_language(Some(first), lang)
                    .and_then(|language| check_preludes(&arguments.prelude, language))
                    .map_err(|reason| fail(&reason))?;
                return Ok(InitialGame::Preludes(arguments.prelude.clone(), language));
            }
            return match preferred_language(lang).map_err(|reason| fail(&reason))? {
                Some(language) => Ok(InitialGame::Empty(language)),
                None => Ok(InitialGame::Sample),
            };
        };
        if let Some(message) = misspelled(path).filter(|_| !Path::new(path).exists()) {
            fail(&message);
            return Err(ExitCode::from(2));
        }
        // With `--json`, the reply says so.
        if let Some(message) = missing_file(path).filter(|_| !arguments.json) {
            return Err(fail(&message));
        }
        if path.ends_with(".session") {
            return match arguments.prelude.is_empty() {
                true => Ok(InitialGame::SessionFile(path.clone(), arguments.trust())),
                false => Err(fail(SESSION_PRELUDES)),
            };
        }
        let language = detect_language(Some(path), lang)
            .and_then(|language| check_preludes(&arguments.prelude, language))
            .map_err(|reason| fail(&reason))?;
        let preludes = arguments.prelude.clone();
        Ok(InitialGame::File(path.clone(), language, preludes))
    }

    fn language(&self) -> &'static dyn Language {
        match self {
            InitialGame::Empty(language)
            | InitialGame::Position(language, _)
            | InitialGame::File(_, language, _)
            | InitialGame::Preludes(_, language) => *language,
            InitialGame::Example(example) => example.language,
            InitialGame::Sample | InitialGame::SessionFile(..) | InitialGame::Lesson(_) => {
                languages::ALL[0]
            }
        }
    }

    /// Opens it in a new session; `None` if it is empty.
    fn open(&self, session: &mut Session) -> Option<Answer> {
        match self {
            InitialGame::Empty(_) | InitialGame::Lesson(_) => None,
            InitialGame::Position(..) => {
                let has_board = session.board_size().is_some();
                has_board.then(|| Answer::of(Part::Board(session.shown_board())))
            }
            InitialGame::Sample => Some(command::open_sample(session)),
            InitialGame::Example(example) => Some(command::open_example(session, *example)),
            InitialGame::File(path, _, preludes) => {
                let answer = command::open_preludes(session, preludes);
                Some(match answer.ok {
                    true => command::open_game(session, path),
                    false => answer,
                })
            }
            InitialGame::Preludes(paths, _) => Some(command::open_preludes(session, paths)),
            InitialGame::SessionFile(path, trust) => {
                Some(command::open_session(session, path, *trust))
            }
        }
    }

    /// Whether loading it is reported in a session without a banner.
    fn is_reported(&self) -> bool {
        matches!(
            self,
            InitialGame::File(..)
                | InitialGame::Preludes(..)
                | InitialGame::SessionFile(..)
                | InitialGame::Example(_)
        )
    }
}

/// A session file has its own preludes.
const SESSION_PRELUDES: &str = "a session file has its own preludes; `--prelude` is for games";

/// The language, if its games can use preludes and they exist, or there are none.
fn check_preludes(
    preludes: &[String],
    language: &'static dyn Language,
) -> Result<&'static dyn Language, String> {
    let error = command::without_preludes(language).filter(|_| !preludes.is_empty());
    let missing = preludes.iter().find(|path| !Path::new(path).exists());
    let missing = missing.map(|path| format!("file not found: {path}"));
    error.or(missing).map_or(Ok(language), Err)
}

/// Plays a program: with keys and mouse at a terminal, otherwise with its own input and output.
fn play_program(
    arguments: &Arguments,
    program: &ProgramSource,
    opponents: &[String],
    screen: Screen,
) -> io::Result<ExitCode> {
    let mut session = new_session(arguments, program.language, false);
    session.view_settings.is_ascii = arguments.plain;
    let is_interactive = io::stdin().is_terminal() && io::stdout().is_terminal();
    let (name, text) = (&program.name, &program.text);
    let added = command::start_preludes(&mut session, &program.preludes);
    if !added.ok {
        for diagnostic in added.diagnostics.iter().filter(|d| d.is_error()) {
            print_stderr(&one_line_diagnostic(&session.target.sources, diagnostic));
        }
        return Ok(ExitCode::FAILURE);
    }
    match is_interactive.then(FullScreen::open) {
        Some(Ok(full_screen)) => {
            match play::run(session, name, text, opponents, screen, full_screen)? {
                PlayEnd::Left(code) => Ok(code),
                PlayEnd::Debug(mut session, screen) => {
                    let listener = show::progress_listener(screen.color, arguments.plain);
                    session.target.progress_listener = Some(listener);
                    let game = InitialGame::Position(program.language, name.clone());
                    repl::run(*session, &game, arguments, screen)
                }
            }
        }
        _ if !opponents.is_empty() => opponent::run_in_pipe(session, name, text, opponents, screen),
        _ => batch_run::run(session, name, text, screen),
    }
}

/// Prints text that another program reads, without escaping or wrapping it.
fn print_output(text: &str, mut screen: Screen) -> io::Result<ExitCode> {
    screen.print_raw(text.trim_end())?;
    screen.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Runs a session: the REPL at a terminal, otherwise the entries of `--eval` or standard input.
fn run_session(
    arguments: &Arguments,
    game: InitialGame,
    mut screen: Screen,
) -> io::Result<ExitCode> {
    let is_interactive = io::stdin().is_terminal()
        && io::stdout().is_terminal()
        && arguments.eval.is_empty()
        && !arguments.json;
    let language = game.language();
    let mut session = new_session(arguments, language, !is_interactive);
    session.view_settings.is_ascii = arguments.plain;
    // With `--json`, the output is in the answer.
    session.target.progress_listener =
        (!arguments.json).then(|| show::progress_listener(screen.color, arguments.plain));
    if is_interactive {
        return repl::run(session, &game, arguments, screen);
    }
    if let InitialGame::Lesson(argument) = &game {
        return Ok(fail(&format!(
            "a lesson needs a terminal; in a script, use `:lesson {argument}`"
        )));
    }
    if arguments.resume.is_some() {
        return Ok(fail(
            "--resume needs a terminal: only interactive sessions can be restored",
        ));
    }
    let mut input = Input::stdin();
    let mut all_ok = true;
    // Loading the built-in sample game is not reported.
    if let Some(answer) = game.open(&mut session).filter(|_| game.is_reported()) {
        all_ok = answer.ok;
        if arguments.json {
            let driver = &mut Driver::new();
            json::handle_answer(driver, &mut session, answer, &mut input, &mut screen)?;
        } else {
            let driver = &mut Driver::new();
            piped::show_answers(driver, &mut session, Some(answer), &mut input, &mut screen)?;
            if !all_ok {
                return Ok(ExitCode::FAILURE);
            }
        }
    }
    all_ok &= match (arguments.json, arguments.eval.is_empty()) {
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
    // The process ends: freeing a long history piece by piece would only take time.
    std::mem::forget(session);
    Ok(if all_ok {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// An empty session with the seed and limits of the command line. Without `--seed`, a `repeatable`
/// session starts from seed 1 and any other from a random one.
fn new_session(
    arguments: &Arguments,
    language: &'static dyn Language,
    repeatable: bool,
) -> Session {
    let seed = arguments
        .seed
        .unwrap_or_else(|| if repeatable { 1 } else { random_seed() });
    let mut session = Session::with_host(language, seed, Rc::new(NativeHost::new()));
    let unattended = !io::stdin().is_terminal();
    let limits = &mut session.target.machine.limits;
    limits.max_instructions = arguments.steps.unwrap_or(if unattended {
        UNATTENDED_LIMIT_INSTRUCTIONS
    } else {
        0
    });
    limits.max_memory_bytes = arguments
        .memory
        .map_or(limits.max_memory_bytes, |mb| mb << 20);
    limits.max_history_bytes = arguments
        .history
        .map_or(limits.max_history_bytes, |mb| mb << 20);
    if let Some(mb) = arguments.memory {
        session.explorer.limits.memory_bytes = mb << 20;
    }
    if let Some(threads) = arguments.threads {
        session.explorer.limits.threads = threads.get();
    }
    if arguments.no_incremental {
        session.target.machine.set_incremental(None);
    }
    session
}

/// A random seed, short enough to retype.
fn random_seed() -> u64 {
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap_or_default();
    (now.as_nanos() as u64 ^ u64::from(std::process::id()).rotate_left(20)) % 1_000_000
}

/// The language named by `--lang`.
fn preferred_language(lang: Option<&str>) -> Result<Option<&'static dyn Language>, String> {
    let Some(name) = lang else {
        return Ok(None);
    };
    let names = || languages::ALL.iter().map(|l| l.info().name);
    languages::by_name(name).map(Some).ok_or_else(|| {
        let all: Vec<&str> = names().collect();
        format!(
            "unknown language `{name}`{}; choose one of {}",
            did_you_mean(name, names()),
            all.join(", ")
        )
    })
}

/// The language named by `--lang`, else the one with the extension of `file`, else the default.
fn detect_language(
    file: Option<&str>,
    lang: Option<&str>,
) -> Result<&'static dyn Language, String> {
    if let Some(language) = preferred_language(lang)? {
        return Ok(language);
    }
    match file {
        Some(path) if Path::new(path).is_dir() => {
            Err(format!("{path} is a directory; name a file in it"))
        }
        Some(path) => languages::for_file(path).ok_or_else(|| {
            let extensions: Vec<String> = languages::ALL
                .iter()
                .map(|l| format!(".{} {}", l.info().extensions.join(" ."), l.info().title))
                .collect();
            format!(
                "cannot tell the language of `{path}` from its extension; use --lang NAME (known: {})",
                extensions.join(", ")
            )
        }),
        None => Ok(languages::ALL[0]),
    }
}

/// A program to check or to run.
struct ProgramSource {
    language: &'static dyn Language,
    /// The names and texts of the preludes that it uses.
    preludes: Vec<(String, String)>,
    /// The name that messages use for it.
    name: String,
    text: String,
}

/// Reads a program, or the program that a session file leads to.
fn read_program(file: &str, arguments: &Arguments) -> Result<ProgramSource, String> {
    if file.ends_with(".session") {
        if !arguments.prelude.is_empty() {
            return Err(SESSION_PRELUDES.to_string());
        }
        let program = command::session_program(file, Rc::new(NativeHost::new()))?;
        return Ok(ProgramSource {
            language: program.language,
            preludes: program.preludes,
            name: program.name,
            text: program.text,
        });
    }
    let language = detect_language(Some(file), arguments.lang.as_deref())?;
    Ok(ProgramSource {
        language,
        preludes: read_preludes(arguments, language)?,
        name: file.to_string(),
        text: read_text(&NativeHost::new(), file)?,
    })
}

/// The names and texts of the preludes that the command line names.
fn read_preludes(
    arguments: &Arguments,
    language: &'static dyn Language,
) -> Result<Vec<(String, String)>, String> {
    check_preludes(&arguments.prelude, language)?;
    let preludes = arguments.prelude.iter().map(|path| {
        let text = read_text(&NativeHost::new(), path)?;
        Ok((path.clone(), text))
    });
    preludes.collect()
}

/// Adds files, given by name and text, to the sources.
fn add_files(sources: &mut Sources, files: Vec<(String, String)>) -> Vec<Arc<Source>> {
    let add = |(name, text)| sources.add(Origin::File(name), text);
    files.into_iter().map(add).collect()
}

/// Whether to use color, decided once per process.
fn has_color(choice: ColorChoice) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            let no_color = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
            let is_dumb = std::env::var_os("TERM").is_some_and(|t| t == "dumb");
            io::stdout().is_terminal() && !no_color && !is_dumb
        }
    }
}

/// Prints a line to standard error. Write errors are ignored: there is nowhere to report them.
/// At a terminal, long lines are wrapped at spaces.
fn print_stderr(text: &str) {
    let stderr = io::stderr();
    let text = escape_controls(text);
    let size = terminal_size::terminal_size_of(&stderr);
    let width = size.filter(|_| stderr.is_terminal());
    let lines = text.lines().flat_map(|line| match width {
        Some((width, _)) => wrap::wrap_line(Line::plain(line), width.0.into()),
        None => vec![Line::plain(line)],
    });
    for line in lines {
        let _ = writeln!(&stderr, "{}", line.text());
    }
}

/// Reports why the command line cannot be run.
fn fail(reason: &str) -> ExitCode {
    print_stderr(&format!("gridbug: {reason}"));
    ExitCode::FAILURE
}

/// `FILE:LINE:COL: message [CODE]`, for editors and other tools.
fn one_line_diagnostic(sources: &Sources, diagnostic: &Diagnostic) -> String {
    let location = diagnostic.span.and_then(|span| {
        let source = sources.get(span.source)?;
        let (line, column) = source.line_column(span.start);
        Some(format!("{}:{line}:{column}: ", source.origin))
    });
    format!(
        "{}{} [{}]",
        location.unwrap_or_default(),
        diagnostic.message,
        diagnostic.code
    )
}
