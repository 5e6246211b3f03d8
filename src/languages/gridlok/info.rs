//! GridLok as users meet it: its words, built-in names and sample games.

use super::lower;
use crate::language::{
    FileFrame, Guide, GuideText, Indentation, LanguageInfo, Layout, is_identifier, receiver,
};
use std::sync::LazyLock;

pub static INFO: LazyLock<LanguageInfo> = LazyLock::new(|| {
    let text = GuideText(include_str!("info/guide.txt"));
    LanguageInfo {
        name: "gridlok",
        title: "GridLok",
        extensions: &["gl"],
        keywords: text.words("keywords"),
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
        guide: Guide {
            sample_move: "click{0,0}",
            breakpoints: &["onClick", "setup", "winCondition"],
            dry_runs: &["winCondition", "loseCondition", "drawCondition"],
            template: include_str!("info/template.gl"),
            examples: text.examples(&[
                ("tic-tac-toe", include_str!("info/sample.gl")),
                (
                    "connect-four",
                    include_str!("../../../sessions/gridlok/connect-four.gl"),
                ),
                (
                    "lights-out",
                    include_str!("../../../sessions/gridlok/lights-out.gl"),
                ),
                (
                    "minesweeper",
                    include_str!("../../../sessions/gridlok/minesweeper.gl"),
                ),
            ]),
            lessons: &[
                include_str!("../../../sessions/course/gridlok/01-first-clicks.session"),
                include_str!("../../../sessions/course/gridlok/02-pieces.session"),
                include_str!("../../../sessions/course/gridlok/03-variables.session"),
                include_str!("../../../sessions/course/gridlok/04-turns.session"),
                include_str!("../../../sessions/course/gridlok/05-conditions.session"),
                include_str!("../../../sessions/course/gridlok/06-winning.session"),
                include_str!("../../../sessions/course/gridlok/07-stepping.session"),
                include_str!("../../../sessions/course/gridlok/08-breakpoints.session"),
                include_str!("../../../sessions/course/gridlok/09-loops.session"),
                include_str!("../../../sessions/course/gridlok/10-functions.session"),
                include_str!("../../../sessions/course/gridlok/11-watching.session"),
                include_str!("../../../sessions/course/gridlok/12-bug-hunt.session"),
                include_str!("../../../sessions/course/gridlok/13-your-game.session"),
                include_str!("../../../sessions/course/gridlok/14-find-a-win.session"),
                include_str!("../../../sessions/course/gridlok/15-check-a-rule.session"),
                include_str!("../../../sessions/course/gridlok/16-is-it-fair.session"),
            ],
            ..Guide::from_text(text)
        },
        ..LanguageInfo::EMPTY
    }
});
