//! The types of [`super::AccountStore`]. Must not contain rules for names or passwords: callers check them, and pass
//! only password hashes to the store.

use crate::nodes::SessionKey;
use kvota_domain::bet::AccountId;
use kvota_domain::money::Money;
use kvota_domain::protection::{LoginTimes, Protection};
use kvota_domain::session::SessionId;
use std::fmt;

/// A new account.
#[derive(Clone, PartialEq, Eq)]
pub struct NewAccount {
    /// Unique, also among names that look the same.
    pub name: String,
    /// The hash with its salt and parameters, as the hasher writes it.
    pub password_hash: String,
    /// The opening balance, in cents; never negative. If it is 0, nothing is booked.
    pub opening: Money,
    /// When it is created, in ms since the epoch.
    pub now_ms: i64,
    /// The player's name in the register of excluded players; `None` if it is the name of the account.
    pub external_id: Option<String>,
}

/// The outcome of [`super::AccountStore::create`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Created {
    /// The account is created, with its opening balance.
    Account(AccountId),
    /// The name belongs to another account.
    NameTaken,
    /// Another account has the external id.
    ExternalIdTaken,
}

/// A stored account.
#[derive(Clone, PartialEq, Eq)]
pub struct Account {
    /// Its id.
    pub id: AccountId,
    /// Its name as it was registered.
    pub name: String,
    /// The hash with its salt and parameters.
    pub password_hash: String,
    /// The balance, in cents; never negative.
    pub balance: Money,
    /// The debt after corrections, in cents; never negative. While there is a debt, new bets are rejected.
    pub receivable: Money,
    /// The limits and the exclusion that the bettor has set.
    pub protection: Protection,
    /// The player's name in the register of excluded players; `None` if it is the name of the account.
    pub external_id: Option<String>,
}

/// A new password of an account (CONTRACT 9).
#[derive(Clone)]
pub struct PasswordChange {
    /// The account.
    pub account: AccountId,
    /// The hash that the old password was checked against.
    pub old_hash: String,
    /// The hash of the new password.
    pub new_hash: String,
    /// The only login that continues.
    pub kept: SessionId,
}

/// Without the hashes, which belong into no log.
impl fmt::Debug for PasswordChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PasswordChange").field("account", &self.account).finish_non_exhaustive()
    }
}

/// A login of an account.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Login {
    /// The account.
    pub account: AccountId,
    /// When the login ends unless it is used before, in ms since the epoch.
    pub expires_at_ms: i64,
    /// When it began, in ms since the epoch; `None` if unknown.
    pub created_at_ms: Option<i64>,
    /// When the limits of the bettor concern it.
    pub times: LoginTimes,
}

impl Login {
    /// A login without limits, of which the beginning is unknown.
    pub fn until(account: AccountId, expires_at_ms: i64) -> Login {
        Login { account, expires_at_ms, created_at_ms: None, times: LoginTimes::default() }
    }

    /// Whether it still holds: it was used in time, and has not reached the limit of a session.
    pub fn holds(&self, now_ms: i64) -> bool {
        self.expires_at_ms > now_ms && self.times.ends_at_ms.is_none_or(|ends_at_ms| ends_at_ms > now_ms)
    }
}

/// A login that begins. The store adds the times of the bettor's limits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewLogin {
    /// The account.
    pub account: AccountId,
    /// When the login ends unless it is used before, in ms since the epoch.
    pub expires_at_ms: i64,
    /// When it begins, in ms since the epoch; `None` if unknown.
    pub created_at_ms: Option<i64>,
    /// What the browser says that it is; may be empty.
    pub agent: String,
}

/// Without anything about the browser.
impl From<Login> for NewLogin {
    fn from(login: Login) -> NewLogin {
        let Login { account, expires_at_ms, created_at_ms, .. } = login;
        NewLogin { account, expires_at_ms, created_at_ms, agent: String::new() }
    }
}

impl NewLogin {
    /// The login at its beginning: it also ends at the limit of a session.
    pub(super) fn login(&self, protection: &Protection) -> Login {
        let times = match self.created_at_ms {
            Some(begun_ms) => protection.login_times(begun_ms, None, begun_ms),
            None => LoginTimes::default(),
        };
        let expires_at_ms = times.ends_at_ms.map_or(self.expires_at_ms, |ends| ends.min(self.expires_at_ms));
        Login { account: self.account, expires_at_ms, created_at_ms: self.created_at_ms, times }
    }
}

/// A login as its account sees it (CONTRACT 9, *account/sessions*).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AccountSession {
    /// The key of its cookie.
    pub key: SessionKey,
    /// When the login ends, in ms since the epoch.
    pub expires_at_ms: i64,
    /// When it began, in ms since the epoch; `None` if an older version of the program did not store it.
    pub created_at_ms: Option<i64>,
    /// What the browser says that it is; may be empty.
    pub agent: String,
}

/// Without the hash of the password, which belongs into no log.
impl fmt::Debug for NewAccount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewAccount").field("name", &self.name).field("opening", &self.opening).finish_non_exhaustive()
    }
}

/// Without the hash of the password, which belongs into no log.
impl fmt::Debug for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Account");
        shown.field("id", &self.id).field("name", &self.name).field("balance", &self.balance).finish_non_exhaustive()
    }
}
