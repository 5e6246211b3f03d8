//! First steps, examples and the guided tour for TinyGame.

use crate::language::ForeignSyntax::*;
use crate::language::{ExampleGame, ForeignSyntaxNotes, Guide, ORDINARY_SPACE, TourStep};

pub const GUIDE: Guide = Guide {
    sample_move: ":restart",
    breakpoints: &["game"],
    dry_runs: &[],
    first_entries: [
        (
            "player hero { x = 0; y = 0; health = 10; }",
            "adds a player to the plane",
        ),
        ("2 + 3 * 4", "evaluates an expression"),
    ],
    syntax_examples: SYNTAX_EXAMPLES,
    command_examples: COMMAND_EXAMPLES,
    foreign_syntax: FOREIGN_SYNTAX,
    word_help: super::word_help::WORD_HELP,
    tour: TOUR,
    examples: EXAMPLES,
    lessons: LESSONS,
    template: include_str!("template.tg"),
};

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

const SYNTAX_EXAMPLES: &[(&str, &str)] = &[
    (
        "player hero { x = 0; y = 0; health = 10; }",
        "a player and its properties",
    ),
    ("enemy owl { x = 2; y = 1; }", "an enemy"),
    ("move hero right 2;", "up, down, left or right"),
    ("set hero.health = hero.health - 1;", "changes a property"),
    (
        "if hero.x == owl.x { print \"The owl hoots.\"; }",
        "runs the block if the condition is true",
    ),
    ("hero.health * 2", "evaluates an expression"),
];

const COMMAND_EXAMPLES: &[(&str, &str)] = &[
    ("break", ":break 25"),
    ("tbreak", ":tbreak 25"),
    ("watch", ":watch knight.health"),
    ("rwatch", ":rwatch knight.x"),
    ("awatch", ":awatch knight.x"),
    ("log", ":log 25 \"health {knight.health}\""),
    ("skip", ":skip game"),
    ("explain", ":explain knight.health > 3"),
    ("print", "print knight.health + 1"),
    ("whatis", ":whatis knight"),
    ("display", ":display knight.health"),
    ("first", ":first knight.health < 20"),
    ("last", ":last knight.x"),
    ("list", ":list 25"),
    ("uses", ":uses knight"),
    ("listing", ":listing game"),
    ("why", ":why knight.health"),
    ("glyph", ":glyph knight k"),
    ("edit", ":edit knight"),
    ("load", ":load valley.tg"),
    ("until", "until 25"),
    ("goto", ":goto 100"),
];

const TOUR: &[TourStep] = &[
    TourStep::new(
        "Type an expression to see its value.",
        "knight.health",
        "= 14",
    ),
    TourStep::new(
        "A statement runs at once. Changed cells are shown in parentheses.",
        "move knight left 1;",
        "knight moved left by 1",
    ),
    TourStep::new(
        "You can undo any change; `:redo` repeats it.",
        ":undo",
        "undone: move knight left 1;",
    ),
    TourStep::new(
        "A breakpoint pauses the game at a line: here, where the wolf bites.",
        ":break 25",
        "break 25",
    ),
    TourStep::new(
        "Now play from the start. The line marked => runs next.",
        ":restart",
        "breakpoint 1 in game",
    ),
    TourStep::new(
        "At a stop, commands need no colon. Step once: the health drops.\nA blank line steps again.",
        "step",
        "knight.health 20 => 14",
    ),
    TourStep::new(
        "You can also step back in time.",
        "back",
        "knight.health 14 => 20",
    ),
    TourStep::new(
        "Run the same statement again and show its evaluation, part by part.",
        "step expr",
        "20 - 6 is 14",
    ),
    TourStep::new(
        "Run to the end of the game, or to the next breakpoint.\nAn error in the game stops it as well: fix a value, then retry.",
        "continue",
        "The knight goes home.",
    ),
    TourStep::new(
        "Ask which statement set a value, and which condition led there.",
        ":why knight.health",
        "because of line 24",
    ),
    TourStep::new(
        "You can step through code as a dry run: nothing will change.\n`continue` ends it.",
        ":step if knight.gold > 40 { print \"rich\"; }",
        "Dry run",
    ),
];
