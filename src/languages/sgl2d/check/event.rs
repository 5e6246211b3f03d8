//! Checks `event` lines: which actions have an effect on their target, and with which numbers.
//!
//! An action without effect is not checked further; even its numbers can be invalid.

use crate::ast::*;
use crate::check::Checker;
use crate::check::hir::{Effect, EffectKind, HirLineKind};
use crate::language::Reporter;
use crate::source::Span;

impl Checker {
    /// Checks the event of a sprite, or of the player.
    pub(super) fn event(
        &mut self,
        sprite: Option<&Name>,
        actions: &[Action],
    ) -> Option<HirLineKind> {
        if let Some(name) = sprite {
            self.require_sprite(name)?;
        }
        let effects = actions.iter().filter_map(|action| {
            let kind = self.effect(sprite, action)?;
            let span = action.span;
            Some(Effect { kind, span })
        });
        let effects: Vec<Effect> = effects.collect();
        if let (Some(name), Some(touch)) = (sprite, effects.iter().find(|e| e.kind.is_touch())) {
            self.touch_events.push((name.text.clone(), touch.span));
        }
        Some(HirLineKind::Event {
            effects,
            sprite: sprite.map(|name| name.text.clone()),
        })
    }

    /// What an action does to a sprite, or to the player.
    fn effect(&mut self, sprite: Option<&Name>, action: &Action) -> Option<EffectKind> {
        let is_player_only =
            matches!(&action.kind, ActionKind::Counter(kind, _) if kind.is_player_only());
        if is_player_only == sprite.is_some() {
            let (target, note) = match sprite {
                Some(_) => ("a sprite", "write it after `event player >`"),
                None => (
                    "the player",
                    "only `playerinccounter1=` to `playerdeccounter3=` work on the player",
                ),
            };
            let message = format!("this action has no effect on {target}");
            self.warning("SG111", action.span, message).add_note(note);
            return None;
        }
        Some(match &action.kind {
            ActionKind::Counter(kind, numbers) => {
                let value = self.counter_value(*kind, numbers, action.span)?;
                EffectKind::Counter(*kind, value)
            }
            ActionKind::Replace(kind, name) => self.replace_effect(sprite?, *kind, name),
            ActionKind::MovePlayerTo(position) => {
                self.require_both(position, action.span)?;
                let (x, y) = self.coordinates(position)?;
                self.check_teleport(x, y, action.span);
                EffectKind::MovePlayerTo { x, y }
            }
            ActionKind::End(ending) => EffectKind::End(*ending),
        })
    }

    /// The number of an action. Of several numbers, the last one is used. The language parses the
    /// digits of actions without the `player` prefix as one number, so a later minus sign is an
    /// error.
    fn counter_value(
        &mut self,
        action: CounterAction,
        numbers: &[Number],
        span: Span,
    ) -> Option<i32> {
        let Some(number) = numbers.last() else {
            let error = self.error("SG101", span, "expected a number after this action");
            error.add_note("write the number after the `=`, e.g. `inccounter1=5`");
            return None;
        };
        if !action.is_per_move && numbers.len() > 1 {
            if let Some(second) = numbers[1..].iter().find(|number| number.negative) {
                let message = "a negative number cannot follow another number";
                self.error("SG103", second.span, message)
                    .add_note("write a single number");
                return None;
            }
            let message = "only the last of several numbers is used";
            self.warning("SG119", number.span, message);
        }
        self.value(number)
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
    use crate::check::env::Env;
    use crate::check::{Checked, check};
    use crate::parse::{Start, parse};
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
            Some(HirLineKind::Event { effects, .. }) => effects,
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
        let increase = CounterAction {
            verb: CounterVerb::Increase,
            counter: Some(1),
            is_per_move: true,
        };
        assert_eq!(found, [EffectKind::Counter(increase, 2)]);
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
    fn a_teleport_needs_both_coordinates() {
        for text in [
            "moveplayerto=",
            "moveplayerto= x=5",
            "moveplayerto= y=5 win",
        ] {
            assert_eq!(effects(&format!("event s > {text}")).0, ["SG101"], "{text}");
        }
        assert!(effects("event s > moveplayerto= y=5 x=0").0.is_empty());
    }

    #[test]
    fn events_of_solid_sprites_that_never_run_are_reported() {
        let solid = "sprite wall > solid=true\n";
        let codes = |text: &str| effects(&format!("{solid}{text}")).0;
        for action in [
            "win",
            "inccounter1=1",
            "transformtosprite=f",
            "moveplayerto= x=1 y=1",
        ] {
            assert_eq!(
                codes(&format!("event wall > {action}")),
                ["SG123"],
                "{action}"
            );
        }
        // These do not need the player to enter the cell.
        for action in [
            "setspritecounter=3",
            "playerdecspritecounter=1",
            "winonzerocounter",
        ] {
            assert!(
                codes(&format!("event wall > {action}")).is_empty(),
                "{action}"
            );
        }
        assert!(codes("event wall > win\nsprite wall > solid=false").is_empty());
        assert_eq!(effects("event s > win\nsprite s > solid=true").0, ["SG123"]);
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
        let increase = CounterAction {
            verb: CounterVerb::Increase,
            counter: Some(1),
            is_per_move: false,
        };
        assert_eq!(
            (codes, found),
            (vec!["SG119"], vec![EffectKind::Counter(increase, 2)])
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
