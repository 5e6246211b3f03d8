//! Folders are small and begin with a map; every file says what it is for.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::source::{SourceFile, source_dir, source_files};

/// The most Rust files in one folder, without those in its subfolders.
const MAX_FILES: usize = 22;

/// Folders that are larger: exactly this many files.
const LARGE_FOLDERS: &[(&str, usize)] = &[];

/// Folders whose module file has no complete map.
const WITHOUT_MAP: &[&str] = &[];

/// The number of Rust files directly in each folder below `src`; `""` is `src` itself.
fn file_counts(files: &[SourceFile]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for file in files {
        let folder = parent_folder(&file.path);
        *counts.entry(folder).or_default() += 1;
    }
    counts
}

/// The folder that a file is directly in.
fn parent_folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The folder that a module file is the comment of.
fn folder_of(module_file: &str) -> &str {
    match module_file {
        "lib.rs" => "",
        _ => module_file
            .trim_end_matches("/lib.rs")
            .trim_end_matches(".rs"),
    }
}

#[test]
fn folders_are_small() {
    let mut problems = Vec::new();
    let counts = file_counts(source_files());
    for (folder, count) in &counts {
        let exception = LARGE_FOLDERS.iter().find(|(name, _)| name == folder);
        match exception {
            None if *count > MAX_FILES => {
                problems.push(format!(
                    "src/{folder} has {count} files, more than {MAX_FILES}"
                ));
            }
            Some(_) if *count <= MAX_FILES => {
                problems.push(format!("src/{folder} is small: remove the exception"));
            }
            Some((_, allowed)) if count != allowed => {
                problems.push(format!("src/{folder} has {count} files, not {allowed}"));
            }
            _ => {}
        }
    }
    for (folder, _) in LARGE_FOLDERS
        .iter()
        .filter(|(f, _)| !counts.contains_key(f))
    {
        problems.push(format!("src/{folder} does not exist: remove the exception"));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The comment at the start of a file.
fn module_doc(text: &str) -> String {
    let lines = text.lines().map_while(|line| line.strip_prefix("//!"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The submodules in files of their own that the comment of a module does not name.
fn unnamed_submodules<'f>(module_file: &SourceFile, files: &'f [SourceFile]) -> Vec<&'f str> {
    let doc = module_doc(&module_file.text);
    let is_name_char = |c: char| c.is_alphanumeric() || c == '_';
    let words: BTreeSet<&str> = doc.split(|c| !is_name_char(c)).collect();
    let folder = folder_of(&module_file.path);
    let is_child = |file: &&SourceFile| {
        let is_test = file.shipped.is_empty();
        let is_root = file.path.ends_with("lib.rs") || file.path == "main.rs";
        parent_folder(&file.path) == folder && !is_root && !is_test
    };
    let names = files.iter().filter(is_child).map(SourceFile::stem);
    names.filter(|name| !words.contains(name)).collect()
}

#[test]
fn every_folder_begins_with_a_map() {
    let files = source_files();
    let mut problems = Vec::new();
    let mut unused: BTreeSet<&str> = WITHOUT_MAP.iter().copied().collect();
    for folder in file_counts(files).into_keys() {
        let is_its_file = |f: &&SourceFile| folder_of(&f.path) == folder && f.path != "main.rs";
        let module_file = files.iter().find(is_its_file);
        let module_file = module_file.unwrap_or_else(|| panic!("src/{folder} has no module file"));
        let path = &module_file.path;
        let unnamed = unnamed_submodules(module_file, files);
        if !unnamed.is_empty() && !unused.remove(folder) {
            problems.push(format!(
                "the comment at the start of src/{path} does not name {}",
                unnamed.join(", ")
            ));
        }
    }
    let remove = |folder| format!("src/{folder} does not exist or has a map: remove the exception");
    problems.extend(unused.into_iter().map(remove));
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn submodules_missing_from_a_map_are_found() {
    let files = [
        SourceFile::new(
            "a.rs",
            "//! Things.\n//!\n//! `b`  first things\n\n//! not c\nmod b;",
        ),
        SourceFile::new("a/b.rs", "fn b() {}"),
        SourceFile::new("a/c.rs", "fn c() {}"),
        SourceFile::new("a/b/d.rs", "fn d() {}"),
        SourceFile::new("a/tests.rs", ""),
    ];
    assert_eq!(unnamed_submodules(&files[0], &files), ["c"]);
    assert_eq!(unnamed_submodules(&files[1], &files), ["d"]);
}

#[test]
fn every_file_has_a_module_doc() {
    for file in source_files() {
        assert!(
            file.text.starts_with("//!"),
            "src/{} does not begin with `//!`",
            file.path
        );
    }
}

/// What a language's folder contains at its top, besides the folders of these modules. Not every
/// language has rules of play.
const LANGUAGE_FILES: &[&str] = &[
    "ast.rs",
    "check.rs",
    "errors.txt",
    "info.rs",
    "lib.rs",
    "lower.rs",
    "parse.rs",
    "token.rs",
    "view.rs",
];

/// Names of files that not every language has.
fn is_optional(name: &str) -> bool {
    name.starts_with("rules.") || name == "Cargo.toml"
}

#[test]
fn every_language_has_the_same_files() {
    let mut folders = 0;
    for folder in std::fs::read_dir(source_dir().join("languages")).unwrap() {
        let folder = folder.unwrap().path();
        if !folder.is_dir() {
            continue;
        }
        folders += 1;
        assert_eq!(files_in(&folder), LANGUAGE_FILES, "in {}", folder.display());
    }
    assert!(folders >= 5, "the languages are elsewhere");
}

/// The names of the files in a language's folder, sorted, without optional ones.
fn files_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<String> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .filter(|name| !is_optional(name))
        .collect();
    files.sort();
    files
}
