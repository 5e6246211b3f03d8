//! Runs actions from packed positions, on a machine of its own.
//!
//! ```text
//! evaluation  evaluates expressions in positions, and reads the values with which games end
//! turns       plays whole turns, in games whose turns have several actions
//! ```

mod evaluation;
mod turns;

use super::packing::{Packer, Phase, number_pieces};
use crate::analysis::{CodeCounter, FactRecorder};
use crate::code::{Channel, FunctionId, Program, Status};
use crate::debugger::Target;
use crate::language::Actions;
use crate::machine::{Machine, Outcome, Pause, RuntimeError};
use crate::model::actions::Action;
use crate::model::setup::{Setup, Watch};
use crate::search::expansion::{ActionFailure, Expansion, Outline, PositionInfo, Successor};
use crate::value::{StoreSnapshot, Value};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// An action that takes longer than this probably never ends.
pub const ACTION_BUDGET_INSTRUCTIONS: u64 = 20_000_000;

/// How much is done between two looks at the clock, in instructions.
const EFFORT_BETWEEN_CHECKS: u64 = 10_000;
/// More bytes of the positions after one are not kept at a time.
const MAX_KEPT_BYTES: usize = 1 << 20;
/// What the shortest action takes, in instructions.
const MIN_ACTION_EFFORT: u64 = 200;

/// How an action ended.
enum End {
    Position(PositionInfo),
    Failed(ActionFailure),
    Cancelled,
}

/// Runs actions.
pub(crate) struct Simulator {
    pub machine: Machine,
    pub setup: Arc<Setup>,
    packer: Packer,
    base: StoreSnapshot,
    /// The position whose actions are tried.
    position: StoreSnapshot,
    actions: Vec<(u32, Action)>,
    cancel: Arc<AtomicBool>,
    /// Whether the last action hit what is watched for, or what ran before the first one.
    pub has_hit: bool,
    /// Whether the value of an evaluation is not known: it was interrupted, took too long, or needs a
    /// random number or an answer.
    pub has_given_up: bool,
    /// The time at which a search with a budget ends.
    stop_at: u64,
    /// Notes which code runs and which conditions are true or false, if that is asked for.
    pub recorder: Option<FactRecorder>,
    /// Counts what runs, if that is of interest.
    pub counter: Option<CodeCounter>,
}

impl Simulator {
    /// A simulator with a machine of its own. Setting `cancel` interrupts it.
    pub fn new(setup: Arc<Setup>, cancel: Arc<AtomicBool>) -> Simulator {
        let program = Rc::new(setup.program.to_program());
        Simulator::with_program(setup, program, cancel)
    }

    /// A simulator that runs an extended version of the program.
    pub fn with_program(
        setup: Arc<Setup>,
        program: Rc<Program>,
        cancel: Arc<AtomicBool>,
    ) -> Simulator {
        let mut machine = Machine::new(program.clone(), 0);
        machine.set_search_mode(matches!(setup.watch, Watch::Print(_)));
        machine.limits.max_instructions = ACTION_BUDGET_INSTRUCTIONS;
        machine.limits.max_memory_bytes = setup.max_memory_bytes;
        machine.set_interrupt_flag(cancel.clone());
        if let Watch::Code(locations) = &setup.watch {
            machine.set_traps(locations);
        }
        let rules = setup.frame_rules.clone();
        let mut packer = Packer::new(program, setup.reductions, setup.turn.clone(), rules);
        packer.unpack(&setup.base_layout, &mut machine, &setup.base);
        machine.store.action = 1;
        number_pieces(&mut machine.store);
        let (base, _) = machine.store.snapshot();
        Simulator {
            machine,
            setup,
            packer,
            position: base.clone(),
            base,
            actions: Vec::new(),
            cancel,
            has_hit: false,
            has_given_up: false,
            stop_at: u64::MAX,
            recorder: None,
            counter: None,
        }
    }

    /// Limits how many instructions may run from now on, and in a single action. Loading a position costs
    /// as many as it has cells.
    pub fn set_budget(&mut self, total: u64, action: u64) {
        self.stop_at = self.machine.time() + total;
        self.machine.limits.max_instructions = action;
    }

    /// Whether the budget is used up. An action is about to start.
    fn is_budget_used(&mut self) -> bool {
        if self.stop_at != u64::MAX {
            let cells = self.machine.store.cells.len() as u64;
            self.stop_at = self.stop_at.saturating_sub(cells);
        }
        self.machine.time() >= self.stop_at
    }

    /// From now on, notes which code runs and which conditions are true or false.
    pub fn record_facts(&mut self) {
        let recorder = FactRecorder::new(self.machine.program());
        recorder.set_traps(&mut self.machine);
        self.recorder = Some(recorder);
    }

    /// Puts a packed position into the machine.
    pub fn load(&mut self, bytes: &[u8]) -> Phase {
        self.machine.store.restore(&self.base);
        self.packer
            .unpack(&self.setup.layout, &mut self.machine, bytes)
    }

    /// Appends the current position of another machine, which runs the same program, to `out`.
    pub fn pack_live(&mut self, machine: &Machine, phase: Phase, out: &mut Vec<u8>) {
        self.packer.pack(&self.setup.layout, machine, phase, out);
    }

    /// The same after a line of moves in which the machine has started the game or the turn that is
    /// running. It was compiled again, so its function has another number.
    pub fn pack_after_entry(&mut self, machine: &Machine, phase: Phase, out: &mut Vec<u8>) {
        let game = self.setup.game.as_ref().or(self.setup.entries.first());
        let running = machine.frames().first().map(|frame| frame.function);
        let alias = running.zip(game.map(|(_, function)| *function));
        self.packer.set_alias(alias);
        self.pack_live(machine, phase, out);
        self.packer.set_alias(None);
    }

    /// Appends a value of another machine, which runs the same program.
    pub fn pack_value_of(&mut self, machine: &Machine, value: Value, out: &mut Vec<u8>) {
        let layout = &self.setup.layout;
        self.packer.pack_single(layout, &machine.store, value, out);
    }

    /// Puts the variables and the board of another machine, which runs the same program, into this one: all of
    /// them, also those that are not part of positions. Nothing is running then.
    pub fn load_complete(&mut self, machine: &Machine) {
        let (setup, mut bytes) = (self.setup.clone(), Vec::new());
        let layout = &setup.base_layout;
        self.packer.pack(layout, machine, Phase::Idle, &mut bytes);
        self.machine.store.restore(&self.base);
        self.packer.unpack(layout, &mut self.machine, &bytes);
    }

    /// Starts the game that is an expression, and runs it to its first question.
    pub fn start_game(
        &mut self,
        function: FunctionId,
        out: &mut Vec<u8>,
    ) -> Result<PositionInfo, ActionFailure> {
        self.machine.store.restore(&self.base);
        self.machine.replace_stack(&[]);
        self.has_hit = false;
        let _ = self.machine.start(function, &[]);
        match self.finish(Phase::Idle, out) {
            End::Position(info) => Ok(info),
            End::Failed(failure) => Err(failure),
            End::Cancelled => Err(interrupted()),
        }
    }

    /// Runs what comes before the first move: the game up to its first question, or the turn.
    pub fn run_start(&mut self, target: &Target) {
        let mut bytes = Vec::new();
        match self.setup.game {
            Some((_, function)) => {
                let _ = self.start_game(function, &mut bytes);
            }
            None if target.machine.is_idle() => {
                self.pack_live(&target.machine, Phase::Idle, &mut bytes);
                let info = self.info_of(&target.machine, Phase::Idle);
                self.skip_to_question(&mut bytes, info);
            }
            None => {}
        }
    }

    /// Who moves, or who has won, in the position of a machine.
    pub fn info_of(&self, machine: &Machine, phase: Phase) -> PositionInfo {
        let is_chance = phase.is_draw();
        if phase == Phase::Value {
            return PositionInfo::new(Status::Over, false, None);
        }
        let standing = self.setup.language.standing(&machine.store);
        let name = match standing.status {
            Status::Won => standing.winner,
            _ => standing.player,
        };
        let players = &self.setup.players;
        if standing.status == Status::Won && name.is_none() && !is_chance && !players.is_empty() {
            return PositionInfo::shared_win();
        }
        let player = name.and_then(|name| players.iter().position(|p| p == name));
        // A game can end in the middle of an action that still draws a number.
        let status = match is_chance {
            true => Status::Playing,
            false => standing.status,
        };
        PositionInfo::new(status, is_chance, player)
    }

    /// Setting `cancel` interrupts the simulator from now on.
    pub fn set_cancel(&mut self, cancel: &Arc<AtomicBool>) {
        self.cancel = cancel.clone();
        self.machine.set_interrupt_flag(cancel.clone());
    }

    /// Tries everything that can happen in a position, and returns the outlines of what it leads to. The
    /// positions themselves are in `out`, unless they are so large that they are not kept. Asks from time
    /// to time whether it has to stop.
    pub fn outlines(
        &mut self,
        position: &[u8],
        out: &mut Expansion,
        has_to_stop: &mut dyn FnMut() -> bool,
    ) -> Vec<Outline> {
        let mut outlines = Vec::new();
        self.expand_in_parts(position, out, has_to_stop, MAX_KEPT_BYTES, &mut |part| {
            part.add_outlines(&mut outlines);
            part.successors.clear();
            part.bytes.clear();
            true
        });
        out.add_outlines(&mut outlines);
        outlines
    }

    /// The actions of the position that was expanded last, with their numbers.
    pub fn listed_actions(&self) -> &[(u32, Action)] {
        &self.actions
    }

    /// Tries everything that can happen in a position. Passes what was found to `take_part` whenever that
    /// has more than `part_bytes` bytes, and continues if it returns true. The rest is in `out`.
    pub fn expand_in_parts(
        &mut self,
        position: &[u8],
        out: &mut Expansion,
        has_to_stop: &mut dyn FnMut() -> bool,
        part_bytes: usize,
        take_part: &mut dyn FnMut(&mut Expansion) -> bool,
    ) {
        out.clear();
        let phase = self.load(position);
        let mut actions = std::mem::take(&mut self.actions);
        actions.clear();
        out.is_cancelled = !self.list_actions(phase, &mut actions, &mut out.is_sampled);
        if actions.len() > 1 {
            (self.position, _) = self.machine.store.snapshot();
        }
        let mut effort = 0;
        for (n, &(label, action)) in actions.iter().enumerate() {
            if effort >= EFFORT_BETWEEN_CHECKS {
                effort = 0;
                out.is_cancelled |= has_to_stop();
            }
            if out.is_cancelled || self.is_budget_used() {
                out.is_cancelled = true;
                break;
            }
            if n > 0 && self.counter.is_some() {
                // Counting may have loaded another position.
                self.load(position);
            } else if n > 0 {
                self.restore_position(phase);
            }
            let time = self.machine.time();
            self.try_action(position, phase, label, action, out);
            effort += MIN_ACTION_EFFORT + (self.machine.time() - time) + position.len() as u64;
            if out.memory_bytes() > part_bytes && !out.is_cancelled {
                out.is_cancelled = !take_part(out);
            }
        }
        self.actions = actions;
    }

    /// Returns to the position whose actions are tried.
    fn restore_position(&mut self, phase: Phase) {
        self.machine.store.restore(&self.position);
        self.packer.restore_stack(&mut self.machine, phase);
    }

    /// Runs an action in the position that is loaded, and adds what it leads to.
    fn try_action(
        &mut self,
        position: &[u8],
        phase: Phase,
        label: u32,
        action: Action,
        out: &mut Expansion,
    ) {
        let start = out.bytes.len();
        match self.run(action, phase, &mut out.bytes) {
            End::Position(info) => {
                // An action that changes nothing is not a move.
                let is_automatic = phase.is_draw() || phase == Phase::TurnEnd;
                if is_automatic || out.bytes[start..] != *position {
                    let end = out.bytes.len();
                    out.successors.push(Successor { label, end, info });
                } else {
                    out.bytes.truncate(start);
                }
            }
            End::Failed(failure) => {
                out.bytes.truncate(start);
                out.failures.push((label, failure));
            }
            End::Cancelled => {
                out.bytes.truncate(start);
                out.is_cancelled = true;
                return;
            }
        }
        out.actions += 1;
        if self.has_hit {
            out.hits.push(label);
        }
    }

    /// Runs an action in a position and appends the one that it leads to; `None` if it fails.
    pub fn run_in(
        &mut self,
        position: &[u8],
        action: Action,
        out: &mut Vec<u8>,
    ) -> Option<PositionInfo> {
        let phase = self.load(position);
        match self.run(action, phase, out) {
            End::Position(info) => Some(info),
            End::Failed(_) | End::Cancelled => None,
        }
    }

    /// Whether it was interrupted.
    pub fn is_interrupted(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// Sets the flag that was cleared when it was noticed. Returns false.
    pub(crate) fn keep_interrupt(&self) -> bool {
        self.cancel.store(true, Ordering::Relaxed);
        false
    }

    /// Runs an action in the position that is loaded, and appends the position that it leads to.
    fn run(&mut self, action: Action, phase: Phase, out: &mut Vec<u8>) -> End {
        self.has_hit = false;
        match action {
            Action::NextTurn => {
                let (start, info) = (out.len(), self.info_of(&self.machine, Phase::Idle));
                self.pack(Phase::Idle, out);
                self.begin_turn(info, start, out)
            }
            Action::TakeTurn => self.end_turn(out),
            _ => {
                self.begin(action);
                self.finish(phase, out)
            }
        }
    }

    /// Starts an action in the position that is loaded.
    pub fn begin(&mut self, action: Action) {
        self.counter.iter_mut().for_each(CodeCounter::begin_run);
        match action {
            Action::Click { row, col } => {
                if let Actions::Clicks(function) = self.setup.model.actions {
                    let arguments = [Value::int(row as i32), Value::int(col as i32)];
                    // The function exists, so starting it cannot fail.
                    let _ = self.machine.start(function, &arguments);
                }
            }
            Action::Entry(n) => {
                if let Some(&(_, function)) = self.setup.entries.get(n) {
                    let _ = self.machine.start(function, &[]);
                }
            }
            Action::Answer { kind, candidate } => {
                let candidates = self.setup.candidates.get(&kind);
                if let Some(candidate) = candidates.and_then(|c| c.answers.get(candidate)) {
                    let value = candidate.to_value(&mut self.machine.store);
                    self.machine.supply(value);
                }
            }
            Action::Draw { range, number } => {
                let value = self.machine.drawn_value(range, number);
                self.machine.supply(value);
            }
            Action::NextTurn | Action::TakeTurn => {}
        }
    }

    /// Runs to the next position, from one in this phase, and appends it.
    fn finish(&mut self, from: Phase, out: &mut Vec<u8>) -> End {
        let phase = match self.run_to_pause() {
            Outcome::Finished(value) if self.setup.is_expression_game() => {
                let layout = &self.setup.layout;
                self.packer.pack_end(layout, &self.machine, value, out);
                return End::Position(self.value_info(value));
            }
            Outcome::Finished(_) if from == Phase::TurnDraw => Phase::TurnTaken,
            Outcome::Finished(_) if self.setup.is_turn_game() => return self.end_turn(out),
            Outcome::Finished(_) => Phase::Idle,
            Outcome::NeedsInput { .. } => Phase::Question,
            Outcome::Paused(Pause::Draw(_)) if from == Phase::TurnDraw => Phase::TurnDraw,
            Outcome::Paused(Pause::Draw(_)) => Phase::Draw,
            Outcome::Failed(error) => return End::Failed(self.failure(&error)),
            Outcome::Paused(_) => {
                self.keep_interrupt();
                return End::Cancelled;
            }
        };
        self.pack(phase, out);
        if phase == Phase::Question && self.setup.turn.is_some() {
            return End::Position(self.turn_info());
        }
        let info = self.info_of(&self.machine, phase);
        if phase == Phase::TurnTaken {
            // The game may have ended, but the move that ends it is still to be made.
            return End::Position(PositionInfo::new(Status::Playing, false, info.player()));
        }
        End::Position(info)
    }

    /// Appends the current position.
    pub fn pack(&mut self, phase: Phase, out: &mut Vec<u8>) {
        self.packer
            .pack(&self.setup.layout, &self.machine, phase, out);
    }

    /// Runs until something happens that ends an action. Notes what is watched for.
    pub fn run_to_pause(&mut self) -> Outcome {
        let mut outcome = match &mut self.counter {
            None => self.machine.run_in_search(),
            Some(counter) => self.machine.run_observed(counter),
        };
        while outcome == Outcome::Paused(Pause::Trap) {
            self.has_hit = true;
            outcome = match &mut self.recorder {
                Some(recorder) => match recorder.step_over(&mut self.machine) {
                    Some(outcome) => outcome,
                    None => self.machine.run_in_search(),
                },
                None => self.machine.run(),
            };
        }
        if let Watch::Print(text) = &self.setup.watch {
            let printed = self.machine.take_outputs();
            // Not what gridbug itself says about a move.
            let is_of_game = |channel| matches!(channel, Channel::Print | Channel::Display);
            self.has_hit |= printed
                .into_iter()
                .any(|output| is_of_game(output.channel) && output.text.contains(text));
        }
        outcome
    }

    fn failure(&self, error: &RuntimeError) -> ActionFailure {
        let location = self.machine.current_location();
        ActionFailure {
            code: error.code,
            message: error.message.clone(),
            span: location.and_then(|(function, pc)| self.machine.span_of(function, pc)),
        }
    }

    /// Runs the action that was begun; returns whether its entry then waits for something.
    pub fn is_running_after(&mut self) -> bool {
        let _ = self.run_to_pause();
        !self.machine.is_idle()
    }
}

/// The failure of something that was interrupted.
fn interrupted() -> ActionFailure {
    ActionFailure {
        code: "RT022",
        message: "interrupted".into(),
        span: None,
    }
}
