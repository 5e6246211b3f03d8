//! Variables with their old values, what has changed in the game, and the call stack.

use crate::answer::{Change, Display, StackEntry, Stop, Variable};
use crate::code::FunctionKind;
use crate::debugger::frame;
use crate::render::change_texts;
use crate::session::Session;
use crate::terminal::screen::canvas::look::{Ground, Ink, Look};
use crate::terminal::screen::canvas::symbols::Symbols;
use crate::terminal::screen::canvas::text::{Text, columns};
use crate::terminal::screen::canvas::{Area, Canvas};

/// Frames of the call stack that are listed; recursion can be deep.
const MAX_FRAMES: usize = 20;
/// Changes that are listed.
const MAX_CHANGES: usize = 8;
/// Names are aligned up to this width.
const MAX_NAME_COLUMNS: usize = 18;

/// A variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    pub name: String,
    pub value: String,
    /// The value before, if it has changed and is known.
    pub old: Option<String>,
    pub has_changed: bool,
}

/// What the panes of values and of calls show.
#[derive(Clone, Debug, Default)]
pub struct ValuesPane {
    /// The variables of the selected frame, then those of the game.
    pub values: Vec<Value>,
    /// What else has changed.
    pub changes: Vec<String>,
    /// Expressions that are always shown.
    pub displays: Vec<(String, Result<String, String>)>,
    pub calls: Vec<Call>,
    /// Frames that are not listed.
    pub omitted_calls: usize,
}

/// A frame of the call stack.
#[derive(Clone, Debug)]
pub struct Call {
    pub name: String,
    /// `line 36`, `you`, or how many frames it stands for.
    pub place: String,
    pub is_current: bool,
}

/// The values that were shown before the present ones, by name.
pub type OldValues = Vec<(String, String)>;

/// What the panes show now. `before` are the values at the stop before.
pub fn values_pane(session: &mut Session, stop: Option<&Stop>, before: &OldValues) -> ValuesPane {
    let globals = frame::global_variables(&session.target);
    let changes = stop.map_or(&[][..], |stop| &stop.changes);
    let value = |variable: &Variable| {
        let of_change = changes.iter().find_map(|change| match change {
            Change::Variable { name, old, .. } if *name == variable.name => old.clone(),
            _ => None,
        });
        let of_before = || {
            let old = before.iter().find(|(name, _)| *name == variable.name);
            old.map(|(_, value)| value.clone())
        };
        let old = of_change.or_else(of_before);
        let old = old.filter(|old| *old != variable.value);
        Value {
            name: variable.name.clone(),
            value: variable.value.clone(),
            has_changed: variable.changed || old.is_some(),
            old,
        }
    };
    let locals = stop.iter().flat_map(|stop| &stop.variables);
    let values: Vec<Value> = locals.chain(&globals).map(value).collect();
    let is_listed = |change: &&Change| match change {
        Change::Variable { name, .. } => values.iter().any(|value| value.name == *name),
        _ => false,
    };
    let other: Vec<Change> = changes.iter().filter(|c| !is_listed(c)).cloned().collect();
    let displays = stop.iter().flat_map(|stop| &stop.displays).map(display);
    let (calls, omitted_calls) = match stop {
        Some(_) => calls(session),
        None => (Vec::new(), 0),
    };
    ValuesPane {
        displays: displays.collect(),
        changes: change_texts(&other, MAX_CHANGES),
        values,
        calls,
        omitted_calls,
    }
}

fn display(display: &Display) -> (String, Result<String, String>) {
    let error = display.error.clone().unwrap_or_default();
    (
        display.expression.clone(),
        display.value.clone().ok_or(error),
    )
}

/// The values to compare with at the next stop.
pub fn current_values(session: &Session, stop: Option<&Stop>) -> OldValues {
    let locals = stop.iter().flat_map(|stop| stop.variables.clone());
    let all = locals.chain(frame::global_variables(&session.target));
    all.map(|v| (v.name, v.value)).collect()
}

fn calls(session: &mut Session) -> (Vec<Call>, usize) {
    let stack = frame::call_stack(&mut session.target, Some(MAX_FRAMES));
    let to_call = |entry: &StackEntry| match entry {
        StackEntry::Frame(frame) => {
            let line = frame
                .range
                .as_ref()
                .map(|range| format!("line {}", range.line));
            let cell = frame.cell.as_ref().map(|cell| format!(" at {cell}"));
            let is_typed = frame.kind == FunctionKind::Entry && !frame.statement.is_empty();
            Call {
                name: match is_typed {
                    true => crate::text::code_on_one_line(&frame.statement),
                    false => format!("{}{}", frame.function, cell.unwrap_or_default()),
                },
                place: match is_typed {
                    true => "you".to_string(),
                    false => line.unwrap_or_default(),
                },
                is_current: frame.is_current,
            }
        }
        StackEntry::Repeated { frames } => Call {
            name: format!("{} more like this", frames.len()),
            place: String::new(),
            is_current: false,
        },
    };
    let calls = stack.entries.iter().map(to_call).collect();
    (calls, stack.depth.saturating_sub(MAX_FRAMES))
}

impl ValuesPane {
    fn value_rows(&self, symbols: &Symbols) -> Vec<Text> {
        let names = self.values.iter().map(|value| columns(&value.name));
        let width = names.max().unwrap_or(0).min(MAX_NAME_COLUMNS);
        let changed = Look::new(Ink::Changed).bold();
        let mut rows: Vec<Text> = Vec::new();
        for value in &self.values {
            let gap = width.saturating_sub(columns(&value.name)) + 2;
            let row = Text::new(Look::PLAIN, format!("{}{}", value.name, " ".repeat(gap)));
            rows.push(match value.has_changed {
                false => row.with(Look::PLAIN, value.value.as_str()),
                true => {
                    let old = value.old.iter();
                    let old: String = old
                        .map(|old| format!("{old} {} ", symbols.becomes))
                        .collect();
                    row.with(Look::DIM, old)
                        .with(changed, format!("{} {}", value.value, symbols.changed))
                }
            });
        }
        for (expression, value) in &self.displays {
            let row = Text::new(Look::new(Ink::Builtin), expression.as_str());
            rows.push(match value {
                Ok(value) => row.with(Look::PLAIN, format!(" = {value}")),
                Err(error) => row.with(Look::new(Ink::Error), format!("  {error}")),
            });
        }
        let changes = self.changes.iter();
        rows.extend(changes.map(|text| Text::new(changed, format!("{} {text}", symbols.changed))));
        rows
    }

    fn call_rows(&self, symbols: &Symbols) -> Vec<Text> {
        let names = self.calls.iter().map(|call| columns(&call.name));
        let width = names.max().unwrap_or(0).min(2 * MAX_NAME_COLUMNS);
        let mut rows: Vec<Text> = self
            .calls
            .iter()
            .map(|call| {
                let gap = width.saturating_sub(columns(&call.name)) + 2;
                let (mark, look) = match call.is_current {
                    true => (symbols.now, Look::BOLD),
                    false => (' ', Look::PLAIN),
                };
                Text::new(Look::new(Ink::Now).bold(), format!("{mark} "))
                    .with(look, call.name.as_str())
                    .with(Look::DIM, format!("{}{}", " ".repeat(gap), call.place))
            })
            .collect();
        if self.omitted_calls > 0 {
            let text = format!("  {} {} more", symbols.cut, self.omitted_calls);
            rows.push(Text::new(Look::DIM, text));
        }
        rows
    }

    /// Rows that show all values.
    pub fn wanted_value_rows(&self) -> usize {
        (self.values.len() + self.displays.len() + self.changes.len()).max(1)
    }

    /// Rows that show all calls.
    pub fn wanted_call_rows(&self) -> usize {
        self.calls.len() + usize::from(self.omitted_calls > 0)
    }

    /// Columns that show all calls whole; none without calls.
    pub fn wanted_call_columns(&self) -> usize {
        let rows = self.call_rows(&Symbols::new(true));
        rows.iter().map(Text::width).max().unwrap_or(0)
    }

    /// Draws the values.
    pub fn draw_values(&self, canvas: &mut Canvas, area: Area) {
        let rows = self.value_rows(&canvas.symbols);
        if rows.is_empty() {
            canvas.text((area.left, area.top), area.width, "no variables", Look::DIM);
        }
        draw_rows(canvas, area, &rows);
    }

    /// Draws the call stack.
    pub fn draw_calls(&self, canvas: &mut Canvas, area: Area) {
        let rows = self.call_rows(&canvas.symbols);
        draw_rows(canvas, area, &rows);
    }
}

/// Draws rows; those that do not fit are counted.
fn draw_rows(canvas: &mut Canvas, area: Area, rows: &[Text]) {
    let shown = match rows.len() > area.height {
        true => area.height.saturating_sub(1),
        false => rows.len(),
    };
    for (n, row) in rows[..shown].iter().enumerate() {
        let y = area.top + n;
        canvas.line((area.left, y), area.width, row);
        if row.0.iter().any(|(look, _)| look.ink == Ink::Changed) {
            let row = Area {
                top: y,
                height: 1,
                ..area
            };
            canvas.ground(row, Ground::Changed);
        }
    }
    if shown < rows.len() {
        let text = format!("{} {} more", canvas.symbols.cut, rows.len() - shown);
        canvas.text((area.left, area.top + shown), area.width, &text, Look::DIM);
    }
}
