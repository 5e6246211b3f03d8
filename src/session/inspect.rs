//! Looking: frames, variables, the value of an expression, what a stop shows. Looking never changes the game.

use super::{Line, Reply, Session, Style};
use crate::code::{FunctionId, Instr, Local, Role};
use crate::debugger::Watched;
use crate::diagnostic::{Diagnostic, Phase};
use crate::language::FrameScope;
use crate::machine::{Outcome, Pause, Until};
use crate::source::{Origin, Source, SourceId, Span};
use crate::value::{Place, Value};
use std::rc::Rc;

/// A frame as a person sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameLook {
    /// Its number from the bottom.
    pub index: usize,
    pub function: FunctionId,
    pub pc: u32,
    pub title: String,
    pub role: Role,
    /// The statement that it is at.
    pub span: Span,
}

/// How many steps a look may take.
const PATIENCE: u64 = 200_000_000;

impl Session {
    /// A frame, counted from the top.
    pub fn look_at(&self, from_top: usize) -> Option<FrameLook> {
        let frames = self.machine.frames();
        let index = frames.len().checked_sub(from_top + 1)?;
        let frame = frames.get(index)?;
        let function = self.machine.function(frame.function)?;
        // A frame that waits for a call stands behind it.
        let pc = if from_top == 0 { frame.pc } else { frame.pc.saturating_sub(1) };
        let stop = function.stop_before(pc).or(function.stops.first());
        let title = function.name.to_string();
        let span = stop.map_or(function.span, |s| s.span);
        Some(FrameLook { index, function: frame.function, pc, title, role: function.role, span })
    }

    /// The frame to look from, counted from the top: the innermost of the person's own, unless the rules are stepped.
    pub(super) fn own_frame(&self) -> usize {
        if self.debugger.rules {
            return 0;
        }
        let own = (0..self.machine.frames().len()).find(|n| self.look_at(*n).is_some_and(|l| l.role != Role::Rules));
        own.unwrap_or(0)
    }

    /// The number from the bottom of the frame that is looked at.
    pub(super) fn frame_index(&self) -> usize {
        self.machine.frames().len().saturating_sub(self.debugger.frame + 1)
    }

    /// The named registers of a frame, inner ones last, each name once.
    pub fn locals(&self, from_top: usize) -> Vec<(Local, Value)> {
        let Some(look) = self.look_at(from_top) else { return Vec::new() };
        let Some(function) = self.machine.function(look.function) else { return Vec::new() };
        let registers = self.machine.registers(look.index);
        let mut locals: Vec<(Local, Value)> = Vec::new();
        for local in function.locals_at(look.pc) {
            let value = registers.get(local.register as usize).copied().unwrap_or(Value::NOTHING);
            locals.retain(|(l, _)| l.name != local.name);
            locals.push((*local, value));
        }
        locals
    }

    pub(super) fn frame_scope(&self) -> Option<FrameScope> {
        if !self.is_stopped() {
            return None;
        }
        let locals = self.locals(self.debugger.frame).into_iter().map(|(l, _)| l).collect();
        let in_handler = self.cell_of_handler(self.debugger.frame).is_some();
        let function = self.look_at(self.debugger.frame).map(|l| l.function);
        Some(FrameScope { locals, in_handler, function })
    }

    /// The value of an expression, in the frame that is looked at, given to `read`. It is computed on a copy.
    pub fn look<R>(&mut self, text: &str, read: impl FnOnce(&Session, Value) -> R) -> Result<R, Vec<Diagnostic>> {
        let source = Source::new(SourceId(u32::MAX - 1), Origin::Entry(0), text);
        let frame = self.frame_scope();
        let compiled = self.language.entry(&source, self.program(), frame.as_ref())?;
        let Some(function) = compiled.run else {
            return Err(vec![Diagnostic::error(Phase::Check, "RT024", source.whole(), "this has no value")]);
        };
        self.on_a_copy(|session| {
            session.machine.install(Rc::new(compiled.program));
            let index = session.frame_index();
            let locals: Rc<[u16]> = frame.map_or_else(Vec::new, |f| f.locals).iter().map(|l| l.register).collect();
            let started = match session.is_stopped() {
                true => session.machine.start_inside(function, index, locals),
                false => session.machine.start(function, &[]),
            };
            if let Err(fault) = started {
                return Err(vec![session.runtime_error(&fault)]);
            }
            let limit = session.machine.time() + PATIENCE;
            match session.machine.watched(&mut Until(limit)) {
                Outcome::Finished(Value::NOTHING) => {
                    Err(vec![Diagnostic::error(Phase::Runtime, "RT024", source.whole(), "this has no value")])
                }
                Outcome::Finished(value) => Ok(read(session, value)),
                Outcome::Failed(fault) => Err(vec![session.runtime_error(&fault)]),
                Outcome::NeedsInput { .. } => {
                    Err(vec![Diagnostic::error(Phase::Runtime, "RT021", source.whole(), "looking can't ask for input")])
                }
                Outcome::Paused(Pause::Interrupt) => {
                    Err(vec![Diagnostic::error(Phase::Runtime, "RT022", source.whole(), "stopped")])
                }
                Outcome::Paused(_) => {
                    Err(vec![Diagnostic::error(Phase::Runtime, "RT019", source.whole(), "this takes too long")])
                }
            }
        })
    }

    /// Does something on a copy of the game: afterwards all is as it was.
    pub fn on_a_copy<R>(&mut self, act: impl FnOnce(&mut Session) -> R) -> R {
        let before = self.machine.checkpoint();
        let lengths = self.machine.log_lengths();
        self.machine.record(false);
        let result = act(self);
        self.machine.restore(&before);
        self.machine.cut_log(lengths);
        self.machine.record(true);
        result
    }

    /// A value as its language writes it.
    pub fn write(&self, value: Value) -> String {
        (self.program().write)(self.program(), &self.machine.store, value, true)
    }

    /// What is watched, as text; `None` when it is not there now.
    pub(super) fn watched_text(&self, watched: &Watched) -> Option<String> {
        let store = &self.machine.store;
        let cell = |at: u32| {
            let piece = store.piece(at)?;
            let hidden = if piece.visible { "" } else { " (hidden)" };
            Some(format!("{}{hidden}", self.write(Value::piece(piece))))
        };
        let line = |cells: &mut dyn Iterator<Item = u32>| {
            cells.map(|at| cell(at).unwrap_or_else(|| "empty".into())).collect::<Vec<_>>().join(" ")
        };
        match watched {
            Watched::Variable(name) => {
                let global = self.program().global(name)?;
                store.globals.get(global as usize).filter(|v| **v != Value::NOTHING).map(|v| self.write(*v))
            }
            Watched::Local(title, name) => {
                let look = self.look_at(0).filter(|l| l.title == *title)?;
                let function = self.machine.function(look.function)?;
                let local = function.locals_at(look.pc).filter(|l| l.name.as_str() == name).last()?;
                self.machine.registers(look.index).get(local.register as usize).map(|v| self.write(*v))
            }
            Watched::Cell(r, c) => {
                store.cell_at(*r as i64, *c as i64).map(|at| cell(at).unwrap_or_else(|| "empty".into()))
            }
            Watched::Field(r, c, field) => {
                let piece = store.piece(store.cell_at(*r as i64, *c as i64)?);
                Some(match (field.as_str(), piece) {
                    ("visible", Some(p)) => p.visible.to_string(),
                    ("owner", Some(p)) => format!("\"{}\"", self.program().owner(p.owner)),
                    ("name", Some(p)) => format!("\"{}\"", self.write(Value::piece(p))),
                    (_, _) => "empty".into(),
                })
            }
            Watched::Row(n) if *n < store.rows => Some(line(&mut (n * store.cols..(n + 1) * store.cols))),
            Watched::Column(n) if *n < store.cols => Some(line(&mut (0..store.rows).map(|r| r * store.cols + n))),
            Watched::Board if store.rows > 0 => {
                // A large board is too much to write: its cells as numbers do.
                Some(format!("{:x}", fingerprint(store.cells.as_slice())))
            }
            _ => None,
        }
    }

    /// Whether the next instruction reads what is watched.
    pub(super) fn is_read(&self, watched: &Watched) -> bool {
        let Some((function, pc)) = self.machine.at() else { return false };
        let Some(instr) = self.machine.function(function).and_then(|f| f.code.get(pc as usize).copied()) else {
            return false;
        };
        let registers = self.machine.registers(self.machine.frames().len() - 1);
        let int = |r: u16| registers.get(r as usize).and_then(|v| v.as_int());
        let store = &self.machine.store;
        let cell = match instr {
            Instr::Global { .. } | Instr::GlobalOrFail { .. } => return matches!(watched, Watched::Variable(_)),
            Instr::Cell { row, col, .. } | Instr::UnlessCellNameIs { row, col, .. } => {
                int(row).zip(int(col)).and_then(|(r, c)| store.cell_at(r, c))
            }
            Instr::RowStart { row, .. } => int(row).and_then(|r| store.cell_at(r, 0)),
            Instr::ColumnStart { col, .. } => int(col).and_then(|c| store.cell_at(0, c)),
            Instr::PiecesStart { .. } => Some(0),
            Instr::RowNext { base, .. } | Instr::ColumnNext { base, .. } => {
                registers.get(base as usize).map(|v| (v.payload() >> 24) as u32)
            }
            _ => None,
        };
        let Some((row, col)) = cell.map(|at| store.row_col(at)) else { return false };
        match watched {
            Watched::Cell(r, c) | Watched::Field(r, c, _) => (*r, *c) == (row, col),
            Watched::Row(r) => *r == row,
            Watched::Column(c) => *c == col,
            Watched::Board => true,
            _ => false,
        }
    }

    /// What a stop shows: why, where, the lines around, what is to be seen, what has changed.
    pub(super) fn show_stop(&mut self, words: &str, reply: &mut Reply) {
        let from_top = self.debugger.frame;
        let Some(look) = self.look_at(from_top) else { return };
        let mut head = if words.is_empty() { String::new() } else { format!("{words}, ") };
        head.push_str(&look.title);
        if let Some((row, col)) = self.cell_of_handler(from_top) {
            head.push_str(&format!(" at [{row}][{col}]"));
        }
        let when = format!("   time {}   {}", self.machine.time(), self.action_words());
        reply.line(Line::styled(Style::Here, "* ").with(Style::Strong, head).with(Style::Dim, when));
        self.show_lines(look.span, 1, reply);
        let locals: Vec<String> = self
            .locals(from_top)
            .iter()
            .filter(|(_, v)| *v != Value::NOTHING)
            .map(|(l, v)| format!("{}={}", l.name, self.write(*v)))
            .collect();
        let changes = self.changes_since_stop();
        let mut line = Line::plain(format!("  {}", locals.join(" ")));
        if !changes.is_empty() {
            let gap = if locals.is_empty() { "" } else { "      " };
            line =
                line.with(Style::Dim, format!("{gap}since the last stop: ")).with(Style::Changed, changes.join(", "));
        }
        if !line.text().trim().is_empty() {
            reply.line(line);
        }
        for expression in self.debugger.displays.clone() {
            let line = self.display_line(&expression);
            reply.line(line);
        }
    }

    /// `count = 3`, for expressions shown at every stop.
    pub fn display_line(&mut self, expression: &str) -> Line {
        match self.look(expression, |session, value| session.write(value)) {
            Ok(text) => Line::styled(Style::Dim, format!("  {expression} = ")).with(Style::Plain, text),
            Err(d) => Line::styled(Style::Dim, format!("  {expression} = <{}>", super::debug::first_message(&d))),
        }
    }

    /// `action 7 click{4,2}   turn 3 "player"`.
    pub(super) fn action_words(&self) -> String {
        let view = self.view(crate::language::Window::NONE);
        // What was typed at the stop itself is not what is going on.
        let going_on =
            self.timeline.records().iter().rev().find(|r| !matches!(r.deed, crate::debugger::Deed::Inside { .. }));
        let entry = going_on.map_or("", |r| r.text.as_str());
        let entry: String = entry.lines().next().unwrap_or("").chars().take(30).collect();
        let turn = match (view.turn_count, view.turn) {
            (Some(n), Some(player)) => format!("   turn {n} \"{player}\""),
            (Some(n), None) => format!("   turn {n}"),
            _ => String::new(),
        };
        format!("action {} {entry}{turn}", self.machine.store.action)
    }

    /// Source lines around a place, with the one that runs next marked.
    pub fn show_lines(&self, span: Span, around: u32, reply: &mut Reply) {
        let Some(source) = self.sources.get(span.source) else { return };
        let (at, _) = source.line_column(span.start);
        let last = source.lines() as u32;
        for line in at.saturating_sub(around).max(1)..=(at + around).min(last) {
            let text = source.line(line).replace('\t', "    ");
            if line == at {
                reply.line(Line::styled(Style::Here, format!("  => {line:>3}  ")).with(Style::Strong, text));
            } else {
                reply.line(Line::styled(Style::Dim, format!("     {line:>3}  ")).with(Style::Plain, text));
            }
        }
    }

    /// What has changed in the game since the person last stood.
    fn changes_since_stop(&mut self) -> Vec<String> {
        let Some(before) = self.debugger.last_stop.clone() else { return Vec::new() };
        let (now, _) = self.machine.store.image();
        self.differences(&before, &now, 6)
    }

    /// What differs between two times of the game, in words, at most `most` of them.
    pub fn differences(
        &self,
        before: &crate::value::StoreImage,
        now: &crate::value::StoreImage,
        most: usize,
    ) -> Vec<String> {
        let mut words = Vec::new();
        let places = before.changed_places(now);
        let extra = places.len().saturating_sub(most);
        for place in places.into_iter().take(most) {
            match place {
                Place::Global(n) => {
                    let Some(global) = self.program().globals.get(n as usize) else { continue };
                    if global.name.as_str().starts_with('@') || global.name.as_str().is_empty() {
                        continue;
                    }
                    let text = |image: &crate::value::StoreImage| {
                        image.global(n).map_or("nothing".into(), |v| self.write_short(v))
                    };
                    words.push(format!("{} {} => {}", global.name, text(before), text(now)));
                }
                Place::Cell(at) => words.push(self.cell_difference(at, before, now)),
                Place::Message => words.push(format!("the message is \"{}\"", now.message().unwrap_or(""))),
                Place::Field(..) | Place::Local(..) => {}
            }
        }
        if extra > 0 {
            words.push(format!("and {extra} more"));
        }
        words
    }

    fn write_short(&self, value: Value) -> String {
        match value.as_heap() {
            Some(_) => "a list".into(),
            None if value == Value::NOTHING => "nothing".into(),
            None => self.write(value),
        }
    }

    fn cell_difference(&self, at: u32, before: &crate::value::StoreImage, now: &crate::value::StoreImage) -> String {
        let (row, col) = self.machine.store.row_col(at);
        let (old, new) = (before.cell(at), now.cell(at));
        match (old.as_piece(), new.as_piece()) {
            (Some(a), Some(b)) if a.kind == b.kind && a.visible != b.visible => {
                format!("[{row}][{col}].visible {} => {}", a.visible, b.visible)
            }
            _ => format!("[{row}][{col}] {} => {}", self.write(old), self.write(new)),
        }
    }
}

/// A number that differs when the cells differ.
fn fingerprint(cells: &[Value]) -> u64 {
    use std::hash::{Hash, Hasher};
    let mut hasher = std::hash::DefaultHasher::new();
    cells.hash(&mut hasher);
    hasher.finish()
}
