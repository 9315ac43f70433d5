//! The values of the port of accounts; `mod.rs` has the port. Holds no rule: what a name or a password must look like is
//! decided above, and only hashes of passwords come down here.

use crate::domain::bet::AccountId;
use crate::domain::money::Money;
use std::fmt;

/// What an account is made of.
#[derive(Clone, PartialEq, Eq)]
pub struct NewAccount {
    /// Unique, together with all names that look the same.
    pub name: String,
    /// As the hasher writes it, with its salt and parameters.
    pub password_hash: String,
    /// What it has at first, in cents; with 0 nothing is booked. Never negative.
    pub opening: Money,
    /// When, in ms since the epoch.
    pub now_ms: i64,
}

/// What came of [`super::AccountStore::create`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Created {
    /// The account is there, with its money.
    Account(AccountId),
    /// Somebody has the name.
    NameTaken,
}

/// An account as it is kept.
#[derive(Clone, PartialEq, Eq)]
pub struct Account {
    /// Its id.
    pub id: AccountId,
    /// Its name as it was registered.
    pub name: String,
    /// As the hasher wrote it.
    pub password_hash: String,
    /// What it has, in cents; never negative.
    pub balance: Money,
    /// What it owes after corrections, in cents; never negative. Stops new bets.
    pub receivable: Money,
}

/// Who is logged in, and until when.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Login {
    /// The account.
    pub account: AccountId,
    /// When the login ends, in ms since the epoch.
    pub expires_at_ms: i64,
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
