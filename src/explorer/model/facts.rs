//! What happens in the actions of a game: which code runs, which conditions are true or false, which
//! pieces are ever on the board.
//!
//! A search only keeps positions. This runs every action of every position once more and notes what
//! happens. Merging positions loses nothing: all that decides which code runs is part of a position.

use super::actions::Action;
use crate::analysis::CoverageCounts;
use crate::language::Actions;
use crate::machine::{Outcome, Pause};
use crate::position::graph::PositionId;
use crate::position::simulator::Simulator;
use crate::search::Exploration;
use crate::search::control::{SearchControl, SearchProgress, StoppedBy};
use std::collections::BTreeSet;

/// What happens in the actions of a game.
#[derive(Clone, Default)]
pub(crate) struct Facts {
    /// What ran.
    pub counts: CoverageCounts,
    /// The kinds of pieces that are on the board in some position.
    pub kinds: BTreeSet<u16>,
}

/// Positions between two reports of the progress.
const REPORT_INTERVAL_POSITIONS: PositionId = 256;

impl Exploration {
    /// Runs every action of every position. If a limit is reached, returns which.
    pub(crate) fn collect_facts(
        &self,
        control: &mut SearchControl<'_>,
    ) -> Result<Facts, StoppedBy> {
        let mut facts = Facts::default();
        let mut simulator = Simulator::new(self.setup.clone(), control.cancel.clone());
        simulator.record_facts();
        if let Some((_, function)) = self.setup.game {
            let _ = simulator.start_game(function, &mut Vec::new());
        }
        self.visit_actions(
            &mut simulator,
            control,
            |visit, simulator, _, _| match visit {
                Visit::Position => {
                    let cells = simulator.machine.store.cells.as_slice();
                    let pieces = cells.iter().filter_map(|cell| cell.as_piece());
                    facts.kinds.extend(pieces.map(|piece| piece.kind));
                }
                Visit::ActionDone => {}
            },
        )?;
        if simulator.is_interrupted() {
            return Err(StoppedBy::Interrupt);
        }
        if let Some(recorder) = &simulator.recorder {
            facts.counts.add_facts(recorder);
        }
        Ok(facts)
    }

    /// Loads every position and runs every action in it. Calls `visit` with each position that is
    /// loaded, and after each action that has ended, with the position and the number of the action.
    pub(crate) fn visit_actions(
        &self,
        simulator: &mut Simulator,
        control: &mut SearchControl<'_>,
        mut visit: impl FnMut(Visit, &mut Simulator, PositionId, u32),
    ) -> Result<(), StoppedBy> {
        let is_turn_game = matches!(self.setup.model.actions, Actions::Turn(_));
        for id in 0..self.graph.len() as PositionId {
            if id % REPORT_INTERVAL_POSITIONS == 0 {
                (control.report)(SearchProgress {
                    positions: self.graph.len(),
                    depth: self.graph.depth(id),
                    ..SearchProgress::default()
                });
            }
            let bytes = self.graph.bytes(id);
            simulator.load(bytes);
            visit(Visit::Position, simulator, id, 0);
            let info = self.graph.info(id);
            if info.is_end() {
                continue;
            }
            for (label, action) in simulator.actions_of(bytes) {
                control.interrupted_by().map_or(Ok(()), Err)?;
                simulator.load(bytes);
                simulator.begin(action);
                match simulator.run_to_pause() {
                    Outcome::Finished(_) => {}
                    Outcome::Paused(Pause::Interrupt) => {
                        simulator.keep_interrupt();
                        return Err(StoppedBy::Interrupt);
                    }
                    _ => continue,
                }
                visit(Visit::ActionDone, simulator, id, label);
                // The next turn belongs to the same action up to its question.
                let phase = crate::position::packing::Phase::Idle;
                if is_turn_game && !simulator.info_of(&simulator.machine, phase).is_end() {
                    simulator.begin(Action::Entry(0));
                    if simulator.run_to_pause() == Outcome::Paused(Pause::Interrupt) {
                        simulator.keep_interrupt();
                        return Err(StoppedBy::Interrupt);
                    }
                }
            }
        }
        Ok(())
    }
}

/// What is visited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Visit {
    /// A position has been loaded.
    Position,
    /// An action has ended, and nothing is running.
    ActionDone,
}
