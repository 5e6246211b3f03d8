//! First steps: what to try, example entries and the guided tour through the sample game.

use crate::language::ForeignSyntax::*;
use crate::language::{ExampleGame, ForeignSyntaxNotes, Guide, ORDINARY_SPACE, TourStep};

pub const GUIDE: Guide = Guide {
    sample_move: "right",
    breakpoints: &["event player", "event ", "update ", "goal"],
    dry_runs: &["goal"],
    first_entries: [
        ("environment > x=8 y=5", "sets the size of the grid"),
        ("player > x=1 y=2", "places the player"),
    ],
    syntax_examples: SYNTAX_EXAMPLES,
    command_examples: COMMAND_EXAMPLES,
    foreign_syntax: FOREIGN_SYNTAX,
    word_help: super::word_help::WORD_HELP,
    tour: TOUR,
    examples: EXAMPLES,
    lessons: LESSONS,
    template: include_str!("template.sgl2d"),
};

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

const SYNTAX_EXAMPLES: &[(&str, &str)] = &[
    ("environment > x=8 y=4", "eight columns, four rows"),
    ("player > x=0 y=0 color=blue", "where the player starts"),
    ("goal > x=7 y=3", "the player wins here"),
    (
        "sprite wall > color=black solid=true",
        "a sprite that blocks the player",
    ),
    (
        "set wall > x=2 y=0 (x=4 y=1, x=4 y=3)",
        "put it on a cell and on a range",
    ),
    (
        "counter counter1 > true 20 gameoveronzerocounter",
        "a visible counter that starts at 20",
    ),
    (
        "event player > playerdeccounter1=1",
        "what happens after each move",
    ),
    ("down 2", "a move, twice; `drr` is three moves"),
    ("counter1 < 20", "shows the value of an expression"),
];

const COMMAND_EXAMPLES: &[(&str, &str)] = &[
    ("break", ":break event coin"),
    ("tbreak", ":tbreak 14"),
    ("watch", ":watch counter2"),
    ("rwatch", ":rwatch counter2"),
    ("awatch", ":awatch counter2"),
    ("log", ":log event player \"{counter2} left\""),
    ("skip", ":skip event player"),
    ("explain", ":explain counter2 < 40"),
    ("print", "print counter2"),
    ("whatis", ":whatis coin"),
    ("display", ":display counter2"),
    ("first", ":first counter2 == 38"),
    ("last", ":last player.x"),
    ("list", ":list bee"),
    ("uses", ":uses floor"),
    ("listing", ":listing goal"),
    ("why", ":why counter2"),
    ("glyph", ":glyph coin o"),
    ("edit", ":edit coin"),
    ("load", ":load garden.sgl2d"),
    ("until", "until 14"),
];

const TOUR: &[TourStep] = &[
    TourStep::new(
        "Type a move and how often to repeat it. Changed cells are shown in\nparentheses. (`:play` lets you use the arrow keys instead.)",
        "up 2",
        "Counter 2: 38",
    ),
    TourStep::new(
        "You can undo anything that changed the game; `:redo` does it again.",
        ":undo",
        "undone: up 2",
    ),
    TourStep::new(
        "A breakpoint pauses the game at a line of its source: here, when the\nplayer touches a coin.",
        ":break event coin",
        "break event coin",
    ),
    TourStep::new(
        "There is a coin two cells up and two to the right. The line marked =>\nruns next.",
        "uurr",
        "breakpoint 1 in event coin",
    ),
    TourStep::new(
        "At a stop, commands need no colon. One step changes the counter.\nA blank line repeats the step.",
        "step",
        "counter1 0 => 1",
    ),
    TourStep::new("You can also step back.", "back", "counter1 1 => 0"),
    TourStep::new(
        "Run to the end of the moves, or to the next breakpoint.",
        "continue",
        "Counter 1: 1",
    ),
    TourStep::new(
        "Ask what set a value, and which entry caused it.",
        ":why counter1",
        "by event coin",
    ),
    TourStep::new(
        "Or ask why something is not the case.",
        ":why not win",
        "win is false",
    ),
    TourStep::new(
        "Step through the test for the goal on the current board. This is a dry\nrun: nothing will change.",
        ":step goal",
        "Dry run",
    ),
    TourStep::new(
        "Run one statement and show how it is evaluated.",
        "step expr",
        "is false",
    ),
    TourStep::new(
        "Enter a statement again to replace it while the game is running: now\nyou can walk through the hedge.",
        "sprite hedge > color=green solid=false",
        "replaced sprite hedge",
    ),
];
