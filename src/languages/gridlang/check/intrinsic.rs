//! The built-in functions of the rules of play. Only `rules.grid` can call them.

use crate::languages::gridlang::check::hir::Type;

/// A built-in function of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intrinsic {
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

impl Intrinsic {
    /// The function with this name and number of arguments, and the type of its result.
    pub fn find(name: &str, argument_count: usize) -> Option<(Intrinsic, Type)> {
        use Intrinsic::*;
        let pieces = || Type::AnyPiece.into_list();
        Some(match (name, argument_count) {
            ("@append", 2) => (Append, Type::Void),
            ("@removeAt", 2) => (RemoveAt, Type::Void),
            ("@takeFirst", 1) => (TakeFirst, Type::AnyPiece),
            ("@where", 3) => (Where, pieces()),
            ("@sort", 2) => (Sort, Type::Void),
            ("@copy", 1) => (Copy, Type::Unknown),
            ("@filled", 2) => (Filled, Type::Unknown),
            ("@text", 1) => (Text, Type::Text),
            ("@fail", 1 | 2) => (Fail, Type::Void),
            ("@warn", 1) => (Warn, Type::Void),
            ("@info", 1) => (Info, Type::Void),
            ("@resize", 2) => (Resize, Type::Void),
            ("@beginAction", 0) => (BeginAction, Type::Void),
            ("@endGame", 2) => (EndGame, Type::Void),
            ("@here", 0) => (Here, Type::Int),
            ("@throw", 1) => (Throw, Type::Void),
            ("@hasGameLoop", 0) => (HasGameLoop, Type::Bool),
            ("@hasGameOver", 0) => (HasGameOver, Type::Bool),
            ("@gameLoop", 0) => (GameLoop, Type::Void),
            ("@gameOverBlock", 0) => (GameOverBlock, Type::Void),
            ("@checkGameEnd", 0) => (CheckGameEnd, Type::Bool),
            ("@checkMoveHandler", 1) => (CheckMoveHandler, Type::Bool),
            ("@colocationHandler", 2) => (ColocationHandler, Type::Void),
            ("@make", 2) => (Make, Type::AnyPiece),
            ("@initTypeAttributes", 1) => (InitTypeAttributes, Type::Void),
            _ => return None,
        })
    }
}
