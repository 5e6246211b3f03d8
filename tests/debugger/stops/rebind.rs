//! Where breakpoints move when the program changes, and what happens to frames that run old code.

use crate::test_session::native_host;
use gridbug::command::handle_line;
use gridbug::languages;
use gridbug::render::AnswerText;
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

/// A session with breakpoints on a game, then the same file reloaded with another text.
fn reloaded(breakpoints: &[&str], program: &str) -> (Session, String) {
    let file = std::env::temp_dir().join(format!(
        "gridbug-stops-{}-{}.gl",
        std::process::id(),
        fingerprint(program)
    ));
    let path = file.to_string_lossy().into_owned();
    std::fs::write(&file, CAFE).expect("a file");
    let mut session = Session::with_host(languages::ALL[0], 1, native_host());
    assert!(gridbug::command::open_game(&mut session, &path).ok);
    for b in breakpoints {
        assert!(handle_line(&mut session, &format!(":break {b}")).ok, "{b}");
    }
    std::fs::write(&file, program).expect("a file");
    let messages = handle_line(&mut session, ":reload")
        .text()
        .replace(&path, "cafe.gl");
    std::fs::remove_file(&file).expect("the file");
    (session, messages)
}

fn fingerprint(text: &str) -> u64 {
    text.bytes()
        .fold(7, |h, b| h.wrapping_mul(31).wrapping_add(b.into()))
}

/// The line and the function at which a click stops.
fn stops_at(session: &mut Session) -> Option<(u32, String)> {
    handle_line(session, "click {0, 0}")
        .stop
        .map(|s| (s.range.line, s.function.clone()))
}

#[test]
fn a_line_breakpoint_moves_when_lines_are_added_above() {
    let (mut session, messages) = reloaded(
        &["5"],
        &CAFE.replace("def n {0}", "def n {0}\n\ndef extra {1}"),
    );
    assert!(
        messages.contains("breakpoint 1 (5) moved with brew to cafe.gl:7"),
        "{messages}"
    );
    assert_eq!(stops_at(&mut session), Some((7, "brew".into())));
    let (mut session, messages) = reloaded(
        &["5"],
        &CAFE.replace("  def cup {k}", "  def cup {k}\n  print {k}"),
    );
    assert!(
        messages.contains("breakpoint 1 (5) moved with brew to cafe.gl:6"),
        "{messages}"
    );
    assert_eq!(stops_at(&mut session), Some((6, "brew".into())));
}

#[test]
fn a_changed_line_is_reported() {
    let (mut session, messages) = reloaded(&["5"], &CAFE.replace("cup {cup + 1}", "cup {cup + 2}"));
    assert!(
        messages.contains(
            "breakpoint 1 (5) moved with brew to cafe.gl:5; the text of its line has changed"
        ),
        "{messages}"
    );
    assert_eq!(stops_at(&mut session), Some((5, "brew".into())));
}

/// The code that writes a watched value may be a typed entry, which is gone when the next one runs.
#[test]
fn a_watchpoint_is_never_pending() {
    for (language, lines) in [
        ("gridlok", ["def n {0}", ":watch n", "n {5}"]),
        ("gridlang", ["int n = 0", ":watch n", "n = 5"]),
        (
            "tinygame",
            [
                "player hero { x = 0; y = 0; }",
                ":watch hero.x",
                "move hero right 5;",
            ],
        ),
    ] {
        let mut session = Session::new(gridbug::languages::by_name(language).unwrap(), 1);
        for line in lines {
            handle_line(&mut session, line);
        }
        for line in ["abandon", "1 + 1", lines[2], "continue", "1 + 1", lines[2]] {
            let reply = handle_line(&mut session, line).text();
            assert!(
                !reply.contains("breakpoint 1"),
                "{language}: {line}: {reply}"
            );
        }
    }
}

#[test]
fn breakpoints_report_when_they_become_pending_and_active() {
    let without: String = CAFE.replace("n {brew {n}}", "n {n + 1}");
    let without = format!(
        "{}{}",
        &without[..without.find("fun").unwrap()],
        &without[without.find("piece").unwrap()..]
    );
    let (mut session, messages) = reloaded(&["5", "brew", "bean.onClick"], &without);
    assert!(
        messages.contains("breakpoint 1 (5) is pending: its code is gone"),
        "{messages}"
    );
    assert!(
        messages.contains("breakpoint 2 (brew) is pending: its code is gone"),
        "{messages}"
    );
    assert!(!messages.contains("breakpoint 3"), "{messages}");
    assert_eq!(stops_at(&mut session), Some((5, "bean.onClick".into())));
    handle_line(&mut session, ":continue");
    let messages = handle_line(&mut session, "fun brew(k) {\n  cup {1}\n  return k\n}").text();
    assert!(
        messages.contains("breakpoint 2 (brew) is active now"),
        "{messages}"
    );
    // A renamed piece has another handler with the same lines.
    let (mut session, messages) = reloaded(&["bean.onClick", "10"], &CAFE.replace("bean", "nut"));
    assert!(
        messages.contains("breakpoint 1 (bean.onClick) is pending: its code is gone"),
        "{messages}"
    );
    assert!(!messages.contains("breakpoint 2"), "{messages}");
    assert_eq!(stops_at(&mut session), Some((10, "nut.onClick".into())));
}

#[test]
fn a_breakpoint_follows_a_redefinition_and_the_old_code_in_the_past() {
    let mut session = Session::new(languages::ALL[0], 1);
    assert!(session.load("cafe.gl", CAFE).ok);
    for entry in [":break 5", "click {0, 0}", ":continue"] {
        handle_line(&mut session, entry);
    }
    let redefinition =
        "fun brew(k) {\n  print {k}\n  def cup {k * 2}\n  cup {cup + 1}\n  return cup\n}";
    let messages = handle_line(&mut session, redefinition).text();
    assert!(
        messages.contains("breakpoint 1 (5) moved with brew to entry 2:4"),
        "{messages}"
    );
    let reply = handle_line(&mut session, "click {0, 0}");
    assert_eq!(
        reply.stop.map(|s| (s.range.file.clone(), s.range.line)),
        Some(("entry 2".into(), 4))
    );
    handle_line(&mut session, ":continue");
    // In reverse, it stops in the new code, then in the old.
    let locations: Vec<_> = [":rc", ":rc"]
        .iter()
        .map(|m| {
            handle_line(&mut session, m)
                .stop
                .map(|s| (s.range.file.clone(), s.range.line))
        })
        .collect();
    assert_eq!(
        locations,
        [Some(("entry 2".into(), 4)), Some(("cafe.gl".into(), 5))]
    );
    // And forward again, from one program into the next.
    let reply = handle_line(&mut session, ":continue");
    assert_eq!(
        reply.stop.map(|s| (s.range.file.clone(), s.range.line)),
        Some(("entry 2".into(), 4))
    );
}

/// Definitions may change while stopped: frames on the stack finish their old code, and the stop
/// says so.
#[test]
fn frames_with_old_code_are_marked_and_finish_it() {
    let mut session = Session::new(languages::ALL[0], 1);
    assert!(session.load("cafe.gl", CAFE).ok);
    for entry in [":break 5", "click {0, 0}"] {
        handle_line(&mut session, entry);
    }
    assert!(handle_line(&mut session, "fun brew(k) {\n  return 100\n}").ok);
    let messages = handle_line(&mut session, "where").text();
    let frames: Vec<&str> = messages.lines().collect();
    assert!(
        frames[0].contains("brew") && frames[0].contains("(old code)"),
        "{messages}"
    );
    assert!(
        frames[1].contains("bean.onClick") && !frames[1].contains("(old code)"),
        "{messages}"
    );
    assert!(
        handle_line(&mut session, "frame 0")
            .text()
            .contains("brew was redefined; this call still runs the old code"),
        "{messages}"
    );
    // The old code is stepped through and shown as it was, to its end.
    let reply = handle_line(&mut session, "step");
    assert_eq!(
        reply.stop.map(|s| (s.range.file.clone(), s.range.line)),
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
    // And back: the old frame runs the old code.
    handle_line(&mut session, ":goto event 2");
    let messages = handle_line(&mut session, "step").text();
    assert!(messages.contains("def cup {k}"), "{messages}");
}
