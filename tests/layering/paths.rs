//! The paths below the root of the program that a text names, in `use` declarations and elsewhere.

use crate::tokens::{Token, after_group};

/// A path from the root of the whole program, such as `["value", "Value", "new"]`.
pub type CratePath = Vec<String>;

/// What crates have at their root besides their own modules: the modules of the crates below them.
const RE_EXPORTED: &[&str] = &[
    "analysis",
    "answer",
    "code",
    "debugger",
    "diagnostic",
    "host",
    "language",
    "machine",
    "source",
    "text",
    "value",
];

/// The module that is the root of the crate that a module belongs to.
fn crate_root(module: &[String]) -> &[String] {
    match module.first().map(String::as_str) {
        Some("answer" | "debugger" | "analysis" | "explorer") => &module[..1],
        Some("languages") => &module[..module.len().min(2)],
        _ => &[],
    }
}

/// The module that a crate of this repository is at the root of the whole program.
fn module_of_crate(name: &str) -> Option<CratePath> {
    match name.strip_prefix("gridbug_")? {
        "base" => Some(Vec::new()),
        own @ ("answer" | "debugger" | "analysis" | "explorer") => Some(vec![own.into()]),
        language => Some(vec!["languages".into(), language.into()]),
    }
}

/// All paths that start at `crate`, or that reach the crate root with `super`. `module` is the module
/// of the text.
pub fn crate_paths(module: &[String], tokens: &[Token]) -> Vec<CratePath> {
    let mut paths = Vec::new();
    // The index at which each inline module around the current token ends.
    let mut inline_modules: Vec<usize> = Vec::new();
    for at in 0..tokens.len() {
        inline_modules.retain(|end| *end > at);
        if is_inline_module(&tokens[at..]) {
            inline_modules.push(after_group(tokens, at + 2));
        }
        let is_start = at == 0 || !tokens[at - 1].is("::");
        if !is_start {
            continue;
        }
        let depth = module.len() + inline_modules.len();
        if let Some(start) = after_root(tokens, at, module, depth) {
            let (base, next) = start;
            add_paths(tokens, next, &base, &mut paths);
        }
    }
    paths
}

/// `mod name {`.
fn is_inline_module(tokens: &[Token]) -> bool {
    tokens.len() > 2 && tokens[0].is("mod") && tokens[1].is_word() && tokens[2].is("{")
}

/// If a path starts here at `crate` or at `super`: the module that it starts in and the index of what
/// follows the `::`. `depth` is the number of modules around it.
fn after_root(
    tokens: &[Token],
    at: usize,
    module: &[String],
    depth: usize,
) -> Option<(CratePath, usize)> {
    let is_followed = |n: usize| tokens.get(n + 1).is_some_and(|t| t.is("::"));
    if tokens[at].is("crate") && is_followed(at) {
        let root = crate_root(module);
        let next = tokens.get(at + 2).map_or("", |token| token.text);
        // The modules of `answer` have the names of modules below it, which it does not re-export.
        let is_own = root == ["answer"] || !RE_EXPORTED.contains(&next);
        let base = if is_own { root.to_vec() } else { Vec::new() };
        return Some((base, at + 2));
    }
    if let Some(base) = module_of_crate(tokens[at].text).filter(|_| is_followed(at)) {
        return Some((base, at + 2));
    }
    let mut next = at;
    let mut ups = 0;
    while tokens.get(next).is_some_and(|t| t.is("super")) && is_followed(next) {
        ups += 1;
        next += 2;
    }
    // Names of inline modules are not needed: a path that stays in its file uses no other module.
    let remaining = depth.checked_sub(ups)?;
    (ups > 0 && remaining <= module.len()).then(|| (module[..remaining].to_vec(), next))
}

/// Adds the paths of a `use` tree or of a single path. Returns the index after it.
pub fn add_paths(
    tokens: &[Token],
    at: usize,
    base: &[String],
    paths: &mut Vec<CratePath>,
) -> usize {
    let Some(token) = tokens.get(at) else {
        return at;
    };
    if token.is("{") {
        let end = after_group(tokens, at);
        let mut next = at + 1;
        while next + 1 < end {
            next = add_paths(tokens, next, base, paths);
            // To the next comma of this list.
            while next + 1 < end && !tokens[next].is(",") {
                next += 1;
            }
            next += 1;
        }
        return end;
    }
    if !token.is_word() {
        paths.push(base.to_vec());
        return at + 1;
    }
    let mut path = base.to_vec();
    path.push(token.text.to_string());
    let continues = tokens.get(at + 1).is_some_and(|t| t.is("::"))
        && tokens
            .get(at + 2)
            .is_some_and(|t| t.is_word() || t.is("{") || t.is("*"));
    if continues {
        return add_paths(tokens, at + 2, &path, paths);
    }
    paths.push(path);
    at + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::tokenize;

    fn paths(module: &str, text: &str) -> Vec<String> {
        let module: Vec<String> = module.split("::").map(str::to_string).collect();
        let paths = crate_paths(&module, &tokenize(text));
        paths.iter().map(|path| path.join("::")).collect()
    }

    #[test]
    fn lists_are_followed() {
        let text = "use crate::{a::b, c::{d, e::*}, f as g}; crate::h::I::new::<J>()";
        assert_eq!(paths("m", text), ["a::b", "c::d", "c::e", "f", "h::I::new"]);
    }

    #[test]
    fn strings_and_longer_words_are_not_paths() {
        assert_eq!(paths("m", "\"crate::a\" my_crate::b $crate::c"), ["c"]);
    }

    #[test]
    fn paths_in_other_crates_begin_at_the_root_of_the_program() {
        assert_eq!(
            paths("debugger::run", "crate::frame::a; crate::value::b;"),
            ["debugger::frame::a", "value::b"]
        );
        assert_eq!(paths("languages::x::y", "crate::z"), ["languages::x::z"]);
        assert_eq!(
            paths("answer::board", "gridbug_base::value::a; crate::value::b"),
            ["value::a", "answer::value::b"]
        );
    }

    #[test]
    fn super_is_followed_out_of_a_module() {
        assert_eq!(paths("m::n", "use super::super::a;"), ["a"]);
        assert_eq!(paths("m::n", "use super::a::b;"), ["m::a::b"]);
        assert_eq!(
            paths("m", "mod tests { use super::a; use super::super::b; }"),
            ["m::a", "b"]
        );
        assert_eq!(paths("m", "mod x { mod y { use super::a; } }"), [""; 0]);
    }
}
