//! What went wrong, as data: where, what was expected, what was probably meant, how to mend it.
//!
//! One kind for all phases and all languages. Painting it is the terminal's work.

use crate::source::Span;

#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Severity {
    Error,
    Warning,
    Note,
}

impl Severity {
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

/// When it was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    Parse,
    Check,
    Type,
    Runtime,
}

impl Phase {
    pub fn as_str(self) -> &'static str {
        match self {
            Phase::Parse => "parse",
            Phase::Check => "check",
            Phase::Type => "type",
            Phase::Runtime => "runtime",
        }
    }
}

/// One thing to tell the person at the prompt.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    pub severity: Severity,
    pub phase: Phase,
    /// Stable, such as `GL012`: two letters of the language and a number.
    pub code: &'static str,
    /// A whole sentence without a final full stop, with the did-you-mean in it.
    pub message: String,
    pub span: Option<Span>,
    /// A few words that stand at the place itself; may be empty.
    pub label: String,
    /// Other places that matter, each with its words.
    pub related: Vec<(Span, String)>,
    /// How to mend it.
    pub notes: Vec<String>,
}

impl Diagnostic {
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
        }
    }

    pub fn error(phase: Phase, code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, phase, code, span, message)
    }

    pub fn warning(
        phase: Phase,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> Self {
        Self::new(Severity::Warning, phase, code, span, message)
    }

    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    pub fn related(mut self, span: Span, words: impl Into<String>) -> Self {
        self.related.push((span, words.into()));
        self
    }

    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// More than these nobody reads: one mistake can have a hundred thousand consequences.
const MOST: usize = 50;

/// The first of many; the last one says how many are left out.
pub fn truncate_errors(mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    // Warnings give way to errors.
    if found.len() > MOST {
        found.sort_by_key(|d| !d.is_error());
    }
    let more = found.len().saturating_sub(MOST);
    found.truncate(MOST);
    if let Some(last) = found.last_mut().filter(|_| more > 0) {
        last.notes
            .push(format!("{more} more like these are not shown"));
    }
    found
}

/// No name that a person meant is longer, and comparing long ones takes long.
const LONGEST: usize = 60;

/// The candidate nearest to `word`, if one is near enough to have been meant.
pub fn closest_match<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let letters = word.chars().take(LONGEST + 1).count();
    if letters > LONGEST {
        return None;
    }
    let allowed = match letters {
        0..=1 => 0,
        2..=4 => 1,
        5..=7 => 2,
        _ => 3,
    };
    candidates
        .into_iter()
        .filter(|c| *c != word && !c.is_empty() && c.len() <= 4 * LONGEST)
        .filter_map(|c| {
            if c.eq_ignore_ascii_case(word) {
                return Some((0, c));
            }
            let far = distance(word, c);
            // In a short word one letter for another makes another word, unless the first one stays.
            let replaced =
                letters <= 4 && c.chars().count() == letters && !has_same_letters(word, c);
            let near = far <= allowed && (!replaced || letters > 2 && begins_alike(word, c));
            (near || is_part(word, c)).then_some((if near { far } else { allowed + 1 }, c))
        })
        // A letter left out is likelier than another one in its place.
        .min_by_key(|&(far, c)| (far, !is_within(word, c), c.len()))
        .map(|(_, c)| c)
}

/// Whether a word is another one with some letters left out.
fn is_within(word: &str, whole: &str) -> bool {
    let mut rest = whole.chars();
    word.chars().all(|c| rest.any(|other| other == c))
}

/// Whether a word is a part of a name that could stand for it: its beginning, most of it, or its consonants.
fn is_part(word: &str, name: &str) -> bool {
    let (word, lower) = (word.to_lowercase(), name.to_lowercase());
    let (letters, all) = (word.chars().count(), lower.chars().count());
    if letters < 3 {
        // Of short ones only a whole first part: `x` of `xPiece`.
        let next = name.chars().nth(letters);
        return lower.starts_with(&word) && letters > 0 && next.is_some_and(|c| !c.is_lowercase());
    }
    let mut rest = lower.chars();
    let shortened = begins_alike(&word, &lower) && word.chars().all(|c| rest.any(|r| r == c));
    lower.starts_with(&word) || letters * 2 >= all && (lower.contains(&word) || shortened)
}

fn begins_alike(a: &str, b: &str) -> bool {
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

/// `; did you mean "…"?`, or nothing: to be put behind a message.
pub fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    closest_match(word, candidates)
        .map(|c| format!("; did you mean `{c}`?"))
        .unwrap_or_default()
}

/// How many letters must be changed, added, dropped or swapped with a neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let changed =
                rows[i - 1][j - 1] + usize::from(!a[i - 1].eq_ignore_ascii_case(&b[j - 1]));
            let mut best = changed.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::closest_match;

    #[test]
    fn a_near_name_is_suggested_and_a_far_one_is_not() {
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
    fn short_words_are_not_taken_for_just_any_other() {
        assert_eq!(closest_match("step", ["Item", "set"]), None);
        assert_eq!(closest_match("bee", ["set", "see"]), None);
        assert_eq!(closest_match("zed", ["add", "red"]), None);
        assert_eq!(closest_match("n", ["next", "not", "m"]), None);
        assert_eq!(closest_match("is", ["if", "in"]), None);
        assert_eq!(closest_match("foo", ["for"]), Some("for"));
        assert_eq!(closest_match("fro", ["for"]), Some("for"));
        assert_eq!(closest_match("ad", ["add"]), Some("add"));
    }
}
