//! Turns of GridLang at the prompt: what they report, what the board shows and what `:why` explains.

use gridbug::command::handle_line;
use gridbug::languages;
use gridbug::render::AnswerText;
use gridbug::session::{Answer, Session};

fn session(program: &str) -> Session {
    let mut session = Session::new(languages::by_name("gridlang").expect("GridLang"), 1);
    let reply = session.load("game.grid", program);
    assert!(reply.ok, "{:?}", reply.diagnostics);
    session
}

fn enter(session: &mut Session, line: &str) -> Answer {
    let reply = handle_line(session, line);
    assert!(reply.ok, "{line}: {:?} {}", reply.diagnostics, reply.text());
    reply
}

fn lines(reply: &Answer) -> Vec<String> {
    reply
        .text_lines()
        .iter()
        .map(|l| l.text().trim_end().to_string())
        .collect()
}

/// The lines without times, which change whenever the rules do.
fn untimed(reply: &Answer) -> Vec<String> {
    let cut = |line: String| {
        line.split("   time ")
            .next()
            .unwrap_or("")
            .split(", at time ")
            .next()
            .unwrap()
            .to_string()
    };
    lines(reply).into_iter().map(cut).collect()
}

const CHASE: &str = "Player {
    int caught
    type = \"mouse\" { boolean brave }
    type = \"cat\" { int naps }
}
Item Cheese { }
Layout(2, 4)
{
    Player mia, tom, eve
    mia.type = \"mouse\"
    tom.type = \"cat\"
    mia.position = (0,1)
    tom.position = (0,3)
    mia.displayString = \"m\"
    tom.displayString = \"C\"
    Cheese.position = (0,1)
    Cheese.displayString = \"#\"
    playerOrder = [tom]
}
gameLoop()
{
    p.position.col--
}
Player.checkMove(coordinate start, coordinate end)
{
    return end.col > 0
}
cat.colocation(Player, \"mouse\")
{
    cat.caught++
}
Cheese.colocation(Player, \"mouse\")
{
    Player.brave = true
}
checkGameEnd()
{
    return tom.caught > 0 or mia.brave
}
";

#[test]
fn a_refused_move_is_reported_and_why_leads_to_its_line() {
    let mut game = session(CHASE);
    enter(&mut game, ":turn 2");
    let reply = enter(&mut game, ":turn");
    assert!(
        lines(&reply).contains(&"tom stays at (0,1): (0,0) is refused".to_string()),
        "{:?}",
        lines(&reply)
    );
    let why = untimed(&enter(&mut game, ":why tom"));
    assert_eq!(why[0], "tom: tom at (0,0) => tom at (0,1)");
    assert_eq!(
        why[2],
        "  because of Player.checkMove   line 26 of game.grid"
    );
    assert!(
        why[3].trim() == "return end.col > 0"
            && why.iter().any(|l| l.trim_end().ends_with("false")),
        "{why:?}"
    );
    // A move off the grid is refused even if checkMove allows it.
    let mut game = session(&CHASE.replace("return end.col > 0", "return true"));
    let reply = enter(&mut game, ":turn 9");
    assert!(
        lines(&reply)
            .iter()
            .any(|l| l == "tom stays at (0,0): (0,-1) is off the grid"),
        "{reply:?}"
    );
    assert!(
        lines(&reply)
            .iter()
            .any(|l| l.starts_with("and 1 more before these")),
        "{:?}",
        lines(&reply)
    );
}

#[test]
fn a_missed_collision_is_explained_at_the_selectors_of_its_handler() {
    let mut game = session(CHASE);
    enter(&mut game, ":turn");
    let why = untimed(&enter(&mut game, ":why not cat.colocation"));
    let unmatched = [
        "cat.colocation did not run in `:turn`",
        "  no matching event happened",
        "  it has never run",
    ];
    assert_eq!(why, unmatched);
    enter(&mut game, ":turn");
    let why = untimed(&enter(&mut game, ":why not cat.colocation"));
    assert_eq!(
        why,
        [
            "cat.colocation did not run in `:turn`",
            // The cat came to the mouse and to the cheese.
            "  checked with piece=tom at (0,1) other=mia at (0,1)",
            "      cat.colocation(Player, \"mouse\")",
            "      mia at (0,1), \"mouse\": no",
            "  checked with piece=tom at (0,1) other=Cheese at (0,1)",
            "      cat.colocation(Player, \"mouse\")",
            "      Cheese at (0,1), \"Cheese\": no",
            "  it has never run",
        ]
    );
    // The piece in the cell matches, the mover does not.
    let why = untimed(&enter(&mut game, ":why not Cheese.colocation"));
    assert_eq!(
        why[4..],
        [
            "  checked with piece=tom at (0,1) other=Cheese at (0,1)",
            "      Cheese.colocation(Player, \"mouse\")",
            "      |                 |       tom at (0,1), \"cat\": no",
            "      |                 tom at (0,1): yes",
            "      Cheese at (0,1), \"Cheese\": yes",
            "  it has never run",
        ],
        "{why:?}"
    );
    assert_eq!(
        untimed(&enter(&mut game, ":why not gameLoop"))[0],
        "gameLoop did run in `:turn`"
    );
}

#[test]
fn only_collisions_that_were_checked_are_listed() {
    let more = "mia.colocation(tom)\n{\n    tom.caught += 0\n}\nPlayer.colocation(Player)\n{\n}\n";
    let mut game = session(&format!("{CHASE}{more}"));
    enter(&mut game, ":turn 2");
    let why = untimed(&enter(&mut game, ":why not Player.colocation"));
    assert_eq!(why[0], "Player.colocation did not run in `:turn 2`");
    // Checked only where the more specific handler did not match: for the cheese.
    assert_eq!(
        why[1],
        "  checked with piece=tom at (0,1) other=Cheese at (0,1)"
    );
    assert!(
        lines(&enter(&mut game, ":why not mia.colocation"))[0]
            .starts_with("mia.colocation did run in `:turn 2`")
    );
}

#[test]
fn why_explains_the_end_of_the_game() {
    let mut game = session(CHASE);
    let why = untimed(&enter(&mut game, ":why not win"));
    assert_eq!(
        why[..2],
        [
            "The game is not over",
            "checkGameEnd, run on the current board:"
        ]
    );
    let test = "  line 38: tom.caught > 0 was false; tom.caught was 0 once";
    assert!(why.iter().any(|line| line == test), "{why:?}");
    let why = untimed(&enter(&mut game, ":why not tom.win"));
    assert_eq!(why, ["tom.win is false, and nothing ever sets it"]);
    enter(
        &mut game,
        "mouse.colocation(Player)\n{\n    Player.caught++\n}",
    );
    enter(&mut game, ":turn 2");
    let why = untimed(&enter(&mut game, ":why win"));
    assert_eq!(
        why[..2],
        [
            "The game is over without a winner",
            "  by checkGameEnd   line 38 of game.grid"
        ]
    );
    enter(&mut game, ":undo");
    enter(
        &mut game,
        "checkGameEnd()\n{\n    p.win = p.caught > 0\n    return p.win\n}",
    );
    enter(&mut game, ":turn 2");
    assert_eq!(
        untimed(&enter(&mut game, ":why win"))[0],
        "tom.win: false => true"
    );
}

#[test]
fn a_cell_lists_all_its_pieces_and_the_board_stays_aligned() {
    let mut game = session(CHASE);
    enter(&mut game, ":turn 2");
    assert_eq!(
        lines(&enter(&mut game, ":cell 0,1")),
        ["(0,1) has m (mia), C (tom), # (Cheese)"]
    );
    assert_eq!(lines(&enter(&mut game, ":cell 1,1")), ["(1,1) is empty"]);
    let board = lines(&enter(&mut game, ":board"));
    assert_eq!(
        board[..3],
        ["      0  1  2  3", "   0  ·  m+ ·  ·", "   1  ·  ·  ·  ·"]
    );
    assert!(
        board.contains(&"     + means several pieces: `:cell` lists them".to_string()),
        "{board:?}"
    );
}

#[test]
fn an_unplaced_piece_is_nowhere() {
    let mut game = session(CHASE);
    let vars = lines(&enter(&mut game, ":vars"));
    assert!(
        vars.contains(&"  eve.position         nowhere".to_string()),
        "{vars:?}"
    );
    // The values are aligned after the longest name, `Cheese.displayString`.
    assert!(
        vars.iter()
            .all(|l| l.get(22..23) == Some(" ") && l.get(23..24) != Some(" ")),
        "{vars:?}"
    );
    enter(&mut game, ":watch eve.position");
    let stop = handle_line(&mut game, "eve.position = (1,1)");
    assert!(stop.text().contains("nowhere => (1,1)"), "{}", stop.text());
}

#[test]
fn the_trace_shows_who_leaves_the_player_order() {
    let mut game = session(CHASE);
    enter(&mut game, ":trace on");
    enter(&mut game, "gameLoop()\n{\n    p.win = true\n}");
    let reply = lines(&enter(&mut game, ":turn"));
    assert!(
        reply.iter().any(|l| l.trim() == "leaves tom at (0,3)"),
        "{reply:?}"
    );
    enter(&mut game, ":undo 2");
    enter(&mut game, "gameLoop()\n{\n    p.Exists = false\n}");
    let reply = lines(&enter(&mut game, ":turn"));
    assert!(
        reply.iter().any(|l| l.trim().starts_with("leaves tom")),
        "{reply:?}"
    );
}

const WALK: &str = "Player { int x = 4; int y = 5 }
Layout(10, 10) { Player hero; hero.position = (hero.y, hero.x) }
function go(int dx, int dy) {
    hero.x += dx
    hero.y += dy
    hero.position.col++
}
";

#[test]
fn a_change_is_explained_with_its_old_and_new_value() {
    let mut game = session(WALK);
    enter(&mut game, "go(3, 0)");
    let why = untimed(&enter(&mut game, ":why hero.x"));
    let columns = [
        "hero.x += dx",
        "|    | |  3",
        "|    | 7",
        "|    4",
        "hero at (5,4)",
    ];
    assert_eq!(
        why[2..7].iter().map(|l| l.trim()).collect::<Vec<_>>(),
        columns
    );
    assert!(!why.iter().any(|l| l.contains("not evaluated")), "{why:?}");
    let why = untimed(&enter(&mut game, ":why hero.position"));
    assert_eq!(
        why[2..6].iter().map(|l| l.trim()).collect::<Vec<_>>(),
        [
            "hero.position.col++",
            "|             |  5",
            "|             4",
            "hero at (5,4)"
        ]
    );
}

#[test]
fn forward_returns_to_the_stop_after_a_watchpoint() {
    let mut game = session(WALK);
    enter(&mut game, ":watch hero.x");
    enter(&mut game, "go(1, 1)");
    let there = enter(&mut game, "step").stop.expect("a stop");
    assert_eq!(there.range.line, 6);
    enter(&mut game, ":jump back");
    let again = enter(&mut game, ":jump forward")
        .stop
        .expect("the same stop");
    assert_eq!(
        (again.time, again.range.line),
        (there.time, there.range.line)
    );
}
