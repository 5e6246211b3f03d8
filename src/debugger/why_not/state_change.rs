//! Candidate changes of the game state for the counterfactual search: a cell with another piece, a
//! variable or field with another value, or several of these at once.

use crate::code::{Function, FunctionId, Instr};
use crate::debugger::Target;
use crate::debugger::api::{ChangeTargetKind, Counterfactual, ProposedChange};
use crate::debugger::recorder::ValueProfile;
use crate::value::{Piece, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Candidates tried per class.
pub(super) const MAX_CHANGES_TRIED: usize = 8_000;
/// On a board with more cells, only those that the condition read are changed.
const MAX_CELLS_ALL_TRIED: usize = 400;
/// Record fields tried.
const MAX_FIELDS_TRIED: usize = 400;
/// Combinations of three or more cells are tried only if there are at most this many cells.
const MAX_CELLS_COMBINED: usize = 16;

/// What a change writes to.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum ChangeTarget {
    Cell(u32),
    Global(u32),
    /// A field of a record, by index.
    Field(Value, usize),
}

/// A change of one cell, variable or field.
pub(super) struct StateChange {
    /// The cell, as `[0][2]`, or the name of the variable or field.
    name: String,
    /// The new value as text.
    new: String,
    /// The current value as text.
    current: String,
    pub(super) target: ChangeTarget,
    pub(super) value: Value,
}

impl StateChange {
    fn is_cell(&self) -> bool {
        matches!(self.target, ChangeTarget::Cell(_))
    }

    fn describe(&self) -> ProposedChange {
        ProposedChange {
            target: match self.target {
                ChangeTarget::Cell(_) => ChangeTargetKind::Cell,
                ChangeTarget::Global(_) => ChangeTargetKind::Variable,
                ChangeTarget::Field(..) => ChangeTargetKind::Field,
            },
            name: self.name.clone(),
            current: self.current.clone(),
            new: self.new.clone(),
        }
    }
}

/// Changes that are tried together; at least one.
pub(super) struct Candidate {
    pub(super) changes: Vec<Rc<StateChange>>,
    /// Whether these are all cells with the same content.
    is_bulk: bool,
}

impl Candidate {
    fn together(changes: Vec<Rc<StateChange>>) -> Candidate {
        Candidate {
            changes,
            is_bulk: false,
        }
    }

    /// The first target, unless only cells are changed.
    pub(super) fn first_variable(&self) -> Option<ChangeTarget> {
        let first = self.changes.first()?;
        (!self.changes.iter().all(|c| c.is_cell())).then_some(first.target)
    }

    pub(super) fn describe(&self) -> Counterfactual {
        match self.changes.first().filter(|_| self.is_bulk) {
            Some(first) => Counterfactual::EveryCell {
                current: first.current.clone(),
                new: first.new.clone(),
                cells: self.changes.iter().map(|c| c.name.clone()).collect(),
            },
            None => Counterfactual::Together {
                changes: self.changes.iter().map(|c| c.describe()).collect(),
            },
        }
    }
}

impl Target {
    /// Writes a value. To be called inside `with_rollback`.
    pub(super) fn apply_change(&mut self, target: ChangeTarget, value: Value) {
        let store = &mut self.machine.store;
        match target {
            ChangeTarget::Cell(at) => store.cells.set(at as usize, value),
            ChangeTarget::Global(n) => store.globals.set(n as usize, value),
            ChangeTarget::Field(record, n) => {
                if let Some(field) = store
                    .heap
                    .items_mut(record)
                    .and_then(|items| items.get_mut(n))
                {
                    *field = value;
                }
            }
        }
    }

    /// All changes of a single field, variable or cell. Cells with the most common content come
    /// first, because those are usually the empty ones that pieces are placed on.
    pub(super) fn single_changes(&self, profile: &ValueProfile) -> Vec<Rc<StateChange>> {
        let fields = self.field_changes(profile);
        let kind = |at: &u32| {
            self.machine
                .store
                .cells
                .get(*at as usize)
                .and_then(|v| v.as_piece())
                .map(|p| p.kind)
        };
        let mut cells: Vec<u32> = self.cells_to_try(profile).into_iter().collect();
        let mut frequency: BTreeMap<Option<u16>, usize> = BTreeMap::new();
        cells
            .iter()
            .for_each(|at| *frequency.entry(kind(at)).or_default() += 1);
        cells.sort_by_key(|at| std::cmp::Reverse(frequency.get(&kind(at)).copied()));
        let cell_changes = cells.into_iter().flat_map(|at| self.cell_changes(at));
        fields
            .into_iter()
            .chain(self.variable_changes(profile))
            .chain(cell_changes)
            .take(MAX_CHANGES_TRIED)
            .map(Rc::new)
            .collect()
    }

    /// The cells to change. On a small board these are all cells, because which of them the
    /// condition reads may depend on the others.
    fn cells_to_try(&self, profile: &ValueProfile) -> BTreeSet<u32> {
        let store = &self.machine.store;
        if store.cells.len() <= MAX_CELLS_ALL_TRIED {
            return (0..store.cells.len() as u32).collect();
        }
        let read = profile.samples.iter().filter_map(|(_, s)| s.cell);
        read.filter_map(|(r, c)| store.cell_at(r.into(), c.into()))
            .collect()
    }

    /// The changes of one cell: hidden or shown, each other kind of piece, empty.
    fn cell_changes(&self, at: u32) -> Vec<StateChange> {
        let store = &self.machine.store;
        let Some(present) = store.cells.get(at as usize).copied() else {
            return Vec::new();
        };
        let (row, col) = store.row_col(at);
        let name = self
            .program()
            .board_info
            .format_cell(row.into(), col.into());
        let change = |new: &str, current: &str, value: Value| StateChange {
            name: name.clone(),
            new: new.to_string(),
            current: current.to_string(),
            target: ChangeTarget::Cell(at),
            value,
        };
        let (piece, current) = (present.as_piece(), self.format_value(present));
        let mut changes = Vec::new();
        if let Some(piece) = piece {
            let (new, visibility) = if piece.visible {
                ("hidden", "visible")
            } else {
                ("visible", "hidden")
            };
            changes.push(change(
                new,
                visibility,
                Value::piece(Piece {
                    visible: !piece.visible,
                    ..piece
                }),
            ));
        }
        for (index, kind) in self
            .program()
            .piece_kinds
            .iter()
            .enumerate()
            .filter(|(_, k)| !k.name.as_str().is_empty())
        {
            let kind_index = index as u16;
            if piece.is_none_or(|p| p.kind != kind_index) {
                let base = piece.unwrap_or(Piece {
                    cell: at,
                    kind: kind_index,
                    owner: 0,
                    visible: true,
                });
                changes.push(change(
                    kind.name.as_str(),
                    &current,
                    Value::piece(Piece {
                        kind: kind_index,
                        ..base
                    }),
                ));
            }
        }
        if piece.is_some() {
            changes.push(change("empty", &current, Value::EMPTY));
        }
        changes
    }

    /// The functions that ran.
    fn functions_run(&self, profile: &ValueProfile) -> Vec<Rc<Function>> {
        let ran: BTreeSet<u32> = profile.stop_counts.keys().map(|(f, _)| *f).collect();
        ran.iter()
            .filter_map(|f| self.program().function(FunctionId(*f)).cloned())
            .collect()
    }

    /// The variables that functions read, and the values they may be compared with: constants, and
    /// the values of the other variables.
    fn variables_and_values(&self, functions: &[Rc<Function>]) -> (BTreeSet<u32>, Vec<Value>) {
        let variables: BTreeSet<u32> = functions
            .iter()
            .flat_map(|f| f.code.iter().filter_map(Instr::global_read))
            .collect();
        let globals = variables
            .iter()
            .filter_map(|n| self.machine.store.globals.get(*n as usize).copied());
        let values = functions
            .iter()
            .flat_map(|f| constants(f))
            .chain(globals)
            .collect();
        (variables, values)
    }

    /// The record fields, each with the values it may be compared with.
    fn field_changes(&self, profile: &ValueProfile) -> Vec<StateChange> {
        let functions = self.functions_run(profile);
        let (_, values) = self.variables_and_values(&functions);
        let (program, store) = (self.program(), &self.machine.store);
        let mut changes = Vec::new();
        for (name, current) in self.record_fields().into_iter().take(MAX_FIELDS_TRIED) {
            let Some((record, n)) = (program.resolve_field)(program, store, &name) else {
                continue;
            };
            let Some(present) = store
                .heap
                .items(record)
                .and_then(|items| items.get(n as usize).copied())
            else {
                continue;
            };
            for value in alternatives(present, &values) {
                changes.push(StateChange {
                    name: name.clone(),
                    new: self.format_value(value),
                    current: current.clone(),
                    target: ChangeTarget::Field(record, n.into()),
                    value,
                });
            }
        }
        changes
    }

    /// The variables that were read, each with the values it may be compared with.
    fn variable_changes(&self, profile: &ValueProfile) -> Vec<StateChange> {
        let functions = self.functions_run(profile);
        let (variables, values) = self.variables_and_values(&functions);
        let mut changes = Vec::new();
        for global in variables {
            let Some(present) = self.machine.store.globals.get(global as usize).copied() else {
                continue;
            };
            let Some(name) = self.program().globals.get(global as usize).map(|g| g.name) else {
                continue;
            };
            for value in alternatives(present, &values) {
                changes.push(StateChange {
                    name: name.to_string(),
                    new: self.format_value(value),
                    current: self.format_value(present),
                    target: ChangeTarget::Global(global),
                    value,
                });
            }
        }
        changes
    }

    /// Changes of all cells with the same content, if there are more than two.
    pub(super) fn bulk_changes(&self, profile: &ValueProfile) -> Vec<Candidate> {
        let mut groups: Vec<Vec<Rc<StateChange>>> = Vec::new();
        for change in self
            .cells_to_try(profile)
            .into_iter()
            .flat_map(|at| self.cell_changes(at))
            .map(Rc::new)
        {
            match groups
                .iter_mut()
                .find(|g| (&g[0].new, &g[0].current) == (&change.new, &change.current))
            {
                Some(group) => group.push(change),
                None => groups.push(vec![change]),
            }
        }
        let large = groups.into_iter().filter(|group| group.len() > 2);
        large
            .map(|changes| Candidate {
                changes,
                is_bulk: true,
            })
            .collect()
    }
}

/// Each change on its own.
pub(super) fn single_candidates(singles: &[Rc<StateChange>]) -> Vec<Candidate> {
    singles
        .iter()
        .map(|change| Candidate::together(vec![change.clone()]))
        .collect()
}

/// Changes of `count` cells to the same content. For more than two cells, only if there are few to
/// choose from.
pub(super) fn cell_combinations(singles: &[Rc<StateChange>], count: usize) -> Vec<Candidate> {
    let mut groups: Vec<Vec<&Rc<StateChange>>> = Vec::new();
    for change in singles.iter().filter(|c| c.is_cell()) {
        match groups.iter_mut().find(|g| g[0].new == change.new) {
            Some(group) => group.push(change),
            None => groups.push(vec![change]),
        }
    }
    let mut chosen = Vec::new();
    let is_feasible = |group: &&Vec<_>| count == 2 || group.len() <= MAX_CELLS_COMBINED;
    for group in groups.iter().filter(is_feasible) {
        choose(group, count, &mut Vec::new(), &mut chosen);
    }
    chosen
}

/// All combinations of `count` changes, up to `MAX_CHANGES_TRIED`.
fn choose(
    from: &[&Rc<StateChange>],
    count: usize,
    taken: &mut Vec<Rc<StateChange>>,
    chosen: &mut Vec<Candidate>,
) {
    if taken.len() == count {
        return chosen.push(Candidate::together(taken.clone()));
    }
    for (n, change) in from.iter().enumerate() {
        if chosen.len() >= MAX_CHANGES_TRIED {
            return;
        }
        taken.push(Rc::clone(change));
        choose(&from[n + 1..], count, taken, chosen);
        taken.pop();
    }
}

/// Changes of two variables or fields.
pub(super) fn variable_pairs(singles: &[Rc<StateChange>]) -> Vec<Candidate> {
    let variables: Vec<&Rc<StateChange>> = singles.iter().filter(|c| !c.is_cell()).collect();
    let pairs = variables.iter().enumerate().flat_map(|(n, a)| {
        let later = variables[n + 1..].iter();
        later
            .filter(|b| a.name != b.name)
            .map(|b| vec![Rc::clone(a), Rc::clone(b)])
    });
    pairs
        .take(MAX_CHANGES_TRIED)
        .map(Candidate::together)
        .collect()
}

/// The constants in a function's code.
fn constants(function: &Function) -> Vec<Value> {
    let immediates = function.code.iter().filter_map(|i| match i {
        Instr::Int { value, .. } => Some(Value::int(*value)),
        Instr::JumpUnlessLessInt { value, .. }
        | Instr::JumpUnlessGreaterInt { value, .. }
        | Instr::JumpUnlessEqualInt { value, .. }
        | Instr::JumpUnlessNotEqualInt { value, .. } => Some(Value::int((*value).into())),
        _ => None,
    });
    function
        .constants
        .iter()
        .copied()
        .chain(immediates)
        .collect()
}

/// Alternative values for a variable, the closest to its current value first.
fn alternatives(present: Value, values: &[Value]) -> Vec<Value> {
    let mut alternatives: Vec<Value> = match (present, present.as_int(), present.as_interned()) {
        (Value::TRUE, ..) => vec![Value::FALSE],
        (Value::FALSE, ..) => vec![Value::TRUE],
        (_, Some(_), _) => {
            let numbers = values.iter().filter_map(|c| c.as_int());
            numbers
                .flat_map(|n| [n, n - 1, n + 1])
                .filter_map(Value::inline_int)
                .collect()
        }
        (_, _, Some(_)) => values
            .iter()
            .copied()
            .filter(|c| c.as_interned().is_some())
            .collect(),
        _ => Vec::new(),
    };
    alternatives.retain(|v| *v != present);
    alternatives.sort_by_key(|v| {
        v.as_int()
            .zip(present.as_int())
            .map_or(0, |(a, b)| a.abs_diff(b))
    });
    alternatives.dedup();
    alternatives
}
