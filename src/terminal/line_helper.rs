//! The rustyline helper: syntax highlighting, bracket matching, inline hints and completion.

use super::completion_context::CompletionContext;
use super::line_completion;
use super::output::{escape_controls, is_terminal_control};
use super::paint;
use crate::command;
use crate::language::TokenClass;
use owo_colors::{OwoColorize, Style};
use rustyline::completion::Completer;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::{Hint, Hinter};
use rustyline::history::SearchDirection;
use rustyline::validate::Validator;
use rustyline::{Context, Helper, Result};
use std::borrow::Cow;

/// Shorter lines get no hint from the history.
const MIN_HISTORY_HINT_BYTES: usize = 3;
/// Shorter words get no hint, even if only one completion is possible.
const MIN_NAME_HINT_BYTES: usize = 2;

/// Implements rustyline's traits on a snapshot of the session.
pub struct LineHelper {
    pub context: CompletionContext,
}

impl Helper for LineHelper {}

/// Every line is accepted: [`super::line_reader`] joins the lines of an entry itself.
impl Validator for LineHelper {}

impl Completer for LineHelper {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> Result<(usize, Vec<String>)> {
        Ok(line_completion::candidates(&self.context, &line[..at]))
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
        if let Some(usage) = self.usage(line) {
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
    /// The arguments of the command or built-in that was just typed.
    fn usage(&self, line: &str) -> Option<String> {
        if self.context.is_command(line) {
            let body = line.trim_start().trim_start_matches(':');
            let word = body.strip_suffix(' ').filter(|w| !w.contains(' '))?;
            return command::find(word)
                .ok()
                .map(|c| c.usage.to_string())
                .filter(|u| !u.is_empty());
        }
        let word = line.strip_suffix(['{', '('])?.trim_end();
        let open = line.chars().last()?;
        let (_, rest) = self
            .context
            .language
            .info()
            .builtins
            .iter()
            .find_map(|(name, help)| {
                let is_whole_word = word
                    .strip_suffix(name)
                    .is_some_and(|b| !b.ends_with(|c: char| c.is_alphanumeric()));
                help.strip_prefix(name)
                    .and_then(|h| h.strip_prefix(open))
                    .filter(|_| is_whole_word)
                    .map(|rest| (name, rest))
            })?;
        rest.split_once(':')
            .map(|(arguments, _)| arguments.to_string())
            .filter(|a| a.len() > 1)
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
        let (start, candidates) = line_completion::candidates(&self.context, line);
        let prefix = line.get(start..)?;
        match candidates.as_slice() {
            [candidate] if prefix.trim_start_matches(':').len() >= MIN_NAME_HINT_BYTES => {
                let rest = candidate.strip_prefix(prefix)?.to_string();
                Some(InlineHint {
                    text: rest.clone(),
                    completion: Some(rest),
                })
            }
            _ => None,
        }
    }

    /// The tokens of `line` with their classes, lexed as part of the whole entry.
    fn token_classes(&self, line: &str) -> Vec<(std::ops::Range<usize>, TokenClass)> {
        // A comment or string may have started on a previous line.
        let skip = self.context.previous_lines.len();
        let entry = format!("{}{line}", self.context.previous_lines);
        let classes = self.context.language.highlight(&entry).into_iter();
        classes
            .filter(|(range, _)| range.end > skip)
            .map(|(range, class)| (range.start.saturating_sub(skip)..range.end - skip, class))
            .collect()
    }
}

impl Highlighter for LineHelper {
    /// Pasted text can contain control characters, so everything is escaped before it is printed.
    fn highlight<'l>(&self, line: &'l str, at: usize) -> Cow<'l, str> {
        if !self.context.color || line.is_empty() {
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
        let classes = self.token_classes(line);
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
        if self.context.color {
            Cow::Owned(hint.dimmed().to_string())
        } else {
            Cow::Borrowed(hint)
        }
    }

    fn highlight_char(&self, line: &str, _: usize, kind: CmdKind) -> bool {
        self.context.color && kind != CmdKind::ForcedRefresh || line.contains(is_terminal_control)
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
