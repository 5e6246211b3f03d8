//! A lesson that is killed after any line is restored with its step and its score.
//!
//! Every lesson of the course is played with random answers, commands and mistakes. After each line, the
//! journal is restored as if the process had been killed there, and compared.

use gridbug::command::{handle_line, list_lessons, open_sample, restore_session};
use gridbug::driver::{Driver, blank_line};
use gridbug::host::{JournalFile, JournalStore, MemoryHost};
use gridbug::languages;
use gridbug::render::AnswerText;
use gridbug::session::session_file::parse_intact_prefix;
use gridbug::session::{Journal, Session, stop_on_errors};
use std::cell::RefCell;
use std::io;
use std::rc::Rc;
use std::time::Duration;

/// A single journal in memory.
#[derive(Clone, Default)]
struct MemoryJournal {
    bytes: Rc<RefCell<Vec<u8>>>,
}

impl JournalStore for MemoryJournal {
    fn location(&self) -> String {
        "memory".into()
    }

    fn create(&self) -> io::Result<Box<dyn JournalFile>> {
        Ok(Box::new(self.clone()))
    }

    fn lock_unused(&self) -> Vec<Box<dyn JournalFile>> {
        Vec::new()
    }
}

impl JournalFile for MemoryJournal {
    fn age(&self) -> Duration {
        Duration::ZERO
    }

    fn read(&mut self) -> io::Result<Vec<u8>> {
        Ok(self.bytes.borrow().clone())
    }

    fn append(&mut self, text: &str) -> io::Result<()> {
        self.bytes.borrow_mut().extend_from_slice(text.as_bytes());
        Ok(())
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.bytes.borrow_mut().truncate(length as usize);
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn delete(self: Box<Self>) {}

    fn set_aside(self: Box<Self>, _: &str) -> io::Result<String> {
        Ok(String::new())
    }
}

/// A deterministic sequence of random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit
    }

    fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.below(items.len())]
    }
}

/// What searches find is not of interest here.
const MAX_POSITIONS: usize = 300;

/// A line that a student could type now.
fn next_line(session: &Session, random: &mut Random, lines_at_step: usize) -> String {
    if let Some(prediction) = &session.predictions.pending {
        let choices = &prediction.question.choices;
        return match random.below(10) {
            0 => random.pick(&["", "skip", "nonsense"]).to_string(),
            1 => random
                .pick(&[":board", ":predict", ":predict line", ":note hm"])
                .to_string(),
            2 => random
                .pick(&[":abandon", ":predict off", ":lesson 2"])
                .to_string(),
            _ if choices.is_empty() => random.pick(&["1", "2", "true", "\"a b\""]).to_string(),
            _ => choices[random.below(choices.len())].answer.clone(),
        };
    }
    if session.target.is_waiting_for_input() {
        return blank_line(session).unwrap_or_default();
    }
    let lesson = session.lesson.as_ref().expect("a lesson");
    let is_exercise = lesson.next_exercise().is_some();
    match random.below(12) {
        0 => random
            .pick(&["1 + 1", "1 +", ":vars", ":moves", "nothing"])
            .to_string(),
        1 => random
            .pick(&[":predict on", ":predict winner", ":undo", ":where"])
            .to_string(),
        2 if lines_at_step < 4 => random
            .pick(&[":lesson back", ":lesson 2", ":lesson"])
            .to_string(),
        n if is_exercise && (n > 9 || lines_at_step > 6) => ":lesson solution".into(),
        n if is_exercise && n > 5 => random.pick(&[":lesson hint", ":lesson check"]).to_string(),
        _ if is_exercise && lines_at_step < 2 => lesson
            .next_exercise()
            .map(|e| e.solution.clone())
            .unwrap_or_default(),
        _ => ":lesson next".into(),
    }
}

/// What a student would miss if it was lost.
fn state(session: &mut Session) -> String {
    let lesson = session.lesson.as_ref().map(|lesson| {
        let own = session.transcript.entries.len() - lesson.transcript_length;
        (lesson.next_number(), own, lesson.exercises.clone())
    });
    let predictions = &session.predictions;
    let pending = predictions.pending.as_ref().map(|p| (&p.line, &p.question));
    let typed = session.transcript.entries.iter().map(|e| &e.input);
    let typed: Vec<&String> = typed.collect();
    format!(
        "lesson {lesson:?}\npending {pending:?}\nresults {:?}\nrequest {:?} {}\ntyped {typed:?}\n{} time {}",
        predictions.results,
        predictions.request,
        predictions.is_on,
        session.prompt(),
        session.target.machine.time(),
    )
}

fn restored(journal: &MemoryJournal) -> Session {
    let mut parent = Session::new(languages::ALL[0], 1);
    parent.explorer.limits.positions = MAX_POSITIONS;
    restored_from(journal, &parent)
}

fn restored_from(journal: &MemoryJournal, parent: &Session) -> Session {
    let read = parse_intact_prefix(&journal.bytes.borrow());
    assert!(!read.is_damaged);
    let file = read.intact.expect("an intact journal").file;
    restore_session(&file, parent).expect("restored")
}

/// Plays a lesson; returns how often it was killed.
fn play_and_kill(language: &str, number: usize, seed: u64, interval: usize) -> usize {
    let host = Rc::new(MemoryHost::new());
    let mut session = Session::with_host(languages::ALL[0], 1, host);
    let journal = MemoryJournal::default();
    session.explorer.limits.positions = MAX_POSITIONS;
    session.journal = Some(Journal::new(Rc::new(journal.clone()), &session));
    let mut random = Random(seed);
    let mut driver = Driver::new();
    driver.answer(&mut session, &format!(":lesson {language} {number}"));
    let (mut typed, mut step, mut lines_at_step) = (Vec::new(), 0, 0);
    let mut kills = 0;
    for _ in 0..100 {
        let lesson = session.lesson.as_ref().expect("a lesson");
        if lesson.next_step().is_none() {
            break;
        }
        lines_at_step = if lesson.next_number() == step {
            lines_at_step + 1
        } else {
            0
        };
        step = lesson.next_number();
        let line = next_line(&session, &mut random, lines_at_step);
        driver.answer(&mut session, &line);
        typed.push(line);
        if !(typed.len() + number).is_multiple_of(interval) {
            continue;
        }
        kills += 1;
        let mut restored = restored(&journal);
        let context = format!("{language} {number}, seed {seed}, after {typed:#?}");
        assert_eq!(state(&mut restored), state(&mut session), "{context}");
        let checkpoint = restored.target.machine.checkpoint();
        let is_same = checkpoint.is_same_game(&session.target.machine.checkpoint());
        assert!(is_same, "{context}");
    }
    let saved = handle_line(&mut session, ":save lesson.session");
    if saved.ok {
        let tested = handle_line(&mut session, ":test lesson.session");
        assert!(
            tested.ok,
            "{language} {number}, seed {seed}, {typed:#?}\n{}",
            tested.text()
        );
    }
    kills
}

/// `LESSON_KILLS=20` plays every lesson 20 times and kills it after every line, instead of every fifth.
#[test]
fn a_lesson_killed_after_any_line_is_restored() {
    let rounds = std::env::var("LESSON_KILLS")
        .ok()
        .and_then(|n| n.parse().ok());
    let mut kills = 0;
    for (n, lesson) in list_lessons(None).lessons.into_iter().enumerate() {
        for round in 0..rounds.unwrap_or(1) {
            let seed = (1000 * round + n) as u64;
            let interval = if rounds.is_some() { 1 } else { 5 };
            kills += play_and_kill(lesson.language, lesson.number, seed, interval);
        }
    }
    println!("{kills} kills");
}

/// A session with a journal. Endless loops end soon, in an error that stops the program.
fn journaled_session(journal: &MemoryJournal) -> Session {
    let mut session = Session::new(languages::by_name("gridlok").unwrap(), 1);
    session.target.machine.limits.max_instructions = 20_000;
    session.explorer.limits.positions = MAX_POSITIONS;
    stop_on_errors(&mut session, true);
    open_sample(&mut session);
    session.journal = Some(Journal::new(Rc::new(journal.clone()), &session));
    session
}

/// What changed nothing is not run again, and nothing else notices.
#[test]
fn a_restored_session_leaves_out_what_changed_nothing() {
    let lines = [
        "click{1,1}",
        "def people {0}",
        "fun share(n) { return n / people }",
        "share{12}",
        "for i(0, 2) { i{0} }",
        "step",
        "where",
        ":vars",
        "turn + 1",
        ":abandon",
        ":break winCondition",
        ":delete",
        "click{0,0}",
        "click{2,2}",
        "continue",
        ":moves",
        "nonsense +",
        ":undo",
        ":redo",
        ":why board[1][1]",
        "people {4}",
        "retry",
        ":back",
    ];
    let mut random = Random(7);
    let mut marks = 0;
    for _ in 0..12 {
        let journal = MemoryJournal::default();
        let mut session = journaled_session(&journal);
        let mut typed = Vec::new();
        for _ in 0..30 {
            let line = random.pick(&lines);
            handle_line(&mut session, line);
            typed.push(line);
        }
        let mut restored = restored_from(&journal, &session);
        assert_eq!(state(&mut restored), state(&mut session), "{typed:#?}");
        marks += String::from_utf8_lossy(&journal.bytes.borrow())
            .matches("\n^0 ")
            .count();
        for line in [
            ":breaks",
            ":branches",
            ":history 50",
            "turn",
            ":redo",
            ":state",
        ] {
            let texts = [&mut restored, &mut session].map(|s| handle_line(s, line).text());
            assert_eq!(texts[0], texts[1], "{line} after {typed:#?}");
        }
    }
    assert!(marks > 50, "only {marks} lines changed nothing");
}

/// What an abandoned loop or a search did is not done again.
#[test]
fn an_abandoned_loop_is_not_run_again() {
    let journal = MemoryJournal::default();
    let mut session = journaled_session(&journal);
    let lines = [
        "click{1,1}",
        "for i(0, 2) { i{0} }",
        "step",
        ":abandon",
        ":moves",
        "1 +",
        "turn",
    ];
    for line in lines {
        handle_line(&mut session, line);
    }
    let restored = restored_from(&journal, &session);
    let entries = &restored.transcript.entries;
    let inputs: Vec<&str> = entries.iter().map(|e| e.input.as_str()).collect();
    assert_eq!(inputs, lines);
    let left_out = |n: usize| entries[n].position_before == entries[n].position_after;
    assert!((1..6).all(left_out), "{entries:#?}");
    let numbers: Vec<Option<u32>> = entries.iter().map(|e| e.number).collect();
    let live: Vec<Option<u32>> = session
        .transcript
        .entries
        .iter()
        .map(|e| e.number)
        .collect();
    assert_eq!(numbers, live);
    // Its reply is known.
    assert_eq!(
        entries[4].reply_lines,
        session.transcript.entries[4].reply_lines
    );
    assert!(!entries[4].reply_lines.is_empty());
}
