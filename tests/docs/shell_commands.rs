//! Checks the commands of `sh` blocks, which build and test gridbug and so cannot run inside a test:
//! every subcommand, option, target, profile, script and environment variable must exist.

use std::path::Path;

/// The subcommands that the pages may use, each with the options that it may have.
const SUBCOMMANDS: [(&str, &[&str]); 7] = [
    (
        "build",
        &["--release", "--profile", "--lib", "--no-default-features"],
    ),
    ("run", &["--release"]),
    ("test", &["--release", "--profile", "--test"]),
    ("bench", &["--bench"]),
    ("install", &["--path"]),
    ("fmt", &["--all", "--check"]),
    (
        "clippy",
        &["--all-targets", "--no-default-features", "--features"],
    ),
];

/// What may follow `--`, by subcommand.
const AFTER_DASHES: [(&str, &[&str]); 2] =
    [("test", &["--nocapture"]), ("clippy", &["-D", "warnings"])];

/// Checks all commands of a block. `root` is the directory of `Cargo.toml`.
pub fn check(root: &Path, block: &str) -> Result<(), String> {
    let block = block.replace("\\\n", " ");
    let commands = block.lines().map(without_comment);
    let commands: Vec<&str> = commands.filter(|command| !command.is_empty()).collect();
    if commands.is_empty() {
        return Err("no command".into());
    }
    commands.iter().try_for_each(|command| {
        check_command(root, command).map_err(|error| format!("`{command}`: {error}"))
    })
}

fn without_comment(line: &str) -> &str {
    let end = match line.starts_with('#') {
        true => 0,
        false => line.find(" #").unwrap_or(line.len()),
    };
    line[..end].trim()
}

fn check_command(root: &Path, command: &str) -> Result<(), String> {
    let words: Vec<&str> = command.split_whitespace().collect();
    let is_assignment = |word: &str| {
        let name = word.split_once('=').map_or("", |(name, _)| name);
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_uppercase() || b == b'_')
    };
    let count = words.iter().take_while(|word| is_assignment(word)).count();
    for word in &words[..count] {
        let variable = word.split_once('=').unwrap().0;
        if !is_read_by_a_test(root, variable) {
            return Err(format!("no test reads the variable {variable}"));
        }
    }
    match &words[count..] {
        ["cargo", subcommand, rest @ ..] => check_cargo(root, subcommand, rest),
        [script] if script.contains('/') => check_script(root, script),
        _ => Err("neither cargo nor a script; use a console block, which is run".into()),
    }
}

fn check_cargo(root: &Path, subcommand: &str, arguments: &[&str]) -> Result<(), String> {
    let (_, options) = SUBCOMMANDS
        .iter()
        .find(|(name, _)| *name == subcommand)
        .ok_or(format!("unknown subcommand `{subcommand}`"))?;
    let dashes = arguments.iter().position(|argument| *argument == "--");
    let (own, passed_on) = arguments.split_at(dashes.unwrap_or(arguments.len()));
    let mut own = own.iter();
    while let Some(option) = own.next() {
        if !options.contains(option) {
            return Err(format!("unknown argument `{option}`"));
        }
        let mut value = || own.next().copied().ok_or(format!("{option} needs a value"));
        let (what, exists) = match *option {
            "--profile" => {
                let name = value()?;
                let manifest = std::fs::read_to_string(root.join("Cargo.toml")).unwrap();
                let header = format!("[profile.{name}]");
                (name, manifest.lines().any(|line| line == header))
            }
            "--test" | "--bench" => {
                let name = value()?;
                let dir = root.join(if *option == "--test" {
                    "tests"
                } else {
                    "benches"
                });
                let paths = [
                    dir.join(format!("{name}.rs")),
                    dir.join(name).join("main.rs"),
                ];
                (name, paths.iter().any(|path| path.is_file()))
            }
            "--features" => {
                let name = value()?;
                let manifest = std::fs::read_to_string(root.join("Cargo.toml")).unwrap();
                let row = format!("{name} = [");
                (name, manifest.lines().any(|line| line.starts_with(&row)))
            }
            "--path" => {
                let path = value()?;
                (path, root.join(path).join("Cargo.toml").is_file())
            }
            option => (option, true),
        };
        if !exists {
            return Err(format!("{option} {what} does not exist"));
        }
    }
    let allowed = AFTER_DASHES.iter().find(|(name, _)| *name == subcommand);
    let allowed = allowed.map_or(&[][..], |(_, words)| words);
    match passed_on
        .iter()
        .skip(1)
        .find(|word| !allowed.contains(word))
    {
        Some(word) => Err(format!("unknown argument `{word}`")),
        None => Ok(()),
    }
}

/// A script must be executable, and the commands in it must be right as well.
fn check_script(root: &Path, script: &str) -> Result<(), String> {
    let path = root.join(script);
    let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = path.metadata().unwrap().permissions().mode();
        if mode & 0o100 == 0 {
            return Err("the file is not executable".into());
        }
    }
    let commands = text.lines().filter(|line| line.starts_with("cargo "));
    let mut commands = commands.map(without_comment).peekable();
    if commands.peek().is_none() {
        return Err("the script runs no cargo command".into());
    }
    commands.try_for_each(|command| check_command(root, command))
}

fn is_read_by_a_test(root: &Path, variable: &str) -> bool {
    // In quotes, as an argument of `std::env::var`.
    let quoted = format!("\"{variable}\"");
    let mut dirs = vec![root.join("tests")];
    while let Some(dir) = dirs.pop() {
        for path in std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()) {
            if path.is_dir() {
                dirs.push(path);
            } else if is_rust(&path)
                && std::fs::read_to_string(&path).is_ok_and(|text| text.contains(&quoted))
            {
                return true;
            }
        }
    }
    false
}

fn is_rust(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rs")
}

#[test]
fn commands_must_name_what_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for command in [
        "cargo build   # a comment",
        "cargo run --release",
        "cargo test --profile fuzz --test fuzz -- --nocapture",
        "cargo test --test layering",
        "cargo bench --bench debugger",
        "cargo install --path .",
        "FUZZ_SEED=7 \\\n  cargo test",
        ".ci/run",
    ] {
        assert_eq!(check(root, command), Ok(()), "{command}");
    }
    for (command, message) in [
        ("", "no command"),
        ("# only a comment", "no command"),
        ("cargo tset", "unknown subcommand `tset`"),
        ("cargo build --relaese", "unknown argument `--relaese`"),
        ("cargo build --test docs", "unknown argument `--test`"),
        ("cargo test --test", "needs a value"),
        ("cargo test --test nothing", "--test nothing does not exist"),
        ("cargo test --profile fast", "--profile fast does not exist"),
        (
            "cargo bench --bench nothing",
            "--bench nothing does not exist",
        ),
        ("cargo install --path src", "--path src does not exist"),
        (
            "cargo test -- --nocaptrue",
            "unknown argument `--nocaptrue`",
        ),
        ("cargo test\ncargo tset", "unknown subcommand `tset`"),
        ("NO_SUCH_VARIABLE_=1 cargo test", "no test reads"),
        (".ci/walk", "No such file"),
        ("./Cargo.toml", "not executable"),
        ("gridbug man", "use a console block"),
    ] {
        let error = check(root, command).unwrap_err();
        assert!(error.contains(message), "{command}: {error}");
    }
}
