//! The input rule of the screens that stay in place, `:view` and `gridbug run`: what is a key and what
//! is text.
//!
//! - Where a text is expected, every character is text: it answers the question of the program, of a
//!   prediction or of an exercise.
//! - Elsewhere, a letter with a meaning is a key, unless another character follows it quickly: then a
//!   word is being typed. The same letter again is a key that is held down, unless moves are letters.
//! - Every other character is text, and so is everything that is pasted.
//!
//! Text opens the prompt, with what was typed already in it. A space begins no text.

use super::keys::Key;
use crate::command;
use crate::session::{Line, Session, Style};
use std::io;
use std::time::Duration;

/// A character that follows a key within this time makes a word of both.
const WORD_INTERVAL: Duration = Duration::from_millis(200);

/// How long to wait for characters that were sent together with those before.
const BURST_INTERVAL: Duration = Duration::from_millis(5);

/// What the user did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// A key, a mouse click, or something else that happened.
    Key(Key),
    /// The beginning of a text; more of it may still have to be read.
    Text(String),
    /// A line that was typed with Enter at once, as by a program that types.
    Line(String),
}

/// What a screen waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expected {
    /// The answer to a question.
    Text,
    /// Keys.
    Keys {
        /// The characters that have a meaning.
        keys: String,
        /// Moves are written as letters, such as `rr`: the same letter again makes a word, too.
        has_letter_moves: bool,
    },
}

impl Expected {
    /// What is expected on a screen with these keys.
    pub fn of(session: &Session, keys: &str) -> Expected {
        match expects_text(session) {
            true => Expected::Text,
            false => Expected::Keys {
                keys: keys.to_string(),
                has_letter_moves: has_letter_moves(session),
            },
        }
    }

    fn has_key(&self, c: char) -> bool {
        match self {
            Expected::Text => false,
            Expected::Keys { keys, .. } => keys.contains(c),
        }
    }

    /// Whether a character that follows another one quickly makes a word of both.
    fn is_word(&self, first: char, next: char) -> bool {
        match self {
            Expected::Text => true,
            Expected::Keys {
                has_letter_moves, ..
            } => first != next || *has_letter_moves,
        }
    }
}

/// Whether what is typed answers something: the program, a prediction, or an exercise that asks for
/// code.
pub fn expects_text(session: &Session) -> bool {
    let target = &session.target;
    let is_asked = target.is_waiting_for_input() || session.predictions.pending.is_some();
    is_asked || (!target.is_stopped() && command::is_at_exercise(session))
}

/// Whether moves are typed as letters, as in games that are played with the arrow keys.
fn has_letter_moves(session: &Session) -> bool {
    let moves = session.target.language().info().arrow_keys;
    moves.is_some() && !session.target.is_stopped()
}

/// The line to run for what was typed at a prompt; `None` if it means nothing. After the key `:`, the
/// colon may have been typed again, and an entry is an entry.
pub fn line_meant(session: &Session, text: &str) -> Option<String> {
    let line = text.trim();
    let Some(rest) = line.strip_prefix(':').map(str::trim_start) else {
        return (!line.is_empty()).then(|| text.to_string());
    };
    let word = rest
        .split(|c: char| !c.is_alphanumeric() && c != '-')
        .next();
    let is_command = word.is_some_and(|word| command::is_command_name(session, word));
    let is_asked = session.target.is_waiting_for_input();
    match rest {
        "" => None,
        _ if rest.starts_with(':') => Some(rest.to_string()),
        _ if is_command || is_asked || !session.target.would_compile(&[rest]) => {
            Some(text.to_string())
        }
        _ => Some(rest.to_string()),
    }
}

/// Says that Esc or Ctrl-C has closed the prompt.
pub fn closed_line(typed: &str) -> Line {
    let typed = typed.trim();
    let text = match typed.lines().next() {
        None | Some(":") => "Prompt closed".to_string(),
        Some(first) => format!("Prompt closed; `{first}` was not run"),
    };
    Line::styled(Style::Dim, text)
}

/// Applies the rule to keys that arrive one by one.
#[derive(Default)]
pub struct InputReader {
    /// Read already, to see whether it continues a word.
    next: Option<Key>,
}

impl InputReader {
    /// Waits for the next input. `read` returns the next key, or `None` after a timeout.
    pub fn next(
        &mut self,
        expected: &Expected,
        mut read: impl FnMut(Option<Duration>) -> io::Result<Option<Key>>,
    ) -> io::Result<Input> {
        let key = loop {
            match self.next.take() {
                Some(key) => break key,
                None => self.next = read(None)?,
            }
        };
        let c = match key {
            Key::Char(c) if c != ' ' => c,
            _ => return Ok(Input::Key(key)),
        };
        if !expected.has_key(c) {
            return self.finish_text(c.to_string(), read);
        }
        if !c.is_alphabetic() {
            return Ok(Input::Key(key));
        }
        self.next = read(Some(WORD_INTERVAL))?;
        match self.next {
            Some(Key::Char(next)) if expected.is_word(c, next) => {
                self.next = None;
                self.finish_text([c, next].into_iter().collect(), read)
            }
            _ => Ok(Input::Key(key)),
        }
    }

    /// Adds the characters of a text that can be read already. The line editor reads everything there
    /// is, and would keep what follows Enter for its next line.
    fn finish_text(
        &mut self,
        mut text: String,
        mut read: impl FnMut(Option<Duration>) -> io::Result<Option<Key>>,
    ) -> io::Result<Input> {
        loop {
            match read(Some(BURST_INTERVAL))? {
                Some(Key::Char(c)) => text.push(c),
                Some(Key::Backspace) => {
                    text.pop();
                }
                Some(Key::Enter) => return Ok(Input::Line(text)),
                key => {
                    self.next = key;
                    return Ok(Input::Text(text));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::terminal::screen::input::*;
    use std::collections::VecDeque;

    /// What the keys mean on a screen with the keys `q`, `r`, `u` and `?`. `_` is a pause.
    fn inputs(expected: &Expected, typed: &str) -> Vec<Input> {
        let mut keys: VecDeque<Option<Key>> = typed
            .chars()
            .map(|c| match c {
                '_' => None,
                '\r' => Some(Key::Enter),
                '>' => Some(Key::Right),
                c => Some(Key::Char(c)),
            })
            .collect();
        let mut reader = InputReader::default();
        let mut inputs = Vec::new();
        while !keys.is_empty() || reader.next.is_some() {
            let input = reader.next(expected, |timeout| {
                Ok(match keys.pop_front() {
                    Some(None) if timeout.is_none() => keys.pop_front().flatten(),
                    key => key.flatten(),
                })
            });
            inputs.push(input.unwrap());
        }
        inputs
    }

    fn expected(has_letter_moves: bool) -> Expected {
        let keys = "qru?".to_string();
        Expected::Keys {
            keys,
            has_letter_moves,
        }
    }

    fn key(c: char) -> Input {
        Input::Key(Key::Char(c))
    }

    fn text(text: &str) -> Input {
        Input::Text(text.to_string())
    }

    #[test]
    fn letters_are_keys_and_words_are_text() {
        let keys = expected(false);
        assert_eq!(inputs(&keys, "r_u"), [key('r'), key('u')]);
        assert_eq!(inputs(&keys, "ro"), [text("ro")]);
        assert_eq!(inputs(&keys, "rock"), [text("rock")]);
        let line = Input::Line("rock".to_string());
        assert_eq!(inputs(&keys, "rock\ru"), [line, key('u')]);
        assert_eq!(inputs(&keys, "r "), [text("r ")]);
        assert_eq!(inputs(&keys, "x"), [text("x")]);
        assert_eq!(inputs(&keys, "{"), [text("{")]);
        assert_eq!(inputs(&keys, ":"), [text(":")]);
        assert_eq!(inputs(&keys, "?u"), [key('?'), key('u')]);
        // A key that is held down, and keys of other kinds.
        assert_eq!(inputs(&keys, "uuu"), [key('u'), key('u'), key('u')]);
        let right = Input::Key(Key::Right);
        assert_eq!(inputs(&keys, "u>"), [key('u'), right.clone()]);
        assert_eq!(
            inputs(&keys, "u\r>"),
            [key('u'), Input::Key(Key::Enter), right]
        );
        assert_eq!(inputs(&keys, " "), [key(' ')]);
        // Where `rr` is a move, it is one.
        assert_eq!(inputs(&expected(true), "rr"), [text("rr")]);
        assert_eq!(inputs(&expected(true), "r_r"), [key('r'), key('r')]);
    }

    #[test]
    fn every_character_is_text_where_text_is_expected() {
        for c in "qru?:{1é".chars() {
            let typed = c.to_string();
            assert_eq!(inputs(&Expected::Text, &typed), [text(&typed)]);
        }
        assert_eq!(inputs(&Expected::Text, "\r"), [Input::Key(Key::Enter)]);
    }

    #[test]
    fn a_closed_prompt_says_what_was_not_run() {
        assert_eq!(closed_line("").text(), "Prompt closed");
        assert_eq!(closed_line(":").text(), "Prompt closed");
        assert_eq!(
            closed_line("click{").text(),
            "Prompt closed; `click{` was not run"
        );
    }
}
