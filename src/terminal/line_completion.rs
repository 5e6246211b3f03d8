//! What may come next: keywords, names, pieces in quotes, fields, commands, files, cells.

use super::completion_context::CompletionContext;
use super::output::is_terminal_control;
use crate::command::{self, ArgumentCompletion, Command, HELP_PAGES, Topic};

/// Boards with more cells are not offered cell by cell.
const MOST_CELLS: u32 = 100;

/// Where the word begins that is being typed, and what it could become. What a game or a file is called must not reach
/// the terminal as it is: a name that would steer it is not offered.
pub fn candidates(known: &CompletionContext, line: &str) -> (usize, Vec<String>) {
    let (start, mut found) = all_candidates(known, line);
    found.retain(|candidate| !candidate.contains(is_terminal_control));
    (start, found)
}

fn all_candidates(known: &CompletionContext, line: &str) -> (usize, Vec<String>) {
    let first = known.previous_lines.is_empty();
    if known.is_command(line) {
        return of_command(known, line);
    }
    let (start, mut found) = of_language(known, line);
    if first && known.is_stopped && start == line.len() - line.trim_start().len() {
        found.extend(commands(&line[start..], ""));
    }
    (start, found)
}

fn of_command(known: &CompletionContext, line: &str) -> (usize, Vec<String>) {
    let from = line.len() - line.trim_start().len();
    let body = &line[from..];
    let Some((word, rest)) = body.split_once(char::is_whitespace) else {
        let colon = if body.starts_with(':') { ":" } else { "" };
        let mut names = commands(body.trim_start_matches(':'), colon);
        let own = known
            .language
            .info()
            .commands
            .iter()
            .map(|(name, ..)| format!(":{name}"));
        names.extend(own.filter(|name| name.starts_with(body)));
        return (from, names);
    };
    match command::find(word.trim_start_matches(':')) {
        Ok(command) => arguments(known, command, line, rest),
        Err(_) => (line.len(), Vec::new()),
    }
}

fn commands(begun: &str, colon: &str) -> Vec<String> {
    command::all()
        .filter(|c| c.name.starts_with(begun))
        .map(|c| format!("{colon}{}", c.name))
        .collect()
}

fn arguments(
    known: &CompletionContext,
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
        ArgumentCompletion::Names => known.names.iter().chain(&known.quoted).cloned().collect(),
        ArgumentCompletion::Locations => cells(known)
            .into_iter()
            .chain(known.names.iter().cloned())
            .collect(),
        ArgumentCompletion::Topics => {
            let topics = Topic::ALL
                .iter()
                .map(|t| t.name())
                .chain(HELP_PAGES.iter().copied());
            let builtins = known.language.info().builtins.iter().map(|(name, _)| *name);
            topics
                .chain(command::all().map(|c| c.name))
                .chain(builtins)
                .map(str::to_string)
                .collect()
        }
        ArgumentCompletion::Words(words) => words.iter().map(|w| w.to_string()).collect(),
    };
    (start, beginning(list, word))
}

fn of_language(known: &CompletionContext, line: &str) -> (usize, Vec<String>) {
    let word_start = line
        .rfind(|c: char| !(c.is_alphanumeric() || c == '_'))
        .map_or(0, |at| {
            at + line[at..].chars().next().map_or(1, char::len_utf8)
        });
    let (before, word) = line.split_at(word_start);
    let about = known.language.info();
    if let Some(quote) = open_quote(line) {
        return (quote, beginning(known.quoted.clone(), &line[quote..]));
    }
    if before.ends_with('.') {
        return (word_start, beginning(fields(known, before), word));
    }
    if let Some(start) = place_of_cell(known, line) {
        return (start, beginning(cells(known), &line[start..]));
    }
    let builtins = about
        .builtins
        .iter()
        .map(|(name, _)| *name)
        .filter(|n| !n.starts_with('.'));
    let all = about
        .keywords
        .iter()
        .copied()
        .chain(builtins)
        .map(str::to_string);
    // A field is offered behind its dot.
    let names = known
        .names
        .iter()
        .filter(|name| !name.contains('.'))
        .cloned();
    (word_start, beginning(all.chain(names).collect(), word))
}

/// What may follow the dot at the end: the fields of whoever stands before it, or those that anything may have.
fn fields(known: &CompletionContext, before: &str) -> Vec<String> {
    let path = before.trim_end_matches('.');
    let owner = path
        .rsplit(|c: char| !(c.is_alphanumeric() || c == '_'))
        .next()
        .unwrap_or("");
    let own = |anybody: bool| {
        known
            .fields
            .iter()
            .filter(move |(of, _)| anybody || of == owner)
            .map(|(_, f)| f.clone())
    };
    let mut found: Vec<String> = own(false).collect();
    if found.is_empty() {
        let builtins = known
            .language
            .info()
            .builtins
            .iter()
            .filter_map(|(name, _)| name.strip_prefix('.'));
        found = builtins.map(str::to_string).chain(own(true)).collect();
    }
    found
}

/// Where a quoted text begins that is not closed yet.
fn open_quote(line: &str) -> Option<usize> {
    let quotes: Vec<usize> = line.match_indices('"').map(|(at, _)| at + 1).collect();
    if quotes.len() % 2 == 1 {
        quotes.last().copied()
    } else {
        None
    }
}

/// Where the row and column begin that `click{` waits for.
fn place_of_cell(known: &CompletionContext, line: &str) -> Option<usize> {
    let open = line.rfind(['{', '('])? + 1;
    let inside = &line[open..];
    if inside
        .chars()
        .any(|c| !(c.is_ascii_digit() || c == ',' || c == ' '))
    {
        return None;
    }
    let called = line[..open - 1].trim_end();
    let takes_cell = |(name, help): &&(&str, &str)| {
        called.ends_with(name)
            && help
                .strip_prefix(name)
                .is_some_and(|h| h[1..].starts_with("row, col"))
    };
    known.language.info().builtins.iter().find(takes_cell)?;
    Some(open + inside.len() - inside.trim_start().len())
}

fn cells(known: &CompletionContext) -> Vec<String> {
    match known.board {
        Some((rows, cols, (row, col))) if rows.saturating_mul(cols) <= MOST_CELLS => (0..rows
            as i64)
            .flat_map(|r| (0..cols as i64).map(move |c| format!("{},{}", row + r, col + c)))
            .collect(),
        _ => Vec::new(),
    }
}

/// Files and folders that begin like this; folders end in a slash.
fn files(begun: &str) -> Vec<String> {
    let (folder, name) = begun
        .rsplit_once('/')
        .map_or(("", begun), |(f, n)| (&begun[..f.len() + 1], n));
    let Ok(entries) = std::fs::read_dir(if folder.is_empty() { "." } else { folder }) else {
        return Vec::new();
    };
    let mut found: Vec<String> = entries
        .flatten()
        .filter_map(|entry| {
            let file = entry.file_name().into_string().ok()?;
            let hidden = file.starts_with('.') && !name.starts_with('.');
            let slash = if entry.path().is_dir() { "/" } else { "" };
            (file.starts_with(name) && !hidden).then(|| format!("{folder}{file}{slash}"))
        })
        .collect();
    found.sort();
    found
}

fn beginning(mut all: Vec<String>, begun: &str) -> Vec<String> {
    all.retain(|word| word.starts_with(begun) && word != begun);
    // Cells stay in the order of the board.
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

    fn all(line: &str) -> Vec<String> {
        let mut session = Session::new(crate::languages::ALL[0], 1);
        command::open_sample(&mut session);
        candidates(&CompletionContext::new(&session, false), line).1
    }

    #[test]
    fn whoever_has_fields_is_asked_for_them() {
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
    fn each_place_offers_what_fits_there() {
        assert_eq!(all("chan"), ["changeType"]);
        assert_eq!(all("place{\"fr"), ["free"]);
        assert_eq!(all("board[0][0].v"), ["visible"]);
        assert_eq!(all(":und"), [":undo"]);
        assert_eq!(all(":board t"), ["truth"]);
        assert_eq!(all("click{1"), ["1,0", "1,1", "1,2"]);
        assert_eq!(all(":cell 2,"), ["2,0", "2,1", "2,2"]);
        assert_eq!(all("x{min"), ["mine"]);
        assert_eq!(all(":help loo"), ["looking"]);
        assert_eq!(all(":load Cargo.to"), ["Cargo.toml"]);
        assert_eq!(all("zzz"), Vec::<String>::new());
    }
}
