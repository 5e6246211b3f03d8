//! What a session of GridLang has defined so far, and where each part of it lies in code and store.

use super::env::Env;
use super::hir::{Game, Layout, Routine, Stmt};
use crate::code::{FunctionId, Program, SymbolTable};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// Variables of the rules, by their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum RuleVariable {
    /// Every piece that was ever made.
    Pieces,
    /// The list playerOrder itself.
    PlayerOrder,
    /// Whether the game has set playerOrder; until then every new player joins it.
    HasCustomOrder,
    /// The player whose turn it is, or no value: what `p` reads.
    P,
    /// The same player, or nobody: what can be compared.
    CurrentPlayer,
    /// Where in playerOrder that player sits.
    OrderIndex,
    /// Pieces whose move is still to be checked, and those still to meet others.
    PendingMoves,
    PendingArrivals,
    /// The piece whose move is being checked, or nobody.
    CheckedPiece,
    /// Whether a turn is going on.
    IsTurnRunning,
    /// Whether the game is ending, and whether it has ended.
    IsEnding,
    IsOver,
    /// Counts arrivals, so that the pieces of a cell have an order.
    ArrivalCount,
    TurnCount,
    Rows,
    Cols,
    /// Where `repeat` goes, and where the end of the game does; 0 is nowhere.
    RepeatTarget,
    ExitTarget,
    /// What a variable for a piece holds that holds none.
    NullPiece,
}

impl RuleVariable {
    pub const NAMES: [&'static str; 19] = [
        "@pieces",
        "playerOrder",
        "@orderGiven",
        "p",
        "@current",
        "@seat",
        "@moved",
        "@arrived",
        "@checking",
        "@playing",
        "@ending",
        "@over",
        "@clock",
        "@turns",
        "@rows",
        "@cols",
        "@again",
        "@exit",
        "@nobody",
    ];
}

/// The fields of every piece, by their numbers; a game's own attributes follow. Nobody is a piece without any.
pub mod field {
    /// Whether it is a player.
    pub const IS_PLAYER: u16 = 0;
    /// `Player`, or the kind of item.
    pub const KIND: u16 = 1;
    /// The variable that it was made for: `p1`, `xs[3]`.
    pub const NAME: u16 = 2;
    pub const POSITION: u16 = 3;
    /// The last position that was checked, and its arrival.
    pub const VALID_POSITION: u16 = 4;
    pub const VALID_ARRIVAL: u16 = 5;
    pub const ARRIVAL: u16 = 6;
    pub const DISPLAY_STRING: u16 = 7;
    pub const EXISTS: u16 = 8;
    pub const WIN: u16 = 9;
    pub const TYPE: u16 = 10;
    pub const FIRST_USER_DEFINED: u16 = 11;
}

/// The position of a piece that was not put anywhere yet.
pub const UNPLACED: (i32, i32) = (-1, -1);

/// All that is defined.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub env: Rc<Env>,
    pub game: Rc<Game>,
    /// The newest one, whether it has run or not.
    pub layout: Option<Rc<Layout>>,
    /// Whether a Layout has run in this game.
    pub has_run_layout: bool,
    /// The numbers of the game's own variables.
    pub global_slots: BTreeMap<Arc<str>, u32>,
    /// The fields of own attributes, by name: pieces of all kinds share them.
    pub attribute_slots: BTreeMap<Arc<str>, u16>,
    /// Code by title: `sum`, `bishop.checkMove`, `@turn`.
    pub symbols: SymbolTable,
    /// The titles of colocation handlers, by their full names.
    pub colocation_titles: BTreeMap<Arc<str>, String>,
    /// What starts the game anew: pieces that need no declaration, declarations before Layout and after it.
    pub implicit_pieces: Vec<Arc<str>>,
    pub declarations_before_layout: Vec<Stmt>,
    pub declarations_after_layout: Vec<Stmt>,
}

impl Scope {
    pub fn of(program: &Program) -> Scope {
        program
            .scope
            .downcast_ref::<Scope>()
            .cloned()
            .unwrap_or_default()
    }

    /// How many fields a piece has.
    pub fn field_count(&self) -> u16 {
        field::FIRST_USER_DEFINED.saturating_add(self.attribute_slots.len() as u16)
    }

    /// Gives numbers to new variables and attributes; old ones keep theirs.
    pub fn assign_slots(&mut self) {
        let mut globals: Vec<_> = self.env.globals.iter().collect();
        globals.sort_by_key(|(_, g)| g.declaration_index);
        for (name, _) in globals {
            let next = (RuleVariable::NAMES.len() + self.global_slots.len()) as u32;
            self.global_slots.entry(name.clone()).or_insert(next);
        }
        let kinds = self
            .game
            .item_kinds
            .iter()
            .flat_map(|kind| &kind.attributes);
        for attribute in self.game.player_attributes.iter().chain(kinds) {
            let next = field::FIRST_USER_DEFINED.saturating_add(self.attribute_slots.len() as u16);
            self.attribute_slots
                .entry(attribute.name.clone())
                .or_insert(next);
        }
        for meeting in &self.game.colocation_handlers {
            let full = &meeting.routine.name;
            if !self.colocation_titles.contains_key(full) {
                // The first of a receiver goes by its short title.
                let short = full.split('(').next().unwrap_or(full).to_string();
                let title = if self.colocation_titles.values().any(|t| *t == short) {
                    full.to_string()
                } else {
                    short
                };
                self.colocation_titles.insert(full.clone(), title);
            }
        }
    }

    /// Every routine of the game, with its title.
    pub fn routines(&self) -> Vec<(String, &Arc<Routine>)> {
        let game = &self.game;
        let plain = [&game.game_loop, &game.check_game_end, &game.game_over]
            .into_iter()
            .flatten();
        let layout = self.layout.iter().map(|l| &l.routine);
        let moves = game.move_handlers.iter().map(|h| &h.routine);
        let named = plain.chain(layout).chain(moves).chain(&game.functions);
        let mut all: Vec<(String, &Arc<Routine>)> =
            named.map(|r| (r.name.to_string(), r)).collect();
        all.extend(
            game.colocation_handlers
                .iter()
                .map(|h| (self.colocation_title(&h.routine.name), &h.routine)),
        );
        all
    }

    pub fn colocation_title(&self, full: &str) -> String {
        self.colocation_titles
            .get(full)
            .cloned()
            .unwrap_or_else(|| full.to_string())
    }

    /// The routine that a function was made of.
    pub fn routine(&self, id: FunctionId) -> Option<&Arc<Routine>> {
        let title = self.symbols.name_of(id)?;
        self.routines()
            .into_iter()
            .find(|(t, _)| t == title)
            .map(|(_, routine)| routine)
    }
}
