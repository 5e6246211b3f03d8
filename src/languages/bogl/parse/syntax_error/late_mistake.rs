//! Mistakes that the grammar may notice only at a later token: a missing `in`, a missing equation, a
//! call without parentheses, alternatives separated by `|`, a misspelled keyword.

use super::NOT_EQUATION;
use crate::diagnostic::{Diagnostic, closest_match};
use crate::language::syntax::{SyntaxError, parse_error};
use crate::languages::bogl::check::builtin::Builtin;
use crate::languages::bogl::info::INFO;
use crate::languages::bogl::token::Token;

impl SyntaxError<'_, Token> {
    /// `let x = 3 im x`: at the prompt, a `let` may end before `im`, which then looks like the
    /// start of a definition.
    pub(super) fn misspelled_in(&self) -> Option<Diagnostic> {
        let word = self
            .index
            .checked_sub(1)
            .filter(|&index| self.tokens[index].1 == Token::Name && self.accepts("="))?;
        let same_line = (0..word)
            .rev()
            .take_while(|&index| self.line_at(index) == self.line_at(word));
        let last_keyword = same_line
            .map(|index| self.tokens[index].1)
            .find(|token| matches!(token, Token::Let | Token::In));
        let is_similar = self.text_at(word).len() <= 3 && self.text_at(word).contains(['i', 'n']);
        if last_keyword != Some(Token::Let) || !is_similar || self.tokens[word - 1].1 == Token::Let
        {
            return None;
        }
        let message = format!(
            "expected `in`, found `{}`; did you mean `in`?",
            self.text_at(word)
        );
        let diagnostic = parse_error("BG003", self.span_at(word), message);
        Some(diagnostic.note("`let` needs an `in`: `let x = 1 in x + 1`"))
    }

    /// True directly after a signature.
    fn expects_equation(&self) -> bool {
        self.accepts("name") && !NOT_EQUATION.iter().any(|name| self.accepts(name))
    }

    /// A signature that is followed by something else than its equation.
    pub(super) fn missing_equation(&self) -> Option<Diagnostic> {
        let next_token = self.found();
        // The name of the next signature looks like the start of the equation.
        let end = match (self.before(1), next_token) {
            (Some(Token::Name), Some(Token::Colon)) => self.index - 1,
            (_, next) if self.expects_equation() && (next.is_none() || self.is_on_new_line()) => {
                self.index
            }
            _ => return None,
        };
        let is_in_type = |token: &Token| {
            matches!(
                token,
                Token::UpperName
                    | Token::OpenParen
                    | Token::CloseParen
                    | Token::OpenBrace
                    | Token::CloseBrace
                    | Token::Comma
                    | Token::Ampersand
                    | Token::Arrow
            )
        };
        let type_length = self.tokens[..end]
            .iter()
            .rev()
            .take_while(|(_, token, _)| is_in_type(token))
            .count();
        let signature = &self.tokens[..end - type_length];
        let [.., (_, Token::Name, _), (_, Token::Colon, _)] = signature else {
            return None;
        };
        let name = signature.len() - 2;
        let is_function = self.tokens[name..end]
            .iter()
            .any(|(_, token, _)| *token == Token::Arrow);
        let text = self.text_at(name);
        let equation = match is_function {
            true => format!("{text}(x) = …"),
            false => format!("{text} = …"),
        };
        let span = self.span_at(name).to(self.span_at(end - 1));
        let diagnostic = parse_error("BG011", span, format!("`{text}` has no equation"));
        Some(diagnostic.note(format!(
            "write it directly below the signature: `{equation}`"
        )))
    }

    /// `f : Int Int -> Int`: types that are not the components of a tuple.
    pub(super) fn missing_tuple(&self) -> Option<Diagnostic> {
        let is_type = |index: usize| self.token_at(index) == Some(Token::UpperName);
        let second = self.index;
        if !is_type(second) || self.is_on_new_line() || !self.expects_equation() {
            return None;
        }
        let first = second - 1;
        let [.., (_, Token::Name, _), (_, Token::Colon, _)] = self.tokens.get(..first)? else {
            return None;
        };
        let end = (second..).find(|&index| !is_type(index))?;
        let types: Vec<&str> = (first..end).map(|index| self.text_at(index)).collect();
        let tuple = format!("{} : ({})", self.text_at(first - 2), types.join(", "));
        let is_function = self.token_at(end) == Some(Token::Arrow);
        let note = match is_function && is_type(end + 1) {
            true => format!(
                "write several arguments as a tuple: `{tuple} -> {}`",
                self.text_at(end + 1)
            ),
            false => format!("write several values as a tuple: `{tuple}`"),
        };
        let message = format!(
            "expected `,` or `->` between the types `{}` and `{}`",
            self.text_at(first),
            self.text_at(second)
        );
        let span = self.span_at(first).to(self.span_at(end - 1));
        Some(parse_error("BG003", span, message).note(note))
    }

    /// A call without parentheses: `not True`. A name as argument looks like the start of a
    /// definition, so the error may be at the token after it.
    pub(super) fn missing_parentheses(&self) -> Option<Diagnostic> {
        let is_argument = |&(_, token, _): &(usize, Token, usize)| {
            matches!(
                token,
                Token::Name | Token::UpperName | Token::Int | Token::True | Token::False
            )
        };
        let is_operand_here = self.tokens.get(self.index).is_some_and(is_argument)
            && self.is_after_operand()
            && !self.is_on_new_line();
        let function = match is_operand_here {
            true => self.index.checked_sub(1)?,
            false => self.index.checked_sub(2).filter(|_| {
                let next_token = self.tokens.get(self.index);
                let is_signature = next_token.is_some_and(|(_, token, _)| *token == Token::Colon);
                self.before(1) == Some(Token::Name) && !is_signature && self.accepts("=")
            })?,
        };
        if self.tokens[function].1 != Token::Name
            || self.line_at(function) != self.line_at(function + 1)
            || self.misspelled_keyword().is_some()
        {
            return None;
        }
        let argument = function + 1;
        let (f, x) = (self.text_at(function), self.text_at(argument));
        let span = self.span_at(function).to(self.span_at(argument));
        let diagnostic = parse_error(
            "BG003",
            span,
            format!("missing operator or parentheses between `{f}` and `{x}`"),
        );
        let (call, _) = self.parenthesized_call(function);
        Some(diagnostic.note(format!("put arguments in parentheses: `{call}`")))
    }

    /// True if an expression could end before the error, as far as the parser can tell. Nothing is
    /// expected after a complete entry.
    fn is_after_operand(&self) -> bool {
        let ends = ["==", "then", "else", "do", "in", ")"];
        self.expected().is_empty() || ends.iter().any(|name| self.accepts(name))
    }

    /// True if the token at the error is the first of its line.
    fn is_on_new_line(&self) -> bool {
        self.index == 0 || self.line_at(self.index - 1) < self.line_at(self.index)
    }

    /// The call that was probably meant by a name and the operands after it on the same line, and
    /// the index of the token after them.
    fn parenthesized_call(&self, function: usize) -> (String, usize) {
        let mut arguments = Vec::new();
        let mut index = function + 1;
        while let Some(&(_, token, _)) = self.tokens.get(index) {
            let is_first = index == function + 1;
            if self.line_at(index) != self.line_at(function) {
                break;
            }
            let end = match token {
                Token::Name if is_first && self.is_function(index) => {
                    let (call, end) = self.parenthesized_call(index);
                    arguments.push(call);
                    index = end;
                    continue;
                }
                Token::Name | Token::UpperName | Token::Int | Token::True | Token::False => index,
                Token::OpenParen => match self.closing_parenthesis(index) {
                    Some(end) => end,
                    None => break,
                },
                _ => break,
            };
            let span = self.span_at(index).to(self.span_at(end));
            arguments.push(self.source.slice(span).to_owned());
            index = end + 1;
        }
        // A name and a group are a call already: `isFull (b)`.
        let call = match arguments.as_slice() {
            [group] if group.starts_with('(') => format!("{}{group}", self.text_at(function)),
            _ => format!("{}({})", self.text_at(function), arguments.join(", ")),
        };
        (call, index)
    }

    /// True if the name is that of a built-in function.
    fn is_function(&self, index: usize) -> bool {
        Builtin::find(self.text_at(index)).is_some_and(|builtin| builtin.takes_arguments())
    }

    /// The index of the parenthesis that closes the one at `open`.
    fn closing_parenthesis(&self, open: usize) -> Option<usize> {
        let mut depth = 0;
        (open..self.tokens.len()).find(|&index| {
            match self.tokens[index].1 {
                Token::OpenParen => depth += 1,
                Token::CloseParen => depth -= 1,
                _ => {}
            }
            depth == 0
        })
    }

    /// True in the right-hand side of `type T = …`.
    pub(super) fn is_in_type_definition(&self) -> bool {
        let mut earlier = self.tokens[..self.index].iter().rev();
        let start = earlier.find(|(_, token, _)| {
            matches!(
                token,
                Token::Type | Token::Colon | Token::Name | Token::Let | Token::If
            )
        });
        start.is_some_and(|(_, token, _)| *token == Token::Type)
    }

    /// How to write the alternatives that are separated by `|` or `,` in a type definition.
    pub(super) fn alternatives_note(&self) -> String {
        let is_separator =
            |index: usize| index < self.tokens.len() && matches!(self.text_at(index), "|" | ",");
        let mut first = self.index.saturating_sub(1);
        while first >= 2 && is_separator(first - 1) {
            first -= 2;
        }
        let mut symbols = Vec::new();
        let mut index = first;
        while self
            .tokens
            .get(index)
            .is_some_and(|(_, token, _)| *token == Token::UpperName)
        {
            symbols.push(self.text_at(index));
            if !is_separator(index + 1) {
                break;
            }
            index += 2;
        }
        match symbols.as_slice() {
            [] | [_] | ["Int" | "Bool" | "Board" | "Content" | "Input", ..] => {
                "combine types with `&`: `Int & {None}`".to_owned()
            }
            _ => format!(
                "list symbols in braces, separated by commas: `{{{}}}`",
                symbols.join(", ")
            ),
        }
    }

    /// The current or the previous word, if it is probably a misspelled keyword.
    pub(super) fn misspelled_keyword(&self) -> Option<(usize, &'static str)> {
        let similar_keyword = |index: usize, is_candidate: &dyn Fn(&str) -> bool| {
            let word = self.text_at(index);
            let is_word = matches!(self.token_at(index), Some(Token::Name | Token::UpperName))
                && Builtin::find(word).is_none();
            let keywords = INFO.keywords.iter().copied();
            closest_match(word, keywords.filter(|text| is_candidate(text)))
                .filter(|keyword| is_word && keyword.len().abs_diff(word.len()) <= 1)
                .map(|keyword| (index, keyword))
        };
        similar_keyword(self.index, &|keyword| self.accepts(keyword)).or_else(|| {
            let previous = self.index.checked_sub(1)?;
            similar_keyword(previous, &|keyword| {
                ["let", "if", "while", "type", "game"].contains(&keyword)
                    && (keyword != "let" || self.is_followed_by_equals(previous))
            })
        })
    }

    /// True for the word before a name and `=`, where `let` could be.
    fn is_followed_by_equals(&self, index: usize) -> bool {
        let after = self.tokens.get(index + 1..).unwrap_or_default();
        matches!(after, [(_, Token::Name, _), (_, Token::Equals, _), ..])
    }
}
