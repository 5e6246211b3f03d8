//! The examples of `:help`: each of them works in some ordinary situation, in every language.

use crate::protocol::valid_json;
use crate::test_session::native_host;
use gridbug::command::{Topic, all, example, handle_line, open_game};
use gridbug::languages::by_name;
use gridbug::session::{Session, to_plain_text};
use std::path::Path;

/// GridLok's sample game, loaded from a file in the current directory, after some moves, breakpoints
/// and these lines.
fn after(lines: &[&str]) -> Session {
    let mut session = Session::with_host(
        by_name("gridlok").expect("a language of that name"),
        1,
        native_host(),
    );
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

/// Ordinary situations in which the examples are tried.
const SITUATIONS: &[&[&str]] = &[
    &[
        ":break on error",
        "def people {0}",
        "print {6 / people}",
        "people {2}",
    ],
    &[],
    &[":undo"],
    &["click{2,0}"],
    &["click{2,0}", "step", "step", "back"],
    &["click{2,0}", "continue"],
    &["click{2,0}", "step", "continue", "step"],
    &[":delete", ":step winCondition", "step", "step"],
];

#[test]
fn every_example_works_in_gridlok() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("help");
    std::fs::create_dir_all(&folder).unwrap();
    // Some examples use files in the current directory.
    std::env::set_current_dir(&folder).unwrap();
    for file in ["lesson.session", "game.gl"] {
        let _ = std::fs::remove_file(file);
    }
    std::fs::write(
        "mines.gl",
        by_name("gridlok")
            .expect("a language of that name")
            .info()
            .sample,
    )
    .unwrap();
    assert!(handle_line(&mut after(&[]), ":save lesson.session").ok);
    let mut failures = Vec::new();
    for command in all() {
        let mut replies = Vec::new();
        let works = SITUATIONS.iter().any(|lines| {
            let mut session = after(lines);
            let reply = handle_line(&mut session, command.example);
            valid_json(&session, &reply);
            replies.push(to_plain_text(&session, &reply).join("\n"));
            reply.ok && reply.diagnostics.is_empty()
        });
        let mut sgl2d = Session::with_host(
            by_name("sgl2d").expect("a language of that name"),
            1,
            native_host(),
        );
        gridbug::command::open_sample(&mut sgl2d);
        if !works && !handle_line(&mut sgl2d, command.example).ok {
            failures.push(format!(
                "{}: {}\n{}",
                command.name,
                command.example,
                replies.join("\n--\n")
            ));
        }
        let word = command
            .example
            .trim_start_matches(':')
            .split(' ')
            .next()
            .unwrap_or("");
        let is_own_example = command.name == word || command.aliases.contains(&word);
        assert!(
            is_own_example,
            "the example of {} uses another command: {}",
            command.name, command.example
        );
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// Language, file name of its sample game, and situations in which the examples are tried.
const OTHER_LANGUAGES: &[(&str, &str, &[&[&str]])] = &[
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

/// The lines that `:help language` shows make a small game when typed in order.
#[test]
fn syntax_examples_can_be_typed_in_order() {
    for language in gridbug::languages::ALL {
        let info = language.info();
        let mut session = Session::with_host(*language, 1, native_host());
        let page = submit(&mut session, ":help language").1;
        for (code, description) in info.guide.syntax_examples {
            assert!(
                page.contains(code) && page.contains(description),
                "{code}: {page}"
            );
            let line = page
                .lines()
                .find(|l| l.trim_start().starts_with(code))
                .unwrap_or_default();
            assert!(line.chars().count() <= 80, "{line}");
            let (reply, text) = submit(&mut session, code);
            assert!(
                reply.ok && reply.diagnostics.is_empty(),
                "{}: {code}\n{text}",
                info.title
            );
        }
        assert!(info.guide.syntax_examples.len() >= 6, "{}", info.title);
    }
}

fn submit(session: &mut Session, typed: &str) -> (gridbug::session::Answer, String) {
    let reply = handle_line(session, typed);
    let text = to_plain_text(session, &reply).join("\n");
    (reply, text)
}

#[test]
fn every_example_works_in_the_other_languages() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("help-of-all");
    std::fs::create_dir_all(&folder).unwrap();
    let file = |name: &str| folder.join(name).display().to_string();
    let mut failures = Vec::new();
    for (language, game, situations) in OTHER_LANGUAGES {
        let sample = by_name(language)
            .expect("a language of that name")
            .info()
            .sample;
        std::fs::write(file(game), sample).unwrap();
        let after = |lines: &[&str]| {
            let mut session = Session::with_host(
                by_name(language).expect("a language of that name"),
                1,
                native_host(),
            );
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
        for command in all().filter(|c| {
            !matches!(
                c.name,
                "edit" | "save" | "record" | "play" | "resume" | "retry"
            )
        }) {
            // Only BoGL's sample game has a loop, and TinyGame has neither calls nor moves.
            let (has_loops, has_calls) = (*language == "bogl", *language != "tinygame");
            match command.name {
                _ if !has_calls && command.topic == Topic::Exploring => continue,
                // The games of BoGL are expressions, without players and endings.
                "solve" | "hint" | "opponent" if *language == "bogl" => continue,
                // SGL2D has one player.
                "opponent" if *language == "sgl2d" => continue,
                // BoGL has no variables, and the sample game of GridLang has none with a start value.
                "vary" if matches!(*language, "bogl" | "gridlang") => continue,
                "iter" | "rounds" if !has_loops => continue,
                "reverse-finish" | "frame" | "up" | "down" if !has_calls => continue,
                _ => {}
            }
            let mut replies = Vec::new();
            let works = situations.iter().any(|lines| {
                let mut session = after(lines);
                // The files of the examples are in the test's directory.
                let line = example(&session, command.name);
                let line = line
                    .replace(game, &file(game))
                    .replace("lesson.session", &file("lesson.session"));
                let reply = handle_line(&mut session, &line);
                valid_json(&session, &reply);
                replies.push(to_plain_text(&session, &reply).join("\n"));
                reply.ok && reply.diagnostics.is_empty()
            });
            if !works {
                let line = example(&after(&[]), command.name);
                failures.push(format!(
                    "{language}, {}: {line}\n{}",
                    command.name,
                    replies.join("\n--\n")
                ));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// `:help` explains every word that a program of the language can contain, and every event.
#[test]
fn every_keyword_builtin_and_event_has_help() {
    for language in gridbug::languages::ALL {
        let info = language.info();
        let mut session = Session::with_host(*language, 1, native_host());
        let builtins = info.builtins.iter().map(|(name, _)| *name);
        let words = info.keywords.iter().copied().chain(builtins);
        for word in words.chain(info.events.iter().copied()) {
            let word = word.trim_start_matches('.').trim_end_matches('=');
            let (reply, text) = submit(&mut session, &format!(":help {word}"));
            let names_it = text.lines().any(|line| {
                let name = line.split_whitespace().next().unwrap_or("");
                name.trim_start_matches('.').trim_end_matches('=') == word
            });
            assert!(reply.ok && names_it, "{}: {word}: {text}", info.title);
        }
        for (word, help) in info.guide.word_help {
            let is_word = info.keywords.contains(word) && !help.is_empty();
            assert!(is_word, "{}: {word} is not a keyword", info.title);
        }
    }
}

#[test]
fn help_shows_ten_commands_and_how_to_see_the_rest() {
    for language in gridbug::languages::ALL {
        let mut session = Session::with_host(*language, 1, native_host());
        let (_, text) = submit(&mut session, ":help");
        let commands = text.lines().filter(|l| l.starts_with("  :"));
        assert!((8..=10).contains(&commands.count()), "{text}");
        assert!(text.lines().all(|l| l.chars().count() <= 80), "{text}");
        // Each command that it names exists, and so does all other help.
        for word in text.split_whitespace().filter_map(|w| w.strip_prefix(':')) {
            let name: String = word.chars().take_while(|c| c.is_alphabetic()).collect();
            let mut own = language.info().commands.iter();
            let is_own = own.any(|(command, ..)| *command == name);
            assert!(is_own || gridbug::command::find(&name).is_ok(), "{name}");
        }
        let text = text.replace('\n', " ");
        for line in text.split(":help ").skip(1) {
            let name = line.split([',', '.', '(']).next().unwrap_or("").trim();
            let (reply, text) = submit(&mut session, &format!(":help {name}"));
            assert!(reply.ok, "{name}: {text}");
        }
        for word in ["time", "session", "dry run", "event", "mark"] {
            let (reply, text) = submit(&mut session, &format!(":help {word}"));
            assert!(reply.ok && text.contains(word), "{word}: {text}");
        }
    }
}

#[test]
fn usages_and_options_fit_into_80_columns() {
    let language = gridbug::languages::by_name("bogl").unwrap();
    let mut session = Session::new(language, 1);
    let mut shown = |line: &str| {
        let reply = handle_line(&mut session, line);
        to_plain_text(&session, &reply)
    };
    for topic in ["exploring", "breakpoints", "inspecting"] {
        let lines = shown(&format!(":help {topic}"));
        for line in &lines {
            let is_usage = line.starts_with("  :") || line.contains("e.g. :");
            assert!(!is_usage || line.chars().count() <= 80, "{line}");
        }
        // An example is never torn from its label.
        assert!(lines.iter().all(|line| !line.trim_end().ends_with("e.g.")));
    }
    let find = shown(":help find");
    for option in [
        "within N",
        "for P",
        "count N",
        "inputs A..B",
        "ignoring X",
        "turn E",
        "in GAME",
    ] {
        let row = find
            .iter()
            .find(|line| line.starts_with(&format!("      {option} ")));
        assert!(
            row.is_some_and(|row| row.chars().count() <= 80),
            "{option}: {find:?}"
        );
    }
    let opponent = shown(":help opponent");
    for option in ["P", "random", "LEVEL", "perfect", "SECONDS", "turn E"] {
        let row = opponent
            .iter()
            .find(|line| line.starts_with(&format!("      {option} ")));
        assert!(
            row.is_some_and(|row| row.chars().count() <= 80),
            "{option}: {opponent:?}"
        );
    }
}
