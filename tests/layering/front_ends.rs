//! The files of a language's checker and lowerer call each other in cycles only where statements and
//! expressions recurse, no matter which types their methods belong to.

use std::collections::BTreeSet;

use crate::calls::calls_between;
use crate::cycles::{calls_inside, cycles, names_of};
use crate::source::{SourceFile, source_files};
use crate::types::Call;

/// The recursions: the folder, its files without extensions, and the reason.
const RECURSIONS: &[(&str, &str, &str)] = &[
    ("bogl/check", "call component infer", EXPRESSIONS),
    ("bogl/lower", "call control_flow expr", EXPRESSIONS),
    ("gridlang/check", "call expression lvalue", EXPRESSIONS),
    ("gridlang/lower", "builtin expr lvalue", EXPRESSIONS),
    ("gridlok/lower", "braces loops statement", STATEMENTS),
];

const EXPRESSIONS: &str = "expressions contain expressions: arguments, indices, branches";

const STATEMENTS: &str = "statements contain statements: the blocks of loops and of players";

/// The modules of a language that this is about.
const PARTS: [&str; 2] = ["check", "lower"];

/// True for the files of a checker or a lowerer.
pub fn is_front_end(file: &SourceFile) -> bool {
    language_of(file).is_some()
}

/// The language that a file of a checker or a lowerer belongs to.
fn language_of(file: &SourceFile) -> Option<&str> {
    match file.module.as_slice() {
        [first, language, part, ..] if first == "languages" => {
            PARTS.contains(&part.as_str()).then_some(language)
        }
        _ => None,
    }
}

/// The folder of a cycle below `languages`; the language if it is in both.
fn folder_of(group: &[usize], files: &[SourceFile]) -> String {
    let folders: BTreeSet<String> = group
        .iter()
        .map(|file| files[*file].module[1..3].join("/"))
        .collect();
    match folders.len() {
        1 => folders.into_iter().next().expect("one element"),
        _ => files[group[0]].module[1].clone(),
    }
}

#[test]
fn checkers_and_lowerers_call_each_other_in_cycles_only_to_recurse() {
    let files = source_files();
    // Checker and lowerer of a language together.
    let is_within_one = |call: &Call| {
        let language = language_of(&files[call.from]);
        language.is_some() && language == language_of(&files[call.to])
    };
    let mut calls = calls_between(files);
    calls.retain(is_within_one);
    let mut problems = Vec::new();
    let mut unused: Vec<_> = RECURSIONS.iter().collect();
    for group in cycles(&calls) {
        let (folder, names) = (folder_of(&group, files), names_of(&group, files));
        let row = unused
            .iter()
            .position(|(listed, files, _)| *listed == folder && *files == names);
        if let Some(row) = row {
            unused.remove(row);
            continue;
        }
        problems.push(format!(
            "files of languages/{folder} call each other in a cycle: {names}"
        ));
        problems.extend(calls_inside(&group, &calls, files));
    }
    for (folder, names, _) in unused {
        problems.push(format!(
            "languages/{folder} has no cycle {names}: remove the exception"
        ));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
