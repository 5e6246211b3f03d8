//! The source: the program as it is now, with what was typed at the prompt where it belongs.

use crate::answer::LineOrigin;
use crate::code::Program;
use crate::command::program_listing;
use crate::debugger::{frame, run};
use crate::language::{Language, TokenClass};
use crate::session::Session;
use crate::source::{Source, Span};
use crate::terminal::screen::canvas::look::{Ground, Ink, Look};
use crate::terminal::screen::canvas::symbols::Symbols;
use crate::terminal::screen::canvas::text::Text;
use crate::terminal::screen::canvas::{Area, Canvas};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

/// Columns of a tab.
const TAB: &str = "    ";
/// A long line that is shown whole takes at most this part of the pane.
const MAX_WRAPPED_PART: usize = 2;

/// A text with its colors, and where its lines come from.
#[derive(Debug, Default)]
pub struct SourceText {
    /// The name of the file or entry.
    pub name: String,
    lines: Vec<TextLine>,
}

#[derive(Debug)]
struct TextLine {
    text: Text,
    origin: Option<LineOrigin>,
}

impl SourceText {
    pub fn line_count(&self) -> usize {
        self.lines.len()
    }

    /// Where a line comes from, counted from 0.
    pub fn origin(&self, line: usize) -> Option<&LineOrigin> {
        self.lines.get(line)?.origin.as_ref()
    }

    /// The line that comes from this line of a file or entry.
    fn line_from(&self, name: &str, line: u32) -> Option<usize> {
        let is_it = |origin: &LineOrigin| origin.line == line && origin.file == name;
        let mut lines = self.lines.iter();
        lines.position(|l| l.origin.as_ref().is_some_and(is_it))
    }

    /// Columns of the longest line.
    fn width(&self) -> usize {
        let widths = self.lines.iter().map(|line| line.text.width());
        widths.max().unwrap_or(0)
    }
}

/// What the pane shows. Lines are counted from 0.
#[derive(Clone, Debug, Default)]
pub struct SourcePane {
    pub text: Arc<SourceText>,
    /// The line of the statement that runs next, and its columns if the line has others too.
    pub next: Option<(usize, Option<Range<usize>>)>,
    pub breakpoints: BTreeSet<usize>,
    /// Breakpoints that are turned off.
    pub disabled: BTreeSet<usize>,
    /// The lines that are reasons, with their numbers.
    pub reasons: BTreeMap<usize, usize>,
    /// The line that keys refer to.
    pub selected: usize,
    /// How many columns lines that are too long are moved to the left.
    pub scroll: usize,
}

/// The texts that were colored last: the program, and the source of a stop that is not part of it.
#[derive(Default)]
pub struct SourceCache {
    program: Option<(Rc<Program>, Arc<SourceText>)>,
    other: Option<(Arc<Source>, Arc<SourceText>)>,
}

impl SourceCache {
    /// The program as it is now.
    fn program(&mut self, session: &Session) -> Arc<SourceText> {
        let program = session.target.program();
        if let Some((of, text)) = &self.program
            && Rc::ptr_eq(of, program)
        {
            return text.clone();
        }
        let listing = program_listing(session, None);
        let lines = listing.lines.iter();
        let text: String = lines.map(|line| format!("{}\n", line.text)).collect();
        let origins = listing.lines.into_iter().map(|line| line.origin);
        let name = listing.main_source.unwrap_or_else(|| "program".to_string());
        let text = colored(session.target.language(), name, &text, origins.collect());
        let text = Arc::new(text);
        self.program = Some((program.clone(), text.clone()));
        text
    }

    /// A source that is not part of the program: an entry, the rules of play, an old version.
    fn other(&mut self, session: &Session, source: &Arc<Source>) -> Arc<SourceText> {
        if let Some((of, text)) = &self.other
            && Arc::ptr_eq(of, source)
        {
            return text.clone();
        }
        let name = source.origin.to_string();
        let origins = (1..=source.line_count() as u32).map(|line| {
            Some(LineOrigin {
                file: name.clone(),
                line,
            })
        });
        let text = source.text.replace('\t', TAB);
        let origins = origins.collect();
        let text = colored(session.target.language(), name, &text, origins);
        let text = Arc::new(text);
        self.other = Some((source.clone(), text.clone()));
        text
    }
}

/// The lines of a text in the colors of their tokens.
fn colored(
    language: &dyn Language,
    name: String,
    text: &str,
    origins: Vec<Option<LineOrigin>>,
) -> SourceText {
    let mut looks = vec![Look::PLAIN; text.len()];
    for (range, class) in language.highlight(text) {
        let look = look_of(class);
        if let Some(part) = looks.get_mut(range) {
            part.fill(look);
        }
    }
    let mut start = 0;
    let lines = text.split('\n').zip(origins).map(|(line, origin)| {
        let mut colored = Text::default();
        for (at, c) in line.char_indices() {
            let look = looks.get(start + at).copied().unwrap_or(Look::PLAIN);
            match colored.0.last_mut() {
                Some((last, part)) if *last == look => part.push(c),
                _ => colored.0.push((look, c.to_string())),
            }
        }
        start += line.len() + 1;
        TextLine {
            text: colored,
            origin,
        }
    });
    SourceText {
        name,
        lines: lines.collect(),
    }
}

fn look_of(class: TokenClass) -> Look {
    match class {
        TokenClass::Keyword => Look::new(Ink::Keyword).bold(),
        TokenClass::Builtin => Look::new(Ink::Builtin),
        TokenClass::String | TokenClass::Number => Look::new(Ink::Literal),
        TokenClass::Comment => Look::DIM,
        TokenClass::Invalid => Look::new(Ink::Error),
        TokenClass::Name | TokenClass::Operator | TokenClass::Bracket => Look::PLAIN,
    }
}

/// The source that is shown, whether or not the program is stopped in it. `selected` is the line that
/// was chosen; without one, the line that runs next.
pub fn source_pane(
    session: &mut Session,
    cache: &mut SourceCache,
    selected: Option<usize>,
) -> SourcePane {
    let program = cache.program(session);
    let next = next_statement(session);
    let (text, next) = match next {
        None => (program, None),
        Some((source, line, columns)) => {
            match program.line_from(&source.origin.to_string(), line) {
                Some(line) => (program, Some((line, columns))),
                None => (
                    cache.other(session, &source),
                    Some((line as usize - 1, columns)),
                ),
            }
        }
    };
    let mut pane = SourcePane {
        selected: selected
            .or(next.as_ref().map(|(line, _)| *line))
            .unwrap_or(0)
            .min(text.line_count().saturating_sub(1)),
        next,
        text,
        ..SourcePane::default()
    };
    for breakpoint in crate::analysis::inspect::describe_breakpoints(&session.target) {
        let lines = breakpoint.ranges.iter();
        let lines = lines.filter_map(|range| pane.text.line_from(&range.file, range.line));
        match breakpoint.is_enabled {
            true => pane.breakpoints.extend(lines),
            false => pane.disabled.extend(lines),
        }
    }
    pane
}

/// The statement that runs next in the selected frame: its source, its line counted from 1, and its
/// columns if the line has other statements too.
fn next_statement(session: &mut Session) -> Option<(Arc<Source>, u32, Option<Range<usize>>)> {
    let target = &mut session.target;
    if !target.is_stopped() {
        return None;
    }
    let number = target.debugger.selected_frame;
    let statement = run::frame_statement(target, number);
    let span: Span = statement
        .map(|statement| statement.shown)
        .or_else(|| Some(frame::frame_info(target, number)?.span))?;
    let lines = run::source_lines(target, span, Some(span), 0);
    let source = target.sources.get(span.source)?.clone();
    let line = lines.into_iter().find(|line| line.is_next);
    let number = source.line_number(span.start);
    Some((source, number, line.and_then(|line| line.columns)))
}

/// A row of the pane.
struct Row {
    /// The line it belongs to, counted from 0.
    line: usize,
    /// Whether it is the first row of its line.
    is_first: bool,
    text: Text,
}

impl SourcePane {
    /// Columns before the text: a breakpoint, the number, the arrow.
    pub fn gutter_columns(&self) -> usize {
        self.digits() + 5
    }

    fn digits(&self) -> usize {
        self.text.line_count().to_string().len().max(2)
    }

    /// Columns that show every line whole.
    pub fn wanted_columns(&self) -> usize {
        self.gutter_columns() + self.text.width() + 1
    }

    /// The line at a row of the pane.
    pub fn line_at(&self, area: Area, row: usize) -> Option<usize> {
        self.rows(area).get(row).map(|row| row.line)
    }

    /// The rows that are shown, with the selected line among them.
    fn rows(&self, area: Area) -> Vec<Row> {
        let count = self.text.line_count();
        let height = area.height.max(1);
        let mut first = self.selected.saturating_sub(height / 2);
        first = first.min(count.saturating_sub(height));
        loop {
            let rows: Vec<Row> = (first..count)
                .flat_map(|line| self.line_rows(line, area))
                .take(height)
                .collect();
            let is_whole = rows.last().is_none_or(|row| {
                // The line after the selected one is visible, too.
                row.line > self.selected || self.selected + 1 >= count && rows.len() < height
            });
            let all: usize = (first..=self.selected.min(count.saturating_sub(1)))
                .map(|line| self.line_rows(line, area).len())
                .sum();
            if is_whole || all < height || first >= self.selected {
                return rows;
            }
            first += 1;
        }
    }

    /// The rows of a line. The one that runs next and the selected one are shown whole.
    fn line_rows(&self, line: usize, area: Area) -> Vec<Row> {
        let Some(shown) = self.text.lines.get(line) else {
            return Vec::new();
        };
        let room = area.width.saturating_sub(self.gutter_columns()).max(1);
        let next = self.next.as_ref().filter(|(next, _)| *next == line);
        let text = match next.and_then(|(_, columns)| columns.clone()) {
            Some(columns) => with_part(&shown.text, columns),
            None => shown.text.clone(),
        };
        let is_whole = next.is_some() || line == self.selected;
        let texts = match is_whole && text.width() > room {
            false if self.scroll == 0 || text.width() <= room => vec![text],
            false => vec![text.scrolled(self.scroll, '\u{2039}')],
            true => {
                let indent = text.plain().chars().take_while(|c| *c == ' ').count();
                text.wrapped(room, indent + 4)
            }
        };
        let most = (area.height / MAX_WRAPPED_PART).max(1);
        let mut rows = Vec::new();
        let is_cut = texts.len() > most;
        for (n, text) in texts.into_iter().take(most).enumerate() {
            let text = match is_cut && n + 1 == most {
                // Longer than its room, so that it is cut with a mark.
                true => text.with(Look::PLAIN, " ".repeat(room)),
                false => text,
            };
            let underline = underline_of(&text);
            rows.push(Row {
                line,
                is_first: n == 0,
                text: without_part(text),
            });
            rows.extend(underline.map(|text| Row {
                line,
                is_first: false,
                text,
            }));
        }
        rows
    }

    /// Draws the pane.
    pub fn draw(&self, canvas: &mut Canvas, area: Area) {
        let symbols = canvas.symbols;
        let digits = self.digits();
        for (n, row) in self.rows(area).into_iter().enumerate() {
            let y = area.top + n;
            let is_next = self
                .next
                .as_ref()
                .is_some_and(|(next, _)| *next == row.line);
            let text_left = area.left + self.gutter_columns().min(area.width);
            let room = area.right().saturating_sub(text_left);
            canvas.line((text_left, y), room, &drawable(&row.text, &symbols));
            if row.is_first {
                self.draw_gutter(canvas, area, y, &row, digits, is_next);
            }
            if is_next {
                let line = Area {
                    left: area.left,
                    top: y,
                    width: area.width,
                    height: 1,
                };
                canvas.ground(line, Ground::Now);
            }
        }
        if self.text.line_count() == 0 {
            canvas.text(
                (area.left + 1, area.top),
                area.width.saturating_sub(1),
                "no program yet",
                Look::DIM,
            );
        }
    }

    fn draw_gutter(
        &self,
        canvas: &mut Canvas,
        area: Area,
        y: usize,
        row: &Row,
        digits: usize,
        is_next: bool,
    ) {
        let symbols = canvas.symbols;
        let mut room = area.width;
        let mut x = area.left;
        let mut put = |canvas: &mut Canvas, text: &str, look: Look| {
            let used = canvas.text((x, y), room, text, look);
            (x, room) = (x + used, room - used);
        };
        let (mark, look) = match () {
            _ if self.breakpoints.contains(&row.line) => {
                (symbols.breakpoint, Look::new(Ink::Error))
            }
            _ if self.disabled.contains(&row.line) => ('o', Look::DIM),
            _ => (' ', Look::PLAIN),
        };
        put(canvas, &mark.to_string(), look);
        let reason = self.reasons.get(&row.line);
        let number = format!("{:>digits$} ", row.line + 1);
        let is_selected = row.line == self.selected;
        let look = match (is_next || is_selected, reason) {
            (true, _) => Look::BOLD,
            (false, _) => Look::DIM,
        };
        put(canvas, " ", Look::PLAIN);
        put(canvas, &number, look);
        let (mark, look) = match (is_next, reason) {
            (true, _) => (symbols.now.to_string(), Look::new(Ink::Now).bold()),
            (false, Some(n)) => (n.to_string(), Look::new(Ink::Reason).bold()),
            (false, None) if is_selected => (symbols.selected.to_string(), Look::BOLD),
            (false, None) => (" ".to_string(), Look::PLAIN),
        };
        put(canvas, &mark, look);
    }
}

/// Marks columns of a text as the part that runs next.
fn with_part(text: &Text, columns: Range<usize>) -> Text {
    let mut at = 0;
    let mut parts: Vec<(Look, String)> = Vec::new();
    for (look, part) in &text.0 {
        for c in part.chars() {
            let look = match columns.contains(&at) {
                true => look.underlined(),
                false => *look,
            };
            at += 1;
            match parts.last_mut() {
                Some((last, text)) if *last == look => text.push(c),
                _ => parts.push((look, c.to_string())),
            }
        }
    }
    Text(parts)
}

/// The row under the part that runs next: it can be read without underlined text.
fn underline_of(text: &Text) -> Option<Text> {
    text.0.iter().any(|(look, _)| look.is_underlined).then(|| {
        let parts = text.0.iter().map(|(look, part)| {
            let width = crate::terminal::screen::canvas::text::columns(part);
            match look.is_underlined {
                true => "\u{203e}".repeat(width),
                false => " ".repeat(width),
            }
        });
        let line: String = parts.collect();
        Text::new(Look::new(Ink::Now).bold(), line.trim_end())
    })
}

fn without_part(text: Text) -> Text {
    let parts = text
        .0
        .into_iter()
        .map(|(look, part)| match look.is_underlined {
            true => (
                Look {
                    is_underlined: false,
                    is_bold: true,
                    ..look
                },
                part,
            ),
            false => (look, part),
        });
    Text(parts.collect())
}

/// Replaces the marks that rows were built with by those that may be drawn.
fn drawable(text: &Text, symbols: &Symbols) -> Text {
    if !symbols.is_ascii {
        return text.clone();
    }
    let replaced = |part: &String| {
        part.replace('\u{203e}', &symbols.underline.to_string())
            .replace('\u{2039}', &symbols.more_left.to_string())
    };
    Text(
        text.0
            .iter()
            .map(|(look, part)| (*look, replaced(part)))
            .collect(),
    )
}
