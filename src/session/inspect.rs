//! Looking: frames, variables, what a stop shows. Looking never changes the game.

use super::Session;
use crate::code::{FunctionId, FunctionKind, Local};
use crate::language::FrameScope;
use crate::source::Span;
use crate::value::{Unpacked, Value};

/// A frame as a person sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameInfo {
    /// Its number from the bottom.
    pub index: usize,
    pub function: FunctionId,
    pub pc: u32,
    pub name: String,
    pub role: FunctionKind,
    /// It belongs to the rules of play, and not to a part of them that has a name for people.
    pub is_hidden: bool,
    /// The statement that it is at.
    pub span: Span,
}

impl Session {
    /// A frame, counted from the top.
    pub fn frame_info(&self, from_top: usize) -> Option<FrameInfo> {
        let frames = self.machine.frames();
        let index = frames.len().checked_sub(from_top + 1)?;
        let frame = frames.get(index)?;
        let function = self.machine.function(frame.function)?;
        // A frame that waits for a call stands behind it.
        let pc = if from_top == 0 {
            frame.pc
        } else {
            frame.pc.saturating_sub(1)
        };
        let stop = function
            .stop_point_before(pc)
            .or(function.stop_points.first());
        let ruled = function.kind == FunctionKind::Rules;
        let title = function
            .alias
            .filter(|_| ruled)
            .unwrap_or(function.name)
            .to_string();
        let hidden = ruled && function.alias.is_none();
        let span = stop.map_or(function.span, |s| s.span);
        Some(FrameInfo {
            index,
            function: frame.function,
            pc,
            name: title,
            role: function.kind,
            is_hidden: hidden,
            span,
        })
    }

    /// The frame to look from, counted from the top: the innermost of the person's own, unless the rules are stepped.
    pub(super) fn default_frame(&self) -> usize {
        if self.debugger.steps_into_rules {
            return 0;
        }
        (0..self.machine.frames().len())
            .find(|n| self.frame_info(*n).is_some_and(|l| !l.is_hidden))
            .unwrap_or(0)
    }

    /// The cell of the piece whose handler runs, seen from a frame counted from the top.
    pub fn handler_cell(&self, from_top: usize) -> Option<(u32, u32)> {
        let frames = self.machine.frames();
        let frame = frames.get(frames.len().checked_sub(from_top + 1)?)?;
        match frame.self_piece.unpack() {
            Unpacked::PieceRef(cell, _) => Some(self.machine.store.row_col(cell)),
            _ => None,
        }
    }

    /// ` at [1][2]`, where a handler of a piece runs.
    pub fn format_handler_cell(&self, from_top: usize) -> String {
        let cell = self.handler_cell(from_top);
        cell.map_or_else(String::new, |(r, c)| {
            format!(
                " at {}",
                self.program().board_info.format_cell(r.into(), c.into())
            )
        })
    }

    /// What a piece's handler calls the row and the column of its piece, where one runs.
    pub fn handler_cell_variables(&self, from_top: usize) -> Option<[(&'static str, u32); 2]> {
        self.frame_info(from_top)
            .filter(|l| l.role == FunctionKind::Handler)?;
        let (row, col) = self.handler_cell(from_top)?;
        let (a, b) = self.program().board_info.self_coord_names?;
        Some([(a, row), (b, col)])
    }

    /// The number from the bottom of the frame that is looked at.
    pub(super) fn selected_frame_index(&self) -> usize {
        self.machine
            .frames()
            .len()
            .saturating_sub(self.debugger.selected_frame + 1)
    }

    /// The named registers of a frame, inner ones last, each name once.
    pub fn locals(&self, from_top: usize) -> Vec<(Local, Value)> {
        let Some(look) = self.frame_info(from_top) else {
            return Vec::new();
        };
        let Some(function) = self.machine.function(look.function) else {
            return Vec::new();
        };
        let registers = self.machine.registers(look.index);
        let mut locals: Vec<(Local, Value)> = Vec::new();
        for local in function.locals_at(look.pc) {
            let value = registers
                .get(local.register as usize)
                .copied()
                .unwrap_or(Value::NOTHING);
            locals.retain(|(l, _)| l.name != local.name);
            locals.push((*local, value));
        }
        locals
    }

    pub(super) fn frame_scope(&self) -> Option<FrameScope> {
        if !self.is_stopped() {
            return None;
        }
        let locals = self
            .locals(self.debugger.selected_frame)
            .into_iter()
            .map(|(l, _)| l)
            .collect();
        let in_handler = self.handler_cell(self.debugger.selected_frame).is_some();
        let function = self
            .frame_info(self.debugger.selected_frame)
            .map(|l| l.function);
        Some(FrameScope {
            locals,
            in_handler,
            function,
        })
    }

    /// Does something on a copy of the game: afterwards all is as it was.
    pub fn with_rollback<R>(&mut self, act: impl FnOnce(&mut Session) -> R) -> R {
        let before = self.machine.checkpoint();
        let lengths = self.machine.log_end();
        let recording = self.machine.set_recording(false);
        let result = act(self);
        self.machine.restore(&before);
        self.machine.truncate_log(lengths);
        self.machine.restore_recording(recording);
        result
    }

    /// A value as its language writes it; of a piece also where it was taken from.
    pub(super) fn format_value_with_cell(&self, value: Value) -> String {
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

    /// A value as its language writes it.
    pub fn format_value(&self, value: Value) -> String {
        (self.program().format_value)(self.program(), &self.machine.store, value, true)
    }
}
