//! The id of an account.

use std::fmt;

/// An account. Positive; what is not is an account of the house ([`AccountId::HOUSE`], [`AccountId::BANK`]).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AccountId(i64);

impl AccountId {
    /// Stakes go here and winnings come from here.
    pub const HOUSE: AccountId = AccountId(0);
    /// Money from outside comes through here: opening balances. Its balance is what was given, negative.
    pub const BANK: AccountId = AccountId(-1);

    /// The account of a bettor; nothing for a number that is not positive.
    pub const fn bettor(id: i64) -> Option<AccountId> {
        if id > 0 { Some(AccountId(id)) } else { None }
    }

    /// The number itself.
    pub const fn get(self) -> i64 {
        self.0
    }
}

impl fmt::Display for AccountId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
