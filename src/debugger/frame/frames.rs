//! Inspects the stopped program: frames, locals, values. Nothing here changes the game.

use crate::answer::{Variable, VariableScope};
use crate::code::{FunctionId, FunctionKind, Local, Reg};
use crate::debugger::Target;
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

impl Target {
    /// A frame, counted from the innermost, which is 0.
    pub fn frame_info(&self, from_top: usize) -> Option<FrameInfo> {
        let frames = self.machine.frames();
        let index = frames.len().checked_sub(from_top + 1)?;
        let frame = frames.get(index)?;
        let function = self.machine.function(frame.function)?;
        let pc = self.machine.executing_pc(index);
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
    pub(crate) fn default_frame(&self) -> usize {
        if self.debugger.steps_into_rules {
            return 0;
        }
        (0..self.machine.frames().len())
            .find(|n| self.frame_info(*n).is_some_and(|frame| !frame.is_hidden))
            .unwrap_or(0)
    }

    /// The frames that are listed, innermost first, counted from the top of the machine's stack.
    /// Frames of the built-in rules are left out unless `:rules on` is set.
    pub fn visible_frames(&self) -> Vec<usize> {
        let all = 0..self.machine.frames().len();
        let visible: Vec<usize> = all
            .clone()
            .filter(|n| self.frame_info(*n).is_some_and(|frame| !frame.is_hidden))
            .collect();
        if self.debugger.steps_into_rules || visible.is_empty() {
            all.collect()
        } else {
            visible
        }
    }

    /// The number of the selected frame among the visible ones.
    pub fn selected_frame_number(&self) -> usize {
        self.visible_frames()
            .iter()
            .position(|n| *n == self.debugger.selected_frame)
            .unwrap_or(0)
    }

    /// The variables of the selected frame that have a value.
    pub fn selected_locals(&self) -> Vec<Variable> {
        self.frame_variables_as(self.debugger.selected_frame, |v| self.format_value(v))
    }

    /// The variables of the program that have a value.
    pub fn global_variables(&self) -> Vec<Variable> {
        let variables = self.named_values().variables;
        self.describe_globals(variables)
    }

    /// Describes variables of the program by their names and values.
    pub(crate) fn describe_globals(&self, variables: Vec<(String, Value)>) -> Vec<Variable> {
        variables
            .into_iter()
            .map(|(name, value)| Variable {
                changed: self.has_changed_since_stop(&name, value),
                name,
                type_name: self.value_type(value),
                value: self.format_value(value),
                scope: VariableScope::Global,
            })
            .collect()
    }

    /// Whether a variable of the program has another value than at the last stop. An object counts
    /// as changed only if it has been replaced.
    fn has_changed_since_stop(&self, name: &str, value: Value) -> bool {
        let fields = self.last_stop_fields().iter();
        if let Some((_, before)) = fields.clone().find(|(n, _)| n == name) {
            return *before != self.format_value(value);
        }
        let global = self.program().global(name);
        let state = self.debugger.last_stop_state.as_ref();
        global
            .zip(state)
            .is_some_and(|(global, state)| state.global(global).is_some_and(|old| old != value))
    }

    /// The cell of the piece whose handler a frame belongs to, in the language's notation.
    pub(crate) fn handler_cell_text(&self, from_top: usize) -> Option<String> {
        self.handler_cell(from_top)
            .map(|(r, c)| self.program().board_info.format_cell(r.into(), c.into()))
    }

    /// The cell of the piece whose handler a frame, counted from the innermost, belongs to.
    pub fn handler_cell(&self, from_top: usize) -> Option<(u32, u32)> {
        let frames = self.machine.frames();
        let frame = frames.get(frames.len().checked_sub(from_top + 1)?)?;
        match frame.self_piece.unpack() {
            Unpacked::PieceRef(cell, _) => Some(self.machine.store.row_col(cell)),
            _ => None,
        }
    }

    /// The cell of the piece whose handler is running, as ` at [1][2]`; empty outside of handlers.
    pub fn format_handler_cell(&self, from_top: usize) -> String {
        let cell = self.handler_cell(from_top);
        cell.map_or_else(String::new, |(r, c)| {
            format!(
                " at {}",
                self.program().board_info.format_cell(r.into(), c.into())
            )
        })
    }

    /// The names by which a handler refers to its piece's row and column, with their values.
    pub fn handler_cell_variables(&self, from_top: usize) -> Option<[(&'static str, u32); 2]> {
        self.frame_info(from_top)
            .filter(|frame| frame.kind == FunctionKind::Handler)?;
        let (row, col) = self.handler_cell(from_top)?;
        let (a, b) = self.program().board_info.self_coord_names?;
        Some([(a, row), (b, col)])
    }

    /// Runs `f` with the frame with this index selected.
    pub(crate) fn with_selected_frame<R>(
        &mut self,
        index: usize,
        f: impl FnOnce(&mut Target) -> R,
    ) -> R {
        let from_top = self.machine.frames().len().saturating_sub(index + 1);
        let selected = std::mem::replace(&mut self.debugger.selected_frame, from_top);
        let result = f(self);
        self.debugger.selected_frame = selected;
        result
    }

    /// The selected frame, counted from the outermost.
    pub(crate) fn selected_frame_index(&self) -> usize {
        self.machine
            .frames()
            .len()
            .saturating_sub(self.debugger.selected_frame + 1)
    }

    /// The local variables of a frame, without those that an inner scope shadows. Inner scopes come
    /// last.
    pub fn locals(&self, from_top: usize) -> Vec<(Local, Value)> {
        let Some(frame) = self.frame_info(from_top) else {
            return Vec::new();
        };
        let Some(function) = self.machine.function(frame.function) else {
            return Vec::new();
        };
        let registers = self.machine.registers(frame.index);
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
    pub(crate) fn variables_frame(&self, index: usize) -> usize {
        let below = |index: &usize| Some(self.machine.stopped_frame_below(*index)?.0);
        std::iter::successors(Some(index), below)
            .last()
            .unwrap_or(index)
    }

    /// Where a frame's variables are declared, if it is an entry typed at a stop.
    fn outer_scope(&self, index: usize) -> Option<OuterScope> {
        let (stopped, registers) = self.machine.stopped_frame_below(index)?;
        let function = self.machine.frames().get(stopped)?.function;
        let registers = registers.to_vec();
        let Some(outer) = self.outer_scope(stopped) else {
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
    pub(crate) fn frame_scope(&self) -> Option<FrameScope> {
        if !self.is_stopped() {
            return None;
        }
        let locals = self
            .locals(self.debugger.selected_frame)
            .into_iter()
            .map(|(local, _)| local)
            .collect();
        let in_handler = self.handler_cell(self.debugger.selected_frame).is_some();
        let function = self
            .frame_info(self.debugger.selected_frame)
            .map(|frame| frame.function);
        Some(FrameScope {
            locals,
            in_handler,
            function,
            outer: self.outer_scope(self.selected_frame_index()),
        })
    }

    /// The variables of a frame that have a value; those of a handler's cell come first. A piece is
    /// described with its cell.
    pub fn frame_variables(&self, frame: usize) -> Vec<Variable> {
        self.frame_variables_as(frame, |v| self.format_value_with_cell(v))
    }

    /// The variables that a frame had at the last stop, as name and value; empty if that stop was in
    /// another call.
    fn locals_at_last_stop(&self, frame: usize) -> &[(String, String)] {
        let info = self.frame_info(frame);
        match (&self.debugger.last_stop_locals, info) {
            (Some(stop), Some(info)) if stop.frame == (info.index, info.function) => &stop.locals,
            _ => &[],
        }
    }

    /// Remembers the variables of the selected frame, to tell at the next stop which have changed.
    pub(crate) fn remember_stop_locals(&mut self) {
        let frame = self.debugger.selected_frame;
        let locals = self.locals(frame).into_iter();
        let locals = locals
            .map(|(l, v)| (l.name.to_string(), self.format_value(v)))
            .collect();
        self.debugger.last_stop_locals = self.frame_info(frame).map(|info| StopLocals {
            frame: (info.index, info.function),
            locals,
        });
    }

    /// The type of a value, in the language's words.
    pub(crate) fn value_type(&self, value: Value) -> String {
        let store = &self.machine.store;
        self.language.value_type(self.program(), store, value)
    }

    /// The variables of a frame that have a value, formatted by `format`.
    pub(crate) fn frame_variables_as(
        &self,
        frame: usize,
        format: impl Fn(Value) -> String,
    ) -> Vec<Variable> {
        let handler_cell = self
            .handler_cell_variables(frame)
            .into_iter()
            .flatten()
            .map(|(name, n)| Variable {
                name: name.to_string(),
                type_name: self.value_type(Value::int(n as i32)),
                value: n.to_string(),
                changed: false,
                scope: VariableScope::Local,
            });
        let locals = self.locals(frame);
        let locals = locals.iter().filter(|(_, v)| *v != Value::NOTHING);
        let before = self.locals_at_last_stop(frame);
        let has_changed = |name: &str, value: Value| {
            let old = before.iter().find(|(n, _)| n == name);
            old.is_some_and(|(_, old)| *old != self.format_value(value))
        };
        let locals = locals.map(|(l, v)| Variable {
            name: l.name.to_string(),
            type_name: self.value_type(*v),
            value: format(*v),
            changed: has_changed(l.name.as_str(), *v),
            scope: VariableScope::Local,
        });
        handler_cell.chain(locals).collect()
    }
}

/// The variables of a frame at a stop.
pub(crate) struct StopLocals {
    /// The frame's index, counted from the outermost, and its function.
    frame: (usize, FunctionId),
    /// Names and values.
    locals: Vec<(String, String)>,
}
