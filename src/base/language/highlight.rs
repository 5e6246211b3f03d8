//! The classes of tokens, for syntax highlighting and bracket matching.

use super::LanguageInfo;
use std::ops::Range;

/// The class of a token, for syntax highlighting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenClass {
    /// A word with a fixed meaning in the syntax, such as `if`.
    Keyword,
    /// A predefined function, type or constant.
    Builtin,
    /// A name that programs define.
    Name,
    /// An integer or float literal.
    Number,
    /// A string literal, or another literal made of letters, such as a symbol in BoGL.
    String,
    /// A comment, or other text that has no effect.
    Comment,
    /// An operator or punctuation.
    Operator,
    /// Opens or closes a group. The prompt highlights the matching one.
    Bracket,
    /// Cannot be part of a program, such as a stray character or an unterminated string.
    Invalid,
}

impl TokenClass {
    /// The class that the text of a valid token has in a language, unless the language says more.
    fn of_text(info: &LanguageInfo, text: &str) -> TokenClass {
        match text.chars().next() {
            Some('(' | ')' | '[' | ']' | '{' | '}') => TokenClass::Bracket,
            Some('"' | '\'' | '“' | '”') => TokenClass::String,
            Some(c) if c.is_ascii_digit() => TokenClass::Number,
            _ if info.builtins.iter().any(|(name, _)| *name == text) => TokenClass::Builtin,
            _ if info.keywords.contains(&text) => TokenClass::Keyword,
            Some(c) if c.is_alphabetic() || c == '_' => TokenClass::Name,
            _ => TokenClass::Operator,
        }
    }
}

/// The tokens of a text with their classes. `class` returns those that do not follow from the text of a
/// token alone, such as that of comments.
pub fn classify_tokens<T>(
    info: &LanguageInfo,
    text: &str,
    tokens: Vec<(Range<usize>, T)>,
    class: impl Fn(T, &str) -> Option<TokenClass>,
) -> Vec<(Range<usize>, TokenClass)> {
    let classified = tokens.into_iter().map(|(range, token)| {
        let text = text.get(range.clone()).unwrap_or("");
        let class = class(token, text).unwrap_or_else(|| TokenClass::of_text(info, text));
        (range, class)
    });
    classified.collect()
}
