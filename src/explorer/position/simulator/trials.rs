//! Tries the actions of a position: which positions, errors and endings they lead to.

use super::{End, Simulator, interrupted};
use crate::code::{FunctionId, Status};
use crate::debugger::Target;
use crate::machine::{Outcome, Pause};
use crate::model::actions::Action;
use crate::position::packing::Phase;
use crate::search::expansion::{ActionFailure, Expansion, Outline, PositionInfo, Successor};

/// How much is done between two looks at the clock, in instructions.
const EFFORT_BETWEEN_CHECKS: u64 = 10_000;
/// More bytes of the positions after one are not kept at a time.
const MAX_KEPT_BYTES: usize = 1 << 20;
/// What the shortest action takes, in instructions.
const MIN_ACTION_EFFORT: u64 = 200;

impl Simulator {
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
}
