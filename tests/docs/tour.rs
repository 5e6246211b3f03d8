//! Promise: every stop of every tour does what it says, and the person's own game waits meanwhile.

use gridbug::command::{handle_line, open_sample, suggestions};
use gridbug::language::Language;
use gridbug::languages::{self, ALL};
use gridbug::session::{Reply, Session, to_plain_text};

fn text(lines: &[gridbug::session::Line]) -> String {
    lines
        .iter()
        .map(|l| l.text())
        .collect::<Vec<_>>()
        .join("\n")
}

/// The line that a stop tells to type.
fn to_type(shown: &str) -> Option<String> {
    shown
        .lines()
        .find_map(|l| l.strip_prefix("  type  "))
        .map(str::to_string)
}

fn sample(language: &'static dyn Language) -> Session {
    let mut session = Session::new(language, 7);
    assert!(open_sample(&mut session).ok);
    session
}

#[test]
fn what_each_stop_says_can_be_typed_and_comes_true() {
    for language in ALL {
        let about = language.info();
        let mut session = sample(*language);
        let mut shown = text(&handle_line(&mut session, ":tour").hints);
        for (n, lesson) in about.guide.tour.iter().enumerate() {
            let head = format!("tour {} of {}", n + 1, about.guide.tour.len());
            assert!(
                shown.starts_with(&head),
                "{}: no {head:?} in\n{shown}",
                about.title
            );
            let typed = to_type(&shown).expect("a line to type");
            let reply = handle_line(&mut session, &typed);
            let answer = to_plain_text(&session, &reply).join("\n");
            assert!(
                reply.ok,
                "{} stop {}: {typed}\n{answer}",
                about.title,
                n + 1
            );
            assert!(
                answer.contains(lesson.expected),
                "{} stop {}: no {:?} in\n{answer}",
                about.title,
                n + 1,
                lesson.expected
            );
            shown = text(&reply.hints);
        }
        assert!(shown.starts_with("the tour is over"), "{shown}");
    }
}

#[test]
fn every_stop_can_be_begun_with_and_done_by_itself() {
    for language in ALL {
        let about = language.info();
        let mut session = sample(*language);
        for n in 1..=about.guide.tour.len() {
            let begun = handle_line(&mut session, &format!(":tour {n}"));
            assert!(
                text(&begun.hints).contains(about.guide.tour[n - 1].input),
                "{}",
                text(&begun.hints)
            );
            let done = handle_line(&mut session, ":tour next");
            assert!(done.ok, "{} stop {n}: {}", about.title, done.text());
            assert_eq!(
                session.tour.step,
                n,
                "{} stop {n}: {}\n{}",
                about.title,
                done.text(),
                text(&done.hints)
            );
        }
    }
}

#[test]
fn a_stop_fits_on_the_screen() {
    for language in ALL {
        for lesson in language.info().guide.tour {
            let lines: Vec<&str> = lesson.text.lines().collect();
            assert!(lines.len() <= 3, "{lesson:?}");
            assert!(lines.iter().all(|l| l.chars().count() <= 76), "{lesson:?}");
            assert!(lesson.input.chars().count() <= 70, "{lesson:?}");
        }
        let stops = language.info().guide.tour.len();
        assert!((9..=13).contains(&stops), "{stops} stops are not about ten");
    }
}

fn gridlok() -> Session {
    sample(languages::by_name("gridlok").expect("a language of that name"))
}

fn seen(session: &Session) -> Vec<String> {
    let view = session.view(gridbug::language::Viewport::ALL);
    let cells = view.board.expect("a board").cells;
    cells
        .iter()
        .map(|c| c.name.map(|n| n.to_string()).unwrap_or_default())
        .collect()
}

#[test]
fn ones_own_game_comes_back() {
    let mut session = gridlok();
    handle_line(&mut session, "click{2,2}");
    handle_line(&mut session, ":break winCondition");
    handle_line(&mut session, "click{0,1}");
    assert!(session.is_stopped());
    let mine = seen(&session);
    handle_line(&mut session, ":tour 5");
    handle_line(&mut session, "click{0,0}");
    handle_line(&mut session, ":tour 2");
    let reply = handle_line(&mut session, ":tour off");
    assert!(
        reply.text().contains("left the tour at stop 2"),
        "{}",
        reply.text()
    );
    assert_eq!(seen(&session), mine);
    assert!(session.is_stopped());
    assert!(handle_line(&mut session, "continue").ok);
}

#[test]
fn a_tour_that_was_left_goes_on_where_it_was() {
    let mut session = gridlok();
    handle_line(&mut session, ":tour");
    handle_line(&mut session, "click{1,1}");
    let board = seen(&session);
    handle_line(&mut session, ":tour off");
    handle_line(&mut session, "click{2,0}");
    let again = handle_line(&mut session, ":tour");
    assert!(
        text(&again.hints).starts_with("tour 2 of"),
        "{}",
        text(&again.hints)
    );
    assert_eq!(seen(&session), board);
}

#[test]
fn who_has_strayed_is_told_how_to_go_on() {
    let mut session = gridlok();
    handle_line(&mut session, ":tour");
    handle_line(&mut session, "winCondition { win {true} }");
    handle_line(&mut session, "click{2,2}");
    let reply: Reply = handle_line(&mut session, "click{1,1}");
    assert!(
        text(&reply.hints).contains(":tour 1 sets stop 1 up again"),
        "{}",
        text(&reply.hints)
    );
    assert!(!handle_line(&mut session, ":tour 99").ok);
    handle_line(&mut session, ":tour off");
    assert!(!handle_line(&mut session, ":tour next").ok);
}

#[test]
fn spaces_colons_and_short_names_do_not_matter() {
    let mut session = gridlok();
    handle_line(&mut session, ":tour 5");
    handle_line(&mut session, "click { 0, 0 }");
    assert_eq!(session.tour.step, 5);
    handle_line(&mut session, ":s 2");
    assert_eq!(session.tour.step, 6);
}

/// What may be left out, or be typed shorter, in the language itself.
#[test]
fn nor_do_the_last_semicolon_and_a_blank_line_for_a_turn() {
    let mut session = sample(languages::by_name("tinygame").unwrap());
    handle_line(&mut session, ":tour 2");
    let reply = handle_line(&mut session, "move knight left 1");
    assert_eq!(session.tour.step, 2, "{}", text(&reply.hints));
    let mut session = sample(languages::by_name("gridlang").unwrap());
    handle_line(&mut session, ":tour");
    let reply = handle_line(&mut session, "");
    assert_eq!(session.tour.step, 1, "{}", text(&reply.hints));
}

#[test]
fn who_comes_back_to_a_stop_sees_where_it_is() {
    let mut session = gridlok();
    handle_line(&mut session, ":break onClick");
    handle_line(&mut session, "click{2,2}");
    let shown = |reply: &Reply| text(&reply.lines);
    assert!(
        shown(&handle_line(&mut session, ":tour 7")).contains("=>   9"),
        "the stop that the tour is at"
    );
    assert!(
        shown(&handle_line(&mut session, ":tour off")).contains("at [2][2]"),
        "one's own"
    );
    assert!(
        shown(&handle_line(&mut session, ":tour")).contains("=>   9"),
        "the tour's again"
    );
}

#[test]
fn who_does_something_else_is_reminded_once_and_after_each_mistake() {
    let mut session = gridlok();
    handle_line(&mut session, ":tour");
    let reminder = "the tour waits at stop 1: type  click{1,1}";
    assert_eq!(text(&handle_line(&mut session, "1 + 1").hints), reminder);
    assert_eq!(text(&handle_line(&mut session, "1 + 2").hints), "");
    assert_eq!(
        text(&handle_line(&mut session, "clik{1,1}").hints),
        reminder
    );
    // What looks at the tour needs no reminder of it.
    assert_eq!(text(&handle_line(&mut session, ":tour").hints), "");
    assert!(text(&handle_line(&mut session, "click{1,1}").hints).starts_with("tour 2 of"));
    assert!(text(&handle_line(&mut session, "1 + 1").hints).contains("at stop 2"));
    handle_line(&mut session, ":tour off");
    assert_eq!(text(&handle_line(&mut session, "1 + 1").hints), "");
}

/// Everything that is worth trying, with what stands in backquotes behind it.
fn tries(session: &Session) -> Vec<String> {
    let of = |a: gridbug::command::Suggestion| {
        let more: Vec<String> = a
            .description
            .split('`')
            .skip(1)
            .step_by(2)
            .map(str::to_string)
            .collect();
        std::iter::once(a.input).chain(more).collect::<Vec<_>>()
    };
    suggestions(session).into_iter().flat_map(of).collect()
}

#[test]
fn what_is_worth_trying_works_in_every_game() {
    let mut games: Vec<(&'static dyn Language, String)> = ALL
        .iter()
        .map(|l| (*l, l.info().sample.to_string()))
        .collect();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("sessions");
    for entry in std::fs::read_dir(folder)
        .unwrap()
        .flat_map(|f| std::fs::read_dir(f.unwrap().path()).unwrap())
    {
        let path = entry.unwrap().path();
        if let Some(language) = languages::for_file(&path.to_string_lossy()) {
            games.push((language, std::fs::read_to_string(&path).unwrap()));
        }
    }
    assert!(games.len() > 15);
    for (language, program) in games {
        let mut session = Session::new(language, 1);
        let reply = session.load("game", &program);
        if session.is_waiting_for_input() || !reply.ok {
            continue;
        }
        session.transcript.start_game("game", &program, 1);
        for typed in tries(&session) {
            // Where nothing stops, what is to be typed at a stop is not to be typed.
            let at_a_stop = ["step", "back", "continue"].contains(&typed.as_str());
            if at_a_stop && !session.is_stopped() {
                continue;
            }
            let reply = handle_line(&mut session, &typed);
            let answer = to_plain_text(&session, &reply).join("\n");
            if reply.question.is_some() {
                // What follows is for the game to answer.
                break;
            }
            assert!(
                reply.ok,
                "{}: {typed}\n{answer}\n{program}",
                language.info().title
            );
        }
    }
}

#[test]
fn what_is_worth_trying_with_nothing_defined_works() {
    for language in ALL {
        let mut session = Session::new(*language, 1);
        for typed in tries(&session) {
            let reply = handle_line(&mut session, &typed);
            assert!(
                reply.ok,
                "{}: {typed}\n{}",
                language.info().title,
                to_plain_text(&session, &reply).join("\n")
            );
        }
    }
}
