//! The index of all connections, by the owner of their ticket and by their session cookie.
//! [`Sessions`](super::sessions) adds a connection; it is removed when its [`Connected`] is dropped, on any thread. The
//! registry uses the index to find the connections to join or to close. The lock must not be held across an `await`.

use super::inbox::SessionInbox;
use kvota_domain::session::SessionId;
use kvota_store::SessionOwner;
use kvota_store::nodes::SessionKey;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The index of all connections of this process. A clone shares it.
#[derive(Clone, Debug, Default)]
pub(super) struct Connections(Arc<Mutex<Index>>);

#[derive(Debug, Default)]
struct Index {
    by_owner: HashMap<SessionOwner, Vec<Arc<SessionInbox>>>,
    by_cookie: HashMap<SessionId, Vec<Arc<SessionInbox>>>,
    /// Connections for which the owner is being looked up.
    arriving: HashMap<SessionKey, Vec<Arc<SessionInbox>>>,
    /// The names that other nodes use.
    owners: HashMap<SessionKey, SessionOwner>,
    cookies: HashMap<SessionKey, SessionId>,
}

/// An entry of the index. Dropping it removes the connection.
#[derive(Debug)]
pub(super) struct Connected {
    connections: Connections,
    owner: SessionOwner,
    inbox: Arc<SessionInbox>,
}

/// A connection for which the owner is being looked up. It ends if its cookie ends meanwhile. Keep this value until the
/// connection is entered.
#[derive(Debug)]
pub struct Arriving {
    connections: Connections,
    inbox: Arc<SessionInbox>,
}

impl Connections {
    /// Announces a connection. Call it before the store is asked for the owner.
    pub(super) fn arrive(&self, inbox: Arc<SessionInbox>) -> Arriving {
        let key = SessionKey::of_cookie(inbox.session());
        self.lock().arriving.entry(key).or_default().push(Arc::clone(&inbox));
        Arriving { connections: self.clone(), inbox }
    }

    /// Adds a connection.
    pub(super) fn enter(&self, owner: SessionOwner, inbox: Arc<SessionInbox>) -> Connected {
        let (of_owner, of_cookie) = (SessionKey::of_owner(owner), SessionKey::of_cookie(inbox.session()));
        let mut index = self.lock();
        index.owners.insert(of_owner, owner);
        index.cookies.insert(of_cookie, inbox.session());
        index.by_owner.entry(owner).or_default().push(Arc::clone(&inbox));
        index.by_cookie.entry(inbox.session()).or_default().push(Arc::clone(&inbox));
        drop(index);
        Connected { connections: self.clone(), owner, inbox }
    }

    /// The connections that show the ticket of an owner.
    pub(super) fn of_owner(&self, owner: SessionOwner) -> Vec<Arc<SessionInbox>> {
        self.lock().by_owner.get(&owner).cloned().unwrap_or_default()
    }

    /// The connections with this session cookie.
    pub(super) fn of_cookie(&self, session: SessionId) -> Vec<Arc<SessionInbox>> {
        self.lock().by_cookie.get(&session).cloned().unwrap_or_default()
    }

    /// The owner with this key, if a connection shows its ticket.
    pub(super) fn owner(&self, key: &SessionKey) -> Option<SessionOwner> {
        self.lock().owners.get(key).copied()
    }

    /// Ends all connections with the session cookie of this key.
    pub(super) fn end(&self, key: &SessionKey) {
        let index = self.lock();
        let entered = index.cookies.get(key).and_then(|session| index.by_cookie.get(session));
        let inboxes: Vec<_> = entered.into_iter().chain(index.arriving.get(key)).flatten().cloned().collect();
        drop(index);
        inboxes.iter().for_each(|inbox| inbox.end());
    }

    /// The cookies of all connections, each with the owner that it had when it connected.
    pub(super) fn cookies(&self) -> Vec<(SessionOwner, SessionId)> {
        let index = self.lock();
        let of_owner = |(owner, inboxes): (&SessionOwner, &Vec<Arc<SessionInbox>>)| {
            let sessions: HashSet<SessionId> = inboxes.iter().map(|inbox| inbox.session()).collect();
            sessions.into_iter().map(|session| (*owner, session)).collect::<Vec<_>>()
        };
        index.by_owner.iter().flat_map(of_owner).collect()
    }

    /// Whether any connection shows the ticket of an owner.
    pub(super) fn has_owner(&self, owner: SessionOwner) -> bool {
        self.lock().by_owner.contains_key(&owner)
    }

    /// No code panics while it holds the lock, so the index of a poisoned lock is intact.
    fn lock(&self) -> MutexGuard<'_, Index> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Arriving {
    fn drop(&mut self) {
        remove(&mut self.connections.lock().arriving, SessionKey::of_cookie(self.inbox.session()), &self.inbox);
    }
}

impl Drop for Connected {
    fn drop(&mut self) {
        let session = self.inbox.session();
        let mut index = self.connections.lock();
        if remove(&mut index.by_owner, self.owner, &self.inbox) {
            index.owners.remove(&SessionKey::of_owner(self.owner));
        }
        if remove(&mut index.by_cookie, session, &self.inbox) {
            index.cookies.remove(&SessionKey::of_cookie(session));
        }
    }
}

/// Removes a connection; returns whether it was the last one of the key. A linear search is enough: a list is at most
/// `hub.connections_per_session_max` long.
fn remove<K: Eq + Hash>(index: &mut HashMap<K, Vec<Arc<SessionInbox>>>, key: K, inbox: &Arc<SessionInbox>) -> bool {
    let Entry::Occupied(mut of_key) = index.entry(key) else { return true };
    of_key.get_mut().retain(|held| !Arc::ptr_eq(held, inbox));
    let is_last = of_key.get().is_empty();
    if is_last {
        of_key.remove();
    }
    is_last
}

#[cfg(test)]
mod tests {
    use super::*;
    use kvota_domain::lang::Lang;

    #[test]
    fn connection_is_found_by_owner_and_by_cookie_until_dropped() {
        let connections = Connections::default();
        let (cookie, other) = (SessionId::from_bytes([1; 16]), SessionId::from_bytes([2; 16]));
        let owner = SessionOwner::Anonymous(cookie);
        let inbox = |session| Arc::new(SessionInbox::new(session, Lang::Hr));
        let one = connections.enter(owner, inbox(cookie));
        let two = connections.enter(owner, inbox(cookie));
        let three = connections.enter(SessionOwner::Anonymous(other), inbox(other));
        assert_eq!((connections.of_owner(owner).len(), connections.of_cookie(cookie).len()), (2, 2));
        drop(one);
        let left = connections.of_cookie(cookie);
        assert!(left.len() == 1 && Arc::ptr_eq(&left[0], &two.inbox));
        drop((two, three, connections.arrive(inbox(cookie))));
        let index = connections.lock();
        assert!(index.by_owner.is_empty() && index.by_cookie.is_empty(), "nothing is kept of who left");
        assert!(index.owners.is_empty() && index.cookies.is_empty() && index.arriving.is_empty());
    }
}
