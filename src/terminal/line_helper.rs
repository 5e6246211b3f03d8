//! What the line editor shows while one types: colours, the matching bracket, the dim rest, completion.

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

pub struct LineHelper {
    pub context: CompletionContext,
}

impl Helper for LineHelper {}

/// Lines are put together by [`super::reader`]: each is accepted as it is.
impl Validator for LineHelper {}

impl Completer for LineHelper {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> Result<(usize, Vec<String>)> {
        Ok(line_completion::candidates(&self.context, &line[..at]))
    }
}

/// The rest that is offered; `takes` is how much of it the right arrow takes.
pub struct InlineHint {
    shown: String,
    takes: Option<String>,
}

impl Hint for InlineHint {
    fn display(&self) -> &str {
        &self.shown
    }

    fn completion(&self) -> Option<&str> {
        self.takes.as_deref()
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
                shown: usage,
                takes: None,
            });
        }
        self.as_typed_before(line, context)
            .or_else(|| self.only_candidate(line))
    }
}

impl LineHelper {
    /// How the arguments are written of what was just named.
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
                let whole = word
                    .strip_suffix(name)
                    .is_some_and(|b| !b.ends_with(|c: char| c.is_alphanumeric()));
                help.strip_prefix(name)
                    .and_then(|h| h.strip_prefix(open))
                    .filter(|_| whole)
                    .map(|rest| (name, rest))
            })?;
        rest.split_once(':')
            .map(|(arguments, _)| arguments.to_string())
            .filter(|a| a.len() > 1)
    }

    /// The first line of the last thing that began like this.
    fn as_typed_before(&self, line: &str, context: &Context<'_>) -> Option<InlineHint> {
        if line.len() < 3 {
            return None;
        }
        let last = context
            .history_index()
            .min(context.history().len().checked_sub(1)?);
        let found = context
            .history()
            .starts_with(line, last, SearchDirection::Reverse)
            .ok()??;
        let rest = found.entry.get(line.len()..)?.lines().next()?.to_string();
        (!rest.is_empty()).then(|| InlineHint {
            shown: escape_controls(&rest).into_owned(),
            takes: Some(rest),
        })
    }

    /// The rest of a word that can be only one.
    fn only_candidate(&self, line: &str) -> Option<InlineHint> {
        let (start, found) = line_completion::candidates(&self.context, line);
        let begun = line.get(start..)?;
        match found.as_slice() {
            [one] if begun.trim_start_matches(':').len() >= 2 => {
                let rest = one.strip_prefix(begun)?.to_string();
                Some(InlineHint {
                    shown: rest.clone(),
                    takes: Some(rest),
                })
            }
            _ => None,
        }
    }

    fn classes(&self, line: &str) -> Vec<(std::ops::Range<usize>, TokenClass)> {
        // A comment or a text may have begun in a line before.
        let skip = self.context.previous_lines.len();
        let whole = format!("{}{line}", self.context.previous_lines);
        let classes = self.context.language.highlight(&whole).into_iter();
        classes
            .filter(|(range, _)| range.end > skip)
            .map(|(range, class)| (range.start.saturating_sub(skip)..range.end - skip, class))
            .collect()
    }
}

impl Highlighter for LineHelper {
    /// What was pasted may hold anything: the terminal gets to see only what can be seen.
    fn highlight<'l>(&self, line: &'l str, at: usize) -> Cow<'l, str> {
        if !self.context.colour || line.is_empty() {
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
        let classes = self.classes(line);
        let pair = matching(line, &classes, at);
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
        if self.context.colour {
            Cow::Owned(hint.dimmed().to_string())
        } else {
            Cow::Borrowed(hint)
        }
    }

    fn highlight_char(&self, line: &str, _: usize, kind: CmdKind) -> bool {
        self.context.colour && kind != CmdKind::ForcedRefresh || line.contains(is_terminal_control)
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

/// The bracket at the cursor or just before it, and its partner. Brackets in texts and comments do not count.
fn matching(
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
    let ahead = opens(brackets[here]);
    let row: Box<dyn Iterator<Item = &usize>> = if ahead {
        Box::new(brackets[here..].iter())
    } else {
        Box::new(brackets[..=here].iter().rev())
    };
    for &b in row {
        depth += if opens(b) == ahead { 1 } else { -1 };
        if depth == 0 {
            return [Some(brackets[here]), Some(b)];
        }
    }
    [None, None]
}
