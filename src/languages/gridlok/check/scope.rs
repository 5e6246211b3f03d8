//! What names mean where the checker is.

use std::rc::Rc;

use super::BodyKind;
use super::usage::Usage;
use crate::ast::{Expr, Name};
use crate::check::builtin::{self, BUILTINS, Builtin, PREDEFINED, Predefined};
use crate::check::env::{Env, Signature};
use crate::check::typing::{self, Type};
use crate::diagnostic::closest_match;
use crate::source::Span;
use crate::token::ITEM_KEYWORDS;

/// Everything that a name can refer to, and which names were used.
pub struct NameScope {
    /// The definitions that are visible.
    pub env: Rc<Env>,
    pub body_kind: BodyKind,
    /// The variable that the current condition sets: `win`, `lose` or `draw`.
    pub ending: Option<&'static str>,
    pub usage: Usage,
    /// The variables of the blocks around the current statement, innermost last.
    blocks: Vec<Vec<Local>>,
    /// The variables that were defined in blocks of this body that have ended, the latest last.
    ended: Vec<Name>,
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

impl NameScope {
    /// The scope outside all bodies.
    pub fn new(env: Rc<Env>) -> NameScope {
        NameScope {
            env,
            body_kind: BodyKind::TopLevel,
            ending: None,
            usage: Usage::default(),
            blocks: Vec::new(),
            ended: Vec::new(),
        }
    }

    pub fn resolve(&self, name: &str) -> Referent {
        let mut locals = self.blocks.iter().flatten().rev();
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
        self.body_kind == BodyKind::Setup && self.env.is_player(name)
    }

    pub fn variable_type(&self, name: &str) -> Option<Type> {
        match self.resolve(name) {
            Referent::Variable(ty) => ty,
            Referent::Predefined(predefined) => Some(predefined.ty),
            _ => None,
        }
    }

    pub fn type_of(&self, expr: &Expr) -> Option<Type> {
        typing::type_of_expr(expr, &|name| self.variable_type(name))
    }

    /// Records that a variable was read or a function called.
    pub fn mark_read(&mut self, name: &str) {
        let mut locals = self.blocks.iter_mut().flatten().rev();
        match locals.find(|local| *local.name.text == *name) {
            Some(local) => local.read = true,
            None => self.usage.mark_read(name),
        }
    }

    pub fn push_block(&mut self) {
        self.blocks.push(Vec::new());
    }

    /// The variable of this name whose block has ended before the current statement.
    pub fn ended_local(&self, name: &str) -> Option<&Name> {
        let mut ended = self.ended.iter().rev();
        ended.find(|local| *local.text == *name)
    }

    /// Leaves a block. Returns its variables that were defined but never read.
    pub fn pop_block(&mut self) -> Vec<Name> {
        let locals = self.blocks.pop().unwrap_or_default();
        match self.blocks.is_empty() && self.body_kind != BodyKind::TopLevel {
            true => self.ended.clear(),
            false => {
                let defs = locals.iter().filter(|local| local.binding == Binding::Def);
                self.ended.extend(defs.map(|local| local.name.clone()));
            }
        }
        let locals = locals.into_iter();
        let unused = locals.filter(|local| local.binding == Binding::Def && !local.read);
        unused.map(|local| local.name).collect()
    }

    /// Adds a variable to the innermost block. Returns the first one of the same name in it.
    pub fn add_local(&mut self, name: &Name, ty: Option<Type>, binding: Binding) -> Option<Span> {
        let block = self.blocks.last_mut()?;
        let mut locals = block.iter();
        let first = locals.find(|local| local.name.text == name.text);
        let first = first.map(|local| local.name.span);
        block.push(Local {
            name: name.clone(),
            ty,
            binding,
            read: false,
        });
        first
    }

    /// A name that may be meant instead of an unknown one.
    pub fn suggestion(&self, name: &str) -> Option<&str> {
        let env = &self.env;
        let locals = self.blocks.iter().flatten();
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
