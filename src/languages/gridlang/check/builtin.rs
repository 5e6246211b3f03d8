//! The built-in functions. Those whose names start with `@` can only be called by the rules of play.

use crate::check::types::Type;
use std::ops::RangeInclusive;

/// A built-in function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    Print,
    /// Asks the player for a value of the expression's type.
    Prompt,
    DrawGrid,
    CreateGrid,
    /// `traverse([from, to], "playerList")`
    Traverse,
    /// `traverse(r1, c1, r2, c2)`: 1 if a piece is strictly between the two cells, else 0.
    AnyBetween,
    /// The limits are floats.
    Random,
    /// An extension, so a program may define its own.
    DiceThrow,
    Len,
    GameOver,
    /// `@append(list, value)`
    Append,
    /// `@removeAt(list, index)`
    RemoveAt,
    /// `@takeFirst(list)`: removes the first element and returns it.
    TakeFirst,
    /// `@where(pieces, "field", value)`: those whose field has the value.
    Where,
    /// `@sort(pieces, "field")`
    Sort,
    /// `@copy(value)`: a copy of a list, or the value itself.
    Copy,
    /// `@filled(value, count)`: a list that holds the value `count` times.
    Filled,
    /// `@text(value)`: the value as a string.
    Text,
    /// `@fail("message")` or `@fail("message with {}", value)`: a run-time error.
    Fail,
    /// `@warn("message")`
    Warn,
    /// `@info(text)`: reports what the rules did.
    Info,
    /// `@resize(rows, columns)`
    Resize,
    /// `@beginAction()`: a turn starts.
    BeginAction,
    /// `@endGame(status, winners)`
    EndGame,
    /// `@here()`: an escape continuation. `@throw` continues by evaluating it again.
    Here,
    /// `@throw(escape)`
    Throw,
    /// `@hasGameLoop()`, `@hasGameOver()`: whether the game defines the block.
    HasGameLoop,
    HasGameOver,
    /// `@gameLoop()`, `@gameOverBlock()`: runs the block of the game, if there is one.
    GameLoop,
    GameOverBlock,
    /// `@checkGameEnd()`: runs the block; false if there is none.
    CheckGameEnd,
    /// `@checkMoveHandler(piece)`: runs the most specific `checkMove`; true if there is none.
    CheckMoveHandler,
    /// `@colocationHandler(piece, other)`: runs the most specific `colocation`, if there is one.
    ColocationHandler,
    /// `@make(name, displayString)`: a new piece of the kind that the function is compiled for.
    Make,
    /// `@initTypeAttributes(player)`: sets the attributes of its player type to their initial values.
    InitTypeAttributes,
}

impl Builtin {
    /// The names that programs can use, for suggestions.
    pub const NAMES: [&str; 9] = [
        "print",
        "prompt",
        "drawGrid",
        "createGrid",
        "traverse",
        "random",
        "len",
        "gameOver",
        "diceThrow",
    ];

    /// The function with this name, its numbers of arguments and the type of its result, if that is
    /// always the same.
    pub fn find(name: &str) -> Option<(Builtin, RangeInclusive<usize>, Type)> {
        use Builtin::*;
        Some(match name {
            "print" => (Print, 1..=1, Type::Void),
            "prompt" => (Prompt, 1..=2, Type::Unknown),
            "drawGrid" => (DrawGrid, 0..=0, Type::Void),
            "createGrid" => (CreateGrid, 2..=2, Type::Void),
            "traverse" => (Traverse, 2..=4, Type::Unknown),
            "random" => (Random, 2..=2, Type::Float),
            "diceThrow" => (DiceThrow, 0..=0, Type::Int),
            "len" => (Len, 1..=1, Type::Int),
            "gameOver" => (GameOver, 0..=0, Type::Void),
            "@append" => (Append, 2..=2, Type::Void),
            "@removeAt" => (RemoveAt, 2..=2, Type::Void),
            "@takeFirst" => (TakeFirst, 1..=1, Type::AnyPiece),
            "@where" => (Where, 3..=3, Type::AnyPiece.into_list()),
            "@sort" => (Sort, 2..=2, Type::Void),
            "@copy" => (Copy, 1..=1, Type::Unknown),
            "@filled" => (Filled, 2..=2, Type::Unknown),
            "@text" => (Text, 1..=1, Type::Text),
            "@fail" => (Fail, 1..=2, Type::Void),
            "@warn" => (Warn, 1..=1, Type::Void),
            "@info" => (Info, 1..=1, Type::Void),
            "@resize" => (Resize, 2..=2, Type::Void),
            "@beginAction" => (BeginAction, 0..=0, Type::Void),
            "@endGame" => (EndGame, 2..=2, Type::Void),
            "@here" => (Here, 0..=0, Type::Int),
            "@throw" => (Throw, 1..=1, Type::Void),
            "@hasGameLoop" => (HasGameLoop, 0..=0, Type::Bool),
            "@hasGameOver" => (HasGameOver, 0..=0, Type::Bool),
            "@gameLoop" => (GameLoop, 0..=0, Type::Void),
            "@gameOverBlock" => (GameOverBlock, 0..=0, Type::Void),
            "@checkGameEnd" => (CheckGameEnd, 0..=0, Type::Bool),
            "@checkMoveHandler" => (CheckMoveHandler, 1..=1, Type::Bool),
            "@colocationHandler" => (ColocationHandler, 2..=2, Type::Void),
            "@make" => (Make, 2..=2, Type::AnyPiece),
            "@initTypeAttributes" => (InitTypeAttributes, 1..=1, Type::Void),
            _ => return None,
        })
    }
}
