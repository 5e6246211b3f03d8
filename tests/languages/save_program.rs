//! `:save game.gl` writes the program as it is now.

use gridbug::command::{handle_line, is_modified};
use gridbug::host::MemoryHost;
use gridbug::language::Viewport;
use gridbug::languages;
use gridbug::render::AnswerText;
use gridbug::session::Session;
use std::rc::Rc;

fn session(language: &str) -> Session {
    let language = languages::by_name(language).expect("unknown language");
    Session::with_host(language, 1, Rc::new(MemoryHost::new()))
}

fn open(language: &str, text: &str) -> Session {
    let mut session = session(language);
    let reply = gridbug::command::start_session(&mut session, "game", text);
    assert!(reply.ok, "{:?}\n{text}", reply.diagnostics);
    session
}

fn run(session: &mut Session, line: &str) {
    let reply = handle_line(session, line);
    assert!(reply.ok, "{line}: {}", reply.text());
}

fn save_command(session: &Session) -> String {
    let extension = session.target.language().info().extensions[0];
    format!(":save my-game.{extension} --replace")
}

/// The program as `:save` writes it.
fn saved(session: &mut Session) -> String {
    let command = save_command(session);
    run(session, &command);
    let path = session.program_file().path.clone().unwrap();
    let bytes = session.host().read(&path, u64::MAX).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// `gridbug run` evaluates `result`.
#[test]
fn saving_a_bogl_program_without_a_result_says_so() {
    let host = std::rc::Rc::new(gridbug::host::MemoryHost::new());
    let language = gridbug::languages::by_name("bogl").unwrap();
    let mut session = gridbug::session::Session::with_host(language, 1, host);
    let mut reply = |line: &str| gridbug::command::handle_line(&mut session, line).text();
    reply("half : Int -> Int\nhalf(n) = n / 2");
    let hint = "`gridbug run` also needs a value named `result`";
    assert!(reply(":save half.bgl").contains(hint));
    reply("result : Int\nresult = half(84)");
    assert!(!reply(":save half.bgl").contains(hint));
}

#[test]
fn an_unfinished_program_is_saved_with_a_warning() {
    let mut session = session("gridlok");
    run(&mut session, "fun one() { return 1 }");
    let text = handle_line(&mut session, ":save a.gl").text();
    assert!(
        text.contains("the file cannot be loaded yet: this game has no board"),
        "{text}"
    );
    assert_eq!(saved(&mut session), "game {\n  fun one() { return 1 }\n}\n");
}

/// The texts of all definitions, sorted.
fn definitions(session: &Session) -> Vec<String> {
    let target = &session.target;
    let items = target
        .language()
        .program_items(target.program(), &target.sources);
    let mut texts: Vec<String> = items
        .into_iter()
        .map(|item| {
            let text = item
                .text
                .unwrap_or_else(|| target.sources.slice(item.span).to_string());
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        })
        .collect();
    texts.sort();
    texts
}

/// What the game looks like when it has just started, and what it answers to some actions.
fn played(session: &mut Session) -> String {
    run(session, ":seed 7");
    run(session, ":restart");
    let language = session.target.language().info().name;
    // In a file, a `let` of BoGL is a definition.
    let variables = match language {
        "bogl" => String::new(),
        _ => handle_line(session, ":vars").text(),
    };
    // They are listed in the order in which they were declared.
    let mut variables: Vec<&str> = variables.lines().collect();
    variables.sort();
    let mut played = format!("{}\n{}", board(session), variables.join("\n"));
    let (_, actions) = ACTIONS.iter().find(|(name, _)| *name == language).unwrap();
    for action in *actions {
        let reply = handle_line(session, action);
        let output: Vec<&String> = reply.all_output().collect();
        let value: Vec<&str> = reply.value_lines().collect();
        played += &format!("\n> {action}\n{} {output:?} {value:?}", reply.ok);
        if language != "bogl" {
            played += &board(session);
        }
    }
    played
}

fn board(session: &Session) -> String {
    let Some(board) = session.target.view(Viewport::ALL).board else {
        return "no board".into();
    };
    let mut text = format!("{} x {}", board.rows, board.cols);
    for row in board.cells.chunks(board.shown_cols.max(1) as usize) {
        let names = row
            .iter()
            .map(|cell| cell.name.map(|name| name.to_string()));
        text += &format!("\n{:?}", names.collect::<Vec<_>>());
    }
    text
}

/// Checks that loading the saved program gives the same program.
fn check_saved(session: &mut Session) -> Result<(), String> {
    let language = session.target.language().info().name;
    let text = saved(session);
    let mut loaded = open(language, &text);
    let (expected, found) = (definitions(session), definitions(&loaded));
    if expected != found {
        return Err(format!("{expected:#?}\n{found:#?}\n{text}"));
    }
    let (expected, found) = (played(session), played(&mut loaded));
    if expected != found {
        return Err(format!("{expected}\n\nloaded:\n{found}\n{text}"));
    }
    // Saving what was loaded changes nothing.
    match saved(&mut loaded) == text {
        true => Ok(()),
        false => Err(format!("saved again, it differs:\n{text}")),
    }
}

/// The sample game with a comment before and after each definition. SGL2D has no comments.
fn commented_sample(language: &str) -> (String, usize) {
    let (start, end) = match language {
        "gridlok" => ("/*", " */"),
        "bogl" => ("--", ""),
        "gridlang" => ("#", ""),
        "tinygame" => ("//", ""),
        _ => return (session(language).target.language().info().sample.into(), 0),
    };
    let sample = session(language).target.language().info().sample;
    let session = open(language, sample);
    let target = &session.target;
    let items = target
        .language()
        .program_items(target.program(), &target.sources);
    let mut text = sample.to_string();
    let mut spans: Vec<(usize, usize)> = items
        .iter()
        .map(|item| (item.span.start as usize, item.span.end as usize))
        .collect();
    spans.sort();
    spans.dedup();
    for (n, (from, to)) in spans.iter().enumerate().rev() {
        let line_end = to + text[*to..].find('\n').unwrap();
        text.insert_str(line_end, &format!(" {start} after-{n}.{end}"));
        let line_start = text[..*from].rfind('\n').map_or(0, |at| at + 1);
        text.insert_str(line_start, &format!("{start} before-{n}.{end}\n"));
    }
    (text, spans.len())
}

/// Lines that are typed after a program was loaded, in each language.
const ACTIONS: [(&str, &[&str]); 5] = [
    (
        "gridlok",
        &[
            "click{0,0}",
            "click{1,1}",
            "turn",
            "click{0,1}",
            "click{2,1}",
            "click{0,2}",
            "turnCount",
            "twice{3}",
            "twice",
            "bonus",
            "names",
        ],
    ),
    (
        "bogl",
        &[
            "left(start)",
            "take(2, start)",
            "twice(4)",
            "seven",
            "choice(take(1, start))",
        ],
    ),
    (
        "gridlang",
        &[
            ":turn",
            ":turn",
            ":turn",
            "ann.throws",
            "twice(4)",
            "limit",
            "bonus",
            "home",
        ],
    ),
    (
        "tinygame",
        &["move knight up 2;", "print knight.x;", "move hero right 1;"],
    ),
    ("sgl2d", &["right", "right", "up", "counter1", "counter3"]),
];

/// Entries that redefine parts of the sample games or add to them, in any order.
const ENTRIES: [(&str, &[&str]); 5] = [
    (
        "gridlok",
        &[
            "board { dimensions {4, 4} image {board.png} }",
            "players {\"x\", \"o\", \"z\"}",
            "turnOrder {\"o\", \"x\"}",
            "piece { name {\"free\"} image {f.png}\n  onClick { changeType {\"X\"} }\n}",
            "piece { name {\"wall\"} image {w.png} }",
            "def bonus {3}",
            "def bonus {4} def names {\"a\", \"b\",}",
            "fun mine(p) { return p.name == turn }",
            "fun twice(n) {\n  /* doubles */\n  return n * 2\n}",
            "def twice {2}",
            "setup { for r, c in board { place {\"free\", r, c} } }",
            "winCondition { win {false} }",
            "loseCondition {\n  lose {turnCount > 9}\n}",
        ],
    ),
    (
        "bogl",
        &[
            "type Winner = {You, Machine, Nobody}",
            "type Pair = (Int,Int)",
            "left : Board -> Int\nleft(b) = count(Stone, b) + 0",
            "left(b) = count(Stone, b)",
            "twice : Int -> Int\ntwice(n) = n * 2",
            "twice(n) = n + n",
            "let seven = 7",
            "let seven = 8",
            "start : Board\nstart!(x,y) = Stone\nstart!(1,1) = Gone",
            "start!(x,y) = Gone",
        ],
    ),
    (
        "gridlang",
        &[
            "Player {\n    int throws\n    int rests\n}",
            "Item Puddle {\n    int depth = 2\n}",
            "Item Stone {\n    int weight\n}",
            "int limit = 3, bonus = 4",
            "int bonus = 5",
            "coordinate home = (0,0)",
            "function int twice(int n) {\n    return 2 * n\n}",
            "gameLoop()\n{\n    p.throws++\n}",
            "gameOver()\n{\n    print(\"over\")\n}",
            "Player.checkMove(coordinate start, coordinate end)\n{\n    return true\n}",
        ],
    ),
    (
        "tinygame",
        &[
            "player hero { x = 1; y = 2; }",
            "enemy ghost { x = 3; }",
            "enemy bat { x = 7; y = 7; }",
            "move knight right 1;",
        ],
    ),
    (
        "sgl2d",
        &[
            "player > x=2 y=2 color=red",
            "goal > x=9 y=5 color=pink",
            "sprite coin > color=yellow",
            "sprite wall > color=black solid=true",
            "event coin > inccounter1=2",
            "event player > playerinccounter3=1",
            "counter counter3 > true 5",
            "set coin > x=4 y=1",
            "set hedge > (x=2 y=4, x=3 y=4)",
        ],
    ),
];

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 100, failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_saved_program_is_the_same_program(
        language in 0..ENTRIES.len(),
        from_sample in proptest::bool::ANY,
        picks in proptest::collection::vec(0usize..100, 0..8),
    ) {
        let (name, entries) = ENTRIES[language];
        let (sample, count) = commented_sample(name);
        let mut session = match from_sample {
            true => open(name, &sample),
            false => session(name),
        };
        for pick in picks {
            // Some are errors in a game typed from nothing; they change nothing.
            handle_line(&mut session, entries[pick % entries.len()]);
        }
        let command = save_command(&session);
        let is_complete = !handle_line(&mut session, &command)
            .text()
            .contains("cannot be loaded yet");
        proptest::prop_assert!(is_complete || !from_sample, "a changed sample does not load");
        proptest::prop_assume!(is_complete);
        let text = saved(&mut session);
        for comment in (0..count).flat_map(|n| [format!("before-{n}."), format!("after-{n}.")]) {
            let found = text.matches(&comment).count();
            proptest::prop_assert!(found == 1 || !from_sample, "{comment}: {found} times\n{text}");
        }
        check_saved(&mut session).map_err(proptest::test_runner::TestCaseError::fail)?;
    }
}

#[test]
fn redefinitions_replace_the_text_in_place() {
    let text = "/* Two rows. */\ngame {\n  board { dimensions {2, 2} image {b.png} } /* small */\n\n  \
                fun one() {\n    return 1 /* really */\n  }\n\n  /* The end. */\n  winCondition { win {false} }\n}\n";
    let mut session = open("gridlok", text);
    assert!(!is_modified(&session));
    run(&mut session, "fun one() {\n  return 11\n}");
    run(&mut session, "fun two() { return 2 }");
    run(&mut session, "def score {0}");
    assert!(is_modified(&session));
    assert_eq!(
        saved(&mut session),
        "/* Two rows. */\ngame {\n  board { dimensions {2, 2} image {b.png} } /* small */\n\n  def score {0}\n\n  \
         fun one() {\n    return 11\n  }\n\n  fun two() { return 2 }\n\n  /* The end. */\n  winCondition { win {false} }\n}\n"
    );
    assert!(!is_modified(&session));
    run(&mut session, ":undo");
    assert!(is_modified(&session));
}

#[test]
fn a_game_typed_from_nothing_is_a_complete_file() {
    let mut gridlok = session("gridlok");
    for line in [
        "winCondition { win {turnCount > 3} }",
        "piece { name {\"a\"} image {a.png} }",
        "board { dimensions {2, 2} image {b.png} }",
        "players {\"x\"}",
        "turnOrder {\"x\"}",
    ] {
        run(&mut gridlok, line);
    }
    assert_eq!(
        saved(&mut gridlok),
        "game {\n  board { dimensions {2, 2} image {b.png} }\n\n  players {\"x\"}\n  turnOrder {\"x\"}\n\n  \
         piece { name {\"a\"} image {a.png} }\n\n  winCondition { win {turnCount > 3} }\n}\n"
    );

    let mut bogl = session("bogl");
    run(&mut bogl, "let n = 2 + 3");
    run(&mut bogl, "type Board = Array (2,2) of Int");
    assert_eq!(
        saved(&mut bogl),
        "game MyGame\n\ntype Board = Array (2,2) of Int\n\nn : Int\nn = 2 + 3\n"
    );

    let mut tinygame = session("tinygame");
    run(&mut tinygame, "player hero { x = 0; y = 0; }");
    run(&mut tinygame, "move hero right 2;");
    run(&mut tinygame, "set hero.y = 9;");
    run(&mut tinygame, ":undo");
    assert_eq!(
        saved(&mut tinygame),
        "player hero { x = 0; y = 0; }\n\nmove hero right 2;\n"
    );
}

#[test]
fn one_variable_of_a_declaration_can_be_replaced() {
    let mut session = open("gridlang", "int a = 1, b = 2 # both\nLayout(1, 1)\n{\n}\n");
    run(&mut session, "int a = 5");
    assert_eq!(
        saved(&mut session),
        "int a = 5\nint b = 2 # both\nLayout(1, 1)\n{\n}\n"
    );
}

#[test]
fn saving_refuses_what_would_lose_something() {
    let mut session = open(
        "gridlok",
        "game { board { dimensions {1, 1} image {b.png} } }",
    );
    session.host().write("other.gl", "kept").unwrap();
    let reply = handle_line(&mut session, ":save other.gl");
    assert!(!reply.ok);
    assert!(
        reply
            .text()
            .contains("other.gl already exists and is not the file of this game"),
        "{}",
        reply.text()
    );
    assert_eq!(session.host().read("other.gl", 99).unwrap(), b"kept");
    let reply = handle_line(&mut session, ":save other.bgl");
    assert!(
        reply
            .text()
            .contains("would be a BoGL program, but this is GridLok; use the extension .gl"),
        "{}",
        reply.text()
    );
}

#[test]
fn saving_without_a_name_writes_the_games_own_file() {
    let mut session = session("gridlok");
    let reply = handle_line(&mut session, ":save");
    assert!(
        reply.text().contains("`:save` needs a file"),
        "{}",
        reply.text()
    );
    session
        .host()
        .write(
            "game.gl",
            "game { board { dimensions {1, 1} image {b.png} } }\n",
        )
        .unwrap();
    run(&mut session, ":load game.gl");
    run(&mut session, "def score {1}");
    run(&mut session, ":save");
    assert_eq!(
        String::from_utf8(session.host().read("game.gl", 999).unwrap()).unwrap(),
        "game { board { dimensions {1, 1} image {b.png} }\n\ndef score {1}\n}\n"
    );
}

fn file(session: &Session, path: &str) -> String {
    String::from_utf8(session.host().read(path, 9999).unwrap()).unwrap()
}

const ONE_CELL: &str = "game {\n  board { dimensions {1, 1} image {b.png} }\n}\n";

#[test]
fn after_an_undone_load_the_program_belongs_to_the_file_before() {
    let mut session = session("gridlok");
    session.host().write("one.gl", ONE_CELL).unwrap();
    let two = ONE_CELL.replace("{1, 1}", "{2, 2}");
    session.host().write("two.gl", &two).unwrap();
    run(&mut session, ":load one.gl");
    run(&mut session, "def a {1}");
    run(&mut session, ":load two.gl");
    assert!(!is_modified(&session));
    run(&mut session, ":undo");
    assert!(is_modified(&session));
    run(&mut session, ":save");
    assert_eq!(file(&session, "two.gl"), two);
    assert!(file(&session, "one.gl").contains("def a {1}"));
    assert!(!is_modified(&session));
    run(&mut session, ":redo");
    assert_eq!(session.program_file().path.as_deref(), Some("two.gl"));
}

#[test]
fn a_load_that_fails_leaves_the_file_of_the_game() {
    let mut session = session("gridlok");
    session.host().write("one.gl", ONE_CELL).unwrap();
    let failing = ONE_CELL.replace("}\n}", "}\n  setup { def n {1 / 0} }\n}");
    session.host().write("failing.gl", &failing).unwrap();
    run(&mut session, ":load one.gl");
    assert!(!handle_line(&mut session, ":load failing.gl").ok);
    assert_eq!(session.program_file().path.as_deref(), Some("one.gl"));
}

#[test]
fn a_file_that_changed_on_disk_is_not_overwritten() {
    let mut session = session("gridlok");
    session.host().write("game.gl", ONE_CELL).unwrap();
    run(&mut session, ":load game.gl");
    run(&mut session, "def a {1}");
    let edited = ONE_CELL.replace("1, 1", "3, 3");
    session.host().write("game.gl", &edited).unwrap();
    let reply = handle_line(&mut session, ":save");
    let text = reply.text();
    assert!(text.contains("game.gl has changed on disk"), "{text}");
    assert_eq!(file(&session, "game.gl"), edited);
    // What was typed is kept.
    run(&mut session, ":reload");
    run(&mut session, ":save");
    assert_eq!(
        file(&session, "game.gl"),
        edited.replace("} }\n", "} }\n\n  def a {1}\n")
    );
}

#[test]
fn the_program_of_a_session_file_does_not_replace_a_file_of_the_same_name() {
    let mut session = session("gridlok");
    session.host().write("game.gl", "kept").unwrap();
    let text = format!("language gridlok\n--- program game.gl\n{ONE_CELL}--- session\n");
    session.host().write("a.session", &text).unwrap();
    run(&mut session, ":load a.session");
    assert!(!handle_line(&mut session, ":save").ok);
    assert_eq!(file(&session, "game.gl"), "kept");
}

#[test]
fn line_endings_and_a_byte_order_mark_are_kept() {
    let mut session = session("gridlok");
    let text = format!("\u{feff}{}", ONE_CELL.replace('\n', "\r\n"));
    session.host().write("game.gl", text.trim_end()).unwrap();
    run(&mut session, ":load game.gl");
    run(&mut session, "def a {1}");
    run(&mut session, "fun two() {\n  return 2\n}");
    run(&mut session, "board { dimensions {2, 2}\n  image {b.png} }");
    run(&mut session, ":save");
    assert_eq!(
        file(&session, "game.gl"),
        "\u{feff}game {\r\n  board { dimensions {2, 2}\r\n  image {b.png} }\r\n\r\n  def a {1}\r\n\r\n  \
         fun two() {\r\n    return 2\r\n  }\r\n}"
    );
}

#[test]
fn comments_typed_with_a_definition_are_kept() {
    let text = "game {\n  board { dimensions {1, 1} image {b.png} }\n\n  /* One. */\n  fun one() { return 1 }\n}\n";
    let mut session = open("gridlok", text);
    run(
        &mut session,
        "/* One. */\nfun one() { return 11 } /* really */",
    );
    run(
        &mut session,
        "/* Two. */ fun two() { return 2 }\n\n/* Three. */\nfun three() { return 3 }",
    );
    assert_eq!(
        saved(&mut session),
        "game {\n  board { dimensions {1, 1} image {b.png} }\n\n  /* One. */\n  fun one() { return 11 } /* really */\n  \
         /* Two. */ fun two() { return 2 }\n\n  /* Three. */\n  fun three() { return 3 }\n}\n"
    );
}

#[test]
fn statements_after_a_pasted_program_are_part_of_it() {
    let mut session = session("tinygame");
    let pasted = "// Two of them.\nplayer hero { x = 0; y = 0; }\nenemy bat { x = 3; y = 0; }\nmove hero right 1;";
    run(&mut session, pasted);
    run(&mut session, "move bat left 1;");
    assert_eq!(saved(&mut session), format!("{pasted}\nmove bat left 1;"));
    assert!(!is_modified(&session));
    run(&mut session, "move bat left 1;");
    assert!(is_modified(&session));
}

#[test]
fn definitions_typed_at_a_stop_are_saved() {
    let text = "game {\n  board { dimensions {1, 1} image {b.png} }\n  fun one() { return 1 }\n}\n";
    let mut session = open("gridlok", text);
    run(&mut session, ":break one");
    run(&mut session, "one{}");
    assert!(session.target.is_stopped());
    run(&mut session, "fun one() { return 7 }");
    run(&mut session, "fun two() { return 2 }");
    let at_stop = saved(&mut session);
    assert!(
        at_stop.contains("fun one() { return 7 }\n  fun two() { return 2 }"),
        "{at_stop}"
    );
    run(&mut session, ":continue");
    assert_eq!(saved(&mut session), at_stop);
}

/// `:program` as text.
fn listed(session: &mut Session) -> String {
    let reply = handle_line(session, ":program");
    assert!(reply.ok, "{}", reply.text());
    reply.text()
}

#[test]
fn the_listed_program_has_the_lines_that_would_be_saved() {
    for (language, entries) in ENTRIES {
        for is_typed in [false, true] {
            let mut session = match is_typed {
                true => session(language),
                false => open(
                    language,
                    languages::by_name(language).unwrap().info().sample,
                ),
            };
            for entry in entries {
                handle_line(&mut session, entry);
            }
            let text = saved(&mut session);
            let listed: Vec<String> = listed(&mut session).lines().map(str::to_string).collect();
            for (n, line) in text.lines().enumerate() {
                let line = line.replace('\t', "    ");
                assert!(
                    listed[n].ends_with(line.trim_end()),
                    "{language}: {}\n{line}",
                    listed[n]
                );
            }
        }
    }
}

#[test]
fn the_listed_program_shows_breakpoints_and_the_current_line() {
    // A location, an action that stops there, a redefinition, and how its first line is shown.
    let cases = [
        (
            "gridlok",
            "mine",
            "click{0,0}",
            "fun mine(p) {\n  return false\n}",
            "  fun mine(p) {",
        ),
        (
            "bogl",
            "left",
            "left(start)",
            "left : Board -> Int\nleft(b) = 1 + count(Stone, b)",
            "left : Board -> Int",
        ),
        (
            "gridlang",
            "gameLoop",
            ":turn",
            "gameLoop()\n{\n    p.throws += 2\n}",
            "gameLoop()",
        ),
    ];
    for (language, location, action, redefinition, first_line) in cases {
        let sample = languages::by_name(language).unwrap().info().sample;
        let mut session = open(language, sample);
        run(&mut session, &format!(":break {location}"));
        run(&mut session, action);
        assert!(session.target.is_stopped(), "{language}");
        let text = listed(&mut session);
        let current: Vec<&str> = text
            .lines()
            .filter(|line| line.starts_with("* => "))
            .collect();
        assert_eq!(current.len(), 1, "{language}:\n{text}");
        // The number is that of the file.
        let number: usize = current[0][5..]
            .split_whitespace()
            .next()
            .unwrap()
            .parse()
            .unwrap();
        assert!(
            current[0].ends_with(sample.lines().nth(number - 1).unwrap()),
            "{text}"
        );
        run(&mut session, ":continue");
        run(&mut session, redefinition);
        let text = listed(&mut session);
        let moved = text
            .lines()
            .find(|line| line.ends_with(first_line))
            .unwrap();
        assert!(moved.contains("entry "), "{language}: {moved}");
        let in_entry = |line: &&str| line.starts_with("* ") && line.contains("entry ");
        assert_eq!(
            text.lines().filter(in_entry).count(),
            1,
            "{language}:\n{text}"
        );
        assert!(
            text.ends_with("* breakpoint; 1 definition is not saved"),
            "{text}"
        );
        // The same with the other name.
        assert_eq!(handle_line(&mut session, ":list all").text(), text);
    }
    let mut tinygame = open(
        "tinygame",
        "player hero { x = 0; y = 0; }\nmove hero right 1;\nmove hero up 1;\n",
    );
    run(&mut tinygame, ":break 3");
    run(&mut tinygame, ":restart");
    assert!(listed(&mut tinygame).contains("* =>   3  move hero up 1;"));
    let mut sgl2d = open("sgl2d", languages::by_name("sgl2d").unwrap().info().sample);
    run(&mut sgl2d, ":break event player");
    run(&mut sgl2d, "right");
    let text = listed(&mut sgl2d);
    assert!(
        text.contains("* =>  13  event player > playerdeccounter2=1"),
        "{text}"
    );
    assert_eq!(listed(&mut session("bogl")), "Nothing is defined yet");
}

#[test]
fn a_statement_typed_without_its_semicolon_is_saved_with_it() {
    let mut session = session("tinygame");
    run(&mut session, "player hero { x = 0; y = 0; }");
    run(&mut session, "move hero right 2");
    assert_eq!(
        saved(&mut session),
        "player hero { x = 0; y = 0; }\n\nmove hero right 2;\n"
    );
}

#[test]
fn fmt_formats_the_program_and_what_was_typed() {
    let mut session = session("gridlok");
    let text = "game {\nboard{ dimensions{1,1} }\n\n\ndef n {1} // one\n}\n";
    session.host().write("a.gl", text).unwrap();
    run(&mut session, ":load a.gl");
    run(&mut session, "fun f(a,b) {\nreturn a+b\n}");
    let reply = handle_line(&mut session, ":fmt").text();
    assert!(reply.contains("Formatted 5 lines"), "{reply}");
    let formatted = "game {
  board { dimensions {1, 1} }

  def n {1}  // one

  fun f(a, b) {
    return a + b
  }
}
";
    let on_disk = |session: &Session| {
        let bytes = session.host().read("a.gl", u64::MAX).unwrap();
        String::from_utf8(bytes).unwrap()
    };
    assert_eq!(on_disk(&session), formatted);
    assert!(!is_modified(&session));
    // Later definitions are formatted too, and nothing undoes the layout.
    run(&mut session, "fun g() {return 1}");
    run(&mut session, ":save");
    let saved = on_disk(&session);
    let without_g = saved
        .replace("  fun g() {return 1}\n", "")
        .replace("}\n\n}", "}\n}");
    assert_ne!(saved, without_g);
    assert_eq!(without_g, formatted);
    let reply = handle_line(&mut session, ":fmt").text();
    assert_eq!(reply, "The program is formatted already");
    // The listing still knows where the lines come from.
    run(&mut session, ":break f");
    let program = handle_line(&mut session, ":program").text();
    let marked = program.lines().find(|line| line.contains("return a + b"));
    assert!(marked.is_some_and(|line| line.contains('*')), "{program}");
}

#[test]
fn fmt_shows_a_program_without_a_file() {
    let mut session = session("tinygame");
    run(&mut session, "player a{x=0;y=0;}");
    let reply = handle_line(&mut session, ":fmt").text();
    assert!(reply.contains("player a {x = 0; y = 0;}"), "{reply}");
}

/// Opens a program, enters lines and returns what is saved, which can be loaded.
fn saved_after(language: &str, text: &str, lines: &[&str]) -> String {
    let mut session = open(language, text);
    for line in lines {
        run(&mut session, line);
    }
    let text = saved(&mut session);
    open(language, &text);
    text
}

/// The first error of a line.
fn error_of(session: &mut Session, line: &str) -> String {
    let reply = handle_line(session, line);
    let first = reply.diagnostics.first();
    first.map_or_else(String::new, |error| error.message.clone())
}

#[test]
fn all_equations_of_a_board_are_saved_in_order() {
    let head = "game G\ntype Board = Array (2,2) of {A,B}\n";
    let file = format!("{head}b : Board\nb!(x,y) = A -- all\n-- but one\nb!(2,2) = B\n");
    let lines = ["b!(1,1) = B", "b!(1,1) = A\nb!(1,2) = B"];
    assert_eq!(
        saved_after("bogl", &file, &lines),
        format!("{file}b!(1,1) = B\nb!(1,1) = A\nb!(1,2) = B\n")
    );
}

#[test]
fn players_declared_later_stay_later() {
    let file = "Player r\nPlayer q\nLayout(1, 1)\n{\n  Player tom\n}\n";
    let layout = "Layout(1, 1)\n{\n  Player tom\n}\n";
    assert_eq!(
        saved_after("gridlang", file, &["Player r", "Player s"]),
        format!("Player q\n{layout}\nPlayer r\nPlayer s\n")
    );
    let mut session = open("gridlang", file);
    assert_eq!(
        error_of(&mut session, "Player tom"),
        "`tom` is declared in `Layout`"
    );
}

#[test]
fn a_redefined_variable_follows_what_it_uses() {
    let file = |lines: &str| format!("game {{\n  board {{ dimensions {{1, 1}} }}\n{lines}}}\n");
    let text = file("  def a {1}\n  def b {2}\n  fun two() { return b }\n");
    assert_eq!(
        saved_after("gridlok", &text, &["def a {b}", ":restart"]),
        file("  def b {2}\n  def a {b}\n  fun two() { return b }\n")
    );
    assert_eq!(
        saved_after("gridlok", &text, &["def a {two{}}", ":restart"]),
        file("  def b {2}\n  fun two() { return b }\n  def a {two{}}\n")
    );
    let mut session = open("gridlok", &file("  def a {1}\n  def b {a}\n  def c {b}\n"));
    for (line, message) in [
        ("def a {c}", "`a` cannot use `c`, which is defined after it"),
        (
            "def a {\"a\", a,}",
            "the initial value of `a` cannot depend on `a`",
        ),
    ] {
        assert_eq!(error_of(&mut session, line), message);
    }
    // The new value may use the old one, but the definition stays what it was.
    run(&mut session, "def a {a + 10}");
    assert!(saved(&mut session).contains("def a {1}"));
    let values: Vec<String> = ["a", ":restart", "a"]
        .iter()
        .flat_map(|line| {
            handle_line(&mut session, line)
                .value_lines()
                .map(str::to_string)
                .collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(values, ["11", "1"]);
}

#[test]
fn a_variable_that_replaces_a_function_is_called_a_variable() {
    let mut session = session("gridlok");
    run(&mut session, "fun add(n) { return n }");
    let mut reply = |line: &str| handle_line(&mut session, line).text();
    assert_eq!(
        reply("def add {1}"),
        "defined variable add, which replaces the function add"
    );
    assert_eq!(reply("def add {2}"), "replaced variable add");
    let text = reply("fun add(n) { return 2 }");
    assert_eq!(
        text,
        "defined function add, which replaces the variable add"
    );
}

/// What several additions after an item on a line with more code have in common is one place.
#[test]
fn additions_to_a_game_of_one_line_are_all_saved() {
    let file = "game { board { dimensions {1, 1} } def a {1} fun f() { return a } }\n";
    let text = saved_after("gridlok", file, &["def b {2}", "def c {3}", "def a {c}"]);
    for definition in ["def a {c}", "def b {2}", "def c {3}", "fun f()"] {
        assert_eq!(text.matches(definition).count(), 1, "{text}");
    }
}
