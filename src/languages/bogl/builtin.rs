//! What BoGL brings along: the names of its document, and those of its public implementation.

use super::type_table::TypeTable;
use super::types::{SignatureType, Type};

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

/// A line of help for each.
pub const HELP: &[(&str, &str)] = &[
    (
        "input",
        "the next thing that the person types, of the type Input",
    ),
    ("width", "how many columns the board has"),
    ("height", "how many rows the board has"),
    (
        "place",
        "place(c, b, (x,y)): the board b with c in column x and row y; b itself stays as it is",
    ),
    ("count", "count(c, b): how many cells of the board b hold c"),
    (
        "longestRow",
        "longestRow(c, b): how many c lie side by side at most: across, down or diagonally",
    ),
    ("not", "not(a): True if a is False"),
    (
        "and",
        "and(a, b): True if both are; both are always evaluated",
    ),
    (
        "or",
        "or(a, b): True if one of them is; both are always evaluated",
    ),
    ("countBoard", "countBoard(c, b): the same as count"),
    (
        "countRow",
        "countRow(c, b): how many c lie side by side at most across",
    ),
    (
        "countCol",
        "countCol(c, b): how many c lie side by side at most down",
    ),
    (
        "countDiag",
        "countDiag(c, b): how many c lie side by side at most diagonally",
    ),
    (
        "inARow",
        "inARow(n, c, b): True if n or more c lie side by side in any direction",
    ),
    (
        "isFull",
        "isFull(b): True if no cell of the board b is the symbol Empty",
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

    /// Whether a game may not give this name a meaning of its own. Games exist that define their own `count`, so the
    /// helpers give way.
    pub fn is_reserved(self) -> bool {
        matches!(
            self,
            Builtin::Input | Builtin::Place | Builtin::Not | Builtin::And | Builtin::Or
        )
    }

    /// `None` for what is not there without `type Board`.
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
