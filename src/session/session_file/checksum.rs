//! Checksums in journals. A line `^S 1a2b3c4d` has the checksum of everything since the previous
//! such line, so that damage does not go unnoticed.

/// The checksum of a part of a journal (FNV-1a): a change of a single byte always changes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checksum(u32);

impl Default for Checksum {
    fn default() -> Checksum {
        Checksum(0x811c_9dc5)
    }
}

impl Checksum {
    /// The beginning of a line with a checksum.
    pub const MARKER: &str = "^S ";

    /// The checksum of a text.
    pub fn of(bytes: &[u8]) -> Checksum {
        let mut checksum = Checksum::default();
        checksum.update(bytes);
        checksum
    }

    /// Adds the next bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
        }
    }

    /// The line that has it.
    pub fn to_line(self) -> String {
        format!("{}{:08x}", Checksum::MARKER, self.0)
    }

    /// Whether a line is one with a checksum, perhaps a damaged one.
    pub fn is_line(line: &str) -> bool {
        line.starts_with(Checksum::MARKER)
    }
}
