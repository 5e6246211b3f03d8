//! Evaluates expressions in positions, and reads the values with which games end.

use super::Simulator;
use crate::code::{FunctionId, Reg, Status};
use crate::machine::{Outcome, Pause};
use crate::position::packing::{Phase, unpack_end_value};
use crate::search::expansion::{GIVEN_UP, PositionInfo};
use crate::value::{Unpacked, Value};

impl Simulator {
    /// Who has won a game that is an expression with this value: the player whom it names. Another
    /// symbol means that nobody has.
    pub(super) fn value_info(&self, value: Value) -> PositionInfo {
        let Unpacked::Symbol(symbol) = value.unpack() else {
            return self.info_of(&self.machine, Phase::Value);
        };
        let symbol = symbol.to_string();
        let player = self.setup.players.iter().position(|p| *p == symbol);
        let status = match (&self.setup.turn, player) {
            (None, _) => Status::Over,
            (Some(_), None) => Status::Drawn,
            (Some(_), Some(_)) => Status::Won,
        };
        PositionInfo::new(status, false, player)
    }

    /// Appends a value as it is packed in an end position.
    pub(crate) fn pack_value(&mut self, value: Value, out: &mut Vec<u8>) {
        let (layout, store) = (&self.setup.layout, &self.machine.store);
        self.packer.pack_single(layout, store, value, out);
    }

    /// The value with which a game that is an expression has ended, as users write it.
    pub(crate) fn end_value_text(&mut self, bytes: &[u8]) -> Option<String> {
        self.machine.store.restore(&self.base);
        let store = &mut self.machine.store;
        let value = unpack_end_value(&self.setup.layout, store, bytes)?;
        let program = self.machine.program();
        Some((program.format_value)(
            program,
            &self.machine.store,
            value,
            true,
        ))
    }

    /// Evaluates a function without arguments in the position that is loaded. `None` if it fails.
    pub(crate) fn evaluate(&mut self, function: FunctionId) -> Option<Value> {
        self.try_evaluate(function).ok()
    }

    /// The same, with the reason why it fails.
    pub(crate) fn try_evaluate(&mut self, function: FunctionId) -> Result<Value, String> {
        self.try_evaluate_with(function, &[])
    }

    /// Evaluates a function of the frames that wait, with the values of its variables.
    pub(crate) fn try_evaluate_in_frame(
        &mut self,
        frame: usize,
        function: FunctionId,
        registers: &[Reg],
    ) -> Result<Value, String> {
        let values = self.machine.registers(frame);
        let value = |register: &Reg| values.get(*register as usize).copied();
        let arguments = registers.iter().map(|r| value(r).unwrap_or(Value::NOTHING));
        let arguments: Vec<Value> = arguments.collect();
        self.machine.replace_stack(&[]);
        self.try_evaluate_with(function, &arguments)
    }

    fn try_evaluate_with(
        &mut self,
        function: FunctionId,
        arguments: &[Value],
    ) -> Result<Value, String> {
        let started = self.machine.start(function, arguments);
        started.map_err(|error| error.message.clone())?;
        match self.machine.run_in_search() {
            Outcome::Finished(value) => Ok(value),
            Outcome::Failed(error) => {
                self.has_given_up |= error.code == GIVEN_UP;
                Err(error.message.clone())
            }
            Outcome::Paused(Pause::Interrupt) => {
                self.has_given_up = true;
                self.keep_interrupt();
                Err("it was interrupted".into())
            }
            Outcome::NeedsInput { .. } => {
                self.has_given_up = true;
                Err("it asks for input".into())
            }
            Outcome::Paused(_) => {
                self.has_given_up = true;
                Err("it draws a random number".into())
            }
        }
    }
}
