//! Promise: what each language reads out of a text, and what it says about a wrong one.
//!
//! Every file of `corpus/<language>/{ok,err}` has one snapshot that holds the text and the result, so both are
//! reviewed together.

use std::fmt::Write;
use std::path::Path;

use gridbug::diagnostic::Diagnostic;
use gridbug::source::{Origin, Source, SourceId};

mod bogl;
mod gridlok;
mod tree;

/// The tree in a compact form, if there is one, and all that is to be told.
type Reading = (Option<String>, Vec<Diagnostic>);

type Read = fn(&Source) -> Reading;

/// The folders of the corpus, and how their files are read.
const LANGUAGES: &[(&str, Read)] = &[
    ("bogl", bogl::read),
    ("gridlok", gridlok::read),
    ("gridlang", tree::gridlang),
    ("sgl2d", tree::sgl2d),
    ("tinygame", tree::tinygame),
];

#[test]
fn right_texts() {
    insta::glob!("../corpus", "*/ok/*", |path| {
        let (source, (tree, found)) = read(path);
        assert!(
            found.iter().all(|d| !d.is_error()),
            "{}: {found:?}",
            path.display()
        );
        snapshot(
            &source,
            &format!("{}{}", tree.unwrap_or_default(), told(&source, &found)),
        );
    });
}

#[test]
fn wrong_texts() {
    insta::glob!("../corpus", "*/err/*", |path| {
        let (source, (_, found)) = read(path);
        assert!(
            found.iter().any(Diagnostic::is_error),
            "{} has no error",
            path.display()
        );
        snapshot(&source, &told(&source, &found));
    });
}

fn read(path: &Path) -> (Source, Reading) {
    let folder = path
        .ancestors()
        .nth(2)
        .and_then(Path::file_name)
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    let (_, read) = LANGUAGES
        .iter()
        .find(|(name, _)| *name == folder)
        .expect("a language for each folder of the corpus");
    let text = std::fs::read_to_string(path).expect("a readable file");
    let source = Source::new(SourceId(0), Origin::File(folder.to_string()), text);
    let reading = read(&source);
    (source, reading)
}

fn snapshot(source: &Source, result: &str) {
    let both = format!(
        "{}\n--------\n{}",
        source.text.trim_end(),
        result.trim_end()
    );
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("corpus", both);
    });
}

/// Diagnostics as lines: place, code, message, then what else they say.
fn told(source: &Source, found: &[Diagnostic]) -> String {
    let place = |byte: u32| {
        let (line, column) = source.line_column(byte);
        format!("{line}:{column}")
    };
    let mut lines = String::new();
    for d in found {
        let at = d.span.map_or("-".to_string(), |span| {
            format!("{}-{}", place(span.start), place(span.end))
        });
        let _ = writeln!(
            lines,
            "{at} {} {} {}: {}",
            d.phase.as_str(),
            d.severity.as_str(),
            d.code,
            d.message
        );
        for (span, words) in &d.related {
            let _ = writeln!(lines, "    {}: {words}", place(span.start));
        }
        for note in &d.notes {
            let _ = writeln!(lines, "    note: {note}");
        }
    }
    lines
}
