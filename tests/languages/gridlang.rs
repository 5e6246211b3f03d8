//! The rules of GridLang, numbered A01 to A37. `tests/cases/gridlang` has a file for each rule; a
//! case is a program and the output of `gridbug run`, or the error it reports.
//!
//! ```text
//! === name: an optional explanation
//! --- statements            inside a Layout; `--- program` for a whole program
//! print(prompt("? ") + 1)
//! --- input                 optional
//! 4
//! --- output
//! ? 5
//! ```
//!
//! Instead of `--- output`, a case that fails has `--- error line 1: part of the message`, followed
//! by the output before the error.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The program around `--- statements`.
const LAYOUT: (&str, &str) = ("Layout(3, 4)\n{\n", "\n}\n");

#[derive(Default, Debug)]
struct Case {
    name: String,
    program: String,
    input: String,
    output: String,
    error: Option<(usize, String)>,
}

impl Case {
    fn parse(text: &str) -> Case {
        let (head, body) = text.split_once('\n').expect("a case has lines");
        let mut case = Case {
            name: head.split(':').next().unwrap_or_default().to_string(),
            ..Case::default()
        };
        let mut lines_above = 0;
        for part in body.split("--- ").skip(1) {
            let (what, lines) = part.split_once('\n').unwrap_or((part, ""));
            match what.split(' ').next() {
                Some("program") => case.program = lines.to_string(),
                Some("statements") => {
                    case.program =
                        format!("{}{}{}", LAYOUT.0, lines.trim_end_matches('\n'), LAYOUT.1);
                    lines_above = LAYOUT.0.lines().count();
                }
                Some("input") => case.input = lines.to_string(),
                Some("output") => case.output = lines.to_string(),
                Some("error") => {
                    let (line, words) = what.split_once(": ").unwrap_or((what, ""));
                    let line: usize = line
                        .trim_start_matches("error line ")
                        .parse()
                        .expect("a line number");
                    case.error = Some((line + lines_above, words.to_string()));
                    case.output = lines.to_string();
                }
                _ => panic!("{}: unknown part `--- {what}`", case.name),
            }
        }
        case
    }

    /// A description of the failure, if the case fails.
    fn check(&self, rule: &str) -> Option<String> {
        let result = run(&format!("{rule}-{}", self.name), &self.program, &self.input);
        let (stdout, stderr) = (text(&result.stdout), text(&result.stderr));
        let expected_status = match &self.error {
            None => result.status.success(),
            Some((line, words)) => {
                let location = format!("{rule}-{}.grid:{line}:", self.name);
                result.status.code() == Some(1)
                    && stderr.contains(&location)
                    && stderr.contains(words)
            }
        };
        let passed = expected_status && stdout.trim_end() == self.output.trim_end();
        (!passed).then(|| {
            format!(
                "{rule} {}\n{}\nstdout:\n{stdout}\nstderr:\n{stderr}\n",
                self.name, self.program
            )
        })
    }
}

fn run(name: &str, program: &str, input: &str) -> Output {
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
    // The program may exit before it has read all input.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The rules with their cases, sorted by number.
fn rules() -> Vec<(String, Vec<Case>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/gridlang");
    let files = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path());
    let mut rules: Vec<_> = files
        .map(|file| {
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            let text = std::fs::read_to_string(&file).unwrap();
            let cases = text.split("=== ").skip(1).map(Case::parse).collect();
            (
                name.split('-').next().unwrap_or_default().to_uppercase(),
                cases,
            )
        })
        .collect();
    rules.sort_by(|(a, _), (b, _)| a.cmp(b));
    rules
}

#[test]
fn every_rule_holds() {
    let failures = std::thread::scope(|scope| {
        let check = |(rule, cases): (String, Vec<Case>)| {
            scope.spawn(move || {
                cases
                    .iter()
                    .filter_map(|case| case.check(&rule))
                    .collect::<Vec<_>>()
            })
        };
        let threads: Vec<_> = rules().into_iter().map(check).collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap())
            .collect::<Vec<_>>()
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_rule_has_cases_with_unique_names() {
    let rules = rules();
    let names: Vec<&str> = rules.iter().map(|(rule, _)| rule.as_str()).collect();
    assert_eq!(
        names,
        (1..=37).map(|n| format!("A{n:02}")).collect::<Vec<_>>()
    );
    for (rule, cases) in &rules {
        assert!(!cases.is_empty(), "{rule}");
        let mut names: Vec<&str> = cases.iter().map(|c| c.name.as_str()).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), cases.len(), "{rule}: duplicate case name");
        assert!(
            cases
                .iter()
                .all(|c| !c.program.is_empty() || c.name == "empty"),
            "{rule}"
        );
    }
}

/// Cases that a text file cannot express: other line endings, and input without a final newline.
#[test]
fn other_line_endings_are_accepted() {
    let result = run("cr", "Layout(1, 1)\r{\rint a = 1\rprint(a)\r}\r", "");
    assert_eq!(
        (text(&result.stdout), result.status.success()),
        ("1\n".into(), true)
    );
    let result = run(
        "last-line",
        "Layout(1, 1)\r\n{\r\nprint(prompt(\"? \"))\r\n}\r\n",
        "7",
    );
    assert_eq!(
        (text(&result.stdout), result.status.success()),
        ("? 7\n".into(), true)
    );
}

#[test]
fn reserved_words_cannot_be_names() {
    let words = "int function player item grid coordinate float colocation gameLoop while checkMove return string \
                 drawGrid rand gameOver createGrid traverse boolean checkGameEnd type repeat print prompt playerOrder \
                 p if else and or true false len Layout Player Item Grid random void";
    for word in words.split_whitespace() {
        let result = run(
            "reserved",
            &format!("Layout(1, 1)\n{{\nint {word} = 1\n}}\n"),
            "",
        );
        let stderr = text(&result.stderr);
        assert!(
            result.status.code() == Some(1) && stderr.contains("reserved.grid:3:"),
            "{word}: {stderr}"
        );
    }
}
