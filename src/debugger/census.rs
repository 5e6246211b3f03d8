//! Everything that was seen while something ran, in all frames, counted by the part of the text.

use super::evaluation::{Collector, Seeing};
use crate::code::{FunctionId, Role};
use crate::machine::{Machine, Watch};
use crate::source::Span;
use crate::value::Value;
use std::collections::BTreeMap;

/// A part of the text and all values that it had.
#[derive(Clone, Debug)]
pub struct Tally {
    pub span: Span,
    pub function: FunctionId,
    pub times: usize,
    pub trues: usize,
    pub falses: usize,
    /// Each value as text, and how often.
    pub values: Vec<(String, usize)>,
}

/// Watches all frames of the person's own code above a depth.
pub struct Census {
    floor: usize,
    frames: Vec<Collector>,
    pub tallies: BTreeMap<(u32, Span), Tally>,
    /// The stops that were passed, and how often.
    pub passed: BTreeMap<(u32, u32), usize>,
    /// All that was seen, in order, up to a limit.
    pub seen: Vec<(FunctionId, Seeing)>,
    /// Pieces that a click came to a second time.
    pub skipped: Vec<u32>,
    until: u64,
}

const MOST: usize = 200_000;

impl Census {
    pub fn new(machine: &Machine, patience: u64) -> Census {
        Census {
            floor: machine.frames().len(),
            frames: Vec::new(),
            tallies: BTreeMap::new(),
            passed: BTreeMap::new(),
            seen: Vec::new(),
            skipped: Vec::new(),
            until: machine.time() + patience,
        }
    }

    /// Whether more was seen than is remembered one by one.
    pub fn is_full(&self) -> bool {
        self.seen.len() >= MOST
    }

    fn take(&mut self, function: FunctionId, seeing: Seeing) {
        let tally = self
            .tallies
            .entry((function.0, seeing.span))
            .or_insert_with(|| Tally {
                span: seeing.span,
                function,
                times: 0,
                trues: 0,
                falses: 0,
                values: Vec::new(),
            });
        tally.times += 1;
        match seeing.value {
            Value::TRUE => tally.trues += 1,
            Value::FALSE => tally.falses += 1,
            _ => {}
        }
        match tally
            .values
            .iter()
            .position(|(text, _)| *text == seeing.text)
        {
            Some(at) => tally.values[at].1 += 1,
            None if tally.values.len() < 12 => tally.values.push((seeing.text.clone(), 1)),
            None => {}
        }
        if self.seen.len() < MOST {
            self.seen.push((function, seeing));
        }
    }
}

impl Watch for Census {
    fn pauses(&mut self, machine: &Machine) -> bool {
        let depth = machine.frames().len();
        if depth < self.floor || machine.time() >= self.until {
            return true;
        }
        self.frames.truncate(depth + 1 - self.floor);
        while self.frames.len() < depth + 1 - self.floor {
            let mut collector = Collector::new(machine);
            collector.through = true;
            self.frames.push(collector);
        }
        let Some((id, pc)) = machine.at() else {
            return true;
        };
        let Some(function) = machine.function(id) else {
            return true;
        };
        if function.role == Role::Rules {
            return false;
        }
        if function.stop_at(pc).is_some() {
            *self.passed.entry((id.0, pc)).or_default() += 1;
        }
        let mut seen = Vec::new();
        if let Some(collector) = self.frames.last_mut() {
            collector.pauses(machine);
            seen = std::mem::take(&mut collector.seen);
            collector.passed.clear();
        }
        for seeing in seen {
            self.take(id, seeing);
        }
        false
    }

    fn skipped(&mut self, _: &Machine, cell: u32) {
        self.skipped.push(cell);
    }
}
