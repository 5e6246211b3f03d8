//! Commands that show the board and what stands on it.

use super::{Command, Completes, Topic};
use crate::language::Window;
use crate::session::{Line, Marked, Reply, Session, Style, glyph_fits};
use crate::value::Text;

pub const COMMANDS: &[Command] = &[
    Command {
        name: "board",
        aliases: &[],
        usage: "[truth | at R,C | rows A-B]",
        topic: Topic::Looking,
        help: "draw the board; truth shows hidden pieces, at and rows show another part of a large one",
        example: ":board truth",
        completes: Completes::Words(&["truth", "at", "rows"]),
        run: board,
    },
    Command {
        name: "cell",
        aliases: &[],
        usage: "R,C",
        topic: Topic::Looking,
        help: "what stands on a cell",
        example: ":cell 0,2",
        completes: Completes::Places,
        run: cell,
    },
    Command {
        name: "pieces",
        aliases: &[],
        usage: "",
        topic: Topic::Looking,
        help: "the kinds of pieces: their character, how many stand on the board, what they handle",
        example: ":pieces",
        completes: Completes::Nothing,
        run: pieces,
    },
    Command {
        name: "glyph",
        aliases: &[],
        usage: "NAME CHAR",
        topic: Topic::Looking,
        help: "draw a kind of piece with another character",
        example: ":glyph cross x",
        completes: Completes::Names,
        run: glyph,
    },
];

fn board(session: &mut Session, rest: &str, reply: &mut Reply) {
    if session.board_size().is_none() {
        return reply.error("there is no board yet");
    }
    let (word, place) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let mut marked = Marked::default();
    let mut window = None;
    match word {
        "" => {}
        "truth" => marked.truth = true,
        "at" => match row_and_column(session, place.trim()) {
            Ok((row, col)) => session.look.corner = (row, col),
            Err(why) => return reply.error(why),
        },
        "rows" => match rows(session, place.trim()) {
            Some((from, count)) => window = Some(Window { row: from, rows: count, ..session.window() }),
            None => return reply.error("say which rows: `:board rows 10-20`"),
        },
        _ => {
            return reply.error(format!(
                "`:board {rest}`? There are `:board`, `:board truth`, `:board at R,C`, `:board rows A-B`"
            ));
        }
    }
    session.look.explain_again();
    let window = window.unwrap_or_else(|| session.window());
    reply.lines.extend(session.picture_of(window, &marked));
}

/// The first row and how many, from `A-B`.
fn rows(session: &Session, text: &str) -> Option<(u32, u32)> {
    let origin = session.view(Window::NONE).board.map_or(0, |b| b.origin.0);
    let (a, b) = text.split_once('-').unwrap_or((text, text));
    let (a, b) = (a.trim().parse::<i64>().ok()? - origin, b.trim().parse::<i64>().ok()? - origin);
    let last = session.board_size()?.0 as i64 - 1;
    (0 <= a && a <= b && a <= last).then(|| (a as u32, (b.min(last) - a) as u32 + 1))
}

/// The place of a cell, counted from 0, from the numbers that are written at the board's edges.
fn row_and_column(session: &Session, text: &str) -> Result<(u32, u32), String> {
    let numbers: Option<Vec<i64>> = text
        .split(|c: char| c == ',' || c.is_whitespace() || "[](){}".contains(c))
        .filter(|word| !word.is_empty())
        .map(|word| word.parse().ok())
        .collect();
    let Some(&[row, col]) = numbers.as_deref() else {
        return Err(format!("a cell is written row,column, as in `0,2`, not `{text}`"));
    };
    let (rows, cols) = session.board_size().map_or((0, 0), |(rows, cols)| (rows as i64, cols as i64));
    let origin = session.view(Window::NONE).board.map_or((0, 0), |b| b.origin);
    let (r, c) = (row.saturating_sub(origin.0), col.saturating_sub(origin.1));
    if (0..rows).contains(&r) && (0..cols).contains(&c) {
        return Ok((r as u32, c as u32));
    }
    let (last_row, last_col) = (origin.0 + rows - 1, origin.1 + cols - 1);
    Err(format!("{row},{col} is off the board: rows {} to {last_row}, columns {} to {last_col}", origin.0, origin.1))
}

fn cell(session: &mut Session, rest: &str, reply: &mut Reply) {
    if session.board_size().is_none() {
        return reply.error("there is no board yet");
    }
    let (row, col) = match row_and_column(session, rest) {
        Ok(place) => place,
        Err(why) => return reply.error(why),
    };
    let view = session.view(Window { row, col, rows: 1, cols: 1 });
    let Some((board, cell)) = view.board.as_ref().and_then(|b| Some((b, b.cells.first()?))) else { return };
    let (row, col) = (board.origin.0 + row as i64, board.origin.1 + col as i64);
    let mut words = match cell.name {
        None => format!("{row},{col} is empty"),
        Some(name) if cell.visible => format!("{row},{col} has {name}"),
        Some(name) => format!("{row},{col} has {name}, hidden"),
    };
    if let Some(owner) = cell.owner {
        words.push_str(&format!(", owned by {owner}"));
    }
    for more in &cell.more {
        words.push_str(&format!(", {more}"));
    }
    reply.line(words);
}

fn pieces(session: &mut Session, _: &str, reply: &mut Reply) {
    let program = session.program().clone();
    if program.kinds.is_empty() {
        return reply.line("no kinds of pieces are defined");
    }
    let mut counts = vec![0u32; program.kinds.len()];
    for at in 0..session.machine.store.cells.len() as u32 {
        if let Some(count) = session.machine.store.piece(at).and_then(|p| counts.get_mut(p.kind as usize)) {
            *count += 1;
        }
    }
    let longest = program.kinds.iter().map(|k| k.name.as_str().chars().count()).max().unwrap_or(0).min(24);
    for (kind, count) in program.kinds.iter().zip(counts) {
        let glyph = session.look.glyphs.of(kind.name);
        let handled: Vec<&str> = kind
            .handlers
            .iter()
            .filter_map(|f| Some(program.function((*f)?)?.name.as_str().rsplit('.').next().unwrap_or_default()))
            .collect();
        let style = Style::Kind(session.look.glyphs.number(kind.name));
        let line =
            Line::styled(style, format!("  {glyph}")).with(Style::Plain, format!("  {:<longest$}", kind.name.as_str()));
        let line = line.with(Style::Plain, format!("  {count:>4} on the board"));
        let hidden = if kind.visible { "" } else { "  starts hidden" };
        reply.line(line.with(Style::Dim, format!("{hidden}  {}", handled.join(" ")).trim_end().to_string()));
    }
}

fn glyph(session: &mut Session, rest: &str, reply: &mut Reply) {
    let (name, glyph) = match rest.rsplit_once(char::is_whitespace) {
        Some((name, glyph)) if glyph.chars().count() == 1 => (name.trim().trim_matches('"'), glyph),
        _ => return reply.error("say a kind of piece and one character: `:glyph cross x`"),
    };
    let known: Vec<&str> = session.program().kinds.iter().map(|k| k.name.as_str()).collect();
    if !known.contains(&name) && session.look.glyphs.known(Text::new(name)).is_none() {
        let near = crate::diagnostic::did_you_mean(name, known);
        return reply.error(format!("no piece is called `{name}`{near}"));
    }
    let glyph = glyph.chars().next().unwrap_or('?');
    if !glyph_fits(glyph) {
        return reply.error("that character does not take just one column");
    }
    if let Some(other) = session.look.glyphs.owner(glyph).filter(|o| o.as_str() != name) {
        return reply.error(format!("`{glyph}` is {other} already"));
    }
    session.look.glyphs.set(Text::new(name), glyph);
    reply.line(format!("{name} is drawn as {glyph}"));
}
