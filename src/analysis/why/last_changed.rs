//! What changed last, for `:why` without a question.

use crate::answer::{CellAttribute, CellChange, Change, ChangedCell};
use crate::code::flow::Control;
use crate::debugger::Target;
use crate::debugger::breakpoint;
use crate::debugger::diff;
use crate::debugger::diff::state_diff::field_diff;
use crate::debugger::frame;
use crate::debugger::history;
use crate::machine::Checkpoint;

/// Only this many entries before the current position are compared.
const MAX_ENTRIES_COMPARED: usize = 20;
/// Of the changes of an entry, at most this many of each kind are considered.
const MAX_CHANGES_CONSIDERED: usize = 12;

/// The names of what an entry has changed, as `:why` takes them.
#[derive(Default)]
struct ChangedNames {
    cells: Vec<String>,
    variables: Vec<String>,
}

/// What changed last, as `:why` takes it. At a stop, that is a cell or a variable of the running
/// entry. Otherwise it is a cell that the last entry with an effect changed, or a variable if it
/// changed no cell.
pub fn last_changed(target: &mut Target) -> Option<String> {
    if target.is_stopped() {
        let names = names_at_stop(target);
        if let Some(name) = last_of(target, names) {
            return Some(name);
        }
    }
    let mut end = target.machine.checkpoint();
    let count = target.timeline.entries().len();
    for index in (count.saturating_sub(MAX_ENTRIES_COMPARED)..count).rev() {
        let entry = target.timeline.entries().get(index)?;
        let (start, resets_game) = (entry.before.clone(), entry.resets_game());
        let names = changed_between(target, &start, &end);
        let changed = match last_of(target, names.cells) {
            Some(cell) => Some(cell),
            None => last_of(target, names.variables),
        };
        if changed.is_some() || resets_game {
            return changed;
        }
        end = start;
    }
    None
}

/// What the running entry has changed so far, and the variables of the selected frame.
fn names_at_stop(target: &mut Target) -> Vec<String> {
    let locals = frame::locals(target, target.debugger.selected_frame);
    let mut names: Vec<String> = locals.iter().map(|(l, _)| l.name.to_string()).collect();
    if let Some(start) = history::outermost_entry(target).map(|entry| entry.before.clone()) {
        let now = target.machine.checkpoint();
        let changed = changed_between(target, &start, &now);
        names.extend(changed.cells);
        names.extend(changed.variables);
    }
    names
}

fn changed_between(target: &mut Target, start: &Checkpoint, end: &Checkpoint) -> ChangedNames {
    let mut changes = diff::state_diff(target, start.store(), end.store());
    let mut fields_at = |point: &Checkpoint| {
        target.with_time(|target| {
            target.machine.restore(point);
            diff::record_fields(target)
        })
    };
    let (before, after) = (fields_at(start), fields_at(end));
    changes.extend(field_diff(&before, &after));
    let mut names = ChangedNames::default();
    for change in changes {
        match change {
            Change::Cell { cell, change } => names.cells.push(cell_name(&cell, &change)),
            Change::Cells { cells, change, .. } => {
                let name = |cell: &String| cell_name(cell, &change);
                names.cells.extend(cells.iter().map(name));
            }
            Change::Board { cells, .. } => {
                let name = |c: &ChangedCell| cell_name(&c.cell, &c.change);
                names.cells.extend(cells.iter().map(name));
            }
            Change::Variable { name, .. }
            | Change::Element { name, .. }
            | Change::Length { name, .. }
            | Change::Grid { name, .. }
            | Change::Replaced { name }
            | Change::Field { name, .. } => names.variables.push(name),
            Change::BoardSize { .. } | Change::Message { .. } => {}
        }
    }
    for list in [&mut names.cells, &mut names.variables] {
        list.drain(..list.len().saturating_sub(MAX_CHANGES_CONSIDERED));
    }
    names
}

/// The one of these that changed last. What the program did comes before what the built-in rules
/// did, which often change the turn at the end, and what statements did before the next element of a
/// loop.
fn last_of(target: &mut Target, names: Vec<String>) -> Option<String> {
    let now = target.machine.time();
    let mut last = None;
    for name in names {
        let Ok(watched) = breakpoint::resolve_watch_target(target, &name) else {
            continue;
        };
        let change = target.with_time(|target| {
            let (time, ..) = target.last_change(&watched, now)?;
            target.timeline.seek(&mut target.machine, time);
            let is_hidden = frame::frame_info(target, 0).is_some_and(|frame| frame.is_hidden);
            let next = target.machine.next_instruction();
            let is_repeat = next.is_some_and(|i| matches!(i.flow().control, Control::Repeat(_)));
            Some((!is_hidden, !is_repeat, time))
        });
        if let Some(change) = change
            && last.as_ref().is_none_or(|(latest, _)| change >= *latest)
        {
            last = Some((change, name));
        }
    }
    last.map(|(_, name)| name)
}

/// `[1][1]`, or `[1][1].visible`
fn cell_name(cell: &str, change: &CellChange) -> String {
    match change.attribute {
        Some(CellAttribute::Visible) => format!("{cell}.visible"),
        Some(CellAttribute::Owner) => format!("{cell}.owner"),
        None => cell.to_string(),
    }
}
