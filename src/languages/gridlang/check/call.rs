//! Calls of user-defined and built-in functions.

use super::Checker;
use super::expression::to_float;
use crate::diagnostic::did_you_mean;
use crate::language::{Namespace, Reporter};
use crate::languages::gridlang::ast::{self, Base, Builtin, Callee, Name};
use crate::languages::gridlang::check::errors;
use crate::languages::gridlang::check::hir::{Expr, ExprKind, ListKind, ListName, Type};
use crate::languages::gridlang::check::intrinsic::Intrinsic;
use crate::languages::gridlang::parse::dialect;
use crate::source::Span;
use std::sync::Arc;

/// The built-in functions, for suggestions.
const BUILTINS: [&str; 9] = [
    "print",
    "prompt",
    "drawGrid",
    "createGrid",
    "traverse",
    "random",
    "len",
    "gameOver",
    "diceThrow",
];

impl Checker<'_> {
    pub fn call(&mut self, callee: &Callee, arguments: &[ast::Expr], span: Span) -> Expr {
        if let Callee::Named(Name { text, span }) = callee {
            self.names.refer(Namespace::Functions, text, *span);
        }
        match callee {
            Callee::Builtin(builtin, _) => self.builtin_call(*builtin, arguments, span),
            Callee::Named(name) if self.env.signatures.contains_key(&name.text) => {
                self.function_call(name, arguments, span)
            }
            Callee::Named(name) if self.is_rules() => self.intrinsic_call(name, arguments, span),
            // `diceThrow` is an extension, so a program may define its own.
            Callee::Named(name) if &*name.text == "diceThrow" => {
                self.builtin_call(Builtin::DiceThrow, arguments, span)
            }
            Callee::Named(name) => self.unknown_function(name, arguments, span),
        }
    }

    fn function_call(&mut self, name: &Name, arguments: &[ast::Expr], span: Span) -> Expr {
        let Some(signature) = self.env.signatures.get(&name.text).cloned() else {
            return Expr::error(span);
        };
        if !self.check_argument_count(&name.text, arguments, signature.parameters.len(), span) {
            return Expr {
                ty: signature.return_type.clone(),
                ..Expr::error(span)
            };
        }
        let typed = arguments.iter().zip(&signature.parameters).enumerate().map(
            |(n, (argument, expected))| {
                let subject = format!("argument {} of `{}` must be", n + 1, name.text);
                self.expect_type(argument, expected, errors::ARGUMENT_TYPE, &subject)
            },
        );
        let arguments = typed.collect();
        Expr::new(
            ExprKind::Call {
                function: name.text.clone(),
                arguments,
            },
            signature.return_type.clone(),
            span,
        )
    }

    /// A built-in function of the rules.
    fn intrinsic_call(&mut self, name: &Name, arguments: &[ast::Expr], span: Span) -> Expr {
        let Some((intrinsic, ty)) = Intrinsic::find(&name.text, arguments.len()) else {
            return self.unknown_function(name, arguments, span);
        };
        let arguments = arguments.iter().map(|argument| self.expr(argument));
        let kind = ExprKind::Intrinsic(intrinsic, arguments.collect());
        Expr::new(kind, ty, span)
    }

    fn unknown_function(&mut self, name: &Name, arguments: &[ast::Expr], span: Span) -> Expr {
        for argument in arguments {
            self.expr(argument);
        }
        let known: Vec<Arc<str>> = self.env.signatures.keys().cloned().collect();
        let hint = did_you_mean(&name.text, known.iter().map(|k| &**k).chain(BUILTINS));
        let message = format!("unknown function `{}`{hint}", name.text);
        self.error(errors::UNKNOWN_FUNCTION, name.span, message)
            .notes
            .extend(dialect::replacement(&name.text).map(str::to_owned));
        Expr::error(span)
    }

    fn check_argument_count(
        &mut self,
        name: &str,
        arguments: &[ast::Expr],
        parameter_count: usize,
        span: Span,
    ) -> bool {
        if arguments.len() == parameter_count {
            return true;
        }
        for argument in arguments {
            self.expr(argument);
        }
        let plural = if parameter_count == 1 {
            "argument"
        } else {
            "arguments"
        };
        let given = arguments.len();
        let were = if given == 1 { "was" } else { "were" };
        let message =
            format!("`{name}` takes {parameter_count} {plural}, but {given} {were} given");
        self.error(errors::ARGUMENT_COUNT, span, message);
        false
    }

    fn builtin_call(&mut self, builtin: Builtin, arguments: &[ast::Expr], span: Span) -> Expr {
        match builtin {
            Builtin::Prompt => return self.prompt(arguments, span),
            Builtin::Traverse => return self.traverse(arguments, span),
            _ => {}
        }
        let (name, parameter_count) = match builtin {
            Builtin::Print => ("print", 1),
            Builtin::Len => ("len", 1),
            Builtin::CreateGrid => ("createGrid", 2),
            Builtin::Random => ("random", 2),
            Builtin::GameOver => ("gameOver", 0),
            Builtin::DiceThrow => ("diceThrow", 0),
            _ => ("drawGrid", 0),
        };
        if !self.check_argument_count(name, arguments, parameter_count, span) {
            return Expr::error(span);
        }
        let (kind, ty) = match (builtin, arguments) {
            (Builtin::Print, [value]) => (self.print(value), Type::Void),
            (Builtin::Len, [of]) => (self.len(of), Type::Int),
            (Builtin::CreateGrid, [rows, columns]) => {
                let (rows, columns) = self.grid_size(rows, columns, errors::ARGUMENT_TYPE);
                let kind = ExprKind::CreateGrid(Box::new(rows), Box::new(columns));
                (kind, Type::Void)
            }
            (Builtin::Random, [from, to]) => {
                let (from, to) = (self.random_limit(from), self.random_limit(to));
                (ExprKind::Random(Box::new(from), Box::new(to)), Type::Float)
            }
            (Builtin::GameOver, _) => (ExprKind::GameOver, Type::Void),
            (Builtin::DiceThrow, _) => (ExprKind::DiceThrow, Type::Int),
            _ => (ExprKind::DrawGrid, Type::Void),
        };
        Expr::new(kind, ty, span)
    }

    fn print(&mut self, value: &ast::Expr) -> ExprKind {
        let value = self.expr(value);
        if matches!(value.ty, Type::Void | Type::Cell) {
            let message = match value.ty {
                Type::Void => "`print` needs a value, but this returns nothing".to_string(),
                _ => "cannot print a cell of the grid".to_string(),
            };
            self.error(errors::ARGUMENT_TYPE, value.span, message);
        }
        ExprKind::Print(Box::new(value))
    }

    fn len(&mut self, of: &ast::Expr) -> ExprKind {
        let of = self.expr(of);
        if of.ty != Type::Unknown && of.ty.element_type().is_none() {
            let message = format!(
                "`len` needs an array or a list, found {}",
                of.ty.with_article()
            );
            self.error(errors::ARGUMENT_TYPE, of.span, message);
        }
        ExprKind::Len(Box::new(of))
    }

    fn random_limit(&mut self, e: &ast::Expr) -> Expr {
        let value = self.expr(e);
        if !value.ty.is_number() {
            let message = format!("`random` needs numbers, found {}", value.ty.with_article());
            self.error(errors::ARGUMENT_TYPE, value.span, message);
        }
        to_float(value)
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
        let message = self.expect_type(
            message,
            &Type::Text,
            errors::ARGUMENT_TYPE,
            "the message of `prompt` must be",
        );
        Expr::new(ExprKind::Prompt(Box::new(message)), ty, span)
    }

    fn prompt_type(&mut self, e: &ast::Expr) -> Type {
        match &e.kind {
            ast::ExprKind::TypeKeyword(Base::Int) => Type::Int,
            ast::ExprKind::TypeKeyword(Base::Float) => Type::Float,
            ast::ExprKind::TypeKeyword(Base::Text) => Type::Text,
            ast::ExprKind::TypeKeyword(Base::Bool) => Type::Bool,
            ast::ExprKind::TypeKeyword(Base::Coordinate) => Type::Coordinate,
            _ => {
                let message = "expected the type of the answer";
                self.error(errors::ARGUMENT_TYPE, e.span, message)
                    .add_note("use int, string, boolean, coordinate or float, without quotes");
                Type::Unknown
            }
        }
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
                let line = self.expect_type(
                    line,
                    &Type::Coordinate.into_array(),
                    errors::ARGUMENT_TYPE,
                    "`traverse` needs",
                );
                let (list, element) = self.list_name(list);
                let kind = ExprKind::Traverse {
                    line: Box::new(line),
                    list,
                };
                Expr::new(kind, Type::List(Box::new(element)), span)
            }
            [_, _, _, _] => {
                let subject = "each row and column of `traverse` must be";
                let typed = arguments
                    .iter()
                    .map(|a| self.expect_type(a, &Type::Int, errors::ARGUMENT_TYPE, subject));
                let parts = typed.collect();
                Expr::new(ExprKind::AnyBetween(parts), Type::Int, span)
            }
            _ => {
                let message = "`traverse` takes two coordinates and the name of a list";
                self.error(errors::ARGUMENT_COUNT, span, message)
                    .add_note("e.g. `traverse([(0,0), (2,2)], \"playerList\")`");
                Expr::error(span)
            }
        }
    }

    fn list_name(&mut self, e: &ast::Expr) -> (ListName, Type) {
        match &e.kind {
            ast::ExprKind::Text(text) => match &**text {
                "playerList" => (ListName::Literal(ListKind::Players), Type::Player),
                "itemList" => (ListName::Literal(ListKind::Items), Type::Item(None)),
                other => {
                    let hint = did_you_mean(other, ["playerList", "itemList"]);
                    let message = format!("unknown list \"{other}\"{hint}");
                    self.error(errors::UNKNOWN_LIST, e.span, message)
                        .add_note("the lists are \"playerList\" and \"itemList\"");
                    (ListName::Literal(ListKind::Players), Type::Unknown)
                }
            },
            _ => {
                let name = self.expect_type(
                    e,
                    &Type::Text,
                    errors::ARGUMENT_TYPE,
                    "the name of a list must be",
                );
                (ListName::Computed(Box::new(name)), Type::AnyPiece)
            }
        }
    }
}
