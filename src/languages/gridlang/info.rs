//! GridLang as users meet it: its words, built-in names and sample games.

use super::lower;
use crate::language::{
    Guide, GuideText, Indentation, LanguageInfo, Layout, is_identifier, receiver,
};
use std::sync::LazyLock;

pub static INFO: LazyLock<LanguageInfo> = LazyLock::new(|| {
    let text = GuideText(include_str!("info/guide.txt"));
    LanguageInfo {
        name: "gridlang",
        title: "GridLang",
        extensions: &["grid"],
        keywords: text.words("keywords"),
        builtins: text.rows("builtins"),
        commands: &[(
            "turn",
            "[n]",
            "play one turn, or n turns: gameLoop, moves, collisions, checkGameEnd",
        )],
        events: &["endTurn", "win", "print", "rand", "error"],
        action_word: "turn",
        conditions_checked_when: "turn ends",
        is_valid_breakpoint_name: |title| {
            receiver(title, &["checkMove", "colocation"]).is_some_and(is_identifier)
        },
        error_explanations: include_str!("errors.txt"),
        sample: include_str!("info/sample.grid"),
        rules: lower::RULES,
        layout: Layout {
            indentation: Indentation::Brackets(4),
            tight: &["."],
            prefix: &["-", "!"],
            postfix: &["++", "--"],
            as_written: &[":", ","],
            headers: &["if", "else", "while"],
        },
        guide: Guide {
            sample_move: ":turn",
            breakpoints: &["gameLoop", "checkMove", "colocation"],
            dry_runs: &["checkGameEnd"],
            template: include_str!("info/template.grid"),
            examples: text.examples(&[
                ("puddles", include_str!("info/sample.grid")),
                ("race", include_str!("../../../sessions/gridlang/race.grid")),
                (
                    "capture",
                    include_str!("../../../sessions/gridlang/capture.grid"),
                ),
                (
                    "collect",
                    include_str!("../../../sessions/gridlang/collect.grid"),
                ),
            ]),
            lessons: &[
                include_str!("../../../sessions/course/gridlang/01-first-turns.session"),
                include_str!("../../../sessions/course/gridlang/02-change-a-rule.session"),
                include_str!("../../../sessions/course/gridlang/03-find-a-bug.session"),
            ],
            ..Guide::from_text(text)
        },
        ..LanguageInfo::EMPTY
    }
});
