//! GridLok as users meet it: its words, built-in names and sample games.

mod guide;

use super::{lower, token};
use crate::language::{
    FileFrame, GuideText, Indentation, LanguageInfo, Layout, is_identifier, receiver,
};
use std::sync::LazyLock;

pub static INFO: LazyLock<LanguageInfo> = LazyLock::new(|| {
    let text = GuideText(include_str!("info/guide.txt"));
    LanguageInfo {
        name: "gridlok",
        title: "GridLok",
        extensions: &["gl"],
        keywords: token::KEYWORDS,
        builtins: text.rows("builtins"),
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
        conditions_checked_when: "turn ends",
        is_valid_breakpoint_name: |name| {
            receiver(name, &["onClick", "onTurn"]).is_some_and(is_identifier)
        },
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
            ..Layout::AS_WRITTEN
        },
        guide: guide::guide(text),
        ..LanguageInfo::EMPTY
    }
});
