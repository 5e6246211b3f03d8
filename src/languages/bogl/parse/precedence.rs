//! Gives a flat chain of operators its tree. Done here and not in the grammar: nine levels with operands that reach to the
//! right would make the grammar three times as long, and a chain of 50,000 terms can be refused before any tree is built.

use super::build::{ParseErrors, new_expr};
use crate::languages::bogl::ast::{Expr, ExprKind, Literal, Op};
use crate::source::Span;

pub struct OperatorChain {
    first: Expr,
    links: Vec<Link>,
}

enum Link {
    Operator(Op, Span, Expr),
    Pick(Projection),
}

/// What follows an expression behind `#`.
pub struct Projection {
    pub indices: Vec<Literal<i64>>,
    pub end: Span,
}

impl OperatorChain {
    pub fn new(first: Expr) -> OperatorChain {
        OperatorChain {
            first,
            links: Vec::new(),
        }
    }

    pub fn push_operator(mut self, (op, at): (Op, Span), operand: Expr) -> OperatorChain {
        self.links.push(Link::Operator(op, at, operand));
        self
    }

    pub fn push_projection(mut self, picks: Projection) -> OperatorChain {
        self.links.push(Link::Pick(picks));
        self
    }

    /// All operators are left associative; `#` stands on the level of `!`.
    pub fn into_expr(self) -> Result<Expr, ParseErrors> {
        let mut top = self.first;
        let mut pending: Vec<(Expr, Op, Span)> = Vec::new();
        for link in self.links {
            let precedence = match &link {
                Link::Operator(op, ..) => op.precedence(),
                Link::Pick(_) => Op::Lookup.precedence(),
            };
            top = reduce(top, &mut pending, precedence)?;
            match link {
                Link::Operator(op, at, operand) => {
                    pending.push((std::mem::replace(&mut top, operand), op, at))
                }
                Link::Pick(Projection {
                    indices: picks,
                    end,
                }) => {
                    let span = top.span.to(end);
                    top = new_expr(
                        ExprKind::Project {
                            tuple: Box::new(top),
                            picks,
                        },
                        span,
                    )?;
                }
            }
        }
        reduce(top, &mut pending, u8::MAX)
    }
}

/// Joins with what waits on the left, as far as that binds at least as tightly as `level`.
fn reduce(
    mut top: Expr,
    pending: &mut Vec<(Expr, Op, Span)>,
    precedence: u8,
) -> Result<Expr, ParseErrors> {
    while pending
        .last()
        .is_some_and(|(_, op, _)| op.precedence() <= precedence)
    {
        if let Some((left, op, at)) = pending.pop() {
            let span = left.span.to(top.span);
            top = new_expr(
                ExprKind::Binary {
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
