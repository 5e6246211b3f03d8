//! Plays the page in Chromium, as people do: with mouse and keyboard, in all languages, sizes and
//! colors. It has no test harness, so that what is skipped is visible in the output of `cargo test`.
//!
//! The page comes from `gridbug serve`. Where `web/build` has made the one file with the engine as
//! WebAssembly, the tests that say so run on it, too, from `file://`.
//!
//! ```text
//! cargo test --test page              all tests
//! cargo test --test page slider       those whose name contains a word
//! GRIDBUG_PICTURES=DIR cargo test --test page pictures    pictures of all screens
//! cargo test --test page measure -- --measure             prints the figures of benches/README.md
//! ```

mod access;
mod browser;
mod hostile;
mod inspect;
mod lessons;
mod measure;
mod play;
mod screens;
mod share;
mod site;
mod tab;
mod time;

use browser::Browser;
use site::Site;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

/// A test: its name, and what it does on one site.
type Test = (&'static str, fn(&Browser, &Site));

fn tests() -> Vec<Test> {
    [
        play::TESTS,
        time::TESTS,
        inspect::TESTS,
        lessons::TESTS,
        share::TESTS,
        hostile::TESTS,
        access::TESTS,
        screens::TESTS,
    ]
    .concat()
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&String> = arguments.iter().filter(|a| !a.starts_with('-')).collect();
    if arguments.iter().any(|a| a == "--list") {
        return ExitCode::SUCCESS;
    }
    let Some(program) = browser::find() else {
        println!("page: SKIPPED, no chromium");
        return ExitCode::SUCCESS;
    };
    let browser = Browser::start(program);
    let served = Site::serve();
    let file = Site::file();
    if arguments.iter().any(|a| a == "--measure") {
        measure::print_figures(&browser, &served, file.as_ref().ok());
        return ExitCode::SUCCESS;
    }
    let is_wanted = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(*word));
    let (mut passed, mut failed) = (0, Vec::new());
    let mut run = |name: &str, test: fn(&Browser, &Site), site: &Site| {
        if arguments.iter().any(|a| a == "--names") {
            println!("page: {name} ({})", site.name);
        }
        match catch_unwind(AssertUnwindSafe(|| test(&browser, site))) {
            Ok(()) => passed += 1,
            Err(_) => failed.push(format!("{name} ({})", site.name)),
        }
    };
    for (name, test) in tests() {
        if is_wanted(name) {
            run(name, test, &served);
        }
    }
    match &file {
        Ok(file) => {
            for (name, test) in play::TESTS.iter().chain(share::ON_FILES) {
                if is_wanted(name) {
                    run(name, *test, file);
                }
            }
        }
        Err(reason) => println!("page: SKIPPED on file://, {reason}"),
    }
    for name in &failed {
        println!("page: FAILED {name}");
    }
    println!("page: {passed} passed, {} failed", failed.len());
    match failed.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
