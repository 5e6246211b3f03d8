//! Small helpers for text: eliding, counted nouns, and rows of items.

use std::borrow::Borrow;
use std::iter;

/// Enough of an entry to recognize it by.
const MAX_ENTRY_CHARS: usize = 60;

/// The first line of a text, elided, with ` …` if there are more lines.
pub fn first_line(text: &str) -> String {
    match text.trim_end().split_once('\n') {
        Some((first, _)) => format!("{} …", elide(first.trim_end(), MAX_ENTRY_CHARS)),
        None => elide(text.trim_end(), MAX_ENTRY_CHARS),
    }
}

/// Shortens a text to at most `max` characters, the last of which is then `…`.
pub fn elide(text: &str, max: usize) -> String {
    match text.chars().count() <= max {
        true => text.to_string(),
        false => text
            .chars()
            .take(max.saturating_sub(1))
            .chain(['…'])
            .collect(),
    }
}

/// Source code on one line, without `--` comments.
pub fn code_on_one_line(code: &str) -> String {
    let lines: Vec<&str> = code
        .lines()
        .map(|line| line.split(" --").next().unwrap_or(""))
        .collect();
    lines
        .join(" ")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

/// A count with its noun: `1 entry`, `3 entries`.
pub fn count_noun(count: usize, singular: &str, plural: &str) -> String {
    let noun = if count == 1 { singular } else { plural };
    format!("{count} {noun}")
}

/// A count that may be large, with its noun: `1 position`, `5,478 positions`.
pub fn large_count_noun(count: usize, singular: &str, plural: &str) -> String {
    let noun = if count == 1 { singular } else { plural };
    format!("{} {noun}", with_commas(count as u64))
}

/// The message about a call with the wrong number of arguments.
pub fn argument_count_message(function: &str, takes: usize, given: usize) -> String {
    let arguments = count_noun(takes, "argument", "arguments");
    let given = count_noun(given, "was", "were");
    format!("`{function}` takes {arguments}, but {given} given")
}

/// A number with commas between groups of three digits: `5,478`.
pub fn with_commas(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Splits items into rows, each as full as possible. `rooms` are the columns of the first row and of
/// every other one; an item that is wider than its row is alone in it. Two items are `gap` columns apart.
pub fn fill_rows<T>(
    items: &[T],
    gap: usize,
    rooms: [usize; 2],
    columns: impl Fn(&T) -> usize,
) -> Vec<&[T]> {
    let mut rows = Vec::new();
    let (mut start, mut used) = (0, 0);
    for (at, item) in items.iter().enumerate() {
        let room = rooms[usize::from(!rows.is_empty())];
        if at > start && used + columns(item) > room {
            rows.push(&items[start..at]);
            (start, used) = (at, 0);
        }
        used += columns(item) + gap;
    }
    if start < items.len() {
        rows.push(&items[start..]);
    }
    rows
}

/// Texts joined with a separator, in rows of at most `width` columns, see [`fill_rows`]. `indents` are
/// the starts of the first row and of every other one.
pub fn join_rows<T: Borrow<str>>(
    texts: &[T],
    separator: &str,
    indents: [&str; 2],
    width: usize,
) -> Vec<String> {
    let rooms = indents.map(|indent| width.saturating_sub(indent.chars().count()));
    let columns = |text: &T| text.borrow().chars().count();
    let rows = fill_rows(texts, separator.len(), rooms, columns);
    let indents = iter::once(indents[0]).chain(iter::repeat(indents[1]));
    let rows = indents.zip(rows);
    rows.map(|(indent, row)| indent.to_string() + &row.join(separator))
        .collect()
}

/// The message about an entry that was rolled back before its end.
pub fn cancelled_message(entry: &str) -> String {
    format!("cancelled: {}", first_line(entry))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_count_of_one_is_singular() {
        assert_eq!(count_noun(0, "entry", "entries"), "0 entries");
        assert_eq!(count_noun(1, "entry", "entries"), "1 entry");
        assert_eq!(count_noun(2, "entry", "entries"), "2 entries");
    }

    #[test]
    fn rows_are_as_full_as_possible() {
        let words = ["one", "two", "three", "four"];
        let rows = |indents, width| join_rows(&words, ", ", indents, width);
        assert_eq!(rows(["", ""], 21), ["one, two, three, four"]);
        assert_eq!(rows(["", ""], 20), ["one, two, three", "four"]);
        assert_eq!(rows(["   ", ""], 11), ["   one, two", "three, four"]);
        assert_eq!(rows(["", " "], 10), ["one, two", " three", " four"]);
        assert_eq!(rows(["", "- "], 0), ["one", "- two", "- three", "- four"]);
        assert!(join_rows(&[""; 0], ", ", ["", ""], 9).is_empty());
    }
}
