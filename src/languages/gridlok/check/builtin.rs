//! Built-in functions, predefined variables and the fields of a piece.

use crate::check::typing::Type;
use crate::code::PieceField;

pub struct Builtin {
    pub name: &'static str,
    /// The type of each argument; `None` accepts any type.
    pub parameters: &'static [Option<Type>],
    /// The type of the result, if it returns a value.
    pub returns: Option<Type>,
}

const INT: Option<Type> = Some(Type::Int);
const TEXT: Option<Type> = Some(Type::Text);

const fn builtin(
    name: &'static str,
    parameters: &'static [Option<Type>],
    returns: Option<Type>,
) -> Builtin {
    Builtin {
        name,
        parameters,
        returns,
    }
}

/// Every built-in function. `visible` accepts a bool, 1 or 0, so its parameter has no fixed type.
pub const BUILTINS: &[Builtin] = &[
    builtin("click", &[INT, INT], None),
    builtin("removePiece", &[INT, INT], None),
    builtin("removePlayer", &[TEXT], None),
    builtin("changeType", &[TEXT], None),
    builtin("endTurn", &[], None),
    builtin("rand", &[INT, INT], INT),
    builtin("print", &[None], None),
    builtin("display", &[None], None),
    builtin("place", &[TEXT, INT, INT], None),
    builtin("visible", &[None], None),
];

pub struct Predefined {
    pub name: &'static str,
    pub ty: Type,
    /// Why it cannot be assigned; empty if it can.
    pub read_only_reason: &'static str,
}

const fn predefined(name: &'static str, ty: Type, read_only_reason: &'static str) -> Predefined {
    Predefined {
        name,
        ty,
        read_only_reason,
    }
}

pub const PREDEFINED: &[Predefined] = &[
    predefined("rows", Type::Int, "it is the height of the board"),
    predefined("cols", Type::Int, "it is the width of the board"),
    predefined("win", Type::Bool, ""),
    predefined("lose", Type::Bool, ""),
    predefined("draw", Type::Bool, ""),
    predefined(
        "turnCount",
        Type::Int,
        "it counts the turns; `endTurn{}` ends a turn",
    ),
    predefined(
        "pieceRow",
        Type::Int,
        "it is the row of the piece whose handler is running",
    ),
    predefined(
        "pieceCol",
        Type::Int,
        "it is the column of the piece whose handler is running",
    ),
    predefined(
        "turn",
        Type::Text,
        "it is the current player; `endTurn{}` ends the turn",
    ),
];

/// The fields of a piece.
pub const FIELDS: &[(&str, PieceField, Type)] = &[
    ("name", PieceField::Name, Type::Text),
    ("visible", PieceField::Visible, Type::Bool),
    ("row", PieceField::Row, Type::Int),
    ("col", PieceField::Col, Type::Int),
    ("owner", PieceField::Owner, Type::Text),
];

pub fn find_builtin(name: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|b| b.name == name)
}

pub fn find_predefined(name: &str) -> Option<&'static Predefined> {
    PREDEFINED.iter().find(|p| p.name == name)
}

pub fn field_type(name: &str) -> Option<Type> {
    let field = FIELDS.iter().find(|row| row.0 == name);
    field.map(|&(.., ty)| ty)
}
