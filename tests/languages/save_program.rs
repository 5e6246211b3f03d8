//! `:save game.gl` writes the program as it is now.

use gridbug::command::{handle_line, is_modified};
use gridbug::host::MemoryHost;
use gridbug::language::Viewport;
use gridbug::languages;
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
    let path = session.target.file.clone().unwrap();
    let bytes = session.host().read(&path, u64::MAX).unwrap();
    String::from_utf8(bytes).unwrap()
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

/// What the game looks like when it has just started.
fn start_state(session: &mut Session) -> String {
    run(session, ":restart");
    let board = session.target.view(Viewport::ALL).board;
    // In a file, a `let` of BoGL is a definition.
    let variables = match session.target.language().info().name {
        "bogl" => String::new(),
        _ => handle_line(session, ":vars").text(),
    };
    // They are listed in the order in which they were declared.
    let mut variables: Vec<&str> = variables.lines().collect();
    variables.sort();
    format!("{board:?}\n{}", variables.join("\n"))
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
    let (expected, found) = (start_state(session), start_state(&mut loaded));
    if expected != found {
        return Err(format!("{expected}\n{found}\n{text}"));
    }
    // Saving what was loaded changes nothing.
    match saved(&mut loaded) == text {
        true => Ok(()),
        false => Err(format!("saved again, it differs:\n{text}")),
    }
}

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
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_saved_program_is_the_same_program(
        language in 0..ENTRIES.len(),
        from_sample in proptest::bool::ANY,
        picks in proptest::collection::vec(0usize..100, 0..8),
    ) {
        let (name, entries) = ENTRIES[language];
        let mut session = session(name);
        if from_sample {
            gridbug::command::open_sample(&mut session);
        }
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
