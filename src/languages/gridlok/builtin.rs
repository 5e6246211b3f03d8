//! The names every GridLok program has without defining them: functions, variables, the fields of a piece.

use super::typing::Type;

pub struct Builtin {
    pub name: &'static str,
    /// What each value in the braces must be; `None` takes anything.
    pub parameters: &'static [Option<Type>],
    /// What it gives, if it gives a value at all.
    pub returns: Option<Type>,
}

const INT: Option<Type> = Some(Type::Int);
const TEXT: Option<Type> = Some(Type::Text);

/// `visible` takes a bool, 1 or 0, which is why its type is left open.
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
    /// Why it can't be assigned; empty if it can.
    pub read_only_reason: &'static str,
}

pub const PREDEFINED: &[Predefined] = &[
    Predefined {
        name: "rows",
        ty: Type::Int,
        read_only_reason: "it is the board's height",
    },
    Predefined {
        name: "cols",
        ty: Type::Int,
        read_only_reason: "it is the board's width",
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
        read_only_reason: "it counts the turns; `endTurn{}` ends one",
    },
    Predefined {
        name: "pieceRow",
        ty: Type::Int,
        read_only_reason: "it is the row of the piece whose handler runs",
    },
    Predefined {
        name: "pieceCol",
        ty: Type::Int,
        read_only_reason: "it is the column of the piece whose handler runs",
    },
    Predefined {
        name: "turn",
        ty: Type::Text,
        read_only_reason: "it is the player whose turn it is; `endTurn{}` ends the turn",
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
        .map(|(_, is)| *is)
}

/// What a person is told of each.
pub const HELP: &[(&str, &str)] = &[
    (
        "click",
        "click{row, col}: clicks on a cell; its piece's onClick runs",
    ),
    (
        "place",
        "place{\"piece\", row, col}: puts a new piece on a cell",
    ),
    (
        "removePiece",
        "removePiece{row, col}: takes the piece off a cell",
    ),
    (
        "removePlayer",
        "removePlayer{\"player\"}: takes a player out of the game",
    ),
    (
        "changeType",
        "changeType{\"piece\"}: the piece whose handler runs becomes another",
    ),
    (
        "visible",
        "visible{true}: shows or hides the piece whose handler runs",
    ),
    (
        "endTurn",
        "endTurn{}: the turn ends when the action is done",
    ),
    (
        "rand",
        "rand{low, high}: a random number from low up to but not including high",
    ),
    ("print", "print{value}: writes a line to the console"),
    (
        "display",
        "display{value}: writes on the board's message line",
    ),
    ("rows", "the board's height"),
    ("cols", "the board's width"),
    ("win", "set in winCondition: the player on turn has won"),
    ("lose", "set in loseCondition: the game is lost"),
    ("draw", "set in drawCondition: nobody wins"),
    ("turn", "the player whose turn it is"),
    ("turnCount", "how many turns have ended"),
    ("pieceRow", "the row of the piece whose handler runs"),
    ("pieceCol", "the column of the piece whose handler runs"),
    (
        ".name",
        "board[r][c].name: the kind of piece there, \"\" if there is none",
    ),
    (
        ".visible",
        "board[r][c].visible: whether it can be seen; with braces, shows or hides it",
    ),
    (".row", "the row of a piece"),
    (".col", "the column of a piece"),
    (".owner", "the player whose piece it is"),
];
