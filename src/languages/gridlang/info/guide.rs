//! The example games and lessons of GridLang, and what it writes differently from other languages. The
//! texts for newcomers are in `guide.txt`.

use crate::language::ForeignSyntax::*;
use crate::language::{ExampleGame, ForeignSyntaxNotes, Guide, GuideText, ORDINARY_SPACE};

pub fn guide(text: GuideText) -> Guide {
    Guide {
        sample_move: ":turn",
        breakpoints: &["gameLoop", "checkMove", "colocation"],
        dry_runs: &["checkGameEnd"],
        foreign_syntax: FOREIGN_SYNTAX,
        examples: EXAMPLES,
        lessons: LESSONS,
        template: include_str!("template.grid"),
        ..Guide::from_text(text)
    }
}

const LESSONS: &[&str] = &[
    include_str!("../../../../sessions/course/gridlang/01-first-turns.session"),
    include_str!("../../../../sessions/course/gridlang/02-change-a-rule.session"),
    include_str!("../../../../sessions/course/gridlang/03-find-a-bug.session"),
];

const EXAMPLES: &[ExampleGame] = &[
    ExampleGame::new(
        "puddles",
        "a race with a die; puddles send you back",
        include_str!("sample.grid"),
    ),
    ExampleGame::new(
        "race",
        "snakes and ladders for two",
        include_str!("../../../../sessions/gridlang/race.grid"),
    ),
    ExampleGame::new(
        "capture",
        "two rooks against two bishops",
        include_str!("../../../../sessions/gridlang/capture.grid"),
    ),
    ExampleGame::new(
        "collect",
        "a thief collects coins, a guard chases",
        include_str!("../../../../sessions/gridlang/collect.grid"),
    ),
];

/// What GridLang writes differently from other languages.
const FOREIGN_SYNTAX: ForeignSyntaxNotes = &[
    (SlashComment, COMMENTS),
    (DashComment, COMMENTS),
    (Not, "write `!a`"),
    (NotEqual, "write `!=` for \"not equal\""),
    (If, "write `if (…) { … } else { … }`"),
    (ElseIf, "write `else if (…) { … }`"),
    (Conditional, "write `if (…) { … } else { … }`"),
    (Loop, "write a loop as `while (condition) { … }`"),
    (
        Function,
        "write a function as `function name(int a): int { … }`",
    ),
    (Variable, "declare a variable with its type: `int x = 3`"),
    (Print, "write `print(\"text\")`"),
    (
        Null,
        "every variable has a value from the start, such as 0, \"\" or false",
    ),
    (Switch, "write `if (…) { … } else if (…) { … }`"),
    (CurlyQuote, "use straight quotes: \"like this\""),
    (NoBreakSpace, ORDINARY_SPACE),
];
const COMMENTS: &str = "write `# comment` or `/* comment */`";
