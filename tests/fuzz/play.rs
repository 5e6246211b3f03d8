//! Random sessions: what is typed, and what must hold whatever was typed.

use crate::chance::Chance;
use crate::corpus::Corpus;
use crate::guard::{Input, without};
use crate::mutate::change;
use gridbug::command::{self, handle_line, restore_session, start_session};
use gridbug::debugger::StepTarget;
use gridbug::language::Language;
use gridbug::session::session_file::SessionItem;
use gridbug::session::{Journal, OrphanJournal, Reply, Session, json_answer, orphan_journals};
use std::path::PathBuf;

/// Enough for a game, and not long for one that never ends.
const STEPS: u64 = 100_000;
/// So many times before one are looked at for the last stop.
const LOOKED_AT: usize = 40;

#[derive(Clone)]
pub struct Script {
    language: &'static dyn Language,
    program: String,
    pub lines: Vec<String>,
    /// How much of the past is kept: little, so that thinning is tried too.
    history: u64,
    /// Where in time to look, in thousandths.
    walk: Vec<u64>,
}

impl Input for Script {
    fn shown(&self) -> String {
        format!(
            "{}\n{}\n--- typed\n{}",
            self.language.info().name,
            self.program,
            self.lines.join("\n")
        )
    }

    fn smaller(&self) -> Vec<Script> {
        let fewer = without(&self.lines).into_iter().map(|lines| Script {
            lines,
            ..self.clone()
        });
        let program: Vec<String> = self.program.lines().map(|l| format!("{l}\n")).collect();
        let shorter = without(&program).into_iter().map(|p| Script {
            program: p.concat(),
            ..self.clone()
        });
        let simpler = (0..self.lines.len()).flat_map(|n| {
            let of_line = |text| {
                let mut script = self.clone();
                script.lines[n] = text;
                script
            };
            self.lines[n]
                .smaller()
                .into_iter()
                .map(of_line)
                .collect::<Vec<_>>()
        });
        fewer.chain(shorter).chain(simpler).collect()
    }
}

impl Script {
    pub fn make(chance: &mut Chance, corpora: &[Corpus]) -> Script {
        let corpus = chance.pick(corpora);
        let mut program = chance.pick(&corpus.programs).clone();
        if chance.percent(20) {
            program = change(chance, corpus, &program);
        }
        let lines = (0..chance.between(3, 30))
            .map(|_| line(chance, corpus, corpora))
            .collect();
        let history = if chance.percent(20) {
            100_000
        } else {
            256 << 20
        };
        let walk = (0..4).map(|_| chance.below(1001) as u64).collect();
        Script {
            language: corpus.language,
            program,
            lines,
            history,
            walk,
        }
    }

    /// A few lines to the language's own game.
    pub fn lines(chance: &mut Chance, corpora: &[Corpus]) -> Script {
        let corpus = chance.pick(corpora);
        let lines = (0..chance.between(1, 6))
            .map(|_| line(chance, corpus, corpora))
            .collect();
        let program = corpus.language.info().sample.to_string();
        Script {
            language: corpus.language,
            program,
            lines,
            history: 256 << 20,
            walk: Vec::new(),
        }
    }

    pub fn begun(&self) -> Session {
        let mut session = Session::new(self.language, 7);
        let limits = &mut session.machine.limits;
        (
            limits.max_instructions,
            limits.max_memory_bytes,
            limits.max_history_bytes,
        ) = (STEPS, 64 << 20, self.history);
        // No file that is read has one.
        start_session(
            &mut session,
            "fuzz",
            &self.program.replace('\0', "\u{fffd}"),
        );
        session
    }

    pub fn play(&self) {
        let mut session = self.begun();
        // One that broke something has left its own.
        orphan_journals(&journals())
            .into_iter()
            .for_each(OrphanJournal::delete);
        session.journal = Some(Journal::new(journals(), &session));
        for (n, line) in self.lines.iter().enumerate() {
            self.one(&mut session, line);
            if n % 5 == 4 {
                self.there_and_back(&mut session);
            }
        }
        self.there_and_back(&mut session);
        self.one_step_back(&mut session);
        self.brought_back(&mut session);
        undone_and_done_again(&mut session);
    }

    /// What the journal holds brings the very same session back.
    fn brought_back(&self, session: &mut Session) {
        // As if the program had been killed here.
        session.journal = None;
        let Some(left) = orphan_journals(&journals()).pop() else {
            return;
        };
        let (file, written) = (left.file.clone(), left.file.to_text());
        left.delete();
        // Where the past is thinned out depends on who looked at it.
        if self.history < 1 << 20 {
            return;
        }
        let mut again = restore_session(&file, session).expect("a journal that can be played");
        let same = again
            .machine
            .checkpoint()
            .is_same_state(&session.machine.checkpoint());
        assert!(same, "the journal brings another state back:\n{written}");
        assert_eq!(again.tour.step, session.tour.step, "the tour is elsewhere");
        assert_eq!(
            again.is_waiting_for_input(),
            session.is_waiting_for_input(),
            "a question is lost"
        );
        assert_eq!(
            again.debugger.bookmarks, session.debugger.bookmarks,
            "marks are lost"
        );
        let breaks = |s: &Session| s.debugger.breakpoints.clone();
        assert_eq!(breaks(&again), breaks(session), "breakpoints are lost");
    }

    fn one(&self, session: &mut Session, line: &str) {
        let before = session.machine.checkpoint();
        let (idle, asking) = (session.machine.is_idle(), session.is_waiting_for_input());
        let position = session.timeline.cursor();
        let reply = handle_line(session, line);
        let entry = idle && !asking && !line.trim_start().starts_with(':');
        if !reply.ok && entry && session.machine.is_idle() {
            assert!(
                session.machine.checkpoint().is_same_state(&before),
                "{line:?} failed and changed something"
            );
            assert_eq!(
                session.timeline.cursor(),
                position,
                "{line:?} failed and is in the past"
            );
        }
        let json = json_answer(session, &reply).to_string();
        assert!(!json.contains('\n'), "an answer of several lines");
    }

    /// Goes to some times, and finds the same there each time, and here at the end.
    fn there_and_back(&self, session: &mut Session) {
        if session.is_waiting_for_input() {
            return;
        }
        let here = session.machine.checkpoint();
        let (first, last) = session.timeline.time_range();
        let times: Vec<u64> = self
            .walk
            .iter()
            .map(|w| first + (last - first) * w / 1000)
            .collect();
        session.with_time(|session| {
            let mut seen = Vec::new();
            for time in &times {
                session.timeline.seek(&mut session.machine, *time);
                assert_eq!(
                    session.machine.time(),
                    *time,
                    "another time than was asked for"
                );
                seen.push(session.machine.checkpoint());
            }
            for (time, seen) in times.iter().zip(&seen).rev() {
                session.timeline.seek(&mut session.machine, *time);
                assert!(
                    session.machine.checkpoint().is_same_state(seen),
                    "another state at time {time}"
                );
            }
        });
        assert!(
            session.machine.checkpoint().is_same_state(&here),
            "another state after a look elsewhere"
        );
    }

    /// A step back leads to the last stop before, as each single time says.
    fn one_step_back(&self, session: &mut Session) {
        if session.is_waiting_for_input() {
            return;
        }
        let (first, last) = session.timeline.time_range();
        let times: Vec<u64> = self
            .walk
            .iter()
            .map(|w| first + (last - first) * w / 1000)
            .collect();
        session.with_time(|session| {
            for time in times {
                let is_stop = |time: &u64| {
                    session.timeline.seek_into(&mut session.machine, *time);
                    let marks = session.debugger.stop_map(session.machine.program(), &[]);
                    session
                        .machine
                        .current_location()
                        .is_some_and(|(function, pc)| marks.is_stop(function, pc))
                };
                let Some(wanted) = (first..time).rev().take(LOOKED_AT).find(is_stop) else {
                    continue;
                };
                session.timeline.seek_into(&mut session.machine, time);
                session.reverse_step(StepTarget::Into, 1, &mut Reply::new("rs"));
                assert_eq!(
                    session.machine.time(),
                    wanted,
                    "a step back from {time} leads elsewhere"
                );
            }
        });
    }
}

/// A folder of this process alone.
pub fn journals() -> PathBuf {
    std::env::temp_dir().join(format!("gridbug-fuzz-{}", std::process::id()))
}

/// Taking back everything and doing it again ends where it began.
fn undone_and_done_again(session: &mut Session) {
    session.end_input();
    session.abandon();
    if !session.machine.is_idle() {
        return;
    }
    session.redo(usize::MAX);
    let end = session.machine.checkpoint();
    let undone = session.undo(usize::MAX).len();
    let redone = session.redo(usize::MAX).len();
    assert_eq!(undone, redone, "not as much done again as was taken back");
    assert!(
        session.machine.checkpoint().is_same_state(&end),
        "another state after undo and redo"
    );
}

/// Something typed at the prompt.
pub fn line(chance: &mut Chance, corpus: &Corpus, corpora: &[Corpus]) -> String {
    let mut line = match chance.below(20) {
        0..=6 => chance.pick(&corpus.entries).clone(),
        7..=9 => chance.pick(&corpus.commands).clone(),
        10..=15 => made_command(chance, corpus),
        16 => chance.pick(&corpus.answers).clone(),
        17 => String::new(),
        18 => [
            "step", "next", "continue", "finish", "rs", "where", "c", "up",
        ][chance.below(8)]
        .to_string(),
        _ => {
            let other = chance.pick(corpora);
            chance.pick(&other.entries).clone()
        }
    };
    if chance.percent(25) {
        line = change(chance, corpus, &line);
    }
    match may_touch_files(&line) {
        true => ":board".into(),
        false => line,
    }
}

fn made_command(chance: &mut Chance, corpus: &Corpus) -> String {
    let all: Vec<&command::Command> = command::all().collect();
    let command = *chance.pick(&all);
    let number = chance.below(40).to_string();
    let argument = match chance.below(14) {
        0..=2 => String::new(),
        3 | 4 => number,
        5 => format!("{},{}", chance.below(5), chance.below(5)),
        6 => format!("[{}][{}]", chance.below(5), chance.below(5)),
        7 | 8 => chance.pick(&corpus.tokens).clone(),
        9 => chance.pick(&corpus.entries).clone(),
        10 => format!(
            "{} if {}",
            chance.pick(&corpus.tokens),
            chance.pick(&corpus.entries)
        ),
        11 => [
            "start", "end", "on", "off", "event 2", "turn 1", "truth", "m", "on click", "on rand",
            "on error", "on win",
        ][chance.below(12)]
        .to_string(),
        12 => format!(
            "{} do {}",
            chance.pick(&corpus.tokens),
            chance.pick(&corpus.commands)
        ),
        _ => command
            .example
            .split_once(' ')
            .map_or("", |(_, rest)| rest)
            .to_string(),
    };
    format!(":{} {argument}", command.name)
}

/// Commands that read, write or edit files are tried elsewhere.
fn may_touch_files(line: &str) -> bool {
    let touches = |word: &str| {
        let word = word.trim_start_matches(':');
        command::find(word)
            .is_ok_and(|c| ["save", "load", "reload", "edit", "test", "record"].contains(&c.name))
    };
    line.split_whitespace().any(touches)
}

pub fn touches_files(part: &SessionItem) -> bool {
    matches!(part, SessionItem::Input(typed) if may_touch_files(&typed.text))
}
