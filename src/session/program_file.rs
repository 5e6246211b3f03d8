//! The files of the programs that a session has loaded: which one the current program belongs to,
//! and what has changed since it was loaded or saved.

use super::Session;
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
    /// The definitions that it has, when it was loaded or last saved.
    saved_items: Vec<(String, Span)>,
}

impl Session {
    /// The file of the current program. An undone `:load` leaves the program of the file before.
    pub fn program_file(&self) -> &ProgramFile {
        &self.program_files[self.program_file_index()]
    }

    /// The file of the current program.
    pub fn program_file_mut(&mut self) -> &mut ProgramFile {
        let index = self.program_file_index();
        &mut self.program_files[index]
    }

    fn program_file_index(&self) -> usize {
        if self.program_files.len() == 1 {
            return 0;
        }
        let entries = self.target.timeline.entries();
        let is_loaded = |id: SourceId| {
            // The entries before the first one were dropped to save memory.
            let first = entries.first().and_then(|entry| entry.source);
            first.is_some_and(|first| id < first)
                || entries.iter().any(|entry| entry.source == Some(id))
        };
        self.program_files
            .iter()
            .rposition(|file| file.source.is_some_and(is_loaded))
            .unwrap_or(0)
    }

    /// Records that a program was loaded and is now the current one.
    pub(super) fn add_program_file(&mut self, source: SourceId, path: &str) {
        self.program_files.push(ProgramFile {
            source: Some(source),
            path: Some(path.to_string()),
            ..ProgramFile::default()
        });
        self.program_file_mut().saved_items = self.program_items();
    }

    /// Forgets the programs before the current one.
    pub(super) fn forget_other_programs(&mut self) {
        let current = self.program_file_index();
        self.program_files = vec![self.program_files.swap_remove(current)];
    }

    /// Makes plain line numbers refer to the current program, also after a `:load` was undone or
    /// has failed.
    pub fn update_main_source(&mut self) {
        let file = self.program_file();
        let has_path = file.path.is_some();
        let source = file.source.and_then(|id| self.target.sources.get(id));
        let name = source.map(|source| source.origin.to_string());
        self.target.file = name.clone().filter(|_| has_path);
        self.target.main_source = name;
    }

    /// Records that the current program was written to a file.
    pub fn set_saved(&mut self, path: &str, text: &str) {
        let saved_items = self.program_items();
        let file = self.program_file_mut();
        file.path = Some(path.to_string());
        file.disk_text = Some(text.to_string());
        file.saved_items = saved_items;
    }

    fn program_state(&self) -> ProgramState<'_> {
        let target = &self.target;
        let entries = target.timeline.entries().iter();
        ProgramState {
            language: target.language(),
            program: target.program(),
            sources: &target.sources,
            file: self.program_file().source,
            entries: entries
                .filter(|entry| !entry.is_dry_run())
                .filter_map(|entry| entry.source)
                .collect(),
        }
    }

    /// The current program as the text of the file `path`.
    pub fn program_text(&self, path: &str) -> ProgramText {
        let name = Path::new(path).file_stem().unwrap_or_default();
        self.program_state().text(&name.to_string_lossy())
    }

    /// What identifies the program's definitions.
    fn program_items(&self) -> Vec<(String, Span)> {
        let items = self.program_state().items().into_iter();
        items.map(|item| (item.key, item.span)).collect()
    }

    /// How many definitions were added, replaced or deleted since the program was loaded or saved.
    /// The tour has nothing to save, but the session that it interrupts may.
    pub fn unsaved_count(&self) -> usize {
        if self.tour.is_active {
            let own = self.tour.parked_session.as_ref();
            return own.map_or(0, |session| session.unsaved_count());
        }
        let items = self.program_items();
        let saved = &self.program_file().saved_items;
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
