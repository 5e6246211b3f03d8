//! Checks `event` lines: which actions have an effect on their target, and with which numbers.
//!
//! An action without effect is not checked further; even its numbers can be invalid.

use crate::language::Reporter;
use crate::languages::sgl2d::ast::*;
use crate::languages::sgl2d::check::Checker;
use crate::languages::sgl2d::check::hir::{Effect, EffectKind, HirLineKind};
use crate::source::Span;

impl Checker {
    pub(super) fn event(&mut self, target: &Target, actions: &[Action]) -> Option<HirLineKind> {
        match target {
            Target::Player(_) => {
                let effects = actions
                    .iter()
                    .filter_map(|action| self.player_effect(action))
                    .collect();
                Some(HirLineKind::PlayerEvent { effects })
            }
            Target::Sprite(name) => {
                self.require_sprite(name)?;
                let effects = actions
                    .iter()
                    .filter_map(|action| self.sprite_effect(name, action))
                    .collect();
                Some(HirLineKind::SpriteEvent {
                    sprite: name.text.clone(),
                    effects,
                })
            }
        }
    }

    fn player_effect(&mut self, action: &Action) -> Option<Effect> {
        match &action.kind {
            ActionKind::Counter(action_kind, numbers) if action_kind.is_player_only() => {
                self.counter_effect(*action_kind, numbers, action.span)
            }
            _ => {
                let warning = self.warning(
                    "SG111",
                    action.span,
                    "this action has no effect on the player",
                );
                warning.add_note(
                    "only `playerinccounter1=` to `playerdeccounter3=` work on the player",
                );
                None
            }
        }
    }

    fn sprite_effect(&mut self, sprite: &Name, action: &Action) -> Option<Effect> {
        let kind = match &action.kind {
            ActionKind::Counter(action_kind, _) if action_kind.is_player_only() => {
                let warning = self.warning(
                    "SG111",
                    action.span,
                    "this action has no effect on a sprite",
                );
                warning.add_note("write it after `event player >`");
                return None;
            }
            ActionKind::Counter(action_kind, numbers) => {
                return self.counter_effect(*action_kind, numbers, action.span);
            }
            ActionKind::Replace(kind, name) => self.replace_effect(sprite, *kind, name),
            ActionKind::MovePlayerTo(coordinates) => {
                let (x, y) = self.coordinates(coordinates)?;
                self.check_teleport(x, y, action.span);
                EffectKind::MovePlayerTo { x, y }
            }
            ActionKind::End(ending) => EffectKind::End(*ending),
        };
        Some(Effect {
            kind,
            span: action.span,
        })
    }

    /// An action with its number. Of several numbers, the last one is used. The language parses the
    /// digits of actions without the `player` prefix as one number, so a later minus sign is an
    /// error.
    fn counter_effect(
        &mut self,
        action: CounterAction,
        numbers: &[Number],
        span: Span,
    ) -> Option<Effect> {
        let Some(number) = numbers.last() else {
            let error = self.error("SG101", span, "expected a number after this action");
            error.add_note("write the number after the `=`, e.g. `inccounter1=5`");
            return None;
        };
        if !action.is_per_move() && numbers.len() > 1 {
            if let Some(second) = numbers[1..].iter().find(|number| number.negative) {
                let message = "a negative number cannot follow another number";
                self.error("SG103", second.span, message)
                    .add_note("write a single number");
                return None;
            }
            let message = "only the last of several numbers is used";
            self.warning("SG119", number.span, message);
        }
        let value = self.value(number)?;
        Some(Effect {
            kind: EffectKind::Counter(action, value),
            span,
        })
    }

    /// Records the replacement of a sprite and warns if it overrides that of another action.
    fn replace_effect(&mut self, sprite: &Name, kind: ReplaceAction, name: &Name) -> EffectKind {
        let before = self
            .env
            .sprites
            .get(&sprite.text)
            .and_then(|info| info.replacement.clone());
        if let Some((other, old)) =
            before.filter(|(other, old)| *other != kind && old.text != name.text)
        {
            let message = format!(
                "`{}` has only one replacement: `{}` is now also used instead of `{}`",
                sprite.text, name.text, old.text
            );
            self.warning("SG112", name.span, message).add_related(
                old.span,
                format!("`{}` is set here by `{}`", old.text, other.word()),
            );
        }
        if let Some(info) = self.env.sprites.get_mut(&sprite.text) {
            info.replacement = Some((kind, name.clone()));
        }
        self.pending_replacements.push(name.clone());
        EffectKind::Replace(kind, name.text.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::sgl2d::check::env::Env;
    use crate::languages::sgl2d::check::{Checked, check};
    use crate::languages::sgl2d::parse::{Start, parse};
    use crate::source::{Origin, Source, SourceId};

    fn checked(text: &str) -> Checked {
        let source = Source::new(SourceId(1), Origin::Entry(1), text);
        let parsed = parse(&source, Start::Program).unwrap();
        check(&parsed.lines, &Env::default(), Start::Program)
    }

    /// The error codes of a program, and the effects of its last event.
    fn effects(text: &str) -> (Vec<&'static str>, Vec<EffectKind>) {
        let checked = checked(&format!("player >\nsprite s >\nsprite f >\n{text}"));
        let effects = match checked.lines.into_iter().last().map(|line| line.kind) {
            Some(
                HirLineKind::SpriteEvent { effects, .. } | HirLineKind::PlayerEvent { effects },
            ) => effects,
            _ => Vec::new(),
        };
        (
            checked.diagnostics.iter().map(|d| d.code).collect(),
            effects.into_iter().map(|effect| effect.kind).collect(),
        )
    }

    #[test]
    fn only_actions_that_apply_to_their_target_become_effects() {
        let (codes, found) = effects("event player > win playerinccounter1=1 2 inccounter1=");
        assert_eq!(
            found,
            [EffectKind::Counter(CounterAction::PlayerIncCounter(1), 2)]
        );
        assert_eq!(codes, ["SG111", "SG111"]);
        let (codes, found) = effects("event s > win playerinccounter1= moveplayerto= x=1 x=3 y=2");
        assert_eq!(
            found,
            [
                EffectKind::End(EndAction::Win),
                EffectKind::MovePlayerTo { x: 3, y: 2 }
            ]
        );
        assert_eq!(codes, ["SG111"]);
    }

    #[test]
    fn numbers_are_checked_only_where_they_have_an_effect() {
        assert_eq!(effects("event s > inccounter1=").0, ["SG101"]);
        assert_eq!(effects("event s > inccounter1=5 -3").0, ["SG103"]);
        assert_eq!(effects("event s > inccounter1=2147483648").0, ["SG102"]);
        assert_eq!(
            effects("event s > playerdecspritecounter=5 -3").0,
            Vec::<&str>::new()
        );
        assert_eq!(effects("event ghost > inccounter1=").0, ["SG110"]);
        let (codes, found) = effects("event s > inccounter1=1 2");
        assert_eq!(
            (codes, found),
            (
                vec!["SG119"],
                vec![EffectKind::Counter(CounterAction::IncCounter(1), 2)]
            )
        );
    }

    #[test]
    fn a_second_or_unknown_replacement_is_reported() {
        assert_eq!(
            effects("event s > transformtosprite=f movetorandom=f").0,
            Vec::<&str>::new()
        );
        assert_eq!(
            effects("event s > transformtosprite=f\nevent s > movetorandom=s").0,
            ["SG112"]
        );
        assert_eq!(effects("event s > transformtosprite=g").0, ["SG113"]);
        assert_eq!(
            effects("event s > transformtosprite=g\nsprite g >").0,
            Vec::<&str>::new()
        );
    }
}
