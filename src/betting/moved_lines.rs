//! Parks open bets of which a market got another line under the same id, so that the result of that line cannot decide
//! them. CONTRACT 0 forbids such a change; if a producer makes it, an operator decides (`kvota bets --unsettled`).
//!
//! The settlement engine runs it when a line moves, and looks through all open bets now and then: a bet may be committed
//! a moment after the change, or the line may have moved while no node was running. Must not grade a bet.

use crate::betting::settlement::{RETRY_AFTER, Settlements};
use kvota_domain::ids::{MarketId, MatchId};
use kvota_domain::limits::RESULT_MATCHES_ASKED_MAX;
use kvota_domain::settlement::RequestedMatch;
use kvota_store::{OfferedLine, StoreError};
use std::sync::Arc;

impl Settlements {
    /// Parks bets whenever a line moves.
    pub(super) async fn park_when_lines_move(&self) {
        loop {
            let ids = self.model.matches_with_moved_lines(RESULT_MATCHES_ASKED_MAX).await;
            let lines = ids.iter().flat_map(|id| self.offered_lines(*id, |_| true)).collect();
            if let Err(error) = self.park(lines).await {
                tracing::warn!("bets on moved lines of {} matches wait to be parked: {error}", ids.len());
                ids.iter().for_each(|id| self.model.note_moved_line(*id));
                tokio::time::sleep(RETRY_AFTER).await;
            }
        }
    }

    /// Looks through the markets with open bets.
    pub(super) async fn park_moved_lines(&self, undecided: &[RequestedMatch]) -> Result<(), StoreError> {
        let lines = undecided.iter().flat_map(|RequestedMatch { match_id, open_markets }| {
            self.offered_lines(*match_id, |market| open_markets.contains(&market))
        });
        self.park(lines.collect()).await
    }

    async fn park(&self, lines: Vec<OfferedLine>) -> Result<(), StoreError> {
        if lines.is_empty() {
            return Ok(());
        }
        loop {
            match self.stores.settlements.park_moved_lines(lines.clone()).await? {
                0 => return Ok(()),
                parked => {
                    tracing::warn!(parked, "parked {parked} pairs of open bets, because the line of their market moved")
                }
            }
        }
    }

    /// The lines of the wanted markets of a match; none if the match is not in the offer.
    fn offered_lines(&self, match_id: MatchId, is_wanted: impl Fn(MarketId) -> bool) -> Vec<OfferedLine> {
        let Some(entry) = self.model.entry(match_id) else { return Vec::new() };
        let markets = entry.state.live_match.markets.iter().filter(|market| is_wanted(market.id));
        let line = |market: &Arc<kvota_domain::market::Market>| OfferedLine {
            match_id,
            market_id: market.id,
            sbv: market.sbv.as_deref().unwrap_or_default().to_owned(),
        };
        markets.map(line).collect()
    }
}
