//! Calls from outside on the stack: a run ends when one returns, and the run below stays suspended.

use super::Stack;
use crate::code::Reg;
use std::rc::Rc;

/// A call from outside on top of a stopped run. Says which frame's locals it works on, and how to
/// resume the run below when it returns.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct HostCall {
    frame: usize,
    locals: Rc<[Reg]>,
    outer_exit_depth: usize,
    outer: Option<Rc<HostCall>>,
}

impl HostCall {
    /// A call with nothing below it.
    pub(super) fn outermost() -> HostCall {
        HostCall {
            frame: 0,
            locals: Rc::new([]),
            outer_exit_depth: 0,
            outer: None,
        }
    }
}

impl Stack {
    /// Makes the run end when the call that was just pushed returns. `locals` are the registers of
    /// `frame` that the first registers of the call stand for.
    pub(in crate::machine) fn push_host_call(&mut self, frame: usize, locals: Rc<[Reg]>) {
        let (outer_exit_depth, outer) = (self.exit_depth, self.host_call.take());
        self.exit_depth = self.frames.len() - 1;
        self.host_call = Some(Rc::new(HostCall {
            frame,
            locals,
            outer_exit_depth,
            outer,
        }));
    }

    /// The calls from outside that are running, the innermost first: the index of the frame of each,
    /// and the call.
    fn host_calls(&self) -> impl Iterator<Item = (usize, &HostCall)> {
        let innermost = self
            .host_call
            .as_deref()
            .map(|call| (self.exit_depth, call));
        std::iter::successors(innermost, |(_, call)| {
            let outer = call.outer.as_deref()?;
            Some((call.outer_exit_depth, outer))
        })
    }

    /// Whether a frame belongs to a call from outside.
    pub(in crate::machine) fn is_host_call(&self, frame: usize) -> bool {
        self.host_calls().any(|(base, _)| base == frame)
    }

    /// If a frame was started on top of a stopped one: the index of that one, and its registers that
    /// the first registers of the frame stand for.
    pub(in crate::machine) fn stopped_frame_below(&self, frame: usize) -> Option<(usize, &[Reg])> {
        let (_, call) = self.host_calls().find(|(base, _)| *base == frame)?;
        (call.frame < frame).then_some((call.frame, &*call.locals))
    }

    /// A call from outside has returned: writes its arguments, which start at register `base`, back to
    /// the locals of their frame.
    pub(in crate::machine) fn finish_host_call(&mut self, base: usize) {
        let Some(call) = self.host_call.take() else {
            return;
        };
        (self.exit_depth, self.host_call) = (call.outer_exit_depth, call.outer.clone());
        for (n, &register) in call.locals.iter().enumerate() {
            if let Some(&value) = self.registers.get(base + n) {
                self.set_register(call.frame, register, value);
            }
        }
    }
}
