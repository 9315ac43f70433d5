//! The stores in memory, for tests and simulations. A single lock replaces transactions: each operation writes
//! everything or nothing.
//!
//! Must never be used by a production server: all data is lost at the end of the process.

use crate::audit::AuditReport;
use crate::bets::{page, page_limit, placed, receipt};
use kvota_domain::bet::{AccountMoney, BetChange, TicketNumber};
mod accounts;
mod cash_outs;
mod cashier;
mod nodes;
mod protection;
mod settlement;

use crate::nodes::{Notice, SessionKey};
use crate::sessions::{before_deleted, next_version};
use crate::{
    Account, AccountId, Answer, Bet, BetPair, BetState, BetStore, BettingPause, HistoryEntry, IdempotencyKey,
    KeepRefusal, Kept, KeyRecord, Login, PlaceBet, Placed, SavedSession, SessionOwner, SessionSaved, SessionStore,
    StoreCare, StoreError, StoreFuture, StoredBet, StoredSettlement, TicketFilter, TicketId, TicketPage,
};
use kvota_domain::ids::{MarketId, MatchId};
use kvota_domain::ledger::{PostingRow, account_facts, has_limit, has_match_limit, is_over, settled_pair};
use kvota_domain::money::Money;
use kvota_domain::settlement::{LedgerAccount, MarketResult, Posting, PostingKind, placing};
use kvota_domain::ticket::{AccountFacts, MatchFacts, PlacingLimits};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::mpsc;

/// The stores in memory.
#[derive(Default)]
pub struct MemoryStore {
    state: Mutex<State>,
    /// The nodes of a test that shares this store.
    nodes: Arc<Mutex<Vec<mpsc::Sender<Notice>>>>,
}

/// A posting with its time.
struct KeptPosting {
    at_ms: i64,
    ticket_id: Option<TicketId>,
    row: PostingRow,
}

#[derive(Default)]
struct State {
    accounts: BTreeMap<AccountId, Account>,
    /// How often the money of each account changed.
    revisions: HashMap<AccountId, u64>,
    /// The oldest account of each skeleton of a name.
    names: HashMap<String, AccountId>,
    logins: HashMap<SessionKey, KeptLogin>,
    answers: HashMap<(AccountId, IdempotencyKey), KeyRecord>,
    bets: Vec<StoredBet>,
    /// The settlements of each bet, by its position in `bets`.
    settlements: HashMap<usize, Vec<(BetState, StoredSettlement)>>,
    /// The ledger. The id of a posting is its position plus 1.
    postings: Vec<KeptPosting>,
    results: BTreeMap<(MatchId, MarketId), MarketResult>,
    /// When each result was stored, in ms since the epoch.
    result_times: HashMap<(MatchId, MarketId), i64>,
    work: BTreeMap<(MatchId, MarketId), Work>,
    /// Bets that could not be graded, by position: the market, the cause and the time.
    set_aside: BTreeMap<usize, ((MatchId, MarketId), String, i64)>,
    /// The pairs of moved lines: the position of the bet, and of the pair in it.
    parked: BTreeSet<(usize, usize)>,
    match_ends: HashMap<MatchId, i64>,
    /// The answers to deposits and withdrawals.
    payments: HashMap<(AccountId, IdempotencyKey), KeyRecord>,
    protection_history: Vec<(AccountId, HistoryEntry)>,
    sessions: HashMap<SessionOwner, (SavedSession, i64)>,
    paused_since_ms: Option<i64>,
}

/// A login with what only its account sees.
struct KeptLogin {
    login: Login,
    agent: String,
    /// When the last reality check was answered.
    checked_at_ms: Option<i64>,
}

/// Bets on a market that wait to be graded.
struct Work {
    /// The position of the next bet.
    next: usize,
    since_ms: i64,
}

impl MemoryStore {
    /// Empty.
    pub fn new() -> MemoryStore {
        MemoryStore::default()
    }

    /// The state is consistent at each step that can panic, so it is still valid if the lock is poisoned.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn done<T: Send + 'static>(outcome: Result<T, StoreError>) -> StoreFuture<'static, T> {
        Box::pin(std::future::ready(outcome))
    }
}

impl State {
    fn replay(
        &self,
        account: AccountId,
        key: IdempotencyKey,
        digest: &[u8; 32],
    ) -> Option<Result<Answer, KeyConflict>> {
        let record = self.answers.get(&(account, key))?;
        Some(if record.digest == *digest { Ok(record.answer.clone()) } else { Err(KeyConflict) })
    }

    fn facts(
        &self,
        account: AccountId,
        matches: impl Iterator<Item = MatchId>,
        limits: &PlacingLimits,
        now_ms: i64,
    ) -> Option<AccountFacts> {
        let Account { balance, protection, .. } = self.accounts.get(&account)?;
        let open = || {
            let is_open = |stored: &&StoredBet| stored.account == account && stored.state == BetState::Open;
            self.bets.iter().filter(is_open)
        };
        let on_match = |match_id: MatchId| {
            let with_match =
                || open().filter(move |stored| stored.bet.pairs.iter().any(|pair| pair.match_id == match_id));
            let stake = with_match().map(|stored| stored.rest.bruto).sum();
            MatchFacts { match_id, stake, payout: with_match().map(|stored| stored.bet.payout).sum() }
        };
        let matches = matches.filter(|_| has_match_limit(limits)).map(on_match);
        let matches = matches.filter(|facts| facts.stake > Money::ZERO).collect();
        let user_stake = limits.user_stake_max.map_or(Money::ZERO, |_| open().map(|stored| stored.rest.bruto).sum());
        let flows = self.flows(account, now_ms);
        Some(AccountFacts { matches, ..account_facts(*balance, user_stake, protection, &flows, now_ms) })
    }

    fn place(&mut self, order: PlaceBet) -> Result<Placed, StoreError> {
        match self.replay(order.account, order.key, &order.digest) {
            Some(Ok(answer)) => return Ok(Placed::Replayed(answer)),
            Some(Err(KeyConflict)) => return Ok(Placed::KeyConflict),
            None => {}
        }
        if self.paused_since_ms.is_some() {
            return Ok(Placed::Paused);
        }
        let Some(account) = self.accounts.get(&order.account) else { return Err(unknown(order.account)) };
        if account.receivable > Money::ZERO {
            return Ok(Placed::Owes { receivable: account.receivable });
        }
        let of_pair = |pair: &BetPair| {
            let key = (pair.match_id, pair.market_id);
            self.results.get(&key).map(|result| (pair.match_id, result.clone()))
        };
        let results: Vec<_> = order.bet.pairs.iter().filter_map(of_pair).collect();
        if let Some(settled) = settled_pair(&order.bet, &results) {
            return Ok(Placed::MarketSettled(settled));
        }
        let left = account.balance.checked_sub(order.bet.bruto).filter(|left| *left >= Money::ZERO);
        let Some(balance) = left else { return Ok(Placed::NotEnough { balance: account.balance }) };
        if has_limit(&order.limits) || !account.protection.is_empty() {
            let matches = order.bet.pairs.iter().map(|pair| pair.match_id);
            let facts = self.facts(order.account, matches, &order.limits, order.bet.placed_at_ms);
            let facts = facts.ok_or_else(|| unknown(order.account))?;
            if is_over(&facts, &order.bet, &order.limits) {
                return Ok(Placed::OverLimit(facts));
            }
        }
        self.refuse_impossible(&order.ticket_id, &order.bet)?;
        let number = self.postings.len() as i64 + 1;
        let answer = Answer { status: 200, body: (order.answer)(&receipt(balance, number)) };

        let record = KeyRecord { digest: order.digest, answer: answer.clone() };
        self.answers.insert((order.account, order.key), record);
        let mut money = AccountMoney { balance, receivable: Money::ZERO, revision: 0 };
        if let Some(account) = self.accounts.get_mut(&order.account) {
            account.balance = balance;
            let revision = self.revisions.entry(order.account).or_default();
            *revision += 1;
            money = AccountMoney { balance, receivable: account.receivable, revision: *revision };
        }
        let whose = (order.account, Some(order.ticket_id.clone()));
        self.post(placing(order.bet.bruto), whose, order.bet.placed_at_ms, balance);
        let placed = placed(&order, number, money, answer);
        if let Placed::Placed { event, .. } = &placed
            && let BetChange::Placed(bet) = &event.change
        {
            self.bets.push(StoredBet::clone(bet));
        }
        Ok(placed)
    }

    /// Adds a posting that does not belong to a settlement.
    fn post(
        &mut self,
        posting: Posting,
        (bettor, ticket_id): (AccountId, Option<TicketId>),
        at_ms: i64,
        balance: Money,
    ) {
        let row =
            PostingRow { posting, bettor, bet_id: 0, settlement: None, reverses: None, balance_after: Some(balance) };
        self.postings.push(KeptPosting { at_ms, ticket_id, row });
    }

    /// Rejects the same bets as the constraints of a database.
    fn refuse_impossible(&self, ticket_id: &TicketId, bet: &Bet) -> Result<(), StoreError> {
        let mut matches: Vec<MatchId> = bet.pairs.iter().map(|pair| pair.match_id).collect();
        matches.sort();
        matches.dedup();
        let sound = bet.bruto > Money::ZERO
            && matches.len() == bet.pairs.len()
            && self.bets.iter().all(|stored| stored.ticket_id != *ticket_id);
        if sound { Ok(()) } else { Err(StoreError::Corrupt { cause: format!("the bet {ticket_id} cannot be kept") }) }
    }
}

struct KeyConflict;

fn unknown(account: AccountId) -> StoreError {
    StoreError::Corrupt { cause: format!("there is no account {account}") }
}

/// Removes the entries for which `is_gone` is true, and returns their number.
fn forget<K: Eq + std::hash::Hash, V>(map: &mut HashMap<K, V>, is_gone: impl Fn(&K, &V) -> bool) -> u64 {
    let before = map.len();
    map.retain(|key, value| !is_gone(key, value));
    (before - map.len()) as u64
}

impl BetStore for MemoryStore {
    fn place(&self, bet: PlaceBet) -> StoreFuture<'_, Placed> {
        Self::done(self.state().place(bet))
    }

    fn keep_refusal(&self, refusal: KeepRefusal) -> StoreFuture<'_, Kept> {
        let mut state = self.state();
        let KeepRefusal { account, key, digest, answer, purpose: _, now_ms: _ } = refusal;
        let kept = match state.replay(account, key, &digest) {
            Some(Ok(answer)) => Kept::Replayed(answer),
            Some(Err(KeyConflict)) => Kept::KeyConflict,
            None => {
                state.answers.insert((account, key), KeyRecord { digest, answer });
                Kept::Kept
            }
        };
        Self::done(Ok(kept))
    }

    fn find_key(&self, account: AccountId, key: IdempotencyKey) -> StoreFuture<'_, Option<KeyRecord>> {
        Self::done(Ok(self.state().answers.get(&(account, key)).cloned()))
    }

    fn facts<'a>(
        &'a self,
        account: AccountId,
        matches: &'a [MatchId],
        limits: PlacingLimits,
        now_ms: i64,
    ) -> StoreFuture<'a, Option<AccountFacts>> {
        Self::done(Ok(self.state().facts(account, matches.iter().copied(), &limits, now_ms)))
    }

    fn tickets<'a>(
        &'a self,
        account: AccountId,
        filter: TicketFilter,
        after: Option<&'a TicketId>,
        limit: u32,
    ) -> StoreFuture<'a, Option<TicketPage>> {
        let state = self.state();
        let mut newest_first = state.bets.iter().rev().filter(|stored| stored.account == account);
        if let Some(after) = after
            && !newest_first.any(|stored| stored.ticket_id == *after)
        {
            return Self::done(Ok(None));
        }
        let limit = page_limit(limit);
        let bets = newest_first.filter(|stored| filter.holds(stored.state)).take(limit + 1).cloned().collect();
        Self::done(Ok(Some(page(bets, limit))))
    }

    fn numbered_ticket(&self, account: AccountId, number: TicketNumber) -> StoreFuture<'_, Option<StoredBet>> {
        let state = self.state();
        let found = state.bets.iter().find(|stored| stored.account == account && stored.ticket_number() == number);
        Self::done(Ok(found.cloned()))
    }

    fn settlements<'a>(
        &'a self,
        account: AccountId,
        ticket: &'a TicketId,
    ) -> StoreFuture<'a, Vec<(BetState, StoredSettlement)>> {
        let state = self.state();
        let is_asked = |stored: &StoredBet| stored.account == account && stored.ticket_id == *ticket;
        let position = state.bets.iter().position(is_asked);
        let made = position.and_then(|position| state.settlements.get(&position));
        Self::done(Ok(made.cloned().unwrap_or_default()))
    }

    fn ticket<'a>(&'a self, account: AccountId, ticket: &'a TicketId) -> StoreFuture<'a, Option<StoredBet>> {
        let state = self.state();
        let found = state.bets.iter().find(|stored| stored.account == account && stored.ticket_id == *ticket);
        Self::done(Ok(found.cloned()))
    }
}

impl SessionStore for MemoryStore {
    fn load(&self, owner: SessionOwner) -> StoreFuture<'_, Option<SavedSession>> {
        Self::done(Ok(self.state().sessions.get(&owner).map(|(saved, _)| saved.clone())))
    }

    fn save(&self, owner: SessionOwner, expected: u64, bytes: Vec<u8>, now_ms: i64) -> StoreFuture<'_, SessionSaved> {
        let mut state = self.state();
        let current = state.sessions.get(&owner).map(|(saved, _)| saved);
        if current.map_or(0, |saved| saved.version) != expected {
            return Self::done(Ok(SessionSaved::Conflict(current.cloned())));
        }
        let version = next_version(expected, now_ms);
        state.sessions.insert(owner, (SavedSession { version, bytes }, now_ms));
        Self::done(Ok(SessionSaved::Saved(version)))
    }

    fn delete(&self, owner: SessionOwner) -> StoreFuture<'_, bool> {
        Self::done(Ok(self.state().sessions.remove(&owner).is_some()))
    }

    fn forget_anonymous(&self, before_ms: i64, max: u64) -> StoreFuture<'_, u64> {
        let is_anonymous = |owner: &SessionOwner| matches!(owner, SessionOwner::Anonymous(_));
        let sessions = &mut self.state().sessions;
        let mut saved: Vec<i64> = sessions
            .iter()
            .filter(|(owner, _)| is_anonymous(owner))
            .map(|(_, (_, saved_at_ms))| *saved_at_ms)
            .collect();
        saved.sort_unstable_by_key(|saved_at_ms| Reverse(*saved_at_ms));
        let newest_surplus = usize::try_from(max).ok().and_then(|max| saved.get(max).copied());
        let before_ms = before_deleted(before_ms, newest_surplus);
        let is_old = |owner: &SessionOwner, (_, saved_at_ms): &(SavedSession, i64)| {
            is_anonymous(owner) && *saved_at_ms < before_ms
        };
        Self::done(Ok(forget(sessions, is_old)))
    }
}

impl BettingPause for MemoryStore {
    fn paused_since(&self) -> StoreFuture<'_, Option<i64>> {
        Self::done(Ok(self.state().paused_since_ms))
    }

    fn pause(&self, now_ms: i64) -> StoreFuture<'_, bool> {
        let mut state = self.state();
        let was_open = state.paused_since_ms.is_none();
        state.paused_since_ms.get_or_insert(now_ms);
        Self::done(Ok(was_open))
    }

    fn resume(&self) -> StoreFuture<'_, bool> {
        Self::done(Ok(self.state().paused_since_ms.take().is_some()))
    }
}

impl StoreCare for MemoryStore {
    fn ping(&self) -> StoreFuture<'_, ()> {
        Self::done(Ok(()))
    }

    fn audit(&self) -> StoreFuture<'_, AuditReport> {
        let state = self.state();
        let mut findings = Vec::new();
        let sum = |ledger: LedgerAccount, bettor: Option<AccountId>| -> Money {
            let rows = state.postings.iter().map(|kept| &kept.row);
            let of_bettor = rows.filter(|row| bettor.is_none_or(|bettor| row.bettor == bettor));
            of_bettor.map(|row| row.posting.change_of(ledger)).sum()
        };
        for account in state.accounts.values() {
            if sum(LedgerAccount::Bettor, Some(account.id)) != account.balance {
                findings.push(format!("the balance of account {} is not the sum of its postings", account.id));
            }
            if sum(LedgerAccount::Receivable, Some(account.id)).negated() != account.receivable {
                findings.push(format!("the receivable of account {} is not the sum of its postings", account.id));
            }
        }
        let open = state.bets.iter().filter(|stored| stored.state == BetState::Open).map(|stored| stored.rest.bruto);
        if sum(LedgerAccount::OpenStakes, None) != open.sum() {
            findings.push("the open stakes are not the stakes of the open bets".to_owned());
        }
        for stored in state.bets.iter().filter(|stored| stored.state != BetState::Void && !stored.cash_outs.is_empty())
        {
            let parts = stored.cash_outs.iter().map(|cash_out| cash_out.paid);
            let paid: Money = parts.chain(stored.settlement.iter().map(|settlement| settlement.paid)).sum();
            let rules = stored.bet.basis.rules.as_ref();
            if rules.is_some_and(|rules| paid > rules.rules.limits.max_payout) {
                findings.push(format!("bet {} paid more than its maximum payout", stored.ticket_id));
            }
        }
        Self::done(Ok(AuditReport {
            accounts: state.accounts.len() as u64,
            bets: state.bets.len() as u64,
            answers: state.answers.len() as u64,
            settlements: state.settlements.values().map(|made| made.len() as u64).sum(),
            postings: state.postings.len() as u64,
            findings,
        }))
    }

    fn close(&self) -> StoreFuture<'_, ()> {
        Self::done(Ok(()))
    }
}
