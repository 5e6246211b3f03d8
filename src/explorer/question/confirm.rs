//! Whether a line of moves that was played ends as the search says.

use super::line::Line;
use crate::analysis::line_replay;
use crate::analysis::{LineStep, StepEnd};
use crate::answer::{FindResult, FindVerdict, LineMove};
use crate::code::FunctionId;
use crate::debugger::Target;
use crate::machine::{Machine, Outcome, RuntimeError};
use crate::model::actions::Action;
use crate::model::goal::{CompiledGoal, Goal};
use crate::position::packing::{Phase, end_value};
use crate::position::simulator::{ACTION_BUDGET_INSTRUCTIONS, Simulator};
use crate::search::Exploration;
use crate::search::control::SearchControl;
use crate::search::expansion::ActionFailure;
use crate::search::found::Found;
use crate::text::large_count_noun;
use crate::value::Value;

/// The instructions that playing a line may take. Generous: the machine notices the limit late, and a
/// game may be one long entry.
pub(crate) fn replay_budget(line: &Line) -> u64 {
    ACTION_BUDGET_INSTRUCTIONS * (line.steps.len() as u64 + 1)
}

/// That a line was found, but does not lead to the goal in the game itself.
pub(crate) const NOT_CONFIRMED: &str =
    "a line was found, but it does not lead there when it is played";

/// What has to be so at the end of a line, besides the position to which it leads.
pub(crate) enum Expected<'e> {
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
pub(crate) fn is_true(function: FunctionId) -> impl Fn(&mut Simulator) -> bool {
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

/// Whether a line that has been played has ended where the search says.
pub(crate) fn is_expected(
    exploration: &mut Exploration,
    target: &Target,
    line: &Line,
    end: &StepEnd,
    found: Found,
    expected: &mut Expected<'_>,
    has_happened: bool,
) -> bool {
    if let Expected::Failure = expected {
        let failure = failure_at(exploration, found);
        return match end {
            StepEnd::Failed(error) => failure.is_some_and(|f| is_same_error(error, f)),
            _ => false,
        };
    }
    if exploration.setup.watch.looks_for_events() {
        // What comes after it may fail, or depend on random numbers.
        return has_happened && *end != StepEnd::Cancelled;
    }
    let machine = &target.machine;
    let Some(position) = position_after(exploration, found) else {
        return false;
    };
    let (simulator, mut actual) = (&mut exploration.simulator, Vec::new());
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
    let is_same_info = !has_info || exploration.graph.info(id) == info;
    actual == position && is_same_info && expected.holds(machine, begins_turn)
}

/// The position that was found, or the one at the end of the turn that an action ends.
fn position_after(exploration: &mut Exploration, (id, last): Found) -> Option<Vec<u8>> {
    let bytes = exploration.graph.bytes(id).to_vec();
    let Some(label) = last else {
        return Some(bytes);
    };
    let action = exploration.simulator.action(&bytes, label)?;
    exploration.simulator.end_of_action(&bytes, action)
}

/// The error that was found: that of an action, or of the start of the game.
fn failure_at(exploration: &Exploration, (id, last): Found) -> Option<&ActionFailure> {
    let Some(label) = last else {
        return exploration.start_failure.as_ref();
    };
    let mut failures = exploration.graph.failures.iter();
    let failure = failures.find(|f| (f.position, f.label) == (id, label));
    failure.map(|f| &f.failure)
}

/// Plays a line and takes it back. Whether it leads to what was found.
pub(crate) fn is_confirmed(
    exploration: &mut Exploration,
    target: &mut Target,
    line: &Line,
    found: Found,
    expected: &mut Expected<'_>,
) -> bool {
    let (budget, watch) = (replay_budget(line), exploration.setup.line_watch());
    line_replay::try_line(
        target,
        &line.steps,
        budget,
        watch,
        |target, end, has_happened| {
            is_expected(
                exploration,
                target,
                line,
                end,
                found,
                expected,
                has_happened,
            )
        },
    )
}

/// Plays the lines that were found to a goal.
pub(crate) fn confirm_goal(
    exploration: &mut Exploration,
    target: &mut Target,
    compiled: &CompiledGoal,
    found: &[Found],
    control: &SearchControl<'_>,
    result: &mut FindResult,
) {
    match compiled.goal {
        Goal::Error => confirm(exploration, target, found, &mut Expected::Failure, result),
        Goal::Condition(function) => {
            let function = compiled.program.function(function).cloned();
            let (mut evaluator, ids) = exploration.evaluator(function.into_iter());
            evaluator.set_cancel(&control.cancel);
            let mut expected = match ids.first() {
                Some(id) => Expected::Condition {
                    evaluator: &mut evaluator,
                    holds: &is_true(*id),
                },
                None => Expected::Position,
            };
            confirm(exploration, target, found, &mut expected, result);
        }
        _ => confirm(exploration, target, found, &mut Expected::Position, result),
    }
}

/// Plays the lines that were found. If the first one does not lead where the search says, the answer is
/// unknown; others that do not are not shown.
pub(crate) fn confirm(
    exploration: &mut Exploration,
    target: &mut Target,
    found: &[Found],
    expected: &mut Expected<'_>,
    result: &mut FindResult,
) {
    let Some((&first, others)) = found.split_first() else {
        return;
    };
    let line = line_to_found(exploration, first);
    let (budget, watch) = (replay_budget(&line), exploration.setup.line_watch());
    let played = line_replay::play_line(
        target,
        &line.steps,
        budget,
        watch,
        |target, end, has_happened| {
            is_expected(
                exploration,
                target,
                &line,
                end,
                first,
                expected,
                has_happened,
            )
        },
    );
    (result.branch, result.redo) = (played.branch, played.is_next);
    result.others.clear();
    if !played.is_confirmed {
        result.verdict = FindVerdict::Unknown;
        result.ended_by = None;
        result.note = Some(NOT_CONFIRMED.into());
        return;
    }
    for found in others {
        let line = confirmed_line(exploration, target, *found, expected);
        result.others.extend(line);
    }
    let dropped = others.len() - result.others.len();
    if dropped > 0 {
        let lines = large_count_noun(dropped, "other line", "other lines");
        result.note = Some(format!("{lines} did not lead there when played").into());
    }
}

/// The line to what was found, with everything that has to be typed until it happens.
fn line_to_found(exploration: &mut Exploration, (id, last): Found) -> Line {
    let mut line = exploration.line_to(id, last);
    if !exploration.setup.watch.looks_for_events() || !exploration.setup.is_turn_game() {
        return line;
    }
    let is_in_next_turn = match last {
        None => !exploration.is_entry_running,
        Some(label) => {
            let bytes = exploration.graph.bytes(id).to_vec();
            let action = exploration.simulator.action(&bytes, label);
            action.is_some_and(|action| exploration.simulator.hits_in_next_turn(&bytes, action))
        }
    };
    if is_in_next_turn && let Some((turn, _)) = exploration.setup.entries.first() {
        line.steps.push(LineStep::Entry(turn.clone()));
    }
    line
}

/// The line to what was found, if playing it leads there. Nothing of it is kept.
pub(crate) fn confirmed_line(
    exploration: &mut Exploration,
    target: &mut Target,
    found: Found,
    expected: &mut Expected<'_>,
) -> Option<Vec<LineMove>> {
    let line = line_to_found(exploration, found);
    let is_confirmed = is_confirmed(exploration, target, &line, found, expected);
    is_confirmed.then_some(line.moves)
}
