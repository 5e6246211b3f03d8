//! BoGL's own commands: `:type` and `:info`.

use crate::ast::{Body, Entry, Expr, ExprKind, Name};
use crate::check;
use crate::check::builtin::Builtin;
use crate::check::env::{GlobalDef, GlobalItem};
use crate::check::resolution::GlobalKind;
use crate::check::types::Type;
use crate::code::Program;
use crate::diagnostic::{Diagnostic, Phase, did_you_mean, first_error};
use crate::info::INFO;
use crate::language::Compiled;
use crate::language::syntax::parse_error;
use crate::lower::scope::{FrameContext, Scope};
use crate::source::Source;
use crate::view;
use crate::{lower, parse};

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

/// Compiles a command of [`COMMANDS`]. All of them only show something.
pub fn run_command(
    source: &Source,
    program: &Program,
    scope: &Scope,
    frame: &FrameContext,
) -> Result<Compiled, Diagnostics> {
    let command_start = source.text.find(':').map_or(0, |at| at + 1);
    let command = source.text[command_start..].chars();
    let command: String = command.take_while(|c| c.is_alphanumeric()).collect();
    let argument_start = command_start + command.len();
    if source.text[argument_start..].trim().is_empty() {
        let needed = match &*command {
            "info" => "a name, e.g. `:info start`",
            _ => "an expression, e.g. `:type 1 + 2`",
        };
        let message = format!("`:{command}` needs {needed}");
        return Err(vec![parse_error("BG059", source.full_span(), message)]);
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
        is_query: true,
        ..Compiled::entry(None, program.clone(), program)?
    })
}

/// The values of an expression whose type has only symbols; none for any other.
pub fn symbols_of(source: &Source, scope: &Scope, frame: &FrameContext) -> Vec<String> {
    let Ok(entry) = parse::parse_entry(source) else {
        return Vec::new();
    };
    let checked = check::check_entry_in_frame(&entry, &scope.env, &frame.locals).into_result();
    match checked.map(|checked| checked.expr) {
        Ok(Some((_, ty))) if ty.is_enumeration() => {
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
    let words: Vec<&str> = source.slice(expr.span).split_whitespace().collect();
    let mut lines = vec![format!("{} : {ty}", words.join(" "))];
    let expansion = ty.expansion();
    lines.extend(expansion.map(|(name, expanded)| format!("{name} is {expanded}")));
    Ok(lines)
}

fn not_an_expression(source: &Source, found: &str) -> Diagnostic {
    let message = format!("expected an expression, found {found}");
    parse_error("BG059", source.full_span(), message).note("use `:info NAME` for a definition")
}

/// What `:type` shows for the name of a definition, built-in or type. Functions and types are not
/// values, so they cannot be checked as expressions.
fn type_of_name(expr: &Expr, scope: &Scope, frame: &FrameContext) -> Option<Vec<String>> {
    match &expr.kind {
        ExprKind::Name(Name { text: name, .. }) => {
            let mut locals = frame.locals.iter();
            if locals.any(|(local, _)| local.text == *name) {
                return None;
            }
            let signature_type = match scope.env.global(name) {
                Some(global) => global.signature_type.clone(),
                None => Builtin::find(name)?.signature_type(&scope.env.types)?,
            };
            Some(vec![format!("{name} : {signature_type}")])
        }
        ExprKind::Symbol(name) if scope.env.types.declaring_symbol(name).is_none() => {
            let ty = scope.env.types.resolve_name(name)?;
            Some(vec![format!("{name} is a type: {}", ty.expanded())])
        }
        _ => None,
    }
}

fn info(source: &Source, program: &Program, scope: &Scope) -> Result<Compiled, Diagnostics> {
    let name = source.text.trim();
    let mut compiled = Compiled::entry(None, program.clone(), program)?;
    if let Some(global) = scope.env.global(name) {
        if global.kind() == GlobalKind::Let && scope.env.broken(name).is_none() {
            // Also show its value.
            let entry = parse::parse_entry(source)?;
            let checked = check::check_entry(&entry, &scope.env).into_result()?;
            compiled = lower::entry(&entry, source, checked, program, &FrameContext::default())?;
        }
        compiled.messages = describe_global(global, scope);
        compiled.is_query = true;
        return Ok(compiled);
    }
    compiled.is_query = true;
    let types = &scope.env.types;
    let with_symbol = types.iter().filter(|declared| declared.ty.has_symbol(name));
    let with_symbol: Vec<String> = with_symbol
        .map(|declared| declared.ty.to_string())
        .collect();
    compiled.messages = if let Some(builtin) = Builtin::find(name) {
        describe_builtin(name, builtin, scope)
    } else if let Some(ty) = types.resolve_name(name) {
        describe_type(name, &ty, scope)
    } else if let Some(first) = with_symbol.first() {
        let declaring = types.declaring_symbol(name);
        let ty = declaring.map_or_else(|| first.clone(), |declared| declared.ty.to_string());
        vec![
            format!("{name} : {ty}"),
            format!("a symbol of {}", with_symbol.join(", ")),
        ]
    } else {
        return Err(vec![unknown_name(name, source, scope)]);
    };
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

fn describe_global(global: &GlobalDef, scope: &Scope) -> Vec<String> {
    let text = |span| scope.slice(span).to_string();
    let (first_line, equations) = match &global.item {
        GlobalItem::Let(session_let) => {
            let first_line = format!("{} : {}", global.name, global.signature_type);
            (first_line, vec![session_let.span])
        }
        GlobalItem::Definition(definition, signature) => {
            let equations = match &definition.body {
                Body::Board(equations) => equations.iter().map(|e| e.span).collect(),
                _ => vec![definition.equation_span],
            };
            (text(signature.span), equations)
        }
    };
    let mut lines = vec![first_line];
    lines.extend(equations.iter().map(|&span| text(span)));
    let location = match &global.item {
        GlobalItem::Let(session_let) => scope.describe_location(session_let.span),
        GlobalItem::Definition(definition, _) => scope.describe_location(definition.equation_span),
    };
    let kind = view::kind_name(global.kind());
    lines.extend(location.map(|location| format!("a {kind}, {location}")));
    let users = scope.env.dependents(&global.name);
    if !users.is_empty() {
        lines.push(format!("used by {}", users.join(", ")));
    }
    let error = scope.env.broken(&global.name).and_then(first_error);
    lines.extend(error.map(|error| format!("broken: {}", error.message)));
    lines
}

fn describe_builtin(name: &str, builtin: Builtin, scope: &Scope) -> Vec<String> {
    let help = INFO.builtins.iter().find(|(known, _)| *known == name);
    let help = help.map(|(_, help)| format!("built-in; {help}"));
    let signature_type = match builtin.signature_type(&scope.env.types) {
        Some(signature_type) => format!("{name} : {signature_type}"),
        None => format!("{name} is only defined if there is a `type Board`"),
    };
    [signature_type].into_iter().chain(help).collect()
}

fn describe_type(name: &str, ty: &Type, scope: &Scope) -> Vec<String> {
    let definition_name = if name == "Content" { "Board" } else { name };
    let Some(declared) = scope.env.types.get(definition_name) else {
        let line = match name {
            "Board" => "Board is a single Int cell until you define `type Board = Array …`",
            "Input" => "Input is Int until you define `type Input = …`",
            "Int" => "Int: 64-bit integers",
            _ => "Bool: True or False",
        };
        return vec![line.to_string()];
    };
    let (text, expanded) = (scope.slice(declared.definition.span), ty.expanded());
    let mut lines = vec![text.to_string()];
    if name != "Board" && text.split('=').nth(1).map(str::trim) != Some(&expanded) {
        lines.push(format!("{name} is {expanded}"));
    }
    let location = scope.describe_location(declared.definition.span);
    lines.extend(location.map(|location| format!("a type, {location}")));
    lines
}
