//! Writes a program back as the text of a file: the file it was loaded from, with what was
//! redefined at the prompt in place and what was added where it belongs.
//!
//! ```text
//! item_text      the text of one item, with its comments
//! places         which items stay where they are, and where the others go
//! composed_text  a text that knows where its parts come from
//! ```

mod composed_text;
mod item_text;
mod places;

use super::{Language, compile_game, preludes_of};
use crate::code::Program;
use crate::diagnostic::Diagnostic;
use crate::source::{Origin, Source, SourceId, Sources, Span};
use composed_text::ComposedText;
use item_text::ItemText;
use places::{Anchor, Places};
use serde::Serialize;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// A part of a program that its file contains: a definition, or a line that sets up the game.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgramItem {
    /// What it defines; unique within a program. Items of a file that have the same key are
    /// versions of each other.
    pub key: String,
    /// In a new file, and for additions, items are in ascending order of their sections.
    pub section: u8,
    /// The text of the item, or of a statement that contains several items.
    pub span: Span,
    /// The item as it is written in a file, if that is not the text of the span.
    pub text: Option<String>,
}

impl ProgramItem {
    /// An item whose text is that of the span.
    pub fn new(key: impl Into<String>, section: u8, span: Span) -> ProgramItem {
        ProgramItem {
            key: key.into(),
            section,
            span,
            text: None,
        }
    }
}

/// What surrounds the items in a file.
#[derive(Clone, Copy, Debug)]
pub struct FileFrame {
    /// The text before the first item. `{name}` is the name of the file without its extension.
    pub start: &'static str,
    /// The text after the last item.
    pub end: &'static str,
    /// The indentation of an item.
    pub indentation: &'static str,
}

impl FileFrame {
    /// A file that consists of its items only.
    pub const NONE: FileFrame = FileFrame {
        start: "",
        end: "",
        indentation: "",
    };
}

/// What became of statements that were typed at the prompt, in a language whose programs consist of
/// statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TypedStatements {
    /// There are none.
    None,
    /// The program was typed from nothing, so this many of them are part of it.
    Added(usize),
    /// The program has a file; this many of them only continued its game.
    LeftOut(usize),
}

/// A program as the text of a file.
pub struct ProgramText {
    /// The text.
    pub text: String,
    /// The source and the line that each line of the text comes from.
    pub line_origins: Vec<Option<(SourceId, u32)>>,
    /// What became of statements typed at the prompt.
    pub typed: TypedStatements,
    /// Whether the program defines nothing.
    pub is_empty: bool,
}

/// The part of a program that is one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProgramPart {
    /// The game.
    Game,
    /// A prelude that the game uses.
    Prelude(SourceId),
}

/// A program whose text is wanted.
pub struct ProgramState<'a> {
    /// Its language.
    pub language: &'a dyn Language,
    /// The program as it is now.
    pub program: &'a Program,
    /// The texts that it was compiled from.
    pub sources: &'a Sources,
    /// The file that the game was loaded from; `None` if it was typed at the prompt.
    pub file: Option<SourceId>,
    /// The sources of the entries in effect.
    pub entries: Vec<SourceId>,
}

impl ProgramState<'_> {
    /// Everything that the files of the program contain, with the part that it belongs to.
    /// Statements typed at the prompt are part of a game that has no file.
    pub fn items(&self) -> Vec<(ProgramPart, ProgramItem)> {
        let support = self.language.prelude_support();
        let preludes = support.map(|support| support.item_keys(self.program));
        let preludes = preludes.unwrap_or_default();
        let items = self.language.program_items(self.program, self.sources);
        let with_part = |item: ProgramItem| match preludes.get(&item.key) {
            Some(prelude) => Some((ProgramPart::Prelude(*prelude), item)),
            // What comes from another file stays there.
            None => self
                .is_own(item.span.source)
                .then_some((ProgramPart::Game, item)),
        };
        let mut items: Vec<_> = items.into_iter().filter_map(with_part).collect();
        if self.file.is_none() {
            let typed = self.typed_statements().into_iter();
            items.extend(typed.map(|item| (ProgramPart::Game, item)));
        }
        items
    }

    fn is_own(&self, id: SourceId) -> bool {
        let is_file = |source: &Source| matches!(source.origin, Origin::File(_));
        self.file == Some(id) || !self.sources.get(id).is_some_and(|source| is_file(source))
    }

    /// The file that a part was loaded from.
    fn file_of(&self, part: ProgramPart) -> Option<SourceId> {
        match part {
            ProgramPart::Game => self.file,
            ProgramPart::Prelude(id) => Some(id),
        }
    }

    fn typed_statements(&self) -> Vec<ProgramItem> {
        let sources = self.entries.iter().filter_map(|&id| self.sources.get(id));
        sources
            .flat_map(|source| self.language.typed_statements(source))
            .collect()
    }

    /// The text of a file that defines a part. `name` is the name of the file without its
    /// extension.
    pub fn text(&self, part: ProgramPart, name: &str) -> ProgramText {
        let items = self.items().into_iter().filter(|(of, _)| *of == part);
        let items: Vec<ProgramItem> = items.map(|(_, item)| item).collect();
        let text = match self.base_source(part, &items) {
            Some((source, base_items)) => self.edited_text(source, &base_items, &items),
            None => self.new_text(&items, name),
        };
        let typed = match (self.typed_statements().len(), self.file_of(part)) {
            (0, _) => TypedStatements::None,
            (count, None) => TypedStatements::Added(count),
            (count, Some(_)) => TypedStatements::LeftOut(count),
        };
        ProgramText {
            line_origins: text.line_origins(self.sources),
            text: text.text().to_string(),
            typed,
            is_empty: items.is_empty(),
        }
    }

    /// Why a file with this text, in place of that of the part, cannot be loaded, if the program is
    /// not complete yet.
    pub fn load_error(&self, part: ProgramPart, name: &str, text: &str) -> Option<Diagnostic> {
        let mut preludes = preludes_of(self.language, self.program, self.sources);
        let source = |id| Source::new(id, Origin::File(name.into()), text);
        let result = match part {
            ProgramPart::Game => {
                compile_game(self.language, &preludes, &source(self.sources.next_id()))
            }
            ProgramPart::Prelude(id) => {
                let saved = preludes.iter_mut().find(|prelude| prelude.id == id)?;
                *saved = Arc::new(source(id));
                self.language.prelude_support()?.compile(&preludes, None)
            }
        };
        result.err()?.into_iter().next()
    }

    /// The text to edit, with its items: the file, or a whole game that was pasted at the prompt.
    /// `None` if everything was typed piece by piece.
    fn base_source(
        &self,
        part: ProgramPart,
        items: &[ProgramItem],
    ) -> Option<(&Source, Vec<ProgramItem>)> {
        let mut counts: HashMap<SourceId, usize> = HashMap::new();
        for item in items {
            *counts.entry(item.span.source).or_default() += 1;
        }
        let pasted = counts
            .into_iter()
            .filter(|&(_, count)| count > 1)
            .max_by_key(|&(id, count)| (count, std::cmp::Reverse(id)));
        let file = self.file_of(part).or(pasted.map(|(id, _)| id))?;
        let source = self.sources.get(file)?;
        let preludes = preludes_of(self.language, self.program, self.sources);
        let compiled = match part {
            ProgramPart::Game => compile_game(self.language, &preludes, source),
            ProgramPart::Prelude(_) => self.language.prelude_support()?.compile(&preludes, None),
        };
        let program = compiled.ok()?.program;
        let mut base_items = self.language.program_items(&program, self.sources);
        base_items.retain(|item| item.span.source == file);
        Some((source, base_items))
    }

    /// A complete file made of items that were typed at the prompt.
    fn new_text(&self, items: &[ProgramItem], name: &str) -> ComposedText {
        let frame = self.language.info().file_frame;
        let mut ordered: Vec<&ProgramItem> = items.iter().collect();
        ordered.sort_by_key(|item| item.section);
        let mut text = ComposedText::default();
        text.push_str(&frame.start.replace("{name}", &capitalized_name(name)));
        let mut previous: Option<(u8, bool)> = None;
        for item in ordered {
            let item_text = self.item_text(item);
            let is_long = item_text.is_long();
            if previous.is_some_and(|previous| is_apart(previous, (item.section, is_long))) {
                text.push_str("\n");
            }
            text.push_str(frame.indentation);
            text.append(item_text.compose(frame.indentation, "\n"));
            text.push_str("\n");
            previous = Some((item.section, is_long));
        }
        text.push_str(frame.end);
        text
    }

    fn item_text(&self, item: &ProgramItem) -> ItemText<'_> {
        ItemText::new(self.language, item, self.sources)
    }

    /// The base text with everything that has changed since. Items of one section keep the order
    /// that they have in the program: what was typed again in place of another order is moved.
    fn edited_text(
        &self,
        base: &Source,
        base_items: &[ProgramItem],
        items: &[ProgramItem],
    ) -> ComposedText {
        let places = Places::of(base_items, items);
        let current: HashMap<&str, &ProgramItem> =
            items.iter().map(|item| (item.key.as_str(), item)).collect();
        let is_unchanged = |item: &ProgramItem| {
            let now = current.get(item.key.as_str());
            now.is_some_and(|now| now.span == item.span)
        };
        let mut edits = Vec::new();
        for group in base_items.chunk_by(|a, b| a.span == b.span) {
            if !group.iter().all(is_unchanged) {
                let kept = group.iter().filter(|item| places.is_kept(item));
                let versions = kept.filter_map(|item| current.get(item.key.as_str()));
                edits.push(self.replacement(base, group[0].span, versions));
            }
        }
        for (anchor, additions) in places.additions {
            edits.extend(self.additions(base, anchor, &additions));
        }
        // What is added before an item precedes its replacement.
        edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        apply(base, edits)
    }

    /// Replaces an item by its current versions, or deletes it with its line if there are none.
    fn replacement<'i>(
        &self,
        base: &Source,
        span: Span,
        versions: impl Iterator<Item = &'i &'i ProgramItem>,
    ) -> Edit {
        let range = span.start as usize..span.end as usize;
        let (indentation, line_break) = (indentation_at(&base.text, range.start), line_break(base));
        let before = &base.text[..range.start];
        let mut text = ComposedText::default();
        for item in versions {
            if !text.text().is_empty() {
                text.push_str(line_break);
                text.push_str(indentation);
            }
            let item_text = self.item_text(item).without_repeated_comment(before);
            text.append(item_text.compose(indentation, line_break));
        }
        Edit {
            range: match text.text().is_empty() {
                true => line_range_if_alone(&base.text, range),
                false => range,
            },
            text,
        }
    }

    /// Adds items at one place.
    fn additions(&self, base: &Source, anchor: Anchor<'_>, items: &[&ProgramItem]) -> Vec<Edit> {
        let line_break = line_break(base);
        match anchor {
            // The file has no items at all, only comments.
            Anchor::End => {
                let end = base.text.len();
                let mut text = ComposedText::default();
                if end > 0 && !base.text.ends_with('\n') {
                    text.push_str(line_break);
                }
                for item in items {
                    text.append(self.item_text(item).compose("", line_break));
                    text.push_str(line_break);
                }
                vec![Edit {
                    range: end..end,
                    text,
                }]
            }
            Anchor::Before(anchor) => {
                let start = anchor.span.start as usize;
                let indentation = indentation_at(&base.text, start);
                let mut text = ComposedText::default();
                for item in items {
                    let item_text = self.item_text(item);
                    let next = (anchor.section, base.slice(anchor.span).contains('\n'));
                    let gap = match is_apart((item.section, item_text.is_long()), next) {
                        true => line_break,
                        false => "",
                    };
                    text.append(item_text.compose(indentation, line_break));
                    text.push_str(&format!("{line_break}{gap}{indentation}"));
                }
                vec![Edit {
                    range: start..start,
                    text,
                }]
            }
            Anchor::After(anchor) => vec![self.additions_after(base, anchor, items)],
        }
    }

    fn additions_after(&self, base: &Source, anchor: &ProgramItem, items: &[&ProgramItem]) -> Edit {
        let line_break = line_break(base);
        let indentation = indentation_at(&base.text, anchor.span.start as usize);
        let end = end_of_line_with_comment(self.language, &base.text, anchor.span.end as usize);
        let mut text = ComposedText::default();
        let mut previous = (anchor.section, base.slice(anchor.span).contains('\n'));
        for item in items {
            let item_text = self.item_text(item);
            let gap = match is_apart(previous, (item.section, item_text.is_long())) {
                true => line_break,
                false => "",
            };
            previous = (item.section, item_text.is_long());
            text.push_str(&format!("{line_break}{gap}{indentation}"));
            text.append(item_text.compose(indentation, line_break));
        }
        // More code on the same line moves to the next.
        let rest = base.text[end..].lines().next().unwrap_or("");
        let range = match rest.trim().is_empty() {
            true => end..end,
            false => {
                text.push_str(&format!("{line_break}{indentation}"));
                end..end + rest.len() - rest.trim_start().len()
            }
        };
        Edit { range, text }
    }
}

/// Whether a blank line is between two items, given by their section and whether they are long: short
/// items of one section stay together.
fn is_apart(a: (u8, bool), b: (u8, bool)) -> bool {
    a.0 != b.0 || a.1 || b.1
}

/// A name that can be used in a program: `my-game` becomes `MyGame`.
fn capitalized_name(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric());
    let capitalized = words.map(|word| {
        let mut chars = word.chars();
        let first = chars.next().map(|c| c.to_ascii_uppercase());
        first.into_iter().chain(chars).collect::<String>()
    });
    let name = capitalized.collect::<String>();
    match name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        true => name,
        false => format!("Game{name}"),
    }
}

/// A replacement of a range of the base text.
struct Edit {
    range: Range<usize>,
    text: ComposedText,
}

fn apply(base: &Source, edits: Vec<Edit>) -> ComposedText {
    let mut result = ComposedText::default();
    let mut copied = 0;
    for edit in edits {
        // An item inside another one that was replaced goes with it.
        if edit.range.start < copied {
            continue;
        }
        result.push_copy(base, copied..edit.range.start);
        result.append(edit.text);
        copied = edit.range.end;
    }
    result.push_copy(base, copied..base.text.len());
    result
}

/// The line break that a text uses.
fn line_break(base: &Source) -> &'static str {
    match base.text.contains("\r\n") {
        true => "\r\n",
        false => "\n",
    }
}

/// The whole lines of a range if nothing else is on them, and one blank line after them.
fn line_range_if_alone(text: &str, range: Range<usize>) -> Range<usize> {
    let start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[range.end..]
        .find('\n')
        .map_or(text.len(), |at| range.end + at + 1);
    let is_alone =
        text[start..range.start].trim().is_empty() && text[range.end..end].trim().is_empty();
    if !is_alone {
        // Spaces that would be left at the end of the line go, too.
        let is_last = text[range.end..end].trim().is_empty();
        let before = text[..range.start].trim_end_matches([' ', '\t']).len();
        return if is_last { before } else { range.start }..range.end;
    }
    match text[end..].split_once('\n') {
        Some((line, _)) if line.trim().is_empty() => start..end + line.len() + 1,
        _ => start..end,
    }
}

/// The end of the comments that follow `position` on its line.
fn end_of_line_with_comment(language: &dyn Language, text: &str, position: usize) -> usize {
    let line_end = text[position..]
        .find('\n')
        .map_or(text.len(), |at| position + at);
    let mut end = position;
    let rest = &text[position..line_end];
    for (range, class) in language.highlight(rest) {
        if class != super::TokenClass::Comment {
            break;
        }
        end = position + range.end;
    }
    end
}

/// The white space before a position, if there is nothing else before it on its line.
fn indentation_at(text: &str, position: usize) -> &str {
    let start = text[..position].rfind('\n').map_or(0, |at| at + 1);
    let before = &text[start..position];
    match before.trim().is_empty() {
        true => before,
        false => &before[..before.len() - before.trim_start().len()],
    }
}
