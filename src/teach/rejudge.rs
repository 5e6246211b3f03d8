//! Replays saved sessions on the rules as they are now, and says which end differently.
//!
//! Each session is played twice, on its own program and on the current one, and the results of its
//! moves are compared, as far as players see them. Breakpoints and steps are left out. The program of
//! a session file that only refers to it may have changed; then the replies in the file are what is
//! compared with.

use super::Commands;
use super::played_result::{Difference, GAME_GOES_ON, PlayedResult, in_one_line};
use super::replay::{ReplayedEntry, line_diff, replay_within};
use crate::answer::{
    Answer, Aspect, CommandError, DiffLine, DiffOrigin, RejudgeVerdict, RejudgedSession, StopReason,
};
use crate::debugger::EntryId;
use crate::host::Host;
use crate::language::{Actions, Language};
use crate::render::shown_game_result;
use crate::session::session_file::{
    PreludeRef, ProgramRef, SessionFile, SessionInput, with_solutions,
};
use crate::session::{
    Plays, Session, Trust, elide, first_line, language_of, load_program, read_beside, set_up_item,
    start_config, stop_on_errors,
};
use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::Ordering;

/// Ends endless loops: the moves of a game are short.
const MAX_MOVE_INSTRUCTIONS: u64 = 20_000_000;
/// A directory with more directories than this inside it is hardly one of session files, but perhaps the
/// whole disk.
const MAX_DIRECTORIES_SEARCHED: usize = 1000;
/// Why nothing is known about a session that needs more memory, or more history, than there may be.
const MEMORY_LIMIT: &str = "not played to its end: memory limit";
/// Longer results are elided.
const MAX_RESULT_CHARS: usize = 60;

/// Replays session files on the program of a session, which does not change. A directory stands for all
/// session files in it. What is not judged when `is_late` becomes true is undecided; someone else has to
/// interrupt a replay then.
pub fn rejudge_sessions(
    commands: Commands,
    session: &mut Session,
    paths: &[String],
    is_late: &dyn Fn() -> bool,
) -> Result<Vec<RejudgedSession>, CommandError> {
    let rules = Rules::of(session)?;
    let files = collect_sessions(session, paths)?;
    let mut judged = Vec::new();
    let mut is_interrupted = false;
    let without_result = |path: &str, reason: &str| RejudgedSession {
        now: Some(reason.into()),
        ..undecided(path)
    };
    for (path, file) in files {
        let verdict = match &file {
            Err(message) => RejudgedSession {
                verdict: RejudgeVerdict::Unplayable,
                ..without_result(&path, message)
            },
            Ok(_) if is_late() => without_result(&path, "not played: time limit"),
            Ok(_) if is_interrupted => without_result(&path, "interrupted before it was played"),
            Ok(file) => match rules.judge(commands, session, &path, file) {
                // The replay may have been interrupted anywhere.
                _ if is_late() => without_result(&path, "not played to its end: time limit"),
                verdict => verdict,
            },
        };
        judged.push(verdict);
        is_interrupted |= session.target.machine.take_interrupt();
    }
    Ok(judged)
}

/// A session file, or why it cannot be read.
type ReadSession = Result<SessionFile, String>;

/// The session files at these paths, read and parsed. One that is named and cannot be read is an error; in
/// a directory, it is one of many.
fn collect_sessions(
    session: &mut Session,
    paths: &[String],
) -> Result<Vec<(String, ReadSession)>, CommandError> {
    // A replay reads what was read before, whatever is there now.
    let mut found = session.files.recorded_names();
    let host = session.host().clone();
    let searched = if found.is_empty() { paths } else { &[] };
    for path in searched {
        let before = found.len();
        let mut budget = MAX_DIRECTORIES_SEARCHED;
        collect_paths(host.as_ref(), path, &mut budget, &mut found);
        if budget == 0 {
            return Err(CommandError::new(format!(
                "{path} has too many directories inside it; name the one with the session files"
            )));
        }
        if found.len() == before {
            return Err(CommandError::new(format!("no session files in {path}")));
        }
    }
    let mut read = |path: String| {
        let file = match session.files.read(&path) {
            Ok(text) => SessionFile::parse(&text)
                .map_err(|message| format!("{path} is not a session file: {message}")),
            Err(error) => Err(CommandError::from(error).message),
        };
        match file {
            Err(message) if paths.contains(&path) => Err(CommandError::new(message)),
            file => Ok((path, file)),
        }
    };
    found.into_iter().map(&mut read).collect()
}

/// Adds a file, or the session files of a directory and those inside it, sorted by name. Looks into at
/// most `budget` directories, which is reduced by their number.
fn collect_paths(host: &dyn Host, path: &str, budget: &mut usize, found: &mut Vec<String>) {
    *budget = budget.saturating_sub(1);
    if *budget == 0 {
        return;
    }
    let directory = format!("{}/", path.trim_end_matches('/'));
    let mut entries = host.list(&directory);
    if entries.is_empty() {
        return found.push(path.to_string());
    }
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    for entry in entries {
        let inside = format!("{directory}{}", entry.name);
        if entry.name.ends_with(".session") && !entry.is_directory {
            found.push(inside);
        } else if entry.is_directory && !host.list(&format!("{inside}/")).is_empty() {
            collect_paths(host, &inside, budget, found);
        }
    }
}

/// The program as it is now.
struct Rules {
    preludes: Vec<PreludeRef>,
    name: String,
    text: String,
}

impl Rules {
    fn of(session: &Session) -> Result<Rules, CommandError> {
        let path = session.program_file().path.clone();
        let name = path.unwrap_or_else(|| "game".to_string());
        let program = session.program_text(&name);
        if program.is_empty {
            let error = CommandError::new("there are no rules to judge with");
            return Err(error.instruct("load a game first, e.g.", ":load game.gl", ""));
        }
        let preludes = start_config(session, None).preludes.into_iter();
        let to_prelude = |(name, text)| PreludeRef {
            name,
            text: Some(text),
        };
        Ok(Rules {
            preludes: preludes.map(to_prelude).collect(),
            name,
            text: program.text,
        })
    }

    /// A session file with these rules instead of its own.
    fn applied_to(&self, file: &SessionFile) -> SessionFile {
        SessionFile {
            preludes: self.preludes.clone(),
            program: ProgramRef::Inline {
                name: self.name.clone(),
                text: self.text.clone(),
            },
            ..file.clone()
        }
    }

    /// Whether a session file refers to the very text of these rules, so that its own are not known.
    fn is_program_of(&self, file: &SessionFile, dir: &Path, host: &dyn Host) -> bool {
        let ProgramRef::External(name) = &file.program else {
            return false;
        };
        let text = read_beside(host, dir, &dir.join(name).to_string_lossy());
        text.is_ok_and(|text| text.trim_end() == self.text.trim_end())
    }

    fn judge(
        &self,
        commands: Commands,
        session: &mut Session,
        path: &str,
        file: &SessionFile,
    ) -> RejudgedSession {
        let mut judged = undecided(path);
        let language = session.target.language().info();
        if file.language != language.name {
            judged.verdict = RejudgeVerdict::Unplayable;
            let title = language_of(file).map_or(file.language.as_str(), |l| l.info().title);
            judged.now = Some(format!(
                "a session of {title}, but the rules are {}",
                language.title
            ));
            return judged;
        }
        let dir = Path::new(path).parent().unwrap_or(Path::new(""));
        if self.is_program_of(file, dir, session.host().as_ref()) {
            return judge_by_replies(commands, session, file, dir, judged);
        }
        let old = play(commands, session, file, dir, &HashSet::new());
        // Without a program, the session has typed its rules.
        let left_out = match (&old, &file.program) {
            (Ok(old), ProgramRef::None) => &old.defining | &old.observing,
            (Ok(old), _) => old.observing.clone(),
            (Err(_), _) => HashSet::new(),
        };
        let new = play(commands, session, &self.applied_to(file), dir, &left_out);
        match (old, new) {
            (Ok(old), Ok(new)) => compare(&old, &new, judged),
            (Err(reason), _) | (_, Err(reason)) => {
                let (verdict, message) = match reason {
                    NotPlayed::Unplayable(message) => (RejudgeVerdict::Unplayable, message),
                    NotPlayed::Limited(message) => (RejudgeVerdict::Undecided, message),
                };
                (judged.verdict, judged.now) = (verdict, Some(message));
                judged
            }
        }
    }
}

/// A session file about which nothing is known yet.
fn undecided(path: &str) -> RejudgedSession {
    RejudgedSession {
        file: path.to_string(),
        verdict: RejudgeVerdict::Undecided,
        was: None,
        now: None,
        first_move: None,
        number: None,
        is_between_moves: false,
        moves: 0,
    }
}

/// A session file that was played.
struct PlayedSession {
    /// The start of the game.
    start: PlayedResult,
    moves: Vec<PlayedMove>,
    /// The items that changed the program.
    defining: HashSet<usize>,
    /// The items that only looked: expressions whose evaluation changed nothing.
    observing: HashSet<usize>,
    /// Ctrl-C was pressed.
    is_interrupted: bool,
    /// History that a command needs was dropped because of the memory limit.
    lacks_history: bool,
}

/// Why a session could not be played.
enum NotPlayed {
    /// It cannot be played with these rules.
    Unplayable(String),
    /// It needs more time or memory to start.
    Limited(String),
}

/// A move of a session.
struct PlayedMove {
    /// Which item of the file it is.
    item: usize,
    entry: String,
    /// Whether it is a command, such as `:undo`.
    is_command: bool,
    /// `None` if it answers a question that the program does not ask.
    result: Option<PlayedResult>,
}

impl PlayedSession {
    /// The last result.
    fn end(&self) -> &PlayedResult {
        let last = self.moves.iter().rev().find_map(|m| m.result.as_ref());
        last.unwrap_or(&self.start)
    }

    fn is_undecided(&self) -> bool {
        let mut results = self.moves.iter().filter_map(|m| m.result.as_ref());
        self.is_interrupted || self.lacks_history || results.any(PlayedResult::is_limited)
    }
}

/// Plays the moves of a session file in a session of its own, without breakpoints.
fn play(
    commands: Commands,
    parent: &mut Session,
    file: &SessionFile,
    dir: &Path,
    left_out: &HashSet<usize>,
) -> Result<PlayedSession, NotPlayed> {
    let language = language_of(file).map_err(NotPlayed::Unplayable)?;
    let mut session = Session::with_host(language, file.seed, parent.host().clone());
    session.inherit_limits(parent);
    session.target.machine.limits.max_instructions = MAX_MOVE_INSTRUCTIONS;
    session.files.is_replay = true;
    let host = parent.host().clone();
    let loaded = load_program(&mut session, file, dir, |path| {
        read_beside(host.as_ref(), dir, path)
    })
    .map_err(NotPlayed::Unplayable)?;
    stop_on_errors(&mut session, false);
    let start = PlayedResult::new(&mut session, &loaded);
    if let Some(error) = start.error() {
        return Err(match start.is_limited() {
            true => NotPlayed::Limited(error),
            false => NotPlayed::Unplayable(error),
        });
    }
    let mut played = PlayedSession {
        start,
        moves: Vec::new(),
        defining: HashSet::new(),
        observing: HashSet::new(),
        is_interrupted: false,
        lacks_history: false,
    };
    let mut created = Vec::new();
    for (index, item) in with_solutions(&file.items).iter().enumerate() {
        let input = item.as_input();
        if left_out.contains(&index)
            || input.is_some_and(|input| !is_move(commands, &session, input))
        {
            continue;
        }
        if let Some(input) = input
            && input.is_answer
            && !session.target.is_waiting_for_input()
        {
            played.moves.push(PlayedMove {
                item: index,
                entry: input.text.clone(),
                is_command: false,
                result: None,
            });
            break;
        }
        let Some(input) = set_up_item(&mut session, item) else {
            continue;
        };
        let is_command = !input.is_answer && commands.command_of(&session, &input.text).is_some();
        let answer = commands.handle_line(&mut session, &input.text);
        session.target.machine.interrupt_at(None);
        let stop = answer.stop.as_ref();
        let is_interrupted = stop.is_some_and(|stop| stop.reason == StopReason::Interrupt);
        played.is_interrupted = is_interrupted && input.interrupted_after.is_none();
        if played.is_interrupted {
            // It was cleared when it was noticed.
            let flag = session.target.machine.interrupt_flag();
            flag.store(true, Ordering::Relaxed);
            break;
        }
        let timeline = &session.target.timeline;
        let is_oldest = timeline.entries().len() <= 1;
        if is_command && (!answer.ok || is_oldest) && timeline.dropped_history().is_some() {
            // Perhaps more had to be undone.
            played.lacks_history = true;
            break;
        }
        let entry = session.transcript.entries.last().and_then(|e| e.entry);
        created.extend(entry.map(|id| (id, index)));
        if !input.is_answer && is_observation(&session, &answer, entry) {
            played.observing.insert(index);
            continue;
        }
        played.moves.push(PlayedMove {
            item: index,
            entry: input.text.clone(),
            is_command,
            result: Some(PlayedResult::new(&mut session, &answer)),
        });
    }
    let defining = session.target.defining_entries();
    let defining = created.iter().filter(|(id, _)| defining.contains(id));
    played.defining = defining.map(|(_, index)| *index).collect();
    Ok(played)
}

/// Whether an input plays the game: a command that only shows something or steps does not.
fn is_move(commands: Commands, session: &Session, input: &SessionInput) -> bool {
    let command = commands
        .command_of(session, &input.text)
        .filter(|_| !input.is_answer);
    command.is_none_or(|command| match command.effects.plays {
        Plays::Always => true,
        Plays::AtStop => session.target.is_stopped(),
        Plays::Never => false,
    })
}

/// Whether the game is played by entries that change it. In BoGL a game is an expression.
fn has_actions(session: &Session) -> bool {
    let model = session
        .target
        .language()
        .move_model(session.target.program());
    // Where the board is only displayed, games are values.
    model.actions != Actions::None || model.end_globals.is_empty()
}

/// Whether an entry was an expression that changed nothing.
fn is_observation(session: &Session, answer: &Answer, entry: Option<EntryId>) -> bool {
    if answer.value.is_none() || !has_actions(session) {
        return false;
    }
    let mut entries = session.target.timeline.entries().iter();
    let entry = entries.find(|e| Some(e.id) == entry);
    entry.is_none_or(|entry| !entry.has_effect)
}

/// Compares a session on its own rules with the same session on others.
fn compare(
    old: &PlayedSession,
    new: &PlayedSession,
    mut judged: RejudgedSession,
) -> RejudgedSession {
    let is_compared = |m: &&PlayedMove| new.moves.iter().any(|n| n.item == m.item);
    let moves: Vec<&PlayedMove> = old.moves.iter().filter(is_compared).collect();
    let is_action = |m: &PlayedMove| !m.is_command && !old.defining.contains(&m.item);
    judged.moves = moves.iter().filter(|m| is_action(m)).count();
    (judged.was, judged.now) = (Some(old.end().ending_text()), Some(new.end().ending_text()));
    if old.is_undecided() || new.is_interrupted || new.lacks_history {
        judged.was = judged.was.filter(|_| !old.is_undecided());
        judged.now = match old.lacks_history || new.lacks_history {
            true => Some(MEMORY_LIMIT.into()),
            false => None,
        };
        return judged;
    }
    // The first move that leads elsewhere, and the first whose result is not just another position.
    let (mut first, mut decisive) = (None, None);
    let mut new_moves = new.moves.iter().peekable();
    if let Some(difference) = new.start.difference(&old.start) {
        first = Some(FirstDifference::default());
        decisive = Some(difference).filter(is_decisive);
    }
    let mut number = 0;
    for old_move in moves {
        number += usize::from(is_action(old_move));
        let new_move = new_moves.find(|m| m.item == old_move.item);
        let (Some(expected), Some(new_move)) = (&old_move.result, new_move) else {
            continue;
        };
        let here = FirstDifference {
            number,
            entry: Some(old_move.entry.clone()),
            is_between_moves: !is_action(old_move),
        };
        let Some(result) = &new_move.result else {
            judged.now = Some("the program does not ask for this answer".into());
            return unplayable(judged, here);
        };
        let Some(difference) = result.difference(expected) else {
            continue;
        };
        if let (Some(error), None) = (result.error(), expected.error()) {
            judged.now = Some(error);
            return match result.is_limited() {
                true => judged,
                false => unplayable(judged, here),
            };
        }
        first.get_or_insert(here);
        decisive = decisive.or(Some(difference).filter(is_decisive));
    }
    let (old_end, new_end) = (old.end(), new.end());
    let ends_alike = old_end.is_same_game(new_end);
    let Some(first) = first.filter(|_| !ends_alike || decisive.is_some()) else {
        judged.verdict = RejudgeVerdict::Same;
        return judged;
    };
    judged.verdict = RejudgeVerdict::Different;
    first.note_in(&mut judged);
    if judged.was == judged.now {
        (judged.was, judged.now) = match decisive {
            Some(difference) => {
                let text = |lines: &[String]| Some(shortened(difference.aspect, lines));
                (text(&difference.expected), text(&difference.actual))
            }
            None => {
                let (was, now) = old_end.state_difference(new_end);
                (Some(was), Some(now))
            }
        };
    }
    judged
}

/// Whether players got another answer; a position on the way may still lead to the same end.
fn is_decisive(difference: &Difference) -> bool {
    !matches!(difference.aspect, Aspect::Board | Aspect::Ending)
}

/// Where two replays differ first: at the start unless there is an entry.
#[derive(Default)]
struct FirstDifference {
    /// How many moves were played, with this one.
    number: usize,
    entry: Option<String>,
    /// The entry is not a move: it defines something or is a command.
    is_between_moves: bool,
}

impl FirstDifference {
    fn note_in(self, judged: &mut RejudgedSession) {
        judged.number = Some(self.number);
        judged.first_move = self.entry;
        judged.is_between_moves = self.is_between_moves;
    }
}

fn unplayable(mut judged: RejudgedSession, at: FirstDifference) -> RejudgedSession {
    judged.verdict = RejudgeVerdict::Unplayable;
    at.note_in(&mut judged);
    judged
}

fn shortened(aspect: Aspect, lines: &[String]) -> String {
    elide(&in_one_line(aspect, lines), MAX_RESULT_CHARS)
}

/// Compares a replay with the replies in the session file.
fn judge_by_replies(
    commands: Commands,
    session: &mut Session,
    file: &SessionFile,
    dir: &Path,
    mut judged: RejudgedSession,
) -> RejudgedSession {
    let mut replay = match replay_within(commands, file, dir, session, Trust::Beside) {
        Ok(replay) => replay,
        Err(message) => {
            judged.verdict = RejudgeVerdict::Unplayable;
            judged.now = Some(message);
            return judged;
        }
    };
    let command = |entry: &ReplayedEntry| {
        let word = entry.input.trim_start().strip_prefix(':')?;
        commands.find(word.split_whitespace().next()?)
    };
    let has_actions = has_actions(session);
    let is_played = |entry: &ReplayedEntry| match command(entry) {
        Some(command) => command.effects.plays == Plays::Always,
        // The value of an expression that changed nothing.
        None => !has_actions || entry.expected.is_empty() || !all_start_with(entry, &["= "]),
    };
    let is_action = |entry: &ReplayedEntry| {
        let is_definition = all_start_with(entry, &["defined ", "replaced "]);
        command(entry).is_none() && (entry.expected.is_empty() || !is_definition)
    };
    let (start, entries) = replay.entries.split_at(1.min(replay.entries.len()));
    let entries: Vec<_> = entries.iter().filter(|e| is_played(e)).collect();
    judged.moves = entries.iter().filter(|e| is_action(e)).count();
    if replay.is_interrupted {
        let flag = session.target.machine.interrupt_flag();
        flag.store(true, Ordering::Relaxed);
        return judged;
    }
    let now = PlayedResult::new(&mut replay.session, &Answer::new("")).ending_text();
    let differs = entries.iter().position(|entry| !entry.matches());
    let start = start.first().filter(|entry| !entry.matches());
    let (entry, first) = match (start, differs) {
        (Some(start), _) => (start, FirstDifference::default()),
        (None, Some(at)) => {
            let entry = entries[at];
            let first = FirstDifference {
                number: entries[..=at].iter().filter(|e| is_action(e)).count(),
                entry: Some(first_line(&entry.input)),
                is_between_moves: !is_action(entry),
            };
            (entry, first)
        }
        (None, None) => {
            judged.verdict = RejudgeVerdict::Same;
            (judged.was, judged.now) = (Some(now.clone()), Some(now));
            return judged;
        }
    };
    if replay.is_out_of_memory {
        judged.now = Some(MEMORY_LIMIT.into());
        return judged;
    }
    judged.verdict = RejudgeVerdict::Different;
    first.note_in(&mut judged);
    let was = recorded_ending(&replay.entries, session.target.language());
    if was != now {
        (judged.was, judged.now) = (Some(was), Some(now));
        return judged;
    }
    let lines = line_diff(&entry.expected, &entry.actual);
    let only = |origin: DiffOrigin| {
        let mut only = lines
            .iter()
            .filter(|line: &&DiffLine| line.origin == origin);
        only.next().map(|line| line.text.trim().to_string())
    };
    judged.was = only(DiffOrigin::Expected);
    judged.now = only(DiffOrigin::Actual);
    judged
}

/// How the game had ended when a session was saved, or that it went on: what the last board in its replies
/// says.
fn recorded_ending(entries: &[ReplayedEntry], language: &dyn Language) -> String {
    let endings = language.ending_texts();
    let mut replies = entries.iter().rev().map(|entry| entry.expected.as_slice());
    let last = replies.find_map(|lines| shown_game_result(lines, endings));
    let ending = last.flatten().map(String::from);
    ending.unwrap_or_else(|| GAME_GOES_ON.into())
}

/// Whether each line of the reply in the session file starts with one of these texts.
fn all_start_with(entry: &ReplayedEntry, starts: &[&str]) -> bool {
    let is_start = |line: &String| {
        starts
            .iter()
            .any(|start| line.trim_start().starts_with(start))
    };
    entry.expected.iter().all(is_start)
}
