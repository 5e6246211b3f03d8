//! The text of sessions that were replayed on the rules as they are now.

use crate::debugger::api::{Line, RejudgeVerdict, RejudgedSession, Style};
use crate::text::{count_noun, elide};

/// Longer names of files move only their own results to the right.
const MAX_FILE_COLUMNS: usize = 36;
/// Longer moves are elided.
const MAX_MOVE_CHARS: usize = 30;

/// A line for each session, more for those that differ, and how many there are of each kind.
pub fn rejudge_lines(sessions: &[RejudgedSession]) -> Vec<Line> {
    let width = sessions.iter().map(|s| s.file.chars().count()).max();
    let width = width.unwrap_or(0).min(MAX_FILE_COLUMNS);
    let mut lines: Vec<Line> = Vec::new();
    for session in sessions {
        let (style, word) = match session.verdict {
            RejudgeVerdict::Same => (Style::Dim, "same"),
            RejudgeVerdict::Different => (Style::Warning, "different"),
            RejudgeVerdict::Unplayable => (Style::Error, "unplayable"),
            RejudgeVerdict::Undecided => (Style::Warning, "undecided"),
        };
        let file = Line::styled(style, format!("{word:<10}  "))
            .with(Style::Plain, format!("{:<width$}", session.file));
        let place = place(session);
        let text = match (session.verdict, place) {
            (RejudgeVerdict::Same, _) => session.was.clone().unwrap_or_default(),
            (_, Some(place)) => place,
            (_, None) => String::new(),
        };
        let text = if text.is_empty() {
            text
        } else {
            format!("  {text}")
        };
        lines.push(file.with(Style::Dim, text));
        if session.verdict == RejudgeVerdict::Same {
            continue;
        }
        let rows = [("was", &session.was), ("now", &session.now)];
        let rows = rows
            .into_iter()
            .filter_map(|(label, text)| Some((label, text.as_ref()?)));
        lines.extend(rows.map(|(label, text)| {
            Line::styled(Style::Dim, format!("            {label}: "))
                .with(Style::Plain, text.as_str())
        }));
    }
    lines.push(Line::plain(summary(sessions)));
    lines
}

/// `from move 5 of 7, click{0,2}`
fn place(session: &RejudgedSession) -> Option<String> {
    match (session.number?, &session.first_move) {
        (number, Some(entry)) => Some(format!(
            "from move {number} of {}, {}",
            session.moves,
            elide(entry.lines().next().unwrap_or(""), MAX_MOVE_CHARS)
        )),
        (_, None) => Some("from the start".into()),
    }
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
