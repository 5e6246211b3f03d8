//! The words and signs of TinyGame. Reading them never fails: what the language does not have becomes a token as well,
//! so that the parser can say what it is, and highlighting goes on behind it.

use std::ops::Range;

use logos::Logos;

#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r"[ \t\r\n]+")]
pub enum Token<'t> {
    /// Put before the stream: a whole file follows.
    StartProgram,
    /// Put before the stream: something typed at the prompt follows.
    StartEntry,

    #[token("player")]
    Player,
    #[token("enemy")]
    Enemy,
    #[token("move")]
    Move,
    #[token("set")]
    Set,
    #[token("if")]
    If,
    #[token("print")]
    Print,
    /// A keyword by the document, without a use in its grammar.
    #[token("end")]
    End,
    #[token("up")]
    Up,
    #[token("down")]
    Down,
    #[token("left")]
    Left,
    #[token("right")]
    Right,

    #[token("==")]
    EqualEqual,
    #[token("=")]
    Assign,
    #[token("!=")]
    NotEqual,
    #[token("<")]
    Less,
    #[token(">")]
    Greater,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Times,
    #[token("/")]
    Divide,

    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token("(")]
    OpenParen,
    #[token(")")]
    CloseParen,
    #[token(";")]
    Semicolon,
    #[token(".")]
    Dot,
    #[token(",")]
    Comma,

    #[regex("[0-9]+")]
    Number(&'t str),
    #[regex("[a-z][a-z0-9]*")]
    Name(&'t str),
    /// With its quotes; it may go over several lines.
    #[regex("\"[^\"]*\"")]
    String(&'t str),
    #[regex("//[^\n]*", allow_greedy = true)]
    Comment,

    /// A text whose second quote is missing: it takes all that is left.
    #[regex("\"[^\"]*")]
    UnterminatedString,
    /// A word with letters that a name may not have.
    #[regex("[a-zA-Z_][a-zA-Z0-9_]*", priority = 1)]
    InvalidName(&'t str),
    /// An operator known from other languages.
    #[regex(">=|<=|&&|\\|\\||%|\\+=|-=|!")]
    UnsupportedOperator(&'t str),
    /// Any other character.
    Invalid,
}

impl Token<'_> {
    /// The words that cannot be names.
    pub const KEYWORDS: [&'static str; 11] = [
        "player", "enemy", "move", "set", "if", "print", "end", "up", "down", "left", "right",
    ];

    pub fn is_keyword(&self) -> bool {
        use Token::*;
        matches!(
            self,
            Player | Enemy | Move | Set | If | Print | End | Up | Down | Left | Right
        )
    }
}

/// All tokens of a text, comments included, blanks left out.
pub fn tokenize(text: &str) -> Vec<(Range<usize>, Token<'_>)> {
    Token::lexer(text)
        .spanned()
        .map(|(token, range)| (range, token.unwrap_or(Token::Invalid)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Token<'_>> {
        tokenize(text).into_iter().map(|(_, token)| token).collect()
    }

    #[test]
    fn keywords_end_where_a_longer_name_goes_on() {
        assert_eq!(
            kinds("move mover up1"),
            [Token::Move, Token::Name("mover"), Token::Name("up1")]
        );
    }

    #[test]
    fn nothing_makes_the_reading_fail() {
        assert_eq!(kinds("é #"), [Token::Invalid, Token::Invalid]);
        assert_eq!(
            kinds("print \"no end;"),
            [Token::Print, Token::UnterminatedString]
        );
        assert_eq!(
            kinds("\"a\nb\" // c"),
            [Token::String("\"a\nb\""), Token::Comment]
        );
        assert_eq!(
            kinds("Hero my_x"),
            [Token::InvalidName("Hero"), Token::InvalidName("my_x")]
        );
    }
}
