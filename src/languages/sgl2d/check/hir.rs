//! Resolved lines: defaults are filled in, duplicates and unknown sprites are removed, numbers are
//! parsed. Every part keeps its span.

use std::sync::Arc;

use crate::ast::{Color, Counter, CounterAction, EndAction, MoveSequence, ReplaceAction, Sprite};
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
    Sprite(Sprite),
    Counter(Counter),
    Event {
        /// The sprite that the line is about, or the player.
        sprite: Option<Arc<str>>,
        effects: Vec<Effect>,
    },
    Set {
        sprite: Arc<str>,
        rects: Vec<CellRect>,
    },
    Moves(Vec<MoveSequence>),
}

impl HirLineKind {
    /// The sprite that the line defines or adds an event to.
    pub fn changed_sprite(&self) -> Option<&Arc<str>> {
        match self {
            HirLineKind::Sprite(sprite) => Some(&sprite.name.text),
            HirLineKind::Event { sprite, .. } => sprite.as_ref(),
            _ => None,
        }
    }
}

/// The player or the goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marker {
    pub x: i32,
    pub y: i32,
    pub color: Color,
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
    /// Whether the action runs when the player enters the cell of the sprite.
    pub fn is_touch(&self) -> bool {
        match self {
            EffectKind::Counter(action, _) => {
                !action.is_per_move && *action != CounterAction::SET_SPRITE_COUNTER
            }
            EffectKind::Replace(action, _) => matches!(
                action,
                ReplaceAction::MoveToRandom | ReplaceAction::TransformToSprite
            ),
            EffectKind::MovePlayerTo { .. } => true,
            EffectKind::End(ending) => matches!(ending, EndAction::Win | EndAction::GameOver),
        }
    }

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

impl CellRect {
    pub fn contains(&self, x: i32, y: i32) -> bool {
        let is_between = |first: u32, n: i32, last: u32| {
            (i64::from(first)..=i64::from(last)).contains(&i64::from(n))
        };
        is_between(self.left, x, self.right) && is_between(self.top, y, self.bottom)
    }
}
