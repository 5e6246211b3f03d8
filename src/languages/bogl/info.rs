//! BoGL as users meet it: its words, built-in names and sample games.

use super::view;
use crate::language::{
    FileFrame, Guide, GuideText, Indentation, LanguageInfo, Layout, is_identifier,
};
use std::sync::LazyLock;

pub static INFO: LazyLock<LanguageInfo> = LazyLock::new(|| {
    let text = GuideText(include_str!("info/guide.txt"));
    LanguageInfo {
        name: "bogl",
        title: "BoGL",
        extensions: &["bgl", "bogl"],
        keywords: text.words("keywords"),
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
        guide: Guide {
            template: include_str!("info/template.bgl"),
            examples: text.examples(&[
                ("stones", include_str!("info/sample.bgl")),
                (
                    "tic-tac-toe",
                    include_str!("../../../sessions/bogl/tic-tac-toe.bgl"),
                ),
                (
                    "connect-four",
                    include_str!("../../../sessions/bogl/connect-four.bgl"),
                ),
                ("guess", include_str!("../../../sessions/bogl/guess.bgl")),
                ("walk", include_str!("../../../sessions/bogl/walk.bgl")),
            ]),
            lessons: &[
                include_str!("../../../sessions/course/bogl/01-boards-are-values.session"),
                include_str!("../../../sessions/course/bogl/02-change-a-rule.session"),
                include_str!("../../../sessions/course/bogl/03-find-a-bug.session"),
            ],
            ..Guide::from_text(text)
        },
        ..LanguageInfo::EMPTY
    }
});
