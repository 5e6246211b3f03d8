//! Inspects the stopped program: frames, locals, values. Nothing here changes the game.

use super::Target;
use crate::code::{FunctionId, FunctionKind, Local};
use crate::language::FrameScope;
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
        // The pc of a caller is already past its call instruction.
        let pc = if from_top == 0 {
            frame.pc
        } else {
            frame.pc.saturating_sub(1)
        };
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
        })
    }

    /// Like [`Target::format_value`]; for a piece, with its cell.
    pub(crate) fn format_value_with_cell(&self, value: Value) -> String {
        let Some(piece) = value.as_piece() else {
            return self.format_value(value);
        };
        let (row, col) = self.machine.store.row_col(piece.cell);
        format!(
            "{} at {}",
            self.format_value(value),
            self.program()
                .board_info
                .format_cell(row.into(), col.into())
        )
    }

    /// A value in the language's own notation.
    pub fn format_value(&self, value: Value) -> String {
        (self.program().format_value)(self.program(), &self.machine.store, value, true)
    }
}
