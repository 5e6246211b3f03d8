//! The text of answers about files and sessions.

use crate::answer::{
    DiffLine, DiffOrigin, ExampleList, FileType, HistoryList, Line, OpenedSession, OpponentMove,
    PlaceChange, ReloadPlace, Reloaded, ReplyDiff, ResumableSession, ResumableSessions, SavedFile,
    Style, TestResult, TourProgress,
};
use crate::explorer::MAX_LEVEL;
use crate::language::TypedStatements;
use crate::text::count_noun;

pub(super) fn warning(text: impl Into<String>) -> Line {
    Line::styled(Style::Warning, "warning: ").with(Style::Plain, text)
}

fn entries(count: usize) -> String {
    count_noun(count, "entry", "entries")
}

pub(super) fn saved_lines(saved: &SavedFile) -> Vec<Line> {
    let path = &saved.path;
    let (mut lines, error) = match &saved.file_type {
        FileType::Session => return saved_session_lines(saved),
        FileType::Program {
            lines,
            typed,
            error,
            preludes,
        } => (saved_program_lines(path, *lines, *typed, preludes), error),
        FileType::Prelude { lines, error } => {
            let size = count_noun(*lines, "line", "lines");
            let saved = format!("saved the prelude as {path} ({size})");
            (vec![Line::plain(saved)], error)
        }
    };
    lines.extend(
        error
            .iter()
            .map(|error| warning(format!("the file cannot be loaded yet: {error}"))),
    );
    lines
}

fn saved_session_lines(saved: &SavedFile) -> Vec<Line> {
    let path = &saved.path;
    let left_out = match saved.left_out_count {
        0 => String::new(),
        n => format!(", {} left out", count_noun(n, "line", "lines")),
    };
    let mut lines = vec![Line::plain(format!(
        "saved {path}: {} with replies{left_out}; `gridbug test {path}` replays it",
        entries(saved.entry_count)
    ))];
    if !saved.is_exact {
        lines.push(warning(
            "replaying the file does not lead to the current state of the game",
        ));
    }
    lines
}

fn saved_program_lines(
    path: &str,
    line_count: usize,
    typed: TypedStatements,
    preludes: &[String],
) -> Vec<Line> {
    let size = count_noun(line_count, "line", "lines");
    let options: String = preludes.iter().map(|p| format!("--prelude {p} ")).collect();
    let mut lines = vec![Line::plain(format!(
        "saved the program as {path} ({size}); `gridbug {options}{path}` opens it"
    ))];
    let note = match typed {
        TypedStatements::None => None,
        TypedStatements::Added(count) => Some(format!(
            "{} typed at the prompt: included",
            count_noun(count, "statement", "statements")
        )),
        TypedStatements::LeftOut(count) => Some(format!(
            "{} typed at the prompt: not part of the program (`:save NAME.session` keeps them)",
            count_noun(count, "statement", "statements")
        )),
    };
    lines.extend(note.map(|note| Line::styled(Style::Dim, note)));
    lines
}

/// `o plays click{1,1}`
pub(super) fn opponent_move_line(played: &OpponentMove) -> Line {
    let line = Line::styled(
        Style::Strong,
        format!("{} plays {}", played.player, played.entry),
    );
    let note = match played.not_perfect {
        Some(reason) => format!("   ({reason}: level {MAX_LEVEL})"),
        None => String::new(),
    };
    line.with(Style::Dim, note)
}

pub(super) fn opened_line(opened: &OpenedSession) -> Line {
    let (path, replayed) = (&opened.path, entries(opened.entry_count));
    Line::plain(match opened.mismatch_count {
        0 => format!("{path}: replayed {replayed}, all replies match"),
        1 => format!("{path}: replayed {replayed}, 1 reply differs (`:test` shows it)"),
        n => format!("{path}: replayed {replayed}, {n} replies differ (`:test` shows them)"),
    })
}

pub(super) fn test_lines(result: &TestResult) -> Vec<Line> {
    let (path, count) = (&result.path, result.entry_count);
    let mut lines = mismatch_lines(&result.mismatches, &result.problems);
    lines.push(Line::plain(match result.mismatches.len() {
        0 if result.problems.is_empty() => {
            format!("{path}: {}, all replies match", entries(count))
        }
        0 => format!("{path}: the exercises have problems"),
        n => format!("{path}: {n} of {} replies differ", count + 1),
    }));
    lines
}

/// A line diff for each reply that differs, and the problems of exercises.
pub fn mismatch_lines(mismatches: &[ReplyDiff], problems: &[String]) -> Vec<Line> {
    let mut lines = Vec::new();
    for mismatch in mismatches {
        let input = mismatch.input.replace('\n', "\n. ");
        lines.push(Line::styled(Style::Strong, format!("> {input}")));
        lines.extend(mismatch.lines.iter().map(diff_line));
    }
    lines.extend(problems.iter().map(|problem| Line::plain(problem.as_str())));
    lines
}

fn diff_line(line: &DiffLine) -> Line {
    let text = &line.text;
    match line.origin {
        DiffOrigin::Both => Line::styled(Style::Dim, format!("    {text}")),
        DiffOrigin::Expected => Line::styled(Style::Error, format!("  - {text}")),
        DiffOrigin::Actual => Line::styled(Style::Changed, format!("  + {text}")),
    }
}

pub(super) fn reloaded_lines(reloaded: &Reloaded) -> Vec<Line> {
    let replayed = match reloaded.replayed_count {
        0 => "nothing to replay".into(),
        n => format!("replayed {}", entries(n)),
    };
    let mut lines = vec![Line::plain(format!(
        "reloaded {}; {replayed}",
        reloaded.path
    ))];
    match &reloaded.first_difference {
        None if reloaded.entry_count == 0 => {}
        None => lines.push(Line::plain("All replies are the same")),
        Some(first) => {
            lines.push(Line::plain(format!(
                "The replies differ from entry {} on:",
                first.number
            )));
            let input = &first.diff.input;
            lines.push(Line::styled(Style::Strong, format!("> {input}")));
            lines.extend(first.diff.lines.iter().map(diff_line));
        }
    }
    if let Some(PlaceChange { before, now }) = &reloaded.place {
        lines.push(warning(format!(
            "Before, {}; now, {}",
            place_text(before, "was"),
            place_text(now, "is")
        )));
    }
    if reloaded.is_interrupted {
        let left = match reloaded.entry_count - reloaded.replayed_count {
            1 => "1 more was".to_string(),
            n => format!("{n} more were"),
        };
        lines.push(warning(format!("interrupted; {left} not replayed")));
    }
    lines
}

/// Where the program is.
fn place_text(place: &ReloadPlace, verb: &str) -> String {
    let mut text = match (&place.function, place.is_waiting) {
        (None, false) => format!("nothing {verb} running"),
        (None, true) => format!("the program {verb} waiting for input"),
        (Some(function), true) => format!("the program {verb} waiting for input in {function}"),
        (Some(function), false) => format!("the program {verb} stopped in {function}"),
    };
    if let Some(line) = place.line {
        text += &format!(", line {line}");
    }
    if place.is_dry_run {
        text += ", in a dry run";
    }
    if place.is_in_past {
        text += ", in the past";
    }
    text
}

pub(super) fn history_lines(list: &HistoryList) -> Vec<Line> {
    if list.entries.is_empty() {
        return vec![Line::plain("No entries yet")];
    }
    let mut lines = Vec::new();
    for entry in &list.entries {
        let number = entry.number.map_or(String::new(), |n| n.to_string());
        let number = format!("{number:>4}  ");
        let indent = " ".repeat(number.len());
        for (n, text) in entry.input.trim_end().split('\n').enumerate() {
            lines.push(match n {
                0 if entry.is_dropped => {
                    Line::styled(Style::Dim, format!("{number}{text}   (dropped)"))
                }
                0 => Line::styled(Style::Dim, number.as_str()).with(Style::Plain, text),
                _ => Line::styled(Style::Dim, "").with(Style::Plain, format!("{indent}{text}")),
            });
        }
    }
    lines
}

/// The built-in games, by language.
pub fn example_lines(list: &ExampleList) -> Vec<Line> {
    let widths = list.examples.iter().map(|e| e.name.chars().count());
    let width = widths.max().unwrap_or(0);
    let mut lines = Vec::new();
    for games in list.examples.chunk_by(|a, b| a.language == b.language) {
        lines.push(Line::plain(games[0].language_title));
        lines.extend(games.iter().map(|game| {
            let name = format!("{:width$}", game.name);
            Line::plain("  ")
                .with(Style::Strong, name)
                .with(Style::Plain, format!("   {}", game.about))
        }));
    }
    lines
}

pub(super) fn resumable_lines(list: &ResumableSessions) -> Vec<Line> {
    if list.sessions.is_empty() {
        let text = "Nothing to restore: there is no earlier session";
        return vec![Line::styled(Style::Dim, text)];
    }
    list.sessions
        .iter()
        .map(|s| {
            let line = Line::plain(format!("  {:>2}  {}", s.number, resumable_text(s)));
            let line = line.with(Style::Dim, format!("   {}", s.language));
            match s.has_ended {
                true => line,
                false => line.with(Style::Warning, "   ended unexpectedly"),
            }
        })
        .collect()
}

/// `mines.gl, 12 entries, 5 minutes ago`
pub fn resumable_text(session: &ResumableSession) -> String {
    format!("{}, {}", resumable_name(session), age(session.age_minutes))
}

/// `mines.gl, 12 entries`
pub fn resumable_name(session: &ResumableSession) -> String {
    format!("{}, {}", session.name, entries(session.entry_count))
}

fn age(minutes: u64) -> String {
    let (n, unit) = match minutes {
        0 => return "just now".into(),
        1..60 => (minutes, "minute"),
        60..2880 => (minutes / 60, "hour"),
        _ => (minutes / 1440, "day"),
    };
    format!("{n} {unit}{} ago", if n == 1 { "" } else { "s" })
}

/// The current step of the tour: its text and the line to type.
pub(super) fn tour_lines(progress: &TourProgress) -> Vec<Line> {
    let strong = |text: &str| Line::styled(Style::Strong, text);
    let Some(step) = &progress.step else {
        return vec![
            strong("The tour is over")
                .with(Style::Plain, ": ")
                .with(Style::Strong, ":tour off")
                .with(Style::Plain, " returns to your own game, ")
                .with(Style::Strong, ":help")
                .with(Style::Plain, " lists all commands"),
        ];
    };
    let skip = if progress.number == 1 {
        "   (:tour next does the step for you, :tour off quits)"
    } else {
        ""
    };
    let head = format!("tour {} of {}", progress.number, progress.count);
    let mut lines = vec![strong(&head).with(Style::Dim, skip)];
    lines.extend(step.text.lines().map(|l| Line::plain(format!("  {l}"))));
    lines.push(Line::styled(Style::Dim, "  type  ").with(Style::Strong, step.input));
    lines
}
