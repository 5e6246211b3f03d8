//! The words of GridLok. Cutting a text into them never fails: what is no word becomes a token that says so,
//! and whoever parses tells what is wrong with it.

use std::ops::Range;

use logos::{Lexer, Logos};

#[derive(Logos, Clone, Copy, PartialEq, Debug)]
#[logos(skip r"[ \t\r\n]+")]
pub enum Token<'t> {
    /// Put before a whole file, so that one grammar serves both ways in.
    StartProgram,
    /// Put before what was typed at the prompt.
    StartEntry,

    #[regex("[a-z][A-Za-z0-9]*", |lexer| lexer.slice())]
    Name(&'t str),
    /// A name only the rules of play may use.
    #[regex("@[a-z][A-Za-z0-9]*", |lexer| lexer.slice())]
    RulesName(&'t str),
    #[regex("[0-9]+", |lexer| lexer.slice().parse().ok())]
    Int(i32),
    /// 2147483648: a number only behind a minus.
    MinIntMagnitude,
    /// Digits that are too many for a number.
    OversizedInt,
    /// A string, without its quotes.
    #[regex("\"[^\"\r\n]*\"", |lexer| between(lexer, 1))]
    #[regex("[“”][^”\r\n]*”", |lexer| between(lexer, '”'.len_utf8()))]
    Text(&'t str),
    /// A file name without quotes, in `image{…}`.
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
    /// A comment that is never closed; it reaches to the end of the text.
    #[token("/*")]
    UnterminatedComment,
    /// A string that is not closed on its line.
    #[regex("\"[^\"\r\n]*")]
    #[regex("[“”][^”\r\n]*")]
    UnterminatedString,
    /// What looks like a name and may not be one: `Rook`, `my_score`, `2nd`, `été`.
    #[regex(r"[A-Za-z0-9_\u{C0}-\u{24F}\u{370}-\u{52F}]+", priority = 1)]
    InvalidName,
    /// A character that means nothing here.
    Invalid,
}

/// Everything up to the closing quote, both quotes being `quote` bytes wide at the end.
fn between<'t>(lexer: &mut Lexer<'t, Token<'t>>, quote: usize) -> &'t str {
    let text = lexer.slice();
    &text[quote..text.len() - quote]
}

/// The words that can't be names.
pub const KEYWORDS: &[&str] = &[
    "game",
    "board",
    "dimensions",
    "image",
    "players",
    "turnOrder",
    "piece",
    "name",
    "onClick",
    "visible",
    "return",
    "def",
    "fun",
    "if",
    "elseif",
    "else",
    "for",
    "setup",
    "place",
    "in",
    "row",
    "col",
    "surrounding",
    "AND",
    "OR",
    "winCondition",
    "loseCondition",
    "drawCondition",
    "all",
    "display",
    "print",
    "onTurn",
    "eventPriority",
    "true",
    "false",
    "empty",
    "int",
];

/// What may stand directly in `game{…}`.
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

/// The whole text in tokens, comments included, blanks left out.
pub fn tokenize(text: &str) -> Vec<(Range<usize>, Token<'_>)> {
    let mut lexer = Token::lexer(text);
    if text.starts_with('\u{FEFF}') {
        lexer.bump('\u{FEFF}'.len_utf8());
    }
    let mut found: Vec<(Range<usize>, Token<'_>)> = Vec::new();
    loop {
        if opens_image(&found)
            && let Some(name) = file_name(&mut lexer)
        {
            found.push(name);
        }
        let Some(token) = lexer.next() else {
            return found;
        };
        let token = token.unwrap_or_else(|()| broken(lexer.slice()));
        if token == Token::UnterminatedComment {
            lexer.bump(lexer.remainder().len());
        }
        found.push((lexer.span(), token));
    }
}

/// What the lexer could not take: digits that fit no number, or a character that is no word.
fn broken(slice: &str) -> Token<'static> {
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

/// Whether `image {` stands at the end of what was found.
fn opens_image(found: &[(Range<usize>, Token<'_>)]) -> bool {
    let mut back = found
        .iter()
        .rev()
        .map(|(_, token)| *token)
        .filter(|token| *token != Token::Comment);
    back.next() == Some(Token::OpenBrace) && back.next() == Some(Token::Image)
}

/// The file name without quotes that stands next, if one does. Only the place tells it from other words:
/// `board.png` is a keyword, a dot and a name anywhere else.
fn file_name<'t>(lexer: &mut Lexer<'t, Token<'t>>) -> Option<(Range<usize>, Token<'t>)> {
    let rest = lexer.remainder();
    let from_name = rest.trim_start_matches([' ', '\t', '\r', '\n']);
    let end = from_name
        .find(['{', '}', '"', '“', '”', '\n', '\r'])
        .unwrap_or(from_name.len());
    let line = &from_name[..end];
    let name = line[..line.find("/*").or(line.find("//")).unwrap_or(end)].trim_end();
    if name.is_empty() {
        return None;
    }
    lexer.bump(rest.len() - from_name.len() + name.len());
    let stop = lexer.span().end;
    Some((stop - name.len()..stop, Token::FileName(name)))
}

#[cfg(test)]
mod tests {
    use super::Token::*;
    use super::*;

    fn plain(text: &str) -> Vec<Token<'_>> {
        tokenize(text).into_iter().map(|(_, token)| token).collect()
    }

    #[test]
    fn words_numbers_and_strings() {
        assert_eq!(
            plain("counter def rows2"),
            [Name("counter"), Def, Name("rows2")]
        );
        assert_eq!(
            plain("007 2147483647 2147483648 2147483649"),
            [Int(7), Int(i32::MAX), MinIntMagnitude, OversizedInt]
        );
        assert_eq!(
            plain("\"a\\\" “say \"hi\"” ”b”"),
            [Text("a\\"), Text("say \"hi\""), Text("b")]
        );
        assert_eq!(
            plain("a&&b||!c"),
            [Name("a"), And, Name("b"), Or, Not, Name("c")]
        );
    }

    #[test]
    fn what_is_wrong_becomes_a_token() {
        assert_eq!(plain("Rook my_score 2nd été"), [InvalidName; 4]);
        assert_eq!(plain("1 # 2"), [Int(1), Invalid, Int(2)]);
        assert_eq!(plain("\"ab\nc"), [UnterminatedString, Name("c")]);
        assert_eq!(plain("a /* b } \n * c"), [Name("a"), UnterminatedComment]);
        assert_eq!(tokenize("/* b").pop().map(|(range, _)| range), Some(0..4));
    }

    #[test]
    fn comments_end_at_the_first_close() {
        assert_eq!(
            plain("/**/a/***/b/* } **/c // }\nd"),
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
    fn a_file_name_needs_no_quotes_in_image() {
        assert_eq!(
            plain("image { board.png }"),
            [Image, OpenBrace, FileName("board.png"), CloseBrace]
        );
        assert_eq!(
            plain("image{pics/My-a_2.PNG}"),
            [Image, OpenBrace, FileName("pics/My-a_2.PNG"), CloseBrace]
        );
        assert_eq!(
            plain("image{\"b.png\"}"),
            [Image, OpenBrace, Text("b.png"), CloseBrace]
        );
        assert_eq!(plain("image{}"), [Image, OpenBrace, CloseBrace]);
        assert_eq!(
            plain("image{ /* c */ a.png}"),
            [Image, OpenBrace, Comment, FileName("a.png"), CloseBrace]
        );
        assert_eq!(tokenize("image { b }")[2].0, 8..9);
    }

    #[test]
    fn a_byte_order_mark_is_skipped_at_the_start_only() {
        assert_eq!(plain("\u{FEFF}def"), [Def]);
        assert_eq!(plain("def\u{FEFF}"), [Def, Invalid]);
    }
}
