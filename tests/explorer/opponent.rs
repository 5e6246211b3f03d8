//! `:opponent`: how well the computer plays, and that its moves are ordinary entries.

use crate::counts::GRIDLANG_TIC_TAC_TOE;
use crate::protocol::{part, valid_json};
use crate::support::{answer, sample, session};
use gridbug::answer::Part;
use gridbug::code::Status;
use gridbug::command::play_opponent;
use gridbug::driver::Driver;
use gridbug::languages;
use gridbug::render::AnswerText;
use gridbug::session::{Answer, Session};

/// Types a line and lets the computer reply. Returns all answers.
fn play(session: &mut Session, line: &str) -> Vec<Answer> {
    let mut answers = vec![answer(session, line)];
    answers.extend(std::iter::from_fn(|| play_opponent(session)));
    answers
}

fn entries_of(answers: &[Answer]) -> Vec<(&str, &str)> {
    let moves = answers.iter().flat_map(|a| a.opponent_moves());
    moves
        .map(|m| (m.player.as_str(), m.entry.as_str()))
        .collect()
}

fn status(session: &Session) -> (Status, Option<String>) {
    let target = &session.target;
    let standing = target.language().standing(&target.machine.store);
    (standing.status, standing.winner.map(str::to_string))
}

/// Plays tic-tac-toe between two levels; the winner.
fn winner(x: &str, o: &str, seed: u64) -> Option<String> {
    let language = languages::by_name("gridlok").unwrap();
    let mut session = Session::new(language, seed);
    assert!(session.load("game", language.info().sample).ok);
    answer(&mut session, &format!(":opponent x {x}"));
    let answers = play(&mut session, &format!(":opponent o {o}"));
    assert!(answers.iter().all(|a| a.ok), "{answers:?}");
    let (status, winner) = status(&session);
    assert!(matches!(status, Status::Won | Status::Drawn), "{status:?}");
    winner
}

/// What the first level gets in games against the second, as both players: 1 for a win, 0.5 for a draw.
fn score(level: &str, other: &str, games: u64) -> f64 {
    let points = |winner: Option<String>, mine: &str| match winner {
        None => 0.5,
        Some(winner) if winner == mine => 1.0,
        Some(_) => 0.0,
    };
    let seeds = 1..=games;
    let both = seeds.map(|seed| {
        points(winner(level, other, seed), "x") + points(winner(other, level, seed), "o")
    });
    both.sum()
}

#[test]
fn perfect_play_never_loses() {
    for seed in 1..=6 {
        assert_ne!(winner("perfect", "random", seed).as_deref(), Some("o"));
        assert_ne!(winner("random", "perfect", seed).as_deref(), Some("x"));
    }
    assert_eq!(winner("perfect", "perfect", 1), None);
}

#[test]
fn each_level_is_at_least_as_good_as_the_one_below() {
    const GAMES: u64 = 3;
    for (level, below) in [
        ("1", "random"),
        ("2", "1"),
        ("3", "2"),
        ("4", "3"),
        ("perfect", "4"),
    ] {
        let score = score(level, below, GAMES);
        assert!(score >= GAMES as f64, "{level} against {below}: {score}");
    }
}

#[test]
fn the_first_level_wins_where_one_move_is_enough_and_the_second_prevents_it() {
    for (level, position, expected) in [
        ("1", ["0,0", "1,0", "0,1", "1,1"], "click{0,2}"),
        ("2", ["1,0", "0,0", "2,2", "0,1"], "click{0,2}"),
    ] {
        let mut session = sample("gridlok");
        for cell in position {
            answer(&mut session, &format!("click{{{cell}}}"));
        }
        let answers = play(&mut session, &format!(":opponent x {level}"));
        assert_eq!(entries_of(&answers), [("x", expected)], "level {level}");
    }
}

#[test]
fn moves_of_the_computer_are_ordinary_entries() {
    let mut session = sample("gridlok");
    play(&mut session, ":opponent o perfect");
    let answers = play(&mut session, "click{1,1}");
    let moves = entries_of(&answers);
    assert_eq!(moves.len(), 1);
    let reply = moves[0].1.to_string();
    let typed: Vec<&str> = session
        .transcript
        .entries
        .iter()
        .map(|e| e.input.as_str())
        .collect();
    assert_eq!(typed, [":opponent o perfect", "click{1,1}", &reply]);
    let last = session.target.timeline.current().unwrap();
    assert_eq!(last.text, reply);
}

#[test]
fn an_undo_takes_back_the_reply_together_with_your_move() {
    let mut session = sample("gridlok");
    session.set_session_start();
    play(&mut session, ":opponent o 2");
    let before = session.target.machine.store.cells.as_slice().to_vec();
    play(&mut session, "click{1,1}");
    let after = session.target.machine.store.cells.as_slice().to_vec();
    let answers = play(&mut session, ":undo");
    // It is the user's turn, so nobody moves.
    assert_eq!(answers.len(), 1);
    assert_eq!(session.target.machine.store.cells.as_slice(), before);
    play(&mut session, ":redo");
    assert_eq!(session.target.machine.store.cells.as_slice(), after);
    play(&mut session, "click{2,1}");
    play(&mut session, "click{0,1}");
    play(&mut session, ":undo 9");
    assert_eq!(session.target.machine.store.cells.as_slice(), before);
}

#[test]
fn an_undo_at_a_question_takes_back_the_answer_of_the_computer_as_well() {
    let game = include_str!("../../sessions/bogl/tic-tac-toe.bgl");
    let mut session = session("bogl", game);
    session.set_session_start();
    play(&mut session, ":opponent O perfect turn p");
    play(&mut session, "result");
    let answers = play(&mut session, "(1,1)");
    assert_eq!(answers.len(), 2);
    let before = session.target.machine.checkpoint();
    // Commands at the question do not give the turn to the computer.
    assert_eq!(play(&mut session, ":find O").len(), 1);
    let redone = play(&mut session, ":redo");
    assert_eq!(redone.len(), 1);
    let is_both = |answer: &Answer| match answer.parts.as_slice() {
        [Part::Redone { entries } | Part::Undone { entries }] => entries.len() == 2,
        _ => false,
    };
    assert!(is_both(&redone[0]), "{redone:?}");
    let undone = play(&mut session, ":undo");
    assert_eq!(undone.len(), 1);
    assert!(is_both(&undone[0]), "{undone:?}");
    let now = session.target.machine.checkpoint();
    assert_eq!(now.first_difference(&before), None);
    // An answer of the user does.
    assert_eq!(play(&mut session, "(3,3)").len(), 2);
}

#[test]
fn a_saved_session_replays_without_searching() {
    let host = std::rc::Rc::new(gridbug::host::MemoryHost::new());
    let language = languages::by_name("gridlok").unwrap();
    let mut session = Session::with_host(language, 1, host.clone());
    gridbug::command::start_session(&mut session, "game.gl", language.info().sample);
    for line in [
        ":opponent o perfect",
        "click{0,0}",
        "click{2,1}",
        ":undo",
        "click{1,2}",
    ] {
        play(&mut session, line);
    }
    let board = session.target.machine.store.cells.as_slice().to_vec();
    assert!(answer(&mut session, ":save a.session").ok);
    let text = gridbug::host::Host::read(host.as_ref(), "a.session", 1 << 20).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.matches("> click").count() >= 4, "{text}");
    let file = gridbug::session::session_file::SessionFile::parse(&text).unwrap();
    let replay = gridbug::command::replay(&file, std::path::Path::new(""), host).unwrap();
    assert_eq!(replay.mismatches().count(), 0);
    let mut replayed = replay.session;
    assert_eq!(replayed.target.machine.store.cells.as_slice(), board);
    // The game goes on, with the computer.
    let moves = gridbug::command::play_opponent(&mut replayed);
    assert!(moves.is_none(), "it is the user's turn");
    assert!(replayed.opponents.get("o").is_some());
}

#[test]
fn an_interrupted_search_leaves_the_game_playable() {
    let mut session = sample("gridlok");
    play(&mut session, ":opponent o perfect");
    answer(&mut session, "click{1,1}");
    let cells = session.target.machine.store.cells.as_slice().to_vec();
    let flag = session.target.machine.interrupt_flag();
    flag.store(true, std::sync::atomic::Ordering::Relaxed);
    let interrupted = play_opponent(&mut session).unwrap();
    assert!(
        interrupted
            .text()
            .starts_with("Interrupted: o has not moved")
    );
    assert!(play_opponent(&mut session).is_none());
    assert_eq!(session.target.machine.store.cells.as_slice(), cells);
    // The user plays for it, or lets it think again.
    assert!(play(&mut session, ":moves").len() == 1);
    let answers = play(&mut session, ":opponent");
    assert_eq!(entries_of(&answers).len(), 1);
}

#[test]
fn a_breakpoint_inside_its_move_stops_and_the_game_goes_on_afterwards() {
    let mut session = sample("gridlok");
    play(&mut session, ":opponent o 1");
    answer(&mut session, ":break winCondition if turn == \"o\"");
    let answers = play(&mut session, "click{1,1}");
    let stopped = answers.last().unwrap();
    assert!(stopped.stop.is_some(), "{answers:?}");
    if session.target.is_stopped() && entries_of(&answers).is_empty() {
        // The user's own move stopped first.
        play(&mut session, ":continue");
    }
    answer(&mut session, ":delete 1");
    play(&mut session, ":continue");
    assert!(!session.target.is_stopped());
    let played = session.target.timeline.cursor();
    play(&mut session, ":undo");
    assert!(session.target.timeline.cursor() < played);
}

#[test]
fn a_json_client_gets_the_reply_of_the_computer_with_its_answer() {
    let mut session = sample("gridlok");
    play(&mut session, ":opponent o perfect");
    let reply = answer(&mut session, "click{0,0}");
    let reply = Driver::new().finish(&mut session, reply);
    let json = valid_json(&session, &reply);
    assert_eq!(json["entry"], "click{0,0}");
    // Every reply to a corner except for the center loses.
    assert_eq!(part(&json, "opponent_move")["entry"], "click{1,1}");
    assert_eq!(part(&json, "opponent_move")["exact"], true);
    let text = json["text"].as_str().unwrap();
    assert!(text.contains("o plays click{1,1}"), "{text}");
}

#[test]
fn the_computer_answers_prompts_in_gridlang() {
    let mut session = session(
        "gridlang",
        include_str!("../../sessions/gridlang/capture.grid"),
    );
    play(&mut session, ":opponent black 1");
    let answers = play(&mut session, ":turn");
    assert!(answers.last().unwrap().question.is_some(), "{answers:?}");
    play(&mut session, "(4,0)");
    let answers = play(&mut session, "(3,0)");
    let moves = entries_of(&answers);
    // A bishop is in (0,1) or (0,2). An answer that the game refuses is never chosen.
    assert_eq!(moves.len(), 3, "{moves:?}");
    assert_eq!(moves[0], ("black", ":turn"));
    assert!(["(0,1)", "(0,2)"].contains(&moves[1].1), "{moves:?}");
    assert!(session.target.machine.is_idle());
}

#[test]
fn two_computers_play_to_the_end_in_gridlang() {
    let mut session = session("gridlang", GRIDLANG_TIC_TAC_TOE);
    play(&mut session, ":opponent x random");
    let answers = play(&mut session, ":opponent o perfect");
    assert!(answers.iter().all(|a| a.ok));
    let (status, winner) = status(&session);
    assert_ne!(status, Status::Playing);
    assert_ne!(winner.as_deref(), Some("x"));
}

#[test]
fn games_without_two_players_say_why_not() {
    let mut one = sample("sgl2d");
    let refused = answer(&mut one, ":opponent x");
    assert!(!refused.ok && refused.text().contains("only one player"));
    let mut none = sample("tinygame");
    let refused = answer(&mut none, ":opponent x");
    assert!(
        !refused.ok && refused.text().contains("no moves"),
        "{}",
        refused.text()
    );
}

#[test]
fn mistakes_are_explained_and_change_nothing() {
    let mut session = sample("gridlok");
    for (line, message) in [
        (":opponent z", "unknown player `z`; the players are x, o"),
        (
            ":opponent o 9",
            "unknown level `9`; use `random`, 1 to 5, or `perfect`",
        ),
        (
            ":opponent o perfect soon",
            "expected the seconds for a move, found `soon`",
        ),
        (":opponent o off", "the computer does not play `o`"),
    ] {
        let refused = answer(&mut session, line);
        assert!(
            !refused.ok && refused.text().contains(message),
            "{}",
            refused.text()
        );
        assert!(session.opponents.players.is_empty());
    }
    play(&mut session, ":opponent o perfect 2");
    let off = answer(&mut session, ":opponent off");
    assert_eq!(off.text(), "The computer plays nobody");
}

/// Seven sweets; a move eats one to three. Eating the last one wins, so four have to be left.
const SWEETS: &str = r#"game {
  board { dimensions {1, 7} }
  players {"ann", "ben"}
  piece { name {"sweet"} onClick { if (sweets {}) - pieceCol <= 3 { eat {pieceCol} endTurn {} } } }
  piece { name {"gone"} }
  setup { for c(0, 7) { place {"sweet", 0, c} } }
  fun sweets() { def count {0} for p in board { if p.name == "sweet" { count {count + 1} } } return count }
  fun eat(first) { for c(first, cols) { place {"gone", 0, c} } }
  winCondition { win {(sweets {}) == 0} }
}"#;

#[test]
fn the_highest_level_finds_a_win_that_is_forced_within_five_moves() {
    for seed in 1..=3 {
        let mut session = Session::new(languages::by_name("gridlok").unwrap(), seed);
        assert!(session.load("game", SWEETS).ok);
        answer(&mut session, ":opponent ben random");
        let answers = play(&mut session, ":opponent ann 5");
        assert!(answers.iter().all(|a| a.ok), "{answers:?}");
        assert!(
            answers[0].text().contains("ann (level 5)"),
            "{}",
            answers[0].text()
        );
        assert_eq!(entries_of(&answers)[0], ("ann", "click{0,4}"));
        assert_eq!(status(&session), (Status::Won, Some("ann".into())));
    }
}

#[test]
fn the_highest_level_does_not_lose_tic_tac_toe_from_a_position_that_is_a_draw() {
    let mut session = sample("gridlok");
    for line in ["click{0,0}", "click{1,1}", "click{2,2}", "click{0,1}"] {
        answer(&mut session, line);
    }
    answer(&mut session, ":opponent o perfect");
    // x has to prevent the column in the middle at once.
    let answers = play(&mut session, ":opponent x 5");
    assert_eq!(entries_of(&answers)[0], ("x", "click{2,1}"));
    assert_eq!(status(&session).0, Status::Drawn);
}
