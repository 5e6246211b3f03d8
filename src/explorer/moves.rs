//! The moves that are possible in the current position, and what each would do.

use super::Explorer;
use super::actions::Action;
use super::control::SearchControl;
use super::expansion::Expansion;
use super::goal::CompiledGoal;
use super::packing::Phase;
use super::setup::{Scope, Setup};
use crate::code::Status;
use crate::debugger::Target;
use crate::debugger::api::{Change, CommandError, MoveList, PossibleMove};
use crate::language::Actions;
use crate::machine::{LinkedImage, Outcome, Pause};
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
        let program = (**target.program()).clone();
        let goal = CompiledGoal::none(program);
        let exploration = self.exploration(target, &goal, scope)?;
        if exploration.setup.game.is_some() {
            let game = exploration
                .setup
                .game
                .as_ref()
                .map(|g| g.0.clone())
                .unwrap_or_default();
            return Ok(MoveList {
                notes: vec![format!(
                    "no question is open; `{game}` starts the game, then `:moves` lists the answers"
                )],
                ..MoveList::default()
            });
        }
        let mut list = MoveList::default();
        let start = exploration.graph.bytes(0).to_vec();
        let info = exploration.graph.info(0);
        if info.is_end() {
            list.notes.push("the game is over".into());
            return Ok(list);
        }
        let mut expansion = Expansion::default();
        let cancel = control.cancel.clone();
        let mut has_to_stop = || cancel.load(Ordering::Relaxed) || control.is_late();
        exploration
            .simulator
            .expand(&start, &mut expansion, &mut has_to_stop);
        let player = exploration.player_name(0);
        let mut moves: HashMap<u32, PossibleMove> = HashMap::new();
        for (n, successor) in expansion.successors.iter().enumerate() {
            let ends = match (successor.info.is_end(), Phase::of(expansion.bytes_of(n))) {
                (false, _) | (_, Phase::Value) => None,
                _ => Some(successor.info.status().as_str().to_string()),
            };
            moves.insert(
                successor.label,
                PossibleMove {
                    entry: String::new(),
                    player: player.clone(),
                    changes: Vec::new(),
                    effect: true,
                    error: None,
                    reason: None,
                    random: successor.info.is_chance(),
                    ends: ends.filter(|_| successor.info.status() != Status::Playing),
                },
            );
        }
        let errors: HashMap<u32, String> = expansion
            .failures
            .iter()
            .map(|(label, failure)| (*label, failure.message.clone()))
            .collect();
        let actions = exploration.simulator.actions_of(&start);
        let setup = exploration.setup.clone();
        let mut image = LinkedImage::new(Rc::new(setup.program.to_program()));
        for (label, action) in actions {
            let known = moves.remove(&label);
            let error = errors.get(&label).cloned();
            if known.is_none() && error.is_none() {
                list.without_effect += 1;
                if !all {
                    continue;
                }
            }
            if list.moves.len() >= MAX_MOVES_LISTED {
                list.omitted += 1;
                continue;
            }
            let mut possible = known.unwrap_or(PossibleMove {
                entry: String::new(),
                player: player.clone(),
                changes: Vec::new(),
                effect: false,
                error: error.clone(),
                reason: None,
                random: false,
                ends: None,
            });
            possible.entry = setup.entry_of(action);
            if error.is_none() {
                let effect = try_action(target, &mut image, &setup, action);
                possible.reason = effect.message.filter(|_| !possible.effect);
                possible.changes = effect.changes;
            }
            list.moves.push(possible);
        }
        if expansion.is_cancelled {
            list.notes
                .push("stopped before all actions were tried".into());
        }
        let assumed = setup.candidates.values().filter_map(|c| c.assumed.clone());
        list.notes
            .extend(assumed.map(|assumed| format!("assuming that {assumed}")));
        if list.moves.is_empty() && list.notes.is_empty() {
            list.notes.push(match list.without_effect {
                0 => "no move is possible".into(),
                _ => "no move is possible: nothing that can be tried has an effect".into(),
            });
        }
        Ok(list)
    }
}

/// What an action does to the game.
struct ActionEffect {
    changes: Vec<Change>,
    message: Option<String>,
}

/// Runs an action on the live machine and rolls it back.
fn try_action(
    target: &mut Target,
    image: &mut LinkedImage,
    setup: &Setup,
    action: Action,
) -> ActionEffect {
    target.with_rollback(|target| {
        let (before, _) = target.machine.store.snapshot();
        let message_before = target.displayed_message();
        target.machine.swap_image(image);
        let function = match action {
            Action::Click { .. } => match setup.model.actions {
                Actions::Clicks(function) => Some(function),
                _ => None,
            },
            Action::Entry(n) => setup.entries.get(n).map(|e| e.1),
            Action::Answer { .. } | Action::Draw { .. } => None,
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
                let _ = target.machine.answer(kind, &setup.entry_of(action));
            }
            _ => {}
        }
        while matches!(
            target.machine.run(),
            Outcome::Paused(Pause::Trap | Pause::Time | Pause::Output)
        ) {}
        target.machine.swap_image(image);
        let (now, _) = target.machine.store.snapshot();
        let message = target.displayed_message();
        ActionEffect {
            changes: target.state_diff(&before, &now),
            message: message.filter(|m| Some(m) != message_before.as_ref()),
        }
    })
}
