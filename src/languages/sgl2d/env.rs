//! What is already said when a line of SGL2D is checked: the sprites, the size of the environment, whether there is a player.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::ast::{Name, ReplaceAction};
use crate::source::Span;

/// Columns and rows where none are said.
pub(super) const DEFAULT_SIDE_CELLS: u32 = 10;

/// What the lines before have said, as far as later lines depend on it. Cloning shares the sprites.
#[derive(Clone, Debug, PartialEq)]
pub struct Env {
    pub columns: u32,
    pub rows: u32,
    pub has_player: bool,
    /// The sprite of the last line, if that was a `set`: places typed after it belong to it.
    pub last_set_sprite: Option<Arc<str>>,
    pub(super) sprites: Arc<BTreeMap<Arc<str>, SpriteInfo>>,
}

/// A sprite that was defined.
#[derive(Clone, Debug, PartialEq)]
pub struct SpriteInfo {
    /// Of its name, where it was first defined.
    pub span: Span,
    /// The one replacement it has, and the action that named it.
    pub replacement: Option<(ReplaceAction, Name)>,
}

impl Default for Env {
    fn default() -> Env {
        Env {
            columns: DEFAULT_SIDE_CELLS,
            rows: DEFAULT_SIDE_CELLS,
            has_player: false,
            last_set_sprite: None,
            sprites: Arc::default(),
        }
    }
}

impl Env {
    pub fn sprite(&self, name: &str) -> Option<&SpriteInfo> {
        self.sprites.get(name)
    }

    pub fn sprites(&self) -> impl Iterator<Item = (&str, &SpriteInfo)> {
        self.sprites.iter().map(|(name, known)| (&**name, known))
    }

    pub(super) fn contains(&self, x: i32, y: i32) -> bool {
        (0..self.columns as i32).contains(&x) && (0..self.rows as i32).contains(&y)
    }

    pub(super) fn last_cell(&self) -> (i32, i32) {
        (self.columns as i32 - 1, self.rows as i32 - 1)
    }
}
