//! The register of excluded players (CONTRACT 9): asked at registration, at login, and before a bet or a deposit if the
//! last answer is too old. The state, not the operator, runs it, so it may be slow or away at any time.
//!
//! Must never accept a bet without a good answer that is recent enough, and must not know how the register is reached.

use crate::betting::limits::{
    REGISTER_ANSWER_MS_MAX, REGISTER_ANSWERS_MAX, REGISTER_NEW_PLAYER_WAIT_MS_MAX, REGISTER_NEW_PLAYERS_MAX,
    REGISTER_OUTAGE_MS_MAX,
};
use kvota_domain::ticket::Rejection;
use kvota_store::{Account, AccountId, AccountStore, StoreError};
use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// The register did not answer, or not with an answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the register of excluded players does not answer: {0}")]
pub struct RegisterFailed(pub String);

/// The future of a question.
pub type RegisterFuture = Pin<Box<dyn Future<Output = Result<bool, RegisterFailed>> + Send>>;

/// Reaches the register.
pub trait RegisterClient: Send + Sync + 'static {
    /// Whether this player is excluded. Takes at most a few seconds.
    fn is_blocked(&self, subject_id: String) -> RegisterFuture;
}

/// What happens while the register does not answer (`protection.register_unreachable`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Unreachable {
    /// No bet, no deposit and no registration is accepted.
    #[default]
    Refuse,
    /// The last good answer counts for an hour.
    Allow,
}

/// What the register says about a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Not excluded.
    Clear,
    /// Excluded.
    Blocked,
    /// It does not answer, and no answer is recent enough.
    Unknown,
}

/// What the register says about a player without an account; to be kept once there is one.
#[derive(Clone, Copy)]
pub struct NewPlayerStanding(Option<Option<LastAnswer>>);

impl NewPlayerStanding {
    /// Its meaning.
    pub fn standing(self) -> Standing {
        match self.0 {
            None => Standing::Clear,
            Some(answer) => answer.map_or(Standing::Unknown, LastAnswer::standing),
        }
    }
}

/// The register with its last answers. Clones share it.
#[derive(Clone, Default)]
pub struct PlayerRegister(Option<Arc<Inner>>);

struct Inner {
    client: Arc<dyn RegisterClient>,
    unreachable: Unreachable,
    now_ms: fn() -> i64,
    answers: Mutex<HashMap<AccountId, LastAnswer>>,
    /// The questions about accounts that run or wait: one at a time for each.
    asking: Mutex<HashMap<AccountId, Arc<Asking>>>,
    /// Places for questions about players without an account. Anybody can ask those, and bettors must not wait for them.
    new_players: Semaphore,
}

/// The time and the outcome of the newest question about an account.
type Asking = tokio::sync::Mutex<Option<(i64, Option<LastAnswer>)>>;

#[derive(Clone, Copy)]
struct LastAnswer {
    is_blocked: bool,
    at_ms: i64,
    /// Another node may have a newer one: ask again, but use it if the register does not answer.
    is_doubtful: bool,
}

impl LastAnswer {
    fn standing(self) -> Standing {
        if self.is_blocked { Standing::Blocked } else { Standing::Clear }
    }
}

impl PlayerRegister {
    /// The register that this client reaches. The default is no register: every player is clear.
    pub fn new(client: Arc<dyn RegisterClient>, unreachable: Unreachable, now_ms: fn() -> i64) -> PlayerRegister {
        PlayerRegister(Some(Arc::new(Inner {
            client,
            unreachable,
            now_ms,
            answers: Mutex::default(),
            asking: Mutex::default(),
            new_players: Semaphore::new(REGISTER_NEW_PLAYERS_MAX),
        })))
    }

    /// Asks about a player without an account.
    pub async fn of_new_player(&self, subject_id: String) -> NewPlayerStanding {
        let Some(inner) = &self.0 else { return NewPlayerStanding(None) };
        let wait = Duration::from_millis(REGISTER_NEW_PLAYER_WAIT_MS_MAX);
        // The semaphore is never closed.
        let answer = match timeout(wait, inner.new_players.acquire()).await {
            Ok(_place) => inner.ask(subject_id).await,
            Err(_) => None,
        };
        NewPlayerStanding(Some(answer))
    }

    /// Keeps the answer that a player got at the registration of an account.
    pub fn keep(&self, account: AccountId, standing: NewPlayerStanding) {
        if let (Some(inner), Some(Some(answer))) = (&self.0, standing.0) {
            inner.keep(account, answer);
        }
    }

    /// Asks about the player of an account, for example at a login.
    pub async fn ask(&self, account: AccountId, subject_id: String) -> Standing {
        match &self.0 {
            None => Standing::Clear,
            Some(inner) => inner.renewed(account, subject_id).await,
        }
    }

    /// Forgets the last answer about the player of an account: another node may have got a newer one.
    pub fn forget(&self, account: AccountId) {
        if let Some(inner) = &self.0 {
            inner.lock().remove(&account);
        }
    }

    /// Answers of this node may be older than those of other nodes: each player is asked about again before the next bet.
    pub fn doubt_all(&self) {
        if let Some(inner) = &self.0 {
            inner.lock().values_mut().for_each(|answer| answer.is_doubtful = true);
        }
    }

    /// Why the register lets an account neither bet nor deposit now; `None` if it does.
    ///
    /// # Errors
    /// The store failed, or does not have the account.
    pub async fn obstacle(&self, accounts: &dyn AccountStore, id: AccountId) -> Result<Option<Rejection>, StoreError> {
        let subject = async {
            let account = accounts.account(id).await?;
            let missing = || StoreError::Corrupt { cause: format!("there is no account {id}") };
            account.map(|account| subject_id(&account)).ok_or_else(missing)
        };
        Ok(match self.standing(id, subject).await? {
            Standing::Clear => None,
            Standing::Blocked => Some(Rejection::InRegister),
            Standing::Unknown => Some(Rejection::RegisterUnknown),
        })
    }

    /// The last answer about the player of an account; asks again if it is too old. `subject_id` is read only then.
    ///
    /// # Errors
    /// Those of `subject_id`.
    pub async fn standing<E>(
        &self,
        account: AccountId,
        subject_id: impl Future<Output = Result<String, E>>,
    ) -> Result<Standing, E> {
        let Some(inner) = &self.0 else { return Ok(Standing::Clear) };
        match inner.last(account, REGISTER_ANSWER_MS_MAX).filter(|answer| !answer.is_doubtful) {
            Some(answer) => Ok(answer.standing()),
            None => Ok(inner.renewed(account, subject_id.await?).await),
        }
    }
}

/// The player's name in the register.
pub fn subject_id(account: &Account) -> String {
    account.external_id.clone().unwrap_or_else(|| account.name.clone())
}

impl Inner {
    async fn ask(&self, subject_id: String) -> Option<LastAnswer> {
        // The time of the question: of two at once, the later one counts.
        let at_ms = (self.now_ms)();
        match self.client.is_blocked(subject_id).await {
            Ok(is_blocked) => Some(LastAnswer { is_blocked, at_ms, is_doubtful: false }),
            Err(error) => {
                metrics::counter!("kvota_register_failures_total").increment(1);
                tracing::warn!("{error}");
                None
            }
        }
    }

    /// Asks about an account. Callers that come while a question waits share its outcome.
    async fn ask_once(&self, account: AccountId, subject_id: String) -> Option<LastAnswer> {
        let asked_ms = (self.now_ms)();
        let asking = Arc::clone(self.asking().entry(account).or_default());
        let outcome = {
            let mut newest = asking.lock().await;
            match *newest {
                Some((at_ms, outcome)) if at_ms >= asked_ms => outcome,
                _ => {
                    let at_ms = (self.now_ms)();
                    let outcome = self.ask(subject_id).await;
                    *newest = Some((at_ms, outcome));
                    outcome
                }
            }
        };
        let mut running = self.asking();
        drop(asking);
        if running.get(&account).is_some_and(|held| Arc::strong_count(held) == 1) {
            running.remove(&account);
        }
        outcome
    }

    fn asking(&self) -> MutexGuard<'_, HashMap<AccountId, Arc<Asking>>> {
        self.asking.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn renewed(&self, account: AccountId, subject_id: String) -> Standing {
        match self.ask_once(account, subject_id).await {
            Some(answer) => {
                self.keep(account, answer);
                answer.standing()
            }
            None if self.unreachable == Unreachable::Refuse => Standing::Unknown,
            None => self.last(account, REGISTER_OUTAGE_MS_MAX).map_or(Standing::Unknown, LastAnswer::standing),
        }
    }

    /// The last answer, if it is not older than this.
    fn last(&self, account: AccountId, ms: i64) -> Option<LastAnswer> {
        let now_ms = (self.now_ms)();
        let answer = self.lock().get(&account).copied();
        answer.filter(|answer| (0..=ms).contains(&now_ms.saturating_sub(answer.at_ms)))
    }

    fn keep(&self, account: AccountId, answer: LastAnswer) {
        let mut answers = self.lock();
        if let Some(held) = answers.get_mut(&account) {
            if held.at_ms <= answer.at_ms {
                *held = answer;
            }
            return;
        }
        if answers.len() >= REGISTER_ANSWERS_MAX {
            answers.retain(|_, held| answer.at_ms.saturating_sub(held.at_ms) <= REGISTER_OUTAGE_MS_MAX);
        }
        // Without a place the next bet asks again.
        if answers.len() < REGISTER_ANSWERS_MAX {
            answers.insert(account, answer);
        }
    }

    /// No code panics while it holds the lock.
    fn lock(&self) -> MutexGuard<'_, HashMap<AccountId, LastAnswer>> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for PlayerRegister {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PlayerRegister").field(&self.0.is_some()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicI64, AtomicU8, AtomicUsize, Ordering};

    const MINUTE_MS: i64 = 60_000;

    thread_local! {
        static NOW_MS: AtomicI64 = const { AtomicI64::new(0) };
    }

    fn now_ms() -> i64 {
        NOW_MS.with(|now| now.load(Ordering::Relaxed))
    }

    fn at(minutes: i64) {
        NOW_MS.with(|now| now.store(minutes * MINUTE_MS, Ordering::Relaxed));
    }

    /// Answers 0 clear, 1 blocked, 2 not at all.
    #[derive(Default)]
    struct Fake {
        answer: AtomicU8,
        asked: AtomicUsize,
    }

    impl RegisterClient for Fake {
        fn is_blocked(&self, _: String) -> RegisterFuture {
            self.asked.fetch_add(1, Ordering::Relaxed);
            let answer = match self.answer.load(Ordering::Relaxed) {
                0 => Ok(false),
                1 => Ok(true),
                _ => Err(RegisterFailed("away".to_owned())),
            };
            Box::pin(async move {
                tokio::task::yield_now().await;
                answer
            })
        }
    }

    fn register(unreachable: Unreachable) -> (Arc<Fake>, PlayerRegister) {
        let fake = Arc::new(Fake::default());
        (Arc::clone(&fake), PlayerRegister::new(fake, unreachable, now_ms))
    }

    async fn standing(register: &PlayerRegister) -> Standing {
        let account = AccountId::bettor(7).unwrap();
        register.standing(account, async { Ok::<_, ()>("ana".to_owned()) }).await.unwrap()
    }

    #[tokio::test]
    async fn an_answer_counts_for_fifteen_minutes() {
        let (fake, register) = register(Unreachable::Refuse);
        for (minutes, answer, expected, asked) in
            [(0, 0, Standing::Clear, 1), (15, 1, Standing::Clear, 1), (16, 1, Standing::Blocked, 2)]
        {
            at(minutes);
            fake.answer.store(answer, Ordering::Relaxed);
            assert_eq!(standing(&register).await, expected, "{minutes}");
            assert_eq!(fake.asked.load(Ordering::Relaxed), asked, "{minutes}");
        }
    }

    #[tokio::test]
    async fn outage_refuses_at_once_or_allows_for_an_hour_after_a_good_answer() {
        for (unreachable, after_20, after_61) in [
            (Unreachable::Refuse, Standing::Unknown, Standing::Unknown),
            (Unreachable::Allow, Standing::Clear, Standing::Unknown),
        ] {
            let (fake, register) = register(unreachable);
            at(0);
            assert_eq!(standing(&register).await, Standing::Clear);
            fake.answer.store(2, Ordering::Relaxed);
            at(20);
            assert_eq!(standing(&register).await, after_20);
            at(61);
            assert_eq!(standing(&register).await, after_61);
            assert_eq!(register.of_new_player("iva".to_owned()).await.standing(), Standing::Unknown);
        }
    }

    #[tokio::test]
    async fn player_who_was_blocked_stays_blocked_during_an_outage() {
        let (fake, register) = register(Unreachable::Allow);
        at(0);
        fake.answer.store(1, Ordering::Relaxed);
        assert_eq!(register.ask(AccountId::bettor(7).unwrap(), "ana".to_owned()).await, Standing::Blocked);
        fake.answer.store(2, Ordering::Relaxed);
        at(30);
        assert_eq!(standing(&register).await, Standing::Blocked);
    }

    #[tokio::test]
    async fn forgotten_answer_is_asked_for_again() {
        let (fake, register) = register(Unreachable::Refuse);
        at(0);
        assert_eq!(standing(&register).await, Standing::Clear);
        fake.answer.store(1, Ordering::Relaxed);
        register.forget(AccountId::bettor(7).unwrap());
        assert_eq!(standing(&register).await, Standing::Blocked);
    }

    #[tokio::test]
    async fn answer_at_the_registration_counts_for_the_account() {
        let (fake, register) = register(Unreachable::Allow);
        at(0);
        let account = AccountId::bettor(7).unwrap();
        register.keep(account, register.of_new_player("ana".to_owned()).await);
        fake.answer.store(2, Ordering::Relaxed);
        at(20);
        assert_eq!(standing(&register).await, Standing::Clear);
        at(61);
        assert_eq!(standing(&register).await, Standing::Unknown);
    }

    #[tokio::test]
    async fn doubtful_answer_is_asked_for_again_and_still_counts_in_an_outage() {
        for (answer, expected) in [(1, Standing::Blocked), (2, Standing::Clear)] {
            let (fake, register) = register(Unreachable::Allow);
            at(0);
            assert_eq!(standing(&register).await, Standing::Clear);
            register.doubt_all();
            fake.answer.store(answer, Ordering::Relaxed);
            assert_eq!(standing(&register).await, expected);
        }
    }

    #[tokio::test]
    async fn bets_of_an_account_at_the_same_moment_ask_once() {
        let (fake, register) = register(Unreachable::Refuse);
        at(0);
        let standings = futures_util::future::join_all((0..16).map(|_| standing(&register))).await;
        assert!(standings.iter().all(|standing| *standing == Standing::Clear));
        assert_eq!(fake.asked.load(Ordering::Relaxed), 1);
    }

    #[tokio::test]
    async fn without_a_register_every_player_is_clear() {
        let register = PlayerRegister::default();
        assert_eq!(standing(&register).await, Standing::Clear);
        assert_eq!(register.of_new_player("ana".to_owned()).await.standing(), Standing::Clear);
    }
}
