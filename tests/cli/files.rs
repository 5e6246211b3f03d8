//! What happens to files: session files that other people wrote, arguments that are not text, and output that
//! cannot be written.

use crate::command_line::{err, folder, gridbug, out};
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};

/// A session file that reads other files.
fn stranger(line: &str) -> String {
    format!("language gridlok\nseed 1\n\n--- session\n\n> {line}\n")
}

#[test]
fn a_session_file_reads_only_files_beside_it() {
    let folder = folder("stranger");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    std::fs::create_dir_all(folder.join("sent")).unwrap();
    write("secret.gl", "def password {42}\n");
    write(
        "sent/own.gl",
        "board { dimensions {1, 1} image {b.png} }\ndef mine {7}\n",
    );
    write(
        "sent/program.session",
        "language gridlok\nprogram ../secret.gl\n\n--- session\n",
    );
    write("sent/load.session", &stranger(":load secret.gl"));
    write(
        "sent/lesson.session",
        &stranger(":load sent/own.gl\n\n> mine\n  = 7"),
    );
    for name in ["sent/program.session", "sent/load.session"] {
        let done = gridbug(&folder, &["test", name], "");
        let text = out(&done) + &err(&done);
        assert_eq!(done.status.code(), Some(1), "{text}");
        assert!(text.contains("is not beside the session file"), "{text}");
        assert!(text.contains("gridbug --trust"), "{text}");
        let done = gridbug(&folder, &["--trust", "test", name], "");
        assert!(!out(&done).contains("is not beside"), "{}", out(&done));
    }
    // Opened, it reads no more; what you type then may.
    let done = gridbug(
        &folder,
        &["sent/load.session"],
        ":load secret.gl\npassword\n",
    );
    assert!(
        out(&done).contains("password"),
        "{} {}",
        out(&done),
        err(&done)
    );
    // Its own files are read.
    let done = gridbug(&folder, &["sent/lesson.session", "--eval", "mine"], "");
    assert!(out(&done).contains("= 7"), "{} {}", out(&done), err(&done));
}

/// It would wait for ever.
#[test]
fn a_pipe_is_not_read_as_a_program() {
    let folder = folder("fifo");
    let pipe = folder.join("pipe.gl");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let file = "language gridlok\nprogram pipe.gl\n\n--- session\n";
    std::fs::write(folder.join("one.session"), file).unwrap();
    let done = gridbug(&folder, &["test", "one.session"], "");
    assert_eq!(done.status.code(), Some(1));
    assert!(
        out(&done).contains("pipe.gl is not a regular file"),
        "{}",
        out(&done)
    );
}

#[test]
fn a_breakpoint_of_a_session_file_opens_nothing() {
    let folder = folder("do");
    for command in ["rejudge /", "lang bogl", "lesson gridlok 1"] {
        let line = format!(":break 1 do {command}");
        let done = gridbug(&folder, &["counter.gl", "--eval", &line], "");
        assert_eq!(done.status.code(), Some(1), "{line}: {}", out(&done));
    }
}

#[test]
fn an_argument_that_is_not_text_is_an_error() {
    let done = Command::new(env!("CARGO_BIN_EXE_gridbug"))
        .arg(std::ffi::OsStr::from_bytes(b"--f\xff"))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(done.status.code(), Some(2), "{}", err(&done));
}

#[test]
#[cfg(target_os = "linux")]
fn output_that_cannot_be_written_is_a_failure() {
    for argument in ["--help", "--version"] {
        let full = std::fs::File::options()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let done = Command::new(env!("CARGO_BIN_EXE_gridbug"))
            .arg(argument)
            .stdin(Stdio::null())
            .stdout(full)
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        assert_eq!(done.status.code(), Some(1), "{argument}");
        assert!(err(&done).contains("gridbug: "), "{}", err(&done));
    }
}

#[test]
fn a_recording_that_cannot_be_written_is_a_failure() {
    let folder = folder("recording");
    let input = ":record missing/one.session\n1 + 1\n";
    let done = gridbug(&folder, &["counter.gl"], input);
    assert_eq!(done.status.code(), Some(1), "{}", out(&done));
    assert!((out(&done) + &err(&done)).contains("missing/one.session"));
}
