//! Questions that only BoGL has an answer to: what type something has, and what is known of a name.

use super::ast::{Entry, Expr, Kind as Node};
use super::builtin::{Builtin, HELP};
use super::check;
use super::declare::Declared;
use super::env::{Global, What};
use super::notes::Kind;
use super::scope::{Inside, Scope};
use super::show;
use super::types::Type;
use super::{lower, parse};
use crate::code::Program;
use crate::diagnostic::{Diagnostic, Phase, did_you_mean};
use crate::language::Compiled;
use crate::source::Source;
use std::sync::Arc;

pub const COMMANDS: &[(&str, &str, &str)] = &[
    (
        "type",
        "EXPRESSION",
        "the type of an expression, or of a function; nothing is evaluated",
    ),
    ("whatis", "EXPRESSION", "the same as :type"),
    (
        "info",
        "NAME",
        "what a name is: its type, its equations, where they stand, and what uses it",
    ),
];

type Faults = Vec<Diagnostic>;

/// Does a command of the list above.
pub fn command(
    source: &Source,
    program: &Program,
    scope: &Scope,
    inside: &Inside,
) -> Result<Compiled, Faults> {
    let after = source.text.find(':').map_or(0, |at| at + 1);
    let word: String = source.text[after..]
        .chars()
        .take_while(|c| c.is_alphanumeric())
        .collect();
    let rest = after + word.len();
    if source.text[rest..].trim().is_empty() {
        let message = format!(
            "`:{word}` needs {}",
            if word == "info" {
                "a name"
            } else {
                "an expression"
            }
        );
        return Err(vec![Diagnostic::error(
            Phase::Parse,
            "BG059",
            source.whole(),
            message,
        )]);
    }
    // The same text without the command, so that what is wrong is told where it was typed.
    let text = " ".repeat(rest) + &source.text[rest..];
    let asked = Source::new(source.id, source.origin.clone(), text);
    if word == "info" {
        return info(&asked, program, scope);
    }
    let said = type_of(&asked, scope, inside)?;
    Ok(Compiled {
        program: program.clone(),
        run: None,
        answers: false,
        warnings: Vec::new(),
        said,
        fresh: false,
    })
}

fn type_of(source: &Source, scope: &Scope, inside: &Inside) -> Result<Vec<String>, Faults> {
    let entry = parse::parse_entry(source)?;
    let Entry::Lines {
        items,
        expr: Some(expr),
    } = &entry
    else {
        return Err(vec![no_expression(source)]);
    };
    if !items.is_empty() {
        return Err(vec![no_expression(source)]);
    }
    if let Some(said) = of_name(expr, scope, inside) {
        return Ok(said);
    }
    let checked = super::sound(check::check_inside(&entry, &scope.env, &inside.locals))?;
    let Some((_, own)) = checked.expr else {
        return Err(checked.diagnostics);
    };
    let text = source
        .slice(expr.span)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    Ok([format!("{text} : {own}")]
        .into_iter()
        .chain(spelled(&own))
        .collect())
}

fn no_expression(source: &Source) -> Diagnostic {
    Diagnostic::error(
        Phase::Parse,
        "BG059",
        source.whole(),
        "Only an expression has a type",
    )
    .note("`:info` tells what is known of a definition")
}

/// What is in a type that has a name.
fn spelled(own: &Type) -> Option<String> {
    let spelled = own.spelled();
    own.name
        .as_ref()
        .filter(|name| ***name != *spelled)
        .map(|name| format!("{name} is {spelled}"))
}

/// Functions are no values, but have a type all the same; so have the names of types.
fn of_name(expr: &Expr, scope: &Scope, inside: &Inside) -> Option<Vec<String>> {
    match &expr.kind {
        Node::Name(name)
            if inside
                .locals
                .iter()
                .any(|(local, _)| local.text == name.text) =>
        {
            None
        }
        Node::Name(name) => match scope.env.global(&name.text) {
            Some(global) => Some(vec![format!("{} : {}", name.text, global.signed)]),
            None => {
                let signed = Builtin::find(&name.text)?.signed(scope.env.types())?;
                Some(vec![format!("{} : {signed}", name.text)])
            }
        },
        Node::Symbol(name) if scope.env.types().of_symbol(name).is_none() => {
            let own = scope.env.types().named(name)?;
            Some(vec![format!("{name} is a type: {}", own.spelled())])
        }
        _ => None,
    }
}

fn info(source: &Source, program: &Program, scope: &Scope) -> Result<Compiled, Faults> {
    let name = source.text.trim();
    let mut answered = Compiled {
        program: program.clone(),
        run: None,
        answers: false,
        warnings: Vec::new(),
        said: Vec::new(),
        fresh: false,
    };
    if let Some(global) = scope.env.global(name) {
        if global.kind() == Kind::Let && scope.env.broken(name).is_none() {
            // The value of a variable is the answer, too.
            let entry = parse::parse_entry(source)?;
            let checked = super::sound(check::check_entry(&entry, &scope.env))?;
            answered = lower::entry(&entry, source, checked, program, &Inside::default())?;
        }
        answered.said = of_global(global, scope);
        return Ok(answered);
    }
    let types = scope.env.types();
    let declared: Vec<&Declared> = types.iter().filter(|d| d.stands_for.has(name)).collect();
    if let Some(builtin) = Builtin::find(name) {
        answered.said = of_builtin(builtin, scope);
    } else if let Some(own) = types.named(name) {
        answered.said = of_type(name, &own, scope);
    } else if !declared.is_empty() {
        let names: Vec<String> = declared.iter().map(|d| d.stands_for.to_string()).collect();
        let own = types
            .of_symbol(name)
            .map_or_else(|| names[0].clone(), |d| d.stands_for.to_string());
        answered.said.push(format!("{name} : {own}"));
        answered
            .said
            .push(format!("a symbol of {}", names.join(", ")));
    } else {
        return Err(vec![unknown(name, source, scope)]);
    }
    Ok(answered)
}

fn unknown(name: &str, source: &Source, scope: &Scope) -> Diagnostic {
    let env = &scope.env;
    let globals = env.globals();
    let own = globals.iter().map(|global| &*global.name);
    let known = own
        .chain(env.types().names())
        .chain(env.types().symbols())
        .chain(HELP.iter().map(|(name, _)| *name));
    let message = format!("Nothing is named `{name}`{}", did_you_mean(name, known));
    Diagnostic::error(Phase::Check, "BG059", source.whole(), message)
}

fn of_global(global: &Arc<Global>, scope: &Scope) -> Vec<String> {
    let mut said = match &global.what {
        What::Let(session) => {
            vec![
                format!("{} : {}", global.name, global.signed),
                scope.slice(session.span).to_string(),
            ]
        }
        What::Definition(definition, signature) => {
            let mut said = vec![scope.slice(signature.span).to_string()];
            match &definition.body {
                super::ast::Body::Board(equations) => {
                    said.extend(
                        equations
                            .iter()
                            .map(|equation| scope.slice(equation.span).to_string()),
                    );
                }
                _ => said.push(scope.slice(definition.equation).to_string()),
            }
            said
        }
    };
    let place = match &global.what {
        What::Let(session) => scope.place(session.span),
        What::Definition(definition, _) => scope.place(definition.equation),
    };
    said.extend(place.map(|place| format!("a {}, {place}", show::kind_word(global.kind()))));
    let used = scope.env.dependents(&global.name);
    if !used.is_empty() {
        said.push(format!("used by {}", used.join(", ")));
    }
    let wrong = scope
        .env
        .broken(&global.name)
        .unwrap_or_default()
        .iter()
        .find(|fault| fault.is_error());
    said.extend(wrong.map(|fault| format!("it no longer fits: {}", fault.message)));
    said
}

fn of_builtin(builtin: Builtin, scope: &Scope) -> Vec<String> {
    let name = builtin.name();
    let help = HELP
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, help)| format!("built in; {help}"));
    let signed = match builtin.signed(scope.env.types()) {
        Some(signed) => format!("{name} : {signed}"),
        None => format!("{name} is there only when `type Board` is defined"),
    };
    [signed].into_iter().chain(help).collect()
}

fn of_type(name: &str, own: &Type, scope: &Scope) -> Vec<String> {
    let declared = scope
        .env
        .types()
        .declared(if name == "Content" { "Board" } else { name });
    let Some(declared) = declared else {
        return vec![match name {
            "Board" => {
                "Board is one cell with an Int, until `type Board = Array …` is defined".to_string()
            }
            "Input" => "Input is Int, until `type Input = …` is defined".to_string(),
            "Int" => "Int: the whole numbers of 64 bits".to_string(),
            _ => format!("{name}: True and False"),
        }];
    };
    let mut said = vec![scope.slice(declared.definition.span).to_string()];
    if name != "Board"
        && scope
            .slice(declared.definition.span)
            .split('=')
            .nth(1)
            .map(str::trim)
            != Some(&own.spelled())
    {
        said.push(format!("{name} is {}", own.spelled()));
    }
    said.extend(
        scope
            .place(declared.definition.span)
            .map(|place| format!("a type, {place}")),
    );
    said
}
