//! Ctrl-C ends the work on a long text wherever it is pressed, and a text that is too long for the memory
//! limit is refused. Nothing is changed, and the session goes on.

use gridbug::answer::{Answer, Control};
use gridbug::command::{execute, handle_line};
use gridbug::language::Language;
use gridbug::languages;
use gridbug::session::{Session, to_plain_text};
use gridbug::source::work::{POLLS, PRESS_AT_POLL};
use std::time::Instant;

/// A definition of a language with a number.
fn definition(language: &str, n: usize) -> String {
    match language {
        "gridlok" => format!("fun f{n}(a) {{ def b {{a + {n}}} return b * 2 }}\n"),
        "bogl" => format!("f{n} : Int -> Int\nf{n}(a) = if a > {n} then a + {n} else a * 2\n"),
        "gridlang" => format!("function f{n}(int a): int {{ int b = a + {n}; return b * 2 }}\n"),
        "tinygame" => format!("player p{n} {{ x = {n}; y = 0; }}\n"),
        _ => {
            // Its names have no digits.
            let digit = |c: char| (c as u8 - b'0' + b'a') as char;
            let letters: String = n.to_string().chars().map(digit).collect();
            format!("sprite wall_{letters} > color=red\n")
        }
    }
}

/// The sample game of a language with many more definitions.
fn long_program(language: &dyn Language, count: usize) -> String {
    let info = language.info();
    let definitions = (0..count).map(|n| definition(info.name, n));
    let definitions: String = definitions.collect();
    let sample = info.sample.trim_end();
    match info.name {
        // Its definitions stand inside of the game.
        "gridlok" => {
            let inside = sample.strip_suffix('}').expect("a game");
            format!("{inside}\n{definitions}}}\n")
        }
        _ => format!("{sample}\n{definitions}"),
    }
}

fn text(session: &Session, answer: &Answer) -> String {
    to_plain_text(session, answer).join("\n")
}

/// A session that has loaded the sample game.
fn sample_session(language: &'static dyn Language) -> Session {
    let mut session = Session::new(language, 1);
    assert!(session.load("sample", language.info().sample).ok);
    session
}

fn state(session: &mut Session) -> String {
    let answer = execute(session, ":list all");
    text(session, &answer)
}

#[test]
fn ctrl_c_ends_the_work_on_a_text_in_every_place() {
    const PLACES_PER_LANGUAGE: u64 = 6;
    for language in languages::ALL {
        let name = language.info().name;
        let program = long_program(*language, 2000);
        let folder = std::env::temp_dir().join(format!("gridbug-interrupt-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join(format!("long.{}", language.info().extensions[0]));
        std::fs::write(&file, &program).unwrap();
        let load = format!(":load {}", file.display());
        let mut session = Session::with_host(
            *language,
            1,
            std::rc::Rc::new(gridbug::host::NativeHost::new()),
        );
        assert!(session.load("sample", language.info().sample).ok);
        let before = state(&mut session);
        // How much there is to do.
        let first_poll = POLLS.get();
        let start = Instant::now();
        let answer = handle_line(&mut session, &load);
        assert!(answer.ok, "{name}: {}", text(&session, &answer));
        let (polls, whole) = (POLLS.get() - first_poll, start.elapsed());
        assert!(polls > 20_000, "{name}: {polls} polls");
        handle_line(&mut session, ":undo");
        assert_eq!(state(&mut session), before, "{name}");
        let mut longest = std::time::Duration::ZERO;
        for place in 0..PLACES_PER_LANGUAGE {
            // Short work is not interrupted.
            let at = 5000 + (polls - 10_000) * place / PLACES_PER_LANGUAGE;
            PRESS_AT_POLL.set(POLLS.get() + at);
            let start = Instant::now();
            let answer = handle_line(&mut session, &load);
            // It took as long as the part of the work that was done; what is more is the answer.
            let part = whole.mul_f64(at as f64 / polls as f64);
            longest = longest.max(start.elapsed().saturating_sub(part));
            let shown = text(&session, &answer);
            assert!(
                !answer.ok && shown.contains("interrupted"),
                "{name}, {at}: {shown}"
            );
            assert_eq!(answer.control, Some(Control::Cancelled), "{name}, {at}");
            assert_eq!(state(&mut session), before, "{name}, {at}");
        }
        PRESS_AT_POLL.set(u64::MAX);
        println!(
            "{name}: {polls} polls in {whole:?}; the longest answer to Ctrl-C took {longest:?}"
        );
        let answer = handle_line(&mut session, &load);
        assert!(answer.ok, "{name}: {}", text(&session, &answer));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}

#[test]
fn a_text_that_is_too_long_for_the_memory_limit_is_refused() {
    for language in languages::ALL {
        let name = language.info().name;
        let mut session = sample_session(*language);
        let before = state(&mut session);
        session.target.machine.limits.max_memory_bytes = 2 << 20;
        let answer = session.load("long", &long_program(*language, 2000));
        let shown = text(&session, &answer);
        assert!(
            !answer.ok && shown.contains("too large: it has more than 5242 words and signs"),
            "{name}: {shown}"
        );
        assert_eq!(state(&mut session), before, "{name}");
        session.target.machine.limits.max_memory_bytes = 64 << 20;
        let answer = session.load("long", &long_program(*language, 2000));
        assert!(answer.ok, "{name}: {}", text(&session, &answer));
    }
}
