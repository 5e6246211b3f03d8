//! Looking: frames, variables, the value of an expression, what a stop shows. Looking never changes the game.

use super::Session;
use crate::code::{FunctionId, Local, Program, Role};
use crate::diagnostic::{Diagnostic, Phase, the_first};
use crate::language::FrameScope;
use crate::machine::{Outcome, Pause, Until};
use crate::source::{Origin, Source, SourceId, Span};
use crate::value::{Value, View};
use std::rc::Rc;

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

/// An expression that was compiled to be looked at.
#[derive(Clone)]
pub(super) struct Looked {
    pub program: Rc<Program>,
    pub function: FunctionId,
}

/// The code of what somebody has stopped from the keyboard.
pub(super) const STOPPED: &str = "RT022";

/// How many steps a look may take.
const PATIENCE: u64 = 200_000_000;

impl Session {
    /// A frame, counted from the top.
    pub fn look_at(&self, from_top: usize) -> Option<FrameLook> {
        let frames = self.machine.frames();
        let index = frames.len().checked_sub(from_top + 1)?;
        let frame = frames.get(index)?;
        let function = self.machine.function(frame.function)?;
        // A frame that waits for a call stands behind it.
        let pc = if from_top == 0 { frame.pc } else { frame.pc.saturating_sub(1) };
        let stop = function.stop_before(pc).or(function.stops.first());
        let ruled = function.role == Role::Rules;
        let title = function.also.filter(|_| ruled).unwrap_or(function.name).to_string();
        let hidden = ruled && function.also.is_none();
        let span = stop.map_or(function.span, |s| s.span);
        Some(FrameLook { index, function: frame.function, pc, title, role: function.role, hidden, span })
    }

    /// The frame to look from, counted from the top: the innermost of the person's own, unless the rules are stepped.
    pub(super) fn own_frame(&self) -> usize {
        if self.debugger.rules {
            return 0;
        }
        (0..self.machine.frames().len()).find(|n| self.look_at(*n).is_some_and(|l| !l.hidden)).unwrap_or(0)
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
        cell.map_or_else(String::new, |(r, c)| format!(" at {}", self.program().cells.write(r.into(), c.into())))
    }

    /// The number from the bottom of the frame that is looked at.
    pub(super) fn frame_index(&self) -> usize {
        self.machine.frames().len().saturating_sub(self.debugger.frame + 1)
    }

    /// The named registers of a frame, inner ones last, each name once.
    pub fn locals(&self, from_top: usize) -> Vec<(Local, Value)> {
        let Some(look) = self.look_at(from_top) else { return Vec::new() };
        let Some(function) = self.machine.function(look.function) else { return Vec::new() };
        let registers = self.machine.registers(look.index);
        let mut locals: Vec<(Local, Value)> = Vec::new();
        for local in function.locals_at(look.pc) {
            let value = registers.get(local.register as usize).copied().unwrap_or(Value::NOTHING);
            locals.retain(|(l, _)| l.name != local.name);
            locals.push((*local, value));
        }
        locals
    }

    pub(super) fn frame_scope(&self) -> Option<FrameScope> {
        if !self.is_stopped() {
            return None;
        }
        let locals = self.locals(self.debugger.frame).into_iter().map(|(l, _)| l).collect();
        let in_handler = self.cell_of_handler(self.debugger.frame).is_some();
        let function = self.look_at(self.debugger.frame).map(|l| l.function);
        Some(FrameScope { locals, in_handler, function })
    }

    /// The value of an expression, in the frame that is looked at, given to `read`. It is computed on a copy.
    pub fn look<R>(&mut self, text: &str, read: impl FnOnce(&Session, Value) -> R) -> Result<R, Vec<Diagnostic>> {
        let source = Source::new(SourceId(u32::MAX - 1), Origin::Entry(0), text);
        let looked = self.to_look_at(&source)?;
        self.on_a_copy(|session| {
            session.start_looking(looked)?;
            let limit = session.machine.time() + PATIENCE;
            match session.machine.watched(&mut Until(limit)) {
                Outcome::Finished(Value::NOTHING) => {
                    Err(vec![Diagnostic::error(Phase::Runtime, "RT024", source.whole(), "this has no value")])
                }
                Outcome::Finished(value) => Ok(read(session, value)),
                Outcome::Failed(fault) => Err(vec![session.runtime_error(&fault)]),
                Outcome::NeedsInput { .. } => {
                    Err(vec![Diagnostic::error(Phase::Runtime, "RT021", source.whole(), "looking can't ask for input")])
                }
                Outcome::Paused(Pause::Interrupt) => {
                    Err(vec![Diagnostic::error(Phase::Runtime, STOPPED, source.whole(), "stopped")])
                }
                Outcome::Paused(_) => {
                    Err(vec![Diagnostic::error(Phase::Runtime, "RT019", source.whole(), "this takes too long")])
                }
            }
        })
    }

    /// An expression, compiled to be looked at. What begins another game has no place in this one.
    pub(super) fn to_look_at(&self, source: &Source) -> Result<Looked, Vec<Diagnostic>> {
        let frame = self.frame_scope();
        let compiled = self.language.entry(source, self.program(), frame.as_ref()).map_err(the_first)?;
        let run = compiled.run.filter(|_| !compiled.fresh);
        let looked = run.and_then(|run| self.beside_what_runs(compiled.program, run));
        looked.ok_or_else(|| vec![Diagnostic::error(Phase::Check, "RT024", source.whole(), "this has no value")])
    }

    /// A program with one more function, in which all that is on the stack keeps its code and its number: a language
    /// puts what is typed in the place of what was typed before, and that may be what is stopped. Nothing if it has
    /// more to it than that one function.
    fn beside_what_runs(&self, mut program: Program, run: FunctionId) -> Option<Looked> {
        if !self.is_stopped() {
            return Some(Looked { program: Rc::new(program), function: run });
        }
        let entry = program.functions.pop()?;
        let (ours, theirs) = (&self.program().functions, &program.functions);
        let only = theirs.len() == run.0 as usize && theirs.len() <= ours.len();
        if !only || theirs.iter().zip(ours).any(|(a, b)| !Rc::ptr_eq(a, b)) {
            return None;
        }
        program.functions = ours.iter().cloned().chain([entry]).collect();
        let function = FunctionId(ours.len() as u32);
        Some(Looked { program: Rc::new(program), function })
    }

    /// Begins to evaluate it, in the frame that is looked at.
    pub(super) fn start_looking(&mut self, looked: Looked) -> Result<(), Vec<Diagnostic>> {
        let locals = self.registers_at_hand();
        let index = self.frame_index();
        self.machine.install(looked.program);
        let started = match self.is_stopped() {
            true => self.machine.start_inside(looked.function, index, locals),
            false => self.machine.start(looked.function, &[]),
        };
        started.map_err(|fault| vec![self.runtime_error(&fault)])
    }

    /// The registers of the locals that an entry sees, in their order.
    pub(super) fn registers_at_hand(&self) -> Rc<[u16]> {
        self.frame_scope().map_or_else(Vec::new, |f| f.locals).iter().map(|l| l.register).collect()
    }

    /// Does something on a copy of the game: afterwards all is as it was.
    pub fn on_a_copy<R>(&mut self, act: impl FnOnce(&mut Session) -> R) -> R {
        let before = self.machine.checkpoint();
        let lengths = self.machine.log_lengths();
        self.machine.record(false);
        let result = act(self);
        self.machine.restore(&before);
        self.machine.cut_log(lengths);
        self.machine.record(true);
        result
    }

    /// A value as its language writes it.
    pub fn write(&self, value: Value) -> String {
        (self.program().write)(self.program(), &self.machine.store, value, true)
    }
}
