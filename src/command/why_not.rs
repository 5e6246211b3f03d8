//! `:why not`: explains why something is not true, or did not happen.

use super::why::{example_handler, examples, expression_answer};
use crate::answer::{Answer, CommandError, WhyNot};
use crate::debugger::WatchTarget;
use crate::session::Session;
use crate::value::Value;

/// Answers `:why not QUESTION`.
pub(super) fn why_not(session: &mut Session, question: &str) -> Result<Answer, CommandError> {
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
        let hint = example_handler(session)
            .map_or_else(String::new, |name| format!("; ask e.g. `:why not {name}`"));
        return Err(CommandError::new(format!(
            "{} has no clicks{hint}",
            info.title
        )));
    }
    if cell.is_empty() {
        return Err(CommandError::new(format!(
            "`:why not click` needs a cell, e.g. `:why not click {}`",
            session.target.program().board_info.coord_usage()
        )));
    }
    let (row, col) = session
        .target
        .resolve_cell(cell)
        .map_err(CommandError::new)?;
    Ok(answer(session.target.why_not_click(row, col)?))
}

/// Why a variable, field or expression is not true, or a function did not run.
fn why_not_true(session: &mut Session, name: &str) -> Result<Answer, CommandError> {
    let target = &mut session.target;
    if target.program().global(name).is_some() {
        return why_not_flag(session, name);
    }
    if target.is_false_field(name) {
        return why_not_field(session, name);
    }
    // A function name without a value asks why the function did not run.
    if target.is_function_name(name) && target.eval(name, |_, _| ()).is_err() {
        return Ok(answer(target.why_not_called(name)));
    }
    why_not_expression(session, name)
}

/// Why an expression is not true: which tests decide it, and what would make it true.
fn why_not_expression(session: &mut Session, text: &str) -> Result<Answer, CommandError> {
    let traced = session.target.trace_expr(text)?;
    let value_text = &traced.value_text;
    match traced.value {
        Some(Value::TRUE) => {
            let mut answer = Answer::new("");
            answer.line(format!(
                "{text} is already {value_text}; `:why {text}` explains it"
            ));
            return Ok(answer);
        }
        Some(Value::FALSE) | None => {}
        Some(_) => {
            return Err(CommandError::new(format!(
                "`{text}` is {value_text}, not true or false; use `:why {text}`"
            )));
        }
    }
    let (mut explanation, error) = session.target.explain_traced(&traced);
    explanation.deciding_tests = session.target.deciding_tests(&traced);
    explanation.search = session.target.changes_that_make_true(text);
    Ok(expression_answer(explanation, error))
}

/// Why a flag such as `win` is not true.
pub(super) fn why_not_flag(session: &mut Session, name: &str) -> Result<Answer, CommandError> {
    session.target.why_not_flag(name).map(answer)
}

/// Why the game has not ended.
pub(super) fn why_not_ended(session: &mut Session) -> Answer {
    answer(session.target.why_not_ended())
}

/// Why a record field is false: what set it to false or, if it was never true, why nothing sets it.
fn why_not_field(session: &mut Session, name: &str) -> Result<Answer, CommandError> {
    if !session.target.was_field_true(name) {
        return session.target.why_not_field(name).map(answer);
    }
    let field = WatchTarget::RecordField(name.to_string());
    Ok(session.target.why(&field, name).into())
}

fn answer(why_not: WhyNot) -> Answer {
    let mut answer = Answer::new("");
    answer.parts.push(why_not.into());
    answer
}
