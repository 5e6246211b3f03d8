//! The text of sessions that were replayed on the rules as they are now.

use crate::answer::{Line, RejudgeVerdict, RejudgedSession, Style};
use crate::text::{count_noun, elide};

/// Longer names of files move only their own results to the right.
const MAX_FILE_COLUMNS: usize = 44;
/// Longer moves are elided.
const MAX_MOVE_CHARS: usize = 30;
/// Columns of the verdict in front of a file.
const VERDICT_COLUMNS: usize = 12;

/// A line for each session, more for those that differ, and how many there are of each kind.
pub fn rejudge_lines(sessions: &[RejudgedSession], width: usize) -> Vec<Line> {
    let column = sessions.iter().map(|s| s.file.chars().count()).max();
    let column = column.unwrap_or(0).min(MAX_FILE_COLUMNS);
    let indent = " ".repeat(VERDICT_COLUMNS);
    let mut lines: Vec<Line> = Vec::new();
    for session in sessions {
        let (style, word) = match session.verdict {
            RejudgeVerdict::Same => (Style::Dim, "same"),
            RejudgeVerdict::Different => (Style::Warning, "different"),
            RejudgeVerdict::Unplayable => (Style::Error, "unplayable"),
            RejudgeVerdict::Undecided => (Style::Warning, "undecided"),
        };
        let verdict = Line::styled(style, format!("{word:<VERDICT_COLUMNS$}"));
        let file = elide_start(&session.file, width.saturating_sub(VERDICT_COLUMNS));
        let text = match (session.verdict, place(session)) {
            (RejudgeVerdict::Same, _) => session.was.clone().unwrap_or_default(),
            (_, Some(place)) => place,
            (_, None) => String::new(),
        };
        let columns = VERDICT_COLUMNS + file.chars().count().max(column) + 2;
        if text.is_empty() {
            lines.push(verdict.with(Style::Plain, file));
        } else if columns + text.chars().count() <= width {
            let file = verdict.with(Style::Plain, format!("{file:<column$}"));
            lines.push(file.with(Style::Dim, format!("  {text}")));
        } else {
            lines.push(verdict.with(Style::Plain, file));
            lines.push(Line::styled(Style::Dim, format!("{indent}{text}")));
        }
        if session.verdict == RejudgeVerdict::Same {
            continue;
        }
        let rows = [("was", &session.was), ("now", &session.now)];
        let rows = rows
            .into_iter()
            .filter_map(|(label, text)| Some((label, text.as_ref()?)));
        lines.extend(rows.map(|(label, text)| {
            Line::styled(Style::Dim, format!("{indent}{label}: ")).with(Style::Plain, text.as_str())
        }));
    }
    lines.push(Line::plain(summary(sessions)));
    lines
}

/// The end of a path that is too long: `…/games/won.session`.
fn elide_start(path: &str, max: usize) -> String {
    let count = path.chars().count();
    match count <= max {
        true => path.to_string(),
        false => {
            let end = path.chars().skip(count - max.saturating_sub(1));
            std::iter::once('…').chain(end).collect()
        }
    }
}

/// `from move 5 of 7, click{0,2}`
fn place(session: &RejudgedSession) -> Option<String> {
    let number = session.number?;
    let Some(entry) = &session.first_move else {
        return Some("from the start".into());
    };
    let entry = elide(entry.lines().next().unwrap_or(""), MAX_MOVE_CHARS);
    Some(match (session.is_between_moves, number) {
        (false, _) => format!("from move {number} of {}, {entry}", session.moves),
        (true, 0) => format!("before the first move, at {entry}"),
        (true, _) => format!("after move {number} of {}, at {entry}", session.moves),
    })
}

/// `3 sessions: 1 same, 2 different`
fn summary(sessions: &[RejudgedSession]) -> String {
    let count = |verdict: RejudgeVerdict| sessions.iter().filter(|s| s.verdict == verdict).count();
    let kinds = [
        (RejudgeVerdict::Same, "same"),
        (RejudgeVerdict::Different, "different"),
        (RejudgeVerdict::Unplayable, "unplayable"),
        (RejudgeVerdict::Undecided, "undecided"),
    ];
    let counts = kinds.map(|(verdict, word)| (count(verdict), word));
    let counts = counts.iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    let sessions = count_noun(sessions.len(), "session", "sessions");
    format!("{sessions}: {}", counts.join(", "))
}
