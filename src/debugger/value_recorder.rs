//! How a statement or expression comes to its value: which part of the text had which value, in order.
//!
//! The notes beside the code say where to look; a watcher looks, and what it saw can be shown in frames, in
//! columns, or as a table of a loop's rounds. Nothing here knows a language.

use crate::code::{Function, FunctionId, Instr, ValueInfo, ValueLoc};
use crate::machine::{Machine, Observer};
use crate::source::Span;
use crate::value::Value;

/// A part of the text and the value that it had.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    pub span: Span,
    pub value: Value,
    /// As its language writes it, at that moment.
    pub text: String,
    /// The cell that it came from, if it is a piece or a field of one.
    pub cell: Option<(u32, u32)>,
    pub time: u64,
    /// Whether a part of it was left out because the rest had decided.
    pub is_short_circuited: bool,
    /// Whether it is the end of something that has statements inside, by whichever of them it came.
    pub is_block_result: bool,
}

impl Sample {
    /// Whether this only closes what a statement stands in: it has the value that the statement has just given.
    pub fn is_enclosing_result(&self, statement: Span) -> bool {
        self.is_block_result && self.span != statement && self.span.contains(statement)
    }
}

/// Collects what is seen in one frame.
pub struct ValueRecorder {
    /// How many frames are there when it is this one's turn.
    depth: usize,
    /// Pauses when a stop of this frame is reached other than where it began, or the frame is left.
    from: u64,
    previous: Option<(FunctionId, u32)>,
    pub samples: Vec<Sample>,
    /// How much of it was seen before the instruction at hand.
    pub samples_before: usize,
    /// Pause as soon as this many were seen.
    pub sample_limit: usize,
    /// How many notes before the instruction at hand were looked at, when it paused for having seen enough.
    pub sampled_here: usize,
    /// Go on through the frame's stops.
    pub ignores_stops: bool,
    /// A piece of which a field is about to be seen, and its cell.
    opened: Option<(Span, Option<u32>)>,
    /// When each stop of the frame was passed: the time, its place, and how much had been seen.
    pub stops_passed: Vec<(u64, u32, usize)>,
    /// The branch that was taken last.
    pub last_branch: Option<Span>,
}

impl ValueRecorder {
    pub fn new(machine: &Machine) -> ValueRecorder {
        ValueRecorder {
            depth: machine.frames().len(),
            from: machine.time(),
            previous: None,
            samples: Vec::new(),
            samples_before: 0,
            sample_limit: usize::MAX,
            sampled_here: 0,
            ignores_stops: false,
            opened: None,
            stops_passed: Vec::new(),
            last_branch: None,
        }
    }

    fn look(
        &mut self,
        machine: &Machine,
        function: &Function,
        note: &ValueInfo,
        jumped: Option<bool>,
    ) {
        let registers = machine.registers(self.depth - 1);
        let register = |r: u16| registers.get(r as usize).copied();
        let cell_at = |row: u16, col: u16| {
            let (row, col) = (register(row)?.as_int()?, register(col)?.as_int()?);
            machine.store.cell_at(row, col)
        };
        let value = match note.loc {
            ValueLoc::Register(r) => register(r),
            ValueLoc::Global(g) => machine.store.globals.get(g as usize).copied(),
            ValueLoc::Constant(value) => Some(value),
            ValueLoc::Cell(row, col) => cell_at(row, col).map(|at| machine.store.cell(at)),
            ValueLoc::CellName(row, col) => {
                cell_at(row, col).map(|at| name_of(machine, machine.store.cell(at)))
            }
            ValueLoc::Field(r, _) => register(r).map(|piece| name_of(machine, piece)),
            ValueLoc::JumpTest { if_taken } => jumped.map(|taken| Value::bool(taken == if_taken)),
            ValueLoc::Write(_)
            | ValueLoc::Equation
            | ValueLoc::Bind(_)
            | ValueLoc::Branch { .. } => None,
        };
        // A function that gives nothing has no value to be seen.
        let Some(value) = value.filter(|v| *v != Value::NOTHING) else {
            return;
        };
        let cell = match note.loc {
            ValueLoc::Cell(row, col) | ValueLoc::CellName(row, col) => cell_at(row, col),
            ValueLoc::Field(r, _) | ValueLoc::Register(r) => {
                register(r).and_then(|v| v.as_piece()).map(|p| p.cell)
            }
            _ => None,
        };
        if is_opened(function, note) {
            self.opened = Some((note.span, cell));
            return;
        }
        let opened = self
            .opened
            .take()
            .filter(|(span, _)| note.span.contains(*span));
        if !note.after && opened.is_none() && !self.was_evaluated(function, note.span) {
            return;
        }
        let cell = cell.or(opened.and_then(|(_, cell)| cell));
        let program = machine.program();
        let cut_short = self.is_cut_short(function, note.span);
        self.samples.push(Sample {
            span: note.span,
            value,
            text: (program.format_value)(program, &machine.store, value, true),
            cell: cell.map(|at| machine.store.row_col(at)),
            time: machine.time(),
            is_short_circuited: cut_short,
            is_block_result: !note.after,
        });
    }

    /// What was seen since the statement of a part was last begun.
    fn seen_in_statement(&self, function: &Function, span: Span) -> &[Sample] {
        let statement = function
            .stop_points
            .iter()
            .filter(|s| s.span.contains(span))
            .min_by_key(|s| s.span.end - s.span.start);
        let since = statement.map_or(0, |s| {
            self.stops_passed
                .iter()
                .rev()
                .find(|(_, pc, _)| *pc == s.pc)
                .map_or(0, |p| p.2)
        });
        self.samples.get(since..).unwrap_or_default()
    }

    /// Whether a part that ends here was begun: a jump over all of it may lead to the same place.
    fn was_evaluated(&self, function: &Function, span: Span) -> bool {
        let inner = |s: Span| span.contains(s) && s != span;
        // What a constant is given as is never seen by itself.
        let shows = |n: &&ValueInfo| {
            !matches!(
                n.loc,
                ValueLoc::Write(_)
                    | ValueLoc::Equation
                    | ValueLoc::Bind(_)
                    | ValueLoc::Branch { .. }
            )
        };
        let mut parts = function
            .value_infos
            .iter()
            .filter(shows)
            .filter(|n| inner(n.span))
            .peekable();
        parts.peek().is_none()
            || self
                .seen_in_statement(function, span)
                .iter()
                .any(|s| inner(s.span))
    }

    /// Whether something inside the part could have been seen and was not, behind the last that was.
    fn is_cut_short(&self, function: &Function, span: Span) -> bool {
        let inner = |s: Span| span.contains(s) && s != span;
        let here = self.seen_in_statement(function, span);
        let Some(last) = here
            .iter()
            .filter(|s| inner(s.span))
            .map(|s| s.span.end)
            .max()
        else {
            return false;
        };
        function.value_infos.iter().any(|n| {
            inner(n.span) && n.span.start >= last && !here.iter().any(|s| s.span == n.span)
        })
    }
}

/// Whether a part is only there for a field of it: `p` in `p.name`. The field is what is to be seen.
fn is_opened(function: &Function, note: &ValueInfo) -> bool {
    function
        .value_infos
        .iter()
        .filter(|n| n.span.start == note.span.start && n.span.end > note.span.end)
        .any(|n| {
            let instr = function.code.get(n.pc as usize);
            matches!(n.loc, ValueLoc::Field(..) | ValueLoc::CellName(..))
                || n.after && matches!(instr, Some(Instr::PieceField { .. }))
        })
}

fn name_of(machine: &Machine, piece: Value) -> Value {
    let kind = piece
        .as_piece()
        .and_then(|p| machine.program().piece_kind(p.kind).map(|k| k.name));
    Value::interned(kind.unwrap_or_else(|| crate::value::InternedStr::new("")))
}

impl Observer for ValueRecorder {
    fn should_pause(&mut self, machine: &Machine) -> bool {
        let depth = machine.frames().len();
        if depth > self.depth {
            return false;
        }
        let Some((id, pc)) = machine.current_location() else {
            return true;
        };
        if depth < self.depth {
            return true;
        }
        let Some(function) = machine.function(id).cloned() else {
            return true;
        };
        if let Some((previous, old)) = self.previous
            && previous == id
        {
            let jumped = function
                .code
                .get(old as usize)
                .and_then(|i| i.target())
                .map(|to| to == pc && to != old + 1);
            for note in function
                .value_infos
                .iter()
                .filter(|n| n.after && n.pc == old)
            {
                self.look(machine, &function, note, jumped);
            }
        }
        self.previous = None;
        self.samples_before = self.samples.len();
        if self.samples.len() >= self.sample_limit {
            return true;
        }
        let moved = machine.time() > self.from;
        let branch =
            |n: &&ValueInfo| n.pc == pc && moved && matches!(n.loc, ValueLoc::Branch { .. });
        self.last_branch = function
            .value_infos
            .iter()
            .find(branch)
            .map(|n| n.span)
            .or(self.last_branch);
        let looked = std::mem::take(&mut self.sampled_here);
        if function.stop_point_at(pc).is_some() && looked == 0 {
            if moved && !self.ignores_stops {
                return true;
            }
            self.stops_passed
                .push((machine.time(), pc, self.samples.len()));
        }
        for (n, note) in function
            .value_infos
            .iter()
            .filter(|n| !n.after && n.pc == pc)
            .enumerate()
            .skip(looked)
        {
            self.look(machine, &function, note, None);
            if self.samples.len() >= self.sample_limit {
                self.sampled_here = n + 1;
                return true;
            }
        }
        self.previous = Some((id, pc));
        false
    }
}

/// An evaluation in frames: the text with what is known put in, and a mark under what comes next. The frames begin with
/// that of the part `from`; one with all values put in closes them if it is `done`, and what it changed stands beside it.
pub fn render_steps(
    showing: &EvalView,
    seen: &[Sample],
    from: usize,
    done: Option<&str>,
) -> Vec<String> {
    let EvalView {
        text,
        origin,
        statement: inner,
        width,
    } = *showing;
    let mut lines = Vec::new();
    let mut known: Vec<&Sample> = Vec::new();
    let mut number = 0;
    for (n, seeing) in seen.iter().enumerate() {
        if !origin.contains(seeing.span) {
            continue;
        }
        let closes = seeing.is_enclosing_result(inner);
        number += usize::from(!closes);
        if n >= from && !closes {
            let (now, start, end) = substitute(text, origin, &known, seeing.span);
            let what: String = now.chars().skip(start).take(end - start).collect();
            let (now, start, end) = clip_line(&now, start, end, width.saturating_sub(NUMBER));
            lines.push(format!("{number:>3}  {now}"));
            let mark = format!(
                "     {}{}",
                " ".repeat(start),
                "^".repeat((end - start).max(1))
            );
            let what = truncate_text(&what, MAX_LABEL_CHARS);
            let value = truncate_text(&seeing.text, MAX_LABEL_CHARS);
            let note = match seeing.is_short_circuited {
                true => short_circuit_note(text, origin, seen, &known, seeing),
                false => format!("{what} is {value}"),
            };
            let place = seeing
                .cell
                .map_or_else(String::new, |(r, c)| format!("   (piece at [{r}][{c}])"));
            // What is marked need not be said again where there is no room for it.
            let said = [format!("{note}{place}"), note, format!("is {value}")];
            let fits = said
                .iter()
                .map(|s| beside(&mark, s))
                .find(|line| line.chars().count() <= width);
            match fits {
                Some(line) => lines.push(line),
                None => lines.extend([mark, format!("     is {value}")]),
            }
        }
        known.retain(|k| !seeing.span.contains(k.span));
        known.push(seeing);
    }
    if let Some(changed) = done {
        let (now, start, end) = substitute(text, origin, &known, origin);
        let (now, _, _) = clip_line(&now, start, end, width.saturating_sub(NUMBER));
        let line = format!("{:>3}  {now}", number + 1);
        let together = beside(&line, changed);
        match together.chars().count() <= width {
            true => lines.push(together),
            false => lines.extend([line, format!("     {changed}")]),
        }
    }
    lines
}

/// What a showing is of, and how wide it may be.
pub struct EvalView<'t> {
    pub text: &'t str,
    /// Where the text stands.
    pub origin: Span,
    /// The statement that was at hand, which may be only a part of it.
    pub statement: Span,
    pub width: usize,
}

/// Columns before the text of a frame.
const NUMBER: usize = 5;

/// As much of a line as fits, with what is marked in it: from its start, if there is room.
pub fn clip_line(line: &str, start: usize, end: usize, width: usize) -> (String, usize, usize) {
    let length = line.chars().count();
    if length <= width || width < 8 {
        return (line.to_string(), start, end);
    }
    let first = if end < width {
        0
    } else {
        start.min(length - width)
    };
    let mut shown: Vec<char> = line.chars().skip(first).take(width).collect();
    if first > 0 {
        shown[0] = '…';
    }
    if first + width < length {
        shown[width - 1] = '…';
    }
    (
        shown.into_iter().collect(),
        start - first,
        (end - first).min(width),
    )
}

/// A note beside a line, in a column of its own if there is room.
fn beside(line: &str, note: &str) -> String {
    if note.is_empty() {
        return line.to_string();
    }
    let gap = NOTES.saturating_sub(line.chars().count()).max(2);
    format!("{line}{}{note}", " ".repeat(gap))
}

/// The column in which notes begin.
const NOTES: usize = 34;

/// `false AND .. is false: right side not evaluated`.
pub(super) fn short_circuit_note(
    text: &str,
    origin: Span,
    seen: &[Sample],
    known: &[&Sample],
    seeing: &Sample,
) -> String {
    let at = operator_offset(text, origin, seen, seeing.span);
    let rest = text.get((at - origin.start) as usize..).unwrap_or("");
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let named = rest.starts_with(word);
    let length: usize = rest
        .chars()
        .take_while(|c| !c.is_whitespace() && word(*c) == named && !"({[\"".contains(*c))
        .map(char::len_utf8)
        .sum();
    if at == seeing.span.start || length == 0 {
        let (what, _, _) = substitute(
            slice(text, origin, seeing.span),
            seeing.span,
            known,
            seeing.span,
        );
        return format!("{what} is {}: the rest is not evaluated", seeing.text);
    }
    let left = Span {
        end: at + length as u32,
        ..seeing.span
    };
    let (what, _, _) = substitute(slice(text, origin, left), left, known, left);
    format!("{what} .. is {}: right side not evaluated", seeing.text)
}

/// A part of the text that `origin` is.
fn slice(text: &str, origin: Span, part: Span) -> &str {
    text.get((part.start - origin.start) as usize..(part.end - origin.start) as usize)
        .unwrap_or("")
}

/// A value in the midst of an expression takes no more than this: boards and lists are long.
const MOST_VALUE: usize = 20;
pub(super) const MAX_LABEL_CHARS: usize = 40;

pub(super) fn truncate_text(text: &str, most: usize) -> String {
    match text.chars().count() <= most {
        true => text.to_string(),
        false => text.chars().take(most - 1).chain(['…']).collect(),
    }
}

/// The text on one line, with values in the place of what is known; and where `mark` begins and ends in it.
pub(crate) fn substitute(
    text: &str,
    origin: Span,
    known: &[&Sample],
    mark: Span,
) -> (String, usize, usize) {
    let mut out = String::new();
    let mut width = 0;
    let (mut start, mut end) = (None, 0);
    let mut at = origin.start;
    while at < origin.end {
        if at == mark.start && start.is_none() {
            start = Some(width);
        }
        let value = known
            .iter()
            .filter(|k| k.span.start == at && k.span.end > at)
            .max_by_key(|k| k.span.end);
        let (piece, next) = match value {
            Some(k) => (truncate_text(&k.text, MOST_VALUE), k.span.end),
            None => {
                let rest = &text[(at - origin.start) as usize..];
                let Some(c) = rest.chars().next() else { break };
                let blank = c.is_whitespace();
                let piece = if blank && out.ends_with(' ') {
                    String::new()
                } else if blank {
                    " ".into()
                } else {
                    c.to_string()
                };
                (piece, at + c.len_utf8() as u32)
            }
        };
        width += piece.chars().count();
        out.push_str(&piece);
        at = next;
        if at <= mark.end {
            end = width;
        }
    }
    (out, start.unwrap_or(0), end.max(start.unwrap_or(0)))
}

/// Where the operator of a compound stands: behind its first part that has a value, or before it if a constant comes
/// first. Where there is none, as in a call, the part begins.
pub(super) fn operator_offset(text: &str, origin: Span, seen: &[Sample], span: Span) -> u32 {
    let inner = seen
        .iter()
        .map(|s| s.span)
        .filter(|s| *s != span && span.contains(*s));
    let Some(first) = inner.clone().min_by_key(|s| (s.start, u32::MAX - s.end)) else {
        return span.start;
    };
    let slice = |from: u32, to: u32| {
        text.get((from - origin.start) as usize..(to - origin.start) as usize)
            .unwrap_or("")
    };
    let before = slice(span.start, first.start)
        .trim_start_matches(['(', ' ', '\n', '\t'])
        .trim_end();
    if let Some(last) = before.chars().next_back() {
        let at = span.start + slice(span.start, first.start).trim_end().len() as u32
            - last.len_utf8() as u32;
        return if last.is_alphanumeric() || "{([.".contains(last) {
            span.start
        } else {
            at
        };
    }
    let after = slice(first.end, span.end);
    let skipped = after.len() - after.trim_start_matches([' ', ')', '\n', '\t']).len();
    // Of a field, the name.
    let dot = u32::from(after[skipped..].starts_with('.'));
    if skipped == after.len() {
        span.start
    } else {
        first.end + skipped as u32 + dot
    }
}
