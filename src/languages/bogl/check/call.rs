//! Type checking of calls. Several arguments form a tuple, so a tuple value may be passed in place
//! of separate arguments.

use crate::ast::{Expr, ExprKind, Name};
use crate::check::infer::{Checker, ResolvedName};
use crate::check::type_error::{Expectation, InferredType, TypeOrigin, with_article};
use crate::check::types::{BaseType, SignatureType, Type};
use crate::language::Reporter;
use crate::source::Span;
use crate::text::argument_count_message;

impl Checker<'_> {
    pub fn infer_call(
        &mut self,
        function: &Name,
        arguments: &[Expr],
        span: Span,
    ) -> Option<InferredType> {
        let name = &function.text;
        let (signature_type, declared_at, is_builtin) = match self.resolve(function) {
            None => {
                self.undefined(function, "function");
                self.infer_all(arguments);
                return None;
            }
            Some(ResolvedName::Local(typed)) => (SignatureType::Value(typed?.ty), None, false),
            Some(ResolvedName::Global(signature_type, span)) => (signature_type, Some(span), false),
            Some(ResolvedName::Builtin(signature_type)) => (signature_type, None, true),
        };
        match signature_type {
            SignatureType::Function { argument, result } => {
                let mut expected = Expectation::argument(name, &argument, declared_at);
                if is_builtin {
                    expected = expected.for_builtin(name, &result, &self.env.types);
                }
                self.check_arguments(function, &expected, declared_at, arguments, span);
                let origin = TypeOrigin::CallResult(name.clone());
                Some(InferredType::declared(result, origin, declared_at))
            }
            SignatureType::Value(ty) => {
                let message = format!("`{name}` is {}, not a function", with_article(&ty));
                let is_board = ty.base == BaseType::Board;
                let error = self.error("BG043", function.span, message);
                error.add_related(declared_at, format!("`{name}` is declared here"));
                if is_board {
                    error.add_note(format!("a cell is written `{name}!(1, 1)`"));
                }
                self.infer_all(arguments);
                None
            }
        }
    }

    /// Reports the errors inside arguments that do not fit.
    fn infer_all(&mut self, arguments: &[Expr]) {
        for argument in arguments {
            self.infer(argument);
        }
    }

    fn check_arguments(
        &mut self,
        function: &Name,
        expected: &Expectation,
        declared_at: Option<Span>,
        arguments: &[Expr],
        span: Span,
    ) {
        let argument_type = &expected.ty;
        let count = argument_type.components().map_or(1, <[Type]>::len);
        if let [only] = arguments {
            if count == 1
                || matches!(
                    only.kind,
                    ExprKind::Tuple(_) | ExprKind::If(..) | ExprKind::Let(..)
                )
            {
                self.check(only, expected);
                return;
            }
            match self.infer(only) {
                Some(found) if found.ty.is_subtype_of(argument_type) => {}
                Some(found) if !matches!(found.ty.base, BaseType::Tuple(_)) => {
                    self.wrong_argument_count(function, argument_type, declared_at, 1, span);
                }
                Some(found) => self.diagnostics.push(expected.mismatch(only.span, &found)),
                None => {}
            }
        } else if count == arguments.len() {
            let components = argument_type.components().unwrap_or_default();
            for (index, (argument, ty)) in arguments.iter().zip(components).enumerate() {
                self.check(argument, &expected.component(index, ty));
            }
        } else {
            self.infer_all(arguments);
            self.wrong_argument_count(function, argument_type, declared_at, arguments.len(), span);
        }
    }

    fn wrong_argument_count(
        &mut self,
        function: &Name,
        argument_type: &Type,
        declared_at: Option<Span>,
        found_count: usize,
        span: Span,
    ) {
        let expected_count = argument_type.components().map_or(1, <[Type]>::len);
        let message = argument_count_message(&function.text, expected_count, found_count);
        self.error("BG044", span, message)
            .add_note(format!("expected `{argument_type}`"))
            .add_related(declared_at, format!("`{}` is declared here", function.text));
    }
}
