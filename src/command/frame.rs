//! Commands for the call stack: `where`, `frame`, `up` and `down`.

use super::inspect::show_locals;
use super::{Command, parse_count};
use crate::code::FunctionId;
use crate::debugger::api::Part;
use crate::session::{Answer, Line, Session, Style, count_noun, elide};
use crate::source::Span;
use std::ops::Range;

pub const COMMANDS: &[Command] = &[
    command!(Inspecting, Nothing; "where", &["w", "bt"], "[n]", "show the call stack", "where", backtrace),
    command!(Inspecting, Nothing; "frame", &[], "[N]", "select a frame: its locals are then in scope", "frame 1", |session, rest, reply| {
        match rest.parse() {
            Ok(n) => select(session, n, reply),
            Err(_) if rest.is_empty() => select(session, selected_number(session), reply),
            Err(_) => reply.error("`:frame` needs the number of a frame; `where` shows them"),
        }
    }),
    command!(Inspecting, Nothing; "up", &["u"], "[n]", "select the caller of the selected frame", "up", |session, rest, reply| {
        if let Some(n) = parse_count(rest, reply) {
            select(session, selected_number(session).saturating_add(n), reply);
        }
    }),
    command!(Inspecting, Nothing; "down", &["d"], "[n]", "select the frame called by the selected one", "down", |session, rest, reply| {
        let Some(n) = parse_count(rest, reply) else { return };
        match selected_number(session).checked_sub(n) {
            Some(n) => select(session, n, reply),
            None if session.target.is_stopped() => reply.error("this is the innermost frame; `step` enters a call"),
            None => reply.error(session.not_stopped_message()),
        }
    }),
];

/// Rows of `where` without an argument.
const MAX_ROWS: usize = 10;
/// How many of these rows show the outermost frames.
const OUTERMOST_ROWS: usize = 4;
/// The longest cycle of mutually recursive functions that is folded.
const MAX_CYCLE_FRAMES: usize = 3;
/// Widths that leave room for the statement on the same line.
const MAX_NAME_COLUMNS: usize = 36;
const MAX_LOCATION_COLUMNS: usize = 24;
/// The statement gets at least this much, even on a narrow screen.
const MIN_STATEMENT_COLUMNS: usize = 12;
/// The count that `where` suggests to see more frames.
const SUGGESTED_ROWS: usize = 50;

/// One row of `where`. Frames are given by their number, 0 being the innermost visible one.
enum Row {
    Frame(usize),
    /// Folded frames that repeat the ones above.
    Repeated(Range<usize>),
    /// Frames left out to save space.
    Omitted(Range<usize>),
}

/// The visible frames, innermost first, as indices into the machine's stack counted from its top.
/// Frames of the built-in rules are hidden unless `:rules on` is set.
fn visible_frames(session: &Session) -> Vec<usize> {
    let all = 0..session.target.machine.frames().len();
    let visible: Vec<usize> = all
        .clone()
        .filter(|n| {
            session
                .target
                .frame_info(*n)
                .is_some_and(|frame| !frame.is_hidden)
        })
        .collect();
    if session.target.debugger.steps_into_rules || visible.is_empty() {
        all.collect()
    } else {
        visible
    }
}

/// The number of the selected frame among the visible ones.
fn selected_number(session: &Session) -> usize {
    visible_frames(session)
        .iter()
        .position(|n| *n == session.target.debugger.selected_frame)
        .unwrap_or(0)
}

fn backtrace(session: &mut Session, rest: &str, reply: &mut Answer) {
    if !session.target.is_stopped() {
        return reply.error(session.not_stopped_message());
    }
    let frames = visible_frames(session);
    let keys: Vec<Option<(FunctionId, Span)>> = frames
        .iter()
        .map(|n| {
            session
                .target
                .frame_info(*n)
                .map(|frame| (frame.function, frame.span))
        })
        .collect();
    let mut rows = fold_cycles(&keys);
    if rest.is_empty() {
        omit_middle(&mut rows, frames.len());
    } else {
        let Some(n) = parse_count(rest, reply) else {
            return;
        };
        rows.truncate(n);
    }
    show(session, &frames, &rows, reply);
}

/// Folds repeated sequences of frames, as recursion leaves them: each becomes its first occurrence,
/// a `Repeated` row, and its last occurrence.
fn fold_cycles<K: PartialEq>(keys: &[K]) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut at = 0;
    while at < keys.len() {
        let repeats = |period: usize| {
            (at..keys.len() - period)
                .take_while(|n| keys[*n] == keys[*n + period])
                .count()
        };
        let fits = |period: &usize| {
            at + period < keys.len() && repeats(*period) / period >= 2 && repeats(*period) > 2
        };
        let Some(period) = (1..=MAX_CYCLE_FRAMES).find(fits) else {
            rows.push(Row::Frame(at));
            at += 1;
            continue;
        };
        let len = (repeats(period) / period + 1) * period;
        rows.extend((at..at + period).map(Row::Frame));
        rows.push(Row::Repeated(at + period..at + len - period));
        rows.extend((at + len - period..at + len).map(Row::Frame));
        at += len;
    }
    rows
}

/// Leaves out the middle of a long list of rows. `frames` is the number of visible frames.
fn omit_middle(rows: &mut Vec<Row>, frames: usize) {
    if rows.len() <= MAX_ROWS {
        return;
    }
    let outer = rows.split_off(rows.len() - OUTERMOST_ROWS);
    rows.truncate(MAX_ROWS - OUTERMOST_ROWS - 1);
    // A `Repeated` row makes no sense without the frames that it repeats.
    let outer: Vec<Row> = outer
        .into_iter()
        .skip_while(|r| !matches!(r, Row::Frame(_)))
        .collect();
    let last = rows.iter().rev().find_map(frame_number).unwrap_or(0);
    let first = outer.iter().find_map(frame_number).unwrap_or(frames);
    let trailing = rows
        .iter()
        .rev()
        .take_while(|r| !matches!(r, Row::Frame(_)))
        .count();
    rows.truncate(rows.len() - trailing);
    rows.push(Row::Omitted(last + 1..first));
    rows.extend(outer);
}

fn frame_number(row: &Row) -> Option<usize> {
    match row {
        Row::Frame(n) => Some(*n),
        _ => None,
    }
}

fn show(session: &Session, frames: &[usize], rows: &[Row], reply: &mut Answer) {
    let texts: Vec<Option<FrameText>> = rows
        .iter()
        .map(|row| frame_number(row).and_then(|n| frame_text(session, *frames.get(n)?)))
        .collect();
    let widest =
        |width: &dyn Fn(&FrameText) -> usize| texts.iter().flatten().map(width).max().unwrap_or(0);
    let digits = rows
        .iter()
        .filter_map(frame_number)
        .max()
        .unwrap_or(0)
        .to_string()
        .len()
        .max(2);
    let columns = Columns {
        digits,
        name: widest(&|t| t.name.chars().count()),
        location: widest(&|t| t.location.chars().count()),
    };
    let selected = selected_number(session);
    let summary = |range: &Range<usize>, text: &str| {
        let frames = count_noun(range.len(), "more frame", "more frames");
        let selection = if range.contains(&selected) {
            format!("   (=> is at {selected})")
        } else {
            String::new()
        };
        Line::styled(
            Style::Dim,
            format!("   {}  … {frames}{text}{selection}", " ".repeat(digits)),
        )
    };
    for (row, text) in rows.iter().zip(texts) {
        reply.line(match (row, text) {
            (Row::Frame(n), Some(text)) => {
                let is_selected = frames.get(*n) == Some(&session.target.debugger.selected_frame);
                frame_line(session, *n, is_selected, &text, &columns)
            }
            (Row::Frame(_), None) => continue,
            (Row::Repeated(range), _) => summary(range, " like this"),
            (Row::Omitted(range), _) => summary(
                range,
                &format!(": `where {}` shows them", SUGGESTED_ROWS.min(frames.len())),
            ),
        });
    }
}

/// The texts of one frame's row.
struct FrameText {
    name: String,
    location: String,
    statement: String,
    /// A note before the statement if the function was redefined since the call.
    old_code: &'static str,
}

/// Column widths.
struct Columns {
    digits: usize,
    name: usize,
    location: usize,
}

fn frame_text(session: &Session, from_top: usize) -> Option<FrameText> {
    let frame = session.target.frame_info(from_top)?;
    let (location, statement) = match session.target.sources.get(frame.span.source) {
        Some(source) => {
            let (line, _) = source.line_column(frame.span.start);
            (
                format!("{}:{line}", source.origin),
                source.line(line).trim().to_string(),
            )
        }
        None => (String::new(), String::new()),
    };
    let old_code = if session.target.is_current_code(frame.function) {
        ""
    } else {
        "(old code) "
    };
    let name = elide(
        &format!(
            "{}{}",
            frame.name,
            session.target.format_handler_cell(from_top)
        ),
        MAX_NAME_COLUMNS,
    );
    Some(FrameText {
        name,
        location: elide_start(&location, MAX_LOCATION_COLUMNS),
        statement,
        old_code,
    })
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

fn frame_line(
    session: &Session,
    n: usize,
    is_selected: bool,
    text: &FrameText,
    columns: &Columns,
) -> Line {
    let arrow = if is_selected { "=>" } else { "  " };
    let Columns {
        digits,
        name,
        location,
    } = *columns;
    let used = 2 + 1 + digits + 2 + name + 3 + location + 3 + text.old_code.len();
    let available = session.view_settings.width.saturating_sub(used);
    let statement = elide(&text.statement, available.max(MIN_STATEMENT_COLUMNS));
    Line::styled(Style::Current, format!("{arrow} {n:>digits$}  "))
        .with(Style::Strong, format!("{:<name$}", text.name))
        .with(
            Style::Dim,
            format!(
                "   {:<location$}   {}{statement}",
                text.location, text.old_code
            ),
        )
}

fn select(session: &mut Session, n: usize, reply: &mut Answer) {
    if !session.target.is_stopped() {
        return reply.error(session.not_stopped_message());
    }
    let frames = visible_frames(session);
    let Some(&from_top) = frames.get(n) else {
        let last = frames.len().saturating_sub(1);
        return reply.error(match selected_number(session) == last && n > last {
            true => format!("there is no frame {n}: you are in the outermost, frame {last}"),
            false => format!("there is no frame {n}: the outermost is frame {last}"),
        });
    };
    session.target.debugger.selected_frame = from_top;
    show(session, &frames, &[Row::Frame(n)], reply);
    let Some(frame) = session.target.frame_info(from_top) else {
        return;
    };
    if !session.target.is_current_code(frame.function) {
        let text = format!(
            "  {} was redefined; this call still runs the old code",
            frame.name
        );
        reply.line(Line::styled(Style::Warning, text));
    }
    reply.parts.push(Part::Source {
        lines: session.target.source_lines(frame.span, Some(frame.span), 1),
        is_cut: true,
    });
    show_locals(session, reply);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_path_keeps_its_file_name_and_line() {
        assert_eq!(
            elide_start("games/chess.grid:12", 19),
            "games/chess.grid:12"
        );
        assert_eq!(elide_start("my/games/chess.grid:12", 14), "…chess.grid:12");
    }

    /// The rows as text: `a` a frame, `<n>` repeated frames, `(n)` omitted ones.
    fn rows_of(keys: &str) -> String {
        let keys: Vec<char> = keys.chars().collect();
        let mut rows = fold_cycles(&keys);
        omit_middle(&mut rows, keys.len());
        let text = |row: &Row| match row {
            Row::Frame(n) => keys[*n].to_string(),
            Row::Repeated(range) => format!("<{}>", range.len()),
            Row::Omitted(range) => format!("({})", range.len()),
        };
        rows.iter().map(text).collect()
    }

    #[test]
    fn repeated_frames_are_folded() {
        assert_eq!(rows_of("abc"), "abc");
        assert_eq!(rows_of("aab"), "aab");
        assert_eq!(rows_of("aaab"), "aaab", "three frames are not folded");
        assert_eq!(rows_of("aaaab"), "a<2>ab");
        assert_eq!(
            rows_of(&format!("x{}y", "a".repeat(100_000))),
            "xa<99998>ay"
        );
    }

    #[test]
    fn mutually_recursive_functions_are_folded() {
        assert_eq!(
            rows_of(&format!("x{}y", "ab".repeat(50_000))),
            "xab<99996>aby"
        );
        assert_eq!(
            rows_of(&format!("{}y", "abc".repeat(50_000))),
            "abc<149994>abcy"
        );
        assert_eq!(rows_of("ababy"), "ababy");
    }

    #[test]
    fn a_stack_without_repetition_keeps_both_ends() {
        assert_eq!(rows_of("abcdefghijklmn"), "abcde(5)klmn");
        assert_eq!(rows_of("abcdefghij"), "abcdefghij");
    }

    #[test]
    fn every_frame_is_shown_or_counted() {
        for keys in [
            "aaaaabbbbbcccccddddd",
            "abcabcabcxyzxyzxyz",
            "aabbaabbaabbaabb",
            "aaaabaaaacaaaadaaaae",
        ] {
            let text = rows_of(keys);
            let counted: usize = text
                .split(['<', '>', '(', ')'])
                .map(|part| part.parse().unwrap_or(part.len()))
                .sum();
            assert_eq!(counted, keys.len(), "{keys}: {text}");
            assert!(fold_cycles(&keys.chars().collect::<Vec<_>>()).len() <= keys.len());
        }
    }
}
