//! What is meant, as a tree: names resolved to their places, every value with its type, every conversion written out.
//!
//! Made by `check`, read by the lowering, which never has to look anything up.

use super::ast::{ArithmeticOp, CompareOp};
use crate::source::Span;
use std::fmt;
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    Int,
    Float,
    Text,
    Bool,
    Coordinate,
    Void,
    Player,
    /// An item of one kind, or of any.
    Item(Option<Arc<str>>),
    /// A player or an item: what a list holds whose kind is known only when playing.
    AnyPiece,
    /// The type of the elements, and one or two dimensions.
    Array(Box<Type>, usize),
    /// Read-only and of changing length: a cell's list, what traverse finds, playerOrder.
    List(Box<Type>),
    Cell,
    /// Something already found to be wrong; fits everywhere, so that one fault is told once.
    Unknown,
}

impl Type {
    pub fn is_number(&self) -> bool {
        matches!(self, Type::Int | Type::Float | Type::Unknown)
    }

    /// Players and items: held by reference, made by their declaration.
    pub fn is_piece(&self) -> bool {
        matches!(self, Type::Player | Type::Item(_) | Type::AnyPiece)
    }

    /// What an index into it gives.
    pub fn element_type(&self) -> Option<&Type> {
        match self {
            Type::Array(element, _) | Type::List(element) => Some(element),
            _ => None,
        }
    }

    pub fn into_array(self) -> Type {
        Type::Array(Box::new(self), 1)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Int => f.write_str("int"),
            Type::Float => f.write_str("float"),
            Type::Text => f.write_str("string"),
            Type::Bool => f.write_str("boolean"),
            Type::Coordinate => f.write_str("coordinate"),
            Type::Void => f.write_str("void"),
            Type::Player => f.write_str("Player"),
            Type::Item(None) => f.write_str("Item"),
            Type::Item(Some(kind)) => f.write_str(kind),
            Type::AnyPiece => f.write_str("Player or Item"),
            Type::Array(element, 2) => write!(f, "{element}[,]"),
            Type::Array(element, _) => write!(f, "{element}[]"),
            Type::List(element) => write!(f, "list of {element}"),
            Type::Cell => f.write_str("cell of the grid"),
            Type::Unknown => f.write_str("unknown"),
        }
    }
}

/// All that is live: every definition, checked against all the others.
#[derive(Clone, Debug, Default)]
pub struct Game {
    /// Of every player; those of a player type carry it. One name has one type, whatever the player type.
    pub player_attributes: Vec<Attribute>,
    pub item_kinds: Vec<ItemKind>,
    pub functions: Vec<Arc<Routine>>,
    pub layout: Option<Layout>,
    pub game_loop: Option<Arc<Routine>>,
    pub check_game_end: Option<Arc<Routine>>,
    pub game_over: Option<Arc<Routine>>,
    /// The first whose receiver fits is the one to run.
    pub move_handlers: Vec<MoveHandler>,
    /// The first whose receiver, argument and filter fit is the one to run.
    pub colocation_handlers: Vec<ColocationHandler>,
}

#[derive(Clone, Debug)]
pub struct ItemKind {
    pub name: Arc<str>,
    pub attributes: Vec<Attribute>,
}

#[derive(Clone, Debug)]
pub struct Attribute {
    pub name: Arc<str>,
    pub ty: Type,
    /// Of an array.
    pub sizes: Vec<i32>,
    /// Computed when the piece is made (for a player type: when the type is assigned). A piece without one is nobody yet.
    pub default: Option<Expr>,
    /// The player type that it belongs to.
    pub player_type: Option<Arc<str>>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Layout {
    pub size: GridSize,
    pub routine: Arc<Routine>,
}

#[derive(Clone, Debug)]
pub enum GridSize {
    /// Computed before the body, in the routine's frame.
    Values(Box<Expr>, Box<Expr>),
    /// Two ints of these names are globals; the body calls createGrid.
    Parameters(Arc<str>, Arc<str>),
    None,
}

/// Code with a frame of its own. The first `parameters` locals are given by the caller.
#[derive(Clone, Debug)]
pub struct Routine {
    /// As it is shown in a list of frames: `sum`, `gameLoop`, `bishop.checkMove`.
    pub name: Arc<str>,
    pub kind: RoutineKind,
    pub parameter_count: usize,
    pub locals: Vec<Local>,
    pub return_type: Type,
    pub body: Vec<Stmt>,
    pub head: Span,
    pub span: Span,
}

/// Which part of the game a piece of code is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoutineKind {
    /// The declarations of a program, run before Layout, and the defaults of attributes.
    Globals,
    Layout,
    GameLoop,
    CheckMove,
    Colocation,
    CheckGameEnd,
    GameOver,
    Function,
    /// What was typed at the prompt, to be run at once.
    Entry,
}

/// A variable of a frame, in a slot of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Local {
    pub name: Arc<str>,
    pub ty: Type,
    pub decl_span: Span,
    /// Where it can be seen: from its declaration to the end of its block.
    pub scope_span: Span,
}

/// checkMove; parameters are the piece, then start and end if it names them (`takes_places`).
#[derive(Clone, Debug)]
pub struct MoveHandler {
    pub receiver: SpannedSelector,
    pub has_coordinates: bool,
    pub routine: Arc<Routine>,
}

/// colocation; parameters are the piece that stands there, then the one that moved.
#[derive(Clone, Debug)]
pub struct ColocationHandler {
    pub receiver: SpannedSelector,
    pub mover: SpannedSelector,
    /// The one that moved must be a player of this type.
    pub filter: Option<SpannedSelector>,
    pub routine: Arc<Routine>,
}

/// Whom a handler is for, and the word that says so.
#[derive(Clone, Debug)]
pub struct SpannedSelector {
    pub selector: Selector,
    pub span: Span,
}

/// Whom a handler is for, the most specific last.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Selector {
    AnyPiece,
    Player,
    Item,
    PlayerType(Arc<str>),
    ItemKind(Arc<str>),
    /// The piece that this global holds.
    Instance(Arc<str>),
}

impl Selector {
    /// How closely it says who is meant.
    pub fn specificity(&self) -> u8 {
        match self {
            Selector::AnyPiece => 0,
            Selector::Player | Selector::Item => 1,
            Selector::PlayerType(_) | Selector::ItemKind(_) => 2,
            Selector::Instance(_) => 3,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    /// One variable. Without a value it gets its type's default; pieces and arrays of pieces are made.
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
    },
    /// `x += 1`, `x++`: the place is computed once. `ty` is the type of the target, and of `value` but for float += int,
    /// where the conversion is written out.
    CompoundAssign {
        target: LValue,
        /// The target in the text, where its old value is seen.
        target_span: Span,
        ty: Type,
        op: ArithmeticOp,
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
    /// For its effects; in an entry of one expression, for its value.
    Expr(Expr),
}

/// Something that can be assigned to.
#[derive(Clone, Debug)]
pub enum LValue {
    Local(usize),
    /// A slot of the frame that is looked at while the game is stopped; in entries only.
    FrameLocal(usize),
    Global(Arc<str>),
    PlayerOrder,
    /// Array (or playerOrder) first, then the one or two indices, then the bounds are checked.
    Element {
        array: Box<Expr>,
        indices: Vec<Expr>,
    },
    Attribute {
        of: Box<Expr>,
        attribute: AttributeRef,
    },
    /// One half of a coordinate that lies in a place.
    Axis {
        of: Box<LValue>,
        axis: Axis,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    Row,
    Column,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttributeRef {
    Position,
    DisplayString,
    Exists,
    Win,
    Type,
    UserDefined {
        name: Arc<str>,
        owners: AttributeOwners,
    },
}

/// Who has an attribute: others give an error when playing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttributeOwners {
    All,
    PlayerTypes(Vec<Arc<str>>),
    ItemKinds(Vec<Arc<str>>),
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: Type,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Int(i32),
    Float(f64),
    Text(Arc<str>),
    Bool(bool),
    Read(LValue),
    /// `p`: an error when playing, if no turn is.
    CurrentPlayer,
    /// The row first, then the column.
    Coordinate(Box<Expr>, Box<Expr>),
    /// With a type of two dimensions, its parts are arrays of one.
    Array(Vec<Expr>),
    CoordinateAxis(Box<Expr>, Axis),
    /// `Grid(row, column)` or `Grid(coordinate)`.
    Cell(Vec<Expr>),
    /// `.playerList` or `.itemList` of a cell.
    CellList(Box<Expr>, ListKind),
    Not(Box<Expr>),
    /// Of the type of the expression.
    Negate(Box<Expr>),
    /// Both sides have the type of the expression: int wraps, float does not; a remainder is of ints only.
    Arithmetic(ArithmeticOp, Box<Expr>, Box<Expr>),
    /// Two strings.
    Concat(Box<Expr>, Box<Expr>),
    /// Both sides have the same type; pieces are compared by who they are.
    Comparison(CompareOp, Box<Expr>, Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    /// An int among floats.
    ToFloat(Box<Expr>),
    /// A piece that must turn out to be of the expression's type.
    Narrow(Box<Expr>),
    /// A list as an array of its own.
    ListToArray(Box<Expr>),
    Call {
        function: Arc<str>,
        arguments: Vec<Expr>,
    },
    Print(Box<Expr>),
    /// Asks for a value of the expression's type.
    Prompt(Box<Expr>),
    DrawGrid,
    CreateGrid(Box<Expr>, Box<Expr>),
    /// An array of two coordinates, and the name of the list: known when written as a literal.
    Traverse {
        line: Box<Expr>,
        list: ListName,
    },
    /// `traverse(r1, c1, r2, c2)`: 1 if anything stands strictly between, else 0.
    AnyBetween(Vec<Expr>),
    /// Two floats.
    Random(Box<Expr>, Box<Expr>),
    DiceThrow,
    Len(Box<Expr>),
    GameOver,
    /// In place of something that is wrong; never in what `check` hands out.
    Error,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListKind {
    Players,
    Items,
}

#[derive(Clone, Debug)]
pub enum ListName {
    Literal(ListKind),
    /// A string, looked at when playing.
    Computed(Box<Expr>),
}
