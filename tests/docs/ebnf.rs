//! Executes the grammar of a language page: it must accept the programs that the parser accepts, and
//! no others. Both get the programs of the repository, and variants of them with a character missing.

use gridbug::languages;
use gridbug::session::Session;
use std::collections::BTreeSet;
use std::path::Path;

/// The error codes that matter for the comparison.
struct ErrorCodes {
    language: &'static str,
    /// Errors in programs that do not follow the grammar. Names and strings as values are among
    /// them: the parser accepts these only to report them better.
    syntax: &'static [&'static str],
    /// Limits, which are not part of the grammar. The rest of such a program is not parsed.
    limits: &'static [&'static str],
}

const ERROR_CODES: [ErrorCodes; 1] = [ErrorCodes {
    language: "tinygame",
    syntax: &[
        "TG001", "TG002", "TG003", "TG004", "TG005", "TG006", "TG009", "TG010", "TG011", "TG103",
        "TG104",
    ],
    limits: &["TG007", "TG008", "TG012"],
}];

/// Compares a grammar with the parser of its language. `root` is the directory of `Cargo.toml`.
pub fn check(root: &Path, name: &str, text: &str) -> Result<(), String> {
    let language = languages::by_name(name).ok_or(format!("unknown language `{name}`"))?;
    let info = language.info();
    let codes = ERROR_CODES.iter().find(|codes| codes.language == name);
    let codes = codes.ok_or(format!("`ERROR_CODES` has no entry for {name}"))?;
    let grammar = Grammar::parse(text, info.keywords)?;
    let compare = |program: &str| {
        let mut session = Session::new(language, 1);
        let reply = session.load("page", program);
        let has_any = |codes: &[&str]| reply.diagnostics.iter().any(|d| codes.contains(&d.code));
        if has_any(codes.limits) {
            return Ok(());
        }
        let expected = !has_any(codes.syntax);
        match grammar.accepts(program) == expected {
            true => Ok(()),
            false if expected => Err(format!("the grammar does not accept\n{program}")),
            false => Err(format!("only the grammar accepts\n{program}")),
        }
    };
    let read_all = |dir: &str| {
        let paths = std::fs::read_dir(root.join(dir)).into_iter().flatten();
        let paths = paths.map(|entry| entry.unwrap().path());
        let is_program = |path: &Path| {
            let extension = path.extension().unwrap_or_default().to_string_lossy();
            info.extensions.contains(&&*extension)
        };
        let programs = paths.filter(|path| is_program(path));
        programs
            .map(|path| std::fs::read_to_string(path).unwrap())
            .collect::<Vec<_>>()
    };
    compare(info.sample)?;
    read_all(&format!("sessions/{name}"))
        .iter()
        .try_for_each(|program| compare(program))?;
    let corpus = ["ok", "err"].map(|kind| read_all(&format!("tests/corpus/{name}/{kind}")));
    let corpus = corpus.concat();
    if corpus.is_empty() {
        return Err(format!("tests/corpus/{name} has no programs"));
    }
    for program in &corpus {
        compare(program)?;
        for (at, character) in program.char_indices() {
            compare(&format!(
                "{}{}",
                &program[..at],
                &program[at + character.len_utf8()..]
            ))?;
        }
    }
    Ok(())
}

enum Expr {
    /// `a | b`
    Choice(Vec<Expr>),
    /// `a b`
    Sequence(Vec<Expr>),
    /// `{ a }`
    Repeat(Box<Expr>),
    /// `[ a ]`
    Optional(Box<Expr>),
    /// `"a"` or `'a'`
    Literal(String),
    Rule(String),
    LowercaseLetter,
    Digit,
    /// `any character except 'a'`
    AnyExcept(String),
}

/// A grammar in EBNF. The first rule is the start; rules in capitals are tokens, with whitespace and
/// comments allowed before but not within them.
struct Grammar<'k> {
    rules: Vec<(String, Expr)>,
    /// Words that are not names.
    keywords: &'k [&'k str],
}

impl<'k> Grammar<'k> {
    /// Parses a grammar in which every rule is defined once and used.
    fn parse(text: &str, keywords: &'k [&'k str]) -> Result<Grammar<'k>, String> {
        let mut sources: Vec<(String, String)> = Vec::new();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            match (
                line.starts_with(' '),
                line.split_once(" = "),
                sources.last_mut(),
            ) {
                (false, Some((name, rest)), _) => sources.push((name.trim().into(), rest.into())),
                (true, _, Some((_, rule))) => *rule += line,
                _ => return Err(format!("expected `rule = …`, found `{line}`")),
            }
        }
        let mut rules = Vec::new();
        let mut used = BTreeSet::new();
        for (name, source) in &sources {
            let mut parser = Parser {
                tokens: tokens(source)?,
                at: 0,
                used: &mut used,
            };
            let rule = parser.choice()?;
            if let Some(token) = parser.peek() {
                return Err(format!("rule `{name}`: unexpected `{token}`"));
            }
            rules.push((name.clone(), rule));
        }
        let names: Vec<&String> = sources.iter().map(|(name, _)| name).collect();
        if let Some(name) = used.iter().find(|name| !names.contains(name)) {
            return Err(format!("rule `{name}` is not defined"));
        }
        if let Some(name) = names.iter().skip(1).find(|name| !used.contains(**name)) {
            return Err(format!("rule `{name}` is not used"));
        }
        let is_repeated = |(n, name): (usize, &&String)| names[..n].contains(name);
        match names.iter().enumerate().any(is_repeated) {
            true => Err("a rule is defined twice".into()),
            false => Ok(Grammar { rules, keywords }),
        }
    }

    fn accepts(&self, text: &str) -> bool {
        let ends = self
            .rules
            .first()
            .map(|(_, rule)| self.ends(rule, text, 0, false));
        ends.is_some_and(|ends| ends.iter().any(|end| skip_blanks(text, *end) == text.len()))
    }

    /// All positions where a match that starts at `at` can end.
    fn ends(&self, expr: &Expr, text: &str, at: usize, in_token: bool) -> BTreeSet<usize> {
        let character = |matches: &dyn Fn(char) -> bool| {
            let next = text[at..].chars().next().filter(|c| matches(*c));
            next.map(|c| at + c.len_utf8()).into_iter().collect()
        };
        match expr {
            Expr::Choice(parts) => {
                let ends = parts.iter().map(|part| self.ends(part, text, at, in_token));
                ends.flatten().collect()
            }
            Expr::Sequence(parts) => parts.iter().fold(BTreeSet::from([at]), |starts, part| {
                let ends = starts
                    .iter()
                    .map(|start| self.ends(part, text, *start, in_token));
                ends.flatten().collect()
            }),
            Expr::Repeat(part) => {
                let (mut found, mut new) = (BTreeSet::from([at]), vec![at]);
                while let Some(start) = new.pop() {
                    for end in self.ends(part, text, start, in_token) {
                        if found.insert(end) {
                            new.push(end);
                        }
                    }
                }
                found
            }
            Expr::Optional(part) => {
                let mut ends = self.ends(part, text, at, in_token);
                ends.insert(at);
                ends
            }
            Expr::Literal(literal) => {
                let start = if in_token { at } else { skip_blanks(text, at) };
                let end = start + literal.len();
                let matches = text[start..].starts_with(literal.as_str());
                let is_whole = in_token || is_whole_word(text, start, end);
                (matches && is_whole).then_some(end).into_iter().collect()
            }
            Expr::Rule(name) => {
                let (_, rule) = self.rules.iter().find(|(rule, _)| rule == name).unwrap();
                if in_token || !name.chars().all(char::is_uppercase) {
                    return self.ends(rule, text, at, in_token);
                }
                // A token is as long as possible.
                let start = skip_blanks(text, at);
                let end = self.ends(rule, text, start, true).last().copied();
                let is_token = |end: &usize| {
                    is_whole_word(text, start, *end) && !self.keywords.contains(&&text[start..*end])
                };
                end.filter(is_token).into_iter().collect()
            }
            Expr::LowercaseLetter => character(&|c| c.is_ascii_lowercase()),
            Expr::Digit => character(&|c| c.is_ascii_digit()),
            Expr::AnyExcept(excluded) => character(&|c| !excluded.contains(c)),
        }
    }
}

/// The position after whitespace and comments.
fn skip_blanks(text: &str, at: usize) -> usize {
    let rest = text[at..].trim_start();
    let start = text.len() - rest.len();
    match rest.starts_with("//") {
        true => skip_blanks(text, start + rest.find('\n').unwrap_or(rest.len())),
        false => start,
    }
}

/// False if this is only the beginning of a longer word.
fn is_whole_word(text: &str, start: usize, end: usize) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    !(text[start..].starts_with(|c: char| c.is_ascii_alphabetic())
        && text
            .get(end..)
            .is_some_and(|rest| rest.starts_with(is_word)))
}

/// Words, literals with their quotes, and single characters.
fn tokens(rule: &str) -> Result<Vec<&str>, String> {
    let mut tokens = Vec::new();
    let mut rest = rule.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' | '\'' => {
                let end = rest[1..].find(first).filter(|length| *length > 0);
                end.ok_or(format!("incomplete literal in `{rule}`"))? + 2
            }
            'a'..='z' | 'A'..='Z' => {
                let end = rest.find(|c: char| !c.is_ascii_alphabetic());
                end.unwrap_or(rest.len())
            }
            _ => first.len_utf8(),
        };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

struct Parser<'t> {
    tokens: Vec<&'t str>,
    at: usize,
    /// The names of all rules that are used.
    used: &'t mut BTreeSet<String>,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Option<&'t str> {
        self.tokens.get(self.at).copied()
    }

    fn choice(&mut self) -> Result<Expr, String> {
        let mut parts = vec![self.sequence()?];
        while self.peek() == Some("|") {
            self.at += 1;
            parts.push(self.sequence()?);
        }
        Ok(Expr::Choice(parts))
    }

    fn sequence(&mut self) -> Result<Expr, String> {
        let mut parts = Vec::new();
        while self
            .peek()
            .is_some_and(|token| !["|", ")", "]", "}"].contains(&token))
        {
            parts.push(self.part()?);
        }
        match parts.is_empty() {
            true => Err("empty alternative".into()),
            false => Ok(Expr::Sequence(parts)),
        }
    }

    fn part(&mut self) -> Result<Expr, String> {
        const EXCEPT: [&str; 3] = ["any", "character", "except"];
        let rest = &self.tokens[self.at..];
        let (length, expr) = match rest {
            ["lowercase", "letter", ..] => (2, Expr::LowercaseLetter),
            ["digit", ..] => (1, Expr::Digit),
            [a, b, c, excluded, ..] if [*a, *b, *c] == EXCEPT => {
                (4, Expr::AnyExcept(unquote(excluded)))
            }
            [literal, ..] if literal.starts_with(['"', '\'']) => {
                (1, Expr::Literal(unquote(literal)))
            }
            [name, ..] if name.starts_with(|c: char| c.is_ascii_alphabetic()) => {
                self.used.insert(name.to_string());
                (1, Expr::Rule(name.to_string()))
            }
            ["(", ..] => return self.group(")"),
            ["[", ..] => return Ok(Expr::Optional(Box::new(self.group("]")?))),
            ["{", ..] => return Ok(Expr::Repeat(Box::new(self.group("}")?))),
            _ => return Err(format!("unexpected `{}`", rest.join(" "))),
        };
        self.at += length;
        Ok(expr)
    }

    fn group(&mut self, close: &str) -> Result<Expr, String> {
        self.at += 1;
        let inner = self.choice()?;
        if self.peek() != Some(close) {
            return Err(format!("missing `{close}`"));
        }
        self.at += 1;
        Ok(inner)
    }
}

fn unquote(literal: &str) -> String {
    literal[1..literal.len() - 1].to_string()
}

#[test]
fn a_grammar_that_differs_from_the_parser_is_found() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("docs/tinygame.md")).unwrap();
    let grammar = page.split("```grammar tinygame\n").nth(1).unwrap();
    let grammar = grammar.split("```").next().unwrap();
    for (from, to, message) in [
        ("\"left\" | ", "", "the grammar does not accept"),
        ("[ \"-\" ] NUMBER", "NUMBER", "the grammar does not accept"),
        (
            " | \"=\" | \"!=\"",
            " | \"!=\"",
            "the grammar does not accept",
        ),
        (
            "\"<\" | \">\"",
            "\"<\" | \">\" | \">=\"",
            "only the grammar accepts",
        ),
        (
            "STRING \";\"",
            "STRING [ \";\" ]",
            "only the grammar accepts",
        ),
        (
            "NAME \".\" NAME |",
            "NAME [ \".\" NAME ] |",
            "only the grammar accepts",
        ),
        (
            "\"(\" expr \")\"",
            "\"(\" value \")\"",
            "rule `value` is not defined",
        ),
        (
            "term        =",
            "product     =",
            "rule `term` is not defined",
        ),
        ("{ digit }", "{ digit", "missing `}`"),
    ] {
        let changed = grammar.replacen(from, to, 1);
        assert_ne!(changed, grammar, "{from}");
        let error = check(root, "tinygame", &changed).unwrap_err();
        assert!(error.contains(message), "{from} => {to}: {error}");
    }
}
