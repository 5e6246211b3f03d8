//! The time line: a segment for each move, and the present position.

use crate::answer::Timeline;
use crate::debugger::history;
use crate::session::Session;
use crate::terminal::screen::canvas::look::{Ink, Look};
use crate::terminal::screen::canvas::text::{Text, columns};
use crate::terminal::screen::canvas::{Area, Canvas};
use std::ops::Range;

/// A segment is at least this wide, as long as there are several.
const MIN_SEGMENT_COLUMNS: usize = 14;
/// Columns of a segment's line, besides its label.
const MIN_LINE_COLUMNS: usize = 3;

/// What the line shows.
#[derive(Clone, Debug, Default)]
pub struct TimePane {
    /// The start of the session, then the entries that changed something.
    segments: Vec<Segment>,
    /// The present time.
    position: u64,
    /// Whether what comes after the position has been played already.
    pub is_past: bool,
    /// Moves after the position.
    pub moves_ahead: usize,
    /// The names of marked times.
    marks: Vec<(String, u64)>,
}

#[derive(Clone, Debug)]
struct Segment {
    label: String,
    start: u64,
    end: u64,
    is_ahead: bool,
    is_current: bool,
}

/// The moves of the session.
pub fn time_pane(session: &Session) -> TimePane {
    let timeline = history::describe_timeline(&session.target);
    let is_past = session.target.timeline.is_in_past(&session.target.machine);
    time_pane_of(&timeline, is_past)
}

fn time_pane_of(timeline: &Timeline, is_past: bool) -> TimePane {
    let first = timeline.start_entries.min(timeline.entries.len());
    let (start, entries) = timeline.entries.split_at(first);
    let shown = entries.iter().filter(|e| e.has_effect || e.is_current);
    let mut segments: Vec<Segment> = shown
        .map(|entry| Segment {
            label: crate::text::code_on_one_line(&entry.text),
            start: entry.start,
            end: entry.end,
            is_ahead: entry.is_ahead,
            is_current: entry.is_current,
        })
        .collect();
    let end = start.last().map_or(timeline.first, |entry| entry.end);
    segments.insert(
        0,
        Segment {
            label: "start".to_string(),
            start: timeline.first,
            end,
            is_ahead: false,
            is_current: !segments.iter().any(|segment| segment.is_current),
        },
    );
    TimePane {
        moves_ahead: segments.iter().filter(|segment| segment.is_ahead).count(),
        segments,
        position: timeline.position,
        is_past,
        marks: timeline
            .marks
            .iter()
            .filter(|mark| mark.branch.is_none() && !mark.is_lost)
            .map(|mark| (mark.name.clone(), mark.time))
            .collect(),
    }
}

/// A segment on the screen.
struct Placed<'p> {
    segment: &'p Segment,
    columns: Range<usize>,
}

impl TimePane {
    /// The index of the segment with the present position.
    fn current(&self) -> usize {
        let current = self.segments.iter().rposition(|segment| segment.is_current);
        current.unwrap_or(self.segments.len().saturating_sub(1))
    }

    /// The segments that fit, with the present one among them, and how many are before and after.
    fn placed(&self, width: usize) -> (usize, Vec<Placed<'_>>, usize) {
        let count = self.segments.len();
        let margin = 6;
        let room = width.saturating_sub(2);
        let fits = (room / MIN_SEGMENT_COLUMNS).max(1);
        let (room, left) = match count > fits {
            true => (room.saturating_sub(2 * margin).max(1), 1 + margin),
            false => (room, 1),
        };
        let shown = count.min((room / MIN_SEGMENT_COLUMNS).max(1));
        // The position is near the end, as moves are added there.
        let first = (self.current() + 2).min(count).saturating_sub(shown);
        let placed = (0..shown).map(|n| Placed {
            segment: &self.segments[first + n],
            columns: left + n * room / shown..left + (n + 1) * room / shown,
        });
        (first, placed.collect(), count - first - shown)
    }

    /// The time of a place on the line: the end of a move, or the start.
    pub fn time_at(&self, width: usize, column: usize) -> Option<u64> {
        let (_, placed, _) = self.placed(width);
        let hit = placed.iter().find(|p| p.columns.contains(&column))?;
        let half = (hit.columns.start + hit.columns.end) / 2;
        let is_first = self
            .segments
            .first()
            .is_some_and(|s| std::ptr::eq(s, hit.segment));
        Some(match column < half && !is_first {
            true => hit.segment.start,
            false => hit.segment.end,
        })
    }

    /// The end of the move before the present position, or the one after it.
    pub fn neighbor(&self, is_before: bool) -> Option<u64> {
        let mut ends = self.segments.iter().map(|segment| segment.end);
        match is_before {
            true => ends.rfind(|end| *end < self.position),
            false => ends.find(|end| *end > self.position),
        }
    }

    /// `In the past, 2 moves ahead`; empty in the present.
    pub fn past_text(&self) -> String {
        match (self.is_past, self.moves_ahead) {
            (false, _) => String::new(),
            (true, 0) => "In the past".to_string(),
            (true, 1) => "In the past, 1 move ahead".to_string(),
            (true, n) => format!("In the past, {n} moves ahead"),
        }
    }

    /// Draws the line into one row.
    pub fn draw(&self, canvas: &mut Canvas, area: Area) {
        let symbols = canvas.symbols;
        let (before, placed, after) = self.placed(area.width);
        let y = area.top;
        if before > 0 {
            let text = format!("{}{before}", symbols.more_left);
            canvas.text((area.left + 1, y), 6, &text, Look::DIM);
        }
        if after > 0 {
            let text = format!("{after}{}", symbols.more_right);
            let left = area.width.saturating_sub(1 + columns(&text));
            canvas.text((area.left + left, y), 6, &text, Look::new(Ink::Past));
        }
        let last = placed.len().saturating_sub(1);
        for (n, part) in placed.iter().enumerate() {
            let is_last = n == last && after == 0;
            let row = self.segment_text(canvas, part, is_last);
            let (left, width) = (area.left + part.columns.start, part.columns.len());
            canvas.line((left, y), width, &row);
        }
    }

    /// A segment: its label, its line, and what is at its end.
    fn segment_text(&self, canvas: &Canvas, placed: &Placed<'_>, is_last: bool) -> Text {
        let symbols = canvas.symbols;
        let segment = placed.segment;
        let room = placed.columns.len();
        let line_color = match self.is_past {
            true => Look::new(Ink::Past),
            false => Look::new(Ink::Focus),
        };
        let label_look = match (segment.is_ahead, segment.is_current) {
            (true, _) => Look::new(Ink::Past),
            (_, true) => Look::BOLD,
            _ => Look::PLAIN,
        };
        let mark = self.marks.iter().find(|(_, time)| {
            segment.start < *time && *time <= segment.end || segment.end == *time
        });
        let mark = mark.map(|(name, _)| format!(" {name}")).unwrap_or_default();
        let most = room.saturating_sub(MIN_LINE_COLUMNS + 2);
        let is_first = self
            .segments
            .first()
            .is_some_and(|s| std::ptr::eq(s, segment));
        let space = if is_first { "" } else { " " };
        let label = Text::new(label_look, format!("{space}{}", segment.label))
            .with(Look::new(Ink::Past), mark)
            .cut(most, symbols.cut)
            .with(Look::PLAIN, " ");
        let line = room.saturating_sub(label.width() + 1);
        let (played, at_end) = match (segment.is_ahead, segment.is_current) {
            (true, _) => (
                0,
                if is_last {
                    symbols.future
                } else {
                    symbols.tick
                },
            ),
            (false, false) => (line, symbols.tick),
            (false, true) => {
                let length = segment.end.saturating_sub(segment.start).max(1);
                let done = self.position.saturating_sub(segment.start).min(length);
                match self.position >= segment.end {
                    true => (line, symbols.position),
                    // Inside the move, the position is on the line.
                    false => {
                        let at = (done as u128 * line as u128 / u128::from(length)) as usize;
                        (at.min(line.saturating_sub(1)), symbols.tick)
                    }
                }
            }
        };
        let bar = |c: char, count: usize| c.to_string().repeat(count);
        let text = label.with(line_color, bar(symbols.past, played));
        let position = line_color.bold();
        let text = match segment.is_current && at_end == symbols.tick {
            true => text.with(position, symbols.position.to_string()).with(
                Look::new(Ink::Past),
                bar(symbols.future, line.saturating_sub(played + 1)),
            ),
            false => text.with(Look::new(Ink::Past), bar(symbols.future, line - played)),
        };
        let end_look = match () {
            _ if at_end == symbols.position => position,
            _ if segment.is_ahead => Look::new(Ink::Past),
            _ => line_color,
        };
        let at_end = match segment.is_current && at_end == symbols.tick && is_last {
            true => symbols.future,
            false => at_end,
        };
        text.with(end_look, at_end.to_string())
    }
}
