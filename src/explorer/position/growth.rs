//! Which variable makes a search grow without end, and where it is read.

use super::graph::PositionId;
use super::packing::Phase;
use super::simulator::Simulator;
use crate::answer::{GrowingVariable, SearchExtent};
use crate::code::{FunctionId, FunctionKind, Reg};
use crate::debugger::Target;
use crate::language::Actions;
use crate::model::cone::{Question, Read, Variable, decisive_reads};
use crate::question::find::place_of;
use crate::search::Exploration;
use crate::source::Span;
use crate::value::{InternedStr, Items, ObjectKind, Value};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Positions that are looked at to find out which variable keeps growing.
const SAMPLED_POSITIONS: usize = 2000;
/// A variable with fewer values than this is not blamed.
const MIN_GROWING_VALUES: usize = 20;
/// A list with fewer lengths than this does not grow.
const MIN_LENGTHS: usize = 4;
/// Larger positions are not looked at.
const MAX_POSITION_BYTES: usize = 1 << 12;

/// Adds the place of the code that reads the variable because of which a search keeps growing.
pub fn locate_growth(target: &Target, extent: &mut SearchExtent) {
    if let Some(growing) = &mut extent.growing {
        growing.read_in = growing.span.and_then(|span| place_of(target, span));
    }
}

/// A variable that may grow.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Suspect {
    /// Of a function that waits for an answer. Only the name tells it from others of this function.
    Local(FunctionId, InternedStr, Reg),
    Global(u32),
}

/// The values of a variable.
#[derive(Default)]
struct Seen {
    values: HashSet<Vec<u8>>,
    /// The lengths of lists.
    lengths: BTreeSet<usize>,
    is_list: bool,
}

impl Seen {
    /// How many values there are, if they become more and more.
    fn count(&self) -> usize {
        match self.is_list && self.lengths.len() < MIN_LENGTHS {
            // The items of a list are rearranged.
            true => 0,
            false => self.values.len(),
        }
    }

    fn add(&mut self, simulator: &mut Simulator, value: Value) {
        let items = match value.as_heap().map(|handle| handle.kind) {
            None | Some(ObjectKind::Int | ObjectKind::String) => vec![value],
            Some(ObjectKind::List) => {
                let items = simulator.machine.store.heap.items(value);
                let items = items.map(Items::to_vec).unwrap_or_default();
                self.lengths.insert(items.len());
                self.is_list = true;
                items
            }
            // A board has many values without growing.
            Some(ObjectKind::Grid | ObjectKind::Tuple | ObjectKind::Record) => return,
        };
        let mut bytes = Vec::new();
        for item in items {
            simulator.pack_value(item, &mut bytes);
        }
        self.values.insert(bytes);
    }
}

impl Exploration {
    /// The variable with the most values among the last positions, if it has many.
    pub(crate) fn growing_variable(&self) -> Option<GrowingVariable> {
        // Where the board makes the first position too large, all are.
        if self.graph.len() == 0 || self.graph.bytes(0).len() > MAX_POSITION_BYTES {
            return None;
        }
        let mut simulator = Simulator::new(self.setup.clone(), Default::default());
        let program = simulator.machine.program().clone();
        let mut seen: BTreeMap<Suspect, Seen> = BTreeMap::new();
        let first = self.graph.len().saturating_sub(SAMPLED_POSITIONS);
        let step = (self.graph.len() / SAMPLED_POSITIONS).max(1);
        let sampled = (0..self.graph.len())
            .step_by(step)
            .chain(first..self.graph.len());
        for id in sampled {
            let bytes = self.graph.bytes(id as PositionId);
            if bytes.len() > MAX_POSITION_BYTES || Phase::of(bytes) == Phase::Value {
                continue;
            }
            let phase = simulator.load(bytes);
            let mut found: Vec<(Suspect, Value)> = Vec::new();
            for &global in &self.setup.layout.cone.globals {
                let value = simulator.machine.store.global(global);
                found.push((Suspect::Global(global), value));
            }
            let frames = match phase {
                phase if phase.has_stack() => simulator.machine.frames(),
                _ => &[],
            };
            for (n, frame) in frames.iter().enumerate() {
                let registers = simulator.machine.registers(n);
                let function = program.function(frame.function);
                let function = function.filter(|f| f.kind != FunctionKind::Rules);
                for local in function.iter().flat_map(|f| f.locals_at(frame.pc)) {
                    let suspect = Suspect::Local(frame.function, local.name, local.register);
                    let value = registers.get(local.register as usize);
                    found.extend(value.map(|value| (suspect, *value)));
                }
            }
            for (suspect, value) in found {
                let seen = seen.entry(suspect).or_default();
                seen.add(&mut simulator, value);
            }
        }
        let counts = seen.iter().map(|(suspect, seen)| (*suspect, seen.count()));
        let (suspect, values) = counts.max_by_key(|(_, count)| *count)?;
        let (name, function) = match suspect {
            Suspect::Global(global) => (program.globals.get(global as usize)?.name, None),
            Suspect::Local(function, name, _) => (name, Some(program.function(function)?.name)),
        };
        let is_visible = !name.as_str().is_empty() && !name.as_str().starts_with('@');
        (values >= MIN_GROWING_VALUES && is_visible).then(|| GrowingVariable {
            name: name.to_string(),
            values,
            function: function.map(|f| f.to_string()),
            read_in: None,
            span: self.first_read(&mut simulator, suspect),
        })
    }

    /// The first place in the program that makes a variable matter.
    fn first_read(&self, simulator: &mut Simulator, suspect: Suspect) -> Option<Span> {
        let setup = &self.setup;
        simulator.load(self.graph.bytes(0));
        let machine = &simulator.machine;
        let started = setup.entries.iter().chain(&setup.game).map(|(_, f)| *f);
        let mut functions: Vec<FunctionId> = started.collect();
        if let Actions::Clicks(function) = setup.model.actions {
            functions.push(function);
        }
        functions.extend(machine.frames().iter().map(|f| f.function));
        let question = Question {
            program: machine.program(),
            functions,
            kept_globals: Vec::new(),
            first_attribute: setup.model.first_attribute,
            output: setup.watch.output_use(),
            globals: machine.store.globals.as_slice(),
            heap: &machine.store.heap,
        };
        let read = match suspect {
            Suspect::Global(global) => Read::Variable(Variable::Global(global)),
            Suspect::Local(function, _, register) => Read::Register(function, register),
        };
        let spans = decisive_reads(&question, read, &setup.layout.cone);
        spans.into_iter().min_by_key(|span| span.start)
    }
}
