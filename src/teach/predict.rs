//! Predictions: asks what will happen before a step, a move or an evaluation shows it.
//!
//! Nothing runs while the question is open. The line runs when it is answered, as if it had been
//! typed then, and what it led to decides whether the answer was right.

use super::lesson;
use super::predict_question::{Ahead, draft};
use super::predict_verdict::{choose, judge};
use super::{Commands, is_language_command, split_command};
use crate::answer::{Notice, Part};
use crate::debugger::StepTarget;
use crate::session::session_file::RecordedQuestion;
use crate::session::{
    Answer, AtInput, LessonStep, Prediction, PredictionRequest, Session, Topic, first_line,
};

/// Skips a question, as an empty line does.
const SKIP: &str = "skip";

/// What to do with a line that was typed.
pub(crate) enum Intercepted {
    /// Nothing runs: there is a question about the line, or it is the answer to one and is not valid.
    Answered(Box<Answer>),
    /// A line is to be run, and its answer to be completed.
    Run { line: String, then: Completion },
}

/// What to do with the answer to a line that was run.
pub(crate) enum Completion {
    /// Nothing.
    None,
    /// To judge a prediction about it. `given` is `None` if the question was skipped.
    Judge {
        prediction: Box<Prediction>,
        given: Option<String>,
        /// The answer as it was typed.
        typed: String,
    },
    /// To ask again: the line was a command that left the question open.
    AskAgain(Box<Prediction>),
    /// To say that the line with the question was not run.
    NotRun { line: String },
    /// To show this before it: what had to happen before the line could run, and whether a question
    /// that was wanted could not be asked.
    Unasked {
        before: Box<Answer>,
        is_wanted: bool,
    },
}

/// Handles a line that answers a question, or one before which there is a question.
pub(crate) fn intercept(commands: Commands, session: &mut Session, input: &str) -> Intercepted {
    match session.predictions.pending.take() {
        Some(prediction) => at_question(commands, session, prediction, input),
        None => ask(commands, session, input).unwrap_or_else(|| as_typed(input)),
    }
}

/// Runs a line before which a question was recorded. If no question is found for it, it runs unasked.
pub(crate) fn replay_asked(
    commands: Commands,
    session: &mut Session,
    line: &str,
    question: &RecordedQuestion,
) -> Answer {
    session.predictions.is_asked_in_replay = true;
    let asked = intercept(commands, session, line);
    session.predictions.is_asked_in_replay = false;
    match (asked, question) {
        (Intercepted::Answered(answer), RecordedQuestion::Open) => *answer,
        (Intercepted::Answered(_), RecordedQuestion::Answered(typed)) => {
            replay_answer(commands, session, typed).unwrap_or_default()
        }
        (Intercepted::Run { line, .. }, RecordedQuestion::Open) => {
            session.predictions.unasked_line = Some(line);
            Answer::new("")
        }
        (Intercepted::Run { line, .. }, RecordedQuestion::Answered(_)) => {
            session.predictions.request = None;
            commands.handle_line(session, &line)
        }
    }
}

/// Answers the question that is open in a replay, or runs the line that it was about. `None` if there is
/// neither.
pub(crate) fn replay_answer(
    commands: Commands,
    session: &mut Session,
    typed: &str,
) -> Option<Answer> {
    if let Some(line) = session.predictions.unasked_line.take() {
        return Some(commands.handle_line(session, &line));
    }
    session.predictions.pending.as_ref()?;
    let answer = commands.handle_line(session, typed);
    // The question may be another one than it was, with other choices.
    Some(match session.predictions.pending {
        Some(_) => commands.handle_line(session, SKIP),
        None => answer,
    })
}

/// Runs the line with an open question unasked if a replay continues with an entry: the answer was lost.
pub(crate) fn replay_entry(commands: Commands, session: &mut Session, line: &str) {
    if !line.trim_start().starts_with(':') {
        replay_answer(commands, session, SKIP);
    }
}

/// Runs a line as it was typed.
fn as_typed(input: &str) -> Intercepted {
    Intercepted::Run {
        line: input.to_string(),
        then: Completion::None,
    }
}

/// Completes the answer to a line that was run.
pub(crate) fn complete(
    commands: Commands,
    session: &mut Session,
    then: Completion,
    mut answer: Answer,
) -> Answer {
    match then {
        Completion::None => answer,
        Completion::Judge {
            prediction, given, ..
        } => {
            let verdict = judge(commands, session, &prediction, given, &answer);
            // The lesson announces its next step after that.
            answer.hints.splice(0..0, verdict);
            answer
        }
        Completion::AskAgain(_) if answer.is_quit() => answer,
        Completion::AskAgain(prediction) => ask_again(session, prediction, answer),
        Completion::NotRun { line } => {
            answer.push(not_run(&line));
            answer
        }
        Completion::Unasked {
            mut before,
            is_wanted,
        } => {
            before.absorb(answer);
            let hint = is_wanted.then(|| Part::Notice(Notice::QuestionNotAsked));
            before.hints.extend(hint);
            *before
        }
    }
}

/// Says that a line was not run.
fn not_run(line: &str) -> Notice {
    Notice::NotRun {
        entry: first_line(line),
    }
}

/// Asks before a line runs, if there is a question about it.
fn ask(commands: Commands, session: &mut Session, input: &str) -> Option<Intercepted> {
    let is_replay = session.files.is_replay && !session.predictions.is_asked_in_replay;
    if session.tour.is_active || session.target.is_waiting_for_input() {
        return None;
    }
    if is_replay {
        // A question that was wanted was not found, and is not wanted any more.
        if session.predictions.request.is_some()
            && let Some(text) = entered_text(commands, session, input)
            && Ahead::of(commands, session, &text).is_some()
        {
            session.predictions.request = None;
        }
        return None;
    }
    let repeated = session.target.debugger.repeat_command.clone();
    let line = match input.trim().is_empty() {
        true => repeated.filter(|_| session.target.is_stopped())?,
        false => input.to_string(),
    };
    let is_lesson_step = is_lesson_step(commands, session, &line);
    let own_request = match is_lesson_step {
        true => session.lesson.as_ref().and_then(|l| l.prediction_request()),
        false => None,
    };
    let is_wanted = session.predictions.is_on
        || session.predictions.request.is_some()
        || session.predictions.is_asked_in_replay;
    if own_request.is_none() && !is_wanted {
        return None;
    }
    let mut answer = Answer::new(&line);
    let step = session.lesson.as_ref().map(|lesson| lesson.next_number());
    let text = entered_text(commands, session, &line)?;
    if runs_lesson_step(commands, &line)
        && let Some(back) = lesson::return_to_lesson(commands, session)
    {
        answer.absorb(back.unwrap_or_else(Answer::from));
    }
    let ahead = Ahead::of(commands, session, &text);
    let mut unasked = None;
    let draft = ahead.and_then(|ahead| {
        let next = session.predictions.request.take();
        let request = own_request.or(next).unwrap_or(PredictionRequest::Any);
        if let PredictionRequest::About(topic) = &request {
            unasked = Some(topic.kind());
        }
        draft(session, &ahead, request)
    });
    let Some(draft) = draft else {
        if unasked.is_none() && !answer.has_replaced_session {
            return None;
        }
        // The student is back in the lesson, or expects a question, and should know.
        let then = Completion::Unasked {
            before: Box::new(answer),
            is_wanted: unasked.is_some(),
        };
        return Some(Intercepted::Run { line, then });
    };
    let prediction = Prediction {
        line,
        entry: text,
        topic: draft.topic,
        question: draft.question,
        explanation: draft.explanation,
        step: step.filter(|_| is_lesson_step),
    };
    answer
        .parts
        .push(Part::Prediction(prediction.question.clone()));
    session.predictions.pending = Some(Box::new(prediction));
    Some(Intercepted::Answered(Box::new(answer)))
}

/// What a line enters: itself, or the next step of the lesson. `None` if that is not an entry.
fn entered_text(commands: Commands, session: &Session, line: &str) -> Option<String> {
    if !runs_lesson_step(commands, line) {
        return Some(line.to_string());
    }
    let (input, _) = session.lesson.as_ref()?.next_input()?;
    (!input.is_answer).then(|| input.text.clone())
}

/// Whether the line runs the next step of the lesson, or is that step.
fn is_lesson_step(commands: Commands, session: &Session, line: &str) -> bool {
    let next = session
        .lesson
        .as_ref()
        .and_then(|lesson| lesson.next_step());
    next.is_some_and(|(step, _)| match step {
        LessonStep::Input(input) => {
            runs_lesson_step(commands, line)
                || commands.is_same_line(line, &input.text) && !lesson::has_own_entries(session)
        }
        LessonStep::Exercise(_) => false,
    })
}

fn runs_lesson_step(commands: Commands, line: &str) -> bool {
    let body = line.trim().trim_start_matches(':').trim_start();
    line.trim_start().starts_with(':')
        && matches!(split_command(body), (word, "next") if commands.find(word).is_some_and(|c| c.name == "lesson"))
}

impl Ahead {
    /// What a line would run; `None` if there is nothing to ask about.
    fn of(commands: Commands, session: &Session, line: &str) -> Option<Ahead> {
        let body = line.trim().trim_start_matches(':').trim_start();
        let (word, rest) = split_command(body);
        if is_language_command(session, word) {
            return Some(Ahead::Entry(line.trim().to_string()));
        }
        let Some(command) = commands.command_of(session, line) else {
            let is_command = line.trim_start().starts_with(':');
            return (!is_command && !line.trim().is_empty())
                .then(|| Ahead::Entry(line.to_string()));
        };
        let depth = session.target.machine.frames().len();
        let step = match command.name {
            "step" => StepTarget::Into,
            "next" => StepTarget::Over(depth.max(1)),
            "finish" => StepTarget::Out(depth.max(1)),
            "continue" => StepTarget::Finish,
            _ => {
                let is_run = matches!(command.topic, Topic::Running | Topic::TimeTravel);
                return is_run.then(|| Ahead::Entry(format!(":{body}")));
            }
        };
        matches!(rest, "" | "1").then(|| Ahead::Step {
            name: command.name,
            step,
        })
    }
}

/// Handles a line typed while a question is open: the answer, or a command.
fn at_question(
    commands: Commands,
    session: &mut Session,
    prediction: Box<Prediction>,
    input: &str,
) -> Intercepted {
    let text = input.trim();
    if text.starts_with(':') {
        return command_at_question(commands, session, prediction, input);
    }
    let given = match text {
        "" | SKIP => None,
        _ => match choose(&prediction.question, text) {
            Ok(given) => Some(given),
            Err(message) => {
                let mut answer = Answer::new(input);
                answer.error(message);
                return Intercepted::Answered(Box::new(ask_again(session, prediction, answer)));
            }
        },
    };
    let typed = if given.is_some() { text } else { SKIP };
    let typed = typed.replace(['\n', '\r'], " ").replace('\0', "\u{fffd}");
    Intercepted::Run {
        line: prediction.line.clone(),
        then: Completion::Judge {
            prediction,
            given,
            typed,
        },
    }
}

/// Runs a command at a question, if it does not run the program. The question stays open.
fn command_at_question(
    commands: Commands,
    session: &mut Session,
    prediction: Box<Prediction>,
    input: &str,
) -> Intercepted {
    let line = &prediction.line;
    let run = |then| Intercepted::Run {
        line: input.to_string(),
        then,
    };
    let body = input.trim().trim_start_matches(':').trim_start();
    let (word, rest) = split_command(body);
    let command = commands
        .find(word)
        .map(|command| (command.name, command.effects));
    match command {
        Some((_, effects)) if effects.at_input == AtInput::Cancels => {
            Intercepted::Answered(Box::new(Answer::of(not_run(line))))
        }
        Some(("predict", _)) if rest.trim() == "off" => {
            run(Completion::NotRun { line: line.clone() })
        }
        Some((_, effects)) if effects.at_prediction => run(Completion::AskAgain(prediction)),
        Some(("lesson", _)) if !matches!(rest.trim(), "next" | "") => as_typed(input),
        _ if commands.is_same_line(input, line) => {
            Intercepted::Answered(Box::new(ask_again(session, prediction, Answer::new(input))))
        }
        _ => {
            let shown = first_line(line);
            let mut answer = Answer::new(input);
            answer.error(format!(
                "a question is open: answer it, press Enter to skip it, or `:abandon` to drop `{shown}`"
            ));
            Intercepted::Answered(Box::new(ask_again(session, prediction, answer)))
        }
    }
}

fn ask_again(session: &mut Session, prediction: Box<Prediction>, mut answer: Answer) -> Answer {
    answer
        .hints
        .push(Part::Prediction(prediction.question.clone()));
    session.predictions.pending = Some(prediction);
    answer
}
