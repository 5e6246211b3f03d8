//! The tokens of BoGL.
//!
//! The lexer never fails: unknown text becomes [`Token::Bad`], which the parser reports. Comments
//! are tokens too, so the same list serves the parser and syntax highlighting.

use std::ops::Range;

use logos::{Lexer, Logos};

use crate::language::syntax;

#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r"[ \t\r\n\f\u{a0}\u{202f}\u{feff}]+")]
pub enum Token {
    #[token("game")]
    Game,
    #[token("type")]
    Type,
    #[token("Array")]
    Array,
    #[token("of")]
    Of,
    #[token("let")]
    Let,
    #[token("in")]
    In,
    #[token("if")]
    If,
    #[token("then")]
    Then,
    #[token("else")]
    Else,
    #[token("while")]
    While,
    #[token("do")]
    Do,
    #[token("True")]
    True,
    #[token("False")]
    False,

    /// `name` in BoGL's syntax document: a value, function or parameter.
    #[regex(r"\p{Ll}[\p{L}\p{Nd}_']*")]
    Name,
    /// `Name` in BoGL's syntax document: a type, game or symbol.
    #[regex(r"\p{Lu}[\p{L}\p{Nd}_']*")]
    UpperName,
    #[regex(r"[0-9]+|0[xX][0-9a-fA-F]+|0[oO][0-7]+")]
    Int,

    #[token("(")]
    OpenParen,
    #[token(")")]
    CloseParen,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token("->")]
    Arrow,
    #[token("&")]
    Ampersand,
    #[token("=")]
    Equals,
    #[token("#")]
    Hash,
    #[token("!")]
    Bang,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEqual,
    #[token("==")]
    EqualEqual,
    #[token("/=")]
    NotEqual,
    #[token(">=")]
    GreaterEqual,
    #[token(">")]
    Greater,

    #[regex(r"--[^\n]*", allow_greedy = true)]
    #[token("{-", block_comment)]
    Comment,
    UnterminatedComment,
    /// Text that is not valid in BoGL. Strings and the operators of other languages are single
    /// tokens, so that an error can suggest what to write instead.
    #[token("&&")]
    #[token("||")]
    #[token("!=")]
    #[token("=>")]
    #[token("=<")]
    #[regex(r"_[\p{L}\p{Nd}_']*")]
    #[regex(r#""[^"\n]*"?"#)]
    Bad,

    // The start tokens are placed before the token stream to select what to parse; the lexer never
    // produces them.
    StartProgram,
    StartPrelude,
    StartEntry,
    StartInput,
}

impl Token {
    /// True for keywords, which cannot be used as names. They are the first tokens of the list.
    pub fn is_keyword(self) -> bool {
        (self as usize) < Token::Name as usize
    }
}

/// All tokens of a text with their byte ranges, including comments.
pub fn tokenize(text: &str) -> Vec<(Range<usize>, Token)> {
    syntax::tokenize(text, |slice| match slice.starts_with("{-") {
        true => Token::UnterminatedComment,
        false => Token::Bad,
    })
}

/// Block comments nest. Returns false if the text ends inside one.
fn block_comment(lexer: &mut Lexer<'_, Token>) -> bool {
    let rest = lexer.remainder().as_bytes();
    let (mut depth, mut at) = (1, 0);
    while depth > 0 && at < rest.len() {
        match &rest[at..] {
            [b'{', b'-', ..] => (depth, at) = (depth + 1, at + 2),
            [b'-', b'}', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
    }
    lexer.bump(at);
    depth == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::info::INFO;

    fn lex(text: &str) -> Vec<Token> {
        tokenize(text).into_iter().map(|(_, token)| token).collect()
    }

    #[test]
    fn two_dashes_always_start_a_comment() {
        assert_eq!(lex("1--1"), [Token::Int, Token::Comment]);
        assert_eq!(
            lex("a --> b\nc"),
            [Token::Name, Token::Comment, Token::Name]
        );
        assert_eq!(lex("a -> b"), [Token::Name, Token::Arrow, Token::Name]);
    }

    #[test]
    fn block_comments_nest_and_must_be_closed() {
        assert_eq!(
            lex("1 {- a {- b -} c -} 2"),
            [Token::Int, Token::Comment, Token::Int]
        );
        assert_eq!(
            lex("1 {- a {- b -} 2"),
            [Token::Int, Token::UnterminatedComment]
        );
        assert_eq!(lex("{-é"), [Token::UnterminatedComment]);
    }

    #[test]
    fn operators_need_no_spaces() {
        use Token::*;
        assert_eq!(lex("1==-1"), [Int, EqualEqual, Minus, Int]);
        assert_eq!(
            lex("{A}&{B}"),
            [
                OpenBrace, UpperName, CloseBrace, Ampersand, OpenBrace, UpperName, CloseBrace
            ]
        );
        assert_eq!(lex("x=-1"), [Name, Equals, Minus, Int]);
    }

    #[test]
    fn the_keywords_are_the_first_tokens() {
        for (n, token) in lex(&INFO.keywords.join(" ")).into_iter().enumerate() {
            assert_eq!(token as usize, n);
        }
        assert!(!Token::Name.is_keyword());
    }

    #[test]
    fn names_may_start_with_a_keyword() {
        assert_eq!(
            lex("inner iffy Boards a' Arrays"),
            [
                Token::Name,
                Token::Name,
                Token::UpperName,
                Token::Name,
                Token::UpperName
            ]
        );
        assert_eq!(lex("0x1F 0o17 010"), [Token::Int; 3]);
    }

    #[test]
    fn unknown_text_becomes_bad_tokens() {
        assert_eq!(lex("a && b"), [Token::Name, Token::Bad, Token::Name]);
        assert_eq!(lex("_x"), [Token::Bad]);
        assert_eq!(lex("\"abc"), [Token::Bad]);
        assert!(lex("1 ? € 💥").iter().skip(1).all(|&t| t == Token::Bad));
    }
}
