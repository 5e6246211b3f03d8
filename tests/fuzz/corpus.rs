//! What inputs are made of: every program, entry and session file of the repository, by language.

use gridbug::command;
use gridbug::language::Language;
use gridbug::languages;
use gridbug::session::session_file::{ProgramRef, SessionFile, SessionItem};
use gridbug::source::{Origin, Sources};
use std::path::{Path, PathBuf};

pub struct Corpus {
    pub language: &'static dyn Language,
    pub programs: Vec<String>,
    /// Entries in the language.
    pub entries: Vec<String>,
    /// Commands of the prompt, with their arguments.
    pub commands: Vec<String>,
    pub answers: Vec<String>,
    /// Words, signs and numbers of the language.
    pub tokens: Vec<String>,
    pub session_files: Vec<String>,
}

impl Corpus {
    pub fn all() -> Vec<Corpus> {
        languages::ALL
            .iter()
            .map(|language| Corpus::of(*language))
            .collect()
    }

    fn of(language: &'static dyn Language) -> Corpus {
        let about = language.info();
        let mut corpus = Corpus {
            language,
            programs: vec![about.sample.to_string()],
            entries: Vec::new(),
            commands: command::all().map(|c| c.example.to_string()).collect(),
            answers: [
                "1",
                "(0,1)",
                "(1,1)",
                "",
                "north",
                "\"x\"",
                "\u{1b}[2J",
                "-99999999999999999999",
            ]
            .map(String::from)
            .into(),
            tokens: Vec::new(),
            session_files: Vec::new(),
        };
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        for folder in ["sessions", "tests/corpus"] {
            for path in files(&root.join(folder).join(about.name)) {
                let text = std::fs::read_to_string(&path).unwrap_or_default();
                match path.extension().is_some_and(|e| e == "session") {
                    true => corpus.take_session(&text),
                    false => corpus.programs.push(text),
                }
            }
        }
        corpus.take_definitions();
        corpus.take_tokens();
        corpus
    }

    fn take_session(&mut self, text: &str) {
        self.session_files.push(text.to_string());
        let Ok(file) = SessionFile::parse(text) else {
            return;
        };
        if let ProgramRef::Inline { text, .. } = file.program {
            self.programs.push(text);
        }
        for part in file.items {
            match part {
                SessionItem::Input(typed) if typed.is_answer => self.answers.push(typed.text),
                SessionItem::Input(typed) if typed.text.starts_with(':') => {
                    self.commands.push(typed.text)
                }
                SessionItem::Input(typed) => self.entries.push(typed.text),
                SessionItem::Comment(_) | SessionItem::EndOfInput => {}
            }
        }
    }

    /// Each definition of a program is an entry, and each of its lines may be one.
    fn take_definitions(&mut self) {
        for text in &self.programs {
            let mut sources = Sources::default();
            let source = sources.add(Origin::File("corpus".into()), text.as_str());
            if let Ok(compiled) = self.language.compile_file(&source) {
                let all = self.language.definitions(&compiled.program);
                self.entries.extend(
                    all.iter()
                        .map(|d| source.slice(d.span).to_string())
                        .filter(|t| !t.is_empty()),
                );
            }
            self.entries.extend(
                text.lines()
                    .map(|l| l.trim().to_string())
                    .filter(|l| !l.is_empty()),
            );
        }
    }

    fn take_tokens(&mut self) {
        let about = self.language.info();
        let words = about
            .keywords
            .iter()
            .chain(about.builtins.iter().map(|(name, _)| name))
            .map(|w| w.to_string());
        let mut tokens: Vec<String> = words.collect();
        for text in self.programs.iter().chain(&self.entries) {
            tokens.extend(
                self.language
                    .highlight(text)
                    .into_iter()
                    .map(|(range, _)| text[range].to_string()),
            );
        }
        tokens.extend(STRANGE.iter().map(|s| s.to_string()));
        tokens.sort();
        tokens.dedup();
        self.tokens = tokens;
    }
}

/// What nobody types, and what breaks things.
const STRANGE: &[&str] = &[
    "9223372036854775807",
    "-9223372036854775808",
    "9999999999999999999999",
    "0",
    "-1",
    "1000000000",
    "é",
    "日本",
    "\u{0}",
    "\u{1b}[31m",
    "\u{202e}",
    "\u{feff}",
    "\r",
    "\r\n",
    "\n\n",
    "\t",
    "\"",
    "'",
    "`",
    "//",
    "/*",
    "#",
    "\\",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "{{{{{{{{",
    "}}}}}}}}",
    "((((((((",
    "[[[[[[[[",
    "- - - -",
    "NOT NOT NOT",
    "$",
    "@",
    "~",
    "…",
    "1.5",
    "0x10",
];

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => found.push(path),
        }
    }
    found.sort();
    found
}
