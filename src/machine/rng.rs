//! Where random numbers come from: a seeded generator that is part of the machine's state, and draws
//! that were chosen by hand.

use super::RuntimeError;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use std::collections::VecDeque;

#[derive(Clone, PartialEq, Debug)]
pub struct Rng {
    generator: Xoshiro256PlusPlus,
    /// Draws chosen by hand, next first.
    chosen: VecDeque<i64>,
    seed: u64,
}

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng {
            generator: Xoshiro256PlusPlus::seed_from_u64(seed),
            chosen: VecDeque::new(),
            seed,
        }
    }

    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Begins the generator again; draws chosen by hand stay.
    pub fn reseed(&mut self, seed: u64) {
        self.generator = Xoshiro256PlusPlus::seed_from_u64(seed);
        self.seed = seed;
    }

    pub fn script_draws(&mut self, draws: impl IntoIterator<Item = i64>) {
        self.chosen.extend(draws);
    }

    pub fn scripted(&self) -> impl Iterator<Item = i64> {
        self.chosen.iter().copied()
    }

    pub fn clear_scripted(&mut self) {
        self.chosen.clear();
    }

    /// A number from `low` to below `high`, and whether it was chosen by hand.
    pub fn draw(&mut self, low: i64, high: i64) -> Result<(i64, bool), Box<RuntimeError>> {
        if low >= high {
            let message = format!("there is no number from {low} up to but not including {high}");
            return Err(RuntimeError::new("RT012", message)
                .note("the first number must be below the second"));
        }
        match self.chosen.front() {
            Some(&n) if (low..high).contains(&n) => {
                self.chosen.pop_front();
                Ok((n, true))
            }
            Some(&n) => {
                let message = format!(
                    "the chosen draw {n} does not fit: this one is from {low} to {}",
                    high - 1
                );
                Err(RuntimeError::new("RT013", message)
                    .note("choose others with `:rand next …`, or none with `:rand clear`"))
            }
            None => Ok((self.generator.random_range(low..high), false)),
        }
    }
}
