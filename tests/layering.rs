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
    ("answer", 6),
    ("debugger", 7),
    ("analysis", 8),
    ("explorer", 9),
    ("render", 10),
    ("session", 11),
    ("command", 12),
    ("protocol", 13),
    ("terminal", 14),
    ("wasm", 14),
];

/// Dependencies (user, used) that the layers would allow but that are forbidden as well: languages
/// never run anything, and the debugger and the explorer are independent of any language.
const FORBIDDEN: &[(&str, &str)] = &[
    ("languages", "machine"),
    ("answer", "languages"),
    ("answer", "machine"),
    ("debugger", "languages"),
    ("analysis", "languages"),
    ("explorer", "languages"),
];

/// External crates with the modules that may use them.
const CRATE_USERS: &[(&str, &[&str])] = &[
    ("logos", &["language", "languages"]),
    ("lalrpop_util", &["language", "languages"]),
    ("rand", &["machine"]),
    (
        "serde",
        &[
            "answer",
            "debugger",
            "language",
            "diagnostic",
            "source",
            "code",
            "protocol",
        ],
    ),
    (
        "serde_json",
        &["answer", "debugger", "session", "protocol", "terminal"],
    ),
    ("similar", &["command"]),
    ("strsim", &["diagnostic"]),
    ("rustyline", &["terminal"]),
    ("clap", &["terminal", "main"]),
    ("clap_mangen", &["terminal"]),
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
        // Searches use several threads, except in browsers.
        let uses_threads = ["control", "search", "workers"]
            .iter()
            .any(|name| file == format!("explorer/{name}.rs"));
        let is_search = |word: &str| uses_threads && word == "std::thread";
        for word in words {
            let is_allowed = is_allowed || is_search(word);
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

/// The methods of a type: for each file with an `impl` of it, its methods with the methods that each
/// calls on `self` or on a variable that stands for it.
type Methods = std::collections::BTreeMap<String, Vec<(String, Vec<String>)>>;

/// The word at the start of a text.
fn first_word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    &text[..end.unwrap_or(text.len())]
}

/// The inherent methods of a type. Relies on the formatting of rustfmt.
fn methods_of(type_name: &str, files: &[(String, String, String)]) -> Methods {
    let mut methods = Methods::new();
    for (file, _, text) in files {
        let text = join_chains(text.split("#[cfg(test)]").next().unwrap_or(""));
        let mut is_inside = false;
        for line in text.lines() {
            if let Some(header) = line.strip_prefix("impl") {
                let header = header.trim_start_matches(|c: char| c != ' ').trim();
                is_inside = first_word(header) == type_name && !header.contains(" for ");
            } else if line == "}" {
                is_inside = false;
            } else if is_inside {
                let entry = methods.entry(file.clone()).or_default();
                let signature = line.strip_prefix("    ").unwrap_or("");
                let signature = signature.trim_start_matches("pub(crate) ");
                let signature = signature.trim_start_matches("pub(super) ");
                let signature = signature.trim_start_matches("pub ");
                if let Some(rest) = signature.strip_prefix("fn ") {
                    entry.push((first_word(rest).to_string(), Vec::new()));
                }
                if let Some((_, calls)) = entry.last_mut() {
                    calls.extend(method_calls(line));
                }
            }
        }
    }
    methods
}

/// Names of variables that stand for the object itself.
const RECEIVERS: [&str; 6] = ["self", "s", "session", "target", "run", "machine"];

/// The names in `self.name(` of a line.
fn method_calls(line: &str) -> Vec<String> {
    let is_call_on_self = |at: usize| {
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        let before = &line[..at];
        let start = before.rfind(|c: char| !is_part(c)).map_or(0, |n| n + 1);
        RECEIVERS.contains(&&before[start..])
    };
    let calls = line
        .match_indices('.')
        .filter(|(at, _)| is_call_on_self(*at))
        .map(|(at, _)| &line[at + 1..]);
    calls
        .map(|rest| (first_word(rest), rest))
        .filter(|(word, rest)| !word.is_empty() && rest[word.len()..].starts_with('('))
        .map(|(word, _)| word.to_string())
        .collect()
}

/// The text with each chain of calls on one line.
fn join_chains(text: &str) -> String {
    let mut joined = String::new();
    for line in text.lines() {
        if !line.trim_start().starts_with('.') {
            joined.push('\n');
            joined.push_str(line);
        } else {
            joined.push_str(line.trim_start());
        }
    }
    joined
}

/// A cycle among files, each of which calls methods in the next.
fn find_cycle(methods: &Methods) -> Option<Vec<String>> {
    let owner = |name: &String| {
        let has = |list: &Vec<(String, Vec<String>)>| list.iter().any(|(n, _)| n == name);
        methods.iter().find(|(_, list)| has(list)).map(|(f, _)| f)
    };
    let calls_of = |file: &String| {
        let calls = methods[file].iter().flat_map(|(_, calls)| calls);
        let mut files: Vec<&String> = calls.filter_map(owner).filter(|f| *f != file).collect();
        files.sort();
        files.dedup();
        files
    };
    // Remove files that call no other until none is left, or only those in cycles.
    let mut rest: Vec<&String> = methods.keys().collect();
    loop {
        let count = rest.len();
        let before = rest.clone();
        rest.retain(|file| calls_of(file).iter().any(|called| before.contains(called)));
        if rest.len() == count {
            break;
        }
    }
    (!rest.is_empty()).then(|| rest.into_iter().cloned().collect())
}

#[test]
fn files_of_one_type_do_not_call_each_other_in_cycles() {
    let files = source_files();
    for type_name in ["Session", "Target", "Run", "Timeline", "Machine"] {
        let methods = methods_of(type_name, &files);
        assert!(!methods.is_empty(), "no methods of {type_name} were found");
        if let Some(cycle) = find_cycle(&methods) {
            panic!("the files of {type_name} call each other in a cycle: {cycle:#?}");
        }
    }
}

#[test]
fn a_cycle_of_calls_is_found() {
    let file = |name: &str, text: &str| (name.to_string(), "m".to_string(), text.to_string());
    let a = file(
        "a.rs",
        "impl T {\n    pub fn a(&self) {\n        self.b();\n    }\n}\n",
    );
    let b = file(
        "b.rs",
        "impl T {\n    fn b(&self) {\n        self.c();\n    }\n}\n",
    );
    let c = |body: &str| {
        file(
            "c.rs",
            &format!("impl T {{\n    fn c(&self) {{ {body} }}\n}}\n"),
        )
    };
    let open = methods_of("T", &[a.clone(), b.clone(), c("")]);
    assert_eq!(open.len(), 3);
    assert_eq!(find_cycle(&open), None);
    let closed = methods_of("T", &[a, b, c("self.a();")]);
    assert!(find_cycle(&closed).is_some());
}

#[test]
fn a_session_is_small() {
    let methods = methods_of("Session", &source_files());
    let count: usize = methods.values().map(Vec::len).sum();
    assert!(
        methods.len() <= 6,
        "Session is in {} files: {:?}",
        methods.len(),
        methods.keys()
    );
    assert!(count <= 45, "Session has {count} methods");
}

#[test]
fn functions_return_answers() {
    let files = source_files();
    let offenders = files.iter().filter(|(_, _, text)| {
        let without_self = text.replace("&mut self", "");
        without_self.contains("&mut Answer")
    });
    let offenders: Vec<&String> = offenders.map(|(file, ..)| file).collect();
    assert!(
        offenders.is_empty(),
        "return an Answer instead of filling one in: {offenders:?}"
    );
}

/// What a language's folder contains at its top, besides the folders of these modules. Not every
/// language has rules of play.
const LANGUAGE_FILES: &[&str] = &[
    "ast.rs",
    "check.rs",
    "errors.txt",
    "info.rs",
    "lower.rs",
    "parse.rs",
    "token.rs",
    "view.rs",
];

#[test]
fn every_language_has_the_same_files() {
    let languages = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/languages");
    let mut folders = 0;
    for folder in std::fs::read_dir(languages).unwrap() {
        let folder = folder.unwrap().path();
        if !folder.is_dir() {
            continue;
        }
        folders += 1;
        let entries = std::fs::read_dir(&folder).unwrap();
        let mut files: Vec<String> = entries
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.is_file())
            .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
            .filter(|name| !name.starts_with("rules."))
            .collect();
        files.sort();
        assert_eq!(files, LANGUAGE_FILES, "in {}", folder.display());
    }
    assert!(folders >= 5, "the languages are elsewhere");
}
