//! Runs a fuzz target on its inputs, detects panics and hangs, and minimizes failing inputs.

use crate::rng::Rng;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// An input that takes longer hangs. Generous, for debug builds on a busy machine.
const INPUT_TIMEOUT: Duration = Duration::from_secs(20);

/// Time limit for minimizing a failing input.
const MINIMIZE_TIMEOUT: Duration = Duration::from_secs(20);

/// The run stops after this many failing inputs.
const MAX_FAILURES: usize = 10;

/// A run of one fuzz target: the inputs `first..first + count` of a seed.
pub struct FuzzRun {
    target: &'static str,
    seed: u64,
    first: u64,
    count: u64,
}

/// The value of a numeric environment variable.
fn env_number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

impl FuzzRun {
    /// A run of `default_count` inputs, or as many as the environment variable sets.
    pub fn new(target: &'static str, count_variable: &str, default_count: u64) -> FuzzRun {
        FuzzRun {
            target,
            seed: env_number("FUZZ_SEED").unwrap_or(1),
            first: env_number("FUZZ_FROM").unwrap_or(0),
            count: env_number(count_variable).unwrap_or(default_count),
        }
    }

    /// Generates each input and runs `test` on it. Fails if any of them panics.
    pub fn run<I: Input>(&self, generate: impl Fn(&mut Rng) -> I, test: impl Fn(&I)) {
        let run_start = Instant::now();
        let watchdog = Watchdog::start(self.target);
        let last_input_path = std::env::var("FUZZ_KEEP").ok();
        let mut slowest = (Duration::ZERO, 0);
        let mut failures = 0;
        for n in self.first..self.first + self.count {
            let input = generate(&mut Rng::for_input(self.target, self.seed, n));
            if let Some(path) = &last_input_path {
                std::fs::write(path, format!("{} {n}\n{}", self.target, input.to_text())).unwrap();
            }
            let input_start = Instant::now();
            watchdog.start_input(n);
            let result = catch_unwind(AssertUnwindSafe(|| test(&input)));
            slowest = slowest.max((input_start.elapsed(), n));
            if result.is_err() {
                let reproduce = format!("FUZZ_SEED={} FUZZ_FROM={n}", self.seed);
                let input = minimize(input, |smaller| {
                    watchdog.start_input(n);
                    catch_unwind(AssertUnwindSafe(|| test(smaller))).is_err()
                });
                eprintln!(
                    "{} {n} ({reproduce}) failed, minimized:\n{}\n",
                    self.target,
                    input.to_text()
                );
                failures += 1;
                assert!(
                    failures < MAX_FAILURES,
                    "{failures} inputs of {} failed; the remaining ones were not run",
                    self.target
                );
            }
            if self.count > 10_000 && (n + 1).is_multiple_of(self.count / 20) {
                println!(
                    "{} {}: {:.0?}, slowest {slowest:?}",
                    self.target,
                    n + 1,
                    run_start.elapsed()
                );
            }
        }
        assert!(failures == 0, "{failures} inputs of {} failed", self.target);
        println!(
            "{}: {} inputs in {:.1?}, slowest {slowest:?}",
            self.target,
            self.count,
            run_start.elapsed()
        );
    }
}

/// An input that can be printed and minimized.
pub trait Input: Sized {
    fn to_text(&self) -> String;

    /// Candidates with one part removed, larger parts first.
    fn shrink(&self) -> Vec<Self>;
}

impl Input for String {
    fn to_text(&self) -> String {
        self.clone()
    }

    fn shrink(&self) -> Vec<String> {
        let chars: Vec<char> = self.chars().collect();
        shrink_list(&chars)
            .into_iter()
            .map(|c| c.into_iter().collect())
            .collect()
    }
}

/// The list with each half, each quarter, … and each single element removed.
pub fn shrink_list<T: Clone>(items: &[T]) -> Vec<Vec<T>> {
    let mut candidates = Vec::new();
    let mut size = items.len().div_ceil(2);
    while size > 0 {
        for start in (0..items.len()).step_by(size) {
            let end = (start + size).min(items.len());
            candidates.push([&items[..start], &items[end..]].concat());
        }
        size = if size == 1 { 0 } else { size.div_ceil(2) };
    }
    candidates
}

/// Removes parts of a failing input for as long as it still fails.
fn minimize<I: Input>(mut input: I, fails: impl Fn(&I) -> bool) -> I {
    let default_hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let start = Instant::now();
    while let Some(smaller) = input.shrink().into_iter().find(|smaller| fails(smaller)) {
        input = smaller;
        if start.elapsed() > MINIMIZE_TIMEOUT {
            break;
        }
    }
    std::panic::set_hook(default_hook);
    // Run it once more to print its panic message.
    fails(&input);
    input
}

/// Ends the process when an input exceeds [`INPUT_TIMEOUT`]. Holds the number and the start of the
/// current input; `None` stops the thread.
struct Watchdog(Arc<Mutex<Option<(u64, Instant)>>>);

impl Watchdog {
    fn start(target: &'static str) -> Watchdog {
        let current: Arc<Mutex<Option<(u64, Instant)>>> =
            Arc::new(Mutex::new(Some((0, Instant::now()))));
        let shared = current.clone();
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(Duration::from_millis(500));
                let Some((n, start)) = *shared.lock().unwrap() else {
                    return;
                };
                if start.elapsed() > INPUT_TIMEOUT {
                    eprintln!(
                        "{target} {n} hangs (FUZZ_FROM={n} FUZZ_KEEP=/tmp/last writes it to a file)"
                    );
                    std::process::exit(1);
                }
            }
        });
        Watchdog(current)
    }

    fn start_input(&self, n: u64) {
        *self.0.lock().unwrap() = Some((n, Instant::now()));
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        *self.0.lock().unwrap() = None;
    }
}

/// Changes to a scratch folder, in case a command writes a file.
pub fn enter_scratch_folder() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz");
    std::fs::create_dir_all(&folder).unwrap();
    std::env::set_current_dir(folder).unwrap();
}
