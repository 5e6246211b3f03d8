//! SGL2D as users meet it: its words, built-in names and sample games.

mod guide;
pub mod word_help;

use super::{errors, lower, token};
use crate::language::{FileFrame, LanguageInfo, Layout, is_identifier};

pub static INFO: LanguageInfo = LanguageInfo {
    name: "sgl2d",
    title: "SGL2D",
    extensions: &["sgl2d"],
    keywords: &token::Token::STATEMENT_KEYWORDS,
    builtins: BUILTINS,
    commands: &[],
    events: &["place", "win", "lose", "rand", "error"],
    action_word: "move",
    conditions_checked_when: "move ends",
    is_valid_breakpoint_name: |name| {
        name.strip_prefix("event ")
            .or(name.strip_prefix("update "))
            .is_some_and(is_identifier)
    },
    arrow_keys: Some(["up", "down", "left", "right"]),
    error_codes: errors::CODES,
    error_explanations: include_str!("errors.txt"),
    sample: include_str!("info/sample.sgl2d"),
    rules: lower::RULES,
    file_frame: FileFrame::NONE,
    layout: Layout::AS_WRITTEN,
    guide: guide::GUIDE,
};

/// Moves and actions, each with a line of help.
const BUILTINS: &[(&str, &str)] = &[
    ("up", "a move at the prompt: `up`, `up 3`, `uurr`"),
    ("down", "a move at the prompt"),
    ("left", "a move at the prompt"),
    ("right", "a move at the prompt"),
    (
        "inccounter1=",
        "when touched: adds to counter 1 (also counters 2 and 3)",
    ),
    (
        "deccounter1=",
        "when touched: subtracts from counter 1 (also counters 2 and 3)",
    ),
    (
        "incspritecounter=",
        "when touched: adds to the counter of the sprite",
    ),
    (
        "decspritecounter=",
        "when touched: subtracts from the counter of the sprite",
    ),
    (
        "setspritecounter=",
        "sets the counter of the sprite, and the value it is reset to",
    ),
    (
        "movetorandom=",
        "when touched: the sprite moves to a random cell and leaves the named sprite in its place",
    ),
    (
        "movetorandomonzero=",
        "after each move: the same, if the counter of the sprite is 0",
    ),
    (
        "transformtosprite=",
        "when touched: the cell becomes the named sprite",
    ),
    (
        "transformonzerocounter=",
        "after each move: the same, if the counter of the sprite is 0",
    ),
    (
        "moveplayerto=",
        "when touched: the player is moved to x= and y=",
    ),
    (
        "playerinccounter1=",
        "for `event player`, after each move: adds to counter 1 (also counters 2 and 3)",
    ),
    (
        "playerdeccounter1=",
        "for `event player`, after each move: subtracts from counter 1 (also counters 2 and 3)",
    ),
    (
        "playerincspritecounter=",
        "after each move: adds to the counter of the sprite",
    ),
    (
        "playerdecspritecounter=",
        "after each move: subtracts from the counter of the sprite",
    ),
    ("win", "when touched: the game is won"),
    ("gameover", "when touched: the game is lost"),
    (
        "winonzerocounter",
        "the game is won when the counter, or the counter of the sprite, is 0",
    ),
    (
        "gameoveronzerocounter",
        "the game is lost when the counter, or the counter of the sprite, is 0",
    ),
];
