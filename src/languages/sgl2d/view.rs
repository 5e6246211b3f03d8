//! Formats SGL2D values and builds the view of a game: the player is drawn over the goal, the goal
//! over sprites.
//!
//! ```text
//! program_items  the items of a program, as its file contains them
//! ```

pub mod program_items;

use super::Sgl2d;
use super::ast::Color;
use super::lower::{
    GOAL_POS, LOSE, MOVES, PLAYER_POS, VARIABLES, WIN, counter_global, sprite_counter_global,
};
use super::token::Token;
use crate::check::hir::Marker;
use crate::code::{Program, Status};
use crate::language::{
    BoardView, CellView, Definition, GameView, NamedValues, ProgramItem, Standing, TokenClass,
    Viewport, Views,
};
use crate::lower::scope::Scope;
use crate::source::{Sources, Span};
use crate::value::{InternedStr, Store, Unpacked, Value};
use std::collections::HashMap;

/// What the board says when a level is won.
const VICTORY: &str = "Victory!";
/// What the board says when a level is lost.
const GAME_OVER: &str = "Game Over!";

impl Views for Sgl2d {
    fn view(&self, program: &Program, store: &Store, viewport: Viewport) -> GameView {
        let Some(scope) = program.scope.downcast_ref::<Scope>() else {
            return GameView::default();
        };
        let status = status(store);
        let ending = match status {
            Status::Won => Some(VICTORY.to_string()),
            Status::Lost => Some(GAME_OVER.to_string()),
            _ => None,
        };
        GameView {
            status,
            ending,
            board: (store.rows > 0).then(|| board(scope, store, viewport)),
            header: counter_panel(scope, store),
            footer: move_count(store, status).into_iter().collect(),
            ..GameView::default()
        }
    }

    fn ending_texts(&self) -> &'static [&'static str] {
        &[VICTORY, GAME_OVER]
    }

    fn standing<'s>(&self, store: &'s Store) -> Standing<'s> {
        Standing {
            status: status(store),
            ..Standing::default()
        }
    }

    fn value_type(&self, _: &Program, _: &Store, value: Value) -> String {
        let name = match value.unpack() {
            Unpacked::Nothing => "no value",
            Unpacked::Int(_) => "number",
            Unpacked::Bool(_) => "condition",
            Unpacked::Empty | Unpacked::Piece(_) | Unpacked::PieceRef(..) => "sprite",
            Unpacked::Coordinate(..) => "position",
            _ => "name",
        };
        name.to_string()
    }

    /// The variables and the counters of sprites.
    fn named_values(&self, program: &Program, store: &Store) -> NamedValues {
        let Some(scope) = program.scope.downcast_ref::<Scope>() else {
            return NamedValues::default();
        };
        let globals = (0..WIN).map(|n| (VARIABLES[n as usize].to_string(), n));
        let with_counter = scope.sprites_with_counter.values();
        let sprite_counters = with_counter.filter_map(|name| {
            let sprite = scope.sprites.get(name)?;
            Some((format!("{name}.counter"), sprite_counter_global(sprite)))
        });
        let with_value = |(name, number)| {
            Some((
                name,
                Some(store.global(number)).filter(|v| *v != Value::NOTHING)?,
            ))
        };
        let variables = globals.chain(sprite_counters);
        NamedValues {
            variables: variables.filter_map(with_value).collect(),
            ..NamedValues::default()
        }
    }

    fn definitions(&self, program: &Program) -> Vec<Definition> {
        let scope = &Scope::from_program(program);
        let mut definitions = Vec::new();
        let mut add = |name: &str, kind, signature: &str, span: Option<Span>| {
            definitions.extend(span.map(|span| Definition::new(name, kind, signature, span)));
        };
        add("player", "player", "player", scope.player.map(|(_, s)| s));
        add("goal", "goal", "goal", scope.goal.map(|(_, span)| span));
        for (counter, span) in scope.counters.iter().flatten() {
            let name = format!("counter{}", counter.index);
            add(&name, "counter", &format!("counter {name}"), Some(*span));
        }
        for (name, sprite) in scope.all_sprites() {
            let (signature, event) = (format!("sprite {name}"), format!("event {name}"));
            add(name, "sprite", &signature, Some(sprite.span));
            add(&event, "event", &event, sprite.actions.span);
        }
        let event = "event player";
        add(event, "event", event, scope.player_event.span);
        definitions
    }

    fn program_items(&self, program: &Program, _: &Sources) -> Vec<ProgramItem> {
        program_items::program_items(&Scope::from_program(program))
    }
}

/// Formats a value. SGL2D has no string literals, so the flag for quotes is unused.
pub fn format_value(program: &Program, store: &Store, value: Value, _: bool) -> String {
    match value.unpack() {
        Unpacked::Nothing => "nothing".into(),
        Unpacked::Empty => "empty".into(),
        Unpacked::Int(n) => n.to_string(),
        Unpacked::Bool(b) => b.to_string(),
        Unpacked::Piece(p) => program
            .piece_kind(p.kind)
            .map_or("", |k| k.name.as_str())
            .to_string(),
        _ => store.heap.as_str(value).unwrap_or_default().to_string(),
    }
}

/// Whether the game is won or lost.
fn status(store: &Store) -> Status {
    let is_set = |number| store.global(number) == Value::TRUE;
    match (is_set(WIN), is_set(LOSE)) {
        (true, _) => Status::Won,
        (_, true) => Status::Lost,
        _ => Status::Playing,
    }
}

/// The visible counters; hidden ones leave their slot empty.
fn counter_panel(scope: &Scope, store: &Store) -> Vec<Option<String>> {
    let panel = scope.counters.iter().map(|counter| {
        let (counter, _) = counter.as_ref().filter(|(counter, _)| counter.shown)?;
        let value = store.global(counter_global(counter.index)).as_int();
        Some(format!("Counter {}: {}", counter.index, value.unwrap_or(0)))
    });
    panel.collect()
}

/// The number of moves, once the game is over.
fn move_count(store: &Store, status: Status) -> Option<String> {
    (status != Status::Playing)
        .then(|| format!("Moves: {}", store.global(MOVES).as_int().unwrap_or(0)))
}

fn board(scope: &Scope, store: &Store, viewport: Viewport) -> BoardView {
    let (rows, cols) = (store.rows, store.cols);
    let mut drawer = CellDrawer::new(scope, store);
    let board = BoardView::clipped(rows, cols, viewport, |r, c| drawer.cell(store, r, c));
    let cursor = drawer
        .player()
        .filter(|&(r, c)| r < store.rows && c < store.cols);
    BoardView { cursor, ..board }
}

/// What is drawn in each cell: sprites by id, with player and goal on top.
struct CellDrawer<'s> {
    scope: &'s Scope,
    /// Name and color of the sprites drawn so far, by id.
    sprites: HashMap<u16, Option<(InternedStr, Color)>>,
    /// The x, y, color and name of the player, then of the goal.
    overlays: Vec<(i64, i64, Color, InternedStr)>,
}

impl<'s> CellDrawer<'s> {
    fn new(scope: &'s Scope, store: &Store) -> CellDrawer<'s> {
        let overlay = |name: &str, first: u32, marker: Option<(Marker, Span)>| {
            let coordinate = |n| store.global(n).as_int();
            Some((
                coordinate(first)?,
                coordinate(first + 1)?,
                marker?.0.color,
                InternedStr::new(name),
            ))
        };
        CellDrawer {
            scope,
            sprites: HashMap::new(),
            overlays: [
                overlay("player", PLAYER_POS[0], scope.player),
                overlay("goal", GOAL_POS[0], scope.goal),
            ]
            .into_iter()
            .flatten()
            .collect(),
        }
    }

    /// Row and column of the player.
    fn player(&self) -> Option<(u32, u32)> {
        let &(x, y, ..) = self
            .overlays
            .iter()
            .find(|(.., name)| name.as_str() == "player")?;
        Some((u32::try_from(y).ok()?, u32::try_from(x).ok()?))
    }

    /// Name and color of the sprite with this id.
    fn sprite(&mut self, id: u16) -> Option<(InternedStr, Color)> {
        let scope = self.scope;
        *self.sprites.entry(id).or_insert_with(|| {
            let name = scope.sprite_names.get(usize::from(id))?;
            Some((InternedStr::new(name), scope.sprites.get(name)?.color))
        })
    }

    fn cell(&mut self, store: &Store, row: u32, col: u32) -> CellView {
        let piece = store.piece(row * store.cols + col);
        let sprite = piece.and_then(|piece| self.sprite(piece.kind));
        let is_here = |&&(x, y, ..): &&(i64, i64, Color, InternedStr)| {
            (x, y) == (i64::from(col), i64::from(row))
        };
        let top = self.overlays.iter().find(is_here);
        let color = top
            .map(|(.., color, _)| *color)
            .or(sprite.map(|(_, color)| color))
            .unwrap_or(Color::BLACK);
        CellView {
            name: sprite.map(|(name, _)| name),
            overlay: top.map(|(.., name)| *name),
            visible: true,
            color: Some((color.0, color.1, color.2)),
            owner: None,
            variable_names: Vec::new(),
            others: self
                .overlays
                .iter()
                .filter(is_here)
                .map(|(.., name)| *name)
                .collect(),
        }
    }
}

/// The class of a token for syntax highlighting, if its text does not tell.
pub fn token_class(token: Token, _: &str) -> Option<TokenClass> {
    match token {
        token if token.is_keyword() => Some(TokenClass::Keyword),
        Token::Int(_) | Token::X(_) | Token::Y(_) => Some(TokenClass::Number),
        Token::Color(_) | Token::Solid(_) => Some(TokenClass::String),
        Token::CounterAction(_) | Token::ReplaceAction(_) | Token::MovePlayerTo => {
            Some(TokenClass::Builtin)
        }
        Token::Dropped => Some(TokenClass::Invalid),
        _ => None,
    }
}
