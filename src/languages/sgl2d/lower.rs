//! From the lines of an SGL2D game to code. What a key does is put together from all that was said of sprites, counters
//! and the player; each step of it is an instruction with the place of the line that causes it.

mod event;
mod key;
mod order;

pub use key::RULES;

use super::order::{Order, OrderKind};
use super::scope::{Scope, Sprite};
use super::{check::Checked, show};
use crate::code::{
    Arithmetic, Builder, CellStyle, Cells, Event, Function, FunctionId, Global, Instr, Kind,
    Program, Reg, Role, StopKind,
};
use crate::diagnostic::{Diagnostic, Phase};
use crate::language::{Compiled, FrameScope};
use crate::languages::sgl2d::question::Question;
use crate::source::Span;
use crate::value::{Piece, Text, Value};
use std::rc::Rc;

const START: FunctionId = FunctionId(0);
const KEY: FunctionId = FunctionId(1);
const SOLID: FunctionId = FunctionId(2);
const PLAYER_EVENT: FunctionId = FunctionId(3);
const COUNTERS: FunctionId = FunctionId(4);
const GOAL: FunctionId = FunctionId(5);
/// Behind these, two for each sprite: what its touch does, and what an update does.
const OWN: u32 = 6;

/// The variables that every game has, by number; behind them lies a counter for each sprite.
pub const VARIABLES: [&str; 11] = [
    "player.x", "player.y", "goal.x", "goal.y", "counter1", "counter2", "counter3", "moves", "win",
    "lose", "@wall",
];
const PLAYER: [u32; 2] = [0, 1];
const GOAL_AT: [u32; 2] = [2, 3];
pub const MOVES: u32 = 7;
pub const WIN: u32 = 8;
pub const LOSE: u32 = 9;
/// What was in the way of the last key of an entry: a solid sprite's name, or an empty text at the edge.
const WALL: u32 = 10;

/// The variable of counter 1, 2 or 3.
pub fn counter(index: u8) -> u32 {
    3 + u32::from(index)
}

/// The variable of a sprite's own counter.
pub fn own_counter(sprite: &Sprite) -> u32 {
    VARIABLES.len() as u32 + u32::from(sprite.number)
}

fn touch_of(sprite: &Sprite) -> FunctionId {
    FunctionId(OWN + 2 * u32::from(sprite.number))
}

fn update_of(sprite: &Sprite) -> FunctionId {
    FunctionId(OWN + 2 * u32::from(sprite.number) + 1)
}

/// One function on its way to code.
struct Body<'s> {
    scope: &'s Scope,
    b: Builder,
    /// Whether it has a stop already.
    entered: bool,
}

impl<'s> Body<'s> {
    fn new(scope: &'s Scope, title: &str, role: Role, parameters: &[&str], span: Span) -> Body<'s> {
        let mut b = Builder::new(Text::new(title), role, parameters.len() as u16, span);
        for (register, name) in parameters.iter().enumerate() {
            b.local(Text::new(name), register as Reg);
        }
        Body {
            scope,
            b,
            entered: false,
        }
    }

    /// A place to stop in a handler: the first one is where it is entered.
    fn deed(&mut self, span: Span) {
        let kind = if std::mem::replace(&mut self.entered, true) {
            StopKind::Statement
        } else {
            StopKind::Handler
        };
        self.b.stop(kind, span);
    }

    fn int(&mut self, value: i32, span: Span) -> Reg {
        let dst = self.b.register();
        self.b.emit(Instr::Int { dst, value }, span);
        dst
    }

    fn global(&mut self, global: u32, span: Span) -> Reg {
        let dst = self.b.register();
        self.b.emit(Instr::Global { dst, global }, span);
        dst
    }

    fn constant(&mut self, value: Value, span: Span) -> Reg {
        let dst = self.b.register();
        let k = self.b.constant(value);
        self.b.emit(Instr::Constant { dst, k }, span);
        dst
    }

    fn warn(&mut self, message: &str, span: Span) {
        let k = self.b.text(message);
        self.b.emit(Instr::Warn { k }, span);
    }
}

/// A game without a line.
pub fn blank() -> Program {
    assemble(Scope::default(), None, Span::default())
}

/// A whole file.
pub fn load(checked: Checked, span: Span) -> Result<Compiled, Vec<Diagnostic>> {
    let mut scope = Scope {
        env: checked.env,
        ..Scope::default()
    };
    for order in checked.orders {
        scope.apply(order);
    }
    fits(&scope, span)?;
    let program = assemble(scope, None, span);
    too_large(program.functions.iter())?;
    let run = program.start;
    Ok(Compiled {
        program,
        run,
        answers: false,
        warnings: checked.diagnostics,
        said: Vec::new(),
        fresh: true,
    })
}

/// Lines typed at the prompt.
pub fn entry(checked: Checked, span: Span, old: &Program) -> Result<Compiled, Vec<Diagnostic>> {
    let is_moves = |order: &Order| matches!(order.kind, OrderKind::Moves(_));
    let from = checked
        .orders
        .iter()
        .position(is_moves)
        .unwrap_or(checked.orders.len());
    if let Some(late) = checked.orders[from..].iter().find(|order| !is_moves(order)) {
        let message = "a statement cannot follow a move in one entry";
        return Err(vec![
            Diagnostic::error(Phase::Check, "SG121", late.span, message)
                .note("type the moves by themselves"),
        ]);
    }
    let mut scope = Scope::of(old);
    let before = scope.clone();
    let said: Vec<String> = checked
        .orders
        .iter()
        .filter_map(|order| scope.apply(order.clone()))
        .collect();
    scope.env = checked.env;
    fits(&scope, span)?;
    let mut program = if from == 0 {
        old.clone()
    } else {
        assemble(scope.clone(), Some(old), old_span(old))
    };
    let mut body = Body::new(&scope, "entry", Role::Entry, &[], span);
    body.typed(&checked.orders, &before);
    program.functions.truncate(functions(&scope));
    program.functions.push(Rc::new(body.b.finish()));
    too_large(program.functions.iter())?;
    let run = Some(FunctionId(functions(&scope) as u32));
    Ok(Compiled {
        program,
        run,
        answers: false,
        warnings: checked.diagnostics,
        said,
        fresh: false,
    })
}

/// A value asked for at the prompt.
pub fn question(
    question: &Question,
    span: Span,
    old: &Program,
    frame: Option<&FrameScope>,
) -> Compiled {
    let scope = Scope::of(old);
    let locals: Vec<&str> = frame.map_or_else(Vec::new, |f| {
        f.locals.iter().map(|l| l.name.as_str()).collect()
    });
    let mut body = Body::new(&scope, "entry", Role::Entry, &locals, span);
    body.answer(question, span);
    let mut program = old.clone();
    program.functions.truncate(functions(&scope));
    program.functions.push(Rc::new(body.b.finish()));
    let run = Some(FunctionId(functions(&scope) as u32));
    Compiled {
        program,
        run,
        answers: true,
        warnings: Vec::new(),
        said: Vec::new(),
        fresh: false,
    }
}

fn old_span(old: &Program) -> Span {
    old.function(START).map(|f| f.span).unwrap_or_default()
}

/// How many functions belong to the game itself.
fn functions(scope: &Scope) -> usize {
    OWN as usize + 2 * scope.names.len()
}

fn fits(scope: &Scope, span: Span) -> Result<(), Vec<Diagnostic>> {
    match scope.names.len() < Piece::MAX_KIND as usize {
        true => Ok(()),
        false => Err(vec![
            Diagnostic::error(Phase::Check, "SG120", span, "there are too many sprites")
                .note(format!("a game may have up to {}", Piece::MAX_KIND - 1)),
        ]),
    }
}

fn too_large<'f>(
    mut functions: impl Iterator<Item = &'f Rc<Function>>,
) -> Result<(), Vec<Diagnostic>> {
    match functions.find(|f| f.code.len() > 10_000_000) {
        Some(f) => Err(vec![Diagnostic::error(
            Phase::Check,
            "SG120",
            f.span,
            "this is too large to be run",
        )]),
        None => Ok(()),
    }
}

/// All code of a game. What has not changed is shared with the old one.
fn assemble(scope: Scope, old: Option<&Program>, span: Span) -> Program {
    let mut made = vec![
        order::start(&scope, span),
        key::key(&scope),
        key::solid(&scope),
        event::player(&scope),
        event::counters(&scope),
        event::goal(&scope),
    ];
    for (name, sprite) in scope.all_sprites() {
        made.push(event::touch(&scope, name, sprite));
        made.push(event::update(&scope, name, sprite));
    }
    let kept = old.map_or(0, |o| functions(&Scope::of(o)));
    let shared = |(n, function): (usize, Function)| match old.and_then(|o| o.functions.get(n)) {
        Some(same) if n < kept && **same == function => same.clone(),
        _ => Rc::new(function),
    };
    Program {
        language: "sgl2d",
        functions: made.into_iter().enumerate().map(shared).collect(),
        globals: Rc::new(globals(&scope)),
        kinds: Rc::new(
            scope
                .all_sprites()
                .map(|(name, sprite)| kind(name, sprite))
                .collect(),
        ),
        owners: Rc::new(vec![Text::new("")]),
        arithmetic: Arithmetic::Wrapping32,
        cells: Cells {
            style: CellStyle::Equations,
            drawn: false,
            own: None,
        },
        start: Some(START),
        play: None,
        board: None,
        write: show::write,
        read: |_, _, _, _| Err("SGL2D asks nothing".into()),
        locate: |_, _, _| None,
        scope: Rc::new(scope),
    }
}

fn kind(name: &str, sprite: &Sprite) -> Kind {
    let mut handlers = [None, None];
    if sprite.actions.updates() {
        handlers[Event::Turn as usize] = Some(update_of(sprite));
    }
    Kind {
        name: Text::new(name),
        visible: true,
        handlers,
        span: sprite.span,
    }
}

fn globals(scope: &Scope) -> Vec<Global> {
    let place = |name: &str| match name.split_once('.').map_or(name, |(of, _)| of) {
        "player" => scope.player.map(|p| p.span),
        "goal" => scope.goal.map(|g| g.span),
        _ => scope
            .counters
            .iter()
            .enumerate()
            .find_map(|(n, c)| c.span.filter(|_| name == format!("counter{}", n + 1))),
    };
    let known = VARIABLES.iter().map(|name| Global {
        name: Text::new(name),
        own: !matches!(*name, "win" | "lose" | "@wall"),
        span: place(name).unwrap_or_default(),
    });
    let own = scope.all_sprites().map(|(name, sprite)| Global {
        name: Text::new(&format!("{name}.counter")),
        own: true,
        span: sprite.span,
    });
    known.chain(own).collect()
}
