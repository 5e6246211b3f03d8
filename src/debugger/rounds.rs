//! The rounds of a loop: what its variables and the parts of its text were in each.

use super::evaluation::Collector;
use crate::machine::{Machine, Watch};
use crate::source::Span;
use crate::value::Value;

/// What was seen in one round: the values of locals at its end, and of parts of the text.
#[derive(Clone, Default, Debug)]
pub struct Round {
    pub locals: Vec<(String, String)>,
    pub seen: Vec<(Span, String)>,
}

/// Watches the instructions from `from` to `to` of one frame, until they are left.
pub struct Rounds {
    depth: usize,
    from: u32,
    to: u32,
    inner: Option<Collector>,
    pub rounds: Vec<Round>,
    /// The first stop of the body: a round begins when it is passed.
    first: Option<u32>,
    /// How much of what was seen belongs to the rounds before.
    taken: usize,
    locals: Vec<(String, String)>,
    /// The locals before the first round.
    pub start: Vec<(String, String)>,
}

/// More rounds than this nobody reads.
const MOST: usize = 100_000;

impl Rounds {
    pub fn new(depth: usize, from: u32, to: u32) -> Rounds {
        Rounds {
            depth,
            from,
            to,
            inner: None,
            rounds: Vec::new(),
            first: None,
            taken: 0,
            locals: Vec::new(),
            start: Vec::new(),
        }
    }

    fn note_locals(&mut self, machine: &Machine) {
        let Some(top) = machine.frames().last() else { return };
        let Some(function) = machine.function(top.function) else { return };
        let registers = machine.registers(self.depth - 1);
        let program = machine.program();
        let written = |value: Value| match value.as_piece() {
            // Which piece it is says more than what kind.
            Some(p) => {
                let (row, col) = machine.store.row_col(p.at);
                program.cells.write(row.into(), col.into())
            }
            None => (program.write)(program, &machine.store, value, true),
        };
        self.locals = function
            .locals_at(top.pc)
            .filter_map(|l| Some((l.name.to_string(), *registers.get(l.register as usize)?)))
            .filter(|(_, value)| *value != Value::NOTHING)
            .map(|(name, value)| (name, written(value)))
            .collect();
    }

    fn end_round(&mut self) {
        let seen = self.inner.as_ref().map_or(&[][..], |i| &i.seen);
        let mine = seen.get(self.taken..).unwrap_or_default();
        self.taken = seen.len();
        let seen = mine.iter().map(|s| (s.span, s.text.clone())).collect();
        self.rounds.push(Round { locals: self.locals.clone(), seen });
    }

    fn close(&mut self) -> bool {
        if self.first.take().is_some() {
            self.end_round();
        }
        true
    }
}

impl Watch for Rounds {
    const ACTIVE: bool = true;

    fn pauses(&mut self, machine: &Machine) -> bool {
        let frames = machine.frames();
        if frames.len() > self.depth {
            return false;
        }
        let Some(top) = frames.last().filter(|_| frames.len() == self.depth) else { return self.close() };
        let Some(function) = machine.function(top.function) else { return true };
        let pc = top.pc;
        if !(self.from..self.to).contains(&pc) {
            return self.close();
        }
        let inner = self.inner.get_or_insert_with(|| {
            let mut collector = Collector::new(machine);
            collector.through = true;
            collector
        });
        inner.pauses(machine);
        // The head's own stop is where the loop begins; the first stop behind it begins a round.
        if pc > self.from && function.stop_at(pc).is_some() && self.first.is_none_or(|f| f == pc) {
            if self.first.is_some() {
                self.end_round();
            } else {
                self.start = self.locals.clone();
                self.taken = self.inner.as_ref().map_or(0, |i| i.seen.len());
            }
            self.first = Some(pc);
        }
        self.note_locals(machine);
        self.rounds.len() > MOST
    }
}
