//! What a session of GridLang has defined so far, and where each part of it lies in code and store.

use super::env::Env;
use super::typed::{Game, Layout, Routine, Stmt};
use crate::code::{FunctionId, Program, Titles};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// Variables of the rules, by their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Hidden {
    /// Every piece that was ever made.
    Pieces,
    /// The list playerOrder itself.
    Order,
    /// Whether the game has set playerOrder; until then every new player joins it.
    OrderGiven,
    /// The player whose turn it is, or no value: what `p` reads.
    P,
    /// The same player, or nobody: what can be compared.
    Current,
    /// Where in playerOrder that player sits.
    Seat,
    /// Pieces whose move is still to be checked, and those still to meet others.
    Moved,
    Arrived,
    /// The piece whose move is being checked, or nobody.
    Checking,
    /// Whether a turn is going on.
    Playing,
    /// Whether the game is ending, and whether it has ended.
    Ending,
    Over,
    /// Counts arrivals, so that the pieces of a cell have an order.
    Clock,
    Turns,
    Rows,
    Cols,
    /// Where `repeat` goes, and where the end of the game does; 0 is nowhere.
    Again,
    Exit,
    /// What a variable for a piece holds that holds none.
    Nobody,
}

impl Hidden {
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
    pub const PLAYER: u16 = 0;
    /// `Player`, or the kind of item.
    pub const KIND: u16 = 1;
    /// The variable that it was made for: `p1`, `xs[3]`.
    pub const NAME: u16 = 2;
    pub const POSITION: u16 = 3;
    /// The last position that was checked, and its arrival.
    pub const VALIDATED: u16 = 4;
    pub const VALIDATED_ARRIVAL: u16 = 5;
    pub const ARRIVAL: u16 = 6;
    pub const DISPLAY: u16 = 7;
    pub const EXISTS: u16 = 8;
    pub const WIN: u16 = 9;
    pub const TYPE: u16 = 10;
    pub const FIRST_OWN: u16 = 11;
}

/// The position of a piece that was not put anywhere yet.
pub const NOWHERE: (i32, i32) = (-1, -1);

/// All that is defined.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub env: Rc<Env>,
    pub game: Rc<Game>,
    /// The newest one, whether it has run or not.
    pub layout: Option<Rc<Layout>>,
    /// Whether a Layout has run in this game.
    pub laid_out: bool,
    /// The numbers of the game's own variables.
    pub globals: BTreeMap<Arc<str>, u32>,
    /// The fields of own attributes, by name: pieces of all kinds share them.
    pub slots: BTreeMap<Arc<str>, u16>,
    /// Code by title: `sum`, `bishop.checkMove`, `@turn`.
    pub codes: Titles,
    /// The titles of colocation handlers, by their full names.
    pub titles: BTreeMap<Arc<str>, String>,
    /// What starts the game anew: pieces that need no declaration, declarations before Layout and after it.
    pub makes: Vec<Arc<str>>,
    pub before: Vec<Stmt>,
    pub after: Vec<Stmt>,
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
    pub fn width(&self) -> u16 {
        field::FIRST_OWN.saturating_add(self.slots.len() as u16)
    }

    /// Gives numbers to new variables and attributes; old ones keep theirs.
    pub fn number(&mut self) {
        let mut globals: Vec<_> = self.env.globals.iter().collect();
        globals.sort_by_key(|(_, g)| g.number);
        for (name, _) in globals {
            let next = (Hidden::NAMES.len() + self.globals.len()) as u32;
            self.globals.entry(name.clone()).or_insert(next);
        }
        let kinds = self.game.items.iter().flat_map(|kind| &kind.attributes);
        for attribute in self.game.player.iter().chain(kinds) {
            let next = field::FIRST_OWN.saturating_add(self.slots.len() as u16);
            self.slots.entry(attribute.name.clone()).or_insert(next);
        }
        for meeting in &self.game.meetings {
            let full = &meeting.routine.name;
            if !self.titles.contains_key(full) {
                // The first of a receiver goes by its short title.
                let short = full.split('(').next().unwrap_or(full).to_string();
                let title = if self.titles.values().any(|t| *t == short) {
                    full.to_string()
                } else {
                    short
                };
                self.titles.insert(full.clone(), title);
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
        let moves = game.moves.iter().map(|h| &h.routine);
        let named = plain.chain(layout).chain(moves).chain(&game.functions);
        let mut all: Vec<(String, &Arc<Routine>)> =
            named.map(|r| (r.name.to_string(), r)).collect();
        all.extend(
            game.meetings
                .iter()
                .map(|h| (self.meeting_title(&h.routine.name), &h.routine)),
        );
        all
    }

    pub fn meeting_title(&self, full: &str) -> String {
        self.titles
            .get(full)
            .cloned()
            .unwrap_or_else(|| full.to_string())
    }

    /// The routine that a function was made of.
    pub fn routine(&self, id: FunctionId) -> Option<&Arc<Routine>> {
        let title = self.codes.of(id)?;
        self.routines()
            .into_iter()
            .find(|(t, _)| t == title)
            .map(|(_, routine)| routine)
    }
}
