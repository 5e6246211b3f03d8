//! Calls: one argument is passed as it is, several as a tuple, so a tuple is as good as its parts.

use super::ast::{Expr, Kind as Node, Word};
use super::infer::{Checker, Found};
use super::report::{Origin, Typed, Want, a_type};
use super::types::{Base, Signed, Type};
use crate::source::Span;

impl Checker<'_> {
    pub fn call(&mut self, function: &Word, arguments: &[Expr], span: Span) -> Option<Typed> {
        let (signed, told, fixed) = match self.resolve(function) {
            None => {
                self.faults.push(self.undefined(function, "function"));
                arguments
                    .iter()
                    .for_each(|argument| drop(self.infer(argument)));
                return None;
            }
            Some(Found::Local(typed)) => (typed.map(|typed| Signed::Value(typed.own)), None, false),
            Some(Found::Global(signed, span)) => (Some(signed), Some(span), false),
            Some(Found::Builtin(signed)) => (Some(signed), None, true),
        };
        match signed {
            Some(Signed::Function { argument, result }) => {
                let want = Want::argument(&function.text, &argument, told);
                let want = if fixed {
                    want.built_in(&function.text, &result, &self.env.types)
                } else {
                    want
                };
                self.arguments(function, &want, told, arguments, span);
                let origin = match (told, fixed) {
                    (Some(told), false) => Origin::Result(function.text.clone(), told),
                    _ => Origin::Here,
                };
                Some(Typed {
                    own: result,
                    origin,
                })
            }
            Some(Signed::Value(own)) => {
                let message = format!("`{}` is {}, not a function", function.text, a_type(&own));
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
        function: &Word,
        want: &Want,
        told: Option<Span>,
        given: &[Expr],
        span: Span,
    ) {
        let needed = &want.own;
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
                Some(found) if found.own.fits(needed) => {}
                Some(found) if !matches!(found.own.base, Base::Tuple(_)) => {
                    self.miscounted(function, needed, told, 1, span);
                }
                Some(found) => self.faults.push(want.missed(only.span, &found)),
                None => {}
            }
        } else if count == given.len() {
            let components = needed.components().unwrap_or_default();
            for (index, (argument, own)) in given.iter().zip(components).enumerate() {
                self.check(argument, &want.part(index, own));
            }
        } else {
            given.iter().for_each(|argument| drop(self.infer(argument)));
            self.miscounted(function, needed, told, given.len(), span);
        }
    }

    fn miscounted(
        &mut self,
        function: &Word,
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
