//! Checks the definitions of a game: all of them, or those that a source adds.

use super::attribute::AttributeInfo;
use super::env::Env;
use super::scope::ReturnRule;
use super::{Change, Checker};
use crate::ast::{self, Ast, Definition};
use crate::check::errors;
use crate::check::hir::{Attribute, Game, ItemKind, Layout, Routine, RoutineKind};
use crate::language::Reporter;
use crate::parse::Start;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

impl Checker<'_> {
    /// Checks functions that do not change the meaning of other definitions and puts them into the
    /// game.
    pub fn extended_game(
        &mut self,
        functions: &[Arc<ast::Function>],
        old: &Rc<Game>,
        before: &Env,
    ) -> (Rc<Game>, Change) {
        let routines = functions.iter().map(|f| Arc::new(self.function(f)));
        let routines: Vec<_> = routines.collect();
        let mut game = old.clone();
        for routine in &routines {
            let functions = &mut Rc::make_mut(&mut game).functions;
            functions.insert(routine.name.clone(), routine.clone());
        }
        // A body that names the single item of a kind may be the first to declare it.
        let change = if self.defs.globals_affect_others(before) {
            Change::Any
        } else if routines.is_empty() && self.defs.declared_globals.is_empty() {
            Change::None
        } else {
            Change::Own(routines)
        };
        (game, change)
    }

    /// Checks every current definition. Routines that are the same as in the old game are shared
    /// with it.
    pub fn game(&mut self, ast: &Ast, old: &Game) -> (Game, Option<Layout>) {
        self.begin_routine(RoutineKind::Globals, "declarations", ReturnRule::Forbidden);
        let (player_attributes, item_kinds) =
            (self.check_player_attributes(), self.check_item_kinds());
        let env = self.defs.env.clone();
        let mut blocks = BTreeMap::new();
        for (&kind, block) in &env.blocks {
            let routine = self.lifecycle_block(block);
            blocks.insert(kind, shared(old.blocks.get(&kind), routine));
        }
        let mut definitions = ast.definitions().rev();
        let layout = definitions.find_map(|definition| match definition {
            Definition::Layout(layout) => Some(self.layout(layout)),
            _ => None,
        });
        let functions = env.functions.values().map(|f| {
            let (name, new) = (&f.name.text, self.function(f));
            (name.clone(), shared(old.functions.get(name), new))
        });
        let functions = functions.collect();
        let (move_handlers, colocation_handlers) = (
            self.move_handlers(&env.move_handlers),
            self.colocation_handlers(&env.colocation_handlers),
        );
        let game = Game {
            player_attributes,
            item_kinds,
            functions,
            blocks,
            move_handlers,
            colocation_handlers,
        };
        (game, layout)
    }

    /// Warns about a `Layout` that creates no grid, and about a program without a `Layout`.
    pub fn warn_without_grid(&mut self, ast: &Ast, layout: Option<&Layout>) {
        if self.defs.creates_grid || self.defs.is_rules() {
            return;
        }
        let is_layout = |definition: &&Definition| matches!(definition, Definition::Layout(_));
        match (layout, ast.definitions().find(is_layout)) {
            (Some(Layout { size: None, .. }), Some(definition)) => {
                let message = "this `Layout` does not create a grid";
                let note =
                    "give it a size: `Layout(3, 4)`, or call `createGrid(rows, columns)` in it";
                self.warning(errors::NO_GRID, definition.head(), message)
                    .add_note(note);
            }
            (None, None) if self.start == Start::Program => {
                let Some(first) = ast.definitions().next() else {
                    return;
                };
                let message = "this program has no `Layout`, so there is no grid";
                self.warning(errors::NO_GRID, first.head(), message)
                    .add_note("add one: `Layout(3, 4) { … }`");
            }
            _ => {}
        }
    }

    fn check_player_attributes(&mut self) -> Vec<Attribute> {
        let all = self.defs.player_attributes.clone();
        self.check_attributes(&all)
    }

    fn check_item_kinds(&mut self) -> Vec<ItemKind> {
        let kinds = self.defs.item_attributes.clone();
        kinds
            .into_iter()
            .map(|(name, all)| ItemKind {
                name,
                attributes: self.check_attributes(&all),
            })
            .collect()
    }

    fn check_attributes(&mut self, all: &[AttributeInfo]) -> Vec<Attribute> {
        let typed = |a: &AttributeInfo| Attribute {
            name: a.name.clone(),
            ty: a.ty.clone(),
            sizes: a.sizes.clone(),
            default: a.default.as_ref().map(|value| {
                let subject = format!("`{}` is", a.name);
                self.expect_type(value, &a.ty, errors::TYPE_MISMATCH, &subject)
            }),
            player_type: a.player_type.clone(),
            span: a.span,
        };
        all.iter().map(typed).collect()
    }
}

/// The old routine if the new one is the same, so that programs share it.
fn shared(old: Option<&Arc<Routine>>, new: Routine) -> Arc<Routine> {
    match old {
        Some(old) if **old == new => old.clone(),
        _ => Arc::new(new),
    }
}
