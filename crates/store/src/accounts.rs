//! The types of [`super::AccountStore`]. Must not contain rules for names or passwords: callers check them, and pass
//! only password hashes to the store.

use crate::nodes::SessionKey;
use kvota_domain::bet::AccountId;
use kvota_domain::money::Money;
use kvota_domain::protection::Protection;
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
}

/// The outcome of [`super::AccountStore::create`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Created {
    /// The account is created, with its opening balance.
    Account(AccountId),
    /// The name belongs to another account.
    NameTaken,
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
    /// When the login ends, in ms since the epoch.
    pub expires_at_ms: i64,
}

/// A login that begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewLogin {
    /// Its account and its end.
    pub login: Login,
    /// When it begins, in ms since the epoch; `None` if unknown.
    pub created_at_ms: Option<i64>,
    /// What the browser says that it is; may be empty.
    pub agent: String,
}

/// Without anything about the browser.
impl From<Login> for NewLogin {
    fn from(login: Login) -> NewLogin {
        NewLogin { login, created_at_ms: None, agent: String::new() }
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
