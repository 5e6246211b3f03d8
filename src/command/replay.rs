//! Playing a session file again, and comparing what is answered with what was.

use super::{files, handle_line};
use crate::language::Language;
use crate::languages;
use crate::session::session_file::{ProgramRef, SessionFile, SessionInput, SessionItem};
use crate::session::{FileAccess, Line, Reply, Session, Style, read_text, to_plain_text};
use std::path::Path;

/// Without a terminal, an endless loop must end by itself.
const STEPS: u64 = 500_000_000;

/// A file played again: the session it ends in, and the answers beside those of the file.
pub struct Replay {
    pub session: Session,
    /// The loading of the program first, then all that was typed.
    pub entries: Vec<ReplayedEntry>,
}

pub struct ReplayedEntry {
    pub input: String,
    pub expected: Vec<String>,
    pub actual: Vec<String>,
}

impl ReplayedEntry {
    /// Whether the answer is the one of the file. How many instructions it took is nobody's promise.
    fn is_right(&self) -> bool {
        answers_match(&self.expected, &self.actual)
    }
}

/// Whether two answers are the same but for the times in them.
pub(super) fn answers_match(a: &[String], b: &[String]) -> bool {
    a.len() == b.len()
        && a.iter()
            .zip(b)
            .all(|(a, b)| a == b || timeless(a) == timeless(b))
}

/// A line without the numbers behind `time`.
fn timeless(line: &str) -> String {
    let mut parts = line.split("time ");
    let first = parts.next().unwrap_or("").to_string();
    parts.fold(first, |done, part| {
        done + "time " + part.trim_start_matches(|c: char| c.is_ascii_digit())
    })
}

impl Replay {
    pub fn mismatches(&self) -> impl Iterator<Item = &ReplayedEntry> {
        self.entries.iter().filter(|c| !c.is_right())
    }

    /// How the answers differ, for people: nothing if they do not.
    pub fn mismatch_report(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        for compared in self.mismatches() {
            lines.push(Line::styled(
                Style::Strong,
                format!("> {}", compared.input.replace('\n', "\n. ")),
            ));
            lines.extend(line_diff(&compared.expected, &compared.actual));
        }
        lines
    }
}

/// Plays all of it in a session of its own; `like` lends its Ctrl-C, and reads what lies beside the file.
pub fn replay(
    file: &SessionFile,
    folder: &Path,
    like: Option<&mut Session>,
) -> Result<Replay, String> {
    let mut session = Session::new(language_of(file)?, file.seed);
    session.machine.limits.max_instructions = STEPS;
    session.files.is_replay = true;
    if let Some(like) = &like {
        session
            .machine
            .set_interrupt_flag(like.machine.interrupt_flag());
        session.machine.limits.max_memory_bytes = like.machine.limits.max_memory_bytes;
    }
    let reply = match &file.program {
        ProgramRef::None => Reply::new(""),
        ProgramRef::External(name) => {
            let path = folder.join(name).to_string_lossy().into_owned();
            let text = like.map_or_else(|| read_text(&path), |like| like.files.read(&path))?;
            files::start_session(&mut session, name, &text)
        }
        ProgramRef::Inline { name, text } => files::start_session(&mut session, name, text),
    };
    let got = to_plain_text(&session, &reply);
    let mut compared = vec![ReplayedEntry {
        input: "(loading the program)".into(),
        expected: file.load_reply.clone(),
        actual: trimmed(got),
    }];
    for part in &file.items {
        if let Some((typed, reply)) = again(&mut session, part) {
            let got = trimmed(to_plain_text(&session, &reply));
            compared.push(ReplayedEntry {
                input: typed.text.clone(),
                expected: typed.reply_lines.clone(),
                actual: got,
            });
        }
    }
    session.files = FileAccess::default();
    Ok(Replay {
        session,
        entries: compared,
    })
}

fn language_of(file: &SessionFile) -> Result<&'static dyn Language, String> {
    languages::by_name(&file.language)
        .ok_or_else(|| format!("there is no language `{}`", file.language))
}

/// Types one part again.
fn again<'f>(session: &mut Session, part: &'f SessionItem) -> Option<(&'f SessionInput, Reply)> {
    match part {
        SessionItem::Comment(_) => None,
        SessionItem::EndOfInput => {
            session.end_input();
            None
        }
        SessionItem::Input(typed) => {
            if session.is_waiting_for_input() && !typed.is_answer {
                session.end_input();
            }
            session.files.set_recorded(&typed.files_read);
            let stop = typed
                .interrupted_after
                .map(|steps| session.machine.time().saturating_add(steps));
            session.machine.interrupt_at(stop);
            let reply = handle_line(session, &typed.text);
            session.machine.interrupt_at(None);
            Some((typed, reply))
        }
    }
}

/// Brings a session back from its journal, as it was: with its limits, and with the files as they were.
pub fn restore_session(file: &SessionFile, like: &Session) -> Result<Session, String> {
    let mut session = Session::new(language_of(file)?, file.seed);
    session.machine.limits = like.machine.limits;
    session
        .machine
        .set_interrupt_flag(like.machine.interrupt_flag());
    (session.files.only_recorded, session.files.is_replay) = (true, true);
    if let ProgramRef::Inline { name, text } = &file.program {
        files::start_session(&mut session, name, text);
    }
    session.file = file.program_path.as_ref().map(|path| beside(path));
    for part in &file.items {
        again(&mut session, part);
    }
    session.files = FileAccess::default();
    Ok(session)
}

/// A path as one would name it from here.
fn beside(path: &str) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    Path::new(path)
        .strip_prefix(here)
        .map_or_else(|_| path.to_string(), |p| p.to_string_lossy().into_owned())
}

fn trimmed(mut lines: Vec<String>) -> Vec<String> {
    while lines.pop_if(|l| l.is_empty()).is_some() {}
    lines
}

/// Two texts line by line: what was there with `-`, what is there now with `+`, what is the same between them.
pub fn line_diff(want: &[String], got: &[String]) -> Vec<Line> {
    // The longest row of common lines from each pair of positions on.
    let mut common = vec![vec![0u32; got.len() + 1]; want.len() + 1];
    for i in (0..want.len()).rev() {
        for j in (0..got.len()).rev() {
            common[i][j] = match want[i] == got[j] {
                true => common[i + 1][j + 1] + 1,
                false => common[i + 1][j].max(common[i][j + 1]),
            };
        }
    }
    let (mut i, mut j, mut lines) = (0, 0, Vec::new());
    while i < want.len() || j < got.len() {
        if i < want.len() && j < got.len() && want[i] == got[j] {
            lines.push(Line::styled(Style::Dim, format!("    {}", want[i])));
            (i, j) = (i + 1, j + 1);
        } else if i < want.len() && (j == got.len() || common[i + 1][j] >= common[i][j + 1]) {
            lines.push(Line::styled(Style::Error, format!("  - {}", want[i])));
            i += 1;
        } else {
            lines.push(Line::styled(Style::Changed, format!("  + {}", got[j])));
            j += 1;
        }
    }
    lines
}
