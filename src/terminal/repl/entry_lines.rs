//! The lines of an entry: when it is complete, which of its lines are commands, and which lines of
//! pasted text belong together.

use crate::command;
use crate::language::{Continuation, TokenClass};
use crate::session::Session;
use std::collections::VecDeque;

/// What a blank line in an unfinished entry means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlankLine {
    /// It ends the entry, so that one can always end it; inside brackets, two in a row do.
    EndsEntry,
    /// It is part of the entry, because programs contain blank lines.
    BelongsToEntry,
}

/// What a line does to the entry being typed.
#[derive(Debug, PartialEq, Eq)]
pub enum AddedLine {
    /// The entry continues on the next line.
    Unfinished,
    /// Run this: the entry, which is complete, or a command typed inside it.
    Ready(String),
    /// Run the entry, which could have gone on but has not, and then read these lines again.
    Ended { entry: String, lines: Vec<String> },
    /// `:cancel` has discarded these lines.
    Discarded(String),
}

/// The lines so far of an entry that is not complete; none if a new entry begins.
#[derive(Default)]
pub struct UnfinishedEntry {
    text: String,
    /// The name of its language.
    language: &'static str,
    /// If the entry could end here: how the next line can go on with it.
    continuation: Option<Continuation>,
    /// Blank lines and comments since it could have ended.
    held_lines: Vec<String>,
}

impl UnfinishedEntry {
    /// The lines so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Goes on with an entry that could have ended.
    pub fn resume(&mut self, entry: String) {
        self.text = entry;
    }

    /// The entry, if it could end here and need not wait for the next line.
    pub fn take_complete(&mut self) -> Option<String> {
        self.continuation.as_ref().filter(|c| !c.is_likely)?;
        self.discard()
    }

    /// Discards the lines and returns them; `None` if there are none.
    pub fn discard(&mut self) -> Option<String> {
        self.continuation = None;
        self.held_lines.clear();
        Some(std::mem::take(&mut self.text)).filter(|text| !text.is_empty())
    }

    /// Discards the lines if a command inside the entry has switched to another language.
    pub fn discard_if_foreign(&mut self, session: &Session) -> Option<String> {
        match self.language == session.target.language().info().name {
            true => None,
            false => self.discard(),
        }
    }

    /// Adds a line.
    pub fn add_line(
        &mut self,
        session: &Session,
        line: String,
        blank_line: BlankLine,
    ) -> AddedLine {
        if let Some(continuation) = self.continuation.clone() {
            match self.line_after_end(session, continuation, &line, blank_line) {
                LineAfterEnd::Continues => {
                    self.continuation = None;
                    for held in std::mem::take(&mut self.held_lines) {
                        self.text.push('\n');
                        self.text.push_str(&held);
                    }
                    self.text.push('\n');
                }
                LineAfterEnd::Held => {
                    self.held_lines.push(line);
                    return AddedLine::Unfinished;
                }
                LineAfterEnd::Cancels => {
                    return AddedLine::Discarded(self.discard().unwrap_or_default());
                }
                LineAfterEnd::Ends => {
                    let mut lines = std::mem::take(&mut self.held_lines);
                    if blank_line == BlankLine::BelongsToEntry || !line.trim().is_empty() {
                        lines.push(line);
                    }
                    let entry = self.discard().unwrap_or_default();
                    return AddedLine::Ended { entry, lines };
                }
            }
        } else if self.text.is_empty() {
            self.language = session.target.language().info().name;
        } else {
            match command_word(&line) {
                Some("cancel") => return AddedLine::Discarded(std::mem::take(&mut self.text)),
                Some(word) if self.has_command(session, word, &line) => {
                    return AddedLine::Ready(line);
                }
                _ => self.text.push('\n'),
            }
        }
        self.text.push_str(&line);
        let is_ended = blank_line == BlankLine::EndsEntry && self.is_ended_by_blank_lines(session);
        if !is_ended && is_incomplete(session, &self.text) {
            return AddedLine::Unfinished;
        }
        if !is_ended {
            let continuation = continuation(session, &self.text);
            let is_awaited = blank_line == BlankLine::BelongsToEntry || continuation.is_likely;
            if is_awaited && !continuation.is_empty() {
                self.continuation = Some(continuation);
                return AddedLine::Unfinished;
            }
        }
        let mut entry = std::mem::take(&mut self.text);
        if is_ended {
            entry.truncate(entry.trim_end().len());
        }
        AddedLine::Ready(entry)
    }

    /// What a line means to an entry that could have ended before it.
    fn line_after_end(
        &self,
        session: &Session,
        continuation: Continuation,
        line: &str,
        blank_line: BlankLine,
    ) -> LineAfterEnd {
        let is_typed = blank_line == BlankLine::EndsEntry;
        if continuation.accepts(line) {
            LineAfterEnd::Continues
        } else if is_typed && command_word(line) == Some("cancel") {
            LineAfterEnd::Cancels
        } else if !is_typed && has_no_code(session, line) {
            LineAfterEnd::Held
        } else {
            LineAfterEnd::Ends
        }
    }

    /// Whether a line that starts with a colon and a word is a command, rather than a part of the
    /// entry such as a type. A misspelled command is one if it cannot be anything else.
    fn has_command(&self, session: &Session, word: &str, line: &str) -> bool {
        command::is_command_name(session, word) || {
            let entry = format!("{}\n{line}", self.text);
            (!is_incomplete(session, &entry) || session.target.is_faulty(&entry))
                && !session.target.would_compile(&[&entry])
        }
    }

    /// Whether the blank lines at its end finish the entry: one, or two inside brackets, where a
    /// single one is layout.
    fn is_ended_by_blank_lines(&self, session: &Session) -> bool {
        let is_blank = |line: &str| line.trim().is_empty();
        let mut last_lines = self.text.rsplit('\n').map(is_blank);
        let mut is_next_blank = || last_lines.next() == Some(true);
        !is_blank(&self.text)
            && is_next_blank()
            && (is_next_blank() || !is_in_brackets(session, &self.text))
    }
}

/// What a line means to an entry that could have ended before it.
enum LineAfterEnd {
    /// It belongs to the entry.
    Continues,
    /// A blank line or a comment: the next one decides.
    Held,
    /// The entry ends before it.
    Ends,
    /// It discards the entry.
    Cancels,
}

/// Whether a line is blank or has only comments.
fn has_no_code(session: &Session, line: &str) -> bool {
    let tokens = session.target.language().highlight(line);
    let is_comment = |class: &TokenClass| *class == TokenClass::Comment;
    line.trim().is_empty()
        || !tokens.is_empty() && tokens.iter().all(|(_, class)| is_comment(class))
}

/// How the next line can go on with a complete entry.
fn continuation(session: &Session, entry: &str) -> Continuation {
    let is_code = session.predictions.pending.is_none()
        && !entry.trim().is_empty()
        && !command::is_command_line(session, entry);
    match is_code {
        true => session.target.continuation(entry),
        false => Continuation::default(),
    }
}

/// The word after the colon at the start of a line. `: Int` is code.
fn command_word(line: &str) -> Option<&str> {
    let rest = line.trim().strip_prefix(':')?;
    let end = rest.find(|c: char| c.is_whitespace() || c == '!');
    let word = &rest[..end.unwrap_or(rest.len())];
    word.starts_with(|c: char| c.is_alphabetic() || c == '?')
        .then_some(word)
}

/// Whether the entry continues on the next line. Commands are always one line, and so are the answers
/// to questions.
fn is_incomplete(session: &Session, entry: &str) -> bool {
    !entry.trim().is_empty()
        && session.predictions.pending.is_none()
        && !command::is_command_line(session, entry)
        && session.target.is_incomplete(entry)
}

/// Whether a bracket is open at the end of the text.
fn is_in_brackets(session: &Session, text: &str) -> bool {
    let tokens = session.target.language().highlight(text);
    let brackets = tokens
        .iter()
        .filter(|(_, class)| *class == TokenClass::Bracket);
    let depth = brackets.fold(0i64, |depth, (range, _)| match text.get(range.clone()) {
        Some("(" | "[" | "{") => depth + 1,
        _ => depth - 1,
    });
    depth > 0
}

/// Divides pasted text into what is read one by one: commands, texts that are one entry, and single
/// lines otherwise.
pub fn split_pasted(session: &Session, text: &str) -> VecDeque<String> {
    let is_command =
        |line: &str| command_word(line).is_some_and(|word| command::is_command_name(session, word));
    let mut pasted = VecDeque::new();
    let lines: Vec<&str> = text.lines().collect();
    for segment in lines.chunk_by(|a, b| !is_command(a) && !is_command(b)) {
        let text = segment.join("\n");
        match is_one_entry(session, &text) {
            true => pasted.push_back(text.trim_end().trim_start_matches('\n').to_string()),
            false => pasted.extend(segment.iter().map(|line| line.to_string())),
        }
    }
    pasted
}

/// Whether lines without a command have to be run together: they are a single entry, or they
/// compile only together, such as functions that call each other.
fn is_one_entry(session: &Session, text: &str) -> bool {
    let mut entries: Vec<String> = Vec::new();
    let mut unfinished = UnfinishedEntry::default();
    for line in text.lines() {
        if unfinished.is_empty() && line.trim().is_empty() {
            continue;
        }
        let mut lines = VecDeque::from([line.to_string()]);
        while let Some(line) = lines.pop_front() {
            match unfinished.add_line(session, line, BlankLine::BelongsToEntry) {
                AddedLine::Ready(entry) => entries.push(entry),
                AddedLine::Ended { entry, lines: next } => {
                    entries.push(entry);
                    lines = next.into_iter().filter(|l| !l.trim().is_empty()).collect();
                }
                AddedLine::Unfinished | AddedLine::Discarded(_) => {}
            }
        }
    }
    entries.extend(unfinished.discard());
    let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
    let target = &session.target;
    entries.len() <= 1 || !target.would_compile(&entries) && target.would_compile(&[text])
}

/// Whether a pasted entry that could end here goes on with the next line, which makes no sense
/// alone: a brace, or `else`.
pub fn continues_with(session: &Session, entry: &str, next: &str) -> bool {
    let first_word = next.split_whitespace().next().unwrap_or_default();
    if session.target.is_stopped()
        || command::is_command_line(session, entry)
        || command_word(next).is_some()
        || command::is_command_name(session, first_word)
        || is_incomplete(session, next)
        || session.target.would_compile(&[entry, next])
    {
        return false;
    }
    let joined = format!("{entry}\n{next}");
    is_incomplete(session, &joined) || session.target.would_compile(&[&joined])
}
