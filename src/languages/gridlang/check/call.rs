//! Calls of user-defined and built-in functions.

use super::Checker;
use super::builtin::Builtin;
use super::expression::{GRID_SIZE, to_float};
use super::hir::{Expr, ExprKind, Type};
use crate::ast::{self, Name};
use crate::check::errors;
use crate::diagnostic::did_you_mean;
use crate::language::{Namespace, Reporter};
use crate::parse::dialect;
use crate::source::Span;
use crate::text::count_noun;
use std::ops::RangeInclusive;

impl Checker<'_> {
    pub fn call(&mut self, name: &Name, arguments: &[ast::Expr], span: Span) -> Expr {
        self.defs
            .names
            .refer(Namespace::Functions, &name.text, name.span);
        let Some(signature) = self.defs.env.signatures.get(&name.text).cloned() else {
            return self.builtin_call(name, arguments, span);
        };
        let (parameters, ty) = (&signature.parameters, signature.return_type.clone());
        let count = parameters.len()..=parameters.len();
        if !self.check_argument_count(name, arguments, count, span) {
            return Expr::new(ExprKind::Error, ty, span);
        }
        let typed = arguments.iter().zip(parameters).enumerate();
        let typed = typed.map(|(n, (argument, expected))| {
            let subject = format!("argument {} of `{}` must be", n + 1, name.text);
            self.expect_argument(argument, expected, &subject)
        });
        let arguments = typed.collect();
        let function = name.text.clone();
        let kind = ExprKind::Call {
            function,
            arguments,
        };
        Expr::new(kind, ty, span)
    }

    /// Checks an argument that must have the type `expected`, as [`Checker::expect_type`] does.
    pub fn expect_argument(&mut self, e: &ast::Expr, expected: &Type, subject: &str) -> Expr {
        self.expect_type(e, expected, errors::ARGUMENT_TYPE, subject)
    }

    fn unknown_function(&mut self, name: &Name, arguments: &[ast::Expr], span: Span) -> Expr {
        for argument in arguments {
            self.expr(argument);
        }
        let known = self.defs.env.signatures.keys().map(|k| &**k);
        let hint = did_you_mean(&name.text, known.chain(Builtin::NAMES));
        let message = format!("unknown function `{}`{hint}", name.text);
        self.error(errors::UNKNOWN_FUNCTION, name.span, message)
            .notes
            .extend(dialect::replacement(&name.text).map(str::to_owned));
        Expr::error(span)
    }

    fn check_argument_count(
        &mut self,
        name: &Name,
        arguments: &[ast::Expr],
        expected: RangeInclusive<usize>,
        span: Span,
    ) -> bool {
        if expected.contains(&arguments.len()) {
            return true;
        }
        for argument in arguments {
            self.expr(argument);
        }
        let expected = count_noun(*expected.end(), "argument", "arguments");
        let given = count_noun(arguments.len(), "was", "were");
        let message = format!("`{}` takes {expected}, but {given} given", name.text);
        self.error(errors::ARGUMENT_COUNT, span, message);
        false
    }

    fn builtin_call(&mut self, name: &Name, arguments: &[ast::Expr], span: Span) -> Expr {
        let Some((builtin, count, ty)) = Builtin::find(&name.text) else {
            return self.unknown_function(name, arguments, span);
        };
        match builtin {
            Builtin::Prompt => return self.prompt(arguments, span),
            Builtin::Traverse => return self.traverse(arguments, span),
            _ if !self.check_argument_count(name, arguments, count, span) => {
                return Expr::error(span);
            }
            _ => {}
        }
        let arguments = match (builtin, arguments) {
            (Builtin::CreateGrid, [rows, columns]) => {
                self.defs.creates_grid = true;
                let code = errors::ARGUMENT_TYPE;
                self.int_pair([rows, columns], code, GRID_SIZE).into()
            }
            _ => {
                let arguments = arguments.iter().map(|e| self.builtin_argument(builtin, e));
                arguments.collect()
            }
        };
        Expr::new(ExprKind::Builtin(builtin, arguments), ty, span)
    }

    fn builtin_argument(&mut self, builtin: Builtin, e: &ast::Expr) -> Expr {
        let value = self.expr(e);
        let found = value.ty.with_article();
        let message = match (builtin, &value.ty) {
            (Builtin::Print, Type::Void) => {
                "`print` needs a value, but this returns nothing".into()
            }
            (Builtin::Print, Type::Cell) => "cannot print a cell of the grid".into(),
            (Builtin::Len, ty) if *ty != Type::Unknown && ty.element_type().is_none() => {
                format!("`len` needs an array or a list, found {found}")
            }
            (Builtin::Random, ty) if !ty.is_number() => {
                format!("`random` needs numbers, found {found}")
            }
            (Builtin::Random, _) => return to_float(value),
            _ => return value,
        };
        self.error(errors::ARGUMENT_TYPE, value.span, message);
        value
    }

    /// `prompt("row: ", int)`; the type defaults to int.
    fn prompt(&mut self, arguments: &[ast::Expr], span: Span) -> Expr {
        let (message, ty) = match arguments {
            [message] => (message, Type::Int),
            [message, ty] => (message, self.prompt_type(ty)),
            _ => {
                let message = "`prompt` takes a message and a type";
                self.error(errors::ARGUMENT_COUNT, span, message)
                    .add_note("e.g. `prompt(\"row: \", int)`");
                return Expr::error(span);
            }
        };
        let subject = "the message of `prompt` must be";
        let message = self.expect_argument(message, &Type::Text, subject);
        Expr::new(ExprKind::Builtin(Builtin::Prompt, vec![message]), ty, span)
    }

    fn prompt_type(&mut self, e: &ast::Expr) -> Type {
        if let ast::ExprKind::TypeKeyword(ty) = &e.kind {
            return ty.clone();
        }
        let message = "expected the type of the answer";
        self.error(errors::ARGUMENT_TYPE, e.span, message)
            .add_note("use int, string, boolean, coordinate or float, without quotes");
        Type::Unknown
    }

    /// `traverse([from, to], "playerList")`, or the form with four ints that checks whether a piece
    /// is in between.
    fn traverse(&mut self, arguments: &[ast::Expr], span: Span) -> Expr {
        match arguments {
            [line, list] => {
                if let ast::ExprKind::Array(parts) = &line.kind
                    && parts.len() != 2
                {
                    let message = "`traverse` takes exactly two coordinates";
                    self.error(errors::ARGUMENT_COUNT, line.span, message);
                }
                let line_type = Type::Coordinate.into_array();
                let line = self.expect_argument(line, &line_type, "`traverse` needs");
                let (list, element) = self.list_name(list);
                let kind = ExprKind::Builtin(Builtin::Traverse, vec![line, list]);
                Expr::new(kind, element.into_list(), span)
            }
            [_, _, _, _] => {
                let subject = "each row and column of `traverse` must be";
                let typed = arguments.iter();
                let typed = typed.map(|a| self.expect_argument(a, &Type::Int, subject));
                let kind = ExprKind::Builtin(Builtin::AnyBetween, typed.collect());
                Expr::new(kind, Type::Int, span)
            }
            _ => {
                let message = "`traverse` takes two coordinates and the name of a list";
                self.error(errors::ARGUMENT_COUNT, span, message)
                    .add_note("e.g. `traverse([(0,0), (2,2)], \"playerList\")`");
                Expr::error(span)
            }
        }
    }

    /// The name of a list, and the type of its elements.
    fn list_name(&mut self, e: &ast::Expr) -> (Expr, Type) {
        let name = self.expect_argument(e, &Type::Text, "the name of a list must be");
        let element = match &name.kind {
            ExprKind::Text(text) => match &**text {
                "playerList" => Type::Player,
                "itemList" => Type::Item(None),
                other => {
                    let hint = did_you_mean(other, ["playerList", "itemList"]);
                    let message = format!("unknown list \"{other}\"{hint}");
                    self.error(errors::UNKNOWN_LIST, e.span, message)
                        .add_note("the lists are \"playerList\" and \"itemList\"");
                    Type::Unknown
                }
            },
            _ => Type::AnyPiece,
        };
        (name, element)
    }
}
