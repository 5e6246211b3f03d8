//! `:predict`: questions before something runs, in every language.

use gridbug::answer::{Part, PredictionKind, PredictionQuestion, PredictionResult, Verdict};
use gridbug::command::handle_line;
use gridbug::host::MemoryHost;
use gridbug::languages;
use gridbug::render::AnswerText;
use gridbug::session::session_file::SessionFile;
use gridbug::session::{Answer, Session};
use std::path::Path;
use std::rc::Rc;

fn sample(language: &str) -> Session {
    let language = languages::by_name(language).unwrap();
    let mut session = Session::new(language, 1);
    assert!(gridbug::command::open_sample(&mut session).ok);
    session
}

fn parts(answer: &Answer) -> impl Iterator<Item = &Part> {
    answer.parts.iter().chain(&answer.hints)
}

fn question(answer: &Answer) -> Option<PredictionQuestion> {
    parts(answer).find_map(|part| match part {
        Part::Prediction(question) => Some(question.clone()),
        _ => None,
    })
}

fn result(answer: &Answer) -> Option<PredictionResult> {
    parts(answer).find_map(|part| match part {
        Part::PredictionResult(result) => Some(result.clone()),
        _ => None,
    })
}

/// Types a line before which there must be a question about this.
#[track_caller]
fn ask(session: &mut Session, request: &str, line: &str) -> PredictionQuestion {
    let answer = handle_line(session, &format!(":predict {request}"));
    assert!(answer.ok, "{}", answer.text());
    let answer = handle_line(session, line);
    question(&answer).unwrap_or_else(|| panic!("{line}: no question in {}", answer.text()))
}

/// Answers the open question.
#[track_caller]
fn answer(session: &mut Session, text: &str) -> (PredictionResult, Answer) {
    let reply = handle_line(session, text);
    let result = result(&reply).unwrap_or_else(|| panic!("no result in {}", reply.text()));
    (result, reply)
}

fn texts(question: &PredictionQuestion) -> Vec<&str> {
    question.choices.iter().map(|c| c.meaning()).collect()
}

/// Everything of the session that a question must leave alone.
fn state(session: &mut Session) -> impl PartialEq + std::fmt::Debug + use<> {
    let target = &mut session.target;
    (
        target.machine.time(),
        target.timeline.cursor(),
        target.timeline.entries().len(),
        target.next_entry_number(),
        target.full_view(),
        target.machine.frames().len(),
        session.transcript.entries.len(),
        session.target.machine.log_end(),
    )
}

#[test]
fn nothing_runs_until_the_question_is_answered() {
    for (language, line) in [
        ("gridlok", "click{1,1}"),
        ("bogl", "left(start)"),
        ("gridlang", ":turn"),
        ("tinygame", "move knight up 1;"),
        ("sgl2d", "right"),
    ] {
        let mut session = sample(language);
        handle_line(&mut session, ":predict on");
        let before = state(&mut session);
        let asked = handle_line(&mut session, line);
        let question = question(&asked).unwrap_or_else(|| panic!("{language}: {}", asked.text()));
        assert!(question.text.ends_with('?'), "{}", question.text);
        assert_eq!(state(&mut session), before, "{language}");
        assert!(asked.board.is_none() && asked.value.is_none(), "{language}");
        // What happens then is the same as without a question.
        let reply = handle_line(&mut session, "");
        assert_eq!(result(&reply).unwrap().verdict, Verdict::Skipped);
        let mut plain = sample(language);
        let expected = handle_line(&mut plain, line);
        assert_eq!(reply.value, expected.value, "{language}");
        assert_eq!(reply.output, expected.output, "{language}");
        assert_eq!(session.target.full_view(), plain.target.full_view());
        assert_eq!(
            session.target.machine.time(),
            plain.target.machine.time(),
            "{language}"
        );
        let last = session.transcript.entries.last().unwrap();
        let expected = plain.transcript.entries.last().unwrap();
        assert_eq!(last.input, line);
        assert_eq!(last.reply_lines, expected.reply_lines, "{language}");
    }
}

#[test]
fn a_value_is_compared_as_a_value() {
    let mut session = sample("gridlok");
    for (line, given, verdict) in [
        ("1 + 1", "2", Verdict::Right),
        ("1 + 2", "3.0", Verdict::Right),
        ("2 + 2", "5", Verdict::Wrong),
        ("turn", "x", Verdict::Right),
        ("turn", "\"x\"", Verdict::Right),
        ("turn", "X", Verdict::Wrong),
        ("1 == 1", "true", Verdict::Right),
        ("1 == 1", "F", Verdict::Wrong),
        ("3 + 3", "", Verdict::Skipped),
        ("3 + 3", "skip", Verdict::Skipped),
    ] {
        ask(&mut session, "value", line);
        let (result, reply) = answer(&mut session, given);
        assert_eq!(result.verdict, verdict, "{line}: {given}: {result:?}");
        assert!(reply.value.is_some());
    }
    let score = handle_line(&mut session, ":predict").text();
    assert!(score.contains("5 right, 3 wrong, 2 skipped"), "{score}");
    let mut session = sample("bogl");
    ask(&mut session, "value", "(1, 1 + 1)");
    assert_eq!(answer(&mut session, "(1,2)").0.verdict, Verdict::Right);
}

#[test]
fn a_boolean_is_a_choice() {
    let mut session = sample("gridlok");
    let question = ask(&mut session, "value", "turn == \"o\"");
    assert_eq!(texts(&question), ["true", "false"]);
    let reply = handle_line(&mut session, "perhaps");
    assert!(
        !reply.ok && reply.text().contains("true, false"),
        "{}",
        reply.text()
    );
    assert!(crate::predict::question(&reply).is_some(), "asked again");
    assert_eq!(answer(&mut session, "f").0.verdict, Verdict::Right);
}

#[test]
fn a_cell_can_be_any_kind_of_piece_or_empty() {
    let mut session = sample("gridlok");
    let question = ask(&mut session, "cell 1,1", "click{1,1}");
    assert_eq!(question.about, PredictionKind::Cell);
    assert_eq!(question.text, "What is on [1][1] after `click{1,1}`?");
    assert_eq!(texts(&question), ["free", "X", "O", "empty"]);
    let (result, reply) = answer(&mut session, "3");
    assert_eq!(result.verdict, Verdict::Wrong);
    assert_eq!(result.right_answer.as_deref(), Some("X"));
    // The explanation names the statement that did it.
    let explained = parts(&reply).any(|part| matches!(part, Part::Explanation(_)));
    assert!(explained, "{reply:?}");
}

#[test]
fn the_winner_is_asked_with_the_same_choices_whether_the_game_ends_or_not() {
    let mut session = sample("gridlok");
    let question = ask(&mut session, "winner", "click{0,0}");
    let choices = [
        "x wins",
        "o wins",
        "the game is lost",
        "draw",
        "the game continues",
    ];
    assert_eq!(texts(&question), choices);
    assert_eq!(answer(&mut session, "5").0.verdict, Verdict::Right);
    for line in ["click{1,0}", "click{0,1}", "click{1,1}"] {
        handle_line(&mut session, line);
    }
    let question = ask(&mut session, "winner", "click{0,2}");
    assert_eq!(texts(&question), choices);
    let (result, reply) = answer(&mut session, "o");
    assert_eq!(result.right_answer.as_deref(), Some("x wins"));
    assert_eq!(result.verdict, Verdict::Wrong);
    assert!(parts(&reply).any(|part| matches!(part, Part::Explanation(_))));
}

#[test]
fn an_error_can_be_predicted() {
    let mut session = sample("gridlok");
    let question = ask(&mut session, "error", "1 / 0");
    assert_eq!(texts(&question), ["yes", "no"]);
    let (result, reply) = answer(&mut session, "yes");
    assert_eq!(result.verdict, Verdict::Right);
    assert!(!reply.ok);
    ask(&mut session, "error", "no such thing");
    assert_eq!(answer(&mut session, "no").0.verdict, Verdict::Wrong);
    ask(&mut session, "error", "1 / 1");
    assert_eq!(answer(&mut session, "y").0.verdict, Verdict::Wrong);
}

#[test]
fn at_a_stop_the_next_line_is_asked() {
    let mut session = sample("gridlok");
    handle_line(&mut session, ":break free.onClick");
    handle_line(&mut session, "click{1,1}");
    assert!(session.target.is_stopped());
    let question = ask(&mut session, "line", "step");
    assert_eq!(question.text, "Which line runs next?");
    let answers: Vec<&str> = question.choices.iter().map(|c| c.answer.as_str()).collect();
    assert!(answers.contains(&"end"), "{answers:?}");
    assert!(answers.len() >= 3, "{answers:?}");
    let (result, reply) = answer(&mut session, "end");
    assert_eq!(result.verdict, Verdict::Wrong);
    let line = reply.stop.as_ref().unwrap().range.line.to_string();
    assert_eq!(result.right_answer.as_deref(), Some(line.as_str()));
    assert!(answers.contains(&line.as_str()));
    // The test of the `if` explains it.
    let explained = parts(&reply).any(|part| matches!(part, Part::Evaluation(_)));
    assert!(explained, "{reply:?}");
}

/// Steps through a game: the line that runs next is always among the choices.
#[test]
fn the_right_line_is_always_a_choice() {
    for (language, location, line) in [
        ("gridlok", "winCondition", "click{1,1}"),
        ("bogl", "left", "left(start)"),
        ("gridlang", "gameLoop", ":turn"),
        ("sgl2d", "event player", "right"),
    ] {
        let mut session = sample(language);
        handle_line(&mut session, &format!(":break {location}"));
        handle_line(&mut session, line);
        assert!(session.target.is_stopped(), "{language}");
        handle_line(&mut session, ":delete");
        let mut asked_count = 0;
        for _ in 0..40 {
            if !session.target.is_stopped() {
                break;
            }
            let question = ask(&mut session, "line", "step");
            let (result, _) = answer(&mut session, "");
            let right = result.right_answer.unwrap();
            let answers: Vec<&str> = question.choices.iter().map(|c| c.answer.as_str()).collect();
            assert!(
                answers.contains(&right.as_str()),
                "{language}: {right}: {answers:?}"
            );
            asked_count += 1;
        }
        assert!(asked_count > 0, "{language}");
    }
}

/// Without a kind, the questions do not give away what happens: an error or the end of the game is
/// also asked about if there is none.
#[test]
fn automatic_questions_do_not_give_the_answer_away() {
    let mut kinds = Vec::new();
    let mut session = sample("gridlok");
    handle_line(&mut session, ":predict on");
    for n in 0..24 {
        let line = format!("click{{{},{}}}", n % 3, n / 3 % 3);
        let reply = handle_line(&mut session, &line);
        kinds.extend(question(&reply).map(|q| q.about));
        handle_line(&mut session, "");
        handle_line(&mut session, ":undo");
        let reply = handle_line(&mut session, &format!("{n} * 2"));
        kinds.extend(question(&reply).map(|q| q.about));
        handle_line(&mut session, "");
    }
    assert_eq!(kinds.len(), 48);
    for kind in [
        PredictionKind::Cell,
        PredictionKind::Value,
        PredictionKind::Winner,
        PredictionKind::Error,
    ] {
        assert!(kinds.contains(&kind), "{kinds:?}");
    }
    // The same seed gives the same questions.
    let asked = |seed: u64| {
        let mut session = Session::new(languages::ALL[0], seed);
        gridbug::command::open_sample(&mut session);
        handle_line(&mut session, ":predict on");
        question(&handle_line(&mut session, "click{2,2}")).unwrap()
    };
    assert_eq!(asked(7), asked(7));
}

#[test]
fn commands_work_at_a_question_but_do_not_show_the_future() {
    let mut session = sample("gridlok");
    ask(&mut session, "cell 1,1", "click{1,1}");
    let before = session.target.machine.time();
    for line in [
        ":board",
        ":vars",
        ":state",
        ":help",
        ":list",
        ":predict",
        ":cell 1,1",
    ] {
        let reply = handle_line(&mut session, line);
        assert!(reply.ok, "{line}: {}", reply.text());
        assert!(question(&reply).is_some(), "{line}");
    }
    for line in [
        ":undo",
        ":step winCondition",
        ":print turn",
        ":rounds",
        ":restart",
        ":why not win",
    ] {
        let reply = handle_line(&mut session, line);
        assert!(
            !reply.ok && reply.text().contains("a question is open"),
            "{line}: {}",
            reply.text()
        );
        assert!(question(&reply).is_some(), "{line}");
    }
    assert_eq!(session.target.machine.time(), before);
    assert_eq!(answer(&mut session, "x").0.verdict, Verdict::Right);
    // A question can be dropped together with its line.
    ask(&mut session, "winner", "click{0,0}");
    let reply = handle_line(&mut session, ":abandon");
    assert!(
        reply.text().contains("Not run: click{0,0}"),
        "{}",
        reply.text()
    );
    assert!(handle_line(&mut session, "turnCount").value.is_some());
}

#[test]
fn rounds_shows_only_the_past_while_predicting() {
    let program = "board { dimensions {1, 1} image {b.png} }\ndef total {0}\n\
        fun add() { for i(0, 4) {\n  total {total + i}\n} }\n";
    let rows = |is_on: bool| {
        let mut session = Session::new(languages::ALL[0], 1);
        assert!(gridbug::command::start_session(&mut session, "a.gl", program).ok);
        for line in [":break 4", "add{}", "continue"] {
            handle_line(&mut session, line);
        }
        assert!(session.target.is_stopped());
        if is_on {
            handle_line(&mut session, ":predict on");
        }
        let reply = handle_line(&mut session, ":rounds");
        let tables = parts(&reply).find_map(|part| match part {
            Part::LoopTables(tables) => Some(tables.clone()),
            _ => None,
        });
        tables.expect("a table").tables[0].rows.len()
    };
    assert_eq!(rows(false), 4);
    assert!(rows(true) <= 2, "{}", rows(true));
}

#[test]
fn definitions_wrong_entries_and_the_past_are_not_asked_about() {
    let mut session = sample("gridlok");
    handle_line(&mut session, ":predict on");
    for line in ["def n {1}", "clik{1,1}", ":board", ":break winCondition"] {
        assert_eq!(question(&handle_line(&mut session, line)), None, "{line}");
    }
    // It stops at the breakpoint, before there is a result.
    assert_eq!(question(&handle_line(&mut session, "click{1,1}")), None);
    assert!(session.target.is_stopped());
    assert!(question(&handle_line(&mut session, "step")).is_some());
    handle_line(&mut session, "");
    handle_line(&mut session, "back");
    // The future of a step is known there.
    assert_eq!(question(&handle_line(&mut session, "step")), None);
    handle_line(&mut session, ":predict off");
    assert_eq!(question(&handle_line(&mut session, "step")), None);
}

/// The input of a lesson, with questions.
const LESSON: &str = "# Lamps.\nlanguage gridlok\nseed 1\n\n\
    --- program lamps.gl\nboard { dimensions {1, 2} image {b.png} }\ndef clicks {0}\n\
    piece { name {\"off\"} image {o.png} onClick { clicks {clicks + 1} changeType {\"on\"} } }\n\
    piece { name {\"on\"} image {l.png} onClick { clicks {clicks + 1} changeType {\"off\"} } }\n\
    setup { for r, c in board { place {\"off\", r, c} } }\n--- session\n\n\
    # What does a click do?\n# predict cell 0,0\n> click{0,0}\n\n\
    > click{0,0}\n\n\
    # Predict how often it was clicked.\n# predict value\n> clicks\n\n\
    # predict value clicks\n> click{0,1}\n\n# predict cell 7,7\n> click{0,1}\n";

fn lesson() -> (Session, Rc<MemoryHost>) {
    let host = Rc::new(MemoryHost::new());
    host.set_file("lamps.session", LESSON);
    let mut session = Session::with_host(languages::ALL[0], 1, host.clone());
    assert!(handle_line(&mut session, ":lesson lamps.session").ok);
    (session, host)
}

fn remarks(answer: &Answer) -> String {
    let found = parts(answer).find_map(|part| match part {
        Part::Lesson(progress) => Some(progress.remarks.join(" ")),
        _ => None,
    });
    found.expect("a step of the lesson")
}

#[test]
fn a_lesson_asks_where_it_says_so() {
    let (mut session, _) = lesson();
    assert_eq!(
        remarks(&handle_line(&mut session, ":lesson")),
        "Lamps. What does a click do?"
    );
    let asked = question(&handle_line(&mut session, ":lesson next")).unwrap();
    assert_eq!(asked.text, "What is on [0][0] after `click{0,0}`?");
    let (result, reply) = answer(&mut session, "on");
    assert_eq!((result.verdict, result.step), (Verdict::Right, Some(1)));
    assert_eq!(remarks(&reply), "");
    // No question before the second step.
    let reply = handle_line(&mut session, ":lesson next");
    assert_eq!(question(&reply), None);
    assert_eq!(remarks(&reply), "Predict how often it was clicked.");
    // What the student types in between is not in the lesson.
    handle_line(&mut session, "clicks{50}");
    let reply = handle_line(&mut session, ":lesson next");
    assert!(
        reply.text().contains("Back in the lesson"),
        "{}",
        reply.text()
    );
    assert_eq!(
        question(&reply).unwrap().text,
        "What is the value of `clicks`?"
    );
    let (result, reply) = answer(&mut session, "50");
    assert_eq!(result.right_answer.as_deref(), Some("2"));
    assert!(
        parts(&reply).any(|part| matches!(part, Part::Explanation(_))),
        "{reply:?}"
    );
    // Typing the line of the step asks the question of the step.
    let reply = handle_line(&mut session, "click{0,1}");
    assert_eq!(
        question(&reply).unwrap().text,
        "What is `clicks` after `click{0,1}`?"
    );
    assert_eq!(answer(&mut session, "3").0.step, Some(4));
    // A question that has no answer is not asked, and that is said.
    let reply = handle_line(&mut session, ":lesson next");
    assert_eq!(question(&reply), None);
    let hints = gridbug::render::hint_lines(&reply, gridbug::render::DEFAULT_WIDTH);
    assert!(
        hints.iter().any(|line| line.text().contains("not asked")),
        "{hints:?}"
    );
}

#[test]
fn the_score_has_every_question() {
    let (mut session, _) = lesson();
    for given in ["1", "", "2"] {
        handle_line(&mut session, ":lesson next");
        handle_line(&mut session, given);
    }
    let score = gridbug::protocol::score_to_json(&session, "lamps.session", &[]);
    assert_eq!(score["lesson"], "lamps.session");
    assert_eq!(score["totals"]["questions"], 2);
    assert_eq!(score["totals"]["right"], 1);
    assert_eq!(score["totals"]["wrong"], 1);
    let first = &score["questions"][0];
    assert_eq!(first["about"], "cell");
    assert_eq!(first["answer"], "off");
    assert_eq!(first["right_answer"], "on");
    assert_eq!(first["verdict"], "wrong");
    assert_eq!(first["step"], 1);
}

#[test]
fn session_files_ask_only_where_they_have_an_answer() {
    let (_, host) = lesson();
    let file = SessionFile::parse(LESSON).unwrap();
    let replay = gridbug::command::replay(&file, Path::new(""), host.clone()).unwrap();
    assert_eq!(replay.entries.len(), 6);
    let replies: Vec<_> = replay.entries.iter().map(|e| e.actual.join("\n")).collect();
    assert!(!replies.join("\n").contains("? What"), "{replies:?}");
    // What was answered is saved with the line, and asked again.
    let mut session = Session::with_host(languages::ALL[0], 1, host.clone());
    handle_line(&mut session, ":predict on");
    for line in ["1 + 1", "3", "2 + 2", "4", ":save a"] {
        handle_line(&mut session, line);
    }
    let saved = host.file("a.session").unwrap();
    let lines = "# predict value\n> 1 + 1\n? 3\n  = 2\n\n# predict value\n> 2 + 2\n? 4\n  = 4\n";
    assert!(saved.ends_with(lines), "{saved}");
    let file = SessionFile::parse(&saved).unwrap();
    let replay = gridbug::command::replay(&file, Path::new(""), host).unwrap();
    assert_eq!(replay.mismatches().count(), 0);
    let results = &replay.session.predictions.results;
    assert_eq!(results, &session.predictions.results);
    let verdicts: Vec<Verdict> = results.iter().map(|result| result.verdict).collect();
    assert_eq!(verdicts, [Verdict::Wrong, Verdict::Right]);
}

#[test]
fn an_entry_that_stops_leaves_its_question_undecided() {
    let mut session = sample("gridlok");
    handle_line(&mut session, ":break winCondition");
    ask(&mut session, "winner", "click{1,1}");
    let (result, reply) = answer(&mut session, "x");
    assert_eq!(result.verdict, Verdict::Undecided);
    assert!(reply.stop.is_some());
}

/// What a lesson asks for is asked, even if it cannot be run ahead.
#[test]
fn explicit_questions_are_asked_about_definitions_and_time_travel() {
    let mut session = sample("gridlok");
    handle_line(&mut session, "click{0,0}");
    ask(&mut session, "cell 0,0", ":undo");
    assert_eq!(answer(&mut session, "free").0.verdict, Verdict::Right);
    ask(&mut session, "value n", "def n {3}");
    assert_eq!(answer(&mut session, "4").0.verdict, Verdict::Wrong);
    // Without a kind, there is no question.
    handle_line(&mut session, ":predict on");
    assert_eq!(question(&handle_line(&mut session, ":redo")), None);
}

#[test]
fn requests_that_make_no_sense_are_refused() {
    let mut session = sample("gridlok");
    for line in [":predict everything", ":predict cell 9,9", ":predict cell"] {
        let reply = handle_line(&mut session, line);
        assert!(!reply.ok, "{line}");
    }
}
