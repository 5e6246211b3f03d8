//! External crates are used only in the modules of a table.

use std::collections::BTreeSet;
use std::path::Path;

use crate::source::{SourceFile, source_dir, source_files};
use crate::tokens::Token;

/// Every dependency with the modules that use it, and no others. Most crates have one module, so that
/// they can be replaced there. Those with several are part of how the program is written:
///
/// - `logos` and `lalrpop_util`: each language has a lexer and a parser; `language` has what they
///   share.
/// - `serde`: types that are written as JSON derive their format where they are defined.
/// - `serde_json`: answers that are kept as JSON, the protocol, and the files of the terminal.
///
/// `main` stands for `main.rs`.
const CRATE_USERS: &[(&str, &[&str])] = &[
    ("annotate-snippets", &["terminal"]),
    ("clap", &["terminal", "main"]),
    ("clap_mangen", &["terminal"]),
    ("ctrlc", &["terminal"]),
    ("getrandom", &["serve"]),
    ("httparse", &["serve"]),
    ("lalrpop-util", &["language", "languages"]),
    ("logos", &["language", "languages"]),
    ("nix", &["host"]),
    ("owo-colors", &["terminal"]),
    ("rand", &["machine"]),
    // Named for its features alone.
    ("rustix", &[]),
    ("rustyline", &["terminal"]),
    (
        "serde",
        &["answer", "code", "diagnostic", "language", "protocol"],
    ),
    (
        "serde_json",
        &["answer", "debugger", "protocol", "serve", "terminal"],
    ),
    ("similar", &["teach"]),
    ("strsim", &["diagnostic"]),
    ("terminal_size", &["terminal"]),
    ("unicode-width", &["terminal"]),
];

/// The names of the dependencies of a manifest: `[dependencies]` and those of single targets, but not
/// the ones for builds and tests, nor crates of this repository.
fn dependencies(manifest: &str) -> Vec<&str> {
    let is_list = |section: &str| {
        section == "dependencies"
            || section.starts_with("target.") && section.ends_with(".dependencies")
    };
    let mut names = Vec::new();
    let mut section = "";
    for line in manifest.lines().map(str::trim) {
        if let Some(rest) = line.strip_prefix('[') {
            section = rest.trim_end_matches(']');
            // A dependency with a section of its own.
            if let Some((list, name)) = section.rsplit_once('.')
                && is_list(list)
            {
                names.push(name);
            }
        } else if is_list(section) && !line.starts_with('#') && !line.contains("path =") {
            let name = line.split(['=', '.']).next().unwrap_or("").trim();
            let is_foreign = !name.is_empty() && !name.starts_with("gridbug-");
            names.extend(is_foreign.then_some(name));
        }
    }
    names
}

/// The dependencies of the manifest at the root and of those below `src`, if there are any.
fn all_dependencies() -> BTreeSet<String> {
    fn add(manifest: &Path, names: &mut BTreeSet<String>) {
        if let Ok(text) = std::fs::read_to_string(manifest) {
            names.extend(dependencies(&text).into_iter().map(str::to_string));
        }
    }
    fn add_folder(dir: &Path, names: &mut BTreeSet<String>) {
        add(&dir.join("Cargo.toml"), names);
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                add_folder(&path, names);
            }
        }
    }
    let mut names = BTreeSet::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    add(&root.join("Cargo.toml"), &mut names);
    add_folder(&source_dir(), &mut names);
    names
}

/// True if the tokens name the crate at the start of a path or import it.
fn uses_crate(tokens: &[Token], name: &str) -> bool {
    let name = name.replace('-', "_");
    let is_use = |at: usize| {
        let before = at.checked_sub(1).map(|n| &tokens[n]);
        let after = tokens.get(at + 1);
        let starts_path = after.is_some_and(|t| t.is("::")) && !before.is_some_and(|t| t.is("::"));
        starts_path || before.is_some_and(|t| t.is("use")) && after.is_some_and(|t| t.is(";"))
    };
    (0..tokens.len()).any(|at| tokens[at].is(&name) && is_use(at))
}

/// The rows of `users` that a file belongs to.
fn users_with(file: &SourceFile, users: &[&'static str]) -> Vec<&'static str> {
    let is_user = |user: &&&str| file.is_in(&[user]) || file.path == format!("{user}.rs");
    users.iter().filter(is_user).copied().collect()
}

#[test]
fn every_dependency_has_a_row() {
    let rows: BTreeSet<String> = CRATE_USERS.iter().map(|(n, _)| n.to_string()).collect();
    assert_eq!(
        all_dependencies(),
        rows,
        "the dependencies in Cargo.toml (left) and the rows of CRATE_USERS (right)"
    );
}

#[test]
fn external_crates_are_used_only_where_allowed() {
    let mut violations = Vec::new();
    for (name, users) in CRATE_USERS {
        let mut unused: BTreeSet<&str> = users.iter().copied().collect();
        for file in source_files()
            .iter()
            .filter(|f| uses_crate(&f.tokens, name))
        {
            let allowed = users_with(file, users);
            if allowed.is_empty() {
                let users = users.join(" and ");
                let path = &file.path;
                violations.push(format!(
                    "src/{path} uses {name}, which is reserved for {users}"
                ));
            }
            unused.retain(|user| !allowed.contains(user));
        }
        let remove = |user| format!("{user} does not use {name}: remove it from CRATE_USERS");
        violations.extend(unused.into_iter().map(remove));
    }
    assert!(violations.is_empty(), "{}", violations.join("\n"));
}

#[test]
fn dependencies_are_read_from_all_sections() {
    let manifest = "[package]\nname = \"x\"\n[dependencies]\na = \"1\"\n# c = 2\nb.workspace = true\n\
                    own = { path = \"src/own\" }\n\n[dependencies.d]\nversion = \"1\"\n\
                    [target.'cfg(unix)'.dependencies]\ne-f = { version = \"1\" }\n\
                    [dev-dependencies]\ng = \"1\"\n[build-dependencies]\nh = \"1\"\n";
    assert_eq!(dependencies(manifest), ["a", "b", "d", "e-f"]);
}

#[test]
fn uses_of_a_crate_are_found() {
    let uses = |text: &str| uses_crate(&SourceFile::new("a.rs", text).tokens, "a-b");
    assert!(uses("use a_b::C;"));
    assert!(uses("use a_b;"));
    assert!(uses("x(a_b::c())"));
    assert!(!uses("crate::a_b::c(); \"a_b::c\"; // a_b::d"));
}
