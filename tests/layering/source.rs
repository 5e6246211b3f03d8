//! The source files of the program, with and without their tests.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::tokens::{
    Token, after_angles, after_group, is_closing, is_opening, tokenize, without_comments,
};

/// One source file.
pub struct SourceFile {
    /// The path below `src`, with `/`.
    pub path: String,
    /// The names of the modules from the root of the whole program to this file, as `gridbug::…` names
    /// them; empty for the roots `lib.rs`, `main.rs` and `base/lib.rs`.
    pub module: Vec<String>,
    /// The whole text.
    pub text: String,
    /// The text without comments, tests included.
    pub code: String,
    /// The tokens, tests included.
    pub tokens: Vec<Token<'static>>,
    /// The tokens without what is compiled for tests only; none if the whole file is.
    pub shipped: Vec<Token<'static>>,
}

impl SourceFile {
    pub fn new(path: &str, text: &str) -> SourceFile {
        // Tokens refer to the text; the files are read once and live until the tests end.
        let leaked: &'static str = Box::leak(text.to_string().into_boxed_str());
        let tokens = tokenize(leaked);
        let shipped = without_tests(&tokens).0;
        SourceFile {
            path: path.to_string(),
            module: module_of(path),
            text: text.to_string(),
            code: without_comments(text),
            tokens,
            shipped,
        }
    }

    /// True if this file belongs to one of the modules, each written as `a` or `a::b`.
    pub fn is_in(&self, modules: &[&str]) -> bool {
        modules.iter().any(|m| is_within(&self.module, m))
    }

    /// The name of the file without folder and extension.
    pub fn stem(&self) -> &str {
        stem(&self.path)
    }
}

/// The name of a file without folder and extension; that of its folder for the root of a crate.
pub fn stem(path: &str) -> &str {
    let path = path.trim_end_matches("/lib.rs").trim_end_matches(".rs");
    path.rsplit('/').next().unwrap_or(path)
}

/// True if a path of names is the module or below it.
pub fn is_within(path: &[String], module: &str) -> bool {
    let names: Vec<&str> = module.split("::").collect();
    path.len() >= names.len() && names.iter().zip(path).all(|(a, b)| *a == b.as_str())
}

/// The names of the modules from the root of the whole program to a file. What is in the crate `base`
/// is named as if it were at the root.
fn module_of(path: &str) -> Vec<String> {
    let path = path.trim_end_matches(".rs").trim_end_matches("/lib");
    let path = path.strip_prefix("base/").unwrap_or(path);
    match path {
        "lib" | "main" | "base" => Vec::new(),
        _ => path.split('/').map(str::to_string).collect(),
    }
}

/// The directory with the sources.
pub fn source_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Adds all Rust files below a directory.
fn collect_files(dir: &Path, paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect_files(&path, paths);
        } else if path.extension().is_some_and(|e| e == "rs") {
            paths.push(path);
        }
    }
}

/// All source files, sorted by path.
pub fn source_files() -> &'static [SourceFile] {
    static FILES: OnceLock<Vec<SourceFile>> = OnceLock::new();
    FILES.get_or_init(|| {
        let dir = source_dir();
        let mut paths = Vec::new();
        collect_files(&dir, &mut paths);
        paths.sort();
        let read = |path: &PathBuf| {
            let text = std::fs::read_to_string(path).unwrap();
            let relative = path.strip_prefix(&dir).unwrap().to_string_lossy();
            SourceFile::new(&relative.replace('\\', "/"), &text)
        };
        let mut files: Vec<SourceFile> = paths.iter().map(read).collect();
        drop_test_files(&mut files);
        files
    })
}

/// Marks files that belong to a `#[cfg(test)] mod name;` as tests.
fn drop_test_files(files: &mut [SourceFile]) {
    let of = |f: &SourceFile| test_files(&f.path, &without_tests(&f.tokens).1);
    let test_paths: Vec<String> = files.iter().flat_map(of).collect();
    for path in test_paths {
        let file = files.iter_mut().find(|f| f.path == path);
        let file = file.unwrap_or_else(|| panic!("no file src/{path}, which is a module of tests"));
        file.shipped.clear();
    }
}

/// The files that the test modules of a file are in.
fn test_files(path: &str, removed: &[&[Token]]) -> Vec<String> {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let join = |folder: &str, name: &str| match folder {
        "" => name.to_string(),
        _ => format!("{folder}/{name}"),
    };
    let file_of = |item: &&[Token]| {
        let at = item.iter().position(|t| t.is("mod"))?;
        let name = item.get(at + 1)?;
        if !item.get(at + 2)?.is(";") {
            return None;
        }
        let given = item.iter().position(|t| t.is("path")).map(|n| item[n + 2]);
        Some(match given {
            Some(file) => join(folder, file.text.trim_matches('"')),
            None => join(&join(folder, stem(path)), &format!("{}.rs", name.text)),
        })
    };
    removed.iter().filter_map(file_of).collect()
}

/// The tokens without the items, fields, arms and statements under `#[cfg(test)]`, and those.
fn without_tests<'t, 's>(tokens: &'t [Token<'s>]) -> (Vec<Token<'s>>, Vec<&'t [Token<'s>]>) {
    let mut shipped = Vec::new();
    let mut removed = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if is_test_attribute(&tokens[at..]) {
            let end = after_attributed(tokens, at);
            removed.push(&tokens[at..end]);
            at = end;
        } else {
            shipped.push(tokens[at]);
            at += 1;
        }
    }
    (shipped, removed)
}

/// `#[cfg(test)]`.
fn is_test_attribute(tokens: &[Token]) -> bool {
    let attribute = ["#", "[", "cfg", "(", "test", ")", "]"];
    tokens.len() > attribute.len() && attribute.iter().zip(tokens).all(|(a, t)| t.is(a))
}

/// Items that end with a semicolon, even after a `}`.
const ENDED_BY_SEMICOLON: &[&str] = &["use", "const", "static", "type", "let"];

/// Items that end with a semicolon or with a `}`, but not with a comma.
const ENDED_BY_BRACE: &[&str] = &[
    "async", "enum", "extern", "fn", "impl", "mod", "struct", "trait", "unsafe",
];

/// The index after what the attribute at `start` belongs to.
fn after_attributed(tokens: &[Token], start: usize) -> usize {
    let mut at = start;
    while tokens.get(at).is_some_and(|t| t.is("#")) {
        at = after_group(tokens, at + 1);
    }
    if tokens.get(at).is_some_and(|t| t.is("pub")) {
        at += 1;
        if tokens.get(at).is_some_and(|t| t.is("(")) {
            at = after_group(tokens, at);
        }
    }
    let starts_with = |words: &[&str]| {
        tokens
            .get(at)
            .is_some_and(|t| words.iter().any(|w| t.is(w)))
    };
    let next_is_fn = tokens
        .get(at + 1)
        .is_some_and(|t| t.is("fn") || t.is("unsafe"));
    let ends_at_brace = next_is_fn || !starts_with(ENDED_BY_SEMICOLON);
    let ends_at_comma = ends_at_brace && !next_is_fn && !starts_with(ENDED_BY_BRACE);
    while at < tokens.len() {
        let token = &tokens[at];
        if is_closing(token) {
            // The end of the struct, block or list around it.
            return at;
        }
        if token.is(";") || token.is(",") && ends_at_comma {
            return at + 1;
        }
        if token.is("<") {
            // Type parameters, unless this is a comparison.
            let end = after_angles(tokens, at);
            let is_type = tokens[at..end].iter().all(|t| !t.is(";") && !t.is("{"));
            at = if is_type { end } else { at + 1 };
        } else if is_opening(token) {
            let end = after_group(tokens, at);
            let continues = |t: &Token| t.is("else") || t.is(",") || t.is(".") || t.is("?");
            let is_end = !tokens.get(end).is_some_and(continues);
            if token.is("{") && ends_at_brace && is_end {
                return end;
            }
            at = end;
        } else {
            at += 1;
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The remaining tokens of a text, joined by spaces.
    fn shipped(text: &str) -> String {
        let words = SourceFile::new("a.rs", text).shipped;
        words.iter().map(|t| t.text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_test_module_is_removed_and_what_follows_it_is_not() {
        let text = "fn a() {}\n#[cfg(test)]\nmod tests {\n fn b() { '}' }\n}\nfn c() {}";
        assert_eq!(shipped(text), "fn a ( ) { } fn c ( ) { }");
    }

    #[test]
    fn a_test_field_hides_only_itself() {
        let text = "struct A { x: u8, #[cfg(test)] pub(in crate::a) y: M<u8, Cell<u8>>, z: u8 }";
        assert_eq!(shipped(text), "struct A { x : u8 , z : u8 }");
        let last = "struct A { #[cfg(test)] y: u8 } fn b() {}";
        assert_eq!(shipped(last), "struct A { } fn b ( ) { }");
        let value = "A { x, #[cfg(test)] y: Default::default(), z }";
        assert_eq!(shipped(value), "A { x , z }");
    }

    #[test]
    fn a_test_statement_hides_only_itself() {
        assert_eq!(
            shipped("{ #[cfg(test)] a.set(f(1, 2)); b(); }"),
            "{ b ( ) ; }"
        );
        assert_eq!(shipped("{ #[cfg(test)] if a { b } else { c } d }"), "{ d }");
        assert_eq!(shipped("{ #[cfg(test)] let a = B { c: 1 }; d }"), "{ d }");
    }

    #[test]
    fn test_items_are_removed() {
        assert_eq!(
            shipped("#[cfg(test)]\n#[inline]\npub const fn a<T, U>() {}\nb!();"),
            "b ! ( ) ;"
        );
        assert_eq!(
            shipped("#[cfg(test)]\nunsafe fn a() -> [u8; 2] { x } b"),
            "b"
        );
        assert_eq!(shipped("#[cfg(test)]\nuse a::{b, c}; d"), "d");
        assert_eq!(
            shipped("#[cfg(test)]\nthread_local! { static A: u8 = 1; } d"),
            "d"
        );
        assert_eq!(
            shipped("#[cfg(test)]\nimpl<T> A<T> where T: B, U: C { fn d() {} } e"),
            "e"
        );
        assert_eq!(
            shipped("#[cfg(feature = \"test\")] a"),
            "# [ cfg ( feature = \"test\" ) ] a"
        );
    }

    #[test]
    fn files_of_test_modules_are_found() {
        let files = |path: &str, text: &str| {
            let file = SourceFile::new(path, text);
            test_files(path, &without_tests(&file.tokens).1)
        };
        assert_eq!(files("a/b.rs", "#[cfg(test)] mod tests;"), ["a/b/tests.rs"]);
        assert_eq!(
            files("b.rs", "#[cfg(test)] mod tests; mod c;"),
            ["b/tests.rs"]
        );
        let path = "#[cfg(test)] #[path = \"c_tests.rs\"] mod tests;";
        assert_eq!(files("a/b.rs", path), ["a/c_tests.rs"]);
        assert_eq!(files("b.rs", "#[cfg(test)] mod tests { mod c; }"), [""; 0]);
    }

    #[test]
    fn modules_are_named_by_their_folders() {
        assert_eq!(module_of("a/b.rs"), ["a", "b"]);
        assert_eq!(module_of("a/lib.rs"), ["a"]);
        assert!(module_of("lib.rs").is_empty());
        assert!(is_within(&module_of("a/b/c.rs"), "a::b"));
        assert!(!is_within(&module_of("a/bc.rs"), "a::b"));
    }
}
