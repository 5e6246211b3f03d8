//! GridLok's lexer. It never fails: invalid input becomes a token such as `Invalid` or
//! `UnterminatedString`, which the parser then reports.

use std::ops::Range;

use crate::source::work;
use logos::{Lexer, Logos};

#[derive(Logos, Clone, Copy, PartialEq, Debug)]
#[logos(skip r"[ \t\r\n]+")]
pub enum Token<'t> {
    /// Inserted before a file, so that one grammar can parse both files and entries.
    StartProgram,
    /// Inserted before an entry.
    StartEntry,

    #[regex("[a-z][A-Za-z0-9]*", |lexer| lexer.slice())]
    Name(&'t str),
    /// A name reserved for `rules.gl`, such as `@click`.
    #[regex("@[a-z][A-Za-z0-9]*", |lexer| lexer.slice())]
    RulesName(&'t str),
    #[regex("[0-9]+", |lexer| lexer.slice().parse().ok())]
    Int(i32),
    /// 2147483648, which is only valid after a minus.
    MinIntMagnitude,
    /// A number that does not fit in 32 bits.
    OversizedInt,
    /// A string literal, without its quotes.
    #[regex("\"[^\"\r\n]*\"", |lexer| unquoted(lexer, 1))]
    #[regex("[“”][^”\r\n]*”", |lexer| unquoted(lexer, '”'.len_utf8()))]
    Text(&'t str),
    /// An unquoted file name in `image{…}`.
    FileName(&'t str),

    #[token("game")]
    Game,
    #[token("board")]
    Board,
    #[token("dimensions")]
    Dimensions,
    #[token("image")]
    Image,
    #[token("players")]
    Players,
    #[token("turnOrder")]
    TurnOrder,
    #[token("eventPriority")]
    EventPriority,
    #[token("piece")]
    Piece,
    #[token("name")]
    NameKeyword,
    #[token("onClick")]
    OnClick,
    #[token("onTurn")]
    OnTurn,
    #[token("setup")]
    Setup,
    #[token("winCondition")]
    WinCondition,
    #[token("loseCondition")]
    LoseCondition,
    #[token("drawCondition")]
    DrawCondition,
    #[token("def")]
    Def,
    #[token("fun")]
    Fun,
    #[token("return")]
    Return,
    #[token("if")]
    If,
    #[token("elseif")]
    Elseif,
    #[token("else")]
    Else,
    #[token("for")]
    For,
    #[token("in")]
    In,
    #[token("all")]
    All,
    #[token("row")]
    Row,
    #[token("col")]
    Col,
    #[token("surrounding")]
    Surrounding,
    #[token("int")]
    IntKeyword,
    #[token("place")]
    Place,
    #[token("visible")]
    Visible,
    #[token("print")]
    Print,
    #[token("display")]
    Display,
    #[token("true")]
    True,
    #[token("false")]
    False,
    #[token("empty")]
    Empty,

    #[token("AND")]
    #[token("&&")]
    And,
    #[token("OR")]
    #[token("||")]
    Or,
    #[token("!")]
    Not,
    #[token("==")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterEqual,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,

    #[token("{")]
    OpenBrace,
    /// The `{` of a call in a condition or loop head, where other braces open the block. The lexer
    /// returns `OpenBrace` for it.
    CallBrace,
    #[token("}")]
    CloseBrace,
    #[token("(")]
    OpenParen,
    #[token(")")]
    CloseParen,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token(",")]
    Comma,
    #[token(".")]
    Dot,

    #[regex(r"//[^\n]*", allow_greedy = true)]
    #[regex(r"/\*([^*]|\*+[^*/])*\*+/")]
    Comment,
    /// A comment that is never closed; it extends to the end of the input.
    #[token("/*")]
    UnterminatedComment,
    /// A string that does not end on its line.
    #[regex("\"[^\"\r\n]*")]
    #[regex("[“”][^”\r\n]*")]
    UnterminatedString,
    /// A word that is not a valid name: `Rook`, `my_score`, `2nd`, `été`.
    #[regex(r"[A-Za-z0-9_\u{C0}-\u{24F}\u{370}-\u{52F}]+", priority = 1)]
    InvalidName,
    /// Any other character.
    Invalid,
}

/// The text between the quotes, each of which is `quote_len` bytes long.
fn unquoted<'t>(lexer: &mut Lexer<'t, Token<'t>>, quote_len: usize) -> &'t str {
    let text = lexer.slice();
    &text[quote_len..text.len() - quote_len]
}

/// Keywords that start an item of `game{…}`.
pub const ITEM_KEYWORDS: &[&str] = &[
    "board",
    "players",
    "turnOrder",
    "eventPriority",
    "piece",
    "setup",
    "winCondition",
    "loseCondition",
    "drawCondition",
    "def",
    "fun",
];

/// Splits `text` into tokens, with their byte ranges. Comments are included, white space is not.
pub fn tokenize(text: &str) -> Vec<(Range<usize>, Token<'_>)> {
    crate::language::count_tokenized_text();
    let mut lexer = Token::lexer(text);
    if text.starts_with('\u{FEFF}') {
        lexer.bump('\u{FEFF}'.len_utf8());
    }
    let mut tokens: Vec<(Range<usize>, Token<'_>)> = Vec::new();
    loop {
        work::poll_tokens(tokens.len());
        if opens_image(&tokens)
            && let Some(name) = file_name(&mut lexer)
        {
            tokens.push(name);
        }
        let Some(token) = lexer.next() else {
            return tokens;
        };
        let token = token.unwrap_or_else(|()| invalid_token(lexer.slice()));
        if token == Token::UnterminatedComment {
            lexer.bump(lexer.remainder().len());
        }
        tokens.push((lexer.span(), token));
    }
}

/// The token for input the lexer rejects: a number that is too large, or an unexpected character.
fn invalid_token(slice: &str) -> Token<'static> {
    match slice {
        "" => Token::Invalid,
        digits if digits.bytes().all(|b| b.is_ascii_digit()) => {
            if digits.trim_start_matches('0') == "2147483648" {
                Token::MinIntMagnitude
            } else {
                Token::OversizedInt
            }
        }
        _ => Token::Invalid,
    }
}

/// True if the last tokens are `image {`.
fn opens_image(tokens: &[(Range<usize>, Token<'_>)]) -> bool {
    let mut preceding = tokens
        .iter()
        .rev()
        .map(|(_, token)| *token)
        .filter(|token| *token != Token::Comment);
    preceding.next() == Some(Token::OpenBrace) && preceding.next() == Some(Token::Image)
}

/// Lexes an unquoted file name, if there is one. Called only after `image {`: anywhere else,
/// `board.png` is a keyword, a dot and a name.
fn file_name<'t>(lexer: &mut Lexer<'t, Token<'t>>) -> Option<(Range<usize>, Token<'t>)> {
    let rest = lexer.remainder();
    let from_name = rest.trim_start_matches([' ', '\t', '\r', '\n']);
    let line_end = from_name
        .find(['{', '}', '"', '“', '”', '\n', '\r'])
        .unwrap_or(from_name.len());
    let line = &from_name[..line_end];
    let name = line[..line.find("/*").or(line.find("//")).unwrap_or(line_end)].trim_end();
    if name.is_empty() {
        return None;
    }
    lexer.bump(rest.len() - from_name.len() + name.len());
    let end = lexer.span().end;
    Some((end - name.len()..end, Token::FileName(name)))
}

#[cfg(test)]
mod tests {
    use super::Token::*;
    use super::*;

    fn kinds(text: &str) -> Vec<Token<'_>> {
        tokenize(text).into_iter().map(|(_, token)| token).collect()
    }

    #[test]
    fn names_numbers_and_strings_are_tokens() {
        assert_eq!(
            kinds("counter def rows2"),
            [Name("counter"), Def, Name("rows2")]
        );
        assert_eq!(
            kinds("007 2147483647 2147483648 2147483649"),
            [Int(7), Int(i32::MAX), MinIntMagnitude, OversizedInt]
        );
        assert_eq!(
            kinds("\"a\\\" “say \"hi\"” ”b”"),
            [Text("a\\"), Text("say \"hi\""), Text("b")]
        );
        assert_eq!(
            kinds("a&&b||!c"),
            [Name("a"), And, Name("b"), Or, Not, Name("c")]
        );
    }

    #[test]
    fn invalid_input_becomes_a_token() {
        assert_eq!(kinds("Rook my_score 2nd été"), [InvalidName; 4]);
        assert_eq!(kinds("1 # 2"), [Int(1), Invalid, Int(2)]);
        assert_eq!(kinds("\"ab\nc"), [UnterminatedString, Name("c")]);
        assert_eq!(kinds("a /* b } \n * c"), [Name("a"), UnterminatedComment]);
        assert_eq!(tokenize("/* b").pop().map(|(range, _)| range), Some(0..4));
    }

    #[test]
    fn comments_end_at_the_first_closing_delimiter() {
        assert_eq!(
            kinds("/**/a/***/b/* } **/c // }\nd"),
            [
                Comment,
                Name("a"),
                Comment,
                Name("b"),
                Comment,
                Name("c"),
                Comment,
                Name("d")
            ]
        );
    }

    #[test]
    fn file_names_in_image_need_no_quotes() {
        assert_eq!(
            kinds("image { board.png }"),
            [Image, OpenBrace, FileName("board.png"), CloseBrace]
        );
        assert_eq!(
            kinds("image{pics/My-a_2.PNG}"),
            [Image, OpenBrace, FileName("pics/My-a_2.PNG"), CloseBrace]
        );
        assert_eq!(
            kinds("image{\"b.png\"}"),
            [Image, OpenBrace, Text("b.png"), CloseBrace]
        );
        assert_eq!(kinds("image{}"), [Image, OpenBrace, CloseBrace]);
        assert_eq!(
            kinds("image{ /* c */ a.png}"),
            [Image, OpenBrace, Comment, FileName("a.png"), CloseBrace]
        );
        assert_eq!(tokenize("image { b }")[2].0, 8..9);
    }

    #[test]
    fn a_byte_order_mark_is_skipped_at_the_start_only() {
        assert_eq!(kinds("\u{FEFF}def"), [Def]);
        assert_eq!(kinds("def\u{FEFF}"), [Def, Invalid]);
    }
}
