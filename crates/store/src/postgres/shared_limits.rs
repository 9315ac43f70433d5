//! Limits that count over all nodes: running orders and attempts with a wrong password. One row for each order and
//! attempt, in unlogged tables, so that no commit waits for the disk; a lock for each account or key, so that two nodes
//! cannot both take the last place.
//!
//! Must cost nothing while no other node runs: then the limits of this process are enough. An order takes one
//! round trip, since each costs as much as its work: the function `begin_order` of the database locks, reads the stored
//! answer, counts and reserves, and the transaction of the bet ends the order.

use super::PostgresStore;
use super::sql::StoreRow;
use crate::nodes::{Attempt, Attempts, OrderSlot, SharedLimits};
use crate::rows::wide;
use crate::{AccountId, BetStore, IdempotencyKey, StoreError, StoreFuture};
use sqlx::{PgConnection, PgPool, Row};
use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The other nodes that have renewed their row within 5 s. All others are dead.
const LIVING: &str = "SELECT id FROM nodes WHERE id <> $1 AND seen_at > clock_timestamp() - interval '5 s'";

/// The orders that this node has reserved in the database.
#[derive(Debug, Default)]
pub(super) struct ReservedSlots(Mutex<HashSet<(AccountId, IdempotencyKey)>>);

impl ReservedSlots {
    fn add(&self, account: AccountId, key: IdempotencyKey) {
        self.lock().insert((account, key));
    }

    /// Removes an order that has ended. Returns whether it was reserved.
    pub(super) fn remove(&self, account: AccountId, key: IdempotencyKey) -> bool {
        self.lock().remove(&(account, key))
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<(AccountId, IdempotencyKey)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SharedLimits for PostgresStore {
    fn begin_order(
        &self,
        account: AccountId,
        key: IdempotencyKey,
        max: usize,
        lasts: Duration,
    ) -> StoreFuture<'_, OrderSlot> {
        if !self.others.exist() {
            return Box::pin(async move { Ok(OrderSlot::on_only_node(self.find_key(account, key).await?)) });
        }
        let (node, slots) = (self.node, Arc::clone(&self.slots));
        Box::pin(self.run(move |pool| async move {
            let slot = begin_order(pool, node, account, key, max, lasts).await?;
            if slot == OrderSlot::Reserved {
                slots.add(account, key);
            }
            Ok(slot)
        }))
    }

    fn has_other_nodes(&self) -> bool {
        self.others.exist()
    }

    fn is_first_node(&self) -> bool {
        self.others.are_all_after()
    }

    fn end_order(&self, account: AccountId, key: IdempotencyKey) -> StoreFuture<'_, ()> {
        if !self.slots.remove(account, key) {
            return Box::pin(std::future::ready(Ok(())));
        }
        let node = self.node;
        Box::pin(async move {
            let ending = self.run(move |pool| async move {
                sqlx::query("DELETE FROM running_orders WHERE account_id = $1 AND key = $2 AND node_id = $3")
                    .bind(account.get())
                    .bind(key.0.to_vec())
                    .bind(node)
                    .execute(&pool)
                    .await?;
                Ok(())
            });
            // It must be ended again.
            ending.await.inspect_err(|_| self.slots.add(account, key))
        })
    }

    fn take_attempt(&self, counts_for: Vec<Attempt>, window: Duration) -> StoreFuture<'_, Attempts> {
        if !self.others.exist() {
            return Box::pin(std::future::ready(Ok(Attempts::Taken(Vec::new()))));
        }
        Box::pin(self.run(move |pool| take_attempt(pool, counts_for, window)))
    }

    fn give_back_attempt(&self, ids: Vec<i64>) -> StoreFuture<'_, ()> {
        if ids.is_empty() {
            return Box::pin(std::future::ready(Ok(())));
        }
        Box::pin(self.run(move |pool| async move {
            sqlx::query("DELETE FROM password_attempts WHERE id = ANY($1)").bind(ids).execute(&pool).await?;
            Ok(())
        }))
    }
}

/// Waits for the locks of these keys, in an order that all nodes share.
async fn lock(transaction: &mut PgConnection, keys: Vec<Vec<u8>>) -> Result<(), StoreError> {
    let locks = "SELECT pg_advisory_xact_lock(number) FROM (SELECT DISTINCT hashtextextended(current_schema() || encode(key, 'hex'), 11) \
         AS number FROM unnest($1::bytea[]) AS keys (key) ORDER BY number) AS numbers";
    sqlx::query(locks).bind(keys).execute(transaction).await?;
    Ok(())
}

async fn begin_order(
    pool: PgPool,
    node: i64,
    account: AccountId,
    key: IdempotencyKey,
    max: usize,
    lasts: Duration,
) -> Result<OrderSlot, StoreError> {
    let max = wide(max as u64);
    let found = sqlx::query("SELECT digest, status, body, running, is_running FROM begin_order($1, $2, $3, $4, $5)")
        .bind(account.get())
        .bind(&key.0[..])
        .bind(node)
        .bind(lasts.as_secs_f64())
        .bind(max)
        .fetch_one(&pool)
        .await?;
    if found.try_get::<Option<&[u8]>, _>("digest")?.is_some() {
        return Ok(OrderSlot::Answered(found.key_record()?));
    }
    let (running, is_running) = (found.int("running")?, found.flag("is_running")?);
    Ok(match is_running {
        true => OrderSlot::RunsElsewhere,
        false if running >= max => OrderSlot::NoneLeft,
        false => OrderSlot::Reserved,
    })
}

async fn take_attempt(pool: PgPool, counts_for: Vec<Attempt>, window: Duration) -> Result<Attempts, StoreError> {
    let keys: Vec<Vec<u8>> = counts_for.iter().map(|attempt| attempt.key.clone()).collect();
    let mut transaction = pool.begin().await?;
    lock(&mut transaction, keys.clone()).await?;
    // The numbers of the attempts may come from a logged sequence.
    sqlx::query("SET LOCAL synchronous_commit = off").execute(&mut *transaction).await?;
    for Attempt { key, max } in &counts_for {
        let found = sqlx::query(
            "SELECT count(*) AS tried, EXTRACT(EPOCH FROM min(at) - clock_timestamp())::float8 AS oldest FROM password_attempts \
             WHERE key = $1 AND at > clock_timestamp() - make_interval(secs => $2)",
        )
        .bind(key)
        .bind(window.as_secs_f64())
        .fetch_one(&mut *transaction)
        .await?;
        let (tried, oldest): (i64, Option<f64>) = (found.try_get("tried")?, found.try_get("oldest")?);
        if tried >= wide(*max as u64) {
            let left = window.as_secs_f64() + oldest.unwrap_or_default();
            return Ok(Attempts::NoneLeft { seconds: left.ceil().clamp(1.0, window.as_secs_f64()) as u64 });
        }
    }
    let ids = sqlx::query_scalar(
        "INSERT INTO password_attempts (key, at) SELECT key, clock_timestamp() FROM unnest($1::bytea[]) AS keys (key) \
         RETURNING id",
    )
    .bind(keys)
    .fetch_all(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(Attempts::Taken(ids))
}

/// Renews the row of this node, and returns the ids of the other living nodes.
pub(super) async fn beat(pool: &PgPool, node: i64) -> Result<HashSet<i64>, sqlx::Error> {
    sqlx::query(
        "INSERT INTO nodes (id, seen_at) VALUES ($1, clock_timestamp()) ON CONFLICT (id) DO UPDATE SET seen_at = EXCLUDED.seen_at",
    )
    .bind(node)
    .execute(pool)
    .await?;
    let others = sqlx::query_scalar(LIVING).bind(node).fetch_all(pool).await?;
    Ok(others.into_iter().collect())
}

/// Deletes what no limit counts any more.
pub(super) async fn clean_up(pool: &PgPool) -> Result<(), sqlx::Error> {
    for statement in [
        "DELETE FROM nodes WHERE seen_at < clock_timestamp() - interval '1 hour'",
        "DELETE FROM running_orders WHERE until < clock_timestamp() - interval '10 minutes'",
        "DELETE FROM password_attempts WHERE at < clock_timestamp() - interval '10 minutes'",
    ] {
        sqlx::query(statement).execute(pool).await?;
    }
    Ok(())
}
