//! Rejects text that would produce too deep a tree as soon as the limit is reached.
//!
//! [`Expr::new`](crate::languages::bogl::ast::Expr::new) checks the depth as well, but an outer
//! node is built after its inner ones: of a hundred thousand nested `else if`, the parser would
//! read all. With this module it reads the first five hundred.

use crate::languages::bogl::ast::{MAX_EXPR_DEPTH, Op};
use crate::languages::bogl::token::Token;

/// Limit on bracket nesting, so that types and constants can be processed recursively.
pub const MAX_BRACKET_DEPTH: usize = 200;

/// Which limit was exceeded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TooDeep {
    Brackets,
    Expression,
}

/// For each precedence, the number of operators since the last one that binds less tightly. As all
/// operators are left-associative, these nest in each other.
type OperatorRuns = [u32; 9];

enum Open {
    /// An open bracket, with the operator runs before it.
    Bracket(OperatorRuns),
    /// An open `if`, `let` or `while`, and the keyword it still needs, if any.
    Prefix(Token, Option<Token>),
}

#[derive(Default)]
pub struct DepthLimiter {
    open: Vec<Open>,
    runs: OperatorRuns,
    brackets: usize,
    prefixes: usize,
}

impl DepthLimiter {
    /// Processes the next token.
    pub fn observe(&mut self, token: Token) -> Result<(), TooDeep> {
        match token {
            Token::OpenParen | Token::OpenBrace => {
                self.open
                    .push(Open::Bracket(std::mem::take(&mut self.runs)));
                self.brackets += 1;
            }
            Token::CloseParen | Token::CloseBrace => self.close(),
            Token::If => self.open_prefix(token, Token::Then),
            Token::Let => self.open_prefix(token, Token::In),
            Token::While => self.open_prefix(token, Token::Do),
            Token::Then => self.continue_prefix(token, Some(Token::Else)),
            Token::Else | Token::In | Token::Do => self.continue_prefix(token, None),
            // The `=` of a `let`.
            Token::Equals
                if matches!(self.open.last(), Some(Open::Prefix(Token::Let, Some(_)))) => {}
            Token::Equals | Token::Colon | Token::Type | Token::Comma => self.start_expression(),
            _ => self.count_operator(token),
        }
        let longest_run = self.runs.iter().max().copied().unwrap_or(0);
        if self.brackets > MAX_BRACKET_DEPTH {
            return Err(TooDeep::Brackets);
        }
        if self.prefixes > MAX_EXPR_DEPTH as usize || longest_run > MAX_EXPR_DEPTH {
            Err(TooDeep::Expression)
        } else {
            Ok(())
        }
    }

    fn open_prefix(&mut self, keyword: Token, awaited: Token) {
        self.open.push(Open::Prefix(keyword, Some(awaited)));
        self.prefixes += 1;
        self.runs = OperatorRuns::default();
    }

    /// `then`, `else`, `in` or `do` belongs to the innermost construct that awaits it; everything
    /// opened in between is complete.
    fn continue_prefix(&mut self, keyword: Token, next: Option<Token>) {
        self.runs = OperatorRuns::default();
        let bracket_start = self
            .open
            .iter()
            .rposition(|open| matches!(open, Open::Bracket(_)))
            .map_or(0, |at| at + 1);
        let awaits_keyword =
            |open: &Open| matches!(open, Open::Prefix(_, Some(awaited)) if *awaited == keyword);
        let Some(at) = self.open[bracket_start..]
            .iter()
            .rposition(awaits_keyword)
            .map(|at| at + bracket_start)
        else {
            return;
        };
        self.truncate_open(at + 1);
        if let Some(Open::Prefix(_, awaited)) = self.open.last_mut() {
            *awaited = next;
        }
    }

    /// Starts a new expression within the current brackets.
    fn start_expression(&mut self) {
        let bracket_start = self
            .open
            .iter()
            .rposition(|open| matches!(open, Open::Bracket(_)))
            .map_or(0, |at| at + 1);
        self.truncate_open(bracket_start);
        self.runs = OperatorRuns::default();
    }

    fn close(&mut self) {
        self.start_expression();
        if let Some(Open::Bracket(runs)) = self.open.pop() {
            self.runs = runs;
            self.brackets -= 1;
        }
    }

    fn truncate_open(&mut self, length: usize) {
        self.open.truncate(length);
        self.prefixes = self.open.len() - self.brackets;
    }

    fn count_operator(&mut self, token: Token) {
        let op = match token {
            Token::Bang | Token::Hash => Op::Lookup,
            Token::Star | Token::Slash | Token::Percent => Op::Times,
            Token::Plus | Token::Minus => Op::Plus,
            Token::Less => Op::Less,
            Token::LessEqual => Op::LessEqual,
            Token::EqualEqual => Op::Equal,
            Token::NotEqual => Op::NotEqual,
            Token::GreaterEqual => Op::GreaterEqual,
            Token::Greater => Op::Greater,
            _ => return,
        };
        let level = op.precedence() as usize;
        self.runs[..level].fill(0);
        self.runs[level] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::bogl::token::tokenize;

    /// The offset at which a text is rejected.
    fn rejected_at(text: &str) -> Option<usize> {
        let mut limiter = DepthLimiter::default();
        tokenize(text)
            .into_iter()
            .find(|(_, token)| limiter.observe(*token).is_err())
            .map(|(range, _)| range.start)
    }

    #[test]
    fn deep_text_is_rejected_early() {
        for fragment in [
            "if a then b else ",
            "let x = 1 in ",
            "while a do ",
            "1 + ",
            "1 < (2) + 3 < ",
            "if ",
            "(",
        ] {
            let at = rejected_at(&fragment.repeat(100_000));
            assert!(
                at.is_some_and(|at| at <= 501 * fragment.len()),
                "{fragment}: {at:?}"
            );
        }
    }

    #[test]
    fn wide_text_is_accepted() {
        for fragment in [
            "f(1, 2), ",
            "x : Int x = 1 + 2 ",
            "f(a) = if a < 1 then let b = 1 in b else 2 ",
            "(if a then b else c) * ",
            "1 * 2 * 3 + 1 == ",
        ] {
            assert_eq!(rejected_at(&fragment.repeat(400)), None, "{fragment}");
        }
        assert_eq!(
            rejected_at(&"x : Int x = 1 + 2 y : Int y = if a then 1 else 2 ".repeat(10_000)),
            None
        );
        // Completed branches are not nested in each other.
        assert_eq!(
            rejected_at(&format!(
                "{}1",
                "if a then if b then 1 else 2 else ".repeat(499)
            )),
            None
        );
    }
}
