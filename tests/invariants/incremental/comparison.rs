//! Two sessions with the same program and entries: one reuses units, the other does not.

use super::rng::Rng;
use gridbug::code::incremental::Unit;
use gridbug::command::handle_line;
use gridbug::language::Language;
use gridbug::languages;
use gridbug::protocol::answer_to_json_text;
use gridbug::session::Session;

/// A session that reuses units on boards of any size, and one that never does.
pub struct Pair {
    pub incremental: Session,
    pub plain: Session,
}

fn start(language: &'static dyn Language, text: &str, min_cells: Option<u32>) -> Session {
    let mut session = Session::new(language, 7);
    session.target.machine.set_incremental(min_cells);
    session.target.machine.limits.max_instructions = 3_000_000;
    session.load("game", text);
    session
}

impl Pair {
    /// Loads a GridLok game.
    pub fn start(text: &str) -> Pair {
        let pair = Pair::start_in(languages::ALL[0], text);
        let rows = pair.plain.target.machine.store.rows;
        assert!(rows > 0, "the game should load:\n{text}");
        pair
    }

    /// Loads a program; if that fails, the sessions have none.
    pub fn start_in(language: &'static dyn Language, text: &str) -> Pair {
        Pair {
            incremental: start(language, text, Some(0)),
            plain: start(language, text, None),
        }
    }

    /// Changes what the analysis finds about each unit.
    pub fn alter_units(&mut self, alteration: fn(&mut Unit)) {
        self.incremental.target.machine.alter_units(alteration);
    }

    pub fn reused(&self) -> u64 {
        self.incremental.target.machine.incremental_counts().reused
    }

    /// Runs each line in both sessions; the error says what differs.
    pub fn play<T: AsRef<str>>(&mut self, lines: &[T]) -> Result<(), String> {
        lines.iter().try_for_each(|line| self.enter(line.as_ref()))
    }

    /// Runs a line in both sessions and compares the answers and the states.
    pub fn enter(&mut self, line: &str) -> Result<(), String> {
        let mut answers = [&mut self.incremental, &mut self.plain].map(|session| {
            let answer = handle_line(session, line);
            answer_to_json_text(session, &answer)
        });
        if answers[0] != answers[1] {
            answers
                .iter_mut()
                .for_each(|a| *a = around_difference(a, line));
            return Err(format!(
                "`{line}` is answered differently:\n{}\n{}",
                answers[0], answers[1]
            ));
        }
        self.compare_states()
            .map_err(|e| format!("after `{line}`, {e}"))
    }

    fn compare_states(&mut self) -> Result<(), String> {
        let [a, b] = [&mut self.incremental, &mut self.plain]
            .map(|session| session.target.machine.checkpoint());
        match a.first_difference(&b) {
            Some(component) => Err(format!(
                "{component} differs, at times {} and {}",
                a.time, b.time
            )),
            None => Ok(()),
        }
    }

    pub fn time_range(&self) -> (u64, u64) {
        self.plain.target.timeline.time_range()
    }

    /// Goes to a time in both sessions and compares the states.
    pub fn visit(&mut self, time: u64) -> Result<(), String> {
        for session in [&mut self.incremental, &mut self.plain] {
            let target = &mut session.target;
            target.timeline.seek(&mut target.machine, time);
        }
        self.compare_states().map_err(|e| format!("at {time}, {e}"))
    }

    /// Goes to random times, back and forth.
    pub fn visit_times(&mut self, rng: &mut Rng, count: usize) -> Result<(), String> {
        let [a, b] = [&self.incremental, &self.plain].map(|s| s.target.timeline.time_range());
        if a != b {
            return Err(format!("the histories differ: {a:?} and {b:?}"));
        }
        (0..count).try_for_each(|_| {
            let time = a.0 + rng.below((a.1 - a.0 + 1) as usize) as u64;
            self.visit(time)
        })
    }
}

/// A long answer, shortened for the message of a failed test.
fn around_difference(answer: &str, line: &str) -> String {
    let limit = 4000 + line.len();
    answer.chars().take(limit).collect()
}
