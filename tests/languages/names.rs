//! Who uses which name: the places of a name are exactly those that a renaming must change.

use gridbug::command::handle_line;
use gridbug::host::MemoryHost;
use gridbug::language::{Language, NameEntry, NameKind};
use gridbug::languages;
use gridbug::render::AnswerText;
use gridbug::session::{Session, to_plain_text};
use gridbug::source::{Origin, Source, SourceId};
use std::rc::Rc;

use crate::format::programs;

fn names(language: &dyn Language, text: &str) -> Vec<NameEntry> {
    let source = Source::new(SourceId::default(), Origin::File("game".into()), text);
    language.names(&source)
}

/// `kind name: line, line`, with the lines of the definitions in brackets.
fn summary(language: &str, text: &str) -> Vec<String> {
    let language = languages::by_name(language).unwrap();
    let line = |start: u32| text[..start as usize].matches('\n').count() + 1;
    let entries = names(language, text).into_iter();
    entries
        .map(|entry| {
            let definitions = entry
                .definitions
                .iter()
                .map(|s| format!("[{}]", line(s.start)));
            let uses = entry.uses.iter().map(|s| line(s.start).to_string());
            let places: Vec<String> = definitions.chain(uses).collect();
            format!(
                "{} {}: {}",
                entry.kind.as_str(),
                entry.name,
                places.join(" ")
            )
        })
        .collect()
}

#[test]
fn names_of_gridlok_follow_its_scopes() {
    let text = "board { dimensions {2, 2} image {b.png} }
def n {1}
piece { name {\"lamp\"} onClick { n {n + 1} } }
setup { for r(0, n) { place {\"lamp\", r, 0} } }
fun f(n) { def r {n} return r }
winCondition { win {f {n} > 3} }
";
    assert_eq!(
        summary("gridlok", text),
        [
            "variable n: [2] 3 3 4 6",
            "piece lamp: [3] 4",
            "local variable r: [4] 4",
            "function f: [5] 6",
            "parameter n: [5] 5",
            "local variable r: [5] 5",
        ]
    );
}

#[test]
fn names_of_bogl_include_types_and_symbols() {
    let text = "game G
type Board = Array (2,2) of {X, Empty}
type Side = {Left, Right}
flip : Side -> Side
flip(s) = if s == Left then Right else (Left)
start : Board
start!(x,y) = Empty
start!(1,1) = X
twice : Int -> Int
twice(n) = let n = n + n in n
result : Side
result = flip(Left)
";
    assert_eq!(
        summary("bogl", text),
        [
            "symbol X: [2] 8",
            "symbol Empty: [2] 7",
            "type Side: [3] 4 4 11",
            "symbol Left: [3] 5 5 12",
            "symbol Right: [3] 5",
            "function flip: [4] [5] 12",
            "parameter s: [5] 5",
            "variable start: [6] [7] [8]",
            "function twice: [9] [10]",
            "parameter n: [10] 10 10",
            "local variable n: [10] 10",
        ]
    );
}

#[test]
fn names_of_gridlang_tinygame_and_sgl2d() {
    let text = "Player {
    int lives = 3
}
Item Coin {
    int worth = 1
}
Layout(2, 2)
{
    Player ann
    Coin[2] coins
    playerOrder = [ann]
}
function add(int lives) : int {
    return lives + ann.lives
}
Coin.colocation(Player)
{
    Player.lives += Coin.worth + add(1)
}
";
    assert_eq!(
        summary("gridlang", text),
        [
            "field lives: [2] 14 18",
            "piece Coin: [4] 10 16 18",
            "field worth: [5] 18",
            "variable ann: [9] 11 14",
            "variable coins: [10]",
            "function add: [13] 18",
            "parameter lives: [13] 14",
        ]
    );
    let text = "player hero { x = 0; y = 0; gold = 1; }
enemy wolf { x = 1; y = hero.y; gold = hero.gold; }
if hero.gold == wolf.gold { move wolf up 1; }
";
    assert_eq!(
        summary("tinygame", text),
        [
            "piece hero: [1] 2 2 3",
            "field gold: [1] [2] 2 3 3",
            "piece wolf: [2] 3 3",
        ]
    );
    let text = "sprite floor > color=grey
sprite Coin > color=orange
event coin > transformtosprite=floor
set floor > x=1 y=1
";
    assert_eq!(
        summary("sgl2d", text),
        ["piece floor: [1] 3 4", "piece coin: [2] 3"]
    );
}

/// A name of the same length and with the same first letter, so that the layout and the glyphs stay
/// the same. `None` if there is none that the program does not contain.
fn fresh_name(
    text: &str,
    entry: &NameEntry,
    info: &gridbug::language::LanguageInfo,
) -> Option<String> {
    let lowercase = text.to_ascii_lowercase();
    let first = entry.name.chars().next()?;
    let rest = entry.name.chars().count() - 1;
    let candidates: Vec<String> = match rest {
        0 if entry.kind == NameKind::Piece => return None,
        0 => ('a'..='z')
            .map(|c| {
                if first.is_uppercase() {
                    c.to_ascii_uppercase()
                } else {
                    c
                }
            })
            .map(String::from)
            .collect(),
        // The glyph of a piece comes from its first letters.
        n => ["q", "z", "j"]
            .iter()
            .map(|last| format!("{}{last}", &entry.name.chars().take(n).collect::<String>()))
            .collect(),
    };
    let is_word = |name: &str| {
        let name = name.to_ascii_lowercase();
        let words = lowercase.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.into_iter().any(|word| word == name)
    };
    candidates
        .into_iter()
        .find(|name| !is_word(name) && !info.is_reserved(name) && lowercase != *name)
}

fn renamed(text: &str, entry: &NameEntry, fresh: &str) -> String {
    let mut result = text.to_string();
    for span in entry.spans().into_iter().rev() {
        let range = span.start as usize..span.end as usize;
        assert!(
            result[range.clone()].eq_ignore_ascii_case(&entry.name),
            "{:?} is not {}",
            &result[range],
            entry.name
        );
        result.replace_range(range, fresh);
    }
    result
}

/// What loading a program and playing a little shows, as sorted lines.
fn behaviour(language: &'static dyn Language, text: &str) -> Option<Vec<String>> {
    let mut session = Session::with_host(language, 1, Rc::new(MemoryHost::new()));
    let reply = session.load("game", text);
    if !reply.ok {
        return None;
    }
    let mut lines = to_plain_text(&session, &reply);
    for entry in [
        "click{0,0}",
        "click{1,1}",
        "click{0,1}",
        "right",
        "down",
        "up",
        ":vars",
        ":list",
    ] {
        let reply = handle_line(&mut session, entry);
        // Errors suggest names that are close.
        if reply.ok {
            lines.extend(to_plain_text(&session, &reply));
        }
    }
    Some(sorted(lines))
}

/// The words of each line in order, and the lines in order: names may be listed alphabetically.
fn sorted(lines: impl IntoIterator<Item = String>) -> Vec<String> {
    let words = |line: String| {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        words.sort();
        words.join(" ")
    };
    let mut lines: Vec<String> = lines.into_iter().map(words).collect();
    lines.sort();
    lines
}

/// The text with `name` instead of the word `fresh`.
fn with_word(text: &str, fresh: &str, name: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
    let mut result = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let length = |test: &dyn Fn(char) -> bool| rest.find(|c| !test(c)).unwrap_or(rest.len());
        let word = &rest[..length(&is_part)];
        match word {
            "" => {
                let other = length(&|c| !is_part(c));
                result.push_str(&rest[..other]);
                rest = &rest[other..];
            }
            word => {
                result.push_str(if word == fresh { name } else { word });
                rest = &rest[word.len()..];
            }
        }
    }
    result
}

#[test]
fn a_program_with_a_renamed_name_behaves_the_same() {
    let mut renamings = 0;
    for (language, text) in programs() {
        let text = text.as_str();
        if text.len() > 3_000 {
            continue;
        }
        let Some(expected) = behaviour(language, text) else {
            continue;
        };
        for entry in names(language, text) {
            // A player and a piece may have the same name in quotes.
            let is_player = entry.kind == NameKind::Piece
                && text
                    .lines()
                    .any(|l| l.contains("players") && l.contains(&entry.name));
            // Some names, such as `ground`, are drawn as a dot.
            let is_dot = |line: &String| line.contains('·') && line.contains(&entry.name);
            let is_drawn_by_name =
                is_player || entry.kind == NameKind::Piece && expected.iter().any(is_dot);
            let fresh = fresh_name(text, &entry, language.info());
            let Some(fresh) = fresh.filter(|_| !is_drawn_by_name) else {
                continue;
            };
            let other = renamed(text, &entry, &fresh);
            let found = behaviour(language, &other)
                .unwrap_or_else(|| panic!("{} to {fresh}:\n{other}", entry.name));
            let found = sorted(
                found
                    .iter()
                    .map(|line| with_word(line, &fresh, &entry.name)),
            );
            assert_eq!(found, expected, "{} to {fresh}:\n{other}", entry.name);
            renamings += 1;
        }
    }
    assert!(renamings > 300, "only {renamings} renamings");
}

#[test]
fn uses_lists_the_places_of_a_name() {
    let mut session = Session::with_host(
        languages::by_name("gridlok").unwrap(),
        1,
        Rc::new(MemoryHost::new()),
    );
    let text =
        "game {\n  board { dimensions {1, 1} }\n  def n {1}\n  fun f(n) { return n + n }\n}\n";
    assert!(session.load("game.gl", text).ok);
    handle_line(&mut session, "fun g() { return n }");
    let reply = |session: &mut Session, line: &str| {
        let reply = handle_line(session, line);
        to_plain_text(session, &reply).join("\n")
    };
    assert_eq!(
        reply(&mut session, ":uses n"),
        "variable n
  defined  line 3     def n {1}
  used     entry 1:1  fun g() { return n }
parameter n
  defined  line 4  fun f(n) { return n + n }
  used     line 4  fun f(n) { return n + n }"
    );
    assert_eq!(
        reply(&mut session, ":uses g"),
        "function g\n  defined  entry 1:1  fun g() { return n }\n  not used"
    );
    let failed = |session: &mut Session, line: &str| {
        let reply = handle_line(session, line);
        assert!(!reply.ok);
        reply.text()
    };
    assert!(failed(&mut session, ":uses turn").contains("`:help turn` explains it"));
    assert!(failed(&mut session, ":uses").contains("needs a name"));
    assert!(!failed(&mut session, ":uses zebra").is_empty());
}
