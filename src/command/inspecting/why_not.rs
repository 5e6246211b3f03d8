//! `:why not`: explains why something is not true, or did not happen.

use super::why::{example_handler, examples, expression_answer};
use crate::analysis::why;
use crate::analysis::why_not;
use crate::answer::{Answer, CommandError, Notice, WhyNot};
use crate::debugger::WatchTarget;
use crate::debugger::breakpoint;
use crate::session::Session;
use crate::value::Value;

/// Answers `:why not QUESTION`.
pub(crate) fn why_not(session: &mut Session, question: &str) -> Result<Answer, CommandError> {
    let words: Vec<&str> = question.split_whitespace().collect();
    match words.as_slice() {
        [] => Err(CommandError::new(format!(
            "`:why not` needs something that did not happen, e.g. {}",
            examples(session, &[])
        ))),
        ["click", ..] => why_not_click(session, question),
        _ => why_not_true(session, question),
    }
}

fn why_not_click(session: &mut Session, question: &str) -> Result<Answer, CommandError> {
    let info = session.target.language().info();
    let cell = question.strip_prefix("click").unwrap_or("").trim();
    if !info.events.contains(&"click") {
        let error = CommandError::new(format!("{} has no clicks", info.title));
        return Err(match example_handler(session) {
            Some(name) => error.instruct("ask e.g.", format!(":why not {name}"), ""),
            None => error,
        });
    }
    if cell.is_empty() {
        return Err(CommandError::new(format!(
            "`:why not click` needs a cell, e.g. `:why not click {}`",
            session.target.program().board_info.coord_usage()
        )));
    }
    let (row, col) = breakpoint::resolve_cell(&session.target, cell).map_err(CommandError::new)?;
    Ok(answer(why_not::why_not_click(
        &mut session.target,
        row,
        col,
    )?))
}

/// Why a variable, field or expression is not true, or a function did not run.
fn why_not_true(session: &mut Session, name: &str) -> Result<Answer, CommandError> {
    let target = &mut session.target;
    if target.program().global(name).is_some() {
        return why_not_flag(session, name);
    }
    if why_not::is_false_field(target, name) {
        return why_not_field(session, name);
    }
    // A function name without a value asks why the function did not run.
    if why_not::is_function_name(target, name) && target.eval(name, |_, _| ()).is_err() {
        return Ok(answer(why_not::why_not_called(target, name)));
    }
    why_not_expression(session, name)
}

/// Why an expression is not true: which tests decide it, and what would make it true.
fn why_not_expression(session: &mut Session, text: &str) -> Result<Answer, CommandError> {
    let traced = why::trace_expr(&mut session.target, text)?;
    let value_text = &traced.value_text;
    match traced.value {
        Some(Value::TRUE) => {
            return Ok(Answer::of(Notice::AlreadyTrue {
                expression: text.to_string(),
                value: value_text.clone(),
            }));
        }
        Some(Value::FALSE) | None => {}
        Some(_) => {
            return Err(
                CommandError::new(format!("`{text}` is {value_text}, not true or false")).instruct(
                    "use",
                    format!(":why {text}"),
                    "",
                ),
            );
        }
    }
    let (mut explanation, error) = why::explain_traced(&session.target, &traced);
    explanation.deciding_tests = why::deciding_tests(&session.target, &traced);
    explanation.search = why_not::changes_that_make_true(&mut session.target, text);
    Ok(expression_answer(explanation, error))
}

/// Why a flag such as `win` is not true.
pub(crate) fn why_not_flag(session: &mut Session, name: &str) -> Result<Answer, CommandError> {
    why_not::why_not_flag(&mut session.target, name).map(answer)
}

/// Why the game has not ended.
pub(crate) fn why_not_ended(session: &mut Session) -> Answer {
    answer(why_not::why_not_ended(&mut session.target))
}

/// Why a record field is false: what set it to false or, if it was never true, why nothing sets it.
fn why_not_field(session: &mut Session, name: &str) -> Result<Answer, CommandError> {
    if !why_not::was_field_true(&mut session.target, name) {
        return why_not::why_not_field(&mut session.target, name).map(answer);
    }
    let field = WatchTarget::RecordField(name.to_string());
    Ok(why::why(&mut session.target, &field, name).into())
}

fn answer(why_not: WhyNot) -> Answer {
    let mut answer = Answer::new("");
    answer.parts.push(why_not.into());
    answer
}
