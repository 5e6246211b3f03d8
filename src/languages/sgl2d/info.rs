//! SGL2D as users meet it: its words, built-in names and sample games.

use super::lower;
use crate::language::{Guide, GuideText, LanguageInfo, is_identifier};
use std::sync::LazyLock;

pub static INFO: LazyLock<LanguageInfo> = LazyLock::new(|| {
    let text = GuideText(include_str!("info/guide.txt"));
    LanguageInfo {
        name: "sgl2d",
        title: "SGL2D",
        extensions: &["sgl2d"],
        keywords: text.words("keywords"),
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
        guide: Guide {
            sample_move: "right",
            breakpoints: &["event player", "event ", "update ", "goal"],
            dry_runs: &["goal"],
            template: include_str!("info/template.sgl2d"),
            examples: text.examples(&[
                ("garden", include_str!("info/sample.sgl2d")),
                ("maze", include_str!("../../../sessions/sgl2d/maze.sgl2d")),
                (
                    "orchard",
                    include_str!("../../../sessions/sgl2d/orchard.sgl2d"),
                ),
                (
                    "portals",
                    include_str!("../../../sessions/sgl2d/portals.sgl2d"),
                ),
                ("fuse", include_str!("../../../sessions/sgl2d/fuse.sgl2d")),
                ("storm", include_str!("../../../sessions/sgl2d/storm.sgl2d")),
            ]),
            lessons: &[
                include_str!("../../../sessions/course/sgl2d/01-first-moves.session"),
                include_str!("../../../sessions/course/sgl2d/02-change-a-rule.session"),
                include_str!("../../../sessions/course/sgl2d/03-find-a-bug.session"),
            ],
            ..Guide::from_text(text)
        },
        ..LanguageInfo::EMPTY
    }
});
