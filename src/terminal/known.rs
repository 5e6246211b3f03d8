//! What the line editor knows of the session: taken anew before each line, so that typing needs no session.

use super::is_stopped;
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
        let nothing = crate::language::Window { row: 0, col: 0, rows: 0, cols: 0 };
        let board = session.view(nothing).board.map(|b| (b.rows, b.cols, b.origin));
        Known { language, names, quoted, board, stopped: is_stopped(session), before: String::new(), colour }
    }
}
