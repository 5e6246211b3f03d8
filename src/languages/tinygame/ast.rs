//! What a TinyGame text says, with the place of every part.
//!
//! Sums and products keep their operands in a row, as the grammar writes them: a sum of fifty thousand terms is
//! one node, and no walk over it goes deep.

pub use crate::languages::direction::Direction;

use std::sync::Arc;

use crate::source::Span;

/// What was typed or loaded.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// Declarations and statements, in any order.
    Game(Vec<Item>),
    /// A value asked for at the prompt.
    Question(Question),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    Value(Expr),
    Truth(Condition),
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
}

#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    pub text: Arc<str>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Player,
    Enemy,
}

impl Role {
    pub fn word(self) -> &'static str {
        match self {
            Role::Player => "player",
            Role::Enemy => "enemy",
        }
    }
}

/// `player hero { x = 0; y = 0; }`
#[derive(Clone, Debug, PartialEq)]
pub struct Entity {
    pub role: Role,
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

#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind {
    Move {
        entity: Name,
        direction: Direction,
        amount: Expr,
    },
    Set {
        place: Place,
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

impl Direction {
    /// The property that a step changes.
    pub fn axis(self) -> &'static str {
        match self {
            Direction::Up | Direction::Down => "y",
            Direction::Left | Direction::Right => "x",
        }
    }

    /// Whether the amount is added to it; else it is taken away.
    pub fn adds(self) -> bool {
        matches!(self, Direction::Up | Direction::Right)
    }
}

/// `hero.x`
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    pub entity: Name,
    pub property: Name,
}

impl Place {
    pub fn span(&self) -> Span {
        self.entity.span.to(self.property.span)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    pub left: Expr,
    pub relation: Relation,
    /// Of the sign itself.
    pub sign: Span,
    pub right: Expr,
}

impl Condition {
    pub fn span(&self) -> Span {
        self.left.span.to(self.right.span)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    Equal,
    Differs,
    Less,
    Greater,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    Number(i64),
    Property(Place),
    /// `first op operand op operand …`, from left to right; all operators of one row bind equally.
    Row {
        first: Box<Expr>,
        rest: Vec<Link>,
    },
    /// A name alone, which the checker refuses with the words of the document.
    Alone(Name),
    /// A text where a value should be, refused as well.
    Text,
}

impl Expr {
    /// Whether a property of this entity is asked for in it.
    pub fn names(&self, entity: &str) -> bool {
        match &self.kind {
            ExprKind::Property(place) => *place.entity.text == *entity,
            ExprKind::Row { first, rest } => {
                first.names(entity) || rest.iter().any(|l| l.operand.names(entity))
            }
            ExprKind::Number(_) | ExprKind::Alone(_) | ExprKind::Text => false,
        }
    }
}

/// One further operand of a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    pub operator: Operator,
    /// Of the sign itself.
    pub sign: Span,
    pub operand: Expr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
}
