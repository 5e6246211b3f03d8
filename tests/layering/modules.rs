//! A module may use only modules of lower layers.

use crate::paths::crate_paths;
use crate::source::{SourceFile, is_within, source_files};

/// Modules, lowest layer first. Modules in the same layer must not use each other. A row may name a
/// module inside another, as `a::b`; the longest row that fits a path decides.
const LAYERS: &[(&str, u32)] = &[
    ("host", 0),
    ("source", 0),
    ("text", 0),
    ("diagnostic", 1),
    ("value", 2),
    ("code", 3),
    ("machine", 4),
    ("language", 4),
    ("languages", 5),
    ("answer", 6),
    ("debugger", 7),
    ("analysis", 8),
    ("explorer", 9),
    ("render", 10),
    ("session", 11),
    ("teach", 12),
    ("command", 13),
    ("driver", 14),
    ("protocol", 15),
    ("serve", 16),
    ("wasm", 16),
    ("terminal", 17),
];

/// Dependencies (user, used) that the layers would allow but that are forbidden as well: languages
/// never run anything, and answers run nothing, and they, the
/// debugger, the analyses and the explorer are independent of any language.
const FORBIDDEN: &[(&str, &str)] = &[
    ("languages", "machine"),
    ("answer", "languages"),
    ("answer", "machine"),
    ("debugger", "languages"),
    ("analysis", "languages"),
    ("explorer", "languages"),
];

/// The row that a path belongs to.
fn row_of(path: &[String]) -> Option<(&'static str, u32)> {
    let rows = LAYERS.iter().filter(|(name, _)| is_within(path, name));
    rows.max_by_key(|(name, _)| name.len()).copied()
}

/// What a file uses although it may not.
fn violations(file: &SourceFile) -> Vec<String> {
    // `lib.rs` and `main.rs` may use every module.
    let Some((own, own_layer)) = row_of(&file.module) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for path in crate_paths(&file.module, &file.tokens) {
        let Some((used, layer)) = row_of(&path) else {
            let name = path.join("::");
            found.push(format!("src/{} uses {name}, which has no layer", file.path));
            continue;
        };
        let is_forbidden = FORBIDDEN.contains(&(own, used));
        if used != own && (layer >= own_layer || is_forbidden) {
            found.push(format!("src/{} uses {used}", file.path));
        }
    }
    found.dedup();
    found
}

#[test]
fn modules_use_only_lower_layers() {
    let found: Vec<String> = source_files().iter().flat_map(violations).collect();
    assert!(
        found.is_empty(),
        "layering violations:\n{}",
        found.join("\n")
    );
}

/// The modules below `languages` that a file uses outside its own language.
fn other_languages(file: &SourceFile) -> Vec<String> {
    let Some(language) = file.module.get(1).filter(|_| file.is_in(&["languages"])) else {
        return Vec::new();
    };
    let paths = crate_paths(&file.module, &file.tokens);
    let is_other = |path: &&Vec<String>| {
        is_within(path, "languages") && path.get(1).is_some_and(|name| name != language)
    };
    let show = |path: &Vec<String>| format!("src/{} uses {}", file.path, path.join("::"));
    paths.iter().filter(is_other).map(show).collect()
}

#[test]
fn languages_do_not_use_each_other() {
    let found: Vec<String> = source_files().iter().flat_map(other_languages).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
    let text = "use gridbug_c::d; use crate::e; use super::f; use gridbug_base::value;";
    let found = other_languages(&SourceFile::new("languages/a/x.rs", text));
    assert_eq!(found, ["src/languages/a/x.rs uses languages::c::d"]);
}

#[test]
fn every_module_has_a_layer() {
    for file in source_files().iter().filter(|f| !f.module.is_empty()) {
        assert!(
            row_of(&file.module).is_some(),
            "src/{} is missing from LAYERS in tests/layering/modules.rs",
            file.path
        );
    }
}

#[test]
fn every_layer_has_a_module() {
    for (name, _) in LAYERS {
        let exists = source_files().iter().any(|f| is_within(&f.module, name));
        assert!(exists, "{name} does not exist: remove it from LAYERS");
    }
}

#[test]
fn violations_are_found_after_a_test_field() {
    let text = "struct A { #[cfg(test)] b: u8 }\nuse crate::{value, terminal::C};\nuse super::D;";
    let found = violations(&SourceFile::new("machine/a.rs", text));
    assert_eq!(found, ["src/machine/a.rs uses terminal"]);
    let found = violations(&SourceFile::new("machine.rs", "use super::session::E;"));
    assert_eq!(found, ["src/machine.rs uses session"]);
}
