//! Whether the store can be reached, for `/readyz`. Anyone may call that, so the store is pinged at most once a second
//! for all callers together.

use crate::http::limits::{STORE_PING_AGE_MS_MAX, STORE_PING_MS_MAX};
use kvota_store::Stores;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

/// The newest answer of the store.
#[derive(Debug, Default)]
pub struct StoreHealth {
    /// Locked during a ping, so that all callers in the meantime share its answer.
    newest: Mutex<Option<Known>>,
}

#[derive(Clone, Copy, Debug)]
struct Known {
    at: Instant,
    is_reachable: bool,
}

impl StoreHealth {
    /// Whether the store answered within the last second, or answers now.
    pub async fn is_reachable(&self, stores: &Stores) -> bool {
        let mut newest = self.newest.lock().await;
        let max_age = Duration::from_millis(STORE_PING_AGE_MS_MAX);
        if let Some(known) = newest.as_mut() {
            if known.at.elapsed() < max_age {
                return known.is_reachable;
            }
            // If the client hangs up, this call is dropped but the ping still runs. Record its time first, so that the
            // next caller does not send another within the second.
            known.at = Instant::now();
        }
        let limit = Duration::from_millis(STORE_PING_MS_MAX);
        let is_reachable = matches!(timeout(limit, stores.ping()).await, Ok(Ok(())));
        *newest = Some(Known { at: Instant::now(), is_reachable });
        is_reachable
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;
    use futures_util::future::join_all;
    use kvota_store::audit::AuditReport;
    use kvota_store::{StoreCare, StoreError, StoreFuture};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
    use tokio::sync::Semaphore;

    fn away() -> StoreError {
        StoreError::Unavailable { cause: "the test says so".to_owned() }
    }

    /// Counts pings, and answers each once the gate has a permit.
    struct Counting {
        pings: AtomicU64,
        is_away: AtomicBool,
        gate: Semaphore,
    }

    impl StoreCare for Counting {
        fn ping(&self) -> StoreFuture<'_, ()> {
            self.pings.fetch_add(1, Ordering::Relaxed);
            Box::pin(async {
                let _permit = self.gate.acquire().await;
                match self.is_away.load(Ordering::Relaxed) {
                    true => Err(away()),
                    false => Ok(()),
                }
            })
        }

        fn audit(&self) -> StoreFuture<'_, AuditReport> {
            Box::pin(async { Err(away()) })
        }

        fn close(&self) -> StoreFuture<'_, ()> {
            Box::pin(async { Ok(()) })
        }
    }

    fn counting(permits: usize) -> (Arc<Counting>, Stores) {
        let gate = Semaphore::new(permits);
        let care = Arc::new(Counting { pings: AtomicU64::new(0), is_away: AtomicBool::new(false), gate });
        let stores = Stores::in_memory().with_care(Arc::clone(&care) as Arc<dyn StoreCare>);
        (care, stores)
    }

    #[tokio::test(start_paused = true)]
    async fn concurrent_callers_share_one_ping() {
        let (care, stores) = counting(0);
        let health = StoreHealth::default();
        let mut asking = std::pin::pin!(join_all((0..50).map(|_| health.is_reachable(&stores))));
        assert!(asking.as_mut().now_or_never().is_none());
        assert_eq!(care.pings.load(Ordering::Relaxed), 1);
        care.gate.add_permits(1);
        assert_eq!(asking.await, [true; 50]);
        assert_eq!(care.pings.load(Ordering::Relaxed), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn store_is_pinged_once_a_second() {
        let (care, stores) = counting(1);
        let health = StoreHealth::default();
        for _ in 0..100 {
            assert!(health.is_reachable(&stores).await);
            tokio::time::advance(Duration::from_millis(100)).await;
        }
        assert_eq!(care.pings.load(Ordering::Relaxed), 10);
        care.is_away.store(true, Ordering::Relaxed);
        tokio::time::advance(Duration::from_secs(1)).await;
        assert!(!health.is_reachable(&stores).await);
        care.is_away.store(false, Ordering::Relaxed);
        assert!(!health.is_reachable(&stores).await, "within the second");
        tokio::time::advance(Duration::from_secs(1)).await;
        assert!(health.is_reachable(&stores).await);
    }

    #[tokio::test(start_paused = true)]
    async fn silent_store_is_pinged_once_for_all_callers() {
        let (care, stores) = counting(0);
        let health = StoreHealth::default();
        let begin = Instant::now();
        assert_eq!(join_all((0..50).map(|_| health.is_reachable(&stores))).await, [false; 50]);
        assert_eq!(care.pings.load(Ordering::Relaxed), 1);
        assert_eq!(begin.elapsed(), Duration::from_millis(STORE_PING_MS_MAX), "the paused clock: one time-out for all");
    }

    #[tokio::test(start_paused = true)]
    async fn clients_that_hang_up_do_not_make_more_pings() {
        let (care, stores) = counting(1);
        let health = StoreHealth::default();
        assert!(health.is_reachable(&stores).await);
        tokio::time::advance(Duration::from_secs(1)).await;
        let _held = care.gate.acquire().await;
        for _ in 0..20 {
            let mut asking = std::pin::pin!(health.is_reachable(&stores));
            assert!(asking.as_mut().now_or_never().is_none_or(|known| known));
        }
        assert_eq!(care.pings.load(Ordering::Relaxed), 2);
    }
}
