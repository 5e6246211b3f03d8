//! The files of the programs that a session has loaded: which one the current program belongs to,
//! and what has changed since it was loaded or saved.

use crate::debugger::Target;
use crate::diagnostic::Diagnostic;
use crate::language::{ProgramPart, ProgramState, ProgramText};
use crate::source::{SourceId, Span};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// A program that was loaded, or that is being typed, and its file.
#[derive(Clone, Debug, Default)]
pub struct ProgramFile {
    /// The text as it was loaded; `None` if the program was typed at the prompt.
    pub source: Option<SourceId>,
    /// Where `:save` writes; `None` if the program has no file yet.
    pub path: Option<String>,
    /// What the file contained when it was last read or written; `None` if it was neither.
    pub disk_text: Option<String>,
    /// Whether the program is written in the layout of its language, rather than as it was typed.
    pub is_formatted: bool,
    /// What the files of its preludes contained when they were last written.
    prelude_texts: HashMap<SourceId, String>,
    /// The definitions that it has, with those of its preludes, when it was loaded or last saved.
    saved_items: Vec<SavedItem>,
}

/// A definition that is in a file.
#[derive(Clone, Debug, PartialEq)]
struct SavedItem {
    part: ProgramPart,
    key: String,
    span: Span,
}

/// The file of a prelude.
pub struct PreludeFile {
    /// The prelude, as a part of the program.
    pub part: ProgramPart,
    /// Where it was read from.
    pub path: String,
    /// What the file contained when it was last read or written.
    pub disk_text: String,
}

/// The programs that a session has loaded, in that order; the first one may have been typed.
#[derive(Debug)]
pub struct ProgramFiles {
    /// Never empty.
    all: Vec<ProgramFile>,
}

impl Default for ProgramFiles {
    fn default() -> ProgramFiles {
        ProgramFiles {
            all: vec![ProgramFile::default()],
        }
    }
}

impl ProgramFiles {
    /// The file of the current program. An undone `:load` leaves the program of the file before.
    pub fn current(&self, target: &Target) -> &ProgramFile {
        &self.all[self.index(target)]
    }

    /// The file of the current program.
    pub fn current_mut(&mut self, target: &Target) -> &mut ProgramFile {
        let index = self.index(target);
        &mut self.all[index]
    }

    fn index(&self, target: &Target) -> usize {
        if self.all.len() == 1 {
            return 0;
        }
        let entries = target.timeline.entries();
        let is_loaded = |id: SourceId| {
            // The entries before the first one were dropped to save memory.
            let first = entries.first().and_then(|entry| entry.source);
            first.is_some_and(|first| id < first)
                || entries.iter().any(|entry| entry.source == Some(id))
        };
        self.all
            .iter()
            .rposition(|file| file.source.is_some_and(is_loaded))
            .unwrap_or(0)
    }

    /// Adds a program that was loaded and is now the current one.
    pub fn add(&mut self, target: &Target, source: SourceId, path: &str) {
        self.all.push(ProgramFile {
            source: Some(source),
            path: Some(path.to_string()),
            ..ProgramFile::default()
        });
        self.current_mut(target).saved_items = self.items(target);
    }

    /// Forgets the programs before the current one.
    pub fn forget_others(&mut self, target: &Target) {
        let current = self.index(target);
        self.all = vec![self.all.swap_remove(current)];
    }

    /// Records that a part of the current program was written to a file.
    pub fn set_saved(&mut self, target: &Target, part: ProgramPart, path: &str, text: &str) {
        let mut now = self.items(target);
        now.retain(|item| item.part == part);
        let file = self.current_mut(target);
        match part {
            ProgramPart::Game => {
                file.path = Some(path.to_string());
                file.disk_text = Some(text.to_string());
            }
            ProgramPart::Prelude(id) => drop(file.prelude_texts.insert(id, text.to_string())),
        }
        file.saved_items.retain(|item| item.part != part);
        file.saved_items.extend(now);
    }

    /// Records that a prelude was added to the current program.
    pub fn add_prelude(&mut self, target: &Target, id: SourceId) {
        let mut items = self.items(target);
        items.retain(|item| item.part == ProgramPart::Prelude(id));
        self.current_mut(target).saved_items.extend(items);
    }

    /// The preludes of the current program, with the text that their files are known to have.
    pub fn preludes(&self, target: &Target) -> Vec<PreludeFile> {
        let written = &self.current(target).prelude_texts;
        let files = target.preludes().into_iter().map(|source| PreludeFile {
            part: ProgramPart::Prelude(source.id),
            path: source.origin.to_string(),
            disk_text: written.get(&source.id).unwrap_or(&source.text).clone(),
        });
        files.collect()
    }

    /// The paths of the preludes.
    pub fn prelude_paths(&self, target: &Target) -> Vec<String> {
        let preludes = target.preludes();
        preludes.iter().map(|p| p.origin.to_string()).collect()
    }

    fn state<'t>(&self, target: &'t Target) -> ProgramState<'t> {
        let entries = target.timeline.entries().iter();
        ProgramState {
            language: target.language(),
            program: target.program(),
            sources: &target.sources,
            file: self.current(target).source,
            entries: entries
                .filter(|entry| !entry.is_dry_run())
                .filter_map(|entry| entry.source)
                .collect(),
        }
    }

    /// A part of the current program as the text of the file `path`.
    pub fn text(&self, target: &Target, part: ProgramPart, path: &str) -> ProgramText {
        let name = Path::new(path).file_stem().unwrap_or_default();
        let text = self.state(target).text(part, &name.to_string_lossy());
        match self.current(target).is_formatted && part == ProgramPart::Game {
            true => text.formatted(target.language()),
            false => text,
        }
    }

    /// Why a file with this text, in place of that of the part, cannot be loaded.
    pub fn load_error(
        &self,
        target: &Target,
        part: ProgramPart,
        path: &str,
        text: &str,
    ) -> Option<Diagnostic> {
        self.state(target).load_error(part, path, text)
    }

    /// The definitions of the game and its preludes.
    fn items(&self, target: &Target) -> Vec<SavedItem> {
        let items = self.state(target).items().into_iter();
        let saved = items.map(|(part, item)| SavedItem {
            part,
            key: item.key,
            span: item.span,
        });
        saved.collect()
    }

    /// What was added or replaced since the program was loaded or saved.
    pub fn changed_items(&self, target: &Target) -> Vec<(ProgramPart, String)> {
        let saved = self.current(target).saved_items.iter();
        let saved: HashMap<&str, Span> = saved.map(|item| (item.key.as_str(), item.span)).collect();
        let mut items = self.items(target);
        items.retain(|item| saved.get(item.key.as_str()) != Some(&item.span));
        items
            .into_iter()
            .map(|item| (item.part, item.key))
            .collect()
    }

    /// How many definitions were added, replaced or deleted since the program was loaded or saved.
    pub fn unsaved_count(&self, target: &Target) -> usize {
        let items = self.items(target);
        let parts: HashSet<ProgramPart> = items.iter().map(|item| item.part).collect();
        let keys: HashSet<&str> = items.iter().map(|item| item.key.as_str()).collect();
        // An undone `:load` of a prelude deletes nothing from its file.
        let is_deleted = |item: &&SavedItem| {
            (item.part == ProgramPart::Game || parts.contains(&item.part))
                && !keys.contains(item.key.as_str())
        };
        let deleted = self.current(target).saved_items.iter().filter(is_deleted);
        self.changed_items(target).len() + deleted.count()
    }
}
