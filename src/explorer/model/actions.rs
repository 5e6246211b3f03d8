//! The actions that can be tried in a position.

use crate::code::{Instr, PieceEvent};
use crate::language::Actions;
use crate::machine::{DrawRange, Machine, Outcome, Pause};
use crate::position::packing::Phase;
use crate::position::simulator::Simulator;
use crate::question::random_game::SplitMix;

/// A range of more numbers than this is sampled instead of enumerated.
const MAX_DRAWS: u64 = 64;
/// How many numbers of such a range are tried.
const SAMPLED_DRAWS: u64 = 16;

/// What an action is: how it starts in a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Action {
    /// Calls the function for clicks.
    Click { row: u32, col: u32 },
    /// Runs one of the entries.
    Entry(usize),
    /// Gives one of the candidates as the answer to a question of this kind.
    Answer { kind: u8, candidate: usize },
    /// Draws this number.
    Draw { range: DrawRange, number: i64 },
    /// Begins the next turn, up to its first question: nobody has to do anything.
    NextTurn,
    /// Makes the move that a turn without questions is. It has been run already.
    TakeTurn,
}

impl Simulator {
    /// Lists the actions that can be tried in the position that is loaded, with their numbers. Returns
    /// whether it could do so without being interrupted.
    pub(crate) fn list_actions(
        &mut self,
        phase: Phase,
        actions: &mut Vec<(u32, Action)>,
        is_sampled: &mut bool,
    ) -> bool {
        match phase {
            Phase::Idle => match &self.setup.model.actions {
                Actions::Clicks(_) => {
                    // A list that doubles its size when it is full could take twice the memory.
                    let cells = self.machine.store.cells.len();
                    actions.reserve_exact(cells.saturating_sub(actions.len()));
                    let cells = clickable_cells(&self.machine).map(|cell| {
                        let (row, col) = self.machine.store.row_col(cell);
                        (cell, Action::Click { row, col })
                    });
                    actions.extend(cells);
                }
                Actions::Entries(_) | Actions::Turn(_) => {
                    let entries = 0..self.setup.entries.len();
                    actions.extend(entries.map(|n| (n as u32, Action::Entry(n))));
                }
                Actions::None => {}
            },
            Phase::Question => {
                let Some(Instr::Ask { input_kind, .. }) = self.machine.next_instruction() else {
                    return true;
                };
                let candidates = self.setup.candidates.get(&input_kind);
                let count = candidates.map_or(0, |c| c.answers.len());
                actions.extend((0..count).map(|candidate| {
                    let kind = input_kind;
                    (candidate as u32, Action::Answer { kind, candidate })
                }));
            }
            // There may be a trap at the draw.
            Phase::Draw | Phase::TurnDraw => match self.machine.run() {
                Outcome::Paused(Pause::Draw(range)) => {
                    let numbers = draws(range);
                    *is_sampled |= (numbers.len() as u64) < range.count();
                    let labels = numbers.into_iter().map(|number| {
                        let label = number.abs_diff(range.low).min(u32::MAX.into()) as u32;
                        (label, Action::Draw { range, number })
                    });
                    actions.extend(labels);
                }
                Outcome::Paused(_) => return self.keep_interrupt(),
                _ => {}
            },
            Phase::Value => {}
            Phase::TurnEnd => actions.push((0, Action::NextTurn)),
            Phase::TurnTaken => actions.push((0, Action::TakeTurn)),
        }
        true
    }

    /// The actions that can be tried in a position, with their numbers.
    pub fn actions_of(&mut self, position: &[u8]) -> Vec<(u32, Action)> {
        let phase = self.load(position);
        let mut actions = Vec::new();
        self.list_actions(phase, &mut actions, &mut false);
        actions
    }

    /// Draws a number in a position in which one is drawn next: any of its range with the same
    /// probability. `None` if it was interrupted.
    pub fn random_draw(&mut self, position: &[u8], random: &mut SplitMix) -> Option<Action> {
        self.load(position);
        match self.machine.run() {
            Outcome::Paused(Pause::Draw(range)) => {
                let number = range
                    .low
                    .wrapping_add_unsigned(random.below_u64(range.count()));
                Some(Action::Draw { range, number })
            }
            Outcome::Paused(_) => {
                self.keep_interrupt();
                None
            }
            _ => None,
        }
    }

    /// The action with this number in a position.
    pub fn action(&mut self, position: &[u8], label: u32) -> Option<Action> {
        let mut actions = self.actions_of(position).into_iter();
        let found = actions.find(|(number, _)| *number == label);
        found.map(|(_, action)| action)
    }
}

/// The cells whose pieces handle clicks.
pub(crate) fn clickable_cells(machine: &Machine) -> impl Iterator<Item = u32> {
    let program = machine.program();
    let handles: Vec<bool> = program
        .piece_kinds
        .iter()
        .map(|kind| kind.handlers[PieceEvent::Click as usize].is_some())
        .collect();
    let cells = (0..).zip(machine.store.cells.as_slice());
    cells.filter_map(move |(cell, value)| {
        let piece = value.as_piece()?;
        handles.get(piece.kind as usize)?.then_some(cell)
    })
}

/// The numbers to try: all of them, or some of a large range, the smallest and the largest included.
fn draws(range: DrawRange) -> Vec<i64> {
    let count = range.count();
    if count <= MAX_DRAWS {
        return (range.low..range.high).collect();
    }
    let offset = |n: u64| u128::from(count - 1) * u128::from(n) / u128::from(SAMPLED_DRAWS - 1);
    let at = |n: u64| range.low.wrapping_add_unsigned(offset(n) as u64);
    (0..SAMPLED_DRAWS).map(at).collect()
}
