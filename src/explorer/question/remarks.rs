//! What is noteworthy about the rules of a game, according to a search.
//!
//! ```text
//! one_sided  the remark that only one player can win
//! unused     remarks about code and pieces that never matter
//! ```

mod one_sided;
mod unused;

use super::confirm::Expected;
use super::solve::Predecessors;
use crate::answer::{LineMove, Remark, RemarkKind};
use crate::code::{FunctionId, FunctionKind, Instr, Program, Status};
use crate::debugger::Target;
use crate::language::EndCondition;
use crate::position::graph::PositionId;
use crate::position::packing::Phase;
use crate::position::simulator::{ACTION_BUDGET_INSTRUCTIONS, Simulator};
use crate::search::Exploration;
use crate::search::control::{SearchControl, StoppedBy};
use crate::search::found::Found;
use crate::source::Span;
use crate::text::{large_count_noun, with_commas};
use crate::value::Value;
use std::collections::BTreeSet;

/// Different errors beyond this number are not listed.
const MAX_ERRORS: usize = 20;

/// Collects remarks.
pub(crate) struct Remarks<'t> {
    target: &'t mut Target,
    pub remarks: Vec<Remark>,
    /// What was looked for and cannot happen.
    pub ok: Vec<String>,
    /// Not all answers that are possible were tried, so that code for the others seems to be useless.
    pub has_assumed_inputs: bool,
    /// The functions whose ending was reported as impossible.
    never_true: BTreeSet<String>,
}

impl<'t> Remarks<'t> {
    pub fn new(target: &'t mut Target) -> Remarks<'t> {
        Remarks {
            target,
            remarks: Vec::new(),
            ok: Vec::new(),
            has_assumed_inputs: false,
            never_true: BTreeSet::new(),
        }
    }

    /// `line 12`, or `file:12` in another file than that of the game.
    fn location(&self, span: Span) -> Option<String> {
        let range = self.target.source_range(span)?;
        let is_in_game = self.target.main_source.as_deref() == Some(range.file.as_str());
        Some(match is_in_game {
            true => format!("line {}", range.line),
            false => format!("{}:{}", range.file, range.line),
        })
    }

    fn add(
        &mut self,
        kind: RemarkKind,
        span: Option<Span>,
        subject: impl Into<String>,
        detail: impl Into<String>,
        proof: Vec<LineMove>,
    ) {
        let (subject, mut detail) = (subject.into(), detail.into());
        if self.has_assumed_inputs && depends_on_inputs(kind) {
            let separator = if detail.is_empty() { "" } else { ", " };
            detail.push_str(&format!("{separator}for the inputs tried"));
        }
        let claim = match kind {
            RemarkKind::Error => format!("an error is possible: {subject}"),
            RemarkKind::Endless => format!("an action does not end: {subject}"),
            RemarkKind::NeverTrue => format!("{subject} is never true"),
            RemarkKind::AlwaysTrue => format!("{subject} is always true"),
            RemarkKind::NeverRuns => format!("{subject} never runs"),
            RemarkKind::NeverUsed => format!("{subject} is never used"),
            RemarkKind::Together => format!("{subject} can be true together"),
            RemarkKind::DeadEnd
            | RemarkKind::Trap
            | RemarkKind::NeverEnds
            | RemarkKind::OneSided => subject.clone(),
        };
        let message = match detail.is_empty() {
            true => claim,
            false => format!("{claim} ({detail})"),
        };
        let range = span.and_then(|span| self.target.source_range(span));
        self.remarks.push(Remark {
            code: kind.code(),
            kind,
            range,
            subject,
            detail,
            message,
            proof,
        });
    }

    /// Adds a remark with the line that shows it, if playing the line confirms it.
    #[expect(clippy::too_many_arguments)]
    fn add_found(
        &mut self,
        exploration: &mut Exploration,
        kind: RemarkKind,
        span: Option<Span>,
        subject: impl Into<String>,
        found: Found,
        expected: &mut Expected<'_>,
        detail: impl FnOnce(&str) -> String,
    ) {
        let line = exploration.confirmed_line(self.target, found, expected);
        if let Some(line) = line {
            let after = after_moves(line.len());
            let detail = detail(&after);
            self.add(kind, span, subject, detail, line);
        }
    }

    /// Errors, each with a shortest way to it. `is_exact` says that there are no others.
    pub fn add_errors(&mut self, exploration: &mut Exploration, is_exact: bool) {
        if let Some(failure) = exploration.start_failure.clone() {
            let detail = format!("the game cannot be started{}", self.at(failure.span));
            self.add(
                RemarkKind::Error,
                failure.span,
                failure.message,
                detail,
                Vec::new(),
            );
            return;
        }
        let mut known = BTreeSet::new();
        let mut failures = exploration.graph.failures.clone();
        failures.sort_by_key(|f| exploration.depth_of((f.position, Some(f.label))));
        for failure in failures {
            let what = failure.failure;
            let place = what.span.map(|s| (s.source, s.start));
            if known.len() >= MAX_ERRORS || !known.insert((what.code, place)) {
                continue;
            }
            let kind = match what.is_given_up() {
                true => RemarkKind::Endless,
                false => RemarkKind::Error,
            };
            let message = match what.code {
                "RT019" => format!(
                    "still running after {} steps",
                    with_commas(ACTION_BUDGET_INSTRUCTIONS)
                ),
                _ => what.message,
            };
            let found = (failure.position, Some(failure.label));
            let location = what.span.and_then(|span| self.location(span));
            let location = location.map_or_else(String::new, |l| format!("{l}, "));
            self.add_found(
                exploration,
                kind,
                what.span,
                message,
                found,
                &mut Expected::Failure,
                |after| format!("{location}{after}"),
            );
        }
        if is_exact && known.is_empty() {
            self.ok.push("no error is reachable".into());
        }
    }

    /// `, line 12`
    fn at(&self, span: Option<Span>) -> String {
        let location = span.and_then(|span| self.location(span));
        location.map_or_else(String::new, |location| format!(", {location}"))
    }

    /// Positions without a move.
    pub fn add_dead_ends(&mut self, exploration: &mut Exploration, is_exact: bool) {
        let graph = &exploration.graph;
        let is_dead_end = |id: &PositionId| graph.is_dead_end(*id);
        let dead_ends: Vec<PositionId> =
            (0..graph.len() as PositionId).filter(is_dead_end).collect();
        let Some(&first) = dead_ends.first() else {
            if is_exact {
                self.ok.push("no dead end".into());
            }
            return;
        };
        let more = match dead_ends.len() {
            1 => String::new(),
            n if is_exact => format!("; {} such positions", with_commas(n as u64)),
            n => format!("; {} such positions so far", with_commas(n as u64)),
        };
        let subject = "no move is possible, but the game has not ended";
        self.add_found(
            exploration,
            RemarkKind::DeadEnd,
            None,
            subject,
            (first, None),
            &mut Expected::Position,
            |after| format!("{after}{more}"),
        );
    }

    /// Positions from which no line of moves leads to an end, or to a dead end or an error, which are reported
    /// anyway. All positions have to be known.
    pub fn add_traps(
        &mut self,
        exploration: &mut Exploration,
        control: &SearchControl<'_>,
    ) -> Result<(), StoppedBy> {
        let graph = &exploration.graph;
        let count = graph.len() as PositionId;
        let has_end = (0..count).any(|id| graph.info(id).is_end());
        if !has_end || exploration.setup.is_expression_game() {
            return Ok(());
        }
        let bytes =
            graph.len() * 4 * size_of::<PositionId>() + graph.edge_count * size_of::<PositionId>();
        control.check_memory(graph, bytes)?;
        let predecessors = Predecessors::of(exploration, control)?;
        let is_last = |id: &PositionId| graph.edges(*id).next().is_none();
        let failing: BTreeSet<PositionId> = graph.failures.iter().map(|f| f.position).collect();
        let mut open: Vec<PositionId> = (0..count)
            .filter(|id| is_last(id) || failing.contains(id))
            .collect();
        let mut can_end = vec![false; graph.len()];
        open.iter().for_each(|id| can_end[*id as usize] = true);
        let mut step = 0;
        while let Some(id) = open.pop() {
            step += 1;
            control.check_step(step)?;
            for &from in predecessors.to(id) {
                if !std::mem::replace(&mut can_end[from as usize], true) {
                    open.push(from);
                }
            }
        }
        let is_seen = |id| matches!(Phase::of(graph.bytes(id)), Phase::Idle | Phase::Question);
        let is_trap = |id: &PositionId| !can_end[*id as usize] && is_seen(*id);
        let traps = (0..count).filter(is_trap).count();
        let Some(first) = (0..count).find(is_trap) else {
            return Ok(());
        };
        let more = match traps {
            1 => String::new(),
            n => format!("; {} such positions", with_commas(n as u64)),
        };
        self.add_found(
            exploration,
            RemarkKind::Trap,
            None,
            "the game can no longer end, whatever is played",
            (first, None),
            &mut Expected::Position,
            |after| format!("{after}{more}"),
        );
        Ok(())
    }

    /// Conditions that end the game and are true at the same time.
    pub fn add_together(&mut self, exploration: &mut Exploration, is_exact: bool) {
        let conditions = exploration.setup.model.end_conditions.clone();
        let (mut evaluator, _) = exploration.evaluator(std::iter::empty());
        for (n, first) in conditions.iter().enumerate() {
            for second in &conditions[n + 1..] {
                let graph = &exploration.graph;
                let mut ends = (0..graph.len() as PositionId).filter(|id| {
                    let info = graph.info(*id);
                    info.is_end() && info.status() == first.status
                });
                let is_second_true = |evaluator: &mut Simulator| {
                    // The rules have not tested it, because the first one was true.
                    if let Some(function) = second.function
                        && evaluator.evaluate(function).is_none()
                    {
                        return false;
                    }
                    evaluator.machine.store.global(second.flag) == Value::TRUE
                };
                let found = ends.find(|id| {
                    evaluator.load(graph.bytes(*id));
                    is_second_true(&mut evaluator)
                });
                let (one, other) = (self.flag_name(first), self.flag_name(second));
                match found {
                    Some(id) => {
                        let span = second.function.and_then(|f| self.function_span(f));
                        let subject = format!("{one} and {other}");
                        let found = (id, None);
                        let counts = format!("{one} counts: it is tested first");
                        self.add_found(
                            exploration,
                            RemarkKind::Together,
                            span,
                            subject,
                            found,
                            &mut Expected::Condition {
                                evaluator: &mut evaluator,
                                holds: &is_second_true,
                            },
                            |after| format!("{after}; {counts}"),
                        );
                    }
                    None if is_exact => self
                        .ok
                        .push(format!("{one} and {other} are never true together")),
                    None => {}
                }
            }
        }
    }

    fn flag_name(&self, condition: &EndCondition) -> String {
        let global = self.target.program().globals.get(condition.flag as usize);
        global.map_or_else(String::new, |g| g.name.to_string())
    }

    fn function_span(&self, function: FunctionId) -> Option<Span> {
        self.target.program().function(function).map(|f| f.span)
    }

    /// Ways to end the game that never happen.
    pub fn add_endings(&mut self, exploration: &Exploration) {
        let graph = &exploration.graph;
        let infos = (0..graph.len() as PositionId).map(|id| graph.info(id));
        let mut statuses = Vec::new();
        for info in infos {
            if !statuses.contains(&info.status()) {
                statuses.push(info.status());
            }
        }
        for condition in &exploration.setup.model.end_conditions {
            let setters = setters(self.target.program(), condition);
            if statuses.contains(&condition.status) || setters.is_empty() {
                continue;
            }
            let name = self.flag_name(condition);
            let names = setters.iter().map(|f| self.function_name(*f));
            let names: Vec<String> = names.collect();
            self.never_true.extend(names);
            let function = condition.function.unwrap_or(setters[0]);
            let span = self.function_span(function);
            let detail = format!("{}{}", self.function_name(function), self.at(span));
            self.add(RemarkKind::NeverTrue, span, name, detail, Vec::new());
        }
        let has_rules = !exploration.setup.is_expression_game();
        let is_reported = self.remarks.iter().any(|r| r.kind == RemarkKind::NeverTrue);
        if has_rules && statuses == [Status::Playing] && !is_reported {
            self.add(
                RemarkKind::NeverEnds,
                None,
                "no line of moves ends the game",
                "",
                Vec::new(),
            );
        }
    }

    fn function_name(&self, function: FunctionId) -> String {
        let function = self.target.program().function(function);
        function.map_or_else(String::new, |f| f.name.to_string())
    }
}

/// Whether other inputs than those tried may refute a remark of this kind.
fn depends_on_inputs(kind: RemarkKind) -> bool {
    use RemarkKind::*;
    matches!(
        kind,
        AlwaysTrue | NeverTrue | NeverRuns | NeverUsed | NeverEnds | OneSided | Trap
    )
}

/// `after 3 moves`
fn after_moves(count: usize) -> String {
    match count {
        0 => "before the first move".into(),
        n => format!("after {}", large_count_noun(n, "move", "moves")),
    }
}

/// The functions of the program that can make the flag of an ending true.
pub(crate) fn setters(program: &Program, condition: &EndCondition) -> Vec<FunctionId> {
    let functions = (0..).map(FunctionId).zip(program.functions.iter());
    let sets = |instr: &Instr| instr.flow().global_written() == Some(condition.flag);
    functions
        .filter(|(_, f)| !matches!(f.kind, FunctionKind::Entry | FunctionKind::Setup))
        .filter(|(_, f)| f.kind != FunctionKind::Rules || condition.function.is_none())
        .filter(|(_, f)| f.code.iter().any(sets))
        .map(|(id, _)| id)
        .collect()
}
