//! BoGL as users meet it: its words, built-in names and sample games.

mod guide;

use super::{token, view};
use crate::language::{FileFrame, GuideText, Indentation, LanguageInfo, Layout, is_identifier};
use std::sync::LazyLock;

pub static INFO: LazyLock<LanguageInfo> = LazyLock::new(|| {
    let text = GuideText(include_str!("info/guide.txt"));
    LanguageInfo {
        name: "bogl",
        title: "BoGL",
        extensions: &["bgl", "bogl"],
        keywords: token::KEYWORDS,
        builtins: text.rows("builtins"),
        commands: view::query::COMMANDS,
        events: &["place", "error"],
        is_valid_breakpoint_name: |title| {
            title.starts_with(char::is_lowercase) && is_identifier(&title.replace('\'', ""))
        },
        error_explanations: include_str!("errors.txt"),
        sample: include_str!("info/sample.bgl"),
        file_frame: FileFrame {
            start: "game {name}\n\n",
            ..FileFrame::NONE
        },
        layout: Layout {
            indentation: Indentation::AsWritten,
            tight: &["#"],
            prefix: &["-"],
            as_written: &["!", ","],
            ..Layout::AS_WRITTEN
        },
        guide: guide::guide(text),
        ..LanguageInfo::EMPTY
    }
});
