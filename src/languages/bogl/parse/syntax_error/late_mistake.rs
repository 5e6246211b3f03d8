//! Mistakes that the grammar notices only at a later token: a missing `in`, a missing equation, a
//! call without parentheses, alternatives separated by `|`.

use super::position::SyntaxError;
use crate::diagnostic::{Diagnostic, Phase};
use crate::languages::bogl::builtin::Builtin;
use crate::languages::bogl::token::Token;

impl SyntaxError<'_> {
    /// `let x = 3 im x`: at the prompt, a `let` may end before `im`, which then looks like the
    /// start of a definition.
    pub(super) fn misspelled_in(&self) -> Option<Diagnostic> {
        let word = self
            .error_index
            .checked_sub(1)
            .filter(|&index| self.tokens[index].1 == Token::Name && self.expects("="))?;
        let line = |index: usize| self.source.line_number(self.span(index).start);
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

    /// A signature that is followed by something else than its equation.
    pub(super) fn missing_equation(&self) -> Option<Diagnostic> {
        let next_token = self
            .tokens
            .get(self.error_index)
            .map(|(_, token, _)| *token);
        // The name of the next signature looks like the start of the equation.
        let end = match (self.previous_token(), next_token) {
            (Some(Token::Name), Some(Token::Colon)) => self.error_index - 1,
            (_, next) if self.expects_equation() && (next.is_none() || self.is_on_new_line()) => {
                self.error_index
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
        let text = self.text(name);
        let equation = match is_function {
            true => format!("{text}(x) = …"),
            false => format!("{text} = …"),
        };
        let span = self.span(name).to(self.span(end - 1));
        let diagnostic = Diagnostic::error(
            Phase::Parse,
            "BG011",
            span,
            format!("`{text}` has no equation"),
        );
        Some(diagnostic.note(format!(
            "write it directly below the signature: `{equation}`"
        )))
    }

    /// `f : Int Int -> Int`: types that are not the components of a tuple.
    pub(super) fn missing_tuple(&self) -> Option<Diagnostic> {
        let is_type = |index: usize| {
            let token = self.tokens.get(index).map(|(_, token, _)| *token);
            token == Some(Token::UpperName)
        };
        let second = self.error_index;
        if !is_type(second) || self.is_on_new_line() || !self.expects_equation() {
            return None;
        }
        let first = second - 1;
        let [.., (_, Token::Name, _), (_, Token::Colon, _)] = self.tokens.get(..first)? else {
            return None;
        };
        let end = (second..).find(|&index| !is_type(index))?;
        let types: Vec<&str> = (first..end).map(|index| self.text(index)).collect();
        let tuple = format!("{} : ({})", self.text(first - 2), types.join(", "));
        let is_function = self
            .tokens
            .get(end)
            .is_some_and(|(_, token, _)| *token == Token::Arrow);
        let note = match is_function && is_type(end + 1) {
            true => format!(
                "write several arguments as a tuple: `{tuple} -> {}`",
                self.text(end + 1)
            ),
            false => format!("write several values as a tuple: `{tuple}`"),
        };
        let message = format!(
            "expected `,` or `->` between the types `{}` and `{}`",
            self.text(first),
            self.text(second)
        );
        let span = self.span(first).to(self.span(end - 1));
        Some(Diagnostic::error(Phase::Parse, "BG003", span, message).note(note))
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
        let is_operand_here = self.tokens.get(self.error_index).is_some_and(is_argument)
            && self.is_after_operand()
            && !self.is_on_new_line();
        let function = match is_operand_here {
            true => self.error_index.checked_sub(1)?,
            false => self.error_index.checked_sub(2).filter(|_| {
                let next_token = self.tokens.get(self.error_index);
                let is_signature = next_token.is_some_and(|(_, token, _)| *token == Token::Colon);
                self.previous_token() == Some(Token::Name) && !is_signature && self.expects("=")
            })?,
        };
        let line = |index: usize| self.source.line_number(self.span(index).start);
        if self.tokens[function].1 != Token::Name
            || line(function) != line(function + 1)
            || !self.keyword_suggestion().is_empty()
        {
            return None;
        }
        let argument = function + 1;
        let (f, x) = (self.text(function), self.text(argument));
        let span = self.span(function).to(self.span(argument));
        let diagnostic = Diagnostic::error(
            Phase::Parse,
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
        self.expected.is_empty() || ends.iter().any(|name| self.expects(name))
    }

    /// True if the token at the error is the first of its line.
    fn is_on_new_line(&self) -> bool {
        let line = |index: usize| self.source.line_number(self.span(index).start);
        self.error_index == 0 || line(self.error_index - 1) < line(self.error_index)
    }

    /// The call that was probably meant by a name and the operands after it on the same line, and
    /// the index of the token after them.
    fn parenthesized_call(&self, function: usize) -> (String, usize) {
        let line = |index: usize| self.source.line_number(self.span(index).start);
        let mut arguments = Vec::new();
        let mut index = function + 1;
        while let Some(&(_, token, _)) = self.tokens.get(index) {
            let is_first = index == function + 1;
            if line(index) != line(function) {
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
            let span = self.span(index).to(self.span(end));
            arguments.push(self.source.slice(span).to_owned());
            index = end + 1;
        }
        // A name and a group are a call already: `isFull (b)`.
        let call = match arguments.as_slice() {
            [group] if group.starts_with('(') => format!("{}{group}", self.text(function)),
            _ => format!("{}({})", self.text(function), arguments.join(", ")),
        };
        (call, index)
    }

    /// True if the name is that of a built-in function.
    fn is_function(&self, index: usize) -> bool {
        Builtin::find(self.text(index)).is_some_and(|builtin| builtin.takes_arguments())
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
        let mut earlier = self.tokens[..self.error_index].iter().rev();
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
            |index: usize| index < self.tokens.len() && matches!(self.text(index), "|" | ",");
        let mut first = self.error_index.saturating_sub(1);
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
            symbols.push(self.text(index));
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
}
