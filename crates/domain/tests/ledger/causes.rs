//! Why an open bet is not settled.

use crate::kit::{ana, result};
use kvota_domain::bet::TicketId;
use kvota_domain::ids::{MarketId, MatchId, OddId};
use kvota_domain::ledger::{UndecidedPair, UnsettledCause, unsettled};
use kvota_domain::settlement::{MarketResult, MarketState};

fn pair(bet: u64, match_id: u64, ended_at_ms: Option<i64>) -> UndecidedPair {
    UndecidedPair {
        bet,
        ticket_id: TicketId::new(&format!("ticket-{bet}")).unwrap(),
        account: ana(),
        placed_at_ms: 0,
        match_id: MatchId::new(match_id).unwrap(),
        market_id: MarketId::new(1).unwrap(),
        odd_id: OddId::new(7).unwrap(),
        ended_at_ms,
        is_set_aside: false,
        line_moved: false,
    }
}

#[test]
fn bets_of_ended_matches_are_listed_with_their_cause_longest_waiting_first() {
    let of_match = |match_id, market: MarketResult| (MatchId::new(match_id).unwrap(), market);
    let parked = MarketResult { state: MarketState::from_code(99), ..result(1, Some(1)) };
    let results = vec![of_match(2, result(1, None)), of_match(3, parked), of_match(4, result(1, Some(1)))];
    let pairs = vec![
        pair(1, 1, Some(30)),
        pair(2, 2, Some(20)),
        pair(3, 3, None),
        UndecidedPair { is_set_aside: true, ..pair(4, 1, None) },
        UndecidedPair { line_moved: true, ..pair(5, 4, Some(10)) },
        // One of its matches goes on.
        pair(6, 1, Some(30)),
        pair(6, 2, None),
        // Ended too recently.
        pair(7, 1, Some(100)),
    ];
    let listed = unsettled(pairs, results, 100);
    let facts: Vec<_> = listed.iter().map(|bet| (bet.ticket_id.as_str(), bet.cause, bet.ended_at_ms)).collect();
    assert_eq!(
        facts,
        [
            ("ticket-5", UnsettledCause::Parked, Some(10)),
            ("ticket-2", UnsettledCause::NotDecided, Some(20)),
            ("ticket-1", UnsettledCause::NoResult, Some(30)),
            ("ticket-3", UnsettledCause::Parked, None),
            ("ticket-4", UnsettledCause::SetAside, None),
        ]
    );
}
