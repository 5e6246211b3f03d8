//! Layering rules: a module may use only modules of lower layers, and each external crate only in
//! its assigned modules.
//!
//! Rust does not enforce this within a crate. The layers are those described in `src/lib.rs`.

use std::path::{Path, PathBuf};

/// Top-level modules, lowest layer first. Modules in the same layer must not use each other.
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
    ("debugger", 6),
    ("render", 7),
    ("session", 8),
    ("command", 9),
    ("protocol", 10),
    ("terminal", 11),
    ("wasm", 11),
];

/// Dependencies (user, used) that the layers would allow but that are forbidden as well: languages
/// never run anything, and the debugger is independent of any language.
const FORBIDDEN: &[(&str, &str)] = &[("languages", "machine"), ("debugger", "languages")];

/// External crates with the modules that may use them.
const CRATE_USERS: &[(&str, &[&str])] = &[
    ("logos", &["languages"]),
    ("lalrpop_util", &["languages"]),
    ("rand", &["machine"]),
    (
        "serde",
        &["debugger", "language", "diagnostic", "source", "code"],
    ),
    (
        "serde_json",
        &["debugger", "session", "protocol", "terminal"],
    ),
    ("rustyline", &["terminal"]),
    ("clap", &["terminal", "main"]),
    ("ctrlc", &["terminal"]),
    ("nix", &["host"]),
    ("owo_colors", &["terminal"]),
    ("annotate_snippets", &["terminal"]),
    ("unicode_width", &["terminal"]),
];

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

/// Path, top-level module and code (without comments) of each source file.
fn source_files() -> Vec<(String, String, String)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    collect_files(&src, &mut paths);
    let read = |path: PathBuf| {
        let relative_path = path
            .strip_prefix(&src)
            .unwrap()
            .to_string_lossy()
            .replace('\\', "/");
        let module = relative_path
            .split('/')
            .next()
            .unwrap()
            .trim_end_matches(".rs")
            .to_string();
        let text = std::fs::read_to_string(&path).unwrap();
        let lines = text.lines().map(|l| l.split("//").next().unwrap_or(""));
        (relative_path, module, lines.collect::<Vec<_>>().join("\n"))
    };
    paths.into_iter().map(read).collect()
}

/// The top-level modules used in a text, as `crate::module` or in `use crate::{module, …}`.
fn used_modules(text: &str) -> Vec<String> {
    let mut modules = Vec::new();
    for (at, _) in text.match_indices("crate::") {
        let rest = &text[at + "crate::".len()..];
        // Skip longer identifiers such as `gridbug_crate::`.
        if text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let word = |t: &str| {
            t.chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect::<String>()
        };
        match rest.strip_prefix('{') {
            Some(list) => {
                let mut depth = 0;
                let mut expects_name = true;
                for (i, c) in list.char_indices() {
                    if depth == 0 && expects_name && c.is_alphabetic() {
                        modules.push(word(&list[i..]));
                        expects_name = false;
                    }
                    match c {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => expects_name = true,
                        _ => {}
                    }
                }
            }
            None => modules.push(word(rest)),
        }
    }
    modules
}

#[test]
fn modules_use_only_lower_layers() {
    let layer_of = |module: &str| {
        LAYERS
            .iter()
            .find(|(name, _)| *name == module)
            .map(|(_, n)| *n)
    };
    let mut violations = Vec::new();
    for (file, module, text) in source_files() {
        // `lib.rs` and `main.rs` may use every module.
        let Some(own_layer) = layer_of(&module) else {
            continue;
        };
        for other in used_modules(&text) {
            let Some(other_layer) = layer_of(&other) else {
                continue;
            };
            let is_forbidden = FORBIDDEN.contains(&(module.as_str(), other.as_str()));
            if other != module && (other_layer >= own_layer || is_forbidden) {
                violations.push(format!("src/{file} uses {other}"));
            }
        }
    }
    violations.dedup();
    assert!(
        violations.is_empty(),
        "layering violations:\n{}",
        violations.join("\n")
    );
}

#[test]
fn every_module_has_a_layer() {
    for (file, module, _) in source_files() {
        let is_known = LAYERS.iter().any(|(name, _)| *name == module)
            || ["lib", "main"].contains(&module.as_str());
        assert!(
            is_known,
            "src/{file} is missing from LAYERS in tests/layering.rs"
        );
    }
}

#[test]
fn external_crates_are_used_only_where_allowed() {
    let mut violations = Vec::new();
    for (file, module, text) in source_files() {
        for (name, users) in CRATE_USERS {
            let is_used = text.match_indices(&format!("{name}::")).any(|(at, _)| {
                !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':')
            });
            if is_used && !users.contains(&module.as_str()) {
                violations.push(format!(
                    "src/{file} uses {name}, which is reserved for {}",
                    users.join(" and ")
                ));
            }
        }
    }
    assert!(violations.is_empty(), "{}", violations.join("\n"));
}

#[test]
fn only_the_terminal_prints() {
    for (file, module, text) in source_files() {
        let prints = [
            "print!(",
            "println!(",
            "eprint!(",
            "eprintln!(",
            "stdout()",
            "stderr()",
            "stdin()",
        ];
        for word in prints {
            let is_allowed = ["terminal", "main"].contains(&module.as_str())
                || module == "host" && word == "stdin()";
            assert!(!text.contains(word) || is_allowed, "src/{file} has {word}");
        }
    }
}

/// Platform-specific code is confined to `host`, which keeps ports to other systems feasible.
#[test]
fn platform_specific_code_is_in_host() {
    let words = [
        "std::os::",
        "os::fd",
        "os::unix",
        "os::windows",
        "cfg(unix",
        "cfg(windows",
        "cfg(target_os",
        "cfg!(unix",
        "cfg!(windows",
        "nix::",
        "libc",
        "termios",
        "/dev/",
        "/tmp",
        "/proc",
        "/etc",
        "SIGINT",
        "SIGHUP",
    ];
    for (file, module, text) in source_files() {
        for word in words {
            assert!(
                !text.contains(word) || module == "host",
                "src/{file} has {word}, which belongs in src/host"
            );
        }
    }
    // The fallback implementation has the same public items as the Unix one.
    let public_items = |name: &str| {
        let text = source_files()
            .into_iter()
            .find(|(file, ..)| file == name)
            .expect("file exists")
            .2;
        let public_signature = |l: &str| {
            l.starts_with("pub ")
                .then(|| l.split(['(', '{']).next().unwrap_or("").to_string())
        };
        text.lines()
            .filter_map(public_signature)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        public_items("host/unix.rs"),
        public_items("host/fallback.rs")
    );
}

/// The engine gets files and the time from its host, so that it runs where there are none.
#[test]
fn only_host_and_terminal_use_the_operating_system() {
    let words = [
        "std::fs",
        "std::env::",
        "std::process",
        "std::net",
        "std::thread",
        "Instant",
        "SystemTime",
        ".exists()",
        ".is_dir()",
    ];
    for (file, module, text) in source_files() {
        let is_allowed = ["host", "terminal", "main"].contains(&module.as_str());
        for word in words {
            assert!(!text.contains(word) || is_allowed, "src/{file} has {word}");
        }
    }
}

#[test]
fn every_file_has_a_module_doc() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    collect_files(&src, &mut paths);
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(
            text.starts_with("//!"),
            "{} does not begin with `//!`",
            path.display()
        );
    }
}
