//! Whether bets are being placed on this node. While they are, settlement takes small batches, so that a bet never waits
//! long for a batch. Must not decide which bets are settled.

use super::settlement::SettleScope;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::time::Instant;

/// Bets in a batch while bets are being placed: a few milliseconds on either database.
const BETS_BESIDE_PLACING_MAX: u32 = 8;
/// Bets count as being placed for this long after the last one.
const PLACING_LASTS: Duration = Duration::from_millis(250);

/// When the last bet was placed. A clone shares it.
#[derive(Clone, Debug)]
pub(super) struct PlacingActivity {
    began: Instant,
    /// Milliseconds from `began` to the last bet, plus 1; 0 before the first.
    last: Arc<AtomicU64>,
}

impl Default for PlacingActivity {
    fn default() -> PlacingActivity {
        PlacingActivity { began: Instant::now(), last: Arc::default() }
    }
}

impl PlacingActivity {
    /// A bet is being placed.
    pub(super) fn note(&self) {
        self.last.store(self.now(), Ordering::Relaxed);
    }

    /// The scope with the number of bets that may be settled at once now.
    pub(super) fn limit(&self, scope: SettleScope) -> SettleScope {
        self.limit_at(scope, self.now())
    }

    fn limit_at(&self, scope: SettleScope, now: u64) -> SettleScope {
        let last = self.last.load(Ordering::Relaxed);
        let is_placing = last > 0 && u128::from(now.saturating_sub(last)) < PLACING_LASTS.as_millis();
        match scope {
            SettleScope::Next { bets_max } if is_placing => {
                SettleScope::Next { bets_max: bets_max.min(BETS_BESIDE_PLACING_MAX) }
            }
            other => other,
        }
    }

    fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX).saturating_add(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_small_while_bets_are_placed() {
        let activity = PlacingActivity::default();
        let at_once = |now| match activity.limit_at(SettleScope::Next { bets_max: 200 }, now) {
            SettleScope::Next { bets_max } => bets_max,
            SettleScope::Accounts(_) => panic!("the same kind of scope"),
        };
        assert_eq!(at_once(1), 200, "before the first bet");
        activity.last.store(1_000, Ordering::Relaxed);
        assert_eq!([1_000, 1_249, 1_250, 9_000].map(at_once), [8, 8, 200, 200]);
    }
}
