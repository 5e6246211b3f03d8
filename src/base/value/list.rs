//! The elements of a list, in chunks that copies of it share.
//!
//! A list grows and changes in place, also after a checkpoint was taken: what is copied then is one
//! chunk, not the list. A short list is a single chunk, so that reading it costs no more than reading
//! a `Vec`.

use super::Value;
use std::rc::Rc;

/// Number of elements of a full chunk.
const CHUNK_BITS: u32 = 9;
const CHUNK_LEN: usize = 1 << CHUNK_BITS;

type Chunk = Rc<Vec<Value>>;

/// See the module documentation.
#[derive(Clone, Default, Debug)]
pub struct List {
    /// The chunks before the last one, all of them full; `None` if there are none.
    full: Option<Rc<Vec<Chunk>>>,
    /// The last elements. Empty only if the list is.
    last: Chunk,
}

impl List {
    fn full(&self) -> &[Chunk] {
        self.full.as_deref().map_or(&[], |full| full)
    }

    /// The number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.full().len() * CHUNK_LEN + self.last.len()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.last.is_empty()
    }

    /// The elements.
    #[inline]
    pub fn items(&self) -> Items<'_> {
        Items {
            full: self.full(),
            last: &self.last,
        }
    }

    /// The element at an index, to be changed. Copies its chunk if other lists share it.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut Value> {
        match index.checked_sub(self.full().len() * CHUNK_LEN) {
            Some(in_last) => Rc::make_mut(&mut self.last).get_mut(in_last),
            None => {
                let full = Rc::make_mut(self.full.as_mut()?);
                let chunk = Rc::make_mut(full.get_mut(index >> CHUNK_BITS)?);
                chunk.get_mut(index & (CHUNK_LEN - 1))
            }
        }
    }

    /// Appends an element.
    pub fn push(&mut self, value: Value) {
        if self.last.len() == CHUNK_LEN {
            let chunk = std::mem::take(&mut self.last);
            Rc::make_mut(self.full.get_or_insert_default()).push(chunk);
        }
        Rc::make_mut(&mut self.last).push(value);
    }

    /// Removes an element, if there is one at the index; those after it move to its place.
    pub fn remove(&mut self, index: usize) {
        let first_in_last = self.full().len() * CHUNK_LEN;
        if index < first_in_last {
            let kept = index >> CHUNK_BITS;
            let after = (kept << CHUNK_BITS..self.len()).filter(|n| *n != index);
            let after: Vec<Value> = after.filter_map(|n| self.items().get(n).copied()).collect();
            let mut full = self.full().to_vec();
            full.truncate(kept);
            let (mut chunks, last) = chunks_of(after);
            full.append(&mut chunks);
            (self.full, self.last) = (Some(Rc::new(full)), Rc::new(last));
        } else if index - first_in_last < self.last.len() {
            Rc::make_mut(&mut self.last).remove(index - first_in_last);
        }
        if self.last.is_empty()
            && let Some(full) = &mut self.full
            && let Some(chunk) = Rc::make_mut(full).pop()
        {
            self.last = chunk;
        }
        self.full.take_if(|full| full.is_empty());
    }

    /// Approximate bytes of the elements that `other` does not share.
    pub(super) fn unshared_bytes(&self, other: &List) -> u64 {
        let theirs = other.full().iter().chain([&other.last]);
        let mut theirs: Vec<Option<&Chunk>> = theirs.map(Some).collect();
        theirs.resize(self.full().len() + 1, None);
        let mine = self.full().iter().chain([&self.last]).zip(theirs);
        let unshared = mine.filter(|(a, b)| b.is_none_or(|b| !Rc::ptr_eq(a, b)));
        unshared.map(|(chunk, _)| 8 * chunk.len() as u64).sum()
    }
}

/// The elements in full chunks, and the rest, which is not empty unless there are no elements.
fn chunks_of(items: Vec<Value>) -> (Vec<Chunk>, Vec<Value>) {
    let count = items.len().saturating_sub(1) / CHUNK_LEN;
    if count == 0 {
        return (Vec::new(), items);
    }
    let full = items.chunks_exact(CHUNK_LEN).take(count);
    let full = full.map(|chunk| Rc::new(chunk.to_vec())).collect();
    (full, items[count * CHUNK_LEN..].to_vec())
}

impl From<Vec<Value>> for List {
    fn from(items: Vec<Value>) -> List {
        let (full, last) = chunks_of(items);
        List {
            full: (!full.is_empty()).then(|| Rc::new(full)),
            last: Rc::new(last),
        }
    }
}

impl PartialEq for List {
    fn eq(&self, other: &List) -> bool {
        let is_same = |(a, b): (&Chunk, &Chunk)| Rc::ptr_eq(a, b) || a == b;
        self.full().len() == other.full().len()
            && is_same((&self.last, &other.last))
            && self.full().iter().zip(other.full()).all(is_same)
    }
}

/// The elements of a list or tuple, or the fields of a record, for reading.
#[derive(Clone, Copy, Default, Debug)]
pub struct Items<'h> {
    full: &'h [Chunk],
    last: &'h [Value],
}

impl<'h> Items<'h> {
    /// The number of elements.
    #[inline]
    pub fn len(self) -> usize {
        self.full.len() * CHUNK_LEN + self.last.len()
    }

    /// Whether there are no elements.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The element at an index, if there is one.
    #[inline]
    pub fn get(self, index: usize) -> Option<&'h Value> {
        match index.checked_sub(self.full.len() * CHUNK_LEN) {
            Some(in_last) => self.last.get(in_last),
            None => self.full[index >> CHUNK_BITS].get(index & (CHUNK_LEN - 1)),
        }
    }

    /// The first element, if there is one.
    #[inline]
    pub fn first(self) -> Option<&'h Value> {
        self.get(0)
    }

    /// The elements in order.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = &'h Value> + Clone {
        let slices = self.full.iter().map(|chunk| chunk.as_slice());
        slices.chain([self.last]).flatten()
    }

    /// The elements as a vector of their own.
    pub fn to_vec(self) -> Vec<Value> {
        self.iter().copied().collect()
    }
}

impl<'h> From<&'h [Value]> for Items<'h> {
    fn from(last: &'h [Value]) -> Items<'h> {
        Items { full: &[], last }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ints(items: Items<'_>) -> Vec<i32> {
        items.iter().map(|item| item.int_payload()).collect()
    }

    fn list(len: usize) -> List {
        let items: Vec<Value> = (0..len as i32).map(Value::int).collect();
        items.into()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// A list behaves like `Vec`, and its copies do not change with it.
        #[test]
        fn behaves_like_vec(
            len in 0..1600usize,
            steps in prop::collection::vec((0..3u8, 0..1600usize), 0..30),
        ) {
            let mut model: Vec<i32> = (0..len as i32).collect();
            let mut list = list(len);
            let mut copies = Vec::new();
            for (n, (step, at)) in steps.into_iter().enumerate() {
                copies.push((list.clone(), model.clone()));
                match step {
                    0 => (0..at).for_each(|k| {
                        model.push(k as i32);
                        list.push(Value::int(k as i32));
                    }),
                    1 => {
                        if let Some(item) = list.get_mut(at) {
                            *item = Value::int(n as i32);
                            model[at] = n as i32;
                        }
                    }
                    _ => {
                        list.remove(at);
                        if at < model.len() {
                            model.remove(at);
                        }
                    }
                }
                prop_assert_eq!(list.get_mut(model.len()), None);
                prop_assert_eq!((list.len(), list.is_empty()), (model.len(), model.is_empty()));
            }
            copies.push((list, model));
            for (copy, model) in &copies {
                prop_assert_eq!(&ints(copy.items()), model);
                prop_assert_eq!(copy.items().len(), model.len());
                prop_assert_eq!(copy.items().get(model.len()), None);
                let items: Vec<Value> = model.iter().copied().map(Value::int).collect();
                prop_assert_eq!(copy, &List::from(items));
            }
        }
    }

    #[test]
    fn chunks_have_the_same_bounds_however_a_list_was_made() {
        for len in [0, 1, CHUNK_LEN - 1, CHUNK_LEN, CHUNK_LEN + 1, 3 * CHUNK_LEN] {
            let mut pushed = List::default();
            (0..len as i32).for_each(|n| pushed.push(Value::int(n)));
            let mut longer = list(len + 1);
            longer.remove(len);
            for other in [pushed, longer] {
                assert_eq!(other, list(len));
                assert_eq!(other.full().len(), list(len).full().len());
            }
        }
    }

    #[test]
    fn a_change_copies_one_chunk() {
        let old = list(10 * CHUNK_LEN);
        assert_eq!(old.unshared_bytes(&List::default()), 80 * CHUNK_LEN as u64);
        let mut new = old.clone();
        assert_eq!(new.unshared_bytes(&old), 0);
        new.push(Value::int(1));
        assert_eq!(new.unshared_bytes(&old), 8);
        new.get_mut(0);
        assert_eq!(new.unshared_bytes(&old), 8 + 8 * CHUNK_LEN as u64);
        assert_ne!(new, old);
    }
}
