//! Formats BoGL values and boards, classifies tokens for highlighting and lists definitions.
//!
//! ```text
//! program_items  the items of a program, as its file contains them
//! query          the commands `:type` and `:info`
//! ```

pub mod program_items;
pub mod query;

use super::BoGL;
use super::token::Token;
use crate::check::env::GlobalDef;
use crate::check::resolution::GlobalKind;
use crate::code::{Global, Program};
use crate::language::{
    BoardView, CellView, Definition, GameView, NamedValues, ProgramItem, TokenClass, Viewport,
    Views,
};
use crate::lower::scope::{DISPLAYED_BOARD, OTHER_BOARD, Scope};
use crate::source::Sources;
use crate::value::{Grid, InternedStr, Object, Store, Unpacked, Value};

impl Views for BoGL {
    fn view(&self, _: &Program, store: &Store, viewport: Viewport) -> GameView {
        let grid = store.heap.grid(store.global(DISPLAYED_BOARD));
        GameView {
            board: grid.map(|grid| board_view(store, grid, viewport)),
            ..GameView::default()
        }
    }

    /// The second board of a game, if it differs from the displayed one.
    fn other_boards(&self, _: &Program, store: &Store) -> Vec<Value> {
        let (shown, other) = (store.global(DISPLAYED_BOARD), store.global(OTHER_BOARD));
        let is_board = store.heap.grid(other).is_some();
        match is_board && !store.heap.deep_equals(shown, other) {
            true => vec![other],
            false => Vec::new(),
        }
    }

    fn value_type(&self, program: &Program, store: &Store, value: Value) -> String {
        value_type(program, store, value)
    }

    /// The variables that are not broken.
    fn named_values(&self, program: &Program, store: &Store) -> NamedValues {
        let scope = Scope::of(program);
        let is_variable = |global: &Global| {
            global.is_user_defined && scope.env.broken(global.name.as_str()).is_none()
        };
        let globals = program.globals.iter().zip(0..);
        let variables = globals.filter(|(global, _)| is_variable(global));
        let values = variables.map(|(global, slot)| (global.name.to_string(), store.global(slot)));
        NamedValues {
            variables: values.filter(|(_, v)| *v != Value::NOTHING).collect(),
            ..NamedValues::default()
        }
    }

    fn definitions(&self, program: &Program) -> Vec<Definition> {
        let scope = &Scope::of(program);
        let types = scope.env.types.iter().map(|declared| {
            let (name, span) = (&declared.definition.name.text, declared.definition.span);
            let first_line = scope.slice(span).lines().next().unwrap_or(name);
            Definition::new(&**name, "type", first_line, span)
        });
        let globals = scope.env.globals();
        types
            .chain(globals.into_iter().map(|g| definition(g)))
            .collect()
    }

    fn program_items(&self, program: &Program, _: &Sources) -> Vec<ProgramItem> {
        program_items::program_items(&Scope::of(program))
    }
}

/// Formats a value in source syntax. A board has none: it is drawn, or written on one line if
/// `quoted`.
pub fn format_value(_: &Program, store: &Store, value: Value, quoted: bool) -> String {
    match store.heap.grid(value) {
        Some(grid) if !quoted => format_board(store, grid),
        _ => format_inline(store, value),
    }
}

/// The type of a value. A symbol has the first declared type that lists it.
// Recursion is safe: the nesting of tuples is limited, see `Type::is_too_large`.
fn value_type(program: &Program, store: &Store, value: Value) -> String {
    match value.unpack() {
        Unpacked::Nothing => "no value".into(),
        Unpacked::Empty => "Content".into(),
        Unpacked::Bool(_) => "Bool".into(),
        Unpacked::String(text) | Unpacked::Symbol(text) => symbol_type(program, text.as_str()),
        Unpacked::Heap(handle) => match store.heap.object(handle) {
            Some(Object::Tuple(parts)) => {
                let parts = parts.iter().map(|&part| value_type(program, store, part));
                format!("({})", parts.collect::<Vec<_>>().join(","))
            }
            Some(Object::Grid(_)) => "Board".into(),
            _ => "Int".into(),
        },
        _ => "Int".into(),
    }
}

fn symbol_type(program: &Program, symbol: &str) -> String {
    let scope = program.scope.downcast_ref::<Scope>();
    let declared = scope.and_then(|scope| scope.env.types.declaring_symbol(symbol));
    match declared.map(|declared| &*declared.definition.name.text) {
        // `type Board = … & {Empty}` lists symbols of its cells.
        Some("Board") => "Content".into(),
        Some(name) => name.into(),
        None => format!("{{{symbol}}}"),
    }
}

// Recursion is safe: the nesting of tuples is limited, see `Type::is_too_large`.
fn format_inline(store: &Store, value: Value) -> String {
    match value.unpack() {
        Unpacked::Nothing => "nothing".into(),
        // A cell that no equation has set yet.
        Unpacked::Empty => "_".into(),
        Unpacked::Int(n) => n.to_string(),
        Unpacked::Bool(true) => "True".into(),
        Unpacked::Bool(false) => "False".into(),
        Unpacked::String(text) | Unpacked::Symbol(text) => text.to_string(),
        Unpacked::Heap(handle) => match store.heap.object(handle) {
            Some(Object::Tuple(parts)) => {
                format!("({})", format_all(store, &**parts).join(", "))
            }
            Some(Object::Grid(grid)) => {
                let rows = grid.to_rows();
                let rows = rows.iter().map(|row| format_all(store, row).join(" "));
                format!("[{}]", rows.collect::<Vec<_>>().join(" | "))
            }
            Some(Object::Int(n)) => n.to_string(),
            Some(Object::String(text)) => text.to_string(),
            _ => "?".into(),
        },
        Unpacked::Float(_)
        | Unpacked::Piece(_)
        | Unpacked::Coordinate(..)
        | Unpacked::PieceRef(..) => "?".into(),
    }
}

fn format_all<'v>(store: &Store, values: impl IntoIterator<Item = &'v Value>) -> Vec<String> {
    let values = values.into_iter();
    values.map(|&value| format_inline(store, value)).collect()
}

/// One line per row, columns aligned.
fn format_board(store: &Store, grid: &Grid) -> String {
    let cells = format_all(store, &grid.cells);
    let cols = grid.cols.max(1) as usize;
    let width = |col: usize| {
        let column = cells.iter().skip(col).step_by(cols);
        column.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..cols).map(width).collect();
    let format_row = |row: &[String]| {
        let padded = row.iter().zip(&widths);
        let padded = padded.map(|(cell, &width)| format!("{cell:<width$}"));
        let line = padded.collect::<Vec<_>>().join(" ");
        line.trim_end().to_string()
    };
    let rows: Vec<String> = cells.chunks(cols).map(format_row).collect();
    rows.join("\n")
}

fn board_view(store: &Store, grid: &Grid, viewport: Viewport) -> BoardView {
    let cell = |row: u32, col: u32| {
        let index = (row * grid.cols + col) as usize;
        let value = grid.cells.get(index).copied().unwrap_or(Value::EMPTY);
        let name = match value.unpack() {
            Unpacked::Empty => None,
            Unpacked::Symbol(text) => Some(text),
            _ => Some(InternedStr::new(&format_inline(store, value))),
        };
        CellView {
            name,
            visible: true,
            ..CellView::default()
        }
    };
    BoardView {
        origin: (1, 1),
        ..BoardView::clipped(grid.rows, grid.cols, viewport, cell)
    }
}

/// The class of a token for syntax highlighting, if its text does not tell.
pub fn token_class(token: Token, text: &str) -> Option<TokenClass> {
    match token {
        Token::UpperName if ["Int", "Bool", "Board", "Input", "Content"].contains(&text) => {
            Some(TokenClass::Builtin)
        }
        // A symbol is a literal, like a string.
        Token::UpperName => Some(TokenClass::String),
        Token::True | Token::False => Some(TokenClass::Builtin),
        Token::Comment => Some(TokenClass::Comment),
        Token::Bad | Token::UnterminatedComment => Some(TokenClass::Invalid),
        _ => None,
    }
}

fn definition(global: &GlobalDef) -> Definition {
    let (name, kind) = (&global.name, kind_name(global.kind()));
    let signature = format!("{name} : {}", global.signature_type);
    Definition::new(&**name, kind, signature, global.span())
}

pub fn kind_name(kind: GlobalKind) -> &'static str {
    match kind {
        GlobalKind::Function => "function",
        GlobalKind::Value => "value",
        GlobalKind::Board => "board",
        GlobalKind::Let => "variable",
    }
}
