//! Whether a bet would exceed a limit of its bettor (CONTRACT 4 and 9). The transaction of a bet asks, because concurrent
//! bets of one bettor do not see each other before. Must not check a balance, a debt or a result.

use crate::bet::Bet;
use crate::money::Money;
use crate::protection::{Flow, Flows, Protection};
use crate::ticket::{AccountFacts, PlacingLimits};

/// The facts of an account without those of its matches.
pub fn account_facts(
    balance: Money,
    user_stake: Money,
    protection: &Protection,
    flows: &Flows,
    now_ms: i64,
) -> AccountFacts {
    AccountFacts {
        balance,
        user_stake,
        matches: Vec::new(),
        exclusion: protection.exclusion(now_ms),
        has_unknown_protection: !protection.unknown.is_empty(),
        allowances: protection.allowances([Flow::Stake, Flow::Loss], flows, now_ms),
    }
}

/// Whether any limit is set.
pub fn has_limit(limits: &PlacingLimits) -> bool {
    *limits != PlacingLimits::default()
}

/// Whether a limit per match is set, so that stakes and payouts per match must be summed.
pub fn has_match_limit(limits: &PlacingLimits) -> bool {
    limits.match_stake_max.is_some() || limits.match_payout_max.is_some()
}

/// Whether a bet would exceed a limit of its bettor. `facts` must contain the matches of the bet.
pub fn is_over(facts: &AccountFacts, bet: &Bet, limits: &PlacingLimits) -> bool {
    let beyond = |so_far: Money, more: Money, max: Option<Money>| {
        max.is_some_and(|max| so_far.checked_add(more).is_none_or(|sum| sum > max))
    };
    // A match without open bets is not in `facts`, but the bet alone may exceed its limit.
    facts.exclusion.is_some()
        || facts.has_unknown_protection
        || facts.allowances.iter().any(|allowance| bet.bruto > allowance.left)
        || beyond(facts.user_stake, bet.bruto, limits.user_stake_max)
        || beyond(Money::ZERO, bet.bruto, limits.match_stake_max)
        || beyond(Money::ZERO, bet.payout, limits.match_payout_max)
        || facts.matches.iter().any(|on_match| {
            beyond(on_match.stake, bet.bruto, limits.match_stake_max)
                || beyond(on_match.payout, bet.payout, limits.match_payout_max)
        })
}
