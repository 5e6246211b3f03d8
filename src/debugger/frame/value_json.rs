//! Values of the program as JSON.

use crate::code::Program;
use crate::value::{Items, Object, Store, Unpacked, Value};
use serde_json::{Value as Json, json};

/// A value of the program as JSON.
pub fn value_to_json(program: &Program, store: &Store, value: Value) -> Json {
    match value.unpack() {
        Unpacked::Nothing | Unpacked::Empty => Json::Null,
        Unpacked::Int(n) => json!(n),
        Unpacked::Float(x) => json!(x),
        Unpacked::Bool(b) => json!(b),
        Unpacked::String(t) => json!(t.as_str()),
        Unpacked::Symbol(t) => json!({"sym": t.as_str()}),
        Unpacked::Coordinate(r, c) => json!({"coordinate": [r, c]}),
        Unpacked::PieceRef(cell, _) => {
            let (row, col) = store.row_col(cell);
            json!({"coordinate": [row, col]})
        }
        Unpacked::Piece(p) => {
            let (row, col) = store.piece_row_col(p).unzip();
            let name = program.piece_kind(p.kind).map_or("", |k| k.name.as_str());
            json!({"piece": name, "row": row, "col": col, "visible": p.visible})
        }
        Unpacked::Heap(handle) => {
            let to_array = |items: Items<'_>| {
                items
                    .iter()
                    .map(|&v| value_to_json(program, store, v))
                    .collect::<Vec<_>>()
            };
            match store.heap.object(handle) {
                Some(Object::List(list)) => json!(to_array(list.items())),
                Some(Object::Tuple(items)) => {
                    json!({"tuple": to_array(items.as_slice().into())})
                }
                // As text, because records may refer to each other in cycles.
                Some(Object::Record(_)) => {
                    json!({"object": (program.format_value)(program, store, value, true)})
                }
                Some(Object::String(text)) => json!(&**text),
                Some(Object::Int(n)) => json!(n),
                Some(Object::Grid(grid)) => {
                    let rows: Vec<_> = grid
                        .to_rows()
                        .iter()
                        .map(|row| to_array(row.as_slice().into()))
                        .collect();
                    json!({"board": rows})
                }
                Some(Object::Free(_)) | None => Json::Null,
            }
        }
    }
}
