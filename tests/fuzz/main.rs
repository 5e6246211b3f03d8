//! Whatever is typed, loaded or piped in: no panic, no hang, and going back is exact.
//!
//! Every input comes from a seed and its own number, so each can be made again by itself:
//!
//! ```text
//! cargo test --test fuzz                                          a few seconds, with every test run
//! FUZZ_INPUTS=10000000 FUZZ_SESSIONS=100000 \
//!   cargo test --profile fuzz --test fuzz -- --nocapture          the long run
//! FUZZ_SEED=7                                                     other inputs
//! FUZZ_FROM=123456                                                not from the first one on
//! FUZZ_KEEP=/tmp/last                                             each input is written there before it is tried
//! ```

mod chance;
mod corpus;
mod guard;
mod mutate;
mod play;

use corpus::Corpus;
use gridbug::command::{handle_line, replay};
use gridbug::diagnostic::Diagnostic;
use gridbug::language::Language;
use gridbug::languages;
use gridbug::session::session_file::SessionFile;
use gridbug::session::{Session, json_answer};
use gridbug::source::{Origin, Source, Sources};
use guard::{Input, Run};
use mutate::mutated;

/// A text in a language.
struct Text(usize, String);

impl Input for Text {
    fn shown(&self) -> String {
        format!("{}\n{}", languages::ALL[self.0].info().name, self.1)
    }

    fn smaller(&self) -> Vec<Text> {
        self.1
            .smaller()
            .into_iter()
            .map(|text| Text(self.0, text))
            .collect()
    }
}

/// Every text goes through lexer, parser and checker, as a program and as an entry.
#[test]
fn no_text_breaks_a_parser() {
    let corpora = Corpus::all();
    let samples: Vec<Session> = languages::ALL.iter().map(|l| sample(*l)).collect();
    Run::of("parser", "FUZZ_INPUTS", 1_500).each(
        |chance| {
            let n = chance.below(corpora.len());
            Text(n, mutated(chance, &corpora[n], &corpora))
        },
        |Text(n, text)| read(corpora[*n].language, &samples[*n], text),
    );
}

fn sample(language: &'static dyn Language) -> Session {
    let mut session = Session::new(language, 1);
    assert!(session.load("sample", language.info().sample).ok);
    session
}

/// All that a language can be asked about a text.
fn read(language: &'static dyn Language, session: &Session, text: &str) {
    language.is_incomplete(text, &language.empty_program());
    let mut end = 0;
    for (range, _) in language.highlight(text) {
        assert!(
            range.start >= end && range.end >= range.start,
            "the parts of the text overlap at {range:?}"
        );
        assert!(
            text.get(range.clone()).is_some(),
            "a part of the text lies between characters: {range:?}"
        );
        end = range.end;
    }
    let mut sources = Sources::default();
    // So that spans of the sample and of this text are not taken for each other.
    for source in session.sources.iter() {
        sources.add(source.origin.clone(), source.text.clone());
    }
    let source = sources.add(Origin::File("fuzz".into()), text);
    match language.compile_file(&source) {
        Ok(compiled) => well_placed(&compiled.warnings, &source),
        Err(wrong) => {
            assert!(
                wrong.iter().any(Diagnostic::is_error),
                "refused without a reason"
            );
            well_placed(&wrong, &source);
        }
    }
    let entry = sources.add(Origin::Entry(1), text);
    if let Err(wrong) = language.compile_entry(&entry, session.program(), None) {
        assert!(
            wrong.iter().any(Diagnostic::is_error),
            "refused without a reason"
        );
        well_placed(&wrong, &entry);
    }
}

/// Whatever is told has a place that is in the text, between characters, and some words.
fn well_placed(told: &[Diagnostic], source: &Source) {
    for diagnostic in told {
        assert!(
            !diagnostic.message.is_empty(),
            "{} without words",
            diagnostic.code
        );
        for span in diagnostic.span.iter().filter(|s| s.source == source.id) {
            let part = source.text.get(span.start as usize..span.end as usize);
            assert!(
                part.is_some(),
                "{} points to {span:?}, which is no place",
                diagnostic.code
            );
        }
    }
}

/// Session files: what is read can be written, and is then read as the same.
#[test]
fn no_session_file_breaks_the_reader() {
    let corpora = Corpus::all();
    let files: Vec<String> = corpora
        .iter()
        .flat_map(|c| c.session_files.clone())
        .collect();
    Run::of("session file", "FUZZ_FILES", 300).each(
        |chance| mutate::lines(chance, &files),
        |text| {
            let Ok(file) = SessionFile::parse(text) else {
                return;
            };
            let again = SessionFile::parse(&file.to_text()).expect("what was written can be read");
            assert_eq!(
                again.to_text(),
                file.to_text(),
                "written once more it is another file"
            );
        },
    );
}

/// Damaged session files are played as far as they go.
#[test]
fn no_session_file_breaks_the_session() {
    let corpora = Corpus::all();
    let files: Vec<String> = corpora
        .iter()
        .flat_map(|c| c.session_files.clone())
        .collect();
    guard::elsewhere();
    Run::of("replay", "FUZZ_REPLAYS", 12).each(
        |chance| mutate::lines(chance, &files),
        |text| {
            let Ok(mut file) = SessionFile::parse(text) else {
                return;
            };
            file.items.retain(|part| !play::touches_files(part));
            // A file that is not there, a language that is not there: told, not more.
            let _ = replay(&file, std::path::Path::new("nowhere"), None);
        },
    );
}

/// Lines to the prompt: commands, half commands, rubbish. Each answer is one line of JSON.
#[test]
fn no_line_breaks_the_prompt() {
    let corpora = Corpus::all();
    guard::elsewhere();
    Run::of("line", "FUZZ_LINES", 150).each(
        |chance| play::Script::lines(chance, &corpora),
        |script| {
            let mut session = script.begun();
            for line in &script.lines {
                let reply = handle_line(&mut session, line);
                let json = json_answer(&session, &reply).to_string();
                assert!(!json.contains('\n'), "an answer of several lines");
                serde_json::from_str::<serde_json::Value>(&json)
                    .expect("an answer that is no JSON");
            }
        },
    );
}

/// Whole sessions: definitions, actions, debugger commands in any order, time travel.
#[test]
fn no_session_breaks_the_machine() {
    let corpora = Corpus::all();
    guard::elsewhere();
    Run::of("session", "FUZZ_SESSIONS", 60).each(
        |chance| play::Script::make(chance, &corpora),
        play::Script::play,
    );
    std::fs::remove_dir(play::journals()).expect("a folder of nothing but journals that were read");
}
