//! Puts the functions of a game together: all of them for a file, and for lines typed at the prompt
//! those that depend on the lines.

use super::{
    COUNTERS, GOAL, KEY, PLAYER_EVENT, SOLID, START, TOO_LARGE, TOUCH, VARIABLES, event, line,
    rule_body, sprite_counter_global, touch_function, update_function,
};
use crate::check::Checked;
use crate::check::hir::{HirLine, HirLineKind};
use crate::code::{Arithmetic, BoardInfo, CellStyle, Global, PieceEvent, PieceKind, Program};
use crate::diagnostic::{Diagnostic, Phase};
use crate::language::Compiled;
use crate::lower::scope::{Scope, Sprite};
use crate::source::Span;
use crate::value::{InternedStr, Piece};
use crate::view;
use std::rc::Rc;
use std::sync::Arc;

/// A game without any lines.
pub fn empty_program() -> Program {
    assemble(Scope::default(), Span::default())
}

/// Lowers all functions of a game.
pub(super) fn assemble(scope: Scope, span: Span) -> Program {
    let mut program = Program {
        globals: variable_globals(&scope).collect(),
        board_info: BoardInfo {
            cell_style: CellStyle::XyNamed,
            ..BoardInfo::default()
        },
        start_function: Some(START),
        format_value: view::format_value,
        too_large_code: TOO_LARGE,
        ..Program::empty("sgl2d", Arithmetic::Wrapping32)
    };
    program.define(START, line::start(&scope, span));
    program.define(KEY, rule_body::key());
    define_checks(&mut program, &scope);
    for (name, sprite) in scope.all_sprites() {
        define_sprite(&mut program, &scope, name, sprite);
    }
    program.scope = Rc::new(scope);
    program
}

/// Defines the functions of the game's lines that belong to no single sprite.
fn define_checks(program: &mut Program, scope: &Scope) {
    program.define(SOLID, event::solid(scope));
    program.define(PLAYER_EVENT, event::player(scope));
    program.define(COUNTERS, event::counters(scope));
    program.define(GOAL, event::goal(scope));
    program.define(TOUCH, event::touch_any(scope));
}

/// Defines a sprite's functions, its own counter and its kind of piece.
fn define_sprite(program: &mut Program, scope: &Scope, name: &str, sprite: &Sprite) {
    program.define(touch_function(sprite), event::touch(scope, name, sprite));
    program.define(update_function(sprite), event::update(scope, name, sprite));
    let counter = Global::variable(&format!("{name}.counter"), sprite.span);
    let slot = sprite_counter_global(sprite) as usize;
    program.globals.put(slot, counter);
    let kind = piece_kind(name, sprite);
    program.piece_kinds.put(usize::from(sprite.id), kind);
}

/// Adds lines to the game of `old`. `scope` includes the lines. Lowers only what depends on them,
/// and not the function that starts the game.
pub(super) fn extend(scope: Scope, lines: &[HirLine], old: &Program) -> Program {
    let before = Scope::from_program(old);
    let mut program = Program {
        is_start_current: false,
        ..old.clone()
    };
    if lines
        .iter()
        .any(|line| changes_checks(line, &before, &scope))
    {
        define_checks(&mut program, &scope);
    }
    for (index, global) in variable_globals(&scope).enumerate() {
        program.globals.put(index, global);
    }
    for (name, sprite) in changed_sprites(lines, &before, &scope) {
        define_sprite(&mut program, &scope, name, sprite);
    }
    program.scope = Rc::new(scope);
    program
}

/// Whether a line can change a function that belongs to no single sprite.
fn changes_checks(line: &HirLine, before: &Scope, after: &Scope) -> bool {
    let takes_part = |scope: &Scope, name| {
        scope
            .sprites
            .get(name)
            .is_some_and(|sprite| sprite.solid || event::has_touch_actions(sprite))
    };
    match &line.kind {
        HirLineKind::Environment { .. }
        | HirLineKind::Player(_)
        | HirLineKind::Set { .. }
        | HirLineKind::Moves(_) => false,
        kind => match kind.changed_sprite() {
            Some(name) => takes_part(before, name) || takes_part(after, name),
            None => true,
        },
    }
}

/// The sprites whose functions can depend on the lines; new ones in the order of their ids.
fn changed_sprites<'s>(
    lines: &[HirLine],
    before: &Scope,
    after: &'s Scope,
) -> Vec<(&'s Arc<str>, &'s Sprite)> {
    // Events depend on the size of the board and on whether a replacement is defined.
    let changes_all = |line: &HirLine| match &line.kind {
        HirLineKind::Environment { .. } => true,
        HirLineKind::Sprite(sprite) => before
            .undefined_replacements
            .contains_key(&sprite.name.text),
        _ => false,
    };
    if lines.iter().any(changes_all) {
        return after.all_sprites().collect();
    }
    let named = lines.iter().filter_map(|line| {
        let sprite = after.sprites.get(line.kind.changed_sprite()?)?;
        Some((after.sprite_names.get(usize::from(sprite.id))?, sprite))
    });
    named.collect()
}

/// Lowers the function that starts the game again.
pub fn lower_start(program: &mut Program) {
    let span = program.function(START).map(|f| f.span).unwrap_or_default();
    program.define(START, line::start(&Scope::from_program(program), span));
}

fn piece_kind(name: &str, sprite: &Sprite) -> PieceKind {
    let mut handlers = [None, None];
    if event::has_update_actions(sprite) {
        handlers[PieceEvent::Turn as usize] = Some(update_function(sprite));
    }
    PieceKind {
        name: InternedStr::new(name),
        visible: true,
        handlers,
        span: sprite.span,
    }
}

/// The globals of every game.
fn variable_globals(scope: &Scope) -> impl Iterator<Item = Global> {
    let span_of = |name: &str| match name.split_once('.').map_or(name, |(owner, _)| owner) {
        "player" => scope.player.map(|(_, span)| span),
        "goal" => scope.goal.map(|(_, span)| span),
        _ => {
            let mut counters = scope.counters.iter().flatten();
            let counter = counters.find(|(c, _)| name == format!("counter{}", c.index));
            counter.map(|(_, span)| *span)
        }
    };
    VARIABLES.iter().map(move |name| Global {
        name: InternedStr::new(name),
        is_user_defined: !matches!(*name, "win" | "lose" | "@blockedBy"),
        span: span_of(name).unwrap_or_default(),
    })
}

/// Compiles a whole file.
pub fn lower_program(checked: Checked, span: Span) -> Result<Compiled, Vec<Diagnostic>> {
    let mut scope = Scope {
        env: checked.env,
        ..Scope::default()
    };
    for line in checked.lines {
        scope.apply(line);
    }
    check_sprite_count(&scope, span)?;
    Ok(Compiled {
        warnings: checked.diagnostics,
        ..Compiled::game(assemble(scope, span))?
    })
}

pub(super) fn check_sprite_count(scope: &Scope, span: Span) -> Result<(), Vec<Diagnostic>> {
    if scope.sprite_names.len() < Piece::MAX_KIND as usize {
        return Ok(());
    }
    Err(vec![
        Diagnostic::error(Phase::Check, TOO_LARGE, span, "too many sprites")
            .note(format!("the limit is {}", Piece::MAX_KIND - 1)),
    ])
}
