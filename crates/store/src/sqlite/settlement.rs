//! What SQLite does with results, settlements and cash-outs in its own way: a batch of bets is one operation of the writer that
//! shares its transaction with no other. Must not write a bet outside of such an operation.

use super::SqliteStore;
use super::sql::cash_outs::cash_out;
use super::sql::results::next_old_results;
use super::sql::settlement::{settle, store_results};
use super::writer::Operation;
use crate::slices::{Slice, delete_in_slices};
use crate::{
    CashOutDone, CashOutOrder, ResultsStored, SettleScope, SettledBatch, SettlementWork, StoreError, StoreFuture,
};
use kvota_domain::settlement::MatchResults;
use serde_json::json;
use sqlx::SqliteConnection;
use std::sync::PoisonError;

impl SqliteStore {
    pub(super) fn store_newer_results(&self, results: MatchResults, now_ms: i64) -> StoreFuture<'_, ResultsStored> {
        self.write((results, now_ms), |connection, (results, now_ms)| {
            Box::pin(store_results(connection, results, *now_ms))
        })
    }

    pub(super) fn cash_out_bet(&self, order: CashOutOrder) -> StoreFuture<'_, CashOutDone> {
        self.write(order, |connection, order| Box::pin(cash_out(connection, order)))
    }

    pub(super) fn settle_batch(
        &self,
        work: SettlementWork,
        scope: SettleScope,
        now_ms: i64,
    ) -> StoreFuture<'_, SettledBatch> {
        Box::pin(self.writer.run(Settle { work, scope, now_ms }))
    }

    pub(super) fn forget_old_results(&self, before_ms: i64) -> StoreFuture<'_, u64> {
        Box::pin(delete_in_slices(move || async move {
            // Found by a reader, because bets wait for the writer.
            let after = *self.results_looked_at.lock().unwrap_or_else(PoisonError::into_inner);
            let old = self.read(move |connection| Box::pin(next_old_results(connection, after, before_ms))).await?;
            let keys: Vec<_> = old.iter().map(|old| [old.match_id, old.market_id]).collect();
            let deleted = self.writer.run(ForgetResults { old: json!(keys).to_string(), before_ms }).await?;
            if let Some(last) = old.last() {
                *self.results_looked_at.lock().unwrap_or_else(PoisonError::into_inner) = *last;
            }
            Ok(Some(Slice { looked_at: old.len() as u64, deleted }))
        }))
    }
}

struct Settle {
    work: SettlementWork,
    scope: SettleScope,
    now_ms: i64,
}

impl Operation for Settle {
    type Output = SettledBatch;

    const IS_LARGE: bool = true;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<SettledBatch, StoreError> {
        settle(connection, self.work, &self.scope, self.now_ms).await
    }
}

/// Deletes these results, unless a newer one or a bet came meanwhile.
struct ForgetResults {
    /// `[[matchId, marketId]...]` as JSON.
    old: String,
    before_ms: i64,
}

impl Operation for ForgetResults {
    type Output = u64;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<u64, StoreError> {
        let deletion = sqlx::query(
            "DELETE FROM market_results WHERE (match_id, market_id) IN \
             (SELECT value ->> 0, value ->> 1 FROM json_each(?)) AND at_ms < ? AND NOT EXISTS (SELECT 1 FROM bet_pairs p \
             WHERE p.match_id = market_results.match_id AND p.market_id = market_results.market_id)",
        )
        .bind(&self.old)
        .bind(self.before_ms);
        Ok(deletion.execute(connection).await?.rows_affected())
    }
}
