//! Limits the connections of the hub: in total, per source address and per session, and how many anonymous sessions an
//! address may start. The hub asks it before the expensive part of a handshake; dropping the `Permit` returns what
//! was counted. It must not wait, and must not know sockets.

use crate::http::error::ApiError;
use crate::http::live_hub::Stopping;
use crate::http::proxies::{Network, Seen};
use crate::http::rate_limit::network_of;
use crate::hub::limits::{HUB_RETRY_SECONDS, NEW_SESSIONS_WINDOW_MS, WATCHED_PER_ADDRESS_AND_SECOND_MAX};
use kvota_store::SessionOwner;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// The limits of one process (section `hub` of the configuration).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HubLimits {
    /// Connections in total.
    pub connections_max: usize,
    /// Connections per source address.
    pub connections_per_address_max: usize,
    /// Connections per session, that is, per bettor: one for each tab.
    pub connections_per_session_max: usize,
    /// Anonymous sessions that one source address may start per minute.
    pub new_sessions_per_minute_max: usize,
    /// Addresses in these networks are not counted.
    pub unlimited_networks: Vec<Network>,
}

impl HubLimits {
    /// No limits.
    pub fn none() -> HubLimits {
        HubLimits {
            connections_max: usize::MAX,
            connections_per_address_max: usize::MAX,
            connections_per_session_max: usize::MAX,
            new_sessions_per_minute_max: usize::MAX,
            unlimited_networks: Vec::new(),
        }
    }
}

/// Counts the connections of all workers. Clones share the counts.
#[derive(Clone, Debug)]
pub struct Admission(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    limits: HubLimits,
    /// The server stops: clients are to connect to another node.
    stopping: Stopping,
    counts: Mutex<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    connections: usize,
    by_address: HashMap<IpAddr, usize>,
    by_session: HashMap<SessionOwner, usize>,
    new_sessions: Window,
    watched: Window,
}

/// Counts by source address in the current window of time. The whole map is cleared when the window is over, so it needs
/// no expiry per address and stays bounded.
#[derive(Debug, Default)]
struct Window {
    since: Option<Instant>,
    by_address: HashMap<IpAddr, usize>,
}

impl Window {
    /// Adds `by` to the count of an address, unless it would exceed `max`. Then returns how long the window still lasts.
    fn add(&mut self, address: IpAddr, by: usize, max: usize, length: Duration, now: Instant) -> Result<(), Duration> {
        let since = match self.since {
            Some(since) if now.saturating_duration_since(since) < length => since,
            _ => {
                *self = Window { since: Some(now), by_address: HashMap::new() };
                now
            }
        };
        let count = self.by_address.entry(address).or_insert(0);
        if count.saturating_add(by) > max {
            return Err(length.saturating_sub(now.saturating_duration_since(since)));
        }
        *count += by;
        Ok(())
    }
}

/// Why a handshake is rejected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum HandshakeRejection {
    /// The server stops.
    Stopping,
    /// The server has too many connections.
    Total,
    /// The address has too many connections.
    Address,
    /// The session has too many connections.
    Session,
    /// The address started too many sessions in this minute, which ends after `seconds`.
    NewSessions { seconds: u64 },
}

impl From<HandshakeRejection> for ApiError {
    /// Also increments the rejection counter.
    fn from(rejection: HandshakeRejection) -> ApiError {
        let (reason, error) = match rejection {
            HandshakeRejection::Stopping => ("stopping", ApiError::Unavailable),
            HandshakeRejection::Total => ("total", ApiError::Unavailable),
            HandshakeRejection::Address => ("address", ApiError::TooMany { seconds: HUB_RETRY_SECONDS }),
            HandshakeRejection::Session => ("session", ApiError::TooMany { seconds: HUB_RETRY_SECONDS }),
            HandshakeRejection::NewSessions { seconds } => ("new_sessions", ApiError::TooMany { seconds }),
        };
        metrics::counter!("kvota_hub_rejected_total", "reason" => reason).increment(1);
        error
    }
}

/// One counted connection; dropping it returns the counts.
#[derive(Debug)]
pub(super) struct Permit {
    admission: Admission,
    /// `None` if the addresses of its network are not counted.
    address: Option<IpAddr>,
    session: Option<SessionOwner>,
}

impl Admission {
    /// Creates the counters, all zero.
    pub fn new(limits: HubLimits) -> Admission {
        Admission(Arc::new(Shared { limits, stopping: Stopping::default(), counts: Mutex::default() }))
    }

    /// Rejects all handshakes from now on, and makes `/readyz` answer 503: the server stops.
    pub fn stop(&self) {
        self.0.stopping.set();
    }

    /// Whether the server stops, for the calls.
    pub(super) fn stopping(&self) -> Stopping {
        self.0.stopping.clone()
    }

    /// Whether the server stops.
    pub fn is_stopping(&self) -> bool {
        self.0.stopping.is_set()
    }

    /// Counts a connection of a client. A proxy that is not listed is never unlimited: all of its clients would be.
    ///
    /// # Errors
    /// [`HandshakeRejection::Stopping`], [`HandshakeRejection::Total`], [`HandshakeRejection::Address`].
    pub(super) fn admit(&self, seen: &Seen) -> Result<Permit, HandshakeRejection> {
        let Shared { limits, .. } = &*self.0;
        if self.is_stopping() {
            return Err(HandshakeRejection::Stopping);
        }
        let client = seen.client;
        let is_unlimited = !seen.is_unlisted_proxy
            && client.is_some_and(|client| limits.unlimited_networks.iter().any(|network| network.contains(client)));
        let address = (!is_unlimited).then(|| network_of(client));
        let mut counts = self.lock();
        if counts.connections >= limits.connections_max {
            return Err(HandshakeRejection::Total);
        }
        if let Some(address) = address
            && !increment(&mut counts.by_address, address, limits.connections_per_address_max)
        {
            return Err(HandshakeRejection::Address);
        }
        counts.connections += 1;
        drop(counts);
        Ok(Permit { admission: self.clone(), address, session: None })
    }

    /// Every change is complete before the lock is released, so the counts are valid even if the lock is poisoned.
    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.0.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Permit {
    /// Counts a new anonymous session of this address.
    ///
    /// # Errors
    /// [`HandshakeRejection::NewSessions`].
    pub(super) fn begin_session(&self, now: Instant) -> Result<(), HandshakeRejection> {
        let Some(address) = self.address else { return Ok(()) };
        let window = Duration::from_millis(NEW_SESSIONS_WINDOW_MS);
        let max = self.admission.0.limits.new_sessions_per_minute_max;
        let counted = self.admission.lock().new_sessions.add(address, 1, max, window, now);
        // Rounded up, so that a client that retries then is accepted.
        counted.map_err(|left| HandshakeRejection::NewSessions { seconds: left.as_secs() + 1 })
    }

    /// Counts the sports and matches of a `watch` command. Returns false if the address has named too many in this second.
    pub(super) fn may_watch(&self, named: usize, now: Instant) -> bool {
        let Some(address) = self.address else { return true };
        let second = Duration::from_secs(1);
        self.admission.lock().watched.add(address, named, WATCHED_PER_ADDRESS_AND_SECOND_MAX, second, now).is_ok()
    }

    /// Counts this connection for a session.
    ///
    /// # Errors
    /// [`HandshakeRejection::Session`].
    pub(super) fn join_session(&mut self, owner: SessionOwner) -> Result<(), HandshakeRejection> {
        let max = self.admission.0.limits.connections_per_session_max;
        if !increment(&mut self.admission.lock().by_session, owner, max) {
            return Err(HandshakeRejection::Session);
        }
        self.session = Some(owner);
        Ok(())
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut counts = self.admission.lock();
        counts.connections = counts.connections.saturating_sub(1);
        if let Some(address) = self.address {
            decrement(&mut counts.by_address, address);
        }
        if let Some(owner) = self.session {
            decrement(&mut counts.by_session, owner);
        }
    }
}

/// Increments the count of a key unless it has reached `max`; returns whether it did.
fn increment<K: Eq + Hash>(counts: &mut HashMap<K, usize>, key: K, max: usize) -> bool {
    match counts.entry(key) {
        Entry::Occupied(count) if *count.get() >= max => false,
        Entry::Vacant(_) if max == 0 => false,
        entry => {
            *entry.or_insert(0) += 1;
            true
        }
    }
}

fn decrement<K: Eq + Hash>(counts: &mut HashMap<K, usize>, key: K) {
    if let Entry::Occupied(mut count) = counts.entry(key) {
        *count.get_mut() -= 1;
        if *count.get() == 0 {
            count.remove();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::proxies::Scheme;
    use kvota_domain::session::SessionId;

    fn admission(limits: HubLimits) -> Admission {
        Admission::new(limits)
    }

    fn at(text: &str) -> Seen {
        Seen { scheme: Scheme::Http, client: Some(text.parse().unwrap()), is_unlisted_proxy: false }
    }

    fn owner(number: u8) -> SessionOwner {
        SessionOwner::Anonymous(SessionId::from_bytes([number; 16]))
    }

    #[test]
    fn address_may_name_a_limited_number_of_matches_per_second() {
        let admission = admission(HubLimits::none());
        let [one, two, other] = ["10.0.0.1", "10.0.0.1", "10.0.0.2"].map(|text| admission.admit(&at(text)).unwrap());
        let now = Instant::now();
        assert!(one.may_watch(WATCHED_PER_ADDRESS_AND_SECOND_MAX, now));
        assert!(!two.may_watch(1, now), "another connection of the same address");
        assert!(other.may_watch(1, now));
        assert!(two.may_watch(1, now + Duration::from_secs(1)));
    }

    #[test]
    fn each_limit_rejects_and_frees_when_a_connection_closes() {
        let limits = HubLimits { connections_max: 3, connections_per_address_max: 2, ..HubLimits::none() };
        let admission = admission(limits);
        let one = admission.admit(&at("10.0.0.1")).unwrap();
        let two = admission.admit(&at("10.0.0.1")).unwrap();
        assert_eq!(admission.admit(&at("10.0.0.1")).unwrap_err(), HandshakeRejection::Address);
        let three = admission.admit(&at("10.0.0.2")).unwrap();
        assert_eq!(admission.admit(&at("10.0.0.3")).unwrap_err(), HandshakeRejection::Total);
        drop(two);
        let again = admission.admit(&at("10.0.0.1")).unwrap();
        drop((one, three, again));
        let counts = admission.lock();
        assert!(counts.connections == 0 && counts.by_address.is_empty(), "{counts:?}");
    }

    #[test]
    fn session_limit_counts_across_addresses() {
        let admission = admission(HubLimits { connections_per_session_max: 1, ..HubLimits::none() });
        let mut one = admission.admit(&at("10.0.0.1")).unwrap();
        let mut two = admission.admit(&at("10.0.0.2")).unwrap();
        one.join_session(owner(1)).unwrap();
        assert_eq!(two.join_session(owner(1)), Err(HandshakeRejection::Session));
        two.join_session(owner(2)).unwrap();
        drop(one);
        admission.admit(&at("10.0.0.3")).unwrap().join_session(owner(1)).unwrap();
        drop(two);
        assert!(admission.lock().by_session.is_empty());
    }

    #[test]
    fn new_sessions_are_counted_for_a_minute_by_address() {
        let admission = admission(HubLimits { new_sessions_per_minute_max: 2, ..HubLimits::none() });
        let start = Instant::now();
        let one = admission.admit(&at("10.0.0.1")).unwrap();
        let after = |seconds| one.begin_session(start + Duration::from_secs(seconds));
        assert_eq!([after(0), after(1)], [Ok(()), Ok(())]);
        assert_eq!(after(50), Err(HandshakeRejection::NewSessions { seconds: 11 }));
        let other = admission.admit(&at("10.0.0.2")).unwrap();
        assert_eq!(other.begin_session(start + Duration::from_secs(50)), Ok(()));
        assert_eq!(after(61), Ok(()));
    }

    #[test]
    fn addresses_of_unlimited_networks_are_not_counted_but_the_total_is() {
        let networks = ["127.0.0.0/8", "::1/128"].map(|text| Network::parse(text).unwrap());
        let limits = HubLimits {
            connections_max: 4,
            connections_per_address_max: 1,
            new_sessions_per_minute_max: 0,
            unlimited_networks: networks.to_vec(),
            ..HubLimits::none()
        };
        let admission = admission(limits);
        let local: Vec<Permit> =
            ["127.0.0.1", "127.0.0.1", "::1"].iter().map(|text| admission.admit(&at(text)).unwrap()).collect();
        assert!(local.iter().all(|permit| permit.begin_session(Instant::now()).is_ok()));
        let far = admission.admit(&at("10.0.0.1")).unwrap();
        assert!(far.begin_session(Instant::now()).is_err());
        assert_eq!(admission.admit(&at("127.0.0.1")).unwrap_err(), HandshakeRejection::Total);
    }

    #[test]
    fn limited_loopback_addresses_are_counted_separately() {
        let admission = admission(HubLimits { connections_per_address_max: 1, ..HubLimits::none() });
        let _one = admission.admit(&at("127.0.0.1")).unwrap();
        let _two = admission.admit(&at("127.0.0.2")).unwrap();
        assert_eq!(admission.admit(&at("127.0.0.1")).unwrap_err(), HandshakeRejection::Address);
    }

    #[test]
    fn proxy_that_is_not_listed_is_never_unlimited() {
        let networks = ["127.0.0.0/8"].map(|text| Network::parse(text).unwrap());
        let limits = HubLimits {
            connections_max: 4,
            connections_per_address_max: 1,
            unlimited_networks: networks.to_vec(),
            ..HubLimits::none()
        };
        let admission = admission(limits);
        let proxied = Seen { is_unlisted_proxy: true, ..at("127.0.0.1") };
        let _one = admission.admit(&proxied).unwrap();
        assert_eq!(admission.admit(&proxied).unwrap_err(), HandshakeRejection::Address);
    }
}
