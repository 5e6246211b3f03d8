//! Random numbers: a seeded generator that is part of the machine's state, and draws scripted by
//! the user.

use super::RuntimeError;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use std::collections::VecDeque;

/// The source of random numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct Rng {
    generator: Xoshiro256PlusPlus,
    /// Scripted draws, next first.
    scripted: VecDeque<i64>,
    seed: u64,
}

impl Rng {
    /// Starts the sequence of this seed.
    pub fn new(seed: u64) -> Rng {
        Rng {
            generator: Xoshiro256PlusPlus::seed_from_u64(seed),
            scripted: VecDeque::new(),
            seed,
        }
    }

    /// The seed that it was started with.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Restarts the generator; scripted draws stay.
    pub fn reseed(&mut self, seed: u64) {
        self.generator = Xoshiro256PlusPlus::seed_from_u64(seed);
        self.seed = seed;
    }

    /// Appends draws to be returned instead of random numbers.
    pub fn script_draws(&mut self, draws: impl IntoIterator<Item = i64>) {
        self.scripted.extend(draws);
    }

    /// The remaining scripted draws, next first.
    pub fn scripted(&self) -> impl Iterator<Item = i64> {
        self.scripted.iter().copied()
    }

    /// Drops the scripted draws that are left.
    pub fn clear_scripted(&mut self) {
        self.scripted.clear();
    }

    /// A number in `low..high`, which is not empty, and whether it was scripted.
    pub(super) fn draw(&mut self, low: i64, high: i64) -> Result<(i64, bool), Box<RuntimeError>> {
        match self.scripted.front() {
            Some(&n) if (low..high).contains(&n) => {
                self.scripted.pop_front();
                Ok((n, true))
            }
            Some(&n) => {
                let message = format!(
                    "scripted draw {n} is out of range: this draw is {low} to {}",
                    high - 1
                );
                Err(RuntimeError::new("RT013", message).note(
                    "script other draws with `:rand next …`, or remove them with `:rand clear`",
                ))
            }
            None => Ok((self.generator.random_range(low..high), false)),
        }
    }
}
