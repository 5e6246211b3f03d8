//! Completion at the prompt: keywords, names, quoted kinds and players, fields, commands, files
//! and cells.

use super::completion_context::CompletionContext;
use super::output::is_terminal_control;
use crate::command::{self, ArgumentCompletion, Command, HELP_PAGES, Topic};

/// On larger boards, cells are not offered as completions.
const MAX_COMPLETED_CELLS: u32 = 100;

/// The start of the word being typed, and its completions. Names with control characters are left
/// out, because the line editor prints candidates unescaped.
pub fn candidates(context: &CompletionContext, line: &str) -> (usize, Vec<String>) {
    let (start, mut candidates) = all_candidates(context, line);
    candidates.retain(|candidate| !candidate.contains(is_terminal_control));
    (start, candidates)
}

fn all_candidates(context: &CompletionContext, line: &str) -> (usize, Vec<String>) {
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

fn command_candidates(context: &CompletionContext, line: &str) -> (usize, Vec<String>) {
    let from = line.len() - line.trim_start().len();
    let body = &line[from..];
    let Some((word, rest)) = body.split_once(char::is_whitespace) else {
        let colon = if body.starts_with(':') { ":" } else { "" };
        let mut names = commands(body.trim_start_matches(':'), colon);
        let language_commands = context
            .language
            .info()
            .commands
            .iter()
            .map(|(name, ..)| format!(":{name}"));
        names.extend(language_commands.filter(|name| name.starts_with(body)));
        return (from, names);
    };
    match command::find(word.trim_start_matches(':')) {
        Ok(command) => arguments(context, command, line, rest),
        Err(_) => (line.len(), Vec::new()),
    }
}

/// The commands that start with `prefix`, each with `colon` in front.
fn commands(prefix: &str, colon: &str) -> Vec<String> {
    command::all()
        .filter(|c| c.name.starts_with(prefix))
        .map(|c| format!("{colon}{}", c.name))
        .collect()
}

fn arguments(
    context: &CompletionContext,
    command: &Command,
    line: &str,
    rest: &str,
) -> (usize, Vec<String>) {
    let rest = rest.trim_start();
    let word = rest.rsplit(char::is_whitespace).next().unwrap_or("");
    let start = line.len() - word.len();
    let list: Vec<String> = match command.completion {
        ArgumentCompletion::Nothing => Vec::new(),
        ArgumentCompletion::Files => return (line.len() - rest.len(), files(rest)),
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
        ArgumentCompletion::Topics => {
            let topics = Topic::ALL
                .iter()
                .map(|t| t.name())
                .chain(HELP_PAGES.iter().copied());
            let builtins = context
                .language
                .info()
                .builtins
                .iter()
                .map(|(name, _)| *name);
            topics
                .chain(command::all().map(|c| c.name))
                .chain(builtins)
                .map(str::to_string)
                .collect()
        }
        ArgumentCompletion::Words(words) => words.iter().map(|w| w.to_string()).collect(),
    };
    (start, matching(list, word))
}

fn code_candidates(context: &CompletionContext, line: &str) -> (usize, Vec<String>) {
    let word_start = line
        .rfind(|c: char| !(c.is_alphanumeric() || c == '_'))
        .map_or(0, |at| {
            at + line[at..].chars().next().map_or(1, char::len_utf8)
        });
    let (before, word) = line.split_at(word_start);
    let info = context.language.info();
    if let Some(quote) = open_quote(line) {
        return (quote, matching(context.quoted.clone(), &line[quote..]));
    }
    if before.ends_with('.') {
        return (word_start, matching(fields(context, before), word));
    }
    if let Some(start) = cell_argument_start(context, line) {
        return (start, matching(cells(context), &line[start..]));
    }
    let builtins = info
        .builtins
        .iter()
        .map(|(name, _)| *name)
        .filter(|n| !n.starts_with('.'));
    let all = info
        .keywords
        .iter()
        .copied()
        .chain(builtins)
        .map(str::to_string);
    // Fields are only offered after a dot.
    let names = context
        .names
        .iter()
        .filter(|name| !name.contains('.'))
        .cloned();
    (word_start, matching(all.chain(names).collect(), word))
}

/// Completions after a dot: the fields of the name before it or, if that is not a known name, all
/// known and built-in fields.
fn fields(context: &CompletionContext, before: &str) -> Vec<String> {
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
            .map(|(_, f)| f.clone())
    };
    let mut fields: Vec<String> = fields_of(false).collect();
    if fields.is_empty() {
        let builtins = context
            .language
            .info()
            .builtins
            .iter()
            .filter_map(|(name, _)| name.strip_prefix('.'));
        fields = builtins
            .map(str::to_string)
            .chain(fields_of(true))
            .collect();
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
fn cells(context: &CompletionContext) -> Vec<String> {
    match context.board {
        Some((rows, cols, (row, col))) if rows.saturating_mul(cols) <= MAX_COMPLETED_CELLS => (0
            ..rows as i64)
            .flat_map(|r| (0..cols as i64).map(move |c| format!("{},{}", row + r, col + c)))
            .collect(),
        _ => Vec::new(),
    }
}

/// Files and directories whose path starts with `prefix`; directories end in a slash. Hidden files
/// are offered only after their dot was typed.
fn files(prefix: &str) -> Vec<String> {
    let (dir, name) = prefix
        .rsplit_once('/')
        .map_or(("", prefix), |(dir, name)| (&prefix[..dir.len() + 1], name));
    let Ok(entries) = std::fs::read_dir(if dir.is_empty() { "." } else { dir }) else {
        return Vec::new();
    };
    let mut paths: Vec<String> = entries
        .flatten()
        .filter_map(|entry| {
            let file = entry.file_name().into_string().ok()?;
            let is_hidden = file.starts_with('.') && !name.starts_with('.');
            let slash = if entry.path().is_dir() { "/" } else { "" };
            (file.starts_with(name) && !is_hidden).then(|| format!("{dir}{file}{slash}"))
        })
        .collect();
    paths.sort();
    paths
}

/// The words that extend `prefix`, sorted.
fn matching(mut all: Vec<String>, prefix: &str) -> Vec<String> {
    all.retain(|word| word.starts_with(prefix) && word != prefix);
    // Cells keep the order of the board.
    if !all.first().is_some_and(|w| w.contains(',')) {
        all.sort();
    }
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Session;

    fn complete(line: &str) -> Vec<String> {
        let mut session = Session::new(crate::languages::ALL[0], 1);
        command::open_sample(&mut session);
        candidates(&CompletionContext::new(&session, false), line).1
    }

    #[test]
    fn fields_complete_after_their_owner() {
        let offered = |language: &str, line: &str| {
            let mut session = Session::new(crate::languages::by_name(language).unwrap(), 1);
            command::open_sample(&mut session);
            candidates(&CompletionContext::new(&session, false), line).1
        };
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
        assert_eq!(complete("zzz"), Vec::<String>::new());
    }
}
