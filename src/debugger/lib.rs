//! The debugger: one game that can be run, stopped, inspected and taken back in time.
//!
//! ```text
//! target      the game with its sources, its history and its breakpoints
//! run         starting, stepping, stopping, questions of the program, errors, dry runs
//! history     the timeline, time travel, searching it backward
//! breakpoint  breakpoints, watchpoints and properties: what they are bound to, when they hit
//! frame       the call stack, variables, expressions in a frame
//! diff        what has changed between two states
//! long_text   work on texts that may be long, which Ctrl-C and the memory limit end
//! recorder    what a run does, instruction by instruction
//! ```
//!
//! Everything here works on the stop points and value info that lowering attaches to the code, so
//! it is the same for every language.

#![warn(missing_docs)]

use gridbug_answer as answer;
use gridbug_base::{code, diagnostic, language, machine, source, text, value};

pub mod breakpoint;
pub mod diff;
pub mod frame;
pub mod history;
pub mod long_text;
pub mod recorder;
pub mod run;
mod target;

pub use breakpoint::property::Property;
pub use breakpoint::{Breakpoint, GameEvent, Location, Trigger, WatchTarget, WatchedExpr};
pub use diff::state_diff::field_diff;
pub use frame::frames::FrameInfo;
pub use frame::source_range::range_in;
pub use frame::value_json::value_to_json;
pub use history::time_point::TimePoint;
pub use history::timeline::{
    Branch, DroppedHistory, EntryId, HistoryAction, HistoryEntry, Timeline,
};
pub use recorder::Trace;
pub use run::next_statement::FrameStatement;
pub use run::partial_eval::PartialEval;
pub use run::step::{BreakpointGuard, HitFinder, Stepper};
pub use run::step::{StepTarget, StopMap};
pub use run::{Plan, Progress, Run, SuspendedRun};
pub use target::Target;

use crate::answer::{BindingChange, ReboundBreakpoint};
use crate::code::{FunctionId, FunctionKind, Program};
use crate::source::Sources;
use crate::value::StoreSnapshot;
use breakpoint::rebind::{self, FormerBindings};
use diff::state_diff::RecordFields;
use frame::frames;
use history::timeline::HitKey;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The debugger's state: breakpoints, displays, bookmarks and the navigation history.
#[derive(Default)]
pub struct Debugger {
    /// Breakpoints, watchpoints and logpoints, in ascending order of their numbers.
    pub breakpoints: Vec<Breakpoint>,
    last_breakpoint_number: u32,
    last_hit_key: HitKey,
    /// Temporary breakpoints that a dry run has hit. They return when it is rolled back.
    hit_in_dry_run: Vec<Breakpoint>,
    /// The program that the breakpoints are currently bound to. Traveling back in time can switch
    /// to an older program.
    bound_program: Option<Rc<Program>>,
    /// Whether runtime errors in the program's code stop it, without a breakpoint on them.
    pub stops_on_program_errors: bool,
    /// Expressions shown at every stop (`:display`).
    pub displays: Vec<String>,
    /// Times named with `:mark`.
    pub bookmarks: BTreeMap<String, TimePoint>,
    /// Whether stepping enters the rules of play, which it normally steps over (`:rules on`).
    pub steps_into_rules: bool,
    /// Names of functions and handlers that stepping never enters (`:skip`).
    pub skipped_functions: Vec<String>,
    /// The live trace of calls and events; `None` while tracing is off.
    pub trace: Option<Trace>,
    /// The points in time where the user has been, for `:jump back` and `:jump forward`.
    pub nav_history: Vec<TimePoint>,
    /// Index of the current point in `nav_history`; 0 while that is empty.
    pub nav_index: usize,
    /// The command that an empty line repeats.
    pub repeat_command: Option<String>,
    /// The selected frame of the call stack, counted from the top.
    pub selected_frame: usize,
    /// The game state at the last stop; the next stop shows what has changed since.
    pub last_stop_state: Option<StoreSnapshot>,
    /// The named record fields at the last stop, or before the current entry.
    pub(crate) last_stop_fields: Option<RecordFields>,
    /// The variables of the selected frame at the last stop.
    pub(crate) last_stop_locals: Option<frames::StopLocals>,
}

/// Breakpoints that are not in effect; see [`Debugger::swap_breakpoints`]. None by default.
#[derive(Default)]
pub struct SavedBreakpoints {
    breakpoints: Vec<Breakpoint>,
    last_number: u32,
    stops_on_program_errors: bool,
}

impl SavedBreakpoints {
    /// No breakpoints. The flag says whether errors in the program stop it.
    pub fn none(stops_on_program_errors: bool) -> SavedBreakpoints {
        SavedBreakpoints {
            stops_on_program_errors,
            ..SavedBreakpoints::default()
        }
    }
}

impl Debugger {
    /// Adds a breakpoint under the next free number. `text` is the location as the user typed it.
    pub fn add_breakpoint(&mut self, location: Location, text: &str) -> &mut Breakpoint {
        self.last_breakpoint_number += 1;
        self.last_hit_key.0 += 1;
        self.bound_program = None;
        self.breakpoints.push(Breakpoint {
            number: self.last_breakpoint_number,
            location,
            text: text.to_string(),
            condition: None,
            hit_condition: None,
            command: None,
            log_message: None,
            is_temporary: false,
            is_enabled: true,
            hit_key: self.last_hit_key,
            ignored_hits: 0..0,
            addresses: Vec::new(),
            anchor: None,
            former: FormerBindings::default(),
        });
        let last = self.breakpoints.len() - 1;
        &mut self.breakpoints[last]
    }

    /// The breakpoint with this number.
    pub(crate) fn breakpoint(&self, number: u32) -> Option<&Breakpoint> {
        self.breakpoints.iter().find(|b| b.number == number)
    }

    /// Removes a temporary breakpoint that was hit. After a dry run it returns.
    fn remove_temporary_breakpoint(&mut self, number: u32, is_dry_run: bool) {
        let hit = self.breakpoints.extract_if(.., |b| b.number == number);
        let hit: Vec<Breakpoint> = hit.collect();
        if is_dry_run {
            self.hit_in_dry_run.extend(hit);
        }
    }

    /// Sets the temporary breakpoints again that a dry run has hit.
    fn restore_temporary_breakpoints(&mut self) {
        self.breakpoints.append(&mut self.hit_in_dry_run);
        self.breakpoints.sort_by_key(|b| b.number);
        self.bound_program = None;
    }

    /// Exchanges all breakpoints, and their numbering, with others. The program may have changed since
    /// those were set.
    pub fn swap_breakpoints(&mut self, other: &mut SavedBreakpoints) {
        std::mem::swap(&mut self.breakpoints, &mut other.breakpoints);
        std::mem::swap(&mut self.last_breakpoint_number, &mut other.last_number);
        std::mem::swap(
            &mut self.stops_on_program_errors,
            &mut other.stops_on_program_errors,
        );
        self.bound_program = None;
    }

    /// Takes over the settings of another session, in which the same was typed before the program has
    /// changed. Breakpoints stay where they were until they are bound to the program; their hits are
    /// those in this history.
    pub fn take_settings(&mut self, mut former: Debugger) {
        let replayed = std::mem::take(&mut self.breakpoints);
        for mut b in std::mem::take(&mut former.breakpoints) {
            match replayed.iter().find(|r| r.number == b.number) {
                Some(r) => {
                    (b.hit_key, b.ignored_hits) = (r.hit_key, r.ignored_hits.clone());
                    if b.is_watchpoint() {
                        b.location = r.location.clone();
                    }
                }
                // The changed program has hit it.
                None if b.is_temporary => continue,
                None => {
                    self.last_hit_key.0 += 1;
                    b.hit_key = self.last_hit_key;
                }
            }
            self.breakpoints.push(b);
        }
        self.last_breakpoint_number = former.last_breakpoint_number;
        self.bound_program = None;
        self.stops_on_program_errors = former.stops_on_program_errors;
        self.displays = former.displays;
        self.trace = former.trace;
        self.repeat_command = former.repeat_command;
    }

    /// Binds all breakpoints to `program` and returns those that moved, became pending or became
    /// active. Does nothing if they are bound to it already.
    pub fn rebind_breakpoints(
        &mut self,
        program: &Rc<Program>,
        sources: &Sources,
    ) -> Vec<ReboundBreakpoint> {
        let mut rebound = Vec::new();
        if self
            .bound_program
            .as_ref()
            .is_some_and(|bound| Rc::ptr_eq(bound, program))
        {
            return rebound;
        }
        let bound = self.bound_program.replace(program.clone());
        let changed = bound.and_then(|old| rebind::changed_entries(&old, program));
        for b in &mut self.breakpoints {
            if let Some(changed) = &changed
                && b.rebind_to_entries(changed, program, sources)
            {
                continue;
            }
            let was_bound = !b.addresses.is_empty();
            rebound.extend(b.rebind(program, sources));
            let is_bound = !b.addresses.is_empty();
            // Events belong to no code, and every entry may be the one that writes a watched value.
            let is_in_code = matches!(b.location, Location::Line { .. } | Location::Function(_));
            let change = match (is_in_code, was_bound, is_bound) {
                (true, true, false) => BindingChange::Pending,
                (true, false, true) => BindingChange::Active,
                _ => continue,
            };
            rebound.push(ReboundBreakpoint {
                id: b.number,
                location: b.text.clone(),
                change,
            });
        }
        rebound
    }

    /// Where steps may end and where breakpoints are; `traps` are the addresses of the breakpoints.
    pub fn stop_map(&self, program: &Program, traps: &[(FunctionId, u32)]) -> StopMap {
        StopMap::new(program, traps, |f| {
            f.kind == FunctionKind::Rules && !self.steps_into_rules
                || self
                    .skipped_functions
                    .iter()
                    .any(|name| breakpoint::is_named(f, name))
        })
    }

    /// The addresses of all enabled breakpoints.
    pub fn traps(&self) -> Vec<(FunctionId, u32)> {
        self.breakpoints
            .iter()
            .filter(|b| b.is_enabled)
            .flat_map(|b| b.addresses.iter().copied())
            .collect()
    }

    /// Errors no longer stop the program: deletes the breakpoints on them.
    pub fn ignore_errors(&mut self) {
        self.stops_on_program_errors = false;
        self.breakpoints
            .retain(|b| b.location != Location::Event(GameEvent::Error, None));
    }

    /// True if a breakpoint on the event `error` is enabled.
    pub fn stops_on_error(&self) -> bool {
        self.breakpoints
            .iter()
            .any(|b| b.is_enabled && b.location == Location::Event(GameEvent::Error, None))
    }
}
