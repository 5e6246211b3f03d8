//! Finds a shortest line of moves to a goal.

use super::check::start_entry;
use super::confirm::confirm_goal;
use super::remarks::setters;
use super::winners::name_players;
use crate::Explorer;
use crate::analysis::coverage;
use crate::answer::{
    CodePlace, CommandError, EndedBy, FindResult, FindVerdict, GoalKind, LineMove, Note, SearchStop,
};
use crate::code::{Channel, Status};
use crate::debugger::Target;
use crate::model::goal::{CompiledGoal, Goal, GoalCheck};
use crate::model::setup::{Scope, Watch};
use crate::position::packing::Phase;
use crate::search::Exploration;
use crate::search::control::{SearchControl, StoppedBy};
use crate::search::extent::nothing_searched;
use crate::search::found::Found;
use crate::source::Span;
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

/// A place in the source text, in the way it is named in answers.
pub(crate) fn place_of(target: &Target, span: Span) -> Option<CodePlace> {
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

impl Explorer {
    /// Finds a shortest line of moves to a goal. The line is played once to confirm it, and kept as a
    /// branch.
    pub fn find(
        &mut self,
        target: &mut Target,
        request: &FindRequest,
        control: &mut SearchControl<'_>,
    ) -> Result<FindResult, CommandError> {
        crate::require_moves(target, &request.scope)?;
        let compiled = CompiledGoal::new(target, &request.goal, request.scope.turn.is_some())?;
        if control.lacks_memory(target) {
            self.clear();
            return Ok(not_begun(request, compiled.kind()));
        }
        let exploration = self.exploration(target, &compiled, &request.scope)?;
        let (mut result, found) = find(exploration, &compiled, request, control)?;
        if found.is_empty() && has_run_at_start(exploration, target) {
            result.verdict = FindVerdict::Found;
            result.length = Some(0);
            result.note = None;
            return Ok(result);
        }
        name_players(exploration, request, found.first().copied(), &mut result);
        if result.verdict == FindVerdict::Never {
            let note = crate::ended_note(target, &request.scope);
            result.note = note.map(Note::from).or(result.note);
        }
        let first = found.first().copied();
        name_condition(exploration, target, &compiled.goal, first, &mut result);
        if !found.is_empty() {
            // What was found until Ctrl-C is played, unless it is pressed again.
            control.cancel.store(false, Ordering::Relaxed);
            confirm_goal(exploration, target, &compiled, &found, control, &mut result);
        }
        Ok(result)
    }
}

/// Whether what is watched for has happened when the game was started, such as in its setup, and no move
/// has been made since.
fn has_run_at_start(exploration: &Exploration, target: &mut Target) -> bool {
    if start_entry(target).is_none() {
        return false;
    }
    let entries = target.timeline.entries();
    let Some(index) = entries.iter().rposition(|entry| entry.has_effect) else {
        return false;
    };
    let since = entries[index].before.time;
    match &exploration.setup.watch {
        Watch::Nothing | Watch::AllCode => false,
        Watch::Code(locations) => {
            let counts = coverage::entry_coverage(target, index);
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
pub(crate) fn find(
    exploration: &mut Exploration,
    compiled: &CompiledGoal,
    request: &FindRequest,
    control: &mut SearchControl<'_>,
) -> Result<(FindResult, Vec<Found>), CommandError> {
    let player = match &request.player {
        None => None,
        Some(name) => {
            let players = &exploration.setup.players;
            let index = players.iter().position(|p| p == name);
            Some(index.ok_or_else(|| crate::unknown_player(name, players))?)
        }
    };
    let mut check = GoalCheck::new(exploration, compiled, &request.goal, player);
    check.set_cancel(&control.cancel);
    let mut found = Vec::new();
    let mut next = 0;
    let mut is_deeper = false;
    // Whether the goal was looked for in all positions that were found.
    let mut is_checked = true;
    let stopped = loop {
        let stopped = exploration.add_found(
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
        is_deeper |= found.iter().any(|f| exploration.depth_of(*f) > within);
        if is_deeper {
            found.retain(|f| exploration.depth_of(*f) <= within);
            break Some(SearchStop::Within);
        }
        if found.len() >= request.count.max(1) {
            break None;
        }
        if exploration.is_complete() {
            break None;
        }
        if request
            .within
            .is_some_and(|within| exploration.has_checked(&compiled.goal, within))
        {
            break Some(SearchStop::Within);
        }
        if let Some(stopped) = exploration.expand_layer(control) {
            // What was found until then is looked at even if the time is over.
            if stopped != StoppedBy::Interrupt {
                control.extend_deadline();
            }
            exploration.add_found(
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
    let mut result = report(exploration, &found, request, compiled.kind(), stopped);
    if let Some(&(id, None)) = found.first()
        && result.kind == GoalKind::Stuck
        && result.extent.guessed
        && Phase::of(exploration.graph.bytes(id)) == Phase::Question
    {
        // Another answer may lead on.
        result.verdict = FindVerdict::Unknown;
        result.note = Some(no_assumed_move(&result.moves).into());
        result.shortest = false;
        (result.moves, result.length) = (Vec::new(), None);
        found.clear();
    }
    if compiled.goal == Goal::Stuck && !exploration.knows_dead_ends(&request.scope) {
        result.verdict = FindVerdict::Unknown;
        let reason = "not every effect or answer was tried, so dead ends are not known";
        result.note = result.note.or(Some(reason.into()));
    } else if found.is_empty() && check.has_given_up() {
        result.verdict = FindVerdict::Unknown;
    } else if found.is_empty() {
        let note = check
            .failures()?
            .map(Note::from)
            .or_else(|| error_note(exploration, &result));
        result.note = result.note.or(note);
    }
    if !is_checked {
        result.extent.complete = false;
        result.extent.stopped_by = stopped;
    }
    Ok((result, found))
}

fn report(
    exploration: &mut Exploration,
    found: &[Found],
    request: &FindRequest,
    kind: GoalKind,
    stopped: Option<SearchStop>,
) -> FindResult {
    let mut extent = exploration.extent(&request.scope, stopped);
    let deepest = found.iter().map(|f| exploration.depth_of(*f)).max();
    let within = request
        .within
        .filter(|_| stopped == Some(SearchStop::Within));
    let needed = deepest.or(within);
    if let Some(depth) = needed.filter(|depth| !extent.complete && *depth <= extent.depth) {
        // An earlier search went deeper; that is not what this answer is based on.
        let positions = exploration.graph.positions_up_to(depth);
        (extent.depth, extent.positions) = (depth, exploration.count_positions(positions));
    }
    let is_exact = exploration.tries_everything() && request.scope.ignored.is_empty();
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
        .map(|(id, last)| exploration.line_to(*id, *last).moves)
        .collect();
    let start_error = exploration
        .start_failure
        .as_ref()
        .map(|f| f.message.clone());
    let moves = match lines.is_empty() {
        true => Vec::new(),
        false => lines.remove(0),
    };
    let first = found.first();
    let player = first
        .filter(|(_, last)| last.is_none() && start_error.is_none())
        .and_then(|(id, _)| {
            let is_won = exploration.graph.info(*id).status() == Status::Won;
            exploration.player_name(*id).filter(|_| is_won)
        });
    let failure = first.and_then(|(id, last)| {
        let is_it = |f: &&crate::Failure| (f.position, Some(f.label)) == (*id, *last);
        exploration.graph.failures.iter().find(is_it)
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
            .map(|error| format!("the game cannot be started: {error}").into()),
        ended_by: None,
        undefined: None,
        within: request.within,
    }
}

/// Notes which condition of the program ends the game, or that the one that could is not defined.
fn name_condition(
    exploration: &Exploration,
    target: &Target,
    goal: &Goal,
    found: Option<Found>,
    result: &mut FindResult,
) {
    let Goal::End(statuses) = goal else {
        return;
    };
    let model = &exploration.setup.model;
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
    let status = exploration.graph.info(id).status();
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
fn error_note(exploration: &Exploration, result: &FindResult) -> Option<Note> {
    let is_impossible = matches!(result.verdict, FindVerdict::Never | FindVerdict::NotWithin);
    let has_errors = !exploration.graph.failures.is_empty();
    (is_impossible && has_errors && result.kind != GoalKind::Error).then(|| {
        Note::advising(
            "some moves end in an error",
            ":find error".into(),
            "shows a way to one",
        )
    })
}
