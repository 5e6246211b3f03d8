//! What a person answers to `prompt`, read as the type that was asked for.

use super::hir::Type;
use crate::code::Program;
use crate::value::{Store, Value};

const INT: u8 = 0;
const TEXT: u8 = 1;
const TRUTH: u8 = 2;
const COORDINATE: u8 = 3;
const FLOAT: u8 = 4;

/// The number by which the machine knows a type.
pub fn type_tag(ty: &Type) -> u8 {
    match ty {
        Type::Text => TEXT,
        Type::Bool => TRUTH,
        Type::Coordinate => COORDINATE,
        Type::Float => FLOAT,
        _ => INT,
    }
}

/// The value of an answer, or what is wrong with it.
pub fn parse_answer(_: &Program, store: &mut Store, what: u8, line: &str) -> Result<Value, String> {
    let line = line.trim_end_matches(['\n', '\r']);
    let word = line.trim();
    let wanted = |what: &str| format!("`{word}` is not {what}");
    match what {
        TEXT => Ok(store.heap.alloc_string(line)),
        TRUTH => match word {
            "true" => Ok(Value::TRUE),
            "false" => Ok(Value::FALSE),
            _ => Err(wanted("a boolean: answer true or false")),
        },
        COORDINATE => coordinate(word)
            .ok_or_else(|| wanted("a coordinate: answer a row and a column, as in (2,3)")),
        FLOAT => match word.parse::<f64>() {
            Ok(x) if x.is_finite() => Ok(Value::float(x)),
            _ => Err(wanted("a float: answer a number, as in 0.5")),
        },
        _ => word
            .parse()
            .map(Value::int)
            .map_err(|_| wanted("an int: answer a whole number, as in 3")),
    }
}

/// `(2,3)`, `2,3` or `2 3`.
fn coordinate(word: &str) -> Option<Value> {
    let bare = word
        .strip_prefix('(')
        .and_then(|w| w.strip_suffix(')'))
        .unwrap_or(word)
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
    fn a_coordinate_can_be_answered_in_three_ways() {
        for text in ["(2,3)", "2,3", "2 3", "( 2 , 3 )", "2   3"] {
            assert_eq!(coordinate(text), Value::coordinate(2, 3), "{text}");
        }
        assert_eq!(coordinate("2"), None);
        assert_eq!(coordinate("2,x"), None);
    }
}
