//! Which ends of lines end a statement. The manual lets a newline do it and also calls newlines mere whitespace; both hold
//! here: inside `(` and `[`, after something that needs a right side, and before `{` or `else`, a newline is whitespace.

use super::token::{Token, tokenize};

/// Brackets inside brackets, at most: more would be a slip or an attack, and trees that deep break the stack.
pub const MAX_BRACKET_DEPTH: usize = 200;

pub type SpannedToken<'s> = (usize, Token<'s>, usize);

#[derive(Clone, Copy, PartialEq, Debug)]
enum Bracket {
    /// `(` after `if` or `while`: a newline after its end is whitespace.
    Condition,
    Round,
    Square,
    Curly,
}

/// The tokens as the grammar wants them: comments gone, one `End` between two statements and nowhere else.
pub fn parser_tokens(text: &str) -> Vec<SpannedToken<'_>> {
    let mut feed = Feed::default();
    for (range, token) in tokenize(text) {
        match token {
            Token::Comment => {}
            Token::Newline | Token::Semicolon if feed.ends_nothing(token) => {}
            Token::Newline | Token::Semicolon if !feed.in_brackets() => {
                feed.end_of_line(range.start, token, range.end)
            }
            _ => feed.word(range.start, token, range.end),
        }
        if let Some((_, Token::TooDeep, _)) = feed.out.last() {
            break;
        }
    }
    feed.last_semicolon();
    feed.out
}

#[derive(Default)]
struct Feed<'s> {
    out: Vec<SpannedToken<'s>>,
    open: Vec<Bracket>,
    /// The end of line met since the last word.
    pending: Option<SpannedToken<'s>>,
    condition_closed: bool,
}

impl<'s> Feed<'s> {
    fn last(&self) -> Option<Token<'s>> {
        self.out.last().map(|&(_, token, _)| token)
    }

    fn in_brackets(&self) -> bool {
        matches!(
            self.open.last(),
            Some(Bracket::Condition | Bracket::Round | Bracket::Square)
        )
    }

    fn ends_nothing(&self, token: Token) -> bool {
        token == Token::Newline && self.in_brackets()
    }

    /// A semicolon is kept rather than a newline: it is the one that can be out of place.
    fn end_of_line(&mut self, start: usize, token: Token<'s>, end: usize) {
        if token == Token::Semicolon || self.pending.is_none() {
            self.pending = Some((start, token, end));
        }
    }

    /// After `x = ;` nothing can follow any more, at the end of the text either.
    fn last_semicolon(&mut self) {
        if let (Some((from, Token::Semicolon, to)), Some(last)) = (self.pending, self.last())
            && last.is_continuation()
        {
            self.out.push((from, Token::StatementEnd, to));
        }
    }

    fn word(&mut self, start: usize, token: Token<'s>, end: usize) {
        if let Some((from, to)) = self.statement_ends_before(start, token) {
            self.out.push((from, Token::StatementEnd, to));
        }
        self.pending = None;
        let token = self.bracket(token);
        self.out.push((start, token, end));
    }

    fn statement_ends_before(&self, start: usize, next: Token) -> Option<(usize, usize)> {
        let last = self.last()?;
        let (from, to, semicolon) = match self.pending {
            Some((from, token, to)) => (from, to, token == Token::Semicolon),
            // A block needs no end of line behind it.
            None if last == Token::CloseBrace => (start, start, false),
            None => return None,
        };
        let goes_on = matches!(last, Token::OpenBrace)
            || self.condition_closed
            || matches!(next, Token::CloseBrace | Token::Else)
            || !semicolon && (last.is_continuation() || next == Token::OpenBrace);
        (!goes_on).then_some((from, to))
    }

    /// Keeps count of the brackets.
    fn bracket(&mut self, token: Token<'s>) -> Token<'s> {
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
        if self.open.len() > MAX_BRACKET_DEPTH {
            Token::TooDeep
        } else {
            token
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_BRACKET_DEPTH, parser_tokens};
    use crate::languages::gridlang::token::Token;

    /// The words with `/` for each end of a statement.
    fn shape(text: &str) -> String {
        let word = |&(start, token, end): &(usize, Token, usize)| match token {
            Token::StatementEnd => "/".to_string(),
            _ => text[start..end].to_string(),
        };
        parser_tokens(text)
            .iter()
            .map(word)
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn a_newline_ends_a_statement_only_where_one_can_end() {
        assert_eq!(shape("\n\na\n\nb\n"), "a / b");
        assert_eq!(
            shape("f(1,\n2)\nx = 1 +\n2\ny"),
            "f ( 1 , 2 ) / x = 1 + 2 / y"
        );
        assert_eq!(shape("a # why\n/* and\n*/ b"), "a / b");
        assert_eq!(shape("a\r\nb\rc"), "a / b / c");
    }

    #[test]
    fn bodies_and_else_may_start_the_next_line() {
        assert_eq!(shape("if (a)\n  b\nelse\n  c\nd"), "if ( a ) b else c / d");
        assert_eq!(
            shape("if(a)\n{\nb\n}\nelse\n{\nc\n}\nd"),
            "if ( a ) { b } else { c } / d"
        );
        assert_eq!(
            shape("while ((a) or b)\nc\nd"),
            "while ( ( a ) or b ) c / d"
        );
        assert_eq!(shape("if (a) { b } c"), "if ( a ) { b } / c");
    }

    #[test]
    fn a_semicolon_is_a_newline_but_not_whitespace() {
        assert_eq!(shape("a; b;\nc;"), "a / b / c");
        assert_eq!(shape("if (a) b; else c"), "if ( a ) b else c");
        assert_eq!(shape("x = ;\n3"), "x = / 3");
        assert_eq!(shape("f(1; 2)"), "f ( 1 ; 2 )");
    }

    #[test]
    fn too_many_brackets_are_cut_off() {
        let deep = "(".repeat(100_000);
        assert_eq!(parser_tokens(&deep).len(), MAX_BRACKET_DEPTH + 1);
        assert!(matches!(
            parser_tokens(&deep).last(),
            Some((_, Token::TooDeep, _))
        ));
    }
}
