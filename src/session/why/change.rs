//! How a game could be otherwise in a small way: a cell with another piece, a variable or a field with another value,
//! several of them at once.

use crate::code::{Function, FunctionId, Instr};
use crate::debugger::census::Census;
use crate::session::Session;
use crate::value::{Piece, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// So many changes of each sort are tried, at most.
pub(super) const MOST_TRIED: usize = 8_000;
/// Of a larger board only the cells that were looked at are changed.
const SMALL: usize = 400;
/// Of so many cells three or four are changed at once.
const FEW: usize = 16;

/// Where something can be otherwise.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Spot {
    Cell(u32),
    Global(u32),
    /// Of a record, by its number.
    Field(Value, usize),
}

/// How something could be otherwise.
#[derive(Clone)]
pub(super) struct Change {
    /// `[0][2]`, or the name of the variable.
    what: String,
    /// What it would have to be, and what it is.
    be: String,
    is: String,
    pub(super) puts: Vec<(Spot, Value)>,
}

impl Change {
    pub(super) fn words(&self) -> String {
        format!("{} were {} (it is {})", self.what, self.be, self.is)
    }

    pub(super) fn is_of_cell(&self) -> bool {
        self.puts
            .iter()
            .all(|(spot, _)| matches!(spot, Spot::Cell(_)))
    }

    /// Both at once.
    fn and(&self, other: &Change) -> Change {
        Change {
            puts: self.puts.iter().chain(&other.puts).copied().collect(),
            ..self.clone()
        }
    }
}

impl Session {
    pub(super) fn put(&mut self, spot: Spot, value: Value) {
        let store = &mut self.machine.store;
        match spot {
            Spot::Cell(at) => store.cells.set(at as usize, value),
            Spot::Global(n) => store.globals.set(n as usize, value),
            Spot::Field(record, n) => {
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
    pub(super) fn single_changes(&self, census: &Census) -> Vec<Change> {
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
            .take(MOST_TRIED)
            .collect()
    }

    /// The cells that may be otherwise: which of them are looked at may depend on the others.
    fn cells_at_stake(&self, census: &Census) -> BTreeSet<u32> {
        let store = &self.machine.store;
        if store.cells.len() <= SMALL {
            return (0..store.cells.len() as u32).collect();
        }
        let seen = census.seen.iter().filter_map(|(_, s)| s.cell);
        seen.filter_map(|(r, c)| store.cell_at(r.into(), c.into()))
            .collect()
    }

    /// The ways in which one cell can be otherwise.
    fn changes_of(&self, at: u32) -> Vec<Change> {
        let store = &self.machine.store;
        let Some(present) = store.cells.get(at as usize).copied() else {
            return Vec::new();
        };
        let (row, col) = store.row_col(at);
        let what = self.program().cells.write(row.into(), col.into());
        let change = |be: &str, is: &str, value: Value| {
            let (be, is) = (be.to_string(), is.to_string());
            Change {
                what: what.clone(),
                be,
                is,
                puts: vec![(Spot::Cell(at), value)],
            }
        };
        let (piece, is) = (present.as_piece(), self.write(present));
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
            .kinds
            .iter()
            .enumerate()
            .filter(|(_, k)| !k.name.as_str().is_empty())
        {
            let kind_of_it = number as u16;
            if piece.is_none_or(|p| p.kind != kind_of_it) {
                let base = piece.unwrap_or(Piece {
                    at,
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
    fn ran(&self, census: &Census) -> Vec<Rc<Function>> {
        let ran: BTreeSet<u32> = census.passed.keys().map(|(f, _)| *f).collect();
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
    fn field_changes(&self, census: &Census) -> Vec<Change> {
        let functions = self.ran(census);
        let (_, values) = self.read_by(&functions);
        let (program, store) = (self.program(), &self.machine.store);
        let mut changes = Vec::new();
        for (what, is) in self.fields().into_iter().take(SMALL) {
            let Some((record, n)) = (program.locate)(program, store, &what) else {
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
                let (what, is, be) = (what.clone(), is.clone(), self.write(value));
                changes.push(Change {
                    what,
                    be,
                    is,
                    puts: vec![(Spot::Field(record, n.into()), value)],
                });
            }
        }
        changes
    }

    /// The variables that were read, each with the values that it may be compared with.
    fn variable_changes(&self, census: &Census) -> Vec<Change> {
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
                let (what, be, is) = (name.to_string(), self.write(value), self.write(present));
                changes.push(Change {
                    what,
                    be,
                    is,
                    puts: vec![(Spot::Global(global), value)],
                });
            }
        }
        changes
    }

    /// All cells that hold the same, changed in the same way.
    pub(super) fn whole_changes(&self, census: &Census) -> Vec<(String, Change)> {
        let mut whole: Vec<Change> = Vec::new();
        for change in self
            .cells_at_stake(census)
            .into_iter()
            .flat_map(|at| self.changes_of(at))
        {
            match whole
                .iter_mut()
                .find(|c| (&c.be, &c.is) == (&change.be, &change.is))
            {
                Some(same) => same.puts.extend(change.puts),
                None => whole.push(change),
            }
        }
        let several = whole.into_iter().filter(|c| c.puts.len() > 2);
        let words = |c: &Change| {
            let piece = if matches!(c.is.as_str(), "hidden" | "visible") {
                " piece"
            } else {
                ""
            };
            format!(
                "every {}{piece} were {} (there are {})",
                c.is,
                c.be,
                c.puts.len()
            )
        };
        several.map(|c| (words(&c), c)).collect()
    }
}

/// Some cells at once, changed to the same. Of many cells there are too many ways to choose more than two.
pub(super) fn some_cells(singles: &[Change], count: usize) -> Vec<(String, Change)> {
    let of_cells: Vec<&Change> = singles.iter().filter(|c| c.is_of_cell()).collect();
    let mut sorts: Vec<Vec<&Change>> = Vec::new();
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
    let words = |some: &[&Change]| {
        let names: Vec<&str> = some.iter().map(|c| c.what.as_str()).collect();
        let (last, first) = names.split_last().unwrap_or((&"", &[]));
        format!("{} and {last} were {}", first.join(", "), some[0].be)
    };
    let all = |some: &[&Change]| some[1..].iter().fold(some[0].clone(), |sum, c| sum.and(c));
    chosen.iter().map(|some| (words(some), all(some))).collect()
}

/// All ways to choose so many, until there are more than are tried.
fn choose<'c>(
    from: &[&'c Change],
    count: usize,
    taken: &mut Vec<&'c Change>,
    chosen: &mut Vec<Vec<&'c Change>>,
) {
    if taken.len() == count {
        return chosen.push(taken.clone());
    }
    for (n, change) in from.iter().enumerate() {
        if chosen.len() >= MOST_TRIED {
            return;
        }
        taken.push(change);
        choose(&from[n + 1..], count, taken, chosen);
        taken.pop();
    }
}

/// Two variables at once.
pub(super) fn two_variables(singles: &[Change]) -> Vec<(String, Change)> {
    let others: Vec<&Change> = singles.iter().filter(|c| !c.is_of_cell()).collect();
    let later = |n: usize, a: &Change| {
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
        .take(MOST_TRIED)
        .map(|(a, b)| (format!("{}, and {}", a.words(), b.words()), a.and(b)))
        .collect()
}

/// The numbers and texts that a function speaks of.
fn constants(function: &Function) -> Vec<Value> {
    let small = function.code.iter().filter_map(|i| match i {
        Instr::Int { value, .. } => Some(Value::int(*value)),
        Instr::UnlessLessInt { value, .. }
        | Instr::UnlessGreaterInt { value, .. }
        | Instr::UnlessEqualInt { value, .. }
        | Instr::UnlessNotEqualInt { value, .. } => Some(Value::int((*value).into())),
        _ => None,
    });
    function.constants.iter().copied().chain(small).collect()
}

/// What a variable could be instead, the nearest first.
fn others(present: Value, values: &[Value]) -> Vec<Value> {
    let mut others: Vec<Value> = match (present, present.as_int(), present.as_text()) {
        (Value::TRUE, ..) => vec![Value::FALSE],
        (Value::FALSE, ..) => vec![Value::TRUE],
        (_, Some(_), _) => {
            let numbers = values.iter().filter_map(|c| c.as_int());
            numbers
                .flat_map(|n| [n, n - 1, n + 1])
                .filter_map(Value::small)
                .collect()
        }
        (_, _, Some(_)) => values
            .iter()
            .copied()
            .filter(|c| c.as_text().is_some())
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
