//! The tour: a few stops through the language's own first game, each with a line to type.
//!
//! It is taken in a session of its own, beside the person's game, which comes back when the tour is left.

use super::{ArgumentCompletion, Command, Topic, files, find, handle_line};
use crate::language::TourStep;
use crate::session::{BoardMarks, Line, Reply, Session, Style, Tour};

pub const COMMANDS: &[Command] = &[Command {
    name: "tour",
    aliases: &[],
    usage: "[N | next | off]",
    topic: Topic::Session,
    help: "be shown around, in a dozen stops; take it up at stop N, let a stop be done, leave it",
    example: ":tour",
    completion: ArgumentCompletion::Words(&["next", "off"]),
    run: tour,
}];

fn lessons(session: &Session) -> &'static [TourStep] {
    session.language().info().guide.tour
}

fn tour(session: &mut Session, rest: &str, reply: &mut Reply) {
    match (rest, session.tour.is_active) {
        // After the last stop there is no next one.
        ("" | "next", true) => show(session, &mut reply.lines),
        ("", false) => begin(session, None, reply),
        ("off", true) => leave(session, reply),
        ("next" | "off", false) => reply.error("no tour is being taken: `:tour` begins it"),
        (number, _) => match number.parse::<usize>() {
            Ok(n) if (1..=lessons(session).len()).contains(&n) => {
                begin(session, Some(n - 1), reply)
            }
            _ => {
                let last = lessons(session).len();
                reply.error(format!(
                    "the tour has stops 1 to {last}: `:tour 2`, `:tour next`, `:tour off`"
                ));
            }
        },
    }
}

/// Begins at a stop, or takes the tour up where it was left.
fn begin(session: &mut Session, at: Option<usize>, reply: &mut Reply) {
    let Tour {
        is_active: on,
        step: left_at,
        parked_session: aside,
        ..
    } = std::mem::take(&mut session.tour);
    let left_at = if left_at < lessons(session).len() {
        left_at
    } else {
        0
    };
    let (own, of_tour) = if on { (aside, None) } else { (None, aside) };
    let new = match of_tour.filter(|_| at.is_none() && left_at > 0) {
        Some(left) => *left,
        None => prepared(session, at.unwrap_or(left_at)),
    };
    let before = files::replace_session(session, new);
    let own = own.or_else(|| (!on).then(|| Box::new(before)));
    session.tour = Tour {
        is_active: true,
        step: at.unwrap_or(left_at),
        parked_session: own,
        has_reminded: false,
    };
    arrive(session, reply);
    show(session, &mut reply.hints);
}

/// Shows the game that was come to, and where it waits.
fn arrive(session: &mut Session, reply: &mut Reply) {
    session.view_settings.reset_legend();
    if session.is_stopped() {
        session.reshow_stop(reply);
    }
    reply.board_lines = session.draw_board(&BoardMarks::default());
}

/// The language's first game, with all done that the stops before this one say.
fn prepared(session: &Session, at: usize) -> Session {
    let mut new = Session::new(session.language(), 1);
    (
        new.view_settings.width,
        new.view_settings.height,
        new.view_settings.is_ascii,
    ) = (
        session.view_settings.width,
        session.view_settings.height,
        session.view_settings.is_ascii,
    );
    files::open_sample(&mut new);
    for lesson in &lessons(session)[..at] {
        handle_line(&mut new, lesson.input);
    }
    new
}

/// What `:tour next` stands for: the line of the stop, as if it had been typed.
pub(super) fn expand_next(session: &Session, typed: &str) -> Option<&'static str> {
    let asked = session.tour.is_active && is_same(typed, ":tour next");
    lessons(session)
        .get(session.tour.step)
        .filter(|_| asked)
        .map(|lesson| lesson.input)
}

/// Puts the tour aside, and the person's own game back.
fn leave(session: &mut Session, reply: &mut Reply) {
    let Tour {
        step: at,
        parked_session: aside,
        ..
    } = std::mem::take(&mut session.tour);
    if let Some(own) = aside {
        let of_tour = files::replace_session(session, *own);
        session.tour = Tour {
            is_active: false,
            step: at,
            parked_session: Some(Box::new(of_tour)),
            has_reminded: false,
        };
    }
    let last = lessons(session).len();
    reply.line(match at < last {
        true => format!(
            "left the tour at stop {} of {last}; `:tour` takes it up again",
            at + 1
        ),
        false => "left the tour; `:tour` begins it again".into(),
    });
    arrive(session, reply);
}

/// Goes on to the next stop when what this one says was typed.
pub(super) fn advance(session: &mut Session, typed: &str, told: &[String], reply: &mut Reply) {
    let at = session.tour.step;
    let Some(lesson) = lessons(session).get(at).filter(|_| session.tour.is_active) else {
        return;
    };
    if !is_same(typed, lesson.input) {
        remind(session, lesson, typed, reply);
    } else if reply.ok && told.iter().any(|line| line.contains(lesson.expected)) {
        (session.tour.step, session.tour.has_reminded) = (at + 1, false);
        show(session, &mut reply.hints);
    } else {
        let words = format!(
            "the game is not as the tour left it: :tour {} sets stop {} up again",
            at + 1,
            at + 1
        );
        reply.hints.push(Line::styled(Style::Dim, words));
    }
}

/// Who does something else may have lost sight of the stop: it is told once, and to who made a mistake.
fn remind(session: &mut Session, lesson: &TourStep, typed: &str, reply: &mut Reply) {
    let looks = typed.trim().trim_start_matches(':').starts_with("tour");
    if looks
        || session.is_waiting_for_input()
        || reply.ok && std::mem::replace(&mut session.tour.has_reminded, true)
    {
        return;
    }
    let line = Line::styled(
        Style::Dim,
        format!("the tour waits at stop {}: type  ", session.tour.step + 1),
    );
    reply.hints.push(line.with(Style::Strong, lesson.input));
}

/// Shows where the tour is to somebody whose session was brought back on it.
pub(super) fn show_if_active(session: &Session, reply: &mut Reply) {
    if session.tour.is_active {
        show(session, &mut reply.hints);
    }
}

/// Whether what was typed is what was to be typed, but for spaces, the colon, the last semicolon, and short names of
/// commands. Where a blank line means something, it plays a turn.
fn is_same(typed: &str, lesson: &str) -> bool {
    let plain = |text: &str| {
        let text = if text.trim().is_empty() {
            ":turn"
        } else {
            text.trim().trim_end_matches(';')
        };
        let body = text.trim_start_matches(':').trim_start();
        let (word, rest) = body.split_once(char::is_whitespace).unwrap_or((body, ""));
        let word = find(word).map_or(word, |command| command.name);
        word.chars()
            .chain(rest.chars())
            .filter(|c| !c.is_whitespace())
            .collect::<String>()
    };
    plain(typed) == plain(lesson)
}

/// The stop that the tour is at.
fn show(session: &Session, lines: &mut Vec<Line>) {
    let (at, last) = (session.tour.step, lessons(session).len());
    let strong = |words: &str| Line::styled(Style::Strong, words);
    let Some(lesson) = lessons(session).get(at) else {
        let line = strong("the tour is over")
            .with(Style::Plain, ": ")
            .with(Style::Strong, ":tour off");
        let line = line
            .with(Style::Plain, " brings your own game back, ")
            .with(Style::Strong, ":help");
        return lines.push(line.with(Style::Plain, " lists all commands"));
    };
    let skip = if at == 0 {
        "   (:tour next does it for you, :tour off leaves)"
    } else {
        ""
    };
    lines.push(strong(&format!("tour {} of {last}", at + 1)).with(Style::Dim, skip));
    lines.extend(lesson.text.lines().map(|l| Line::plain(format!("  {l}"))));
    lines.push(Line::styled(Style::Dim, "  type  ").with(Style::Strong, lesson.input));
}
