//! The lexer. It never fails: invalid input becomes a token, too.

use crate::language::syntax;
use logos::Logos;
use std::ops::Range;

/// A token; names, literals and invalid input carry their source text.
#[derive(Logos, Clone, Copy, Debug, PartialEq)]
#[logos(skip(r"[ \t\f\x0b\u{feff}]+"))]
pub enum Token<'s> {
    #[regex(r"\r\n|\n|\r")]
    Newline,
    #[token(";")]
    Semicolon,
    #[regex(r"#[^\n\r]*", allow_greedy = true)]
    #[regex(r"/\*([^*]|\*+[^*/])*\*+/")]
    Comment,
    #[regex(r"/\*([^*]|\*+[^*/])*\**", allow_greedy = true)]
    UnterminatedComment,
    /// One token for the whole line, so that `import` remains usable as a name.
    #[regex(r"import[ \t]+[A-Za-z][A-Za-z0-9_]*\.[A-Za-z]+", |lex| lex.slice())]
    Import(&'s str),

    #[regex(r"[A-Za-z][A-Za-z0-9_]*", |lex| lex.slice())]
    Name(&'s str),
    #[regex(r"[0-9]+", |lex| lex.slice())]
    Int(&'s str),
    #[regex(r"[0-9]+\.[0-9]+", |lex| lex.slice())]
    Float(&'s str),
    /// Includes the quotes. As in the manual, a double-quoted string may span several lines.
    #[regex(r#""([^"\\]|\\[^\n\r])*""#, |lex| lex.slice())]
    #[regex(r"'([^'\\\n\r]|\\[^\n\r])*'", |lex| lex.slice())]
    Text(&'s str),
    #[regex(r#""([^"\\\n\r]|\\[^\n\r])*\\?"#, |lex| lex.slice(), allow_greedy = true)]
    #[regex(r"'([^'\\\n\r]|\\[^\n\r])*\\?", |lex| lex.slice(), allow_greedy = true)]
    UnterminatedString(&'s str),
    #[regex(r"_[A-Za-z0-9_]*", |lex| lex.slice())]
    InvalidName(&'s str),
    #[regex(r"[0-9]+[A-Za-z_][A-Za-z0-9_]*", |lex| lex.slice())]
    InvalidNumber(&'s str),
    /// An unknown character.
    Invalid(&'s str),
    /// The end of a statement; inserted by `newlines`.
    StatementEnd,

    #[token("int")]
    IntKeyword,
    #[token("float")]
    FloatKeyword,
    #[token("string")]
    StringKeyword,
    #[token("boolean")]
    BooleanKeyword,
    #[token("coordinate")]
    CoordinateKeyword,
    #[token("void")]
    VoidKeyword,
    #[token("Player")]
    #[token("player")]
    Player,
    #[token("Item")]
    #[token("item")]
    Item,
    #[token("Grid")]
    #[token("grid")]
    Grid,
    #[token("true")]
    True,
    #[token("false")]
    False,
    #[token("function")]
    Function,
    #[token("return")]
    Return,
    #[token("if")]
    If,
    #[token("else")]
    Else,
    #[token("while")]
    While,
    #[token("repeat")]
    Repeat,
    #[token("Layout")]
    Layout,
    #[token("gameLoop")]
    GameLoop,
    #[token("checkMove")]
    CheckMove,
    #[token("colocation")]
    Colocation,
    #[token("checkGameEnd")]
    CheckGameEnd,
    #[token("gameOver")]
    GameOver,
    #[token("playerOrder")]
    PlayerOrder,
    #[token("p", priority = 3)]
    CurrentPlayer,
    #[token("type")]
    Type,
    #[token("print")]
    Print,
    #[token("prompt")]
    Prompt,
    #[token("drawGrid")]
    DrawGrid,
    #[token("createGrid")]
    CreateGrid,
    #[token("traverse")]
    Traverse,
    #[token("random")]
    #[token("rand")]
    Random,
    #[token("len")]
    Len,

    #[token("and")]
    #[token("&&")]
    And,
    #[token("or")]
    #[token("||")]
    Or,
    #[token("!")]
    Not,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Times,
    #[token("/")]
    Divide,
    #[token("%")]
    Remainder,
    #[token("++")]
    Increment,
    #[token("--")]
    Decrement,
    #[token("<")]
    Less,
    #[token(">")]
    Greater,
    #[token("<=")]
    LessEqual,
    #[token(">=")]
    GreaterEqual,
    #[token("==")]
    EqualEqual,
    #[token("!=")]
    NotEqual,
    #[token("=")]
    Equal,
    #[token("+=")]
    PlusEqual,
    #[token("-=")]
    MinusEqual,
    #[token("*=")]
    TimesEqual,
    #[token("/=")]
    DivideEqual,
    #[token("%=")]
    RemainderEqual,
    #[token("(")]
    OpenParen,
    #[token(")")]
    CloseParen,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token(",")]
    Comma,
    #[token(".")]
    Dot,
    #[token(":")]
    Colon,
}

/// All tokens with their byte ranges, including comments and newlines but not blanks.
pub fn tokenize(text: &str) -> Vec<(Range<usize>, Token<'_>)> {
    syntax::tokenize(text, Token::Invalid)
}

impl Token<'_> {
    /// True for tokens after which a newline does not end the statement.
    pub fn is_continuation(self) -> bool {
        use Token::*;
        matches!(
            self,
            And | Or
                | Not
                | Plus
                | Minus
                | Times
                | Divide
                | Remainder
                | Less
                | Greater
                | LessEqual
                | GreaterEqual
        ) || matches!(
            self,
            EqualEqual | NotEqual | Equal | PlusEqual | MinusEqual | TimesEqual | DivideEqual
        ) || matches!(self, RemainderEqual | Comma | Dot | Colon | Else | Function)
    }

    /// True for the types of values that are not pieces.
    pub fn is_value_type(self) -> bool {
        use Token::*;
        matches!(
            self,
            IntKeyword | FloatKeyword | StringKeyword | BooleanKeyword | CoordinateKeyword
        )
    }

    /// True for keywords that start a top-level definition.
    pub fn is_definition_keyword(self) -> bool {
        use Token::*;
        matches!(
            self,
            Function | Layout | GameLoop | CheckGameEnd | GameOver | CheckMove | Colocation
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{Token, tokenize};
    use crate::info::INFO;

    fn kinds(text: &str) -> Vec<Token<'_>> {
        tokenize(text).into_iter().map(|(_, token)| token).collect()
    }

    #[test]
    fn every_reserved_word_is_a_token_of_its_own() {
        for word in INFO.keywords {
            assert!(!matches!(kinds(word)[..], [Token::Name(_)]), "{word}");
            let longer = format!("{word}x");
            assert_eq!(kinds(&longer), [Token::Name(&longer)]);
        }
    }

    #[test]
    fn strings_end_at_the_matching_quote() {
        assert_eq!(
            kinds(r#""a\"b" 'c'"#),
            [Token::Text(r#""a\"b""#), Token::Text("'c'")]
        );
        assert_eq!(kinds("\"two\nlines\""), [Token::Text("\"two\nlines\"")]);
        assert_eq!(
            kinds("\"open\nx"),
            [
                Token::UnterminatedString("\"open"),
                Token::Newline,
                Token::Name("x")
            ]
        );
        assert_eq!(kinds(r#""\"#), [Token::UnterminatedString(r#""\"#)]);
    }

    #[test]
    fn comments_and_invalid_input_become_tokens() {
        assert_eq!(
            kinds("x # y\nz"),
            [
                Token::Name("x"),
                Token::Comment,
                Token::Newline,
                Token::Name("z")
            ]
        );
        assert_eq!(kinds("/* a **/ b"), [Token::Comment, Token::Name("b")]);
        assert_eq!(kinds("/* a * b"), [Token::UnterminatedComment]);
        assert_eq!(
            kinds("_x 2y @é"),
            [
                Token::InvalidName("_x"),
                Token::InvalidNumber("2y"),
                Token::Invalid("@"),
                Token::Invalid("é"),
            ]
        );
        assert_eq!(
            kinds("1.5 1 .5"),
            [
                Token::Float("1.5"),
                Token::Int("1"),
                Token::Dot,
                Token::Int("5")
            ]
        );
    }
}
