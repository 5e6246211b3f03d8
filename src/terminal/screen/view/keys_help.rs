//! What the keys of the view do.

use crate::session::{Line, Session, Style};

/// Keys that run a command: the key, the command, what it does.
pub const COMMANDS: &[(char, &str, &str)] = &[
    ('s', ":step", "run one statement"),
    ('n', ":next", "run one statement, without entering calls"),
    ('f', ":finish", "run to the end of the function"),
    ('c', ":continue", "run to the next breakpoint or the end"),
    ('e', ":step expr", "evaluate the next part of an expression"),
    (
        'r',
        ":reverse-continue",
        "go back to the previous breakpoint",
    ),
    ('p', ":play", "slow motion: a step every half second"),
    ('u', ":undo", "undo the last entry"),
    ('U', ":redo", "redo it"),
    ('w', ":why", "why the last change was made"),
];

/// Keys whose commands do something only while the program is stopped, or in the past.
const AT_STOP: &str = "snfcep";

/// Letters and signs with a meaning of their own.
const OTHERS: &str = "qlob?";

/// The characters that are keys now: those whose commands can do something.
pub fn letters(session: &Session) -> String {
    let target = &session.target;
    let can_step = target.is_stopped() || target.timeline.is_in_past(&target.machine);
    let commands = COMMANDS.iter().map(|(key, ..)| *key);
    let possible = commands.filter(|key| can_step || !AT_STOP.contains(*key));
    OTHERS.chars().chain(possible).collect()
}

/// The last row of the screen.
pub const SOURCE: &str =
    "Right step  Left back  b break  c continue  Tab board  : prompt  ? keys  q leave";
pub const BOARD: &str =
    "Arrows move  Enter plays the cell  u undo  Tab source  : prompt  ? keys  q leave";
pub const ARROWS: &str = "Arrows play  u undo  Tab source  : prompt  ? keys  q leave";
pub const EXERCISE: &str =
    "Type the code of the exercise  Esc closes the prompt  Ctrl-Z undo  :quit  Ctrl-C leave";

/// All keys.
pub fn lines() -> Vec<Line> {
    let others = [
        ("Right, Left", "step, step back"),
        ("Up, Down", "select a line of the source"),
        ("b", "set or delete a breakpoint on the selected line"),
        ("Tab", "move between source and board"),
        ("arrows, Enter", "on the board: select a cell, play it"),
        (
            "mouse",
            "click a cell to play it, a line number to break there",
        ),
        (":, words", "open the prompt; Esc closes it"),
        ("o", "let the computer play the other side, or stop it"),
        ("l", "large spacing, for a projector"),
        (
            "Ctrl-Z, Ctrl-Y",
            "undo and redo, also where letters are text",
        ),
        ("q, Ctrl-C", "back to the plain prompt"),
    ];
    let row = |key: &str, text: &str| {
        Line::styled(Style::Strong, format!("  {key:<15}")).with(Style::Plain, text.to_string())
    };
    let commands = COMMANDS.iter().map(|(key, entry, text)| {
        row(&key.to_string(), text).with(Style::Dim, format!("   {entry}"))
    });
    let others = others.iter().map(|(key, text)| row(key, text));
    others.chain(commands).collect()
}
