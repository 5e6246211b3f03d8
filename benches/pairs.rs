//! Which instructions follow each other most often, in all sample games, sessions and test programs.
//!
//! `cargo bench --bench pairs` prints the most frequent pairs; the groups of
//! `src/machine/fast_path/handlers.rs` are chosen from them. Each file has the same weight, however long it
//! runs.

use gridbug::analysis::coverage;
use gridbug::command::replay;
use gridbug::host::NativeHost;
use gridbug::languages;
use gridbug::session::Session;
use gridbug::session::session_file::SessionFile;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// What runs less often in a file does not count: in most files that is nearly everything, such as the
/// first values of variables, but it takes no time.
const MIN_COUNT: u64 = 20;

/// How many pairs are printed.
const PAIR_COUNT: usize = 120;

type Pair = (String, String);

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["sessions", "tests/corpus"] {
        find_files(&root.join(folder), &mut files);
    }
    let mut shares: HashMap<Pair, f64> = HashMap::new();
    let mut counted_files = 0;
    for file in &files {
        let counts = count_pairs(file);
        let total: u64 = counts.values().sum();
        if total == 0 {
            continue;
        }
        counted_files += 1;
        for (pair, count) in counts {
            *shares.entry(pair).or_default() += count as f64 / total as f64;
        }
    }
    let mut sorted: Vec<_> = shares.into_iter().collect();
    sorted.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let mut sum = 0.0;
    println!("{counted_files} files; share of each pair, and of all up to it, in percent");
    for ((first, second), share) in sorted.into_iter().take(PAIR_COUNT) {
        let percent = 100.0 * share / f64::from(counted_files);
        sum += percent;
        println!("{percent:6.2} {sum:6.1}  {first} {second}");
    }
}

fn find_files(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder is part of the repository")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            find_files(&path, files);
        } else {
            files.push(path);
        }
    }
}

/// How often each instruction was followed by the next one of its function, in a session file or a program.
fn count_pairs(file: &Path) -> HashMap<Pair, u64> {
    let mut counts = HashMap::new();
    let Some(mut session) = play(file) else {
        return counts;
    };
    for (function, executed) in coverage::instruction_counts(&mut session.target) {
        for (pc, pair) in function.code.windows(2).enumerate() {
            let count = executed[pc].min(executed[pc + 1]);
            if count >= MIN_COUNT {
                let pair = (name_of(&pair[0]), name_of(&pair[1]));
                *counts.entry(pair).or_default() += count;
            }
        }
    }
    counts
}

/// Plays a session file, or loads a program.
fn play(file: &Path) -> Option<Session> {
    let text = std::fs::read_to_string(file).ok()?;
    let host = Rc::new(NativeHost::new());
    if file.extension().is_some_and(|e| e == "session") {
        let file_text = SessionFile::parse(&text).ok()?;
        return Some(replay(&file_text, file.parent()?, host).ok()?.session);
    }
    let language = languages::for_file(file.to_str()?)?;
    let mut session = Session::with_host(language, 1, host);
    session.target.machine.limits.max_instructions = 5_000_000;
    session.load("game", &text);
    Some(session)
}

fn name_of(instr: &gridbug::code::Instr) -> String {
    let text = format!("{instr:?}");
    text.split(' ').next().unwrap_or_default().to_owned()
}
