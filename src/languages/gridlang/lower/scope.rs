//! The definitions of a GridLang session and their locations in bytecode and store.

use super::mentions::{globals_of_layout, globals_read};
use crate::check::env::Env;
use crate::check::hir::{Game, LValue, Layout, Routine, Stmt, StmtKind, Type};
use crate::code::{FunctionId, Program, SymbolTable};
use crate::value::{SharedMap, SharedVec};
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

/// Globals that belong to the rules of play; the discriminant is the index of the global.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum RuleVariable {
    /// Every piece ever created.
    Pieces,
    /// The list `playerOrder`.
    PlayerOrder,
    /// True once the game has assigned `playerOrder`; until then every new player is appended.
    HasCustomOrder,
    /// The current player, or unset: the value of `p`.
    P,
    /// The current player or the null piece, so that it can always be compared.
    CurrentPlayer,
    /// The index of the current player in `playerOrder`.
    OrderIndex,
    /// Pieces whose move has not been checked yet.
    PendingMoves,
    /// Pieces that have moved and not yet collided with others.
    PendingArrivals,
    /// The piece whose move is being checked, or the null piece.
    CheckedPiece,
    /// True during a turn.
    IsTurnRunning,
    /// True while the `gameOver` block runs.
    IsEnding,
    /// True once the game is over.
    IsOver,
    /// The number of arrivals so far, which orders the pieces in a cell.
    ArrivalCount,
    TurnCount,
    Rows,
    Cols,
    /// Escape continuation of `repeat`, or 0.
    RepeatTarget,
    /// Escape continuation for the end of the game, or 0.
    ExitTarget,
    /// The null piece: the value of a piece variable that has no piece yet, printed as `nobody`.
    Nobody,
}

use RuleVariable::*;

impl RuleVariable {
    /// All variables, by their index, and their names in the rules. Those with `@` are hidden from
    /// users.
    pub const ALL: [(RuleVariable, &str); 19] = [
        (Pieces, "@pieces"),
        (PlayerOrder, "playerOrder"),
        (HasCustomOrder, "@hasCustomOrder"),
        (P, "p"),
        (CurrentPlayer, "@currentPlayer"),
        (OrderIndex, "@orderIndex"),
        (PendingMoves, "@pendingMoves"),
        (PendingArrivals, "@pendingArrivals"),
        (CheckedPiece, "@checkedPiece"),
        (IsTurnRunning, "@isTurnRunning"),
        (IsEnding, "@isEnding"),
        (IsOver, "@isOver"),
        (ArrivalCount, "@arrivalCount"),
        (TurnCount, "@turnCount"),
        (Rows, "@rows"),
        (Cols, "@cols"),
        (RepeatTarget, "@repeatTarget"),
        (ExitTarget, "@exitTarget"),
        (Nobody, "@nobody"),
    ];

    /// The type in the rules. An escape continuation counts as an int, because 0 means none.
    pub fn ty(self) -> Type {
        match self {
            Pieces | PendingMoves | PendingArrivals => Type::List(Box::new(Type::AnyPiece)),
            PlayerOrder => Type::List(Box::new(Type::Player)),
            P | CurrentPlayer => Type::Player,
            CheckedPiece | Nobody => Type::AnyPiece,
            HasCustomOrder | IsTurnRunning | IsEnding | IsOver => Type::Bool,
            OrderIndex | ArrivalCount | TurnCount | Rows | Cols | RepeatTarget | ExitTarget => {
                Type::Int
            }
        }
    }

    /// The variable with this name in the rules.
    pub fn named(name: &str) -> Option<RuleVariable> {
        let mut all = RuleVariable::ALL.into_iter();
        all.find_map(|(variable, known)| (known == name).then_some(variable))
    }
}

/// The fields of every piece; user-defined attributes follow. The null piece has no fields.
pub mod field {
    use super::Type;

    /// True for a player, false for an item.
    pub const IS_PLAYER: u16 = 0;
    /// `Player`, or the kind of item.
    pub const KIND: u16 = 1;
    /// The variable it was created for: `p1`, `xs[3]`.
    pub const NAME: u16 = 2;
    pub const POSITION: u16 = 3;
    /// The last position that passed `checkMove`.
    pub const VALID_POSITION: u16 = 4;
    /// The value of `ARRIVAL` at the last valid position.
    pub const VALID_ARRIVAL: u16 = 5;
    /// When the piece arrived at its position, counted in arrivals.
    pub const ARRIVAL: u16 = 6;
    pub const DISPLAY_STRING: u16 = 7;
    pub const EXISTS: u16 = 8;
    pub const WIN: u16 = 9;
    pub const TYPE: u16 = 10;
    pub const FIRST_USER_DEFINED: u16 = 11;

    /// A field by its name in the rules, with its type.
    pub fn named(name: &str) -> Option<(u16, Type)> {
        Some(match name {
            "@isPlayer" => (IS_PLAYER, Type::Bool),
            "@name" => (NAME, Type::Text),
            "@validPosition" => (VALID_POSITION, Type::Coordinate),
            "@validArrival" => (VALID_ARRIVAL, Type::Int),
            "@arrival" => (ARRIVAL, Type::Int),
            "position" => (POSITION, Type::Coordinate),
            "displayString" => (DISPLAY_STRING, Type::Text),
            "Exists" => (EXISTS, Type::Bool),
            "win" => (WIN, Type::Bool),
            "type" => (TYPE, Type::Text),
            _ => return None,
        })
    }
}

/// The position of a piece that is not on the grid yet.
pub const UNPLACED: (i32, i32) = (-1, -1);

/// Everything that is defined in a session.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub env: Rc<Env>,
    pub game: Rc<Game>,
    /// The latest `Layout`, whether it has run or not.
    pub layout: Option<Rc<Layout>>,
    /// True if a `Layout` has run in this game.
    pub has_run_layout: bool,
    /// The index of each user-defined global.
    pub global_slots: SharedMap<Arc<str>, u32>,
    /// The field of each user-defined attribute. Pieces of all kinds share the numbering.
    pub attribute_slots: BTreeMap<Arc<str>, u16>,
    /// Functions by name: `sum`, `bishop.checkMove`, `@turn`.
    pub symbols: SymbolTable,
    /// Maps the full names of colocation handlers to the names shown to users.
    pub colocation_titles: BTreeMap<Arc<str>, String>,
    /// Pieces to create at a restart that have no declaration.
    pub implicit_pieces: SharedVec<Arc<str>>,
    /// Declarations above `Layout`, or typed before it ran.
    pub declarations_before_layout: Declarations,
    /// Declarations below `Layout`, or typed after it ran.
    pub declarations_after_layout: Declarations,
}

/// Why a declaration typed at the prompt cannot be part of the program.
pub enum DeclarationConflict {
    /// `Layout` declares the variable.
    InLayout,
    /// The declaration of this variable uses it, and would have to come before it.
    UsedBy(Arc<str>),
}

/// The declarations that run when a game starts.
pub struct StartDeclarations {
    pub before_layout: Vec<Rc<Stmt>>,
    pub after_layout: Vec<Rc<Stmt>>,
}

/// The latest declaration of each global.
#[derive(Clone, Debug, Default)]
pub struct Declarations {
    /// By the name of the global, with a number that grows from declaration to declaration. A
    /// variable that is declared again keeps its number if its value uses only what is declared
    /// before it; players do not, because who is declared first begins.
    by_name: SharedMap<Arc<str>, (usize, Rc<Stmt>)>,
    next_number: usize,
}

impl Declarations {
    /// Adds the declarations of globals among the statements. They replace those of the same names.
    pub fn extend(&mut self, statements: &[Stmt]) {
        for statement in statements {
            if let StmtKind::Declare {
                target: LValue::Global(name),
                ..
            } = &statement.kind
            {
                let old = self.by_name.get(name).map(|(number, _)| *number);
                let number = old.filter(|&number| self.can_stay(number, statement));
                let number = number.unwrap_or(self.next_number);
                let declaration = (number, Rc::new(statement.clone()));
                self.by_name.insert(name.clone(), declaration);
                self.next_number += 1;
            }
        }
    }

    /// Whether a declaration can be in the place of the one with this number, which it replaces.
    fn can_stay(&self, number: usize, statement: &Stmt) -> bool {
        let StmtKind::Declare { ty, .. } = &statement.kind else {
            return false;
        };
        let is_declared_after =
            |name: &Arc<str>| self.by_name.get(name).is_some_and(|(n, _)| *n >= number);
        !ty.has_players() && !globals_read(statement).iter().any(is_declared_after)
    }

    pub fn contains(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// Removes the declaration of a variable.
    fn remove(&mut self, name: &Arc<str>) {
        self.by_name.remove(name);
    }

    fn number(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).map(|(number, _)| *number)
    }

    /// A variable between two numbers whose declaration reads `name`.
    fn reader(&self, name: &Arc<str>, numbers: Range<usize>) -> Option<Arc<str>> {
        let reads = |(other, (number, statement)): &(&Arc<str>, &(usize, Rc<Stmt>))| {
            *other != name && numbers.contains(number) && globals_read(statement).contains(name)
        };
        self.by_name
            .iter()
            .find(reads)
            .map(|(name, _)| name.clone())
    }

    /// The declarations in the order in which they were made.
    pub fn in_order(&self) -> Vec<Rc<Stmt>> {
        let mut declarations: Vec<_> = self.by_name.values().cloned().collect();
        declarations.sort_by_key(|(number, _)| *number);
        declarations.into_iter().map(|(_, stmt)| stmt).collect()
    }
}

impl Scope {
    /// The declarations that run before and after `Layout`. What `Layout` uses is declared before it,
    /// wherever the declaration is.
    pub fn start_declarations(&self) -> StartDeclarations {
        let layout = self.layout.as_ref().filter(|_| self.has_run_layout);
        let used = layout.map(|layout| globals_of_layout(layout, &self.game));
        let is_used = |statement: &Rc<Stmt>| match &statement.kind {
            StmtKind::Declare { name, .. } => used.as_ref().is_none_or(|used| used.contains(name)),
            _ => false,
        };
        let mut before_layout = self.declarations_before_layout.in_order();
        let later = self.declarations_after_layout.in_order().into_iter();
        let (used, after_layout): (Vec<_>, Vec<_>) = later.partition(is_used);
        before_layout.extend(used);
        StartDeclarations {
            before_layout,
            after_layout,
        }
    }

    /// The variables that `Layout` declares.
    fn layout_globals(&self) -> impl Iterator<Item = &Arc<str>> {
        let body = self.layout.iter().flat_map(|layout| &layout.routine.body);
        body.filter_map(|statement| match &statement.kind {
            StmtKind::Declare {
                target: LValue::Global(name),
                ..
            } => Some(name),
            _ => None,
        })
    }

    /// Replaces `Layout`. What it declares is no longer declared elsewhere.
    pub fn set_layout(&mut self, layout: Rc<Layout>) {
        self.layout = Some(layout);
        let declared: Vec<Arc<str>> = self.layout_globals().cloned().collect();
        for name in &declared {
            self.declarations_before_layout.remove(name);
            self.declarations_after_layout.remove(name);
        }
    }

    /// Stores the declaration of a global that was typed at the prompt, so that a restart repeats it
    /// and a saved file contains it. Fails if a file could not contain it.
    pub fn declare(&mut self, statement: &Stmt) -> Result<(), DeclarationConflict> {
        let StmtKind::Declare { name, ty, .. } = &statement.kind else {
            return Ok(());
        };
        if self.layout_globals().any(|other| other == name) {
            return Err(DeclarationConflict::InLayout);
        }
        let before = &mut self.declarations_before_layout;
        let stays_before = match before.number(name) {
            None => !self.has_run_layout,
            Some(_) => {
                let reads = globals_read(statement);
                let is_known = reads.iter().all(|read| before.contains(read));
                !self.has_run_layout || is_known && !ty.has_players()
            }
        };
        if let (Some(number), false) = (before.number(name), stays_before) {
            if let Some(reader) = before.reader(name, number..usize::MAX) {
                return Err(DeclarationConflict::UsedBy(reader));
            }
            before.remove(name);
        }
        let declarations = match stays_before {
            true => before,
            false => &mut self.declarations_after_layout,
        };
        if let Some(number) = declarations.number(name)
            && !declarations.can_stay(number, statement)
            && let Some(reader) = declarations.reader(name, number..usize::MAX)
        {
            return Err(DeclarationConflict::UsedBy(reader));
        }
        if globals_read(statement).contains(name) {
            return Err(DeclarationConflict::UsedBy(name.clone()));
        }
        declarations.extend(std::slice::from_ref(statement));
        Ok(())
    }

    /// The scope stored in a program.
    pub fn of(program: &Program) -> Rc<Scope> {
        program.scope_of()
    }

    /// The number of fields of a piece.
    pub fn field_count(&self) -> u16 {
        field::FIRST_USER_DEFINED.saturating_add(self.attribute_slots.len() as u16)
    }

    /// Assigns slots to the declared globals, in the order of their declarations; existing ones
    /// keep theirs.
    pub fn assign_global_slots(&mut self, declared: &[Arc<str>]) {
        let index = |name: &Arc<str>| self.env.globals.get(name).map(|g| g.declaration_index);
        let mut declared: Vec<_> = declared.iter().collect();
        declared.sort_by_key(|name| index(name));
        for name in declared {
            let next = (RuleVariable::ALL.len() + self.global_slots.len()) as u32;
            self.global_slots.get_or_insert_with(name, || next);
        }
    }

    /// Assigns slots to new attributes and titles to new colocation handlers; existing ones keep
    /// theirs.
    pub fn assign_attribute_slots(&mut self) {
        for (_, attribute) in self.game.attributes() {
            let next = field::FIRST_USER_DEFINED.saturating_add(self.attribute_slots.len() as u16);
            self.attribute_slots
                .entry(attribute.name.clone())
                .or_insert(next);
        }
        for handler in &self.game.colocation_handlers {
            let full_name = &handler.routine.name;
            if !self.colocation_titles.contains_key(full_name) {
                // The first handler of a receiver gets the short name `Bonus.colocation`.
                let short = full_name.split('(').next().unwrap_or(full_name).to_string();
                let title = if self.colocation_titles.values().any(|t| *t == short) {
                    full_name.to_string()
                } else {
                    short
                };
                self.colocation_titles.insert(full_name.clone(), title);
            }
        }
    }

    /// Every routine of the game with its name.
    pub fn routines(&self) -> Vec<(String, &Arc<Routine>)> {
        let mut all = self.blocks_and_handlers();
        let functions = self.game.functions.values();
        all.extend(functions.map(|r| (r.name.to_string(), r)));
        all
    }

    /// Every routine except for the functions, with its name.
    fn blocks_and_handlers(&self) -> Vec<(String, &Arc<Routine>)> {
        let game = &self.game;
        let layout = self.layout.iter().map(|l| &l.routine);
        let moves = game.move_handlers.iter().map(|h| &h.routine);
        let named = game.blocks.values().chain(layout).chain(moves);
        let mut all: Vec<(String, &Arc<Routine>)> =
            named.map(|r| (r.name.to_string(), r)).collect();
        all.extend(
            game.colocation_handlers
                .iter()
                .map(|h| (self.colocation_title(&h.routine.name), &h.routine)),
        );
        all
    }

    /// The name shown for a colocation handler: short if it is unambiguous.
    pub fn colocation_title(&self, full_name: &str) -> String {
        self.colocation_titles
            .get(full_name)
            .cloned()
            .unwrap_or_else(|| full_name.to_string())
    }

    /// The routine a function was compiled from.
    pub fn routine(&self, id: FunctionId) -> Option<&Arc<Routine>> {
        let title = self.symbols.name_of(id)?;
        self.game.functions.get(title).or_else(|| {
            let others = self.blocks_and_handlers();
            let mut others = others.into_iter();
            others.find(|(t, _)| t == title).map(|(_, routine)| routine)
        })
    }
}
