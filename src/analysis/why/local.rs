//! Explains local variables and parameters of functions with equations.

use super::{Callers, Causes};
use crate::answer::{Explanation, ExplanationNode, Relation, Subject};
use crate::code::{Function, FunctionId, FunctionKind, Instr, Local, Reg, StopKind, ValueLoc};
use crate::debugger::frame;
use crate::debugger::recorder::{Call, ExecTrace, TraceEvent};
use crate::debugger::{FrameInfo, Target};
use crate::source::Span;
use crate::value::Value;
use crate::why::cause;
use crate::why::equations;

/// How many callers to follow for a parameter that is passed on unchanged.
const MAX_CALLERS_FOLLOWED: usize = 6;

/// The argument that a caller passed for a parameter.
struct Argument {
    caller: FrameInfo,
    /// The caller up to the call.
    trace: ExecTrace,
    expr: Span,
}

/// Explains the value of a local in the selected frame. `None` if its function has no
/// equations.
pub fn why_local(target: &mut Target, name: &str) -> Option<Explanation> {
    let from_top = target.debugger.selected_frame;
    let info = frame::frame_info(target, from_top)?;
    let function = target.machine.function(info.function)?.clone();
    let (local, value) = frame::locals(target, from_top)
        .into_iter()
        .rfind(|(l, _)| l.name.as_str() == name)?;
    if !can_explain_locals(&function) {
        return None;
    }
    let subject = Subject::Local {
        name: name.to_string(),
        value: target.format_value(value),
    };
    let (causes, time) = match local.register < function.parameter_count {
        true => (causes_of_parameter(target, from_top, local.register), None),
        false => causes_of_binding(target, from_top, &info, local),
    };
    Some(cause::explanation(target, subject, time, causes))
}

/// Explains a local bound by `let` or by an iteration of a loop. Returns the time of the
/// binding, too.
fn causes_of_binding(
    target: &mut Target,
    from_top: usize,
    info: &FrameInfo,
    local: Local,
) -> (Causes, Option<u64>) {
    let now = target.machine.time();
    let Some(trace) = equations::trace_frame(target, info, now, None) else {
        return (Causes::default(), None);
    };
    if let Some((expr, time)) = last_binding(&trace, &local) {
        let causes = Causes {
            nodes: equations::origin_nodes(target, info, expr, &trace),
            callers: Callers::default(),
        };
        return (causes, Some(time));
    }
    // The loop has not rebound it yet, so it has the value of the outer variable.
    let outer = target.machine.function(info.function).and_then(|f| {
        f.locals
            .iter()
            .filter(|l| l.name == local.name && l.start_pc < local.start_pc)
            .max_by_key(|l| l.start_pc)
            .copied()
    });
    match outer {
        Some(outer) if outer.register < parameter_count(target, info.function) => {
            (causes_of_parameter(target, from_top, outer.register), None)
        }
        Some(outer) => causes_of_binding(target, from_top, info, outer),
        None => (Causes::default(), None),
    }
}

fn parameter_count(target: &Target, function: FunctionId) -> u16 {
    target
        .machine
        .function(function)
        .map_or(0, |f| f.parameter_count)
}

/// Explains a parameter: the argument in the caller, and where the caller got it from.
fn causes_of_parameter(target: &mut Target, from_top: usize, register: Reg) -> Causes {
    let mut nodes = Vec::new();
    let (mut from_top, mut register) = (from_top, register);
    for _ in 0..MAX_CALLERS_FOLLOWED {
        let Some(argument) = argument(target, from_top, register) else {
            break;
        };
        from_top += 1;
        let caller = &argument.caller;
        let passed_local = passed_local(target, from_top, caller, argument.expr);
        if let Some((local, value)) = passed_local
            && local.register >= parameter_count(target, caller.function)
        {
            let (causes, time) = causes_of_binding(target, from_top, caller, local);
            nodes.push(ExplanationNode {
                name: Some(local.name.to_string()),
                value: Some(target.format_value(value)),
                time,
                children: causes.nodes,
                ..ExplanationNode::new(Relation::Local)
            });
            return Causes {
                nodes,
                callers: causes.callers,
            };
        }
        nodes.extend(argument_node(target, &argument, passed_local.is_none()));
        match passed_local {
            Some((next, _)) => register = next.register,
            None => break,
        }
    }
    let now = target.machine.time();
    let callers = target.with_time(|s| cause::callers(s, from_top, now));
    Causes { nodes, callers }
}

/// The expression that the caller passed for a parameter; with `explains_value`, also how its
/// value came about.
fn argument_node(
    target: &Target,
    argument: &Argument,
    explains_value: bool,
) -> Option<ExplanationNode> {
    let Argument {
        caller,
        trace,
        expr,
    } = argument;
    let root: &Call = trace.calls.first()?;
    let is_entry = caller.kind == FunctionKind::Entry;
    let mut children = Vec::new();
    if !is_entry {
        children.push(equations::frame_node(target, root, *expr));
    }
    if explains_value {
        children.push(ExplanationNode {
            statement: is_entry.then(|| target.excerpt(caller.span)),
            ..equations::expression_node(target, root, *expr, trace)
        });
    }
    Some(ExplanationNode {
        function: (!is_entry).then(|| caller.name.clone()),
        expression: Some(target.excerpt(*expr)),
        children,
        ..ExplanationNode::new(Relation::Argument)
    })
}

/// The argument that the caller of a frame passed for a parameter.
fn argument(target: &mut Target, from_top: usize, register: Reg) -> Option<Argument> {
    let info = frame::frame_info(target, from_top)?;
    let caller = frame::frame_info(target, from_top + 1)?;
    let start_target = equations::call_start_target(target, &info)?;
    let now = target.machine.time();
    let time = target
        .with_time(|s| s.last_hit_before(start_target, now + 1))?
        .checked_sub(1)?;
    let code = &target.machine.function(caller.function)?.code;
    let Some(Instr::Call { base, .. }) = code.get(caller.pc as usize) else {
        return None;
    };
    let argument_register = base + register;
    let trace = equations::trace_frame(target, &caller, time, None)?;
    let events = &trace.calls.first()?.events;
    let expr = events.iter().rev().find_map(|event| match event {
        TraceEvent::Bind {
            register, pc, expr, ..
        } if (*register, *pc) == (argument_register, caller.pc) => Some(*expr),
        _ => None,
    })?;
    Some(Argument {
        caller,
        trace,
        expr,
    })
}

/// The local variable that an expression consists of, if it is just a name.
fn passed_local(
    target: &Target,
    from_top: usize,
    info: &FrameInfo,
    expr: Span,
) -> Option<(Local, Value)> {
    let name = target.sources.slice(expr);
    frame::locals(target, from_top)
        .into_iter()
        .rfind(|(l, _)| l.name.as_str() == name && info.kind != FunctionKind::Entry)
}

/// Whether a function has equations or bindings, so that the values of its locals can be traced.
fn can_explain_locals(function: &Function) -> bool {
    function
        .value_infos
        .iter()
        .any(|info| matches!(info.loc, ValueLoc::Bind(_)))
        || function
            .stop_points
            .first()
            .is_some_and(|stop| stop.kind == StopKind::Equation)
}

/// The expression that a local was last bound to, and when.
fn last_binding(trace: &ExecTrace, local: &Local) -> Option<(Span, u64)> {
    let events = &trace.calls.first()?.events;
    events.iter().rev().find_map(|event| match event {
        TraceEvent::Bind {
            register,
            name: Some(name),
            expr,
            time,
            ..
        } if *register == local.register && name == local.name.as_str() => Some((*expr, *time)),
        _ => None,
    })
}
