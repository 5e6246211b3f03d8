//! The loop at hand: in which round it is, and its rounds as a table.

use super::loop_table::render_loop_table;
use super::{FrameInfo, Line, Reply, Session, Style};
use crate::debugger::loop_info::{self, IterationCounter, LoopInfo};
use crate::debugger::loop_trace::LoopTrace;
use crate::debugger::{StepTarget, Stepper};
use crate::diagnostic::Diagnostic;
use crate::machine::{Outcome, Pause};
use crate::source::Span;

/// A loop that a frame is in the midst of.
pub struct ActiveLoop {
    pub loop_info: LoopInfo,
    /// The round going on, from 1; the test that ends a loop is in the round that it prevents.
    pub iteration: u64,
    /// When the loop was entered.
    pub entered_at: u64,
}

/// How many instructions a look for the beginning of a loop may take: about as many as lie between checkpoints.
const NEAR: u64 = 300_000;
/// The same for somebody who asks for the rounds.
const FAR: u64 = 50_000_000;
/// So many loops of an expression are shown.
const MOST_LOOPS: usize = 4;

impl Session {
    /// The round of the loop around the statement that a frame is at.
    pub fn loop_iteration(&mut self, look: &FrameInfo) -> Option<u64> {
        let function = self.machine.function(look.function)?;
        let around = loop_info::innermost_loop(function, look.pc)?;
        self.going(look, around, NEAR).map(|g| g.iteration)
    }

    /// `round 2, p=[0][1]`: where the loop stands whose head a part of the text is, if it is one.
    pub(super) fn format_loop_position(&mut self, look: &FrameInfo, head: Span) -> Option<String> {
        let function = self.machine.function(look.function)?.clone();
        let cycle = loop_info::find_loops(&function)
            .into_iter()
            .find(|c| c.head.span == head && c.contains(look.pc))?;
        let going = self.going(look, cycle, FAR)?;
        let mut words = vec![format!("round {}", going.iteration)];
        let registers = self.machine.registers(look.index);
        for local in function
            .locals_at(look.pc)
            .filter(|l| l.start_pc == cycle.iteration_start || l.start_pc == cycle.start)
        {
            let Some(value) = registers.get(local.register as usize).copied() else {
                continue;
            };
            words.push(format!(
                "{}={}",
                local.name,
                self.format_value_with_cell(value)
            ));
        }
        Some(words.join(", "))
    }

    /// When a loop that is going on in a frame was entered, and how often it went round since.
    fn going(&mut self, look: &FrameInfo, cycle: LoopInfo, patience: u64) -> Option<ActiveLoop> {
        let now = self.machine.time();
        let depth = look.index + 1;
        let function = self.machine.function(look.function)?.clone();
        // The round that begins with the very next instruction has begun for a person.
        let begins = self.machine.frames().len() == depth
            && self.machine.current_location() == Some((look.function, cycle.iteration_start));
        self.with_time(|s| {
            let (mut until, mut round) = (now, u64::from(begins));
            for start in s.timeline.checkpoint_times_before(now) {
                if now - start > patience {
                    return None;
                }
                s.timeline.seek_into(&mut s.machine, start);
                let mut count = IterationCounter::new(function.clone(), cycle, depth, until);
                s.replay_watched(&mut count, until);
                round += count.iterations;
                if let Some(entered) = count.entered_at {
                    return Some(ActiveLoop {
                        loop_info: cycle,
                        iteration: round,
                        entered_at: entered,
                    });
                }
                until = start;
            }
            None
        })
    }

    /// The loop at hand, and when it was entered: now, if it begins here.
    fn loop_at_hand(&mut self) -> Option<(FrameInfo, ActiveLoop)> {
        let look = self.frame_info(self.debugger.selected_frame)?;
        let function = self.machine.function(look.function)?;
        let cycle = loop_info::current_loop(function, look.pc)?;
        if !cycle.contains(look.pc) {
            let entered = self.machine.time();
            return Some((
                look,
                ActiveLoop {
                    loop_info: cycle,
                    iteration: 0,
                    entered_at: entered,
                },
            ));
        }
        let going = self.going(&look, cycle, FAR)?;
        Some((look, going))
    }

    /// The instructions of the loop at hand, for going past it.
    pub fn current_loop(&self) -> Option<LoopInfo> {
        let (id, pc) = self.machine.current_location()?;
        loop_info::current_loop(self.machine.function(id)?, pc)
    }

    /// The rounds of the loop at hand as a table, those that lie ahead too; false if no loop is at hand.
    pub fn show_current_loop(&mut self, reply: &mut Reply) -> bool {
        let Some((look, going)) = self.loop_at_hand() else {
            return false;
        };
        let here = (going.iteration > 0).then_some(self.machine.time());
        self.tell_rounds(&look, &going, u64::MAX, here, reply);
        true
    }

    /// Runs the loop at hand as one, and shows its rounds; false if no loop is at hand.
    pub fn step_over_loop(&mut self, reply: &mut Reply) -> bool {
        self.debugger.selected_frame = self.default_frame();
        let Some((look, going)) = self.loop_at_hand() else {
            return false;
        };
        let (from, to) = (
            going.loop_info.head.pc.min(going.loop_info.start),
            going.loop_info.end,
        );
        let depth = look.index + 1;
        let rehearsal = self.is_dry_run();
        if rehearsal {
            // It may be gone when the loop is over.
            self.tell_rounds(&look, &going, u64::MAX, None, reply);
        }
        self.suppress_stops();
        self.resume(Some(StepTarget::PastRange { depth, from, to }), reply);
        if !rehearsal {
            self.tell_rounds(&look, &going, self.machine.time(), None, reply);
        }
        self.show_suppressed_stop(reply);
        true
    }

    /// The rounds of the loops of a block or an expression, which is run on a copy; false if there are none.
    pub fn show_loops_of(
        &mut self,
        text: &str,
        reply: &mut Reply,
    ) -> Result<bool, Vec<Diagnostic>> {
        let looked = match self.block_named(text) {
            Some(looked) => looked,
            None => self.compile_expr(text)?.1,
        };
        let tables = self.with_rollback(|s| {
            s.start_eval(looked)?;
            Ok::<_, Vec<Diagnostic>>(s.loops_ahead())
        })?;
        let several = tables.len() > 1;
        for (place, lines) in &tables {
            if several {
                reply.line(Line::styled(Style::Dim, format!("  {place}")));
            }
            lines.iter().for_each(|line| reply.line(line.clone()));
        }
        Ok(!tables.is_empty())
    }

    /// The loops that what is running comes to, each with its place and its table; those inside of them are their own.
    fn loops_ahead(&mut self) -> Vec<(String, Vec<Line>)> {
        let marks = self.debugger.stop_map(self.machine.program(), &[]);
        let limit = self.machine.time() + FAR;
        let mut tables = Vec::new();
        let mut from = u64::MAX;
        while tables.len() < MOST_LOOPS && self.machine.time() < limit {
            let mut stepper = Stepper {
                stop_map: &marks,
                target: StepTarget::Into,
                start_time: from,
                end_time: u64::MAX,
                has_hit_breakpoint: false,
                trace: None,
            };
            let Outcome::Paused(Pause::Observer) = self.machine.run_observed(&mut stepper) else {
                break;
            };
            from = self.machine.time();
            let Some((id, pc)) = self.machine.current_location() else {
                break;
            };
            let Some(function) = self.machine.function(id).cloned() else {
                break;
            };
            if let Some(cycle) = loop_info::find_loops(&function)
                .into_iter()
                .find(|c| c.head.pc == pc)
            {
                let mut rounds =
                    LoopTrace::new(&function, cycle, self.machine.frames().len(), limit);
                self.machine.run_observed(&mut rounds);
                // Whoever stands behind it may stand before the next.
                from = u64::MAX;
                let place = format!(
                    "in {}, {}",
                    function.name,
                    self.format_short_location(cycle.head.span)
                );
                tables.push((
                    place,
                    render_loop_table(&rounds, None, &self.sources, self.view_settings.width),
                ));
            }
        }
        tables
    }

    fn tell_rounds(
        &mut self,
        look: &FrameInfo,
        going: &ActiveLoop,
        until: u64,
        here: Option<u64>,
        reply: &mut Reply,
    ) {
        let Some(function) = self.machine.function(look.function).cloned() else {
            return;
        };
        let mut rounds = LoopTrace::new(&function, going.loop_info, look.index + 1, until);
        self.with_time(|s| {
            s.timeline.seek_into(&mut s.machine, going.entered_at);
            s.replay_watched(&mut rounds, until);
        });
        for line in render_loop_table(&rounds, here, &self.sources, self.view_settings.width) {
            reply.line(line);
        }
    }
}
