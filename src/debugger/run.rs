//! Run control: runs the program until a step target, a breakpoint or the end.
//!
//! A [`Run`] collects its answer while it goes: output, log messages, trace, and at its end the stop
//! or the value. It can be advanced in slices of a number of instructions, so that a client can
//! show progress, interrupt it or abandon it between two slices.
//!
//! ```text
//! entry           starting an entry, and taking it back
//! resume          runs in slices, from the current position to the next stop
//! plan            runs of several legs, which can be left between two slices
//! step            observers that pause where a step ends
//! stop            describes where and why the program stopped
//! outcome         what happens when a run pauses, ends or fails
//! next_statement  the statement that runs next; statement: its extent
//! program_input   where an entry is suspended: questions of the program, partial evaluation
//! open_question   asking, and asking again after moving in time
//! failure, retry  the errors at which the program stopped; trying again after a fix
//! runtime_error   errors of the program as diagnostics
//! dry_run         walking through a rule without changing the game
//! partial_eval    progress of `step sub` through one statement
//! ```

mod dry_run;
pub(crate) mod entry;
pub(crate) mod failure;
pub(crate) mod next_statement;
mod open_question;
mod outcome;
pub(crate) mod partial_eval;
mod plan;
pub mod program_input;
pub(crate) mod resume;
mod retry;
mod runtime_error;
pub mod statement;
pub mod step;
mod stop;

pub use next_statement::{entry_typed_at, frame_statement, statement_of};
pub use plan::Plan;
pub use stop::{current_action, describe_place, describe_stop, display, reshow_stop, source_lines};

use super::breakpoint::hits::HitResult;
use super::{StepTarget, StopMap, Target};
use crate::answer::{Answer, Hit, Part, StopReason};
use crate::code::Program;
use crate::diagnostic::{Diagnostic, Phase};
use crate::frame;
use crate::machine::{Channel, Machine};
use crate::source::Span;
use std::rc::Rc;

/// A run reports at most this many warnings.
const MAX_WARNINGS: usize = 100;

/// A run of the target, from one stop to the next, or several in a row.
pub struct Run<'t> {
    /// What runs.
    pub target: &'t mut Target,
    /// Where it started.
    pub(crate) start: RunStart,
    /// What there is to report so far.
    pub(crate) answer: Answer,
    /// The stop that was reached. It is described when the run finishes, so that a run over many
    /// stops describes only the last one.
    pub(crate) stop: Option<PendingStop>,
    /// The leg that is running, if it has not reached its end.
    pub(crate) leg: Option<Leg>,
    /// The legs that follow.
    pub(crate) plan: Option<Plan>,
    /// What to report when it ends.
    pub(crate) ending: Ending,
}

/// What a run reports at its end, besides the stop or the value.
#[derive(Default)]
pub(crate) struct Ending {
    /// How many parts at the start of the answer say what an entry has defined. An entry that fails
    /// has defined nothing.
    pub(crate) definition_parts: usize,
    /// Warnings about the entry, which come first.
    pub(crate) warnings: Vec<Diagnostic>,
    /// The function whose result is reported if the run ends after it.
    pub(crate) returned_from: Option<String>,
}

/// Where a run starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RunStart {
    /// With a new entry. If it runs to its end, its value is all there is to report.
    Entry,
    /// At a stop, or at another position in the history. The end of the entry is reported.
    Stop,
}

/// A stop that has not been described.
pub(crate) struct PendingStop {
    pub(crate) reason: StopReason,
    pub(crate) message: String,
    pub(crate) hits: Vec<Hit>,
}

/// A run that was left before its end; see [`Run::suspend`].
pub struct SuspendedRun {
    pub(crate) start: RunStart,
    pub(crate) answer: Answer,
    pub(crate) stop: Option<PendingStop>,
    pub(crate) leg: Option<Leg>,
    pub(crate) plan: Option<Plan>,
    pub(crate) ending: Ending,
}

/// The state of a run between two slices.
pub(crate) struct Leg {
    pub(crate) goal: Option<StepTarget>,
    /// The time at which it started.
    pub(crate) start: u64,
    /// The first instruction may trigger a watchpoint. Other breakpoints at it were checked when
    /// the program stopped there.
    pub(crate) checks_watchpoints_first: bool,
    /// Whether an entry has just been started or finished by replaying.
    pub(crate) has_changed_entry: bool,
    /// Whether the current instruction was reached before its breakpoints and the goal were checked:
    /// a slice or `step sub` has ended, an entry has started, or the instruction before was executed
    /// to check a watchpoint.
    pub(crate) is_unchecked: bool,
    /// The replay is at a breakpoint where something was typed, and has not checked it yet.
    pub(crate) is_before_nested: bool,
    /// The program whose traps are set, and its stop map if the run has to be observed.
    pub(crate) armed: Option<(Rc<Program>, Option<StopMap>)>,
}

impl SuspendedRun {
    /// How far the run has come.
    pub fn progress(&self, target: &Target) -> Progress {
        match &self.leg {
            Some(leg) => leg.progress(&target.machine),
            None => Progress {
                instructions: 0,
                time: target.machine.time(),
            },
        }
    }
}

/// How far a run has come that has not ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Instructions executed since it was started or resumed.
    pub instructions: u64,
    /// The time that it has reached.
    pub time: u64,
}

impl Leg {
    /// Notes that the current instruction was reached and its breakpoints have not been checked.
    pub(crate) fn arrive(&mut self, target: &Target) {
        self.is_unchecked = true;
        self.is_before_nested =
            target.timeline.is_at_nested(&target.machine) && target.machine.is_at_trap();
    }

    fn progress(&self, machine: &Machine) -> Progress {
        Progress {
            instructions: machine.time().saturating_sub(self.start),
            time: machine.time(),
        }
    }
}

impl Target {
    /// Runs until the `count` innermost functions have returned, and reports the result of the last
    /// one.
    pub fn finish(&mut self, count: usize) -> Answer {
        let depth = self.machine.frames().len();
        let frame = frame::frame_info(self, count.min(depth).saturating_sub(1));
        let goal = StepTarget::Out((depth + 1).saturating_sub(count).max(1));
        self.run(|run| {
            run.ending.returned_from = Some(frame.map(|frame| frame.name).unwrap_or_default());
            run.follow(Plan::once(Some(goal)));
        })
    }
}

impl<'t> Run<'t> {
    /// A run from the current position that has not started.
    pub fn at_stop(target: &'t mut Target) -> Run<'t> {
        Run::new(target, RunStart::Stop)
    }

    pub(crate) fn new(target: &'t mut Target, start: RunStart) -> Run<'t> {
        Run {
            target,
            start,
            answer: Answer::new(""),
            stop: None,
            leg: None,
            plan: None,
            ending: Ending::default(),
        }
    }

    /// Why the run has stopped; `None` if it has not, or has ended.
    pub fn stop_reason(&self) -> Option<StopReason> {
        self.stop.as_ref().map(|stop| stop.reason)
    }

    /// How far the run has come; `None` if it has ended.
    pub fn progress(&self) -> Option<Progress> {
        let leg = self.leg.as_ref()?;
        Some(leg.progress(&self.target.machine))
    }

    /// Asks the run to stop at its next safepoint, as Ctrl-C does. [`Run::advance`] stops there.
    pub fn interrupt(&mut self) {
        let flag = self.target.machine.interrupt_flag();
        flag.store(true, std::sync::atomic::Ordering::Relaxed);
    }

    /// Records that the program stops here. [`Run::finish`] describes the stop.
    pub fn stop_here(&mut self, reason: StopReason, message: &str, hits: Vec<Hit>) {
        self.target.debugger.selected_frame = frame::default_frame(self.target);
        self.target.record_visit();
        self.target.watch_stop = None;
        self.answer.show_changed_board();
        self.stop = Some(PendingStop {
            reason,
            message: message.to_string(),
            hits,
        });
    }

    /// Stops for the breakpoints that were hit.
    pub fn stop_at_breakpoint(&mut self, hit: HitResult) {
        if let HitResult::Stop {
            reason,
            hits,
            commands,
        } = hit
        {
            self.answer.queued_commands = commands.into();
            self.stop_here(reason, "", hits);
        }
    }

    /// Adds the output since the last call to the answer.
    pub fn drain_output(&mut self) {
        self.target.machine.mark_output_read();
        let outputs = &self.target.machine.log().outputs;
        let mut infos = Vec::new();
        // A new branch can make the log shorter than the cursor.
        for (_, output) in outputs.range(self.target.log_cursor.outputs, u64::MAX) {
            match output.channel {
                Channel::Print => self.answer.output.push(output.text.to_string()),
                Channel::Display => {}
                Channel::Warning => {
                    let text = output.text.to_string();
                    let warning = Diagnostic {
                        span: self.target.output_span(output),
                        ..Diagnostic::warning(Phase::Runtime, "RT023", Span::default(), text)
                    };
                    // One entry with a hundred moves can repeat the same warning.
                    let diagnostics = &self.answer.diagnostics;
                    if diagnostics.last() != Some(&warning) && diagnostics.len() < MAX_WARNINGS {
                        self.answer.diagnostics.push(warning);
                    }
                }
                Channel::Info => infos.push(output.text.to_string()),
            }
        }
        if !infos.is_empty() {
            self.answer.parts.push(Part::Info { lines: infos });
        }
        self.target.log_cursor = self.target.machine.log_end();
        self.answer.display = self.target.displayed_message();
    }

    /// Shows what there is to report so far, and keeps the answer small.
    pub(crate) fn report_progress(&mut self) {
        self.drain_output();
        let progress = self.answer.take_progress();
        let has_news = !progress.output.is_empty() || !progress.parts.is_empty();
        if let Some(listener) = self.target.progress_listener.as_mut().filter(|_| has_news)
            && !listener.show(&progress)
        {
            self.interrupt();
        }
    }

    /// Completes what was reported on the way, so that all of it is in one place.
    pub(crate) fn finish_progress(&mut self) {
        if !self.answer.reported.is_empty() {
            self.report_progress();
        }
        if self.target.progress_listener.is_none() {
            self.answer.restore_progress();
        }
    }
}
