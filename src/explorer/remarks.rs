//! What is noteworthy about the rules of a game, according to a search.

use super::facts::Facts;
use super::find::Found;
use super::graph::PositionId;
use super::packing::Phase;
use super::search::Exploration;
use super::simulator::ACTION_BUDGET_INSTRUCTIONS;
use crate::code::{FunctionId, FunctionKind, Instr, Program, Status};
use crate::debugger::api::{LineMove, Remark, RemarkKind};
use crate::debugger::{ConditionFact, Target};
use crate::language::EndCondition;
use crate::source::Span;
use crate::text::{count_noun, with_commas};
use crate::value::Value;
use std::collections::BTreeSet;

/// Different errors beyond this number are not listed.
const MAX_ERRORS: usize = 20;

/// Collects remarks.
pub(super) struct Remarks<'t> {
    target: &'t mut Target,
    pub remarks: Vec<Remark>,
    /// What was looked for and cannot happen.
    pub ok: Vec<String>,
    /// The functions whose ending was reported as impossible.
    never_true: BTreeSet<String>,
}

impl<'t> Remarks<'t> {
    pub fn new(target: &'t mut Target) -> Remarks<'t> {
        Remarks {
            target,
            remarks: Vec::new(),
            ok: Vec::new(),
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
        let (subject, detail) = (subject.into(), detail.into());
        let claim = match kind {
            RemarkKind::Error => format!("an error is possible: {subject}"),
            RemarkKind::Endless => format!("an action does not end: {subject}"),
            RemarkKind::NeverTrue => format!("{subject} is never true"),
            RemarkKind::AlwaysTrue => format!("{subject} is always true"),
            RemarkKind::NeverRuns => format!("{subject} never runs"),
            RemarkKind::NeverUsed => format!("{subject} is never used"),
            RemarkKind::Together => format!("{subject} can be true together"),
            RemarkKind::DeadEnd | RemarkKind::NeverEnds | RemarkKind::OneSided => subject.clone(),
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
    fn add_found(
        &mut self,
        exploration: &mut Exploration,
        kind: RemarkKind,
        span: Option<Span>,
        subject: impl Into<String>,
        found: Found,
        detail: impl FnOnce(&str) -> String,
    ) {
        let is_failure = matches!(kind, RemarkKind::Error | RemarkKind::Endless);
        let line = exploration.confirmed_line(self.target, found, is_failure);
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
        let failures = exploration.graph.failures.clone();
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
            self.add_found(exploration, kind, what.span, message, found, |after| {
                format!("{location}{after}")
            });
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
        let failing: BTreeSet<PositionId> = exploration
            .graph
            .failures
            .iter()
            .map(|f| f.position)
            .collect();
        let graph = &exploration.graph;
        let is_dead_end = |id: &PositionId| {
            let info = graph.info(*id);
            !info.is_end()
                && !info.is_chance()
                && graph.is_expanded(*id)
                && graph.edges(*id).next().is_none()
                && !failing.contains(id)
        };
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
            n if is_exact => format!("; {n} such positions"),
            n => format!("; {n} such positions so far"),
        };
        let subject = "no move is possible, but the game has not ended";
        self.add_found(
            exploration,
            RemarkKind::DeadEnd,
            None,
            subject,
            (first, None),
            |after| format!("{after}{more}"),
        );
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
                let found = ends.find(|id| {
                    evaluator.load(graph.bytes(*id));
                    // The rules have not tested it, because the first one was true.
                    if let Some(function) = second.function
                        && evaluator.evaluate(function).is_none()
                    {
                        return false;
                    }
                    evaluator.machine.store.global(second.flag) == Value::TRUE
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

    /// Conditions that are never true or never false. Of nested conditions, only the outermost.
    pub fn add_conditions(&mut self, facts: &Facts) {
        let program = self.target.program().clone();
        let conditions = facts.counts.evaluated_conditions(&program);
        let one_valued = conditions.iter().filter(|c| c.was_true != c.was_false);
        let mut last: Option<ConditionFact> = None;
        for fact in one_valued {
            let is_nested = last.is_some_and(|last| last.span.contains(fact.span));
            let text = self.target.code_on_one_line(fact.span);
            let is_constant = matches!(text.as_str(), "true" | "false" | "True" | "False");
            if is_nested || is_constant || self.never_true.contains(fact.function.as_str()) {
                continue;
            }
            last = Some(*fact);
            let kind = match fact.was_true {
                true => RemarkKind::AlwaysTrue,
                false => RemarkKind::NeverTrue,
            };
            let is_program = program.start_function.is_some_and(|id| {
                let start = program.function(id);
                start.is_some_and(|f| f.name == fact.function)
            });
            let detail = match self.location(fact.span) {
                Some(location) if is_program => location,
                _ => format!("{}{}", fact.function, self.at(Some(fact.span))),
            };
            self.add(kind, Some(fact.span), text, detail, Vec::new());
        }
    }

    /// Functions and handlers that never run, and pieces that are never on the board, if the pieces of the
    /// language are.
    pub fn add_unused(&mut self, facts: &Facts) {
        let program = self.target.program().clone();
        let mut absent = Vec::new();
        for (n, kind) in (0u16..).zip(program.piece_kinds.iter()) {
            if !facts.kinds.is_empty() && !facts.kinds.contains(&n) {
                absent.push(n);
                let has_handlers = kind.handlers.iter().any(Option::is_some);
                if !has_handlers {
                    let detail = self.absence(&program, facts, n);
                    let detail = format!("{}{detail}", self.line_prefix(kind.span));
                    let subject = kind.name.to_string();
                    self.add(
                        RemarkKind::NeverUsed,
                        Some(kind.span),
                        subject,
                        detail,
                        Vec::new(),
                    );
                }
            }
        }
        let mut names = BTreeSet::new();
        for (id, function) in (0..).map(FunctionId).zip(program.functions.iter()) {
            let is_named = !matches!(function.kind, FunctionKind::Entry | FunctionKind::Rules);
            // A function that was defined again keeps its name and its id.
            let is_current = names.insert(function.name);
            if !is_named
                || function.stop_points.is_empty()
                || !is_current
                || facts.counts.has_run(function)
            {
                continue;
            }
            let kind = absent.iter().find(|n| {
                let kind = program.piece_kinds.get(usize::from(**n));
                kind.is_some_and(|kind| kind.handlers.contains(&Some(id)))
            });
            let reason = kind.map(|n| self.absence(&program, facts, *n));
            let span = function
                .stop_points
                .first()
                .map_or(function.span, |s| s.span);
            let span = match function.span == Span::default() {
                true => span,
                false => function.span,
            };
            let detail = match reason {
                Some(reason) => format!("{}{reason}", self.line_prefix(span)),
                None => self.location(span).unwrap_or_default(),
            };
            let name = function.name.to_string();
            self.add(RemarkKind::NeverRuns, Some(span), name, detail, Vec::new());
        }
    }

    /// `line 7: `
    fn line_prefix(&self, span: Span) -> String {
        self.location(span)
            .map_or_else(String::new, |l| format!("{l}: "))
    }

    /// That a kind of piece is never on the board. Code that ran and names it may have placed it for the
    /// time of a move.
    fn absence(&self, program: &Program, facts: &Facts, kind: u16) -> String {
        let Some(kind) = program.piece_kinds.get(usize::from(kind)) else {
            return String::new();
        };
        let names_it = |value: &Value| value.as_interned() == Some(kind.name);
        let mut functions = program.functions.iter();
        let may_be_placed =
            functions.any(|f| facts.counts.has_run(f) && f.constants.iter().any(names_it));
        match may_be_placed {
            true => format!("no {} is on the board after any move", kind.name),
            false => format!("no {} is ever on the board", kind.name),
        }
    }

    /// That only one player can win, and why, if it is known.
    pub fn add_one_sided(&mut self, exploration: &Exploration) {
        let players = exploration.setup.players.clone();
        let graph = &exploration.graph;
        let (mut winners, mut movers) = (BTreeSet::new(), BTreeSet::new());
        for id in 0..graph.len() as PositionId {
            let info = graph.info(id);
            match (info.is_end(), info.status()) {
                (true, Status::Won) => winners.extend(info.player()),
                (false, _) if !info.is_chance() && graph.edges(id).next().is_some() => {
                    movers.extend(info.player());
                }
                _ => {}
            }
        }
        let mut winners = winners.into_iter();
        let (Some(winner), None) = (winners.next(), winners.next()) else {
            return;
        };
        if players.len() < 2 {
            return;
        }
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

/// `after 3 moves`
fn after_moves(count: usize) -> String {
    match count {
        0 => "before the first move".into(),
        n => format!("after {}", count_noun(n, "move", "moves")),
    }
}

/// The functions of the program that can make the flag of an ending true.
fn setters(program: &Program, condition: &EndCondition) -> Vec<FunctionId> {
    let functions = (0..).map(FunctionId).zip(program.functions.iter());
    let sets = |instr: &Instr| instr.flow().global_written() == Some(condition.flag);
    functions
        .filter(|(_, f)| !matches!(f.kind, FunctionKind::Entry | FunctionKind::Setup))
        .filter(|(_, f)| f.kind != FunctionKind::Rules || condition.function.is_none())
        .filter(|(_, f)| f.code.iter().any(sets))
        .map(|(id, _)| id)
        .collect()
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
