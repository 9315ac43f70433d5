//! Places bets (CONTRACT 4, *Placing*; docs/life-of-a-bet.md explains the whole path): idempotency key, first
//! validation, in-play delay, last validation, one transaction. Called by `http/live/send_ticket.rs`; reads the offer,
//! writes the store. Must not stop a bet when its client disconnects, and must not place it twice.
//!
//! This is not an actor. Each order runs as its own task. Orders share only the table of running orders, and a bet is
//! validated on a snapshot of the offer that cannot change.
//!
//! Limit: `PLACEMENTS_PER_ACCOUNT_MAX` orders of one account at a time. If an order panics, its clients receive a 503,
//! which leaves open whether the bet was placed. A retry with the same key gets the outcome.
//!
//! **The serialisation point** of a bet is its last [`ReadModel::snapshot`]: the offer and the state of the feed at one
//! revision. It contains every earlier change; a change between it and the commit does not count. A change between the
//! first and the last snapshot can reject the bet even if it is undone before the last one, so `DelayObserver`
//! validates the bet at each such change.

mod cash_out;
mod delay_observer;
mod drain;
mod keys;
mod obstacles;
mod order;
mod pause;
mod records;
mod running;

pub use cash_out::{CashOutBodies, CashOutCall};
pub use order::{AcceptedBetFacts, AnswerBodies, Order};
pub use running::PlacementAnswer;

use crate::betting::bet_events::BetEvents;
use crate::betting::exclusion_register::PlayerRegister;
use delay_observer::DelayObserver;
use keys::{Idempotency, Stopped};
use kvota_domain::ids::MatchId;
use kvota_domain::settlement::CashOutTerms;
use kvota_domain::ticket::{
    AcceptedBet, AccountFacts, CannotBet, Checked, Delays, PlacingLimits, Rejection, Rules, SubmittedTicket, check,
    revalidate,
};
use kvota_read_model::{MatchObserver, OfferSnapshot, ReadModel};
use kvota_store::{AccountId, BetBasis, BetRules, KeepRefusal, Kept, KeyPurpose, PlaceBet, Placed, Stores};
use pause::Pause;
use records::{new_ticket_id, rejected, stored};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;

/// The configured rules, limits and delays of betting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Betting {
    /// Taxes and limits of a ticket.
    pub rules: Rules,
    /// The in-play delays, in seconds.
    pub delays: Delays,
    /// Limits of the open bets of one bettor.
    pub limits: PlacingLimits,
    /// Whether a void bet returns the stake tax as well (`betting.void_returns_stake_tax`).
    pub void_returns_stake_tax: bool,
    /// The rules of cash-outs (`betting.cash_out`).
    pub cash_out: CashOutTerms,
}

impl Default for Betting {
    fn default() -> Betting {
        Betting {
            rules: Rules::default(),
            delays: Delays::default(),
            limits: PlacingLimits::default(),
            void_returns_stake_tax: true,
            cash_out: CashOutTerms::default(),
        }
    }
}

/// Places bets. A clone shares everything.
#[derive(Clone)]
pub struct Placements(Arc<Inner>);

struct Inner {
    model: Arc<ReadModel>,
    stores: Stores,
    betting: Betting,
    register: PlayerRegister,
    now_ms: fn() -> i64,
    events: BetEvents,
    keys: Arc<Idempotency>,
    pause: Pause,
}

impl Placements {
    /// Orders run on `runs_on`, which must outlive the server's workers. If it is `None`, they run on the runtime of
    /// the caller. `now_ms` is the wall clock in ms since the epoch. Placed bets are published to `events`. No register of
    /// excluded players is asked.
    pub fn new(
        model: Arc<ReadModel>,
        stores: Stores,
        betting: Betting,
        now_ms: fn() -> i64,
        runs_on: Option<Handle>,
        events: BetEvents,
    ) -> Placements {
        Placements::with_register(model, stores, betting, PlayerRegister::default(), now_ms, runs_on, events)
    }

    /// Like [`Placements::new`], and asks a register of excluded players.
    pub fn with_register(
        model: Arc<ReadModel>,
        stores: Stores,
        betting: Betting,
        register: PlayerRegister,
        now_ms: fn() -> i64,
        runs_on: Option<Handle>,
        events: BetEvents,
    ) -> Placements {
        let longest_delay = Duration::from_secs(betting.delays.longest().into());
        let keys = Arc::new(Idempotency::new(stores.clone(), runs_on, longest_delay));
        let pause = Pause::default();
        Placements(Arc::new(Inner { model, stores, betting, register, now_ms, events, keys, pause }))
    }

    /// The configured rules, limits and delays of betting.
    pub fn betting(&self) -> &Betting {
        &self.0.betting
    }

    /// Places a bet. An order with the same key and body as a running one waits for the answer of that one. An order
    /// with the same key and another body waits until it is known whether the running one uses up the key.
    pub async fn place(&self, order: Order) -> PlacementAnswer {
        let inner = Arc::clone(&self.0);
        self.0.keys.once(order.claim(), async move { inner.decide(&order).await }).await
    }

    /// Reads from the store whether an operator has paused betting. Called every
    /// [`BETTING_PAUSE_EVERY_MS`](crate::betting::limits::BETTING_PAUSE_EVERY_MS).
    pub async fn read_pause(&self) {
        self.0.pause.read(&*self.0.stores.betting_pause).await;
    }

    /// Whether an operator has paused betting, as this node last read it.
    pub fn is_paused(&self) -> bool {
        self.0.pause.holds()
    }

    /// Rejects new orders with 503 and waits until the running ones are answered. An order that takes much longer than the
    /// longest delay gets a 503 and does not use up its key.
    pub async fn drain(&self) {
        self.0.keys.drain(self.longest_delay()).await;
    }

    /// The longest in-play delay of any sport.
    pub fn longest_delay(&self) -> Duration {
        Duration::from_secs(self.0.betting.delays.longest().into())
    }

    /// The number of running orders.
    pub fn running(&self) -> usize {
        self.0.keys.running()
    }
}

/// Counts a bet in its delay, until dropped.
struct Delayed;

impl Delayed {
    fn begin() -> Delayed {
        metrics::gauge!("kvota_bets_delayed").increment(1.0);
        Delayed
    }
}

impl Drop for Delayed {
    fn drop(&mut self) {
        metrics::gauge!("kvota_bets_delayed").decrement(1.0);
    }
}

impl Inner {
    /// Validates an order twice, with the delay in between, and places the bet.
    async fn decide(&self, order: &Order) -> Result<PlacementAnswer, Stopped> {
        let Some(ticket) = &order.ticket else { return Ok(rejected(order, Rejection::Malformed, [])) };
        if self.pause.holds() {
            return Ok(rejected(order, Rejection::BettingPaused, []));
        }
        if let Some(obstacle) = self.account_obstacle(order).await? {
            return Ok(rejected(order, obstacle, []));
        }
        let Betting { rules, delays, limits, .. } = &self.betting;

        let facts = self.facts(order.account, ticket).await?;
        let first = self.snapshot(ticket).await?;
        let checked = match check(ticket, &first, rules, &facts, limits) {
            Ok(checked) => checked,
            Err(rejection) => return Ok(rejected(order, rejection, [&first])),
        };

        let observer = Arc::new(DelayObserver::of(checked.clone()));
        let ids = ticket.pairs.iter().map(|pair| pair.match_id).collect();
        let _guard = self.model.watch(ids, Arc::clone(&observer) as Arc<dyn MatchObserver>);
        // For changes between the first snapshot and the start of the observation.
        observer.on_change(None, &self.snapshot(ticket).await?);

        let delay = Duration::from_secs(delays.slowest(checked.sports()).into());
        {
            let _counted = Delayed::begin();
            self.keys.closing.sleep(delay).await.map_err(|_| Stopped::Closing)?;
        }

        // A reality check may have fallen due meanwhile.
        if let Some(obstacle) = self.account_obstacle(order).await? {
            return self.keep_refusal(order, obstacle, [&first, &first]).await;
        }
        // The offer is read last: nothing is awaited between the snapshot and the validation.
        let facts = self.facts(order.account, ticket).await?;
        let last = self.snapshot(ticket).await?;
        let validated = revalidate(&checked, &last, rules, &facts, limits);
        match validated.and_then(|bet| observer.rejection().map_or(Ok(bet), Err)) {
            Ok(bet) => self.take(order, &checked, bet, [&last, &first]).await,
            Err(rejection) => self.keep_refusal(order, rejection, [&last, &first]).await,
        }
    }

    /// A snapshot of the ticket's matches at one revision of the offer.
    async fn snapshot(&self, ticket: &SubmittedTicket) -> Result<OfferSnapshot, Stopped> {
        self.snapshot_of(ticket.pairs.iter().map(|pair| pair.match_id).collect()).await
    }

    async fn snapshot_of(&self, ids: Vec<MatchId>) -> Result<OfferSnapshot, Stopped> {
        self.model.snapshot(&ids).await.ok_or(Stopped::NoSnapshot)
    }

    /// What the store knows of the account, for the validation.
    async fn facts(&self, account: AccountId, ticket: &SubmittedTicket) -> Result<AccountFacts, Stopped> {
        let mut matches: Vec<MatchId> = ticket.pairs.iter().map(|pair| pair.match_id).collect();
        // The ticket is not validated yet, so a match may be named twice.
        matches.sort_unstable();
        matches.dedup();
        matches.truncate(self.betting.rules.limits.max_pairs);
        let facts = self.stores.bets.facts(account, &matches, self.betting.limits, (self.now_ms)()).await?;
        facts.ok_or(Stopped::Bug("the account of a login does not exist"))
    }

    /// Writes the bet. The body of the answer is made inside the transaction; the same bytes are stored and sent.
    async fn take(
        &self,
        order: &Order,
        checked: &Checked,
        bet: AcceptedBet,
        snapshots: [&OfferSnapshot; 2],
    ) -> Result<PlacementAnswer, Stopped> {
        let placed_at_ms = (self.now_ms)();
        let ticket_id = new_ticket_id(placed_at_ms).ok_or(Stopped::Bug("there is no randomness for a ticket's id"))?;
        let answer = {
            let (bodies, ticket_id, bet) = (Arc::clone(&order.bodies), ticket_id.clone(), bet.clone());
            let version = snapshots[0].version;
            let write_body = move |receipt: &kvota_store::Receipt| {
                let (balance, ticket_number) = (receipt.balance, receipt.ticket_number);
                let ticket_id = ticket_id.as_str();
                bodies.accepted(&AcceptedBetFacts {
                    ticket_id,
                    ticket_number,
                    placed_at_ms,
                    version,
                    bet: &bet,
                    balance,
                })
            };
            Arc::new(write_body) as kvota_store::AnswerMaker
        };
        let place = PlaceBet {
            account: order.account,
            key: order.key,
            digest: order.digest,
            ticket_id: ticket_id.clone(),
            bet: stored(&bet, placed_at_ms, self.basis(snapshots[0])),
            limits: self.betting.limits,
            answer,
        };
        match self.stores.bets.place(place).await? {
            Placed::Placed { answer, event, .. } => {
                self.events.publish([&*event]);
                metrics::counter!("kvota_bets_taken_total").increment(1);
                tracing::info!(
                    account.id = %order.account,
                    ticket.id = %ticket_id,
                    request.id = %order.request_id,
                    "bet {ticket_id} taken"
                );
                Ok(PlacementAnswer::Answer(answer))
            }
            Placed::Replayed(answer) => Ok(PlacementAnswer::Answer(answer)),
            Placed::KeyConflict => Ok(PlacementAnswer::Conflict),
            // Another bet of the account was written first.
            Placed::NotEnough { balance } => {
                let rejection = Rejection::NotEnoughBalance { stake: bet.bruto, balance };
                self.keep_refusal(order, rejection, snapshots).await
            }
            // Betting was paused during the delay, or this node has not read the pause yet.
            Placed::Paused => self.keep_refusal(order, Rejection::BettingPaused, snapshots).await,
            Placed::MarketSettled(match_id) => {
                let rejection = Rejection::NotBettable { match_id, reason: CannotBet::MarketSettled };
                self.keep_refusal(order, rejection, snapshots).await
            }
            Placed::Owes { receivable } => self.keep_refusal(order, Rejection::Owes { receivable }, snapshots).await,
            Placed::OverLimit(facts) => {
                let Betting { rules, limits, .. } = &self.betting;
                match revalidate(checked, snapshots[0], rules, &facts, limits) {
                    Ok(_) => Err(Stopped::Bug("the store and the rules disagree about a limit")),
                    Err(rejection) => self.keep_refusal(order, rejection, snapshots).await,
                }
            }
        }
    }

    /// The rules and the offer revision by which the bet is accepted.
    fn basis(&self, snapshot: &OfferSnapshot) -> BetBasis {
        let rules =
            BetRules { rules: self.betting.rules.clone(), void_returns_stake_tax: self.betting.void_returns_stake_tax };
        BetBasis { rules: Some(rules), offer_version: Some(snapshot.version), feed: snapshot.position }
    }

    /// Stores a rejection after the delay. It uses up the key: a repeated request gets the same answer.
    async fn keep_refusal(
        &self,
        order: &Order,
        rejection: Rejection,
        snapshots: [&OfferSnapshot; 2],
    ) -> Result<PlacementAnswer, Stopped> {
        let PlacementAnswer::Answer(answer) = rejected(order, rejection, snapshots) else {
            return Err(Stopped::Bug("a rejection is an answer"));
        };
        let (account, key, digest) = (order.account, order.key, order.digest);
        let kept = KeepRefusal {
            account,
            key,
            digest,
            answer: answer.clone(),
            purpose: KeyPurpose::Bet,
            now_ms: (self.now_ms)(),
        };
        Ok(match self.stores.bets.keep_refusal(kept).await? {
            Kept::Kept => PlacementAnswer::Answer(answer),
            Kept::Replayed(answer) => PlacementAnswer::Answer(answer),
            Kept::KeyConflict => PlacementAnswer::Conflict,
        })
    }
}

impl fmt::Debug for Placements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Placements").field("running", &self.running()).finish_non_exhaustive()
    }
}

impl fmt::Debug for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Order").field("account", &self.account).field("ticket", &self.ticket).finish_non_exhaustive()
    }
}
