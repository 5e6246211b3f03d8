//! The files of one type do not call each other in cycles.

use std::collections::BTreeSet;

use crate::front_ends::is_front_end;
use crate::source::{SourceFile, source_files};
use crate::types::{Call, Types};

/// Cycles that remain: the type, its files without folders and extensions, and the reason. Those of the
/// checkers and lowerers are in `front_ends`.
const CYCLES: &[(&str, &str, &str)] = &[(
    "View",
    "answers prompt",
    "an answer can ask for the next line, such as a prediction, and a line has an answer",
)];

/// The groups of files that call each other in cycles, each sorted.
pub fn cycles(calls: &BTreeSet<Call>) -> Vec<Vec<usize>> {
    let reachable = |start: usize| {
        let mut found = BTreeSet::new();
        let mut open = vec![start];
        while let Some(file) = open.pop() {
            for call in calls.iter().filter(|c| c.from == file) {
                if found.insert(call.to) {
                    open.push(call.to);
                }
            }
        }
        found
    };
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for file in calls.iter().map(|c| c.from).collect::<BTreeSet<_>>() {
        let reached = reachable(file);
        let is_known = groups.iter().any(|group| group.contains(&file));
        if reached.contains(&file) && !is_known {
            let returns = |other: &usize| reachable(*other).contains(&file);
            groups.push(reached.iter().copied().filter(returns).collect());
        }
    }
    groups
}

/// The names of files without folders and extensions, sorted.
pub fn names_of(group: &[usize], files: &[SourceFile]) -> String {
    let mut names: Vec<&str> = group.iter().map(|file| files[*file].stem()).collect();
    names.sort();
    names.join(" ")
}

/// The calls between the files of a group, one per line.
pub fn calls_inside(group: &[usize], calls: &BTreeSet<Call>, files: &[SourceFile]) -> Vec<String> {
    let is_inside = |c: &&Call| group.contains(&c.from) && group.contains(&c.to);
    let show = |call: &Call| {
        let (from, to) = (&files[call.from].path, &files[call.to].path);
        format!("  {from} calls {} of {to}", call.method)
    };
    calls.iter().filter(is_inside).map(show).collect()
}

#[test]
fn files_of_one_type_do_not_call_each_other_in_cycles() {
    let files = source_files();
    let types = Types::new(files);
    let mut problems = Vec::new();
    let mut unused: Vec<_> = CYCLES.iter().collect();
    for (n, calls) in types.calls() {
        let label = &types.types[n].label;
        if calls.iter().all(|call| is_front_end(&files[call.from])) {
            continue;
        }
        for group in cycles(&calls) {
            let names = names_of(&group, files);
            let row = unused
                .iter()
                .position(|(name, files, _)| name == label && **files == names);
            if let Some(row) = row {
                unused.remove(row);
                continue;
            }
            problems.push(format!(
                "the files of {label} call each other in a cycle: {names}"
            ));
            problems.extend(calls_inside(&group, &calls, files));
        }
    }
    for (label, files, _) in unused {
        problems.push(format!(
            "the files of {label} have no cycle {files}: remove the exception"
        ));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn cycles_are_found_without_the_files_that_lead_to_them() {
    let call = |from, to| Call {
        from,
        to,
        method: "m",
    };
    let open: BTreeSet<Call> = [call(0, 1), call(1, 2), call(0, 2)].into();
    assert!(cycles(&open).is_empty());
    let closed: BTreeSet<Call> = [
        call(0, 1),
        call(1, 2),
        call(2, 1),
        call(2, 3),
        call(4, 5),
        call(5, 4),
    ]
    .into();
    assert_eq!(cycles(&closed), [vec![1, 2], vec![4, 5]]);
}
