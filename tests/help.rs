//! Promise: every example in the help can be typed, in some situation that a person comes into.

use gridbug::command::{all, exchange, open};
use gridbug::languages::named;
use gridbug::session::{Session, told};
use std::path::Path;

/// A session of GridLok's own first game, from a file in the folder at hand, after these lines.
fn after(lines: &[&str]) -> Session {
    let mut session = Session::new(named("gridlok").expect("a language of that name"), 1);
    assert!(open(&mut session, "mines.gl").ok);
    let played =
        ["click{1,1}", ":mark before", "click{0,0}", "click{2,2}", "click{0,2}", ":break onClick", ":break mine"];
    for line in played.iter().chain(lines) {
        let reply = exchange(&mut session, line);
        assert!(reply.ok, "{line}: {}", told(&session, &reply).join("\n"));
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
    std::fs::write("mines.gl", named("gridlok").expect("a language of that name").about().sample).unwrap();
    assert!(exchange(&mut after(&[]), ":save lesson.session").ok);
    let mut wrong = Vec::new();
    for command in all() {
        let mut answers = Vec::new();
        let fine = SITUATIONS.iter().any(|lines| {
            let mut session = after(lines);
            let reply = exchange(&mut session, command.example);
            answers.push(told(&session, &reply).join("\n"));
            reply.ok && reply.diagnostics.is_empty()
        });
        let mut keys = Session::new(named("sgl2d").expect("a language of that name"), 1);
        gridbug::command::open_sample(&mut keys);
        if !fine && !exchange(&mut keys, command.example).ok {
            wrong.push(format!("{}: {}\n{}", command.name, command.example, answers.join("\n--\n")));
        }
        let word = command.example.trim_start_matches(':').split(' ').next().unwrap_or("");
        let named = command.name == word || command.aliases.contains(&word);
        assert!(named, "the example of {} is of another command: {}", command.name, command.example);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
