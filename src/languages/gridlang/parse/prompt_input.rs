//! Parses the player's answer to `prompt` as the requested type.

use crate::check::hir::Type;
use crate::code::Program;
use crate::language::{CellNotation, InputShape};
use crate::value::{Store, Value};

const INT: u8 = 0;
const TEXT: u8 = 1;
const BOOL: u8 = 2;
const COORDINATE: u8 = 3;
const FLOAT: u8 = 4;

/// The number that identifies a type in an input instruction.
pub fn type_tag(ty: &Type) -> u8 {
    match ty {
        Type::Text => TEXT,
        Type::Bool => BOOL,
        Type::Coordinate => COORDINATE,
        Type::Float => FLOAT,
        _ => INT,
    }
}

/// The type of answers with this number; `None` if any text will do.
pub fn type_of_tag(tag: u8) -> Option<Type> {
    match tag {
        TEXT => None,
        BOOL => Some(Type::Bool),
        COORDINATE => Some(Type::Coordinate),
        FLOAT => Some(Type::Float),
        _ => Some(Type::Int),
    }
}

/// The form of the answers with this number, on a grid of so many rows and columns.
pub fn shape_of_tag(tag: u8, (rows, cols): (u32, u32)) -> InputShape {
    match tag {
        TEXT => InputShape::Text,
        FLOAT => InputShape::Float,
        BOOL => InputShape::OneOf(vec!["true".into(), "false".into()]),
        COORDINATE => InputShape::Cell {
            notation: CellNotation::RowColumn,
            columns: (0, i64::from(cols) - 1),
            rows: (0, i64::from(rows) - 1),
        },
        _ => InputShape::Int,
    }
}

/// Parses an answer; the error is a message for the player.
pub fn parse_answer(
    _: &Program,
    store: &mut Store,
    type_tag: u8,
    line: &str,
) -> Result<Value, String> {
    let line = line.trim_end_matches(['\n', '\r']);
    let answer = line.trim();
    let error = |expected: &str| format!("`{answer}` is not {expected}");
    match type_tag {
        TEXT => Ok(store.heap.alloc_string(line)),
        BOOL => match answer {
            "true" => Ok(Value::TRUE),
            "false" => Ok(Value::FALSE),
            _ => Err(error("a boolean: enter true or false")),
        },
        COORDINATE => coordinate(answer)
            .ok_or_else(|| error("a coordinate: enter a row and a column, e.g. (2,3)")),
        FLOAT => match answer.parse::<f64>() {
            Ok(x) if x.is_finite() => Ok(Value::float(x)),
            _ => Err(error("a float: enter a number, e.g. 0.5")),
        },
        _ => answer
            .parse()
            .map(Value::int)
            .map_err(|_| error("an int: enter a whole number, e.g. 3")),
    }
}

/// `(2,3)`, `2,3` or `2 3`.
fn coordinate(answer: &str) -> Option<Value> {
    let bare = answer
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
        .unwrap_or(answer)
        .trim();
    let (row, col) = bare
        .split_once(',')
        .or_else(|| bare.split_once(char::is_whitespace))?;
    Value::coordinate(row.trim().parse().ok()?, col.trim().parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::coordinate;
    use crate::value::Value;

    #[test]
    fn coordinates_are_accepted_in_three_notations() {
        for text in ["(2,3)", "2,3", "2 3", "( 2 , 3 )", "2   3"] {
            assert_eq!(coordinate(text), Value::coordinate(2, 3), "{text}");
        }
        assert_eq!(coordinate("2"), None);
        assert_eq!(coordinate("2,x"), None);
    }
}
