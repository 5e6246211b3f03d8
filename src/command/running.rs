//! Commands that run on: step, next, finish and their kin.

use super::{Command, count};
use crate::debugger::{Goal, breakpoint, cycle};
use crate::session::{Reply, Session, in_a_line};
use std::time::Duration;

pub const COMMANDS: &[Command] = &[
    command!(Running, Nothing; "step", &["s"], "[n] | expr | sub | BLOCK", "to the next stop, into calls and handlers", "step 3", step),
    command!(Running, Nothing; "next",
        &["n"],
        "[n] | event | turn",
        "to the next stop, over calls; to the end of the action or turn",
        "next",
        next
    ),
    command!(Running, Nothing; "finish", &["fin"], "[n]", "out of the function or handler at hand, showing its result", "finish", finish),
    command!(Running, Nothing; "over", &["o"], "[n]", "finish the loop, call or expression at hand as one", "over", over),
    command!(Running, Nothing; "iter", &[], "[n]", "to the same statement in the next round", "iter", iter),
    command!(Running, Nothing; "until", &[], "LINE", "run to a line", "until 31", until),
    command!(Running, Nothing; "continue", &["c"], "[n]", "go on to the next breakpoint or the end; past the first n - 1 of them", "continue", go_on),
    command!(Running, Nothing; "play",
        &[],
        "[ms]",
        "slow motion: steps by itself, any key stops it; where nothing is stopped, play with the arrow keys",
        "play 300",
        play
    ),
    command!(Running, Nothing; "abandon", &[], "", "give up what is stopped: it never happened", "abandon", abandon),
    command!(Running, Nothing; "rules", &[], "on | off", "whether steps go through the rules of play too", ":rules on", rules),
];

const NO_LOOP: &str = "this statement is in no loop: `until LINE` or `continue` run on";

/// Whether something is stopped; says so if not.
pub(super) fn stopped(session: &Session, reply: &mut Reply) -> bool {
    if !session.is_stopped() && !session.timeline.in_past(&session.machine) {
        reply.error("nothing is stopped: set a breakpoint with `:break`, then do something");
        return false;
    }
    true
}

/// Does a move so many times, as long as it ends in a step; only the last stop is shown.
fn times(session: &mut Session, n: usize, reply: &mut Reply, goal: impl Fn(&Session) -> Goal) {
    session.hold();
    for _ in 0..n {
        reply.stop = None;
        let goal = goal(session);
        session.drive(Some(goal), reply);
        if reply.stop.as_ref().is_none_or(|s| s.reason != "step") {
            break;
        }
    }
    session.release(reply);
}

fn step(session: &mut Session, rest: &str, reply: &mut Reply) {
    match rest {
        "expr" => super::evaluating::step_expr(session, reply),
        "sub" => super::evaluating::step_sub(session, reply),
        _ if rest
            .split_whitespace()
            .all(|word| word.parse::<usize>().is_ok()) =>
        {
            let Some(n) = count(rest, reply) else { return };
            if stopped(session, reply) {
                times(session, n, reply, |_| Goal::Into);
            }
        }
        _ => super::evaluating::step_block(session, rest, reply),
    }
}

fn next(session: &mut Session, rest: &str, reply: &mut Reply) {
    if !stopped(session, reply) {
        return;
    }
    match rest {
        "event" => {
            let action = session.machine.store.action;
            session.drive(Some(Goal::Action(action)), reply);
        }
        "turn" => session.drive(Some(Goal::Turn), reply),
        _ => {
            let Some(n) = count(rest, reply) else { return };
            times(session, n, reply, |s| {
                Goal::Over(s.machine.frames().len().max(1))
            });
        }
    }
}

fn finish(session: &mut Session, rest: &str, reply: &mut Reply) {
    let Some(n) = count(rest, reply) else { return };
    if !stopped(session, reply) {
        return;
    }
    let depth = session.machine.frames().len();
    let title = session
        .look_at(n.min(depth).saturating_sub(1))
        .map(|l| l.title)
        .unwrap_or_default();
    session.drive(Some(Goal::Out((depth + 1).saturating_sub(n).max(1))), reply);
    let value = session.machine.given_back();
    if reply.stop.as_ref().is_some_and(|s| s.reason == "step")
        && value != crate::value::Value::NOTHING
    {
        reply.line(format!("  {title} gave {}", session.write(value)));
    }
}

fn over(session: &mut Session, rest: &str, reply: &mut Reply) {
    let Some(n) = count(rest, reply).filter(|_| stopped(session, reply)) else {
        return;
    };
    for _ in 0..n {
        reply.stop = None;
        over_once(session, reply);
        if reply.stop.as_ref().is_none_or(|s| s.reason != "step") {
            break;
        }
    }
}

fn over_once(session: &mut Session, reply: &mut Reply) {
    // A loop that is taken as one is a table.
    if session.is_in_rounds() {
        session.turns_at_hand(reply);
    } else if session.over_loop(reply) {
        return;
    }
    let depth = session.machine.frames().len();
    let goal = match session.block_at_hand() {
        Some((from, to)) => Goal::Past { depth, from, to },
        None => Goal::Over(depth),
    };
    session.drive(Some(goal), reply);
}

fn iter(session: &mut Session, rest: &str, reply: &mut Reply) {
    let Some(n) = count(rest, reply).filter(|_| stopped(session, reply)) else {
        return;
    };
    session.hold();
    for round in 0..n {
        // Behind the last round there is no next one.
        let Some(goal) = next_round(session) else {
            if round == 0 {
                reply.error(NO_LOOP);
            }
            break;
        };
        reply.stop = None;
        session.drive(Some(goal), reply);
        if reply.stop.as_ref().is_none_or(|s| s.reason != "step") {
            break;
        }
    }
    session.release(reply);
}

fn next_round(session: &Session) -> Option<Goal> {
    let (id, pc) = session.machine.at()?;
    let function = session.machine.function(id)?.clone();
    let cycle = cycle::around(&function, pc)?;
    let pc = function.stop_before(pc).map_or(pc, |s| s.pc);
    let depth = session.machine.frames().len();
    Some(Goal::Round {
        function,
        pc,
        depth,
        from: cycle.from,
        to: cycle.end,
    })
}

fn until(session: &mut Session, rest: &str, reply: &mut Reply) {
    if !stopped(session, reply) {
        return;
    }
    let Ok(line) = rest.parse::<u32>() else {
        return reply.error(format!(
            "say the number of a line: `{}`",
            super::example(session, "until")
        ));
    };
    let places = match session.line_spot(line) {
        Ok(spot) => breakpoint::places(&spot, session.program(), &session.sources),
        Err(message) => return reply.error(message),
    };
    session.drive(Some(Goal::Places(places.into_iter().collect())), reply);
}

fn go_on(session: &mut Session, rest: &str, reply: &mut Reply) {
    let Some(n) = count(rest, reply).filter(|_| stopped(session, reply)) else {
        return;
    };
    session.hold();
    for _ in 0..n {
        reply.stop = None;
        reply.then.clear();
        session.drive(None, reply);
        if reply
            .stop
            .as_ref()
            .is_none_or(|s| !matches!(s.reason, "breakpoint" | "watch" | "event"))
        {
            break;
        }
    }
    session.release(reply);
}

/// Milliseconds between two steps of slow motion, and the most that can be wished for.
const PACE: u64 = 500;
const SLOWEST: u64 = 60_000;
/// Steps of slow motion where nobody could stop it.
const UNSEEN: usize = 100;

/// Slow motion at a stop; elsewhere the arrow keys, which are read by whoever has a keyboard: others are told how moves
/// are typed.
fn play(session: &mut Session, rest: &str, reply: &mut Reply) {
    let about = session.language().about();
    let Some([up, .., right]) = about
        .keys
        .filter(|_| !session.is_stopped() && rest.is_empty())
    else {
        return slow_motion(session, rest, reply);
    };
    if session.board_size().is_none() {
        return reply.error("there is no board yet");
    }
    reply.by_keys = true;
    reply.line(format!(
        "there are no keys to press here: type the moves, as `{right}`, `{up} 3`"
    ));
}

fn slow_motion(session: &mut Session, rest: &str, reply: &mut Reply) {
    if !stopped(session, reply) {
        return;
    }
    let pace = if rest.is_empty() {
        Ok(PACE)
    } else {
        rest.parse::<u64>()
    };
    match pace {
        Ok(pace) if pace <= SLOWEST && session.look.paced => {
            reply.pace = Some(Duration::from_millis(pace))
        }
        Ok(pace) if pace <= SLOWEST => play_out(session, reply),
        _ => reply.error(format!(
            "say how many milliseconds lie between two steps, at most {SLOWEST}: `play 300`"
        )),
    }
}

/// Slow motion where nobody looks on: some steps, without waiting.
pub fn play_out(session: &mut Session, reply: &mut Reply) {
    for _ in 0..UNSEEN {
        reply.stop = None;
        session.drive(Some(Goal::Into), reply);
        if reply.stop.as_ref().is_none_or(|s| s.reason != "step") {
            return;
        }
    }
    reply.line(format!("{UNSEEN} steps; `play` goes on"));
}

fn abandon(session: &mut Session, _: &str, reply: &mut Reply) {
    match session.abandon() {
        Some(text) => {
            reply.line(format!("given up: {}", in_a_line(&text)));
            reply.board = true;
        }
        None => reply.error("nothing is stopped"),
    }
}

fn rules(session: &mut Session, rest: &str, reply: &mut Reply) {
    match rest {
        "on" | "off" => session.debugger.rules = rest == "on",
        "" => {}
        _ => return reply.error("say `:rules on` or `:rules off`"),
    }
    reply.line(match session.debugger.rules {
        true => "steps go through the rules of play",
        false => "steps pass over the rules of play",
    });
}
