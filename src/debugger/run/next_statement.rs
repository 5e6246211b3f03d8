//! The statement that runs next, when the machine is between two statements.

use crate::code::flow::Control;
use crate::code::{Function, FunctionKind, Instr};
use crate::frame;
use crate::machine::UntilTime;
use crate::source::Span;
use crate::{FrameInfo, HistoryAction, HistoryEntry, StepTarget, Target};

/// How many jumps from one statement to the next are followed.
const MAX_JUMPS_FOLLOWED: usize = 64;

/// What runs next in a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum NextStatement {
    /// The statement of the frame has not started, or has not ended.
    Current,
    /// The statement of the frame has ended; this one is next.
    Other(Span),
    /// The statement of the frame has ended, and so does its function: at this brace, if there is
    /// one.
    End(Option<Span>),
}

/// The statement that is shown for a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FrameStatement {
    /// What is shown: `next`, or what has just run if nothing follows.
    pub shown: Span,
    /// What runs next; in a caller, its call. `None` if the frame ends.
    pub next: Option<Span>,
    /// The statement that has just run, if the frame is between two statements.
    pub finished: Option<Span>,
}

/// The statement that is shown for a frame, counted from the innermost.
pub fn frame_statement(target: &mut Target, from_top: usize) -> Option<FrameStatement> {
    let info = frame::frame_info(target, from_top)?;
    Some(statement_of(target, from_top, &info))
}

/// The same for a frame that has been described.
pub fn statement_of(target: &mut Target, from_top: usize, info: &FrameInfo) -> FrameStatement {
    let current = info.span;
    let (next, finished) = match next_statement(target, from_top, info) {
        NextStatement::Current => (Some(current), None),
        NextStatement::Other(span) => (Some(span), last_run(target, from_top, info)),
        NextStatement::End(brace) => (brace, last_run(target, from_top, info)),
    };
    FrameStatement {
        shown: next.unwrap_or(current),
        next,
        finished,
    }
}

/// The statement of a frame that has run last: the one before it in the code may have been skipped.
fn last_run(target: &mut Target, from_top: usize, info: &FrameInfo) -> Option<Span> {
    if from_top > 0 {
        return Some(info.span);
    }
    let (depth, now) = (info.index + 1, target.machine.time());
    target.with_time(|target| {
        target.last_hit_before(StepTarget::Over(depth), now)?;
        let from_top = target.machine.frames().len().checked_sub(depth)?;
        let last = frame::frame_info(target, from_top)?;
        (last.function == info.function).then_some(last.span)
    })
}

/// What runs next in a frame, counted from the innermost.
fn next_statement(target: &mut Target, from_top: usize, info: &FrameInfo) -> NextStatement {
    if from_top == 0 {
        return innermost_next_statement(target, info);
    }
    let Some(entry) = entry_typed_at(target, info.index) else {
        return NextStatement::Current;
    };
    let stopped = entry.before.clone();
    target.with_rollback(|target| {
        target.machine.restore(&stopped);
        let info = frame::frame_info(target, 0);
        info.map_or(NextStatement::Current, |info| {
            innermost_next_statement(target, &info)
        })
    })
}

fn innermost_next_statement(target: &mut Target, info: &FrameInfo) -> NextStatement {
    match is_between_statements(target, info) {
        true => target.with_rollback(|target| follow_jumps(target, info)),
        false => NextStatement::Current,
    }
}

/// The entry on top of the frame with this index, if it was typed while that frame was stopped.
pub fn entry_typed_at(target: &Target, frame: usize) -> Option<&HistoryEntry> {
    target.machine.stopped_frame_below(frame + 1)?;
    let entries = target.timeline.entries().iter().rev();
    entries
        .filter(|r| matches!(r.action, HistoryAction::EvalInFrame { .. }))
        .find(|r| r.before.depth() == frame + 1)
}

/// Runs what follows a statement that has ended, until the next one.
fn follow_jumps(target: &mut Target, info: &FrameInfo) -> NextStatement {
    for _ in 0..MAX_JUMPS_FOLLOWED {
        let Some(function) = target.machine.function(info.function).cloned() else {
            break;
        };
        let Some(pc) = target.machine.current_location().map(|(_, pc)| pc) else {
            break;
        };
        // The rules of play that follow an entry are not part of it.
        let is_in_rules = target.machine.frames().len() > info.index + 1;
        let stop = function.stop_point_at(pc).filter(|_| !is_in_rules);
        if let Some(stop) = stop {
            return NextStatement::Other(stop.span);
        }
        let next = target.machine.next_instruction();
        if is_in_rules || matches!(next, Some(Instr::Return { .. } | Instr::ReturnNothing)) {
            return NextStatement::End(closing_brace(target, &function));
        }
        if !is_between_statements(target, info) {
            break;
        }
        let next = target.machine.time() + 1;
        target.machine.run_observed(&mut UntilTime(next));
    }
    NextStatement::Current
}

/// Whether the statement of the innermost frame has ended: nothing that follows, up to the next
/// one, belongs to it.
fn is_between_statements(target: &Target, info: &FrameInfo) -> bool {
    let next = target.machine.current_location();
    let Some((function, pc)) = next.and_then(|(f, pc)| Some((target.machine.function(f)?, pc)))
    else {
        return false;
    };
    let is_own = |span: &Span| span.start < span.end && info.span.contains(*span);
    let from = pc as usize;
    function.stop_point_at(pc).is_none()
        && match function.code.get(from) {
            Some(Instr::ReturnNothing) => true,
            // It only continues elsewhere, perhaps with the next element of a loop.
            Some(instr)
                if matches!(instr.flow().control, Control::Jump(_) | Control::Repeat(_)) =>
            {
                true
            }
            Some(_) => {
                let to = function.stop_points.iter().map(|s| s.pc as usize);
                let to = to.filter(|to| *to > from).min();
                let rest = function.spans.get(from..to.unwrap_or(function.spans.len()));
                rest.is_some_and(|rest| !rest.iter().any(is_own))
            }
            None => false,
        }
}

/// The brace at the end of a function.
fn closing_brace(target: &Target, function: &Function) -> Option<Span> {
    let start = function.span.end.checked_sub(1)?;
    let brace = Span {
        start,
        ..function.span
    };
    (function.kind != FunctionKind::Entry && target.sources.slice(brace) == "}").then_some(brace)
}
