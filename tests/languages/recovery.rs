//! A file with several syntax errors reports each of them once.

use gridbug::diagnostic::{Diagnostic, Phase};
use gridbug::language::syntax::MAX_SYNTAX_ERRORS;
use gridbug::language::{Language, TokenClass};
use gridbug::languages;
use gridbug::source::{Origin, Source, SourceId};
use std::ops::Range;

use crate::format::{Random, programs};

pub fn source(text: &str) -> Source {
    Source::new(SourceId::default(), Origin::File("game".into()), text)
}

/// The syntax errors of a program; none if it is valid or only its meaning is wrong.
fn syntax_errors(language: &dyn Language, text: &str) -> Vec<Diagnostic> {
    let errors = language.compile_file(&source(text)).err();
    let errors = errors.unwrap_or_default().into_iter();
    let is_syntax = |d: &Diagnostic| d.is_error() && d.phase == Phase::Parse;
    errors.filter(is_syntax).collect()
}

/// Line, code and message of each syntax error.
fn summary(language: &str, text: &str) -> Vec<(u32, &'static str, String)> {
    let language = languages::by_name(language).unwrap();
    let source = source(text);
    let errors = syntax_errors(language, text).into_iter();
    errors
        .map(|error| {
            let line = error.span.map_or(0, |span| source.line_number(span.start));
            (line, error.code, error.message)
        })
        .collect()
}

fn assert_errors(language: &str, text: &str, expected: &[(u32, &str, &str)]) {
    let found = summary(language, text);
    let found: Vec<_> = found.iter().map(|e| (e.0, e.1, e.2.as_str())).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn each_mistake_in_a_gridlok_game_is_reported() {
    let text = "board { dimensions {3 3} image {b.png} }
players {\"x\", \"o\"}
def n 1
piece {
  name {\"mark\"}
  onClick {
    if turn = \"x\" {
      n {n + 1}
    }
    endTurn {}
  }
}
fun twice(a {
  return a * 2
}
winCondition { win {n > } }
";
    assert_errors(
        "gridlok",
        text,
        &[
            (1, "GL001", "expected `,`, found the number 3"),
            (3, "GL001", "expected `{`, found the number 1"),
            (7, "GL012", "unexpected `=`"),
            (13, "GL001", "expected `,` or `)`, found `{`"),
            (16, "GL001", "expected a value, found `}`"),
        ],
    );
}

#[test]
fn a_missing_brace_does_not_hide_later_mistakes() {
    let text = "board { dimensions {3, 3} image {b.png} }
fun f() {
  if rows > 2 {
    return 1
  return 2
}
fun g(a {
  return a
}
";
    assert_errors(
        "gridlok",
        text,
        &[
            (4, "GL001", "missing `}`"),
            (7, "GL001", "expected `,` or `)`, found `{`"),
        ],
    );
    let text = "Layout(2, 2) {
    int a = 1
    if (a > 0) {
        print(a)
    print(a + )
}
gameLoop() {
    print(1 2)
}
";
    assert_errors(
        "gridlang",
        text,
        &[
            (5, "GG001", "expected an expression, found `)`"),
            (7, "GG005", "`gameLoop` cannot be defined inside a block"),
            (8, "GG001", "expected `)`, `[`, `,` or `=`, found `2`"),
        ],
    );
}

#[test]
fn each_mistake_in_a_bogl_game_is_reported() {
    let text = "game G
type Board = Array (3 3) of Int
f : Int -> Int
f(n) = if n > 0 then n
g : Int
g = 1 + * 2
h : (Int, Int -> Int
h(a, b) = a * b
";
    assert_errors(
        "bogl",
        text,
        &[
            (2, "BG003", "expected `,`, found `3`"),
            (5, "BG003", "expected `else`, found `g`"),
            (6, "BG003", "expected an expression, found `*`"),
            (7, "BG009", "function types are only allowed in signatures"),
        ],
    );
}

#[test]
fn each_mistake_in_a_gridlang_game_is_reported() {
    let text = "Player {
    int score =
}
Layout(2, 2) {
    Player ann
    int[2 list
    playerOrder = [ann]
}
function add(int a, b) : int {
    return a + b
}
gameLoop() {
    if (p.score > ) {
        print(\"won\"
    }
}
";
    assert_errors(
        "gridlang",
        text,
        &[
            (
                2,
                "GG001",
                "expected an expression before the end of the line",
            ),
            (6, "GG001", "expected `[`, `]`, `,` or `=`, found `list`"),
            (9, "GG001", "expected a name, found `)`"),
            (13, "GG001", "expected an expression, found `)`"),
            (14, "GG004", "missing `)`"),
        ],
    );
}

#[test]
fn each_mistake_in_a_tinygame_program_is_reported() {
    let text = "player hero {
    x = 0
    y = 0;
}
enemy {
    x = 1;
}
move hero sideways 1;
if hero.x >= 3 {
    print \"far\";
}
set hero x = 2;
";
    assert_errors(
        "tinygame",
        text,
        &[
            (2, "TG009", "missing `;` before the name `y`"),
            (5, "TG004", "expected the name of the enemy, found `{`"),
            (
                8,
                "TG004",
                "expected a direction (`up`, `down`, `left`, `right`), found the name `sideways`",
            ),
            (9, "TG010", "unsupported operator `>=`"),
            (
                12,
                "TG004",
                "expected `.` and the name of a property, found the name `x`",
            ),
        ],
    );
}

#[test]
fn each_mistake_in_an_sgl2d_game_is_reported() {
    let text = "environment > x=5 y=5
player x=1 y=1
sprite wall color=red
set wall > x=2
event wall > win
event > win
";
    assert_errors(
        "sgl2d",
        text,
        &[
            (2, "SG003", "expected `>`, found `x=1`"),
            (3, "SG003", "expected `>`, found `color=red`"),
            (
                4,
                "SG006",
                "expected `y=…` to complete the position, found the end of the line",
            ),
            (
                6,
                "SG004",
                "expected `player` or the name of a sprite, found `>`",
            ),
        ],
    );
}

#[test]
fn one_mistake_is_one_message() {
    for (language, text) in [
        (
            "gridlok",
            "fun f() {\n  fun g() { return 1 }\n}\nsetup { }\n",
        ),
        (
            "gridlok",
            "setup {\n  print{1}\n}\n}\npiece { name{\"a\"} }\n",
        ),
        ("bogl", "game G\nf : Int -> Int\nf(n) = [n]\n"),
        ("bogl", "f : Int -> Int\nf(n) = n\n"),
        (
            "gridlang",
            "Layout(2, 2) {\n    function f() { }\n    int a = 1\n}\n",
        ),
        (
            "tinygame",
            "if a.x > 1 {\n    print \"a\";\n\nplayer b {\n    x = 1;\n}\n",
        ),
        ("tinygame", "player a {\n    x = 1;\n}}\nmove a up 1;\n"),
    ] {
        let found = summary(language, text);
        assert_eq!(found.len(), 1, "{text}\n{found:?}");
    }
}

/// The errors are in the text, each after the one before it.
#[test]
fn errors_are_ordered_and_limited() {
    for (language, line) in [
        ("gridlok", "setup { n{ }\n"),
        ("bogl", "f : Int = =\n"),
        ("gridlang", "int a = = 1\n"),
        ("tinygame", "move a up ;\n"),
        ("sgl2d", "player x=1\n"),
    ] {
        let text = line.repeat(2_000);
        let errors = summary(language, &text);
        let lines: Vec<u32> = errors.iter().map(|error| error.0).collect();
        assert!(lines.is_sorted_by(|a, b| a < b), "{language}: {lines:?}");
        assert!(lines.len() <= MAX_SYNTAX_ERRORS, "{language}: {lines:?}");
    }
}

/// How many mistakes were made, how many have a message in their line or the next one, and how many
/// messages there are.
#[derive(Clone, Copy, Default)]
struct Precision {
    mistakes: usize,
    found: usize,
    messages: usize,
}

impl Precision {
    fn found_percent(self) -> f64 {
        100.0 * self.found as f64 / self.mistakes as f64
    }

    fn messages_per_mistake(self) -> f64 {
        self.messages as f64 / self.mistakes as f64
    }

    fn add(&mut self, other: Precision) {
        self.mistakes += other.mistakes;
        self.found += other.found;
        self.messages += other.messages;
    }
}

/// One token of a program, deleted, doubled, replaced, or with another one before it.
#[derive(Clone)]
pub struct Mistake {
    range: Range<usize>,
    replacement: String,
    line: u32,
}

/// The program with these mistakes.
pub fn with_mistakes(text: &str, mistakes: &[Mistake]) -> String {
    let mut changed = text.to_string();
    let mut mistakes = mistakes.to_vec();
    mistakes.sort_by_key(|mistake| std::cmp::Reverse(mistake.range.start));
    for mistake in mistakes {
        changed.replace_range(mistake.range, &mistake.replacement);
    }
    changed
}

/// A random mistake that is a syntax error.
fn mistake(random: &mut Random, language: &dyn Language, text: &str) -> Option<Mistake> {
    let tokens: Vec<Range<usize>> = language
        .highlight(text)
        .into_iter()
        .filter(|(_, class)| *class != TokenClass::Comment)
        .map(|(range, _)| range)
        .filter(|range| !text[range.clone()].trim().is_empty())
        .filter(|range| !text[range.clone()].contains('\n'))
        .collect();
    let mut pick = || {
        let index = random.below(tokens.len().max(1) as u64);
        tokens.get(index as usize).cloned()
    };
    let (range, other) = (pick()?, pick()?);
    let (token, other) = (&text[range.clone()], &text[other]);
    let replacement = match random.below(4) {
        0 => String::new(),
        1 => format!("{token} {token}"),
        2 => format!(" {other} "),
        _ => format!(" {other} {token}"),
    };
    let line = source(text).line_number(range.start as u32);
    let mistake = Mistake {
        range,
        replacement,
        line,
    };
    let changed = with_mistakes(text, std::slice::from_ref(&mistake));
    (!syntax_errors(language, &changed).is_empty()).then_some(mistake)
}

/// Up to `count` mistakes that are at least two lines apart.
pub fn mistakes(
    random: &mut Random,
    language: &dyn Language,
    text: &str,
    count: usize,
) -> Vec<Mistake> {
    let mut made: Vec<Mistake> = Vec::new();
    for _ in 0..8 * count {
        if made.len() == count {
            break;
        }
        let Some(next) = mistake(random, language, text) else {
            continue;
        };
        if made.iter().all(|other| other.line.abs_diff(next.line) > 1) {
            made.push(next);
        }
    }
    made
}

fn precision(language: &dyn Language, text: &str, mistakes: &[Mistake]) -> Precision {
    let changed = with_mistakes(text, mistakes);
    let source = source(&changed);
    let errors = syntax_errors(language, &changed);
    let lines: Vec<u32> = errors
        .iter()
        .filter_map(|error| Some(source.line_number(error.span?.start)))
        .collect();
    let is_found = |m: &&Mistake| lines.contains(&m.line) || lines.contains(&(m.line + 1));
    let is_in_text = |e: &Diagnostic| e.span.is_some_and(|s| s.end as usize <= changed.len());
    assert!(errors.iter().all(is_in_text), "{changed}");
    assert!(lines.is_sorted_by(|a, b| a < b), "{lines:?}\n{changed}");
    Precision {
        mistakes: mistakes.len(),
        found: mistakes.iter().filter(is_found).count(),
        messages: errors.len(),
    }
}

#[test]
fn most_mistakes_are_found_and_each_is_reported_once() {
    let programs = programs();
    println!("language  mistakes    found  messages per mistake");
    for language in languages::ALL {
        let name = language.info().name;
        let (mut total, mut random) = (Precision::default(), Random(7));
        let texts = programs.iter().filter(|(of, text)| {
            of.info().name == name && syntax_errors(*language, text).is_empty()
        });
        for (_, text) in texts {
            for count in 1..=5 {
                let made = mistakes(&mut random, *language, text, count);
                if made.len() == count {
                    total.add(precision(*language, text, &made));
                }
            }
        }
        let (found, messages) = (total.found_percent(), total.messages_per_mistake());
        println!(
            "{name:8} {:9}  {found:5.1} %  {messages:.2}",
            total.mistakes
        );
        assert!(total.mistakes > 90, "{name}: too few mistakes");
        assert!(found >= 90.0, "{name}: {found:.1} % found");
        assert!(
            messages <= 1.1,
            "{name}: {messages:.2} messages per mistake"
        );
    }
}
