//! A concurrent map that cannot deadlock. A DashMap guard that is held across an `await`, or together with another one,
//! can block the program, so no guard leaves this file. Values are shared and never changed in place.

use dashmap::DashMap;
use std::hash::Hash;
use std::sync::Arc;

/// A concurrent map from ids to shared values.
#[derive(Debug)]
pub(super) struct Table<K: Eq + Hash, V>(DashMap<K, Arc<V>>);

impl<K: Eq + Hash, V> Default for Table<K, V> {
    fn default() -> Table<K, V> {
        Table(DashMap::new())
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place where guards live, and die in the same expression")]
impl<K: Eq + Hash, V> Table<K, V> {
    /// The value of an id.
    pub(super) fn get(&self, key: K) -> Option<Arc<V>> {
        self.0.get(&key).map(|entry| Arc::clone(entry.value()))
    }

    /// Inserts or replaces a value; returns the one before.
    pub(super) fn put(&self, key: K, value: Arc<V>) -> Option<Arc<V>> {
        self.0.insert(key, value)
    }

    /// Removes a value and returns it.
    pub(super) fn remove(&self, key: K) -> Option<Arc<V>> {
        self.0.remove(&key).map(|(_, value)| value)
    }

    /// Drops all values.
    pub(super) fn clear(&self) {
        self.0.clear();
    }

    /// Removes all values and returns those that were there at the start. The caller decides when they are dropped,
    /// which takes milliseconds for a whole offer.
    #[must_use]
    pub(super) fn take_all(&self) -> Vec<Arc<V>> {
        let taken = self.values();
        self.0.clear();
        taken
    }

    /// All values, in any order.
    pub(super) fn values(&self) -> Vec<Arc<V>> {
        self.0.iter().map(|entry| Arc::clone(entry.value())).collect()
    }

    /// Whether there is no value.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    struct Counted(Arc<AtomicUsize>);

    impl Drop for Counted {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    #[test]
    fn taken_values_live_until_the_caller_drops_them() {
        let dropped = Arc::new(AtomicUsize::new(0));
        let table = Table::default();
        for key in 0..100 {
            table.put(key, Arc::new(Counted(Arc::clone(&dropped))));
        }
        let taken = table.take_all();
        assert!(table.is_empty());
        assert_eq!((taken.len(), dropped.load(Ordering::SeqCst)), (100, 0));
        drop(taken);
        assert_eq!(dropped.load(Ordering::SeqCst), 100);
    }
}
