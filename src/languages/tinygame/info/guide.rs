//! The example games and lessons of TinyGame, and what it writes differently from other languages. The
//! texts for newcomers are in `guide.txt`.

use crate::language::ForeignSyntax::*;
use crate::language::{ExampleGame, ForeignSyntaxNotes, Guide, GuideText, ORDINARY_SPACE};

pub fn guide(text: GuideText) -> Guide {
    Guide {
        sample_move: ":restart",
        breakpoints: &["game"],
        foreign_syntax: FOREIGN_SYNTAX,
        examples: EXAMPLES,
        lessons: LESSONS,
        template: include_str!("template.tg"),
        ..Guide::from_text(text)
    }
}

const LESSONS: &[&str] = &[
    include_str!("../../../../sessions/course/tinygame/01-line-by-line.session"),
    include_str!("../../../../sessions/course/tinygame/02-change-a-rule.session"),
    include_str!("../../../../sessions/course/tinygame/03-find-a-bug.session"),
];

const EXAMPLES: &[ExampleGame] = &[
    ExampleGame::new(
        "valley",
        "a knight, a wolf and a chest",
        include_str!("sample.tg"),
    ),
    ExampleGame::new(
        "duel",
        "two fighters trade blows",
        include_str!("../../../../sessions/tinygame/duel.tg"),
    ),
    ExampleGame::new(
        "harvest",
        "a score with integers only",
        include_str!("../../../../sessions/tinygame/harvest.tg"),
    ),
    ExampleGame::new(
        "patrol",
        "a thief waits for the guard to look away",
        include_str!("../../../../sessions/tinygame/patrol.tg"),
    ),
    ExampleGame::new(
        "race",
        "hare and tortoise",
        include_str!("../../../../sessions/tinygame/race.tg"),
    ),
];

/// What TinyGame writes differently from other languages.
const FOREIGN_SYNTAX: ForeignSyntaxNotes = &[
    (HashComment, COMMENTS),
    (DashComment, COMMENTS),
    (BlockComment, COMMENTS),
    (Increment, "write `set hero.x = hero.x + 1;`"),
    (And, "put one `if` inside the other"),
    (Or, "write one `if` after the other"),
    (Not, "write the opposite comparison, such as `!=`"),
    (
        If,
        "write `if hero.x > 5 { … }`, and a second `if` for the opposite",
    ),
    (ElseIf, "write a second `if`"),
    (Conditional, "write `if hero.x > 5 { … }`"),
    (
        Loop,
        "there are no loops: write the statements several times",
    ),
    (Function, NO_FUNCTIONS),
    (Return, NO_FUNCTIONS),
    (
        Variable,
        "give an entity a property, `player hero { score = 0; }`, and change it: `set hero.score = 3;`",
    ),
    (Print, "write `print \"text\";`"),
    (Null, "every property is a whole number"),
    (Switch, "write one `if` after the other"),
    (Import, "a game is a single file"),
    (SingleQuote, "put text in double quotes: \"like this\""),
    (CurlyQuote, "use straight quotes: \"like this\""),
    (NoBreakSpace, ORDINARY_SPACE),
];
const COMMENTS: &str = "write `// comment`";
const NO_FUNCTIONS: &str = "there are no functions: a program is a list of statements";
