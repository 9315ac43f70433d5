//! Rate limits: at most a number of tries in any time window, for each name, address or account. A pure table; the
//! caller passes the time.
//!
//! Memory and work are bounded: a key has at most [`ATTEMPT_COUNTERS_MAX`] counters and one more. The keys are kept in
//! two generations. When the newer one is full, the older one is dropped as a whole, so that no call searches for keys
//! to expire.

use super::error::ApiError;
use super::proxies::Seen;
use crate::http::limits::{ATTEMPT_COUNTERS_MAX, ATTEMPT_KEYS_MAX};
use ipnet::Ipv6Net;
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
    /// Maximum keys per generation.
    keys_max: usize,
    generations: Mutex<Generations<K>>,
}

/// The keys used since the newer generation began, and those last used in the generation before.
#[derive(Debug)]
struct Generations<K> {
    newer: HashMap<K, Counters>,
    older: HashMap<K, Counters>,
}

/// The tries of one key, oldest first.
type Counters = VecDeque<Counter>;

/// Tries that expire together, `window` after the last of them.
#[derive(Debug)]
struct Counter {
    first: Instant,
    last: Instant,
    tries: usize,
}

impl<K: Eq + Hash + Clone> RateLimit<K> {
    /// Creates an empty limit.
    pub fn new(count: usize, window: Duration) -> RateLimit<K> {
        let generations = Generations { newer: HashMap::new(), older: HashMap::new() };
        RateLimit { count, window, keys_max: ATTEMPT_KEYS_MAX / 2, generations: Mutex::new(generations) }
    }

    /// How many tries a window has.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Counts a try.
    ///
    /// # Errors
    /// [`ApiError::TooMany`] with the time to wait. A rejected try is not counted.
    pub fn take(&self, key: K, now: Instant) -> Result<(), ApiError> {
        let mut generations = self.lock();
        let mut counters = generations.remove(&key).unwrap_or_default();
        while counters.front().is_some_and(|oldest| now.duration_since(oldest.last) >= self.window) {
            counters.pop_front();
        }
        let tried: usize = counters.iter().map(|counter| counter.tries).sum();
        let taken = if tried < self.count {
            self.count_try(&mut counters, now);
            Ok(())
        } else {
            let waited = counters.front().map_or(Duration::ZERO, |oldest| now.duration_since(oldest.last));
            let left = self.window.saturating_sub(waited);
            // In whole seconds, rounded up, so that a client that retries then is accepted.
            Err(ApiError::TooMany { seconds: u64::try_from(left.as_millis().div_ceil(1_000)).unwrap_or(1).max(1) })
        };
        let forgotten = if counters.is_empty() { None } else { generations.insert(key, counters, self.keys_max) };
        // Freeing many keys takes time, so do it after the lock is released.
        drop(generations);
        drop(forgotten);
        taken
    }

    /// Undoes the newest try of a key.
    pub fn give_back(&self, key: &K) {
        let mut generations = self.lock();
        let Generations { newer, older } = &mut *generations;
        let Some(counters) = newer.get_mut(key).or_else(|| older.get_mut(key)) else { return };
        if let Some(newest) = counters.back_mut() {
            newest.tries -= 1;
            if newest.tries == 0 {
                counters.pop_back();
            }
        }
        if counters.is_empty() {
            generations.remove(key);
        }
    }

    /// A low limit has one counter per try. A high limit has counters that each cover a part of the window, so that a
    /// key takes the same memory whatever its limit.
    fn count_try(&self, counters: &mut Counters, now: Instant) {
        let parts = u32::try_from(ATTEMPT_COUNTERS_MAX).unwrap_or(u32::MAX);
        if self.count > ATTEMPT_COUNTERS_MAX
            && let Some(newest) = counters.back_mut()
            && now.duration_since(newest.first) < self.window / parts
        {
            newest.last = now;
            newest.tries += 1;
            return;
        }
        counters.push_back(Counter { first: now, last: now, tries: 1 });
    }

    /// No panic can leave the table in an inconsistent state.
    fn lock(&self) -> MutexGuard<'_, Generations<K>> {
        self.generations.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Eq + Hash> Generations<K> {
    fn remove(&mut self, key: &K) -> Option<Counters> {
        self.newer.remove(key).or_else(|| self.older.remove(key))
    }

    /// Returns the generation that was dropped, if any.
    fn insert(&mut self, key: K, counters: Counters, keys_max: usize) -> Option<HashMap<K, Counters>> {
        let is_full = self.newer.len() >= keys_max;
        let forgotten = is_full.then(|| std::mem::replace(&mut self.older, std::mem::take(&mut self.newer)));
        self.newer.insert(key, counters);
        forgotten
    }
}

/// The source of a request, for limits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Source {
    /// The IPv4 address, or the IPv6 network of 64 bits, which usually belongs to one customer.
    pub network: IpAddr,
    /// Whether the address is probably a proxy that the operator has not listed, so that many clients share it. Only an
    /// internal address is taken for one: a client from the Internet could invent the headers to get higher limits.
    pub is_unlisted_proxy: bool,
}

impl Source {
    /// The source of a request.
    pub fn of(seen: &Seen) -> Source {
        let is_unlisted_proxy = seen.is_unlisted_proxy && seen.client.is_some_and(is_internal);
        Source { network: network_of(seen.client), is_unlisted_proxy }
    }
}

/// Whether the address belongs to this machine or to a private network.
fn is_internal(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => address.is_private() || address.is_loopback() || address.is_link_local(),
        IpAddr::V6(address) => address.is_unique_local() || address.is_loopback() || address.is_unicast_link_local(),
    }
}

/// The key under which addresses are counted: the IPv4 address, or the IPv6 network of 64 bits, which usually belongs
/// to one customer.
pub fn network_of(client: Option<IpAddr>) -> IpAddr {
    match client.map(|address| address.to_canonical()) {
        Some(IpAddr::V6(address)) => Ipv6Net::new(address, 64).map_or(address, |net| net.network()).into(),
        Some(address) => address,
        None => IpAddr::V6(Ipv6Addr::UNSPECIFIED),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::proxies::Scheme;

    fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    fn wait<T>(outcome: Result<T, ApiError>) -> Option<u64> {
        match outcome {
            Err(ApiError::TooMany { seconds }) => Some(seconds),
            _ => None,
        }
    }

    fn keys<K>(limit: &RateLimit<K>) -> usize {
        let generations = limit.generations.lock().unwrap();
        generations.newer.len() + generations.older.len()
    }

    #[test]
    fn no_window_has_more_tries_than_allowed() {
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
    fn undone_try_is_not_counted() {
        let start = Instant::now();
        let limit = RateLimit::new(1, seconds(60));
        for _ in 0..5 {
            assert_eq!(wait(limit.take(1, start)), None);
            limit.give_back(&1);
        }
        assert_eq!(keys(&limit), 0);
        limit.give_back(&2);
    }

    #[test]
    fn least_recently_used_keys_are_dropped_first() {
        let start = Instant::now();
        let limit = RateLimit { keys_max: 2, ..RateLimit::new(1, seconds(60)) };
        for (key, second) in [("a", 0), ("b", 1), ("c", 2), ("d", 3)] {
            assert_eq!(wait(limit.take(key, start + seconds(second))), None);
        }
        assert_eq!(keys(&limit), 4, "two generations");
        assert!(wait(limit.take("a", start + seconds(4))).is_some(), "a is remembered, and used again");
        assert_eq!(wait(limit.take("e", start + seconds(5))), None);
        assert_eq!(wait(limit.take("b", start + seconds(6))), None, "b was forgotten");
        assert!(wait(limit.take("a", start + seconds(7))).is_some());
    }

    #[test]
    fn memory_is_bounded_for_any_keys() {
        let start = Instant::now();
        let limit = RateLimit { keys_max: 10, ..RateLimit::new(500, seconds(10)) };
        for key in 0..1_000 {
            let _ = limit.take(key, start);
        }
        assert!(keys(&limit) <= 20);
        let mut allowed = 0;
        for step in 0..10_000 {
            allowed += usize::from(limit.take(-1, start + Duration::from_millis(step)).is_ok());
        }
        assert_eq!(allowed, 500, "a large limit is as strict as a small one");
        assert!(limit.lock().newer[&-1].len() <= ATTEMPT_COUNTERS_MAX + 1);
        for step in 0..1_000 {
            let _ = limit.take(-2, start + Duration::from_millis(step * 20));
        }
        assert!(limit.lock().newer[&-2].len() <= ATTEMPT_COUNTERS_MAX + 1);
    }

    #[test]
    fn ipv6_addresses_are_counted_by_64_bit_network() {
        for (one, other, is_same) in [
            ("10.0.0.1", "10.0.0.1", true),
            ("10.0.0.1", "10.0.0.2", false),
            ("10.0.0.1", "::ffff:10.0.0.1", true),
            ("2001:db8::1", "2001:db8::ffff:1", true),
            ("2001:db8::1", "2001:db8:0:1::1", false),
        ] {
            let source = |text: &str| {
                Source::of(&Seen { scheme: Scheme::Http, client: text.parse().ok(), is_unlisted_proxy: false })
            };
            assert_eq!(source(one) == source(other), is_same, "{one} {other}");
        }
    }

    #[test]
    fn forwarded_headers_raise_the_limits_of_internal_addresses_only() {
        for (client, is_proxy) in [
            ("10.0.0.1", true),
            ("192.168.1.1", true),
            ("127.0.0.1", true),
            ("::ffff:172.16.0.1", true),
            ("::1", true),
            ("fd12::1", true),
            ("fe80::1", true),
            ("9.9.9.9", false),
            ("2001:db8::1", false),
        ] {
            let seen = |sends_headers| Seen {
                scheme: Scheme::Http,
                client: client.parse().ok(),
                is_unlisted_proxy: sends_headers,
            };
            assert_eq!(Source::of(&seen(true)).is_unlisted_proxy, is_proxy, "{client}");
            assert!(!Source::of(&seen(false)).is_unlisted_proxy, "{client}");
        }
        let unknown = Seen { scheme: Scheme::Http, client: None, is_unlisted_proxy: true };
        assert!(!Source::of(&unknown).is_unlisted_proxy, "an unknown peer is no proxy");
    }
}
