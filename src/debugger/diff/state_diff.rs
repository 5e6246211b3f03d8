//! State diff: what differs between two states of the game.

use crate::answer::{BoardSize, CellAttribute, CellChange, Change};
use crate::breakpoint::watch_value::covers_cell;
use crate::code::Program;
use crate::diff::grid_diff;
use crate::language::Language;
use crate::text::elide;
use crate::value::{Piece, StateSlot, Store, StoreSnapshot, Value};
use crate::{Target, WatchTarget};
use std::cell::{LazyCell, OnceCell};
use std::collections::{HashMap, HashSet};
use std::ops::Deref;
use std::rc::Rc;

/// Lists with longer texts are compared element by element.
const MAX_LIST_CHARS: usize = 28;
/// Longer lists are compared element by element without being formatted.
const MAX_ITEMS_FORMATTED: usize = 28;
/// Longer values of a watch target are elided; `print` shows them in full.
const MAX_WATCHED_CHARS: usize = 40;
/// Further changed cells of a watched board are counted, not listed.
const MAX_WATCHED_CELLS: usize = 3;
/// More than this many cells with the same change are reported together.
const MAX_CELLS_WITH_SAME_CHANGE: usize = 3;
/// Of cells that are reported together, at most this many are named.
pub(crate) const MAX_CELLS_NAMED: usize = 100;
/// At most this many other changes are examined.
const MAX_CHANGES_EXAMINED: usize = 10_000;

/// The named record fields of a state, formatted when they are asked for.
pub(crate) struct RecordFields {
    program: Rc<Program>,
    state: StoreSnapshot,
    fields: OnceCell<Vec<(String, String)>>,
}

/// The named fields of the records of a state, with their values as text.
fn record_fields_of(
    language: &dyn Language,
    program: &Program,
    store: &Store,
) -> Vec<(String, String)> {
    let values = language.named_values(program, store);
    let globals = program.globals.iter().map(|g| g.name.as_str());
    let globals: HashSet<&str> = globals.filter(|name| name.contains('.')).collect();
    let is_field = |name: &str| name.contains('.') && !globals.contains(name);
    let fields = values
        .iter()
        .filter(|(name, value)| *value != Value::NOTHING && is_field(name));
    let format = |value: Value| (program.format_value)(program, store, value, true);
    fields
        .map(|(name, value)| (name.clone(), format(*value)))
        .collect()
}

/// The differences between two states: first those of many cells, then those of single ones.
pub fn state_diff(target: &Target, before: &StoreSnapshot, now: &StoreSnapshot) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut slots = before.changed_slots(now);
    // A variable that was only declared in between still has no value.
    let has_value =
        |state: &StoreSnapshot, id: u32| state.global(id).is_some_and(|v| v != Value::NOTHING);
    slots.retain(
        |p| !matches!(p, StateSlot::Global(id) if !has_value(before, *id) && !has_value(now, *id)),
    );
    if before.size() != now.size() {
        // Boards of different sizes cannot be compared cell by cell.
        slots.retain(|p| !matches!(p, StateSlot::Cell(_)));
        let size = |(rows, cols): (u32, u32)| BoardSize { rows, cols };
        changes.push(Change::BoardSize {
            old: size(before.size()),
            new: size(now.size()),
        });
    }
    changes.extend(take_common_changes(target, &mut slots, before, now));
    // Lists and records are formatted with the heap of their own state.
    let stores = LazyCell::new(|| {
        [
            before.to_store_without_board(),
            now.to_store_without_board(),
        ]
    });
    for slot in slots.into_iter().take(MAX_CHANGES_EXAMINED) {
        changes.extend(match slot {
            StateSlot::Global(id) if target.program().board_global == Some(id) => {
                let boards = before.grid(id).zip(now.grid(id));
                boards.map(|(old, new)| grid_diff::grid_diff(target, old, new))
            }
            StateSlot::Global(id) => global_change(target, id, [before, now], &stores),
            StateSlot::Cell(at) => Some(changed_cell(target, at, before, now)),
            StateSlot::Message => Some(Change::Message {
                new: now.message().unwrap_or("").to_string(),
            }),
        });
    }
    changes
}

/// How a variable changed; `None` if it is internal, or looks the same as before.
fn global_change(
    target: &Target,
    id: u32,
    states: [&StoreSnapshot; 2],
    stores: &impl Deref<Target = [Store; 2]>,
) -> Option<Change> {
    let name = target.program().globals.get(id as usize)?.name.as_str();
    if name.starts_with('@') || name.is_empty() {
        return None;
    }
    let values = states.map(|state| state.global(id).filter(|v| *v != Value::NOTHING));
    // A variable that was only declared still has no value.
    values[0].or(values[1])?;
    match states[1].grid(id) {
        Some(_) => Some(Change::Grid {
            name: name.to_string(),
            new: format_global(target, id),
        }),
        None => value_change(target, name, stores, values),
    }
}

/// How the value of a variable changed; for a long list, the first element that differs. `None`
/// if the texts are equal, as for two different records with equal fields.
fn value_change(
    target: &Target,
    name: &str,
    stores: &impl Deref<Target = [Store; 2]>,
    values: [Option<Value>; 2],
) -> Option<Change> {
    let name = name.to_string();
    let items = |n: usize| {
        values[n]
            .filter(|v| v.as_heap().is_some())
            .and_then(|v| stores[n].heap.items(v))
    };
    let format = |n: usize, value: Value| match value.as_heap() {
        Some(_) => (target.program().format_value)(target.program(), &stores[n], value, true),
        None => target.format_value(value),
    };
    let is_long = |n: usize| items(n).is_some_and(|items| items.len() > MAX_ITEMS_FORMATTED);
    if !is_long(0) && !is_long(1) {
        let text = |n: usize| values[n].map(|value| format(n, value));
        let (old, new) = (text(0), text(1));
        if old == new {
            return None;
        }
        let is_short = |text: &Option<String>| {
            text.as_ref()
                .is_none_or(|text| text.chars().count() <= MAX_LIST_CHARS)
        };
        if items(0).or(items(1)).is_none() || is_short(&old) && is_short(&new) {
            return Some(Change::Variable { name, old, new });
        }
    }
    let (Some(old), Some(new)) = (items(0), items(1)) else {
        return Some(Change::Replaced { name });
    };
    if old.len() != new.len() {
        return Some(Change::Length {
            name,
            old: old.len(),
            new: new.len(),
        });
    }
    let (index, old, new) = (0..)
        .zip(old.iter().zip(new.iter()))
        .map(|(at, (old, new))| (at, format(0, *old), format(1, *new)))
        .find(|(_, old, new)| old != new)?;
    Some(Change::Element {
        name,
        index,
        old,
        new,
    })
}

/// The record fields that the game displays under a name, with their values as text.
pub fn record_fields(target: &Target) -> Vec<(String, String)> {
    record_fields_of(target.language(), target.program(), &target.machine.store)
}

/// The record fields now, to be formatted only if they are asked for later.
pub(crate) fn capture_record_fields(target: &mut Target) -> RecordFields {
    RecordFields {
        program: target.program().clone(),
        state: target.machine.store.snapshot().0,
        fields: OnceCell::new(),
    }
}

/// The record fields at the last stop, or before the current entry.
pub fn last_stop_fields(target: &Target) -> &[(String, String)] {
    let Some(captured) = &target.debugger.last_stop_fields else {
        return &[];
    };
    captured.fields.get_or_init(|| {
        let store = captured.state.to_store_without_board();
        record_fields_of(target.language(), &captured.program, &store)
    })
}

/// The current value of a variable.
fn format_global(target: &Target, global: u32) -> String {
    let value = target.machine.store.globals.get(global as usize).copied();
    target.format_value(value.unwrap_or(Value::NOTHING))
}

fn changed_cell(target: &Target, at: u32, before: &StoreSnapshot, now: &StoreSnapshot) -> Change {
    Change::Cell {
        cell: cell_at(target, at, now),
        change: cell_change(target, at, before, now),
    }
}

/// Describes how a watch target changed: `old => new`. For a row, a column or the board it
/// lists only the changed cells.
pub fn describe_change(
    target: &Target,
    watched: &WatchTarget,
    texts: (&str, &str),
    states: [&StoreSnapshot; 2],
) -> String {
    let [before, now] = states;
    let has_many_cells = matches!(
        watched,
        WatchTarget::Row(_) | WatchTarget::Column(_) | WatchTarget::Board
    );
    if has_many_cells && target.program().board_info.is_derived {
        return drawn_board_diff(texts.0, texts.1);
    }
    // The text of a whole board is only a hash.
    if *watched == WatchTarget::Board && before.size() != now.size() {
        let size = |(rows, cols): (u32, u32)| format!("{rows} x {cols} cells");
        return format!("{} => {}", size(before.size()), size(now.size()));
    }
    if !has_many_cells || before.size() != now.size() {
        return format!(
            "{} => {}",
            elide(texts.0, MAX_WATCHED_CHARS),
            elide(texts.1, MAX_WATCHED_CHARS)
        );
    }
    let cells = before.changed_cells(now);
    let is_watched = |at: &&u32| {
        let (row, col) = target.machine.store.row_col(**at);
        covers_cell(watched, (row.into(), col.into()))
    };
    let changes: Vec<String> = cells
        .iter()
        .filter(is_watched)
        .take(MAX_WATCHED_CELLS)
        .map(|at| {
            let change = cell_change(target, *at, before, now);
            format!("{}{change}", cell_at(target, *at, now))
        })
        .collect();
    changes.join(", ")
}

fn cell_at(target: &Target, at: u32, now: &StoreSnapshot) -> String {
    let cols = now.size().1.max(1);
    target
        .program()
        .board_info
        .format_cell((at / cols).into(), (at % cols).into())
}

/// What changed on a cell.
fn cell_change(
    target: &Target,
    at: u32,
    before: &StoreSnapshot,
    now: &StoreSnapshot,
) -> CellChange {
    let (old, new) = (before.cell(at), now.cell(at));
    let (attribute, old, new) = match (old.as_piece(), new.as_piece()) {
        (Some(a), Some(b)) if a.kind == b.kind && a.visible != b.visible => (
            Some(CellAttribute::Visible),
            a.visible.to_string(),
            b.visible.to_string(),
        ),
        (Some(a), Some(b)) if a.kind == b.kind && a.owner != b.owner => {
            let owner = |n: u16| format!("\"{}\"", target.program().owner(n));
            (Some(CellAttribute::Owner), owner(a.owner), owner(b.owner))
        }
        _ => (None, target.format_value(old), target.format_value(new)),
    };
    CellChange {
        attribute,
        old,
        new,
    }
}

/// Groups cells with the same change if there are many of them, so that a cascade does not
/// hide everything else. The grouped cells are removed from `slots`.
fn take_common_changes(
    target: &Target,
    slots: &mut Vec<StateSlot>,
    before: &StoreSnapshot,
    now: &StoreSnapshot,
) -> Vec<Change> {
    let cells: Vec<u32> = slots
        .iter()
        .filter_map(|p| {
            if let StateSlot::Cell(at) = p {
                Some(*at)
            } else {
                None
            }
        })
        .collect();
    if cells.len() <= MAX_CELLS_WITH_SAME_CHANGE {
        return Vec::new();
    }
    // Format one cell of each group only: there may be a million cells.
    let without_cell = |value: Value| {
        value
            .as_piece()
            .map_or(value, |p| Value::piece(Piece { cell: 0, ..p }))
    };
    let mut pairs: Vec<((Value, Value), Vec<u32>)> = Vec::new();
    for at in cells {
        let pair = (without_cell(before.cell(at)), without_cell(now.cell(at)));
        match pairs.iter_mut().find(|(s, _)| *s == pair) {
            Some((_, cells)) => cells.push(at),
            None => pairs.push((pair, vec![at])),
        }
    }
    let mut groups: Vec<(CellChange, Vec<u32>)> = Vec::new();
    for (_, cells) in pairs {
        let change = cell_change(target, cells[0], before, now);
        match groups.iter_mut().find(|(c, _)| *c == change) {
            Some((_, group)) => group.extend(cells),
            None => groups.push((change, cells)),
        }
    }
    groups.retain(|(_, cells)| cells.len() > MAX_CELLS_WITH_SAME_CHANGE);
    groups
        .iter_mut()
        .for_each(|(_, cells)| cells.sort_unstable());
    slots.retain(
        |p| !matches!(p, StateSlot::Cell(at) if groups.iter().any(|(_, cells)| cells.binary_search(at).is_ok())),
    );
    let to_change = |(change, cells): (CellChange, Vec<u32>)| Change::Cells {
        count: cells.len(),
        cells: cells
            .iter()
            .take(MAX_CELLS_NAMED)
            .map(|at| cell_at(target, *at, now))
            .collect(),
        change,
    };
    groups.into_iter().map(to_change).collect()
}

/// Compares two drawn boards, which have one line per occupied cell (`A at (0,0)`): `(0,0) A =>
/// empty`.
fn drawn_board_diff(before: &str, now: &str) -> String {
    fn cells(text: &str) -> Vec<(&str, &str)> {
        text.lines()
            .filter_map(|line| line.rsplit_once(" at "))
            .map(|(names, cell)| (cell, names))
            .collect()
    }
    let (before, now) = (cells(before), cells(now));
    let names = |board: &[(&str, &str)], cell: &str| {
        board
            .iter()
            .find(|(c, _)| *c == cell)
            .map_or_else(|| "empty".to_string(), |(_, names)| names.to_string())
    };
    let mut changed_cells: Vec<&str> = before.iter().chain(&now).map(|(cell, _)| *cell).collect();
    changed_cells.retain(|cell| names(&before, cell) != names(&now, cell));
    let mut seen = std::collections::BTreeSet::new();
    changed_cells.retain(|cell| seen.insert(*cell));
    let changes = changed_cells
        .iter()
        .take(MAX_WATCHED_CELLS)
        .map(|cell| format!("{cell} {} => {}", names(&before, cell), names(&now, cell)));
    let changes = changes.collect::<Vec<_>>().join(", ");
    match changed_cells.len().saturating_sub(MAX_WATCHED_CELLS) {
        0 => changes,
        omitted => format!("{changes} and {omitted} more"),
    }
}

/// The fields that changed. Fields that appeared or disappeared with their record are left out.
pub fn field_diff(before: &[(String, String)], now: &[(String, String)]) -> Vec<Change> {
    let before: HashMap<&str, &str> = before
        .iter()
        .map(|(n, v)| (n.as_str(), v.as_str()))
        .collect();
    let changed = now.iter().filter_map(|(name, new)| {
        let old = before.get(name.as_str()).filter(|old| *old != new)?;
        Some(Change::Field {
            name: name.clone(),
            old: old.to_string(),
            new: new.clone(),
        })
    });
    changed.collect()
}
