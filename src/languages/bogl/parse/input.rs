//! Answers to `input`: constants of type `Input`.

use crate::ast::Constant;
use crate::check::env::Env;
use crate::check::type_error::with_article;
use crate::check::type_table::BoardType;
use crate::check::types::{BaseType, Type};
use crate::code::Program;
use crate::diagnostic::did_you_mean;
use crate::language::{CellNotation, InputShape};
use crate::lower::scope::Scope;
use crate::parse;
use crate::source::{Origin, Source, SourceId};
use crate::value::{InternedStr, Store, Value};

/// Parses one line of input. The error message and a hint are separated by ` | `.
pub fn read_input(line: &Source, env: &Env) -> Result<Constant, String> {
    let needed = env.types.input();
    let constant = parse::parse_input(line).map_err(|diagnostics| {
        let message = diagnostics.first().map_or("", |error| &error.message);
        format!("{message} | type a constant such as {}", example(&needed))
    })?;
    match type_mismatch(&constant, &needed, "", env) {
        None => Ok(constant),
        Some(message) => {
            let example = example(&needed);
            Err(format!("{message} | type a value such as {example}"))
        }
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

/// The form of the answers of a type. A pair of numbers means a cell of the board, if the game has one.
pub fn shape(ty: &Type, board: &BoardType) -> InputShape {
    let base = match &ty.base {
        BaseType::Int => Some(InputShape::Int),
        BaseType::Bool => Some(InputShape::OneOf(vec!["True".into(), "False".into()])),
        BaseType::Tuple(tuple) => Some(match tuple.components.as_slice() {
            [x, y] if x.is_int() && y.is_int() && board.span.is_some() => InputShape::Cell {
                notation: CellNotation::ColumnRow,
                columns: (1, board.width.into()),
                rows: (1, board.height.into()),
            },
            components => InputShape::Tuple(components.iter().map(|ty| shape(ty, board)).collect()),
        }),
        BaseType::Board => Some(InputShape::Unbounded),
        BaseType::None => None,
    };
    let symbols = ty.symbols.iter().map(|symbol| symbol.to_string()).collect();
    match base {
        None => InputShape::OneOf(symbols),
        Some(base) if ty.symbols.is_empty() => base,
        Some(base) => InputShape::AnyOf(vec![base, InputShape::OneOf(symbols)]),
    }
}

fn to_value(constant: &Constant, store: &mut Store) -> Value {
    match constant {
        Constant::Int(n) => store.heap.alloc_int(*n),
        Constant::Bool(b) => Value::bool(*b),
        Constant::Symbol(symbol) => Value::symbol(InternedStr::new(symbol)),
        Constant::Tuple(parts) => {
            let parts = parts.iter().map(|part| to_value(part, store)).collect();
            store.heap.alloc_tuple(parts)
        }
    }
}

/// Explains why a constant does not have the needed type; `None` if it does. `part` says which
/// tuple component the constant is, e.g. `component 2`; empty if it is the whole input.
fn type_mismatch(constant: &Constant, needed: &Type, part: &str, env: &Env) -> Option<String> {
    let fits = match constant {
        Constant::Int(_) => needed.base == BaseType::Int,
        Constant::Bool(_) => needed.base == BaseType::Bool,
        Constant::Symbol(symbol) => needed.has_symbol(symbol),
        Constant::Tuple(parts) => match needed.components() {
            Some(components) if components.len() == parts.len() => {
                let of_part = match part {
                    "" => String::new(),
                    _ => format!(" of {part}"),
                };
                let mut pairs = parts.iter().zip(components).enumerate();
                return pairs.find_map(|(index, (constant, ty))| {
                    let part = format!("component {}{of_part}", index + 1);
                    type_mismatch(constant, ty, &part, env)
                });
            }
            _ => false,
        },
    };
    if fits {
        return None;
    }
    let suggestion = match constant {
        Constant::Symbol(symbol) => {
            did_you_mean(symbol, needed.symbols.iter().map(|symbol| &**symbol))
        }
        _ => String::new(),
    };
    let (expected, found) = (needed.expanded(), describe(constant, env));
    Some(match part {
        "" => format!("expected `{expected}`, found {found}{suggestion}"),
        _ => format!("expected `{expected}` as {part}, found {found}{suggestion}"),
    })
}

fn describe(constant: &Constant, env: &Env) -> String {
    match constant {
        Constant::Int(_) => "an `Int`".to_owned(),
        Constant::Bool(_) => "a `Bool`".to_owned(),
        Constant::Tuple(parts) => format!("a tuple with {} components", parts.len()),
        Constant::Symbol(symbol) => match env.types.declaring_symbol(symbol) {
            Some(declared) => format!("`{symbol}`, {}", with_article(&declared.ty)),
            None => format!("the unknown symbol `{symbol}`"),
        },
    }
}

/// An example of a constant of a type, in backquotes.
fn example(ty: &Type) -> String {
    fn unquoted(ty: &Type) -> String {
        match (&ty.base, ty.symbols.first()) {
            (BaseType::Int, _) => "1".to_owned(),
            (BaseType::Bool, _) => "True".to_owned(),
            (BaseType::Tuple(tuple), _) => {
                let components: Vec<String> = tuple.components.iter().map(unquoted).collect();
                format!("({})", components.join(", "))
            }
            (_, Some(symbol)) => symbol.to_string(),
            (BaseType::Board | BaseType::None, None) => "…".to_owned(),
        }
    }
    format!("`{}`", unquoted(ty))
}
