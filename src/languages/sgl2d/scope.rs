//! What the lines of an SGL2D game have said so far, put together: of each sprite its looks and all its events, of each
//! counter what happens at zero. What a key changes (places, counters, cells) is not here but in the store.

use super::ast::{Amount, Color, Ending, Successor};
use super::env::Env;
use super::order::{Deed, DeedKind, Order, OrderKind};
use crate::code::Program;
use crate::source::Span;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub env: Env,
    /// Every line, in order: what a new start does.
    pub orders: Vec<Rc<Order>>,
    pub player: Option<Looks>,
    pub goal: Option<Looks>,
    pub counters: [Counting; 3],
    pub player_event: Actions,
    pub sprites: BTreeMap<Arc<str>, Sprite>,
    /// Their names by number.
    pub names: Vec<Arc<str>>,
}

#[derive(Clone, Copy, Debug)]
pub struct Looks {
    pub color: Color,
    /// Of the line.
    pub span: Span,
}

/// A counter of the panel.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counting {
    /// Of the line, if there is one.
    pub span: Option<Span>,
    pub shown: bool,
    pub win_on_zero: Option<Span>,
    pub game_over_on_zero: Option<Span>,
}

#[derive(Clone, Debug)]
pub struct Sprite {
    pub number: u16,
    pub color: Color,
    pub solid: bool,
    /// Of its last line.
    pub span: Span,
    pub actions: Actions,
}

/// All that the event lines of one target say: of each action the last one, with its place.
#[derive(Clone, Debug, Default)]
pub struct Actions {
    /// Of the last line.
    pub span: Option<Span>,
    amounts: Vec<(Amount, i32, Span)>,
    flags: Vec<(Flag, Span)>,
    pub teleport: Option<(i32, i32, Span)>,
    /// The sprite that comes to a cell that this one leaves: whichever action named one last.
    pub successor: Option<Arc<str>>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Flag {
    Successor(Successor),
    Ending(Ending),
}

impl Actions {
    fn add(&mut self, deed: &Deed, line: Span) {
        self.span = Some(line);
        match &deed.kind {
            DeedKind::Amount(amount, value) => {
                self.amounts.retain(|(a, ..)| a != amount);
                self.amounts.push((*amount, *value, deed.span));
            }
            DeedKind::Successor(which, name) => {
                self.raise(Flag::Successor(*which), deed.span);
                self.successor = Some(name.clone());
            }
            DeedKind::MovePlayerTo { x, y } => self.teleport = Some((*x, *y, deed.span)),
            DeedKind::Ending(ending) => self.raise(Flag::Ending(*ending), deed.span),
        }
    }

    fn raise(&mut self, flag: Flag, span: Span) {
        self.flags.retain(|(f, _)| *f != flag);
        self.flags.push((flag, span));
    }

    pub fn amount(&self, amount: Amount) -> Option<(i32, Span)> {
        self.amounts
            .iter()
            .find(|(a, ..)| *a == amount)
            .map(|&(_, value, span)| (value, span))
    }

    pub fn ending(&self, ending: Ending) -> Option<Span> {
        self.flag(Flag::Ending(ending))
    }

    pub fn replacing(&self, which: Successor) -> Option<Span> {
        self.flag(Flag::Successor(which))
    }

    fn flag(&self, flag: Flag) -> Option<Span> {
        self.flags
            .iter()
            .find(|(f, _)| *f == flag)
            .map(|&(_, span)| span)
    }

    /// What the sprite's counter begins with, and goes back to.
    pub fn reset(&self) -> i32 {
        self.amount(Amount::SetSpriteCounter)
            .map_or(0, |(value, _)| value)
    }

    /// Whether anything happens when the player comes onto it.
    pub fn touches(&self) -> bool {
        use Amount::{DecCounter, DecSpriteCounter, IncCounter, IncSpriteCounter};
        let counting = |a: Amount| {
            matches!(
                a,
                IncCounter(_) | DecCounter(_) | IncSpriteCounter | DecSpriteCounter
            )
        };
        self.amounts.iter().any(|&(a, ..)| counting(a))
            || self.teleport.is_some()
            || self.replacing(Successor::MoveToRandom).is_some()
            || self.replacing(Successor::TransformToSprite).is_some()
            || self.ending(Ending::Win).is_some()
            || self.ending(Ending::GameOver).is_some()
    }

    /// Whether it has to be looked at after every key.
    pub fn updates(&self) -> bool {
        let per_key = |a: Amount| {
            matches!(
                a,
                Amount::PlayerIncSpriteCounter | Amount::PlayerDecSpriteCounter
            )
        };
        self.amounts.iter().any(|&(a, ..)| per_key(a))
            || self.replacing(Successor::MoveToRandomOnZero).is_some()
            || self.replacing(Successor::TransformOnZeroCounter).is_some()
            || self.ending(Ending::WinOnZeroCounter).is_some()
            || self.ending(Ending::GameOverOnZeroCounter).is_some()
    }

    pub fn is_empty(&self) -> bool {
        self.amounts.is_empty() && self.flags.is_empty() && self.teleport.is_none()
    }

    /// Whether its counter can be seen to matter.
    pub fn counts(&self) -> bool {
        let own = |a: Amount| !matches!(a, Amount::IncCounter(_) | Amount::DecCounter(_));
        self.amounts.iter().any(|&(a, ..)| own(a)) || self.updates()
    }
}

impl Scope {
    pub fn of(program: &Program) -> Scope {
        program
            .scope
            .downcast_ref::<Scope>()
            .cloned()
            .unwrap_or_default()
    }

    /// Takes a line in; the answer says in words what is new.
    pub fn apply(&mut self, order: Order) -> Option<String> {
        let span = order.span;
        let said = match &order.kind {
            OrderKind::Environment { columns, rows } => {
                let many = |n: &u32| if *n == 1 { "" } else { "s" };
                Some(format!(
                    "the environment has {columns} column{} and {rows} row{}",
                    many(columns),
                    many(rows)
                ))
            }
            OrderKind::Goal(goal) => Some(told(
                self.goal
                    .replace(Looks {
                        color: goal.color,
                        span,
                    })
                    .is_some(),
                "goal",
            )),
            OrderKind::Player(player) => Some(told(
                self.player
                    .replace(Looks {
                        color: player.color,
                        span,
                    })
                    .is_some(),
                "player",
            )),
            OrderKind::Sprite { name, color, solid } => {
                Some(self.sprite(name, *color, *solid, span))
            }
            OrderKind::Counter(counter) => {
                let place = self
                    .counters
                    .get_mut(usize::from(counter.index).wrapping_sub(1))?;
                let known = place.span.is_some();
                let (win_on_zero, game_over_on_zero) =
                    (counter.win_on_zero, counter.game_over_on_zero);
                *place = Counting {
                    span: Some(span),
                    shown: counter.shown,
                    win_on_zero,
                    game_over_on_zero,
                };
                Some(told(known, &format!("counter{}", counter.index)))
            }
            OrderKind::PlayerEvent { deeds } => {
                deeds
                    .iter()
                    .for_each(|deed| self.player_event.add(deed, span));
                Some("added to the events of the player".into())
            }
            OrderKind::SpriteEvent { sprite, deeds } => {
                let actions = &mut self.sprites.get_mut(sprite)?.actions;
                deeds.iter().for_each(|deed| actions.add(deed, span));
                Some(format!("added to the events of {sprite}"))
            }
            OrderKind::Set { .. } | OrderKind::Moves(_) => None,
        };
        if !matches!(order.kind, OrderKind::Moves(_)) {
            self.orders.push(Rc::new(order));
        }
        said
    }

    fn sprite(&mut self, name: &Arc<str>, color: Color, solid: bool, span: Span) -> String {
        let number = self.names.len() as u16;
        match self.sprites.get_mut(name) {
            Some(known) => {
                (known.color, known.solid, known.span) = (color, solid, span);
                told(true, &format!("sprite {name}"))
            }
            None => {
                self.names.push(name.clone());
                let actions = Actions::default();
                self.sprites.insert(
                    name.clone(),
                    Sprite {
                        number,
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
        self.names
            .iter()
            .filter_map(|name| self.sprites.get(name).map(|sprite| (name, sprite)))
    }
}

fn told(known: bool, what: &str) -> String {
    format!("{} {what}", if known { "replaced" } else { "defined" })
}
