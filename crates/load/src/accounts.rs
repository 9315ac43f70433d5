//! Opens the bettors' accounts before the run starts: each registration costs the server a password hash, which is not
//! part of the load. On a loopback the registrations use several local addresses, because the server limits them per
//! address. Accounts of an earlier run are used again, if the server still knows them and they have enough money.

use super::fault::Fault;
use super::http::{Line, Request};
use super::random::Random;
use super::target::{Endpoint, Target};
use kvota_domain::money::Money;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fs::File;
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Time limit of one registration; at the server many of them wait for each other.
const LIMIT: Duration = Duration::from_secs(60);
/// Registrations at the same time.
const AT_ONCE: u32 = 4;
/// Attempts for one registration while the server answers that it should be tried later.
const TRIES: u32 = 30;

/// Known accounts that are asked for at the same time.
const ASKED_AT_ONCE: usize = 16;
/// An account is used again if it has the money for this number of bets.
const BETS_MIN: i64 = 50;

/// A signed-in account.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Account {
    /// Its number in the run; it decides the local address of its calls.
    pub number: u32,
    /// Its session cookie, `name=value`.
    pub cookie: String,
}

/// Why an account could not be opened.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("account {number} of {wanted} could not be opened: {fault}")]
pub struct NoAccount {
    /// Its number.
    number: u32,
    /// The number of accounts requested.
    wanted: u32,
    /// The cause.
    fault: Fault,
}

/// The accounts of earlier runs against a server. Only one load tester at a time has them.
#[derive(Debug)]
pub struct KnownAccounts {
    path: PathBuf,
    /// Locked while it is open.
    _lock: File,
}

/// Where the accounts of a server are kept: in the user's folder for caches.
pub fn usual_file(host: &str, part: u32) -> Option<PathBuf> {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")))?;
    let plain: String = host.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    Some(cache.join("kvota").join("load").join(format!("{plain}-{part}.json")))
}

impl KnownAccounts {
    /// Opens the file; `None` if another load tester has it, or if it cannot be written.
    pub fn lock(path: &Path) -> Option<KnownAccounts> {
        std::fs::create_dir_all(path.parent()?).ok()?;
        // The file is replaced when it is written, so another one is locked.
        let lock = File::options().create(true).append(true).mode(0o600).open(path.with_extension("lock")).ok()?;
        lock.try_lock().ok()?;
        Some(KnownAccounts { path: path.to_owned(), _lock: lock })
    }

    fn read(&self) -> Vec<Account> {
        std::fs::read(&self.path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    /// Stores the accounts; their cookies are secrets of the user.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, accounts: &[Account]) -> io::Result<()> {
        let next = self.path.with_extension("next");
        let file = File::options().create(true).write(true).truncate(true).mode(0o600).open(&next)?;
        serde_json::to_writer(file, accounts)?;
        std::fs::rename(next, &self.path)
    }

    /// Those that the server still knows and that have enough money.
    pub async fn usable(&self, target: &Target, most: u32, stake: &str) -> Vec<Account> {
        let mut usable = Vec::new();
        let needed = Money::parse(stake).map_or(0, |stake| stake.cents().saturating_mul(BETS_MIN));
        let all = self.read();
        for group in all.chunks(ASKED_AT_ONCE) {
            let asked = group.iter().map(|account| async move {
                let balance = balance(target.account_endpoint(account.number), &account.cookie).await;
                balance.filter(|balance| balance.cents() >= needed).map(|_| account.clone())
            });
            usable.extend(futures_util::future::join_all(asked).await.into_iter().flatten());
            // A server that knows none of the first ones is a new one.
            if usable.is_empty() || usable.len() >= most as usize {
                break;
            }
        }
        usable.truncate(most as usize);
        usable
    }
}

async fn balance(endpoint: Endpoint, cookie: &str) -> Option<Money> {
    let get = Request::get("/api/v1/live/user-status", LIMIT);
    let answer = Line::new(endpoint).call(&Request { cookie: Some(cookie), keeps_body: true, ..get }).await.ok()?;
    let status: Value = serde_json::from_slice(&answer.body).ok()?;
    (answer.status == 200).then(|| Money::parse(status["balance"].as_str()?)).flatten()
}

/// Opens accounts until there are as many as wanted; `stamp` makes their names unique.
///
/// # Errors
/// The first account that cannot be opened.
pub async fn open(
    target: &Target,
    known: Vec<Account>,
    wanted: u32,
    stamp: i64,
    seed: u64,
    mut opened: impl FnMut(u32),
) -> Result<Vec<Account>, NoAccount> {
    let mut accounts = known;
    let first = accounts.iter().map(|account| account.number + 1).max().unwrap_or_default();
    let missing = wanted.saturating_sub(u32::try_from(accounts.len()).unwrap_or(wanted));
    let numbers: Vec<u32> = (first..first + missing).collect();
    for group in numbers.chunks(AT_ONCE as usize) {
        let group = group.iter().map(|number| async move {
            let named = format!("load-{stamp:x}-{number}");
            let password = Random::new(seed, u64::from(*number) ^ stamp.unsigned_abs()).uuid();
            let registered = register(target.account_endpoint(*number), &named, &password).await;
            let account = registered.map(|cookie| Account { number: *number, cookie });
            account.map_err(|fault| NoAccount { number: *number, wanted, fault })
        });
        accounts.extend(futures_util::future::try_join_all(group).await?);
        opened(u32::try_from(accounts.len()).unwrap_or(wanted));
    }
    Ok(accounts)
}

/// Opens one account; returns its session cookie.
///
/// # Errors
/// The server rejects it.
pub(crate) async fn register(endpoint: Endpoint, name: &str, password: &str) -> Result<String, Fault> {
    let body = json!({"name": name, "password": password}).to_string();
    let mut line = Line::new(endpoint);
    let mut fault = Fault::NoAnswer;
    for _ in 0..TRIES {
        let answer = line.call(&Request::post("/api/v1/account/register", &body, LIMIT)).await?;
        match (answer.status, answer.cookie) {
            (201, Some(cookie)) => return Ok(cookie),
            (status @ (429 | 503), _) => fault = Fault::Status(status),
            (status, _) => return Err(Fault::Status(status)),
        }
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
    Err(fault)
}
