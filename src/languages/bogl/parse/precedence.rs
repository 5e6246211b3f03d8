//! Turns a flat chain of operators into a tree (operator precedence parsing).
//!
//! The grammar does not do this itself: nine precedence levels, combined with a last operand such
//! as `if` that extends to the right, would triple its size. Also, a chain of 50,000 operands is
//! rejected before any tree is built.

use super::build::new_expr;
use crate::ast::{Expr, ExprKind, Literal, Op};
use crate::language::syntax::GrammarErrors;
use crate::source::Span;

/// Operands and operators in source order, such as `a + b!p * c`.
pub struct OperatorChain {
    first: Expr,
    links: Vec<Link>,
}

enum Link {
    Operator(Op, Span, Expr),
    Projection(Projection),
}

/// The projection after an expression: `#1` or `#(1, 2)`.
pub struct Projection {
    /// Span of the `#`.
    pub at: Span,
    pub indices: Vec<Literal<i64>>,
    /// Span of the last token.
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

    pub fn push_projection(mut self, projection: Projection) -> OperatorChain {
        self.links.push(Link::Projection(projection));
        self
    }

    /// Builds the tree. All operators are left-associative; `#` has the precedence of `!`.
    pub fn into_expr(self) -> Result<Expr, GrammarErrors> {
        let mut top = self.first;
        let mut pending: Vec<(Expr, Op, Span)> = Vec::new();
        for link in self.links {
            let precedence = match &link {
                Link::Operator(op, ..) => op.precedence(),
                Link::Projection(_) => Op::Lookup.precedence(),
            };
            top = reduce(top, &mut pending, precedence)?;
            match link {
                Link::Operator(op, at, operand) => {
                    pending.push((std::mem::replace(&mut top, operand), op, at))
                }
                Link::Projection(Projection { at, indices, end }) => {
                    let span = top.span.to(end);
                    top = new_expr(ExprKind::Project(Box::new(top), indices, at), span)?;
                }
            }
        }
        reduce(top, &mut pending, u8::MAX)
    }
}

/// Combines `top` with pending operators on its left that bind at least as tightly as `precedence`.
fn reduce(
    mut top: Expr,
    pending: &mut Vec<(Expr, Op, Span)>,
    precedence: u8,
) -> Result<Expr, GrammarErrors> {
    while pending
        .last()
        .is_some_and(|(_, op, _)| op.precedence() <= precedence)
    {
        if let Some((left, op, at)) = pending.pop() {
            let span = left.span.to(top.span);
            let kind = ExprKind::Binary(op, Box::new(left), Box::new(top), at);
            top = new_expr(kind, span)?;
        }
    }
    Ok(top)
}
