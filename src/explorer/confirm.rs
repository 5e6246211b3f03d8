//! Whether a line of moves that was played ends as the search says.

use super::actions::Action;
use super::expansion::ActionFailure;
use super::find::{Found, replay_budget};
use super::graph::PositionId;
use super::line::Line;
use super::packing::{Phase, end_value};
use super::search::Exploration;
use super::simulator::Simulator;
use crate::code::FunctionId;
use crate::debugger::{LineStep, StepEnd, Target};
use crate::machine::{Machine, Outcome, RuntimeError};
use crate::value::Value;

/// What has to be so at the end of a line, besides the position to which it leads.
pub(super) enum Expected<'e> {
    /// Nothing else.
    Position,
    /// Its last action fails, with the same error as in the search.
    Failure,
    /// A condition, evaluated with all variables of the game, also those that are not part of positions.
    Condition {
        evaluator: &'e mut Simulator,
        holds: &'e dyn Fn(&mut Simulator) -> bool,
    },
}

/// Whether a goal, which is a function, is true.
pub(super) fn is_true(function: FunctionId) -> impl Fn(&mut Simulator) -> bool {
    move |evaluator| evaluator.evaluate(function) == Some(Value::TRUE)
}

impl Expected<'_> {
    /// Whether the condition holds on a machine or, with `begins_turn`, at the first question of the turn
    /// that comes next.
    fn holds(&mut self, machine: &Machine, begins_turn: bool) -> bool {
        let Expected::Condition { evaluator, holds } = self else {
            return true;
        };
        evaluator.load_complete(machine);
        if begins_turn {
            evaluator.begin_next_turn();
        }
        holds(evaluator)
    }
}

impl Simulator {
    /// Begins the next turn, up to its first question.
    fn begin_next_turn(&mut self) {
        self.begin(Action::Entry(0));
        let _ = self.run_to_pause();
    }

    /// The position in which an action leaves the game when it has ended; `None` if it does not end.
    fn end_of_action(&mut self, position: &[u8], action: Action) -> Option<Vec<u8>> {
        self.load(position);
        self.begin(action);
        let mut end = Vec::new();
        matches!(self.run_to_pause(), Outcome::Finished(_)).then(|| {
            self.pack(Phase::Idle, &mut end);
            end
        })
    }
}

/// Whether an error is the one that a search has found. How long an action ran before it was given up does
/// not matter.
fn is_same_error(error: &RuntimeError, expected: &ActionFailure) -> bool {
    let is_same_text = error.message == expected.message || expected.is_given_up();
    error.code == expected.code && is_same_text
}

impl Exploration {
    /// Whether a line that has been played has ended where the search says.
    pub(super) fn is_expected(
        &mut self,
        target: &Target,
        line: &Line,
        end: &StepEnd,
        found: Found,
        expected: &mut Expected<'_>,
        has_happened: bool,
    ) -> bool {
        if let Expected::Failure = expected {
            let failure = self.failure_at(found);
            return match end {
                StepEnd::Failed(error) => failure.is_some_and(|f| is_same_error(error, f)),
                _ => false,
            };
        }
        if self.setup.watch.looks_for_events() {
            // What comes after it may fail, or depend on random numbers.
            return has_happened && *end != StepEnd::Cancelled;
        }
        let machine = &target.machine;
        let Some(position) = self.position_after(found) else {
            return false;
        };
        let (simulator, mut actual) = (&mut self.simulator, Vec::new());
        let phase = match end {
            StepEnd::Finished(value) if simulator.setup.is_expression_game() => {
                simulator.pack_value_of(machine, *value, &mut actual);
                return end_value(&simulator.setup.layout, &position) == Some(&actual);
            }
            StepEnd::Finished(_) => match Phase::of(&position) {
                phase @ (Phase::TurnEnd | Phase::TurnTaken) => phase,
                _ => Phase::Idle,
            },
            StepEnd::Asks(_) => Phase::Question,
            StepEnd::Failed(_) | StepEnd::Cancelled => return false,
        };
        let is_entry = |step: &LineStep| matches!(step, LineStep::Entry(_));
        match line.steps.iter().any(is_entry) {
            true => simulator.pack_after_entry(machine, phase, &mut actual),
            false => simulator.pack_live(machine, phase, &mut actual),
        }
        let info = simulator.info_of(machine, phase);
        // The next turn has not started yet.
        let begins_turn = phase == Phase::Idle && Phase::of(&position) == Phase::Question;
        if begins_turn {
            simulator.skip_to_question(&mut actual, info);
        }
        let (id, last) = found;
        let has_info = last.is_none() && phase == Phase::Idle && !begins_turn;
        let is_same_info = !has_info || self.graph.info(id) == info;
        actual == position && is_same_info && expected.holds(machine, begins_turn)
    }

    /// The position that was found, or the one at the end of the turn that an action ends.
    fn position_after(&mut self, (id, last): Found) -> Option<Vec<u8>> {
        let bytes = self.graph.bytes(id).to_vec();
        let Some(label) = last else {
            return Some(bytes);
        };
        let action = self.simulator.action(&bytes, label)?;
        self.simulator.end_of_action(&bytes, action)
    }

    /// The error that was found: that of an action, or of the start of the game.
    fn failure_at(&self, (id, last): Found) -> Option<&ActionFailure> {
        let Some(label) = last else {
            return self.start_failure.as_ref();
        };
        let mut failures = self.graph.failures.iter();
        let failure = failures.find(|f| (f.position, f.label) == (id, label));
        failure.map(|f| &f.failure)
    }

    /// Whether playing the line to a position ends in `end`. Games that are expressions end in the same way if
    /// they have the same value.
    pub fn leads_to(&mut self, target: &mut Target, id: PositionId, end: PositionId) -> bool {
        let line = self.line_to(id, None);
        self.is_confirmed(target, &line, (end, None), &mut Expected::Position)
    }

    /// Plays a line and takes it back. Whether it leads to what was found.
    pub(super) fn is_confirmed(
        &mut self,
        target: &mut Target,
        line: &Line,
        found: Found,
        expected: &mut Expected<'_>,
    ) -> bool {
        let (budget, watch) = (replay_budget(line), self.setup.line_watch());
        target.try_line(&line.steps, budget, watch, |target, end, has_happened| {
            self.is_expected(target, line, end, found, expected, has_happened)
        })
    }
}
