//! A tokenizer for Rust texts: enough of one to tell code from comments and strings and to follow
//! brackets.

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name or a keyword.
    Word,
    Lifetime,
    /// A number, character or string.
    Literal,
    /// `::`, `->`, `=>`, a range, or one other character.
    Punctuation,
}

/// A token with its text and the byte offset at which it starts.
#[derive(Clone, Copy, Debug)]
pub struct Token<'s> {
    pub kind: Kind,
    pub text: &'s str,
    pub at: usize,
}

impl Token<'_> {
    /// True for a word or punctuation with this text. A string with the same text does not count.
    pub fn is(&self, text: &str) -> bool {
        self.text == text && matches!(self.kind, Kind::Word | Kind::Punctuation)
    }

    pub fn is_word(&self) -> bool {
        self.kind == Kind::Word
    }
}

/// Punctuation of several characters, longest first.
const LONG_PUNCTUATION: &[&str] = &["..=", "...", "..", "::", "->", "=>"];

/// The tokens of a text, without comments.
pub fn tokenize(text: &str) -> Vec<Token<'_>> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let first = rest.chars().next().expect("not at the end");
        let blank = comment_length(rest).or_else(|| {
            let is_space = first.is_whitespace();
            is_space.then(|| first.len_utf8())
        });
        if let Some(length) = blank {
            at += length;
            continue;
        }
        let follows_dot = tokens.last().is_some_and(|t| t.is("."));
        let (kind, length) = token_length(rest, first, follows_dot);
        let text = &rest[..length];
        tokens.push(Token { kind, text, at });
        at += length;
    }
    tokens
}

/// The text with each comment replaced by spaces, so that offsets and lines stay the same.
pub fn without_comments(text: &str) -> String {
    let mut code = String::new();
    let mut at = 0;
    for token in tokenize(text) {
        blank_out(&text[at..token.at], &mut code);
        code.push_str(token.text);
        at = token.at + token.text.len();
    }
    blank_out(&text[at..], &mut code);
    code
}

/// Appends a space for each byte, except for line breaks.
fn blank_out(text: &str, code: &mut String) {
    code.extend(text.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
}

/// The length of the comment at the start of a text, if there is one. Block comments nest.
fn comment_length(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    if !text.starts_with("/*") {
        return None;
    }
    let mut depth = 0;
    let mut at = 0;
    while at < text.len() {
        let rest = &text.as_bytes()[at..];
        if rest.starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return Some(at);
            }
        } else {
            at += 1;
        }
    }
    Some(text.len())
}

/// Kind and length of the token at the start of a text.
fn token_length(text: &str, first: char, follows_dot: bool) -> (Kind, usize) {
    if let Some(length) = string_length(text) {
        return (Kind::Literal, length);
    }
    if first == '\'' {
        return match char_length(text) {
            Some(length) => (Kind::Literal, length),
            None => (Kind::Lifetime, 1 + word_length(&text[1..])),
        };
    }
    if first.is_ascii_digit() {
        return (Kind::Literal, number_length(text, follows_dot));
    }
    if is_word_char(first) {
        let prefix = if text.starts_with("r#") { 2 } else { 0 };
        return (Kind::Word, prefix + word_length(&text[prefix..]));
    }
    let long = LONG_PUNCTUATION.iter().find(|p| text.starts_with(**p));
    (
        Kind::Punctuation,
        long.map_or(first.len_utf8(), |p| p.len()),
    )
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn word_length(text: &str) -> usize {
    text.find(|c| !is_word_char(c)).unwrap_or(text.len())
}

/// `1`, `0x1f_u8` or `1.5`; in `pair.0.1`, the numbers are two tokens.
fn number_length(text: &str, follows_dot: bool) -> usize {
    let whole = word_length(text);
    let fraction = text[whole..].strip_prefix('.').unwrap_or("");
    if follows_dot || !fraction.starts_with(|c: char| c.is_ascii_digit()) {
        return whole;
    }
    whole + 1 + word_length(fraction)
}

/// The length of a character in quotes; `None` for a lifetime.
fn char_length(text: &str) -> Option<usize> {
    let inner = &text[1..];
    let first = inner.chars().next()?;
    if first == '\\' {
        // The character after the backslash may be a quote.
        let end = inner[2..].find('\'')?;
        return Some(1 + 2 + end + 1);
    }
    let after = &inner[first.len_utf8()..];
    after.starts_with('\'').then(|| 1 + first.len_utf8() + 1)
}

/// The length of a string of any kind: `"…"`, `b"…"`, `c"…"`, `r"…"`, `br#"…"#`.
fn string_length(text: &str) -> Option<usize> {
    if let Some(after) = text.strip_prefix("b'") {
        return char_length(&text[1..])
            .filter(|_| !after.is_empty())
            .map(|n| n + 1);
    }
    let prefixes = ["br", "cr", "r", "b", "c", ""];
    let prefix = prefixes.iter().find(|p| {
        let rest = text.strip_prefix(**p).unwrap_or("");
        let is_raw = p.ends_with('r');
        let rest = if is_raw {
            rest.trim_start_matches('#')
        } else {
            rest
        };
        rest.starts_with('"')
    })?;
    let rest = &text[prefix.len()..];
    if !prefix.ends_with('r') {
        return Some(prefix.len() + quoted_length(rest));
    }
    let hashes = rest.find('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let body = hashes + 1;
    let length = rest[body..]
        .find(&end)
        .map_or(rest.len(), |n| body + n + end.len());
    Some(prefix.len() + length)
}

/// The length of a string with escapes.
fn quoted_length(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The index after the bracket that closes the one at `open`, or the number of tokens if none does.
pub fn after_group(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0;
    for (i, token) in tokens.iter().enumerate().skip(open) {
        if is_opening(token) {
            depth += 1;
        } else if is_closing(token) {
            depth -= 1;
            if depth == 0 {
                return i + 1;
            }
        }
    }
    tokens.len()
}

/// The index after the `>` that closes the `<` at `open`.
pub fn after_angles(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0;
    for (i, token) in tokens.iter().enumerate().skip(open) {
        if token.is("<") {
            depth += 1;
        } else if token.is(">") {
            depth -= 1;
            if depth == 0 {
                return i + 1;
            }
        }
    }
    tokens.len()
}

pub fn is_opening(token: &Token) -> bool {
    ["(", "[", "{"].iter().any(|b| token.is(b))
}

pub fn is_closing(token: &Token) -> bool {
    [")", "]", "}"].iter().any(|b| token.is(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        tokenize(text).iter().map(|t| t.text).collect()
    }

    #[test]
    fn comments_are_left_out() {
        assert_eq!(texts("a // b\nc /* d /* e */ f */ g"), ["a", "c", "g"]);
        assert_eq!(texts("a /* never closed"), ["a"]);
        assert_eq!(without_comments("é // ü\n\"//\""), "é      \n\"//\"");
    }

    #[test]
    fn strings_are_single_tokens() {
        assert_eq!(
            texts(r#"f("a \" { b", x)"#),
            ["f", "(", r#""a \" { b""#, ",", "x", ")"]
        );
        assert_eq!(texts(r##"r#"a " b"# b"c""##), [r##"r#"a " b"#"##, "b\"c\""]);
        assert_eq!(texts(r#"r"\" x"#), [r#"r"\""#, "x"]);
        assert_eq!(
            texts("\"// not a comment\" x"),
            ["\"// not a comment\"", "x"]
        );
        assert!(!tokenize("\"(\"")[0].is("("));
    }

    #[test]
    fn characters_differ_from_lifetimes() {
        assert_eq!(
            texts("'{' 'a 'b' '\\'' '\\u{7d}' 'é'"),
            ["'{'", "'a", "'b'", "'\\''", "'\\u{7d}'", "'é'"]
        );
        assert_eq!(tokenize("'static")[0].kind, Kind::Lifetime);
        assert_eq!(tokenize("b'\\''")[0].kind, Kind::Literal);
    }

    #[test]
    fn numbers_ranges_and_fields_differ() {
        assert_eq!(
            texts("1.5 0..n x.0.1"),
            ["1.5", "0", "..", "n", "x", ".", "0", ".", "1"]
        );
        assert_eq!(
            texts("a->b::c r#type"),
            ["a", "->", "b", "::", "c", "r#type"]
        );
    }

    #[test]
    fn groups_end_at_their_brackets() {
        let tokens = tokenize("f(a, [b], '}') { \"}\" } x");
        let open = tokens.iter().position(|t| t.is("{")).unwrap();
        assert_eq!(tokens[after_group(&tokens, 1)].text, "{");
        assert_eq!(tokens[after_group(&tokens, open)].text, "x");
        let tokens = tokenize("<A: Fn(B) -> C<D>> x");
        assert_eq!(tokens[after_angles(&tokens, 0)].text, "x");
    }
}
