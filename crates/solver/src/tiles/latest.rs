//! A map that keeps the latest values only. Each goal has engines of its own, and a batch or a service may see any number of
//! goals.

use std::sync::{Arc, Mutex};

/// More values than a process is likely to use in turns.
const MOST: usize = 32;

/// The value of a key, made now if it is not among the latest. The map is free for others meanwhile.
pub fn latest_or_made<K: PartialEq, V, E>(
    latest: &Mutex<Latest<K, Arc<V>>>,
    key: K,
    make: impl FnOnce() -> Result<V, E>,
) -> Result<Arc<V>, E> {
    let lock = || latest.lock().expect("no maker panics");
    let known = lock().get(&key);
    if let Some(value) = known {
        return Ok(value);
    }
    let value = Arc::new(make()?);
    lock().insert(key, value.clone());
    Ok(value)
}

/// The latest values, the one used last at the end.
pub struct Latest<K, V>(Vec<(K, V)>);

impl<K, V> Default for Latest<K, V> {
    fn default() -> Self {
        Latest(vec![])
    }
}

impl<K: PartialEq, V: Clone> Latest<K, V> {
    /// The value of a key, which is then the one used last.
    pub fn get(&mut self, key: &K) -> Option<V> {
        let at = self.0.iter().position(|(known, _)| known == key)?;
        self.0[at..].rotate_left(1);
        self.0.last().map(|(_, value)| value.clone())
    }

    /// Adds a value. If there are too many, the one that was not used for longest goes.
    pub fn insert(&mut self, key: K, value: V) {
        self.0.retain(|(known, _)| *known != key);
        self.0.push((key, value));
        if self.0.len() > MOST {
            self.0.remove(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_used_for_longest_goes() {
        let mut latest = Latest::default();
        for key in 0..MOST {
            latest.insert(key, 10 * key);
        }
        assert_eq!(latest.get(&0), Some(0));
        latest.insert(MOST, 7);
        assert_eq!(latest.get(&1), None);
        assert_eq!((latest.get(&0), latest.get(&2)), (Some(0), Some(20)));
        latest.insert(2, 21);
        assert_eq!(latest.get(&2), Some(21));
        assert_eq!(latest.0.len(), MOST);
    }
}
