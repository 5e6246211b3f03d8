//! Says in words of the language what the parser stumbled over: the only place that knows the parser's own errors.

use lalrpop_util::ParseError;

use super::GrammarError;
use crate::diagnostic::{Diagnostic, Phase, closest_match};
use crate::languages::bogl::token::{KEYWORDS, Token};
use crate::source::{Source, Span};

pub(super) fn explain(
    source: &Source,
    start: Token,
    tokens: &[(usize, Token, usize)],
    failure: GrammarError,
) -> Vec<Diagnostic> {
    let (from, expected) = match failure {
        ParseError::User { error } => return error,
        ParseError::UnrecognizedEof { expected, .. } => (source.text.len(), expected),
        ParseError::UnrecognizedToken {
            token: (from, ..),
            expected,
        } => (from, expected),
        ParseError::ExtraToken { token: (from, ..) }
        | ParseError::InvalidToken { location: from } => (from, Vec::new()),
    };
    let error_index = tokens
        .iter()
        .position(|&(begin, ..)| begin == from)
        .unwrap_or(tokens.len());
    let expected = expected.iter().map(|name| name.trim_matches('"')).collect();
    vec![
        SyntaxError {
            source,
            start,
            tokens,
            error_index,
            expected,
        }
        .diagnose(),
    ]
}

/// Where the parser could not go on, and what could have stood there.
struct SyntaxError<'s> {
    source: &'s Source,
    start: Token,
    tokens: &'s [(usize, Token, usize)],
    error_index: usize,
    expected: Vec<&'s str>,
}

impl SyntaxError<'_> {
    fn diagnose(&self) -> Diagnostic {
        if let Some(diagnostic) = self.misspelled_in().or_else(|| self.missing_parentheses()) {
            return diagnostic;
        }
        let Some(&(_, token, _)) = self.tokens.get(self.error_index) else {
            return self.unexpected_end();
        };
        match token {
            Token::Bad => self.unknown_symbol(),
            Token::UnclosedComment => self
                .error("BG002", "This comment is not closed")
                .note("close it with `-}`"),
            _ => self
                .common_mistake(token)
                .unwrap_or_else(|| self.unexpected()),
        }
    }

    fn span(&self, index: usize) -> Span {
        let end = self.tokens.last().map_or(0, |&(.., to)| to);
        let (from, _, to) = self
            .tokens
            .get(index)
            .copied()
            .unwrap_or((end, Token::Bad, end));
        self.source.span(from, to)
    }

    fn text(&self, index: usize) -> &str {
        self.source.slice(self.span(index))
    }

    fn previous_token(&self) -> Option<Token> {
        self.error_index
            .checked_sub(1)
            .map(|index| self.tokens[index].1)
    }

    fn expects(&self, name: &str) -> bool {
        self.expected.contains(&name)
    }

    fn error(&self, code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(Phase::Parse, code, self.span(self.error_index), message)
    }

    fn unexpected_end(&self) -> Diagnostic {
        if self.tokens.is_empty() && self.start == Token::StartProgram {
            return self.error(
                "BG004",
                "There is nothing here; a program begins with its name: `game Name`",
            );
        }
        if self.tokens.is_empty() {
            let expected_description = self.expected_description();
            return self.error(
                "BG004",
                format!("There is nothing here; expected {expected_description}"),
            );
        }
        let diagnostic = self.error(
            "BG004",
            format!(
                "The text ends too early: expected {} after `{}`",
                self.expected_description(),
                self.text(self.error_index - 1)
            ),
        );
        match self.unclosed() {
            Some(open) => diagnostic.related(self.span(open), "this bracket is still open"),
            None if self.expects("else") => {
                diagnostic.note("an `if` always has both branches: `if … then … else …`")
            }
            None if self.expects("in") => {
                diagnostic.note("a `let` goes on with `in`: `let x = 1 in x + 1`")
            }
            None => diagnostic,
        }
    }

    /// `let x = 3 im x`: at the prompt a `let` may end here, and a definition begin.
    fn misspelled_in(&self) -> Option<Diagnostic> {
        let word = self
            .error_index
            .checked_sub(1)
            .filter(|&index| self.tokens[index].1 == Token::Name && self.expects("="))?;
        let line = |index: usize| self.source.line_column(self.span(index).start).0;
        let same_line = (0..word)
            .rev()
            .take_while(|&index| line(index) == line(word));
        let bound = same_line
            .map(|index| self.tokens[index].1)
            .find(|t| matches!(t, Token::Let | Token::In));
        let near = self.text(word).len() <= 3 && self.text(word).contains(['i', 'n']);
        if bound != Some(Token::Let) || !near || self.tokens[word - 1].1 == Token::Let {
            return None;
        }
        let message = format!(
            "Expected `in`, found `{}`; did you mean `in`?",
            self.text(word)
        );
        let diagnostic = Diagnostic::error(Phase::Parse, "BG003", self.span(word), message);
        Some(diagnostic.note("a `let` goes on with `in`: `let x = 1 in x + 1`"))
    }

    /// A call without its parentheses: the second name was taken for the beginning of a definition.
    fn missing_parentheses(&self) -> Option<Diagnostic> {
        let (function, argument) = (
            self.error_index.checked_sub(2)?,
            self.error_index.checked_sub(1)?,
        );
        let names = [function, argument]
            .iter()
            .all(|&index| self.tokens[index].1 == Token::Name);
        let place = |index: usize| self.source.line_column(self.span(index).start).0;
        let typed = self
            .tokens
            .get(self.error_index)
            .is_some_and(|(_, token, _)| *token == Token::Colon);
        if !names || typed || place(function) != place(argument) || !self.expects("=") {
            return None;
        }
        let (f, x) = (self.text(function), self.text(argument));
        let whole = self.span(function).to(self.span(argument));
        let diagnostic = Diagnostic::error(
            Phase::Parse,
            "BG003",
            whole,
            format!("Between `{f}` and `{x}` something is missing"),
        );
        Some(diagnostic.note(format!("arguments stand in parentheses: `{f}({x})`")))
    }

    /// The innermost bracket before this place that is still open.
    fn unclosed(&self) -> Option<usize> {
        let mut open = Vec::new();
        for (index, (_, token, _)) in self.tokens[..self.error_index].iter().enumerate() {
            match token {
                Token::OpenParen | Token::OpenBrace => open.push(index),
                Token::CloseParen | Token::CloseBrace => drop(open.pop()),
                _ => {}
            }
        }
        open.pop()
    }

    fn unknown_symbol(&self) -> Diagnostic {
        let text = self.text(self.error_index);
        let diagnostic = self.error("BG001", format!("BoGL does not know `{text}`"));
        match text {
            "&&" => diagnostic.note("write `and(a, b)`"),
            "||" | "|" => diagnostic.note("write `or(a, b)`"),
            "!=" => diagnostic.note("write `/=` for \"is not equal to\""),
            "=>" => diagnostic.note("write `>=` for \"is at least\", `->` in a type"),
            "=<" => diagnostic.note("write `<=` for \"is at most\""),
            "." => diagnostic.note("there are only whole numbers"),
            ";" => diagnostic.note("definitions need nothing between them"),
            "[" | "]" => {
                diagnostic.note("there are no lists; several values make a tuple: `(1, 2)`")
            }
            _ if text.starts_with('"') || text.starts_with('\'') => diagnostic.note(
                "there is no text; use a symbol of an enumeration, such as `type T = {Won, Lost}`",
            ),
            _ if text.starts_with('_') => diagnostic.note("a name begins with a letter"),
            _ => diagnostic,
        }
    }

    /// Slips that deserve an answer of their own.
    fn common_mistake(&self, token: Token) -> Option<Diagnostic> {
        let before = self.previous_token();
        let diagnostic = match (before, token) {
            (None, _) if self.start == Token::StartProgram => self
                .error("BG003", "A program begins with its name: `game Name`")
                .note("write `game MyGame` on the first line"),
            (Some(Token::Minus | Token::Plus), _) if self.expected == ["int"] => {
                let sign = self.text(self.error_index - 1);
                let message = format!("The sign `{sign}` can only stand before a number");
                let whole = self.span(self.error_index - 1).to(self.span(self.error_index));
                let note =
                    format!("write `0 {sign} {}`", if token == Token::Name { self.text(self.error_index) } else { "(…)" });
                Diagnostic::error(Phase::Parse, "BG007", whole, message).note(note)
            }
            (_, Token::Arrow) => self.misplaced_arrow(),
            (_, Token::Equals) if self.expects("==") => self
                .error("BG010", "`=` gives a name its meaning; it cannot stand in an expression")
                .note("write `==` to ask whether two values are equal"),
            (Some(Token::OpenParen), Token::CloseParen) => self
                .error("BG003", "There is nothing between these parentheses")
                .note("a function always has an argument"),
            (Some(Token::CloseParen), Token::OpenParen) => self
                .error("BG003", "Only a name can be applied to arguments, not the result of a call")
                .note("a function takes all its arguments at once: `f(1, 2)`"),
            (_, Token::Comma) if self.expects("in") => {
                self.error("BG003", "A `let` binds one name").note("write `let x = 1 in let y = 2 in …`")
            }
            (_, Token::Let) if self.expects("type") => self
                .error("BG003", "A program has no `let` of its own")
                .note("define a value with its type: `x : Int` and `x = 1`; at the prompt, `let x = 1` works"),
            _ => return None,
        };
        Some(diagnostic)
    }

    fn misplaced_arrow(&self) -> Diagnostic {
        let line = self.tokens[..self.error_index].iter().rev();
        let earlier = line.take_while(|(_, token, _)| {
            !matches!(token, Token::Colon | Token::Equals | Token::Type)
        });
        match earlier
            .into_iter()
            .any(|(_, token, _)| *token == Token::Arrow)
        {
            true => self
                .error(
                    "BG009",
                    "A function takes one argument and cannot give back a function",
                )
                .note("several arguments are a tuple: `f : (Int, Int) -> Int`"),
            false => self
                .error("BG009", "A function type can only stand in a signature")
                .note("write it out in each signature: `f : Int -> Int`"),
        }
    }

    fn unexpected(&self) -> Diagnostic {
        let (text, token) = (self.text(self.error_index), self.tokens[self.error_index].1);
        let diagnostic = self.error(
            "BG003",
            format!(
                "Expected {}, found `{text}`{}",
                self.expected_description(),
                self.keyword_suggestion()
            ),
        );
        match token {
            _ if token.is_keyword() && self.expects("name") => diagnostic.note(format!(
                "`{text}` is a word of the language and cannot be a name"
            )),
            Token::Name if self.expects("Name") && !self.expects("name") => {
                diagnostic.note("names of types, games and symbols begin with a capital letter")
            }
            Token::UpperName
                if self.expected == ["name"] || self.expects("name") && self.expects("type") =>
            {
                diagnostic
                    .note("names of values, functions and parameters begin with a small letter")
            }
            Token::Name | Token::Int
                if self.expects("==") && self.previous_token() == Some(Token::Name) =>
            {
                diagnostic.note("arguments stand in parentheses: `f(x)`")
            }
            Token::Array => {
                diagnostic.note("only boards are arrays: `type Board = Array (3, 3) of …`")
            }
            _ if self.expects("else") => {
                diagnostic.note("an `if` always has both branches: `if … then … else …`")
            }
            _ if self.expects("in") => {
                diagnostic.note("a `let` goes on with `in`: `let x = 1 in x + 1`")
            }
            _ if self.expects(")") || self.expects("}") => match self.unclosed() {
                Some(open) => diagnostic.related(self.span(open), "this bracket is still open"),
                None => diagnostic,
            },
            _ => diagnostic,
        }
    }

    /// A keyword that this word, or the one before it, was probably meant to be.
    fn keyword_suggestion(&self) -> String {
        let near = |index: usize, fits: &dyn Fn(&str) -> bool| {
            let word = matches!(self.tokens[index].1, Token::Name | Token::UpperName);
            let keywords = KEYWORDS
                .iter()
                .map(|&(text, _)| text)
                .filter(|text| fits(text));
            let tokens = closest_match(self.text(index), keywords)
                .filter(|keyword| keyword.len().abs_diff(self.text(index).len()) <= 1);
            tokens.filter(|_| word)
        };
        let here = near(self.error_index, &|keyword| self.expects(keyword));
        let prior = self.error_index.checked_sub(1).and_then(|index| {
            near(index, &|keyword| {
                ["let", "if", "while", "type", "game"].contains(&keyword)
            })
        });
        match (here, prior) {
            (Some(keyword), _) => format!("; did you mean `{keyword}`?"),
            (None, Some(keyword)) => format!(
                "; did you mean `{keyword}` for `{}`?",
                self.text(self.error_index - 1)
            ),
            (None, None) => String::new(),
        }
    }

    /// What could have stood here, in words.
    fn expected_description(&self) -> String {
        let has = |name| self.expects(name);
        let text = match self.previous_token() {
            _ if self.expected == ["("] => "`(`",
            _ if has("if") && has("int") && has("game") => "an expression or a definition",
            _ if has("if") && has("int") => "an expression",
            _ if has("{") && has("Array") => "a type, or `Array` for the board",
            _ if has("{") => "a type",
            _ if has("Name") && has("int") => {
                "a constant: a number, `True`, `False`, a symbol, or a tuple of them"
            }
            Some(Token::Game) => "the name of the game, with a capital letter",
            Some(Token::Type) => "the name of the type, with a capital letter",
            _ if has("Name") => "a symbol, with a capital letter",
            _ if self.expected == ["name"] => "a name, with a small letter",
            Some(Token::Hash) => "the number of a part, or several in parentheses",
            _ if has("int") => "a whole number",
            _ if has("name") && !has("==") && !has("type") => "the equation for this signature",
            _ => return self.expected_tokens(),
        };
        text.to_owned()
    }

    /// Words and brackets that could go on; operators only when there is nothing else.
    fn expected_tokens(&self) -> String {
        let words = ["then", "else", "do", "in", "of", ")", "}", ",", ":", "="];
        let mut could: Vec<String> = words
            .iter()
            .filter(|word| self.expects(word))
            .map(|word| format!("`{word}`"))
            .collect();
        if self.expects("type") {
            could.push("a definition".to_owned());
        }
        match could.pop() {
            None if self.expects("==") => "an operator, or the end of the expression".to_owned(),
            None => "nothing more".to_owned(),
            Some(last) if could.is_empty() => last,
            Some(last) => format!("{} or {last}", could.join(", ")),
        }
    }
}
