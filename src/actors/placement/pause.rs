//! Whether an operator has paused betting, as this node read it last. The node reads it every second, so that most
//! bettors learn of a pause before the in-play delay. The store checks it again in the transaction of each bet.

use crate::store::BettingPause;
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

    /// Reads the store. If it is unavailable, the former value stays: placing a bet needs the same store anyway.
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
