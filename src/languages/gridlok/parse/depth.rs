//! Limits the depth of syntax trees. Tree walks and drops are recursive, so a source with a hundred
//! thousand operators must be rejected before its tree is built. The depth is estimated from the
//! tokens as they are passed to the parser, which limits the open brackets itself.

use crate::check::errors;
use crate::language::syntax::{GrammarErrors, Lexeme, parse_error};
use crate::source::Source;
use crate::token::Token;

/// Maximum depth of the tree in nodes, counting brackets and operators.
const MAX_TREE_DEPTH: usize = 500;

/// The estimated depth inside one pair of brackets.
#[derive(Clone, Copy, Default)]
struct BracketDepth {
    /// Upper bound for the depth of the current expression.
    chain: usize,
    /// The same for the deepest expression before it.
    max_before: usize,
}

/// Estimates the depth of the tree while tokens are read.
pub struct DepthLimiter<'s> {
    source: &'s Source,
    open: Vec<BracketDepth>,
    current: BracketDepth,
    /// The previous token ended an operand, so a token that starts an operand starts a new
    /// expression.
    after_operand: bool,
}

impl<'s> DepthLimiter<'s> {
    pub fn new(source: &'s Source) -> DepthLimiter<'s> {
        DepthLimiter {
            source,
            open: Vec::new(),
            current: BracketDepth::default(),
            after_operand: false,
        }
    }

    /// Processes the next token. Fails if the tree would become too deep.
    pub fn check<'t>(
        &mut self,
        (start, token, end): Lexeme<Token<'t>>,
    ) -> Result<Lexeme<Token<'t>>, GrammarErrors> {
        use Token::*;
        match token {
            OpenBrace | CallBrace | OpenParen | OpenBracket => {
                if token == OpenBracket {
                    self.current.chain += 1;
                } else if token == OpenParen && self.after_operand {
                    self.next_expression();
                }
                self.open.push(std::mem::take(&mut self.current));
            }
            CloseBrace | CloseParen | CloseBracket => {
                let inner = self.current.chain.max(self.current.max_before) + 1;
                self.current = self.open.pop().unwrap_or_default();
                self.current.chain = self.current.chain.max(inner);
            }
            token if is_binary(token) => self.current.chain += 1,
            Not => {
                if self.after_operand {
                    self.next_expression();
                }
                self.current.chain += 1;
            }
            Comma => self.next_expression(),
            _ if self.after_operand => self.next_expression(),
            _ => {}
        }
        self.after_operand = !is_binary(token)
            && !matches!(
                token,
                OpenBrace
                    | CallBrace
                    | OpenParen
                    | OpenBracket
                    | Not
                    | Comma
                    | If
                    | Elseif
                    | Return
            );
        if self.current.chain <= MAX_TREE_DEPTH {
            return Ok((start, token, end));
        }
        let message = format!("expression too long: the limit is {MAX_TREE_DEPTH} operators");
        let error = parse_error(errors::TOO_DEEP, self.source.span(start, end), message);
        Err(vec![error.note("split it: `def part{…}`, then use `part`")])
    }

    fn next_expression(&mut self) {
        self.current = BracketDepth {
            chain: 0,
            max_before: self.current.max_before.max(self.current.chain),
        };
    }
}

/// Whether the token stands between two operands.
fn is_binary(token: Token<'_>) -> bool {
    use Token::*;
    matches!(
        token,
        Dot | Plus | Minus | Star | Slash | Percent | And | Or
    ) || matches!(
        token,
        Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual
    )
}
