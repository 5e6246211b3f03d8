//! Execution control: `step`, `next`, `finish`, `continue` and related commands.

use super::{Command, parse_count};
use crate::debugger::api::{Control, StopReason};
use crate::debugger::{StepTarget, Target, breakpoint, loop_info};
use crate::session::{Answer, Session, cancelled_message};
use std::time::Duration;

pub const COMMANDS: &[Command] = &[
    command!(Running, Nothing; "step", &["s"], "[n] | expr | sub | BLOCK", "step into: run to the next stop, entering calls and handlers; BLOCK is a dry run", "step 3", step),
    command!(Running, Nothing; "next",
        &["n"],
        "[n] | event | turn",
        "step over: run to the next stop without entering calls; or to the end of the action or turn",
        "next",
        next
    ),
    command!(Running, Nothing; "finish", &["fin"], "[n]", "step out: run until the current function or handler returns, and show its result", "finish", finish),
    command!(Running, Nothing; "over", &["o"], "[n]", "run the current loop, call or expression to its end in one step", "over", over),
    command!(Running, Nothing; "iter", &[], "[n]", "run to the same statement in the next iteration", "iter", iter),
    command!(Running, Nothing; "until", &[], "LINE", "run to a line", "until 31", until),
    command!(Running, Nothing; "continue", &["c"], "[n]", "resume until the next breakpoint or the end; with n, until the nth breakpoint", "continue", continue_running),
    command!(Running, Nothing; "play",
        &[],
        "[ms]",
        "at a stop: step automatically until a key is pressed; otherwise: play with the arrow keys",
        "play 300",
        play
    ),
    command!(Running, Nothing; "abandon", &[], "", "cancel the stopped action and undo its changes", "abandon", abandon),
    command!(Running, Nothing; "rules", &[], "on | off", "step through the built-in rules of the game as well", ":rules on", rules),
];

const NOT_IN_LOOP: &str = "this statement is not in a loop; use `until LINE` or `continue`";

/// Returns true at a stop or in the past; reports an error otherwise.
pub(super) fn require_stopped(session: &Session, reply: &mut Answer) -> bool {
    if !session.target.is_stopped() && !session.target.timeline.is_in_past(&session.target.machine)
    {
        reply.error(session.not_stopped_message());
        return false;
    }
    true
}

/// Repeats a step until something other than a step stops the program. Only the last stop is shown.
fn repeat_step(
    session: &mut Session,
    n: usize,
    reply: &mut Answer,
    goal: impl Fn(&Target) -> StepTarget,
) {
    reply.absorb(session.target.run(|run| {
        for _ in 0..n {
            run.resume(Some(goal(run.target)));
            if run.stop_reason() != Some(StopReason::Step) {
                break;
            }
        }
    }));
}

fn step(session: &mut Session, rest: &str, reply: &mut Answer) {
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
                repeat_step(session, n, reply, |_| StepTarget::Into);
            }
        }
        _ => super::step_expr::step_block(session, rest, reply),
    }
}

fn next(session: &mut Session, rest: &str, reply: &mut Answer) {
    if !require_stopped(session, reply) {
        return;
    }
    match rest {
        "event" => {
            let action = session.target.machine.store.action;
            reply.absorb(
                session
                    .target
                    .run(|run| run.resume(Some(StepTarget::NextAction(action)))),
            );
        }
        "turn" => reply.absorb(
            session
                .target
                .run(|run| run.resume(Some(StepTarget::TurnEnd))),
        ),
        _ => {
            let Some(n) = parse_count(rest, reply) else {
                return;
            };
            repeat_step(session, n, reply, |target| {
                StepTarget::Over(target.machine.frames().len().max(1))
            });
        }
    }
}

fn finish(session: &mut Session, rest: &str, reply: &mut Answer) {
    let Some(n) = parse_count(rest, reply) else {
        return;
    };
    if !require_stopped(session, reply) {
        return;
    }
    let depth = session.target.machine.frames().len();
    let name = session
        .target
        .frame_info(n.min(depth).saturating_sub(1))
        .map(|frame| frame.name)
        .unwrap_or_default();
    reply.absorb(
        session
            .target
            .run(|run| run.resume(Some(StepTarget::Out((depth + 1).saturating_sub(n).max(1))))),
    );
    let value = session.target.machine.return_value();
    if reply
        .stop
        .as_ref()
        .is_some_and(|s| s.reason == StopReason::Step)
        && value != crate::value::Value::NOTHING
    {
        reply.line(format!(
            "  {name} returned {}",
            session.target.format_value(value)
        ));
    }
}

fn over(session: &mut Session, rest: &str, reply: &mut Answer) {
    let Some(n) = parse_count(rest, reply).filter(|_| require_stopped(session, reply)) else {
        return;
    };
    for _ in 0..n {
        reply.stop = None;
        over_once(session, reply);
        if reply
            .stop
            .as_ref()
            .is_none_or(|s| s.reason != StopReason::Step)
        {
            break;
        }
    }
}

fn over_once(session: &mut Session, reply: &mut Answer) {
    // A loop that is stepped over is shown as a table of its iterations.
    if session.target.is_in_rebinding_loop() {
        session.show_rebinding_loop(reply);
    } else if session.step_over_loop(reply) {
        return;
    }
    let depth = session.target.machine.frames().len();
    let target = match session.target.current_block() {
        Some((from, to)) => StepTarget::PastRange { depth, from, to },
        None => StepTarget::Over(depth),
    };
    reply.absorb(session.target.run(|run| run.resume(Some(target))));
}

fn iter(session: &mut Session, rest: &str, reply: &mut Answer) {
    let Some(n) = parse_count(rest, reply).filter(|_| require_stopped(session, reply)) else {
        return;
    };
    let mut is_in_loop = true;
    reply.absorb(session.target.run(|run| {
        for step in 0..n {
            // After the last iteration, the program may have left the loop.
            let Some(goal) = next_iteration(run.target) else {
                is_in_loop = step > 0;
                break;
            };
            run.resume(Some(goal));
            if run.stop_reason() != Some(StopReason::Step) {
                break;
            }
        }
    }));
    if !is_in_loop {
        reply.error(NOT_IN_LOOP);
    }
}

fn next_iteration(target: &Target) -> Option<StepTarget> {
    let (id, pc) = target.machine.current_location()?;
    let function = target.machine.function(id)?.clone();
    let loop_range = loop_info::innermost_loop(&function, pc)?;
    let pc = function.stop_point_before(pc).map_or(pc, |s| s.pc);
    let depth = target.machine.frames().len();
    Some(StepTarget::NextIteration {
        function,
        pc,
        depth,
        from: loop_range.start,
        to: loop_range.end,
    })
}

fn until(session: &mut Session, rest: &str, reply: &mut Answer) {
    if !require_stopped(session, reply) {
        return;
    }
    let Ok(line) = rest.parse::<u32>() else {
        return reply.error(format!(
            "`:until` needs a line number, e.g. `{}`",
            super::example(session, "until")
        ));
    };
    let addresses = match session.target.line_location(line) {
        Ok(location) => {
            breakpoint::resolve(&location, session.target.program(), &session.target.sources)
        }
        Err(message) => return reply.error(message),
    };
    reply.absorb(
        session
            .target
            .run(|run| run.resume(Some(StepTarget::Addresses(addresses.into_iter().collect())))),
    );
}

fn continue_running(session: &mut Session, rest: &str, reply: &mut Answer) {
    let Some(n) = parse_count(rest, reply).filter(|_| require_stopped(session, reply)) else {
        return;
    };
    reply.absorb(session.target.run(|run| {
        for _ in 0..n {
            run.resume(None);
            if !run.stop_reason().is_some_and(StopReason::is_hit) {
                break;
            }
        }
    }));
}

/// Time between two steps of `play`.
const DEFAULT_DELAY_MS: u64 = 500;
const MAX_DELAY_MS: u64 = 60_000;
/// Steps of `play` where no key press could end it.
const MAX_UNPACED_STEPS: usize = 100;

/// Animates at a stop. Otherwise, and if the language has arrow keys, asks the terminal to read
/// them; other front ends print the reply, which says how to type moves.
fn play(session: &mut Session, rest: &str, reply: &mut Answer) {
    let info = session.target.language().info();
    let Some([up, .., right]) = info
        .arrow_keys
        .filter(|_| !session.target.is_stopped() && rest.is_empty())
    else {
        return animate(session, rest, reply);
    };
    if session.board_size().is_none() {
        return reply.error("there is no board yet");
    }
    reply.control = Some(Control::PlayKeys);
    reply.line(format!(
        "No arrow keys here: type the moves instead, e.g. `{right}` or `{up} 3`"
    ));
}

fn animate(session: &mut Session, rest: &str, reply: &mut Answer) {
    if !require_stopped(session, reply) {
        return;
    }
    let delay_ms = if rest.is_empty() {
        Ok(DEFAULT_DELAY_MS)
    } else {
        rest.parse::<u64>()
    };
    match delay_ms {
        Ok(ms) if ms <= MAX_DELAY_MS && session.view_settings.can_animate => {
            reply.control = Some(Control::Animate {
                delay: Duration::from_millis(ms),
            })
        }
        Ok(ms) if ms <= MAX_DELAY_MS => play_unpaced(session, reply),
        _ => reply.error(format!(
            "`:play` needs the milliseconds between two steps, at most {MAX_DELAY_MS}, e.g. `play 300`"
        )),
    }
}

/// `play` without a terminal: runs a limited number of steps without waiting.
pub fn play_unpaced(session: &mut Session, reply: &mut Answer) {
    for _ in 0..MAX_UNPACED_STEPS {
        reply.stop = None;
        reply.absorb(session.target.run(|run| run.resume(Some(StepTarget::Into))));
        if reply
            .stop
            .as_ref()
            .is_none_or(|s| s.reason != StopReason::Step)
        {
            return;
        }
    }
    reply.line(format!("{MAX_UNPACED_STEPS} steps; `play` continues"));
}

fn abandon(session: &mut Session, _: &str, reply: &mut Answer) {
    match session.target.abandon() {
        Some(text) => {
            reply.line(cancelled_message(&text));
            reply.show_board = true;
        }
        None => reply.error(session.not_stopped_message()),
    }
}

fn rules(session: &mut Session, rest: &str, reply: &mut Answer) {
    match rest {
        "on" | "off" => session.target.debugger.steps_into_rules = rest == "on",
        "" => {}
        _ => return reply.error("use `:rules on` or `:rules off`"),
    }
    reply.line(match session.target.debugger.steps_into_rules {
        true => "Steps go through the rules of the game",
        false => "Steps skip the rules of the game",
    });
}
