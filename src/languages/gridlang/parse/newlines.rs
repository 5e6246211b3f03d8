//! Inserts statement ends between lexer and parser.
//!
//! The manual lets a newline end a statement and also calls newlines whitespace. Both hold here: a
//! newline is whitespace inside `(` and `[`, after a token that needs a right operand, after `{` or
//! the condition of `if` and `while`, and before `{`, `}` or `else`; anywhere else it ends the
//! statement.

use crate::language::syntax::Lexeme;
use crate::token::Token;
use std::ops::Range;

/// A token as the parser reads it.
pub type SpannedToken<'s> = Lexeme<Token<'s>>;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Bracket {
    /// `(` after `if` or `while`; a newline after its `)` is whitespace.
    Condition,
    Round,
    Square,
    Curly,
}

/// The tokens for the parser: without comments, with exactly one `StatementEnd` between statements.
pub fn parser_tokens<'s>(tokens: Vec<(Range<usize>, Token<'s>)>) -> Vec<SpannedToken<'s>> {
    let mut inserter = StatementEndInserter::default();
    for (range, token) in tokens {
        match token {
            Token::Comment => {}
            Token::Newline | Token::Semicolon if inserter.is_whitespace(token) => {}
            Token::Newline | Token::Semicolon if !inserter.in_brackets() => {
                inserter.set_pending(range.start, token, range.end)
            }
            _ => inserter.push(range.start, token, range.end),
        }
    }
    inserter.push_last_semicolon();
    inserter.out
}

#[derive(Default)]
struct StatementEndInserter<'s> {
    out: Vec<SpannedToken<'s>>,
    open: Vec<Bracket>,
    /// The newline or semicolon since the last token.
    pending: Option<SpannedToken<'s>>,
    /// True if the last token closed the condition of `if` or `while`.
    condition_closed: bool,
}

impl<'s> StatementEndInserter<'s> {
    fn last(&self) -> Option<Token<'s>> {
        self.out.last().map(|&(_, token, _)| token)
    }

    /// True directly inside `(` or `[`, where a newline is whitespace and a semicolon an error.
    fn in_brackets(&self) -> bool {
        matches!(
            self.open.last(),
            Some(Bracket::Condition | Bracket::Round | Bracket::Square)
        )
    }

    fn is_whitespace(&self, token: Token) -> bool {
        token == Token::Newline && self.in_brackets()
    }

    /// Prefers a semicolon to a newline, because only a semicolon can be an error.
    fn set_pending(&mut self, start: usize, token: Token<'s>, end: usize) {
        if token == Token::Semicolon || self.pending.is_none() {
            self.pending = Some((start, token, end));
        }
    }

    /// In `x = ;` the semicolon ends the statement even at the end of input.
    fn push_last_semicolon(&mut self) {
        if let (Some((from, Token::Semicolon, to)), Some(last)) = (self.pending, self.last())
            && last.is_continuation()
        {
            self.out.push((from, Token::StatementEnd, to));
        }
    }

    fn push(&mut self, start: usize, token: Token<'s>, end: usize) {
        if let Some((from, to)) = self.statement_ends_before(start, token) {
            self.out.push((from, Token::StatementEnd, to));
        }
        self.pending = None;
        self.track_bracket(token);
        self.out.push((start, token, end));
    }

    fn statement_ends_before(&self, start: usize, next: Token) -> Option<(usize, usize)> {
        let last = self.last()?;
        let (from, to, semicolon) = match self.pending {
            Some((from, token, to)) => (from, to, token == Token::Semicolon),
            // A block needs no newline after it.
            None if last == Token::CloseBrace => (start, start, false),
            None => return None,
        };
        let continues = matches!(last, Token::OpenBrace)
            || self.condition_closed
            || matches!(next, Token::CloseBrace | Token::Else)
            || !semicolon && (last.is_continuation() || next == Token::OpenBrace);
        (!continues).then_some((from, to))
    }

    fn track_bracket(&mut self, token: Token<'s>) {
        let condition = matches!(self.last(), Some(Token::If | Token::While));
        let closed = self.open.last().copied();
        self.condition_closed = token == Token::CloseParen && closed == Some(Bracket::Condition);
        match token {
            Token::OpenParen if condition => self.open.push(Bracket::Condition),
            Token::OpenParen => self.open.push(Bracket::Round),
            Token::OpenBracket => self.open.push(Bracket::Square),
            Token::OpenBrace => self.open.push(Bracket::Curly),
            Token::CloseParen if matches!(closed, Some(Bracket::Round | Bracket::Condition)) => {
                self.open.pop();
            }
            Token::CloseBracket if closed == Some(Bracket::Square) => {
                self.open.pop();
            }
            Token::CloseBrace => {
                let opening = self.open.iter().rposition(|&b| b == Bracket::Curly);
                self.open.truncate(opening.unwrap_or(self.open.len()));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::parser_tokens;
    use crate::token::{Token, tokenize};

    /// The tokens, with `/` for each statement end.
    fn render(text: &str) -> String {
        let text_of = |&(start, token, end): &(usize, Token, usize)| match token {
            Token::StatementEnd => "/".to_string(),
            _ => text[start..end].to_string(),
        };
        parser_tokens(tokenize(text))
            .iter()
            .map(text_of)
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn a_newline_ends_a_statement_only_where_one_can_end() {
        assert_eq!(render("\n\na\n\nb\n"), "a / b");
        assert_eq!(
            render("f(1,\n2)\nx = 1 +\n2\ny"),
            "f ( 1 , 2 ) / x = 1 + 2 / y"
        );
        assert_eq!(render("a # why\n/* and\n*/ b"), "a / b");
        assert_eq!(render("a\r\nb\rc"), "a / b / c");
    }

    #[test]
    fn bodies_and_else_may_start_the_next_line() {
        assert_eq!(render("if (a)\n  b\nelse\n  c\nd"), "if ( a ) b else c / d");
        assert_eq!(
            render("if(a)\n{\nb\n}\nelse\n{\nc\n}\nd"),
            "if ( a ) { b } else { c } / d"
        );
        assert_eq!(
            render("while ((a) or b)\nc\nd"),
            "while ( ( a ) or b ) c / d"
        );
        assert_eq!(render("if (a) { b } c"), "if ( a ) { b } / c");
    }

    #[test]
    fn a_semicolon_is_a_newline_but_not_whitespace() {
        assert_eq!(render("a; b;\nc;"), "a / b / c");
        assert_eq!(render("if (a) b; else c"), "if ( a ) b else c");
        assert_eq!(render("x = ;\n3"), "x = / 3");
        assert_eq!(render("f(1; 2)"), "f ( 1 ; 2 )");
    }
}
