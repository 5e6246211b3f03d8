//! Derives inputs from the corpus: tokens, characters and lines are inserted, replaced, deleted,
//! repeated and mixed.

use crate::corpus::Corpus;
use crate::rng::Rng;

/// A text from the corpus with up to four mutations.
pub fn mutated_text(rng: &mut Rng, corpus: &Corpus, corpora: &[Corpus]) -> String {
    let mut text = match rng.below(10) {
        0 if rng.percent(60) => rng.pick(&corpus.programs).clone(),
        0..=6 => rng.pick(&corpus.entries).clone(),
        7 => random_tokens(rng, corpus),
        8 => {
            let other = rng.pick(corpora);
            rng.pick(&other.entries).clone()
        }
        _ => format!(
            "{}\n{}",
            rng.pick(&corpus.entries),
            rng.pick(&corpus.entries)
        ),
    };
    for _ in 0..rng.below(5) {
        text = mutate(rng, corpus, &text);
    }
    text
}

/// Tokens in random order.
fn random_tokens(rng: &mut Rng, corpus: &Corpus) -> String {
    let words: Vec<&str> = (0..rng.range(1, 30))
        .map(|_| rng.pick(&corpus.tokens).as_str())
        .collect();
    words.join(if rng.percent(80) { " " } else { "" })
}

/// Applies one mutation.
pub fn mutate(rng: &mut Rng, corpus: &Corpus, text: &str) -> String {
    let at = char_boundary(rng, text);
    let (before, after) = text.split_at(at);
    match rng.below(12) {
        // Tokens.
        0..=2 => format!("{before} {} {after}", rng.pick(&corpus.tokens)),
        3 | 4 => replace_token(rng, corpus, text),
        // Characters.
        5 => format!(
            "{before}{}",
            after.chars().skip(rng.range(1, 4)).collect::<String>()
        ),
        6 => format!(
            "{before}{}{after}",
            rng.pick(&[
                'x', '0', '"', '{', '}', '(', ')', '\n', ' ', '\u{1b}', 'é', ':', '.', ','
            ])
        ),
        // Substrings.
        7 => before.to_string(),
        8 => after.to_string(),
        9 => {
            let end = char_boundary(rng, after);
            let part = &after[..end];
            format!("{before}{}{after}", part.repeat(rng.range(1, 4)))
        }
        10 => format!("{before}{}{after}", rng.pick(&corpus.entries)),
        _ => insert_nesting(rng, before, after),
    }
}

/// Inserts nested brackets or prefixes between `before` and `after`.
fn insert_nesting(rng: &mut Rng, before: &str, after: &str) -> String {
    let (open, close) = *rng.pick(&[
        ("{", "}"),
        ("(", ")"),
        ("[", "]"),
        ("if true {", "}"),
        ("-", ""),
        ("let x = 1 in ", ""),
    ]);
    // A few are deep enough to overflow the stack of an unlimited recursive parser.
    let depth = if rng.percent(2) {
        3000
    } else {
        rng.range(1, 40)
    };
    format!(
        "{before}{}1{}{after}",
        open.repeat(depth),
        close.repeat(depth)
    )
}

/// Replaces or deletes one token.
fn replace_token(rng: &mut Rng, corpus: &Corpus, text: &str) -> String {
    let tokens = corpus.language.highlight(text);
    if tokens.is_empty() {
        return rng.pick(&corpus.tokens).clone();
    }
    let (range, _) = rng.pick(&tokens);
    let replacement = if rng.percent(30) {
        ""
    } else {
        rng.pick(&corpus.tokens).as_str()
    };
    format!(
        "{}{replacement}{}",
        &text[..range.start],
        &text[range.end..]
    )
}

/// A random character boundary in the text.
fn char_boundary(rng: &mut Rng, text: &str) -> usize {
    text.floor_char_boundary(rng.below(text.len() + 1))
}

/// A session file with lines deleted, inserted, or cut in the middle.
pub fn mutated_session_file(rng: &mut Rng, files: &[String]) -> String {
    let mut lines: Vec<String> = rng.pick(files).lines().map(String::from).collect();
    for _ in 0..rng.below(8) {
        let at = rng.below(lines.len() + 1);
        match rng.below(6) {
            0 => drop(lines.drain(at.min(lines.len())..(at + rng.below(4)).min(lines.len()))),
            1 => lines.truncate(at),
            2 => {
                let other: Vec<&str> = files[rng.below(files.len())].lines().collect();
                lines.insert(at, rng.pick(&other).to_string());
            }
            3 => lines.insert(
                at,
                rng.pick(&[
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
                    let cut = char_boundary(rng, line);
                    *line = match rng.below(3) {
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
