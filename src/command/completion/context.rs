//! A snapshot of the session for completion and highlighting, because a line editor cannot borrow
//! the session while the user types.

use crate::answer::CompletionKind;
use crate::command;
use crate::host::Host;
use crate::language::{Language, Viewport};
use crate::session::Session;
use crate::value::Value;
use std::rc::Rc;

/// Everything that completion and highlighting need to know.
pub struct CompletionContext {
    pub(crate) language: &'static dyn Language,
    pub(super) host: Rc<dyn Host>,
    /// Definitions and variables, sorted by name.
    pub(super) names: Vec<Candidate>,
    /// Pairs of owner and field, e.g. `hero` and `health`.
    pub(super) fields: Vec<(String, String)>,
    /// Names that are written in quotes: kinds of pieces, players.
    pub(super) quoted: Vec<Candidate>,
    /// Rows and columns of the board, and the numbers of its first row and column.
    pub(super) board: Option<(u32, u32, (i64, i64))>,
    pub(super) is_stopped: bool,
    /// The earlier lines of a multi-line entry.
    pub previous_lines: String,
}

/// A completion before its place in the line is known.
#[derive(Clone)]
pub(super) struct Candidate {
    pub text: String,
    pub kind: CompletionKind,
    pub detail: Option<String>,
}

impl Candidate {
    pub fn new(kind: CompletionKind, text: impl Into<String>) -> Candidate {
        Candidate {
            text: text.into(),
            kind,
            detail: None,
        }
    }

    pub fn with_detail(self, detail: impl Into<String>) -> Candidate {
        Candidate {
            detail: Some(detail.into()),
            ..self
        }
    }
}

impl CompletionContext {
    /// The context of the next line of a session.
    pub fn new(session: &Session) -> CompletionContext {
        let program = session.target.program();
        let language = session.target.language();
        let definitions = language
            .definitions(program)
            .into_iter()
            .map(|d| Candidate::new(CompletionKind::Definition, d.name).with_detail(d.signature));
        let globals = program
            .globals
            .iter()
            .filter(|g| g.is_user_defined)
            .map(|g| Candidate::new(CompletionKind::Variable, g.name.to_string()));
        let mut names: Vec<Candidate> = definitions.chain(globals).collect();
        let kinds = program.piece_kinds.iter().map(|k| k.name);
        let mut quoted: Vec<Candidate> = kinds
            .chain(program.owners.iter().copied())
            .map(|name| Candidate::new(CompletionKind::Quoted, name.to_string()))
            .collect();
        let view = session.target.view(Viewport::NONE);
        let variables = session.target.named_values().variables;
        let fields = fields(&variables, &view.aliases);
        // Anything with fields can be named.
        let owners = fields.iter().map(|(owner, _)| owner.clone());
        names.extend(owners.map(|owner| Candidate::new(CompletionKind::Variable, owner)));
        for list in [&mut names, &mut quoted] {
            list.retain(|n| !n.text.is_empty());
            list.sort_by(|a, b| a.text.cmp(&b.text));
            list.dedup_by(|a, b| a.text == b.text);
        }
        let board = view.board.map(|b| (b.rows, b.cols, b.origin));
        CompletionContext {
            language,
            host: session.host().clone(),
            names,
            fields,
            quoted,
            board,
            is_stopped: session.target.is_stopped(),
            previous_lines: String::new(),
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
        let is_first_line = self.previous_lines.is_empty();
        line.starts_with(':') && (is_first_line || !line.starts_with(": "))
            || is_first_line && self.is_stopped && command::find(word).is_ok()
    }

    /// The arguments of the command or built-in that was just typed.
    pub fn usage(&self, line: &str) -> Option<String> {
        if self.is_command(line) {
            let body = line.trim_start().trim_start_matches(':');
            let word = body.strip_suffix(' ').filter(|w| !w.contains(' '))?;
            return command::find(word)
                .ok()
                .map(|c| c.usage.to_string())
                .filter(|u| !u.is_empty());
        }
        let word = line.strip_suffix(['{', '('])?.trim_end();
        let open = line.chars().last()?;
        let builtins = self.language.info().builtins.iter();
        let arguments = builtins.filter_map(|(name, help)| {
            let is_whole_word = word
                .strip_suffix(name)
                .is_some_and(|b| !b.ends_with(|c: char| c.is_alphanumeric()));
            help.strip_prefix(name)
                .and_then(|h| h.strip_prefix(open))
                .filter(|_| is_whole_word)
        });
        arguments
            .take(1)
            .find_map(|rest| rest.split_once(':'))
            .map(|(arguments, _)| arguments.to_string())
            .filter(|a| a.len() > 1)
    }
}

/// All pairs of owner and field, also for aliases of the owner.
fn fields(variables: &[(String, Value)], aliases: &[(String, String)]) -> Vec<(String, String)> {
    let dotted = variables
        .iter()
        .filter_map(|(name, _)| name.split_once('.'));
    let mut fields = Vec::new();
    for (owner, field) in dotted {
        let aliases = aliases
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
