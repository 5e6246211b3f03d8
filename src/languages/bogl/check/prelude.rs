//! Checks preludes: files of definitions that are read before a game.

use super::{Checked, Context, Update};
use crate::diagnostic::{Diagnostic, Phase};
use crate::languages::bogl::ast::{Ident, Item};
use crate::languages::bogl::check::env::{Env, Prelude};
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
    let mut preludes = Vec::clone(&env.preludes);
    preludes.push(prelude.clone());
    let preludes = Arc::new(preludes);
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
    let existing = |item: &Item| -> Option<(Ident, Span, &str, &str)> {
        match item {
            Item::Type(definition) => {
                let known = env.types.get(&definition.name.text)?;
                let name = definition.name.clone();
                Some((name, known.definition.name.span, "BG023", "type "))
            }
            Item::Value(definition) => {
                let known = env.global(&definition.name.text)?;
                let name = definition.name.clone();
                Some((name, known.declaration_span(), "BG021", ""))
            }
            Item::Let(_) => None,
        }
    };
    let found = items.iter().filter_map(existing);
    let in_files = found.filter(|(_, first, ..)| is_in_file(*first));
    in_files
        .map(|(name, first, code, kind)| {
            let message = format!("duplicate definition of {kind}`{}`", name.text);
            Diagnostic::error(Phase::Check, code, name.span, message)
                .related(first, "first defined here")
        })
        .collect()
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
