//! Puts the bodies of a program together: numbers for functions and variables, and what starts the game.

use super::{Body, Shared, routine};
use crate::code::{
    Arithmetic, Builder, CellStyle, Cells, Function, FunctionId, Global, Instr, Kind, Program, Role,
};
use crate::diagnostic::{Diagnostic, Phase};
use crate::language::Compiled;
use crate::languages::gridlang::check::Checked;
use crate::languages::gridlang::code;
use crate::languages::gridlang::scope::{Hidden, Scope};
use crate::languages::gridlang::typed::{Expr, GridSize, Routine, Stmt, StmtKind, Type};
use crate::languages::gridlang::{read, show, typed};
use crate::source::Span;
use crate::value::{Piece, Text, Value};
use std::rc::Rc;
use std::sync::Arc;

/// A program with nothing in it but the rules.
pub fn blank() -> Program {
    assemble(Scope::default(), None)
}

/// A whole file: everything is new.
pub fn load(checked: Checked) -> Result<Compiled, Vec<Diagnostic>> {
    let Checked {
        env,
        mut game,
        run,
        makes,
        warnings,
    } = checked;
    let layout = game.layout.take().map(Rc::new);
    let mut scope = Scope {
        env: Rc::new(env),
        game: Rc::new(game),
        laid_out: layout.is_some(),
        layout,
        makes,
        before: run.body,
        ..Scope::default()
    };
    scope.number();
    let program = assemble(scope, None);
    small_enough(&program)?;
    let run = program.start;
    Ok(Compiled {
        program,
        run,
        answers: false,
        warnings,
        said: Vec::new(),
        fresh: true,
    })
}

/// A function can be too long for the machine.
pub(super) fn small_enough(program: &Program) -> Result<(), Vec<Diagnostic>> {
    let large = program.functions.iter().filter(|f| f.code.is_empty());
    let told = large.map(|f| {
        Diagnostic::error(
            Phase::Check,
            code::TOO_LARGE,
            f.span,
            format!("`{}` is too large to be run", f.name),
        )
        .note("split it into several functions")
    });
    let told: Vec<Diagnostic> = told.collect();
    if told.is_empty() { Ok(()) } else { Err(told) }
}

/// What is too large becomes a function without code, which is told by [`small_enough`].
pub(super) fn finished(b: Builder) -> Function {
    let large = b.is_too_large();
    let mut function = b.finish();
    if large {
        function.code.clear();
    }
    function
}

/// All code of a program. What has not changed since `old` is shared with it.
pub(super) fn assemble(mut scope: Scope, old: Option<&Program>) -> Program {
    let mut codes = scope.codes.clone();
    let mut shared = Shared {
        scope: &scope,
        titles: &mut codes,
    };
    let mut made = bodies(&mut shared);
    made.extend(rules(&mut shared));
    made.extend(kinds_of_pieces(&mut shared));
    made.push(("@start".into(), start(&mut shared)));
    let made: Vec<(FunctionId, Function)> = made
        .into_iter()
        .map(|(title, function)| (shared.titles.number(&title), function))
        .collect();
    scope.codes = codes;
    let kept = old.map_or(0, |o| Scope::of(o).codes.count());
    let mut program = Program {
        language: "gridlang",
        functions: old.map_or_else(Vec::new, |o| {
            o.functions.iter().take(kept).cloned().collect()
        }),
        globals: Rc::new(globals(&scope)),
        kinds: Rc::new(kinds(&scope)),
        owners: Rc::new(owners(&scope)),
        arithmetic: Arithmetic::Wrapping32,
        cells: Cells {
            style: CellStyle::Pair,
            drawn: true,
            own: None,
        },
        start: scope.codes.get("@start"),
        play: scope.codes.get("@play"),
        board: None,
        write: show::write,
        read: read::read,
        locate: show::locate,
        scope: Rc::new(()),
    };
    scope.codes.fill(&mut program, undefined);
    for (id, function) in made {
        let slot = &mut program.functions[id.0 as usize];
        if **slot != function {
            *slot = Rc::new(function);
        }
    }
    program.scope = Rc::new(scope);
    program
}

/// What stands for a function until it is defined.
pub(super) fn undefined(title: &str) -> Function {
    let mut b = Builder::new(Text::new(title), Role::Function, 0, Span::default());
    let k = b.text(&format!("`{title}` is not defined"));
    b.emit(
        Instr::Fail {
            k,
            a: 0,
            with: false,
        },
        Span::default(),
    );
    b.finish()
}

/// What the game defines itself.
fn bodies(shared: &mut Shared) -> Vec<(String, Function)> {
    let scope = shared.scope;
    let layout = scope.layout.as_ref();
    let mut made = Vec::new();
    for (title, code) in scope.routines() {
        let size = layout
            .filter(|l| Arc::ptr_eq(&l.routine, code))
            .map(|l| &l.size);
        let function = routine(shared, &title, code, |body| {
            if let Some(GridSize::Given(rows, cols)) = size {
                body.layout_size(rows, cols, code.head);
            }
        });
        made.push((title, function));
    }
    for (title, role, statements) in [
        ("@declarations", typed::Role::Globals, &scope.before),
        ("@later", typed::Role::Entry, &scope.after),
    ] {
        made.push((title.into(), declarations(shared, role, statements)));
    }
    made
}

fn declarations(shared: &mut Shared, role: typed::Role, statements: &[Stmt]) -> Function {
    let span = statements
        .iter()
        .map(|s| s.span)
        .reduce(Span::to)
        .unwrap_or_default();
    let code = Routine {
        name: "declarations".into(),
        role,
        parameters: 0,
        locals: Vec::new(),
        result: Type::Void,
        body: Vec::new(),
        head: span,
        span,
    };
    let mut body = Body::of(shared, "declarations", &code);
    body.statements(statements);
    finished(body.b)
}

/// The rules, by title, with the number of their parameters.
fn rules(shared: &mut Shared) -> Vec<(String, Function)> {
    type Write = fn(&mut Body<'_, '_>);
    let all: &[(&str, u16, Write)] = &[
        ("@play", 0, |b| b.play()),
        ("@turn", 0, |b| b.turn()),
        ("@moves", 0, |b| b.moves()),
        ("@check", 1, |b| b.check()),
        ("@refused", 1, |b| b.refused()),
        ("@arrive", 1, |b| b.arrive()),
        ("@gameOver", 0, |b| b.game_over()),
        ("@winners", 0, |b| b.winners()),
        ("@leave", 1, |b| b.leave_order()),
        ("@find", 2, |b| b.find()),
        ("@setOrder", 1, |b| b.set_order()),
        ("@sit", 0, |b| b.sit()),
        ("@follow", 0, |b| b.follow()),
        ("@dropOut", 0, |b| b.drop_out()),
        ("@inside", 1, |b| b.inside()),
        ("@move", 2, |b| b.move_piece()),
        ("@createGrid", 2, |b| b.create_grid()),
        ("@standing", 2, |b| b.standing()),
        ("@cell", 2, |b| b.cell_list()),
        ("@line", 2, |b| b.line_of()),
        ("@traverse", 2, |b| b.traverse()),
        ("@between", 4, |b| b.between()),
        ("@rows", 3, |b| b.rows()),
        ("@copyRows", 1, |b| b.copy_rows()),
        ("@copyInto", 2, |b| b.copy_into()),
        ("@exists", 2, |b| b.exists()),
        ("@win", 2, |b| b.win()),
        ("@type", 2, |b| b.change_type()),
        ("@retire", 2, |b| b.retired()),
    ];
    let made = all.iter().map(|(title, parameters, write)| {
        let mut body = Body::rule(shared, title, *parameters);
        write(&mut body);
        (title.to_string(), finished(body.b))
    });
    made.collect()
}

/// What makes pieces, for each kind.
fn kinds_of_pieces(shared: &mut Shared) -> Vec<(String, Function)> {
    let game = shared.scope.game.clone();
    let mut kinds = vec![("Player", &game.player[..]), ("Item", &[][..])];
    kinds.extend(
        game.items
            .iter()
            .map(|kind| (&*kind.name, &kind.attributes[..])),
    );
    let mut made = Vec::new();
    for (kind, attributes) in kinds {
        let (title, many, table) = (
            format!("@make {kind}"),
            format!("@many {kind}"),
            format!("@table {kind}"),
        );
        // Not of the rules: what is wrong with the value of an attribute is told at its place.
        let mut body = Body::ruled(shared, &title, Role::Setup, 2);
        body.make(kind, attributes);
        made.push((title, finished(body.b)));
        let mut body = Body::rule(shared, &many, 3);
        body.many(kind);
        made.push((many, finished(body.b)));
        let mut body = Body::rule(shared, &table, 3);
        body.table(kind);
        made.push((table, finished(body.b)));
    }
    made
}

/// Starts the game: every variable, the declarations, Layout.
fn start(shared: &mut Shared) -> Function {
    let scope = shared.scope;
    let mut body = Body::rule(shared, "@start", 0);
    body.begin_hidden();
    let names: Vec<Arc<str>> = scope.env.globals.keys().cloned().collect();
    names.iter().for_each(|name| body.begin_global(name));
    let exit = body.open_exit(Span::default());
    scope.makes.iter().for_each(|name| body.make_global(name));
    body.call("@declarations", &[]);
    if let (Some(layout), true) = (&scope.layout, scope.laid_out) {
        body.call(&layout.routine.name, &[]);
    }
    if !scope.after.is_empty() {
        body.call("@sit", &[]);
        body.call("@later", &[]);
    }
    body.b.land(exit);
    body.put_value(Hidden::Exit, Value::int(0));
    body.call("@sit", &[]);
    finished(body.b)
}

impl Body<'_, '_> {
    fn begin_hidden(&mut self) {
        let nobody = self.b.register();
        self.emit(Instr::Record {
            dst: nobody,
            first: nobody,
            count: 0,
        });
        for variable in [Hidden::Nobody, Hidden::Current, Hidden::Checking] {
            self.put(variable, nobody);
        }
        for variable in [
            Hidden::Pieces,
            Hidden::Order,
            Hidden::Moved,
            Hidden::Arrived,
        ] {
            let list = self.empty_list();
            self.put(variable, list);
        }
        for variable in [
            Hidden::OrderGiven,
            Hidden::Playing,
            Hidden::Ending,
            Hidden::Over,
        ] {
            self.put_value(variable, Value::FALSE);
        }
        for variable in [
            Hidden::Seat,
            Hidden::Clock,
            Hidden::Turns,
            Hidden::Rows,
            Hidden::Cols,
            Hidden::Again,
        ] {
            self.put_value(variable, Value::int(0));
        }
        self.put_value(Hidden::P, Value::NOTHING);
    }

    /// A variable of the game before anything was put into it.
    pub(super) fn begin_global(&mut self, name: &Arc<str>) {
        let Some(global) = self.shared.scope.env.globals.get(name).cloned() else {
            return;
        };
        self.aside(|r| {
            let value = r.default_of(&global.ty, r.span);
            r.set_own_global(name, value, r.span);
        });
    }

    /// A piece that needs no declaration.
    pub(super) fn make_global(&mut self, name: &Arc<str>) {
        let Some(global) = self.shared.scope.env.globals.get(name).cloned() else {
            return;
        };
        self.aside(|r| {
            let piece = r.new_piece(&global.ty, name, r.span);
            r.set_own_global(name, piece, r.span);
        });
    }

    fn layout_size(&mut self, rows: &Expr, cols: &Expr, span: Span) {
        let mark = self.b.mark();
        let (rows, cols) = (self.expr(rows), self.expr(cols));
        self.call_at("@createGrid", &[rows, cols], span);
        self.b.release(mark);
    }
}

fn globals(scope: &Scope) -> Vec<Global> {
    let hidden = Hidden::NAMES.iter().map(|name| Global {
        name: Text::new(name),
        own: false,
        span: Span::default(),
    });
    let mut globals: Vec<Global> = hidden.collect();
    let mut own: Vec<(&Arc<str>, u32)> = scope.globals.iter().map(|(name, n)| (name, *n)).collect();
    own.sort_by_key(|(_, n)| *n);
    for (name, _) in own {
        let span = scope
            .env
            .globals
            .get(name)
            .map_or(Span::default(), |g| g.span);
        globals.push(Global {
            name: Text::new(name),
            own: true,
            span,
        });
    }
    globals
}

/// Kinds of items, by name: for whoever lists pieces.
fn kinds(scope: &Scope) -> Vec<Kind> {
    let kinds = scope.env.items.iter().take(Piece::MAX_KIND as usize);
    kinds
        .map(|(name, b)| Kind {
            name: Text::new(name),
            visible: true,
            handlers: [None; 2],
            span: b.span,
        })
        .collect()
}

fn owners(scope: &Scope) -> Vec<Text> {
    let players = scope
        .env
        .globals
        .iter()
        .filter(|(_, g)| g.ty == Type::Player)
        .map(|(name, _)| Text::new(name));
    std::iter::once(Text::new(""))
        .chain(players.take(Piece::MAX_OWNER as usize))
        .collect()
}

/// Whether a statement declares at the top of a text: it is done again when the game starts anew.
pub(super) fn is_declaration(statement: &Stmt) -> bool {
    matches!(
        &statement.kind,
        StmtKind::Declare {
            place: typed::Place::Global(_),
            ..
        }
    )
}
