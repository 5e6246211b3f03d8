//! Recognizes constructs of other programming languages, such as `x++` or `def f():`, and says how
//! to write them in this language.
//!
//! ```text
//! own_words  the names and values of the line, in the note
//! ```

mod own_words;

use super::LanguageInfo;
use crate::diagnostic::{Diagnostic, Phase};
use crate::source::{Source, Span};
use std::ops::Range;

/// A construct that newcomers know from other programming languages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ForeignSyntax {
    /// `// comment`
    SlashComment,
    /// `# comment`
    HashComment,
    /// `-- comment`
    DashComment,
    /// `/* comment */`
    BlockComment,
    /// `x++` or `x--`
    Increment,
    /// `x += 1`
    CompoundAssignment,
    /// `a and b` or `a && b`
    And,
    /// `a or b` or `a || b`
    Or,
    /// `not a`
    Not,
    /// `a <> b`
    NotEqual,
    /// `if` or `else`
    If,
    /// `elif`
    ElseIf,
    /// `a ? b : c`
    Conditional,
    /// `for`, `while` and other loops
    Loop,
    /// `def f(x)`
    Function,
    /// `return x`
    Return,
    /// `let x = 3` or `int x = 3`
    Variable,
    /// `console.log(x)`
    Print,
    /// `null`
    Null,
    /// `switch (x)`
    Switch,
    /// `import x`
    Import,
    /// `'text'`
    SingleQuote,
    /// `“text”`, as pasted from a web page
    CurlyQuote,
    /// A space that does not break the line, as pasted from a web page
    NoBreakSpace,
}

/// How a language writes what other languages write differently: the construct, and a note on it, which may
/// have placeholders such as `$name` (`own_words`).
/// A construct that the language has is not listed.
pub type ForeignSyntaxNotes = &'static [(ForeignSyntax, &'static str)];

use ForeignSyntax::*;

/// What the constructs are called in guides.
const NAMES: &[(&str, ForeignSyntax)] = &[
    ("slash comment", SlashComment),
    ("hash comment", HashComment),
    ("dash comment", DashComment),
    ("block comment", BlockComment),
    ("increment", Increment),
    ("compound assignment", CompoundAssignment),
    ("and", And),
    ("or", Or),
    ("not", Not),
    ("not equal", NotEqual),
    ("if", If),
    ("else if", ElseIf),
    ("conditional", Conditional),
    ("loop", Loop),
    ("function", Function),
    ("return", Return),
    ("variable", Variable),
    ("print", Print),
    ("null", Null),
    ("switch", Switch),
    ("import", Import),
    ("single quote", SingleQuote),
    ("curly quote", CurlyQuote),
    ("no-break space", NoBreakSpace),
];

impl ForeignSyntax {
    /// The construct that guides call this.
    pub(super) fn named(name: &str) -> Option<ForeignSyntax> {
        let row = NAMES.iter().find(|(known, _)| *known == name)?;
        Some(row.1)
    }
}

/// Operators and other symbols. Of two that start alike, the longer one comes first.
const SYMBOLS: &[(&str, ForeignSyntax)] = &[
    ("//", SlashComment),
    ("/*", BlockComment),
    ("--", DashComment),
    ("#", HashComment),
    ("++", Increment),
    ("+=", CompoundAssignment),
    ("-=", CompoundAssignment),
    ("*=", CompoundAssignment),
    ("&&", And),
    ("||", Or),
    ("<>", NotEqual),
    ("?", Conditional),
    ("'", SingleQuote),
    ("‘", CurlyQuote),
    ("’", CurlyQuote),
    ("“", CurlyQuote),
    ("”", CurlyQuote),
    ("„", CurlyQuote),
    ("\u{a0}", NoBreakSpace),
    ("\u{202f}", NoBreakSpace),
];

/// Words. Those that the language has are ignored.
const WORDS: &[(ForeignSyntax, &[&str])] = &[
    (And, &["and"]),
    (Or, &["or"]),
    (Not, &["not"]),
    (If, &["if", "else", "then", "unless"]),
    (ElseIf, &["elif", "elsif", "elseif"]),
    (
        Loop,
        &["for", "foreach", "while", "repeat", "until", "loop", "do"],
    ),
    (
        Function,
        &[
            "def", "function", "func", "fn", "fun", "void", "sub", "class",
        ],
    ),
    (Return, &["return"]),
    (
        Variable,
        &[
            "let", "var", "const", "val", "int", "float", "string", "bool", "boolean", "auto",
            "dim",
        ],
    ),
    (
        Print,
        &[
            "print", "console", "System", "printf", "println", "echo", "puts", "cout", "alert",
        ],
    ),
    (Null, &["null", "nil", "None", "undefined", "NULL"]),
    (Switch, &["switch", "case", "match"]),
    (Import, &["import", "include", "using", "require", "from"]),
];

/// A construct in a text.
struct Occurrence<'t> {
    syntax: ForeignSyntax,
    text: &'t str,
    range: Range<usize>,
    /// Where the previous token of the line ends; `None` at the start of a statement.
    previous_end: Option<usize>,
}

/// Replaces each error that a construct of another language caused by an explanation. If it is a syntax
/// error or the first error of its line, the other diagnostics of the line are follow-ups of the same
/// mistake.
pub fn explain_foreign_syntax(
    info: &LanguageInfo,
    source: &Source,
    diagnostics: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let line_of = |diagnostic: &Diagnostic| {
        let span = diagnostic.span?;
        Some((span.source, source.line_number(span.start)))
    };
    let mut lines_with_errors = Vec::new();
    let mut explained_lines = Vec::new();
    let mut explanations = Vec::new();
    for (index, error) in diagnostics.iter().enumerate() {
        let Some(line) = line_of(error).filter(|_| error.is_error()) else {
            continue;
        };
        let is_first = !lines_with_errors.contains(&line);
        lines_with_errors.push(line);
        if explained_lines.contains(&line) {
            continue;
        }
        if let Some((note, span, message)) = recognize(info, source, error) {
            let explanation = Diagnostic::error(error.phase, error.code, span, message);
            explanations.push((index, explanation.note(note)));
            if is_first || error.phase == Phase::Parse {
                explained_lines.push(line);
            }
        }
    }
    let mut explanations = explanations.into_iter().peekable();
    let mut all = Vec::new();
    for (index, diagnostic) in diagnostics.into_iter().enumerate() {
        match explanations.next_if(|(of, _)| *of == index) {
            Some((_, explanation)) => all.push(explanation),
            None if line_of(&diagnostic).is_some_and(|line| explained_lines.contains(&line)) => {}
            None => all.push(diagnostic),
        }
    }
    all
}

/// The note, the location and the message for the construct that caused an error.
fn recognize(
    info: &LanguageInfo,
    source: &Source,
    error: &Diagnostic,
) -> Option<(String, Span, String)> {
    let span = error.span.filter(|span| span.source == source.id)?;
    let line = source.line_range(source.line_number(span.start));
    let text = source.text.get(line.clone())?;
    let note_on = |syntax: ForeignSyntax| {
        let notes = info.guide.foreign_syntax.iter();
        notes.clone().find(|(other, _)| *other == syntax)
    };
    let error_range = span.start as usize..span.end as usize;
    let in_line = error_range.start - line.start..error_range.end.saturating_sub(line.start);
    let is_typo = error.message.contains("did you mean");
    let cause = occurrences(info, text)
        .into_iter()
        .filter(|found| note_on(found.syntax).is_some())
        .filter(|found| causes(found, &in_line, error.phase, text))
        .filter(|found| !is_typo || found.range != in_line)
        .min_by_key(|found| found.range.start.abs_diff(in_line.start))?;
    let (_, note) = note_on(cause.syntax)?;
    let found = cause.text;
    let message = match cause.syntax {
        SlashComment | HashComment | DashComment | BlockComment => {
            format!("`{found}` does not start a comment in {}", info.title)
        }
        SingleQuote | CurlyQuote => format!("unknown character `{found}`"),
        NoBreakSpace => "this is a no-break space, not an ordinary one".to_string(),
        _ => format!("{} has no `{found}`", info.title),
    };
    let start = line.start + cause.range.start;
    Some((
        own_words::fill(note, text, cause.range.clone()),
        source.span(start, line.start + cause.range.end),
        message,
    ))
}

/// Whether a construct explains an error at `error`, a range in the same line.
fn causes(found: &Occurrence<'_>, error: &Range<usize>, phase: Phase, line: &str) -> bool {
    let touches = found.range.start <= error.end && found.range.end >= error.start;
    let is_word = found.text.starts_with(char::is_alphabetic);
    match found.syntax {
        // Everything after it is part of the comment.
        SlashComment | HashComment | DashComment | BlockComment => {
            let rest = &line[found.range.end..];
            let is_separate = found.previous_end != Some(found.range.start);
            let is_comment = is_separate && !rest.trim_start().starts_with(is_digit);
            let is_certain = phase == Phase::Parse || found.previous_end.is_none();
            found.range.start <= error.start && is_comment && is_certain
        }
        // A type has a meaning elsewhere in a statement, too.
        Variable if found.previous_end.is_some() => false,
        _ if phase != Phase::Parse => found.range == *error,
        _ if is_word => {
            let is_before = found.range.end <= error.start
                && line[found.range.end..error.start].trim().is_empty();
            let starts_statement = found.previous_end.is_none() && found.range.start <= error.start;
            let is_inside = error.contains(&found.range.start);
            is_inside || is_before || starts_statement
        }
        _ => touches,
    }
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

/// The constructs of other languages in a line, in order. Text in double quotes is skipped.
fn occurrences<'t>(info: &LanguageInfo, line: &'t str) -> Vec<Occurrence<'t>> {
    let mut found = Vec::new();
    let mut previous_end = None;
    let mut at = 0;
    while let Some(c) = line[at..].chars().next() {
        let rest = &line[at..];
        let (length, syntax) = if c.is_alphanumeric() || c == '_' {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            let word = &rest[..end.unwrap_or(rest.len())];
            (word.len(), foreign_word(info, word))
        } else if c == '"' {
            let end = rest[1..].find('"').map_or(rest.len(), |end| end + 2);
            (end, None)
        } else {
            let symbol = SYMBOLS.iter().find(|(symbol, _)| rest.starts_with(symbol));
            match symbol {
                Some((symbol, syntax)) => (symbol.len(), Some(*syntax)),
                None => (c.len_utf8(), None),
            }
        };
        let range = at..at + length;
        at = range.end;
        if let Some(syntax) = syntax {
            found.push(Occurrence {
                syntax,
                text: &line[range.clone()],
                range: range.clone(),
                previous_end,
            });
        }
        previous_end = match c {
            '{' | '}' | ';' => None,
            c if c.is_whitespace() => previous_end,
            _ => Some(range.end),
        };
    }
    found
}

fn foreign_word(info: &LanguageInfo, word: &str) -> Option<ForeignSyntax> {
    if info.is_reserved(word) {
        return None;
    }
    let row = WORDS.iter().find(|(_, words)| words.contains(&word))?;
    Some(row.0)
}
