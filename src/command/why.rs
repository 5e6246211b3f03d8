//! The commands that ask for reasons.

use super::{ArgumentCompletion, Command, Topic, example};
use crate::debugger::WatchTarget;
use crate::session::{Reply, Session};

pub const COMMANDS: &[Command] = &[Command {
    name: "why",
    aliases: &[],
    usage: "X | EXPRESSION | [r][c] | [r][c].visible | output [N] | not X | not HANDLER | not click r,c",
    topic: Topic::Inspecting,
    help: "which statement made it so, from which values; or what would have to change",
    example: ":why not win",
    completion: ArgumentCompletion::Names,
    run: why,
}];

/// What can be asked in this game, in the order of its use.
fn ways(session: &Session, first: &[&str]) -> String {
    let about = session.language().info();
    let has = |event: &str| about.events.contains(&event);
    let mut ways: Vec<String> = first.iter().map(|way| way.to_string()).collect();
    ways.extend(has("win").then(|| ":why not win".to_string()));
    match has("click") {
        true => ways.push(":why not click 1,1".into()),
        false => ways.extend(handler(session).map(|title| format!(":why not {title}"))),
    }
    ways.iter()
        .map(|way| format!("`{way}`"))
        .collect::<Vec<_>>()
        .join(", ")
}

/// Something in this game that may not have run.
fn handler(session: &Session) -> Option<String> {
    let stops = session.language().info().guide.breakpoints;
    let titles = session.breakpoint_names();
    stops
        .iter()
        .find_map(|stop| {
            titles
                .iter()
                .find(|t| t.starts_with(stop) || t.ends_with(stop))
        })
        .or(titles.first())
        .cloned()
}

fn why(session: &mut Session, rest: &str, reply: &mut Reply) {
    let words: Vec<&str> = rest.split_whitespace().collect();
    match words.as_slice() {
        [] => {
            let won = session.language().info().events.contains(&"win");
            let first = if won {
                ":why win"
            } else {
                example(session, "why")
            };
            reply.error(format!(
                "say what: {}",
                ways(session, &[first, ":why [1][1]"])
            ));
        }
        ["not"] => reply.error(format!("say what is not so: {}", ways(session, &[]))),
        ["not", "click", ..] if !session.language().info().events.contains(&"click") => {
            let instead = handler(session).map_or_else(String::new, |title| {
                format!("; `:why not {title}` asks why something has not happened")
            });
            reply.error(format!(
                "nothing is clicked in {}{instead}",
                session.language().info().title
            ));
        }
        ["not", "click"] => reply.error(format!(
            "say which cell was clicked: `:why not click {}`",
            session.program().board_info.coord_usage()
        )),
        ["not", "click", ..] => {
            let cell = rest.split_once("click").map_or("", |(_, cell)| cell);
            match session.resolve_cell(cell) {
                Ok((row, col)) => session.why_not_click(row, col, reply),
                Err(why) => reply.error(why),
            }
        }
        [word @ ("win" | "lose" | "draw")] | ["not", word @ ("win" | "lose" | "draw")]
            if session.program().global(word).is_none() =>
        {
            if !session.why_ended(reply) {
                session.why_not_ended(reply);
            }
        }
        ["not", ..] => {
            let name = rest.trim_start_matches("not").trim();
            match session.program().global(name) {
                Some(_) => session.why_not(name, reply),
                None if session.why_not_field(name, reply) => {}
                // A bare title may have a value; where it has none, the question is why it did not run.
                None if session.is_function_name(name)
                    && session.eval(name, |_, _| ()).is_err() =>
                {
                    session.why_not_called(name, reply);
                }
                None => session.why_not_expression(name, reply),
            }
        }
        ["output", n] => match n.parse() {
            Ok(n) => session.why_output(n, reply),
            Err(_) => reply.error(format!(
                "`{n}` is not the number of an output; `:why output` lists them"
            )),
        },
        ["output"] if session.program().global("output").is_none() => session.list_outputs(reply),
        _ => match session.resolve_watch_target(rest) {
            Ok(WatchTarget::Local(..)) if session.why_local(rest, reply) => {}
            // What is not so was never made so.
            Ok(_) if session.is_unset_flag(rest) => session.why_not(rest, reply),
            Ok(watched) => session.why(&watched, rest, reply),
            Err(message) if rest.starts_with(['[', '"']) || rest.starts_with("board") => {
                reply.error(message)
            }
            // What is no variable may still have a value.
            Err(_) => session.why_expression(rest, reply),
        },
    }
}
