//! The live trace (`:trace`): calls and game events, one indented line each, as they happen.
//!
//! What an instruction does to the game is reported before it runs, while the old state is still
//! available; random draws and output are reported after.

use super::{Frames, Interest, Moment, Results, Sink};
use crate::code::{Function, FunctionId, FunctionKind, Instr, Status, StopKind};
use crate::machine::{Channel, LogPosition, Machine};
use crate::value::{InternedStr, Piece, Unpacked, Value};
use std::ops::ControlFlow;

/// The maximum number of trace lines for one command.
const MAX_LINES_PER_COMMAND: usize = 500;

/// Collects trace lines while the machine runs.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Lines not yet taken by `take_lines`, each with its depth.
    lines: Vec<(usize, String)>,
    /// The number of lines since the command started, and of those omitted.
    line_count: usize,
    omitted: usize,
    depth: usize,
    log_position: LogPosition,
    /// The last time observed. Resuming from it reports nothing twice.
    last_time: Option<u64>,
}

impl Trace {
    /// Starts a command, at any position in the history.
    pub fn begin(&mut self, machine: &Machine) {
        (self.line_count, self.omitted) = (0, 0);
        if self.last_time != Some(machine.time()) {
            // If the top frame is past its first instruction, its call was reported before.
            let has_started = machine.current_location().is_some_and(|(_, pc)| pc > 0);
            self.depth = machine
                .frames()
                .len()
                .saturating_sub(usize::from(!has_started));
            self.log_position = machine.log_position();
            self.last_time = None;
        }
    }

    /// Takes the lines collected since the last call.
    pub fn take_lines(&mut self) -> Vec<(usize, String)> {
        std::mem::take(&mut self.lines)
    }

    /// Takes the number of lines omitted since the last call.
    pub fn take_omitted_count(&mut self) -> usize {
        std::mem::take(&mut self.omitted)
    }

    /// Reports what the previous instruction drew at random and printed.
    fn report_effects(&mut self, machine: &Machine) {
        let (from, to) = (self.log_position, machine.log_position());
        let log = machine.log();
        for (_, draw) in log.draws.range(from.draws, to.draws) {
            let scripted = if draw.is_scripted { ", scripted" } else { "" };
            let (low, high, value) = draw.to_display_parts();
            self.push_line(machine, 0, || {
                format!("rand {low} to {high}: {value}{scripted}")
            });
        }
        for (_, output) in log.outputs.range(from.outputs, to.outputs) {
            match output.channel {
                Channel::Print => self.push_line(machine, 0, || format!("print {:?}", output.text)),
                Channel::Display => {
                    self.push_line(machine, 0, || format!("display {:?}", output.text))
                }
                // These are shown whether or not tracing is on.
                Channel::Warning | Channel::Info => {}
            }
        }
        self.log_position = to;
    }

    fn report_event(&mut self, machine: &Machine, function: &Function, pc: u32) {
        let ends_turn = function
            .stop_point_at(pc)
            .is_some_and(|s| s.kind == StopKind::Turn)
            && trace_name(function).is_none();
        if ends_turn {
            self.push_line(machine, 0, || "endTurn".into());
        }
        let description = function
            .code
            .get(pc as usize)
            .and_then(|instr| describe_event(machine, *instr));
        if let Some(description) = description {
            self.push_line(machine, 0, || description);
        }
    }

    /// Adds a line at the depth of the current frame minus `outdent`.
    fn push_line(&mut self, machine: &Machine, outdent: usize, describe: impl FnOnce() -> String) {
        if self.line_count >= MAX_LINES_PER_COMMAND {
            self.omitted += 1;
            return;
        }
        self.line_count += 1;
        let has_name = |id: FunctionId| {
            machine
                .function(id)
                .is_some_and(|f| trace_name(f).is_some())
        };
        let depth = machine
            .frames()
            .iter()
            .filter(|f| has_name(f.function))
            .count();
        self.lines.push((depth.saturating_sub(outdent), describe()));
    }
}

impl Sink for Trace {
    fn interest(&self) -> Interest {
        Interest {
            frames: Frames::All,
            until: u64::MAX,
            results: Results::None,
        }
    }

    fn on_instruction(&mut self, moment: &Moment<'_>) -> ControlFlow<()> {
        let Moment {
            machine,
            function,
            pc,
            depth,
            ..
        } = *moment;
        if self.last_time == Some(machine.time()) && depth == self.depth {
            return ControlFlow::Continue(());
        }
        self.last_time = Some(machine.time());
        if self.log_position != machine.log_position() {
            self.report_effects(machine);
        }
        if depth > self.depth && trace_name(function).is_some() {
            self.push_line(machine, 1, || describe_call(machine, function));
        }
        self.depth = depth;
        if may_cause_event(function, pc) {
            self.report_event(machine, function, pc);
        }
        ControlFlow::Continue(())
    }

    fn on_click_skipped(&mut self, machine: &Machine, cell: u32) {
        self.push_line(machine, 0, || {
            let name = machine
                .store
                .piece(cell)
                .map_or("the piece", |p| kind_name(machine, p));
            format!(
                "click {} skipped: {name} already handled one in this action",
                format_cell(machine, cell)
            )
        });
    }
}

/// The name of a function in the trace. Functions of the rules only appear if they have an alias.
fn trace_name(function: &Function) -> Option<InternedStr> {
    if function.kind == FunctionKind::Rules {
        function.alias
    } else {
        Some(function.name)
    }
}

/// `zero.onClick at [4][2]`, `mine free`
fn describe_call(machine: &Machine, function: &Function) -> String {
    let depth = machine.frames().len() - 1;
    let cell = match machine.frames()[depth].self_piece.unpack() {
        Unpacked::PieceRef(cell, _) if function.kind == FunctionKind::Handler => {
            format!(" at {}", format_cell(machine, cell))
        }
        _ => String::new(),
    };
    let registers = machine
        .registers(depth)
        .iter()
        .take(function.parameter_count as usize);
    let values: Vec<String> = registers.map(|v| machine.format_value(*v)).collect();
    let values = if values.is_empty() {
        String::new()
    } else {
        format!(" {}", values.join(", "))
    };
    format!(
        "{}{cell}{values}",
        trace_name(function).map_or("", |n| n.as_str())
    )
}

/// Whether the instruction may cause a game event.
fn may_cause_event(function: &Function, pc: u32) -> bool {
    use Instr::*;
    let causes_event = |i: &Instr| {
        matches!(
            i,
            Place { .. }
                | PlaceKind { .. }
                | GridWithCell { .. }
                | Remove { .. }
                | ChangeType { .. }
                | ChangeSelfType { .. }
                | SetVisible { .. }
                | SetSelfVisible { .. }
                | SendClick { .. }
                | EndGame { .. }
        )
    };
    function.code.get(pc as usize).is_some_and(causes_event)
        || function
            .stop_point_at(pc)
            .is_some_and(|s| s.kind == StopKind::Turn)
}

/// Describes what an instruction is about to do to the game; `None` if it will fail, because the
/// error says so itself.
fn describe_event(machine: &Machine, instr: Instr) -> Option<String> {
    let registers = machine.registers(machine.frames().len() - 1);
    let value = |r: u16| registers.get(r as usize).copied().unwrap_or(Value::NOTHING);
    let cell = |row: u16, col: u16| {
        machine
            .store
            .cell_at(value(row).as_int()?, value(col).as_int()?)
    };
    let text = |r: u16| machine.store.heap.as_str(value(r));
    Some(match instr {
        Instr::Place { name, row, col, .. } => {
            describe_place(machine, text(name)?, cell(row, col)?)
        }
        Instr::PlaceKind { kind, row, col, .. } => describe_place(
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
            let cell_text = machine.program().board_info.format_cell(r, c);
            format!(
                "place {} at {cell_text}, replacing {}",
                machine.format_value(value(new)),
                machine.format_value(old)
            )
        }
        Instr::Remove { row, col } => {
            let cell_index = cell(row, col)?;
            match machine.store.piece(cell_index) {
                Some(old) => format!(
                    "remove {} at {}",
                    kind_name(machine, old),
                    format_cell(machine, cell_index)
                ),
                None => format!("remove at {}: no piece", format_cell(machine, cell_index)),
            }
        }
        Instr::ChangeType { piece, name } => {
            let old = machine.store.piece(value(piece).as_piece()?.cell)?;
            format!(
                "changeType {}: {} => {}",
                format_cell(machine, old.cell),
                kind_name(machine, old),
                text(name)?
            )
        }
        Instr::ChangeSelfType { name } => {
            let old = self_piece(machine)?;
            format!(
                "changeType {}: {} => {}",
                format_cell(machine, old.cell),
                kind_name(machine, old),
                text(name)?
            )
        }
        Instr::SetVisible { piece, value: new } => {
            let old = machine.store.piece(value(piece).as_piece()?.cell)?;
            format!(
                "visible {}: {} => {}",
                format_cell(machine, old.cell),
                old.visible,
                as_truth(value(new))?
            )
        }
        Instr::SetSelfVisible { value: new } => {
            let old = self_piece(machine)?;
            format!(
                "visible {}: {} => {}",
                format_cell(machine, old.cell),
                old.visible,
                as_truth(value(new))?
            )
        }
        Instr::SendClick { row, col } => {
            let cell_index = cell(row, col)?;
            match machine.store.piece(cell_index) {
                None => format!("click {}: no piece", format_cell(machine, cell_index)),
                Some(piece) => {
                    let kind = machine.program().piece_kind(piece.kind)?;
                    let has_no_handler =
                        kind.handlers[crate::code::PieceEvent::Click as usize].is_none();
                    let was_handled = machine.store.piece_meta(cell_index).last_click_action
                        == machine.store.action;
                    (has_no_handler && !was_handled).then(|| {
                        format!(
                            "click {}: {} has no onClick",
                            format_cell(machine, cell_index),
                            kind.name
                        )
                    })?
                }
            }
        }
        Instr::EndGame { how, winner } => {
            let status = value(how).as_int()?;
            let result = [
                (Status::Won, "win"),
                (Status::Lost, "lose"),
                (Status::Drawn, "draw"),
            ]
            .iter()
            .find(|(s, _)| *s as i64 == status)
            .map_or("over", |(_, word)| word);
            format!("{result} {}", text(winner).unwrap_or(""))
                .trim_end()
                .to_string()
        }
        _ => return None,
    })
}

fn describe_place(machine: &Machine, name: &str, at: u32) -> String {
    let old = machine
        .store
        .piece(at)
        .map(|p| format!(", replacing {}", kind_name(machine, p)));
    format!(
        "place {name} at {}{}",
        format_cell(machine, at),
        old.unwrap_or_default()
    )
}

/// The piece whose handler is running, if it is still on the board.
fn self_piece(machine: &Machine) -> Option<Piece> {
    let Unpacked::PieceRef(cell, id) = machine.frames().last()?.self_piece.unpack() else {
        return None;
    };
    machine
        .store
        .piece(cell)
        .filter(|_| machine.store.piece_meta(cell).id == id)
}

/// Reads a boolean, which may also be 1 or 0.
fn as_truth(value: Value) -> Option<bool> {
    value.as_bool().or_else(|| {
        value
            .as_int()
            .filter(|n| (0..2).contains(n))
            .map(|n| n == 1)
    })
}

fn format_cell(machine: &Machine, cell: u32) -> String {
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
