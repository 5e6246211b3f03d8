//! BoGL as users meet it: its words, built-in names and sample games.

mod guide;
mod word_help;

use super::{check, errors, token, view};
use crate::language::{FileFrame, Indentation, LanguageInfo, Layout, is_identifier};

pub static INFO: LanguageInfo = LanguageInfo {
    name: "bogl",
    title: "BoGL",
    extensions: &["bgl", "bogl"],
    keywords: token::KEYWORD_TEXTS,
    builtins: check::builtin::HELP,
    commands: view::query::COMMANDS,
    events: &["place", "error"],
    action_word: "action",
    conditions_checked_when: "action ends",
    is_valid_breakpoint_name: |title| {
        title.starts_with(char::is_lowercase) && is_identifier(&title.replace('\'', ""))
    },
    arrow_keys: None,
    error_codes: errors::CODES,
    error_explanations: include_str!("errors.txt"),
    sample: include_str!("info/sample.bgl"),
    rules: "",
    file_frame: FileFrame {
        start: "game {name}\n\n",
        ..FileFrame::NONE
    },
    layout: Layout {
        indentation: Indentation::AsWritten,
        tight: &["#"],
        prefix: &["-"],
        postfix: &[],
        as_written: &["!", ","],
        headers: &[],
    },
    guide: guide::GUIDE,
};
