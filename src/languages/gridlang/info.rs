//! GridLang as users meet it: its words, built-in names and sample games.

mod guide;
mod word_help;

use super::{errors, lower, token};
use crate::language::{FileFrame, Indentation, LanguageInfo, Layout, is_identifier, receiver};

pub static INFO: LanguageInfo = LanguageInfo {
    name: "gridlang",
    title: "GridLang",
    extensions: &["grid"],
    keywords: token::KEYWORDS,
    builtins: BUILTINS,
    commands: &[(
        "turn",
        "[n]",
        "play one turn, or n turns: gameLoop, moves, collisions, checkGameEnd",
    )],
    events: &["endTurn", "win", "print", "rand", "error"],
    action_word: "turn",
    conditions_checked_when: "turn ends",
    is_valid_breakpoint_name: |title| {
        receiver(title, &["checkMove", "colocation"]).is_some_and(is_identifier)
    },
    arrow_keys: None,
    error_codes: errors::CODES,
    error_explanations: include_str!("errors.txt"),
    sample: include_str!("info/sample.grid"),
    rules: lower::RULES,
    file_frame: FileFrame::NONE,
    layout: Layout {
        indentation: Indentation::Brackets(4),
        tight: &["."],
        prefix: &["-", "!"],
        postfix: &["++", "--"],
        as_written: &[":", ","],
        headers: &["if", "else", "while"],
    },
    guide: guide::GUIDE,
};

const BUILTINS: &[(&str, &str)] = &[
    (
        "drawGrid",
        "drawGrid(): print the grid with the displayString of every piece",
    ),
    (
        "createGrid",
        "createGrid(rows, columns): set the size of the grid",
    ),
    (
        "traverse",
        "traverse([from, to], \"playerList\"): the players along a line, or the items with \"itemList\"",
    ),
    (
        "random",
        "random(0, 1): a random float with three decimals, both limits included",
    ),
    ("diceThrow", "diceThrow(): a random int from 1 to 6"),
    ("print", "print(value): print a value on a line of its own"),
    (
        "prompt",
        "prompt(\"row: \", int): ask for an int, string, boolean, coordinate or float",
    ),
    (
        "gameOver",
        "gameOver(): run the gameOver block, or print the winner, and end the game",
    ),
    ("len", "len(array): the number of elements"),
    ("playerOrder", "the players in turn order"),
    ("p", "the player whose turn it is"),
];
