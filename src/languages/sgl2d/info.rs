//! SGL2D as users meet it: its words, built-in names and sample games.

mod guide;

use super::{lower, token};
use crate::language::{GuideText, LanguageInfo, is_identifier};
use std::sync::LazyLock;

pub static INFO: LazyLock<LanguageInfo> = LazyLock::new(|| {
    let text = GuideText(include_str!("info/guide.txt"));
    LanguageInfo {
        name: "sgl2d",
        title: "SGL2D",
        extensions: &["sgl2d"],
        keywords: &token::Token::STATEMENT_KEYWORDS,
        builtins: text.rows("builtins"),
        events: &["place", "win", "lose", "rand", "error"],
        action_word: "move",
        conditions_checked_when: "move ends",
        is_valid_breakpoint_name: |name| {
            name.strip_prefix("event ")
                .or(name.strip_prefix("update "))
                .is_some_and(is_identifier)
        },
        arrow_keys: Some(["up", "down", "left", "right"]),
        error_explanations: include_str!("errors.txt"),
        sample: include_str!("info/sample.sgl2d"),
        rules: lower::RULES,
        guide: guide::guide(text),
        ..LanguageInfo::EMPTY
    }
});
