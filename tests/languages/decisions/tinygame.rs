//! The rows of TinyGame's table of decisions.

use super::{LOAD, Row};

const HERO: &str = "player hero { x = 0; y = 0; }\n";

pub const ROWS: &[Row] = &[
    (
        "= and ==",
        HERO,
        &[
            ("if hero.x = 0 { print \"one\"; }", "OUTPUT: one"),
            ("if hero.x == 0 { print \"two\"; }", "OUTPUT: two"),
            ("if hero.x = 1 { print \"three\"; }", "not OUTPUT"),
        ],
    ),
    (
        "order",
        "print \"first\";\nplayer hero { x = 1; y = 1; }\nmove hero up 1;\nenemy owl { x = 2; y = 2; }\nmove owl up 1;\n",
        &[
            (
                LOAD,
                "OUTPUT: first\nhero moved up by 1 to position (1,2)\nowl moved up by 1 to position (2,3)",
            ),
            ("move cat up 1", "cat not declared"),
        ],
    ),
    (
        "numbers",
        HERO,
        &[
            ("set hero.x = 9223372036854775807", ""),
            ("set hero.x = hero.x + 1", "is out of range for a number"),
            ("set hero.x = 1 / 0", "division by zero"),
            ("hero.x", "= 9223372036854775807"),
        ],
    ),
    (
        "-3",
        HERO,
        &[
            ("set hero.x = -3", ""),
            ("hero.x", "= -3"),
            (
                "set hero.x = -hero.x",
                "a minus sign is only allowed before a number",
            ),
        ],
    ),
    (
        "the value of a condition",
        "player hero { x = 1; }",
        &[
            ("hero.x == 1", "= true"),
            ("hero.x > 1", "= false"),
            ("set hero.x = hero.x == 1;", "error"),
            ("if hero.x { print \"yes\"; }", "error"),
        ],
    ),
    (
        "the five documented errors",
        HERO,
        &[
            ("move ghost right 5;", "ghost not declared"),
            ("set hero.power = 10;", "property power not declared"),
            (
                "if x > 5 { print \"a\"; }",
                "standalone identifier x not allowed",
            ),
            ("set hero.x = \"hello\";", "string not allowed, must be int"),
            ("player cat { cat = 5; }", "cannot redeclare entity name"),
        ],
    ),
    (
        "final state",
        HERO,
        &[
            ("move hero right 5", ""),
            (":state", "player hero: x=5, y=0"),
        ],
    ),
];
