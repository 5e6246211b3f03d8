//! Finds a shortest line of moves to a goal.

use super::Explorer;
use super::check::start_entry;
use super::confirm::{Expected, is_true};
use super::control::{SearchControl, StoppedBy};
use super::expansion::GIVEN_UP;
use super::goal::{CompiledGoal, Goal, GoalCheck};
use super::graph::PositionId;
use super::line::Line;
use super::memory::nothing_searched;
use super::packing::Phase;
use super::remarks::setters;
use super::search::Exploration;
use super::setup::{Scope, Watch};
use super::simulator::ACTION_BUDGET_INSTRUCTIONS;
use crate::code::{Channel, Status};
use crate::debugger::api::{
    CodePlace, CommandError, EndedBy, FindResult, FindVerdict, GoalKind, LineMove, SearchExtent,
    SearchStop,
};
use crate::debugger::{LineStep, Target};
use crate::source::Span;
use crate::text::large_count_noun;
use std::sync::atomic::Ordering;

/// What to find.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FindRequest {
    /// The goal, as the user writes it.
    pub goal: String,
    /// The largest number of moves.
    pub within: Option<usize>,
    /// The player who has to win or lose.
    pub player: Option<String>,
    /// How many lines to find.
    pub count: usize,
    /// What the search covers.
    pub scope: Scope,
}

/// A position that is a goal, or an action that is.
pub(super) type Found = (PositionId, Option<u32>);

/// The instructions that playing a line may take. Generous: the machine notices the limit late, and a
/// game may be one long entry.
pub(super) fn replay_budget(line: &Line) -> u64 {
    ACTION_BUDGET_INSTRUCTIONS * (line.steps.len() as u64 + 1)
}

/// A place in the source text, in the way it is named in answers.
pub(super) fn place_of(target: &Target, span: Span) -> Option<CodePlace> {
    let range = target.source_range(span)?;
    let is_in_game = target.main_source.as_deref() == Some(range.file.as_str());
    let text = match is_in_game {
        true => format!("line {}", range.line),
        false => format!("{}:{}", range.file, range.line),
    };
    Some(CodePlace { range, text })
}

/// That no answer that was tried leads on after some moves.
fn no_assumed_move(moves: &[LineMove]) -> String {
    let entries: Vec<&str> = moves.iter().map(|m| m.entry.as_str()).collect();
    match entries.is_empty() {
        true => "none of these answers has an effect".into(),
        false => format!(
            "none of these answers has an effect after {}",
            entries.join(" ")
        ),
    }
}

/// That a line was found, but does not lead to the goal in the game itself.
pub(super) const NOT_CONFIRMED: &str =
    "a line was found, but it does not lead there when it is played";

/// The answer if there is no memory for a search.
fn not_begun(request: &FindRequest, kind: GoalKind) -> FindResult {
    FindResult {
        verdict: FindVerdict::Unknown,
        goal: request.goal.clone(),
        kind,
        length: None,
        moves: Vec::new(),
        shortest: false,
        extent: nothing_searched(&request.scope.ignored),
        branch: None,
        redo: false,
        player: None,
        error: None,
        others: Vec::new(),
        note: None,
        ended_by: None,
        undefined: None,
        within: request.within,
    }
}

/// Positions in which a goal is looked for between two looks at the clock.
const POSITIONS_BETWEEN_CHECKS: u32 = 16;

impl Explorer {
    /// Finds a shortest line of moves to a goal. The line is played once to confirm it, and kept as a
    /// branch.
    pub fn find(
        &mut self,
        target: &mut Target,
        request: &FindRequest,
        control: &mut SearchControl<'_>,
    ) -> Result<FindResult, CommandError> {
        super::require_moves(target, &request.scope)?;
        let compiled = CompiledGoal::new(target, &request.goal, request.scope.turn.is_some())?;
        if control.lacks_memory(target) {
            self.clear();
            return Ok(not_begun(request, compiled.kind()));
        }
        let exploration = self.exploration(target, &compiled, &request.scope)?;
        let (mut result, found) = exploration.find(&compiled, request, control)?;
        if found.is_empty() && exploration.has_run_at_start(target) {
            result.verdict = FindVerdict::Found;
            result.length = Some(0);
            result.note = None;
            return Ok(result);
        }
        exploration.name_players(request, found.first().copied(), &mut result);
        if result.verdict == FindVerdict::Never {
            let note = super::ended_note(target, &request.scope);
            result.note = note.map(String::from).or(result.note);
        }
        let first = found.first().copied();
        exploration.name_condition(target, &compiled.goal, first, &mut result);
        if !found.is_empty() {
            // What was found until Ctrl-C is played, unless it is pressed again.
            control.cancel.store(false, Ordering::Relaxed);
            exploration.confirm_goal(target, &compiled, &found, control, &mut result);
        }
        Ok(result)
    }
}

impl Exploration {
    /// Whether what is watched for has happened when the game was started, such as in its setup, and no move
    /// has been made since.
    fn has_run_at_start(&self, target: &mut Target) -> bool {
        if start_entry(target).is_none() {
            return false;
        }
        let entries = target.timeline.entries();
        let Some(index) = entries.iter().rposition(|entry| entry.has_effect) else {
            return false;
        };
        let since = entries[index].before.time;
        match &self.setup.watch {
            Watch::Nothing | Watch::AllCode => false,
            Watch::Code(locations) => {
                let counts = target.entry_coverage(index);
                let program = target.program();
                locations.iter().any(|(function, pc)| {
                    let function = program.function(*function);
                    function.is_some_and(|f| counts.has_run_at(f, *pc))
                })
            }
            Watch::Print(text) => {
                let now = target.machine.log_position().outputs;
                let mut outputs = target.machine.log().outputs.range(0, now);
                outputs.any(|(_, output)| {
                    output.time >= since
                        && matches!(output.channel, Channel::Print | Channel::Display)
                        && output.text.contains(text)
                })
            }
        }
    }

    /// Looks for a goal. Returns the answer and what was found; the lines have not been played yet.
    pub(super) fn find(
        &mut self,
        compiled: &CompiledGoal,
        request: &FindRequest,
        control: &mut SearchControl<'_>,
    ) -> Result<(FindResult, Vec<Found>), CommandError> {
        let player = match &request.player {
            None => None,
            Some(name) => {
                let players = &self.setup.players;
                let index = players.iter().position(|p| p == name);
                Some(index.ok_or_else(|| super::unknown_player(name, players))?)
            }
        };
        let mut check = GoalCheck::new(self, compiled, &request.goal, player);
        check.set_cancel(&control.cancel);
        let mut found = Vec::new();
        let mut next = 0;
        let mut is_deeper = false;
        // Whether the goal was looked for in all positions that were found.
        let mut is_checked = true;
        let stopped = loop {
            let stopped = self.add_found(
                &mut check,
                &compiled.goal,
                &mut next,
                request,
                control,
                &mut found,
            )?;
            if let Some(stopped) = stopped {
                is_checked = false;
                break Some(stopped.into());
            }
            let within = request.within.unwrap_or(usize::MAX);
            is_deeper |= found.iter().any(|f| self.depth_of(*f) > within);
            if is_deeper {
                found.retain(|f| self.depth_of(*f) <= within);
                break Some(SearchStop::Within);
            }
            if found.len() >= request.count.max(1) {
                break None;
            }
            if self.is_complete() {
                break None;
            }
            if request
                .within
                .is_some_and(|within| self.has_checked(&compiled.goal, within))
            {
                break Some(SearchStop::Within);
            }
            if let Some(stopped) = self.expand_layer(control) {
                // What was found until then is looked at even if the time is over.
                if stopped != StoppedBy::Interrupt {
                    control.extend_deadline();
                }
                self.add_found(
                    &mut check,
                    &compiled.goal,
                    &mut next,
                    request,
                    control,
                    &mut found,
                )?;
                break Some(stopped.into());
            }
        };
        found.truncate(request.count.max(1));
        let mut result = self.report(&found, request, compiled.kind(), stopped);
        if let Some(&(id, None)) = found.first()
            && result.kind == GoalKind::Stuck
            && result.extent.guessed
            && Phase::of(self.graph.bytes(id)) == Phase::Question
        {
            // Another answer may lead on.
            result.verdict = FindVerdict::Unknown;
            result.note = Some(no_assumed_move(&result.moves));
            result.shortest = false;
            (result.moves, result.length) = (Vec::new(), None);
            found.clear();
        }
        if compiled.goal == Goal::Stuck && !self.knows_dead_ends(&request.scope) {
            result.verdict = FindVerdict::Unknown;
            let reason = "not every effect or answer was tried, so dead ends are not known";
            result.note = result.note.or(Some(reason.into()));
        } else if found.is_empty() && check.has_given_up() {
            result.verdict = FindVerdict::Unknown;
        } else if found.is_empty() {
            let note = check.failures()?.or_else(|| self.error_note(&result));
            result.note = result.note.or(note);
        }
        if !is_checked {
            result.extent.complete = false;
            result.extent.stopped_by = stopped;
        }
        Ok((result, found))
    }
}

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
    /// The number of moves to what was found.
    pub(super) fn depth_of(&self, (id, last): Found) -> usize {
        let is_move = |label| !self.graph.info(id).is_chance() || self.ends_turn(id, label);
        let depth = self.graph.depth(id) + usize::from(last.is_some_and(is_move));
        let is_drawn = match last {
            Some(_) => Phase::of(self.graph.bytes(id)) == Phase::TurnDraw,
            None => self.is_after_early_draw(id),
        };
        // Without a move before it, a turn has to begin for the number to be drawn.
        depth.max(usize::from(is_drawn))
    }

    /// Whether a number has just been drawn, before the first question of a turn.
    pub(super) fn is_after_early_draw(&self, id: PositionId) -> bool {
        let is_draw = |id| Phase::of(self.graph.bytes(id)) == Phase::TurnDraw;
        id != 0 && is_draw(self.graph.parent(id))
    }

    /// Adds the goals among the positions from `next` on.
    fn add_found(
        &self,
        check: &mut GoalCheck,
        goal: &Goal,
        next: &mut PositionId,
        request: &FindRequest,
        control: &SearchControl<'_>,
        found: &mut Vec<Found>,
    ) -> Result<Option<StoppedBy>, CommandError> {
        let count = request.count.max(1);
        match goal {
            Goal::Error => {
                let at_start = self.start_failure.iter().map(|_| (0, None));
                let failures = self.graph.failures.iter();
                let failures = failures.map(|f| (f.position, Some(f.label)));
                *found = at_start.chain(failures).collect();
                self.keep_shortest(found, count);
            }
            Goal::Event => {
                let at_start = self.has_start_hit.then_some((0, None));
                let hits = self
                    .graph
                    .hits
                    .iter()
                    .map(|(id, label)| (*id, Some(*label)));
                *found = at_start.into_iter().chain(hits).collect();
                self.keep_shortest(found, count);
            }
            // An action may have an effect that is left out, or another answer one.
            Goal::Stuck if !self.knows_dead_ends(&request.scope) => {}
            Goal::Stuck => {
                while (*next as usize) < self.graph.len() && found.len() < count {
                    let info = self.graph.info(*next);
                    if !info.is_end() && !self.graph.is_expanded(*next) {
                        break;
                    }
                    if self.graph.is_dead_end(*next) {
                        found.push((*next, None));
                    }
                    *next += 1;
                }
            }
            Goal::End(_) | Goal::Condition(_) | Goal::Value(_) => {
                while (*next as usize) < self.graph.len() && found.len() < count {
                    if next.is_multiple_of(POSITIONS_BETWEEN_CHECKS)
                        && let Some(stopped) = control.interrupted_by()
                    {
                        return Ok(Some(stopped));
                    }
                    if !self.follows_found(*next, found) && check.is_goal(self, *next)? {
                        found.push((*next, None));
                    }
                    *next += 1;
                }
            }
        }
        Ok(None)
    }

    /// Keeps so many of what was found, those with the fewest moves.
    fn keep_shortest(&self, found: &mut Vec<Found>, count: usize) {
        // What is found while a turn draws numbers may belong to the move after those that were searched.
        if self.setup.turns_ask {
            found.sort_by_key(|f| self.depth_of(*f));
        }
        found.truncate(count);
    }

    /// Whether the same moves lead to the end of a turn that was found, and then to this question of the next
    /// one.
    fn follows_found(&self, id: PositionId, found: &[Found]) -> bool {
        if !self.setup.keeps_turn_ends {
            return false;
        }
        let phase = |id| Phase::of(self.graph.bytes(id));
        let mut from = self.graph.parent(id);
        while phase(from) == Phase::TurnDraw && from != 0 {
            from = self.graph.parent(from);
        }
        phase(from) == Phase::TurnEnd && found.iter().any(|(id, _)| *id == from)
    }

    /// Whether a goal would have been found if it could be reached with this many moves.
    fn has_checked(&self, goal: &Goal, moves: usize) -> bool {
        // The position without moves is found first.
        let has_start = self.graph.layer_count() > 1 || self.is_complete();
        // What happens during a move is known when the position after it is; that a position is a dead end, when
        // all moves from there have been tried.
        let depth = match goal {
            Goal::Stuck => moves.saturating_add(1),
            Goal::Error | Goal::Event | Goal::End(_) | Goal::Condition(_) | Goal::Value(_) => moves,
        };
        has_start && self.complete_depth() >= depth
    }

    /// Whether every answer and every random number is tried, and every action to its end, so that what is
    /// not found is impossible.
    pub(super) fn tries_everything(&self) -> bool {
        let mut candidates = self.setup.candidates.values();
        let start = self.start_failure.as_ref();
        !self.graph.is_sampled
            && !self.graph.has_given_up
            && !candidates.any(|c| c.has_untried)
            && start.is_none_or(|failure| failure.code != GIVEN_UP)
    }

    /// How much was searched.
    pub(super) fn extent(&self, scope: &Scope, stopped: Option<SearchStop>) -> SearchExtent {
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

    fn report(
        &mut self,
        found: &[Found],
        request: &FindRequest,
        kind: GoalKind,
        stopped: Option<SearchStop>,
    ) -> FindResult {
        let mut extent = self.extent(&request.scope, stopped);
        let deepest = found.iter().map(|f| self.depth_of(*f)).max();
        if let Some(depth) = deepest.filter(|depth| !extent.complete && *depth < extent.depth) {
            // An earlier search went deeper; that is not what this answer is based on.
            let positions = self.graph.positions_up_to(depth);
            (extent.depth, extent.positions) = (depth, self.count_positions(positions));
        }
        let is_exact = self.tries_everything() && request.scope.ignored.is_empty();
        // What is not found with guessed answers may be found with others.
        let is_proof = is_exact && !extent.guessed;
        let verdict = match (found.is_empty(), stopped) {
            (false, _) => FindVerdict::Found,
            (true, None) if is_proof => FindVerdict::Never,
            (true, Some(SearchStop::Within)) if is_proof => FindVerdict::NotWithin,
            (true, _) => FindVerdict::Unknown,
        };
        let mut lines: Vec<Vec<_>> = found
            .iter()
            .map(|(id, last)| self.line_to(*id, *last).moves)
            .collect();
        let start_error = self.start_failure.as_ref().map(|f| f.message.clone());
        let moves = match lines.is_empty() {
            true => Vec::new(),
            false => lines.remove(0),
        };
        let first = found.first();
        let player = first
            .filter(|(_, last)| last.is_none() && start_error.is_none())
            .and_then(|(id, _)| {
                let is_won = self.graph.info(*id).status() == Status::Won;
                self.player_name(*id).filter(|_| is_won)
            });
        let failure = first.and_then(|(id, last)| {
            let is_it = |f: &&super::Failure| (f.position, Some(f.label)) == (*id, *last);
            self.graph.failures.iter().find(is_it)
        });
        FindResult {
            verdict,
            goal: request.goal.clone(),
            kind,
            length: first.map(|_| moves.len()),
            moves,
            shortest: !found.is_empty() && is_exact,
            extent,
            branch: None,
            redo: false,
            player,
            error: failure
                .map(|f| f.failure.message.clone())
                .or(start_error.clone().filter(|_| first.is_some())),
            others: lines,
            note: start_error
                .filter(|_| first.is_none())
                .map(|error| format!("the game cannot be started: {error}")),
            ended_by: None,
            undefined: None,
            within: request.within,
        }
    }

    /// Notes which condition of the program ends the game, or that the one that could is not defined.
    fn name_condition(
        &self,
        target: &Target,
        goal: &Goal,
        found: Option<Found>,
        result: &mut FindResult,
    ) {
        let Goal::End(statuses) = goal else {
            return;
        };
        let model = &self.setup.model;
        if let ([status], FindVerdict::Never | FindVerdict::NotWithin) =
            (statuses.as_slice(), result.verdict)
        {
            let mut undefined = model.undefined_conditions.iter();
            let undefined = undefined.find(|(s, _)| s == status);
            result.undefined = undefined.map(|(_, name)| name.to_string());
        }
        let Some((id, None)) = found.filter(|_| !result.moves.is_empty()) else {
            return;
        };
        let status = self.graph.info(id).status();
        let mut conditions = model.end_conditions.iter().enumerate();
        let Some((n, condition)) = conditions.find(|(_, c)| c.status == status) else {
            return;
        };
        let Some(id) = condition.function else {
            return;
        };
        // A condition that is tested before may set the flag too.
        let is_certain = n == 0 || setters(target.program(), condition) == [id];
        let function = target.program().function(id).filter(|_| is_certain);
        result.ended_by = function.map(|function| EndedBy {
            condition: function.name.to_string(),
            place: place_of(target, function.span),
        });
    }

    /// That moves which end in an error may be why a goal cannot be reached.
    fn error_note(&self, result: &FindResult) -> Option<String> {
        let is_impossible = matches!(result.verdict, FindVerdict::Never | FindVerdict::NotWithin);
        let has_errors = !self.graph.failures.is_empty();
        (is_impossible && has_errors && result.kind != GoalKind::Error)
            .then(|| "some moves end in an error: `:find error` shows a way to one".to_string())
    }

    /// Plays the lines that were found to a goal.
    fn confirm_goal(
        &mut self,
        target: &mut Target,
        compiled: &CompiledGoal,
        found: &[Found],
        control: &SearchControl<'_>,
        result: &mut FindResult,
    ) {
        match compiled.goal {
            Goal::Error => self.confirm(target, found, &mut Expected::Failure, result),
            Goal::Condition(function) => {
                let function = compiled.program.function(function).cloned();
                let (mut evaluator, ids) = self.evaluator(function.into_iter());
                evaluator.set_cancel(&control.cancel);
                let mut expected = match ids.first() {
                    Some(id) => Expected::Condition {
                        evaluator: &mut evaluator,
                        holds: &is_true(*id),
                    },
                    None => Expected::Position,
                };
                self.confirm(target, found, &mut expected, result);
            }
            _ => self.confirm(target, found, &mut Expected::Position, result),
        }
    }

    /// Plays the lines that were found. If the first one does not lead where the search says, the answer is
    /// unknown; others that do not are not shown.
    fn confirm(
        &mut self,
        target: &mut Target,
        found: &[Found],
        expected: &mut Expected<'_>,
        result: &mut FindResult,
    ) {
        let Some((&first, others)) = found.split_first() else {
            return;
        };
        let line = self.line_to_found(first);
        let (budget, watch) = (replay_budget(&line), self.setup.line_watch());
        let played = target.play_line(&line.steps, budget, watch, |target, end, has_happened| {
            self.is_expected(target, &line, end, first, expected, has_happened)
        });
        (result.branch, result.redo) = (played.branch, played.is_next);
        result.others.clear();
        if !played.is_confirmed {
            result.verdict = FindVerdict::Unknown;
            result.ended_by = None;
            result.note = Some(NOT_CONFIRMED.into());
            return;
        }
        for found in others {
            let line = self.confirmed_line(target, *found, expected);
            result.others.extend(line);
        }
        let dropped = others.len() - result.others.len();
        if dropped > 0 {
            let lines = large_count_noun(dropped, "other line", "other lines");
            result.note = Some(format!("{lines} did not lead there when played"));
        }
    }

    /// The line to what was found, with everything that has to be typed until it happens.
    fn line_to_found(&mut self, (id, last): Found) -> Line {
        let mut line = self.line_to(id, last);
        if !self.setup.watch.looks_for_events() || !self.setup.is_turn_game() {
            return line;
        }
        let is_in_next_turn = match last {
            None => !self.is_entry_running,
            Some(label) => {
                let bytes = self.graph.bytes(id).to_vec();
                let action = self.simulator.action(&bytes, label);
                action.is_some_and(|action| self.simulator.hits_in_next_turn(&bytes, action))
            }
        };
        if is_in_next_turn && let Some((turn, _)) = self.setup.entries.first() {
            line.steps.push(LineStep::Entry(turn.clone()));
        }
        line
    }

    /// The line to what was found, if playing it leads there. Nothing of it is kept.
    pub(super) fn confirmed_line(
        &mut self,
        target: &mut Target,
        found: Found,
        expected: &mut Expected<'_>,
    ) -> Option<Vec<LineMove>> {
        let line = self.line_to_found(found);
        let is_confirmed = self.is_confirmed(target, &line, found, expected);
        is_confirmed.then_some(line.moves)
    }
}
