//! Printing, files, clocks, threads and platforms are confined to a few modules.

use crate::source::{SourceFile, source_files};

/// Modules that may use the operating system.
const SYSTEM_MODULES: &[&str] = &["host", "serve", "terminal"];

/// Searches use several threads, except in browsers. Named without folders.
const THREAD_FILES: &[&str] = &["control", "search", "workers"];

#[test]
fn only_the_terminal_prints() {
    let prints = [
        "print!(",
        "println!(",
        "eprint!(",
        "eprintln!(",
        "stdout()",
        "stderr()",
        "stdin()",
    ];
    for file in source_files() {
        for word in prints {
            let is_allowed = file.is_in(&["terminal"])
                || file.path == "main.rs"
                || file.is_in(&["host"]) && word == "stdin()";
            let path = &file.path;
            assert!(
                !file.code.contains(word) || is_allowed,
                "src/{path} has {word}"
            );
        }
    }
}

/// Platform-specific code is confined to `host`, which keeps ports to other systems feasible.
#[test]
fn platform_specific_code_is_in_host() {
    let words = [
        "std::os::",
        "os::fd",
        "os::unix",
        "os::windows",
        "cfg(unix",
        "cfg(windows",
        "cfg(target_os",
        "cfg!(unix",
        "cfg!(windows",
        "nix::",
        "libc",
        "termios",
        "/dev/",
        "/tmp",
        "/proc",
        "/etc",
        "SIGINT",
        "SIGHUP",
    ];
    for file in source_files() {
        for word in words {
            assert!(
                !file.code.contains(word) || file.is_in(&["host"]),
                "src/{} has {word}, which belongs in src/host",
                file.path
            );
        }
    }
}

/// The signatures of the public items of a file.
fn public_items(file: &SourceFile) -> Vec<&str> {
    let public = file.code.lines().filter(|l| l.starts_with("pub "));
    public
        .map(|l| l.split(['(', '{']).next().unwrap_or(""))
        .collect()
}

#[test]
fn the_fallback_host_has_the_public_items_of_the_unix_one() {
    let items = |path: &str| {
        let file = source_files().iter().find(|f| f.path == path);
        public_items(file.unwrap_or_else(|| panic!("src/{path} does not exist")))
    };
    assert_eq!(items("base/host/unix.rs"), items("base/host/fallback.rs"));
}

/// The engine gets files and the time from its host, so that it runs where there are none.
#[test]
fn only_host_and_terminal_use_the_operating_system() {
    let words = [
        "std::fs",
        "std::env::",
        "std::process",
        "std::net",
        "std::thread",
        "Instant",
        "SystemTime",
        ".exists()",
        ".is_dir()",
    ];
    for file in source_files() {
        let is_allowed = file.is_in(SYSTEM_MODULES) || file.path == "main.rs";
        let uses_threads = file.is_in(&["explorer"]) && THREAD_FILES.contains(&file.stem());
        for word in words {
            let is_allowed = is_allowed || uses_threads && word == "std::thread";
            let path = &file.path;
            assert!(
                !file.code.contains(word) || is_allowed,
                "src/{path} has {word}"
            );
        }
    }
}

/// Whole files are written by `host/file_writer.rs`, on the disk that `host/disk.rs` supplies, so that no
/// failure leaves a part of one, and a test can make every operation fail.
#[test]
fn only_the_disk_changes_files() {
    let words = [
        "File::create",
        "File::options",
        "OpenOptions",
        "fs::write",
        "fs::rename",
        "fs::remove",
        "fs::copy",
        "fs::hard_link",
        "fs::set_permissions",
        "create_dir",
        "DirBuilder",
        "create_new",
    ];
    for file in source_files() {
        let path = &file.path;
        let code = file.code.split("#[cfg(test)]").next().unwrap_or_default();
        for word in words.iter().filter(|_| *path != "base/host/disk.rs") {
            assert!(
                !code.contains(word),
                "src/{path} has {word}: use `host::replace_file` or `host::create_file`"
            );
        }
    }
}

#[test]
fn functions_return_answers() {
    let is_offender = |file: &&SourceFile| {
        let without_self = file.code.replace("&mut self", "");
        without_self.contains("&mut Answer")
    };
    let offenders = source_files().iter().filter(is_offender);
    let offenders: Vec<&str> = offenders.map(|f| f.path.as_str()).collect();
    assert!(
        offenders.is_empty(),
        "return an Answer instead of filling one in: {offenders:?}"
    );
}
