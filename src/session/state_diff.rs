//! What differs between two times of the game, in words.

use super::Session;
use super::call_tree::elide;
use super::watchpoint::covers_cell;
use crate::debugger::WatchTarget;
use crate::language::Viewport;
use crate::value::{Piece, StateSlot, Store, StoreSnapshot, Value};
use std::cell::LazyCell;
use std::ops::Deref;

/// More cells of a board than this are counted.
const MOST_CELLS: usize = 3;
const MOST_TEXT: usize = 28;
/// A longer text of what is watched is cut short: `print` shows all of it.
const MOST_OF_WATCHED: usize = 40;
/// More cells on which the same has happened are told together.
const MOST_ALIKE: usize = 3;
/// So many of the others are looked at.
const MOST_LOOKED_AT: usize = 10_000;

impl Session {
    /// What differs between two times of the game, in words, at most `most` of them.
    pub fn state_diff(
        &self,
        before: &StoreSnapshot,
        now: &StoreSnapshot,
        most: usize,
    ) -> Vec<String> {
        let mut words = Vec::new();
        let mut places = before.changed_slots(now);
        // What was only declared meanwhile is as it was: nothing.
        let is_there =
            |image: &StoreSnapshot, n: u32| image.global(n).is_some_and(|v| v != Value::NOTHING);
        places.retain(
            |p| !matches!(p, StateSlot::Global(n) if !is_there(before, *n) && !is_there(now, *n)),
        );
        if before.size() != now.size() {
            // The cells of two boards can't be compared one by one.
            places.retain(|p| !matches!(p, StateSlot::Cell(_)));
            let ((rows, cols), (old_rows, old_cols)) = (now.size(), before.size());
            words.push(match old_rows {
                0 => format!("the board is {rows} x {cols}"),
                _ => format!("the board is {rows} x {cols}, was {old_rows} x {old_cols}"),
            });
        }
        words.extend(self.cells_alike(&mut places, before, now));
        let told = words.len();
        // What is written of lists and records is looked up in each of the two times.
        let times = LazyCell::new(|| {
            [
                before.to_store_without_board(),
                now.to_store_without_board(),
            ]
        });
        for place in places.into_iter().take(MOST_LOOKED_AT) {
            match place {
                StateSlot::Global(n) if self.program().board_global == Some(n) => {
                    let boards = before.grid(n).zip(now.grid(n));
                    words.extend(
                        boards.map_or_else(Vec::new, |(a, b)| {
                            self.grid_differences(a, b, MOST_CELLS)
                        }),
                    );
                }
                StateSlot::Global(n) => {
                    let Some(global) = self.program().globals.get(n as usize) else {
                        continue;
                    };
                    if global.name.as_str().starts_with('@') || global.name.as_str().is_empty() {
                        continue;
                    }
                    let value =
                        |image: &StoreSnapshot| image.global(n).filter(|v| *v != Value::NOTHING);
                    // One that has just been declared has no value, as before.
                    if value(before).or(value(now)).is_none() {
                        continue;
                    }
                    words.extend(match now.grid(n) {
                        Some(_) => Some(format!("{} => {}", global.name, self.write_now(n))),
                        None => self.value_change(
                            global.name.as_str(),
                            &times,
                            [value(before), value(now)],
                        ),
                    });
                }
                StateSlot::Cell(at) => words.push(self.cell_difference(at, before, now)),
                StateSlot::Message => words.push(format!(
                    "the message is \"{}\"",
                    now.message().unwrap_or("")
                )),
            }
        }
        let extra = (words.len() - told).saturating_sub(most);
        if extra > 0 {
            words.truncate(told + most);
            words.push(format!("and {extra} more"));
        }
        words
    }

    /// `score 3 => 4`, `names {"a",} => {"a","b",}`; of a long list the first element that is another. Nothing, if
    /// no word of it is: which record it is can't be told in one.
    fn value_change(
        &self,
        name: &str,
        times: &impl Deref<Target = [Store; 2]>,
        values: [Option<Value>; 2],
    ) -> Option<String> {
        let items = |n: usize| {
            values[n]
                .filter(|v| v.as_heap().is_some())
                .and_then(|v| times[n].heap.items(v))
        };
        let write = |n: usize, value: Value| match value.as_heap() {
            Some(_) => (self.program().format_value)(self.program(), &times[n], value, true),
            None => self.format_value(value),
        };
        let long = |n: usize| items(n).is_some_and(|items| items.len() > MOST_TEXT);
        if !long(0) && !long(1) {
            let text = |n: usize| values[n].map_or("nothing".into(), |value| write(n, value));
            let (old, new) = (text(0), text(1));
            if old == new {
                return None;
            }
            let short = |text: &str| text.chars().count() <= MOST_TEXT;
            if items(0).or(items(1)).is_none() || short(&old) && short(&new) {
                return Some(format!("{name} {old} => {new}"));
            }
        }
        let (Some(old), Some(new)) = (items(0), items(1)) else {
            return Some(format!("{name} changed"));
        };
        if old.len() != new.len() {
            return Some(format!(
                "{name} has {} elements, had {}",
                new.len(),
                old.len()
            ));
        }
        let other = (0..new.len())
            .map(|at| (at, write(0, old[at]), write(1, new[at])))
            .find(|(_, a, b)| a != b);
        other.map(|(at, a, b)| {
            format!(
                "{name}[{at}] {} => {}",
                elide(&a, MOST_TEXT),
                elide(&b, MOST_TEXT)
            )
        })
    }

    /// The fields of records that are shown under a name, as text.
    pub fn record_fields(&self) -> Vec<(String, String)> {
        let view = self.view(Viewport::NONE);
        let is_field = |name: &str| name.contains('.') && self.program().global(name).is_none();
        let fields = view
            .named_values()
            .filter(|(name, value)| *value != Value::NOTHING && is_field(name));
        fields
            .map(|(name, value)| (name.clone(), self.format_value(*value)))
            .collect()
    }

    /// A variable as it is now, in a few characters.
    fn write_now(&self, global: u32) -> String {
        let value = self.machine.store.globals.get(global as usize).copied();
        elide(
            &self.format_value(value.unwrap_or(Value::NOTHING)),
            MOST_TEXT,
        )
    }

    fn cell_difference(&self, at: u32, before: &StoreSnapshot, now: &StoreSnapshot) -> String {
        format!(
            "{}{}",
            self.cell_at(at, now),
            self.cell_change(at, before, now)
        )
    }

    /// How something that is watched has changed: `old => new`. Of a row, a column or the board only the cells that have.
    pub(super) fn describe_change(
        &self,
        watched: &WatchTarget,
        texts: (&str, &str),
        images: [&StoreSnapshot; 2],
    ) -> String {
        let [before, now] = images;
        let many = matches!(
            watched,
            WatchTarget::Row(_) | WatchTarget::Column(_) | WatchTarget::Board
        );
        if many && self.program().board_info.is_derived {
            return drawn_changes(texts.0, texts.1);
        }
        if !many || before.size() != now.size() {
            return format!(
                "{} => {}",
                elide(texts.0, MOST_OF_WATCHED),
                elide(texts.1, MOST_OF_WATCHED)
            );
        }
        let cells = before.changed_cells(now);
        let own = |at: &&u32| {
            let (row, col) = self.machine.store.row_col(**at);
            covers_cell(watched, (row.into(), col.into()))
        };
        let told: Vec<String> = cells
            .iter()
            .filter(own)
            .take(MOST_CELLS)
            .map(|at| self.cell_difference(*at, before, now))
            .collect();
        told.join(", ")
    }

    fn cell_at(&self, at: u32, now: &StoreSnapshot) -> String {
        let cols = now.size().1.max(1);
        self.program()
            .board_info
            .format_cell((at / cols).into(), (at % cols).into())
    }

    /// What has changed on a cell: `.visible false => true`.
    fn cell_change(&self, at: u32, before: &StoreSnapshot, now: &StoreSnapshot) -> String {
        let (old, new) = (before.cell(at), now.cell(at));
        match (old.as_piece(), new.as_piece()) {
            (Some(a), Some(b)) if a.kind == b.kind && a.visible != b.visible => {
                format!(".visible {} => {}", a.visible, b.visible)
            }
            (Some(a), Some(b)) if a.kind == b.kind && a.owner != b.owner => {
                let owner = |n: u16| self.program().owner(n);
                format!(".owner \"{}\" => \"{}\"", owner(a.owner), owner(b.owner))
            }
            _ => format!(" {} => {}", self.format_value(old), self.format_value(new)),
        }
    }

    /// Cells on which the same has happened, told together where they are many: a cascade must not push all else out of
    /// sight. They are taken out of `places`.
    fn cells_alike(
        &self,
        places: &mut Vec<StateSlot>,
        before: &StoreSnapshot,
        now: &StoreSnapshot,
    ) -> Vec<String> {
        let cells: Vec<u32> = places
            .iter()
            .filter_map(|p| {
                if let StateSlot::Cell(at) = p {
                    Some(*at)
                } else {
                    None
                }
            })
            .collect();
        if cells.len() <= MOST_ALIKE {
            return Vec::new();
        }
        // Words are made of one cell of each sort only: there may be a million.
        let anywhere = |value: Value| {
            value
                .as_piece()
                .map_or(value, |p| Value::piece(Piece { cell: 0, ..p }))
        };
        let mut sorts: Vec<((Value, Value), Vec<u32>)> = Vec::new();
        for at in cells {
            let sort = (anywhere(before.cell(at)), anywhere(now.cell(at)));
            match sorts.iter_mut().find(|(s, _)| *s == sort) {
                Some((_, found)) => found.push(at),
                None => sorts.push((sort, vec![at])),
            }
        }
        let mut alike: Vec<(String, Vec<u32>)> = Vec::new();
        for (_, found) in sorts {
            let change = self.cell_change(found[0], before, now);
            match alike.iter_mut().find(|(c, _)| *c == change) {
                Some((_, same)) => same.extend(found),
                None => alike.push((change, found)),
            }
        }
        alike.retain(|(_, found)| found.len() > MOST_ALIKE);
        alike
            .iter_mut()
            .for_each(|(_, found)| found.sort_unstable());
        places.retain(
            |p| !matches!(p, StateSlot::Cell(at) if alike.iter().any(|(_, found)| found.binary_search(at).is_ok())),
        );
        let told = |(change, found): &(String, Vec<u32>)| {
            let named: Vec<String> = found
                .iter()
                .take(2)
                .map(|at| self.cell_at(*at, now))
                .collect();
            format!(
                "{} and {} more:{}{change}",
                named.join(", "),
                found.len() - named.len(),
                if change.starts_with('.') { " " } else { "" }
            )
        };
        alike.iter().map(told).collect()
    }
}

/// The cells of a picture that differ, each with what stands there: `(0,0) A => empty`. A picture has a line for each cell
/// on which something stands: `A at (0,0)`.
fn drawn_changes(before: &str, now: &str) -> String {
    fn cells(text: &str) -> Vec<(&str, &str)> {
        text.lines()
            .filter_map(|line| line.rsplit_once(" at "))
            .map(|(names, cell)| (cell, names))
            .collect()
    }
    let (before, now) = (cells(before), cells(now));
    let names = |of: &[(&str, &str)], cell: &str| {
        of.iter()
            .find(|(c, _)| *c == cell)
            .map_or_else(|| "empty".to_string(), |(_, names)| names.to_string())
    };
    let mut all: Vec<&str> = before.iter().chain(&now).map(|(cell, _)| *cell).collect();
    all.retain(|cell| names(&before, cell) != names(&now, cell));
    let mut seen = std::collections::BTreeSet::new();
    all.retain(|cell| seen.insert(*cell));
    let told = all
        .iter()
        .take(MOST_CELLS)
        .map(|cell| format!("{cell} {} => {}", names(&before, cell), names(&now, cell)));
    let told = told.collect::<Vec<_>>().join(", ");
    match all.len().saturating_sub(MOST_CELLS) {
        0 => told,
        more => format!("{told} and {more} more"),
    }
}

/// The fields that are not as they were, in words; those that came or went with their record are not told.
pub fn field_diff(
    before: &[(String, String)],
    now: &[(String, String)],
    most: usize,
) -> Vec<String> {
    let changed = now.iter().filter_map(|(name, new)| {
        let (_, old) = before.iter().find(|(n, old)| n == name && old != new)?;
        Some(format!("{name} {old} => {new}"))
    });
    let mut words: Vec<String> = changed.collect();
    let extra = words.len().saturating_sub(most);
    words.truncate(most);
    words.extend((extra > 0).then(|| format!("and {extra} more")));
    words
}
