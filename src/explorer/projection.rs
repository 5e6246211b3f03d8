//! Compares two searches of the same game that leave different things out of their positions. Tests use it
//! to prove that what is left out cannot matter.

use super::position::graph::PositionId;
use super::position::packing::{self, Phase};
use super::search::Exploration;

/// The position of another search of the same game that one of this search is if only what the other one
/// keeps is looked at; `None` if the other search has not found it, or if the game has ended with a value.
pub fn projection(
    exploration: &mut Exploration,
    id: PositionId,
    other: &mut Exploration,
) -> Option<PositionId> {
    let phase = exploration.simulator.load(exploration.graph.bytes(id));
    if phase == Phase::Value {
        return None;
    }
    let mut projected = Vec::new();
    let simulator = &mut other.simulator;
    simulator.pack_live(&exploration.simulator.machine, phase, &mut projected);
    other.graph.find(&projected)
}

/// The value with which the game has ended, as bytes, if it is an expression that has been evaluated.
pub fn end_value(exploration: &Exploration, id: PositionId) -> Option<&[u8]> {
    packing::end_value(&exploration.setup.layout, exploration.graph.bytes(id))
}
