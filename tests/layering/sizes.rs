//! A type is small enough to hold in one's head.

use crate::source::source_files;
use crate::types::Types;

/// The most methods that a type may have.
const MAX_METHODS: usize = 80;

/// The most files that the methods of a type may be in.
const MAX_FILES: usize = 20;

/// Limits of single types, as methods and files: more for the two that everything else is built on, the
/// machine and what is debugged; less for a session, which only connects others.
const LIMITS: &[(&str, usize, usize)] = &[
    ("Machine", 150, MAX_FILES),
    ("Session", 45, 6),
    ("Target", 150, MAX_FILES),
];

/// Types that are larger: exactly this many methods in this many files, and the reason.
const EXCEPTIONS: &[(&str, usize, usize, &str)] = &[];

#[test]
fn types_are_small() {
    let types = Types::new(source_files()).types;
    let mut problems = Vec::new();
    let mut unused: Vec<_> = EXCEPTIONS.iter().collect();
    for t in &types {
        let (methods, files) = (t.methods.len(), t.files().len());
        let limit = LIMITS.iter().find(|(name, ..)| *name == t.label);
        let (max_methods, max_files) = limit.map_or((MAX_METHODS, MAX_FILES), |l| (l.1, l.2));
        if methods <= max_methods && files <= max_files {
            continue;
        }
        let row = unused.iter().position(|(name, ..)| *name == t.label);
        match row.map(|row| unused.remove(row)) {
            None => problems.push(format!(
                "{} has {methods} methods in {files} files, more than {max_methods} in {max_files}",
                t.label
            )),
            Some((name, listed_methods, listed_files, _)) => {
                if (methods, files) != (*listed_methods, *listed_files) {
                    problems.push(format!(
                        "{name} has {methods} methods in {files} files: change the exception, which \
                         says {listed_methods} in {listed_files}"
                    ));
                }
            }
        }
    }
    for (name, ..) in unused {
        problems.push(format!("{name} is small enough: remove the exception"));
    }
    for (name, ..) in LIMITS {
        if !types.iter().any(|t| t.label == *name) {
            problems.push(format!("there is no {name}: remove it from LIMITS"));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
