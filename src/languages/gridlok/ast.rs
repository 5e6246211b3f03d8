//! GridLok's syntax tree. Every node has its source span.

pub use crate::code::{ArithmeticOp, CompareOp};
// A name is an identifier, or the text of a string literal.
pub use crate::language::Name;
use crate::source::Span;
use std::sync::Arc;

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

impl EntryPart {
    /// The item, if it is one.
    pub fn item(&self) -> Option<&Item> {
        match self {
            EntryPart::Item(item) => Some(item),
            EntryPart::Statement(_) => None,
        }
    }
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

impl Item {
    /// The name that identifies it. Defining an item replaces the one of the same name.
    pub fn name(&self) -> String {
        let word = match &self.kind {
            ItemKind::Board(_) => "board",
            ItemKind::Players(_) => "players",
            ItemKind::TurnOrder(_) => "turnOrder",
            ItemKind::EventPriority(_) => "eventPriority",
            ItemKind::Piece(piece) => return format!("piece {}", piece.name()),
            ItemKind::Setup(_) => "setup",
            ItemKind::Condition(ending, _) => ending.condition(),
            // Functions and variables share a namespace: the later one replaces the earlier.
            ItemKind::Def(Def { name, .. }) | ItemKind::Function(Function { name, .. }) => {
                &name.text
            }
        };
        word.to_string()
    }

    /// The name of a variable or function.
    pub fn defined_name(&self) -> Option<&Name> {
        match &self.kind {
            ItemKind::Def(Def { name, .. }) | ItemKind::Function(Function { name, .. }) => {
                Some(name)
            }
            _ => None,
        }
    }
}

/// How a game can end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Ending {
    Win,
    Lose,
    Draw,
}

impl Ending {
    /// The keyword of its condition.
    pub fn condition(self) -> &'static str {
        match self {
            Ending::Win => "winCondition",
            Ending::Lose => "loseCondition",
            Ending::Draw => "drawCondition",
        }
    }
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Board {
    /// Rows, columns, and the span of `dimensions{…}`. The checker reports `None` as an error.
    pub dimensions: Option<(Expr, Expr, Span)>,
    pub image: Option<Name>,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Piece {
    /// The checker reports `None` as an error.
    pub name: Option<Name>,
    pub image: Option<Name>,
    pub on_turn: Option<Handler>,
    pub on_click: Option<Handler>,
}

impl Piece {
    /// Its name; empty if it has none.
    pub fn name(&self) -> &str {
        self.name.as_ref().map_or("", |name| &name.text)
    }

    /// Its handlers, with the keyword of each.
    pub fn handlers(&self) -> impl Iterator<Item = (&'static str, &Handler)> {
        let handlers = [("onClick", &self.on_click), ("onTurn", &self.on_turn)];
        let handlers = handlers.into_iter();
        handlers.filter_map(|(keyword, handler)| Some((keyword, handler.as_ref()?)))
    }
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

impl Block {
    /// Whether the test is true for one of its statements, or for one inside of them.
    pub fn any(&self, test: &impl Fn(&StatementKind) -> bool) -> bool {
        self.statements.iter().any(|statement| {
            test(&statement.kind)
                || match &statement.kind {
                    StatementKind::If { arms, otherwise } => {
                        let blocks = arms.iter().map(|(_, block)| block).chain(otherwise);
                        blocks.into_iter().any(|block| block.any(test))
                    }
                    StatementKind::For(_, block)
                    | StatementKind::Braces(_, BraceContent::Block(block)) => block.any(test),
                    _ => false,
                }
        })
    }
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

impl Expr {
    /// The expression without its outer parentheses.
    pub fn unparenthesized(&self) -> &Expr {
        let mut inner = self;
        while let ExprKind::Paren(expr) = &inner.kind {
            inner = expr;
        }
        inner
    }

    /// Where the debugger shows the value, unless that is the start of the expression.
    pub fn operator(&self) -> Option<Span> {
        match &self.kind {
            ExprKind::Index(_, _, at) | ExprKind::Binary(_, _, _, at) => Some(*at),
            ExprKind::Field(_, name) => Some(name.span),
            _ => None,
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    Int(i32),
    Text(String),
    Bool(bool),
    Empty,
    /// A variable, a parameter or a predefined variable.
    Name(Arc<str>),
    /// `f{…}`, `rand{…}`, `print{…}`.
    Call(Name, Vec<Expr>),
    /// `board[r][c]`
    Cell(Box<Expr>, Box<Expr>),
    /// `l[i]`, with the span of the `[`.
    Index(Box<Expr>, Box<Expr>, Span),
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
