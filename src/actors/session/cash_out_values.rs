//! The cash-out values of the open bets that clients watch (CONTRACT 8): computed once a second for each account, and sent
//! to all its connections that watch bets. An account without such a connection costs nothing.
//!
//! Must not read the store: the bets come from the connection that read them and from the events of bets.

use super::connections::Connections;
use super::inbox::SessionInbox;
use crate::betting::placement::Placements;
use crate::betting::watched_bets::WatchedBets;
use kvota_domain::bet::{
    AccountId, BetChange, BetEvent, BetProgress, BetState, CashOutOffer, StoredBet, TicketId, present_odd,
};
use kvota_domain::ids::{MarketId, MatchId};
use kvota_domain::price::Price;
use kvota_domain::ticket::{CannotBet, FeedHealth, OfferView};
use kvota_read_model::ReadModel;
use kvota_store::SessionOwner;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use tokio::time::{MissedTickBehavior, interval};

/// How often values are computed.
const EVERY: Duration = Duration::from_secs(1);

/// The watched bets. A clone shares them.
#[derive(Clone, Default)]
pub struct CashOutValues(Arc<Mutex<Accounts>>);

#[derive(Default)]
struct Accounts {
    watched: HashMap<AccountId, Watched>,
    /// The accounts with an open bet on a match.
    of_match: HashMap<MatchId, BTreeSet<AccountId>>,
}

/// The open bets of an account with a connection that watches them.
#[derive(Default)]
struct Watched {
    bets: HashMap<TicketId, WatchedBet>,
    /// Connections that have no values yet.
    fresh: Vec<Weak<SessionInbox>>,
}

struct WatchedBet {
    bet: StoredBet,
    /// What the offer was when the value was computed last.
    seen: Option<Seen>,
    offer: CashOutOffer,
}

/// Everything in the offer that the value of a bet depends on.
#[derive(PartialEq, Eq)]
struct Seen {
    feed: FeedHealth,
    is_paused: bool,
    odds: Vec<Result<Price, CannotBet>>,
}

impl WatchedBets for CashOutValues {
    fn accounts_with_bets_on(&self, match_id: MatchId) -> BTreeMap<MarketId, BTreeSet<AccountId>> {
        let accounts = self.lock();
        let mut markets: BTreeMap<MarketId, BTreeSet<AccountId>> = BTreeMap::new();
        for account in accounts.of_match.get(&match_id).into_iter().flatten() {
            let Some(watched) = accounts.watched.get(account) else { continue };
            let open = watched.bets.values().filter(|held| held.bet.state == BetState::Open);
            for pair in open.flat_map(|held| &held.bet.bet.pairs).filter(|pair| pair.match_id == match_id) {
                markets.entry(pair.market_id).or_default().insert(*account);
            }
        }
        markets
    }
}

impl CashOutValues {
    /// A connection has read the open bets of its account. It receives all their values with the next tick.
    pub fn watch(&self, account: AccountId, bets: &[StoredBet], inbox: &Arc<SessionInbox>) {
        let mut accounts = self.lock();
        for bet in bets {
            accounts.insert(account, bet);
        }
        let fresh = &mut accounts.watched.entry(account).or_default().fresh;
        fresh.retain(|other| other.strong_count() > 0);
        fresh.push(Arc::downgrade(inbox));
    }

    pub(super) fn bet_changed(&self, event: &BetEvent) {
        let mut accounts = self.lock();
        let Some(watched) = accounts.watched.get_mut(&event.account) else { return };
        match &event.change {
            BetChange::Placed(bet) => accounts.insert(event.account, bet),
            BetChange::PairDecided(progress)
            | BetChange::Settled(progress)
            | BetChange::Corrected(progress)
            | BetChange::CashedOut(progress)
            | BetChange::CashOutRuleChanged(progress) => {
                if let Some(held) = watched.bets.get_mut(&progress.ticket_id) {
                    held.apply(progress);
                }
            }
        }
    }

    /// Sends the values that changed, once a second. Runs forever.
    pub(super) async fn run(self, connections: Connections, model: Arc<ReadModel>, placements: Placements) {
        let mut ticks = interval(EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let accounts: Vec<AccountId> = self.lock().watched.keys().copied().collect();
            for account in accounts {
                let of_account = connections.of_owner(SessionOwner::Account(account));
                let inboxes: Vec<_> = of_account.into_iter().filter(|inbox| inbox.watches_bets()).collect();
                self.send(account, &inboxes, &model, &placements);
                // One account after the other, so that commands of bettors do not wait for all.
                tokio::task::yield_now().await;
            }
        }
    }

    fn send(&self, account: AccountId, inboxes: &[Arc<SessionInbox>], model: &ReadModel, placements: &Placements) {
        let mut accounts = self.lock();
        if inboxes.is_empty() {
            return accounts.remove(account);
        }
        accounts.forget_closed(account);
        let Some(watched) = accounts.watched.get_mut(&account) else { return };
        let mut changed = Vec::new();
        for (ticket_id, held) in &mut watched.bets {
            if held.update(model, placements) {
                changed.push((ticket_id.clone(), held.offer.clone()));
            }
        }
        let fresh: Vec<Arc<SessionInbox>> = watched.fresh.drain(..).filter_map(|inbox| inbox.upgrade()).collect();
        let is_fresh = |inbox: &Arc<SessionInbox>| fresh.iter().any(|other| Arc::ptr_eq(inbox, other));
        for inbox in inboxes {
            if is_fresh(inbox) {
                let all = watched.bets.iter().map(|(ticket_id, held)| (ticket_id.clone(), held.offer.clone()));
                inbox.send_cash_out_values(all);
            } else {
                inbox.send_cash_out_values(changed.iter().cloned());
            }
        }
    }

    /// No code panics while it holds the lock.
    fn lock(&self) -> MutexGuard<'_, Accounts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Accounts {
    /// Adds a bet, unless a newer state of it is there.
    fn insert(&mut self, account: AccountId, bet: &StoredBet) {
        let bets = &mut self.watched.entry(account).or_default().bets;
        if bets.get(&bet.ticket_id).is_some_and(|held| held.bet.revision > bet.revision) {
            return;
        }
        bets.insert(bet.ticket_id.clone(), WatchedBet::new(bet.clone()));
        for pair in &bet.bet.pairs {
            self.of_match.entry(pair.match_id).or_default().insert(account);
        }
    }

    /// Removes an account without a connection that watches.
    fn remove(&mut self, account: AccountId) {
        let Some(watched) = self.watched.remove(&account) else { return };
        self.leave_matches(account, watched.bets.values().flat_map(|held| matches_of(&held.bet)).collect());
    }

    /// Removes the bets of an account that are not open any more.
    fn forget_closed(&mut self, account: AccountId) {
        let Some(watched) = self.watched.get_mut(&account) else { return };
        let mut left: BTreeSet<MatchId> = BTreeSet::new();
        watched.bets.retain(|_, held| {
            let is_open = held.bet.state == BetState::Open;
            if !is_open {
                left.extend(matches_of(&held.bet));
            }
            is_open
        });
        if !left.is_empty() {
            let stay: BTreeSet<MatchId> = watched.bets.values().flat_map(|held| matches_of(&held.bet)).collect();
            self.leave_matches(account, left.difference(&stay).copied().collect());
        }
    }

    fn leave_matches(&mut self, account: AccountId, matches: BTreeSet<MatchId>) {
        for id in matches {
            if let Some(accounts) = self.of_match.get_mut(&id) {
                accounts.remove(&account);
                if accounts.is_empty() {
                    self.of_match.remove(&id);
                }
            }
        }
    }
}

fn matches_of(bet: &StoredBet) -> impl Iterator<Item = MatchId> {
    bet.bet.pairs.iter().map(|pair| pair.match_id)
}

impl WatchedBet {
    fn new(bet: StoredBet) -> WatchedBet {
        let offer = CashOutOffer { value: None, reasons: Vec::new(), odds_now: Vec::new() };
        WatchedBet { bet, seen: None, offer }
    }

    fn apply(&mut self, progress: &BetProgress) {
        if progress.revision < self.bet.revision {
            return;
        }
        (self.bet.revision, self.bet.state) = (progress.revision, progress.state);
        self.bet.results = progress.results.clone();
        if let Some(left) = &progress.cash_out {
            self.bet.rest = left.rest;
            self.bet.cash_outs = left.cash_outs.clone();
        }
        self.seen = None;
    }

    /// Computes the value if the offer of a pair changed. Returns whether the value or its reasons changed.
    fn update(&mut self, model: &ReadModel, placements: &Placements) -> bool {
        let pairs = self.bet.bet.pairs.iter().zip(&self.bet.results);
        let undecided = pairs.filter(|(_, stored)| !stored.result.is_decided());
        let odds = undecided.map(|(pair, _)| present_odd(pair, model)).collect();
        let seen = Seen { feed: model.feed(), is_paused: placements.is_paused(), odds };
        if self.seen.as_ref() == Some(&seen) {
            return false;
        }
        let is_first = self.seen.replace(seen).is_none();
        let offer = placements.cash_out_offer(&self.bet);
        let is_changed = (&offer.value, &offer.reasons) != (&self.offer.value, &self.offer.reasons);
        self.offer = offer;
        is_first || is_changed
    }
}

impl fmt::Debug for CashOutValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CashOutValues").field(&self.lock().watched.len()).finish()
    }
}
