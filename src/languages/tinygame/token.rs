//! The lexer. It never fails: unknown characters become tokens as well, so that the parser can
//! report them and highlighting continues after them.

use std::ops::Range;

use logos::Logos;

use crate::language::syntax;

#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r"[ \t\r\n]+")]
pub enum Token<'t> {
    /// Prepended to the tokens of a file.
    StartProgram,
    /// Prepended to the tokens of an entry.
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
    /// Reserved by the language document, but unused in its grammar.
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
    /// Includes the quotes; may span several lines.
    #[regex("\"[^\"]*\"")]
    String(&'t str),
    #[regex("//[^\n]*", allow_greedy = true)]
    Comment,

    /// A string without a closing quote; extends to the end of the text.
    #[regex("\"[^\"]*")]
    UnterminatedString,
    /// A word with characters that are not allowed in names.
    #[regex("[a-zA-Z_][a-zA-Z0-9_]*", priority = 1)]
    InvalidName(&'t str),
    /// An operator that other languages have.
    #[regex(">=|<=|&&|\\|\\||%|\\+=|-=|!")]
    UnsupportedOperator(&'t str),
    /// Any other character.
    Invalid,
}

/// All tokens of a text, including comments but not whitespace.
pub fn tokenize(text: &str) -> Vec<(Range<usize>, Token<'_>)> {
    syntax::tokenize(text, |_| Token::Invalid)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Token<'_>> {
        tokenize(text).into_iter().map(|(_, token)| token).collect()
    }

    #[test]
    fn keywords_do_not_match_prefixes_of_names() {
        assert_eq!(
            kinds("move mover up1"),
            [Token::Move, Token::Name("mover"), Token::Name("up1")]
        );
    }

    #[test]
    fn lexer_never_fails() {
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
