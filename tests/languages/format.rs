//! The formatter: what it changes, and that it never changes a program.

use gridbug::language::{Language, TokenClass, format_program};
use gridbug::languages;
use gridbug::source::{Origin, Source, SourceId};
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn language(name: &str) -> &'static dyn Language {
    languages::by_name(name).expect("unknown language")
}

/// The formatted program, or `None` if it has errors.
fn format(language: &dyn Language, text: &str) -> Option<String> {
    let source = Source::new(SourceId::default(), Origin::File("game".into()), text);
    format_program(language, &[], &Arc::new(source)).ok()
}

#[track_caller]
fn assert_formats(name: &str, text: &str, expected: &str) {
    let formatted = format(language(name), text).expect("the program has errors");
    assert_eq!(formatted, expected, "formatted:\n{formatted}");
}

#[test]
fn gridlok_is_indented_by_two_spaces() {
    assert_formats(
        "gridlok",
        "/* A game
   of lamps. */
game{
board{ dimensions{3,3} image{b.png} }
   players {\"x\",\"o\"}   // the two
piece { name {\"lamp\"} image {l.png}


      onClick {
   if turn==\"x\" AND
   rows>2 { count {-1+count*(2 -1)} } // minus
      endTurn{}     // end
}
}
def count {0}
}",
        "/* A game
   of lamps. */
game {
  board { dimensions {3, 3} image {b.png} }
  players {\"x\", \"o\"}  // the two
  piece { name {\"lamp\"} image {l.png}

    onClick {
      if turn == \"x\" AND
        rows > 2 { count {-1 + count * (2 - 1)} }  // minus
      endTurn {}                                   // end
    }
  }
  def count {0}
}
",
    );
}

#[test]
fn gridlang_indents_statements_without_braces() {
    assert_formats(
        "gridlang",
        "Player {
int   throws
}
Layout(2, 8)
{
Player ann, bob
ann.position=(0,0)
playerOrder=[ann, bob]
}
gameLoop()
{
if (p.throws > 9) {
repeat
}
p.throws++ ; p.throws+=1
if(p.throws>3)
p.throws = -1
else if (p.throws >2)
p.throws=2
else
{
p.throws = 0
}
}
checkGameEnd()
{
# The end.
return p.throws==2 # yes
}
",
        "Player {
    int throws
}
Layout(2, 8)
{
    Player ann, bob
    ann.position = (0,0)
    playerOrder = [ann, bob]
}
gameLoop()
{
    if (p.throws > 9) {
        repeat
    }
    p.throws++; p.throws += 1
    if (p.throws > 3)
        p.throws = -1
    else if (p.throws > 2)
        p.throws = 2
    else
    {
        p.throws = 0
    }
}
checkGameEnd()
{
    # The end.
    return p.throws == 2  # yes
}
",
    );
}

#[test]
fn bogl_keeps_the_indentation() {
    assert_formats(
        "bogl",
        "game Stones
type Board=Array (3,1) of {Stone,Gone}

start:Board
start!(x,y)=Stone   -- all of them
f:(Int,Int)->Int
f(a,b) = if a>b  then 0-a
\telse a+b
",
        "game Stones
type Board = Array (3,1) of {Stone,Gone}

start : Board
start!(x,y) = Stone  -- all of them
f : (Int,Int) -> Int
f(a,b) = if a > b then 0 - a
    else a + b
",
    );
}

#[test]
fn tinygame_and_sgl2d_are_formatted() {
    assert_formats(
        "tinygame",
        "player knight {\nx=0;\n  y = 0 ;health=20;\n}\nif knight.x==0{\nset knight.health=knight.health-1;// ouch\nprint \"two\nlines\" ;\n}\n",
        "player knight {\n    x = 0;\n    y = 0; health = 20;\n}\nif knight.x == 0 {\n    set knight.health = knight.health - 1;  // ouch\n    print \"two\nlines\";\n}\n",
    );
    assert_formats(
        "sgl2d",
        "environment>x=12 y=7\nplayer > x=1y=3   color=blue\ngoal>x=10 y=3\nsprite floor > color=grey\nevent floor > inccounter1= 1\ncounter counter1 > true 0\nset floor > (x=0 y=0,x=11 y=6)\n(x=1 y=1 , x=2 y=2)\n",
        "environment > x=12 y=7\nplayer > x=1 y=3 color=blue\ngoal > x=10 y=3\nsprite floor > color=grey\nevent floor > inccounter1=1\ncounter counter1 > true 0\nset floor > (x=0 y=0, x=11 y=6)\n(x=1 y=1, x=2 y=2)\n",
    );
}

#[test]
fn line_ends_are_kept() {
    assert_formats(
        "tinygame",
        "player a {\r\nx=0; y=0;\r\n\r\n\r\n}\r\n",
        "player a {\r\n    x = 0; y = 0;\r\n\r\n}\r\n",
    );
}

#[test]
fn programs_with_errors_are_not_formatted() {
    assert_eq!(format(language("gridlok"), "game { board { "), None);
    assert_eq!(
        format(language("bogl"), "game A\nx : Int\nx = True\n"),
        None
    );
}

/// The tokens of a text, and whether each one starts a line.
fn tokens(language: &dyn Language, text: &str) -> Vec<(String, bool)> {
    let mut end = 0;
    let mut tokens = Vec::new();
    for (range, class) in language.highlight(text) {
        let token = &text[range.clone()];
        if token.trim().is_empty() {
            continue;
        }
        let starts_line = text[end..range.start].contains(['\n', '\r']);
        end = range.end;
        // The lines of a comment may be moved.
        let token = match class {
            TokenClass::Comment => token.lines().map(str::trim).collect::<Vec<_>>().join("\n"),
            _ => token.to_string(),
        };
        tokens.push((token, starts_line));
    }
    tokens
}

#[track_caller]
fn assert_is_same_program(language: &dyn Language, text: &str) {
    let Some(formatted) = format(language, text) else {
        return;
    };
    assert_eq!(
        tokens(language, text),
        tokens(language, &formatted),
        "{text}\n--- formatted\n{formatted}"
    );
    let again = format(language, &formatted);
    assert_eq!(again.as_ref(), Some(&formatted), "not idempotent:\n{text}");
}

/// All programs of the repository: samples, templates, games and the corpus of correct programs.
pub fn programs() -> Vec<(&'static dyn Language, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pending: Vec<PathBuf> = ["src/languages", "sessions", "tests/corpus"]
        .iter()
        .map(|dir| root.join(dir))
        .collect();
    let mut programs = Vec::new();
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(std::fs::read_dir(&path).unwrap().map(|e| e.unwrap().path()));
        } else if let Some(language) = languages::for_file(&path.to_string_lossy()) {
            programs.extend(std::fs::read_to_string(&path).ok().map(|t| (language, t)));
        }
    }
    programs
}

#[test]
fn the_programs_of_the_repository_stay_the_same_programs() {
    let programs = programs();
    assert!(programs.len() > 100, "only {} programs", programs.len());
    for (language, text) in &programs {
        assert_is_same_program(*language, text);
    }
}

#[test]
fn the_built_in_games_are_formatted() {
    for language in languages::ALL {
        let info = language.info();
        let texts = [info.sample, info.guide.template].into_iter();
        for text in texts.chain(info.guide.examples.iter().map(|game| game.text)) {
            assert_eq!(format(*language, text).as_deref(), Some(text));
        }
    }
}

/// Pseudorandom numbers.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

/// The same tokens on the same lines with other spaces between them. Spaces are removed only where
/// that leaves the tokens as they are.
fn with_other_spaces(language: &dyn Language, text: &str, random: &mut Random) -> String {
    let ranges: Vec<_> = language.highlight(text).into_iter().map(|t| t.0).collect();
    let mut result = String::new();
    let mut end = 0;
    for range in ranges {
        let between = &text[end..range.start];
        let token = &text[range.clone()];
        end = range.end;
        if !between.trim_matches(' ').is_empty() || token.trim().is_empty() {
            result.push_str(between);
            let starts_line = between.ends_with('\n');
            if starts_line {
                result.extend(std::iter::repeat_n(' ', random.below(5) as usize));
            }
        } else {
            let last_token = result.clone();
            let spaces = random.below(4) as usize;
            result.extend(std::iter::repeat_n(' ', spaces));
            let joined = format!("{last_token}{token}");
            let separate = format!("{last_token} {token}");
            if spaces == 0 && tokens(language, &joined) != tokens(language, &separate) {
                result.push(' ');
            }
        }
        result.push_str(token);
    }
    result.push_str(&text[end..]);
    result
}

#[test]
fn other_spaces_do_not_make_another_program() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for (language, text) in programs().iter().filter(|(_, text)| text.len() < 1_500) {
        if format(*language, text).is_some() {
            let other = with_other_spaces(*language, text, &mut random);
            assert_is_same_program(*language, &other);
        }
    }
}
