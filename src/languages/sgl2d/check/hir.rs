//! Resolved lines: defaults are filled in, duplicates and unknown sprites are removed, numbers are
//! parsed. Every part keeps its span.

use std::sync::Arc;

use crate::languages::sgl2d::ast::{Color, CounterAction, EndAction, MoveSequence, ReplaceAction};
use crate::source::Span;

#[derive(Clone, Debug, PartialEq)]
pub struct HirLine {
    pub kind: HirLineKind,
    /// Span of the whole line.
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum HirLineKind {
    Environment {
        columns: u32,
        rows: u32,
    },
    /// Can be outside the environment; then it cannot be reached.
    Goal(Marker),
    /// Always inside the environment at this point of the program.
    Player(Marker),
    /// Defines a sprite, or changes color and solidity of an existing one; its events and counter
    /// are kept.
    Sprite {
        name: Arc<str>,
        color: Color,
        solid: bool,
    },
    Counter(Counter),
    PlayerEvent {
        effects: Vec<Effect>,
    },
    SpriteEvent {
        sprite: Arc<str>,
        effects: Vec<Effect>,
    },
    Set {
        sprite: Arc<str>,
        rects: Vec<CellRect>,
    },
    Moves(Vec<MoveSequence>),
}

/// The player or the goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marker {
    pub x: i32,
    pub y: i32,
    pub color: Color,
}

/// Replaces any earlier definition of this counter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counter {
    /// 1, 2 or 3.
    pub index: u8,
    pub shown: bool,
    pub value: i32,
    /// Span of the flag, if present.
    pub win_on_zero: Option<Span>,
    pub game_over_on_zero: Option<Span>,
}

/// An action of an `event` line that has an effect on its target.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    pub kind: EffectKind,
    /// Span of the action with its values.
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum EffectKind {
    Counter(CounterAction, i32),
    /// Overrides any other replacement of the same sprite. The named sprite does not have to exist
    /// yet.
    Replace(ReplaceAction, Arc<str>),
    /// As written: can be outside the environment.
    MovePlayerTo {
        x: i32,
        y: i32,
    },
    End(EndAction),
}

impl EffectKind {
    /// Whether both are the same action, perhaps with another number or name.
    pub fn is_same_action(&self, other: &EffectKind) -> bool {
        match (self, other) {
            (EffectKind::Counter(a, _), EffectKind::Counter(b, _)) => a == b,
            (EffectKind::Replace(a, _), EffectKind::Replace(b, _)) => a == b,
            (EffectKind::End(a), EffectKind::End(b)) => a == b,
            (EffectKind::MovePlayerTo { .. }, EffectKind::MovePlayerTo { .. }) => true,
            _ => false,
        }
    }
}

/// A rectangle of cells inside the environment; both corners are included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellRect {
    pub left: u32,
    pub top: u32,
    pub right: u32,
    pub bottom: u32,
    /// Span of the position or range.
    pub span: Span,
}
