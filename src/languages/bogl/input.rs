//! Answers to `input`: constants of type `Input`.

use super::ast::Constant;
use super::env::Env;
use super::parse;
use super::scope::Scope;
use super::types::{BaseType, Type};
use crate::code::Program;
use crate::diagnostic::did_you_mean;
use crate::source::{Origin, Source, SourceId};
use crate::value::{InternedStr, Store, Value};

/// Parses one line of input. The error message and a hint are separated by ` | `.
pub fn read_input(line: &Source, env: &Env) -> Result<Constant, String> {
    let needed = env.types().input();
    let constant = parse::parse_input(line).map_err(|diagnostics| {
        let message = diagnostics
            .into_iter()
            .next()
            .map_or_else(String::new, |diagnostic| diagnostic.message);
        format!("{message} | type a constant such as {}", example(&needed))
    })?;
    match type_mismatch(&constant, &needed, "", env) {
        None => Ok(constant),
        Some(message) => Err(format!(
            "{message} | type a value such as {}",
            example(&needed)
        )),
    }
}

/// Converts an answer at the input prompt to a value; see [`read_input`] for the error's format.
pub fn read_answer(
    program: &Program,
    store: &mut Store,
    _: u8,
    line: &str,
) -> Result<Value, String> {
    let Some(scope) = program.scope.downcast_ref::<Scope>() else {
        return Err("the program is not waiting for input".into());
    };
    let source = Source::new(SourceId::default(), Origin::Entry(0), line);
    read_input(&source, &scope.env).map(|constant| to_value(&constant, store))
}

fn to_value(constant: &Constant, store: &mut Store) -> Value {
    match constant {
        Constant::Int(n) => store.heap.alloc_int(*n),
        Constant::Bool(truth) => Value::bool(*truth),
        Constant::Symbol(symbol) => Value::symbol(InternedStr::new(symbol)),
        Constant::Tuple(parts) => {
            let parts = parts.iter().map(|part| to_value(part, store)).collect();
            store.heap.alloc_tuple(parts)
        }
    }
}

/// Explains why a constant does not have the needed type. `part` names the tuple component it is,
/// or is empty.
fn type_mismatch(constant: &Constant, needed: &Type, part: &str, env: &Env) -> Option<String> {
    let right = match constant {
        Constant::Int(_) => needed.base == BaseType::Int,
        Constant::Bool(_) => needed.base == BaseType::Bool,
        Constant::Symbol(symbol) => needed.has_symbol(symbol),
        Constant::Tuple(parts) => match needed.components() {
            Some(ty) if ty.len() == parts.len() => {
                let of = if part.is_empty() {
                    String::new()
                } else {
                    format!(" of {part}")
                };
                let mut each = parts.iter().zip(ty).enumerate();
                return each.find_map(|(n, (one, ty))| {
                    type_mismatch(one, ty, &format!("component {}{of}", n + 1), env)
                });
            }
            _ => false,
        },
    };
    if right {
        return None;
    }
    let suggestion = match constant {
        Constant::Symbol(symbol) => {
            did_you_mean(symbol, needed.symbols.iter().map(|symbol| &**symbol))
        }
        _ => String::new(),
    };
    let (needed, what) = (needed.expanded(), describe(constant, env));
    Some(match part {
        "" => format!("expected `{needed}`, found {what}{suggestion}"),
        _ => format!("expected `{needed}` as {part}, found {what}{suggestion}"),
    })
}

fn describe(constant: &Constant, env: &Env) -> String {
    match constant {
        Constant::Int(_) => "an `Int`".to_owned(),
        Constant::Bool(_) => "a `Bool`".to_owned(),
        Constant::Tuple(parts) => format!("a tuple with {} components", parts.len()),
        Constant::Symbol(symbol) => match env.types().declaring_symbol(symbol) {
            Some(declared) => format!(
                "`{symbol}`, {}",
                super::type_error::with_article(&declared.ty)
            ),
            None => format!("the unknown symbol `{symbol}`"),
        },
    }
}

/// An example of what could be typed for a type.
fn example(ty: &Type) -> String {
    fn plain(ty: &Type) -> String {
        match (&ty.base, ty.symbols.first()) {
            (BaseType::Int, _) => "1".to_owned(),
            (BaseType::Bool, _) => "True".to_owned(),
            (BaseType::Tuple(parts), _) => format!(
                "({})",
                parts
                    .components
                    .iter()
                    .map(plain)
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
            (_, Some(symbol)) => symbol.to_string(),
            (BaseType::Board | BaseType::None, None) => "…".to_owned(),
        }
    }
    format!("`{}`", plain(ty))
}
