//! Looking: frames, variables, what a stop shows. Looking never changes the game.

use super::Session;
use crate::code::{FunctionId, Local, Role};
use crate::language::FrameScope;
use crate::source::Span;
use crate::value::{Value, View};

/// A frame as a person sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameLook {
    /// Its number from the bottom.
    pub index: usize,
    pub function: FunctionId,
    pub pc: u32,
    pub title: String,
    pub role: Role,
    /// It belongs to the rules of play, and not to a part of them that has a name for people.
    pub hidden: bool,
    /// The statement that it is at.
    pub span: Span,
}

impl Session {
    /// A frame, counted from the top.
    pub fn look_at(&self, from_top: usize) -> Option<FrameLook> {
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
        let stop = function.stop_before(pc).or(function.stops.first());
        let ruled = function.role == Role::Rules;
        let title = function
            .also
            .filter(|_| ruled)
            .unwrap_or(function.name)
            .to_string();
        let hidden = ruled && function.also.is_none();
        let span = stop.map_or(function.span, |s| s.span);
        Some(FrameLook {
            index,
            function: frame.function,
            pc,
            title,
            role: function.role,
            hidden,
            span,
        })
    }

    /// The frame to look from, counted from the top: the innermost of the person's own, unless the rules are stepped.
    pub(super) fn own_frame(&self) -> usize {
        if self.debugger.rules {
            return 0;
        }
        (0..self.machine.frames().len())
            .find(|n| self.look_at(*n).is_some_and(|l| !l.hidden))
            .unwrap_or(0)
    }

    /// The cell of the piece whose handler runs, seen from a frame counted from the top.
    pub fn cell_of_handler(&self, from_top: usize) -> Option<(u32, u32)> {
        let frames = self.machine.frames();
        let frame = frames.get(frames.len().checked_sub(from_top + 1)?)?;
        match frame.me.view() {
            View::Me(cell, _) => Some(self.machine.store.row_col(cell)),
            _ => None,
        }
    }

    /// ` at [1][2]`, where a handler of a piece runs.
    pub fn handler_words(&self, from_top: usize) -> String {
        let cell = self.cell_of_handler(from_top);
        cell.map_or_else(String::new, |(r, c)| {
            format!(" at {}", self.program().cells.write(r.into(), c.into()))
        })
    }

    /// What a piece's handler calls the row and the column of its piece, where one runs.
    pub fn own_cell(&self, from_top: usize) -> Option<[(&'static str, u32); 2]> {
        self.look_at(from_top).filter(|l| l.role == Role::Handler)?;
        let (row, col) = self.cell_of_handler(from_top)?;
        let (a, b) = self.program().cells.own?;
        Some([(a, row), (b, col)])
    }

    /// The number from the bottom of the frame that is looked at.
    pub(super) fn frame_index(&self) -> usize {
        self.machine
            .frames()
            .len()
            .saturating_sub(self.debugger.frame + 1)
    }

    /// The named registers of a frame, inner ones last, each name once.
    pub fn locals(&self, from_top: usize) -> Vec<(Local, Value)> {
        let Some(look) = self.look_at(from_top) else {
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
            .locals(self.debugger.frame)
            .into_iter()
            .map(|(l, _)| l)
            .collect();
        let in_handler = self.cell_of_handler(self.debugger.frame).is_some();
        let function = self.look_at(self.debugger.frame).map(|l| l.function);
        Some(FrameScope {
            locals,
            in_handler,
            function,
        })
    }

    /// Does something on a copy of the game: afterwards all is as it was.
    pub fn on_a_copy<R>(&mut self, act: impl FnOnce(&mut Session) -> R) -> R {
        let before = self.machine.checkpoint();
        let lengths = self.machine.log_lengths();
        let recording = self.machine.record(false);
        let result = act(self);
        self.machine.restore(&before);
        self.machine.cut_log(lengths);
        self.machine.record_as(recording);
        result
    }

    /// A value as its language writes it; of a piece also where it was taken from.
    pub(super) fn write_placed(&self, value: Value) -> String {
        let Some(piece) = value.as_piece() else {
            return self.write(value);
        };
        let (row, col) = self.machine.store.row_col(piece.at);
        format!(
            "{} at {}",
            self.write(value),
            self.program().cells.write(row.into(), col.into())
        )
    }

    /// A value as its language writes it.
    pub fn write(&self, value: Value) -> String {
        (self.program().write)(self.program(), &self.machine.store, value, true)
    }
}
