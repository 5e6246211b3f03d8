//! The moves that are possible in the current position, and what each would do.

use crate::Explorer;
use crate::answer::{Change, CommandError, MoveList, PossibleMove, SearchStop};
use crate::debugger::diff;
use crate::debugger::{Target, field_diff};
use crate::language::Actions;
use crate::machine::{LinkedImage, Outcome, Pause};
use crate::model::actions::Action;
use crate::model::goal::CompiledGoal;
use crate::model::setup::{Scope, Setup};
use crate::position::packing::Phase;
use crate::search::control::SearchControl;
use crate::search::expansion::{Expansion, Outline};
use crate::value::Value;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::atomic::Ordering;

/// Moves beyond this number are counted, not listed.
pub const MAX_MOVES_LISTED: usize = 500;

impl Explorer {
    /// The moves that are possible now; with `all`, also the actions that have no effect.
    pub fn moves(
        &mut self,
        target: &mut Target,
        all: bool,
        scope: &Scope,
        control: &mut SearchControl<'_>,
    ) -> Result<MoveList, CommandError> {
        crate::require_moves(target, scope)?;
        control.require_memory(target)?;
        let program = (**target.program()).clone();
        let goal = CompiledGoal::none(program);
        let exploration = self.exploration(target, &goal, scope)?;
        let only_note = |note: String| MoveList {
            notes: vec![note],
            ..MoveList::default()
        };
        if let Some(failure) = &exploration.start_failure {
            let message = &failure.message;
            return Ok(only_note(format!("the game cannot be started: {message}")));
        }
        if let Some((game, _)) = &exploration.setup.game
            && Phase::of(exploration.graph.bytes(0)) != Phase::Question
        {
            return Ok(only_note(format!("`{game}` ends without a question")));
        }
        let mut list = MoveList {
            lists_all: all,
            ..MoveList::default()
        };
        let start = exploration.graph.bytes(0).to_vec();
        let info = exploration.graph.info(0);
        if info.is_end() {
            list.notes.push("the game is over".into());
            return Ok(list);
        }
        if Phase::of(&start) == Phase::TurnDraw {
            // What follows depends on the number.
            list.moves.push(PossibleMove {
                entry: exploration.setup.turn_entry(),
                player: exploration.player_name(0),
                effect: true,
                random: true,
                ..PossibleMove::default()
            });
            return Ok(list);
        }
        let mut expansion = Expansion::default();
        let cancel = control.cancel.clone();
        let mut has_to_stop = || cancel.load(Ordering::Relaxed) || control.is_late();
        let found = exploration
            .simulator
            .outlines(&start, &mut expansion, &mut has_to_stop);
        let player = exploration.player_name(0);
        // Where each move leads, by its number.
        let found: HashMap<u32, Outline> = found.into_iter().map(|m| (m.label, m)).collect();
        let failures = expansion.failures.iter();
        let errors: HashMap<u32, &str> = failures
            .map(|(label, failure)| (*label, failure.message.as_str()))
            .collect();
        let actions = exploration.simulator.listed_actions();
        let setup = exploration.setup.clone();
        let mut image = LinkedImage::new(Rc::new(setup.program.to_program()));
        // The first move to each position, by its place in the list.
        let mut first_to: HashMap<u64, usize> = HashMap::new();
        // Once it has to stop, moves that were found are still listed, but not what they change.
        let mut is_stopped = expansion.is_cancelled;
        for &(label, action) in actions {
            let known = found.get(&label);
            let error = errors.get(&label);
            if known.is_none() && error.is_none() {
                if expansion.is_cancelled {
                    continue;
                }
                list.without_effect += 1;
                if !all {
                    continue;
                }
            }
            if list.moves.len() >= MAX_MOVES_LISTED {
                list.omitted += 1;
                continue;
            }
            let is_end = |m: &&Outline| m.info.is_end() && m.phase != Phase::Value;
            let ends = known.filter(is_end).map(|m| m.info.status());
            let mut possible = PossibleMove {
                entry: setup.entry_of(action),
                player: player.clone(),
                changes: Vec::new(),
                effect: known.is_some(),
                error: error.map(|error| error.to_string()),
                reason: None,
                random: known.is_some_and(|m| m.info.is_chance()),
                ends: ends.map(|status| status.as_str().to_string()),
                same_as: None,
            };
            is_stopped |= has_to_stop();
            if error.is_none() && !is_stopped {
                match try_action(target, &mut image, &setup, action) {
                    Some(effect) => {
                        possible.reason = effect.message.filter(|_| !possible.effect);
                        possible.changes = effect.changes;
                    }
                    None => is_stopped = true,
                }
            }
            if let Some(position) = known.map(|m| m.fingerprint) {
                let first = *first_to.entry(position).or_insert(list.moves.len());
                // Variables that cannot matter are not part of a position, but the player sees them.
                let first = list.moves.get(first);
                let alike = first.filter(|first| first.changes == possible.changes);
                possible.same_as = alike.map(|first| first.entry.clone());
            }
            list.moves.push(possible);
        }
        let why = match cancel.load(Ordering::Relaxed) {
            true => SearchStop::Interrupt,
            false => SearchStop::Time,
        };
        let why_text = match why {
            SearchStop::Interrupt => "interrupted",
            _ => "stopped by the time limit",
        };
        if expansion.is_cancelled {
            list.stopped_by = Some(why);
            let note = format!("{why_text} before all actions were tried");
            list.notes.push(note);
        } else if is_stopped {
            let note = format!("{why_text} before all that the moves change was known");
            list.notes.push(note);
        }
        if list.moves.is_empty() && list.notes.is_empty() {
            list.notes.push(match list.without_effect {
                0 => "no move is possible".into(),
                _ => "no move is possible: nothing that can be tried has an effect".into(),
            });
        }
        let asks = Phase::of(&start) == Phase::Question && target.machine.is_idle();
        let started = setup.game.as_ref().or(setup.entries.first());
        if let Some((turn, _)) = started.filter(|_| asks) {
            list.notes
                .push(format!("these are answers: `{turn}` asks for them"));
        }
        let assumed = setup.candidates.values().filter_map(|c| c.assumed.clone());
        list.notes
            .extend(assumed.map(|assumed| format!("assuming that {assumed}")));
        Ok(list)
    }
}

/// What an action does to the game.
struct ActionEffect {
    changes: Vec<Change>,
    message: Option<String>,
}

/// Runs an action on the live machine and rolls it back. `None` if Ctrl-C stopped it.
fn try_action(
    target: &mut Target,
    image: &mut LinkedImage,
    setup: &Setup,
    action: Action,
) -> Option<ActionEffect> {
    // After `:undo`, the answers and numbers of the moves that can be redone are not those of this one.
    let (at, future) = (target.machine.log_position(), target.machine.split_log());
    let effect = target.with_rollback(|target| {
        // What the game does before its first question is not due to the answer.
        if let Some((_, game)) = setup.game.as_ref().filter(|_| target.machine.is_idle()) {
            target.machine.swap_image(image);
            let _ = target.machine.start(*game, &[]);
            let has_ended = run_to_end(target);
            target.machine.swap_image(image);
            if !has_ended {
                return None;
            }
        }
        let (before, _) = target.machine.store.snapshot();
        let fields_before = diff::record_fields(target);
        let message_before = target.displayed_message();
        target.machine.swap_image(image);
        let function = match action {
            Action::Click { .. } => match setup.model.actions {
                Actions::Clicks(function) => Some(function),
                _ => None,
            },
            Action::Entry(n) => setup.entries.get(n).map(|e| e.1),
            Action::Answer { .. } | Action::Draw { .. } | Action::NextTurn | Action::TakeTurn => {
                None
            }
        };
        match (action, function) {
            (Action::Click { row, col }, Some(function)) => {
                let arguments = [Value::int(row as i32), Value::int(col as i32)];
                let _ = target.machine.start(function, &arguments);
            }
            (_, Some(function)) => {
                let _ = target.machine.start(function, &[]);
            }
            (Action::Answer { kind, .. }, None) => {
                // The turn that asks may not have started yet.
                if let Some((_, turn)) = setup.entries.first()
                    && target.machine.is_idle()
                {
                    let _ = target.machine.start(*turn, &[]);
                    run_to_end(target);
                }
                let _ = target.machine.answer(kind, &setup.entry_of(action));
            }
            _ => {}
        }
        let has_ended = run_to_end(target);
        target.machine.swap_image(image);
        if !has_ended {
            return None;
        }
        let (now, _) = target.machine.store.snapshot();
        let message = target.displayed_message();
        let mut changes = diff::state_diff(target, &before, &now);
        changes.extend(field_diff(&fields_before, &diff::record_fields(target)));
        Some(ActionEffect {
            changes,
            message: message.filter(|m| Some(m) != message_before.as_ref()),
        })
    });
    target.machine.replace_log_tail(at, future);
    effect
}

/// Runs to the end of an action or to the next question, past everything else that stops a run but
/// Ctrl-C. Returns false after that.
fn run_to_end(target: &mut Target) -> bool {
    loop {
        match target.machine.run() {
            Outcome::Paused(
                Pause::Trap | Pause::Watch | Pause::Time | Pause::Output | Pause::Checkpoints,
            ) => {}
            outcome => return outcome != Outcome::Paused(Pause::Interrupt),
        }
    }
}
