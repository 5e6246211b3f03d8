//! Syntax error messages: explains the parser generator's errors in terms of BoGL.

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

/// Where the parser failed, and which tokens it expected there.
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
            Token::Bad => self.unknown_token(),
            Token::UnterminatedComment => self
                .error("BG002", "unterminated comment")
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
            return self.error("BG004", "expected `game Name`, found an empty program");
        }
        if self.tokens.is_empty() {
            let expected_description = self.expected_description();
            return self.error(
                "BG004",
                format!("expected {expected_description}, found nothing"),
            );
        }
        let diagnostic = self.error(
            "BG004",
            format!(
                "expected {}, found the end of the input",
                self.expected_description()
            ),
        );
        match self.unclosed() {
            Some(open) => diagnostic.related(self.span(open), self.unclosed_label(open)),
            None if self.expects("else") => {
                diagnostic.note("`if` needs both branches: `if … then … else …`")
            }
            None if self.expects("in") => {
                diagnostic.note("`let` needs an `in`: `let x = 1 in x + 1`")
            }
            None => diagnostic,
        }
    }

    /// `let x = 3 im x`: at the prompt, a `let` may end before `im`, which then looks like the
    /// start of a definition.
    fn misspelled_in(&self) -> Option<Diagnostic> {
        let word = self
            .error_index
            .checked_sub(1)
            .filter(|&index| self.tokens[index].1 == Token::Name && self.expects("="))?;
        let line = |index: usize| self.source.line_column(self.span(index).start).0;
        let same_line = (0..word)
            .rev()
            .take_while(|&index| line(index) == line(word));
        let last_keyword = same_line
            .map(|index| self.tokens[index].1)
            .find(|token| matches!(token, Token::Let | Token::In));
        let is_similar = self.text(word).len() <= 3 && self.text(word).contains(['i', 'n']);
        if last_keyword != Some(Token::Let) || !is_similar || self.tokens[word - 1].1 == Token::Let
        {
            return None;
        }
        let message = format!(
            "expected `in`, found `{}`; did you mean `in`?",
            self.text(word)
        );
        let diagnostic = Diagnostic::error(Phase::Parse, "BG003", self.span(word), message);
        Some(diagnostic.note("`let` needs an `in`: `let x = 1 in x + 1`"))
    }

    /// A call without parentheses: the second name looks like the start of a definition.
    fn missing_parentheses(&self) -> Option<Diagnostic> {
        let (function, argument) = (
            self.error_index.checked_sub(2)?,
            self.error_index.checked_sub(1)?,
        );
        let are_names = [function, argument]
            .iter()
            .all(|&index| self.tokens[index].1 == Token::Name);
        let line = |index: usize| self.source.line_column(self.span(index).start).0;
        let is_signature = self
            .tokens
            .get(self.error_index)
            .is_some_and(|(_, token, _)| *token == Token::Colon);
        if !are_names || is_signature || line(function) != line(argument) || !self.expects("=") {
            return None;
        }
        let (f, x) = (self.text(function), self.text(argument));
        let span = self.span(function).to(self.span(argument));
        let diagnostic = Diagnostic::error(
            Phase::Parse,
            "BG003",
            span,
            format!("missing operator or parentheses between `{f}` and `{x}`"),
        );
        Some(diagnostic.note(format!("put arguments in parentheses: `{f}({x})`")))
    }

    /// The innermost unclosed bracket before the error.
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

    fn unclosed_label(&self, open: usize) -> String {
        format!("unclosed `{}`", self.text(open))
    }

    fn unknown_token(&self) -> Diagnostic {
        let text = self.text(self.error_index);
        let noun = match text.chars().count() {
            1 => "character",
            _ => "token",
        };
        let diagnostic = self.error("BG001", format!("unknown {noun} `{text}`"));
        match text {
            "&&" => diagnostic.note("write `and(a, b)`"),
            "||" | "|" => diagnostic.note("write `or(a, b)`"),
            "!=" => diagnostic.note("write `/=` for \"not equal\""),
            "=>" => diagnostic.note("write `>=` for \"at least\", or `->` in a type"),
            "=<" => diagnostic.note("write `<=` for \"at most\""),
            "." => diagnostic.note("BoGL only has integers"),
            ";" => diagnostic.note("definitions need no separator"),
            "[" | "]" => diagnostic.note("BoGL has no lists; use a tuple: `(1, 2)`"),
            _ if text.starts_with('"') || text.starts_with('\'') => diagnostic.note(
                "BoGL has no strings; use the symbols of an enumeration: `type T = {Won, Lost}`",
            ),
            _ if text.starts_with('_') => diagnostic.note("names start with a letter"),
            _ => diagnostic,
        }
    }

    /// Common mistakes with a message of their own.
    fn common_mistake(&self, token: Token) -> Option<Diagnostic> {
        let before = self.previous_token();
        let diagnostic = match (before, token) {
            (None, _) if self.start == Token::StartProgram => self
                .error("BG003", "expected `game Name` at the start of the program")
                .note("write `game MyGame` on the first line"),
            (Some(Token::Minus | Token::Plus), _) if self.expected == ["int"] => {
                let sign = self.text(self.error_index - 1);
                let message = format!("the sign `{sign}` is only allowed before a number");
                let span = self.span(self.error_index - 1).to(self.span(self.error_index));
                let note =
                    format!("write `0 {sign} {}`", if token == Token::Name { self.text(self.error_index) } else { "(…)" });
                Diagnostic::error(Phase::Parse, "BG007", span, message).note(note)
            }
            (_, Token::CloseParen | Token::CloseBrace) if self.unclosed().is_none() => {
                self.error("BG003", format!("unmatched `{}`", self.text(self.error_index)))
            }
            (_, token) if token.is_keyword() && self.expected == ["name"] => self
                .error(
                    "BG003",
                    format!("`{}` is a keyword and cannot be used as a name", self.text(self.error_index)),
                )
                .note("choose another name"),
            (_, Token::Arrow) => self.misplaced_arrow(),
            (_, Token::Equals) if self.expects("==") => self
                .error("BG010", "`=` is not allowed in an expression")
                .note("write `==` to compare two values"),
            (Some(Token::OpenParen), Token::CloseParen) => self
                .error("BG003", "expected an expression between the parentheses")
                .note("every function takes at least one argument"),
            (Some(Token::CloseParen), Token::OpenParen) => self
                .error("BG003", "the result of a call is not a function")
                .note("pass all arguments at once: `f(1, 2)`"),
            (_, Token::Comma) if self.expects("in") => {
                self.error("BG003", "`let` binds a single name").note("write `let x = 1 in let y = 2 in …`")
            }
            (_, Token::Let) if self.expects("type") => self
                .error("BG003", "`let` is not allowed at the top level of a program")
                .note("define a value with its type: `x : Int` and `x = 1` (`let x = 1` works at the prompt)"),
            _ => return None,
        };
        Some(diagnostic)
    }

    fn misplaced_arrow(&self) -> Diagnostic {
        let earlier = self.tokens[..self.error_index].iter().rev();
        let in_same_type = earlier.take_while(|(_, token, _)| {
            !matches!(token, Token::Colon | Token::Equals | Token::Type)
        });
        match in_same_type
            .into_iter()
            .any(|(_, token, _)| *token == Token::Arrow)
        {
            true => self
                .error("BG009", "a function cannot return a function")
                .note("write several arguments as a tuple: `f : (Int, Int) -> Int`"),
            false => self
                .error("BG009", "function types are only allowed in signatures")
                .note("write it in each signature: `f : Int -> Int`"),
        }
    }

    fn unexpected(&self) -> Diagnostic {
        let (text, token) = (self.text(self.error_index), self.tokens[self.error_index].1);
        let diagnostic = self.error(
            "BG003",
            format!(
                "expected {}, found `{text}`{}",
                self.expected_description(),
                self.keyword_suggestion()
            ),
        );
        match token {
            _ if token.is_keyword() && self.expects("name") => diagnostic.note(format!(
                "`{text}` is a keyword and cannot be used as a name"
            )),
            Token::Name if self.expects("Name") && !self.expects("name") => {
                diagnostic.note("names of types, games and symbols start with an uppercase letter")
            }
            Token::UpperName
                if self.expected == ["name"] || self.expects("name") && self.expects("type") =>
            {
                diagnostic
                    .note("names of values, functions and parameters start with a lowercase letter")
            }
            Token::Name | Token::Int
                if self.expects("==") && self.previous_token() == Some(Token::Name) =>
            {
                diagnostic.note("put arguments in parentheses: `f(x)`")
            }
            Token::Array => {
                diagnostic.note("only `Board` is an array: `type Board = Array (3, 3) of …`")
            }
            _ if self.expects("else") => {
                diagnostic.note("`if` needs both branches: `if … then … else …`")
            }
            _ if self.expects("in") => diagnostic.note("`let` needs an `in`: `let x = 1 in x + 1`"),
            _ if self.expects(")") || self.expects("}") => match self.unclosed() {
                Some(open) => diagnostic.related(self.span(open), self.unclosed_label(open)),
                None => diagnostic,
            },
            _ => diagnostic,
        }
    }

    /// A suggestion if the current or the previous word is probably a misspelled keyword.
    fn keyword_suggestion(&self) -> String {
        let similar_keyword = |index: usize, is_candidate: &dyn Fn(&str) -> bool| {
            let is_word = matches!(self.tokens[index].1, Token::Name | Token::UpperName);
            let keywords = KEYWORDS
                .iter()
                .map(|&(text, _)| text)
                .filter(|text| is_candidate(text));
            let similar = closest_match(self.text(index), keywords)
                .filter(|keyword| keyword.len().abs_diff(self.text(index).len()) <= 1);
            similar.filter(|_| is_word)
        };
        let here = similar_keyword(self.error_index, &|keyword| self.expects(keyword));
        let prior = self.error_index.checked_sub(1).and_then(|index| {
            similar_keyword(index, &|keyword| {
                ["let", "if", "while", "type", "game"].contains(&keyword)
            })
        });
        match (here, prior) {
            (Some(keyword), _) => format!("; did you mean `{keyword}`?"),
            (None, Some(keyword)) => format!(
                "; did you mean `{keyword}` instead of `{}`?",
                self.text(self.error_index - 1)
            ),
            (None, None) => String::new(),
        }
    }

    /// What the parser expected here.
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
            Some(Token::Game) => "an uppercase name for the game",
            Some(Token::Type) => "an uppercase name for the type",
            _ if has("Name") => "an uppercase symbol",
            _ if self.expected == ["name"] => "a lowercase name",
            Some(Token::Hash) => "a component number, or several in parentheses",
            _ if has("int") => "an integer",
            _ if has("name") && !has("==") && !has("type") => "the equation for this signature",
            _ => return self.expected_tokens(),
        };
        text.to_owned()
    }

    /// Expected keywords and brackets; operators only if there is nothing else.
    fn expected_tokens(&self) -> String {
        let candidates = ["then", "else", "do", "in", "of", ")", "}", ",", ":", "="];
        let mut expected: Vec<String> = candidates
            .iter()
            .filter(|word| self.expects(word))
            .map(|word| format!("`{word}`"))
            .collect();
        if self.expects("type") {
            expected.push("a definition".to_owned());
        }
        match expected.pop() {
            None if self.expects("==") => "an operator or the end of the expression".to_owned(),
            None => "the end of the input".to_owned(),
            Some(last) if expected.is_empty() => last,
            Some(last) => format!("{} or {last}", expected.join(", ")),
        }
    }
}
