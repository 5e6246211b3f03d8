//! Checks a whole program, or an entry against what is already defined.
//!
//! At the prompt everything may be redefined. All other definitions are then rechecked. Those that
//! no longer type-check are kept but reported as broken; nothing that depends on them runs until
//! they are fixed.
//!
//! ```text
//! update            declares and checks what a text defines, and checks again what depends on it
//! redefine          what happens to definitions that depend on something redefined
//! runnable          what has to be evaluated after an update, and what can be
//! prelude           files of definitions that are read before a game
//! definition        one definition: its equations against its signature
//! infer             types of expressions; call: of calls; component: of tuples and cells
//! type_error        the messages about types
//! resolution        what names refer to, and which variables loops update: for lowering
//! env               what is defined, and what of it is broken
//! type_table        the declared types; type_declaration adds and replaces them
//! type_resolution   the types that definitions and signatures write
//! types             types and subtypes
//! builtin           the built-in functions and values
//! names             who uses which name
//! ```

pub mod builtin;
pub mod call;
mod component;
pub mod definition;
pub mod env;
pub mod infer;
pub mod names;
mod prelude;
mod redefine;
pub mod resolution;
mod runnable;
#[cfg(test)]
mod tests;
mod type_declaration;
pub mod type_error;
mod type_resolution;
pub mod type_table;
pub mod types;
mod update;

pub use prelude::{check_prelude, check_preludes};
pub use redefine::can_reevaluate;

use super::ast::{Entry, Item, Name, Program};
use crate::check::env::{Env, Prelude};
use crate::check::resolution::Resolution;
use crate::check::types::Type;
use crate::diagnostic::{Diagnostic, has_errors};
use definition::INCOMPLETE_BOARD_CODE;
use redefine::has_only_errors;
use std::sync::Arc;
use update::{Context, Update};

/// The result of checking a program or an entry.
#[derive(Debug, Default)]
pub struct Checked {
    /// The new environment, or the unchanged old one after an error.
    pub env: Env,
    /// Includes a warning for each definition that this change breaks; [`Env::broken`] has the
    /// errors.
    pub diagnostics: Vec<Diagnostic>,
    /// Name resolution and type of the expression to evaluate, if there is one.
    pub expr: Option<(Resolution, Type)>,
    /// Boards to evaluate, in dependency order.
    pub boards_to_evaluate: Vec<Arc<str>>,
    /// Session lets to evaluate, in source order.
    pub lets_to_evaluate: Vec<Arc<str>>,
    /// Definitions that were broken and type-check again.
    pub newly_fixed: Vec<Arc<str>>,
    /// What is defined, if all other definitions keep their meaning.
    pub changed_alone: Option<Vec<Arc<str>>>,
}

impl Checked {
    /// All diagnostics as `Err` if one of them is an error.
    pub fn into_result(self) -> Result<Checked, Vec<Diagnostic>> {
        match has_errors(&self.diagnostics) {
            true => Err(self.diagnostics),
            false => Ok(self),
        }
    }
}

/// Checks a source file as a new game that uses these preludes.
pub fn check_program(preludes: Arc<Vec<Prelude>>, program: &Program) -> Checked {
    let empty = Env::default();
    let mut update = Update::new(&empty, Context::Game);
    update.check_type_order(&program.items);
    update.apply_files(preludes, &program.items);
    update.finish(None)
}

/// Checks an entry. A pasted program replaces everything.
pub fn check_entry(entry: &Entry, env: &Env) -> Checked {
    check_entry_in_frame(entry, env, &[])
}

/// Like [`check_entry`], but expressions and session lets can also refer to the locals of a stopped
/// frame (innermost last).
pub fn check_entry_in_frame(entry: &Entry, env: &Env, frame: &[(Name, Type)]) -> Checked {
    match entry {
        Entry::Game(program) => check_program(env.preludes.clone(), program),
        Entry::Lines { items, expr } => {
            let mut update = Update::new(env, Context::Prompt);
            update.frame = frame;
            update.apply(items);
            update.finish(expr.as_ref())
        }
    }
}

/// True if the entry ends with the equations of a board that still has unset cells, so more
/// equations may follow on the next line.
pub fn is_board_incomplete(entry: &Entry, env: &Env) -> bool {
    let Entry::Lines { items, expr: None } = entry else {
        return false;
    };
    let Some(Item::Value(last)) = items.last() else {
        return false;
    };
    has_only_errors(&check_entry(entry, env).diagnostics, |error| {
        error.code == INCOMPLETE_BOARD_CODE && error.span == Some(last.name.span)
    })
}
