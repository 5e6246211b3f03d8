//! `:check`: a search-based lint. Finds what goes wrong in play, code that never matters, and whether the
//! declared properties hold.
//!
//! That something never happens is only said if all positions were searched, nothing was sampled and no
//! variable was left out on request.

use super::confirm::NOT_CONFIRMED;
use super::property_check::{CompiledProperties, PropertyFact, PropertySearch};
use super::remarks::Remarks;
use crate::analysis::HistoryCoverage;
use crate::analysis::coverage;
use crate::analysis::inspect;
use crate::answer::{
    CheckResult, CheckSubject, CheckVerdict, CheckedProperty, CommandError, LineMove, PropertyInfo,
    PropertyKind, SearchExtent, SearchStop,
};
use crate::debugger::{HistoryEntry, Target};
use crate::model::facts::Facts;
use crate::model::goal::{CompiledGoal, Goal};
use crate::model::setup::{Scope, Watch};
use crate::position::graph::PositionId;
use crate::position::packing::Phase;
use crate::search::Exploration;
use crate::search::control::{SearchControl, StoppedBy};
use crate::search::extent::nothing_searched;
use crate::{Explorer, require_moves, require_open_game};
use std::sync::atomic::Ordering;

impl Explorer {
    /// Checks the rules of the game, and its properties, in all positions from the current one.
    pub fn check(
        &mut self,
        target: &mut Target,
        scope: &Scope,
        control: &mut SearchControl<'_>,
    ) -> Result<CheckResult, CommandError> {
        let properties = CompiledProperties::new(target);
        if let Err(error) = require_moves(target, scope) {
            return check_one_line(target, &properties).ok_or(error);
        }
        require_open_game(target, scope)?;
        if control.lacks_memory(target) {
            self.clear();
            return Ok(not_begun(target, scope, &properties));
        }
        let goal = CompiledGoal {
            goal: Goal::Stuck,
            program: properties.program.clone(),
            functions: properties.functions.clone(),
            frame_rules: properties.frame_rules.clone(),
            watch: Watch::AllCode,
        };
        let exploration = self.exploration(target, &goal, scope)?;
        let mut search = PropertySearch::new(&properties, exploration, control);
        let stopped = exploration.expand_all_with(&mut search, control);
        let mut stopped: Option<SearchStop> = stopped.map(Into::into);
        let is_exact = exploration.is_decisive(target, scope);
        let facts = match is_exact && stopped.is_none() {
            true => match self.facts(control) {
                Ok(facts) => facts,
                Err(reason) => {
                    stopped = Some(reason.into());
                    None
                }
            },
            false => None,
        };
        let facts = facts.and_then(|facts| with_session(target, facts));
        if target.take_cancelled() {
            stopped = Some(SearchStop::Interrupt);
        }
        // What was found until then is played, unless Ctrl-C is pressed again.
        control.cancel.store(false, Ordering::Relaxed);
        let exploration = self.exploration(target, &goal, scope)?;
        Ok(exploration.report_check(
            target,
            scope,
            &properties,
            &mut search,
            facts,
            stopped,
            control,
        ))
    }

    /// What happens in the actions of the search that was done last.
    fn facts(&mut self, control: &mut SearchControl<'_>) -> Result<Option<Facts>, StoppedBy> {
        let Some(cached) = &mut self.cached else {
            return Ok(None);
        };
        if cached.facts.is_none() {
            cached.facts = Some(cached.exploration.collect_facts(control)?);
        }
        Ok(cached.facts.clone())
    }
}

/// Adds what the session has run so far, such as the setup of the game. `None` if it was interrupted.
fn with_session(target: &mut Target, mut facts: Facts) -> Option<Facts> {
    let session = coverage::session_coverage(target, &mut HistoryCoverage::default())?;
    let mut counts = session.counts;
    counts.add_counts(&facts.counts);
    facts.counts = counts;
    Some(facts)
}

/// The answer if there is no memory for a search.
fn not_begun(target: &Target, scope: &Scope, properties: &CompiledProperties) -> CheckResult {
    CheckResult {
        extent: nothing_searched(&scope.ignored),
        subject: match start_entry(target) {
            Some(_) => CheckSubject::Game,
            None => CheckSubject::FromHere,
        },
        decided: false,
        remarks: Vec::new(),
        properties: properties.infos().map(CheckedProperty::open).collect(),
        ok: Vec::new(),
        open: Vec::new(),
    }
}

/// Checks a program without moves: what it has done so far is all it does. `None` if it has done nothing.
fn check_one_line(target: &mut Target, properties: &CompiledProperties) -> Option<CheckResult> {
    let facts = with_session(target, Facts::default())?;
    let program = target.program().clone();
    let has_run = program.functions.iter().any(|f| facts.counts.has_run(f));
    if !has_run {
        return None;
    }
    let mut remarks = Remarks::new(target);
    remarks.add_conditions(&facts);
    remarks.add_unused(&facts);
    let remarks = remarks.remarks;
    let properties = properties.infos().map(|info| CheckedProperty {
        verdict: match info.verdict {
            crate::answer::PropertyVerdict::Holds | crate::answer::PropertyVerdict::Satisfied => {
                CheckVerdict::Holds
            }
            _ => CheckVerdict::Violated,
        },
        ..CheckedProperty::open(info)
    });
    Some(CheckResult {
        extent: SearchExtent {
            positions: 1,
            actions: 0,
            depth: 0,
            complete: true,
            stopped_by: None,
            ignored: Vec::new(),
            assumed: Vec::new(),
            guessed: false,
            growing: None,
        },
        subject: CheckSubject::OneLine,
        decided: true,
        remarks,
        properties: properties.collect(),
        ok: Vec::new(),
        open: Vec::new(),
    })
}

/// The entry that has started the game, if no move has been made since.
pub(crate) fn start_entry(target: &Target) -> Option<&HistoryEntry> {
    let mut entries = target.timeline.entries().iter().rev();
    let last = entries.find(|entry| entry.has_effect)?;
    last.resets_game().then_some(last)
}

/// Whether no move has been made, and the game drew a random number when it started.
pub fn draws_in_setup(target: &Target) -> bool {
    let Some(start) = start_entry(target) else {
        return false;
    };
    let since = start.before.time;
    let draws = inspect::draws(target).draws;
    draws.last().is_some_and(|draw| draw.time >= since)
}

impl Exploration {
    /// Finds all positions, or as many as the limits allow, and decides the properties in them. Returns why
    /// it stopped, if it had to.
    fn expand_all_with(
        &mut self,
        search: &mut PropertySearch,
        control: &mut SearchControl<'_>,
    ) -> Option<StoppedBy> {
        let stopped = loop {
            if let Some(stopped) = search.advance(self, control) {
                break Some(stopped);
            }
            if self.is_complete() {
                break None;
            }
            if let Some(stopped) = self.expand_layer(control) {
                break Some(stopped);
            }
        };
        match stopped {
            Some(StoppedBy::Interrupt) => return stopped,
            // The positions that were found are looked at even if the time is over.
            Some(_) => {
                control.extend_deadline();
                search.advance(self, control);
            }
            None => {}
        }
        let unfinished = search.visit_turn_ends(self, control);
        stopped.or(unfinished)
    }

    /// Whether what was not found cannot happen.
    fn is_decisive(&self, target: &Target, scope: &Scope) -> bool {
        self.is_complete() && self.open_questions(target, scope).is_empty()
    }

    /// What keeps a search that has found all positions from deciding everything.
    fn open_questions(&self, target: &Target, scope: &Scope) -> Vec<String> {
        let mut open = Vec::new();
        if self.start_failure.is_some() {
            open.push("the game cannot be started".to_string());
        }
        if self.graph.has_given_up {
            open.push("an action was ended by a limit, so it is not known where it leads".into());
        }
        if self.graph.is_sampled {
            open.push("not every random number was tried".into());
        }
        if !self.has_all_answers() {
            open.push(
                "not every answer was tried; `inputs A..B` or `inputs a,b` chooses the answers"
                    .into(),
            );
        }
        if self.setup.game.is_none() && draws_in_setup(target) {
            open.push("the setup draws random numbers, so there are other starts".into());
        }
        open.extend(
            scope.ignored.iter().map(|name| {
                format!("positions that differ only in `{name}` were treated as equal")
            }),
        );
        open
    }

    /// Whether a position without an action that has an effect is a dead end.
    pub(crate) fn knows_dead_ends(&self, scope: &Scope) -> bool {
        scope.ignored.is_empty() && self.has_all_answers()
    }

    /// Whether there are answers to try at every question, and no others matter.
    fn has_all_answers(&self) -> bool {
        let mut candidates = self.setup.candidates.values();
        candidates.all(|c| !c.answers.is_empty() && !c.has_untried) && !self.has_guessed_answers()
    }

    /// Whether there are questions to which only some answers were tried, which the user did not choose.
    pub(crate) fn has_guessed_answers(&self) -> bool {
        let mut positions = 0..self.graph.len() as PositionId;
        self.setup.candidates.values().any(|c| c.is_guess)
            && positions.any(|id| Phase::of(self.graph.bytes(id)) == Phase::Question)
    }

    #[expect(clippy::too_many_arguments)]
    fn report_check(
        &mut self,
        target: &mut Target,
        scope: &Scope,
        properties: &CompiledProperties,
        search: &mut PropertySearch,
        facts: Option<Facts>,
        stopped: Option<SearchStop>,
        control: &SearchControl<'_>,
    ) -> CheckResult {
        let is_exact = self.is_decisive(target, scope);
        let mut extent = self.extent(scope, stopped);
        // The positions may be known, but not what happens between them.
        extent.stopped_by = stopped;
        let at_start = self.setup.game.is_some() || start_entry(target).is_some();
        let open = self.open_questions(target, scope);
        let mut remarks = Remarks::new(target);
        let mut candidates = self.setup.candidates.values();
        remarks.has_assumed_inputs = candidates.any(|c| c.assumed.is_some());
        remarks.add_errors(self, is_exact);
        // An action that only changes what is left out has no effect.
        if self.knows_dead_ends(scope) {
            remarks.add_dead_ends(self, is_exact);
        }
        remarks.add_together(self, is_exact);
        if is_exact {
            remarks.add_endings(self);
            remarks.add_one_sided(self);
            // If there is no time left, it is not looked for.
            let _ = remarks.add_traps(self, control);
        }
        if let Some(facts) = &facts {
            remarks.add_conditions(facts);
            remarks.add_unused(facts);
        }
        let (mut remarks, ok) = (remarks.remarks, remarks.ok);
        remarks.sort_by_key(|r| r.kind);
        let decided = search.facts();
        let mut checked = Vec::new();
        for (n, (info, fact)) in properties.infos().zip(&decided).enumerate() {
            let proof = match fact {
                PropertyFact::Found(found, _) => search.confirmed_line(n, self, target, *found),
                _ => None,
            };
            checked.push(checked_property(info, fact, proof, is_exact, stopped));
        }
        let properties = checked;
        let is_decided = |p: &CheckedProperty| p.verdict != CheckVerdict::Undecided;
        CheckResult {
            decided: is_exact
                && stopped.is_none()
                && facts.is_some()
                && properties.iter().all(is_decided),
            extent,
            subject: match at_start {
                true => CheckSubject::Game,
                false => CheckSubject::FromHere,
            },
            remarks,
            properties,
            ok,
            open,
        }
    }
}

/// What is known about a property. `proof` is the line to where it was decided, which has been played.
fn checked_property(
    info: &PropertyInfo,
    fact: &PropertyFact,
    proof: Option<Vec<LineMove>>,
    is_exact: bool,
    stopped: Option<SearchStop>,
) -> CheckedProperty {
    let open = CheckedProperty::open(info);
    let is_sometimes = info.property == PropertyKind::Sometimes;
    match fact {
        PropertyFact::Open(reason) => CheckedProperty {
            note: Some(reason.clone()),
            ..open
        },
        PropertyFact::Found(..) if proof.is_none() => CheckedProperty {
            note: Some(NOT_CONFIRMED.into()),
            ..open
        },
        PropertyFact::Found(_, error) => CheckedProperty {
            verdict: match is_sometimes {
                true => CheckVerdict::Holds,
                false => CheckVerdict::Violated,
            },
            proof,
            note: error.as_ref().map(|e| format!("it has no value: {e}")),
            ..open
        },
        PropertyFact::NotFound => match &info.satisfied_by {
            Some(entry) if is_sometimes => CheckedProperty {
                verdict: CheckVerdict::Holds,
                note: Some(format!("it was true after `{entry}`")),
                ..open
            },
            _ if is_exact && stopped.is_none() => CheckedProperty {
                verdict: match is_sometimes {
                    true => CheckVerdict::Violated,
                    false => CheckVerdict::Holds,
                },
                ..open
            },
            _ => open,
        },
    }
}
