//! What the line editor knows of the session: taken anew before each line, so that typing needs no session.

use crate::command;
use crate::language::Language;
use crate::session::Session;

pub struct Known {
    pub language: &'static dyn Language,
    /// Names of definitions and variables.
    pub names: Vec<String>,
    /// What stands in quotes: kinds of pieces, players.
    pub quoted: Vec<String>,
    /// The size of the board, and the numbers of its first row and column.
    pub board: Option<(u32, u32, (i64, i64))>,
    pub stopped: bool,
    /// The lines of the entry that were typed before this one.
    pub before: String,
    pub colour: bool,
}

impl Known {
    pub fn of(session: &Session, colour: bool) -> Known {
        let program = session.program();
        let language = session.language();
        let mut names: Vec<String> = language.definitions(program).into_iter().map(|d| d.name).collect();
        names.extend(program.globals.iter().filter(|g| g.own).map(|g| g.name.to_string()));
        let kinds = program.kinds.iter().map(|k| k.name);
        let mut quoted: Vec<String> = kinds.chain(program.owners.iter().copied()).map(|n| n.to_string()).collect();
        for list in [&mut names, &mut quoted] {
            list.retain(|n| !n.is_empty());
            list.sort();
            list.dedup();
        }
        let nothing = crate::language::Window::NONE;
        let board = session.view(nothing).board.map(|b| (b.rows, b.cols, b.origin));
        Known { language, names, quoted, board, stopped: session.is_stopped(), before: String::new(), colour }
    }

    /// Whether a line is a command, as far as one sees while it is being typed: with its colon, or at a stop without.
    pub fn is_command(&self, line: &str) -> bool {
        let line = line.trim_start();
        let word = line.split(|c: char| !c.is_alphanumeric() && c != '-').next().unwrap_or("");
        self.before.is_empty() && (line.starts_with(':') || self.stopped && command::find(word).is_ok())
    }
}
