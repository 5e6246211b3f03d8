//! `:rejudge`: replays saved sessions on the rules as they are now, and says which end differently.

use crate::answer::{Answer, CommandError, Part, RejudgedSession};
use crate::command::{
    ArgumentCompletion, Arguments, COMMAND_LINES, Command, CommandEffects, Topic,
};
use crate::session::Session;
use crate::teach;

pub const COMMANDS: &[Command] = &[Command {
    name: "rejudge",
    aliases: &[],
    usage: "FILES",
    topic: Topic::Inspecting,
    help: "replay saved sessions on the rules as they are now: which end differently, from which move",
    example: ":rejudge lesson.session",
    effects: CommandEffects::of(Topic::Inspecting)
        .only_shows()
        .must_be_typed(),
    completion: ArgumentCompletion::Files,
    run: rejudge,
}];

fn rejudge(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    arguments.required(session, "session files, or a directory of them")?;
    let paths = arguments.words().into_iter().map(String::from);
    let judged = rejudge_sessions(session, &paths.collect::<Vec<_>>(), &|| false)?;
    Ok(Answer::of(Part::Rejudged { sessions: judged }))
}

/// Replays session files on the program of a session, which does not change; see
/// [`teach::rejudge::rejudge_sessions`].
pub fn rejudge_sessions(
    session: &mut Session,
    paths: &[String],
    is_late: &dyn Fn() -> bool,
) -> Result<Vec<RejudgedSession>, CommandError> {
    teach::rejudge::rejudge_sessions(COMMAND_LINES, session, paths, is_late)
}
