//! The state of the game as JSON, as `:state` shows it.

use crate::code::Status;
use crate::debugger::api::value_to_json;
use crate::language::{BoardView, CellView, GameView};
use crate::session::Session;
use crate::value::InternedStr;
use serde_json::{Map, Value as Json, json};

/// The state of the game with the board that the view has.
pub fn state_to_json(session: &Session, view: &GameView) -> Json {
    let store = &session.target.machine.store;
    let variables: Map<String, Json> = view
        .variables
        .iter()
        .map(|(name, v)| {
            let value = value_to_json(session.target.program(), store, *v);
            (name.clone(), value)
        })
        .collect();
    json!({
        "language": session.target.language().info().name,
        "status": view.status.as_str(),
        "ending": view.ending,
        "winner": view.winner.as_ref().filter(|_| view.status == Status::Won),
        "turn": view.current_player,
        "turn_count": view.turn_count,
        "board": view.board.as_ref().map(board_to_json),
        "header": view.header,
        "footer": view.footer,
        "vars": variables,
    })
}

/// The board: one array per property of its cells, row by row. Properties that no cell has are
/// left out.
pub fn board_to_json(board: &BoardView) -> Json {
    let rows = |f: &dyn Fn(&CellView) -> Json| -> Json {
        let columns = board.shown_cols.max(1) as usize;
        let rows = board.cells.chunks(columns);
        rows.map(|row| row.iter().map(f).collect::<Json>())
            .collect()
    };
    let mut object = Map::new();
    let mut insert = |name: &str, value: Json| object.insert(name.to_string(), value);
    insert("rows", json!(board.rows));
    insert("cols", json!(board.cols));
    insert("first_row", json!(board.first_row));
    insert("first_col", json!(board.first_col));
    insert("origin", json!([board.origin.0, board.origin.1]));
    insert("upward", json!(board.is_y_up));
    insert("unbounded", json!(board.is_unbounded));
    insert("focus", json!(board.cursor.map(|(row, col)| [row, col])));
    insert("cells", rows(&|cell| name(cell.name)));
    insert("visible", rows(&|cell| json!(cell.visible)));
    let mut insert_if_any =
        |key: &str, has: fn(&CellView) -> bool, f: &dyn Fn(&CellView) -> Json| {
            if board.cells.iter().any(has) {
                insert(key, rows(f));
            }
        };
    insert_if_any("top", |c| c.overlay.is_some(), &|c| name(c.overlay));
    insert_if_any("color", |c| c.color.is_some(), &|c| {
        json!(c.color.map(|(r, g, b)| format!("#{r:02x}{g:02x}{b:02x}")))
    });
    insert_if_any("owner", |c| c.owner.is_some(), &|c| name(c.owner));
    insert_if_any("stack", |c| !c.others.is_empty(), &|c| names(&c.others));
    insert_if_any("variables", |c| !c.variable_names.is_empty(), &|c| {
        names(&c.variable_names)
    });
    Json::Object(object)
}

fn name(name: Option<InternedStr>) -> Json {
    json!(name.map(|name| name.as_str()))
}

fn names(names: &[InternedStr]) -> Json {
    names.iter().map(|name| json!(name.as_str())).collect()
}
