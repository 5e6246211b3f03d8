//! The abstract syntax tree: what was written, with spans, before any name is resolved.

pub use crate::code::{ArithmeticOp, CompareOp};
use crate::language::syntax::{GrammarErrors, parse_error};
use crate::languages::gridlang::check::errors;
use crate::source::{SourceId, Span};
use std::sync::Arc;

/// Maximum depth of a tree, so that recursive visitors and `Drop` cannot overflow the stack.
pub const MAX_TREE_DEPTH: u16 = 400;

#[derive(Clone, Debug, PartialEq)]
pub struct Ast {
    pub start: super::parse::Start,
    pub source: SourceId,
    pub top_level: Vec<TopLevel>,
}

impl Ast {
    /// The definitions, in source order.
    pub fn definitions(&self) -> impl DoubleEndedIterator<Item = &Definition> {
        self.top_level
            .iter()
            .filter_map(|construct| match construct {
                TopLevel::Definition(definition) => Some(definition),
                TopLevel::Statement(_) | TopLevel::Import(_) => None,
            })
    }

    /// The statements outside of definitions, in source order.
    pub fn statements(&self) -> impl Iterator<Item = &Stmt> {
        self.top_level
            .iter()
            .filter_map(|construct| match construct {
                TopLevel::Statement(statement) => Some(statement),
                TopLevel::Definition(_) | TopLevel::Import(_) => None,
            })
    }
}

/// A top-level construct.
#[derive(Clone, Debug, PartialEq)]
pub enum TopLevel {
    Definition(Definition),
    Statement(Stmt),
    /// `import x.grid`, from a later dialect. It is ignored with a warning: a game is a single file.
    Import(Span),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Definition {
    Player(Arc<PlayerBlock>),
    Item(Arc<ItemBlock>),
    Function(Arc<Function>),
    Layout(Arc<Layout>),
    GameLoop(Arc<LifecycleBlock>),
    CheckGameEnd(Arc<LifecycleBlock>),
    GameOver(Arc<LifecycleBlock>),
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
    pub members: Vec<PlayerMember>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum PlayerMember {
    Attribute(AttributeDecl),
    /// `type = "evil" { … }`.
    Type {
        name: Name,
        attributes: Vec<AttributeDecl>,
        span: Span,
    },
}

/// `int lives, poison = 3`.
#[derive(Clone, Debug, PartialEq)]
pub struct AttributeDecl {
    pub ty: TypeName,
    pub declarators: Vec<Declarator>,
    pub span: Span,
}

/// `Item Bonus { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemBlock {
    pub name: Name,
    pub attributes: Vec<AttributeDecl>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    pub name: Name,
    pub parameters: Vec<Parameter>,
    /// `None` if the function returns nothing.
    pub return_type: Option<TypeName>,
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
    /// The keyword `Layout`.
    pub head: Span,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum LayoutSize {
    /// `Layout(5, 4)`. Any number of values parses; the checker requires two.
    Values(Vec<Expr>),
    /// `Layout(int rowCount, int colCount)`.
    Parameters(Vec<Name>),
}

/// A block without parameters that the rules call: `gameLoop`, `checkGameEnd` or `gameOver`.
#[derive(Clone, Debug, PartialEq)]
pub struct LifecycleBlock {
    pub body: Block,
    pub head: Span,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct CheckMove {
    pub receiver: Option<PieceRef>,
    pub parameters: Vec<Parameter>,
    pub body: Block,
    pub head: Span,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Colocation {
    pub receiver: PieceRef,
    pub mover: MoverParameter,
    /// If given, the mover must be a player of this type.
    pub filter: Option<Name>,
    pub body: Block,
    pub head: Span,
    pub span: Span,
}

/// The parameter of `colocation`, the piece that moved: `Player`, `Bonus other`, `Item Bonus
/// other`. The checker decides which of the names is the variable.
#[derive(Clone, Debug, PartialEq)]
pub struct MoverParameter {
    pub piece: PieceRef,
    pub names: Vec<Name>,
    pub span: Span,
}

/// The piece or kind of piece that a handler is for, as written.
#[derive(Clone, Debug, PartialEq)]
pub enum PieceRef {
    Player(Span),
    Item(Span),
    Named(Name),
}

impl PieceRef {
    pub fn span(&self) -> Span {
        match self {
            PieceRef::Player(span) | PieceRef::Item(span) => *span,
            PieceRef::Named(name) => name.span,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct TypeName {
    pub base: Base,
    pub sizes: ArraySizes,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Base {
    Int,
    Float,
    Text,
    Bool,
    Coordinate,
    Void,
    Player,
    Item,
    /// The name of a kind of item.
    ItemKind(Name),
}

#[derive(Clone, Debug, PartialEq)]
pub enum ArraySizes {
    NotArray,
    /// The number of dimensions: `[]` has one, `[,]` two.
    Omitted(usize),
    Explicit(Vec<Expr>),
}

/// Statements in braces, or a single statement without braces.
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
        declarators: Vec<Declarator>,
    },
    Assign {
        target: Expr,
        op: AssignOp,
        value: Expr,
    },
    /// `x++`, `x--`, `++x`, `--x`.
    IncDec {
        target: Expr,
        is_increment: bool,
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
    Expr(Expr),
}

/// One variable of a declaration: `x` or `x = 3`.
#[derive(Clone, Debug, PartialEq)]
pub struct Declarator {
    pub name: Name,
    pub init: Option<Expr>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssignOp {
    Set,
    Compound(ArithmeticOp),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
    depth: u16,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// As written; the checker reports values that do not fit into an int.
    Int(i64),
    Float(f64),
    Text(Arc<str>),
    Bool(bool),
    Name(Arc<str>),
    /// `p`, the current player.
    CurrentPlayer,
    PlayerOrder,
    /// `Player` and `Item` used as values: the pieces of the surrounding handler.
    PlayerKeyword,
    ItemKeyword,
    /// A type as an argument: `prompt("row", int)`.
    TypeKeyword(Base),
    Coordinate(Box<Expr>, Box<Expr>),
    Array(Vec<Expr>),
    /// `Grid(row, column)`.
    Cell(Vec<Expr>),
    Index(Box<Expr>, Vec<Expr>),
    Attribute(Box<Expr>, Name),
    Call(Callee, Vec<Expr>),
    Not(Box<Expr>),
    Negate(Box<Expr>),
    Arithmetic(ArithmeticOp, Box<Expr>, Box<Expr>),
    Comparison(CompareOp, Box<Expr>, Box<Expr>),
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
    pub fn new(kind: ExprKind, span: Span) -> Result<Expr, GrammarErrors> {
        let depth = check_depth(1 + kind.child_depth(), span)?;
        Ok(Expr { kind, span, depth })
    }
}

impl ExprKind {
    fn child_depth(&self) -> u16 {
        let deepest = |exprs: &[Expr]| exprs.iter().map(|e| e.depth).max().unwrap_or(0);
        match self {
            ExprKind::Coordinate(a, b)
            | ExprKind::Arithmetic(_, a, b)
            | ExprKind::Comparison(_, a, b) => a.depth.max(b.depth),
            ExprKind::And(a, b) | ExprKind::Or(a, b) => a.depth.max(b.depth),
            ExprKind::Array(parts) | ExprKind::Cell(parts) | ExprKind::Call(_, parts) => {
                deepest(parts)
            }
            ExprKind::Index(of, parts) => of.depth.max(deepest(parts)),
            ExprKind::Attribute(of, _) | ExprKind::Not(of) | ExprKind::Negate(of) => of.depth,
            _ => 0,
        }
    }
}

impl Stmt {
    pub fn new(kind: StmtKind, span: Span) -> Result<Stmt, GrammarErrors> {
        let depth = check_depth(1 + kind.child_depth(), span)?;
        Ok(Stmt { kind, span, depth })
    }
}

impl StmtKind {
    fn child_depth(&self) -> u16 {
        let block = |b: &Block| b.statements.iter().map(|s| s.depth).max().unwrap_or(0);
        match self {
            StmtKind::Declare { declarators, .. } => declarators
                .iter()
                .filter_map(|d| d.init.as_ref())
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
            StmtKind::Return(Some(e)) | StmtKind::Expr(e) | StmtKind::IncDec { target: e, .. } => {
                e.depth
            }
            StmtKind::Return(None) | StmtKind::Repeat => 0,
        }
    }
}

fn check_depth(depth: u16, span: Span) -> Result<u16, GrammarErrors> {
    if depth <= MAX_TREE_DEPTH {
        return Ok(depth);
    }
    let message = format!("nesting too deep: the limit is {MAX_TREE_DEPTH} levels");
    let error = parse_error(errors::TOO_DEEP, span, message)
        .note("move parts of it into variables or functions");
    Err(vec![error])
}

/// Calls `visit` for every statement, including nested ones, in source order.
pub fn visit_statements<'a>(block: &'a [Stmt], visit: &mut impl FnMut(&'a Stmt)) {
    for statement in block {
        visit(statement);
        match &statement.kind {
            StmtKind::If {
                then, otherwise, ..
            } => {
                visit_statements(&then.statements, visit);
                if let Some(otherwise) = otherwise {
                    visit_statements(&otherwise.statements, visit);
                }
            }
            StmtKind::While { body, .. } => visit_statements(&body.statements, visit),
            _ => {}
        }
    }
}
