//! Commands that run on: step, next, finish and their kin.

use super::{Command, parse_count};
use crate::debugger::{StepTarget, breakpoint, loop_info};
use crate::session::{Reply, Session, first_line};
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
pub(super) fn require_stopped(session: &Session, reply: &mut Reply) -> bool {
    if !session.is_stopped() && !session.timeline.is_in_past(&session.machine) {
        reply.error("nothing is stopped: set a breakpoint with `:break`, then do something");
        return false;
    }
    true
}

/// Does a move so many times, as long as it ends in a step; only the last stop is shown.
fn times(
    session: &mut Session,
    n: usize,
    reply: &mut Reply,
    goal: impl Fn(&Session) -> StepTarget,
) {
    session.suppress_stops();
    for _ in 0..n {
        reply.stop = None;
        let goal = goal(session);
        session.resume(Some(goal), reply);
        if reply.stop.as_ref().is_none_or(|s| s.reason != "step") {
            break;
        }
    }
    session.show_suppressed_stop(reply);
}

fn step(session: &mut Session, rest: &str, reply: &mut Reply) {
    match rest {
        "expr" => super::step_expr::step_expr(session, reply),
        "sub" => super::step_expr::step_sub(session, reply),
        _ if rest
            .split_whitespace()
            .all(|word| word.parse::<usize>().is_ok()) =>
        {
            let Some(n) = parse_count(rest, reply) else {
                return;
            };
            if require_stopped(session, reply) {
                times(session, n, reply, |_| StepTarget::Into);
            }
        }
        _ => super::step_expr::step_block(session, rest, reply),
    }
}

fn next(session: &mut Session, rest: &str, reply: &mut Reply) {
    if !require_stopped(session, reply) {
        return;
    }
    match rest {
        "event" => {
            let action = session.machine.store.action;
            session.resume(Some(StepTarget::NextAction(action)), reply);
        }
        "turn" => session.resume(Some(StepTarget::TurnEnd), reply),
        _ => {
            let Some(n) = parse_count(rest, reply) else {
                return;
            };
            times(session, n, reply, |s| {
                StepTarget::Over(s.machine.frames().len().max(1))
            });
        }
    }
}

fn finish(session: &mut Session, rest: &str, reply: &mut Reply) {
    let Some(n) = parse_count(rest, reply) else {
        return;
    };
    if !require_stopped(session, reply) {
        return;
    }
    let depth = session.machine.frames().len();
    let title = session
        .frame_info(n.min(depth).saturating_sub(1))
        .map(|l| l.name)
        .unwrap_or_default();
    session.resume(
        Some(StepTarget::Out((depth + 1).saturating_sub(n).max(1))),
        reply,
    );
    let value = session.machine.return_value();
    if reply.stop.as_ref().is_some_and(|s| s.reason == "step")
        && value != crate::value::Value::NOTHING
    {
        reply.line(format!("  {title} gave {}", session.format_value(value)));
    }
}

fn over(session: &mut Session, rest: &str, reply: &mut Reply) {
    let Some(n) = parse_count(rest, reply).filter(|_| require_stopped(session, reply)) else {
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
    if session.is_in_rebinding_loop() {
        session.show_rebinding_loop(reply);
    } else if session.step_over_loop(reply) {
        return;
    }
    let depth = session.machine.frames().len();
    let goal = match session.current_block() {
        Some((from, to)) => StepTarget::PastRange { depth, from, to },
        None => StepTarget::Over(depth),
    };
    session.resume(Some(goal), reply);
}

fn iter(session: &mut Session, rest: &str, reply: &mut Reply) {
    let Some(n) = parse_count(rest, reply).filter(|_| require_stopped(session, reply)) else {
        return;
    };
    session.suppress_stops();
    for round in 0..n {
        // Behind the last round there is no next one.
        let Some(goal) = next_round(session) else {
            if round == 0 {
                reply.error(NO_LOOP);
            }
            break;
        };
        reply.stop = None;
        session.resume(Some(goal), reply);
        if reply.stop.as_ref().is_none_or(|s| s.reason != "step") {
            break;
        }
    }
    session.show_suppressed_stop(reply);
}

fn next_round(session: &Session) -> Option<StepTarget> {
    let (id, pc) = session.machine.current_location()?;
    let function = session.machine.function(id)?.clone();
    let cycle = loop_info::innermost_loop(&function, pc)?;
    let pc = function.stop_point_before(pc).map_or(pc, |s| s.pc);
    let depth = session.machine.frames().len();
    Some(StepTarget::NextIteration {
        function,
        pc,
        depth,
        from: cycle.start,
        to: cycle.end,
    })
}

fn until(session: &mut Session, rest: &str, reply: &mut Reply) {
    if !require_stopped(session, reply) {
        return;
    }
    let Ok(line) = rest.parse::<u32>() else {
        return reply.error(format!(
            "say the number of a line: `{}`",
            super::example(session, "until")
        ));
    };
    let places = match session.line_location(line) {
        Ok(spot) => breakpoint::resolve(&spot, session.program(), &session.sources),
        Err(message) => return reply.error(message),
    };
    session.resume(
        Some(StepTarget::Addresses(places.into_iter().collect())),
        reply,
    );
}

fn go_on(session: &mut Session, rest: &str, reply: &mut Reply) {
    let Some(n) = parse_count(rest, reply).filter(|_| require_stopped(session, reply)) else {
        return;
    };
    session.suppress_stops();
    for _ in 0..n {
        reply.stop = None;
        reply.queued_commands.clear();
        session.resume(None, reply);
        if reply
            .stop
            .as_ref()
            .is_none_or(|s| !matches!(s.reason, "breakpoint" | "watch" | "event"))
        {
            break;
        }
    }
    session.show_suppressed_stop(reply);
}

/// Milliseconds between two steps of slow motion, and the most that can be wished for.
const PACE: u64 = 500;
const SLOWEST: u64 = 60_000;
/// Steps of slow motion where nobody could stop it.
const UNSEEN: usize = 100;

/// Slow motion at a stop; elsewhere the arrow keys, which are read by whoever has a keyboard: others are told how moves
/// are typed.
fn play(session: &mut Session, rest: &str, reply: &mut Reply) {
    let about = session.language().info();
    let Some([up, .., right]) = about
        .arrow_keys
        .filter(|_| !session.is_stopped() && rest.is_empty())
    else {
        return slow_motion(session, rest, reply);
    };
    if session.board_size().is_none() {
        return reply.error("there is no board yet");
    }
    reply.start_key_play = true;
    reply.line(format!(
        "there are no keys to press here: type the moves, as `{right}`, `{up} 3`"
    ));
}

fn slow_motion(session: &mut Session, rest: &str, reply: &mut Reply) {
    if !require_stopped(session, reply) {
        return;
    }
    let pace = if rest.is_empty() {
        Ok(PACE)
    } else {
        rest.parse::<u64>()
    };
    match pace {
        Ok(pace) if pace <= SLOWEST && session.view_settings.can_animate => {
            reply.animation_delay = Some(Duration::from_millis(pace))
        }
        Ok(pace) if pace <= SLOWEST => play_unpaced(session, reply),
        _ => reply.error(format!(
            "say how many milliseconds lie between two steps, at most {SLOWEST}: `play 300`"
        )),
    }
}

/// Slow motion where nobody looks on: some steps, without waiting.
pub fn play_unpaced(session: &mut Session, reply: &mut Reply) {
    for _ in 0..UNSEEN {
        reply.stop = None;
        session.resume(Some(StepTarget::Into), reply);
        if reply.stop.as_ref().is_none_or(|s| s.reason != "step") {
            return;
        }
    }
    reply.line(format!("{UNSEEN} steps; `play` goes on"));
}

fn abandon(session: &mut Session, _: &str, reply: &mut Reply) {
    match session.abandon() {
        Some(text) => {
            reply.line(format!("given up: {}", first_line(&text)));
            reply.show_board = true;
        }
        None => reply.error("nothing is stopped"),
    }
}

fn rules(session: &mut Session, rest: &str, reply: &mut Reply) {
    match rest {
        "on" | "off" => session.debugger.steps_into_rules = rest == "on",
        "" => {}
        _ => return reply.error("say `:rules on` or `:rules off`"),
    }
    reply.line(match session.debugger.steps_into_rules {
        true => "steps go through the rules of play",
        false => "steps pass over the rules of play",
    });
}
