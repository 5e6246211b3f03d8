//! The remark that only one player can win.

use super::Remarks;
use crate::answer::RemarkKind;
use crate::code::{FunctionId, Program, Status};
use crate::position::graph::PositionId;
use crate::position::packing::Phase;
use crate::question::winners::sole_winner;
use crate::search::Exploration;
use crate::source::Span;
use std::collections::BTreeSet;

impl Remarks<'_> {
    /// That only one player can win, and why, if it is known.
    pub fn add_one_sided(&mut self, exploration: &Exploration) {
        let players = exploration.setup.players.clone();
        if players.len() < 2 {
            return;
        }
        let graph = &exploration.graph;
        let (mut winners, mut movers) = (BTreeSet::new(), BTreeSet::new());
        for id in 0..graph.len() as PositionId {
            let info = graph.info(id);
            if info.status() == Status::Won && info.player().is_none() {
                // Several players have won.
                return;
            }
            if info.is_end() {
                winners.extend(sole_winner(info, players.len()));
            } else if !info.is_chance() && graph.edges(id).next().is_some() {
                movers.extend(info.player());
            }
        }
        let mut winners = winners.into_iter();
        let (Some(winner), None) = (winners.next(), winners.next()) else {
            return;
        };
        let idle = (0..players.len()).find(|p| *p != winner && !movers.contains(p));
        let (span, reason) = match idle {
            Some(player) => (None, format!("{} never moves", players[player])),
            None => self
                .ignored_piece(exploration, winner)
                .unwrap_or((None, String::new())),
        };
        let subject = format!("only {} can win", players[winner]);
        self.add(RemarkKind::OneSided, span, subject, reason, Vec::new());
    }

    /// A piece that only the other players place and that the condition for winning never mentions,
    /// although it mentions others.
    fn ignored_piece(
        &self,
        exploration: &Exploration,
        winner: usize,
    ) -> Option<(Option<Span>, String)> {
        let program = self.target.program();
        let conditions = &exploration.setup.model.end_conditions;
        let condition = conditions.iter().find(|c| c.status == Status::Won)?;
        let function = condition.function?;
        let mentioned = mentioned_kinds(program, function);
        if mentioned.is_empty() {
            return None;
        }
        let (by_winner, by_others) = placed_kinds(exploration, winner);
        let ignored = by_others
            .difference(&by_winner)
            .find(|kind| !mentioned.contains(kind))?;
        let name = program.piece_kinds.get(usize::from(*ignored))?.name;
        let span = self.function_span(function);
        let title = self.function_name(function);
        let at = self.at(span);
        Some((span, format!("{title}{at}, never looks at \"{name}\"")))
    }
}

/// The kinds of pieces whose names occur in a function or in what it calls.
fn mentioned_kinds(program: &Program, function: FunctionId) -> BTreeSet<u16> {
    let summary = crate::code::flow::Summary::of(program, std::iter::once(function));
    let functions = summary
        .functions
        .iter()
        .filter_map(|f| program.function(*f));
    let names: BTreeSet<_> = functions
        .flat_map(|f| f.constants.iter().filter_map(|v| v.as_interned()))
        .collect();
    let kinds = (0..).zip(program.piece_kinds.iter());
    kinds
        .filter(|(_, kind)| names.contains(&kind.name))
        .map(|(n, _)| n)
        .collect()
}

/// The kinds of pieces that appear in moves of a player, and in moves of the others.
fn placed_kinds(exploration: &Exploration, player: usize) -> (BTreeSet<u16>, BTreeSet<u16>) {
    let graph = &exploration.graph;
    let (mut simulator, _) = exploration.evaluator(std::iter::empty());
    let mut kinds_in = |id: PositionId| -> Vec<Option<u16>> {
        let bytes = graph.bytes(id);
        if Phase::of(bytes) == Phase::Value {
            return Vec::new();
        }
        simulator.load(bytes);
        let cells = simulator.machine.store.cells.as_slice();
        cells.iter().map(|c| c.as_piece().map(|p| p.kind)).collect()
    };
    let (mut mine, mut others) = (BTreeSet::new(), BTreeSet::new());
    for id in 0..graph.len() as PositionId {
        let info = graph.info(id);
        if info.is_end() {
            continue;
        }
        let before = kinds_in(id);
        for edge in graph.edges(id) {
            let after = kinds_in(edge.to);
            let changed = before.iter().zip(&after).filter(|(b, a)| b != a);
            let placed = changed.filter_map(|(_, after)| *after);
            match info.player() == Some(player) {
                true => mine.extend(placed),
                false => others.extend(placed),
            }
        }
    }
    (mine, others)
}
