//! Shutdown of placing: new orders are rejected, running ones may finish, and those that take much longer than their
//! delay are cancelled. Used by the placement only. Must not use up the key of a cancelled order, and must not cancel a
//! bet that is being written.

use super::running::Running;
use crate::betting::limits::{PLACEMENTS_DRAIN_MS_BEYOND_DELAY, PLACEMENTS_WRITING_MS_MAX};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

/// The phases of the shutdown, in order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Phase {
    /// Orders are accepted.
    Open,
    /// No new orders; running ones may finish.
    Finishing,
    /// No new orders. Orders in their delay are cancelled; bets that are being written may still finish.
    LettingGo,
}

/// The error of a delay that the shutdown cancelled.
#[derive(Clone, Copy, Debug)]
pub(super) struct LetGo;

/// The shutdown phase, shared with the orders in their delay.
#[derive(Debug)]
pub(super) struct Closing(watch::Sender<Phase>);

impl Default for Closing {
    fn default() -> Closing {
        Closing(watch::Sender::new(Phase::Open))
    }
}

impl Closing {
    /// The current phase.
    pub(super) fn phase(&self) -> Phase {
        *self.0.borrow()
    }

    /// Sleeps, for example for the in-play delay of an order.
    ///
    /// # Errors
    /// [`LetGo`] if the shutdown cancels it.
    pub(super) async fn sleep(&self, delay: Duration) -> Result<(), LetGo> {
        let mut phase = self.0.subscribe();
        tokio::select! {
            biased;
            _ = phase.wait_for(|phase| *phase == Phase::LettingGo) => Err(LetGo),
            () = sleep(delay) => Ok(()),
        }
    }

    /// Ends placing. Returns when no order is running, at the latest 3.75 s after the longest delay.
    pub(super) async fn close(&self, running: &Running, longest_delay: Duration) {
        self.0.send_replace(Phase::Finishing);
        let limit = longest_delay + Duration::from_millis(PLACEMENTS_DRAIN_MS_BEYOND_DELAY);
        if timeout(limit, running.until_none()).await.is_ok() {
            return;
        }
        tracing::info!(orders = running.count(), "letting go of bets that are still in their delay");
        self.0.send_replace(Phase::LettingGo);
        if timeout(Duration::from_millis(PLACEMENTS_WRITING_MS_MAX), running.until_none()).await.is_err() {
            tracing::warn!(
                orders = running.count(),
                "bets are still being written: asking again with their keys settles them"
            );
        }
    }
}
