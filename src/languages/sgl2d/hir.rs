//! A line of SGL2D as it is applied: defaults filled in, of duplicates the last one taken, unknown sprites left out,
//! numbers read. Every part keeps the place that says so.

use std::sync::Arc;

use super::ast::{Color, CounterAction, EndAction, MoveSequence, ReplaceAction};
use crate::source::Span;

#[derive(Clone, Debug, PartialEq)]
pub struct HirLine {
    pub kind: HirLineKind,
    /// Of the whole line.
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum HirLineKind {
    Environment {
        columns: u32,
        rows: u32,
    },
    /// May lie outside the environment, where nobody reaches it.
    Goal(Marker),
    /// Inside the environment as it is when the line is applied.
    Player(Marker),
    /// Made, or its looks set anew: events and counter of a known sprite stay.
    Sprite {
        name: Arc<str>,
        color: Color,
        solid: bool,
    },
    Counter(Counter),
    PlayerEvent {
        deeds: Vec<Effect>,
    },
    SpriteEvent {
        sprite: Arc<str>,
        deeds: Vec<Effect>,
    },
    Set {
        sprite: Arc<str>,
        areas: Vec<CellRect>,
    },
    Moves(Vec<MoveSequence>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marker {
    pub x: i32,
    pub y: i32,
    pub color: Color,
}

/// Replaces all that was said of this counter before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counter {
    /// 1, 2 or 3.
    pub index: u8,
    pub shown: bool,
    pub value: i32,
    /// Where the flag is written, if it is.
    pub win_on_zero: Option<Span>,
    pub game_over_on_zero: Option<Span>,
}

/// One action of an event line that has an effect on its target, in the order written.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    pub kind: EffectKind,
    /// Of the action with its values.
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum EffectKind {
    Counter(CounterAction, i32),
    /// The name takes the place of any other replacement of the same sprite; the sprite may not exist (yet).
    Replace(ReplaceAction, Arc<str>),
    /// As written: it may lie outside the environment.
    MovePlayerTo {
        x: i32,
        y: i32,
    },
    End(EndAction),
}

/// Cells from a corner to a corner, both inside the environment and both included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellRect {
    pub left: u32,
    pub top: u32,
    pub right: u32,
    pub bottom: u32,
    /// Of the position or range.
    pub span: Span,
}
