//! What is typed at the prompt: items, statements and expressions, done in order.

use super::link::{assemble, finish, load, number_variables, placeholder};
use super::{Body, Shared};
use crate::code::{Function, FunctionId, Instr, Program};
use crate::diagnostic::Diagnostic;
use crate::language::{Compiled, FrameScope};
use crate::languages::gridlok::ast::{
    Content, Entry, Expr, ExprKind, Item, ItemKind, Name, Part, Statement, StatementKind,
};
use crate::languages::gridlok::scope::{Scope, rule_variable, title};
use crate::source::Span;
use std::rc::Rc;

/// What was typed at the prompt.
pub fn entry(
    entry: &Entry,
    span: Span,
    old: &Program,
    frame: Option<&FrameScope>,
) -> Result<Compiled, Vec<Diagnostic>> {
    if let Entry::Game(program) = entry {
        return load(program);
    }
    let mut scope = Scope::of(old);
    let mut said = Vec::new();
    let items: Vec<&Item> = match entry {
        Entry::Parts(parts) => parts
            .iter()
            .filter_map(|p| if let Part::Item(i) = p { Some(i) } else { None })
            .collect(),
        _ => Vec::new(),
    };
    let runs_setup = !scope.set_up && items.iter().any(|i| matches!(i.kind, ItemKind::Setup(_)));
    for item in &items {
        let replaced = scope.define(Rc::new((*item).clone()));
        said.push(told(item, replaced.as_deref(), runs_setup));
    }
    scope.set_up |= runs_setup;
    number_variables(&mut scope);
    let (mut program, mut errors) = if items.is_empty() {
        (old.clone(), Vec::new())
    } else {
        assemble(scope.clone(), Some(old))
    };
    // What was typed before is done: its code would only pile up. A frame that still runs it is given it back.
    program
        .functions
        .truncate(Scope::of(&program).codes.count());
    let locals = frame.map_or(&[][..], |f| &f.locals);
    let mut codes = Scope::of(&program).codes;
    let mut shared = Shared {
        scope: &scope,
        kinds: &program.kinds,
        titles: &mut codes,
    };
    let function = entry_function(&mut shared, entry, span, locals, runs_setup, &mut errors);
    if !errors.is_empty() {
        return Err(errors);
    }
    // The entry may name functions that are not there yet, such as a condition: they get their numbers here.
    codes.fill(&mut program, placeholder);
    let run = FunctionId(program.functions.len() as u32);
    program.functions.push(Rc::new(function));
    let answers = matches!(entry, Entry::Expression(_));
    Ok(Compiled {
        program,
        run: Some(run),
        answers,
        warnings: Vec::new(),
        said,
        fresh: false,
    })
}

/// `replaced piece "zero"`.
fn told(item: &Item, replaced: Option<&Item>, runs_setup: bool) -> String {
    let name = match &item.kind {
        ItemKind::Piece(p) => format!("piece \"{}\"", p.name.as_ref().map_or("", |n| &n.text)),
        ItemKind::Function(f) => format!("function {}", f.name.text),
        ItemKind::Def(d) => format!("variable {}", d.name.text),
        _ => title(item),
    };
    let verb = if replaced.is_some() {
        "replaced"
    } else {
        "defined"
    };
    match &item.kind {
        ItemKind::Setup(_) if !runs_setup => format!("{verb} {name}: it runs at the next :restart"),
        _ => format!("{verb} {name}"),
    }
}

fn entry_function(
    shared: &mut Shared,
    entry: &Entry,
    span: Span,
    locals: &[crate::code::Local],
    runs_setup: bool,
    errors: &mut Vec<Diagnostic>,
) -> Function {
    let mut body = Body::at_stop(shared, "entry", locals, span);
    match entry {
        Entry::Expression(e) => body.answer(e),
        Entry::Parts(parts) => {
            for part in parts {
                match part {
                    Part::Statement(s) => body.top_statement(s),
                    Part::Item(item) => body.item(item, runs_setup, true),
                }
            }
        }
        Entry::Game(_) => {}
    }
    finish(body, errors)
}

impl Body<'_, '_> {
    /// An expression typed at the prompt. A call may be of a function that gives nothing.
    fn answer(&mut self, e: &Expr) {
        self.statement_stop(e.span);
        let src = match &e.kind {
            ExprKind::Call(name, arguments) if name.text != "rand" => {
                let content = Content::Arguments(arguments.clone());
                if crate::languages::gridlok::builtin::builtin(&name.text).is_some() {
                    let kind = StatementKind::Braces(name.clone(), content);
                    return self.top_statement(&Statement { kind, span: e.span });
                }
                self.call_or_assign(name, arguments, e)
            }
            _ => Some(self.expr(e).0),
        };
        if let Some(src) = src {
            self.b.emit(Instr::Return { src }, e.span);
        }
    }

    /// `name{…}` typed alone: a call is answered with its value, an assignment with nothing.
    fn call_or_assign(
        &mut self,
        name: &Name,
        arguments: &[Expr],
        e: &Expr,
    ) -> Option<crate::code::Reg> {
        let variable =
            self.find(&name.text).is_some() || self.shared.scope.variables.contains_key(&name.text);
        if variable || rule_variable(&name.text).is_some() {
            let kind = StatementKind::Braces(name.clone(), Content::Arguments(arguments.to_vec()));
            self.statement(&Statement { kind, span: e.span });
            return None;
        }
        Some(self.invoke(name, arguments, e.span))
    }

    fn top_statement(&mut self, statement: &Statement) {
        self.statement(statement);
    }

    /// What an item does when it is reached: most only define.
    pub(super) fn item(&mut self, item: &Item, runs_setup: bool, typed: bool) {
        let mark = self.b.mark();
        match &item.kind {
            ItemKind::Def(def) => {
                self.statement_stop(item.span);
                let src = self.b.register();
                self.given_to(&def.value, src);
                if let Some(variable) = self.shared.scope.variables.get(&def.name.text) {
                    let global = variable.global;
                    self.b.emit(Instr::Need { a: src }, item.span);
                    self.b.note_before(item.span, crate::code::Seen::Write(src));
                    self.b.emit(Instr::SetGlobal { global, src }, item.span);
                }
            }
            ItemKind::Board(board) => {
                if let Some((rows, cols, span)) = &board.dimensions {
                    self.statement_stop(*span);
                    let (rows, _) = self.expr(rows);
                    let (cols, _) = self.expr(cols);
                    self.b.emit(Instr::Resize { rows, cols }, *span);
                }
            }
            ItemKind::Players(names) => self.names("@players", names, item.span, typed),
            ItemKind::TurnOrder(names) => self.names("@given", names, item.span, typed),
            ItemKind::EventPriority(names) => self.names("@priority", names, item.span, false),
            ItemKind::Setup(_) if runs_setup => self.rule("@begin", &[], item.span),
            _ => {}
        }
        self.b.release(mark);
    }

    /// A list of names becomes a variable of the rules; typed at the prompt, players take their seats at once.
    fn names(&mut self, variable: &str, names: &[Name], span: Span, seat: bool) {
        let first = self.b.row(names.len().max(1));
        for (n, name) in names.iter().enumerate() {
            let k = self.b.text(&name.text);
            self.b.emit(
                Instr::Constant {
                    dst: first.wrapping_add(n as u16),
                    k,
                },
                name.span,
            );
        }
        self.b.emit(
            Instr::List {
                dst: first,
                first,
                count: names.len() as u16,
            },
            span,
        );
        self.b.emit(
            Instr::SetGlobal {
                global: rule_variable(variable).unwrap_or_default(),
                src: first,
            },
            span,
        );
        if seat {
            self.rule("@seatPlayers", &[], span);
        }
    }
}
