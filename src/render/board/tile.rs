//! What is drawn on a cell: for boards as lines of text and for large, colored cells.

use super::drawn_name;
use crate::answer::{BLANK_GLYPH, ShownBoard, Style};
use crate::language::CellView;
use crate::value::InternedStr;
use std::borrow::Cow;

/// What is drawn on a cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tile {
    /// Its color.
    pub style: Style,
    /// A character, or a short text.
    pub glyph: Cow<'static, str>,
    /// The kind that is drawn; `None` on a cell that is empty or hidden.
    pub name: Option<InternedStr>,
    /// Whether it is drawn as an empty cell.
    pub is_blank: bool,
    /// Whether its piece is hidden from the players.
    pub is_hidden: bool,
    /// Whether there are more pieces than the one that is drawn.
    pub is_stack: bool,
}

/// What is drawn on a cell of a board.
pub fn tile(shown: &ShownBoard, cell: &CellView, is_ascii: bool) -> Tile {
    let (style, glyph) = style_and_glyph(shown, cell, is_ascii);
    let name = drawn_name(cell, shown.marks.show_hidden);
    let is_blank_kind = |name: InternedStr| {
        let glyph = shown.glyphs.get(name).unwrap_or_default();
        glyph.chars().eq([BLANK_GLYPH])
    };
    Tile {
        is_blank: cell.is_empty() || name.is_some_and(is_blank_kind),
        is_hidden: name.is_none() && !cell.is_empty(),
        is_stack: cell.has_hidden_pieces(),
        style,
        glyph,
        name,
    }
}

/// The color and the text of a cell.
pub(super) fn style_and_glyph(
    shown: &ShownBoard,
    cell: &CellView,
    is_ascii: bool,
) -> (Style, Cow<'static, str>) {
    let glyphs = &shown.glyphs;
    let Some(name) = cell.overlay.or(cell.name) else {
        let glyph = match glyphs.has_blank() {
            true => ' ',
            false => to_drawable(BLANK_GLYPH, is_ascii),
        };
        return (Style::Dim, glyph.to_string().into());
    };
    if !cell.visible && !shown.marks.show_hidden {
        let glyph = if is_ascii { "#" } else { "▒" };
        return (Style::Dim, glyph.into());
    }
    let (index, glyph) = glyphs.find(name).unwrap_or((0, "?"));
    let style = match cell.color {
        Some((r, g, b)) => Style::Color(r, g, b),
        None if glyph.chars().eq([BLANK_GLYPH]) || !cell.visible => Style::Dim,
        None => Style::Kind(index),
    };
    let glyph = match is_ascii && !glyph.is_ascii() {
        true => glyph.chars().map(|c| to_drawable(c, is_ascii)).collect(),
        false => glyph.into(),
    };
    (style, glyph)
}

/// Replaces what is not ASCII where only ASCII may be drawn.
fn to_drawable(glyph: char, is_ascii: bool) -> char {
    match is_ascii && !glyph.is_ascii() {
        true if glyph == BLANK_GLYPH => '.',
        true => '?',
        false => glyph,
    }
}
