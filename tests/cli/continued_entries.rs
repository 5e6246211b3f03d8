//! Lines that belong to an entry before them: the body of a faulty header, `else` after `}`, and a
//! block whose brace is on the next line.

use crate::command_line::{folder, gridbug, json_replies, out};
use crate::pty_session::PtySession;
use serde_json::Value;

/// Lines, and the outputs and error codes that they lead to, in order.
struct Case {
    language: &'static str,
    lines: &'static str,
    replies: &'static [&'static str],
}

const CASES: &[Case] = &[
    // The body of a faulty header does not run.
    Case {
        language: "gridlok",
        lines: "fum f() {\n  print{1}\n  if 1 == 1 {\n    print{2}\n  }\n}\nprint{3}",
        replies: &["GL001", "3"],
    },
    Case {
        language: "gridlok",
        lines: "fum f(a,\n  b) {\n  print{1}\n}\nprint{3}",
        replies: &["GL001", "3"],
    },
    Case {
        language: "gridlok",
        lines: "if (1 == 1 {\n  print{1}\n} else {\n  print{2}\n}\nprint{3}",
        replies: &["GL001", "3"],
    },
    // An error in the body, too, ends only with it.
    Case {
        language: "gridlok",
        lines: "fun f() {\n  return )\n  print{1}\n}\nprint{3}",
        replies: &["GL001", "3"],
    },
    Case {
        language: "gridlang",
        lines: "gameLop() {\n  print(1)\n}\nprint(3)",
        replies: &["GG001", "3"],
    },
    Case {
        language: "gridlang",
        lines: "gameLop()\n{\n  print(1)\n}\nprint(3)",
        replies: &["GG001", "3"],
    },
    Case {
        language: "tinygame",
        lines: "if 1 > > 1 {\n  print \"a\";\n}\nprint \"b\";",
        replies: &["TG004", "b"],
    },
    // The equation of a faulty signature does not replace the one before.
    Case {
        language: "bogl",
        lines: "f : Int -> Int\nf(n) = n + 1\nf : Int -> -> Int\nf(n) = n + 100\nf : Int -> -> Int\nf(1) + 2",
        replies: &["BG009", "BG009"],
    },
    // `else` on the line after the brace, as the manuals print it.
    Case {
        language: "gridlok",
        lines: "if(1 == 1){\nprint{1}\n}\nelseif(1 == 1){\nprint{2}\n}\nelse{\nprint{3}\n}\nprint{4}",
        replies: &["1", "4"],
    },
    Case {
        language: "gridlok",
        lines: "if(1 == 2){\nprint{1}\n}\nelseif(1 == 2){\nprint{2}\n}\nelse{\nprint{3}\n}\nprint{4}",
        replies: &["3", "4"],
    },
    Case {
        language: "gridlang",
        lines: "if (1 == 1)\n{\n  print(1)\n}\nelse\n{\n  print(2)\n}\nprint(3)",
        replies: &["1", "3"],
    },
    Case {
        language: "gridlang",
        lines: "if (1 == 2)\n  print(1)\nelse if (1 == 2) {\n  print(2)\n}\nelse\n  print(3)\nprint(4)",
        replies: &["3", "4"],
    },
    // TinyGame has none.
    Case {
        language: "tinygame",
        lines: "if 1 > 0 {\n  print \"a\";\n}\nelse {\n  print \"b\";\n}\nprint \"c\";",
        replies: &["a", "TG004", "c"],
    },
    // Any other line ends an `if`.
    Case {
        language: "gridlok",
        lines: "if 1 == 1 {\n  print{1}\n}\nprint{2}\nif 1 == 1 {\n  print{3}\n}\n:breaks",
        replies: &["1", "2", "3"],
    },
    // A header whose block starts on the next line.
    Case {
        language: "gridlang",
        lines: "gameOver()\n{\n  print(1)\n}\nprint(2)\ngameOver()\nprint(3)",
        replies: &["2", "1", "3"],
    },
    Case {
        language: "gridlang",
        lines: "Player\n{\n  int score\n}\nItem Bonus\n{\n  int value\n}\nprint(3)",
        replies: &["3"],
    },
];

/// The outputs and the error codes of answers.
fn replies(answers: &[Value]) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let all = |answer: &Value, part: &str| answer[part].as_array().cloned().unwrap_or_default();
    let of_answer = |answer: &Value| {
        let codes = all(answer, "diagnostics");
        let codes = codes.iter().map(|error| text(&error["code"]));
        let output = all(answer, "output");
        let output = output.iter().map(|line| text(line).replace("OUTPUT: ", ""));
        output.chain(codes).collect::<Vec<_>>()
    };
    answers.iter().flat_map(of_answer).collect()
}

#[test]
fn json_entries_go_on_with_the_lines_that_belong_to_them() {
    let folder = folder("continued-json");
    for case in CASES {
        let lines = format!("{}\n", case.lines);
        let done = gridbug(&folder, &["--json", "--lang", case.language], &lines);
        let replies = replies(&json_replies(&done));
        assert_eq!(replies, case.replies, "{}", case.lines);
    }
}

#[test]
fn piped_entries_go_on_with_the_lines_that_belong_to_them() {
    let folder = folder("continued-pipe");
    for case in CASES {
        let lines = format!("{}\n", case.lines);
        let text = out(&gridbug(&folder, &["--lang", case.language], &lines));
        let replies = text
            .lines()
            .filter_map(|line| match line.strip_prefix("error[") {
                Some(error) => error.split_once(']').map(|(code, _)| code),
                None => {
                    let output = line.strip_prefix("OUTPUT: ").unwrap_or(line);
                    (output.len() == 1 && output != "}").then_some(output)
                }
            });
        assert_eq!(replies.collect::<Vec<_>>(), case.replies, "{}", case.lines);
    }
}

/// In a pipe, the next line decides even after an `if` of one line, and blank lines and comments do
/// not; a brace always belongs to the line before it.
#[test]
fn a_pipe_is_read_ahead() {
    let folder = folder("continued-ahead");
    let lines = "if 1 == 2 { print{1} }\n\n// Otherwise:\nelse { print{2} }\nif 1 == 1 { print{3} }\n\n:breaks\n";
    let text = out(&gridbug(&folder, &["--lang", "gridlok"], lines));
    assert_eq!(text, "2\n3\nNo breakpoints; set one with `:break LINE`\n");
    let lines = "whlie (1 == 1)\n{\n  print(1)\n}\nprint(3)\n";
    let text = out(&gridbug(&folder, &["--lang", "gridlang"], lines));
    assert_eq!(text.matches("error[").count(), 1, "{text}");
    assert!(text.ends_with("\n3\n") && !text.contains("\n1\n"), "{text}");
}

#[test]
fn the_prompt_waits_for_else_after_an_if_of_several_lines() {
    let mut terminal = PtySession::new("continued-else", &["--lang", "gridlok"], 80, 60);
    let type_if = |terminal: &mut PtySession, line: &str| {
        for line in ["if 1 == 2 {", "print{\"first\"}", "}"] {
            terminal.type_line(line);
        }
        terminal.wait_for_at_cursor("... ");
        terminal.type_line(line);
    };
    type_if(&mut terminal, "else {");
    terminal.type_line("print{6 * 7}");
    terminal.type_line("}");
    terminal.wait_for("\n42\n");
    // A blank line ends it, and so does any other line, which runs after it.
    type_if(&mut terminal, "");
    terminal.wait_for_prompt_of("gridlok");
    type_if(&mut terminal, "print{6 * 8}");
    terminal.wait_for("\n48\n");
    type_if(&mut terminal, ":breaks");
    terminal.wait_for("No breakpoints");
    type_if(&mut terminal, ":cancel");
    terminal.wait_for("cancelled: if 1 == 2 {");
    // One line runs at once, and an `else` after it is an error.
    terminal.type_line("if 1 == 1 { print{6 * 9} }");
    terminal.wait_for("\n54\n");
    terminal.type_line("else { print{6 * 10} }");
    terminal.wait_for("`else` without `if`");
    assert!(!terminal.screen().contains("\n60\n"));
}

#[test]
fn the_prompt_collects_the_body_of_a_faulty_header() {
    let mut terminal = PtySession::new("continued-faulty", &["--lang", "gridlok"], 80, 60);
    for line in ["fum f() {", "print{6 * 7}", "}"] {
        terminal.type_line(line);
    }
    terminal.wait_for("did you mean `fun` instead of `fum`?");
    terminal.wait_for_prompt_of("gridlok");
    terminal.type_line("6 * 8");
    terminal.wait_for("= 48");
    assert!(!terminal.screen().contains("\n42\n"));
    assert_eq!(terminal.screen().matches("error[").count(), 1);
}

#[test]
fn the_prompt_waits_for_the_block_of_game_over() {
    let mut terminal = PtySession::new("continued-game-over", &["--lang", "gridlang"], 80, 60);
    for line in ["gameOver()", "{", "print(6 * 7)", "}"] {
        terminal.type_line(line);
    }
    terminal.wait_for("defined gameOver");
    assert!(!terminal.screen().contains("The game is over"));
    terminal.type_line("gameOver()");
    terminal.wait_for_at_cursor("... ");
    terminal.type_line("");
    terminal.wait_for("\n42\n");
}

/// The positions of a misspelled `set` do not continue the `set` line before it.
#[test]
fn positions_belong_to_the_misspelled_set_before_them() {
    let folder = folder("continued-set");
    let lines = "sprite coin > color=red\nset coin > x=0 y=0\nsett coin >\nx=1 y=1\n";
    let text = out(&gridbug(&folder, &["--lang", "sgl2d"], lines));
    assert_eq!(text.matches("(c)").count(), 1, "{text}");
    assert_eq!(text.matches("error[").count(), 1, "{text}");
}
