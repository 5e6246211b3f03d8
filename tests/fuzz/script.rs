//! Random sessions, and the invariants that must hold for all of them.

use crate::corpus::Corpus;
use crate::mutate::mutate;
use crate::rng::Rng;
use crate::runner::{Input, shrink_list};
use gridbug::command::{self, handle_line, restore_session, start_session};
use gridbug::debugger::StepTarget;
use gridbug::explorer::SearchLimits;
use gridbug::host::{JournalDir, JournalStore, NativeHost};
use gridbug::language::Language;
use gridbug::machine::MIN_INCREMENTAL_CELLS;
use gridbug::protocol::answer_to_json_text;
use gridbug::session::session_file::SessionItem;
use gridbug::session::{Journal, Session, StoredJournal, StoredJournals, stop_on_errors};
use std::path::PathBuf;
use std::rc::Rc;

/// Enough to play a game, and few enough to end an infinite loop quickly.
const MAX_INSTRUCTIONS: u64 = 100_000;
/// How far back [`Script::check_step_back`] searches for the previous stop, one time at a time.
const STOP_SEARCH_INSTRUCTIONS: usize = 40;

/// A program and the lines typed at the prompt.
#[derive(Clone)]
pub struct Script {
    language: &'static dyn Language,
    program: String,
    pub lines: Vec<String>,
    /// Memory limit of the history; sometimes small, so that checkpoints are dropped.
    max_history_bytes: u64,
    /// Times to visit, in thousandths of the history.
    visit_permille: Vec<u64>,
}

impl Input for Script {
    fn to_text(&self) -> String {
        format!(
            "{}\n{}\n--- typed\n{}",
            self.language.info().name,
            self.program,
            self.lines.join("\n")
        )
    }

    fn shrink(&self) -> Vec<Script> {
        let fewer_lines = shrink_list(&self.lines).into_iter().map(|lines| Script {
            lines,
            ..self.clone()
        });
        let program: Vec<String> = self.program.lines().map(|l| format!("{l}\n")).collect();
        let shorter_programs = shrink_list(&program).into_iter().map(|lines| Script {
            program: lines.concat(),
            ..self.clone()
        });
        let shorter_lines = (0..self.lines.len()).flat_map(|n| {
            let with_line = |text| {
                let mut script = self.clone();
                script.lines[n] = text;
                script
            };
            self.lines[n]
                .shrink()
                .into_iter()
                .map(with_line)
                .collect::<Vec<_>>()
        });
        fewer_lines
            .chain(shorter_programs)
            .chain(shorter_lines)
            .collect()
    }
}

impl Script {
    /// A whole session with any program of the corpus.
    pub fn session(rng: &mut Rng, corpora: &[Corpus]) -> Script {
        let corpus = rng.pick(corpora);
        let mut program = rng.pick(&corpus.programs).clone();
        if rng.percent(20) {
            program = mutate(rng, corpus, &program);
        }
        let lines = (0..rng.range(3, 30))
            .map(|_| prompt_line(rng, corpus, corpora))
            .collect();
        let max_history_bytes = if rng.percent(20) { 100_000 } else { 256 << 20 };
        let visit_permille = (0..4).map(|_| rng.below(1001) as u64).collect();
        Script {
            language: corpus.language,
            program,
            lines,
            max_history_bytes,
            visit_permille,
        }
    }

    /// A few lines typed into the language's sample game.
    pub fn short(rng: &mut Rng, corpora: &[Corpus]) -> Script {
        let corpus = rng.pick(corpora);
        let lines = (0..rng.range(1, 6))
            .map(|_| prompt_line(rng, corpus, corpora))
            .collect();
        let program = corpus.language.info().sample.to_string();
        Script {
            language: corpus.language,
            program,
            lines,
            max_history_bytes: 256 << 20,
            visit_permille: Vec::new(),
        }
    }

    /// Starts the session with low limits.
    pub fn start(&self) -> Session {
        self.start_with_reuse(Some(MIN_INCREMENTAL_CELLS))
    }

    /// Starts the session; loops over boards of at least so many cells reuse their iterations.
    fn start_with_reuse(&self, min_cells: Option<u32>) -> Session {
        let mut session = Session::with_host(self.language, 7, Rc::new(NativeHost::new()));
        session.explorer.limits = search_limits();
        session.target.machine.set_incremental(min_cells);
        let limits = &mut session.target.machine.limits;
        (
            limits.max_instructions,
            limits.max_memory_bytes,
            limits.max_history_bytes,
        ) = (MAX_INSTRUCTIONS, 64 << 20, self.max_history_bytes);
        stop_on_errors(&mut session, self.lines.len() % 2 == 1);
        // The journal is a session file, which cannot contain NUL.
        start_session(
            &mut session,
            "fuzz",
            &self.program.replace('\0', "\u{fffd}"),
        );
        session
    }

    /// Runs all lines, and checks the invariants every few lines and at the end.
    pub fn run(&self) {
        let mut session = self.start();
        // An earlier input that failed has left its journal.
        StoredJournals::all(&journal_dir())
            .journals
            .into_iter()
            .for_each(StoredJournal::delete);
        session.journal = Some(Journal::new(journal_dir(), &session));
        for (n, line) in self.lines.iter().enumerate() {
            self.run_line(&mut session, line);
            if n % 5 == 4 {
                self.check_time_travel(&mut session);
            }
        }
        self.check_time_travel(&mut session);
        self.check_step_back(&mut session);
        self.check_journal(&mut session);
        check_undo_redo(&mut session);
    }

    /// Every line has the same answer and the same effect, whether iterations are reused or not.
    pub fn compare_with_and_without_reuse(&self) {
        // Which checkpoints of a small history are dropped depends on when they were taken.
        let script = Script {
            max_history_bytes: 256 << 20,
            ..self.clone()
        };
        let mut sessions = [Some(0), None].map(|min_cells| script.start_with_reuse(min_cells));
        for line in self.lines.iter().filter(|line| !depends_on_clock(line)) {
            let answers = sessions.each_mut().map(|session| {
                let answer = handle_line(session, line);
                answer_to_json_text(session, &answer)
            });
            assert_eq!(answers[0], answers[1], "{line:?} is answered differently");
            check_same_states(&mut sessions, line);
        }
        if sessions[1].target.is_waiting_for_input() {
            return;
        }
        let ranges = sessions.each_ref().map(|s| s.target.timeline.time_range());
        assert_eq!(ranges[0], ranges[1], "the histories differ");
        for permille in &self.visit_permille {
            let time = ranges[0].0 + (ranges[0].1 - ranges[0].0) * permille / 1000;
            for session in &mut sessions {
                let target = &mut session.target;
                target.timeline.seek(&mut target.machine, time);
            }
            check_same_states(&mut sessions, &format!("time {time}"));
        }
    }

    /// Replaying the journal restores the same session.
    fn check_journal(&self, session: &mut Session) {
        // Simulates a crash: the journal is left behind.
        session.journal = None;
        let Some(journal) = StoredJournals::all(&journal_dir()).journals.pop() else {
            return;
        };
        let (file, text) = (journal.file.clone(), journal.file.to_text());
        journal.delete();
        // Which checkpoints of a small history were dropped depends on the time travel above, which
        // the journal does not contain.
        if self.max_history_bytes < 1 << 20 {
            return;
        }
        let mut restored = restore_session(&file, session).expect("the journal should replay");
        let same_state = restored
            .target
            .machine
            .checkpoint()
            .is_same_state(&session.target.machine.checkpoint());
        assert!(
            same_state,
            "the journal restores a different state:\n{text}"
        );
        assert_eq!(
            restored.tour.step, session.tour.step,
            "the journal restores a different tour step"
        );
        assert_eq!(
            restored.target.is_waiting_for_input(),
            session.target.is_waiting_for_input(),
            "the journal loses an input prompt"
        );
        assert_eq!(
            restored.target.debugger.bookmarks, session.target.debugger.bookmarks,
            "the journal loses marks"
        );
        assert_eq!(
            restored.target.debugger.breakpoints, session.target.debugger.breakpoints,
            "the journal loses breakpoints"
        );
    }

    /// Runs one line. An entry that fails must change nothing.
    fn run_line(&self, session: &mut Session, line: &str) {
        let before = session.target.machine.checkpoint();
        let (was_idle, was_waiting) = (
            session.target.machine.is_idle(),
            session.target.is_waiting_for_input(),
        );
        let cursor = session.target.timeline.cursor();
        let reply = handle_line(session, line);
        let is_entry = was_idle && !was_waiting && !line.trim_start().starts_with(':');
        if !reply.ok && is_entry && session.target.machine.is_idle() {
            assert!(
                session.target.machine.checkpoint().is_same_state(&before),
                "{line:?} failed and changed the state"
            );
            assert_eq!(
                session.target.timeline.cursor(),
                cursor,
                "{line:?} failed and changed the position in the history"
            );
        }
        let json = answer_to_json_text(session, &reply);
        assert!(!json.contains('\n'), "a JSON reply is more than one line");
    }

    /// Seeking to the same time twice gives the same state, and leaves the present unchanged.
    fn check_time_travel(&self, session: &mut Session) {
        if session.target.is_waiting_for_input() {
            return;
        }
        let present = session.target.machine.checkpoint();
        let (first, last) = session.target.timeline.time_range();
        let times: Vec<u64> = self
            .visit_permille
            .iter()
            .map(|permille| first + (last - first) * permille / 1000)
            .collect();
        session.with_time(|session| {
            let mut states = Vec::new();
            for time in &times {
                session
                    .target
                    .timeline
                    .seek(&mut session.target.machine, *time);
                assert_eq!(
                    session.target.machine.time(),
                    *time,
                    "seek went to a different time"
                );
                states.push(session.target.machine.checkpoint());
            }
            for (time, state) in times.iter().zip(&states).rev() {
                session
                    .target
                    .timeline
                    .seek(&mut session.target.machine, *time);
                assert!(
                    session.target.machine.checkpoint().is_same_state(state),
                    "a second seek to time {time} gives a different state"
                );
            }
        });
        assert!(
            session.target.machine.checkpoint().is_same_state(&present),
            "time travel changed the present"
        );
    }

    /// A step back goes to the previous stop, which is found here by trying each earlier time.
    fn check_step_back(&self, session: &mut Session) {
        if session.target.is_waiting_for_input() {
            return;
        }
        let (first, last) = session.target.timeline.time_range();
        let times: Vec<u64> = self
            .visit_permille
            .iter()
            .map(|permille| first + (last - first) * permille / 1000)
            .collect();
        session.with_time(|session| {
            for time in times {
                let is_stop = |time: &u64| {
                    session
                        .target
                        .timeline
                        .seek_into(&mut session.target.machine, *time);
                    let stops = session
                        .target
                        .debugger
                        .stop_map(session.target.machine.program(), &[]);
                    session
                        .target
                        .machine
                        .current_location()
                        .is_some_and(|(function, pc)| stops.is_stop(function, pc))
                };
                let mut earlier_times = (first..time).rev().take(STOP_SEARCH_INSTRUCTIONS);
                let Some(expected) = earlier_times.find(is_stop) else {
                    continue;
                };
                session
                    .target
                    .timeline
                    .seek_into(&mut session.target.machine, time);
                session
                    .target
                    .run(|run| run.reverse_step(StepTarget::Into, 1));
                assert_eq!(
                    session.target.machine.time(),
                    expected,
                    "wrong stop after a step back from time {time}"
                );
            }
        });
    }
}

fn check_same_states(sessions: &mut [Session; 2], after: &str) {
    let [a, b] = sessions
        .each_mut()
        .map(|session| session.target.machine.checkpoint());
    assert_eq!(a.first_difference(&b), None, "after {after}");
}

/// Whether the answer to a line may depend on real time: searches have limits in seconds.
fn depends_on_clock(line: &str) -> bool {
    const COMMANDS: [&str; 9] = [
        "find", "solve", "hint", "stats", "moves", "lesson", "rejudge", "predict", "resume",
    ];
    let depends = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '-');
        command::find(word).is_ok_and(|c| COMMANDS.contains(&c.name))
    };
    line.split_whitespace().any(depends)
}

/// Limits with which searches do not take most of the time.
pub fn search_limits() -> SearchLimits {
    SearchLimits {
        time: std::time::Duration::from_millis(200),
        ..SearchLimits::default()
    }
}

/// The folder for journals, different for each process.
pub fn journal_folder() -> PathBuf {
    std::env::temp_dir().join(format!("gridbug-fuzz-{}", std::process::id()))
}

fn journal_dir() -> Rc<dyn JournalStore> {
    Rc::new(JournalDir::new(journal_folder()))
}

/// Undoing everything and redoing it restores the same state.
fn check_undo_redo(session: &mut Session) {
    session.end_input();
    session.target.abandon();
    if !session.target.machine.is_idle() {
        return;
    }
    session.target.redo(usize::MAX);
    let end = session.target.machine.checkpoint();
    let undone = session.target.undo(usize::MAX).len();
    let redone = session.target.redo(usize::MAX).len();
    assert_eq!(
        undone, redone,
        "undo and redo report different numbers of entries"
    );
    assert!(
        session.target.machine.checkpoint().is_same_state(&end),
        "undo and redo change the state"
    );
}

/// A random line for the prompt: an entry, a command, an answer, or a mutation of one.
fn prompt_line(rng: &mut Rng, corpus: &Corpus, corpora: &[Corpus]) -> String {
    let mut line = match rng.below(20) {
        0..=6 => rng.pick(&corpus.entries).clone(),
        7..=9 => rng.pick(&corpus.commands).clone(),
        10..=15 => random_command(rng, corpus),
        16 => rng.pick(&corpus.answers).clone(),
        17 => String::new(),
        18 => [
            "step", "next", "continue", "finish", "rs", "where", "c", "up", "retry",
        ][rng.below(9)]
        .to_string(),
        _ => {
            let other = rng.pick(corpora);
            rng.pick(&other.entries).clone()
        }
    };
    if rng.percent(25) {
        line = mutate(rng, corpus, &line);
    }
    match may_touch_files(&line) {
        true => ":board".into(),
        false => line,
    }
}

/// A random command with a random argument.
fn random_command(rng: &mut Rng, corpus: &Corpus) -> String {
    let commands: Vec<&command::Command> = command::all().collect();
    let command = *rng.pick(&commands);
    let number = rng.below(40).to_string();
    let argument = match rng.below(14) {
        0..=2 => String::new(),
        3 | 4 => number,
        5 => format!("{},{}", rng.below(5), rng.below(5)),
        6 => format!("[{}][{}]", rng.below(5), rng.below(5)),
        7 | 8 => rng.pick(&corpus.tokens).clone(),
        9 => rng.pick(&corpus.entries).clone(),
        10 => format!(
            "{} if {}",
            rng.pick(&corpus.tokens),
            rng.pick(&corpus.entries)
        ),
        11 => [
            "start",
            "end",
            "on",
            "off",
            "event 2",
            "turn 1",
            "truth",
            "m",
            "on click",
            "on rand",
            "on error",
            "on win",
            "error",
            "off error",
        ][rng.below(14)]
        .to_string(),
        12 => format!(
            "{} do {}",
            rng.pick(&corpus.tokens),
            rng.pick(&corpus.commands)
        ),
        _ => command
            .example
            .split_once(' ')
            .map_or("", |(_, rest)| rest)
            .to_string(),
    };
    format!(":{} {argument}", command.name)
}

/// Whether a line may read or write files. Such lines are not run here.
fn may_touch_files(line: &str) -> bool {
    let touches = |word: &str| {
        let word = word.trim_start_matches(':');
        command::find(word)
            .is_ok_and(|c| ["save", "load", "reload", "edit", "test", "record"].contains(&c.name))
    };
    line.split_whitespace().any(touches)
}

/// Whether an item of a session file may read or write files.
pub fn touches_files(item: &SessionItem) -> bool {
    matches!(item, SessionItem::Input(input) if may_touch_files(&input.text))
}
