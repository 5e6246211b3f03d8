//! The recorder of what a run does. It follows the frames that are of interest, instruction by
//! instruction, and hands each one to a [`Sink`], which keeps what it needs: values, branches,
//! bindings, calls, iterations or attempts to dispatch.
//!
//! ```text
//! dispatch_log    why a handler did or did not run
//! exec_trace      execution trace of a frame and all calls below it
//! loop_events     follows the loops of a run: entered, iteration started, left
//! loop_info       the loops of a function
//! trace           the live trace (`:trace`)
//! value_profile   value profile of a run
//! value_recorder  records the values of the expressions in a statement, in evaluation order
//! ```

mod dispatch_log;
mod exec_trace;
mod loop_events;
mod loop_info;
mod trace;
mod value_profile;
mod value_recorder;

pub use dispatch_log::{DispatchAttempt, DispatchLog, HeadCheck};
pub use exec_trace::{Call, ExecTrace, ExprValue, TraceEvent};
pub use loop_events::{FrameLoop, LoopConsumer, LoopEvent, LoopEvents, RebindingSearch};
pub use loop_info::{LoopId, LoopInfo, current_loop, find_loops, innermost_loop};
pub use trace::Trace;
pub use value_profile::{ExprProfile, ValueProfile};
pub use value_recorder::{Sample, ValueRecorder};

use crate::code::{Function, FunctionId, ValueInfo};
use crate::machine::{Machine, Observer};
use std::ops::ControlFlow;
use std::rc::Rc;

/// The frames that a recorder follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Frames {
    /// All of them.
    All,
    /// The frame at this stack depth and those above it.
    From(usize),
    /// Only the frame at this stack depth.
    Only(usize),
}

/// Which part of a run a recorder follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interest {
    /// In which frames.
    pub frames: Frames,
    /// The time at which it ends.
    pub until: u64,
    /// Which results [`Moment::results`] returns.
    pub results: Results,
}

/// The instructions whose results are of interest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Results {
    /// None, which is fastest.
    None,
    /// All but calls.
    WithoutCalls,
    /// All. The result of a call is available when it has returned.
    WithCalls,
}

/// The state of the machine before an instruction of a frame that is of interest.
pub struct Moment<'m> {
    /// The machine.
    pub machine: &'m Machine,
    /// The function of the top frame.
    pub function: &'m Rc<Function>,
    /// Its id.
    pub id: FunctionId,
    /// The instruction that runs next.
    pub pc: u32,
    /// The number of frames.
    pub depth: usize,
    /// The previous instruction of the frame, if its results are available.
    previous_pc: Option<u32>,
}

impl<'m> Moment<'m> {
    /// The expressions that the previous instruction of the frame has evaluated. If it was a jump,
    /// also whether it was taken.
    pub fn results(&self) -> impl Iterator<Item = (&'m ValueInfo, Option<bool>)> + use<'m> {
        let (function, pc) = (self.function, self.pc);
        self.previous_pc.into_iter().flat_map(move |previous_pc| {
            let jumped = function.was_jump_taken(previous_pc, pc);
            let infos = function.value_infos_at(previous_pc);
            infos
                .filter(|info| info.after)
                .map(move |info| (info, jumped))
        })
    }

    /// The expressions whose values are available before the instruction runs.
    pub fn operands(&self) -> impl Iterator<Item = &'m ValueInfo> + use<'m> {
        let infos = self.function.value_infos_at(self.pc);
        infos.filter(|info| !info.after)
    }
}

/// Keeps what is of interest in a run. The methods return `Break` to pause it.
pub trait Sink {
    /// What it wants to see. Read once, before the run.
    fn interest(&self) -> Interest;

    /// Called before each instruction, until the end time.
    fn on_instruction(&mut self, moment: &Moment<'_>) -> ControlFlow<()>;

    /// Called when all frames of interest have returned.
    fn on_leave(&mut self, _machine: &Machine) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    /// Called at the end time, at which the run pauses. `moment` is `None` if the top frame is not
    /// of interest.
    fn on_end(&mut self, _machine: &Machine, _moment: Option<&Moment<'_>>) {}

    /// A click was ignored because the piece already handled one in this action.
    fn on_click_skipped(&mut self, _machine: &Machine, _cell: u32) {}

    /// A recorder that feeds this sink.
    fn recorder(&mut self) -> Recorder<'_, Self>
    where
        Self: Sized,
    {
        Recorder {
            interest: self.interest(),
            previous: Vec::new(),
            sink: self,
        }
    }
}

/// Follows a run and feeds a sink.
pub struct Recorder<'s, S: Sink> {
    interest: Interest,
    /// The last instruction of each frame whose results are still to come, outermost frame first.
    previous: Vec<Executed>,
    sink: &'s mut S,
}

/// An instruction of a frame.
struct Executed {
    depth: usize,
    function: FunctionId,
    pc: u32,
}

impl<S: Sink> Recorder<'_, S> {
    /// Takes the previous instruction of the top frame.
    fn take_previous(&mut self, depth: usize, function: FunctionId) -> Option<u32> {
        while self.previous.last().is_some_and(|p| p.depth > depth) {
            self.previous.pop();
        }
        let previous = self.previous.pop_if(|p| p.depth == depth);
        if self.interest.results == Results::WithoutCalls {
            self.previous.clear();
        }
        previous.filter(|p| p.function == function).map(|p| p.pc)
    }
}

impl<S: Sink> Observer for Recorder<'_, S> {
    fn should_pause(&mut self, machine: &Machine) -> bool {
        let depth = machine.frames().len();
        let is_late = machine.time() >= self.interest.until;
        let lowest = match self.interest.frames {
            Frames::Only(own) if depth > own => {
                if is_late {
                    self.sink.on_end(machine, None);
                }
                return is_late;
            }
            Frames::Only(lowest) | Frames::From(lowest) => lowest,
            Frames::All => 0,
        };
        if depth < lowest {
            return self.sink.on_leave(machine).is_break() || is_late;
        }
        let Some((id, pc)) = machine.current_location() else {
            return true;
        };
        let Some(function) = machine.function(id) else {
            return true;
        };
        let has_results = self.interest.results != Results::None;
        let previous_pc = match has_results {
            true => self.take_previous(depth, id),
            false => None,
        };
        let moment = Moment {
            machine,
            function,
            id,
            pc,
            depth,
            previous_pc,
        };
        if is_late {
            self.sink.on_end(machine, Some(&moment));
            return true;
        }
        let flow = self.sink.on_instruction(&moment);
        if flow.is_continue() && has_results {
            self.previous.push(Executed {
                depth,
                function: id,
                pc,
            });
        }
        flow.is_break()
    }

    fn on_click_skipped(&mut self, machine: &Machine, cell: u32) {
        self.sink.on_click_skipped(machine, cell);
    }
}
