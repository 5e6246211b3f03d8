//! Word wrap: long lines are broken at spaces, and continuation rows are indented like the first.

use crate::session::{Line, Style};
use unicode_width::UnicodeWidthChar;

/// Lines are not wrapped if less than this is left for the text after the indent.
const MIN_TEXT_COLUMNS: usize = 20;

/// Wraps a line to `width` columns. The text is never changed except for spaces at the breaks.
pub fn wrap_line(line: Line, width: usize) -> Vec<Line> {
    let chars: Vec<(Style, char)> = line
        .0
        .iter()
        .flat_map(|(s, part)| part.chars().map(|c| (*s, c)))
        .collect();
    let spaces = chars.iter().take_while(|(_, c)| *c == ' ').count();
    // Source listings start with a line number, perhaps after counts; continuation rows align with the
    // text after it.
    let is_gutter = |(style, part): &&(Style, String)| {
        let is_separate = part.ends_with(' ') || *style != Style::Plain;
        is_separate && part.chars().all(|c| " *=>0123456789-/kM".contains(c))
    };
    let gutter: String = line
        .0
        .iter()
        .take_while(is_gutter)
        .map(|p| p.1.as_str())
        .collect();
    let indent = match gutter.ends_with("  ") {
        true => gutter.len().max(spaces),
        false => spaces,
    };
    // On a very narrow screen, leave the wrapping to the terminal.
    if columns(&chars) <= width || width < indent + MIN_TEXT_COLUMNS {
        return vec![line];
    }
    let mut rows = Vec::new();
    let mut rest = chars.as_slice();
    let mut room = width;
    while columns(rest) > room {
        let fitting = fitting_chars(rest, room);
        let from = if rows.is_empty() { indent } else { 0 };
        let space = rest[..fitting]
            .iter()
            .rposition(|(_, c)| *c == ' ')
            .filter(|&at| at > from);
        let at = space.unwrap_or(fitting);
        rows.push(row(&rest[..at], if rows.is_empty() { 0 } else { indent }));
        rest = &rest[at..];
        rest = &rest[rest.iter().take_while(|(_, c)| *c == ' ').count()..];
        room = width - indent;
    }
    rows.push(row(rest, indent));
    rows
}

/// Cuts a line after `width` columns. Tabs and newlines become spaces.
pub fn clip_line(line: Line, width: usize) -> Line {
    let chars: Vec<(Style, char)> = line
        .0
        .iter()
        .flat_map(|(s, part)| part.chars().map(|c| (*s, c)))
        .map(|(s, c)| (s, if c == '\t' || c == '\n' { ' ' } else { c }))
        .collect();
    let mut used = 0;
    let fits = chars.iter().take_while(|(_, c)| {
        used += c.width().unwrap_or(0);
        used <= width
    });
    let count = fits.count();
    row(&chars[..count], 0)
}

/// The same for a text.
pub fn clip_text(text: &str, width: usize) -> String {
    clip_line(Line::plain(text), width).text()
}

/// The number of terminal columns of a line; some characters take two, others none.
pub fn display_width(line: &Line) -> usize {
    line.0
        .iter()
        .flat_map(|(_, part)| part.chars())
        .map(|c| c.width().unwrap_or(0))
        .sum()
}

fn columns(chars: &[(Style, char)]) -> usize {
    chars.iter().map(|(_, c)| c.width().unwrap_or(0)).sum()
}

/// How many characters fit into `room` columns, plus the space after them; at least one.
fn fitting_chars(chars: &[(Style, char)], room: usize) -> usize {
    let mut used = 0;
    let fits = chars.iter().take_while(|(_, c)| {
        used += c.width().unwrap_or(0);
        used <= room
    });
    let count = fits.count();
    let space = chars.get(count).is_some_and(|(_, c)| *c == ' ');
    (count + usize::from(space)).max(1)
}

fn row(chars: &[(Style, char)], indent: usize) -> Line {
    let mut line = Line::plain(" ".repeat(indent));
    for &(style, c) in chars {
        match line.0.last_mut() {
            Some((last, text)) if *last == style => text.push(c),
            _ => line.0.push((style, c.to_string())),
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::{clip_line, wrap_line};
    use crate::session::{Line, Style};

    #[test]
    fn long_lines_are_wrapped_at_spaces() {
        let rows = |text: &str, width| {
            wrap_line(Line::plain(text), width)
                .iter()
                .map(|l| l.text())
                .collect::<Vec<_>>()
        };
        assert_eq!(
            rows("  one two three four five", 22),
            ["  one two three four", "  five"]
        );
        assert_eq!(rows("  short", 22), ["  short"]);
        let source =
            Line::styled(Style::Dim, "  => 31  ").with(Style::Plain, "  if this AND that OR other");
        let source_rows: Vec<String> = wrap_line(source, 30).iter().map(|l| l.text()).collect();
        assert_eq!(
            source_rows,
            ["  => 31    if this AND that OR", "         other"]
        );
        let counted = Line::styled(Style::Dim, "  12  7/- ")
            .with(Style::Changed, "*")
            .with(Style::Dim, "    31  ")
            .with(Style::Plain, "  if this AND that OR other");
        let counted_rows: Vec<String> = wrap_line(counted, 40).iter().map(|l| l.text()).collect();
        assert_eq!(
            counted_rows,
            [
                "  12  7/- *    31    if this AND that OR",
                "                   other"
            ]
        );
        assert_eq!(
            rows("abcdefghijklmnopqrstuvwxyz", 20),
            ["abcdefghijklmnopqrst", "uvwxyz"]
        );
    }
    #[test]
    fn clipped_lines_fit_even_with_wide_characters() {
        let clip = |text: &str, width| clip_line(Line::plain(text), width).text();
        assert_eq!(clip("abc", 5), "abc");
        assert_eq!(clip("abcdef", 5), "abcde");
        // Each of these characters takes two columns.
        assert_eq!(clip("日本語", 5), "日本");
        assert_eq!(clip("a\tb\nc", 5), "a b c");
    }
}
