//! Reads the open bets of accounts for their connections, so that no client can occupy the store: an account has at most
//! one read at a time, which answers all its connections that asked before it began; all accounts together have a few.
//! Must not decide which connection receives bets.

use crate::hub::limits::{OPEN_BETS_EVERY_MS, OPEN_BETS_READS_MAX};
use kvota_domain::bet::{AccountId, AccountMoney, StoredBet};
use kvota_store::{StoreError, Stores, TicketFilter};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep_until};

/// At most this many open bets are sent to one connection. The client reads older ones from `account/tickets`.
const OPEN_BETS_MAX: usize = 5_000;
/// Bets per read from the store.
const BETS_A_PAGE: u32 = 1_000;

/// Open bets and money of an account; `None` if there is no such account.
pub(super) type OpenBetsAndMoney = Option<(Arc<[StoredBet]>, AccountMoney)>;

/// The reads of all accounts of this node. Clones share them.
#[derive(Clone, Debug)]
pub struct OpenBetsReads {
    accounts: Arc<Mutex<HashMap<AccountId, Arc<AccountReads>>>>,
    places: Arc<Semaphore>,
}

impl Default for OpenBetsReads {
    fn default() -> OpenBetsReads {
        OpenBetsReads { accounts: Arc::default(), places: Arc::new(Semaphore::new(OPEN_BETS_READS_MAX)) }
    }
}

/// The reads of one account: only the holder of the lock reads.
type AccountReads = tokio::sync::Mutex<Option<Read>>;

/// The newest read.
#[derive(Debug)]
struct Read {
    begun: Instant,
    result: OpenBetsAndMoney,
}

impl OpenBetsReads {
    /// The open bets and the money of an account, as of this call or later.
    ///
    /// # Errors
    /// The store failed.
    pub(super) async fn read(&self, stores: &Stores, account: AccountId) -> Result<OpenBetsAndMoney, StoreError> {
        let asked = Instant::now();
        let reads = Arc::clone(self.lock().entry(account).or_default());
        let result = self.read_once(stores, account, asked, &reads).await;
        // The last reader forgets the account; the map holds the other reference.
        self.forget_if_unused(account, reads);
        result
    }

    async fn read_once(
        &self,
        stores: &Stores,
        account: AccountId,
        asked: Instant,
        reads: &AccountReads,
    ) -> Result<OpenBetsAndMoney, StoreError> {
        let mut newest = reads.lock().await;
        if let Some(read) = &*newest {
            if read.begun >= asked {
                return Ok(read.result.clone());
            }
            sleep_until(read.begun + Duration::from_millis(OPEN_BETS_EVERY_MS)).await;
        }
        // The semaphore is never closed.
        let _place = self.places.acquire().await;
        let begun = Instant::now();
        let result = read(stores, account).await?;
        *newest = Some(Read { begun, result: result.clone() });
        Ok(result)
    }

    fn forget_if_unused(&self, account: AccountId, reads: Arc<AccountReads>) {
        let mut accounts = self.lock();
        drop(reads);
        if accounts.get(&account).is_some_and(|held| Arc::strong_count(held) == 1) {
            accounts.remove(&account);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<AccountId, Arc<AccountReads>>> {
        self.accounts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn read(stores: &Stores, account: AccountId) -> Result<OpenBetsAndMoney, StoreError> {
    let (mut bets, mut after) = (Vec::new(), None);
    while bets.len() < OPEN_BETS_MAX {
        let page = stores.bets.tickets(account, TicketFilter::Open, after.as_ref(), BETS_A_PAGE).await?;
        let Some(page) = page else { break };
        bets.extend(page.tickets);
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    let money = stores.accounts.money(account).await?;
    Ok(money.map(|money| (bets.into(), money)))
}
