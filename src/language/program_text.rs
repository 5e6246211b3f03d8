//! Writes a program back as the text of a file: the file it was loaded from, with what was
//! redefined at the prompt in place and what was added where it belongs.

use super::Language;
use crate::code::Program;
use crate::diagnostic::Diagnostic;
use crate::source::{Origin, Source, SourceId, Sources, Span};
use serde::Serialize;
use std::collections::HashMap;
use std::ops::Range;

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
    /// What became of statements typed at the prompt.
    pub typed: TypedStatements,
    /// Why the file cannot be loaded, if the program is not complete yet.
    pub error: Option<Diagnostic>,
}

/// The text of a file that defines the program as it is now.
///
/// `entries` are the sources of the entries in effect, and `name` is the file's name without its
/// extension.
pub fn program_text(
    language: &dyn Language,
    program: &Program,
    sources: &Sources,
    entries: &[SourceId],
    name: &str,
) -> ProgramText {
    let mut items = language.program_items(program, sources);
    let statements: Vec<ProgramItem> = entries
        .iter()
        .filter_map(|&id| sources.get(id))
        .flat_map(|source| language.typed_statements(source))
        .collect();
    let count = statements.len();
    let (text, typed) = match base_source(language, &items, sources) {
        Some((source, base_items)) => (
            edited_text(language, source, &base_items, &items, sources),
            TypedStatements::LeftOut(count),
        ),
        None => {
            items.extend(statements);
            (
                new_text(language, &items, sources, name),
                TypedStatements::Added(count),
            )
        }
    };
    let check = Source::new(SourceId::default(), Origin::File(name.into()), text);
    let error = language.compile_file(&check).err();
    ProgramText {
        error: error.and_then(|errors| errors.into_iter().next()),
        typed: if count == 0 {
            TypedStatements::None
        } else {
            typed
        },
        text: check.text,
    }
}

/// The file that most of the program comes from, with its items. `None` if everything was typed
/// piece by piece.
fn base_source<'s>(
    language: &dyn Language,
    items: &[ProgramItem],
    sources: &'s Sources,
) -> Option<(&'s Source, Vec<ProgramItem>)> {
    let mut counts: HashMap<SourceId, usize> = HashMap::new();
    for item in items {
        *counts.entry(item.span.source).or_default() += 1;
    }
    let is_file = |id: SourceId| {
        sources
            .get(id)
            .is_some_and(|source| matches!(source.origin, Origin::File(_)))
    };
    // A file is the base even if only one of its definitions is left. A pasted game has several.
    let candidates = counts
        .into_iter()
        .filter(|&(id, count)| is_file(id) || count > 1)
        .max_by_key(|&(id, count)| (is_file(id), count, std::cmp::Reverse(id)));
    let source = sources.get(candidates?.0)?;
    let compiled = language.compile_file(source).ok()?;
    let base_items = language.program_items(&compiled.program, sources);
    Some((source, base_items))
}

/// A complete file made of items that were typed at the prompt.
fn new_text(
    language: &dyn Language,
    items: &[ProgramItem],
    sources: &Sources,
    name: &str,
) -> String {
    let frame = language.info().file_frame;
    let mut ordered: Vec<&ProgramItem> = items.iter().collect();
    ordered.sort_by_key(|item| item.section);
    let mut text = frame.start.replace("{name}", &capitalized_name(name));
    let mut previous: Option<(u8, bool)> = None;
    for item in ordered {
        let item_text = indented(language, &item_text(item, sources), frame.indentation);
        let is_long = item_text.contains('\n');
        // Short items of one section stay together.
        if previous
            .is_some_and(|(section, was_long)| section != item.section || was_long || is_long)
        {
            text.push('\n');
        }
        text.push_str(frame.indentation);
        text.push_str(&item_text);
        text.push('\n');
        previous = Some((item.section, is_long));
    }
    text.push_str(frame.end);
    text
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
    text: String,
}

/// The base text with everything that has changed since.
fn edited_text(
    language: &dyn Language,
    base: &Source,
    base_items: &[ProgramItem],
    items: &[ProgramItem],
    sources: &Sources,
) -> String {
    let current: HashMap<&str, &ProgramItem> =
        items.iter().map(|item| (item.key.as_str(), item)).collect();
    let mut edits = Vec::new();
    for group in base_items.chunk_by(|a, b| a.span == b.span) {
        let is_unchanged = |item: &ProgramItem| {
            current
                .get(item.key.as_str())
                .is_some_and(|now| now.span == item.span)
        };
        if group.iter().all(is_unchanged) {
            continue;
        }
        let versions = group
            .iter()
            .filter_map(|item| current.get(item.key.as_str()));
        let texts: Vec<String> = versions.map(|now| item_text(now, sources)).collect();
        edits.push(replacement(language, base, group[0].span, &texts));
    }
    let base_keys: HashMap<&str, &ProgramItem> = base_items
        .iter()
        .map(|item| (item.key.as_str(), item))
        .collect();
    let mut additions: Vec<&ProgramItem> = items
        .iter()
        .filter(|item| !base_keys.contains_key(item.key.as_str()))
        .collect();
    additions.sort_by_key(|item| item.section);
    for item in additions {
        edits.push(addition(language, base, base_items, item, sources));
    }
    // A stable sort: additions at one position keep their order and follow a replacement there.
    edits.sort_by_key(|edit| edit.range.start);
    apply(&base.text, &edits)
}

fn apply(text: &str, edits: &[Edit]) -> String {
    let mut result = String::with_capacity(text.len());
    let mut copied = 0;
    for edit in edits {
        // An item inside another one that was replaced goes with it.
        if edit.range.start < copied {
            continue;
        }
        result.push_str(&text[copied..edit.range.start]);
        result.push_str(&edit.text);
        copied = edit.range.end;
    }
    result.push_str(&text[copied..]);
    result
}

/// Replaces an item by its current versions, or deletes it with its line if there are none.
fn replacement(language: &dyn Language, base: &Source, span: Span, texts: &[String]) -> Edit {
    let range = span.start as usize..span.end as usize;
    if texts.is_empty() {
        return Edit {
            range: line_range_if_alone(&base.text, range),
            text: String::new(),
        };
    }
    let indentation = indentation_at(&base.text, range.start);
    let texts: Vec<String> = texts
        .iter()
        .map(|text| indented(language, text, indentation))
        .collect();
    Edit {
        range,
        text: texts.join(&format!("\n{indentation}")),
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
        return range;
    }
    match text[end..].split_once('\n') {
        Some((line, _)) if line.trim().is_empty() => start..end + line.len() + 1,
        _ => start..end,
    }
}

/// Adds an item after the last one of its section or of an earlier one.
fn addition(
    language: &dyn Language,
    base: &Source,
    base_items: &[ProgramItem],
    item: &ProgramItem,
    sources: &Sources,
) -> Edit {
    let before = base_items
        .iter()
        .filter(|other| other.section <= item.section)
        .max_by_key(|other| (other.section, other.span.end));
    let anchor = before.or_else(|| base_items.iter().min_by_key(|other| other.span.start));
    let text = item_text(item, sources);
    let Some(anchor) = anchor else {
        // The file has no items at all, only comments.
        let end = base.text.len();
        return Edit {
            range: end..end,
            text: format!("{}{text}\n", line_break_before(&base.text, end)),
        };
    };
    let indentation = indentation_at(&base.text, anchor.span.start as usize);
    let text = indented(language, &text, indentation);
    let anchor_text = base.slice(anchor.span);
    let is_apart =
        anchor.section != item.section || text.contains('\n') || anchor_text.contains('\n');
    let gap = if is_apart { "\n" } else { "" };
    if before.is_none() {
        let start = anchor.span.start as usize;
        return Edit {
            range: start..start,
            text: format!("{text}\n{gap}{indentation}"),
        };
    }
    let end = end_of_line_with_comment(language, &base.text, anchor.span.end as usize);
    // More code on the same line moves to the next.
    let rest = base.text[end..].lines().next().unwrap_or("");
    let (range, line_break) = match rest.trim().is_empty() {
        true => (end..end, String::new()),
        false => {
            let code = end + rest.len() - rest.trim_start().len();
            (end..code, format!("\n{indentation}"))
        }
    };
    Edit {
        range,
        text: format!("\n{gap}{indentation}{text}{line_break}"),
    }
}

fn line_break_before(text: &str, position: usize) -> &'static str {
    match text[..position].ends_with('\n') || position == 0 {
        true => "",
        false => "\n",
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

fn item_text(item: &ProgramItem, sources: &Sources) -> String {
    let text = match &item.text {
        Some(text) => text.as_str(),
        None => sources.slice(item.span),
    };
    text.trim_end().replace("\r\n", "\n")
}

/// A text whose lines after the first have an additional indentation. A text that already has it,
/// or with a string over several lines, is returned as it is.
fn indented(language: &dyn Language, text: &str, indentation: &str) -> String {
    let has_long_string = || {
        language
            .highlight(text)
            .into_iter()
            .any(|(range, class)| class == super::TokenClass::String && text[range].contains('\n'))
    };
    let is_indented = text.contains('\n')
        && text
            .lines()
            .next_back()
            .is_some_and(|last| last.starts_with(indentation));
    if indentation.is_empty() || is_indented || has_long_string() {
        return text.to_string();
    }
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default().to_string();
    lines.fold(first, |mut result, line| {
        result.push('\n');
        if !line.trim().is_empty() {
            result.push_str(indentation);
        }
        result.push_str(line);
        result
    })
}
