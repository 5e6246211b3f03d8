//! Commands that show the board, its cells and the kinds of pieces.

use super::{ArgumentCompletion, Command, CommandFn, Topic};
use crate::language::Viewport;
use crate::session::{Answer, BoardMarks, Line, Session, Style, is_single_width};
use crate::value::InternedStr;

pub const COMMANDS: &[Command] = &[
    Command {
        name: "board",
        aliases: &[],
        usage: "[truth | at R,C | at TIME | rows A-B]",
        topic: Topic::Inspecting,
        help: "draw the board: truth shows hidden pieces, at R,C and rows scroll, at TIME shows the past",
        example: ":board truth",
        completion: ArgumentCompletion::Words(&["truth", "at", "rows"]),
        run: CommandFn::Fill(board),
    },
    Command {
        name: "cell",
        aliases: &[],
        usage: "R,C",
        topic: Topic::Inspecting,
        help: "show what is on a cell",
        example: ":cell 0,2",
        completion: ArgumentCompletion::Locations,
        run: CommandFn::Fill(cell),
    },
    Command {
        name: "pieces",
        aliases: &[],
        usage: "",
        topic: Topic::Inspecting,
        help: "list the kinds of pieces: character, number on the board, event handlers",
        example: ":pieces",
        completion: ArgumentCompletion::Nothing,
        run: CommandFn::Fill(pieces),
    },
    Command {
        name: "glyph",
        aliases: &[],
        usage: "NAME CHAR",
        topic: Topic::Inspecting,
        help: "draw a kind of piece with another character",
        example: ":glyph free _",
        completion: ArgumentCompletion::Names,
        run: CommandFn::Fill(glyph),
    },
];

fn board(session: &mut Session, rest: &str, reply: &mut Answer) {
    let (word, argument) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let is_time = word == "at"
        && !argument.contains(',')
        && !argument.trim_start().starts_with(['[', '(', 'x', 'y']);
    if is_time {
        return board_at_time(session, argument.trim(), reply);
    }
    if session.board_size().is_none() {
        return reply.error("there is no board yet");
    }
    let mut marks = BoardMarks::default();
    let mut viewport = None;
    match word {
        "" => {}
        "truth" => marks.show_hidden = true,
        "at" => match row_and_column(session, argument.trim()) {
            Ok(Some((row, col))) => session.view_settings.scroll_origin = (row, col),
            Ok(None) => return reply.error("this cell is outside the drawn board"),
            Err(message) => return reply.error(message),
        },
        "rows" => match parse_rows(session, argument.trim()) {
            Some((row, rows)) => {
                viewport = Some(Viewport {
                    row,
                    rows,
                    ..session.viewport()
                })
            }
            None => return reply.error("`:board rows` needs a range, e.g. `:board rows 10-20`"),
        },
        _ => {
            return reply.error(format!(
                "unknown view `{rest}`; use `:board`, `:board truth`, `:board at R,C`, `:board at TIME` or `:board rows A-B`"
            ));
        }
    }
    session.view_settings.reset_legend();
    let viewport = viewport.unwrap_or_else(|| session.viewport());
    reply.lines(session.draw_viewport(viewport, &marks));
}

/// Draws the board at an earlier time without going there.
fn board_at_time(session: &mut Session, position: &str, reply: &mut Answer) {
    let point = match super::time_travel::parse_position(session, position) {
        Ok(point) => point,
        Err(message) => {
            return reply.error(format!("{message}; for a cell, use `:board at 3,0`"));
        }
    };
    let lines = session.with_time(|s| {
        s.target.timeline.seek_point(&mut s.target.machine, point);
        s.view_settings.reset_legend();
        s.board_size().map(|_| s.draw_board(&BoardMarks::default()))
    });
    let Some(lines) = lines else {
        return reply.error(format!("there was no board at time {}", point.time));
    };
    reply.line(Line::styled(Style::Dim, format!("at time {}", point.time)));
    reply.lines(lines);
}

/// Parses `A-B` into the first row, counted from 0, and the number of rows.
fn parse_rows(session: &Session, text: &str) -> Option<(u32, u32)> {
    let origin = session
        .target
        .view(Viewport::NONE)
        .board
        .map_or(0, |b| b.origin.0);
    let (a, b) = text.split_once('-').unwrap_or((text, text));
    let index = |text: &str| text.trim().parse::<i64>().ok()?.checked_sub(origin);
    let (a, b) = (index(a)?, index(b)?);
    let last = session.board_size()?.0 as i64 - 1;
    (0 <= a && a <= b && a <= last).then(|| (a as u32, (b.min(last) - a) as u32 + 1))
}

/// Converts a cell as the user writes it into a row and column counted from 0. `None` if the cell
/// is outside the drawn board.
fn row_and_column(session: &Session, text: &str) -> Result<Option<(u32, u32)>, String> {
    let (row, col) = session.target.resolve_cell(text)?;
    let Some(board) = session.target.view(Viewport::NONE).board else {
        return Ok(None);
    };
    let index = |n: i64, origin: i64, count: u32| {
        n.checked_sub(origin)
            .and_then(|n| u32::try_from(n).ok())
            .filter(|n| *n < count)
    };
    Ok(index(row, board.origin.0, board.rows).zip(index(col, board.origin.1, board.cols)))
}

fn cell(session: &mut Session, rest: &str, reply: &mut Answer) {
    if rest.is_empty() {
        return reply.error(format!(
            "`:cell` needs a cell, e.g. `:cell {}`",
            session.target.program().board_info.coord_usage()
        ));
    }
    let (index, name) = match (
        row_and_column(session, rest),
        session.target.resolve_cell(rest),
    ) {
        (Ok(index), Ok((row, col))) => (
            index,
            session.target.program().board_info.format_cell(row, col),
        ),
        (Err(message), _) | (_, Err(message)) => return reply.error(message),
    };
    let view = index.map(|(row, col)| {
        session.target.view(Viewport {
            row,
            col,
            rows: 1,
            cols: 1,
        })
    });
    let cell = view
        .and_then(|v| v.board?.cells.into_iter().next())
        .unwrap_or_default();
    let pieces = cell.name.iter().chain(&cell.others).enumerate();
    let pieces: Vec<String> = pieces
        .map(|(n, piece)| format_piece(piece, cell.variable_names.get(n)))
        .collect();
    let mut text = match pieces.is_empty() {
        true => format!("{name} is empty"),
        false => format!("{name} has {}", pieces.join(", ")),
    };
    if cell.name.is_some() && !cell.visible {
        text.push_str(", hidden");
    }
    if let Some(owner) = cell.owner {
        text.push_str(&format!(", owned by {owner}"));
    }
    reply.line(text);
}

/// `m (mia)`: the name that is drawn, and the variable in the program.
fn format_piece(name: &InternedStr, variable: Option<&InternedStr>) -> String {
    match variable.filter(|v| *v != name) {
        Some(variable) => format!("{name} ({variable})"),
        None => name.to_string(),
    }
}

/// Longer names of kinds move only their own row to the right.
const MAX_KIND_COLUMNS: usize = 24;

fn pieces(session: &mut Session, _: &str, reply: &mut Answer) {
    let program = session.target.program().clone();
    if program.board_info.is_derived {
        return pieces_on_derived_board(session, reply);
    }
    if program.piece_kinds.is_empty() {
        return reply.line("No kinds of pieces are defined");
    }
    let mut counts = vec![0u32; program.piece_kinds.len()];
    for at in 0..session.target.machine.store.cells.len() as u32 {
        if let Some(count) = session
            .target
            .machine
            .store
            .piece(at)
            .and_then(|p| counts.get_mut(p.kind as usize))
        {
            *count += 1;
        }
    }
    let longest = program
        .piece_kinds
        .iter()
        .map(|k| k.name.as_str().chars().count())
        .max()
        .unwrap_or(0)
        .min(MAX_KIND_COLUMNS);
    for (kind, count) in program.piece_kinds.iter().zip(counts) {
        let glyph = session.view_settings.glyphs.get_or_assign(kind.name);
        let handled: Vec<&str> = kind
            .handlers
            .iter()
            .filter_map(|f| {
                Some(
                    program
                        .function((*f)?)?
                        .name
                        .as_str()
                        .rsplit('.')
                        .next()
                        .unwrap_or_default(),
                )
            })
            .collect();
        let style = Style::Kind(session.view_settings.glyphs.index(kind.name));
        let line = Line::styled(style, format!("  {glyph}"))
            .with(Style::Plain, format!("  {:<longest$}", kind.name.as_str()));
        let line = line.with(Style::Plain, format!("  {count:>4} on the board"));
        let hidden = if kind.visible { "" } else { "  starts hidden" };
        reply.line(
            line.with(
                Style::Dim,
                format!("{hidden}  {}", handled.join(" "))
                    .trim_end()
                    .to_string(),
            ),
        );
    }
}

/// Further cells of a piece are only counted.
const MAX_CELLS_SHOWN: usize = 5;

/// Lists the pieces of a board that is derived from variables. There are no kinds of pieces, so
/// they are grouped by name.
fn pieces_on_derived_board(session: &mut Session, reply: &mut Answer) {
    let Some(board) = session.target.view(Viewport::ALL).board else {
        return reply.error("there is no board yet");
    };
    let mut pieces: Vec<(InternedStr, Vec<String>)> = Vec::new();
    for (n, cell) in board.cells.iter().enumerate() {
        let (r, c) = (
            n as u32 / board.shown_cols.max(1),
            n as u32 % board.shown_cols.max(1),
        );
        let at = session
            .target
            .program()
            .board_info
            .format_cell(board.origin.0 + i64::from(r), board.origin.1 + i64::from(c));
        for name in cell.name.iter().chain(&cell.others) {
            match pieces.iter_mut().find(|(known, _)| known == name) {
                Some((_, cells)) => cells.push(at.clone()),
                None => pieces.push((*name, vec![at.clone()])),
            }
        }
    }
    if pieces.is_empty() {
        return reply.line("The board is empty");
    }
    let longest = pieces
        .iter()
        .map(|(name, _)| name.as_str().chars().count())
        .max()
        .unwrap_or(0)
        .min(MAX_KIND_COLUMNS);
    for (name, cells) in pieces {
        let glyph = session.view_settings.glyphs.get_or_assign(name);
        let style = Style::Kind(session.view_settings.glyphs.index(name));
        let more = cells.len().saturating_sub(MAX_CELLS_SHOWN);
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        let shown: Vec<String> = cells.into_iter().take(MAX_CELLS_SHOWN).collect();
        let line = Line::styled(style, format!("  {glyph}"))
            .with(Style::Plain, format!("  {:<longest$}", name.as_str()));
        reply.line(line.with(Style::Dim, format!("  at {}{more}", shown.join(" "))));
    }
}

fn glyph(session: &mut Session, rest: &str, reply: &mut Answer) {
    let (name, glyph) = match rest.rsplit_once(char::is_whitespace) {
        Some((name, glyph)) if glyph.chars().count() == 1 => (name.trim().trim_matches('"'), glyph),
        _ => {
            return reply
                .error("`:glyph` needs a kind of piece and one character, e.g. `:glyph cross x`");
        }
    };
    let known: Vec<&str> = session
        .target
        .program()
        .piece_kinds
        .iter()
        .map(|k| k.name.as_str())
        .collect();
    if !known.contains(&name)
        && session
            .view_settings
            .glyphs
            .get(InternedStr::new(name))
            .is_none()
    {
        let suggestion = crate::diagnostic::did_you_mean(name, known);
        return reply.error(format!("unknown piece `{name}`{suggestion}"));
    }
    let glyph = glyph.chars().next().unwrap_or('?');
    if !is_single_width(glyph) {
        return reply.error("this character is not one column wide");
    }
    if let Some(other) = session
        .view_settings
        .glyphs
        .owner(glyph)
        .filter(|o| o.as_str() != name)
    {
        return reply.error(format!("`{glyph}` is already used for {other}"));
    }
    session
        .view_settings
        .glyphs
        .set(InternedStr::new(name), glyph);
    reply.line(format!("{name} is drawn as {glyph}"));
}
