//! Tries inputs one by one, and tells which one broke something.

use crate::chance::Chance;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Longer than this for one input is a hang, on a loaded machine and without optimization.
const PATIENCE: Duration = Duration::from_secs(20);

/// After so many that broke something nobody looks at more.
const ENOUGH: usize = 10;

pub struct Run {
    target: &'static str,
    seed: u64,
    from: u64,
    count: u64,
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

impl Run {
    /// So many inputs, unless the variable says otherwise.
    pub fn of(target: &'static str, variable: &str, count: u64) -> Run {
        let (seed, from) = (
            number("FUZZ_SEED").unwrap_or(1),
            number("FUZZ_FROM").unwrap_or(0),
        );
        Run {
            target,
            seed,
            from,
            count: number(variable).unwrap_or(count),
        }
    }

    pub fn each<I: Input>(&mut self, make: impl Fn(&mut Chance) -> I, try_it: impl Fn(&I)) {
        let begun = Instant::now();
        let watched = Watched::begin(self.target);
        let keep = std::env::var("FUZZ_KEEP").ok();
        let mut slowest = (Duration::ZERO, 0);
        let mut broken = 0;
        for n in self.from..self.from + self.count {
            let input = make(&mut Chance::of(self.target, self.seed, n));
            if let Some(path) = &keep {
                std::fs::write(path, format!("{} {n}\n{}", self.target, input.shown())).unwrap();
            }
            let started = Instant::now();
            watched.now(n);
            let result = catch_unwind(AssertUnwindSafe(|| try_it(&input)));
            slowest = slowest.max((started.elapsed(), n));
            if result.is_err() {
                let again = format!("FUZZ_SEED={} FUZZ_FROM={n}", self.seed);
                let input = smallest(input, |i| {
                    watched.now(n);
                    catch_unwind(AssertUnwindSafe(|| try_it(i))).is_err()
                });
                eprintln!(
                    "{} {n} ({again}) broke on\n{}\n",
                    self.target,
                    input.shown()
                );
                broken += 1;
                assert!(
                    broken < ENOUGH,
                    "{broken} inputs of {} broke something, and the rest was not tried",
                    self.target
                );
            }
            if self.count > 10_000 && (n + 1).is_multiple_of(self.count / 20) {
                println!(
                    "{} {}: {:.0?}, slowest {slowest:?}",
                    self.target,
                    n + 1,
                    begun.elapsed()
                );
            }
        }
        assert!(
            broken == 0,
            "{broken} inputs of {} broke something",
            self.target
        );
        println!(
            "{}: {} inputs in {:.1?}, the slowest took {slowest:?}",
            self.target,
            self.count,
            begun.elapsed()
        );
    }
}

/// Something that is tried.
pub trait Input: Sized {
    fn shown(&self) -> String;

    /// The same with a part left out, larger parts first.
    fn smaller(&self) -> Vec<Self>;
}

impl Input for String {
    fn shown(&self) -> String {
        self.clone()
    }

    fn smaller(&self) -> Vec<String> {
        let chars: Vec<char> = self.chars().collect();
        without(&chars)
            .into_iter()
            .map(|c| c.into_iter().collect())
            .collect()
    }
}

/// A list with each of its halves, quarters, … and single elements left out.
pub fn without<T: Clone>(all: &[T]) -> Vec<Vec<T>> {
    let mut found = Vec::new();
    let mut size = all.len().div_ceil(2);
    while size > 0 {
        for at in (0..all.len()).step_by(size) {
            let end = (at + size).min(all.len());
            found.push([&all[..at], &all[end..]].concat());
        }
        size = if size == 1 { 0 } else { size.div_ceil(2) };
    }
    found
}

/// What is left when everything is left out that can be, and it still breaks.
fn smallest<I: Input>(mut input: I, breaks: impl Fn(&I) -> bool) -> I {
    let loud = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let begun = Instant::now();
    while let Some(less) = input.smaller().into_iter().find(|less| breaks(less)) {
        input = less;
        if begun.elapsed() > PATIENCE {
            break;
        }
    }
    std::panic::set_hook(loud);
    // Once more, to be heard.
    breaks(&input);
    input
}

/// Somebody who looks at the clock while an input is tried.
struct Watched(Arc<Mutex<Option<(u64, Instant)>>>);

impl Watched {
    fn begin(target: &'static str) -> Watched {
        let now: Arc<Mutex<Option<(u64, Instant)>>> =
            Arc::new(Mutex::new(Some((0, Instant::now()))));
        let seen = now.clone();
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(Duration::from_millis(500));
                let Some((n, started)) = *seen.lock().unwrap() else {
                    return;
                };
                if started.elapsed() > PATIENCE {
                    eprintln!("{target} {n} hangs (FUZZ_FROM={n} FUZZ_KEEP=/tmp/last shows it)");
                    std::process::exit(1);
                }
            }
        });
        Watched(now)
    }

    fn now(&self, n: u64) {
        *self.0.lock().unwrap() = Some((n, Instant::now()));
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        *self.0.lock().unwrap() = None;
    }
}

/// Commands that write files find an empty folder to write to.
pub fn elsewhere() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz");
    std::fs::create_dir_all(&folder).unwrap();
    std::env::set_current_dir(folder).unwrap();
}
