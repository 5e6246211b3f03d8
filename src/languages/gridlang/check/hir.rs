//! The typed tree: names are resolved, every expression has its type and conversions are explicit.
//!
//! `check` produces it and `lower` consumes it without any further lookups.

use crate::code::Axis;
use crate::languages::gridlang::ast::{ArithmeticOp, CompareOp};
use crate::languages::gridlang::check::intrinsic::Intrinsic;
use crate::languages::gridlang::lower::scope::RuleVariable;
use crate::source::Span;
use crate::value::SharedMap;
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
    /// An item of the given kind, or of any kind.
    Item(Option<Arc<str>>),
    /// A player or an item: the element type of a list whose kind is only known at run time.
    AnyPiece,
    /// The element type and the number of dimensions (one or two).
    Array(Box<Type>, usize),
    /// Read-only and of varying length: the list of a cell, the result of `traverse`,
    /// `playerOrder`.
    List(Box<Type>),
    Cell,
    /// The type of an erroneous expression. It is compatible with every type, so that one mistake
    /// is reported only once.
    Unknown,
}

impl Type {
    pub fn is_number(&self) -> bool {
        matches!(self, Type::Int | Type::Float | Type::Unknown)
    }

    /// Players and items have reference semantics and are created by their declaration.
    pub fn is_piece(&self) -> bool {
        matches!(self, Type::Player | Type::Item(_) | Type::AnyPiece)
    }

    /// The element type of an array or list.
    pub fn element_type(&self) -> Option<&Type> {
        match self {
            Type::Array(element, _) | Type::List(element) => Some(element),
            _ => None,
        }
    }

    /// The type with its article, for messages: `an int`, `a Player[]`.
    pub fn with_article(&self) -> String {
        let name = self.to_string();
        let article = match name.chars().next().map(|c| c.to_ascii_lowercase()) {
            Some('a' | 'e' | 'i' | 'o' | 'u') => "an",
            _ => "a",
        };
        format!("{article} {name}")
    }

    /// The type of a list of elements of this type.
    pub fn into_list(self) -> Type {
        Type::List(Box::new(self))
    }

    /// The type of a one-dimensional array of this type.
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

/// Every definition of the game except `Layout`, checked against all others.
#[derive(Clone, Debug, Default)]
pub struct Game {
    /// The attributes of players. Those of a player type carry it; attributes of the same name have
    /// the same type in every player type.
    pub player_attributes: Vec<Attribute>,
    pub item_kinds: Vec<ItemKind>,
    pub functions: SharedMap<Arc<str>, Arc<Routine>>,
    pub game_loop: Option<Arc<Routine>>,
    pub check_game_end: Option<Arc<Routine>>,
    pub game_over: Option<Arc<Routine>>,
    /// Most specific first: the first one whose receiver matches runs.
    pub move_handlers: Vec<MoveHandler>,
    /// Most specific first: the first one whose receiver, mover and filter match runs.
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
    /// The sizes of an array; empty otherwise.
    pub sizes: Vec<i32>,
    /// Evaluated when the piece is created, or when a player gets the player type.
    pub default: Option<Expr>,
    /// The player type it belongs to; `None` for attributes that every player or item has.
    pub player_type: Option<Arc<str>>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Layout {
    /// Rows and columns, evaluated before the body, in the frame of the routine. `None` if `Layout`
    /// has no arguments or declares parameters; then the body calls `createGrid`.
    pub size: Option<(Expr, Expr)>,
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
    GameLoop,
    CheckMove,
    Colocation,
    CheckGameEnd,
    GameOver,
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
    },
    /// `x += 1`, `x++`. The target is evaluated only once. `ty` is the type of both sides.
    CompoundAssign {
        target: LValue,
        /// Where the debugger shows the old value.
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
    Position,
    DisplayString,
    Exists,
    Win,
    Type,
    /// A field that only the rules use, by its number in `scope::field`.
    Hidden(u16),
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
}

impl Expr {
    pub fn new(kind: ExprKind, ty: Type, span: Span) -> Expr {
        Expr { kind, ty, span }
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
    CellList(Box<Expr>, ListKind),
    Not(Box<Expr>),
    /// The operand has the type of the expression.
    Negate(Box<Expr>),
    /// Both operands have the type of the expression. Ints wrap around; `%` takes ints only.
    Arithmetic(ArithmeticOp, Box<Expr>, Box<Expr>),
    /// Concatenation of two strings.
    Concat(Box<Expr>, Box<Expr>),
    /// Both operands have the same type; pieces are compared by identity.
    Comparison(CompareOp, Box<Expr>, Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
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
    /// A built-in function of the rules.
    Intrinsic(Intrinsic, Vec<Expr>),
    Print(Box<Expr>),
    /// Asks the player for a value of the expression's type.
    Prompt(Box<Expr>),
    DrawGrid,
    CreateGrid(Box<Expr>, Box<Expr>),
    /// `traverse([from, to], "playerList")`; `line` is the array of two coordinates.
    Traverse {
        line: Box<Expr>,
        list: ListName,
    },
    /// `traverse(r1, c1, r2, c2)`: 1 if a piece is strictly between the two cells, else 0.
    AnyBetween(Vec<Expr>),
    /// The limits are floats.
    Random(Box<Expr>, Box<Expr>),
    DiceThrow,
    Len(Box<Expr>),
    GameOver,
    /// Replaces an erroneous expression; never part of a successfully checked tree.
    Error,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListKind {
    Players,
    Items,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ListName {
    Literal(ListKind),
    /// A string that is evaluated at run time.
    Computed(Box<Expr>),
}
