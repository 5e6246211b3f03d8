//! The syntax tree, with a span for every part.
//!
//! Sums and products are stored as flat chains of operands: a sum of fifty thousand terms is one
//! node, so no traversal recurses deeply.

pub use crate::language::Direction;

pub use crate::code::{ArithmeticOp, CompareOp};
pub use crate::language::Name;
use std::sync::Arc;

use crate::source::Span;

/// A parsed file or entry.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// Declarations and statements, in any order.
    Items(Vec<Item>),
    /// An expression or condition to evaluate at the prompt.
    Query(Query),
}

impl Entry {
    /// The entities that it declares, in order.
    pub fn entities(&self) -> impl Iterator<Item = &Entity> {
        let items = match self {
            Entry::Items(items) => &items[..],
            Entry::Query(_) => &[],
        };
        items.iter().filter_map(Item::entity)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Query {
    Value(Expr),
    Condition(Condition),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    Entity(Entity),
    Statement(Statement),
}

impl Item {
    pub fn span(&self) -> Span {
        match self {
            Item::Entity(entity) => entity.span,
            Item::Statement(statement) => statement.span,
        }
    }

    /// The entity, if it declares one.
    pub fn entity(&self) -> Option<&Entity> {
        match self {
            Item::Entity(entity) => Some(entity),
            Item::Statement(_) => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntityKind {
    Player,
    Enemy,
}

impl EntityKind {
    pub fn as_str(self) -> &'static str {
        match self {
            EntityKind::Player => "player",
            EntityKind::Enemy => "enemy",
        }
    }
}

/// `player hero { x = 0; y = 0; }`
#[derive(Clone, Debug, PartialEq)]
pub struct Entity {
    pub kind: EntityKind,
    pub name: Name,
    pub properties: Vec<Property>,
    pub span: Span,
}

/// `x = 0;` inside an entity.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    pub name: Name,
    pub value: Expr,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    pub kind: StatementKind,
    pub span: Span,
}

impl Statement {
    /// Whether the statement reads or changes this entity.
    pub fn mentions(&self, entity: &str) -> bool {
        match &self.kind {
            StatementKind::Move {
                entity: moved,
                amount,
                ..
            } => *moved.text == *entity || amount.mentions(entity),
            StatementKind::Set { target, value } => {
                *target.entity.text == *entity || value.mentions(entity)
            }
            StatementKind::If { condition, body } => {
                condition.left.mentions(entity)
                    || condition.right.mentions(entity)
                    || body.iter().any(|statement| statement.mentions(entity))
            }
            StatementKind::Print { .. } => false,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind {
    Move {
        entity: Name,
        direction: Direction,
        amount: Expr,
    },
    Set {
        target: PropertyRef,
        value: Expr,
    },
    If {
        condition: Condition,
        body: Vec<Statement>,
    },
    Print {
        text: Arc<str>,
    },
}

/// The property that a move in a direction changes.
pub fn axis(direction: Direction) -> &'static str {
    match direction {
        Direction::Up | Direction::Down => "y",
        Direction::Left | Direction::Right => "x",
    }
}

/// Whether a move in a direction adds to that property; otherwise it subtracts.
pub fn is_positive(direction: Direction) -> bool {
    matches!(direction, Direction::Up | Direction::Right)
}

/// `hero.x`
#[derive(Clone, Debug, PartialEq)]
pub struct PropertyRef {
    pub entity: Name,
    pub property: Name,
}

impl PropertyRef {
    pub fn span(&self) -> Span {
        self.entity.span.to(self.property.span)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    pub left: Expr,
    pub operator: CompareOp,
    /// The span of the operator alone.
    pub operator_span: Span,
    pub right: Expr,
}

impl Condition {
    pub fn span(&self) -> Span {
        self.left.span.to(self.right.span)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    Number(i64),
    Property(PropertyRef),
    /// `first op operand op operand …`, left-associative; all operators of a chain have the same
    /// precedence.
    Chain {
        first: Box<Expr>,
        rest: Vec<ChainLink>,
    },
    /// A name without a property; the checker rejects it with the message of the language document.
    BareName(Name),
    /// A string where a value is expected; the checker rejects it as well.
    String,
}

impl Expr {
    /// Whether the expression reads a property of this entity.
    pub fn mentions(&self, entity: &str) -> bool {
        self.mentions_any(&|mentioned| mentioned == entity)
    }

    /// Whether the expression reads a property of an entity for whose name `test` is true.
    pub fn mentions_any(&self, test: &dyn Fn(&str) -> bool) -> bool {
        match &self.kind {
            ExprKind::Property(property) => test(&property.entity.text),
            ExprKind::Chain { first, rest } => {
                first.mentions_any(test) || rest.iter().any(|l| l.operand.mentions_any(test))
            }
            ExprKind::Number(_) | ExprKind::BareName(_) | ExprKind::String => false,
        }
    }
}

/// An operator and its right operand.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainLink {
    pub operator: ArithmeticOp,
    /// The span of the operator alone.
    pub operator_span: Span,
    pub operand: Expr,
}
