//! The definitions of a game so far: color and events of each sprite, flags of each counter.
//! Anything that a move changes (positions, counter values, cells) is in the machine's store instead.

use crate::ast::{self, Color, Counter, CounterAction, EndAction, ReplaceAction};
use crate::check::env::Env;
use crate::check::hir::{Effect, EffectKind, HirLine, HirLineKind, Marker};
use crate::code::Program;
use crate::source::Span;
use crate::token::Token;
use crate::value::{SharedMap, SharedVec};
use std::rc::Rc;
use std::sync::Arc;

#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub env: Env,
    /// All lines in order; starting the game executes them again.
    pub lines: SharedVec<Rc<HirLine>>,
    /// The last lines of the player, the goal and the counters, with their spans.
    pub player: Option<(Marker, Span)>,
    pub goal: Option<(Marker, Span)>,
    pub counters: [Option<(Counter, Span)>; 3],
    pub player_event: EventActions,
    pub sprites: SharedMap<Arc<str>, Sprite>,
    /// Sprite names, indexed by [`Sprite::id`].
    pub sprite_names: SharedVec<Arc<str>>,
    /// Names of the sprites whose own counter is used, by [`Sprite::id`].
    pub sprites_with_counter: SharedMap<u16, Arc<str>>,
    /// Names that events use as a replacement and that are not defined yet.
    pub undefined_replacements: SharedMap<Arc<str>, ()>,
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
    /// Merges the effects of the event line at `line`.
    fn extend(&mut self, effects: &[Effect], line: Span) {
        for effect in effects {
            self.span = Some(line);
            if let EffectKind::Replace(_, name) = &effect.kind {
                self.replacement = Some(name.clone());
            }
            self.effects
                .retain(|other| !other.kind.is_same_action(&effect.kind));
            self.effects.push(effect.clone());
        }
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
            EffectKind::Counter(CounterAction::SET_SPRITE_COUNTER, value) => Some(value),
            _ => None,
        };
        self.effects.iter().find_map(value).unwrap_or(0)
    }

    /// Whether the sprite's own counter is used, and so worth showing.
    pub fn uses_counter(&self) -> bool {
        use EndAction::{GameOverOnZeroCounter, WinOnZeroCounter};
        use ReplaceAction::{MoveToRandomOnZero, TransformOnZeroCounter};
        self.effects.iter().any(|effect| match effect.kind {
            EffectKind::Counter(action, _) => action.counter.is_none(),
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
                self.goal.replace((*goal, span)).is_some(),
                "goal",
            )),
            HirLineKind::Player(player) => Some(definition_message(
                self.player.replace((*player, span)).is_some(),
                "player",
            )),
            HirLineKind::Sprite(sprite) => Some(self.sprite(sprite, span)),
            HirLineKind::Counter(counter) => {
                let slot = usize::from(counter.index).wrapping_sub(1);
                let before = self.counters.get_mut(slot)?.replace((*counter, span));
                let name = format!("counter{}", counter.index);
                Some(definition_message(before.is_some(), &name))
            }
            HirLineKind::Event { sprite, effects } => {
                match sprite {
                    Some(sprite) => self.sprite_event(sprite, effects, span)?,
                    None => self.player_event.extend(effects, span),
                }
                let target = sprite.as_deref().unwrap_or("player");
                (!effects.is_empty()).then(|| format!("added to event {target}"))
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
        actions.extend(effects, line);
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

    fn sprite(&mut self, line: &ast::Sprite, span: Span) -> String {
        let ast::Sprite { color, solid, .. } = *line;
        let name = &line.name.text;
        let known = self.sprites.get(name);
        let is_redefinition = known.is_some();
        let (id, actions) = match known {
            Some(sprite) => (sprite.id, sprite.actions.clone()),
            None => (self.sprite_names.len() as u16, EventActions::default()),
        };
        if !is_redefinition {
            self.sprite_names.push(name.clone());
            self.undefined_replacements.remove(name);
        }
        let sprite = Sprite {
            id,
            color,
            solid,
            span,
            actions,
        };
        self.sprites.insert(name.clone(), sprite);
        definition_message(is_redefinition, &format!("sprite {name}"))
    }

    /// All sprites in the order of their ids.
    pub fn all_sprites(&self) -> impl Iterator<Item = (&Arc<str>, &Sprite)> {
        self.sprite_names
            .iter()
            .filter_map(|name| self.sprites.get(name).map(|sprite| (name, sprite)))
    }
}

fn definition_message(is_redefinition: bool, name: &str) -> String {
    let verb = if is_redefinition {
        "replaced"
    } else {
        "defined"
    };
    format!("{verb} {name}")
}
