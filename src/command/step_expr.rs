//! Commands that show how a value is computed: expression stepping, `:explain` and loop tables.

use super::run::require_stopped;
use super::{ArgumentCompletion, Command, CommandFn, Topic, example};
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
        run: CommandFn::Fill(|session, _, reply| step_expr(session, reply)),
    },
    Command {
        name: "ss",
        aliases: &[],
        usage: "",
        topic: Topic::Running,
        help: "evaluate one subexpression at a time (step sub)",
        example: "ss",
        completion: ArgumentCompletion::Nothing,
        run: CommandFn::Fill(|session, _, reply| step_sub(session, reply)),
    },
    Command {
        name: "explain",
        aliases: &[],
        usage: "E | CODE",
        topic: Topic::Inspecting,
        help: "show the value of every part of an expression; or explain an error code",
        example: ":explain turn == \"x\" AND turnCount > 2",
        completion: ArgumentCompletion::Names,
        run: CommandFn::Fill(explain),
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

pub(super) fn step_expr(session: &mut Session, reply: &mut Answer) {
    if require_stopped(session, reply) {
        session.step_expression(reply);
    }
}

pub(super) fn step_sub(session: &mut Session, reply: &mut Answer) {
    if require_stopped(session, reply) {
        session.step_subexpression(reply);
    }
}

/// Starts a dry run of a block or an expression.
pub(super) fn step_block(session: &mut Session, rest: &str, reply: &mut Answer) {
    reply.absorb(session.target.run(|run| run.start_dry_run(rest)));
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
    if require_stopped(session, reply)
        && !session.show_rebinding_loop(reply)
        && !session.show_current_loop(reply)
    {
        reply.error("no loop is running here");
    }
}

fn explain(session: &mut Session, rest: &str, reply: &mut Answer) {
    if rest.is_empty() {
        let example = example(session, "explain");
        return reply.error(format!(
            "`:explain` needs an expression or an error code, e.g. `{example}` or `:explain RT004`"
        ));
    }
    match super::explain_error::explain_code(session, rest) {
        Some(Ok(answer)) => return reply.absorb(answer),
        Some(Err(error)) => return reply.fail(error),
        None => {}
    }
    match session.explain(rest) {
        Ok(lines) => lines.into_iter().for_each(|l| reply.line(l)),
        Err(diagnostics) => {
            reply.ok = false;
            reply.diagnostics = diagnostics;
        }
    }
}
