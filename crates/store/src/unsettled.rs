//! Questions about open bets with undecided pairs, which both databases understand. Why a bet is not settled is found out by
//! [`kvota_domain::ledger::unsettled`].

/// The markets with undecided pairs of open bets, by match.
pub(super) const UNDECIDED_MARKETS: &str = "SELECT DISTINCT p.match_id, p.market_id FROM bets b JOIN bet_pairs p ON p.bet_id = b.id \
     WHERE b.state = 'open' AND p.result = 'open' ORDER BY p.match_id, p.market_id";

/// The undecided pairs of open bets with a match that has ended or has a result, and of bets that are set aside. At most
/// 200,000 pairs, so that it always fits into memory: the bets placed first.
pub(super) const UNDECIDED_PAIRS: &str = "SELECT b.id, b.ticket_id, b.account_id, b.placed_at_ms, p.match_id, p.market_id, p.odd_id, \
     e.ended_at_ms, CAST(CASE WHEN s.bet_id IS NULL THEN 0 ELSE 1 END AS BIGINT) AS is_set_aside, p.line_moved \
     FROM bets b JOIN bet_pairs p ON p.bet_id = b.id LEFT JOIN match_ends e ON e.match_id = p.match_id \
     LEFT JOIN settlement_set_aside s ON s.bet_id = b.id WHERE b.state = 'open' AND p.result = 'open' \
     AND (s.bet_id IS NOT NULL \
     OR EXISTS (SELECT 1 FROM bet_pairs q JOIN match_ends f ON f.match_id = q.match_id WHERE q.bet_id = b.id) \
     OR EXISTS (SELECT 1 FROM bet_pairs q JOIN market_results r ON r.match_id = q.match_id AND r.market_id = q.market_id \
     WHERE q.bet_id = b.id AND q.result = 'open')) ORDER BY b.id LIMIT 200000";

/// The results of markets with undecided pairs of open bets.
pub(super) const RESULTS_OF_UNDECIDED: &str = "SELECT r.match_id, r.market_id, r.version, r.state, r.odds, r.void_windows, r.reason \
     FROM (SELECT DISTINCT p.match_id, p.market_id FROM bets b JOIN bet_pairs p ON p.bet_id = b.id \
     WHERE b.state = 'open' AND p.result = 'open') u \
     JOIN market_results r ON r.match_id = u.match_id AND r.market_id = u.market_id";

/// Forgets the ends of matches without an undecided pair of an open bet.
pub(super) const FORGET_MATCH_ENDS: &str = "DELETE FROM match_ends WHERE NOT EXISTS (SELECT 1 FROM bet_pairs p \
     JOIN bets b ON b.id = p.bet_id WHERE p.match_id = match_ends.match_id AND p.result = 'open' AND b.state = 'open')";
