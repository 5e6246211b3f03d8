//! What the lines of an SGL2D game have said so far, put together: of each sprite its looks and all its events, of each
//! counter what happens at zero. What a key changes (places, counters, cells) is not here but in the store.

use super::ast::{Color, CounterAction, EndAction, ReplaceAction};
use super::env::Env;
use super::hir::{Effect, EffectKind, HirLine, HirLineKind};
use crate::code::Program;
use crate::source::Span;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub env: Env,
    /// Every line, in order: what a new start does.
    pub lines: Vec<Rc<HirLine>>,
    pub player: Option<Appearance>,
    pub goal: Option<Appearance>,
    pub counters: [CounterInfo; 3],
    pub player_event: EventActions,
    pub sprites: BTreeMap<Arc<str>, Sprite>,
    /// Their names by number.
    pub sprite_names: Vec<Arc<str>>,
}

#[derive(Clone, Copy, Debug)]
pub struct Appearance {
    pub color: Color,
    /// Of the line.
    pub span: Span,
}

/// A counter of the panel.
#[derive(Clone, Copy, Debug, Default)]
pub struct CounterInfo {
    /// Of the line, if there is one.
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
    /// Of its last line.
    pub span: Span,
    pub actions: EventActions,
}

/// All that the event lines of one target say: of each action the last one, with its place.
#[derive(Clone, Debug, Default)]
pub struct EventActions {
    /// Of the last line.
    pub span: Option<Span>,
    amounts: Vec<(CounterAction, i32, Span)>,
    flags: Vec<(Flag, Span)>,
    pub teleport: Option<(i32, i32, Span)>,
    /// The sprite that comes to a cell that this one leaves: whichever action named one last.
    pub replacement: Option<Arc<str>>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Flag {
    Replace(ReplaceAction),
    End(EndAction),
}

impl EventActions {
    fn add(&mut self, deed: &Effect, line: Span) {
        self.span = Some(line);
        match &deed.kind {
            EffectKind::Counter(amount, value) => {
                self.amounts.retain(|(a, ..)| a != amount);
                self.amounts.push((*amount, *value, deed.span));
            }
            EffectKind::Replace(which, name) => {
                self.raise(Flag::Replace(*which), deed.span);
                self.replacement = Some(name.clone());
            }
            EffectKind::MovePlayerTo { x, y } => self.teleport = Some((*x, *y, deed.span)),
            EffectKind::End(ending) => self.raise(Flag::End(*ending), deed.span),
        }
    }

    fn raise(&mut self, flag: Flag, span: Span) {
        self.flags.retain(|(f, _)| *f != flag);
        self.flags.push((flag, span));
    }

    pub fn amount(&self, amount: CounterAction) -> Option<(i32, Span)> {
        self.amounts
            .iter()
            .find(|(a, ..)| *a == amount)
            .map(|&(_, value, span)| (value, span))
    }

    pub fn end_span(&self, ending: EndAction) -> Option<Span> {
        self.flag(Flag::End(ending))
    }

    pub fn replace_span(&self, which: ReplaceAction) -> Option<Span> {
        self.flag(Flag::Replace(which))
    }

    fn flag(&self, flag: Flag) -> Option<Span> {
        self.flags
            .iter()
            .find(|(f, _)| *f == flag)
            .map(|&(_, span)| span)
    }

    /// What the sprite's counter begins with, and goes back to.
    pub fn initial_counter(&self) -> i32 {
        self.amount(CounterAction::SetSpriteCounter)
            .map_or(0, |(value, _)| value)
    }

    /// Whether anything happens when the player comes onto it.
    pub fn has_touch_actions(&self) -> bool {
        use CounterAction::{DecCounter, DecSpriteCounter, IncCounter, IncSpriteCounter};
        let counting = |a: CounterAction| {
            matches!(
                a,
                IncCounter(_) | DecCounter(_) | IncSpriteCounter | DecSpriteCounter
            )
        };
        self.amounts.iter().any(|&(a, ..)| counting(a))
            || self.teleport.is_some()
            || self.replace_span(ReplaceAction::MoveToRandom).is_some()
            || self
                .replace_span(ReplaceAction::TransformToSprite)
                .is_some()
            || self.end_span(EndAction::Win).is_some()
            || self.end_span(EndAction::GameOver).is_some()
    }

    /// Whether it has to be looked at after every key.
    pub fn has_update_actions(&self) -> bool {
        let per_key = |a: CounterAction| {
            matches!(
                a,
                CounterAction::PlayerIncSpriteCounter | CounterAction::PlayerDecSpriteCounter
            )
        };
        self.amounts.iter().any(|&(a, ..)| per_key(a))
            || self
                .replace_span(ReplaceAction::MoveToRandomOnZero)
                .is_some()
            || self
                .replace_span(ReplaceAction::TransformOnZeroCounter)
                .is_some()
            || self.end_span(EndAction::WinOnZeroCounter).is_some()
            || self.end_span(EndAction::GameOverOnZeroCounter).is_some()
    }

    pub fn is_empty(&self) -> bool {
        self.amounts.is_empty() && self.flags.is_empty() && self.teleport.is_none()
    }

    /// Whether its counter can be seen to matter.
    pub fn uses_counter(&self) -> bool {
        let own = |a: CounterAction| {
            !matches!(
                a,
                CounterAction::IncCounter(_) | CounterAction::DecCounter(_)
            )
        };
        self.amounts.iter().any(|&(a, ..)| own(a)) || self.has_update_actions()
    }
}

impl Scope {
    pub fn from_program(program: &Program) -> Scope {
        program
            .scope
            .downcast_ref::<Scope>()
            .cloned()
            .unwrap_or_default()
    }

    /// Takes a line in; the answer says in words what is new.
    pub fn apply(&mut self, order: HirLine) -> Option<String> {
        let span = order.span;
        let said = match &order.kind {
            HirLineKind::Environment { columns, rows } => {
                let many = |n: &u32| if *n == 1 { "" } else { "s" };
                Some(format!(
                    "the environment has {columns} column{} and {rows} row{}",
                    many(columns),
                    many(rows)
                ))
            }
            HirLineKind::Goal(goal) => Some(told(
                self.goal
                    .replace(Appearance {
                        color: goal.color,
                        span,
                    })
                    .is_some(),
                "goal",
            )),
            HirLineKind::Player(player) => Some(told(
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
                let place = self
                    .counters
                    .get_mut(usize::from(counter.index).wrapping_sub(1))?;
                let known = place.span.is_some();
                let (win_on_zero, game_over_on_zero) =
                    (counter.win_on_zero, counter.game_over_on_zero);
                *place = CounterInfo {
                    span: Some(span),
                    shown: counter.shown,
                    win_on_zero,
                    game_over_on_zero,
                };
                Some(told(known, &format!("counter{}", counter.index)))
            }
            HirLineKind::PlayerEvent { deeds } => {
                deeds
                    .iter()
                    .for_each(|deed| self.player_event.add(deed, span));
                Some("added to the events of the player".into())
            }
            HirLineKind::SpriteEvent { sprite, deeds } => {
                let actions = &mut self.sprites.get_mut(sprite)?.actions;
                deeds.iter().for_each(|deed| actions.add(deed, span));
                Some(format!("added to the events of {sprite}"))
            }
            HirLineKind::Set { .. } | HirLineKind::Moves(_) => None,
        };
        if !matches!(order.kind, HirLineKind::Moves(_)) {
            self.lines.push(Rc::new(order));
        }
        said
    }

    fn sprite(&mut self, name: &Arc<str>, color: Color, solid: bool, span: Span) -> String {
        let number = self.sprite_names.len() as u16;
        match self.sprites.get_mut(name) {
            Some(known) => {
                (known.color, known.solid, known.span) = (color, solid, span);
                told(true, &format!("sprite {name}"))
            }
            None => {
                self.sprite_names.push(name.clone());
                let actions = EventActions::default();
                self.sprites.insert(
                    name.clone(),
                    Sprite {
                        id: number,
                        color,
                        solid,
                        span,
                        actions,
                    },
                );
                told(false, &format!("sprite {name}"))
            }
        }
    }

    /// By number.
    pub fn all_sprites(&self) -> impl Iterator<Item = (&Arc<str>, &Sprite)> {
        self.sprite_names
            .iter()
            .filter_map(|name| self.sprites.get(name).map(|sprite| (name, sprite)))
    }
}

fn told(known: bool, what: &str) -> String {
    format!("{} {what}", if known { "replaced" } else { "defined" })
}
