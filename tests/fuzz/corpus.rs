//! The seed corpus: every program, entry and session file of the repository, by language.

use gridbug::language::Language;
use gridbug::session::session_file::{ProgramRef, SessionFile, SessionItem};
use gridbug::source::{Origin, Sources};
use gridbug::{command, languages};
use std::path::{Path, PathBuf};

/// The seed corpus of one language.
pub struct Corpus {
    pub language: &'static dyn Language,
    pub programs: Vec<String>,
    /// Entries in the language.
    pub entries: Vec<String>,
    /// Debugger commands with their arguments.
    pub commands: Vec<String>,
    /// Answers to a program that asks for input.
    pub answers: Vec<String>,
    /// Single tokens of the language, and [`UNUSUAL_TOKENS`].
    pub tokens: Vec<String>,
    pub session_files: Vec<String>,
}

impl Corpus {
    pub fn all() -> Vec<Corpus> {
        languages::ALL
            .iter()
            .map(|language| Corpus::for_language(*language))
            .collect()
    }

    fn for_language(language: &'static dyn Language) -> Corpus {
        let info = language.info();
        let mut corpus = Corpus {
            language,
            programs: vec![info.sample.to_string()],
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
        for folder in ["sessions", "sessions/course", "tests/corpus"] {
            for path in files(&root.join(folder).join(info.name)) {
                let text = std::fs::read_to_string(&path).unwrap_or_default();
                match path.extension().is_some_and(|e| e == "session") {
                    true => corpus.add_session(&text),
                    false => corpus.programs.push(text),
                }
            }
        }
        corpus.add_definitions();
        corpus.add_tokens();
        corpus
    }

    fn add_session(&mut self, text: &str) {
        self.session_files.push(text.to_string());
        let Ok(file) = SessionFile::parse(text) else {
            return;
        };
        if let ProgramRef::Inline { text, .. } = file.program {
            self.programs.push(text);
        }
        for item in file.items {
            match item {
                SessionItem::Input(input) if input.is_answer => self.answers.push(input.text),
                SessionItem::Input(input) if input.text.starts_with(':') => {
                    self.commands.push(input.text)
                }
                SessionItem::Input(input) => self.entries.push(input.text),
                SessionItem::Exercise(exercise) => {
                    let solution = exercise.solution_inputs();
                    self.entries.extend(solution.into_iter().map(|s| s.text));
                }
                SessionItem::Comment(_)
                | SessionItem::EndOfInput
                | SessionItem::QuestionAnswer(_) => {}
            }
        }
    }

    /// Adds each definition and each line of the programs to the entries.
    fn add_definitions(&mut self) {
        for text in &self.programs {
            let mut sources = Sources::default();
            let source = sources.add(Origin::File("corpus".into()), text.as_str());
            if let Ok(compiled) = self.language.compile_file(&source) {
                let definitions = self.language.definitions(&compiled.program);
                self.entries.extend(
                    definitions
                        .iter()
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

    fn add_tokens(&mut self) {
        let info = self.language.info();
        let words = info
            .keywords
            .iter()
            .chain(info.builtins.iter().map(|(name, _)| name))
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
        tokens.extend(UNUSUAL_TOKENS.iter().map(|s| s.to_string()));
        tokens.sort();
        tokens.dedup();
        self.tokens = tokens;
    }
}

/// Boundary values, control characters, and unbalanced or deeply nested brackets.
const UNUSUAL_TOKENS: &[&str] = &[
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

/// All files below `folder`, in a fixed order.
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
