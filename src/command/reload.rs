//! Reading the game's file again: all that was typed is played on the new code without a stop, and compared with what
//! it comes to on the old.

use super::files::{start_game, start_session};
use super::line_handler::handle_nested_line;
use super::replay::{answers_match, line_diff};
use crate::machine::Rng;
use crate::session::{BoardMarks, Line, Reply, Session, Style};

/// An entry to be typed again, with the answers to its questions.
type Again = Vec<String>;

pub(super) fn reload(session: &mut Session, _: &str, reply: &mut Reply) {
    let Some(path) = session.file.clone() else {
        return reply.error("this game did not come from a file; `:load FILE` reads one");
    };
    let text = match session.files.read(&path) {
        Ok(text) => text,
        Err(why) => return reply.error(why),
    };
    let script = script(session);
    let Some(old) = answers_until_now(session, &script) else {
        return reply.error("stopped from the keyboard: nothing was changed");
    };
    // Whoever reads the game again does not want to stop where it has been already.
    let breakpoints = std::mem::take(&mut session.debugger.breakpoints);
    let trace = std::mem::take(&mut session.debugger.trace);
    // The draws come again as they did; those that were chosen are chosen again on the way.
    let seed = session.transcript.game_start.seed;
    let chance = std::mem::replace(&mut session.machine.rng, Rng::new(seed));
    *reply = start_game(session, &path, &text);
    reply.entry = ":reload".into();
    if !reply.ok {
        session.machine.rng = chance;
    }
    let new = if reply.ok && reply.stop.is_none() {
        play(session, &script)
    } else {
        Vec::new()
    };
    session.debugger.restore_breakpoints(breakpoints);
    session.debugger.trace = trace;
    if !reply.ok {
        return reply.line(Line::styled(Style::Dim, "nothing was changed"));
    }
    session.rebind_breakpoints(reply);
    if reply.stop.is_none() {
        tell(session, &path, &script, &old, &new, reply);
    }
}

/// All that is in effect since the program was loaded.
fn script(session: &Session) -> Vec<Again> {
    let records = session.timeline.entries();
    let first = records
        .iter()
        .rposition(|r| r.text.starts_with(":load "))
        .map_or(1, |n| n + 1);
    let typed = |n: usize| {
        std::iter::once(&records[n].text)
            .chain(&records[n].answers)
            .cloned()
            .collect()
    };
    (first..records.len()).map(typed).collect()
}

/// What all that was typed comes to on the program as it is, played to its end without a stop; nothing if somebody
/// has had enough of it.
fn answers_until_now(session: &Session, script: &[Again]) -> Option<Vec<Vec<String>>> {
    let mut before = Session::new(session.language(), session.transcript.game_start.seed);
    before.machine.limits = session.machine.limits;
    before
        .machine
        .set_interrupt_flag(session.machine.interrupt_flag());
    before.view_settings = session.view_settings.clone();
    before.files.only_recorded = true;
    if let Some((name, text)) = &session.transcript.game_start.program {
        start_session(&mut before, name, text);
    }
    let answers = play(&mut before, script);
    (!before.is_stopped()).then_some(answers)
}

/// Types it all again; ends early where somebody stops it.
fn play(session: &mut Session, script: &[Again]) -> Vec<Vec<String>> {
    let mut answers = Vec::new();
    for again in script {
        let from = session.transcript.entries.len();
        for (n, typed) in again.iter().enumerate() {
            if n == 0 || session.is_waiting_for_input() {
                handle_nested_line(session, typed);
            }
        }
        let told = session.transcript.entries[from..]
            .iter()
            .flat_map(|e| e.reply_lines.clone())
            .collect();
        answers.push(told);
        if session.is_waiting_for_input() {
            // The old code asked less.
            session.abandon();
        }
        if session.is_stopped() {
            break;
        }
    }
    answers
}

fn tell(
    session: &mut Session,
    path: &str,
    script: &[Again],
    old: &[Vec<String>],
    new: &[Vec<String>],
    reply: &mut Reply,
) {
    let differs = old
        .iter()
        .zip(new)
        .position(|(old, new)| !answers_match(old, new));
    reply.line(format!("{path} read again; {}", played(new.len())));
    match differs {
        None if script.is_empty() => {}
        None => reply.line("the answers are the same"),
        Some(n) => {
            let typed = script[n].first().map_or("", String::as_str);
            reply.line(format!("the answers differ from entry {} on:", n + 1));
            reply.line(Line::styled(Style::Strong, format!("> {typed}")));
            reply.lines.extend(line_diff(&old[n], &new[n]));
        }
    }
    if session.is_stopped() {
        let left = script.len() - new.len();
        reply.line(Line::styled(Style::Warning, "warning: ").with(
            Style::Plain,
            format!(
                "stopped from the keyboard in entry {}; {left} more were not played",
                new.len()
            ),
        ));
    }
    reply.board_lines = session.draw_board(&BoardMarks::default());
}

fn played(n: usize) -> String {
    match n {
        0 => "nothing to play again".into(),
        1 => "1 entry played again".into(),
        n => format!("{n} entries played again"),
    }
}
