//! Execution control: `step`, `next`, `finish`, `continue` and related commands.

use crate::analysis::loops;
use crate::answer::{CommandError, Control, Notice, Part, Setting, StopReason};
use crate::command::{Arguments, Command};
use crate::debugger::recorder::innermost_loop;
use crate::debugger::run;
use crate::debugger::{Plan, StepTarget, Target, breakpoint};
use crate::session::{Answer, AtInput, ComputerMoves, OnReload, Session, Sets};
use std::time::Duration;

pub const COMMANDS: &[Command] = &[
    answering!(Running, Nothing; "step", &["s"], "[n] | expr | sub | BLOCK", "step into: run to the next stop, entering calls and handlers; BLOCK is a dry run", "step 3", step; repeats(), at_input(AtInput::InPastAlone)),
    answering!(Running, Nothing; "next",
        &["n"],
        "[n] | event | turn",
        "step over: run to the next stop without entering calls; or to the end of the action or turn",
        "next",
        next; repeats(), at_input_in_past()
    ),
    answering!(Running, Nothing; "finish", &["fin"], "[n]", "step out: run until the current function or handler returns, and show its result", "finish", finish; at_input_in_past()),
    answering!(Running, Nothing; "over", &["o"], "[n]", "run the current loop, call or expression to its end in one step", "over", over; repeats(), at_input_in_past()),
    answering!(Running, Nothing; "iter", &[], "[n]", "run to the same statement in the next iteration", "iter", iter; repeats(), at_input_in_past()),
    answering!(Running, Nothing; "until", &[], "LINE", "run to a line", "until 31", until; at_input_in_past()),
    answering!(Running, Nothing; "continue", &["c"], "[n]", "resume until the next breakpoint or the end; with n, until the nth breakpoint; at an error, cancel the entry", "continue", continue_running; at_input_in_past()),
    answering!(Running, Nothing; "play",
        &[],
        "[ms]",
        "at a stop: step automatically until a key is pressed; otherwise: play with the arrow keys",
        "play 300",
        play; on_reload(OnReload::Skipped)
    ),
    answering!(Running, Nothing; "retry", &[], "", "at an error: run the failed statement again, after you changed a value or a definition", "retry", retry),
    answering!(Running, Nothing; "abandon", &["cancel"], "", "cancel the stopped action and undo its changes; inside an unfinished entry, `:cancel` discards it", "abandon", abandon; at_input(AtInput::Cancels), computer_moves(ComputerMoves::Never)),
    answering!(Running, Nothing; "rules", &[], "on | off", "step through the built-in rules of the game as well", ":rules on", rules; at_input(AtInput::Always), sets(Sets::Stops)),
];

const NOT_IN_LOOP: &str = "this statement is not in a loop; use `until LINE` or `continue`";

/// Fails unless the program is stopped, now or in the past.
pub(crate) fn require_stopped(session: &Session) -> Result<(), CommandError> {
    let target = &session.target;
    match target.is_stopped() || target.timeline.is_in_past(&target.machine) {
        true => Ok(()),
        false => Err(not_stopped(session)),
    }
}

/// The error of commands that need a stopped program.
pub(crate) fn not_stopped(session: &Session) -> CommandError {
    session.not_stopped()
}

/// Runs the program as planned.
fn follow(session: &mut Session, plan: Plan) -> Result<Answer, CommandError> {
    Ok(session.target.run(|run| run.follow(plan)))
}

fn step(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    let is_number = |word: &&str| word.parse::<usize>().is_ok();
    match arguments.text() {
        "expr" => super::step_expr::step_expr(session),
        "sub" => super::step_expr::step_sub(session),
        _ if arguments.words().iter().all(is_number) => {
            let n = arguments.count()?;
            require_stopped(session)?;
            follow(session, Plan::steps(n, |_| Some(StepTarget::Into)))
        }
        block => Ok(session.target.run(|run| run.start_dry_run(block))),
    }
}

fn next(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    require_stopped(session)?;
    let action = session.target.machine.store.action;
    match arguments.text() {
        "event" => {
            let goal = StepTarget::NextAction(action);
            follow(session, Plan::once(Some(goal)))
        }
        "turn" => follow(session, Plan::once(Some(StepTarget::TurnEnd))),
        _ => {
            let n = arguments.count()?;
            let over = |target: &Target| StepTarget::Over(target.machine.frames().len().max(1));
            follow(session, Plan::steps(n, move |target| Some(over(target))))
        }
    }
}

fn finish(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    let n = arguments.count()?;
    require_stopped(session)?;
    Ok(session.target.finish(n))
}

fn over(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    let n = arguments.count()?;
    require_stopped(session)?;
    let mut answer = Answer::new("");
    for _ in 0..n {
        answer.absorb(over_once(&mut session.target));
        if !is_at_step(&answer) {
            break;
        }
    }
    Ok(answer)
}

/// Whether the answer ends at a stop that a step led to.
fn is_at_step(answer: &Answer) -> bool {
    let stop = answer.stop.as_ref();
    stop.is_some_and(|s| s.reason == StopReason::Step)
}

fn over_once(target: &mut Target) -> Answer {
    let mut answer = Answer::new("");
    // A loop that is stepped over is shown as a table of its iterations.
    if loops::is_in_rebinding_loop(target) {
        let loops = loops::current_rebinding_loops(target);
        answer.parts.extend(loops.map(Part::LoopTables));
    } else if let Some(stepped) = loops::step_over_loop(target) {
        return stepped;
    }
    let depth = target.machine.frames().len();
    let step = match breakpoint::current_block(target) {
        Some((from, to)) => StepTarget::PastRange { depth, from, to },
        None => StepTarget::Over(depth),
    };
    answer.absorb(target.run(|run| run.resume(Some(step))));
    answer
}

fn iter(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    let n = arguments.count()?;
    require_stopped(session)?;
    if next_iteration(&session.target).is_none() {
        return Err(CommandError::new(NOT_IN_LOOP));
    }
    // After the last iteration, the program may have left the loop.
    follow(session, Plan::steps(n, next_iteration))
}

fn next_iteration(target: &Target) -> Option<StepTarget> {
    let (id, pc) = target.machine.current_location()?;
    let function = target.machine.function(id)?.clone();
    let loop_range = innermost_loop(&function, pc)?;
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

fn until(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    require_stopped(session)?;
    let Some(line) = arguments.number::<u32>() else {
        return Err(CommandError::new(format!(
            "`:until` needs a line number, e.g. `{}`",
            crate::command::example(session, "until")
        )));
    };
    let target = &session.target;
    let location = breakpoint::line_location(target, line).map_err(CommandError::new)?;
    let addresses = breakpoint::resolve(&location, target.program(), &target.sources);
    let goal = StepTarget::Addresses(addresses.into_iter().collect());
    follow(session, Plan::once(Some(goal)))
}

fn continue_running(
    session: &mut Session,
    arguments: Arguments<'_>,
) -> Result<Answer, CommandError> {
    let n = arguments.count()?;
    require_stopped(session)?;
    if let Some(entry) = session.target.cancel_failed_entry() {
        return Ok(cancelled(session, &entry));
    }
    follow(session, Plan::hits(n))
}

/// Time between two steps of `play`.
const DEFAULT_DELAY_MS: u64 = 500;
const MAX_DELAY_MS: u64 = 60_000;
/// Steps of `play` where no key press could end it.
const MAX_UNPACED_STEPS: usize = 100;

/// Animates at a stop. Otherwise, and if the language has arrow keys, asks the terminal to read
/// them; other front ends print the answer, which says how to type moves.
fn play(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    let info = session.target.language().info();
    let Some([up, .., right]) = info
        .arrow_keys
        .filter(|_| !session.target.is_stopped() && arguments.is_empty())
    else {
        return animate(session, arguments);
    };
    if session.board_size().is_none() {
        return Err(CommandError::new("there is no board yet"));
    }
    let mut answer = Answer::new("");
    answer.control = Some(Control::PlayKeys);
    answer.push(Notice::NoArrowKeys {
        examples: vec![right.to_string(), format!("{up} 3")],
    });
    Ok(answer)
}

fn animate(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    require_stopped(session)?;
    let delay_ms = match arguments.is_empty() {
        true => Some(DEFAULT_DELAY_MS),
        false => arguments.number::<u64>(),
    };
    match delay_ms {
        Some(ms) if ms <= MAX_DELAY_MS && session.view_settings.can_animate => {
            let mut answer = Answer::new("");
            answer.control = Some(Control::Animate {
                delay: Duration::from_millis(ms),
            });
            Ok(answer)
        }
        Some(ms) if ms <= MAX_DELAY_MS => Ok(play_unpaced(session)),
        _ => Err(CommandError::new(format!(
            "`:play` needs the milliseconds between two steps, at most {MAX_DELAY_MS}, e.g. `play 300`"
        ))),
    }
}

/// `play` without a terminal: runs a limited number of steps without waiting.
pub fn play_unpaced(session: &mut Session) -> Answer {
    let mut answer = Answer::new("");
    for _ in 0..MAX_UNPACED_STEPS {
        answer.absorb(session.target.run(|run| run.resume(Some(StepTarget::Into))));
        if !is_at_step(&answer) {
            return answer;
        }
    }
    answer.push(Notice::AnimationStopped {
        steps: MAX_UNPACED_STEPS,
    });
    answer
}

fn retry(session: &mut Session, _: Arguments<'_>) -> Result<Answer, CommandError> {
    require_stopped(session)?;
    let retried = session.target.retry();
    retried.ok_or_else(|| {
        CommandError::new("the program is not stopped at an error; use `step` or `continue`")
    })
}

fn abandon(session: &mut Session, _: Arguments<'_>) -> Result<Answer, CommandError> {
    let entry = session.target.abandon();
    let entry = entry.ok_or_else(|| not_stopped(session))?;
    Ok(cancelled(session, &entry))
}

/// Reports that an entry was cancelled. If it was typed at a stop, shows that stop.
fn cancelled(session: &mut Session, entry: &str) -> Answer {
    let mut answer = Answer::new("");
    answer.push(Notice::Cancelled {
        entry: entry.to_string(),
    });
    answer.show_changed_board();
    if session.target.is_stopped() {
        answer.absorb(run::reshow_stop(&mut session.target));
    }
    answer
}

fn rules(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    let debugger = &mut session.target.debugger;
    if let Some(is_on) = arguments.switch()? {
        debugger.steps_into_rules = is_on;
    }
    Ok(Answer::of(Setting::Rules(debugger.steps_into_rules)))
}
