//! The guided tours: every step works as described, and the user's own session is kept meanwhile.

use gridbug::answer::Part;
use gridbug::command::{handle_line, open_sample, suggestions};
use gridbug::language::Language;
use gridbug::languages::{self, ALL};
use gridbug::render;
use gridbug::render::AnswerText;
use gridbug::session::{Answer, Session, StartConfig, to_plain_text};

fn text(hints: &[Part]) -> String {
    let answer = Answer {
        hints: hints.to_vec(),
        ..Answer::default()
    };
    let lines = render::hint_lines(&answer, render::DEFAULT_WIDTH);
    let texts: Vec<String> = lines.iter().map(|line| line.text()).collect();
    texts.join("\n")
}

/// The line that a step asks to type.
fn line_to_type(shown: &str) -> Option<String> {
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
fn every_step_has_the_expected_reply() {
    for language in ALL {
        let info = language.info();
        let mut session = sample(*language);
        let mut shown = text(&handle_line(&mut session, ":tour").hints);
        for (n, step) in info.guide.tour.iter().enumerate() {
            let head = format!("tour {} of {}", n + 1, info.guide.tour.len());
            assert!(
                shown.starts_with(&head),
                "{}: no {head:?} in\n{shown}",
                info.title
            );
            let typed = line_to_type(&shown).expect("a line to type");
            let reply = handle_line(&mut session, &typed);
            let reply_text = to_plain_text(&session, &reply).join("\n");
            assert!(
                reply.ok,
                "{} step {}: {typed}\n{reply_text}",
                info.title,
                n + 1
            );
            assert!(
                reply_text.contains(step.expected),
                "{} step {}: no {:?} in\n{reply_text}",
                info.title,
                n + 1,
                step.expected
            );
            shown = text(&reply.hints);
        }
        assert!(shown.starts_with("The tour is over"), "{shown}");
    }
}

#[test]
fn every_step_can_be_the_first_and_can_be_done_with_next() {
    for language in ALL {
        let info = language.info();
        let mut session = sample(*language);
        for n in 1..=info.guide.tour.len() {
            let started = handle_line(&mut session, &format!(":tour {n}"));
            assert!(
                text(&started.hints).contains(info.guide.tour[n - 1].input),
                "{}",
                text(&started.hints)
            );
            let done = handle_line(&mut session, ":tour next");
            assert!(done.ok, "{} step {n}: {}", info.title, done.text());
            assert_eq!(
                session.tour.step,
                n,
                "{} step {n}: {}\n{}",
                info.title,
                done.text(),
                text(&done.hints)
            );
        }
    }
}

#[test]
fn every_step_fits_on_the_screen() {
    for language in ALL {
        for step in language.info().guide.tour {
            let lines: Vec<&str> = step.text.lines().collect();
            assert!(lines.len() <= 3, "{step:?}");
            assert!(lines.iter().all(|l| l.chars().count() <= 76), "{step:?}");
            assert!(step.input.chars().count() <= 70, "{step:?}");
        }
        let steps = language.info().guide.tour.len();
        assert!((9..=13).contains(&steps), "{steps} steps");
    }
}

fn gridlok() -> Session {
    sample(languages::by_name("gridlok").expect("a language of that name"))
}

fn board_of(session: &Session) -> Vec<String> {
    let view = session.target.view(gridbug::language::Viewport::ALL);
    let cells = view.board.expect("a board").cells;
    cells
        .iter()
        .map(|c| c.name.map(|n| n.to_string()).unwrap_or_default())
        .collect()
}

#[test]
fn leaving_the_tour_restores_the_users_session() {
    let mut session = gridlok();
    handle_line(&mut session, "click{2,2}");
    handle_line(&mut session, ":break winCondition");
    handle_line(&mut session, "click{0,1}");
    assert!(session.target.is_stopped());
    let own_board = board_of(&session);
    handle_line(&mut session, ":tour 5");
    handle_line(&mut session, "click{0,0}");
    handle_line(&mut session, ":tour 2");
    let reply = handle_line(&mut session, ":tour off");
    assert!(
        reply.text().contains("You left the tour at step 2"),
        "{}",
        reply.text()
    );
    assert_eq!(board_of(&session), own_board);
    assert!(session.target.is_stopped());
    assert!(handle_line(&mut session, "continue").ok);
}

#[test]
fn switching_the_game_during_the_tour_does_not_lose_the_users_program() {
    for command in [":lang bogl", ":examples lights-out"] {
        let mut session = gridlok();
        handle_line(&mut session, "fun six() { return 6 }");
        handle_line(&mut session, ":tour 2");
        let reply = handle_line(&mut session, command);
        assert!(!reply.ok && reply.text().contains("`:tour off` returns to it"));
        assert!(session.tour.is_active);
        handle_line(&mut session, ":tour off");
        assert_eq!(
            handle_line(&mut session, "six{}").value.as_deref(),
            Some("6")
        );
        handle_line(&mut session, ":tour");
        let reply = handle_line(&mut session, &format!("{command}!"));
        assert!(reply.ok && reply.text().contains("You left the tour"));
        assert!(!session.tour.is_active && session.tour.parked_session.is_none());
        // What was defined on the tour is not the user's.
        let mut session = gridlok();
        handle_line(&mut session, ":tour");
        handle_line(&mut session, "fun six() { return 6 }");
        assert!(handle_line(&mut session, command).ok, "{command}");
    }
}

#[test]
fn the_tour_continues_where_it_was_left() {
    let mut session = gridlok();
    handle_line(&mut session, ":tour");
    handle_line(&mut session, "click{1,1}");
    let board = board_of(&session);
    handle_line(&mut session, ":tour off");
    handle_line(&mut session, "click{2,0}");
    let again = handle_line(&mut session, ":tour");
    assert!(
        text(&again.hints).starts_with("tour 2 of"),
        "{}",
        text(&again.hints)
    );
    assert_eq!(board_of(&session), board);
}

#[test]
fn an_unexpected_reply_suggests_to_repeat_the_step() {
    let mut session = gridlok();
    handle_line(&mut session, ":tour");
    handle_line(&mut session, "winCondition { win {true} }");
    handle_line(&mut session, "click{2,2}");
    let reply: Answer = handle_line(&mut session, "click{1,1}");
    assert!(
        text(&reply.hints).contains(":tour 1 sets up this step again"),
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

#[test]
fn a_missing_semicolon_counts_as_typed_and_a_blank_line_does_not() {
    let mut session = sample(languages::by_name("tinygame").unwrap());
    handle_line(&mut session, ":tour 2");
    let reply = handle_line(&mut session, "move knight left 1");
    assert_eq!(session.tour.step, 2, "{}", text(&reply.hints));
    let mut session = sample(languages::by_name("gridlang").unwrap());
    handle_line(&mut session, ":tour");
    let reply = handle_line(&mut session, "");
    assert_eq!(session.tour.step, 0, "{}", text(&reply.hints));
}

#[test]
fn switching_to_a_stopped_session_shows_its_stop() {
    let mut session = gridlok();
    handle_line(&mut session, ":break onClick");
    handle_line(&mut session, "click{2,2}");
    let shown = |reply: &Answer| reply.text();
    assert!(
        shown(&handle_line(&mut session, ":tour 7")).contains("=>   9"),
        "the tour's stop"
    );
    assert!(
        shown(&handle_line(&mut session, ":tour off")).contains("at [2][2]"),
        "the user's stop"
    );
    assert!(
        shown(&handle_line(&mut session, ":tour")).contains("=>   9"),
        "the tour's stop again"
    );
}

#[test]
fn other_lines_print_a_reminder_once_and_after_each_error() {
    let mut session = gridlok();
    handle_line(&mut session, ":tour");
    let reminder = "The tour is at step 1: type  click{1,1}";
    assert_eq!(text(&handle_line(&mut session, "1 + 1").hints), reminder);
    assert_eq!(text(&handle_line(&mut session, "1 + 2").hints), "");
    assert_eq!(
        text(&handle_line(&mut session, "clik{1,1}").hints),
        reminder
    );
    // `:tour` shows the step itself.
    assert_eq!(text(&handle_line(&mut session, ":tour").hints), "");
    assert!(text(&handle_line(&mut session, "click{1,1}").hints).starts_with("tour 2 of"));
    assert!(text(&handle_line(&mut session, "1 + 1").hints).contains("at step 2"));
    handle_line(&mut session, ":tour off");
    assert_eq!(text(&handle_line(&mut session, "1 + 1").hints), "");
}

/// All suggested lines, including those in backquotes in the descriptions.
fn suggested_lines(session: &Session) -> Vec<String> {
    let lines = |suggestion: gridbug::command::Suggestion| {
        let more: Vec<String> = suggestion
            .description
            .split('`')
            .skip(1)
            .step_by(2)
            .map(str::to_string)
            .collect();
        std::iter::once(suggestion.input)
            .chain(more)
            .collect::<Vec<_>>()
    };
    suggestions(session).into_iter().flat_map(lines).collect()
}

#[test]
fn suggestions_work_in_every_game() {
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
        if session.target.is_waiting_for_input() || !reply.ok {
            continue;
        }
        session.transcript.start_game(StartConfig {
            program: Some(("game".into(), program.clone())),
            seed: 1,
            ..StartConfig::default()
        });
        for typed in suggested_lines(&session) {
            let needs_stop = ["step", "back", "continue"].contains(&typed.as_str());
            if needs_stop && !session.target.is_stopped() {
                continue;
            }
            let reply = handle_line(&mut session, &typed);
            let reply_text = to_plain_text(&session, &reply).join("\n");
            if reply.question.is_some() {
                // The game asks for input; the next line would be the answer.
                break;
            }
            assert!(
                reply.ok,
                "{}: {typed}\n{reply_text}\n{program}",
                language.info().title
            );
        }
    }
}

#[test]
fn suggestions_work_without_a_program() {
    for language in ALL {
        let mut session = Session::new(*language, 1);
        for typed in suggested_lines(&session) {
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
