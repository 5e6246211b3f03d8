//! Completion of the line being typed: keywords, names, quoted kinds and players, fields, commands,
//! files and cells.
//!
//! ```text
//! context  a snapshot of the session for completion and highlighting
//! ```

mod context;

pub use context::CompletionContext;

use super::forms::{command_and_arguments, form_named};
use super::{ArgumentCompletion, Command, Example, HELP_PAGES, Topic, all_examples, find_example};
use crate::answer::{Completion, CompletionKind};
use crate::host::DirectoryEntry;
use crate::languages;
use context::Candidate;

/// On larger boards, cells are not offered as completions.
const MAX_COMPLETED_CELLS: u32 = 100;

/// The completions at the end of a line, which may be the beginning of a longer one. All of them
/// replace the same range.
pub fn complete(context: &CompletionContext, line: &str) -> Vec<Completion> {
    let (start, candidates) = all_candidates(context, line);
    let completion = |candidate: Candidate| Completion {
        range: start..line.len(),
        text: candidate.text,
        kind: candidate.kind,
        detail: candidate.detail,
    };
    candidates.into_iter().map(completion).collect()
}

/// The start of the word being typed, and its completions.
fn all_candidates(context: &CompletionContext, line: &str) -> (usize, Vec<Candidate>) {
    let is_first_line = context.previous_lines.is_empty();
    if context.is_command(line) {
        return command_candidates(context, line);
    }
    let (start, mut candidates) = code_candidates(context, line);
    if is_first_line && context.is_stopped && start == line.len() - line.trim_start().len() {
        candidates.extend(commands(&line[start..], ""));
    }
    (start, candidates)
}

fn command_candidates(context: &CompletionContext, line: &str) -> (usize, Vec<Candidate>) {
    let from = line.len() - line.trim_start().len();
    let body = &line[from..];
    let Some((_, rest)) = body.split_once(char::is_whitespace) else {
        let colon = if body.starts_with(':') { ":" } else { "" };
        let mut names = commands(body.trim_start_matches(':'), colon);
        let language_commands = context.language.info().commands.iter();
        names.extend(
            language_commands
                .map(|(name, ..)| Candidate::new(CompletionKind::Command, format!(":{name}")))
                .filter(|candidate| candidate.text.starts_with(body)),
        );
        return (from, names);
    };
    match command_and_arguments(body.trim_start_matches(':')) {
        Ok((command, _)) => arguments(context, command, line, rest),
        Err(_) => (line.len(), Vec::new()),
    }
}

/// The commands that start with `prefix`, each with `colon` in front.
fn commands(prefix: &str, colon: &str) -> Vec<Candidate> {
    // Forms of other commands are offered only when their names are typed.
    let is_offered = |c: &&Command| !prefix.is_empty() || form_named(c.name).is_none();
    super::all()
        .filter(|c| c.name.starts_with(prefix))
        .filter(is_offered)
        .map(|c| {
            let name = format!("{colon}{}", c.name);
            Candidate::new(CompletionKind::Command, name).with_detail(c.help)
        })
        .collect()
}

fn arguments(
    context: &CompletionContext,
    command: &Command,
    line: &str,
    rest: &str,
) -> (usize, Vec<Candidate>) {
    let rest = rest.trim_start();
    let word = rest.rsplit(char::is_whitespace).next().unwrap_or("");
    let start = line.len() - word.len();
    let list: Vec<Candidate> = match command.completion {
        ArgumentCompletion::Nothing => Vec::new(),
        ArgumentCompletion::Files => return (line.len() - rest.len(), files(context, rest)),
        ArgumentCompletion::Languages => languages::ALL
            .iter()
            .map(|l| Candidate::new(CompletionKind::Argument, l.info().name))
            .collect(),
        ArgumentCompletion::Examples => examples(context),
        ArgumentCompletion::Names => context
            .names
            .iter()
            .chain(&context.quoted)
            .cloned()
            .collect(),
        ArgumentCompletion::Locations => cells(context)
            .into_iter()
            .chain(context.names.iter().cloned())
            .collect(),
        ArgumentCompletion::Topics => topics(context),
        ArgumentCompletion::Words(words) => words
            .iter()
            .map(|word| Candidate::new(CompletionKind::Argument, *word))
            .collect(),
    };
    (start, matching(list, word))
}

/// The built-in games: by their name alone where that is enough to open them.
fn examples(context: &CompletionContext) -> Vec<Candidate> {
    let candidate = |example: Example| {
        let short = find_example(example.game.name, Some(context.language));
        let is_short = short.is_ok_and(|e| e.full_name() == example.full_name());
        let name = match is_short {
            true => example.game.name.to_string(),
            false => example.full_name(),
        };
        Candidate::new(CompletionKind::Argument, name).with_detail(example.game.about)
    };
    all_examples().map(candidate).collect()
}

/// Everything that `:help` explains.
fn topics(context: &CompletionContext) -> Vec<Candidate> {
    let topics = Topic::ALL.iter().map(|topic| topic.name());
    let pages = topics.chain(HELP_PAGES.iter().copied());
    let commands =
        super::all().map(|c| Candidate::new(CompletionKind::Command, c.name).with_detail(c.help));
    pages
        .map(|name| Candidate::new(CompletionKind::Topic, name))
        .chain(commands)
        .chain(builtins(context))
        .collect()
}

fn builtins(context: &CompletionContext) -> impl Iterator<Item = Candidate> {
    let builtins = context.language.info().builtins.iter();
    builtins.map(|(name, help)| Candidate::new(CompletionKind::Builtin, *name).with_detail(*help))
}

fn code_candidates(context: &CompletionContext, line: &str) -> (usize, Vec<Candidate>) {
    let word_start = line
        .rfind(|c: char| !(c.is_alphanumeric() || c == '_'))
        .map_or(0, |at| {
            at + line[at..].chars().next().map_or(1, char::len_utf8)
        });
    let (before, word) = line.split_at(word_start);
    if let Some(quote) = open_quote(line) {
        return (quote, matching(context.quoted.clone(), &line[quote..]));
    }
    if before.ends_with('.') {
        return (word_start, matching(fields(context, before), word));
    }
    if let Some(start) = cell_argument_start(context, line) {
        return (start, matching(cells(context), &line[start..]));
    }
    let keywords = context.language.info().keywords.iter();
    let keywords = keywords.map(|word| Candidate::new(CompletionKind::Keyword, *word));
    let builtins = builtins(context).filter(|builtin| !builtin.text.starts_with('.'));
    // Fields are only offered after a dot.
    let names = context
        .names
        .iter()
        .filter(|name| !name.text.contains('.'))
        .cloned();
    let all = keywords.chain(builtins).chain(names).collect();
    (word_start, matching(all, word))
}

/// Completions after a dot: the fields of the name before it or, if that is not a known name, all
/// known and built-in fields.
fn fields(context: &CompletionContext, before: &str) -> Vec<Candidate> {
    let path = before.trim_end_matches('.');
    let owner = path
        .rsplit(|c: char| !(c.is_alphanumeric() || c == '_'))
        .next()
        .unwrap_or("");
    let fields_of = |any_owner: bool| {
        context
            .fields
            .iter()
            .filter(move |(name, _)| any_owner || name == owner)
            .map(|(_, field)| Candidate::new(CompletionKind::Field, field))
    };
    let mut fields: Vec<Candidate> = fields_of(false).collect();
    if fields.is_empty() {
        let builtins = builtins(context).filter_map(|builtin| {
            let text = builtin.text.strip_prefix('.')?.to_string();
            Some(Candidate { text, ..builtin })
        });
        fields = builtins.chain(fields_of(true)).collect();
    }
    fields
}

/// The start of an unterminated string, after its quote.
fn open_quote(line: &str) -> Option<usize> {
    let quotes: Vec<usize> = line.match_indices('"').map(|(at, _)| at + 1).collect();
    if quotes.len() % 2 == 1 {
        quotes.last().copied()
    } else {
        None
    }
}

/// The start of the row and column in an unfinished call such as `click{1`.
fn cell_argument_start(context: &CompletionContext, line: &str) -> Option<usize> {
    let open = line.rfind(['{', '('])? + 1;
    let argument = &line[open..];
    if argument
        .chars()
        .any(|c| !(c.is_ascii_digit() || c == ',' || c == ' '))
    {
        return None;
    }
    let callee = line[..open - 1].trim_end();
    let takes_cell = |(name, help): &&(&str, &str)| {
        callee.ends_with(name)
            && help
                .strip_prefix(name)
                .is_some_and(|h| h[1..].starts_with("row, col"))
    };
    context.language.info().builtins.iter().find(takes_cell)?;
    Some(open + argument.len() - argument.trim_start().len())
}

/// All cells of the board as `row,col`, in row order; nothing for large boards.
fn cells(context: &CompletionContext) -> Vec<Candidate> {
    match context.board {
        Some((rows, cols, (row, col))) if rows.saturating_mul(cols) <= MAX_COMPLETED_CELLS => (0
            ..rows as i64)
            .flat_map(|r| (0..cols as i64).map(move |c| format!("{},{}", row + r, col + c)))
            .map(|cell| Candidate::new(CompletionKind::Cell, cell))
            .collect(),
        _ => Vec::new(),
    }
}

/// Files and directories whose path starts with `prefix`; directories end in a slash. Hidden files
/// are offered only after their dot was typed.
fn files(context: &CompletionContext, prefix: &str) -> Vec<Candidate> {
    let (dir, name) = prefix
        .rsplit_once('/')
        .map_or(("", prefix), |(dir, name)| (&prefix[..dir.len() + 1], name));
    let mut entries = context.host.list(dir);
    entries.retain(|entry| {
        let is_hidden = entry.name.starts_with('.') && !name.starts_with('.');
        entry.name.starts_with(name) && !is_hidden
    });
    let candidate = |entry: DirectoryEntry| match entry.is_directory {
        true => Candidate::new(CompletionKind::Directory, format!("{dir}{}/", entry.name)),
        false => Candidate::new(CompletionKind::File, format!("{dir}{}", entry.name)),
    };
    let mut paths: Vec<Candidate> = entries.into_iter().map(candidate).collect();
    paths.sort_by(|a, b| a.text.cmp(&b.text));
    paths
}

/// The candidates that extend `prefix`, sorted.
fn matching(mut all: Vec<Candidate>, prefix: &str) -> Vec<Candidate> {
    all.retain(|candidate| candidate.text.starts_with(prefix) && candidate.text != prefix);
    // Cells keep the order of the board.
    if !all.first().is_some_and(|c| c.text.contains(',')) {
        all.sort_by(|a, b| a.text.cmp(&b.text));
    }
    all.dedup_by(|a, b| a.text == b.text);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::MemoryHost;
    use crate::session::Session;
    use std::rc::Rc;

    fn texts(session: &Session, line: &str) -> Vec<String> {
        let completions = complete(&CompletionContext::new(session), line).into_iter();
        completions.map(|completion| completion.text).collect()
    }

    fn offered(language: &str, line: &str) -> Vec<String> {
        let language = crate::languages::by_name(language).unwrap();
        let host = Rc::new(MemoryHost::new());
        for path in ["Cargo.toml", ".hidden", "games/mines.gl", "games/old/go.gl"] {
            host.set_file(path, "");
        }
        let mut session = Session::with_host(language, 1, host);
        super::super::open_sample(&mut session);
        texts(&session, line)
    }

    #[test]
    fn fields_complete_after_their_owner() {
        assert_eq!(offered("tinygame", "set knight.h"), ["health"]);
        assert_eq!(offered("tinygame", "set wolf."), ["bite", "x", "y"]);
        assert_eq!(offered("tinygame", "move kni"), ["knight"]);
        assert_eq!(offered("gridlang", "ann.thr"), ["throws"]);
        assert_eq!(offered("gridlang", "p.thr"), ["throws"]);
        assert_eq!(offered("gridlang", "puddles[0].pos"), ["position"]);
        assert_eq!(offered("sgl2d", "player."), ["x", "y"]);
    }

    #[test]
    fn completion_depends_on_the_context() {
        let complete = |line: &str| offered("gridlok", line);
        assert_eq!(complete("chan"), ["changeType"]);
        assert_eq!(complete("place{\"fr"), ["free"]);
        assert_eq!(complete("board[0][0].v"), ["visible"]);
        assert_eq!(complete(":und"), [":undo"]);
        assert_eq!(complete(":board t"), ["truth"]);
        assert_eq!(complete("click{1"), ["1,0", "1,1", "1,2"]);
        assert_eq!(complete(":cell 2,"), ["2,0", "2,1", "2,2"]);
        assert_eq!(complete("x{min"), ["mine"]);
        assert_eq!(complete(":help insp"), ["inspecting"]);
        assert_eq!(complete(":load Cargo.to"), ["Cargo.toml"]);
        assert_eq!(complete(":lang bo"), ["bogl"]);
        assert_eq!(complete(":lang grid"), ["gridlang", "gridlok"]);
        assert_eq!(complete(":examples lights"), ["lights-out"]);
        assert_eq!(complete("zzz"), Vec::<String>::new());
    }

    #[test]
    fn files_come_from_the_host() {
        let complete = |line: &str| offered("gridlok", line);
        assert_eq!(complete(":load "), ["Cargo.toml", "games/"]);
        assert_eq!(complete(":load ."), [".hidden"]);
        assert_eq!(complete(":load games/"), ["games/mines.gl", "games/old/"]);
    }

    #[test]
    fn completions_say_what_they_replace() {
        let mut session = Session::new(crate::languages::ALL[0], 1);
        super::super::open_sample(&mut session);
        let context = CompletionContext::new(&session);
        let completions = complete(&context, "x :und");
        assert_eq!(completions, []);
        let completions = complete(&context, ":und");
        let kinds: Vec<CompletionKind> = completions.iter().map(|c| c.kind).collect();
        assert_eq!(kinds, [CompletionKind::Command]);
        assert_eq!(completions[0].range, 0..4);
        assert!(completions[0].detail.is_some());
        let completions = complete(&context, "print{chan");
        assert_eq!(completions[0].range, 6..10);
        assert_eq!(completions[0].kind, CompletionKind::Builtin);
    }
}
