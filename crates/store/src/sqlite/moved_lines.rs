//! Bets on markets that got another line under the same id, in SQLite: they are parked, and released by an operator who
//! resets the result of the market. Must not grade a bet.

use super::SqliteStore;
use super::grading::rows;
use super::writer::Operation;
use crate::rows::wide;
use crate::settlement::PARKED_AT_ONCE_MAX;
use crate::{OfferedLine, StoreError};
use kvota_domain::ids::{MarketId, MatchId};
use serde_json::json;
use sqlx::SqliteConnection;

impl SqliteStore {
    /// A reader finds the pairs, because bets wait for the writer and usually there are none.
    pub(super) async fn park_pairs_on_moved_lines(&self, lines: Vec<OfferedLine>) -> Result<u64, StoreError> {
        let pairs: Option<String> = sqlx::query_scalar(
            "SELECT json_group_array(json_array(bet_id, position)) FROM (SELECT p.bet_id, p.position FROM json_each(?) l \
             JOIN bet_pairs p ON p.match_id = l.value ->> 0 AND p.market_id = l.value ->> 1 WHERE p.result = 'open' \
             AND NOT p.line_moved AND COALESCE(p.sbv, '') <> l.value ->> 2 LIMIT ?)",
        )
        .bind(rows(lines.iter().map(|line| json!([line.match_id.get(), line.market_id.get(), line.sbv]))))
        .bind(PARKED_AT_ONCE_MAX)
        .fetch_one(&self.readers)
        .await?;
        match pairs {
            Some(pairs) if pairs != "[]" => self.writer.run(Park(pairs)).await,
            _ => Ok(0),
        }
    }
}

/// `[[bet, position]...]` as JSON.
struct Park(String);

impl Operation for Park {
    type Output = u64;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<u64, StoreError> {
        let park = sqlx::query(
            "UPDATE bet_pairs SET line_moved = 1 WHERE (bet_id, position) IN \
             (SELECT value ->> 0, value ->> 1 FROM json_each(?)) AND result = 'open' AND NOT line_moved",
        )
        .bind(&self.0);
        Ok(park.execute(connection).await?.rows_affected())
    }
}

pub(super) struct ResetResultVersion {
    pub(super) match_id: MatchId,
    pub(super) market: MarketId,
}

impl Operation for ResetResultVersion {
    type Output = bool;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<bool, StoreError> {
        let (match_id, market_id) = (wide(self.match_id.get()), wide(self.market.get()));
        let reset = sqlx::query("UPDATE market_results SET version = 0 WHERE match_id = ? AND market_id = ?")
            .bind(match_id)
            .bind(market_id);
        let has_result = reset.execute(&mut *connection).await?.rows_affected() > 0;
        let release =
            sqlx::query("UPDATE bet_pairs SET line_moved = 0 WHERE match_id = ? AND market_id = ? AND line_moved")
                .bind(match_id)
                .bind(market_id);
        if release.execute(&mut *connection).await?.rows_affected() > 0 {
            sqlx::query(
                "INSERT INTO settlement_work (match_id, market_id, since_ms) SELECT match_id, market_id, at_ms \
                 FROM market_results WHERE match_id = ? AND market_id = ? \
                 ON CONFLICT (match_id, market_id) DO UPDATE SET after_bet_id = 0",
            )
            .bind(match_id)
            .bind(market_id)
            .execute(connection)
            .await?;
        }
        Ok(has_result)
    }
}
