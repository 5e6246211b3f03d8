//! Explains why a click on a cell does nothing.

use super::WHY_BUDGET_INSTRUCTIONS;
use crate::code::FunctionId;
use crate::debugger::eval::scratch_source;
use crate::debugger::value_profile::ValueProfile;
use crate::diagnostic::Diagnostic;
use crate::machine::Outcome;
use crate::session::{Answer, Session};
use crate::source::Span;
use std::rc::Rc;

/// Skipped clicks beyond this are left out.
const MAX_SKIPPED_SHOWN: usize = 3;
/// Branches beyond this are left out.
const MAX_BRANCHES_SHOWN: usize = 6;

impl Session {
    /// Explains why a click on a cell does nothing, by trying it with rollback.
    pub fn why_not_click(&mut self, row: i64, col: i64, reply: &mut Answer) {
        let store = &self.target.machine.store;
        let cell_text = self.target.program().board_info.format_cell(row, col);
        let Some(at) = store.cell_at(row, col) else {
            return reply.line(format!(
                "There is no piece at {cell_text}, so nothing handles the click"
            ));
        };
        let view = self.target.view(crate::language::Viewport::NONE);
        if view.status != crate::code::Status::Playing {
            return reply.line(format!(
                "The game is over ({}), so clicks do nothing; try `:undo` or `:restart`",
                view.status.as_str()
            ));
        }
        let Some(piece) = store.piece(at) else {
            return reply.line(format!(
                "There is no piece at {cell_text}, so nothing handles the click"
            ));
        };
        if self.target.is_stopped() && store.piece_meta(at).last_click_action == store.action {
            return reply.line(
                "This piece has already handled a click in this action; further clicks on it are skipped",
            );
        }
        let program = self.target.program().clone();
        let Some(kind) = program.piece_kind(piece.kind) else {
            return;
        };
        let handler = kind.handlers[crate::code::PieceEvent::Click as usize]
            .and_then(|f| program.function(f).map(|c| (f, c.clone())));
        let Some((id, code)) = handler else {
            return reply.line(format!(
                "The piece \"{}\" has no onClick handler",
                kind.name
            ));
        };
        let text = format!("click{{{row},{col}}}");
        match self.profile_entry(&text) {
            Err(diagnostics) => reply.error(
                diagnostics
                    .first()
                    .map_or_else(String::new, |d| d.message.clone()),
            ),
            Ok((profile, changes)) => {
                let is_empty = code.stop_points.len() <= 1
                    && profile.stop_counts.keys().all(|(f, _)| *f != id.0);
                if changes.is_empty() {
                    let effect = if is_empty {
                        "is empty"
                    } else {
                        "runs, but changes nothing"
                    };
                    reply.line(format!("{}.onClick {effect}", kind.name));
                    self.report_false_branches(&profile, id, reply);
                    for &cell in profile.skipped_clicks.iter().take(MAX_SKIPPED_SHOWN) {
                        let (r, c) = self.target.machine.store.row_col(cell);
                        let cell_text = self
                            .target
                            .program()
                            .board_info
                            .format_cell(r.into(), c.into());
                        reply.line(format!(
                            "  its click on {cell_text} is skipped: that piece has already handled one in this action"
                        ));
                    }
                } else {
                    self.push_wrapped(
                        &format!(
                            "A click here would change something: {}",
                            changes.join(", ")
                        ),
                        reply,
                    );
                }
            }
        }
    }

    /// Runs an entry with rollback. Returns its value profile and the changes it would make.
    fn profile_entry(
        &mut self,
        text: &str,
    ) -> Result<(ValueProfile, Vec<String>), Vec<Diagnostic>> {
        let source = scratch_source(text);
        let compiled = self
            .target
            .language
            .compile_entry(&source, self.target.program(), None)?;
        let function = compiled.entry_point.unwrap_or(FunctionId(0));
        self.with_rollback(|s| {
            let (before, _) = s.target.machine.store.snapshot();
            s.target.machine.abandon();
            s.target.machine.install(Rc::new(compiled.program));
            if let Err(error) = s.target.machine.start(function, &[]) {
                return Err(vec![s.target.runtime_error(&error)]);
            }
            let mut profile = ValueProfile::new(&s.target.machine, WHY_BUDGET_INSTRUCTIONS);
            if let Outcome::Failed(error) = s.target.machine.run_observed(&mut profile) {
                return Err(vec![s.target.runtime_error(&error)]);
            }
            let (after, _) = s.target.machine.store.snapshot();
            let changes = crate::render::change_texts(&s.target.state_diff(&before, &after), 4);
            Ok((profile, changes))
        })
    }

    /// Shows the branches of the handler that were not taken.
    fn report_false_branches(
        &self,
        profile: &ValueProfile,
        handler: FunctionId,
        reply: &mut Answer,
    ) {
        let Some(function) = self.target.machine.function(handler) else {
            return;
        };
        // Branches are tests in the head of a statement that contains others.
        let is_branch = |span: Span| {
            let statement = function
                .stop_points
                .iter()
                .filter(|s| s.span.contains(span))
                .min_by_key(|s| s.span.end - s.span.start);
            statement.is_some_and(|s| {
                function
                    .stop_points
                    .iter()
                    .any(|o| o.span != s.span && s.span.contains(o.span))
            })
        };
        let tests = profile
            .exprs
            .values()
            .filter(|t| t.function == handler && t.false_count > 0 && t.true_count == 0);
        for test in tests.filter(|t| is_branch(t.span)).take(MAX_BRANCHES_SHOWN) {
            let inner = profile
                .exprs
                .values()
                .find(|t| test.span.contains(t.span) && t.span != test.span);
            let value = inner.map_or_else(String::new, |t| {
                format!(
                    "; {} is {}",
                    self.target.sources.slice(t.span),
                    t.values.first().map_or("", |v| v.0.as_str())
                )
            });
            let location = self.format_location(test.span);
            reply.line(format!(
                "  {location}: {} is false{value}: that branch is not taken",
                self.target.sources.slice(test.span)
            ));
        }
    }
}
