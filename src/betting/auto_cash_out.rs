//! The rules that cash bets out (CONTRACT 8): watches the odds of bets with a rule, and cashes a bet out once its net
//! amount is high enough. Started by `server/mod.rs`; reads the offer and the store, and pays through the placement.
//!
//! Must cost nothing for a match without such a bet, and must never pay by itself: the placement validates again after
//! the delay, and the store pays only while the rule exists. So all nodes may watch the same bets; another node than the
//! first executes a rule only if the first has not done so.

use super::bet_events::BetSubscriber;
use super::limits::{RULE_SECOND_NODE_AFTER_MS, RULE_STORE_CALLS_MAX};
use super::placement::Placements;
use kvota_domain::bet::{AccountId, AccountMoney, BetChange, BetEvent, BetState, StoredBet, TicketId, present_odd};
use kvota_domain::ids::{MatchId, OddId};
use kvota_domain::price::Price;
use kvota_read_model::{MatchObserver, ObserverGuard, OfferSnapshot, ReadModel};
use kvota_store::{BetPair, StoreError, Stores};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, Semaphore};

/// Bets in one query.
const BETS_A_PAGE: u32 = 500;
/// How many rules pay at the same time. The others wait until an odd changes, or for `AGAIN_EVERY`.
const RUNNING_MAX: usize = 10_000;
/// The wait after a failed attempt, before the bet is looked at again.
const RETRY_AFTER: Duration = Duration::from_secs(1);
/// How often all watched bets are looked at, whether their odds changed or not.
const AGAIN_EVERY: Duration = Duration::from_secs(15);

/// What the rules have to look at. A clone shares it.
#[derive(Clone, Default)]
pub struct AutoCashOutQueue(Arc<Queue>);

#[derive(Default)]
struct Queue {
    pending: Mutex<Pending>,
    wake: Notify,
}

#[derive(Default)]
struct Pending {
    /// The bets with a rule.
    known: HashSet<TicketId>,
    /// Bets to be read from the store.
    bets: BTreeSet<(AccountId, TicketId)>,
    /// Matches that changed.
    matches: BTreeSet<MatchId>,
    /// All bets with a rule are to be read from the store.
    is_all: bool,
    /// All bets with a rule are to be looked at, because the feed is active again.
    is_active_again: bool,
}

impl AutoCashOutQueue {
    /// A bet changed, on this node or on another one.
    pub fn changed(&self, account: AccountId, ticket_id: &TicketId, is_rule: bool) {
        let mut pending = self.lock();
        if is_rule || pending.known.contains(ticket_id) {
            pending.bets.insert((account, ticket_id.clone()));
            drop(pending);
            self.0.wake.notify_one();
        }
    }

    /// Changes may have been missed: all bets with a rule are read again.
    pub fn read_all(&self) {
        self.lock().is_all = true;
        self.0.wake.notify_one();
    }

    /// The number of bets with a rule.
    pub fn watched(&self) -> usize {
        self.lock().known.len()
    }

    /// No code panics while it holds the lock.
    fn lock(&self) -> MutexGuard<'_, Pending> {
        self.0.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl BetSubscriber for AutoCashOutQueue {
    fn money_changed(&self, _: AccountId, _: AccountMoney) {}

    fn protection_changed(&self, _: AccountId) {}

    fn bet_changed(&self, event: &BetEvent) {
        let is_rule = match &event.change {
            BetChange::Placed(_) => return,
            BetChange::CashOutRuleChanged(_) => true,
            BetChange::PairDecided(_) | BetChange::Settled(_) | BetChange::Corrected(_) | BetChange::CashedOut(_) => {
                false
            }
        };
        self.changed(event.account, event.change.ticket_id(), is_rule);
    }

    /// The bets of the match change by their own events.
    fn results_changed(&self, _: MatchId) {}
}

impl MatchObserver for AutoCashOutQueue {
    fn on_change(&self, what: Option<MatchId>, _: &OfferSnapshot) {
        // While the feed is not active nothing is paid.
        if let Some(id) = what {
            self.lock().matches.insert(id);
            self.0.wake.notify_one();
        }
    }

    fn on_feed_active(&self) {
        self.lock().is_active_again = true;
        self.0.wake.notify_one();
    }
}

/// An odd of a match, and the bets with a rule that contain it.
struct WatchedOdd {
    pair: BetPair,
    last: Option<Price>,
    bets: BTreeSet<TicketId>,
}

struct WatchedMatch {
    odds: HashMap<OddId, WatchedOdd>,
    _guard: ObserverGuard,
}

/// Watches the bets with rules, and starts their cash-outs.
pub struct AutoCashOut {
    queue: AutoCashOutQueue,
    placements: Placements,
    stores: Stores,
    model: Arc<ReadModel>,
    bets: HashMap<TicketId, StoredBet>,
    matches: HashMap<MatchId, WatchedMatch>,
    running: Arc<Mutex<HashSet<TicketId>>>,
    /// Places for store calls of attempts: many rules may be reached by one change of the offer.
    store_calls: Arc<Semaphore>,
    reading: Option<Reading>,
}

/// All bets with a rule are being read, page by page, so that a changed odd does not wait for the last page.
#[derive(Default)]
struct Reading {
    after: u64,
    /// The bets that were read, also because they changed meanwhile. At the end all others are dropped.
    seen: HashSet<TicketId>,
}

impl AutoCashOut {
    /// Rules that look at what the queue contains.
    pub fn new(queue: AutoCashOutQueue, placements: Placements, stores: Stores, model: Arc<ReadModel>) -> AutoCashOut {
        queue.read_all();
        let (bets, matches) = (HashMap::new(), HashMap::new());
        let store_calls = Arc::new(Semaphore::new(RULE_STORE_CALLS_MAX));
        let running = Arc::default();
        AutoCashOut { queue, placements, stores, model, bets, matches, running, store_calls, reading: None }
    }

    /// Runs forever.
    pub async fn run(mut self) {
        let queue = self.queue.clone();
        let mut again = tokio::time::interval(AGAIN_EVERY);
        again.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            // A change that arrived meanwhile ends the wait at once.
            let is_all = tokio::select! {
                biased;
                _ = again.tick() => true,
                () = queue.0.wake.notified() => false,
                () = std::future::ready(()), if self.reading.is_some() => false,
            };
            if let Err(error) = self.check(is_all).await {
                tracing::warn!("the rules of cash-outs wait for the store: {error}");
                tokio::time::sleep(RETRY_AFTER).await;
                queue.read_all();
            }
        }
    }

    /// Looks at everything that changed, or at all bets.
    async fn check(&mut self, is_all: bool) -> Result<(), StoreError> {
        let Pending { bets, matches, is_all: is_reading_all, is_active_again, .. } = {
            let mut pending = self.queue.lock();
            let known = std::mem::take(&mut pending.known);
            std::mem::replace(&mut *pending, Pending { known, ..Pending::default() })
        };
        let mut due: BTreeSet<TicketId> = BTreeSet::new();
        if is_reading_all {
            self.reading = Some(Reading::default());
        }
        if let Some(reading) = self.reading.take() {
            self.read_page(reading, &mut due).await?;
        }
        if is_all || is_active_again {
            due.extend(self.bets.keys().cloned());
        }
        for (account, ticket_id) in bets {
            let stored = self.stores.bets.ticket(account, &ticket_id).await?;
            self.put(&ticket_id, stored);
            if let Some(reading) = &mut self.reading {
                reading.seen.insert(ticket_id.clone());
            }
            due.insert(ticket_id);
        }
        for id in matches {
            self.note_odds(id, &mut due);
        }
        metrics::gauge!("kvota_cash_out_rules").set(self.bets.len() as f64);
        for ticket_id in due {
            self.evaluate(&ticket_id);
        }
        Ok(())
    }

    async fn read_page(&mut self, mut reading: Reading, due: &mut BTreeSet<TicketId>) -> Result<(), StoreError> {
        let page = self.stores.cash_outs.open_bets(reading.after, BETS_A_PAGE, true).await?;
        for stored in page.bets {
            let ticket_id = stored.ticket_id.clone();
            self.put(&ticket_id, Some(stored));
            reading.seen.insert(ticket_id.clone());
            due.insert(ticket_id);
        }
        match page.next {
            Some(after) => self.reading = Some(Reading { after, ..reading }),
            None => {
                let gone = self.bets.keys().filter(|ticket_id| !reading.seen.contains(*ticket_id));
                let gone: Vec<TicketId> = gone.cloned().collect();
                gone.iter().for_each(|ticket_id| self.put(ticket_id, None));
            }
        }
        Ok(())
    }

    /// Replaces what is known of a bet. Watches it if it is open and has a rule.
    fn put(&mut self, ticket_id: &TicketId, stored: Option<StoredBet>) {
        if let Some(before) = self.bets.remove(ticket_id) {
            self.queue.lock().known.remove(ticket_id);
            for pair in &before.bet.pairs {
                self.unwatch(pair, ticket_id);
            }
        }
        let is_watched = |bet: &StoredBet| bet.state == BetState::Open && bet.cash_out_rule.is_some();
        let Some(stored) = stored.filter(is_watched) else { return };
        let pairs = stored.bet.pairs.iter().zip(&stored.results).filter(|(_, result)| !result.result.is_decided());
        for (pair, _) in pairs {
            let id = pair.match_id;
            let watched = self.matches.entry(id).or_insert_with(|| WatchedMatch {
                odds: HashMap::new(),
                _guard: self.model.watch(vec![id], Arc::new(self.queue.clone())),
            });
            let odd = watched.odds.entry(pair.odd_id).or_insert_with(|| WatchedOdd {
                pair: pair.clone(),
                last: None,
                bets: BTreeSet::new(),
            });
            odd.bets.insert(ticket_id.clone());
        }
        self.queue.lock().known.insert(ticket_id.clone());
        self.bets.insert(ticket_id.clone(), stored);
    }

    fn unwatch(&mut self, pair: &BetPair, ticket_id: &TicketId) {
        let Some(watched) = self.matches.get_mut(&pair.match_id) else { return };
        if let Some(odd) = watched.odds.get_mut(&pair.odd_id) {
            odd.bets.remove(ticket_id);
            if odd.bets.is_empty() {
                watched.odds.remove(&pair.odd_id);
            }
        }
        if watched.odds.is_empty() {
            self.matches.remove(&pair.match_id);
        }
    }

    /// Adds the bets with a changed odd on this match.
    fn note_odds(&mut self, id: MatchId, due: &mut BTreeSet<TicketId>) {
        let Some(watched) = self.matches.get_mut(&id) else { return };
        for odd in watched.odds.values_mut() {
            let now = present_odd(&odd.pair, &*self.model).ok();
            if now != odd.last {
                odd.last = now;
                due.extend(odd.bets.iter().cloned());
            }
        }
    }

    /// Starts the cash-out of a bet that is worth enough, unless it is running.
    #[expect(clippy::disallowed_methods, reason = "an attempt that panics ends alone, and the rule stays")]
    fn evaluate(&self, ticket_id: &TicketId) {
        let Some(bet) = self.bets.get(ticket_id) else { return };
        let Some(rule) = bet.cash_out_rule else { return };
        let net = self.placements.cash_out_offer(bet).value.map(|value| value.net);
        if net.is_none_or(|net| net < rule.at_least) {
            return;
        }
        {
            let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
            if running.len() >= RUNNING_MAX || !running.insert(ticket_id.clone()) {
                return;
            }
        }
        let attempt = Attempt { ticket_id: ticket_id.clone(), running: Arc::clone(&self.running) };
        let (placements, queue, bet) = (self.placements.clone(), self.queue.clone(), bet.clone());
        let (store_calls, is_first) = (Arc::clone(&self.store_calls), self.stores.shared_limits.is_first_node());
        tokio::spawn(async move {
            let (account, ticket_id) = (bet.account, bet.ticket_id.clone());
            if !is_first {
                tokio::time::sleep(Duration::from_millis(RULE_SECOND_NODE_AFTER_MS)).await;
                if !queue.lock().known.contains(&ticket_id) {
                    return;
                }
            }
            match placements.cash_out_by_rule(bet, &store_calls).await {
                Ok(true) => {}
                Ok(false) => tokio::time::sleep(RETRY_AFTER).await,
                Err(error) => {
                    tracing::warn!(ticket.id = %ticket_id, "a rule waits for the store: {error}");
                    tokio::time::sleep(RETRY_AFTER).await;
                }
            }
            drop(attempt);
            queue.changed(account, &ticket_id, true);
        });
    }
}

/// The running attempt of a rule; dropping it, also in a panic, allows the next one.
struct Attempt {
    ticket_id: TicketId,
    running: Arc<Mutex<HashSet<TicketId>>>,
}

impl Drop for Attempt {
    fn drop(&mut self) {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.ticket_id);
    }
}

impl fmt::Debug for AutoCashOutQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pending = self.lock();
        f.debug_struct("AutoCashOutQueue").field("known", &pending.known.len()).finish_non_exhaustive()
    }
}

impl fmt::Debug for AutoCashOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AutoCashOut").field("bets", &self.bets.len()).finish_non_exhaustive()
    }
}
