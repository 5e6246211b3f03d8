//! Checks preludes: files of definitions that are read before a game.

use super::Checked;
use super::update::{Context, Update};
use crate::ast::{Item, Name};
use crate::check::env::{Env, Prelude};
use crate::diagnostic::{Diagnostic, Phase};
use crate::source::{SourceId, Span};
use std::sync::Arc;

/// Checks preludes without a game.
pub fn check_preludes(preludes: Arc<Vec<Prelude>>) -> Checked {
    let empty = Env::default();
    let mut update = Update::new(&empty, Context::Prelude);
    update.apply_files(preludes, &[]);
    update.finish(None)
}

/// Checks a prelude that is added to what is defined. It must not define anything that another file
/// defines; `is_in_file` says whether a span is in one.
pub fn check_prelude(prelude: Prelude, env: &Env, is_in_file: impl Fn(Span) -> bool) -> Checked {
    let id = prelude.source.id;
    let mut preludes = env.preludes.clone();
    Arc::make_mut(&mut preludes).push(prelude.clone());
    let mut errors = errors_without_game(&preludes, id);
    // Duplicates among the preludes are reported already.
    let is_in_prelude = |span: Span| preludes.iter().any(|p| p.source.id == span.source);
    errors.extend(duplicates(&prelude.items, env, |span| {
        is_in_file(span) && !is_in_prelude(span)
    }));
    if !errors.is_empty() {
        return Checked {
            env: env.clone(),
            diagnostics: errors,
            ..Checked::default()
        };
    }
    let mut update = Update::new(env, Context::Prelude);
    update.env.preludes = preludes;
    update.apply(&prelude.items);
    update.finish(None)
}

/// The errors in the types and signatures of a prelude: the game is read after it, so it cannot use
/// the types of the game.
fn errors_without_game(preludes: &Arc<Vec<Prelude>>, id: SourceId) -> Vec<Diagnostic> {
    let empty = Env::default();
    let mut alone = Update::new(&empty, Context::Prelude);
    alone.declare_files(preludes.clone(), &[]);
    let mut errors = alone.diagnostics;
    errors.retain(|error| error.span.is_some_and(|span| span.source == id));
    errors
}

fn duplicates(items: &[Item], env: &Env, is_in_file: impl Fn(Span) -> bool) -> Vec<Diagnostic> {
    let duplicate = |item: &Item| -> Option<Diagnostic> {
        let Name { text, span } = item.name();
        let (first, code, kind) = match item {
            Item::Type(_) => (env.types.get(text)?.definition.name.span, "BG023", "type "),
            Item::Value(_) => (env.global(text)?.declaration_span(), "BG021", ""),
            Item::Let(_) => return None,
        };
        let message = format!("duplicate definition of {kind}`{text}`");
        let error = Diagnostic::error(Phase::Check, code, *span, message);
        is_in_file(first).then(|| error.related(first, "first defined here"))
    };
    items.iter().filter_map(duplicate).collect()
}

impl Update<'_> {
    /// Applies the definitions of the preludes, then those of a game.
    pub(super) fn apply_files(&mut self, preludes: Arc<Vec<Prelude>>, game: &[Item]) {
        let items = self.declare_files(preludes, game);
        self.check_items(&items);
    }

    /// Declares the types and signatures of the preludes and of a game.
    fn declare_files(&mut self, preludes: Arc<Vec<Prelude>>, game: &[Item]) -> Vec<Item> {
        for prelude in preludes.iter() {
            self.check_type_order(&prelude.items);
        }
        let files = preludes.iter().flat_map(|prelude| &prelude.items);
        let items: Vec<Item> = files.chain(game).cloned().collect();
        self.declare(&items);
        self.env.preludes = preludes;
        items
    }
}
