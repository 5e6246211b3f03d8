//! Which parts of a state are packed, and how.

use super::codes::{MAX_WORDS, WORD};
use crate::code::flow::{Effects, Summary};
use crate::code::{Instr, PieceField, Program};
use crate::language::{MoveModel, Ordinals};
use crate::model::cone::Cone;
use crate::model::setup::Reductions;
use crate::value::{InternedStr, Store, Unpacked, Value};

/// Which parts of a state are packed, and how.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub cone: Cone,
    /// Strings and symbols with a short code.
    pub(super) words: Vec<Value>,
    word_codes: WordCodes,
    /// Number of owners, and bits per cell.
    pub(super) owners: u32,
    pub(super) cell_bits: u32,
    /// Whether the size of the board can change.
    pub(super) is_resizable: bool,
    pub(super) has_board: bool,
    /// Whether code can unwind the stack. Then no frame can be left out.
    pub(super) has_escapes: bool,
    /// Numbers of which only the order matters.
    pub(super) ordinals: Option<Ordinals>,
    /// Globals that only tell end positions apart.
    pub(super) end_globals: Vec<u32>,
}

impl Layout {
    /// The layout of the positions of a game. `summary` is what its actions do.
    pub fn new(
        program: &Program,
        cone: Cone,
        model: &MoveModel,
        summary: &Summary,
        store: &Store,
        reductions: Reductions,
    ) -> Layout {
        let used = summary
            .functions
            .iter()
            .filter_map(|f| program.function(*f));
        let mut code = used.flat_map(|f| f.code.iter());
        let is_resizable = summary.effects.has(Effects::RESIZES);
        let drops_owners = reductions.variables && !code.clone().any(reads_owner);
        let complete = Layout::complete(program, cone);
        let owners = if drops_owners { 1 } else { complete.owners };
        Layout {
            owners,
            cell_bits: cell_bits(program, owners),
            is_resizable,
            has_board: store.rows > 0 || is_resizable,
            has_escapes: code.any(|instr| matches!(instr, Instr::Catch { .. })),
            ordinals: model.ordinals.clone(),
            end_globals: model.end_globals.clone(),
            ..complete
        }
    }

    /// The short code of a string or symbol, if it has one.
    pub(super) fn word_code(&self, word: InternedStr, is_string: bool) -> Option<u8> {
        let codes = match is_string {
            true => &self.word_codes.strings,
            false => &self.word_codes.symbols,
        };
        let code = codes.get(word.index() as usize).copied();
        code.filter(|code| *code != 0)
    }

    /// Whether another layout tells the same positions apart.
    pub fn distinguishes_same(&self, other: &Layout) -> bool {
        let parts = |layout: &Layout| {
            (
                layout.owners,
                layout.is_resizable,
                layout.has_board,
                layout.has_escapes,
            )
        };
        self.cone == other.cone && parts(self) == parts(other)
    }

    /// A layout of everything: nothing is the same in all positions.
    pub fn complete(program: &Program, cone: Cone) -> Layout {
        let constants = program.functions.iter().flat_map(|f| f.constants.iter());
        let mut words: Vec<Value> = Vec::new();
        let mut word_codes = WordCodes::default();
        for value in constants {
            if let Some(code) = word_codes.slot(*value)
                && *code == 0
                && words.len() < MAX_WORDS
            {
                *code = WORD + words.len() as u8;
                words.push(*value);
            }
        }
        let owners = program.owners.len().max(1) as u32;
        Layout {
            cone,
            words,
            word_codes,
            owners,
            cell_bits: cell_bits(program, owners),
            is_resizable: true,
            has_board: true,
            has_escapes: true,
            ordinals: None,
            end_globals: Vec::new(),
        }
    }
}

/// The short codes of strings and symbols, by their index; 0 for none.
#[derive(Clone, Debug, Default)]
struct WordCodes {
    strings: Vec<u8>,
    symbols: Vec<u8>,
}

impl WordCodes {
    /// Where the code of a string or symbol is; `None` for other values.
    fn slot(&mut self, value: Value) -> Option<&mut u8> {
        let (codes, word) = match value.unpack() {
            Unpacked::String(word) => (&mut self.strings, word),
            Unpacked::Symbol(word) => (&mut self.symbols, word),
            _ => return None,
        };
        let index = word.index() as usize;
        if codes.len() <= index {
            codes.resize(index + 1, 0);
        }
        codes.get_mut(index)
    }
}

/// Whether the owner of a piece can decide something.
pub(super) fn reads_owner(instr: &Instr) -> bool {
    matches!(
        instr,
        Instr::PieceField {
            field: PieceField::Owner,
            ..
        } | Instr::EqualAnyType { .. }
    )
}

/// Bits for the content of a cell: a kind, an owner and whether it is visible, or nothing.
pub(super) fn cell_bits(program: &Program, owners: u32) -> u32 {
    let contents = 1 + program.piece_kinds.len() as u32 * owners * 2;
    contents.next_power_of_two().ilog2()
}
