//! Answers to `input`: constants of the type `Input`.

use super::ast::Constant;
use super::env::Env;
use super::parse;
use super::scope::Scope;
use super::types::{Base, Type};
use crate::code::Program;
use crate::diagnostic::{Diagnostic, Phase, did_you_mean};
use crate::source::{Origin, Source, SourceId};
use crate::value::{Store, Text, Value};

/// Reads one line of input. The error is of phase `Parse` when it is no constant, of phase `Type` when it is the wrong one.
pub fn read_input(line: &Source, env: &Env) -> Result<Constant, Vec<Diagnostic>> {
    let needed = env.types().input();
    let constant = parse::parse_input(line).map_err(|faults| {
        let told = faults.into_iter().map(|told| Diagnostic { code: "BG060", ..told });
        told.map(|told| told.note(format!("an input is a constant, such as {}", example(&needed)))).collect::<Vec<_>>()
    })?;
    match wrong(&constant, &needed, env) {
        None => Ok(constant),
        Some(message) => {
            let told = Diagnostic::error(Phase::Type, "BG061", line.whole(), message);
            let told = told.note(format!("type a value such as {}", example(&needed)));
            let declared = env.types().declared("Input").map(|declared| declared.definition.span);
            Err(vec![match declared {
                Some(span) => told.related(span, "the type of inputs is declared here"),
                None => told.note("without `type Input = …`, inputs are numbers"),
            }])
        }
    }
}

/// An answer given to a running program, as a value; the message says what is wrong, and how to mend it.
pub fn answer(program: &Program, store: &mut Store, _: u8, line: &str) -> Result<Value, String> {
    let Some(scope) = program.scope.downcast_ref::<Scope>() else { return Err("there is nothing to answer".into()) };
    let source = Source::new(SourceId::default(), Origin::Entry(0), line);
    match read_input(&source, &scope.env) {
        Ok(constant) => Ok(value(&constant, store)),
        Err(told) => Err(told.first().map_or_else(String::new, |told| {
            let note = told.notes.last().map(|note| format!(" | {note}")).unwrap_or_default();
            format!("{}{note}", told.message)
        })),
    }
}

fn value(constant: &Constant, store: &mut Store) -> Value {
    match constant {
        Constant::Int(n) => store.heap.number(*n),
        Constant::Bool(truth) => Value::bool(*truth),
        Constant::Symbol(symbol) => Value::symbol(Text::new(symbol)),
        Constant::Tuple(parts) => {
            let parts = parts.iter().map(|part| value(part, store)).collect();
            store.heap.tuple(parts)
        }
    }
}

/// Why a constant is not of a type.
fn wrong(constant: &Constant, needed: &Type, env: &Env) -> Option<String> {
    let right = match constant {
        Constant::Int(_) => needed.base == Base::Int,
        Constant::Bool(_) => needed.base == Base::Bool,
        Constant::Symbol(symbol) => needed.has(symbol),
        Constant::Tuple(parts) => match needed.components() {
            Some(own) if own.len() == parts.len() => {
                return parts.iter().zip(own).find_map(|(part, own)| wrong(part, own, env));
            }
            _ => false,
        },
    };
    if right {
        return None;
    }
    let meant = match constant {
        Constant::Symbol(symbol) => did_you_mean(symbol, needed.symbols.iter().map(|symbol| &**symbol)),
        _ => String::new(),
    };
    Some(format!("Expected `{}`, but this is {}{meant}", needed.spelled(), described(constant, env)))
}

fn described(constant: &Constant, env: &Env) -> String {
    match constant {
        Constant::Int(_) => "an `Int`".to_owned(),
        Constant::Bool(_) => "a `Bool`".to_owned(),
        Constant::Tuple(parts) => format!("a tuple of {} parts", parts.len()),
        Constant::Symbol(symbol) => match env.types().of_symbol(symbol) {
            Some(declared) => format!("`{symbol}`, {}", super::report::a_type(&declared.stands_for)),
            None => format!("`{symbol}`, which no type lists"),
        },
    }
}

/// Something that could be typed.
fn example(own: &Type) -> String {
    fn plain(own: &Type) -> String {
        match (&own.base, own.symbols.first()) {
            (Base::Int, _) => "1".to_owned(),
            (Base::Bool, _) => "True".to_owned(),
            (Base::Tuple(parts), _) => format!("({})", parts.all.iter().map(plain).collect::<Vec<_>>().join(", ")),
            (_, Some(symbol)) => symbol.to_string(),
            (Base::Board | Base::None, None) => "…".to_owned(),
        }
    }
    format!("`{}`", plain(own))
}
