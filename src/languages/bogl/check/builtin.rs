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

/// One line of help per built-in.
pub const HELP: &[(&str, &str)] = &[
    (
        "input",
        "the next value you type at the input prompt, of type Input",
    ),
    ("width", "the number of columns of the board"),
    ("height", "the number of rows of the board"),
    (
        "place",
        "place(c, b, (x,y)): a copy of board b with c in column x, row y; b does not change",
    ),
    (
        "count",
        "count(c, b): the number of cells of board b that hold c",
    ),
    (
        "longestRow",
        "longestRow(c, b): the longest line of c on board b: across, down or diagonal",
    ),
    ("not", "not(a): True if a is False"),
    (
        "and",
        "and(a, b): True if both are True; both are always evaluated",
    ),
    (
        "or",
        "or(a, b): True if at least one is True; both are always evaluated",
    ),
    ("countBoard", "countBoard(c, b): the same as count"),
    (
        "countRow",
        "countRow(c, b): the longest horizontal line of c on board b",
    ),
    (
        "countCol",
        "countCol(c, b): the longest vertical line of c on board b",
    ),
    (
        "countDiag",
        "countDiag(c, b): the longest diagonal line of c on board b",
    ),
    (
        "inARow",
        "inARow(n, c, b): True if board b has a line of n or more c in any direction",
    ),
    (
        "isFull",
        "isFull(b): True if no cell of board b holds the symbol Empty",
    ),
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
