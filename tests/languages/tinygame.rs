//! TinyGame against its language document: the three examples (with their typos fixed) produce the
//! documented output and final state, also when typed line by line, and the documented errors are
//! reported at the right position.

use crate::test_session::TestSession;
use gridbug::command::handle_line;
use gridbug::languages;
use gridbug::render::AnswerText;
use gridbug::session::{Answer, Session};

fn session(program: &str) -> (Session, Answer) {
    let mut session = Session::new(languages::by_name("tinygame").unwrap(), 1);
    let reply = session.load("game.tg", program);
    (session, reply)
}

/// The lines of `:state` about entities.
fn final_state(session: &mut Session) -> Vec<String> {
    let lines = handle_line(session, ":state").text_lines();
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
fn documented_examples_have_the_documented_output_and_state() {
    for (program, output, state) in EXAMPLES {
        let (mut session, reply) = session(program);
        assert!(reply.ok, "{:?}", reply.diagnostics);
        assert_eq!(reply.output, output);
        assert_eq!(final_state(&mut session), state);
    }
}

#[test]
fn documented_examples_can_be_typed_line_by_line() {
    for (program, output, state) in EXAMPLES {
        let mut session = Session::new(languages::by_name("tinygame").unwrap(), 1);
        let (mut printed, mut entry) = (Vec::new(), String::new());
        for line in program.lines() {
            entry += line;
            entry.push('\n');
            let language = session.target.language();
            if entry.trim().is_empty() || language.is_incomplete(&entry, session.target.program()) {
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
fn documented_errors_are_reported_at_the_right_span() {
    let hero = "player hero { x = 0; y = 0; }\n";
    let cases = [
        // The statement, the documented message, and the underlined text.
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
    for (line, message, underlined) in cases {
        let (_, reply) = session(&format!("{hero}{line}\n"));
        let errors: Vec<_> = reply.diagnostics.iter().filter(|d| d.is_error()).collect();
        assert_eq!((reply.ok, errors.len()), (false, 1), "{line}: {errors:?}");
        assert!(
            errors[0].message.contains(message),
            "{line}: {}",
            errors[0].message
        );
        let span = errors[0].span.expect("the error has a span");
        let at = (span.start as usize, span.end as usize);
        // In the last case the property is underlined, not the entity.
        let start = hero.len()
            + if line.starts_with("enemy") {
                line.rfind(underlined)
            } else {
                line.find(underlined)
            }
            .unwrap();
        assert_eq!(at, (start, start + underlined.len()), "{line}");
        assert!(
            reply.output.is_empty(),
            "a program with errors must not run"
        );
    }
}

#[test]
fn arithmetic_moves_and_runtime_errors() {
    let prints = |program: &str, expected: &[&str]| {
        let (_, reply) = session(program);
        assert!(reply.ok, "{program}: {:?}", reply.diagnostics);
        assert_eq!(reply.output, expected, "{program}");
    };
    let fails = |program: &str, message: &str| {
        let (_, reply) = session(program);
        assert!(
            !reply.ok
                && reply
                    .diagnostics
                    .iter()
                    .any(|d| d.message.contains(message)),
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
    // `/` rounds toward zero.
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
        "out of range",
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
fn board_is_drawn_around_the_entities_with_y_up() {
    let (mut session, _) = session("player hero { x = -2; y = 3; } enemy orc { x = 1; y = 2; }");
    let board: Vec<String> = handle_line(&mut session, ":board")
        .text_lines()
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
        "duplicate entity `hero`"
    );
}

#[test]
fn entities_too_far_away_to_draw_are_listed() {
    let (mut session, _) = session("player hero { x = 0; y = 0; }\nenemy crow { x = 3; y = 2; }\n");
    assert!(
        !handle_line(&mut session, ":board")
            .text_lines()
            .iter()
            .any(|l| l.text().contains("too far"))
    );
    handle_line(&mut session, "move crow right 12345;");
    let lines: Vec<String> = handle_line(&mut session, ":board")
        .text_lines()
        .iter()
        .map(|l| l.text())
        .collect();
    assert!(
        lines
            .iter()
            .any(|l| l.trim() == "too far away to draw: crow"),
        "{lines:#?}"
    );
}

#[test]
fn long_row_numbers_keep_the_columns_aligned() {
    let (mut session, _) = session("player hero { x = 4; y = -12340; }\n");
    let lines: Vec<String> = handle_line(&mut session, ":board")
        .text_lines()
        .iter()
        .map(|l| l.text())
        .collect();
    assert_eq!(lines[0], "        3  4  5");
    assert_eq!(lines[2], "-12340  ·  h  · ");
}

#[test]
fn forgetting_warns_about_statements_each_time() {
    let program = "player a { x = 0; }\nplayer b { x = 0; }\nplayer c { x = 0; }\nset a.x = 1;\nset b.x = 1;\n";
    let mut session = TestSession::load("tinygame", program);
    let skipped = "will be skipped at the next :restart";
    for (name, warns) in [("a", true), ("b", true), ("c", false)] {
        let text = session.reply_text(&format!(":forget {name}"));
        assert_eq!(text.contains(skipped), warns, "{name}: {text}");
    }
}

#[test]
fn division_by_zero_has_the_same_code_as_in_other_languages() {
    let (mut session, _) = session("player a { x = 0; }");
    let reply = session.submit("1 / a.x");
    let error = &reply.diagnostics[0];
    assert_eq!(
        (error.code, error.message.as_str()),
        ("RT003", "division by zero")
    );
}

#[test]
fn of_many_entities_only_the_changed_ones_are_listed() {
    let entity = |n: usize| format!("player p{n} {{ x = {n}; y = 0; health = 9; }}\n");
    let program: String = (0..21).map(entity).collect();
    let mut session = TestSession::load("tinygame", &program);
    let text = session.reply_text("set p3.health = 8;\nmove p5 up 1;");
    for (line, is_shown) in [
        ("player p3: x=3, y=0, health=8", true),
        ("player p5: x=5, y=1, health=9", true),
        ("player p4: x=4, y=0, health=9", false),
        ("21 entities; `:state` lists them", true),
    ] {
        assert_eq!(text.contains(line), is_shown, "{line}: {text}");
    }
    // Also if the board looks the same.
    let text = session.reply_text("set p3.health = 7;");
    assert!(text.contains("player p3: x=3, y=0, health=7"), "{text}");
    let state = session.reply_text(":state");
    assert!((0..21).all(|n| state.contains(&format!("player p{n}: x="))));
    // One entity less, and all of them are listed.
    let text = session.reply_text(":forget p20");
    assert!(text.contains("player p4: x=4, y=0, health=9"), "{text}");
}

#[test]
fn a_declaration_replaces_a_forgotten_one_unless_it_needs_later_entities() {
    let program = "player a { x = 1; }\nplayer b { x = a.x + 1; }\nplayer c { x = 3; }\n";
    let mut session = TestSession::load("tinygame", program);
    session.reply_text(":forget b");
    session.reply_text("player b { x = a.x + 5; }");
    session.reply_text(":forget a");
    assert!(session.reply_text(":state").contains("player a"));
    session.reply_text(":forget b");
    session.reply_text("player b { x = c.x + 5; }");
    session.reply_text(":restart");
    let state = session.reply_text(":state");
    let lines = state.lines().map(str::trim);
    let lines: Vec<&str> = lines.filter(|l| l.starts_with("player ")).collect();
    assert_eq!(lines, ["player a: x=1", "player c: x=3", "player b: x=8"]);
}
