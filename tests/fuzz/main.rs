//! The fuzzer: no input causes a panic or a hang, and time travel is exact.
//!
//! Every input is derived from a seed and its number, so each can be reproduced alone:
//!
//! ```text
//! cargo test --test fuzz                            a few seconds, with every test run
//! FUZZ_INPUTS=10000000 FUZZ_SESSIONS=100000 \
//!   cargo test --profile fuzz --test fuzz -- --nocapture                  a long run
//! FUZZ_SEED=7                                       other inputs
//! FUZZ_FROM=123456                                  start at this input
//! FUZZ_KEEP=/tmp/last                               write each input to this file first
//! ```

mod corpus;
mod mutate;
mod rng;
mod runner;
mod script;

use corpus::Corpus;
use gridbug::command::{handle_line, replay_with_limits};
use gridbug::diagnostic::Diagnostic;
use gridbug::host::NativeHost;
use gridbug::language::Language;
use gridbug::languages;
use gridbug::protocol::answer_to_json_text;
use gridbug::session::Session;
use gridbug::session::Trust;
use gridbug::session::session_file::SessionFile;
use gridbug::source::{Origin, Source, Sources};
use mutate::{mutated_session_file, mutated_text};
use runner::{FuzzRun, Input, enter_scratch_folder};
use script::Script;
use std::rc::Rc;

/// A text and the index of its language in [`languages::ALL`].
struct Text(usize, String);

impl Input for Text {
    fn to_text(&self) -> String {
        format!("{}\n{}", languages::ALL[self.0].info().name, self.1)
    }

    fn shrink(&self) -> Vec<Text> {
        self.1
            .shrink()
            .into_iter()
            .map(|text| Text(self.0, text))
            .collect()
    }
}

/// Runs lexer, parser and checker on each text, as a program and as an entry.
#[test]
fn front_ends_never_panic() {
    let corpora = Corpus::all();
    let samples: Vec<Session> = languages::ALL.iter().map(|l| sample_session(*l)).collect();
    FuzzRun::new("parser", "FUZZ_INPUTS", 1_500).run(
        |rng| {
            let language = rng.below(corpora.len());
            Text(language, mutated_text(rng, &corpora[language], &corpora))
        },
        |Text(n, text)| check_front_end(corpora[*n].language, &samples[*n], text),
    );
}

fn sample_session(language: &'static dyn Language) -> Session {
    let mut session = Session::with_host(language, 1, Rc::new(NativeHost::new()));
    session.explorer.limits = script::search_limits();
    assert!(session.load("sample", language.info().sample).ok);
    session
}

/// Calls every function of a language that takes source text, and checks the results.
fn check_front_end(language: &'static dyn Language, session: &Session, text: &str) {
    language.is_incomplete(text, &language.empty_program());
    let mut end = 0;
    for (range, _) in language.highlight(text) {
        assert!(
            range.start >= end && range.end >= range.start,
            "highlighted ranges overlap at {range:?}"
        );
        assert!(
            text.get(range.clone()).is_some(),
            "the highlighted range {range:?} splits a character"
        );
        end = range.end;
    }
    let mut sources = Sources::default();
    // Give the text a source id that the sample does not use, so that their spans differ.
    for source in session.target.sources.iter() {
        sources.add(source.origin.clone(), source.text.clone());
    }
    let source = sources.add(Origin::File("fuzz".into()), text);
    match language.compile_file(&source) {
        Ok(compiled) => check_diagnostics(&compiled.warnings, &source),
        Err(diagnostics) => {
            assert!(
                diagnostics.iter().any(Diagnostic::is_error),
                "rejected without an error"
            );
            check_diagnostics(&diagnostics, &source);
        }
    }
    let entry = sources.add(Origin::Entry(1), text);
    if let Err(diagnostics) = language.compile_entry(&entry, session.target.program(), None) {
        assert!(
            diagnostics.iter().any(Diagnostic::is_error),
            "rejected without an error"
        );
        check_diagnostics(&diagnostics, &entry);
    }
}

/// Every diagnostic has a message, and a span on character boundaries inside the text.
fn check_diagnostics(diagnostics: &[Diagnostic], source: &Source) {
    for diagnostic in diagnostics {
        assert!(
            !diagnostic.message.is_empty(),
            "{} has no message",
            diagnostic.code
        );
        for span in diagnostic.span.iter().filter(|s| s.source == source.id) {
            let spanned = source.text.get(span.start as usize..span.end as usize);
            assert!(
                spanned.is_some(),
                "{} has an invalid span {span:?}",
                diagnostic.code
            );
        }
    }
}

/// Any session file that parses is the same after writing and parsing it again.
#[test]
fn session_files_survive_a_round_trip() {
    let corpora = Corpus::all();
    let files: Vec<String> = corpora
        .iter()
        .flat_map(|c| c.session_files.clone())
        .collect();
    FuzzRun::new("session file", "FUZZ_FILES", 300).run(
        |rng| mutated_session_file(rng, &files),
        |text| {
            let Ok(file) = SessionFile::parse(text) else {
                return;
            };
            let reparsed = SessionFile::parse(&file.to_text()).expect("written files should parse");
            assert_eq!(
                reparsed.to_text(),
                file.to_text(),
                "the file changes when it is written again"
            );
        },
    );
}

/// Replaying a damaged session file never panics.
#[test]
fn damaged_session_files_replay_without_a_panic() {
    let corpora = Corpus::all();
    let files: Vec<String> = corpora
        .iter()
        .flat_map(|c| c.session_files.clone())
        .collect();
    enter_scratch_folder();
    FuzzRun::new("replay", "FUZZ_REPLAYS", 12).run(
        |rng| mutated_session_file(rng, &files),
        |text| {
            let Ok(mut file) = SessionFile::parse(text) else {
                return;
            };
            file.items.retain(|item| !script::touches_files(item));
            // Missing files and unknown languages are reported as errors, which are fine here.
            let _ = replay_with_limits(
                &file,
                std::path::Path::new("nowhere"),
                Rc::new(NativeHost::new()),
                script::search_limits(),
                Trust::Beside,
            );
        },
    );
}

/// The reply to any line (commands, incomplete commands, garbage) is one line of valid JSON.
#[test]
fn every_line_gets_a_json_reply() {
    let corpora = Corpus::all();
    enter_scratch_folder();
    FuzzRun::new("line", "FUZZ_LINES", 150).run(
        |rng| Script::short(rng, &corpora),
        |script| {
            let mut session = script.start();
            for line in &script.lines {
                let reply = handle_line(&mut session, line);
                let json = answer_to_json_text(&session, &reply);
                assert!(!json.contains('\n'), "a JSON reply is more than one line");
                serde_json::from_str::<serde_json::Value>(&json)
                    .expect("the reply should be valid JSON");
            }
        },
    );
}

/// Whole sessions: definitions, actions, debugger commands in any order, time travel.
#[test]
fn sessions_keep_their_invariants() {
    let corpora = Corpus::all();
    enter_scratch_folder();
    FuzzRun::new("session", "FUZZ_SESSIONS", 60)
        .run(|rng| Script::session(rng, &corpora), Script::run);
    std::fs::remove_dir(script::journal_folder())
        .expect("the journal folder should be empty at the end");
}

/// Reusing iterations of loops over the board, whatever its size, changes no answer and no state.
#[test]
fn reuse_changes_nothing() {
    let corpora = Corpus::all();
    enter_scratch_folder();
    FuzzRun::new("reuse", "FUZZ_REUSE", 40).run(
        |rng| Script::session(rng, &corpora),
        Script::compare_with_and_without_reuse,
    );
}
