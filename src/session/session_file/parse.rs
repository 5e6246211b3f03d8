//! The line-by-line parser of session files. For a journal that a crash cut short or that is damaged,
//! it returns the longest intact prefix.

use super::exercise::{ExerciseLine, OpenExercise};
use super::{
    Checksum, Ending, NoEffect, PreludeRef, ProgramRef, RecordedQuestion, SessionFile,
    SessionInput, SessionItem, parse_fence,
};

/// The part of the file that the next line belongs to.
enum Section {
    Head,
    /// Between `--- prelude NAME` and `--- end`.
    Prelude(Block),
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

pub(super) struct Parser {
    pub(super) file: SessionFile,
    section: Section,
    /// The exercise that the next line belongs to.
    exercise: Option<OpenExercise>,
    line_number: usize,
}

/// Parses a complete session file. The error message includes the line number.
pub fn parse(text: &str) -> Result<SessionFile, String> {
    let mut parser = Parser::new();
    for (n, line) in text.lines().enumerate() {
        parser
            .push_line(line.trim_end_matches('\r'))
            .map_err(|message| format!("line {}: {message}", n + 1))?;
    }
    let mut file = parser.finish()?;
    // Only a journal says what need not run: a session file is a test.
    file.inputs_mut().for_each(|input| input.no_effect = None);
    Ok(file)
}

/// What can be read of a journal.
pub struct JournalText {
    /// Its longest intact prefix; `None` if not even its header is complete.
    pub intact: Option<IntactPrefix>,
    /// Whether the rest is damaged, rather than cut short.
    pub is_damaged: bool,
}

/// The longest intact prefix of a journal.
pub struct IntactPrefix {
    /// What it contains.
    pub file: SessionFile,
    /// Its length in bytes.
    pub length: usize,
    /// The checksum of its end, after the last line with a checksum.
    pub checksum: Checksum,
    /// Whether it has checksums.
    pub is_checked: bool,
}

/// The longest character in UTF-8.
const MAX_CHAR_BYTES: usize = 4;

/// Reads a journal as far as it is intact. There is a checksum after each item, or only a blank line
/// if an earlier version wrote it; an item without that was cut short and is left out.
pub fn parse_intact_prefix(bytes: &[u8]) -> JournalText {
    let valid = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let (mut parser, mut offset, mut intact) = (Parser::new(), 0, None);
    let mut is_damaged = bytes.contains(&0) || bytes.len() - valid.len() >= MAX_CHAR_BYTES;
    let (mut checksum, mut has_checksums) = (Checksum::default(), false);
    for line in valid.split_inclusive('\n').filter(|l| l.ends_with('\n')) {
        let bare = line.trim_end_matches(['\n', '\r']);
        let is_checksum = matches!(parser.section, Section::Body) && Checksum::is_line(bare);
        let is_intact = match is_checksum {
            true => bare == checksum.to_line(),
            false => !bare.contains('\0') && parser.push_line(bare).is_ok(),
        };
        if !is_intact {
            is_damaged = true;
            break;
        }
        offset += line.len();
        has_checksums |= is_checksum;
        match is_checksum {
            true => checksum = Checksum::default(),
            false => checksum.update(line.as_bytes()),
        }
        let is_end = match has_checksums {
            true => is_checksum || bare == "^Q",
            false => bare.is_empty() || is_ending(bare),
        };
        if is_end && matches!(parser.section, Section::Body) {
            let ending = parser.file.ending.clone();
            intact = Some((parser.file.items.len(), ending, offset, checksum));
        }
    }
    let intact = intact.map(|(items, ending, length, checksum)| {
        let mut file = parser.file;
        file.items.truncate(items);
        file.ending = ending;
        file.trim_replies();
        IntactPrefix {
            file,
            length,
            checksum,
            is_checked: has_checksums,
        }
    });
    // A checksum that was not recognized is part of a text whose end is damaged.
    let length = intact.as_ref().map_or(0, |intact| intact.length);
    is_damaged |= valid[length..].contains(Checksum::MARKER);
    JournalText { intact, is_damaged }
}

/// Whether a line says how a journal ends.
fn is_ending(line: &str) -> bool {
    line.starts_with('~') || line == "^Q"
}

impl Parser {
    pub(super) fn new() -> Parser {
        Parser {
            file: SessionFile {
                seed: 1,
                ..SessionFile::default()
            },
            section: Section::Head,
            exercise: None,
            line_number: 0,
        }
    }

    /// Continues after these items.
    pub(super) fn in_body(file: SessionFile) -> Parser {
        Parser {
            file,
            section: Section::Body,
            ..Parser::new()
        }
    }

    pub(super) fn push_line(&mut self, line: &str) -> Result<(), String> {
        self.line_number += 1;
        match &mut self.section {
            Section::Prelude(block) | Section::Program(block) | Section::File(block) => {
                if !block.push_line(line) {
                    self.close_block();
                }
                Ok(())
            }
            Section::Head => self.head(line),
            Section::Body => match &mut self.exercise {
                Some(exercise) => match exercise.push_line(line)? {
                    ExerciseLine::Stored => Ok(()),
                    ExerciseLine::Item => self.body(line),
                    ExerciseLine::End => {
                        let exercise = self.exercise.take().map(OpenExercise::finish);
                        let item = exercise.map(|e| SessionItem::Exercise(Box::new(e)));
                        self.file.items.extend(item);
                        Ok(())
                    }
                },
                None => self.body(line),
            },
        }
    }

    /// Stores the block that has just ended.
    fn close_block(&mut self) {
        match std::mem::replace(&mut self.section, Section::Body) {
            Section::Prelude(Block { name, text, .. }) => {
                self.section = Section::Head;
                let text = Some(text);
                self.file.preludes.push(PreludeRef { name, text });
            }
            Section::Program(Block { name, text, .. }) => {
                self.file.program = ProgramRef::Inline { name, text }
            }
            Section::File(Block { name, text, .. }) => {
                let items = items_of(&mut self.file, &mut self.exercise);
                if let Some(SessionItem::Input(input)) = items.last_mut() {
                    input.files_read.push((name, text));
                }
            }
            Section::Head | Section::Body => {}
        }
    }

    pub(super) fn finish(mut self) -> Result<SessionFile, String> {
        if !matches!(self.section, Section::Head) {
            self.close_block();
        }
        if self.file.language.is_empty() {
            return Err("missing `language NAME`".into());
        }
        if let Some(exercise) = self.exercise {
            return Err(exercise.unfinished());
        }
        self.file.trim_replies();
        Ok(self.file)
    }

    pub(super) fn head(&mut self, line: &str) -> Result<(), String> {
        if let Some((dashes, name)) = parse_fence(line, "prelude") {
            self.section = Section::Prelude(Block::new(dashes, name, "end"));
            return Ok(());
        }
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
            "prelude" => file.preludes.push(PreludeRef {
                name: value,
                text: None,
            }),
            "from" => file.program_path = Some(value),
            "errors" if value == "stop" => file.stops_on_errors = true,
            "seed" => {
                file.seed = value
                    .parse()
                    .map_err(|_| format!("expected a whole number as the seed, found `{value}`"))?
            }
            _ => {
                return Err(format!(
                    "expected `language`, `seed`, `prelude`, `program` or `--- session`, found `{line}`"
                ));
            }
        }
        Ok(())
    }

    /// Parses a line after `--- session`.
    fn body(&mut self, line: &str) -> Result<(), String> {
        if self.exercise.is_none()
            && let Some(exercise) = OpenExercise::start(line, self.line_number)
        {
            self.exercise = Some(exercise?);
            return Ok(());
        }
        let items = items_of(&mut self.file, &mut self.exercise);
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
        if Checksum::is_line(line) {
            return Ok(());
        }
        if let Some(text) = after(">") {
            items.push(input(text, false));
            self.file.ending = Ending::Open;
        } else if let Some(text) = after("<") {
            items.push(input(text, true));
            self.file.ending = Ending::Open;
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
        } else if let Some(rest) = after("^0") {
            let Some(input) = last_unanswered(items) else {
                return Err("`^0` belongs to an input, but there is none above".into());
            };
            let no_effect = NoEffect::parse(rest);
            let message = "`^0` needs a number of items and of the next entry, e.g. `^0 1 7`";
            input.no_effect = Some(no_effect.ok_or(message)?);
        } else if let Some(rest) = after("?") {
            let question = RecordedQuestion::parse(rest);
            match (last_unanswered(items), question) {
                (Some(input), question) if input.question.is_none() => {
                    input.question = Some(question);
                }
                (_, RecordedQuestion::Answered(text)) => {
                    items.push(SessionItem::QuestionAnswer(text));
                    self.file.ending = Ending::Open;
                }
                (_, RecordedQuestion::Open) => {
                    return Err("`?` belongs to an input, but there is none above".into());
                }
            }
        } else if after("^D").is_some() {
            items.push(SessionItem::EndOfInput);
            self.file.ending = Ending::Open;
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
        let is_load_reply = self.exercise.is_none() && self.file.items.is_empty();
        let items = items_of(&mut self.file, &mut self.exercise);
        match items.last_mut() {
            None if is_load_reply => self.file.load_reply.push(line.to_string()),
            Some(SessionItem::Input(input)) => input.reply_lines.push(line.to_string()),
            _ if line.is_empty() => {}
            None => return Err("a reply must follow an input, and the check has none yet".into()),
            Some(SessionItem::Comment(_)) => {
                return Err("a reply must follow an input, not a `#` line".into());
            }
            Some(SessionItem::EndOfInput) => {
                return Err("a reply must follow an input, not `^D`".into());
            }
            Some(SessionItem::QuestionAnswer(_)) => {
                return Err("a reply must follow an input, not `?`".into());
            }
            Some(SessionItem::Exercise(_)) => {
                return Err("a reply must follow an input, not an exercise".into());
            }
        }
        Ok(())
    }
}

/// The items that the next one is added to.
fn items_of<'p>(
    file: &'p mut SessionFile,
    exercise: &'p mut Option<OpenExercise>,
) -> &'p mut Vec<SessionItem> {
    let check = exercise.as_mut().and_then(OpenExercise::check_items);
    check.unwrap_or(&mut file.items)
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
        let intact = parse_intact_prefix(COMPLETE.as_bytes()).intact.unwrap();
        assert_eq!(
            (intact.file.items.len(), intact.length),
            (3, COMPLETE.len())
        );
        let ends: Vec<usize> = ["--- session\n\n", "--- end\n\n", "70000\n\n", "é\n\n"]
            .iter()
            .map(|end| COMPLETE.find(end).unwrap() + end.len())
            .collect();
        for cut in 0..COMPLETE.len() {
            let last_complete = ends.iter().rposition(|end| *end <= cut);
            let read = parse_intact_prefix(&COMPLETE.as_bytes()[..cut]);
            assert!(!read.is_damaged, "cut at {cut}");
            assert_eq!(
                read.intact.as_ref().map(|p| p.file.items.len()),
                last_complete,
                "cut at {cut}"
            );
            assert_eq!(
                read.intact.map(|p| p.length),
                last_complete.map(|n| ends[n])
            );
        }
    }

    #[test]
    fn zero_bytes_and_invalid_utf8_end_the_intact_prefix() {
        for damage in [
            &[&[0; 4096], &b"\n\n> 1\n\n"[..]].concat()[..],
            b"\xff\xfe\n\n",
        ] {
            let read = parse_intact_prefix(&[COMPLETE.as_bytes(), damage].concat());
            assert!(read.is_damaged);
            assert_eq!(read.intact.unwrap().length, COMPLETE.len());
        }
    }

    #[test]
    fn a_journal_ends_with_a_draft_or_a_normal_end() {
        let ending = |more: &str| {
            let text = format!("{COMPLETE}{more}");
            let IntactPrefix { file, length, .. } =
                parse_intact_prefix(text.as_bytes()).intact.unwrap();
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
