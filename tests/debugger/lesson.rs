//! `:lesson`: a session file played step by step, with anything typed in between.

use gridbug::answer::Part;
use gridbug::command::handle_line;
use gridbug::host::MemoryHost;
use gridbug::languages;
use gridbug::render::AnswerText;
use gridbug::session::{Answer, Session, to_plain_text};
use std::rc::Rc;

const LAMPS: &str = "# Two lamps.\nlanguage gridlok\nseed 1\n\n\
    --- program lamps.gl\nboard { dimensions {1, 2} image {b.png} }\ndef clicks {0}\n\
    piece { name {\"off\"} image {o.png} onClick { clicks {clicks + 1} changeType {\"on\"} } }\n\
    piece { name {\"on\"} image {l.png} onClick { clicks {clicks + 1} changeType {\"off\"} } }\n\
    setup { for r, c in board { place {\"off\", r, c} } }\n--- session\n\n\
    # Switch the first lamp on.\n> click{0,0}\n\n\
    # How many clicks?\n# Think first.\n> clicks\n\n> :break on.onClick\n\n# It stops.\n> click{0,0}\n\n\
    > continue\n\n# That is all.\n";

fn open() -> (Session, Answer) {
    let host = Rc::new(MemoryHost::new());
    host.set_file("lamps.session", LAMPS);
    let mut session = Session::with_host(languages::by_name("bogl").unwrap(), 1, host);
    let answer = handle_line(&mut session, ":lesson lamps.session");
    assert!(answer.ok, "{}", answer.text());
    (session, answer)
}

/// The number, remarks and input of the step that an answer announces.
fn step(answer: &Answer) -> (usize, String, Option<String>) {
    let steps = answer.hints.iter().chain(&answer.parts);
    let mut steps = steps.filter_map(|part| match part {
        Part::Lesson(p) => Some((p.number, p.remarks.join(" "), p.next.clone())),
        _ => None,
    });
    let found = steps.next().expect("a step");
    assert_eq!(steps.next(), None, "the step is announced once");
    found
}

fn value(session: &mut Session, expression: &str) -> Option<String> {
    handle_line(session, expression).value
}

fn next(session: &mut Session) -> Answer {
    let answer = handle_line(session, ":lesson next");
    assert!(answer.ok, "{}", answer.text());
    answer
}

#[test]
fn a_lesson_opens_at_its_start_in_its_own_language() {
    let (session, answer) = open();
    assert_eq!(session.target.language().info().name, "gridlok");
    assert_eq!(
        step(&answer),
        (
            1,
            "Two lamps. Switch the first lamp on.".into(),
            Some("click{0,0}".into())
        )
    );
    assert!(session.transcript.entries.iter().all(|e| e.is_internal));
}

#[test]
fn next_runs_the_steps_one_by_one() {
    let (mut session, _) = open();
    let answer = next(&mut session);
    assert_eq!(
        step(&answer),
        (
            2,
            "How many clicks? Think first.".into(),
            Some("clicks".into())
        )
    );
    let answer = next(&mut session);
    assert_eq!(answer.value.as_deref(), Some("1"));
    next(&mut session);
    let answer = next(&mut session);
    assert!(answer.stop.is_some());
    assert_eq!(step(&answer), (5, String::new(), Some("continue".into())));
    let answer = next(&mut session);
    assert_eq!(step(&answer), (6, "That is all.".into(), None));
    assert!(!session.target.is_stopped());
    // At the end, `next` says so and runs nothing.
    assert_eq!(step(&next(&mut session)).2, None);
    assert_eq!(value(&mut session, "clicks").as_deref(), Some("2"));
}

#[test]
fn what_a_student_types_in_between_does_not_change_the_lesson() {
    let (mut session, _) = open();
    next(&mut session);
    for own in [
        "click{0,1}",
        "clicks{50}",
        ":break winCondition",
        "def other {1}",
        "no such thing",
    ] {
        handle_line(&mut session, own);
    }
    assert_eq!(value(&mut session, "clicks").as_deref(), Some("50"));
    let answer = next(&mut session);
    assert_eq!(answer.value.as_deref(), Some("1"), "{}", answer.text());
    assert!(
        answer.text().contains("Back in the lesson"),
        "{}",
        answer.text()
    );
    assert_eq!(step(&answer).0, 3);
    assert!(session.target.debugger.breakpoints.is_empty());
    assert!(!handle_line(&mut session, "other").ok);
    // Looking at something first changes nothing, and is not announced either way.
    let answer = next(&mut session);
    assert!(answer.text().contains("Back in the lesson"));
    assert!(!next(&mut session).text().contains("Back in the lesson"));
}

#[test]
fn typing_the_line_of_a_step_is_the_step() {
    let (mut session, _) = open();
    let answer = handle_line(&mut session, "click{ 0, 0 }");
    assert_eq!(step(&answer).0, 2);
    let answer = next(&mut session);
    assert!(
        !answer.text().contains("Back in the lesson"),
        "{}",
        answer.text()
    );
    assert_eq!(answer.value.as_deref(), Some("1"));
    // A line that fails is not the step.
    let (mut session, _) = open();
    assert!(!handle_line(&mut session, "click{0,9}").ok);
    assert_eq!(step(&handle_line(&mut session, ":lesson")).0, 1);
}

#[test]
fn steps_can_be_repeated_and_chosen() {
    let (mut session, _) = open();
    for _ in 0..4 {
        next(&mut session);
    }
    assert!(session.target.is_stopped());
    let answer = handle_line(&mut session, ":lesson back");
    assert_eq!(step(&answer).0, 4);
    assert!(!session.target.is_stopped());
    assert!(next(&mut session).stop.is_some());
    let answer = handle_line(&mut session, ":lesson 2");
    assert_eq!(step(&answer).0, 2);
    assert_eq!(value(&mut session, "clicks + 0").as_deref(), Some("1"));
    for (line, message) in [
        (":lesson 9", "steps 1 to 5"),
        (":lesson nothing.session", "nothing.session"),
    ] {
        let answer = handle_line(&mut session, line);
        assert!(
            !answer.ok && answer.text().contains(message),
            "{}",
            answer.text()
        );
        assert_eq!(step(&handle_line(&mut session, ":lesson")).0, 2);
    }
    handle_line(&mut session, ":lesson 1");
    assert!(!handle_line(&mut session, ":lesson back").ok);
    // The tour takes the place of the lesson.
    assert!(handle_line(&mut session, ":lesson 0").ok);
}

#[test]
fn leaving_a_lesson_keeps_the_game() {
    let (mut session, _) = open();
    next(&mut session);
    assert!(handle_line(&mut session, ":lesson off").ok);
    assert_eq!(value(&mut session, "clicks").as_deref(), Some("1"));
    let answer = handle_line(&mut session, ":lesson next");
    assert!(!answer.ok && answer.text().contains("no lesson is open"));
    assert!(handle_line(&mut session, ":lesson").ok);
}

#[test]
fn a_lesson_can_answer_questions_of_the_program() {
    let host = Rc::new(MemoryHost::new());
    host.set_file(
        "ask.session",
        "language bogl\nseed 1\n\n--- program a.bgl\ngame A\ntype Input = Int\n--- session\n\n\
         > input + input\n< 20\n< 22\n\n> input + 1\n^D\n\n> 1 + 1\n",
    );
    let mut session = Session::with_host(languages::ALL[0], 1, host);
    handle_line(&mut session, ":lesson ask.session");
    assert!(next(&mut session).question.is_some());
    // At a question, the line of the step is the answer.
    assert!(handle_line(&mut session, "20").question.is_some());
    let answer = handle_line(&mut session, "22");
    assert_eq!(answer.value.as_deref(), Some("42"));
    assert_eq!(step(&answer).0, 4);
    // The question is cancelled where the lesson cancels it.
    next(&mut session);
    assert!(!session.target.is_waiting_for_input());
    assert_eq!(next(&mut session).value.as_deref(), Some("2"));
}

#[test]
fn notes_are_saved_as_remarks() {
    let host = Rc::new(MemoryHost::new());
    let mut session = Session::with_host(languages::ALL[0], 1, host.clone());
    for line in [
        "1 + 1",
        ":note Now it doubles.",
        "2 * 2",
        ":note",
        ":save a.session",
    ] {
        handle_line(&mut session, line);
    }
    let text = host.file("a.session").unwrap();
    assert!(
        text.contains("\n# Now it doubles.\n> 2 * 2\n  = 4\n"),
        "{text}"
    );
    let answer = handle_line(&mut session, ":lesson a.session");
    assert_eq!(step(&answer).1, "");
    assert_eq!(step(&next(&mut session)).1, "Now it doubles.");
}

/// The lessons of the course are opened by language and number, without a file.
#[test]
fn the_course_is_built_in() {
    let mut session = Session::new(languages::by_name("bogl").unwrap(), 1);
    let list = |answer: &Answer| {
        let lists = answer.parts.iter().filter_map(|part| match part {
            Part::LessonList(list) => Some(list.lessons.clone()),
            _ => None,
        });
        lists.flatten().collect::<Vec<_>>()
    };
    let all = list(&handle_line(&mut session, ":lesson list"));
    assert_eq!((all[0].language, all[0].number), ("gridlok", 1));
    assert_eq!(all[0].title, "Lamps: your first clicks");
    assert!(all.iter().all(|lesson| lesson.step_count > 0));
    let some = list(&handle_line(&mut session, ":lesson sgl2d"));
    assert!(some.len() < all.len() && some.iter().all(|lesson| lesson.language == "sgl2d"));
    for lesson in &all {
        let line = format!(":lesson {} {}", lesson.language, lesson.number);
        let answer = handle_line(&mut session, &line);
        assert!(answer.ok, "{line}: {}", answer.text());
        assert_eq!(session.target.language().info().name, lesson.language);
        assert_eq!(step(&answer).0, 1, "{line}");
    }
    for line in [":lesson gridlok 99", ":lesson gridlok 0"] {
        let answer = handle_line(&mut session, line);
        assert!(
            !answer.ok && answer.text().contains("`:lesson list`"),
            "{line}"
        );
    }
}

/// At the end, a lesson of the course names the next one; the last one does not.
#[test]
fn a_lesson_of_the_course_names_the_next_one() {
    let mut session = Session::new(languages::by_name("bogl").unwrap(), 1);
    for (number, following) in [(1, Some("tinygame 2")), (3, None)] {
        handle_line(&mut session, &format!(":lesson tinygame {number}"));
        let answer = handle_line(&mut session, ":lesson");
        let [Part::Lesson(progress)] = &answer.parts[..] else {
            panic!("{}", answer.text());
        };
        assert_eq!(progress.following.as_deref(), following);
    }
}

/// A student can type what a step runs, so all lines of it are shown.
#[test]
fn a_step_of_several_lines_is_shown_completely() {
    let host = Rc::new(MemoryHost::new());
    let text = "language gridlok\nseed 1\n\n--- session\n\n> fun two() {\n.   return 2\n. }\n";
    host.set_file("two.session", text);
    let mut session = Session::with_host(languages::ALL[0], 1, host);
    let answer = handle_line(&mut session, ":lesson two.session");
    assert!(answer.ok);
    let answer = handle_line(&mut session, ":lesson");
    let shown = to_plain_text(&session, &answer);
    assert_eq!(
        shown,
        [
            "  1/1  Enter runs  fun two() {",
            "                     return 2",
            "                   }",
        ]
    );
}

#[test]
fn a_lesson_writes_no_files_unless_the_student_types_the_line() {
    let host = Rc::new(MemoryHost::new());
    let text = "language gridlok\nseed 1\n\n--- session\n\n> def n {1}\n\n> :save mine.gl\n\n> n\n";
    host.set_file("a.session", text);
    let language = languages::by_name("gridlok").unwrap();
    let mut session = Session::with_host(language, 1, host.clone());
    handle_line(&mut session, ":lesson a.session");
    next(&mut session);
    let answer = next(&mut session);
    assert!(answer.text().contains("A lesson writes no files"));
    assert!(!session.host().exists("mine.gl"));
    assert_eq!(step(&answer).0, 3);
    handle_line(&mut session, ":lesson back");
    let answer = handle_line(&mut session, ":save mine.gl");
    assert!(answer.ok, "{}", answer.text());
    assert!(session.host().exists("mine.gl"));
    assert_eq!(step(&answer).0, 3);
}
