//! GridLang's values as text, its grid as `drawGrid` draws it, and its game as a picture.

use super::ast::Definition as Written;
use super::check::{meeting_name, move_name};
use super::env::{Env, GlobalOrigin};
use super::scope::{Hidden, NOWHERE, Scope, field};
use super::token::Token;
use super::typed::{Routine, Type};
use crate::code::{Program, Status};
use crate::language::{BoardView, CellView, Class, Definition, GameView, Window};
use crate::value::{Shape, Store, Text, Value, View};

/// The value whose picture is the grid: `drawGrid` prints it.
pub const GRID: &str = "@grid";

/// Of more pieces in lists the later ones go without a name.
const MOST_ELEMENTS: usize = 200;

/// A value as `print` shows it, or `quoted` as a person looks at it.
pub fn write(_: &Program, store: &Store, value: Value, quoted: bool) -> String {
    match value.view() {
        View::Symbol(word) if word.as_str() == GRID => draw(store),
        View::Heap(handle) if handle.shape == Shape::Record && quoted => described(store, value),
        _ => {
            let mut out = String::new();
            write_to(store, value, quoted, &mut out);
            out
        }
    }
}

/// Arrays are at most two deep, so this ends; pieces in them are only named.
fn write_to(store: &Store, value: Value, quoted: bool, out: &mut String) {
    match value.view() {
        View::Nothing => out.push_str("nothing"),
        View::Empty => out.push_str("nowhere"),
        View::Int(n) => out.push_str(&n.to_string()),
        View::Float(x) => out.push_str(&format!("{x:.3}")),
        View::Bool(b) => out.push_str(if b { "true" } else { "false" }),
        View::Coordinate(row, col) => out.push_str(&format!("({row},{col})")),
        View::Symbol(word) => out.push_str(word.as_str()),
        View::Text(_) => text_to(store, value, quoted, out),
        View::Heap(handle) => match handle.shape {
            Shape::Text => text_to(store, value, quoted, out),
            Shape::Record => out.push_str(if quoted {
                name(store, value)
            } else {
                display(store, value)
            }),
            Shape::Number => out.push_str(&store.heap.as_int(value).unwrap_or(0).to_string()),
            Shape::List | Shape::Tuple | Shape::Grid => {
                out.push('[');
                for (n, &item) in store
                    .heap
                    .items(value)
                    .unwrap_or_default()
                    .iter()
                    .enumerate()
                {
                    out.push_str(if n > 0 { ", " } else { "" });
                    write_to(store, item, quoted, out);
                }
                out.push(']');
            }
        },
        View::Piece(_) | View::Me(..) => {}
    }
}

fn text_to(store: &Store, value: Value, quoted: bool, out: &mut String) {
    let text = store.heap.as_str(value).unwrap_or("");
    if !quoted {
        return out.push_str(text);
    }
    out.push('"');
    for letter in text.chars() {
        match letter {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '"' | '\\' => out.extend(['\\', letter]),
            _ => out.push(letter),
        }
    }
    out.push('"');
}

fn item(store: &Store, piece: Value, number: u16) -> Value {
    store
        .heap
        .items(piece)
        .and_then(|fields| fields.get(number as usize).copied())
        .unwrap_or(Value::NOTHING)
}

/// The variable that a piece was made for.
fn name(store: &Store, piece: Value) -> &str {
    store
        .heap
        .as_str(item(store, piece, field::NAME))
        .unwrap_or("nobody")
}

fn display(store: &Store, piece: Value) -> &str {
    store
        .heap
        .as_str(item(store, piece, field::DISPLAY))
        .unwrap_or("nobody")
}

/// `p1 at (2,3)`.
fn described(store: &Store, piece: Value) -> String {
    let name = name(store, piece);
    let there = item(store, piece, field::EXISTS) == Value::TRUE;
    match item(store, piece, field::POSITION).view() {
        View::Coordinate(row, col) if there && (row, col) != NOWHERE => {
            format!("{name} at ({row},{col})")
        }
        View::Coordinate(..) if !there => format!("{name}, which no longer exists"),
        _ => name.to_string(),
    }
}

fn hidden(store: &Store, variable: Hidden) -> Value {
    store
        .globals
        .get(variable as usize)
        .copied()
        .unwrap_or(Value::NOTHING)
}

fn size(store: &Store) -> (u32, u32) {
    let side = |variable| {
        hidden(store, variable)
            .as_int()
            .and_then(|n| u32::try_from(n).ok())
            .unwrap_or(0)
    };
    (side(Hidden::Rows), side(Hidden::Cols))
}

/// Every piece on the grid with its cell: players first, in order of arrival.
fn standing(store: &Store) -> Vec<((u32, u32), Value)> {
    let (rows, cols) = size(store);
    let pieces = store
        .heap
        .items(hidden(store, Hidden::Pieces))
        .unwrap_or_default();
    let mut found: Vec<((u32, u32), Value)> = pieces
        .iter()
        .filter(|&&piece| item(store, piece, field::EXISTS) == Value::TRUE)
        .filter_map(|&piece| match item(store, piece, field::POSITION).view() {
            View::Coordinate(row, col) => {
                Some(((u32::try_from(row).ok()?, u32::try_from(col).ok()?), piece))
            }
            _ => None,
        })
        .filter(|((row, col), _)| *row < rows && *col < cols)
        .collect();
    found.sort_by_key(|&(_, piece)| {
        let player = item(store, piece, field::PLAYER) == Value::TRUE;
        (!player, item(store, piece, field::ARRIVAL).as_int())
    });
    found
}

/// The grid as drawGrid shows it, without the end of its last line.
fn draw(store: &Store) -> String {
    let (rows, cols) = size(store);
    let mut cells = vec![String::new(); rows as usize * cols as usize];
    for ((row, col), piece) in standing(store) {
        let cell = &mut cells[(row * cols + col) as usize];
        if !cell.is_empty() {
            cell.push_str(", ");
        }
        cell.push_str(display(store, piece));
    }
    let width = cells
        .iter()
        .map(|c| c.chars().count())
        .max()
        .unwrap_or(0)
        .max(1);
    let across = (width + 1) * cols as usize;
    let mut out = "_".repeat(across) + "\n";
    for col in 0..cols {
        out += &format!(
            "{}{col}{}",
            "_".repeat(width / 2),
            "_".repeat(width - width / 2)
        );
    }
    out.push('\n');
    for (row, line) in cells.chunks(cols.max(1) as usize).enumerate() {
        for cell in line {
            out += &format!("|{cell:<width$}");
        }
        out += &format!("|{row}\n");
    }
    out + &"-".repeat(across)
}

pub fn view(program: &Program, store: &Store, window: Window) -> GameView {
    let pieces = store
        .heap
        .items(hidden(store, Hidden::Pieces))
        .unwrap_or_default();
    let winners = pieces
        .iter()
        .filter(|&&p| item(store, p, field::WIN) == Value::TRUE);
    let winners: Vec<&str> = winners.map(|&p| name(store, p)).collect();
    let status = match hidden(store, Hidden::Over) == Value::TRUE {
        true if winners.is_empty() => Status::Over,
        true => Status::Won,
        false => Status::Playing,
    };
    let current = hidden(store, Hidden::P);
    let scope = program.scope.downcast_ref::<Scope>();
    GameView {
        aliases: aliases(current, store),
        status,
        winner: (!winners.is_empty()).then(|| winners.join(", ")),
        turn: (current != Value::NOTHING).then(|| name(store, current).to_string()),
        turn_count: hidden(store, Hidden::Turns).as_int(),
        board: (size(store).0 > 0).then(|| board(store, window)),
        variables: scope.map_or_else(Vec::new, |scope| variables(scope, store)),
        elements: scope.map_or_else(Vec::new, |scope| elements(scope, store, pieces)),
        ..GameView::default()
    }
}

fn board(store: &Store, window: Window) -> BoardView {
    let (rows, cols) = size(store);
    let (row, col) = (window.row.min(rows), window.col.min(cols));
    let (shown_rows, shown_cols) = (window.rows.min(rows - row), window.cols.min(cols - col));
    let empty = CellView {
        visible: true,
        ..CellView::default()
    };
    let mut cells = vec![empty; shown_rows as usize * shown_cols as usize];
    for ((r, c), piece) in standing(store) {
        let (Some(r), Some(c)) = (r.checked_sub(row), c.checked_sub(col)) else {
            continue;
        };
        if r >= shown_rows || c >= shown_cols {
            continue;
        }
        let cell = &mut cells[(r * shown_cols + c) as usize];
        let shown = Some(display(store, piece))
            .filter(|d| !d.is_empty())
            .unwrap_or_else(|| name(store, piece));
        match cell.name {
            Some(_) => cell.more.push(Text::new(shown)),
            None => cell.name = Some(Text::new(shown)),
        }
        cell.variables.push(Text::new(name(store, piece)));
    }
    BoardView {
        rows,
        cols,
        row,
        col,
        shown_rows,
        shown_cols,
        cells,
        ..BoardView::default()
    }
}

/// `p` is the player whose turn it is.
fn aliases(current: Value, store: &Store) -> Vec<(String, String)> {
    let player = (current != Value::NOTHING).then(|| name(store, current).to_string());
    player
        .map(|player| ("p".to_string(), player))
        .into_iter()
        .collect()
}

/// The game's own variables; a piece is shown by its attributes: `p1.score`.
fn variables(scope: &Scope, store: &Store) -> Vec<(String, Value)> {
    let mut globals: Vec<_> = scope.env.globals.iter().collect();
    globals.sort_by_key(|(_, global)| global.number);
    let mut all = Vec::new();
    for (name, global) in globals {
        let number = scope.globals.get(name).copied().unwrap_or(u32::MAX);
        let Some(&value) = store.globals.get(number as usize) else {
            continue;
        };
        let made = store
            .heap
            .items(value)
            .is_some_and(|fields| !fields.is_empty());
        if global.ty.is_piece() && made {
            all.extend(
                attributes(scope, store, value)
                    .into_iter()
                    .map(|(a, v)| (format!("{name}.{a}"), v)),
            );
        } else if value != Value::NOTHING {
            all.push((name.to_string(), value));
        }
    }
    all
}

/// The pieces that were made for a list and no variable has: `rooks[0]`, `rooks[0].position`.
fn elements(scope: &Scope, store: &Store, pieces: &[Value]) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    for &piece in pieces
        .iter()
        .filter(|&&piece| !scope.globals.contains_key(name(store, piece)))
        .take(MOST_ELEMENTS)
    {
        let name = name(store, piece);
        all.push((name.to_string(), piece));
        all.extend(
            attributes(scope, store, piece)
                .into_iter()
                .map(|(a, v)| (format!("{name}.{a}"), v)),
        );
    }
    all
}

/// Where an attribute lies, by its name: `p1.score`, `rooks[0].position`, or one of `p`.
pub fn locate(program: &Program, store: &Store, title: &str) -> Option<(Value, u16)> {
    let scope = program.scope.downcast_ref::<Scope>()?;
    let (whose, attribute) = title.rsplit_once('.')?;
    let pieces = store
        .heap
        .items(hidden(store, Hidden::Pieces))
        .unwrap_or_default();
    let current = hidden(store, Hidden::P);
    let piece = match whose {
        "p" if current != Value::NOTHING => current,
        _ => *pieces.iter().find(|&&piece| name(store, piece) == whose)?,
    };
    let (_, number) = numbers(scope, store, piece)
        .into_iter()
        .find(|(name, _)| *name == attribute)?;
    // What was not put anywhere yet is shown otherwise than it lies there.
    (shown_item(store, piece, number) == item(store, piece, number)).then_some((piece, number))
}

fn attributes(scope: &Scope, store: &Store, piece: Value) -> Vec<(String, Value)> {
    let shown = numbers(scope, store, piece).into_iter();
    shown
        .map(|(name, number)| (name.to_string(), shown_item(store, piece, number)))
        .collect()
}

/// The attributes of a piece with their fields.
fn numbers<'s>(scope: &'s Scope, store: &Store, piece: Value) -> Vec<(&'s str, u16)> {
    let text = |number| store.heap.as_str(item(store, piece, number)).unwrap_or("");
    let player = item(store, piece, field::PLAYER) == Value::TRUE;
    let mut shown = vec![
        ("position", field::POSITION),
        ("displayString", field::DISPLAY),
        ("Exists", field::EXISTS),
    ];
    if player {
        shown.extend([("win", field::WIN), ("type", field::TYPE)]);
    }
    let own = match player {
        true => Some(&scope.game.player),
        false => scope
            .game
            .items
            .iter()
            .find(|k| *k.name == *text(field::KIND))
            .map(|k| &k.attributes),
    };
    let own = own.into_iter().flatten().filter(|a| {
        a.player_type
            .as_deref()
            .is_none_or(|ty| ty == text(field::TYPE))
    });
    shown.extend(own.filter_map(|a| Some((&*a.name, *scope.slots.get(&a.name)?))));
    shown
}

/// A field as a person sees it: what was not put anywhere yet is nowhere, whatever the program would read.
fn shown_item(store: &Store, piece: Value, number: u16) -> Value {
    let value = item(store, piece, number);
    let unset = number == field::POSITION
        && matches!(value.view(), View::Coordinate(r, c) if (r, c) == NOWHERE);
    if unset { Value::EMPTY } else { value }
}

/// What a definition is called, and whether there was one of that name before.
pub fn heading(definition: &Written, env: &Env) -> (String, bool) {
    match definition {
        Written::Player(_) => ("Player".into(), env.player.is_some()),
        Written::Item(block) => (
            format!("Item {}", block.name.text),
            env.items.contains_key(&block.name.text),
        ),
        Written::Function(f) => (
            format!("function {}", f.name.text),
            env.functions.contains_key(&f.name.text),
        ),
        Written::Layout(_) => ("Layout".into(), env.layout.is_some()),
        Written::GameLoop(_) => ("gameLoop".into(), env.game_loop.is_some()),
        Written::CheckGameEnd(_) => ("checkGameEnd".into(), env.check_game_end.is_some()),
        Written::GameOver(_) => ("gameOver".into(), env.game_over.is_some()),
        Written::CheckMove(new) => {
            let name = move_name(new);
            let there = env.moves.iter().any(|old| move_name(old) == name);
            (name, there)
        }
        Written::Colocation(new) => {
            let name = meeting_name(new, &env.items);
            let there = env
                .meetings
                .iter()
                .any(|old| meeting_name(old, &env.items) == name);
            (name, there)
        }
    }
}

/// All that is defined.
pub fn definitions(scope: &Scope) -> Vec<Definition> {
    let mut all = Vec::new();
    if let Some(block) = &scope.env.player {
        all.push(Definition {
            name: "Player".into(),
            what: "block",
            head: "Player".into(),
            span: block.span,
        });
    }
    for (name, block) in &scope.env.items {
        all.push(Definition {
            name: name.to_string(),
            what: "item",
            head: format!("Item {name}"),
            span: block.span,
        });
    }
    all.extend(
        scope
            .routines()
            .into_iter()
            .map(|(title, routine)| defined(title, routine)),
    );
    for (name, global) in &scope.env.globals {
        if global.origin != GlobalOrigin::LoneItem {
            let head = format!("{} {name}", global.ty);
            all.push(Definition {
                name: name.to_string(),
                what: "variable",
                head,
                span: global.span,
            });
        }
    }
    all
}

fn defined(title: String, routine: &Routine) -> Definition {
    use super::typed::Role;
    let what = match routine.role {
        Role::Function => "function",
        Role::CheckMove | Role::Colocation => "handler",
        Role::CheckGameEnd => "condition",
        _ => "block",
    };
    let parameters = routine.locals.iter().take(routine.parameters);
    let parameters: Vec<String> = parameters.map(|l| format!("{} {}", l.ty, l.name)).collect();
    let head = match routine.role {
        Role::Function if routine.result == Type::Void => {
            format!("function {title}({})", parameters.join(", "))
        }
        Role::Function => format!(
            "function {title}({}): {}",
            parameters.join(", "),
            routine.result
        ),
        _ => routine.name.to_string(),
    };
    Definition {
        name: title,
        what,
        head,
        span: routine.span,
    }
}

/// What a word is, for colouring it.
pub fn class(token: &Token) -> Class {
    use Token::*;
    match token {
        Name(_) => Class::Name,
        Int(_) | Float(_) => Class::Number,
        Text(_) => Class::Text,
        Comment | Import(_) => Class::Comment,
        UnclosedComment | UnclosedText(_) | BadName(_) | BadNumber(_) | Bad(_) | TooDeep => {
            Class::Bad
        }
        Print | Prompt | DrawGrid | CreateGrid | Traverse | Random | Len | PlayerOrder
        | Current => Class::Builtin,
        OpenRound | CloseRound | OpenSquare | CloseSquare | OpenCurly | CloseCurly => {
            Class::Bracket
        }
        Not | Plus | Minus | Times | Divide | Remainder | Increment | Decrement => Class::Operator,
        Less | Greater | LessEqual | GreaterEqual | EqualEqual | NotEqual | Equal => {
            Class::Operator
        }
        PlusEqual | MinusEqual | TimesEqual | DivideEqual | RemainderEqual => Class::Operator,
        Comma | Dot | Colon | Semicolon | Newline | End => Class::Operator,
        _ => Class::Keyword,
    }
}
