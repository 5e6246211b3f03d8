//! `:tour`: a guided tour of about a dozen steps through the language's sample game, each with a
//! line to type.
//!
//! The tour runs in a session of its own, while the user's session is parked. `:tour off` swaps the
//! two, so that the tour can be continued later.

use crate::answer::{CommandError, Notice, Part, TourProgress, TourText};
use crate::command::keeping::files;
use crate::command::{
    ArgumentCompletion, Arguments, Command, CommandEffects, Topic, handle_line, is_same_line,
};
use crate::debugger::run;
use crate::language::TourStep;
use crate::session::{Answer, Session, Tour, new_session, replace_session};

pub const COMMANDS: &[Command] = &[Command {
    name: "tour",
    aliases: &[],
    usage: "[N | next | off]",
    topic: Topic::Session,
    help: "a guided tour: go to step N, do the step for me, or quit",
    example: ":tour",
    effects: CommandEffects::of(Topic::Session).moves_history(),
    completion: ArgumentCompletion::Words(&["next", "off"]),
    run: tour,
}];

fn steps(session: &Session) -> &'static [TourStep] {
    session.target.language().info().guide.tour
}

fn tour(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    match (arguments.text(), session.tour.is_active) {
        // `:tour next` arrives here only after the last step; see `expand_next`.
        ("" | "next", true) => Ok(Answer::of(current_step(session))),
        ("", false) => Ok(start(session, None)),
        ("off", true) => Ok(leave(session)),
        ("next" | "off", false) => {
            Err(CommandError::new("no tour is running").instruct("start it with", ":tour", ""))
        }
        _ => match arguments.number::<usize>() {
            Some(n) if (1..=steps(session).len()).contains(&n) => Ok(start(session, Some(n - 1))),
            _ => {
                let count = steps(session).len();
                Err(
                    CommandError::new(format!("the tour has steps 1 to {count}"))
                        .instruct("use e.g.", ":tour 2", "")
                        .instruct("use e.g.", ":tour next", "")
                        .instruct("use e.g.", ":tour off", ""),
                )
            }
        },
    }
}

/// Starts the tour at a step, or continues it where the user left it.
fn start(session: &mut Session, at: Option<usize>) -> Answer {
    let Tour {
        is_active,
        step: left_at,
        parked_session,
        ..
    } = std::mem::take(&mut session.tour);
    let left_at = if left_at < steps(session).len() {
        left_at
    } else {
        0
    };
    let (user_session, tour_session) = if is_active {
        (parked_session, None)
    } else {
        (None, parked_session)
    };
    let new = match tour_session.filter(|_| at.is_none() && left_at > 0) {
        Some(parked) => *parked,
        None => session_at_step(session, at.unwrap_or(left_at)),
    };
    let (before, mut answer) = replace_session(session, new);
    let user_session = user_session.or_else(|| (!is_active).then(|| Box::new(before)));
    session.tour = Tour {
        is_active: true,
        step: at.unwrap_or(left_at),
        parked_session: user_session,
        has_reminded: false,
    };
    answer.absorb(show_game(session));
    answer.hints.push(current_step(session));
    answer
}

/// The board of the session just entered, and the stop if there is one.
fn show_game(session: &mut Session) -> Answer {
    session.view_settings.reset_legend();
    let mut answer = Answer::new("");
    if session.target.is_stopped() {
        answer.absorb(run::reshow_stop(&mut session.target));
    }
    answer.board = Some(session.shown_board());
    answer
}

/// The sample game after all steps before step `at`.
fn session_at_step(session: &Session, at: usize) -> Session {
    let mut new = new_session(session, session.target.language(), 1);
    files::open_sample(&mut new);
    for step in &steps(session)[..at] {
        handle_line(&mut new, step.input);
    }
    new
}

/// Expands `:tour next` to the line of the current step.
pub(crate) fn expand_next(session: &Session, typed: &str) -> Option<&'static str> {
    let is_next = session.tour.is_active && is_same_line(typed, ":tour next");
    steps(session)
        .get(session.tour.step)
        .filter(|_| is_next)
        .map(|step| step.input)
}

/// Parks the tour and returns to the user's session.
fn leave(session: &mut Session) -> Answer {
    let Tour {
        step: at,
        parked_session,
        ..
    } = std::mem::take(&mut session.tour);
    let mut answer = Answer::new("");
    if let Some(user_session) = parked_session {
        let tour_session;
        (tour_session, answer) = replace_session(session, *user_session);
        session.tour = Tour {
            is_active: false,
            step: at,
            parked_session: Some(Box::new(tour_session)),
            has_reminded: false,
        };
    }
    let last = steps(session).len();
    answer.push(Notice::LeftTour {
        step: at + 1,
        count: last,
    });
    answer.absorb(show_game(session));
    answer
}

/// The user's own session, which is parked during the tour.
pub(crate) fn own_session(session: &Session) -> &Session {
    let parked = session.tour.parked_session.as_deref();
    parked.filter(|_| session.tour.is_active).unwrap_or(session)
}

/// Ends the tour for good, in the user's session. False if there was none.
pub(crate) fn end(session: &mut Session) -> bool {
    let tour = std::mem::take(&mut session.tour);
    if let Some(user_session) = tour.parked_session.filter(|_| tour.is_active) {
        replace_session(session, *user_session);
    }
    tour.is_active
}

/// Moves to the next step once the line of the current one was typed and had the expected reply.
/// Returns what to tell the user.
pub(crate) fn advance(
    session: &mut Session,
    typed: &str,
    is_ok: bool,
    reply_lines: &[String],
) -> Option<Part> {
    let at = session.tour.step;
    let step = steps(session).get(at).filter(|_| session.tour.is_active)?;
    if !is_same_line(typed, step.input) {
        return remind(session, step, typed, is_ok);
    }
    if is_ok && reply_lines.iter().any(|l| l.contains(step.expected)) {
        (session.tour.step, session.tour.has_reminded) = (at + 1, false);
        return Some(current_step(session));
    }
    Some(Notice::OffTour { step: at + 1 }.into())
}

/// Repeats the line to type after something else was typed: once, and after every error.
fn remind(session: &mut Session, step: &TourStep, typed: &str, is_ok: bool) -> Option<Part> {
    let is_tour_command = typed.trim().trim_start_matches(':').starts_with("tour");
    if is_tour_command
        || session.target.is_waiting_for_input()
        || is_ok && std::mem::replace(&mut session.tour.has_reminded, true)
    {
        return None;
    }
    let reminder = Notice::TourReminder {
        step: session.tour.step + 1,
        input: step.input,
    };
    Some(reminder.into())
}

/// The current step, if a tour is running.
pub(crate) fn active_step(session: &Session) -> Option<Part> {
    session.tour.is_active.then(|| current_step(session))
}

fn current_step(session: &Session) -> Part {
    let steps = steps(session);
    Part::Tour(TourProgress {
        number: session.tour.step + 1,
        count: steps.len(),
        step: steps.get(session.tour.step).map(|step| TourText {
            text: step.text,
            input: step.input,
        }),
    })
}
