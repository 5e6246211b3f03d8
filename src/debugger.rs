//! Breakpoints, stepping, time and the asking of why: all on the machine's stops and notes, for every language alike.

pub mod breakpoint;
pub mod dispatch_log;
pub mod exec_trace;
pub mod loop_info;
pub mod loop_trace;
mod rebind;
pub mod rebinding_loop;
pub mod step;
pub mod time_point;
pub mod timeline;
mod trace;
pub mod value_columns;
pub mod value_profile;
pub mod value_recorder;
pub mod watchpoint;

pub use breakpoint::{Access, Breakpoint, GameEvent, HitCondition, Location, WatchTarget};
pub use step::{BreakpointGuard, HitFinder, StepTarget, Stepper, StopMap};
pub use time_point::TimePoint;
pub use timeline::{Branch, HistoryAction, HistoryEntry, Timeline};
pub use trace::Trace;

use crate::code::{FunctionId, FunctionKind, Program};
use crate::source::Sources;
use crate::value::StoreSnapshot;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What a person has asked the debugger for.
#[derive(Default)]
pub struct Debugger {
    pub breakpoints: Vec<Breakpoint>,
    made: u32,
    /// The program that they have found their places in: the past has others.
    settled: Option<Rc<Program>>,
    /// Shown at every stop.
    pub displays: Vec<String>,
    /// Times with names.
    pub bookmarks: BTreeMap<String, TimePoint>,
    /// Whether steps go through the rules of play.
    pub steps_into_rules: bool,
    /// Functions and handlers that steps pass over, by title.
    pub skipped_functions: Vec<String>,
    /// Calls and events as they happen, if they are to be told.
    pub trace: Option<Trace>,
    /// The moments at which the person stood, and which of them is the present one.
    pub nav_history: Vec<TimePoint>,
    pub nav_index: usize,
    /// What an empty line repeats.
    pub repeat_command: Option<String>,
    /// The frame that is looked at, counted from the top.
    pub selected_frame: usize,
    /// The game at the last stop: what has changed since is shown at the next.
    pub last_stop_state: Option<StoreSnapshot>,
    /// The fields of records as they were shown then, by name.
    pub last_stop_fields: Vec<(String, String)>,
}

impl Debugger {
    pub fn add_breakpoint(&mut self, spot: Location, text: &str) -> &mut Breakpoint {
        self.made += 1;
        self.settled = None;
        self.breakpoints.push(Breakpoint {
            number: self.made,
            location: spot,
            text: text.to_string(),
            condition: None,
            hit_condition: None,
            command: None,
            log_message: None,
            is_temporary: false,
            is_enabled: true,
            hit_count: 0,
            ignore_count: 0,
            addresses: Vec::new(),
            anchor: None,
        });
        let last = self.breakpoints.len() - 1;
        &mut self.breakpoints[last]
    }

    /// Takes breakpoints that were put aside: the program may have changed meanwhile.
    pub fn restore_breakpoints(&mut self, breakpoints: Vec<Breakpoint>) {
        self.breakpoints = breakpoints;
        self.settled = None;
    }

    /// Breakpoints look for their places in a changed program; says which have lost theirs, and which found one.
    pub fn rebind_breakpoints(&mut self, program: &Rc<Program>, sources: &Sources) -> Vec<String> {
        let mut told = Vec::new();
        if self
            .settled
            .as_ref()
            .is_some_and(|s| Rc::ptr_eq(s, program))
        {
            return told;
        }
        self.settled = Some(program.clone());
        for b in &mut self.breakpoints {
            let had = !b.addresses.is_empty();
            told.extend(b.rebind(program, sources));
            let has = !b.addresses.is_empty() || matches!(b.location, Location::Event(..));
            if had && !has {
                told.push(format!(
                    "breakpoint {} ({}) is pending: its code is gone",
                    b.number, b.text
                ));
            } else if !had && has && !matches!(b.location, Location::Event(..)) {
                told.push(format!(
                    "breakpoint {} ({}) is active now",
                    b.number, b.text
                ));
            }
        }
        told
    }

    /// Where steps may end.
    pub fn stop_map(&self, program: &Program, traps: &[(FunctionId, u32)]) -> StopMap {
        StopMap::new(program, traps, |f| {
            f.kind == FunctionKind::Rules && !self.steps_into_rules
                || self
                    .skipped_functions
                    .iter()
                    .any(|s| breakpoint::is_named(f, s))
        })
    }

    /// All places where the machine has to ask.
    pub fn traps(&self) -> Vec<(FunctionId, u32)> {
        self.breakpoints
            .iter()
            .filter(|b| b.is_enabled)
            .flat_map(|b| b.addresses.iter().copied())
            .collect()
    }

    pub fn stops_on_error(&self) -> bool {
        self.breakpoints
            .iter()
            .any(|b| b.is_enabled && b.location == Location::Event(GameEvent::Error, None))
    }
}
