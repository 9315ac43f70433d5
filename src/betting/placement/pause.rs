//! Whether an operator has paused betting, as this node last read it. The node reads it every second, so that most bets
//! are rejected before the in-play delay. Must not be the only check: the value may be old, so the store checks again
//! in the transaction of each bet.

use kvota_store::BettingPause;
use std::sync::atomic::{AtomicBool, Ordering};

/// The value read last; not paused before the first read.
#[derive(Default)]
pub(super) struct Pause {
    is_paused: AtomicBool,
}

impl Pause {
    /// Whether orders must be rejected.
    pub(super) fn holds(&self) -> bool {
        self.is_paused.load(Ordering::Relaxed)
    }

    /// Reads the store. If it is unavailable, the former value stays. No bet can then be placed in any case.
    pub(super) async fn read(&self, store: &dyn BettingPause) {
        let is_paused = match store.paused_since().await {
            Ok(since) => since.is_some(),
            Err(error) => return tracing::debug!(%error, "cannot read whether betting is paused: {error}"),
        };
        metrics::gauge!("kvota_betting_paused").set(f64::from(u8::from(is_paused)));
        match (self.is_paused.swap(is_paused, Ordering::Relaxed), is_paused) {
            (false, true) => tracing::warn!("betting is paused by an operator"),
            (true, false) => tracing::info!("betting is open again"),
            _ => {}
        }
    }
}
