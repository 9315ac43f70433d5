//! Cashes bets out (CONTRACT 8): idempotency key, first validation, in-play delay, last validation, one transaction, as
//! for placing. Called by `http/account/cash_out.rs` and by the rules of bets.
//!
//! Must not compute what is paid: the store does, with its own results, in the transaction that locks the bet.

use super::keys::{KeyClaim, Stopped};
use super::{Inner, PlacementAnswer, Placements};
use kvota_domain::bet::{BetState, CashOutOffer, CashOutReason, CashOutRule, StoredBet, present_odd};
use kvota_domain::ids::{MatchId, SportId};
use kvota_domain::money::Money;
use kvota_domain::settlement::CashOutShare;
use kvota_domain::ticket::CannotBet;
use kvota_read_model::{MatchObserver, ObserverGuard, OfferSnapshot};
use kvota_store::{
    AccountId, Answer, CashOutDone, CashOutKey, CashOutObstacle, CashOutOrder, CashOutOrigin, CashOutReceipt,
    IdempotencyKey, KeepRefusal, Kept, KeyPurpose, RuleSet, StoreError, TicketId,
};
use kvota_wire::cash_out::CashOutRequest;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::Instant;

/// How long a cash-out waits for the settlement of a result that has just arrived.
const SETTLEMENT_WAIT: Duration = Duration::from_secs(2);
const SETTLEMENT_CHECK_EVERY: Duration = Duration::from_millis(50);

/// A call that is to cash a bet out.
#[derive(Clone)]
pub struct CashOutCall {
    /// The account of the bettor.
    pub account: AccountId,
    /// The idempotency key of the call.
    pub key: IdempotencyKey,
    /// The digest of the ticket's id and of the canonical body.
    pub digest: [u8; 32],
    /// The bet.
    pub ticket_id: TicketId,
    /// The request in the body; `None` if the body is malformed.
    pub request: Option<CashOutRequest>,
    /// Writes the bodies of answers.
    pub bodies: Arc<dyn CashOutBodies>,
    /// The id of the request, for the log.
    pub request_id: Arc<str>,
}

/// Writes the bodies of answers in the language of the request. Must not wait or panic.
pub trait CashOutBodies: Send + Sync + 'static {
    /// The body of a 400.
    fn rejected(&self, reason: CashOutReason) -> Vec<u8>;

    /// The body of the 200. Called inside the transaction.
    fn done(&self, ticket_id: &TicketId, share: CashOutShare, receipt: &CashOutReceipt) -> Vec<u8>;
}

/// Observes the matches of one bet during the delay, and keeps the first reason why an undecided pair could not be bet on.
struct DelayObserver {
    bet: StoredBet,
    reason: Mutex<Option<CashOutReason>>,
}

impl DelayObserver {
    fn reason(&self) -> Option<CashOutReason> {
        *self.lock()
    }

    fn lock(&self) -> MutexGuard<'_, Option<CashOutReason>> {
        self.reason.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl MatchObserver for DelayObserver {
    fn on_change(&self, what: Option<MatchId>, snapshot: &OfferSnapshot) {
        let undecided = undecided(&self.bet).filter(|pair| what.is_none_or(|id| pair.match_id == id));
        for pair in undecided {
            match present_odd(pair, snapshot) {
                // A result decides the pair, or the whole bet, which the store finds out.
                Ok(_) | Err(CannotBet::MarketSettled) => {}
                Err(reason) => {
                    self.lock().get_or_insert(CashOutReason::Pair(reason).of_call());
                }
            }
        }
    }
}

fn undecided(bet: &StoredBet) -> impl Iterator<Item = &kvota_store::BetPair> {
    bet.bet.pairs.iter().zip(&bet.results).filter(|(_, stored)| !stored.result.is_decided()).map(|(pair, _)| pair)
}

fn sports(bet: &StoredBet) -> Vec<SportId> {
    undecided(bet).map(|pair| pair.sport_id).collect()
}

fn matches(bet: &StoredBet) -> Vec<MatchId> {
    undecided(bet).map(|pair| pair.match_id).collect()
}

/// A bet after the delay of its cash-out, before it is read again.
enum Waited {
    /// It was not open: there was no delay.
    NotOpen(Box<StoredBet>),
    /// Its matches are observed as long as this exists.
    Open { account: AccountId, ticket_id: TicketId, observer: Arc<DelayObserver>, _guard: ObserverGuard },
}

/// How the delay of a cash-out ended.
enum Delayed {
    /// It may be executed: the bet, and its offer after the delay.
    Due(Box<StoredBet>, CashOutOffer),
    /// It must not be.
    Rejected(CashOutReason),
    /// The bet does not exist any more for this account.
    NoTicket,
}

impl Placements {
    /// Cashes a bet out. A call with the same key and body as a running one waits for its answer.
    pub async fn cash_out(&self, call: CashOutCall) -> PlacementAnswer {
        let claim = KeyClaim {
            account: call.account,
            key: call.key,
            digest: call.digest,
            request_id: Arc::clone(&call.request_id),
        };
        let inner = Arc::clone(&self.0);
        self.0.keys.once(claim, async move { inner.decide_cash_out(&call).await }).await
    }

    /// The cash-out that is available for a bet now.
    pub fn cash_out_offer(&self, bet: &StoredBet) -> CashOutOffer {
        if self.0.pause.holds() && bet.state == BetState::Open {
            return CashOutOffer::none(CashOutReason::NotBettable);
        }
        CashOutOffer::of(bet, &*self.0.model, &self.0.betting.cash_out)
    }

    /// Sets the rule of a bet, or removes it.
    ///
    /// # Errors
    /// The store failed.
    pub async fn set_cash_out_rule(
        &self,
        account: AccountId,
        ticket: &TicketId,
        rule: Option<CashOutRule>,
    ) -> Result<RuleSet, StoreError> {
        let set = self.0.stores.cash_outs.set_cash_out_rule(account, ticket, rule).await?;
        if let RuleSet::Set(Some(event)) = &set {
            self.0.events.publish([&**event]);
        }
        Ok(set)
    }

    /// Cashes a bet out by the rule that it has after the delay. Returns whether something was paid; otherwise the rule stays.
    /// Uses the store only with one of the places of `store_calls`.
    ///
    /// # Errors
    /// The store failed.
    pub async fn cash_out_by_rule(&self, bet: StoredBet, store_calls: &Semaphore) -> Result<bool, StoreError> {
        match self.0.cash_out_by_rule(bet, store_calls).await {
            Ok(is_paid) => Ok(is_paid),
            Err(Stopped::Store(error)) => Err(error),
            Err(Stopped::Closing | Stopped::NoSnapshot | Stopped::Bug(_)) => Ok(false),
        }
    }
}

impl Inner {
    async fn decide_cash_out(&self, call: &CashOutCall) -> Result<PlacementAnswer, Stopped> {
        let Some(request) = call.request else { return Ok(rejected(call, CashOutReason::Malformed)) };
        let Some(bet) = self.stores.bets.ticket(call.account, &call.ticket_id).await? else {
            return Ok(PlacementAnswer::NoTicket);
        };
        let net_min = (!request.accepts_lower).then_some(request.net);
        if bet.state == BetState::CashedOut {
            return Ok(rejected(call, CashOutReason::NotOpen));
        }
        let (bet, offer) = self.with_stored_results(bet).await?;
        if bet.state == BetState::Open
            && let Some(reason) = self.obstacle(&bet, &offer, request.share, net_min)
        {
            return Ok(rejected(call, reason));
        }
        let waited = self.begin_delay(bet).await?;
        let (bet, offer) = match self.end_delay(waited).await? {
            Delayed::Due(bet, offer) => (bet, offer),
            Delayed::Rejected(reason) => return self.keep_cash_out_refusal(call, reason).await,
            Delayed::NoTicket => return Ok(PlacementAnswer::NoTicket),
        };
        let answer = {
            let (bodies, ticket_id) = (Arc::clone(&call.bodies), call.ticket_id.clone());
            Arc::new(move |receipt: &CashOutReceipt| bodies.done(&ticket_id, request.share, receipt))
        };
        let key = CashOutKey { key: call.key, digest: call.digest };
        let origin = CashOutOrigin::Call { key, answer };
        match self.execute(&bet, offer, origin, request.share, net_min).await? {
            CashOutDone::Answered { answer, event } => {
                if let Some(event) = event {
                    self.events.publish([&*event]);
                }
                metrics::counter!("kvota_cash_outs_total", "by" => "call").increment(1);
                tracing::info!(
                    account.id = %call.account,
                    ticket.id = %call.ticket_id,
                    request.id = %call.request_id,
                    "bet {} cashed out, share {}", call.ticket_id, request.share
                );
                Ok(PlacementAnswer::Answer(answer))
            }
            CashOutDone::Replayed(answer) => Ok(PlacementAnswer::Answer(answer)),
            CashOutDone::KeyConflict => Ok(PlacementAnswer::Conflict),
            CashOutDone::NoTicket => Ok(PlacementAnswer::NoTicket),
            CashOutDone::Rejected(obstacle) => self.keep_cash_out_refusal(call, reason_of(obstacle)).await,
            CashOutDone::ByRule(_) => Err(Stopped::Bug("a call is no rule")),
        }
    }

    async fn cash_out_by_rule(&self, bet: StoredBet, store_calls: &Semaphore) -> Result<bool, Stopped> {
        let waiting = self.begin_delay(bet).await?;
        // The semaphore is never closed.
        let _place = store_calls.acquire().await;
        let (bet, offer) = match self.end_delay(waiting).await? {
            Delayed::Due(bet, offer) => (bet, offer),
            Delayed::Rejected(_) | Delayed::NoTicket => return Ok(false),
        };
        // The bettor may have changed the rule during the delay. The transaction reads it once more.
        let net = offer.value.map(|value| value.net);
        let is_enough = |rule: CashOutRule| net.is_some_and(|net| net >= rule.at_least);
        if bet.state == BetState::Open && !bet.cash_out_rule.is_some_and(is_enough) {
            return Ok(false);
        }
        match self.execute(&bet, offer, CashOutOrigin::Rule, CashOutShare::WHOLE, None).await? {
            CashOutDone::ByRule(event) => {
                self.events.publish([&*event]);
                metrics::counter!("kvota_cash_outs_total", "by" => "rule").increment(1);
                tracing::info!(account.id = %bet.account, ticket.id = %bet.ticket_id, "bet {} cashed out by its rule", bet.ticket_id);
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    async fn execute(
        &self,
        bet: &StoredBet,
        offer: CashOutOffer,
        origin: CashOutOrigin,
        share: CashOutShare,
        net_min: Option<Money>,
    ) -> Result<CashOutDone, Stopped> {
        let order = CashOutOrder {
            account: bet.account,
            ticket_id: bet.ticket_id.clone(),
            origin,
            share,
            odds_now: offer.odds_now,
            rules: self.betting.cash_out,
            rest_min: self.betting.rules.limits.min_stake,
            net_min,
            now_ms: (self.now_ms)(),
        };
        Ok(self.stores.cash_outs.cash_out(order).await?)
    }

    /// A bet with its offer. If the settlement of a pair's result is not stored yet, waits for it: the bet is then settled,
    /// or its pair decided (CONTRACT 8).
    async fn with_stored_results(&self, mut bet: StoredBet) -> Result<(StoredBet, CashOutOffer), Stopped> {
        let until = Instant::now() + SETTLEMENT_WAIT;
        loop {
            if bet.state != BetState::Open {
                return Ok((bet, CashOutOffer::none(CashOutReason::NotOpen)));
            }
            let offer = self.offer_of(&bet).await?;
            let is_waiting = offer.reasons.contains(&CashOutReason::Pair(CannotBet::MarketSettled));
            if !is_waiting || Instant::now() >= until {
                return Ok((bet, offer));
            }
            self.keys.closing.sleep(SETTLEMENT_CHECK_EVERY).await.map_err(|_| Stopped::Closing)?;
            match self.stores.bets.ticket(bet.account, &bet.ticket_id).await? {
                Some(stored) => bet = stored,
                None => return Ok((bet, offer)),
            }
        }
    }

    /// The cash-out that is available for a bet, at one revision of the offer.
    async fn offer_of(&self, bet: &StoredBet) -> Result<CashOutOffer, Stopped> {
        let snapshot = self.snapshot_of(matches(bet)).await?;
        Ok(CashOutOffer::of(bet, &snapshot, &self.betting.cash_out))
    }

    /// Why a share of a bet cannot be cashed out now.
    fn obstacle(
        &self,
        bet: &StoredBet,
        offer: &CashOutOffer,
        share: CashOutShare,
        net_min: Option<Money>,
    ) -> Option<CashOutReason> {
        if self.pause.holds() {
            return Some(CashOutReason::NotBettable);
        }
        let Some(value) = &offer.value else { return offer.reasons.first().map(|reason| reason.of_call()) };
        if net_min.is_some_and(|net_min| value.net < net_min) {
            return Some(CashOutReason::ValueChanged);
        }
        let terms = bet.terms()?;
        let payment = kvota_domain::settlement::cash_out(&terms, value, share);
        payment.is_too_small(self.betting.rules.limits.min_stake).then_some(CashOutReason::BelowMinimum)
    }

    /// Waits for the in-play delay of the slowest undecided pair, and observes the offer meanwhile.
    async fn begin_delay(&self, bet: StoredBet) -> Result<Waited, Stopped> {
        if bet.state != BetState::Open {
            return Ok(Waited::NotOpen(Box::new(bet)));
        }
        let (account, ticket_id) = (bet.account, bet.ticket_id.clone());
        let (ids, sports) = (matches(&bet), sports(&bet));
        let observer = Arc::new(DelayObserver { bet, reason: Mutex::default() });
        let guard = self.model.watch(ids.clone(), Arc::clone(&observer) as Arc<dyn MatchObserver>);
        // For changes between the first validation and the start of the observation.
        observer.on_change(None, &self.snapshot_of(ids).await?);
        let delay = Duration::from_secs(self.betting.delays.slowest(sports).into());
        self.keys.closing.sleep(delay).await.map_err(|_| Stopped::Closing)?;
        Ok(Waited::Open { account, ticket_id, observer, _guard: guard })
    }

    /// Reads the bet and its offer again after the delay. The observation goes on until then.
    async fn end_delay(&self, waited: Waited) -> Result<Delayed, Stopped> {
        let (account, ticket_id, observer, _guard) = match waited {
            Waited::NotOpen(bet) => return Ok(Delayed::Due(bet, CashOutOffer::none(CashOutReason::NotOpen))),
            Waited::Open { account, ticket_id, observer, _guard } => (account, ticket_id, observer, _guard),
        };
        let Some(bet) = self.stores.bets.ticket(account, &ticket_id).await? else { return Ok(Delayed::NoTicket) };
        if bet.state != BetState::Open {
            return Ok(Delayed::Due(Box::new(bet), CashOutOffer::none(CashOutReason::NotOpen)));
        }
        let offer = self.offer_of(&bet).await?;
        let is_paused = self.pause.holds().then_some(CashOutReason::NotBettable);
        match observer.reason().or(is_paused) {
            Some(reason) => Ok(Delayed::Rejected(reason)),
            None => Ok(match offer.reasons.first() {
                // The store knows the result already.
                None | Some(CashOutReason::Pair(CannotBet::MarketSettled)) => Delayed::Due(Box::new(bet), offer),
                Some(reason) => Delayed::Rejected(reason.of_call()),
            }),
        }
    }

    /// Stores a rejection. After the delay a rejection uses up the key.
    async fn keep_cash_out_refusal(
        &self,
        call: &CashOutCall,
        reason: CashOutReason,
    ) -> Result<PlacementAnswer, Stopped> {
        let PlacementAnswer::Answer(answer) = rejected(call, reason) else {
            return Err(Stopped::Bug("a rejection is an answer"));
        };
        let kept = KeepRefusal {
            account: call.account,
            key: call.key,
            digest: call.digest,
            answer: answer.clone(),
            purpose: KeyPurpose::CashOut,
            now_ms: (self.now_ms)(),
        };
        Ok(match self.stores.bets.keep_refusal(kept).await? {
            Kept::Kept => PlacementAnswer::Answer(answer),
            Kept::Replayed(answer) => PlacementAnswer::Answer(answer),
            Kept::KeyConflict => PlacementAnswer::Conflict,
        })
    }
}

fn rejected(call: &CashOutCall, reason: CashOutReason) -> PlacementAnswer {
    metrics::counter!("kvota_cash_outs_refused_total", "reason" => reason.code()).increment(1);
    PlacementAnswer::Answer(Answer { status: 400, body: call.bodies.rejected(reason) })
}

const fn reason_of(obstacle: CashOutObstacle) -> CashOutReason {
    match obstacle {
        CashOutObstacle::NotOpen | CashOutObstacle::NoRule => CashOutReason::NotOpen,
        CashOutObstacle::NotBettable => CashOutReason::NotBettable,
        CashOutObstacle::ValueChanged => CashOutReason::ValueChanged,
        CashOutObstacle::BelowMinimum => CashOutReason::BelowMinimum,
    }
}
