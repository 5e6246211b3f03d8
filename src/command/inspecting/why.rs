//! `:why` and `:why not`: explain how a value came about, or why something did not happen.

use super::why_not::{why_not, why_not_ended, why_not_flag};
use crate::analysis::evaluation;
use crate::analysis::why;
use crate::analysis::why_not;
use crate::answer::{Answer, CommandError, Explanation, Notice, Part, WhyNot};
use crate::code::Status;
use crate::command::{ArgumentCompletion, Arguments, Command, CommandEffects, Topic, example};
use crate::debugger::breakpoint;
use crate::debugger::{DroppedHistory, WatchTarget};
use crate::diagnostic::Diagnostic;
use crate::explorer::reachability;
use crate::session::Session;
use std::sync::atomic::Ordering;

pub const COMMANDS: &[Command] = &[Command {
    name: "why",
    aliases: &[],
    usage: "[X | E | [r][c] | output [N] | not X [all] | not HANDLER | not click r,c]",
    topic: Topic::Inspecting,
    help: "show which statement set a value and from what; or why something did not happen; alone, why the last change was made",
    example: ":why not win",
    effects: CommandEffects::of(Topic::Inspecting)
        .takes_code()
        .only_shows(),
    completion: ArgumentCompletion::Names,
    run: why,
}];

/// Example questions for this game, after the given ones.
pub(crate) fn examples(session: &Session, first: &[&str]) -> String {
    let info = session.target.language().info();
    let has = |event: &str| info.events.contains(&event);
    let mut examples: Vec<String> = first.iter().map(|line| line.to_string()).collect();
    examples.extend(has("win").then(|| ":why not win".to_string()));
    match has("click") {
        true => examples.push(":why not click 1,1".into()),
        false => examples.extend(example_handler(session).map(|name| format!(":why not {name}"))),
    }
    examples
        .iter()
        .map(|line| format!("`{line}`"))
        .collect::<Vec<_>>()
        .join(", ")
}

/// A handler of this game for an example.
pub(crate) fn example_handler(session: &Session) -> Option<String> {
    let patterns = session.target.language().info().guide.breakpoints;
    let names = breakpoint::breakpoint_names(&session.target);
    patterns
        .iter()
        .find_map(|pattern| {
            names
                .iter()
                .find(|name| name.starts_with(pattern) || name.ends_with(pattern))
        })
        .or(names.first())
        .cloned()
}

fn why(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    let mut answer = answer_why(session, arguments);
    why_not::end_trials(&mut session.target);
    if session.target.machine.take_interrupt()
        && let Ok(answer) = &mut answer
    {
        answer.push(Notice::Interrupted { unknown: None });
    }
    answer
}

fn answer_why(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    let words = arguments.words();
    match words.as_slice() {
        ["not", question, "all"] => {
            let question = format!("not {question}");
            let mut answer = answer_why(session, Arguments::new(&COMMANDS[0], &question))?;
            answer.parts = answer.parts.into_iter().map(with_all_details).collect();
            Ok(answer)
        }
        [] => {
            if let Some(name) = why::last_changed(&mut session.target) {
                return why_value(session, &name);
            }
            let has_win = session.target.language().info().events.contains(&"win");
            let first = if has_win {
                ":why win"
            } else {
                example(session, "why")
            };
            Err(CommandError::new(format!(
                "nothing has changed, so `:why` needs a question, e.g. {}",
                examples(session, &[first, ":why [1][1]"])
            )))
        }
        [word @ ("win" | "lose" | "draw")] | ["not", word @ ("win" | "lose" | "draw")]
            if session.target.program().global(word).is_none() =>
        {
            match (why::why_ended(&mut session.target), lost_end(session)) {
                (Some(explanation), _) => Ok(explanation.into()),
                (None, Some(dropped)) => Err(CommandError::new(format!(
                    "the end of the game is lost: {dropped}"
                ))),
                (None, None) => {
                    let answer = why_not_ended(session);
                    let answer = with_reachability(session, word, answer);
                    Ok(within_known_history(session, answer))
                }
            }
        }
        ["not", ..] => {
            let (_, question) = arguments.first_word();
            let answer = why_not(session, question.text())?;
            let answer = with_reachability(session, question.text(), answer);
            Ok(within_known_history(session, answer))
        }
        ["output", _] => why_output(session, arguments.first_word().1),
        ["output"] if session.target.program().global("output").is_none() => {
            let outputs = why::printed_outputs(&session.target);
            Ok(Part::Outputs { outputs }.into())
        }
        _ => why_value(session, arguments.text()),
    }
}

fn with_all_details(part: Part) -> Part {
    match part {
        Part::WhyNot(why_not) => Part::WhyNot(Box::new(why_not.with_all_details())),
        other => other,
    }
}

/// An answer with whether moves lead to the ending that was asked for: `win`, or `ann.win`. Unchanged if it
/// already decides that, or if a short search does not.
fn with_reachability(session: &mut Session, question: &str, mut answer: Answer) -> Answer {
    let is_decided = answer.parts.iter().any(|part| match part {
        Part::WhyNot(why_not) => match &**why_not {
            WhyNot::TrueFlag { .. } => true,
            WhyNot::FalseFlag(flag) => flag.is_never_set(),
            _ => false,
        },
        _ => false,
    });
    if is_decided || session.target.progress().status != Status::Playing {
        return answer;
    }
    let question = question.trim();
    let is_ending = match question.split_once('.') {
        None => matches!(question, "win" | "lose" | "draw"),
        Some((player, field)) => {
            field == "win" && session.target.players().iter().any(|p| p == player)
        }
    };
    if !is_ending {
        return answer;
    }
    let flag = session.target.machine.interrupt_flag();
    let found = match flag.load(Ordering::Relaxed) {
        true => None,
        false => reachability(&mut session.explorer, &mut session.target, question),
    };
    if session.target.machine.take_interrupt() && found.is_none() {
        let unknown = Some(question.to_string());
        answer.push(Notice::Interrupted { unknown });
    }
    answer.parts.extend(found.map(Part::Reachability));
    answer
}

/// Set if the game has ended at a time that is no longer known.
fn lost_end(session: &Session) -> Option<DroppedHistory> {
    let dropped = session.target.timeline.dropped_history();
    dropped.filter(|_| session.target.progress().status != Status::Playing)
}

/// Adds since when the history is known, if old entries were dropped: what did not happen since then
/// may have happened before.
fn within_known_history(session: &Session, mut answer: Answer) -> Answer {
    let dropped = session.target.timeline.dropped_history();
    answer.parts.extend(dropped.map(|dropped| Part::KnownSince {
        time: dropped.known_since,
    }));
    answer
}

/// Explains an output by its number.
fn why_output(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    let number = arguments.number().ok_or_else(|| {
        CommandError::new(format!(
            "expected the number of an output, found `{}`",
            arguments.text()
        ))
        .advise(":why output", "lists them")
    })?;
    why::why_output(&mut session.target, number).map(Answer::from)
}

/// Explains a variable, a cell or an expression.
fn why_value(session: &mut Session, text: &str) -> Result<Answer, CommandError> {
    let watched = match breakpoint::resolve_watch_target(&session.target, text) {
        Ok(watched) => watched,
        Err(error) if text.starts_with(['[', '"']) || text.starts_with("board") => {
            return Err(error);
        }
        // Not a variable or cell: explain it as an expression.
        Err(_) => return why_expression(session, text),
    };
    if matches!(watched, WatchTarget::Local(..))
        && let Some(explanation) = why::why_local(&mut session.target, text)
    {
        return Ok(explanation.into());
    }
    // No statement set a flag that is still false; explain why not.
    if evaluation::is_unset_flag(&session.target, text) {
        let answer = why_not_flag(session, text)?;
        return Ok(within_known_history(session, answer));
    }
    Ok(why::why(&mut session.target, &watched, text).into())
}

/// Explains the value of an expression, or the error it ends with.
fn why_expression(session: &mut Session, text: &str) -> Result<Answer, CommandError> {
    let (explanation, error) = why::why_expression(&mut session.target, text)?;
    Ok(expression_answer(explanation, error))
}

/// The explanation of an expression, with the error that its evaluation ended with.
pub(crate) fn expression_answer(explanation: Explanation, error: Option<Diagnostic>) -> Answer {
    Answer {
        ok: error.is_none(),
        diagnostics: error.into_iter().collect(),
        ..Answer::from(explanation)
    }
}
