//! What can go wrong while a program runs, in words.

use super::Machine;
use crate::value::{ObjectKind, Unpacked, Value};

/// A run-time error: a stable code, what happened, and how to mend it.
#[derive(Clone, PartialEq, Debug)]
pub struct RuntimeError {
    pub code: &'static str,
    pub message: String,
    pub note: Option<String>,
}

impl RuntimeError {
    pub fn new(code: &'static str, message: impl Into<String>) -> Box<RuntimeError> {
        Box::new(RuntimeError {
            code,
            message: message.into(),
            note: None,
        })
    }

    pub fn note(mut self: Box<Self>, note: impl Into<String>) -> Box<RuntimeError> {
        self.note = Some(note.into());
        self
    }
}

/// The codes of run-time errors, with what each means.
pub const CODES: &[(&str, &str)] = &[
    ("RT001", "a value of the wrong type"),
    ("RT002", "a number too large or too small"),
    ("RT003", "division by zero"),
    ("RT004", "off the board"),
    ("RT005", "no element with that number"),
    ("RT006", "no piece on the cell"),
    ("RT007", "no piece of that name"),
    ("RT008", "a variable given a value of another type"),
    ("RT009", "a list with elements of more than one type"),
    ("RT010", "a call that gave no value"),
    ("RT011", "no handler is running"),
    ("RT012", "an empty range for a random number"),
    ("RT013", "a chosen draw that does not fit"),
    ("RT014", "calls nested too deeply"),
    ("RT015", "out of memory"),
    ("RT016", "no board"),
    ("RT017", "a board of impossible size"),
    ("RT018", "a name that is not defined"),
    ("RT019", "the step budget is used up"),
    ("RT020", "an error of the program's own language"),
    ("RT021", "no more input"),
    ("RT022", "stopped from the keyboard"),
    (
        "RT023",
        "something to be told by the rules of play, such as a click after the end",
    ),
    ("RT024", "a value was asked for where there is none"),
    (
        "RT025",
        "a condition that already holds when the game starts",
    ),
    ("RT026", "an answer that can't be taken"),
    ("RT027", "a list of impossible length"),
    ("RT028", "a place to come back to that is no longer there"),
    ("RT029", "a coordinate too large to be one"),
];

impl Machine {
    /// A value as its language writes it, cut to a readable length.
    pub(super) fn format_short(&self, value: Value) -> String {
        let text = (self.program.format_value)(&self.program, &self.store, value, true);
        match text.char_indices().nth(60) {
            Some((at, _)) => format!("{}…", &text[..at]),
            None => text,
        }
    }

    /// What a value is, in a word.
    pub fn type_name(&self, value: Value) -> &'static str {
        match value.unpack() {
            Unpacked::Nothing => "no value",
            Unpacked::Empty => "empty",
            Unpacked::Int(_) => "a number",
            Unpacked::Float(_) => "a decimal number",
            Unpacked::Bool(_) => "true or false",
            Unpacked::String(_) => "a text",
            Unpacked::Symbol(_) => "a symbol",
            Unpacked::Piece(_) | Unpacked::PieceRef(..) => "a piece",
            Unpacked::Coordinate(..) => "a coordinate",
            Unpacked::Heap(handle) => match handle.kind {
                ObjectKind::List => "a list",
                ObjectKind::Tuple => "a tuple",
                ObjectKind::Record => "an object",
                ObjectKind::String => "a text",
                ObjectKind::Int => "a number",
                ObjectKind::Grid => "a board",
            },
        }
    }

    /// `3 (a number)`, or `no value`.
    pub(super) fn describe(&self, value: Value) -> String {
        match value {
            Value::NOTHING => "no value".into(),
            Value::EMPTY => "empty".into(),
            _ => format!("{} ({})", self.format_short(value), self.type_name(value)),
        }
    }

    #[cold]
    pub(super) fn type_error(&self, what: &str, got: Value) -> Box<RuntimeError> {
        if got == Value::NOTHING {
            return RuntimeError::new(
                "RT010",
                format!("expected {what}, but the call gave no value"),
            )
            .note("every way through the function must end with a return");
        }
        RuntimeError::new(
            "RT001",
            format!("expected {what}, but got {}", self.describe(got)),
        )
    }

    #[cold]
    pub(super) fn operand_error(&self, operator: &str, a: Value, b: Value) -> Box<RuntimeError> {
        if a == Value::NOTHING || b == Value::NOTHING {
            return self.type_error("a value on both sides", Value::NOTHING);
        }
        let message = format!(
            "`{operator}` needs numbers, but got {} and {}",
            self.describe(a),
            self.describe(b)
        );
        RuntimeError::new("RT001", message)
    }

    #[cold]
    pub(super) fn comparison_error(&self, a: Value, b: Value) -> Box<RuntimeError> {
        if a == Value::NOTHING || b == Value::NOTHING {
            return self.type_error("a value on both sides", Value::NOTHING);
        }
        let message = format!(
            "can't compare {} with {}",
            self.describe(a),
            self.describe(b)
        );
        RuntimeError::new("RT001", message).note("both sides must be of one type")
    }

    #[cold]
    pub(super) fn off_board_error(&self, row: Value, col: Value) -> Box<RuntimeError> {
        for value in [row, col] {
            if value.as_int().is_none() {
                return self.type_error("a row and a column as numbers", value);
            }
        }
        if self.store.rows == 0 {
            return self.no_board();
        }
        let (row, col) = (row.as_int().unwrap_or(0), col.as_int().unwrap_or(0));
        let (rows, cols) = (self.store.rows, self.store.cols);
        let place = self.program().board_info.format_cell(row, col);
        let message = format!("{place} is off the board, which has {rows} rows and {cols} columns");
        RuntimeError::new("RT004", message).note(format!(
            "rows count from 0 to {}, columns from 0 to {}",
            rows - 1,
            cols - 1
        ))
    }

    #[cold]
    pub(super) fn line_range_error(
        &self,
        word: &str,
        number: Value,
        count: u32,
    ) -> Box<RuntimeError> {
        if number.as_int().is_none() {
            return self.type_error(&format!("the number of a {word}"), number);
        }
        if self.store.rows == 0 {
            return self.no_board();
        }
        let message = format!(
            "there is no {word} {}: the board has {count} {word}s",
            number.as_int().unwrap_or(0)
        );
        RuntimeError::new("RT004", message).note(format!("they count from 0 to {}", count - 1))
    }

    #[cold]
    pub(super) fn no_board(&self) -> Box<RuntimeError> {
        RuntimeError::new("RT016", "there is no board yet")
            .note("make one first, with its dimensions")
    }

    #[cold]
    pub(super) fn index_range_error(&self, index: i64, len: usize) -> Box<RuntimeError> {
        let fault = RuntimeError::new(
            "RT005",
            format!("there is no element {index}: the list has {len}"),
        );
        match len {
            0 => fault,
            _ => fault.note(format!("elements count from 0 to {}", len - 1)),
        }
    }

    #[cold]
    pub(super) fn out_of_memory(&self) -> Box<RuntimeError> {
        let message = format!(
            "the program needs more memory than it may have ({} MB)",
            self.limits.max_memory_bytes >> 20
        );
        RuntimeError::new("RT015", message)
            .note("something grows without an end? `--memory MB` allows more")
    }

    /// An error in the words of the program's language.
    #[cold]
    pub(super) fn program_error(&self, text: Value, with: Option<Value>) -> Box<RuntimeError> {
        let text = text.as_interned().map_or("", |t| t.as_str());
        let value = with.map(|v| self.format_short(v)).unwrap_or_default();
        // `message | how to mend it`
        let text = text.replace("{}", &value);
        match text.split_once(" | ") {
            Some((message, note)) => RuntimeError::new("RT020", message).note(note),
            None => RuntimeError::new("RT020", text),
        }
    }
}
