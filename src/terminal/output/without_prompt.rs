//! Answers on the command line, where there is no prompt: advice to type a command is left out.

use crate::answer::Part;
use crate::session::{Answer, Line, Session};

/// How a search was started from the command line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subcommand {
    Find,
    Explore,
    Other,
}

/// The answer as lines of text that mention no commands of the prompt.
pub(crate) fn without_commands(
    session: &Session,
    answer: &Answer,
    subcommand: Subcommand,
) -> Answer {
    let lines = crate::render::lines(answer, session.text_widths());
    let mut adapted = Answer {
        parts: Default::default(),
        ..answer.clone()
    };
    let lines = lines.iter().cloned().filter_map(|line| {
        let is_advice = line.text().trim_start().starts_with("`:");
        let adapt = |(style, text): (_, String)| (style, without_advice(&text, subcommand));
        (!is_advice).then(|| Line(line.0.into_iter().map(adapt).collect()))
    });
    adapted.parts.extend(lines.map(Part::Line));
    for diagnostic in &mut adapted.diagnostics {
        diagnostic.message = without_advice(&diagnostic.message, subcommand);
        for note in &mut diagnostic.notes {
            *note = without_advice(note, subcommand);
        }
    }
    adapted
}

/// A message without the clauses that mention commands of the prompt.
pub(crate) fn without_advice(text: &str, subcommand: Subcommand) -> String {
    let text = match subcommand {
        Subcommand::Find => {
            // The quotes around a text that is printed have to be protected from the shell.
            let printed = text.split_once("`:find print \"");
            let printed =
                printed.and_then(|(before, rest)| Some((before, rest.split_once("\"`")?)));
            let text = match printed {
                Some((before, (printed, after))) => {
                    format!("{before}`gridbug find FILE 'print \"{printed}\"'`{after}")
                }
                None => text.to_string(),
            };
            text.replace("`:find ", "`gridbug find FILE ")
        }
        Subcommand::Explore => text.replace("`turn ", "`--turn "),
        Subcommand::Other => text.to_string(),
    };
    let mut clauses = text.split("; ");
    let first = clauses.next().unwrap_or_default().to_string();
    let kept = clauses.filter(|clause| !clause.contains("`:"));
    let kept: Vec<&str> = kept.collect();
    std::iter::once(first.as_str())
        .chain(kept)
        .collect::<Vec<_>>()
        .join("; ")
}

#[cfg(test)]
mod tests {
    use super::{Subcommand, without_advice};

    #[test]
    fn clauses_with_commands_are_left_out() {
        for (text, expected) in [
            (
                "nobody to play against; `:hint` shows a best move, `:solve` a best line",
                "nobody to play against",
            ),
            ("1 action; `:moves all` lists it", "1 action"),
            (
                "a win is possible; no sooner",
                "a win is possible; no sooner",
            ),
        ] {
            assert_eq!(without_advice(text, Subcommand::Other), expected);
        }
        assert_eq!(
            without_advice("quotes, e.g. `:find print \"a\"`", Subcommand::Find),
            "quotes, e.g. `gridbug find FILE 'print \"a\"'`"
        );
        assert_eq!(
            without_advice("add `turn E`, e.g. `turn p`", Subcommand::Explore),
            "add `--turn E`, e.g. `--turn p`"
        );
    }
}
