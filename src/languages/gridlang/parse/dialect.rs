//! Recognizes the C-like dialect that the GRIDLang compiler accepts, and says how the manual's
//! language writes the same.

use crate::parse::newlines::SpannedToken;
use crate::source::Source;
use crate::token::Token;

/// Why the dialect is not accepted.
pub const NOTE: &str =
    "this is how the GRIDLang compiler wrote it; gridbug runs the language of the manual";

/// The message and note for a statement that starts as only the dialect does.
pub fn recognize(source: &Source, statement: &[SpannedToken<'_>]) -> Option<(String, String)> {
    let token = |n: usize| statement.get(n).map(|&(_, token, _)| token);
    match (token(0)?, token(1)?, token(2)?) {
        (Token::Name("Grid_Init"), Token::Less, _) => Some((
            "`Grid_Init` is not a statement".into(),
            "write the size in the header of the layout: `Layout(3, 3) { … }`".into(),
        )),
        (first, name, Token::OpenParen)
            if first.is_value_type() || matches!(first, Token::VoidKeyword | Token::Player) =>
        {
            let text = |(start, _, end): SpannedToken<'_>| source.slice(source.span(start, end));
            Some(typed_block(text(statement[0]), text(statement[1]), name))
        }
        (Token::Player, Token::OpenBracket, _)
            if statement
                .iter()
                .take(MAX_ARRAY_TOKENS)
                .any(|t| t.1 == Token::PlayerOrder) =>
        {
            Some((
                "`playerOrder` needs no declaration".into(),
                "assign the players: `playerOrder = [\"ann\", \"bob\"]`".into(),
            ))
        }
        _ => None,
    }
}

/// The tokens of `Player[2] playerOrder`.
const MAX_ARRAY_TOKENS: usize = 5;

/// The message and note for `int name(…)`.
fn typed_block(ty: &str, name: &str, token: Token<'_>) -> (String, String) {
    let block = |header: &str| {
        (
            format!("`{name}` has no type"),
            format!("write `{header} {{ … }}`"),
        )
    };
    match token {
        Token::Layout => block("Layout(3, 3)"),
        Token::GameLoop | Token::CheckGameEnd | Token::GameOver => block(&format!("{name}()")),
        Token::Name("setup" | "initialSetup" | "init") => (
            format!("`{name}` is a function that nothing calls"),
            "write what happens at the start in `Layout(3, 3) { … }`".into(),
        ),
        Token::Name("main") => (
            "there is no `main`".into(),
            "a game starts with `Layout(3, 3) { … }` and repeats `gameLoop() { … }`".into(),
        ),
        Token::Name("gameloop") => block("gameLoop()"),
        _ => (
            format!("expected `function` before `{name}`"),
            format!("write `function {name}(int a): {ty} {{ … }}`"),
        ),
    }
}

/// What a built-in function of the dialect is called in the manual's language.
pub fn replacement(function: &str) -> Option<&'static str> {
    match function {
        "printGrid" => Some("write `drawGrid()`"),
        "moveOnGrid" | "placeOnGrid" => Some("assign the position: `token.position = (1, 2)`"),
        "deleteFromGrid" | "removeFromGrid" => Some("write `token.Exists = false`"),
        _ => None,
    }
}
