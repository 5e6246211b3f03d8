//! What can happen in one position: the actions that were tried, and what each leads to.

use crate::code::Status;
use crate::position::graph::hash;
use crate::position::packing::Phase;
use crate::source::Span;

/// Who moves or who has won in a position, in two bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PositionInfo {
    /// The status, and the flags below.
    flags: u8,
    /// The number of the player, from 1; 0 if there is none.
    player: u8,
}

/// A search cannot tell more players apart than this.
pub(crate) const MAX_PLAYERS: usize = 200;

impl PositionInfo {
    const STATUSES: [Status; 5] = [
        Status::Playing,
        Status::Won,
        Status::Lost,
        Status::Drawn,
        Status::Over,
    ];
    const STATUS_BITS: u8 = 7;
    const CHANCE: u8 = 8;
    const SHARED: u8 = 16;

    pub(crate) fn new(status: Status, is_draw: bool, player: Option<usize>) -> PositionInfo {
        let status = PositionInfo::STATUSES.iter().position(|s| *s == status);
        let chance = if is_draw { PositionInfo::CHANCE } else { 0 };
        let player = player.filter(|p| *p < MAX_PLAYERS).map_or(0, |p| p + 1);
        PositionInfo {
            flags: status.unwrap_or(0) as u8 | chance,
            player: player as u8,
        }
    }

    /// The game is won by several players.
    pub(crate) fn shared_win() -> PositionInfo {
        let mut info = PositionInfo::new(Status::Won, false, None);
        info.flags |= PositionInfo::SHARED;
        info
    }

    /// Whether and how the game has ended.
    pub fn status(self) -> Status {
        let status = self.flags & PositionInfo::STATUS_BITS;
        let status = PositionInfo::STATUSES.get(usize::from(status));
        status.copied().unwrap_or_default()
    }

    /// Whether a random number is drawn next, so that nobody chooses.
    pub fn is_chance(self) -> bool {
        self.flags & PositionInfo::CHANCE != 0
    }

    /// Whether several players have won. Only the position says who.
    pub fn is_shared_win(self) -> bool {
        self.flags & PositionInfo::SHARED != 0
    }

    /// The index of the player who moves or, in a game that is won by a single player, has won.
    pub fn player(self) -> Option<usize> {
        self.player.checked_sub(1).map(usize::from)
    }

    /// Whether the game has ended.
    pub fn is_end(self) -> bool {
        self.status() != Status::Playing
    }
}

/// An action that failed, or did not end.
#[derive(Clone, PartialEq, Debug)]
pub struct ActionFailure {
    /// The error code.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// Where it happened.
    pub span: Option<Span>,
}

impl ActionFailure {
    /// Whether the action was given up because it took too long: it might have ended later.
    pub fn is_given_up(&self) -> bool {
        self.code == GIVEN_UP
    }
}

/// The code of the error of an action that exceeds its budget.
pub(crate) const GIVEN_UP: &str = "RT019";

/// A position that an action leads to.
#[derive(Clone, Debug)]
pub(crate) struct Successor {
    /// The number of the action: its cell, entry, answer or number drawn.
    pub label: u32,
    /// Where its bytes end in [`Expansion::bytes`]; they start where those before end.
    pub end: usize,
    pub info: PositionInfo,
}

/// A position that an action leads to, without its bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outline {
    /// The number of the action.
    pub label: u32,
    pub info: PositionInfo,
    pub phase: Phase,
    /// Equal for equal positions, and practically never for others.
    pub fingerprint: u64,
}

/// Everything that can happen in one position.
#[derive(Default, Debug)]
pub(crate) struct Expansion {
    pub successors: Vec<Successor>,
    pub bytes: Vec<u8>,
    /// Actions that failed.
    pub failures: Vec<(u32, ActionFailure)>,
    /// Actions during which what the search watches for happened.
    pub hits: Vec<u32>,
    /// How many actions were run.
    pub actions: u32,
    /// Not every number of a draw was tried.
    pub is_sampled: bool,
    /// It was interrupted and is incomplete.
    pub is_cancelled: bool,
}

impl Expansion {
    pub fn clear(&mut self) {
        self.successors.clear();
        self.bytes.clear();
        self.failures.clear();
        self.hits.clear();
        (self.actions, self.is_sampled, self.is_cancelled) = (0, false, false);
    }

    /// Bytes of memory, approximately: positions, and actions that failed.
    pub fn memory_bytes(&self) -> usize {
        const FAILURE_BYTES: usize = 128;
        self.bytes.len() + self.failures.len() * FAILURE_BYTES
    }

    /// Adds the outlines of the successors.
    pub fn add_outlines(&self, outlines: &mut Vec<Outline>) {
        let successors = self.successors.iter().enumerate();
        outlines.extend(successors.map(|(n, successor)| Outline {
            label: successor.label,
            info: successor.info,
            phase: Phase::of(self.bytes_of(n)),
            fingerprint: hash(self.bytes_of(n)),
        }));
    }

    /// The packed position of a successor.
    pub fn bytes_of(&self, n: usize) -> &[u8] {
        let start = n.checked_sub(1).map_or(0, |n| self.successors[n].end);
        &self.bytes[start..self.successors[n].end]
    }
}
