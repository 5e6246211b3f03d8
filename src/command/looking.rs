//! Commands that look at the game and change nothing.

use super::{Command, Completes, Topic};

pub const COMMANDS: &[Command] = &[Command {
    name: "state",
    aliases: &[],
    usage: "",
    topic: Topic::Looking,
    help: "the whole game in words: status, turn, board, variables",
    example: ":state",
    completes: Completes::Nothing,
    run: |session, _, reply| reply.state = Some(session.whole_view()),
}];
