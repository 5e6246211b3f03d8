//! Commands that show how a value is computed: expression stepping, `:explain` and loop tables.

use super::run::{not_stopped, require_stopped};
use crate::analysis::LoopExtent;
use crate::analysis::evaluation;
use crate::analysis::loops;
use crate::answer::{CommandError, Part};
use crate::command::{ArgumentCompletion, Arguments, Command, CommandEffects, Topic, example};
use crate::session::{Answer, Session};

pub const COMMANDS: &[Command] = &[
    Command {
        name: "se",
        aliases: &[],
        usage: "",
        topic: Topic::Running,
        help: "run the current statement and show its evaluation step by step (step expr)",
        example: "se",
        effects: CommandEffects::of(Topic::Running).repeats(),
        completion: ArgumentCompletion::Nothing,
        run: |session, _| step_expr(session),
    },
    Command {
        name: "ss",
        aliases: &[],
        usage: "",
        topic: Topic::Running,
        help: "evaluate one subexpression at a time (step sub)",
        example: "ss",
        effects: CommandEffects::of(Topic::Running).repeats(),
        completion: ArgumentCompletion::Nothing,
        run: |session, _| step_sub(session),
    },
    Command {
        name: "explain",
        aliases: &[],
        usage: "E | CODE",
        topic: Topic::Inspecting,
        help: "show the value of every part of an expression; or explain an error code",
        example: ":explain turn == \"x\" AND turnCount > 2",
        effects: CommandEffects::of(Topic::Inspecting)
            .takes_code()
            .only_shows(),
        completion: ArgumentCompletion::Names,
        run: explain,
    },
    Command {
        name: "rounds",
        aliases: &[],
        usage: "[E | BLOCK]",
        topic: Topic::Inspecting,
        help: "show the iterations of the current loop as a table, or of the loops in an expression or block",
        example: "rounds",
        effects: CommandEffects::of(Topic::Inspecting).only_shows(),
        completion: ArgumentCompletion::Names,
        run: rounds,
    },
];

pub(crate) fn step_expr(session: &mut Session) -> Result<Answer, CommandError> {
    require_stopped(session)?;
    let answer = evaluation::step_expression(&mut session.target);
    answer.ok_or_else(|| not_stopped(session))
}

pub(crate) fn step_sub(session: &mut Session) -> Result<Answer, CommandError> {
    require_stopped(session)?;
    let answer = evaluation::step_subexpression(&mut session.target);
    answer.ok_or_else(|| not_stopped(session))
}

fn rounds(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    let mut answer = Answer::new("");
    if !arguments.is_empty() {
        let evaluated = loops::loops_of(&mut session.target, arguments.text())?;
        if evaluated.loops.is_none() && evaluated.error.is_none() {
            let message = format!("`{}` runs no loop", arguments.text());
            return Err(CommandError::new(message));
        }
        answer.ok = evaluated.error.is_none();
        answer.diagnostics.extend(evaluated.error);
        answer.parts.extend(evaluated.loops.map(Part::LoopTables));
        return Ok(answer);
    }
    let last_loops = match session.target.machine.is_idle() {
        true => loops::last_rebinding_loops(&mut session.target),
        false => None,
    };
    let loops = match last_loops {
        Some(loops) => loops,
        None => {
            require_stopped(session)?;
            // While predicting, the iterations to come are not shown.
            let extent = match session.predictions.is_on {
                true => LoopExtent::UntilNow,
                false => LoopExtent::Whole,
            };
            let loops = loops::current_loops(&mut session.target, extent);
            loops.ok_or_else(|| CommandError::new("no loop is running here"))?
        }
    };
    answer.parts.push(Part::LoopTables(loops));
    Ok(answer)
}

fn explain(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    if arguments.is_empty() {
        let example = example(session, "explain");
        return Err(CommandError::new(format!(
            "`:explain` needs an expression or an error code, e.g. `{example}` or `:explain RT004`"
        )));
    }
    if let Some(explained) =
        crate::command::help::explain_error::explain_code(session, arguments.text())
    {
        return explained;
    }
    let mut answer = Answer::new("");
    let explained = evaluation::explain(&mut session.target, arguments.text())?;
    answer.parts.push(Part::ExplainedExpression(explained));
    Ok(answer)
}
