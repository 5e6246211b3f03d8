//! A snapshot of the session for the line editor, taken before each prompt, because the editor
//! cannot borrow the session while the user types.

use crate::command;
use crate::language::{GameView, Language, Viewport};
use crate::session::Session;

/// Everything that completion and highlighting need to know.
pub struct CompletionContext {
    pub language: &'static dyn Language,
    /// Names of definitions and variables.
    pub names: Vec<String>,
    /// Pairs of owner and field, e.g. `hero` and `health`.
    pub fields: Vec<(String, String)>,
    /// Names that are written in quotes: kinds of pieces, players.
    pub quoted: Vec<String>,
    /// Rows and columns of the board, and the numbers of its first row and column.
    pub board: Option<(u32, u32, (i64, i64))>,
    pub is_stopped: bool,
    /// The earlier lines of a multi-line entry.
    pub previous_lines: String,
    pub color: bool,
}

impl CompletionContext {
    pub fn new(session: &Session, color: bool) -> CompletionContext {
        let program = session.target.program();
        let language = session.target.language();
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
        let view = session.target.view(Viewport::NONE);
        let fields = fields(&view);
        // Anything with fields can be named.
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
            is_stopped: session.target.is_stopped(),
            previous_lines: String::new(),
            color,
        }
    }

    /// Whether a partial line looks like a command: it starts with a colon or, at a stop, with the
    /// name of a command.
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

/// All pairs of owner and field, also for aliases of the owner.
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
            .filter(|(_, target)| target == owner)
            .map(|(alias, _)| alias.as_str());
        fields.extend(
            std::iter::once(owner)
                .chain(aliases)
                .map(|name| (name.to_string(), field.to_string())),
        );
    }
    fields
}
