//! Where breakpoints go when the program changes, and what becomes of frames that run old code.

use gridbug::command::handle_line;
use gridbug::languages;
use gridbug::session::Session;

const CAFE: &str = "board { dimensions {1, 2} image {b.png} }
def n {0}
fun brew(k) {
  def cup {k}
  cup {cup + 1}
  return cup
}
piece { name {\"bean\"}
  onClick {
    n {brew {n}}
  }
}
setup { place {\"bean\", 0, 0} }";

/// A session on a game with breakpoints, then the same file with another text.
fn reloaded(breakpoints: &[&str], program: &str) -> (Session, String) {
    let file = std::env::temp_dir().join(format!(
        "gridbug-stops-{}-{}.gl",
        std::process::id(),
        fingerprint(program)
    ));
    let path = file.to_string_lossy().into_owned();
    std::fs::write(&file, CAFE).expect("a file");
    let mut session = Session::new(languages::ALL[0], 1);
    assert!(gridbug::command::open_game(&mut session, &path).ok);
    for b in breakpoints {
        assert!(handle_line(&mut session, &format!(":break {b}")).ok, "{b}");
    }
    std::fs::write(&file, program).expect("a file");
    let told = handle_line(&mut session, ":reload")
        .text()
        .replace(&path, "cafe.gl");
    std::fs::remove_file(&file).expect("the file");
    (session, told)
}

fn fingerprint(text: &str) -> u64 {
    text.bytes()
        .fold(7, |h, b| h.wrapping_mul(31).wrapping_add(b.into()))
}

/// The line and the function at which a click stops.
fn stops_at(session: &mut Session) -> Option<(u32, String)> {
    handle_line(session, "click {0, 0}")
        .stop
        .map(|s| (s.line, s.function))
}

#[test]
fn a_line_breakpoint_goes_with_its_line_when_lines_are_added_above() {
    let (mut session, told) = reloaded(
        &["5"],
        &CAFE.replace("def n {0}", "def n {0}\n\ndef extra {1}"),
    );
    assert!(
        told.contains("breakpoint 1 (5) moved with brew to cafe.gl:7"),
        "{told}"
    );
    assert_eq!(stops_at(&mut session), Some((7, "brew".into())));
    let (mut session, told) = reloaded(
        &["5"],
        &CAFE.replace("  def cup {k}", "  def cup {k}\n  print {k}"),
    );
    assert!(
        told.contains("breakpoint 1 (5) moved with brew to cafe.gl:6"),
        "{told}"
    );
    assert_eq!(stops_at(&mut session), Some((6, "brew".into())));
}

#[test]
fn a_line_that_says_something_else_is_told() {
    let (mut session, told) = reloaded(&["5"], &CAFE.replace("cup {cup + 1}", "cup {cup + 2}"));
    assert!(
        told.contains(
            "breakpoint 1 (5) moved with brew to cafe.gl:5; the text of its line has changed"
        ),
        "{told}"
    );
    assert_eq!(stops_at(&mut session), Some((5, "brew".into())));
}

#[test]
fn breakpoints_say_when_they_have_lost_their_place_and_when_they_have_one_again() {
    let without: String = CAFE.replace("n {brew {n}}", "n {n + 1}");
    let without = format!(
        "{}{}",
        &without[..without.find("fun").unwrap()],
        &without[without.find("piece").unwrap()..]
    );
    let (mut session, told) = reloaded(&["5", "brew", "bean.onClick"], &without);
    assert!(
        told.contains("breakpoint 1 (5) is pending: its code is gone"),
        "{told}"
    );
    assert!(
        told.contains("breakpoint 2 (brew) is pending: its code is gone"),
        "{told}"
    );
    assert!(!told.contains("breakpoint 3"), "{told}");
    assert_eq!(stops_at(&mut session), Some((5, "bean.onClick".into())));
    handle_line(&mut session, ":continue");
    let told = handle_line(&mut session, "fun brew(k) {\n  cup {1}\n  return k\n}").text();
    assert!(
        told.contains("breakpoint 2 (brew) is active now"),
        "{told}"
    );
    // A piece that is called otherwise has another handler; its lines are the same.
    let (mut session, told) = reloaded(&["bean.onClick", "10"], &CAFE.replace("bean", "nut"));
    assert!(
        told.contains("breakpoint 1 (bean.onClick) is pending: its code is gone"),
        "{told}"
    );
    assert!(!told.contains("breakpoint 2"), "{told}");
    assert_eq!(stops_at(&mut session), Some((10, "nut.onClick".into())));
}

#[test]
fn a_breakpoint_follows_a_function_typed_anew_and_knows_the_old_one_in_the_past() {
    let mut session = Session::new(languages::ALL[0], 1);
    assert!(session.load("cafe.gl", CAFE).ok);
    for entry in [":break 5", "click {0, 0}", ":continue"] {
        handle_line(&mut session, entry);
    }
    let anew = "fun brew(k) {\n  print {k}\n  def cup {k * 2}\n  cup {cup + 1}\n  return cup\n}";
    let told = handle_line(&mut session, anew).text();
    assert!(
        told.contains("breakpoint 1 (5) moved with brew to entry 2:4"),
        "{told}"
    );
    let reply = handle_line(&mut session, "click {0, 0}");
    assert_eq!(
        reply.stop.map(|s| (s.file, s.line)),
        Some(("entry 2".into(), 4))
    );
    handle_line(&mut session, ":continue");
    // Going back it stops in the new code, then in the old.
    let places: Vec<_> = [":rc", ":rc"]
        .iter()
        .map(|m| handle_line(&mut session, m).stop.map(|s| (s.file, s.line)))
        .collect();
    assert_eq!(
        places,
        [Some(("entry 2".into(), 4)), Some(("cafe.gl".into(), 5))]
    );
    // And forward again, from one program into the next.
    let reply = handle_line(&mut session, ":continue");
    assert_eq!(
        reply.stop.map(|s| (s.file, s.line)),
        Some(("entry 2".into(), 4))
    );
}

/// Definitions may be changed while stopped: what is on the stack goes on in its old code, and says so.
#[test]
fn frames_that_run_old_code_say_so_and_finish_it() {
    let mut session = Session::new(languages::ALL[0], 1);
    assert!(session.load("cafe.gl", CAFE).ok);
    for entry in [":break 5", "click {0, 0}"] {
        handle_line(&mut session, entry);
    }
    assert!(handle_line(&mut session, "fun brew(k) {\n  return 100\n}").ok);
    let told = handle_line(&mut session, "where").text();
    let frames: Vec<&str> = told.lines().collect();
    assert!(
        frames[0].contains("brew") && frames[0].contains("(old code)"),
        "{told}"
    );
    assert!(
        frames[1].contains("bean.onClick") && !frames[1].contains("(old code)"),
        "{told}"
    );
    assert!(
        handle_line(&mut session, "frame 0")
            .text()
            .contains("it runs the old code of brew"),
        "{told}"
    );
    // The old code is stepped and shown as it was, to its end.
    let reply = handle_line(&mut session, "step");
    assert_eq!(
        reply.stop.map(|s| (s.file, s.line)),
        Some(("cafe.gl".into(), 6))
    );
    handle_line(&mut session, ":delete");
    handle_line(&mut session, "continue");
    assert_eq!(
        handle_line(&mut session, "n").value.as_deref(),
        Some("1"),
        "0 + 1, by the old code"
    );
    handle_line(&mut session, "click {0, 0}");
    assert_eq!(
        handle_line(&mut session, "n").value.as_deref(),
        Some("100"),
        "by the new code"
    );
    // And back: the frame of then runs the code of then.
    handle_line(&mut session, ":goto event 2");
    let told = handle_line(&mut session, "step").text();
    assert!(told.contains("def cup {k}"), "{told}");
}
