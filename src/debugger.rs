//! Breakpoints, stepping, time and the asking of why: all on the machine's stops and notes, for every language alike.

pub mod asked;
pub mod breakpoint;
pub mod census;
pub mod chain;
pub mod column;
pub mod cycle;
pub mod evaluation;
pub mod moment;
pub mod rounds;
mod settle;
pub mod step;
pub mod timeline;
pub mod touch;
mod trace;
pub mod turns;

pub use breakpoint::{Access, Breakpoint, GameEvent, Hits, Spot, Watched};
pub use moment::Moment;
pub use step::{Finder, Goal, Guarded, Marks, Stepper};
pub use timeline::{Branch, Deed, Record, Timeline};
pub use trace::Trace;

use crate::code::{FunctionId, Program, Role};
use crate::source::Sources;
use crate::value::StoreImage;
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
    pub marks: BTreeMap<String, Moment>,
    /// Whether steps go through the rules of play.
    pub rules: bool,
    /// Functions and handlers that steps pass over, by title.
    pub skipped: Vec<String>,
    /// Calls and events as they happen, if they are to be told.
    pub trace: Option<Trace>,
    /// The moments at which the person stood, and which of them is the present one.
    pub visited: Vec<Moment>,
    pub visit: usize,
    /// What an empty line repeats.
    pub last_move: Option<String>,
    /// The frame that is looked at, counted from the top.
    pub frame: usize,
    /// The game at the last stop: what has changed since is shown at the next.
    pub last_stop: Option<StoreImage>,
    /// The fields of records as they were shown then, by name.
    pub last_fields: Vec<(String, String)>,
}

impl Debugger {
    pub fn add(&mut self, spot: Spot, text: &str) -> &mut Breakpoint {
        self.made += 1;
        self.settled = None;
        self.breakpoints.push(Breakpoint {
            number: self.made,
            spot,
            text: text.to_string(),
            condition: None,
            hits: None,
            command: None,
            log: None,
            once: false,
            enabled: true,
            count: 0,
            ignore: 0,
            places: Vec::new(),
            home: None,
        });
        let last = self.breakpoints.len() - 1;
        &mut self.breakpoints[last]
    }

    /// Takes breakpoints that were put aside: the program may have changed meanwhile.
    pub fn put_back(&mut self, breakpoints: Vec<Breakpoint>) {
        self.breakpoints = breakpoints;
        self.settled = None;
    }

    /// Breakpoints look for their places in a changed program; says which have lost theirs, and which found one.
    pub fn settle(&mut self, program: &Rc<Program>, sources: &Sources) -> Vec<String> {
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
            let had = !b.places.is_empty();
            told.extend(b.settle(program, sources));
            let has = !b.places.is_empty() || matches!(b.spot, Spot::Event(..));
            if had && !has {
                told.push(format!(
                    "breakpoint {} ({}) has lost its place",
                    b.number, b.text
                ));
            } else if !had && has && !matches!(b.spot, Spot::Event(..)) {
                told.push(format!(
                    "breakpoint {} ({}) has a place now",
                    b.number, b.text
                ));
            }
        }
        told
    }

    /// Where steps may end.
    pub fn stops(&self, program: &Program, traps: &[(FunctionId, u32)]) -> Marks {
        Marks::of(program, traps, |f| {
            f.role == Role::Rules && !self.rules
                || self.skipped.iter().any(|s| breakpoint::is_titled(f, s))
        })
    }

    /// All places where the machine has to ask.
    pub fn traps(&self) -> Vec<(FunctionId, u32)> {
        self.breakpoints
            .iter()
            .filter(|b| b.enabled)
            .flat_map(|b| b.places.iter().copied())
            .collect()
    }

    pub fn stops_on_error(&self) -> bool {
        self.breakpoints
            .iter()
            .any(|b| b.enabled && b.spot == Spot::Event(GameEvent::Error, None))
    }
}
