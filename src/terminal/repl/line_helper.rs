//! The rustyline helper: syntax highlighting, bracket matching, inline hints and completion.

use crate::answer::Completion;
use crate::command::{self, CompletionContext};
use crate::language::TokenClass;
use crate::terminal::output::paint;
use crate::terminal::output::{escape_controls, is_terminal_control};
use owo_colors::{OwoColorize, Style};
use rustyline::completion::Completer;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::{Hint, Hinter};
use rustyline::history::SearchDirection;
use rustyline::validate::Validator;
use rustyline::{Context, Helper, Result};
use std::borrow::Cow;
use std::ops::Range;

/// Shorter lines get no hint from the history.
const MIN_HISTORY_HINT_BYTES: usize = 3;
/// Shorter words get no hint, even if only one completion is possible.
const MIN_NAME_HINT_BYTES: usize = 2;

/// Implements rustyline's traits on a snapshot of the session.
pub struct LineHelper {
    pub context: CompletionContext,
    pub color: bool,
}

impl Helper for LineHelper {}

/// Every line is accepted: [`super::line_reader`] joins the lines of an entry itself.
impl Validator for LineHelper {}

impl Completer for LineHelper {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> Result<(usize, Vec<String>)> {
        let completions = self.completions(&line[..at]);
        let start = completions.first().map_or(at, |c| c.range.start);
        Ok((start, completions.into_iter().map(|c| c.text).collect()))
    }
}

/// The dimmed suggestion after the cursor. The right arrow key inserts `completion`, if there is
/// one.
pub struct InlineHint {
    text: String,
    completion: Option<String>,
}

impl Hint for InlineHint {
    fn display(&self) -> &str {
        &self.text
    }

    fn completion(&self) -> Option<&str> {
        self.completion.as_deref()
    }
}

impl Hinter for LineHelper {
    type Hint = InlineHint;

    fn hint(&self, line: &str, at: usize, context: &Context<'_>) -> Option<InlineHint> {
        if line.trim().is_empty() || at < line.len() {
            return None;
        }
        if let Some(usage) = self.context.usage(line) {
            return Some(InlineHint {
                text: usage,
                completion: None,
            });
        }
        self.history_hint(line, context)
            .or_else(|| self.only_candidate(line))
    }
}

impl LineHelper {
    /// The completions of a line. Names with control characters are left out, because the line
    /// editor prints candidates unescaped.
    fn completions(&self, line: &str) -> Vec<Completion> {
        let mut completions = command::complete(&self.context, line);
        completions.retain(|completion| !completion.text.contains(is_terminal_control));
        completions
    }

    /// The rest of the most recent history entry that starts with `line`, up to its first newline.
    fn history_hint(&self, line: &str, context: &Context<'_>) -> Option<InlineHint> {
        if line.len() < MIN_HISTORY_HINT_BYTES {
            return None;
        }
        let last = context
            .history_index()
            .min(context.history().len().checked_sub(1)?);
        let hit = context
            .history()
            .starts_with(line, last, SearchDirection::Reverse)
            .ok()??;
        let rest = hit.entry.get(line.len()..)?.lines().next()?.to_string();
        (!rest.is_empty()).then(|| InlineHint {
            text: escape_controls(&rest).into_owned(),
            completion: Some(rest),
        })
    }

    /// The rest of the current word, if only one completion is possible.
    fn only_candidate(&self, line: &str) -> Option<InlineHint> {
        let completions = self.completions(line);
        let [completion] = completions.as_slice() else {
            return None;
        };
        let prefix = line.get(completion.range.clone())?;
        match completion.text.strip_prefix(prefix) {
            Some(rest) if prefix.trim_start_matches(':').len() >= MIN_NAME_HINT_BYTES => {
                Some(InlineHint {
                    text: rest.to_string(),
                    completion: Some(rest.to_string()),
                })
            }
            _ => None,
        }
    }
}

impl Highlighter for LineHelper {
    /// Pasted text can contain control characters, so everything is escaped before it is printed.
    fn highlight<'l>(&self, line: &'l str, at: usize) -> Cow<'l, str> {
        if !self.color || line.is_empty() {
            return escape_controls(line);
        }
        if self.context.is_command(line) {
            let (word, rest) = line.split_at(line.find(char::is_whitespace).unwrap_or(line.len()));
            return Cow::Owned(format!(
                "{}{}",
                escape_controls(word).bold(),
                escape_controls(rest)
            ));
        }
        let classes = token_classes(&self.context, line);
        let pair = matching_brackets(line, &classes, at);
        let mut out = String::with_capacity(line.len() * 2);
        let mut done = 0;
        for (range, class) in classes {
            let (Some(gap), Some(part)) = (line.get(done..range.start), line.get(range.clone()))
            else {
                continue;
            };
            out.push_str(&escape_controls(gap));
            let style = if pair.contains(&Some(range.start)) {
                Style::new().bold().underline()
            } else {
                style(class)
            };
            out.push_str(&escape_controls(part).style(style).to_string());
            done = range.end;
        }
        out.push_str(&escape_controls(&line[done..]));
        Cow::Owned(out)
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        if self.color {
            Cow::Owned(hint.dimmed().to_string())
        } else {
            Cow::Borrowed(hint)
        }
    }

    fn highlight_char(&self, line: &str, _: usize, kind: CmdKind) -> bool {
        self.color && kind != CmdKind::ForcedRefresh || line.contains(is_terminal_control)
    }
}

fn style(class: TokenClass) -> Style {
    let plain = Style::new();
    match class {
        TokenClass::Keyword => plain.bold(),
        TokenClass::Builtin => paint::xterm_color(paint::CYAN),
        TokenClass::String | TokenClass::Number => paint::xterm_color(paint::MAGENTA),
        TokenClass::Comment => plain.dimmed(),
        TokenClass::Invalid => paint::xterm_color(paint::RED),
        TokenClass::Name | TokenClass::Operator | TokenClass::Bracket => plain,
    }
}

/// The tokens of a line with their classes, lexed as part of the whole entry. A comment or string may
/// have started on a previous line.
fn token_classes(context: &CompletionContext, line: &str) -> Vec<(Range<usize>, TokenClass)> {
    let skip = context.previous_lines.len();
    let entry = format!("{}{line}", context.previous_lines);
    let classes = context.language.highlight(&entry).into_iter();
    classes
        .filter(|(range, _)| range.end > skip)
        .map(|(range, class)| (range.start.saturating_sub(skip)..range.end - skip, class))
        .collect()
}

/// The offsets of the bracket at or just before the cursor and of its partner. Brackets in strings
/// and comments are ignored.
fn matching_brackets(
    line: &str,
    classes: &[(std::ops::Range<usize>, TokenClass)],
    at: usize,
) -> [Option<usize>; 2] {
    let brackets: Vec<usize> = classes
        .iter()
        .filter(|(_, c)| *c == TokenClass::Bracket)
        .map(|(r, _)| r.start)
        .collect();
    let bytes = line.as_bytes();
    let opens = |b: usize| bytes.get(b).is_some_and(|c| b"([{".contains(c));
    let Some(here) = brackets
        .iter()
        .position(|&b| b == at)
        .or_else(|| brackets.iter().position(|&b| b + 1 == at))
    else {
        return [None, None];
    };
    let mut depth = 0;
    let is_forward = opens(brackets[here]);
    let candidates: Box<dyn Iterator<Item = &usize>> = if is_forward {
        Box::new(brackets[here..].iter())
    } else {
        Box::new(brackets[..=here].iter().rev())
    };
    for &b in candidates {
        depth += if opens(b) == is_forward { 1 } else { -1 };
        if depth == 0 {
            return [Some(brackets[here]), Some(b)];
        }
    }
    [None, None]
}
