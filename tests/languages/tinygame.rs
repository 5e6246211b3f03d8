//! TinyGame's document: its three examples, repaired, print and leave behind exactly what it says; its errors are told
//! where they are; and all of it can be typed line by line.

use gridbug::command::handle_line;
use gridbug::languages;
use gridbug::session::{Reply, Session};

fn session(program: &str) -> (Session, Reply) {
    let mut session = Session::new(languages::by_name("tinygame").unwrap(), 1);
    let reply = session.load("game.tg", program);
    (session, reply)
}

/// What `:state` says of the entities.
fn final_state(session: &mut Session) -> Vec<String> {
    let lines = handle_line(session, ":state").lines;
    let lines = lines
        .iter()
        .map(|l| l.text())
        .filter(|l| l.starts_with("player ") || l.starts_with("enemy "));
    lines.collect()
}

const EXAMPLES: [(&str, &[&str], &[&str]); 3] = [
    (
        "player hero {\n    x = 0;\n    y = 0;\n}\n\nmove hero right 5;\nmove hero up 3;\nprint \"Hero moved!\";\n",
        &[
            "hero moved right by 5 to position (5,0)",
            "hero moved up by 3 to position (5,3)",
            "OUTPUT: Hero moved!",
        ],
        &["player hero: x=5, y=3"],
    ),
    (
        "player hero {\n    x = 0;\n    y = 0;\n    health = 100;\n}\nenemy monster {\n    x = 5;\n    y = 5;\n}\nmove hero right 5;\nmove hero up 5;\nif hero.x == monster.x {\n    if hero.y == monster.y {\n        set hero.health = hero.health - 10;\n        print \"Hit by monster!\";\n    }\n}\n",
        &[
            "hero moved right by 5 to position (5,0)",
            "hero moved up by 5 to position (5,5)",
            "OUTPUT: Hit by monster!",
        ],
        &[
            "player hero: x=5, y=5, health=90",
            "enemy monster: x=5, y=5",
        ],
    ),
    (
        "player hero {\n    x = 0;\n    y = 0;\n    score = 0;\n}\nmove hero right 10;\nif hero.x > 5 {\n    set hero.score = hero.score + 100;\n    print \"Bonus points earned!\";\n}\n",
        &[
            "hero moved right by 10 to position (10,0)",
            "OUTPUT: Bonus points earned!",
        ],
        &["player hero: x=10, y=0, score=100"],
    ),
];

#[test]
fn the_examples_print_and_leave_what_the_document_says() {
    for (program, output, state) in EXAMPLES {
        let (mut session, reply) = session(program);
        assert!(reply.ok, "{:?}", reply.diagnostics);
        assert_eq!(reply.output, output);
        assert_eq!(final_state(&mut session), state);
    }
}

#[test]
fn the_examples_can_be_typed_line_by_line() {
    for (program, output, state) in EXAMPLES {
        let mut session = Session::new(languages::by_name("tinygame").unwrap(), 1);
        let (mut printed, mut entry) = (Vec::new(), String::new());
        for line in program.lines() {
            entry += line;
            entry.push('\n');
            let language = session.language();
            if entry.trim().is_empty() || language.is_incomplete(&entry, session.program()) {
                continue;
            }
            let reply = handle_line(&mut session, &std::mem::take(&mut entry));
            assert!(reply.ok, "{line}: {:?}", reply.diagnostics);
            printed.extend(reply.output);
        }
        assert_eq!(printed, output);
        assert_eq!(final_state(&mut session), state);
    }
}

#[test]
fn the_errors_of_the_document_are_told_at_their_place() {
    let hero = "player hero { x = 0; y = 0; }\n";
    let cases = [
        // The text, the words of the document, and what they are said of.
        ("move ghost right 5;", "ghost not declared", "ghost"),
        ("set hero.power = 10;", "power not declared", "power"),
        (
            "if x > 5 { print \"far\"; }",
            "standalone identifier x not allowed",
            "x",
        ),
        (
            "set hero.x = \"hello\";",
            "string not allowed, must be int",
            "\"hello\"",
        ),
        (
            "enemy orc { orc = 5; }",
            "cannot redeclare entity name",
            "orc",
        ),
    ];
    for (line, words, place) in cases {
        let (_, reply) = session(&format!("{hero}{line}\n"));
        let wrong: Vec<_> = reply.diagnostics.iter().filter(|d| d.is_error()).collect();
        assert_eq!((reply.ok, wrong.len()), (false, 1), "{line}: {wrong:?}");
        assert!(
            wrong[0].message.contains(words),
            "{line}: {}",
            wrong[0].message
        );
        let span = wrong[0].span.expect("a place");
        let at = (span.start as usize, span.end as usize);
        // In the last one it is the property, not the entity.
        let start = hero.len()
            + if line.starts_with("enemy") {
                line.rfind(place)
            } else {
                line.find(place)
            }
            .unwrap();
        assert_eq!(at, (start, start + place.len()), "{line}");
        assert!(reply.output.is_empty(), "nothing runs");
    }
}

#[test]
fn directions_signs_and_limits() {
    let prints = |program: &str, wanted: &[&str]| {
        let (_, reply) = session(program);
        assert!(reply.ok, "{program}: {:?}", reply.diagnostics);
        assert_eq!(reply.output, wanted, "{program}");
    };
    let fails = |program: &str, words: &str| {
        let (_, reply) = session(program);
        assert!(
            !reply.ok && reply.diagnostics.iter().any(|d| d.message.contains(words)),
            "{program}: {reply:?}"
        );
    };
    let a = "player a { x = 0; y = 0; k = 7; }";
    prints(
        &format!("{a} move a down 2; move a left 3; move a up -1;"),
        &[
            "a moved down by 2 to position (0,-2)",
            "a moved left by 3 to position (-3,-2)",
            "a moved up by -1 to position (-3,-3)",
        ],
    );
    // `/` cuts off towards zero.
    prints(
        &format!("{a} move a right a.k / 2; move a right -7 / 2; move a up (1 + 2) * 3 - 4 / 2;"),
        &[
            "a moved right by 3 to position (3,0)",
            "a moved right by -3 to position (0,0)",
            "a moved up by 7 to position (0,7)",
        ],
    );
    // `=` compares like `==`.
    prints(
        &format!(
            "{a} if a.k = 7 {{ print \"seven\"; }} if a.k != 7 {{ print \"no\"; }} if a.k < 8 {{ print \"less\"; }}"
        ),
        &["OUTPUT: seven", "OUTPUT: less"],
    );
    fails(&format!("{a} set a.k = 1 / (a.k - 7);"), "division by zero");
    fails(
        &format!("{a} set a.k = 9223372036854775807; set a.k = a.k + 1;"),
        "too large",
    );
    fails("player b { x = 1; } move b up 1;", "b has no y");
    fails("player b { k = 1; } move b up 1;", "b has no x or y");
    fails(&format!("{a} enemy a {{ }}"), "duplicate entity");
    fails("player b { x = 1; x = 2; }", "duplicate property");
    fails(
        "move c up 1; player c { x = 0; y = 0; }",
        "c not declared before its use",
    );
}

#[test]
fn the_plane_is_drawn_around_the_entities_and_grows_upwards() {
    let (mut session, _) = session("player hero { x = -2; y = 3; } enemy orc { x = 1; y = 2; }");
    let board: Vec<String> = handle_line(&mut session, ":board")
        .lines
        .iter()
        .map(|l| l.text().trim_end().to_string())
        .collect();
    let rows = [
        "     -3 -2 -1  0  1  2",
        "   4  ·  ·  ·  ·  ·  ·",
        "   3  ·  h  ·  ·  ·  ·",
        "   2  ·  ·  ·  ·  o  ·",
        "   1  ·  ·  ·  ·  ·  ·",
    ];
    assert_eq!(board[..5], rows);
    let reply = handle_line(&mut session, ":forget orc");
    assert!(reply.ok && final_state(&mut session) == ["player hero: x=-2, y=3"]);
    assert!(
        !handle_line(&mut session, "player hero { x = 1; }").ok,
        "declared already"
    );
}

#[test]
fn who_is_too_far_away_to_be_drawn_is_named() {
    let (mut session, _) = session("player hero { x = 0; y = 0; }\nenemy crow { x = 3; y = 2; }\n");
    assert!(
        !handle_line(&mut session, ":board")
            .lines
            .iter()
            .any(|l| l.text().contains("too far"))
    );
    handle_line(&mut session, "move crow right 12345;");
    let lines: Vec<String> = handle_line(&mut session, ":board")
        .lines
        .iter()
        .map(|l| l.text())
        .collect();
    assert!(
        lines
            .iter()
            .any(|l| l.trim() == "too far away to be drawn: crow"),
        "{lines:#?}"
    );
}

#[test]
fn long_row_numbers_keep_the_columns_in_line() {
    let (mut session, _) = session("player hero { x = 4; y = -12340; }\n");
    let lines: Vec<String> = handle_line(&mut session, ":board")
        .lines
        .iter()
        .map(|l| l.text())
        .collect();
    assert_eq!(lines[0], "        3  4  5");
    assert_eq!(lines[2], "-12340  ·  h  · ");
}
