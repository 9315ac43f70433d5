//! Measures how often open bets can be cashed out (CONTRACT 8): looks at all open bets, a page every few seconds, and sets
//! `kvota_cash_out_available_ratio` after each pass. Started by `server/mod.rs`.
//!
//! Must not slow down placing: one page is read at a time, whatever the number of bets.

use super::placement::Placements;
use kvota_store::{StoreError, Stores};
use std::time::Duration;

/// Bets in one page.
const BETS_A_PAGE: u32 = 500;
/// The pause between two pages.
const PAGE_EVERY: Duration = Duration::from_secs(5);

/// The bets of a pass so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pass {
    /// Bets that were looked at.
    pub bets: u64,
    /// Those that could be cashed out at that moment.
    pub available: u64,
    /// The number of the last bet; `None` at the end of the pass.
    pub after: Option<u64>,
}

impl Pass {
    /// The beginning of a pass.
    pub fn begin() -> Pass {
        Pass { after: Some(0), ..Pass::default() }
    }

    /// The share of bets that could be cashed out; `None` without any bet.
    pub fn ratio(&self) -> Option<f64> {
        (self.bets > 0).then(|| self.available as f64 / self.bets as f64)
    }

    /// Looks at the next page.
    ///
    /// # Errors
    /// The store failed; the same page may be tried again.
    pub async fn measure(&mut self, stores: &Stores, placements: &Placements) -> Result<(), StoreError> {
        let Some(after) = self.after else { return Ok(()) };
        let page = stores.cash_outs.open_bets(after, BETS_A_PAGE, false).await?;
        for bet in &page.bets {
            self.bets = self.bets.saturating_add(1);
            let is_available = placements.cash_out_offer(bet).value.is_some();
            self.available = self.available.saturating_add(is_available.into());
        }
        self.after = page.next;
        Ok(())
    }
}

/// Measures forever.
pub async fn measure(stores: Stores, placements: Placements) {
    let mut pass = Pass::begin();
    loop {
        if let Err(error) = pass.measure(&stores, &placements).await {
            tracing::debug!(%error, "cannot read open bets to see which could be cashed out: {error}");
        }
        if pass.after.is_none() {
            if let Some(ratio) = pass.ratio() {
                metrics::gauge!("kvota_cash_out_available_ratio").set(ratio);
            }
            pass = Pass::begin();
        }
        tokio::time::sleep(PAGE_EVERY).await;
    }
}
