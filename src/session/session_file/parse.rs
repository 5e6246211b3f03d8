//! Reading a session file, line by line: a whole one, or as much of a torn one as is unbroken.

use super::{ProgramRef, SessionFile, SessionInput, SessionItem, fence};

/// Where in the file the next line stands.
enum Place {
    Head,
    /// Between `--- program NAME` and `--- session`.
    Program(Block),
    Body,
    /// Between `--- file NAME` and `--- end`.
    File(Block),
}

/// Lines that stand for themselves until one ends them.
struct Block {
    name: String,
    end: String,
    text: String,
}

impl Block {
    fn new(dashes: &str, name: &str, end: &str) -> Block {
        Block {
            name: name.to_string(),
            end: format!("{dashes} {end}"),
            text: String::new(),
        }
    }

    /// Takes a line; false if it is the one that ends it.
    fn take(&mut self, line: &str) -> bool {
        if line.trim_end() == self.end {
            return false;
        }
        self.text.push_str(line);
        self.text.push('\n');
        true
    }
}

struct Parser {
    file: SessionFile,
    place: Place,
}

pub fn parse(text: &str) -> Result<SessionFile, String> {
    let mut parser = Parser::new();
    for (n, line) in text.lines().enumerate() {
        parser
            .take(line.trim_end_matches('\r'))
            .map_err(|why| format!("line {}: {why}", n + 1))?;
    }
    parser.finish()
}

/// The part of a torn file that is whole, and its length in bytes. Behind each thing typed stands a blank line: what
/// has none was not written to its end.
pub fn parse_intact_prefix(bytes: &[u8]) -> Option<(SessionFile, usize)> {
    let valid = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let (mut parser, mut at, mut whole) = (Parser::new(), 0, None);
    for line in valid.split_inclusive('\n').filter(|l| l.ends_with('\n')) {
        let bare = line.trim_end_matches(['\n', '\r']);
        if bare.contains('\0') || parser.take(bare).is_err() {
            break;
        }
        at += line.len();
        if bare.is_empty() && matches!(parser.place, Place::Body) {
            whole = Some((parser.file.items.len(), at));
        }
    }
    let (parts, length) = whole?;
    let mut file = parser.file;
    file.items.truncate(parts);
    file.trim_replies();
    Some((file, length))
}

impl Parser {
    fn new() -> Parser {
        Parser {
            file: SessionFile {
                seed: 1,
                ..SessionFile::default()
            },
            place: Place::Head,
        }
    }

    fn take(&mut self, line: &str) -> Result<(), String> {
        match &mut self.place {
            Place::Program(block) | Place::File(block) => {
                if !block.take(line) {
                    self.close();
                }
                Ok(())
            }
            Place::Head => self.head(line),
            Place::Body => self.body(line),
        }
    }

    /// A block is at its end.
    fn close(&mut self) {
        match std::mem::replace(&mut self.place, Place::Body) {
            Place::Program(Block { name, text, .. }) => {
                self.file.program = ProgramRef::Inline { name, text }
            }
            Place::File(Block { name, text, .. }) => {
                if let Some(SessionItem::Input(typed)) = self.file.items.last_mut() {
                    typed.files_read.push((name, text));
                }
            }
            Place::Head | Place::Body => {}
        }
    }

    fn finish(mut self) -> Result<SessionFile, String> {
        if !matches!(self.place, Place::Head) {
            self.close();
        }
        if self.file.language.is_empty() {
            return Err("there is no line `language NAME`".into());
        }
        self.file.trim_replies();
        Ok(self.file)
    }

    fn head(&mut self, line: &str) -> Result<(), String> {
        if let Some((dashes, name)) = fence(line, "program") {
            self.place = Place::Program(Block::new(dashes, name, "session"));
            return Ok(());
        }
        if fence(line, "session").is_some() {
            self.place = Place::Body;
            return match self.file.language.is_empty() {
                true => Err("there is no line `language NAME` before it".into()),
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
            "seed" => {
                file.seed = value
                    .parse()
                    .map_err(|_| format!("a seed is a whole number, not `{value}`"))?
            }
            _ => {
                return Err(format!(
                    "expected `language`, `seed`, `program` or `--- session`, not `{line}`"
                ));
            }
        }
        Ok(())
    }

    /// One line behind `--- session`.
    fn body(&mut self, line: &str) -> Result<(), String> {
        let parts = &mut self.file.items;
        let rest = |mark: &str| {
            line.strip_prefix(mark)
                .filter(|r| r.is_empty() || r.starts_with(' '))
        };
        let words = |rest: &str| rest.strip_prefix(' ').unwrap_or(rest).to_string();
        let typed = |text: &str, answers| {
            SessionItem::Input(SessionInput {
                text: words(text),
                is_answer: answers,
                ..SessionInput::default()
            })
        };
        if let Some(text) = rest(">") {
            parts.push(typed(text, false));
        } else if let Some(text) = rest("<") {
            parts.push(typed(text, true));
        } else if let Some(more) = rest(".") {
            let Some(typed) = unanswered(parts) else {
                return Err("`.` goes on with a typed line, and there is none before it".into());
            };
            typed.text.push('\n');
            typed.text.push_str(&words(more));
        } else if let Some(steps) = rest("^C") {
            let Some(typed) = unanswered(parts) else {
                return Err("`^C` stops what was typed, and there is nothing before it".into());
            };
            let steps = steps
                .trim()
                .parse()
                .map_err(|_| "say after how many steps: `^C 65536`".to_string())?;
            typed.interrupted_after = Some(steps);
        } else if rest("^D").is_some() {
            parts.push(SessionItem::EndOfInput);
        } else if let Some((dashes, name)) = fence(line, "file") {
            if unanswered(parts).is_none() {
                return Err(
                    "a file stands under the command that read it, and there is none".into(),
                );
            }
            self.place = Place::File(Block::new(dashes, name, "end"));
        } else if line.starts_with('#') {
            parts.push(SessionItem::Comment(line.to_string()));
        } else if line.trim().is_empty() || line.starts_with("  ") {
            return self.answer(line.strip_prefix("  ").unwrap_or("").trim_end());
        } else {
            return Err(
                "expected `> typed`, `. more`, `< answer`, `# note` or an indented answer".into(),
            );
        }
        Ok(())
    }

    fn answer(&mut self, line: &str) -> Result<(), String> {
        match self.file.items.last_mut() {
            None => self.file.load_reply.push(line.to_string()),
            Some(SessionItem::Input(typed)) => typed.reply_lines.push(line.to_string()),
            Some(SessionItem::Comment(_) | SessionItem::EndOfInput) if line.is_empty() => {}
            Some(SessionItem::Comment(_)) => {
                return Err("an answer stands behind what was typed, not behind `#`".into());
            }
            Some(SessionItem::EndOfInput) => {
                return Err("an answer stands behind what was typed, not behind `^D`".into());
            }
        }
        Ok(())
    }
}

/// What was typed last, as long as nothing was answered to it.
fn unanswered(parts: &mut [SessionItem]) -> Option<&mut SessionInput> {
    match parts.last_mut() {
        Some(SessionItem::Input(typed)) if typed.reply_lines.is_empty() => Some(typed),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = "language gridlok\nseed 1\n\n--- session\n\n> :load a.gl\n--- file a.gl\nboard {\n\n}\n--- end\n\n\
        > for {\n. x\n^C 70000\n\n> é\n\n";

    #[test]
    fn what_was_torn_is_read_as_far_as_it_is_whole() {
        let (file, length) = parse_intact_prefix(WHOLE.as_bytes()).unwrap();
        assert_eq!((file.items.len(), length), (3, WHOLE.len()));
        let ends: Vec<usize> = ["--- session\n\n", "--- end\n\n", "70000\n\n", "é\n\n"]
            .iter()
            .map(|end| WHOLE.find(end).unwrap() + end.len())
            .collect();
        for cut in 0..WHOLE.len() {
            let whole = ends.iter().rposition(|end| *end <= cut);
            let read = parse_intact_prefix(&WHOLE.as_bytes()[..cut]);
            assert_eq!(
                read.as_ref().map(|(f, _)| f.items.len()),
                whole,
                "cut at {cut}"
            );
            assert_eq!(read.map(|(_, length)| length), whole.map(|n| ends[n]));
        }
    }

    #[test]
    fn blocks_of_zeros_behind_it_are_no_part_of_it() {
        let torn = [WHOLE.as_bytes(), &[0; 4096], b"\n\n> 1\n\n"].concat();
        assert_eq!(parse_intact_prefix(&torn).unwrap().1, WHOLE.len());
        let torn = [WHOLE.as_bytes(), b"\xff\xfe\n\n"].concat();
        assert_eq!(parse_intact_prefix(&torn).unwrap().1, WHOLE.len());
    }

    #[test]
    fn files_and_stops_are_written_as_they_are_read() {
        let file = parse(WHOLE).unwrap();
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
