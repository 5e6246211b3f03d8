//! Follows the loops of a run: when one is entered, when each iteration starts, when it is left.
//!
//! The events are not stored but handed to a [`LoopConsumer`], which keeps what it needs: a number,
//! or a snapshot of each iteration.

use super::{Frames, Interest, LoopId, LoopInfo, Moment, Results, Sink};
use crate::answer::LoopResult;
use crate::code::{Function, StopKind};
use crate::machine::Machine;
use std::ops::ControlFlow;
use std::rc::Rc;

/// What happens to a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoopEvent {
    /// The first iteration is about to start, or the first one that is observed.
    Entered,
    /// An iteration starts.
    IterationStarted,
    /// The loop has ended, or its frame has returned, perhaps before it reached the loop.
    Left(LoopResult),
    /// The end time is reached while the loop is running, or before it.
    Stopped,
}

/// A loop in a frame.
pub struct FrameLoop {
    /// The function that the frame executes.
    pub function: Rc<Function>,
    /// The loop in the code of the function.
    pub loop_info: LoopInfo,
    /// The stack depth at which the frame is on top.
    pub depth: usize,
}

impl FrameLoop {
    fn is_in_frame(&self, moment: &Moment<'_>) -> bool {
        moment.depth == self.depth && Rc::ptr_eq(moment.function, &self.function)
    }
}

/// Keeps what is of interest in the events of a loop.
pub trait LoopConsumer {
    /// Which results it reads.
    const RESULTS: Results;

    /// Called at each event, in order. Returns `Break` to pause the run.
    fn on_event(&mut self, event: LoopEvent, of: &FrameLoop, machine: &Machine) -> ControlFlow<()>;

    /// Called at each instruction of the frame, before its events.
    fn before_events(&mut self, _of: &FrameLoop, _moment: &Moment<'_>) {}

    /// Called at each instruction of the frame, after its events.
    fn after_events(&mut self, _of: &FrameLoop, _moment: &Moment<'_>) {}
}

/// Which rebinding loops to follow, one after the other. Those nested in another are left out.
#[derive(Clone, Copy, Default)]
pub struct RebindingSearch {
    /// Only those in the frame at this depth, until it returns.
    pub depth: Option<usize>,
    /// Only this one.
    pub only_loop: Option<LoopId>,
}

impl RebindingSearch {
    /// The loop whose first iteration starts with the next instruction.
    fn find(&self, moment: &Moment<'_>) -> Option<FrameLoop> {
        let stop = moment.function.stop_point_at(moment.pc)?;
        if stop.kind != StopKind::Iteration || self.depth.is_some_and(|d| d != moment.depth) {
            return None;
        }
        let id = LoopId::rebinding_at(moment.function, moment.pc)
            .filter(|id| self.only_loop.is_none_or(|only| only == *id))?;
        Some(FrameLoop {
            function: moment.function.clone(),
            loop_info: id.loop_info,
            depth: moment.depth,
        })
    }
}

/// Follows one loop at a time and hands its events to a consumer.
pub struct LoopEvents<C> {
    interest: Interest,
    /// `None` to follow a given loop.
    search: Option<RebindingSearch>,
    /// The given loop, or the one found that is running.
    current: Option<FrameLoop>,
    /// Whether an iteration has started since the loop was entered.
    is_running: bool,
    /// When the loop was last entered, if that was observed. Before its first iteration, the last
    /// time from which a replay sees all of it.
    pub entered_at: Option<u64>,
    /// Keeps the events.
    pub consumer: C,
}

impl<C: LoopConsumer> LoopEvents<C> {
    /// Follows a given loop, each time that it runs in the frame.
    pub fn of_loop(given: FrameLoop, until: u64, consumer: C) -> LoopEvents<C> {
        let frames = Frames::Only(given.depth);
        LoopEvents::new(frames, until, None, Some(given), consumer)
    }

    /// Follows the rebinding loops that the run reaches.
    pub fn of_rebinding_loops(search: RebindingSearch, until: u64, consumer: C) -> LoopEvents<C> {
        let frames = search.depth.map_or(Frames::All, Frames::From);
        LoopEvents::new(frames, until, Some(search), None, consumer)
    }

    fn new(
        frames: Frames,
        until: u64,
        search: Option<RebindingSearch>,
        current: Option<FrameLoop>,
        consumer: C,
    ) -> LoopEvents<C> {
        LoopEvents {
            interest: Interest {
                frames,
                until,
                results: C::RESULTS,
            },
            search,
            current,
            is_running: false,
            entered_at: None,
            consumer,
        }
    }

    /// How the loop ended, if the next instruction is not part of it.
    fn exit(&self, of: &FrameLoop, moment: &Moment<'_>) -> Option<LoopResult> {
        match of.is_in_frame(moment) {
            false => Some(LoopResult::Early),
            true if of.loop_info.contains(moment.pc) || !self.is_running => None,
            true => Some(LoopResult::Completed),
        }
    }

    fn leave(&mut self, machine: &Machine, result: LoopResult) -> ControlFlow<()> {
        self.is_running = false;
        let Some(left) = &self.current else {
            return ControlFlow::Continue(());
        };
        let event = LoopEvent::Left(result);
        let flow = self.consumer.on_event(event, left, machine);
        self.current.take_if(|_| self.search.is_some());
        flow
    }
}

impl<C: LoopConsumer> Sink for LoopEvents<C> {
    fn interest(&self) -> Interest {
        self.interest
    }

    #[inline]
    fn on_instruction(&mut self, moment: &Moment<'_>) -> ControlFlow<()> {
        let machine = moment.machine;
        if let Some(of) = &self.current {
            if moment.depth > of.depth {
                return ControlFlow::Continue(());
            }
            let is_in_frame = of.is_in_frame(moment);
            if is_in_frame {
                self.consumer.before_events(of, moment);
            }
            if !is_in_frame || !of.loop_info.contains(moment.pc) {
                let exit = self.exit(of, moment);
                if !is_in_frame
                    || of.loop_info.has_leading_test()
                    || moment.pc == of.loop_info.head.pc
                    || self.entered_at.is_none()
                {
                    self.entered_at = Some(machine.time());
                }
                if let Some(result) = exit {
                    self.leave(machine, result)?;
                }
            }
        }
        if let Some(search) = self.search.filter(|_| self.current.is_none()) {
            self.current = search.find(moment);
        }
        let Some(of) = &self.current else {
            return ControlFlow::Continue(());
        };
        if moment.pc == of.loop_info.iteration_start && of.is_in_frame(moment) {
            if !self.is_running {
                self.is_running = true;
                if of.loop_info.has_leading_test() {
                    self.entered_at = self.entered_at.map(|_| machine.time());
                }
                self.consumer.on_event(LoopEvent::Entered, of, machine)?;
            }
            self.consumer
                .on_event(LoopEvent::IterationStarted, of, machine)?;
        }
        self.consumer.after_events(of, moment);
        ControlFlow::Continue(())
    }

    fn on_leave(&mut self, machine: &Machine) -> ControlFlow<()> {
        self.entered_at = Some(machine.time());
        let flow = self.leave(machine, LoopResult::Early);
        match self.search {
            Some(_) => ControlFlow::Break(()),
            None => flow,
        }
    }

    /// A loop that was found is running until an instruction after it is observed.
    fn on_end(&mut self, machine: &Machine, moment: Option<&Moment<'_>>) {
        let Some(of) = self.current.as_ref().filter(|_| self.search.is_none()) else {
            return;
        };
        let exit = moment.and_then(|moment| Some((moment, self.exit(of, moment)?)));
        let Some((moment, result)) = exit else {
            let _ = self.consumer.on_event(LoopEvent::Stopped, of, machine);
            return;
        };
        if of.is_in_frame(moment) {
            self.consumer.before_events(of, moment);
        }
        let _ = self.leave(machine, result);
    }
}
