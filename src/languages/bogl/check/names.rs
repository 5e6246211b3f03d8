//! Who uses which name.

use crate::ast::*;
use crate::language::{NameEntry, NameKind, Names, Namespace};
use crate::source::{Source, Span};

/// Types with a meaning of their own, which cannot have another name.
const SPECIAL_TYPES: [&str; 2] = ["Board", "Input"];
/// The value that `gridbug run` evaluates.
const SPECIAL_VALUES: [&str; 1] = ["result"];

/// The types, symbols, values, functions and locals of a program.
pub fn names(source: &Source, program: &Program) -> Vec<NameEntry> {
    let mut names = Names::new(source);
    for item in &program.items {
        define_item(&mut names, item);
    }
    for item in &program.items {
        walk_item(&mut names, item);
    }
    names.into_entries()
}

fn define_item(names: &mut Names<'_>, item: &Item) {
    match item {
        Item::Type(definition) => {
            let name = &definition.name;
            if !SPECIAL_TYPES.contains(&&*name.text) {
                names.define(Namespace::Types, NameKind::Type, &name.text, name.span);
            }
            define_symbols(names, definition.body.content());
        }
        Item::Value(definition) => define_value(names, definition),
        Item::Let(definition) => {
            let Name { text, span } = &definition.name;
            names.define(Namespace::Values, NameKind::Variable, text, *span);
        }
    }
}

fn define_value(names: &mut Names<'_>, definition: &Definition) {
    if let Some(signature) = &definition.signature {
        signature.types().for_each(|ty| define_symbols(names, ty));
    }
    let name = &definition.name.text;
    if SPECIAL_VALUES.contains(&&**name) {
        return;
    }
    let kind = match definition.body {
        Body::Function { .. } => NameKind::Function,
        Body::Value(_) | Body::Board(_) => NameKind::Variable,
    };
    let mut places: Vec<Span> = definition.signature.iter().map(|s| s.name.span).collect();
    match &definition.body {
        Body::Board(equations) => places.extend(equations.iter().map(|e| start(name, e.span))),
        _ => places.push(start(name, definition.equation_span)),
    }
    for place in places {
        names.define(Namespace::Values, kind, name, place);
    }
}

/// Defines the symbols of a type.
fn define_symbols(names: &mut Names<'_>, ty: &TypeExpr) {
    ty.walk(&mut |ty| {
        if let TypeKind::Symbols(symbols) = &ty.kind {
            for Name { text, span } in symbols {
                names.define(Namespace::Symbols, NameKind::Symbol, text, *span);
            }
        }
    });
}

fn walk_item(names: &mut Names<'_>, item: &Item) {
    match item {
        Item::Type(definition) => walk_type(names, definition.body.content()),
        Item::Value(definition) => {
            if let Some(signature) = &definition.signature {
                signature.types().for_each(|ty| walk_type(names, ty));
            }
            match &definition.body {
                Body::Value(expr) => walk_expr(names, expr),
                Body::Function { parameters, expr } => names.block(|names| {
                    for Name { text, span } in parameters {
                        names.define(Namespace::Values, NameKind::Parameter, text, *span);
                    }
                    walk_expr(names, expr);
                }),
                Body::Board(equations) => equations.iter().for_each(|e| walk_expr(names, &e.expr)),
            }
        }
        Item::Let(definition) => walk_expr(names, &definition.value),
    }
}

fn walk_type(names: &mut Names<'_>, ty: &TypeExpr) {
    ty.walk(&mut |ty| {
        if let TypeKind::Name(name) = &ty.kind {
            names.refer(Namespace::Types, name, ty.span);
        }
    });
}

fn walk_expr(names: &mut Names<'_>, expr: &Expr) {
    match &expr.kind {
        ExprKind::Symbol(name) => {
            names.refer(Namespace::Symbols, name, expr.span);
        }
        ExprKind::Name(Name { text, span }) | ExprKind::Call(Name { text, span }, _) => {
            names.refer(Namespace::Values, text, *span);
        }
        ExprKind::Let(name, value, body) => {
            walk_expr(names, value);
            return names.block(|names| {
                names.define(Namespace::Values, NameKind::Local, &name.text, name.span);
                walk_expr(names, body);
            });
        }
        _ => {}
    }
    expr.kind.for_each_part(|part| walk_expr(names, part));
}

/// The name at the start of an equation.
fn start(name: &str, equation: Span) -> Span {
    let start = equation.start as usize;
    Span::new(equation.source, start, start + name.len())
}
