//! The environment of the checker: what earlier lines have defined, as far as later lines depend on
//! it.

use std::sync::Arc;

use crate::ast::{Name, ReplaceAction};
use crate::source::Span;
use crate::value::SharedMap;

/// Default number of columns and of rows.
pub const DEFAULT_SIDE_CELLS: u32 = 10;

/// Definitions so far: sprites, grid size, player. Cheap to clone, because the sprites are shared.
#[derive(Clone, Debug, PartialEq)]
pub struct Env {
    pub columns: u32,
    pub rows: u32,
    pub has_player: bool,
    /// The sprite of the last line, if that was a `set`: an entry that starts with a position
    /// continues it.
    pub last_set_sprite: Option<Arc<str>>,
    pub sprites: SharedMap<Arc<str>, SpriteInfo>,
}

/// A defined sprite.
#[derive(Clone, Debug, PartialEq)]
pub struct SpriteInfo {
    /// Span of the name in its first definition.
    pub span: Span,
    /// Whether the player cannot enter its cells.
    pub solid: bool,
    /// Its replacement (there is only one per sprite) and the action that names it.
    pub replacement: Option<(ReplaceAction, Name)>,
}

impl Default for Env {
    fn default() -> Env {
        Env {
            columns: DEFAULT_SIDE_CELLS,
            rows: DEFAULT_SIDE_CELLS,
            has_player: false,
            last_set_sprite: None,
            sprites: SharedMap::default(),
        }
    }
}

impl Env {
    /// Whether a position is inside the environment.
    pub fn contains(&self, x: i32, y: i32) -> bool {
        (0..self.columns as i32).contains(&x) && (0..self.rows as i32).contains(&y)
    }

    /// The cell in the environment that is nearest to a position.
    pub fn nearest_cell(&self, x: i32, y: i32) -> (i32, i32) {
        let (right, bottom) = self.last_cell();
        (x.clamp(0, right), y.clamp(0, bottom))
    }

    /// The bottom right cell.
    pub fn last_cell(&self) -> (i32, i32) {
        (self.columns as i32 - 1, self.rows as i32 - 1)
    }
}
