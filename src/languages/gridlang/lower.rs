//! From the checked tree to code: each function, handler and block becomes a function of the machine.
//!
//! What lies between the blocks (whose turn it is, which moves are checked, who meets whom, when the game
//! ends) is code too, put together in `turn`, `order` and `board` by the words of `rule`; its places in the
//! text are the lines of `rules.txt`, so a person can step through a turn.

mod board;
mod entry;
mod expr;
mod link;
mod order;
mod piece;
mod place;
mod rule;
mod statement;
mod test;
mod turn;

pub use entry::entry;
pub use link::{blank, load};

use super::scope::Scope;
use super::typed::{Role, Routine, Type};
use crate::code::{self, Builder, Function, Instr, Reg, StopKind, Titles};
use crate::source::Span;
use crate::value::{Text, Value};
use std::sync::Arc;

pub const RULES: &str = include_str!("rules.txt");

/// What all bodies of a program share while they are lowered.
struct Shared<'s> {
    scope: &'s Scope,
    /// Code by title, with new titles added as they are named.
    titles: &'s mut Titles,
}

/// One body on its way to code.
struct Body<'a, 's> {
    shared: &'a mut Shared<'s>,
    b: Builder,
    role: Role,
    /// What it is called, and what it must return.
    name: Arc<str>,
    result: Type,
    /// The register of the first local: those before it are the frame that an entry looks into.
    first: Reg,
    parameters: usize,
    /// The line of the rules that is being put into code.
    span: Span,
}

impl<'a, 's> Body<'a, 's> {
    fn of(shared: &'a mut Shared<'s>, title: &str, routine: &Routine) -> Self {
        let parameters = routine.parameters as u16;
        let mut b = Builder::new(
            Text::new(title),
            code_role(routine.role),
            parameters,
            routine.span,
        );
        b.registers(short(routine.locals.len() - routine.parameters));
        for (register, local) in routine.locals.iter().take(routine.parameters).enumerate() {
            // In `Player.colocation(Player)` the word is the one that moved: the other needs one too, as does the
            // piece of a checkMove for all.
            let hidden = routine.locals[register + 1..routine.parameters]
                .iter()
                .any(|l| l.name == local.name);
            let name = if hidden {
                "standing"
            } else {
                local.name.trim_matches(['(', ')'])
            };
            b.local(Text::new(name), register as Reg);
        }
        Body {
            shared,
            b,
            role: routine.role,
            name: routine.name.clone(),
            result: routine.result.clone(),
            first: 0,
            parameters: routine.parameters,
            span: routine.span,
        }
    }

    /// A body that belongs to the rules.
    fn rule(shared: &'a mut Shared<'s>, title: &str, parameters: u16) -> Self {
        Body::ruled(shared, title, code::Role::Rules, parameters)
    }

    fn ruled(shared: &'a mut Shared<'s>, title: &str, role: code::Role, parameters: u16) -> Self {
        let b = Builder::new(Text::new(title), role, parameters, Span::default());
        let (role, result) = (Role::Function, Type::Void);
        Body {
            shared,
            b,
            role,
            name: title.into(),
            result,
            first: 0,
            parameters: 0,
            span: Span::default(),
        }
    }

    /// The register of a local.
    fn local(&self, slot: usize) -> Reg {
        self.first.wrapping_add(slot as Reg)
    }

    fn constant_to(&mut self, dst: Reg, value: Value, span: Span) {
        let instr = match value.as_int().and_then(|n| i32::try_from(n).ok()) {
            Some(value) => Instr::Int { dst, value },
            None => Instr::Constant {
                dst,
                k: self.b.constant(value),
            },
        };
        self.b.emit(instr, span);
    }

    fn text_to(&mut self, dst: Reg, text: &str, span: Span) {
        self.constant_to(dst, Value::text(Text::new(text)), span);
    }

    /// Fails; the value of the register is written where the message has `{}`.
    fn fail_at(&mut self, message: &str, with: Option<Reg>, span: Span) {
        let k = self.b.text(message);
        self.b.emit(
            Instr::Fail {
                k,
                a: with.unwrap_or(0),
                with: with.is_some(),
            },
            span,
        );
    }

    /// Calls the code of a title with what lies in these registers; its value comes to lie in the one given back.
    fn call_at(&mut self, title: &str, arguments: &[Reg], span: Span) -> Reg {
        let base = self.b.registers(short(arguments.len().max(1)));
        for (n, &src) in arguments.iter().enumerate() {
            self.b.emit(
                Instr::Move {
                    dst: base + n as Reg,
                    src,
                },
                span,
            );
        }
        let function = self.shared.titles.number(title);
        self.b.emit(Instr::Call { function, base }, span);
        base
    }
}

/// A count as the builder takes it: one that is too large for it is too large for any function.
fn short(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}

fn code_role(role: Role) -> code::Role {
    match role {
        Role::Globals | Role::Layout => code::Role::Setup,
        Role::GameLoop | Role::CheckMove | Role::Colocation | Role::GameOver => code::Role::Handler,
        Role::CheckGameEnd => code::Role::Condition,
        Role::Function => code::Role::Function,
        Role::Entry => code::Role::Entry,
    }
}

/// A function, handler or block of the game.
fn routine(
    shared: &mut Shared,
    title: &str,
    routine: &Routine,
    begin: impl FnOnce(&mut Body),
) -> Function {
    let mut body = Body::of(shared, title, routine);
    let kind = match code_role(routine.role) {
        code::Role::Handler => StopKind::Handler,
        code::Role::Condition => StopKind::Condition,
        _ => StopKind::Statement,
    };
    body.b.stop(kind, routine.head);
    begin(&mut body);
    body.statements(&routine.body);
    body.end(routine.span.after());
    link::finished(body.b)
}
