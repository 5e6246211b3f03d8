//! The abstract syntax tree: what was written, with spans, before any name is resolved.

use crate::check::errors;
use crate::check::types::Type;
pub use crate::code::{ArithmeticOp, CompareOp, LogicOp};
pub use crate::language::Name;
use crate::language::syntax::{GrammarErrors, parse_error};
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

impl Definition {
    /// Where messages point to.
    pub fn head(&self) -> Span {
        match self {
            Definition::Player(block) => block.span,
            Definition::Item(block) => block.name.span,
            other => other.code().map_or_else(Span::default, |code| code.head),
        }
    }

    pub fn code(&self) -> Option<&Code> {
        match self {
            Definition::Player(_) | Definition::Item(_) => None,
            Definition::Function(function) => Some(&function.code),
            Definition::Layout(layout) => Some(&layout.code),
            Definition::Lifecycle(block) => Some(&block.code),
            Definition::CheckMove(handler) => Some(&handler.code),
            Definition::Colocation(handler) => Some(&handler.code),
        }
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
    Lifecycle(Arc<LifecycleBlock>),
    CheckMove(Arc<CheckMove>),
    Colocation(Arc<Colocation>),
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
    },
}

/// `int lives, poison = 3`.
#[derive(Clone, Debug, PartialEq)]
pub struct AttributeDecl {
    pub ty: TypeName,
    pub declarators: Vec<Declarator>,
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
    pub code: Code,
}

/// The code of a function, handler or block.
#[derive(Clone, Debug, PartialEq)]
pub struct Code {
    pub body: Block,
    /// Where messages point to: the name, or the keyword and what is before it.
    pub head: Span,
    /// The whole definition.
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    pub ty: TypeName,
    pub name: Name,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    pub size: LayoutSize,
    pub code: Code,
}

#[derive(Clone, Debug, PartialEq)]
pub enum LayoutSize {
    /// `Layout(5, 4)`. Any number of values parses; the checker requires two.
    Values(Vec<Expr>),
    /// `Layout(int rowCount, int colCount)`.
    Parameters(Vec<Name>),
}

/// The blocks without parameters that the rules call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lifecycle {
    GameLoop,
    CheckGameEnd,
    GameOver,
}

impl Lifecycle {
    pub fn name(self) -> &'static str {
        match self {
            Lifecycle::GameLoop => "gameLoop",
            Lifecycle::CheckGameEnd => "checkGameEnd",
            Lifecycle::GameOver => "gameOver",
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct LifecycleBlock {
    pub kind: Lifecycle,
    pub code: Code,
}

#[derive(Clone, Debug, PartialEq)]
pub struct CheckMove {
    pub receiver: Option<PieceRef>,
    pub parameters: Vec<Parameter>,
    pub code: Code,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Colocation {
    pub receiver: PieceRef,
    pub mover: MoverParameter,
    /// If given, the mover must be a player of this type.
    pub filter: Option<Name>,
    pub code: Code,
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
    Known(Type),
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
        /// The operator of `+=` and the like.
        op: Option<ArithmeticOp>,
        /// Where `=`, `+=` or the like is.
        at: Span,
        value: Expr,
    },
    /// `x++`, `x--`, `++x`, `--x`: adds or subtracts 1.
    IncDec {
        target: Expr,
        op: ArithmeticOp,
        /// Where `++` or `--` is.
        at: Span,
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

#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
    /// The operator between the operands, the `[` of an index or the `,` of a coordinate.
    operator: Option<Span>,
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
    TypeKeyword(Type),
    Coordinate(Box<Expr>, Box<Expr>),
    Array(Vec<Expr>),
    /// `Grid(row, column)`.
    Cell(Vec<Expr>),
    Index(Box<Expr>, Vec<Expr>),
    Attribute(Box<Expr>, Name),
    Call(Name, Vec<Expr>),
    Not(Box<Expr>),
    Negate(Box<Expr>),
    Arithmetic(ArithmeticOp, Box<Expr>, Box<Expr>),
    Comparison(CompareOp, Box<Expr>, Box<Expr>),
    Logic(LogicOp, Box<Expr>, Box<Expr>),
}

impl Expr {
    pub fn new(kind: ExprKind, span: Span) -> Result<Expr, GrammarErrors> {
        let depth = check_depth(1 + kind.child_depth(), span)?;
        Ok(Expr {
            kind,
            span,
            operator: None,
            depth,
        })
    }

    pub fn with_operator(self, at: Span) -> Expr {
        let operator = Some(at);
        Expr { operator, ..self }
    }

    /// Where the debugger shows the value, unless that is the start of the expression.
    pub fn operator(&self) -> Option<Span> {
        match &self.kind {
            ExprKind::Attribute(_, name) => Some(name.span),
            _ => self.operator,
        }
    }
}

impl ExprKind {
    fn child_depth(&self) -> u16 {
        let deepest = |exprs: &[Expr]| exprs.iter().map(|e| e.depth).max().unwrap_or(0);
        match self {
            ExprKind::Coordinate(a, b)
            | ExprKind::Arithmetic(_, a, b)
            | ExprKind::Comparison(_, a, b)
            | ExprKind::Logic(_, a, b) => a.depth.max(b.depth),
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
    /// The blocks of an `if` or a loop.
    fn blocks(&self) -> impl Iterator<Item = &Block> {
        let (first, second) = match self {
            StmtKind::If {
                then, otherwise, ..
            } => (Some(then), otherwise.as_ref()),
            StmtKind::While { body, .. } => (Some(body), None),
            _ => (None, None),
        };
        first.into_iter().chain(second)
    }

    fn child_depth(&self) -> u16 {
        let exprs: Vec<&Expr> = match self {
            StmtKind::Declare { declarators, .. } => {
                declarators.iter().filter_map(|d| d.init.as_ref()).collect()
            }
            StmtKind::Assign { target, value, .. } => vec![target, value],
            StmtKind::If { condition: e, .. }
            | StmtKind::While { condition: e, .. }
            | StmtKind::IncDec { target: e, .. }
            | StmtKind::Return(Some(e))
            | StmtKind::Expr(e) => vec![e],
            StmtKind::Return(None) | StmtKind::Repeat => vec![],
        };
        let statements = self.blocks().flat_map(|block| &block.statements);
        let depths = exprs.iter().map(|e| e.depth);
        depths.chain(statements.map(|s| s.depth)).max().unwrap_or(0)
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
        for block in statement.kind.blocks() {
            visit_statements(&block.statements, visit);
        }
    }
}
