//! What `:save --clean` leaves out: lines that failed, and detours, which lead back to the point in
//! the history where they began.

use crate::command::{Command, Topic, find};
use crate::session::{HistoryPosition, Sets, TranscriptEntry};
use std::collections::HashMap;

/// Which detours are left out. Lines that failed always are, and so are commands that
/// only show where the program is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Detours {
    /// All, among them entries that were undone, together with the `:undo`.
    All,
    /// Those that begin with a time-travel command. Entries that were undone stay, because a later
    /// line may redo them.
    TimeTravel,
    /// None.
    None,
}

/// A line with the answers that the program asked for.
#[derive(Clone, Copy)]
struct Step<'s, 't> {
    lines: &'s [&'t TranscriptEntry],
}

impl Step<'_, '_> {
    fn first(&self) -> &TranscriptEntry {
        self.lines[0]
    }

    fn last(&self) -> &TranscriptEntry {
        self.lines[self.lines.len() - 1]
    }

    fn moves(&self) -> bool {
        self.first().position_before != self.last().position_after
    }

    fn command(&self) -> Option<&'static Command> {
        find(self.first().command?).ok()
    }

    fn is_time_travel(&self) -> bool {
        self.command().is_some_and(|c| c.topic == Topic::TimeTravel)
    }

    /// Whether it has no effect except on the game and the point in the history.
    fn can_be_part_of_detour(&self) -> bool {
        let command = self.command();
        command.is_none_or(|c| c.effects.setting == Sets::None && c.topic != Topic::Session)
    }

    /// Whether it can be left out on its own.
    fn is_idle(&self) -> bool {
        let is_orientation = |command: &Command| command.effects.is_orientation;
        !self.moves() && (self.last().has_failed || self.command().is_some_and(is_orientation))
    }
}

/// The entries without detours and without those that failed. A detour with a remark in it is kept.
pub(crate) fn without_detours<'t>(
    entries: &[&'t TranscriptEntry],
    detours: Detours,
) -> Vec<&'t TranscriptEntry> {
    let steps = entries.chunk_by(|_, next| next.is_answer);
    let mut steps: Vec<Step<'_, '_>> = steps.map(|lines| Step { lines }).collect();
    // Trips through time first: the end of one may be the start of an entry that was not undone.
    if detours != Detours::None {
        steps = without_round_trips(steps, |step| step.is_time_travel());
    }
    if detours == Detours::All {
        steps = without_round_trips(steps, |_| true);
    }
    let kept = steps.iter().filter(|step| !step.is_idle());
    kept.flat_map(|step| step.lines).copied().collect()
}

/// Leaves out steps that lead back to where the first of them began, if that one `may_begin` a detour.
fn without_round_trips<'s, 't>(
    steps: Vec<Step<'s, 't>>,
    may_begin: impl Fn(&Step<'_, '_>) -> bool,
) -> Vec<Step<'s, 't>> {
    let mut kept = Vec::new();
    for stretch in steps.chunk_by(|a, b| a.can_be_part_of_detour() && b.can_be_part_of_detour()) {
        let moving = stretch.iter().enumerate().filter(|(_, step)| step.moves());
        let last_at: HashMap<HistoryPosition, usize> = moving
            .map(|(n, step)| (step.last().position_after, n))
            .collect();
        let mut n = 0;
        while let Some(step) = stretch.get(n) {
            let end = last_at.get(&step.first().position_before).copied();
            match end.filter(|end| *end > n && step.moves() && may_begin(step)) {
                Some(end) => n = end,
                None => kept.push(*step),
            }
            n += 1;
        }
    }
    kept
}
