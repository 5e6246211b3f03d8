//! The syntax tree of GridLok. Every node has its place in the text.

use crate::source::Span;

/// A word with its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

/// A file: `game{…}`, or its items bare.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Program {
    pub items: Vec<Item>,
    /// The word `game`, if the file has it.
    pub game_keyword: Option<Span>,
}

/// What was typed at the prompt.
#[derive(Clone, PartialEq, Debug)]
pub enum Entry {
    /// One expression, to be answered. A call alone is an expression, too: `add{3,5}`.
    Expression(Expr),
    /// Items and statements, to be done in order.
    Parts(Vec<EntryPart>),
    /// `game{…}`: a new game.
    Game(Program),
}

#[derive(Clone, PartialEq, Debug)]
pub enum EntryPart {
    Item(Item),
    Statement(Statement),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Item {
    pub kind: ItemKind,
    /// The whole of it, from its first word to its closing brace.
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
    /// winCondition, loseCondition, drawCondition.
    Condition(Ending, Block),
    Def(Def),
    Function(Function),
}

/// How a game may end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Ending {
    Win,
    Lose,
    Draw,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Board {
    /// rows and columns, with the span of `dimensions{…}`; `None` is an error the checker tells.
    pub dimensions: Option<(Expr, Expr, Span)>,
    pub image: Option<Name>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Piece {
    /// `None`: the checker tells that a piece needs a name.
    pub name: Option<Name>,
    pub image: Option<Name>,
    pub on_turn: Option<Handler>,
    pub on_click: Option<Handler>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Handler {
    /// The word `onClick` or `onTurn`.
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

/// What stands in the braces of a definition or an assignment.
#[derive(Clone, PartialEq, Debug)]
pub enum Initializer {
    Expr(Expr),
    /// A list literal: each element has its comma, `{,}` is the empty one.
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
    /// `name{…}`: a call of a function or built-in, an assignment, an append, or a player's block, by what the name is.
    /// The braces' content is kept in both readings where it has both.
    Braces(Name, BraceContent),
    /// `l[i]{v}`, `l[i][j]{v}`: change an element. The expression is the list itself (a name, or an index into one).
    SetElement {
        list: Expr,
        index: Expr,
        value: Initializer,
    },
    /// `l[i]{}`: remove an element.
    RemoveElement {
        list: Expr,
        index: Expr,
    },
    /// `board[r][c].visible{e}`, `p.changeType{e}`: act on a piece. The name is `visible`, `changeType`, or a wrong one (the checker tells).
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
    /// The value, if any.
    Return(Option<Expr>),
    /// Any other expression standing as a statement (`(f{1})`, `p.name`): the checker refuses it.
    Expr(Expr),
}

/// What stands in the braces after a name at the head of a statement.
#[derive(Clone, PartialEq, Debug)]
pub enum BraceContent {
    /// `{}`, `{a}`, `{a, b}`.
    Arguments(Vec<Expr>),
    /// `{,}`, `{a,}`, `{a, b,}`.
    List(Vec<Expr>, Span),
    /// Statements: a player's block in setup (`x{ place{"a",0,0} }`). One statement that could be an argument as well
    /// (`x{ f{1} }`) is parsed as `Arguments`: whoever knows that `x` is a player reads it as a statement.
    Block(Block),
}

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
    /// A variable, a parameter, or one of the predefined ones.
    Name(String),
    /// `f{…}`, `rand{…}`, `print{…}`.
    Call(Name, Vec<Expr>),
    /// `board[r][c]`
    Cell(Box<Expr>, Box<Expr>),
    /// `l[i]`
    Index(Box<Expr>, Box<Expr>),
    /// `p.name`
    Field(Box<Expr>, Name),
    /// `!e`, `-e`, with the operator's place.
    Unary(Unary, Box<Expr>, Span),
    /// `a + b`, with the operator's place.
    Binary(Binary, Box<Expr>, Box<Expr>, Span),
    /// `(e)`: the parentheses belong to the span.
    Paren(Box<Expr>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unary {
    Not,
    Minus,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binary {
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Or,
}

impl Binary {
    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Binary::Multiply => "*",
            Binary::Divide => "/",
            Binary::Remainder => "%",
            Binary::Add => "+",
            Binary::Subtract => "-",
            Binary::Less => "<",
            Binary::LessEqual => "<=",
            Binary::Greater => ">",
            Binary::GreaterEqual => ">=",
            Binary::Equal => "==",
            Binary::NotEqual => "!=",
            Binary::And => "AND",
            Binary::Or => "OR",
        }
    }
}
