//! `:rejudge` says which saved sessions end differently on the rules as they are now.

use crate::protocol::{part, valid_json};
use gridbug::command::{handle_line, start_session};
use gridbug::host::MemoryHost;
use gridbug::languages;
use gridbug::render::AnswerText;
use gridbug::session::{Session, to_plain_text};
use serde_json::{Value as Json, json};
use std::rc::Rc;

const GRIDLOK: &str = r#"game {
  board { dimensions {1, 3} image {b.png} }
  players {"x", "o"}
  piece { name {"free"} image {f.png} onClick { changeType {"taken"} endTurn {} } }
  piece { name {"taken"} image {t.png} }
  setup { for r, c in board { place {"free", r, c} } }
  winCondition {
    def n {0}
    for p in board { if p.name == "taken" { n {n + 1} } }
    win {n == 2}
  }
}"#;

/// Saves a session that plays these entries, as `NAME.session`.
fn save(host: &Rc<MemoryHost>, language: &str, program: &str, entries: &[&str], name: &str) {
    let mut session = session(host, language, program);
    for entry in entries {
        handle_line(&mut session, entry);
    }
    let saved = handle_line(&mut session, &format!(":save {name}.session"));
    assert!(saved.ok, "{}", saved.text());
}

fn session(host: &Rc<MemoryHost>, language: &str, program: &str) -> Session {
    let language = languages::by_name(language).expect("a language of that name");
    let mut session = Session::with_host(language, 1, host.clone());
    let loaded = start_session(&mut session, "game", program);
    assert!(loaded.ok, "{:?}", loaded.diagnostics);
    session
}

/// The verdicts on session files, with `file`, `verdict`, `was`, `now`, `move` and `number`.
fn rejudge(session: &mut Session, files: &str) -> Vec<Json> {
    let answer = handle_line(session, &format!(":rejudge {files}"));
    assert!(answer.ok, "{}", answer.text());
    let json = valid_json(session, &answer);
    part(&json, "rejudged")["sessions"]
        .as_array()
        .expect("a list")
        .clone()
}

/// Plays entries on one program and judges them on another.
fn judge(language: &str, old: &str, new: &str, entries: &[&str]) -> Json {
    let host = Rc::new(MemoryHost::new());
    save(&host, language, old, entries, "s");
    let mut session = session(&host, language, new);
    rejudge(&mut session, "s.session").remove(0)
}

#[test]
fn a_game_that_is_won_later_ends_differently() {
    let later = GRIDLOK.replace("n == 2", "n == 3");
    let entries = ["click{0,0}", "click{0,2}"];
    let judged = judge("gridlok", GRIDLOK, &later, &entries);
    assert_eq!(
        judged,
        json!({
            "file": "s.session", "verdict": "different", "was": "o has won",
            "now": "the game goes on", "move": "click{0,2}", "number": 2, "is_between_moves": false, "moves": 2,
        })
    );
}

#[test]
fn other_wording_and_layout_of_the_rules_change_nothing() {
    let same = GRIDLOK
        .replace("def n", "def count")
        .replace("n {n + 1}", "count {count + 1}");
    let same = same
        .replace("n == 2", "2 == count")
        .replace("  setup", "\n\n  setup");
    let judged = judge("gridlok", GRIDLOK, &same, &["click{0,0}", "click{0,2}"]);
    assert_eq!(judged["verdict"], "same");
    assert_eq!(judged["was"], "o has won");
    assert_eq!(judged["move"], Json::Null);
}

#[test]
fn a_position_on_the_way_does_not_count_if_the_end_is_the_same() {
    // The first click marks its cell at once, or only with the second one.
    let old = r#"board { dimensions {1, 2} image {b.png} } def n {0}
piece { name {"a"} image {a.png} onClick { n {n + 1} changeType {"b"} } }
piece { name {"b"} image {b.png} }
setup { place {"a", 0, 0} place {"a", 0, 1} }"#;
    let new = old.replace(
        r#"n {n + 1} changeType {"b"}"#,
        r#"n {n + 1} if n == 2 { place {"b", 0, 0} place {"b", 0, 1} }"#,
    );
    let both = judge("gridlok", old, &new, &["click{0,0}", "click{0,1}"]);
    assert_eq!(both["verdict"], "same");
    let one = judge("gridlok", old, &new, &["click{0,0}"]);
    assert_eq!(one["verdict"], "different");
    assert_eq!(
        (&one["was"], &one["now"]),
        (&json!("b at [0][0]"), &json!("a at [0][0]"))
    );
}

#[test]
fn a_move_that_fails_now_makes_a_session_unplayable() {
    let broken = GRIDLOK.replace("endTurn {}", "place {\"taken\", 0, 7} endTurn {}");
    let judged = judge("gridlok", GRIDLOK, &broken, &["click{0,0}", "click{0,2}"]);
    assert_eq!(judged["verdict"], "unplayable");
    assert_eq!(
        (&judged["move"], &judged["number"]),
        (&json!("click{0,0}"), &json!(1))
    );
    assert!(
        judged["now"].as_str().unwrap().contains("error"),
        "{judged}"
    );
}

#[test]
fn a_session_in_another_language_is_unplayable() {
    let host = Rc::new(MemoryHost::new());
    save(&host, "tinygame", "player hero { x = 0; y = 0; }", &[], "t");
    let mut session = session(&host, "gridlok", GRIDLOK);
    let judged = rejudge(&mut session, "t.session").remove(0);
    assert_eq!(judged["verdict"], "unplayable");
    assert_eq!(
        judged["now"],
        "a session of TinyGame, but the rules are GridLok"
    );
}

#[test]
fn every_language_can_be_rejudged() {
    let bogl = "game Twice\ntype Board = Array (2,2) of Int\nb : Board\nb!(x,y) = 0
twice : Int -> Int\ntwice(n) = n + n\n";
    let judged = judge(
        "bogl",
        bogl,
        &bogl.replace("n + n", "n * n"),
        &["twice(2)", "twice(3)"],
    );
    assert_eq!(judged["verdict"], "different");
    // 2 + 2 is 2 * 2.
    assert_eq!(
        (&judged["move"], &judged["number"]),
        (&json!("twice(3)"), &json!(2))
    );
    assert_eq!((&judged["was"], &judged["now"]), (&json!("6"), &json!("9")));

    let gridlang = "Player { int score }\nint rounds\nLayout(1, 4)\n{\n    Player ann\n    ann.position = (0,0)\n}
gameLoop()\n{\n    rounds++\n    p.position = (0, p.position.col + 1)\n}
checkGameEnd()\n{\n    return rounds > 1\n}\n";
    let sooner = gridlang.replace("rounds > 1", "rounds > 0");
    let judged = judge("gridlang", gridlang, &sooner, &[":turn", ":turn"]);
    assert_eq!(judged["verdict"], "different");
    assert_eq!(
        (&judged["move"], &judged["number"]),
        (&json!(":turn"), &json!(1))
    );

    let sgl2d = "environment > x=4 y=1\nplayer > x=0 y=0\ngoal > x=3 y=0\n";
    let nearer = sgl2d.replace("x=3", "x=2");
    let judged = judge("sgl2d", sgl2d, &nearer, &["right", "right"]);
    assert_eq!(judged["verdict"], "different");
    // The goal is drawn elsewhere from the start on.
    assert_eq!(
        (&judged["move"], &judged["number"]),
        (&Json::Null, &json!(0))
    );

    let tinygame =
        "player hero { x = 0; y = 0; }\nif hero.x > 1 { print \"far\"; }\nmove hero right 2;\n";
    let judged = judge(
        "tinygame",
        tinygame,
        &tinygame.replace("x > 1", "x < 1"),
        &["move hero up 1;"],
    );
    assert_eq!(judged["verdict"], "different");
    assert_eq!(
        (&judged["move"], &judged["number"]),
        (&Json::Null, &json!(0))
    );
    let judged = judge(
        "tinygame",
        tinygame,
        &tinygame.replace("x > 1", "x > 5"),
        &["move hero up 1;"],
    );
    assert_eq!(judged["verdict"], "same");
}

#[test]
fn answers_that_are_not_asked_for_make_a_session_unplayable() {
    let asks = "game Ask\ntype Board = Array (2,2) of Int\ntype Input = Int\nb : Board\nb!(x,y) = 0
ask : Int -> Int\nask(n) = n + input\n";
    let silent = asks.replace("n + input", "n + n");
    let judged = judge("bogl", asks, &silent, &["ask(1)", "5"]);
    assert_eq!(judged["verdict"], "unplayable");
    assert_eq!(judged["move"], "5");
    let same = judge(
        "bogl",
        asks,
        &asks.replace("n + input", "input + n"),
        &["ask(1)", "5"],
    );
    assert_eq!(same["verdict"], "same");
}

#[test]
fn breakpoints_and_steps_of_a_session_do_not_matter() {
    let host = Rc::new(MemoryHost::new());
    let entries = [
        ":break winCondition",
        "click{0,0}",
        "step",
        "continue",
        ":delete",
        "click{0,1}",
    ];
    save(&host, "gridlok", GRIDLOK, &entries, "s");
    let moved = GRIDLOK.replace("  setup", "\n\n\n  setup");
    let mut session = session(&host, "gridlok", &moved);
    let judged = rejudge(&mut session, "s.session").remove(0);
    assert_eq!(
        (&judged["verdict"], &judged["was"]),
        (&json!("same"), &json!("o has won"))
    );
}

#[test]
fn undone_moves_are_undone_again() {
    let entries = ["click{0,0}", "click{0,1}", ":undo", "click{0,2}"];
    let judged = judge("gridlok", GRIDLOK, GRIDLOK, &entries);
    assert_eq!(judged["verdict"], "same");
    let later = GRIDLOK.replace("n == 2", "n == 3");
    let judged = judge("gridlok", GRIDLOK, &later, &entries);
    assert_eq!(judged["verdict"], "different");
}

#[test]
fn the_rules_as_they_are_now_include_what_was_typed() {
    let host = Rc::new(MemoryHost::new());
    save(
        &host,
        "gridlok",
        GRIDLOK,
        &["click{0,0}", "click{0,1}"],
        "games/a",
    );
    save(&host, "gridlok", GRIDLOK, &["click{0,0}"], "games/b");
    let mut session = session(&host, "gridlok", GRIDLOK);
    let verdicts = |judged: Vec<Json>| -> Vec<String> {
        let verdict = |j: &Json| j["verdict"].as_str().unwrap_or("").to_string();
        judged.iter().map(verdict).collect()
    };
    assert_eq!(verdicts(rejudge(&mut session, "games")), ["same", "same"]);
    handle_line(&mut session, "winCondition { win {false} }");
    assert_eq!(
        verdicts(rejudge(&mut session, "games")),
        ["different", "same"]
    );
    let answer = handle_line(&mut session, ":rejudge games");
    assert_eq!(
        to_plain_text(&session, &answer),
        [
            "different   games/a.session  from move 2 of 2, click{0,1}",
            "            was: o has won",
            "            now: the game goes on",
            "same        games/b.session  the game goes on",
            "2 sessions: 1 same, 1 different",
        ]
    );
}

#[test]
fn rejudging_changes_nothing_in_the_session() {
    let host = Rc::new(MemoryHost::new());
    save(
        &host,
        "gridlok",
        GRIDLOK,
        &["click{0,0}", "click{0,1}"],
        "s",
    );
    let mut session = session(&host, "gridlok", GRIDLOK);
    handle_line(&mut session, "click{0,2}");
    let text = |session: &mut Session, line: &str| {
        let answer = handle_line(session, line);
        to_plain_text(session, &answer)
    };
    let before = (text(&mut session, ":state"), text(&mut session, ":when"));
    let time = session.target.machine.time();
    rejudge(&mut session, "s.session");
    assert_eq!(
        before,
        (text(&mut session, ":state"), text(&mut session, ":when"))
    );
    assert_eq!(session.target.machine.time(), time);
    assert_eq!(text(&mut session, ":undo")[0], "undone: click{0,2}");
}

#[test]
fn a_session_that_refers_to_the_changed_file_is_compared_with_its_replies() {
    let host = Rc::new(MemoryHost::new());
    save(
        &host,
        "gridlok",
        GRIDLOK,
        &["click{0,0}", "click{0,1}"],
        "s",
    );
    let saved = host.file("s.session").unwrap();
    let (head, rest) = saved.split_once("--- program").unwrap();
    let (_, replies) = rest.split_once("--- session").unwrap();
    host.set_file(
        "s.session",
        &format!("{head}program game.gl\n\n--- session{replies}"),
    );
    let later = GRIDLOK.replace("n == 2", "n == 3");
    host.set_file("game.gl", &later);
    let mut session = session(&host, "gridlok", &later);
    let judged = rejudge(&mut session, "s.session").remove(0);
    assert_eq!(judged["verdict"], "different");
    assert_eq!(
        (&judged["move"], &judged["number"]),
        (&json!("click{0,1}"), &json!(2))
    );
    assert_eq!(
        (&judged["was"], &judged["now"]),
        (&json!("o has won"), &json!("the game goes on"))
    );
}

/// Saves a session whose program is in `game.EXT`, then changes that file and judges the session.
fn judge_changed_file(language: &str, old: &str, new: &str, entries: &[&str]) -> Json {
    let host = Rc::new(MemoryHost::new());
    save(&host, language, old, entries, "s");
    let saved = host.file("s.session").unwrap();
    let (head, rest) = saved.split_once("--- program").unwrap();
    let (_, replies) = rest.split_once("--- session").unwrap();
    let referring = format!("{head}program game.txt\n\n--- session{replies}");
    host.set_file("s.session", &referring);
    host.set_file("game.txt", new);
    let mut session = session(&host, language, new);
    rejudge(&mut session, "s.session").remove(0)
}

#[test]
fn the_end_before_a_file_was_changed_is_read_from_the_replies() {
    let was_and_now = |judged: &Json| (judged["was"].clone(), judged["now"].clone());
    let later = GRIDLOK.replace("n == 2", "n == 3");
    let entries = ["click{0,0}", "click{0,1}", "click{0,2}"];
    let judged = judge_changed_file("gridlok", GRIDLOK, &later, &entries);
    assert_eq!(
        was_and_now(&judged),
        (json!("o has won"), json!("x has won"))
    );
    // What is typed after the end shows no board, or shows it again.
    let entries = ["click{0,0}", "click{0,1}", ":board", ":history"];
    let judged = judge_changed_file("gridlok", GRIDLOK, &later, &entries);
    assert_eq!(
        was_and_now(&judged),
        (json!("o has won"), json!("the game goes on"))
    );
    // The win was taken back.
    let entries = ["click{0,0}", "click{0,1}", ":undo"];
    let judged = judge_changed_file("gridlok", GRIDLOK, &later, &entries);
    assert_eq!(judged["verdict"], "different");
    assert_eq!(was_and_now(&judged), (json!("o has won"), json!("turn: x")));
    let drawn = GRIDLOK
        .replace("winCondition", "drawCondition")
        .replace("win {", "draw {");
    let judged = judge_changed_file("gridlok", &drawn, GRIDLOK, &entries[..2]);
    assert_eq!(
        was_and_now(&judged),
        (json!("The game is a draw"), json!("o has won"))
    );
    // The same end on another way: what differs is shown.
    let talking = GRIDLOK.replace("endTurn {}", "print {\"moved\"} endTurn {}");
    let judged = judge_changed_file("gridlok", GRIDLOK, &talking, &entries[..2]);
    assert_eq!(was_and_now(&judged), (Json::Null, json!("moved")));
}

#[test]
fn the_end_of_a_level_is_read_from_the_replies() {
    let level = "environment > x=5 y=1\nplayer > x=0 y=0\ngoal > x=2 y=0\n";
    let farther = level.replace("x=2", "x=4");
    let judged = judge_changed_file("sgl2d", level, &farther, &["right", "right"]);
    assert_eq!(judged["verdict"], "different", "{judged}");
    assert_eq!(
        (&judged["was"], &judged["now"]),
        (&json!("Victory!"), &json!("the game goes on"))
    );
    let judged = judge_changed_file("sgl2d", &farther, level, &["right", "right"]);
    assert_eq!(
        (&judged["was"], &judged["now"]),
        (&json!("the game goes on"), &json!("Victory!"))
    );
}

#[test]
fn an_endless_move_is_undecided() {
    let endless = "Player { int score }\nint rounds\nLayout(1, 4)\n{\n    Player ann\n    ann.position = (0,0)\n}
gameLoop()\n{\n    while (rounds < 1) { rounds = 0 }\n}\n";
    let ends = endless.replace("rounds = 0", "rounds = 1");
    let judged = judge("gridlang", &ends, endless, &[":turn"]);
    assert_eq!(judged["verdict"], "undecided");
}

#[test]
fn missing_files_and_rules_are_errors() {
    let host = Rc::new(MemoryHost::new());
    let mut with_rules = session(&host, "gridlok", GRIDLOK);
    for (line, message) in [
        (":rejudge", "`:rejudge` needs session files"),
        (":rejudge no.session", "file not found: no.session"),
    ] {
        let answer = handle_line(&mut with_rules, line);
        assert!(
            !answer.ok && answer.text().contains(message),
            "{}",
            answer.text()
        );
    }
    let mut empty = Session::with_host(languages::by_name("gridlok").unwrap(), 1, host);
    let answer = handle_line(&mut empty, ":rejudge no.session");
    assert!(!answer.ok && answer.text().contains("no rules to judge with"));
}

#[test]
fn a_whole_disk_is_not_searched_for_session_files() {
    let host = Rc::new(MemoryHost::new());
    let mut session = session(&host, "gridlok", GRIDLOK);
    for n in 0..1200 {
        host.set_file(&format!("disk/{n}/notes.txt"), "nothing");
    }
    let answer = handle_line(&mut session, ":rejudge disk");
    assert!(!answer.ok);
    assert!(
        answer.text().contains("too many directories"),
        "{}",
        answer.text()
    );
}

#[test]
fn what_differs_is_named_even_if_the_result_is_the_same() {
    let wider = GRIDLOK.replace("{1, 3}", "{2, 3}");
    let entries = ["click{0,0}", "click{0,2}"];
    let judged = judge("gridlok", GRIDLOK, &wider, &entries);
    assert_eq!(judged["verdict"], "different");
    assert_eq!(
        (&judged["was"], &judged["now"]),
        (&json!("a board of 1 x 3"), &json!("a board of 2 x 3"))
    );
    let one_player = GRIDLOK.replace(r#"players {"x", "o"}"#, "");
    let judged = judge("gridlok", GRIDLOK, &one_player, &["click{0,0}"]);
    let (was, now) = (&judged["was"], &judged["now"]);
    assert_eq!(was, "turn: o", "{judged}");
    assert!(now.as_str().unwrap().contains("turn"), "{judged}");
}

#[test]
fn only_actions_are_counted_as_moves() {
    let with_helper = GRIDLOK.replace("  winCondition", "  def helper {7}\n  winCondition");
    let entries = [
        "helper",
        "click{0,0}",
        "helper + 1",
        "def k {3}",
        "click{0,2}",
        "k",
    ];
    // The helper is gone, but the moves are played as before.
    let judged = judge("gridlok", &with_helper, GRIDLOK, &entries);
    assert_eq!(
        (&judged["verdict"], &judged["moves"]),
        (&json!("same"), &json!(2))
    );
    let later = GRIDLOK.replace("n == 2", "n == 3");
    let judged = judge("gridlok", &with_helper, &later, &entries);
    assert_eq!(
        (&judged["move"], &judged["number"], &judged["moves"]),
        (&json!("click{0,2}"), &json!(2), &json!(2))
    );
}

#[test]
fn errors_are_written_in_the_same_way_everywhere() {
    let old = GRIDLOK.replace("  setup", "  def n {0}\n  setup");
    let judged = judge("gridlok", &old, GRIDLOK, &["n{1} n{n / 0}"]);
    assert_eq!(judged["was"], "error: division by zero in `n{1} n{n / 0}`");
    assert_eq!(judged["now"], "error: unknown name `n` in `n{1} n{n / 0}`");
}

#[test]
fn verdicts_fit_into_80_columns_with_long_paths() {
    let host = Rc::new(MemoryHost::new());
    let folder = "a-folder-with-a-long-name/and-another-one-inside-it/finished-games";
    for name in ["a", "games-of-the-second-tournament-of-this-year"] {
        save(
            &host,
            "gridlok",
            GRIDLOK,
            &["click{0,0}", "click{0,2}"],
            &format!("{folder}/{name}"),
        );
    }
    let mut session = session(&host, "gridlok", &GRIDLOK.replace("n == 2", "n == 3"));
    let answer = handle_line(&mut session, &format!(":rejudge {folder}"));
    let lines = to_plain_text(&session, &answer);
    assert_eq!(
        lines,
        [
            "different   …with-a-long-name/and-another-one-inside-it/finished-games/a.session",
            "            from move 2 of 2, click{0,2}",
            "            was: o has won",
            "            now: the game goes on",
            "different   …/finished-games/games-of-the-second-tournament-of-this-year.session",
            "            from move 2 of 2, click{0,2}",
            "            was: o has won",
            "            now: the game goes on",
            "2 sessions: 2 different",
        ]
    );
    assert!(lines.iter().all(|line| line.chars().count() <= 80));
}

#[test]
fn a_memory_limit_leaves_a_session_undecided() {
    // A click makes a list of 100,000 numbers.
    let list = "def l {1,} for i(0, 100000) { l {i} } changeType";
    let large = GRIDLOK.replace("changeType", list);
    let at_start = GRIDLOK.replace("setup {", "setup { def l {1,} for i(0, 100000) { l {i} }");
    let clicks = ["click{0,0}", "click{0,1}"];
    let judge = |old: &str, new: &str, limit: Option<u64>| {
        let host = Rc::new(MemoryHost::new());
        save(&host, "gridlok", old, &clicks, "s");
        let mut session = session(&host, "gridlok", new);
        let limits = &mut session.target.machine.limits;
        limits.max_memory_bytes = limit.unwrap_or(limits.max_memory_bytes);
        rejudge(&mut session, "s.session").remove(0)
    };
    let cases = [
        (GRIDLOK, large.as_str()),
        (large.as_str(), GRIDLOK),
        (GRIDLOK, at_start.as_str()),
        (at_start.as_str(), GRIDLOK),
    ];
    for (old, new) in cases {
        let judged = judge(old, new, None);
        assert_eq!(judged["verdict"], "same", "{judged}");
        let judged = judge(old, new, Some(400_000));
        assert_eq!(judged["verdict"], "undecided", "{judged}");
    }
}

#[test]
fn dropped_history_leaves_a_session_undecided() {
    let mut entries = vec!["click{0,0}", "click{0,0}"];
    entries.extend(["n {n + 1}"; 20]);
    entries.push(":undo 21");
    let host = Rc::new(MemoryHost::new());
    let counting = GRIDLOK.replace("players", "def n {0}\n  players");
    save(&host, "gridlok", &counting, &entries, "s");
    let later = counting.replace("n == 2", "n == 3");
    let mut session = session(&host, "gridlok", &later);
    let judged = rejudge(&mut session, "s.session").remove(0);
    assert_eq!(judged["verdict"], "same", "{judged}");
    session.target.machine.limits.max_history_bytes = 1;
    let judged = rejudge(&mut session, "s.session").remove(0);
    assert_eq!(judged["verdict"], "undecided", "{judged}");
    assert_eq!(judged["now"], "not played to its end: memory limit");
}
