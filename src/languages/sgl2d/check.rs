//! Checks and resolves the lines in order, as the language executes them: the meaning of a line
//! depends on the sprites and the environment size before it. Invalid numbers are errors; whatever
//! the language silently ignores is a warning.
//!
//! ```text
//! event    `event` lines: which actions have an effect
//! operand  numbers, positions and sprites
//! env      what earlier lines define
//! hir      resolved lines
//! names    who uses which name
//! ```

pub mod env;
pub mod event;
pub mod hir;
pub mod names;
mod operand;

use std::collections::BTreeMap;
use std::sync::Arc;

use super::ast::*;
use super::parse::Start;
use crate::check::env::{DEFAULT_SIDE_CELLS, Env, SpriteInfo};
use crate::check::hir::{CellRect, EffectKind, HirLine, HirLineKind, Marker};
use crate::diagnostic::Diagnostic;
use crate::language::Reporter;
use crate::source::Span;

/// Maximum number of columns and of rows.
pub const MAX_SIDE_CELLS: i32 = 1000;

/// The result of checking: resolved lines and the environment after them.
#[derive(Clone, Debug)]
pub struct Checked {
    pub diagnostics: Vec<Diagnostic>,
    pub lines: Vec<HirLine>,
    pub env: Env,
}

/// Checks the lines of a program or entry, starting from `env`.
pub fn check(lines: &[Line], env: &Env, start: Start) -> Checked {
    let mut checker = Checker {
        env: env.clone(),
        diagnostics: Vec::new(),
        definitions: sprite_definitions(lines),
        pending_replacements: Vec::new(),
        touch_events: Vec::new(),
    };
    let hir_lines: Vec<HirLine> = lines.iter().filter_map(|line| checker.line(line)).collect();
    checker.check_replacements();
    checker.check_touch_events();
    if start == Start::Program {
        checker.check_goal(&hir_lines);
    }
    if let (Start::Program, false, Some(Line::Statement(first))) =
        (start, checker.env.has_player, lines.first())
    {
        let message = "no player is defined, so the arrow keys have no effect";
        checker
            .warning("SG116", first.span, message)
            .add_note("define one, e.g. `player > x=0 y=0`");
    }
    Checked {
        diagnostics: checker.diagnostics,
        lines: hir_lines,
        env: checker.env,
    }
}

/// Where each sprite is first defined, to distinguish "defined later" from "never defined".
fn sprite_definitions(lines: &[Line]) -> BTreeMap<Arc<str>, Span> {
    let mut all = BTreeMap::new();
    for line in lines {
        if let Line::Statement(Statement {
            kind: StatementKind::Sprite(Sprite { name, .. }),
            ..
        }) = line
        {
            all.entry(name.text.clone()).or_insert(name.span);
        }
    }
    all
}

pub(super) struct Checker {
    pub(super) env: Env,
    diagnostics: Vec<Diagnostic>,
    /// All sprites that the text defines, even after the current line.
    definitions: BTreeMap<Arc<str>, Span>,
    /// Sprites named as replacements so far; they can be defined later in the text.
    pub(super) pending_replacements: Vec<Name>,
    /// The events so far that need the player to enter a cell: the sprite, and the first such action.
    pub(super) touch_events: Vec<(Arc<str>, Span)>,
}

impl Reporter for Checker {
    fn diagnostics(&mut self) -> &mut Vec<Diagnostic> {
        &mut self.diagnostics
    }
}

impl Checker {
    fn line(&mut self, line: &Line) -> Option<HirLine> {
        let (kind, span) = match line {
            Line::Statement(statement) => (self.statement(statement)?, statement.span),
            Line::Moves(moves) => {
                let span = moves.iter().map(|s| s.span).reduce(Span::to)?;
                (HirLineKind::Moves(moves.clone()), span)
            }
        };
        Some(HirLine { kind, span })
    }

    fn statement(&mut self, statement: &Statement) -> Option<HirLineKind> {
        self.env.last_set_sprite = None;
        match &statement.kind {
            StatementKind::Environment(size) => Some(self.environment(size)),
            StatementKind::Goal(arguments) => self.goal(arguments),
            StatementKind::Player(arguments) => self.player(arguments),
            StatementKind::Sprite(sprite) => Some(self.sprite(sprite)),
            StatementKind::Counter(counter) => self.counter(counter),
            StatementKind::Event { sprite, actions } => self.event(sprite.as_ref(), actions),
            StatementKind::Set { name, regions } => self.set(name, regions),
        }
    }

    fn environment(&mut self, size: &Position) -> HirLineKind {
        let columns = self.side_cells(size.x, "columns");
        let rows = self.side_cells(size.y, "rows");
        (self.env.columns, self.env.rows) = (columns, rows);
        HirLineKind::Environment { columns, rows }
    }

    /// The number of columns or rows, clamped to the allowed range.
    fn side_cells(&mut self, size: Option<Number>, unit: &str) -> u32 {
        let Some(number) = size else {
            return DEFAULT_SIDE_CELLS;
        };
        let requested = number.value.unwrap_or(i32::MAX);
        let size = requested.clamp(1, MAX_SIDE_CELLS);
        if size != requested {
            let message = format!("an environment has 1 to {MAX_SIDE_CELLS} {unit}; using {size}");
            self.warning("SG117", number.span, message);
        }
        size as u32
    }

    fn goal(&mut self, arguments: &MarkerArguments) -> Option<HirLineKind> {
        let (x, y) = self.coordinates(&arguments.position)?;
        let span = arguments.position.span();
        if let Some(span) = span.filter(|_| !self.env.contains(x, y)) {
            let message = "the goal is outside the environment and cannot be reached";
            self.warning("SG118", span, message);
        }
        let color = arguments.color.unwrap_or(Color::YELLOW);
        Some(HirLineKind::Goal(Marker { x, y, color }))
    }

    fn player(&mut self, arguments: &MarkerArguments) -> Option<HirLineKind> {
        self.env.has_player = true;
        let (mut x, mut y) = self.coordinates(&arguments.position)?;
        let span = arguments.position.span();
        if let Some(span) = span.filter(|_| !self.env.contains(x, y)) {
            (x, y) = self.env.nearest_cell(x, y);
            let (last_x, last_y) = self.env.last_cell();
            let message =
                format!("the player starts outside the environment; moved to x={x} y={y}");
            self.warning("SG118", span, message)
                .add_note(format!("the last cell is x={last_x} y={last_y}"));
        }
        let color = arguments.color.unwrap_or(Color::BLUE);
        Some(HirLineKind::Player(Marker { x, y, color }))
    }

    fn sprite(&mut self, sprite: &Sprite) -> HirLineKind {
        let info = SpriteInfo {
            span: sprite.name.span,
            solid: sprite.solid,
            replacement: None,
        };
        let sprites = &mut self.env.sprites;
        sprites.get_or_insert_with(&sprite.name.text, || info);
        if let Some(info) = sprites.get_mut(&sprite.name.text) {
            info.solid = sprite.solid;
        }
        HirLineKind::Sprite(sprite.clone())
    }

    fn counter(&mut self, counter: &Counter) -> Option<HirLineKind> {
        if let Some(number) = &counter.value {
            self.value(number)?;
        }
        Some(HirLineKind::Counter(*counter))
    }

    fn set(&mut self, name: &Name, regions: &[Region]) -> Option<HirLineKind> {
        self.require_sprite(name)?;
        self.env.last_set_sprite = Some(name.text.clone());
        let rects: Vec<Option<CellRect>> = regions
            .iter()
            .filter_map(|region| self.rect(region))
            .collect();
        Some(HirLineKind::Set {
            sprite: name.text.clone(),
            rects: rects.into_iter().flatten().collect(),
        })
    }

    /// The part of a region inside the environment: `Some(None)` if there is none, `None` after an
    /// error.
    fn rect(&mut self, region: &Region) -> Option<Option<CellRect>> {
        let Region { first, last, span } = *region;
        let [left, top, right, bottom] =
            [first.x, first.y, last.x, last.y].map(|number| self.value(&number));
        let (left, top, right, bottom) = (left?, top?, right?, bottom?);
        if left > right || top > bottom {
            let diagnostic = self.warning("SG115", span, "empty range");
            diagnostic.add_note("write the top left corner first, then the bottom right one");
            return Some(None);
        }
        let (x, y) = self.env.last_cell();
        if right > x || bottom > y {
            let diagnostic =
                self.warning("SG114", span, "cells outside the environment are ignored");
            diagnostic.add_note(format!("the last cell is x={x} y={y}"));
        }
        let is_inside = left <= x && top <= y;
        let (right, bottom) = (right.min(x), bottom.min(y));
        let rect = CellRect {
            left: left as u32,
            top: top as u32,
            right: right as u32,
            bottom: bottom as u32,
            span,
        };
        Some(is_inside.then_some(rect))
    }

    /// Warns about events that never run, because the player cannot enter the cells of their sprite.
    fn check_touch_events(&mut self) {
        for (name, span) in std::mem::take(&mut self.touch_events) {
            if self.env.sprites.get(&name).is_some_and(|info| info.solid) {
                let message = format!(
                    "this never happens: `{name}` is solid, so the player cannot enter its cells"
                );
                self.warning("SG123", span, message).add_note(format!(
                    "remove `solid=true` from `sprite {name}`, or put the event on a sprite that can be entered"
                ));
            }
        }
    }

    /// Warns about a goal on a cell that stays solid and that the player does not start on.
    fn check_goal(&mut self, lines: &[HirLine]) {
        let goals = lines.iter().rev().filter_map(|line| match &line.kind {
            HirLineKind::Goal(goal) => Some((goal.x, goal.y, line.span)),
            _ => None,
        });
        let Some((x, y, span)) = goals.into_iter().next() else {
            return;
        };
        let mut sprites = lines.iter().rev().filter_map(|line| match &line.kind {
            HirLineKind::Set { sprite, rects } => rects
                .iter()
                .any(|rect| rect.contains(x, y))
                .then_some(sprite),
            _ => None,
        });
        let is_solid = |name: &&Arc<str>| {
            let info = self.env.sprites.get(*name);
            info.is_some_and(|info| info.solid && info.replacement.is_none())
        };
        let Some(name) = sprites.next().filter(is_solid) else {
            return;
        };
        let can_be_reached = lines.iter().any(|line| match &line.kind {
            HirLineKind::Player(player) => (player.x, player.y) == (x, y),
            HirLineKind::Event { effects, .. } => effects.iter().any(|effect| match &effect.kind {
                EffectKind::MovePlayerTo { x: to_x, y: to_y } => {
                    self.env.nearest_cell(*to_x, *to_y) == (x, y)
                }
                EffectKind::Replace(_, other) => other == name,
                _ => false,
            }),
            _ => false,
        });
        if !can_be_reached {
            let message =
                format!("the goal is on a cell of `{name}`, which is solid: it cannot be reached");
            self.warning("SG123", span, message)
                .add_note("move the goal to a cell that the player can enter");
        }
    }

    /// Warns about replacements that are not defined anywhere. They can be defined after the event
    /// that names them.
    fn check_replacements(&mut self) {
        for name in std::mem::take(&mut self.pending_replacements) {
            if !self.env.sprites.contains_key(&name.text) {
                let (text, hint) = (&name.text, self.similar_sprite(&name));
                let message = format!("unknown sprite `{text}`, so no cell will become it{hint}");
                self.warning("SG113", name.span, message);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse;
    use crate::source::{Origin, Source, SourceId};

    fn checked(text: &str, env: &Env, start: Start) -> Checked {
        let source = Source::new(SourceId(1), Origin::Entry(1), text);
        check(&parse(&source, start).unwrap().lines, env, start)
    }

    /// The error codes of a program, and its last line.
    fn last_line(text: &str) -> (Vec<&'static str>, Option<HirLineKind>) {
        let checked = checked(text, &Env::default(), Start::Program);
        let codes = checked.diagnostics.iter().map(|d| d.code).collect();
        (
            codes,
            checked.lines.into_iter().last().map(|line| line.kind),
        )
    }

    #[test]
    fn the_last_duplicate_is_used_and_defaults_fill_the_rest() {
        let (_, player) = last_line("Player > x=5 y=6 color=red color=blue color=green x=1 y=2");
        assert_eq!(
            player,
            Some(HirLineKind::Player(Marker {
                x: 1,
                y: 2,
                color: Color(0, 255, 0)
            }))
        );
        let (_, player) = last_line("player > x=3 y=4\nplayer > x=7");
        assert_eq!(
            player,
            Some(HirLineKind::Player(Marker {
                x: 7,
                y: 0,
                color: Color::BLUE
            }))
        );
        let (codes, player) = last_line("player > x=99999999999 x=1");
        assert_eq!(
            (codes.len(), player),
            (
                0,
                Some(HirLineKind::Player(Marker {
                    x: 1,
                    y: 0,
                    color: Color::BLUE
                }))
            )
        );
        assert_eq!(
            last_line("player > x=1 x=99999999999"),
            (vec!["SG102"], None)
        );
        let (_, goal) = last_line("player >\ngoal >");
        assert_eq!(
            goal,
            Some(HirLineKind::Goal(Marker {
                x: 0,
                y: 0,
                color: Color::YELLOW
            }))
        );
    }

    #[test]
    fn positions_are_clamped_to_the_current_environment() {
        let (codes, player) = last_line("player > x=12");
        assert_eq!(
            (codes, player),
            (
                vec!["SG118"],
                Some(HirLineKind::Player(Marker {
                    x: 9,
                    y: 0,
                    color: Color::BLUE
                }))
            )
        );
        assert!(last_line("environment > x=13\nplayer > x=12").0.is_empty());
        let (codes, size) = last_line("player >\nenvironment > x=0 y=5000");
        assert_eq!(
            (codes, size),
            (
                vec!["SG117", "SG117"],
                Some(HirLineKind::Environment {
                    columns: 1,
                    rows: 1000
                })
            )
        );
    }

    #[test]
    fn ranges_are_clipped_to_the_environment() {
        let (codes, set) = last_line(
            "player >\nsprite s >\nset s > x=10 y=1 (x=8 y=0, x=2147483647 y=3) (x=3 y=0, x=1 y=0)",
        );
        assert_eq!(codes, ["SG114", "SG114", "SG115"]);
        let Some(HirLineKind::Set { rects, .. }) = set else {
            panic!("expected a set line")
        };
        let corners: Vec<_> = rects
            .iter()
            .map(|r| (r.left, r.top, r.right, r.bottom))
            .collect();
        assert_eq!(corners, [(8, 0, 9, 3)]);
    }

    #[test]
    fn a_goal_that_cannot_be_reached_is_reported() {
        let codes = |text: &str| {
            let game = "player >\nsprite wall > solid=true\nsprite floor >\nset wall > (x=3 y=0, x=5 y=5)\n";
            last_line(&format!("{game}{text}")).0
        };
        assert_eq!(codes("goal > x=4 y=1"), ["SG123"]);
        for text in [
            "goal > x=6 y=1",
            "goal > x=4 y=1\nset floor > x=4 y=1",
            "goal > x=4 y=1\ngoal > x=0 y=1",
            "goal > x=4 y=1\nsprite wall > solid=false",
            "goal > x=4 y=1\nevent floor > moveplayerto= x=4 y=1",
            "goal > x=4 y=1\nevent wall > transformonzerocounter=floor",
            "goal > x=4 y=1\nplayer > x=4 y=1",
        ] {
            assert!(codes(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn a_number_that_is_too_large_is_reported_once() {
        assert_eq!(
            last_line("player >\nsprite s >\nset s > x=99999999999 y=0").0,
            ["SG102"]
        );
    }

    #[test]
    fn lines_about_undefined_sprites_are_ignored() {
        let checked = checked(
            "player >\nset s > x=1 y=0\nsprite s >\nset t > x=1 y=1",
            &Env::default(),
            Start::Program,
        );
        assert_eq!(checked.lines.len(), 2);
        let codes: Vec<_> = checked
            .diagnostics
            .iter()
            .map(|d| (d.code, d.related.len()))
            .collect();
        assert_eq!(codes, [("SG110", 1), ("SG110", 0)]);
    }

    #[test]
    fn an_entry_sees_earlier_definitions() {
        let first = checked(
            "environment > x=12 y=12\nsprite s >",
            &Env::default(),
            Start::Entry,
        );
        let second = checked("SET S > x=11 y=11", &first.env, Start::Entry);
        assert_eq!((second.diagnostics.len(), second.lines.len()), (0, 1));
        let moved = checked("right", &second.env, Start::Entry);
        // A missing player is reported when the move runs.
        assert_eq!((moved.diagnostics.len(), moved.lines.len()), (0, 1));
        assert_eq!(
            checked("goal >", &Env::default(), Start::Program).diagnostics[0].code,
            "SG116"
        );
    }
}
