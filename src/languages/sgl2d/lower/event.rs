//! The functions that a game has for its own lines: what a touch, an update and the checks after a
//! move do, as the sections of the rules define it, and which sprites are solid or have an event.

use super::rule_body::{Action, FindAction, RuleBody, has_actions};
use super::{Lowerer, touch_function};
use crate::code::{Function, FunctionKind, Instr, PendingJump, Reg, StopKind, ValueLoc};
use crate::lower::scope::{EventActions, Scope, Sprite};
use crate::source::Span;
use crate::token::Token;
use crate::value::{InternedStr, Value};

/// The action of an event that a section of the rules asks for.
fn event_action<'s>(actions: &'s EventActions, head: &[Token]) -> Option<Action<'s>> {
    let effect = actions.find(head)?;
    Some(Action {
        effect: Some(&effect.kind),
        span: effect.span,
    })
}

/// Whether anything happens when the player enters a cell with this sprite.
pub(super) fn has_touch_actions(sprite: &Sprite) -> bool {
    has_actions("touch", &|head| event_action(&sprite.actions, head))
}

/// Whether a cell with this sprite must be updated after each move.
pub(super) fn has_update_actions(sprite: &Sprite) -> bool {
    has_actions("update", &|head| event_action(&sprite.actions, head))
}

/// The player has entered a cell with this sprite.
pub(super) fn touch(scope: &Scope, name: &str, sprite: &Sprite) -> Function {
    let span = sprite.actions.span.unwrap_or(sprite.span);
    let name = format!("event {name}");
    let body = Lowerer::new(scope, &name, FunctionKind::Handler, &["x", "y"], span);
    RuleBody::new(body, Some(sprite)).finish("touch", &|head| event_action(&sprite.actions, head))
}

/// A cell with this sprite is updated after a move.
pub(super) fn update(scope: &Scope, name: &str, sprite: &Sprite) -> Function {
    let span = sprite.actions.span.unwrap_or(sprite.span);
    let function_name = format!("update {name}");
    let mut body = Lowerer::new(scope, &function_name, FunctionKind::Handler, &[], span);
    if !has_update_actions(sprite) {
        return body.builder.finish();
    }
    if !has_touch_actions(sprite) {
        // Without touch actions, a breakpoint on `event NAME` belongs here.
        let alias = InternedStr::new(&format!("event {name}"));
        body.builder.set_alias(alias);
    }
    RuleBody::new(body, Some(sprite)).finish("update", &|head| event_action(&sprite.actions, head))
}

/// The player has moved.
pub(super) fn player(scope: &Scope) -> Function {
    let actions = &scope.player_event;
    let span = actions.span.unwrap_or_default();
    check(
        scope,
        "event player",
        "playerevent",
        FunctionKind::Handler,
        span,
        &|head| event_action(actions, head),
    )
}

/// The counters are checked after a move.
pub(super) fn counters(scope: &Scope) -> Function {
    let span = scope
        .counters
        .iter()
        .flatten()
        .map(|(_, span)| *span)
        .next();
    let find = |head: &[Token]| {
        let [Token::CounterIndex(index), flag] = head else {
            return None;
        };
        let (counter, _) = scope
            .counters
            .get(usize::from(*index).wrapping_sub(1))?
            .as_ref()?;
        let span = match flag {
            Token::WinOnZero => counter.win_on_zero?,
            _ => counter.game_over_on_zero?,
        };
        Some(Action { effect: None, span })
    };
    let kind = FunctionKind::Condition;
    check(
        scope,
        "counters",
        "counters",
        kind,
        span.unwrap_or_default(),
        &find,
    )
}

/// The goal is checked after a move.
pub(super) fn goal(scope: &Scope) -> Function {
    let span = scope.goal.map(|(_, span)| span);
    let find = |_: &[Token]| span.map(|span| Action { effect: None, span });
    let kind = FunctionKind::Condition;
    check(scope, "goal", "goal", kind, span.unwrap_or_default(), &find)
}

/// Lowers a section that every move runs. Without any of its actions, the function is part of the
/// rules, so that the debugger does not show the call.
fn check<'s>(
    scope: &'s Scope,
    name: &str,
    section: &str,
    kind: FunctionKind,
    span: Span,
    find: FindAction<'_, 's>,
) -> Function {
    let kind = match has_actions(section, find) {
        true => kind,
        false => FunctionKind::Rules,
    };
    let body = Lowerer::new(scope, name, kind, &[], span);
    RuleBody::new(body, None).finish(section, find)
}

/// Returns whether the sprite in a cell is solid. Like the others, it is part of the rules if there
/// is nothing to check.
pub(super) fn solid(scope: &Scope) -> Function {
    let kind = match scope.sprites.values().any(|sprite| sprite.solid) {
        true => FunctionKind::Condition,
        false => FunctionKind::Rules,
    };
    let mut body = Lowerer::new(scope, "solid", kind, &["x", "y"], Span::default());
    let piece = body.builder.alloc_register();
    for (name, sprite) in scope.all_sprites().filter(|(_, sprite)| sprite.solid) {
        let span = sprite.span;
        let (dst, row, col) = (piece, 1, 0);
        body.builder.emit(Instr::Cell { dst, row, col }, span);
        let other = body.jump_unless_sprite(piece, name, span);
        body.builder.stop_point(StopKind::Condition, span);
        body.return_bool(true, span);
        body.builder.patch_here(other);
    }
    body.return_bool(false, Span::default());
    body.builder.finish()
}

/// Runs the event of the sprite in a cell. The sprite is read once, before any of its actions can
/// change the cell.
pub(super) fn touch_any(scope: &Scope) -> Function {
    let (kind, span) = (FunctionKind::Rules, Span::default());
    let mut body = Lowerer::new(scope, "touch", kind, &["x", "y"], span);
    let piece = body.builder.alloc_register();
    let (dst, row, col) = (piece, 1, 0);
    body.builder.emit(Instr::Cell { dst, row, col }, span);
    let base = body.builder.alloc_registers(2);
    for (name, sprite) in scope.all_sprites().filter(|(_, s)| has_touch_actions(s)) {
        // The test is shown at the start of the line: `event lava`.
        let line = sprite.actions.span.unwrap_or(sprite.span);
        let head_len = ("event ".len() + name.len()) as u32;
        let head = Span {
            end: line.end.min(line.start + head_len),
            ..line
        };
        body.builder
            .record_value_before(head, ValueLoc::Register(piece));
        let other = body.jump_unless_sprite(piece, name, span);
        body.builder
            .record_value_after(head, ValueLoc::JumpTest { if_taken: false });
        for (src, dst) in [0, 1].into_iter().zip(base..) {
            body.builder.emit(Instr::Move { dst, src }, span);
        }
        let function = touch_function(sprite);
        body.builder.emit(Instr::Call { function, base }, span);
        body.builder.emit(Instr::ReturnNothing, span);
        body.builder.patch_here(other);
    }
    body.builder.finish()
}

impl Lowerer<'_> {
    fn return_bool(&mut self, value: bool, span: Span) {
        let in_use = self.builder.registers_in_use();
        let src = self.builder.new_constant(Value::bool(value), span);
        self.builder.emit(Instr::Return { src }, span);
        self.builder.release_registers(in_use);
    }

    /// Jumps if the piece is not this sprite.
    fn jump_unless_sprite(&mut self, piece: Reg, name: &str, span: Span) -> PendingJump {
        let k = self.builder.string_constant(name);
        let (a, expected, to) = (piece, true, 0);
        let instr = Instr::JumpUnlessNameIs { a, k, expected, to };
        self.builder.emit_jump(instr, span)
    }
}

#[cfg(test)]
mod tests {
    use crate::Sgl2d;
    use crate::code::Instr;
    use crate::language::Language;
    use crate::source::{Origin, Source, SourceId};

    #[test]
    fn every_action_is_lowered_with_known_names_only() {
        let text = "player >
sprite a >
event player > playerinccounter1=1 playerinccounter2=1 playerinccounter3=1
event player > playerdeccounter1=1 playerdeccounter2=1 playerdeccounter3=1
event a > inccounter1=1 inccounter2=1 inccounter3=1 deccounter1=1 deccounter2=1 deccounter3=1
event a > incspritecounter=1 decspritecounter=1 movetorandom=a transformtosprite=a
event a > moveplayerto= x=1 y=1 gameover win transformonzerocounter=a
event a > gameoveronzerocounter winonzerocounter movetorandomonzero=a
event a > playerincspritecounter=1 playerdecspritecounter=1";
        let source = Source::new(SourceId(1), Origin::Entry(1), text);
        let program = Sgl2d.compile_file(&source).expect("a game").program;
        let function = |name: &str| {
            let mut all = program.functions.iter();
            all.find(|f| f.name.as_str() == name).expect("a function")
        };
        // One stop for each action that runs then.
        for (name, actions) in [("event player", 6), ("event a", 13), ("update a", 6)] {
            assert_eq!(function(name).stop_points.len(), actions, "{name}");
        }
        let fails = |instr: &Instr| matches!(instr, Instr::Fail { .. });
        let mut code = program.functions.iter().flat_map(|f| f.code.iter());
        assert!(!code.any(fails));
    }
}
