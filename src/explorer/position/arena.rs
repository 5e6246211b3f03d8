//! Storage that only grows, in blocks: growing copies nothing and reserves little.

use super::packing::{pack_number, unpack_number};

/// Items of a fixed size.
#[derive(Debug)]
pub(crate) struct BlockVec<T> {
    blocks: Vec<Vec<T>>,
    len: usize,
}

const BLOCK_BITS: u32 = 10;
const BLOCK_LEN: usize = 1 << BLOCK_BITS;

impl<T> Default for BlockVec<T> {
    fn default() -> Self {
        BlockVec {
            blocks: Vec::new(),
            len: 0,
        }
    }
}

impl<T> BlockVec<T> {
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn push(&mut self, item: T) {
        if self.len.is_multiple_of(BLOCK_LEN) {
            self.blocks.push(Vec::with_capacity(BLOCK_LEN));
        }
        if let Some(block) = self.blocks.last_mut() {
            block.push(item);
            self.len += 1;
        }
    }

    #[inline]
    pub fn get(&self, n: usize) -> &T {
        &self.blocks[n >> BLOCK_BITS][n & (BLOCK_LEN - 1)]
    }

    #[inline]
    pub fn get_mut(&mut self, n: usize) -> &mut T {
        &mut self.blocks[n >> BLOCK_BITS][n & (BLOCK_LEN - 1)]
    }

    pub fn memory_bytes(&self) -> usize {
        self.blocks.len() * BLOCK_LEN * size_of::<T>()
            + self.blocks.capacity() * size_of::<Vec<T>>()
    }
}

/// Where a byte string is in an [`Arena`]: the number of its block, and the offset in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Address([u8; 5]);

impl Address {
    /// No string has this address.
    pub const NONE: Address = Address([u8::MAX; 5]);

    fn new(block: usize, offset: usize) -> Address {
        let address = (block as u64) << OFFSET_BITS | offset as u64;
        let [a, b, c, d, e, ..] = address.to_le_bytes();
        Address([a, b, c, d, e])
    }

    fn parts(self) -> (usize, usize) {
        let [a, b, c, d, e] = self.0;
        let address = u64::from_le_bytes([a, b, c, d, e, 0, 0, 0]);
        let offset = address & ((1 << OFFSET_BITS) - 1);
        ((address >> OFFSET_BITS) as usize, offset as usize)
    }
}

/// Byte strings of different lengths. Each starts with its length.
#[derive(Default, Debug)]
pub(crate) struct Arena {
    blocks: Vec<Vec<u8>>,
    /// The block for short strings.
    shared: Option<usize>,
    memory_bytes: usize,
}

const OFFSET_BITS: u32 = 14;
const BLOCK_BYTES: usize = 1 << OFFSET_BITS;
/// Longer strings get a block of their own, so that little of a block is wasted.
const MAX_SHARED_BYTES: usize = BLOCK_BYTES / 8;
/// The most bytes that the length of a string takes.
const MAX_LENGTH_BYTES: usize = 10;

impl Arena {
    pub fn push(&mut self, string: &[u8]) -> Address {
        let needed = string.len() + MAX_LENGTH_BYTES;
        let block = match string.len() > MAX_SHARED_BYTES {
            true => self.add_block(needed),
            false => match self.shared.filter(|b| self.free_bytes(*b) >= needed) {
                Some(shared) => shared,
                None => {
                    let block = self.add_block(BLOCK_BYTES);
                    self.shared = Some(block);
                    block
                }
            },
        };
        let bytes = &mut self.blocks[block];
        let address = Address::new(block, bytes.len());
        pack_number(string.len() as u64, bytes);
        bytes.extend_from_slice(string);
        address
    }

    fn free_bytes(&self, block: usize) -> usize {
        let block = &self.blocks[block];
        block.capacity() - block.len()
    }

    fn add_block(&mut self, capacity: usize) -> usize {
        self.memory_bytes += capacity;
        self.blocks.push(Vec::with_capacity(capacity));
        self.blocks.len() - 1
    }

    #[inline]
    pub fn get(&self, address: Address) -> &[u8] {
        let (block, mut at) = address.parts();
        let bytes = &self.blocks[block];
        let len = unpack_number(bytes, &mut at) as usize;
        &bytes[at..at + len]
    }

    pub fn memory_bytes(&self) -> usize {
        self.memory_bytes + self.blocks.capacity() * size_of::<Vec<u8>>()
    }
}

/// Finds items by their hash: open addressing, at most 13 of 16 slots in use.
///
/// Each slot has a byte of the hash, so that items are seldom compared in vain.
#[derive(Default, Debug)]
pub(crate) struct HashIndex {
    /// 0 if the slot is free.
    tags: Vec<u8>,
    numbers: Vec<u32>,
}

/// Slots of the smallest table.
const MIN_SLOTS: usize = 1 << 10;

fn tag(hash: u64) -> u8 {
    (hash >> 57) as u8 | 0x80
}

impl HashIndex {
    /// The number of the item for which `is_it` is true, or the slot for a new one.
    #[inline]
    pub fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Result<u32, usize> {
        let mask = self.tags.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            match self.tags[at] {
                0 => return Err(at),
                found if found == tag(hash) && is_it(self.numbers[at]) => {
                    return Ok(self.numbers[at]);
                }
                _ => at = (at + 1) & mask,
            }
        }
    }

    /// Puts an item into the slot that [`HashIndex::find`] returned.
    pub fn insert_at(&mut self, slot: usize, hash: u64, number: u32) {
        self.tags[slot] = tag(hash);
        self.numbers[slot] = number;
    }

    /// Makes room for one more than `len` items; `hash_of` is the hash of each of them.
    pub fn reserve_one(&mut self, len: usize, hash_of: impl Fn(u32) -> u64) {
        if (len + 1) * 16 <= self.tags.len() * 13 {
            return;
        }
        let slots = (self.tags.len() * 2).max(MIN_SLOTS);
        // The old table is not needed any more: the items know their hashes.
        (self.tags, self.numbers) = (Vec::new(), Vec::new());
        (self.tags, self.numbers) = (vec![0; slots], vec![0; slots]);
        for number in 0..len as u32 {
            let hash = hash_of(number);
            if let Err(slot) = self.find(hash, |_| false) {
                self.insert_at(slot, hash, number);
            }
        }
    }

    pub fn memory_bytes(&self) -> usize {
        self.tags.capacity() + self.numbers.capacity() * size_of::<u32>()
    }

    /// The memory that it has once there are so many items.
    pub fn bytes_for(&self, len: usize) -> usize {
        let mut slots = self.tags.len().max(MIN_SLOTS);
        while len * 16 > slots * 13 {
            slots *= 2;
        }
        let slot_bytes = size_of::<u8>() + size_of::<u32>();
        (slots * slot_bytes).max(self.memory_bytes())
    }
}

#[cfg(test)]
mod tests {
    use crate::position::arena::*;

    #[test]
    fn strings_of_all_lengths_are_kept() {
        let mut arena = Arena::default();
        let lengths = [
            0, 1, 127, 128, 2000, 2048, 2049, 5000, 100_000, 3, 0, 16_384,
        ];
        let strings: Vec<Vec<u8>> = (0..2000)
            .map(|n| vec![n as u8; lengths[n % lengths.len()]])
            .collect();
        let addresses: Vec<Address> = strings.iter().map(|s| arena.push(s)).collect();
        for (address, string) in addresses.iter().zip(&strings) {
            assert_eq!(arena.get(*address), string);
        }
        let bytes: usize = strings.iter().map(Vec::len).sum();
        assert!(arena.memory_bytes() < bytes + bytes / 4);
    }

    #[test]
    fn items_with_equal_hashes_are_different_items() {
        let hashes: Vec<u64> = (0..5000).map(|n| ((n % 7) << 57) | (n % 11)).collect();
        let mut index = HashIndex::default();
        for (n, hash) in (0..).zip(&hashes) {
            index.reserve_one(n as usize, |n| hashes[n as usize]);
            let slot = index.find(*hash, |found| found == n).unwrap_err();
            index.insert_at(slot, *hash, n);
        }
        for (n, hash) in (0..).zip(&hashes) {
            assert_eq!(index.find(*hash, |found| found == n), Ok(n));
        }
        assert!(index.find(hashes[0], |_| false).is_err());
    }
}
