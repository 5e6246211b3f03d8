//! BoGL's own commands: `:type` and `:info`.

use crate::code::Program;
use crate::diagnostic::{Diagnostic, Phase, did_you_mean};
use crate::language::Compiled;
use crate::languages::bogl::ast::{Body, Entry, Expr, ExprKind};
use crate::languages::bogl::check;
use crate::languages::bogl::check::builtin::Builtin;
use crate::languages::bogl::check::env::{GlobalDef, GlobalItem};
use crate::languages::bogl::check::resolution::GlobalKind;
use crate::languages::bogl::check::type_table::DeclaredType;
use crate::languages::bogl::check::types::{BaseType, Type};
use crate::languages::bogl::info::INFO;
use crate::languages::bogl::lower::scope::{FrameContext, Scope};
use crate::languages::bogl::view;
use crate::languages::bogl::{lower, parse};
use crate::source::Source;
use std::sync::Arc;

pub const COMMANDS: &[(&str, &str, &str)] = &[
    (
        "type",
        "EXPRESSION",
        "show the type of an expression or function without evaluating it",
    ),
    ("t", "EXPRESSION", "same as :type"),
    ("whatis", "EXPRESSION", "same as :type"),
    (
        "info",
        "NAME",
        "show the type and equations of a name, where it is defined and what uses it",
    ),
];

type Diagnostics = Vec<Diagnostic>;

/// Runs a command of [`COMMANDS`].
pub fn run_command(
    source: &Source,
    program: &Program,
    scope: &Scope,
    frame: &FrameContext,
) -> Result<Compiled, Diagnostics> {
    let command_start = source.text.find(':').map_or(0, |at| at + 1);
    let command: String = source.text[command_start..]
        .chars()
        .take_while(|c| c.is_alphanumeric())
        .collect();
    let argument_start = command_start + command.len();
    if source.text[argument_start..].trim().is_empty() {
        let message = format!(
            "`:{command}` needs {}",
            if command == "info" {
                "a name, e.g. `:info start`"
            } else {
                "an expression, e.g. `:type 1 + 2`"
            }
        );
        return Err(vec![Diagnostic::error(
            Phase::Parse,
            "BG059",
            source.full_span(),
            message,
        )]);
    }
    // Blank out the command, so that spans point at what was typed.
    let text = " ".repeat(argument_start) + &source.text[argument_start..];
    let query = Source::new(source.id, source.origin.clone(), text);
    if command == "info" {
        return info(&query, program, scope);
    }
    let lines = type_of(&query, scope, frame)?;
    Ok(Compiled {
        messages: lines,
        ..Compiled::entry(None, program.clone())
    })
}

/// The values of an expression whose type has only symbols; none for any other.
pub fn symbols_of(source: &Source, scope: &Scope, frame: &FrameContext) -> Vec<String> {
    let Ok(entry) = parse::parse_entry(source) else {
        return Vec::new();
    };
    let checked = check::check_entry_in_frame(&entry, &scope.env, &frame.locals).into_result();
    let ty = checked.ok().and_then(|checked| checked.expr);
    match ty.map(|(_, ty)| ty) {
        Some(ty) if ty.base == BaseType::None => {
            ty.symbols.iter().map(|symbol| symbol.to_string()).collect()
        }
        _ => Vec::new(),
    }
}

fn type_of(
    source: &Source,
    scope: &Scope,
    frame: &FrameContext,
) -> Result<Vec<String>, Diagnostics> {
    let entry = parse::parse_entry(source)?;
    let expr = match &entry {
        Entry::Lines {
            items,
            expr: Some(expr),
        } if items.is_empty() => expr,
        Entry::Lines { .. } => return Err(vec![not_an_expression(source, "a definition")]),
        Entry::Game(_) => return Err(vec![not_an_expression(source, "a program")]),
    };
    if let Some(lines) = type_of_name(expr, scope, frame) {
        return Ok(lines);
    }
    let checked = check::check_entry_in_frame(&entry, &scope.env, &frame.locals).into_result()?;
    let Some((_, ty)) = checked.expr else {
        return Err(checked.diagnostics);
    };
    let text = source
        .slice(expr.span)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    Ok([format!("{text} : {ty}")]
        .into_iter()
        .chain(expansion(&ty))
        .collect())
}

fn not_an_expression(source: &Source, found: &str) -> Diagnostic {
    Diagnostic::error(
        Phase::Parse,
        "BG059",
        source.full_span(),
        format!("expected an expression, found {found}"),
    )
    .note("use `:info NAME` for a definition")
}

/// Explains what a named type contains.
fn expansion(ty: &Type) -> Option<String> {
    let expanded = ty.expanded();
    ty.name
        .as_ref()
        .filter(|name| ***name != *expanded)
        .map(|name| format!("{name} is {expanded}"))
}

/// What `:type` shows for the name of a definition, built-in or type. Functions and types are not
/// values, so they cannot be checked as expressions.
fn type_of_name(expr: &Expr, scope: &Scope, frame: &FrameContext) -> Option<Vec<String>> {
    match &expr.kind {
        ExprKind::Name(name)
            if frame
                .locals
                .iter()
                .any(|(local, _)| local.text == name.text) =>
        {
            None
        }
        ExprKind::Name(name) => match scope.env.global(&name.text) {
            Some(global) => Some(vec![format!("{} : {}", name.text, global.signature_type)]),
            None => {
                let signature_type = Builtin::find(&name.text)?.signature_type(&scope.env.types)?;
                Some(vec![format!("{} : {signature_type}", name.text)])
            }
        },
        ExprKind::Symbol(name) if scope.env.types.declaring_symbol(name).is_none() => {
            let ty = scope.env.types.resolve_name(name)?;
            Some(vec![format!("{name} is a type: {}", ty.expanded())])
        }
        _ => None,
    }
}

fn info(source: &Source, program: &Program, scope: &Scope) -> Result<Compiled, Diagnostics> {
    let name = source.text.trim();
    let mut compiled = Compiled::entry(None, program.clone());
    if let Some(global) = scope.env.global(name) {
        if global.kind() == GlobalKind::Let && scope.env.broken(name).is_none() {
            // Also show its value.
            let entry = parse::parse_entry(source)?;
            let checked = check::check_entry(&entry, &scope.env).into_result()?;
            compiled = lower::entry(&entry, source, checked, program, &FrameContext::default())?;
        }
        compiled.messages = describe_global(global, scope);
        return Ok(compiled);
    }
    let types = &scope.env.types;
    let types_with_symbol: Vec<&DeclaredType> = types
        .iter()
        .filter(|declared| declared.ty.has_symbol(name))
        .collect();
    if let Some(builtin) = Builtin::find(name) {
        compiled.messages = describe_builtin(builtin, scope);
    } else if let Some(ty) = types.resolve_name(name) {
        compiled.messages = describe_type(name, &ty, scope);
    } else if !types_with_symbol.is_empty() {
        let names: Vec<String> = types_with_symbol
            .iter()
            .map(|declared| declared.ty.to_string())
            .collect();
        let ty = types
            .declaring_symbol(name)
            .map_or_else(|| names[0].clone(), |declared| declared.ty.to_string());
        compiled.messages.push(format!("{name} : {ty}"));
        compiled
            .messages
            .push(format!("a symbol of {}", names.join(", ")));
    } else {
        return Err(vec![unknown_name(name, source, scope)]);
    }
    Ok(compiled)
}

fn unknown_name(name: &str, source: &Source, scope: &Scope) -> Diagnostic {
    let env = &scope.env;
    let globals = env.globals();
    let global_names = globals.iter().map(|global| &*global.name);
    let known = global_names
        .chain(env.types.names())
        .chain(env.types.symbols())
        .chain(INFO.builtins.iter().map(|(name, _)| *name));
    let message = format!("unknown name `{name}`{}", did_you_mean(name, known));
    Diagnostic::error(Phase::Check, "BG059", source.full_span(), message)
}

fn describe_global(global: &Arc<GlobalDef>, scope: &Scope) -> Vec<String> {
    let mut lines = match &global.item {
        GlobalItem::Let(session_let) => {
            vec![
                format!("{} : {}", global.name, global.signature_type),
                scope.slice(session_let.span).to_string(),
            ]
        }
        GlobalItem::Definition(definition, signature) => {
            let mut lines = vec![scope.slice(signature.span).to_string()];
            match &definition.body {
                Body::Board(equations) => {
                    lines.extend(
                        equations
                            .iter()
                            .map(|equation| scope.slice(equation.span).to_string()),
                    );
                }
                _ => lines.push(scope.slice(definition.equation_span).to_string()),
            }
            lines
        }
    };
    let location = match &global.item {
        GlobalItem::Let(session_let) => scope.describe_location(session_let.span),
        GlobalItem::Definition(definition, _) => scope.describe_location(definition.equation_span),
    };
    lines.extend(
        location.map(|location| format!("a {}, {location}", view::kind_name(global.kind()))),
    );
    let users = scope.env.dependents(&global.name);
    if !users.is_empty() {
        lines.push(format!("used by {}", users.join(", ")));
    }
    let error = scope
        .env
        .broken(&global.name)
        .unwrap_or_default()
        .iter()
        .find(|diagnostic| diagnostic.is_error());
    lines.extend(error.map(|diagnostic| format!("broken: {}", diagnostic.message)));
    lines
}

fn describe_builtin(builtin: Builtin, scope: &Scope) -> Vec<String> {
    let name = builtin.name();
    let help = INFO
        .builtins
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, help)| format!("built-in; {help}"));
    let signature_type = match builtin.signature_type(&scope.env.types) {
        Some(signature_type) => format!("{name} : {signature_type}"),
        None => format!("{name} is only defined if there is a `type Board`"),
    };
    [signature_type].into_iter().chain(help).collect()
}

fn describe_type(name: &str, ty: &Type, scope: &Scope) -> Vec<String> {
    let declared = scope
        .env
        .types
        .get(if name == "Content" { "Board" } else { name });
    let Some(declared) = declared else {
        return vec![match name {
            "Board" => {
                "Board is a single Int cell until you define `type Board = Array …`".to_string()
            }
            "Input" => "Input is Int until you define `type Input = …`".to_string(),
            "Int" => "Int: 64-bit integers".to_string(),
            _ => "Bool: True or False".to_string(),
        }];
    };
    let mut lines = vec![scope.slice(declared.definition.span).to_string()];
    if name != "Board"
        && scope
            .slice(declared.definition.span)
            .split('=')
            .nth(1)
            .map(str::trim)
            != Some(&ty.expanded())
    {
        lines.push(format!("{name} is {}", ty.expanded()));
    }
    lines.extend(
        scope
            .describe_location(declared.definition.span)
            .map(|location| format!("a type, {location}")),
    );
    lines
}
