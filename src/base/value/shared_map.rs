//! An ordered map whose copies share their unchanged parts.
//!
//! A balanced search tree (AVL). Inserting or removing a key copies the path from the root to it, or
//! changes it in place where nothing else refers to the path.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::rc::Rc;

/// See the module documentation.
pub struct SharedMap<K, V> {
    root: Link<K, V>,
    len: usize,
}

type Link<K, V> = Option<Rc<Node<K, V>>>;

#[derive(Clone)]
struct Node<K, V> {
    key: K,
    value: V,
    height: u8,
    left: Link<K, V>,
    right: Link<K, V>,
}

fn height<K, V>(link: &Link<K, V>) -> u8 {
    link.as_ref().map_or(0, |node| node.height)
}

impl<K, V> Default for SharedMap<K, V> {
    fn default() -> Self {
        SharedMap { root: None, len: 0 }
    }
}

impl<K, V> Clone for SharedMap<K, V> {
    fn clone(&self) -> Self {
        SharedMap {
            root: self.root.clone(),
            len: self.len,
        }
    }
}

impl<K, V> SharedMap<K, V> {
    /// The number of keys.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no keys.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The keys with their values, in ascending order of the keys.
    pub fn iter(&self) -> Iter<'_, K, V> {
        let mut iter = Iter {
            pending: Vec::new(),
        };
        iter.descend(&self.root);
        iter
    }

    /// The keys in ascending order.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.iter().map(|(key, _)| key)
    }

    /// The values in ascending order of their keys.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.iter().map(|(_, value)| value)
    }
}

impl<K: Ord, V> SharedMap<K, V> {
    /// The value of a key, if there is one.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let mut link = &self.root;
        while let Some(node) = link {
            link = match key.cmp(node.key.borrow()) {
                Ordering::Less => &node.left,
                Ordering::Greater => &node.right,
                Ordering::Equal => return Some(&node.value),
            };
        }
        None
    }

    /// Whether there is a value for a key.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.get(key).is_some()
    }
}

impl<K: Ord + Clone, V: Clone> SharedMap<K, V> {
    /// Sets the value of a key and returns the previous one.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        let old = insert(&mut self.root, key, value);
        self.len += usize::from(old.is_none());
        old
    }

    /// The value of a key; if there is none, `value()` becomes it.
    pub fn get_or_insert_with(&mut self, key: &K, value: impl FnOnce() -> V) -> V {
        if let Some(existing) = self.get(key) {
            return existing.clone();
        }
        let value = value();
        self.insert(key.clone(), value.clone());
        value
    }

    /// The value of a key, to be changed. Copies what other maps share.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let mut link = &mut self.root;
        while let Some(node) = link {
            let node = Rc::make_mut(node);
            link = match key.cmp(node.key.borrow()) {
                Ordering::Less => &mut node.left,
                Ordering::Greater => &mut node.right,
                Ordering::Equal => return Some(&mut node.value),
            };
        }
        None
    }

    /// Removes a key and returns its value.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        if !self.contains_key(key) {
            return None;
        }
        self.len -= 1;
        remove(&mut self.root, key)
    }

    /// Removes the keys for which `keep` is false.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &V) -> bool) {
        let dropped = self.iter().filter(|(key, value)| !keep(key, value));
        let dropped: Vec<K> = dropped.map(|(key, _)| key.clone()).collect();
        for key in dropped {
            self.remove(&key);
        }
    }
}

fn insert<K: Ord + Clone, V: Clone>(link: &mut Link<K, V>, key: K, value: V) -> Option<V> {
    let Some(node) = link else {
        *link = Some(Rc::new(Node {
            key,
            value,
            height: 1,
            left: None,
            right: None,
        }));
        return None;
    };
    let node = Rc::make_mut(node);
    let old = match key.cmp(&node.key) {
        Ordering::Less => insert(&mut node.left, key, value),
        Ordering::Greater => insert(&mut node.right, key, value),
        Ordering::Equal => return Some(std::mem::replace(&mut node.value, value)),
    };
    balance(link);
    old
}

fn remove<Q: Ord + ?Sized, K: Ord + Clone + Borrow<Q>, V: Clone>(
    link: &mut Link<K, V>,
    key: &Q,
) -> Option<V> {
    let node = Rc::make_mut(link.as_mut()?);
    let removed = match key.cmp(node.key.borrow()) {
        Ordering::Less => remove(&mut node.left, key),
        Ordering::Greater => remove(&mut node.right, key),
        Ordering::Equal => {
            let value = node.value.clone();
            let (left, mut right) = (node.left.take(), node.right.take());
            *link = match remove_first(&mut right) {
                Some((key, value)) => Some(Rc::new(Node {
                    key,
                    value,
                    height: 0,
                    left,
                    right,
                })),
                None => left,
            };
            Some(value)
        }
    };
    balance(link);
    removed
}

/// Removes the smallest key.
fn remove_first<K: Ord + Clone, V: Clone>(link: &mut Link<K, V>) -> Option<(K, V)> {
    let node = Rc::make_mut(link.as_mut()?);
    if let Some(first) = remove_first(&mut node.left) {
        balance(link);
        return Some(first);
    }
    let first = (node.key.clone(), node.value.clone());
    *link = node.right.take();
    Some(first)
}

/// Restores the balance of a node whose subtrees differ in height by at most two, and its height.
fn balance<K: Clone, V: Clone>(link: &mut Link<K, V>) {
    let Some(node) = link else { return };
    let (left, right) = (height(&node.left), height(&node.right));
    if left > right + 1 {
        let node = Rc::make_mut(node);
        if let Some(child) = &mut node.left
            && height(&child.right) > height(&child.left)
        {
            rotate_left(&mut node.left);
        }
        rotate_right(link);
    } else if right > left + 1 {
        let node = Rc::make_mut(node);
        if let Some(child) = &mut node.right
            && height(&child.left) > height(&child.right)
        {
            rotate_right(&mut node.right);
        }
        rotate_left(link);
    } else {
        Rc::make_mut(node).height = left.max(right) + 1;
    }
}

fn update_height<K: Clone, V: Clone>(link: &mut Link<K, V>) {
    if let Some(node) = link {
        let node = Rc::make_mut(node);
        node.height = height(&node.left).max(height(&node.right)) + 1;
    }
}

fn rotate_right<K: Clone, V: Clone>(link: &mut Link<K, V>) {
    let Some(mut top) = link.take() else { return };
    let mut pivot = Rc::make_mut(&mut top).left.take();
    if let Some(pivot) = pivot.as_mut().map(Rc::make_mut) {
        Rc::make_mut(&mut top).left = pivot.right.take();
        let mut top = Some(top);
        update_height(&mut top);
        pivot.right = top;
    }
    update_height(&mut pivot);
    *link = pivot;
}

fn rotate_left<K: Clone, V: Clone>(link: &mut Link<K, V>) {
    let Some(mut top) = link.take() else { return };
    let mut pivot = Rc::make_mut(&mut top).right.take();
    if let Some(pivot) = pivot.as_mut().map(Rc::make_mut) {
        Rc::make_mut(&mut top).right = pivot.left.take();
        let mut top = Some(top);
        update_height(&mut top);
        pivot.left = top;
    }
    update_height(&mut pivot);
    *link = pivot;
}

impl<K: Ord + Clone, V: Clone> FromIterator<(K, V)> for SharedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(items: I) -> Self {
        let mut map = SharedMap::default();
        for (key, value) in items {
            map.insert(key, value);
        }
        map
    }
}

impl<K: PartialEq, V: PartialEq> PartialEq for SharedMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        let is_shared = match (&self.root, &other.root) {
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            _ => false,
        };
        is_shared || self.len == other.len && self.iter().eq(other.iter())
    }
}

impl<K: std::fmt::Debug, V: std::fmt::Debug> std::fmt::Debug for SharedMap<K, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

impl<'m, K, V> IntoIterator for &'m SharedMap<K, V> {
    type Item = (&'m K, &'m V);
    type IntoIter = Iter<'m, K, V>;

    fn into_iter(self) -> Iter<'m, K, V> {
        self.iter()
    }
}

/// Iterates over the keys and values of a [`SharedMap`].
pub struct Iter<'m, K, V> {
    /// The next node and the nodes above it that come later, the next one last.
    pending: Vec<&'m Node<K, V>>,
}

impl<'m, K, V> Iter<'m, K, V> {
    fn descend(&mut self, mut link: &'m Link<K, V>) {
        while let Some(node) = link {
            self.pending.push(node);
            link = &node.left;
        }
    }
}

impl<'m, K, V> Iterator for Iter<'m, K, V> {
    type Item = (&'m K, &'m V);

    fn next(&mut self) -> Option<Self::Item> {
        let node = self.pending.pop()?;
        self.descend(&node.right);
        Some((&node.key, &node.value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// The height, if every node is balanced and knows its height.
    fn checked_height(link: &Link<u16, u32>) -> Option<u8> {
        let Some(node) = link else { return Some(0) };
        let (left, right) = (checked_height(&node.left)?, checked_height(&node.right)?);
        (left.abs_diff(right) <= 1 && node.height == left.max(right) + 1).then_some(node.height)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// The map behaves like `BTreeMap`, stays balanced, and its copies do not change with it.
        #[test]
        fn behaves_like_btree_map(steps in prop::collection::vec((0..60u16, any::<bool>()), 0..200)) {
            let (mut map, mut model) = (SharedMap::default(), BTreeMap::new());
            let mut copies = Vec::new();
            for (n, (key, inserts)) in steps.into_iter().enumerate() {
                match inserts {
                    true => prop_assert_eq!(map.insert(key, n as u32), model.insert(key, n as u32)),
                    false => prop_assert_eq!(map.remove(&key), model.remove(&key)),
                }
                prop_assert_eq!(map.len(), model.len());
                prop_assert_eq!(map.get(&key), model.get(&key));
                prop_assert!(checked_height(&map.root).is_some());
                if n % 16 == 0 {
                    copies.push((map.clone(), model.clone()));
                }
            }
            copies.push((map.clone(), model.clone()));
            for (copy, model) in &copies {
                prop_assert!(copy.iter().eq(model));
                let rebuilt: SharedMap<u16, u32> = model.iter().rev().map(|(k, v)| (*k, *v)).collect();
                prop_assert!(rebuilt == *copy);
                prop_assert_eq!(*copy == map, copy.iter().eq(map.iter()));
            }
        }
    }
}
