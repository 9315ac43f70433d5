//! Limits how often passwords, registrations and bets may be tried on this node; the store counts passwords over all
//! nodes ([`LoginTries::shared`]). Must not keep a name or a password in memory: names are stored as digests.

use super::known_browser::BrowserId;
use super::name_key::NameKey;
use crate::http::error::ApiError;
use crate::http::limits::{
    ACCOUNT_CALLS_PER_MINUTE_MAX, ADDRESS_CALLS_PER_MINUTE_MAX, BETS_MAX, BETS_WINDOW_MS,
    CORRECT_PASSWORDS_PER_ACCOUNT_MAX, LIMIT_CHANGES_PER_DAY_MAX, LIMIT_CHANGES_PER_MINUTE_MAX,
    LOGIN_TRIES_PER_ACCOUNT_MAX, LOGIN_TRIES_PER_ADDRESS_MAX, LOGIN_TRIES_PER_NAME_MAX, REGISTRATIONS_PER_ADDRESS_MAX,
    UNLISTED_PROXY_FACTOR,
};
use crate::http::rate_limit::{RateLimit, Source};
use kvota_store::AccountId;
use kvota_store::nodes::Attempt;
use sha2::{Digest, Sha256};
use std::net::IpAddr;
use std::time::Duration;
use tokio::time::Instant;

pub(super) const MINUTE: Duration = Duration::from_secs(60);
const DAY: Duration = Duration::from_secs(24 * 3_600);

/// Limits of tries.
#[derive(Debug)]
pub struct Tries {
    pub(super) logins: LoginTries,
    registrations: ByAddress,
    /// Calls of `send-ticket`, by account.
    pub(in crate::http) bets: RateLimit<AccountId>,
    /// Correct passwords, by name.
    correct_passwords: RateLimit<NameKey>,
    limits_per_minute: RateLimit<AccountId>,
    limits_per_day: RateLimit<AccountId>,
    /// Calls that read the store for a login, by account and by address.
    calls: RateLimit<AccountId>,
    calls_of_address: ByAddress,
}

impl Default for Tries {
    fn default() -> Tries {
        Tries::new(REGISTRATIONS_PER_ADDRESS_MAX)
    }
}

impl Tries {
    /// Empty counts, with this many registrations per minute from one address.
    pub fn new(registrations_per_minute: usize) -> Tries {
        Tries {
            logins: LoginTries {
                by_name: RateLimit::new(LOGIN_TRIES_PER_NAME_MAX, MINUTE),
                by_name_and_origin: RateLimit::new(LOGIN_TRIES_PER_ACCOUNT_MAX, MINUTE),
                by_address: ByAddress::new(LOGIN_TRIES_PER_ADDRESS_MAX),
            },
            registrations: ByAddress::new(registrations_per_minute),
            bets: RateLimit::new(BETS_MAX, Duration::from_millis(BETS_WINDOW_MS)),
            correct_passwords: RateLimit::new(CORRECT_PASSWORDS_PER_ACCOUNT_MAX, MINUTE),
            limits_per_minute: RateLimit::new(LIMIT_CHANGES_PER_MINUTE_MAX, MINUTE),
            limits_per_day: RateLimit::new(LIMIT_CHANGES_PER_DAY_MAX, DAY),
            calls: RateLimit::new(ACCOUNT_CALLS_PER_MINUTE_MAX, MINUTE),
            calls_of_address: ByAddress::new(ADDRESS_CALLS_PER_MINUTE_MAX),
        }
    }

    /// Counts a correct password. Call it before the password is checked, and undo it with
    /// [`Tries::was_not_correct`].
    ///
    /// # Errors
    /// [`ApiError::TooMany`].
    pub(super) fn correct_password(&self, name: NameKey, now: Instant) -> Result<(), ApiError> {
        self.correct_passwords.take(name, now)
    }

    /// The password was wrong, or could not be checked.
    pub(super) fn was_not_correct(&self, name: NameKey) {
        self.correct_passwords.give_back(&name);
    }

    /// Counts a change of limits.
    ///
    /// # Errors
    /// [`ApiError::TooMany`].
    pub(super) fn change_limits(&self, account: AccountId, now: Instant) -> Result<(), ApiError> {
        self.limits_per_minute.take(account, now)?;
        self.limits_per_day.take(account, now).inspect_err(|_| self.limits_per_minute.give_back(&account))
    }

    /// Counts a call with a session cookie, before the store is asked for its login.
    ///
    /// # Errors
    /// [`ApiError::TooMany`].
    pub(super) fn call_of_address(&self, source: Source, now: Instant) -> Result<(), ApiError> {
        self.calls_of_address.of(source).take(source.network, now)
    }

    /// Counts a call of an account.
    ///
    /// # Errors
    /// [`ApiError::TooMany`].
    pub(super) fn call(&self, account: AccountId, now: Instant) -> Result<(), ApiError> {
        self.calls.take(account, now)
    }

    /// Counts a registration.
    ///
    /// # Errors
    /// [`ApiError::TooMany`].
    pub(super) fn register(&self, source: Source, now: Instant) -> Result<(), ApiError> {
        self.registrations.of(source).take(source.network, now)
    }
}

/// A limit by address; higher for an address that is probably a proxy.
#[derive(Debug)]
struct ByAddress {
    clients: RateLimit<IpAddr>,
    unlisted_proxies: RateLimit<IpAddr>,
}

impl ByAddress {
    fn new(count: usize) -> ByAddress {
        ByAddress {
            clients: RateLimit::new(count, MINUTE),
            unlisted_proxies: RateLimit::new(count.saturating_mul(UNLISTED_PROXY_FACTOR), MINUTE),
        }
    }

    fn of(&self, source: Source) -> &RateLimit<IpAddr> {
        if source.is_unlisted_proxy { &self.unlisted_proxies } else { &self.clients }
    }
}

/// Where a password is tried.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Origin {
    /// In a browser in which the account has logged in before.
    KnownBrowser(BrowserId),
    /// Anywhere else.
    Elsewhere(Source),
}

/// Counts failed logins. A known browser has only its own limit, so that wrong passwords from elsewhere cannot lock out
/// the account's owner.
#[derive(Debug)]
pub(super) struct LoginTries {
    by_name: RateLimit<NameKey>,
    by_name_and_origin: RateLimit<(NameKey, Origin)>,
    by_address: ByAddress,
}

impl LoginTries {
    /// Counts a try. Call it before the password is checked, so that parallel tries are limited like successive ones.
    ///
    /// # Errors
    /// [`ApiError::TooMany`]; a rejected try is not counted.
    pub(super) fn take(&self, name: NameKey, origin: Origin, now: Instant) -> Result<(), ApiError> {
        self.by_name_and_origin.take((name, origin), now)?;
        let Origin::Elsewhere(source) = origin else { return Ok(()) };
        let of_address = self.by_address.of(source).take(source.network, now);
        let taken = of_address.and_then(|()| {
            let of_name = self.by_name.take(name, now);
            of_name.inspect_err(|_| self.by_address.of(source).give_back(&source.network))
        });
        taken.inspect_err(|_| self.by_name_and_origin.give_back(&(name, origin)))
    }

    /// The limits that a try counts for over all nodes.
    pub(super) fn shared(&self, name: NameKey, origin: Origin) -> Vec<Attempt> {
        let attempt = |key: String, max| Attempt { key: Sha256::digest(key)[..16].to_vec(), max };
        let named = name.to_text();
        let Origin::Elsewhere(source) = origin else {
            return vec![attempt(format!("{named} {origin:?}"), LOGIN_TRIES_PER_ACCOUNT_MAX)];
        };
        let per_address = self.by_address.of(source).count();
        vec![
            attempt(format!("{named} {}", source.network), LOGIN_TRIES_PER_ACCOUNT_MAX),
            attempt(source.network.to_string(), per_address),
            attempt(named, LOGIN_TRIES_PER_NAME_MAX),
        ]
    }

    /// Undoes the count of a try that was not a wrong password.
    pub(super) fn give_back(&self, name: NameKey, origin: Origin) {
        self.by_name_and_origin.give_back(&(name, origin));
        if let Origin::Elsewhere(source) = origin {
            self.by_address.of(source).give_back(&source.network);
            self.by_name.give_back(&name);
        }
    }
}
