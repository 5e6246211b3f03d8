//! Every error code: what it means, an example that produces it, and how to mend it. `:explain CODE` and the manual
//! read the same table.
//!
//! The examples are texts beside this file, a block for each code: `|` a line of a program, `$` how gridbug is started
//! if not as usual, `>` something typed (`.` its further lines), `^C` for Ctrl-C while the last of it runs; then how to
//! mend it. `«300× (»` stands for three hundred of them, with `#` for the number, `@` for
//! letters that count and `¶` for the end of a line.

use crate::languages::{ALL, by_name};
use crate::session::{Line, Reply, Session, Style};

const TEXTS: [&str; 6] = [
    include_str!("explain_error/gridlok.txt"),
    include_str!("explain_error/bogl.txt"),
    include_str!("explain_error/gridlang.txt"),
    include_str!("explain_error/tinygame.txt"),
    include_str!("explain_error/sgl2d.txt"),
    include_str!("explain_error/runtime.txt"),
];

/// One code, with all that is told of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ErrorExplanation {
    pub code: &'static str,
    /// What it means, in a line.
    pub summary: &'static str,
    /// The language of the example.
    pub language: &'static str,
    /// The lines of a program that is loaded first; may be empty.
    pub program: Vec<&'static str>,
    /// What is typed then, the last of it being the mistake if there is any.
    pub inputs: Vec<String>,
    /// How gridbug is started for it; empty if any way does.
    pub command_line: &'static str,
    /// Ctrl-C is pressed while the last of it runs.
    pub is_interrupted: bool,
    /// How to mend it.
    pub fix: Vec<&'static str>,
}

/// Every code of every language and of running programs, in the order of the languages.
pub fn error_explanations() -> Vec<ErrorExplanation> {
    let blocks: Vec<ErrorExplanation> = TEXTS
        .iter()
        .flat_map(|text| text.split("\n\n"))
        .filter_map(read)
        .collect();
    let tables = ALL
        .iter()
        .map(|l| (l.info().name, l.info().error_codes))
        .chain([("", crate::machine::CODES)]);
    let all = tables.flat_map(|(language, codes)| {
        codes
            .iter()
            .map(move |(code, meaning)| (language, *code, *meaning))
    });
    all.map(|(language, code, meaning)| {
        let told = blocks
            .iter()
            .find(|b| b.code == code)
            .cloned()
            .unwrap_or_default();
        let language = if told.language.is_empty() {
            language
        } else {
            told.language
        };
        ErrorExplanation {
            code,
            summary: meaning,
            language,
            ..told
        }
    })
    .collect()
}

/// A block of the texts.
fn read(block: &'static str) -> Option<ErrorExplanation> {
    let mut lines = block.lines().filter(|l| !l.is_empty());
    let (code, language) = lines
        .next()
        .map(|head| head.split_once(' ').unwrap_or((head, "")))?;
    let mut mistake = ErrorExplanation {
        code,
        language,
        ..ErrorExplanation::default()
    };
    for line in lines {
        let rest = line.get(2..).unwrap_or("");
        match (line.as_bytes()[0], mistake.inputs.last_mut()) {
            (b'|', _) => mistake.program.push(rest),
            (b'$', _) => mistake.command_line = rest,
            (b'^', _) => mistake.is_interrupted = true,
            (b'>', _) => mistake.inputs.push(rest.to_string()),
            (b'.', Some(entry)) => *entry = format!("{entry}\n{rest}"),
            _ => mistake.fix.push(line),
        }
    }
    Some(mistake)
}

impl ErrorExplanation {
    /// The example as it would be seen in a session; what stands there hundreds of times is begun.
    pub fn example(&self) -> Vec<String> {
        let name = by_name(self.language).map_or("gridbug", |l| l.info().name);
        let program = self.program.iter().map(|line| line.to_string());
        let started = Some(self.command_line)
            .filter(|s| !s.is_empty())
            .map(|s| format!("$ {s}"));
        let prompted = |entry: &String| {
            let more = format!("\n{:>width$} ", "...", width = name.len() + 1);
            format!("{name}> {}", entry.replace('\n', &more))
        };
        let typed: Vec<String> = self.inputs.iter().map(prompted).collect();
        let typed = typed.iter().flat_map(|t| t.lines().map(str::to_string));
        let pressed = self.is_interrupted.then(|| "^C".to_string());
        let lines = program
            .chain(started)
            .chain(typed)
            .chain(pressed)
            .map(|line| begun(&line));
        lines
            .flat_map(|line| line.lines().map(str::to_string).collect::<Vec<_>>())
            .collect()
    }

    /// The whole program, nothing left out.
    pub fn full_program(&self) -> String {
        self.program.iter().map(|line| whole(line) + "\n").collect()
    }

    /// All that is typed, nothing left out.
    pub fn full_inputs(&self) -> Vec<String> {
        self.inputs.iter().map(|entry| whole(entry)).collect()
    }
}

/// A line with all that it repeats.
fn whole(line: &str) -> String {
    repeated(line, |count, piece| {
        (0..count).map(|n| counted(piece, n)).collect()
    })
}

/// A line with the beginnings of what it repeats, and how often.
fn begun(line: &str) -> String {
    repeated(line, |count, piece| {
        let few: String = (0..2).map(|n| counted(piece, n)).collect();
        format!("{few}…{count} in all…")
    })
}

fn repeated(line: &str, write: impl Fn(usize, &str) -> String) -> String {
    let mut parts = line.split('«');
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |text, part| {
        let (inside, rest) = part.split_once('»').unwrap_or((part, ""));
        let (count, piece) = inside.split_once("× ").unwrap_or(("1", inside));
        text + &write(count.parse().unwrap_or(1), piece) + rest
    })
}

/// A piece that is repeated, as the one of this number.
fn counted(piece: &str, number: usize) -> String {
    let digit = |place: u32| char::from(b'a' + (number / 26usize.pow(place) % 26) as u8);
    let letters: String = [2, 1, 0].map(digit).iter().collect();
    piece
        .replace('#', &(number + 1).to_string())
        .replace('@', &letters)
        .replace('¶', "\n")
}

/// Tells of a code, if it is one.
pub(super) fn explain_code(session: &Session, word: &str, reply: &mut Reply) -> bool {
    let Some(mistake) = error_explanations()
        .into_iter()
        .find(|m| m.code.eq_ignore_ascii_case(word))
    else {
        return unknown(word, reply);
    };
    let whose = by_name(mistake.language)
        .map(|l| l.info())
        .filter(|a| a.name != session.language().info().name);
    let of = whose
        .map(|a| format!("   ({})", a.title))
        .unwrap_or_default();
    let head = Line::styled(Style::Strong, mistake.code)
        .with(Style::Plain, format!("  {}", mistake.summary));
    reply.line(head.with(Style::Dim, of));
    reply.lines.extend(
        mistake
            .example()
            .into_iter()
            .map(|line| Line::plain(format!("    {line}"))),
    );
    reply.lines.extend(
        mistake
            .fix
            .iter()
            .map(|line| Line::plain(format!("  {line}"))),
    );
    true
}

/// Tells of a code that is none, if it looks like one.
fn unknown(word: &str, reply: &mut Reply) -> bool {
    let Some((letters, number)) = word.split_at_checked(2) else {
        return false;
    };
    let all = error_explanations();
    let mut kin = all
        .iter()
        .filter(|m| m.code.starts_with(&letters.to_uppercase()))
        .map(|m| m.code);
    let is_number = number.len() == 3 && number.chars().all(|c| c.is_ascii_digit());
    let (Some(first), true) = (kin.next(), is_number) else {
        return false;
    };
    let last = kin.next_back().unwrap_or(first);
    reply.error(format!(
        "no error has the code {word}: they go from {first} to {last}, not all numbers are taken"
    ));
    true
}
