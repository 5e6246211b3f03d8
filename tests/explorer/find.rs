//! `:find`: shortest lines, proofs that there is none, and that nothing changes by asking.

use crate::support::{WALK, answer, entries, find, sample, session};
use gridbug::answer::{FindVerdict, Part, SearchStop};
use gridbug::diagnostic::Advice;
use gridbug::languages;
use gridbug::render::AnswerText;
use gridbug::session::Session;

#[test]
fn x_wins_tic_tac_toe_in_five_moves_and_o_in_six() {
    let mut session = sample("gridlok");
    let x = find(&mut session, "win");
    assert_eq!((x.verdict, x.length), (FindVerdict::Found, Some(5)));
    assert_eq!(x.player.as_deref(), Some("x"));
    // 1 + 9 + 72 + 252 + 756 + 1260 positions have at most five marks.
    assert_eq!((x.extent.depth, x.extent.positions), (5, 2350));
    let o = find(&mut session, "win for o");
    assert_eq!((o.length, o.player.as_deref()), (Some(6), Some("o")));
}

#[test]
fn what_is_impossible_is_only_said_after_all_positions() {
    let mut session = sample("gridlok");
    let lost = find(&mut session, "lose");
    assert_eq!(lost.verdict, FindVerdict::Never);
    assert_eq!((lost.extent.positions, lost.extent.complete), (5478, true));
    let early = find(&mut session, "win within 4");
    assert_eq!(early.verdict, FindVerdict::NotWithin);
    assert_eq!(early.extent.stopped_by, Some(SearchStop::Within));
    assert_eq!(find(&mut session, "error").verdict, FindVerdict::Never);
    assert_eq!(find(&mut session, "stuck").verdict, FindVerdict::Never);
}

/// The texts of an answer to `:find`.
fn find_text(session: &mut gridbug::session::Session, goal: &str) -> Vec<String> {
    let reply = answer(session, &format!(":find {goal}"));
    gridbug::session::to_plain_text(session, &reply)
}

#[test]
fn a_condition_that_is_not_defined_is_named() {
    let mut session = sample("gridlok");
    assert_eq!(
        find_text(&mut session, "lose"),
        ["a loss is impossible: searched all 5,478 positions (no loseCondition is defined)"]
    );
    // It is defined, but not true so early.
    assert_eq!(find(&mut session, "win within 4").undefined, None);
    assert_eq!(find(&mut session, "win within 4").ended_by, None);
    let without_end = r#"board { dimensions {1, 1} image {b.png} } players {"x"}
        piece { name {"a"} image {a.png} onClick { changeType {"b"} endTurn {} } }
        piece { name {"b"} image {b.png} }
        setup { place {"a", 0, 0} }"#;
    let mut session = crate::support::session("gridlok", without_end);
    for (goal, condition) in [
        ("win", Some("winCondition")),
        ("draw", Some("drawCondition")),
        ("end", None),
        ("error", None),
    ] {
        let result = find(&mut session, goal);
        assert_eq!(result.verdict, FindVerdict::Never);
        assert_eq!(result.undefined.as_deref(), condition, "{goal}");
    }
}

#[test]
fn the_condition_that_ends_the_game_is_named_after_the_moves() {
    let game = |conditions: &str| {
        let text = format!(
            "board {{ dimensions {{1, 1}} image {{b.png}} }} players {{\"x\"}} def n {{0}}
piece {{ name {{\"a\"}} image {{a.png}} onClick {{ n {{(n + 1) % 4}} endTurn {{}} }} }}
setup {{ place {{\"a\", 0, 0}} }}
{conditions}"
        );
        session("gridlok", &text)
    };
    let mut both = game("winCondition { win {n == 3} }\nloseCondition { lose {n == 2} }");
    let lost = find(&mut both, "lose");
    let ended_by = lost.ended_by.expect("the condition is known");
    let place = ended_by.place.expect("it is in the program");
    assert_eq!(ended_by.condition, "loseCondition");
    assert_eq!(place.range.line, 5);
    let lines = find_text(&mut both, "end");
    assert!(lines[1].ends_with("   loseCondition, line 5"), "{lines:?}");
    // Either of them may set `lose`: nothing is said then.
    let mut mixed =
        game("winCondition { lose {n == 1} }\nloseCondition { if n == 2 { lose {true} } }");
    let lost = find(&mut mixed, "lose");
    assert_eq!((lost.length, lost.ended_by), (Some(1), None));
    // Without a `loseCondition`, a loss is possible nevertheless.
    let mut other = game("winCondition { lose {n == 1} }");
    let lost = find(&mut other, "lose");
    assert_eq!((lost.length, lost.ended_by), (Some(1), None));
    assert_eq!(lost.undefined, None);
}

#[test]
fn within_means_the_same_before_and_after_all_positions_are_known() {
    let mut session = sample("gridlok");
    let before = find(&mut session, "win within 4").verdict;
    find(&mut session, "lose");
    assert_eq!(find(&mut session, "win within 4").verdict, before);
    assert_eq!(
        find(&mut session, "win within 5").verdict,
        FindVerdict::Found
    );
}

/// A goal is found within as many moves as it takes and not within fewer, whether it is a position or something that
/// happens during a move, and in a new session as in one that has searched before.
#[test]
fn within_is_exact_for_every_kind_of_goal() {
    let failing = r#"game { board { dimensions {1, 3} image {b.png} } players {"x"} def n {0}
        piece { name {"a"} image {a.png} onClick { n {n + 1} if n == 3 { n {n / 0} } endTurn {} } }
        setup { for r, c in board { place {"a", r, c} } } }"#;
    let stuck = r#"game { board { dimensions {1, 2} image {b.png} } players {"x"}
        piece { name {"a"} image {a.png} onClick { changeType {"b"} endTurn {} } }
        piece { name {"b"} image {b.png} }
        setup { for r, c in board { place {"a", r, c} } } }"#;
    let dice = r#"game { board { dimensions {1, 1} image {b.png} } players {"x"} def sum {0}
        piece { name {"die"} image {d.png}
            onClick { sum {sum + rand {1, 6}} if sum > 17 { print {"high"} } endTurn {} } }
        setup { place {"die", 0, 0} } }"#;
    let bogl = include_str!("../../sessions/bogl/tic-tac-toe.bgl");
    let tic_tac_toe = languages::ALL[0].info().sample;
    let cases = [
        ("gridlok", tic_tac_toe, "win", 5),
        ("gridlok", tic_tac_toe, "draw", 9),
        ("gridlok", tic_tac_toe, "turnCount == 2", 2),
        ("gridlok", tic_tac_toe, "print \"taken\"", 2),
        ("gridlok", tic_tac_toe, "X.onClick", 2),
        ("gridlok", tic_tac_toe, "line 8", 1),
        ("gridlok", tic_tac_toe, "line 12", 2),
        ("gridlok", failing, "error", 3),
        ("gridlok", stuck, "stuck", 2),
        ("gridlok", dice, "print \"high\"", 4),
        ("gridlok", dice, "sum == 18", 4),
        ("bogl", bogl, "X in result", 5),
        ("bogl", bogl, "line 36 in result", 5),
    ];
    for (language, text, goal, length) in cases {
        let (goal, game) = goal.split_once(" in ").unwrap_or((goal, ""));
        let within = |moves: usize| match game {
            "" => format!("{goal} within {moves}"),
            game => format!("{goal} within {moves} in {game}"),
        };
        let mut searched = session(language, text);
        assert_eq!(
            find(&mut searched, &within(20)).length,
            Some(length),
            "{goal}"
        );
        let fewer = (length > 1).then_some((length - 1, FindVerdict::NotWithin));
        let enough = [length, length + 1].map(|moves| (moves, FindVerdict::Found));
        for (moves, verdict) in fewer.into_iter().chain(enough) {
            let mut new = session(language, text);
            for session in [&mut new, &mut searched] {
                let found = find(session, &within(moves));
                assert_eq!(found.verdict, verdict, "{goal} within {moves}");
            }
        }
    }
}

#[test]
fn an_answer_counts_the_positions_that_it_is_based_on() {
    let mut session = sample("gridlok");
    find(&mut session, "win");
    let found = find(&mut session, "turnCount == 1");
    assert_eq!((found.extent.depth, found.extent.positions), (1, 10));
}

#[test]
fn redo_plays_the_line_that_was_found_and_undo_takes_it_back() {
    let mut session = sample("gridlok");
    let found = find(&mut session, "win");
    let line: Vec<String> = entries(&found).iter().map(|e| e.to_string()).collect();
    for entry in &line {
        let answer = answer(&mut session, ":redo");
        let redone = answer.parts.iter().find_map(|part| match part {
            Part::Redone { entries } => Some(entries.clone()),
            _ => None,
        });
        assert_eq!(redone, Some(vec![entry.clone()]));
    }
    assert_eq!(session.target.progress().status.as_str(), "won");
    answer(&mut session, ":undo 5");
    assert_eq!(session.target.progress().turn_count, Some(0));
}

#[test]
fn redo_plays_a_move_together_with_its_random_draws() {
    let race = include_str!("../../sessions/gridlang/race.grid");
    let mut session = session("gridlang", race);
    session.set_session_start();
    let start = session.target.machine.checkpoint();
    let length = find(&mut session, "win").length.unwrap();
    for n in 1..=length {
        assert_eq!(session.target.progress().status.as_str(), "playing");
        let before = session.target.machine.store.action;
        assert!(answer(&mut session, ":redo").ok, "{n}");
        assert_ne!(session.target.machine.store.action, before, "{n}");
    }
    assert_eq!(session.target.progress().status.as_str(), "won");
    for n in 1..=length {
        assert!(answer(&mut session, ":undo").ok, "{n}");
    }
    let now = session.target.machine.checkpoint();
    assert_eq!(now.first_difference(&start), None);
}

/// Plays the line that was found and takes it back, each time with one line of text for each move. Returns
/// how many moves draw random numbers.
fn replay_in_single_lines(session: &mut Session, goal: &str) -> usize {
    session.set_session_start();
    let found = find(session, goal);
    assert_eq!(found.verdict, FindVerdict::Found, "{goal}");
    let mut texts = Vec::new();
    for line_move in &found.moves {
        let text = answer(session, ":redo").text();
        let redone: Vec<&str> = text.lines().filter(|l| l.starts_with("redone: ")).collect();
        let [redone] = redone.as_slice() else {
            panic!("{text}");
        };
        let draws: Vec<String> = line_move.draws.iter().map(i64::to_string).collect();
        match draws.is_empty() {
            true => assert!(!redone.contains("drew"), "{text}"),
            false => {
                let drew = format!(" (drew {})", draws.join(", "));
                assert!(redone.ends_with(&drew), "{text}");
            }
        }
        texts.push(redone.replace("redone", "undone"));
    }
    for expected in texts.iter().rev() {
        let text = answer(session, ":undo").text();
        let undone: Vec<&str> = text.lines().filter(|l| l.starts_with("undone: ")).collect();
        assert_eq!(undone, [expected], "{text}");
    }
    let moves = found.moves.iter();
    moves.filter(|m| !m.draws.is_empty()).count()
}

#[test]
fn a_move_with_random_draws_is_redone_and_undone_in_one_line() {
    let dice = r#"game {
  board { dimensions {1, 1} }
  players {"x", "o"}
  def n {0}
  piece { name {"a"} onClick { n {n + rand {1, 7} * rand {1, 7}} endTurn {} } }
  setup { place {"a", 0, 0} }
  winCondition { win {n == 72} }
}"#;
    let mut game = session("gridlok", dice);
    assert_eq!(replay_in_single_lines(&mut game, "win"), 2);
    answer(&mut game, ":redo");
    let text = answer(&mut game, ":undo").text();
    assert_eq!(text, "undone: click{0,0} (drew 6, 6)");
    // Several moves at once: one line for each.
    let text = answer(&mut game, ":redo 2").text();
    assert_eq!(text.matches("redone: click{0,0} (drew 6, 6)").count(), 2);
    assert!(!text.contains(":rand"), "{text}");

    let race = include_str!("../../sessions/gridlang/race.grid");
    assert!(replay_in_single_lines(&mut session("gridlang", race), "win") > 0);
    // The number is drawn after the answer.
    let asks = "Layout(1, 3) { Player ann; int n }\n\
                gameLoop() {\n  boolean b = prompt(\"throw? \", boolean)\n\
                if (b) { n = n + diceThrow() }\n}\n\
                checkGameEnd() { ann.win = n == 12; return ann.win }\n";
    assert!(replay_in_single_lines(&mut session("gridlang", asks), "win") > 0);

    let garden = "environment > x=4 y=1\nplayer > x=0 y=0\ngoal > x=3 y=0\n\
                  sprite floor > color=grey\nsprite bee > color=red\n\
                  event bee > inccounter1=1 movetorandom=floor\n\
                  set floor > (x=0 y=0, x=3 y=0)\nset bee > x=1 y=0\n";
    assert!(replay_in_single_lines(&mut session("sgl2d", garden), "win") > 0);
}

#[test]
fn another_move_keeps_the_rest_of_the_line_as_a_branch() {
    let mut session = sample("gridlok");
    find(&mut session, "win");
    answer(&mut session, ":redo");
    let answer = answer(&mut session, "click{2,2}");
    let text = answer.text();
    let message = "The rest of the line that was found is kept as branch 1";
    assert!(text.contains(message), "{text}");
    assert!(!text.contains("you undid"), "{text}");
}

#[test]
fn the_branch_leads_to_the_end_of_the_line() {
    let mut session = sample("gridlok");
    let branch = find(&mut session, "draw").branch.unwrap();
    answer(&mut session, &format!(":branches {branch}"));
    assert_eq!(session.target.progress().status.as_str(), "drawn");
    answer(&mut session, ":undo");
    assert_eq!(session.target.progress().turn_count, Some(8));
}

#[test]
fn a_search_changes_nothing() {
    let mut session = sample("gridlok");
    answer(&mut session, "click{0,0}");
    answer(&mut session, "click{1,1}");
    answer(&mut session, ":undo");
    let before = session.target.machine.checkpoint();
    let (number, entries) = (
        session.target.next_entry_number(),
        session.target.timeline.all_entries().len(),
    );
    for goal in [
        "win",
        "lose",
        "draw",
        "turnCount == 3",
        "line 12",
        "X.onClick",
    ] {
        find(&mut session, goal);
        let now = session.target.machine.checkpoint();
        assert_eq!(now.first_difference(&before), None, "{goal}");
        assert_eq!(session.target.next_entry_number(), number, "{goal}");
        assert_eq!(session.target.timeline.all_entries().len(), entries);
    }
    answer(&mut session, ":redo");
    assert_eq!(session.target.progress().turn_count, Some(2));
}

#[test]
fn goals_can_be_conditions_lines_functions_and_output() {
    let mut session = sample("gridlok");
    assert_eq!(find(&mut session, "turnCount == 4").length, Some(4));
    // A piece that was just placed is clicked.
    assert_eq!(entries(&find(&mut session, "X.onClick")).len(), 2);
    assert_eq!(find(&mut session, "O.onClick").length, Some(3));
    let verdict = find(&mut session, "board[0][0].name == \"ghost\"").verdict;
    assert_eq!(verdict, FindVerdict::Never);
}

#[test]
fn the_maze_takes_36_keys() {
    let mut session = session("sgl2d", include_str!("../../sessions/sgl2d/maze.sgl2d"));
    let found = find(&mut session, "win");
    assert_eq!(
        (found.verdict, found.length),
        (FindVerdict::Found, Some(36))
    );
}

#[test]
fn stones_can_be_won_with_four_answers() {
    let mut session = sample("bogl");
    let found = find(&mut session, "You");
    assert_eq!((found.verdict, found.length), (FindVerdict::Found, Some(4)));
    assert!(found.branch.is_some());
}

#[test]
fn a_tie_of_bogl_takes_a_full_board() {
    // The question is asked again after a wrong answer, so two frames differ only in where they ask.
    let game = include_str!("../../sessions/bogl/tic-tac-toe.bgl");
    let found = find(&mut session("bogl", game), "Tie in play(X, empty)");
    assert_eq!((found.verdict, found.length), (FindVerdict::Found, Some(9)));
}

#[test]
fn a_die_is_thrown_in_a_forced_turn() {
    // The race of GridLang has no prompts: a turn is a move, and the line says what is thrown.
    let mut session = sample("gridlang");
    let found = find(&mut session, "win");
    // Seven cells with throws of at most six, and no throw stops in the puddle: two turns of ann, with one
    // of bob in between.
    assert_eq!((found.verdict, found.length), (FindVerdict::Found, Some(3)));
    assert!(found.moves.iter().all(|m| m.draws.len() == 1));
}

#[test]
fn words_of_the_program_answer_its_questions_for_text() {
    let mut session = session("gridlang", WALK);
    let win = find(&mut session, "win");
    assert_eq!(entries(&win), ["east", "east", "east"]);
    // A word that the program does not mention is tried, too.
    let line = WALK
        .lines()
        .position(|l| l.contains("unknown way"))
        .unwrap()
        + 1;
    assert_eq!(
        find(&mut session, &format!("line {line}")).verdict,
        FindVerdict::Found
    );
}

#[test]
fn nothing_is_impossible_if_a_question_cannot_be_answered() {
    let game = "game Copy\ntype Board = Array(1,1) of Int\ntype Input = Board\n\
                empty : Board\nempty!(x,y) = 0\nresult : Int\nresult = input ! (1,1)\n";
    let mut session = session("bogl", game);
    let found = find(&mut session, "7");
    assert_eq!(found.verdict, FindVerdict::Unknown);
    assert!(!found.extent.assumed.is_empty());
}

#[test]
fn answers_use_the_words_of_their_goal() {
    let mut session = sample("gridlok");
    let mut headline = |line: &str| {
        let answer = answer(&mut session, line);
        let lines = gridbug::session::to_plain_text(&session, &answer);
        lines.into_iter().next().unwrap_or_default()
    };
    assert_eq!(
        headline(":find turnCount == 20"),
        "`turnCount == 20` is never true: searched all 5,478 positions"
    );
    assert_eq!(
        headline(":find print \"hello\""),
        "\"hello\" is never printed: searched all 5,478 positions"
    );
    assert_eq!(
        headline(":find winCondition"),
        "`winCondition` can run in 1 move, no sooner"
    );
    assert_eq!(
        headline(":find win for z"),
        "error: unknown player `z`; the players are x, o"
    );
    assert_eq!(
        headline(":stats many"),
        "error: `:stats` takes a number of games, e.g. `:stats 1000` (got `many`)"
    );
}

#[test]
fn mistakes_in_a_goal_are_explained() {
    let mut game = sample("gridlok");
    for (line, message) in [
        (
            ":find turnCount",
            "`turnCount` is neither true nor false; compare it, e.g. `turnCount == 0`",
        ),
        (
            ":find board[5][5].name == \"X\"",
            "cannot be evaluated in any position: [5][5] is off the board",
        ),
        (":find win count 0", "`count` needs at least 1"),
        (
            ":find win inputs 1..3",
            "`inputs` has no effect: this game asks no questions",
        ),
        (":find win inputs 5..1", "`inputs 5..1` is empty"),
        (
            ":find win for z",
            "unknown player `z`; the players are x, o",
        ),
        (
            ":check ignoring turnCount within 3",
            "unknown option `within`",
        ),
    ] {
        let refused = answer(&mut game, line);
        assert!(!refused.ok, "{line}");
        assert!(
            refused.text().contains(message),
            "{line}: {}",
            refused.text()
        );
    }
    let mut maze = session("sgl2d", include_str!("../../sessions/sgl2d/maze.sgl2d"));
    let refused = answer(&mut maze, ":find win for x").text();
    assert!(refused.contains("this game has only one"), "{refused}");
}

#[test]
fn the_name_of_an_event_means_the_handlers_of_all_pieces() {
    let mut game = sample("gridlok");
    let found = find(&mut game, "onClick");
    assert_eq!((found.verdict, found.length), (FindVerdict::Found, Some(1)));
}

#[test]
fn a_goal_that_fails_in_some_positions_says_so() {
    let mut game = sample("gridlok");
    let found = find(&mut game, "10 / (turnCount - 3) > 100");
    assert_eq!(found.verdict, FindVerdict::Never);
    let note = found.note.unwrap().text;
    // After three moves, there are 9 * 8 / 2 * 7 positions.
    assert!(
        note.contains("cannot be evaluated in 252 positions: division by zero"),
        "{note}"
    );
}

#[test]
fn errors_are_mentioned_where_they_may_be_why_a_goal_cannot_be_reached() {
    // The fourth mark divides by zero.
    let text = include_str!("../../src/languages/gridlok/info/sample.gl").replace(
        "endTurn {}\n",
        "if turnCount == 3 { def q {1 / (turnCount - 3)} } endTurn {}\n",
    );
    let mut game = session("gridlok", &text);
    let found = find(&mut game, "draw");
    assert_eq!(found.verdict, FindVerdict::Never, "{found:?}");
    let note = found.note.unwrap();
    let advice = Advice::command(":find error", "shows a way to one");
    assert_eq!(note.text, "some moves end in an error");
    assert_eq!(note.advice, [advice]);
    // Without errors there is nothing to say.
    assert_eq!(find(&mut sample("gridlok"), "lose").note, None);
}

#[test]
fn a_line_is_not_called_the_shortest_if_random_numbers_are_only_sampled() {
    let text = |high: &str| {
        format!(
            r#"game {{
  board {{ dimensions {{1, 1}} image {{b.png}} }}
  players {{"p"}}
  def n {{0}}
  piece {{ name {{"a"}} image {{a.png}} onClick {{ n {{n + rand {{0, {high}}}}} endTurn {{}} }} }}
  setup {{ place {{"a", 0, 0}} }}
  winCondition {{ win {{n > 1}} }}
}}"#
        )
    };
    let found = find(&mut session("gridlok", &text("3")), "win");
    assert!(found.shortest && found.extent.assumed.is_empty());
    let sampled = find(&mut session("gridlok", &text("1000000")), "win");
    assert_eq!(sampled.verdict, FindVerdict::Found);
    assert!(!sampled.shortest && !sampled.extent.assumed.is_empty());
}

#[test]
fn wins_and_draws_of_bogl_can_be_found_if_the_player_who_moves_is_named() {
    let game = include_str!("../../sessions/bogl/tic-tac-toe.bgl");
    let mut game = session("bogl", game);
    let refused = answer(&mut game, ":find win");
    assert!(!refused.ok);
    assert!(
        refused.text().contains("add `turn E`"),
        "{}",
        refused.text()
    );
    let won = find(&mut game, "win for O turn p");
    assert_eq!((won.length, won.player.as_deref()), (Some(6), Some("O")));
    // What was said about the turns still holds.
    assert_eq!(find(&mut game, "win").length, Some(5));
    assert_eq!(find(&mut game, "draw").length, Some(9));
}

/// What gridbug says about a move is not output of the game.
#[test]
fn notes_about_moves_are_not_printed_by_the_game() {
    let mut session = session("sgl2d", include_str!("../../sessions/sgl2d/maze.sgl2d"));
    let found = find(&mut session, "print \"x\" within 3");
    assert_eq!(found.verdict, FindVerdict::NotWithin);
}

#[test]
fn questions_after_the_end_of_a_game_say_that_it_has_ended() {
    let mut session = sample("gridlok");
    let won = find(&mut session, "win");
    for entry in entries(&won) {
        answer(&mut session, entry);
    }
    for question in [
        ":check",
        ":stats",
        ":stats 10",
        ":coverage search",
        ":coverage 3 games",
    ] {
        let answer = answer(&mut session, question);
        assert!(!answer.ok, "{question}");
        let text = answer.text();
        assert!(text.contains("the game has ended"), "{question}: {text}");
    }
    let drawn = find(&mut session, "draw");
    assert_eq!(drawn.verdict, FindVerdict::Never);
    let note = drawn.note.map_or_else(String::new, |note| note.text);
    assert!(note.contains("the game has ended"), "{note}");
    // What has been reached is still found.
    assert_eq!(find(&mut session, "win").length, Some(0));
}

/// Its code would use a variable that the game does not have.
#[test]
fn a_goal_that_defines_something_is_refused() {
    let bogl = include_str!("../../sessions/bogl/tic-tac-toe.bgl");
    let gridlok = include_str!("../../sessions/gridlok/lights-out.gl");
    let gridlang = include_str!("../../sessions/gridlang/race.grid");
    for (language, program, goal) in [
        ("bogl", bogl, "let z = 3 in play(X, empty)"),
        ("gridlok", gridlok, "def z{0}"),
        ("gridlang", gridlang, "int z = 3"),
    ] {
        let mut session = session(language, program);
        let text = answer(&mut session, &format!(":find {goal}")).text();
        assert!(text.contains("defines something"), "{text}");
    }
}
