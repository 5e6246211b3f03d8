//! Playing a session file again, and comparing what is answered with what was.

use super::{exchange, keeping};
use crate::language::Language;
use crate::languages;
use crate::session::file::{Given, Part, SessionFile, Typed};
use crate::session::{Files, Line, Reply, Session, Style, read_text, told};
use std::path::Path;

/// Without a terminal, an endless loop must end by itself.
const STEPS: u64 = 500_000_000;

/// A file played again: the session it ends in, and the answers beside those of the file.
pub struct Replay {
    pub session: Session,
    /// The loading of the program first, then all that was typed.
    pub compared: Vec<Compared>,
}

pub struct Compared {
    pub typed: String,
    pub want: Vec<String>,
    pub got: Vec<String>,
}

impl Compared {
    /// Whether the answer is the one of the file. How many instructions it took is nobody's promise.
    fn is_right(&self) -> bool {
        same(&self.want, &self.got)
    }
}

/// Whether two answers are the same but for the times in them.
pub(super) fn same(a: &[String], b: &[String]) -> bool {
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
    pub fn differing(&self) -> impl Iterator<Item = &Compared> {
        self.compared.iter().filter(|c| !c.is_right())
    }

    /// How the answers differ, for people: nothing if they do not.
    pub fn differences(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        for compared in self.differing() {
            lines.push(Line::styled(
                Style::Strong,
                format!("> {}", compared.typed.replace('\n', "\n. ")),
            ));
            lines.extend(difference(&compared.want, &compared.got));
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
    session.machine.limits.steps = STEPS;
    session.files.again = true;
    if let Some(like) = &like {
        session.machine.set_interrupt(like.machine.interrupt());
        session.machine.limits.memory = like.machine.limits.memory;
    }
    let reply = match &file.program {
        Given::Nothing => Reply::to(""),
        Given::Beside(name) => {
            let path = folder.join(name).to_string_lossy().into_owned();
            let text = like.map_or_else(|| read_text(&path), |like| like.files.read(&path))?;
            keeping::begin_session(&mut session, name, &text)
        }
        Given::Within { name, text } => keeping::begin_session(&mut session, name, text),
    };
    let got = told(&session, &reply);
    let mut compared = vec![Compared {
        typed: "(loading the program)".into(),
        want: file.loaded.clone(),
        got: trimmed(got),
    }];
    for part in &file.parts {
        if let Some((typed, reply)) = again(&mut session, part) {
            let got = trimmed(told(&session, &reply));
            compared.push(Compared {
                typed: typed.text.clone(),
                want: typed.told.clone(),
                got,
            });
        }
    }
    session.files = Files::default();
    Ok(Replay { session, compared })
}

fn language_of(file: &SessionFile) -> Result<&'static dyn Language, String> {
    languages::named(&file.language)
        .ok_or_else(|| format!("there is no language `{}`", file.language))
}

/// Types one part again.
fn again<'f>(session: &mut Session, part: &'f Part) -> Option<(&'f Typed, Reply)> {
    match part {
        Part::Note(_) => None,
        Part::GivenUp => {
            session.give_up_asking();
            None
        }
        Part::Typed(typed) => {
            if session.is_asking() && !typed.answers {
                session.give_up_asking();
            }
            session.files.bring(&typed.files);
            let stop = typed
                .stopped
                .map(|steps| session.machine.time().saturating_add(steps));
            session.machine.stop_at(stop);
            let reply = exchange(session, &typed.text);
            session.machine.stop_at(None);
            Some((typed, reply))
        }
    }
}

/// Brings a session back from its journal, as it was: with its limits, and with the files as they were.
pub fn bring_back(file: &SessionFile, like: &Session) -> Result<Session, String> {
    let mut session = Session::new(language_of(file)?, file.seed);
    session.machine.limits = like.machine.limits;
    session.machine.set_interrupt(like.machine.interrupt());
    (session.files.closed, session.files.again) = (true, true);
    if let Given::Within { name, text } = &file.program {
        keeping::begin_session(&mut session, name, text);
    }
    session.file = file.from.as_ref().map(|path| beside(path));
    for part in &file.parts {
        again(&mut session, part);
    }
    session.files = Files::default();
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
pub fn difference(want: &[String], got: &[String]) -> Vec<Line> {
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
