//! Name resolution: scopes, declarations, and errors for unknown names.

use super::{BodyKind, Checker};
use crate::diagnostic::closest_match;
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
        let scopes = self.scopes.iter().rev();
        let mut locals = scopes.flat_map(|scope| scope.locals.iter().rev());
        if let Some(local) = locals.find(|local| *local.name.text == *name) {
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
        self.body_kind == BodyKind::Setup && self.is_player(name)
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
        let scopes = self.scopes.iter_mut().rev();
        let mut locals = scopes.flat_map(|scope| scope.locals.iter_mut().rev());
        match locals.find(|local| *local.name.text == *name) {
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
        let is_unused = |local: &&Local| local.binding == Binding::Def && !local.read;
        for local in scope.locals.iter().filter(is_unused) {
            self.warn_unused_variable(&local.name);
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
        let mut locals = scope.locals.iter();
        let first = locals.find(|local| local.name.text == name.text);
        let first = first.map(|local| local.name.span);
        scope.locals.push(Local {
            name: name.clone(),
            ty,
            binding,
            read: false,
        });
        if let Some(first) = first {
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
            _ if self.usage.is_defined_later(name) => Some(format!(
                "`{name}` is defined further down; a definition only sees what is above it"
            )),
            "and" | "or" | "not" => {
                Some("the operators are written `AND`, `OR` and `!`".to_string())
            }
            _ if self.is_player(name) => Some(format!(
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

    /// The note on a value that may be defined later, unless it is text.
    fn forward_value_note(&self, name: &str) -> Option<String> {
        let note = self.unknown_note(name, true, false)?;
        let is_other = self.usage.is_defined_later(name) || self.is_player(name);
        Some(
            match is_other || name.len() == 1 || matches!(name, "and" | "or" | "not") {
                true => note,
                false => format!("{note}; put text in quotes: \"{name}\""),
            },
        )
    }

    fn suggestion(&self, name: &str) -> Option<&str> {
        let env = &self.env;
        let locals = self.scopes.iter().flat_map(|scope| &scope.locals);
        let locals = locals.map(|local| &*local.name.text);
        let locals = locals.chain(env.frame_locals.iter().map(String::as_str));
        let players = env.players.iter();
        let players = players.filter(|_| self.body_kind == BodyKind::Setup);
        let globals = env.variables.keys().chain(env.functions.keys());
        let globals = globals.chain(players).map(|name| &**name);
        let functions = BUILTINS.iter().map(|b| b.name);
        let built_in = functions.chain(PREDEFINED.iter().map(|p| p.name));
        let items = ITEM_KEYWORDS.iter();
        let items = items.filter(|_| self.body_kind == BodyKind::TopLevel);
        let fixed = built_in.chain(KEYWORD_SUGGESTIONS.iter().chain(items).copied());
        // There are many of these, so suggest only those with the same first letter.
        let fixed = fixed.filter(|word| word.as_bytes().first() == name.as_bytes().first());
        closest_match(name, locals.chain(globals).chain(fixed))
    }
}
