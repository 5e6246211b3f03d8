//! Calls from one file to another: of methods of any type, and of functions that a file imports or names
//! by their path.

use std::collections::BTreeSet;

use crate::paths::{CratePath, add_paths, crate_paths};
use crate::source::SourceFile;
use crate::tokens::{Token, is_closing, is_opening};
use crate::types::{Call, Types};

/// All calls between different files.
pub fn calls_between(files: &[SourceFile]) -> BTreeSet<Call> {
    let methods = Types::new(files).method_calls();
    let mut calls: BTreeSet<Call> = methods.into_iter().map(|(_, call)| call).collect();
    calls.extend(function_calls(files));
    calls
}

/// The uses of functions that are not methods. Importing one counts as calling it; exporting the function
/// of another file does not.
fn function_calls(files: &[SourceFile]) -> Vec<Call> {
    let functions: Vec<BTreeSet<&'static str>> =
        files.iter().map(|f| functions(&f.shipped)).collect();
    let mut calls = Vec::new();
    for (from, file) in files.iter().enumerate() {
        let tokens = without_exports(&file.shipped);
        let mut paths = crate_paths(&file.module, &tokens);
        paths.extend(paths_from_modules(&file.module, &tokens, files));
        for path in paths {
            let found = find_function(&path, files, &functions);
            let found = found.filter(|(to, _)| *to != from);
            calls.extend(found.map(|(to, method)| Call { from, to, method }));
        }
    }
    calls
}

/// The file and name of the function that a path means. If the module of the path does not define it,
/// the path may be that of an export: then it is the only one of this name below the module.
fn find_function(
    path: &[String],
    files: &[SourceFile],
    functions: &[BTreeSet<&'static str>],
) -> Option<(usize, &'static str)> {
    let (name, module) = path.split_last()?;
    let defines = |file: &usize| functions[*file].contains(name.as_str());
    let candidates = (0..files.len()).filter(defines);
    let direct = candidates
        .clone()
        .find(|file| files[*file].module == module);
    let below = || {
        let mut below = candidates.filter(|file| files[*file].module.starts_with(module));
        let found = below.next()?;
        below.next().is_none().then_some(found)
    };
    let file = direct.or_else(below)?;
    Some((file, functions[file].get(name.as_str())?))
}

/// The names of the functions outside all blocks.
fn functions(tokens: &[Token<'static>]) -> BTreeSet<&'static str> {
    let mut names = BTreeSet::new();
    let mut depth = 0;
    for pair in tokens.windows(2) {
        if is_opening(&pair[0]) {
            depth += 1;
        } else if is_closing(&pair[0]) {
            depth -= 1;
        } else if depth == 0 && pair[0].is("fn") && pair[1].is_word() {
            names.insert(pair[1].text);
        }
    }
    names
}

/// The tokens without `pub use …;`.
fn without_exports(tokens: &[Token<'static>]) -> Vec<Token<'static>> {
    let mut kept: Vec<Token<'static>> = Vec::new();
    let mut is_export = false;
    for (at, token) in tokens.iter().enumerate() {
        let is_public = at > 0 && (tokens[at - 1].is("pub") || tokens[at - 1].is(")"));
        is_export |= token.is("use") && is_public;
        if !is_export {
            kept.push(*token);
        }
        is_export &= !token.is(";");
    }
    kept
}

/// Paths that start with the name of a module: a child, as in `use child::{a, b};`, or an imported one, as
/// in `module::function()`.
fn paths_from_modules(
    module: &[String],
    tokens: &[Token<'static>],
    files: &[SourceFile],
) -> Vec<CratePath> {
    let imports = crate_paths(module, tokens);
    let module_named = |name: &str| {
        let child: CratePath = module.iter().cloned().chain([name.to_string()]).collect();
        let mut candidates = imports
            .iter()
            .filter(|path| path.last().is_some_and(|last| last == name))
            .chain([&child]);
        candidates
            .find(|path| files.iter().any(|f| f.module == **path))
            .cloned()
    };
    let mut paths = Vec::new();
    for at in 0..tokens.len().saturating_sub(2) {
        let is_start = at == 0 || !tokens[at - 1].is("::");
        if !is_start || !tokens[at].is_word() || !tokens[at + 1].is("::") {
            continue;
        }
        if let Some(base) = module_named(tokens[at].text) {
            add_paths(tokens, at + 2, &base, &mut paths);
        }
    }
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(texts: &[(&str, &str)]) -> Vec<String> {
        let file = |(path, text): &(&str, &str)| SourceFile::new(path, text);
        let files: Vec<SourceFile> = texts.iter().map(file).collect();
        let show = |c: &Call| {
            let (from, to) = (&files[c.from], &files[c.to]);
            format!("{} {} {}", from.stem(), to.stem(), c.method)
        };
        calls_between(&files).iter().map(show).collect()
    }

    #[test]
    fn functions_are_found_by_every_form_of_path() {
        let b = ("a/b.rs", "pub fn f() {} pub fn g() {} struct S;");
        let from_parent = |text: &str| calls(&[("a.rs", text), b]);
        assert_eq!(from_parent("use b::f;"), ["a b f"]);
        assert_eq!(from_parent("use b::{S, g};"), ["a b g"]);
        assert_eq!(from_parent("fn h() { b::f() }"), ["a b f"]);
        assert_eq!(from_parent("pub use b::f; pub(super) use b::g;"), [""; 0]);
        let from_sibling = |text: &str| calls(&[("a.rs", "pub use b::g;"), b, ("a/c.rs", text)]);
        assert_eq!(from_sibling("use super::b::f;"), ["c b f"]);
        assert_eq!(
            from_sibling("use crate::a::b; fn h() { b::g() }"),
            ["c b g"]
        );
        // Through an export of the parent.
        assert_eq!(from_sibling("use super::g;"), ["c b g"]);
        assert_eq!(from_sibling("use super::b::S;"), [""; 0]);
    }

    #[test]
    fn methods_of_other_types_are_found() {
        let a = (
            "a.rs",
            "struct A { b: B } impl A { fn f(&self) { self.b.g(); } }",
        );
        let b = ("b.rs", "pub struct B; impl B { fn g(&self) {} }");
        assert_eq!(calls(&[a, b]), ["a b g"]);
    }
}
