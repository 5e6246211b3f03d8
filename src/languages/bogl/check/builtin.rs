//! BoGL's built-in functions and values: those of its syntax document and those of its public
//! implementation.

use crate::languages::bogl::check::type_table::TypeTable;
use crate::languages::bogl::check::types::{SignatureType, Type};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Builtin {
    Input,
    Width,
    Height,
    Place,
    Count,
    LongestRow,
    Not,
    And,
    Or,
    CountBoard,
    CountRow,
    CountCol,
    CountDiag,
    InARow,
    IsFull,
}

pub const BUILTINS: &[(&str, Builtin)] = &[
    ("input", Builtin::Input),
    ("width", Builtin::Width),
    ("height", Builtin::Height),
    ("place", Builtin::Place),
    ("count", Builtin::Count),
    ("longestRow", Builtin::LongestRow),
    ("not", Builtin::Not),
    ("and", Builtin::And),
    ("or", Builtin::Or),
    ("countBoard", Builtin::CountBoard),
    ("countRow", Builtin::CountRow),
    ("countCol", Builtin::CountCol),
    ("countDiag", Builtin::CountDiag),
    ("inARow", Builtin::InARow),
    ("isFull", Builtin::IsFull),
];

impl Builtin {
    pub fn find(name: &str) -> Option<Builtin> {
        BUILTINS
            .iter()
            .find(|(known, _)| *known == name)
            .map(|&(_, builtin)| builtin)
    }

    pub fn name(self) -> &'static str {
        BUILTINS
            .iter()
            .find(|(_, known)| *known == self)
            .map_or("", |&(name, _)| name)
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
        let (content, int) = (board.content, Type::int);
        let function = |arguments: Vec<Type>, result| SignatureType::Function {
            argument: Type::tuple(arguments),
            result,
        };
        Some(match self {
            Builtin::Input => SignatureType::Value(types.input()),
            Builtin::Width | Builtin::Height => {
                return board.span.map(|_| SignatureType::Value(int()));
            }
            Builtin::Place => function(
                vec![content, Type::board(), Type::tuple(vec![int(), int()])],
                Type::board(),
            ),
            Builtin::Not => SignatureType::Function {
                argument: Type::bool(),
                result: Type::bool(),
            },
            Builtin::And | Builtin::Or => function(vec![Type::bool(), Type::bool()], Type::bool()),
            Builtin::Count
            | Builtin::LongestRow
            | Builtin::CountBoard
            | Builtin::CountRow
            | Builtin::CountCol
            | Builtin::CountDiag => function(vec![content, Type::board()], int()),
            Builtin::InARow => function(vec![int(), content, Type::board()], Type::bool()),
            Builtin::IsFull => SignatureType::Function {
                argument: Type::board(),
                result: Type::bool(),
            },
        })
    }
}
