//! Compares two searches of the same game that leave different things out of their positions. Tests use it
//! to prove that what is left out cannot matter.

use super::position::graph::PositionId;
use super::position::packing::{Phase, end_value};
use super::search::Exploration;

impl Exploration {
    /// The position of another search of the same game that one of this search is if only what the other
    /// one keeps is looked at; `None` if the other search has not found it, or if the game has ended with
    /// a value.
    pub fn projection(&mut self, id: PositionId, other: &mut Exploration) -> Option<PositionId> {
        let phase = self.simulator.load(self.graph.bytes(id));
        if phase == Phase::Value {
            return None;
        }
        let mut projected = Vec::new();
        let simulator = &mut other.simulator;
        simulator.pack_live(&self.simulator.machine, phase, &mut projected);
        other.graph.find(&projected)
    }

    /// The value with which the game has ended, as bytes, if it is an expression that has been evaluated.
    pub fn end_value(&self, id: PositionId) -> Option<&[u8]> {
        end_value(&self.setup.layout, self.graph.bytes(id))
    }
}
