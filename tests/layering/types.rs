//! The types of the program with their inherent methods, and the calls of these methods.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::paths::{CratePath, crate_paths};
use crate::source::{SourceFile, is_within};
use crate::tokens::{Token, after_angles, after_group, is_closing, is_opening};

/// A type with inherent methods. Two types of the same name differ by where they are defined. Each
/// language that adds methods to a type defined elsewhere counts as a type of its own, since these
/// methods are for its own tokens only.
pub struct Type {
    /// The name, after the language or module if there are several types of this name.
    pub label: String,
    key: TypeKey,
    /// The methods, in order, with the index of their file.
    pub methods: Vec<(&'static str, usize)>,
    /// The methods that it defines for traits, likewise.
    trait_methods: Vec<(&'static str, usize)>,
}

impl Type {
    /// The indexes of the files with methods of this type.
    pub fn files(&self) -> BTreeSet<usize> {
        self.methods.iter().map(|(_, file)| *file).collect()
    }

    fn file_of(&self, method: &str) -> Option<usize> {
        file_of(method, &self.methods)
    }
}

/// The file with a method of this name.
fn file_of(method: &str, methods: &[(&'static str, usize)]) -> Option<usize> {
    let found = methods.iter().find(|(name, _)| *name == method);
    found.map(|(_, file)| *file)
}

/// What identifies a type: its name, the file that defines it, and the language that extends it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct TypeKey {
    name: &'static str,
    defined_in: usize,
    extended_in: Option<String>,
}

/// A call from one file of a type to a method in another.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Call {
    /// Indexes of files.
    pub from: usize,
    pub to: usize,
    /// The method that is called.
    pub method: &'static str,
}

/// An `impl` block, or a trait.
struct Block {
    /// The last name of the type's path; none for a trait and for types that macros insert.
    type_name: Option<&'static str>,
    /// True for `impl Type`, false for `impl Trait for Type` and for a trait.
    is_inherent: bool,
    /// The tokens between the braces.
    body: Range<usize>,
}

/// Names of methods that types of the standard library have as well. A call of one of them counts only
/// if the type of its receiver is known.
const STANDARD_METHODS: &[&str] = &[
    "all",
    "any",
    "append",
    "as_ref",
    "as_str",
    "bytes",
    "chars",
    "clear",
    "clone",
    "collect",
    "contains",
    "count",
    "display",
    "drain",
    "drop",
    "end",
    "entry",
    "extend",
    "filter",
    "find",
    "first",
    "flush",
    "get",
    "get_mut",
    "insert",
    "into_iter",
    "is_empty",
    "is_none",
    "is_some",
    "iter",
    "iter_mut",
    "join",
    "keys",
    "last",
    "len",
    "lines",
    "map",
    "max",
    "merge",
    "min",
    "name",
    "new",
    "next",
    "parse",
    "path",
    "peek",
    "pop",
    "position",
    "push",
    "read",
    "remove",
    "repeat",
    "replace",
    "resize",
    "reverse",
    "rev",
    "send",
    "set",
    "skip",
    "sort",
    "split",
    "splice",
    "start",
    "step",
    "swap",
    "take",
    "then",
    "truncate",
    "update",
    "values",
    "wait",
    "with",
    "write",
    "zip",
];

/// All types of a set of files.
pub struct Types<'f> {
    files: &'f [SourceFile],
    /// The paths that each file names.
    paths: Vec<Vec<CratePath>>,
    pub types: Vec<Type>,
    /// The files that define a struct or enum of each name.
    definitions: BTreeMap<&'static str, Vec<usize>>,
    /// The names of methods of traits.
    trait_methods: BTreeSet<&'static str>,
    /// The types of the fields of each name, as (file, name of the type).
    fields: BTreeMap<&'static str, BTreeSet<(usize, &'static str)>>,
}

impl<'f> Types<'f> {
    pub fn new(files: &'f [SourceFile]) -> Types<'f> {
        let mut types = Types {
            files,
            paths: files
                .iter()
                .map(|file| crate_paths(&file.module, &file.shipped))
                .collect(),
            types: Vec::new(),
            definitions: BTreeMap::new(),
            trait_methods: BTreeSet::new(),
            fields: BTreeMap::new(),
        };
        for file in 0..files.len() {
            types.add_definitions(file);
        }
        for file in 0..files.len() {
            types.add_methods(file);
        }
        for file in 0..files.len() {
            types.add_trait_methods(file);
        }
        types.set_labels();
        types
    }

    fn add_definitions(&mut self, file: usize) {
        let tokens = &self.files[file].shipped;
        for (at, pair) in tokens.windows(2).enumerate() {
            let is_definition = pair[0].is("struct") || pair[0].is("enum");
            if !is_definition || !pair[1].is_word() {
                continue;
            }
            let files = self.definitions.entry(pair[1].text).or_default();
            if !files.contains(&file) {
                files.push(file);
            }
            for (name, type_name) in fields(tokens, at + 2) {
                let types = self.fields.entry(name).or_default();
                types.insert((file, type_name));
            }
        }
    }

    fn add_methods(&mut self, file: usize) {
        let tokens = &self.files[file].shipped;
        for block in blocks(tokens) {
            let names = functions(tokens, block.body.clone());
            if !block.is_inherent {
                self.trait_methods.extend(names);
                continue;
            }
            let name = block.type_name.expect("an inherent block has a type");
            let key = self.key_of_impl(name, file);
            let at = self.types.iter().position(|t| t.key == key);
            let at = at.unwrap_or_else(|| {
                let label = name.to_string();
                let methods = Vec::new();
                self.types.push(Type {
                    label,
                    key,
                    methods,
                    trait_methods: Vec::new(),
                });
                self.types.len() - 1
            });
            let methods = &mut self.types[at].methods;
            methods.extend(names.into_iter().map(|name| (name, file)));
        }
    }

    /// Adds what the types with inherent methods define for traits.
    fn add_trait_methods(&mut self, file: usize) {
        let tokens = &self.files[file].shipped;
        for block in blocks(tokens).into_iter().filter(|b| !b.is_inherent) {
            let names = functions(tokens, block.body.clone());
            let found = block.type_name.map(|name| self.types_named(name, file));
            if let Some(&first) = found.iter().flatten().next() {
                let methods = &mut self.types[first].trait_methods;
                methods.extend(names.into_iter().map(|name| (name, file)));
            }
        }
    }

    fn set_labels(&mut self) {
        let mut names: BTreeMap<&str, usize> = BTreeMap::new();
        for t in &self.types {
            *names.entry(t.key.name).or_default() += 1;
        }
        let label = |key: &TypeKey, parts: usize| {
            let file = &self.files[key.defined_in];
            let language = key.extended_in.clone().or_else(|| language_of(file));
            let module = language.unwrap_or_else(|| {
                let parts = parts.min(file.module.len());
                file.module[..parts].join("::")
            });
            format!("{module}::{}", key.name)
        };
        let keys: Vec<TypeKey> = self.types.iter().map(|t| t.key.clone()).collect();
        let mut labels = Vec::new();
        for key in &keys {
            let is_alone = |parts: usize| {
                let own = label(key, parts);
                keys.iter()
                    .filter(|other| label(other, parts) == own)
                    .count()
                    == 1
            };
            labels.push(match names[key.name] {
                1 => key.name.to_string(),
                _ => label(key, (1..5).find(|n| is_alone(*n)).unwrap_or(5)),
            });
        }
        for (t, label) in self.types.iter_mut().zip(labels) {
            t.label = label;
        }
    }

    /// The type that an `impl` block in a file belongs to.
    fn key_of_impl(&self, name: &'static str, file: usize) -> TypeKey {
        let defined_in = self.defining_file(name, file);
        let path = &self.files[file].path;
        let defined_in =
            defined_in.unwrap_or_else(|| panic!("src/{path}: which `{name}` is meant is unclear"));
        let language = language_of(&self.files[file]);
        let extended_in =
            language.filter(|l| language_of(&self.files[defined_in]).as_ref() != Some(l));
        TypeKey {
            name,
            defined_in,
            extended_in,
        }
    }

    /// The file that defines the type that `name` means in a file: the file itself, the one imported
    /// by name, or else the nearest module. `None` if there is none or if it is unclear.
    fn defining_file(&self, name: &str, file: usize) -> Option<usize> {
        let candidates = self.definitions.get(name)?;
        if candidates.contains(&file) {
            return Some(file);
        }
        let own = &self.files[file];
        let imported = self.paths[file]
            .iter()
            .find(|path| path.last().is_some_and(|last| last == name));
        let near = imported.unwrap_or(&own.module);
        let distance = |candidate: usize| {
            let module = &self.files[candidate].module;
            let shared = module.iter().zip(near).take_while(|(a, b)| a == b).count();
            (std::cmp::Reverse(shared), module.len())
        };
        let best = candidates.iter().map(|c| distance(*c)).min()?;
        let mut nearest = candidates.iter().filter(|c| distance(**c) == best);
        let found = nearest.next().copied();
        found.filter(|_| nearest.next().is_none())
    }

    /// The types with methods that `name` may mean in a file: that of the file's language first.
    fn types_named(&self, name: &str, file: usize) -> Vec<usize> {
        let Some(defined_in) = self.defining_file(name, file) else {
            return Vec::new();
        };
        let language = language_of(&self.files[file]);
        let fits = |key: &TypeKey| {
            let extended_here = key.extended_in.is_none() || key.extended_in == language;
            key.name == name && key.defined_in == defined_in && extended_here
        };
        let mut found: Vec<usize> = (0..self.types.len())
            .filter(|n| fits(&self.types[*n].key))
            .collect();
        found.sort_by_key(|n| self.types[*n].key.extended_in.is_none());
        found
    }

    /// The calls between the files of each type, by index of the type.
    pub fn calls(&self) -> BTreeMap<usize, BTreeSet<Call>> {
        let mut calls: BTreeMap<usize, BTreeSet<Call>> = BTreeMap::new();
        for (called, call) in self.method_calls() {
            if self.types[called].files().contains(&call.from) {
                calls.entry(called).or_default().insert(call);
            }
        }
        calls
    }

    /// The calls of methods in other files, each with the index of the type that has the method. Methods
    /// of traits count where the type defines them; those that the trait itself defines do not.
    pub fn method_calls(&self) -> BTreeSet<(usize, Call)> {
        let mut calls = BTreeSet::new();
        for from in 0..self.files.len() {
            for (types, method) in self.method_uses(from) {
                let file_of = |n: usize| {
                    let t = &self.types[n];
                    let own = t.file_of(method);
                    own.or_else(|| file_of(method, &t.trait_methods))
                };
                let found = types.iter().find_map(|n| Some((*n, file_of(*n)?)));
                if let Some((called, to)) = found.filter(|(_, to)| *to != from) {
                    calls.insert((called, Call { from, to, method }));
                }
            }
        }
        calls
    }

    /// All uses of methods in a file: the types that the method may belong to, and its name.
    fn method_uses(&self, file: usize) -> Vec<(Vec<usize>, &'static str)> {
        let tokens = &self.files[file].shipped;
        let blocks = blocks(tokens);
        let mut variables = Variables::default();
        let mut uses = Vec::new();
        for at in 0..tokens.len() {
            let self_type = blocks
                .iter()
                .filter(|block| block.body.contains(&at))
                .find_map(|block| block.type_name);
            variables.read(tokens, at);
            let Some(name) = tokens.get(at + 1).filter(|t| t.is_word()) else {
                continue;
            };
            if tokens[at].is(".") && is_call(tokens, at + 2) {
                let receiver = self.receiver(tokens, at, file, self_type, &variables);
                let types = match receiver {
                    Receiver::Known(types) => types,
                    Receiver::Unknown => self.only_owner(name.text, file),
                };
                uses.push((types, name.text));
            } else if tokens[at].is("::") && at > 0 && tokens[at - 1].is_word() {
                // `Type::method` or `Self::method`, called or passed as a value.
                let type_name = match tokens[at - 1].text {
                    "Self" => self_type,
                    name => Some(name),
                };
                let types = type_name.map(|name| self.types_named(name, file));
                uses.extend(types.map(|types| (types, name.text)));
            }
        }
        uses
    }

    /// The type with a method of this name, if there is just one that a file can use: languages do not
    /// use each other.
    fn only_owner(&self, method: &str, file: usize) -> Vec<usize> {
        if self.trait_methods.contains(method) || STANDARD_METHODS.contains(&method) {
            return Vec::new();
        }
        let language = language_of(&self.files[file]);
        let is_usable = |key: &TypeKey| {
            let defined = language_of(&self.files[key.defined_in]);
            let of = key.extended_in.clone().or(defined);
            language.is_none() || of.is_none() || of == language
        };
        let has = |n: &usize| {
            let t = &self.types[*n];
            t.file_of(method).is_some() && is_usable(&t.key)
        };
        let owners: Vec<usize> = (0..self.types.len()).filter(has).collect();
        match owners.len() {
            1 => owners,
            _ => Vec::new(),
        }
    }

    /// What the method call at the dot `at` is called on.
    fn receiver(
        &self,
        tokens: &[Token<'static>],
        at: usize,
        file: usize,
        self_type: Option<&'static str>,
        variables: &Variables,
    ) -> Receiver {
        let Some(name) = at.checked_sub(1).map(|n| tokens[n]).filter(|t| t.is_word()) else {
            return Receiver::Unknown;
        };
        let is_field = at >= 2 && tokens[at - 2].is(".");
        if !is_field {
            let type_name = match name.text {
                "self" => self_type,
                name => variables.types.get(name).copied(),
            };
            let type_name = match type_name {
                Some("Self") => self_type,
                other => other,
            };
            return match type_name {
                Some(type_name) => Receiver::Known(self.types_named(type_name, file)),
                None => Receiver::Unknown,
            };
        }
        let is_own = at >= 3 && tokens[at - 3].is("self");
        self.field(name.text, file, self_type.filter(|_| is_own))
    }

    /// A value in a field of this name: of the type `owner`, if it is given and has one; else known if
    /// all fields of this name have the same type, in the language of the file or, if there are none,
    /// anywhere.
    fn field(&self, name: &str, file: usize, owner: Option<&str>) -> Receiver {
        let Some(fields) = self.fields.get(name) else {
            return Receiver::Unknown;
        };
        let owner_file = owner.and_then(|owner| self.defining_file(owner, file));
        let language = language_of(&self.files[file]);
        let levels: [&dyn Fn(usize) -> bool; 3] = [
            &|other| Some(other) == owner_file,
            &|other| language_of(&self.files[other]) == language,
            &|_| true,
        ];
        let at_level = |level: &&dyn Fn(usize) -> bool| {
            let fields = fields.iter().filter(|(other, _)| level(*other));
            let types = fields.map(|(file, name)| self.types_named(name, *file));
            types.collect::<BTreeSet<Vec<usize>>>()
        };
        let types = levels.iter().map(at_level).find(|types| !types.is_empty());
        let types: Vec<_> = types.into_iter().flatten().collect();
        match types.len() {
            1 => Receiver::Known(types.into_iter().next().expect("one element")),
            _ => Receiver::Unknown,
        }
    }
}

/// What a method is called on.
enum Receiver {
    /// A value of a known type; empty if that type has no methods in these files.
    Known(Vec<usize>),
    Unknown,
}

/// The variables of the function that is being read, with the names of their types as far as they are
/// written out.
#[derive(Default)]
struct Variables {
    types: BTreeMap<&'static str, &'static str>,
}

impl Variables {
    /// Reads what the token at `at` declares.
    fn read(&mut self, tokens: &[Token<'static>], at: usize) {
        let token = |n: usize| tokens.get(at + n);
        let is = |n: usize, text: &str| token(n).is_some_and(|t| t.is(text));
        if is(0, "fn") {
            self.types.clear();
        } else if is(0, "let") || is(0, "for") {
            // A new variable, whose type may be seen at its start.
            let name_at = if is(1, "mut") { 2 } else { 1 };
            let Some(name) = token(name_at).filter(|t| t.is_word()) else {
                return;
            };
            self.types.remove(name.text);
            if is(name_at + 1, "=") {
                let made = constructed_type(tokens, at + name_at + 2);
                self.types.extend(made.map(|t| (name.text, t)));
            }
        } else if is(0, "|") && token(1).is_some_and(Token::is_word) && (is(2, "|") || is(2, ",")) {
            self.types.remove(tokens[at + 1].text);
        } else if is(1, ":") && tokens[at].is_word() {
            let head = head_type(tokens, at + 2).filter(|t| is_type_name(t));
            self.types.extend(head.map(|t| (tokens[at].text, t)));
        }
    }
}

/// The type of `Type { … }` or `Type::new(…)`.
fn constructed_type(tokens: &[Token<'static>], at: usize) -> Option<&'static str> {
    let name = tokens
        .get(at)
        .filter(|t| t.is_word() && is_type_name(t.text))?;
    let is = |n: usize, text: &str| tokens.get(at + n).is_some_and(|t| t.is(text));
    let is_made = is(1, "{") || is(1, "::") && is(2, "new") && is(3, "(");
    is_made.then_some(name.text)
}

fn is_type_name(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

/// Smart pointers, whose methods are those of what they point to.
const POINTERS: &[&str] = &["Box", "Rc", "Arc"];

/// The name of the type written at `at`, without references and smart pointers.
fn head_type(tokens: &[Token<'static>], mut at: usize) -> Option<&'static str> {
    let mut name = None;
    while let Some(token) = tokens.get(at) {
        let is_skipped = token.is("&") || token.is("mut") || token.is("dyn") || token.is("::");
        if is_skipped || token.kind == crate::tokens::Kind::Lifetime {
            at += 1;
        } else if token.is_word() && POINTERS.contains(&token.text) {
            // The box and its bracket.
            at += 2;
        } else if token.is_word() {
            name = Some(token.text);
            at += 1;
            if !tokens.get(at).is_some_and(|t| t.is("::")) {
                break;
            }
        } else {
            break;
        }
    }
    name
}

/// True if the arguments of a call start at `at`, maybe after type arguments.
fn is_call(tokens: &[Token], at: usize) -> bool {
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|t| t.is(text));
    if is(at, "::") && is(at + 1, "<") {
        return is(after_angles(tokens, at + 1), "(");
    }
    is(at, "(")
}

/// The language whose folder a file is in.
fn language_of(file: &SourceFile) -> Option<String> {
    let is_language = is_within(&file.module, "languages") && file.module.len() > 1;
    is_language.then(|| file.module[1].clone())
}

/// The fields of a struct with the names of their types; `at` is the index after its name.
fn fields(tokens: &[Token<'static>], mut at: usize) -> Vec<(&'static str, &'static str)> {
    if tokens.get(at).is_some_and(|t| t.is("<")) {
        at = after_angles(tokens, at);
    }
    while tokens
        .get(at)
        .is_some_and(|t| !t.is("{") && !t.is("(") && !t.is(";"))
    {
        at += 1;
    }
    if !tokens.get(at).is_some_and(|t| t.is("{")) {
        return Vec::new();
    }
    let end = after_group(tokens, at);
    let is_field = |n: &usize| tokens[*n].is_word() && tokens[*n + 1].is(":");
    let names = (at + 1..end.saturating_sub(2)).filter(is_field);
    names
        .filter_map(|n| Some((tokens[n].text, head_type(tokens, n + 2)?)))
        .collect()
}

/// The `impl` blocks and traits of a file.
fn blocks(tokens: &[Token<'static>]) -> Vec<Block> {
    let mut blocks = Vec::new();
    for at in 0..tokens.len() {
        // In `-> impl Trait` and `f: impl Trait`, something else is before it.
        let starts_item = at == 0
            || ["}", ";", "]", "{", "unsafe", "pub", ")"]
                .iter()
                .any(|t| tokens[at - 1].is(t));
        if starts_item && (tokens[at].is("impl") || tokens[at].is("trait")) {
            blocks.extend(read_block(tokens, at));
        }
    }
    blocks
}

/// The block whose `impl` or `trait` is at `start`.
fn read_block(tokens: &[Token<'static>], start: usize) -> Option<Block> {
    let mut at = start + 1;
    if tokens.get(at)?.is("<") {
        at = after_angles(tokens, at);
    }
    let mut name = None;
    let mut is_trait = tokens[start].is("trait");
    let mut is_in_where = false;
    loop {
        let token = tokens.get(at)?;
        if token.is("{") {
            break;
        }
        if token.is(";") {
            return None;
        }
        if token.is("<") {
            at = after_angles(tokens, at);
            continue;
        }
        if is_opening(token) {
            at = after_group(tokens, at);
            continue;
        }
        let is_higher_ranked = tokens.get(at + 1).is_some_and(|t| t.is("<"));
        if token.is("where") {
            is_in_where = true;
        } else if token.is("for") && !is_higher_ranked {
            is_trait = true;
            name = None;
        } else if token.is_word() && !is_in_where && !token.is("dyn") && !token.is("mut") {
            let is_inserted = tokens[at - 1].is("$");
            name = (!is_inserted).then_some(token.text);
        }
        at += 1;
    }
    let type_name = name.filter(|_| tokens[start].is("impl"));
    Some(Block {
        type_name,
        is_inherent: !is_trait && type_name.is_some(),
        body: at + 1..after_group(tokens, at) - 1,
    })
}

/// The names of the functions directly in a block.
fn functions(tokens: &[Token<'static>], body: Range<usize>) -> Vec<&'static str> {
    let mut names = Vec::new();
    let mut depth = 0;
    for at in body {
        let token = &tokens[at];
        if is_opening(token) {
            depth += 1;
        } else if is_closing(token) {
            depth -= 1;
        } else if depth == 0 && token.is("fn") {
            // In a type such as `fn(A) -> B`, a bracket follows.
            names.extend(tokens.get(at + 1).filter(|t| t.is_word()).map(|t| t.text));
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(texts: &[(&str, &str)]) -> Vec<SourceFile> {
        let file = |(path, text): &(&str, &str)| SourceFile::new(path, text);
        texts.iter().map(file).collect()
    }

    /// Each type with the number of its methods.
    fn counts(texts: &[(&str, &str)]) -> Vec<(String, usize)> {
        let files = files(texts);
        let types = Types::new(&files).types;
        types
            .into_iter()
            .map(|t| (t.label, t.methods.len()))
            .collect()
    }

    /// The calls of all types, as `from to method`.
    fn calls(texts: &[(&str, &str)]) -> Vec<String> {
        let files = files(texts);
        let calls = Types::new(&files).calls();
        let show = |c: &Call| {
            format!(
                "{} {} {}",
                files[c.from].stem(),
                files[c.to].stem(),
                c.method
            )
        };
        calls.values().flatten().map(show).collect()
    }

    #[test]
    fn methods_of_every_form_are_counted() {
        let text = "struct A<'a>(&'a u8);\nimpl<'a, T: Fn() -> B<C>> m::A<'a> where T: D {\n\
                    pub const fn a() {}\nunsafe fn b() {}\npub(in crate::x) fn c() {\nfn inner() {}\n}\n\
                    pub(crate) async fn d(f: fn(u8)) {}\n#[cfg(test)]\nfn e() {}\nfn f() {} }\n";
        assert_eq!(counts(&[("a.rs", text)]), [("A".to_string(), 5)]);
    }

    #[test]
    fn traits_and_tests_are_not_counted() {
        let text = "struct A; impl B for A { fn a() {} } trait B { fn a(); fn b() {} }\n\
                    fn f(x: impl B) -> impl B { x }\nimpl<T> dyn_::C<T> for A {}\n\
                    #[cfg(test)]\nmod tests { struct D; impl D { fn d() {} } }";
        assert!(counts(&[("a.rs", text)]).is_empty());
    }

    #[test]
    fn types_of_the_same_name_differ() {
        let found = counts(&[
            ("languages/x/check.rs", "pub struct C; impl C { fn a() {} }"),
            (
                "languages/x/check/e.rs",
                "use super::C; impl C { fn b() {} }",
            ),
            ("languages/y/check.rs", "pub struct C; impl C { fn a() {} }"),
            ("value.rs", "pub struct S; impl S { fn a() {} }"),
            ("languages/y/s.rs", "impl crate::value::S { fn b() {} }"),
        ]);
        let expected = [("x::C", 2), ("y::C", 1), ("value::S", 1), ("y::S", 1)];
        assert_eq!(found, expected.map(|(label, n)| (label.to_string(), n)));
    }

    #[test]
    fn languages_do_not_see_each_others_types() {
        let language = |name: &str| {
            let check = "struct C { e: E } impl C { fn a(&self) { self.e.m(); x.n(); } }";
            let env = "pub struct E; impl E { fn m(&self) {} fn n(&self) {} }";
            let path = |file| format!("languages/{name}/{file}.rs");
            [(path("check"), check), (path("env"), env)]
        };
        let texts: Vec<_> = ["x", "y"].into_iter().flat_map(language).collect();
        let texts = texts.iter().map(|(path, text)| (path.as_str(), *text));
        let files = files(&texts.collect::<Vec<_>>());
        let types = Types::new(&files);
        assert_eq!(types.method_calls().len(), 4);
    }

    #[test]
    fn an_imported_type_is_the_one_of_its_path() {
        let found = counts(&[
            ("a/x.rs", "pub struct T; impl T { fn a() {} }"),
            ("b/x.rs", "pub struct T;"),
            ("b/y.rs", "use crate::a::x::T; impl T { fn b() {} }"),
        ]);
        assert_eq!(found, [("T".to_string(), 2)]);
    }

    #[test]
    fn calls_on_any_receiver_are_found() {
        let b = (
            "b.rs",
            "impl T { pub fn b1(&self) {} fn b2(&self) {} fn push(&self) {} }",
        );
        let call = |body: &str| {
            let a = format!(
                "struct T; struct U {{ inner: Box<T> }} impl T {{ fn a(&self) {{ {body} }} }}"
            );
            calls(&[("a.rs", &a), b])
        };
        assert_eq!(call("self.b1()"), ["a b b1"]);
        assert_eq!(call("self\n    .b1::<u8>()"), ["a b b1"]);
        assert_eq!(call("u.inner.push(1)"), ["a b push"]);
        assert_eq!(call("|x: &mut T| x.push(1)"), ["a b push"]);
        assert_eq!(call("let x = T::new(); x.push(1)"), ["a b push"]);
        assert_eq!(call("T::b1(x); list.map(Self::b2)"), ["a b b1", "a b b2"]);
        assert_eq!(call("make().b1()"), ["a b b1"]);
        // Unknown receivers of a common name, other types, strings.
        assert_eq!(call("list.push(1); U::b1(x); \"self.b1()\";"), [""; 0]);
        assert_eq!(call("let u: U = x; u.b1();"), [""; 0]);
    }

    #[test]
    fn methods_of_traits_count_where_a_type_defines_them() {
        let a = (
            "a.rs",
            "struct T; impl T { fn a(&self) { self.b(); self.c(); } }",
        );
        let b = (
            "b.rs",
            "impl T { fn d(&self) {} } impl R for T { fn b(&self) {} }",
        );
        let r = ("r.rs", "trait R { fn b(&self); fn c(&self) { self.b() } }");
        assert_eq!(calls(&[a, b, r]), ["a b b"]);
    }

    #[test]
    fn a_name_of_two_types_counts_only_on_a_known_receiver() {
        let other = ("c.rs", "struct O; impl O { fn b(&self) {} }");
        let b = ("b.rs", "impl T { fn b(&self) {} }");
        let a = ("a.rs", "struct T; impl T { fn a(&self) { make().b(); } }");
        assert!(calls(&[a, b, other]).is_empty());
        let a = ("a.rs", "struct T; impl T { fn a(&self) { self.b(); } }");
        assert_eq!(calls(&[a, b, other]), ["a b b"]);
    }
}
