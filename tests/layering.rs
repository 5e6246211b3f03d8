//! A room may name only rooms to its left, and each outside crate has one home.
//!
//! In one crate nothing else stops a knot. The order is that of `src/lib.rs`.

use std::path::{Path, PathBuf};

/// From left to right; rooms that share a number must not name each other.
const ROOMS: &[(&str, u32)] = &[
    ("host", 0),
    ("source", 0),
    ("diagnostic", 1),
    ("value", 2),
    ("code", 3),
    ("machine", 4),
    ("language", 4),
    ("languages", 5),
    ("debugger", 6),
    ("session", 7),
    ("command", 8),
    ("terminal", 9),
];

/// Names that do not follow from the numbers: the machine and the debugger know no language.
const NEVER: &[(&str, &str)] = &[
    ("languages", "machine"),
    ("machine", "languages"),
    ("debugger", "languages"),
    ("language", "machine"),
];

const HOMES: &[(&str, &[&str])] = &[
    ("logos", &["languages"]),
    ("lalrpop_util", &["languages"]),
    ("rand", &["machine"]),
    ("serde_json", &["session", "terminal"]),
    ("rustyline", &["terminal"]),
    ("clap", &["terminal", "main"]),
    ("ctrlc", &["terminal"]),
    ("nix", &["host"]),
    ("owo_colors", &["terminal"]),
    ("annotate_snippets", &["terminal"]),
    ("unicode_width", &["terminal"]),
];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// Each source file with its room and its code, without comments.
fn code() -> Vec<(String, String, String)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    files(&src, &mut found);
    let read = |path: PathBuf| {
        let inside = path
            .strip_prefix(&src)
            .unwrap()
            .to_string_lossy()
            .replace('\\', "/");
        let room = inside
            .split('/')
            .next()
            .unwrap()
            .trim_end_matches(".rs")
            .to_string();
        let text = std::fs::read_to_string(&path).unwrap();
        let lines = text.lines().map(|l| l.split("//").next().unwrap_or(""));
        (inside, room, lines.collect::<Vec<_>>().join("\n"))
    };
    found.into_iter().map(read).collect()
}

/// The rooms that a text names, as `crate::room` or in `use crate::{room, …}`.
fn named(text: &str) -> Vec<String> {
    let mut rooms = Vec::new();
    for (at, _) in text.match_indices("crate::") {
        let rest = &text[at + "crate::".len()..];
        // `gridbug_crate::` is another word.
        if text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let word = |t: &str| {
            t.chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect::<String>()
        };
        match rest.strip_prefix('{') {
            Some(list) => {
                let mut depth = 0;
                let mut begins = true;
                for (i, c) in list.char_indices() {
                    if depth == 0 && begins && c.is_alphabetic() {
                        rooms.push(word(&list[i..]));
                        begins = false;
                    }
                    match c {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => begins = true,
                        _ => {}
                    }
                }
            }
            None => rooms.push(word(rest)),
        }
    }
    rooms
}

#[test]
fn rooms_name_only_rooms_to_their_left() {
    let place = |room: &str| {
        ROOMS
            .iter()
            .find(|(name, _)| *name == room)
            .map(|(_, n)| *n)
    };
    let mut wrong = Vec::new();
    for (file, room, text) in code() {
        // The drawing of the house and the door name every room.
        let Some(mine) = place(&room) else { continue };
        for other in named(&text) {
            let Some(theirs) = place(&other) else {
                continue;
            };
            let never = NEVER.contains(&(room.as_str(), other.as_str()));
            if other != room && (theirs >= mine || never) {
                wrong.push(format!("src/{file} names {other}"));
            }
        }
    }
    wrong.dedup();
    assert!(
        wrong.is_empty(),
        "rooms to their right are named:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn every_room_is_in_the_order() {
    for (file, room, _) in code() {
        let known =
            ROOMS.iter().any(|(name, _)| *name == room) || ["lib", "main"].contains(&room.as_str());
        assert!(known, "src/{file} is in no room of tests/layering.rs");
    }
}

#[test]
fn each_outside_crate_has_its_home() {
    let mut wrong = Vec::new();
    for (file, room, text) in code() {
        for (name, homes) in HOMES {
            let used = text.match_indices(&format!("{name}::")).any(|(at, _)| {
                !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':')
            });
            if used && !homes.contains(&room.as_str()) {
                wrong.push(format!(
                    "src/{file} uses {name}, which lives in {}",
                    homes.join(" and ")
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_the_terminal_prints() {
    for (file, room, text) in code() {
        let prints = [
            "print!(",
            "println!(",
            "eprint!(",
            "eprintln!(",
            "stdout()",
            "stderr()",
            "stdin()",
        ];
        for word in prints {
            let allowed = ["terminal", "main"].contains(&room.as_str())
                || room == "host" && word == "stdin()";
            assert!(!text.contains(word) || allowed, "src/{file} has {word}");
        }
    }
}

/// Windows and macOS are kept possible: what only one system has is in one room, and tells the others apart there.
#[test]
fn what_only_one_system_has_is_in_one_room() {
    let words = [
        "std::os::",
        "os::fd",
        "os::unix",
        "os::windows",
        "cfg(unix",
        "cfg(windows",
        "cfg(target_os",
        "cfg!(unix",
        "cfg!(windows",
        "nix::",
        "libc",
        "termios",
        "/dev/",
        "/tmp",
        "/proc",
        "/etc",
        "SIGINT",
        "SIGHUP",
    ];
    for (file, room, text) in code() {
        for word in words {
            assert!(
                !text.contains(word) || room == "host",
                "src/{file} has {word}, which belongs in src/host"
            );
        }
    }
    // And all that the unix half offers, the other half does, too.
    let half = |name: &str| {
        let found = code()
            .into_iter()
            .find(|(file, ..)| file == name)
            .expect("the file is there")
            .2;
        let offered = |l: &str| {
            l.starts_with("pub ")
                .then(|| l.split(['(', '{']).next().unwrap_or("").to_string())
        };
        found.lines().filter_map(offered).collect::<Vec<_>>()
    };
    assert_eq!(half("host/unix.rs"), half("host/fallback.rs"));
}

#[test]
fn every_file_says_why_it_is_there() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    files(&src, &mut found);
    for path in found {
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(
            text.starts_with("//!"),
            "{} does not begin with `//!`",
            path.display()
        );
    }
}
