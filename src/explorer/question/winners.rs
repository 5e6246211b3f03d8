//! Who wins and who loses: games can have several winners, and where there are two players, the loss of one
//! is worth as much as a win of the other.

use super::find::FindRequest;
use crate::answer::{FindResult, FindVerdict, GoalKind, Note};
use crate::code::Status;
use crate::position::graph::PositionId;
use crate::position::simulator::Simulator;
use crate::search::Exploration;
use crate::search::expansion::PositionInfo;
use crate::search::found::Found;

/// The player for whom an end of the game counts as a win over the others, by index. A single player is 0; a
/// game that such a player loses counts for 1.
pub(crate) fn sole_winner(info: PositionInfo, players: usize) -> Option<usize> {
    match (info.status(), info.player()) {
        (Status::Won, None) if players == 0 || players == 1 && info.is_shared_win() => Some(0),
        // A shared win is not a win over the others.
        (Status::Won, player) => player,
        (Status::Lost, player) if players < 2 => Some(1 - player.unwrap_or(0).min(1)),
        // The player whose turn it is has lost.
        (Status::Lost, Some(loser)) if players == 2 && loser < 2 => Some(1 - loser),
        (Status::Lost | Status::Playing | Status::Drawn | Status::Over, _) => None,
    }
}

impl Simulator {
    /// The names of all players who have won in a position.
    pub fn winners_in(&mut self, position: &[u8]) -> Vec<String> {
        self.load(position);
        let winners = self.setup.language.winners(&self.machine.store);
        winners.into_iter().map(String::from).collect()
    }
}

/// The names of the players who have won in a position.
fn winner_names(exploration: &mut Exploration, id: PositionId) -> Vec<String> {
    let info = exploration.graph.info(id);
    match info.is_shared_win() {
        true => exploration
            .simulator
            .winners_in(exploration.graph.bytes(id)),
        false => exploration.player_name(id).into_iter().collect(),
    }
}

/// Adds to an answer whose win or loss it is about.
pub(crate) fn name_players(
    exploration: &mut Exploration,
    request: &FindRequest,
    found: Option<Found>,
    result: &mut FindResult,
) {
    if result.kind != GoalKind::Ending || !matches!(request.goal.as_str(), "win" | "lose") {
        return;
    }
    match found {
        Some((id, None)) if request.player.is_none() => {
            let names = match exploration.graph.info(id).status() {
                Status::Won => winner_names(exploration, id),
                _ => exploration.player_name(id).into_iter().collect(),
            };
            let is_known = !names.is_empty() && exploration.setup.players.len() > 1;
            result.player = is_known.then(|| names.join(", ")).or(result.player.take());
        }
        Some(_) => result.player.clone_from(&request.player),
        None if matches!(result.verdict, FindVerdict::Never | FindVerdict::NotWithin) => {
            result.player.clone_from(&request.player);
            if let Some(note) = loss_note(exploration, request) {
                result.note = Some(note);
            }
        }
        None => {}
    }
}

/// That the other of two players can lose, where a player was found not to win.
fn loss_note(exploration: &Exploration, request: &FindRequest) -> Option<Note> {
    let [first, second] = exploration.setup.players.as_slice() else {
        return None;
    };
    if request.goal != "win" {
        return None;
    }
    let Some(player) = &request.player else {
        let mut infos =
            (0..exploration.graph.len() as PositionId).map(|id| exploration.graph.info(id));
        let loser = infos.find(|i| i.status() == Status::Lost)?.player()?;
        let (loser, winner) = match loser {
            0 => (first, second),
            _ => (second, first),
        };
        return Some(Note::advising(
            format!("{loser} can lose, which is worth as much to {winner} as a win"),
            ":find lose".into(),
            "shows a way",
        ));
    };
    let (other, index) = match player == first {
        true => (second, 1),
        false => (first, 0),
    };
    let mut infos = (0..exploration.graph.len() as PositionId).map(|id| exploration.graph.info(id));
    let loses = infos.any(|i| i.status() == Status::Lost && i.player() == Some(index));
    loses.then(|| {
        Note::advising(
            format!("{other} can lose, which is worth as much to {player}"),
            format!(":find lose for {other}"),
            "shows a way",
        )
    })
}
