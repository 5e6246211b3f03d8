//! Coverage of a search: how often each line runs if every move is tried in every position, or in random
//! games.

use super::random_game::{ChosenAction, GameEnd, SplitMix};
use crate::Explorer;
use crate::analysis::coverage;
use crate::analysis::{CodeCounter, CoverageCounts};
use crate::answer::{CommandError, CoverageExtent};
use crate::debugger::Target;
use crate::model::goal::CompiledGoal;
use crate::model::setup::{Scope, Watch};
use crate::position::graph::PositionId;
use crate::position::simulator::Simulator;
use crate::search::control::{SearchControl, SearchProgress, StoppedBy};
use crate::search::expansion::Expansion;
use crate::search::{Exploration, PART_BYTES};

/// How often lines ran in a search, and what was searched.
#[derive(Clone, Debug)]
pub struct SearchCoverage {
    /// The counts.
    pub counts: CoverageCounts,
    /// What was run.
    pub extent: CoverageExtent,
}

impl Explorer {
    /// The search whose code is counted, a machine that counts, and what ran at the start of the game.
    fn begin_coverage(
        &mut self,
        target: &mut Target,
        scope: &Scope,
        control: &SearchControl<'_>,
    ) -> Result<(&mut Exploration, Simulator, CoverageCounts), CommandError> {
        crate::require_moves(target, scope)?;
        crate::require_open_game(target, scope)?;
        control.require_memory(target)?;
        let start = coverage::start_coverage(target);
        let goal = CompiledGoal {
            watch: Watch::AllCode,
            ..CompiledGoal::none((**target.program()).clone())
        };
        let exploration = self.exploration(target, &goal, scope)?;
        let mut simulator = Simulator::new(exploration.setup.clone(), control.cancel.clone());
        simulator.counter = Some(CodeCounter::default());
        Ok((exploration, simulator, start))
    }

    /// Tries every move in every position that can be reached, and counts what runs. What ran at the
    /// start of the game is counted, too.
    pub fn coverage_of_positions(
        &mut self,
        target: &mut Target,
        scope: &Scope,
        control: &mut SearchControl<'_>,
    ) -> Result<SearchCoverage, CommandError> {
        let (exploration, mut simulator, start) = self.begin_coverage(target, scope, control)?;
        simulator.run_start(target);
        let mut expansion = Expansion::default();
        let (mut depth, mut counted) = (0, 0);
        // What is found is counted before anything deeper is searched, so that Ctrl-C loses little.
        let stopped = loop {
            let mut stopped = None;
            while stopped.is_none() && counted < exploration.graph.len() {
                let id = counted as PositionId;
                counted += 1;
                depth = exploration.graph.depth(id);
                if exploration.graph.info(id).is_end() {
                    continue;
                }
                let mut has_to_stop = || control.interrupted_by().is_some();
                let bytes = exploration.graph.bytes(id);
                simulator.expand_in_parts(
                    bytes,
                    &mut expansion,
                    &mut has_to_stop,
                    PART_BYTES,
                    &mut |part| {
                        part.clear();
                        true
                    },
                );
                if expansion.is_cancelled {
                    stopped = Some(control.interrupted_by().unwrap_or(StoppedBy::Time));
                }
                (control.report)(SearchProgress {
                    positions: counted,
                    depth,
                    ..SearchProgress::default()
                });
            }
            if stopped.is_some() || exploration.is_complete() {
                break stopped;
            }
            if let Some(stopped) = exploration.expand_layer(control) {
                break Some(stopped);
            }
        };
        let complete = stopped.is_none();
        let assumed = exploration.extent(scope, None).assumed;
        Ok(SearchCoverage {
            counts: finished(&mut simulator, start, target),
            extent: CoverageExtent::Search {
                positions: exploration.count_positions(counted),
                depth: match complete {
                    true => exploration.complete_depth(),
                    false => depth,
                },
                complete,
                stopped_by: stopped.map(Into::into),
                assumed,
            },
        })
    }

    /// Plays random games from the current position, and counts what runs. What ran at the start of the
    /// game is counted, too.
    pub fn coverage_of_games(
        &mut self,
        target: &mut Target,
        games: usize,
        scope: &Scope,
        control: &mut SearchControl<'_>,
    ) -> Result<SearchCoverage, CommandError> {
        let (exploration, mut simulator, start) = self.begin_coverage(target, scope, control)?;
        exploration.require_start()?;
        let seed = target.machine.rng.seed();
        let mut random = SplitMix(seed);
        let mut after = Vec::new();
        let (mut played, mut unfinished) = (0, 0);
        let mut stopped = None;
        while played < games {
            stopped = control.interrupted_by();
            if stopped.is_some() {
                break;
            }
            simulator.run_start(target);
            let mut on_move = |position: &[u8], chosen: ChosenAction| {
                after.clear();
                let action = match chosen {
                    ChosenAction::Label(label) => simulator.action(position, label),
                    ChosenAction::Draw(action) => Some(action),
                };
                if let Some(action) = action {
                    simulator.run_in(position, action, &mut after);
                }
            };
            let Ok(game) = exploration.random_game(&mut random, control, &mut on_move) else {
                stopped = Some(control.interrupted_by().unwrap_or(StoppedBy::Interrupt));
                break;
            };
            played += 1;
            exploration.report_games(played, control);
            unfinished += usize::from(game.end == GameEnd::GivenUp);
        }
        let assumed = exploration.extent_of_games(scope, None).assumed;
        Ok(SearchCoverage {
            counts: finished(&mut simulator, start, target),
            extent: CoverageExtent::Games {
                games: played,
                unfinished,
                seed,
                stopped_by: stopped.map(Into::into),
                assumed,
            },
        })
    }
}

/// All counts, and the code that never ran.
fn finished(
    simulator: &mut Simulator,
    mut counts: CoverageCounts,
    target: &Target,
) -> CoverageCounts {
    if let Some(counter) = simulator.counter.take() {
        counts.add(&counter);
    }
    counts.add_unexecuted(target.program());
    counts
}
