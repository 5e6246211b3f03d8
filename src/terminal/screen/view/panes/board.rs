//! The board as large, colored cells: as large as its pane allows. What happens to a cell is also said
//! by characters: `[X]` is running, `<X>` is chosen, a dot follows what has changed.
//!
//! ```text
//! grid  how large the cells are, and where
//! ```

mod grid;

pub use grid::{Grid, TileSize};

use crate::answer::{BoardMarks, BoardSize, ShownBoard, Style};
use crate::language::{BoardView, Viewport};
use crate::render::{board_status, tile};
use crate::session::{Line, Session};
use crate::terminal::screen::canvas::look::{Ground, Ink, Look};
use crate::terminal::screen::canvas::symbols::Symbols;
use crate::terminal::screen::canvas::text::{Text, columns, wrapped_lines};
use crate::terminal::screen::canvas::{Area, Canvas};
use std::collections::BTreeMap;

/// A cell, row and column counted from 0.
pub type Place = (u32, u32);

/// What the pane shows.
#[derive(Clone, Debug, Default)]
pub struct BoardPane {
    /// The size of the whole board.
    pub size: BoardSize,
    /// The first cell of `tiles`.
    first: Place,
    /// Rows and columns of `tiles`.
    shown: Place,
    tiles: Vec<BoardTile>,
    /// The numbers of the first row and the first column.
    origin: (i64, i64),
    is_y_up: bool,
    /// The cell that stays visible.
    focus: Option<Place>,
    /// The first cell that was shown before, so that the board does not jump.
    scroll: Place,
    pub marks: CellMarks,
    /// What the glyphs stand for.
    legend: Vec<Text>,
    /// The game's counters, above the board.
    counters: Vec<Option<String>>,
    /// How the game stands, and its message.
    status: Vec<Line>,
    /// Terminal columns of the longest text on a cell.
    text_columns: usize,
}

/// What is marked on the board.
#[derive(Clone, Debug, Default)]
pub struct CellMarks {
    /// The cell whose handler is running.
    pub current: Option<Place>,
    /// The cell of the keyboard cursor.
    pub selected: Option<Place>,
    pub changed: Vec<Place>,
    /// Cells that the expression has read.
    pub read: Vec<Place>,
    /// The cell that a prediction asks about.
    pub asked: Option<Place>,
    /// Reasons, with their numbers.
    pub reasons: BTreeMap<Place, usize>,
}

/// What is drawn on a cell.
#[derive(Clone, Debug)]
struct BoardTile {
    text: String,
    name: Option<String>,
    look: Look,
    is_blank: bool,
    is_stack: bool,
}

/// The board, with as many cells as could fit into a screen of this size.
pub fn board_pane(
    session: &mut Session,
    marks: CellMarks,
    scroll: Place,
    screen: (usize, usize),
) -> Option<BoardPane> {
    let outline = session.target.board_outline()?;
    let focus = marks.selected.or(marks.current).or(outline.cursor);
    let window = |scroll: u32, focus: Option<u32>, room: usize, total: u32| {
        let room = (room as u32).max(1);
        let first = match focus {
            Some(focus) => focus
                .saturating_sub(room / 2)
                .min(total.saturating_sub(room)),
            None => scroll.min(total.saturating_sub(1)),
        };
        // The same distance before and after the cell that stays visible.
        if total <= room { 0 } else { first }
    };
    let (rows, cols) = (screen.1.max(1), (screen.0 / 2).max(1));
    let viewport = Viewport {
        row: window(scroll.0, focus.map(|f| f.0), 2 * rows, outline.rows),
        col: window(scroll.1, focus.map(|f| f.1), 2 * cols, outline.cols),
        rows: 2 * rows as u32,
        cols: 2 * cols as u32,
    };
    session.view_settings.reset_legend();
    let board_marks = BoardMarks {
        is_following: true,
        ..BoardMarks::default()
    };
    let shown = session.shown_viewport(viewport, board_marks);
    let is_ascii = session.view_settings.is_ascii;
    let view = shown.view.board.as_ref()?;
    let tiles: Vec<BoardTile> = view
        .cells
        .iter()
        .map(|cell| {
            let tile = tile(&shown, cell, is_ascii);
            BoardTile {
                look: tile_look(tile.style, tile.is_blank, tile.is_hidden),
                text: tile.glyph.into_owned(),
                name: tile.name.map(|name| name.to_string()),
                is_blank: tile.is_blank,
                is_stack: tile.is_stack,
            }
        })
        .collect();
    let widths = tiles.iter().map(|tile| columns(&tile.text));
    Some(BoardPane {
        size: BoardSize {
            rows: view.rows,
            cols: view.cols,
        },
        first: (view.first_row, view.first_col),
        shown: (view.shown_rows, view.shown_cols),
        text_columns: widths.max().unwrap_or(1).max(1),
        legend: legend(&shown, view, &tiles, &Symbols::new(is_ascii)),
        tiles,
        origin: view.origin,
        is_y_up: view.is_y_up,
        focus,
        scroll,
        marks,
        counters: shown.view.header.clone(),
        // Whose turn it is, is in the title.
        status: board_status(&shown)
            .into_iter()
            .filter(|line| !line.text().starts_with("turn: "))
            .collect(),
    })
}

fn tile_look(style: Style, is_blank: bool, is_hidden: bool) -> Look {
    match style {
        _ if is_hidden => Look::DIM.on(Ground::Blank),
        _ if is_blank => Look::DIM.on(Ground::Blank),
        Style::Kind(n) => Look::new(Ink::Kind(n)).on(Ground::Kind(n)).bold(),
        Style::Color(r, g, b) => Look::new(Ink::On(r, g, b))
            .on(Ground::Color(r, g, b))
            .bold(),
        _ => Look::DIM.on(Ground::Blank),
    }
}

/// What is on the board: each kind with its glyph and, if all of the board is there, how many of it.
fn legend(
    shown: &ShownBoard,
    view: &BoardView,
    tiles: &[BoardTile],
    symbols: &Symbols,
) -> Vec<Text> {
    let is_whole =
        (view.shown_rows, view.shown_cols) == (view.rows, view.cols) && !view.is_unbounded;
    let mut kinds: Vec<(&BoardTile, &str, usize)> = Vec::new();
    for tile in tiles {
        let Some(name) = &tile.name else { continue };
        match kinds.iter_mut().find(|(_, other, _)| other == name) {
            Some((.., count)) => *count += 1,
            None => kinds.push((tile, name, 1)),
        }
    }
    let index = |name: &str| shown.glyphs.index(crate::value::InternedStr::new(name));
    kinds.sort_by_key(|(_, name, _)| index(name));
    let is_number = |name: &str| name.parse::<i64>().is_ok();
    kinds.retain(|(_, name, _)| !is_number(name));
    kinds
        .into_iter()
        .map(|(tile, name, count)| {
            let glyph = Look {
                ground: Ground::Plain,
                ..tile.look
            };
            let glyph = match tile.look.ink {
                Ink::On(r, g, b) | Ink::Color(r, g, b) => Look::new(Ink::Color(r, g, b)).bold(),
                _ => glyph,
            };
            let mut text = Text::new(glyph, tile.text.as_str());
            if tile.text != name {
                text = text.with(Look::DIM, format!(" {name}"));
            }
            match is_whole {
                true => text.with(Look::DIM, format!(" {} {count}", symbols.times)),
                false => text,
            }
        })
        .collect()
}

/// Columns between two parts of the legend.
const LEGEND_GAP: usize = 3;

impl BoardPane {
    /// Columns before the cells: the numbers of the rows.
    fn margin(&self) -> usize {
        let number = |n: u32| (self.origin.0 + i64::from(n)).to_string().len();
        1 + number(0).max(number(self.size.rows.saturating_sub(1)))
    }

    /// Rows above the cells: the game's counters, and the numbers of the columns.
    fn rows_above(&self) -> usize {
        1 + usize::from(self.counters.iter().any(Option::is_some))
    }

    /// Columns and rows that the whole board takes with cells of this size.
    fn columns_and_rows(&self, size: TileSize, width: usize) -> (usize, usize) {
        let cells = size.total(self.size.cols as usize, self.size.rows as usize);
        let below = self.rows_below(width, usize::MAX);
        let text = below.iter().map(Text::width).max().unwrap_or(0);
        let columns = (self.margin() + cells.0).max(text);
        (columns, self.rows_above() + cells.1 + below.len())
    }

    /// The sizes of cells for texts as wide as those of the board, largest first.
    fn sizes(&self, is_large: bool) -> impl Iterator<Item = TileSize> {
        TileSize::all(self.text_columns, is_large)
    }

    /// The largest cells with which the board fits into `columns` and `rows`; else the smallest.
    fn fitting_size(&self, (width, height): (usize, usize), is_large: bool) -> TileSize {
        let fits = |size: &TileSize| {
            let (columns, rows) = self.columns_and_rows(*size, width);
            columns <= width && rows <= height
        };
        let mut sizes = self.sizes(is_large);
        sizes
            .find(fits)
            .unwrap_or(TileSize::smallest(self.text_columns))
    }

    /// Columns and rows that the board would take in at most so many.
    pub fn wanted(&self, room: (usize, usize), is_large: bool) -> (usize, usize) {
        let size = self.fitting_size(room, is_large);
        let (columns, rows) = self.columns_and_rows(size, room.0);
        (columns.min(room.0), rows.min(room.1))
    }

    /// Where the cells are in an area.
    pub fn grid(&self, area: Area, is_large: bool) -> Grid {
        let size = self.fitting_size((area.width, area.height), is_large);
        let (above, margin) = (self.rows_above(), self.margin());
        // A large board leaves room for how the game stands, but not for the legend.
        let status = wrapped_lines(&self.status, area.width).len();
        let room = (
            area.width.saturating_sub(margin),
            area.height
                .saturating_sub(above + status.min(area.height / 4)),
        );
        let (cols, rows) = size.count(room);
        let part =
            |count: usize, scroll: u32, focus: Option<u32>, first: u32, shown: u32, total: u32| {
                let count = (count as u32).clamp(1, shown.max(1));
                let mut start = scroll.min(total.saturating_sub(count));
                if let Some(focus) = focus {
                    start = start.max((focus + 1).saturating_sub(count)).min(focus);
                }
                (
                    start.clamp(first, first + shown.saturating_sub(count)),
                    count,
                )
            };
        let (row, rows) = part(
            rows,
            self.scroll.0,
            self.focus.map(|f| f.0),
            self.first.0,
            self.shown.0,
            self.size.rows,
        );
        let (col, cols) = part(
            cols,
            self.scroll.1,
            self.focus.map(|f| f.1),
            self.first.1,
            self.shown.1,
            self.size.cols,
        );
        // A small board is in the middle of its pane.
        let width = margin + size.total(cols as usize, 0).0;
        let indent = area.width.saturating_sub(width) / 2;
        Grid {
            size,
            left: area.left + indent + margin,
            top: area.top + above,
            first: (row, col),
            rows,
            cols,
            is_y_up: self.is_y_up,
        }
    }

    /// The legend, and how the game stands, which is more important.
    fn rows_below(&self, width: usize, most: usize) -> Vec<Text> {
        let mut rows: Vec<Text> = Vec::new();
        for part in &self.legend {
            match rows.last_mut() {
                Some(row) if row.width() + LEGEND_GAP + part.width() <= width => {
                    row.0.push((Look::PLAIN, " ".repeat(LEGEND_GAP)));
                    row.0.extend(part.0.iter().cloned());
                }
                _ => rows.push(part.clone()),
            }
        }
        let status = wrapped_lines(&self.status, width);
        let room = most.saturating_sub(status.len());
        if rows.len() > room {
            rows.truncate(room);
            // Too long, so that it is cut with a mark.
            let rest = " ".repeat(width);
            rows.iter_mut()
                .last()
                .into_iter()
                .for_each(|row| row.0.push((Look::PLAIN, rest.clone())));
        }
        let skipped = status.len().saturating_sub(most);
        rows.extend(status.into_iter().skip(skipped));
        rows
    }

    /// Which part of the board is shown; `None` if it is all of it.
    pub fn part_text(&self, grid: &Grid) -> Option<String> {
        let is_whole = (grid.rows, grid.cols) == (self.size.rows, self.size.cols);
        let range = |first: u32, count: u32, origin: i64| {
            let first = origin + i64::from(first);
            format!("{first}-{}", first + i64::from(count) - 1)
        };
        (!is_whole).then(|| {
            format!(
                "rows {} of {}, columns {} of {}",
                range(grid.first.0, grid.rows, self.origin.0),
                self.size.rows,
                range(grid.first.1, grid.cols, self.origin.1),
                self.size.cols
            )
        })
    }

    fn tile(&self, (row, col): Place) -> Option<&BoardTile> {
        let row = row
            .checked_sub(self.first.0)
            .filter(|row| *row < self.shown.0)?;
        let col = col
            .checked_sub(self.first.1)
            .filter(|col| *col < self.shown.1)?;
        self.tiles.get((row * self.shown.1 + col) as usize)
    }

    /// Draws the pane.
    pub fn draw(&self, canvas: &mut Canvas, area: Area, is_large: bool) {
        let grid = self.grid(area, is_large);
        let width = grid.size.total(grid.cols as usize, 0).0;
        if let Some(text) = crate::render::panel_line(&self.counters, width) {
            canvas.text(
                (grid.left, area.top),
                area.right().saturating_sub(grid.left),
                &text,
                Look::BOLD,
            );
        }
        self.draw_numbers(canvas, area, &grid);
        if grid.size.has_lines {
            for place in grid.places() {
                if let Some(inside) = grid.area_of(place).filter(|a| a.bottom() < area.bottom()) {
                    canvas.add_box(inside);
                }
            }
            canvas.draw_boxes(Look::new(Ink::Border));
        }
        for place in grid.places() {
            if let Some((tile, inside)) = self.tile(place).zip(grid.area_of(place))
                && inside.bottom() <= area.bottom()
                && inside.right() <= area.right()
            {
                self.draw_tile(canvas, tile, place, inside);
            }
        }
        let below = grid.top + grid.size.total(0, grid.rows as usize).1;
        let rest = area.below(below.saturating_sub(area.top));
        let rows = self.rows_below(area.width, rest.height);
        for (n, row) in rows.iter().enumerate() {
            let indent = grid.left.saturating_sub(area.left);
            let indent = match row.width() + indent <= area.width {
                true => indent,
                false => 0,
            };
            canvas.line((rest.left + indent, rest.top + n), rest.width - indent, row);
        }
    }

    /// The numbers of rows and columns.
    fn draw_numbers(&self, canvas: &mut Canvas, area: Area, grid: &Grid) {
        let number = |n: u32, origin: i64| (origin + i64::from(n)).to_string();
        let last = number(grid.first.1 + grid.cols.saturating_sub(1), self.origin.1);
        let longest = last.len().max(number(grid.first.1, self.origin.1).len());
        // All numbers if they fit, else every fifth.
        let step = if longest < grid.size.step().0 { 1 } else { 5 };
        let mut free_from = area.left;
        for col in (grid.first.1..grid.first.1 + grid.cols).filter(|col| col % step == 0) {
            let Some(cell) = grid.area_of((grid.first.0, col)) else {
                continue;
            };
            let text = number(col, self.origin.1);
            let middle = cell.left + (cell.width.saturating_sub(text.len())).div_ceil(2);
            let left = match cell.width < text.len() {
                true => cell.right().saturating_sub(text.len()),
                false => middle,
            };
            if left >= free_from && left + text.len() <= area.right() {
                canvas.text((left, grid.top - 1), text.len(), &text, Look::DIM);
                free_from = left + text.len() + 1;
            }
        }
        for row in grid.first.0..grid.first.0 + grid.rows {
            let Some(cell) = grid.area_of((row, grid.first.1)) else {
                continue;
            };
            let text = number(row, self.origin.0);
            let y = cell.top + cell.height / 2;
            let left = grid.left.saturating_sub(1 + text.len());
            if y < area.bottom() {
                canvas.text((left, y), text.len(), &text, Look::DIM);
            }
        }
    }

    fn draw_tile(&self, canvas: &mut Canvas, tile: &BoardTile, place: Place, inside: Area) {
        let symbols = canvas.symbols;
        let marks = &self.marks;
        let is = |marked: Option<Place>| marked == Some(place);
        let is_changed = marks.changed.contains(&place);
        let (around, ground, ink) = match () {
            _ if is(marks.selected) => (Some(('<', '>')), Ground::Cursor, None),
            _ if is(marks.asked) => (None, Ground::Reason, None),
            _ if marks.reasons.contains_key(&place) => (None, Ground::Reason, Some(Ink::Reason)),
            _ if is(marks.current) => (Some(('[', ']')), Ground::Now, Some(Ink::Now)),
            _ if marks.read.contains(&place) => {
                (Some((symbols.read, symbols.read)), tile.look.ground, None)
            }
            _ => (None, tile.look.ground, None),
        };
        canvas.ground(inside, ground);
        let look = match ground {
            Ground::Cursor => Look::BOLD.on(Ground::Cursor),
            _ => Look {
                is_bold: tile.look.is_bold || ground != tile.look.ground,
                ground,
                ..match (tile.look.ink, ground == tile.look.ground) {
                    _ if is(marks.asked) => Look::PLAIN,
                    (_, true) => tile.look,
                    (Ink::Kind(n), false) => Look::new(Ink::Kind(n)),
                    _ => Look::PLAIN,
                }
            },
        };
        let text = match is(marks.asked) {
            true => "?",
            false => tile.text.as_str(),
        };
        let width = columns(text).min(inside.width);
        let (left, y) = (
            inside.left + (inside.width - width).div_ceil(2).min(inside.width - width),
            inside.top + inside.height / 2,
        );
        canvas.text((left, y), width, text, look);
        let mark_look = Look {
            is_bold: true,
            ground,
            ..Look::new(match (ground, ink, is_changed) {
                (Ground::Cursor, ..) => Ink::Plain,
                (_, Some(ink), _) => ink,
                (_, None, true) => Ink::Changed,
                _ => Ink::Now,
            })
        };
        let (first, last) = (inside.left, inside.right() - 1);
        let free = |x: usize| x < left || x >= left + width;
        if let Some((before, after)) = around {
            for (x, mark) in [(first, before), (last, after)] {
                if free(x) {
                    canvas.text((x, y), 1, &mark.to_string(), mark_look);
                }
            }
        }
        // Beside the piece, or above it if there is no room.
        let after = left + width;
        let dot = match () {
            _ if after < last || after == last && around.is_none() => Some((after, y)),
            _ if inside.height > 2 => Some((last, inside.top)),
            _ if around.is_none() && first < left => Some((first, y)),
            _ => None,
        };
        let number = marks.reasons.get(&place).map(usize::to_string);
        let mark = match (&number, is_changed, tile.is_stack) {
            (Some(number), ..) => Some((number.clone(), mark_look)),
            (None, true, _) => Some((symbols.changed.to_string(), mark_look)),
            (None, false, true) => Some((
                "+".to_string(),
                Look {
                    ground,
                    ..Look::DIM
                },
            )),
            _ => None,
        };
        if let Some(((x, y), (text, look))) = dot.zip(mark) {
            canvas.text((x, y), 1, &text, look);
        }
        // The whole name below the glyph, where there is room.
        let name = tile
            .name
            .as_deref()
            .filter(|name| *name != tile.text && !tile.is_blank);
        if let Some(name) = name.filter(|name| inside.height > 2 && columns(name) <= inside.width) {
            let indent = (inside.width - columns(name)) / 2;
            let look = Look {
                is_bold: false,
                ..look
            };
            canvas.text(
                (inside.left + indent, inside.bottom() - 1),
                columns(name),
                name,
                look,
            );
        }
    }
}
