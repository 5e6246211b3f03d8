//! The files of the programs that a session has loaded: which one the current program belongs to,
//! and what has changed since it was loaded or saved.

use crate::debugger::Target;
use crate::language::{ProgramState, ProgramText};
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
    /// The definitions that it has, when it was loaded or last saved.
    saved_items: Vec<(String, Span)>,
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

    /// Records that the current program was written to a file.
    pub fn set_saved(&mut self, target: &Target, path: &str, text: &str) {
        let saved_items = self.items(target);
        let file = self.current_mut(target);
        file.path = Some(path.to_string());
        file.disk_text = Some(text.to_string());
        file.saved_items = saved_items;
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

    /// The current program as the text of the file `path`.
    pub fn text(&self, target: &Target, path: &str) -> ProgramText {
        let name = Path::new(path).file_stem().unwrap_or_default();
        let text = self.state(target).text(&name.to_string_lossy());
        match self.current(target).is_formatted {
            true => text.formatted(target.language()),
            false => text,
        }
    }

    /// What identifies the program's definitions.
    fn items(&self, target: &Target) -> Vec<(String, Span)> {
        let items = self.state(target).items().into_iter();
        items.map(|item| (item.key, item.span)).collect()
    }

    /// How many definitions were added, replaced or deleted since the program was loaded or saved.
    pub fn unsaved_count(&self, target: &Target) -> usize {
        let items = self.items(target);
        let saved = &self.current(target).saved_items;
        let saved_spans: HashMap<&str, Span> = saved
            .iter()
            .map(|(key, span)| (key.as_str(), *span))
            .collect();
        let changed = items
            .iter()
            .filter(|(key, span)| saved_spans.get(key.as_str()) != Some(span));
        let keys: HashSet<&str> = items.iter().map(|(key, _)| key.as_str()).collect();
        let deleted = saved.iter().filter(|(key, _)| !keys.contains(key.as_str()));
        changed.count() + deleted.count()
    }
}
