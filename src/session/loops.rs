//! The loop around the current statement: its current iteration, and a table of all iterations.

use super::loop_table::render_loop_table;
use super::{Answer, FrameInfo, Line, Session, Style};
use crate::debugger::loop_info::{self};
use crate::debugger::loop_trace::LoopTrace;
use crate::debugger::loops::{ActiveLoop, TABLE_SEARCH_INSTRUCTIONS};
use crate::debugger::{Run, StepTarget, Stepper};
use crate::diagnostic::Diagnostic;
use crate::machine::{Outcome, Pause};

/// Tables shown for one expression.
const MAX_LOOPS_SHOWN: usize = 4;

impl Session {
    /// Shows a table of all iterations of the current loop, including the future ones; false if no
    /// loop is active.
    pub fn show_current_loop(&mut self, reply: &mut Answer) -> bool {
        let Some((frame, active)) = self.target.find_current_loop() else {
            return false;
        };
        let now = (active.iteration > 0).then_some(self.target.machine.time());
        self.show_iterations(&frame, &active, u64::MAX, now, reply);
        true
    }

    /// Steps over the whole current loop, and shows its iterations; false if there is no loop.
    pub fn step_over_loop(&mut self, reply: &mut Answer) -> bool {
        self.target.debugger.selected_frame = self.target.default_frame();
        let Some((frame, active)) = self.target.find_current_loop() else {
            return false;
        };
        let (from, to) = (
            active.loop_info.head.pc.min(active.loop_info.start),
            active.loop_info.end,
        );
        let depth = frame.index + 1;
        let is_dry_run = self.target.is_dry_run();
        if is_dry_run {
            // The end of the loop may end the dry run, and with it the history of the loop.
            self.show_iterations(&frame, &active, u64::MAX, None, reply);
        }
        let mut run = Run::new(&mut self.target);
        run.resume(Some(StepTarget::PastRange { depth, from, to }));
        let answer = run.finish();
        if !is_dry_run {
            self.show_iterations(&frame, &active, self.target.machine.time(), None, reply);
        }
        reply.absorb(answer);
        true
    }

    /// Runs a block or an expression with rollback, and shows its loops; false if it has none.
    pub fn show_loops_of(
        &mut self,
        text: &str,
        reply: &mut Answer,
    ) -> Result<bool, Vec<Diagnostic>> {
        let compiled = match self.target.block_named(text) {
            Some(compiled) => compiled,
            None => self.target.compile_expr(text)?.1,
        };
        let tables = self.with_rollback(|s| {
            s.target.start_eval(compiled)?;
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
        let stop_map = self
            .target
            .debugger
            .stop_map(self.target.machine.program(), &[]);
        let limit = self.target.machine.time() + TABLE_SEARCH_INSTRUCTIONS;
        let mut tables = Vec::new();
        let mut start_time = u64::MAX;
        while tables.len() < MAX_LOOPS_SHOWN && self.target.machine.time() < limit {
            let mut stepper = Stepper {
                stop_map: &stop_map,
                target: StepTarget::Into,
                start_time,
                end_time: u64::MAX,
                has_hit_breakpoint: false,
                trace: None,
            };
            let Outcome::Paused(Pause::Observer) = self.target.machine.run_observed(&mut stepper)
            else {
                break;
            };
            start_time = self.target.machine.time();
            let Some((id, pc)) = self.target.machine.current_location() else {
                break;
            };
            let Some(function) = self.target.machine.function(id).cloned() else {
                break;
            };
            if let Some(loop_info) = loop_info::find_loops(&function)
                .into_iter()
                .find(|l| l.head.pc == pc)
            {
                let mut trace = LoopTrace::new(
                    &function,
                    loop_info,
                    self.target.machine.frames().len(),
                    limit,
                );
                self.target.machine.run_observed(&mut trace);
                // The end of this loop may be the start of the next one, so stop here again.
                start_time = u64::MAX;
                let location = format!(
                    "in {}, {}",
                    function.name,
                    self.target.short_location(loop_info.head.span)
                );
                tables.push((
                    location,
                    render_loop_table(&trace, None, &self.target.sources, self.view_settings.width),
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
        reply: &mut Answer,
    ) {
        let Some(function) = self.target.machine.function(frame.function).cloned() else {
            return;
        };
        let mut trace = LoopTrace::new(&function, active.loop_info, frame.index + 1, until);
        self.with_time(|s| {
            s.target
                .timeline
                .seek_into(&mut s.target.machine, active.entered_at);
            s.target.replay_watched(&mut trace, until);
        });
        for line in render_loop_table(&trace, now, &self.target.sources, self.view_settings.width) {
            reply.line(line);
        }
    }
}
