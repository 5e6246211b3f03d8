//! `:why` and `:why not`: explain how a value came about, or why something did not happen.

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
fn examples(session: &Session, first: &[&str]) -> String {
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
fn example_handler(session: &Session) -> Option<String> {
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
        ["not"] => reply.error(format!(
            "`:why not` needs something that did not happen, e.g. {}",
            examples(session, &[])
        )),
        ["not", "click", ..] if !session.target.language().info().events.contains(&"click") => {
            let hint = example_handler(session)
                .map_or_else(String::new, |name| format!("; ask e.g. `:why not {name}`"));
            reply.error(format!(
                "{} has no clicks{hint}",
                session.target.language().info().title
            ));
        }
        ["not", "click"] => reply.error(format!(
            "`:why not click` needs a cell, e.g. `:why not click {}`",
            session.target.program().board_info.coord_usage()
        )),
        ["not", "click", ..] => {
            let cell = rest.split_once("click").map_or("", |(_, cell)| cell);
            match session.target.resolve_cell(cell) {
                Ok((row, col)) => session.why_not_click(row, col, reply),
                Err(message) => reply.error(message),
            }
        }
        [word @ ("win" | "lose" | "draw")] | ["not", word @ ("win" | "lose" | "draw")]
            if session.target.program().global(word).is_none() =>
        {
            if !session.why_ended(reply) {
                session.why_not_ended(reply);
            }
        }
        ["not", ..] => {
            let name = rest.trim_start_matches("not").trim();
            match session.target.program().global(name) {
                Some(_) => session.why_not(name, reply),
                None if session.why_not_field(name, reply) => {}
                // A function name without a value asks why the function did not run.
                None if session.is_function_name(name)
                    && session.target.eval(name, |_, _| ()).is_err() =>
                {
                    session.why_not_called(name, reply);
                }
                None => session.why_not_expression(name, reply),
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
            Ok(_) if session.is_unset_flag(rest) => session.why_not(rest, reply),
            Ok(target) => session.why(&target, rest, reply),
            Err(message) if rest.starts_with(['[', '"']) || rest.starts_with("board") => {
                reply.error(message)
            }
            // Not a variable or cell: explain it as an expression.
            Err(_) => session.why_expression(rest, reply),
        },
    }
}
