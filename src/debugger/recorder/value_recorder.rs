//! Records the values of the expressions in a statement, in evaluation order.
//!
//! Lowering attaches `ValueInfo` to the code: which register or cell holds the value of which
//! source expression, and when. [`ValueRecorder`] reads those while the code runs. The samples can
//! be shown as steps, in columns, or as a loop table, in every language.

use super::{Frames, Interest, Moment, Results, Sink};
use crate::code::{Function, Instr, ValueInfo, ValueLoc};
use crate::machine::Machine;
use crate::source::Span;
use crate::value::Value;
use std::ops::ControlFlow;

/// The value of a source expression at one time.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    /// The expression.
    pub span: Span,
    /// Its operator, where the value is shown; `None` if that is the start of the expression.
    pub operator: Option<Span>,
    /// Its value. May refer to heap objects that have changed since: use `text` for display.
    pub value: Value,
    /// The value as its language writes it, at that time.
    pub text: String,
    /// The row and column it came from, if it is a piece or a field of one.
    pub cell: Option<(u32, u32)>,
    /// When it was evaluated.
    pub time: u64,
    /// Whether part of the expression was skipped by short-circuit evaluation.
    pub is_short_circuited: bool,
    /// Whether it is the result of an expression that contains statements.
    pub is_block_result: bool,
}

impl Sample {
    /// Whether this only repeats the value of `statement` for an expression around it.
    pub fn is_enclosing_result(&self, statement: Span) -> bool {
        self.is_block_result && self.span != statement && self.span.contains(statement)
    }
}

/// The receiver of a field access. It has no sample of its own; that of the field takes its place.
struct Receiver {
    span: Span,
    operator: Option<Span>,
    cell: Option<u32>,
}

/// Records the samples of one frame.
pub struct ValueRecorder {
    /// The stack depth at which the frame is on top.
    depth: usize,
    /// The start time. The recorder pauses at any later stop point of the frame, or when it
    /// returns.
    start_time: u64,
    /// The samples so far, in evaluation order.
    pub samples: Vec<Sample>,
    /// The number of samples taken before the current instruction.
    pub samples_before: usize,
    /// Pauses when there are this many samples.
    pub sample_limit: usize,
    /// How many samples of the current instruction were already taken when it paused at the limit.
    pub sampled_here: usize,
    /// Whether to keep running at stop points of the frame.
    pub ignores_stops: bool,
    /// The receiver of a field access that is about to be sampled.
    receiver: Option<Receiver>,
    /// Each stop point passed: the time, the pc, and the number of samples at that time.
    pub(crate) stops_passed: Vec<(u64, u32, usize)>,
    /// The source of the branch taken last.
    pub last_branch: Option<Span>,
}

impl ValueRecorder {
    /// Records the statement that runs next.
    pub fn new(machine: &Machine) -> ValueRecorder {
        ValueRecorder {
            depth: machine.frames().len(),
            start_time: machine.time(),
            samples: Vec::new(),
            samples_before: 0,
            sample_limit: usize::MAX,
            sampled_here: 0,
            ignores_stops: false,
            receiver: None,
            stops_passed: Vec::new(),
            last_branch: None,
        }
    }

    fn on_value_info(
        &mut self,
        machine: &Machine,
        function: &Function,
        info: &ValueInfo,
        jumped: Option<bool>,
    ) {
        let registers = machine.registers(self.depth - 1);
        let register = |r: u16| registers.get(r as usize).copied();
        let cell_at = |row: u16, col: u16| {
            let (row, col) = (register(row)?.as_int()?, register(col)?.as_int()?);
            machine.store.cell_at(row, col)
        };
        let value = match info.loc {
            ValueLoc::Register(r) => register(r),
            ValueLoc::Cell(row, col) => cell_at(row, col).map(|at| machine.store.cell(at)),
            ValueLoc::CellName(row, col) => {
                cell_at(row, col).map(|at| kind_name(machine, machine.store.cell(at)))
            }
            ValueLoc::Field(r, _) => register(r).map(|piece| kind_name(machine, piece)),
            ValueLoc::JumpTest { if_taken } => jumped.map(|taken| Value::bool(taken == if_taken)),
            ValueLoc::Write(_)
            | ValueLoc::Equation
            | ValueLoc::Bind(_)
            | ValueLoc::Branch { .. } => None,
        };
        // A function that returns nothing has no value to record.
        let Some(value) = value.filter(|v| *v != Value::NOTHING) else {
            return;
        };
        let cell = match info.loc {
            ValueLoc::Cell(row, col) | ValueLoc::CellName(row, col) => cell_at(row, col),
            ValueLoc::Field(r, _) | ValueLoc::Register(r) => {
                register(r).and_then(|v| v.as_piece()).map(|p| p.cell)
            }
            _ => None,
        };
        if is_receiver(function, info) {
            self.receiver = Some(Receiver {
                span: info.span,
                operator: info.operator(),
                cell,
            });
            return;
        }
        let receiver = self
            .receiver
            .take()
            .filter(|receiver| info.span.contains(receiver.span));
        if !info.after && receiver.is_none() && !self.was_evaluated(function, info.span) {
            return;
        }
        let (operator, receiver_cell) = match receiver {
            Some(receiver) => (receiver.operator, receiver.cell),
            None => (info.operator(), None),
        };
        let cell = cell.or(receiver_cell);
        let is_short_circuited = self.is_short_circuited(function, info.span);
        self.samples.push(Sample {
            span: info.span,
            operator,
            value,
            text: machine.format_value(value),
            cell: cell.map(|at| machine.store.row_col(at)),
            time: machine.time(),
            is_short_circuited,
            is_block_result: !info.after,
        });
    }

    /// The number of samples that are taken before the next instruction runs.
    pub fn operand_count(machine: &Machine) -> usize {
        let next = machine.current_location();
        let function = next.and_then(|(id, pc)| Some((machine.function(id)?, pc)));
        function.map_or(0, |(function, pc)| {
            let infos = function.value_infos_at(pc);
            infos.filter(|info| !info.after).count()
        })
    }

    /// The samples since the innermost statement around `span` last started.
    fn samples_in_statement(&self, function: &Function, span: Span) -> &[Sample] {
        let statement = function
            .stop_points
            .iter()
            .filter(|s| s.span.contains(span))
            .min_by_key(|s| s.span.end - s.span.start);
        let first_sample = statement.map_or(0, |s| {
            self.stops_passed
                .iter()
                .rev()
                .find(|(_, pc, _)| *pc == s.pc)
                .map_or(0, |p| p.2)
        });
        self.samples.get(first_sample..).unwrap_or_default()
    }

    /// Whether an expression that ends here was evaluated. A jump that skips all of it may lead
    /// here too.
    fn was_evaluated(&self, function: &Function, span: Span) -> bool {
        let is_inner = |s: Span| span.contains(s) && s != span;
        // Only these kinds of value info produce samples.
        let has_value = |info: &&ValueInfo| {
            !matches!(
                info.loc,
                ValueLoc::Write(_)
                    | ValueLoc::Equation
                    | ValueLoc::Bind(_)
                    | ValueLoc::Branch { .. }
            )
        };
        let mut operands = function
            .value_infos
            .iter()
            .filter(has_value)
            .filter(|info| is_inner(info.span))
            .peekable();
        operands.peek().is_none()
            || self
                .samples_in_statement(function, span)
                .iter()
                .any(|s| is_inner(s.span))
    }

    /// Whether a later operand inside the expression was skipped.
    fn is_short_circuited(&self, function: &Function, span: Span) -> bool {
        let is_inner = |s: Span| span.contains(s) && s != span;
        let samples = self.samples_in_statement(function, span);
        let Some(last_end) = samples
            .iter()
            .filter(|s| is_inner(s.span))
            .map(|s| s.span.end)
            .max()
        else {
            return false;
        };
        function.value_infos.iter().any(|info| {
            is_inner(info.span)
                && info.span.start >= last_end
                && !samples.iter().any(|s| s.span == info.span)
        })
    }
}

/// Whether an expression is only the receiver of a field access, as `p` in `p.name`. Then only the
/// field is recorded.
fn is_receiver(function: &Function, info: &ValueInfo) -> bool {
    function
        .value_infos
        .iter()
        .filter(|outer| outer.span.start == info.span.start && outer.span.end > info.span.end)
        .any(|outer| {
            let instr = function.code.get(outer.pc as usize);
            matches!(outer.loc, ValueLoc::Field(..) | ValueLoc::CellName(..))
                || outer.after && matches!(instr, Some(Instr::PieceField { .. }))
        })
}

fn kind_name(machine: &Machine, piece: Value) -> Value {
    let kind = piece
        .as_piece()
        .and_then(|p| machine.program().piece_kind(p.kind).map(|k| k.name));
    Value::interned(kind.unwrap_or_else(|| crate::value::InternedStr::new("")))
}

impl Sink for ValueRecorder {
    fn interest(&self) -> Interest {
        Interest {
            frames: Frames::Only(self.depth),
            until: u64::MAX,
            results: Results::WithCalls,
        }
    }

    fn on_instruction(&mut self, moment: &Moment<'_>) -> ControlFlow<()> {
        let Moment {
            machine,
            function,
            pc,
            ..
        } = *moment;
        for (info, jumped) in moment.results() {
            self.on_value_info(machine, function, info, jumped);
        }
        self.samples_before = self.samples.len();
        if self.samples.len() >= self.sample_limit {
            return ControlFlow::Break(());
        }
        let has_moved = machine.time() > self.start_time;
        let is_branch = |info: &&ValueInfo| {
            info.pc == pc && has_moved && matches!(info.loc, ValueLoc::Branch { .. })
        };
        self.last_branch = function
            .value_infos
            .iter()
            .find(is_branch)
            .map(|info| info.span)
            .or(self.last_branch);
        let already_sampled = std::mem::take(&mut self.sampled_here);
        if function.stop_point_at(pc).is_some() && already_sampled == 0 {
            if has_moved && !self.ignores_stops {
                return ControlFlow::Break(());
            }
            self.stops_passed
                .push((machine.time(), pc, self.samples.len()));
        }
        for (n, info) in moment.operands().enumerate().skip(already_sampled) {
            self.on_value_info(machine, function, info, None);
            if self.samples.len() >= self.sample_limit {
                self.sampled_here = n + 1;
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}
