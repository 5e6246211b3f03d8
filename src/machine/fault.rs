//! What can go wrong while a program runs, in words.

use super::Machine;
use crate::value::{Shape, Value, View};

/// A run-time error: a stable code, what happened, and how to mend it.
#[derive(Clone, PartialEq, Debug)]
pub struct Fault {
    pub code: &'static str,
    pub message: String,
    pub note: Option<String>,
}

impl Fault {
    pub fn new(code: &'static str, message: impl Into<String>) -> Box<Fault> {
        Box::new(Fault {
            code,
            message: message.into(),
            note: None,
        })
    }

    pub fn note(mut self: Box<Self>, note: impl Into<String>) -> Box<Fault> {
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
    pub(super) fn source_of(&self, value: Value) -> String {
        let text = (self.program.write)(&self.program, &self.store, value, true);
        match text.char_indices().nth(60) {
            Some((at, _)) => format!("{}…", &text[..at]),
            None => text,
        }
    }

    /// What a value is, in a word.
    pub fn type_word(&self, value: Value) -> &'static str {
        match value.view() {
            View::Nothing => "no value",
            View::Empty => "empty",
            View::Int(_) => "a number",
            View::Float(_) => "a decimal number",
            View::Bool(_) => "true or false",
            View::Text(_) => "a text",
            View::Symbol(_) => "a symbol",
            View::Piece(_) | View::Me(..) => "a piece",
            View::Coordinate(..) => "a coordinate",
            View::Heap(handle) => match handle.shape {
                Shape::List => "a list",
                Shape::Tuple => "a tuple",
                Shape::Record => "an object",
                Shape::Text => "a text",
                Shape::Number => "a number",
                Shape::Grid => "a board",
            },
        }
    }

    /// `3 (a number)`, or `no value`.
    pub(super) fn described(&self, value: Value) -> String {
        match value {
            Value::NOTHING => "no value".into(),
            Value::EMPTY => "empty".into(),
            _ => format!("{} ({})", self.source_of(value), self.type_word(value)),
        }
    }

    #[cold]
    pub(super) fn wanted(&self, what: &str, got: Value) -> Box<Fault> {
        if got == Value::NOTHING {
            return Fault::new(
                "RT010",
                format!("expected {what}, but the call gave no value"),
            )
            .note("every way through the function must end with a return");
        }
        Fault::new(
            "RT001",
            format!("expected {what}, but got {}", self.described(got)),
        )
    }

    #[cold]
    pub(super) fn operands(&self, operator: &str, a: Value, b: Value) -> Box<Fault> {
        if a == Value::NOTHING || b == Value::NOTHING {
            return self.wanted("a value on both sides", Value::NOTHING);
        }
        let message = format!(
            "`{operator}` needs numbers, but got {} and {}",
            self.described(a),
            self.described(b)
        );
        Fault::new("RT001", message)
    }

    #[cold]
    pub(super) fn mismatch(&self, a: Value, b: Value) -> Box<Fault> {
        if a == Value::NOTHING || b == Value::NOTHING {
            return self.wanted("a value on both sides", Value::NOTHING);
        }
        let message = format!(
            "can't compare {} with {}",
            self.described(a),
            self.described(b)
        );
        Fault::new("RT001", message).note("both sides must be of one type")
    }

    #[cold]
    pub(super) fn off_board(&self, row: Value, col: Value) -> Box<Fault> {
        for value in [row, col] {
            if value.as_int().is_none() {
                return self.wanted("a row and a column as numbers", value);
            }
        }
        if self.store.rows == 0 {
            return self.no_board();
        }
        let (row, col) = (row.as_int().unwrap_or(0), col.as_int().unwrap_or(0));
        let (rows, cols) = (self.store.rows, self.store.cols);
        let place = self.program().cells.write(row, col);
        let message = format!("{place} is off the board, which has {rows} rows and {cols} columns");
        Fault::new("RT004", message).note(format!(
            "rows count from 0 to {}, columns from 0 to {}",
            rows - 1,
            cols - 1
        ))
    }

    #[cold]
    pub(super) fn off_line(&self, word: &str, number: Value, count: u32) -> Box<Fault> {
        if number.as_int().is_none() {
            return self.wanted(&format!("the number of a {word}"), number);
        }
        if self.store.rows == 0 {
            return self.no_board();
        }
        let message = format!(
            "there is no {word} {}: the board has {count} {word}s",
            number.as_int().unwrap_or(0)
        );
        Fault::new("RT004", message).note(format!("they count from 0 to {}", count - 1))
    }

    #[cold]
    pub(super) fn no_board(&self) -> Box<Fault> {
        Fault::new("RT016", "there is no board yet").note("make one first, with its dimensions")
    }

    #[cold]
    pub(super) fn out_of_range(&self, index: i64, len: usize) -> Box<Fault> {
        let fault = Fault::new(
            "RT005",
            format!("there is no element {index}: the list has {len}"),
        );
        match len {
            0 => fault,
            _ => fault.note(format!("elements count from 0 to {}", len - 1)),
        }
    }

    #[cold]
    pub(super) fn out_of_memory(&self) -> Box<Fault> {
        let message = format!(
            "the program needs more memory than it may have ({} MB)",
            self.limits.memory >> 20
        );
        Fault::new("RT015", message)
            .note("something grows without an end? `--memory MB` allows more")
    }

    /// An error in the words of the program's language.
    #[cold]
    pub(super) fn told(&self, text: Value, with: Option<Value>) -> Box<Fault> {
        let text = text.as_text().map_or("", |t| t.as_str());
        let value = with.map(|v| self.source_of(v)).unwrap_or_default();
        // `message | how to mend it`
        let text = text.replace("{}", &value);
        match text.split_once(" | ") {
            Some((message, note)) => Fault::new("RT020", message).note(note),
            None => Fault::new("RT020", text),
        }
    }
}
