//! Bets and results for the tests of the ledger.

use kvota_domain::bet::{AccountId, BetState, StoredResult, StoredSettlement, TicketId};
use kvota_domain::ids::{MarketId, OddId};
use kvota_domain::ledger::{GradedBet, GradedPair, Holdings, LoadedBet};
use kvota_domain::money::Money;
use kvota_domain::price::Price;
use kvota_domain::settlement::{BetTerms, DeadHeat, MarketResult, MarketState, RawOddResult, Settlement, VoidFactor};
use kvota_domain::ticket::Rules;

pub(crate) const NOW_MS: i64 = 1_000;

pub(crate) fn money(cents: i64) -> Money {
    Money::from_cents(cents)
}

pub(crate) fn ana() -> AccountId {
    AccountId::bettor(1).unwrap()
}

pub(crate) fn held(balance: i64, receivable: i64) -> Holdings {
    Holdings { balance: money(balance), receivable: money(receivable), revision: 0 }
}

/// The result of the only odd of a market: 1 won, 0 lost; `None`: the market is open again.
pub(crate) fn result(version: i64, result: Option<i64>) -> MarketResult {
    let odd = RawOddResult {
        odd: OddId::new(7).unwrap(),
        result,
        void_factor: Some(VoidFactor::Zero),
        dead_heat: Some(DeadHeat::NONE),
    };
    MarketResult {
        market: MarketId::new(1).unwrap(),
        version,
        state: if result.is_some() { MarketState::Settled } else { MarketState::OpenAgain },
        odds: vec![odd],
        void_windows: Vec::new(),
        reason: None,
    }
}

/// An open bet of 10.00 without taxes, with one pair for each odd.
pub(crate) fn bet(id: i64, odds: &[&str]) -> LoadedBet {
    let pair =
        GradedPair { odd: OddId::new(7).unwrap(), kept: StoredResult::default(), market: None, line_moved: false };
    let terms = BetTerms {
        bruto: money(1_000),
        taxed_stake: money(1_000),
        system_type: 0,
        pairs: odds.iter().map(|odd| (Price::parse(odd).unwrap(), false)).collect(),
        rules: Rules { tax: Vec::new(), ..Rules::default() }.anonymous(),
        void_returns_stake_tax: true,
    };
    LoadedBet {
        id,
        ticket_id: TicketId::new(&format!("ticket-{id}")).unwrap(),
        account: ana(),
        settlements: 0,
        standing: None,
        revision: 0,
        bet: GradedBet { state: BetState::Open, terms, placed_at_ms: 0, standing: None, pairs: vec![pair; odds.len()] },
    }
}

/// A bet that was settled once, with its postings booked.
pub(crate) fn settled(mut bet: LoadedBet, settlement: Settlement, state: BetState) -> LoadedBet {
    let Settlement { gross, win_tax, paid, .. } = settlement;
    bet.standing = Some(StoredSettlement { number: 1, at_ms: 0, gross, win_tax, paid, reason: None });
    (bet.settlements, bet.revision) = (1, 1);
    (bet.bet.standing, bet.bet.state) = (Some(settlement), state);
    bet
}
