//! How often something may be tried: at most so many times in any stretch of time, for each name, address or account.
//! Called by the calls that guess or cost; a pure table, the time is handed in. Bounded: beyond its size it forgets who
//! was quiet for the longest.

use super::error::ApiError;
use crate::domain::limits::TRIES_REMEMBERED_MAX;
use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// At most `count` tries in any `window` for each key.
#[derive(Debug)]
pub struct RateLimit<K> {
    count: usize,
    window: Duration,
    keys_max: usize,
    tries: Mutex<HashMap<K, VecDeque<Instant>>>,
}

impl<K: Eq + Hash + Clone> RateLimit<K> {
    /// Nobody has tried yet.
    pub fn new(count: usize, window: Duration) -> RateLimit<K> {
        RateLimit { count, window, keys_max: TRIES_REMEMBERED_MAX, tries: Mutex::default() }
    }

    /// Counts a try.
    ///
    /// # Errors
    /// [`ApiError::TooMany`], with the time after which the next try counts; a refused try counts for nothing.
    pub fn take(&self, key: K, now: Instant) -> Result<(), ApiError> {
        let mut tries = self.lock();
        if !tries.contains_key(&key) {
            self.make_room(&mut tries, now);
        }
        let of_key = tries.entry(key).or_default();
        while of_key.front().is_some_and(|first| now.duration_since(*first) >= self.window) {
            of_key.pop_front();
        }
        if of_key.len() < self.count {
            of_key.push_back(now);
            return Ok(());
        }
        let waited = of_key.front().map_or(Duration::ZERO, |first| now.duration_since(*first));
        let left = self.window.saturating_sub(waited);
        // Whole seconds, upwards: who comes back then is let in.
        Err(ApiError::TooMany { seconds: u64::try_from(left.as_millis().div_ceil(1_000)).unwrap_or(1).max(1) })
    }

    /// Takes a try back that turned out to be none.
    pub fn give_back(&self, key: &K) {
        let mut tries = self.lock();
        if let Some(of_key) = tries.get_mut(key) {
            of_key.pop_back();
            if of_key.is_empty() {
                tries.remove(key);
            }
        }
    }

    fn make_room(&self, tries: &mut HashMap<K, VecDeque<Instant>>, now: Instant) {
        if tries.len() < self.keys_max {
            return;
        }
        let last = |of_key: &VecDeque<Instant>| of_key.back().copied();
        tries.retain(|_, of_key| last(of_key).is_some_and(|last| now.duration_since(last) < self.window));
        if tries.len() >= self.keys_max {
            let quietest = tries.iter().min_by_key(|(_, of_key)| last(of_key)).map(|(key, _)| key.clone());
            quietest.and_then(|key| tries.remove(&key));
        }
    }

    /// Nothing in it can be left half done.
    fn lock(&self) -> MutexGuard<'_, HashMap<K, VecDeque<Instant>>> {
        self.tries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whose tries are counted together: an address, and of IPv6 the network of 64 bits that one customer gets whole.
pub fn source_of(client: Option<IpAddr>) -> IpAddr {
    match client.map(|address| address.to_canonical()) {
        Some(IpAddr::V6(address)) => {
            let network = u128::from(address) >> 64 << 64;
            IpAddr::V6(Ipv6Addr::from(network))
        }
        Some(address) => address,
        None => IpAddr::V6(Ipv6Addr::UNSPECIFIED),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    fn wait<T>(outcome: Result<T, ApiError>) -> Option<u64> {
        match outcome {
            Err(ApiError::TooMany { seconds }) => Some(seconds),
            _ => None,
        }
    }

    #[test]
    fn in_no_stretch_of_time_are_there_more_tries_than_allowed() {
        let start = Instant::now();
        let limit = RateLimit::new(3, seconds(60));
        let at = |second: u64| wait(limit.take("ana", start + seconds(second)));
        let waits = [0, 10, 50, 51, 59, 60, 61, 70, 71, 109, 110].map(at);
        assert_eq!(
            waits,
            [None, None, None, Some(9), Some(1), None, Some(9), None, Some(39), Some(1), None],
            "each try is forgotten a minute after it was made"
        );
        assert_eq!(wait(limit.take("ben", start + seconds(51))), None, "another's tries are his own");
    }

    #[test]
    fn a_try_that_was_none_is_given_back() {
        let start = Instant::now();
        let limit = RateLimit::new(1, seconds(60));
        for _ in 0..5 {
            assert_eq!(wait(limit.take(1, start)), None);
            limit.give_back(&1);
        }
        assert!(limit.lock().is_empty());
        limit.give_back(&2);
    }

    #[test]
    fn who_was_quiet_for_the_longest_is_forgotten_first() {
        let start = Instant::now();
        let limit = RateLimit { keys_max: 2, ..RateLimit::new(1, seconds(60)) };
        for (key, second) in [("a", 0), ("b", 1), ("c", 2)] {
            assert_eq!(wait(limit.take(key, start + seconds(second))), None);
        }
        assert_eq!(limit.lock().len(), 2);
        assert!(wait(limit.take("c", start + seconds(3))).is_some());
        assert_eq!(wait(limit.take("a", start + seconds(3))), None, "a was forgotten");
        assert_eq!(wait(limit.take("d", start + seconds(70))), None);
        assert_eq!(limit.lock().len(), 1, "what has run out goes first");
    }

    #[test]
    fn an_address_stands_for_its_customer() {
        for (one, other, is_same) in [
            ("10.0.0.1", "10.0.0.1", true),
            ("10.0.0.1", "10.0.0.2", false),
            ("10.0.0.1", "::ffff:10.0.0.1", true),
            ("2001:db8::1", "2001:db8::ffff:1", true),
            ("2001:db8::1", "2001:db8:0:1::1", false),
        ] {
            let source = |text: &str| source_of(text.parse().ok());
            assert_eq!(source(one) == source(other), is_same, "{one} {other}");
        }
    }
}
