//! The first lines at the prompt: what this is, and what to try. What is strong can be typed as it stands.

use crate::command::suggestions;
use crate::session::{Line, Session, Style};

/// What is longer than this does not push the words of the others aside.
const WIDEST: usize = 28;

pub fn lines(session: &Session, file: Option<&str>, loaded: bool) -> Vec<Line> {
    let about = session.language().info();
    let empty = session.language().definitions(session.program()).is_empty();
    let has = match file {
        Some(_) if !loaded => "the file can't be played as it is.".into(),
        Some(path) => format!(
            "{} is loaded. Try:",
            path.rsplit('/').next().unwrap_or(path)
        ),
        None if empty => "nothing is defined yet. Try:".to_string(),
        None => "a game is on the board. Try, in this order:".into(),
    };
    let mut lines = vec![name().with(Style::Plain, format!(" speaks {}; {has}", about.title))];
    if file.is_some() && !loaded {
        lines.push(bold_backquoted(
            Line::plain("  "),
            "`:edit` opens it, `:reload` reads it again; `:tour` shows you around a game",
        ));
        return lines;
    }
    let attempts = suggestions(session);
    let widths = attempts.iter().map(|a| a.input.chars().count());
    let column = widths.filter(|w| *w <= WIDEST).max().unwrap_or(0);
    for attempt in attempts {
        let gap = " ".repeat(column.saturating_sub(attempt.input.chars().count()) + 3);
        let line = Line::plain("  ")
            .with(Style::Strong, attempt.input)
            .with(Style::Plain, gap);
        lines.push(bold_backquoted(line, &attempt.description));
    }
    lines
}

/// For somebody who takes up what was done before, and knows what to try.
pub fn short() -> Line {
    bold_backquoted(name(), "; `:help` lists all commands")
}

fn name() -> Line {
    Line::styled(
        Style::Strong,
        concat!("gridbug ", env!("CARGO_PKG_VERSION")),
    )
}

/// Words with what can be typed in backquotes: that is made strong instead.
pub fn bold_backquoted(line: Line, words: &str) -> Line {
    let styles = [Style::Plain, Style::Strong].into_iter().cycle();
    words
        .split('`')
        .zip(styles)
        .filter(|(part, _)| !part.is_empty())
        .fold(line, |line, (part, style)| line.with(style, part))
}
