//! The statement that runs next, when the machine is between two statements.

use super::{FrameInfo, Target};
use crate::code::{Function, FunctionKind, Instr};
use crate::machine::UntilTime;
use crate::source::Span;

/// How many jumps from one statement to the next are followed.
const MAX_JUMPS_FOLLOWED: usize = 64;

/// What runs next in a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NextStatement {
    /// The statement of the frame has not started, or has not ended.
    Current,
    /// The statement of the frame has ended; this one is next.
    Other(Span),
    /// The statement of the frame has ended, and so does its function: at this brace, if there is
    /// one.
    End(Option<Span>),
}

impl Target {
    /// What runs next in a frame, counted from the innermost.
    pub(crate) fn next_statement(&mut self, from_top: usize) -> NextStatement {
        match self.frame_info(from_top) {
            Some(info) if from_top == 0 && self.is_between_statements(&info) => {
                self.with_rollback(|target| target.follow_jumps(&info))
            }
            _ => NextStatement::Current,
        }
    }

    /// Runs the jumps after a statement that has ended.
    fn follow_jumps(&mut self, info: &FrameInfo) -> NextStatement {
        for _ in 0..MAX_JUMPS_FOLLOWED {
            let Some(function) = self.machine.function(info.function).cloned() else {
                break;
            };
            let Some(pc) = self.machine.current_location().map(|(_, pc)| pc) else {
                break;
            };
            if let Some(stop) = function.stop_point_at(pc) {
                return NextStatement::Other(stop.span);
            }
            if !self.is_between_statements(info) {
                break;
            }
            let next = self.machine.next_instruction();
            if matches!(next, Some(Instr::Return { .. } | Instr::ReturnNothing)) {
                return NextStatement::End(self.closing_brace(&function));
            }
            let next = self.machine.time() + 1;
            self.machine.run_observed(&mut UntilTime(next));
        }
        NextStatement::Current
    }

    /// Whether the innermost frame is at a jump or a return that does not belong to the statement
    /// before it.
    fn is_between_statements(&self, info: &FrameInfo) -> bool {
        let next = self.machine.current_location();
        let Some((function, pc)) = next.and_then(|(f, pc)| Some((self.machine.function(f)?, pc)))
        else {
            return false;
        };
        let is_own = function
            .spans
            .get(pc as usize)
            .is_some_and(|span| info.span.contains(*span));
        function.stop_point_at(pc).is_none()
            && match function.code.get(pc as usize) {
                Some(Instr::Return { .. }) => !is_own,
                Some(Instr::ReturnNothing) => true,
                Some(instr) => instr.is_plain_jump(),
                None => false,
            }
    }

    /// The brace at the end of a function.
    fn closing_brace(&self, function: &Function) -> Option<Span> {
        let start = function.span.end.checked_sub(1)?;
        let brace = Span {
            start,
            ..function.span
        };
        (function.kind != FunctionKind::Entry && self.sources.slice(brace) == "}").then_some(brace)
    }
}
