//! Errors and warnings as data: the message, where it applies, and how to fix it.
//!
//! All phases and all languages use the same type. Rendering is up to the terminal.
//!
//! ```text
//! advice  what to do about an error, as data
//! shown   which diagnostics are shown to people
//! ```

mod advice;
mod shown;

pub use self::advice::Advice;
pub use self::shown::{shown_diagnostics, split_shown_diagnostics};

use crate::source::{Source, Span};

/// How serious a diagnostic is; most serious first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord, Hash)]
pub enum Severity {
    Error,
    Warning,
}

impl Severity {
    /// The name used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// The phase that reported a diagnostic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    Parse,
    Check,
    Type,
    Runtime,
}

impl Phase {
    /// The name used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Phase::Parse => "parse",
            Phase::Check => "check",
            Phase::Type => "type",
            Phase::Runtime => "runtime",
        }
    }
}

/// An error, warning or note for the user.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    pub severity: Severity,
    pub phase: Phase,
    /// Stable code such as `GL012`: two letters for the language, or `RT` for runtime errors, and a
    /// number.
    pub code: &'static str,
    /// One line without a full stop, including the "did you mean" suggestion.
    pub message: String,
    /// The code to underline.
    pub span: Option<Span>,
    /// A few words shown next to the underlined code; may be empty.
    pub label: String,
    /// Other relevant locations, each with its label.
    pub related: Vec<(Span, String)>,
    /// How to fix it, or background.
    pub notes: Vec<String>,
    /// What to do about it, as data. The text of it follows the message.
    pub advice: Vec<Advice>,
}

impl Diagnostic {
    /// A diagnostic without notes.
    pub fn new(
        severity: Severity,
        phase: Phase,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> Self {
        Diagnostic {
            severity,
            phase,
            code,
            message: message.into(),
            span: Some(span),
            label: String::new(),
            related: Vec::new(),
            notes: Vec::new(),
            advice: Vec::new(),
        }
    }

    /// An error at a span of the source.
    pub fn error(phase: Phase, code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, phase, code, span, message)
    }

    /// A warning at a span of the source.
    pub fn warning(
        phase: Phase,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> Self {
        Self::new(Severity::Warning, phase, code, span, message)
    }

    /// Sets the label of the underlined code.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Adds a note.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Adds a note to a diagnostic that is already reported.
    pub fn add_note(&mut self, note: impl Into<String>) -> &mut Self {
        self.notes.push(note.into());
        self
    }

    /// Adds another relevant location to a diagnostic that is already reported. Without a span,
    /// nothing is added.
    pub fn add_related(
        &mut self,
        span: impl Into<Option<Span>>,
        label: impl Into<String>,
    ) -> &mut Self {
        let related = span.into().map(|span| (span, label.into()));
        self.related.extend(related);
        self
    }

    /// Adds another relevant location, if there is one.
    pub fn related(mut self, span: impl Into<Option<Span>>, label: impl Into<String>) -> Self {
        self.add_related(span, label);
        self
    }

    /// The correction that the message suggests with `did you mean`: the span of the misspelled word
    /// and the text to replace it with. `source` is the text that the diagnostic is about.
    pub fn suggested_edit(&self, source: &Source) -> Option<(Span, String)> {
        let (_, suggestion) = self.message.rsplit_once(DID_YOU_MEAN)?;
        let (replacement, rest) = suggestion.split_once('`')?;
        let span = self.span.filter(|span| span.source == source.id)?;
        let named = rest
            .strip_prefix(" instead of `")
            .and_then(|word| word.strip_suffix("`?"));
        // Without a name, it is the word of the underlined code that is closest to the suggestion.
        let (from, area) = match named {
            Some(_) => (0, source.text.get(..span.end as usize)?),
            None => (
                span.start as usize,
                source.text.get(span.start as usize..span.end as usize)?,
            ),
        };
        let is_misspelled = |word: &str| match named {
            Some(named) => word == named,
            None => closest_match(word, [replacement]).is_some(),
        };
        let (start, word) = words(area).filter(|(_, word)| is_misspelled(word)).last()?;
        let start = (from + start) as u32;
        let span = Span {
            start,
            end: start + word.len() as u32,
            ..span
        };
        Some((span, replacement.to_string()))
    }

    /// True if it prevents the program from running.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// The first error among diagnostics.
pub fn first_error(diagnostics: &[Diagnostic]) -> Option<&Diagnostic> {
    diagnostics.iter().find(|diagnostic| diagnostic.is_error())
}

/// Whether one of them prevents the program from running.
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    first_error(diagnostics).is_some()
}

/// `Ok` with the warnings if there are no errors, otherwise `Err` with everything.
pub fn without_errors(diagnostics: Vec<Diagnostic>) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
    match has_errors(&diagnostics) {
        true => Err(diagnostics),
        false => Ok(diagnostics),
    }
}

/// At most `max` diagnostics, errors before warnings if there are more, and how many are left out.
pub fn first_diagnostics(diagnostics: &[Diagnostic], max: usize) -> (Vec<&Diagnostic>, usize) {
    let omitted = diagnostics.len().saturating_sub(max);
    if omitted == 0 {
        return (diagnostics.iter().collect(), 0);
    }
    let errors = diagnostics.iter().filter(|d| d.is_error());
    let warnings = diagnostics.iter().filter(|d| !d.is_error());
    (errors.chain(warnings).take(max).collect(), omitted)
}

/// Longer words are never compared: edit distance is quadratic, and no real name is this long.
const MAX_WORD_CHARS: usize = 60;

/// The same limit for candidates, in bytes, which are faster to count.
const MAX_WORD_BYTES: usize = 4 * MAX_WORD_CHARS;

/// The candidate most similar to `word`, if it is similar enough to be a plausible typo.
pub fn closest_match<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let letter_count = word.chars().take(MAX_WORD_CHARS + 1).count();
    if letter_count > MAX_WORD_CHARS {
        return None;
    }
    let max_distance = match letter_count {
        0..=1 => 0,
        2..=5 => 1,
        6..=7 => 2,
        _ => 3,
    };
    candidates
        .into_iter()
        .filter(|c| *c != word && !c.is_empty() && c.len() <= MAX_WORD_BYTES)
        .filter_map(|c| {
            if c.eq_ignore_ascii_case(word) {
                return Some((0, c));
            }
            let distance = edit_distance(word, c);
            // In a short word a replaced letter usually makes a different word; accept it only if
            // the first letter matches.
            let has_replaced_letter = letter_count <= 4
                && c.chars().count() == letter_count
                && !has_same_letters(word, c);
            // Nor do two typos make another first letter, except in a long word.
            let is_far = distance > 1 && letter_count < 8 && !has_same_first_letter(word, c);
            let is_typo = distance <= max_distance
                && !is_far
                && (!has_replaced_letter || letter_count > 2 && has_same_first_letter(word, c));
            (is_typo || is_abbreviation(word, c))
                .then_some((if is_typo { distance } else { max_distance + 1 }, c))
        })
        // Prefer a missing letter to a replaced one.
        .min_by_key(|&(distance, c)| (distance, !is_subsequence(word, c), c.len()))
        .map(|(_, c)| c)
}

/// Whether `word` is `name` with some letters left out.
fn is_subsequence(word: &str, name: &str) -> bool {
    let mut rest = name.chars();
    word.chars().all(|c| rest.any(|other| other == c))
}

/// Whether a word is a plausible abbreviation of a name: a prefix, most of it, or its consonants.
fn is_abbreviation(word: &str, name: &str) -> bool {
    let (word, lower) = (word.to_lowercase(), name.to_lowercase());
    let (letters, name_letters) = (word.chars().count(), lower.chars().count());
    if letters < 3 {
        // A short word must be the first component of a name: `x` of `xPiece`.
        let next = name.chars().nth(letters);
        return lower.starts_with(&word) && letters > 0 && next.is_some_and(|c| !c.is_lowercase());
    }
    let is_shortened = has_same_first_letter(&word, &lower) && is_subsequence(&word, &lower);
    lower.starts_with(&word)
        || letters * 2 >= name_letters && (lower.contains(&word) || is_shortened)
}

fn has_same_first_letter(a: &str, b: &str) -> bool {
    a.chars()
        .zip(b.chars())
        .next()
        .is_some_and(|(a, b)| a.eq_ignore_ascii_case(&b))
}

fn has_same_letters(a: &str, b: &str) -> bool {
    let sorted = |text: &str| {
        let mut letters: Vec<char> = text.to_lowercase().chars().collect();
        letters.sort_unstable();
        letters
    };
    sorted(a) == sorted(b)
}

/// The words of a text with their byte offsets.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_separator = |c: char| !c.is_alphanumeric() && c != '_';
    text.split(is_separator)
        .filter(|word| !word.is_empty())
        .map(move |word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

/// What precedes the suggestion in a message.
const DID_YOU_MEAN: &str = "did you mean `";

/// `; did you mean …?` to append to a message, or the empty string.
pub fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    closest_match(word, candidates)
        .map(|c| format!("; {DID_YOU_MEAN}{c}`?"))
        .unwrap_or_default()
}

/// Edit distance, ignoring case, that also counts swapping two neighboring letters as one edit.
fn edit_distance(a: &str, b: &str) -> usize {
    strsim::osa_distance(&a.to_ascii_lowercase(), &b.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::closest_match;

    #[test]
    fn suggests_similar_names_only() {
        assert_eq!(
            closest_match("countr", ["counter", "total"]),
            Some("counter")
        );
        assert_eq!(closest_match("knigth", ["knight", "king"]), Some("knight"));
        assert_eq!(closest_match("x", ["xPiece", "oPiece"]), Some("xPiece"));
        assert_eq!(closest_match("mine", ["mines", "one"]), Some("mines"));
        assert_eq!(
            closest_match("gold", ["gold coin", "fold"]),
            Some("gold coin")
        );
        assert_eq!(closest_match("brk", ["break", "back"]), Some("break"));
        assert_eq!(closest_match("or", ["OR", "for"]), Some("OR"));
        assert_eq!(closest_match("zzzzzz", ["counter", "total"]), None);
        assert_eq!(closest_match("a", ["b"]), None);
    }

    #[test]
    fn short_words_need_a_close_match() {
        assert_eq!(closest_match("step", ["Item", "set"]), None);
        assert_eq!(closest_match("bee", ["set", "see"]), None);
        assert_eq!(closest_match("zed", ["add", "red"]), None);
        assert_eq!(closest_match("n", ["next", "not", "m"]), None);
        assert_eq!(closest_match("is", ["if", "in"]), None);
        assert_eq!(closest_match("foo", ["for"]), Some("for"));
        assert_eq!(closest_match("fro", ["for"]), Some("for"));
        assert_eq!(closest_match("ad", ["add"]), Some("add"));
        assert_eq!(closest_match("hello", ["cell", "help"]), None);
        assert_eq!(closest_match("turnip", ["burn", "return"]), None);
    }
}
