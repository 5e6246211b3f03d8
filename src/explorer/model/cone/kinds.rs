//! The types of values: the items of a list have to agree in theirs.

use super::Question;
use crate::code::{Function, Instr, Reg};
use crate::value::{ObjectKind, Unpacked, Value};

/// The type of a value, as far as the items of lists have to agree in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    Number,
    Boolean,
    Text,
    Other,
}

impl Kind {
    pub fn of(value: Value) -> Kind {
        match value.unpack() {
            Unpacked::Int(_) | Unpacked::Float(_) => Kind::Number,
            Unpacked::Bool(_) => Kind::Boolean,
            Unpacked::String(_) => Kind::Text,
            Unpacked::Heap(handle) => match handle.kind {
                ObjectKind::String => Kind::Text,
                ObjectKind::Int => Kind::Number,
                _ => Kind::Other,
            },
            _ => Kind::Other,
        }
    }
}

/// The type of the value in a register before an instruction, if the instruction before it shows that.
pub(super) fn kind_before(
    question: &Question<'_>,
    function: &Function,
    pc: usize,
    register: Reg,
) -> Option<Kind> {
    use Instr::*;
    let is_jumped_to = function
        .code
        .iter()
        .any(|instr| instr.flow().jump_target() == Some(pc as u32));
    let before = function.code.get(pc.checked_sub(1)?)?;
    if is_jumped_to || !before.flow().writes.iter().any(|r| r == register) {
        return None;
    }
    match *before {
        Int { .. }
        | AddInt { .. }
        | SubtractInt { .. }
        | MultiplyInt { .. }
        | DivideInt { .. }
        | RemainderInt { .. }
        | BoardSize { .. }
        | SelfPosition { .. } => Some(Kind::Number),
        Less { .. } | LessEqual { .. } | Equal { .. } | EqualAnyType { .. } | Not { .. } => {
            Some(Kind::Boolean)
        }
        ToString { .. } | Concat { .. } => Some(Kind::Text),
        Constant { k, .. } => function.constants.get(k as usize).map(|v| Kind::of(*v)),
        // A variable keeps its type.
        GetGlobal { global, .. } | GetDefinedGlobal { global, .. } => {
            let value = question.globals.get(global as usize);
            value.map(|v| Kind::of(*v)).filter(|k| *k != Kind::Other)
        }
        _ => None,
    }
}
