//! What has to be evaluated after an update, and what can be: nothing that depends on a broken
//! definition.

use super::env::GlobalDef;
use super::type_error::UNDEFINED_NAME_CODE;
use super::update::Update;
use crate::diagnostic::{Diagnostic, Phase, first_error};
use crate::language::Reporter;
use crate::source::Span;
use std::collections::BTreeSet;
use std::sync::Arc;

impl Update<'_> {
    /// Reports an error if code that uses these names could reach a broken definition.
    pub(super) fn check_runnable(&mut self, uses: &BTreeSet<Arc<str>>, span: Span) {
        let reached = self.env.reachable(uses);
        let mut broken = self.env.broken.iter();
        let Some((name, diagnostics)) = broken.find(|(name, _)| reached.contains(*name)) else {
            return;
        };
        let error = first_error(diagnostics);
        let (why, note) = match error.filter(|error| error.code == UNDEFINED_NAME_CODE) {
            Some(error) => ("uses an undefined name", error.message.clone()),
            None => (
                "no longer matches what was redefined",
                format!("redefine `{name}` to match"),
            ),
        };
        let message = format!("this depends on `{name}`, which {why}");
        let mut diagnostic = Diagnostic::error(Phase::Type, "BG055", span, message).note(note);
        if let Some(error) = error {
            diagnostic.add_related(error.span, &error.message);
        }
        self.report(diagnostic);
    }

    /// Boards that are new or depend on something new, except those that depend on a broken
    /// definition.
    pub(super) fn boards_to_evaluate(&self) -> Vec<Arc<str>> {
        let has_new_board = self.has_new_board();
        let needs_evaluation = |global: &&Arc<GlobalDef>| {
            let reached = self.env.reachable([&global.name]);
            let reaches = |test: &dyn Fn(&Arc<str>) -> bool| reached.iter().any(test);
            (has_new_board || reaches(&|name| self.defined.contains_key(name)))
                && !reaches(&|name| self.env.broken.contains_key(name))
        };
        let boards = self.env.boards.values().filter(needs_evaluation);
        let names = boards.map(|global| global.name.clone()).collect();
        self.env.boards_in_dependency_order(&names)
    }

    /// Whether this text changes the size of the board or the type of its cells.
    pub(super) fn has_new_board(&self) -> bool {
        self.env.types.board() != self.before.types.board()
    }
}
