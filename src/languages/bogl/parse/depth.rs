//! Refuses a text that would make too deep a tree as soon as it is too deep. The tree itself is measured where it is made,
//! but of a hundred thousand `else if` the first five hundred are enough to know.

use crate::languages::bogl::ast::{MAX_EXPR_DEPTH, Op};
use crate::languages::bogl::token::Token;

/// How deep brackets may be nested, so that no type or constant is too deep to walk.
pub const MAX_BRACKET_DEPTH: usize = 200;

/// What is too deep.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TooDeep {
    Brackets,
    Expression,
}

/// Operators of each level since the last looser one: they nest in each other.
type OperatorRuns = [u32; 9];

enum Open {
    /// With the operators before it.
    Bracket(OperatorRuns),
    /// `if`, `let` or `while`, by its word; and the word that it waits for, if it does.
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
    /// Takes the next token in.
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
            Token::Equals
                if matches!(self.open.last(), Some(Open::Prefix(Token::Let, Some(_)))) => {}
            Token::Equals | Token::Colon | Token::Type => self.start_expression(),
            Token::Comma => self.start_expression(),
            _ => self.operator(token),
        }
        let run = self.runs.iter().max().copied().unwrap_or(0);
        if self.brackets > MAX_BRACKET_DEPTH {
            return Err(TooDeep::Brackets);
        }
        if self.prefixes > MAX_EXPR_DEPTH as usize || run > MAX_EXPR_DEPTH {
            Err(TooDeep::Expression)
        } else {
            Ok(())
        }
    }

    fn open_prefix(&mut self, word: Token, awaited: Token) {
        self.open.push(Open::Prefix(word, Some(awaited)));
        self.prefixes += 1;
        self.runs = OperatorRuns::default();
    }

    /// `then`, `else`, `in` or `do`: it belongs to the innermost that waits for it, and what stands between is done.
    fn continue_prefix(&mut self, word: Token, next: Option<Token>) {
        self.runs = OperatorRuns::default();
        let innermost = self
            .open
            .iter()
            .rposition(|o| matches!(o, Open::Bracket(_)))
            .map_or(0, |at| at + 1);
        let awaited = |o: &Open| matches!(o, Open::Prefix(_, Some(awaited)) if *awaited == word);
        let Some(at) = self.open[innermost..]
            .iter()
            .rposition(awaited)
            .map(|at| at + innermost)
        else {
            return;
        };
        self.truncate_open(at + 1);
        if let Some(Open::Prefix(_, awaited)) = self.open.last_mut() {
            *awaited = next;
        }
    }

    /// Another expression begins in the same brackets.
    fn start_expression(&mut self) {
        let innermost = self
            .open
            .iter()
            .rposition(|o| matches!(o, Open::Bracket(_)))
            .map_or(0, |at| at + 1);
        self.truncate_open(innermost);
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

    fn operator(&mut self, token: Token) {
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

    /// How many bytes are read of a text before it is refused.
    fn rejected_at(text: &str) -> Option<usize> {
        let mut depth = DepthLimiter::default();
        tokenize(text)
            .into_iter()
            .find(|(_, token)| depth.observe(*token).is_err())
            .map(|(range, _)| range.start)
    }

    #[test]
    fn a_deep_text_is_refused_early() {
        for piece in [
            "if a then b else ",
            "let x = 1 in ",
            "while a do ",
            "1 + ",
            "1 < (2) + 3 < ",
            "if ",
            "(",
        ] {
            let at = rejected_at(&piece.repeat(100_000));
            assert!(
                at.is_some_and(|at| at <= 501 * piece.len()),
                "{piece}: {at:?}"
            );
        }
    }

    #[test]
    fn a_wide_text_is_not() {
        for piece in [
            "f(1, 2), ",
            "x : Int x = 1 + 2 ",
            "f(a) = if a < 1 then let b = 1 in b else 2 ",
            "(if a then b else c) * ",
            "1 * 2 * 3 + 1 == ",
        ] {
            assert_eq!(rejected_at(&piece.repeat(400)), None, "{piece}");
        }
        assert_eq!(
            rejected_at(&"x : Int x = 1 + 2 y : Int y = if a then 1 else 2 ".repeat(10_000)),
            None
        );
        // Branches that are done do not lie inside each other.
        assert_eq!(
            rejected_at(&format!(
                "{}1",
                "if a then if b then 1 else 2 else ".repeat(499)
            )),
            None
        );
    }
}
