//! What lines refer to: numbers, positions and sprites.

use crate::ast::*;
use crate::check::Checker;
use crate::diagnostic::did_you_mean;
use crate::language::Reporter;
use crate::source::Span;

impl Checker {
    /// The x and the y of a position; 0 if missing.
    pub(super) fn coordinates(&mut self, position: &Position) -> Option<(i32, i32)> {
        let [x, y] = [position.x, position.y].map(|number| match number {
            Some(number) => self.value(&number),
            None => Some(0),
        });
        Some((x?, y?))
    }

    /// `Some` if a position has an x and a y; otherwise reports an error.
    pub(super) fn require_both(&mut self, position: &Position, span: Span) -> Option<()> {
        let missing = match (position.x, position.y) {
            (Some(_), Some(_)) => return Some(()),
            (None, None) => "`x=…` and `y=…`",
            (None, _) => "`x=…`",
            (_, None) => "`y=…`",
        };
        let message = format!("expected {missing} after `moveplayerto=`");
        self.error("SG101", span, message)
            .add_note("write both numbers, e.g. `moveplayerto= x=3 y=4`");
        None
    }

    /// Warns about a teleport to a position outside the environment.
    pub(super) fn check_teleport(&mut self, x: i32, y: i32, span: Span) {
        if !self.env.contains(x, y) {
            let (x, y) = self.env.nearest_cell(x, y);
            let message = format!(
                "position outside the environment; the player moves to x={x} y={y} instead"
            );
            self.warning("SG118", span, message);
        }
    }

    /// The value of a number, or an error if it is too large.
    pub(super) fn value(&mut self, number: &Number) -> Option<i32> {
        // A single cell is checked as a range of one cell, so its numbers are checked twice.
        let mut recent = self.diagnostics.iter().rev().take(2);
        let is_reported = recent.any(|d| d.code == "SG102" && d.span == Some(number.span));
        if number.value.is_none() && !is_reported {
            let diagnostic = self.error("SG102", number.span, "number too large");
            diagnostic.add_note("numbers range from -2147483648 to 2147483647");
        }
        number.value
    }

    /// `Some` if the sprite is defined before this line; otherwise warns that the line is ignored.
    pub(super) fn require_sprite(&mut self, name: &Name) -> Option<()> {
        if self.env.sprites.contains_key(&name.text) {
            return Some(());
        }
        let (text, hint) = (&name.text, self.similar_sprite(name));
        let later = self.definitions.get(text).copied();
        let message = match later {
            Some(_) => format!("sprite `{text}` is defined later, so this line is ignored"),
            None => format!("unknown sprite `{text}`, so this line is ignored{hint}"),
        };
        let diagnostic = self.warning("SG110", name.span, message);
        if let Some(span) = later {
            diagnostic.add_related(span, "defined here");
        }
        let note = format!("define it before this line, e.g. `sprite {text} > color=green`");
        diagnostic.add_note(note);
        None
    }

    /// Asks for a similar name that is defined.
    pub(super) fn similar_sprite(&self, name: &Name) -> String {
        did_you_mean(&name.text, self.env.sprites.keys().map(|name| &**name))
    }
}
