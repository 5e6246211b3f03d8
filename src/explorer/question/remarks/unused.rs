//! Remarks about code and pieces that never matter.

use super::Remarks;
use crate::analysis::ConditionFact;
use crate::answer::RemarkKind;
use crate::code::{FunctionId, FunctionKind, Program};
use crate::model::facts::Facts;
use crate::source::Span;
use crate::value::Value;
use std::collections::BTreeSet;

impl Remarks<'_> {
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
}
