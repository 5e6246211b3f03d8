//! TinyGame as users meet it: its words, built-in names and sample games.

use crate::language::{Guide, GuideText, Indentation, LanguageInfo, Layout};
use std::sync::LazyLock;

pub static INFO: LazyLock<LanguageInfo> = LazyLock::new(|| {
    let text = GuideText(include_str!("info/guide.txt"));
    LanguageInfo {
        name: "tinygame",
        title: "TinyGame",
        extensions: &["tg"],
        keywords: text.words("keywords"),
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
        guide: Guide {
            sample_move: ":restart",
            breakpoints: &["game"],
            template: include_str!("info/template.tg"),
            examples: text.examples(&[
                ("valley", include_str!("info/sample.tg")),
                ("duel", include_str!("../../../sessions/tinygame/duel.tg")),
                (
                    "harvest",
                    include_str!("../../../sessions/tinygame/harvest.tg"),
                ),
                (
                    "patrol",
                    include_str!("../../../sessions/tinygame/patrol.tg"),
                ),
                ("race", include_str!("../../../sessions/tinygame/race.tg")),
            ]),
            lessons: &[
                include_str!("../../../sessions/course/tinygame/01-line-by-line.session"),
                include_str!("../../../sessions/course/tinygame/02-change-a-rule.session"),
                include_str!("../../../sessions/course/tinygame/03-find-a-bug.session"),
            ],
            ..Guide::from_text(text)
        },
        ..LanguageInfo::EMPTY
    }
});
