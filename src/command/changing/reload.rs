//! `:reload`: reads the game's file again and replays the session's entries on the new code.
//!
//! An entry that ran to its end is run without breakpoints. One during which something was typed at
//! a stop is replayed line by line, with the breakpoints of that time and the steps between, so that
//! what was typed runs at the same stop again. All of it is run on the old code as well, so that the
//! two sets of replies can be compared.

use super::reload_script::{Script, ScriptItem, TypedLine};
use crate::answer::{CommandError, Notice, NumberedDiff, Part, Reloaded, ReplyDiff, StopReason};
use crate::command::Arguments;
use crate::command::keeping::files::start_again;
use crate::command::{Origin, run_line};
use crate::debugger::SavedBreakpoints;
use crate::debugger::run;
use crate::machine::Rng;
use crate::session::{Answer, Session, start_config, start_like, to_plain_text};
use crate::teach::replay::{line_diff, replies_match};

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
}

/// Reads the game's files again and replays what was entered.
pub(crate) fn reload_files(session: &mut Session) -> Result<Answer, CommandError> {
    let files = GameFiles::read(session)?;
    let script = Script::of(session);
    let old = replies_on_old_code(session, &script)
        .ok_or_else(|| CommandError::new("interrupted: nothing was changed"))?;
    // The replay sets its own breakpoints, and does not print a trace.
    let mut breakpoints = SavedBreakpoints::default();
    session.target.debugger.swap_breakpoints(&mut breakpoints);
    let trace = std::mem::take(&mut session.target.debugger.trace);
    // Repeat the same random draws; the replayed `:rand` entries script theirs again.
    let seed = session.transcript.game_start.seed;
    let old_rng = std::mem::replace(&mut session.target.machine.rng, Rng::new(seed));
    let next_number = session.target.next_entry_number();
    let stops_on_errors = session.transcript.game_start.stops_on_errors;
    let program = files.program.as_ref();
    let program = program.map(|(path, text)| (path.as_str(), text.as_str()));
    let mut answer = start_again(session, &files.preludes, program);
    session.transcript.game_start.stops_on_errors = stops_on_errors;
    if !answer.ok {
        session.target.machine.rng = old_rng;
    }
    let new = if answer.ok && answer.stop.is_none() {
        session.transcript.replay_offset = session.transcript.entries.len();
        let replayed = play(session, &script);
        session.transcript.drop_replayed();
        replayed
    } else {
        Replayed::default()
    };
    session.target.set_next_entry_number(next_number);
    session.target.debugger.swap_breakpoints(&mut breakpoints);
    session.target.debugger.trace = trace;
    if !answer.ok {
        answer.push(Notice::NothingChanged);
        return Ok(answer);
    }
    answer.absorb(session.target.run(|run| run.rebind_breakpoints()));
    if answer.stop.is_none() {
        let is_interrupted = new.is_interrupted;
        answer.parts.push(Part::Reloaded(report(
            files.path().to_string(),
            &script,
            &old,
            &new,
        )));
        answer.board = Some(session.shown_board());
        if session.target.is_stopped() && !is_interrupted {
            answer.absorb(run::reshow_stop(&mut session.target));
        }
    }
    Ok(answer)
}

/// What was replayed.
#[derive(Default)]
struct Replayed {
    replies: Vec<Reply>,
    /// How many entries of the script were replayed.
    entry_count: usize,
    /// The number of the last entry that was replayed.
    last_number: u32,
    is_interrupted: bool,
}

impl Replayed {
    /// Gives the line that is replayed next the number that it had.
    fn begin_line(&mut self, session: &mut Session, number: Option<u32>) {
        if let Some(number) = number {
            self.last_number = number;
            session.target.set_next_entry_number(number);
        }
    }
}

/// A line and the reply to it, as far as it is compared.
struct Reply {
    input: String,
    /// The number of the entry.
    number: u32,
    lines: Vec<String>,
}

/// Runs the script on the program as loaded before, in a session of its own. Returns `None` if it
/// was interrupted.
fn replies_on_old_code(session: &Session, script: &Script) -> Option<Replayed> {
    let mut before = Session::with_host(
        session.target.language(),
        session.transcript.game_start.seed,
        session.host().clone(),
    );
    before.inherit_limits(session);
    before.view_settings = session.view_settings.clone();
    before.files.only_recorded = true;
    // A prelude that was loaded later counts as loaded before everything else, here and there.
    let start = &session.transcript.game_start;
    let program = start.program.as_ref();
    let program = program.map(|(name, text)| (name.as_str(), text.as_str()));
    start_like(&mut before, &start_config(session, program));
    before.transcript.game_start.stops_on_errors = session.transcript.game_start.stops_on_errors;
    let replayed = play(&mut before, script);
    (!replayed.is_interrupted).then_some(replayed)
}

/// Runs the script, in a session without breakpoints; ends early if interrupted.
fn play(session: &mut Session, script: &Script) -> Replayed {
    let mut replayed = Replayed::default();
    let mut breakpoints = SavedBreakpoints::none(session.transcript.game_start.stops_on_errors);
    for item in &script.items {
        match item {
            ScriptItem::Setting(line) => {
                session.target.debugger.swap_breakpoints(&mut breakpoints);
                run_line(session, line, Origin::Command);
                session.target.debugger.swap_breakpoints(&mut breakpoints);
            }
            ScriptItem::Entry {
                text,
                number,
                answers,
            } => {
                replayed.entry_count += 1;
                replayed.begin_line(session, *number);
                play_entry(session, text, answers, &mut replayed);
            }
            ScriptItem::Stopped {
                lines,
                entry_count,
                is_left_stopped,
            } => {
                session.target.debugger.swap_breakpoints(&mut breakpoints);
                play_stopped(session, lines, &mut replayed);
                session.target.debugger.swap_breakpoints(&mut breakpoints);
                replayed.entry_count += entry_count;
                if !is_left_stopped && session.target.is_stopped() && !replayed.is_interrupted {
                    // The new code stops more often than the old code did.
                    let answer = session.target.run(|run| run.resume(None));
                    replayed.is_interrupted = answer.stop.is_some();
                }
            }
        }
        if replayed.is_interrupted {
            break;
        }
        if session.target.is_waiting_for_input() {
            // The new code asks for more input than the old code did.
            session.target.abandon();
        }
    }
    replayed
}

/// Runs an entry to its end.
fn play_entry(session: &mut Session, text: &str, answers: &[String], replayed: &mut Replayed) {
    let mut lines = Vec::new();
    for (n, line) in std::iter::once(text)
        .chain(answers.iter().map(String::as_str))
        .enumerate()
    {
        if n == 0 || session.target.is_waiting_for_input() {
            let answer = run_line(session, line, Origin::Command);
            lines.extend(comparable_lines(session, answer));
        }
    }
    replayed.replies.push(Reply {
        input: text.to_string(),
        number: replayed.last_number,
        lines,
    });
    replayed.is_interrupted = session.target.is_stopped();
}

/// Runs the lines of an entry that stopped on its way, as they were typed.
fn play_stopped(session: &mut Session, lines: &[TypedLine], replayed: &mut Replayed) {
    for line in lines {
        replayed.begin_line(session, line.number);
        match (session.target.is_waiting_for_input(), line.is_answer) {
            (false, true) => continue,
            (true, false) => drop(session.end_input()),
            _ => {}
        }
        let interrupt_time = line
            .interrupted_after
            .map(|steps| session.target.machine.time().saturating_add(steps));
        session.target.machine.interrupt_at(interrupt_time);
        let answer = run_line(session, &line.input, Origin::Command);
        session.target.machine.interrupt_at(None);
        let stop = answer.stop.as_ref();
        if stop.is_some_and(|s| s.reason == StopReason::Interrupt) && interrupt_time.is_none() {
            replayed.is_interrupted = true;
            return;
        }
        if line.is_compared {
            replayed.replies.push(Reply {
                input: line.input.clone(),
                number: replayed.last_number,
                lines: comparable_lines(session, answer),
            });
        }
    }
}

/// A reply without what naturally differs when the program has changed: of a stop, only the function
/// is compared, and a definition may be in the file by now, or no longer.
fn comparable_lines(session: &Session, mut answer: Answer) -> Vec<String> {
    for part in &mut answer.parts {
        match part {
            Part::Stop(stop) => {
                let function = stop.function.clone();
                *part = Notice::StoppedIn { function }.into();
            }
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

fn report(path: String, script: &Script, old: &Replayed, new: &Replayed) -> Reloaded {
    let mut replies = old.replies.iter().zip(&new.replies);
    let first_difference = replies
        .find(|(old, new)| old.input != new.input || !replies_match(&old.lines, &new.lines))
        .map(|(old, new)| NumberedDiff {
            number: new.number,
            diff: ReplyDiff {
                input: new.input.clone(),
                lines: line_diff(&old.lines, &new.lines),
            },
        });
    Reloaded {
        path,
        entry_count: script.entry_count(),
        replayed_count: new.entry_count,
        is_interrupted: new.is_interrupted,
        first_difference,
    }
}
