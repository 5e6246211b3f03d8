//! BoGL's values as text, its boards as pictures, and what is defined as lists.

use super::env::{Global, What};
use super::notes::Kind;
use super::scope::{PLACED, Scope};
use super::token::Token;
use crate::code::Program;
use crate::language::{BoardView, CellView, Class, Definition, GameView, Window};
use crate::value::{Grid, Object, Store, Text, Value, View};

/// A value as it stands in a source. A board has no such form: it is drawn, or in one line if `quoted`.
pub fn write(_: &Program, store: &Store, value: Value, quoted: bool) -> String {
    match store.heap.grid(value) {
        Some(grid) if !quoted => draw(store, grid),
        _ => in_line(store, value),
    }
}

// Types are never nested deeper than a few hundred tuples, so this may recurse.
fn in_line(store: &Store, value: Value) -> String {
    match value.view() {
        View::Nothing => "nothing".into(),
        // A cell that no equation has reached yet.
        View::Empty => "_".into(),
        View::Int(n) => n.to_string(),
        View::Bool(true) => "True".into(),
        View::Bool(false) => "False".into(),
        View::Text(text) | View::Symbol(text) => text.to_string(),
        View::Heap(handle) => match store.heap.object(handle) {
            Some(Object::Tuple(parts)) => {
                let parts: Vec<String> = parts.iter().map(|&part| in_line(store, part)).collect();
                format!("({})", parts.join(", "))
            }
            Some(Object::Grid(grid)) => {
                let row = |cells: &[Value]| {
                    cells
                        .iter()
                        .map(|&c| in_line(store, c))
                        .collect::<Vec<_>>()
                        .join(" ")
                };
                let rows: Vec<String> = grid
                    .cells
                    .chunks(grid.cols.max(1) as usize)
                    .map(row)
                    .collect();
                format!("[{}]", rows.join(" | "))
            }
            Some(Object::Number(n)) => n.to_string(),
            Some(Object::Text(text)) => text.to_string(),
            _ => "?".into(),
        },
        View::Float(_) | View::Piece(_) | View::Coordinate(..) | View::Me(..) => "?".into(),
    }
}

/// One line a row, the columns under each other.
fn draw(store: &Store, grid: &Grid) -> String {
    let cells: Vec<String> = grid
        .cells
        .iter()
        .map(|&cell| in_line(store, cell))
        .collect();
    let cols = grid.cols.max(1) as usize;
    let width = |col: usize| {
        cells
            .iter()
            .skip(col)
            .step_by(cols)
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..cols).map(width).collect();
    let line = |row: &[String]| {
        let padded: Vec<String> = row
            .iter()
            .zip(&widths)
            .map(|(cell, &wide)| format!("{cell:<wide$}"))
            .collect();
        padded.join(" ").trim_end().to_string()
    };
    cells.chunks(cols).map(line).collect::<Vec<_>>().join("\n")
}

pub fn view(program: &Program, store: &Store, window: Window) -> GameView {
    let variable = |number: u32| {
        store
            .globals
            .get(number as usize)
            .copied()
            .unwrap_or(Value::NOTHING)
    };
    let scope = program.scope.downcast_ref::<Scope>();
    let mut variables: Vec<(u32, String, Value)> = scope
        .iter()
        .flat_map(|scope| {
            scope
                .slots
                .iter()
                .map(move |(name, &slot)| (scope, name, slot))
        })
        .filter(|(scope, name, _)| is_variable(scope, name))
        .map(|(_, name, slot)| (slot, name.to_string(), variable(slot)))
        .filter(|(_, _, value)| *value != Value::NOTHING)
        .collect();
    variables.sort_by_key(|(slot, ..)| *slot);
    GameView {
        board: store
            .heap
            .grid(variable(PLACED))
            .map(|grid| board(store, grid, window)),
        variables: variables
            .into_iter()
            .map(|(_, name, value)| (name, value))
            .collect(),
        ..GameView::default()
    }
}

fn is_variable(scope: &Scope, name: &str) -> bool {
    scope.env.broken(name).is_none()
        && scope
            .env
            .global(name)
            .is_some_and(|global| matches!(global.kind(), Kind::Board | Kind::Let))
}

fn board(store: &Store, grid: &Grid, window: Window) -> BoardView {
    let (row, col) = (window.row.min(grid.rows), window.col.min(grid.cols));
    let (shown_rows, shown_cols) = (
        window.rows.min(grid.rows - row),
        window.cols.min(grid.cols - col),
    );
    let cell = |r: u32, c: u32| {
        let value = grid.cells[((row + r) * grid.cols + col + c) as usize];
        let name = match value.view() {
            View::Empty => None,
            View::Symbol(text) => Some(text),
            _ => Some(Text::new(&in_line(store, value))),
        };
        CellView {
            name,
            visible: true,
            ..CellView::default()
        }
    };
    let cells = (0..shown_rows)
        .flat_map(|r| (0..shown_cols).map(move |c| (r, c)))
        .map(|(r, c)| cell(r, c))
        .collect();
    let (rows, cols) = (grid.rows, grid.cols);
    BoardView {
        rows,
        cols,
        row,
        col,
        shown_rows,
        shown_cols,
        cells,
        origin: (1, 1),
        ..BoardView::default()
    }
}

/// What a word is, for colouring it.
pub fn class(token: Token, word: &str) -> Class {
    match token {
        Token::Name if super::builtin::Builtin::find(word).is_some() => Class::Builtin,
        Token::Capital if ["Int", "Bool", "Board", "Input", "Content"].contains(&word) => {
            Class::Builtin
        }
        Token::Name => Class::Name,
        // A symbol stands for itself, as a text does.
        Token::Capital => Class::Text,
        Token::True | Token::False => Class::Builtin,
        Token::Int => Class::Number,
        Token::Comment => Class::Comment,
        Token::Open | Token::Close | Token::OpenBrace | Token::CloseBrace => Class::Bracket,
        Token::Bad
        | Token::UnclosedComment
        | Token::StartProgram
        | Token::StartEntry
        | Token::StartInput => Class::Bad,
        token if token.is_keyword() => Class::Keyword,
        _ => Class::Operator,
    }
}

pub fn definitions(scope: &Scope) -> Vec<Definition> {
    let types = scope.env.types().iter().map(|declared| {
        let name = declared.definition.name.text.to_string();
        let head = scope
            .slice(declared.definition.span)
            .lines()
            .next()
            .unwrap_or(&name)
            .to_string();
        Definition {
            name,
            what: "type",
            head,
            span: declared.definition.span,
        }
    });
    types
        .chain(
            scope
                .env
                .globals()
                .into_iter()
                .map(|global| definition(global)),
        )
        .collect()
}

fn definition(global: &Global) -> Definition {
    let span = match &global.what {
        What::Definition(definition, _) => definition.span,
        What::Let(session) => session.span,
    };
    let head = format!("{} : {}", global.name, global.signed);
    Definition {
        name: global.name.to_string(),
        what: kind_word(global.kind()),
        head,
        span,
    }
}

pub fn kind_word(kind: Kind) -> &'static str {
    match kind {
        Kind::Function => "function",
        Kind::Value => "value",
        Kind::Board => "board",
        Kind::Let => "variable",
    }
}
