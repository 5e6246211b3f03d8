//! Candidate changes of the game state for the counterfactual search: a cell with another piece, a
//! variable or field with another value, or several of these at once.

use crate::code::{Function, FunctionId, Instr};
use crate::debugger::value_profile::ValueProfile;
use crate::session::Session;
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

/// A candidate change.
#[derive(Clone)]
pub(super) struct StateChange {
    /// The cell, as `[0][2]`, or the name of the variable or field.
    target_name: String,
    /// The new value.
    new: String,
    /// The current value.
    current: String,
    pub(super) writes: Vec<(ChangeTarget, Value)>,
}

impl StateChange {
    /// The change as the rest of a sentence that starts with `it would be true if`.
    pub(super) fn describe(&self) -> String {
        format!(
            "{} were {} (it is {})",
            self.target_name, self.new, self.current
        )
    }

    /// Whether only cells are changed.
    pub(super) fn is_cells_only(&self) -> bool {
        self.writes
            .iter()
            .all(|(target, _)| matches!(target, ChangeTarget::Cell(_)))
    }

    /// Both changes at once.
    fn and(&self, other: &StateChange) -> StateChange {
        StateChange {
            writes: self.writes.iter().chain(&other.writes).copied().collect(),
            ..self.clone()
        }
    }
}

impl Session {
    /// Writes a value. To be called inside `with_rollback`.
    pub(super) fn apply_change(&mut self, target: ChangeTarget, value: Value) {
        let store = &mut self.target.machine.store;
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
    pub(super) fn single_changes(&self, profile: &ValueProfile) -> Vec<StateChange> {
        let fields = self.field_changes(profile);
        let kind = |at: &u32| {
            self.target
                .machine
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
            .collect()
    }

    /// The cells to change. On a small board these are all cells, because which of them the
    /// condition reads may depend on the others.
    fn cells_to_try(&self, profile: &ValueProfile) -> BTreeSet<u32> {
        let store = &self.target.machine.store;
        if store.cells.len() <= MAX_CELLS_ALL_TRIED {
            return (0..store.cells.len() as u32).collect();
        }
        let read = profile.samples.iter().filter_map(|(_, s)| s.cell);
        read.filter_map(|(r, c)| store.cell_at(r.into(), c.into()))
            .collect()
    }

    /// The changes of one cell: hidden or shown, each other kind of piece, empty.
    fn cell_changes(&self, at: u32) -> Vec<StateChange> {
        let store = &self.target.machine.store;
        let Some(present) = store.cells.get(at as usize).copied() else {
            return Vec::new();
        };
        let (row, col) = store.row_col(at);
        let target_name = self
            .target
            .program()
            .board_info
            .format_cell(row.into(), col.into());
        let change = |new: &str, current: &str, value: Value| StateChange {
            target_name: target_name.clone(),
            new: new.to_string(),
            current: current.to_string(),
            writes: vec![(ChangeTarget::Cell(at), value)],
        };
        let (piece, current) = (present.as_piece(), self.target.format_value(present));
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
            .target
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
            .filter_map(|f| self.target.program().function(FunctionId(*f)).cloned())
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
            .filter_map(|n| self.target.machine.store.globals.get(*n as usize).copied());
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
        let (program, store) = (self.target.program(), &self.target.machine.store);
        let mut changes = Vec::new();
        for (target_name, current) in self
            .target
            .record_fields()
            .into_iter()
            .take(MAX_FIELDS_TRIED)
        {
            let Some((record, n)) = (program.resolve_field)(program, store, &target_name) else {
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
                    target_name: target_name.clone(),
                    new: self.target.format_value(value),
                    current: current.clone(),
                    writes: vec![(ChangeTarget::Field(record, n.into()), value)],
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
            let Some(present) = self
                .target
                .machine
                .store
                .globals
                .get(global as usize)
                .copied()
            else {
                continue;
            };
            let Some(name) = self
                .target
                .program()
                .globals
                .get(global as usize)
                .map(|g| g.name)
            else {
                continue;
            };
            for value in alternatives(present, &values) {
                changes.push(StateChange {
                    target_name: name.to_string(),
                    new: self.target.format_value(value),
                    current: self.target.format_value(present),
                    writes: vec![(ChangeTarget::Global(global), value)],
                });
            }
        }
        changes
    }

    /// Changes of all cells with the same content, with descriptions.
    pub(super) fn bulk_changes(&self, profile: &ValueProfile) -> Vec<(String, StateChange)> {
        let mut bulk: Vec<StateChange> = Vec::new();
        for change in self
            .cells_to_try(profile)
            .into_iter()
            .flat_map(|at| self.cell_changes(at))
        {
            match bulk
                .iter_mut()
                .find(|c| (&c.new, &c.current) == (&change.new, &change.current))
            {
                Some(same) => same.writes.extend(change.writes),
                None => bulk.push(change),
            }
        }
        let several = bulk.into_iter().filter(|c| c.writes.len() > 2);
        let describe = |c: &StateChange| {
            let piece = if matches!(c.current.as_str(), "hidden" | "visible") {
                " piece"
            } else {
                ""
            };
            format!(
                "every {}{piece} were {} (there are {})",
                c.current,
                c.new,
                c.writes.len()
            )
        };
        several.map(|c| (describe(&c), c)).collect()
    }
}

/// Changes of `count` cells to the same content, with descriptions. For more than two cells, only
/// if there are few to choose from.
pub(super) fn cell_combinations(
    singles: &[StateChange],
    count: usize,
) -> Vec<(String, StateChange)> {
    let cell_changes: Vec<&StateChange> = singles.iter().filter(|c| c.is_cells_only()).collect();
    let mut groups: Vec<Vec<&StateChange>> = Vec::new();
    for change in cell_changes {
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
    let describe = |some: &[&StateChange]| {
        let names: Vec<&str> = some.iter().map(|c| c.target_name.as_str()).collect();
        let (last, first) = names.split_last().unwrap_or((&"", &[]));
        format!("{} and {last} were {}", first.join(", "), some[0].new)
    };
    let combine =
        |some: &[&StateChange]| some[1..].iter().fold(some[0].clone(), |sum, c| sum.and(c));
    chosen
        .iter()
        .map(|some| (describe(some), combine(some)))
        .collect()
}

/// All combinations of `count` changes, up to `MAX_CHANGES_TRIED`.
fn choose<'c>(
    from: &[&'c StateChange],
    count: usize,
    taken: &mut Vec<&'c StateChange>,
    chosen: &mut Vec<Vec<&'c StateChange>>,
) {
    if taken.len() == count {
        return chosen.push(taken.clone());
    }
    for (n, change) in from.iter().enumerate() {
        if chosen.len() >= MAX_CHANGES_TRIED {
            return;
        }
        taken.push(change);
        choose(&from[n + 1..], count, taken, chosen);
        taken.pop();
    }
}

/// Changes of two variables or fields, with descriptions.
pub(super) fn variable_pairs(singles: &[StateChange]) -> Vec<(String, StateChange)> {
    let variables: Vec<&StateChange> = singles.iter().filter(|c| !c.is_cells_only()).collect();
    let later = |n: usize, a: &StateChange| {
        variables[n + 1..]
            .iter()
            .filter(|b| a.target_name != b.target_name)
            .copied()
            .collect::<Vec<_>>()
    };
    let pairs = variables
        .iter()
        .enumerate()
        .flat_map(|(n, a)| later(n, a).into_iter().map(move |b| (*a, b)));
    pairs
        .take(MAX_CHANGES_TRIED)
        .map(|(a, b)| (format!("{}, and {}", a.describe(), b.describe()), a.and(b)))
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
