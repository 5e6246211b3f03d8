//! Keeps trees shallow. Everything that walks a tree calls itself, and so does dropping one: a text with a hundred
//! thousand brackets must be refused before a tree is made of it. It is measured on the tokens, as they are fed in.

use super::SpannedToken;
use crate::diagnostic::{Diagnostic, Phase};
use crate::languages::gridlok::error_code;
use crate::languages::gridlok::token::Token;
use crate::source::Source;

/// How many brackets may be open at once.
const BRACKETS: usize = 200;
/// How deep a tree may be: brackets and operators together.
const LEVELS: usize = 500;

/// What is known of one pair of brackets.
#[derive(Clone, Copy, Default)]
struct Level {
    /// An upper bound for the tree of the expression that is being read.
    chain: usize,
    /// The same for the deepest of those before it.
    most: usize,
}

pub struct DepthLimiter<'s> {
    source: &'s Source,
    open: Vec<Level>,
    now: Level,
    /// The token before ended an operand, so one that starts an operand starts a new statement.
    after_operand: bool,
}

impl<'s> DepthLimiter<'s> {
    pub fn new(source: &'s Source) -> DepthLimiter<'s> {
        DepthLimiter {
            source,
            open: Vec::new(),
            now: Level::default(),
            after_operand: false,
        }
    }

    /// Takes the next token in, and refuses it where the tree would become too deep.
    pub fn check(&mut self, (start, token, end): SpannedToken<'_>) -> Result<(), Box<Diagnostic>> {
        use Token::*;
        match token {
            OpenBrace | OpenParen | OpenBracket => {
                if token == OpenBracket {
                    self.now.chain += 1;
                } else if token == OpenParen && self.after_operand {
                    self.next_expression();
                }
                self.open.push(std::mem::take(&mut self.now));
            }
            CloseBrace | CloseParen | CloseBracket => {
                let inner = self.now.chain.max(self.now.most) + 1;
                self.now = self.open.pop().unwrap_or_default();
                self.now.chain = self.now.chain.max(inner);
            }
            Dot | Plus | Minus | Star | Slash | Percent | Equal | NotEqual | Less | LessEqual
            | Greater | GreaterEqual | And | Or => self.now.chain += 1,
            Not => {
                if self.after_operand {
                    self.next_expression();
                }
                self.now.chain += 1;
            }
            Comma => self.next_expression(),
            _ if self.after_operand => self.next_expression(),
            _ => {}
        }
        self.after_operand = !matches!(
            token,
            OpenBrace
                | OpenParen
                | OpenBracket
                | Dot
                | Plus
                | Minus
                | Star
                | Slash
                | Percent
                | Equal
                | NotEqual
                | Less
                | LessEqual
                | Greater
                | GreaterEqual
                | And
                | Or
                | Not
                | Comma
                | If
                | Elseif
                | Return
        );
        if self.open.len() > BRACKETS || self.now.chain > LEVELS {
            return Err(Box::new(self.too_deep(start, end)));
        }
        Ok(())
    }

    fn next_expression(&mut self) {
        self.now = Level {
            chain: 0,
            most: self.now.most.max(self.now.chain),
        };
    }

    fn too_deep(&self, start: usize, end: usize) -> Diagnostic {
        let (message, note) = if self.open.len() > BRACKETS {
            (
                format!("more than {BRACKETS} brackets are open here"),
                "move a part of it into a function of its own",
            )
        } else {
            (
                format!("more than {LEVELS} operators in one expression"),
                "cut it into steps: `def part{…}`, then go on with `part`",
            )
        };
        Diagnostic::error(
            Phase::Parse,
            error_code::TOO_DEEP,
            self.source.span(start, end),
            message,
        )
        .note(note)
    }
}
