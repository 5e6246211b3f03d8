//! What the keys of the view do.

use crate::session::{Line, Session, Style};
use crate::terminal::screen::canvas::symbols::Symbols;

/// Keys that run a command.
pub const COMMANDS: &[(char, &str)] = &[
    ('s', ":step"),
    ('n', ":next"),
    ('f', ":finish"),
    ('c', ":continue"),
    ('r', ":reverse-continue"),
    ('p', ":play"),
    ('u', ":undo"),
    ('U', ":redo"),
    ('w', ":why"),
];

/// Keys whose commands do something only while the program is stopped, or in the past.
const AT_STOP: &str = "snfcpE";

/// Letters and signs with a meaning of their own.
const OTHERS: &str = "qlobieE?<>";

/// The characters that are keys now: those whose commands can do something.
pub fn letters(session: &Session) -> String {
    let target = &session.target;
    let can_step = target.is_stopped() || target.timeline.is_in_past(&target.machine);
    let commands = COMMANDS.iter().map(|(key, _)| *key);
    let all = OTHERS.chars().chain(commands);
    all.filter(|key| can_step || !AT_STOP.contains(*key))
        .collect()
}

/// Keys and what they do, for the last row of the screen, the most useful ones first. `>` and `<` are
/// the arrow keys.
type Keys = &'static [(&'static str, &'static str)];

pub const STOPPED: Keys = &[
    (">", "step"),
    ("<", "back"),
    ("n", "over"),
    ("f", "out"),
    ("c", "continue"),
    ("e", "part"),
    (":", "prompt"),
    ("w", "why"),
    ("b", "break"),
    ("u", "undo"),
    ("Tab", "board"),
    ("q", "leave"),
    ("?", "keys"),
];
pub const STOPPED_BOARD: Keys = &[
    ("s", "step"),
    ("n", "over"),
    ("f", "out"),
    ("c", "continue"),
    ("i", "cell"),
    ("Tab", "source"),
    (":", "prompt"),
    ("w", "why"),
    ("u", "undo"),
    ("q", "leave"),
    ("?", "keys"),
];
pub const LESSON: Keys = &[
    ("Enter", "next step"),
    ("Space", "plays"),
    ("i", "cell"),
    (":", "prompt"),
    ("Tab", "other pane"),
    ("u", "undo"),
    ("w", "why"),
    ("q", "leave"),
    ("?", "keys"),
];
pub const SOURCE: Keys = &[
    ("b", "break"),
    ("e", "edit"),
    ("<", "back"),
    ("Tab", "board"),
    (":", "prompt"),
    ("u", "undo"),
    ("w", "why"),
    ("q", "leave"),
    ("?", "keys"),
];
pub const BOARD: Keys = &[
    ("Enter", "plays"),
    ("arrows", "move"),
    ("i", "cell"),
    ("u", "undo"),
    (":", "prompt"),
    ("Tab", "source"),
    ("w", "why"),
    ("o", "computer"),
    ("q", "leave"),
    ("?", "keys"),
];
pub const ARROWS: Keys = &[
    ("arrows", "play"),
    ("u", "undo"),
    ("Tab", "source"),
    (":", "prompt"),
    ("w", "why"),
    ("q", "leave"),
    ("?", "keys"),
];
pub const ASKED: Keys = &[
    ("Enter", "answers"),
    ("Tab", "other pane"),
    (":undo", "takes back"),
    ("Ctrl-C", "leave"),
];
pub const EXERCISE: Keys = &[
    ("Enter", "checks"),
    ("Esc", "closes the prompt"),
    ("Ctrl-Z", "undo"),
    (":quit", "ends"),
    ("Ctrl-C", "leave"),
];

/// The keys with the names that can be drawn.
pub fn named(keys: Keys, is_ascii: bool) -> Vec<(String, String)> {
    let symbols = Symbols::new(is_ascii);
    let name = |key: &str| match key {
        ">" => symbols.right_key.to_string(),
        "<" => symbols.left_key.to_string(),
        key => key.to_string(),
    };
    keys.iter()
        .map(|(key, text)| (name(key), text.to_string()))
        .collect()
}

/// All keys, in groups.
const ALL: &[(&str, &str)] = &[
    ("Right, Left", "step, step back (:step, :back)"),
    ("n f c", "over calls, out of the function, continue"),
    ("r", "back to the previous breakpoint (:reverse-continue)"),
    (
        "e E",
        "evaluate the next part, the whole statement (:step sub)",
    ),
    (
        "e",
        "when nothing is stopped: edit the definition of the line",
    ),
    ("Shift-arrows", "the move before, the move after"),
    (
        "u U",
        "undo, redo; also Ctrl-Z, Ctrl-Y, where letters are text",
    ),
    ("p", "slow motion; any key stops it (:play)"),
    ("w", "why was the last change made? (:why)"),
    ("i", "what is on the cell? (:cell)"),
    ("b", "set or delete a breakpoint on the line"),
    (
        "Up, Down",
        "select a line; < and > move long lines sideways",
    ),
    ("Tab", "source or board"),
    (
        "arrows, Space",
        "on the board: select a cell, play it; Enter, too",
    ),
    ("mouse", "play a cell, break beside a line, go to a move"),
    ("Enter", "the next step of a lesson, else an entry"),
    (":, any word", "open the prompt; Esc closes it"),
    ("o", "let the computer play the other side, or stop it"),
    ("l", "larger cells, for a projector"),
    ("q, Ctrl-C", "back to the plain prompt"),
];

/// All keys and what they do.
pub fn lines() -> Vec<Line> {
    let row = |(key, text): &(&str, &str)| {
        Line::styled(Style::Strong, format!("{key:<15}")).with(Style::Plain, *text)
    };
    ALL.iter().map(row).collect()
}
