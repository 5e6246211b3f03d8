//! How values, the grid and the state of a game are shown.
//!
//! ```text
//! definition     what a program defines, for messages, completion and listings
//! program_items  the items of a program, as its file contains them
//! value          how values are printed
//! ```

mod definition;
pub mod program_items;
mod value;

pub use definition::definitions;
pub use value::format_value;

use super::GridLang;
use super::token::Token;
use crate::check::hir::Attribute;
use crate::code::{Program, Status};
use crate::language::{
    BoardView, CellView, Definition, GameProgress, GameView, NamedValues, ProgramItem, Standing,
    TokenClass, Viewport, Views,
};
use crate::lower::scope::{RuleVariable, Scope, UNPLACED, field};
use crate::source::Sources;
use crate::value::{InternedStr, Items, Store, Unpacked, Value};

/// The symbol that is printed as a drawing of the grid; `drawGrid` prints it.
pub const GRID_SYMBOL: &str = "@grid";

/// Pieces in arrays beyond this number cannot be named in the debugger.
const MAX_NAMED_ELEMENTS: usize = 200;

impl Views for GridLang {
    fn view(&self, _: &Program, store: &Store, viewport: Viewport) -> GameView {
        let winners = winners(store);
        let player = current_player(store);
        GameView {
            // `p` is an alias of the current player.
            aliases: player.iter().map(|p| ("p".into(), p.clone())).collect(),
            status: status(store),
            winner: (!winners.is_empty()).then(|| winners.join(", ")),
            current_player: player,
            turn_count: rule_variable(store, RuleVariable::TurnCount).as_int(),
            board: (grid_size(store).0 > 0).then(|| board(store, viewport)),
            ..GameView::default()
        }
    }

    fn board_outline(&self, _: &Program, store: &Store) -> Option<BoardView> {
        (grid_size(store).0 > 0).then(|| board(store, Viewport::NONE))
    }

    fn progress(&self, _: &Program, store: &Store) -> GameProgress {
        GameProgress {
            status: status(store),
            current_player: current_player(store),
            turn_count: rule_variable(store, RuleVariable::TurnCount).as_int(),
        }
    }

    fn players(&self, _: &Program, store: &Store) -> Vec<String> {
        let players = list(store, RuleVariable::PlayerOrder).iter();
        players.map(|p| name(store, *p).to_string()).collect()
    }

    fn standing<'s>(&self, store: &'s Store) -> Standing<'s> {
        let player = rule_variable(store, RuleVariable::P);
        let status = status(store);
        Standing {
            status,
            player: player.as_heap().map(|_| name(store, player)),
            winner: match (status, winners(store).as_slice()) {
                (Status::Won, [winner]) => Some(winner),
                _ => None,
            },
        }
    }

    fn winners<'s>(&self, store: &'s Store) -> Vec<&'s str> {
        winners(store)
    }

    fn value_type(&self, _: &Program, store: &Store, value: Value) -> String {
        value::value_type(store, value)
    }

    /// Variables, attributes of pieces, and the pieces in arrays.
    fn named_values(&self, program: &Program, store: &Store) -> NamedValues {
        let Some(scope) = program.scope.downcast_ref::<Scope>() else {
            return NamedValues::default();
        };
        NamedValues {
            variables: variables(scope, store),
            elements: elements(scope, store, pieces(store)),
        }
    }

    fn definitions(&self, program: &Program) -> Vec<Definition> {
        definitions(&Scope::of(program))
    }

    fn program_items(&self, program: &Program, sources: &Sources) -> Vec<ProgramItem> {
        program_items::program_items(&Scope::of(program), sources)
    }
}

fn field_value(store: &Store, piece: Value, index: u16) -> Value {
    store
        .heap
        .items(piece)
        .and_then(|fields| fields.get(index as usize).copied())
        .unwrap_or(Value::NOTHING)
}

/// Whether a field of a piece is true.
fn has(store: &Store, piece: Value, index: u16) -> bool {
    field_value(store, piece, index) == Value::TRUE
}

/// The text in a field of a piece.
fn field_text(store: &Store, piece: Value, index: u16) -> Option<&str> {
    store.heap.as_str(field_value(store, piece, index))
}

/// The variable a piece was created for.
fn name(store: &Store, piece: Value) -> &str {
    field_text(store, piece, field::NAME).unwrap_or("nobody")
}

fn display_string(store: &Store, piece: Value) -> &str {
    field_text(store, piece, field::DISPLAY_STRING).unwrap_or("nobody")
}

/// `p1 at (2,3)`.
fn describe_piece(store: &Store, piece: Value) -> String {
    let name = name(store, piece);
    let exists = has(store, piece, field::EXISTS);
    match field_value(store, piece, field::POSITION).unpack() {
        Unpacked::Coordinate(row, col) if exists && (row, col) != UNPLACED => {
            format!("{name} at ({row},{col})")
        }
        Unpacked::Coordinate(..) if !exists => format!("{name} (no longer exists)"),
        _ => name.to_string(),
    }
}

fn rule_variable(store: &Store, variable: RuleVariable) -> Value {
    store.global(variable as u32)
}

/// The rows and columns of the grid; 0 if there is none yet.
pub fn grid_size(store: &Store) -> (u32, u32) {
    let side = |variable| {
        let size = rule_variable(store, variable).as_int().unwrap_or(0);
        u32::try_from(size).unwrap_or(0)
    };
    (side(RuleVariable::Rows), side(RuleVariable::Cols))
}

/// Every piece on the grid with its cell; players first, in order of arrival.
fn pieces_on_grid(store: &Store) -> Vec<((u32, u32), Value)> {
    let (rows, cols) = grid_size(store);
    let cell = |piece: Value| match field_value(store, piece, field::POSITION).unpack() {
        Unpacked::Coordinate(row, col) => {
            let cell = (u32::try_from(row).ok()?, u32::try_from(col).ok()?);
            Some(cell).filter(|&(row, col)| row < rows && col < cols)
        }
        _ => None,
    };
    let existing = pieces(store).iter().copied();
    let existing = existing.filter(|&piece| has(store, piece, field::EXISTS));
    let mut found: Vec<_> = existing
        .filter_map(|piece| Some((cell(piece)?, piece)))
        .collect();
    found.sort_by_key(|&(_, piece)| {
        let arrival = field_value(store, piece, field::ARRIVAL).as_int();
        (!has(store, piece, field::IS_PLAYER), arrival)
    });
    found
}

/// The output of `drawGrid`, without the final newline.
fn draw_grid(store: &Store) -> String {
    let (rows, cols) = grid_size(store);
    let mut cells = vec![String::new(); rows as usize * cols as usize];
    for ((row, col), piece) in pieces_on_grid(store) {
        let cell = &mut cells[(row * cols + col) as usize];
        if !cell.is_empty() {
            cell.push_str(", ");
        }
        cell.push_str(display_string(store, piece));
    }
    let widths = cells.iter().map(|cell| cell.chars().count());
    let width = widths.max().unwrap_or(0).max(1);
    let line_width = (width + 1) * cols as usize;
    let mut out = "_".repeat(line_width) + "\n";
    for col in 0..cols {
        let (left, right) = (width / 2, width - width / 2);
        out += &format!("{}{col}{}", "_".repeat(left), "_".repeat(right));
    }
    out.push('\n');
    for (row, line) in cells.chunks(cols.max(1) as usize).enumerate() {
        for cell in line {
            out += &format!("|{cell:<width$}");
        }
        out += &format!("|{row}\n");
    }
    out + &"-".repeat(line_width)
}

/// The elements of a list of the rules.
fn list(store: &Store, variable: RuleVariable) -> Items<'_> {
    let list = rule_variable(store, variable);
    store.heap.items(list).unwrap_or_default()
}

/// All pieces.
fn pieces(store: &Store) -> Items<'_> {
    list(store, RuleVariable::Pieces)
}

/// The names of the pieces that have won.
fn winners(store: &Store) -> Vec<&str> {
    let pieces = pieces(store).iter();
    let winners = pieces.filter(|&&p| has(store, p, field::WIN));
    winners.map(|&p| name(store, p)).collect()
}

/// The variables that [`Views::standing`] reads.
pub const STANDING_VARIABLES: [RuleVariable; 3] =
    [RuleVariable::IsOver, RuleVariable::P, RuleVariable::Pieces];

fn status(store: &Store) -> Status {
    match rule_variable(store, RuleVariable::IsOver) == Value::TRUE {
        true if winners(store).is_empty() => Status::Over,
        true => Status::Won,
        false => Status::Playing,
    }
}

/// The name of the player whose turn it is.
fn current_player(store: &Store) -> Option<String> {
    let current = rule_variable(store, RuleVariable::P);
    (current != Value::NOTHING).then(|| name(store, current).to_string())
}

fn board(store: &Store, viewport: Viewport) -> BoardView {
    let (rows, cols) = grid_size(store);
    let mut board = BoardView::clipped(rows, cols, viewport, |_, _| CellView {
        visible: true,
        ..CellView::default()
    });
    if board.cells.is_empty() {
        return board;
    }
    for ((row, col), piece) in pieces_on_grid(store) {
        let Some(cell) = board.cell_mut(row, col) else {
            continue;
        };
        let shown = Some(display_string(store, piece))
            .filter(|d| !d.is_empty())
            .unwrap_or_else(|| name(store, piece));
        match cell.name {
            Some(_) => cell.others.push(InternedStr::new(shown)),
            None => cell.name = Some(InternedStr::new(shown)),
        }
        cell.variable_names
            .push(InternedStr::new(name(store, piece)));
    }
    board
}

/// The user-defined globals; a piece is represented by its attributes: `p1.score`.
fn variables(scope: &Scope, store: &Store) -> Vec<(String, Value)> {
    let mut globals: Vec<_> = scope.env.globals.iter().collect();
    globals.sort_by_key(|(_, global)| global.declaration_index);
    let mut all = Vec::new();
    for (name, global) in globals {
        let slot = scope.global_slots.get(name).copied().unwrap_or(u32::MAX);
        let Some(&value) = store.globals.get(slot as usize) else {
            continue;
        };
        let is_created = store
            .heap
            .items(value)
            .is_some_and(|fields| !fields.is_empty());
        if global.ty.is_piece() && is_created {
            all.extend(attributes(scope, store, value, name));
        } else if value != Value::NOTHING {
            all.push((name.to_string(), value));
        }
    }
    all
}

/// The pieces in arrays, with their attributes: `rooks[0]`, `rooks[0].position`.
fn elements(scope: &Scope, store: &Store, pieces: Items<'_>) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    for &piece in pieces
        .iter()
        .filter(|&&piece| !scope.global_slots.contains_key(name(store, piece)))
        .take(MAX_NAMED_ELEMENTS)
    {
        let name = name(store, piece);
        all.push((name.to_string(), piece));
        all.extend(attributes(scope, store, piece, name));
    }
    all
}

/// The piece and field of an attribute: `p1.score`, `rooks[0].position` or `p.win`.
pub fn locate_attribute(program: &Program, store: &Store, title: &str) -> Option<(Value, u16)> {
    let scope = program.scope.downcast_ref::<Scope>()?;
    let (piece_name, attribute) = title.rsplit_once('.')?;
    let current = rule_variable(store, RuleVariable::P);
    let piece = match piece_name {
        "p" if current != Value::NOTHING => current,
        _ => *pieces(store)
            .iter()
            .find(|&&piece| name(store, piece) == piece_name)?,
    };
    let (_, index) = attribute_fields(scope, store, piece)
        .into_iter()
        .find(|(name, _)| *name == attribute)?;
    // The position of a piece that is off the grid is shown differently from how it is stored.
    (shown_value(store, piece, index) == field_value(store, piece, index)).then_some((piece, index))
}

/// The attributes of the piece `name`: `p1.score`.
fn attributes(
    scope: &Scope,
    store: &Store,
    piece: Value,
    name: &str,
) -> impl Iterator<Item = (String, Value)> {
    let shown = attribute_fields(scope, store, piece).into_iter();
    shown.map(move |(attribute, index)| {
        let value = shown_value(store, piece, index);
        (format!("{name}.{attribute}"), value)
    })
}

/// The names and fields of a piece's attributes.
fn attribute_fields<'s>(scope: &'s Scope, store: &Store, piece: Value) -> Vec<(&'s str, u16)> {
    let text = |index| field_text(store, piece, index).unwrap_or("");
    let is_player = has(store, piece, field::IS_PLAYER);
    let mut shown = vec![
        ("position", field::POSITION),
        ("displayString", field::DISPLAY_STRING),
        ("Exists", field::EXISTS),
    ];
    if is_player {
        shown.extend([("win", field::WIN), ("type", field::TYPE)]);
    }
    let user_defined = match is_player {
        true => Some(&scope.game.player_attributes),
        false => scope
            .game
            .item_kinds
            .iter()
            .find(|k| *k.name == *text(field::KIND))
            .map(|k| &k.attributes),
    };
    let has_attribute = |a: &&Attribute| match &a.player_type {
        Some(ty) => **ty == *text(field::TYPE),
        None => true,
    };
    let user_defined = user_defined.into_iter().flatten().filter(has_attribute);
    let with_slot = |a: &'s Attribute| Some((&*a.name, *scope.attribute_slots.get(&a.name)?));
    shown.extend(user_defined.filter_map(with_slot));
    shown
}

/// The value of a field as the debugger shows it: `nowhere` for the position of an unplaced piece.
fn shown_value(store: &Store, piece: Value, index: u16) -> Value {
    let value = field_value(store, piece, index);
    let is_unplaced = index == field::POSITION
        && matches!(value.unpack(), Unpacked::Coordinate(r, c) if (r, c) == UNPLACED);
    if is_unplaced { Value::EMPTY } else { value }
}

/// The class of a token for syntax highlighting, if its text does not tell.
pub fn token_class(token: Token, _: &str) -> Option<TokenClass> {
    match token {
        Token::Comment | Token::Import(_) => Some(TokenClass::Comment),
        Token::UnterminatedComment
        | Token::UnterminatedString(_)
        | Token::InvalidName(_)
        | Token::InvalidNumber(_)
        | Token::Invalid(_) => Some(TokenClass::Invalid),
        _ => None,
    }
}
