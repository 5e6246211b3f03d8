//! How much was searched, and what was assumed.

use super::Exploration;
use super::control::StoppedBy;
use super::expansion::GIVEN_UP;
use crate::answer::{SearchExtent, SearchStop};
use crate::model::setup::Scope;
use crate::position::simulator::ACTION_BUDGET_INSTRUCTIONS;

impl From<StoppedBy> for SearchStop {
    fn from(stopped: StoppedBy) -> SearchStop {
        match stopped {
            StoppedBy::Time => SearchStop::Time,
            StoppedBy::Memory => SearchStop::Memory,
            StoppedBy::Interrupt => SearchStop::Interrupt,
        }
    }
}

impl Exploration {
    /// Whether every answer and every random number is tried, and every action to its end, so that what is
    /// not found is impossible.
    pub(crate) fn tries_everything(&self) -> bool {
        let mut candidates = self.setup.candidates.values();
        let start = self.start_failure.as_ref();
        !self.graph.is_sampled
            && !self.graph.has_given_up
            && !candidates.any(|c| c.has_untried)
            && start.is_none_or(|failure| failure.code != GIVEN_UP)
    }

    /// How much was searched.
    pub(crate) fn extent(&self, scope: &Scope, stopped: Option<SearchStop>) -> SearchExtent {
        let complete = self.is_complete();
        let is_limit = matches!(stopped, Some(SearchStop::Time | SearchStop::Memory));
        let mut assumed: Vec<String> = self
            .setup
            .candidates
            .values()
            .filter_map(|c| c.assumed.clone())
            .collect();
        assumed.dedup();
        if self.setup.hides_pieces {
            assumed.push("hidden pieces are seen by the search".into());
        }
        if self.setup.candidates.values().any(|c| c.has_untried) {
            assumed.push(
                "questions for a board are not answered; `inputs` names answers to try".into(),
            );
        }
        if self.graph.is_sampled {
            assumed.push("random numbers from large ranges are only sampled".into());
        }
        if self.graph.has_given_up {
            assumed.push(format!(
                "an action that takes more than {} million steps never ends",
                ACTION_BUDGET_INSTRUCTIONS / 1_000_000
            ));
        }
        let mut ignored = self.setup.left_out.clone();
        ignored.extend(scope.ignored.iter().cloned());
        SearchExtent {
            positions: self.count_positions(self.graph.len()),
            actions: self.graph.actions,
            depth: self.complete_depth(),
            complete,
            stopped_by: stopped.filter(|s| !complete || *s == SearchStop::Within),
            ignored,
            assumed,
            guessed: self.has_guessed_answers(),
            growing: match is_limit && !complete {
                true => self.growing_variable(),
                false => None,
            },
        }
    }
}

/// How much was searched if there is no memory for the machines of a search.
pub(crate) fn nothing_searched(ignored: &[String]) -> SearchExtent {
    SearchExtent {
        positions: 0,
        actions: 0,
        depth: 0,
        complete: false,
        stopped_by: Some(SearchStop::Memory),
        ignored: ignored.to_vec(),
        assumed: Vec::new(),
        guessed: false,
        growing: None,
    }
}
