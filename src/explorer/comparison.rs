//! Compares searches with each other and with the game that is played: with it, tests prove that what a search
//! leaves out of its positions cannot matter. Only with the feature `internals`.

use super::position::graph::PositionId;
use super::position::packing::{self, Phase};
use super::question::confirm::{Expected, is_confirmed};
use super::search::Exploration;
use crate::debugger::Target;

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

/// Whether playing the line to a position ends in `end`. Games that are expressions end in the same way if
/// they have the same value.
pub fn leads_to(
    exploration: &mut Exploration,
    target: &mut Target,
    id: PositionId,
    end: PositionId,
) -> bool {
    let line = exploration.line_to(id, None);
    is_confirmed(
        exploration,
        target,
        &line,
        (end, None),
        &mut Expected::Position,
    )
}
