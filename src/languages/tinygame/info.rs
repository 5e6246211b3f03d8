//! TinyGame as users meet it: its words, built-in names and sample games.

mod guide;
mod word_help;

use super::{errors, token};
use crate::language::{FileFrame, Indentation, LanguageInfo, Layout};

pub static INFO: LanguageInfo = LanguageInfo {
    name: "tinygame",
    title: "TinyGame",
    extensions: &["tg"],
    keywords: &token::Token::KEYWORDS,
    builtins: &[],
    commands: &[(
        "forget",
        "NAME",
        "delete an entity, so that its name can be reused",
    )],
    events: &["print", "error"],
    action_word: "action",
    conditions_checked_when: "action ends",
    is_valid_breakpoint_name: |_| false,
    arrow_keys: None,
    error_codes: errors::CODES,
    error_explanations: include_str!("errors.txt"),
    sample: include_str!("info/sample.tg"),
    rules: "",
    file_frame: FileFrame::NONE,
    layout: Layout {
        indentation: Indentation::Brackets(4),
        tight: &["."],
        prefix: &["-"],
        postfix: &[],
        as_written: &[],
        headers: &[],
    },
    guide: guide::GUIDE,
};
