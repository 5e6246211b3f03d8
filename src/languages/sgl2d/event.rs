//! Event lines of SGL2D: which actions have an effect on their target, and with which numbers.
//!
//! An action without effect is not looked at further: not even its numbers have to be right.

use std::sync::Arc;

use super::ast::*;
use super::check::Checker;
use super::hir::{Effect, EffectKind, HirLineKind};
use crate::source::Span;

impl Checker {
    pub(super) fn event(&mut self, target: &Target, actions: &[Action]) -> Option<HirLineKind> {
        match target {
            Target::Player(_) => {
                let deeds = actions
                    .iter()
                    .filter_map(|action| self.player_deed(action))
                    .collect();
                Some(HirLineKind::PlayerEvent { deeds })
            }
            Target::Sprite(name) => {
                self.require_sprite(name)?;
                let deeds = actions
                    .iter()
                    .filter_map(|action| self.sprite_deed(name, action))
                    .collect();
                Some(HirLineKind::SpriteEvent {
                    sprite: name.text.clone(),
                    deeds,
                })
            }
        }
    }

    fn player_deed(&mut self, action: &Action) -> Option<Effect> {
        match &action.kind {
            ActionKind::Counter(amount, numbers) if amount.is_player_only() => {
                self.amount(*amount, numbers, action.span)
            }
            _ => {
                let told = self.warning(
                    "SG111",
                    action.span,
                    "this action has no effect on the player",
                );
                told.notes.push(
                    "on the player only `playerinccounter1=` to `playerdeccounter3=` count".into(),
                );
                None
            }
        }
    }

    fn sprite_deed(&mut self, sprite: &Name, action: &Action) -> Option<Effect> {
        let kind = match &action.kind {
            ActionKind::Counter(amount, _) if amount.is_player_only() => {
                let told = self.warning(
                    "SG111",
                    action.span,
                    "this action has no effect on a sprite",
                );
                told.notes.push("write it behind `event player >`".into());
                return None;
            }
            ActionKind::Counter(amount, numbers) => {
                return self.amount(*amount, numbers, action.span);
            }
            ActionKind::Replace(kind, name) => self.successor(sprite, *kind, name),
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

    /// Of several numbers the last counts. Without `player` before it the action wants them to be read as one,
    /// so a sign in the middle is refused.
    fn amount(&mut self, amount: CounterAction, numbers: &[Number], span: Span) -> Option<Effect> {
        let Some(number) = numbers.last() else {
            let told = self.error("SG101", span, "number expected behind this action");
            told.notes
                .push("write the number behind the `=`, such as `inccounter1=5`".into());
            return None;
        };
        if !amount.is_per_move() && numbers.len() > 1 {
            if let Some(second) = numbers[1..].iter().find(|number| number.negative) {
                let message =
                    "number expected: a number with a minus sign cannot follow another number";
                self.error("SG103", second.span, message)
                    .notes
                    .push("write one number".into());
                return None;
            }
            self.warning(
                "SG119",
                number.span,
                "of several numbers only this last one counts",
            );
        }
        let value = self.value(number)?;
        Some(Effect {
            kind: EffectKind::Counter(amount, value),
            span,
        })
    }

    fn successor(&mut self, sprite: &Name, kind: ReplaceAction, name: &Name) -> EffectKind {
        let before = self
            .env
            .sprites
            .get(&sprite.text)
            .and_then(|known| known.replacement.clone());
        if let Some((other, old)) =
            before.filter(|(other, old)| *other != kind && old.text != name.text)
        {
            let message = format!(
                "`{}` has one replacement only: `{}` now also takes the place of `{}`",
                sprite.text, name.text, old.text
            );
            self.warning("SG112", name.span, message)
                .related
                .push((old.span, format!("`{}` was for {}", old.text, other.word())));
        }
        if let Some(known) = Arc::make_mut(&mut self.env.sprites).get_mut(&sprite.text) {
            known.replacement = Some((kind, name.clone()));
        }
        self.pending_replacements.push(name.clone());
        EffectKind::Replace(kind, name.text.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::sgl2d::check::{Checked, check};
    use crate::languages::sgl2d::env::Env;
    use crate::languages::sgl2d::parse::{Start, parse};
    use crate::source::{Origin, Source, SourceId};

    fn checked(text: &str) -> Checked {
        let source = Source::new(SourceId(1), Origin::Entry(1), text);
        let reading = parse(&source, Start::Program).unwrap();
        check(&reading.lines, &Env::default(), Start::Program)
    }

    /// The code of all that was told, and the deeds of the last event.
    fn deeds(text: &str) -> (Vec<&'static str>, Vec<EffectKind>) {
        let checked = checked(&format!("player >\nsprite s >\nsprite f >\n{text}"));
        let deeds = match checked.lines.into_iter().last().map(|order| order.kind) {
            Some(HirLineKind::SpriteEvent { deeds, .. } | HirLineKind::PlayerEvent { deeds }) => {
                deeds
            }
            _ => Vec::new(),
        };
        (
            checked.diagnostics.iter().map(|d| d.code).collect(),
            deeds.into_iter().map(|deed| deed.kind).collect(),
        )
    }

    #[test]
    fn only_actions_that_count_on_their_target_become_deeds() {
        let (told, found) = deeds("event player > win playerinccounter1=1 2 inccounter1=");
        assert_eq!(
            found,
            [EffectKind::Counter(CounterAction::PlayerIncCounter(1), 2)]
        );
        assert_eq!(told, ["SG111", "SG111"]);
        let (told, found) = deeds("event s > win playerinccounter1= moveplayerto= x=1 x=3 y=2");
        assert_eq!(
            found,
            [
                EffectKind::End(EndAction::Win),
                EffectKind::MovePlayerTo { x: 3, y: 2 }
            ]
        );
        assert_eq!(told, ["SG111"]);
    }

    #[test]
    fn numbers_are_looked_at_where_they_count() {
        assert_eq!(deeds("event s > inccounter1=").0, ["SG101"]);
        assert_eq!(deeds("event s > inccounter1=5 -3").0, ["SG103"]);
        assert_eq!(deeds("event s > inccounter1=2147483648").0, ["SG102"]);
        assert_eq!(
            deeds("event s > playerdecspritecounter=5 -3").0,
            Vec::<&str>::new()
        );
        assert_eq!(deeds("event ghost > inccounter1=").0, ["SG110"]);
        let (told, found) = deeds("event s > inccounter1=1 2");
        assert_eq!(
            (told, found),
            (
                vec!["SG119"],
                vec![EffectKind::Counter(CounterAction::IncCounter(1), 2)]
            )
        );
    }

    #[test]
    fn a_second_replacement_is_told_and_an_unknown_one_as_well() {
        assert_eq!(
            deeds("event s > transformtosprite=f movetorandom=f").0,
            Vec::<&str>::new()
        );
        assert_eq!(
            deeds("event s > transformtosprite=f\nevent s > movetorandom=s").0,
            ["SG112"]
        );
        assert_eq!(deeds("event s > transformtosprite=g").0, ["SG113"]);
        assert_eq!(
            deeds("event s > transformtosprite=g\nsprite g >").0,
            Vec::<&str>::new()
        );
    }
}
