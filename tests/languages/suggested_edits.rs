//! Corrections that messages suggest with "did you mean" can be applied to the program.

use gridbug::languages;
use gridbug::source::{Origin, Sources};
use std::path::Path;

/// The messages of a program with `did you mean`, each with the program after its correction.
fn corrections(language: &str, text: &str) -> Vec<(String, Option<String>)> {
    let language = languages::by_name(language).unwrap();
    let mut sources = Sources::with_rules("", "");
    let source = sources.add(Origin::File("program".into()), text);
    let diagnostics = match language.compile_file(&source) {
        Ok(compiled) => compiled.warnings,
        Err(errors) => errors,
    };
    let suggesting = diagnostics
        .iter()
        .filter(|d| d.message.contains("did you mean"));
    let correct = |d: &gridbug::diagnostic::Diagnostic| {
        let (span, replacement) = d.suggested_edit(&source)?;
        let mut corrected = text.to_string();
        corrected.replace_range(span.start as usize..span.end as usize, &replacement);
        Some(corrected)
    };
    suggesting
        .map(|d| (d.message.clone(), correct(d)))
        .collect()
}

#[test]
fn every_suggestion_of_the_corpus_corrects_its_error() {
    let mut count = 0;
    for language in languages::ALL.iter().map(|l| l.info().name) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/corpus")
            .join(language)
            .join("err");
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            for (message, corrected) in corrections(language, &text) {
                let corrected =
                    corrected.unwrap_or_else(|| panic!("{}: no edit: {message}", path.display()));
                let remaining = corrections(language, &corrected);
                let before = corrections(language, &text).len();
                assert!(
                    remaining.len() < before || remaining.iter().all(|(m, _)| *m != message),
                    "{}: still {message} in\n{corrected}",
                    path.display()
                );
                count += 1;
            }
        }
    }
    assert!(count >= 10, "only {count} suggestions");
}

#[test]
fn a_misspelled_name_is_corrected_in_all_languages() {
    for (language, wrong, right) in [
        (
            "gridlok",
            "board { dimensions {1, 1} image {b.png} }\ndef count {1}\nfun f() { return cuont }",
            "return count",
        ),
        (
            "bogl",
            "game G\ncount : Int\ncount = 1\nf : Int -> Int\nf(x) = cuont + x",
            "= count + x",
        ),
        (
            "tinygame",
            "player hero { x = 0; }\nset hreo.x = 1;",
            "set hero.x",
        ),
    ] {
        let all = corrections(language, wrong);
        let [(_, Some(corrected))] = all.as_slice() else {
            panic!("{language}: {all:?}");
        };
        assert!(corrected.contains(right), "{language}: {corrected}");
        assert!(corrections(language, corrected).is_empty(), "{language}");
    }
}
