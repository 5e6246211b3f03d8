//! What the keywords mean, for `:help`.

/// Every keyword that is not a built-in, with one line of help. The first is the example of `:help`.
pub const WORD_HELP: &[(&str, &str)] = &[
    (
        "winCondition",
        "winCondition { win {…} }: runs when a turn ends; the current player has won if win is true",
    ),
    (
        "game",
        "game { … }: everything a file defines; not needed at the prompt",
    ),
    (
        "board",
        "board { dimensions {3, 3} }: the board; board[0][1] is the piece on a cell",
    ),
    (
        "dimensions",
        "dimensions {rows, cols}: the size of the board",
    ),
    (
        "image",
        "image {x.png}: a picture for the board or a piece; gridbug draws a letter instead",
    ),
    (
        "players",
        "players {\"x\", \"o\"}: the players, in the order of their turns",
    ),
    (
        "turnOrder",
        "turnOrder {\"o\", \"x\"}: the order of turns, if it differs from players",
    ),
    (
        "eventPriority",
        "eventPriority {\"a\", \"b\"}: the kinds of pieces whose onTurn runs first",
    ),
    (
        "piece",
        "piece { name {\"x\"} onClick { … } }: a kind of piece and its handlers",
    ),
    (
        "name",
        "name {\"x\"}: the name of a kind of piece; .name is the name of a piece",
    ),
    (
        "onClick",
        "onClick { … }: runs when a piece of this kind is clicked; pieceRow and pieceCol are its cell",
    ),
    (
        "onTurn",
        "onTurn { … }: runs for each piece of this kind when a turn begins",
    ),
    (
        "setup",
        "setup { … }: places the first pieces; it runs when the game starts",
    ),
    (
        "loseCondition",
        "loseCondition { lose {…} }: runs when a turn ends; the game is lost if lose is true",
    ),
    (
        "drawCondition",
        "drawCondition { draw {…} }: runs when a turn ends; the game is a draw if draw is true",
    ),
    ("def", "def n {0}: defines a variable; n {n + 1} changes it"),
    (
        "fun",
        "fun f(a, b) { return a + b }: defines a function; f {1, 2} calls it",
    ),
    (
        "return",
        "return a + b: ends a function and gives its result",
    ),
    (
        "if",
        "if a == 1 { … } elseif a == 2 { … } else { … }: runs one of the blocks",
    ),
    (
        "elseif",
        "if a == 1 { … } elseif a == 2 { … }: tried if the condition before it is false",
    ),
    (
        "else",
        "if a == 1 { … } else { … }: runs if no condition before it is true",
    ),
    (
        "for",
        "for i(0, 3) { … }: i is 0, 1, 2; also for r, c in board, for p in row(0), for p surrounding 1, 1",
    ),
    (
        "in",
        "for r, c in board { … }: all cells; for p in row(0), for p in col(0): the pieces of a line",
    ),
    ("all", "for all p in board { … }: all pieces of the board"),
    (
        "row",
        "for p in row(0) { … }: the pieces of a row; .row is the row of a piece",
    ),
    (
        "col",
        "for p in col(0) { … }: the pieces of a column; .col is the column of a piece",
    ),
    (
        "surrounding",
        "for p surrounding 1, 1 { … }: the pieces on the up to 8 neighbors of a cell",
    ),
    ("AND", "a AND b, or a && b: true if both are true"),
    ("OR", "a OR b, or a || b: true if at least one is true"),
    ("true", "the condition that always holds"),
    ("false", "the condition that never holds"),
    (
        "empty",
        "board[0][0] == empty: true if there is no piece on the cell",
    ),
    (
        "int",
        "may stand before a parameter or loop variable; it has no effect",
    ),
];
