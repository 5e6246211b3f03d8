//! The BoGL syntax tree.
//!
//! Every node has a span, and no tree is deeper than [`MAX_EXPR_DEPTH`], so checking, lowering and
//! dropping it may recurse.

pub use crate::code::{ArithmeticOp, CompareOp};
pub use crate::language::Name;
use std::sync::Arc;

use crate::source::Span;

/// Limit on the depth of expression trees. Each operator in a chain such as `1 + 2 + 3` adds a
/// level.
pub const MAX_EXPR_DEPTH: u32 = 500;

/// A source file: `game Name` followed by definitions.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    pub game: Name,
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

impl Item {
    /// The name that it defines.
    pub fn name(&self) -> &Name {
        match self {
            Item::Type(definition) => &definition.name,
            Item::Value(definition) => &definition.name,
            Item::Let(session_let) => &session_let.name,
        }
    }

    /// The name, with `type` before that of a type.
    pub fn title(&self) -> String {
        match self {
            Item::Type(definition) => format!("type {}", definition.name.text),
            _ => self.name().text.to_string(),
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct SessionLet {
    pub name: Name,
    pub value: Expr,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub struct TypeDef {
    pub name: Name,
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

impl TypeBody {
    /// The type that it defines; for an array, that of its cells.
    pub fn content(&self) -> &TypeExpr {
        match self {
            TypeBody::Plain(content) | TypeBody::Array { content, .. } => content,
        }
    }
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
    Symbols(Vec<Name>),
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
    pub name: Name,
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
    pub name: Name,
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
        parameters: Vec<Name>,
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
    Wildcard(Name),
}

impl IndexPattern {
    pub fn wildcard(&self) -> Option<&Name> {
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
    Name(Name),
    /// At least two components.
    Tuple(Vec<Expr>),
    /// A single argument is passed as it is, several as one tuple.
    Call(Name, Vec<Expr>),
    /// `a + b`, with the span of the operator.
    Binary(Op, Box<Expr>, Box<Expr>, Span),
    /// Tuple projection: `e#i` or `e#(i, j)`, with the span of the `#`. Indices start at 1.
    Project(Box<Expr>, Vec<Literal<i64>>, Span),
    /// `let name = value in body`
    Let(Name, Box<Expr>, Box<Expr>),
    /// `if condition then yes else no`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `while condition do body`
    While(Box<Expr>, Box<Expr>),
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
            ExprKind::Tuple(parts) | ExprKind::Call(_, parts) => parts.iter().for_each(visit),
            ExprKind::Project(tuple, ..) => visit(tuple),
            ExprKind::Binary(_, first, second, _)
            | ExprKind::Let(_, first, second)
            | ExprKind::While(first, second) => {
                visit(first);
                visit(second);
            }
            ExprKind::If(condition, yes, no) => {
                visit(condition);
                visit(yes);
                visit(no);
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    /// `board ! position`
    Lookup,
    Arithmetic(ArithmeticOp),
    Compare(CompareOp),
}

impl Op {
    pub fn as_str(self) -> &'static str {
        match self {
            Op::Lookup => "!",
            Op::Arithmetic(op) => op.symbol(),
            Op::Compare(CompareOp::NotEqual) => "/=",
            Op::Compare(op) => op.symbol(),
        }
    }

    /// True for `<`, `<=`, `>` and `>=`.
    pub fn is_ordering(self) -> bool {
        matches!(self, Op::Compare(op) if !op.is_equality())
    }

    /// Whether `==` and `/=` are evaluated before it.
    pub fn binds_looser_than_equality(self) -> bool {
        self.precedence() > Op::Compare(CompareOp::NotEqual).precedence()
    }

    /// Lower values bind tighter. As in BoGL's public implementation, each comparison operator has
    /// a precedence of its own.
    pub fn precedence(self) -> u8 {
        match self {
            Op::Lookup => 0,
            Op::Arithmetic(ArithmeticOp::Add | ArithmeticOp::Subtract) => 2,
            Op::Arithmetic(_) => 1,
            Op::Compare(CompareOp::Less) => 3,
            Op::Compare(CompareOp::LessEqual) => 4,
            Op::Compare(CompareOp::Equal) => 5,
            Op::Compare(CompareOp::NotEqual) => 6,
            Op::Compare(CompareOp::GreaterEqual) => 7,
            Op::Compare(CompareOp::Greater) => 8,
        }
    }
}
