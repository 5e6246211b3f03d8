//! Reads what is left of a damaged journal.
//!
//! Everything before the damage is as it was. What follows is recovered too, except for items that
//! are damaged themselves and for answers to the prompts of those: a user who sees that it no longer
//! fits can undo it.

use super::parse::{Parser, parse_intact_prefix};
use super::{Checksum, SessionFile, parse_fence};

/// What was recovered of a damaged journal.
pub struct Recovered {
    /// The header and the items.
    pub file: SessionFile,
    /// The first line of each part that is left out or may be wrong.
    pub lost: Vec<String>,
}

/// Reads what it can of a journal that is damaged. `None` if the language is not known or there are
/// no items.
pub fn recover(bytes: &[u8]) -> Option<Recovered> {
    let (parser, rest, is_head_intact) = match parse_intact_prefix(bytes).intact {
        Some(intact) => {
            let rest = bytes.get(intact.length..).unwrap_or_default();
            let is_head_intact =
                intact.is_checked || !rest.starts_with(Checksum::MARKER.as_bytes());
            (Parser::in_body(intact.file), rest, is_head_intact)
        }
        None => {
            let (parser, rest) = recover_head(bytes)?;
            (parser, rest, false)
        }
    };
    let lost_head = (!is_head_intact).then(|| "the header".to_string());
    let mut recovery = Recovery {
        parser,
        lost: lost_head.into_iter().collect(),
        is_after_damage: true,
    };
    let is_checked = String::from_utf8_lossy(bytes).contains(Checksum::MARKER);
    match is_checked {
        true => recovery.read_checked(rest),
        false => recovery.read_unchecked(rest),
    }
    let file = recovery.parser.finish().ok()?;
    let lost = recovery.lost;
    (!file.items.is_empty()).then_some(Recovered { file, lost })
}

/// Reads a damaged header: the settings and the program, if they are there. Returns what follows
/// `--- session`, or else starts with the first `> `.
fn recover_head(bytes: &[u8]) -> Option<(Parser, &[u8])> {
    let lines: Vec<&[u8]> = bytes.split_inclusive(|b| *b == b'\n').collect();
    let texts: Vec<String> = lines.iter().map(|line| to_text(line)).collect();
    let is_body = |line: &String| parse_fence(line, "session").is_some();
    let first_item = || texts.iter().position(|line| line.starts_with("> "));
    let body = texts.iter().position(is_body).map(|n| n + 1);
    let body = body.or_else(first_item)?;
    let program = texts[..body].iter().position(|line| {
        ["prelude", "program"]
            .iter()
            .any(|word| parse_fence(line, word).is_some())
    });
    let (settings, program) = texts[..body].split_at(program.unwrap_or(body));
    let mut parser = Parser::new();
    for line in settings.iter().filter(|line| is_intact(line)) {
        let _ = parser.head(line);
    }
    // A damaged program is left out, as a part of it would be another program.
    if program.iter().all(|line| is_intact(line)) {
        program.iter().for_each(|line| drop(parser.push_line(line)));
    }
    let start: usize = lines[..body].iter().map(|line| line.len()).sum();
    Some((Parser::in_body(parser.file), &bytes[start..]))
}

/// A line without its end; damaged bytes are replaced.
fn to_text(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    text.trim_end_matches(['\n', '\r']).to_string()
}

fn is_intact(line: &str) -> bool {
    !line.contains(['\0', char::REPLACEMENT_CHARACTER])
}

struct Recovery {
    parser: Parser,
    lost: Vec<String>,
    /// Whether something was left out just before.
    is_after_damage: bool,
}

impl Recovery {
    /// Reads the parts whose checksum is right.
    fn read_checked(&mut self, rest: &[u8]) {
        let (mut start, mut line_start) = (0_usize, 0_usize);
        // Where parts can begin. The line break before one belongs to it if it follows a blank line.
        let mut begins = vec![0];
        for line in rest.split_inclusive(|b| *b == b'\n') {
            let text = to_text(line);
            if text.starts_with(['>', '<', '#', '^', '~', '?']) {
                begins.extend([line_start.saturating_sub(1), line_start]);
            }
            if Checksum::is_line(&text) && line.ends_with(b"\n") {
                let is_right =
                    |begin: &&usize| Checksum::of(&rest[**begin..line_start]).to_line() == text;
                let intact = begins.iter().find(is_right).copied().unwrap_or(line_start);
                self.leave_out(rest.get(start..intact).unwrap_or_default());
                self.read(&rest[intact..line_start]);
                start = line_start + line.len();
                begins = vec![start];
            }
            line_start += line.len();
        }
        let last = &rest[start..];
        self.leave_out(last.strip_suffix(b"^Q\n").unwrap_or(last));
    }

    /// Reads a part that is intact.
    fn read(&mut self, part: &[u8]) {
        let text = String::from_utf8_lossy(part);
        let is_answer = |line: &str| line.starts_with(['<', '?']) || line.starts_with("^D");
        let first = text.lines().find(|line| !line.is_empty());
        if self.is_after_damage && first.is_some_and(is_answer) {
            return self.leave_out(part);
        }
        self.is_after_damage &= first.is_none();
        for line in text.lines() {
            let _ = self.parser.push_line(line);
        }
    }

    /// Reads the lines that are intact, without checksums. The last one may have been cut short.
    fn read_unchecked(&mut self, part: &[u8]) {
        let lines = part.split_inclusive(|b| *b == b'\n');
        for line in lines.filter(|line| line.ends_with(b"\n")) {
            let text = to_text(line);
            if !is_intact(&text) || self.parser.push_line(&text).is_err() {
                self.leave_out(line);
            }
        }
    }

    fn leave_out(&mut self, part: &[u8]) {
        let text = String::from_utf8_lossy(part);
        let first = text.lines().find(|line| !line.trim().is_empty());
        self.is_after_damage |= first.is_some();
        // Only what looks like an item was one.
        self.lost.extend(first.map(|line| line.replace('\0', "")));
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ProgramRef, SessionItem, parse::parse};
    use super::*;

    /// The journal of a session with these items.
    fn journal(items: &[&str]) -> String {
        let mut text =
            "language gridlok\nseed 7\n\n--- program a.gl\nboard {}\n--- session\n\n".to_string();
        text += &format!("{}\n", Checksum::of(text.as_bytes()).to_line());
        for item in items {
            let part = format!("\n{item}");
            text += &format!("{part}{}\n", Checksum::of(part.as_bytes()).to_line());
        }
        text + "\n"
    }

    fn item_texts(file: &SessionFile) -> Vec<String> {
        let text = |item: &SessionItem| {
            let mut text = String::new();
            item.write_to(&mut text);
            text
        };
        file.items.iter().map(text).collect()
    }

    #[test]
    fn a_damaged_beginning_is_recovered_as_far_as_possible() {
        let text = "language gridlok\nseed 7\nfrom /a.gl\n\n--- program a.gl\nboard {}\n--- session\n\n\
            > 1\n\n> for {\n. }\n\n";
        let recover_with = |damaged: &str, replacement: &[u8]| {
            let at = text.find(damaged).unwrap();
            let after = &text.as_bytes()[at + damaged.len()..];
            recover(&[&text.as_bytes()[..at], replacement, after].concat()).map(|r| r.file)
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
        assert!(recover(&[0; 100]).is_none());
    }

    #[test]
    fn what_follows_a_damaged_item_is_recovered() {
        let text = journal(&["> a\n", "> b\n", "< answer\n", "> for {\n. }\n", "> c\n"]);
        let damaged = text.replace("> b\n", "> d\n");
        let read = parse_intact_prefix(damaged.as_bytes());
        assert!(read.is_damaged);
        assert_eq!(item_texts(&read.intact.unwrap().file), ["> a\n"]);
        let recovered = recover(damaged.as_bytes()).unwrap();
        // The answer was one to the item that is left out.
        assert_eq!(recovered.lost, ["> d", "< answer"]);
        assert_eq!(
            item_texts(&recovered.file),
            ["> a\n", "> for {\n. }\n", "> c\n"]
        );
    }

    /// Each single damaged byte is noticed, unless it does not matter, and costs at most two items.
    #[test]
    fn damage_is_never_silent() {
        let items = [
            "> a\n",
            "> for {\n. x\n. }\n",
            "> ask{}\n",
            "< me\n",
            "> b\n",
        ];
        let text = journal(&items);
        let header = text.find("\n> a").unwrap();
        let original = parse(&text).unwrap();
        for at in 0..text.len() {
            for flip in [0x01, 0x02, 0x10, 0x20, 0x80, 0xff] {
                let mut bytes = text.clone().into_bytes();
                bytes[at] ^= flip;
                let read = parse_intact_prefix(&bytes);
                let context = format!("byte {at} ^ {flip:#x}");
                if !read.is_damaged {
                    // The last blank line, or a carriage return.
                    let intact = read.intact.expect("a header");
                    assert_eq!(item_texts(&intact.file), items, "{context}");
                    continue;
                }
                let before = items
                    .iter()
                    .scan(header + 1, |end, item| {
                        // The blank line, the item and its checksum.
                        *end = text[*end..].find(item)? + *end + item.len() + 12;
                        Some(*end)
                    })
                    .take_while(|end| *end < at)
                    .count();
                let Some(recovered) = recover(&bytes) else {
                    assert!(at < header, "{context}: nothing recovered");
                    continue;
                };
                let found = item_texts(&recovered.file);
                assert_eq!(found[..before], items[..before], "{context}");
                assert!(
                    found.iter().all(|item| items.contains(&item.as_str())),
                    "{context}: {found:?}"
                );
                let lost = items.len() - found.len();
                assert!(lost <= 2, "{context}: {found:?}");
                assert!(
                    recovered.file == original || !recovered.lost.is_empty(),
                    "{context}: {found:?}"
                );
            }
        }
    }
}
