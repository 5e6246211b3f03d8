//! Calls: one argument is passed as it is, several as a tuple, so a tuple is as good as its parts.

use super::ast::{Expr, ExprKind as Node, Ident};
use super::infer::{Checker, ResolvedName};
use super::type_error::{Expectation, InferredType, TypeOrigin, with_article};
use super::types::{BaseType, SignatureType, Type};
use crate::source::Span;

impl Checker<'_> {
    pub fn infer_call(
        &mut self,
        function: &Ident,
        arguments: &[Expr],
        span: Span,
    ) -> Option<InferredType> {
        let (signed, told, fixed) = match self.resolve(function) {
            None => {
                self.diagnostics.push(self.undefined(function, "function"));
                arguments
                    .iter()
                    .for_each(|argument| drop(self.infer(argument)));
                return None;
            }
            Some(ResolvedName::Local(typed)) => (
                typed.map(|typed| SignatureType::Value(typed.ty)),
                None,
                false,
            ),
            Some(ResolvedName::Global(signed, span)) => (Some(signed), Some(span), false),
            Some(ResolvedName::Builtin(signed)) => (Some(signed), None, true),
        };
        match signed {
            Some(SignatureType::Function { argument, result }) => {
                let want = Expectation::argument(&function.text, &argument, told);
                let want = if fixed {
                    want.for_builtin(&function.text, &result, &self.env.types)
                } else {
                    want
                };
                self.arguments(function, &want, told, arguments, span);
                let origin = match (told, fixed) {
                    (Some(told), false) => TypeOrigin::CallResult(function.text.clone(), told),
                    _ => TypeOrigin::Expression,
                };
                Some(InferredType { ty: result, origin })
            }
            Some(SignatureType::Value(own)) => {
                let message = format!(
                    "`{}` is {}, not a function",
                    function.text,
                    with_article(&own)
                );
                let fault = self.error("BG043", function.span, message);
                fault.related.extend(
                    told.map(|span| (span, format!("`{}` is declared here", function.text))),
                );
                arguments
                    .iter()
                    .for_each(|argument| drop(self.infer(argument)));
                None
            }
            None => None,
        }
    }

    fn arguments(
        &mut self,
        function: &Ident,
        want: &Expectation,
        told: Option<Span>,
        given: &[Expr],
        span: Span,
    ) {
        let needed = &want.ty;
        let count = needed.components().map_or(1, <[Type]>::len);
        if let [only] = given {
            if count == 1
                || matches!(
                    only.kind,
                    Node::Tuple(_) | Node::If { .. } | Node::Let { .. }
                )
            {
                self.check(only, want);
                return;
            }
            match self.infer(only) {
                Some(found) if found.ty.is_subtype_of(needed) => {}
                Some(found) if !matches!(found.ty.base, BaseType::Tuple(_)) => {
                    self.miscounted(function, needed, told, 1, span);
                }
                Some(found) => self.diagnostics.push(want.mismatch(only.span, &found)),
                None => {}
            }
        } else if count == given.len() {
            let components = needed.components().unwrap_or_default();
            for (index, (argument, own)) in given.iter().zip(components).enumerate() {
                self.check(argument, &want.component(index, own));
            }
        } else {
            given.iter().for_each(|argument| drop(self.infer(argument)));
            self.miscounted(function, needed, told, given.len(), span);
        }
    }

    fn miscounted(
        &mut self,
        function: &Ident,
        needed: &Type,
        told: Option<Span>,
        given: usize,
        span: Span,
    ) {
        let count = |n: usize| {
            if n == 1 {
                "one argument".to_owned()
            } else {
                format!("{n} arguments")
            }
        };
        let takes = needed.components().map_or(1, <[Type]>::len);
        let message = format!(
            "`{}` takes {}, but gets {}",
            function.text,
            count(takes),
            count(given)
        );
        let fault = self.error("BG044", span, message);
        fault.notes.push(format!("it needs `{needed}`"));
        fault
            .related
            .extend(told.map(|span| (span, format!("`{}` is declared here", function.text))));
    }
}
