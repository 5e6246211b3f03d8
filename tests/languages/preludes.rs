//! BoGL preludes: files without a `game` line, whose definitions games use.

use gridbug::command::replay;
use gridbug::command::{handle_line, open_game, open_preludes};
use gridbug::host::MemoryHost;
use gridbug::languages;
use gridbug::session::session_file::{PreludeRef, SessionFile};
use gridbug::session::{Session, to_plain_text};
use std::path::Path;
use std::rc::Rc;

const LIB: &str = "-- Players.
type Player = {X, O}

-- Whose turn is next.
next : Player -> Player
next(p) = if p == X then O else X

middle : Board -> Board
middle(b) = place(next(O), b, (2,2))
";

const GAME: &str = "game Two

type Board = Array (3,3) of Player & {Empty}

start : Board
start!(x,y) = Empty

-- Three in a row would be better.
played : Board
played = middle(start)
";

fn host(files: &[(&str, &str)]) -> Rc<MemoryHost> {
    let host = MemoryHost::new();
    for (name, text) in [("lib.bgl", LIB), ("game.bgl", GAME)].iter().chain(files) {
        host.set_file(name, text);
    }
    Rc::new(host)
}

fn bogl(host: Rc<MemoryHost>) -> Session {
    Session::with_host(languages::by_name("bogl").unwrap(), 1, host)
}

/// A session that starts with the prelude and the game.
fn open(host: Rc<MemoryHost>) -> Session {
    let mut session = bogl(host);
    assert!(open_preludes(&mut session, &["lib.bgl".into()]).ok);
    let reply = open_game(&mut session, "game.bgl");
    assert!(reply.ok, "{:?}", reply.diagnostics);
    session
}

fn reply(session: &mut Session, line: &str) -> String {
    let reply = handle_line(session, line);
    to_plain_text(session, &reply).join("\n")
}

fn expect(session: &mut Session, line: &str, texts: &[&str]) {
    let found = reply(session, line);
    for text in texts {
        assert!(found.contains(text), "{line}: {text}\n{found}");
    }
}

fn file(session: &Session, path: &str) -> String {
    String::from_utf8(session.host().read(path, u64::MAX).unwrap()).unwrap()
}

#[test]
fn a_game_uses_the_types_and_functions_of_its_prelude() {
    let mut session = open(host(&[]));
    expect(&mut session, "next(X)", &["= O"]);
    expect(&mut session, "played!(2,2)", &["= X"]);
    expect(&mut session, ":list", &["lib.bgl:5", "game.bgl:5"]);
    expect(&mut session, ":list next", &["next(p) = if p == X"]);
    let program = reply(&mut session, ":program");
    assert!(program.contains("uses lib.bgl"), "{program}");
    assert!(!program.contains("Whose turn"), "{program}");
}

#[test]
fn the_debugger_stops_in_a_prelude_and_names_its_file() {
    let mut session = open(host(&[]));
    expect(&mut session, ":break lib.bgl:6", &["break lib.bgl:6"]);
    expect(&mut session, "played", &["in next, lib.bgl, line 6"]);
    let frames = ["lib.bgl:6", "lib.bgl:9", "game.bgl:10", "entry 1:1"];
    expect(&mut session, ":where", &frames);
    expect(&mut session, "back", &["in middle, lib.bgl, line 9"]);
}

/// As on BoGL's own site, where a name of the prelude cannot be defined again.
#[test]
fn what_a_prelude_defines_the_game_cannot_define() {
    let game = "game G\ntype Player = {A}\nnext : Int -> Int\nnext(n) = n + 1\n";
    let mut session = bogl(host(&[("dup.bgl", game)]));
    assert!(open_preludes(&mut session, &["lib.bgl".into()]).ok);
    let reply = open_game(&mut session, "dup.bgl");
    let errors = to_plain_text(&session, &reply).join("\n");
    for error in [
        "error BG023 at dup.bgl:2:6: duplicate definition of type `Player`",
        "error BG021 at dup.bgl:3:1: duplicate definition of `next`",
    ] {
        assert!(errors.contains(error), "{errors}");
    }
    let related = reply.diagnostics.iter().flat_map(|d| &d.related);
    let lines: Vec<u32> = related
        .filter_map(|(span, _)| {
            let source = session.target.sources.get(span.source)?;
            (source.origin.to_string() == "lib.bgl").then(|| source.line_number(span.start))
        })
        .collect();
    assert_eq!(lines, [2, 5]);
}

#[test]
fn errors_in_a_prelude_name_its_file() {
    for (prelude, error) in [
        (
            "f : Int -> Int\nf(x) = x +\n",
            "error BG004 at bad.bgl:2:11",
        ),
        ("f : Nope -> Int\nf(x) = 1\n", "error BG024 at bad.bgl:1:5"),
        (
            "f : Int -> Int\nf(x) = x + True\n",
            "error BG046 at bad.bgl:2:12",
        ),
        ("f(x) = 1\n", "error BG020 at bad.bgl:1:1"),
        (
            "game G\nx : Int\nx = 1\n",
            "error BG003 at bad.bgl:1:1: a prelude cannot have a `game` line",
        ),
    ] {
        let host = host(&[("bad.bgl", prelude), ("g.bgl", "game G\n")]);
        let mut session = bogl(host);
        let mut reply = open_preludes(&mut session, &["bad.bgl".into()]);
        if reply.ok {
            // The game could still define a board with which it is right.
            reply = open_game(&mut session, "g.bgl");
        }
        assert!(!reply.ok, "{prelude}");
        let text = to_plain_text(&session, &reply).join("\n");
        assert!(text.contains(error), "{text}");
    }
}

/// The board belongs to the game, and so may functions that the prelude calls. Types do not: the
/// prelude is read first.
#[test]
fn a_prelude_uses_the_board_and_the_functions_of_the_game_but_not_its_types() {
    let lib = "corner : Board -> Int\ncorner(b) = b!(2,2) + bonus(1)\n";
    let game = "game G\ntype Board = Array (2,2) of Int\n\
                bonus : Int -> Int\nbonus(x) = x * 10\n\
                start : Board\nstart!(x,y) = 5\n";
    let typed = "type Kind = {A}\nkind : Color -> Kind\nkind(c) = A\n";
    let colors = "game H\ntype Color = {Red}\n";
    let files = [
        ("corner.bgl", lib),
        ("g.bgl", game),
        ("kind.bgl", typed),
        ("h.bgl", colors),
    ];
    for prelude_first in [true, false] {
        let mut session = bogl(host(&files));
        let (first, second) = match prelude_first {
            true => (":load corner.bgl", ":load g.bgl"),
            false => (":load g.bgl", ":load corner.bgl"),
        };
        assert!(handle_line(&mut session, first).ok);
        assert!(handle_line(&mut session, second).ok);
        expect(&mut session, "corner(start)", &["= 15"]);
        let mut session = bogl(host(&files));
        assert!(prelude_first || handle_line(&mut session, ":load h.bgl").ok);
        let error = "error BG024 at kind.bgl:2:8: unknown type `Color`";
        expect(&mut session, ":load kind.bgl", &[error]);
    }
}

#[test]
fn loading_a_file_without_a_game_adds_its_definitions_to_the_running_game() {
    let game = "game G\ntype Board = Array (2,2) of Int\nstart : Board\nstart!(x,y) = 0\n";
    let lib = "add : (Int, Int) -> Int\nadd(a, b) = a + b\n";
    let mut session = bogl(host(&[("g.bgl", game), ("add.bgl", lib)]));
    assert!(open_game(&mut session, "g.bgl").ok);
    expect(
        &mut session,
        "let b = place(3, start, (1,1))",
        &["b : Board"],
    );
    expect(&mut session, ":load add.bgl", &["added add.bgl: add"]);
    expect(&mut session, "add(b!(1,1), 4)", &["= 7"]);
    expect(&mut session, ":undo", &["undone: :load add.bgl"]);
    expect(&mut session, "add(1, 2)", &["unknown function `add`"]);
    expect(&mut session, ":redo", &["redone: :load add.bgl"]);
    expect(&mut session, ":restart", &[]);
    expect(&mut session, "add(1, 2)", &["= 3"]);
    // Nothing of it belongs to the game.
    assert_eq!(session.unsaved_count(), 1, "only `b`");
}

#[test]
fn a_loaded_prelude_replaces_what_was_typed_but_not_what_a_file_defines() {
    let lib = "one : Int\none = 1\n";
    let other = "one : Int\none = 2\n";
    let game = "game G\none : Int\none = 3\n";
    let mut session = bogl(host(&[
        ("lib1.bgl", lib),
        ("lib2.bgl", other),
        ("g.bgl", game),
    ]));
    assert!(handle_line(&mut session, "one : Int\none = 0").ok);
    expect(&mut session, ":load lib1.bgl", &["added lib1.bgl: one"]);
    expect(&mut session, "one", &["= 1"]);
    let error = "duplicate definition of `one`";
    let at = |file: &str| format!("error BG021 at {file}:1:1: {error}");
    let twice = reply(&mut session, ":load lib2.bgl");
    assert_eq!(twice, at("lib2.bgl"));
    let mut session = bogl(host(&[("lib1.bgl", lib), ("g.bgl", game)]));
    assert!(handle_line(&mut session, ":load g.bgl").ok);
    assert_eq!(reply(&mut session, ":load lib1.bgl"), at("lib1.bgl"));
    expect(&mut session, "one", &["= 3"]);
}

#[test]
fn a_new_game_keeps_the_preludes() {
    let other = "game Other\ntype Board = Array (2,2) of Player\nfirst : Player\nfirst = next(O)\n";
    let mut session = open(host(&[("other.bgl", other)]));
    assert!(handle_line(&mut session, ":load other.bgl").ok);
    expect(&mut session, "first", &["= X"]);
    let pasted = "game Pasted\ntype Board = Array (2,2) of Player\nlast : Player\nlast = next(X)";
    expect(&mut session, pasted, &["started game Pasted"]);
    expect(&mut session, "last", &["= O"]);
}

#[test]
fn a_prelude_without_a_game_is_added_to_a_session_of_another_language() {
    let mut session = Session::with_host(languages::by_name("gridlok").unwrap(), 1, host(&[]));
    expect(
        &mut session,
        ":load lib.bgl",
        &["This session is now in BoGL"],
    );
    expect(&mut session, "next(O)", &["= X"]);
}

#[test]
fn saving_keeps_the_game_and_the_prelude_apart() {
    let mut session = open(host(&[]));
    assert!(handle_line(&mut session, "next(p) = O").ok);
    assert!(handle_line(&mut session, "two : Int\ntwo = 2").ok);
    assert_eq!(session.unsaved_count(), 2);
    let saved = reply(&mut session, ":save");
    assert_eq!(
        saved,
        "saved the program as game.bgl (13 lines); `gridbug --prelude lib.bgl game.bgl` opens it\n\
         `gridbug run` also needs a value named `result`, e.g. `result : Int` and `result = 1`\n\
         Not in it: `next` of lib.bgl; `:save lib.bgl` writes that file"
    );
    assert_eq!(
        file(&session, "game.bgl"),
        format!("{GAME}\ntwo : Int\ntwo = 2\n")
    );
    assert_eq!(file(&session, "lib.bgl"), LIB);
    assert_eq!(session.unsaved_count(), 1);
    let saved = reply(&mut session, ":save lib.bgl");
    assert_eq!(saved, "saved the prelude as lib.bgl (9 lines)");
    let new_lib = LIB.replace("next(p) = if p == X then O else X", "next(p) = O");
    assert_eq!(file(&session, "lib.bgl"), new_lib);
    assert_eq!(session.unsaved_count(), 0);
    // The saved files make the same program.
    expect(&mut session, ":reload", &["reloaded game.bgl"]);
    expect(&mut session, "next(X)", &["= O"]);
    expect(&mut session, "two", &["= 2"]);
}

#[test]
fn a_prelude_that_changed_on_disk_is_not_overwritten() {
    let host = host(&[]);
    let mut session = open(host.clone());
    assert!(handle_line(&mut session, "next(p) = O").ok);
    host.set_file("lib.bgl", "type Player = {X, O}\n");
    let error = "lib.bgl has changed on disk since it was loaded or saved";
    expect(&mut session, ":save lib.bgl", &[error]);
}

#[test]
fn reload_reads_the_game_and_its_preludes_again() {
    let host = host(&[]);
    let mut session = open(host.clone());
    expect(&mut session, "played!(2,2)", &["= X"]);
    host.set_file("lib.bgl", &LIB.replace("next(O)", "next(X)"));
    let differs = ["reloaded game.bgl; replayed 1 entry", "- = X", "+ = O"];
    expect(&mut session, ":reload", &differs);
    // The same for one that is loaded again.
    host.set_file("lib.bgl", LIB);
    expect(&mut session, ":load lib.bgl", &["- = O", "+ = X"]);
    // An error leaves everything as it is.
    host.set_file("lib.bgl", "type Player = {X\n");
    expect(
        &mut session,
        ":reload",
        &["at lib.bgl:", "Nothing was changed"],
    );
    expect(&mut session, "played!(2,2)", &["= X"]);
}

#[test]
fn reload_without_a_game_reads_the_preludes_again() {
    let host = host(&[]);
    let mut session = bogl(host.clone());
    assert!(handle_line(&mut session, ":load lib.bgl").ok);
    expect(&mut session, "next(X)", &["= O"]);
    host.set_file("lib.bgl", &LIB.replace("then O else X", "then X else X"));
    expect(
        &mut session,
        ":reload",
        &["reloaded lib.bgl", "- = O", "+ = X"],
    );
}

#[test]
fn a_session_file_contains_the_preludes() {
    let mut session = open(host(&[("more.bgl", "three : Int\nthree = 3\n")]));
    expect(&mut session, "next(X)", &["= O"]);
    expect(&mut session, ":load more.bgl", &["added more.bgl: three"]);
    expect(&mut session, "three", &["= 3"]);
    expect(
        &mut session,
        ":save all.session",
        &["saved all.session: 3 entries"],
    );
    let text = file(&session, "all.session");
    let saved = SessionFile::parse(&text).unwrap();
    let lib = PreludeRef {
        name: "lib.bgl".into(),
        text: Some(LIB.into()),
    };
    assert_eq!(saved.preludes, [lib]);
    assert_eq!(saved.to_text(), text);
    // It needs no other file.
    let replayed = replay(&saved, Path::new(""), Rc::new(MemoryHost::new())).unwrap();
    assert_eq!(replayed.mismatches().count(), 0);
    let mut session = replayed.session;
    expect(&mut session, "next(O)", &["= X"]);
    expect(&mut session, ":program", &["uses lib.bgl, more.bgl"]);
}

#[test]
fn a_session_file_can_name_a_prelude_beside_it() {
    let text = "language bogl\nseed 1\nprelude lib.bgl\n\n--- session\n\n> next(X)\n  = O\n";
    let session_file = SessionFile::parse(text).unwrap();
    assert_eq!(session_file.to_text(), text);
    let files = host(&[("lessons/lib.bgl", LIB)]);
    let replayed = replay(&session_file, Path::new("lessons"), files).unwrap();
    let replies: Vec<_> = replayed
        .entries
        .iter()
        .map(|e| e.actual.join("\n"))
        .collect();
    let added = "added lib.bgl: type Player, next, middle";
    assert!(replies[0].contains(added), "{replies:?}");
    assert_eq!(replies[1], "= O");
    let gridlok = SessionFile::parse(&text.replace("bogl", "gridlok")).unwrap();
    let error = replay(&gridlok, Path::new(""), host(&[])).err();
    let message = "GridLok games cannot use preludes; only BoGL games can";
    assert_eq!(error.as_deref(), Some(message));
}
