//! A session store with faults that a test selects: unreachable, silent, or losing its answers.

use kvota_store::{SavedSession, SessionOwner, SessionSaved, SessionStore, StoreError, StoreFuture};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// The fault of the store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// No fault.
    None,
    /// It cannot be reached.
    Down,
    /// It completes the operation, but the answer is lost.
    AnswersLost,
    /// It never answers.
    Silent,
}

impl Fault {
    const ALL: [Fault; 4] = [Fault::None, Fault::Down, Fault::AnswersLost, Fault::Silent];
}

/// A session store with faults. Clones share the state.
#[derive(Clone)]
pub struct FaultyStore {
    inner: Arc<dyn SessionStore>,
    fault: Arc<AtomicU8>,
    loads: Arc<AtomicU64>,
    savings: Arc<AtomicU64>,
}

impl FaultyStore {
    /// Wraps a store, without a fault at first.
    pub fn over(inner: Arc<dyn SessionStore>) -> FaultyStore {
        FaultyStore { inner, fault: Arc::default(), loads: Arc::default(), savings: Arc::default() }
    }

    /// Sets the fault.
    pub fn set(&self, fault: Fault) {
        self.fault.store(fault as u8, Ordering::SeqCst);
    }

    /// How many loads were requested.
    pub fn loads(&self) -> u64 {
        self.loads.load(Ordering::SeqCst)
    }

    /// How many saves were requested.
    pub fn savings(&self) -> u64 {
        self.savings.load(Ordering::SeqCst)
    }

    fn with_fault<'a, T: Send + 'a>(&self, asked: StoreFuture<'a, T>) -> StoreFuture<'a, T> {
        let failed = || StoreError::Unavailable { cause: "the test says so".to_owned() };
        match Fault::ALL[usize::from(self.fault.load(Ordering::SeqCst))] {
            Fault::None => asked,
            Fault::Down => Box::pin(async move { Err(failed()) }),
            Fault::AnswersLost => Box::pin(async move { asked.await.and_then(|_| Err(failed())) }),
            Fault::Silent => Box::pin(std::future::pending()),
        }
    }
}

impl SessionStore for FaultyStore {
    fn load(&self, owner: SessionOwner) -> StoreFuture<'_, Option<SavedSession>> {
        self.loads.fetch_add(1, Ordering::SeqCst);
        self.with_fault(self.inner.load(owner))
    }

    fn save(&self, owner: SessionOwner, expected: u64, bytes: Vec<u8>, now_ms: i64) -> StoreFuture<'_, SessionSaved> {
        self.savings.fetch_add(1, Ordering::SeqCst);
        // The store in memory writes when it is called, not when the future is polled, so call it lazily.
        let inner = Arc::clone(&self.inner);
        self.with_fault(Box::pin(async move { inner.save(owner, expected, bytes, now_ms).await }))
    }

    fn delete(&self, owner: SessionOwner) -> StoreFuture<'_, bool> {
        let inner = Arc::clone(&self.inner);
        self.with_fault(Box::pin(async move { inner.delete(owner).await }))
    }

    fn forget_anonymous(&self, before_ms: i64, max: u64) -> StoreFuture<'_, u64> {
        self.with_fault(self.inner.forget_anonymous(before_ms, max))
    }
}
