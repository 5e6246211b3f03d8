//! Promise: every example in the help can be typed, in some situation that a person comes into.

use gridbug::command::{all, example, handle_line, open_game};
use gridbug::languages::by_name;
use gridbug::session::{Session, to_plain_text};
use std::path::Path;

/// A session of GridLok's own first game, from a file in the folder at hand, after these lines.
fn after(lines: &[&str]) -> Session {
    let mut session = Session::new(by_name("gridlok").expect("a language of that name"), 1);
    assert!(open_game(&mut session, "mines.gl").ok);
    let played = [
        "click{1,1}",
        ":mark before",
        "click{0,0}",
        "click{2,2}",
        "click{0,2}",
        ":break onClick",
        ":break mine",
    ];
    for line in played.iter().chain(lines) {
        let reply = handle_line(&mut session, line);
        assert!(
            reply.ok,
            "{line}: {}",
            to_plain_text(&session, &reply).join("\n")
        );
    }
    session
}

/// What a person may be doing when the help is read.
const SITUATIONS: &[&[&str]] = &[
    &[],
    &[":undo"],
    &["click{2,0}"],
    &["click{2,0}", "step", "step", "back"],
    &["click{2,0}", "continue"],
    &["click{2,0}", "step", "continue", "step"],
    &[":delete", ":step winCondition", "step", "step"],
];

#[test]
fn every_example_of_the_help_can_be_typed() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("help");
    std::fs::create_dir_all(&folder).unwrap();
    // Some examples name files.
    std::env::set_current_dir(&folder).unwrap();
    let _ = std::fs::remove_file("lesson.session");
    std::fs::write(
        "mines.gl",
        by_name("gridlok")
            .expect("a language of that name")
            .info()
            .sample,
    )
    .unwrap();
    assert!(handle_line(&mut after(&[]), ":save lesson.session").ok);
    let mut wrong = Vec::new();
    for command in all() {
        let mut answers = Vec::new();
        let fine = SITUATIONS.iter().any(|lines| {
            let mut session = after(lines);
            let reply = handle_line(&mut session, command.example);
            answers.push(to_plain_text(&session, &reply).join("\n"));
            reply.ok && reply.diagnostics.is_empty()
        });
        let mut keys = Session::new(by_name("sgl2d").expect("a language of that name"), 1);
        gridbug::command::open_sample(&mut keys);
        if !fine && !handle_line(&mut keys, command.example).ok {
            wrong.push(format!(
                "{}: {}\n{}",
                command.name,
                command.example,
                answers.join("\n--\n")
            ));
        }
        let word = command
            .example
            .trim_start_matches(':')
            .split(' ')
            .next()
            .unwrap_or("");
        let named = command.name == word || command.aliases.contains(&word);
        assert!(
            named,
            "the example of {} is of another command: {}",
            command.name, command.example
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// What a person may be doing in the first game of each other language when the help is read.
const ELSEWHERE: &[(&str, &str, &[&[&str]])] = &[
    (
        "bogl",
        "stones.bgl",
        &[
            &[
                "take(3, start)",
                ":mark before",
                ":break take",
                ":break left",
            ],
            &[
                ":break take",
                ":break left",
                "take(2, start)",
                "step",
                "step",
                "back",
            ],
            &[
                ":break take",
                "take(2, start)",
                "step",
                "watch n",
                "continue",
            ],
            &[":break take", "take(2, start)", "up"],
            &["let b = take(1, start)", "let c = take(2, start)", ":undo"],
            &["let b = take(1, start)", "let c = take(2, start)"],
        ],
    ),
    (
        "gridlang",
        "race.grid",
        &[
            &[
                ":turn",
                ":mark before",
                ":turn",
                ":turn",
                ":break gameLoop",
                ":break checkGameEnd",
            ],
            &[":turn", ":turn", ":undo"],
            &[
                ":turn",
                ":break gameLoop",
                ":break checkGameEnd",
                ":turn",
                "step",
                "step",
                "back",
            ],
            &[":turn", ":break gameLoop", ":turn"],
            &[":turn", ":break gameLoop", ":turn", "up"],
            &[":break colocation", ":step checkGameEnd"],
        ],
    ),
    (
        "tinygame",
        "valley.tg",
        &[
            &[
                "move knight right 1",
                ":mark before",
                "move knight up 1",
                ":break 22",
                ":break 25",
            ],
            &["move knight right 1", "move knight up 1", ":undo"],
            &[":break 22", ":break 25", ":restart", "step", "step", "back"],
            &[":break 22", ":restart"],
        ],
    ),
    (
        "sgl2d",
        "garden.sgl2d",
        &[
            &[
                "right",
                ":mark before",
                "up",
                ":break event player",
                ":break goal",
            ],
            &["right", "up", ":undo"],
            &[
                "right",
                "up",
                ":break event player",
                ":break goal",
                "up",
                "step",
                "step",
                "back",
            ],
            &["right", ":break event player", "up"],
            &["right", ":break event player", "up", ":up"],
        ],
    ),
];

/// What `:help language` shows makes a small game, line by line.
#[test]
fn what_is_written_in_each_language_can_be_typed_in_that_order() {
    for language in gridbug::languages::ALL {
        let about = language.info();
        let mut session = Session::new(*language, 1);
        let page = told_of(&mut session, ":help language").1;
        for (form, words) in about.guide.syntax_examples {
            assert!(
                page.contains(form) && page.contains(words),
                "{form}: {page}"
            );
            let line = page
                .lines()
                .find(|l| l.trim_start().starts_with(form))
                .unwrap_or_default();
            assert!(line.chars().count() <= 80, "{line}");
            let (reply, answer) = told_of(&mut session, form);
            assert!(
                reply.ok && reply.diagnostics.is_empty(),
                "{}: {form}\n{answer}",
                about.title
            );
        }
        assert!(about.guide.syntax_examples.len() >= 6, "{}", about.title);
    }
}

fn told_of(session: &mut Session, typed: &str) -> (gridbug::session::Reply, String) {
    let reply = handle_line(session, typed);
    let text = to_plain_text(session, &reply).join("\n");
    (reply, text)
}

#[test]
fn every_example_of_the_help_can_be_typed_in_every_language() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("help-of-all");
    std::fs::create_dir_all(&folder).unwrap();
    let file = |name: &str| folder.join(name).display().to_string();
    let mut wrong = Vec::new();
    for (language, game, situations) in ELSEWHERE {
        let sample = by_name(language)
            .expect("a language of that name")
            .info()
            .sample;
        std::fs::write(file(game), sample).unwrap();
        let after = |lines: &[&str]| {
            let mut session = Session::new(by_name(language).expect("a language of that name"), 1);
            assert!(open_game(&mut session, &file(game)).ok);
            for line in lines {
                let reply = handle_line(&mut session, line);
                assert!(
                    reply.ok,
                    "{language}, {line}: {}",
                    to_plain_text(&session, &reply).join("\n")
                );
            }
            session
        };
        assert!(
            handle_line(
                &mut after(situations[0]),
                &format!(":save {}", file("lesson.session"))
            )
            .ok
        );
        for command in
            all().filter(|c| !matches!(c.name, "edit" | "save" | "record" | "play" | "resume"))
        {
            // Not every game has loops, and what is written in TinyGame calls nothing.
            let (loops, calls) = (*language == "bogl", *language != "tinygame");
            match command.name {
                "iter" | "rounds" if !loops => continue,
                "reverse-finish" | "frame" | "up" | "down" if !calls => continue,
                _ => {}
            }
            let mut answers = Vec::new();
            let fine = situations.iter().any(|lines| {
                let mut session = after(lines);
                // Files lie in a folder of their own.
                let line = example(&session, command.name);
                let line = line
                    .replace(game, &file(game))
                    .replace("lesson.session", &file("lesson.session"));
                let reply = handle_line(&mut session, &line);
                answers.push(to_plain_text(&session, &reply).join("\n"));
                reply.ok && reply.diagnostics.is_empty()
            });
            if !fine {
                let line = example(&after(&[]), command.name);
                wrong.push(format!(
                    "{language}, {}: {line}\n{}",
                    command.name,
                    answers.join("\n--\n")
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
