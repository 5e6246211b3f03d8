//! Per-language help for newcomers: suggestions for the start screen and the steps of the tour.

use super::{ForeignSyntax, ForeignSyntaxNotes};

/// Suggestions in the syntax of one language.
#[derive(Debug)]
pub struct Guide {
    /// A move that works in every game with a board; empty if there is none.
    pub sample_move: &'static str,
    /// Good first breakpoints, best first. Each matches every definition whose name starts or ends
    /// with it.
    pub breakpoints: &'static [&'static str],
    /// Blocks worth a dry run (`:step NAME`), best first.
    pub dry_runs: &'static [&'static str],
    /// Entries to try in an empty session, each with what it does.
    pub first_entries: &'static [(&'static str, &'static str)],
    /// The constructs of the language, each with a description. Typed one after the other they make
    /// a small game.
    pub syntax_examples: &'static [(&'static str, &'static str)],
    /// (Command, example) for the sample game, overriding the example in the command table.
    pub command_examples: &'static [(&'static str, &'static str)],
    /// How to write what other programming languages write differently.
    pub foreign_syntax: ForeignSyntaxNotes,
    /// Every keyword that is not a built-in, with one line of help.
    pub word_help: &'static [(&'static str, &'static str)],
    /// The guided tour through the sample game.
    pub tour: &'static [TourStep],
    /// The built-in games, the sample game first.
    pub examples: &'static [ExampleGame],
    /// The lessons of the course, in order: the texts of session files.
    pub lessons: &'static [&'static str],
    /// What `gridbug new` writes: a small game with comments.
    pub template: &'static str,
}

impl Guide {
    /// No suggestions.
    pub const EMPTY: Guide = Guide {
        sample_move: "",
        breakpoints: &[],
        dry_runs: &[],
        first_entries: &[],
        syntax_examples: &[],
        command_examples: &[],
        foreign_syntax: &[],
        word_help: &[],
        tour: &[],
        examples: &[],
        lessons: &[],
        template: "",
    };

    /// What the text says; the rest is empty.
    pub fn from_text(text: GuideText) -> Guide {
        Guide {
            first_entries: text.rows("first entries"),
            syntax_examples: text.rows("syntax"),
            command_examples: text.rows("commands"),
            foreign_syntax: text.foreign_syntax(),
            word_help: text.rows("words"),
            tour: text.tour(),
            ..Guide::EMPTY
        }
    }
}

/// Tables for users as a text, after some words about it. `[name]` begins a table; blank lines separate
/// tables. A row is a line with two or more spaces between its parts. `[keywords]` is a list of words.
/// In `[foreign syntax]`, a note may be about several constructs, separated by commas. The steps of
/// `[tour]`, which is the last table, are paragraphs: the text, `> ` and the line to type, `< ` and a
/// part of the reply.
#[derive(Clone, Copy, Debug)]
pub struct GuideText(pub &'static str);

impl GuideText {
    /// The lines between the title of a table and the next title.
    fn table(self, name: &str) -> &'static str {
        let is_title = |line: &str| line.starts_with('[');
        let mut lines = self.0.split_inclusive('\n');
        let mut start = 0;
        for line in lines.by_ref() {
            start += line.len();
            let title = line.strip_prefix('[').and_then(|t| t.strip_suffix("]\n"));
            if title == Some(name) {
                break;
            }
        }
        let content = lines.take_while(|line| !is_title(line));
        &self.0[start..start + content.map(str::len).sum::<usize>()]
    }

    /// The rows of a table, empty if there is no such table. Keeps them for the rest of the process, so
    /// call it once.
    pub fn rows(self, name: &str) -> &'static [(&'static str, &'static str)] {
        let lines = self.table(name).lines().filter(|line| !line.is_empty());
        let parts = lines.map(|line| line.split_once("  ").unwrap_or((line, "")));
        let rows: Vec<_> = parts.map(|(key, text)| (key, text.trim())).collect();
        rows.leak()
    }

    /// The words of a list, empty if there is no such list. Keeps them for the rest of the process.
    pub fn words(self, name: &str) -> &'static [&'static str] {
        let words: Vec<_> = self.table(name).split_whitespace().collect();
        words.leak()
    }

    /// The built-in games: the name and the program of each. `[examples]` says what they are about.
    pub fn examples(self, games: &[(&'static str, &'static str)]) -> &'static [ExampleGame] {
        let rows = self.rows("examples");
        let about = |name| {
            rows.iter()
                .find(|row| row.0 == name)
                .map_or("", |row| row.1)
        };
        let games = games.iter().map(|&(name, text)| ExampleGame {
            name,
            about: about(name),
            text,
        });
        games.collect::<Vec<_>>().leak()
    }

    fn foreign_syntax(self) -> ForeignSyntaxNotes {
        let rows = self.rows("foreign syntax").iter();
        let notes = rows.flat_map(|&(names, note)| {
            let constructs = names.split(", ").map(ForeignSyntax::named);
            constructs.map(move |construct| Some((construct?, note)))
        });
        let notes: Vec<_> = notes.collect();
        debug_assert!(!notes.contains(&None), "an unknown construct in {notes:?}");
        notes.into_iter().flatten().collect::<Vec<_>>().leak()
    }

    fn tour(self) -> &'static [TourStep] {
        let steps = self.table("tour").trim_end().split("\n\n");
        let steps = steps.filter_map(|step| {
            let (text, answered) = step.split_once("\n> ")?;
            let (input, expected) = answered.split_once("\n< ")?;
            Some(TourStep {
                text,
                input,
                expected,
            })
        });
        steps.collect::<Vec<_>>().leak()
    }
}

/// A built-in game.
#[derive(Debug)]
pub struct ExampleGame {
    /// A short name, unique in its language.
    pub name: &'static str,
    /// What it is about, in one line.
    pub about: &'static str,
    /// The program.
    pub text: &'static str,
}

/// One step of the guided tour.
#[derive(Debug)]
pub struct TourStep {
    /// One or two sentences, already wrapped.
    pub text: &'static str,
    /// The line to type.
    pub input: &'static str,
    /// Text that the reply contains if the step worked.
    pub expected: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_rows_and_steps() {
        let text = GuideText(
            "About it.\n\n[words]\na   b: c\nd e  f\n\n[foreign syntax]\nif, loop  no\n\n[tour]\nDo\nthis.\n> a\n< = b\n\nOr that.\n> c\n< d\n",
        );
        let notes = [(ForeignSyntax::If, "no"), (ForeignSyntax::Loop, "no")];
        assert_eq!(text.foreign_syntax(), notes);
        assert_eq!(text.words("words"), ["a", "b:", "c", "d", "e", "f"]);
        assert_eq!(text.rows("words"), [("a", "b: c"), ("d e", "f")]);
        assert!(text.rows("syntax").is_empty());
        let steps = text.tour().iter().map(|s| (s.text, s.input, s.expected));
        let expected = [("Do\nthis.", "a", "= b"), ("Or that.", "c", "d")];
        assert!(steps.eq(expected));
    }
}
