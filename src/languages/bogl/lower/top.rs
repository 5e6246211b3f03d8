//! What runs by itself: an entry typed at the prompt, and the start of a game. Both evaluate boards and session lets, each
//! after what it is made from.

use super::Body;
use crate::code::{Instr, Reg, Role, Seen, StopKind};
use crate::languages::bogl::ast::{Expr, SessionLet};
use crate::languages::bogl::builtin::Builtin;
use crate::languages::bogl::check::{Checked, can_repeat};
use crate::languages::bogl::env::{Env, What};
use crate::languages::bogl::notes::{Kind, Meaning, Notes};
use crate::languages::bogl::scope::{ASKED, BOARD, Inside, PLACED, PLAY, RESULT, START, Scope};
use crate::languages::bogl::types::{Signed, Type};
use crate::source::Span;
use crate::value::Value;
use std::collections::BTreeSet;
use std::sync::Arc;

static NOTHING_NOTED: std::sync::LazyLock<Notes> = std::sync::LazyLock::new(Notes::default);

impl<'a> Body<'a> {
    /// An entry: new boards and lets, then the expression, whose value it gives back.
    pub(super) fn typed(
        scope: &'a Scope,
        checked: &'a Checked,
        expr: Option<&Expr>,
        span: Span,
        inside: &Inside,
    ) -> Body<'a> {
        let mut body = Body::new(
            scope,
            &NOTHING_NOTED,
            "entry",
            Role::Entry,
            inside.count,
            span,
        );
        for ((name, own), &place) in inside.locals.iter().zip(&inside.places) {
            body.name(&name.text, place, own.clone());
        }
        body.typed = true;
        let mut boards: Vec<&Arc<str>> = checked.boards.iter().collect();
        for (n, name) in checked.lets.iter().enumerate() {
            let waiting: BTreeSet<&Arc<str>> = checked.lets[n..].iter().collect();
            boards.retain(|board| {
                let waits = scope
                    .env
                    .reached([*board])
                    .iter()
                    .any(|used| waiting.contains(used));
                if !waits {
                    body.make_board(board);
                }
                waits
            });
            if let Some(global) = scope.env.global(name)
                && let What::Let(session) = &global.what
            {
                body.keep(session, &global.notes, &inside.places);
            }
        }
        boards.into_iter().for_each(|board| body.make_board(board));
        if let (Some(expr), Some((notes, own))) = (expr, &checked.expr) {
            body.answer(expr, notes, own, inside);
        } else if !inside.stopped {
            body.settle(span);
        }
        body
    }

    fn answer(&mut self, expr: &Expr, notes: &'a Notes, own: &Type, inside: &Inside) {
        (self.notes, self.places) = (notes, inside.places.clone());
        self.b.stop(StopKind::Statement, expr.span);
        let src = self.expr(expr);
        // At a stop the game goes on: it is not for this entry to say what was only tried out.
        if !inside.stopped && plays(&self.scope.env, notes) {
            self.settle(expr.span);
        }
        self.show(src, own, expr.span);
        self.b.emit(Instr::Return { src }, expr.span);
    }

    /// Starts the game: every board, and the session lets that can be evaluated again.
    pub(super) fn start(scope: &'a Scope) -> Body<'a> {
        let mut body = Body::new(
            scope,
            &NOTHING_NOTED,
            START,
            Role::Rules,
            0,
            Span::default(),
        );
        let register = body.b.register();
        body.constant(Value::FALSE, register, Span::default());
        body.b.emit(
            Instr::SetGlobal {
                global: ASKED,
                src: register,
            },
            Span::default(),
        );
        for name in in_order(&scope.env) {
            match scope.env.global(&name).map(|global| (&global.what, global)) {
                Some((What::Let(session), global)) => body.keep(session, &global.notes, &[]),
                Some(_) => body.make_board(&name),
                None => {}
            }
        }
        body
    }

    /// Runs the game without a prompt: what it is worth is the value of `result`.
    pub(super) fn play(scope: &'a Scope) -> Body<'a> {
        let mut body = Body::new(scope, &NOTHING_NOTED, PLAY, Role::Rules, 0, Span::default());
        let global = scope
            .env
            .global(RESULT)
            .filter(|g| g.kind() != Kind::Function);
        let span = global
            .or(scope.env.globals().last().copied())
            .map_or_else(Span::default, |g| g.told());
        let base = body.b.register();
        match (
            global.map(|g| g.kind()),
            scope.codes.get(RESULT),
            scope.slots.get(RESULT),
        ) {
            (Some(Kind::Board | Kind::Let), _, Some(&global)) => {
                body.b.emit(Instr::GlobalOrFail { dst: base, global }, span);
            }
            (Some(_), Some(&function), _) => {
                body.b.emit(Instr::Call { function, base }, span);
            }
            _ => {
                body.fail(
                    "there is nothing to run: a game is run for its value `result`, such as `result : Int`",
                    span,
                );
            }
        }
        body.b.emit(Instr::Print { value: base }, span);
        body
    }

    /// Evaluates a board given by equations, which is then the one that is seen.
    fn make_board(&mut self, name: &str) {
        let (Some(&function), Some(&global)) =
            (self.scope.codes.get(name), self.scope.slots.get(name))
        else {
            return;
        };
        let span = self
            .scope
            .env
            .global(name)
            .map_or_else(Span::default, |board| board.told());
        let mark = self.b.mark();
        let base = self.b.register();
        self.b.emit(Instr::Call { function, base }, span);
        for global in [global, BOARD, PLACED] {
            self.b.emit(Instr::SetGlobal { global, src: base }, span);
        }
        self.b.release(mark);
    }

    /// Evaluates a session let.
    fn keep(&mut self, session: &SessionLet, notes: &'a Notes, places: &[Reg]) {
        let Some(&global) = self.scope.slots.get(&session.name.text) else {
            return;
        };
        (self.notes, self.places) = (notes, places.to_vec());
        let mark = self.b.mark();
        self.b.stop(StopKind::Equation, session.span);
        self.b.note_before(session.span, Seen::Equation);
        let src = self.expr(&session.value);
        self.b.note_before(session.span, Seen::Write(src));
        self.b.emit(Instr::SetGlobal { global, src }, session.span);
        if let Some(Signed::Value(own)) = self
            .scope
            .env
            .global(&session.name.text)
            .map(|global| &global.signed)
        {
            self.show(src, own, session.span);
        }
        self.b.release(mark);
    }

    /// A board, or the last one in a tuple, is the one to be seen from now on.
    fn show(&mut self, src: Reg, own: &Type, span: Span) {
        let Some(path) = board_in(own) else { return };
        let mark = self.b.mark();
        let mut board = src;
        for item in path {
            let dst = self.b.register();
            self.b.emit(
                Instr::Item {
                    dst,
                    of: board,
                    item,
                },
                span,
            );
            board = dst;
        }
        self.b.emit(
            Instr::SetGlobal {
                global: BOARD,
                src: board,
            },
            span,
        );
        self.b.emit(
            Instr::SetGlobal {
                global: PLACED,
                src: board,
            },
            span,
        );
        self.b.release(mark);
    }

    /// The entry is done: boards that functions only tried out are forgotten, unless the person has played on them.
    fn settle(&mut self, span: Span) {
        let mark = self.b.mark();
        let register = self.b.register();
        self.b.emit(
            Instr::Global {
                dst: register,
                global: ASKED,
            },
            span,
        );
        let tried = self.b.jump(Instr::Unless { a: register, to: 0 }, span);
        self.b.emit(
            Instr::Global {
                dst: register,
                global: PLACED,
            },
            span,
        );
        self.b.emit(
            Instr::SetGlobal {
                global: BOARD,
                src: register,
            },
            span,
        );
        self.b.land(tried);
        self.b.emit(
            Instr::Global {
                dst: register,
                global: BOARD,
            },
            span,
        );
        self.b.emit(
            Instr::SetGlobal {
                global: PLACED,
                src: register,
            },
            span,
        );
        self.constant(Value::FALSE, register, span);
        self.b.emit(
            Instr::SetGlobal {
                global: ASKED,
                src: register,
            },
            span,
        );
        self.b.release(mark);
    }
}

/// Which parts of which parts lead to the last board in a value.
fn board_in(own: &Type) -> Option<Vec<u16>> {
    if own.is_board() {
        return Some(Vec::new());
    }
    own.parts()?
        .iter()
        .enumerate()
        .rev()
        .find_map(|(item, part)| {
            let mut path = board_in(part)?;
            path.insert(0, item as u16);
            Some(path)
        })
}

/// Whether something may come to place on a board, or to ask.
fn plays(env: &Env, notes: &Notes) -> bool {
    let speaks = |notes: &Notes| {
        notes
            .names
            .values()
            .any(|meaning| matches!(meaning, Meaning::Builtin(Builtin::Place | Builtin::Input)))
    };
    speaks(notes)
        || env
            .reached(&notes.uses)
            .iter()
            .any(|name| env.global(name).is_some_and(|g| speaks(&g.notes)))
}

/// All boards and lets of a session that can be evaluated now, each after those that it is made from.
fn in_order(env: &Env) -> Vec<Arc<str>> {
    let mut waiting: Vec<(Arc<str>, BTreeSet<Arc<str>>)> = Vec::new();
    for global in env.globals() {
        let needs = match &global.what {
            What::Let(session) if can_repeat(session, env) => env.reached(&global.notes.uses),
            What::Definition(..) if global.kind() == Kind::Board => env.reached(&global.notes.uses),
            _ => continue,
        };
        if env.broken(&global.name).is_none()
            && !needs.iter().any(|name| env.broken(name).is_some())
        {
            waiting.push((global.name.clone(), needs));
        }
    }
    let kept = |name: &Arc<str>| {
        env.global(name)
            .is_some_and(|g| matches!(g.kind(), Kind::Board | Kind::Let))
    };
    let mut ready: Vec<Arc<str>> = Vec::new();
    while let Some(next) = waiting
        .iter()
        .position(|(_, needs)| needs.iter().all(|n| !kept(n) || ready.contains(n)))
    {
        ready.push(waiting.remove(next).0);
    }
    ready
}
