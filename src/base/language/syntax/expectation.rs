//! What a grammar expects, in words.

use super::SyntaxError;

/// A row of the table: which terminals of the grammar must be expected, and what they are called
/// together.
pub struct Expected {
    all: &'static [&'static str],
    none: &'static [&'static str],
    /// The text of the token before; any if empty.
    after: &'static str,
    /// True if no other terminals may be expected.
    is_exact: bool,
    /// If empty, the first terminal in backticks.
    words: &'static str,
    /// The code of the error; that of all languages if empty.
    code: &'static str,
}

/// Terminals that are described by `words` if all of them are expected.
pub const fn expected(all: &'static [&'static str], words: &'static str) -> Expected {
    Expected {
        all,
        none: &[],
        after: "",
        is_exact: false,
        words,
        code: "",
    }
}

/// A terminal that is written as it is.
pub const fn quoted(terminal: &'static [&'static str]) -> Expected {
    expected(terminal, "")
}

impl Expected {
    /// Only if none of these terminals is expected as well.
    pub const fn unless(self, none: &'static [&'static str]) -> Expected {
        Expected { none, ..self }
    }

    /// Only directly after the token with this text.
    pub const fn after(self, after: &'static str) -> Expected {
        Expected { after, ..self }
    }

    /// Only if nothing else is expected.
    pub const fn exactly(self) -> Expected {
        Expected {
            is_exact: true,
            ..self
        }
    }

    /// The error has a code of its own.
    pub const fn code(self, code: &'static str) -> Expected {
        Expected { code, ..self }
    }

    fn applies<T: Copy>(&self, error: &SyntaxError<'_, T>) -> bool {
        self.all.iter().all(|terminal| error.accepts(terminal))
            && !self.none.iter().any(|terminal| error.accepts(terminal))
            && (!self.is_exact || error.expected().len() == self.all.len())
            && (self.after.is_empty() || self.after == error.text_before(1))
    }

    fn describe(&self) -> String {
        match self.words {
            "" => self.all.iter().map(|name| format!("`{name}`")).collect(),
            words => words.to_string(),
        }
    }
}

/// A table from sets of terminals to words.
pub struct ExpectedWords {
    /// The first row that applies says everything.
    pub first: &'static [Expected],
    /// If there is none: all rows that apply, joined with `or`.
    pub any: &'static [Expected],
    /// If there is none, either: the first row that applies.
    pub otherwise: &'static [Expected],
    /// If no row applies.
    pub nothing: &'static str,
}

impl ExpectedWords {
    /// Describes what the parser expected at an error.
    pub(super) fn describe<T: Copy>(&self, error: &SyntaxError<'_, T>) -> String {
        let describe = |row: Option<&Expected>| row.map(Expected::describe);
        describe(first(self.first, error))
            .or_else(|| {
                let rows = self.any.iter().filter(|row| row.applies(error));
                join_with_or(rows.map(Expected::describe).collect())
            })
            .or_else(|| describe(first(self.otherwise, error)))
            .unwrap_or_else(|| self.nothing.to_string())
    }

    /// The code of the error, if it has one of its own.
    pub(super) fn code<T: Copy>(&self, error: &SyntaxError<'_, T>) -> Option<&'static str> {
        let code = first(self.first, error)?.code;
        (!code.is_empty()).then_some(code)
    }
}

/// The first row that applies.
fn first<'r, T: Copy>(rows: &'r [Expected], error: &SyntaxError<'_, T>) -> Option<&'r Expected> {
    rows.iter().find(|row| row.applies(error))
}

/// `a, b or c`; `None` if there is nothing to join.
fn join_with_or(mut words: Vec<String>) -> Option<String> {
    let last = words.pop()?;
    Some(match words.is_empty() {
        true => last,
        false => format!("{} or {last}", words.join(", ")),
    })
}
