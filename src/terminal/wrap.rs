//! Long lines in several rows, broken at spaces, the later ones as far in as the first.

use crate::session::{Line, Style};
use unicode_width::UnicodeWidthChar;

/// The rows that a line takes on a screen of this width.
pub fn wrap_line(line: Line, width: usize) -> Vec<Line> {
    let letters: Vec<(Style, char)> = line
        .0
        .iter()
        .flat_map(|(s, part)| part.chars().map(|c| (*s, c)))
        .collect();
    let spaces = letters.iter().take_while(|(_, c)| *c == ' ').count();
    // A line of a source goes on under its text, not under its number.
    let number = |(_, part): &&(Style, String)| {
        part.ends_with("  ") && part.chars().all(|c| " =>0123456789".contains(c))
    };
    let indent = line
        .0
        .first()
        .filter(number)
        .map_or(spaces, |(_, part)| part.len().max(spaces));
    // Without room to speak of, the terminal may break the line as it likes.
    if wide(&letters) <= width || width < indent + 20 {
        return vec![line];
    }
    let mut rows = Vec::new();
    let mut rest = letters.as_slice();
    let mut room = width;
    while wide(rest) > room {
        let fits = fitting(rest, room);
        let from = if rows.is_empty() { indent } else { 0 };
        let space = rest[..fits]
            .iter()
            .rposition(|(_, c)| *c == ' ')
            .filter(|&at| at > from);
        let at = space.unwrap_or(fits);
        rows.push(row(&rest[..at], if rows.is_empty() { 0 } else { indent }));
        rest = &rest[at..];
        rest = &rest[rest.iter().take_while(|(_, c)| *c == ' ').count()..];
        room = width - indent;
    }
    rows.push(row(rest, indent));
    rows
}

/// How many columns a line takes.
pub fn display_width(line: &Line) -> usize {
    line.0
        .iter()
        .flat_map(|(_, part)| part.chars())
        .map(|c| c.width().unwrap_or(0))
        .sum()
}

fn wide(letters: &[(Style, char)]) -> usize {
    letters.iter().map(|(_, c)| c.width().unwrap_or(0)).sum()
}

/// How many letters fit, and the space behind them; at least one.
fn fitting(letters: &[(Style, char)], room: usize) -> usize {
    let mut used = 0;
    let fits = letters.iter().take_while(|(_, c)| {
        used += c.width().unwrap_or(0);
        used <= room
    });
    let count = fits.count();
    let space = letters.get(count).is_some_and(|(_, c)| *c == ' ');
    (count + usize::from(space)).max(1)
}

fn row(letters: &[(Style, char)], indent: usize) -> Line {
    let mut line = Line::plain(" ".repeat(indent));
    for &(style, c) in letters {
        match line.0.last_mut() {
            Some((last, text)) if *last == style => text.push(c),
            _ => line.0.push((style, c.to_string())),
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::wrap_line;
    use crate::session::{Line, Style};

    #[test]
    fn long_lines_break_at_spaces() {
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
        let rows_of_source: Vec<String> = wrap_line(source, 30).iter().map(|l| l.text()).collect();
        assert_eq!(
            rows_of_source,
            ["  => 31    if this AND that OR", "         other"]
        );
        assert_eq!(
            rows("abcdefghijklmnopqrstuvwxyz", 20),
            ["abcdefghijklmnopqrst", "uvwxyz"]
        );
    }
}
