//! GridLok's syntax tree. Every node has its source span.

pub use crate::code::{ArithmeticOp, CompareOp};
use crate::source::Span;

/// An identifier, or the text of a string literal used as a name.
#[derive(Clone, PartialEq, Debug)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

/// A file: `game{…}`, or its items without the `game`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Program {
    pub items: Vec<Item>,
    /// The keyword `game`, if the file has it.
    pub game_keyword: Option<Span>,
}

/// A parsed entry.
#[derive(Clone, PartialEq, Debug)]
pub enum Entry {
    /// A single expression, whose value is printed. A single call (`add{3,5}`) is parsed as an
    /// expression, too, even if it turns out to be an assignment.
    Expression(Expr),
    /// Items and statements, run in order.
    Parts(Vec<EntryPart>),
    /// `game{…}`: a new game.
    Game(Program),
}

/// One part of an entry.
#[derive(Clone, PartialEq, Debug)]
pub enum EntryPart {
    Item(Item),
    Statement(Statement),
}

/// A definition at the top level of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Item {
    pub kind: ItemKind,
    /// From the first keyword to the closing brace.
    pub span: Span,
    /// The text before the brace: `piece`, `winCondition`, `fun add(a, b)`, `def n`.
    pub head: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ItemKind {
    Board(Board),
    Players(Vec<Name>),
    TurnOrder(Vec<Name>),
    EventPriority(Vec<Name>),
    Piece(Piece),
    Setup(Block),
    /// `winCondition`, `loseCondition` or `drawCondition`.
    Condition(Ending, Block),
    Def(Def),
    Function(Function),
}

/// How a game can end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Ending {
    Win,
    Lose,
    Draw,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Board {
    /// Rows, columns, and the span of `dimensions{…}`. The checker reports `None` as an error.
    pub dimensions: Option<(Expr, Expr, Span)>,
    pub image: Option<Name>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Piece {
    /// The checker reports `None` as an error.
    pub name: Option<Name>,
    pub image: Option<Name>,
    pub on_turn: Option<Handler>,
    pub on_click: Option<Handler>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Handler {
    /// The keyword `onClick` or `onTurn`.
    pub keyword: Span,
    pub body: Block,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    pub name: Name,
    pub parameters: Vec<Name>,
    pub body: Block,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Def {
    pub name: Name,
    pub value: Initializer,
}

/// The content of the braces of a definition or of an assignment to an element.
#[derive(Clone, PartialEq, Debug)]
pub enum Initializer {
    Expr(Expr),
    /// A list literal. Every element is followed by a comma; `{,}` is the empty list.
    List(Vec<Expr>, Span),
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Block {
    pub statements: Vec<Statement>,
    /// From brace to brace.
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Statement {
    pub kind: StatementKind,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum StatementKind {
    Def(Def),
    /// `name{…}`: a call, an assignment, an append, or the block of a player. Which one depends on
    /// what the name refers to, so the parser cannot decide it.
    Braces(Name, BraceContent),
    /// `l[i]{v}`, `l[i][j]{v}`: assigns to an element. `list` is everything before the last index.
    SetElement {
        list: Expr,
        index: Expr,
        value: Initializer,
    },
    /// `l[i]{}`: removes an element.
    RemoveElement {
        list: Expr,
        index: Expr,
    },
    /// `board[r][c].visible{e}`, `p.changeType{e}`: changes a piece. The parser accepts any name;
    /// the checker rejects all but `visible` and `changeType`.
    PieceAction {
        piece: Expr,
        action: Name,
        arguments: Vec<Expr>,
    },
    If {
        arms: Vec<(Expr, Block)>,
        otherwise: Option<Block>,
    },
    For(LoopHead, Block),
    /// `return`, with its value if there is one.
    Return(Option<Expr>),
    /// Any other expression used as a statement (`(f{1})`, `p.name`), which the checker rejects.
    Expr(Expr),
}

/// The content of the braces after a name at the start of a statement.
#[derive(Clone, PartialEq, Debug)]
pub enum BraceContent {
    /// `{}`, `{a}`, `{a, b}`.
    Arguments(Vec<Expr>),
    /// `{,}`, `{a,}`, `{a, b,}`.
    List(Vec<Expr>, Span),
    /// The block of a player in setup (`x{ place{"a",0,0} place{"b",1,0} }`). A single call (`x{
    /// f{1} }`) is parsed as `Arguments`; if `x` is a player, it must be treated as a statement.
    Block(Block),
}

/// What a `for` loops over.
#[derive(Clone, PartialEq, Debug)]
pub enum LoopHead {
    /// `for i(a,b), j(c,d)`: one to three ranges.
    Ranges(Vec<LoopRange>),
    /// `for p in row(r)`
    Row(Name, Expr),
    /// `for p in col(c)`
    Column(Name, Expr),
    /// `for p surrounding r, c`
    Surrounding(Name, Expr, Expr),
    /// `for i, j surrounding r, c`
    SurroundingCells(Name, Name, Expr, Expr),
    /// `for x, y in board`
    Cells(Name, Name),
    /// `for all p in board`, `for p in board`
    Pieces(Name),
}

/// `i(from, to)`: `i` runs from `from` up to, but not including, `to`.
#[derive(Clone, PartialEq, Debug)]
pub struct LoopRange {
    pub variable: Name,
    pub from: Expr,
    pub to: Expr,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    Int(i32),
    Text(String),
    Bool(bool),
    Empty,
    /// A variable, a parameter or a predefined variable.
    Name(String),
    /// `f{…}`, `rand{…}`, `print{…}`.
    Call(Name, Vec<Expr>),
    /// `board[r][c]`
    Cell(Box<Expr>, Box<Expr>),
    /// `l[i]`
    Index(Box<Expr>, Box<Expr>),
    /// `p.name`
    Field(Box<Expr>, Name),
    /// `!e`, `-e`, with the span of the operator.
    Unary(Unary, Box<Expr>, Span),
    /// `a + b`, with the span of the operator.
    Binary(Binary, Box<Expr>, Box<Expr>, Span),
    /// `(e)`; the span includes the parentheses.
    Paren(Box<Expr>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unary {
    Not,
    Minus,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binary {
    Arithmetic(ArithmeticOp),
    Compare(CompareOp),
    And,
    Or,
}

impl Binary {
    /// The operator as written in source.
    pub fn symbol(self) -> &'static str {
        match self {
            Binary::Arithmetic(op) => op.symbol(),
            Binary::Compare(op) => op.symbol(),
            Binary::And => "AND",
            Binary::Or => "OR",
        }
    }
}
