//! `:why` and `:why not`: explain how a value came about, or why something did not happen.

use super::why_not::{why_not, why_not_ended, why_not_flag};
use super::{ArgumentCompletion, Command, CommandFn, Topic, example};
use crate::debugger::WatchTarget;
use crate::session::{Answer, Session};

pub const COMMANDS: &[Command] = &[Command {
    name: "why",
    aliases: &[],
    usage: "X | EXPRESSION | [r][c] | [r][c].visible | output [N] | not X | not HANDLER | not click r,c",
    topic: Topic::Inspecting,
    help: "show which statement set a value and from what; or why something did not happen",
    example: ":why not win",
    completion: ArgumentCompletion::Names,
    run: CommandFn::Fill(why),
}];

/// Example questions for this game, after the given ones.
pub(super) fn examples(session: &Session, first: &[&str]) -> String {
    let info = session.target.language().info();
    let has = |event: &str| info.events.contains(&event);
    let mut examples: Vec<String> = first.iter().map(|line| line.to_string()).collect();
    examples.extend(has("win").then(|| ":why not win".to_string()));
    match has("click") {
        true => examples.push(":why not click 1,1".into()),
        false => examples.extend(example_handler(session).map(|name| format!(":why not {name}"))),
    }
    examples
        .iter()
        .map(|line| format!("`{line}`"))
        .collect::<Vec<_>>()
        .join(", ")
}

/// A handler of this game for an example.
pub(super) fn example_handler(session: &Session) -> Option<String> {
    let patterns = session.target.language().info().guide.breakpoints;
    let names = session.target.breakpoint_names();
    patterns
        .iter()
        .find_map(|pattern| {
            names
                .iter()
                .find(|name| name.starts_with(pattern) || name.ends_with(pattern))
        })
        .or(names.first())
        .cloned()
}

fn why(session: &mut Session, rest: &str, reply: &mut Answer) {
    let words: Vec<&str> = rest.split_whitespace().collect();
    match words.as_slice() {
        [] => {
            let has_win = session.target.language().info().events.contains(&"win");
            let first = if has_win {
                ":why win"
            } else {
                example(session, "why")
            };
            reply.error(format!(
                "`:why` needs a question, e.g. {}",
                examples(session, &[first, ":why [1][1]"])
            ));
        }
        [word @ ("win" | "lose" | "draw")] | ["not", word @ ("win" | "lose" | "draw")]
            if session.target.program().global(word).is_none() =>
        {
            if !session.why_ended(reply) {
                reply.absorb(why_not_ended(session));
            }
        }
        ["not", ..] => {
            let question = rest.trim_start_matches("not").trim();
            match why_not(session, question) {
                Ok(answer) => reply.absorb(answer),
                Err(error) => reply.fail(error),
            }
        }
        ["output", n] => match n.parse() {
            Ok(n) => session.why_output(n, reply),
            Err(_) => reply.error(format!(
                "expected the number of an output, found `{n}`; `:why output` lists them"
            )),
        },
        ["output"] if session.target.program().global("output").is_none() => {
            session.list_outputs(reply)
        }
        _ => match session.target.resolve_watch_target(rest) {
            Ok(WatchTarget::Local(..)) if session.why_local(rest, reply) => {}
            // No statement set a flag that is still false; explain why not.
            Ok(_) if session.target.is_unset_flag(rest) => match why_not_flag(session, rest) {
                Ok(answer) => reply.absorb(answer),
                Err(error) => reply.fail(error),
            },
            Ok(target) => session.why(&target, rest, reply),
            Err(message) if rest.starts_with(['[', '"']) || rest.starts_with("board") => {
                reply.error(message)
            }
            // Not a variable or cell: explain it as an expression.
            Err(_) => session.why_expression(rest, reply),
        },
    }
}
