//! The BoGL syntax tree.
//!
//! Every node has a span, and no tree is deeper than [`MAX_EXPR_DEPTH`], so checking, lowering and
//! dropping it may recurse.

use crate::code::{ArithmeticOp, CompareOp};
use std::sync::Arc;

use crate::source::Span;

/// Limit on the depth of expression trees. Each operator in a chain such as `1 + 2 + 3` adds a
/// level.
pub const MAX_EXPR_DEPTH: u32 = 500;

/// An identifier and its span.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ident {
    pub text: Arc<str>,
    pub span: Span,
}

/// A source file: `game Name` followed by definitions.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    pub game: Ident,
    pub items: Vec<Item>,
}

/// What was typed at the prompt.
#[derive(Clone, PartialEq, Debug)]
pub enum Entry {
    /// A pasted program, which starts with `game`. It replaces everything defined so far.
    Game(Program),
    /// Definitions and session lets in order, then optionally an expression to evaluate. Never both
    /// empty.
    Lines {
        items: Vec<Item>,
        expr: Option<Expr>,
    },
}

#[derive(Clone, PartialEq, Debug)]
pub enum Item {
    Type(Arc<TypeDef>),
    Value(Arc<Definition>),
    /// `let x = e` without `in`; only allowed at the prompt.
    Let(Arc<SessionLet>),
}

#[derive(Clone, PartialEq, Debug)]
pub struct SessionLet {
    pub name: Ident,
    pub value: Expr,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub struct TypeDef {
    pub name: Ident,
    pub body: TypeBody,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum TypeBody {
    Plain(TypeExpr),
    /// `Array (width, height) of content`
    Array {
        width: Literal<i64>,
        height: Literal<i64>,
        content: TypeExpr,
        span: Span,
    },
}

/// A literal and its span.
#[derive(Clone, PartialEq, Debug)]
pub struct Literal<T> {
    pub value: T,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub struct TypeExpr {
    pub kind: TypeKind,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum TypeKind {
    Name(Arc<str>),
    /// At least two components.
    Tuple(Vec<TypeExpr>),
    /// `{A, B}`
    Symbols(Vec<Ident>),
    /// `t & t & …`: at least two terms.
    Extended(Vec<TypeExpr>),
}

impl TypeExpr {
    /// Calls `visit` for this type and for all types inside, in source order.
    pub fn walk(&self, visit: &mut impl FnMut(&TypeExpr)) {
        visit(self);
        if let TypeKind::Tuple(parts) | TypeKind::Extended(parts) = &self.kind {
            parts.iter().for_each(|part| part.walk(visit));
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Signature {
    pub name: Ident,
    pub argument: Option<TypeExpr>,
    pub result: TypeExpr,
    pub span: Span,
}

impl Signature {
    /// The types it names: of the argument, if there is one, and of the result.
    pub fn types(&self) -> impl Iterator<Item = &TypeExpr> {
        self.argument.iter().chain([&self.result])
    }
}

/// A signature with its equations.
#[derive(Clone, PartialEq, Debug)]
pub struct Definition {
    pub name: Ident,
    /// `None` only at the prompt, where an equation without a signature keeps the earlier one.
    pub signature: Option<Signature>,
    pub body: Body,
    /// Span of the equation, or of the first one for a board.
    pub equation_span: Span,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Body {
    Value(Expr),
    Function {
        parameters: Vec<Ident>,
        expr: Expr,
    },
    /// Board equations in source order; later ones overwrite earlier ones. Never empty.
    Board(Vec<BoardEquation>),
}

#[derive(Clone, PartialEq, Debug)]
pub struct BoardEquation {
    pub x: IndexPattern,
    pub y: IndexPattern,
    pub expr: Expr,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum IndexPattern {
    Fixed(Literal<i64>),
    /// A name, which matches every column (or row). It is not bound on the right-hand side.
    Wildcard(Ident),
}

impl IndexPattern {
    pub fn wildcard(&self) -> Option<&Ident> {
        match self {
            IndexPattern::Wildcard(name) => Some(name),
            IndexPattern::Fixed(_) => None,
        }
    }
}

/// A constant, as typed in answer to `input`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Constant {
    Int(i64),
    Bool(bool),
    Symbol(Arc<str>),
    Tuple(Vec<Constant>),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    /// Includes the parentheses around the expression, if any.
    pub span: Span,
    /// Height of this tree; 1 for a leaf.
    pub(super) depth: u32,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    Int(i64),
    Bool(bool),
    Symbol(Arc<str>),
    Name(Ident),
    /// At least two components.
    Tuple(Vec<Expr>),
    /// A single argument is passed as it is, several as one tuple.
    Call {
        function: Ident,
        arguments: Vec<Expr>,
    },
    Binary {
        op: Op,
        /// Span of the operator.
        at: Span,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// Tuple projection: `e#i` or `e#(i, j)`. Indices start at 1.
    Project {
        tuple: Box<Expr>,
        indices: Vec<Literal<i64>>,
    },
    Let {
        name: Ident,
        value: Box<Expr>,
        body: Box<Expr>,
    },
    If {
        condition: Box<Expr>,
        yes: Box<Expr>,
        no: Box<Expr>,
    },
    While {
        condition: Box<Expr>,
        body: Box<Expr>,
    },
}

impl Expr {
    /// Returns `None` if the tree would be deeper than [`MAX_EXPR_DEPTH`].
    pub fn new(kind: ExprKind, span: Span) -> Option<Expr> {
        let mut child_depth = 0;
        kind.for_each_part(|part| child_depth = child_depth.max(part.depth));
        (child_depth < MAX_EXPR_DEPTH).then_some(Expr {
            kind,
            span,
            depth: child_depth + 1,
        })
    }
}

impl ExprKind {
    /// Calls `visit` for the expressions directly inside, in source order.
    pub fn for_each_part(&self, mut visit: impl FnMut(&Expr)) {
        match self {
            ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Symbol(_) | ExprKind::Name(_) => {}
            ExprKind::Tuple(parts)
            | ExprKind::Call {
                arguments: parts, ..
            } => parts.iter().for_each(visit),
            ExprKind::Project { tuple, .. } => visit(tuple),
            ExprKind::Binary {
                left: a, right: b, ..
            }
            | ExprKind::Let {
                value: a, body: b, ..
            }
            | ExprKind::While {
                condition: a,
                body: b,
            } => [a, b].into_iter().for_each(|part| visit(part)),
            ExprKind::If { condition, yes, no } => [condition, yes, no]
                .into_iter()
                .for_each(|part| visit(part)),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    Lookup,
    Times,
    Divide,
    Modulo,
    Plus,
    Minus,
    Less,
    LessEqual,
    Equal,
    NotEqual,
    GreaterEqual,
    Greater,
}

impl Op {
    /// The operator on numbers that it is.
    pub fn arithmetic(self) -> Option<ArithmeticOp> {
        Some(match self {
            Op::Times => ArithmeticOp::Multiply,
            Op::Divide => ArithmeticOp::Divide,
            Op::Modulo => ArithmeticOp::Remainder,
            Op::Plus => ArithmeticOp::Add,
            Op::Minus => ArithmeticOp::Subtract,
            _ => return None,
        })
    }

    /// The comparison of numbers that it is: `<`, `<=`, `>` or `>=`.
    pub fn ordering(self) -> Option<CompareOp> {
        Some(match self {
            Op::Less => CompareOp::Less,
            Op::LessEqual => CompareOp::LessEqual,
            Op::GreaterEqual => CompareOp::GreaterEqual,
            Op::Greater => CompareOp::Greater,
            _ => return None,
        })
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Op::Lookup => "!",
            Op::Times => "*",
            Op::Divide => "/",
            Op::Modulo => "%",
            Op::Plus => "+",
            Op::Minus => "-",
            Op::Less => "<",
            Op::LessEqual => "<=",
            Op::Equal => "==",
            Op::NotEqual => "/=",
            Op::GreaterEqual => ">=",
            Op::Greater => ">",
        }
    }

    /// Lower values bind tighter. As in BoGL's public implementation, each comparison operator has
    /// a precedence of its own.
    pub fn precedence(self) -> u8 {
        match self {
            Op::Lookup => 0,
            Op::Times | Op::Divide | Op::Modulo => 1,
            Op::Plus | Op::Minus => 2,
            Op::Less => 3,
            Op::LessEqual => 4,
            Op::Equal => 5,
            Op::NotEqual => 6,
            Op::GreaterEqual => 7,
            Op::Greater => 8,
        }
    }
}
