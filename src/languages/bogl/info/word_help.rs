//! What the keywords mean, for `:help`.

/// Every keyword that is not a built-in, with one line of help. The first is the example of `:help`.
pub const WORD_HELP: &[(&str, &str)] = &[
    (
        "while",
        "let n = 1 in while n < 100 do n * 2: updates n until the condition is False",
    ),
    ("game", "game Name: the first line of a program"),
    (
        "type",
        "type Player = {X, O}: gives a type a name; its symbols start with an uppercase letter",
    ),
    (
        "Array",
        "type Board = Array (3,3) of Player: the size of the board and what its cells hold",
    ),
    (
        "of",
        "type Board = Array (3,3) of Player: what the cells hold",
    ),
    (
        "let",
        "let x = 3 in x + 1: a name for a value; at the prompt also let x = 3",
    ),
    (
        "in",
        "let x = 3 in x + 1: the expression that uses the name",
    ),
    (
        "if",
        "if a == 1 then 2 else 3: one of two values; both branches are needed",
    ),
    (
        "then",
        "if a == 1 then 2 else 3: the value if the condition is True",
    ),
    (
        "else",
        "if a == 1 then 2 else 3: the value if the condition is False",
    ),
    (
        "do",
        "while n < 100 do n * 2: the next value of the variable",
    ),
    ("True", "the condition that always holds"),
    ("False", "the condition that never holds"),
];
