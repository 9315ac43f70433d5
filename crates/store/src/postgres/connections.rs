//! The connections to the database: a pool that is replaced when a call gets no answer. A link that freezes, for example
//! because the host lost its power, answers nothing and closes nothing, and the pool would wait for its connections until
//! the kernel gives up, a quarter of an hour later. Must not decide how long a call may take.

use sqlx::postgres::PgPool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long the connections of a replaced pool may take to end. Those that do not answer are left to the kernel.
const CLOSE_MAX: Duration = Duration::from_secs(5);

/// The current pool. Clones share it.
#[derive(Clone)]
pub(super) struct Connections(Arc<Mutex<Current>>);

struct Current {
    pool: PgPool,
    /// How often the pool was replaced.
    generation: u64,
}

impl Connections {
    pub(super) fn new(pool: PgPool) -> Connections {
        Connections(Arc::new(Mutex::new(Current { pool, generation: 0 })))
    }

    /// The pool for one call, and its number for [`Connections::replace`].
    pub(super) fn current(&self) -> (PgPool, u64) {
        let current = self.lock();
        (current.pool.clone(), current.generation)
    }

    /// Replaces a pool of which a call got no answer. Other calls keep the connections that they have. Must be called on the
    /// store's runtime.
    pub(super) fn replace(&self, generation: u64) {
        let old = {
            let mut current = self.lock();
            if current.generation != generation {
                return;
            }
            current.generation += 1;
            let options = current.pool.connect_options();
            let new = current.pool.options().clone().connect_lazy_with(options.as_ref().clone());
            std::mem::replace(&mut current.pool, new)
        };
        metrics::counter!("kvota_store_pools_replaced_total").increment(1);
        tracing::error!("the database did not answer in time: its connections are opened again");
        // Idle connections that still work are closed orderly.
        #[expect(clippy::disallowed_methods, reason = "ends within its limit; nothing waits for an old pool")]
        tokio::spawn(async move { drop(tokio::time::timeout(CLOSE_MAX, old.close()).await) });
    }

    fn lock(&self) -> MutexGuard<'_, Current> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
