//! The driver: what a line leads to comes out one answer after the other, in slices if the client
//! wants that.

use gridbug::answer::{Answer, Part, StopReason, Verdict};
use gridbug::command::{handle_line, open_sample, play_opponent, start_session};
use gridbug::debugger::Progress;
use gridbug::driver::{Driver, Event, blank_line};
use gridbug::host::MemoryHost;
use gridbug::languages;
use gridbug::render::AnswerText;
use gridbug::session::{Session, to_plain_text};
use std::rc::Rc;

const LESSON: &str = "# Sums.\nlanguage gridlok\nseed 1\n\n--- session\n\n\
    # Add.\n> 1 + 1\n  = 2\n\n# predict value\n> 2 + 2\n  = 4\n";

/// A function that takes a few million instructions, and one without an end.
const LONG: &str = "board { dimensions {3, 3} image {b.png} }
players {\"p\"}
def n {0}
fun spin(k) { for i(0, k) { n {n + 1} } return n }
fun forever() { for i(0, 1000000000) { n {n + 1} } }
setup { n {0} }";

fn sample() -> Session {
    let host = Rc::new(MemoryHost::new());
    host.set_file("sums.session", LESSON);
    let mut session = Session::with_host(languages::by_name("gridlok").unwrap(), 1, host);
    assert!(open_sample(&mut session).ok);
    session
}

fn long() -> Session {
    let mut session = Session::new(languages::by_name("gridlok").unwrap(), 1);
    let answer = start_session(&mut session, "long.gl", LONG);
    assert!(answer.ok, "{:?}", answer.diagnostics);
    session
}

/// What an answer is, in a few words.
fn kind(answer: &Answer) -> String {
    let parts = || answer.parts.iter().chain(&answer.hints);
    if let Some(played) = answer.opponent_moves().next() {
        return format!("{} plays", played.player);
    }
    if parts().any(|part| matches!(part, Part::Prediction(_))) {
        return "question".into();
    }
    for part in parts() {
        match part {
            Part::PredictionResult(result) => return format!("{:?}", result.verdict),
            Part::Lesson(step) => return format!("step {}", step.number),
            _ => {}
        }
    }
    match (&answer.stop, &answer.value) {
        (Some(stop), _) => format!("{:?}", stop.reason),
        (None, Some(value)) => format!("= {value}"),
        _ if !answer.ok => "error".into(),
        _ => "done".into(),
    }
}

/// All that comes out after these lines were entered, with the number of slices before each answer.
fn drive(session: &mut Session, lines: &[&str], budget: u64) -> Vec<(String, usize)> {
    let mut driver = Driver::new();
    lines.iter().for_each(|line| driver.enter(*line));
    let (mut answers, mut slices) = (Vec::new(), 0);
    while let Some(event) = driver.advance(session, budget) {
        match event {
            Event::Answer(answer) => {
                answers.push((kind(&answer), slices));
                slices = 0;
            }
            Event::Running(_) => slices += 1,
        }
    }
    assert!(!driver.has_next(session));
    answers
}

fn kinds(answers: &[(String, usize)]) -> Vec<&str> {
    answers.iter().map(|(kind, _)| kind.as_str()).collect()
}

/// An opponent, predictions and a lesson in one script: each answer comes in its turn.
#[test]
fn answers_come_one_after_the_other() {
    let script = [
        ":opponent o 1",
        "click{1,1}",
        ":predict on",
        "1 + 1",
        "2",
        ":predict off",
        ":opponent off",
        ":lesson sums.session",
        ":lesson next",
        ":lesson next",
        "5",
        ":lesson off",
    ];
    let expected = [
        "done", "done", "o plays", "done", "question", "Right", "done", "done", "step 1", "step 2",
        "question", "Wrong", "done",
    ];
    for budget in [1, 1000, u64::MAX] {
        let answers = drive(&mut sample(), &script, budget);
        assert_eq!(kinds(&answers), expected, "budget {budget}");
    }
}

/// The driver shows and records what typing the lines one by one does.
#[test]
fn the_driver_does_what_typing_does() {
    let lines = [
        ":opponent o 2",
        "click{0,0}",
        ":break winCondition",
        "click{2,2}",
        "step 2",
        "next",
        "continue",
        ":undo",
        "no such line",
        ":save nowhere/a.session",
    ];
    let mut typed = sample();
    let mut shown = Vec::new();
    for line in lines {
        let mut answer = Some(handle_line(&mut typed, line));
        while let Some(shown_now) = answer {
            shown.push(to_plain_text(&typed, &shown_now));
            answer = play_opponent(&mut typed);
        }
    }
    for budget in [1, 50, u64::MAX] {
        let mut session = sample();
        let mut driver = Driver::new();
        let mut driven = Vec::new();
        for line in lines {
            driver.enter(line);
            while let Some(event) = driver.advance(&mut session, budget) {
                if let Event::Answer(answer) = event {
                    driven.push(to_plain_text(&session, &answer));
                }
            }
        }
        assert_eq!(driven, shown, "budget {budget}");
        assert_eq!(session.transcript.entries, typed.transcript.entries);
    }
}

/// Loading and trying again do more after their runs, so they are not left on the way.
#[test]
fn loading_and_retrying_are_not_left_on_the_way() {
    let lines = [
        ":load long.gl",
        "n",
        "fun divide(k) { n {1} return 6 / k }",
        "spin {100}",
        "n {5} divide {0}",
        "k {2}",
        "retry",
        "n",
        ":lesson sums.session",
    ];
    let session = || {
        let mut session = sample();
        session.target.debugger.stops_on_program_errors = true;
        let text = LONG.replace("setup { n {0} }", "setup { for i(0, 500) { n {n + 1} } }");
        session.files.write("long.gl", &text).unwrap();
        session
    };
    let mut typed = session();
    let answers = lines.map(|line| {
        let answer = handle_line(&mut typed, line);
        to_plain_text(&typed, &answer)
    });
    assert_eq!(answers[1], ["= 500"]);
    for budget in [1, 100] {
        let (mut session, mut driver) = (session(), Driver::new());
        for (line, expected) in lines.iter().zip(&answers) {
            driver.enter(*line);
            let answer = loop {
                match driver.advance(&mut session, budget).expect("an answer") {
                    Event::Answer(answer) => break answer,
                    Event::Running(_) => {}
                }
            };
            assert_eq!(&to_plain_text(&session, &answer), expected, "{line}");
            assert!(!session.target.is_running(), "{line}");
        }
    }
}

#[test]
fn a_long_run_shows_its_progress_between_slices() {
    let mut session = long();
    let mut driver = Driver::new();
    driver.enter("spin {100000}");
    driver.enter("1 + 1");
    let mut last = Progress {
        instructions: 0,
        time: session.target.machine.time(),
    };
    let mut slices = 0;
    let answer = loop {
        match driver.advance(&mut session, 10_000).expect("an answer") {
            Event::Running(progress) => {
                assert!(progress.time > last.time && progress.instructions > last.instructions);
                (last, slices) = (progress, slices + 1);
            }
            Event::Answer(answer) => break answer,
        }
    };
    assert!(slices > 10, "{slices}");
    assert_eq!(answer.value.as_deref(), Some("100000"));
    // The line that was entered meanwhile comes next.
    let answer = driver.next(&mut session).expect("the second line");
    assert_eq!(answer.value.as_deref(), Some("2"));
    assert!(driver.next(&mut session).is_none());
    // Each line is recorded once.
    let typed: Vec<&str> = session
        .transcript
        .entries
        .iter()
        .map(|entry| entry.input.as_str())
        .collect();
    assert_eq!(typed, ["spin {100000}", "1 + 1"]);
}

#[test]
fn a_long_run_can_be_interrupted_between_slices_and_continued() {
    let mut session = long();
    let mut driver = Driver::new();
    driver.enter("forever {}");
    for _ in 0..3 {
        let event = driver.advance(&mut session, 1000);
        assert!(matches!(event, Some(Event::Running(_))));
    }
    driver.interrupt(&session);
    let event = driver.advance(&mut session, u64::MAX);
    let Some(Event::Answer(answer)) = event else {
        panic!("it has not stopped");
    };
    let stop = answer.stop.expect("a stop");
    assert_eq!(stop.reason, StopReason::Interrupt);
    // A replay stops at the same instruction.
    let recorded = session.transcript.entries.last().unwrap().interrupted_after;
    assert!(recorded.is_some_and(|instructions| instructions >= 3000));
    let answer = driver.answer(&mut session, "abandon");
    assert!(answer.ok && !session.target.is_stopped());
    // An interrupt when nothing runs does not stop the next line.
    driver.interrupt(&session);
    let answer = driver.answer(&mut session, "spin {10}");
    assert_eq!(answer.value.as_deref(), Some("10"));
}

/// The commands of a breakpoint run to their end, too, and answers to a program's question.
#[test]
fn commands_of_breakpoints_and_questions_run_in_slices() {
    let lines = [":break spin do continue", "spin {2000}", "n"];
    for budget in [1, 100, u64::MAX] {
        let answers = drive(&mut long(), &lines, budget);
        assert_eq!(
            kinds(&answers)[1..],
            ["= 2000", "= 2000"],
            "budget {budget}"
        );
    }
    let mut session = Session::new(languages::by_name("bogl").unwrap(), 1);
    let program = "game Ask\ntype Input = Int\nf : Int -> Int\nf(n) = let x = input in x + n";
    let answer = start_session(&mut session, "ask.bgl", program);
    assert!(answer.ok, "{}", answer.text());
    let answers = drive(&mut session, &["f(1)", "x", "41"], 1);
    assert_eq!(kinds(&answers).last(), Some(&"= 42"));
}

/// A prediction about a run that is left on its way is judged at its end.
#[test]
fn a_prediction_about_a_long_run_is_judged_at_its_end() {
    let mut session = long();
    let answers = drive(&mut session, &[":predict value", "spin {500}", "500"], 100);
    assert_eq!(kinds(&answers), ["done", "question", "Right"]);
    assert!(answers[2].1 > 1, "it ran in slices: {answers:?}");
    assert_eq!(session.predictions.results.len(), 1);
    assert_eq!(session.predictions.results[0].verdict, Verdict::Right);
}

#[test]
fn enter_alone_means_what_comes_next() {
    let mut session = sample();
    assert_eq!(blank_line(&session), None);
    handle_line(&mut session, ":predict on");
    handle_line(&mut session, "1 + 1");
    assert_eq!(blank_line(&session).as_deref(), Some(""));
    handle_line(&mut session, "");
    handle_line(&mut session, ":predict off");
    handle_line(&mut session, ":break winCondition");
    handle_line(&mut session, "click{0,0}");
    assert_eq!(blank_line(&session).as_deref(), Some(""));
    handle_line(&mut session, "continue");
    handle_line(&mut session, ":lesson sums.session");
    assert_eq!(blank_line(&session).as_deref(), Some(":lesson next"));
}
