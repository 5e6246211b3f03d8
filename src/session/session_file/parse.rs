//! The line-by-line parser of session files. For a journal that a crash cut short, it returns the
//! longest intact prefix.

use super::{Ending, ProgramRef, SessionFile, SessionInput, SessionItem, parse_fence};

/// The part of the file that the next line belongs to.
enum Section {
    Head,
    /// Between `--- program NAME` and `--- session`.
    Program(Block),
    Body,
    /// Between `--- file NAME` and `--- end`.
    File(Block),
}

/// Verbatim lines up to an end line.
struct Block {
    name: String,
    end_line: String,
    text: String,
}

impl Block {
    fn new(dashes: &str, name: &str, end: &str) -> Block {
        Block {
            name: name.to_string(),
            end_line: format!("{dashes} {end}"),
            text: String::new(),
        }
    }

    /// Adds a line; false if it is the end line.
    fn push_line(&mut self, line: &str) -> bool {
        if line.trim_end() == self.end_line {
            return false;
        }
        self.text.push_str(line);
        self.text.push('\n');
        true
    }
}

struct Parser {
    file: SessionFile,
    section: Section,
    /// What was typed of the last item before it was finished.
    draft_of_last: Ending,
}

/// Parses a complete session file. The error message includes the line number.
pub fn parse(text: &str) -> Result<SessionFile, String> {
    let mut parser = Parser::new();
    for (n, line) in text.lines().enumerate() {
        parser
            .push_line(line.trim_end_matches('\r'))
            .map_err(|message| format!("line {}: {message}", n + 1))?;
    }
    parser.finish()
}

/// The longest intact prefix of a journal, and its length in bytes. The journal writes a blank line
/// after each item, so an item without one was cut short and is left out.
pub fn parse_intact_prefix(bytes: &[u8]) -> Option<(SessionFile, usize)> {
    let valid = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let (mut parser, mut offset, mut intact) = (Parser::new(), 0, None);
    for line in valid.split_inclusive('\n').filter(|l| l.ends_with('\n')) {
        let bare = line.trim_end_matches(['\n', '\r']);
        if bare.contains('\0') || parser.push_line(bare).is_err() {
            break;
        }
        offset += line.len();
        let is_end = bare.is_empty() || is_ending(bare);
        if is_end && matches!(parser.section, Section::Body) {
            intact = Some((parser.file.items.len(), offset));
        }
    }
    let (items, length) = intact?;
    let mut file = parser.file;
    if file.items.len() > items {
        file.items.truncate(items);
        file.ending = parser.draft_of_last;
    }
    file.trim_replies();
    Some((file, length))
}

/// Whether a line says how a journal ends.
fn is_ending(line: &str) -> bool {
    line.starts_with('~') || line == "^Q"
}

/// The longest character in UTF-8.
const MAX_CHAR_BYTES: usize = 4;

/// Whether a journal without complete items is damaged, rather than cut short.
pub fn is_damaged(bytes: &[u8]) -> bool {
    let valid = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let mut parser = Parser::new();
    let mut lines = valid.split_inclusive('\n').filter(|l| l.ends_with('\n'));
    let is_cut_short = |rest: usize| rest < MAX_CHAR_BYTES;
    bytes.contains(&0)
        || !is_cut_short(bytes.len() - valid.len())
        || lines.any(|line| {
            parser
                .push_line(line.trim_end_matches(['\n', '\r']))
                .is_err()
        })
}

/// Reads what it can of a journal whose beginning is damaged: the settings and the program if they
/// are there, and the items after `--- session` or the first `> `. `None` if the language is not
/// known or there are no items.
pub fn recover(bytes: &[u8]) -> Option<SessionFile> {
    let is_intact = |line: &&str| !line.contains(['\0', char::REPLACEMENT_CHARACTER]);
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<&str> = text
        .split_inclusive('\n')
        .filter(|l| l.ends_with('\n'))
        .collect();
    let lines: Vec<&str> = lines
        .iter()
        .map(|l| l.trim_end_matches(['\n', '\r']))
        .collect();
    let is_body = |line: &&str| parse_fence(line, "session").is_some();
    let first_item = lines.iter().position(|line| line.starts_with("> "));
    let body = lines
        .iter()
        .position(is_body)
        .map(|n| n + 1)
        .or(first_item)?;
    let mut parser = Parser::new();
    // A damaged program is left out, as a part of it would be another program.
    let head = &lines[..body];
    let program = head
        .iter()
        .position(|line| parse_fence(line, "program").is_some());
    let (settings, program) = head.split_at(program.unwrap_or(head.len()));
    for line in settings.iter().filter(|line| is_intact(line)) {
        let _ = parser.head(line);
    }
    if program.iter().all(is_intact) {
        program.iter().for_each(|line| drop(parser.push_line(line)));
    }
    parser.section = Section::Body;
    for line in &lines[body..] {
        if is_intact(line) {
            let _ = parser.push_line(line);
        }
    }
    let file = parser.finish().ok()?;
    (!file.items.is_empty()).then_some(file)
}

impl Parser {
    fn new() -> Parser {
        Parser {
            file: SessionFile {
                seed: 1,
                ..SessionFile::default()
            },
            section: Section::Head,
            draft_of_last: Ending::Open,
        }
    }

    fn push_line(&mut self, line: &str) -> Result<(), String> {
        match &mut self.section {
            Section::Program(block) | Section::File(block) => {
                if !block.push_line(line) {
                    self.close_block();
                }
                Ok(())
            }
            Section::Head => self.head(line),
            Section::Body => self.body(line),
        }
    }

    /// Stores the block that has just ended.
    fn close_block(&mut self) {
        match std::mem::replace(&mut self.section, Section::Body) {
            Section::Program(Block { name, text, .. }) => {
                self.file.program = ProgramRef::Inline { name, text }
            }
            Section::File(Block { name, text, .. }) => {
                if let Some(SessionItem::Input(input)) = self.file.items.last_mut() {
                    input.files_read.push((name, text));
                }
            }
            Section::Head | Section::Body => {}
        }
    }

    fn finish(mut self) -> Result<SessionFile, String> {
        if !matches!(self.section, Section::Head) {
            self.close_block();
        }
        if self.file.language.is_empty() {
            return Err("missing `language NAME`".into());
        }
        self.file.trim_replies();
        Ok(self.file)
    }

    fn head(&mut self, line: &str) -> Result<(), String> {
        if let Some((dashes, name)) = parse_fence(line, "program") {
            self.section = Section::Program(Block::new(dashes, name, "session"));
            return Ok(());
        }
        if parse_fence(line, "session").is_some() {
            self.section = Section::Body;
            return match self.file.language.is_empty() {
                true => Err("missing `language NAME` before `--- session`".into()),
                false => Ok(()),
            };
        }
        self.setting(line)
    }

    fn setting(&mut self, line: &str) -> Result<(), String> {
        let file = &mut self.file;
        if line.starts_with('#') || line.trim().is_empty() {
            if !line.trim().is_empty() {
                file.header_comments.push(line.to_string());
            }
            return Ok(());
        }
        let (word, value) = line.split_once(' ').unwrap_or((line, ""));
        let value = value.trim().to_string();
        match word {
            "language" => file.language = value,
            "program" => file.program = ProgramRef::External(value),
            "from" => file.program_path = Some(value),
            "errors" if value == "stop" => file.stops_on_errors = true,
            "seed" => {
                file.seed = value
                    .parse()
                    .map_err(|_| format!("expected a whole number as the seed, found `{value}`"))?
            }
            _ => {
                return Err(format!(
                    "expected `language`, `seed`, `program` or `--- session`, found `{line}`"
                ));
            }
        }
        Ok(())
    }

    /// Parses a line after `--- session`.
    fn body(&mut self, line: &str) -> Result<(), String> {
        let items = &mut self.file.items;
        let after = |marker: &str| {
            line.strip_prefix(marker)
                .filter(|r| r.is_empty() || r.starts_with(' '))
        };
        let unindented = |rest: &str| rest.strip_prefix(' ').unwrap_or(rest).to_string();
        let input = |text: &str, is_answer| {
            SessionItem::Input(SessionInput {
                text: unindented(text),
                is_answer,
                ..SessionInput::default()
            })
        };
        if is_ending(line) {
            return self.ending(line);
        }
        if let Some(text) = after(">") {
            self.draft_of_last = std::mem::take(&mut self.file.ending);
            items.push(input(text, false));
        } else if let Some(text) = after("<") {
            self.file.ending = Ending::Open;
            items.push(input(text, true));
        } else if let Some(more) = after(".") {
            let Some(input) = last_unanswered(items) else {
                return Err("`.` continues an input line, but there is none above".into());
            };
            input.text.push('\n');
            input.text.push_str(&unindented(more));
        } else if let Some(steps) = after("^C") {
            let Some(input) = last_unanswered(items) else {
                return Err("`^C` interrupts an input, but there is none above".into());
            };
            let steps = steps
                .trim()
                .parse()
                .map_err(|_| "`^C` needs a number of steps, e.g. `^C 65536`".to_string())?;
            input.interrupted_after = Some(steps);
        } else if after("^D").is_some() {
            self.file.ending = Ending::Open;
            items.push(SessionItem::EndOfInput);
        } else if let Some((dashes, name)) = parse_fence(line, "file") {
            if last_unanswered(items).is_none() {
                return Err(
                    "`--- file` belongs to the command that read it, but there is none above"
                        .into(),
                );
            }
            self.section = Section::File(Block::new(dashes, name, "end"));
        } else if line.starts_with('#') {
            items.push(SessionItem::Comment(line.to_string()));
        } else if line.trim().is_empty() || line.starts_with("  ") {
            return self.reply_line(line.strip_prefix("  ").unwrap_or("").trim_end());
        } else {
            return Err(
                "expected `> input`, `. continuation`, `< answer`, `# comment` or an indented reply".into(),
            );
        }
        Ok(())
    }

    /// Parses a line that says how a journal ends.
    fn ending(&mut self, line: &str) -> Result<(), String> {
        let after = |marker: &str| {
            let rest = line.strip_prefix(marker)?;
            Some(rest.strip_prefix(' ').unwrap_or(rest))
        };
        let ending = &mut self.file.ending;
        match (line, after("~>"), after("~."), &mut *ending) {
            ("^Q", ..) => *ending = Ending::Ended,
            ("~", ..) => *ending = Ending::Open,
            (_, Some(first), ..) => *ending = Ending::Draft(first.to_string()),
            (_, _, Some(next), Ending::Draft(text)) => {
                text.push('\n');
                text.push_str(next);
            }
            _ => return Err("expected `~> line`, `~. line` or `~`".into()),
        }
        Ok(())
    }

    fn reply_line(&mut self, line: &str) -> Result<(), String> {
        match self.file.items.last_mut() {
            None => self.file.load_reply.push(line.to_string()),
            Some(SessionItem::Input(input)) => input.reply_lines.push(line.to_string()),
            Some(SessionItem::Comment(_) | SessionItem::EndOfInput) if line.is_empty() => {}
            Some(SessionItem::Comment(_)) => {
                return Err("a reply must follow an input, not a `#` line".into());
            }
            Some(SessionItem::EndOfInput) => {
                return Err("a reply must follow an input, not `^D`".into());
            }
        }
        Ok(())
    }
}

/// The last input, if it has no reply yet.
fn last_unanswered(items: &mut [SessionItem]) -> Option<&mut SessionInput> {
    match items.last_mut() {
        Some(SessionItem::Input(input)) if input.reply_lines.is_empty() => Some(input),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMPLETE: &str = "language gridlok\nseed 1\n\n--- session\n\n> :load a.gl\n--- file a.gl\nboard {\n\n}\n--- end\n\n\
        > for {\n. x\n^C 70000\n\n> é\n\n";

    #[test]
    fn a_truncated_file_parses_up_to_its_last_complete_item() {
        let (file, length) = parse_intact_prefix(COMPLETE.as_bytes()).unwrap();
        assert_eq!((file.items.len(), length), (3, COMPLETE.len()));
        let ends: Vec<usize> = ["--- session\n\n", "--- end\n\n", "70000\n\n", "é\n\n"]
            .iter()
            .map(|end| COMPLETE.find(end).unwrap() + end.len())
            .collect();
        for cut in 0..COMPLETE.len() {
            let last_complete = ends.iter().rposition(|end| *end <= cut);
            let read = parse_intact_prefix(&COMPLETE.as_bytes()[..cut]);
            assert_eq!(
                read.as_ref().map(|(f, _)| f.items.len()),
                last_complete,
                "cut at {cut}"
            );
            assert_eq!(
                read.map(|(_, length)| length),
                last_complete.map(|n| ends[n])
            );
        }
    }

    #[test]
    fn zero_bytes_and_invalid_utf8_end_the_intact_prefix() {
        let damaged = [COMPLETE.as_bytes(), &[0; 4096], b"\n\n> 1\n\n"].concat();
        assert_eq!(parse_intact_prefix(&damaged).unwrap().1, COMPLETE.len());
        let damaged = [COMPLETE.as_bytes(), b"\xff\xfe\n\n"].concat();
        assert_eq!(parse_intact_prefix(&damaged).unwrap().1, COMPLETE.len());
    }

    #[test]
    fn a_journal_ends_with_a_draft_or_a_normal_end() {
        let ending = |more: &str| {
            let text = format!("{COMPLETE}{more}");
            let (file, length) = parse_intact_prefix(text.as_bytes()).unwrap();
            (file.items.len(), file.ending, length - COMPLETE.len())
        };
        let draft = |text: &str| Ending::Draft(text.into());
        assert_eq!(ending(""), (3, Ending::Open, 0));
        assert_eq!(
            ending("~> for {\n~.\n~.  x\n"),
            (3, draft("for {\n\n x"), 18)
        );
        // A line that is cut short is left out.
        assert_eq!(ending("~> for {\n~. x"), (3, draft("for {"), 9));
        assert_eq!(ending("~> for {\n~\n"), (3, Ending::Open, 11));
        // The entry was finished, but is not complete in the journal.
        assert_eq!(ending("~> for {\n> for {\n. }\n"), (3, draft("for {"), 9));
        assert_eq!(ending("~> for {\n> for {\n. }\n\n").1, Ending::Open);
        assert_eq!(ending("^Q\n"), (3, Ending::Ended, 3));
        // It was continued.
        assert_eq!(ending("^Q\n> 1\n\n"), (4, Ending::Open, 8));
        let file = parse(&format!("{COMPLETE}~> a\n~. b\n")).unwrap();
        assert_eq!(parse(&file.to_text()).unwrap(), file);
    }

    #[test]
    fn a_damaged_beginning_is_recovered_as_far_as_possible() {
        let text = "language gridlok\nseed 7\nfrom /a.gl\n\n--- program a.gl\nboard {}\n--- session\n\n\
            > 1\n\n> for {\n. }\n\n";
        let recover_with = |damaged: &str, replacement: &[u8]| {
            let at = text.find(damaged).unwrap();
            let after = &text.as_bytes()[at + damaged.len()..];
            recover(&[&text.as_bytes()[..at], replacement, after].concat())
        };
        let intact = parse(text).unwrap();
        assert_eq!(recover_with("seed 7", b"seed 7"), Some(intact.clone()));
        let file = recover_with("seed 7", b"\0\0\0\0").unwrap();
        assert_eq!(
            file,
            SessionFile {
                seed: 1,
                ..intact.clone()
            }
        );
        // Without the program, the entries are still there.
        let without_program = SessionFile {
            program: ProgramRef::None,
            ..intact
        };
        assert_eq!(
            recover_with("board {}", b"\xff"),
            Some(without_program.clone())
        );
        assert_eq!(
            recover_with("board {}\n--- session", b"\0").unwrap(),
            without_program
        );
        assert_eq!(recover_with("language gridlok", b"\0"), None);
        assert_eq!(recover(&[0; 100]), None);
    }

    #[test]
    fn files_and_interrupts_survive_a_round_trip() {
        let file = parse(COMPLETE).unwrap();
        let SessionItem::Input(load) = &file.items[0] else {
            panic!()
        };
        assert_eq!(
            load.files_read,
            [("a.gl".to_string(), "board {\n\n}\n".to_string())]
        );
        let SessionItem::Input(stopped) = &file.items[1] else {
            panic!()
        };
        assert_eq!(
            (stopped.text.as_str(), stopped.interrupted_after),
            ("for {\nx", Some(70000))
        );
        assert_eq!(parse(&file.to_text()).unwrap(), file);
    }
}
