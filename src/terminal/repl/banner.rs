//! The start screen: version, language and suggestions. Bold text can be typed as is.

use crate::command::{more_games, suggest_search, suggestions};
use crate::session::{Line, Session, Style, count_noun};
use crate::terminal::InitialGame;

/// Longer suggestions do not widen the column that the descriptions are aligned to.
const MAX_ALIGNED_COLUMNS: usize = 28;

/// The start screen. `loaded` is false if the file has errors.
pub fn lines(session: &Session, game: &InitialGame, loaded: bool) -> Vec<Line> {
    let info = session.target.language().info();
    if let InitialGame::File(path, _, preludes) = game
        && let Some(prelude) = preludes.get(session.target.preludes().len())
        && !loaded
    {
        let status = format!(" ({}). {prelude} has errors.", info.title);
        let advice = format!("correct it, then `:load {prelude}` and `:load {path}`");
        return vec![
            name().with(Style::Plain, status),
            bold_backquoted(Line::plain("  "), &advice),
        ];
    }
    let status = match game {
        InitialGame::File(path, ..) | InitialGame::SessionFile(path, _) => {
            let name = path.rsplit('/').next().unwrap_or(path);
            match loaded {
                true => format!("{name} is loaded. Try:"),
                false => format!("{name} has errors."),
            }
        }
        InitialGame::Preludes(paths, _) => match loaded {
            true => format!("{} is loaded. Try:", paths.join(", ")),
            false => format!("{} has errors.", paths.join(", ")),
        },
        InitialGame::Empty(_) | InitialGame::Lesson(_) => {
            "Nothing is defined yet. Try:".to_string()
        }
        InitialGame::Example(example) => format!("{} is loaded. Try:", example.file_name()),
        InitialGame::Position(_, name) => {
            let name = name.rsplit('/').next().unwrap_or(name);
            format!("{name}, as you played it. Try:")
        }
        InitialGame::Sample => "Tic-tac-toe is ready to play. Try:".to_string(),
    };
    let mut lines = vec![name().with(Style::Plain, format!(" ({}). {status}", info.title))];
    if !loaded {
        lines.push(bold_backquoted(
            Line::plain("  "),
            "`:edit` opens it in your editor, `:reload` reads it again, `:tour` is a guided tour",
        ));
        return lines;
    }
    let mut suggestions = suggestions(session);
    if matches!(game, InitialGame::Sample) {
        suggest_search(&mut suggestions);
    }
    suggestions.push(more_games(session));
    let widths = suggestions.iter().map(|s| s.input.chars().count());
    let column = widths
        .filter(|w| *w <= MAX_ALIGNED_COLUMNS)
        .max()
        .unwrap_or(0);
    for suggestion in suggestions {
        let gap = " ".repeat(column.saturating_sub(suggestion.input.chars().count()) + 3);
        let line = Line::plain("  ")
            .with(Style::Strong, suggestion.input)
            .with(Style::Plain, gap);
        lines.push(bold_backquoted(line, &suggestion.description));
    }
    lines
}

/// The one-line banner for a restored session.
pub fn short() -> Line {
    bold_backquoted(name(), ". Type `:help` for the list of commands.")
}

/// What is said before unsaved definitions are lost.
pub fn unsaved(session: &Session, count: usize) -> Vec<Line> {
    let extension = session.target.language().info().extensions.first();
    let command = match &session.program_file().path {
        Some(_) => ":save".to_string(),
        None => format!(":save NAME.{}", extension.copied().unwrap_or("txt")),
    };
    let definitions = count_noun(count, "definition is", "definitions are");
    vec![bold_backquoted(
        Line::plain(""),
        &format!("{definitions} not saved; `{command}` keeps the program, `Ctrl-D` again quits"),
    )]
}

fn name() -> Line {
    Line::styled(
        Style::Strong,
        concat!("gridbug ", env!("CARGO_PKG_VERSION")),
    )
}

/// Appends `text` to `line`, with the parts in backquotes in bold instead.
pub fn bold_backquoted(line: Line, text: &str) -> Line {
    let styles = [Style::Plain, Style::Strong].into_iter().cycle();
    text.split('`')
        .zip(styles)
        .filter(|(part, _)| !part.is_empty())
        .fold(line, |line, (part, style)| line.with(style, part))
}
