//! Where the panes of the view are. Drawing and mouse clicks use the same layout.
//!
//! A wide screen has columns: the source with what belongs to it, the board, the values. On a narrow one
//! the source is above the board and the values. On a tiny one there is only the pane with the keys.

use super::Focus;
use super::scene::Scene;
use crate::terminal::screen::canvas::Area;

/// A pane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pane {
    Card,
    Source,
    Steps,
    Output,
    Board,
    Values,
    Calls,
}

/// The panes and the rows below them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    /// The inside of each pane. Its border is around it, and is shared with the panes beside it.
    pub panes: Vec<(Pane, Area)>,
    /// Whether there is room for borders.
    pub has_borders: bool,
    /// The time line; without rows on a tiny screen.
    pub time: Area,
    /// What the keys do, or the line editor.
    pub prompt: Area,
}

impl Layout {
    /// The inside of a pane; `None` if it is not shown.
    pub fn area(&self, pane: Pane) -> Option<Area> {
        let (_, area) = self.panes.iter().find(|(p, _)| *p == pane)?;
        Some(*area)
    }

    /// The pane at a place of the screen.
    pub fn pane_at(&self, col: usize, row: usize) -> Option<(Pane, Area)> {
        let mut panes = self.panes.iter();
        panes
            .find(|(_, area)| area.inside(col, row).is_some())
            .copied()
    }
}

/// From this width on, source, board and values are beside each other.
const THREE_COLUMNS_WIDTH: usize = 132;
/// From this width on, the board and the values are beside the source.
const TWO_COLUMNS_WIDTH: usize = 96;
/// Smaller screens show one pane.
const MIN_WIDTH: usize = 56;
const MIN_HEIGHT: usize = 16;
/// Even smaller ones do so without borders.
const MIN_BORDER_HEIGHT: usize = 8;
const MIN_BORDER_WIDTH: usize = 24;

/// Columns for values.
const MIN_VALUE_COLUMNS: usize = 26;
const MAX_VALUE_COLUMNS: usize = 44;
/// The source gets at least so much.
const MIN_SOURCE_ROWS: usize = 5;
const MIN_SOURCE_COLUMNS: usize = 46;
/// The card gets at most one part of so many.
const MAX_CARD_PART: usize = 2;
const MAX_STEP_ROWS: usize = 9;

impl Layout {
    /// The layout of a scene on a screen, however small. The line editor takes `prompt_rows` rows; one
    /// if it is not open.
    pub fn new(scene: &Scene, width: usize, height: usize, prompt_rows: usize) -> Layout {
        let prompt_rows = prompt_rows.min(height.saturating_sub(1));
        let rest = height.saturating_sub(prompt_rows);
        let time_rows = usize::from(rest >= MIN_BORDER_HEIGHT);
        let body = rest - time_rows;
        let row = |top: usize, height: usize| Area {
            left: 0,
            top,
            width,
            height,
        };
        let mut layout = Layout {
            panes: Vec::new(),
            has_borders: body >= MIN_BORDER_HEIGHT && width >= MIN_BORDER_WIDTH,
            time: row(body, time_rows),
            prompt: row(body + time_rows, prompt_rows),
        };
        let screen = row(0, body);
        if !layout.has_borders {
            layout.panes.push((focused(scene), screen));
            return layout;
        }
        // The inside of the border around everything.
        let inside = Area {
            left: 1,
            top: 1,
            width: width - 2,
            height: body - 2,
        };
        let is_open = prompt_rows > 1;
        match () {
            _ if width < MIN_WIDTH || body + prompt_rows < MIN_HEIGHT => layout.one(scene, inside),
            _ if width >= THREE_COLUMNS_WIDTH => layout.three_columns(scene, inside, is_open),
            _ if width >= TWO_COLUMNS_WIDTH => layout.two_columns(scene, inside, is_open),
            _ => layout.stacked(scene, inside, is_open),
        }
        layout
    }

    /// The pane with the keys, and what is asked.
    fn one(&mut self, scene: &Scene, inside: Area) {
        let rest = self.with_card(scene, inside, inside.height.saturating_sub(4));
        self.panes.push((focused(scene), rest));
    }

    /// The card at the top of an area, if there is one. Returns the area below it.
    fn with_card(&mut self, scene: &Scene, area: Area, most: usize) -> Area {
        let Some(card) = &scene.card else { return area };
        let rows = card.wanted_rows(text_columns(area)).min(most.max(2));
        if area.height < rows + 1 + 3 {
            return area;
        }
        self.panes.push((Pane::Card, area.first_rows(rows)));
        area.below(rows + 1)
    }

    /// A pane of `rows` rows at the bottom of an area. Returns the area above it.
    fn with_bottom(&mut self, pane: Pane, area: Area, rows: usize) -> Area {
        if rows == 0 || area.height < rows + 1 + 3 {
            return area;
        }
        let above = area.height - rows - 1;
        self.panes.push((pane, area.below(above + 1)));
        area.first_rows(above)
    }

    /// Steps of an expression and the output below `area`. Returns the area above them.
    fn with_text_panes(
        &mut self,
        scene: &Scene,
        area: Area,
        output_rows: usize,
        step_rows: usize,
    ) -> Area {
        let output_rows = match scene.output.lines.is_empty() {
            true => 0,
            false => output_rows,
        };
        let area = self.with_bottom(Pane::Output, area, output_rows);
        match &scene.steps {
            Some(steps) => {
                let rows = steps.wanted_rows(text_columns(area)).min(step_rows).max(1);
                self.with_bottom(Pane::Steps, area, rows)
            }
            None => area,
        }
    }

    fn three_columns(&mut self, scene: &Scene, inside: Area, is_open: bool) {
        let values = MAX_VALUE_COLUMNS.min(inside.width / 4);
        // The board is not squeezed for lines that are longer than most.
        let (board, _) = scene.board_wanted((inside.width / 2, inside.height * 3 / 4));
        let most = inside.width.saturating_sub(values + board + 8);
        let most = most.clamp(MIN_SOURCE_COLUMNS + 4, inside.width * 9 / 20);
        let source = scene.source.wanted_columns();
        let source = source.clamp(MIN_SOURCE_COLUMNS, most);
        let middle = inside.width - source - values - 2;
        let [left, center, right] = columns(inside, [source, middle, values]);
        let source = self.with_card(scene, left, left.height / MAX_CARD_PART);
        self.panes.push((Pane::Source, source));
        let output = if is_open {
            0
        } else {
            (center.height / 5).max(3)
        };
        let board = self.with_text_panes(scene, center, output, MAX_STEP_ROWS);
        self.panes.push((Pane::Board, board));
        self.values(scene, right);
    }

    fn two_columns(&mut self, scene: &Scene, inside: Area, is_open: bool) {
        let value_rows = 2 + scene.values.wanted_value_rows().min(5);
        let call_rows = match scene.values.wanted_call_rows() {
            0 => 0,
            rows => 1 + rows.min(4),
        };
        let most = (
            match scene.is_large {
                true => inside.width * 3 / 5,
                false => inside.width * 3 / 8,
            },
            inside
                .height
                .saturating_sub(value_rows + call_rows)
                .max(inside.height / 2),
        );
        let (columns_wanted, rows) = scene.board_wanted(most);
        let right = (columns_wanted + 4)
            .max(MIN_VALUE_COLUMNS + 8)
            .min(inside.width - MIN_SOURCE_COLUMNS - 1);
        let [left, right] = columns(inside, [inside.width - right - 1, right]);
        let source = self.with_card(scene, left, left.height / MAX_CARD_PART);
        let output = match () {
            _ if is_open => 0,
            _ if inside.height >= 24 => 4,
            _ => 2,
        };
        let source = self.with_text_panes(scene, source, output, MAX_STEP_ROWS);
        self.panes.push((Pane::Source, source));
        let board = right.first_rows((rows + 1).min(right.height.saturating_sub(4)));
        self.panes.push((Pane::Board, board));
        self.values(scene, right.below(board.height + 1));
    }

    fn stacked(&mut self, scene: &Scene, inside: Area, is_open: bool) {
        let output = match () {
            _ if is_open => 0,
            _ if inside.height >= 30 => 4,
            _ if scene.steps.is_some() || scene.card.is_some() => 1,
            _ => 2,
        };
        let area = self.with_card(scene, inside, inside.height / MAX_CARD_PART - 2);
        // While the program is stopped, the source is more important than the board.
        let board_part = match scene.focus {
            _ if scene.is_large => area.height.saturating_sub(MIN_SOURCE_ROWS - 1),
            Focus::Source => area.height * 2 / 5,
            Focus::Board => {
                (area.height * 3 / 5).max(area.height.saturating_sub(MIN_SOURCE_ROWS + 5))
            }
        };
        let part = if scene.is_large { 14 } else { 11 };
        let most = (inside.width * part / 20, board_part.max(5));
        let (columns_wanted, rows) = scene.board_wanted(most);
        let rows = rows
            .max(scene.values.wanted_value_rows().min(most.1))
            .max(4)
            .min(most.1);
        let area_above = area.first_rows(area.height.saturating_sub(rows + 1).max(1));
        let below = area.below(area_above.height + 1);
        let source = self.with_text_panes(scene, area_above, output, area_above.height / 2);
        self.panes.push((Pane::Source, source));
        let board_columns = (columns_wanted + 2).max(20);
        let rest = below.width - board_columns - 1;
        let calls = scene.values.wanted_call_columns() + 2;
        match calls > 2 && rest > calls + MIN_VALUE_COLUMNS - 8 {
            true => {
                let values = rest - calls - 1;
                let widths = [board_columns, values, calls];
                let [board, values, calls] = columns(below, widths);
                self.panes.extend([
                    (Pane::Board, board),
                    (Pane::Values, values),
                    (Pane::Calls, calls),
                ]);
            }
            false => {
                let [board, values] = columns(below, [board_columns, rest]);
                self.panes.push((Pane::Board, board));
                self.values(scene, values);
            }
        }
    }

    /// The values above the call stack.
    fn values(&mut self, scene: &Scene, area: Area) {
        let calls = scene.values.wanted_call_rows();
        let values = scene.values.wanted_value_rows();
        // The call stack gets what the values leave, and a part of the room in any case.
        let most = area
            .height
            .saturating_sub(1 + calls.min(area.height / 3).max(1));
        match calls > 0 && area.height >= 4 {
            true => {
                let values = area.first_rows(values.clamp(1, most.max(1)));
                self.panes.push((Pane::Values, values));
                self.panes
                    .push((Pane::Calls, area.below(values.height + 1)));
            }
            false => self.panes.push((Pane::Values, area)),
        }
    }
}

/// The pane that is shown where there is room for one only.
fn focused(scene: &Scene) -> Pane {
    match scene.focus {
        Focus::Board if scene.board.is_some() => Pane::Board,
        _ => Pane::Source,
    }
}

/// Columns for text in a pane: one at each side is left free.
pub fn text_columns(area: Area) -> usize {
    area.width.saturating_sub(2).max(1)
}

/// Areas beside each other, with a column for the border between them.
fn columns<const N: usize>(area: Area, widths: [usize; N]) -> [Area; N] {
    let mut left = area.left;
    widths.map(|width| {
        let part = Area {
            left,
            width,
            ..area
        };
        left += width + 1;
        part
    })
}
