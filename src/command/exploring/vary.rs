//! `:vary`: for which start values of a variable a condition is true.

use super::explore::with_control;
use crate::answer::{CommandError, Part};
use crate::command::{ArgumentCompletion, Arguments, Command, CommandEffects, Topic, example};
use crate::explorer::vary as run_with_start_values;
use crate::explorer::{VaryRequest, start_function};
use crate::session::{Answer, Session};

pub const COMMANDS: &[Command] = &[Command {
    name: "vary",
    aliases: &[],
    usage: "NAME A..B E",
    topic: Topic::Exploring,
    help: "start the program again with each start value of a variable, and say for which of them a condition is true",
    example: ":vary turnCount 0..3 turnCount == 2",
    effects: CommandEffects::of(Topic::Exploring).only_shows(),
    completion: ArgumentCompletion::Names,
    run: vary,
}];

fn vary(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    start_function(&session.target)?;
    let example = example(session, "vary");
    let request = vary_request(arguments.text(), example)?;
    let result = with_control(session, |session, control| {
        run_with_start_values(&session.target, &request, control)
    })?;
    Ok(Answer::of(Part::Vary(result)))
}

/// `hero.x 0..9 hero.health > 0`
fn vary_request(text: &str, example: &str) -> Result<VaryRequest, CommandError> {
    let usage = || {
        let example = match example.is_empty() {
            true => String::new(),
            false => format!(", e.g. `{example}`"),
        };
        CommandError::new(format!(
            "`:vary` needs a variable, a range and a condition{example}"
        ))
    };
    let (variable, rest) = text.split_once(char::is_whitespace).ok_or_else(usage)?;
    let rest = rest.trim_start();
    let (range, condition) = rest.split_once(char::is_whitespace).ok_or_else(usage)?;
    let (low, high) = range.split_once("..").ok_or_else(usage)?;
    let number = |text: &str| text.trim().parse::<i64>().map_err(|_| usage());
    Ok(VaryRequest {
        variable: variable.to_string(),
        low: number(low)?,
        high: number(high)?,
        condition: condition.trim().to_string(),
    })
}
