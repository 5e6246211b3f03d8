//! GridLok as users meet it: its words, built-in names and sample games.

mod guide;
mod word_help;

use super::{check, errors, lower, token};
use crate::language::{FileFrame, Indentation, LanguageInfo, Layout, is_identifier, receiver};

pub static INFO: LanguageInfo = LanguageInfo {
    name: "gridlok",
    title: "GridLok",
    extensions: &["gl"],
    keywords: token::KEYWORDS,
    builtins: check::builtin::HELP,
    commands: &[],
    events: &[
        "click",
        "place",
        "remove",
        "changeType",
        "endTurn",
        "win",
        "lose",
        "draw",
        "print",
        "display",
        "rand",
        "error",
    ],
    action_word: "action",
    conditions_checked_when: "turn ends",
    is_valid_breakpoint_name: |name| {
        receiver(name, &["onClick", "onTurn"]).is_some_and(is_identifier)
    },
    arrow_keys: None,
    error_codes: errors::CODES,
    error_explanations: include_str!("errors.txt"),
    sample: include_str!("info/sample.gl"),
    rules: lower::RULES,
    file_frame: FileFrame {
        start: "game {\n",
        end: "}\n",
        indentation: "  ",
    },
    layout: Layout {
        indentation: Indentation::Brackets(2),
        tight: &["."],
        prefix: &["-", "!"],
        postfix: &[],
        as_written: &[],
        headers: &[],
    },
    guide: guide::GUIDE,
};
