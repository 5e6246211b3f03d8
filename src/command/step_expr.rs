//! Commands that show how a value is computed: expression stepping, `:explain` and loop tables.

use super::run::{is_stopped, not_stopped, require_stopped};
use super::{ArgumentCompletion, Arguments, Command, CommandFn, Topic, example};
use crate::debugger::api::{CommandError, Part};
use crate::session::{Answer, Session};

pub const COMMANDS: &[Command] = &[
    Command {
        name: "se",
        aliases: &[],
        usage: "",
        topic: Topic::Running,
        help: "run the current statement and show its evaluation step by step (step expr)",
        example: "se",
        completion: ArgumentCompletion::Nothing,
        run: CommandFn::Answer(|session, _| step_expr(session)),
    },
    Command {
        name: "ss",
        aliases: &[],
        usage: "",
        topic: Topic::Running,
        help: "evaluate one subexpression at a time (step sub)",
        example: "ss",
        completion: ArgumentCompletion::Nothing,
        run: CommandFn::Answer(|session, _| step_sub(session)),
    },
    Command {
        name: "explain",
        aliases: &[],
        usage: "E | CODE",
        topic: Topic::Inspecting,
        help: "show the value of every part of an expression; or explain an error code",
        example: ":explain turn == \"x\" AND turnCount > 2",
        completion: ArgumentCompletion::Names,
        run: CommandFn::Answer(explain),
    },
    Command {
        name: "rounds",
        aliases: &[],
        usage: "[E | BLOCK]",
        topic: Topic::Inspecting,
        help: "show the iterations of the current loop as a table, or of the loops in an expression or block",
        example: "rounds",
        completion: ArgumentCompletion::Names,
        run: CommandFn::Fill(rounds),
    },
];

pub(super) fn step_expr(session: &mut Session) -> Result<Answer, CommandError> {
    require_stopped(session)?;
    let answer = session.target.step_expression();
    answer.ok_or_else(|| not_stopped(session))
}

pub(super) fn step_sub(session: &mut Session) -> Result<Answer, CommandError> {
    require_stopped(session)?;
    let answer = session.target.step_subexpression();
    answer.ok_or_else(|| not_stopped(session))
}

fn rounds(session: &mut Session, rest: &str, reply: &mut Answer) {
    if !rest.is_empty() {
        let shown = match session.show_rebinding_loops_of(rest, reply) {
            Ok(false) if reply.ok => session.show_loops_of(rest, reply),
            shown => shown,
        };
        return match shown {
            Ok(false) if reply.ok => reply.error(format!("`{rest}` runs no loop")),
            Ok(_) => {}
            Err(diagnostics) => {
                reply.ok = false;
                reply.diagnostics = diagnostics;
            }
        };
    }
    if session.target.machine.is_idle() && session.show_last_rebinding_loops(reply) {
        return;
    }
    if is_stopped(session, reply)
        && !session.show_rebinding_loop(reply)
        && !session.show_current_loop(reply)
    {
        reply.error("no loop is running here");
    }
}

fn explain(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    if arguments.is_empty() {
        let example = example(session, "explain");
        return Err(CommandError::new(format!(
            "`:explain` needs an expression or an error code, e.g. `{example}` or `:explain RT004`"
        )));
    }
    if let Some(explained) = super::explain_error::explain_code(session, arguments.text) {
        return explained;
    }
    let mut answer = Answer::new("");
    let explained = session.target.explain(arguments.text)?;
    answer.parts.push(Part::ExplainedExpression(explained));
    Ok(answer)
}
