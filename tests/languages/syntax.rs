//! Snapshot tests for the parsers and checkers.
//!
//! Every file of `corpus/<language>/{ok,err}` has one snapshot with its text and either the syntax
//! tree or the diagnostics, so that both are reviewed together.

use std::fmt::Write;
use std::path::Path;

use gridbug::diagnostic::Diagnostic;
use gridbug::source::{Origin, Source, SourceId};

mod bogl;
mod gridlok;
mod tree;

/// The syntax tree in compact form, if parsing succeeded, and the diagnostics.
type Parsed = (Option<String>, Vec<Diagnostic>);

type ParseFn = fn(&Source) -> Parsed;

/// The folders of the corpus and the functions that parse their files.
const LANGUAGES: &[(&str, ParseFn)] = &[
    ("bogl", bogl::read),
    ("gridlok", gridlok::read),
    ("gridlang", tree::gridlang),
    ("sgl2d", tree::sgl2d),
    ("tinygame", tree::tinygame),
];

#[test]
fn valid_programs_give_the_expected_tree() {
    insta::glob!("../corpus", "*/ok/*", |path| {
        let (source, (tree, diagnostics)) = read(path);
        assert!(
            diagnostics.iter().all(|d| !d.is_error()),
            "{}: {diagnostics:?}",
            path.display()
        );
        snapshot(
            &source,
            &format!(
                "{}{}",
                tree.unwrap_or_default(),
                format_diagnostics(&source, &diagnostics)
            ),
        );
    });
}

#[test]
fn invalid_programs_give_the_expected_diagnostics() {
    insta::glob!("../corpus", "*/err/*", |path| {
        let (source, (_, diagnostics)) = read(path);
        assert!(
            diagnostics.iter().any(Diagnostic::is_error),
            "{} has no error",
            path.display()
        );
        snapshot(&source, &format_diagnostics(&source, &diagnostics));
    });
}

fn read(path: &Path) -> (Source, Parsed) {
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
    let parsed = read(&source);
    (source, parsed)
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

/// Formats diagnostics, one per line: span, code, message, then related spans and notes.
fn format_diagnostics(source: &Source, diagnostics: &[Diagnostic]) -> String {
    let position = |byte: u32| {
        let (line, column) = source.line_column(byte);
        format!("{line}:{column}")
    };
    let mut lines = String::new();
    for d in diagnostics {
        let at = d.span.map_or("-".to_string(), |span| {
            format!("{}-{}", position(span.start), position(span.end))
        });
        let _ = writeln!(
            lines,
            "{at} {} {} {}: {}",
            d.phase.as_str(),
            d.severity.as_str(),
            d.code,
            d.message
        );
        for (span, message) in &d.related {
            let _ = writeln!(lines, "    {}: {message}", position(span.start));
        }
        for note in &d.notes {
            let _ = writeln!(lines, "    note: {note}");
        }
    }
    lines
}
