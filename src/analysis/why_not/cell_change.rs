//! Changes of one cell: another kind of piece, hidden or visible, another owner, or empty.

use super::reachable::Transitions;
use super::state_change::{ChangeTarget, MAX_CHANGES_TRIED, Origin, StateChange};
use crate::code::{Instr, PieceField};
use crate::debugger::Target;
use crate::debugger::recorder::ValueProfile;
use crate::value::{Piece, Value};
use crate::why_not::value_change;
use std::collections::BTreeSet;

/// On a board with more cells, only those that the run read are changed.
const MAX_CELLS_ALL_TRIED: usize = 400;

/// The properties of pieces that a program uses. Changes of the others have no effect.
#[derive(Clone, Copy)]
struct UsedProperties {
    visible: bool,
    owner: bool,
}

/// The cells to change. On a small board these are all cells: for a single one it would be
/// enough to change those that the run read, but combinations may lead it to others. There are
/// none on a board that is drawn from variables.
pub(crate) fn cells_to_try(target: &Target, profile: &ValueProfile) -> BTreeSet<u32> {
    if target.program().board_info.is_derived {
        return BTreeSet::new();
    }
    let count = target.machine.store.cells.len();
    match count <= MAX_CELLS_ALL_TRIED || profile.reads_all_cells {
        true => (0..count.min(MAX_CHANGES_TRIED + 1) as u32).collect(),
        false => profile.cells_read.clone(),
    }
}

/// The changes of each of these cells.
pub(crate) fn changes_of_cells(
    target: &Target,
    cells: BTreeSet<u32>,
    transitions: &Transitions,
) -> impl Iterator<Item = StateChange> {
    let used = used_properties(target);
    cells
        .into_iter()
        .flat_map(move |at| cell_changes(target, at, used, transitions))
}

/// The changes of one cell; those of a single property first.
fn cell_changes(
    target: &Target,
    at: u32,
    used: UsedProperties,
    transitions: &Transitions,
) -> Vec<StateChange> {
    let store = &target.machine.store;
    let Some(present) = store.cells.get(at as usize).copied() else {
        return Vec::new();
    };
    let piece = present.as_piece();
    let (row, col) = store.row_col(at);
    let cells = target.program().board_info;
    let name = cells.format_cell(row.into(), col.into());
    let mut pieces = pieces_to_try(target, at, piece, used);
    pieces.sort_by_key(|new| changed_properties(*new, piece));
    let mut changes: Vec<StateChange> = pieces
        .into_iter()
        .map(|new| {
            let count = changed_properties(new, piece);
            let (new_text, current) = describe_pieces(target, new, present);
            StateChange {
                name: name.clone(),
                new: new_text,
                current,
                target: ChangeTarget::Cell(at),
                value: Value::piece(new),
                usefulness: transitions.usefulness(at, piece, Some(new)),
                origin: match count {
                    1 => Origin::Program,
                    _ => Origin::Nearby,
                },
            }
        })
        .collect();
    if piece.is_some() {
        changes.push(StateChange {
            name,
            new: "empty".to_string(),
            current: target.format_value(present),
            target: ChangeTarget::Cell(at),
            value: Value::EMPTY,
            usefulness: transitions.usefulness(at, piece, None),
            origin: Origin::Program,
        });
    }
    changes
}

/// All pieces that could be on a cell instead of the one that is there.
fn pieces_to_try(
    target: &Target,
    at: u32,
    present: Option<Piece>,
    used: UsedProperties,
) -> Vec<Piece> {
    let program = target.program();
    let owner_count = match used.owner {
        true => program.owners.len() as u16,
        false => 1,
    };
    let kinds = program.piece_kinds.iter().enumerate();
    let mut pieces = Vec::new();
    for (index, kind) in kinds.filter(|(_, k)| !k.name.as_str().is_empty()) {
        let default = present.unwrap_or(Piece {
            cell: at,
            kind: index as u16,
            owner: 0,
            visible: kind.visible,
        });
        let hidden_too = [default.visible, !default.visible];
        for visible in hidden_too
            .into_iter()
            .take(if used.visible { 2 } else { 1 })
        {
            let owners = (0..owner_count.max(1)).filter(|o| *o != default.owner);
            for owner in std::iter::once(default.owner).chain(owners.filter(|_| used.owner)) {
                pieces.push(Piece {
                    kind: index as u16,
                    visible,
                    owner,
                    ..default
                });
            }
        }
    }
    pieces.retain(|new| Some(*new) != present);
    pieces
}

/// Which properties of pieces any function reads. Built-in rules do not count.
fn used_properties(target: &Target) -> UsedProperties {
    let mut used = UsedProperties {
        visible: false,
        owner: false,
    };
    for function in value_change::user_functions(target) {
        for instr in &function.code {
            match instr {
                Instr::PieceField { field, .. } => {
                    used.visible |= *field == PieceField::Visible;
                    used.owner |= *field == PieceField::Owner;
                }
                // Compares pieces in everything.
                Instr::EqualAnyType { .. } | Instr::JumpUnlessEqualAnyType { .. } => {
                    (used.visible, used.owner) = (true, true);
                }
                _ => {}
            }
        }
    }
    used
}

/// The new and the current content of a cell, as far as they differ.
fn describe_pieces(target: &Target, new: Piece, present: Value) -> (String, String) {
    let visibility = |piece: Piece| if piece.visible { "visible" } else { "hidden" };
    let owner = |piece: Piece| match target.program().owner(piece.owner).as_str() {
        "" => "without owner".to_string(),
        owner => format!("owned by {owner}"),
    };
    let kind = target.format_value(Value::piece(new));
    let Some(piece) = present.as_piece() else {
        let is_default = target
            .program()
            .piece_kind(new.kind)
            .is_none_or(|k| k.visible == new.visible);
        let hidden = if is_default {
            None
        } else {
            Some(visibility(new))
        };
        let owned = (new.owner != 0).then(|| owner(new));
        let words = hidden.map(str::to_string).into_iter();
        let words: Vec<String> = words.chain([kind]).chain(owned).collect();
        return (words.join(" "), target.format_value(present));
    };
    let (mut new_words, mut old_words) = (Vec::new(), Vec::new());
    if new.visible != piece.visible {
        new_words.push(visibility(new).to_string());
        old_words.push(visibility(piece).to_string());
    }
    if new.kind != piece.kind {
        new_words.push(kind);
        old_words.push(target.format_value(present));
    }
    if new.owner != piece.owner {
        new_words.push(owner(new));
        old_words.push(owner(piece));
    }
    (new_words.join(" "), old_words.join(" "))
}

/// How many properties of a piece a change affects; 1 for a default piece on an empty cell.
fn changed_properties(new: Piece, present: Option<Piece>) -> usize {
    let Some(present) = present else {
        return 1 + usize::from(new.owner != 0);
    };
    [
        new.kind != present.kind,
        new.visible != present.visible,
        new.owner != present.owner,
    ]
    .into_iter()
    .filter(|differs| *differs)
    .count()
}
