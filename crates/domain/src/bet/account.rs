//! The id of an account. A bettor must never get an id that is not positive: those belong to the bookmaker.

use std::fmt;

/// The id of an account. Bettors have positive ids; the bookmaker's own accounts are [`AccountId::HOUSE`] and
/// [`AccountId::BANK`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AccountId(i64);

impl AccountId {
    /// The bookmaker: receives stakes and pays winnings.
    pub const HOUSE: AccountId = AccountId(0);
    /// The bookmaker's account that pays opening balances. Its own balance is minus their sum.
    pub const BANK: AccountId = AccountId(-1);

    /// The account of a bettor; `None` if `id` is not positive.
    pub const fn bettor(id: i64) -> Option<AccountId> {
        if id > 0 { Some(AccountId(id)) } else { None }
    }

    /// The number.
    pub const fn get(self) -> i64 {
        self.0
    }
}

impl fmt::Display for AccountId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
