//! What a name means where it stands.

use super::{Body, Checker};
use crate::diagnostic::{Diagnostic, Phase, Severity, nearest};
use crate::languages::gridlok::ast::Name;
use crate::languages::gridlok::builtin::{self, BUILTINS, Builtin, PREDEFINED, Predefined};
use crate::languages::gridlok::code;
use crate::languages::gridlok::env::Signature;
use crate::languages::gridlok::token::ITEMS;
use crate::languages::gridlok::typing::Type;
use crate::source::Span;

/// The variables of one block.
#[derive(Default)]
pub struct Scope {
    locals: Vec<Local>,
}

struct Local {
    name: Name,
    is: Option<Type>,
    /// Made by `def`: parameters and loop variables may be left unused.
    by_def: bool,
    read: bool,
}

/// What a name is.
pub enum Thing {
    Variable(Option<Type>),
    Function(Signature),
    Builtin(&'static Builtin),
    Predefined(&'static Predefined),
    Player,
    Unknown,
}

/// Words a misspelt name may have been meant as.
const WORDS: &[&str] = &[
    "return", "true", "false", "empty", "elseif", "else", "for", "def", "fun",
];

impl Checker {
    pub fn thing(&self, name: &str) -> Thing {
        let locals = self
            .scopes
            .iter()
            .rev()
            .flat_map(|scope| scope.locals.iter().rev());
        if let Some(local) = locals.into_iter().find(|local| local.name.text == name) {
            return Thing::Variable(local.is);
        }
        if self.body == Body::Open && self.env.locals.iter().any(|local| local == name) {
            return Thing::Variable(None);
        }
        if let Some(is) = self.env.variables.get(name) {
            return Thing::Variable(*is);
        }
        if let Some(signature) = self.env.functions.get(name) {
            return Thing::Function(*signature);
        }
        let built_in = builtin::builtin(name).map(Thing::Builtin);
        let predefined = || builtin::predefined(name).map(Thing::Predefined);
        let player = || self.is_player(name).then_some(Thing::Player);
        built_in
            .or_else(predefined)
            .or_else(player)
            .unwrap_or(Thing::Unknown)
    }

    /// Whether the name opens a player's block here.
    pub fn is_player(&self, name: &str) -> bool {
        self.body == Body::Setup && self.env.players.iter().any(|player| player == name)
    }

    pub fn variable_type(&self, name: &str) -> Option<Type> {
        match self.thing(name) {
            Thing::Variable(is) => is,
            Thing::Predefined(predefined) => Some(predefined.is),
            _ => None,
        }
    }

    /// Notes that a name's value was asked for, or the function called.
    pub fn read(&mut self, name: &str) {
        let locals = self
            .scopes
            .iter_mut()
            .rev()
            .flat_map(|scope| scope.locals.iter_mut().rev());
        match locals.into_iter().find(|local| local.name.text == name) {
            Some(local) => local.read = true,
            None => self.usage.read(name),
        }
    }

    pub fn open_scope(&mut self) {
        self.scopes.push(Scope::default());
    }

    pub fn close_scope(&mut self) {
        let Some(scope) = self.scopes.pop() else {
            return;
        };
        for local in scope
            .locals
            .iter()
            .filter(|local| local.by_def && !local.read)
        {
            let message = format!("the variable `{}` is never read", local.name.text);
            self.warn(
                code::UNUSED,
                local.name.span,
                message,
                "use its value somewhere, or take its `def` away",
            );
        }
    }

    pub fn declare(&mut self, name: &Name, is: Option<Type>, by_def: bool) {
        self.definable(name);
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
            is,
            by_def,
            read: false,
        });
        if let Some(first) = first {
            self.twice(
                name.span,
                format!("`{}` is already defined in this block", name.text),
                first,
            );
        }
    }

    pub fn twice(&mut self, span: Span, message: String, first: Span) {
        let twice = Diagnostic::error(Phase::Check, code::DEFINED_TWICE, span, message);
        self.report(
            twice
                .related(first, "the first one is here")
                .note("take one of them away, or give it another name"),
        );
    }

    /// Built-in names can't be defined again.
    pub fn definable(&mut self, name: &Name) {
        let kind = match (
            builtin::builtin(&name.text),
            builtin::predefined(&name.text),
        ) {
            (Some(_), _) => "a built-in function",
            (_, Some(_)) => "a predefined variable",
            _ => return,
        };
        let message = format!("`{}` is {kind} and can't be defined", name.text);
        self.error(
            code::RESERVED_NAME,
            name.span,
            message,
            "choose another name",
        );
    }

    pub fn unknown(&mut self, name: &str, span: Span) {
        let later = self.may_come_later();
        let meant = match name {
            "and" => Some("AND"),
            "or" => Some("OR"),
            _ if self.usage.comes_below(name) => None,
            _ => self.meant(name),
        };
        let meant = meant
            .map(|m| format!("; did you mean `{m}`?"))
            .unwrap_or_default();
        let (severity, message) = if later {
            (
                Severity::Warning,
                format!("`{name}` is not defined yet{meant}"),
            )
        } else {
            (Severity::Error, format!("unknown name `{name}`{meant}"))
        };
        let unknown = Diagnostic::new(severity, Phase::Check, code::UNKNOWN_NAME, span, message);
        self.report(match self.unknown_note(name, later) {
            Some(note) => unknown.note(note),
            None => unknown,
        });
    }

    fn unknown_note(&self, name: &str, later: bool) -> Option<String> {
        match name {
            _ if self.usage.comes_below(name) => Some(format!(
                "`{name}` is defined further down: a definition sees only what is above it"
            )),
            "and" | "or" | "not" => {
                Some("the operators are written `AND`, `OR` and `!`".to_string())
            }
            _ if self.env.players.iter().any(|player| player == name) => Some(format!(
                "`{name}` is a player: as a value it is the string \"{name}\", and a block `{name}{{…}}` stands in `setup`"
            )),
            _ if later => Some("it must be defined when this is reached".to_string()),
            _ => None,
        }
    }

    fn meant(&self, name: &str) -> Option<&str> {
        let locals = self
            .scopes
            .iter()
            .flat_map(|scope| scope.locals.iter().map(|local| local.name.text.as_str()));
        let stopped = self.env.locals.iter().map(String::as_str);
        let globals = self
            .env
            .variables
            .keys()
            .chain(self.env.functions.keys())
            .map(String::as_str);
        let players = self
            .env
            .players
            .iter()
            .map(String::as_str)
            .filter(|_| self.body == Body::Setup);
        let built_in = BUILTINS
            .iter()
            .map(|b| b.name)
            .chain(PREDEFINED.iter().map(|p| p.name));
        // There are many of these, and most mistakes are not about them: they must begin alike to be offered.
        let items = ITEMS.iter().copied().filter(|_| self.body == Body::Open);
        let fixed = built_in.chain(WORDS.iter().copied()).chain(items);
        let fixed = fixed.filter(|word| word.as_bytes().first() == name.as_bytes().first());
        nearest(
            name,
            locals
                .chain(stopped)
                .chain(globals)
                .chain(players)
                .chain(fixed),
        )
    }
}
