//! Everything that was seen while something ran, in all frames, counted by the part of the text.

use super::value_recorder::{Sample, ValueRecorder};
use crate::code::{FunctionId, FunctionKind};
use crate::machine::{Machine, Observer};
use crate::source::Span;
use crate::value::Value;
use std::collections::BTreeMap;

/// A part of the text and all values that it had.
#[derive(Clone, Debug)]
pub struct ExprProfile {
    pub span: Span,
    pub function: FunctionId,
    pub count: usize,
    pub true_count: usize,
    pub false_count: usize,
    /// Each value as text, and how often.
    pub values: Vec<(String, usize)>,
}

/// Watches all frames of the person's own code above a depth.
pub struct ValueProfile {
    floor: usize,
    frames: Vec<ValueRecorder>,
    pub exprs: BTreeMap<(u32, Span), ExprProfile>,
    /// The stops that were passed, and how often.
    pub stop_counts: BTreeMap<(u32, u32), usize>,
    /// All that was seen, in order, up to a limit.
    pub samples: Vec<(FunctionId, Sample)>,
    /// Pieces that a click came to a second time.
    pub skipped_clicks: Vec<u32>,
    until: u64,
}

const MOST: usize = 200_000;

impl ValueProfile {
    pub fn new(machine: &Machine, patience: u64) -> ValueProfile {
        ValueProfile {
            floor: machine.frames().len(),
            frames: Vec::new(),
            exprs: BTreeMap::new(),
            stop_counts: BTreeMap::new(),
            samples: Vec::new(),
            skipped_clicks: Vec::new(),
            until: machine.time() + patience,
        }
    }

    /// Whether more was seen than is remembered one by one.
    pub fn is_full(&self) -> bool {
        self.samples.len() >= MOST
    }

    fn take(&mut self, function: FunctionId, seeing: Sample) {
        let tally = self
            .exprs
            .entry((function.0, seeing.span))
            .or_insert_with(|| ExprProfile {
                span: seeing.span,
                function,
                count: 0,
                true_count: 0,
                false_count: 0,
                values: Vec::new(),
            });
        tally.count += 1;
        match seeing.value {
            Value::TRUE => tally.true_count += 1,
            Value::FALSE => tally.false_count += 1,
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
        if self.samples.len() < MOST {
            self.samples.push((function, seeing));
        }
    }
}

impl Observer for ValueProfile {
    fn should_pause(&mut self, machine: &Machine) -> bool {
        let depth = machine.frames().len();
        if depth < self.floor || machine.time() >= self.until {
            return true;
        }
        self.frames.truncate(depth + 1 - self.floor);
        while self.frames.len() < depth + 1 - self.floor {
            let mut collector = ValueRecorder::new(machine);
            collector.ignores_stops = true;
            self.frames.push(collector);
        }
        let Some((id, pc)) = machine.current_location() else {
            return true;
        };
        let Some(function) = machine.function(id) else {
            return true;
        };
        if function.kind == FunctionKind::Rules {
            return false;
        }
        if function.stop_point_at(pc).is_some() {
            *self.stop_counts.entry((id.0, pc)).or_default() += 1;
        }
        let mut seen = Vec::new();
        if let Some(collector) = self.frames.last_mut() {
            collector.should_pause(machine);
            seen = std::mem::take(&mut collector.samples);
            collector.stops_passed.clear();
        }
        for seeing in seen {
            self.take(id, seeing);
        }
        false
    }

    fn on_click_skipped(&mut self, _: &Machine, cell: u32) {
        self.skipped_clicks.push(cell);
    }
}
