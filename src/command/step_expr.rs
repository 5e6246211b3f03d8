//! Commands that show how something comes to its value.

use super::run::require_stopped;
use super::{ArgumentCompletion, Command, Topic, example};
use crate::session::{Reply, Session};

pub const COMMANDS: &[Command] = &[
    Command {
        name: "se",
        aliases: &[],
        usage: "",
        topic: Topic::Running,
        help: "do the statement at hand, showing its evaluation in frames (step expr)",
        example: "se",
        completion: ArgumentCompletion::Nothing,
        run: |session, _, reply| step_expr(session, reply),
    },
    Command {
        name: "ss",
        aliases: &[],
        usage: "",
        topic: Topic::Running,
        help: "one frame of the evaluation at a time (step sub)",
        example: "ss",
        completion: ArgumentCompletion::Nothing,
        run: |session, _, reply| step_sub(session, reply),
    },
    Command {
        name: "explain",
        aliases: &[],
        usage: "E | CODE",
        topic: Topic::Inspecting,
        help: "an expression with all its values under their columns; an error code in words",
        example: ":explain turn == \"x\" AND turnCount > 2",
        completion: ArgumentCompletion::Names,
        run: explain,
    },
    Command {
        name: "rounds",
        aliases: &[],
        usage: "[E | BLOCK]",
        topic: Topic::Inspecting,
        help: "the rounds of the loop at hand as a table; of the loops of an expression or block",
        example: "rounds",
        completion: ArgumentCompletion::Names,
        run: rounds,
    },
];

pub(super) fn step_expr(session: &mut Session, reply: &mut Reply) {
    if require_stopped(session, reply) {
        session.step_expression(reply);
    }
}

pub(super) fn step_sub(session: &mut Session, reply: &mut Reply) {
    if require_stopped(session, reply) {
        session.step_subexpression(reply);
    }
}

/// Rehearses a block or an expression.
pub(super) fn step_block(session: &mut Session, rest: &str, reply: &mut Reply) {
    session.start_dry_run(rest, reply);
}

fn rounds(session: &mut Session, rest: &str, reply: &mut Reply) {
    if !rest.is_empty() {
        let told = match session.show_rebinding_loops_of(rest, reply) {
            Ok(false) if reply.ok => session.show_loops_of(rest, reply),
            told => told,
        };
        return match told {
            Ok(false) if reply.ok => reply.error("no loop is gone through there"),
            Ok(_) => {}
            Err(diagnostics) => {
                reply.ok = false;
                reply.diagnostics = diagnostics;
            }
        };
    }
    if session.machine.is_idle() && session.show_last_rebinding_loops(reply) {
        return;
    }
    if require_stopped(session, reply)
        && !session.show_rebinding_loop(reply)
        && !session.show_current_loop(reply)
    {
        reply.error("no loop is at hand");
    }
}

fn explain(session: &mut Session, rest: &str, reply: &mut Reply) {
    if rest.is_empty() {
        let example = example(session, "explain");
        return reply.error(format!(
            "say what: `{example}`, or an error code: `:explain RT004`"
        ));
    }
    if super::explain_error::explain_code(session, rest, reply) {
        return;
    }
    match session.explain(rest) {
        Ok(lines) => lines.into_iter().for_each(|l| reply.line(l)),
        Err(diagnostics) => {
            reply.ok = false;
            reply.diagnostics = diagnostics;
        }
    }
}
