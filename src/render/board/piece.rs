//! The text of cells and pieces.

use crate::answer::{CellInfo, Line, PieceInfo, PieceOnCell, Pieces, Style};

/// Longer names of kinds move only their own row to the right.
const MAX_KIND_COLUMNS: usize = 24;
/// Further cells of a piece are only counted.
const MAX_CELLS_SHOWN: usize = 5;

/// `[0][2] has cross, hidden, owned by player`
pub(crate) fn cell_line(cell: &CellInfo) -> Line {
    // The name that is drawn, and the variable in the program: `m (mia)`.
    let piece = |piece: &PieceOnCell| match &piece.variable {
        Some(variable) => format!("{} ({variable})", piece.name),
        None => piece.name.clone(),
    };
    let pieces: Vec<String> = cell.pieces.iter().map(piece).collect();
    let mut text = match pieces.is_empty() {
        true => format!("{} is empty", cell.cell),
        false => format!("{} has {}", cell.cell, pieces.join(", ")),
    };
    if cell.is_hidden {
        text.push_str(", hidden");
    }
    if let Some(owner) = &cell.owner {
        text.push_str(&format!(", owned by {owner}"));
    }
    Line::plain(text)
}

/// The kinds of pieces with their glyphs, and how many there are or where they are.
pub(crate) fn piece_lines(pieces: &Pieces) -> Vec<Line> {
    if pieces.pieces.is_empty() {
        return vec![Line::plain(match pieces.is_derived {
            true => "The board is empty",
            false => "No kinds of pieces are defined",
        })];
    }
    let names = pieces.pieces.iter().map(|p| p.name.chars().count());
    let longest = names.max().unwrap_or(0).min(MAX_KIND_COLUMNS);
    let glyphs = pieces.pieces.iter().map(|p| p.glyph.chars().count());
    let widest = glyphs.max().unwrap_or(1);
    let to_line = |p: &PieceInfo| {
        let line = Line::styled(Style::Kind(p.color), format!("  {:>widest$}", p.glyph))
            .with(Style::Plain, format!("  {:<longest$}", p.name));
        if pieces.is_derived {
            line.with(Style::Dim, format!("  at {}", cells(p)))
        } else {
            line.with(Style::Plain, format!("  {:>4} on the board", p.count))
                .with(Style::Dim, details(p))
        }
    };
    pieces.pieces.iter().map(to_line).collect()
}

fn cells(piece: &PieceInfo) -> String {
    let shown: Vec<&str> = piece.cells.iter().map(String::as_str).collect();
    let shown = &shown[..shown.len().min(MAX_CELLS_SHOWN)];
    match piece.cells.len() - shown.len() {
        0 => shown.join(" "),
        more => format!("{} and {more} more", shown.join(" ")),
    }
}

fn details(piece: &PieceInfo) -> String {
    let hidden = if piece.starts_hidden {
        "  starts hidden"
    } else {
        ""
    };
    format!("{hidden}  {}", piece.handlers.join(" "))
        .trim_end()
        .to_string()
}
