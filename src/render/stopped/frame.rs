//! The text of the call stack.

use crate::answer::{CallStack, Frame, Line, StackEntry, Style};
use crate::text::{count_noun, elide};
use std::ops::Range;

/// Rows of a call stack that is shown in short form.
const MAX_ROWS: usize = 10;
/// How many of these rows show the outermost frames.
const OUTERMOST_ROWS: usize = 4;
/// Widths that leave room for the statement on the same line.
const MAX_NAME_COLUMNS: usize = 36;
const MAX_LOCATION_COLUMNS: usize = 24;
/// The statement gets at least this much, even on a narrow screen.
const MIN_STATEMENT_COLUMNS: usize = 12;
/// The count that `where` suggests to see more frames.
const SUGGESTED_ROWS: usize = 50;

/// One row of the call stack. `F` is a frame.
enum Row<F> {
    Frame(F),
    /// Folded frames that repeat the ones above.
    Repeated(Range<usize>),
    /// Frames left out to save space.
    Omitted(Range<usize>),
}

/// The lines of a call stack.
pub(crate) fn call_stack_lines(stack: &CallStack, width: usize) -> Vec<Line> {
    let rows = stack.entries.iter().map(|entry| match entry {
        StackEntry::Frame(frame) => Row::Frame(frame.as_ref()),
        StackEntry::Repeated { frames } => Row::Repeated(frames.clone()),
    });
    let mut rows: Vec<Row<&Frame>> = rows.collect();
    if stack.is_short {
        omit_middle(&mut rows, stack.depth, |frame| frame.index);
    }
    let frames = || {
        rows.iter().filter_map(|row| match row {
            Row::Frame(frame) => Some(*frame),
            _ => None,
        })
    };
    let last_index = frames().map(|frame| frame.index).max().unwrap_or(0);
    let widest = |text: fn(&Frame) -> String| {
        let widths = frames().map(|frame| text(frame).chars().count());
        widths.max().unwrap_or(0)
    };
    let columns = Columns {
        digits: last_index.to_string().len().max(2),
        name: widest(name),
        location: widest(location),
    };
    let summary = |range: &Range<usize>, text: &str| {
        let frames = count_noun(range.len(), "more frame", "more frames");
        let selection = if range.contains(&stack.current) {
            format!("   (=> is at {})", stack.current)
        } else {
            String::new()
        };
        let indent = " ".repeat(columns.digits);
        Line::styled(
            Style::Dim,
            format!("   {indent}  … {frames}{text}{selection}"),
        )
    };
    let to_line = |row: &Row<&Frame>| match row {
        Row::Frame(frame) => frame_line(frame, &columns, width),
        Row::Repeated(range) => summary(range, " like this"),
        Row::Omitted(range) => summary(
            range,
            &format!(": `where {}` shows them", SUGGESTED_ROWS.min(stack.depth)),
        ),
    };
    rows.iter().map(to_line).collect()
}

/// Leaves out the middle of a long list of rows. `depth` is the number of frames.
fn omit_middle<F>(rows: &mut Vec<Row<F>>, depth: usize, index: impl Fn(&F) -> usize) {
    if rows.len() <= MAX_ROWS {
        return;
    }
    let number = |row: &Row<F>| match row {
        Row::Frame(frame) => Some(index(frame)),
        _ => None,
    };
    let outer = rows.split_off(rows.len() - OUTERMOST_ROWS);
    rows.truncate(MAX_ROWS - OUTERMOST_ROWS - 1);
    // A `Repeated` row makes no sense without the frames that it repeats.
    let outer: Vec<Row<F>> = outer
        .into_iter()
        .skip_while(|row| !matches!(row, Row::Frame(_)))
        .collect();
    let last = rows.iter().rev().find_map(number).unwrap_or(0);
    let first = outer.iter().find_map(number).unwrap_or(depth);
    let trailing = rows
        .iter()
        .rev()
        .take_while(|row| !matches!(row, Row::Frame(_)))
        .count();
    rows.truncate(rows.len() - trailing);
    rows.push(Row::Omitted(last + 1..first));
    rows.extend(outer);
}

/// Column widths.
struct Columns {
    digits: usize,
    name: usize,
    location: usize,
}

/// `zero.onClick at [4][2]`
fn name(frame: &Frame) -> String {
    let name = match &frame.cell {
        Some(cell) => format!("{} at {cell}", frame.function),
        None => frame.function.clone(),
    };
    elide(&name, MAX_NAME_COLUMNS)
}

/// `board.gl:30`
fn location(frame: &Frame) -> String {
    let range = frame.range.as_ref();
    let location = range.map_or_else(String::new, |r| format!("{}:{}", r.file, r.line));
    elide_start(&location, MAX_LOCATION_COLUMNS)
}

/// Shortens a path at its start: the file name and the line matter more than the directories.
fn elide_start(text: &str, max_chars: usize) -> String {
    match text.chars().count().checked_sub(max_chars) {
        None | Some(0) => text.to_string(),
        Some(excess) => ['…']
            .into_iter()
            .chain(text.chars().skip(excess + 1))
            .collect(),
    }
}

fn frame_line(frame: &Frame, columns: &Columns, width: usize) -> Line {
    let arrow = if frame.is_current { "=>" } else { "  " };
    let old_code = if frame.is_old_code { "(old code) " } else { "" };
    let has_run = if frame.has_run { "(has run) " } else { "" };
    let Columns {
        digits,
        name: name_width,
        location: location_width,
    } = *columns;
    let used =
        2 + 1 + digits + 2 + name_width + 3 + location_width + 3 + old_code.len() + has_run.len();
    let available = width.saturating_sub(used);
    let statement = elide(&frame.statement, available.max(MIN_STATEMENT_COLUMNS));
    Line::styled(
        Style::Current,
        format!("{arrow} {:>digits$}  ", frame.index),
    )
    .with(Style::Strong, format!("{:<name_width$}", name(frame)))
    .with(
        Style::Dim,
        format!(
            "   {:<location_width$}   {old_code}{has_run}{statement}",
            location(frame)
        ),
    )
}

#[cfg(test)]
mod tests {
    use crate::render::stopped::frame::*;

    #[test]
    fn a_long_path_keeps_its_file_name_and_line() {
        assert_eq!(
            elide_start("games/chess.grid:12", 19),
            "games/chess.grid:12"
        );
        assert_eq!(elide_start("my/games/chess.grid:12", 14), "…chess.grid:12");
    }

    /// The rows as text: `a` a frame, `<n>` repeated frames, `(n)` omitted ones. In the input, `<`
    /// stands for ten repeated frames.
    fn shorten(entries: &str) -> String {
        let mut depth = 0;
        let mut rows = Vec::new();
        for c in entries.chars() {
            let count = if c == '<' { 10 } else { 1 };
            rows.push(match c {
                '<' => Row::Repeated(depth..depth + count),
                c => Row::Frame((depth, c)),
            });
            depth += count;
        }
        omit_middle(&mut rows, depth, |(index, _)| *index);
        let text = |row: &Row<(usize, char)>| match row {
            Row::Frame((_, c)) => c.to_string(),
            Row::Repeated(range) => format!("<{}>", range.len()),
            Row::Omitted(range) => format!("({})", range.len()),
        };
        rows.iter().map(text).collect()
    }

    #[test]
    fn a_stack_without_repetition_keeps_both_ends() {
        assert_eq!(shorten("abcdefghijklmn"), "abcde(5)klmn");
        assert_eq!(shorten("abcdefghij"), "abcdefghij");
    }

    #[test]
    fn repeated_frames_are_not_separated_from_those_they_repeat() {
        assert_eq!(shorten("a<abcde<efg"), "a<10>abc(12)efg");
        assert_eq!(shorten("abcd<defghijk"), "abcd(14)hijk");
    }
}
