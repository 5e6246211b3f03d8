//! What the line editor knows of the session: taken anew before each line, so that typing needs no session.

use crate::command;
use crate::language::{GameView, Language, Viewport};
use crate::session::Session;

pub struct CompletionContext {
    pub language: &'static dyn Language,
    /// Names of definitions and variables.
    pub names: Vec<String>,
    /// Whose field, and which: `hero` and `health`.
    pub fields: Vec<(String, String)>,
    /// What stands in quotes: kinds of pieces, players.
    pub quoted: Vec<String>,
    /// The size of the board, and the numbers of its first row and column.
    pub board: Option<(u32, u32, (i64, i64))>,
    pub is_stopped: bool,
    /// The lines of the entry that were typed before this one.
    pub previous_lines: String,
    pub colour: bool,
}

impl CompletionContext {
    pub fn new(session: &Session, colour: bool) -> CompletionContext {
        let program = session.program();
        let language = session.language();
        let mut names: Vec<String> = language
            .definitions(program)
            .into_iter()
            .map(|d| d.name)
            .collect();
        names.extend(
            program
                .globals
                .iter()
                .filter(|g| g.is_user_defined)
                .map(|g| g.name.to_string()),
        );
        let kinds = program.piece_kinds.iter().map(|k| k.name);
        let mut quoted: Vec<String> = kinds
            .chain(program.owners.iter().copied())
            .map(|n| n.to_string())
            .collect();
        let view = session.view(Viewport::NONE);
        let fields = fields(&view);
        // Who has fields can be named.
        names.extend(fields.iter().map(|(owner, _)| owner.clone()));
        for list in [&mut names, &mut quoted] {
            list.retain(|n| !n.is_empty());
            list.sort();
            list.dedup();
        }
        let board = view.board.map(|b| (b.rows, b.cols, b.origin));
        CompletionContext {
            language,
            names,
            fields,
            quoted,
            board,
            is_stopped: session.is_stopped(),
            previous_lines: String::new(),
            colour,
        }
    }

    /// Whether a line is a command, as far as one sees while it is being typed: with its colon, or at a stop without.
    pub fn is_command(&self, line: &str) -> bool {
        let line = line.trim_start();
        let word = line
            .split(|c: char| !c.is_alphanumeric() && c != '-')
            .next()
            .unwrap_or("");
        self.previous_lines.is_empty()
            && (line.starts_with(':') || self.is_stopped && command::find(word).is_ok())
    }
}

/// The fields of all that has some, also by the names that stand for others now.
fn fields(view: &GameView) -> Vec<(String, String)> {
    let dotted = view
        .variables
        .iter()
        .filter_map(|(name, _)| name.split_once('.'));
    let mut fields = Vec::new();
    for (owner, field) in dotted {
        let aliases = view
            .aliases
            .iter()
            .filter(|(_, meant)| meant == owner)
            .map(|(alias, _)| alias.as_str());
        fields.extend(
            std::iter::once(owner)
                .chain(aliases)
                .map(|name| (name.to_string(), field.to_string())),
        );
    }
    fields
}
