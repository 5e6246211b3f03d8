//! BoGL's built-in functions and values: those of its syntax document and those of its public
//! implementation.

use crate::check::type_table::TypeTable;
use crate::check::types::{SignatureType, Type};
use crate::code::LineDirections;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Builtin {
    Input,
    Width,
    Height,
    Place,
    /// The number of cells with a content.
    Count,
    /// The length of the longest line of cells with a content.
    LongestLine(LineDirections),
    Not,
    And,
    Or,
    InARow,
    IsFull,
}

pub const BUILTINS: &[(&str, Builtin)] = &[
    ("input", Builtin::Input),
    ("width", Builtin::Width),
    ("height", Builtin::Height),
    ("place", Builtin::Place),
    ("count", Builtin::Count),
    ("longestRow", Builtin::LongestLine(LineDirections::ALL)),
    ("not", Builtin::Not),
    ("and", Builtin::And),
    ("or", Builtin::Or),
    ("countBoard", Builtin::Count),
    ("countRow", Builtin::LongestLine(LineDirections::ROWS)),
    ("countCol", Builtin::LongestLine(LineDirections::COLUMNS)),
    ("countDiag", Builtin::LongestLine(LineDirections::DIAGONALS)),
    ("inARow", Builtin::InARow),
    ("isFull", Builtin::IsFull),
];

impl Builtin {
    pub fn find(name: &str) -> Option<Builtin> {
        let row = BUILTINS.iter().find(|row| row.0 == name);
        row.map(|&(_, builtin)| builtin)
    }

    /// True if a program may not redefine this name. Existing games define their own `count`, so
    /// the helper functions can be redefined.
    pub fn is_reserved(self) -> bool {
        matches!(
            self,
            Builtin::Input | Builtin::Place | Builtin::Not | Builtin::And | Builtin::Or
        )
    }

    /// True for functions, false for values.
    pub fn takes_arguments(self) -> bool {
        !matches!(self, Builtin::Input | Builtin::Width | Builtin::Height)
    }

    /// Returns `None` for names that only exist once `type Board` is defined.
    pub fn signature_type(self, types: &TypeTable) -> Option<SignatureType> {
        let board = types.board();
        let (content, int, bool) = (board.content, Type::int, Type::bool);
        let function = |arguments, result| SignatureType::Function {
            argument: Type::one_or_tuple(arguments),
            result,
        };
        Some(match self {
            Builtin::Input => SignatureType::Value(types.input()),
            Builtin::Width | Builtin::Height => {
                return board.span.map(|_| SignatureType::Value(int()));
            }
            Builtin::Place => {
                let position = Type::tuple(vec![int(), int()]);
                function(vec![content, Type::board(), position], Type::board())
            }
            Builtin::Not => function(vec![bool()], bool()),
            Builtin::And | Builtin::Or => function(vec![bool(), bool()], bool()),
            Builtin::Count | Builtin::LongestLine(_) => {
                function(vec![content, Type::board()], int())
            }
            Builtin::InARow => function(vec![int(), content, Type::board()], bool()),
            Builtin::IsFull => function(vec![Type::board()], bool()),
        })
    }
}
