//! Lowers entries typed at the prompt: items, statements and expressions, in order.

use super::link::{allocate_globals, assemble, extend, lower_program, placeholder};
use super::{Lowerer, ProgramContext};
use crate::code::{Emit, Function, Instr, Local, Program, Reg, ValueLoc};
use crate::diagnostic::Diagnostic;
use crate::language::{Compiled, FrameScope};
use crate::languages::gridlok::ast::{
    BraceContent, Entry, EntryPart, Expr, ExprKind, Item, ItemKind, Name, Statement, StatementKind,
};
use crate::languages::gridlok::check::builtin::find_builtin;
use crate::languages::gridlok::lower::scope::{Scope, rule_slot};
use crate::source::{Source, Span};
use std::rc::Rc;

/// Compiles an entry against `old`. At a stop, it can use the locals of `frame`.
pub fn lower_entry(
    entry: &Entry,
    source: &Source,
    old: &Program,
    frame: Option<&FrameScope>,
) -> Result<Compiled, Vec<Diagnostic>> {
    if let Entry::Game(program) = entry {
        return lower_program(program, source);
    }
    let span = source.full_span();
    let mut scope = Scope::of(old);
    let mut messages = Vec::new();
    let parts: &[EntryPart] = match entry {
        Entry::Parts(parts) => parts,
        Entry::Expression(_) | Entry::Game(_) => &[],
    };
    let items: Vec<&Item> = parts.iter().filter_map(EntryPart::item).collect();
    let runs_setup =
        !scope.has_run_setup && items.iter().any(|i| matches!(i.kind, ItemKind::Setup(_)));
    let mut program = if items.is_empty() {
        old.clone()
    } else {
        let scope = Rc::make_mut(&mut scope);
        let affects_others = scope.affects_others(&items);
        scope.words.add(&source.text);
        for item in &items {
            let verb = match scope.define(Rc::new((*item).clone())) {
                Some(_replaced) => "replaced",
                None => "defined",
            };
            messages.push(definition_message(
                item,
                verb,
                runs_setup,
                scope.has_run_setup,
            ));
        }
        scope.has_run_setup |= runs_setup;
        match affects_others {
            false => extend(scope.clone(), &items, old),
            true => {
                allocate_globals(scope);
                assemble(scope.clone(), Some(old))
            }
        }
    };
    let scope = Scope::of(&program);
    let mut symbols = Scope::of(&program).symbols.clone();
    let locals = frame.map_or(&[][..], |f| &f.locals);
    let mut context = ProgramContext {
        scope: &scope,
        kinds: &program.piece_kinds,
        symbols: &mut symbols,
    };
    let function = entry_function(&mut context, entry, span, locals, runs_setup);
    let entry_point = program.link_entry(&symbols, function, placeholder);
    Ok(Compiled {
        is_expression: matches!(entry, Entry::Expression(_)),
        messages,
        ..Compiled::entry(Some(entry_point), program, old)?
    })
}

/// The message for a definition: `replaced piece "zero"`.
fn definition_message(item: &Item, verb: &str, runs_setup: bool, has_run_setup: bool) -> String {
    let name = match &item.kind {
        ItemKind::Piece(p) => format!("piece \"{}\"", p.name()),
        ItemKind::Function(f) => format!("function {}", f.name.text),
        ItemKind::Def(d) => format!("variable {}", d.name.text),
        _ => item.name(),
    };
    match &item.kind {
        ItemKind::Board(board) if board.dimensions.is_some() && has_run_setup => {
            format!("{verb} {name}; setup runs again at the next :restart")
        }
        ItemKind::Setup(_) if !runs_setup => format!("{verb} {name}; it runs at the next :restart"),
        _ => format!("{verb} {name}"),
    }
}

fn entry_function(
    context: &mut ProgramContext,
    entry: &Entry,
    span: Span,
    locals: &[Local],
    runs_setup: bool,
) -> Function {
    let mut body = Lowerer::in_frame(context, "entry", locals, span);
    match entry {
        Entry::Expression(e) => body.expression(e),
        Entry::Parts(parts) => {
            for part in parts {
                match part {
                    EntryPart::Statement(s) => body.statement(s),
                    EntryPart::Item(item) => body.item(item, runs_setup, true),
                }
            }
        }
        Entry::Game(_) => {}
    }
    body.builder.finish()
}

impl Lowerer<'_, '_> {
    /// Lowers an expression typed at the prompt. It may be a call of a function that returns
    /// nothing.
    fn expression(&mut self, e: &Expr) {
        self.statement_stop(e.span);
        let src = match &e.kind {
            ExprKind::Call(name, arguments) if &*name.text != "rand" => {
                let is_builtin = find_builtin(&name.text).is_some();
                if is_builtin
                    || self.find_local(&name.text).is_some()
                    || self.is_variable(&name.text)
                {
                    let content = BraceContent::Arguments(arguments.clone());
                    let kind = StatementKind::Braces(name.clone(), content);
                    return self.statement(&Statement { kind, span: e.span });
                }
                self.invoke(name, arguments, e.span)
            }
            _ => self.emit_expr(e),
        };
        self.builder.emit(Instr::Return { src }, e.span);
    }

    /// Emits the code that runs when an item is defined; most need none.
    pub(super) fn item(&mut self, item: &Item, runs_setup: bool, seat_players: bool) {
        let in_use = self.builder.registers_in_use();
        match &item.kind {
            ItemKind::Def(def) => {
                self.statement_stop(item.span);
                let src = self.builder.alloc_register();
                self.initializer_to(&def.value, src);
                if let Some(variable) = self.context.scope.variables.get(&def.name.text) {
                    let global = variable.global;
                    self.builder.emit(Instr::RequireValue { a: src }, item.span);
                    self.builder
                        .record_value_before(item.span, ValueLoc::Write(src));
                    self.builder.emit_set_global(global, src, item.span);
                }
            }
            ItemKind::Board(board) => {
                if let Some((rows, cols, span)) = &board.dimensions {
                    self.statement_stop(*span);
                    let (rows, cols) = (self.emit_expr(rows), self.emit_expr(cols));
                    self.builder.emit(Instr::Resize { rows, cols }, *span);
                }
            }
            ItemKind::Players(names) => {
                self.store_names("@players", names, item.span, seat_players)
            }
            ItemKind::TurnOrder(names) => {
                self.store_names("@turnOrder", names, item.span, seat_players)
            }
            ItemKind::EventPriority(names) => {
                self.store_names("@eventPriority", names, item.span, false)
            }
            ItemKind::Setup(_) if runs_setup => self.call_rule("@startGame", &[], item.span),
            _ => {}
        }
        self.builder.release_registers(in_use);
    }

    /// Stores a list of names in a variable of the rules. With `seat_players`, the turn order is
    /// updated at once.
    fn store_names(&mut self, variable: &str, names: &[Name], span: Span, seat_players: bool) {
        let first = self.builder.alloc_block(names.len().max(1));
        for (n, name) in names.iter().enumerate() {
            let dst = first.wrapping_add(n as Reg);
            self.builder.emit_string(dst, &name.text, name.span);
        }
        let list = Instr::List {
            dst: first,
            first,
            count: names.len() as u16,
        };
        self.builder.emit(list, span);
        self.builder
            .emit_set_global(rule_slot(variable), first, span);
        if seat_players {
            self.call_rule("@seatPlayers", &[], span);
        }
    }
}
