//! The example games and lessons of SGL2D, and what it writes differently from other languages. The
//! texts for newcomers are in `guide.txt`.

use crate::language::ForeignSyntax::*;
use crate::language::{ExampleGame, ForeignSyntaxNotes, Guide, GuideText, ORDINARY_SPACE};

pub fn guide(text: GuideText) -> Guide {
    Guide {
        sample_move: "right",
        breakpoints: &["event player", "event ", "update ", "goal"],
        dry_runs: &["goal"],
        foreign_syntax: FOREIGN_SYNTAX,
        examples: EXAMPLES,
        lessons: LESSONS,
        template: include_str!("template.sgl2d"),
        ..Guide::from_text(text)
    }
}

const LESSONS: &[&str] = &[
    include_str!("../../../../sessions/course/sgl2d/01-first-moves.session"),
    include_str!("../../../../sessions/course/sgl2d/02-change-a-rule.session"),
    include_str!("../../../../sessions/course/sgl2d/03-find-a-bug.session"),
];

const EXAMPLES: &[ExampleGame] = &[
    ExampleGame::new(
        "garden",
        "reach the goal, collect coins, avoid the bee",
        include_str!("sample.sgl2d"),
    ),
    ExampleGame::new(
        "maze",
        "find the way before the steps run out",
        include_str!("../../../../sessions/sgl2d/maze.sgl2d"),
    ),
    ExampleGame::new(
        "orchard",
        "collect eight fruits and avoid the thistles",
        include_str!("../../../../sessions/sgl2d/orchard.sgl2d"),
    ),
    ExampleGame::new(
        "portals",
        "doors that lead elsewhere, and traps",
        include_str!("../../../../sessions/sgl2d/portals.sgl2d"),
    ),
    ExampleGame::new(
        "fuse",
        "a barrel blocks the way and will explode",
        include_str!("../../../../sessions/sgl2d/fuse.sgl2d"),
    ),
    ExampleGame::new(
        "storm",
        "stay alive while lightning strikes at random",
        include_str!("../../../../sessions/sgl2d/storm.sgl2d"),
    ),
];

/// What SGL2D writes differently from other languages.
const FOREIGN_SYNTAX: ForeignSyntaxNotes = &[
    (SlashComment, NO_COMMENTS),
    (HashComment, NO_COMMENTS),
    (DashComment, NO_COMMENTS),
    (BlockComment, NO_COMMENTS),
    (Increment, COUNTERS),
    (CompoundAssignment, COUNTERS),
    (And, ONE_COMPARISON),
    (Or, ONE_COMPARISON),
    (Not, ONE_COMPARISON),
    (NotEqual, ONE_COMPARISON),
    (If, EVENTS),
    (ElseIf, EVENTS),
    (Conditional, EVENTS),
    (
        Loop,
        "there are no loops; to move several times, write `right 3`",
    ),
    (Function, EVENTS),
    (Return, EVENTS),
    (
        Variable,
        "the only variables are three counters: `counter counter1 > true 10`",
    ),
    (Print, "type a name to see its value: `counter1`"),
    (
        Null,
        "an expression is a name or a comparison: `counter1 == 3`",
    ),
    (Switch, EVENTS),
    (Import, "a game is a single file"),
    (SingleQuote, NO_QUOTES),
    (CurlyQuote, NO_QUOTES),
    (NoBreakSpace, ORDINARY_SPACE),
];
const NO_COMMENTS: &str = "SGL2D has no comments";
const COUNTERS: &str = "events change the counters: `event coin > inccounter1=1`";
const ONE_COMPARISON: &str =
    "an expression is a name or a single comparison: `player.x`, `counter1 == 3`";
const EVENTS: &str = "say what happens with events: `event coin > inccounter1=1`";
const NO_QUOTES: &str = "names are written without quotes";
