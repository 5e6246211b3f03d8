//! Why a click does nothing.

use super::WHY_BUDGET_INSTRUCTIONS;
use crate::code::FunctionId;
use crate::debugger::value_profile::ValueProfile;
use crate::diagnostic::Diagnostic;
use crate::machine::Outcome;
use crate::session::{Reply, Session};
use crate::source::Span;
use std::rc::Rc;

/// So many clicks that came a second time are told.
const MOST_SKIPPED: usize = 3;

impl Session {
    /// Why a click does nothing.
    pub fn why_not_click(&mut self, row: i64, col: i64, reply: &mut Reply) {
        let store = &self.machine.store;
        let place = self.program().board_info.format_cell(row, col);
        let Some(at) = store.cell_at(row, col) else {
            return reply.line(format!(
                "there is no piece at {place}: nothing handles the click"
            ));
        };
        let view = self.view(crate::language::Viewport::NONE);
        if view.status != crate::code::Status::Playing {
            return reply.line(format!(
                "the game is over ({}): clicks do nothing; `:undo` or `:restart`",
                view.status.as_str()
            ));
        }
        let Some(piece) = store.piece(at) else {
            return reply.line(format!(
                "there is no piece at {place}: nothing handles the click"
            ));
        };
        if self.is_stopped() && store.piece_meta(at).last_click_action == store.action {
            return reply.line(
                "this piece has already handled a click in this action: a repeat is skipped",
            );
        }
        let program = self.program().clone();
        let Some(kind) = program.piece_kind(piece.kind) else {
            return;
        };
        let handler = kind.handlers[crate::code::PieceEvent::Click as usize]
            .and_then(|f| program.function(f).map(|c| (f, c.clone())));
        let Some((id, code)) = handler else {
            return reply.line(format!("the piece \"{}\" has no onClick", kind.name));
        };
        let text = format!("click{{{row},{col}}}");
        let result = self.count_entry(&text);
        match result {
            Err(diagnostics) => reply.error(
                diagnostics
                    .first()
                    .map_or_else(String::new, |d| d.message.clone()),
            ),
            Ok((census, changes)) => {
                let empty = code.stop_points.len() <= 1
                    && census.stop_counts.keys().all(|(f, _)| *f != id.0);
                if changes.is_empty() {
                    let words = if empty {
                        "runs, and there is nothing in it"
                    } else {
                        "runs, and changes nothing"
                    };
                    reply.line(format!("{}.onClick {words}", kind.name));
                    self.tell_branches(&census, id, reply);
                    for &cell in census.skipped_clicks.iter().take(MOST_SKIPPED) {
                        let (r, c) = self.machine.store.row_col(cell);
                        let place = self.program().board_info.format_cell(r.into(), c.into());
                        reply.line(format!(
                            "  its click on {place} is skipped: already handled one in this action"
                        ));
                    }
                } else {
                    self.push_wrapped(
                        &format!("a click here would do something: {}", changes.join(", ")),
                        reply,
                    );
                }
            }
        }
    }

    /// Runs an entry on a copy, counting what is seen; and what it would change.
    fn count_entry(&mut self, text: &str) -> Result<(ValueProfile, Vec<String>), Vec<Diagnostic>> {
        let source = crate::source::Source::new(
            crate::source::SourceId(u32::MAX - 1),
            crate::source::Origin::Entry(0),
            text,
        );
        let compiled = self.language.compile_entry(&source, self.program(), None)?;
        let function = compiled.entry_point.unwrap_or(FunctionId(0));
        self.with_rollback(|s| {
            let (before, _) = s.machine.store.snapshot();
            s.machine.abandon();
            s.machine.install(Rc::new(compiled.program));
            if let Err(fault) = s.machine.start(function, &[]) {
                return Err(vec![s.runtime_error(&fault)]);
            }
            let mut census = ValueProfile::new(&s.machine, WHY_BUDGET_INSTRUCTIONS);
            if let Outcome::Failed(fault) = s.machine.run_observed(&mut census) {
                return Err(vec![s.runtime_error(&fault)]);
            }
            let (after, _) = s.machine.store.snapshot();
            let changes = s.state_diff(&before, &after, 4);
            Ok((census, changes))
        })
    }

    /// The tests that were false on the way: branches that were not taken.
    fn tell_branches(&self, census: &ValueProfile, handler: FunctionId, reply: &mut Reply) {
        let Some(function) = self.machine.function(handler) else {
            return;
        };
        // A test is what stands in the head of a statement that holds others.
        let head = |span: Span| {
            let holder = function
                .stop_points
                .iter()
                .filter(|s| s.span.contains(span))
                .min_by_key(|s| s.span.end - s.span.start);
            holder.is_some_and(|s| {
                function
                    .stop_points
                    .iter()
                    .any(|o| o.span != s.span && s.span.contains(o.span))
            })
        };
        let tests = census
            .exprs
            .values()
            .filter(|t| t.function == handler && t.false_count > 0 && t.true_count == 0);
        for test in tests.filter(|t| head(t.span)).take(6) {
            let inner = census
                .exprs
                .values()
                .find(|t| test.span.contains(t.span) && t.span != test.span);
            let value = inner.map_or_else(String::new, |t| {
                format!(
                    "; {} is {}",
                    self.sources.slice(t.span),
                    t.values.first().map_or("", |v| v.0.as_str())
                )
            });
            let place = self.format_location(test.span);
            reply.line(format!(
                "  {place}: {} is false{value}: that branch is not taken",
                self.sources.slice(test.span)
            ));
        }
    }
}
