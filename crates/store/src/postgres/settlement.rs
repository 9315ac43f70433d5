//! What PostgreSQL does with results, settlements and cash-outs in its own way: the locks between them.
//!
//! A bet that is placed while a result arrives must not be missed. So placing holds a shared lock on each of its
//! matches until it commits, and storing a result takes the exclusive lock ([`lock_match`]).

use super::grading::column;
use super::locks::{self, Lock};
use super::sql::cash_outs::cash_out;
use super::sql::results::{next_old_results, stored_results};
use super::sql::settlement::{settle, store_results};
use super::{DELETION, PostgresStore};
use crate::rows::wide;
use crate::slices::{OldResult, Slice, delete_in_slices};
use crate::{
    CashOutDone, CashOutOrder, ResultsStored, SettleScope, SettledBatch, SettlementWork, StoreError, StoreFuture,
    fail_point,
};
use kvota_domain::ledger::NewerResults;
use kvota_domain::settlement::MatchResults;
use sqlx::{PgConnection, PgPool};
use std::sync::{Arc, Mutex, PoisonError};

impl PostgresStore {
    pub(super) fn store_newer_results(&self, results: MatchResults, now_ms: i64) -> StoreFuture<'_, ResultsStored> {
        Box::pin(self.run(move |pool| async move {
            // A node that starts gets the results of all matches with open bets, and most are stored already. Versions
            // only grow, so those need no lock.
            let stored = stored_results(&mut *pool.acquire().await?, &results).await?;
            if NewerResults::of(&results, &stored).newer.is_empty() {
                return Ok(ResultsStored::default());
            }
            let mut transaction = pool.begin().await?;
            lock_match(&mut transaction, wide(results.match_id.get())).await?;
            let stored = store_results(&mut transaction, &results, now_ms).await?;
            fail_point::pass("results-before-commit");
            transaction.commit().await?;
            Ok(stored)
        }))
    }

    pub(super) fn cash_out_bet(&self, order: CashOutOrder) -> StoreFuture<'_, CashOutDone> {
        Box::pin(async move {
            let done = self.write(order, |connection, order| Box::pin(cash_out(connection, order))).await?;
            fail_point::pass("cash-out-after-commit");
            Ok(done)
        })
    }

    pub(super) fn settle_batch(
        &self,
        work: SettlementWork,
        scope: SettleScope,
        now_ms: i64,
    ) -> StoreFuture<'_, SettledBatch> {
        Box::pin(self.run(move |pool| async move {
            let mut transaction = pool.begin().await?;
            let batch = settle(&mut transaction, work, &scope, now_ms).await?;
            fail_point::pass("settle-before-commit");
            transaction.commit().await?;
            fail_point::pass("settle-after-commit");
            Ok(batch)
        }))
    }

    pub(super) fn forget_old_results(&self, before_ms: i64) -> StoreFuture<'_, u64> {
        let looked_at = Arc::clone(&self.results_looked_at);
        Box::pin(self.run_within(DELETION, move |pool| {
            delete_in_slices(move || forget_slice(pool.clone(), Arc::clone(&looked_at), before_ms))
        }))
    }
}

/// Looks at the next results from before a time, and deletes those of markets without bets.
async fn forget_slice(
    pool: PgPool,
    looked_at: Arc<Mutex<OldResult>>,
    before_ms: i64,
) -> Result<Option<Slice>, StoreError> {
    let mut transaction = pool.begin().await?;
    if !locks::try_for_transaction(&mut transaction, Lock::OldResults).await? {
        return Ok(None);
    }
    let after = *looked_at.lock().unwrap_or_else(PoisonError::into_inner);
    let old = next_old_results(&mut transaction, after, before_ms).await?;
    // The time is checked again: a newer result may have come meanwhile.
    let deleted = sqlx::query(
        "DELETE FROM market_results r USING UNNEST($2::bigint[], $3::bigint[]) AS o (match_id, market_id) \
         WHERE r.match_id = o.match_id AND r.market_id = o.market_id AND r.at_ms < $1 AND NOT EXISTS \
         (SELECT 1 FROM bet_pairs p WHERE p.match_id = r.match_id AND p.market_id = r.market_id)",
    )
    .bind(before_ms)
    .bind(column(&old, |old| old.match_id))
    .bind(column(&old, |old| old.market_id))
    .execute(&mut *transaction)
    .await?
    .rows_affected();
    transaction.commit().await?;
    if let Some(last) = old.last() {
        *looked_at.lock().unwrap_or_else(PoisonError::into_inner) = *last;
    }
    Ok(Some(Slice { looked_at: old.len() as u64, deleted }))
}

/// Locks a match for a result until the transaction ends. Placing locks its matches with the same numbers, shared
/// (`placing.rs`). The first number identifies this kind of lock. The second is the match id, folded into 32 bits.
async fn lock_match(connection: &mut PgConnection, match_id: i64) -> Result<(), StoreError> {
    let question = "SELECT pg_advisory_xact_lock(727101, ($1::bigint % 2147483647)::int)";
    sqlx::query(question).bind(match_id).execute(connection).await?;
    Ok(())
}
