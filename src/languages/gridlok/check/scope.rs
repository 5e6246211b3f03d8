//! Name resolution: scopes, declarations, and errors for unknown names.

use super::{BodyKind, Checker};
use crate::diagnostic::{Diagnostic, Phase, Severity, closest_match};
use crate::language::{NameKind, Namespace, Reporter};
use crate::languages::gridlok::ast::Name;
use crate::languages::gridlok::check::builtin::{self, BUILTINS, Builtin, PREDEFINED, Predefined};
use crate::languages::gridlok::check::env::Signature;
use crate::languages::gridlok::check::errors;
use crate::languages::gridlok::check::typing::Type;
use crate::languages::gridlok::token::ITEM_KEYWORDS;
use crate::source::Span;

/// The variables of one block.
#[derive(Default)]
pub struct BlockScope {
    locals: Vec<Local>,
}

struct Local {
    name: Name,
    ty: Option<Type>,
    binding: Binding,
    read: bool,
}

/// What declares a local. Only a `def` must be used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Binding {
    Parameter,
    Loop,
    Def,
}

/// What a name refers to.
pub enum Referent {
    Variable(Option<Type>),
    Function(Signature),
    Builtin(&'static Builtin),
    Predefined(&'static Predefined),
    Player,
    Unknown,
}

/// Keywords to suggest for a misspelled name.
const KEYWORD_SUGGESTIONS: &[&str] = &[
    "return", "true", "false", "empty", "elseif", "else", "for", "def", "fun",
];

impl Checker<'_> {
    pub fn resolve(&self, name: &str) -> Referent {
        let locals = self
            .scopes
            .iter()
            .rev()
            .flat_map(|scope| scope.locals.iter().rev());
        if let Some(local) = locals.into_iter().find(|local| local.name.text == name) {
            return Referent::Variable(local.ty);
        }
        if self.body_kind == BodyKind::TopLevel
            && self.env.frame_locals.iter().any(|local| local == name)
        {
            return Referent::Variable(None);
        }
        if let Some(ty) = self.env.variables.get(name) {
            return Referent::Variable(*ty);
        }
        if let Some(signature) = self.env.functions.get(name) {
            return Referent::Function(*signature);
        }
        let built_in = builtin::find_builtin(name).map(Referent::Builtin);
        let predefined = || builtin::find_predefined(name).map(Referent::Predefined);
        let player = || self.opens_player_block(name).then_some(Referent::Player);
        built_in
            .or_else(predefined)
            .or_else(player)
            .unwrap_or(Referent::Unknown)
    }

    /// True if the name starts the block of a player here.
    pub fn opens_player_block(&self, name: &str) -> bool {
        self.body_kind == BodyKind::Setup && self.env.players.iter().any(|player| player == name)
    }

    pub fn variable_type(&self, name: &str) -> Option<Type> {
        match self.resolve(name) {
            Referent::Variable(ty) => ty,
            Referent::Predefined(predefined) => Some(predefined.ty),
            _ => None,
        }
    }

    /// Records that a variable was read or a function called.
    pub fn mark_read(&mut self, name: &str) {
        let locals = self
            .scopes
            .iter_mut()
            .rev()
            .flat_map(|scope| scope.locals.iter_mut().rev());
        match locals.into_iter().find(|local| local.name.text == name) {
            Some(local) => local.read = true,
            None => self.usage.mark_read(name),
        }
    }

    pub fn open_scope(&mut self) {
        self.scopes.push(BlockScope::default());
        self.names.enter();
    }

    pub fn close_scope(&mut self) {
        self.names.leave();
        let Some(scope) = self.scopes.pop() else {
            return;
        };
        for local in scope
            .locals
            .iter()
            .filter(|local| local.binding == Binding::Def && !local.read)
        {
            let message = format!("unused variable `{}`", local.name.text);
            self.warn(
                errors::UNUSED,
                local.name.span,
                message,
                "its value is never read; use it or remove the `def`",
            );
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
        let Some(scope) = self.scopes.last_mut() else {
            return;
        };
        let first = scope
            .locals
            .iter()
            .find(|local| local.name.text == name.text)
            .map(|local| local.name.span);
        scope.locals.push(Local {
            name: name.clone(),
            ty,
            binding,
            read: false,
        });
        if let Some(first) = first {
            self.duplicate(
                name.span,
                format!("duplicate definition of `{}` in this block", name.text),
                first,
            );
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

    pub fn unknown_name(&mut self, name: &str, span: Span) {
        let is_forward = self.can_define_later();
        let suggestion = match name {
            "and" => Some("AND"),
            "or" => Some("OR"),
            _ if self.usage.is_defined_later(name) => None,
            _ => self.suggestion(name),
        };
        let has_suggestion = suggestion.is_some();
        let suggestion = suggestion
            .map(|m| format!("; did you mean `{m}`?"))
            .unwrap_or_default();
        let (severity, message) = if is_forward {
            (
                Severity::Warning,
                format!("`{name}` is not defined yet{suggestion}"),
            )
        } else {
            (
                Severity::Error,
                format!("unknown name `{name}`{suggestion}"),
            )
        };
        let note = self.unknown_note(name, is_forward, has_suggestion);
        let code = errors::UNKNOWN_NAME;
        self.report(Diagnostic::new(severity, Phase::Check, code, span, message))
            .notes
            .extend(note);
    }

    fn unknown_note(&self, name: &str, is_forward: bool, has_suggestion: bool) -> Option<String> {
        match name {
            _ if self.usage.is_defined_later(name) => Some(format!(
                "`{name}` is defined further down; a definition only sees what is above it"
            )),
            "and" | "or" | "not" => {
                Some("the operators are written `AND`, `OR` and `!`".to_string())
            }
            _ if self.env.players.iter().any(|player| player == name) => Some(format!(
                "`{name}` is a player: write the string \"{name}\", or use the block `{name}{{…}}` in `setup`"
            )),
            _ if is_forward => Some("define it before this code runs".to_string()),
            _ if has_suggestion => None,
            // A single letter is hardly text.
            _ if name.len() == 1 => Some(format!("define it first, e.g. `def {name}{{0}}`")),
            _ => Some(format!(
                "define it first, e.g. `def {name}{{0}}`; put text in quotes: \"{name}\""
            )),
        }
    }

    fn suggestion(&self, name: &str) -> Option<&str> {
        let locals = self
            .scopes
            .iter()
            .flat_map(|scope| scope.locals.iter().map(|local| local.name.text.as_str()));
        let frame_locals = self.env.frame_locals.iter().map(String::as_str);
        let globals = self
            .env
            .variables
            .keys()
            .chain(self.env.functions.keys())
            .map(|name| &**name);
        let players = self
            .env
            .players
            .iter()
            .map(String::as_str)
            .filter(|_| self.body_kind == BodyKind::Setup);
        let built_in = BUILTINS
            .iter()
            .map(|b| b.name)
            .chain(PREDEFINED.iter().map(|p| p.name));
        let items = ITEM_KEYWORDS
            .iter()
            .copied()
            .filter(|_| self.body_kind == BodyKind::TopLevel);
        let fixed = built_in
            .chain(KEYWORD_SUGGESTIONS.iter().copied())
            .chain(items);
        // There are many of these, so suggest only those with the same first letter.
        let fixed = fixed.filter(|word| word.as_bytes().first() == name.as_bytes().first());
        closest_match(
            name,
            locals
                .chain(frame_locals)
                .chain(globals)
                .chain(players)
                .chain(fixed),
        )
    }
}
