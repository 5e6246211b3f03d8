//! A syntax error hides neither name nor type errors of the parts that parsed, and causes none.

use crate::recovery::{Mistake, mistakes, source, with_mistakes};
use gridbug::diagnostic::{Diagnostic, Phase};
use gridbug::language::{Language, TokenClass};
use gridbug::languages;

use crate::format::{Random, programs};

fn errors(language: &dyn Language, text: &str) -> Vec<Diagnostic> {
    let errors = language.compile_file(&source(text)).err();
    let errors = errors.unwrap_or_default().into_iter();
    errors.filter(Diagnostic::is_error).collect()
}

/// Line and message of each error.
fn summary(language: &str, text: &str) -> Vec<(u32, String)> {
    let language = languages::by_name(language).unwrap();
    let file = source(text);
    let line = |error: &Diagnostic| error.span.map_or(0, |span| file.line_number(span.start));
    let errors = errors(language, text).into_iter();
    errors.map(|error| (line(&error), error.message)).collect()
}

#[track_caller]
fn assert_errors(language: &str, text: &str, expected: &[(u32, &str)]) {
    let found = summary(language, text);
    let found: Vec<_> = found.iter().map(|e| (e.0, e.1.as_str())).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn name_and_type_errors_beside_a_syntax_error_are_reported() {
    assert_errors(
        "gridlok",
        "board { dimensions {3, 3} image {b.png} }
players {\"x\", \"o\"}
def n 1
fun f() {
  return scoer
}
piece {
  name {\"mark\"}
  onClick {
    tally {n}
    place {\"mark\", 1}
    endTurn {}
  }
}
",
        &[
            (3, "expected `{`, found the number 1"),
            (5, "unknown name `scoer`"),
            (10, "unknown name `tally`"),
            (11, "`place` takes 3 arguments, but 2 were given"),
        ],
    );
    assert_errors(
        "bogl",
        "game G
f : Int -> Int
f(n) = n + True
g : Int
g = 1 + * 2
h : Int
h = g + unknown
i : Int
i = missing
",
        &[
            (3, "`+` needs an `Int` on its right side, found a `Bool`"),
            (5, "expected an expression, found `*`"),
            (7, "unknown name `unknown`"),
            (9, "unknown name `missing`"),
        ],
    );
    assert_errors(
        "gridlang",
        "Layout(2, 2) {
    Player ann
    int a = = 1
    int b = \"x\"
}
gameLoop() {
    print(unknown)
    print(a)
}
",
        &[
            (3, "expected an expression, found `=`"),
            (4, "`b` is an int, but this value is a string"),
            (7, "unknown name `unknown`"),
        ],
    );
    assert_errors(
        "tinygame",
        "player hero {
    x = 0;
    y = 0
}
enemy troll { x = 1; y = 1; }
move heroo up 1;
set troll.z = 1;
set hero.speed = 2;
",
        &[
            (3, "missing `;` before `}`"),
            (6, "heroo not declared; did you mean `hero`?"),
            (7, "property z not declared in troll"),
        ],
    );
    // An unknown sprite is a warning.
    let text = "environment > x=5 y=5
player > x=1 y=1
sprite wall color=red
sprite coin > color=orange
set coins > x=2 y=2
set wall > x=1 y=3
event coin > transformtosprite=walls
event coin > win=1
";
    let language = languages::by_name("sgl2d").unwrap();
    let found = language.compile_file(&source(text)).err().unwrap();
    let messages: Vec<&str> = found.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "expected `>`, found `color=red`",
            "unknown sprite `coins`, so this line is ignored; did you mean `coin`?",
            "unknown sprite `walls`, so no cell will become it",
            "reading stops here: expected an action such as `win`, found `1`",
        ]
    );
}

/// The programs of a language that have no errors.
fn correct_programs(language: &dyn Language) -> Vec<String> {
    let programs = programs().into_iter();
    let programs = programs.filter(|(of, _)| of.info().name == language.info().name);
    let programs = programs.map(|(_, text)| text.to_string());
    let programs = programs.filter(|text| errors(language, text).is_empty());
    programs.collect()
}

/// The lines of a text that a change made different.
fn changed_lines(text: &str, changed: &str) -> String {
    let lines = text.lines().zip(changed.lines());
    let lines = lines.filter(|(before, after)| before != after);
    let lines: Vec<&str> = lines.map(|(_, after)| after.trim()).collect();
    lines.join(" | ")
}

/// Compares the changes that are not judged as they should be with those that are known, each of which
/// has its reason.
#[track_caller]
fn assert_judged(language: &str, found: &[(String, String)], known: &[(&str, &str)]) {
    let is_known = |change: &str| known.contains(&(language, change));
    let new = found.iter().filter(|(change, _)| !is_known(change));
    let new: Vec<_> = new
        .map(|(change, what)| format!("{change}: {what}"))
        .collect();
    assert!(new.is_empty(), "{language}: {}", new.join("\n"));
    for (_, change) in known.iter().filter(|(of, _)| *of == language) {
        let is_found = found.iter().any(|(other, _)| other == change);
        assert!(is_found, "{language}: {change} is right now");
    }
}

/// Mistakes that cause errors besides those of the syntax.
const CAUSE_OTHER_ERRORS: &[(&str, &str)] = &[
    // Three mistakes. `print{ }` is complete, and the `}` after it ends the block before its time.
    (
        "gridlok",
        "board{ dimensions{2,3 { } } | piece{ name name{\"pawn\"} } | print{ } }",
    ),
];

/// The program had no errors, so each one but those of the syntax is a consequence of the mistake.
#[test]
fn a_syntax_error_causes_no_other_errors() {
    for language in languages::ALL {
        let name = language.info().name;
        let mut random = Random(11);
        let (mut tried, mut caused) = (0, Vec::new());
        for text in correct_programs(*language) {
            for count in [1, 1, 1, 1, 2, 3] {
                let made: Vec<Mistake> = mistakes(&mut random, *language, &text, count);
                let changed = with_mistakes(&text, &made);
                tried += made.len();
                let found = errors(*language, &changed);
                let other = found.iter().find(|error| error.phase != Phase::Parse);
                if let Some(other) = other {
                    caused.push((changed_lines(&text, &changed), other.message.clone()));
                }
            }
        }
        println!("{name}: {} of {tried}", caused.len());
        assert_judged(name, &caused, CAUSE_OTHER_ERRORS);
    }
}

/// Missing brackets and misspelled keywords with more than one error.
const SEVERAL_ERRORS: &[(&str, &str)] = &[
    // The missing `]` may be in any of four places, and the brace after it is taken for a value.
    ("gridlok", "if board[r[c] == empty {"),
    // Without its keyword, the line continues the one before; what follows looks like an equation.
    (
        "bogl",
        "whiel and(not(won(next(p), b)), count(Empty, b) > 0)",
    ),
    (
        "bogl",
        "else let b = ladder(n - 1) in dropif n % 2 == 1 then Red else Yellow, 1 + (n + 1) % 2, b)",
    ),
];

/// Every bracket and semicolon of the programs left out, and every keyword misspelled.
#[test]
fn a_missing_bracket_or_misspelled_keyword_is_one_error() {
    for language in languages::ALL {
        let name = language.info().name;
        let (mut tried, mut several, mut caused) = (0, Vec::new(), Vec::new());
        for text in correct_programs(*language) {
            for (range, class) in language.highlight(&text) {
                let replacement = match &text[range.clone()] {
                    "{" | "}" | "(" | ")" | "[" | "]" | ";" => String::new(),
                    word if class == TokenClass::Keyword && word.len() > 2 => misspelled(word),
                    _ => continue,
                };
                let mut changed = text.clone();
                changed.replace_range(range, &replacement);
                let found = errors(*language, &changed);
                if found.iter().all(|error| error.phase != Phase::Parse) {
                    continue;
                }
                tried += 1;
                let messages: Vec<&str> = found.iter().map(|e| e.message.as_str()).collect();
                let judged = (changed_lines(&text, &changed), messages.join("; "));
                if found.iter().any(|error| error.phase != Phase::Parse) {
                    caused.push(judged);
                } else if found.len() > 1 {
                    several.push(judged);
                }
            }
        }
        println!("{name}: {} and {} of {tried}", caused.len(), several.len());
        assert_judged(name, &caused, &[]);
        assert_judged(name, &several, SEVERAL_ERRORS);
    }
}

/// A word with its last two letters swapped.
fn misspelled(word: &str) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    let last = letters.len() - 1;
    letters.swap(last - 1, last);
    if letters[last - 1] == letters[last] {
        letters.pop();
    }
    letters.into_iter().collect()
}

/// Missing braces that are not one error in their line.
const ELSEWHERE: &[(&str, &str)] = &[
    // Nothing in these files is indented, so that the last brace of all may be the missing one.
    (
        "gridlok",
        "5: setup{ if turn==“a” && !(rows == 3 || cols == 3) { display{“say \"hi\"”} } }",
    ),
    ("gridlok", "20: }"),
];

/// Every `}`, `{` or `;` of the programs that ends a line, left out alone.
#[test]
fn a_missing_brace_or_semicolon_is_one_error_in_its_line() {
    for language in languages::ALL {
        let name = language.info().name;
        let (mut tried, mut wrong) = (0, Vec::new());
        for text in correct_programs(*language) {
            let file = source(&text);
            for (at, _) in text.match_indices(['{', '}', ';']) {
                let rest = &text[at + 1..];
                let is_last = rest.split('\n').next().unwrap_or("").trim().is_empty();
                let changed = format!("{}{rest}", &text[..at]);
                let found = errors(*language, &changed);
                if !is_last || found.is_empty() {
                    continue;
                }
                tried += 1;
                let changed_file = source(&changed);
                let lines: Vec<u32> = found
                    .iter()
                    .filter_map(|e| Some(changed_file.line_number(e.span?.start)))
                    .collect();
                let line = file.line_number(at as u32);
                // A line that had only the brace is gone: the one before it is where it is missing.
                let before = text[..at].trim_end().len() as u32;
                let expected = [line, file.line_number(before.saturating_sub(1))];
                if lines.len() != 1 || !expected.contains(&lines[0]) {
                    let messages: Vec<&str> = found.iter().map(|e| e.message.as_str()).collect();
                    let what = format!("{expected:?} {lines:?} {}", messages.join("; "));
                    wrong.push((format!("{line}: {}", file.line(line)), what));
                }
            }
        }
        println!("{name}: {} of {tried}", wrong.len());
        assert_judged(name, &wrong, ELSEWHERE);
    }
}
