//! Gives a flat chain of operators its tree. Done here and not in the grammar: nine levels with operands that reach to the
//! right would make the grammar three times as long, and a chain of 50,000 terms can be refused before any tree is built.

use super::build::{Fault, node};
use crate::languages::bogl::ast::{Expr, Kind, Literal, Op};
use crate::source::Span;

pub struct Chain {
    first: Expr,
    links: Vec<Link>,
}

enum Link {
    Operator(Op, Span, Expr),
    Pick(Picks),
}

/// What follows an expression behind `#`.
pub struct Picks {
    pub picks: Vec<Literal<i64>>,
    pub end: Span,
}

impl Chain {
    pub fn new(first: Expr) -> Chain {
        Chain {
            first,
            links: Vec::new(),
        }
    }

    pub fn with(mut self, (op, at): (Op, Span), operand: Expr) -> Chain {
        self.links.push(Link::Operator(op, at, operand));
        self
    }

    pub fn pick(mut self, picks: Picks) -> Chain {
        self.links.push(Link::Pick(picks));
        self
    }

    /// All operators are left associative; `#` stands on the level of `!`.
    pub fn tree(self) -> Result<Expr, Fault> {
        let mut top = self.first;
        let mut waiting: Vec<(Expr, Op, Span)> = Vec::new();
        for link in self.links {
            let level = match &link {
                Link::Operator(op, ..) => op.level(),
                Link::Pick(_) => Op::Look.level(),
            };
            top = fold(top, &mut waiting, level)?;
            match link {
                Link::Operator(op, at, operand) => {
                    waiting.push((std::mem::replace(&mut top, operand), op, at))
                }
                Link::Pick(Picks { picks, end }) => {
                    let span = top.span.to(end);
                    top = node(
                        Kind::Pick {
                            tuple: Box::new(top),
                            picks,
                        },
                        span,
                    )?;
                }
            }
        }
        fold(top, &mut waiting, u8::MAX)
    }
}

/// Joins with what waits on the left, as far as that binds at least as tightly as `level`.
fn fold(mut top: Expr, waiting: &mut Vec<(Expr, Op, Span)>, level: u8) -> Result<Expr, Fault> {
    while waiting.last().is_some_and(|(_, op, _)| op.level() <= level) {
        if let Some((left, op, at)) = waiting.pop() {
            let span = left.span.to(top.span);
            top = node(
                Kind::Binary {
                    op,
                    at,
                    left: Box::new(left),
                    right: Box::new(top),
                },
                span,
            )?;
        }
    }
    Ok(top)
}
