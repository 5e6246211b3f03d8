//! Playing a session file again, and comparing what is answered with what was.

use super::{exchange, keeping, perform};
use crate::languages;
use crate::session::file::{Given, Part, SessionFile};
use crate::session::{Line, Reply, Session, Style, read_text, told};
use std::path::Path;

/// Without a terminal, an endless loop must end by itself.
const STEPS: u64 = 2_000_000_000;

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
        self.want.len() == self.got.len()
            && self.want.iter().zip(&self.got).all(|(a, b)| a == b || timeless(a) == timeless(b))
    }
}

/// A line without the numbers behind `time`.
fn timeless(line: &str) -> String {
    let mut parts = line.split("time ");
    let first = parts.next().unwrap_or("").to_string();
    parts.fold(first, |done, part| done + "time " + part.trim_start_matches(|c: char| c.is_ascii_digit()))
}

impl Replay {
    pub fn differing(&self) -> impl Iterator<Item = &Compared> {
        self.compared.iter().filter(|c| !c.is_right())
    }

    /// How the answers differ, for people: nothing if they do not.
    pub fn differences(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        for compared in self.differing() {
            lines.push(Line::styled(Style::Strong, format!("> {}", compared.typed.replace('\n', "\n. "))));
            lines.extend(difference(&compared.want, &compared.got));
        }
        lines
    }
}

/// Plays all of it in a session of its own; `like` lends its Ctrl-C.
pub fn replay(file: &SessionFile, folder: &Path, like: Option<&Session>) -> Result<Replay, String> {
    let language =
        languages::named(&file.language).ok_or_else(|| format!("there is no language `{}`", file.language))?;
    let mut session = Session::new(language, file.seed);
    session.machine.limits.steps = STEPS;
    if let Some(like) = like {
        session.machine.set_interrupt(like.machine.interrupt());
    }
    let reply = match &file.program {
        Given::Nothing => Reply::to(""),
        Given::Beside(name) => {
            let text = read_text(&folder.join(name).to_string_lossy())?;
            keeping::begin(&mut session, name, &text)
        }
        Given::Within { name, text } => keeping::begin(&mut session, name, text),
    };
    let got = told(&session, &reply);
    let mut compared =
        vec![Compared { typed: "(loading the program)".into(), want: file.loaded.clone(), got: trimmed(got) }];
    for part in &file.parts {
        let Part::Typed { text, answers, told: want } = part else { continue };
        if session.is_asking() && !answers {
            session.give_up_asking();
        }
        let reply = exchange(&mut session, text);
        let got = trimmed(told(&session, &reply));
        compared.push(Compared { typed: text.clone(), want: want.clone(), got });
    }
    Ok(Replay { session, compared })
}

fn trimmed(mut lines: Vec<String>) -> Vec<String> {
    while lines.pop_if(|l| l.is_empty()).is_some() {}
    lines
}

/// Lets a run that stopped at a breakpoint go on to its end: whoever replays does not want to look.
pub fn run_out(session: &mut Session) {
    let mut last = session.machine.time();
    while session.is_stopped() {
        perform(session, ":continue");
        if session.machine.time() == last {
            break;
        }
        last = session.machine.time();
    }
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
