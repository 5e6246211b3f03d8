//! Puts the code of a session together: numbers for functions and variables, and what is to be run.

use super::Body;
use crate::code::{
    Arithmetic, Builder, Function, FunctionId, Global as Variable, Instr, Program, Reg, Role, Seen,
    StopKind,
};
use crate::diagnostic::{Diagnostic, Phase};
use crate::language::Compiled;
use crate::languages::bogl::ast::{
    BoardEquation, Body as Equations, Definition, Entry, Expr, Item,
};
use crate::languages::bogl::check::Checked;
use crate::languages::bogl::env::{Global, What};
use crate::languages::bogl::notes::{Cells, Kind};
use crate::languages::bogl::scope::{HIDDEN, Inside, PLACED, PLAY, START, Scope};
use crate::languages::bogl::types::Type;
use crate::languages::bogl::{input, show};
use crate::source::{Source, Span};
use crate::value::{Text, Value};
use std::rc::Rc;

/// A program in which nothing is defined.
pub fn blank() -> Program {
    let mut scope = Scope::default();
    scope.number();
    assemble(scope, None).0
}

/// A whole file, which has been found right: everything is new.
pub fn load(source: &Source, checked: Checked) -> Result<Compiled, Vec<Diagnostic>> {
    let mut scope = Scope {
        env: checked.env,
        ..Scope::default()
    };
    scope.keep(source);
    scope.number();
    let (program, errors) = assemble(scope, None);
    if !errors.is_empty() {
        return Err(errors);
    }
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

/// What was typed at the prompt, and has been found right.
pub fn entry(
    entry: &Entry,
    source: &Source,
    checked: Checked,
    old: &Program,
    inside: &Inside,
) -> Result<Compiled, Vec<Diagnostic>> {
    let (items, expr) = match entry {
        Entry::Lines { items, expr } => (items, expr),
        Entry::Game(game) => {
            let said = vec![format!("began the game {}", game.game.text)];
            return load(source, checked).map(|compiled| Compiled { said, ..compiled });
        }
    };
    let before = Scope::of(old);
    let said = items
        .iter()
        .map(|item| told(item, &before, &checked))
        .chain(mended(&checked))
        .collect();
    let (mut program, mut errors) = match items.is_empty() {
        true => (old.clone(), Vec::new()),
        false => {
            let mut scope = Scope {
                env: checked.env.clone(),
                ..before
            };
            scope.keep(source);
            scope.number();
            assemble(scope, Some(old))
        }
    };
    let scope = Scope::of(&program);
    // What was typed before is done, or its frame is given it back.
    program.functions.truncate(scope.codes.len());
    let function = Body::typed(&scope, &checked, expr.as_ref(), source.whole(), inside).finish();
    let function = sized(function, &mut errors);
    if !errors.is_empty() {
        return Err(errors);
    }
    let run = FunctionId(program.functions.len() as u32);
    program.functions.push(Rc::new(function));
    let answers = expr.is_some();
    Ok(Compiled {
        program,
        run: Some(run),
        answers,
        warnings: checked.diagnostics,
        said,
        fresh: false,
    })
}

/// `replaced next : Player -> Player`.
fn told(item: &Item, before: &Scope, checked: &Checked) -> String {
    let name = match item {
        Item::Type(definition) => &definition.name.text,
        Item::Value(definition) => &definition.name.text,
        Item::Let(session) => &session.name.text,
    };
    let known = match item {
        Item::Type(_) => before.env.types().declared(name).is_some(),
        _ => before.env.global(name).is_some(),
    };
    let verb = if known { "replaced" } else { "defined" };
    match (item, checked.env.global(name)) {
        (Item::Type(_), _) => format!("{verb} type {name}"),
        (Item::Let(_), Some(global)) => format!("{name} : {}", global.signed),
        (_, Some(global)) => format!("{verb} {name} : {}", global.signed),
        (_, None) => format!("{verb} {name}"),
    }
}

fn mended(checked: &Checked) -> impl Iterator<Item = String> {
    checked
        .mended
        .iter()
        .map(|name| format!("{name} can run now"))
}

fn sized((function, too_large): (Function, bool), errors: &mut Vec<Diagnostic>) -> Function {
    if too_large {
        let told = Diagnostic::error(
            Phase::Check,
            "BG058",
            function.span,
            "This is too large to be run",
        );
        errors.push(told.note("split it into several functions"));
    }
    function
}

/// All code of a session. What has not changed since `old` is shared with it.
fn assemble(scope: Scope, old: Option<&Program>) -> (Program, Vec<Diagnostic>) {
    let mut errors = Vec::new();
    let kept = old.map_or(0, |old| Scope::of(old).codes.len());
    let mut functions: Vec<Rc<Function>> = old
        .iter()
        .flat_map(|old| old.functions.iter().take(kept).cloned())
        .collect();
    let nothing = Rc::new(missing("", Span::default()));
    functions.resize(scope.codes.len(), nothing);
    for global in scope.env.globals() {
        let What::Definition(definition, _) = &global.what else {
            continue;
        };
        let function = match scope.env.broken(&global.name) {
            Some(_) => missing(&global.name, definition.span),
            None => sized(
                Body::definition(&scope, global, definition).finish(),
                &mut errors,
            ),
        };
        put(&mut functions, scope.codes.get(&global.name), function);
    }
    let start = sized(Body::start(&scope).finish(), &mut errors);
    put(&mut functions, scope.codes.get(START), start);
    let play = sized(Body::play(&scope).finish(), &mut errors);
    put(&mut functions, scope.codes.get(PLAY), play);
    let program = Program {
        language: "bogl",
        functions,
        globals: Rc::new(variables(&scope)),
        kinds: Rc::default(),
        owners: Rc::default(),
        arithmetic: Arithmetic::Wrapping64,
        cells: crate::code::Cells {
            style: crate::code::CellStyle::Point,
            drawn: true,
            own: None,
        },
        start: scope.codes.get(START).copied(),
        play: scope.codes.get(PLAY).copied(),
        board: Some(PLACED),
        write: show::write,
        read: input::answer,
        locate: |_, _, _| None,
        scope: Rc::new(scope),
    };
    (program, errors)
}

fn put(functions: &mut [Rc<Function>], at: Option<&FunctionId>, function: Function) {
    if let Some(slot) = at.and_then(|id| functions.get_mut(id.0 as usize))
        && **slot != function
    {
        *slot = Rc::new(function);
    }
}

/// Stands where a definition no longer fits: nothing that could come here is let run.
fn missing(title: &str, span: Span) -> Function {
    let mut b = Builder::new(Text::new(title), Role::Function, 0, span);
    let k = b.text(&format!("`{title}` no longer fits what was redefined"));
    b.emit(
        Instr::Fail {
            k,
            a: 0,
            with: false,
        },
        span,
    );
    b.finish()
}

fn variables(scope: &Scope) -> Vec<Variable> {
    let nobody = Variable {
        name: Text::new(""),
        own: false,
        span: Span::default(),
    };
    let mut all = vec![nobody; HIDDEN.len() + scope.slots.len()];
    for (variable, name) in all.iter_mut().zip(HIDDEN) {
        variable.name = Text::new(name);
    }
    for (name, &slot) in &scope.slots {
        // A name that has become a function is no variable any more, but its number is not given out again.
        if let Some(global) = scope
            .env
            .global(name)
            .filter(|g| matches!(g.kind(), Kind::Board | Kind::Let))
        {
            all[slot as usize] = Variable {
                name: Text::new(name),
                own: true,
                span: global.told(),
            };
        }
    }
    all
}

impl<'a> Body<'a> {
    fn definition(scope: &'a Scope, global: &'a Global, definition: &Definition) -> Body<'a> {
        let parameters = match &definition.body {
            Equations::Function { parameters, .. } => parameters.len() as u16,
            _ => 0,
        };
        let mut body = Body::new(
            scope,
            &global.notes,
            &global.name,
            Role::Function,
            parameters,
            definition.span,
        );
        match &definition.body {
            Equations::Value(expr) => body.equation(expr, definition.equation),
            Equations::Function { expr, .. } => {
                for local in 0..parameters {
                    body.bind(local.into(), local);
                }
                body.equation(expr, definition.equation);
            }
            Equations::Board(equations) => body.board(&global.name, equations, &global.notes.cells),
        }
        body
    }

    fn equation(&mut self, expr: &Expr, span: Span) {
        self.b.stop(StopKind::Equation, span);
        self.b.note_before(span, Seen::Equation);
        let src = self.expr(expr);
        self.b.emit(Instr::Return { src }, expr.span);
    }

    /// The equations one after the other: later ones write over earlier ones.
    fn board(&mut self, name: &str, equations: &[BoardEquation], cells: &[Cells]) {
        let size = self.scope.env.types().board();
        let (grid, value) = (self.b.register(), self.b.register());
        for (n, (equation, cells)) in equations.iter().zip(cells).enumerate() {
            self.b.stop(StopKind::Equation, equation.span);
            self.b.note_before(equation.span, Seen::Equation);
            self.expr_to(&equation.expr, value);
            let whole = cells.columns == (1..=size.width) && cells.rows == (1..=size.height);
            if n == 0 {
                self.make_grid(
                    grid,
                    whole.then_some(value),
                    (size.height, size.width),
                    equation.span,
                );
                self.name(name, grid, Type::board());
            }
            if n > 0 || !whole {
                self.fill(grid, cells, value, equation.span);
            }
        }
        self.b.emit(Instr::Return { src: grid }, self.b.whole());
    }

    /// A board with the value everywhere, or with nothing yet.
    fn make_grid(&mut self, dst: Reg, value: Option<Reg>, size: (u32, u32), span: Span) {
        let mark = self.b.mark();
        let (rows, cols) = (self.b.register(), self.b.register());
        self.int(size.0.into(), rows, span);
        self.int(size.1.into(), cols, span);
        let value = value.unwrap_or_else(|| {
            let nothing = self.b.register();
            self.constant(Value::EMPTY, nothing, span);
            nothing
        });
        self.b.emit(
            Instr::Grid {
                dst,
                rows,
                cols,
                value,
            },
            span,
        );
        self.b.release(mark);
    }

    fn fill(&mut self, grid: Reg, cells: &Cells, value: Reg, span: Span) {
        let mark = self.b.mark();
        let (rows, cols) = (self.b.registers(2), self.b.registers(2));
        for (first, range) in [(rows, &cells.rows), (cols, &cells.columns)] {
            self.int((*range.start()).into(), first, span);
            self.int((*range.end()).into(), first + 1, span);
        }
        self.b.emit(
            Instr::GridFill {
                grid,
                rows,
                cols,
                value,
                from: 1,
            },
            span,
        );
        self.b.release(mark);
    }
}
