//! How a game could be otherwise in a small way: a cell with another piece, a variable or a field with another value,
//! several of them at once.

use crate::code::{Function, FunctionId, Instr};
use crate::debugger::value_profile::ValueProfile;
use crate::session::Session;
use crate::value::{Piece, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// So many changes of each sort are tried, at most.
pub(super) const MAX_CHANGES_TRIED: usize = 8_000;
/// Of a larger board only the cells that were looked at are changed.
const SMALL: usize = 400;
/// Of so many cells three or four are changed at once.
const FEW: usize = 16;

/// Where something can be otherwise.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum ChangeTarget {
    Cell(u32),
    Global(u32),
    /// Of a record, by its number.
    Field(Value, usize),
}

/// How something could be otherwise.
#[derive(Clone)]
pub(super) struct StateChange {
    /// `[0][2]`, or the name of the variable.
    what: String,
    /// What it would have to be, and what it is.
    be: String,
    is: String,
    pub(super) writes: Vec<(ChangeTarget, Value)>,
}

impl StateChange {
    pub(super) fn describe(&self) -> String {
        format!("{} were {} (it is {})", self.what, self.be, self.is)
    }

    pub(super) fn is_cells_only(&self) -> bool {
        self.writes
            .iter()
            .all(|(spot, _)| matches!(spot, ChangeTarget::Cell(_)))
    }

    /// Both at once.
    fn and(&self, other: &StateChange) -> StateChange {
        StateChange {
            writes: self.writes.iter().chain(&other.writes).copied().collect(),
            ..self.clone()
        }
    }
}

impl Session {
    pub(super) fn apply_change(&mut self, spot: ChangeTarget, value: Value) {
        let store = &mut self.machine.store;
        match spot {
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

    /// Each variable that was read, and each field, with another value; each cell with another piece, or shown or
    /// hidden. What most cells hold comes first: it is what pieces are put on.
    pub(super) fn single_changes(&self, census: &ValueProfile) -> Vec<StateChange> {
        let fields = self.field_changes(census);
        let kind = |at: &u32| {
            self.machine
                .store
                .cells
                .get(*at as usize)
                .and_then(|v| v.as_piece())
                .map(|p| p.kind)
        };
        let mut cells: Vec<u32> = self.cells_at_stake(census).into_iter().collect();
        let mut often: BTreeMap<Option<u16>, usize> = BTreeMap::new();
        cells
            .iter()
            .for_each(|at| *often.entry(kind(at)).or_default() += 1);
        cells.sort_by_key(|at| std::cmp::Reverse(often.get(&kind(at)).copied()));
        let of_cells = cells.into_iter().flat_map(|at| self.changes_of(at));
        fields
            .into_iter()
            .chain(self.variable_changes(census))
            .chain(of_cells)
            .take(MAX_CHANGES_TRIED)
            .collect()
    }

    /// The cells that may be otherwise: which of them are looked at may depend on the others.
    fn cells_at_stake(&self, census: &ValueProfile) -> BTreeSet<u32> {
        let store = &self.machine.store;
        if store.cells.len() <= SMALL {
            return (0..store.cells.len() as u32).collect();
        }
        let seen = census.samples.iter().filter_map(|(_, s)| s.cell);
        seen.filter_map(|(r, c)| store.cell_at(r.into(), c.into()))
            .collect()
    }

    /// The ways in which one cell can be otherwise.
    fn changes_of(&self, at: u32) -> Vec<StateChange> {
        let store = &self.machine.store;
        let Some(present) = store.cells.get(at as usize).copied() else {
            return Vec::new();
        };
        let (row, col) = store.row_col(at);
        let what = self
            .program()
            .board_info
            .format_cell(row.into(), col.into());
        let change = |be: &str, is: &str, value: Value| {
            let (be, is) = (be.to_string(), is.to_string());
            StateChange {
                what: what.clone(),
                be,
                is,
                writes: vec![(ChangeTarget::Cell(at), value)],
            }
        };
        let (piece, is) = (present.as_piece(), self.format_value(present));
        let mut changes = Vec::new();
        if let Some(piece) = piece {
            let (be, is_so) = if piece.visible {
                ("hidden", "visible")
            } else {
                ("visible", "hidden")
            };
            changes.push(change(
                be,
                is_so,
                Value::piece(Piece {
                    visible: !piece.visible,
                    ..piece
                }),
            ));
        }
        for (number, kind) in self
            .program()
            .piece_kinds
            .iter()
            .enumerate()
            .filter(|(_, k)| !k.name.as_str().is_empty())
        {
            let kind_of_it = number as u16;
            if piece.is_none_or(|p| p.kind != kind_of_it) {
                let base = piece.unwrap_or(Piece {
                    cell: at,
                    kind: kind_of_it,
                    owner: 0,
                    visible: true,
                });
                changes.push(change(
                    kind.name.as_str(),
                    &is,
                    Value::piece(Piece {
                        kind: kind_of_it,
                        ..base
                    }),
                ));
            }
        }
        if piece.is_some() {
            changes.push(change("empty", &is, Value::EMPTY));
        }
        changes
    }

    /// The functions that ran.
    fn ran(&self, census: &ValueProfile) -> Vec<Rc<Function>> {
        let ran: BTreeSet<u32> = census.stop_counts.keys().map(|(f, _)| *f).collect();
        ran.iter()
            .filter_map(|f| self.program().function(FunctionId(*f)).cloned())
            .collect()
    }

    /// The variables that functions read, and the values that they may be compared with: those in the text, and those of
    /// the other variables.
    fn read_by(&self, functions: &[Rc<Function>]) -> (BTreeSet<u32>, Vec<Value>) {
        let read: BTreeSet<u32> = functions
            .iter()
            .flat_map(|f| f.code.iter().filter_map(Instr::global_read))
            .collect();
        let globals = read
            .iter()
            .filter_map(|n| self.machine.store.globals.get(*n as usize).copied());
        let values = functions
            .iter()
            .flat_map(|f| constants(f))
            .chain(globals)
            .collect();
        (read, values)
    }

    /// The fields that are shown under a name, where they are parts of records.
    fn field_changes(&self, census: &ValueProfile) -> Vec<StateChange> {
        let functions = self.ran(census);
        let (_, values) = self.read_by(&functions);
        let (program, store) = (self.program(), &self.machine.store);
        let mut changes = Vec::new();
        for (what, is) in self.record_fields().into_iter().take(SMALL) {
            let Some((record, n)) = (program.resolve_field)(program, store, &what) else {
                continue;
            };
            let Some(present) = store
                .heap
                .items(record)
                .and_then(|items| items.get(n as usize).copied())
            else {
                continue;
            };
            for value in others(present, &values) {
                let (what, is, be) = (what.clone(), is.clone(), self.format_value(value));
                changes.push(StateChange {
                    what,
                    be,
                    is,
                    writes: vec![(ChangeTarget::Field(record, n.into()), value)],
                });
            }
        }
        changes
    }

    /// The variables that were read, each with the values that it may be compared with.
    fn variable_changes(&self, census: &ValueProfile) -> Vec<StateChange> {
        let functions = self.ran(census);
        let (read, values) = self.read_by(&functions);
        let mut changes = Vec::new();
        for global in read {
            let Some(present) = self.machine.store.globals.get(global as usize).copied() else {
                continue;
            };
            let Some(name) = self.program().globals.get(global as usize).map(|g| g.name) else {
                continue;
            };
            for value in others(present, &values) {
                let (what, be, is) = (
                    name.to_string(),
                    self.format_value(value),
                    self.format_value(present),
                );
                changes.push(StateChange {
                    what,
                    be,
                    is,
                    writes: vec![(ChangeTarget::Global(global), value)],
                });
            }
        }
        changes
    }

    /// All cells that hold the same, changed in the same way.
    pub(super) fn bulk_changes(&self, census: &ValueProfile) -> Vec<(String, StateChange)> {
        let mut whole: Vec<StateChange> = Vec::new();
        for change in self
            .cells_at_stake(census)
            .into_iter()
            .flat_map(|at| self.changes_of(at))
        {
            match whole
                .iter_mut()
                .find(|c| (&c.be, &c.is) == (&change.be, &change.is))
            {
                Some(same) => same.writes.extend(change.writes),
                None => whole.push(change),
            }
        }
        let several = whole.into_iter().filter(|c| c.writes.len() > 2);
        let words = |c: &StateChange| {
            let piece = if matches!(c.is.as_str(), "hidden" | "visible") {
                " piece"
            } else {
                ""
            };
            format!(
                "every {}{piece} were {} (there are {})",
                c.is,
                c.be,
                c.writes.len()
            )
        };
        several.map(|c| (words(&c), c)).collect()
    }
}

/// Some cells at once, changed to the same. Of many cells there are too many ways to choose more than two.
pub(super) fn cell_combinations(
    singles: &[StateChange],
    count: usize,
) -> Vec<(String, StateChange)> {
    let of_cells: Vec<&StateChange> = singles.iter().filter(|c| c.is_cells_only()).collect();
    let mut sorts: Vec<Vec<&StateChange>> = Vec::new();
    for change in of_cells {
        match sorts.iter_mut().find(|s| s[0].be == change.be) {
            Some(sort) => sort.push(change),
            None => sorts.push(vec![change]),
        }
    }
    let mut chosen = Vec::new();
    for sort in sorts.iter().filter(|s| count == 2 || s.len() <= FEW) {
        choose(sort, count, &mut Vec::new(), &mut chosen);
    }
    let words = |some: &[&StateChange]| {
        let names: Vec<&str> = some.iter().map(|c| c.what.as_str()).collect();
        let (last, first) = names.split_last().unwrap_or((&"", &[]));
        format!("{} and {last} were {}", first.join(", "), some[0].be)
    };
    let all = |some: &[&StateChange]| some[1..].iter().fold(some[0].clone(), |sum, c| sum.and(c));
    chosen.iter().map(|some| (words(some), all(some))).collect()
}

/// All ways to choose so many, until there are more than are tried.
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

/// Two variables at once.
pub(super) fn variable_pairs(singles: &[StateChange]) -> Vec<(String, StateChange)> {
    let others: Vec<&StateChange> = singles.iter().filter(|c| !c.is_cells_only()).collect();
    let later = |n: usize, a: &StateChange| {
        others[n + 1..]
            .iter()
            .filter(|b| a.what != b.what)
            .copied()
            .collect::<Vec<_>>()
    };
    let pairs = others
        .iter()
        .enumerate()
        .flat_map(|(n, a)| later(n, a).into_iter().map(move |b| (*a, b)));
    pairs
        .take(MAX_CHANGES_TRIED)
        .map(|(a, b)| (format!("{}, and {}", a.describe(), b.describe()), a.and(b)))
        .collect()
}

/// The numbers and texts that a function speaks of.
fn constants(function: &Function) -> Vec<Value> {
    let small = function.code.iter().filter_map(|i| match i {
        Instr::Int { value, .. } => Some(Value::int(*value)),
        Instr::JumpUnlessLessInt { value, .. }
        | Instr::JumpUnlessGreaterInt { value, .. }
        | Instr::JumpUnlessEqualInt { value, .. }
        | Instr::JumpUnlessNotEqualInt { value, .. } => Some(Value::int((*value).into())),
        _ => None,
    });
    function.constants.iter().copied().chain(small).collect()
}

/// What a variable could be instead, the nearest first.
fn others(present: Value, values: &[Value]) -> Vec<Value> {
    let mut others: Vec<Value> = match (present, present.as_int(), present.as_interned()) {
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
    others.retain(|v| *v != present);
    others.sort_by_key(|v| {
        v.as_int()
            .zip(present.as_int())
            .map_or(0, |(a, b)| a.abs_diff(b))
    });
    others.dedup();
    others
}
