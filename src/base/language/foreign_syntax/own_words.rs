//! Writes a note on a foreign construct with the names and values of the line that contains it.

use std::ops::Range;

/// Longer values are not repeated in a note.
const MAX_VALUE_CHARS: usize = 24;

/// Replaces the placeholders of a note: `$name`, `$property` (a name with an owner before a dot), `$value`,
/// `$operator` and `$operand`. What the line does not have is replaced by an example.
pub(super) fn fill(note: &str, line: &str, construct: Range<usize>) -> String {
    if !note.contains('$') {
        return note.to_string();
    }
    let symbol = &line[construct.clone()];
    let before = &line[..construct.start];
    let after = &line[construct.end..];
    let is_word = symbol.starts_with(char::is_alphabetic);
    let name = match is_word {
        true => word_at_start(after),
        false => Some(place_at_end(before))
            .filter(|name| !name.is_empty())
            .or_else(|| word_at_start(after)),
    };
    let name = name.unwrap_or("x");
    let property = match name.contains('.') {
        true => name.to_string(),
        false => format!("hero.{name}"),
    };
    let operator = symbol.chars().next().filter(|c| !c.is_alphabetic());
    let assigned = match is_word {
        true => after
            .split_once('=')
            .map(|(_, value)| value.trim_start_matches('=')),
        false => Some(after).filter(|_| symbol.ends_with('=')),
    };
    let value = assigned.and_then(simple_value);
    let value = value.unwrap_or(if is_word { "3" } else { "1" });
    note.replace("$name", name)
        .replace("$property", &property)
        .replace("$value", value)
        .replace("$operator", &operator.unwrap_or('+').to_string())
        .replace("$operand", operand_at_start(after).unwrap_or("a"))
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn word_at_start(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let end = text.find(|c| !is_word_char(c)).unwrap_or(text.len());
    Some(&text[..end]).filter(|word| word.starts_with(char::is_alphabetic))
}

/// The name, element or attribute at the end of a text, such as `l[0]` or `hero.x`.
fn place_at_end(text: &str) -> &str {
    let text = text.trim_end();
    let is_part = |c| is_word_char(c) || matches!(c, '.' | '[' | ']');
    let start = text
        .char_indices()
        .rev()
        .take_while(|(_, c)| is_part(*c))
        .last()
        .map_or(text.len(), |(start, _)| start);
    let place = &text[start..];
    match place.starts_with(char::is_alphabetic) {
        true => place,
        false => "",
    }
}

/// A value up to the end of the statement.
fn simple_value(text: &str) -> Option<&str> {
    let end = text.find([';', '{', '}']).unwrap_or(text.len());
    let value = text[..end].trim();
    let is_short = (1..=MAX_VALUE_CHARS).contains(&value.chars().count());
    Some(value).filter(|_| is_short)
}

/// A name at the start of a text that is not called.
fn operand_at_start(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let end = text.find(|c| !is_word_char(c) && c != '.');
    let (operand, rest) = text.split_at(end.unwrap_or(text.len()));
    let is_called = rest.trim_start().starts_with(['(', '{', '[']);
    let is_name = operand.starts_with(char::is_alphabetic);
    Some(operand.trim_end_matches('.')).filter(|_| is_name && !is_called)
}

#[cfg(test)]
mod tests {
    use super::fill;

    fn filled(note: &str, line: &str, construct: &str) -> String {
        let start = line.find(construct).unwrap();
        fill(note, line, start..start + construct.len())
    }

    #[test]
    fn notes_repeat_the_names_and_values_of_the_line() {
        for (note, line, construct, expected) in [
            ("$name{$name + 1}", "count++", "++", "count{count + 1}"),
            ("$name{$name + 1}", "  ++count", "++", "count{count + 1}"),
            ("set $property", "hero.x++;", "++", "set hero.x"),
            ("set $property", "x++;", "++", "set hero.x"),
            (
                "$name $operator $value",
                "l[0] -= 2 * n }",
                "-=",
                "l[0] - 2 * n",
            ),
            ("$name $operator $value", "n +=", "+=", "n + 1"),
            ("def $name{$value}", "let n = 0", "let", "def n{0}"),
            (
                "def $name{$value}",
                "string s = \"a\";",
                "string",
                "def s{\"a\"}",
            ),
            ("def $name{$value}", "var n := 4", "var", "def n{4}"),
            ("def $name{$value}", "var", "var", "def x{3}"),
            ("!$operand", "not done", "not", "!done"),
            ("!$operand", "if (not p.win)", "not", "!p.win"),
            ("!$operand", "not f{1}", "not", "!a"),
            ("!$operand", "not (a == 1)", "not", "!a"),
            ("no placeholder", "not x", "not", "no placeholder"),
        ] {
            assert_eq!(filled(note, line, construct), expected, "{line}");
        }
    }
}
