//! TinyGame as users meet it: its words, built-in names and sample games.

mod guide;

use super::token;
use crate::language::{GuideText, Indentation, LanguageInfo, Layout};
use std::sync::LazyLock;

pub static INFO: LazyLock<LanguageInfo> = LazyLock::new(|| {
    let text = GuideText(include_str!("info/guide.txt"));
    LanguageInfo {
        name: "tinygame",
        title: "TinyGame",
        extensions: &["tg"],
        keywords: &token::Token::KEYWORDS,
        commands: &[(
            "forget",
            "NAME",
            "delete an entity, so that its name can be reused",
        )],
        events: &["print", "error"],
        is_valid_breakpoint_name: |_| false,
        error_explanations: include_str!("errors.txt"),
        sample: include_str!("info/sample.tg"),
        layout: Layout {
            indentation: Indentation::Brackets(4),
            tight: &["."],
            prefix: &["-"],
            ..Layout::AS_WRITTEN
        },
        guide: guide::guide(text),
        ..LanguageInfo::EMPTY
    }
});
