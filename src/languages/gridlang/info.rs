//! GridLang as users meet it: its words, built-in names and sample games.

mod guide;

use super::{lower, token};
use crate::language::{GuideText, Indentation, LanguageInfo, Layout, is_identifier, receiver};
use std::sync::LazyLock;

pub static INFO: LazyLock<LanguageInfo> = LazyLock::new(|| {
    let text = GuideText(include_str!("info/guide.txt"));
    LanguageInfo {
        name: "gridlang",
        title: "GridLang",
        extensions: &["grid"],
        keywords: token::KEYWORDS,
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
        guide: guide::guide(text),
        ..LanguageInfo::EMPTY
    }
});
