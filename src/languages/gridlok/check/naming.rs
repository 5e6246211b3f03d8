//! Reports mistakes in names: declarations that are not allowed, and unknown names.

use super::Checker;
use super::expr::NO_LENGTH;
use super::scope::Binding;
use crate::ast::Name;
use crate::check::builtin;
use crate::check::errors;
use crate::check::typing::Type;
use crate::language::{NameKind, Namespace, Reporter};
use crate::source::Span;

impl Checker<'_> {
    pub fn open_scope(&mut self) {
        self.scope.push_block();
        self.names.enter();
    }

    pub fn close_scope(&mut self) {
        self.names.leave();
        for name in self.scope.pop_block() {
            self.warn_unused_variable(&name);
        }
    }

    pub fn declare(&mut self, name: &Name, ty: Option<Type>, binding: Binding) {
        self.check_definable(name);
        let kind = match binding {
            Binding::Parameter => NameKind::Parameter,
            Binding::Loop | Binding::Def => NameKind::Local,
        };
        self.names
            .define(Namespace::Values, kind, &name.text, name.span);
        if let Some(first) = self.scope.add_local(name, ty, binding) {
            let message = format!("duplicate definition of `{}` in this block", name.text);
            self.duplicate(name.span, message, first);
        }
    }

    pub fn duplicate(&mut self, span: Span, message: String, first: Span) {
        self.error(errors::DUPLICATE_DEFINITION, span, message)
            .add_related(first, "first defined here")
            .add_note("remove or rename one of them");
    }

    /// Reports an attempt to redefine a built-in name.
    pub fn check_definable(&mut self, name: &Name) {
        let kind = match (
            builtin::find_builtin(&name.text),
            builtin::find_predefined(&name.text),
        ) {
            (Some(_), _) => "a built-in function",
            (_, Some(_)) => "a predefined variable",
            _ => return,
        };
        let message = format!("cannot redefine `{}`: it is {kind}", name.text);
        self.error(errors::RESERVED_NAME, name.span, message)
            .add_note("choose another name");
    }

    /// Reports an unknown name that is used as a value, so that it may be text without its quotes.
    pub fn unknown_value(&mut self, name: &str, span: Span) {
        self.report_unknown(name, span, true);
    }

    pub fn unknown_name(&mut self, name: &str, span: Span) {
        self.report_unknown(name, span, false);
    }

    fn report_unknown(&mut self, name: &str, span: Span, is_value: bool) {
        if let Some(def) = self.scope.ended_local(name).map(|local| local.span) {
            let message = format!("`{name}` is only defined inside its block, which has ended");
            let note =
                format!("move `def {name}{{…}}` before the block, and assign in it: `{name}{{…}}`");
            self.error(errors::UNKNOWN_NAME, span, message)
                .add_related(def, "defined in this block")
                .add_note(note);
            return;
        }
        let is_forward = self.can_define_later();
        let suggestion = match name {
            "and" => Some("AND"),
            "or" => Some("OR"),
            _ if self.scope.usage.is_defined_later(name) => None,
            _ => self.scope.suggestion(name),
        };
        let has_suggestion = suggestion.is_some();
        let suggestion = suggestion
            .map(|m| format!("; did you mean `{m}`?"))
            .unwrap_or_default();
        let (code, note) = (
            errors::UNKNOWN_NAME,
            match is_forward && is_value && !has_suggestion {
                true => self.forward_value_note(name),
                false => self.unknown_note(name, is_forward, has_suggestion),
            },
        );
        let diagnostic = match is_forward {
            true => {
                let message = format!("`{name}` is not defined yet{suggestion}");
                self.warning(code, span, message)
            }
            false => self.error(code, span, format!("unknown name `{name}`{suggestion}")),
        };
        diagnostic.notes.extend(note);
    }

    fn unknown_note(&self, name: &str, is_forward: bool, has_suggestion: bool) -> Option<String> {
        match name {
            _ if self.scope.usage.is_defined_later(name) => Some(format!(
                "`{name}` is defined further down; a definition only sees what is above it"
            )),
            "and" | "or" | "not" => {
                Some("the operators are written `AND`, `OR` and `!`".to_string())
            }
            _ if self.scope.env.is_player(name) => Some(format!(
                "`{name}` is a player: write the string \"{name}\", or use the block `{name}{{…}}` in `setup`"
            )),
            "len" | "length" | "size" => Some(NO_LENGTH.to_string()),
            "append" | "push" => Some("the name of a list appends to it: `l{3}`".to_string()),
            "break" => Some("there is no `break`: put the rest of the loop into an `if`, or `return` from a function".to_string()),
            "continue" => Some("there is no `continue`: put the rest of the loop into an `if`".to_string()),
            _ if is_forward => Some("define it before this code runs".to_string()),
            _ if has_suggestion => None,
            // A single letter is hardly text.
            _ if name.len() == 1 => Some(format!("define it first, e.g. `def {name}{{0}}`")),
            _ => Some(format!(
                "define it first, e.g. `def {name}{{0}}`; put text in quotes: \"{name}\""
            )),
        }
    }

    /// The note on a value that may be defined later, unless it is text.
    fn forward_value_note(&self, name: &str) -> Option<String> {
        let note = self.unknown_note(name, true, false)?;
        let is_other = self.scope.usage.is_defined_later(name) || self.scope.env.is_player(name);
        Some(
            match is_other || name.len() == 1 || matches!(name, "and" | "or" | "not") {
                true => note,
                false => format!("{note}; put text in quotes: \"{name}\""),
            },
        )
    }
}
