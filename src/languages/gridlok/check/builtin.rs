//! Built-in functions, predefined variables and the fields of a piece.

use crate::languages::gridlok::check::typing::Type;

pub struct Builtin {
    pub name: &'static str,
    /// The type of each argument; `None` accepts any type.
    pub parameters: &'static [Option<Type>],
    /// The type of the result, if it returns a value.
    pub returns: Option<Type>,
}

const INT: Option<Type> = Some(Type::Int);
const TEXT: Option<Type> = Some(Type::Text);

/// Every built-in function. `visible` accepts a bool, 1 or 0, so its parameter has no fixed type.
pub const BUILTINS: &[Builtin] = &[
    Builtin {
        name: "click",
        parameters: &[INT, INT],
        returns: None,
    },
    Builtin {
        name: "removePiece",
        parameters: &[INT, INT],
        returns: None,
    },
    Builtin {
        name: "removePlayer",
        parameters: &[TEXT],
        returns: None,
    },
    Builtin {
        name: "changeType",
        parameters: &[TEXT],
        returns: None,
    },
    Builtin {
        name: "endTurn",
        parameters: &[],
        returns: None,
    },
    Builtin {
        name: "rand",
        parameters: &[INT, INT],
        returns: INT,
    },
    Builtin {
        name: "print",
        parameters: &[None],
        returns: None,
    },
    Builtin {
        name: "display",
        parameters: &[None],
        returns: None,
    },
    Builtin {
        name: "place",
        parameters: &[TEXT, INT, INT],
        returns: None,
    },
    Builtin {
        name: "visible",
        parameters: &[None],
        returns: None,
    },
];

pub struct Predefined {
    pub name: &'static str,
    pub ty: Type,
    /// Why it cannot be assigned; empty if it can.
    pub read_only_reason: &'static str,
}

pub const PREDEFINED: &[Predefined] = &[
    Predefined {
        name: "rows",
        ty: Type::Int,
        read_only_reason: "it is the height of the board",
    },
    Predefined {
        name: "cols",
        ty: Type::Int,
        read_only_reason: "it is the width of the board",
    },
    Predefined {
        name: "win",
        ty: Type::Bool,
        read_only_reason: "",
    },
    Predefined {
        name: "lose",
        ty: Type::Bool,
        read_only_reason: "",
    },
    Predefined {
        name: "draw",
        ty: Type::Bool,
        read_only_reason: "",
    },
    Predefined {
        name: "turnCount",
        ty: Type::Int,
        read_only_reason: "it counts the turns; `endTurn{}` ends a turn",
    },
    Predefined {
        name: "pieceRow",
        ty: Type::Int,
        read_only_reason: "it is the row of the piece whose handler is running",
    },
    Predefined {
        name: "pieceCol",
        ty: Type::Int,
        read_only_reason: "it is the column of the piece whose handler is running",
    },
    Predefined {
        name: "turn",
        ty: Type::Text,
        read_only_reason: "it is the current player; `endTurn{}` ends the turn",
    },
];

/// The fields of a piece.
pub const FIELDS: &[(&str, Type)] = &[
    ("name", Type::Text),
    ("visible", Type::Bool),
    ("row", Type::Int),
    ("col", Type::Int),
    ("owner", Type::Text),
];

pub fn find_builtin(name: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|b| b.name == name)
}

pub fn find_predefined(name: &str) -> Option<&'static Predefined> {
    PREDEFINED.iter().find(|p| p.name == name)
}

pub fn field_type(name: &str) -> Option<Type> {
    FIELDS
        .iter()
        .find(|(field, _)| *field == name)
        .map(|(_, ty)| *ty)
}
