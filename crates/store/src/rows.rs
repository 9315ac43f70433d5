//! Conversions between values and columns that need no database.

use super::{BetPair, SessionOwner, StoredBet, StoredCashOut, StoredResult};
use kvota_domain::session::SessionId;
use kvota_domain::settlement::LedgerAccount;
use sha2::{Digest, Sha256};
use std::collections::HashMap;

/// The numbers of the bets that have cash-outs, which must be read too.
pub(super) fn with_cash_outs(bets: &[(i64, StoredBet)]) -> Vec<i64> {
    let has_any = |(_, stored): &&(i64, StoredBet)| stored.rest.bruto != stored.bet.bruto;
    bets.iter().filter(has_any).map(|(number, _)| *number).collect()
}

/// Adds cash-outs to bets. They must be ordered by their number.
pub(super) fn add_cash_outs(bets: &mut [(i64, StoredBet)], cash_outs: Vec<(i64, StoredCashOut)>) {
    for (bet, cash_out) in cash_outs {
        if let Some((_, stored)) = bets.iter_mut().find(|(number, _)| *number == bet) {
            stored.cash_outs.push(cash_out);
        }
    }
}

/// Adds pairs to bets. The pairs must be ordered by the number of the bet and by position.
pub(super) fn with_pairs(bets: Vec<(i64, StoredBet)>, pairs: Vec<(i64, BetPair, StoredResult)>) -> Vec<StoredBet> {
    let mut by_bet: HashMap<i64, Vec<(BetPair, StoredResult)>> = HashMap::new();
    for (bet, pair, result) in pairs {
        by_bet.entry(bet).or_default().push((pair, result));
    }
    let whole = |(number, mut stored): (i64, StoredBet)| {
        (stored.bet.pairs, stored.results) = by_bet.remove(&number).unwrap_or_default().into_iter().unzip();
        stored
    };
    bets.into_iter().map(whole).collect()
}

/// The hash that is stored instead of a session id, so that the database does not contain credentials. It needs no
/// salt, because the id is 128 random bits.
pub(super) fn session_hash(session: SessionId) -> Vec<u8> {
    Sha256::digest(session.to_text().as_bytes()).to_vec()
}

/// The key of a saved session, and whether it is anonymous.
pub(super) fn owner_key(owner: SessionOwner) -> (Vec<u8>, bool) {
    match owner {
        SessionOwner::Anonymous(session) => ([vec![0], session_hash(session)].concat(), true),
        SessionOwner::Account(account) => ([vec![1], account.get().to_be_bytes().to_vec()].concat(), false),
    }
}

/// The name of a ledger account in the databases.
pub(super) const fn account_name(account: LedgerAccount) -> &'static str {
    match account {
        LedgerAccount::Bettor => "bettor",
        LedgerAccount::OpenStakes => "open_stakes",
        LedgerAccount::House => "house",
        LedgerAccount::Tax => "tax",
        LedgerAccount::Receivable => "receivable",
        LedgerAccount::Bank => "bank",
    }
}

/// Converts a number to a database integer. Ids are below 2^53, and versions far below that.
pub(super) fn wide(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
