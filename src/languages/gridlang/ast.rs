//! What was written, as a tree: every node with its place, nothing resolved yet.

use super::code;
use crate::diagnostic::{Diagnostic, Phase};
use crate::source::{SourceId, Span};
use std::sync::Arc;

/// Trees are at most this deep, so that walking or dropping one never exhausts the stack.
pub const DEEPEST: u16 = 400;

/// A fault found while the tree is built.
pub type Fault = Box<Diagnostic>;

#[derive(Clone, Debug, PartialEq)]
pub struct Ast {
    pub start: super::parse::Start,
    pub source: SourceId,
    pub lines: Vec<Line>,
}

/// What may stand outside of every block.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    Definition(Definition),
    Statement(Stmt),
    /// Of the language that the manual's authors built later; here a game is one file.
    Import(Span),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Definition {
    Player(Arc<PlayerBlock>),
    Item(Arc<ItemBlock>),
    Function(Arc<Function>),
    Layout(Arc<Layout>),
    GameLoop(Arc<Plain>),
    CheckGameEnd(Arc<Plain>),
    GameOver(Arc<Plain>),
    CheckMove(Arc<CheckMove>),
    Colocation(Arc<Colocation>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    pub text: Arc<str>,
    pub span: Span,
}

/// `Player { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerBlock {
    pub rows: Vec<PlayerRow>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum PlayerRow {
    Attribute(AttributeRow),
    /// `type = "evil" { … }`.
    Type {
        name: Name,
        rows: Vec<AttributeRow>,
        span: Span,
    },
}

/// `int lives, poison = 3`.
#[derive(Clone, Debug, PartialEq)]
pub struct AttributeRow {
    pub ty: TypeName,
    pub variables: Vec<Variable>,
    pub span: Span,
}

/// `Item Bonus { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemBlock {
    pub name: Name,
    pub rows: Vec<AttributeRow>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    pub name: Name,
    pub parameters: Vec<Parameter>,
    /// None: returns nothing.
    pub result: Option<TypeName>,
    pub body: Block,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    pub ty: TypeName,
    pub name: Name,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    pub size: LayoutSize,
    pub body: Block,
    /// The word `Layout` itself.
    pub head: Span,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum LayoutSize {
    /// `Layout(5, 4)`; any count of values, the checker wants two.
    Given(Vec<Expr>),
    /// `Layout(int rowCount, int colCount)`.
    Named(Vec<Name>),
}

/// A block without parameters: gameLoop, checkGameEnd, gameOver.
#[derive(Clone, Debug, PartialEq)]
pub struct Plain {
    pub body: Block,
    pub head: Span,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct CheckMove {
    pub receiver: Option<Piece>,
    pub parameters: Vec<Parameter>,
    pub body: Block,
    pub head: Span,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Colocation {
    pub receiver: Piece,
    pub argument: Argument,
    /// The player type that the one who moved must be of.
    pub filter: Option<Name>,
    pub body: Block,
    pub head: Span,
    pub span: Span,
}

/// The one who moved: `Player`, `Bonus other`, `Item Bonus other`. Which word is the variable is the checker's to say.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    pub piece: Piece,
    pub words: Vec<Name>,
    pub span: Span,
}

/// Whom a handler is for, as written.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    Player(Span),
    Item(Span),
    Named(Name),
}

impl Piece {
    pub fn span(&self) -> Span {
        match self {
            Piece::Player(span) | Piece::Item(span) => *span,
            Piece::Named(name) => name.span,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct TypeName {
    pub base: Base,
    pub sizes: Sizes,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Base {
    Int,
    Float,
    Text,
    Truth,
    Coordinate,
    Void,
    Player,
    Item,
    /// The name of a kind of item.
    Kind(Name),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Sizes {
    /// No array.
    None,
    /// `[]` is one, `[,]` two.
    Open(usize),
    Given(Vec<Expr>),
}

/// Statements in braces, or the one statement that stands for them.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    pub statements: Vec<Stmt>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
    depth: u16,
}

#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    Declare {
        ty: TypeName,
        variables: Vec<Variable>,
    },
    Assign {
        target: Expr,
        op: AssignOp,
        value: Expr,
    },
    /// `x++`, `--x`.
    Count {
        target: Expr,
        up: bool,
    },
    If {
        condition: Expr,
        then: Block,
        otherwise: Option<Block>,
    },
    While {
        condition: Expr,
        body: Block,
    },
    Return(Option<Expr>),
    Repeat,
    Evaluate(Expr),
}

/// One of the names that a declaration declares.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    pub name: Name,
    pub value: Option<Expr>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssignOp {
    Set,
    Change(Arithmetic),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    Equal,
    NotEqual,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
    depth: u16,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// As written: the checker knows what fits into an int.
    Int(i64),
    Float(f64),
    Text(Arc<str>),
    Truth(bool),
    Name(Arc<str>),
    /// `p`.
    Current,
    PlayerOrder,
    /// The words `Player` and `Item` where a value stands: pieces of a handler.
    PlayerWord,
    ItemWord,
    /// A type among the arguments of a call, as in `prompt("row", int)`.
    TypeWord(Base),
    Coordinate(Box<Expr>, Box<Expr>),
    Array(Vec<Expr>),
    /// `Grid(…)`.
    Cell(Vec<Expr>),
    Element(Box<Expr>, Vec<Expr>),
    Attribute(Box<Expr>, Name),
    Call(Callee, Vec<Expr>),
    Not(Box<Expr>),
    Negative(Box<Expr>),
    Arithmetic(Arithmetic, Box<Expr>, Box<Expr>),
    Comparison(Comparison, Box<Expr>, Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Callee {
    Named(Name),
    Builtin(Builtin, Span),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    Print,
    Prompt,
    DrawGrid,
    CreateGrid,
    Traverse,
    Random,
    Len,
    GameOver,
    DiceThrow,
}

impl Expr {
    pub fn new(kind: ExprKind, span: Span) -> Result<Expr, Fault> {
        let depth = bounded(1 + kind.deepest_part(), span)?;
        Ok(Expr { kind, span, depth })
    }
}

impl ExprKind {
    fn deepest_part(&self) -> u16 {
        let deepest = |parts: &[Expr]| parts.iter().map(|e| e.depth).max().unwrap_or(0);
        match self {
            ExprKind::Coordinate(a, b)
            | ExprKind::Arithmetic(_, a, b)
            | ExprKind::Comparison(_, a, b) => a.depth.max(b.depth),
            ExprKind::And(a, b) | ExprKind::Or(a, b) => a.depth.max(b.depth),
            ExprKind::Array(parts) | ExprKind::Cell(parts) | ExprKind::Call(_, parts) => {
                deepest(parts)
            }
            ExprKind::Element(of, parts) => of.depth.max(deepest(parts)),
            ExprKind::Attribute(of, _) | ExprKind::Not(of) | ExprKind::Negative(of) => of.depth,
            _ => 0,
        }
    }
}

impl Stmt {
    pub fn new(kind: StmtKind, span: Span) -> Result<Stmt, Fault> {
        let depth = bounded(1 + kind.deepest_part(), span)?;
        Ok(Stmt { kind, span, depth })
    }
}

impl StmtKind {
    fn deepest_part(&self) -> u16 {
        let block = |b: &Block| b.statements.iter().map(|s| s.depth).max().unwrap_or(0);
        match self {
            StmtKind::Declare { variables, .. } => variables
                .iter()
                .filter_map(|v| v.value.as_ref())
                .map(|e| e.depth)
                .max()
                .unwrap_or(0),
            StmtKind::Assign { target, value, .. } => target.depth.max(value.depth),
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => condition
                .depth
                .max(block(then))
                .max(otherwise.as_ref().map_or(0, block)),
            StmtKind::While { condition, body } => condition.depth.max(block(body)),
            StmtKind::Return(Some(e))
            | StmtKind::Evaluate(e)
            | StmtKind::Count { target: e, .. } => e.depth,
            StmtKind::Return(None) | StmtKind::Repeat => 0,
        }
    }
}

fn bounded(depth: u16, span: Span) -> Result<u16, Fault> {
    if depth <= DEEPEST {
        return Ok(depth);
    }
    let message = format!("this is nested more than {DEEPEST} deep");
    let fault = Diagnostic::error(Phase::Parse, code::TOO_DEEP, span, message)
        .note("keep parts of it in variables or functions of their own");
    Err(Box::new(fault))
}

/// Every statement of a block, those inside of others too.
pub fn each_statement<'a>(block: &'a [Stmt], see: &mut impl FnMut(&'a Stmt)) {
    for statement in block {
        see(statement);
        match &statement.kind {
            StmtKind::If {
                then, otherwise, ..
            } => {
                each_statement(&then.statements, see);
                if let Some(otherwise) = otherwise {
                    each_statement(&otherwise.statements, see);
                }
            }
            StmtKind::While { body, .. } => each_statement(&body.statements, see),
            _ => {}
        }
    }
}
