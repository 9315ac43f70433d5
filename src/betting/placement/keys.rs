//! Runs calls with the same idempotency key one at a time, on all nodes together. While one runs, the others wait for
//! its answer; later ones get the stored answer, if there is one. Used for bets and cash-outs. Must not decide what a
//! call does.

use super::drain::{Closing, Phase};
use super::running::{PlacementAnswer, Reservation, Running};
use crate::betting::limits::PLACEMENTS_PER_ACCOUNT_MAX;
use kvota_store::nodes::OrderSlot;
use kvota_store::{AccountId, IdempotencyKey, KeyRecord, StoreError, Stores};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;
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

/// Runs calls by their idempotency keys, one at a time for each key.
pub(super) struct Idempotency {
    stores: Stores,
    runs_on: Option<Handle>,
    /// How long a call may run: the reservation of a node that died expires then.
    lasts: Duration,
    running: Running,
    pub(super) closing: Closing,
}

impl Idempotency {
    /// Calls run on `runs_on`, or on the runtime of the caller. `longest_delay` is the longest wait within a call.
    pub(super) fn new(stores: Stores, runs_on: Option<Handle>, longest_delay: Duration) -> Idempotency {
        let lasts = ORDER_LASTS_BEYOND_DELAY + longest_delay;
        Idempotency { stores, runs_on, lasts, running: Running::default(), closing: Closing::default() }
    }

    /// The number of running calls.
    pub(super) fn running(&self) -> usize {
        self.running.count()
    }

    /// Rejects new calls, and waits until the running ones have ended.
    pub(super) async fn drain(&self, longest_delay: Duration) {
        self.closing.close(&self.running, longest_delay).await;
    }

    /// Runs a call as its own task, unless a call with the same key is running on this node: then waits for that one.
    #[expect(clippy::disallowed_methods, reason = "dropping its reservation answers all who wait, also after a panic")]
    pub(super) async fn once(
        self: &Arc<Self>,
        claim: KeyClaim,
        call: impl Future<Output = Result<PlacementAnswer, Stopped>> + Send + 'static,
    ) -> PlacementAnswer {
        loop {
            if self.closing.phase() != Phase::Open {
                return PlacementAnswer::Unavailable;
            }
            match self.running.reserve((claim.account, claim.key), claim.digest, PLACEMENTS_PER_ACCOUNT_MAX) {
                Reservation::Taken { digest, answer } => {
                    let answer = answer.wait().await;
                    if digest == claim.digest {
                        return answer;
                    }
                }
                Reservation::NoneLeft => return self.stored_or_too_many(&claim).await,
                Reservation::Free { reservation, answer } => {
                    let keys = Arc::clone(self);
                    let run = async move {
                        let ended = keys.claimed(&claim, call).await;
                        reservation.answer(answer_of(&claim, ended));
                    };
                    match &self.runs_on {
                        Some(handle) => drop(handle.spawn(run)),
                        None => drop(tokio::spawn(run)),
                    }
                    return answer.wait().await;
                }
            }
        }
    }

    /// The stored answer of a key, although the account has no place left for an order.
    async fn stored_or_too_many(&self, claim: &KeyClaim) -> PlacementAnswer {
        let found = self.stores.bets.find_key(claim.account, claim.key).await;
        let ended = found.map(|record| record.map_or(PlacementAnswer::TooMany, |record| claim.answer_of(record)));
        answer_of(claim, ended.map_err(Stopped::Store))
    }

    /// Runs a call unless its key has a stored answer. Waits while another node runs a call with the same key.
    async fn claimed(
        &self,
        claim: &KeyClaim,
        call: impl Future<Output = Result<PlacementAnswer, Stopped>> + Send,
    ) -> Result<PlacementAnswer, Stopped> {
        let limits = &self.stores.shared_limits;
        let mut wait = RUNS_ELSEWHERE_FIRST;
        loop {
            match limits.begin_order(claim.account, claim.key, PLACEMENTS_PER_ACCOUNT_MAX, self.lasts).await? {
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
        let decided = call.await;
        if let Err(error) = limits.end_order(claim.account, claim.key).await {
            tracing::warn!(account.id = %claim.account, "an order counts as running until its end can be stored: {error}");
            self.end_later(claim);
        }
        decided
    }

    /// Ends an order as soon as the store answers again, so that its key can be repeated on any node.
    #[expect(clippy::disallowed_methods, reason = "ends when the order is ended or does not count any more")]
    fn end_later(&self, claim: &KeyClaim) {
        let (limits, account, key) = (Arc::clone(&self.stores.shared_limits), claim.account, claim.key);
        let until = Instant::now() + self.lasts;
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

/// Converts the result of a call into its answer. Logs failures.
fn answer_of(claim: &KeyClaim, ended: Result<PlacementAnswer, Stopped>) -> PlacementAnswer {
    let (account, request) = (claim.account, &claim.request_id);
    match ended {
        Ok(answer) => answer,
        Err(Stopped::Closing) => PlacementAnswer::Unavailable,
        Err(Stopped::NoSnapshot) => {
            metrics::counter!("kvota_bets_without_snapshot_total").increment(1);
            tracing::error!(account.id = %account, "no snapshot of the offer for a bet: a change did not end");
            PlacementAnswer::Unavailable
        }
        Err(Stopped::Store(error @ StoreError::Unavailable { .. })) => {
            tracing::warn!(account.id = %account, request.id = %request, error = %error, "a bet could not be placed: {error}");
            PlacementAnswer::Unavailable
        }
        Err(Stopped::Store(error @ StoreError::Corrupt { .. })) => {
            tracing::error!(account.id = %account, request.id = %request, error = %error, "a bet failed: {error}");
            PlacementAnswer::Failed
        }
        Err(Stopped::Bug(what)) => {
            tracing::error!(account.id = %account, request.id = %request, "a bet failed: {what}");
            PlacementAnswer::Failed
        }
    }
}
