//! Value profile of a run: how often each source expression had which value, over all frames.

use super::{Frames, Interest, Moment, Results, Sample, Sink, ValueRecorder};
use crate::code::{FunctionId, FunctionKind, Instr, Reg};
use crate::machine::Machine;
use crate::source::Span;
use crate::value::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

/// One expression and the values it had.
#[derive(Clone, Debug)]
pub struct ExprProfile {
    /// The expression.
    pub span: Span,
    /// The function whose code evaluated it.
    pub function: FunctionId,
    /// How often it was evaluated.
    pub count: usize,
    /// How often it was true. Both counts are 0 for an expression that is not a condition.
    pub true_count: usize,
    /// How often it was false.
    pub false_count: usize,
    /// Each distinct value as text, with its count; at most `MAX_DISTINCT_VALUES`.
    pub values: Vec<(String, usize)>,
}

/// Profiles all user code in the current frame and the calls it makes.
pub struct ValueProfile {
    base_depth: usize,
    recorders: Vec<ValueRecorder>,
    /// The profiles by function and span.
    pub exprs: BTreeMap<(u32, Span), ExprProfile>,
    /// How often each stop point was passed, by function and pc.
    pub stop_counts: BTreeMap<(u32, u32), usize>,
    /// All samples in order, up to `MAX_SAMPLES`.
    pub samples: Vec<(FunctionId, Sample)>,
    /// The cells that were read, unless `reads_all_cells`.
    pub cells_read: BTreeSet<u32>,
    /// Whether an instruction looked at the whole board.
    pub reads_all_cells: bool,
    /// Cells whose piece was clicked again in the same action; the rules ignore such clicks.
    pub skipped_clicks: Vec<u32>,
    end_time: u64,
}

/// Samples beyond this limit are counted but not kept.
const MAX_SAMPLES: usize = 200_000;
/// Further distinct values of an expression are not listed.
const MAX_DISTINCT_VALUES: usize = 12;

impl ValueProfile {
    /// Profiles from now on, for at most `budget_instructions`.
    pub fn new(machine: &Machine, budget_instructions: u64) -> ValueProfile {
        ValueProfile {
            base_depth: machine.frames().len(),
            recorders: Vec::new(),
            exprs: BTreeMap::new(),
            stop_counts: BTreeMap::new(),
            samples: Vec::new(),
            cells_read: BTreeSet::new(),
            reads_all_cells: false,
            skipped_clicks: Vec::new(),
            end_time: machine.time() + budget_instructions,
        }
    }

    /// Whether some samples were dropped.
    pub fn is_full(&self) -> bool {
        self.samples.len() >= MAX_SAMPLES
    }

    fn add_cells_read(&mut self, moment: &Moment<'_>) {
        let Some(instr) = moment.function.code.get(moment.pc as usize) else {
            return;
        };
        let store = &moment.machine.store;
        let registers = moment.machine.registers(moment.depth - 1);
        let value = |r: Reg| registers.get(r as usize).copied();
        let int = |r: Reg| value(r).and_then(|v| v.as_int());
        let at = |row: Option<i64>, col: Option<i64>| {
            row.zip(col).and_then(|(row, col)| store.cell_at(row, col))
        };
        let cell = match *instr {
            Instr::Cell { row, col, .. }
            | Instr::JumpUnlessCellNameIs { row, col, .. }
            | Instr::SendClick { row, col } => at(int(row), int(col)),
            Instr::RowStart { row, .. } => at(int(row), Some(0)),
            Instr::ColumnStart { col, .. } => at(Some(0), int(col)),
            Instr::PiecesStart { .. } => at(Some(0), Some(0)),
            Instr::RowNext { base, .. } | Instr::ColumnNext { base, .. } => {
                value(base).map(|v| (v.payload() >> 24) as u32)
            }
            Instr::SetVisible { piece, .. } | Instr::ChangeType { piece, .. } => {
                value(piece).and_then(|v| v.as_piece()).map(|p| p.cell)
            }
            Instr::NeighborsStart { row, col, .. } => {
                let around = |n: i64| n - 1..=n + 1;
                if let Some((row, col)) = int(row).zip(int(col)) {
                    let cells = around(row).flat_map(|r| around(col).map(move |c| (r, c)));
                    let cells = cells.filter_map(|(r, c)| store.cell_at(r, c));
                    self.cells_read.extend(cells);
                }
                return;
            }
            Instr::CollectTurnPieces { .. }
            | Instr::HandlingPiecesNext { .. }
            | Instr::SetSelfVisible { .. }
            | Instr::ChangeSelfType { .. }
            | Instr::SendTurn { .. } => {
                self.reads_all_cells = true;
                return;
            }
            _ => return,
        };
        self.cells_read.extend(cell);
    }

    fn add(&mut self, function: FunctionId, sample: Sample) {
        let profile = self
            .exprs
            .entry((function.0, sample.span))
            .or_insert_with(|| ExprProfile {
                span: sample.span,
                function,
                count: 0,
                true_count: 0,
                false_count: 0,
                values: Vec::new(),
            });
        profile.count += 1;
        match sample.value {
            Value::TRUE => profile.true_count += 1,
            Value::FALSE => profile.false_count += 1,
            _ => {}
        }
        match profile
            .values
            .iter()
            .position(|(text, _)| *text == sample.text)
        {
            Some(at) => profile.values[at].1 += 1,
            None if profile.values.len() < MAX_DISTINCT_VALUES => {
                profile.values.push((sample.text.clone(), 1))
            }
            None => {}
        }
        if self.samples.len() < MAX_SAMPLES {
            self.samples.push((function, sample));
        }
    }
}

impl Sink for ValueProfile {
    fn interest(&self) -> Interest {
        Interest {
            frames: Frames::From(self.base_depth),
            until: self.end_time,
            results: Results::WithCalls,
        }
    }

    fn on_instruction(&mut self, moment: &Moment<'_>) -> ControlFlow<()> {
        self.add_cells_read(moment);
        let level = moment.depth + 1 - self.base_depth;
        self.recorders.truncate(level);
        while self.recorders.len() < level {
            let mut recorder = ValueRecorder::new(moment.machine);
            recorder.ignores_stops = true;
            self.recorders.push(recorder);
        }
        if moment.function.kind == FunctionKind::Rules {
            return ControlFlow::Continue(());
        }
        if moment.function.stop_point_at(moment.pc).is_some() {
            *self
                .stop_counts
                .entry((moment.id.0, moment.pc))
                .or_default() += 1;
        }
        let mut samples = Vec::new();
        if let Some(recorder) = self.recorders.last_mut() {
            let _ = recorder.on_instruction(moment);
            samples = std::mem::take(&mut recorder.samples);
            recorder.stops_passed.clear();
        }
        for sample in samples {
            self.add(moment.id, sample);
        }
        ControlFlow::Continue(())
    }

    fn on_click_skipped(&mut self, _machine: &Machine, cell: u32) {
        self.skipped_clicks.push(cell);
    }
}
