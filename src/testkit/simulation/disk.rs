//! The store of a simulation: in memory, with a simulated disk. A write is durable when it reaches the disk, and is
//! answered later. A crash loses most pending writes, and the answers of completed ones.
//!
//! A placed bet is compared with the offer at once: nothing may be awaited between the last check and the store.

use super::bet_check;
use super::feed_log::FeedLog;
use super::nodes::Life;
use super::plan::Plan;
use crate::testkit::seed::Dice;
use kvota_domain::bet::{AccountMoney, BetState, StoredSettlement, TicketNumber};
use kvota_domain::ids::MatchId;
use kvota_domain::session::SessionId;
use kvota_domain::settlement::MatchResults;
use kvota_domain::ticket::{AccountFacts, PlacingLimits};
use kvota_read_model::ReadModel;
use kvota_store::audit::AuditReport;
use kvota_store::memory::MemoryStore;
use kvota_store::nodes::SessionKey;
use kvota_store::{
    Account, AccountId, AccountSession, AccountStore, BetStore, CashOutDone, CashOutOrder, CashOutRule, CashOutStore,
    Created, IdempotencyKey, KeepRefusal, Kept, KeyRecord, Login, NewAccount, NewLogin, PasswordChange, PlaceBet,
    Placed, ResultsStored, RuleSet, SavedSession, SessionOwner, SessionSaved, SessionStore, SettleScope, SettledBatch,
    SettlementStore, SettlementWork, StoreCare, StoreError, StoreFuture, StoredBet, Stores, TicketFilter, TicketId,
    TicketPage,
};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::sleep;

/// The disk and its content in memory, as one of the nodes uses it. Clones share it.
#[derive(Clone)]
pub(super) struct Disk {
    inner: Arc<Mutex<Inner>>,
    node: usize,
    life: Life,
}

struct Inner {
    dice: Dice,
    failed: u64,
    late_ms: u64,
    is_away: bool,
    memory: Arc<MemoryStore>,
    feed_log: FeedLog,
    /// All writes that reached the disk.
    written: Vec<Write>,
    waiting: BTreeMap<(usize, u64, u64), Write>,
    /// How many operations each caller has started.
    asked: BTreeMap<u64, u64>,
    /// The offer of each node.
    models: BTreeMap<usize, Arc<ReadModel>>,
    wrongs: Vec<String>,
}

#[derive(Clone)]
pub(super) enum Write {
    Create(NewAccount),
    LogIn(SessionId, NewLogin),
    Place(Box<PlaceBet>),
    KeepRefusal(KeepRefusal),
    CashOut(Box<CashOutOrder>),
    Rule(AccountId, TicketId, Option<CashOutRule>),
    Results(MatchResults, i64),
    Settle(SettlementWork, SettleScope, i64),
    Save(SessionOwner, u64, Vec<u8>, i64),
    Delete(SessionOwner),
}

/// The result of a write.
pub(super) enum Done {
    Created(Created),
    LoggedIn,
    Placed(Placed),
    Kept(Kept),
    CashedOut(Box<CashOutDone>),
    RuleSet(Box<RuleSet>),
    Results(ResultsStored),
    Settled(SettledBatch),
    Saved(SessionSaved),
    Deleted(bool),
}

/// A number for a caller that is the same in every run.
fn number_of(what: &[u8]) -> u64 {
    what.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

fn of_session(session: SessionId) -> u64 {
    number_of(session.to_text().as_bytes())
}

fn of_account(account: AccountId, key: &[u8]) -> u64 {
    number_of(&[&account.get().to_be_bytes(), key].concat())
}

fn of_match(match_id: MatchId) -> u64 {
    number_of(&match_id.get().to_be_bytes())
}

fn of_owner(owner: SessionOwner) -> u64 {
    match owner {
        SessionOwner::Anonymous(session) => of_session(session),
        SessionOwner::Account(account) => of_account(account, b"session"),
    }
}

impl Write {
    fn asker(&self) -> u64 {
        match self {
            Write::Create(account) => number_of(account.name.as_bytes()),
            Write::LogIn(session, _) => of_session(*session),
            Write::Place(bet) => of_account(bet.account, &bet.key.0),
            Write::KeepRefusal(refusal) => of_account(refusal.account, &refusal.key.0),
            // Not by the ticket's id, which differs between runs.
            Write::CashOut(order) => of_account(order.account, b"cash-out"),
            Write::Rule(account, ..) => of_account(*account, b"rule"),
            Write::Results(results, _) => of_match(results.match_id),
            Write::Settle(work, ..) => of_match(work.match_id),
            Write::Save(owner, ..) | Write::Delete(owner) => of_owner(*owner),
        }
    }

    async fn apply(self, memory: &MemoryStore) -> Result<Done, StoreError> {
        Ok(match self {
            Write::Create(account) => Done::Created(memory.create(account).await?),
            Write::LogIn(session, login) => {
                memory.log_in(session, login).await?;
                Done::LoggedIn
            }
            Write::Place(bet) => Done::Placed(memory.place(*bet).await?),
            Write::KeepRefusal(refusal) => Done::Kept(memory.keep_refusal(refusal).await?),
            Write::CashOut(order) => Done::CashedOut(Box::new(memory.cash_out(*order).await?)),
            Write::Rule(account, ticket, rule) => {
                Done::RuleSet(Box::new(memory.set_cash_out_rule(account, &ticket, rule).await?))
            }
            Write::Results(results, now_ms) => Done::Results(memory.store_results(results, now_ms).await?),
            Write::Settle(work, scope, now_ms) => Done::Settled(memory.settle(work, scope, now_ms).await?),
            Write::Save(owner, expected, bytes, now_ms) => {
                Done::Saved(memory.save(owner, expected, bytes, now_ms).await?)
            }
            Write::Delete(owner) => Done::Deleted(memory.delete(owner).await?),
        })
    }

    /// Applies the write synchronously; the store in memory never waits.
    fn apply_now(self, memory: &MemoryStore) {
        let mut done = std::pin::pin!(self.apply(memory));
        let is_done = done.as_mut().poll(&mut std::task::Context::from_waker(std::task::Waker::noop())).is_ready();
        assert!(is_done, "the store in memory never waits");
    }
}

impl Disk {
    /// An empty disk without faults.
    pub(super) fn new(dice: Dice, feed_log: FeedLog) -> Disk {
        let inner = Arc::new(Mutex::new(Inner {
            dice,
            failed: 0,
            late_ms: 0,
            is_away: false,
            memory: Arc::default(),
            written: Vec::new(),
            waiting: BTreeMap::new(),
            asked: BTreeMap::new(),
            models: BTreeMap::new(),
            wrongs: Vec::new(),
            feed_log,
        }));
        Disk { inner, node: 0, life: Life::default() }
    }

    /// The stores on this disk, for a life of a node. Its bets are compared with its own offer.
    pub(super) fn stores(&self, node: usize, life: &Life) -> Stores {
        Stores::over(Disk { node, life: life.clone(), ..self.clone() })
    }

    /// The content, without faults, for checks.
    pub(super) fn memory(&self) -> Arc<MemoryStore> {
        Arc::clone(&self.lock().memory)
    }

    /// Sets the offer that the bets of a node are compared with.
    pub(super) fn watch(&self, node: usize, model: Arc<ReadModel>) {
        self.lock().models.insert(node, model);
    }

    /// Makes the store unavailable, or available again.
    pub(super) fn set_unavailable(&self, is_away: bool) {
        self.lock().is_away = is_away;
    }

    /// Starts the faults of a plan.
    pub(super) fn begin(&self, plan: &Plan) {
        let mut inner = self.lock();
        (inner.failed, inner.late_ms) = (plan.store_failed, plan.store_late_ms);
    }

    /// Ends all faults.
    pub(super) fn calm(&self) {
        let mut inner = self.lock();
        (inner.failed, inner.late_ms, inner.is_away) = (0, 0, false);
    }

    /// Crashes the process: of the pending writes, a random number of the first ones survive.
    pub(super) fn crash(&self) {
        let mut inner = self.lock();
        let waiting = std::mem::take(&mut inner.waiting);
        let kept = inner.dice.below(waiting.len() as u64 + 1) as usize;
        inner.written.extend(waiting.into_values().take(kept));
        inner.is_away = false;
        let memory = Arc::new(MemoryStore::new());
        for write in &inner.written {
            write.clone().apply_now(&memory);
        }
        inner.memory = memory;
        inner.models.clear();
    }

    /// Kills a node alone: of its pending writes, a random number of the first ones survive, and it gets no answer.
    pub(super) fn kill(&self, node: usize) {
        let mut inner = self.lock();
        let pending = inner.waiting.extract_if(.., |(of, ..), _| *of == node);
        let mut pending: Vec<Write> = pending.map(|(_, write)| write).collect();
        let kept = inner.dice.below(pending.len() as u64 + 1) as usize;
        pending.truncate(kept);
        for write in pending {
            inner.written.push(write.clone());
            write.apply_now(&inner.memory);
        }
    }

    /// The violations found in bets.
    pub(super) fn wrongs(&self) -> Vec<String> {
        self.lock().wrongs.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn away() -> StoreError {
        StoreError::Unavailable { cause: "the scenario says so".to_owned() }
    }

    /// The delays before and after an operation, and whether it fails. Random for each caller separately, because the
    /// order of several callers within 1 ms is not defined.
    fn fate(&self, asker: u64) -> Fate {
        let asker = asker.wrapping_add(self.node as u64);
        let mut inner = self.lock();
        let (failed, late_ms, is_away) = (inner.failed, inner.late_ms, inner.is_away);
        let asked = inner.asked.entry(asker).or_default();
        *asked += 1;
        let number = *asked;
        let mut dice = inner.dice.apart(asker).apart(number);
        let mut late = || Duration::from_millis(1 + dice.below(late_ms + 1));
        let (before, after) = (late(), late());
        let fails = dice.chance(failed).then(|| if dice.chance(500) { Fails::Before } else { Fails::After });
        Fate { number, before, after, fails: if is_away { Some(Fails::Before) } else { fails } }
    }

    /// What an operation returns; a dead node waits for it forever.
    async fn returned<T>(&self, done: T) -> T {
        if self.life.is_over() {
            std::future::pending::<()>().await;
        }
        done
    }

    /// A write that has started completes even if its caller stops waiting, as with the real stores.
    pub(super) async fn write(self, write: Write) -> Result<Done, StoreError> {
        #[expect(clippy::disallowed_methods, reason = "it ends within its time, or with the process")]
        let writing = tokio::spawn(self.write_through(write));
        writing.await.map_err(|_| Disk::away())?
    }

    async fn write_through(self, write: Write) -> Result<Done, StoreError> {
        let asker = write.asker();
        let Fate { number, before, after, fails } = self.fate(asker);
        if matches!(fails, Some(Fails::Before)) {
            sleep(before).await;
            return self.returned(Err(Disk::away())).await;
        }
        self.returned(()).await;
        let key = (self.node, asker, number);
        self.lock().waiting.insert(key, write.clone());
        sleep(before).await;
        self.returned(()).await;
        let memory = {
            let mut inner = self.lock();
            inner.waiting.remove(&key);
            inner.written.push(write.clone());
            Arc::clone(&inner.memory)
        };
        let done = write.apply(&memory).await;
        sleep(after).await;
        self.returned(if matches!(fails, Some(Fails::After)) { Err(Disk::away()) } else { done }).await
    }

    /// The content as a reader gets it: after a delay, or an error. Decided when it is called, not when it is polled.
    fn reading(&self, asker: u64) -> impl Future<Output = Result<Arc<MemoryStore>, StoreError>> + Send + 'static {
        let Fate { before, fails, .. } = self.fate(asker);
        let disk = self.clone();
        async move {
            sleep(before).await;
            disk.returned(if fails.is_some() { Err(Disk::away()) } else { Ok(disk.memory()) }).await
        }
    }

    /// Compares a bet with the current offer of its node.
    fn check_bet(&self, order: &PlaceBet) {
        let mut inner = self.lock();
        let Some(model) = inner.models.get(&self.node).filter(|_| !self.life.is_over()).cloned() else { return };
        let wrongs = bet_check::wrongs(&model, &inner.feed_log, order)
            .into_iter()
            .map(|what| format!("bet {:?} {what}", order.key));
        inner.wrongs.extend(wrongs);
    }
}

/// The fate of one operation.
struct Fate {
    number: u64,
    before: Duration,
    after: Duration,
    fails: Option<Fails>,
}

/// Whether a write fails before or after it is done.
#[derive(Clone, Copy)]
enum Fails {
    Before,
    After,
}

/// Runs a write and extracts the one kind of result that it can have.
macro_rules! wrote {
    ($disk:expr, $write:expr, $kind:pat => $answer:expr) => {{
        let disk = $disk.clone();
        let write = $write;
        Box::pin(async move {
            match disk.write(write).await? {
                $kind => Ok($answer),
                _ => Err(StoreError::Corrupt { cause: "another answer than the write's".to_owned() }),
            }
        })
    }};
}
pub(super) use wrote;

impl AccountStore for Disk {
    fn create(&self, account: NewAccount) -> StoreFuture<'_, Created> {
        wrote!(self, Write::Create(account), Done::Created(created) => created)
    }

    fn find<'a>(&'a self, name: &'a str) -> StoreFuture<'a, Option<Account>> {
        Box::pin(async move { self.memory().find(name).await })
    }

    fn account(&self, id: AccountId) -> StoreFuture<'_, Option<Account>> {
        Box::pin(async move { self.memory().account(id).await })
    }

    fn balance(&self, id: AccountId) -> StoreFuture<'_, Option<kvota_domain::money::Money>> {
        Box::pin(async move { self.memory().balance(id).await })
    }

    fn money(&self, id: AccountId) -> StoreFuture<'_, Option<AccountMoney>> {
        Box::pin(async move { self.memory().money(id).await })
    }

    fn log_in(&self, session: SessionId, login: NewLogin) -> StoreFuture<'_, ()> {
        wrote!(self, Write::LogIn(session, login), Done::LoggedIn => ())
    }

    fn login(&self, session: SessionId, now_ms: i64) -> StoreFuture<'_, Option<Login>> {
        let reading = self.reading(of_session(session));
        Box::pin(async move { reading.await?.login(session, now_ms).await })
    }

    fn renew_login(&self, _: SessionId, _: Login) -> StoreFuture<'_, bool> {
        Box::pin(async { Err(Disk::away()) })
    }

    fn log_out(&self, _: SessionId) -> StoreFuture<'_, bool> {
        Box::pin(async { Err(Disk::away()) })
    }

    fn sessions_of(&self, _: AccountId, _: i64) -> StoreFuture<'_, Vec<AccountSession>> {
        Box::pin(async { Err(Disk::away()) })
    }

    fn end_session(&self, _: AccountId, _: SessionKey) -> StoreFuture<'_, bool> {
        Box::pin(async { Err(Disk::away()) })
    }

    fn change_password(&self, _: PasswordChange) -> StoreFuture<'_, Option<Vec<SessionKey>>> {
        Box::pin(async { Err(Disk::away()) })
    }

    fn forget_ended_logins(&self, _: i64) -> StoreFuture<'_, u64> {
        Box::pin(async { Err(Disk::away()) })
    }
}

impl BetStore for Disk {
    fn place(&self, bet: PlaceBet) -> StoreFuture<'_, Placed> {
        self.check_bet(&bet);
        wrote!(self, Write::Place(Box::new(bet)), Done::Placed(placed) => placed)
    }

    fn keep_refusal(&self, refusal: KeepRefusal) -> StoreFuture<'_, Kept> {
        wrote!(self, Write::KeepRefusal(refusal), Done::Kept(kept) => kept)
    }

    fn find_key(&self, account: AccountId, key: IdempotencyKey) -> StoreFuture<'_, Option<KeyRecord>> {
        let reading = self.reading(of_account(account, &key.0));
        Box::pin(async move { reading.await?.find_key(account, key).await })
    }

    fn facts<'a>(
        &'a self,
        account: AccountId,
        matches: &'a [MatchId],
        limits: PlacingLimits,
        now_ms: i64,
    ) -> StoreFuture<'a, Option<AccountFacts>> {
        let reading = self.reading(of_account(account, b"facts"));
        Box::pin(async move { reading.await?.facts(account, matches, limits, now_ms).await })
    }

    fn tickets<'a>(
        &'a self,
        account: AccountId,
        filter: TicketFilter,
        after: Option<&'a TicketId>,
        limit: u32,
    ) -> StoreFuture<'a, Option<TicketPage>> {
        Box::pin(async move { self.memory().tickets(account, filter, after, limit).await })
    }

    fn numbered_ticket(&self, account: AccountId, number: TicketNumber) -> StoreFuture<'_, Option<StoredBet>> {
        Box::pin(async move { self.memory().numbered_ticket(account, number).await })
    }

    fn settlements<'a>(
        &'a self,
        account: AccountId,
        ticket: &'a TicketId,
    ) -> StoreFuture<'a, Vec<(BetState, StoredSettlement)>> {
        Box::pin(async move { self.memory().settlements(account, ticket).await })
    }

    fn ticket<'a>(&'a self, account: AccountId, ticket: &'a TicketId) -> StoreFuture<'a, Option<StoredBet>> {
        Box::pin(async move { self.memory().ticket(account, ticket).await })
    }
}

impl SessionStore for Disk {
    fn load(&self, owner: SessionOwner) -> StoreFuture<'_, Option<SavedSession>> {
        let reading = self.reading(of_owner(owner));
        Box::pin(async move { reading.await?.load(owner).await })
    }

    fn save(&self, owner: SessionOwner, expected: u64, bytes: Vec<u8>, now_ms: i64) -> StoreFuture<'_, SessionSaved> {
        wrote!(self, Write::Save(owner, expected, bytes, now_ms), Done::Saved(saved) => saved)
    }

    fn delete(&self, owner: SessionOwner) -> StoreFuture<'_, bool> {
        wrote!(self, Write::Delete(owner), Done::Deleted(deleted) => deleted)
    }

    fn forget_anonymous(&self, _: i64, _: u64) -> StoreFuture<'_, u64> {
        Box::pin(async { Err(Disk::away()) })
    }
}

impl StoreCare for Disk {
    fn ping(&self) -> StoreFuture<'_, ()> {
        let is_away = self.lock().is_away;
        Box::pin(async move { if is_away { Err(Disk::away()) } else { Ok(()) } })
    }

    fn audit(&self) -> StoreFuture<'_, AuditReport> {
        Box::pin(async { self.memory().audit().await })
    }

    fn close(&self) -> StoreFuture<'_, ()> {
        Box::pin(async { Ok(()) })
    }
}
