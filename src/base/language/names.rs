//! Who uses which name: where the names of a program are defined, and every place that refers to
//! them.

use crate::source::{Source, Span, work};
use std::collections::HashMap;
use std::sync::Arc;

/// A name in a syntax tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// As it is compared; a language may have converted it to lower case.
    pub text: Arc<str>,
    /// Where it is written.
    pub span: Span,
}

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum NameKind {
    /// A variable of the whole program, or a value in BoGL.
    Variable,
    /// A function.
    Function,
    /// A parameter of a function or handler.
    Parameter,
    /// A variable of a function, handler, block or loop.
    Local,
    /// A kind of piece, item or sprite, or an entity.
    Piece,
    /// A field of pieces or players, by its name alone: kinds of pieces may share it.
    Field,
    /// A type.
    Type,
    /// A symbol of a type.
    Symbol,
}

impl NameKind {
    /// As it is called in messages.
    pub fn as_str(self) -> &'static str {
        match self {
            NameKind::Variable => "variable",
            NameKind::Function => "function",
            NameKind::Parameter => "parameter",
            NameKind::Local => "local variable",
            NameKind::Piece => "piece",
            NameKind::Field => "field",
            NameKind::Type => "type",
            NameKind::Symbol => "symbol",
        }
    }
}

/// A name and the places where it stands.
#[derive(Clone, PartialEq, Debug)]
pub struct NameEntry {
    /// The name, as it is compared.
    pub name: String,
    /// What it stands for.
    pub kind: NameKind,
    /// Where it is defined; several times if equations or declarations repeat it.
    pub definitions: Vec<Span>,
    /// Where it is used.
    pub uses: Vec<Span>,
}

impl NameEntry {
    /// All places where the name stands, in source order.
    pub fn spans(&self) -> Vec<Span> {
        let mut spans: Vec<Span> = self.definitions.iter().chain(&self.uses).copied().collect();
        spans.sort_by_key(|span| span.start);
        spans.dedup();
        spans
    }
}

/// Names that do not hide each other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Namespace {
    /// Variables, parameters and, where a call looks like a variable, functions.
    Values,
    /// Functions, where they are separate.
    Functions,
    /// Kinds of pieces.
    Pieces,
    /// Fields.
    Fields,
    /// Types.
    Types,
    /// Symbols.
    Symbols,
}

/// Collects the names of a program, while a checker resolves them. Names of the whole program are
/// defined first, then the code is visited, with a scope for each block. Without a source, as the
/// default is, nothing is collected.
#[derive(Default)]
pub struct Names<'s> {
    source: Option<&'s Source>,
    entries: Vec<NameEntry>,
    /// The outermost scope first. Values are indexes of entries.
    scopes: Vec<HashMap<(Namespace, String), usize>>,
}

impl<'s> Names<'s> {
    /// Without names.
    pub fn new(source: &'s Source) -> Names<'s> {
        Names {
            source: Some(source),
            entries: Vec::new(),
            scopes: vec![HashMap::new()],
        }
    }

    /// Defines a name in the innermost scope. A name that the scope has already gets one more place.
    pub fn define(&mut self, space: Namespace, kind: NameKind, name: &str, span: Span) {
        let Some(span) = self.place(name, span) else {
            return;
        };
        let scope = self.scopes.last_mut();
        let Some(index) = scope.map(|scope| {
            *scope
                .entry((space, name.to_string()))
                .or_insert(self.entries.len())
        }) else {
            return;
        };
        match self.entries.get_mut(index) {
            Some(entry) => entry.definitions.push(span),
            None => self.entries.push(NameEntry {
                name: name.to_string(),
                kind,
                definitions: vec![span],
                uses: Vec::new(),
            }),
        }
    }

    /// Records a use. Returns false if there is no such name: it is built in.
    pub fn refer(&mut self, space: Namespace, name: &str, span: Span) -> bool {
        let Some(span) = self.place(name, span) else {
            return false;
        };
        let key = (space, name.to_string());
        let index = self.scopes.iter().rev().find_map(|scope| scope.get(&key));
        let Some(&index) = index else {
            return false;
        };
        self.entries[index].uses.push(span);
        true
    }

    /// Records a use in the first of these namespaces that has the name.
    pub fn refer_to_any(&mut self, spaces: &[Namespace], name: &str, span: Span) {
        spaces.iter().any(|space| self.refer(*space, name, span));
    }

    /// Enters a block, whose names are not visible outside.
    pub fn enter(&mut self) {
        self.scopes.push(HashMap::new());
    }

    /// Leaves a block.
    pub fn leave(&mut self) {
        self.scopes.pop();
    }

    /// Leaves all blocks.
    pub fn leave_all(&mut self) {
        self.scopes.truncate(1);
    }

    /// Collects the names of a block.
    pub fn block(&mut self, walk: impl FnOnce(&mut Self)) {
        self.enter();
        walk(self);
        self.leave();
    }

    /// The place of the name alone: the span of an expression includes the parentheses around it, that
    /// of a string its quotes.
    fn place(&self, name: &str, span: Span) -> Option<Span> {
        work::poll();
        let range = span.start as usize..span.end as usize;
        let text = self.source?.text.get(range)?.to_ascii_lowercase();
        let start = span.start as usize + text.rfind(&name.to_ascii_lowercase())?;
        Some(Span::new(span.source, start, start + name.len()))
    }

    /// The names, in the order of their first places.
    pub fn into_entries(self) -> Vec<NameEntry> {
        let mut entries = self.entries;
        for entry in &mut entries {
            // A checker may resolve a name more than once.
            for spans in [&mut entry.definitions, &mut entry.uses] {
                spans.sort_by_key(|span| span.start);
                spans.dedup();
            }
        }
        entries.sort_by_key(|entry| entry.spans().first().map(|span| span.start));
        entries
    }
}
