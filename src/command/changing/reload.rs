//! `:reload`: reads the game's files again, and replays on them what was typed since the game began.
//!
//! Both the old and the new files are replayed as session files are, each in a session of its own. The
//! replies to the two are compared, and so is where they end. The session then continues with the
//! second one.

use crate::answer::{
    CommandError, Notice, NumberedDiff, Part, PlaceChange, ReloadPlace, Reloaded, ReplyDiff,
    StopReason,
};
use crate::command::keeping::files::start_again;
use crate::command::keeping::save_session::ends_alike;
use crate::command::{Arguments, COMMAND_LINES, find};
use crate::debugger::{SavedBreakpoints, run};
use crate::machine::Rng;
use crate::session::{
    Answer, OnReload, Session, Sets, StartConfig, TranscriptEntry, new_session, replace_session,
    start_config, start_like, stop_on_errors, to_plain_text,
};
use crate::teach::moved_lines::MovedLines;
use crate::teach::replay::{line_diff, replay_item, replies_match};

pub(crate) fn reload(session: &mut Session, _: Arguments<'_>) -> Result<Answer, CommandError> {
    reload_files(session)
}

/// The files of a game, as they are now.
struct GameFiles {
    preludes: Vec<(String, String)>,
    program: Option<(String, String)>,
}

impl GameFiles {
    fn read(session: &mut Session) -> Result<GameFiles, CommandError> {
        let path = session.program_file().path.clone();
        let preludes = session.programs.preludes(&session.target);
        if path.is_none() && preludes.is_empty() {
            let error = CommandError::new("this game was not loaded from a file");
            return Err(error.instruct("use", ":load FILE", ""));
        }
        let mut read = |path: String| {
            let text = session.files.read(&path)?;
            Ok::<_, String>((path, text))
        };
        let program = path.map(&mut read).transpose()?;
        let preludes = preludes.into_iter().map(|prelude| read(prelude.path));
        Ok(GameFiles {
            preludes: preludes.collect::<Result<_, _>>()?,
            program,
        })
    }

    /// The name that reports use.
    fn path(&self) -> &str {
        let file = self.program.as_ref().or(self.preludes.last());
        file.map_or("", |(path, _)| path)
    }

    fn program(&self) -> Option<(&str, &str)> {
        let program = self.program.as_ref();
        program.map(|(path, text)| (path.as_str(), text.as_str()))
    }

    fn all(&self) -> impl Iterator<Item = &(String, String)> {
        self.preludes.iter().chain(&self.program)
    }
}

/// Reads the game's files again and replays what was entered.
pub(crate) fn reload_files(session: &mut Session) -> Result<Answer, CommandError> {
    let files = GameFiles::read(session)?;
    let interrupted = || CommandError::new("interrupted: nothing was changed");
    let (script, old) = old_replay(session).ok_or_else(interrupted)?;
    let Some((new, mut answer)) = new_start(session, &files, &script) else {
        let mut answer = load_errors(session, &files);
        answer.push(Notice::NothingChanged);
        return Ok(answer);
    };
    let place = place(session);
    let entry_count = entry_count(session);
    let moved = MovedLines::new(script.program_text(), files.program().map(|(_, text)| text));
    let mut new = match answer.stop.is_none() {
        true => {
            let lines = script.with_files(&files);
            Replayed::of(new, &lines, Some((&old, &moved)), session)
        }
        false => Replayed::without_lines(new),
    };
    let path = files.path().to_string();
    let change = place_change(place, self::place(&mut new.session), &path, &moved);
    let report = Reloaded {
        path,
        entry_count,
        replayed_count: match new.is_interrupted {
            true => self::entry_count(&new.session).min(entry_count),
            false => entry_count,
        },
        is_interrupted: new.is_interrupted,
        first_difference: first_difference(&old, &new),
        place: change.filter(|_| !new.is_interrupted && answer.stop.is_none()),
    };
    let is_interrupted = new.is_interrupted;
    let rebound = continue_with(session, new.session, &script);
    answer.absorb(rebound);
    if answer.stop.is_none() {
        answer.parts.push(Part::Reloaded(report));
        answer.board = Some(session.shown_board());
        if session.target.is_stopped() && !is_interrupted {
            answer.absorb(run::reshow_stop(&mut session.target));
        }
    }
    Ok(answer)
}

/// What to replay: how the game started, and the lines that were typed since, by their indices in the
/// transcript.
struct Script {
    start: StartConfig,
    lines: Vec<(usize, TranscriptEntry)>,
}

impl Script {
    /// The current game, with the commands before it that say where programs stop.
    fn of_game(session: &Session) -> Script {
        let transcript = &session.transcript;
        // A prelude that was loaded later counts as loaded before everything else.
        let start = StartConfig {
            preludes: start_config(session, None).preludes,
            ..transcript.game_start.clone()
        };
        let sets_stops = |line: &TranscriptEntry| {
            effects(line).is_some_and(|effects| effects.setting == Sets::Stops)
        };
        let is_replayed = |(n, line): &(usize, &TranscriptEntry)| {
            is_replayed(line)
                && match *n < transcript.game_offset {
                    true => *n >= transcript.replay_offset && sets_stops(line),
                    false => !line.loads_program,
                }
        };
        let lines = transcript.entries.iter().enumerate().filter(is_replayed);
        Script {
            start,
            lines: lines.map(|(n, line)| (n, line.clone())).collect(),
        }
    }

    /// The whole session.
    fn of_session(session: &Session) -> Script {
        let lines = session.transcript.entries.iter().enumerate();
        let lines = lines
            .filter(|(_, line)| !line.is_internal && (is_replayed(line) || line.loads_program));
        Script {
            start: session.transcript.session_start.clone(),
            lines: lines.map(|(n, line)| (n, line.clone())).collect(),
        }
    }

    /// The text of the game's program when it was loaded.
    fn program_text(&self) -> Option<&str> {
        let read = self.lines.iter().rev().find_map(|(_, line)| {
            let text = line.files_read.last().map(|(_, text)| text.as_str());
            text.filter(|_| line.loads_program)
        });
        let start = self.start.program.as_ref();
        read.or_else(|| start.map(|(_, text)| text.as_str()))
    }

    /// The same lines; those that load files of the game read them as they are now.
    fn with_files(&self, files: &GameFiles) -> Vec<TranscriptEntry> {
        let lines = self.lines.iter().map(|(_, line)| line.clone());
        let mut lines: Vec<TranscriptEntry> = lines.collect();
        for (path, text) in files.all() {
            let read = lines.iter_mut().rev().find_map(|line| {
                let mut read = line.files_read.iter_mut();
                read.find(|(name, _)| name == path)
            });
            if let Some((_, old)) = read {
                old.clone_from(text);
            }
        }
        lines
    }

    /// How it starts with the files as they are now.
    fn start_with(&self, files: &GameFiles) -> StartConfig {
        let mut start = self.start.clone();
        for (path, text) in files.all() {
            let is_read_later = |(_, line): &(usize, TranscriptEntry)| {
                line.files_read.iter().any(|(name, _)| name == path)
            };
            if self.lines.iter().any(is_read_later) {
                continue;
            }
            let preludes = start.preludes.iter_mut();
            match preludes.into_iter().find(|(name, _)| name == path) {
                Some((_, old)) => old.clone_from(text),
                None if Some(path.as_str()) == files.program().map(|(path, _)| path) => {
                    start.program = Some((path.clone(), text.clone()));
                }
                None => start.preludes.push((path.clone(), text.clone())),
            }
        }
        start
    }
}

fn effects(line: &TranscriptEntry) -> Option<crate::session::CommandEffects> {
    Some(find(line.command?).ok()?.effects)
}

/// Whether a line may change something, so that it has to be replayed.
fn is_replayed(line: &TranscriptEntry) -> bool {
    let on_reload = effects(line).map_or(OnReload::Compared, |effects| effects.on_reload);
    line.is_saved && on_reload != OnReload::Skipped
}

/// A session that has replayed a script.
struct Replayed {
    session: Session,
    replies: Vec<Reply>,
    /// Whether Ctrl-C was pressed.
    is_interrupted: bool,
}

/// The reply to a line.
struct Reply {
    input: String,
    /// The number of the last entry.
    number: u32,
    /// Where the program was before the line.
    before: Activity,
    lines: Vec<String>,
    is_compared: bool,
}

/// Whether the program is running.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Activity {
    Idle,
    Stopped,
    Asking,
}

impl Activity {
    fn of(session: &Session) -> Activity {
        match () {
            () if session.target.is_waiting_for_input() => Activity::Asking,
            () if session.target.is_stopped() => Activity::Stopped,
            () => Activity::Idle,
        }
    }
}

impl Replayed {
    fn without_lines(session: Session) -> Replayed {
        Replayed {
            session,
            replies: Vec::new(),
            is_interrupted: false,
        }
    }

    /// Replays lines in a session that has started, until Ctrl-C is pressed. If the program is another
    /// one than that of an earlier replay, it can stop and ask more or less often; what was typed at
    /// the prompt is replayed at the prompt.
    fn of(
        session: Session,
        lines: &[TranscriptEntry],
        earlier: Option<(&Replayed, &MovedLines)>,
        live: &Session,
    ) -> Replayed {
        let mut replayed = Replayed::without_lines(session);
        let mut number = 0;
        for (n, line) in lines.iter().enumerate() {
            let session = &mut replayed.session;
            let mut line = line.clone();
            if let Some((earlier, moved)) = earlier {
                line.input = moved.command(&line);
                lead_back(session, earlier.replies[n].before);
            }
            number = line.number.unwrap_or(number);
            if let Some(number) = line.number {
                session.target.set_next_entry_number(number);
            }
            let before = Activity::of(session);
            let mut reply = Reply {
                input: line.input.clone(),
                number,
                before,
                lines: Vec::new(),
                is_compared: effects(&line)
                    .is_none_or(|effects| effects.on_reload == OnReload::Compared),
            };
            if line.is_answer && before != Activity::Asking {
                replayed.replies.push(reply);
                continue;
            }
            let item = line.to_session_item();
            if let Some((_, answer)) = replay_item(COMMAND_LINES, session, &item) {
                let reason = answer.stop.as_ref().map(|stop| stop.reason);
                replayed.is_interrupted =
                    reason == Some(StopReason::Interrupt) && line.interrupted_after.is_none();
                reply.lines = comparable_lines(session, answer);
            }
            replayed.replies.push(reply);
            if replayed.is_interrupted {
                return replayed;
            }
        }
        let session = &mut replayed.session;
        // The end of the input is not a line.
        if session.target.is_waiting_for_input() && !live.target.is_waiting_for_input() {
            session.end_input();
        }
        if earlier.is_some() {
            lead_back(session, Activity::of(live));
        }
        replayed
    }
}

/// Ends what is running, if nothing was running at this point in the earlier replay.
fn lead_back(session: &mut Session, earlier: Activity) {
    match (earlier, Activity::of(session)) {
        (Activity::Idle, Activity::Asking) => drop(session.target.abandon()),
        (Activity::Idle, Activity::Stopped) => {
            let mut breakpoints = SavedBreakpoints::default();
            session.target.debugger.swap_breakpoints(&mut breakpoints);
            session.target.run(|run| run.resume(None));
            session.target.debugger.swap_breakpoints(&mut breakpoints);
            if Activity::of(session) != Activity::Idle {
                session.target.abandon();
            }
        }
        _ => {}
    }
}

/// A reply without what naturally differs when the program has changed: of a stop, only the function
/// is compared, a definition may be in the file by now, or no longer, and branches may have other
/// numbers.
fn comparable_lines(session: &Session, mut answer: Answer) -> Vec<String> {
    for part in &mut answer.parts {
        match part {
            Part::Stop(stop) => {
                let function = stop.function.clone();
                *part = Notice::StoppedIn { function }.into();
            }
            Part::Forked { branch, .. } => *branch = 0,
            Part::Notice(Notice::Language { message }) => {
                if let Some(definition) = message.strip_prefix("replaced ") {
                    *message = format!("defined {definition}");
                }
            }
            _ => {}
        }
    }
    to_plain_text(session, &answer)
}

/// A session for a replay, that has not started.
fn unstarted(session: &Session, start: &StartConfig) -> Session {
    let mut replay = new_session(session, session.target.language(), start.seed);
    replay.view_settings = session.view_settings.clone();
    (replay.files.only_recorded, replay.files.is_replay) = (true, true);
    stop_on_errors(&mut replay, start.stops_on_errors);
    replay
}

/// Replays the session on the program as it was loaded, from the start of the game if that leads to
/// where the session is, and from the start of the session otherwise. Returns `None` if it was
/// interrupted.
fn old_replay(session: &mut Session) -> Option<(Script, Replayed)> {
    let mut scripts = vec![Script::of_game(session)];
    let transcript = &session.transcript;
    if transcript.game_offset > 0 && transcript.replay_offset < transcript.game_offset {
        scripts.push(Script::of_session(session));
    }
    let mut first = None;
    for script in scripts {
        let mut replay = unstarted(session, &script.start);
        start_like(&mut replay, &script.start);
        let lines: Vec<TranscriptEntry> =
            script.lines.iter().map(|(_, line)| line.clone()).collect();
        let mut replayed = Replayed::of(replay, &lines, None, session);
        if replayed.is_interrupted {
            return None;
        }
        if is_same_place(session, &mut replayed.session) {
            return Some((script, replayed));
        }
        first.get_or_insert((script, replayed));
    }
    first
}

/// Whether a replay has led to where the session is: the state of the game, the statement, and the
/// breakpoints with their hits.
fn is_same_place(session: &mut Session, replay: &mut Session) -> bool {
    let breakpoints = |session: &Session| -> Vec<(u32, u64)> {
        let breakpoints = session.target.debugger.breakpoints.iter();
        let hits = |b| session.target.hit_count(b);
        breakpoints.map(|b| (b.number, hits(b))).collect()
    };
    ends_alike(session, replay) && breakpoints(session) == breakpoints(replay)
}

/// Starts a session with the files as they are now. Returns `None` if they cannot be loaded.
fn new_start(session: &Session, files: &GameFiles, script: &Script) -> Option<(Session, Answer)> {
    let start = script.start_with(files);
    let mut new = unstarted(session, &start);
    let answer = start_like(&mut new, &start);
    if let (true, Some((path, text))) = (answer.ok, files.program()) {
        let file = new.program_file_mut();
        file.path = Some(path.to_string());
        file.disk_text = Some(text.to_string());
    }
    answer.ok.then_some((new, answer))
}

/// Loads files that cannot be loaded, for the errors.
fn load_errors(session: &mut Session, files: &GameFiles) -> Answer {
    let mut breakpoints = SavedBreakpoints::default();
    session.target.debugger.swap_breakpoints(&mut breakpoints);
    let rng = Rng::new(session.transcript.game_start.seed);
    let old_rng = std::mem::replace(&mut session.target.machine.rng, rng);
    let answer = start_again(session, &files.preludes, files.program());
    session.target.machine.rng = old_rng;
    session.target.debugger.swap_breakpoints(&mut breakpoints);
    answer
}

/// Continues the session with the game of a replay. What was typed, the settings and the breakpoints
/// stay.
fn continue_with(session: &mut Session, new: Session, script: &Script) -> Answer {
    let next_number = session.target.next_entry_number();
    let (mut old, _) = replace_session(session, new);
    session.transcript = joined_transcript(&mut old, session, script);
    session.view_settings = old.view_settings;
    session.tour = old.tour;
    session.noted_commands = old.noted_commands;
    session.lesson = old.lesson;
    session.coverage = old.coverage;
    session.opponents = old.opponents;
    let target = &mut session.target;
    target.set_next_entry_number(next_number);
    target.pause_after = old.target.pause_after;
    target.slice_instructions = old.target.slice_instructions;
    target.debugger.take_settings(old.target.debugger);
    session.update_main_source();
    session.target.run(|run| run.rebind_breakpoints())
}

/// The transcript of a session, followed by the lines that were replayed in another one.
fn joined_transcript(
    old: &mut Session,
    new: &mut Session,
    script: &Script,
) -> crate::session::Transcript {
    let mut transcript = std::mem::take(&mut old.transcript);
    let replayed = std::mem::take(&mut new.transcript);
    // Entries of the history are those of the replay.
    transcript.entries.iter_mut().for_each(|e| e.entry = None);
    let lines = script.lines.iter().map(|(n, _)| *n);
    for (n, line) in lines.zip(&replayed.entries) {
        transcript.entries[n].entry = line.entry;
    }
    let replayed_from = transcript.entries.len();
    let game = replayed.entries.into_iter().skip(replayed.game_offset);
    transcript.entries.extend(game.map(|line| TranscriptEntry {
        is_internal: true,
        is_replayed: true,
        ..line
    }));
    (transcript.game_offset, transcript.replay_offset) = (replayed_from, replayed_from);
    transcript.game_start = replayed.game_start;
    transcript.drop_replayed();
    transcript
}

/// The number of entries since the game was loaded.
fn entry_count(session: &Session) -> usize {
    let entries = session.target.timeline.entries();
    let is_load = |text: &str| text.starts_with(":load ");
    let first = entries
        .iter()
        .rposition(|entry| is_load(&entry.text) && entry.resets_game());
    let entries = entries.iter().skip(first.map_or(1, |n| n + 1));
    entries
        .filter(|entry| !entry.is_answer() && !is_load(&entry.text))
        .count()
}

fn first_difference(old: &Replayed, new: &Replayed) -> Option<NumberedDiff> {
    let mut replies = old.replies.iter().zip(&new.replies);
    let (old, new) =
        replies.find(|(old, new)| old.is_compared && !replies_match(&old.lines, &new.lines))?;
    Some(NumberedDiff {
        number: new.number,
        diff: ReplyDiff {
            input: new.input.clone(),
            lines: line_diff(&old.lines, &new.lines),
        },
    })
}

/// Where the program is.
fn place(session: &mut Session) -> ReloadPlace {
    let target = &mut session.target;
    let is_idle = target.machine.is_idle();
    let statement = run::frame_statement(target, 0).filter(|_| !is_idle);
    let range = statement.and_then(|statement| target.source_range(statement.shown));
    let function = target.machine.current_location();
    let function = function.and_then(|(id, _)| target.machine.function(id));
    ReloadPlace {
        function: function.map(|function| function.name.to_string()),
        line: range.as_ref().map(|range| range.line),
        file: range.map(|range| range.file),
        is_waiting: target.is_waiting_for_input(),
        is_dry_run: target.is_dry_run(),
        is_in_past: target.timeline.is_in_past(&target.machine),
    }
}

/// How the place differs from the one before, if it does. Lines of the program may have moved.
fn place_change(
    before: ReloadPlace,
    now: ReloadPlace,
    path: &str,
    moved: &MovedLines,
) -> Option<PlaceChange> {
    let is_in_program = before.file.as_deref() == Some(path);
    let expected = ReloadPlace {
        line: before.line.map(|line| match is_in_program {
            true => moved.line(line),
            false => line,
        }),
        ..before.clone()
    };
    (expected != now).then_some(PlaceChange { before, now })
}
