//! Candidate changes of the game state for the counterfactual search: a cell with another piece, a
//! variable or field with another value.

use crate::answer::{ChangeTargetKind, ProposedChange};
use crate::debugger::Target;
use crate::value::{Piece, Value};

/// Candidates tried per class.
pub(crate) const MAX_CHANGES_TRIED: usize = 8_000;

/// What a change writes to.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum ChangeTarget {
    Cell(u32),
    Global(u32),
    /// A field of a record, by index.
    Field(Value, usize),
    /// An element of a list, by index.
    Element(Value, usize),
}

/// How useful a change is as an answer; the most useful first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Usefulness {
    /// An action of the player makes such a change.
    Reachable,
    /// A variable of the program, or a cell that actions or the setup leave to be filled.
    Likely,
    /// Another cell, or a variable of the rules.
    Unlikely,
}

/// Where the new value of a change comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The program uses it, or it makes a comparison true.
    Program,
    /// It is close to the current value, or combines several properties of a piece.
    Nearby,
}

/// A change of one cell, variable, field or element.
pub(crate) struct StateChange {
    /// The cell, as `[0][2]`, or the name of the variable, field or element.
    pub(crate) name: String,
    /// The new value as text.
    pub(crate) new: String,
    /// The current value as text.
    pub(crate) current: String,
    pub(crate) target: ChangeTarget,
    pub(crate) value: Value,
    pub(crate) usefulness: Usefulness,
    pub(crate) origin: Origin,
}

impl StateChange {
    pub(crate) fn is_cell(&self) -> bool {
        matches!(self.target, ChangeTarget::Cell(_))
    }

    pub(crate) fn describe(&self) -> ProposedChange {
        ProposedChange {
            target: match self.target {
                ChangeTarget::Cell(_) => ChangeTargetKind::Cell,
                ChangeTarget::Global(_) => ChangeTargetKind::Variable,
                ChangeTarget::Field(..) => ChangeTargetKind::Field,
                ChangeTarget::Element(..) => ChangeTargetKind::Element,
            },
            name: self.name.clone(),
            current: self.current.clone(),
            new: self.new.clone(),
        }
    }

    /// Whether this does the same as `smaller` and more. Both change the same cell or variable, which
    /// has the value `present`.
    pub(crate) fn extends(&self, smaller: &StateChange, present: Value) -> bool {
        match (
            self.value.as_piece(),
            smaller.value.as_piece(),
            present.as_piece(),
        ) {
            (Some(new), Some(smaller), Some(present)) => {
                let agrees =
                    |of: fn(Piece) -> u16| of(smaller) == of(present) || of(smaller) == of(new);
                agrees(|p| p.kind) && agrees(|p| p.owner) && agrees(|p| p.visible.into())
            }
            (Some(new), Some(smaller), None) => new.kind == smaller.kind,
            // For a variable, only the value closest to the current one is of interest.
            _ => !self.is_cell(),
        }
    }
}

/// Writes a value. To be called inside `with_rollback`.
pub(crate) fn apply_change(target: &mut Target, slot: ChangeTarget, value: Value) {
    let store = &mut target.machine.store;
    match slot {
        ChangeTarget::Cell(at) => store.cells.set(at as usize, value),
        ChangeTarget::Global(n) => store.globals.set(n as usize, value),
        ChangeTarget::Field(owner, n) | ChangeTarget::Element(owner, n) => {
            if let Some(item) = store.heap.item_mut(owner, n) {
                *item = value;
            }
        }
    }
}

/// The current value of what a change writes to.
pub(crate) fn present_value(target: &Target, slot: ChangeTarget) -> Value {
    let store = &target.machine.store;
    let value = match slot {
        ChangeTarget::Cell(at) => store.cells.get(at as usize),
        ChangeTarget::Global(n) => store.globals.get(n as usize),
        ChangeTarget::Field(owner, n) | ChangeTarget::Element(owner, n) => {
            store.heap.items(owner).and_then(|items| items.get(n))
        }
    };
    value.copied().unwrap_or(Value::NOTHING)
}
