//! Replays session files and compares the replies with the recorded ones.

use super::exercise::{Stage, test_exercise};
use super::left_out::{leave_out, leave_out_search};
use super::played_result::OUT_OF_MEMORY;
use super::{Commands, predict};
use crate::answer::{DiffLine, DiffOrigin, ReplyDiff, StopReason};
use crate::diagnostic::Phase;
use crate::explorer::SearchLimits;
use crate::host::Host;
use crate::language::Language;
use crate::session::session_file::{
    ProgramRef, RecordedQuestion, SessionFile, SessionInput, SessionItem, with_solutions,
};
use crate::session::{
    Answer, FileAccess, Line, PredictionRequest, Session, Trust, language_of, load_program,
    read_beside, read_text, set_up_item, start_preludes, start_session, stop_on_errors,
    to_plain_text,
};
use similar::{Algorithm, ChangeTag};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Ends endless loops: a replay that runs in a test cannot be interrupted with Ctrl-C.
const MAX_REPLAY_INSTRUCTIONS: u64 = 500_000_000;

/// The result of replaying a session file.
pub struct Replay {
    /// The session after the last entry.
    pub session: Session,
    /// The loading of the program, then every entry of the file, with those of the checks of exercises.
    pub entries: Vec<ReplayedEntry>,
    /// Whether an entry has failed with a runtime error.
    pub has_runtime_errors: bool,
    /// Whether Ctrl-C was pressed.
    pub is_interrupted: bool,
    /// Whether an entry has failed because of the memory limit, or old history was dropped because of it.
    pub is_out_of_memory: bool,
    /// Exercises that do not work: the solution fails, or they are solved already.
    pub problems: Vec<String>,
}

/// One entry of a session file with the recorded and the new reply, in lines.
pub struct ReplayedEntry {
    pub input: String,
    pub expected: Vec<String>,
    pub actual: Vec<String>,
}

impl ReplayedEntry {
    pub(crate) fn new(input: &SessionInput, reply: Vec<String>) -> ReplayedEntry {
        ReplayedEntry {
            input: input.text.clone(),
            expected: input.reply_lines.clone(),
            actual: trim_end(reply),
        }
    }

    pub(crate) fn matches(&self) -> bool {
        replies_match(&self.expected, &self.actual)
    }
}

/// Compares two replies, ignoring the times in them: the number of instructions that something
/// takes may change between versions.
pub(crate) fn replies_match(a: &[String], b: &[String]) -> bool {
    a.len() == b.len()
        && a.iter()
            .zip(b)
            .all(|(a, b)| a == b || without_times(a) == without_times(b))
}

/// Removes the number after each `time`.
fn without_times(line: &str) -> String {
    let mut parts = line.split("time ");
    let first = parts.next().unwrap_or("").to_string();
    parts.fold(first, |text, part| {
        text + "time " + part.trim_start_matches(|c: char| c.is_ascii_digit())
    })
}

impl Replay {
    /// The entries whose reply differs from the recorded one.
    pub fn mismatches(&self) -> impl Iterator<Item = &ReplayedEntry> {
        self.entries.iter().filter(|entry| !entry.matches())
    }

    /// The replies that differ from the recorded ones.
    pub fn reply_diffs(&self) -> Vec<ReplyDiff> {
        self.mismatches()
            .map(|entry| ReplyDiff {
                input: entry.input.clone(),
                lines: line_diff(&entry.expected, &entry.actual),
            })
            .collect()
    }

    /// A line diff for each entry whose reply differs, and the problems of exercises; empty if there
    /// are none.
    pub fn mismatch_report(&self) -> Vec<Line> {
        crate::render::mismatch_lines(&self.reply_diffs(), &self.problems)
    }
}

/// Replays a session file in a new session, with these limits for searches. `dir` is the directory of
/// the file, where its program is if it has one of its own.
pub fn replay_with_limits(
    commands: Commands,
    file: &SessionFile,
    dir: &Path,
    host: Rc<dyn Host>,
    limits: SearchLimits,
    trust: Trust,
) -> Result<Replay, String> {
    let mut session = Session::with_host(language_of(file)?, file.seed, host.clone());
    session.explorer.limits = limits;
    confine(&mut session, dir, trust);
    replay_in(commands, session, file, dir, |path| match trust {
        Trust::Full => read_text(host.as_ref(), path),
        Trust::Beside => read_beside(host.as_ref(), dir, path),
    })
}

/// The directory that a session file in `dir` may read.
fn session_dir(dir: &Path, trust: Trust) -> Option<PathBuf> {
    (trust == Trust::Beside).then(|| dir.to_path_buf())
}

/// Lets a session read only what a session file in `dir` may read.
fn confine(session: &mut Session, dir: &Path, trust: Trust) {
    session.files.confined_to = session_dir(dir, trust);
}

/// Replays a session file for a command of another session, which provides the host, the Ctrl-C
/// flag and the memory limit, and reads an external program file on behalf of its own command.
pub(crate) fn replay_within(
    commands: Commands,
    file: &SessionFile,
    dir: &Path,
    parent: &mut Session,
    trust: Trust,
) -> Result<Replay, String> {
    let mut session = Session::with_host(language_of(file)?, file.seed, parent.host().clone());
    session
        .target
        .machine
        .set_interrupt_flag(parent.target.machine.interrupt_flag());
    let (limits, inherited) = (
        &mut session.target.machine.limits,
        &parent.target.machine.limits,
    );
    limits.max_memory_bytes = inherited.max_memory_bytes;
    limits.max_history_bytes = inherited.max_history_bytes;
    session.explorer.limits = parent.explorer.limits;
    confine(&mut session, dir, trust);
    replay_in(commands, session, file, dir, |path| {
        let outer = parent.files.confined_to.take();
        parent.files.confined_to = session_dir(dir, trust).or(outer.clone());
        let text = parent.files.read(path);
        parent.files.confined_to = outer;
        text
    })
}

/// Replays a session file in an empty session.
fn replay_in(
    commands: Commands,
    mut session: Session,
    file: &SessionFile,
    dir: &Path,
    read: impl FnMut(&str) -> Result<String, String>,
) -> Result<Replay, String> {
    session.target.machine.limits.max_instructions = MAX_REPLAY_INSTRUCTIONS;
    stop_on_errors(&mut session, file.stops_on_errors);
    session.files.is_replay = true;
    let answer = load_program(&mut session, file, dir, read)?;
    let mut entries = vec![ReplayedEntry {
        input: "(loading the program)".into(),
        expected: file.load_reply.clone(),
        actual: trim_end(to_plain_text(&session, &answer)),
    }];
    let mut problems = Vec::new();
    let (mut has_runtime_errors, mut is_interrupted) = (false, false);
    let needs_memory = |answer: &Answer| answer.diagnostics.iter().any(|e| e.code == OUT_OF_MEMORY);
    let mut is_out_of_memory = needs_memory(&answer);
    for (n, item) in file.items.iter().enumerate() {
        if let SessionItem::Exercise(exercise) = item {
            let stage = Stage::new(commands, &session, with_solutions(&file.items[..n]));
            let tested = test_exercise(&stage, exercise);
            problems.extend(tested.problem);
            entries.extend(tested.entries);
            for input in exercise.solution_inputs() {
                commands.handle_line(&mut session, &input.text);
            }
        }
        wants_question(&mut session, &file.items[n..]);
        if let Some(input) = leave_out_search(commands, &mut session, item) {
            entries.push(ReplayedEntry::new(input, input.reply_lines.clone()));
        } else if let Some((input, answer)) = replay_item(commands, &mut session, item) {
            is_out_of_memory |= needs_memory(&answer);
            let mut errors = answer.diagnostics.iter();
            has_runtime_errors |= errors.any(|error| error.phase == Phase::Runtime);
            let stop = answer.stop.as_ref();
            is_interrupted |= stop.is_some_and(|s| s.reason == StopReason::Interrupt)
                && input.interrupted_after.is_none();
            entries.push(ReplayedEntry::new(input, to_plain_text(&session, &answer)));
        }
    }
    is_out_of_memory |= session.target.timeline.dropped_history().is_some();
    session.files = FileAccess::new(session.host().clone());
    Ok(Replay {
        session,
        entries,
        has_runtime_errors,
        is_interrupted,
        is_out_of_memory,
        problems,
    })
}

/// The program that a session file leads to.
pub struct SessionProgram {
    pub language: &'static dyn Language,
    /// The names and texts of the preludes that it uses.
    pub preludes: Vec<(String, String)>,
    /// The name that messages use for it.
    pub name: String,
    pub text: String,
}

/// The program that a session file leads to: the one it starts with, and everything that its entries
/// define.
pub fn session_program(
    commands: Commands,
    path: &str,
    host: Rc<dyn Host>,
) -> Result<SessionProgram, String> {
    let text = read_text(host.as_ref(), path)?;
    let file = SessionFile::parse(&text)
        .map_err(|message| format!("{path} is not a session file: {message}"))?;
    let language = language_of(&file)?;
    let dir = Path::new(path).parent().unwrap_or(Path::new(""));
    let session = replay_with_limits(
        commands,
        &file,
        dir,
        host.clone(),
        SearchLimits::default(),
        Trust::Beside,
    )?
    .session;
    let program_file = session.program_file();
    let preludes = session.programs.preludes(&session.target).into_iter();
    let preludes = preludes.map(|prelude| {
        let text = session
            .programs
            .text(&session.target, prelude.part, &prelude.path)
            .text;
        (prelude.path, text)
    });
    let preludes = preludes.collect();
    if program_file.source.is_none() {
        // It does not load: its errors are of interest.
        let program = match file.program {
            ProgramRef::Inline { name, text } => Some((name, text)),
            ProgramRef::External(name) => {
                let path = dir.join(name).to_string_lossy().into_owned();
                let text = read_beside(host.as_ref(), dir, &path)?;
                Some((path, text))
            }
            ProgramRef::None => None,
        };
        if let Some((name, text)) = program {
            return Ok(SessionProgram {
                language,
                preludes,
                name,
                text,
            });
        }
    }
    let name = program_file.path.as_deref().unwrap_or(path);
    let program = session.program_text(name);
    match program.is_empty {
        true => Err(format!("{path} defines no program")),
        false => Ok(SessionProgram {
            language,
            preludes,
            name: name.to_string(),
            text: program.text,
        }),
    }
}

/// Replays one item of a session file. Returns the input and its reply, or `None` for an item
/// without a reply.
pub(crate) fn replay_item<'f>(
    commands: Commands,
    session: &mut Session,
    item: &'f SessionItem,
) -> Option<(&'f SessionInput, Answer)> {
    if let SessionItem::QuestionAnswer(typed) = item {
        predict::replay_answer(commands, session, typed);
        return None;
    }
    if let SessionItem::Input(input) = item {
        predict::replay_entry(commands, session, &input.text);
    }
    let input = set_up_item(session, item)?;
    let answer = match &input.question {
        Some(question) => predict::replay_asked(commands, session, &input.text, question),
        None => commands.handle_line(session, &input.text),
    };
    session.target.machine.interrupt_at(None);
    Some((input, answer))
}

/// Makes the question that a remark asks for the next one, if its answer was recorded with the line
/// below it. Returns whether the remark was one of those.
fn wants_question(session: &mut Session, items: &[SessionItem]) -> bool {
    let [SessionItem::Comment(remark), SessionItem::Input(input), ..] = items else {
        return false;
    };
    let request = PredictionRequest::in_remark(remark.trim_start_matches('#').trim());
    let is_answered = matches!(input.question, Some(RecordedQuestion::Answered(_)));
    let Some(request) = request.filter(|_| is_answered) else {
        return false;
    };
    session.predictions.request = Some(request);
    true
}

/// Restores a session from its journal, with the contents that files had at the time. The limits
/// and the Ctrl-C flag come from `parent`.
pub fn restore_session(
    commands: Commands,
    file: &SessionFile,
    parent: &Session,
) -> Result<Session, String> {
    let mut session = Session::with_host(language_of(file)?, file.seed, parent.host().clone());
    session.inherit_limits(parent);
    stop_on_errors(&mut session, file.stops_on_errors);
    (session.files.only_recorded, session.files.is_replay) = (true, true);
    let host = parent.host().as_ref();
    let preludes = file.preludes.iter().filter_map(|prelude| {
        let path = relative_path(host, &prelude.name);
        Some((path, prelude.text.clone()?))
    });
    let preludes: Vec<(String, String)> = preludes.collect();
    start_preludes(&mut session, &preludes);
    if let ProgramRef::Inline { name, text } = &file.program {
        start_session(&mut session, name, text);
        session.program_file_mut().disk_text = Some(text.clone());
    }
    let path = file.program_path.as_ref();
    let path = path.map(|path| relative_path(session.host().as_ref(), path));
    session.program_file_mut().path = path;
    let mut left_out = 0;
    for (n, item) in file.items.iter().enumerate() {
        left_out = match left_out {
            0 => leave_out(commands, &mut session, &file.items[n..]),
            more => more,
        };
        if left_out > 0 {
            left_out -= 1;
            continue;
        }
        if let SessionItem::Comment(text) = item
            && !wants_question(&mut session, &file.items[n..])
        {
            commands.handle_line(
                &mut session,
                &format!(":note {}", text.trim_start_matches(['#', ' '])),
            );
        }
        replay_item(commands, &mut session, item);
    }
    session.files = FileAccess::new(session.host().clone());
    Ok(session)
}

/// A path relative to the current directory, if it is inside.
fn relative_path(host: &dyn Host, path: &str) -> String {
    let current_dir = host.absolute_path(".");
    Path::new(path)
        .strip_prefix(current_dir)
        .map_or_else(|_| path.to_string(), |p| p.to_string_lossy().into_owned())
}

fn trim_end(mut lines: Vec<String>) -> Vec<String> {
    while lines.pop_if(|l| l.is_empty()).is_some() {}
    lines
}

/// The lines of both replies, in an order that shows what they have in common.
pub fn line_diff(expected: &[String], actual: &[String]) -> Vec<DiffLine> {
    similar::capture_diff_slices(Algorithm::Myers, expected, actual)
        .iter()
        .flat_map(|part| part.iter_changes(expected, actual))
        .map(|change| DiffLine {
            origin: match change.tag() {
                ChangeTag::Equal => DiffOrigin::Both,
                ChangeTag::Delete => DiffOrigin::Expected,
                ChangeTag::Insert => DiffOrigin::Actual,
            },
            text: change.value(),
        })
        .collect()
}
