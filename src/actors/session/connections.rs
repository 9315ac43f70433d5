//! Which connections belong to a session, by the owner of the ticket they show and by the cookie they came with. Each
//! connection enters itself and leaves when its [`Connected`] is dropped, on whatever thread that is. Used by the handle
//! of the sessions, which enters, and by the desk, which finds those to join or to end without scanning any session. Must
//! never be locked across a wait.

use super::tap::Tap;
use crate::domain::session::SessionId;
use crate::store::SessionOwner;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The index of all connections of this process. Cloning shares.
#[derive(Clone, Debug, Default)]
pub(super) struct Connections(Arc<Mutex<Index>>);

#[derive(Debug, Default)]
struct Index {
    by_owner: HashMap<SessionOwner, Vec<Arc<Tap>>>,
    by_cookie: HashMap<SessionId, Vec<Arc<Tap>>>,
}

/// A connection in the index; dropped, it leaves.
#[derive(Debug)]
pub(super) struct Connected {
    connections: Connections,
    owner: SessionOwner,
    tap: Arc<Tap>,
}

impl Connections {
    /// A connection comes in.
    pub(super) fn enter(&self, owner: SessionOwner, tap: Arc<Tap>) -> Connected {
        let mut index = self.lock();
        index.by_owner.entry(owner).or_default().push(Arc::clone(&tap));
        index.by_cookie.entry(tap.session()).or_default().push(Arc::clone(&tap));
        drop(index);
        Connected { connections: self.clone(), owner, tap }
    }

    /// The connections that show the ticket of an owner.
    pub(super) fn of_owner(&self, owner: SessionOwner) -> Vec<Arc<Tap>> {
        self.lock().by_owner.get(&owner).cloned().unwrap_or_default()
    }

    /// The connections that came with a session's cookie.
    pub(super) fn of_cookie(&self, session: SessionId) -> Vec<Arc<Tap>> {
        self.lock().by_cookie.get(&session).cloned().unwrap_or_default()
    }

    /// Whether a connection shows the ticket of an owner.
    pub(super) fn has_owner(&self, owner: SessionOwner) -> bool {
        self.lock().by_owner.contains_key(&owner)
    }

    /// Every change is complete before the lock is released, so a poisoned lock holds nothing broken.
    fn lock(&self) -> MutexGuard<'_, Index> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Connected {
    fn drop(&mut self) {
        let mut index = self.connections.lock();
        remove(&mut index.by_owner, self.owner, &self.tap);
        remove(&mut index.by_cookie, self.tap.session(), &self.tap);
    }
}

/// The lists are as short as the configured maximum of connections of one session (`hub.connections_per_session_max`).
fn remove<K: Eq + Hash>(index: &mut HashMap<K, Vec<Arc<Tap>>>, key: K, tap: &Arc<Tap>) {
    let Entry::Occupied(mut of_key) = index.entry(key) else { return };
    of_key.get_mut().retain(|held| !Arc::ptr_eq(held, tap));
    if of_key.get().is_empty() {
        of_key.remove();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::lang::Lang;

    #[test]
    fn a_connection_is_found_by_owner_and_by_cookie_until_it_leaves() {
        let connections = Connections::default();
        let (cookie, other) = (SessionId::from_bytes([1; 16]), SessionId::from_bytes([2; 16]));
        let owner = SessionOwner::Anonymous(cookie);
        let tap = |session| Arc::new(Tap::new(session, Lang::Hr));
        let one = connections.enter(owner, tap(cookie));
        let two = connections.enter(owner, tap(cookie));
        let three = connections.enter(SessionOwner::Anonymous(other), tap(other));
        assert_eq!((connections.of_owner(owner).len(), connections.of_cookie(cookie).len()), (2, 2));
        drop(one);
        let left = connections.of_cookie(cookie);
        assert!(left.len() == 1 && Arc::ptr_eq(&left[0], &two.tap));
        drop((two, three));
        let index = connections.lock();
        assert!(index.by_owner.is_empty() && index.by_cookie.is_empty(), "nothing is kept of who left");
    }
}
