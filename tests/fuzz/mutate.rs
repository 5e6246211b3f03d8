//! Inputs from the corpus: its texts with tokens, characters and lines changed, taken away, doubled and mixed.

use crate::chance::Chance;
use crate::corpus::Corpus;

/// A text of a language, more or less damaged.
pub fn mutated(chance: &mut Chance, corpus: &Corpus, all: &[Corpus]) -> String {
    let mut text = match chance.below(10) {
        0 if chance.percent(60) => chance.pick(&corpus.programs).clone(),
        0..=6 => chance.pick(&corpus.entries).clone(),
        7 => soup(chance, corpus),
        8 => {
            let other = chance.pick(all);
            chance.pick(&other.entries).clone()
        }
        _ => format!(
            "{}\n{}",
            chance.pick(&corpus.entries),
            chance.pick(&corpus.entries)
        ),
    };
    for _ in 0..chance.below(5) {
        text = change(chance, corpus, &text);
    }
    text
}

/// Tokens in any order.
fn soup(chance: &mut Chance, corpus: &Corpus) -> String {
    let words: Vec<&str> = (0..chance.between(1, 30))
        .map(|_| chance.pick(&corpus.tokens).as_str())
        .collect();
    words.join(if chance.percent(80) { " " } else { "" })
}

/// One change.
pub fn change(chance: &mut Chance, corpus: &Corpus, text: &str) -> String {
    let at = place(chance, text);
    let (before, after) = text.split_at(at);
    match chance.below(12) {
        // Tokens.
        0..=2 => format!("{before} {} {after}", chance.pick(&corpus.tokens)),
        3 | 4 => replace_token(chance, corpus, text),
        // Characters.
        5 => format!(
            "{before}{}",
            after.chars().skip(chance.between(1, 4)).collect::<String>()
        ),
        6 => format!(
            "{before}{}{after}",
            chance.pick(&[
                'x', '0', '"', '{', '}', '(', ')', '\n', ' ', '\u{1b}', 'é', ':', '.', ','
            ])
        ),
        // Parts.
        7 => before.to_string(),
        8 => after.to_string(),
        9 => {
            let end = place(chance, after);
            let part = &after[..end];
            format!("{before}{}{after}", part.repeat(chance.between(1, 4)))
        }
        10 => format!("{before}{}{after}", chance.pick(&corpus.entries)),
        _ => deepened(chance, before, after),
    }
}

/// Brackets in brackets in brackets.
fn deepened(chance: &mut Chance, before: &str, after: &str) -> String {
    let (open, close) = *chance.pick(&[
        ("{", "}"),
        ("(", ")"),
        ("[", "]"),
        ("if true {", "}"),
        ("-", ""),
        ("let x = 1 in ", ""),
    ]);
    // Rarely so deep that a parser which calls itself would not come back.
    let depth = if chance.percent(2) {
        3000
    } else {
        chance.between(1, 40)
    };
    format!(
        "{before}{}1{}{after}",
        open.repeat(depth),
        close.repeat(depth)
    )
}

fn replace_token(chance: &mut Chance, corpus: &Corpus, text: &str) -> String {
    let classes = corpus.language.highlight(text);
    if classes.is_empty() {
        return chance.pick(&corpus.tokens).clone();
    }
    let (range, _) = chance.pick(&classes);
    let new = if chance.percent(30) {
        ""
    } else {
        chance.pick(&corpus.tokens).as_str()
    };
    format!("{}{new}{}", &text[..range.start], &text[range.end..])
}

/// A place between two characters.
fn place(chance: &mut Chance, text: &str) -> usize {
    text.floor_char_boundary(chance.below(text.len() + 1))
}

/// A session file with its lines mixed and some of them damaged.
pub fn lines(chance: &mut Chance, files: &[String]) -> String {
    let mut lines: Vec<String> = chance.pick(files).lines().map(String::from).collect();
    for _ in 0..chance.below(8) {
        let at = chance.below(lines.len() + 1);
        match chance.below(6) {
            0 => drop(lines.drain(at.min(lines.len())..(at + chance.below(4)).min(lines.len()))),
            1 => lines.truncate(at),
            2 => {
                let other: Vec<&str> = files[chance.below(files.len())].lines().collect();
                lines.insert(at, chance.pick(&other).to_string());
            }
            3 => lines.insert(
                at,
                chance
                    .pick(&[
                        "--- session",
                        "---- program x",
                        "> ",
                        ". more",
                        "< 1",
                        "# n",
                        "seed x",
                        "^C 5",
                        "^D",
                        "--- file x",
                        "",
                    ])
                    .to_string(),
            ),
            _ => {
                if let Some(line) = lines.get_mut(at) {
                    let cut = place(chance, line);
                    *line = match chance.below(3) {
                        0 => line[..cut].to_string(),
                        1 => line[cut..].to_string(),
                        _ => format!("{}\u{1b}é {}", &line[..cut], &line[cut..]),
                    };
                }
            }
        }
    }
    lines.join("\n")
}
