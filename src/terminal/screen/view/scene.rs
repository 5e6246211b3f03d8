//! Everything that the view shows, as data, and the frame that is drawn from it.

use super::Focus;
use super::layout::{Layout, Pane, text_columns};
use super::panes::board::BoardPane;
use super::panes::card::Card;
use super::panes::output::OutputPane;
use super::panes::source::SourcePane;
use super::panes::steps::StepsPane;
use super::panes::time::TimePane;
use super::panes::values::ValuesPane;
use crate::terminal::screen::canvas::look::{Ink, Look};
use crate::terminal::screen::canvas::symbols::Symbols;
use crate::terminal::screen::canvas::text::{Text, columns};
use crate::terminal::screen::canvas::{Area, Canvas};

/// Everything that the view shows. It does not refer to the session, so that another thread can draw it
/// again when the terminal is resized.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    pub source: SourcePane,
    /// Why the program stopped and where, or how an error is called.
    pub headline: Option<Text>,
    pub board: Option<BoardPane>,
    /// Whose turn it is, or which move is running.
    pub board_title: Text,
    pub values: ValuesPane,
    pub steps: Option<StepsPane>,
    pub card: Option<Card>,
    pub output: OutputPane,
    pub time: TimePane,
    /// Keys and what they do.
    pub keys: Vec<(String, String)>,
    pub focus: Focus,
    /// Readable from far away.
    pub is_large: bool,
    pub is_ascii: bool,
}

impl Scene {
    /// Columns and rows that the board would take in at most so many.
    pub fn board_wanted(&self, most: (usize, usize)) -> (usize, usize) {
        let wanted = self
            .board
            .as_ref()
            .map(|board| board.wanted(most, self.is_large));
        wanted.unwrap_or((20, 4))
    }

    /// The frame on a screen of this size. The line editor has `prompt_rows` rows; one if it is not open.
    pub fn frame(&self, width: usize, height: usize, prompt_rows: usize) -> Canvas {
        let layout = Layout::new(self, width, height, prompt_rows);
        let mut canvas = Canvas::new(width, height, Symbols::new(self.is_ascii));
        for (pane, area) in &layout.panes {
            self.draw_pane(&mut canvas, *pane, self.inside(*pane, *area));
        }
        if layout.has_borders {
            self.draw_borders(&mut canvas, &layout);
        }
        if layout.time.height > 0 {
            self.time.draw(&mut canvas, layout.time);
        }
        if layout.prompt.height == 1 {
            self.draw_keys(&mut canvas, layout.prompt);
        }
        canvas
    }

    /// The part of a pane that is drawn in: text has a free column at each side.
    pub fn inside(&self, pane: Pane, area: Area) -> Area {
        match pane {
            Pane::Source => area,
            _ => Area {
                left: area.left + usize::from(area.width > 2),
                width: text_columns(area),
                ..area
            },
        }
    }

    fn draw_pane(&self, canvas: &mut Canvas, pane: Pane, area: Area) {
        match pane {
            Pane::Card => {
                if let Some(card) = &self.card {
                    card.draw(canvas, area);
                }
            }
            Pane::Source => self.source.draw(canvas, area),
            Pane::Steps => {
                if let Some(steps) = &self.steps {
                    steps.draw(canvas, area);
                }
            }
            Pane::Output => self.output.draw(canvas, area),
            Pane::Board => match &self.board {
                Some(board) => board.draw(canvas, area, self.is_large),
                None => {
                    canvas.text((area.left, area.top), area.width, "no board yet", Look::DIM);
                }
            },
            Pane::Values => self.values.draw_values(canvas, area),
            Pane::Calls => self.values.draw_calls(canvas, area),
        }
    }

    /// Borders with the titles of the panes in them. The border of the pane with the keys is colored.
    fn draw_borders(&self, canvas: &mut Canvas, layout: &Layout) {
        for (_, area) in &layout.panes {
            canvas.add_box(*area);
        }
        canvas.draw_boxes(Look::new(Ink::Border));
        for (pane, area) in &layout.panes {
            let (title, end) = self.title(*pane, self.inside(*pane, *area), &canvas.symbols);
            let is_focus = match self.focus {
                Focus::Source => *pane == Pane::Source,
                Focus::Board => *pane == Pane::Board,
            };
            draw_title(canvas, *area, title, end, is_focus);
        }
    }

    /// The title of a pane, and what is at the right end of its border.
    fn title(&self, pane: Pane, area: Area, symbols: &Symbols) -> (Text, Option<Text>) {
        let plain = |text: &str| Text::new(Look::PLAIN, text);
        let above = |rows: usize| {
            (rows > 0).then(|| Text::new(Look::DIM, format!("{}{rows}", symbols.more_above)))
        };
        match pane {
            Pane::Card => {
                let title = self.card.as_ref().map(|card| card.title.clone());
                let title = Text::new(Look::new(Ink::Focus).bold(), title.unwrap_or_default());
                (title, None)
            }
            Pane::Source => {
                let name = &self.source.text.name;
                (
                    plain(name.rsplit(['/', '\\']).next().unwrap_or(name)),
                    self.headline.clone(),
                )
            }
            Pane::Steps => {
                let steps = self.steps.as_ref();
                let place = steps.map(|steps| steps.place.clone()).unwrap_or_default();
                let rows = steps.map_or(0, |steps| steps.rows_above(area));
                let place = above(rows).unwrap_or(Text::new(Look::DIM, place));
                (plain("step by step"), Some(place))
            }
            Pane::Output => (plain("output"), above(self.output.rows_above(area))),
            Pane::Board => {
                let board = self.board.as_ref();
                let part = board.and_then(|b| b.part_text(&b.grid(area, self.is_large)));
                (
                    self.board_title.clone(),
                    part.map(|text| Text::new(Look::DIM, text)),
                )
            }
            Pane::Values => (plain("values"), None),
            Pane::Calls => (plain("calls"), None),
        }
    }

    /// What the keys do; the key `?` shows those that do not fit.
    fn draw_keys(&self, canvas: &mut Canvas, area: Area) {
        let mut x = area.left + 1;
        // How to leave and where all keys are, is always there.
        let (others, last) = self.keys.split_at(self.keys.len().saturating_sub(2));
        let width = |(key, text): &(String, String)| columns(key) + columns(text) + 3;
        let mut used = 1 + last.iter().map(width).sum::<usize>();
        let fits = |entry: &&(String, String)| {
            let fits = used + width(entry) <= area.width + 2;
            used += if fits { width(entry) } else { 0 };
            fits
        };
        let shown: Vec<&(String, String)> = others.iter().filter(fits).chain(last).collect();
        for (key, text) in shown {
            let row = Text::new(Look::new(Ink::Focus).bold(), key.as_str())
                .with(Look::DIM, format!(" {text}"));
            x += canvas.line((x, area.top), area.right().saturating_sub(x), &row) + 2;
        }
    }
}

/// Draws a title into the border above an area. What is at its right end is left out if it does not
/// fit beside the title, unless it is longer than the title: then it is cut.
fn draw_title(canvas: &mut Canvas, area: Area, title: Text, end: Option<Text>, is_focus: bool) {
    let Some(y) = area.top.checked_sub(1) else {
        return;
    };
    let room = area.width.saturating_sub(4);
    let look = match is_focus {
        true => Look::new(Ink::Focus).bold(),
        false => Look::BOLD,
    };
    let titled = |text: Text| {
        let parts = text.0.into_iter();
        Text(
            parts
                .map(|(l, part)| (if l == Look::PLAIN { look } else { l }, part))
                .collect(),
        )
    };
    let framed = |text: Text| {
        let parts = text.0.into_iter();
        let parts = std::iter::once((Look::PLAIN, " ".to_string())).chain(parts);
        Text(parts.chain([(Look::PLAIN, " ".to_string())]).collect())
    };
    let title = titled(title).cut(room, canvas.symbols.cut);
    let used = match title.plain().is_empty() {
        true => 0,
        false => canvas.line((area.left + 1, y), area.width, &framed(title)),
    };
    let Some(end) = end else { return };
    let room = room.saturating_sub(used + 2);
    if room < 4 {
        return;
    }
    let end = end.cut(room, canvas.symbols.cut);
    let left = area.right().saturating_sub(end.width() + 3);
    canvas.line((left, y), end.width() + 2, &framed(end));
}
