//! Runs calls with the same idempotency key one at a time, on all nodes together. While one runs, the others wait for
//! its answer; later ones get the stored answer, if there is one. Used for bets and cash-outs. Must not decide what a
//! call does.

use super::drain::Phase;
use super::running::Reservation;
use super::{Inner, Order, PlacementAnswer, Placements};
use crate::betting::limits::PLACEMENTS_PER_ACCOUNT_MAX;
use kvota_store::nodes::OrderSlot;
use kvota_store::{AccountId, IdempotencyKey, KeyRecord, StoreError};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// After how long a call first checks again whether a call with the same key on another node has ended. The wait doubles up
/// to `RUNS_ELSEWHERE_MAX`: after the end of a node many calls may wait for some seconds.
const END_AGAIN_AFTER: Duration = Duration::from_millis(500);
const RUNS_ELSEWHERE_FIRST: Duration = Duration::from_millis(100);
const RUNS_ELSEWHERE_MAX: Duration = Duration::from_millis(500);
/// An order is reserved in the store for at most the longest delay plus this. So the reservation of a node that died
/// expires.
const ORDER_LASTS_BEYOND_DELAY: Duration = Duration::from_secs(60);

/// The idempotency key of a call, and the digest of its body.
#[derive(Clone)]
pub(super) struct KeyClaim {
    pub(super) account: AccountId,
    pub(super) key: IdempotencyKey,
    pub(super) digest: [u8; 32],
    pub(super) request_id: Arc<str>,
}

impl KeyClaim {
    pub(super) fn of(order: &Order) -> KeyClaim {
        let request_id = Arc::clone(&order.request_id);
        KeyClaim { account: order.account, key: order.key, digest: order.digest, request_id }
    }

    /// The answer of an earlier call with this key: a conflict if that call had another body.
    fn answer_of(&self, record: KeyRecord) -> PlacementAnswer {
        if record.digest == self.digest { PlacementAnswer::Answer(record.answer) } else { PlacementAnswer::Conflict }
    }
}

/// Why a call ended without accepting or rejecting its request.
pub(super) enum Stopped {
    /// The store failed.
    Store(StoreError),
    /// The server shuts down.
    Closing,
    /// The offer changed during every attempt to take a snapshot.
    NoSnapshot,
    /// A bug, described for the log.
    Bug(&'static str),
}

impl From<StoreError> for Stopped {
    fn from(error: StoreError) -> Stopped {
        Stopped::Store(error)
    }
}

impl Placements {
    /// Runs a call as its own task, unless a call with the same key is running on this node: then waits for that one.
    #[expect(clippy::disallowed_methods, reason = "dropping its reservation answers all who wait, also after a panic")]
    pub(super) async fn once<R>(&self, claim: KeyClaim, run: impl FnOnce(Arc<Inner>) -> R) -> PlacementAnswer
    where
        R: Future<Output = PlacementAnswer> + Send + 'static,
    {
        loop {
            if self.0.closing.phase() != Phase::Open {
                return PlacementAnswer::Unavailable;
            }
            let taken = self.0.running.reserve((claim.account, claim.key), claim.digest, PLACEMENTS_PER_ACCOUNT_MAX);
            match taken {
                Reservation::Taken { digest, answer } => {
                    let answer = answer.wait().await;
                    if digest == claim.digest {
                        return answer;
                    }
                }
                Reservation::NoneLeft => return self.0.stored_or_too_many(&claim).await,
                Reservation::Free { reservation, answer } => {
                    let running = run(Arc::clone(&self.0));
                    let run = async move {
                        let outcome = running.await;
                        reservation.answer(outcome);
                    };
                    match &self.0.runs_on {
                        Some(handle) => drop(handle.spawn(run)),
                        None => drop(tokio::spawn(run)),
                    }
                    return answer.wait().await;
                }
            }
        }
    }
}

impl Inner {
    /// Converts the result of a call into its answer. Logs failures.
    pub(super) fn answer(&self, claim: &KeyClaim, ended: Result<PlacementAnswer, Stopped>) -> PlacementAnswer {
        match ended {
            Ok(answer) => answer,
            Err(Stopped::Closing) => PlacementAnswer::Unavailable,
            Err(Stopped::NoSnapshot) => {
                metrics::counter!("kvota_bets_without_snapshot_total").increment(1);
                tracing::error!(account.id = %claim.account, "no snapshot of the offer for a bet: a change did not end");
                PlacementAnswer::Unavailable
            }
            Err(Stopped::Store(error @ StoreError::Unavailable { .. })) => {
                tracing::warn!(account.id = %claim.account, request.id = %claim.request_id, error = %error, "a bet could not be placed: {error}");
                PlacementAnswer::Unavailable
            }
            Err(Stopped::Store(error @ StoreError::Corrupt { .. })) => {
                tracing::error!(account.id = %claim.account, request.id = %claim.request_id, error = %error, "a bet failed: {error}");
                PlacementAnswer::Failed
            }
            Err(Stopped::Bug(what)) => {
                tracing::error!(account.id = %claim.account, request.id = %claim.request_id, "a bet failed: {what}");
                PlacementAnswer::Failed
            }
        }
    }

    /// The stored answer of a key, although the account has no place left for an order.
    async fn stored_or_too_many(&self, claim: &KeyClaim) -> PlacementAnswer {
        let found = self.stores.bets.find_key(claim.account, claim.key).await;
        let ended = found.map(|record| record.map_or(PlacementAnswer::TooMany, |record| claim.answer_of(record)));
        self.answer(claim, ended.map_err(Stopped::Store))
    }

    /// Runs a call unless its key has a stored answer. Waits while another node runs a call with the same key.
    pub(super) async fn claimed(
        &self,
        claim: &KeyClaim,
        run: impl Future<Output = Result<PlacementAnswer, Stopped>> + Send,
    ) -> Result<PlacementAnswer, Stopped> {
        let lasts = ORDER_LASTS_BEYOND_DELAY + Duration::from_secs(self.betting.delays.longest().into());
        let limits = &self.stores.shared_limits;
        let mut wait = RUNS_ELSEWHERE_FIRST;
        loop {
            match limits.begin_order(claim.account, claim.key, PLACEMENTS_PER_ACCOUNT_MAX, lasts).await? {
                OrderSlot::Answered(record) => return Ok(claim.answer_of(record)),
                OrderSlot::Reserved => break,
                OrderSlot::NoneLeft => return Ok(PlacementAnswer::TooMany),
                // If that node dies, its reservation expires, and this call runs.
                OrderSlot::RunsElsewhere => {
                    self.closing.sleep(wait).await.map_err(|_| Stopped::Closing)?;
                    wait = (wait * 2).min(RUNS_ELSEWHERE_MAX);
                }
            }
        }
        let decided = run.await;
        if let Err(error) = limits.end_order(claim.account, claim.key).await {
            tracing::warn!(account.id = %claim.account, "an order counts as running until its end can be stored: {error}");
            self.end_later(claim, lasts);
        }
        decided
    }

    /// Ends an order as soon as the store answers again, so that its key can be repeated on any node.
    #[expect(clippy::disallowed_methods, reason = "ends when the order is ended or does not count any more")]
    fn end_later(&self, claim: &KeyClaim, lasts: Duration) {
        let (limits, account, key) = (Arc::clone(&self.stores.shared_limits), claim.account, claim.key);
        let until = Instant::now() + lasts;
        tokio::spawn(async move {
            while Instant::now() < until {
                tokio::time::sleep(END_AGAIN_AFTER).await;
                if limits.end_order(account, key).await.is_ok() {
                    return;
                }
            }
        });
    }
}
