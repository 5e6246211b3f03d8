//! The rows of SGL2D's table of decisions. Playing with the arrow keys is tested in
//! `tests/cli/key_play.rs`.

use super::{LOAD, Row};

pub const ROWS: &[Row] = &[
    (
        "Environment > x=12 y=12",
        "environment > x=12 y=3\nplayer > x=0 y=0\n",
        &[
            (":state", "3 rows, 12 columns"),
            ("environment > x=1000 y=1000", "1000 columns and 1000 rows"),
            ("environment > x=1001 y=5", "has 1 to 1000 columns"),
        ],
    ),
    (
        "a word that does not fit",
        "player > x=1 y=1\nsprite wall > color=gren\ngoal > x=5 y=5\n",
        &[
            (
                LOAD,
                "reading stops here: unexpected `color=gren`; did you mean `color=green`?",
            ),
            (LOAD, "game:2:15"),
            (":list", "not goal"),
        ],
    ),
    (
        "incspritecounter alone",
        "player > x=0 y=0\nsprite box > color=red\nevent box > incspritecounter=2\nset box > x=1 y=0\n",
        &[
            ("box.counter", "= 0"),
            ("right", ""),
            ("box.counter", "= 2"),
        ],
    ),
    (
        "inccounter1=1 2",
        "player > x=0 y=0\nsprite box >\nevent box > inccounter1=1 2\nset box > x=1 y=0\n",
        &[
            (LOAD, "only the last of several numbers is used"),
            ("right", ""),
            ("counter1", "= 2"),
        ],
    ),
    (
        "Counter 1, WinOnZero",
        "player > x=0 y=0\ncounter 1 > true 1 WinOnZero\ncounter counter2 > true 5 winonzerocounter\n\
         event player > playerdeccounter1=1\n",
        &[
            (LOAD, "not error"),
            ("counter2", "= 5"),
            ("right", "Victory!"),
        ],
    ),
    (
        "no player, unknown replacement",
        "sprite box >\nevent box > transformtosprite=nope\nset box > x=1 y=0\n",
        &[
            ("right", "no player is defined, so nothing moves"),
            ("player > x=0 y=0", ""),
            ("right", "unknown sprite `nope`; the cell is not changed"),
            ("right", "(b)"),
        ],
    ),
    (
        "moveplayerto= x=5",
        "player > x=1 y=1\nsprite door >\nset door > x=2 y=1\n",
        &[
            (
                "event door > moveplayerto= x=5",
                "expected `y=…` after `moveplayerto=`",
            ),
            ("event door > moveplayerto=", "expected `x=…` and `y=…`"),
            ("event door > moveplayerto= y=0 x=5", "not error"),
            ("right", ""),
            ("player.x", "= 5"),
        ],
    ),
    (
        "events of a solid sprite, a goal on a solid cell",
        "player > x=1 y=1\nsprite wall > solid=true\nset wall > x=2 y=1\nevent wall > gameover\ngoal > x=2 y=1\n",
        &[
            (LOAD, "this never happens: `wall` is solid"),
            (LOAD, "the goal is on a cell of `wall`, which is solid"),
            ("right", "not lost"),
        ],
    ),
    (
        "player or teleport off the board",
        "player > x=50 y=50\nsprite door >\nevent door > moveplayerto= x=99 y=3\nset door > x=8 y=9\n",
        &[
            (
                LOAD,
                "the player starts outside the environment; moved to x=9 y=9",
            ),
            ("left", "the player moves to x=9 y=3"),
            ("player.x", "= 9"),
            ("player.y", "= 3"),
        ],
    ),
    (
        "restart, undo, replay",
        "player > x=0 y=0\n",
        &[
            ("right 3", ""),
            (":undo", "undone: right 3"),
            (":redo", ""),
            ("player.x", "= 3"),
            (":restart", ""),
            ("player.x", "= 0"),
        ],
    ),
    (
        "the end",
        "player > x=0 y=0\ngoal > x=2 y=0\n",
        &[("right 2", "Victory!"), (":board", "Moves: 2")],
    ),
];
