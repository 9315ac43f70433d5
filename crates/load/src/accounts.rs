//! Opens the bettors' accounts before the run starts: each registration costs the server a password hash, which is not
//! part of the load. On a loopback the registrations use several local addresses, because the server limits them per
//! address.

use super::fault::Fault;
use super::http::{Line, Request};
use super::random::Random;
use super::target::{Endpoint, Target};
use serde_json::json;
use std::time::Duration;

/// Time limit of one registration; at the server many of them wait for each other.
const LIMIT: Duration = Duration::from_secs(60);
/// Registrations at the same time.
const AT_ONCE: u32 = 4;
/// Attempts for one registration while the server answers that it should be tried later.
const TRIES: u32 = 30;

/// A signed-in account.
#[derive(Clone, PartialEq, Eq, Debug)]
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

/// Opens this many accounts; `stamp` makes their names unique.
///
/// # Errors
/// The first account that cannot be opened.
pub async fn open(
    target: &Target,
    wanted: u32,
    stamp: i64,
    seed: u64,
    mut opened: impl FnMut(u32),
) -> Result<Vec<Account>, NoAccount> {
    let mut accounts = Vec::new();
    let numbers: Vec<u32> = (0..wanted).collect();
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
