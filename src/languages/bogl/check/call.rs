//! Type checking of calls. Several arguments form a tuple, so a tuple value may be passed in place
//! of separate arguments.

use crate::language::Reporter;
use crate::languages::bogl::ast::{Expr, ExprKind, Ident};
use crate::languages::bogl::check::infer::{Checker, ResolvedName};
use crate::languages::bogl::check::type_error::{
    Expectation, InferredType, TypeOrigin, with_article,
};
use crate::languages::bogl::check::types::{BaseType, SignatureType, Type};
use crate::source::Span;
use crate::text::count_noun;

impl Checker<'_> {
    pub fn infer_call(
        &mut self,
        function: &Ident,
        arguments: &[Expr],
        span: Span,
    ) -> Option<InferredType> {
        let (signature_type, declared_at, is_builtin) = match self.resolve(function) {
            None => {
                self.diagnostics.push(self.undefined(function, "function"));
                self.infer_all(arguments);
                return None;
            }
            Some(ResolvedName::Local(typed)) => (
                typed.map(|typed| SignatureType::Value(typed.ty)),
                None,
                false,
            ),
            Some(ResolvedName::Global(signature_type, span)) => {
                (Some(signature_type), Some(span), false)
            }
            Some(ResolvedName::Builtin(signature_type)) => (Some(signature_type), None, true),
        };
        match signature_type {
            Some(SignatureType::Function { argument, result }) => {
                let expected = Expectation::argument(&function.text, &argument, declared_at);
                let expected = if is_builtin {
                    expected.for_builtin(&function.text, &result, &self.env.types)
                } else {
                    expected
                };
                self.check_arguments(function, &expected, declared_at, arguments, span);
                let origin = match (declared_at, is_builtin) {
                    (Some(declared_at), false) => {
                        TypeOrigin::CallResult(function.text.clone(), declared_at)
                    }
                    _ => TypeOrigin::Expression,
                };
                Some(InferredType { ty: result, origin })
            }
            Some(SignatureType::Value(ty)) => {
                let message = format!(
                    "`{}` is {}, not a function",
                    function.text,
                    with_article(&ty)
                );
                let diagnostic = self.error("BG043", function.span, message);
                diagnostic.related.extend(
                    declared_at.map(|span| (span, format!("`{}` is declared here", function.text))),
                );
                self.infer_all(arguments);
                None
            }
            None => None,
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
        function: &Ident,
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
                    ExprKind::Tuple(_) | ExprKind::If { .. } | ExprKind::Let { .. }
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
        function: &Ident,
        argument_type: &Type,
        declared_at: Option<Span>,
        found_count: usize,
        span: Span,
    ) {
        let expected_count = argument_type.components().map_or(1, <[Type]>::len);
        let message = format!(
            "`{}` takes {}, but {} given",
            function.text,
            count_noun(expected_count, "argument", "arguments"),
            count_noun(found_count, "was", "were")
        );
        let diagnostic = self.error("BG044", span, message);
        diagnostic.add_note(format!("expected `{argument_type}`"));
        diagnostic.related.extend(
            declared_at.map(|span| (span, format!("`{}` is declared here", function.text))),
        );
    }
}
