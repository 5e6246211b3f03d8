//! Runs that are advanced in slices of instructions: the same answers, times and states as in one
//! go; and they can be interrupted and abandoned on the way.

use gridbug::analysis::inspect;
use gridbug::analysis::why;
use gridbug::answer::{Answer, Part, ProgressListener, StopReason};
use gridbug::command::{handle_line, start_session};
use gridbug::debugger::{Progress, Run, SuspendedRun};
use gridbug::driver::{Driver, Event};
use gridbug::language::Viewport;
use gridbug::languages;
use gridbug::render::AnswerText;
use gridbug::session::session_file::{ProgramRef, SessionFile, SessionItem, with_solutions};
use gridbug::session::{Session, to_plain_text};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Slices of one instruction hit every possible boundary.
const SLICES: [u64; 3] = [1, 7, 1000];

/// What the user sees after each line, and the state of the game then.
#[derive(PartialEq, Debug)]
struct Observed {
    line: String,
    text: Vec<String>,
    time: u64,
    stop: Option<String>,
    state: String,
}

fn observe(session: &Session, line: &str, answer: &Answer) -> Observed {
    let view = session.target.view(Viewport::ALL);
    let values = session.target.named_values();
    let variables: Vec<String> = values
        .variables
        .iter()
        .map(|(name, value)| format!("{name}={}", session.target.format_value(*value)))
        .collect();
    Observed {
        line: line.to_string(),
        text: to_plain_text(session, answer),
        time: session.target.machine.time(),
        stop: answer.stop.as_ref().map(|stop| format!("{stop:?}")),
        state: format!(
            "{:?} {:?} {variables:?} {:?}",
            view.status,
            view.board,
            session.target.machine.frames()
        ),
    }
}

/// Executes a line through the driver, in slices.
fn drive(session: &mut Session, line: &str, slice: u64) -> Answer {
    let mut driver = Driver::new();
    driver.enter(line);
    loop {
        match driver.advance(session, slice).expect("an answer") {
            Event::Answer(answer) => return *answer,
            Event::Running(progress) => assert_eq!(progress.time, session.target.machine.time()),
        }
    }
}

/// Plays a session file in slices.
fn play_file(path: &Path, slice: u64) -> Vec<Observed> {
    let file = SessionFile::parse(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut session = Session::new(languages::by_name(&file.language).unwrap(), file.seed);
    session.target.slice_instructions = slice;
    session.files.is_replay = true;
    let mut observed = Vec::new();
    let (name, text) = match &file.program {
        ProgramRef::None => (String::new(), None),
        ProgramRef::External(name) => {
            let text = std::fs::read_to_string(path.parent().unwrap().join(name)).unwrap();
            (name.clone(), Some(text))
        }
        ProgramRef::Inline { name, text } => (name.clone(), Some(text.clone())),
    };
    if let Some(text) = text {
        let answer = start_session(&mut session, &name, &text);
        observed.push(observe(&session, "(load)", &answer));
    }
    for item in with_solutions(&file.items) {
        let SessionItem::Input(input) = item else {
            continue;
        };
        session.files.set_recorded(&input.files_read);
        let answer = drive(&mut session, &input.text, slice);
        observed.push(observe(&session, &input.text, &answer));
    }
    observed
}

fn session_files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("sessions");
    let mut files = Vec::new();
    for language in std::fs::read_dir(root).unwrap() {
        for file in std::fs::read_dir(language.unwrap().path()).unwrap() {
            files.push(file.unwrap().path());
        }
    }
    files.retain(|path| path.extension().is_some_and(|e| e == "session"));
    files.sort();
    files
}

#[test]
fn recorded_sessions_give_the_same_answers_in_slices() {
    let files = session_files();
    assert!(files.len() > 20);
    for path in files {
        let whole = play_file(&path, u64::MAX);
        for slice in SLICES {
            let sliced = play_file(&path, slice);
            assert_eq!(whole.len(), sliced.len());
            for (whole, sliced) in whole.iter().zip(&sliced) {
                assert_eq!(whole, sliced, "{} in slices of {slice}", path.display());
            }
        }
    }
}

/// Lines that stop, step and trace in the sample game of each language.
fn sample_lines(language: &str) -> &'static [&'static str] {
    match language {
        "gridlok" => &[
            ":trace on",
            ":break on place",
            "click{0,0}",
            "step",
            "next",
            "finish",
            "continue",
            "reverse-step",
            "continue",
            "click{1,1}",
            "step expr",
            "step sub",
            "continue",
        ],
        "bogl" => &[
            ":break outcome",
            "outcome(board, X)",
            "step",
            "next",
            "finish",
            "continue",
        ],
        "gridlang" => &[":trace on", ":turn", "next turn", ":turn", "continue"],
        _ => &[
            ":trace on",
            "right",
            "step right",
            "step",
            "next",
            "continue",
            "down",
            "left",
        ],
    }
}

#[test]
fn sample_games_give_the_same_answers_in_slices() {
    for language in ["gridlok", "bogl", "gridlang", "tinygame", "sgl2d"] {
        let play = |slice: u64| -> Vec<Observed> {
            let language_of = languages::by_name(language).unwrap();
            let mut session = Session::new(language_of, 1);
            session.target.slice_instructions = slice;
            let answer = start_session(&mut session, "sample", language_of.info().sample);
            let mut observed = vec![observe(&session, "(load)", &answer)];
            for line in sample_lines(language) {
                let answer = drive(&mut session, line, slice);
                observed.push(observe(&session, line, &answer));
            }
            observed
        };
        let whole = play(u64::MAX);
        for slice in SLICES {
            assert_eq!(whole, play(slice), "{language} in slices of {slice}");
        }
    }
}

const ENDLESS: &str = "board { dimensions {3, 3} image {b.png} }
players {\"p\"}
def n {0}
fun spin() { for i(0, 1000000) { n {n + 1} } }
setup { n {0} }";

/// A session in which a long call has just been started but has not run.
fn long_run() -> Session {
    let mut session = Session::new(languages::by_name("gridlok").unwrap(), 1);
    let answer = session.load("spin.gl", ENDLESS);
    assert!(answer.ok, "{:?}", answer.diagnostics);
    handle_line(&mut session, ":break spin");
    let answer = handle_line(&mut session, "spin {}");
    assert!(answer.stop.is_some(), "{}", answer.text());
    session
}

/// Continues for two slices.
fn suspend(session: &mut Session) -> SuspendedRun {
    let mut run = Run::at_stop(&mut session.target);
    run.begin(None);
    assert!(!run.advance(500));
    assert!(!run.advance(500));
    run.suspend().expect("it has not ended")
}

#[test]
fn progress_is_readable_between_slices() {
    let mut session = long_run();
    let start = session.target.machine.time();
    let suspended = suspend(&mut session);
    let expected = Progress {
        instructions: 1000,
        time: start + 1000,
    };
    assert_eq!(suspended.progress(&session.target), expected);
    let mut run = Run::restore(&mut session.target, suspended);
    assert_eq!(run.progress(), Some(expected));
    assert!(!run.advance(1));
    assert_eq!(run.progress().map(|p| p.instructions), Some(1001));
}

#[test]
fn a_suspended_run_can_be_interrupted() {
    let mut session = long_run();
    let suspended = suspend(&mut session);
    let mut run = Run::restore(&mut session.target, suspended);
    run.interrupt();
    while !run.advance(1000) {}
    assert_eq!(run.stop_reason(), Some(StopReason::Interrupt));
    assert_eq!(run.progress(), None);
    let answer = run.finish();
    let stop = answer.stop.expect("it has stopped");
    assert_eq!(stop.reason, StopReason::Interrupt);
    assert!(session.target.is_stopped());
    // It goes on to its end from there.
    let answer = handle_line(&mut session, "continue");
    assert!(answer.ok && answer.stop.is_none(), "{}", answer.text());
    assert_eq!(
        handle_line(&mut session, "n").value.as_deref(),
        Some("1000000")
    );
}

#[test]
fn a_suspended_run_can_be_abandoned() {
    let mut session = long_run();
    drop(suspend(&mut session));
    assert_eq!(session.target.abandon().as_deref(), Some("spin {}"));
    assert!(session.target.machine.is_idle());
    assert_eq!(handle_line(&mut session, "n").value.as_deref(), Some("0"));
}

/// Collects what it is shown; gives up after a number of lines.
struct Collector {
    shown: Rc<RefCell<Vec<String>>>,
    max_lines: usize,
}

impl ProgressListener for Collector {
    fn show(&mut self, answer: &Answer) -> bool {
        let mut shown = self.shown.borrow_mut();
        shown.extend(answer.output.iter().cloned());
        shown.extend(answer.parts.iter().map(|part| match part {
            Part::Log { text, .. } => format!("log {text}"),
            other => panic!("{other:?} is not shown on the way"),
        }));
        shown.len() < self.max_lines
    }
}

/// A GridLok session and the lines that its listener is shown.
fn listening(max_lines: usize) -> (Session, Rc<RefCell<Vec<String>>>) {
    let mut session = Session::new(languages::by_name("gridlok").unwrap(), 1);
    let shown = Rc::new(RefCell::new(Vec::new()));
    session.target.progress_listener = Some(Box::new(Collector {
        shown: shown.clone(),
        max_lines,
    }));
    (session, shown)
}

#[test]
fn a_listener_is_shown_every_line_once_and_in_order() {
    let entry = "for i(0, 50000) { print{i} }";
    let (mut session, shown) = listening(usize::MAX);
    let answer = handle_line(&mut session, entry);
    let lines: Vec<String> = (0..50_000).map(|n| n.to_string()).collect();
    assert_eq!(*shown.borrow(), lines);
    assert!(answer.output.is_empty(), "nothing is left to be shown");
    // The transcript is the same as without a listener, where the answer has the output.
    let mut silent = Session::new(languages::by_name("gridlok").unwrap(), 1);
    let whole = handle_line(&mut silent, entry);
    let kept = whole.output.len();
    assert!((1000..50_000).contains(&kept), "{kept}");
    assert_eq!(whole.output, lines[..kept]);
    assert_eq!(kept + whole.reported.omitted, 50_000);
    let transcript = to_plain_text(&silent, &whole);
    assert_eq!(transcript, to_plain_text(&session, &answer));
    assert_eq!(transcript.last().unwrap(), "… and 49600 more lines");
}

#[test]
fn a_short_run_has_its_output_in_the_answer() {
    let (mut session, shown) = listening(usize::MAX);
    let answer = handle_line(&mut session, "for i(0, 3) { print{i} }");
    assert_eq!(answer.output, ["0", "1", "2"]);
    assert!(shown.borrow().is_empty());
}

#[test]
fn a_long_run_shows_its_first_line_before_it_ends() {
    let (mut session, shown) = listening(1);
    let answer = handle_line(&mut session, "print{\"first\"} for i(0, 2) { i{0} }");
    assert_eq!(*shown.borrow(), ["first"]);
    // The listener gave up, which interrupts the run.
    assert_eq!(answer.stop.unwrap().reason, StopReason::Interrupt);
}

#[test]
fn messages_of_logpoints_are_shown_during_the_run() {
    let (mut session, shown) = listening(100_000);
    handle_line(&mut session, "fun f(n) { return n }");
    handle_line(&mut session, ":log f \"n is {n}\"");
    let answer = handle_line(&mut session, "for i(0, 2) { f{i} i{0} }");
    assert_eq!(answer.stop.unwrap().reason, StopReason::Interrupt);
    assert_eq!(shown.borrow()[..2], ["log n is 0", "log n is 1"]);
    assert!(answer.parts.iter().all(|p| !matches!(p, Part::Log { .. })));
    let kept = answer.reported.parts.len();
    assert_eq!(kept + answer.reported.omitted, shown.borrow().len());
    assert!(kept < 50_000, "{kept}");
}

#[test]
fn the_log_of_output_is_part_of_the_history_budget() {
    let mut session = Session::new(languages::by_name("gridlok").unwrap(), 1);
    session.target.machine.limits.max_history_bytes = 1 << 20;
    handle_line(&mut session, "for i(1, 100001) { print{i} rand{0, 9} }");
    let first = why::printed_outputs(&session.target)[0].number;
    assert!((90_000..100_000).contains(&first), "{first}");
    let text = |session: &mut Session, line: &str| handle_line(session, line).text();
    assert_eq!(
        text(&mut session, ":why output 1"),
        format!("error: unknown output 1: the history has outputs {first} to 100000")
    );
    assert!(text(&mut session, ":why output 100000").contains("100000"));
    let listed = text(&mut session, ":why output");
    assert!(listed.contains("`:why output 100000` explains"), "{listed}");
    assert_eq!(
        inspect::draws(&session.target).draws.last().unwrap().number,
        100_000
    );
    // Undoing and redoing what was forgotten keeps the numbers.
    handle_line(&mut session, "print{\"after\"}");
    handle_line(&mut session, ":undo 2");
    assert!(why::printed_outputs(&session.target).is_empty());
    handle_line(&mut session, ":redo 2");
    assert_eq!(
        why::printed_outputs(&session.target).last().unwrap().number,
        100_001
    );
    // So does another history.
    handle_line(&mut session, ":undo 2");
    handle_line(&mut session, "def k {1} print{\"other\"}");
    assert_eq!(why::printed_outputs(&session.target)[0].number, 1);
}
