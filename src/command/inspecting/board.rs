//! Commands that show the board, its cells and the kinds of pieces.

use crate::analysis::inspect;
use crate::answer::{CommandError, Glyphs, Notice, Part, PieceInfo, Pieces, Setting};
use crate::command::{ArgumentCompletion, Arguments, Command, CommandEffects, Topic};
use crate::language::{CellView, Viewport};
use crate::render::{GlyphRules, assigned_glyph};
use crate::session::{Answer, BoardMarks, Looks, Session, Sets, is_single_width};
use crate::value::InternedStr;
use std::rc::Rc;

type CommandResult = Result<Answer, CommandError>;

pub const COMMANDS: &[Command] = &[
    Command {
        name: "board",
        aliases: &[],
        usage: "[truth | at R,C | at TIME | rows A-B]",
        topic: Topic::Inspecting,
        help: "draw the board: truth shows hidden pieces, at R,C and rows scroll, at TIME shows the past",
        example: ":board truth",
        effects: CommandEffects::of(Topic::Inspecting).at_prediction(),
        completion: ArgumentCompletion::Words(&["truth", "at", "rows"]),
        run: board,
    },
    Command {
        name: "cell",
        aliases: &[],
        usage: "R,C",
        topic: Topic::Inspecting,
        help: "show what is on a cell",
        example: ":cell 0,2",
        effects: CommandEffects::of(Topic::Inspecting)
            .at_prediction()
            .only_shows(),
        completion: ArgumentCompletion::Locations,
        run: cell,
    },
    Command {
        name: "pieces",
        aliases: &[],
        usage: "",
        topic: Topic::Inspecting,
        help: "list the kinds of pieces: character, number on the board, event handlers",
        example: ":pieces",
        effects: CommandEffects::of(Topic::Inspecting)
            .at_prediction()
            .only_shows(),
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
        effects: CommandEffects::of(Topic::Inspecting)
            .at_prediction()
            .looks(Looks::Never)
            .sets(Sets::Display),
        completion: ArgumentCompletion::Names,
        run: glyph,
    },
];

fn board(session: &mut Session, arguments: Arguments<'_>) -> CommandResult {
    let (word, argument) = arguments.first_word();
    if word == "at" && !looks_like_cell(argument.text()) {
        return board_at_time(session, argument);
    }
    if session.board_size().is_none() {
        return Err(CommandError::new("there is no board yet"));
    }
    let mut marks = BoardMarks::default();
    let mut rows_shown = None;
    match word {
        "" => {}
        "truth" => marks.show_hidden = true,
        "at" => {
            session.view_settings.scroll_origin = drawn_cell(session, argument)?
                .ok_or_else(|| CommandError::new("this cell is outside the drawn board"))?;
        }
        "rows" => {
            rows_shown = Some(drawn_rows(session, argument).ok_or_else(|| {
                CommandError::new("`:board rows` needs a range, e.g. `:board rows 10-20`")
            })?);
        }
        _ => {
            let error = CommandError::new(format!("unknown view `{}`", arguments.text()));
            let views = ["", " truth", " at R,C", " at TIME", " rows A-B"];
            return Err(views.into_iter().fold(error, |error, view| {
                error.instruct("use", format!(":board{view}"), "")
            }));
        }
    }
    session.view_settings.reset_legend();
    let mut viewport = session.viewport();
    if let Some((row, rows)) = rows_shown {
        viewport = Viewport {
            row,
            rows,
            ..viewport
        };
    }
    let board = session.shown_viewport(viewport, marks);
    Ok(Answer::of(Part::Board(board)))
}

/// Draws the board at an earlier time without going there.
fn board_at_time(session: &mut Session, time: Arguments<'_>) -> CommandResult {
    let point = time
        .time(session)
        .map_err(|error| error.instruct("for a cell, use", ":board at 3,0", ""))?;
    let board = session.with_time(|s| {
        s.target.timeline.seek_point(&mut s.target.machine, point);
        s.view_settings.reset_legend();
        s.board_size().map(|_| s.shown_board())
    });
    let board = board.ok_or_else(|| format!("there was no board at time {}", point.time))?;
    let mut answer = Answer::of(Notice::AtTime { time: point.time });
    answer.parts.push(Part::Board(board));
    Ok(answer)
}

/// The first row of a range, counted from 0, and the number of rows.
fn drawn_rows(session: &Session, range: Arguments<'_>) -> Option<(u32, u32)> {
    let origin = session.target.board_outline().map_or(0, |b| b.origin.0);
    let (a, b) = range.range()?;
    let (a, b) = (a.checked_sub(origin)?, b.checked_sub(origin)?);
    let last = session.board_size()?.0 as i64 - 1;
    (0 <= a && a <= b && a <= last).then(|| (a as u32, (b.min(last) - a) as u32 + 1))
}

/// Tells `3,0` and `[3][0]` from a time.
fn looks_like_cell(text: &str) -> bool {
    text.contains(',') || text.starts_with(['[', '(', 'x', 'y'])
}

/// The row and column of a cell, counted from 0. `None` if it is outside the drawn board.
fn drawn_cell(session: &Session, cell: Arguments<'_>) -> Result<Option<(u32, u32)>, CommandError> {
    let (row, col) = cell.cell(session)?;
    Ok(inspect::drawn_cell(&session.target, row, col))
}

fn cell(session: &mut Session, arguments: Arguments<'_>) -> CommandResult {
    let (row, col) = arguments.cell(session)?;
    Ok(Answer::of(Part::Cell(inspect::describe_cell(
        &session.target,
        row,
        col,
    ))))
}

fn pieces(session: &mut Session, _: Arguments<'_>) -> CommandResult {
    let mut glyphs = std::mem::take(&mut session.view_settings.glyphs);
    let pieces = list_pieces(session, Rc::make_mut(&mut glyphs));
    session.view_settings.glyphs = glyphs;
    let pieces = pieces.ok_or_else(|| CommandError::new("there is no board yet"))?;
    Ok(Answer::of(Part::Pieces(pieces)))
}

/// The kinds of pieces with the glyphs that they would be drawn with; no glyph is assigned. `None` if
/// there is no board.
pub(crate) fn peek_at_pieces(session: &Session) -> Option<Pieces> {
    let mut glyphs = session.view_settings.glyphs.clone();
    list_pieces(session, Rc::make_mut(&mut glyphs))
}

fn list_pieces(session: &Session, glyphs: &mut Glyphs) -> Option<Pieces> {
    let counts = inspect::piece_counts(&session.target)?;
    let info = session.target.program().board_info;
    let board = session.target.full_view().board;
    let rules = GlyphRules {
        names_are_texts: info.names_are_texts,
        has_empty_cells: board.is_some_and(|board| board.cells.iter().any(CellView::is_empty)),
    };
    let pieces = counts.into_iter().map(|piece| PieceInfo {
        glyph: assigned_glyph(glyphs, rules, piece.name).to_string(),
        color: glyphs.index(piece.name),
        name: piece.name.to_string(),
        count: piece.count,
        cells: piece.cells,
        starts_hidden: piece.starts_hidden,
        handlers: piece.handlers,
    });
    Some(Pieces {
        pieces: pieces.collect(),
        is_derived: info.is_derived,
    })
}

fn glyph(session: &mut Session, arguments: Arguments<'_>) -> CommandResult {
    let (name, glyph) = match arguments.last_word() {
        Some((name, glyph)) if glyph.chars().count() == 1 => (name.trim_matches('"'), glyph),
        _ => {
            return Err(CommandError::new(
                "`:glyph` needs a kind of piece and one character, e.g. `:glyph cross x`",
            ));
        }
    };
    let kinds = session.target.program().piece_kinds.iter();
    let known: Vec<&str> = kinds.map(|k| k.name.as_str()).collect();
    let kind = InternedStr::new(name);
    let glyphs = Rc::make_mut(&mut session.view_settings.glyphs);
    if !known.contains(&name) && glyphs.get(kind).is_none() {
        return Err(CommandError::new(format!("unknown piece `{name}`")).suggest(name, known));
    }
    let glyph = glyph.chars().next().unwrap_or('?');
    if !is_single_width(glyph) {
        return Err(CommandError::new("this character is not one column wide"));
    }
    let text = glyph.to_string();
    if let Some(other) = glyphs.owner(&text).filter(|o| o.as_str() != name) {
        return Err(CommandError::new(format!(
            "`{glyph}` is already used for {other}"
        )));
    }
    glyphs.set(kind, &text);
    Ok(Answer::of(Setting::Glyph {
        piece: name.to_string(),
        glyph,
    }))
}
