//! Inspects the stopped program: frames, locals, values. Nothing here changes the game.

use crate::Target;
use crate::answer::{Variable, VariableScope};
use crate::code::{FunctionId, FunctionKind, Local, Reg};
use crate::diff;
use crate::language::{FrameScope, OuterScope};
use crate::source::Span;
use crate::value::{Unpacked, Value};

/// A stack frame, as it is displayed.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameInfo {
    /// Counted from the outermost frame, which is 0.
    pub index: usize,
    /// The function that it runs.
    pub function: FunctionId,
    /// The instruction that it executes next; in a caller, its call.
    pub pc: u32,
    /// The displayed name of the function.
    pub name: String,
    /// The kind of the function.
    pub kind: FunctionKind,
    /// A frame of the built-in rules, shown only with `:rules on`.
    pub is_hidden: bool,
    /// The statement being executed.
    pub span: Span,
}

/// A frame, counted from the innermost, which is 0.
pub fn frame_info(target: &Target, from_top: usize) -> Option<FrameInfo> {
    let frames = target.machine.frames();
    let index = frames.len().checked_sub(from_top + 1)?;
    let frame = frames.get(index)?;
    let function = target.machine.function(frame.function)?;
    let pc = target.machine.executing_pc(index);
    let stop = function
        .stop_point_before(pc)
        .or(function.stop_points.first());
    let is_rules = function.kind == FunctionKind::Rules;
    let name = function
        .alias
        .filter(|_| is_rules)
        .unwrap_or(function.name)
        .to_string();
    let is_hidden = is_rules && function.alias.is_none();
    let span = stop.map_or(function.span, |s| s.span);
    Some(FrameInfo {
        index,
        function: frame.function,
        pc,
        name,
        kind: function.kind,
        is_hidden,
        span,
    })
}

/// The frame selected at a stop, counted from the innermost: the innermost one in the user's
/// code, or the innermost of all with `:rules on`.
pub fn default_frame(target: &Target) -> usize {
    if target.debugger.steps_into_rules {
        return 0;
    }
    (0..target.machine.frames().len())
        .find(|n| frame_info(target, *n).is_some_and(|frame| !frame.is_hidden))
        .unwrap_or(0)
}

/// The frames that are listed, innermost first, counted from the top of the machine's stack.
/// Frames of the built-in rules are left out unless `:rules on` is set.
pub fn visible_frames(target: &Target) -> Vec<usize> {
    let all = 0..target.machine.frames().len();
    let visible: Vec<usize> = all
        .clone()
        .filter(|n| frame_info(target, *n).is_some_and(|frame| !frame.is_hidden))
        .collect();
    if target.debugger.steps_into_rules || visible.is_empty() {
        all.collect()
    } else {
        visible
    }
}

/// The number of the selected frame among the visible ones.
pub fn selected_frame_number(target: &Target) -> usize {
    visible_frames(target)
        .iter()
        .position(|n| *n == target.debugger.selected_frame)
        .unwrap_or(0)
}

/// The variables of the selected frame that have a value.
pub fn selected_locals(target: &Target) -> Vec<Variable> {
    frame_variables_as(target, target.debugger.selected_frame, |v| {
        target.format_value(v)
    })
}

/// The variables of the program that have a value.
pub fn global_variables(target: &Target) -> Vec<Variable> {
    let variables = target.named_values().variables;
    describe_globals(target, variables)
}

/// Describes variables of the program by their names and values.
pub fn describe_globals(target: &Target, variables: Vec<(String, Value)>) -> Vec<Variable> {
    variables
        .into_iter()
        .map(|(name, value)| Variable {
            changed: has_changed_since_stop(target, &name, value),
            name,
            type_name: value_type(target, value),
            value: target.format_value(value),
            scope: VariableScope::Global,
        })
        .collect()
}

/// Whether a variable of the program has another value than at the last stop. An object counts
/// as changed only if it has been replaced.
fn has_changed_since_stop(target: &Target, name: &str, value: Value) -> bool {
    let fields = diff::last_stop_fields(target).iter();
    if let Some((_, before)) = fields.clone().find(|(n, _)| n == name) {
        return *before != target.format_value(value);
    }
    let global = target.program().global(name);
    let state = target.debugger.last_stop_state.as_ref();
    global
        .zip(state)
        .is_some_and(|(global, state)| state.global(global).is_some_and(|old| old != value))
}

/// The cell of the piece whose handler a frame belongs to, in the language's notation.
pub fn handler_cell_text(target: &Target, from_top: usize) -> Option<String> {
    handler_cell(target, from_top)
        .map(|(r, c)| target.program().board_info.format_cell(r.into(), c.into()))
}

/// The cell of the piece whose handler a frame, counted from the innermost, belongs to.
pub fn handler_cell(target: &Target, from_top: usize) -> Option<(u32, u32)> {
    let frames = target.machine.frames();
    let frame = frames.get(frames.len().checked_sub(from_top + 1)?)?;
    match frame.self_piece.unpack() {
        Unpacked::PieceRef(cell, _) => Some(target.machine.store.row_col(cell)),
        _ => None,
    }
}

/// The names by which a handler refers to its piece's row and column, with their values.
pub fn handler_cell_variables(
    target: &Target,
    from_top: usize,
) -> Option<[(&'static str, u32); 2]> {
    frame_info(target, from_top).filter(|frame| frame.kind == FunctionKind::Handler)?;
    let (row, col) = handler_cell(target, from_top)?;
    let (a, b) = target.program().board_info.self_coord_names?;
    Some([(a, row), (b, col)])
}

/// Runs `f` with the frame with this index selected.
pub fn with_selected_frame<R>(
    target: &mut Target,
    index: usize,
    f: impl FnOnce(&mut Target) -> R,
) -> R {
    let from_top = target.machine.frames().len().saturating_sub(index + 1);
    let selected = std::mem::replace(&mut target.debugger.selected_frame, from_top);
    let result = f(target);
    target.debugger.selected_frame = selected;
    result
}

/// The selected frame, counted from the outermost.
pub fn selected_frame_index(target: &Target) -> usize {
    target
        .machine
        .frames()
        .len()
        .saturating_sub(target.debugger.selected_frame + 1)
}

/// The local variables of a frame, without those that an inner scope shadows. Inner scopes come
/// last.
pub fn locals(target: &Target, from_top: usize) -> Vec<(Local, Value)> {
    let Some(frame) = frame_info(target, from_top) else {
        return Vec::new();
    };
    let Some(function) = target.machine.function(frame.function) else {
        return Vec::new();
    };
    let registers = target.machine.registers(frame.index);
    let mut locals: Vec<(Local, Value)> = Vec::new();
    for local in function.locals_at(frame.pc) {
        let value = registers
            .get(local.register as usize)
            .copied()
            .unwrap_or(Value::NOTHING);
        locals.retain(|(l, _)| l.name != local.name);
        locals.push((*local, value));
    }
    locals
}

/// The index of the frame that declares the variables of a frame: for an entry typed at a stop,
/// the frame that was stopped.
pub fn variables_frame(target: &Target, index: usize) -> usize {
    let below = |index: &usize| Some(target.machine.stopped_frame_below(*index)?.0);
    std::iter::successors(Some(index), below)
        .last()
        .unwrap_or(index)
}

/// Where a frame's variables are declared, if it is an entry typed at a stop.
fn outer_scope(target: &Target, index: usize) -> Option<OuterScope> {
    let (stopped, registers) = target.machine.stopped_frame_below(index)?;
    let function = target.machine.frames().get(stopped)?.function;
    let registers = registers.to_vec();
    let Some(outer) = outer_scope(target, stopped) else {
        return Some(OuterScope {
            function,
            registers,
        });
    };
    // Entries typed at the stop of another entry: only what that one has from its own stop.
    let declared = |register: &Reg| outer.registers.get(usize::from(*register)).copied();
    Some(OuterScope {
        function: outer.function,
        registers: registers.iter().map_while(declared).collect(),
    })
}

/// What an entry at a stop can refer to; `None` if the program is not stopped.
pub fn frame_scope(target: &Target) -> Option<FrameScope> {
    if !target.is_stopped() {
        return None;
    }
    let locals = locals(target, target.debugger.selected_frame)
        .into_iter()
        .map(|(local, _)| local)
        .collect();
    let in_handler = handler_cell(target, target.debugger.selected_frame).is_some();
    let function = frame_info(target, target.debugger.selected_frame).map(|frame| frame.function);
    Some(FrameScope {
        locals,
        in_handler,
        function,
        outer: outer_scope(target, selected_frame_index(target)),
    })
}

/// The variables of a frame that have a value; those of a handler's cell come first. A piece is
/// described with its cell.
pub fn frame_variables(target: &Target, frame: usize) -> Vec<Variable> {
    frame_variables_as(target, frame, |v| target.format_value_with_cell(v))
}

/// The variables that a frame had at the last stop, as name and value; empty if that stop was in
/// another call.
fn locals_at_last_stop(target: &Target, frame: usize) -> &[(String, String)] {
    let info = frame_info(target, frame);
    match (&target.debugger.last_stop_locals, info) {
        (Some(stop), Some(info)) if stop.frame == (info.index, info.function) => &stop.locals,
        _ => &[],
    }
}

/// Remembers the variables of the selected frame, to tell at the next stop which have changed.
pub fn remember_stop_locals(target: &mut Target) {
    let frame = target.debugger.selected_frame;
    let locals = locals(target, frame).into_iter();
    let locals = locals
        .map(|(l, v)| (l.name.to_string(), target.format_value(v)))
        .collect();
    target.debugger.last_stop_locals = frame_info(target, frame).map(|info| StopLocals {
        frame: (info.index, info.function),
        locals,
    });
}

/// The type of a value, in the language's words.
pub fn value_type(target: &Target, value: Value) -> String {
    let store = &target.machine.store;
    target.language.value_type(target.program(), store, value)
}

/// The variables of a frame that have a value, formatted by `format`.
pub(crate) fn frame_variables_as(
    target: &Target,
    frame: usize,
    format: impl Fn(Value) -> String,
) -> Vec<Variable> {
    let handler_cell = handler_cell_variables(target, frame)
        .into_iter()
        .flatten()
        .map(|(name, n)| Variable {
            name: name.to_string(),
            type_name: value_type(target, Value::int(n as i32)),
            value: n.to_string(),
            changed: false,
            scope: VariableScope::Local,
        });
    let locals = locals(target, frame);
    let locals = locals.iter().filter(|(_, v)| *v != Value::NOTHING);
    let before = locals_at_last_stop(target, frame);
    let has_changed = |name: &str, value: Value| {
        let old = before.iter().find(|(n, _)| n == name);
        old.is_some_and(|(_, old)| *old != target.format_value(value))
    };
    let locals = locals.map(|(l, v)| Variable {
        name: l.name.to_string(),
        type_name: value_type(target, *v),
        value: format(*v),
        changed: has_changed(l.name.as_str(), *v),
        scope: VariableScope::Local,
    });
    handler_cell.chain(locals).collect()
}

/// The variables of a frame at a stop.
pub(crate) struct StopLocals {
    /// The frame's index, counted from the outermost, and its function.
    frame: (usize, FunctionId),
    /// Names and values.
    locals: Vec<(String, String)>,
}
