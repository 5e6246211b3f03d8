//! Commands that show the board and what stands on it.

use super::{ArgumentCompletion, Command, Topic};
use crate::language::Viewport;
use crate::session::{BoardMarks, Line, Reply, Session, Style, glyph_fits};
use crate::value::InternedStr;

pub const COMMANDS: &[Command] = &[
    Command {
        name: "board",
        aliases: &[],
        usage: "[truth | at R,C | at TIME | rows A-B]",
        topic: Topic::Inspecting,
        help: "draw the board; truth shows hidden pieces, at R,C and rows another part of a large one, at TIME the past",
        example: ":board truth",
        completion: ArgumentCompletion::Words(&["truth", "at", "rows"]),
        run: board,
    },
    Command {
        name: "cell",
        aliases: &[],
        usage: "R,C",
        topic: Topic::Inspecting,
        help: "what stands on a cell",
        example: ":cell 0,2",
        completion: ArgumentCompletion::Locations,
        run: cell,
    },
    Command {
        name: "pieces",
        aliases: &[],
        usage: "",
        topic: Topic::Inspecting,
        help: "the kinds of pieces: their character, how many stand on the board, what they handle",
        example: ":pieces",
        completion: ArgumentCompletion::Nothing,
        run: pieces,
    },
    Command {
        name: "glyph",
        aliases: &[],
        usage: "NAME CHAR",
        topic: Topic::Inspecting,
        help: "draw a kind of piece with another character",
        example: ":glyph free _",
        completion: ArgumentCompletion::Names,
        run: glyph,
    },
];

fn board(session: &mut Session, rest: &str, reply: &mut Reply) {
    let (word, place) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let then = word == "at"
        && !place.contains(',')
        && !place.trim_start().starts_with(['[', '(', 'x', 'y']);
    if then {
        return board_then(session, place.trim(), reply);
    }
    if session.board_size().is_none() {
        return reply.error("there is no board yet");
    }
    let mut marked = BoardMarks::default();
    let mut window = None;
    match word {
        "" => {}
        "truth" => marked.show_hidden = true,
        "at" => match row_and_column(session, place.trim()) {
            Ok(Some((row, col))) => session.view_settings.scroll_origin = (row, col),
            Ok(None) => return reply.error("nothing is drawn there"),
            Err(why) => return reply.error(why),
        },
        "rows" => match rows(session, place.trim()) {
            Some((from, count)) => {
                window = Some(Viewport {
                    row: from,
                    rows: count,
                    ..session.viewport()
                })
            }
            None => return reply.error("say which rows: `:board rows 10-20`"),
        },
        _ => {
            return reply.error(format!(
                "`:board {rest}`? There are `:board`, `:board truth`, `:board at R,C`, `:board at TIME`, `:board rows A-B`"
            ));
        }
    }
    session.view_settings.reset_legend();
    let window = window.unwrap_or_else(|| session.viewport());
    reply.lines.extend(session.draw_viewport(window, &marked));
}

/// The board as it was: a time is only looked at, not gone to.
fn board_then(session: &mut Session, words: &str, reply: &mut Reply) {
    let moment = match super::time_travel::parse_position(session, words) {
        Ok(moment) => moment,
        Err(why) => return reply.error(format!("{why}; a cell is `:board at 3,0`")),
    };
    let lines = session.with_time(|s| {
        s.timeline.seek_point(&mut s.machine, moment);
        s.view_settings.reset_legend();
        s.board_size().map(|_| s.draw_board(&BoardMarks::default()))
    });
    let Some(lines) = lines else {
        return reply.error(format!("there was no board at time {}", moment.time));
    };
    reply.line(Line::styled(Style::Dim, format!("at time {}", moment.time)));
    reply.lines.extend(lines);
}

/// The first row and how many, from `A-B`.
fn rows(session: &Session, text: &str) -> Option<(u32, u32)> {
    let origin = session.view(Viewport::NONE).board.map_or(0, |b| b.origin.0);
    let (a, b) = text.split_once('-').unwrap_or((text, text));
    let from = |text: &str| text.trim().parse::<i64>().ok()?.checked_sub(origin);
    let (a, b) = (from(a)?, from(b)?);
    let last = session.board_size()?.0 as i64 - 1;
    (0 <= a && a <= b && a <= last).then(|| (a as u32, (b.min(last) - a) as u32 + 1))
}

/// The place of a cell, counted from 0, from the numbers that are written at the board's edges; and whether it is drawn.
fn row_and_column(session: &Session, text: &str) -> Result<Option<(u32, u32)>, String> {
    let (row, col) = session.resolve_cell(text)?;
    let Some(board) = session.view(Viewport::NONE).board else {
        return Ok(None);
    };
    let place = |n: i64, origin: i64, count: u32| {
        n.checked_sub(origin)
            .and_then(|n| u32::try_from(n).ok())
            .filter(|n| *n < count)
    };
    Ok(place(row, board.origin.0, board.rows).zip(place(col, board.origin.1, board.cols)))
}

fn cell(session: &mut Session, rest: &str, reply: &mut Reply) {
    if rest.is_empty() {
        return reply.error(format!(
            "say which: `:cell {}`",
            session.program().board_info.coord_usage()
        ));
    }
    let (place, at) = match (row_and_column(session, rest), session.resolve_cell(rest)) {
        (Ok(place), Ok((row, col))) => (place, session.program().board_info.format_cell(row, col)),
        (Err(why), _) | (_, Err(why)) => return reply.error(why),
    };
    let view = place.map(|(row, col)| {
        session.view(Viewport {
            row,
            col,
            rows: 1,
            cols: 1,
        })
    });
    let cell = view
        .and_then(|v| v.board?.cells.into_iter().next())
        .unwrap_or_default();
    let names = cell.name.iter().chain(&cell.others).enumerate();
    let names: Vec<String> = names
        .map(|(n, name)| called(name, cell.variable_names.get(n)))
        .collect();
    let mut words = match names.is_empty() {
        true => format!("{at} is empty"),
        false => format!("{at} has {}", names.join(", ")),
    };
    if cell.name.is_some() && !cell.visible {
        words.push_str(", hidden");
    }
    if let Some(owner) = cell.owner {
        words.push_str(&format!(", owned by {owner}"));
    }
    reply.line(words);
}

/// `m (mia)`: what is drawn, and what the game's text calls it.
fn called(drawn: &InternedStr, variable: Option<&InternedStr>) -> String {
    match variable.filter(|v| *v != drawn) {
        Some(variable) => format!("{drawn} ({variable})"),
        None => drawn.to_string(),
    }
}

fn pieces(session: &mut Session, _: &str, reply: &mut Reply) {
    let program = session.program().clone();
    if program.board_info.is_derived {
        return standing(session, reply);
    }
    if program.piece_kinds.is_empty() {
        return reply.line("no kinds of pieces are defined");
    }
    let mut counts = vec![0u32; program.piece_kinds.len()];
    for at in 0..session.machine.store.cells.len() as u32 {
        if let Some(count) = session
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
        .min(24);
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

/// More places than this are counted.
const MOST_PLACES: usize = 5;

/// What stands where, on a board that is a picture of variables: there are no kinds, only what is to be seen.
fn standing(session: &mut Session, reply: &mut Reply) {
    let Some(board) = session.view(Viewport::ALL).board else {
        return reply.error("there is no board yet");
    };
    let mut found: Vec<(InternedStr, Vec<String>)> = Vec::new();
    for (n, cell) in board.cells.iter().enumerate() {
        let (r, c) = (
            n as u32 / board.shown_cols.max(1),
            n as u32 % board.shown_cols.max(1),
        );
        let at = session
            .program()
            .board_info
            .format_cell(board.origin.0 + i64::from(r), board.origin.1 + i64::from(c));
        for name in cell.name.iter().chain(&cell.others) {
            match found.iter_mut().find(|(known, _)| known == name) {
                Some((_, places)) => places.push(at.clone()),
                None => found.push((*name, vec![at.clone()])),
            }
        }
    }
    if found.is_empty() {
        return reply.line("nothing stands on the board");
    }
    let longest = found
        .iter()
        .map(|(name, _)| name.as_str().chars().count())
        .max()
        .unwrap_or(0)
        .min(24);
    for (name, places) in found {
        let glyph = session.view_settings.glyphs.get_or_assign(name);
        let style = Style::Kind(session.view_settings.glyphs.index(name));
        let more = places.len().saturating_sub(MOST_PLACES);
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        let shown: Vec<String> = places.into_iter().take(MOST_PLACES).collect();
        let line = Line::styled(style, format!("  {glyph}"))
            .with(Style::Plain, format!("  {:<longest$}", name.as_str()));
        reply.line(line.with(Style::Dim, format!("  at {}{more}", shown.join(" "))));
    }
}

fn glyph(session: &mut Session, rest: &str, reply: &mut Reply) {
    let (name, glyph) = match rest.rsplit_once(char::is_whitespace) {
        Some((name, glyph)) if glyph.chars().count() == 1 => (name.trim().trim_matches('"'), glyph),
        _ => return reply.error("say a kind of piece and one character: `:glyph cross x`"),
    };
    let known: Vec<&str> = session
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
        let near = crate::diagnostic::did_you_mean(name, known);
        return reply.error(format!("no piece is called `{name}`{near}"));
    }
    let glyph = glyph.chars().next().unwrap_or('?');
    if !glyph_fits(glyph) {
        return reply.error("that character does not take just one column");
    }
    if let Some(other) = session
        .view_settings
        .glyphs
        .owner(glyph)
        .filter(|o| o.as_str() != name)
    {
        return reply.error(format!("`{glyph}` is {other} already"));
    }
    session
        .view_settings
        .glyphs
        .set(InternedStr::new(name), glyph);
    reply.line(format!("{name} is drawn as {glyph}"));
}
