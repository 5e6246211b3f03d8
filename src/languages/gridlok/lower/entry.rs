//! Lowers entries typed at the prompt: items, statements and expressions, in order.

use super::link::{allocate_globals, assemble, extend, lower_program, placeholder};
use super::{Lowerer, ProgramContext, order};
use crate::ast::{
    BraceContent, Entry, EntryPart, Expr, ExprKind, Item, ItemKind, Statement, StatementKind,
};
use crate::check::builtin::find_builtin;
use crate::code::{Emit, Function, Instr, Local, Program};
use crate::diagnostic::Diagnostic;
use crate::language::{Compiled, FrameScope};
use crate::lower::scope::Scope;
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
    let items = parts.iter().filter_map(EntryPart::item);
    let (values, items): (Vec<&Item>, Vec<&Item>) =
        items.partition(|item| order::only_changes_value(&scope, item));
    let still_defined = |item: &&Item| {
        let name = item.name();
        format!("changed variable {name}; at a restart, it has the value of its earlier definition")
    };
    messages.extend(values.iter().map(still_defined));
    let runs_setup =
        !scope.has_run_setup && items.iter().any(|i| matches!(i.kind, ItemKind::Setup(_)));
    let mut program = if items.is_empty() {
        old.clone()
    } else {
        let scope = Rc::make_mut(&mut scope);
        let affects_others = scope.affects_others(&items);
        scope.words.add(&source.text);
        for item in &items {
            let replaced = order::define(scope, Rc::new((*item).clone()))?;
            messages.push(definition_message(
                item,
                replaced.as_deref(),
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
/// What an entry says of an item that it defines. A variable and a function can have replaced each
/// other.
fn definition_message(
    item: &Item,
    replaced: Option<&Item>,
    runs_setup: bool,
    has_run_setup: bool,
) -> String {
    match (&item.kind, replaced.map(|old| &old.kind)) {
        (ItemKind::Def(d), Some(ItemKind::Function(_))) => {
            let name = &d.name.text;
            return format!("defined variable {name}, which replaces the function {name}");
        }
        (ItemKind::Function(f), Some(ItemKind::Def(_))) => {
            let name = &f.name.text;
            return format!("defined function {name}, which replaces the variable {name}");
        }
        _ => {}
    }
    let verb = if replaced.is_some() {
        "replaced"
    } else {
        "defined"
    };
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
}
