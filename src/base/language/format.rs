//! The formatter. It keeps the author's lines and changes only the white space between tokens, so
//! that it cannot change what a program means: the indentation, the spaces inside a line, the column
//! of comments at the ends of lines, and blank lines.
//!
//! ```text
//! spacing  the space between two tokens of a line
//! ```

mod spacing;

use super::{Language, ProgramText, TokenClass, compile_game};
use crate::diagnostic::Diagnostic;
use crate::source::Source;
use spacing::{Gap, gap};
use std::sync::Arc;

/// How a language is laid out.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// How lines are indented.
    pub indentation: Indentation,
    /// Operators without spaces around them.
    pub tight: &'static [&'static str],
    /// Operators that may stand before a single operand.
    pub prefix: &'static [&'static str],
    /// Operators that stand after a single operand.
    pub postfix: &'static [&'static str],
    /// Operators around which authors choose the spaces.
    pub as_written: &'static [&'static str],
    /// Words that may be followed by a single statement on the next line, without braces.
    pub headers: &'static [&'static str],
}

impl Layout {
    /// Lines are indented as the author did, with a space around every operator.
    pub const AS_WRITTEN: Layout = Layout {
        indentation: Indentation::AsWritten,
        tight: &[],
        prefix: &[],
        postfix: &[],
        as_written: &[],
        headers: &[],
    };
}

/// How lines are indented.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Indentation {
    /// By this many spaces for each level of brackets.
    Brackets(usize),
    /// As the author did.
    AsWritten,
}

/// Spaces between code and a comment at the end of its line.
const COMMENT_GAP: usize = 2;
/// Words between two operands.
const WORD_OPERATORS: [&str; 4] = ["AND", "OR", "and", "or"];
/// A tab at the start of a line moves to the next multiple of this.
const TAB_WIDTH: usize = 4;

/// A token or comment.
#[derive(Clone, Copy, Debug)]
struct Lexeme<'t> {
    start: usize,
    text: &'t str,
    class: TokenClass,
}

impl Lexeme<'_> {
    fn end(&self) -> usize {
        self.start + self.text.len()
    }

    fn is_comment(&self) -> bool {
        self.class == TokenClass::Comment
    }

    fn is_opening(&self) -> bool {
        self.class == TokenClass::Bracket && matches!(self.text, "(" | "[" | "{")
    }

    fn is_closing(&self) -> bool {
        self.class == TokenClass::Bracket && matches!(self.text, ")" | "]" | "}")
    }
}

/// A line of the result, without its indentation.
struct FormattedLine {
    /// Its line in the original text, from 0.
    origin: usize,
    is_after_blank: bool,
    indent: usize,
    code: String,
    /// A comment after the code.
    comment: Option<String>,
}

/// The text of a game that uses these preludes, or of a prelude, in the layout of its language. One
/// with errors is not formatted.
pub fn format_program(
    language: &dyn Language,
    preludes: &[Arc<Source>],
    source: &Arc<Source>,
) -> Result<String, Vec<Diagnostic>> {
    let support = language.prelude_support();
    match support.filter(|support| support.is_prelude(&source.text)) {
        Some(support) => {
            let preludes: Vec<_> = preludes.iter().chain([source]).cloned().collect();
            support.compile(&preludes, None)?
        }
        None => compile_game(language, preludes, source)?,
    };
    Ok(join(&format_lines(language, &source.text), &source.text))
}

impl ProgramText {
    /// The program in the layout of its language.
    pub fn formatted(self, language: &dyn Language) -> ProgramText {
        let lines = format_lines(language, &self.text);
        let mut line_origins = Vec::new();
        for line in &lines {
            line_origins.extend(line.is_after_blank.then_some(None));
            let line_count = line.code.split('\n').count();
            let origins = (line.origin..line.origin + line_count)
                .map(|n| self.line_origins.get(n).copied().flatten());
            line_origins.extend(origins);
        }
        ProgramText {
            text: join(&lines, &self.text),
            line_origins,
            ..self
        }
    }
}

fn lexemes<'t>(language: &dyn Language, text: &'t str) -> Vec<Lexeme<'t>> {
    let tokens = language.highlight(text).into_iter();
    tokens
        .filter_map(|(range, class)| {
            let text = text.get(range.clone())?;
            // A comment may include the end of its line.
            let text = match class {
                TokenClass::Comment => text.trim_end(),
                _ => text,
            };
            (!text.trim().is_empty()).then_some(Lexeme {
                start: range.start,
                text,
                class,
            })
        })
        .collect()
}

fn format_lines(language: &dyn Language, text: &str) -> Vec<FormattedLine> {
    let layout = language.info().layout;
    let lexemes = lexemes(language, text);
    let mut indenter = Indenter::default();
    let mut lines: Vec<FormattedLine> = Vec::new();
    let (mut origin, mut counted) = (0, 0);
    for line in split_lines(text, &lexemes) {
        let first = &line[0];
        origin += text[counted..first.start].matches('\n').count();
        counted = first.start;
        let level = indenter.level(&layout, line);
        let written = written_indent(text, first.start);
        let indent = match layout.indentation {
            Indentation::Brackets(spaces) => level * spaces,
            Indentation::AsWritten => written,
        };
        let (code, comment) = line_text(&layout, text, line, indent as isize - written as isize);
        lines.push(FormattedLine {
            origin,
            is_after_blank: !lines.is_empty() && is_after_blank(text, first.start),
            indent,
            code,
            comment,
        });
    }
    align_comments(&mut lines);
    lines
}

/// The text of the lines, with the line ends of the original.
fn join(lines: &[FormattedLine], original: &str) -> String {
    let line_end = match original.find('\n') {
        Some(n) if original[..n].ends_with('\r') => "\r\n",
        _ => "\n",
    };
    let mut text = String::with_capacity(original.len());
    for line in lines {
        if line.is_after_blank {
            text.push_str(line_end);
        }
        text.extend(std::iter::repeat_n(' ', line.indent));
        text.push_str(&line.code);
        text.push_str(line.comment.as_deref().unwrap_or(""));
        text.push_str(line_end);
    }
    text
}

/// The lexemes of each line. A lexeme of several lines belongs to its first one, with what follows it.
fn split_lines<'l, 't>(text: &str, lexemes: &'l [Lexeme<'t>]) -> Vec<&'l [Lexeme<'t>]> {
    let is_same_line =
        |a: &Lexeme<'_>, b: &Lexeme<'_>| !text[a.end()..b.start].contains(['\n', '\r']);
    lexemes.chunk_by(is_same_line).collect()
}

/// The white space between the start of a line and `start`.
fn leading_space(text: &str, start: usize) -> &str {
    let before = &text[..start];
    let line = before.rfind(['\n', '\r']).map_or(0, |n| n + 1);
    &before[line..]
}

/// The column of the first lexeme of a line.
fn written_indent(text: &str, start: usize) -> usize {
    leading_space(text, start)
        .chars()
        .fold(0, |width, c| match c {
            '\t' => width / TAB_WIDTH * TAB_WIDTH + TAB_WIDTH,
            _ => width + 1,
        })
}

/// Whether a blank line comes before the line of `start`.
fn is_after_blank(text: &str, start: usize) -> bool {
    let before = text[..start].trim_end_matches(|c: char| c.is_whitespace());
    text[before.len()..start]
        .matches('\n')
        .count()
        .max(text[before.len()..start].matches('\r').count())
        > 1
}

/// The code of a line and the comment after it. A comment of several lines is moved by `shift`.
fn line_text(
    layout: &Layout,
    text: &str,
    line: &[Lexeme<'_>],
    shift: isize,
) -> (String, Option<String>) {
    let (code, comment) = match line {
        [code @ .., last] if !code.is_empty() && last.is_comment() && !last.text.contains('\n') => {
            (code, Some(last.text.to_string()))
        }
        _ => (line, None),
    };
    let mut result = String::new();
    // For each open brace, whether its content is set off by spaces.
    let mut padded: Vec<bool> = Vec::new();
    for (n, lexeme) in code.iter().enumerate() {
        if n > 0 {
            let is_spaced = lexeme.start > code[n - 1].end();
            let is_padded = padded.last().copied().unwrap_or(is_spaced);
            match gap(layout, code, n, is_padded) {
                Gap::None => {}
                Gap::One => result.push(' '),
                Gap::AsWritten if is_spaced => result.push(' '),
                Gap::AsWritten => {}
            }
        }
        match lexeme.text {
            "{" if lexeme.is_opening() => {
                padded.push(
                    code.get(n + 1)
                        .is_some_and(|next| next.start > lexeme.end()),
                );
            }
            "}" if lexeme.is_closing() => drop(padded.pop()),
            _ => {}
        }
        match lexeme.is_comment() && n == 0 {
            true => result.push_str(&shifted(text, lexeme, shift)),
            false => result.push_str(lexeme.text),
        }
    }
    (result, comment)
}

/// A comment with its further lines moved as its first one is.
fn shifted(text: &str, comment: &Lexeme<'_>, shift: isize) -> String {
    if !comment.text.contains('\n') || leading_space(text, comment.start).contains('\t') {
        return comment.text.to_string();
    }
    let mut lines = comment.text.split('\n');
    let mut result = lines.next().unwrap_or_default().to_string();
    for line in lines {
        let content = line.trim_start_matches(' ');
        let indent = (line.len() - content.len()).saturating_add_signed(shift);
        result.push('\n');
        if !content.trim().is_empty() {
            result.extend(std::iter::repeat_n(' ', indent));
        }
        result.push_str(content);
    }
    result
}

/// Puts the comments of consecutive lines into one column.
fn align_comments(lines: &mut [FormattedLine]) {
    let is_same_block = |a: &FormattedLine, b: &FormattedLine| {
        a.comment.is_some() && b.comment.is_some() && !b.is_after_blank
    };
    for block in lines.chunk_by_mut(is_same_block) {
        let width = |line: &FormattedLine| {
            let last = line.code.rsplit('\n').next().unwrap_or_default();
            let indent = if line.code.contains('\n') {
                0
            } else {
                line.indent
            };
            indent + last.chars().count()
        };
        let column = block.iter().map(width).max().unwrap_or(0) + COMMENT_GAP;
        for line in block {
            let gap = column - width(line);
            if let Some(comment) = &mut line.comment {
                comment.insert_str(0, &" ".repeat(gap));
            }
        }
    }
}

/// Determines the level of each line from the brackets that are open.
#[derive(Default)]
struct Indenter {
    /// For each open bracket, the level of the statement in which it was opened.
    open: Vec<usize>,
    /// The last line ended in the middle of an expression.
    is_continued: bool,
    /// The last line was the header of a statement without braces, at this level.
    header: Option<usize>,
    /// The levels of the headers whose statements ended with the last line; `else` belongs to the
    /// last of them.
    ended_headers: Vec<usize>,
}

impl Indenter {
    fn level(&mut self, layout: &Layout, line: &[Lexeme<'_>]) -> usize {
        let closing = line.iter().take_while(|lexeme| lexeme.is_closing()).count();
        let mut base = self.open.last().map_or(0, |level| level + 1);
        for _ in 0..closing {
            base = self.open.pop().unwrap_or(0);
        }
        let code: Vec<&Lexeme<'_>> = line.iter().filter(|lexeme| !lexeme.is_comment()).collect();
        let (Some(first), Some(last)) = (code.first(), code.last()) else {
            return self.header.map_or(base, |level| level + 1);
        };
        let statement = match self.header.take().filter(|_| closing == 0) {
            Some(level) if first.text == "{" => level,
            Some(level) => {
                self.ended_headers.push(level);
                level + 1
            }
            None if first.text == "else" => self.ended_headers.pop().unwrap_or(base),
            None => {
                self.ended_headers.clear();
                base
            }
        };
        for lexeme in &line[closing..] {
            if lexeme.is_opening() {
                self.open.push(statement);
            } else if lexeme.is_closing() {
                self.open.pop();
            }
        }
        let word = code.iter().find(|lexeme| !lexeme.is_closing());
        let is_header = word.is_some_and(|word| layout.headers.contains(&word.text))
            && (last.text == ")" || layout.headers.contains(&last.text));
        if is_header {
            self.header = Some(statement);
        }
        let is_operator = |lexeme: &Lexeme<'_>| {
            WORD_OPERATORS.contains(&lexeme.text)
                || lexeme.class == TokenClass::Operator
                    && !matches!(lexeme.text, "," | ";")
                    && !layout.prefix.contains(&lexeme.text)
        };
        let is_continuation = self.is_continued || is_operator(first);
        self.is_continued = is_operator(last) && !layout.postfix.contains(&last.text);
        statement + usize::from(is_continuation && closing == 0)
    }
}
