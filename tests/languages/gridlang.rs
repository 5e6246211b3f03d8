//! GridLang's table of decisions, A1 to A37: a file of cases for each row in `tests/gridlang`, each a program with what
//! `gridbug run` prints of it, or where and why it is refused.
//!
//! ```text
//! === name: why, if it needs words
//! --- statements            inside of a Layout, or `--- program`: a whole one
//! print(prompt("? ") + 1)
//! --- answers               if it asks
//! 4
//! --- prints                or `--- refuses line 1: with these words`, and below it what it printed before that
//! ? 5
//! ```

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// What stands around statements.
const LAYOUT: (&str, &str) = ("Layout(3, 4)\n{\n", "\n}\n");

#[derive(Default, Debug)]
struct Case {
    name: String,
    program: String,
    answers: String,
    prints: String,
    refused: Option<(usize, String)>,
}

impl Case {
    fn read(text: &str) -> Case {
        let (head, body) = text.split_once('\n').expect("a case has lines");
        let mut case = Case {
            name: head.split(':').next().unwrap_or_default().to_string(),
            ..Case::default()
        };
        let mut above = 0;
        for part in body.split("--- ").skip(1) {
            let (what, lines) = part.split_once('\n').unwrap_or((part, ""));
            match what.split(' ').next() {
                Some("program") => case.program = lines.to_string(),
                Some("statements") => {
                    case.program =
                        format!("{}{}{}", LAYOUT.0, lines.trim_end_matches('\n'), LAYOUT.1);
                    above = LAYOUT.0.lines().count();
                }
                Some("answers") => case.answers = lines.to_string(),
                Some("prints") => case.prints = lines.to_string(),
                Some("refuses") => {
                    let (line, words) = what.split_once(": ").unwrap_or((what, ""));
                    let line: usize = line
                        .trim_start_matches("refuses line ")
                        .parse()
                        .expect("the number of a line");
                    case.refused = Some((line + above, words.to_string()));
                    case.prints = lines.to_string();
                }
                _ => panic!("{}: `--- {what}` is no part of a case", case.name),
            }
        }
        case
    }

    /// What is wrong with the answer, if anything.
    fn check(&self, row: &str) -> Option<String> {
        let done = played(
            &format!("{row}-{}", self.name),
            &self.program,
            &self.answers,
        );
        let (said, told) = (text(&done.stdout), text(&done.stderr));
        let as_told = match &self.refused {
            None => done.status.success(),
            Some((line, words)) => {
                let place = format!("{row}-{}.grid:{line}:", self.name);
                done.status.code() == Some(1) && told.contains(&place) && told.contains(words)
            }
        };
        let fine = as_told && said.trim_end() == self.prints.trim_end();
        (!fine).then(|| {
            format!(
                "{row} {}\n{}\nprinted:\n{said}\ntold:\n{told}\n",
                self.name, self.program
            )
        })
    }
}

fn played(name: &str, program: &str, answers: &str) -> Output {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("gridlang");
    std::fs::create_dir_all(&folder).unwrap();
    let file = format!("{name}.grid");
    std::fs::write(folder.join(&file), program).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_gridbug"))
        .args(["run", &file])
        .current_dir(&folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It may leave before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(answers.as_bytes());
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The rows with their cases, by name.
fn rows() -> Vec<(String, Vec<Case>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/gridlang");
    let files = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path());
    let mut rows: Vec<_> = files
        .map(|file| {
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            let text = std::fs::read_to_string(&file).unwrap();
            let cases = text.split("=== ").skip(1).map(Case::read).collect();
            (
                name.split('-').next().unwrap_or_default().to_uppercase(),
                cases,
            )
        })
        .collect();
    rows.sort_by(|(a, _), (b, _)| a.cmp(b));
    rows
}

#[test]
fn every_row_of_the_table_holds() {
    let wrong = std::thread::scope(|scope| {
        let row = |(row, cases): (String, Vec<Case>)| {
            scope.spawn(move || {
                cases
                    .iter()
                    .filter_map(|case| case.check(&row))
                    .collect::<Vec<_>>()
            })
        };
        let rows: Vec<_> = rows().into_iter().map(row).collect();
        rows.into_iter()
            .flat_map(|row| row.join().unwrap())
            .collect::<Vec<_>>()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_row_has_cases_with_names_of_their_own() {
    let rows = rows();
    let names: Vec<&str> = rows.iter().map(|(row, _)| row.as_str()).collect();
    assert_eq!(
        names,
        (1..=37).map(|n| format!("A{n:02}")).collect::<Vec<_>>()
    );
    for (row, cases) in &rows {
        assert!(!cases.is_empty(), "{row}");
        let mut names: Vec<&str> = cases.iter().map(|c| c.name.as_str()).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), cases.len(), "{row}: two cases have one name");
        assert!(
            cases
                .iter()
                .all(|c| !c.program.is_empty() || c.name == "empty"),
            "{row}"
        );
    }
}

/// What a text file can't show: other line ends, and an answer without one.
#[test]
fn lines_end_in_other_ways_too() {
    let done = played("cr", "Layout(1, 1)\r{\rint a = 1\rprint(a)\r}\r", "");
    assert_eq!(
        (text(&done.stdout), done.status.success()),
        ("1\n".into(), true)
    );
    let done = played(
        "last-line",
        "Layout(1, 1)\r\n{\r\nprint(prompt(\"? \"))\r\n}\r\n",
        "7",
    );
    assert_eq!(
        (text(&done.stdout), done.status.success()),
        ("? 7\n".into(), true)
    );
}

#[test]
fn reserved_words_are_no_names() {
    let words = "int function player item grid coordinate float colocation gameLoop while checkMove return string \
                 drawGrid rand gameOver createGrid traverse boolean checkGameEnd type repeat print prompt playerOrder \
                 p if else and or true false len Layout Player Item Grid random void";
    for word in words.split_whitespace() {
        let done = played(
            "reserved",
            &format!("Layout(1, 1)\n{{\nint {word} = 1\n}}\n"),
            "",
        );
        let told = text(&done.stderr);
        assert!(
            done.status.code() == Some(1) && told.contains("reserved.grid:3:"),
            "{word}: {told}"
        );
    }
}
