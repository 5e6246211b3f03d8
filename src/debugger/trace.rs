//! What a run does, told as it goes: calls, and what happens in the game, each as far in as it lies.
//!
//! What an instruction is about to do is told before it is done, as long as one sees what was there before; what
//! chance gives and what is printed, behind it.

use crate::code::{Function, FunctionId, FunctionKind, Instr, StopKind};
use crate::machine::{Channel, LogPosition, Machine};
use crate::value::{InternedStr, Piece, Unpacked, Value};

/// Of what one command does, so much is told.
const MOST_LINES: usize = 500;

/// However deep it goes, no line begins further to the right.
const DEEPEST: usize = 30;

/// The events of a run, and how much of it has been told.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Told and not yet fetched, each with its depth.
    lines: Vec<(usize, String)>,
    /// How many were told since it was begun, and how many more there were.
    told: usize,
    more: usize,
    depth: usize,
    written: LogPosition,
    /// The last time that was looked at: stopping there and going on tells nothing again.
    seen: Option<u64>,
}

impl Trace {
    /// A command begins, wherever in time.
    pub fn begin(&mut self, machine: &Machine) {
        (self.told, self.more) = (0, 0);
        if self.seen != Some(machine.time()) {
            // A frame that has begun already was told then.
            let begun = machine.current_location().is_some_and(|(_, pc)| pc > 0);
            self.depth = machine.frames().len().saturating_sub(usize::from(!begun));
            self.written = machine.log_position();
            self.seen = None;
        }
    }

    /// What was told since this was last asked.
    pub fn take_lines(&mut self) -> Vec<(usize, String)> {
        std::mem::take(&mut self.lines)
    }

    /// How many more there were than are told, since this was last asked.
    pub fn take_omitted_count(&mut self) -> usize {
        std::mem::take(&mut self.more)
    }

    /// Before every instruction.
    pub fn observe(&mut self, machine: &Machine) {
        let frames = machine.frames();
        if self.seen == Some(machine.time()) && frames.len() == self.depth {
            return;
        }
        self.seen = Some(machine.time());
        if self.written != machine.log_position() {
            self.tell_written(machine);
        }
        let Some(top) = frames.last() else { return };
        let Some(function) = machine.function(top.function) else {
            return;
        };
        if frames.len() > self.depth && told_name(function).is_some() {
            self.tell(machine, 1, || call_words(machine, function));
        }
        self.depth = frames.len();
        if happens(function, top.pc) {
            self.tell_event(machine, function, top.pc);
        }
    }

    /// A click came to a piece that had already handled one in this action.
    pub fn on_click_skipped(&mut self, machine: &Machine, cell: u32) {
        self.tell(machine, 0, || {
            let name = machine
                .store
                .piece(cell)
                .map_or("the piece", |p| kind_name(machine, p));
            format!(
                "click {} skipped: {name} already handled one in this action",
                place(machine, cell)
            )
        });
    }

    /// What was drawn and printed by the instruction before.
    fn tell_written(&mut self, machine: &Machine) {
        let (from, to) = (self.written, machine.log_position());
        let log = machine.log();
        for draw in log
            .draws
            .get(from.draws as usize..to.draws as usize)
            .unwrap_or_default()
        {
            let chosen = if draw.is_scripted { ", chosen" } else { "" };
            let (low, high, value) = draw.to_display_parts();
            self.tell(machine, 0, || {
                format!("rand {low} to {high}: {value}{chosen}")
            });
        }
        for output in log
            .outputs
            .get(from.outputs as usize..to.outputs as usize)
            .unwrap_or_default()
        {
            match output.channel {
                Channel::Print => self.tell(machine, 0, || format!("print {:?}", output.text)),
                Channel::Display => self.tell(machine, 0, || format!("display {:?}", output.text)),
                // They are told without a trace too.
                Channel::Warning | Channel::Info => {}
            }
        }
        self.written = to;
    }

    fn tell_event(&mut self, machine: &Machine, function: &Function, pc: u32) {
        let turn = function
            .stop_point_at(pc)
            .is_some_and(|s| s.kind == StopKind::Turn)
            && told_name(function).is_none();
        if turn {
            self.tell(machine, 0, || "endTurn".into());
        }
        let words = function
            .code
            .get(pc as usize)
            .and_then(|instr| event_words(machine, *instr));
        if let Some(words) = words {
            self.tell(machine, 0, || words);
        }
    }

    /// Tells something that happens in the frame at hand, or of the frame itself.
    fn tell(&mut self, machine: &Machine, less: usize, words: impl FnOnce() -> String) {
        if self.told >= MOST_LINES {
            self.more += 1;
            return;
        }
        self.told += 1;
        let has_name =
            |id: FunctionId| machine.function(id).is_some_and(|f| told_name(f).is_some());
        let depth = machine
            .frames()
            .iter()
            .filter(|f| has_name(f.function))
            .count();
        self.lines
            .push((depth.saturating_sub(less).min(DEEPEST), words()));
    }
}

/// What the trace calls a function: the rules of play are told of where they have a name for people.
fn told_name(function: &Function) -> Option<InternedStr> {
    if function.kind == FunctionKind::Rules {
        function.alias
    } else {
        Some(function.name)
    }
}

/// `zero.onClick at [4][2]`, `mine free`
fn call_words(machine: &Machine, function: &Function) -> String {
    let depth = machine.frames().len() - 1;
    let cell = match machine.frames()[depth].self_piece.unpack() {
        Unpacked::PieceRef(cell, _) if function.kind == FunctionKind::Handler => {
            format!(" at {}", place(machine, cell))
        }
        _ => String::new(),
    };
    let registers = machine
        .registers(depth)
        .iter()
        .take(function.parameter_count as usize);
    let values: Vec<String> = registers.map(|v| written(machine, *v)).collect();
    let values = if values.is_empty() {
        String::new()
    } else {
        format!(" {}", values.join(", "))
    };
    format!(
        "{}{cell}{values}",
        told_name(function).map_or("", |n| n.as_str())
    )
}

/// Whether something may happen at an instruction.
fn happens(function: &Function, pc: u32) -> bool {
    use Instr::*;
    let event = |i: &Instr| {
        matches!(
            i,
            Place { .. }
                | PlaceKind { .. }
                | GridWithCell { .. }
                | Remove { .. }
                | ChangeType { .. }
                | ChangeSelfType { .. }
        ) || matches!(
            i,
            SetVisible { .. } | SetSelfVisible { .. } | SendClick { .. } | EndGame { .. }
        )
    };
    function.code.get(pc as usize).is_some_and(event)
        || function
            .stop_point_at(pc)
            .is_some_and(|s| s.kind == StopKind::Turn)
}

/// What an instruction is about to do to the game; nothing where it will fail, which is told by itself.
fn event_words(machine: &Machine, instr: Instr) -> Option<String> {
    let registers = machine.registers(machine.frames().len() - 1);
    let value = |r: u16| registers.get(r as usize).copied().unwrap_or(Value::NOTHING);
    let cell = |row: u16, col: u16| {
        machine
            .store
            .cell_at(value(row).as_int()?, value(col).as_int()?)
    };
    let text = |r: u16| machine.store.heap.as_str(value(r));
    Some(match instr {
        Instr::Place { name, row, col, .. } => placed(machine, text(name)?, cell(row, col)?),
        Instr::PlaceKind { kind, row, col, .. } => placed(
            machine,
            machine.program().piece_kind(kind)?.name.as_str(),
            cell(row, col)?,
        ),
        Instr::GridWithCell {
            grid,
            row,
            col,
            value: new,
            from,
            ..
        } => {
            let (r, c) = (
                machine.store.heap.as_int(value(row))?,
                machine.store.heap.as_int(value(col))?,
            );
            let old = machine.try_grid_cell(value(grid), value(row), value(col), from)?;
            let there = machine.program().board_info.format_cell(r, c);
            format!(
                "place {} at {there}, replacing {}",
                written(machine, value(new)),
                written(machine, old)
            )
        }
        Instr::Remove { row, col } => {
            let at = cell(row, col)?;
            match machine.store.piece(at) {
                Some(old) => format!(
                    "remove {} at {}",
                    kind_name(machine, old),
                    place(machine, at)
                ),
                None => format!("remove at {}: no piece", place(machine, at)),
            }
        }
        Instr::ChangeType { piece, name } => {
            let old = machine.store.piece(value(piece).as_piece()?.cell)?;
            format!(
                "changeType {}: {} => {}",
                place(machine, old.cell),
                kind_name(machine, old),
                text(name)?
            )
        }
        Instr::ChangeSelfType { name } => {
            let old = my_piece(machine)?;
            format!(
                "changeType {}: {} => {}",
                place(machine, old.cell),
                kind_name(machine, old),
                text(name)?
            )
        }
        Instr::SetVisible { piece, value: new } => {
            let old = machine.store.piece(value(piece).as_piece()?.cell)?;
            format!(
                "visible {}: {} => {}",
                place(machine, old.cell),
                old.visible,
                truth(value(new))?
            )
        }
        Instr::SetSelfVisible { value: new } => {
            let old = my_piece(machine)?;
            format!(
                "visible {}: {} => {}",
                place(machine, old.cell),
                old.visible,
                truth(value(new))?
            )
        }
        Instr::SendClick { row, col } => {
            let at = cell(row, col)?;
            match machine.store.piece(at) {
                None => format!("click {}: no piece", place(machine, at)),
                Some(piece) => {
                    let kind = machine.program().piece_kind(piece.kind)?;
                    let deaf = kind.handlers[crate::code::PieceEvent::Click as usize].is_none();
                    let handled =
                        machine.store.piece_meta(at).last_click_action == machine.store.action;
                    (deaf && !handled).then(|| {
                        format!("click {}: {} has no onClick", place(machine, at), kind.name)
                    })?
                }
            }
        }
        Instr::EndGame { how, winner } => {
            let how = ["", "win", "lose", "draw"]
                .get(value(how).as_int()? as usize)
                .unwrap_or(&"over");
            format!("{how} {}", text(winner).unwrap_or(""))
                .trim_end()
                .to_string()
        }
        _ => return None,
    })
}

fn placed(machine: &Machine, name: &str, at: u32) -> String {
    let old = machine
        .store
        .piece(at)
        .map(|p| format!(", replacing {}", kind_name(machine, p)));
    format!(
        "place {name} at {}{}",
        place(machine, at),
        old.unwrap_or_default()
    )
}

/// The piece whose handler runs, if it is still there.
fn my_piece(machine: &Machine) -> Option<Piece> {
    let Unpacked::PieceRef(cell, number) = machine.frames().last()?.self_piece.unpack() else {
        return None;
    };
    machine
        .store
        .piece(cell)
        .filter(|_| machine.store.piece_meta(cell).id == number)
}

/// true, false, 1 or 0.
fn truth(value: Value) -> Option<bool> {
    value.as_bool().or_else(|| {
        value
            .as_int()
            .filter(|n| (0..2).contains(n))
            .map(|n| n == 1)
    })
}

fn place(machine: &Machine, cell: u32) -> String {
    let (row, col) = machine.store.row_col(cell);
    machine
        .program()
        .board_info
        .format_cell(row.into(), col.into())
}

fn kind_name(machine: &Machine, piece: Piece) -> &str {
    machine
        .program()
        .piece_kind(piece.kind)
        .map_or("a piece", |k| k.name.as_str())
}

fn written(machine: &Machine, value: Value) -> String {
    let program = machine.program();
    (program.format_value)(program, &machine.store, value, true)
}
