//! The typed tree: names are resolved, every expression has its type and conversions are explicit.
//!
//! `check` produces it and `lower` consumes it without any further lookups.

pub use super::types::Type;

use crate::ast::{ArithmeticOp, CompareOp, Lifecycle};
use crate::check::builtin::Builtin;
use crate::code::{Axis, LogicOp};
use crate::lower::scope::RuleVariable;
use crate::source::Span;
use crate::value::SharedMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Every definition of the game except `Layout`, checked against all others.
#[derive(Clone, Debug, Default)]
pub struct Game {
    /// The attributes of players. Those of a player type carry it; attributes of the same name have
    /// the same type in every player type.
    pub player_attributes: Vec<Attribute>,
    pub item_kinds: Vec<ItemKind>,
    pub functions: SharedMap<Arc<str>, Arc<Routine>>,
    pub blocks: BTreeMap<Lifecycle, Arc<Routine>>,
    /// Most specific first: the first one whose receiver matches runs.
    pub move_handlers: Vec<MoveHandler>,
    /// Most specific first: the first one whose receiver, mover and filter match runs.
    pub colocation_handlers: Vec<ColocationHandler>,
}

impl Game {
    /// The attributes of all pieces, with the kind of piece.
    pub fn attributes(&self) -> impl Iterator<Item = (&str, &Attribute)> {
        let players = self.player_attributes.iter().map(|a| ("Player", a));
        let items = self.item_kinds.iter();
        let items = items.flat_map(|kind| kind.attributes.iter().map(|a| (&*kind.name, a)));
        players.chain(items)
    }
}

#[derive(Clone, Debug)]
pub struct ItemKind {
    pub name: Arc<str>,
    pub attributes: Vec<Attribute>,
}

/// An attribute of players or items. Its default value is an expression of type `E`.
#[derive(Clone, Debug)]
pub struct Attribute<E = Expr> {
    pub name: Arc<str>,
    pub ty: Type,
    /// The sizes of an array; empty otherwise.
    pub sizes: Vec<i32>,
    /// Evaluated when the piece is created, or when a player gets the player type.
    pub default: Option<E>,
    /// The player type it belongs to; `None` for attributes that every player or item has.
    pub player_type: Option<Arc<str>>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Layout {
    /// Rows and columns, evaluated before the body, in the frame of the routine. `None` if `Layout`
    /// has no arguments or declares parameters; then the body calls `createGrid`.
    pub size: Option<[Expr; 2]>,
    pub routine: Arc<Routine>,
}

/// A function, handler or block: code that runs in its own frame. The first `parameter_count`
/// locals are its parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Routine {
    /// The name in the call stack: `sum`, `gameLoop`, `bishop.checkMove`.
    pub name: Arc<str>,
    pub kind: RoutineKind,
    pub parameter_count: usize,
    pub locals: Vec<Local>,
    pub return_type: Type,
    pub body: Vec<Stmt>,
    pub head: Span,
    pub span: Span,
}

/// What a routine is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoutineKind {
    /// The top-level declarations, run before `Layout`, and the default values of attributes.
    Globals,
    Layout,
    Lifecycle(Lifecycle),
    CheckMove,
    Colocation,
    Function,
    /// A function of the rules of play.
    Rules,
    /// An entry typed at the prompt.
    Entry,
}

/// A local variable; its index in [`Routine::locals`] is its slot.
#[derive(Clone, Debug, PartialEq)]
pub struct Local {
    pub name: Arc<str>,
    pub ty: Type,
    pub decl_span: Span,
    /// Where it is visible: from its declaration to the end of its block.
    pub scope_span: Span,
}

/// A `checkMove` handler. Its parameters are the piece and, with `has_coordinates`, the start and
/// the end of the move.
#[derive(Clone, Debug)]
pub struct MoveHandler {
    pub receiver: SpannedSelector,
    pub has_coordinates: bool,
    pub routine: Arc<Routine>,
}

/// A `colocation` handler. Its parameters are the piece already in the cell and the piece that
/// moved.
#[derive(Clone, Debug)]
pub struct ColocationHandler {
    pub receiver: SpannedSelector,
    pub mover: SpannedSelector,
    /// If given, the mover must be a player of this type.
    pub filter: Option<SpannedSelector>,
    pub routine: Arc<Routine>,
}

/// A [`Selector`] and where it is written.
#[derive(Clone, Debug)]
pub struct SpannedSelector {
    pub selector: Selector,
    pub span: Span,
}

/// Which pieces a handler is for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Selector {
    AnyPiece,
    Player,
    Item,
    PlayerType(Arc<str>),
    ItemKind(Arc<str>),
    /// The piece in this global variable.
    Instance(Arc<str>),
}

impl Selector {
    pub fn at(self, span: Span) -> SpannedSelector {
        let selector = self;
        SpannedSelector { selector, span }
    }

    /// Of several matching handlers, the one with the highest specificity runs.
    pub fn specificity(&self) -> u8 {
        match self {
            Selector::AnyPiece => 0,
            Selector::Player | Selector::Item => 1,
            Selector::PlayerType(_) | Selector::ItemKind(_) => 2,
            Selector::Instance(_) => 3,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// Declares one variable. Without a value it gets the default of its type; pieces and arrays of
    /// pieces are created.
    Declare {
        target: LValue,
        name: Arc<str>,
        ty: Type,
        sizes: Vec<Expr>,
        value: Option<Expr>,
        span: Span,
    },
    Assign {
        target: LValue,
        value: Expr,
        /// Where the `=` is.
        at: Span,
    },
    /// `x += 1`, `x++`. The target is evaluated only once. `ty` is the type of both sides.
    CompoundAssign {
        target: LValue,
        /// The expression whose value is the old one, and its operator.
        target_span: Span,
        target_operator: Option<Span>,
        ty: Type,
        op: ArithmeticOp,
        /// Where the operator is.
        at: Span,
        value: Expr,
    },
    If {
        condition: Expr,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    While {
        condition: Expr,
        body: Vec<Stmt>,
    },
    Return(Option<Expr>),
    Repeat,
    /// An expression evaluated for its effects or, in an entry of one expression, for its value.
    Expr(Expr),
}

/// An expression that can be assigned to.
#[derive(Clone, Debug, PartialEq)]
pub enum LValue {
    Local(usize),
    /// A slot of the stopped frame that an entry is typed in.
    FrameLocal(usize),
    Global(Arc<str>),
    /// A variable of the rules, in the rules.
    Rule(RuleVariable),
    PlayerOrder,
    /// Evaluated in this order: the array or `playerOrder`, the indices, the bounds check.
    Element {
        array: Box<Expr>,
        indices: Vec<Expr>,
    },
    Attribute {
        of: Box<Expr>,
        attribute: AttributeRef,
    },
    /// The row or column of a coordinate variable.
    Axis {
        of: Box<LValue>,
        axis: Axis,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttributeRef {
    /// A built-in one, by its number in `scope::field`.
    Field(u16),
    UserDefined {
        name: Arc<str>,
        owners: AttributeOwners,
    },
}

/// Which pieces have an attribute; using it on any other piece is a run-time error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttributeOwners {
    All,
    PlayerTypes(Vec<Arc<str>>),
    ItemKinds(Vec<Arc<str>>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: Type,
    pub span: Span,
    /// Where the debugger shows the value, unless that is the start of the expression.
    pub operator: Option<Span>,
}

impl Expr {
    pub fn new(kind: ExprKind, ty: Type, span: Span) -> Expr {
        Expr {
            kind,
            ty,
            span,
            operator: None,
        }
    }

    /// The placeholder for an expression with an error.
    pub fn error(span: Span) -> Expr {
        Expr::new(ExprKind::Error, Type::Unknown, span)
    }

    /// The value of something that could also be assigned to.
    pub fn read(lvalue: LValue, ty: Type, span: Span) -> Expr {
        Expr::new(ExprKind::Read(lvalue), ty, span)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    Int(i32),
    Float(f64),
    Text(Arc<str>),
    Bool(bool),
    Read(LValue),
    /// `p`; a run-time error outside a turn.
    CurrentPlayer,
    /// Row and column.
    Coordinate(Box<Expr>, Box<Expr>),
    /// The elements of a two-dimensional array are one-dimensional arrays.
    Array(Vec<Expr>),
    CoordinateAxis(Box<Expr>, Axis),
    /// `Grid(row, column)` or `Grid(coordinate)`.
    Cell(Vec<Expr>),
    /// `.playerList` or `.itemList` of a cell.
    CellList {
        cell: Box<Expr>,
        has_players: bool,
    },
    Not(Box<Expr>),
    /// The operand has the type of the expression.
    Negate(Box<Expr>),
    /// Both operands have the type of the expression. Ints wrap around; `%` takes ints only.
    Arithmetic(ArithmeticOp, Box<Expr>, Box<Expr>),
    /// Concatenation of two strings.
    Concat(Box<Expr>, Box<Expr>),
    /// Both operands have the same type; pieces are compared by identity.
    Comparison(CompareOp, Box<Expr>, Box<Expr>),
    Logic(LogicOp, Box<Expr>, Box<Expr>),
    /// Converts an int to a float.
    ToFloat(Box<Expr>),
    /// A checked downcast: the piece must be of the expression's type.
    Narrow(Box<Expr>),
    /// Copies a list into a new array.
    ListToArray(Box<Expr>),
    Call {
        function: Arc<str>,
        arguments: Vec<Expr>,
    },
    Builtin(Builtin, Vec<Expr>),
    /// Replaces an erroneous expression; never part of a successfully checked tree.
    Error,
}
