//! Puts the panes of a scene together into the rows of the screen.

use super::layout::{Area, Layout, Space};
use super::scene::{Scene, SourcePane};
use crate::render::CellSpacing;
use crate::session::{Line, Style};
use crate::terminal::output::wrap::{clip_line, display_width, wrap_line};

/// The rows of the screen for a scene.
pub fn frame(scene: &Scene, layout: &Layout) -> Vec<Line> {
    let source = source_rows(&scene.source, layout.source, scene.spacing);
    let mut right = fitted(scene.board.clone(), layout.board.height);
    right.extend(details(&scene.sections, layout.details.height));
    let mut rows = vec![padded(
        Line::styled(Style::Current, scene.title.as_str()),
        layout.title.width,
        Style::Current,
    )];
    for (left, right) in source.into_iter().zip(right) {
        let mut row = padded(left, layout.source.width, Style::Plain);
        row.0.push((Style::Dim, "|".to_string()));
        row.0.extend(clip_line(right, layout.board.width).0);
        rows.push(row);
    }
    let output = layout.output;
    rows.extend(last_rows(&scene.output, output.width, output.height));
    if layout.prompt.height == 1 {
        rows.push(scene.help.clone());
    }
    rows.truncate(layout.prompt.top + layout.prompt.height);
    rows
}

/// The layout of a scene on a screen.
pub fn layout_of(scene: &Scene, width: usize, height: usize, prompt_rows: usize) -> Layout {
    let board = &scene.board;
    Layout::new(Space {
        width,
        height,
        prompt_rows,
        board: (
            board.iter().map(display_width).max().unwrap_or(0) + 1,
            board.len() + 1,
        ),
    })
}

/// Columns before the text of a source line: a breakpoint, the arrow, the number.
pub const GUTTER_COLUMNS: usize = 8;

/// The source lines that fit, with the selected line among them.
fn source_rows(source: &SourcePane, area: Area, spacing: CellSpacing) -> Vec<Line> {
    let step = lines_per_source_line(spacing);
    let first = first_source_line(source, area, spacing);
    let shown = source.lines.iter().skip(first).take(area.height / step);
    let rows = shown.flat_map(|line| {
        let breakpoint = match source.breakpoints.contains(&line.line) {
            true => "*",
            false => " ",
        };
        let mark = match (line.is_next, line.line == source.selected) {
            (true, _) => "=>",
            (false, true) => " >",
            (false, false) => "  ",
        };
        let gutter = format!("{mark}{:>4} ", line.line);
        let row = Line::styled(Style::Error, breakpoint);
        let row = match line.is_next {
            true => {
                let row = row.with(Style::Current, format!("{gutter}{}", line.text));
                padded(row, area.width, Style::Current)
            }
            false => row
                .with(Style::Dim, gutter)
                .with(Style::Plain, line.text.as_str()),
        };
        std::iter::once(row).chain((1..step).map(|_| Line::default()))
    });
    fitted(rows.collect(), area.height)
}

/// The line of the source at a row of its pane.
pub fn source_line_at(
    source: &SourcePane,
    area: Area,
    spacing: CellSpacing,
    row: usize,
) -> Option<u32> {
    let first = first_source_line(source, area, spacing);
    let line = source
        .lines
        .get(first + row / lines_per_source_line(spacing))?;
    Some(line.line)
}

fn lines_per_source_line(spacing: CellSpacing) -> usize {
    match spacing {
        CellSpacing::Normal => 1,
        CellSpacing::Large => 2,
    }
}

/// The index of the first line that is shown, so that the selected one is in the middle.
fn first_source_line(source: &SourcePane, area: Area, spacing: CellSpacing) -> usize {
    let shown = (area.height / lines_per_source_line(spacing)).max(1);
    (source.selected as usize)
        .saturating_sub(1 + shown / 2)
        .min(source.lines.len().saturating_sub(shown))
}

/// The sections below the board. If there is not enough room, each gets its share, the first ones
/// more, and the rest is counted.
fn details(sections: &[(&'static str, Vec<Line>)], height: usize) -> Vec<Line> {
    let mut rows = Vec::new();
    for (n, (heading, lines)) in sections.iter().enumerate() {
        let room = height.saturating_sub(rows.len());
        // Each of the others needs its heading and one line.
        let others: usize = sections[n + 1..]
            .iter()
            .map(|(_, lines)| 1 + lines.len().min(2))
            .sum();
        let room = room.saturating_sub(others.min(room * 2 / 3));
        if room < 2 {
            break;
        }
        rows.push(Line::styled(Style::Dim, format!("-- {heading} ")));
        if lines.len() < room {
            rows.extend(lines.iter().cloned());
        } else {
            let shown = room - 2;
            rows.extend(lines.iter().take(shown).cloned());
            let omitted = lines.len() - shown;
            rows.push(Line::styled(Style::Dim, format!("   … {omitted} more")));
        }
    }
    fitted(rows, height)
}

/// Exactly `height` rows.
fn fitted(mut rows: Vec<Line>, height: usize) -> Vec<Line> {
    rows.resize(height, Line::default());
    rows
}

/// The last `height` rows of these lines, wrapped to `width` columns, at the bottom.
pub fn last_rows(lines: &[Line], width: usize, height: usize) -> Vec<Line> {
    // A line takes at least one row.
    let lines = &lines[lines.len().saturating_sub(height)..];
    let wrapped: Vec<Line> = wrapped_rows(lines, width);
    let shown = &wrapped[wrapped.len().saturating_sub(height)..];
    let blank = height - shown.len();
    let rows = std::iter::repeat_n(Line::default(), blank);
    rows.chain(shown.iter().cloned()).collect()
}

/// The rows of lines on a screen of this width.
pub fn wrapped_rows(lines: &[Line], width: usize) -> Vec<Line> {
    let lines = lines.iter().cloned();
    lines.flat_map(|line| wrap_line(line, width)).collect()
}

/// The line cut or filled to `width` columns.
fn padded(line: Line, width: usize, fill: Style) -> Line {
    let mut line = clip_line(line, width);
    let missing = width - display_width(&line).min(width);
    line.0.push((fill, " ".repeat(missing)));
    line
}

#[cfg(test)]
mod tests {
    use crate::answer::SourceLine;
    use crate::terminal::screen::view::frame::*;

    fn scene(lines: u32, next: u32) -> Scene {
        let line = |line| SourceLine {
            line,
            text: format!("statement {line}"),
            is_next: line == next,
            columns: None,
            coverage: None,
        };
        Scene {
            title: " game.gl".into(),
            source: SourcePane {
                name: "game.gl".into(),
                lines: (1..=lines).map(line).collect(),
                breakpoints: [2].into(),
                selected: next,
            },
            board: vec![Line::plain("     0  1"), Line::plain("   0  X  O")],
            sections: vec![(
                "variables",
                (0..9).map(|n| Line::plain(format!("v{n}"))).collect(),
            )],
            output: vec![Line::plain("one"), Line::plain("two"), Line::plain("three")],
            help: Line::plain("keys"),
            ..Scene::default()
        }
    }

    fn texts(scene: &Scene, width: usize, height: usize) -> Vec<String> {
        let layout = layout_of(scene, width, height, 1);
        frame(scene, &layout).iter().map(Line::text).collect()
    }

    #[test]
    fn a_frame_fills_the_screen_and_not_more() {
        for (width, height) in [(80, 24), (160, 50), (30, 8), (10, 4)] {
            let rows = texts(&scene(100, 50), width, height);
            assert_eq!(rows.len(), height, "{width} x {height}");
            for row in rows {
                assert!(row.chars().count() <= width, "{width} x {height}: {row}");
            }
        }
    }

    #[test]
    fn marks_are_readable_without_color() {
        let rows = texts(&scene(5, 3), 80, 24);
        assert!(rows[2].starts_with("*     2 statement 2"), "{rows:#?}");
        assert!(rows[3].starts_with(" =>   3 statement 3"), "{rows:#?}");
    }

    #[test]
    fn the_current_line_is_always_visible() {
        for next in [1, 2, 50, 99, 100] {
            for spacing in [CellSpacing::Normal, CellSpacing::Large] {
                let scene = Scene {
                    spacing,
                    ..scene(100, next)
                };
                let rows = texts(&scene, 80, 24);
                let row = rows.iter().position(|row| row[1..].starts_with("=>"));
                let row = row.unwrap_or_else(|| panic!("{next}: {rows:#?}"));
                let layout = layout_of(&scene, 80, 24, 1);
                let area = layout.source;
                let line = source_line_at(&scene.source, area, spacing, row - area.top);
                assert_eq!(line, Some(next), "{rows:#?}");
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        let rows = texts(&scene(5, 3), 80, 12);
        let more = rows.iter().find(|row| row.contains("more")).unwrap();
        let shown = rows.iter().filter(|row| row.contains("|v")).count();
        assert!(more.contains(&format!("… {} more", 9 - shown)), "{rows:#?}");
    }
}
