//! Commands that look at the stack: who called whom, and what can be seen from there.

use super::inspect::show_locals;
use super::{Command, parse_count};
use crate::code::FunctionId;
use crate::session::{Line, Reply, Session, Style, elide};
use crate::source::Span;
use std::ops::Range;

pub const COMMANDS: &[Command] = &[
    command!(Inspecting, Nothing; "where", &["w", "bt"], "[n]", "who called whom, repeated frames folded", "where", where_am_i),
    command!(Inspecting, Nothing; "frame", &[], "[N]", "look from another frame", "frame 1", |session, rest, reply| {
        match rest.parse() {
            Ok(n) => select(session, n, reply),
            Err(_) if rest.is_empty() => select(session, own_number(session), reply),
            Err(_) => reply.error("say the number of a frame, as `where` shows it"),
        }
    }),
    command!(Inspecting, Nothing; "up", &["u"], "[n]", "look from the frame that called this one", "up", |session, rest, reply| {
        if let Some(n) = parse_count(rest, reply) {
            select(session, own_number(session).saturating_add(n), reply);
        }
    }),
    command!(Inspecting, Nothing; "down", &["d"], "[n]", "look from the frame that was called", "down", |session, rest, reply| {
        let Some(n) = parse_count(rest, reply) else { return };
        match own_number(session).checked_sub(n) {
            Some(n) => select(session, n, reply),
            None if session.is_stopped() => reply.error("this is the innermost frame: `step` goes further in"),
            None => reply.error("nothing is stopped"),
        }
    }),
];

/// How many lines `where` takes if nothing is said, and how many of them show the outermost frames.
const MOST: usize = 10;
const OUTERMOST: usize = 4;
/// The longest pattern of frames that is known again: functions that call each other in a circle.
const LONGEST: usize = 3;
/// Who is called and where take no more than this, so that the statement is seen as well.
const WHO: usize = 36;
const PLACE: usize = 24;

/// One line of `where`.
enum Row {
    Frame(usize),
    /// Frames that repeat the ones above.
    Like(Range<usize>),
    /// Frames that are not shown.
    More(Range<usize>),
}

/// The frames that a person sees, each counted from the top of the machine's.
fn shown(session: &Session) -> Vec<usize> {
    let all = 0..session.machine.frames().len();
    let rules = session.debugger.steps_into_rules;
    let own: Vec<usize> = all
        .clone()
        .filter(|n| session.frame_info(*n).is_some_and(|l| !l.is_hidden))
        .collect();
    if rules || own.is_empty() {
        all.collect()
    } else {
        own
    }
}

/// The number of the frame that is looked at, among those that are shown.
fn own_number(session: &Session) -> usize {
    shown(session)
        .iter()
        .position(|n| *n == session.debugger.selected_frame)
        .unwrap_or(0)
}

fn where_am_i(session: &mut Session, rest: &str, reply: &mut Reply) {
    if !session.is_stopped() {
        return reply.error("nothing is stopped");
    }
    let frames = shown(session);
    let keys: Vec<Option<(FunctionId, Span)>> = frames
        .iter()
        .map(|n| session.frame_info(*n).map(|l| (l.function, l.span)))
        .collect();
    let mut rows = folded(&keys);
    if rest.is_empty() {
        shorten(&mut rows, frames.len());
    } else {
        let Some(n) = parse_count(rest, reply) else {
            return;
        };
        rows.truncate(n);
    }
    show(session, &frames, &rows, reply);
}

/// The frames in lines, each run of a repeated pattern as its first round, a remark, and its last.
fn folded<K: PartialEq>(keys: &[K]) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut at = 0;
    while at < keys.len() {
        let run = |period: usize| {
            (at..keys.len() - period)
                .take_while(|n| keys[*n] == keys[*n + period])
                .count()
        };
        let fits = |period: &usize| {
            at + period < keys.len() && run(*period) / period >= 2 && run(*period) > 2
        };
        let Some(period) = (1..=LONGEST).find(fits) else {
            rows.push(Row::Frame(at));
            at += 1;
            continue;
        };
        let whole = (run(period) / period + 1) * period;
        rows.extend((at..at + period).map(Row::Frame));
        rows.push(Row::Like(at + period..at + whole - period));
        rows.extend((at + whole - period..at + whole).map(Row::Frame));
        at += whole;
    }
    rows
}

/// Keeps the innermost and the outermost lines of many.
fn shorten(rows: &mut Vec<Row>, frames: usize) {
    if rows.len() <= MOST {
        return;
    }
    let outer = rows.split_off(rows.len() - OUTERMOST);
    rows.truncate(MOST - OUTERMOST - 1);
    // A remark needs a frame beside it.
    let outer: Vec<Row> = outer
        .into_iter()
        .skip_while(|r| !matches!(r, Row::Frame(_)))
        .collect();
    let last = rows.iter().rev().find_map(number).unwrap_or(0);
    let first = outer.iter().find_map(number).unwrap_or(frames);
    let trailing = rows
        .iter()
        .rev()
        .take_while(|r| !matches!(r, Row::Frame(_)))
        .count();
    rows.truncate(rows.len() - trailing);
    rows.push(Row::More(last + 1..first));
    rows.extend(outer);
}

fn number(row: &Row) -> Option<usize> {
    match row {
        Row::Frame(n) => Some(*n),
        _ => None,
    }
}

fn show(session: &Session, frames: &[usize], rows: &[Row], reply: &mut Reply) {
    let texts: Vec<Option<Texts>> = rows
        .iter()
        .map(|row| number(row).and_then(|n| texts(session, *frames.get(n)?)))
        .collect();
    let widest = |of: &dyn Fn(&Texts) -> usize| texts.iter().flatten().map(of).max().unwrap_or(0);
    let digits = rows
        .iter()
        .filter_map(number)
        .max()
        .unwrap_or(0)
        .to_string()
        .len()
        .max(2);
    let columns = Columns {
        digits,
        who: widest(&|t| t.who.chars().count()),
        place: widest(&|t| t.place.chars().count()),
    };
    let own = own_number(session);
    let remark = |of: &Range<usize>, words: &str| {
        let frames = if of.len() == 1 { "frame" } else { "frames" };
        let here = if of.contains(&own) {
            format!("   (=> is at {own})")
        } else {
            String::new()
        };
        Line::styled(
            Style::Dim,
            format!(
                "   {}  … {} more {frames}{words}{here}",
                " ".repeat(digits),
                of.len()
            ),
        )
    };
    for (row, texts) in rows.iter().zip(texts) {
        reply.line(match (row, texts) {
            (Row::Frame(n), Some(texts)) => {
                let here = frames.get(*n) == Some(&session.debugger.selected_frame);
                frame_line(session, *n, here, &texts, &columns)
            }
            (Row::Frame(_), None) => continue,
            (Row::Like(of), _) => remark(of, " like this"),
            (Row::More(of), _) => remark(
                of,
                &format!(": `where {}` shows them", 50.min(frames.len())),
            ),
        });
    }
}

/// What is told of a frame.
struct Texts {
    who: String,
    place: String,
    text: String,
    old: &'static str,
}

/// How wide the columns are.
struct Columns {
    digits: usize,
    who: usize,
    place: usize,
}

fn texts(session: &Session, from_top: usize) -> Option<Texts> {
    let look = session.frame_info(from_top)?;
    let (place, text) = match session.sources.get(look.span.source) {
        Some(source) => {
            let (line, _) = source.line_column(look.span.start);
            (
                format!("{}:{line}", source.origin),
                source.line(line).trim().to_string(),
            )
        }
        None => (String::new(), String::new()),
    };
    let old = if session.is_current_code(look.function) {
        ""
    } else {
        "(old code) "
    };
    let who = elide(
        &format!("{}{}", look.name, session.format_handler_cell(from_top)),
        WHO,
    );
    Some(Texts {
        who,
        place: ending(&place, PLACE),
        text,
        old,
    })
}

/// The end of a long place: the name of the file and the line tell more than the folders.
fn ending(place: &str, most: usize) -> String {
    match place.chars().count().checked_sub(most) {
        None | Some(0) => place.to_string(),
        Some(excess) => ['…']
            .into_iter()
            .chain(place.chars().skip(excess + 1))
            .collect(),
    }
}

fn frame_line(session: &Session, n: usize, here: bool, texts: &Texts, columns: &Columns) -> Line {
    let mark = if here { "=>" } else { "  " };
    let Columns { digits, who, place } = *columns;
    let used = 2 + 1 + digits + 2 + who + 3 + place + 3 + texts.old.len();
    let text = elide(
        &texts.text,
        session.view_settings.width.saturating_sub(used).max(12),
    );
    Line::styled(Style::Current, format!("{mark} {n:>digits$}  "))
        .with(Style::Strong, format!("{:<who$}", texts.who))
        .with(
            Style::Dim,
            format!("   {:<place$}   {}{text}", texts.place, texts.old),
        )
}

fn select(session: &mut Session, n: usize, reply: &mut Reply) {
    if !session.is_stopped() {
        return reply.error("nothing is stopped");
    }
    let frames = shown(session);
    let Some(&from_top) = frames.get(n) else {
        let last = frames.len().saturating_sub(1);
        return reply.error(match own_number(session) == last && n > last {
            true => format!("there is no frame {n}: this is the outermost, frame {last}"),
            false => format!("there is no frame {n}: the outermost is {last}"),
        });
    };
    session.debugger.selected_frame = from_top;
    show(session, &frames, &[Row::Frame(n)], reply);
    let Some(look) = session.frame_info(from_top) else {
        return;
    };
    if !session.is_current_code(look.function) {
        let words = format!(
            "  it runs the old code of {}, which was defined anew, and finishes it",
            look.name
        );
        reply.line(Line::styled(Style::Warning, words));
    }
    session.show_source(look.span, Some(look.span), 1, true, reply);
    show_locals(session, reply);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_place_keeps_its_line() {
        assert_eq!(ending("games/chess.grid:12", 19), "games/chess.grid:12");
        assert_eq!(ending("my/games/chess.grid:12", 14), "…chess.grid:12");
    }

    fn told(keys: &str) -> String {
        let keys: Vec<char> = keys.chars().collect();
        let mut rows = folded(&keys);
        shorten(&mut rows, keys.len());
        let word = |row: &Row| match row {
            Row::Frame(n) => keys[*n].to_string(),
            Row::Like(of) => format!("<{}>", of.len()),
            Row::More(of) => format!("({})", of.len()),
        };
        rows.iter().map(word).collect()
    }

    #[test]
    fn repeated_frames_are_folded() {
        assert_eq!(told("abc"), "abc");
        assert_eq!(told("aab"), "aab");
        assert_eq!(told("aaab"), "aaab", "three are not worth a remark");
        assert_eq!(told("aaaab"), "a<2>ab");
        assert_eq!(told(&format!("x{}y", "a".repeat(100_000))), "xa<99998>ay");
    }

    #[test]
    fn functions_that_call_each_other_in_a_circle_are_folded() {
        assert_eq!(told(&format!("x{}y", "ab".repeat(50_000))), "xab<99996>aby");
        assert_eq!(
            told(&format!("{}y", "abc".repeat(50_000))),
            "abc<149994>abcy"
        );
        assert_eq!(told("ababy"), "ababy");
    }

    #[test]
    fn a_stack_without_pattern_keeps_its_ends() {
        assert_eq!(told("abcdefghijklmn"), "abcde(5)klmn");
        assert_eq!(told("abcdefghij"), "abcdefghij");
    }

    #[test]
    fn every_frame_is_shown_or_counted() {
        for keys in [
            "aaaaabbbbbcccccddddd",
            "abcabcabcxyzxyzxyz",
            "aabbaabbaabbaabb",
            "aaaabaaaacaaaadaaaae",
        ] {
            let text = told(keys);
            let counted: usize = text
                .split(['<', '>', '(', ')'])
                .map(|part| part.parse().unwrap_or(part.len()))
                .sum();
            assert_eq!(counted, keys.len(), "{keys}: {text}");
            assert!(folded(&keys.chars().collect::<Vec<_>>()).len() <= keys.len());
        }
    }
}
