//! Runtime errors and their messages.

use super::Limits;
use crate::code::Program;
use crate::diagnostic::did_you_mean;
use crate::value::{ObjectKind, Store, Unpacked, Value};

/// A runtime error: a stable code, what happened, and how to fix it.
#[derive(Clone, PartialEq, Debug)]
pub struct RuntimeError {
    /// Such as `RT003`; `:explain` describes it.
    pub code: &'static str,
    /// What happened, including the values involved.
    pub message: String,
    /// How to fix it; `None` if the message says it all.
    pub note: Option<String>,
}

impl RuntimeError {
    /// An error without a note.
    pub fn new(code: &'static str, message: impl Into<String>) -> Box<RuntimeError> {
        Box::new(RuntimeError {
            code,
            message: message.into(),
            note: None,
        })
    }

    /// Adds a note, for example how to fix it.
    pub fn note(mut self: Box<Self>, note: impl Into<String>) -> Box<RuntimeError> {
        self.note = Some(note.into());
        self
    }
}

/// Longer values are truncated in messages.
const MAX_VALUE_CHARS: usize = 60;

/// The values of a game and the program that they belong to: what it takes to show a value in a message.
#[derive(Clone, Copy)]
pub(super) struct ValueContext<'m> {
    pub(super) program: &'m Program,
    pub(super) store: &'m Store,
}

impl ValueContext<'_> {
    /// Formats a value as in the source code of its language.
    pub(super) fn format(self, value: Value) -> String {
        (self.program.format_value)(self.program, self.store, value, true)
    }

    /// Like [`ValueContext::format`], truncated to `MAX_VALUE_CHARS`.
    fn format_short(self, value: Value) -> String {
        let text = self.format(value);
        match text.char_indices().nth(MAX_VALUE_CHARS) {
            Some((at, _)) => format!("{}…", &text[..at]),
            None => text,
        }
    }

    /// `3 (a number)`, or `no value`.
    pub(super) fn describe(self, value: Value) -> String {
        match value {
            Value::NOTHING => "no value".into(),
            Value::EMPTY => "empty".into(),
            _ => format!("{} ({})", self.format_short(value), type_name(value)),
        }
    }

    #[cold]
    pub(super) fn type_error(self, expected: &str, found: Value) -> Box<RuntimeError> {
        if found == Value::NOTHING {
            return RuntimeError::new(
                "RT010",
                format!("expected {expected}, but the call returned no value"),
            )
            .note("every path through the function must return a value");
        }
        RuntimeError::new(
            "RT001",
            format!("expected {expected}, found {}", self.describe(found)),
        )
    }

    #[cold]
    pub(super) fn operand_error(self, operator: &str, a: Value, b: Value) -> Box<RuntimeError> {
        if a == Value::NOTHING || b == Value::NOTHING {
            return self.type_error("a value on both sides", Value::NOTHING);
        }
        let message = format!(
            "`{operator}` needs numbers, found {} and {}",
            self.describe(a),
            self.describe(b)
        );
        RuntimeError::new("RT001", message)
    }

    #[cold]
    pub(super) fn comparison_error(self, a: Value, b: Value) -> Box<RuntimeError> {
        if a == Value::NOTHING || b == Value::NOTHING {
            return self.type_error("a value on both sides", Value::NOTHING);
        }
        let message = format!(
            "cannot compare {} with {}",
            self.describe(a),
            self.describe(b)
        );
        let is_text = |value: Value| type_name(value) == "a string";
        let is_piece = |value: Value| value == Value::EMPTY || type_name(value) == "a piece";
        let note = match is_piece(a) && is_text(b) || is_text(a) && is_piece(b) {
            true => "compare the name of the piece: write `.name` after it",
            false => "both sides must have the same type",
        };
        RuntimeError::new("RT001", message).note(note)
    }

    #[cold]
    pub(super) fn off_board_error(self, row: Value, col: Value) -> Box<RuntimeError> {
        for value in [row, col] {
            if value.as_int().is_none() {
                return self.type_error("a row and a column as numbers", value);
            }
        }
        if self.store.rows == 0 {
            return no_board();
        }
        let (row, col) = (row.as_int().unwrap_or(0), col.as_int().unwrap_or(0));
        let (rows, cols) = (self.store.rows, self.store.cols);
        let cell = self.program.board_info.format_cell(row, col);
        let message = format!("{cell} is off the board, which is {rows} x {cols}");
        RuntimeError::new("RT004", message).note(format!(
            "rows are numbered 0 to {}, columns 0 to {}",
            rows - 1,
            cols - 1
        ))
    }

    /// `word` is "row" or "column", `count` is how many there are.
    #[cold]
    pub(super) fn line_range_error(
        self,
        word: &str,
        number: Value,
        count: u32,
    ) -> Box<RuntimeError> {
        if number.as_int().is_none() {
            return self.type_error(&format!("the number of a {word}"), number);
        }
        if self.store.rows == 0 {
            return no_board();
        }
        let message = format!(
            "{word} {} is off the board, which has {count} {word}s",
            number.as_int().unwrap_or(0)
        );
        RuntimeError::new("RT004", message).note(format!("{word}s are numbered 0 to {}", count - 1))
    }

    /// An error defined by the program's language.
    #[cold]
    pub(super) fn program_error(self, text: Value, with: Option<Value>) -> Box<RuntimeError> {
        let text = text.as_interned().map_or("", |t| t.as_str());
        let value = with.map(|v| self.format_short(v)).unwrap_or_default();
        // `message | how to fix it`
        let text = text.replace("{}", &value);
        match text.split_once(" | ") {
            Some((message, note)) => RuntimeError::new("RT020", message).note(note),
            None => RuntimeError::new("RT020", text),
        }
    }

    /// A global variable is read that has no value yet.
    #[cold]
    pub(super) fn undefined_error(self, global: u32) -> Box<RuntimeError> {
        let name = self
            .program
            .globals
            .get(global as usize)
            .map_or("", |g| g.name.as_str());
        RuntimeError::new("RT018", format!("`{name}` has no value yet"))
    }

    #[cold]
    pub(super) fn mixed_list_error(self, first: Value, other: Value) -> Box<RuntimeError> {
        if other == Value::NOTHING {
            return self.type_error("a value", other);
        }
        let message = format!(
            "cannot put {} in a list of {}",
            self.describe(other),
            plural(type_name(first))
        );
        RuntimeError::new("RT009", message).note("all elements of a list have the same type")
    }

    #[cold]
    pub(super) fn unknown_kind_error(self, name: Value) -> Box<RuntimeError> {
        let Some(word) = self.store.heap.as_str(name) else {
            return self.type_error("the name of a piece", name);
        };
        let suggestion = did_you_mean(
            word,
            self.program.piece_kinds.iter().map(|k| k.name.as_str()),
        );
        RuntimeError::new(
            "RT007",
            format!("unknown piece {}{suggestion}", self.format_short(name)),
        )
    }

    #[cold]
    pub(super) fn no_piece_error(self, at: Option<u32>) -> Box<RuntimeError> {
        let location = at.map_or_else(String::new, |at| {
            let (row, col) = self.store.row_col(at);
            format!(
                " at {}",
                self.program.board_info.format_cell(row.into(), col.into())
            )
        });
        RuntimeError::new("RT006", format!("no piece{location} to change"))
            .note("check `!= empty` first")
    }
}

/// The type of a value, with its article.
pub(super) fn type_name(value: Value) -> &'static str {
    match value.unpack() {
        Unpacked::Nothing => "no value",
        Unpacked::Empty => "empty",
        Unpacked::Int(_) => "a number",
        Unpacked::Float(_) => "a decimal number",
        Unpacked::Bool(_) => "true or false",
        Unpacked::String(_) => "a string",
        Unpacked::Symbol(_) => "a symbol",
        Unpacked::Piece(_) | Unpacked::PieceRef(..) => "a piece",
        Unpacked::Coordinate(..) => "a coordinate",
        Unpacked::Heap(handle) => match handle.kind {
            ObjectKind::List => "a list",
            ObjectKind::Tuple => "a tuple",
            ObjectKind::Record => "an object",
            ObjectKind::String => "a string",
            ObjectKind::Int => "a number",
            ObjectKind::Grid => "a board",
        },
    }
}

#[cold]
pub(super) fn no_board() -> Box<RuntimeError> {
    RuntimeError::new("RT016", "there is no board yet").note("create one with its dimensions first")
}

#[cold]
pub(super) fn index_range_error(index: i64, len: usize) -> Box<RuntimeError> {
    let s = if len == 1 { "" } else { "s" };
    let error = RuntimeError::new(
        "RT005",
        format!("index {index} is out of range: the list has {len} element{s}"),
    );
    match len {
        0 => error,
        _ => error.note(format!("indices are 0 to {}", len - 1)),
    }
}

#[cold]
pub(super) fn out_of_memory(limits: &Limits) -> Box<RuntimeError> {
    let message = format!(
        "out of memory: the limit is {} MB",
        limits.max_memory_bytes >> 20
    );
    RuntimeError::new("RT015", message)
        .note("something may grow without end; `--memory MB` raises the limit")
}

#[cold]
pub(super) fn call_depth_exceeded(limits: &Limits) -> Box<RuntimeError> {
    let message = format!(
        "too many nested calls: the limit is {}",
        limits.max_call_depth
    );
    RuntimeError::new("RT014", message).note("probably a function that calls itself without end")
}

/// The error for using the cell of a piece after the board shrank.
#[cold]
pub(super) fn lost_piece_error() -> Box<RuntimeError> {
    RuntimeError::new("RT006", "the cell of this piece is no longer on the board")
        .note("the board has become smaller; read the piece from `board` again")
}

/// `numbers` for `a number`.
fn plural(word: &str) -> String {
    match word {
        "true or false" => "true and false".into(),
        _ => format!(
            "{}s",
            word.trim_start_matches("an ").trim_start_matches("a ")
        ),
    }
}
