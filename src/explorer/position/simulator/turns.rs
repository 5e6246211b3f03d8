//! Turns: the next one begins by itself where it asks, and typing `:turn` is a move only where it does not.

use super::{End, Simulator};
use crate::code::{Reg, Status};
use crate::machine::{Outcome, Pause};
use crate::model::actions::Action;
use crate::position::packing::Phase;
use crate::search::expansion::PositionInfo;
use crate::value::{Unpacked, Value};

impl Simulator {
    /// The position from which a search starts between two actions. If the next turn asks for input first,
    /// that is its question, or the position before it if both matter.
    pub(crate) fn start_between_turns(
        &mut self,
        start: &mut Vec<u8>,
        info: PositionInfo,
    ) -> PositionInfo {
        if !self.setup.keeps_turn_ends || info.is_end() {
            return self.skip_to_question(start, info);
        }
        self.load(start);
        start.clear();
        self.pack_turn_end(info, start)
    }

    /// If the next turn asks for input, moves on to its question, or to a number that is drawn before it.
    pub(crate) fn skip_to_question(
        &mut self,
        start: &mut Vec<u8>,
        info: PositionInfo,
    ) -> PositionInfo {
        if !self.setup.is_turn_game() {
            return info;
        }
        self.load(start);
        self.has_hit = false;
        match self.begin_turn(info, 0, start) {
            End::Position(info) => info,
            End::Failed(_) | End::Cancelled => info,
        }
    }

    /// Who moves at the question at which the machine waits, in languages whose rules do not say so.
    /// What is running ends: it is evaluated on the same machine.
    pub(crate) fn turn_info(&mut self) -> PositionInfo {
        PositionInfo::new(Status::Playing, false, self.turn_player())
    }

    fn turn_player(&mut self) -> Option<usize> {
        let setup = self.setup.clone();
        let turn = setup.turn.as_ref()?;
        let machine = &mut self.machine;
        let frames = machine.frames().iter().enumerate().rev();
        let mut found = frames.filter_map(|(n, f)| Some((n, turn.at(f.function, f.pc)?)));
        let (frame, compiled) = found.next()?;
        let registers = machine.registers(frame);
        let value = |register: &Reg| registers.get(*register as usize).copied();
        let arguments: Vec<Value> = compiled
            .registers
            .iter()
            .map(|register| value(register).unwrap_or(Value::NOTHING))
            .collect();
        machine.replace_stack(&[]);
        machine.start(compiled.function, &arguments).ok()?;
        let Outcome::Finished(value) = machine.run_in_search() else {
            machine.replace_stack(&[]);
            return None;
        };
        let Unpacked::Symbol(symbol) = value.unpack() else {
            return None;
        };
        let symbol = symbol.to_string();
        setup.players.iter().position(|player| *player == symbol)
    }

    /// A turn has ended: appends the position after it.
    pub(super) fn end_turn(&mut self, out: &mut Vec<u8>) -> End {
        let info = self.info_of(&self.machine, Phase::Idle);
        if self.setup.keeps_turn_ends && !info.is_end() {
            return End::Position(self.pack_turn_end(info, out));
        }
        let start = out.len();
        self.pack(Phase::Idle, out);
        self.begin_turn(info, start, out)
    }

    /// Appends the position between two turns.
    pub(super) fn pack_turn_end(&mut self, info: PositionInfo, out: &mut Vec<u8>) -> PositionInfo {
        self.pack(Phase::TurnEnd, out);
        PositionInfo::new(Status::Playing, true, info.player())
    }

    /// A turn has ended. If the next one asks for input, or draws a number before it may ask, that is the next
    /// position: typing `:turn` is not a move then.
    pub(super) fn begin_turn(
        &mut self,
        info: PositionInfo,
        start: usize,
        out: &mut Vec<u8>,
    ) -> End {
        if info.is_end() {
            return End::Position(info);
        }
        let has_hit = self.has_hit;
        let counter = self.counter.take();
        self.begin(Action::Entry(0));
        let outcome = self.run_to_pause();
        self.counter = counter;
        let phase = match outcome {
            Outcome::NeedsInput { .. } => Phase::Question,
            Outcome::Paused(Pause::Draw(_)) if self.setup.turns_ask => Phase::TurnDraw,
            Outcome::Paused(Pause::Draw(_)) | Outcome::Finished(_) | Outcome::Failed(_) => {
                self.has_hit = has_hit;
                return End::Position(info);
            }
            Outcome::Paused(_) => {
                self.keep_interrupt();
                return End::Cancelled;
            }
        };
        if self.counter.is_some() {
            // Again, now that it is known that it has to be counted.
            let turn_start = out[start..].to_vec();
            self.load(&turn_start);
            self.begin(Action::Entry(0));
            let _ = self.run_to_pause();
        }
        out.truncate(start);
        self.pack(phase, out);
        End::Position(self.info_of(&self.machine, phase))
    }

    /// Whether what is watched for happens only after an action has ended, when the next turn begins.
    pub(crate) fn hits_in_next_turn(&mut self, position: &[u8], action: Action) -> bool {
        self.load(position);
        self.has_hit = false;
        self.begin(action);
        matches!(self.run_to_pause(), Outcome::Finished(_)) && !self.has_hit
    }
}
