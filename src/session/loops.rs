//! The loop around the current statement: its current iteration, and a table of all iterations.

use super::loop_table::render_loop_table;
use super::{FrameInfo, Line, Reply, Session, Style};
use crate::debugger::loop_info::{self, IterationCounter, LoopInfo};
use crate::debugger::loop_trace::LoopTrace;
use crate::debugger::{StepTarget, Stepper};
use crate::diagnostic::Diagnostic;
use crate::machine::{Outcome, Pause};
use crate::source::Span;

/// A loop that a frame is executing.
pub struct ActiveLoop {
    pub loop_info: LoopInfo,
    /// The current iteration, counted from 1; 0 before the loop. The test that ends the loop counts
    /// as one more.
    pub iteration: u64,
    /// The time at which the loop was entered.
    pub entered_at: u64,
}

/// How far back to search for the start of a loop when a stop is shown: about as far as the last
/// checkpoint.
const STOP_SEARCH_INSTRUCTIONS: u64 = 300_000;
/// How far to search, back or ahead, when the user asks for the iterations.
const TABLE_SEARCH_INSTRUCTIONS: u64 = 50_000_000;
/// Tables shown for one expression.
const MAX_LOOPS_SHOWN: usize = 4;

impl Session {
    /// The current iteration of the innermost loop around a frame's statement. `None` if there is
    /// no loop, or if it started too long ago.
    pub fn loop_iteration(&mut self, frame: &FrameInfo) -> Option<u64> {
        let function = self.machine.function(frame.function)?;
        let innermost = loop_info::innermost_loop(function, frame.pc)?;
        self.find_active_loop(frame, innermost, STOP_SEARCH_INSTRUCTIONS)
            .map(|active| active.iteration)
    }

    /// The iteration and the variables of the loop with this head, as `iteration 2, p=[0][1]`;
    /// `None` if the frame is not in such a loop.
    pub(super) fn format_loop_position(&mut self, frame: &FrameInfo, head: Span) -> Option<String> {
        let function = self.machine.function(frame.function)?.clone();
        let loop_info = loop_info::find_loops(&function)
            .into_iter()
            .find(|l| l.head.span == head && l.contains(frame.pc))?;
        let active = self.find_active_loop(frame, loop_info, TABLE_SEARCH_INSTRUCTIONS)?;
        let mut parts = vec![format!("iteration {}", active.iteration)];
        let registers = self.machine.registers(frame.index);
        for local in function
            .locals_at(frame.pc)
            .filter(|l| l.start_pc == loop_info.iteration_start || l.start_pc == loop_info.start)
        {
            let Some(value) = registers.get(local.register as usize).copied() else {
                continue;
            };
            parts.push(format!(
                "{}={}",
                local.name,
                self.format_value_with_cell(value)
            ));
        }
        Some(parts.join(", "))
    }

    /// Searches the history for the time at which a frame entered a loop, and counts the iterations
    /// since. `None` if that was more than `max_instructions` ago.
    fn find_active_loop(
        &mut self,
        frame: &FrameInfo,
        loop_info: LoopInfo,
        max_instructions: u64,
    ) -> Option<ActiveLoop> {
        let now = self.machine.time();
        let depth = frame.index + 1;
        let function = self.machine.function(frame.function)?.clone();
        // An iteration that starts with the very next instruction counts as started.
        let starts_now = self.machine.frames().len() == depth
            && self.machine.current_location() == Some((frame.function, loop_info.iteration_start));
        self.with_time(|s| {
            let (mut until, mut iteration) = (now, u64::from(starts_now));
            for start in s.timeline.checkpoint_times_before(now) {
                if now - start > max_instructions {
                    return None;
                }
                s.timeline.seek_into(&mut s.machine, start);
                let mut counter = IterationCounter::new(function.clone(), loop_info, depth, until);
                s.replay_watched(&mut counter, until);
                iteration += counter.iterations;
                if let Some(entered_at) = counter.entered_at {
                    return Some(ActiveLoop {
                        loop_info,
                        iteration,
                        entered_at,
                    });
                }
                until = start;
            }
            None
        })
    }

    /// The loop around the selected frame's statement, or the one that starts with it.
    fn find_current_loop(&mut self) -> Option<(FrameInfo, ActiveLoop)> {
        let frame = self.frame_info(self.debugger.selected_frame)?;
        let function = self.machine.function(frame.function)?;
        let loop_info = loop_info::current_loop(function, frame.pc)?;
        if !loop_info.contains(frame.pc) {
            let entered_at = self.machine.time();
            return Some((
                frame,
                ActiveLoop {
                    loop_info,
                    iteration: 0,
                    entered_at,
                },
            ));
        }
        let active = self.find_active_loop(&frame, loop_info, TABLE_SEARCH_INSTRUCTIONS)?;
        Some((frame, active))
    }

    /// Shows a table of all iterations of the current loop, including the future ones; false if no
    /// loop is active.
    pub fn show_current_loop(&mut self, reply: &mut Reply) -> bool {
        let Some((frame, active)) = self.find_current_loop() else {
            return false;
        };
        let now = (active.iteration > 0).then_some(self.machine.time());
        self.show_iterations(&frame, &active, u64::MAX, now, reply);
        true
    }

    /// Steps over the whole current loop, and shows its iterations; false if there is no loop.
    pub fn step_over_loop(&mut self, reply: &mut Reply) -> bool {
        self.debugger.selected_frame = self.default_frame();
        let Some((frame, active)) = self.find_current_loop() else {
            return false;
        };
        let (from, to) = (
            active.loop_info.head.pc.min(active.loop_info.start),
            active.loop_info.end,
        );
        let depth = frame.index + 1;
        let is_dry_run = self.is_dry_run();
        if is_dry_run {
            // The end of the loop may end the dry run, and with it the history of the loop.
            self.show_iterations(&frame, &active, u64::MAX, None, reply);
        }
        self.suppress_stops();
        self.resume(Some(StepTarget::PastRange { depth, from, to }), reply);
        if !is_dry_run {
            self.show_iterations(&frame, &active, self.machine.time(), None, reply);
        }
        self.show_suppressed_stop(reply);
        true
    }

    /// Runs a block or an expression with rollback, and shows its loops; false if it has none.
    pub fn show_loops_of(
        &mut self,
        text: &str,
        reply: &mut Reply,
    ) -> Result<bool, Vec<Diagnostic>> {
        let compiled = match self.block_named(text) {
            Some(compiled) => compiled,
            None => self.compile_expr(text)?.1,
        };
        let tables = self.with_rollback(|s| {
            s.start_eval(compiled)?;
            Ok::<_, Vec<Diagnostic>>(s.loops_ahead())
        })?;
        let has_several = tables.len() > 1;
        for (location, lines) in &tables {
            if has_several {
                reply.line(Line::styled(Style::Dim, format!("  {location}")));
            }
            lines.iter().for_each(|line| reply.line(line.clone()));
        }
        Ok(!tables.is_empty())
    }

    /// Runs the program and traces the loops that it reaches: location and table of each. Nested
    /// loops are not listed separately.
    fn loops_ahead(&mut self) -> Vec<(String, Vec<Line>)> {
        let stop_map = self.debugger.stop_map(self.machine.program(), &[]);
        let limit = self.machine.time() + TABLE_SEARCH_INSTRUCTIONS;
        let mut tables = Vec::new();
        let mut start_time = u64::MAX;
        while tables.len() < MAX_LOOPS_SHOWN && self.machine.time() < limit {
            let mut stepper = Stepper {
                stop_map: &stop_map,
                target: StepTarget::Into,
                start_time,
                end_time: u64::MAX,
                has_hit_breakpoint: false,
                trace: None,
            };
            let Outcome::Paused(Pause::Observer) = self.machine.run_observed(&mut stepper) else {
                break;
            };
            start_time = self.machine.time();
            let Some((id, pc)) = self.machine.current_location() else {
                break;
            };
            let Some(function) = self.machine.function(id).cloned() else {
                break;
            };
            if let Some(loop_info) = loop_info::find_loops(&function)
                .into_iter()
                .find(|l| l.head.pc == pc)
            {
                let mut trace =
                    LoopTrace::new(&function, loop_info, self.machine.frames().len(), limit);
                self.machine.run_observed(&mut trace);
                // The end of this loop may be the start of the next one, so stop here again.
                start_time = u64::MAX;
                let location = format!(
                    "in {}, {}",
                    function.name,
                    self.format_short_location(loop_info.head.span)
                );
                tables.push((
                    location,
                    render_loop_table(&trace, None, &self.sources, self.view_settings.width),
                ));
            }
        }
        tables
    }

    /// Replays a loop until a time, and shows its iterations. The one at the time `now` is marked.
    fn show_iterations(
        &mut self,
        frame: &FrameInfo,
        active: &ActiveLoop,
        until: u64,
        now: Option<u64>,
        reply: &mut Reply,
    ) {
        let Some(function) = self.machine.function(frame.function).cloned() else {
            return;
        };
        let mut trace = LoopTrace::new(&function, active.loop_info, frame.index + 1, until);
        self.with_time(|s| {
            s.timeline.seek_into(&mut s.machine, active.entered_at);
            s.replay_watched(&mut trace, until);
        });
        for line in render_loop_table(&trace, now, &self.sources, self.view_settings.width) {
            reply.line(line);
        }
    }
}
