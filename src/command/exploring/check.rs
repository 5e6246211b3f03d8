//! `:check`: a search-based lint of the rules, and all declared properties.

use super::explore::{search_scope, with_control};
use crate::answer::{CommandError, Part};
use crate::command::{ArgumentCompletion, Arguments, Command, CommandEffects, Topic};
use crate::explorer::locate_growth;
use crate::session::{Answer, Session};

pub const COMMANDS: &[Command] = &[Command {
    name: "check",
    aliases: &[],
    usage: "[inputs A..B] [ignoring X] [in GAME]",
    topic: Topic::Exploring,
    help: "search all positions for errors, dead ends, rules that never matter, and check the properties",
    example: ":check",
    effects: CommandEffects::of(Topic::Exploring).only_shows(),
    completion: ArgumentCompletion::Words(&["inputs", "ignoring", "in"]),
    run: check,
}];

fn check(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    let scope = search_scope(session, arguments.text(), "check")?;
    let mut result = with_control(session, |session, control| {
        let Session {
            explorer, target, ..
        } = session;
        explorer.check(target, &scope, control)
    })?;
    locate_growth(&session.target, &mut result.extent);
    Ok(Answer::of(Part::Check(Box::new(result))))
}
