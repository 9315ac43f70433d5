//! How placing ends with the server: new orders are not taken, those in their delay may finish it within a limit, and
//! the rest are let go, their keys not used up. Used by the placement alone.

use super::running::Running;
use crate::domain::limits::PLACEMENTS_DRAIN_MS_MAX;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

/// Whether orders are taken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Phase {
    /// Yes.
    Open,
    /// No; those that run may finish.
    Finishing,
    /// No, and those in their delay are let go. What is being written is still waited for.
    LettingGo,
}

/// The delay was cut short.
#[derive(Clone, Copy, Debug)]
pub(super) struct LetGo;

/// Says how far the end has come.
#[derive(Debug)]
pub(super) struct Closing(watch::Sender<Phase>);

impl Default for Closing {
    fn default() -> Closing {
        Closing(watch::Sender::new(Phase::Open))
    }
}

impl Closing {
    /// How far it has come.
    pub(super) fn phase(&self) -> Phase {
        *self.0.borrow()
    }

    /// Sleeps through a delay, unless it is let go.
    pub(super) async fn sleep(&self, delay: Duration) -> Result<(), LetGo> {
        let mut phase = self.0.subscribe();
        tokio::select! {
            biased;
            _ = phase.wait_for(|phase| *phase == Phase::LettingGo) => Err(LetGo),
            () = sleep(delay) => Ok(()),
        }
    }

    /// Ends placing: returns when no order runs, or when a store that does not answer has been waited for long enough.
    pub(super) async fn close(&self, running: &Running) {
        self.0.send_replace(Phase::Finishing);
        let limit = Duration::from_millis(PLACEMENTS_DRAIN_MS_MAX);
        if timeout(limit, running.until_none()).await.is_ok() {
            return;
        }
        tracing::info!(orders = running.count(), "letting go of bets that are still in their delay");
        self.0.send_replace(Phase::LettingGo);
        if timeout(limit / 4, running.until_none()).await.is_err() {
            tracing::warn!(
                orders = running.count(),
                "bets are still being written: asking again with their keys settles them"
            );
        }
    }
}
