//! The definitions of a game so far: color and events of each sprite, flags of each counter.
//! Anything that a move changes (positions, counter values, cells) is in the machine's store instead.

use crate::code::Program;
use crate::languages::sgl2d::ast::{Color, CounterAction, EndAction, ReplaceAction};
use crate::languages::sgl2d::check::env::Env;
use crate::languages::sgl2d::check::hir::{Effect, EffectKind, HirLine, HirLineKind};
use crate::languages::sgl2d::token::Token;
use crate::source::Span;
use crate::value::{SharedMap, SharedVec};
use std::rc::Rc;
use std::sync::Arc;

#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub env: Env,
    /// All lines in order; starting the game executes them again.
    pub lines: SharedVec<Rc<HirLine>>,
    pub player: Option<Appearance>,
    pub goal: Option<Appearance>,
    pub counters: [CounterInfo; 3],
    pub player_event: EventActions,
    pub sprites: SharedMap<Arc<str>, Sprite>,
    /// Sprite names, indexed by [`Sprite::id`].
    pub sprite_names: SharedVec<Arc<str>>,
    /// Names of the sprites whose own counter is used, by [`Sprite::id`].
    pub sprites_with_counter: SharedMap<u16, Arc<str>>,
    /// Names that events use as a replacement and that are not defined yet.
    pub undefined_replacements: SharedMap<Arc<str>, ()>,
    /// False if the function that starts the game lacks the latest lines.
    pub is_start_current: bool,
}

/// How the player or the goal is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Appearance {
    pub color: Color,
    /// Span of the line that defines it.
    pub span: Span,
}

/// One of the three global counters.
#[derive(Clone, Copy, Debug, Default)]
pub struct CounterInfo {
    /// Span of its line, if it has one.
    pub span: Option<Span>,
    pub shown: bool,
    pub win_on_zero: Option<Span>,
    pub game_over_on_zero: Option<Span>,
}

#[derive(Clone, Debug)]
pub struct Sprite {
    pub id: u16,
    pub color: Color,
    pub solid: bool,
    /// Span of its last `sprite` line.
    pub span: Span,
    pub actions: EventActions,
}

/// The merged `event` lines of one target: the last occurrence of each action.
#[derive(Clone, Debug, Default)]
pub struct EventActions {
    /// Span of the last `event` line.
    pub span: Option<Span>,
    effects: Vec<Effect>,
    /// The sprite that replaces this one in a cell: the one named by the last action of that kind.
    pub replacement: Option<Arc<str>>,
}

impl EventActions {
    /// Merges an effect of the event line at `line`.
    fn add(&mut self, effect: &Effect, line: Span) {
        self.span = Some(line);
        if let EffectKind::Replace(_, name) = &effect.kind {
            self.replacement = Some(name.clone());
        }
        self.effects
            .retain(|other| !other.kind.is_same_action(&effect.kind));
        self.effects.push(effect.clone());
    }

    /// The effect of the action that these tokens name.
    pub fn find(&self, action: &[Token]) -> Option<&Effect> {
        self.effects
            .iter()
            .find(|effect| match (action, &effect.kind) {
                ([Token::CounterAction(a), ..], EffectKind::Counter(b, _)) => a == b,
                ([Token::ReplaceAction((a, _))], EffectKind::Replace(b, _)) => a == b,
                ([Token::MovePlayerTo, ..], EffectKind::MovePlayerTo { .. }) => true,
                ([token], EffectKind::End(ending)) => *token == ending.token(),
                _ => false,
            })
    }

    /// The initial value of the sprite's counter, to which it is also reset.
    pub fn initial_counter(&self) -> i32 {
        let value = |effect: &Effect| match effect.kind {
            EffectKind::Counter(CounterAction::SetSpriteCounter, value) => Some(value),
            _ => None,
        };
        self.effects.iter().find_map(value).unwrap_or(0)
    }

    /// Whether the sprite's own counter is used, and so worth showing.
    pub fn uses_counter(&self) -> bool {
        use CounterAction::{DecCounter, IncCounter};
        use EndAction::{GameOverOnZeroCounter, WinOnZeroCounter};
        use ReplaceAction::{MoveToRandomOnZero, TransformOnZeroCounter};
        self.effects.iter().any(|effect| match effect.kind {
            EffectKind::Counter(action, _) => !matches!(action, IncCounter(_) | DecCounter(_)),
            EffectKind::Replace(action, _) => {
                matches!(action, MoveToRandomOnZero | TransformOnZeroCounter)
            }
            EffectKind::End(ending) => matches!(ending, GameOverOnZeroCounter | WinOnZeroCounter),
            EffectKind::MovePlayerTo { .. } => false,
        })
    }
}

impl Scope {
    /// The scope of a compiled program.
    pub fn from_program(program: &Program) -> Rc<Scope> {
        program.scope_of()
    }

    /// Adds a line. Returns a message that describes the change.
    pub fn apply(&mut self, line: HirLine) -> Option<String> {
        let span = line.span;
        let message = match &line.kind {
            HirLineKind::Environment { columns, rows } => {
                let plural = |n: &u32| if *n == 1 { "" } else { "s" };
                let set_lines = match self.sprites.is_empty() {
                    true => "",
                    false => "; `set` lines run again at the next :restart",
                };
                Some(format!(
                    "the environment has {columns} column{} and {rows} row{}{set_lines}",
                    plural(columns),
                    plural(rows)
                ))
            }
            HirLineKind::Goal(goal) => Some(definition_message(
                self.goal
                    .replace(Appearance {
                        color: goal.color,
                        span,
                    })
                    .is_some(),
                "goal",
            )),
            HirLineKind::Player(player) => Some(definition_message(
                self.player
                    .replace(Appearance {
                        color: player.color,
                        span,
                    })
                    .is_some(),
                "player",
            )),
            HirLineKind::Sprite { name, color, solid } => {
                Some(self.sprite(name, *color, *solid, span))
            }
            HirLineKind::Counter(counter) => {
                let slot = self
                    .counters
                    .get_mut(usize::from(counter.index).wrapping_sub(1))?;
                let is_redefinition = slot.span.is_some();
                let (win_on_zero, game_over_on_zero) =
                    (counter.win_on_zero, counter.game_over_on_zero);
                *slot = CounterInfo {
                    span: Some(span),
                    shown: counter.shown,
                    win_on_zero,
                    game_over_on_zero,
                };
                Some(definition_message(
                    is_redefinition,
                    &format!("counter{}", counter.index),
                ))
            }
            HirLineKind::PlayerEvent { effects } => {
                effects
                    .iter()
                    .for_each(|effect| self.player_event.add(effect, span));
                (!effects.is_empty()).then(|| "added to event player".into())
            }
            HirLineKind::SpriteEvent { sprite, effects } => {
                self.sprite_event(sprite, effects, span)?;
                (!effects.is_empty()).then(|| format!("added to event {sprite}"))
            }
            HirLineKind::Set { .. } | HirLineKind::Moves(_) => None,
        };
        if !matches!(line.kind, HirLineKind::Moves(_)) {
            self.lines.push(Rc::new(line));
        }
        message
    }

    /// Adds an event line to a sprite. `None` if the sprite is not defined.
    fn sprite_event(&mut self, name: &Arc<str>, effects: &[Effect], line: Span) -> Option<()> {
        let Sprite { id, actions, .. } = self.sprites.get_mut(name)?;
        effects.iter().for_each(|effect| actions.add(effect, line));
        if actions.uses_counter() {
            self.sprites_with_counter.insert(*id, name.clone());
        }
        for effect in effects {
            if let EffectKind::Replace(_, replacement) = &effect.kind
                && !self.sprites.contains_key(replacement)
            {
                self.undefined_replacements.insert(replacement.clone(), ());
            }
        }
        Some(())
    }

    fn sprite(&mut self, name: &Arc<str>, color: Color, solid: bool, span: Span) -> String {
        let id = self.sprite_names.len() as u16;
        match self.sprites.get_mut(name) {
            Some(sprite) => {
                (sprite.color, sprite.solid, sprite.span) = (color, solid, span);
                definition_message(true, &format!("sprite {name}"))
            }
            None => {
                self.sprite_names.push(name.clone());
                self.undefined_replacements.remove(name);
                let actions = EventActions::default();
                self.sprites.insert(
                    name.clone(),
                    Sprite {
                        id,
                        color,
                        solid,
                        span,
                        actions,
                    },
                );
                definition_message(false, &format!("sprite {name}"))
            }
        }
    }

    /// All sprites in the order of their ids.
    pub fn all_sprites(&self) -> impl Iterator<Item = (&Arc<str>, &Sprite)> {
        self.sprite_names
            .iter()
            .filter_map(|name| self.sprites.get(name).map(|sprite| (name, sprite)))
    }
}

fn definition_message(is_redefinition: bool, name: &str) -> String {
    format!(
        "{} {name}",
        if is_redefinition {
            "replaced"
        } else {
            "defined"
        }
    )
}
