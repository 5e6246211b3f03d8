//! Every fenced code block in the README, in CONTRIBUTING and in the hand-written pages of `docs/` is
//! executed; a block of any other kind is an error. `GRIDBUG_UPDATE=1 cargo test --test docs pages`
//! rewrites the replies in transcripts.
//!
//! The info string of a fence says how its block is run:
//!
//! - `gridlok` (or another language): a program, or entries for an empty session; no errors allowed.
//! - `gridbug gridlok`: a transcript on the language's sample game; `gridbug gridlok empty` on nothing;
//!   `gridbug gridlok FILE` on a file of the repository; `gridbug same` continues the one before.
//! - `json gridlok [FIELD …]`: lines to type, `> …`, on the sample game, and these fields of the last
//!   answer as JSON; all fields if none is named, and of `parts:KIND,…` these kinds. `json same` continues the session before.
//! - `console`: `$ …` commands, run by the shell from the root of the repository, with the real binary
//!   in the path and a temporary home directory.
//! - `session`: a session file, which is replayed; `session DIR` with the directory of its program.
//!   `session gridlok [FILE]` is the part after `--- session`, replayed on nothing or on a program.
//!   `session inputs` is a session file without replies; no errors allowed.
//! - `sh`: commands that build and test gridbug. They are not run, but everything that they name must
//!   exist (`shell_commands.rs`).
//! - `grammar tinygame`: a grammar that accepts the same programs as the parser (`ebnf.rs`).
//! - `diff FILE`: a change of a file of the repository, which has to fit (`first_change.rs`).
//! - `text FILE`: a quotation from a file of the repository, e.g. a message that a test waits for.

use crate::json_answers::JsonProgram;
use crate::test_session::native_host;
use crate::{ebnf, first_change, json_answers, shell_commands};
use gridbug::command::replay;
use gridbug::command::{handle_line, open_sample, play_opponent, start_session};
use gridbug::languages;
use gridbug::session::session_file::{SessionFile, SessionItem};
use gridbug::session::{Session, to_plain_text};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Pages that are generated from tables and compared with them (`manual.rs`).
const GENERATED: [&str; 3] = ["commands.md", "errors.md", "languages.md"];

const CONTINUATION: &str = "... ";
const ANSWER: &str = "< ";

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn is_generated(path: &Path) -> bool {
    GENERATED.iter().any(|name| path.ends_with(name))
}

/// The README, CONTRIBUTING and all pages of `docs/` and `docs/start/`.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md"), root().join("CONTRIBUTING.md")];
    for folder in ["docs", "docs/start"] {
        let docs = std::fs::read_dir(root().join(folder)).unwrap();
        let docs = docs.map(|entry| entry.unwrap().path());
        pages.extend(docs.filter(|path| path.extension().is_some_and(|e| e == "md")));
    }
    pages.sort();
    pages
}

/// What the user types on this line, without its prompt.
enum Input<'a> {
    Entry(&'a str),
    Continuation(&'a str),
    Answer(&'a str),
}

fn input_of<'a>(session: &Session, line: &'a str) -> Option<Input<'a>> {
    let trimmed = line.trim_start();
    let language = session.target.language().info().name;
    // Whether the prompt and its number are right is seen by comparing the transcripts.
    let after_prompt = line.strip_prefix("stopped>").or_else(|| {
        let rest = line.strip_prefix(language)?.trim_start_matches('*');
        let rest = rest.trim_start_matches(' ');
        let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        rest.strip_prefix('>')
    });
    if let Some(rest) = after_prompt {
        return Some(Input::Entry(rest.strip_prefix(' ').unwrap_or(rest)));
    }
    if line.starts_with("  ") && (trimmed.starts_with(CONTINUATION) || trimmed == "...") {
        return Some(Input::Continuation(
            trimmed.strip_prefix(CONTINUATION).unwrap_or(""),
        ));
    }
    line.strip_prefix(ANSWER).map(Input::Answer)
}

/// The transcript with the current replies.
fn play(session: &mut Session, block: &[String]) -> Vec<String> {
    let mut result = Vec::new();
    let mut lines = block.iter().peekable();
    while let Some(line) = lines.next() {
        let (first, is_entry) = match input_of(session, line) {
            Some(Input::Entry(text)) => (text, true),
            Some(Input::Answer(text)) => (text, false),
            _ => continue,
        };
        let mut text = first.to_string();
        let prompt = session.prompt();
        result.push(match is_entry {
            true => format!("{prompt}{first}").trim_end().to_string(),
            false => line.clone(),
        });
        while let Some(next) = lines.peek().filter(|_| is_entry) {
            let Some(Input::Continuation(more)) = input_of(session, next) else {
                break;
            };
            text += &format!("\n{more}");
            let width = prompt.trim_end().chars().count();
            let continued = format!("{:>width$} {more}", "...");
            result.push(continued.trim_end().to_string());
            lines.next();
        }
        let mut reply = Some(handle_line(session, &text));
        while let Some(shown) = reply {
            let echo = gridbug::render::echo_lines(&shown, session.text_widths());
            result.extend(echo.iter().map(|line| line.text()));
            result.extend(to_plain_text(session, &shown));
            while result.last().is_some_and(|line| line.is_empty()) {
                result.pop();
            }
            reply = play_opponent(session);
        }
    }
    result
}

/// A session as the info string of a transcript asks for it.
fn open(info: &[&str]) -> Result<Session, String> {
    let name = info.first().ok_or("`gridbug` needs a language or `same`")?;
    let language = languages::by_name(name).ok_or(format!("unknown language `{name}`"))?;
    let mut session = Session::with_host(language, 1, native_host());
    let reply = match info[1..] {
        [] => open_sample(&mut session),
        ["empty"] => return Ok(session),
        [path] => start_session(&mut session, path, &read(path)?),
        _ => return Err("too many words in the info string".into()),
    };
    match reply.ok {
        true => Ok(session),
        false => Err(format!("{:?}", reply.diagnostics)),
    }
}

/// The text of a file of the repository.
fn read(path: &str) -> Result<String, String> {
    std::fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"))
}

/// A program is loaded whole; if that fails, it may still be entries for the prompt.
fn check_program(language: &str, text: &str) -> Result<(), String> {
    let language = languages::by_name(language).unwrap();
    let mut loaded = Session::with_host(language, 1, native_host());
    let reply = start_session(&mut loaded, "page", text);
    if reply.ok {
        return Ok(());
    }
    let mut typed = Session::with_host(language, 1, native_host());
    let entry = handle_line(&mut typed, text.trim_end());
    match entry.ok {
        true => Ok(()),
        false => Err(format!(
            "neither a program nor entries:\n{}\n{}",
            to_plain_text(&loaded, &reply).join("\n"),
            to_plain_text(&typed, &entry).join("\n")
        )),
    }
}

/// The block with the current output of its commands.
fn run_commands(block: &[String], home: &Path) -> Result<Vec<String>, String> {
    let binaries = Path::new(env!("CARGO_BIN_EXE_gridbug")).parent().unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(binaries.to_path_buf()).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(paths).unwrap();
    if !block.first().is_some_and(|line| line.starts_with("$ ")) {
        return Err("the first line is not a `$ …` command".into());
    }
    let mut result = Vec::new();
    for line in block.iter().filter(|line| line.starts_with("$ ")) {
        result.push(line.clone());
        let output = Command::new("sh")
            // A separate line, because the command may end with a comment.
            .args(["-c", &format!("exec 2>&1\n{}", &line[2..])])
            .current_dir(root())
            .env("PATH", &path)
            .env("HOME", home)
            .env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"))
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        if text.is_empty() && !output.status.success() {
            return Err(format!("`{line}` fails without a message"));
        }
        result.extend(text.lines().map(|line| line.trim_end().to_string()));
    }
    Ok(result)
}

/// The session file with the current replies.
fn update_replies(text: &str, dir: &Path) -> Result<SessionFile, String> {
    let file = SessionFile::parse(text)?;
    let replayed = replay(&file, dir, native_host())?;
    Ok(file.with_replies(replayed.entries.into_iter().map(|entry| entry.actual)))
}

fn replay_file(text: &str, dir: &Path) -> Result<Vec<String>, String> {
    let file = update_replies(text, dir)?;
    Ok(file.to_text().lines().map(str::to_string).collect())
}

/// Replays the lines after `--- session`, without showing the reply to loading the program.
fn replay_excerpt(
    language: &str,
    program: Option<&str>,
    text: &str,
) -> Result<Vec<String>, String> {
    let program = program.map_or(String::new(), |path| format!("program {path}\n"));
    let header = format!("language {language}\nseed 1\n{program}\n--- session\n");
    let mut file = update_replies(&format!("{header}{text}"), root())?;
    let is_input = |item: &SessionItem| matches!(item, SessionItem::Input(_));
    if !file.items.iter().any(is_input) {
        return Err("an excerpt of a session file needs an input".into());
    }
    file.load_reply.clear();
    let text = file.to_text();
    let lines = text.lines().skip_while(|line| *line != "--- session");
    Ok(lines.skip(2).map(str::to_string).collect())
}

/// Checks a session file whose replies are still missing.
fn check_inputs(text: &str) -> Result<Vec<String>, String> {
    let file = SessionFile::parse(text)?;
    let has_reply = |item: &SessionItem| match item {
        SessionItem::Input(input) => !input.reply_lines.is_empty(),
        _ => false,
    };
    if !file.load_reply.is_empty() || file.items.iter().any(has_reply) {
        return Err("`session inputs` has no replies; use `session`".into());
    }
    for entry in replay(&file, root(), native_host())?.entries {
        if entry.actual.iter().any(|line| line.starts_with("error")) {
            return Err(format!("{}: {}", entry.input, entry.actual.join("\n")));
        }
    }
    Ok(file.to_text().lines().map(str::to_string).collect())
}

/// Checks that the words of a block occur in a file, apart from line breaks and comment markers.
fn check_quotation(path: &str, text: &str) -> Result<(), String> {
    let words = |text: &str| {
        let words = text.split_whitespace();
        let words = words.filter(|word| !["//", "//!", "///", "#"].contains(word));
        words.collect::<Vec<_>>().join(" ")
    };
    match words(&read(path)?).contains(&words(text)) && !words(text).is_empty() {
        true => Ok(()),
        false => Err(format!("{path} has no such text")),
    }
}

/// Executes the blocks of one page.
struct PageRunner {
    /// The home directory of `console` blocks.
    home: PathBuf,
    /// The session that `gridbug same` continues.
    session: Option<Session>,
    /// The program that `json same` continues.
    json_program: Option<JsonProgram>,
    is_generated: bool,
}

impl PageRunner {
    /// Executes a block and returns its current text.
    fn run(&mut self, info: &str, block: &[String]) -> Result<Vec<String>, String> {
        let text = format!("{}\n", block.join("\n"));
        let words: Vec<&str> = info.split_whitespace().collect();
        let is_language = |name: &str| languages::by_name(name).is_some();
        match words.as_slice() {
            ["text"] if self.is_generated => {
                let is_sample = |sample: &str| sample.trim_end() == text.trim_end();
                match languages::ALL.iter().any(|l| is_sample(l.info().sample)) {
                    true => Ok(block.to_vec()),
                    false => Err("not the sample game of a language".into()),
                }
            }
            ["gridbug", "same"] => {
                let session = self.session.as_mut().ok_or("no session before")?;
                Ok(play(session, block))
            }
            ["gridbug", rest @ ..] => {
                let session = self.session.insert(open(rest)?);
                Ok(play(session, block))
            }
            ["json", "same", fields @ ..] => {
                let program = self.json_program.as_mut().ok_or("no program before")?;
                json_answers::play(program, block, fields)
            }
            ["json", name, rest @ ..] if is_language(name) => {
                let language = languages::by_name(name).unwrap();
                let (program, fields) = match rest {
                    ["empty", fields @ ..] => (JsonProgram::empty(language, &self.home)?, fields),
                    fields => (JsonProgram::with_sample(language, &self.home)?, fields),
                };
                json_answers::play(self.json_program.insert(program), block, fields)
            }
            ["console"] => run_commands(block, &self.home),
            ["session"] => replay_file(&text, root()),
            ["session", "inputs"] => check_inputs(&text),
            ["session", language] if is_language(language) => replay_excerpt(language, None, &text),
            ["session", language, path] if is_language(language) => {
                replay_excerpt(language, Some(path), &text)
            }
            ["session", dir] if root().join(dir).is_dir() => replay_file(&text, &root().join(dir)),
            ["sh"] => shell_commands::check(root(), &text).map(|()| block.to_vec()),
            ["grammar", name] => ebnf::check(root(), name, &text).map(|()| block.to_vec()),
            ["diff", path] => first_change::changed(path, &text).map(|_| block.to_vec()),
            ["text", path] => check_quotation(path, &text).map(|()| block.to_vec()),
            [language] if is_language(language) => {
                check_program(language, &text).map(|()| block.to_vec())
            }
            _ => Err(format!(
                "unknown kind of block `{info}`; tests/docs/pages.rs lists the kinds that are executed"
            )),
        }
    }
}

/// A page after all its blocks were executed.
struct CheckedPage {
    /// With the current replies.
    text: String,
    /// The blocks whose replies have changed.
    stale: Vec<String>,
    errors: Vec<String>,
}

fn check_page(name: &str, text: &str) -> CheckedPage {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("pages")
        .join(name);
    let _ = std::fs::remove_dir_all(&home);
    std::fs::create_dir_all(&home).unwrap();
    let mut runner = PageRunner {
        home,
        session: None,
        json_program: None,
        is_generated: is_generated(Path::new(name)),
    };
    let (mut page, mut stale, mut errors) = (Vec::new(), Vec::new(), Vec::new());
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let at = format!("{name}:{}", number + 1);
        page.push(line.to_string());
        let Some(info) = line.strip_prefix("```") else {
            // Other ways to write a code block would not be executed.
            let start = line.trim_start_matches([' ', '\t', '>', '-', '*']);
            if start.starts_with("```") || start.starts_with("~~~") {
                errors.push(format!(
                    "{at}: start a code block with ``` in the first column"
                ));
            }
            if line.starts_with("    gridlok> ") && !runner.is_generated {
                errors.push(format!("{at}: use a ```gridbug fence"));
            }
            continue;
        };
        let mut block = Vec::new();
        let is_closed = loop {
            match lines.next() {
                Some((_, "```")) => break true,
                Some((_, line)) => block.push(line.to_string()),
                None => break false,
            }
        };
        if !is_closed {
            errors.push(format!("{at}: this block has no closing ```"));
        }
        let now = runner.run(info, &block).unwrap_or_else(|error| {
            errors.push(format!("{at}: {error}"));
            block.clone()
        });
        if now != block {
            stale.push(format!(
                "{at}\n-- page\n{}\n-- now\n{}",
                block.join("\n"),
                now.join("\n")
            ));
        }
        page.extend(now);
        if is_closed {
            page.push("```".to_string());
        }
    }
    CheckedPage {
        text: page.join("\n") + "\n",
        stale,
        errors,
    }
}

#[test]
fn every_code_block_in_the_pages_is_true() {
    let updates = std::env::var_os("GRIDBUG_UPDATE").is_some();
    let (mut stale, mut errors) = (Vec::new(), Vec::new());
    for path in pages() {
        let name = path.strip_prefix(root()).unwrap().display().to_string();
        let text = std::fs::read_to_string(&path).unwrap();
        let checked = check_page(&name, &text);
        if updates && checked.text != text {
            std::fs::write(&path, checked.text).unwrap();
        }
        stale.extend(checked.stale);
        errors.extend(checked.errors);
    }
    assert!(errors.is_empty(), "{}", errors.join("\n\n"));
    assert!(
        updates || stale.is_empty(),
        "GRIDBUG_UPDATE=1 cargo test --test docs pages rewrites these replies:\n{}",
        stale.join("\n\n")
    );
}

/// The errors of a page with one block.
fn errors_of(name: &str, info: &str, block: &str) -> Vec<String> {
    check_page(name, &format!("```{info}\n{block}\n```\n")).errors
}

#[test]
fn a_block_that_is_not_executed_is_an_error() {
    for info in [
        "",
        "text",
        "txt",
        "json",
        "rust",
        "bash",
        "shell",
        "sh extra",
        "console extra",
        "python",
        "gridlok extra",
        "grammar",
        "`",
        "`text",
        " text",
        "session inputs more",
    ] {
        let errors = errors_of("unknown-blocks.md", info, "words");
        assert!(
            errors.len() == 1 && errors[0].contains("unknown kind of block"),
            "{info}: {errors:?}"
        );
    }
    for text in [
        "~~~\na\n~~~",
        "  ```text\n  a\n  ```",
        "- ```text\n  a\n",
        "> ```\n> a\n",
    ] {
        let errors = check_page("unknown-blocks.md", text).errors;
        assert!(!errors.is_empty(), "{text}");
    }
    let unclosed = check_page("unknown-blocks.md", "```gridlok\ndef n {1}\n").errors;
    assert!(unclosed[0].contains("no closing"), "{unclosed:?}");
}

#[test]
fn a_block_that_is_wrong_is_an_error() {
    for (info, block, message) in [
        ("gridlok", "def n {", "neither a program nor entries"),
        ("gridbug", "", "needs a language"),
        ("gridbug same", "gridlok> 1", "no session before"),
        (
            "gridbug klingon",
            "klingon> 1",
            "unknown language `klingon`",
        ),
        ("gridbug gridlok no-such-file.gl", "", "no-such-file.gl"),
        ("console", "gridbug man", "not a `$ …` command"),
        ("console", "$ false", "fails without a message"),
        ("session", "seed 1", "missing `language NAME`"),
        ("session gridlok", "1 + 1", "expected `> input`"),
        ("session gridlok", "# Nothing.", "needs an input"),
        (
            "session inputs",
            "language gridlok\nseed 1\n\n--- session\n\n> 1\n  = 1",
            "no replies",
        ),
        (
            "session inputs",
            "language gridlok\nseed 1\n\n--- session\n\n> clik{}",
            "unknown name",
        ),
        ("text Cargo.toml", "no such text here", "has no such text"),
        ("text no-such-file", "a", "no-such-file"),
        ("sh", "cargo tset", "tset"),
        ("grammar tinygame", "program = { entity }", "entity"),
    ] {
        let errors = errors_of("wrong-blocks.md", info, block);
        assert!(
            errors.len() == 1 && errors[0].contains(message),
            "{info}: {errors:?}"
        );
    }
}

#[test]
fn a_reply_that_has_changed_is_found_and_replaced() {
    for (info, block, current) in [
        (
            "gridbug gridlok empty",
            "gridlok 1> 6 * 7\n= 41",
            "gridlok 1> 6 * 7\n= 42",
        ),
        (
            "gridbug gridlok empty",
            "gridlok> fun f() {\n     ... return 1 }\ndefined function f\ngridlok 7> f{}\n= 1",
            "gridlok 1> fun f() {\n       ... return 1 }\ndefined function f\ngridlok 2> f{}\n= 1",
        ),
        (
            "console",
            "$ echo a   # comment\nb",
            "$ echo a   # comment\na",
        ),
        ("session gridlok", "> 6 * 7\n  = 41", "> 6 * 7\n  = 42"),
    ] {
        let page = |block: &str| format!("```{info}\n{block}\n```\n");
        let checked = check_page("changed-replies.md", &page(block));
        assert_eq!(checked.text, page(current));
        assert!(checked.stale.len() == 1 && checked.errors.is_empty());
        assert!(
            check_page("changed-replies.md", &page(current))
                .stale
                .is_empty()
        );
    }
}
